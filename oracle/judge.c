/*
 * The way of a judgement: read and derive; rules on edges and on single tasks;
 * then each legal execution (spec 08: all choices true, all false, and each
 * alone turned over) by itself: its order, its accesses, its hazards, merged
 * by pair of arguments; at last the records, sorted, told and written.
 *
 * The fixed order of findings: severity (errors first), position of the
 * consumer, of the producer, argument, rule, first byte. Verdict: `findings`
 * when there is an error or a warning that is no doubt; else `undecided` when
 * something is doubtful; else `clean`, notes or not.
 */
#include "judge_work.h"

#include "checker.h"
#include "csv.h"
#include "fault.h"
#include "witness.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDINGS 1000
#define LISTED_KINDS 64

#if !defined(__OPTIMIZE__) || defined(__SANITIZE_ADDRESS__)
#define CHECK_WITNESSES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECK_WITNESSES 1
#endif
#endif

oracle_record oracle_record_of(const char *rule, oracle_severity severity)
{
    return (oracle_record){
        .rule = rule,
        .severity = severity,
        .producer = {ORACLE_NONE, ORACLE_NONE, false},
        .consumer = {ORACLE_NONE, ORACLE_NONE, false},
    };
}

bool oracle_judging_add(oracle_judging *judging, oracle_record record)
{
    oracle_entry *grown = oracle_arena_push(judging->arena, judging->entries,
                                            judging->count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    judging->entries = grown;
    grown[judging->count] = (oracle_entry){record, ORACLE_NONE, ORACLE_NONE};
    grown[judging->count].record.order = judging->count;
    judging->count++;
    return true;
}

static bool add_line(oracle_judging *j, const char ***lines, uint32_t *count,
                     const char *text)
{
    const char **grown =
        oracle_arena_push(j->arena, *lines, *count, sizeof *grown);
    if (grown == NULL || text == NULL) {
        return false;
    }
    *lines = grown;
    grown[(*count)++] = text;
    return true;
}

bool oracle_judging_undecided(oracle_judging *judging, const char *text)
{
    return add_line(judging, &judging->judgement->undecided,
                    &judging->judgement->undecided_count, text);
}

/* --- The list of findings --- */

static int compare_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Findings without a task come first. */
static uint64_t position(const oracle_end *end)
{
    return end->task == ORACLE_NONE ? 0 : (uint64_t)end->task + 1;
}

static int compare_entry(const void *a, const void *b)
{
    const oracle_record *x = &((const oracle_entry *)a)->record;
    const oracle_record *y = &((const oracle_entry *)b)->record;
    int order = -compare_number(x->severity, y->severity);
    order = order != 0 ? order
                       : compare_number(position(&x->consumer),
                                        position(&y->consumer));
    order = order != 0 ? order
                       : compare_number(position(&x->producer),
                                        position(&y->producer));
    order =
        order != 0 ? order : compare_number(x->consumer.arg, y->consumer.arg);
    order =
        order != 0 ? order : compare_number(x->producer.arg, y->producer.arg);
    order = order != 0 ? order : strcmp(x->rule, y->rule);
    if (order == 0 && x->begin != y->begin) {
        order = x->begin < y->begin ? -1 : 1;
    }
    return order != 0 ? order : compare_number(x->order, y->order);
}

static bool is_doubt(const char *rule)
{
    return strcmp(rule, "hazard.unknown-access") == 0 ||
           strcmp(rule, "memory.unknown-size") == 0 ||
           strcmp(rule, "doc.unsupported") == 0 ||
           strcmp(rule, "doc.incomplete") == 0 ||
           strcmp(rule, "doc.unknown-field") == 0;
}

static void set_verdict(oracle_judging *j)
{
    oracle_judgement *judgement = j->judgement;
    bool found = false, doubt = judgement->undecided_count > 0;
    for (uint32_t i = 0; i < j->count; i++) {
        const oracle_record *record = &j->entries[i].record;
        if (is_doubt(record->rule)) {
            doubt = true;
        } else if (record->severity != ORACLE_NOTE) {
            found = true;
        }
    }
    judgement->verdict = found   ? ORACLE_FINDINGS
                         : doubt ? ORACLE_UNDECIDED
                                 : ORACLE_CLEAN;
}

#ifdef CHECK_WITNESSES
/* Rules of what other documents say, beyond the paths that are looked up. */
static bool is_unplaced(const char *rule)
{
    static const char *const groups[] = {"score.",  "handle.", "hbg.",
                                         "policy.", "doc.",    "adapter."};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (strncmp(rule, groups[i], strlen(groups[i])) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_proved(const oracle_judging *j, const oracle_finding *finding,
                      const oracle_record *record, char *reason, size_t size)
{
    if (record->witness == NULL && is_unplaced(record->rule)) {
        return true;
    }
    if (record->witness != NULL && strstr(record->witness, "\"found\":")) {
        return oracle_check_place(j->members->json, finding->json, reason,
                                  size);
    }
    /* Ids that repeat name no task. */
    return j->document->ambiguous ||
           oracle_witness_check(j->document, finding->json, reason, size);
}
#endif

static void check(const oracle_judging *j, const oracle_finding *finding,
                  const oracle_record *record)
{
#ifdef CHECK_WITNESSES
    char reason[160];
    if (!is_proved(j, finding, record, reason, sizeof reason) &&
        strcmp(reason, ORACLE_UNCHECKED) != 0) {
        fprintf(stderr, "witness not accepted: %s\n%s\n", reason,
                finding->json);
        abort();
    }
#else
    (void)j;
    (void)finding;
    (void)record;
#endif
}

/* How many entries of one rule and severity are listed so far. */
typedef struct kind_count {
    const char *rule;
    oracle_severity severity;
    uint32_t count;
} kind_count;

/* Whether one more of its kind is listed; kinds that find no room all are. */
static bool is_listed(kind_count kinds[LISTED_KINDS],
                      const oracle_record *record, uint32_t each)
{
    uint32_t i = 0;
    while (i < LISTED_KINDS && kinds[i].rule != NULL &&
           (kinds[i].severity != record->severity ||
            strcmp(kinds[i].rule, record->rule) != 0)) {
        i++;
    }
    if (i == LISTED_KINDS) {
        return true;
    }
    kinds[i].rule = record->rule;
    kinds[i].severity = record->severity;
    return kinds[i].count++ < each;
}

static bool is_wanted(const oracle_judge_options *options, const char *rule)
{
    return options == NULL || options->only == NULL ||
           strcmp(options->only, rule) == 0;
}

/* Moves the entries that are listed to the front; the others only count. */
static uint32_t pick_listed(oracle_judging *j,
                            const oracle_judge_options *options)
{
    uint32_t count = 0, limit = (uint32_t)j->hazards.limit;
    uint32_t each = options == NULL ? 0 : options->each;
    kind_count kinds[LISTED_KINDS] = {0};
    for (uint32_t i = 0; i < j->count; i++) {
        oracle_entry *entry = &j->entries[i];
        if (count < limit && is_wanted(options, entry->record.rule) &&
            (each == 0 || is_listed(kinds, &entry->record, each))) {
            j->entries[count++] = *entry;
        } else {
            j->judgement->unlisted[entry->record.severity]++;
        }
    }
    return count;
}

/* What was counted without being an entry, too. */
static void count_all(oracle_judging *j)
{
    oracle_judgement *judgement = j->judgement;
    judgement->total = j->count;
    for (uint32_t i = 0; i < ORACLE_MORE_KINDS; i++) {
        oracle_severity severity =
            i == ORACLE_HAZARD_DEAD_WRITE ? ORACLE_NOTE : ORACLE_ERROR;
        judgement->total += j->hazards.more[i];
        judgement->unlisted[severity] += j->hazards.more[i];
    }
}

static bool write_findings(oracle_judging *j,
                           const oracle_judge_options *options)
{
    oracle_judgement *judgement = j->judgement;
    if (j->count > 1) {
        qsort(j->entries, j->count, sizeof *j->entries, compare_entry);
    }
    if (!oracle_judge_sites(j)) {
        return false;
    }
    count_all(j);
    uint32_t listed = pick_listed(j, options);
    judgement->findings =
        oracle_arena_array(j->arena, listed, sizeof *judgement->findings);
    if (judgement->findings == NULL || !oracle_judge_tell_all(j, listed)) {
        return false;
    }
    for (uint32_t i = 0; i < listed; i++) {
        oracle_finding *finding = &judgement->findings[i];
        if (!oracle_judge_say_count(j, &j->entries[i].record) ||
            !oracle_finding_fill(finding, &j->entries[i].record, j->document,
                                 options == NULL ? NULL : options->case_digest,
                                 options == NULL ? NULL : options->generated,
                                 j->arena)) {
            return false;
        }
        check(j, finding, &j->entries[i].record);
    }
    judgement->count = listed;
    return true;
}

/* --- What a verdict rests on, and what it leaves open --- */

static bool all_exact(const oracle_document *d)
{
    for (uint32_t i = 0; i < d->access_count; i++) {
        if (!d->accesses[i].exact) {
            return false;
        }
    }
    return true;
}

bool oracle_judging_assume(oracle_judging *j, const char *text)
{
    return add_line(j, &j->judgement->assumptions,
                    &j->judgement->assumption_count, text);
}

/* What is taken for granted of the record of a run. */
static bool list_run(oracle_judging *j)
{
    const oracle_document *d = j->document;
    const oracle_run *record = d->run;
    const char *lines[] = {
        record == NULL || d->kind == ORACLE_KIND_TRACE ? NULL
        : d->kind == ORACLE_KIND_TASK_GRAPH
            ? "accesses are those of the plan beside the record"
            : "a task does to all of each recorded view what its type says, "
              "and a tensor that no creator edge names is the caller's",
        record != NULL && record->may_allocate
            ? "submissions that the record does not name only allocate"
            : NULL,
        record != NULL && record->times != NULL
            ? "the times are those of the trace beside the record, on one clock"
            : NULL,
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (lines[i] != NULL && !oracle_judging_assume(j, lines[i])) {
            return false;
        }
    }
    return true;
}

static bool list_assumptions(oracle_judging *j)
{
    static const char *const rules[] = {
        "rule set: none, the edges are those of the document",
        "rule set: conservative",
        "rule set: tensormap",
    };
    const oracle_run *record = j->document->run;
    const char *lines[] = {
        record == NULL ? rules[j->document->derived]
                       : "the edges are those that the run has recorded",
        "distinct parameters do not alias unless the document says so",
        "the order inside one task is trusted",
        all_exact(j->document) ? "footprints are taken as exact"
                               : "footprints that are not exact are taken as "
                                 "bounds from above",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (!oracle_judging_assume(j, lines[i])) {
            return false;
        }
    }
    if (j->memory != NULL && oracle_memory_overwrites(j->memory, j->document) &&
        !oracle_judging_assume(j, "a task that the memory plan lets write over "
                                  "what it reads has read all of it before")) {
        return false;
    }
    return list_run(j);
}

static bool list_storages(oracle_judging *j)
{
    const oracle_document *d = j->document;
    bool ran = j->hazards.large != NULL && j->hazards.unsure != NULL &&
               j->hazards.apart != NULL;
    for (uint32_t b = 0; ran && b < d->buffer_count; b++) {
        const char *format =
            j->hazards.large[b]
                ? "accesses to %s: their regions have too many pieces"
            : j->hazards.apart[b]
                ? "which of the pairs on %s are of one site: each is counted"
            : j->hazards.unsure[b] ? "whether all that is read of %s was "
                                     "written: several writes together"
                                   : NULL;
        if (format == NULL) {
            continue;
        }
        const char *text =
            oracle_arena_format(j->arena, format, d->buffers[b].key.data);
        if (text == NULL || !oracle_judging_undecided(j, text)) {
            return false;
        }
    }
    return true;
}

static bool say_dynamic(oracle_judging *j, const oracle_dynamic *dynamic,
                        oracle_table *said)
{
    bool judged = dynamic->tasks > 0;
    bool says = strstr(dynamic->reason.data, "not judged") != NULL;
    const char *end = judged ? ": the tasks of the document stand for all of it"
                      : says ? ""
                             : ": not judged";
    const char *text =
        oracle_arena_format(j->arena, "line %" PRId64 ": %s%s", dynamic->line,
                            dynamic->reason.data, end);
    oracle_slot *slot =
        text == NULL ? NULL : oracle_table_slot(said, text, strlen(text));
    if (slot == NULL || slot->data != NULL) {
        return slot != NULL;
    }
    *slot = (oracle_slot){text, (uint32_t)strlen(text), 0};
    return judged ? oracle_judging_assume(j, text)
                  : oracle_judging_undecided(j, text);
}

/*
 * Parts that the orchestration decides while it runs. With tasks they are
 * judged, by tasks that stand for all; without, they are planned around.
 */
static bool list_dynamics(oracle_judging *j)
{
    const oracle_document *d = j->document;
    oracle_table said = {0};
    bool ok = true;
    for (uint32_t i = 0; ok && i < d->dynamic_count; i++) {
        ok = say_dynamic(j, &d->dynamics[i], &said);
    }
    oracle_table_free(&said);
    return ok;
}

static bool list_undecided(oracle_judging *j)
{
    if (!list_dynamics(j) || !list_storages(j)) {
        return false;
    }
    return !j->hazards.exhausted ||
           oracle_judging_undecided(
               j, "further unordered pairs: there are too many to look at all");
}

/* How the questions of order were answered, where that is not as asked. */
static bool tell_asking(oracle_judging *j)
{
    const oracle_asking *asking = &j->asking;
    if (asking->disagree) {
        const oracle_task *tasks = j->document->tasks;
        j->judgement->fault = oracle_arena_format(
            j->arena,
            "the methods for order disagree whether task %" PRId64
            " happens before task %" PRId64 ": blocks say %s, chains say %s",
            tasks[asking->from].id, tasks[asking->to].id,
            asking->by_blocks ? "yes" : "no", asking->by_chains ? "yes" : "no");
        return j->judgement->fault != NULL;
    }
    return !asking->wide ||
           oracle_judging_undecided(
               j, asking->method == ORACLE_METHOD_BOTH
                      ? "whether both methods for order agree: there are too "
                        "many chains, blocks have answered alone"
                      : "whether chains agree: there are too many, blocks have "
                        "answered for them");
}

/* Where the edges are from, and whether they are there. */
static void look_at_edges(oracle_judging *j)
{
    const oracle_document *d = j->document;
    j->recorded = d->run != NULL;
    for (uint32_t e = 0; e < d->edge_count; e++) {
        j->recorded = j->recorded || d->edges[e].source == ORACLE_RECORDED;
        j->uncertain = j->uncertain || !d->edges[e].certain;
    }
}

static void begin(const oracle_judge_options *options, oracle_phase phase,
                  const oracle_document *document)
{
    if (options != NULL && options->begins != NULL) {
        options->begins(options->context, phase, document);
    }
}

/* What takes the order of tasks; a limit is none of it. */
static bool judge_order(oracle_judging *j, const oracle_judge_options *options)
{
    if (options != NULL && options->only != NULL &&
        strncmp(options->only, "limit.", strlen("limit.")) == 0) {
        return true;
    }
    return oracle_judge_executions(j) && oracle_judge_edges(j) &&
           oracle_judge_trace(j);
}

static oracle_status judge(oracle_judgement *judgement,
                           const oracle_document *document,
                           const oracle_members *members,
                           const oracle_document *score,
                           const oracle_judge_options *options)
{
    oracle_judging j = {
        .document = document,
        .judgement = judgement,
        .arena = judgement->arena,
        .members = members,
        .score = score,
    };
    j.hazards.limit =
        options == NULL || options->limit == 0 ? FINDINGS : options->limit;
    j.advised = options == NULL ? 0 : options->advised;
    begin(options, ORACLE_PHASE_JUDGE, document);
    j.asking.method = options == NULL ? ORACLE_METHOD_BLOCKS : options->method;
    look_at_edges(&j);
    bool ok = oracle_judge_graph(&j) && oracle_judge_tasks(&j) &&
              oracle_judge_blocks(&j) && oracle_judge_limits(&j) &&
              oracle_judge_directions(&j) && oracle_judge_host(&j) &&
              oracle_judge_members(&j) && oracle_judge_record(&j) &&
              judge_order(&j, options) && list_assumptions(&j) &&
              list_undecided(&j) && tell_asking(&j);
    if (ok) {
        set_verdict(&j);
        begin(options, ORACLE_PHASE_TELL, document);
        ok = write_findings(&j, options);
    }
    oracle_id_table_free(&j.hazards.by_pair);
    oracle_id_table_free(&j.hazards.known);
    oracle_id_table_free(&j.reuses.by_pair);
    return ok ? ORACLE_OK : ORACLE_NO_MEMORY;
}

/* --- Refusals --- */

static bool refuse(oracle_judgement *judgement, const oracle_error *error,
                   const oracle_judge_options *options)
{
    oracle_arena *arena = judgement->arena;
    oracle_record record = oracle_record_of(
        oracle_fault_rule(error->status),
        error->status == ORACLE_UNSUPPORTED ? ORACLE_WARNING : ORACLE_ERROR);
    record.message =
        oracle_arena_text(arena, error->message, strlen(error->message));
    record.path = error->path;
    record.line = (int64_t)error->line;
    record.column = error->column;
    record.witness =
        oracle_arena_format(arena, "{\"offset\":%" PRIu64 "}", error->offset);
    judgement->findings = oracle_arena_alloc(arena, sizeof(oracle_finding));
    judgement->verdict = ORACLE_REFUSED;
    judgement->count = 1;
    judgement->total = 1;
    return record.rule != NULL && record.message != NULL &&
           record.witness != NULL && judgement->findings != NULL &&
           oracle_finding_fill(judgement->findings, &record, NULL,
                               options == NULL ? NULL : options->case_digest,
                               options == NULL ? NULL : options->generated,
                               arena);
}

static oracle_status finish(oracle_judgement *judgement, oracle_status status)
{
    if (status != ORACLE_OK) {
        oracle_judgement_free(judgement);
    }
    return status;
}

oracle_status oracle_judge_derived(oracle_judgement *judgement,
                                   oracle_document *document,
                                   const oracle_members *members,
                                   const oracle_document *score,
                                   const oracle_judge_options *options)
{
    oracle_error error = {0};
    oracle_status status = ORACLE_OK;
    if (document->rules != ORACLE_RULES_NONE && !document->ambiguous) {
        begin(options, ORACLE_PHASE_DERIVE, document);
        status = oracle_document_derive(document, &error);
    }
    if (status == ORACLE_NO_MEMORY) {
        return status;
    }
    if (status != ORACLE_OK) {
        return refuse(judgement, &error, options) ? ORACLE_OK
                                                  : ORACLE_NO_MEMORY;
    }
    return judge(judgement, document, members, score, options);
}

oracle_status oracle_judge_document(oracle_judgement *judgement,
                                    oracle_document *document,
                                    const oracle_judge_options *options)
{
    *judgement = (oracle_judgement){.arena = oracle_arena_create()};
    if (judgement->arena == NULL) {
        return ORACLE_NO_MEMORY;
    }
    return finish(judgement, oracle_judge_derived(judgement, document, NULL,
                                                  NULL, options));
}

/*
 * Reads what is judged, and the Score beside a graph; where nothing else is,
 * the Score is what is judged.
 */
static oracle_status read_and_judge(oracle_judgement *judgement,
                                    oracle_json *json,
                                    const oracle_known *known,
                                    const oracle_judge_options *options,
                                    oracle_error *error)
{
    oracle_members members;
    oracle_document document = {0}, score = {0};
    oracle_read_options reading = {.lenient = options->lenient,
                                   .score = options->score,
                                   .rules = options->rules};
    oracle_status status =
        oracle_members_read(&members, &document, json, &reading, error);
    members.known = known;
    bool has_record = members.node[ORACLE_ROLE_RECORD] != ORACLE_NONE;
    bool has_graph = members.node[ORACLE_ROLE_GRAPH] != ORACLE_NONE;
    bool has_score = members.node[ORACLE_ROLE_SCORE] != ORACLE_NONE;
    if (status == ORACLE_OK && has_graph && has_score && !has_record) {
        status = oracle_members_read_score(&score, &members, options->lenient,
                                           error);
    }
    document.capacity = options->capacity;
    if (status == ORACLE_OK && has_record) {
        status = oracle_judge_run(judgement, &document, &members, options);
    } else if (status == ORACLE_OK) {
        if (has_graph && has_score &&
            !oracle_judge_identity(judgement, &document, &members)) {
            status = ORACLE_NO_MEMORY;
        }
    }
    if (status == ORACLE_OK && !has_record) {
        const oracle_document *part = has_graph ? &score : &document;
        status = oracle_judge_derived(judgement, &document, &members,
                                      has_score ? part : NULL, options);
    } else if (status != ORACLE_OK && status != ORACLE_NO_MEMORY) {
        status =
            refuse(judgement, error, options) ? ORACLE_OK : ORACLE_NO_MEMORY;
    }
    oracle_document_free(&score);
    oracle_document_free(&document);
    return status;
}

oracle_status oracle_judge_json(oracle_judgement *judgement, oracle_json *json,
                                const oracle_known *known,
                                const oracle_judge_options *options)
{
    oracle_error error = {0};
    begin(options, ORACLE_PHASE_READ, NULL);
    return finish(judgement,
                  read_and_judge(judgement, json, known, options, &error));
}

oracle_status oracle_judge_text(oracle_judgement *judgement, const char *text,
                                size_t length,
                                const oracle_judge_options *options)
{
    char digest[65];
    oracle_json json;
    oracle_error error = {0};
    oracle_judge_options own = {0};
    *judgement = (oracle_judgement){.arena = oracle_arena_create()};
    if (judgement->arena == NULL) {
        return ORACLE_NO_MEMORY;
    }
    if (options != NULL) {
        own = *options;
    }
    if (own.case_digest == NULL) {
        oracle_digest(digest, text, length);
        own.case_digest = digest;
    }
    begin(&own, ORACLE_PHASE_READ, NULL);
    if (own.csv || oracle_csv_detect(text, length)) {
        return finish(judgement,
                      oracle_csv_judge(judgement, text, length, &own));
    }
    oracle_status status = oracle_document_json(&json, text, length, &error);
    if (status == ORACLE_OK) {
        status = read_and_judge(judgement, &json, NULL, &own, &error);
        oracle_json_free(&json);
    } else if (status != ORACLE_NO_MEMORY) {
        status = refuse(judgement, &error, &own) ? ORACLE_OK : ORACLE_NO_MEMORY;
    }
    return finish(judgement, status);
}

void oracle_judgement_free(oracle_judgement *judgement)
{
    oracle_arena_free(judgement->arena);
    *judgement = (oracle_judgement){0};
}
