#include "request.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "input.h"
#include "recorded.h"

/* What is read of files beside a dump; a longer one is not compared. */
#define COMPANION_LIMIT ((size_t)256 << 20)

/* Members that list pairs are not made of longer inputs: they grow with the
 * square of the tasks. */
#define PAIRS_LIMIT ((size_t)64 << 10)
#define MEMBERS "graph,score,eligibility,handle,hbg,memory,regions,liveness"
#define PAIRS ",alias,conflicts"

/* --- Requests --- */

static void put_option(cli_text *line, const char *name, const char *value,
                       bool *first)
{
    if (value == NULL)
        return;
    cli_text_printf(line, "%s\"%s\":", *first ? "" : ",", name);
    cli_text_quote(line, value);
    *first = false;
}

static void put_number(cli_text *line, const char *name, int64_t value,
                       bool *first)
{
    if (value == 0)
        return;
    cli_text_printf(line, "%s\"%s\":%lld", *first ? "" : ",", name,
                    (long long)value);
    *first = false;
}

/* A JSON value as it came. */
static void put_value(cli_text *line, const char *name, cli_span value,
                      bool *first)
{
    if (value.data == NULL)
        return;
    cli_text_printf(line, "%s\"%s\":", *first ? "" : ",", name);
    cli_text_add(line, value.data, value.length);
    *first = false;
}

void cli_request_plan(cli_text *line, int64_t id, const cli_case *c,
                      const cli_batch_options *options)
{
    bool first = true;
    bool is_record = c->kind == CLI_RECORD || c->kind == CLI_TRACE;
    const cli_text *text = is_record ? &c->plan : &c->text;
    cli_text_printf(line, "{\"id\":%lld,\"input\":", (long long)id);
    cli_text_json(line, text->data, text->length);
    cli_text_printf(line, ",\"kind\":\"%s\",\"options\":{",
                    cli_kind_name(is_record ? c->plan_kind : c->kind));
    put_number(line, "certified", options->certified, &first);
    put_option(line, "emit", options->emit, &first);
    put_option(line, "entry", options->entry, &first);
    put_number(line, "max_tasks", options->max_tasks, &first);
    put_option(line, "memory", options->layout, &first);
    put_option(line, "policy", options->policy, &first);
    put_option(line, "profile", options->profile, &first);
    put_number(line, "progress", options->progress && options->planner == NULL,
               &first);
    put_option(line, "regions", options->regions, &first);
    put_option(line, "rules", options->rules, &first);
    put_value(line, "sizes", options->sizes, &first);
    cli_text_put(line, "}}\n");
}

void cli_request_members(cli_text *line, int64_t id, const cli_case *c,
                         const cli_batch_options *options)
{
    static const char *const layouts[CLI_MEMBER_PLANS] = {"greedy_v0",
                                                          "greedy_dag"};
    cli_batch_options all = *options;
    all.layout = layouts[c->members_done];
    all.emit = "memory";
    if (c->members_done == 0)
        all.emit = c->text.length <= PAIRS_LIMIT ? MEMBERS PAIRS : MEMBERS;
    cli_request_plan(line, id, c, &all);
}

static void put_head(cli_text *line, int64_t id, const cli_case *c,
                     const char *kind)
{
    cli_text_printf(line, "{\"case\":\"%s\",\"id\":%lld,\"kind\":\"%s\"",
                    c->sha256, (long long)id, kind);
}

/*
 * A bundle goes as it came; the text of a file as a string, byte by byte, or
 * by where a process of ours finds it.
 */
static void put_document(cli_text *line, const cli_case *c)
{
    if (c->bundle.length > 0) {
        cli_text_put(line, ",\"document\":");
        cli_text_add(line, c->bundle.data, c->bundle.length);
    } else if (c->text.shared > 0) {
        cli_text_printf(line, ",\"shared\":{\"bytes\":%zu,\"file\":%d}",
                        c->text.length, c->text.shared);
    } else {
        cli_text_put(line, ",\"input\":");
        cli_text_json(line, c->text.data, c->text.length);
    }
}

void cli_request_judge(cli_text *line, int64_t id, const cli_case *c,
                       const cli_batch_options *options)
{
    bool first = true, replays = options->replay > 0 && c->late.length == 0;
    put_head(line, id, c, "judge");
    cli_text_put(line, ",\"options\":{");
    put_number(line, "capacity", options->capacity, &first);
    put_number(line, "counts", options->counts, &first);
    put_number(line, "csv", c->kind == CLI_MEMORY_CSV, &first);
    put_number(line, "lenient", options->lenient, &first);
    put_number(line, "limit", options->limit, &first);
    put_option(line, "method", options->method, &first);
    put_number(line, "patience", replays ? options->timeout_ms / 4 * 3 : 0,
               &first);
    put_number(line, "progress", options->progress, &first);
    put_number(line, "prove", options->prove, &first);
    put_number(line, "replay", replays ? options->replay : 0, &first);
    put_option(line, "rules", options->rules, &first);
    put_number(line, "score", options->force_kind && c->kind == CLI_SCORE,
               &first);
    cli_text_put(line, "}");
    if (options->certificate.data != NULL) {
        cli_text_put(line, ",\"certificate\":");
        cli_text_json(line, options->certificate.data,
                      options->certificate.length);
    }
    put_document(line, c);
    cli_text_put(line, "}\n");
}

/* --- Files beside a dump --- */

static char *parent_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (slash == NULL)
        return strdup(".");
    return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

/* The folder of a dump, or (`up`) the one above it. */
static char *folder_of(const char *path, bool up)
{
    char *folder = parent_of(path);
    if (folder == NULL || !up)
        return folder;
    char *above = cli_path_join(folder, "..");
    free(folder);
    return above;
}

static bool is_there(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0;
}

/* Adds {"name", "problem"}: it is there, but cannot be read. */
static void put_problem(cli_text *line, const char *name, const char *problem,
                        bool *first)
{
    cli_text_put(line, *first ? "{\"name\":" : ",{\"name\":");
    cli_text_quote(line, name);
    cli_text_put(line, ",\"problem\":");
    cli_text_quote(line, problem);
    cli_text_put(line, "}");
    *first = false;
}

static bool read_companion(cli_text *text, const char *path, char *problem,
                           size_t size)
{
    if (!cli_input_read(text, path, COMPANION_LIMIT, false, problem, size))
        return false;
    size_t bad = cli_utf8_check(text->data, text->length);
    if (bad == text->length)
        return true;
    uint64_t row, column;
    cli_position(&row, &column, text->data, bad);
    snprintf(problem, size, "has a byte 0x%02x, not UTF-8 text, in line %llu",
             (unsigned char)text->data[bad], (unsigned long long)row);
    return false;
}

/* Adds {"name", "text"}, or its problem, when the file is there. */
static void put_companion(cli_text *line, const char *path, const char *name,
                          bool *first)
{
    char problem[160];
    cli_text text = {0};
    if (!is_there(path))
        return;
    if (read_companion(&text, path, problem, sizeof problem)) {
        cli_text_put(line, *first ? "{\"name\":" : ",{\"name\":");
        cli_text_quote(line, name);
        cli_text_put(line, ",\"text\":");
        cli_text_json(line, text.data, text.length);
        cli_text_put(line, "}");
        *first = false;
    } else {
        put_problem(line, name, problem, first);
    }
    cli_text_free(&text);
}

static void put_named(cli_text *line, const char *folder, const char *name,
                      bool *first)
{
    char *path = cli_path_join(folder, name);
    if (path == NULL)
        line->failed = true;
    else
        put_companion(line, path, name, first);
    free(path);
}

static int is_cpp(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return length > 4 && strcmp(entry->d_name + length - 4, ".cpp") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void put_code(cli_text *line, const char *folder, bool *first)
{
    struct dirent **names = NULL;
    int count = scandir(folder, &names, is_cpp, by_bytes);
    if (count < 0 && errno == ENOMEM)
        line->failed = true;
    else if (count < 0 && is_there(folder)) {
        char problem[160];
        snprintf(problem, sizeof problem, "cannot be opened: %s",
                 strerror(errno));
        put_problem(line, "orchestration", problem, first);
    }
    for (int i = 0; i < count; i++) {
        put_named(line, folder, names[i]->d_name, first);
        free(names[i]);
    }
    free(names);
}

static void put_orchestration(cli_text *line, const char *folder, bool *first)
{
    char *code = cli_path_join(folder, "orchestration");
    if (code == NULL)
        line->failed = true;
    else
        put_code(line, code, first);
    free(code);
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* A distributed program has a folder for each function that ranks run. */
static void put_levels(cli_text *line, const char *folder, bool *first)
{
    struct dirent **names = NULL;
    char *levels = cli_path_join(folder, "next_levels");
    int count =
        levels == NULL ? -1 : scandir(levels, &names, is_visible, by_bytes);
    if (levels == NULL || (count < 0 && errno == ENOMEM))
        line->failed = true;
    for (int i = 0; i < count; i++) {
        char *level = cli_path_join(levels, names[i]->d_name);
        if (level == NULL)
            line->failed = true;
        else
            put_orchestration(line, level, first);
        free(level);
        free(names[i]);
    }
    free(names);
    free(levels);
}

static void put_folder(cli_text *line, const char *folder)
{
    bool first = true;
    put_named(line, folder, "exporter.json", &first);
    put_orchestration(line, folder, &first);
    put_levels(line, folder, &first);
}

static bool has_companions(const char *folder)
{
    char *exporter = cli_path_join(folder, "exporter.json");
    char *code = cli_path_join(folder, "orchestration");
    bool has = (exporter != NULL && is_there(exporter)) ||
               (code != NULL && is_there(code));
    free(exporter);
    free(code);
    return has;
}

/* The nearest folder with files to compare with, or NULL. */
static char *companion_folder(const char *path)
{
    for (int up = 0; up < 2; up++) {
        char *folder = folder_of(path, up);
        if (folder == NULL || has_companions(folder))
            return folder;
        free(folder);
    }
    return NULL;
}

void cli_request_frontend(cli_text *line, int64_t id, const cli_case *c)
{
    char *folder = companion_folder(c->found->path);
    put_head(line, id, c, "frontend");
    cli_text_put(line, ",\"companions\":[");
    if (folder != NULL)
        put_folder(line, folder);
    free(folder);
    cli_text_put(line, "]");
    put_document(line, c);
    cli_text_put(line, "}\n");
}

static bool is_compared(const cli_case *c, const cli_batch_options *options)
{
    if (!options->frontend || c->kind != CLI_DUMP || c->verdict == CLI_REFUSED)
        return false;
    char *folder = companion_folder(c->found->path);
    bool compared = folder != NULL;
    free(folder);
    return compared;
}

/* --- Answers --- */

/* The members of a planner's answer; data is NULL where one is absent. */
typedef struct plan_answer {
    cli_span id, bundle, error, notes;
} plan_answer;

/* Reads to the end: a line that is cut is no answer. */
static bool read_plan_answer(plan_answer *parts, cli_span answer)
{
    cli_walk walk;
    cli_span key, value;
    *parts = (plan_answer){0};
    if (!cli_walk_object(&walk, answer))
        return false;
    while (cli_walk_next(&walk, &key, &value)) {
        if (cli_span_is(key, "id"))
            parts->id = value;
        if (cli_span_is(key, "bundle"))
            parts->bundle = value;
        if (cli_span_is(key, "error"))
            parts->error = value;
        if (cli_span_is(key, "notes"))
            parts->notes = value;
    }
    return !walk.failed;
}

static bool is_id_of(cli_span id, const cli_case *c)
{
    int64_t number;
    return id.data != NULL && cli_span_int(&number, id) && number == c->number;
}

static bool is_object(cli_span value)
{
    return value.data != NULL && value.data[0] == '{';
}

/* Strings of a foreign error; one that is missing or broken stays empty. */
static const char *error_text(cli_text *out, cli_span error, const char *name)
{
    cli_span value;
    cli_text_clear(out);
    if (!cli_span_member(&value, error, name) || !cli_span_text(out, value))
        cli_text_clear(out);
    cli_text_put(out, "");
    return out->failed ? "" : out->data;
}

static int64_t error_int(cli_span error, const char *name)
{
    cli_span value;
    int64_t n = 0;
    if (!cli_span_member(&value, error, name) || !cli_span_int(&n, value))
        return 0;
    return n < 0 ? 0 : n;
}

/* A code that is no rule of documents becomes part of the message. */
static const char *rule_of(const char *code)
{
    static const char *const rules[] = {"doc.syntax", "doc.schema", "doc.range",
                                        "doc.incomplete", "doc.unsupported"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i], code) == 0)
            return rules[i];
    return NULL;
}

static cli_answer refuse(cli_case *c, cli_span error)
{
    cli_text code = {0}, message = {0}, path = {0};
    cli_problem p = {
        .rule = rule_of(error_text(&code, error, "code")),
        .message = error_text(&message, error, "message"),
        .path = error_text(&path, error, "path"),
        .line = error_int(error, "line"),
        .column = error_int(error, "column"),
        .offset = error_int(error, "offset"),
    };
    bool ok = true;
    if (p.rule == NULL) {
        p.rule = "doc.unsupported";
        cli_text_put(&code, ": ");
        cli_text_put(&code, p.message);
        p.message = code.failed ? "" : code.data;
    }
    ok = !code.failed && !message.failed && !path.failed &&
         cli_case_refuse(c, &p);
    cli_text_free(&code);
    cli_text_free(&message);
    cli_text_free(&path);
    return ok ? CLI_ANSWER_TAKEN : CLI_ANSWER_NO_MEMORY;
}

/* The plan beside a record: what it cannot tell stays open. */
static cli_answer take_record_plan(cli_case *c, const plan_answer *parts)
{
    cli_text message = {0};
    bool ok;
    if (is_object(parts->bundle) == is_object(parts->error))
        return CLI_ANSWER_WRONG;
    if (is_object(parts->bundle))
        ok = cli_recorded_take_plan(c, parts->bundle);
    else
        ok = cli_recorded_without_plan(
            c, error_text(&message, parts->error, "message"));
    cli_text_free(&message);
    return ok ? CLI_ANSWER_TAKEN : CLI_ANSWER_NO_MEMORY;
}

/* The role of a member, without its quotes. */
static bool role_of(cli_span *role, cli_span member)
{
    if (!cli_span_member(role, member, "role") || role->length < 2)
        return false;
    *role = (cli_span){role->data + 1, role->length - 2};
    return true;
}

/* A bundle with nothing to be judged, but a result that says why. */
static bool is_ineligible(cli_span *why, cli_span bundle)
{
    cli_span list, key, item, role;
    cli_walk walk;
    bool found = false;
    if (!cli_span_member(&list, bundle, "members") ||
        !cli_walk_array(&walk, list))
        return false;
    while (cli_walk_next(&walk, &key, &item)) {
        if (!role_of(&role, item))
            return false;
        if (cli_span_is(role, "graph") || cli_span_is(role, "score"))
            return false;
        if (cli_span_is(role, "eligibility"))
            found = cli_span_member(why, item, "document");
    }
    return found;
}

static cli_answer refuse_ineligible(cli_case *c, cli_span why)
{
    cli_span list, key, item;
    cli_walk walk;
    cli_text part = {0}, message = {0};
    cli_text_put(&message, "the program is not eligible");
    if (cli_span_member(&list, why, "reason_details") &&
        cli_walk_array(&walk, list)) {
        for (const char *mark = ": "; cli_walk_next(&walk, &key, &item);
             mark = "; ") {
            cli_text_printf(&message, "%s[%s] ", mark,
                            error_text(&part, item, "code"));
            cli_text_put(&message, error_text(&part, item, "message"));
        }
    }
    cli_problem p = {.rule = "doc.unsupported",
                     .message = message.failed ? "" : message.data,
                     .line = 1,
                     .column = 1};
    bool ok = !message.failed && !part.failed && cli_case_refuse(c, &p);
    cli_text_free(&part);
    cli_text_free(&message);
    return ok ? CLI_ANSWER_TAKEN : CLI_ANSWER_NO_MEMORY;
}

/* An error is no fault here: a case without members is judged all the same. */
static cli_answer take_members(cli_case *c, const plan_answer *parts)
{
    cli_text *members = &c->members[c->members_done];
    if (is_object(parts->bundle) == is_object(parts->error))
        return CLI_ANSWER_WRONG;
    if (is_object(parts->bundle))
        cli_text_add(members, parts->bundle.data, parts->bundle.length);
    if (++c->members_done == CLI_MEMBER_PLANS)
        c->state = CLI_WAIT_JUDGE;
    return members->failed ? CLI_ANSWER_NO_MEMORY : CLI_ANSWER_TAKEN;
}

cli_answer cli_answer_plan(cli_case *c, cli_span answer,
                           const cli_batch_options *options)
{
    plan_answer parts;
    if (!read_plan_answer(&parts, answer) || !is_id_of(parts.id, c))
        return CLI_ANSWER_WRONG;
    if (c->state == CLI_WAIT_MEMBERS)
        return take_members(c, &parts);
    if (c->kind == CLI_RECORD || c->kind == CLI_TRACE)
        return take_record_plan(c, &parts);
    if (is_object(parts.error) && parts.bundle.data == NULL)
        return refuse(c, parts.error);
    if (!is_object(parts.bundle) || parts.error.data != NULL)
        return CLI_ANSWER_WRONG;
    cli_span why;
    if (!options->plan_only && is_ineligible(&why, parts.bundle))
        return refuse_ineligible(c, why);
    cli_text_add(&c->bundle, parts.bundle.data, parts.bundle.length);
    if (parts.notes.data != NULL)
        cli_text_add(&c->notes, parts.notes.data, parts.notes.length);
    c->state = options->plan_only ? CLI_DONE
               : options->members ? CLI_WAIT_MEMBERS
                                  : CLI_WAIT_JUDGE;
    return c->bundle.failed || c->notes.failed ? CLI_ANSWER_NO_MEMORY
                                               : CLI_ANSWER_TAKEN;
}

cli_answer cli_answer_judge(cli_case *c, cli_span answer,
                            const cli_batch_options *options)
{
    cli_span id;
    if (!cli_span_member(&id, answer, "id") || !is_id_of(id, c))
        return CLI_ANSWER_WRONG;
    if (c->state == CLI_WAIT_FRONTEND) {
        c->state = CLI_DONE;
        return cli_case_take_frontend(c, answer) ? CLI_ANSWER_TAKEN
                                                 : CLI_ANSWER_WRONG;
    }
    if (!cli_case_take_judgement(c, answer))
        return CLI_ANSWER_WRONG;
    if (!cli_recorded_finish(c))
        return CLI_ANSWER_NO_MEMORY;
    c->state = is_compared(c, options) ? CLI_WAIT_FRONTEND : CLI_DONE;
    return CLI_ANSWER_TAKEN;
}
