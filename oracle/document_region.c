/* Regions, views and symbolic numbers of a task-graph document. */
#include "reader.h"

#include "region.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_TERMS 1024 /* of one number, before equal symbols are joined */

/* The number of blocks that the task being read has; 0: unknown. */
static int64_t blocks_of(const oracle_reader *reader)
{
    return reader->task == ORACLE_NONE
               ? 0
               : reader->document->tasks[reader->task].blocks;
}

static bool new_block_symbol(oracle_reader *reader, const char *name,
                             uint32_t declared, int64_t max, uint32_t *symbol)
{
    oracle_slot *slot = oracle_reader_keep(reader, name, strlen(name));
    oracle_symbol *s = ORACLE_PUSH(reader, symbols, symbol_count);
    if (s == NULL || slot == NULL) {
        return oracle_reader_memory(reader);
    }
    *s = (oracle_symbol){.name = {slot->data, slot->length, true},
                         .has_min = true,
                         .step = 1,
                         .free = true,
                         .block = true};
    if (declared != ORACLE_NONE) {
        s->has_max = reader->document->symbols[declared].has_max;
        s->max = reader->document->symbols[declared].max;
    }
    if (max >= 0) {
        s->has_max = true;
        s->max = max;
    }
    *symbol = reader->document->symbol_count - 1;
    return true;
}

static bool lane_symbol(oracle_reader *reader, uint32_t *symbol)
{
    if (reader->lane == ORACLE_NONE &&
        !new_block_symbol(reader, "lane", reader->declared_lane,
                          reader->declared_lane == ORACLE_NONE ? 1 : -1,
                          &reader->lane)) {
        return false;
    }
    *symbol = reader->lane;
    return true;
}

static bool block_symbol(oracle_reader *reader, uint32_t *symbol)
{
    int64_t blocks = blocks_of(reader);
    oracle_id_slot *slot = oracle_id_table_slot(&reader->blocks, blocks);
    if (slot == NULL) {
        return oracle_reader_memory(reader);
    }
    if (slot->value == ORACLE_NONE &&
        !new_block_symbol(reader, "block", reader->declared_block, blocks - 1,
                          &slot->value)) {
        return false;
    }
    *symbol = slot->value;
    return true;
}

static bool read_symbol_name(oracle_reader *reader, uint32_t node,
                             uint32_t *symbol)
{
    oracle_text name;
    if (!oracle_reader_string(reader, node, &name)) {
        return false;
    }
    if (strcmp(name.data, "block") == 0 && name.length == 5) {
        return block_symbol(reader, symbol);
    }
    if (strcmp(name.data, "lane") == 0 && name.length == 4) {
        return lane_symbol(reader, symbol);
    }
    *symbol = oracle_table_find(&reader->symbols, name.data, name.length);
    if (*symbol == ORACLE_NONE) {
        char shown[64];
        oracle_json_printable(name.data, name.length, shown, sizeof shown);
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "names no symbol: %s", shown);
        return false;
    }
    return true;
}

static bool read_term(oracle_reader *reader, uint32_t node, oracle_term *term)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, node, &at, &end)) {
        return false;
    }
    uint32_t second = at < end ? oracle_json_next(reader->json, at) : end;
    if (at >= end || second >= end ||
        oracle_json_next(reader->json, second) != end) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "must be [coefficient, symbol]");
        return false;
    }
    return oracle_reader_int(reader, at, &term->coef) &&
           read_symbol_name(reader, second, &term->symbol);
}

static int by_symbol(const void *a, const void *b)
{
    uint32_t x = ((const oracle_term *)a)->symbol;
    uint32_t y = ((const oracle_term *)b)->symbol;
    return (x > y) - (x < y);
}

/* Joins the terms of one symbol behind `first`, drops what becomes 0. */
static bool join_terms(oracle_reader *reader, uint32_t node, uint32_t first)
{
    oracle_document *document = reader->document;
    oracle_term *terms = document->terms + first;
    uint32_t count = document->term_count - first;
    uint32_t kept = 0;
    qsort(terms, count, sizeof *terms, by_symbol);
    for (uint32_t i = 0; i < count;) {
        oracle_term sum = terms[i++];
        for (; i < count && terms[i].symbol == sum.symbol; i++) {
            if (__builtin_add_overflow(sum.coef, terms[i].coef, &sum.coef)) {
                oracle_fault_node(reader->error, ORACLE_RANGE, reader->json,
                                  node, "has a sum outside 64 bits");
                return false;
            }
        }
        if (sum.coef != 0) {
            terms[kept++] = sum;
        }
    }
    document->term_count = first + kept;
    return true;
}

static bool read_terms(oracle_reader *reader, uint32_t node,
                       oracle_affine *affine)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, node, &at, &end)) {
        return false;
    }
    affine->first = reader->document->term_count;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        oracle_term term;
        if (!read_term(reader, at, &term)) {
            return false;
        }
        if (reader->document->term_count - affine->first == MAX_TERMS) {
            oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                              "has more than %d terms", MAX_TERMS);
            return false;
        }
        oracle_term *kept = ORACLE_PUSH(reader, terms, term_count);
        if (kept == NULL) {
            return false;
        }
        *kept = term;
    }
    if (reader->document->term_count > affine->first &&
        !join_terms(reader, node, affine->first)) {
        return false;
    }
    affine->count = reader->document->term_count - affine->first;
    return true;
}

bool oracle_read_affine(oracle_reader *reader, uint32_t node,
                        const char *pattern, oracle_affine *affine)
{
    *affine = (oracle_affine){0};
    if (oracle_reader_type(reader, node) == ORACLE_JSON_NUMBER) {
        return oracle_reader_int(reader, node, &affine->c);
    }
    if (oracle_reader_type(reader, node) != ORACLE_JSON_OBJECT) {
        return oracle_reader_wrong(reader, node, "an integer");
    }
    const oracle_fields fields = {
        pattern, 2, {ORACLE_FIELD("c"), ORACLE_FIELD("t")}};
    uint32_t value[2];
    return oracle_reader_fields(reader, node, &fields, value) &&
           oracle_reader_opt_int(reader, value[0], &affine->c) &&
           read_terms(reader, value[1], affine);
}

static bool read_dim(oracle_reader *reader, uint32_t node, const char *pattern,
                     oracle_dim *dim)
{
    if (oracle_reader_type(reader, node) != ORACLE_JSON_ARRAY) {
        return oracle_reader_wrong(reader, node, "[count, stride, offset]");
    }
    uint32_t part[3];
    uint32_t count = 0;
    uint32_t end = oracle_json_next(reader->json, node);
    for (uint32_t at = node + 1; at < end;
         at = oracle_json_next(reader->json, at)) {
        if (count < 3) {
            part[count] = at;
        }
        count++;
    }
    if (count != 3) {
        oracle_fault_node(
            reader->error, ORACLE_SCHEMA, reader->json, node,
            "must be [count, stride, offset], got %" PRIu32 " items", count);
        return false;
    }
    if (!oracle_read_affine(reader, part[0], pattern, &dim->count) ||
        !oracle_reader_int(reader, part[1], &dim->stride) ||
        !oracle_read_affine(reader, part[2], pattern, &dim->offset)) {
        return false;
    }
    return dim->count.count > 0 ||
           oracle_reader_least(reader, part[0], dim->count.c, 0);
}

static bool read_dims(oracle_reader *reader, uint32_t node, const char *pattern,
                      oracle_region *region)
{
    uint32_t at;
    uint32_t end;
    if (!oracle_reader_list(reader, node, &at, &end)) {
        return false;
    }
    region->first = reader->document->dim_count;
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        oracle_dim dim;
        if (!read_dim(reader, at, pattern, &dim)) {
            return false;
        }
        oracle_dim *kept = ORACLE_PUSH(reader, dims, dim_count);
        if (kept == NULL) {
            return false;
        }
        *kept = dim;
    }
    region->count = reader->document->dim_count - region->first;
    return true;
}

bool oracle_read_region(oracle_reader *reader, uint32_t node,
                        const char *pattern, uint32_t *region,
                        oracle_text *dtype)
{
    enum { ELEM, BASE, DIMS, DTYPE };
    const oracle_fields fields = {pattern,
                                  dtype == NULL ? 3 : 4,
                                  {ORACLE_FIELD("elem"), ORACLE_FIELD("base"),
                                   ORACLE_FIELD("dims"),
                                   ORACLE_FIELD("dtype")}};
    uint32_t value[4];
    oracle_region r = {0};
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[ELEM], "elem") ||
        !oracle_reader_int(reader, value[ELEM], &r.elem) ||
        !oracle_reader_least(reader, value[ELEM], r.elem, 1)) {
        return false;
    }
    if (value[BASE] != ORACLE_NONE &&
        !oracle_read_affine(reader, value[BASE], pattern, &r.base)) {
        return false;
    }
    if (!read_dims(reader, value[DIMS], pattern, &r) ||
        (dtype != NULL &&
         !oracle_reader_opt_text(reader, value[DTYPE], dtype))) {
        return false;
    }
    oracle_region *kept = ORACLE_PUSH(reader, regions, region_count);
    if (kept == NULL) {
        return false;
    }
    *kept = r;
    *region = reader->document->region_count - 1;
    return true;
}

bool oracle_read_within(oracle_reader *reader, uint32_t node,
                        oracle_place inner, oracle_place outer,
                        const char *what)
{
    oracle_extent in = oracle_place_extent(reader->document, inner);
    if (in == ORACLE_EXTENT_OVERFLOW) {
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                          "reaches beyond 64-bit addresses");
        return false;
    }
    if (oracle_place_extent(reader->document, outer) !=
        ORACLE_EXTENT_CONSTANT) {
        return true;
    }
    oracle_span b = oracle_place_span(reader->document, outer);
    if (in != ORACLE_EXTENT_CONSTANT) {
        if (!oracle_place_outside(reader->document, inner, b)) {
            return true;
        }
        oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                          "lies outside %s for all values of its symbols",
                          what);
        return false;
    }
    oracle_span a = oracle_place_span(reader->document, inner);
    if (a.begin == a.end || (a.begin >= b.begin && a.end <= b.end)) {
        return true;
    }
    oracle_fault_node(reader->error, ORACLE_RANGE, reader->json, node,
                      "covers bytes %" PRId64 " to %" PRId64
                      ", outside %s, which has %" PRId64 " to %" PRId64,
                      a.begin, a.end, what, b.begin, b.end);
    return false;
}
