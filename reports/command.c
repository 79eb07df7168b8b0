#include "reports/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results.h"

/*
 * An option, its member in the JSON of a run, and what it is there, as a text;
 * NULL: it is the usual one. Numbers stay as they are written, since a seed has
 * 63 bits.
 */
#define TEXT(option, name)                                                     \
    {                                                                          \
        option, name, "o ->> '$." name "'"                                     \
    }
#define NUMBER(option, name, usual)                                            \
    {                                                                          \
        option, name, "nullif(o ->> '$." name "', " usual ")"                  \
    }
#define FLAG(option, name)                                                     \
    {                                                                          \
        option, name, "iif(o ->> '$." name "', '', NULL)"                      \
    }

typedef struct option {
    const char *name, *member, *value;
} option;

#define MOST 16
/* Those of a verb; it is the one that stands in the run, "run" where none. */
static const struct verb {
    const char *name;
    option options[MOST];
} verbs[] = {
    {"fuzz",
     {NUMBER("--tasks", "tasks", "256"),
      {"--mode", "mode", "nullif(o ->> '$.mode', 'lean')"},
      {"--replay", "replay",
       "nullif(o ->> '$.replay',"
       " iif(o ->> '$.mode' = 'full', 2, 0))"},
      TEXT("--planner", "planner"),
      {"--timeout", "timeout", "nullif(o ->> '$.timeout', 60000) / 1000"},
      {"--memory", "memory",
       "nullif(o ->> '$.memory', 4294967296) / 1048576"}}},
    {"run",
     {FLAG("--lenient", "lenient"), TEXT("--rules", "rules"),
      TEXT("--policy", "policy"), NUMBER("--limit", "limit", "0"),
      NUMBER("--max-tasks", "max_tasks", "0"), TEXT("--planner", "planner"),
      NUMBER("--replay", "replay", "-1")}},
    {"replay",
     {FLAG("--lenient", "lenient"), TEXT("--rules", "rules"),
      TEXT("--policy", "policy"), NUMBER("--limit", "limit", "0"),
      NUMBER("--max-tasks", "max_tasks", "0"), TEXT("--planner", "planner"),
      FLAG("--adversarial", "adversarial"), NUMBER("--seeds", "seeds", "0"),
      NUMBER("--seed", "seed", "0"), NUMBER("--clusters", "clusters", "0"),
      NUMBER("--schedulers", "schedulers", "0"), TEXT("--model", "model"),
      TEXT("--kind", "kind"), TEXT("--trace", "trace"),
      TEXT("--witness", "witness")}},
};

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return &verbs[1];
}

/* Options of a run are JSON of ours; of any other there is nothing to tell. */
#define OPTIONS "(SELECT iif(json_valid(?1), ?1, '{}') AS o)"

/* " --name value", with the value as a word; nothing where it is NULL. */
static bool put_option(FILE *out, const char *name, const char *value)
{
    char *word =
        value == NULL || *value == '\0' ? NULL : report_shell_word(value);
    if (value != NULL && *value == '\0')
        fprintf(out, " %s", name);
    if (word != NULL)
        fprintf(out, " %s %s", name, word);
    free(word);
    return value == NULL || *value == '\0' || word != NULL;
}

static report_status ask(sqlite3_stmt **row, report_store *store,
                         const char *sql, const char *options,
                         report_error *error)
{
    if (sqlite3_prepare_v2(store->db, sql, -1, row, NULL) != SQLITE_OK ||
        sqlite3_bind_text(*row, 1, options, -1, SQLITE_STATIC) != SQLITE_OK ||
        sqlite3_step(*row) != SQLITE_ROW)
        return report_fail_sql(error, store, "the database cannot be read");
    return REPORT_OK;
}

static report_status put_value(FILE *out, report_store *store,
                               const option *what, const char *options,
                               report_error *error)
{
    char sql[160];
    sqlite3_stmt *row = NULL;
    snprintf(sql, sizeof sql, "SELECT %s FROM " OPTIONS, what->value);
    report_status status = ask(&row, store, sql, options, error);
    if (status == REPORT_OK &&
        !put_option(out, what->name, (const char *)sqlite3_column_text(row, 0)))
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    sqlite3_finalize(row);
    return status;
}

static report_status put_before(FILE *out, report_store *store,
                                const struct verb *verb, const char *options,
                                report_error *error)
{
    static const option seed = TEXT("--seed", "seed");
    bool fuzz = verb == &verbs[0];
    report_status status = REPORT_OK;
    fprintf(out, "counterpoint %s", verb->name);
    if (fuzz)
        status = put_value(out, store, &seed, options, error);
    fputs(fuzz ? " --case " : " ", out);
    return status;
}

static report_status put_behind(FILE *out, report_store *store,
                                const struct verb *verb, const char *options,
                                report_error *error)
{
    report_status status = REPORT_OK;
    for (int i = 0; status == REPORT_OK && i < MOST; i++)
        if (verb->options[i].name != NULL)
            status = put_value(out, store, &verb->options[i], options, error);
    return status;
}

typedef report_status put_part(FILE *out, report_store *store,
                               const struct verb *verb, const char *options,
                               report_error *error);

static report_status make(char **text, put_part *put, report_store *store,
                          const struct verb *verb, const char *options,
                          report_error *error)
{
    size_t length = 0;
    FILE *out = open_memstream(text, &length);
    report_status status = REPORT_NO_MEMORY;
    if (out != NULL)
        status = put(out, store, verb, options, error);
    if (out == NULL || fclose(out) != 0)
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    return status;
}

/* The verb that stands in the options. */
static report_status read_verb(const struct verb **verb, report_store *store,
                               const char *options, report_error *error)
{
    sqlite3_stmt *row = NULL;
    report_status status =
        ask(&row, store, "SELECT coalesce(o ->> '$.verb', 'run') FROM " OPTIONS,
            options, error);
    if (status == REPORT_OK) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        *verb = find_verb(name == NULL ? "run" : name);
    }
    sqlite3_finalize(row);
    return status;
}

/* The option that a member of the JSON is; NULL: it is none. */
static const option *find_option(const struct verb *verb, const char *member)
{
    for (int i = 0; i < MOST && verb->options[i].name != NULL; i++)
        if (strcmp(verb->options[i].member, member) == 0)
            return &verb->options[i];
    return NULL;
}

report_status report_is_usual(bool *usual, report_store *store,
                              const char *options, const char *member,
                              report_error *error)
{
    const struct verb *verb = NULL;
    char *text = NULL;
    size_t length = 0;
    *usual = false;
    report_status status = read_verb(&verb, store, options, error);
    const option *found =
        status == REPORT_OK ? find_option(verb, member) : NULL;
    if (found == NULL)
        return status;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    status = put_value(out, store, found, options, error);
    if (fclose(out) != 0 && status == REPORT_OK)
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    *usual = length == 0;
    free(text);
    return status;
}

report_status report_command_ends(char **before, char **behind,
                                  report_store *store, const char *options,
                                  report_error *error)
{
    const struct verb *verb = NULL;
    report_status status = read_verb(&verb, store, options, error);
    if (status == REPORT_OK)
        status = make(before, put_before, store, verb, options, error);
    if (status == REPORT_OK)
        status = make(behind, put_behind, store, verb, options, error);
    return status;
}

report_status report_command(char **command, report_store *store, int64_t run,
                             const char *path, report_error *error)
{
    report_subject subject;
    *command = NULL;
    report_status status = report_subject_read(&subject, store, run, error);
    if (status == REPORT_OK)
        *command = report_subject_command(&status, &subject, path, error);
    report_subject_free(&subject);
    return status;
}
