/* Random small graphs, right and wrong ones. */
#ifndef REPLAY_TESTS_RANDOM_GRAPH_H
#define REPLAY_TESTS_RANDOM_GRAPH_H

#include "sim.h"

/* The same for the same seed; at most `most` tasks. */
void random_graph(sim_graph *graph, uint64_t seed, uint32_t most);

#endif
