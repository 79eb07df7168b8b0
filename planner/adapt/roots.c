#include "roots.h"

#include <stdlib.h>

#include "../json/table.h"
#include "../score/reason.h"

#define ADAPTER_SCOPE "unsupported_pypto_adapter_scope"
#define NOT_ORCHESTRATION "entry_function_not_orchestration"

static bool is_other_function(const sonata_ir *ir)
{
    return ir->function_type.text != NULL &&
           !sonata_text_is(ir->function_type, "Orchestration");
}

sonata_status sonata_roots_select(sonata_roots *roots, const sonata_ir *ir,
                                  sonata_text entry, sonata_error *error)
{
    *roots = (sonata_roots){.ir = ir};
    roots->items = calloc(ir->root_count + 1, sizeof *roots->items);
    if (roots->items == NULL)
        return sonata_fail_memory(error);
    for (size_t i = 0; i < ir->root_count && !is_other_function(ir); i++)
        if (entry.text == NULL || sonata_text_equal(ir->roots[i].name, entry))
            roots->items[roots->count++] = &ir->roots[i];
    return SONATA_OK;
}

void sonata_roots_free(sonata_roots *roots)
{
    free(roots->items);
    *roots = (sonata_roots){0};
}

/* One check: reasons are added once each. */
typedef struct checker {
    sonata_reasons *reasons;
    sonata_arena *arena;
    sonata_table seen; /* messages */
    bool failed;
} checker;

static void add(checker *c, const char *code, sonata_text message)
{
    uint32_t index = 0;
    bool is_new = false;
    if (message.text == NULL ||
        !sonata_table_put(&c->seen, &index, &is_new, 0, message) ||
        (is_new && !sonata_reasons_add(c->reasons, code, message, false)))
        c->failed = true;
}

static const sonata_text initial =
    SONATA_TEXT_INIT(" is not supported by initial Sonata eligibility");
static const sonata_text scope =
    SONATA_TEXT_INIT(" is out of scope for Sonata v0.1 PyPTO adapter");

/* The kinds that give a reason, its code, and how its message ends. */
typedef struct rejected_kind {
    const char *kind;
    const char *code;
    const sonata_text *tail;
} rejected_kind;

static const rejected_kind rejected_kinds[] = {
    {"ForStmt", "control_flow_not_supported", &initial},
    {"IfStmt", "control_flow_not_supported", &initial},
    {"WhileStmt", "control_flow_not_supported", &initial},
    {"RuntimeScopeStmt", "unsupported_runtime_scope", &initial},
    {"Submit", ADAPTER_SCOPE, &scope},
    {"SpmdScopeStmt", ADAPTER_SCOPE, &scope},
    {"ManualScopeStmt", ADAPTER_SCOPE, &scope},
};

static const rejected_kind *find_rejected(sonata_text kind)
{
    for (size_t i = 0; i < sizeof rejected_kinds / sizeof *rejected_kinds; i++)
        if (sonata_text_is(kind, rejected_kinds[i].kind))
            return &rejected_kinds[i];
    return NULL;
}

bool sonata_kind_is_rejected(sonata_text kind)
{
    return find_rejected(kind) != NULL;
}

static void check_node(checker *c, sonata_text kind)
{
    const rejected_kind *rejected = find_rejected(kind);
    if (rejected != NULL)
        add(c, rejected->code, SONATA_JOIN(c->arena, kind, *rejected->tail));
}

static void check_root(checker *c, const sonata_ir *ir,
                       const sonata_ir_root *root)
{
    for (uint32_t i = 0; i < root->steps && !c->failed; i++) {
        const sonata_ir_step *step = &ir->steps[root->first_step + i];
        if (step->kind == SONATA_IR_VISIT_NODE)
            check_node(c, step->node_kind);
        if (step->kind == SONATA_IR_VISIT_CALL &&
            sonata_text_is(ir->calls[step->call].callee, "tensor.read"))
            add(c, "tensor_read_not_supported",
                SONATA_TEXT("tensor.read calls are not supported by initial "
                            "Sonata eligibility"));
    }
}

static void check_entry(checker *c, const sonata_roots *roots,
                        sonata_text entry)
{
    if (roots->count > 0)
        return;
    if (entry.text != NULL)
        add(c, NOT_ORCHESTRATION,
            SONATA_JOIN(c->arena,
                        SONATA_TEXT("entry function is not an orchestration "
                                    "function: "),
                        entry));
    else if (sonata_text_is(roots->ir->root_kind, "Program"))
        add(c, NOT_ORCHESTRATION,
            SONATA_TEXT("program has no Orchestration functions for Sonata "
                        "eligibility"));
}

static void check_function(checker *c, const sonata_ir *ir)
{
    sonata_text type = ir->function_type;
    sonata_text name =
        ir->name.text == NULL ? SONATA_TEXT("<anonymous>") : ir->name;
    if (!sonata_text_is(ir->root_kind, "Function") || !is_other_function(ir))
        return;
    if (sonata_text_is(type, "Group") || sonata_text_is(type, "Spmd"))
        add(c, ADAPTER_SCOPE,
            SONATA_JOIN(c->arena, type,
                        SONATA_TEXT(" function root is out of scope for "
                                    "Sonata v0.1 PyPTO adapter: "),
                        name));
    else
        add(c, ADAPTER_SCOPE,
            SONATA_JOIN(c->arena, type,
                        SONATA_TEXT(" function root is not an Orchestration "
                                    "function: "),
                        name));
}

/* True once a callee was found that is a Group or Spmd function. */
static bool check_callees(checker *c, const sonata_ir *ir,
                          const sonata_ir_root *root)
{
    for (uint32_t i = 0; i < root->steps; i++) {
        const sonata_ir_step *step = &ir->steps[root->first_step + i];
        if (step->kind != SONATA_IR_VISIT_CALL)
            continue;
        const sonata_ir_call *call = &ir->calls[step->call];
        if (call->callee_kind != SONATA_CALLEE_GROUP &&
            call->callee_kind != SONATA_CALLEE_SPMD)
            continue;
        add(c, ADAPTER_SCOPE,
            SONATA_JOIN(c->arena,
                        SONATA_TEXT("Group/Spmd callee is out of scope for "
                                    "Sonata v0.1: "),
                        call->callee));
        return true;
    }
    return false;
}

/* What certified mode has against a call; an empty text when nothing. */
static sonata_text uncertified(checker *c, const sonata_ir_call *call)
{
    if (call->directions == 0)
        return SONATA_JOIN(c->arena, SONATA_TEXT("Call "), call->callee,
                           SONATA_TEXT(" has no arg_directions in certified "
                                       "dump"));
    if (call->directions == call->args)
        return SONATA_TEXT("");
    return SONATA_JOIN(c->arena, SONATA_TEXT("Call "), call->callee,
                       SONATA_TEXT(" arg_directions size "),
                       sonata_text_int(c->arena, call->directions),
                       SONATA_TEXT(" does not match args size "),
                       sonata_text_int(c->arena, call->args));
}

/* Puts what is against the calls of a root into a table of distinct texts. */
static void check_certified_root(checker *c, sonata_table *texts,
                                 const sonata_ir *ir,
                                 const sonata_ir_root *root)
{
    for (uint32_t i = 0; i < root->steps && !c->failed; i++) {
        const sonata_ir_step *step = &ir->steps[root->first_step + i];
        if (step->kind != SONATA_IR_VISIT_CALL ||
            !sonata_ir_is_task(&ir->calls[step->call]))
            continue;
        uint32_t index = 0;
        sonata_text text = uncertified(c, &ir->calls[step->call]);
        if (text.text == NULL ||
            (text.length > 0 &&
             !sonata_table_put(texts, &index, NULL, 0, text)))
            c->failed = true;
    }
}

static void check_certified(checker *c, const sonata_roots *roots)
{
    sonata_table texts = {0};
    for (size_t i = 0; i < roots->count; i++)
        check_certified_root(c, &texts, roots->ir, roots->items[i]);
    sonata_text *pieces =
        sonata_arena_array(c->arena, 2 * texts.count + 1, sizeof *pieces);
    if (pieces == NULL)
        c->failed = true;
    for (size_t i = 0; i < texts.count && !c->failed; i++) {
        pieces[2 * i] = i == 0 ? SONATA_TEXT("") : SONATA_TEXT("; ");
        pieces[2 * i + 1] = texts.entries[i].text;
    }
    if (texts.count > 0 && !c->failed)
        add(c, ADAPTER_SCOPE,
            sonata_text_join(c->arena, pieces, 2 * texts.count));
    sonata_table_free(&texts);
}

sonata_status sonata_check_eligibility(sonata_reasons *reasons,
                                       const sonata_roots *roots,
                                       const sonata_extract_options *options,
                                       sonata_error *error)
{
    const sonata_ir *ir = roots->ir;
    checker c = {.reasons = reasons, .arena = sonata_reasons_memory(reasons)};
    if (c.arena == NULL)
        return sonata_fail_memory(error);
    if (!sonata_text_is(ir->root_kind, "Function") &&
        !sonata_text_is(ir->root_kind, "Program"))
        add(&c, "unsupported_root_kind",
            SONATA_JOIN(c.arena,
                        SONATA_TEXT("unsupported root for Sonata "
                                    "eligibility: "),
                        ir->root_kind));
    for (size_t i = 0; i < roots->count; i++)
        check_root(&c, ir, roots->items[i]);
    check_entry(&c, roots, options->entry);
    check_function(&c, ir);
    for (size_t i = 0; i < roots->count; i++)
        if (check_callees(&c, ir, roots->items[i]))
            break;
    if (options->require_certified && !sonata_reasons_reject(reasons))
        check_certified(&c, roots);
    sonata_table_free(&c.seen);
    return c.failed ? sonata_fail_memory(error) : SONATA_OK;
}
