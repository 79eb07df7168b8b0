/* The real simulator for the verb: --export, --backend a2a3sim. */
#ifndef CLI_REPLAY_SCENES_H
#define CLI_REPLAY_SCENES_H

#include "../options.h"
#include "bridge.h"

typedef struct cli_scenes {
    cli_text lines;   /* for people, a line each */
    cli_text json;    /* "real": what was run; empty: nothing was to be run */
    cli_text scene;   /* "scene": what is in it; empty: none was made */
    cli_text records; /* findings (spec 06), a line each */
} cli_scenes;

/* What is known of the document whose scene it is. */
typedef struct cli_scenes_of {
    const oracle_document *derived;
    cli_allowed allowed;
    const char *digest; /* of the input, 64 hex digits */
} cli_scenes_of;

/*
 * Writes the scene of the document to the folder of --export (all choices true;
 * where that is no execution, as many as can be together, and a line says so),
 * and with --backend a2a3sim runs it with the simpler of --simpler: both modes,
 * and for at most 32 tasks each one as early and as late as can be; then judges
 * what was left behind. Where that simpler cannot be used, or not for this
 * document, a line says why: the embedded simulator is what answers. An exit
 * status; 0 is fine.
 */
int cli_scenes_make(cli_scenes *scenes, const cli_scenes_of *what,
                    const cli_options *options);
void cli_scenes_free(cli_scenes *scenes);

#endif
