#include "scenes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../totals.h"
#include "real_tell.h"

#define MOST_TRIED 256 /* choices of which an execution is sought */
#define DIRECTED 32    /* tasks up to which each is held back and let go */

static int fail(const char *what, const replay_error *error)
{
    return cli_complain(error->status == REPLAY_NO_MEMORY ? CLI_EXIT_FAULT
                                                          : CLI_EXIT_USAGE,
                        "%s: %s", what, error->message);
}

static void list_schedules(replay_scene_schedule *list, uint32_t *count,
                           const replay_program *p)
{
    *count = 0;
    for (uint32_t t = 0; p->task_count <= DIRECTED && t < p->task_count; t++) {
        list[(*count)++] = (replay_scene_schedule){REPLAY_EAGER, t, false};
        list[(*count)++] = (replay_scene_schedule){REPLAY_LAZY, t, false};
    }
}

/* --- A run --- */

static void fall_back(cli_scenes *s, const char *why)
{
    cli_text_printf(&s->lines,
                    "a2a3sim was not used, the embedded simulator answered: "
                    "%s\n",
                    why);
    cli_text_put(&s->json, "{\"backend\":\"embedded\",\"why\":");
    cli_text_quote(&s->json, why);
    cli_text_put(&s->json, "}");
}

static int export_scene(cli_scenes *s, const replay_scene *scene,
                        const cli_options *o)
{
    replay_error error = {0};
    if (replay_scene_write(scene, o->export_to, &error) != REPLAY_OK)
        return fail(o->files[0], &error);
    cli_text_printf(&s->lines, "the scene is in %s: %" PRIu32 " case%s\n",
                    o->export_to, scene->cases, scene->cases == 1 ? "" : "s");
    return 0;
}

/* What is found in the record of a case that claims nothing only counts. */
static bool judge_record(cli_scenes *s, cli_real_record *record,
                         const cli_real_told *told, const cli_real_case *c,
                         const char *folder)
{
    cli_text unclaimed = {0};
    bool claimed = cli_real_claims(told, c);
    bool ok = cli_real_judge(record, claimed ? &s->records : &unclaimed,
                             told->scene, &c->line, folder, told->what->digest);
    cli_text_free(&unclaimed);
    return ok;
}

/* Judges what the modes left behind, and tells all. */
static int judge(cli_scenes *s, cli_real_told *told, const char *folder)
{
    cli_real_record records[2] = {0};
    told->records = records;
    for (uint32_t i = 0; i < cli_real_modes(told->scene); i++) {
        const cli_real_case *c = &told->run->cases[i];
        if (c->ran && !judge_record(s, &records[i], told, c, folder))
            return cli_complain(CLI_EXIT_FAULT, "out of memory");
    }
    cli_real_tell(s, told);
    return 0;
}

static int run_in(cli_scenes *s, const cli_scenes_of *what,
                  const replay_scene *scene, const char *folder,
                  const cli_real_spec *spec)
{
    char why[CLI_REAL_WHY] = "", commit[CLI_REAL_COMMIT];
    cli_real_cases run = {0};
    cli_real_told told = {
        .what = what, .scene = scene, .run = &run, .commit = commit};
    int code = 0;
    cli_real_commit(commit, spec);
    if (cli_real_run(&run, scene, folder, spec, why)) {
        code = judge(s, &told, folder);
        cli_real_cases_free(&run);
    } else {
        fall_back(s, why);
    }
    cli_text_printf(&s->lines, "a2a3sim: the scene is in %s\n", folder);
    return code;
}

static int run_scene(cli_scenes *s, const cli_scenes_of *what,
                     const replay_scene *scene, const cli_options *o)
{
    char why[CLI_REAL_WHY] = "";
    cli_text folder = {0};
    cli_real_spec spec = {.simpler = o->simpler,
                          .timeout_ms =
                              (o->timeout > 0 ? o->timeout : 600) * 1000,
                          .memory = o->memory > 0 ? o->memory * 1000000 : 0};
    if (!cli_real_probe(why, &spec)) {
        fall_back(s, why);
        return o->export_to == NULL ? 0 : export_scene(s, scene, o);
    }
    if (o->export_to != NULL)
        cli_text_put(&folder, o->export_to);
    else if (!cli_real_folder(&folder, why))
        return cli_complain(CLI_EXIT_FAULT, "%s", why);
    int code = folder.failed ? cli_complain(CLI_EXIT_FAULT, "out of memory")
                             : run_in(s, what, scene, folder.data, &spec);
    cli_text_free(&folder);
    return code;
}

/* What is in it, and what is not and why. */
static void tell_scene(cli_scenes *s, const replay_scene *scene,
                       const cli_options *o)
{
    cli_text_put(&s->scene, "{\"automatic\":");
    cli_text_put(&s->scene, scene->automatic ? "true" : "false");
    cli_text_printf(&s->scene,
                    ",\"cases\":%" PRIu32 ",\"folder\":", scene->cases);
    if (o->export_to != NULL)
        cli_text_quote(&s->scene, o->export_to);
    else
        cli_text_put(&s->scene, "null");
    cli_text_printf(&s->scene, ",\"left_out\":%" PRIu32 ",\"scaled\":%s",
                    scene->left_out, scene->scaled ? "true" : "false");
    if (!scene->automatic) {
        cli_text_put(&s->scene, ",\"why\":");
        cli_text_quote(&s->scene, scene->why_manual);
    }
    cli_text_put(&s->scene, "}");
    if (scene->left_out > 0) {
        bool one = scene->left_out == 1;
        cli_text_printf(&s->lines,
                        "%" PRIu32
                        " access%s not in the scene, or in part: nobody knows "
                        "which bytes %s (bounds, unknown arguments), or nobody "
                        "wrote what is read; the embedded simulator has "
                        "replayed %s\n",
                        scene->left_out, one ? " is" : "es are",
                        one ? "it touches" : "they touch", one ? "it" : "them");
    }
    if (!scene->automatic && o->backend == NULL)
        cli_text_printf(&s->lines, "the scene has no automatic cases: %s\n",
                        scene->why_manual);
}

static int make_scene(cli_scenes *s, const cli_scenes_of *what,
                      const replay_program *program, const cli_options *o,
                      bool real)
{
    replay_scene scene;
    replay_error error = {0};
    replay_scene_schedule schedules[2 * DIRECTED];
    replay_scene_options how = {.schedules = schedules};
    list_schedules(schedules, &how.schedule_count, program);
    replay_status status = replay_scene_make(&scene, program, &how, &error);
    if (status == REPLAY_OK) {
        tell_scene(s, &scene, o);
        int code =
            real ? run_scene(s, what, &scene, o) : export_scene(s, &scene, o);
        replay_scene_free(&scene);
        return code;
    }
    if (!real || o->export_to != NULL || status == REPLAY_NO_MEMORY)
        return fail(o->files[0], &error);
    fall_back(s, error.message);
    return 0;
}

/* Which choices are false, in the program that was made. */
static void tell_choices(cli_scenes *s, const oracle_document *d,
                         const bool *choices)
{
    cli_text_put(&s->lines,
                 "the scene is of the execution in which these choices are "
                 "false:");
    for (uint32_t i = 0, told = 0; i < d->choice_count; i++)
        if (!choices[i])
            cli_text_printf(&s->lines, "%s %" PRId64, told++ > 0 ? "," : "",
                            d->choices[i].id);
    cli_text_put(&s->lines, "\n");
}

/*
 * All choices true; where that is no execution, as many as can be together with
 * those before them. Why all true is none, if there is none with a task.
 */
static replay_status make_program(cli_scenes *s, replay_program *program,
                                  const oracle_document *d, replay_error *error)
{
    bool *choices = calloc((size_t)d->choice_count + 1, 1);
    replay_choice choice = {.plan = true, .choices = choices};
    replay_error other;
    replay_status status =
        choices == NULL
            ? REPLAY_NO_MEMORY
            : cli_replay_program(program, d, &choice, choices, error);
    if (status == REPLAY_OK && memchr(choices, false, d->choice_count) != NULL)
        tell_choices(s, d, choices);
    if (status == REPLAY_OK || choices == NULL ||
        d->choice_count > MOST_TRIED) {
        free(choices);
        return status;
    }
    memset(choices, false, d->choice_count);
    for (uint32_t i = 0; i < d->choice_count; i++) {
        choices[i] = true;
        if (cli_replay_is_excluded(d, choices) ||
            replay_program_make(program, d, &choice, &other) != REPLAY_OK)
            choices[i] = false;
        else
            replay_program_free(program);
    }
    if (replay_program_make(program, d, &choice, &other) == REPLAY_OK) {
        status = program->task_count > 0 ? REPLAY_OK : status;
        if (status == REPLAY_OK)
            tell_choices(s, d, choices);
        else
            replay_program_free(program);
    }
    free(choices);
    return status;
}

int cli_scenes_make(cli_scenes *scenes, const cli_scenes_of *what,
                    const cli_options *options)
{
    bool real =
        options->backend != NULL && strcmp(options->backend, "a2a3sim") == 0;
    replay_program program;
    replay_error error = {0};
    if (!real && options->export_to == NULL)
        return 0;
    replay_status status =
        make_program(scenes, &program, what->derived, &error);
    if (status == REPLAY_OK) {
        int code = make_scene(scenes, what, &program, options, real);
        replay_program_free(&program);
        return code;
    }
    if (!real || options->export_to != NULL || status == REPLAY_NO_MEMORY)
        return fail(options->files[0], &error);
    fall_back(scenes, error.message);
    return 0;
}

void cli_scenes_free(cli_scenes *scenes)
{
    cli_text_free(&scenes->lines);
    cli_text_free(&scenes->json);
    cli_text_free(&scenes->scene);
    cli_text_free(&scenes->records);
    *scenes = (cli_scenes){0};
}
