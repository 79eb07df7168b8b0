#include "planning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "planning_work.h"
#include "sonata/dump.h"
#include "sonata/ir.h"

#define BIT(member) (1U << (member))

const char *const plan_member_names[PLAN_MEMBERS] = {
    "graph",  "score",   "eligibility", "handle",   "hbg",
    "memory", "regions", "alias",       "liveness", "conflicts"};

bool plan_wants(const plan_work *w, plan_member member)
{
    return (w->asked & BIT(member)) != 0;
}

static sonata_status fail(plan_work *w, sonata_status status,
                          const char *format, const char *text)
{
    w->error->status = status;
    snprintf(w->error->message, sizeof w->error->message, format, text);
    return status;
}

sonata_status plan_add(plan_work *w, plan_member member, char *json,
                       size_t length)
{
    sonata_status status = sonata_bundle_add_written(
        &w->made, plan_member_names[member], json, length, w->error);
    free(json);
    return status;
}

void plan_note(plan_work *w, plan_member member, const char *code,
               sonata_text message, bool is_warning)
{
    cli_text_put(&w->notes, w->notes.length > 0 ? ",{\"code\":" : "{\"code\":");
    cli_text_quote(&w->notes, code);
    cli_text_printf(&w->notes, ",\"member\":\"%s\",\"message\":",
                    plan_member_names[member]);
    cli_text_json(&w->notes, message.text, message.length);
    cli_text_printf(&w->notes, ",\"severity\":\"%s\"}",
                    is_warning ? "warning" : "error");
}

static void note_reasons(plan_work *w, plan_member member,
                         const sonata_reasons *reasons)
{
    for (size_t i = 0; i < reasons->count; i++)
        if (!reasons->items[i].is_warning)
            plan_note(w, member, reasons->items[i].code,
                      reasons->items[i].message, false);
}

/* --- What is asked for --- */

static bool is_word(const char *word, const char *const *words)
{
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static sonata_status check_word(plan_work *w, const char *word,
                                const char *const *words, const char *format)
{
    if (word == NULL || is_word(word, words))
        return SONATA_OK;
    return fail(w, SONATA_UNSUPPORTED, format, word);
}

static sonata_status check_words(plan_work *w)
{
    static const char *const memories[] = {"greedy_v0", "greedy_dag", NULL};
    static const char *const profiles[] = {"sonata-0.9", "safe", NULL};
    static const char *const regions[] = {"whole_v0", "per_region", NULL};
    const cli_plan_request *r = w->request;
    sonata_status status =
        check_word(w, r->memory, memories, "unknown memory policy '%.60s'");
    if (status == SONATA_OK)
        status = check_word(w, r->profile, profiles, "unknown profile '%.60s'");
    if (status == SONATA_OK)
        status = check_word(w, r->regions, regions,
                            "unknown way to plan regions '%.60s'");
    return status;
}

static bool add_member(unsigned *set, const char *name, size_t length)
{
    for (unsigned m = 0; m < PLAN_MEMBERS; m++) {
        if (strlen(plan_member_names[m]) == length &&
            memcmp(plan_member_names[m], name, length) == 0) {
            *set |= BIT(m);
            return true;
        }
    }
    return false;
}

static sonata_status refuse_member(plan_work *w, const char *name,
                                   size_t length)
{
    char shown[64];
    snprintf(shown, sizeof shown, "%.*s", (int)(length < 60 ? length : 60),
             name);
    snprintf(w->error->path, sizeof w->error->path, "emit");
    return fail(w, SONATA_UNSUPPORTED,
                "a bundle has no member '%s' (emit takes bundle, graph, score, "
                "eligibility, handle, hbg, memory, regions, alias, liveness, "
                "conflicts)",
                shown);
}

/* A list "score,handle"; "bundle" stands for the default members. */
static sonata_status read_emit(plan_work *w, unsigned defaults)
{
    const char *at = w->request->emit;
    while (*at != '\0') {
        size_t length = strcspn(at, ",");
        if (length == 6 && memcmp(at, "bundle", 6) == 0)
            w->asked |= defaults;
        else if (!add_member(&w->expected, at, length))
            return refuse_member(w, at, length);
        at += length;
        at += *at == ',' ? 1 : 0;
    }
    w->asked |= w->expected;
    return SONATA_OK;
}

/* Without a list: what the input gives by itself, and what options name. */
static unsigned default_members(const plan_work *w)
{
    const cli_plan_request *r = w->request;
    bool is_score = strcmp(r->kind, "score") == 0;
    bool is_ir = strcmp(r->kind, "ir") == 0;
    unsigned members = BIT(PLAN_SCORE) | BIT(PLAN_ELIGIBILITY);
    if (!is_score)
        members |= BIT(PLAN_GRAPH);
    if (is_score || r->profile != NULL)
        members |= BIT(PLAN_HANDLE) | BIT(PLAN_MEMORY);
    if (is_score || (r->profile != NULL && !w->is_v09))
        members |= BIT(PLAN_HBG);
    if (r->memory != NULL || r->sizes.data != NULL)
        members |= BIT(PLAN_MEMORY);
    if (is_ir && (r->profile != NULL || r->regions != NULL))
        members |= BIT(PLAN_REGIONS);
    if (w->is_v09)
        members &= ~BIT(PLAN_HBG);
    return members;
}

static sonata_status read_request(plan_work *w)
{
    const cli_plan_request *r = w->request;
    sonata_status status = check_words(w);
    if (status != SONATA_OK)
        return status;
    bool is_safe = r->profile != NULL && strcmp(r->profile, "safe") == 0;
    w->is_v09 = r->profile != NULL && !is_safe;
    w->policy = r->policy;
    if (w->policy == NULL && strcmp(r->kind, "score") != 0)
        w->policy = r->profile != NULL ? "sequential_v0" : "dataflow_v0";
    w->memory = r->memory != NULL ? r->memory
                : w->is_v09       ? "greedy_v0"
                                  : "greedy_dag";
    w->per_region =
        r->regions != NULL ? strcmp(r->regions, "per_region") == 0 : is_safe;
    unsigned defaults = default_members(w);
    if (r->emit != NULL)
        return read_emit(w, defaults);
    w->asked = defaults;
    return SONATA_OK;
}

/* --- Dumps --- */

static bool is_plain(const cli_plan_request *r)
{
    return r->emit == NULL && r->profile == NULL && r->memory == NULL &&
           r->sizes.data == NULL && !r->encodings;
}

static void dump_begins(void *context, sonata_dump_phase phase)
{
    static const char *const names[] = {
        [SONATA_DUMP_READ] = "read",
        [SONATA_DUMP_EXPAND] = "expand",
        [SONATA_DUMP_WRITE] = "write",
        [SONATA_DUMP_SCORE] = "score",
    };
    cli_watch_begin(context, names[phase]);
}

static sonata_status make_dump_bundle(plan_work *w, char **json, size_t *length)
{
    const cli_plan_request *r = w->request;
    sonata_dump_options options = {
        .rules = r->rules,
        .policy = w->policy,
        .max_tasks = r->max_tasks < 0 ? 0 : (uint64_t)r->max_tasks,
        .begins = r->watch == NULL ? NULL : dump_begins,
        .context = r->watch,
    };
    return sonata_dump_plan(json, length, r->input.data, r->input.length,
                            &options, w->error);
}

/* The reasons of an eligibility result that stands in a bundle. */
static sonata_status note_eligibility(plan_work *w, const sonata_member *member)
{
    sonata_eligibility result = {0};
    sonata_status status = sonata_eligibility_read(
        &result, member->content.text, member->content.length, NULL, w->error);
    if (status == SONATA_OK)
        note_reasons(w, PLAN_SCORE, &result.reasons);
    sonata_eligibility_free(&result);
    return status;
}

/* The eligibility of a Score that the dump has: nothing against it. */
static sonata_status add_eligible(plan_work *w, sonata_score *score)
{
    sonata_eligibility result = {.eligible = true, .score = *score};
    char *json = NULL;
    size_t length = 0;
    if ((w->expected & BIT(PLAN_ELIGIBILITY)) == 0)
        return SONATA_OK;
    sonata_status status =
        sonata_eligibility_json(&json, &length, &result, false, w->error);
    return status == SONATA_OK ? plan_add(w, PLAN_ELIGIBILITY, json, length)
                               : status;
}

static sonata_status plan_dump_further(plan_work *w, sonata_score *score)
{
    const sonata_member *graph = sonata_bundle_find(&w->made, "graph");
    const sonata_member *text = sonata_bundle_find(&w->made, "score");
    const sonata_member *why = sonata_bundle_find(&w->made, "eligibility");
    sonata_status status = SONATA_OK;
    if (plan_wants(w, PLAN_REGIONS))
        plan_note(w, PLAN_REGIONS, "doc.unsupported",
                  SONATA_TEXT("a dump is not split into regions"), false);
    if (text == NULL && why != NULL &&
        (w->expected & ~BIT(PLAN_GRAPH) & ~BIT(PLAN_ELIGIBILITY)) != 0)
        return note_eligibility(w, why);
    if (text == NULL)
        return SONATA_OK;
    if (graph != NULL)
        status = plan_read_graph(w, graph->content.text, graph->content.length);
    if (status == SONATA_OK)
        status = sonata_score_read(score, text->content.text,
                                   text->content.length, NULL, w->error);
    if (status == SONATA_OK)
        status = add_eligible(w, score);
    w->score = status == SONATA_OK ? score : NULL;
    return status;
}

static sonata_status plan_dump(plan_work *w, sonata_score *score)
{
    char *json = NULL;
    size_t length = 0;
    if (w->request->entry.data != NULL || w->request->regions != NULL)
        return fail(w, SONATA_UNSUPPORTED, "%s",
                    "--entry and --regions are for programs in the JSON form "
                    "of the IR, this is a dump");
    sonata_status status = make_dump_bundle(w, &json, &length);
    if (status == SONATA_OK)
        status = sonata_bundle_read(&w->made, json, length, NULL, w->error);
    free(json);
    cli_watch_begin(w->request->watch, "members");
    return status == SONATA_OK ? plan_dump_further(w, score) : status;
}

/* --- Programs --- */

static sonata_status add_regions(plan_work *w, const sonata_program *program,
                                 const sonata_ir_options *options)
{
    sonata_region_plans plans = {0};
    sonata_regions regions = {0};
    char *json = NULL;
    size_t length = 0;
    sonata_status status;
    if (w->per_region) {
        status = sonata_ir_plan_regions(&plans, program, options, w->error);
        if (status == SONATA_OK)
            status = sonata_region_plans_json(&json, &length, &plans, false,
                                              w->error);
    } else {
        status = sonata_ir_regions(&regions, program, w->error);
        if (status == SONATA_OK)
            status =
                sonata_regions_json(&json, &length, &regions, false, w->error);
    }
    sonata_region_plans_free(&plans);
    sonata_regions_free(&regions);
    return status == SONATA_OK ? plan_add(w, PLAN_REGIONS, json, length)
                               : status;
}

static sonata_status add_score(plan_work *w, const sonata_score *score)
{
    char *json = NULL;
    size_t length = 0;
    sonata_status status =
        sonata_score_json(&json, &length, score, false, w->error);
    return status == SONATA_OK ? plan_add(w, PLAN_SCORE, json, length) : status;
}

/* The Score where there is one, else why not; both where both are named. */
static sonata_status add_eligibility(plan_work *w,
                                     const sonata_eligibility *result)
{
    sonata_status status = SONATA_OK;
    if (result->eligible)
        status = add_score(w, &result->score);
    if (status != SONATA_OK ||
        (result->eligible && (w->expected & BIT(PLAN_ELIGIBILITY)) == 0))
        return status;
    char *json = NULL;
    size_t length = 0;
    status = sonata_eligibility_json(&json, &length, result, false, w->error);
    return status == SONATA_OK ? plan_add(w, PLAN_ELIGIBILITY, json, length)
                               : status;
}

static bool is_v09_regions(const plan_work *w)
{
    return w->is_v09 || (w->request->regions != NULL && !w->per_region);
}

static sonata_status plan_program(plan_work *w, const sonata_program *program,
                                  sonata_eligibility *result)
{
    sonata_ir_options options = {
        .policy = w->policy,
        .entry = {w->request->entry.data, w->request->entry.length},
        .certified = w->request->certified,
    };
    sonata_status status =
        is_v09_regions(w)
            ? sonata_ir_region_eligibility(result, program, &options, w->error)
            : sonata_ir_plan(result, program, &options, w->error);
    if (status == SONATA_OK)
        status = add_eligibility(w, result);
    if (status == SONATA_OK && plan_wants(w, PLAN_REGIONS))
        status = add_regions(w, program, &options);
    if (status != SONATA_OK)
        return status;
    w->score = result->eligible ? &result->score : NULL;
    w->program = program;
    if (!result->eligible &&
        (w->expected & ~BIT(PLAN_ELIGIBILITY) & ~BIT(PLAN_REGIONS)) != 0)
        note_reasons(w, PLAN_SCORE, &result->reasons);
    return SONATA_OK;
}

/* --- Scores --- */

/* The policy stands in the metadata: it is no longer the one it was. */
static sonata_status set_policy(plan_work *w, sonata_score *score,
                                cli_text *metadata)
{
    cli_walk walk;
    cli_span key, value;
    sonata_doc *doc = NULL;
    char *json = NULL;
    size_t length = 0;
    cli_span old = {score->metadata.text, score->metadata.length};
    cli_text raw = {0};
    cli_text_put(&raw, "{\"dependency_policy\":");
    cli_text_quote(&raw, w->policy);
    if (old.data != NULL && cli_walk_object(&walk, old)) {
        while (cli_walk_next(&walk, &key, &value)) {
            if (cli_span_is(key, "dependency_policy") ||
                cli_span_is(key, "requested_dependency_policy") ||
                cli_span_is(key, "dependency_policy_fallback_reason"))
                continue;
            cli_text_put(&raw, ",\"");
            cli_text_add(&raw, key.data, key.length);
            cli_text_put(&raw, "\":");
            cli_text_add(&raw, value.data, value.length);
        }
    }
    cli_text_put(&raw, "}");
    sonata_status status = SONATA_NO_MEMORY;
    if (!raw.failed)
        status = sonata_doc_read(&doc, raw.data, raw.length, w->error);
    if (status == SONATA_OK)
        status = sonata_node_json(&json, &length, doc, sonata_doc_root(doc),
                                  false, w->error);
    cli_text_add(metadata, json, length);
    score->metadata = (sonata_text){metadata->data, metadata->length};
    sonata_doc_free(doc);
    free(json);
    cli_text_free(&raw);
    return metadata->failed ? SONATA_NO_MEMORY : status;
}

static void note_warnings(plan_work *w, const sonata_reasons *warnings)
{
    for (size_t i = 0; i < warnings->count; i++)
        plan_note(w, PLAN_SCORE, warnings->items[i].code,
                  warnings->items[i].message, true);
}

static sonata_status validate(plan_work *w, sonata_score *score)
{
    sonata_eligibility result = {0};
    sonata_status status =
        sonata_score_validate(&result.reasons, score, w->error);
    result.eligible = !sonata_reasons_reject(&result.reasons);
    if (status == SONATA_OK && result.eligible)
        result.score = *score; /* borrowed */
    if (status == SONATA_OK)
        status = add_eligibility(w, &result);
    if (status == SONATA_OK && !result.eligible)
        status = add_score(w, score);
    if (status == SONATA_OK && result.eligible)
        w->score = score;
    if (status == SONATA_OK && !result.eligible)
        note_reasons(w, PLAN_SCORE, &result.reasons);
    result.score = (sonata_score){0};
    sonata_eligibility_free(&result);
    return status;
}

static sonata_status plan_score(plan_work *w, sonata_score *score,
                                cli_text *metadata)
{
    const cli_plan_request *r = w->request;
    sonata_reasons warnings = {0};
    if (r->entry.data != NULL || r->regions != NULL || r->certified)
        return fail(w, SONATA_UNSUPPORTED, "%s",
                    "--entry, --regions and --certified are for programs, "
                    "this is a Score");
    cli_watch_begin(r->watch, "read");
    sonata_status status = sonata_score_read(
        score, r->input.data, r->input.length, &warnings, w->error);
    cli_watch_begin(r->watch, "score");
    if (status == SONATA_OK)
        note_warnings(w, &warnings);
    sonata_reasons_free(&warnings);
    if (status == SONATA_OK && w->policy != NULL) {
        status = sonata_score_plan(score, w->policy, w->error);
        if (status == SONATA_OK)
            status = set_policy(w, score, metadata);
    }
    if (status == SONATA_OK && (w->expected & BIT(PLAN_REGIONS)) != 0)
        plan_note(w, PLAN_REGIONS, "doc.unsupported",
                  SONATA_TEXT("a Score has no regions"), false);
    return status == SONATA_OK ? validate(w, score) : status;
}

/* --- The bundle --- */

/* The members that are wanted, in their order; borrowed. */
static size_t collect(sonata_member *chosen, const plan_work *w)
{
    size_t count = 0;
    for (unsigned m = 0; m < PLAN_MEMBERS; m++) {
        const sonata_member *found =
            sonata_bundle_find(&w->made, plan_member_names[m]);
        if (found != NULL && plan_wants(w, (plan_member)m))
            chosen[count++] = *found;
    }
    return count;
}

static sonata_status put_answer(cli_text *out, plan_work *w)
{
    char *json = NULL;
    size_t length = 0;
    sonata_member chosen[PLAN_MEMBERS];
    sonata_bundle bundle = {.members = chosen, .count = collect(chosen, w)};
    sonata_status status =
        sonata_bundle_json(&json, &length, &bundle, false, w->error);
    if (status == SONATA_OK) {
        cli_text_put(out, "\"bundle\":");
        cli_text_add(out, json, length);
        status = plan_put_codes(out, w);
    }
    if (status == SONATA_OK) {
        if (w->notes.length > 0) {
            cli_text_put(out, ",\"notes\":[");
            cli_text_add(out, w->notes.data, w->notes.length);
            cli_text_put(out, "]");
        }
    }
    free(json);
    if (out->failed || w->notes.failed)
        return SONATA_NO_MEMORY;
    return status;
}

/* The bundle of a dump as its planner gives it. */
static sonata_status put_plain(cli_text *out, plan_work *w)
{
    char *json = NULL;
    size_t length = 0;
    sonata_status status = make_dump_bundle(w, &json, &length);
    if (status == SONATA_OK) {
        cli_text_put(out, "\"bundle\":");
        cli_text_add(out, json, length);
    }
    free(json);
    return out->failed ? SONATA_NO_MEMORY : status;
}

static void free_work(plan_work *w)
{
    sonata_bundle_free(&w->made);
    cli_text_free(&w->notes);
    free(w->sizes);
    free(w->views);
    sonata_doc_free(w->sizes_doc);
    sonata_doc_free(w->graph_doc);
}

static sonata_status make(plan_work *w, sonata_program **program,
                          sonata_eligibility *result, sonata_score *score,
                          cli_text *metadata)
{
    const cli_plan_request *r = w->request;
    sonata_status status;
    if (strcmp(r->kind, "dump") == 0) {
        status = plan_dump(w, score);
    } else if (strcmp(r->kind, "ir") == 0) {
        cli_watch_begin(r->watch, "read");
        status =
            sonata_ir_read(program, r->input.data, r->input.length, w->error);
        cli_watch_begin(r->watch, "score");
        if (status == SONATA_OK)
            status = plan_program(w, *program, result);
    } else {
        status = plan_score(w, score, metadata);
    }
    cli_watch_begin(r->watch, "members");
    if (status == SONATA_OK)
        status = plan_read_sizes(w);
    if (status == SONATA_OK && w->score != NULL)
        status = plan_make_members(w);
    return status;
}

sonata_status cli_plan_make(cli_text *out, const cli_plan_request *request,
                            sonata_error *error)
{
    plan_work w = {.request = request, .error = error};
    sonata_program *program = NULL;
    sonata_eligibility result = {0};
    sonata_score score = {0};
    cli_text metadata = {0};
    static const char *const kinds[] = {"dump", "ir", "score", NULL};
    sonata_status status =
        check_word(&w, request->kind, kinds,
                   "this planner takes dumps, programs (ir) and Scores, no "
                   "'%.60s'");
    if (status == SONATA_OK)
        status = read_request(&w);
    if (status == SONATA_OK && strcmp(request->kind, "dump") == 0 &&
        request->entry.data == NULL && request->regions == NULL &&
        is_plain(request)) {
        status = put_plain(out, &w);
    } else if (status == SONATA_OK) {
        status = make(&w, &program, &result, &score, &metadata);
        cli_watch_begin(request->watch, "write");
        if (status == SONATA_OK)
            status = put_answer(out, &w);
    }
    free_work(&w);
    sonata_score_free(&score);
    sonata_eligibility_free(&result);
    sonata_program_free(program);
    cli_text_free(&metadata);
    return status;
}
