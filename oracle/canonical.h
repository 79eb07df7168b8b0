/*
 * Canonical JSON (spec 01): what Python's json.dumps writes with sorted keys
 * and ASCII only, compact or with an indent of 2; and the forms of documents
 * with all their fields, over which digests and fingerprints are taken.
 */
#ifndef ORACLE_CANONICAL_H
#define ORACLE_CANONICAL_H

#include "finding.h"
#include "json.h"

typedef struct oracle_canon {
    oracle_out out;
    bool pretty;
    uint32_t depth; /* containers that are open */
} oracle_canon;

void oracle_canon_open(oracle_canon *c, char bracket);
void oracle_canon_close(oracle_canon *c, char bracket);
/* Before each item of a list. */
void oracle_canon_item(oracle_canon *c);
/* Before each value of an object; keys come sorted. A name is one that the code
 * knows, without escapes. */
void oracle_canon_name(oracle_canon *c, const char *name);
void oracle_canon_key(oracle_canon *c, const char *key, size_t length);
void oracle_canon_string(oracle_canon *c, const char *text, size_t length);
/* A string node without its escapes, then as above. */
void oracle_canon_text(oracle_canon *c, const oracle_json *json, uint32_t node);
/* A whole value: O(n log n) in its text, no recursion. */
void oracle_canon_value(oracle_canon *c, const oracle_json *json,
                        uint32_t node);

/* The value of a member, the last of its name; ORACLE_NONE: there is none. */
uint32_t oracle_json_member(const oracle_json *json, uint32_t object,
                            const char *name);

/* The same of several names at once: most cheaply in the order in which the
 * members come. */
void oracle_json_members(const oracle_json *json, uint32_t object,
                         const char *const *names, uint32_t count,
                         uint32_t *values);

/*
 * A Score, a PlanHandle with every field of theirs: what is absent has its
 * default, what is unknown is left out. For nodes that were read as such.
 */
void oracle_canon_score(oracle_canon *c, const oracle_json *json,
                        uint32_t score);
/* One field of a Score, by its name; a runtime target (ORACLE_NONE: none). */
void oracle_canon_score_field(oracle_canon *c, const oracle_json *json,
                              uint32_t score, const char *name);
void oracle_canon_target(oracle_canon *c, const oracle_json *json,
                         uint32_t target);
void oracle_canon_handle(oracle_canon *c, const oracle_json *json,
                         uint32_t handle);

/*
 * The fingerprint of a Score that was read; with `metadata` the variant that
 * covers it. False: no memory.
 */
bool oracle_score_fingerprint(char digest[65], const oracle_json *json,
                              uint32_t score, bool metadata);

/* Whether two values have the same canonical text. False: no memory. */
bool oracle_canon_same(const oracle_json *a, uint32_t a_node,
                       const oracle_json *b, uint32_t b_node, bool *same);

#endif
