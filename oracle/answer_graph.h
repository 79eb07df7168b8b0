/* The task graph of an answer against what it must be. */
#ifndef ORACLE_ANSWER_GRAPH_H
#define ORACLE_ANSWER_GRAPH_H

#include "answer_work.h"

/*
 * Compares the member with the text of a graph, of which every field counts
 * that docs/task-graph.md fixes: at most one finding for each of the document,
 * buffers, tasks and edges. Linear where it is the same text, else a sort of
 * the edges more.
 */
bool answer_compare_graph(answering *a, const oracle_out *text);

#endif
