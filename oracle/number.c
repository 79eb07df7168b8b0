#include "number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DIGITS                                                             \
    800 /* no double is decided by a later digit but its sign                  \
         */
#define FAR 100000

/* The significant digits of a number: 0.DIGITS times ten to the exponent. */
typedef struct decimal {
    bool negative;
    bool integral; /* written without fraction and exponent */
    size_t digits;
    int64_t exponent;
    char text[MAX_DIGITS + 24];
} decimal;

static int64_t read_exponent(const char *text, size_t length)
{
    bool negative = length > 0 && text[0] == '-';
    size_t i = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    int64_t value = 0;
    for (; i < length; i++) {
        if (value < INT64_MAX / 100) {
            value = value * 10 + (text[i] - '0');
        }
    }
    return negative ? -value : value;
}

static void read_decimal(decimal *d, const char *text, size_t length)
{
    *d = (decimal){.integral = true};
    size_t i = 0;
    bool point = false;
    bool rest = false;
    d->negative = text[0] == '-';
    for (i = d->negative ? 1 : 0; i < length; i++) {
        char c = text[i];
        if (c == '.') {
            point = true;
            d->integral = false;
            continue;
        }
        if (c == 'e' || c == 'E') {
            d->integral = false;
            break;
        }
        if (d->digits == 0 && c == '0') {
            d->exponent -= point ? 1 : 0;
            continue;
        }
        d->exponent += point ? 0 : 1;
        if (d->digits < MAX_DIGITS) {
            d->text[d->digits++] = c;
        } else {
            rest = rest || c != '0';
        }
    }
    if (i < length) {
        d->exponent += read_exponent(text + i + 1, length - i - 1);
    }
    if (rest) {
        d->text[MAX_DIGITS - 1] = '1';
    }
}

/* No decimal point in the text that strtod sees: no locale changes it. */
static double value_of(decimal *d)
{
    if (d->digits == 0) {
        return d->negative ? -0.0 : 0.0;
    }
    int64_t exponent = d->exponent - (int64_t)d->digits;
    exponent = exponent > FAR ? FAR : exponent < -FAR ? -FAR : exponent;
    snprintf(d->text + d->digits, sizeof d->text - d->digits, "e%" PRId64,
             exponent);
    double value = strtod(d->text, NULL);
    return d->negative ? -value : value;
}

double oracle_number_value(const char *text, size_t length)
{
    decimal d;
    read_decimal(&d, text, length);
    return value_of(&d);
}

bool oracle_number_finite(const char *text, size_t length)
{
    decimal d;
    read_decimal(&d, text, length);
    if (d.digits == 0 || d.exponent < 309) {
        return true;
    }
    if (d.exponent > 309) {
        return false;
    }
    double value = value_of(&d);
    return value - value == 0.0;
}

char *oracle_number_key(oracle_arena *arena, const char *text, size_t length)
{
    decimal d;
    read_decimal(&d, text, length);
    if (d.digits == 0) {
        return oracle_arena_text(arena, "0", 1);
    }
    if (d.integral) {
        return oracle_arena_text(arena, text, length);
    }
    double value = value_of(&d);
    if (value == 0.0) {
        return oracle_arena_text(arena, "0", 1);
    }
    bool whole = value >= 0x1p53 || value <= -0x1p53;
    if (!whole) {
        whole = (double)(int64_t)value == value;
    }
    if (whole) {
        return oracle_arena_format(arena, "%.0f", value);
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return oracle_arena_format(arena, "float:%016" PRIx64, bits);
}
