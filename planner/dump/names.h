/*
 * The names of a program, numbered: the same number for the same text. The
 * words that the machine knows come first, so that a name node is told apart
 * by one comparison.
 */
#ifndef SONATA_DUMP_NAMES_H
#define SONATA_DUMP_NAMES_H

#include "ast.h"

#define NAME_NONE UINT32_MAX

typedef enum word_id {
    WORD_ABS,
    WORD_ARRAY_CREATE,
    WORD_ARRAY_GET,
    WORD_ARRAY_UPDATE,
    WORD_CAST,
    WORD_CONDITION,
    WORD_CONST,
    WORD_DUMMY,
    WORD_INVALID,
    WORD_MAX,
    WORD_MIN,
    WORD_PARALLEL,
    WORD_PIPELINE,
    WORD_RANGE,
    WORD_SCOPE,
    WORD_SPMD_SUBMIT,
    WORD_SUBMIT,
    WORD_TENSOR_ASSEMBLE,
    WORD_TENSOR_CREATE,
    WORD_TENSOR_DIM,
    WORD_TENSOR_READ,
    WORD_TENSOR_RESHAPE,
    WORD_TENSOR_SLICE,
    WORD_TENSOR_TRANSPOSE,
    WORD_TENSOR_VIEW,
    WORD_TENSOR_WRITE,
    WORD_TILE_BLOCK,
    WORD_TILE_GATHER_ROW,
    WORD_TILE_LOAD,
    WORD_TILE_STORE,
    WORD_TILE_SUBBLOCK,
    WORD_UNROLL,
    WORD_WHILE,
    WORD_YIELD,
    WORD_COUNT,
    WORD_OTHER = WORD_COUNT /* not a word of the machine's */
} word_id;

typedef struct name_entry {
    const char *data;
    uint32_t length;
    uint32_t next;   /* in the hash chain */
    ast_func func;   /* the function of this name, or AST_NONE */
    ast_func call;   /* of a name "self.f": the function f, or AST_NONE */
    uint32_t symbol; /* index of pl.dynamic in ast->symbols, or AST_NONE */
} name_entry;

typedef struct names {
    name_entry *entries;
    uint32_t count, capacity;
    uint32_t *chains;
    uint32_t chain_count;
    uint32_t *of_node;  /* per expression node; NAME_NONE when no name */
    uint32_t *of_param; /* per parameter */
} names;

/* Numbers all names of a program; false when out of memory. Linear. */
bool names_build(names *n, const ast_program *ast);
void names_free(names *n);
uint32_t names_find(const names *n, const char *text, size_t length);

#endif
