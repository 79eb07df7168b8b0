#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "../json/text.h"
#include "load.h"

static sonata_status read_node(sonata_program *p, const sonata_doc *doc,
                               const sonata_node *node, sonata_error *error)
{
    sonata_status status = sonata_source_read(&p->source, doc, node, error);
    if (status == SONATA_OK)
        status = sonata_ir_load(&p->ir, &p->source, error);
    return status;
}

static sonata_status read_text(sonata_program *p, const char *text,
                               size_t length, sonata_error *error)
{
    p->text = length == SIZE_MAX ? NULL : malloc(length + 1);
    if (p->text == NULL)
        return sonata_fail_memory(error);
    if (length > 0)
        memcpy(p->text, text, length);
    p->text[length] = '\0';
    sonata_status status = sonata_doc_read(&p->doc, p->text, length, error);
    if (status != SONATA_OK)
        return status;
    return read_node(p, p->doc, sonata_doc_root(p->doc), error);
}

/* A program that could not be read is freed. */
static sonata_status finish(sonata_program **program, sonata_status status)
{
    if (status != SONATA_OK) {
        sonata_program_free(*program);
        *program = NULL;
    }
    return status;
}

sonata_status sonata_ir_read(sonata_program **program, const char *text,
                             size_t length, sonata_error *error)
{
    *program = calloc(1, sizeof **program);
    if (*program == NULL)
        return sonata_fail_memory(error);
    return finish(program, read_text(*program, text, length, error));
}

sonata_status sonata_ir_from_node(sonata_program **program,
                                  const sonata_doc *doc,
                                  const sonata_node *node, sonata_error *error)
{
    *program = calloc(1, sizeof **program);
    if (*program == NULL)
        return sonata_fail_memory(error);
    return finish(program, read_node(*program, doc, node, error));
}

void sonata_program_free(sonata_program *program)
{
    if (program == NULL)
        return;
    sonata_ir_free(&program->ir);
    sonata_source_free(&program->source);
    sonata_doc_free(program->doc);
    free(program->text);
    free(program);
}

sonata_extract_options
sonata_ir_extract_options(const sonata_ir_options *options)
{
    if (options == NULL)
        return (sonata_extract_options){0};
    return (sonata_extract_options){.policy = options->policy,
                                    .entry = options->entry,
                                    .require_certified = options->certified};
}

sonata_status sonata_ir_plan(sonata_eligibility *result,
                             const sonata_program *program,
                             const sonata_ir_options *options,
                             sonata_error *error)
{
    sonata_extract_options extract = sonata_ir_extract_options(options);
    return sonata_extract(result, &program->ir, &extract, error);
}
