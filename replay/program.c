#include "program_work.h"

#include <stdlib.h>
#include <string.h>

static replay_status restrict_document(replay_maker *maker)
{
    replay_program *p = maker->program;
    const bool *choices = maker->choice->choices;
    oracle_error error;
    oracle_document *restricted =
        replay_arena_array(p->arena, 1, sizeof *restricted);
    maker->own = malloc((size_t)maker->d->choice_count + 1);
    if (maker->own == NULL || restricted == NULL) {
        return replay_fail_memory(maker->error);
    }
    if (choices == NULL) {
        replay_status status = replay_choices_find(
            maker->own, maker->d, REPLAY_NONE, true, maker->choice->sample,
            maker->choice->work, maker->error);
        if (status != REPLAY_OK) {
            return status;
        }
        choices = maker->own;
    }
    if (oracle_document_restrict(restricted, maker->d, choices, &error) !=
        ORACLE_OK) {
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
