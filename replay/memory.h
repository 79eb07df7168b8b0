/*
 * The bytes of a run while it goes on, a task at a time. A run in an order
 * (run.c) reads and writes at once; the machine (machine.c) lets a task read
 * when it begins and write when it ends, and others in between.
 */
#ifndef REPLAY_MEMORY_H
#define REPLAY_MEMORY_H

#include "replay/run.h"

typedef struct replay_memory replay_memory;

/*
 * Memory in which nobody has written yet but, with host_first, the host. It
 * borrows the program and the variant (NULL: all of it zero). Free it with
 * replay_memory_free. O(cells + tasks).
 */
replay_status replay_memory_start(replay_memory **memory,
                                  const replay_program *program,
                                  const replay_variant *variant,
                                  replay_error *error);

/* A hint: the task is about to read. It asks for some of its cells, so that
 * they are near when it does. Constant. */
void replay_memory_expect(const replay_memory *memory, uint32_t task);

/* A task reads all that it reads: result.inputs and sources of it. Each task
 * once, then replay_memory_write once. O(cells touched). */
void replay_memory_read(replay_memory *memory, uint32_t task);

/* A task writes what follows from its token and what it has read. */
void replay_memory_write(replay_memory *memory, uint32_t task);

/* The caller reads at the end; the result is no longer the memory's: free it
 * with replay_result_free. O(cells of external buffers). */
replay_status replay_memory_finish(replay_result *result, replay_memory *memory,
                                   replay_error *error);

void replay_memory_free(replay_memory *memory); /* NULL does nothing */

#endif
