#include "certificate.h"

#include <string.h>

/* [a, b], two numbers. */
static bool read_two(const oracle_check *proof, uint32_t list, int64_t *two)
{
    uint32_t first, second;
    return oracle_check_two(proof, list, &first, &second) &&
           oracle_check_number(proof, first, &two[0]) &&
           oracle_check_number(proof, second, &two[1]);
}

static bool read_excuses(oracle_certificate *c, uint32_t list)
{
    oracle_check *p = &c->proof;
    uint32_t item = list;
    if (!oracle_check_is(p, list, ORACLE_JSON_ARRAY)) {
        return oracle_check_fail(p, "excused is no list");
    }
    while (oracle_check_next(p, list, &item)) {
        oracle_excuse e = {.needed = false};
        const char *why =
            oracle_check_text(p, oracle_check_member(p, item, "why"));
        if (!read_two(p, oracle_check_member(p, item, "tasks"), e.tasks) ||
            !read_two(p, oracle_check_member(p, item, "args"), e.args) ||
            why == NULL || strcmp(why, "dead-write") != 0) {
            return oracle_check_fail(p, "an excuse is none");
        }
        oracle_excuse *grown =
            oracle_arena_push(p->arena, c->excuses, c->excuse_count, sizeof e);
        if (grown == NULL) {
            return oracle_check_fail(p, ORACLE_UNCHECKED);
        }
        c->excuses = grown;
        c->excuses[c->excuse_count++] = e;
    }
    return true;
}

bool oracle_certificate_start(oracle_certificate *certificate,
                              const oracle_document *document, const char *text,
                              size_t length, char *reason, size_t size)
{
    oracle_certificate *c = certificate;
    oracle_check *p = &c->proof;
    int64_t version = 0;
    *c = (oracle_certificate){.execution = ORACLE_NONE};
    if (!oracle_check_start(p, document, text, length, reason, size)) {
        return false;
    }
    const char *kind = oracle_check_text(p, oracle_check_member(p, 0, "kind"));
    c->document = oracle_check_text(p, oracle_check_member(p, 0, "document"));
    c->rules = oracle_check_text(p, oracle_check_member(p, 0, "rules"));
    if (kind == NULL || strcmp(kind, "certificate") != 0 ||
        !oracle_check_number(p, oracle_check_member(p, 0, "version"),
                             &version) ||
        version != 1) {
        return oracle_check_fail(p, "this is no certificate of version 1");
    }
    if (c->document == NULL || c->rules == NULL) {
        return oracle_check_fail(p, "it names no document or no rule set");
    }
    return read_excuses(c, oracle_check_member(p, 0, "excused"));
}

bool oracle_certificate_next(oracle_certificate *certificate, bool **is_true)
{
    oracle_check *p = &certificate->proof;
    uint32_t list = oracle_check_member(p, 0, "executions");
    if (certificate->execution == ORACLE_NONE) {
        certificate->execution = list;
    }
    if (!oracle_check_next(p, list, &certificate->execution)) {
        return oracle_check_fail(p, "an execution is missing");
    }
    return oracle_check_values(
        p, oracle_check_member(p, certificate->execution, "choices"), is_true);
}

bool oracle_certificate_done(oracle_certificate *certificate)
{
    oracle_check *p = &certificate->proof;
    return !oracle_check_next(p, oracle_check_member(p, 0, "executions"),
                              &certificate->execution) ||
           oracle_check_fail(p, "there are more executions than there may be");
}

static bool read_chains(oracle_certificate *c, uint32_t list,
                        oracle_claim *claim)
{
    oracle_check *p = &c->proof;
    uint32_t item = list, n = 0, tasks = p->d.task_count;
    claim->width = 1;
    claim->chain = oracle_arena_array(p->arena, tasks, sizeof *claim->chain);
    for (;
         claim->chain != NULL && n < tasks && oracle_check_next(p, list, &item);
         n++) {
        int64_t chain;
        if (!oracle_check_number(p, item, &chain) || chain < 0 ||
            chain >= tasks) {
            return oracle_check_fail(p, "a chain is no number of one");
        }
        claim->chain[n] = (uint32_t)chain;
        if (claim->chain[n] >= claim->width) {
            claim->width = claim->chain[n] + 1;
        }
    }
    return (n == tasks && (n == 0 || !oracle_check_next(p, list, &item))) ||
           oracle_check_fail(p, "there is not one chain for each task");
}

static bool read_row(oracle_certificate *c, uint32_t list, uint32_t *row,
                     uint32_t width)
{
    oracle_check *p = &c->proof;
    uint32_t item = list;
    for (uint32_t n = 0; oracle_check_next(p, list, &item); n++) {
        int64_t position;
        if (n == width || !oracle_check_number(p, item, &position) ||
            position < 0 || position > p->d.task_count) {
            return oracle_check_fail(p, "a position is none");
        }
        row[n] = (uint32_t)position;
    }
    return oracle_check_is(p, list, ORACLE_JSON_ARRAY) ||
           oracle_check_fail(p, "what a task reaches is no list");
}

bool oracle_certificate_claim(oracle_certificate *certificate,
                              const oracle_document *document,
                              oracle_claim *claim)
{
    oracle_certificate *c = certificate;
    oracle_check *p = &c->proof;
    uint32_t tasks = document->task_count, n = 0;
    uint32_t list = oracle_check_member(p, c->execution, "reach"), item = list;
    *claim = (oracle_claim){0};
    if (!oracle_check_about(p, document)) {
        return false;
    }
    memset(p->present, true, tasks);
    if (!oracle_check_order(p, oracle_check_member(p, c->execution, "order")) ||
        !read_chains(c, oracle_check_member(p, c->execution, "chains"),
                     claim)) {
        return false;
    }
    claim->order = p->order;
    claim->place = p->place;
    claim->count = p->count;
    uint64_t positions = (uint64_t)tasks * claim->width;
    c->positions += positions;
    if (c->positions > ORACLE_CERTIFICATE_POSITIONS) {
        return oracle_check_fail(p, "it has too many positions");
    }
    claim->reach =
        oracle_arena_array(p->arena, (size_t)positions, sizeof *claim->reach);
    for (; claim->reach != NULL && oracle_check_next(p, list, &item); n++) {
        if (n == tasks ||
            !read_row(c, item, claim->reach + (size_t)n * claim->width,
                      claim->width)) {
            return p->reason[0] == '\0'
                       ? oracle_check_fail(p, "it has too many rows")
                       : false;
        }
    }
    return n == tasks || oracle_check_fail(p, "a task reaches nothing");
}
