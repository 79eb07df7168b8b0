/* Programs in the JSON form of the IR: reading, whole-graph eligibility. */
#include "../../scripts/testing/harness.h"

#include "ir_text.h"

/*
 * The tasks of a program, one a line: "name(arg:direction@key, ...)", or its
 * reasons. Freed by the caller.
 */
static char *tasks_of(const char *text, const sonata_ir_options *options)
{
    sonata_program *program = read_program(text);
    sonata_eligibility result;
    char *listing = NULL;
    size_t length = 0;
    assert_int_equal(sonata_ir_plan(&result, program, options, NULL),
                     SONATA_OK);
    FILE *out = open_memstream(&listing, &length);
    for (size_t i = 0; i < result.reasons.count; i++)
        if (!result.reasons.items[i].is_warning)
            fprintf(out, "[%s] %s\n", result.reasons.items[i].code,
                    result.reasons.items[i].message.text);
    for (size_t i = 0; i < result.score.task_count; i++) {
        const sonata_task *task = &result.score.tasks[i];
        fprintf(out, "%s(", task->name.text);
        for (size_t k = 0; k < task->arg_count; k++)
            fprintf(out, "%s%s:%s@%s", k == 0 ? "" : ", ",
                    task->args[k].text.text,
                    k < task->direction_count ? task->directions[k].text : "",
                    task->keys[k].text.text == NULL ? "-"
                                                    : task->keys[k].text.text);
        fprintf(out, ")\n");
    }
    fclose(out);
    sonata_eligibility_free(&result);
    sonata_program_free(program);
    return listing;
}

static void expect_tasks_of(const char *text, sonata_ir_options options,
                            const char *wanted)
{
    char *tasks = tasks_of(text, &options);
    assert_string_equal(tasks, wanted);
    free(tasks);
}

static void expect_tasks(const char *text, const char *wanted)
{
    expect_tasks_of(text, (sonata_ir_options){0}, wanted);
}

static void refs_are_the_same_node(void **state)
{
    (void)state;
    expect_tasks(
        "<Function 'name':'f','params':[@x],'body':["
        "<AssignStmt 'var':@t,'value':<Call 'op':'tensor.create','args':[]>>,"
        "<AssignStmt 'var':@r,'value':<Call 'op':'k','args':[$x,$t],"
        "'arg_directions':['Input','Output']>>,"
        "<EvalStmt 'expr':<Call 'op':'u','args':[$r,4,2.5,true,null,'s',[1],"
        "{'a':1},<ConstInt 'value':3>,<Var 'name':'x'>]>>]>",
        "k(x:Input@param:x, t:Output@alloc:t)\n"
        "u(r:@alloc:t, int:@-, float:@-, bool:@-, NoneType:@-, s:@-, tuple:@-, "
        "dict:@-, ConstInt:@-, x:@-)\n");
}

/* An id counts from where its node begins, the latest of equal ones. */
static void ids_follow_the_text(void **state)
{
    (void)state;
    expect_tasks("<Function 'name':'f','params':[<Var 'id':1,'name':'a'>],"
                 "'body':[<Call 'op':'k','args':[{'ref':1}]>,"
                 "<Cast 'value':<Var 'id':1,'name':'b'>>,"
                 "<Call 'op':'k','args':[{'ref':1}]>,"
                 "<Cast 'other':<Var 'name':'c','id':'1'>>,"
                 "<Call 'op':'k','args':[$1,{'ref':1}]>]>",
                 "k(a:@param:a)\nk(b:@-)\nk(c:@-, b:@-)\n");
}

/* The same node is visited once; a node may hold itself. */
static void cycles_end(void **state)
{
    (void)state;
    expect_tasks("<Function 'id':'f','name':'f','body':["
                 "<Block 'id':'b','body':[$b,$f,<Call 'op':'k','id':'c'>],"
                 "'stmts':$c>,<EvalStmt 'expr':$c>,$b]>",
                 "k()\n");
    expect_tasks("<Function 'body':<Call 'id':'c','op':'k','args':[$c]>>",
                 "k(Call:@-)\n");
}

/* Fields in the order of the walk, whatever their order in the text. */
static void walk_in_order(void **state)
{
    (void)state;
    expect_tasks("<Function 'functions':<Call 'op':'m'>,'body':[<Any "
                 "'functions':<Call 'op':'l'>,'body':<Call 'op':'k'>,"
                 "'then_body':<Call 'op':'j'>,'else_body':<Call 'op':'i'>,"
                 "'branches':<Call 'op':'h'>,'stmts':<Call 'op':'g'>,"
                 "'statements':<Call 'op':'f'>,'seq':<Call 'op':'e'>,"
                 "'args':[[<Call 'op':'d1'>],<Call 'op':'d2'>],"
                 "'value':<Call 'op':'c'>,'expr':{'map':["
                 "[1,<Call 'op':'b2'>],['z',<Call 'op':'b1'>]]},"
                 "'condition':{'z':<Call 'op':'a2'>,'a':<Call 'op':'a1'>},"
                 "'cases':[<Call 'op':'lost'>]>]>",
                 "a1()\na2()\nb1()\nb2()\nc()\nd1()\nd2()\ne()\nf()\ng()\nh()\n"
                 "i()\nj()\nk()\nl()\nm()\n");
}

/* Of repeated keys the last value counts, where the first one stands. */
static void repeated_keys(void **state)
{
    (void)state;
    expect_tasks("<Function 'name':'','body':[<Call 'op':'lost','id':'a'>],"
                 "'body':[{'a':<Call 'op':'k'>,'b':<Call 'op':'j'>,"
                 "'a':<Call 'op':'i'>}],'name':'f'>",
                 "j()\ni()\n");
}

static void names_and_directions(void **state)
{
    (void)state;
    expect_tasks("<Function 'name':'f','params':["
                 "<Var 'id':'x','name_hint':'','name':'n'>,"
                 "<Var 'id':'y','name_hint':null,'name':'n'>,"
                 "<Param 'id':'z'>],'body':["
                 "<Call 'op':<GlobalVar 'name':'g'>,'args':[$x,$y,$z],"
                 "'attrs':{'arg_directions':[<D 'name':'Input','value':1>,"
                 "{'value':'Output'},7]}>,"
                 "<Call 'op_name':'h','args':[1],'arg_directions':[],"
                 "'attrs':{'map':[['arg_directions',['Input']]]}>,"
                 "<Call 'args':[1]>]>",
                 "g(:Input@param:, n:Output@param:n, Param:7@-)\nh(int:@-)\n");
}

static void entry_and_certified(void **state)
{
    (void)state;
    static const char text[] =
        "<Program 'name':'P','functions':{'map':["
        "['first',<Function 'name':'a','params':[@x],'body':["
        "<Call 'op':'k','args':[$x]>],'func_type':<T 'name':'Orchestration'>>],"
        "['second',<Function 'name':'b','body':["
        "<Call 'op':'k','args':[1,2],'arg_directions':['Scalar']>],"
        "'func_type':{'name':'Orchestration'}>],"
        "['third',<Function 'name':'k','func_type':'AIV'>]]}>";
    expect_tasks_of(text, (sonata_ir_options){.entry = SONATA_TEXT("a")},
                    "k(x:@param:x)\n");
    expect_tasks_of(text, (sonata_ir_options){.entry = SONATA_TEXT("second")},
                    "[entry_function_not_orchestration] entry function is not "
                    "an orchestration function: second\n");
    expect_tasks_of(text, (sonata_ir_options){.certified = true},
                    "[unsupported_pypto_adapter_scope] Call k has no "
                    "arg_directions in certified dump; Call k arg_directions "
                    "size 1 does not match args size 2\n");
    sonata_ir_options options = {.policy = "fastest"};
    sonata_program *program = read_program(text);
    sonata_eligibility result;
    assert_int_equal(sonata_ir_plan(&result, program, &options, NULL),
                     SONATA_UNSUPPORTED);
    sonata_program_free(program);
}

static void expect_shape(const char *type, const char *wanted)
{
    char text[512];
    char *json = NULL;
    snprintf(text, sizeof text,
             "{\"kind\":\"Function\",\"name\":\"f\",\"params\":[{\"kind\":"
             "\"Var\",\"name\":\"x\",%s}]}",
             type);
    sonata_program *program = read_program(text);
    sonata_eligibility result;
    assert_int_equal(sonata_ir_plan(&result, program, NULL, NULL), SONATA_OK);
    assert_true(result.eligible);
    assert_int_equal(sonata_score_json(&json, NULL, &result.score, false, NULL),
                     SONATA_OK);
    const char *shapes = strstr(json, "\"shape_assumptions\":");
    assert_non_null(shapes);
    assert_memory_equal(shapes + 20, wanted, strlen(wanted));
    free(json);
    sonata_eligibility_free(&result);
    sonata_program_free(program);
}

static void static_shapes(void **state)
{
    (void)state;
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":[4,{\"kind\":\"C\","
                 "\"value\":18446744073709551616}]}",
                 "[{\"dims\":[4,18446744073709551616],\"symbol\":\"x\"}]");
    expect_shape("\"tensor_type\":{\"kind\":\"T\",\"dims_\":[]}",
                 "[{\"dims\":[],\"symbol\":\"x\"}]");
    expect_shape("\"type\":null,\"type_\":{\"kind\":\"T\",\"shape\":[4]}",
                 "[]");
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":null,\"dims\":[4]}", "[]");
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":[4,0]}", "[]");
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":[-4]}", "[]");
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":[4.0]}", "[]");
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":[true]}", "[]");
    expect_shape("\"type\":{\"kind\":\"T\",\"shape\":\"4\"}", "[]");
}

static void expect_refused(const char *text, sonata_status status,
                           const char *message)
{
    sonata_program *program = NULL;
    sonata_error error = {0};
    assert_int_equal(sonata_ir_read(&program, text, strlen(text), &error),
                     status);
    assert_null(program);
    assert_string_equal(error.message, message);
}

static void malformed_nodes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"[]", "the document must be a node, an object with a kind"},
        {"{\"name\":\"f\"}",
         "the document must be a node, an object with a kind"},
        {"{\"kind\":1}", "the document must have a string as kind, got int"},
        {"{\"kind\":\"F\",\"id\":1.0}",
         "the document must have a string or an int as id, got float"},
        {"{\"kind\":\"F\",\"ref\":\"a\"}",
         "the document has two of kind, ref and map"},
        {"{\"kind\":\"F\",\"body\":[{\"ref\":\"a\"},{\"kind\":\"V\",\"id\":"
         "\"a\"}]}",
         "body[0] refers to 'a', which no node before it has as its id"},
        {"{\"kind\":\"F\",\"x\":{\"y\":[1,{\"ref\":-0}]}}",
         "x.y[1] refers to '0', which no node before it has as its id"},
        {"{\"kind\":\"F\",\"x\":{\"ref\":null}}",
         "x must have a string or an int as ref, got NoneType"},
        {"{\"kind\":\"F\",\"x\":{\"map\":{}}}",
         "x must have a list as map, got dict"},
        {"{\"kind\":\"F\",\"x\":{\"map\":[[1,2],[1]]}}",
         "x has a map whose entry 1 is not a pair of a key and a value"},
        {"{\"kind\":\"F\",\"x\":{\"map\":[[[],2]]}}",
         "x has a map whose entry 0 is not a pair of a key and a value"},
        {"{\"kind\":\"F\",\"x\":{\"map\":[[1,2],[1,3],[2,{\"ref\":7}]]}}",
         "x[2] refers to '7', which no node before it has as its id"},
        {"{\"kind\":\"F\",\"x\":{\"map\":[[1,2],[3,4],[1,{\"ref\":7}]]}}",
         "x[2] refers to '7', which no node before it has as its id"},
        {"{\"kind\":\"F\",\"name\":1}", "name must be a string, got int"},
        {"{\"kind\":\"F\",\"params\":{}}", "params must be a list, got dict"},
        {"{\"kind\":\"F\",\"params\":[{\"kind\":\"V\",\"name\":[]}]}",
         "params[0].name must be a string, got list"},
        {"{\"kind\":\"F\",\"body\":[{\"kind\":\"Call\",\"args\":\"x\"}]}",
         "body[0].args must be a list, got str"},
        {"{\"kind\":\"F\",\"body\":[{\"kind\":\"Call\",\"op\":1}]}",
         "body[0].op must be a string or an object with a name, got int"},
        {"{\"kind\":\"F\",\"body\":[{\"kind\":\"Call\",\"arg_directions\":"
         "[{\"kind\":\"D\"}]}]}",
         "body[0].arg_directions[0] must be a string or an object with a name "
         "or a value, got dict"},
        {"{\"kind\":\"F\",\"body\":[{\"kind\":\"Call\",\"attrs\":{\"map\":[["
         "\"arg_directions\",1]]}}]}",
         "body[0].attrs[0] must be a list, got int"},
        {"{\"kind\":\"F\",\"body\":[{\"kind\":\"AssignStmt\",\"var\":\"x\"}]}",
         "body[0].var must be a node, got str"},
        {"{\"kind\":\"P\",\"functions\":{\"f\":{\"kind\":\"F\",\"name\":2}}}",
         "functions.f.name must be a string, got int"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_refused(cases[i].text, SONATA_SCHEMA, cases[i].message);
}

/* What nobody looks at may be anything. */
static void strange_values_are_passed_over(void **state)
{
    (void)state;
    expect_tasks("<Function 'name':null,'params':[1,'x'],'body':["
                 "1,null,[],{},<Cast 'name':1,'args':{}>,"
                 "<AssignStmt 'var':null>,<AssignStmt 'var':<V>,'value':"
                 "<TupleGetItemExpr 'tuple':1,'index':'0'>>,"
                 "<Call 'op':'k','args':[],'attrs':[1]>]>",
                 "k()\n");
}

static void cut_at_every_byte(void **state)
{
    (void)state;
    char *text = ir_text("<Function 'name':'f','params':[@x],'body':["
                         "<Call 'op':'k','args':[$x,4],'arg_directions':["
                         "'InOut','Scalar'],'attrs':{'map':[['a',1.5]]}>]>");
    sonata_program *program = NULL;
    for (size_t i = 0; i < strlen(text); i++) {
        sonata_error error = {0};
        char *cut = malloc(i + 1);
        assert_non_null(cut);
        memcpy(cut, text, i);
        assert_int_equal(sonata_ir_read(&program, cut, i, &error),
                         SONATA_SYNTAX);
        assert_null(program);
        assert_true(error.line == 1 && error.offset <= i);
        free(cut);
    }
    free(text);
}

static void deep_nesting(void **state)
{
    (void)state;
    enum { DEEP = 511 };
    static const char open[] = "{\"kind\":\"Block\",\"body\":";
    char *text = NULL;
    size_t length = 0;
    for (int depth = DEEP; depth <= DEEP + 1; depth++) {
        sonata_program *program = NULL;
        FILE *out = open_memstream(&text, &length);
        for (int i = 0; i < depth; i++)
            fputs(open, out);
        fputs("{\"kind\":\"X\"}", out);
        for (int i = 0; i < depth; i++)
            fputc('}', out);
        fclose(out);
        assert_int_equal(sonata_ir_read(&program, text, length, NULL),
                         depth == DEEP ? SONATA_OK : SONATA_RANGE);
        sonata_program_free(program);
        free(text);
    }
}

/* A large thing and many that refer to it: numbered pieces of text. */
typedef struct sharing {
    const char *head;
    const char *shared[2]; /* before and after the number */
    const char *middle;
    const char *user[2];
    const char *tail;
} sharing;

enum { MANY = 20000 };

static void repeat(FILE *out, const char *const around[2])
{
    for (int i = 0; i < MANY; i++)
        fprintf(out, "%s%s%d%s", i == 0 ? "" : ",", around[0], i, around[1]);
}

static void expect_too_much(const sharing *s)
{
    char *text = NULL;
    size_t length = 0;
    sonata_program *program = NULL;
    sonata_error error = {0};
    FILE *out = open_memstream(&text, &length);
    fputs(s->head, out);
    repeat(out, s->shared);
    fputs(s->middle, out);
    repeat(out, s->user);
    fputs(s->tail, out);
    fclose(out);
    assert_int_equal(sonata_ir_read(&program, text, length, &error),
                     SONATA_RANGE);
    assert_non_null(strstr(error.message, "share too many nodes"));
    free(text);
}

static void sharing_has_a_limit(void **state)
{
    (void)state;
    static const sharing cases[] = {
        /* functions with one body */
        {"{\"kind\":\"P\",\"x\":{\"kind\":\"B\",\"id\":\"b\",\"body\":[",
         {"{\"a\":", "}"},
         "]},\"functions\":{\"map\":[",
         {"[", ",{\"kind\":\"F\",\"func_type\":\"Orchestration\",\"body\":{"
               "\"ref\":\"b\"}}]"},
         "]}}"},
        /* the same function, again and again, with parameters */
        {"{\"kind\":\"P\",\"x\":{\"kind\":\"F\",\"id\":\"f\",\"func_type\":"
         "\"Orchestration\",\"params\":[",
         {"{\"kind\":\"V\",\"x\":", "}"},
         "]},\"functions\":{",
         {"\"", "\":{\"ref\":\"f\"}"},
         "}}"},
        /* its type a large mapping */
        {"{\"kind\":\"P\",\"x\":{\"kind\":\"F\",\"id\":\"f\",\"func_type\":"
         "{",
         {"\"", "\":1"},
         "}},\"functions\":{",
         {"\"", "\":{\"ref\":\"f\"}"},
         "}}"},
        /* assignments of one call */
        {"{\"kind\":\"F\",\"body\":[{\"kind\":\"Call\",\"id\":\"c\",\"args\":"
         "[",
         {"", ""},
         "]},",
         {"{\"kind\":\"AssignStmt\",\"var\":{\"kind\":\"V\",\"x\":",
          "},\"value\":{\"ref\":\"c\"}}"},
         "]}"},
        /* parameters of one type */
        {"{\"kind\":\"F\",\"x\":{\"kind\":\"T\",\"id\":\"t\",\"shape\":[",
         {"1", ""},
         "]},\"params\":[",
         {"{\"kind\":\"V\",\"x\":", ",\"type\":{\"ref\":\"t\"}}"},
         "]}"},
        /* calls of one long name */
        {"{\"kind\":\"F\",\"x\":{\"kind\":\"G\",\"id\":\"g\",\"name\":\"",
         {"", ""},
         "\"},\"body\":[",
         {"{\"kind\":\"Call\",\"x\":", ",\"op\":{\"ref\":\"g\"}}"},
         "]}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_too_much(&cases[i]);
}

/* Long names that each stand for themselves share nothing. */
static void long_names_are_no_sharing(void **state)
{
    (void)state;
    char *text = NULL;
    size_t length = 0;
    sonata_program *program = NULL;
    FILE *out = open_memstream(&text, &length);
    fputs("{\"kind\":\"F\",\"name\":\"f\",\"body\":[", out);
    for (int i = 0; i < 2000; i++)
        fprintf(out,
                "%s{\"kind\":\"Call\",\"op\":\"%0200d\",\"args\":"
                "[\"%0200d\"]}",
                i == 0 ? "" : ",", i, i);
    fputs("]}", out);
    fclose(out);
    assert_int_equal(sonata_ir_read(&program, text, length, NULL), SONATA_OK);
    sonata_program_free(program);
    free(text);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(refs_are_the_same_node),
    cmocka_unit_test(ids_follow_the_text),
    cmocka_unit_test(cycles_end),
    cmocka_unit_test(walk_in_order),
    cmocka_unit_test(repeated_keys),
    cmocka_unit_test(names_and_directions),
    cmocka_unit_test(entry_and_certified),
    cmocka_unit_test(static_shapes),
    cmocka_unit_test(malformed_nodes),
    cmocka_unit_test(strange_values_are_passed_over),
    cmocka_unit_test(cut_at_every_byte),
    cmocka_unit_test(deep_nesting),
    cmocka_unit_test(sharing_has_a_limit),
    cmocka_unit_test(long_names_are_no_sharing),
};

TEST_MAIN(tests)
