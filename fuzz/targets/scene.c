/*
 * Scenes: any document that can be replayed, with its choices all true. The
 * table holds to its own limits, names stay comments, what is compared with
 * itself is equal, and it is the same twice.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "replay/scene.h"

#define MOST_BYTES ((int64_t)1 << 20) /* of the memory */
#define MOST_TASKS 4                  /* with schedules */

/* Numbers in lines, and comments in ASCII. */
static void check_table(const char *text, size_t length)
{
    bool comment = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        check(c == '\n' || (c >= 0x20 && c < 0x7f));
        comment = c == '#' || (comment && c != '\n');
        check(comment || strchr("-0123456789 \n", c) != NULL);
    }
}

static void check_scene(const replay_scene *scene)
{
    replay_scene_outcome outcome;
    replay_error error;
    replay_scene_line line;
    check_table(scene->score, scene->score_length);
    check(replay_scene_compare(&outcome, scene, scene->expected,
                               scene->expected_length, &error) == REPLAY_OK);
    check(outcome.tasks + outcome.buffers == 0);
    for (uint32_t i = 0; i <= scene->cases; i++)
        check(replay_scene_case(&line, scene, i) == (i < scene->cases));
}

static void make_twice(const replay_program *program)
{
    replay_scene scenes[2];
    replay_scene_schedule schedules[2 * MOST_TASKS];
    replay_scene_options options = {.max_bytes = MOST_BYTES,
                                    .schedules = schedules};
    replay_error error;
    for (uint32_t i = 0; i < program->task_count && i < MOST_TASKS; i++) {
        schedules[options.schedule_count++] =
            (replay_scene_schedule){REPLAY_EAGER, i, i % 2 == 0};
        schedules[options.schedule_count++] =
            (replay_scene_schedule){REPLAY_LAZY, i, i % 2 == 1};
    }
    if (replay_scene_make(&scenes[0], program, &options, &error) != REPLAY_OK) {
        check(error.message[0] != '\0');
        return;
    }
    check(replay_scene_make(&scenes[1], program, &options, &error) ==
          REPLAY_OK);
    check_scene(&scenes[0]);
    check(scenes[0].score_length == scenes[1].score_length &&
          memcmp(scenes[0].score, scenes[1].score, scenes[0].score_length) ==
              0);
    check(scenes[0].expected_length == scenes[1].expected_length &&
          memcmp(scenes[0].expected, scenes[1].expected,
                 scenes[0].expected_length) == 0);
    replay_scene_free(&scenes[0]);
    replay_scene_free(&scenes[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oracle_document document;
    oracle_error problem;
    replay_program program;
    replay_error error;
    const replay_choice choice = {.plan = true, .perhaps = true};
    if (oracle_document_read(&document, (const char *)data, size, NULL,
                             &problem) != ORACLE_OK)
        return 0;
    if (oracle_document_derive(&document, &problem) == ORACLE_OK &&
        replay_program_make(&program, &document, &choice, &error) ==
            REPLAY_OK) {
        make_twice(&program);
        replay_program_free(&program);
    }
    oracle_document_free(&document);
    return 0;
}
