#include "fault.h"

#include <stdarg.h>
#include <stdio.h>

replay_status replay_fail(replay_error *error, replay_status status,
                          int64_t task, const char *format, ...)
{
    va_list args;
    error->status = status;
    error->task = task;
    va_start(args, format);
    vsnprintf(error->message, sizeof error->message, format, args);
    va_end(args);
    return status;
}

replay_status replay_fail_memory(replay_error *error)
{
    return replay_fail(error, REPLAY_NO_MEMORY, -1, "there is no memory left");
}

replay_status replay_fail_stopped(replay_error *error)
{
    return replay_fail(error, REPLAY_STOPPED, -1, "the time is over");
}

bool replay_stopped(const replay_program *program)
{
    const replay_stop *stop = program->stop;
    return stop != NULL && stop->over(stop->context);
}
