#include "sonata/memory.h"

#include <stdlib.h>

#include "../json/arena.h"
#include "../json/text.h"
#include "order.h"
#include "storage_keys.h"

#define NONE UINT32_MAX

/* What is declared, by numbers of keys. */
typedef struct facts {
    sonata_storage_keys keys;
    uint32_t *canonical; /* per key: its canonical key, itself by default */
    uint32_t *source;    /* per key: what it is a view of, or NONE */
    uint32_t *group[3];  /* per relation, transitive: union-find parents */
    sonata_sort_item *inplace; /* (smaller, larger) as one number, sorted */
    size_t inplace_count;
} facts;

static void free_facts(facts *f)
{
    sonata_storage_keys_free(&f->keys);
    free(f->canonical);
    free(f->source);
    for (size_t i = 0; i < 3; i++)
        free(f->group[i]);
    free(f->inplace);
}

const char *sonata_relation_name(sonata_relation relation)
{
    static const char *const names[] = {"inplace", "alias", "view", "disjoint"};
    return names[relation];
}

static uint64_t pair_key(uint32_t a, uint32_t b)
{
    return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

static sonata_status number_pair(uint32_t pair[2], facts *f,
                                 const sonata_key_pair *fact,
                                 sonata_error *error)
{
    sonata_status status =
        sonata_storage_keys_add(&pair[0], NULL, &f->keys, &fact->key, error);
    if (status == SONATA_OK)
        status = sonata_storage_keys_add(&pair[1], NULL, &f->keys, &fact->other,
                                         error);
    return status;
}

/* Numbers all keys of the facts, so that the tables can be made. */
static sonata_status number_all(facts *f, const sonata_key_pair *pairs,
                                size_t count, sonata_error *error)
{
    sonata_status status = SONATA_OK;
    uint32_t pair[2];
    for (size_t i = 0; i < count && status == SONATA_OK; i++)
        status = number_pair(pair, f, &pairs[i], error);
    return status;
}

static sonata_status make_tables(facts *f, size_t inplace_count,
                                 sonata_error *error)
{
    size_t count = f->keys.count + 1;
    f->canonical = reallocarray(NULL, count, sizeof *f->canonical);
    f->source = reallocarray(NULL, count, sizeof *f->source);
    f->inplace = reallocarray(NULL, inplace_count + 1, sizeof *f->inplace);
    bool ok = f->canonical != NULL && f->source != NULL && f->inplace != NULL;
    for (size_t i = 0; i < 3; i++) {
        f->group[i] = reallocarray(NULL, count, sizeof **f->group);
        ok = ok && f->group[i] != NULL;
    }
    if (!ok)
        return sonata_fail_memory(error);
    for (uint32_t i = 0; i < f->keys.count; i++) {
        f->canonical[i] = i;
        f->source[i] = NONE;
        for (size_t k = 0; k < 3; k++)
            f->group[k][i] = i;
    }
    return SONATA_OK;
}

static uint32_t find(uint32_t *parents, uint32_t at)
{
    while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
    }
    return at;
}

/* The smaller number leads; path halving keeps this near-linear. */
static void join(uint32_t *parents, uint32_t a, uint32_t b)
{
    a = find(parents, a);
    b = find(parents, b);
    if (a < b)
        parents[b] = a;
    else
        parents[a] = b;
}

/* A fact of a relation holds for that one and those tested after it. */
static void join_from(facts *f, sonata_relation relation, uint32_t a,
                      uint32_t b)
{
    for (size_t k = relation; k < 3; k++)
        join(f->group[k], a, b);
}

static sonata_status enter_facts(facts *f, const sonata_alias_facts *told,
                                 sonata_error *error)
{
    uint32_t pair[2] = {0, 0};
    sonata_status status = SONATA_OK;
    for (size_t i = 0; i < told->inplace_count && status == SONATA_OK; i++) {
        status = number_pair(pair, f, &told->inplace[i], error);
        f->inplace[f->inplace_count++] =
            (sonata_sort_item){pair_key(pair[0], pair[1]), 0};
        join_from(f, SONATA_INPLACE, pair[0], pair[1]);
    }
    for (size_t i = 0; i < told->canonical_count && status == SONATA_OK; i++) {
        status = number_pair(pair, f, &told->canonical[i], error);
        f->canonical[pair[0]] = pair[1];
    }
    for (size_t i = 0; i < told->view_count && status == SONATA_OK; i++) {
        status = number_pair(pair, f, &told->views[i], error);
        f->source[pair[0]] = pair[1];
    }
    for (uint32_t i = 0; i < f->keys.count && status == SONATA_OK; i++) {
        join_from(f, SONATA_ALIAS, i, f->canonical[i]);
        if (f->source[i] != NONE)
            join_from(f, SONATA_VIEW, i, f->source[i]);
    }
    return status;
}

static sonata_status sort_inplace(facts *f, sonata_error *error)
{
    sonata_sort_item *other =
        reallocarray(NULL, f->inplace_count + 1, sizeof *other);
    if (other == NULL)
        return sonata_fail_memory(error);
    sonata_radix_sort(f->inplace, other, f->inplace_count);
    free(other);
    return SONATA_OK;
}

static int compare_pairs(const void *a, const void *b)
{
    uint64_t left = ((const sonata_sort_item *)a)->key;
    uint64_t right = ((const sonata_sort_item *)b)->key;
    return (left > right) - (left < right);
}

static sonata_relation one_step(const facts *f, uint32_t a, uint32_t b)
{
    sonata_sort_item wanted = {pair_key(a, b), 0};
    if (bsearch(&wanted, f->inplace, f->inplace_count, sizeof wanted,
                compare_pairs) != NULL)
        return SONATA_INPLACE;
    if (f->canonical[a] == f->canonical[b])
        return SONATA_ALIAS;
    if (f->source[a] == b || f->source[b] == a ||
        (f->source[a] != NONE && f->source[a] == f->source[b]))
        return SONATA_VIEW;
    return SONATA_DISJOINT;
}

static sonata_relation to_the_end(facts *f, uint32_t a, uint32_t b)
{
    for (uint32_t k = 0; k < 3; k++)
        if (find(f->group[k], a) == find(f->group[k], b))
            return (sonata_relation)k;
    return SONATA_DISJOINT;
}

/* The keys asked about: the first `count` numbers, sorted into the result. */
static sonata_status list_keys(sonata_aliases *aliases, uint32_t **order,
                               const facts *f, size_t count,
                               sonata_error *error)
{
    size_t pairs = count * (count - 1) / 2; /* 0 of none */
    if (pairs > SONATA_PAIR_LIMIT)
        return sonata_fail(error, SONATA_RANGE, "memory.pairs",
                           "more than %zu pairs of keys", SONATA_PAIR_LIMIT);
    aliases->memory = calloc(1, sizeof *aliases->memory);
    *order = reallocarray(NULL, count + 1, sizeof **order);
    if (aliases->memory == NULL || *order == NULL)
        return sonata_fail_memory(error);
    aliases->keys =
        sonata_arena_array(aliases->memory, count, sizeof *aliases->keys);
    aliases->items =
        sonata_arena_array(aliases->memory, pairs, sizeof *aliases->items);
    if (aliases->keys == NULL || aliases->items == NULL)
        return sonata_fail_memory(error);
    sonata_status status =
        sonata_sort_keys(*order, f->keys.values, count, error);
    for (size_t i = 0; i < count && status == SONATA_OK; i++)
        aliases->keys[aliases->key_count++] = f->keys.values[(*order)[i]];
    return status;
}

static sonata_status relate(sonata_aliases *aliases, facts *f, size_t count,
                            bool transitive, sonata_error *error)
{
    uint32_t *order = NULL;
    sonata_status status = list_keys(aliases, &order, f, count, error);
    for (uint32_t i = 0; i < count && status == SONATA_OK; i++)
        for (uint32_t k = i + 1; k < count; k++)
            aliases->items[aliases->count++] =
                (sonata_alias){i, k,
                               transitive ? to_the_end(f, order[i], order[k])
                                          : one_step(f, order[i], order[k])};
    free(order);
    return status;
}

sonata_status sonata_analyse_aliases(sonata_aliases *aliases,
                                     const sonata_value *keys, size_t count,
                                     const sonata_alias_facts *told,
                                     bool transitive, sonata_error *error)
{
    *aliases = (sonata_aliases){0};
    facts f = {0};
    sonata_status status = SONATA_OK;
    uint32_t number = 0;
    for (size_t i = 0; i < count && status == SONATA_OK; i++)
        if (keys[i].kind != SONATA_NULL)
            status = sonata_storage_keys_add(&number, NULL, &f.keys, &keys[i],
                                             error);
    size_t asked = f.keys.count;
    if (status == SONATA_OK)
        status = number_all(&f, told->inplace, told->inplace_count, error);
    if (status == SONATA_OK)
        status = number_all(&f, told->canonical, told->canonical_count, error);
    if (status == SONATA_OK)
        status = number_all(&f, told->views, told->view_count, error);
    if (status == SONATA_OK)
        status = make_tables(&f, told->inplace_count, error);
    if (status == SONATA_OK)
        status = enter_facts(&f, told, error);
    if (status == SONATA_OK)
        status = sort_inplace(&f, error);
    if (status == SONATA_OK)
        status = relate(aliases, &f, asked, transitive, error);
    free_facts(&f);
    if (status != SONATA_OK)
        sonata_aliases_free(aliases);
    return status;
}

void sonata_aliases_free(sonata_aliases *aliases)
{
    if (aliases->memory != NULL) {
        sonata_arena_free(aliases->memory);
        free(aliases->memory);
    }
    *aliases = (sonata_aliases){0};
}
