/* Quoting the lines of a dump. */
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../lint_source.h"

/* What a line of a text looks like with a mark. */
static void expect_quote(const char *text, int64_t line, lint_mark mark,
                         const char *expected)
{
    lint_source source;
    cli_text out = {0};
    assert_true(lint_source_open(&source, (cli_span){text, strlen(text)}));
    lint_source_quote(&out, &source, line, &mark, 1);
    assert_false(out.failed);
    assert_string_equal(out.data == NULL ? "" : out.data, expected);
    cli_text_free(&out);
    lint_source_close(&source);
}

#define CALL "    a = pl.submit(self.f, x[0], g(y, [1]), z, deps=[p, q], n=2)\n"
#define QUOTED                                                                 \
    "      1 | a = pl.submit(self.f, x[0], g(y, [1]), z, deps=[p, q], n=2)\n"

static void arguments(void **state)
{
    (void)state;
    expect_quote(CALL, 1, (lint_mark){LINT_CALLEE, 0, ""},
                 QUOTED "        |               ^^^^^^\n");
    expect_quote(CALL, 1, (lint_mark){LINT_ARGUMENT, 0, "here"},
                 QUOTED "        |                       ^^^^ here\n");
    expect_quote(CALL, 1, (lint_mark){LINT_ARGUMENT, 1, ""},
                 QUOTED "        |                             ^^^^^^^^^\n");
    expect_quote(CALL, 1, (lint_mark){LINT_ARGUMENT, 2, ""},
                 QUOTED "        |                                        ^\n");
    expect_quote(CALL, 1, (lint_mark){LINT_DEPS, 0, ""},
                 QUOTED "        |                                           "
                        "^^^^^^^^^^^\n");
    /* One that is not there: the call. */
    expect_quote(CALL, 1, (lint_mark){LINT_ARGUMENT, 9, ""},
                 QUOTED "        |               ^^^^^^\n");
    expect_quote(CALL, 1, (lint_mark){LINT_PREDICATE, 0, ""},
                 QUOTED "        |               ^^^^^^\n");
}

/* Words in strings are no words, brackets in strings no brackets. */
static void strings(void **state)
{
    (void)state;
    expect_quote("a = f(\"self.g(\\\"\", ')') + self.h(b, \"(\", c)\n", 1,
                 (lint_mark){LINT_ARGUMENT, 2, ""},
                 "      1 | a = f(\"self.g(\\\"\", ')') + self.h(b, \"(\", c)\n"
                 "        |                                          ^\n");
}

static void joined(void **state)
{
    (void)state;
    expect_quote("x = 1\n"
                 "    a: pl.Tensor[\n"
                 "        [8, 16], pl.FP32\n"
                 "    ] = self.f(\n"
                 "        b,\n"
                 "        c,\n"
                 "    )\n"
                 "    d = 2\n",
                 2, (lint_mark){LINT_ARGUMENT, 1, ""},
                 "      2 | a: pl.Tensor[[8, 16], pl.FP32] = self.f(b, c)\n"
                 "        |                                            ^\n");
}

/* First the attributes go, then the type, then what lies far from the mark. */
static void shortened(void **state)
{
    (void)state;
    expect_quote(
        "a: pl.Tensor[[8], pl.FP32] = self.f(b, c, attrs={\"arg_directions\": "
        "[pl.adir.input, pl.adir.output_existing]}, n=1)\n",
        1, (lint_mark){LINT_ARGUMENT, 1, ""},
        "      1 | a: pl.Tensor[[8], pl.FP32] = self.f(b, c, ..., n=1)\n"
        "        |                                        ^\n");
    expect_quote(
        "a: pl.Tensor[[8], pl.FP32, pl.MemRef(\"mem_ddr_0\", pl.const(0, "
        "pl.INT64), 32)] = self.f(b, c, attrs={\"arg_directions\": "
        "[pl.adir.input]}, name_hint='somewhat')\n",
        1, (lint_mark){LINT_ARGUMENT, 0, ""},
        "      1 | a: ... = self.f(b, c, ..., name_hint='somewhat')\n"
        "        |                 ^\n");
    expect_quote(
        "a = self.f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, "
        "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, cc, "
        "ddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd,"
        " "
        "eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee)\n",
        1, (lint_mark){LINT_ARGUMENT, 2, "third"},
        "      1 | a = self.f(..., cc, "
        "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd"
        "d, eeeeeeeee...\n"
        "        |                 ^^ third\n");
}

/* A callee or a value before it too long to be shown with the mark. */
static void window(void **state)
{
    (void)state;
#define LONG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
    expect_quote(LONG "_" LONG " = self.f(a, b, c)\n", 1,
                 (lint_mark){LINT_ARGUMENT, 1, ""},
                 "      1 | ...xxxxxxxxxxx = self.f(a, b, c)\n"
                 "        |                            ^\n");
    expect_quote(LONG LONG "(a)\n", 1, (lint_mark){LINT_CALLEE, 0, ""},
                 "      1 | " LONG "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...\n");
#undef LONG
}

static void letters(void **state)
{
    (void)state;
    expect_quote("\xc3\xa4\xc3\xb6\t= self.f(\xe5\xb1\xb1, b)\n", 1,
                 (lint_mark){LINT_ARGUMENT, 0, ""},
                 "      1 | \xc3\xa4\xc3\xb6 = self.f(\xe5\xb1\xb1, b)\n"
                 "        |             ^\n");
    expect_quote("a\x1b = self.f(b)\n", 1, (lint_mark){LINT_CALLEE, 0, ""},
                 "      1 | a  = self.f(b)\n"
                 "        |      ^^^^^^\n");
}

static void columns(void **state)
{
    (void)state;
    expect_quote("    if (a:\n", 1, (lint_mark){LINT_COLUMN, 8, ""},
                 "      1 | if (a:\n"
                 "        |    ^\n");
    expect_quote("    for i in x:\n", 1, (lint_mark){LINT_COLUMN, 5, ""},
                 "      1 | for i in x:\n"
                 "        | ^^^\n");
    expect_quote("    if x\n", 1, (lint_mark){LINT_COLUMN, 9, ""},
                 "      1 | if x\n"
                 "        |     ^\n");
    expect_quote("    if x\n", 1, (lint_mark){LINT_COLUMN, 99, ""},
                 "      1 | if x\n");
    expect_quote("    if x\n", 1, (lint_mark){LINT_COLUMN, 0, ""},
                 "      1 | if x\n");
}

/* Lines that are not there, text that ends anywhere. */
static void edges(void **state)
{
    (void)state;
    static const char text[] =
        "    a: pl.T[\n  [1], 'x] = self.f(b[\"\\\",\n c), deps=[d, predicate=("
        "attrs={\"e\n";
    expect_quote("a\n", 0, (lint_mark){LINT_CALLEE, 0, ""}, "");
    expect_quote("a\n", 3, (lint_mark){LINT_CALLEE, 0, ""}, "");
    expect_quote("a\n", -1, (lint_mark){LINT_CALLEE, 0, ""}, "");
    expect_quote("a\n\n", 2, (lint_mark){LINT_CALLEE, 0, ""}, "");
    expect_quote("", 1, (lint_mark){LINT_CALLEE, 0, ""}, "");
    for (size_t n = 0; n <= strlen(text); n++) {
        for (lint_part p = LINT_CALLEE; p <= LINT_COLUMN; p++) {
            lint_mark marks[2] = {{p, 1, "x"}, {p, 0, "y"}};
            lint_source source;
            cli_text out = {0};
            assert_true(lint_source_open(&source, (cli_span){text, n}));
            for (int64_t line = 0; line < 5; line++)
                lint_source_quote(&out, &source, line, marks, 2);
            assert_false(out.failed);
            cli_text_free(&out);
            lint_source_close(&source);
        }
    }
}

static void functions(void **state)
{
    (void)state;
    static const char text[] = "class p:\n"
                               "    def one(a):\n"
                               "        b\n"
                               "    def two(\n"
                               "        a,\n"
                               "    ):\n"
                               "        if c:\n"
                               "            d\n";
    static const char *const names[] = {"",    "", "",    "one", "",
                                        "two", "", "two", "two"};
    lint_source source;
    assert_true(lint_source_open(&source, (cli_span){text, strlen(text)}));
    for (int64_t line = 0; line < 9; line++) {
        cli_span name = {"", 0};
        bool found = lint_source_function(&name, &source, line);
        assert_int_equal(found, names[line][0] != '\0');
        assert_true(cli_span_is(name, names[line]));
    }
    lint_source_close(&source);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(arguments), cmocka_unit_test(strings),
    cmocka_unit_test(joined),    cmocka_unit_test(shortened),
    cmocka_unit_test(window),    cmocka_unit_test(letters),
    cmocka_unit_test(columns),   cmocka_unit_test(edges),
    cmocka_unit_test(functions),
};

TEST_MAIN(tests)
