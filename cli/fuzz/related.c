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
    size_t count, room;
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
    switch (relation) {
    case FUZZ_PERMUTE:
    case FUZZ_ALONE:
        return KEPT_DOUBTS;
    case FUZZ_DUMMY_JOIN:
    case FUZZ_DECLARE:
    case FUZZ_SCALE:
        return KEPT_BYTES;
    default:
        return KEPT_ALL;
    }
}

static bool is_kept(const oracle_finding *f, kept which)
{
    bool bytes = strncmp(f->rule, "hazard.", 7) == 0 ||
                 strncmp(f->rule, "memory.", 7) == 0 ||
                 strncmp(f->rule, "predicate.", 10) == 0 ||
                 strncmp(f->rule, "task.", 5) == 0;
    bool doubt = strcmp(f->rule, "hazard.unknown-access") == 0 ||
                 strcmp(f->rule, "memory.unknown-size") == 0 ||
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

/* Without the mark of renamed keys; lines end with a NUL, so none is in one. */
static void put_unmarked(cli_text *line, const char *text, size_t length,
                         const fuzz_map *map)
{
    const char *mark = map == NULL || map->mark == NULL ? "" : map->mark;
    size_t skip = strlen(mark);
    for (size_t at = 0; at < length; at++) {
        if (skip > 0 && length - at >= skip &&
            memcmp(text + at, mark, skip) == 0)
            at += skip - 1;
        else if (text[at] == '\0')
            cli_text_put(line, "\\0");
        else
            cli_text_add(line, text + at, 1);
    }
}

/* A key that is no text stands as it is. */
static void put_key_text(cli_text *line, cli_span value, const fuzz_map *map)
{
    cli_text key = {0};
    if (!cli_span_text(&key, value)) {
        cli_text_add(line, value.data, value.length);
    } else if (map != NULL && map->keys > 0) {
        cli_text_put(line, key_back(map, key.length > 0 ? key.data : ""));
    } else {
        put_unmarked(line, key.data, key.length, map);
    }
    line->failed = line->failed || key.failed;
    cli_text_free(&key);
}

static void put_key(cli_text *line, cli_span record, const fuzz_map *map)
{
    cli_span storage, value;
    if (!cli_span_member(&storage, record, "storage") ||
        !cli_span_member(&value, storage, "key"))
        return;
    cli_text_put(line, " of ");
    put_key_text(line, value, map);
}

/* A number of bytes; one that is not so many times another stays odd. */
static void put_count(cli_text *line, cli_span value, const fuzz_map *map)
{
    int64_t bytes, scale = map == NULL ? 0 : map->scale;
    if (scale > 0 && cli_span_int(&bytes, value) && bytes % scale == 0)
        cli_text_printf(line, "%" PRId64, bytes / scale);
    else
        cli_text_add(line, value.data, value.length);
}

static void put_bytes(cli_text *line, cli_span record, const fuzz_map *map)
{
    cli_span storage, value;
    if (!cli_span_member(&storage, record, "storage"))
        return;
    if (cli_span_member(&value, storage, "begin")) {
        cli_text_put(line, " from ");
        put_count(line, value, map);
    }
    if (cli_span_member(&value, storage, "end")) {
        cli_text_put(line, " to ");
        put_count(line, value, map);
    }
}

static void keep(lines *l, cli_text *line)
{
    if (l->count == l->room) {
        size_t room = l->room == 0 ? 64 : 2 * l->room;
        char **grown = reallocarray(l->list, room, sizeof *grown);
        l->failed = l->failed || grown == NULL;
        if (grown == NULL) {
            cli_text_free(line);
            return;
        }
        l->list = grown;
        l->room = room;
    }
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
    put_bytes(&line, record, map);
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

static void sort(lines *l)
{
    if (l->count > 1)
        qsort(l->list, l->count, sizeof *l->list, by_text);
}

static lines lines_of(const oracle_judgement *j, const fuzz_map *map,
                      kept which)
{
    lines l = {0};
    for (uint32_t i = 0; !l.failed && i < j->count; i++) {
        if (is_kept(&j->findings[i], which))
            add_line(&l, &j->findings[i], map);
    }
    sort(&l);
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

/* --- Answers --- */

/* Whose lines are collected, and of what. */
typedef struct reading {
    lines *lines;
    const fuzz_map *map;
    bool edges, places;
} reading;

static void keep_word(lines *l, const char *what, cli_span value)
{
    cli_text line = {0};
    cli_text_printf(&line, "%s ", what);
    cli_text_add(&line, value.data, value.length);
    keep(l, &line);
}

/* One at a task that only one of the two has is left out. */
static void add_edge(const reading *r, const char *what, cli_span edge)
{
    static const char *const ends[] = {"producer", "consumer"};
    cli_span value;
    cli_text line = {0};
    bool both = true;
    cli_text_put(&line, what);
    for (size_t i = 0; i < 2; i++) {
        int64_t task;
        if (cli_span_member(&value, edge, ends[i]) &&
            cli_span_int(&task, value)) {
            task = task_back(r->map, task);
            both = both && task != NOBODY;
            cli_text_printf(&line, " %s %" PRId64, ends[i], task);
        }
    }
    if (cli_span_member(&value, edge, "kind")) {
        cli_text_put(&line, " ");
        cli_text_add(&line, value.data, value.length);
    }
    if (both)
        keep(r->lines, &line);
    else
        cli_text_free(&line);
}

/* Whether only the related one has a key. */
static bool is_added(const fuzz_map *map, cli_span value)
{
    size_t length = map == NULL ? 0 : strlen(map->added);
    return length > 0 && value.length == length + 2 &&
           memcmp(value.data + 1, map->added, length) == 0;
}

static void add_place(const reading *r, const char *what, cli_span place)
{
    static const char *const numbers[] = {"offset", "size"};
    cli_span value;
    cli_text line = {0};
    bool named = cli_span_member(&value, place, "storage_key");
    if (named && is_added(r->map, value))
        return;
    cli_text_printf(&line, "%s ", what);
    if (named)
        put_key_text(&line, value, r->map);
    for (size_t i = 0; i < 2; i++) {
        if (!cli_span_member(&value, place, numbers[i]))
            continue;
        cli_text_printf(&line, " %s ", numbers[i]);
        put_count(&line, value, r->map);
    }
    keep(r->lines, &line);
}

static void add_list(const reading *r, const char *what, cli_span document,
                     const char *name,
                     void (*add)(const reading *r, const char *what,
                                 cli_span item))
{
    cli_walk walk;
    cli_span list, key, item;
    if (!cli_span_member(&list, document, name) || !cli_walk_array(&walk, list))
        return;
    while (cli_walk_next(&walk, &key, &item))
        add(r, what, item);
}

static void keep_peak(const reading *r, cli_span peak)
{
    cli_text line = {0};
    cli_text_put(&line, "a peak of ");
    put_count(&line, peak, r->map);
    keep(r->lines, &line);
}

static void add_member(const reading *r, const char *what, cli_span member)
{
    cli_span role, document, peak;
    (void)what;
    if (!cli_span_member(&role, member, "role") ||
        !cli_span_member(&document, member, "document"))
        return;
    keep_word(r->lines, "a member", role);
    if (r->edges && cli_span_is(role, "\"score\""))
        add_list(r, "an edge of", document, "dependencies", add_edge);
    if (r->edges && cli_span_is(role, "\"hbg\""))
        add_list(r, "an edge of the runtime of", document, "edges", add_edge);
    if (r->places && cli_span_is(role, "\"memory\"")) {
        add_list(r, "a place of", document, "allocations", add_place);
        if (cli_span_member(&peak, document, "peak_memory"))
            keep_peak(r, peak);
    }
}

static void add_note(const reading *r, const char *what, cli_span note)
{
    cli_span code;
    if (cli_span_member(&code, note, "code"))
        keep_word(r->lines, what, code);
}

static void read_answer(const reading *r, cli_span answer)
{
    cli_span value;
    if (cli_span_member(&value, answer, "error"))
        add_note(r, "an error", value);
    add_list(r, "a note", answer, "notes", add_note);
    if (cli_span_member(&value, answer, "bundle"))
        add_list(r, "", value, "members", add_member);
    sort(r->lines);
}

/* Where a task stands between others, or an edge is told twice, edges differ.
 */
static bool keeps_edges(fuzz_relation relation)
{
    return relation != FUZZ_DUMMY_JOIN && relation != FUZZ_DECLARE;
}

bool cli_related_answers(cli_text *difference, cli_span original,
                         cli_span related, const fuzz_map *map,
                         fuzz_relation relation, bool places)
{
    lines own = {0}, other = {0};
    bool edges = keeps_edges(relation);
    const reading mine = {&own, NULL, edges, places};
    const reading theirs = {&other, map, edges, places};
    cli_text_clear(difference);
    read_answer(&mine, original);
    read_answer(&theirs, related);
    bool agree =
        own.failed || other.failed || same_lines(difference, &own, &other);
    free_lines(&own);
    free_lines(&other);
    return agree;
}
