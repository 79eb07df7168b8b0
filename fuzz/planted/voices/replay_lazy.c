/* The simulator has no lazy schedules. */
#include "../../../replay/order_work.h"

void __real_replay_order_make(uint32_t *order, const replay_program *program,
                              replay_schedule schedule, uint32_t task,
                              uint32_t *scratch);
void __wrap_replay_order_make(uint32_t *order, const replay_program *program,
                              replay_schedule schedule, uint32_t task,
                              uint32_t *scratch);

void __wrap_replay_order_make(uint32_t *order, const replay_program *program,
                              replay_schedule schedule, uint32_t task,
                              uint32_t *scratch)
{
    __real_replay_order_make(order, program,
                             schedule == REPLAY_LAZY ? REPLAY_LEGAL : schedule,
                             task, scratch);
}
