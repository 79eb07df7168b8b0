/* Places in a text that an error names: line, column, byte; and paths. */
#include "answer_work.h"

#include <string.h>

bool answer_is_place(oracle_bytes text, const answer_where *place, size_t at)
{
    uint64_t line, column;
    if (place->line == 0) { /* there is none */
        return place->column == 0 && place->offset == 0;
    }
    if (place->line < 0 || place->offset < 0 ||
        (uint64_t)place->offset > text.length) {
        return false;
    }
    if (at == SIZE_MAX) {
        at = (size_t)place->offset;
    }
    if ((size_t)place->offset != at) {
        return false;
    }
    oracle_json_position(text.data, at, &line, &column);
    return place->line == (int64_t)line && place->column == (int64_t)column;
}

/* The longest key of an object at the beginning of a path, and its value. */
static size_t match_key(const oracle_json *json, uint32_t key, uint32_t value,
                        const char *path, size_t longest, uint32_t *found)
{
    const oracle_json_node *n = &json->nodes[key];
    if (n->type != ORACLE_JSON_STRING || n->extent < 2) {
        return longest;
    }
    size_t length = n->extent - 2;
    bool same =
        length >= longest && length <= strlen(path) &&
        memcmp(json->text + n->offset + 1, path, length) == 0 &&
        (path[length] == '\0' || path[length] == '.' || path[length] == '[');
    if (same) {
        *found = value;
    }
    return same ? length : longest;
}

/* A mapping may be written as {"map": [[key, value]]}. */
static size_t match_pairs(const oracle_json *json, uint32_t object,
                          const char *path, size_t longest, uint32_t *found)
{
    uint32_t list = oracle_json_member(json, object, "map");
    if (list == ORACLE_NONE || json->nodes[list].type != ORACLE_JSON_ARRAY) {
        return longest;
    }
    for (uint32_t at = list + 1; at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        uint32_t end = oracle_json_next(json, at);
        if (json->nodes[at].type == ORACLE_JSON_ARRAY && at + 2 < end) {
            longest = match_key(json, at + 1, at + 2, path, longest, found);
        }
    }
    return longest;
}

/* On behind all of the path where a key has escapes and may be meant. */
static bool step_name(const oracle_json *json, uint32_t *node,
                      const char **path)
{
    uint32_t found = ORACLE_NONE;
    size_t longest = 0;
    if (json->nodes[*node].type != ORACLE_JSON_OBJECT) {
        return false;
    }
    bool plain = true;
    for (uint32_t at = *node + 1; at < oracle_json_next(json, *node);
         at = oracle_json_next(json, at + 1)) {
        plain = plain && oracle_json_plain(json, at);
        longest = match_key(json, at, at + 1, *path, longest, &found);
    }
    longest = match_pairs(json, *node, *path, longest, &found);
    if (found == ORACLE_NONE && !plain) {
        *path += strlen(*path);
        return true;
    }
    *node = found;
    *path += longest;
    return found != ORACLE_NONE;
}

/* Of a mapping that is a list of pairs the value. */
static bool step_index(const oracle_json *json, uint32_t *node,
                       const char **path)
{
    const char *at = *path + 1;
    uint64_t index = 0;
    for (; *at >= '0' && *at <= '9' && index <= UINT32_MAX; at++) {
        index = 10 * index + (uint64_t)(*at - '0');
    }
    uint32_t map = oracle_json_member(json, *node, "map");
    uint32_t list = map == ORACLE_NONE ? *node : map;
    if (*at != ']' || at == *path + 1 ||
        json->nodes[list].type != ORACLE_JSON_ARRAY) {
        return false;
    }
    uint32_t end = oracle_json_next(json, list), item = list + 1;
    for (; index > 0 && item < end; index--) {
        item = oracle_json_next(json, item);
    }
    *node = map == ORACLE_NONE ? item : item + 2;
    *path = at + 1;
    return item < end && *node < end;
}

bool answer_is_path(const oracle_json *json, const char *path)
{
    uint32_t node = 0;
    if (strlen(path) >= ANSWER_PATH) {
        return true; /* it may be cut */
    }
    while (*path != '\0') {
        path += *path == '.' ? 1 : 0;
        if (!(*path == '[' ? step_index(json, &node, &path)
                           : step_name(json, &node, &path))) {
            return false;
        }
    }
    return true;
}
