#include "real.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../input.h"
#include "../process.h"

#define LOOK_MS 250       /* how often its memory is looked at */
#define TRIES 2           /* of a case that brings its process down */
#define MOST_PROCESSES 16 /* per group of cases */
#define SHOWN 200         /* bytes of its last words */
#define MOST_LOG ((size_t)16 << 20)

/* --- One process --- */

/* A word for the shell, whatever is in it. */
static void add_word(cli_text *out, const char *word)
{
    cli_text_put(out, "'");
    for (const char *at = word; *at != '\0'; at++) {
        if (*at == '\'') {
            cli_text_put(out, "'\\''");
        } else {
            cli_text_add(out, at, 1);
        }
    }
    cli_text_put(out, "'");
}

/*
 * simpler is used from its folder, as it says for those who do not install. The
 * state of its scheduler is memory that malloc gives it and part of which it
 * reads before it has written it. With this variable glibc fills what malloc
 * gives with the complement of the byte, so that it is zero, as it has to be.
 */
#define ZERO_MEMORY "MALLOC_PERTURB_=255"

static void add_command(cli_text *out, const cli_real_spec *spec,
                        const char *folder, const char *options)
{
    const char *python = spec->python == NULL ? "python3" : spec->python;
    cli_text_put(out, "s=$(cd -- ");
    add_word(out, spec->simpler);
    cli_text_put(out, " && pwd) && cd -- ");
    add_word(out, folder);
    cli_text_put(out, " && PYTHONPATH=$s:$s/python${PYTHONPATH:+:$PYTHONPATH}"
                      " && export PYTHONPATH " ZERO_MEMORY " && exec ");
    add_word(out, python);
    cli_text_put(out, " " REPLAY_SCENE_TEST " -p a2a3sim");
    cli_text_put(out, options);
    cli_text_put(out, " 2>&1");
}

/* Until it closes its output. False: it has to be ended; `why` says why. */
static bool watch(cli_process *process, const cli_real_spec *spec, FILE *log,
                  char *why)
{
    size_t kept = 0;
    int64_t end = cli_now() + spec->timeout_ms;
    for (;;) {
        char bytes[4096];
        struct pollfd fd = {.fd = process->from, .events = POLLIN};
        int64_t left = end - cli_now();
        if (left <= 0) {
            snprintf(why, CLI_REAL_WHY, "took more than %lld seconds",
                     (long long)(spec->timeout_ms / 1000));
            return false;
        }
        if (spec->memory > 0 && cli_process_resident(process) > spec->memory) {
            snprintf(why, CLI_REAL_WHY, "took more than %lld bytes of memory",
                     (long long)spec->memory);
            return false;
        }
        poll(&fd, 1, left < LOOK_MS ? (int)left : LOOK_MS);
        ssize_t n = read(process->from, bytes, sizeof bytes);
        if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)) {
            return true;
        }
        if (n > 0 && log != NULL && (kept += (size_t)n) <= MOST_LOG) {
            fwrite(bytes, 1, (size_t)n, log);
        }
    }
}

/* Runs a command for the shell to its end; `why` says how that was. What it
 * prints goes to the log, where there is one. */
static void run_command(const cli_text *command, const cli_real_spec *spec,
                        FILE *log, char *why)
{
    cli_process process;
    const cli_child_spec child = {.command = command->data,
                                  .timeout_ms = spec->timeout_ms,
                                  .memory = spec->memory};
    cli_process_init(&process);
    if (command->failed || !cli_process_start(&process, &child, false)) {
        snprintf(why, CLI_REAL_WHY, "cannot be started: %s",
                 command->failed ? "out of memory" : strerror(errno));
        return;
    }
    cli_process_hang_up(&process);
    if (watch(&process, spec, log, why)) {
        cli_process_bury(&process, why, CLI_REAL_WHY);
    } else {
        cli_process_kill(&process);
    }
}

/* --- Files --- */

static bool read_file(cli_text *out, const char *folder, const char *name)
{
    char problem[256];
    cli_text path = {0};
    cli_text_printf(&path, "%s/%s", folder, name);
    bool fine = !path.failed && cli_input_read(out, path.data, CLI_INPUT_LIMIT,
                                               false, problem, sizeof problem);
    cli_text_free(&path);
    return fine;
}

bool cli_real_read(cli_text *out, const char *folder, const char *name,
                   const char *what)
{
    char file[128];
    snprintf(file, sizeof file, REPLAY_SCENE_OUT "/%s.%s", name, what);
    return read_file(out, folder, file);
}

/* Without a log the cases still run. */
static FILE *open_log(const char *folder)
{
    cli_text path = {0};
    cli_text_printf(&path, "%s/run.log", folder);
    FILE *log = path.failed ? NULL : fopen(path.data, "ab");
    cli_text_free(&path);
    return log;
}

/* The last line that was printed and is not empty, for a person. */
static void add_last_words(char *why, const char *folder)
{
    cli_text log = {0};
    size_t had = strlen(why);
    if (read_file(&log, folder, "run.log") && log.length > 0) {
        size_t end = log.length;
        while (end > 0 && log.data[end - 1] <= ' ') {
            end--;
        }
        size_t begin = end;
        while (begin > 0 && log.data[begin - 1] != '\n') {
            begin--;
        }
        for (size_t i = begin; i < end; i++) {
            bool plain = log.data[i] >= ' ' && log.data[i] <= '~';
            log.data[i] = (char)(plain ? log.data[i] : '?');
        }
        snprintf(why + had, CLI_REAL_WHY - had, "; its last words: %.*s",
                 (int)(end - begin < SHOWN ? end - begin : SHOWN),
                 log.data + begin);
    }
    cli_text_free(&log);
}

/* --- Cases --- */

static bool make_cases(cli_real_cases *run, const replay_scene *scene)
{
    *run = (cli_real_cases){0};
    run->cases = calloc((size_t)scene->cases + 1, sizeof *run->cases);
    run->count = run->cases == NULL ? 0 : scene->cases;
    for (uint32_t i = 0; i < run->count; i++) {
        replay_scene_case(&run->cases[i].line, scene, i);
    }
    return run->cases != NULL;
}

static void look(cli_real_cases *run, cli_real_case *c,
                 const replay_scene *scene, const char *folder)
{
    cli_text bytes = {0};
    replay_error error;
    if (!c->ran && cli_real_read(&bytes, folder, c->line.name, "bin") &&
        replay_scene_compare(&c->outcome, scene,
                             (const unsigned char *)bytes.data, bytes.length,
                             &error) == REPLAY_OK) {
        c->ran = true;
        run->ran++;
        run->differing += c->outcome.tasks + c->outcome.buffers > 0;
    }
    cli_text_free(&bytes);
}

/* What is to be run of [first, end): what left nothing yet, and did not bring
 * its process down twice. */
static bool is_open(const cli_real_case *c)
{
    return !c->ran && c->broken < TRIES;
}

/* One process for what is open. How it ends does not matter where all left
 * something: a case that differs ends it with status 1, too. Else it was
 * brought down by the first that did not. */
static void run_cases(cli_real_cases *run, uint32_t first, uint32_t end,
                      const char *more, const replay_scene *scene,
                      const char *folder, const cli_real_spec *spec)
{
    cli_text options = {0}, command = {0};
    char why[CLI_REAL_WHY] = "";
    for (uint32_t i = first; i < end; i++) {
        if (is_open(&run->cases[i])) {
            cli_text_printf(&options, " --case %s", run->cases[i].line.name);
        }
    }
    cli_text_put(&options, more);
    command.failed = options.failed;
    add_command(&command, spec, folder, options.failed ? "" : options.data);
    FILE *log = open_log(folder);
    run_command(&command, spec, log, why);
    if (log != NULL) {
        fclose(log);
    }
    cli_text_free(&options);
    cli_text_free(&command);
    for (uint32_t i = first; i < end; i++) {
        look(run, &run->cases[i], scene, folder);
    }
    while (first < end && !is_open(&run->cases[first])) {
        first++;
    }
    if (first < end) {
        run->cases[first].broken++;
        add_last_words(why, folder);
        free(run->cases[first].why);
        run->cases[first].why = strdup(why);
    }
}

static void run_group(cli_real_cases *run, uint32_t first, uint32_t end,
                      const char *more, const replay_scene *scene,
                      const char *folder, const cli_real_spec *spec)
{
    for (uint32_t i = 0; i < MOST_PROCESSES; i++) {
        uint32_t open = 0;
        for (uint32_t c = first; c < end; c++) {
            open += is_open(&run->cases[c]);
        }
        if (open == 0) {
            break;
        }
        run_cases(run, first, end, more, scene, folder, spec);
    }
}

uint32_t cli_real_modes(const replay_scene *scene)
{
    return scene->automatic ? 2 : 1;
}

bool cli_real_run(cli_real_cases *run, const replay_scene *scene,
                  const char *folder, const cli_real_spec *spec, char *why)
{
    replay_error error;
    if (replay_scene_write(scene, folder, &error) != REPLAY_OK) {
        snprintf(why, CLI_REAL_WHY, "%s", error.message);
        return false;
    }
    if (!make_cases(run, scene)) {
        snprintf(why, CLI_REAL_WHY, "out of memory");
        return false;
    }
    uint32_t modes = cli_real_modes(scene);
    run_group(run, 0, modes, " --enable-dep-gen --enable-chip-swimlane", scene,
              folder, spec);
    if (run->ran > 0) {
        run_group(run, modes, run->count, "", scene, folder, spec);
        return true;
    }
    snprintf(why, CLI_REAL_WHY, "the scene %.490s", cli_real_why(run));
    cli_real_cases_free(run);
    return false;
}

const char *cli_real_why(const cli_real_cases *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        if (!run->cases[i].ran && run->cases[i].why != NULL) {
            return run->cases[i].why;
        }
    }
    return "was ended too often";
}

void cli_real_cases_free(cli_real_cases *run)
{
    for (uint32_t i = 0; i < run->count; i++) {
        free(run->cases[i].why);
    }
    free(run->cases);
    *run = (cli_real_cases){0};
}

/* --- Which simpler --- */

static bool is_commit(const char *text)
{
    return strspn(text, "0123456789abcdef") == CLI_REAL_COMMIT - 1 &&
           text[CLI_REAL_COMMIT - 1] == '\0';
}

void cli_real_commit(char commit[CLI_REAL_COMMIT], const cli_real_spec *spec)
{
    char why[CLI_REAL_WHY];
    const cli_real_spec quick = {.timeout_ms = 10000};
    cli_text command = {0};
    FILE *out = tmpfile();
    commit[0] = '\0';
    cli_text_put(&command, "git -C ");
    add_word(&command, spec->simpler);
    cli_text_put(&command, " rev-parse HEAD 2>/dev/null");
    if (out != NULL) {
        run_command(&command, &quick, out, why);
        rewind(out);
        if (fgets(commit, CLI_REAL_COMMIT, out) == NULL || !is_commit(commit))
            commit[0] = '\0';
        fclose(out);
    }
    cli_text_free(&command);
}

/* --- The probe --- */

/* A folder of ours goes, with all below it. */
static void remove_folder(const char *folder)
{
    const cli_real_spec spec = {.timeout_ms = 60000};
    cli_text command = {0};
    char why[CLI_REAL_WHY];
    cli_text_put(&command, "rm -rf -- ");
    add_word(&command, folder);
    run_command(&command, &spec, NULL, why);
    cli_text_free(&command);
}

static bool judge_probe(char *why, const cli_real_cases *run)
{
    const replay_scene_outcome *manual = &run->cases[0].outcome;
    if (run->ran < run->count) {
        snprintf(why, CLI_REAL_WHY, "the six tasks that are known: %.450s",
                 cli_real_why(run));
        return false;
    }
    if (manual->tasks + manual->buffers > 0) {
        snprintf(why, CLI_REAL_WHY,
                 "the six tasks that are known left other bytes than in "
                 "program order: %u of them read what they should not",
                 manual->tasks);
        return false;
    }
    return true;
}

bool cli_real_folder(cli_text *folder, char *why)
{
    const char *base = getenv("TMPDIR");
    cli_text_printf(folder, "%s/counterpoint-scene-XXXXXX",
                    base == NULL || base[0] == '\0' ? "/tmp" : base);
    if (!folder->failed && mkdtemp(folder->data) != NULL)
        return true;
    snprintf(why, CLI_REAL_WHY, "%.300s: %s",
             folder->failed ? "" : folder->data,
             folder->failed ? "out of memory" : strerror(errno));
    cli_text_free(folder);
    return false;
}

static bool run_probe(char *why, const replay_scene *scene,
                      const cli_real_spec *spec)
{
    cli_real_cases run;
    cli_text folder = {0};
    if (!cli_real_folder(&folder, why))
        return false;
    bool known = cli_real_run(&run, scene, folder.data, spec, why);
    if (known) {
        known = judge_probe(why, &run);
        cli_real_cases_free(&run);
    }
    remove_folder(folder.data);
    cli_text_free(&folder);
    return known;
}

/* The known program as a scene. */
static bool with_probe(char *why, const cli_real_spec *spec)
{
    oracle_document document;
    oracle_error problem;
    replay_program program;
    replay_scene scene;
    replay_error error;
    bool known = false;
    if (oracle_document_read(&document, replay_scene_probe,
                             strlen(replay_scene_probe), NULL,
                             &problem) != ORACLE_OK) {
        snprintf(why, CLI_REAL_WHY, "%s", problem.message);
        return false;
    }
    replay_status status =
        replay_program_make(&program, &document, NULL, &error);
    if (status == REPLAY_OK) {
        status = replay_scene_make(&scene, &program, NULL, &error);
        if (status == REPLAY_OK) {
            known = run_probe(why, &scene, spec);
            replay_scene_free(&scene);
        }
        replay_program_free(&program);
    }
    if (status != REPLAY_OK) {
        snprintf(why, CLI_REAL_WHY, "%s", error.message);
    }
    oracle_document_free(&document);
    return known;
}

bool cli_real_probe(char *why, const cli_real_spec *spec)
{
    if (access(spec->simpler, X_OK) != 0) {
        snprintf(why, CLI_REAL_WHY, "%.300s: %s", spec->simpler,
                 strerror(errno));
        return false;
    }
    return with_probe(why, spec);
}
