/* From the text of a dump to a bundle. */
#include "machine.h"
#include "neutral.h"

#include "../adapt/extract.h"
#include "../json/text.h"
#include "../json/writer.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A HOST function that launches on several devices. */
static bool is_distributed(const ast_program *ast, ast_func func)
{
    uint32_t begin = ast->funcs[func].at, end = UINT32_MAX;
    if (ast->funcs[func].kind != FUNC_HOST)
        return false;
    for (ast_func i = 0; i < ast->func_count; i++)
        if (ast->funcs[i].at > begin && ast->funcs[i].at < end)
            end = ast->funcs[i].at;
    for (ast_node n = 0; n < ast->expr_count; n++) {
        const ast_expr *e = &ast->exprs[n];
        if (e->kind != AST_CALL || e->child == AST_NONE)
            continue;
        e = &ast->exprs[e->child];
        if (e->at > begin && e->at < end && e->length > 4 &&
            memcmp(ast->text + e->at, "pld.", 4) == 0)
            return true;
    }
    return false;
}

/* Orchestration functions, and HOST functions that orchestrate. */
static bool is_root(const ast_program *ast, ast_func func)
{
    const ast_function *f = &ast->funcs[func];
    if (f->kind == FUNC_ORCHESTRATION)
        return f->body != AST_NONE;
    if (f->kind != FUNC_HOST || f->unreadable || f->body == AST_NONE ||
        f->decorator == AST_NONE)
        return false;
    for (ast_node n = ast->exprs[f->decorator].child; n != AST_NONE;
         n = ast->exprs[n].next)
        if (ast->exprs[n].kind == AST_KEYWORD && ast_is(ast, n, "role") &&
            ast_is(ast, ast->exprs[n].child, "pl.Role.Orchestrator"))
            return true;
    return false;
}

static void sha256_hex(const char *text, size_t length, char hex[65])
{
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int n = 0;
    if (EVP_Digest(text, length, digest, &n, EVP_sha256(), NULL) != 1)
        n = 0;
    for (unsigned int i = 0; i < n && i < 32; i++)
        snprintf(hex + (size_t)i * 2, 3, "%02x", digest[i]);
}

static void put_member(sonata_json *w, const char *role, const char *text,
                       size_t length)
{
    char hex[65] = "";
    sha256_hex(text, length, hex);
    sonata_json_object(w);
    sonata_json_key(w, "document");
    sonata_json_raw(w, text, length);
    sonata_json_key(w, "role");
    sonata_json_string(w, role);
    sonata_json_key(w, "sha256");
    sonata_json_string(w, hex);
    sonata_json_end_object(w);
}

/* A name of two functions means neither. */
static bool check_names(machine *m)
{
    for (ast_func i = 0; i < m->ast->func_count; i++) {
        const ast_function *f = &m->ast->funcs[i];
        uint32_t name = names_find(&m->names, m->ast->text + f->at, f->length);
        if (m->names.entries[name].func != i)
            return machine_fail(
                m, SONATA_SYNTAX, f->at, "a second function of the name %.*s",
                (int)(f->length < 100 ? f->length : 100), m->ast->text + f->at);
    }
    return true;
}

static bool run_roots(machine *m)
{
    uint32_t roots = 0;
    if (!check_names(m))
        return false;
    for (ast_func i = 0; i < m->ast->func_count; i++) {
        if (!is_root(m->ast, i))
            continue;
        if (is_distributed(m->ast, i)) {
            graph_region_site site = {
                machine_line(m, m->ast->funcs[i].at),
                "host function of a distributed program: what it launches "
                "runs on several devices and is not judged",
                AST_NONE};
            graph_add_site(&m->graph, &site);
            continue;
        }
        roots++;
        machine_run_root(m, i);
        if (m->status != SONATA_OK)
            return false;
    }
    machine_settle_deps(m);
    machine_find_impossible(m);
    machine_note_facts(m);
    if (!machine_has_memory(m))
        return false;
    return roots > 0 ||
           machine_fail(m, SONATA_UNSUPPORTED, 0,
                        m->graph.site_count > 0
                            ? "the program has distributed host functions "
                              "and no Orchestration function"
                            : "the program has no Orchestration function");
}

static void begin(const sonata_dump_options *options, sonata_dump_phase phase)
{
    if (options != NULL && options->begins != NULL)
        options->begins(options->context, phase);
}

/* The Score of an eligible program, else why it has none. */
static sonata_status put_score(sonata_json *w, const machine *m,
                               const sonata_dump_options *options)
{
    sonata_ir ir;
    sonata_eligibility result = {0};
    const char *policy = options != NULL && options->policy != NULL
                             ? options->policy
                             : "dataflow_v0";
    sonata_extract_options extract = {.policy = policy,
                                      .require_certified = true};
    char *text = NULL;
    size_t length = 0;
    sonata_ir_init(&ir);
    sonata_status status =
        neutral_fill(&ir, m->ast, &m->names)
            ? sonata_extract(&result, &ir, &extract, m->error)
            : sonata_fail_memory(m->error);
    if (status == SONATA_OK && result.eligible)
        status =
            sonata_score_json(&text, &length, &result.score, false, m->error);
    else if (status == SONATA_OK)
        status =
            sonata_eligibility_json(&text, &length, &result, false, m->error);
    if (status == SONATA_OK)
        put_member(w, result.eligible ? "score" : "eligibility", text, length);
    free(text);
    sonata_eligibility_free(&result);
    sonata_ir_free(&ir);
    return status;
}

static sonata_status write_bundle(char **bundle, size_t *bundle_length,
                                  machine *m,
                                  const sonata_dump_options *options)
{
    sonata_json w;
    size_t length;
    const char *rules = options != NULL && options->rules != NULL
                            ? options->rules
                            : "tensormap";
    begin(options, SONATA_DUMP_WRITE);
    char *text = graph_write(&m->graph, &m->numbers, rules, &length);
    if (text == NULL) {
        machine_no_memory(m);
        return m->status;
    }
    sonata_json_init(&w, false);
    sonata_json_object(&w);
    sonata_json_key(&w, "kind");
    sonata_json_string(&w, "bundle");
    sonata_json_key(&w, "members");
    sonata_json_array(&w);
    put_member(&w, "graph", text, length);
    begin(options, SONATA_DUMP_SCORE);
    m->status = put_score(&w, m, options);
    begin(options, SONATA_DUMP_WRITE);
    sonata_json_end_array(&w);
    sonata_json_key(&w, "version");
    sonata_json_int(&w, 1);
    sonata_json_end_object(&w);
    free(text);
    if (m->status == SONATA_OK) {
        *bundle = sonata_json_take(&w, bundle_length);
        if (*bundle == NULL)
            machine_no_memory(m);
    }
    sonata_json_free(&w);
    return m->status;
}

/* Runs the program with a fold; the machine is to be freed in any case. */
static bool run_program(machine *m, const ast_program *ast, machine_fold fold,
                        const sonata_dump_options *options, sonata_error *error)
{
    uint32_t roots = 0;
    for (ast_func i = 0; i < ast->func_count; i++)
        roots += is_root(ast, i) && !is_distributed(ast, i);
    if (!machine_init(m, ast, options, roots, error))
        return false;
    m->fold = fold;
    return run_roots(m);
}

sonata_status sonata_dump_plan(char **bundle, size_t *bundle_length,
                               const char *text, size_t length,
                               const sonata_dump_options *options,
                               sonata_error *error)
{
    ast_program ast;
    begin(options, SONATA_DUMP_READ);
    sonata_status status = ast_parse(&ast, text, length, error);
    if (status != SONATA_OK)
        return status;
    machine *m = malloc(sizeof *m);
    if (m == NULL) {
        ast_free(&ast);
        return sonata_fail_memory(error);
    }
    bool again = true;
    sonata_error first = {0};
    for (int fold = FOLD_NONE; again && fold < FOLDS; fold++) {
        begin(options, SONATA_DUMP_EXPAND);
        if (run_program(m, &ast, (machine_fold)fold, options, error))
            write_bundle(bundle, bundle_length, m, options);
        again = m->too_many;
        status = m->status;
        if (fold == FOLD_NONE)
            first = *error;
        machine_free(m);
    }
    /* What two passes cannot do is no fault of a program that is too large. */
    if (status == SONATA_OK) {
        memset(error, 0, sizeof *error);
    } else if (status == SONATA_UNSUPPORTED) {
        status = first.status;
        *error = first;
    }
    free(m);
    ast_free(&ast);
    return status;
}
