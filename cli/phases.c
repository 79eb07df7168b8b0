#include "phases.h"

#include <string.h>
#include <time.h>

int64_t cli_clock_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static void add(int64_t *sum, int64_t number)
{
    *sum = number > INT64_MAX - *sum ? INT64_MAX : *sum + number;
}

static void add_phase(cli_phases *phases, const char *name, int64_t us)
{
    size_t i = 0;
    while (i < phases->count && strcmp(phases->list[i].name, name) != 0)
        i++;
    if (i == CLI_PHASES)
        return;
    cli_phase *phase = &phases->list[i];
    if (i == phases->count) {
        phases->count++;
        snprintf(phase->name, sizeof phase->name, "%s", name);
    }
    add(&phase->us, us);
}

/* --- Measuring --- */

void cli_watch_begin(cli_watch *watch, const char *name)
{
    if (watch == NULL)
        return;
    int64_t now = cli_clock_us();
    if (watch->running != NULL)
        add_phase(&watch->phases, watch->running, now - watch->since);
    watch->running = name;
    watch->since = now;
    if (watch->tell != NULL && name != NULL) {
        fprintf(watch->tell, "{\"at\":\"%s\"}\n", name);
        fflush(watch->tell);
    }
}

void cli_watch_size(cli_watch *watch, int64_t tasks, int64_t edges)
{
    watch->has_size = true;
    watch->tasks = tasks;
    watch->edges = edges;
}

void cli_watch_put(cli_text *line, cli_watch *watch)
{
    cli_watch_begin(watch, NULL);
    if (line->failed || watch->phases.count == 0)
        return;
    line->length -= strlen("}\n");
    cli_text_put(line, ",\"phases\":{");
    for (size_t i = 0; i < watch->phases.count; i++)
        cli_text_printf(line, "%s\"%s\":%lld", i > 0 ? "," : "",
                        watch->phases.list[i].name,
                        (long long)watch->phases.list[i].us);
    cli_text_put(line, "}");
    if (watch->has_size)
        cli_text_printf(line, ",\"size\":{\"edges\":%lld,\"tasks\":%lld}",
                        (long long)watch->edges, (long long)watch->tasks);
    cli_text_put(line, "}\n");
}

/* --- Collecting --- */

void cli_times_add(cli_times *times, cli_part part, int64_t us)
{
    add(&times->us[part], us);
}

void cli_times_sum(cli_times *sum, const cli_times *times)
{
    for (size_t part = 0; part < CLI_PARTS; part++) {
        const cli_phases *phases = &times->phases[part];
        add(&sum->us[part], times->us[part]);
        for (size_t i = 0; i < phases->count; i++)
            add_phase(&sum->phases[part], phases->list[i].name,
                      phases->list[i].us);
    }
    sum->has_size |= times->has_size;
    add(&sum->tasks, times->tasks);
    add(&sum->edges, times->edges);
}

/* A word that can stand in a line for people. */
static bool is_name(cli_span key)
{
    for (size_t i = 0; i < key.length; i++)
        if (key.data[i] < 'a' || key.data[i] > 'z')
            return false;
    return key.length > 0 && key.length < sizeof((cli_phase *)NULL)->name;
}

static bool is_count(int64_t *number, cli_span value)
{
    return cli_span_int(number, value) && *number >= 0;
}

static void take_phases(cli_phases *phases, cli_span object)
{
    cli_walk walk;
    cli_span key, value;
    int64_t us;
    if (!cli_walk_object(&walk, object))
        return;
    while (cli_walk_next(&walk, &key, &value)) {
        char name[sizeof phases->list->name] = "";
        if (!is_name(key) || !is_count(&us, value))
            continue;
        memcpy(name, key.data, key.length);
        add_phase(phases, name, us);
    }
}

static void take_size(cli_times *times, cli_span object)
{
    cli_span tasks, edges;
    int64_t t, e;
    if (!cli_span_member(&tasks, object, "tasks") || !is_count(&t, tasks) ||
        !cli_span_member(&edges, object, "edges") || !is_count(&e, edges))
        return;
    times->has_size = true;
    times->tasks = t;
    times->edges = e;
}

void cli_times_take(cli_times *times, cli_part part, cli_span answer)
{
    cli_walk walk;
    cli_span key, value;
    if (!cli_walk_object(&walk, answer))
        return;
    while (cli_walk_next(&walk, &key, &value)) {
        if (cli_span_is(key, "phases"))
            take_phases(&times->phases[part], value);
        if (cli_span_is(key, "size") && part == CLI_PART_JUDGE)
            take_size(times, value);
    }
}

/* --- Telling --- */

/* Milliseconds with one digit behind the point. */
static void show_ms(const char *before, int64_t us)
{
    fprintf(stderr, "%s%lld.%lld", before, (long long)(us / 1000),
            (long long)(us % 1000 / 100));
}

static void show_phases(const cli_phases *phases)
{
    for (size_t i = 0; i < phases->count; i++) {
        fprintf(stderr, "%s%s", i > 0 ? ", " : " (", phases->list[i].name);
        show_ms(" ", phases->list[i].us);
    }
    if (phases->count > 0)
        fputs(")", stderr);
}

static void show(const cli_times *times)
{
    static const char *const names[CLI_PARTS] = {"plan", "judge", "compare"};
    const char *mark = "";
    for (size_t part = 0; part < CLI_PARTS; part++) {
        if (times->us[part] == 0)
            continue;
        fprintf(stderr, "%s%s", mark, names[part]);
        show_ms(" ", times->us[part]);
        fputs(" ms", stderr);
        show_phases(&times->phases[part]);
        mark = ", ";
    }
    if (*mark == '\0')
        fputs("nothing was planned or judged", stderr);
    if (times->has_size)
        fprintf(stderr, "; %lld tasks, %lld edges", (long long)times->tasks,
                (long long)times->edges);
    fputs("\n", stderr);
}

void cli_times_show(const char *path, const cli_times *times)
{
    fprintf(stderr, "counterpoint: %s: ", path);
    show(times);
}

void cli_times_show_all(int64_t inputs, int64_t us, const cli_times *sum)
{
    fprintf(stderr, "counterpoint: %lld inputs in ", (long long)inputs);
    show_ms("", us);
    fputs(" ms: ", stderr);
    show(sum);
}
