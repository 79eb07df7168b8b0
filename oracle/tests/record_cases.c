#include "record_cases.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 65536

void write_record(char *text, size_t size, const record_case *c)
{
    int n =
        snprintf(text, size, "{\"tasks\":[%s],\"tensors\":[%s],\"edges\":[%s]}",
                 c->tasks, c->tensors, c->edges);
    assert_true(n > 0 && (size_t)n < size);
}

/* A copy without a NUL behind it, so that reading past it is seen. */
void judge_bytes(found *f, const char *text, size_t length)
{
    char *copy = malloc(length + (length == 0));
    assert_non_null(copy);
    memcpy(copy, text, length);
    assert_int_equal(oracle_judge_text(&f->judgement, copy, length, NULL),
                     ORACLE_OK);
    free(copy);
}

void judge_text(found *f, const char *text)
{
    judge_bytes(f, text, strlen(text));
}

void judge_record(found *f, const record_case *c)
{
    char text[ROOM];
    write_record(text, sizeof text, c);
    judge_text(f, text);
}

/* Adds a text as a JSON string. */
static size_t quote(char *out, size_t size, const char *text)
{
    size_t n = 0;
    out[n++] = '"';
    for (; *text != '\0'; text++) {
        assert_true(n + 4 < size);
        if (*text == '"' || *text == '\\') {
            out[n++] = '\\';
        }
        out[n++] = *text;
    }
    out[n++] = '"';
    out[n] = '\0';
    return n;
}

static size_t put(char *out, size_t at, const char *text)
{
    size_t n = strlen(text);
    assert_true(at + n < ROOM);
    memcpy(out + at, text, n + 1);
    return at + n;
}

void judge_run(found *f, const record_case *c, const char *trace,
               const char *role, const char *plan)
{
    static char text[ROOM], record[ROOM];
    write_record(record, sizeof record, c);
    size_t n = put(text, 0,
                   "{\"kind\":\"bundle\",\"version\":1,\"members\":[{"
                   "\"role\":\"record\",\"text\":");
    n += quote(text + n, ROOM - n, record);
    if (trace != NULL) {
        n = put(text, n, "},{\"role\":\"trace\",\"text\":");
        n += quote(text + n, ROOM - n, trace);
    }
    if (plan != NULL) {
        n = put(text, n, "},{\"role\":\"");
        n = put(text, n, role);
        n = put(text, n, "\",\"document\":");
        n = put(text, n, plan);
    }
    put(text, n, "}]}");
    judge_text(f, text);
}

void finish(found *f)
{
    oracle_judgement_free(&f->judgement);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void expect_only(const found *f, oracle_verdict verdict, const char *rules)
{
    const char *names[32];
    char all[1024] = "";
    const oracle_judgement *j = &f->judgement;
    assert_true(j->count < 32);
    for (uint32_t i = 0; i < j->count; i++) {
        names[i] = j->findings[i].rule;
    }
    qsort(names, j->count, sizeof *names, by_text);
    for (uint32_t i = 0; i < j->count; i++) {
        strcat(all, i > 0 ? "+" : "");
        strcat(all, names[i]);
    }
    if (j->verdict != verdict || strcmp(all, rules == NULL ? "" : rules) != 0) {
        for (uint32_t i = 0; i < j->count; i++) {
            print_message("%s\n", j->findings[i].json);
        }
        for (uint32_t i = 0; i < j->undecided_count; i++) {
            print_message("undecided: %s\n", j->undecided[i]);
        }
    }
    assert_string_equal(all, rules == NULL ? "" : rules);
    assert_int_equal(j->verdict, verdict);
}

bool assumes(const found *f, const char *words)
{
    for (uint32_t i = 0; i < f->judgement.assumption_count; i++) {
        if (strstr(f->judgement.assumptions[i], words) != NULL) {
            return true;
        }
    }
    return false;
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t length = fread(text, 1, (1 << 20) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}
