/*
 * What the records of a run say: the edges that the real runtime made, against
 * those of the program, and its times, against those edges and the accesses of
 * the program (docs/scene.md, "What is judged").
 */
#ifndef CLI_REPLAY_REAL_JUDGE_H
#define CLI_REPLAY_REAL_JUDGE_H

#include "real.h"

typedef struct cli_real_record {
    bool read;       /* deps.json is there, and of this scene */
    bool timed;      /* so is its trace */
    bool whole;      /* ... and it was judged with the program's accesses */
    uint32_t errors; /* of that judgement, about this run */
    replay_scene_edges edges;
    char why[CLI_REAL_WHY]; /* a sentence: what was not judged; or empty */
} cli_real_record;

/*
 * Judges what a case of `manual` or `automatic` left in `folder`. Findings
 * about the run (trace.*, runtime.*) are added to `findings`, a line each;
 * `digest` is the input's. False only when memory ran out.
 */
bool cli_real_judge(cli_real_record *record, cli_text *findings,
                    const replay_scene *scene, const replay_scene_line *line,
                    const char *folder, const char *digest);

#endif
