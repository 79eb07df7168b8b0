/*
 * The runner of the real simulator, with a shell script in the place of
 * Python: it leaves behind what a run would. That the real one does is shown
 * where it can be had (docs/scene.md).
 */
#include "../replay/real.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct place {
    char base[64], python[80], folder[80];
    cli_real_spec spec;
    oracle_document document;
    replay_program program;
    replay_scene scene;
    char why[CLI_REAL_WHY];
} place;

/* `script` is run for each case, with its name in $c. */
static void make_place(place *p, const char *script)
{
    const replay_scene_schedule lazy = {REPLAY_LAZY, 2, true};
    const replay_scene_options options = {.schedules = &lazy,
                                          .schedule_count = 1};
    oracle_error problem;
    replay_error error;
    *p = (place){.base = "/tmp/counterpoint-real-XXXXXX"};
    assert_non_null(mkdtemp(p->base));
    snprintf(p->python, sizeof p->python, "%s/it's python", p->base);
    snprintf(p->folder, sizeof p->folder, "%s/scene", p->base);
    FILE *file = fopen(p->python, "w");
    assert_non_null(file);
    fprintf(file,
            "#!/bin/sh\nbase='%s'\nmkdir -p out\nwhile [ $# -gt 0 ]; do\n"
            "if [ \"$1\" = --case ]; then c=$2; shift\n%s\nfi\nshift\ndone\n",
            p->base, script);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(chmod(p->python, 0700), 0);
    p->spec = (cli_real_spec){.simpler = p->base,
                              .python = p->python,
                              .timeout_ms = 60000,
                              .memory = (int64_t)1 << 30};
    assert_int_equal(oracle_document_read(&p->document, replay_scene_probe,
                                          strlen(replay_scene_probe), NULL,
                                          &problem),
                     ORACLE_OK);
    assert_int_equal(
        replay_program_make(&p->program, &p->document, NULL, &error),
        REPLAY_OK);
    assert_int_equal(
        replay_scene_make(&p->scene, &p->program, &options, &error), REPLAY_OK);
}

static void free_place(place *p)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", p->base);
    assert_int_equal(system(command), 0);
    replay_scene_free(&p->scene);
    replay_program_free(&p->program);
    oracle_document_free(&p->document);
}

/* What the simulator reads before it writes it has to be zero. */
static void memory_is_zero(const place *p)
{
    char path[128], line[512] = "", *rest;
    snprintf(path, sizeof path, "%s/path", p->base);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    assert_int_equal(strtol(line, &rest, 10), 255);
    assert_int_equal(*rest, ':');
    assert_non_null(strstr(rest, p->base));
}

static void what_is_left_is_compared(void **state)
{
    (void)state;
    place p;
    cli_real_cases run;
    cli_text record = {0};
    make_place(&p, "echo \"$MALLOC_PERTURB_:$PYTHONPATH\" >$base/path\n"
                   "cp expected.bin out/$c.bin\n"
                   "[ $c != automatic ] || printf x | dd of=out/$c.bin bs=1 "
                   "seek=40 conv=notrunc 2>/dev/null\n"
                   "echo '{}' >out/$c.deps.json");
    assert_true(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    assert_int_equal(run.count, 3);
    assert_int_equal(run.ran, 3);
    assert_int_equal(run.differing, 1);
    assert_string_equal(run.cases[1].line.name, "automatic");
    assert_int_equal(run.cases[1].outcome.task, 2);
    assert_int_equal(run.cases[0].outcome.tasks, 0);
    assert_string_equal(run.cases[2].line.name, "automatic_lazy_2");
    assert_int_equal(run.cases[2].broken, 0);
    assert_true(cli_real_read(&record, p.folder, "manual", "deps.json"));
    assert_string_equal(record.data, "{}\n");
    assert_false(cli_real_read(&record, p.folder, "manual", "none"));
    cli_text_free(&record);
    cli_real_cases_free(&run);
    memory_is_zero(&p);
    free_place(&p);
}

/* A case that brings its process down is run once more, and says so. */
static void a_crash_takes_only_its_process(void **state)
{
    (void)state;
    place p;
    cli_real_cases run;
    make_place(&p, "if [ ! -e $base/crashed ]; then touch $base/crashed; "
                   "echo 'no such core'; kill -9 $$; fi\n"
                   "cp expected.bin out/$c.bin");
    assert_true(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    assert_int_equal(run.ran, 3);
    assert_int_equal(run.differing, 0);
    assert_int_equal(run.cases[0].broken, 1);
    assert_non_null(strstr(run.cases[0].why, "SIGKILL"));
    assert_non_null(strstr(run.cases[0].why, "no such core"));
    assert_null(run.cases[1].why);
    cli_real_cases_free(&run);
    free_place(&p);
}

/* One that does so each time is left out, and the others still run. */
static void a_case_that_crashes_is_left_out(void **state)
{
    (void)state;
    place p;
    cli_real_cases run;
    make_place(&p, "echo $c >>$base/all\n"
                   "[ $c != automatic ] || exit 3\n"
                   "cp expected.bin out/$c.bin");
    assert_true(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    assert_int_equal(run.ran, 2);
    assert_false(run.cases[1].ran);
    assert_int_equal(run.cases[1].broken, 2);
    assert_true(run.cases[2].ran);
    assert_non_null(strstr(run.cases[1].why, "status 3"));
    assert_string_equal(cli_real_why(&run), run.cases[1].why);
    cli_real_cases_free(&run);
    free_place(&p);
}

static void what_never_runs_is_told(void **state)
{
    (void)state;
    place p;
    cli_real_cases run;
    make_place(&p, "printf 'a\\033b\\n\\n'; exit 7");
    assert_false(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    assert_string_equal(p.why,
                        "the scene ended with status 7; its last words: a?b");
    /* the folder is not empty any more */
    assert_false(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    assert_non_null(strstr(p.why, "new or empty"));
    free_place(&p);
}

static void time_has_an_end(void **state)
{
    (void)state;
    place p;
    cli_real_cases run;
    make_place(&p, "sleep 600");
    p.spec.timeout_ms = 100;
    assert_false(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    assert_non_null(strstr(p.why, "took more than"));
    free_place(&p);
}

/* Bytes of another length are no outcome. */
static void short_files_do_not_count(void **state)
{
    (void)state;
    place p;
    cli_real_cases run;
    make_place(&p, ": >out/$c.bin");
    assert_false(cli_real_run(&run, &p.scene, p.folder, &p.spec, p.why));
    free_place(&p);
}

static void the_probe_knows_right_from_wrong(void **state)
{
    static const struct {
        const char *script, *says;
    } probes[] = {
        {"cp expected.bin out/$c.bin", NULL},
        /* the automatic mode may lack an order */
        {"cp expected.bin out/$c.bin\n[ $c = manual ] || printf x | dd "
         "of=out/$c.bin bs=1 seek=40 conv=notrunc 2>/dev/null",
         NULL},
        {"cp expected.bin out/$c.bin\nprintf x | dd of=out/$c.bin bs=1 seek=40 "
         "conv=notrunc 2>/dev/null",
         "other bytes"},
        {"[ $c = automatic ] || cp expected.bin out/$c.bin", "six tasks"},
        {"exit 1", "status 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        place p;
        make_place(&p, probes[i].script);
        bool known = cli_real_probe(p.why, &p.spec);
        assert_int_equal(known, probes[i].says == NULL);
        assert_true(known || strstr(p.why, probes[i].says) != NULL);
        p.spec.simpler = "/nowhere at all";
        assert_false(cli_real_probe(p.why, &p.spec));
        assert_non_null(strstr(p.why, "/nowhere at all"));
        free_place(&p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_left_is_compared),
    cmocka_unit_test(a_crash_takes_only_its_process),
    cmocka_unit_test(a_case_that_crashes_is_left_out),
    cmocka_unit_test(what_never_runs_is_told),
    cmocka_unit_test(time_has_an_end),
    cmocka_unit_test(short_files_do_not_count),
    cmocka_unit_test(the_probe_knows_right_from_wrong),
};

TEST_MAIN(tests)
