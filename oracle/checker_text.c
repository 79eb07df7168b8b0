/* Witnesses about another document: what stands at a path of the text. */
#include "canonical.h"
#include "checker.h"

#include <string.h>

/* The member or item that the path names next; ORACLE_NONE: there is none. */
static uint32_t step(const oracle_json *json, uint32_t node, const char **path)
{
    char name[128] = "";
    const char *at = *path;
    uint32_t index = 0;
    if (*at == '[' && json->nodes[node].type == ORACLE_JSON_ARRAY) {
        for (at++; *at >= '0' && *at <= '9'; at++) {
            index = index * 10 + (uint32_t)(*at - '0');
        }
        *path = *at == ']' ? at + 1 : at;
        uint32_t item = node + 1, end = oracle_json_next(json, node);
        while (item < end && index-- > 0) {
            item = oracle_json_next(json, item);
        }
        return item < end ? item : ORACLE_NONE;
    }
    at += *at == '.';
    size_t length = strcspn(at, ".[");
    *path = at + length;
    if (length == 0 || length >= sizeof name ||
        json->nodes[node].type != ORACLE_JSON_OBJECT) {
        return ORACLE_NONE;
    }
    memcpy(name, at, length);
    return oracle_json_member(json, node, name);
}

static bool says(const oracle_json *json, uint32_t node, const char *found)
{
    oracle_canon c = {0};
    char shown[96];
    oracle_canon_value(&c, json, node);
    bool same = !c.out.failed;
    if (same) {
        oracle_json_printable(c.out.data, c.out.length, shown, sizeof shown);
        same = strcmp(shown, found) == 0;
    }
    oracle_out_free(&c.out);
    return same;
}

bool oracle_check_place(const oracle_json *json, const char *finding,
                        char *reason, size_t size)
{
    static const oracle_document none;
    oracle_check c;
    bool ok =
        oracle_check_start(&c, &none, finding, strlen(finding), reason, size) &&
        oracle_check_finding(&c);
    const char *found =
        oracle_check_text(&c, oracle_check_member(&c, c.witness, "found"));
    const char *path =
        oracle_check_text(&c, oracle_check_member(&c, c.witness, "path"));
    if (ok && (found == NULL || path == NULL)) {
        ok = oracle_check_fail(&c, "no path, or not what is found there");
    }
    uint32_t node = 0;
    while (ok && *path != '\0' && node != ORACLE_NONE) {
        node = step(json, node, &path);
    }
    ok = ok && ((node != ORACLE_NONE && says(json, node, found)) ||
                oracle_check_fail(&c, "the document says otherwise"));
    oracle_check_end(&c);
    return ok;
}
