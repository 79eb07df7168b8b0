/* check --prove, --certificate, --method: the command end to end. */
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../case.h"
#include "tool.h"

#define CHAIN "corpus/programs/chain.py"
#define LOOP "corpus/programs/loop.py"
#define RACE "corpus/programs/if_path.py"

static void prove_and_check(void **state)
{
    tool_result proof, check;
    char *folder = tool_folder();
    const char *path = tool_path(folder, "chain.certificate");
    (void)state;
    tool_run(&proof, NULL, "check", "--prove", CHAIN, NULL);
    assert_int_equal(proof.status, 0);
    assert_non_null(strstr(proof.out, "\"kind\":\"certificate\""));
    assert_non_null(strstr(proof.error, "chain.py: clean"));
    tool_write(folder, "chain.certificate", proof.out);
    tool_run(&check, NULL, "check", "--certificate", path, CHAIN, NULL);
    assert_int_equal(check.status, 0);
    assert_string_equal(check.out, CHAIN ": the certificate holds\n");
    tool_free(&check);
    tool_run(&check, NULL, "check", "--certificate", path, LOOP, NULL);
    assert_int_equal(check.status, 1);
    assert_string_equal(check.out,
                        LOOP ": the certificate is refused: it is of another "
                             "document or another rule set\n");
    tool_free(&check);
    *strchr(proof.out, '5') = '6';
    tool_write(folder, "chain.certificate", proof.out);
    tool_expect(1, NULL, "check", "--certificate", path, CHAIN, NULL);
    tool_write(folder, "chain.certificate", "");
    tool_expect(1, NULL, "check", "--certificate", path, CHAIN, NULL);
    tool_free(&proof);
    tool_remove(folder);
}

/* What is not clean has none, whatever the others have. */
static void no_certificate(void **state)
{
    tool_result proof;
    (void)state;
    tool_run(&proof, NULL, "check", "--prove", "--quiet", CHAIN, RACE, NULL);
    assert_int_equal(proof.status, 1);
    assert_string_equal(proof.error, "counterpoint: " RACE
                                     ": no certificate: it is not clean\n");
    assert_non_null(strstr(proof.out, "\"version\":1}\n"));
    tool_free(&proof);
}

/* Warnings beside order and bytes take no certificate away. */
static void warned_and_proved(void **state)
{
    static const char found[] = "corpus/rules/direction.mismatch/found.json";
    tool_result proof;
    (void)state;
    tool_run(&proof, NULL, "check", "--prove", found, NULL);
    assert_int_equal(proof.status, 0);
    assert_non_null(strstr(proof.out, "\"kind\":\"certificate\""));
    assert_non_null(strstr(proof.error, "warning direction.mismatch"));
    tool_free(&proof);
    tool_run(&proof, NULL, "check", "--prove", "--quiet",
             "corpus/regressions/sum_of_nothing.json", NULL);
    assert_int_equal(proof.status, 1);
    assert_int_equal(proof.out_length, 0);
    tool_free(&proof);
}

/* The FILE that is missing is not held against the certificate. */
static void missing_file(void **state)
{
    tool_result check;
    (void)state;
    tool_run(&check, NULL, "check", "--certificate", CHAIN, "no-such-file",
             NULL);
    assert_int_equal(check.status, 2);
    assert_int_equal(check.out_length, 0);
    assert_non_null(strstr(check.error, "no-such-file cannot be opened"));
    tool_free(&check);
}

static void as_json(void **state)
{
    tool_result proof;
    (void)state;
    tool_run(&proof, NULL, "check", "--prove", "--json", CHAIN, NULL);
    assert_int_equal(proof.status, 0);
    assert_non_null(strstr(proof.out, ",\"certificate\":{\"document\":"));
    assert_string_equal(proof.error, "");
    tool_free(&proof);
}

static void wrong_usage(void **state)
{
    (void)state;
    tool_expect(2, NULL, "check", "--certificate", "no-such-file", CHAIN, NULL);
    tool_expect(2, NULL, "check", "--certificate", CHAIN, CHAIN, LOOP, NULL);
    tool_expect(2, NULL, "check", "--certificate", CHAIN, "corpus/programs",
                NULL);
    tool_expect(2, NULL, "check", "--certificate", CHAIN, "--prove", CHAIN,
                NULL);
    tool_expect(2, NULL, "check", "--method", "guess", CHAIN, NULL);
}

/* The methods give the same bytes. */
static void methods(void **state)
{
    static const char *const names[] = {"chains", "both"};
    tool_result blocks, other;
    (void)state;
    tool_run(&blocks, NULL, "check", "--json", "corpus/programs", NULL);
    assert_true(blocks.status == 1 && blocks.out_length > 1000);
    for (size_t i = 0; i < 2; i++) {
        tool_run(&other, NULL, "check", "--json", "--method", names[i],
                 "corpus/programs", NULL);
        assert_int_equal(other.status, 1);
        assert_string_equal(other.out, blocks.out);
        tool_free(&other);
    }
    tool_free(&blocks);
}

/* What the judge itself did wrong is no verdict about the input. */
static void own_fault(void **state)
{
    static const char answer[] =
        "{\"assumptions\":[],\"fault\":\"the methods for order disagree\","
        "\"findings\":[],\"id\":1,\"total\":0,\"undecided\":[],"
        "\"verdict\":\"clean\"}";
    cli_case c = {0};
    (void)state;
    assert_true(
        cli_case_take_judgement(&c, (cli_span){answer, sizeof answer - 1}));
    assert_true(c.own_fault);
    assert_int_equal(c.verdict, CLI_CRASHED);
    cli_text_put(&c.reason, "");
    assert_string_equal(c.reason.data, "the methods for order disagree");
    cli_case_clear(&c);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(prove_and_check),   cmocka_unit_test(no_certificate),
    cmocka_unit_test(warned_and_proved), cmocka_unit_test(missing_file),
    cmocka_unit_test(as_json),           cmocka_unit_test(wrong_usage),
    cmocka_unit_test(methods),           cmocka_unit_test(own_fault),
};

TEST_MAIN(tests)
