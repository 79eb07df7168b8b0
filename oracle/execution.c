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

/* Values of decided choices that no execution has together. */
static bool clashes(const oracle_document *d, const bool *choices,
                    uint32_t decided, uint32_t forced)
{
    for (uint32_t i = 0; i < d->clash_count; i++) {
        const oracle_clash *clash = &d->clashes[i];
        bool all = clash->whens > 0;
        for (uint32_t k = 0; all && k < clash->whens; k++) {
            const oracle_when *when = &d->whens[clash->first_when + k];
            all = is_decided(when->choice, decided, forced) &&
                  choices[when->choice] == when->is;
        }
        if (all) {
            return true;
        }
    }
    return false;
}

/* Every choice as wanted, where it fits to those before it and the forced. */
static void fit(const oracle_document *d, bool wanted, uint32_t forced,
                bool *choices)
{
    for (uint32_t c = 0; c < d->choice_count; c++) {
        if (c == forced) {
            continue;
        }
        choices[c] = wanted;
        if (clashes(d, choices, c + 1, forced)) {
            choices[c] = !wanted;
        }
    }
}

void oracle_execution_choices(const oracle_document *document, uint32_t number,
                              bool *choices)
{
    fit(document, number != 1, ORACLE_NONE, choices);
    if (number >= 2 && number - 2 < document->choice_count) {
        choices[number - 2] = !choices[number - 2];
        if (document->clash_count > 0) {
            fit(document, true, number - 2, choices);
        }
    }
}
