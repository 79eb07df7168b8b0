#include "number.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 17

bool sonata_number_is_float(sonata_text spelling)
{
    for (size_t i = 0; i < spelling.length; i++)
        if (spelling.text[i] == '.' || spelling.text[i] == 'e' ||
            spelling.text[i] == 'E')
            return true;
    return false;
}

/* Text with a NUL behind, read in the C locale. */
static bool read_double(double *value, const char *text)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return false;
    *value = strtod_l(text, NULL, plain);
    freelocale(plain);
    return true;
}

bool sonata_number_double(double *value, sonata_text spelling)
{
    char small[64];
    char *copy = small;
    if (spelling.length >= sizeof small)
        copy = spelling.length == SIZE_MAX ? NULL : malloc(spelling.length + 1);
    if (copy == NULL)
        return false;
    memcpy(copy, spelling.text, spelling.length);
    copy[spelling.length] = '\0';
    bool done = read_double(value, copy);
    if (copy != small)
        free(copy);
    return done;
}

/* Decimal digits d of a positive number: d[0].d[1]d[2]... x 10^exponent. */
typedef struct decimal {
    char digits[MOST_DIGITS + 1];
    int count;
    int exponent;
} decimal;

/* Correctly rounded to `count` digits. The point may be any in a locale. */
static decimal round_to(double value, int count)
{
    decimal d = {.count = count};
    char text[64];
    snprintf(text, sizeof text, "%.*e", count - 1, value);
    const char *exponent = strchr(text, 'e');
    int at = 0;
    for (const char *p = text; p < exponent; p++)
        if (*p >= '0' && *p <= '9' && at < count)
            d.digits[at++] = *p;
    d.exponent = atoi(exponent + 1);
    return d;
}

static void add_one_in_last_place(decimal *d)
{
    int at = d->count - 1;
    while (at >= 0 && d->digits[at] == '9')
        d->digits[at--] = '0';
    if (at >= 0) {
        d->digits[at]++;
        return;
    }
    d->digits[0] = '1';
    d->exponent++;
}

static bool reads_back(const decimal *d, double value, bool *failed)
{
    char text[64];
    double read = 0;
    snprintf(text, sizeof text, "%.*se%d", d->count, d->digits,
             d->exponent - d->count + 1);
    *failed = *failed || !read_double(&read, text);
    return read == value;
}

/*
 * The shortest digits. Up to DBL_DIG digits survive the way to a double and
 * back, so for a normal double those of a shorter spelling are found there with
 * zeros behind. Below a power of two the doubles lie closer than above it: the
 * rounded digits may miss it from below where the next ones above do not.
 */
static decimal shortest(double value, bool *failed)
{
    int count = value < DBL_MIN ? 1 : DBL_DIG;
    for (; count < MOST_DIGITS; count++) {
        decimal d = round_to(value, count);
        if (reads_back(&d, value, failed))
            return d;
        add_one_in_last_place(&d);
        if (reads_back(&d, value, failed))
            return d;
    }
    return round_to(value, MOST_DIGITS);
}

static size_t put_plain(char *out, const decimal *d)
{
    size_t at = 0;
    for (int place = d->exponent < 0 ? 0 : d->exponent; place >= 0; place--) {
        int i = d->exponent - place;
        out[at++] = i >= 0 && i < d->count ? d->digits[i] : '0';
    }
    out[at++] = '.';
    size_t point = at;
    for (int i = d->exponent + 1; i < d->count; i++)
        out[at++] = i < 0 ? '0' : d->digits[i];
    if (at == point)
        out[at++] = '0';
    return at;
}

static size_t put_exponent(char *out, const decimal *d)
{
    size_t at = 0;
    out[at++] = d->digits[0];
    if (d->count > 1)
        out[at++] = '.';
    for (int i = 1; i < d->count; i++)
        out[at++] = d->digits[i];
    int size = snprintf(out + at, 8, "e%c%02d", d->exponent < 0 ? '-' : '+',
                        abs(d->exponent) % 1000);
    return at + (size_t)size;
}

/* 0 when out of memory. */
static size_t spell(char text[SONATA_DOUBLE_SIZE], double value)
{
    bool failed = false;
    size_t at = 0;
    if (signbit(value))
        text[at++] = '-';
    decimal d = {.digits = "0", .count = 1};
    if (value != 0)
        d = shortest(fabs(value), &failed);
    while (d.count > 1 && d.digits[d.count - 1] == '0')
        d.count--;
    bool plain = d.exponent >= -4 && d.exponent < 16;
    at += plain ? put_plain(text + at, &d) : put_exponent(text + at, &d);
    text[at] = '\0';
    return failed ? 0 : at;
}

size_t sonata_double_spell(char text[SONATA_DOUBLE_SIZE], double value)
{
    return spell(text, value);
}

sonata_text sonata_number_spell(char room[SONATA_DOUBLE_SIZE],
                                sonata_text spelling)
{
    double value = 0;
    if (!sonata_number_is_float(spelling))
        return sonata_text_is(spelling, "-0") ? SONATA_TEXT("0") : spelling;
    if (!sonata_number_double(&value, spelling))
        return (sonata_text){0};
    size_t length = spell(room, value);
    return (sonata_text){length == 0 ? NULL : room, length};
}

bool sonata_number_int64(int64_t *value, sonata_text spelling)
{
    bool negative = spelling.length > 0 && spelling.text[0] == '-';
    size_t at = negative ? 1 : 0;
    int64_t sum = 0;
    if (at == spelling.length)
        return false;
    for (; at < spelling.length; at++) {
        char c = spelling.text[at];
        int digit = c - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(sum, 10, &sum) ||
            __builtin_sub_overflow(sum, digit, &sum))
            return false;
    }
    if (!negative && __builtin_sub_overflow(0, sum, &sum))
        return false;
    *value = sum;
    return true;
}
