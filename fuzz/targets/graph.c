/*
 * The drawings: any document, with what the judge finds in it, as DOT and as
 * SVG. What comes out has no byte that its form has no place for, and is the
 * same twice.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/graph/draw.h"
#include "check.h"
#include "oracle/judge.h"

/* What is read of the input: layouts grow faster than texts. */
#define MOST_BYTES ((size_t)100000)

static void check_svg(const cli_text *svg)
{
    static const char end[] = "</svg>\n";
    size_t opened = 0, closed = 0;
    for (size_t i = 0; i < svg->length; i++) {
        char c = svg->data[i];
        check((unsigned char)c >= 0x20 || c == '\n');
        opened += c == '<';
        closed += c == '>';
        check(opened >= closed);
    }
    check(opened == closed);
    check(strcmp(svg->data + svg->length - (sizeof end - 1), end) == 0);
}

static void check_dot(const cli_text *dot)
{
    bool inside = false;
    for (size_t i = 0; i < dot->length; i++) {
        char c = dot->data[i];
        check((unsigned char)c >= 0x20 || (c == '\n' && !inside));
        if (inside && c == '\\')
            i++;
        else if (c == '"')
            inside = !inside;
    }
    check(!inside);
}

static void draw(picture *p)
{
    char why[240];
    cli_text dot = {0}, svg[2] = {{0}, {0}};
    draw_dot(&dot, p);
    if (!dot.failed)
        check_dot(&dot);
    if (draw_fits(why, sizeof why, p)) {
        draw_svg(&svg[0], p);
        draw_svg(&svg[1], p);
        check(!svg[0].failed && svg[0].length == svg[1].length &&
              memcmp(svg[0].data, svg[1].data, svg[0].length) == 0);
        check_svg(&svg[0]);
    }
    cli_text_free(&dot);
    cli_text_free(&svg[0]);
    cli_text_free(&svg[1]);
}

/* The first byte chooses the part that is drawn. */
static void draw_document(oracle_document *document, uint8_t choice)
{
    oracle_judgement judgement = {0};
    picture p = {0};
    cli_case *c = calloc(1, sizeof *c);
    uint32_t around = PICTURE_NONE;
    bool ok = c != NULL &&
              oracle_judge_document(&judgement, document, NULL) == ORACLE_OK;
    for (uint32_t i = 0; ok && i < judgement.count; i++) {
        const char *json = judgement.findings[i].json;
        ok = cli_case_add_record(c, (cli_span){json, strlen(json)});
    }
    if (choice % 4 == 3 && document->task_count > 0)
        around = choice / 4 % document->task_count;
    if (ok && picture_make(&p, document, c, around, 1 + choice % 3))
        draw(&p);
    picture_free(&p);
    if (c != NULL)
        cli_case_free(c);
    oracle_judgement_free(&judgement);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oracle_document document = {0};
    oracle_error error;
    if (size < 2 || size > MOST_BYTES)
        return 0;
    if (oracle_document_read(&document, (const char *)data + 1, size - 1, NULL,
                             &error) != ORACLE_OK)
        return 0;
    if (oracle_document_derive(&document, &error) == ORACLE_OK)
        draw_document(&document, data[0]);
    oracle_document_free(&document);
    return 0;
}
