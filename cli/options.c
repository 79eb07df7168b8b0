#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_WORD ((size_t)24)

typedef enum option_type { FLAG, TEXT, CHOICE, LIST, NUMBER } option_type;

typedef struct option {
    uint64_t bit;
    option_type type;
    const char *name;
    const char *value; /* how the value is called in the help */
    size_t offset;     /* of the field in cli_options */
    const char *const *choices;
    int64_t least, most;
    const char *help;
} option;

#define FIELD(name) offsetof(cli_options, name)

static const char *const emit_words[] = {
    "bundle", "graph",   "score", "eligibility", "handle",    "hbg",
    "memory", "regions", "alias", "liveness",    "conflicts", NULL};
static const char *const policy_words[] = {"dataflow_v0", "sequential_v0",
                                           "mixed", NULL};
static const char *const layout_words[] = {"greedy_v0", "greedy_dag", NULL};
static const char *const profile_words[] = {"sonata-0.9", "safe", NULL};
static const char *const region_words[] = {"whole_v0", "per_region", NULL};
static const char *const rules_words[] = {"tensormap", "conservative", NULL};
static const char *const kind_words[] = {
    "dump",        "ir",         "task_graph", "score", "bundle",
    "memory_plan", "memory_csv", "handle",     "hbg",   "eligibility",
    "record",      "trace",      NULL};
static const char *const format_words[] = {"dot", "json", "svg", NULL};
static const char *const method_words[] = {"blocks", "chains", "both", NULL};
static const char *const predicate_words[] = {"true", "false", NULL};
static const char *const backend_words[] = {"embedded", "a2a3sim", NULL};
static const char *const model_words[] = {"constant", "bytes", "seeded",
                                          "record", NULL};
static const char *const mode_words[] = {"lean", "full", NULL};
static const char *const case_kind_words[] = {
    "score", "ir", "memory", "graph", "bundle", "record", NULL};
static const char *const state_words[] = {
    "new", "reappeared", "open", "flaky", "known", "fixed", NULL};
static const char *const new_words[] = {"new", NULL};
static const char *const report_words[] = {"text",   "json",  "markdown",
                                           "html",   "junit", "sarif",
                                           "github", "tap",   NULL};
static const char *const severity_words[] = {"error", "warning", "note", NULL};

static const option table[] = {
    {CLI_OPTION_DB, TEXT, "--db", "FILE", FIELD(db), NULL, 0, 0,
     "record everything in this SQLite file"},
    {CLI_OPTION_EMIT, LIST, "--emit", "MEMBERS", FIELD(emit), emit_words, 0, 0,
     "members: graph,score,eligibility,handle,hbg,memory,\n"
     "                      regions,alias,liveness,conflicts or bundle"},
    {CLI_OPTION_OUT, TEXT, "--out", "DIR", FIELD(out), NULL, 0, 0,
     "write a file per input into this folder"},
    {CLI_OPTION_POLICY, CHOICE, "--policy", "NAME", FIELD(policy), policy_words,
     0, 0, "edges of a plan: dataflow_v0 (default), sequential_v0 or mixed"},
    {CLI_OPTION_LAYOUT, CHOICE, "--memory", "NAME", FIELD(layout), layout_words,
     0, 0, "memory plan: greedy_dag (default, safe) or greedy_v0"},
    {CLI_OPTION_PROFILE, CHOICE, "--profile", "NAME", FIELD(profile),
     profile_words, 0, 0, "as Sonata v0.9 does it (sonata-0.9), or safe"},
    {CLI_OPTION_ENTRY, TEXT, "--entry", "NAME", FIELD(entry), NULL, 0, 0,
     "plan this orchestration function alone"},
    {CLI_OPTION_REGIONS, CHOICE, "--regions", "NAME", FIELD(regions),
     region_words, 0, 0, "whole_v0, or per_region: a Score per static region"},
    {CLI_OPTION_CERTIFIED, FLAG, "--certified", NULL, FIELD(certified), NULL, 0,
     0, "every task has to have all its directions"},
    {CLI_OPTION_SIZES, TEXT, "--sizes", "FILE", FIELD(sizes), NULL, 0, 0,
     "bytes of the buffers, as JSON {key: bytes}"},
    {CLI_OPTION_RULES, CHOICE, "--rules", "NAME", FIELD(rules), rules_words, 0,
     0, "automatic edges: tensormap or conservative"},
    {CLI_OPTION_DRAWING, CHOICE, "--format", "NAME", FIELD(format),
     format_words, 0, 0, "dot (default), json or svg"},
    {CLI_OPTION_DRAWING, TEXT, "-o", "FILE", FIELD(output), NULL, 0, 0,
     "write this file; its ending tells the format"},
    {CLI_OPTION_DRAWING, TEXT, "--around", "TASK", FIELD(around), NULL, 0, 0,
     "draw the neighbourhood of this task alone (id or name)"},
    {CLI_OPTION_DRAWING, NUMBER, "--depth", "N", FIELD(depth), NULL, 1, 1000000,
     "how many edges away it ends (default 2)"},
    {CLI_OPTION_KIND, CHOICE, "--kind", "KIND", FIELD(kind), kind_words, 0, 0,
     "take the files for this, whatever they look like"},
    {CLI_OPTION_CHECK, TEXT, "--trace", "FILE", FIELD(trace), NULL, 0, 0,
     "the times of the run whose record is checked"},
    {CLI_OPTION_CHECK, TEXT, "--plan", "FILE", FIELD(plan), NULL, 0, 0,
     "the dump, task graph or Score of that run"},
    {CLI_OPTION_CHECK, NUMBER, "--capacity", "BYTES", FIELD(capacity), NULL, 1,
     INT64_MAX, "what the memory of a memory plan holds"},
    {CLI_OPTION_CHECK, FLAG, "--same", NULL, FIELD(same), NULL, 0, 0,
     "compare two FILEs as one plan, whatever their names say"},
    {CLI_OPTION_CHECK, CHOICE, "--method", "NAME", FIELD(method), method_words,
     0, 0, "how order is found: blocks (default), chains, or both compared"},
    {CLI_OPTION_CHECK, FLAG, "--prove", NULL, FIELD(prove), NULL, 0, 0,
     "write a certificate of each FILE in order to standard output"},
    {CLI_OPTION_CHECK, TEXT, "--certificate", "CERT", FIELD(certificate), NULL,
     0, 0, "check this certificate of one FILE instead of judging it"},
    {CLI_OPTION_LENIENT, FLAG, "--lenient", NULL, FIELD(lenient), NULL, 0, 0,
     "no warning about unknown fields"},
    {CLI_OPTION_NOTES, FLAG, "--notes", NULL, FIELD(notes), NULL, 0, 0,
     "show notes too: what costs time or memory only"},
    {CLI_OPTION_STAGES, FLAG, "--stages", NULL, FIELD(stages), NULL, 0, 0,
     "name the pass between which an edge, scope or direction changed"},
    {CLI_OPTION_FAIL_ON, CHOICE, "--fail-on", "SEVERITY", FIELD(fail_on),
     severity_words, 0, 0, "exit 1 from error (default), warning or note on"},
    {CLI_OPTION_EXPECT, TEXT, "--expect", "FILE", FIELD(expect), NULL, 0, 0,
     "exit 0 exactly when this is found (lines: path rule count)"},
    {CLI_OPTION_LIMIT, NUMBER, "--limit", "N", FIELD(limit), NULL, 1,
     1000000000, "list at most so many findings per input"},
    {CLI_OPTION_MAX_TASKS, NUMBER, "--max-tasks", "N", FIELD(max_tasks), NULL,
     1, 1000000000, "the largest program that is expanded"},
    {CLI_OPTION_JOBS, NUMBER, "--jobs", "N", FIELD(jobs), NULL, 1, 256,
     "processes at work (default: one per core)"},
    {CLI_OPTION_TIMEOUT, NUMBER, "--timeout", "S", FIELD(timeout), NULL, 1,
     1000000, "seconds per input (default 60)"},
    {CLI_OPTION_MEMORY, NUMBER, "--memory", "MB", FIELD(memory), NULL, 1,
     100000000, "memory per process (default 4096)"},
    {CLI_OPTION_PLANNER, TEXT, "--planner", "CMD", FIELD(planner), NULL, 0, 0,
     "another planner, speaking JSON lines (docs/formats.md)"},
    {CLI_OPTION_RUN, NUMBER, "--run", "N", FIELD(run), NULL, 1, INT64_MAX,
     "this run instead of the last"},
    {CLI_OPTION_REPORT, CHOICE, "--format", "NAME", FIELD(format), report_words,
     0, 0, "text (default), json, markdown, html, junit, sarif, github, tap"},
    {CLI_OPTION_REPORT, TEXT, "-o", "FILE", FIELD(output), NULL, 0, 0,
     "write this file instead of standard output"},
    {CLI_OPTION_REPORT, CHOICE, "--fail-on", "SEVERITY", FIELD(fail_on),
     severity_words, 0, 0,
     "junit, tap: red from error (default), warning or note on"},
    {CLI_OPTION_KEEP, NUMBER, "--keep", "N", FIELD(keep), NULL, 1, INT64_MAX,
     "with gc: the last N runs of each verb stay whole"},
    {CLI_OPTION_SERVE, FLAG, "--judge", NULL, FIELD(judge), NULL, 0, 0,
     "answer as the judge, not as the planner"},
    {CLI_OPTION_SERVE, FLAG, "--fuzz", NULL, FIELD(fuzz), NULL, 0, 0,
     "answer as a worker of fuzz, not as the planner"},
    {CLI_OPTION_SERVE, FLAG, "--phases", NULL, FIELD(phases), NULL, 0, 0,
     "say in each answer how long its phases took"},
    {CLI_OPTION_GOLDEN, FLAG, "--bless", NULL, FIELD(bless), NULL, 0, 0,
     "take what is found now for right (never when CI=true)"},
    {CLI_OPTION_GOLDEN, TEXT, "--why", "CASE", FIELD(why), NULL, 0, 0,
     "name the stage of this case that changed first"},
    {CLI_OPTION_GOLDEN, TEXT, "--golden", "DIR", FIELD(golden), NULL, 0, 0,
     "the folder of the golden files (default golden)"},
    {CLI_OPTION_GOLDEN, TEXT, "--today", "DAY", FIELD(today), NULL, 0, 0,
     "expected failures are of this day (YYYY-MM-DD)"},
    {CLI_OPTION_FUZZ, NUMBER, "--seed", "S", FIELD(seed), NULL, 0, INT64_MAX,
     "what all cases are made from, 0 to 2^63 - 1 (default 0)"},
    {CLI_OPTION_FUZZ, NUMBER, "--cases", "N", FIELD(cases), NULL, 1,
     INT64_MAX / 2, "how many cases (default 10000; with --seconds no end)"},
    {CLI_OPTION_FUZZ, NUMBER, "--seconds", "T", FIELD(seconds), NULL, 1,
     1000000000, "begin no more blocks of 1,024 cases after this time"},
    {CLI_OPTION_FUZZ, LIST, "--kinds", "KINDS", FIELD(kinds), case_kind_words,
     0, 0, "of score,ir,memory,graph,bundle,record (default all)"},
    {CLI_OPTION_FUZZ, CHOICE, "--mode", "NAME", FIELD(mode), mode_words, 0, 0,
     "lean (default), or full: related inputs, round trips, proofs"},
    {CLI_OPTION_FUZZ, NUMBER, "--tasks", "N", FIELD(tasks), NULL, 2, 65536,
     "tasks of the largest case, 2 to 65536 (default 256)"},
    {CLI_OPTION_FUZZ, FLAG, "--resume", NULL, FIELD(resume), NULL, 0, 0,
     "go on with the last unfinished run of the same options in --db"},
    {CLI_OPTION_FUZZ, TEXT, "--case", "KIND:N", FIELD(fuzz_case), NULL, 0, 0,
     "this case alone (score:17), told as check does"},
    {CLI_OPTION_FUZZ, TEXT, "-o", "FILE", FIELD(output), NULL, 0, 0,
     "with --case: write its text to this file"},
    {CLI_OPTION_REDUCE, TEXT, "--rule", "RULE", FIELD(rule), NULL, 0, 0,
     "keep a finding of this rule (default: the gravest, the first)"},
    {CLI_OPTION_REDUCE, TEXT, "--signature", "HEX", FIELD(signature), NULL, 0,
     0, "keep a finding of this signature"},
    {CLI_OPTION_REDUCE, NUMBER, "--seed", "S", FIELD(seed), NULL, 0, INT64_MAX,
     "of a case by name, 0 to 2^63 - 1 (default 0)"},
    {CLI_OPTION_REDUCE, NUMBER, "--tasks", "N", FIELD(tasks), NULL, 2, 65536,
     "of a case by name: tasks of the largest, 2 to 65536 (256)"},
    {CLI_OPTION_REDUCE, NUMBER, "--seconds", "T", FIELD(seconds), NULL, 1,
     1000000000, "end after this time, minimal or not"},
    {CLI_OPTION_REDUCE, TEXT, "-o", "FILE", FIELD(output), NULL, 0, 0,
     "write the result to this file"},
    {CLI_OPTION_REDUCE, TEXT, "--into", "DIR", FIELD(into), NULL, 0, 0,
     "keep it as a regression case, with what is found beside it"},
    {CLI_OPTION_REDUCE, TEXT, "--db", "FILE", FIELD(db), NULL, 0, 0,
     "CASE is a number of this database's run, or a signature"},
    {CLI_OPTION_REDUCE, NUMBER, "--run", "N", FIELD(run), NULL, 1, INT64_MAX,
     "of --db, instead of the last run"},
    {CLI_OPTION_RUNS, NUMBER, "--replay", "N", FIELD(replay), NULL, 0, 1000000,
     "random orders of graphs beyond 64 tasks (default 2; lean fuzz: 0)"},
    {CLI_OPTION_REPLAY, FLAG, "--adversarial", NULL, FIELD(adversarial), NULL,
     0, 0, "each task as early and as late as can be (default to 256 tasks)"},
    {CLI_OPTION_REPLAY, NUMBER, "--seeds", "N", FIELD(seeds), NULL, 1,
     1000000000, "so many random orders (default 2 beyond 256 tasks)"},
    {CLI_OPTION_REPLAY, NUMBER, "--seed", "S", FIELD(seed), NULL, 0, INT64_MAX,
     "of the first random order and of the machine (default 0)"},
    {CLI_OPTION_REPLAY, TEXT, "--witness", "F", FIELD(witness), NULL, 0, 0,
     "run exactly the order of this finding (a record of check --json)"},
    {CLI_OPTION_REPLAY, NUMBER, "--clusters", "N", FIELD(clusters), NULL, 1,
     1024, "of 1 AIC and 2 AIV cores (default 8; the chip has 24)"},
    {CLI_OPTION_REPLAY, NUMBER, "--schedulers", "N", FIELD(schedulers), NULL, 1,
     4, "threads that dispatch and retire (default 2)"},
    {CLI_OPTION_REPLAY, CHOICE, "--model", "NAME", FIELD(model), model_words, 0,
     0, "of durations: bytes (default), constant, seeded, record"},
    {CLI_OPTION_REPLAY, CHOICE, "--predicates", "VALUE", FIELD(predicates),
     predicate_words, 0, 0, "on the machine: all true (default) or false"},
    {CLI_OPTION_REPLAY, TEXT, "--trace", "FILE", FIELD(trace), NULL, 0, 0,
     "of the record that FILE is: its durations, for --model record"},
    {CLI_OPTION_REPLAY, TEXT, "--export", "DIR", FIELD(export_to), NULL, 0, 0,
     "write the scene for the real simulator (docs/scene.md)"},
    {CLI_OPTION_REPLAY, CHOICE, "--backend", "NAME", FIELD(backend),
     backend_words, 0, 0, "a2a3sim: run that scene, with --simpler, as well"},
    {CLI_OPTION_REPLAY, TEXT, "--simpler", "DIR", FIELD(simpler), NULL, 0, 0,
     "where the public runtime simpler is, built"},
    {CLI_OPTION_REPLAY, TEXT, "-o", "FILE", FIELD(output), NULL, 0, 0,
     "the timeline: .json for Perfetto, .svg as a picture"},
    {CLI_OPTION_REVISION, TEXT, "--revision", "REV", FIELD(revision), NULL, 0,
     0, "the commit of what is tested, for triage why"},
    {CLI_OPTION_TRIAGE, NUMBER, "--run", "N", FIELD(run), NULL, 1, INT64_MAX,
     "list: what this run has, as it was then;\n"
     "                      speed: compare with runs from this one on"},
    {CLI_OPTION_TRIAGE, CHOICE, "--state", "STATE", FIELD(state), state_words,
     0, 0, "list, since: new, reappeared, open, flaky, known or fixed"},
    {CLI_OPTION_TRIAGE, TEXT, "--rule", "RULE", FIELD(rule), NULL, 0, 0,
     "list, since, compare: this rule alone"},
    {CLI_OPTION_TRIAGE, FLAG, "--all", NULL, FIELD(all), NULL, 0, 0,
     "list, since: also what is fixed"},
    {CLI_OPTION_TRIAGE, CHOICE, "--fail-on", "new", FIELD(fail_on), new_words,
     0, 0, "compare: exit 1 when something new is not known"},
    {CLI_OPTION_KNOWN, TEXT, "--known", "FILE", FIELD(known), NULL, 0, 0,
     "the known issues (lines: signature day owner reason)"},
    {CLI_OPTION_KNOWN, TEXT, "--today", "DAY", FIELD(today), NULL, 0, 0,
     "they expire as of this day (YYYY-MM-DD)"},
    {CLI_OPTION_TRIAGE, TEXT, "--repo", "DIR", FIELD(repo), NULL, 0, 0,
     "why: list the commits between, of this git repository"},
    {CLI_OPTION_TRIAGE, TEXT, "--bisect", "FILE", FIELD(bisect), NULL, 0, 0,
     "why: write a script for git bisect run, and FILE.input"},
    {CLI_OPTION_TRIAGE, TEXT, "--note", "TEXT", FIELD(note), NULL, 0, 0,
     "set: this note (-: none)"},
    {CLI_OPTION_TRIAGE, TEXT, "--label", "WORD", FIELD(label), NULL, 0, 0,
     "set: put this label on"},
    {CLI_OPTION_TRIAGE, TEXT, "--unlabel", "WORD", FIELD(unlabel), NULL, 0, 0,
     "set: take it off"},
    {CLI_OPTION_TRIAGE, FLAG, "--undo", NULL, FIELD(undo), NULL, 0, 0,
     "split: the bucket goes back to what it was split from"},
    {CLI_OPTION_TRIAGE, NUMBER, "--times", "M", FIELD(times), NULL, 1, 100000,
     "rerun: ask so many times (default 10)"},
    {CLI_OPTION_TRIAGE, FLAG, "--input", NULL, FIELD(input), NULL, 0, 0,
     "show: the smallest input itself"},
    {CLI_OPTION_TRIAGE, TEXT, "-o", "FILE", FIELD(output), NULL, 0, 0,
     "show --input: write it to this file"},
    {CLI_OPTION_VERBOSE, FLAG, "--verbose", NULL, FIELD(verbose), NULL, 0, 0,
     "tell the time by phase of each input on standard error"},
    {CLI_OPTIONS_ALL, FLAG, "--json", NULL, FIELD(json), NULL, 0, 0,
     "JSON on standard output"},
    {CLI_OPTIONS_ALL, FLAG, "--quiet", NULL, FIELD(quiet), NULL, 0, 0,
     "no text for people; errors and JSON only"},
    {CLI_OPTIONS_ALL, FLAG, "--help", NULL, FIELD(help), NULL, 0, 0,
     "this page"},
};
#define TABLE_SIZE (sizeof table / sizeof *table)

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be changed, added or left out. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST_WORD + 1];
    size_t n = strlen(b);
    if (n > LONGEST_WORD || strlen(a) > LONGEST_WORD)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t change = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = smaller(change, smaller(row[j], diagonal) + 1);
        }
    }
    return row[n];
}

const char *cli_closest(const char *word, const char *const *list)
{
    const char *best = NULL;
    size_t least = 3;
    for (; *list != NULL; list++) {
        size_t d = distance(word, *list);
        if (d < least) {
            least = d;
            best = *list;
        }
    }
    return best;
}

static const option *find_option(const char *name, size_t length,
                                 uint64_t allowed)
{
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if ((table[i].bit & allowed) != 0 && strlen(table[i].name) == length &&
            memcmp(table[i].name, name, length) == 0)
            return &table[i];
    return NULL;
}

static bool unknown_option(const char *word, uint64_t allowed, char *problem,
                           size_t size)
{
    const char *names[TABLE_SIZE + 1];
    size_t n = 0;
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if ((table[i].bit & allowed) != 0)
            names[n++] = table[i].name;
    names[n] = NULL;
    const char *closest = cli_closest(word, names);
    if (closest != NULL)
        snprintf(problem, size, "unknown option '%s', did you mean '%s'?", word,
                 closest);
    else
        snprintf(problem, size, "unknown option '%s'", word);
    return false;
}

static bool set_number(int64_t *field, const option *o, const char *value,
                       char *problem, size_t size)
{
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || number < o->least ||
        number > o->most) {
        snprintf(problem, size,
                 "%s takes a whole number from %lld to %lld, not '%s'", o->name,
                 (long long)o->least, (long long)o->most, value);
        return false;
    }
    *field = number;
    return true;
}

static bool set_choice(const char **field, const option *o, const char *value,
                       char *problem, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; o->choices[i] != NULL; i++) {
        if (strcmp(o->choices[i], value) == 0) {
            *field = value;
            return true;
        }
    }
    length += (size_t)snprintf(problem, size, "%s takes", o->name);
    for (size_t i = 0; o->choices[i] != NULL && length < size; i++)
        length += (size_t)snprintf(problem + length, size - length, "%s %s",
                                   i == 0 ? "" : ",", o->choices[i]);
    if (length < size)
        snprintf(problem + length, size - length, ", not '%s'", value);
    return false;
}

/* A list with commas, each item one of the words. */
static bool set_list(const char **field, const option *o, const char *value,
                     char *problem, size_t size)
{
    char item[LONGEST_WORD + 1];
    const char *unused;
    for (const char *at = value;; at++) {
        size_t length = strcspn(at, ",");
        size_t kept = length < LONGEST_WORD ? length : LONGEST_WORD;
        memcpy(item, at, kept);
        item[kept] = '\0';
        if (!set_choice(&unused, o, item, problem, size))
            return false;
        at += length;
        if (*at == '\0')
            break;
    }
    *field = value;
    return true;
}

static bool set_option(cli_options *options, const option *o, const char *value,
                       char *problem, size_t size)
{
    char *field = (char *)options + o->offset;
    switch (o->type) {
    case FLAG:
        *(bool *)field = true;
        return true;
    case TEXT:
        if (*value == '\0') {
            snprintf(problem, size, "%s takes a %s, not an empty text", o->name,
                     o->value);
            return false;
        }
        *(const char **)(void *)field = value;
        return true;
    case CHOICE:
        return set_choice((const char **)(void *)field, o, value, problem,
                          size);
    case LIST:
        return set_list((const char **)(void *)field, o, value, problem, size);
    case NUMBER:
        break;
    }
    return set_number((int64_t *)(void *)field, o, value, problem, size);
}

/* --memory takes a number, the limit of a process, or the name of a plan. */
static const option *other_meaning(const option *o, const char *value,
                                   uint64_t allowed)
{
    uint64_t bit =
        *value >= '0' && *value <= '9' ? CLI_OPTION_MEMORY : CLI_OPTION_LAYOUT;
    if (o->bit != CLI_OPTION_MEMORY && o->bit != CLI_OPTION_LAYOUT)
        return o;
    for (size_t i = 0; i < TABLE_SIZE; i++)
        if (table[i].bit == bit && (bit & allowed) != 0)
            return &table[i];
    return o;
}

/* One option at arguments[*at], perhaps with its value behind it. */
static bool read_option(cli_options *options, uint64_t allowed, int *at,
                        int count, char *const *arguments, char *problem,
                        size_t size)
{
    const char *word =
        strcmp(arguments[*at], "-h") == 0 ? "--help" : arguments[*at];
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
    const option *o = find_option(word, length, allowed);
    if (o == NULL)
        return unknown_option(word, allowed, problem, size);
    const char *value = equals == NULL ? NULL : equals + 1;
    if (o->type == FLAG && value != NULL) {
        snprintf(problem, size, "%s takes no value", o->name);
        return false;
    }
    if (o->type != FLAG && value == NULL) {
        if (*at + 1 >= count) {
            snprintf(problem, size, "%s lacks its %s", o->name, o->value);
            return false;
        }
        value = arguments[++*at];
    }
    if (o->type == FLAG)
        return set_option(options, o, value, problem, size);
    return set_option(options, other_meaning(o, value, allowed), value, problem,
                      size);
}

/* "-" can be read once. */
static bool names_input_twice(const cli_options *options)
{
    size_t count = 0;
    for (size_t i = 0; i < options->file_count; i++)
        count += strcmp(options->files[i], "-") == 0;
    return count > 1;
}

bool cli_options_read(cli_options *options, const char **files,
                      uint64_t allowed, int count, char *const *arguments,
                      char *problem, size_t problem_size)
{
    bool only_files = false;
    *options = (cli_options){.files = files, .replay = -1};
    for (int at = 0; at < count; at++) {
        const char *word = arguments[at];
        if (only_files || word[0] != '-' || word[1] == '\0')
            files[options->file_count++] = word;
        else if (strcmp(word, "--") == 0)
            only_files = true;
        else if (!read_option(options, allowed, &at, count, arguments, problem,
                              problem_size))
            return false;
    }
    if (names_input_twice(options)) {
        snprintf(problem, problem_size, "standard input (-) is named twice");
        return false;
    }
    if ((allowed & CLI_OPTION_DB) != 0 && options->revision != NULL &&
        options->db == NULL) {
        snprintf(problem, problem_size, "--revision goes with --db");
        return false;
    }
    return true;
}

void cli_options_print(FILE *out, uint64_t allowed)
{
    for (size_t i = 0; i < TABLE_SIZE; i++) {
        const option *o = &table[i];
        if ((o->bit & allowed) == 0)
            continue;
        int width =
            fprintf(out, "  %s%s%s", o->name, o->value == NULL ? "" : " ",
                    o->value == NULL ? "" : o->value);
        fprintf(out, "%*s%s\n", width < 22 ? 22 - width : 1, "", o->help);
    }
}
