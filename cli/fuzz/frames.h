/* Of what a crash has printed: where it happened. */
#ifndef CLI_FUZZ_FRAMES_H
#define CLI_FUZZ_FRAMES_H

#include <stddef.h>

/*
 * The three topmost functions of ours in the first backtrace of a text, ours
 * (cli/crash.h) or a sanitizer's, as "inner < middle < outer"; "" where there
 * is none. No address, line or path is in it.
 */
void cli_frames_find(char *frames, size_t size, const char *text,
                     size_t length);

#endif
