/* From the bytes of a document to its canonical form, digest and reasons. */
#include "canonical.h"
#include "fault.h"
#include "members.h"
#include "validate.h"

#include <stdlib.h>
#include <string.h>

/* A text that was read: its JSON and where its parts are. */
typedef struct source {
    oracle_json json;
    oracle_members members;
    oracle_document document;
} source;

static void close_source(source *s)
{
    oracle_document_free(&s->document);
    oracle_json_free(&s->json);
}

static oracle_status check_score(source *s, oracle_error *error)
{
    oracle_document score = {0};
    uint32_t *node = s->members.node;
    if (node[ORACLE_ROLE_GRAPH] == ORACLE_NONE ||
        node[ORACLE_ROLE_SCORE] == ORACLE_NONE) {
        return ORACLE_OK;
    }
    oracle_status status =
        oracle_members_read_score(&score, &s->members, true, error);
    oracle_document_free(&score);
    return status;
}

static oracle_status open_source(source *s, const char *text, size_t length,
                                 oracle_role role, oracle_error *error)
{
    oracle_read_options options = {.lenient = true};
    *s = (source){0};
    memset(error, 0, sizeof *error);
    oracle_status status = oracle_json_parse(&s->json, text, length, error);
    if (status != ORACLE_OK || role == ORACLE_ROLES) {
        return status;
    }
    status = oracle_members_read(&s->members, &s->document, &s->json, &options,
                                 error);
    if (status == ORACLE_OK && s->members.node[role] == ORACLE_NONE) {
        status =
            oracle_fault(error, ORACLE_SCHEMA, "there is no %s in it",
                         role == ORACLE_ROLE_SCORE ? "Score" : "PlanHandle");
    }
    if (status == ORACLE_OK) {
        status = check_score(s, error);
    }
    if (status != ORACLE_OK) {
        close_source(s);
    }
    return status;
}

oracle_status oracle_canonical_text(char **out, size_t *out_length,
                                    const char *text, size_t length,
                                    oracle_canonical form, bool pretty,
                                    oracle_error *error)
{
    static const oracle_role roles[] = {ORACLE_ROLES, ORACLE_ROLE_SCORE,
                                        ORACLE_ROLE_HANDLE};
    source s;
    oracle_canon c = {.pretty = pretty};
    oracle_status status = open_source(&s, text, length, roles[form], error);
    if (status != ORACLE_OK) {
        return status;
    }
    if (form == ORACLE_CANONICAL_SCORE) {
        oracle_canon_score(&c, &s.json, s.members.node[ORACLE_ROLE_SCORE]);
    } else if (form == ORACLE_CANONICAL_HANDLE) {
        oracle_canon_handle(&c, &s.json, s.members.node[ORACLE_ROLE_HANDLE]);
    } else {
        oracle_canon_value(&c, &s.json, 0);
    }
    close_source(&s);
    if (c.out.failed) {
        oracle_out_free(&c.out);
        return oracle_fault_memory(error);
    }
    *out = c.out.data;
    *out_length = c.out.length;
    return ORACLE_OK;
}

oracle_status oracle_fingerprint_text(char digest[65], const char *text,
                                      size_t length, bool metadata,
                                      oracle_error *error)
{
    source s;
    oracle_status status =
        open_source(&s, text, length, ORACLE_ROLE_SCORE, error);
    if (status == ORACLE_OK) {
        if (!oracle_score_fingerprint(
                digest, &s.json, s.members.node[ORACLE_ROLE_SCORE], metadata)) {
            status = oracle_fault_memory(error);
        }
        close_source(&s);
    }
    return status;
}

/* The pointers, and the texts behind them, in one block. */
static char **in_one_block(const oracle_reasons *reasons)
{
    size_t size = (reasons->count + (size_t)1) * sizeof(char *);
    for (uint32_t i = 0; i < reasons->count; i++) {
        size += reasons->list[i].length + 1;
    }
    char **block = malloc(size);
    char *at = block == NULL ? NULL : (char *)(block + reasons->count);
    for (uint32_t i = 0; block != NULL && i < reasons->count; i++) {
        size_t length = reasons->list[i].length + 1;
        memcpy(at, reasons->list[i].text, length);
        block[i] = at;
        at += length;
    }
    return block;
}

oracle_status oracle_validate_text(char ***reasons, uint32_t *count,
                                   const char *text, size_t length,
                                   oracle_error *error)
{
    source s;
    oracle_reasons found = {0};
    oracle_status status =
        open_source(&s, text, length, ORACLE_ROLE_SCORE, error);
    if (status != ORACLE_OK) {
        return status;
    }
    oracle_arena *arena = oracle_arena_create();
    *reasons = NULL;
    if (arena != NULL &&
        oracle_score_reasons(&found, &s.json, s.members.node[ORACLE_ROLE_SCORE],
                             arena)) {
        *reasons = in_one_block(&found);
        *count = found.count;
    }
    oracle_arena_free(arena);
    close_source(&s);
    return *reasons == NULL ? oracle_fault_memory(error) : ORACLE_OK;
}
