#include "memory_work.h"

replay_status replay_run(replay_result *result, const replay_program *program,
                         const uint32_t *order, const replay_variant *variant,
                         replay_error *error)
{
    replay_memory *m;
    *error = (replay_error){.task = -1};
    *result = (replay_result){0};
    replay_status status = replay_memory_start(&m, program, variant, error);
    if (status != REPLAY_OK) {
        return status;
    }
    replay_memory_run(m, order);
    status = replay_stopped(program) ? replay_fail_stopped(error) : REPLAY_OK;
    if (status == REPLAY_OK) {
        *result = m->result;
        m->result = (replay_result){0};
    }
    replay_memory_free(m);
    return status;
}
