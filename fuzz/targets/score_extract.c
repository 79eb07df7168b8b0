/*
 * Bytes as instructions that build an IR; then eligibility, Score, documents
 * and both policies. An eligible program must have a valid Score, and the same
 * bytes twice the same document.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../planner/adapt/extract.h"

typedef struct input {
    const uint8_t *data;
    size_t size;
} input;

static uint8_t take(input *in)
{
    if (in->size == 0)
        return 0;
    in->size--;
    return *in->data++;
}

/* A short text: a known word, the bytes that follow, or null. */
static sonata_text take_text(input *in)
{
    static const char *const words[] = {"Input",
                                        "Output",
                                        "InOut",
                                        "NoDep",
                                        "Scalar",
                                        "x",
                                        "y",
                                        "x@2",
                                        "k",
                                        "tensor.create",
                                        "ForStmt",
                                        "tensor.read",
                                        "Submit",
                                        "",
                                        "Program",
                                        "Spmd",
                                        "OutputExisting",
                                        "Function",
                                        "Orchestration"};
    size_t count = sizeof words / sizeof *words;
    uint8_t choice = take(in);
    if (choice < count)
        return (sonata_text){words[choice], strlen(words[choice])};
    if (choice == 255)
        return (sonata_text){0};
    size_t length = choice % 8u < in->size ? choice % 8u : in->size;
    sonata_text text = {length == 0 ? "" : (const char *)in->data, length};
    in->data += length;
    in->size -= length;
    return text;
}

static uint32_t some(input *in, size_t count)
{
    return (uint32_t)(take(in) % count);
}

static void add_arg(sonata_ir *ir, input *in)
{
    uint32_t variable = some(in, ir->variable_count + 1);
    sonata_text name = take_text(in);
    if (variable == ir->variable_count)
        variable = SONATA_IR_NONE;
    if (name.text == NULL)
        name = SONATA_TEXT("int");
    sonata_ir_add_arg(ir, variable, name);
}

static void step(sonata_ir *ir, input *in)
{
    switch (take(in) % 11) {
    case 0:
        sonata_ir_new_variable(ir, take_text(in));
        break;
    case 1:
        sonata_ir_begin_root(ir, take_text(in));
        break;
    case 2:
        sonata_ir_add_param(ir, some(in, ir->variable_count));
        if (take(in) % 2 == 0)
            sonata_ir_set_shape(ir);
        break;
    case 3:
        if (ir->param_count > 0)
            sonata_ir_add_dim(ir, take(in));
        break;
    case 4: {
        sonata_text callee = take_text(in);
        sonata_ir_callee kind = (sonata_ir_callee)(take(in) % 5);
        sonata_ir_begin_call(ir, callee,
                             callee.text == NULL ? SONATA_CALLEE_OTHER : kind);
        break;
    }
    case 5:
        add_arg(ir, in);
        break;
    case 6: {
        sonata_text direction = take_text(in);
        if (direction.text != NULL)
            sonata_ir_add_direction(ir, direction);
        break;
    }
    case 7:
        sonata_ir_visit_call(ir, some(in, ir->call_count));
        break;
    case 8:
        sonata_ir_visit_node(ir, take_text(in));
        break;
    case 9:
        sonata_ir_assign_call(ir, some(in, ir->variable_count),
                              some(in, ir->call_count));
        break;
    default:
        sonata_ir_assign_element(ir, some(in, ir->variable_count),
                                 some(in, ir->variable_count),
                                 (int8_t)take(in));
    }
}

static void build(sonata_ir *ir, sonata_extract_options *options, input *in)
{
    uint8_t flags = take(in);
    sonata_ir_init(ir);
    if ((flags & 1) != 0)
        ir->root_kind = SONATA_TEXT("Function");
    if ((flags & 64) != 0)
        ir->root_kind = SONATA_TEXT("Var");
    if ((flags & 2) != 0)
        ir->name = take_text(in);
    if ((flags & 4) != 0)
        ir->function_type = take_text(in);
    if ((flags & 8) != 0)
        options->entry = take_text(in);
    options->require_certified = (flags & 16) != 0;
    options->policy = (flags & 32) != 0 ? "sequential_v0" : "dataflow_v0";
    sonata_ir_new_variable(ir, SONATA_TEXT("x"));
    sonata_ir_begin_root(ir, SONATA_TEXT("f"));
    sonata_ir_begin_call(ir, SONATA_TEXT("k"), SONATA_CALLEE_AIV);
    while (in->size > 0)
        step(ir, in);
}

static void check_score(const sonata_score *score)
{
    sonata_reasons reasons = {0};
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    if (sonata_score_validate(&reasons, score, NULL) != SONATA_OK ||
        sonata_reasons_reject(&reasons) ||
        sonata_score_fingerprint(fingerprint, score, true, NULL) != SONATA_OK)
        abort();
    sonata_reasons_free(&reasons);
}

/* The document of the program; freed by the caller. */
static char *document(const uint8_t *data, size_t size, bool pretty)
{
    sonata_ir ir;
    sonata_extract_options options = {0};
    input in = {data, size};
    build(&ir, &options, &in);
    sonata_eligibility result;
    sonata_error error;
    char *json = NULL;
    if (sonata_extract(&result, &ir, &options, &error) != SONATA_OK ||
        sonata_eligibility_json(&json, NULL, &result, pretty, &error) !=
            SONATA_OK)
        abort();
    if (result.eligible)
        check_score(&result.score);
    sonata_eligibility_free(&result);
    sonata_ir_free(&ir);
    return json;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *first = document(data, size, false);
    char *second = document(data, size, false);
    if (strcmp(first, second) != 0)
        abort();
    free(first);
    free(second);
    free(document(data, size, true));
    return 0;
}
