#include "judged.h"

#include "../../scripts/testing/harness.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void growing_put(growing *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    assert_true(length >= 0);
    if (t->length + (size_t)length + 1 > t->room) {
        t->room = 2 * (t->length + (size_t)length + 64);
        t->data = realloc(t->data, t->room);
        assert_non_null(t->data);
    }
    va_start(args, format);
    vsnprintf(t->data + t->length, (size_t)length + 1, format, args);
    va_end(args);
    t->length += (size_t)length;
}

uint32_t numbers_below(numbers *r, uint32_t limit)
{
    r->state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = r->state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((x ^ (x >> 31)) % limit);
}

void judged_text(judged *j, const char *text, size_t length)
{
    oracle_error error;
    oracle_read_options options = {.lenient = true};
    if (oracle_document_read(&j->document, text, length, &options, &error) !=
        ORACLE_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(oracle_judge_document(&j->judgement, &j->document, NULL),
                     ORACLE_OK);
    for (uint32_t i = 0; i < j->judgement.count; i++) {
        const oracle_finding *f = &j->judgement.findings[i];
        char reason[160];
        if ((strncmp(f->rule, "edge.", 5) == 0 ||
             strcmp(f->rule, "memory.waste") == 0) &&
            !oracle_witness_check(&j->document, f->json, reason,
                                  sizeof reason)) {
            fail_msg("%s: %s", reason, f->json);
        }
    }
}

void judged_free(judged *j)
{
    oracle_judgement_free(&j->judgement);
    oracle_document_free(&j->document);
}

const oracle_finding *judged_only(const judged *j, const char *rule)
{
    const oracle_finding *found = NULL;
    for (uint32_t i = 0; i < j->judgement.count; i++) {
        if (strcmp(j->judgement.findings[i].rule, rule) == 0) {
            assert_null(found);
            found = &j->judgement.findings[i];
        }
    }
    return found;
}

void judged_expect(const char *text, const char *rule, const char *part)
{
    judged j;
    judged_text(&j, text, strlen(text));
    const oracle_finding *f = judged_only(&j, rule);
    if (part == NULL && f != NULL) {
        fail_msg("%s", f->json);
    }
    if (part != NULL && f == NULL) {
        fail_msg("no %s with %s: %s", rule, part, text);
    }
    if (part != NULL && strstr(f->json, part) == NULL) {
        fail_msg("not %s: %s", part, f->json);
    }
    judged_free(&j);
}

void judged_accept(const char *text, const char *finding, bool accepted)
{
    oracle_document d;
    oracle_error error;
    oracle_read_options options = {.lenient = true};
    char reason[160];
    assert_int_equal(
        oracle_document_read(&d, text, strlen(text), &options, &error),
        ORACLE_OK);
    if (oracle_witness_check(&d, finding, reason, sizeof reason) != accepted) {
        fail_msg("%s: %s", accepted ? reason : "accepted", finding);
    }
    oracle_document_free(&d);
}
