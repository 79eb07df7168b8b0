#include "forward.h"

#include "twin.h"

#include <stdio.h>
#include <string.h>

uint64_t forward_count(uint32_t n)
{
    return UINT64_C(1) << (n * (n - 1) / 2 + 4 * n);
}

void forward_make(maker *m, uint32_t n, uint64_t number, bool external)
{
    static const oracle_mode modes[] = {ORACLE_READ, ORACLE_READ, ORACLE_WRITE,
                                        ORACLE_READ_WRITE};
    maker_start(m);
    maker_buffer(m, "param:a", 1, external);
    maker_buffer(m, "alloc:b", 1, external);
    for (uint32_t t = 0; t < n; t++) {
        maker_task(m);
        for (uint32_t b = 0; b < 2; b++, number >>= 2) {
            if ((number & 3) != 0) {
                maker_access(m, b, modes[number & 3], WHOLE, WHOLE);
            }
        }
    }
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++, number >>= 1) {
            if (number & 1) {
                maker_edge(m, from, to);
            }
        }
    }
}

void forward_show(const maker *m, const oracle_judgement *judgement)
{
    const oracle_document *d = &m->document;
    for (uint32_t t = 0; t < d->task_count; t++) {
        fprintf(stderr, "task %d%s:", (int)d->tasks[t].id,
                d->tasks[t].has_predicate ? " ?" : "");
        for (uint32_t a = 0; a < d->tasks[t].args; a++) {
            const oracle_arg *arg = &d->args[d->tasks[t].first_arg + a];
            const oracle_access *x = &d->accesses[arg->first_access];
            fprintf(stderr, " %c%s%s%s", "rwia"[x->mode],
                    d -> buffers[arg->buffer].key.data, x->must ? "" : "?",
                    x->exact ? "" : "~");
            if (x->region != ORACLE_NONE) {
                const oracle_region *r = &d->regions[x->region];
                const oracle_dim *dim = &d->dims[r->first];
                fprintf(stderr, "[%d+%dx%d]", (int)r->base.c, (int)dim->count.c,
                        (int)dim->stride);
            }
        }
        fprintf(stderr, "\n");
    }
    for (uint32_t e = 0; e < d->edge_count; e++) {
        fprintf(stderr, "edge %d -> %d%s\n", (int)d->edges[e].from + 10,
                (int)d->edges[e].to + 10, d->edges[e].certain ? "" : " ?");
    }
    for (uint32_t i = 0; i < judgement->count; i++) {
        fprintf(stderr, "%s\n", judgement->findings[i].json);
    }
}

bool forward_witnesses(const maker *m, const oracle_judgement *judgement)
{
    for (uint32_t i = 0; i < judgement->count; i++) {
        char reason[160];
        const oracle_finding *f = &judgement->findings[i];
        bool claims = f->severity == ORACLE_ERROR ||
                      strstr(f->json, "\"witness\":{") != NULL;
        if (claims && !oracle_witness_check(&m->document, f->json, reason,
                                            sizeof reason)) {
            fprintf(stderr, "witness: %s: %s\n", reason, f->json);
            return false;
        }
    }
    return true;
}

bool forward_agree(maker *m, uint32_t *errors)
{
    oracle_judgement judgement;
    if (oracle_judge_document(&judgement, &m->document, NULL) != ORACLE_OK) {
        return false;
    }
    *errors = twin_errors(&judgement);
    bool wrong = twin_wrong(&m->document, NULL);
    bool agree = wrong == (*errors > 0) && forward_witnesses(m, &judgement);
    if (!agree) {
        fprintf(stderr, "twin: %s\n", wrong ? "wrong" : "right");
        forward_show(m, &judgement);
    }
    oracle_judgement_free(&judgement);
    return agree;
}
