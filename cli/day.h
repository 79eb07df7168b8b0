/* Days, as expiry dates need them: "YYYY-MM-DD", which sort as text. */
#ifndef CLI_DAY_H
#define CLI_DAY_H

#include <stdbool.h>
#include <stddef.h>

#define CLI_DAY_LENGTH ((size_t)10)

/* True when the first ten characters are a day that exists (years 1 on). */
bool cli_day_is(const char *text);

/*
 * The day that counts as today: `given` (--today), else SOURCE_DATE_EPOCH,
 * else the clock's, in UTC. False with a message when one of the first two
 * is no day.
 */
bool cli_day_today(char day[CLI_DAY_LENGTH + 1], const char *given,
                   char *problem, size_t problem_size);

#endif
