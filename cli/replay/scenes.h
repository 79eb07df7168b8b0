/* The real simulator for the verb: --export, --backend a2a3sim. */
#ifndef CLI_REPLAY_SCENES_H
#define CLI_REPLAY_SCENES_H

#include "../options.h"
#include "../text.h"
#include "oracle/document.h"

typedef struct cli_scenes {
    cli_text lines; /* for people, a line each */
    cli_text json;  /* members with a comma behind, or empty */
    bool differs;   /* some case left other bytes than program order */
} cli_scenes;

/*
 * Writes the scene of the document, all choices true, to the folder of
 * --export, and with --backend a2a3sim runs it with the simpler of --simpler:
 * both modes, and for at most 32 tasks each one as early and as late as can
 * be. Where that simpler cannot be used a line says why: the embedded simulator
 * is what answers. An exit status; 0 is fine.
 */
int cli_scenes_make(cli_scenes *scenes, const oracle_document *derived,
                    const cli_options *options);
void cli_scenes_free(cli_scenes *scenes);

#endif
