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

static bool says(oracle_check *c, const oracle_json *json, uint32_t node,
                 const char *found)
{
    oracle_canon canon = {0};
    char shown[96];
    bool same = false;
    oracle_canon_value(&canon, json, node);
    if (!canon.out.failed) {
        oracle_json_printable(canon.out.data, canon.out.length, shown,
                              sizeof shown);
        same = strcmp(shown, found) == 0 ||
               oracle_check_fail(c, "the document says otherwise");
    }
    oracle_out_free(&canon.out);
    return same;
}

bool oracle_check_place(const oracle_json *json, const char *finding,
                        char *reason, size_t size)
{
    static const oracle_document none;
    oracle_check c;
    const char *found = NULL, *path = NULL;
    bool ok =
        oracle_check_start(&c, &none, finding, strlen(finding), reason, size) &&
        oracle_check_finding(&c);
    if (ok) {
        found =
            oracle_check_text(&c, oracle_check_member(&c, c.witness, "found"));
        path =
            oracle_check_text(&c, oracle_check_member(&c, c.witness, "path"));
    }
    if (ok && (found == NULL || path == NULL)) {
        ok = oracle_check_fail(&c, "no path, or not what is found there");
    }
    uint32_t node = 0;
    while (ok && *path != '\0' && node != ORACLE_NONE) {
        node = step(json, node, &path);
    }
    if (ok && node == ORACLE_NONE) {
        ok = oracle_check_fail(&c, "the document has nothing there");
    }
    ok = ok && says(&c, json, node, found);
    return oracle_check_end(&c, ok);
}
