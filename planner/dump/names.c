#include "names.h"

#include "array.h"

#include <stdlib.h>
#include <string.h>

static const char *const WORDS[WORD_COUNT] = {
    "abs",
    "pl.array.create",
    "pl.array.get_element",
    "pl.array.update_element",
    "pl.cast",
    "pl.cond",
    "pl.const",
    "pl.system.task_dummy",
    "pl.system.task_invalid",
    "pl.max",
    "pl.min",
    "pl.parallel",
    "pl.pipeline",
    "pl.range",
    "pl.scope",
    "pl.spmd_submit",
    "pl.submit",
    "pl.tensor.assemble",
    "pl.tensor.create",
    "pl.tensor.dim",
    "pl.tensor.read",
    "pl.tensor.reshape",
    "pl.tensor.slice",
    "pl.tensor.transpose",
    "pl.tensor.view",
    "pl.tensor.write",
    "pl.tile.get_block_idx",
    "pl.tile.gather_row",
    "pl.tile.load",
    "pl.tile.store",
    "pl.tile.get_subblock_idx",
    "pl.unroll",
    "pl.while_",
    "pl.yield_",
};

static uint32_t hash(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325U;
    for (size_t i = 0; i < length; i++)
        h = (h ^ (unsigned char)text[i]) * 0x100000001b3U;
    return (uint32_t)(h ^ (h >> 32));
}

uint32_t names_find(const names *n, const char *text, size_t length)
{
    uint32_t chain = hash(text, length) & (n->chain_count - 1);
    for (uint32_t i = n->chains[chain]; i != NAME_NONE; i = n->entries[i].next)
        if (n->entries[i].length == length &&
            memcmp(n->entries[i].data, text, length) == 0)
            return i;
    return NAME_NONE;
}

static uint32_t add(names *n, const char *text, size_t length)
{
    uint32_t found = names_find(n, text, length);
    if (found != NAME_NONE)
        return found;
    if (!array_grow(&n->entries, n->count, &n->capacity, sizeof *n->entries))
        return NAME_NONE;
    uint32_t chain = hash(text, length) & (n->chain_count - 1);
    n->entries[n->count] = (name_entry){
        text, (uint32_t)length, n->chains[chain], AST_NONE, AST_NONE, AST_NONE};
    n->chains[chain] = n->count;
    return n->count++;
}

static bool make_chains(names *n, const ast_program *ast)
{
    uint64_t wanted = 1024;
    while (wanted < (uint64_t)ast->expr_count / 4)
        wanted *= 2;
    n->chain_count = (uint32_t)wanted;
    n->chains = malloc(wanted * sizeof *n->chains);
    n->of_node = malloc(((size_t)ast->expr_count + 1) * sizeof *n->of_node);
    n->of_param = malloc(((size_t)ast->param_count + 1) * sizeof *n->of_param);
    if (n->chains == NULL || n->of_node == NULL || n->of_param == NULL)
        return false;
    memset(n->chains, 0xff, wanted * sizeof *n->chains);
    return true;
}

/* Functions and dynamic symbols, by their names; the first of a name wins. */
static bool add_definitions(names *n, const ast_program *ast)
{
    for (uint32_t i = 0; i < ast->func_count; i++) {
        uint32_t id =
            add(n, ast->text + ast->funcs[i].at, ast->funcs[i].length);
        if (id == NAME_NONE)
            return false;
        if (n->entries[id].func == AST_NONE)
            n->entries[id].func = i;
    }
    for (uint32_t i = 0; i < ast->symbol_count; i++) {
        uint32_t id =
            add(n, ast->text + ast->symbols[i].at, ast->symbols[i].length);
        if (id == NAME_NONE)
            return false;
        n->entries[id].symbol = i;
    }
    return true;
}

static bool add_uses(names *n, const ast_program *ast)
{
    for (uint32_t i = 0; i < ast->expr_count; i++) {
        const ast_expr *e = &ast->exprs[i];
        n->of_node[i] = NAME_NONE;
        if (e->kind != AST_NAME)
            continue;
        uint32_t id = add(n, ast->text + e->at, e->length);
        if (id == NAME_NONE)
            return false;
        n->of_node[i] = id;
        if (e->length > 5 && memcmp(ast->text + e->at, "self.", 5) == 0) {
            uint32_t func = names_find(n, ast->text + e->at + 5, e->length - 5);
            if (func != NAME_NONE)
                n->entries[id].call = n->entries[func].func;
        }
    }
    for (uint32_t i = 0; i < ast->param_count; i++) {
        n->of_param[i] =
            add(n, ast->text + ast->params[i].at, ast->params[i].length);
        if (n->of_param[i] == NAME_NONE)
            return false;
    }
    return true;
}

bool names_build(names *n, const ast_program *ast)
{
    memset(n, 0, sizeof *n);
    if (!make_chains(n, ast))
        return false;
    for (uint32_t i = 0; i < WORD_COUNT; i++)
        if (add(n, WORDS[i], strlen(WORDS[i])) != i)
            return false;
    return add_definitions(n, ast) && add_uses(n, ast);
}

void names_free(names *n)
{
    free(n->entries);
    free(n->chains);
    free(n->of_node);
    free(n->of_param);
    memset(n, 0, sizeof *n);
}
