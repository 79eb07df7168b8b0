/* Documents for the tests of scenes, and tables read again. */
#ifndef TESTS_SCENE_INPUT_H
#define TESTS_SCENE_INPUT_H

#include "replay/scene.h"

typedef struct scene_input {
    oracle_document document;
    replay_program program;
    bool made; /* the program */
    replay_scene scene;
    replay_error error;
} scene_input;

/* Reads a document and derives its edges; the test fails when it cannot. */
void scene_input_text(scene_input *input, const char *text);
replay_status scene_input_make(scene_input *input,
                               const replay_scene_options *options);
void scene_input_free(scene_input *input);

/* The bytes of a file with a NUL behind them; NULL: it is not there. */
char *scene_input_read(const char *path, size_t *length);

/* The numbers of score.txt. */
typedef struct scene_table {
    int64_t *words;
    size_t count;
} scene_table;

void scene_table_read(scene_table *table, const replay_scene *scene);

#endif
