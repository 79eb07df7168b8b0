/*
 * The real simulator: scenes (replay/scene.h) run with the user's own simpler,
 * as child processes with limits on time and memory (docs/scene.md). What it
 * was is told by what it leaves behind, never by what it prints.
 */
#ifndef CLI_REPLAY_REAL_H
#define CLI_REPLAY_REAL_H

#include "replay/scene.h"

#include "../text.h"

typedef struct cli_real_spec {
    const char *simpler; /* its folder */
    const char *python;  /* NULL: python3 */
    int64_t timeout_ms;  /* of one process, compiling included */
    int64_t memory;      /* bytes resident; 0: no limit */
} cli_real_spec;

#define CLI_REAL_WHY 512
#define CLI_REAL_COMMIT 41

/* What a case left behind. */
typedef struct cli_real_case {
    replay_scene_line line;
    bool ran;                     /* it left bytes behind */
    uint32_t broken;              /* processes that ended at it: 0 to 2 */
    char *why;                    /* how the last of those did; or NULL */
    replay_scene_outcome outcome; /* of those bytes */
} cli_real_case;

typedef struct cli_real_cases {
    cli_real_case *cases; /* as in schedules.txt */
    uint32_t count;
    uint32_t ran, differing;
} cli_real_cases;

/*
 * Whether that simpler is one that we know (`why` has CLI_REAL_WHY bytes, as
 * below): the six tasks of
 * replay_scene_probe, in both modes, in a folder of its own (in TMPDIR, else
 * /tmp) that goes again. False: `why` is a sentence; use the embedded
 * simulator. The manual mode has to leave what program order leaves; of the
 * automatic one, which may lack an order, only the form counts. Takes as long
 * as a scene (some 10 s, most of it in the compiler).
 */
bool cli_real_probe(char *why, const cli_real_spec *spec);

/*
 * Writes the scene into `folder` (new or empty) and runs its cases: the two
 * modes with the records of their run, then, where one of them left something
 * behind, the directed ones. A process that ends early is followed by one with
 * the cases that are left, up to 16 for either group; a case that two of them
 * end at is left out. Each says how often that was, also where it ran then: the
 * simulator itself may break down while it starts (docs/scene.md), but so may a
 * program. What was printed is in `folder`/run.log. False with
 * a message when nothing was run; else free with cli_real_cases_free.
 */
bool cli_real_run(cli_real_cases *run, const replay_scene *scene,
                  const char *folder, const cli_real_spec *spec, char *why);
/* The cases of whose runs there are records: the first, or the first two. */
uint32_t cli_real_modes(const replay_scene *scene);

/* Which simpler that is, 40 hex digits; empty where it is no checkout of git,
 * or git is not there. */
void cli_real_commit(char commit[CLI_REAL_COMMIT], const cli_real_spec *spec);

/* A new empty folder for a scene, in TMPDIR, else /tmp. */
bool cli_real_folder(cli_text *folder, char *why);

/* How the first case that did not run was ended; where none was, that
 * processes were ended too often. Borrowed. */
const char *cli_real_why(const cli_real_cases *run);
void cli_real_cases_free(cli_real_cases *run);

/* Appends the bytes of folder/out/NAME.WHAT; false: it is not there, or cannot
 * be read. WHAT: "bin", "deps.json", "chip_swimlane_records.json". */
bool cli_real_read(cli_text *out, const char *folder, const char *name,
                   const char *what);

#endif
