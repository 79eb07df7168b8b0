/* What is wrong with a program, and what is said of it. */
#include <string.h>

#include "ir.h"
#include "make.h"
#include "score_fault.h"

static const char adapter[] = "unsupported_pypto_adapter_scope";

/* A reason, once; the message in parts, the last of which is NULL. */
static void add_reason(fuzz_ir *p, const char *code, const char *const *parts)
{
    uint32_t text = fuzz_ir_join(p, parts);
    fuzz_ir_text message = p->texts[text];
    for (uint32_t i = 0; i < p->reason_count; i++)
        if (p->reasons[i].message.data == message.data)
            return;
    if (p->reason_count < FUZZ_IR_REASONS)
        p->reasons[p->reason_count++] = (fuzz_ir_reason){code, message};
}

/* --- Not eligible --- */

static bool wrong_root(fuzz_ir *p)
{
    static const char *const kinds[] = {"Module", "SeqStmts", "function",
                                        "RegionStmt"};
    if (p->form != FUZZ_IR_FUNCTION)
        return false;
    p->root_kind = kinds[fuzz_below(&p->random, 4)];
    p->c->fault = "root-kind";
    const char *const parts[] = {
        "unsupported root for Sonata eligibility: ", p->root_kind, NULL};
    add_reason(p, "unsupported_root_kind", parts);
    return true;
}

/* One statement more, at a place of its own; false: no memory. */
static bool insert(fuzz_ir *p, const char *text, uint32_t at)
{
    fuzz_ir_add_step(p, FUZZ_IR_OTHER, 0)->text = text;
    if (p->failed)
        return false;
    fuzz_ir_step step = p->steps[p->step_count - 1];
    memmove(p->steps + at + 1, p->steps + at,
            (p->step_count - 1 - at) * sizeof *p->steps);
    p->steps[at] = step;
    return true;
}

static bool control_flow(fuzz_ir *p)
{
    static const struct {
        const char *kind, *code, *tail, *text;
    } kinds[] = {
        {"ForStmt", "control_flow_not_supported",
         " is not supported by initial Sonata eligibility",
         "{\"kind\": \"ForStmt\", \"body\": []}"},
        {"IfStmt", "control_flow_not_supported",
         " is not supported by initial Sonata eligibility",
         "{\"kind\": \"IfStmt\", \"condition\": true, \"then_body\": [], "
         "\"else_body\": []}"},
        {"WhileStmt", "control_flow_not_supported",
         " is not supported by initial Sonata eligibility",
         "{\"kind\": \"WhileStmt\", \"body\": {\"kind\": \"SeqStmts\", "
         "\"stmts\": [{\"kind\": \"WhileStmt\"}]}}"},
        {"RuntimeScopeStmt", "unsupported_runtime_scope",
         " is not supported by initial Sonata eligibility",
         "{\"kind\": \"RuntimeScopeStmt\", \"body\": [1]}"},
        {"Submit", "unsupported_pypto_adapter_scope",
         " is out of scope for Sonata v0.1 PyPTO adapter",
         "{\"kind\": \"EvalStmt\", \"expr\": {\"kind\": \"Submit\"}}"},
        {"SpmdScopeStmt", "unsupported_pypto_adapter_scope",
         " is out of scope for Sonata v0.1 PyPTO adapter",
         "{\"kind\": \"SpmdScopeStmt\"}"},
        {"ManualScopeStmt", "unsupported_pypto_adapter_scope",
         " is out of scope for Sonata v0.1 PyPTO adapter",
         "{\"kind\": \"OtherStmt\", \"branches\": [{\"kind\": "
         "\"ManualScopeStmt\"}]}"},
    };
    uint32_t place = p->step_count;
    uint64_t count = 1 + fuzz_below(&p->random, 3);
    /* Backwards, so that the reasons come in the order of the statements. */
    const char *drawn[3][3];
    for (uint64_t i = 0; i < count; i++) {
        size_t which = (size_t)fuzz_below(&p->random, 7);
        place = (uint32_t)fuzz_below(&p->random, place + 1);
        if (p->steps != NULL && place < p->step_count &&
            p->steps[place].root != 0)
            place = 0;
        drawn[i][0] = kinds[which].kind;
        drawn[i][1] = kinds[which].tail;
        drawn[i][2] = kinds[which].code;
        if (!insert(p, kinds[which].text, place))
            return false;
    }
    while (count-- > 0) {
        const char *const parts[] = {drawn[count][0], drawn[count][1], NULL};
        add_reason(p, drawn[count][2], parts);
    }
    p->c->fault = "control-flow";
    return true;
}

static bool tensor_read(fuzz_ir *p)
{
    static const char *const parts[] = {
        "tensor.read calls are not supported by initial Sonata eligibility",
        NULL};
    uint32_t at = (uint32_t)fuzz_below(&p->random, p->step_count + 1);
    if (at < p->step_count && p->steps[at].root != 0)
        at = 0;
    if (!insert(p,
                "{\"kind\": \"EvalStmt\", \"expr\": {\"kind\": \"Call\", "
                "\"op\": \"tensor.read\", \"args\": []}}",
                at))
        return false;
    p->c->fault = "tensor-read";
    add_reason(p, "tensor_read_not_supported", parts);
    return true;
}

static bool wrong_entry(fuzz_ir *p)
{
    static const char *const names[] = {"nobody", "", "Main", "matmul"};
    p->entry = names[fuzz_below(&p->random, 4)];
    p->c->fault = "no-entry";
    const char *const parts[] = {
        "entry function is not an orchestration function: ", p->entry, NULL};
    add_reason(p, "entry_function_not_orchestration", parts);
    return true;
}

static bool wrong_type(fuzz_ir *p)
{
    static const char *const types[] = {"Group", "Spmd", "AIC", "InCore", ""};
    p->function_type = types[fuzz_below(&p->random, 5)];
    p->c->fault = "function-type";
    const char *name = p->name == NULL ? "<anonymous>" : p->name;
    bool group = strcmp(p->function_type, "Group") == 0 ||
                 strcmp(p->function_type, "Spmd") == 0;
    const char *const parts[] = {
        p->function_type,
        group ? " function root is out of scope for Sonata v0.1 PyPTO adapter: "
              : " function root is not an Orchestration function: ",
        name, NULL};
    static const char *const program[] = {
        "program has no Orchestration functions for Sonata eligibility", NULL};
    static const char *const entry[] = {
        "entry function is not an orchestration function: main", NULL};
    if (p->form == FUZZ_IR_FUNCTION)
        add_reason(p, adapter, parts);
    else if (p->form == FUZZ_IR_ENTRY)
        add_reason(p, "entry_function_not_orchestration", entry);
    else
        add_reason(p, "entry_function_not_orchestration", program);
    return true;
}

static bool group_callee(fuzz_ir *p)
{
    if (p->form == FUZZ_IR_FUNCTION)
        return false;
    for (uint32_t i = 0; i < p->m->task_count; i++) {
        uint32_t func = p->m->tasks[i].func;
        if (func % 2 != 0)
            continue;
        p->group = func;
        p->c->fault = "group-callee";
        const char *const parts[] = {
            "Group/Spmd callee is out of scope for Sonata v0.1: ",
            fuzz_ir_callee(func), NULL};
        add_reason(p, adapter, parts);
        return true;
    }
    return false;
}

/* One task without directions, where a certificate is asked for. */
static bool uncertified(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    if (!fuzz_has_directions(m) || m->task_count == 0)
        return false;
    uint32_t task = (uint32_t)fuzz_below(&p->random, m->task_count);
    m->tasks[task].no_directions = true;
    p->certified = true;
    p->c->fault = "uncertified";
    const char *const parts[] = {"Call ", fuzz_ir_callee(m->tasks[task].func),
                                 " has no arg_directions in certified dump",
                                 NULL};
    add_reason(p, adapter, parts);
    return true;
}

/* What makes a Score that is not valid. */
static bool empty_name(fuzz_ir *p)
{
    static const char *const parts[] = {"score name must not be empty", NULL};
    p->name = "";
    p->c->fault = "empty-name";
    add_reason(p, "score_validation_failed", parts);
    return true;
}

/* Two parameters of one name and known shapes. */
static bool repeated_symbol(fuzz_ir *p)
{
    uint32_t first = FUZZ_NONE;
    for (uint32_t i = 0; i < p->var_count; i++) {
        if (!p->vars[i].static_shape || p->vars[i].root != 0)
            continue;
        if (first == FUZZ_NONE) {
            first = i;
            continue;
        }
        p->vars[i].name = p->vars[first].name;
        p->c->fault = "repeated-symbol";
        const char *const parts[] = {
            "shape assumption symbol must be unique: ",
            p->roots > 1 ? fuzz_ir_root_name(p, 0) : "",
            p->roots > 1 ? "." : "", p->texts[p->vars[i].name].data, NULL};
        add_reason(p, "score_validation_failed", parts);
        return true;
    }
    return false;
}

static void put_number(char *to, uint32_t n)
{
    uint32_t power = 1;
    while (n / power >= 10)
        power *= 10;
    for (; power > 0; power /= 10)
        *to++ = (char)('0' + n / power % 10);
    *to = '\0';
}

/* A direction more than there are arguments. */
static bool directions_size(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    char task[12], more[12], args[12];
    if (m->task_count == 0)
        return false;
    p->longer = (uint32_t)fuzz_below(&p->random, m->task_count);
    const fuzz_task *t = &m->tasks[p->longer];
    if (t->no_directions || t->args == 0) {
        p->longer = FUZZ_NONE;
        return false;
    }
    put_number(task, p->longer);
    put_number(more, t->args + 1);
    put_number(args, t->args);
    p->policy = "sequential_v0";
    p->certified = false;
    p->c->fault = "directions-size";
    const char *const parts[] = {"task ",
                                 task,
                                 " arg_directions size ",
                                 more,
                                 " does not match args size ",
                                 args,
                                 NULL};
    add_reason(p, "score_validation_failed", parts);
    return true;
}

/* --- Facts that v0.9 loses (end of spec 05) --- */

static void expect_loss(fuzz_ir *p, const char *fault)
{
    p->c->fault = fault;
    fuzz_case_expect(p->c, "adapter.lost-fact");
}

/* The step of a task. */
static uint32_t step_of(const fuzz_ir *p, uint32_t task)
{
    uint32_t i = 0;
    while (p->steps[i].op != FUZZ_IR_CALL || p->steps[i].task != task)
        i++;
    return i;
}

/* A read argument that gets another name, or a part of what it names. */
static bool other_name(fuzz_ir *p, fuzz_ir_op op, const char *fault)
{
    fuzz_model *m = p->m;
    for (uint32_t n = 8; n > 0 && m->task_count > 0; n--) {
        uint32_t task = (uint32_t)fuzz_below(&p->random, m->task_count);
        const fuzz_task *t = &m->tasks[task];
        if (t->args == 0 || t->no_directions)
            continue;
        uint32_t arg = t->first_arg + (uint32_t)fuzz_below(&p->random, t->args);
        uint32_t from = p->args[arg].var;
        if (from == FUZZ_NONE || m->args[arg].mode != FUZZ_READS)
            continue;
        uint32_t root = task < p->split ? 0 : 1, at = step_of(p, task);
        uint32_t var = fuzz_ir_add_var(p, root, fuzz_ir_intern(p, "other", 5));
        if (!insert(p, NULL, at))
            return false;
        p->steps[at] = (fuzz_ir_step){.op = op,
                                      .root = root,
                                      .task = FUZZ_NONE,
                                      .var = var,
                                      .from = from};
        p->args[arg].var = var;
        expect_loss(p, fault);
        return true;
    }
    return false;
}

static bool named_again(fuzz_ir *p)
{
    return other_name(p, FUZZ_IR_NAME, "named-again");
}

static bool sliced(fuzz_ir *p)
{
    return other_name(p, FUZZ_IR_SLICE, "sliced");
}

/* A task in the arguments of the one before: it comes behind it. */
static bool nested(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    for (uint32_t n = p->hoists ? 8 : 0; n > 0 && m->task_count > 1; n--) {
        uint32_t outer = (uint32_t)fuzz_below(&p->random, m->task_count - 1);
        const fuzz_task *t = &m->tasks[outer];
        uint32_t step = step_of(p, outer + 1);
        if (t->args == 0 || outer + 1 == p->split ||
            p->steps[step].var != FUZZ_NONE)
            continue;
        uint32_t arg = t->first_arg + (uint32_t)fuzz_below(&p->random, t->args);
        if (m->args[arg].mode != FUZZ_READS && m->args[arg].mode != FUZZ_SCALAR)
            continue;
        p->args[arg].var = FUZZ_NONE;
        p->args[arg].nested = outer + 1;
        p->step_count--;
        memmove(p->steps + step, p->steps + step + 1,
                (p->step_count - step) * sizeof *p->steps);
        expect_loss(p, "nested-call");
        return true;
    }
    return false;
}

/* A variable that is a buffer's first and a result's later. */
static bool assigned_again(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    for (uint32_t n = p->hoists ? 8 : 0; n > 0 && m->task_count > 1; n--) {
        uint32_t later =
            1 + (uint32_t)fuzz_below(&p->random, m->task_count - 1);
        uint32_t task = (uint32_t)fuzz_below(&p->random, later);
        const fuzz_task *t = &m->tasks[task], *l = &m->tasks[later];
        uint32_t step = step_of(p, later), written = FUZZ_NONE;
        for (uint32_t i = l->first_arg; i < l->first_arg + l->args; i++)
            if (written == FUZZ_NONE && (m->args[i].mode == FUZZ_WRITES ||
                                         m->args[i].mode == FUZZ_UPDATES))
                written = m->args[i].buffer;
        if (t->args == 0 || (task < p->split) != (later < p->split) ||
            p->steps[step].var != FUZZ_NONE || l->no_directions ||
            written == FUZZ_NONE)
            continue;
        uint32_t arg = t->first_arg + (uint32_t)fuzz_below(&p->random, t->args);
        uint32_t var = p->args[arg].var;
        if (var == FUZZ_NONE || m->args[arg].buffer == written ||
            m->args[arg].mode > FUZZ_UPDATES)
            continue;
        p->steps[step].var = var;
        expect_loss(p, "assigned-again");
        return true;
    }
    return false;
}

/* The profile of v0.9 binds nothing. */
static bool unbound(fuzz_ir *p)
{
    if (!fuzz_has_memory(p->m))
        return false;
    p->profile = "sonata-0.9";
    p->policy = p->policy == NULL ? "dataflow_v0" : p->policy;
    p->c->fault = "bound-to-nothing";
    fuzz_case_expect(p->c, "handle.binding-missing");
    return true;
}

static bool any_damage(fuzz_ir *p)
{
    p->c->fault = "any-damage";
    p->c->open = true;
    p->refused = true; /* or not: what comes of it is not known */
    return true;
}

static bool cut_text(fuzz_ir *p)
{
    p->c->fault = "cut";
    p->refused = true;
    fuzz_case_expect(p->c, "doc.syntax");
    return true;
}

/* A statement that is not of the form of spec 05. */
static bool wrong_form(fuzz_ir *p)
{
    static const char *const forms[][2] = {
        {"no-reference", "{\"ref\": \"nobody\"}"},
        {"no-reference", "{\"ref\": 7}"},
        {"no-reference",
         "{\"kind\": \"EvalStmt\", \"expr\": {\"ref\": \"v99999\"}}"},
        {"reference-type", "{\"ref\": null}"},
        {"kind-type", "{\"kind\": \"EvalStmt\", \"expr\": {\"kind\": 7}}"},
        {"kind-type", "{\"kind\": null}"},
        {"map-form", "{\"map\": [[1]]}"},
        {"map-form", "{\"map\": {}}"},
        {"map-form", "{\"map\": [[\"a\", 1, 2]]}"},
        {"op-type", "{\"kind\": \"Call\", \"op\": 7}"},
        {"op-type", "{\"kind\": \"Call\", \"op\": {\"name\": 7}}"},
        {"op-type", "{\"kind\": \"Call\", \"op_name\": []}"},
        {"args-type", "{\"kind\": \"Call\", \"op\": \"k\", \"args\": 7}"},
        {"name-type", "{\"kind\": \"Call\", \"op\": \"k\", \"args\": "
                      "[{\"kind\": \"Var\", \"name_hint\": 7}]}"},
        {"directions-type", "{\"kind\": \"Call\", \"op\": \"k\", \"args\": "
                            "[], \"arg_directions\": \"Input\"}"},
        {"direction-type", "{\"kind\": \"Call\", \"op\": \"k\", \"args\": "
                           "[1], \"arg_directions\": [[]]}"},
        {"var-type", "{\"kind\": \"AssignStmt\", \"var\": 7, \"value\": "
                     "{\"kind\": \"Call\", \"op\": \"k\", \"args\": []}}"},
    };
    const char *const *form =
        forms[fuzz_below(&p->random, sizeof forms / sizeof *forms)];
    if (!insert(p, form[1], 0))
        return false;
    p->c->fault = form[0];
    p->refused = true;
    fuzz_case_expect(p->c, "doc.schema");
    return true;
}

static bool refused_policy(fuzz_ir *p)
{
    fuzz_model *m = p->m;
    bool some = false;
    for (uint32_t i = 0; i < m->task_count; i++)
        some = some || (m->tasks[i].args > 0 && !m->tasks[i].no_directions);
    if (fuzz_has_directions(m))
        return false;
    p->policy = "mixed";
    p->certified = false;
    p->refused = true;
    p->c->fault = "directions-missing";
    fuzz_case_expect(p->c, some ? "dataflow_directions_incomplete"
                                : "dataflow_directions_unavailable");
    return true;
}

bool fuzz_ir_break(fuzz_ir *p)
{
    static bool (*const ways[])(fuzz_ir *) = {
        wrong_root,     control_flow,    control_flow,    control_flow,
        tensor_read,    wrong_entry,     wrong_type,      group_callee,
        uncertified,    named_again,     sliced,          nested,
        assigned_again, cut_text,        refused_policy,  wrong_form,
        empty_name,     repeated_symbol, directions_size, any_damage,
        named_again,    nested,          assigned_again,  unbound,
    };
    return ways[fuzz_below(&p->random, sizeof ways / sizeof *ways)](p);
}

void fuzz_ir_break_text(fuzz_ir *p)
{
    fuzz_text *text = &p->c->input;
    if (p->c->fault == NULL)
        return;
    if (strcmp(p->c->fault, "cut") == 0) {
        text->length = (size_t)fuzz_below(&p->random, text->length);
        text->data[text->length] = '\0';
    } else if (strcmp(p->c->fault, "any-damage") == 0) {
        fuzz_change_bytes(text, &p->random);
    }
}
