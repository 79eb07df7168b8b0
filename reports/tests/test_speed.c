/* The history of speed: made histories, and when they raise the alarm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "nights.h"
#include "reports/speed.h"

#define NAMES 2000

/* --- Made histories --- */

static void add_run(report_store *store, const report_speed *speeds,
                    size_t count)
{
    report_run what = {"0.0.1", "{\"verb\":\"bench\"}", NULL,
                       "2026-01-01T00:00:00Z"};
    report_error error;
    int64_t run;
    assert_int_equal(
        report_add_speeds(&run, store, &what, "01", speeds, count, &error),
        REPORT_OK);
}

typedef struct seen {
    int64_t names, alarms, young, strikes;
    double mean, spread;
} seen;

static bool see(void *context, const report_pace *pace)
{
    seen *s = context;
    s->names++;
    s->alarms += pace->alarm;
    s->young += !pace->enough;
    s->strikes = pace->strikes;
    s->mean = pace->mean;
    s->spread = pace->spread;
    return true;
}

static seen look(report_store *store)
{
    seen s = {0};
    report_error error;
    assert_int_equal(report_each_pace(store, 0, see, &s, &error), REPORT_OK);
    return s;
}

/* One name with these ratios; after how many runs the first alarm is raised,
 * 0: none. */
static int first_alarm(const double *ratios, int count)
{
    int first = 0;
    nights m = nights_begin();
    report_store *store = nights_open(&m, REPORT_WRITE);
    for (int i = 0; i < count; i++) {
        add_run(store, &(report_speed){"plan", ratios[i]}, 1);
        if (first == 0 && look(store).alarms > 0)
            first = i + 1;
    }
    nights_close(store);
    nights_end(&m);
    return first;
}

/* The n-th number of a row between -1 and 1, of the same for ever; about
 * normal, with a spread of a third. */
static double noise(uint64_t n)
{
    double sum = 0;
    for (uint64_t i = 0; i < 12; i++) {
        uint64_t x = (n * 12 + i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
        x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
        sum += (double)((x ^ (x >> 31)) >> 11) / 9007199254740992.0;
    }
    return (sum - 6) / 3;
}

static void a_step_is_told(void **state)
{
    (void)state;
    double ratios[20];
    for (int i = 0; i < 20; i++)
        ratios[i] = (i < 12 ? 2.0 : 2.4) * (1 + 0.03 * noise((uint64_t)i));
    assert_int_equal(first_alarm(ratios, 20), 15);
    for (int i = 0; i < 20; i++)
        ratios[i] = i < 12 ? 2.0 : 2.1; /* too little to be one */
    assert_int_equal(first_alarm(ratios, 20), 0);
    for (int i = 0; i < 20; i++)
        ratios[i] = i < 12 ? 2.0 : 1.5; /* faster */
    assert_int_equal(first_alarm(ratios, 20), 0);
}

/* Slower by a hundredth in each run: no single one shows it. */
static void a_drift_is_told(void **state)
{
    (void)state;
    double ratios[40];
    for (int i = 0; i < 40; i++)
        ratios[i] = 2.0 * (1 + 0.01 * i) * (1 + 0.03 * noise((uint64_t)i));
    int first = first_alarm(ratios, 40);
    assert_in_range(first, 15, 35);
}

static void one_bad_night_is_not(void **state)
{
    (void)state;
    double ratios[20];
    for (int i = 0; i < 20; i++)
        ratios[i] = i % 7 == 5 || i % 7 == 6 ? 4.0 : 2.0;
    assert_int_equal(first_alarm(ratios, 20), 0);
}

static void too_few_runs_say_so(void **state)
{
    (void)state;
    nights m = nights_begin();
    report_store *store = nights_open(&m, REPORT_WRITE);
    assert_int_equal(look(store).names, 0);
    for (int i = 0; i < 7; i++) {
        add_run(store, &(report_speed){"plan", 1.0 + i}, 1);
        assert_int_equal(look(store).young, 1);
        assert_int_equal(look(store).alarms, 0);
    }
    add_run(store, &(report_speed){"plan", 1.0}, 1);
    assert_int_equal(look(store).young, 0);
    nights_close(store);
    nights_end(&m);
}

/* Alarms of 2,000 names that have nothing but noise of this spread. */
static int64_t false_alarms(double spread, int runs, uint64_t row)
{
    report_speed *speeds = calloc(NAMES, sizeof *speeds);
    char(*names)[8] = calloc(NAMES, sizeof *names);
    nights m = nights_begin();
    report_store *store = nights_open(&m, REPORT_WRITE);
    assert_non_null(speeds);
    assert_non_null(names);
    for (int r = 0; r < runs; r++) {
        for (int i = 0; i < NAMES; i++) {
            uint64_t n = (row * 64 + (uint64_t)r) * NAMES + (uint64_t)i;
            snprintf(names[i], sizeof names[i], "n%04d", i);
            speeds[i].name = names[i];
            speeds[i].ratio = 2.0 * (1 + spread * 3 * noise(n));
        }
        add_run(store, speeds, NAMES);
    }
    seen s = look(store);
    assert_int_equal(s.names, NAMES);
    nights_close(store);
    nights_end(&m);
    free(speeds);
    free(names);
    return s.alarms;
}

/* docs/reports.md states the rates that were measured here. */
static void noise_is_not(void **state)
{
    (void)state;
    static const struct {
        double spread;
        int runs;
        int64_t most;
    } cases[] = {{0.03, 8, 0}, {0.03, 33, 0}, {0.10, 8, 4}, {0.10, 33, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t alarms = false_alarms(cases[i].spread, cases[i].runs, i);
        print_message("spread %.2f, %d runs: %lld of %d\n", cases[i].spread,
                      cases[i].runs, (long long)alarms, NAMES);
        assert_in_range(alarms, 0, cases[i].most);
    }
}

static void mean_and_spread(void **state)
{
    (void)state;
    nights m = nights_begin();
    report_store *store = nights_open(&m, REPORT_WRITE);
    for (int i = 0; i < 11; i++) /* the last three are not compared with */
        add_run(store, &(report_speed){"plan", i < 8 ? 2.0 + i % 2 : 9.0}, 1);
    seen s = look(store);
    assert_int_equal(s.alarms, 1);
    assert_int_equal(s.strikes, 3);
    assert_true(s.mean > 2.499 && s.mean < 2.501);
    assert_true(s.spread > 0.707 && s.spread < 0.708);
    nights_close(store);
    nights_end(&m);
}

/* --- Lines --- */

static void lines_are_read(void **state)
{
    (void)state;
    static const char text[] = "# of today\n\nplan.parse  1.250 \r\nx 3";
    report_speed_list list;
    report_error error;
    assert_int_equal(report_speeds_read(&list, text, sizeof text - 1, &error),
                     REPORT_OK);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0].name, "plan.parse");
    assert_true(list.items[0].ratio == 1.25 && list.items[1].ratio == 3);
    report_speeds_free(&list);
}

static void malformed_lines_are_not(void **state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"a", "line 1 is not"},       {"\na 0", "line 2 is not"},
        {"a -1", "line 1 is not"},    {"a 1e3", "line 1 is not"},
        {"a nan", "line 1 is not"},   {"a 1 2", "line 1 is not"},
        {"a .", "line 1 is not"},     {"a 1\nb 2\na 3", "the name a"},
        {"a\x1b 1", "line 1 is not"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        report_speed_list list;
        report_error error = {0};
        assert_int_equal(report_speeds_read(&list, cases[i].text,
                                            strlen(cases[i].text), &error),
                         REPORT_FOREIGN);
        if (strstr(error.message, cases[i].words) == NULL)
            fail_msg("%s", error.message);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_step_is_told),
    cmocka_unit_test(a_drift_is_told),
    cmocka_unit_test(one_bad_night_is_not),
    cmocka_unit_test(too_few_runs_say_so),
    cmocka_unit_test(noise_is_not),
    cmocka_unit_test(mean_and_spread),
    cmocka_unit_test(lines_are_read),
    cmocka_unit_test(malformed_lines_are_not),
};

TEST_MAIN(tests)
