#include "related.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../json.h"

/* A task that the original does not have. */
#define NOBODY INT64_C(-1)

typedef enum kept {
    KEPT_ALL,
    KEPT_DOUBTS, /* errors and doubts */
    KEPT_BYTES   /* ... about bytes */
} kept;

/* Findings as lines of what has to stay, sorted. */
typedef struct lines {
    char **list;
    size_t count;
    bool failed;
} lines;

static void free_lines(lines *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->list[i]);
    free(l->list);
}

static kept kept_by(fuzz_relation relation)
{
    return relation == FUZZ_PERMUTE ? KEPT_DOUBTS
           : relation == FUZZ_DUMMY_JOIN || relation == FUZZ_DECLARE
               ? KEPT_BYTES
               : KEPT_ALL;
}

static bool is_kept(const oracle_finding *f, kept which)
{
    bool bytes = strncmp(f->rule, "hazard.", 7) == 0 ||
                 strncmp(f->rule, "predicate.", 10) == 0 ||
                 strncmp(f->rule, "task.", 5) == 0;
    bool doubt = strcmp(f->rule, "hazard.unknown-access") == 0 ||
                 strncmp(f->rule, "doc.", 4) == 0;
    if (which == KEPT_ALL)
        return true;
    return (f->severity == ORACLE_ERROR || doubt) &&
           (which == KEPT_DOUBTS || bytes);
}

static int64_t task_back(const fuzz_map *map, int64_t task)
{
    for (uint32_t i = 0; map != NULL && i < map->tasks; i++) {
        if (map->task_to[i] == task)
            return map->task_from[i];
    }
    return task;
}

static const char *key_back(const fuzz_map *map, const char *key)
{
    for (uint32_t i = 0; map != NULL && i < map->keys; i++) {
        if (strcmp(map->key_to[i], key) == 0)
            return map->key_from[i];
    }
    return key;
}

/* False: it is an end at a task that only one of the two has. */
static bool put_end(cli_text *line, cli_span record, const char *name,
                    const fuzz_map *map)
{
    cli_span end, value;
    int64_t task;
    if (!cli_span_member(&end, record, name))
        return true;
    cli_text_printf(line, " %s", name);
    if (cli_span_member(&value, end, "task") && cli_span_int(&task, value)) {
        task = task_back(map, task);
        cli_text_printf(line, " %" PRId64, task);
        if (task == NOBODY)
            return false;
    }
    if (cli_span_member(&value, end, "arg"))
        cli_text_printf(line, ".%.*s", (int)value.length, value.data);
    return true;
}

static void put_key(cli_text *line, cli_span record, const fuzz_map *map)
{
    cli_span storage, value;
    cli_text key = {0};
    if (cli_span_member(&storage, record, "storage") &&
        cli_span_member(&value, storage, "key") && cli_span_text(&key, value))
        cli_text_printf(line, " of %s",
                        key_back(map, key.length > 0 ? key.data : ""));
    line->failed = line->failed || key.failed;
    cli_text_free(&key);
}

static void put_bytes(cli_text *line, cli_span record)
{
    cli_span storage, value;
    if (!cli_span_member(&storage, record, "storage"))
        return;
    if (cli_span_member(&value, storage, "begin"))
        cli_text_printf(line, " from %.*s", (int)value.length, value.data);
    if (cli_span_member(&value, storage, "end"))
        cli_text_printf(line, " to %.*s", (int)value.length, value.data);
}

static void keep(lines *l, cli_text *line)
{
    char *text = line->failed ? NULL : strndup(line->data, line->length);
    l->failed = l->failed || text == NULL;
    if (text != NULL)
        l->list[l->count++] = text;
    cli_text_free(line);
}

static void add_line(lines *l, const oracle_finding *f, const fuzz_map *map)
{
    static const char *const severities[] = {"note", "warning", "error"};
    cli_span record = {f->json, strlen(f->json)};
    cli_text line = {0};
    cli_text_printf(&line, "%s %s", severities[f->severity], f->rule);
    if (f->cause != NULL)
        cli_text_printf(&line, " (%s)", f->cause);
    bool both = put_end(&line, record, "producer", map) &&
                put_end(&line, record, "consumer", map);
    put_key(&line, record, map);
    put_bytes(&line, record);
    if (both)
        keep(l, &line);
    else
        cli_text_free(&line);
}

static int by_text(const void *a, const void *b)
{
    const char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

static lines lines_of(const oracle_judgement *j, const fuzz_map *map,
                      kept which)
{
    lines l = {.list = calloc(j->count + 1u, sizeof *l.list)};
    l.failed = l.list == NULL;
    for (uint32_t i = 0; !l.failed && i < j->count; i++) {
        if (is_kept(&j->findings[i], which))
            add_line(&l, &j->findings[i], map);
    }
    if (l.count > 1)
        qsort(l.list, l.count, sizeof *l.list, by_text);
    return l;
}

static bool all_listed(const oracle_judgement *j)
{
    return j->unlisted[0] == 0 && j->unlisted[1] == 0 && j->unlisted[2] == 0;
}

static bool same_verdict(cli_text *difference, const oracle_judgement *original,
                         const oracle_judgement *related)
{
    static const char *const names[] = {"clean", "findings", "undecided",
                                        "refused"};
    if (original->verdict == related->verdict)
        return true;
    cli_text_printf(difference,
                    "the verdict of the case is %s, that of the related one "
                    "%s",
                    names[original->verdict], names[related->verdict]);
    return false;
}

static bool same_lines(cli_text *difference, const lines *own,
                       const lines *other)
{
    size_t i = 0;
    while (i < own->count && i < other->count &&
           strcmp(own->list[i], other->list[i]) == 0)
        i++;
    if (i == own->count && i == other->count)
        return true;
    bool mine = i < own->count &&
                (i == other->count || strcmp(own->list[i], other->list[i]) < 0);
    cli_text_printf(difference, "only %s has %s",
                    mine ? "the case" : "the related one",
                    mine ? own->list[i] : other->list[i]);
    return false;
}

bool cli_related_agree(cli_text *difference, const oracle_judgement *original,
                       const oracle_judgement *related, const fuzz_map *map,
                       fuzz_relation relation)
{
    kept which = kept_by(relation);
    cli_text_clear(difference);
    if (which == KEPT_ALL && !same_verdict(difference, original, related))
        return false;
    if (!all_listed(original) || !all_listed(related))
        return true;
    lines own = lines_of(original, NULL, which);
    lines other = lines_of(related, map, which);
    bool agree =
        own.failed || other.failed || same_lines(difference, &own, &other);
    free_lines(&own);
    free_lines(&other);
    return agree;
}
