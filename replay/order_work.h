/* Orders of many schedules, without memory for each. */
#ifndef REPLAY_ORDER_WORK_H
#define REPLAY_ORDER_WORK_H

#include "replay/run.h"

/* As replay_order; `scratch` has 2 * task_count items. */
void replay_order_make(uint32_t *order, const replay_program *program,
                       replay_schedule schedule, uint32_t task,
                       uint32_t *scratch);

#endif
