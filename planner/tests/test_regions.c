/* Regions, region eligibility, and a Score for each static region. */
#include "../../scripts/testing/harness.h"

#include "ir_text.h"

static void list_reasons(FILE *out, const sonata_eligibility *result)
{
    for (size_t i = 0; i < result->reasons.count; i++)
        fprintf(out, " [%s]", result->reasons.items[i].code);
}

static void list_score(FILE *out, const sonata_score *score)
{
    fprintf(out, " %s:", score->name.text);
    for (size_t i = 0; i < score->task_count; i++) {
        const sonata_task *task = &score->tasks[i];
        fprintf(out, " %s(", task->name.text);
        for (size_t k = 0; k < task->key_count; k++)
            fprintf(out, "%s%s", k == 0 ? "" : ", ",
                    task->keys[k].text.text == NULL ? "-"
                                                    : task->keys[k].text.text);
        fprintf(out, ")");
    }
    for (size_t i = 0; i < score->shape_count; i++)
        fprintf(out, " %s", score->shapes[i].symbol.text);
}

static void list_plans(FILE *out, const sonata_region_plans *plans)
{
    for (size_t i = 0; i < plans->count; i++) {
        const sonata_region_plan *plan = &plans->items[i];
        fprintf(out, "%zu%s", i, plan->has_unknown_access ? "?" : "");
        if (plan->region.is_dynamic)
            fprintf(out, " %s", plan->region.control_flow_kind.text);
        else if (plan->result.eligible)
            list_score(out, &plan->result.score);
        list_reasons(out, &plan->result);
        fprintf(out, "\n");
    }
    for (size_t i = 0; i < plans->border_count; i++) {
        const sonata_border *border = &plans->borders[i];
        fprintf(out, "%zu -> %zu %s %s\n", border->producer, border->consumer,
                border->kind,
                border->storage_key.text == NULL ? "-"
                                                 : border->storage_key.text);
    }
}

/*
 * One line per region: its number, "?" for an unknown access, kind of a
 * dynamic one or name, tasks with keys and shape symbols of a static one, or
 * its reasons; then one line per border.
 */
static void expect_plans(const char *text, const char *wanted)
{
    sonata_program *program = read_program(text);
    sonata_ir_options options = {.policy = "dataflow_v0"};
    sonata_region_plans plans;
    char *listing = NULL;
    size_t length = 0;
    assert_int_equal(sonata_ir_plan_regions(&plans, program, &options, NULL),
                     SONATA_OK);
    FILE *out = open_memstream(&listing, &length);
    list_plans(out, &plans);
    fclose(out);
    assert_string_equal(listing, wanted);
    free(listing);
    sonata_region_plans_free(&plans);
    sonata_program_free(program);
}

static void expect_regions(const char *text, const char *wanted)
{
    sonata_program *program = read_program(text);
    sonata_regions regions;
    char *json = NULL;
    assert_int_equal(sonata_ir_regions(&regions, program, NULL), SONATA_OK);
    assert_int_equal(sonata_regions_json(&json, NULL, &regions, false, NULL),
                     SONATA_OK);
    char *document = ir_text(wanted);
    assert_string_equal(json, document);
    free(document);
    free(json);
    sonata_regions_free(&regions);
    sonata_program_free(program);
}

static void regions_as_a_document(void **state)
{
    (void)state;
    expect_regions(
        "<F 'body':[],'stmts':<SeqStmts>,'seq':[1,<X>,<IfStmt 'id':'i'>,"
        "<RuntimeScopeStmt>,$i,[<ForStmt>]]>",
        "{'regions':[{'control_flow_kind':null,'fallback':null,"
        "'kind':'static','node_count':2,'region_id':0},"
        "{'control_flow_kind':'IfStmt','fallback':{"
        "'code':'control_flow_not_supported','message':'IfStmt region falls "
        "back to dynamic execution','severity':'warning'},'kind':'dynamic',"
        "'node_count':1,'region_id':1},"
        "{'control_flow_kind':'RuntimeScopeStmt','fallback':{"
        "'code':'unsupported_runtime_scope','message':'RuntimeScopeStmt "
        "region falls back to dynamic execution','severity':'warning'},"
        "'kind':'dynamic','node_count':1,'region_id':2},"
        "{'control_flow_kind':'IfStmt','fallback':{"
        "'code':'control_flow_not_supported','message':'IfStmt region falls "
        "back to dynamic execution','severity':'warning'},'kind':'dynamic',"
        "'node_count':1,'region_id':3},"
        "{'control_flow_kind':null,'fallback':null,'kind':'static',"
        "'node_count':1,'region_id':4}],"
        "'schema_version':1,'static_ratio':0.4}");
    expect_regions(
        "<WhileStmt 'body':<SeqStmts>>",
        "{'regions':[{'control_flow_kind':'WhileStmt','fallback':{"
        "'code':'control_flow_not_supported','message':'WhileStmt is a dynamic "
        "region','severity':'error'},'kind':'dynamic','node_count':1,"
        "'region_id':0}],'schema_version':1,'static_ratio':0.0}");
    expect_regions("<Program 'functions':{'f':<ForStmt>}>",
                   "{'regions':[{'control_flow_kind':null,'fallback':null,"
                   "'kind':'static','node_count':1,'region_id':0}],"
                   "'schema_version':1,'static_ratio':1.0}");
}

static void all_regions_dynamic(void **state)
{
    (void)state;
    sonata_program *program =
        read_program("<Function 'body':[<ForStmt 'body':[]>,<ForStmt>]>");
    sonata_eligibility result;
    assert_int_equal(sonata_ir_region_eligibility(&result, program, NULL, NULL),
                     SONATA_OK);
    assert_false(result.eligible);
    assert_int_equal(result.reasons.count, 2);
    assert_false(result.reasons.items[1].is_warning);
    assert_string_equal(result.reasons.items[1].message.text,
                        "ForStmt region falls back to dynamic execution");
    sonata_eligibility_free(&result);
    sonata_program_free(program);
}

/* A tensor made in one region, changed in a loop, used in a third. */
static void keys_cross_borders(void **state)
{
    (void)state;
    expect_plans(
        "<Function 'name':'f','params':[@x,@y],'body':["
        "<AssignStmt 'var':@t,'value':<Call 'op':'tensor.create'>>,"
        "<Call 'op':'k','args':[$x,$t],'arg_directions':['Input','Output']>,"
        "<ForStmt 'body':<Call "
        "'op':'j','args':[$t],'arg_directions':['InOut']>>,"
        "<Call 'op':'u','args':[$t,$y],'arg_directions':['Input','Output']>]>",
        "0 f.r0: k(param:x, alloc:t) x\n"
        "1 ForStmt\n"
        "2 f.r2: u(alloc:t, param:y) y\n"
        "0 -> 1 data alloc:t\n"
        "1 -> 2 data alloc:t\n");
}

/* Two readers, then a writer, then one that writes anew, then nothing. */
static void kinds_of_borders(void **state)
{
    (void)state;
    expect_plans("<Function 'name':'f','params':[@x],'body':["
                 "<Call 'op':'r','args':[$x],'arg_directions':['Input']>,"
                 "<ForStmt 'body':<Call "
                 "'op':'r','args':[$x],'arg_directions':['Input']>>,"
                 "<Call 'op':'w','args':[$x],'arg_directions':['Output']>,"
                 "<ForStmt 'body':<Call "
                 "'op':'w','args':[$x],'arg_directions':['Output']>>,"
                 "<Call 'op':'r','args':[$x],'arg_directions':['Scalar']>]>",
                 "0 f.r0: r(param:x) x\n"
                 "1 ForStmt\n"
                 "2 f.r2: w(param:x) x\n"
                 "3 ForStmt\n"
                 "4 f.r4: r(param:x) x\n"
                 "0 -> 2 war param:x\n"
                 "1 -> 2 war param:x\n"
                 "2 -> 3 storage param:x\n");
}

/* Within a region all accesses to a key count together, whatever their order,
 * and a region has one border of each kind per key. */
static void accesses_of_a_region_add_up(void **state)
{
    (void)state;
    expect_plans(
        "<Function 'name':'f','params':[@x,@y],'body':["
        "<Call 'op':'a','args':[$x,$y],'arg_directions':['Output','Input']>,"
        "<Call 'op':'b','args':[$x],'arg_directions':['Input']>,"
        "<ForStmt 'body':[<Call 'op':'c','args':[$x],'arg_directions':['Input']"
        ">,<Call 'op':'d','args':[$x,$y],'arg_directions':['Input','Output']>]"
        ">,<Call 'op':'e','args':[$x],'arg_directions':['Output']>,"
        "<Call 'op':'g','args':[$x],'arg_directions':['InOut']>]>",
        "0 f.r0: a(param:x, param:y) b(param:x) x y\n"
        "1 ForStmt\n"
        "2 f.r2: e(param:x) g(param:x) x\n"
        "0 -> 1 data param:x\n"
        "0 -> 1 war param:y\n"
        "0 -> 2 data param:x\n"
        "1 -> 2 war param:x\n");
}

/* Without a direction, and with NoDep, an argument is read and written. */
static void untold_directions_count_as_both(void **state)
{
    (void)state;
    expect_plans("<Function 'name':'f','params':[@x],'body':["
                 "<Call 'op':'a','args':[$x,4]>,"
                 "<ForStmt 'body':<Call "
                 "'op':'b','args':[$x],'arg_directions':['NoDep']>>,"
                 "<Call 'op':'c','args':[$x],'arg_directions':['Input']>]>",
                 "0 f.r0: a(param:x, -) x\n"
                 "1 ForStmt\n"
                 "2 f.r2: c(param:x) x\n"
                 "0 -> 1 data param:x\n"
                 "1 -> 2 data param:x\n");
}

/* A variable without a key may be anything: order against all others. */
static void unknown_access_is_ordered(void **state)
{
    (void)state;
    expect_plans(
        "<Function 'name':'f','params':[@x,@y],'body':["
        "<Call 'op':'a','args':[$x],'arg_directions':['Input']>,<ForStmt>,"
        "<AssignStmt 'var':@s,'value':<Call 'op':'tensor.slice','args':[$y],"
        "'arg_directions':['Scalar']>>,"
        "<Call 'op':'b','args':[$s],'arg_directions':['Output']>,<ForStmt>,"
        "<Call 'op':'c','args':[$x],'arg_directions':['Output']>]>",
        "0 f.r0: a(param:x) x\n"
        "1 ForStmt\n"
        "2? f.r2: b(-) [storage_coverage_below_threshold]\n"
        "3 ForStmt\n"
        "4 f.r4: c(param:x) x\n"
        "0 -> 2 ordering -\n"
        "1 -> 2 ordering -\n"
        "2 -> 3 ordering -\n"
        "2 -> 4 ordering -\n"
        "0 -> 4 war param:x\n");
}

/* v0.9 gives `l` the key of its last assignment, also before it. */
static void reassigned_variables_are_unknown(void **state)
{
    (void)state;
    expect_plans(
        "<Function 'name':'f','params':[@x,@y,@z],'body':["
        "<Call 'op':'a','args':[$x],'arg_directions':['Output']>,"
        "<AssignStmt 'var':@r,'value':"
        "<Call 'op':'b','args':[$x],'arg_directions':['Output']>>,<ForStmt>,"
        "<AssignStmt 'var':$x,'value':"
        "<Call 'op':'c','args':[$y],'arg_directions':['Output']>>,<ForStmt>,"
        "<AssignStmt 'var':$z,'value':$y>,"
        "<Call 'op':'d','args':[$z],'arg_directions':['Input']>,<ForStmt>,"
        "<Call 'op':'e','args':[$r],'arg_directions':['Input']>]>",
        "0? f.r0: a(param:y) b(param:y) y\n"
        "1 ForStmt\n"
        "2 f.r2: c(param:y) y\n"
        "3 ForStmt\n"
        "4? f.r4: d(param:z) z\n"
        "5 ForStmt\n"
        "6? f.r6: e(param:x) x\n"
        "0 -> 1 ordering -\n"
        "0 -> 2 ordering -\n"
        "0 -> 3 ordering -\n"
        "0 -> 4 ordering -\n"
        "1 -> 4 ordering -\n"
        "2 -> 4 ordering -\n"
        "3 -> 4 ordering -\n"
        "4 -> 5 ordering -\n"
        "4 -> 6 ordering -\n"
        "5 -> 6 ordering -\n");
}

/* An element of a tuple that comes of an unknown variable is unknown. */
static void elements_of_unknown_tuples(void **state)
{
    (void)state;
    expect_plans(
        "<Function 'name':'f','params':[@x,@y],'body':["
        "<AssignStmt 'var':$x,'value':"
        "<Call 'op':'a','args':[$y],'arg_directions':['Output']>>,<ForStmt>,"
        "<AssignStmt 'var':@t,'value':"
        "<Call 'op':'b','args':[$x],'arg_directions':['Output']>>,<ForStmt>,"
        "<AssignStmt 'var':@e,'value':<TupleGetItemExpr 'tuple':$t,'index':0>>,"
        "<Call 'op':'c','args':[$e],'arg_directions':['Input']>]>",
        "0 f.r0: a(param:y) y\n"
        "1 ForStmt\n"
        "2? f.r2: b(param:y) y\n"
        "3 ForStmt\n"
        "4? f.r4: c(param:y) y\n"
        "0 -> 2 ordering -\n"
        "1 -> 2 ordering -\n"
        "2 -> 3 ordering -\n"
        "2 -> 4 ordering -\n"
        "3 -> 4 ordering -\n");
}

/* One region is rejected, the others are planned all the same. */
static void a_rejected_region(void **state)
{
    (void)state;
    expect_plans(
        "<Function 'name':'f','body':[<Call 'op':'a'>,<ForStmt>,"
        "<Submit 'body':[<Call 'op':'b'>]>,<ForStmt 'body':[<ForStmt>]>,"
        "<Call 'op':'tensor.read'>,<ForStmt>,<Call 'op':'c'>]>",
        "0 f.r0: a()\n"
        "1 ForStmt\n"
        "2 [unsupported_pypto_adapter_scope]\n"
        "3 ForStmt\n"
        "4 [tensor_read_not_supported]\n"
        "5 ForStmt\n"
        "6 f.r6: c()\n");
}

/* A call that two regions refer to is a task of each, but once in one. */
static void a_shared_call(void **state)
{
    (void)state;
    expect_plans("<Function 'name':'f','body':["
                 "<EvalStmt 'id':'s','expr':<Call 'op':'a'>>,$s,<ForStmt>,$s]>",
                 "0 f.r0: a()\n"
                 "1 ForStmt\n"
                 "2 f.r2: a()\n");
}

static void nodes_without_statements(void **state)
{
    (void)state;
    expect_plans("<Program 'name':'P','functions':{'f':<Function 'func_type':"
                 "'Orchestration','body':[<Call 'op':'a','args':['x'],"
                 "'arg_directions':['Input']>,<Call 'op':'b'>]>}>",
                 "0? P.r0: a(-) b() [storage_coverage_below_threshold]\n");
    expect_plans("<ForStmt>", "0 ForStmt\n");
    expect_plans("<Function 'body':<Call 'op':'a'>>",
                 "0 sonata_score.r0: a()\n");
    expect_plans("<Function 'name':'','body':[<Call 'op':'a'>]>",
                 "0 [score_validation_failed]\n");
}

/* Where all is static, the one region is the whole but for its name. */
static void one_region_is_the_whole(void **state)
{
    (void)state;
    static const char text[] =
        "<Function 'name':'f','params':[@x],'body':["
        "<AssignStmt 'var':@t,'value':<Call 'op':'tensor.create'>>,"
        "<Call 'op':'k','args':[$x,$t],'arg_directions':['Input','Output']>,"
        "<Call 'op':'j','args':[$t,$x],'arg_directions':['Input','Output']>]>";
    sonata_program *program = read_program(text);
    sonata_ir_options options = {.policy = "dataflow_v0",
                                 .entry = SONATA_TEXT("f")};
    sonata_eligibility whole;
    sonata_region_plans plans;
    char *wanted = NULL;
    char *json = NULL;
    assert_int_equal(sonata_ir_plan(&whole, program, &options, NULL),
                     SONATA_OK);
    assert_int_equal(sonata_ir_plan_regions(&plans, program, &options, NULL),
                     SONATA_OK);
    sonata_score *score = &plans.items[0].result.score;
    assert_string_equal(score->name.text, "f.r0");
    assert_string_equal(score->target.function_name.text, "build_f.r0_graph");
    score->name = whole.score.name;
    score->target.function_name = whole.score.target.function_name;
    assert_int_equal(sonata_score_json(&wanted, NULL, &whole.score, true, NULL),
                     SONATA_OK);
    assert_int_equal(sonata_score_json(&json, NULL, score, true, NULL),
                     SONATA_OK);
    assert_string_equal(json, wanted);
    free(wanted);
    free(json);
    sonata_eligibility_free(&whole);
    sonata_region_plans_free(&plans);
    options.entry = SONATA_TEXT("g");
    assert_int_equal(sonata_ir_plan_regions(&plans, program, &options, NULL),
                     SONATA_OK);
    assert_string_equal(plans.items[0].result.reasons.items[0].code,
                        "entry_function_not_orchestration");
    sonata_region_plans_free(&plans);
    sonata_program_free(program);
}

static void plans_as_a_document(void **state)
{
    (void)state;
    sonata_program *program = read_program(
        "<Function 'name':'f','params':[@x],'body':["
        "<ForStmt 'body':<Call 'op':'a','args':[$x],"
        "'arg_directions':['Output']>>,<Submit 'expr':"
        "<Call 'op':'b','args':[$x],'arg_directions':['Input']>>]>");
    sonata_region_plans plans;
    char *json = NULL;
    assert_int_equal(sonata_ir_plan_regions(&plans, program, NULL, NULL),
                     SONATA_OK);
    assert_int_equal(sonata_region_plans_json(&json, NULL, &plans, false, NULL),
                     SONATA_OK);
    assert_string_equal(
        json,
        "{\"borders\":[{\"consumer\":1,\"kind\":\"data\",\"producer\":0,"
        "\"storage_key\":\"param:x\"}],\"regions\":[{\"control_flow_kind\":"
        "\"ForStmt\",\"eligibility\":null,\"fallback\":{\"code\":"
        "\"control_flow_not_supported\",\"message\":\"ForStmt region falls "
        "back to dynamic execution\",\"severity\":\"warning\"},"
        "\"has_unknown_access\":false,\"kind\":\"dynamic\",\"node_count\":1,"
        "\"region_id\":0},{\"control_flow_kind\":null,\"eligibility\":{"
        "\"eligible\":false,\"reason_details\":[{\"code\":"
        "\"unsupported_pypto_adapter_scope\",\"message\":\"Submit is out of "
        "scope for Sonata v0.1 PyPTO adapter\",\"severity\":\"error\"}],"
        "\"reasons\":[\"Submit is out of scope for Sonata v0.1 PyPTO "
        "adapter\"],\"schema_version\":1,\"score\":null},\"fallback\":null,"
        "\"has_unknown_access\":false,\"kind\":\"static\",\"node_count\":1,"
        "\"region_id\":1}],\"schema_version\":1,\"static_ratio\":0.5}");
    free(json);
    sonata_region_plans_free(&plans);
    sonata_program_free(program);
}

enum { REGIONS = 12, KEYS = 5, PROGRAMS = 400 };

/* What the regions of a generated program do: the answer is known. */
typedef struct made {
    bool reads[REGIONS][KEYS], writes[REGIONS][KEYS];
    bool unknown[REGIONS];
    uint64_t random;
} made;

static unsigned take(made *m, unsigned below)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(m->random >> 33) % below;
}

/* A call on one parameter, or on a variable that has no key. */
static void make_call(made *m, FILE *out, size_t region)
{
    static const char *const directions[] = {
        "Input", "Output", "InOut", "NoDep", "Scalar", "OutputExisting"};
    unsigned direction = take(m, 6);
    unsigned key = take(m, KEYS);
    bool is_unknown = take(m, 20) == 0;
    fprintf(out, "{\"kind\":\"Call\",\"op\":\"k\",\"args\":[{");
    if (is_unknown)
        fprintf(out, "\"kind\":\"Var\",\"name\":\"v\"");
    else
        fprintf(out, "\"ref\":%u", key);
    fprintf(out, "}],\"arg_directions\":[\"%s\"]}", directions[direction]);
    if (direction == 4)
        return;
    m->unknown[region] |= is_unknown;
    m->reads[region][key] |= !is_unknown && direction != 1 && direction != 5;
    m->writes[region][key] |= !is_unknown && direction != 0;
}

static char *make_program(made *m)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fprintf(out, "{\"kind\":\"Function\",\"name\":\"f\",\"params\":[");
    for (int i = 0; i < KEYS; i++)
        fprintf(out, "%s{\"kind\":\"Var\",\"id\":%d,\"name\":\"p%d\"}",
                i == 0 ? "" : ",", i, i);
    fprintf(out, "],\"body\":[");
    for (size_t i = 0; i < REGIONS; i++) {
        fprintf(out, i % 2 == 0 ? "%s" : "%s{\"kind\":\"IfStmt\",\"body\":",
                i == 0 ? "" : ",");
        make_call(m, out, i);
        fprintf(out, i % 2 == 0 ? "" : "}");
    }
    fprintf(out, "]}");
    fclose(out);
    return text;
}

static bool conflict(const made *m, size_t i, size_t k)
{
    bool found = m->unknown[i] || m->unknown[k];
    for (size_t key = 0; key < KEYS; key++)
        found |=
            (m->writes[i][key] && (m->reads[k][key] || m->writes[k][key])) ||
            (m->reads[i][key] && m->writes[k][key]);
    return found;
}

/* Regions in conflict are joined by a path, and by a border only those. */
static void check_borders(const made *m, const sonata_region_plans *plans)
{
    bool before[REGIONS][REGIONS] = {{false}};
    for (size_t i = 0; i < plans->border_count; i++) {
        const sonata_border *border = &plans->borders[i];
        assert_true(conflict(m, border->producer, border->consumer));
        before[border->producer][border->consumer] = true;
    }
    for (size_t via = 0; via < REGIONS; via++)
        for (size_t i = 0; i < REGIONS; i++)
            for (size_t k = 0; k < REGIONS; k++)
                before[i][k] |= before[i][via] && before[via][k];
    for (size_t i = 0; i < REGIONS; i++)
        for (size_t k = i + 1; k < REGIONS; k++)
            assert_true(before[i][k] || !conflict(m, i, k));
}

static void borders_join_what_conflicts(void **state)
{
    (void)state;
    size_t borders = 0;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        made m = {.random = seed};
        char *text = make_program(&m);
        sonata_program *program = read_program(text);
        sonata_region_plans plans;
        assert_int_equal(sonata_ir_plan_regions(&plans, program, NULL, NULL),
                         SONATA_OK);
        assert_int_equal(plans.count, REGIONS);
        assert_int_equal(plans.static_count, REGIONS / 2);
        for (size_t i = 0; i < REGIONS; i++)
            assert_int_equal(plans.items[i].has_unknown_access, m.unknown[i]);
        check_borders(&m, &plans);
        borders += plans.border_count;
        sonata_region_plans_free(&plans);
        sonata_program_free(program);
        free(text);
    }
    print_message("%zu borders of %d programs\n", borders, PROGRAMS);
    assert_true(borders > PROGRAMS);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(regions_as_a_document),
    cmocka_unit_test(all_regions_dynamic),
    cmocka_unit_test(keys_cross_borders),
    cmocka_unit_test(kinds_of_borders),
    cmocka_unit_test(accesses_of_a_region_add_up),
    cmocka_unit_test(untold_directions_count_as_both),
    cmocka_unit_test(unknown_access_is_ordered),
    cmocka_unit_test(reassigned_variables_are_unknown),
    cmocka_unit_test(elements_of_unknown_tuples),
    cmocka_unit_test(a_rejected_region),
    cmocka_unit_test(a_shared_call),
    cmocka_unit_test(nodes_without_statements),
    cmocka_unit_test(one_region_is_the_whole),
    cmocka_unit_test(plans_as_a_document),
    cmocka_unit_test(borders_join_what_conflicts),
};

TEST_MAIN(tests)
