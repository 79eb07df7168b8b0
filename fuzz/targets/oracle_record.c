/*
 * The record of a run, and behind a NUL its trace, and behind another the
 * graph of its program: judged twice with the same answer, and no verdict
 * without its reasons. Built with sanitizers every error's witness is checked.
 */
#include "oracle/judge.h"

#include <stdlib.h>
#include <string.h>

typedef struct text {
    char *data;
    size_t length;
} text;

static void put(text *out, const char *data, size_t length)
{
    memcpy(out->data + out->length, data, length);
    out->length += length;
}

static void put_text(text *out, const char *string)
{
    put(out, string, strlen(string));
}

/* A JSON string; bytes below a blank are written \u00xx. */
static void put_string(text *out, const uint8_t *data, size_t length)
{
    static const char digits[] = "0123456789abcdef";
    put_text(out, "\"");
    for (size_t i = 0; i < length; i++) {
        char c = (char)data[i];
        if (c == '"' || c == '\\') {
            put(out, "\\", 1);
        }
        if (data[i] < ' ') {
            char escape[6] = {'\\',
                              'u',
                              '0',
                              '0',
                              digits[data[i] >> 4],
                              digits[data[i] & 15]};
            put(out, escape, sizeof escape);
        } else {
            put(out, &c, 1);
        }
    }
    put_text(out, "\"");
}

static size_t part(const uint8_t *data, size_t size)
{
    const uint8_t *end = size == 0 ? NULL : memchr(data, 0, size);
    return end == NULL ? size : (size_t)(end - data);
}

static void make_bundle(text *out, const uint8_t *data, size_t size)
{
    static const char *const roles[] = {
        ("{\"kind\":\"bundle\",\"version\":1,\"members\":["
         "{\"role\":\"record\",\"text\":"),
        "},{\"role\":\"trace\",\"text\":",
        "},{\"role\":\"graph\",\"document\":"};
    for (int i = 0; i < 3; i++) {
        size_t length = part(data, size);
        put_text(out, roles[i]);
        if (i < 2) {
            put_string(out, data, length);
        } else {
            put(out, (const char *)data, length);
        }
        length += length < size;
        data += length;
        size -= length;
        if (size == 0) {
            break;
        }
    }
    put_text(out, "}]}");
}

static void judge(oracle_judgement *j, const char *data, size_t length)
{
    oracle_judge_options options = {.limit = 20};
    if (oracle_judge_text(j, data, length, &options) != ORACLE_OK) {
        exit(0); /* no memory */
    }
    if (j->verdict == ORACLE_UNDECIDED && j->undecided_count == 0 &&
        j->total == 0) {
        abort();
    }
}

static void judge_twice(const char *data, size_t length)
{
    oracle_judgement a, b;
    judge(&a, data, length);
    judge(&b, data, length);
    if (a.verdict != b.verdict || a.count != b.count || a.total != b.total) {
        abort();
    }
    for (uint32_t i = 0; i < a.count; i++) {
        if (strcmp(a.findings[i].json, b.findings[i].json) != 0) {
            abort();
        }
    }
    oracle_judgement_free(&a);
    oracle_judgement_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    text bundle = {.data = malloc(6 * size + 512)};
    if (bundle.data == NULL) {
        return 0;
    }
    judge_twice((const char *)data, size);
    make_bundle(&bundle, data, size);
    judge_twice(bundle.data, bundle.length);
    free(bundle.data);
    return 0;
}
