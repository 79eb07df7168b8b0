#include "program_work.h"

#include <stdlib.h>
#include <string.h>

/* Whether the values of the choices up to the last of a clash are those that
 * no execution has. */
static bool clashes(const oracle_document *d, const oracle_clash *clash,
                    const bool *values)
{
    bool all = true;
    for (uint32_t i = 0; all && i < clash->whens; i++) {
        const oracle_when *when = &d->whens[clash->first_when + i];
        all = values[when->choice] == when->is;
    }
    return all;
}

/* All true, but for those that do not go with the ones before them. */
static bool choose(const oracle_document *d, bool *values)
{
    uint32_t n = d->choice_count;
    uint32_t *first = malloc(((size_t)n + d->clash_count) * sizeof *first);
    if (first == NULL) {
        return false;
    }
    uint32_t *next = first + n;
    for (uint32_t c = 0; c < n; c++) {
        first[c] = REPLAY_NONE;
    }
    for (uint32_t i = 0; i < d->clash_count; i++) {
        const oracle_clash *clash = &d->clashes[i];
        uint32_t last = 0;
        for (uint32_t k = 0; k < clash->whens; k++) {
            uint32_t choice = d->whens[clash->first_when + k].choice;
            last = choice > last ? choice : last;
        }
        next[i] = first[last];
        first[last] = i;
    }
    for (uint32_t c = 0; c < n; c++) {
        values[c] = true;
        for (uint32_t i = first[c]; i != REPLAY_NONE && values[c];
             i = next[i]) {
            values[c] = !clashes(d, &d->clashes[i], values);
        }
    }
    free(first);
    return true;
}

static replay_status restrict_document(replay_maker *maker)
{
    replay_program *p = maker->program;
    const bool *choices = maker->choice->choices;
    maker->own = malloc((size_t)maker->d->choice_count + 1);
    oracle_document *restricted =
        replay_arena_array(p->arena, 1, sizeof *restricted);
    bool done = maker->own != NULL && restricted != NULL &&
                (choices != NULL || choose(maker->d, maker->own));
    oracle_error error;
    if (!done ||
        oracle_document_restrict(restricted, maker->d,
                                 choices == NULL ? maker->own : choices,
                                 &error) != ORACLE_OK) {
        return replay_fail_memory(maker->error);
    }
    p->restricted = restricted;
    p->document = maker->d = restricted;
    return REPLAY_OK;
}

static replay_status make_parts(replay_maker *maker)
{
    replay_program *p = maker->program;
    replay_status status = REPLAY_OK;
    if (maker->d->rules != ORACLE_RULES_NONE) {
        return replay_fail(maker->error, REPLAY_UNSUPPORTED, -1,
                           "the automatic edges are not derived yet");
    }
    if (maker->d->choice_count > 0) {
        status = restrict_document(maker);
    }
    status = status == REPLAY_OK ? replay_values_find(maker) : status;
    status = status == REPLAY_OK ? replay_accesses_make(maker) : status;
    status = status == REPLAY_OK ? replay_edges_make(maker) : status;
    status = status == REPLAY_OK ? replay_cells_make(maker) : status;
    if (status != REPLAY_OK) {
        return status;
    }
    replay_bytes_count(maker);
    replay_access *kept =
        replay_arena_array(p->arena, p->access_count, sizeof *kept);
    if (kept == NULL) {
        return replay_fail_memory(maker->error);
    }
    if (p->access_count > 0) {
        memcpy(kept, p->accesses, p->access_count * sizeof *kept);
    }
    free(p->accesses);
    p->accesses = kept;
    maker->access_room = 0;
    status = replay_elsewhere_find(maker);
    return status == REPLAY_OK ? replay_fresh_find(maker) : status;
}

replay_status replay_program_make(replay_program *program,
                                  const oracle_document *derived,
                                  const replay_choice *choice,
                                  replay_error *error)
{
    static const replay_choice plain = {.plan = true};
    replay_maker maker = {.program = program,
                          .d = derived,
                          .derived = derived,
                          .choice = choice == NULL ? &plain : choice,
                          .error = error};
    *program =
        (replay_program){.document = derived, .stop = maker.choice->stop};
    *error = (replay_error){.task = -1};
    program->arena = replay_arena_create();
    if (program->arena == NULL) {
        return replay_fail_memory(error);
    }
    replay_status status = make_parts(&maker);
    free(maker.rows.rows);
    free(maker.wholes);
    free(maker.ranges);
    free(maker.first_cell);
    free(maker.own);
    if (maker.access_room > 0) {
        free(program->accesses);
    }
    if (status != REPLAY_OK) {
        replay_program_free(program);
    }
    return status;
}

void replay_program_free(replay_program *program)
{
    if (program->restricted != NULL) {
        oracle_document_free(program->restricted);
    }
    replay_arena_free(program->arena);
    *program = (replay_program){0};
}
