#include "scene_input.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_input_text(scene_input *input, const char *text)
{
    oracle_error error;
    *input = (scene_input){0};
    if (oracle_document_read(&input->document, text, strlen(text), NULL,
                             &error) != ORACLE_OK ||
        oracle_document_derive(&input->document, &error) != ORACLE_OK) {
        fail_msg("%s", error.message);
    }
}

replay_status scene_input_make(scene_input *input,
                               const replay_scene_options *options)
{
    const replay_choice choice = {.plan = true, .perhaps = true};
    replay_status status = replay_program_make(
        &input->program, &input->document, &choice, &input->error);
    input->made = status == REPLAY_OK;
    return input->made ? replay_scene_make(&input->scene, &input->program,
                                           options, &input->error)
                       : status;
}

void scene_input_free(scene_input *input)
{
    replay_scene_free(&input->scene);
    if (input->made) {
        replay_program_free(&input->program);
    }
    oracle_document_free(&input->document);
}

char *scene_input_read(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = malloc((size_t)size + 1);
        assert_non_null(text);
        *length = fread(text, 1, (size_t)size, file);
        text[*length] = '\0';
    }
    fclose(file);
    return text;
}

void scene_table_read(scene_table *table, const replay_scene *scene)
{
    const char *at = scene->score;
    *table = (scene_table){malloc(8 * scene->score_length), 0};
    assert_non_null(table->words);
    while (*at != '\0') {
        char *end;
        if (*at == '#') {
            at += strcspn(at, "\n");
        } else if (*at == ' ' || *at == '\n') {
            at++;
        } else {
            table->words[table->count++] = strtoll(at, &end, 10);
            assert_true(end > at);
            at = end;
        }
    }
    assert_int_equal(table->count, table->words[7]);
}
