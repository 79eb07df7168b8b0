/*
 * A document, and behind a zero byte a certificate of it. What is certified
 * must hold, and nothing that holds may be of a document with a hazard.
 */
#include "oracle/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void compare(const char *text, size_t length, const char *certificate,
                    size_t size, const oracle_judge_options *options)
{
    bool holds;
    char reason[256];
    oracle_judgement judgement;
    if (oracle_certificate_check(&holds, text, length, certificate, size,
                                 options, reason, sizeof reason) != ORACLE_OK ||
        !holds ||
        oracle_judge_text(&judgement, text, length, options) != ORACLE_OK) {
        return;
    }
    for (uint32_t i = 0; i < judgement.count; i++) {
        const oracle_finding *finding = &judgement.findings[i];
        if (finding->severity == ORACLE_ERROR &&
            strncmp(finding->rule, "hazard.", 7) == 0) {
            fprintf(stderr, "%s\n%.*s\n", finding->json, (int)size,
                    certificate);
            abort();
        }
    }
    oracle_judgement_free(&judgement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oracle_judge_options options = {.lenient = true, .limit = 20};
    const char *text = (const char *)data;
    const char *end = memchr(text, '\0', size);
    size_t length = end == NULL ? size : (size_t)(end - text);
    char *certificate = NULL, reason[256];
    bool holds = true;
    if (length > 1 << 16) {
        return 0;
    }
    if (end != NULL) {
        compare(text, length, end + 1, size - length - 1, &options);
    }
    if (oracle_certify(&certificate, text, length, &options, reason,
                       sizeof reason) != ORACLE_OK ||
        certificate == NULL) {
        return 0;
    }
    if (oracle_certificate_check(&holds, text, length, certificate,
                                 strlen(certificate), &options, reason,
                                 sizeof reason) == ORACLE_OK &&
        !holds) {
        fprintf(stderr, "%s\n%s\n", reason, certificate);
        abort();
    }
    compare(text, length, certificate, strlen(certificate), &options);
    free(certificate);
    return 0;
}
