#include "command.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crash.h"
#include "fuzz/worker.h"
#include "pool.h"
#include "print.h"
#include "process.h"
#include "progress.h"
#include "serve.h"
#include "totals.h"

#define DEFAULT_TIMEOUT_S 60
#define DEFAULT_MEMORY_MB 4096
#define MOST_LINE 8192 /* bytes of a complaint */

typedef struct verb {
    const char *name;
    const char *arguments;
    const char *summary;
    const char *details; /* a few lines for the help */
    const char *example;
    uint64_t options;
    size_t least, most; /* files */
    int (*run)(const cli_options *options);
} verb;

/*
 * A server needs for the next request what it needed for the last one: giving
 * it back between them costs more than small answers do.
 */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 25); /* the most that it takes */
    mallopt(M_TRIM_THRESHOLD, 1 << 28);
}

static int verb_serve(const cli_options *options)
{
    cli_crash_tell();
    keep_memory();
    if (options->fuzz)
        return cli_fuzz_serve(stdin, stdout);
    if (!options->judge)
        cli_pool_use();
    return cli_serve(STDIN_FILENO, stdout, options->judge, options->phases);
}

static int verb_version(const cli_options *options)
{
    if (options->json)
        printf("{\"name\":\"counterpoint\",\"version\":\"%s\"}\n",
               COUNTERPOINT_VERSION);
    else
        printf("counterpoint %s\n", COUNTERPOINT_VERSION);
    return CLI_EXIT_FINE;
}

static int verb_help(const cli_options *options);

static const verb verbs[] = {
    {"plan", "INPUT...", "plan dumps, programs and Scores",
     "Of a PyPTO dump a bundle with its task graph and, where the program is\n"
     "eligible, its Score, else the reasons; of a program in the JSON form of\n"
     "the IR the Score; of a Score its PlanHandle, runtime and memory plan.\n"
     "One line of JSON per input on standard output, or a file per input in\n"
     "--out DIR. --emit names one member, which is written alone, or several,\n"
     "which make the bundle.\n",
     "counterpoint plan score.json --emit memory --sizes bytes.json",
     CLI_OPTION_OUT | CLI_OPTION_EMIT | CLI_OPTION_POLICY | CLI_OPTION_RULES |
         CLI_OPTION_KIND | CLI_OPTION_LAYOUT | CLI_OPTION_PROFILE |
         CLI_OPTION_ENTRY | CLI_OPTION_REGIONS | CLI_OPTION_CERTIFIED |
         CLI_OPTION_SIZES | CLI_OPTION_VERBOSE | CLI_OPTIONS_WORK,
     1, SIZE_MAX, cli_verb_plan},
    {"check", "FILE...", "judge dumps, Scores, plans, bundles and runs",
     "The kind of a file is seen from its content. The record of a run\n"
     "(deps.json) is judged with the chip_swimlane_records.json beside it;\n"
     "--plan holds it against the program. Two files of one name are compared\n"
     "as plans, too. With --json: a finding per line,\n"
     "then an object with the verdict.\n",
     "counterpoint check build/passes_dump/44_after_Simplify.py",
     CLI_OPTION_KIND | CLI_OPTION_RULES | CLI_OPTION_POLICY |
         CLI_OPTION_LENIENT | CLI_OPTION_LIMIT | CLI_OPTION_FAIL_ON |
         CLI_OPTION_CHECK | CLI_OPTION_VERBOSE | CLI_OPTIONS_WORK,
     1, SIZE_MAX, cli_verb_check},
    {"lint", "PROGRAM...", "findings about programs, for their authors",
     "A program is a dump, a passes_dump folder, or a build output folder "
     "with\n"
     "one or several. Each finding with its lines of the dump and the "
     "narrowest\n"
     "fix, what to fix first on top. No findings: no output. --stages "
     "compares\n"
     "all stages of each passes_dump as well. With --json: a finding per "
     "line,\n"
     "then an object with the verdict.\n",
     "counterpoint lint build_output/passes_dump --stages",
     CLI_OPTION_STAGES | CLI_OPTION_NOTES | CLI_OPTION_RULES |
         CLI_OPTION_LIMIT | CLI_OPTION_FAIL_ON | CLI_OPTION_VERBOSE |
         CLI_OPTIONS_WORK,
     1, SIZE_MAX, cli_verb_lint},
    {"run", "PATH...", "plan, judge and record everything under the paths",
     "Under a folder: the last *_after_Simplify.py of each passes_dump, other\n"
     "dumps that stand alone, and every Score, task graph, bundle and record.\n"
     "exporter.json and orchestration/*.cpp beside a dump are compared with\n"
     "it. With --json: one object with the counts and the digest.\n",
     "counterpoint run build_output --db nightly.db",
     CLI_OPTION_DB | CLI_OPTION_EXPECT | CLI_OPTION_RULES | CLI_OPTION_POLICY |
         CLI_OPTION_LENIENT | CLI_OPTION_LIMIT | CLI_OPTION_FAIL_ON |
         CLI_OPTION_VERBOSE | CLI_OPTION_RUNS | CLI_OPTION_REVISION |
         CLI_OPTIONS_WORK,
     1, SIZE_MAX, cli_verb_run},
    {"graph", "FILE", "draw the task graph of a program or document",
     "As DOT for Graphviz, as an SVG (up to 400 tasks), or as JSON: the task\n"
     "graph with all its edges in it. Pairs that the judge reports are red,\n"
     "dotted where they are undecided; redundant edges are thin. --around\n"
     "draws a part of a large graph.\n",
     "counterpoint graph build/passes_dump/44_after_Simplify.py -o graph.svg",
     CLI_OPTION_DRAWING | CLI_OPTION_RULES | CLI_OPTION_POLICY |
         CLI_OPTION_KIND | CLI_OPTION_LIMIT | CLI_OPTION_TIMEOUT |
         CLI_OPTION_MEMORY | CLI_OPTION_PLANNER | CLI_OPTION_MAX_TASKS |
         CLI_OPTION_VERBOSE,
     1, 1, cli_verb_graph},
    {"gate", "[PATH...]", "compare with the golden files",
     "Each input's answer against the facts blessed in golden/. Without a\n"
     "path: what golden/index lists. --bless takes the present answers of\n"
     "all, or of the paths that are named, for right. Exit status 5: a golden\n"
     "file without its input, or the other way round.\n",
     "counterpoint gate --bless corpus/programs/chain.py",
     CLI_OPTION_GOLDEN | CLI_OPTIONS_WORK, 0, SIZE_MAX, cli_verb_gate},
    {"fuzz", "", "compare two answers to made inputs",
     "Makes inputs, right ones and broken ones, has a planner answer, judges\n"
     "the answers, and holds them against a second answer and against what is\n"
     "known of the input. The same seed gives the same cases and digest,\n"
     "whatever the number of jobs. Exit status 1: two answers differ.\n",
     "counterpoint fuzz --seed 7 --cases 100000 --db fuzz.db",
     CLI_OPTION_FUZZ | CLI_OPTION_DB | CLI_OPTION_REVISION | CLI_OPTION_RUNS |
         CLI_OPTION_JOBS | CLI_OPTION_TIMEOUT | CLI_OPTION_MEMORY |
         CLI_OPTION_PLANNER,
     0, 0, cli_verb_fuzz},
    {"fingerprint", "FILE...", "print the fingerprints of Scores",
     "Of each Score, or of the Score in a bundle, a line without and one with\n"
     "its metadata. The first is the key of caches and plans.\n",
     "counterpoint fingerprint score.json",
     CLI_OPTION_JOBS | CLI_OPTION_TIMEOUT | CLI_OPTION_MEMORY, 1, SIZE_MAX,
     cli_verb_fingerprint},
    {"conform", "FILE.jsonl...", "compare with another implementation",
     "Each line of a file is a case: a Score or a program, and what the other\n"
     "implementation answers about it. Every field is held against our own\n"
     "answer. A case that our readers refuse by rule (a surrogate that stands\n"
     "alone) is counted apart; where the other one raises, an error of ours\n"
     "passes. Ends with the line \"N passed, N failed\".\n",
     "counterpoint conform vectors/scores.jsonl",
     CLI_OPTION_JOBS | CLI_OPTION_TIMEOUT | CLI_OPTION_MEMORY |
         CLI_OPTION_LIMIT,
     1, SIZE_MAX, cli_verb_conform},
    {"reduce", "CASE", "the smallest input with the same finding",
     "A case is a file, -, the name of a generated case (graph:17, with\n"
     "--seed), or with --db the number or signature of one in a run. What the\n"
     "finding does not need is taken away, from large parts to single ones,\n"
     "until no step is left that keeps a finding of this rule, severity and\n"
     "signature. The result goes to standard output, to -o FILE, or --into a\n"
     "folder of regressions.\n",
     "counterpoint reduce graph:6 --seed 5 --rule hazard.raw -o small.json",
     CLI_OPTION_REDUCE | CLI_OPTION_KIND | CLI_OPTION_RULES |
         CLI_OPTION_POLICY | CLI_OPTION_LENIENT | CLI_OPTIONS_WORK,
     1, 1, cli_verb_reduce},
    {"replay", "FILE", "run a task graph on the simulator, in many orders",
     "Every run is compared with program order: what each task reads, and the\n"
     "bytes that are left. The witness of every error is run and has to show\n"
     "other bytes. Then the graph runs on a machine in virtual time: how "
     "long,\n"
     "how busy, what redundant and false edges cost. What --seeds and\n"
     "--adversarial ask for takes its time, unless --timeout is given. Exit\n"
     "status 0: no order that was run gives other bytes for sure; 1: one "
     "does;\n"
     "4: nothing was replayed.\n",
     "counterpoint replay score.json --adversarial -o timeline.svg",
     CLI_OPTION_REPLAY | CLI_OPTION_RULES | CLI_OPTION_POLICY |
         CLI_OPTION_KIND | CLI_OPTION_LENIENT | CLI_OPTION_LIMIT |
         CLI_OPTION_TIMEOUT | CLI_OPTION_MEMORY | CLI_OPTION_PLANNER |
         CLI_OPTION_MAX_TASKS | CLI_OPTION_DB | CLI_OPTION_REVISION,
     1, 1, cli_verb_replay},
    {"report", "DB", "show what a run has found",
     "The last run of the database, or --run N; as text, or in a format that\n"
     "others read. With -o the file is there whole or not at all.\n"
     "\n"
     "report merge DB SOURCE...  takes over the runs that DB has not\n"
     "report gc DB --keep N      takes away the rows of old runs; what they\n"
     "                           count, and the smallest cases, stay\n"
     "report verify DB           counts everything again\n",
     "counterpoint report nightly.db --format junit -o report.xml",
     CLI_OPTION_RUN | CLI_OPTION_KEEP | CLI_OPTION_REPORT | CLI_OPTION_KNOWN, 1,
     SIZE_MAX, cli_verb_report},
    {"triage", "WORD DB...", "what many runs have found, and what became of it",
     "  list DB                 all that is not fixed, the worst first\n"
     "  since DB RUN            what is new or came back after a run\n"
     "  compare DB RUN1 RUN2    what only one of two runs has\n"
     "  show DB BUCKET          its history, smallest input and command\n"
     "  why DB BUCKET           since which commits it is there\n"
     "  rerun DB BUCKET         ask its case again: fixed, flaky, still there\n"
     "  set DB BUCKET           a note, labels\n"
     "  join DB BUCKET OTHER    show a bucket as another (as itself: again)\n"
     "  split DB BUCKET PATTERN the inputs like a pattern are another cause\n"
     "  speed DB [FILE]         ratios of make bench: record, and compare\n"
     "A bucket is named by its number, or by the first four or more digits of\n"
     "its signature.\n",
     "counterpoint triage list nightly.db --known known-issues.txt",
     CLI_OPTION_TRIAGE | CLI_OPTION_KNOWN | CLI_OPTION_PLANNER |
         CLI_OPTION_TIMEOUT | CLI_OPTION_MEMORY | CLI_OPTION_REVISION,
     2, SIZE_MAX, cli_verb_triage},
    {"explain", "[RULE]", "what a rule means, and how to mend it",
     "The page of a rule, or of \"symptoms\": what you see, and which rule it\n"
     "is. Without a name all rules by family, of a family its own.\n",
     "counterpoint explain hazard.war", 0, 0, 1, cli_verb_explain},
    {"serve", "", "answer planning requests, a JSON line each",
     "Reads requests from standard input until it ends (docs/formats.md).\n",
     "counterpoint serve <requests.jsonl >answers.jsonl", CLI_OPTION_SERVE, 0,
     0, verb_serve},
    {"version", "", "print the version", "", "counterpoint version --json", 0,
     0, 0, verb_version},
    {"help", "[VERB]", "this list, or the page of a verb", "",
     "counterpoint help run", 0, 0, 1, verb_help},
};
#define VERB_COUNT (sizeof verbs / sizeof *verbs)

static const verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

static int unknown_verb(const char *name)
{
    const char *names[VERB_COUNT + 1] = {NULL};
    for (size_t i = 0; i < VERB_COUNT; i++)
        names[i] = verbs[i].name;
    const char *closest = cli_closest(name, names);
    if (closest != NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "unknown verb '%s', did you mean '%s'?", name,
                            closest);
    return cli_complain(CLI_EXIT_USAGE,
                        "unknown verb '%s' (counterpoint help lists them)",
                        name);
}

static void print_verbs(FILE *out)
{
    fputs("counterpoint: an independent planner and a reference oracle for "
          "PyPTO's static scheduling\n\n",
          out);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        int width = fprintf(out, "  %s %s", verbs[i].name, verbs[i].arguments);
        fprintf(out, "%*s%s\n", width < 25 ? 25 - width : 1, "",
                verbs[i].summary);
    }
    fputs("\ncounterpoint VERB --help tells more. Exit status: 0 fine, 1 "
          "findings, 2 wrong usage\nor no input could be opened, 3 a fault "
          "of the program, 4 nothing was checked, 5 (gate) golden files "
          "orphaned or missing.\n",
          out);
}

static void print_verb(FILE *out, const verb *v)
{
    fprintf(out, "counterpoint %s%s%s\n  %s\n\n", v->name,
            *v->arguments == '\0' ? "" : " ", v->arguments, v->summary);
    if (*v->details != '\0')
        fprintf(out, "%s\n", v->details);
    fputs("Options:\n", out);
    cli_options_print(out, v->options | CLI_OPTIONS_ALL);
    fprintf(out, "\nExample:\n  %s\n", v->example);
}

/* The same page, as {"help": text} with --json. */
static int show_help(const verb *v, bool json)
{
    char *page = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&page, &length);
    if (out == NULL)
        return CLI_EXIT_FAULT;
    if (v == NULL)
        print_verbs(out);
    else
        print_verb(out, v);
    if (fclose(out) != 0)
        return CLI_EXIT_FAULT;
    cli_text text = {0};
    if (json) {
        cli_text_put(&text, "{\"help\":");
        cli_text_json(&text, page, length);
        cli_text_put(&text, "}");
    }
    printf("%s%s", json ? text.data : page, json ? "\n" : "");
    cli_text_free(&text);
    free(page);
    return CLI_EXIT_FINE;
}

static int verb_help(const cli_options *options)
{
    const verb *v = NULL;
    if (options->file_count == 1) {
        v = find_verb(options->files[0]);
        if (v == NULL)
            return unknown_verb(options->files[0]);
    }
    return show_help(v, options->json);
}

int cli_complain(int status, const char *format, ...)
{
    char line[MOST_LINE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    cli_text shown = {0};
    cli_print_clean(&shown, line);
    fprintf(stderr, "counterpoint: %s\n",
            shown.failed         ? "out of memory"
            : shown.data == NULL ? ""
                                 : shown.data);
    cli_text_free(&shown);
    return status;
}

/*
 * A planner (NULL: ours) that is not there is wrong usage, and no planner that
 * crashes. Starts it once.
 */
static int check_planner(const char *planner)
{
    char problem[160];
    if (planner == NULL ||
        cli_process_can_run(planner, problem, sizeof problem))
        return 0;
    return cli_complain(CLI_EXIT_USAGE,
                        "the planner '%s' cannot be started%s%s: name a "
                        "command that the shell finds",
                        planner, *problem == '\0' ? "" : ": ", problem);
}

void cli_batch_options_set(cli_batch_options *batch, const cli_options *options)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int64_t jobs = options->jobs > 0 ? options->jobs : (int64_t)cores;
    *batch = (cli_batch_options){
        .jobs = jobs < 1     ? 1
                : jobs > 256 ? 256
                             : jobs,
        .timeout_ms = 1000 * (options->timeout > 0 ? options->timeout
                                                   : DEFAULT_TIMEOUT_S),
        .memory = (options->memory > 0 ? options->memory : DEFAULT_MEMORY_MB) *
                  1048576,
        .planner = options->planner,
        .rules = options->rules,
        .policy = options->policy,
        .layout = options->layout,
        .profile = options->profile,
        .regions = options->regions,
        .entry = options->entry,
        .emit = options->emit,
        .trace = options->trace,
        .plan = options->plan,
        .method = options->method,
        .prove = options->prove,
        .certified = options->certified,
        .max_tasks = options->max_tasks,
        .limit = options->limit,
        .capacity = options->capacity,
        .lenient = options->lenient,
        .verbose = options->verbose,
        .progress = cli_progress_wanted(options->quiet),
    };
    if (options->kind != NULL)
        batch->force_kind = cli_kind_parse(&batch->kind, options->kind);
}

bool cli_find_inputs(cli_search *search, const cli_options *options)
{
    for (size_t i = 0; i < options->file_count; i++) {
        size_t before = search->count;
        cli_search_add(search, options->files[i]);
        if (search->count == before && !search->failed && !options->quiet)
            fprintf(stderr, "counterpoint: %s: no input was found in it\n",
                    options->files[i]);
    }
    for (size_t i = 0; i < search->note_count && !options->quiet; i++)
        fprintf(stderr, "counterpoint: %s\n", search->notes[i]);
    if (search->failed)
        cli_complain(CLI_EXIT_FAULT, "out of memory");
    return !search->failed;
}

void cli_report_problem(const cli_batch_result *result)
{
    if (result->problem[0] != '\0')
        cli_complain(CLI_EXIT_FAULT, "%s", result->problem);
}

int cli_store_exit(report_status status)
{
    return status == REPORT_OK          ? CLI_EXIT_FINE
           : status == REPORT_NO_MEMORY ? CLI_EXIT_FAULT
                                        : CLI_EXIT_USAGE;
}

cli_severity cli_fail_on(const cli_options *options)
{
    cli_severity severity = CLI_ERROR;
    const char *name = options->fail_on;
    if (name != NULL)
        cli_severity_parse(&severity, (cli_span){name, strlen(name)});
    return severity;
}

/* The reader has gone, as head does: end as any program in a pipe would. */
static int output_lost(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    if (poll(&out, 1, 0) == 1 && (out.revents & POLLERR) != 0) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    /* Why is known to who wrote: asked again. */
    return write(STDOUT_FILENO, "\n", 1) >= 0
               ? cli_complain(CLI_EXIT_FAULT, "standard output cannot be "
                                              "written")
               : cli_complain(CLI_EXIT_FAULT,
                              "standard output cannot be written: %s",
                              strerror(errno));
}

/* Files that a verb reads besides those that are its inputs. */
#define BESIDE 5

static void list_beside(const char *files[BESIDE], const cli_options *o)
{
    files[0] = o->trace;
    files[1] = o->plan;
    files[2] = o->witness;
    files[3] = o->certificate;
    files[4] = o->known;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat x, y;
    return a != NULL && stat(a, &x) == 0 && stat(b, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino && S_ISREG(x.st_mode);
}

/* Nothing that is read is written over, and standard input is read once. */
static int check_files(const cli_options *o)
{
    const char *beside[BESIDE];
    size_t streams = 0;
    bool same = false;
    list_beside(beside, o);
    for (size_t i = 0; i < o->file_count + BESIDE; i++) {
        const char *file = i < BESIDE ? beside[i] : o->files[i - BESIDE];
        streams += file != NULL && strcmp(file, "-") == 0;
        same = same || (o->output != NULL && is_same_file(file, o->output));
    }
    if (same)
        return cli_complain(CLI_EXIT_USAGE,
                            "'%s' is an input: -o does not write over it",
                            o->output);
    return streams > 1 ? cli_complain(CLI_EXIT_USAGE,
                                      "standard input ('-') can be named once")
                       : 0;
}

static int run_verb(const verb *v, const cli_options *options)
{
    if (options->help)
        return show_help(v, options->json);
    if (options->file_count < v->least)
        return cli_complain(CLI_EXIT_USAGE,
                            "%s needs %s (counterpoint %s "
                            "--help)",
                            v->name, v->arguments, v->name);
    if (options->file_count > v->most)
        return cli_complain(CLI_EXIT_USAGE,
                            "%s does not know what to do with '%s'", v->name,
                            options->files[v->most]);
    int status = check_files(options);
    if (status == 0)
        status = check_planner(options->planner);
    if (status == 0)
        status = v->run(options);
    if (fflush(stdout) != 0 || ferror(stdout))
        return output_lost();
    return status;
}

/* The verb, and everything else in its order. */
typedef struct words {
    const char *verb; /* NULL: there is none */
    char **rest;
    int count;
} words;

/* False when an option stands before the verb that not every verb takes. */
static bool split(words *w, int argc, char *const *argv)
{
    int at = 1;
    while (at < argc && (strcmp(argv[at], "--json") == 0 ||
                         strcmp(argv[at], "--quiet") == 0))
        w->rest[w->count++] = argv[at++];
    if (at == argc)
        return true;
    w->verb = argv[at++];
    if (strcmp(w->verb, "--help") == 0 || strcmp(w->verb, "-h") == 0)
        w->verb = "help";
    if (strcmp(w->verb, "--version") == 0)
        w->verb = "version";
    while (at < argc)
        w->rest[w->count++] = argv[at++];
    return w->verb[0] != '-';
}

static int run_words(const words *w, const char **files)
{
    char problem[256];
    cli_options options;
    const verb *v = find_verb(w->verb);
    if (v == NULL)
        return unknown_verb(w->verb);
    if (!cli_options_read(&options, files, v->options | CLI_OPTIONS_ALL,
                          w->count, w->rest, problem, sizeof problem))
        return cli_complain(CLI_EXIT_USAGE, "%s (counterpoint %s --help)",
                            problem, w->verb);
    return run_verb(v, &options);
}

/*
 * Who closes a standard stream would have the next file that is opened stand
 * in its place. What stands there now fails as a closed one would: standard
 * input cannot be read, standard output not be written.
 */
static bool open_streams(void)
{
    static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", modes[fd]) != fd)
            return false;
    return true;
}

/* A reader that has gone, and a file that is too large, are told as errors. */
static void ignore_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int cli_main(int argc, char *const *argv)
{
    words w = {0};
    ignore_signals();
    if (!open_streams())
        return CLI_EXIT_FAULT;
    if (argc < 2) {
        print_verbs(stderr);
        return CLI_EXIT_USAGE;
    }
    w.rest = calloc((size_t)argc, sizeof *w.rest);
    const char **files = calloc((size_t)argc, sizeof *files);
    int status;
    if (w.rest == NULL || files == NULL)
        status = cli_complain(CLI_EXIT_FAULT, "out of memory");
    else if (!split(&w, argc, argv))
        status = cli_complain(CLI_EXIT_USAGE,
                              "'%s': options stand behind the verb "
                              "(counterpoint VERB --help)",
                              w.verb);
    else if (w.verb == NULL)
        status = cli_complain(CLI_EXIT_USAGE,
                              "'%s' needs a verb (counterpoint help lists "
                              "them)",
                              argv[1]);
    else
        status = run_words(&w, files);
    free(w.rest);
    free(files);
    return status;
}
