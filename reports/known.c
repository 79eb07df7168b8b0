/* The file of known issues. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "reports/triage.h"

#define SIGNATURE ((size_t)16)
#define DAY ((size_t)10)
#define BLANKS " \t"

/* --- Days --- */

static int digits(const char *text, size_t count)
{
    int value = 0;
    for (size_t i = 0; i < count; i++)
        value = value * 10 + (text[i] - '0');
    return value;
}

/* YYYY-MM-DD, whatever the numbers are. */
static bool has_form(const char *text)
{
    size_t i = 0;
    for (; text[i] != '\0' && i <= DAY; i++)
        if (i == 4 || i == 7 ? text[i] != '-' : text[i] < '0' || text[i] > '9')
            return false;
    return i == DAY;
}

static bool is_day(const char *text)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year = digits(text, 4), month = digits(text + 5, 2);
    int day = digits(text + 8, 2);
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return year > 0 && month > 0 && month <= 12 && day > 0 &&
           day <= days[month - 1] + (month == 2 && leap);
}

/* --- Lines --- */

static bool is_signature(const char *word)
{
    return strspn(word, "0123456789abcdef") == SIGNATURE &&
           word[SIGNATURE] == '\0';
}

/* The next word of a line, which is cut behind it; "": there is none. */
static char *take_word(char **at)
{
    char *word = *at + strspn(*at, BLANKS);
    size_t length = strcspn(word, BLANKS);
    *at = word + length;
    if (**at != '\0')
        *(*at)++ = '\0';
    return word;
}

static report_status take_line(report_known_list *list, char *line,
                               int64_t number, report_error *error)
{
    long long n = (long long)number;
    report_known known = {.line = number};
    const char *signature = take_word(&line), *day = take_word(&line);
    known.owner = take_word(&line);
    known.reason = line + strspn(line, BLANKS);
    if (!is_signature(signature))
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld begins with no signature, which has 16 "
                           "digits 0 to 9 and a to f",
                           n);
    if (!has_form(day))
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld lacks its day of expiry (YYYY-MM-DD) "
                           "behind the signature",
                           n);
    if (!is_day(day))
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld expires on %s, which is no day of the "
                           "calendar",
                           n, day);
    if (*known.owner == '\0')
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld lacks its owner behind the day", n);
    if (*known.reason == '\0')
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld lacks its reason behind the owner", n);
    memcpy(known.signature, signature, SIGNATURE + 1);
    memcpy(known.until, day, DAY + 1);
    list->items[list->count++] = known;
    return REPORT_OK;
}

/* What would move a terminal, or end a text early. */
static size_t find_control(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && (line[i] == '\t' ||
                          ((unsigned char)line[i] >= 0x20 && line[i] != 0x7f)))
        i++;
    return i;
}

/* A line, whose end is cut off: blanks, and the CR of some editors. */
static report_status read_line(report_known_list *list, char *line,
                               size_t length, int64_t number,
                               report_error *error)
{
    if (length > 0 && line[length - 1] == '\r')
        length--;
    size_t bad = find_control(line, length);
    if (bad < length)
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld has the byte 0x%02x, which is no text",
                           (long long)number, (unsigned char)line[bad]);
    while (length > 0 && strchr(BLANKS, line[length - 1]) != NULL)
        length--;
    line[length] = '\0';
    char *first = line + strspn(line, BLANKS);
    if (*first == '\0' || *first == '#')
        return REPORT_OK;
    return take_line(list, first, number, error);
}

/* --- Twice --- */

static int by_signature(const void *a, const void *b)
{
    const report_known *x = *(const report_known *const *)a;
    const report_known *y = *(const report_known *const *)b;
    int order = strcmp(x->signature, y->signature);
    if (order != 0)
        return order;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Of several lines that say it again the first is told. */
static report_status refuse_twice(const report_known_list *list,
                                  report_error *error)
{
    const report_known **sorted = calloc(list->count + 1, sizeof *sorted);
    const report_known *again = NULL, *before = NULL;
    if (sorted == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = &list->items[i];
    qsort(sorted, list->count, sizeof *sorted, by_signature);
    for (size_t i = 1; i < list->count; i++) {
        if (strcmp(sorted[i - 1]->signature, sorted[i]->signature) == 0 &&
            (again == NULL || sorted[i]->line < again->line)) {
            again = sorted[i];
            before = sorted[i - 1];
        }
    }
    free(sorted);
    if (again == NULL)
        return REPORT_OK;
    return report_fail(error, REPORT_FOREIGN,
                       "line %lld names %s, which line %lld names already",
                       (long long)again->line, again->signature,
                       (long long)before->line);
}

/* --- All --- */

static size_t count_lines(const char *text, size_t length)
{
    size_t count = 1;
    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

static report_status read_lines(report_known_list *list, size_t length,
                                report_error *error)
{
    report_status status = REPORT_OK;
    static const char mark[] = "\xef\xbb\xbf"; /* that some editors put */
    char *at = list->text, *end = list->text + length;
    if (strncmp(at, mark, sizeof mark - 1) == 0)
        at += sizeof mark - 1;
    for (int64_t number = 1; status == REPORT_OK && at < end; number++) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        char *stop = newline == NULL ? end : newline;
        status = read_line(list, at, (size_t)(stop - at), number, error);
        at = stop + 1;
    }
    return status == REPORT_OK ? refuse_twice(list, error) : status;
}

report_status report_known_read(report_known_list *list, const char *text,
                                size_t length, report_error *error)
{
    *list = (report_known_list){0};
    list->text = malloc(length + 1);
    list->items = calloc(count_lines(text, length), sizeof *list->items);
    report_status status =
        list->text == NULL || list->items == NULL
            ? report_fail(error, REPORT_NO_MEMORY, "out of memory")
            : REPORT_OK;
    if (status == REPORT_OK) {
        if (length > 0)
            memcpy(list->text, text, length);
        list->text[length] = '\0';
        status = read_lines(list, length, error);
    }
    if (status != REPORT_OK)
        report_known_free(list);
    return status;
}

void report_known_free(report_known_list *list)
{
    free(list->items);
    free(list->text);
    *list = (report_known_list){0};
}
