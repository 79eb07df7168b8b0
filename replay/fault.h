/* How a function of this room fails: it fills the error and says so. */
#ifndef REPLAY_FAULT_H
#define REPLAY_FAULT_H

#include "replay/program.h"

/* Returns `status`; `task` is an id, or -1. A message is cut at 511 bytes. */
replay_status replay_fail(replay_error *error, replay_status status,
                          int64_t task, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

replay_status replay_fail_memory(replay_error *error);
replay_status replay_fail_stopped(replay_error *error);

/* Whether somebody says that it is enough. */
bool replay_stopped(const replay_program *program);

#endif
