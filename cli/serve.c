#include "serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "case.h"
#include "companions.h"
#include "conform.h"
#include "counts.h"
#include "document.h"
#include "json.h"
#include "lines.h"
#include "oracle/judge.h"
#include "planning.h"
#include "process.h"
#include "replay/judged.h"
#include "sonata/bundle.h"

#define BAD_REQUEST CLI_SERVE_BAD_REQUEST
#define NO_MEMORY CLI_SERVE_NO_MEMORY

/* An option that is a word: one that is empty is another than none. */
typedef struct word {
    bool given;
    char text[160];
} word;

/* The members of a request. `text` holds the strings that had escapes. */
typedef struct request {
    int64_t id;
    char kind[16];
    char digest[65]; /* empty: none */
    cli_span document;
    cli_span companions;
    cli_text input;
    cli_mapping shared;
    word rules, policy, memory, profile, regions, emit, method, form;
    cli_text entry, problem, certificate;
    bool has_certificate, has_input;
    cli_span sizes;
    int64_t max_tasks, limit, lenient, counts, certified, prove, progress;
    int64_t replay, patience; /* ms for judging and replaying together */
    int64_t capacity, csv, score, same, encodings;
    cli_span second; /* of a comparison */
    cli_text second_input;
    cli_watch *watch; /* or NULL */
} request;

/* Copies a short string member; false: too long or no string. */
static bool take_short(char *out, size_t size, cli_span value)
{
    cli_text text = {0};
    bool ok = cli_span_text(&text, value) && text.length < size;
    if (ok && text.length > 0)
        memcpy(out, text.data, text.length);
    if (ok)
        out[text.length] = '\0';
    cli_text_free(&text);
    return ok;
}

static bool take_text_option(bool *taken, request *r, cli_span key,
                             cli_span value)
{
    const struct {
        const char *name;
        word *word;
    } options[] = {
        {"rules", &r->rules},     {"policy", &r->policy},
        {"memory", &r->memory},   {"profile", &r->profile},
        {"regions", &r->regions}, {"emit", &r->emit},
        {"method", &r->method},   {"form", &r->form},
    };
    *taken = true;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        word *w = options[i].word;
        if (!cli_span_is(key, options[i].name))
            continue;
        w->given = true;
        return take_short(w->text, sizeof w->text, value);
    }
    if (cli_span_is(key, "entry"))
        return cli_span_text(&r->entry, value);
    *taken = false;
    return true;
}

static bool take_option(request *r, cli_span key, cli_span value)
{
    const struct {
        const char *name;
        int64_t *number;
    } options[] = {
        {"max_tasks", &r->max_tasks}, {"limit", &r->limit},
        {"counts", &r->counts},       {"lenient", &r->lenient},
        {"certified", &r->certified}, {"prove", &r->prove},
        {"capacity", &r->capacity},   {"csv", &r->csv},
        {"same", &r->same},           {"progress", &r->progress},
        {"encodings", &r->encodings}, {"replay", &r->replay},
        {"patience", &r->patience},   {"score", &r->score},
    };
    bool taken;
    if (!take_text_option(&taken, r, key, value))
        return false;
    for (size_t i = 0; !taken && i < sizeof options / sizeof *options; i++)
        if (cli_span_is(key, options[i].name))
            return cli_span_int(options[i].number, value);
    if (cli_span_is(key, "sizes"))
        r->sizes = value;
    return true;
}

static bool take_options(request *r, cli_span options)
{
    cli_walk walk;
    cli_span key, value;
    if (!cli_walk_object(&walk, options))
        return false;
    while (cli_walk_next(&walk, &key, &value))
        if (!take_option(r, key, value))
            return false;
    return !walk.failed;
}

static bool take_shared(request *r, cli_span value)
{
    cli_span file, bytes;
    int64_t number, length;
    cli_mapping_close(&r->shared);
    if (!cli_span_member(&file, value, "file") ||
        !cli_span_int(&number, file) ||
        !cli_span_member(&bytes, value, "bytes") ||
        !cli_span_int(&length, bytes))
        return false;
    r->shared = cli_mapping_open(number, length);
    r->document = (cli_span){r->shared.data, r->shared.length};
    return r->shared.data != NULL;
}

static bool take_member(request *r, cli_span key, cli_span value)
{
    if (cli_span_is(key, "id"))
        return cli_span_int(&r->id, value);
    if (cli_span_is(key, "kind"))
        return take_short(r->kind, sizeof r->kind, value);
    if (cli_span_is(key, "case"))
        return take_short(r->digest, sizeof r->digest, value);
    if (cli_span_is(key, "input")) {
        r->has_input = true;
        return cli_span_text(&r->input, value);
    }
    if (cli_span_is(key, "shared"))
        return take_shared(r, value);
    if (cli_span_is(key, "certificate")) {
        r->has_certificate = true;
        return cli_span_text(&r->certificate, value);
    }
    if (cli_span_is(key, "problem"))
        return cli_span_text(&r->problem, value);
    if (cli_span_is(key, "second_input"))
        return cli_span_text(&r->second_input, value);
    if (cli_span_is(key, "second"))
        r->second = value;
    if (cli_span_is(key, "document"))
        r->document = value;
    if (cli_span_is(key, "companions"))
        r->companions = value;
    if (cli_span_is(key, "options"))
        return take_options(r, value);
    return true;
}

static bool read_request(request *r, cli_span line)
{
    cli_walk walk;
    cli_span key, value;
    r->id = -1;
    if (!cli_walk_object(&walk, line))
        return false;
    while (cli_walk_next(&walk, &key, &value))
        if (!take_member(r, key, value))
            return false;
    if (walk.failed || r->id < 0 || *r->kind == '\0')
        return false;
    if (r->document.data == NULL) {
        cli_text_put(&r->input, "");
        r->document = (cli_span){r->input.data, r->input.length};
    }
    return !r->input.failed;
}

static const char *or_null(const char *text)
{
    return *text == '\0' ? NULL : text;
}

static const char *word_of(const word *w)
{
    return w->given ? w->text : NULL;
}

/* --- The planner --- */

static const char *code_of(const sonata_error *error)
{
    static const char *const codes[] = {
        [SONATA_SYNTAX] = "doc.syntax",
        [SONATA_SCHEMA] = "doc.schema",
        [SONATA_RANGE] = "doc.range",
        [SONATA_UNSUPPORTED] = "doc.unsupported",
        [SONATA_REJECTED] = "doc.unsupported",
        [SONATA_IO] = "file",
    };
    if (*error->code != '\0')
        return error->code;
    size_t status = (size_t)error->status;
    if (status == 0 || status >= sizeof codes / sizeof *codes)
        return "doc.unsupported";
    return codes[status];
}

static void put_error(cli_text *out, const request *r,
                      const sonata_error *error)
{
    cli_text_put(out, "{\"error\":{\"code\":");
    cli_text_quote(out, code_of(error));
    cli_text_printf(out, ",\"column\":%llu,\"line\":%llu,\"message\":",
                    (unsigned long long)error->column,
                    (unsigned long long)error->line);
    cli_text_quote(out, error->message);
    cli_text_printf(
        out, ",\"offset\":%llu,\"path\":", (unsigned long long)error->offset);
    cli_text_quote(out, error->path);
    cli_text_printf(out, "},\"id\":%lld}\n", (long long)r->id);
}

static int answer_plan(cli_text *out, const request *r)
{
    cli_plan_request plan = {
        .kind = r->kind,
        .input = r->document,
        .rules = word_of(&r->rules),
        .policy = word_of(&r->policy),
        .memory = word_of(&r->memory),
        .profile = word_of(&r->profile),
        .regions = word_of(&r->regions),
        .entry = {r->entry.data, r->entry.length},
        .emit = word_of(&r->emit),
        .certified = r->certified != 0,
        .encodings = r->encodings != 0,
        .sizes = r->sizes,
        .max_tasks = r->max_tasks,
        .watch = r->watch,
    };
    sonata_error error = {0};
    size_t before = out->length;
    cli_text_put(out, "{");
    sonata_status status = cli_plan_make(out, &plan, &error);
    if (status == SONATA_OK) {
        cli_text_printf(out, ",\"id\":%lld}\n", (long long)r->id);
    } else if (status != SONATA_NO_MEMORY) {
        out->length = before;
        error.status = status;
        put_error(out, r, &error);
    }
    return status == SONATA_NO_MEMORY ? NO_MEMORY : 0;
}

/* --- Fingerprints, and cases of vectors --- */

static sonata_status read_score(sonata_score *score, sonata_reasons *warnings,
                                const request *r, sonata_error *error)
{
    sonata_bundle bundle = {0};
    cli_span text = r->document;
    cli_kind kind = cli_kind_detect(text.data, text.length);
    if (kind != CLI_SCORE && kind != CLI_BUNDLE && kind != CLI_JSON) {
        snprintf(
            error->message, sizeof error->message,
            "only a Score and a bundle have a fingerprint, this is of kind %s",
            cli_kind_name(kind));
        return SONATA_UNSUPPORTED;
    }
    if (kind != CLI_BUNDLE)
        return sonata_score_read(score, text.data, text.length, warnings,
                                 error);
    sonata_status status =
        sonata_bundle_read(&bundle, text.data, text.length, NULL, error);
    const sonata_member *member =
        status == SONATA_OK ? sonata_bundle_find(&bundle, "score") : NULL;
    if (member != NULL) {
        status = sonata_score_read(score, member->content.text,
                                   member->content.length, warnings, error);
    } else if (status == SONATA_OK) {
        status = SONATA_SCHEMA;
        snprintf(error->message, sizeof error->message,
                 "the bundle has no Score");
    }
    sonata_bundle_free(&bundle);
    return status;
}

static void put_fingerprints(cli_text *out, const request *r, const char *plain,
                             const char *full, const sonata_reasons *warnings)
{
    cli_text_printf(out,
                    "{\"fingerprint\":\"%s\",\"fingerprint_with_metadata\":"
                    "\"%s\",\"id\":%lld,\"warnings\":[",
                    plain, full, (long long)r->id);
    for (size_t i = 0; i < warnings->count; i++) {
        sonata_text message = warnings->items[i].message;
        cli_text_put(out, i > 0 ? "," : "");
        cli_text_json(out, message.text, message.length);
    }
    cli_text_put(out, "]}\n");
}

static int answer_fingerprint(cli_text *out, const request *r)
{
    char plain[SONATA_FINGERPRINT_SIZE], full[SONATA_FINGERPRINT_SIZE];
    sonata_score score = {0};
    sonata_reasons warnings = {0};
    sonata_error error = {0};
    sonata_status status = SONATA_IO;
    if (r->problem.length > 0)
        snprintf(error.message, sizeof error.message, "%s", r->problem.data);
    else
        status = read_score(&score, &warnings, r, &error);
    if (status == SONATA_OK)
        status = sonata_score_fingerprint(plain, &score, false, &error);
    if (status == SONATA_OK)
        status = sonata_score_fingerprint(full, &score, true, &error);
    if (status == SONATA_OK) {
        put_fingerprints(out, r, plain, full, &warnings);
    } else if (status != SONATA_NO_MEMORY) {
        error.status = status;
        put_error(out, r, &error);
    }
    sonata_reasons_free(&warnings);
    sonata_score_free(&score);
    return status == SONATA_NO_MEMORY ? NO_MEMORY : 0;
}

static int answer_document(cli_text *out, const request *r)
{
    char *json = NULL;
    size_t length = 0;
    sonata_error error = {0};
    sonata_status status =
        cli_document_write(&json, &length, r->form.text, r->document, &error);
    if (status == SONATA_OK) {
        cli_text_put(out, "{\"document\":");
        cli_text_add(out, json, length);
        cli_text_printf(out, ",\"id\":%lld}\n", (long long)r->id);
    } else if (status != SONATA_NO_MEMORY) {
        error.status = status;
        put_error(out, r, &error);
    }
    free(json);
    return status == SONATA_NO_MEMORY ? NO_MEMORY : 0;
}

static int answer_conform(cli_text *out, const request *r)
{
    cli_text_printf(out, "{\"id\":%lld,", (long long)r->id);
    bool ok = cli_conform_case(out, r->document.data, r->document.length);
    cli_text_put(out, "}\n");
    return ok ? 0 : NO_MEMORY;
}

static int answer_planner(cli_text *out, const request *r)
{
    if (strcmp(r->kind, "fingerprint") == 0)
        return answer_fingerprint(out, r);
    if (strcmp(r->kind, "conform") == 0)
        return answer_conform(out, r);
    if (strcmp(r->kind, "document") == 0)
        return answer_document(out, r);
    return answer_plan(out, r);
}

/* --- The judge --- */

static void put_strings(cli_text *out, const char *name,
                        const char *const *items, uint32_t count)
{
    cli_text_printf(out, "\"%s\":[", name);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0)
            cli_text_put(out, ",");
        cli_text_quote(out, items[i]);
    }
    cli_text_put(out, "],");
}

static const char *verdict_name(oracle_verdict verdict)
{
    switch (verdict) {
    case ORACLE_CLEAN:
        return cli_verdict_name(CLI_CLEAN);
    case ORACLE_FINDINGS:
        return cli_verdict_name(CLI_FINDINGS);
    case ORACLE_UNDECIDED:
        return cli_verdict_name(CLI_UNDECIDED);
    case ORACLE_REFUSED:
        break;
    }
    return cli_verdict_name(CLI_REFUSED);
}

/* By severity, where there are findings beyond the limit. */
static void put_unlisted(cli_text *out, const oracle_judgement *j)
{
    if (j->total > j->count)
        cli_text_printf(out,
                        "\"unlisted\":{\"error\":%llu,\"note\":%llu,"
                        "\"warning\":%llu},",
                        (unsigned long long)j->unlisted[ORACLE_ERROR],
                        (unsigned long long)j->unlisted[ORACLE_NOTE],
                        (unsigned long long)j->unlisted[ORACLE_WARNING]);
}

/* What the runs say, behind `count` findings. */
static void put_replayed(cli_text *out, const cli_replayed *x, uint32_t count)
{
    for (size_t at = 0; at < x->records.length;) {
        size_t length = strcspn(x->records.data + at, "\n");
        cli_text_put(out, count++ > 0 ? "," : "");
        cli_text_add(out, x->records.data + at, length);
        at += length + 1;
    }
    cli_text_put(out, "],");
    if (x->runs + x->left_out == 0)
        return;
    cli_text_put(out, "\"replayed\":{");
    if (x->late != NULL)
        cli_text_printf(out, "\"late\":\"%s\",", x->late);
    cli_text_printf(out,
                    "\"left_out\":%llu,\"runs\":%llu,\"shown\":%llu,"
                    "\"witnesses\":%llu},",
                    (unsigned long long)x->left_out,
                    (unsigned long long)x->runs, (unsigned long long)x->shown,
                    (unsigned long long)x->witnesses);
}

static void put_judgement(cli_text *out, const request *r,
                          const oracle_judgement *j, const cli_text *counts,
                          const cli_replayed *replayed)
{
    put_strings(out, "assumptions", (const char *const *)j->assumptions,
                j->assumption_count);
    if (counts->length > 0) {
        cli_text_put(out, "\"counts\":");
        cli_text_add(out, counts->data, counts->length);
        cli_text_put(out, ",");
    }
    cli_text_put(out, "\"findings\":[");
    for (uint32_t i = 0; i < j->count; i++) {
        if (i > 0)
            cli_text_put(out, ",");
        cli_text_put(out, j->findings[i].json);
    }
    put_replayed(out, replayed, j->count);
    if (j->meaning[0] != '\0')
        cli_text_printf(out, "\"fingerprint\":\"%s\",\"meaning\":\"%s\",",
                        j->fingerprint, j->meaning);
    cli_text_printf(out, "\"id\":%lld,\"total\":%llu,", (long long)r->id,
                    (unsigned long long)j->total + replayed->count);
    put_unlisted(out, j);
    if (j->fault != NULL) {
        cli_text_put(out, "\"fault\":");
        cli_text_quote(out, j->fault);
        cli_text_put(out, ",");
    }
    put_strings(out, "undecided", (const char *const *)j->undecided,
                j->undecided_count);
    cli_text_printf(
        out, "\"verdict\":\"%s\"}\n",
        verdict_name(replayed->count > 0 ? ORACLE_FINDINGS : j->verdict));
}

/* The certificate of what has one, or why there is none. */
static oracle_status put_proof(cli_text *out, const request *r,
                               const oracle_judgement *j,
                               const oracle_judge_options *options)
{
    char *certificate = NULL;
    char reason[256] = "it is not clean";
    oracle_status status = ORACLE_OK;
    if (oracle_may_certify(j))
        status =
            oracle_certify(&certificate, r->document.data, r->document.length,
                           options, reason, sizeof reason);
    if (status == ORACLE_OK && certificate != NULL) {
        cli_text_put(out, "\"certificate\":");
        cli_text_put(out, certificate);
        cli_text_put(out, ",");
    } else if (status == ORACLE_OK) {
        cli_text_put(out, "\"unproved\":");
        cli_text_quote(out, reason);
        cli_text_put(out, ",");
    }
    free(certificate);
    return status;
}

/* Whether a certificate holds, as a judgement without findings. */
static int answer_certificate(cli_text *out, const request *r,
                              const oracle_judge_options *options)
{
    bool holds = false;
    char reason[256] = "";
    oracle_status status = oracle_certificate_check(
        &holds, r->document.data, r->document.length, r->certificate.data,
        r->certificate.length, options, reason, sizeof reason);
    if (status != ORACLE_OK)
        return NO_MEMORY;
    cli_text_printf(out, "{\"findings\":[],\"id\":%lld,", (long long)r->id);
    if (!holds) {
        cli_text_put(out, "\"unproved\":");
        cli_text_quote(out, reason);
        cli_text_put(out, ",");
    }
    cli_text_printf(out, "\"undecided\":[],\"verdict\":\"%s\"}\n",
                    holds ? "clean" : "findings");
    return 0;
}

static oracle_method method_of(const char *name)
{
    return strcmp(name, "both") == 0     ? ORACLE_METHOD_BOTH
           : strcmp(name, "chains") == 0 ? ORACLE_METHOD_CHAINS
                                         : ORACLE_METHOD_BLOCKS;
}

/*
 * The judgement with the sizes of the derived document. What cannot be read
 * has none.
 */
static oracle_status judge_counted(oracle_judgement *judgement,
                                   cli_text *counts, const request *r,
                                   const oracle_judge_options *options)
{
    oracle_document document = {0};
    oracle_error error = {0};
    oracle_read_options reading = {
        .lenient = options->lenient,
        .score = options->score,
        .rules = options->rules,
    };
    oracle_status status = oracle_document_read(
        &document, r->document.data, r->document.length, &reading, &error);
    if (status == ORACLE_NO_MEMORY)
        return status;
    if (status != ORACLE_OK)
        return oracle_judge_text(judgement, r->document.data,
                                 r->document.length, options);
    status = oracle_judge_document(judgement, &document, options);
    if (status == ORACLE_OK && judgement->verdict != ORACLE_REFUSED)
        cli_counts_put(counts, &document);
    oracle_document_free(&document);
    return status;
}

/* Deps are edges too. */
static void tell_size(cli_watch *watch, const oracle_document *document)
{
    int64_t edges = document->edge_count;
    for (uint32_t i = 0; i < document->dep_count; i++)
        edges += document->deps[i].cause == ORACLE_DEP_TASK;
    cli_watch_size(watch, document->task_count, edges);
}

static void judge_begins(void *context, oracle_phase phase,
                         const oracle_document *document)
{
    static const char *const names[] = {
        [ORACLE_PHASE_READ] = "read",
        [ORACLE_PHASE_DERIVE] = "derive",
        [ORACLE_PHASE_JUDGE] = "judge",
        [ORACLE_PHASE_TELL] = "tell",
    };
    if (phase == ORACLE_PHASE_JUDGE)
        tell_size(context, document);
    cli_watch_begin(context, names[phase]);
}

/* Behind a judgement that took `used` milliseconds, which counts whatever
 * becomes of the replay. */
static void replay(cli_replayed *replayed, const request *r,
                   const oracle_judgement *judgement,
                   const oracle_judge_options *options, int64_t used)
{
    cli_deadline deadline = {0};
    cli_span text = {r->document.data, r->document.length};
    oracle_read_options reading = {.lenient = options->lenient,
                                   .score = options->score,
                                   .rules = options->rules};
    cli_replaying how = cli_replay_quick(
        r->replay, options->case_digest == NULL ? "" : options->case_digest,
        false);
    if (r->patience > 0)
        cli_deadline_begin(&deadline,
                           used < r->patience ? r->patience - used : 1);
    how.stop = deadline.stop.over == NULL ? NULL : &deadline.stop;
    if (r->csv == 0)
        cli_replay_text(replayed, text, &reading, options->capacity, judgement,
                        &how);
    if (replayed->failed) {
        cli_replayed_free(replayed);
        cli_replayed_leave_out(replayed, "not replayed: out of memory");
        replayed->late = "the memory did not suffice for the replay";
    }
}

static int answer_judge(cli_text *out, const request *r)
{
    oracle_judge_options options = {
        .case_digest = or_null(r->digest),
        .rules = word_of(&r->rules),
        .lenient = r->lenient != 0,
        .csv = r->csv != 0,
        .score = r->score != 0,
        .capacity = r->capacity < 0 ? 0 : r->capacity,
        .limit = r->limit < 0 || r->limit > UINT32_MAX ? 0 : (uint32_t)r->limit,
        .method = method_of(r->method.text),
        .begins = r->watch == NULL ? NULL : judge_begins,
        .context = r->watch,
    };
    oracle_judgement judgement = {0};
    cli_replayed replayed = {0};
    cli_text counts = {0};
    int64_t began = cli_now();
    if (r->has_certificate)
        return answer_certificate(out, r, &options);
    oracle_status status =
        r->counts != 0 && *r->digest != '\0'
            ? judge_counted(&judgement, &counts, r, &options)
            : oracle_judge_text(&judgement, r->document.data,
                                r->document.length, &options);
    if (status == ORACLE_OK) {
        cli_text_put(out, "{");
        if (r->prove != 0)
            status = put_proof(out, r, &judgement, &options);
        if (r->replay > 0)
            replay(&replayed, r, &judgement, &options, cli_now() - began);
        put_judgement(out, r, &judgement, &counts, &replayed);
        oracle_judgement_free(&judgement);
    }
    bool ok = status == ORACLE_OK && !counts.failed && !replayed.failed;
    cli_replayed_free(&replayed);
    cli_text_free(&counts);
    return ok ? 0 : NO_MEMORY;
}

/* --- Two documents --- */

static oracle_bytes second_of(const request *r)
{
    const cli_text *input = &r->second_input;
    if (r->second.data != NULL)
        return (oracle_bytes){r->second.data, r->second.length};
    return (oracle_bytes){input->length > 0 ? input->data : "", input->length};
}

/* What differs first between two meanings: score.identity. */
static int answer_meaning(cli_text *out, const request *r)
{
    char *sentence;
    oracle_bytes first = {r->document.data, r->document.length};
    if (oracle_meaning_difference(&sentence, first, second_of(r)) != ORACLE_OK)
        return NO_MEMORY;
    cli_text_put(out, "{\"difference\":");
    cli_text_quote(out, sentence == NULL ? "" : sentence);
    cli_text_printf(out, ",\"id\":%lld}\n", (long long)r->id);
    free(sentence);
    return 0;
}

/* Answers as to `judge`, of the comparison: diff.plan. */
static int answer_compare(cli_text *out, const request *r)
{
    oracle_judge_options options = {
        .case_digest = *r->digest == '\0' ? "" : r->digest,
        .rules = word_of(&r->rules),
    };
    oracle_bytes first = {r->document.data, r->document.length};
    oracle_judgement judgement = {0};
    if (oracle_compare_text(&judgement, first, second_of(r), r->same != 0,
                            &options) != ORACLE_OK)
        return NO_MEMORY;
    cli_text_put(out, "{");
    put_judgement(out, r, &judgement, &(cli_text){0}, &(cli_replayed){0});
    oracle_judgement_free(&judgement);
    return 0;
}

/* --- The comparison with what lies beside a dump --- */

static int answer_frontend(cli_text *out, const request *r)
{
    cli_frontend_input input = {
        .graph = r->document.data,
        .graph_length = r->document.length,
        .case_digest = or_null(r->digest),
    };
    return cli_companions_compare(out, r->id, &input, r->companions);
}

/* --- The loop --- */

int cli_serve_line(cli_text *answer, FILE *tell, const char *line,
                   size_t length, bool judge, bool phases)
{
    cli_watch watch = {0};
    request r = {0};
    int status = BAD_REQUEST;
    bool readable = read_request(&r, (cli_span){line, length});
    if (r.progress != 0)
        watch.tell = tell;
    if (phases || watch.tell != NULL)
        r.watch = &watch;
    if (!readable)
        status = r.input.failed ? NO_MEMORY : BAD_REQUEST;
    else if (!judge)
        status = r.has_input || r.problem.length > 0
                     ? answer_planner(answer, &r)
                     : BAD_REQUEST;
    else if (strcmp(r.kind, "judge") == 0)
        status = answer_judge(answer, &r);
    else if (strcmp(r.kind, "compare") == 0)
        status = answer_compare(answer, &r);
    else if (strcmp(r.kind, "meaning") == 0)
        status = answer_meaning(answer, &r);
    else if (strcmp(r.kind, "frontend") == 0)
        status = answer_frontend(answer, &r);
    if (phases && status == 0)
        cli_watch_put(answer, &watch);
    cli_text_free(&r.input);
    cli_mapping_close(&r.shared);
    cli_text_free(&r.second_input);
    cli_text_free(&r.entry);
    cli_text_free(&r.problem);
    cli_text_free(&r.certificate);
    return answer->failed ? NO_MEMORY : status;
}

/* An answer goes out whole: it is mostly longer than the buffer of `out`. */
static bool send(FILE *out, const cli_text *answer)
{
    if (fflush(out) != 0)
        return false;
    for (size_t sent = 0; sent < answer->length;) {
        ssize_t n =
            write(fileno(out), answer->data + sent, answer->length - sent);
        if (n < 0 && errno != EINTR)
            return false;
        sent += n < 0 ? 0 : (size_t)n;
    }
    return true;
}

int cli_serve(int in, FILE *out, bool judge, bool phases)
{
    cli_lines lines = {.file = in};
    cli_span line;
    cli_text answer = {0};
    unsigned long long number = 0;
    int status = 0;
    while (status == 0 && cli_lines_next(&line, &lines)) {
        cli_text_clear(&answer);
        number++;
        status =
            cli_serve_line(&answer, out, line.data, line.length, judge, phases);
        if (status == 0 && !send(out, &answer))
            status = NO_MEMORY;
    }
    if (lines.text.failed)
        status = NO_MEMORY;
    if (status == BAD_REQUEST)
        fprintf(stderr,
                "counterpoint serve: line %llu is no request, which is an "
                "object with id, kind and %s (docs/formats.md)\n",
                number, judge ? "a document" : "input");
    cli_text_free(&lines.text);
    cli_text_free(&answer);
    return status;
}
