#include "facts.h"

#include <stdio.h>
#include <string.h>

#include "input.h"

#define VERSION_LINE "golden 1\n"

static const struct stage_of {
    const char *words; /* how lines of the fact begin; the first match counts */
    cli_stage stage;
    bool repeats; /* many lines have the key, which is `words` alone */
} table[] = {
    {"golden", CLI_STAGE_FORMAT, false},
    {"kind", CLI_STAGE_INPUT, false},
    {"input", CLI_STAGE_INPUT, false},
    {"reason", CLI_STAGE_READING, true},
    {"digest graph", CLI_STAGE_READING, false},
    {"tasks", CLI_STAGE_READING, false},
    {"args", CLI_STAGE_READING, false},
    {"buffers", CLI_STAGE_READING, false},
    {"digest eligibility", CLI_STAGE_ELIGIBILITY, false},
    {"digest score", CLI_STAGE_SCORE, false},
    {"fingerprint", CLI_STAGE_SCORE, false},
    {"digest memory", CLI_STAGE_MEMORY, false},
    {"peak", CLI_STAGE_MEMORY, false},
    {"digest", CLI_STAGE_DOCUMENTS, false},
    {"edges", CLI_STAGE_EDGES, false},
    {"verdict", CLI_STAGE_JUDGEMENT, false},
    {"undecided", CLI_STAGE_JUDGEMENT, true},
    {"findings", CLI_STAGE_JUDGEMENT, false},
    {"finding", CLI_STAGE_JUDGEMENT, true},
};
#define TABLE_SIZE (sizeof table / sizeof *table)

static const struct stage {
    const char *name, *meaning;
} stages[CLI_STAGES] = {
    [CLI_STAGE_FORMAT] = {"format", "the version of the golden file"},
    [CLI_STAGE_INPUT] = {"input", "the input itself"},
    [CLI_STAGE_READING] = {"reading", "what the input is read as"},
    [CLI_STAGE_ELIGIBILITY] = {"eligibility", "whether there is a Score"},
    [CLI_STAGE_SCORE] = {"score", "the Score and its policy"},
    [CLI_STAGE_MEMORY] = {"memory", "the memory plan"},
    [CLI_STAGE_DOCUMENTS] = {"documents", "other members of the bundle"},
    [CLI_STAGE_EDGES] = {"edges", "the edges that the judge derives"},
    [CLI_STAGE_JUDGEMENT] = {"judgement", "verdict and findings"},
    [CLI_STAGE_UNKNOWN] = {"unknown", "lines that are no facts"},
};

const char *cli_stage_name(cli_stage stage)
{
    return stages[stage].name;
}

const char *cli_stage_meaning(cli_stage stage)
{
    return stages[stage].meaning;
}

bool cli_fact_starts(const cli_fact *fact, const char *prefix, size_t length)
{
    return fact->length >= length && memcmp(fact->text, prefix, length) == 0 &&
           (fact->length == length || fact->text[length] == ' ');
}

cli_fact cli_fact_of(const char *text, size_t length)
{
    cli_fact fact = {text, length, length, CLI_STAGE_UNKNOWN};
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        size_t words = strlen(table[i].words);
        if (!cli_fact_starts(&fact, table[i].words, words))
            continue;
        const char *last = memrchr(text, ' ', length);
        fact.stage = table[i].stage;
        if (table[i].repeats)
            fact.key = words;
        else if (last != NULL)
            fact.key = (size_t)(last - text);
        break;
    }
    return fact;
}

/* --- Writing --- */

static void put_escaped(cli_text *out, const char *data, size_t length,
                        unsigned char least)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)data[i];
        if (c < least || c > '~' || c == '%')
            cli_text_printf(out, "%%%02x", c);
        else
            cli_text_add(out, data + i, 1);
    }
}

void cli_facts_put_word(cli_text *out, const char *data, size_t length)
{
    if (length == 0)
        cli_text_put(out, "-");
    else if (length == 1 && *data == '-')
        cli_text_put(out, "%2d");
    else
        put_escaped(out, data, length, '!');
}

static void put_string(cli_text *out, const char *string)
{
    cli_facts_put_word(out, string, string == NULL ? 0 : strlen(string));
}

static void put_line(cli_text *out, const char *name, const char *value)
{
    cli_text_printf(out, "%s %s\n", name, value);
}

/* A number as it is written, or "-". */
static void put_number(cli_text *out, cli_span object, const char *name)
{
    cli_span value;
    if (object.data != NULL && cli_span_member(&value, object, name))
        cli_facts_put_word(out, value.data, value.length);
    else
        cli_text_put(out, "-");
}

/* "task.argument" of one end of a pair. */
static void put_end(cli_text *out, cli_span record, const char *name)
{
    cli_span end, arg;
    cli_text_put(out, " ");
    if (!cli_span_member(&end, record, name)) {
        cli_text_put(out, "-");
        return;
    }
    put_number(out, end, "task");
    if (cli_span_member(&arg, end, "arg")) {
        cli_text_put(out, ".");
        put_number(out, end, "arg");
    }
}

static void put_storage(cli_text *out, cli_span record)
{
    cli_span storage = {0}, value;
    cli_text key = {0};
    if (cli_span_member(&storage, record, "storage") &&
        cli_span_member(&value, storage, "key") && !cli_span_text(&key, value))
        cli_text_clear(&key);
    cli_text_put(out, " ");
    cli_facts_put_word(out, key.data, key.length);
    cli_text_put(out, " ");
    put_number(out, storage, "begin");
    cli_text_put(out, " ");
    put_number(out, storage, "end");
    cli_text_free(&key);
}

/* Line, column and path, as far as they are known. */
static void put_place(cli_text *out, cli_span record, int64_t line)
{
    cli_span value;
    if (line > 0)
        cli_text_printf(out, " %lld", (long long)line);
    else
        cli_text_put(out, " -");
    if (cli_span_member(&value, record, "column")) {
        cli_text_put(out, ":");
        cli_facts_put_word(out, value.data, value.length);
    }
    if (cli_span_member(&value, record, "path")) {
        cli_text path = {0};
        cli_text_put(out, " ");
        if (cli_span_text(&path, value))
            cli_facts_put_word(out, path.data, path.length);
        cli_text_free(&path);
    }
}

static void put_finding(cli_text *out, const cli_finding *f)
{
    cli_span record = {f->json.data, f->json.length};
    cli_text_put(out, "finding ");
    put_string(out, f->rule);
    cli_text_printf(out, " %s ", cli_severity_name(f->severity));
    put_string(out, f->cause);
    put_end(out, record, "producer");
    put_end(out, record, "consumer");
    put_storage(out, record);
    cli_text_put(out, " ");
    put_string(out, f->signature);
    put_place(out, record, f->line);
    cli_text_put(out, "\n");
}

static void put_digest(cli_text *out, const char *name, const char *data,
                       size_t length)
{
    char hex[65];
    if (cli_sha256(hex, data, length))
        put_line(out, name, hex);
    else
        out->failed = true;
}

/*
 * The fingerprint of spec 01, from the bytes of the Score: where these are
 * canonical, as our planner writes them, so is what is put together here.
 */
static void put_fingerprint(cli_text *out, cli_span score)
{
    static const char *const names[] = {"dependencies", "name",
                                        "shape_assumptions", "tasks"};
    cli_text text = {0};
    cli_span value;
    cli_text_put(&text, "{\"fingerprint_version\":1,\"identity\":{");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!cli_span_member(&value, score, names[i])) {
            cli_text_free(&text);
            return;
        }
        cli_text_printf(&text, "%s\"%s\":", i == 0 ? "" : ",", names[i]);
        cli_text_add(&text, value.data, value.length);
    }
    cli_text_put(&text, "}}");
    out->failed |= text.failed;
    if (!text.failed)
        put_digest(out, "fingerprint", text.data, text.length);
    cli_text_free(&text);
}

/* Which policy made a memory plan, as a word behind `name`. */
static void put_policy(cli_text *name, cli_span plan)
{
    cli_span value;
    cli_text policy = {0};
    cli_text_put(name, " ");
    if (cli_span_member(&value, plan, "policy") &&
        !cli_span_text(&policy, value))
        cli_text_clear(&policy);
    cli_facts_put_word(name, policy.data, policy.length);
    cli_text_free(&policy);
}

static void put_peak(cli_text *out, cli_span plan)
{
    cli_span peak;
    if (!cli_span_member(&peak, plan, "peak_memory"))
        return;
    cli_text_put(out, "peak");
    put_policy(out, plan);
    cli_text_put(out, " ");
    cli_facts_put_word(out, peak.data, peak.length);
    cli_text_put(out, "\n");
}

/* Adds a line whose key is not there yet: the first answer counts. */
static void put_new_lines(cli_text *out, const cli_text *lines)
{
    if (lines->length == 0)
        return;
    const char *at = lines->data, *end = at + lines->length;
    while (at < end) {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        cli_fact fact = cli_fact_of(at, (size_t)(next - at));
        const char *old = out->data;
        size_t length = out->length;
        const char *old_end = length > 0 ? old + length : old;
        bool known = false;
        while (old < old_end && !known) {
            const char *stop = memchr(old, '\n', (size_t)(old_end - old));
            cli_fact was = cli_fact_of(old, (size_t)(stop - old));
            known = cli_fact_starts(&was, fact.text, fact.key);
            old = stop + 1;
        }
        if (!known)
            cli_text_add(out, at, fact.length + 1);
        at = next + 1;
    }
}

/* The digest of a member, and what else is told of its role. */
static void put_member(cli_text *out, cli_span item)
{
    cli_span value, document;
    cli_text role = {0}, name = {0};
    if (cli_span_member(&value, item, "role") && cli_span_text(&role, value) &&
        (cli_span_member(&document, item, "document") ||
         cli_span_member(&document, item, "text"))) {
        cli_span word = {role.data, role.length};
        bool is_memory = role.length > 0 && cli_span_is(word, "memory");
        cli_text_put(&name, "digest ");
        cli_facts_put_word(&name, role.data, role.length);
        if (is_memory)
            put_policy(&name, document);
        out->failed |= name.failed;
        if (!name.failed)
            put_digest(out, name.data, document.data, document.length);
        if (role.length > 0 && cli_span_is(word, "score"))
            put_fingerprint(out, document);
        if (is_memory)
            put_peak(out, document);
    }
    cli_text_free(&role);
    cli_text_free(&name);
}

static void put_bundle(cli_text *out, const cli_text *bundle)
{
    cli_span whole = {bundle->data, bundle->length};
    cli_span list, key, item;
    cli_walk walk;
    if (whole.length == 0 || !cli_span_member(&list, whole, "members") ||
        !cli_walk_array(&walk, list))
        return;
    while (cli_walk_next(&walk, &key, &item))
        put_member(out, item);
}

/* What was judged comes first, and then what it does not have. */
static void put_members(cli_text *out, const cli_case *c)
{
    cli_text judged = {0};
    put_bundle(&judged, &c->bundle);
    for (size_t i = 0; i < CLI_MEMBER_PLANS; i++) {
        cli_text more = {0};
        put_bundle(&more, &c->members[i]);
        judged.failed |= more.failed;
        if (!judged.failed && more.length > 0)
            put_new_lines(&judged, &more);
        cli_text_free(&more);
    }
    out->failed |= judged.failed;
    if (!judged.failed && judged.length > 0)
        cli_text_add(out, judged.data, judged.length);
    cli_text_free(&judged);
}

static void put_edges(cli_text *out, cli_span edges)
{
    cli_walk walk;
    cli_span key, value;
    if (!cli_walk_object(&walk, edges))
        return;
    while (cli_walk_next(&walk, &key, &value)) {
        cli_text_put(out, "edges ");
        put_escaped(out, key.data, key.length, ' ');
        cli_text_put(out, " ");
        cli_facts_put_word(out, value.data, value.length);
        cli_text_put(out, "\n");
    }
}

static void put_counts(cli_text *out, const cli_case *c)
{
    static const char *const names[] = {"tasks", "args", "buffers"};
    cli_span counts = {c->counts.data, c->counts.length}, value;
    if (counts.length == 0)
        return;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cli_text_printf(out, "%s ", names[i]);
        put_number(out, counts, names[i]);
        cli_text_put(out, "\n");
    }
    if (cli_span_member(&value, counts, "edges"))
        put_edges(out, value);
}

static void put_undecided(cli_text *out, const cli_case *c)
{
    cli_walk walk;
    cli_span key, value;
    cli_span list = {c->undecided.data, c->undecided.length};
    if (list.length == 0 || !cli_walk_array(&walk, list))
        return;
    while (cli_walk_next(&walk, &key, &value)) {
        cli_text item = {0};
        cli_text_put(out, "undecided ");
        if (cli_span_text(&item, value))
            cli_text_json(out, item.data, item.length);
        cli_text_put(out, "\n");
        cli_text_free(&item);
    }
}

static void put_all(cli_text *out, const cli_case *c)
{
    cli_text_put(out, VERSION_LINE);
    put_line(out, "kind", cli_kind_name(c->kind));
    put_line(out, "input", c->sha256[0] == '\0' ? "-" : c->sha256);
    if (c->reason.length > 0) {
        cli_text_put(out, "reason ");
        cli_text_json(out, c->reason.data, c->reason.length);
        cli_text_put(out, "\n");
    }
    put_members(out, c);
    put_counts(out, c);
    put_line(out, "verdict", cli_verdict_name(c->verdict));
    put_undecided(out, c);
    if (c->total > (int64_t)c->count)
        cli_text_printf(out, "findings %lld\n", (long long)c->total);
    for (size_t i = 0; i < c->count; i++)
        put_finding(out, &c->findings[i]);
}

/* Lines in the order of their stages; within one they keep theirs. */
static void sort_lines(cli_text *out, const cli_text *lines)
{
    for (cli_stage stage = 0; stage < CLI_STAGES; stage++) {
        const char *at = lines->data, *end = at + lines->length;
        while (at < end) {
            const char *next = memchr(at, '\n', (size_t)(end - at));
            size_t length = (size_t)(next - at);
            if (cli_fact_of(at, length).stage == stage)
                cli_text_add(out, at, length + 1);
            at = next + 1;
        }
    }
}

void cli_facts_put(cli_text *out, const cli_case *c)
{
    cli_text lines = {0};
    put_all(&lines, c);
    if (lines.failed)
        out->failed = true;
    else
        sort_lines(out, &lines);
    cli_text_free(&lines);
}
