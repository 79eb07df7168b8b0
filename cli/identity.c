#include "identity.h"

#include <stdlib.h>
#include <string.h>

#include "crew.h"
#include "input.h"
#include "pair.h"

#define NAMED ((size_t)8) /* inputs that a sentence names */

bool cli_identities_add(cli_identities *identities, const cli_case *c)
{
    if (c->fingerprint[0] == '\0' || c->meaning[0] == '\0')
        return true;
    if (identities->count == identities->capacity) {
        size_t capacity =
            identities->capacity == 0 ? 64 : 2 * identities->capacity;
        cli_known *grown =
            reallocarray(identities->items, capacity, sizeof *grown);
        if (grown == NULL)
            return false;
        identities->items = grown;
        identities->capacity = capacity;
    }
    cli_known *known = &identities->items[identities->count++];
    memcpy(known->fingerprint, c->fingerprint, sizeof known->fingerprint);
    memcpy(known->meaning, c->meaning, sizeof known->meaning);
    known->number = c->number;
    known->found = c->found;
    return true;
}

void cli_identities_free(cli_identities *identities)
{
    free(identities->items);
    *identities = (cli_identities){0};
}

/* --- Groups --- */

/* Items of one fingerprint, in the order of the cases. */
typedef struct group {
    const cli_known *items;
    size_t count;
    size_t other;    /* the first of another meaning than the first */
    size_t meanings; /* how many */
} group;

static int by_fingerprint(const void *a, const void *b)
{
    const cli_known *x = a, *y = b;
    int order = strcmp(x->fingerprint, y->fingerprint);
    return order != 0 ? order
                      : (x->number > y->number) - (x->number < y->number);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* False: out of memory. */
static bool look(group *g)
{
    const char **meanings = calloc(g->count, sizeof *meanings);
    if (meanings == NULL)
        return false;
    g->other = g->count;
    for (size_t i = g->count; i-- > 0;) {
        meanings[i] = g->items[i].meaning;
        if (strcmp(g->items[i].meaning, g->items[0].meaning) != 0)
            g->other = i;
    }
    qsort(meanings, g->count, sizeof *meanings, by_text);
    g->meanings = 1;
    for (size_t i = 1; i < g->count; i++)
        g->meanings += strcmp(meanings[i - 1], meanings[i]) != 0;
    free(meanings);
    return true;
}

static int by_other(const void *a, const void *b)
{
    const group *x = a, *y = b;
    int64_t m = x->items[x->other].number, n = y->items[y->other].number;
    return (m > n) - (m < n);
}

/* The groups with several meanings; NULL: out of memory. */
static group *find_groups(const cli_identities *identities, size_t *count)
{
    group *groups = calloc(identities->count + 1, sizeof *groups);
    *count = 0;
    for (size_t i = 0; groups != NULL && i < identities->count;) {
        group g = {.items = &identities->items[i]};
        while (i < identities->count && strcmp(identities->items[i].fingerprint,
                                               g.items->fingerprint) == 0) {
            g.count++;
            i++;
        }
        if (!look(&g)) {
            free(groups);
            return NULL;
        }
        if (g.meanings > 1)
            groups[(*count)++] = g;
    }
    if (*count > 1)
        qsort(groups, *count, sizeof *groups, by_other);
    return groups;
}

/* --- What differs --- */

typedef struct again {
    cli_kept kept[2];
    const cli_batch_options *options;
    cli_text difference;
    bool asked;
} again;

static bool keep(void *context, const cli_case *c)
{
    again *a = context;
    return cli_kept_take(&a->kept[c->number - 1], c);
}

static bool idle(void *context)
{
    (void)context;
    return true;
}

static bool next(void *context, cli_text *request)
{
    again *a = context;
    if (a->asked)
        return false;
    a->asked = true;
    cli_pair_request(request, "meaning", &a->kept[0], &a->kept[1], false,
                     a->options);
    return true;
}

static bool done(void *context, cli_event event, cli_span answer,
                 const char *problem)
{
    again *a = context;
    cli_span value;
    (void)problem;
    if (event == CLI_ANSWER && cli_span_member(&value, answer, "difference"))
        (void)cli_span_text(&a->difference, value);
    return true;
}

/* Plans both again and asks; the difference stays empty where that fails. */
static void ask(again *a, const group *g)
{
    cli_found items[2] = {*g->items[0].found, *g->items[g->other].found};
    cli_search both = {.items = items, .count = 2};
    cli_batch_options options = *a->options;
    cli_batch_result result;
    cli_batch_calls calls = {keep, idle, a};
    cli_child_spec spec = {.judge = true,
                           .timeout_ms = options.timeout_ms,
                           .memory = options.memory};
    cli_crew_calls crew = {.next = next, .done = done, .context = a};
    options.frontend = false;
    options.verbose = false;
    cli_batch_run(&result, &both, &options, &calls);
    if (!result.failed && a->kept[0].found != NULL && a->kept[1].found != NULL)
        (void)cli_crew_run(&spec, 1, &crew);
}

/* --- The finding --- */

static void put_names(cli_text *out, const group *g, bool quoted)
{
    size_t shown = !quoted && g->count > NAMED ? NAMED : g->count;
    for (size_t i = 0; i < shown; i++) {
        cli_text_put(out, i == 0 ? "" : quoted ? "," : ", ");
        if (quoted)
            cli_text_quote(out, g->items[i].found->name);
        else
            cli_text_put(out, g->items[i].found->name);
    }
    if (shown < g->count)
        cli_text_printf(out, " and %zu more", g->count - shown);
}

static void put_message(cli_text *out, const group *g, const char *difference)
{
    cli_text_printf(out,
                    "%zu inputs have the fingerprint %.16s... and %zu "
                    "meanings: ",
                    g->count, g->items[0].fingerprint, g->meanings);
    put_names(out, g, false);
    if (*difference != '\0') {
        cli_text_put(out, "; ");
        cli_text_put(out, g->items[0].found->name);
        cli_text_put(out, " and ");
        cli_text_put(out, g->items[g->other].found->name);
        cli_text_put(out, " first differ in ");
        cli_text_put(out, difference);
    }
    cli_text_put(out, ": a cache by the fingerprint gives the plan of one for "
                      "the other; keep them apart by more than it.");
}

void cli_identity_tell(cli_text *message, const cli_known pair[2],
                       const char *difference)
{
    group g = {.items = pair, .count = 2, .other = 1, .meanings = 2};
    if (pair[0].fingerprint[0] == '\0' || pair[0].meaning[0] == '\0' ||
        strcmp(pair[0].fingerprint, pair[1].fingerprint) != 0 ||
        strcmp(pair[0].meaning, pair[1].meaning) == 0)
        return;
    put_message(message, &g, difference);
}

static bool fill(cli_case *c, const group *g, const again *a)
{
    static const char bucket[] = "signature/1\nscore.identity\n";
    char signature[65];
    cli_text out = {0}, message = {0};
    put_message(&message, g,
                a->difference.length > 0 ? a->difference.data : "");
    cli_text_put(&out, "{\"case\":");
    cli_text_quote(&out, a->kept[1].sha256);
    cli_text_put(&out, ",\"message\":");
    cli_text_json(&out, message.length > 0 ? message.data : "", message.length);
    bool ok = cli_sha256(signature, bucket, sizeof bucket - 1);
    signature[ok ? 16 : 0] = '\0';
    cli_text_printf(&out,
                    ",\"rule\":\"score.identity\",\"severity\":\"error\","
                    "\"signature\":\"%s\",\"witness\":{\"fingerprint\":\"%s\","
                    "\"inputs\":[",
                    signature, g->items[0].fingerprint);
    put_names(&out, g, true);
    cli_text_printf(&out, "],\"meanings\":[\"%s\",\"%s\"]}}",
                    g->items[0].meaning, g->items[g->other].meaning);
    ok = ok && !out.failed && !message.failed &&
         cli_case_add_record(c, (cli_span){out.data, out.length});
    cli_text_free(&out);
    cli_text_free(&message);
    return ok;
}

static bool tell(const group *g, int64_t number,
                 const cli_batch_options *options,
                 bool (*give)(void *context, const cli_case *c), void *context)
{
    again a = {.options = options};
    cli_case c = {.number = number,
                  .found = g->items[g->other].found,
                  .verdict = CLI_FINDINGS,
                  .state = CLI_DONE};
    ask(&a, g);
    c.kind = a.kept[1].kind;
    memcpy(c.sha256, a.kept[1].sha256, sizeof c.sha256);
    bool ok = fill(&c, g, &a) && give(context, &c);
    cli_case_clear(&c);
    cli_kept_free(&a.kept[0]);
    cli_kept_free(&a.kept[1]);
    cli_text_free(&a.difference);
    return ok;
}

bool cli_identities_tell(cli_identities *identities, int64_t number,
                         const cli_batch_options *options,
                         bool (*give)(void *context, const cli_case *c),
                         void *context)
{
    size_t count;
    if (identities->count > 1)
        qsort(identities->items, identities->count, sizeof(cli_known),
              by_fingerprint);
    group *groups = find_groups(identities, &count);
    bool ok = groups != NULL;
    for (size_t i = 0; ok && i < count; i++)
        ok = tell(&groups[i], number + (int64_t)i, options, give, context);
    free(groups);
    return ok;
}
