/* Texts of inputs on a terminal, and names in commands that are told. */
#include <stdlib.h>

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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_moves_a_terminal),
    cmocka_unit_test(names_are_words),
};

TEST_MAIN(tests)
