/* The history of speed, and its alarm. */
#include "reports/speed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

#define BLANKS " \t\r"
#define LONGEST_NAME ((size_t)80)

/* --- Lines --- */

/* Decimal digits with a point among them, nothing that a locale changes. */
static bool read_ratio(double *ratio, const char *word)
{
    static const size_t most = 30;
    double scale = 1;
    bool point = false;
    size_t digits = 0, length = strlen(word);
    *ratio = 0;
    if (length > most)
        return false;
    for (; *word != '\0'; word++) {
        if (*word == '.' && !point) {
            point = true;
            continue;
        }
        if (*word < '0' || *word > '9')
            return false;
        *ratio = *ratio * 10 + (*word - '0');
        scale *= point ? 10 : 1;
        digits++;
    }
    *ratio /= scale;
    return digits > 0 && *ratio > 0;
}

static bool is_name(const char *word)
{
    size_t length = 0;
    for (; word[length] != '\0'; length++) {
        unsigned char c = (unsigned char)word[length];
        if (c <= 0x20 || c >= 0x7f)
            return false;
    }
    return length > 0 && length <= LONGEST_NAME;
}

/* A line, NUL behind it. */
static report_status read_line(report_speed_list *list, char *line,
                               int64_t number, report_error *error)
{
    report_speed speed;
    char *name = line + strspn(line, BLANKS);
    size_t length = strcspn(name, BLANKS);
    char *value = name + length + strspn(name + length, BLANKS);
    size_t digits = strcspn(value, BLANKS);
    if (*name == '\0' || *name == '#')
        return REPORT_OK;
    bool more = value[digits + strspn(value + digits, BLANKS)] != '\0';
    name[length] = '\0';
    value[digits] = '\0';
    speed.name = name;
    if (!is_name(name) || more || !read_ratio(&speed.ratio, value))
        return report_fail(error, REPORT_FOREIGN,
                           "line %lld is not: a name and a ratio above 0",
                           (long long)number);
    list->items[list->count++] = speed;
    return REPORT_OK;
}

static int by_name(const void *a, const void *b)
{
    const report_speed *x = *(const report_speed *const *)a;
    const report_speed *y = *(const report_speed *const *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : x < y ? -1 : x > y;
}

static report_status refuse_twice(const report_speed_list *list,
                                  report_error *error)
{
    const report_speed **sorted = calloc(list->count + 1, sizeof *sorted);
    report_status status = REPORT_OK;
    if (sorted == NULL)
        return report_fail(error, REPORT_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = &list->items[i];
    qsort(sorted, list->count, sizeof *sorted, by_name);
    for (size_t i = 1; status == REPORT_OK && i < list->count; i++)
        if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
            status = report_fail(error, REPORT_FOREIGN,
                                 "two lines have the name %s", sorted[i]->name);
    free(sorted);
    return status;
}

static report_status read_lines(report_speed_list *list, size_t length,
                                report_error *error)
{
    report_status status = REPORT_OK;
    char *at = list->text, *end = at + length;
    for (int64_t number = 1; status == REPORT_OK && at < end; number++) {
        char *newline = memchr(at, '\n', (size_t)(end - at));
        char *stop = newline == NULL ? end : newline;
        *stop = '\0';
        if (strlen(at) < (size_t)(stop - at))
            status =
                report_fail(error, REPORT_FOREIGN, "line %lld has a zero byte",
                            (long long)number);
        else
            status = read_line(list, at, number, error);
        at = stop + 1;
    }
    return status == REPORT_OK ? refuse_twice(list, error) : status;
}

report_status report_speeds_read(report_speed_list *list, const char *text,
                                 size_t length, report_error *error)
{
    size_t lines = 1;
    report_status status = REPORT_OK;
    *list = (report_speed_list){0};
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    list->text = malloc(length + 1);
    list->items = calloc(lines, sizeof *list->items);
    if (list->text == NULL || list->items == NULL) {
        status = report_fail(error, REPORT_NO_MEMORY, "out of memory");
    } else {
        if (length > 0)
            memcpy(list->text, text, length);
        list->text[length] = '\0';
        status = read_lines(list, length, error);
    }
    if (status != REPORT_OK)
        report_speeds_free(list);
    return status;
}

void report_speeds_free(report_speed_list *list)
{
    free(list->items);
    free(list->text);
    *list = (report_speed_list){0};
}

/* --- The alarm --- */

#define MOST (REPORT_SPEED_RUNS + REPORT_SPEED_STRIKES)

/* The ratios of one name, the last first. */
typedef struct series {
    double ratios[MOST];
    int count;
} series;

/*
 * The mean of the runs before the last ones. Their spread is that of one to
 * the next, so that neither a drift nor a step makes it wide and hides itself.
 */
static void sum_up(report_pace *pace, const series *s)
{
    double sum = 0, squares = 0;
    int n = 0;
    for (int i = REPORT_SPEED_STRIKES; i < s->count; i++, n++) {
        double step = n == 0 ? 0 : s->ratios[i] - s->ratios[i - 1];
        sum += s->ratios[i];
        squares += step * step;
    }
    pace->runs = n;
    pace->enough = n >= REPORT_SPEED_LEAST;
    pace->mean = n == 0 ? 0 : sum / n;
    pace->spread = n < 2 ? 0 : sqrt(squares / (2 * (n - 1)));
}

static bool is_strike(const report_pace *pace, double ratio)
{
    double above = ratio - pace->mean;
    return above > REPORT_SPEED_SPREADS * pace->spread &&
           above >= REPORT_SPEED_SHARE * pace->mean;
}

static void judge(report_pace *pace, const series *s)
{
    sum_up(pace, s);
    if (!pace->enough)
        return;
    while (pace->strikes < REPORT_SPEED_STRIKES &&
           is_strike(pace, s->ratios[pace->strikes]))
        pace->strikes++;
    pace->alarm = pace->strikes == REPORT_SPEED_STRIKES;
}

typedef struct pacer {
    report_store *store;
    int64_t from;
    report_see_pace *see;
    void *context;
    sqlite3_stmt *ratios;
    report_error *error;
} pacer;

static report_status give(bool *goes_on, const pacer *p, const char *name)
{
    series s = {.count = 0};
    report_pace pace = {.name = name};
    int code;
    sqlite3_reset(p->ratios);
    sqlite3_bind_text(p->ratios, 1, name, -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(p->ratios, 2, p->from);
    while ((code = sqlite3_step(p->ratios)) == SQLITE_ROW && s.count < MOST) {
        if (s.count == 0)
            pace.last_run = sqlite3_column_int64(p->ratios, 0);
        s.ratios[s.count++] = sqlite3_column_double(p->ratios, 1);
    }
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return report_fail_sql(p->error, p->store,
                               "the database cannot be read");
    if (s.count == 0) /* not since that run */
        return REPORT_OK;
    pace.last = s.ratios[0];
    judge(&pace, &s);
    *goes_on = p->see(p->context, &pace);
    return REPORT_OK;
}

report_status report_each_pace(report_store *store, int64_t from,
                               report_see_pace *see, void *context,
                               report_error *error)
{
    /* Each name by a step of the index, not by a walk over all rows. */
    static const char names_sql[] =
        "WITH RECURSIVE names(name) AS (SELECT min(name) FROM speeds"
        " UNION ALL SELECT (SELECT min(s.name) FROM speeds AS s"
        " WHERE s.name > names.name) FROM names WHERE names.name IS NOT NULL)"
        " SELECT name FROM names WHERE name IS NOT NULL ORDER BY name";
    static const char ratios_sql[] = "SELECT run, ratio FROM speeds WHERE"
                                     " name = ? AND run >= ? ORDER BY run DESC";
    pacer p = {store, from, see, context, NULL, error};
    sqlite3_stmt *names = NULL;
    report_status status = REPORT_OK;
    int code = sqlite3_prepare_v2(store->db, names_sql, -1, &names, NULL);
    bool goes_on = true;
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(store->db, ratios_sql, -1, &p.ratios, NULL);
    while (code == SQLITE_OK && goes_on && status == REPORT_OK) {
        int step = sqlite3_step(names);
        if (step != SQLITE_ROW) {
            code = step == SQLITE_DONE ? SQLITE_OK : step;
            break;
        }
        status =
            give(&goes_on, &p, (const char *)sqlite3_column_text(names, 0));
    }
    if (code != SQLITE_OK)
        status = report_fail_sql(error, store, "the database cannot be read");
    sqlite3_finalize(p.ratios);
    sqlite3_finalize(names);
    return status;
}
