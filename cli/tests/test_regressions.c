/*
 * What was once found wrong is right: every error of the regressions has a
 * witness that the checker takes, who reads the document by himself.
 */
#include "../../scripts/testing/harness.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "../input.h"
#include "oracle/judge.h"

static uint32_t check_errors(const char *path, const cli_text *text)
{
    uint32_t checked = 0;
    char reason[256] = "";
    oracle_document document = {0};
    oracle_judgement judgement = {0};
    oracle_error error = {0};
    if (oracle_document_read(&document, text->data, text->length, NULL,
                             &error) != ORACLE_OK)
        return 0;
    assert_int_equal(oracle_document_derive(&document, &error), ORACLE_OK);
    assert_int_equal(
        oracle_judge_text(&judgement, text->data, text->length, NULL),
        ORACLE_OK);
    for (uint32_t i = 0; i < judgement.count; i++) {
        const oracle_finding *f = &judgement.findings[i];
        if (f->severity != ORACLE_ERROR)
            continue;
        if (!oracle_witness_check(&document, f->json, reason, sizeof reason))
            fail_msg("%s: %s: %s", path, reason, f->json);
        checked++;
    }
    oracle_judgement_free(&judgement);
    oracle_document_free(&document);
    return checked;
}

static void witnesses_hold(void **state)
{
    (void)state;
    glob_t paths;
    uint32_t checked = 0;
    assert_int_equal(glob("corpus/regressions/*.json", 0, NULL, &paths), 0);
    for (size_t i = 0; i < paths.gl_pathc; i++) {
        cli_text text = {0};
        char problem[160];
        assert_true(cli_input_read(&text, paths.gl_pathv[i], CLI_INPUT_LIMIT,
                                   false, problem, sizeof problem));
        checked += check_errors(paths.gl_pathv[i], &text);
        cli_text_free(&text);
    }
    globfree(&paths);
    assert_in_range(checked, 8, UINT32_MAX);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(witnesses_hold),
};

TEST_MAIN(tests)
