#include "kind.h"

#include <string.h>

#include "json.h"
#include "oracle/document.h"
#include "sonata/dump.h"

/* Items of "tasks" in a dependency record carry what no other form has. */
static bool is_dependency_item(cli_span item)
{
    cli_span value;
    return cli_span_member(&value, item, "kernel_ids") ||
           cli_span_member(&value, item, "early_dispatch");
}

/*
 * The classes of the IR that a program may begin with. Any other may too, but
 * other formats have a "kind" as well: such a program needs --kind.
 */
static bool is_class(cli_span value)
{
    static const char *const classes[] = {
        "Program", "Function",         "SeqStmts",      "ForStmt",
        "IfStmt",  "WhileStmt",        "AssignStmt",    "EvalStmt",
        "Submit",  "RuntimeScopeStmt", "SpmdScopeStmt", "ManualScopeStmt",
        "Call"};
    if (value.length < 2 || value.data[0] != '"')
        return false;
    value = (cli_span){value.data + 1, value.length - 2};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        if (cli_span_is(value, classes[i]))
            return true;
    return false;
}

static cli_kind kind_of_member(cli_span key, cli_span value)
{
    cli_walk items;
    cli_span none, item;
    if (cli_span_is(key, "chip_swimlane_level"))
        return CLI_TRACE;
    if (cli_span_is(key, "cache_schema_version"))
        return CLI_CACHE;
    if (cli_span_is(key, "kind") && is_class(value))
        return CLI_IR;
    if (cli_span_is(key, "schema") && value.length > 14 &&
        memcmp(value.data, "\"pypto-orch-ir", 14) == 0)
        return CLI_COMPANION;
    if (cli_span_is(key, "tasks") && cli_walk_array(&items, value) &&
        cli_walk_next(&items, &none, &item) && is_dependency_item(item))
        return CLI_RECORD;
    return CLI_JSON;
}

/*
 * The text may be cut anywhere. A member that is not closed still has its key
 * and the start of its value: the walk stops there.
 */
static cli_kind kind_of_object(cli_span text)
{
    cli_walk walk;
    cli_span key = {"", 0}, value;
    if (!cli_walk_object(&walk, text))
        return CLI_JSON;
    while (cli_walk_next(&walk, &key, &value)) {
        cli_kind kind = kind_of_member(key, value);
        if (kind != CLI_JSON)
            return kind;
        key.length = 0;
    }
    value = (cli_span){walk.at, (size_t)(walk.end - walk.at)};
    return key.length > 0 ? kind_of_member(key, value) : CLI_JSON;
}

static cli_kind kind_of_json(const char *text, size_t length)
{
    cli_kind kind = kind_of_object((cli_span){text, length});
    if (kind != CLI_JSON)
        return kind;
    switch (oracle_document_detect(text, length)) {
    case ORACLE_KIND_TASK_GRAPH:
        return CLI_TASK_GRAPH;
    case ORACLE_KIND_SCORE:
        return CLI_SCORE;
    case ORACLE_KIND_BUNDLE:
        return CLI_BUNDLE;
    case ORACLE_KIND_MEMORY_PLAN:
        return CLI_MEMORY_PLAN;
    case ORACLE_KIND_HANDLE:
        return CLI_HANDLE;
    case ORACLE_KIND_HBG:
        return CLI_HBG;
    case ORACLE_KIND_ELIGIBILITY:
        return CLI_ELIGIBILITY;
    case ORACLE_KIND_RECORD:
        return CLI_RECORD;
    case ORACLE_KIND_TRACE:
        return CLI_TRACE;
    case ORACLE_KIND_MEMORY_CSV:
    case ORACLE_KIND_UNKNOWN:
        break;
    }
    return CLI_JSON;
}

static bool starts(const char *line, size_t length, const char *word)
{
    size_t n = strlen(word);
    return length >= n && memcmp(line, word, n) == 0;
}

static cli_kind kind_of_line(const char *line, size_t length)
{
    while (length > 0 && (*line == ' ' || *line == '\t')) {
        line++;
        length--;
    }
    if (starts(line, length, "import pypto") ||
        starts(line, length, "from pypto"))
        return CLI_SOURCE;
    if (starts(line, length, "# Kernel and Orchestration Configuration") ||
        starts(line, length, "from simpler.task_interface"))
        return CLI_COMPANION;
    return CLI_OTHER;
}

static cli_kind kind_of_text(const char *text, size_t length)
{
    const char *end = text + length;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        if (stop == NULL)
            stop = end;
        cli_kind kind = kind_of_line(text, (size_t)(stop - text));
        if (kind != CLI_OTHER)
            return kind;
        text = stop < end ? stop + 1 : end;
    }
    return CLI_OTHER;
}

cli_kind cli_kind_detect(const char *text, size_t length)
{
    size_t at = 0;
    /* A byte order mark hides nothing; who reads the text refuses it. */
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    while (at < length && strchr(" \t\r\n", text[at]) && text[at] != '\0')
        at++;
    if (at == length)
        return CLI_OTHER;
    if (text[at] == '{')
        return kind_of_json(text, length);
    if (text[at] == '[')
        return CLI_JSON;
    if (sonata_dump_detect(text, length))
        return CLI_DUMP;
    if (oracle_document_detect(text, length) == ORACLE_KIND_MEMORY_CSV)
        return CLI_MEMORY_CSV;
    return kind_of_text(text, length);
}

const char *cli_kind_name(cli_kind kind)
{
    static const char *const names[] = {
        [CLI_DUMP] = "dump",
        [CLI_IR] = "ir",
        [CLI_TASK_GRAPH] = "task_graph",
        [CLI_SCORE] = "score",
        [CLI_BUNDLE] = "bundle",
        [CLI_MEMORY_PLAN] = "memory_plan",
        [CLI_MEMORY_CSV] = "memory_csv",
        [CLI_HANDLE] = "handle",
        [CLI_HBG] = "hbg",
        [CLI_ELIGIBILITY] = "eligibility",
        [CLI_RECORD] = "record",
        [CLI_TRACE] = "trace",
        [CLI_SOURCE] = "source",
        [CLI_CACHE] = "cache",
        [CLI_COMPANION] = "companion",
        [CLI_JSON] = "json",
        [CLI_OTHER] = "other",
    };
    return names[kind];
}

bool cli_kind_parse(cli_kind *kind, const char *name)
{
    for (cli_kind k = CLI_DUMP; k <= CLI_TRACE; k++) {
        if (strcmp(cli_kind_name(k), name) == 0) {
            *kind = k;
            return true;
        }
    }
    return false;
}

bool cli_kind_is_input(cli_kind kind)
{
    return kind <= CLI_MEMORY_CSV || kind == CLI_RECORD || kind == CLI_TRACE;
}

bool cli_kind_is_program(cli_kind kind)
{
    return kind == CLI_DUMP || kind == CLI_IR;
}

bool cli_kind_is_document(cli_kind kind)
{
    return (kind >= CLI_TASK_GRAPH && kind <= CLI_TRACE) || kind == CLI_JSON;
}

const char *cli_kind_refusal(cli_kind kind, const char **rule)
{
    *rule = "doc.syntax";
    switch (kind) {
    case CLI_SOURCE:
        return "this is a PyPTO program, not a dump of one: compile it with "
               "dump_passes=True and give the last *_after_Simplify.py (the "
               "highest number) in the folder passes_dump of the build "
               "output";
    case CLI_CACHE:
        *rule = "doc.unsupported";
        return "this is a Score cache; give one of its Scores";
    case CLI_COMPANION:
        return "this file lies beside a dump and is read with it: give the "
               "last *_after_Simplify.py in the folder passes_dump";
    case CLI_OTHER:
        return "this is neither a PyPTO dump (\"@pl.program\") nor a JSON "
               "document";
    default:
        *rule = NULL;
        return NULL;
    }
}
