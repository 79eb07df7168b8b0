#include "golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "input.h"

/* What a part of a path may take of the 255 bytes of a file system. */
#define LONGEST_PART ((size_t)200)
#define KEPT_PART ((size_t)160)

#define EXPECT "expect-failure "
#define UNTIL " until "

/* --- Names --- */

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || (c != '\0' && strchr("._-+=@,/", c));
}

static bool ends_with(const char *part, size_t length, const char *end)
{
    size_t n = strlen(end);
    return length >= n && memcmp(part + length - n, end, n) == 0;
}

/*
 * A part of a path. Hidden names stay visible, "..", which may lead a path,
 * leads nowhere, and no folder is called like a golden file.
 */
static void put_part(cli_text *out, const char *part, size_t length, bool last)
{
    bool clash = !last && ends_with(part, length, CLI_GOLDEN_SUFFIX);
    for (size_t i = 0; i < length; i++) {
        bool leading = i == 0 && part[i] == '.';
        if (is_plain(part[i]) && !leading && !(clash && i == length - 1))
            cli_text_add(out, part + i, 1);
        else
            cli_text_printf(out, "%%%02x", (unsigned char)part[i]);
    }
}

static char *take(cli_text *text)
{
    if (text->failed || text->data == NULL) {
        cli_text_free(text);
        return NULL;
    }
    return text->data;
}

char *cli_golden_case(const char *path, const char *cwd)
{
    cli_text out = {0};
    char *plain = cli_path_plain(path);
    if (plain == NULL)
        return NULL;
    const char *at = strcmp(plain, cwd) == 0 ? "." : plain;
    size_t length = strlen(cwd);
    if (length > 1 && strncmp(plain, cwd, length) == 0 && plain[length] == '/')
        at += length + 1;
    if (*at == '/') {
        cli_text_put(&out, "/");
        at++;
    }
    while (*at != '\0') {
        size_t n = strcspn(at, "/");
        put_part(&out, at, n, at[n] == '\0');
        at += n;
        if (*at == '/')
            cli_text_add(&out, at++, 1);
    }
    free(plain);
    return take(&out);
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

void cli_golden_path(char *name)
{
    char *to = name;
    for (const char *at = name; *at != '\0'; at++) {
        int high = *at == '%' ? hex_value(at[1]) : -1;
        int low = high < 0 ? -1 : hex_value(at[2]);
        if (low >= 0 && (high > 0 || low > 0)) {
            *to++ = (char)(high * 16 + low);
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

char *cli_golden_file(const char *name)
{
    char hex[65];
    cli_text out = {0};
    if (*name == '/') {
        cli_text_put(&out, "%2f");
        name++;
    }
    while (*name != '\0') {
        size_t n = strcspn(name, "/");
        if (n <= LONGEST_PART) {
            cli_text_add(&out, name, n);
        } else {
            cli_text_add(&out, name, KEPT_PART);
            out.failed |= !cli_sha256(hex, name, n);
            cli_text_printf(&out, "~%.16s", out.failed ? "" : hex);
        }
        name += n;
        if (*name == '/')
            cli_text_add(&out, name++, 1);
    }
    cli_text_put(&out, CLI_GOLDEN_SUFFIX);
    return take(&out);
}

/* --- Reading --- */

static size_t line_length(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t length = (size_t)((newline == NULL ? end : newline) - at);
    while (length > 0 && at[length - 1] == '\r')
        length--;
    return length;
}

static const char *next_line(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline == NULL ? end : newline + 1;
}

static size_t count_lines(const cli_text *text)
{
    size_t count = 1;
    for (size_t i = 0; i < text->length; i++)
        count += text->data[i] == '\n';
    return count;
}

static bool read_expected(cli_expected_failure *e, const char *line,
                          size_t length)
{
    *e = (cli_expected_failure){.text = line, .length = length};
    e->fact = line + strlen(EXPECT);
    const char *end = line + length;
    const char *until =
        memmem(e->fact, (size_t)(end - e->fact), UNTIL, strlen(UNTIL));
    if (until == NULL || until == e->fact)
        return false;
    e->fact_length = (size_t)(until - e->fact);
    e->day = until + strlen(UNTIL);
    if ((size_t)(end - e->day) < CLI_DAY_LENGTH + 3 || !cli_day_is(e->day) ||
        e->day[CLI_DAY_LENGTH] != ':' || e->day[CLI_DAY_LENGTH + 1] != ' ')
        return false;
    e->reason = e->day + CLI_DAY_LENGTH + 2;
    return true;
}

static bool is_expected(const char *line, size_t length)
{
    return length >= strlen(EXPECT) - 1 &&
           memcmp(line, EXPECT, strlen(EXPECT) - 1) == 0;
}

bool cli_golden_parse(cli_golden *golden)
{
    cli_text_put(&golden->text, ""); /* an empty text has data too */
    if (golden->text.failed)
        return false;
    size_t lines = count_lines(&golden->text);
    golden->facts = calloc(lines, sizeof *golden->facts);
    golden->expected = calloc(lines, sizeof *golden->expected);
    if (golden->facts == NULL || golden->expected == NULL)
        return false;
    const char *at = golden->text.data;
    const char *end = at + golden->text.length;
    for (size_t number = 1; at < end; number++, at = next_line(at, end)) {
        size_t length = line_length(at, end);
        if (length == 0 || *at == '#')
            continue;
        if (!is_expected(at, length))
            golden->facts[golden->fact_count++] = cli_fact_of(at, length);
        else if (length > strlen(EXPECT) &&
                 read_expected(&golden->expected[golden->expected_count], at,
                               length))
            golden->expected_count++;
        else if (golden->bad_line == 0)
            golden->bad_line = number;
    }
    return true;
}

/* --- Comparing --- */

static int by_bytes(const char *a, size_t a_length, const char *b,
                    size_t b_length)
{
    size_t shorter = a_length < b_length ? a_length : b_length;
    int order = shorter == 0 ? 0 : memcmp(a, b, shorter);
    if (order != 0)
        return order;
    return a_length < b_length ? -1 : a_length > b_length;
}

static int by_key(const cli_fact *a, const cli_fact *b)
{
    if (a->stage != b->stage)
        return a->stage < b->stage ? -1 : 1;
    return by_bytes(a->text, a->key, b->text, b->key);
}

static int by_fact(const void *a, const void *b)
{
    const cli_fact *x = a, *y = b;
    int order = by_key(x, y);
    return order != 0 ? order
                      : by_bytes(x->text, x->length, y->text, y->length);
}

static int by_difference(const void *a, const void *b)
{
    const cli_difference *x = a, *y = b;
    int order = by_key(&x->fact, &y->fact);
    if (order != 0)
        return order;
    if (x->added != y->added)
        return x->added ? 1 : -1;
    return by_fact(&x->fact, &y->fact);
}

/* The first expectation whose words the fact begins with. */
static cli_expected_failure *cover_of(const cli_golden *golden,
                                      const cli_fact *fact)
{
    for (size_t i = 0; i < golden->expected_count; i++) {
        cli_expected_failure *e = &golden->expected[i];
        if (cli_fact_starts(fact, e->fact, e->fact_length))
            return e;
    }
    return NULL;
}

static void add_difference(cli_golden *golden, const cli_fact *fact, bool added)
{
    cli_difference *d = &golden->differences[golden->difference_count++];
    *d = (cli_difference){*fact, added, cover_of(golden, fact)};
    if (d->expected != NULL)
        d->expected->seen = true;
}

static cli_fact *sorted_copy(const cli_fact *facts, size_t count)
{
    cli_fact *copy = calloc(count + 1, sizeof *copy);
    if (copy == NULL)
        return NULL;
    memcpy(copy, facts, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, by_fact);
    return copy;
}

/* What is in one list and not in the other, as often as that is so. */
static void find_differences(cli_golden *golden, const cli_fact *was,
                             const cli_fact *is)
{
    size_t i = 0, j = 0;
    while (i < golden->fact_count || j < golden->actual_count) {
        int order = i == golden->fact_count     ? 1
                    : j == golden->actual_count ? -1
                                                : by_fact(&was[i], &is[j]);
        if (order == 0) {
            i++;
            j++;
        } else if (order < 0) {
            add_difference(golden, &was[i++], false);
        } else {
            add_difference(golden, &is[j++], true);
        }
    }
    qsort(golden->differences, golden->difference_count,
          sizeof *golden->differences, by_difference);
}

static bool take_actual(cli_golden *golden, const cli_text *facts)
{
    golden->actual = calloc(count_lines(facts), sizeof *golden->actual);
    if (golden->actual == NULL)
        return false;
    const char *at = facts->data, *end = at + facts->length;
    for (; at < end; at = next_line(at, end))
        golden->actual[golden->actual_count++] =
            cli_fact_of(at, line_length(at, end));
    return true;
}

bool cli_golden_compare(cli_golden *golden, const cli_text *facts)
{
    if (!take_actual(golden, facts))
        return false;
    golden->differences = calloc(golden->fact_count + golden->actual_count + 1,
                                 sizeof *golden->differences);
    cli_fact *was = sorted_copy(golden->facts, golden->fact_count);
    cli_fact *is = sorted_copy(golden->actual, golden->actual_count);
    bool ok = golden->differences != NULL && was != NULL && is != NULL;
    if (ok)
        find_differences(golden, was, is);
    free(was);
    free(is);
    return ok;
}

bool cli_difference_fails(const cli_difference *d, const char *today)
{
    return d->expected == NULL ||
           memcmp(d->expected->day, today, CLI_DAY_LENGTH) < 0;
}

/* --- Blessing --- */

static void put_fact(cli_text *out, const char *text, size_t length)
{
    cli_text_add(out, text, length);
    cli_text_put(out, "\n");
}

static void put_head(cli_text *out, const cli_golden *golden)
{
    const char *at = golden->text.data;
    const char *end = at + golden->text.length;
    for (; at < end; at = next_line(at, end))
        if (*at == '#')
            put_fact(out, at, line_length(at, end));
    for (size_t i = 0; i < golden->expected_count; i++)
        if (golden->expected[i].seen)
            put_fact(out, golden->expected[i].text, golden->expected[i].length);
}

/* A covered fact of today is dropped only where it is a difference. */
static bool is_covered(const cli_golden *golden, const cli_fact *fact)
{
    const cli_expected_failure *e = cover_of(golden, fact);
    if (e == NULL || !e->seen)
        return false;
    for (size_t i = 0; i < golden->difference_count; i++) {
        const cli_difference *d = &golden->differences[i];
        if (d->added && d->fact.text == fact->text)
            return true;
    }
    return false;
}

void cli_golden_bless(cli_text *out, const cli_golden *golden)
{
    size_t kept = 0;
    put_head(out, golden);
    for (size_t i = 0; i <= golden->actual_count; i++) {
        cli_stage stage =
            i < golden->actual_count ? golden->actual[i].stage : CLI_STAGES;
        for (; kept < golden->difference_count; kept++) {
            const cli_difference *d = &golden->differences[kept];
            if (d->fact.stage > stage)
                break;
            if (!d->added && d->expected != NULL)
                put_fact(out, d->fact.text, d->fact.length);
        }
        if (i < golden->actual_count && !is_covered(golden, &golden->actual[i]))
            put_fact(out, golden->actual[i].text, golden->actual[i].length);
    }
}

void cli_golden_free(cli_golden *golden)
{
    cli_text_free(&golden->text);
    free(golden->facts);
    free(golden->actual);
    free(golden->expected);
    free(golden->differences);
    *golden = (cli_golden){0};
}
