/*
 * Memory for the trees of cJSON in a process that answers one request after
 * the other: pieces are taken from the front of large blocks and given back
 * all at once, when the last tree is gone. A tree is thousands of small pieces;
 * malloc and free of each take longer than reading the text.
 */
#ifndef CLI_POOL_H
#define CLI_POOL_H

/*
 * From now on cJSON takes its memory from the pool, in the whole process:
 * before the first tree, and never in one with several threads.
 */
void cli_pool_use(void);

#endif
