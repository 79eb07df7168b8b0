#include "maker.h"

#include <string.h>

static oracle_text text(const char *data)
{
    return (oracle_text){data, (uint32_t)strlen(data), true};
}

static void point_to_own(maker *m)
{
    oracle_document *d = &m->document;
    d->tasks = m->tasks;
    d->buffers = m->buffers;
    d->args = m->args;
    d->accesses = m->accesses;
    d->regions = m->regions;
    d->dims = m->dims;
    d->edges = m->edges;
    d->deps = m->deps;
    d->scopes = m->scopes;
    d->choices = m->choices;
    d->whens = m->whens;
    d->symbols = m->symbols;
    d->terms = m->terms;
    d->allocations = m->allocations;
}

void maker_start(maker *m)
{
    m->document = (oracle_document){.kind = ORACLE_KIND_TASK_GRAPH};
    m->document.name = text("made");
    point_to_own(m);
}

void maker_copy(maker *to, const maker *from)
{
    *to = *from;
    point_to_own(to);
}

uint32_t maker_buffer(maker *m, const char *key, int64_t bytes, bool external)
{
    uint32_t b = m->document.buffer_count++;
    m->buffers[b] = (oracle_buffer){
        .key = text(key),
        .symbol = {"", 0, false},
        .has_bytes = bytes >= 0,
        .bytes = bytes,
        .external = external,
        .creator = -1,
        .alias_of = ORACLE_NONE,
        .storage = b,
    };
    return b;
}

uint32_t maker_task(maker *m)
{
    uint32_t t = m->document.task_count++;
    m->tasks[t] = (oracle_task){
        .id = 10 + (int64_t)t,
        .name = text("t"),
        .core = text("aiv"),
        .blocks = 1,
        .scope = ORACLE_NONE,
        .first_arg = m->document.arg_count,
        .first_dep = m->document.dep_count,
        .first_when = m->document.when_count,
        .predicate_buffer = ORACLE_NONE,
        .predicate_region = ORACLE_NONE,
    };
    return t;
}

uint32_t maker_region(maker *m, int64_t begin, int64_t count, int64_t stride)
{
    uint32_t r = m->document.region_count++;
    uint32_t d = m->document.dim_count++;
    m->dims[d] = (oracle_dim){.count = {count, 0, 0}, .stride = stride};
    m->regions[r] = (oracle_region){1, {begin, 0, 0}, d, 1};
    return r;
}

uint32_t maker_symbol(maker *m, const char *name, int64_t min, int64_t max)
{
    uint32_t s = m->document.symbol_count++;
    m->symbols[s] = (oracle_symbol){
        .name = text(name),
        .has_min = true,
        .has_max = true,
        .min = min,
        .max = max,
        .step = 1,
        .free = true,
    };
    return s;
}

void maker_term(maker *m, oracle_affine *number, int64_t coef, uint32_t symbol)
{
    number->first = m->document.term_count++;
    number->count = 1;
    m->terms[number->first] = (oracle_term){coef, symbol};
}

oracle_access *maker_access(maker *m, uint32_t buffer, oracle_mode mode,
                            int64_t begin, int64_t end)
{
    uint32_t a = m->document.arg_count++;
    uint32_t i = m->document.access_count++;
    static const oracle_dispatch dispatch[] = {
        ORACLE_INPUT, ORACLE_OUTPUT_EXISTING, ORACLE_INOUT, ORACLE_INOUT};
    m->args[a] = (oracle_arg){
        .kind = ORACLE_ARG_BUFFER,
        .scalar = {"", 0, false},
        .buffer = buffer,
        .dispatch = dispatch[mode],
        .view = ORACLE_NONE,
        .dtype = {"", 0, false},
        .has_access = true,
        .first_access = i,
        .accesses = 1,
    };
    m->accesses[i] = (oracle_access){mode, true, true, ORACLE_NONE};
    if (begin != WHOLE) {
        m->accesses[i].region = maker_region(m, begin, end - begin, 1);
    }
    m->tasks[m->document.task_count - 1].args++;
    return &m->accesses[i];
}

void maker_predicate(maker *m, uint32_t task, uint32_t buffer, int64_t byte)
{
    static const oracle_test test = {{"", 0, false}, 0};
    m->tasks[task].has_predicate = true;
    m->tasks[task].predicate_test = &test;
    m->tasks[task].predicate_formed = true;
    m->tasks[task].predicate_buffer = buffer;
    m->tasks[task].predicate_region = maker_region(m, byte, 1, 1);
}

oracle_edge *maker_edge(maker *m, uint32_t from, uint32_t to)
{
    oracle_edge *edge = &m->edges[m->document.edge_count++];
    *edge = (oracle_edge){
        .from = from,
        .to = to,
        .source = ORACLE_POLICY,
        .kind = {"", 0, false},
        .certain = true,
        .from_arg = ORACLE_NONE,
        .to_arg = ORACLE_NONE,
    };
    return edge;
}

void maker_place(maker *m, uint32_t buffer, int64_t offset)
{
    oracle_document *d = &m->document;
    const oracle_buffer *b = &m->buffers[buffer];
    m->allocations[d->allocation_count++] =
        (oracle_allocation){b->key, buffer, offset, b->bytes};
    d->has_plan = true;
    d->peak = d->peak > offset + b->bytes ? d->peak : offset + b->bytes;
}

uint64_t maker_random(uint64_t seed, uint64_t index)
{
    uint64_t x = seed * UINT64_C(0x9e3779b97f4a7c15) + index;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9) + seed;
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}
