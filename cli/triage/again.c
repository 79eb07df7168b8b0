/* The command of one line that finds a case again. */
#include <string.h>

#include "triage.h"

#define DEFAULT_TASKS 256
#define DEFAULT_TIMEOUT_MS 60000
#define DEFAULT_MEMORY ((int64_t)4096 << 20)

/* A word of a command line, as a shell takes it. */
static void put_word(cli_text *out, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%";
    if (*word != '\0' && word[strspn(word, plain)] == '\0') {
        cli_text_put(out, word);
        return;
    }
    cli_text_put(out, "'");
    for (; *word != '\0'; word++) {
        if (*word == '\'')
            cli_text_put(out, "'\\''");
        else
            cli_text_add(out, word, 1);
    }
    cli_text_put(out, "'");
}

/* --- Options of the run, which are JSON --- */

int64_t cli_run_number(cli_span options, const char *name)
{
    cli_span value;
    int64_t number = 0;
    if (!cli_span_member(&value, options, name) ||
        !cli_span_int(&number, value))
        return 0;
    return number;
}

void cli_run_text(cli_text *out, cli_span options, const char *name)
{
    cli_span value;
    cli_text_clear(out);
    if (cli_span_member(&value, options, name))
        (void)cli_span_text(out, value);
    cli_text_put(out, "");
}

bool cli_run_is(cli_span options, const char *name)
{
    cli_span value;
    return cli_span_member(&value, options, name) && cli_span_is(value, "true");
}

static void put_text(cli_text *out, cli_span options, const char *name)
{
    cli_text value = {0};
    cli_run_text(&value, options, name);
    if (value.length > 0) {
        cli_text_printf(out, " --%s ", name);
        put_word(out, value.data);
    }
    out->failed |= value.failed;
    cli_text_free(&value);
}

/* Where it is above `none`. `shown`: how the option is called. */
static void put_number(cli_text *out, cli_span options, const char *name,
                       const char *shown, int64_t none)
{
    int64_t value = cli_run_number(options, name);
    if (value > none)
        cli_text_printf(out, " --%s %lld", shown, (long long)value);
}

/* --- Verbs --- */

static void put_fuzz(cli_text *out, cli_span options, const char *name)
{
    int64_t tasks = cli_run_number(options, "tasks");
    int64_t timeout = cli_run_number(options, "timeout");
    int64_t memory = cli_run_number(options, "memory");
    cli_text mode = {0};
    cli_run_text(&mode, options, "mode");
    bool full = strcmp(mode.failed ? "" : mode.data, "full") == 0;
    cli_text_printf(out, "counterpoint fuzz --seed %lld --case ",
                    (long long)cli_run_number(options, "seed"));
    put_word(out, name);
    cli_text_printf(out, " --mode %s", full ? "full" : "lean");
    if (tasks > 0 && tasks != DEFAULT_TASKS)
        cli_text_printf(out, " --tasks %lld", (long long)tasks);
    if (full || cli_run_number(options, "replay") > 0)
        cli_text_printf(out, " --replay %lld",
                        (long long)cli_run_number(options, "replay"));
    put_text(out, options, "planner");
    if (timeout > 0 && timeout != DEFAULT_TIMEOUT_MS)
        cli_text_printf(out, " --timeout %lld", (long long)timeout / 1000);
    if (memory > 0 && memory != DEFAULT_MEMORY)
        cli_text_printf(out, " --memory %lld", (long long)(memory >> 20));
    cli_text_free(&mode);
}

static void put_run(cli_text *out, cli_span options)
{
    put_text(out, options, "rules");
    put_text(out, options, "policy");
    put_text(out, options, "planner");
    put_number(out, options, "limit", "limit", 0);
    put_number(out, options, "max_tasks", "max-tasks", 0);
    if (cli_run_is(options, "lenient"))
        cli_text_put(out, " --lenient");
}

static void put_replay(cli_text *out, cli_span options)
{
    if (cli_run_is(options, "adversarial"))
        cli_text_put(out, " --adversarial");
    put_number(out, options, "seeds", "seeds", 0);
    put_number(out, options, "seed", "seed", 0);
    put_number(out, options, "clusters", "clusters", 0);
    put_number(out, options, "schedulers", "schedulers", 0);
    put_text(out, options, "model");
    put_text(out, options, "kind");
    put_text(out, options, "trace");
    put_text(out, options, "witness");
}

void cli_again_put(cli_text *out, const char *run_options, const char *name,
                   const char *path)
{
    cli_span options = {run_options, strlen(run_options)};
    cli_text verb = {0};
    cli_run_text(&verb, options, "verb");
    const char *which = verb.failed || *verb.data == '\0' ? "run" : verb.data;
    if (strcmp(which, "fuzz") == 0) {
        put_fuzz(out, options, name);
    } else {
        cli_text_printf(out, "counterpoint %s ", which);
        put_word(out, path);
        put_run(out, options);
        if (strcmp(which, "replay") == 0)
            put_replay(out, options);
        else
            put_number(out, options, "replay", "replay", -1);
    }
    out->failed |= verb.failed;
    cli_text_free(&verb);
}
