/* Texts of inputs on a terminal, and names in commands that are told. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../print.h"

static void expect(void (*print)(cli_text *out, const char *text),
                   const char *text, const char *expected)
{
    cli_text out = {0};
    print(&out, text);
    assert_false(out.failed);
    assert_string_equal(out.data == NULL ? "" : out.data, expected);
    cli_text_free(&out);
}

static void nothing_moves_a_terminal(void **state)
{
    (void)state;
    expect(cli_print_clean, "a\x1b[31m\n\t\x7f", "a\\x1B[31m\\x0A\\x09\\x7F");
    expect(cli_print_clean,
           "\xc2\x9b"
           "31m \xc2\xa0",
           "\\u009B31m \xc2\xa0");
    expect(cli_print_clean,
           "\xe2\x80\xae"
           "a\xe2\x80\xa8\xe2\x81\xa6",
           "\\u202Ea\\u2028\\u2066");
    expect(cli_print_clean, "\xe6\xbc\xa2 \xe2\x80\x9c\xe2\x80",
           "\xe6\xbc\xa2 \xe2\x80\x9c\\xE2\\x80");
}

static void names_are_words(void **state)
{
    (void)state;
    expect(cli_print_word, "a/b-1.db", "a/b-1.db");
    expect(cli_print_word, "", "''");
    expect(cli_print_word, "it's $(a)", "'it'\\''s $(a)'");
    expect(cli_print_word, "a\x1b.db", "\"$(printf 'a\\033.db')\"");
}

/* Of the other task of a pair, whatever it calls itself: a NUL ends nothing,
   and a long name is cut. */
static void names_of_tasks(void **state)
{
    (void)state;
    char record[1024], name[320];
    memset(name, 'n', 300);
    name[300] = '\0';
    snprintf(record, sizeof record,
             "{\"rule\":\"hazard.war\",\"severity\":\"error\",\"message\":"
             "\"a\\u0000b\",\"line\":7,\"producer\":{\"line\":3,\"task\":1,"
             "\"name\":\"\\u0000%s\"}}",
             name);
    char path[] = "a.py";
    cli_found found = {.path = path};
    cli_case c = {.found = &found};
    cli_text out = {0};
    assert_true(cli_case_add_record(&c, (cli_span){record, strlen(record)}));
    c.total = 1;
    cli_print_findings(&out, &c, CLI_NOTE, false);
    name[79] = '\0';
    snprintf(record, sizeof record,
             "a.py:7: error hazard.war: a\\x00b\na.py:3: ... task 1 "
             "\"\\x00%s...\" is here\n",
             name);
    assert_string_equal(out.data, record);
    cli_text_free(&out);
    cli_case_clear(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_of_tasks),
    cmocka_unit_test(nothing_moves_a_terminal),
    cmocka_unit_test(names_are_words),
};

TEST_MAIN(tests)
