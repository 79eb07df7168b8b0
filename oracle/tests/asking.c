#include "asking.h"

#include "../../scripts/testing/harness.h"

#include <stdio.h>
#include <string.h>

void asking_quote(char *text)
{
    for (; *text != '\0'; text++) {
        *text = *text == '\'' ? '"' : *text;
    }
}

void asking_put(char *out, const char *text)
{
    size_t length = strlen(out);
    snprintf(out + length, ASKING_ROOM - length, "%s", text);
}

void asking_put_changed(char *out, const char *text, const char *from,
                        const char *to)
{
    const char *at = strstr(text, from);
    if (at == NULL) {
        fail_msg("%s is not in %s", from, text);
    }
    size_t length = strlen(out);
    snprintf(out + length, ASKING_ROOM - length, "%.*s%s%s", (int)(at - text),
             text, to, at + strlen(from));
}

void asking_check(oracle_judgement *j, const char *kind, const char *input,
                  const char *asked, const char *expected, const char *line)
{
    static char texts[4][ASKING_ROOM];
    const char *given[] = {input, asked, expected, line};
    for (int i = 0; i < 4; i++) {
        assert_true(strlen(given[i]) < ASKING_ROOM);
        memmove(texts[i], given[i], strlen(given[i]) + 1);
        asking_quote(texts[i]);
    }
    oracle_question q = {kind,
                         {texts[0], strlen(texts[0])},
                         {texts[1], strlen(texts[1])},
                         {texts[2], strlen(texts[2])}};
    oracle_bytes bytes = {texts[3], strlen(texts[3])};
    assert_int_equal(oracle_answer_check(j, &q, bytes, NULL), ORACLE_OK);
}

void asking_expect_none(const oracle_judgement *j)
{
    if (j->count > 0) {
        fail_msg("%s: %s", j->findings[0].rule, j->findings[0].message);
    }
    assert_int_equal(j->verdict, ORACLE_CLEAN);
}

void asking_expect_one(const oracle_judgement *j, const char *rule,
                       const char *cause)
{
    if (j->count != 1 || strcmp(j->findings[0].rule, rule) != 0 ||
        strcmp(j->findings[0].cause, cause) != 0) {
        fail_msg("%s %s is expected, found are %u: %s [%s] %s", rule, cause,
                 (unsigned)j->count, j->count > 0 ? j->findings[0].rule : "",
                 j->count > 0 ? j->findings[0].cause : "",
                 j->count > 0 ? j->findings[0].message : "");
    }
    assert_int_equal(j->findings[0].severity, ORACLE_ERROR);
    assert_int_equal(j->verdict, ORACLE_FINDINGS);
    assert_int_equal(j->total, 1);
    assert_non_null(strstr(j->findings[0].json, "\"cause\":"));
    assert_string_equal(
        j->findings[0].message + strlen(j->findings[0].message) - 1, ".");
}
