/*
 * A double as text, by the definition: all digits of its exact value are
 * written down, cut to as few as read back to the same double, and of the two
 * neighbours of that length the nearer one is taken.
 */
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT 780 /* no double has more significant digits: 767 */
#define MOST 17   /* digits that always read back */

typedef struct digits {
    char exact[EXACT];
    int count;    /* of them, without zeros at the end */
    int exponent; /* of the first digit */
    double value; /* not negative */
} digits;

/* A locale may have its own decimal point: only digits are taken. */
static void expand(digits *d, double value)
{
    char text[EXACT + 32];
    *d = (digits){.value = value};
    snprintf(text, sizeof text, "%.*e", EXACT - 10, value);
    const char *at = text;
    for (; *at != 'e'; at++) {
        if (*at >= '0' && *at <= '9') {
            d->exact[d->count++] = *at;
        }
    }
    d->exponent = atoi(at + 1);
    while (d->count > 1 && d->exact[d->count - 1] == '0') {
        d->count--;
    }
}

typedef struct candidate {
    char text[MOST + 1];
    int length;
    int exponent;
} candidate;

static candidate cut(const digits *d, int length)
{
    candidate c = {.length = length, .exponent = d->exponent};
    for (int i = 0; i < length; i++) {
        c.text[i] = '0';
        if (i < d->count) {
            c.text[i] = d->exact[i];
        }
    }
    return c;
}

/* The next larger number of the same length. */
static candidate above(candidate c)
{
    int i = c.length - 1;
    for (; i >= 0 && c.text[i] == '9'; i--) {
        c.text[i] = '0';
    }
    if (i >= 0) {
        c.text[i]++;
    } else {
        c.text[0] = '1';
        c.exponent++;
    }
    return c;
}

static bool reads_back(const digits *d, const candidate *c)
{
    char text[MOST + 16];
    snprintf(text, sizeof text, "%.*se%d", c->length, c->text,
             c->exponent - c->length + 1);
    return strtod(text, NULL) == d->value;
}

/* Whether the part behind `length` digits is more than a half. */
static bool upper_half(const digits *d, int length)
{
    if (length >= d->count || d->exact[length] < '5') {
        return false;
    }
    if (d->exact[length] > '5' || length + 1 < d->count) {
        return true;
    }
    return (d->exact[length - 1] - '0') % 2 == 1; /* a tie: to even */
}

static bool find(const digits *d, int length, candidate *found)
{
    candidate low = cut(d, length), high = above(low);
    bool low_good = reads_back(d, &low);
    bool high_good = length < d->count && reads_back(d, &high);
    *found = high_good && (!low_good || upper_half(d, length)) ? high : low;
    return low_good || high_good;
}

/* What reads back with n digits does so with more. */
static candidate shortest(const digits *d)
{
    candidate best = cut(d, MOST), c;
    int low = 1, high = MOST;
    while (low <= high) {
        int middle = (low + high) / 2;
        if (find(d, middle, &c)) {
            best = c;
            high = middle - 1;
        } else {
            low = middle + 1;
        }
    }
    while (best.length > 1 && best.text[best.length - 1] == '0') {
        best.length--;
    }
    return best;
}

static void write_scientific(char *out, const candidate *c)
{
    char *at = out;
    *at++ = c->text[0];
    if (c->length > 1) {
        *at++ = '.';
        memcpy(at, c->text + 1, (size_t)c->length - 1);
        at += c->length - 1;
    }
    snprintf(at, 16, "e%c%02d", c->exponent < 0 ? '-' : '+', abs(c->exponent));
}

static void write_plain(char *out, const candidate *c)
{
    char *at = out;
    int point = c->exponent + 1; /* digits before the point */
    if (point <= 0) {
        *at++ = '0';
        *at++ = '.';
        memset(at, '0', (size_t)-point);
        at += -point;
    }
    for (int i = 0; i < c->length || i < point; i++) {
        if (i == point && point > 0) {
            *at++ = '.';
        }
        *at++ = '0';
        if (i < c->length) {
            at[-1] = c->text[i];
        }
    }
    if (c->length <= point) {
        *at++ = '.';
        *at++ = '0';
    }
    *at = '\0';
}

void oracle_number_repr(char text[ORACLE_REPR_SIZE], double value)
{
    digits d;
    if (__builtin_signbit(value)) {
        *text++ = '-';
        value = -value;
    }
    if (value == 0.0) {
        memcpy(text, "0.0", 4);
        return;
    }
    expand(&d, value);
    candidate c = shortest(&d);
    if (c.exponent < -4 || c.exponent >= 16) {
        write_scientific(text, &c);
    } else {
        write_plain(text, &c);
    }
}
