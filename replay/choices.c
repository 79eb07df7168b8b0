/*
 * Values of choices that go together: one choice after the other gets the value
 * that is preferred, if that leaves the symbols any values, else the other one;
 * and back to the last one that has another where neither does.
 */
#include "bounds.h"
#include "program_work.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    const oracle_document *d;
    uint32_t pinned;
    bool prefer;
    uint64_t sample;
    uint8_t *decided;                  /* replay_decided, by choice */
    uint8_t *tried;                    /* values, by depth */
    replay_bounds *bounds, *candidate; /* by symbol */
    int64_t *work;
} search;

/* The pinned choice first, then the others in their order. */
static uint32_t choice_at(const search *s, uint32_t depth)
{
    if (s->pinned == REPLAY_NONE) {
        return depth;
    }
    return depth == 0 ? s->pinned : depth - (depth <= s->pinned);
}

/* Whether values that no execution has together are among those decided. */
static bool clashes(const search *s)
{
    for (uint32_t i = 0; i < s->d->clash_count; i++) {
        const oracle_clash *clash = &s->d->clashes[i];
        bool all = true;
        for (uint32_t k = 0; all && k < clash->whens; k++) {
            const oracle_when *when = &s->d->whens[clash->first_when + k];
            all = s->decided[when->choice] == (uint8_t)when->is;
        }
        if (all) {
            return true;
        }
    }
    return false;
}

/* Whether values are left with what is decided; narrows the bounds. */
static bool is_possible(search *s)
{
    *s->work -= 1 + (int64_t)s->d->clash_count;
    if (clashes(s)) {
        return false;
    }
    size_t size = s->d->symbol_count * sizeof *s->bounds;
    memcpy(s->candidate, s->bounds, size);
    if (!replay_bounds_narrow(s->candidate, s->d, s->decided, s->work)) {
        return false;
    }
    memcpy(s->bounds, s->candidate, size);
    return true;
}

/* The next value at this depth; false: there is none. */
static bool next_value(search *s, uint32_t depth)
{
    uint32_t choice = choice_at(s, depth);
    bool pinned = choice == s->pinned;
    uint8_t wanted = pinned ? s->decided[choice] : (uint8_t)s->prefer;
    while (s->tried[depth] < (pinned ? 1 : 2)) {
        s->decided[choice] = s->tried[depth]++ == 0 ? wanted : !wanted;
        if (is_possible(s)) {
            return true;
        }
    }
    if (!pinned) {
        s->decided[choice] = REPLAY_OPEN;
    }
    return false;
}

/* The bounds with what is decided before this depth. */
static void restart(search *s)
{
    replay_bounds_start(s->bounds, s->d, s->sample);
    (void)replay_bounds_narrow(s->bounds, s->d, s->decided, s->work);
}

static replay_status find(search *s, replay_error *error)
{
    uint32_t n = s->d->choice_count, depth = 0;
    while (depth < n) {
        if (*s->work <= 0) {
            return replay_fail(error, REPLAY_UNSUPPORTED, -1,
                               "no values of the choices were found that go "
                               "together: give them");
        }
        if (next_value(s, depth)) {
            depth++;
            if (depth < n) {
                s->tried[depth] = 0;
            }
            continue;
        }
        if (depth == 0) {
            return replay_fail(error, REPLAY_NO_EXECUTION, -1,
                               "no values of the symbols obey the facts");
        }
        uint32_t back = choice_at(s, --depth);
        if (back != s->pinned) {
            s->decided[back] = REPLAY_OPEN;
        }
        restart(s);
    }
    return REPLAY_OK;
}

replay_status replay_choices_find(bool *choices, const oracle_document *derived,
                                  uint32_t pinned, bool prefer, uint64_t sample,
                                  int64_t *work, replay_error *error)
{
    int64_t own = REPLAY_MOST_WORK;
    uint32_t n = derived->choice_count;
    search s = {.d = derived,
                .pinned = pinned,
                .prefer = prefer,
                .sample = sample,
                .work = work == NULL ? &own : work};
    replay_status status;
    *error = (replay_error){.task = -1};
    s.decided = malloc((size_t)n + 1);
    s.tried = calloc((size_t)n + 1, 1);
    s.bounds = malloc(((size_t)derived->symbol_count + 1) * sizeof *s.bounds);
    s.candidate =
        malloc(((size_t)derived->symbol_count + 1) * sizeof *s.candidate);
    if (s.decided == NULL || s.tried == NULL || s.bounds == NULL ||
        s.candidate == NULL) {
        status = replay_fail_memory(error);
    } else {
        memset(s.decided, REPLAY_OPEN, n);
        if (pinned != REPLAY_NONE) {
            s.decided[pinned] = choices[pinned];
        }
        restart(&s);
        status = find(&s, error);
    }
    for (uint32_t i = 0; status == REPLAY_OK && i < n; i++) {
        choices[i] = s.decided[i] == REPLAY_TRUE;
    }
    free(s.decided);
    free(s.tried);
    free(s.bounds);
    free(s.candidate);
    return status;
}
