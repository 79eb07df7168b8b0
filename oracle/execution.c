#include "execution.h"

uint64_t oracle_execution_count(const oracle_document *document)
{
    return document->choice_count == 0 ? 1
                                       : (uint64_t)document->choice_count + 2;
}

/* Whether choice `c`, one of the first `decided` or `forced`, may be so. */
static bool is_decided(uint32_t c, uint32_t decided, uint32_t forced)
{
    return c < decided || c == forced;
}

bool oracle_executions_start(oracle_executions *executions,
                             const oracle_document *document,
                             oracle_arena *arena)
{
    const oracle_document *d = document;
    uint32_t values = 0;
    for (uint32_t i = 0; i < d->clash_count; i++) {
        values += d->clashes[i].whens;
    }
    uint32_t *first = oracle_arena_array(arena, (size_t)d->choice_count + 2,
                                         sizeof(uint32_t));
    uint32_t *clashes = oracle_arena_array(arena, values, sizeof(uint32_t));
    if (first == NULL || clashes == NULL) {
        return false;
    }
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < d->clash_count; i++) {
            const oracle_when *when = &d->whens[d->clashes[i].first_when];
            for (uint32_t k = 0; k < d->clashes[i].whens; k++) {
                uint32_t c = when[k].choice;
                if (pass == 0) {
                    first[c + 2]++;
                } else {
                    clashes[first[c + 1]++] = i;
                }
            }
        }
        for (uint32_t c = 1; pass == 0 && c <= d->choice_count; c++) {
            first[c + 1] += first[c];
        }
    }
    *executions = (oracle_executions){document, first, clashes};
    return true;
}

/*
 * Whether the value of choice `c` and those of decided ones are such that no
 * execution has them together.
 */
static bool clashes(const oracle_executions *x, const bool *choices, uint32_t c,
                    uint32_t forced)
{
    const oracle_document *d = x->document;
    for (uint32_t i = x->first[c]; i < x->first[c + 1]; i++) {
        const oracle_clash *clash = &d->clashes[x->clashes[i]];
        bool all = true;
        for (uint32_t k = 0; all && k < clash->whens; k++) {
            const oracle_when *when = &d->whens[clash->first_when + k];
            all = is_decided(when->choice, c + 1, forced) &&
                  choices[when->choice] == when->is;
        }
        if (all) {
            return true;
        }
    }
    return false;
}

/* Every choice as wanted, where it fits to those before it and the forced. */
static void fit(const oracle_executions *x, bool wanted, uint32_t forced,
                bool *choices)
{
    for (uint32_t c = 0; c < x->document->choice_count; c++) {
        if (c == forced) {
            continue;
        }
        choices[c] = wanted;
        if (clashes(x, choices, c, forced)) {
            choices[c] = !wanted;
        }
    }
}

void oracle_execution_choices(const oracle_executions *executions,
                              uint32_t number, bool *choices)
{
    const oracle_document *d = executions->document;
    fit(executions, number != 1, ORACLE_NONE, choices);
    if (number >= 2 && number - 2 < d->choice_count) {
        choices[number - 2] = !choices[number - 2];
        if (d->clash_count > 0) {
            fit(executions, true, number - 2, choices);
        }
    }
}
