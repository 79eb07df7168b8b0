#include "day.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool read_digits(int *value, const char *text, size_t count)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < '0' || text[i] > '9')
            return false;
        *value = *value * 10 + (text[i] - '0');
    }
    return true;
}

static int days_of(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

bool cli_day_is(const char *text)
{
    int year, month, day;
    if (strnlen(text, CLI_DAY_LENGTH) < CLI_DAY_LENGTH ||
        !read_digits(&year, text, 4) || text[4] != '-' ||
        !read_digits(&month, text + 5, 2) || text[7] != '-' ||
        !read_digits(&day, text + 8, 2))
        return false;
    return year >= 1 && month >= 1 && month <= 12 && day >= 1 &&
           day <= days_of(year, month);
}

static bool day_of(char day[CLI_DAY_LENGTH + 1], time_t when)
{
    struct tm parts;
    return gmtime_r(&when, &parts) != NULL &&
           strftime(day, CLI_DAY_LENGTH + 1, "%Y-%m-%d", &parts) ==
               CLI_DAY_LENGTH &&
           cli_day_is(day);
}

bool cli_day_today(char day[CLI_DAY_LENGTH + 1], const char *given,
                   char *problem, size_t problem_size)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end;
    if (given != NULL) {
        snprintf(day, CLI_DAY_LENGTH + 1, "%s", given);
        if (strlen(given) == CLI_DAY_LENGTH && cli_day_is(given))
            return true;
        snprintf(problem, problem_size,
                 "--today takes a day as YYYY-MM-DD, not '%s'", given);
        return false;
    }
    if (epoch == NULL || *epoch == '\0')
        return day_of(day, time(NULL));
    errno = 0;
    long long seconds = strtoll(epoch, &end, 10);
    if (errno == 0 && *end == '\0' && seconds >= 0 &&
        day_of(day, (time_t)seconds))
        return true;
    snprintf(problem, problem_size, "SOURCE_DATE_EPOCH is no time: '%s'",
             epoch);
    return false;
}
