/* The parser of dumps: trees, functions, and both layouts. */
#include <glob.h>

#include "parser_cases.h"
#include "sonata/dump.h"

#define CORPUS "../shared/corpus/pypto"

/* --- Trees as text ----------------------------------------------------- */

typedef struct printer {
    const ast_program *program;
    char text[2048];
    size_t length;
} printer;

static void put(printer *out, const char *text, size_t length)
{
    assert_true(out->length + length < sizeof out->text);
    memcpy(out->text + out->length, text, length);
    out->length += length;
    out->text[out->length] = '\0';
}

static void print_expr(printer *out, ast_node node)
{
    static const char *const kinds[] = {
        "",        "",     "",       "",      "True", "False",
        "None",    "...",  "list",   "tuple", "dict", "pair",
        "keyword", "call", "member", "index", "",     ""};
    static const char *const ops[] = {"",   "or", "xor", "and", "not",
                                      "==", "!=", "<",   "<=",  ">",
                                      ">=", "|",  "^",   "&",   "<<",
                                      ">>", "+",  "-",   "*",   "/",
                                      "//", "%",  "neg", "~",   "**"};
    const ast_expr *expr = &out->program->exprs[node];
    bool inner = expr->kind >= AST_LIST;
    const char *word = expr->op ? ops[expr->op] : kinds[expr->kind];
    char quote = (char)expr->quote;
    if (inner)
        put(out, "(", 1);
    put(out, word, strlen(word));
    if (expr->kind == AST_KEYWORD || expr->kind == AST_MEMBER)
        put(out, ":", 1);
    put(out, &quote, expr->kind == AST_STRING);
    if (!*word || expr->kind == AST_KEYWORD || expr->kind == AST_MEMBER)
        put(out, out->program->text + expr->at, expr->length);
    put(out, &quote, expr->kind == AST_STRING);
    ast_node child = expr->child;
    for (; child != AST_NONE; child = out->program->exprs[child].next) {
        put(out, " ", 1);
        print_expr(out, child);
    }
    if (inner)
        put(out, ")", 1);
}

static void print_block(printer *out, ast_stmt stmt);

static void print_part(printer *out, const char *label, ast_node node)
{
    if (node == AST_NONE)
        return;
    put(out, label, strlen(label));
    print_expr(out, node);
}

static void print_stmt(printer *out, const ast_statement *stmt)
{
    static const char *const kinds[] = {"assign", "expr",     "return", "pass",
                                        "break",  "continue", "for",    "while",
                                        "if",     "with",     "#"};
    put(out, kinds[stmt->kind], strlen(kinds[stmt->kind]));
    if (stmt->is_ellipsis)
        put(out, "...", 3);
    put(out, out->program->text + stmt->at, stmt->length);
    print_part(out, " ", stmt->target);
    print_part(out, " carries ", stmt->carries);
    print_part(out, " : ", stmt->type);
    print_part(out, " = ", stmt->value);
    if (stmt->body != AST_NONE)
        print_block(out, stmt->body);
    if (stmt->orelse != AST_NONE) {
        put(out, "else", 4);
        print_block(out, stmt->orelse);
    }
}

static void print_block(printer *out, ast_stmt stmt)
{
    put(out, "{", 1);
    for (; stmt != AST_NONE; stmt = out->program->stmts[stmt].next) {
        print_stmt(out, &out->program->stmts[stmt]);
        if (out->program->stmts[stmt].next != AST_NONE)
            put(out, "; ", 2);
    }
    put(out, "}", 1);
}

static void check_body(const char *body, const char *expected)
{
    char *text = join(head, orchestration, body);
    ast_program program;
    parse_ok(&program, text);
    check_ranges(&program);
    printer out = {.program = &program};
    print_block(&out, program.funcs[0].body);
    assert_string_equal(out.text, expected);
    ast_free(&program);
    free(text);
}

static void check_expr(const char *expr, const char *expected)
{
    char *line = join("        ", expr, "\n");
    char *tree = join("{expr = ", expected, "}");
    check_body(line, tree);
    free(line);
    free(tree);
}

static void precedence(void **state)
{
    (void)state;
    check_expr("a + b * c", "(+ a (* b c))");
    check_expr("(a + b) * c", "(* (+ a b) c)");
    check_expr("a - b - c", "(- (- a b) c)");
    check_expr("a // b % c / d", "(/ (% (// a b) c) d)");
    check_expr("-a ** -b", "(neg (** a (neg b)))");
    check_expr("a ** b ** c", "(** a (** b c))");
    check_expr("-a * b", "(* (neg a) b)");
    check_expr("~a[0].b(c)", "(~ (call (member:b (index a 0)) c))");
    check_expr("a or b xor c and not d < e | f ^ g & h << i + j",
               "(or a (xor b (and c (not (< d (| e (^ f (& g (<< h (+ i j))))"
               "))))))");
    check_expr("not not a", "(not (not a))");
    check_expr("a == b and c != d", "(and (== a b) (!= c d))");
    check_expr("a >> b <= c", "(<= (>> a b) c)");
}

static void chained_comparison(void **state)
{
    (void)state;
    check_expr("a < b", "(< a b)");
    check_expr("a < b <= c", "(and (< a b) (<= b c))");
    check_expr("a < 1 < c > d or e",
               "(or (and (and (< a 1) (< 1 c)) (> c d)) e)");
    check_expr("(a < b) == c", "(== (< a b) c)");
    check_expr("x and a < b < c", "(and x (and (< a b) (< b c)))");
    check_expr("not a < b < c + 1", "(not (and (< a b) (< b (+ c 1))))");
}

static void atoms(void **state)
{
    (void)state;
    check_expr("pl.tile.load", "pl.tile.load");
    check_expr("f(...)", "(call f ...)");
    check_expr("[True, False, None]", "(list True False None)");
    check_expr("[0, 1_000, 0x1F, 1.5, 1e-05, .5, 2.]",
               "(list 0 1_000 0x1F 1.5 1e-05 .5 2.)");
    check_expr("f('a\\', \"b\\\"c\\\\\")", "(call f 'a\\' \"b\\\"c\\\\\")");
    check_expr("()", "(tuple)");
    check_expr("(a)", "a");
    check_expr("(a,)", "(tuple a)");
    check_expr("(a, (b, c),)", "(tuple a (tuple b c))");
    check_expr("a, b", "(tuple a b)");
    check_expr("[]", "(list)");
    check_expr("{}", "(dict)");
    check_expr("{\"a\": [b], \"c\": 1 + 2,}",
               "(dict (pair \"a\" (list b)) (pair \"c\" (+ 1 2)))");
    check_expr("f()", "(call f)");
    check_expr("f(a, b=c == d, e=(f,),)",
               "(call f a (keyword:b (== c d)) (keyword:e (tuple f)))");
    check_expr("pl.Tensor[[1, N], pl.FP32,][0]",
               "(index (index pl.Tensor (list 1 N) pl.FP32) 0)");
    check_expr("f().a.b", "(member:b (member:a (call f)))");
}

static void implicit_joining(void **state)
{
    (void)state;
    check_expr("f(  # (\n a,\n\n   b  # ]\n\t)", "(call f a b)");
    check_expr("f(\r\n a\r\n  )\r", "(call f a)");
}

static void statements(void **state)
{
    (void)state;
    check_body("        a: pl.Scalar[pl.INDEX] = b + 1\n"
               "        c, d = pl.yield_(a, b)\n"
               "        (e,) = pl.yield_(a)\n"
               "        g: pl.Tuple[pl.Ptr, pl.Ptr] = [a, b]\n"
               "        h: pl.Tuple[pl.Ptr] = (a, b)\n"
               "        return\n",
               "{assign a : (index pl.Scalar pl.INDEX) = (+ b 1); "
               "assign (tuple c d) = (call pl.yield_ a b); "
               "assign (tuple e) = (call pl.yield_ a); "
               "assign g : (index pl.Tuple pl.Ptr pl.Ptr) = (list a b); "
               "assign h : (index pl.Tuple pl.Ptr) = (tuple a b); return}");
    check_body("        ...\n", "{pass...}");
    check_body("        pass\n", "{pass}");
    check_body("        return a, b", "{return = (tuple a b)}");
    check_body("        return (\n            a,\n            b,\n        )\n",
               "{return = (tuple a b)}");
    check_body("        return (a)\n", "{return = a}");
}

static void loops(void **state)
{
    (void)state;
    check_body("        for i in pl.range(4):\n            break\n",
               "{for i = (call pl.range 4){break}}");
    check_body("        for i, (a,) in pl.parallel(0, n, 2, init_values=(x,)"
               "):\n            a2 = pl.yield_(a)\n",
               "{for i carries (tuple a) = (call pl.parallel 0 n 2 "
               "(keyword:init_values (tuple x))){assign a2 = (call pl.yield_ "
               "a)}}");
    check_body("        for (i, (a, b)) in pl.unroll(4):\n"
               "            continue\n",
               "{for i carries (tuple a b) = (call pl.unroll 4){continue}}");
    check_body("        for i in pl.pipeline(4, stage=2):\n            pass\n",
               "{for i = (call pl.pipeline 4 (keyword:stage 2)){pass}}");
    const char *expected = "{for carries (tuple a b) = (call pl.while_ "
                           "(keyword:init_values (tuple x y))){expr = (call "
                           "pl.cond (< a b))}}";
    check_body("        for (a, b) in pl.while_(init_values=(x, y)):\n"
               "            pl.cond(a < b)\n",
               expected);
    check_body("        for a, b in pl.while_(init_values=(x, y)):\n"
               "            pl.cond(a < b)\n",
               expected);
    check_body("        while a < 3:\n            f(a)\n",
               "{while = (< a 3){expr = (call f a)}}");
}

static void branches(void **state)
{
    (void)state;
    check_body("        if a:\n            b\n        else:\n            c\n",
               "{if = a{expr = b}else{expr = c}}");
    check_body("        if a:\n            b\n        elif c:\n"
               "            d\n        elif e:\n            f\n        else:\n"
               "            g\n        h\n",
               "{if = a{expr = b}else{if = c{expr = d}else{if = e{expr = f}"
               "else{expr = g}}}; expr = h}");
    check_body("        if a: b\n        else: c\n",
               "{if = a{expr = b}else{expr = c}}");
    check_body("        with pl.scope(mode=pl.ScopeMode.MANUAL):\n"
               "            with pl.scope():\n                a\n        b\n",
               "{with = (call pl.scope (keyword:mode pl.ScopeMode.MANUAL))"
               "{with = (call pl.scope){expr = a}}; expr = b}");
}

static void comments(void **state)
{
    (void)state;
    check_body("        # first\n        a  # trailing\n\n  # low\n"
               "        if a:\n            # in if\n            b\n"
               "            # end of if  \n        # c\n        else:\n"
               "            d\n        #\n        #e\n",
               "{#first; expr = a; #low; if = a{#in if; expr = b; #end of if}"
               "else{expr = d}; #c; #; #e}");
}

/* --- Functions ---------------------------------------------------------- */

static void check_text(const ast_program *program, uint32_t at, uint32_t length,
                       const char *word)
{
    assert_int_equal(length, strlen(word));
    assert_memory_equal(program->text + at, word, length);
}

static void functions(void **state)
{
    (void)state;
    ast_program p;
    parse_ok(&p, whole);
    check_ranges(&p);
    check_text(&p, p.name_at, p.name_length, "Small");
    check_text(&p, p.class_at, p.class_length, "Small");
    assert_int_equal(p.symbol_count, 1);
    check_text(&p, p.symbols[0].at, p.symbols[0].length, "M");
    check_text(&p, p.symbols[0].text_at, p.symbols[0].text_length, "M_DYN");
    assert_int_equal(p.func_count, 4);
    const ast_function *ext = &p.funcs[0];
    assert_int_equal(ext->kind, FUNC_AIV);
    assert_true(ext->has_external && !ext->has_self && ext->auto_scope);
    assert_true(p.stmts[ext->body].is_ellipsis);
    assert_int_equal(p.params[ext->first_param + 1].direction, AST_OUT);
    const ast_function *k = &p.funcs[1];
    assert_int_equal(k->kind, FUNC_INCORE);
    assert_true(k->has_self && k->attrs != AST_NONE);
    assert_int_equal(p.exprs[k->attrs].kind, AST_DICT);
    assert_int_equal(p.stmts[k->body].kind, STMT_ASSIGN);
    const ast_param *b = &p.params[k->first_param + 1];
    assert_int_equal(b->direction, AST_INOUT);
    assert_true(ast_is(&p, p.exprs[b->type].child, "pl.Tensor"));
    assert_false(ast_is(&p, p.exprs[b->type].child, "pl.Tenso"));
    assert_true(p.exprs[k->result].kind == AST_INDEX);
    assert_int_equal(p.funcs[2].kind, FUNC_ORCHESTRATION);
    assert_false(p.funcs[2].auto_scope);
    assert_int_equal(p.funcs[3].kind, FUNC_HOST);
    check_text(&p, p.funcs[3].at, p.funcs[3].length, "host");
    ast_free(&p);
}

static void check_kind(const char *decorator, ast_func_kind kind)
{
    char *line = join("    ", decorator, "\n    def f(): ...\n");
    char *text = join(head, line, "");
    ast_program program;
    parse_ok(&program, text);
    assert_int_equal(program.funcs[0].kind, kind);
    ast_free(&program);
    free(text);
    free(line);
}

static void function_kinds(void **state)
{
    (void)state;
    check_kind("@pl.function", FUNC_HOST);
    check_kind("@pl.function(type=pl.FunctionType.Opaque)", FUNC_HOST);
    check_kind("@pl.function(level=pl.Level.HOST)", FUNC_HOST);
    check_kind("@pl.function(level=pl.Level.HOST, role=pl.Role.SubWorker)",
               FUNC_OTHER);
    check_kind("@pl.function(type=pl.FunctionType.Group)", FUNC_GROUP);
    check_kind("@pl.function(type=pl.FunctionType.Spmd)", FUNC_SPMD);
    check_kind("@pl.function(type=pl.FunctionType.AIC)", FUNC_AIC);
    check_kind("@pl.function(type=pl.FunctionType.New)", FUNC_OTHER);
}

/* --- Two layouts, one tree ----------------------------------------------- */

/* The text of a string as Python reads it; returns its length. */
static size_t unescape(const ast_program *program, const ast_expr *expr,
                       char *out)
{
    size_t length = 0;
    for (uint32_t i = 0; i < expr->length; i++) {
        const char *text = program->text + expr->at;
        if (expr->quote == '"' && text[i] == '\\' && i + 1 < expr->length)
            i++;
        out[length++] = text[i];
    }
    return length;
}

static void same_text(const ast_program *a, const ast_expr *x,
                      const ast_program *b, const ast_expr *y)
{
    char left[4096];
    char right[4096];
    assert_true(x->length <= sizeof left && y->length <= sizeof right);
    size_t length = unescape(a, x, left);
    assert_int_equal(unescape(b, y, right), length);
    assert_memory_equal(left, right, length);
}

static void same_exprs(const ast_program *a, const ast_program *b)
{
    assert_int_equal(a->expr_count, b->expr_count);
    for (uint32_t i = 0; i < a->expr_count; i++) {
        const ast_expr *x = &a->exprs[i];
        const ast_expr *y = &b->exprs[i];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->op, y->op);
        assert_int_equal(x->first, y->first);
        assert_int_equal(x->child, y->child);
        assert_int_equal(x->next, y->next);
        same_text(a, x, b, y);
    }
}

static void same_stmts(const ast_program *a, const ast_program *b)
{
    assert_int_equal(a->stmt_count, b->stmt_count);
    for (uint32_t i = 0; i < a->stmt_count; i++) {
        ast_statement x = a->stmts[i];
        ast_statement y = b->stmts[i];
        assert_int_equal(x.length, y.length);
        assert_memory_equal(a->text + x.at, b->text + y.at, x.length);
        assert_int_equal(x.kind, y.kind);
        assert_int_equal(x.is_ellipsis, y.is_ellipsis);
        assert_int_equal(x.target, y.target);
        assert_int_equal(x.carries, y.carries);
        assert_int_equal(x.type, y.type);
        assert_int_equal(x.value, y.value);
        assert_int_equal(x.body, y.body);
        assert_int_equal(x.orelse, y.orelse);
        assert_int_equal(x.next, y.next);
    }
}

static void same_trees(const ast_program *a, const ast_program *b)
{
    same_exprs(a, b);
    same_stmts(a, b);
    assert_int_equal(a->func_count, b->func_count);
    for (uint32_t i = 0; i < a->func_count; i++) {
        const ast_function *x = &a->funcs[i];
        const ast_function *y = &b->funcs[i];
        assert_int_equal(x->kind, y->kind);
        assert_int_equal(x->attrs, y->attrs);
        assert_int_equal(x->params, y->params);
        assert_int_equal(x->result, y->result);
        assert_int_equal(x->body, y->body);
        assert_int_equal(x->unreadable, y->unreadable);
    }
    assert_int_equal(a->param_count, b->param_count);
    for (uint32_t i = 0; i < a->param_count; i++) {
        assert_int_equal(a->params[i].direction, b->params[i].direction);
        assert_int_equal(a->params[i].type, b->params[i].type);
    }
}

static void layouts(void **state)
{
    (void)state;
    ast_program raw;
    ast_program ruff;
    parse_ok(&raw, whole);
    parse_ok(&ruff, whole_ruff);
    same_trees(&raw, &ruff);
    ast_free(&raw);
    ast_free(&ruff);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long size = ftell(file);
    assert_true(size >= 0);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Every real dump. */
static void real_dumps(void **state)
{
    (void)state;
    glob_t found;
    test_needs(CORPUS);
    assert_int_equal(glob(CORPUS "/*/passes_dump/*.py", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *text = read_file(found.gl_pathv[i]);
        ast_program program;
        parse_ok(&program, text);
        assert_true(program.func_count > 0);
        ast_free(&program);
        free(text);
    }
    assert_true(found.gl_pathc >= 254);
    globfree(&found);
}

static void same_files(const char *certified, const char *formatted)
{
    char *left = read_file(certified);
    char *right = read_file(formatted);
    ast_program raw;
    ast_program ruff;
    parse_ok(&raw, left);
    parse_ok(&ruff, right);
    same_trees(&raw, &ruff);
    ast_free(&raw);
    ast_free(&ruff);
    free(left);
    free(right);
}

static void real_layouts(void **state)
{
    (void)state;
    glob_t found;
    test_needs(CORPUS);
    assert_int_equal(glob(CORPUS "/*/certified_ruff.py", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        const char *path = found.gl_pathv[i];
        int folder = (int)(strrchr(path, '/') - path);
        char pattern[512];
        snprintf(pattern, sizeof pattern,
                 "%.*s/passes_dump/*_after_Simplify.py", folder, path);
        glob_t raw;
        assert_int_equal(glob(pattern, 0, NULL, &raw), 0);
        same_files(raw.gl_pathv[raw.gl_pathc - 1], path);
        globfree(&raw);
    }
    assert_true(found.gl_pathc >= 107);
    globfree(&found);
}

/* --- Kernels beyond the grammar ------------------------------------------- */

static void check_unreadable(const char *body, unsigned line, unsigned column)
{
    char *first = join(head, kernel, body);
    char *text = join(first, orchestration, "        return\n");
    ast_program program;
    parse_ok(&program, text);
    check_ranges(&program);
    assert_int_equal(program.func_count, 2);
    const ast_function *func = &program.funcs[0];
    assert_true(func->unreadable);
    assert_int_equal(func->body, AST_NONE);
    assert_string_equal(func->error.code, "doc.syntax");
    assert_int_equal(func->error.line, line);
    assert_int_equal(func->error.column, column);
    assert_false(program.funcs[1].unreadable);
    assert_int_equal(program.stmts[program.funcs[1].body].kind, STMT_RETURN);
    assert_int_equal(program.stmt_count, 1);
    ast_free(&program);
    free(text);
    free(first);
}

static void unreadable_kernels(void **state)
{
    (void)state;
    check_unreadable("        raise E(f'{a[\"x\"]}: {b:.3f}')\n", 8, 9);
    check_unreadable("        a = 1\n        f[:] = a\n        return f\n", 9,
                     11);
    check_unreadable("        import os\n\n    # low comment\n\n        b\n", 8,
                     9);
    check_unreadable("        \"\"\"doc\n@pl.program\nnot code (\n  \"\"\"\n"
                     "        x = [i for i in y]\n",
                     8, 11);
    check_unreadable("        s = '''a \\''' \"\"\" b\nclass Q:\n''' + \"'\"\n",
                     8, 15);
    check_unreadable("        s = \"it's\" # \"\"\" '''\n        @d\n"
                     "        def g(x, *y): return lambda: (\n"
                     "            x[1:2])\n",
                     9, 9);
    check_unreadable("        s = '\"\"\"'; t = 'don\\'t'\n", 8, 18);
    check_unreadable("        try:\n          a\n       \n\tb\n        c ? d\n",
                     8, 9);
    /* Left open, the string ends where the next function begins. */
    check_unreadable("        s = \"\"\"abc\n   @pl.function\n", 8, 15);
    check_unreadable("        x = (((\n        y = 1\n", 9, 11);
}

static void unreadable_on_one_line(void **state)
{
    (void)state;
    char *text = join(head,
                      "    @pl.function(type=pl.FunctionType.AIC)\n"
                      "    def k(): raise X('''\n"
                      "a''')\n",
                      "    @pl.function(type=pl.FunctionType.AIC)\n"
                      "    def l():\n"
                      "        pl.func_attr({\"a\": 1})\n"
                      "        yield x\n"
                      "    # the end\n");
    ast_program program;
    parse_ok(&program, text);
    check_ranges(&program);
    assert_int_equal(program.func_count, 2);
    assert_true(program.funcs[0].unreadable && program.funcs[1].unreadable);
    assert_int_equal(program.exprs[program.funcs[1].attrs].kind, AST_DICT);
    ast_free(&program);
    free(text);
}

/* --- Line ends, positions ---------------------------------------------- */

static void carriage_returns(void **state)
{
    (void)state;
    char *text = malloc(2 * sizeof whole);
    assert_non_null(text);
    char *out = text;
    for (const char *c = whole; *c; c++) {
        if (*c == '\n')
            *out++ = '\r';
        *out++ = *c;
    }
    *out = '\0';
    ast_program crlf;
    ast_program raw;
    parse_ok(&crlf, text);
    parse_ok(&raw, whole);
    same_trees(&raw, &crlf);
    ast_free(&crlf);
    ast_free(&raw);
    free(text);
}

static void positions(void **state)
{
    (void)state;
    ast_program program;
    parse_ok(&program, whole);
    uint64_t line = 1;
    uint64_t column = 1;
    for (uint32_t at = 0; at < program.length; at++) {
        uint64_t found_line;
        uint64_t found_column;
        ast_position(&program, at, &found_line, &found_column);
        assert_int_equal(found_line, line);
        assert_int_equal(found_column, column);
        column++;
        if (whole[at] == '\n') {
            line++;
            column = 1;
        }
    }
    ast_free(&program);
}

static bool detect(const char *text)
{
    return sonata_dump_detect(text, strlen(text));
}

static void detection(void **state)
{
    (void)state;
    assert_true(detect(whole));
    assert_true(detect(whole_ruff));
    assert_true(detect("\r\n \n# pypto.program: P"));
    assert_false(detect(""));
    assert_false(detect("# pypto.progra"));
    assert_false(detect("@pl.program\nclass P:\n"));
    assert_false(detect("import pypto.language as pl\n"
                        "# pypto.program: P\n"));
    assert_false(sonata_dump_detect("# pypto.program:", 15));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(precedence),
    cmocka_unit_test(chained_comparison),
    cmocka_unit_test(atoms),
    cmocka_unit_test(implicit_joining),
    cmocka_unit_test(statements),
    cmocka_unit_test(loops),
    cmocka_unit_test(branches),
    cmocka_unit_test(comments),
    cmocka_unit_test(functions),
    cmocka_unit_test(function_kinds),
    cmocka_unit_test(layouts),
    cmocka_unit_test(real_dumps),
    cmocka_unit_test(real_layouts),
    cmocka_unit_test(unreadable_kernels),
    cmocka_unit_test(unreadable_on_one_line),
    cmocka_unit_test(carriage_returns),
    cmocka_unit_test(positions),
    cmocka_unit_test(detection),
};

TEST_MAIN(tests)
