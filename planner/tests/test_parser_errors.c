/* The parser of dumps: errors with their places, limits, cuts, long texts. */
#include "parser_cases.h"

static void expect_error(const char *text, size_t length,
                         sonata_status expected, const char *message,
                         unsigned line, unsigned column)
{
    ast_program program;
    sonata_error error;
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    assert_int_equal(parse(&program, copy, length, &error), expected);
    assert_string_equal(error.code,
                        expected == SONATA_RANGE ? "doc.range" : "doc.syntax");
    if (!strstr(error.message, message))
        fail_msg("'%s' lacks '%s'", error.message, message);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    free(copy);
}

static void body_error(const char *body, const char *message, unsigned line,
                       unsigned column)
{
    char *text = join(head, orchestration, body);
    expect_error(text, strlen(text), SONATA_SYNTAX, message, line, column);
    free(text);
}

static void text_error(const char *text, const char *message, unsigned line,
                       unsigned column)
{
    expect_error(text, strlen(text), SONATA_SYNTAX, message, line, column);
}

static void bad_bytes(void **state)
{
    (void)state;
    text_error("", "found the end of the text", 1, 1);
    text_error("\xef\xbb\xbf# x\n", "byte order mark", 1, 1);
    text_error("# \xff\n", "not UTF-8", 1, 3);
    text_error("# a\n#\xc0\x80\n", "not UTF-8", 2, 2);
    text_error("# a\rb\n", "carriage return", 1, 4);
    expect_error("#\n\0", 3, SONATA_SYNTAX, "NUL", 2, 1);
    expect_error("\x7f"
                 "ELF\2\1\1\0",
                 8, SONATA_SYNTAX, "NUL", 1, 8);
    text_error("\x7f"
               "ELF\n",
               "a character that no dump has here", 1, 1);
    body_error("        a $ b\n", "a character that no dump has here", 8, 11);
    body_error("        a: b\x01\n", "a character", 8, 13);
}

static void bad_expressions(void **state)
{
    (void)state;
    body_error("        a +\n", "expected an expression, found the end", 8, 12);
    body_error("        f(a b)\n", "expected ',' or ')', found 'b'", 8, 13);
    body_error("        f(a]\n", "expected ',' or ')', found ']'", 8, 12);
    body_error("        [a)\n", "expected ',' or ']', found ')'", 8, 11);
    body_error("        a)\n", "expected the end of the line", 8, 10);
    body_error("        f(,)\n", "expected an expression, found ','", 8, 11);
    body_error("        a[]\n", "expected an expression, found ']'", 8, 11);
    body_error("        a[1:2]\n", "expected ',' or ']', found ':'", 8, 12);
    body_error("        {a}\n", "expected ':' behind the key", 8, 11);
    body_error("        {a, b}\n", "expected ':' behind the key", 8, 11);
    body_error("        f(a=1, b)\n", "expected a keyword argument", 8, 16);
    body_error("        f(a=1, 2)\n", "expected a keyword argument", 8, 16);
    body_error("        f(a.b=1)\n", "expected a plain name", 8, 11);
    body_error("        f((a)=1)\n", "expected ',' or ')', found '='", 8, 14);
    body_error("        x = a if b else c\n", "found 'if'", 8, 15);
    body_error("        lambda: 1\n", "found 'lambda'", 8, 9);
    body_error("        a < b + 1 < c\n", "a chained comparison", 8, 19);
    body_error("        a + not b\n", "expected an operand", 8, 13);
    body_error("        \"ab\n", "string that is not closed", 8, 9);
    body_error("        f(007)\n", "malformed number", 8, 11);
    body_error("        f(1x)\n", "malformed number", 8, 11);
    body_error("        f(0x)\n", "malformed number", 8, 11);
    body_error("        f(a,\n", "found the end of the text", 9, 1);
}

static void bad_statements(void **state)
{
    (void)state;
    body_error("        a.b = c\n", "expected a name", 8, 9);
    body_error("        a[0] = c\n", "expected a name", 8, 9);
    body_error("        a = b = c\n", "expected the end of the line", 8, 15);
    body_error("        a: b\n", "expected '='", 8, 13);
    body_error("        a, b: c = d\n", "expected one name before ':'", 8, 9);
    body_error("        a += 1\n", "found '='", 8, 12);
    body_error("        import os\n", "found 'import'", 8, 9);
    body_error("        raise a\n", "found 'raise'", 8, 9);
    body_error("        else:\n", "there is no if before it", 8, 9);
    body_error("        for i in range(3):\n            pass\n",
               "expected a call of pl.range", 8, 18);
    body_error("        for i, j in pl.range(3):\n            pass\n",
               "expected a loop variable", 8, 13);
    body_error("        for i in pl.while_(init_values=(a,)):\n",
               "expected '(names)'", 8, 13);
    body_error("        with open(a):\n", "expected a call of pl.scope", 8, 14);
    body_error("        if a:\n        b\n", "expected an indented block", 9,
               9);
    body_error("        if a: if b: c\n", "found 'if'", 8, 15);
    body_error("        a\n          b\n", "no deeper indentation", 9, 11);
    body_error("        a\n      b\n", "matches no outer block", 9, 7);
    body_error("        a\n\tb\n", "a tab in the indentation", 9, 1);
    body_error("", "expected an indented block", 8, 1);
}

static void bad_files(void **state)
{
    (void)state;
    text_error("x = 1\n", "expected 'pl.dynamic'", 1, 5);
    text_error("import numpy as np\nfrom a import b\n", "found 'from'", 2, 1);
    text_error("import pypto.language as pl\n@pl.jit\ndef f():\n    pass\n",
               "expected 'pl.program', found 'pl.jit'", 2, 2);
    text_error("@pl.program\nclass P:\n", "expected an indented block", 3, 1);
    text_error("@pl.program\nclass P:\n    x = 1\n",
               "expected '@pl.function', found 'x'", 3, 5);
    text_error("@pl.program\nclass P:\n    @other\n", "'pl.function'", 3, 6);
    text_error("@pl.program\nclass P:\n    @pl.function\n    def f(a):\n",
               "expected ':' and a type, found ')'", 4, 12);
    text_error("@pl.program\nclass P:\n    ...\nx\n",
               "expected the end of the text, found 'x'", 4, 1);
}

/* A kernel that the end of the text cuts is an error all the same. */
static void cut_kernel(void **state)
{
    (void)state;
    char *text = join(head, kernel, "        a = f(b, \"c");
    expect_error(text, strlen(text), SONATA_SYNTAX, "not closed", 8, 18);
    expect_error(text, strlen(text) - 2, SONATA_SYNTAX, "end of the text", 8,
                 18);
    free(text);
}

/* --- Limits, cuts, long texts */

static char *repeat(const char *word, size_t count)
{
    size_t length = strlen(word);
    char *text = malloc(length * count + 1);
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        memcpy(text + i * length, word, length);
    text[length * count] = '\0';
    return text;
}

static void expect_range(const char *body, const char *message)
{
    char *text = join(head, orchestration, body);
    ast_program program;
    sonata_error error;
    assert_int_equal(parse(&program, text, strlen(text), &error), SONATA_RANGE);
    assert_string_equal(error.code, "doc.range");
    assert_string_equal(error.message, message);
    assert_true(error.line >= 8);
    free(text);
}

static void bracket_limit(void **state)
{
    (void)state;
    char *open = repeat("[", 256);
    char *close = repeat("]", 256);
    char *text = join("        ", open, close);
    char *file = join(head, orchestration, text);
    ast_program program;
    parse_ok(&program, file);
    ast_free(&program);
    free(file);
    free(text);
    text = join("        [", open, close);
    expect_range(text, "more than 256 nested brackets");
    free(text);
    free(open);
    free(close);
    open = repeat("(", 1000000);
    text = join("        ", open, "");
    expect_range(text, "more than 256 nested brackets");
    free(text);
    free(open);
}

static char *nested_ifs(unsigned depth)
{
    char *text = malloc(((size_t)depth + 20) * (depth + 20));
    assert_non_null(text);
    char *out = text;
    for (unsigned i = 0; i <= depth; i++)
        out += sprintf(out, "%*s%s\n", (int)(i + 5), "",
                       i < depth ? "if a:" : "b");
    return text;
}

static void block_limit(void **state)
{
    (void)state;
    char *body = nested_ifs(64);
    char *text = join(head, orchestration, body);
    ast_program program;
    parse_ok(&program, text);
    assert_int_equal(program.stmt_count, 65);
    ast_free(&program);
    free(text);
    free(body);
    body = nested_ifs(65);
    expect_range(body, "more than 64 nested blocks");
    free(body);
    char *chain = repeat("        elif a:\n            b\n", 64);
    text = join("        if a:\n            b\n", chain, "");
    expect_range(text, "more than 64 nested blocks");
    free(text);
    free(chain);
}

static void long_inputs(void **state)
{
    (void)state;
    static const char *const words[] = {"-", "not ", "a + ",   "a ** ", "a, ",
                                        "~", "a < ", "a and ", "a.b."};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        char *run = repeat(words[i], 300000);
        char *body = join("        ", run, "a\n");
        char *text = join(head, orchestration, body);
        ast_program program;
        parse_ok(&program, text);
        assert_true(program.expr_count >= 1);
        check_ranges(&program);
        ast_free(&program);
        free(text);
        free(body);
        free(run);
    }
}

static void many_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {"        # c\n", "\n", "        a\n",
                                        "        if a:\n            b\n",
                                        "# low\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *run = repeat(lines[i], 100000);
        char *body = join(run, "        a\n", run);
        char *text = join(head, orchestration, body);
        ast_program program;
        parse_ok(&program, text);
        ast_free(&program);
        free(text);
        free(body);
        free(run);
    }
}

/* Cut anywhere: an error with a place, or what is left is a program. */
static void check_cuts(const char *text, size_t length)
{
    size_t programs = 0;
    for (size_t cut = 0; cut < length; cut++) {
        char *copy = malloc(cut ? cut : 1);
        assert_non_null(copy);
        memcpy(copy, text, cut);
        ast_program program;
        sonata_error error;
        if (parse(&program, copy, cut, &error)) {
            assert_int_equal(error.status, SONATA_SYNTAX);
            assert_true(error.line > 0 && error.column > 0);
            assert_true(error.offset <= cut && error.message[0]);
        } else {
            programs++;
            check_ranges(&program);
            assert_true(program.func_count > 0);
            for (uint32_t i = 0; i < program.func_count; i++)
                assert_false(program.funcs[i].unreadable);
            ast_free(&program);
        }
        free(copy);
    }
    assert_true(programs > 0 && programs < length / 2);
}

static void cuts(void **state)
{
    (void)state;
    check_cuts(whole, sizeof whole - 1);
    check_cuts(whole_ruff, sizeof whole_ruff - 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(bad_bytes),      cmocka_unit_test(bad_expressions),
    cmocka_unit_test(bad_statements), cmocka_unit_test(bad_files),
    cmocka_unit_test(cut_kernel),     cmocka_unit_test(bracket_limit),
    cmocka_unit_test(block_limit),    cmocka_unit_test(long_inputs),
    cmocka_unit_test(many_lines),     cmocka_unit_test(cuts),
};

TEST_MAIN(tests)
