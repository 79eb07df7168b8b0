#include "scenes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../command.h"
#include "../totals.h"
#include "real.h"

#define DIRECTED 32 /* tasks up to which each is held back and let go */

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

static void put_case(cli_scenes *s, const replay_program *p,
                     const cli_real_case *c, bool first)
{
    const replay_scene_outcome *o = &c->outcome;
    bool differs = c->ran && o->tasks + o->buffers > 0;
    cli_text_printf(&s->json,
                    "%s{\"buffers\":%" PRIu32 ",\"name\":", first ? "" : ",",
                    c->ran ? o->buffers : 0);
    cli_text_quote(&s->json, c->name);
    cli_text_printf(&s->json, ",\"ran\":%s,\"tasks\":%" PRIu32 "}",
                    c->ran ? "true" : "false", c->ran ? o->tasks : 0);
    s->differs = s->differs || differs;
    if (!c->ran) {
        cli_text_printf(&s->lines, "a2a3sim, %s: did not run\n", c->name);
    } else if (differs) {
        cli_text_printf(&s->lines, "a2a3sim, %s: other bytes", c->name);
        if (o->task != REPLAY_NONE)
            cli_text_printf(&s->lines, ", first read by task %" PRId64,
                            p->tasks[o->task].id);
        cli_text_put(&s->lines, "\n");
    }
}

static void put_cases(cli_scenes *s, const replay_program *p,
                      const cli_real_cases *run)
{
    cli_text_put(&s->json, "\"real\":[");
    for (uint32_t i = 0; i < run->count; i++)
        put_case(s, p, &run->cases[i], i == 0);
    cli_text_put(&s->json, "],");
    cli_text_printf(&s->lines,
                    "a2a3sim: %" PRIu32 " of %" PRIu32 " cases ran, %" PRIu32
                    " left other bytes than program order%s%s\n",
                    run->ran, run->count, run->differing,
                    run->why[0] != '\0' ? "; " : "", run->why);
}

static void fall_back(cli_scenes *s, const char *why)
{
    cli_text_printf(&s->lines,
                    "a2a3sim was not used, the embedded simulator answered: "
                    "%s\n",
                    why);
    cli_text_put(&s->json, "\"real_why\":");
    cli_text_quote(&s->json, why);
    cli_text_put(&s->json, ",");
}

static int export_scene(cli_scenes *s, const replay_scene *scene,
                        const cli_options *o)
{
    replay_error error = {0};
    if (replay_scene_write(scene, o->export_to, &error) != REPLAY_OK)
        return fail(o->files[0], &error);
    cli_text_printf(&s->lines,
                    "the scene is in %s: %" PRIu32 " cases, %" PRIu32
                    " accesses left out\n",
                    o->export_to, scene->cases, scene->left_out);
    return 0;
}

static int run_scene(cli_scenes *s, const replay_scene *scene,
                     const replay_program *p, const cli_options *o)
{
    char why[CLI_REAL_WHY] = "";
    cli_text folder = {0};
    cli_real_cases run = {0};
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
    if (cli_real_run(&run, scene, folder.data, &spec, why)) {
        put_cases(s, p, &run);
        cli_real_cases_free(&run);
    } else {
        fall_back(s, why);
    }
    cli_text_printf(&s->lines, "a2a3sim: the scene is in %s\n", folder.data);
    cli_text_free(&folder);
    return 0;
}

int cli_scenes_make(cli_scenes *scenes, const oracle_document *derived,
                    const cli_options *options)
{
    bool real =
        options->backend != NULL && strcmp(options->backend, "a2a3sim") == 0;
    replay_program program;
    replay_scene scene;
    replay_error error = {0};
    replay_scene_schedule schedules[2 * DIRECTED];
    replay_scene_options how = {.schedules = schedules};
    replay_choice choice = {.plan = true, .perhaps = true};
    int code = 0;
    if (!real && options->export_to == NULL)
        return 0;
    if (replay_program_make(&program, derived, &choice, &error) != REPLAY_OK)
        return fail(options->files[0], &error);
    list_schedules(schedules, &how.schedule_count, &program);
    if (replay_scene_make(&scene, &program, &how, &error) != REPLAY_OK) {
        code = fail(options->files[0], &error);
    } else {
        code = real ? run_scene(scenes, &scene, &program, options)
                    : export_scene(scenes, &scene, options);
        replay_scene_free(&scene);
    }
    replay_program_free(&program);
    return code;
}

void cli_scenes_free(cli_scenes *scenes)
{
    cli_text_free(&scenes->lines);
    cli_text_free(&scenes->json);
    *scenes = (cli_scenes){0};
}
