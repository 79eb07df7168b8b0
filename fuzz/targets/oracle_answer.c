/*
 * The second answer. The bytes as input, options, what is expected and an
 * answer, with zero bytes between: whatever they are, what is said of them is
 * diff.*, and the same each time. And the bytes as a Score and as a program
 * that the planner answers: the two answers agree.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/kind.h"
#include "../../cli/serve.h"
#include "check.h"
#include "oracle/answer.h"

static bool ask(oracle_judgement *j, const oracle_question *question,
                oracle_bytes answer, bool judges)
{
    oracle_judge_options options = {.case_digest = ""};
    oracle_status status = (judges ? oracle_answer_judge : oracle_answer_check)(
        j, question, answer, &options);
    check(status == ORACLE_OK || status == ORACLE_SYNTAX ||
          status == ORACLE_SCHEMA);
    return status == ORACLE_OK;
}

/* Up to the next zero byte. */
static oracle_bytes part(const char **at, const char *end)
{
    const char *zero = memchr(*at, '\0', (size_t)(end - *at));
    oracle_bytes bytes = {*at, (size_t)((zero == NULL ? end : zero) - *at)};
    *at = zero == NULL ? end : zero + 1;
    return bytes;
}

static void any_answer(const char *text, size_t size)
{
    static const char *const kinds[] = {"score", "ir", "dump"};
    const char *end = text + size;
    oracle_judgement first, second, both;
    oracle_question q = {.kind = kinds[size % 3]};
    q.input = part(&text, end);
    q.options = part(&text, end);
    q.expected = part(&text, end);
    oracle_bytes answer = part(&text, end);
    bool is = ask(&first, &q, answer, false);
    check(ask(&second, &q, answer, false) == is &&
          ask(&both, &q, answer, true) == is);
    if (!is)
        return;
    check(first.count == second.count && both.count >= first.count);
    for (uint32_t i = 0; i < first.count; i++) {
        const oracle_finding *f = &first.findings[i];
        check(strncmp(f->rule, "diff.", 5) == 0);
        check(strcmp(f->json, second.findings[i].json) == 0);
        check(strcmp(f->signature, both.findings[i].signature) == 0);
    }
    oracle_judgement_free(&first);
    oracle_judgement_free(&second);
    oracle_judgement_free(&both);
}

/* The bytes as they are, so that both see the same. */
static void put_input(cli_text *line, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c == '"' || c == '\\')
            cli_text_printf(line, "\\u%04x", c);
        else
            cli_text_add(line, text + i, 1);
    }
}

static void agree(const oracle_question *question, const cli_text *answer)
{
    oracle_judgement j;
    check(
        ask(&j, question, (oracle_bytes){answer->data, answer->length}, false));
    for (uint32_t i = 0; i < j.count; i++)
        fprintf(stderr, "%s\n", j.findings[i].json);
    check(j.count == 0);
    oracle_judgement_free(&j);
}

static void own_answer(const char *kind, const char *text, size_t size)
{
    static const char *const asked[] = {
        "{\"encodings\":1,\"policy\":\"dataflow_v0\"}",
        ("{\"emit\":\"bundle,graph,eligibility,alias,liveness,conflicts\","
         "\"memory\":\"greedy_v0\",\"sizes\":{\"alloc:a\":3,\"alloc:b\":5,"
         "\"param:x\":9223372036854775807}}"),
        ("{\"emit\":\"score,hbg,handle\",\"policy\":\"mixed\","
         "\"profile\":\"sonata-0.9\"}"),
        ("{\"emit\":\"liveness,conflicts,alias,graph,regions\","
         "\"policy\":\"sequential_v0\"}"),
    };
    const char *options = asked[size % 4]; /* blanks at the end change it */
    cli_text line = {0}, answer = {0};
    oracle_question q = {
        kind, {text, size}, {options, strlen(options)}, {"", 0}};
    cli_text_printf(&line,
                    "{\"id\":1,\"kind\":\"%s\",\"options\":%s,\"input\":\"",
                    kind, options);
    put_input(&line, text, size);
    cli_text_put(&line, "\"}");
    check(!line.failed);
    /* A line that is no UTF-8 is no request. */
    if (cli_serve_line(&answer, NULL, line.data, line.length, false, false) ==
        0)
        agree(&q, &answer);
    cli_text_free(&line);
    cli_text_free(&answer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    any_answer((const char *)data, size);
    if (size == 0 || memchr(data, '\0', size) == NULL)
        own_answer(cli_kind_detect((const char *)data, size) == CLI_IR
                       ? "ir"
                       : "score",
                   (const char *)data, size);
    return 0;
}
