/* A text that grows: what the writers of this room put their bytes into. */
#ifndef REPLAY_TEXT_H
#define REPLAY_TEXT_H

#include "replay/program.h"

/* {0} is empty. Without memory nothing more is added, and `failed` is set. */
typedef struct replay_text {
    char *data;
    size_t length, room;
    bool failed;
} replay_text;

void replay_text_bytes(replay_text *text, const char *data, size_t length);
void replay_text_add(replay_text *text, const char *plain);
void replay_text_number(replay_text *text, uint64_t number);
void replay_text_format(replay_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3))); /* up to 255 bytes */

/* Between the quotes of a JSON string. */
void replay_text_json(replay_text *text, const char *data, size_t length);

/* In the text of XML or between its quotes. What cannot be seen, or turns text
   round, is shown as its number: \u202e. Valid UTF-8. */
void replay_text_xml(replay_text *text, const char *data, size_t length);

/* How many places the first character takes as it is shown, letters beyond the
   Latin ones two; *width: how many bytes it has. */
size_t replay_text_places(const char *data, size_t length, size_t *width);

/* Gives the text away, with a NUL behind it: the caller frees *data with
   free(). Where it failed that is REPLAY_NO_MEMORY. */
replay_status replay_text_give(char **data, size_t *length, replay_text *text,
                               replay_error *error);

#endif
