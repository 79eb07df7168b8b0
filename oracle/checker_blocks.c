/* A witness of task.block-race: two parts of a task that touch one byte. */
#include "checker.h"

#include <string.h>

enum { BY_BLOCK = 1, BY_LANE = 2, BY_OTHER = 4 };

/* What an argument does to the byte in one block and lane. */
typedef struct part {
    int64_t arg, at[2]; /* block, lane */
    bool has[2];
    bool reads[4], writes[4], adds[4]; /* by the indexes that are named */
} part;

/* The n-th of two items of a list; ORACLE_NONE: there are not two. */
static uint32_t item(const oracle_check *c, uint32_t list, int n)
{
    if (!oracle_check_is(c, list, ORACLE_JSON_ARRAY) ||
        list + 1 >= oracle_json_next(&c->json, list)) {
        return ORACLE_NONE;
    }
    uint32_t second = oracle_json_next(&c->json, list + 1);
    return second >= oracle_json_next(&c->json, list) ? ORACLE_NONE
           : n == 0                                   ? list + 1
                                                      : second;
}

/* Puts the part's index into a number; its terms of blocks stand last. */
static bool fix(oracle_check *c, oracle_affine *a, const part *p, int *named)
{
    for (; a->count > 0; a->first++, a->count--) {
        const oracle_term *term = &c->d.terms[a->first];
        const oracle_symbol *s = &c->d.symbols[term->symbol];
        int i = strcmp(s->name.data, "lane") == 0;
        int64_t product;
        if (!s->block || !p->has[i]) {
            *named = BY_OTHER; /* something that the witness does not have */
            return true;
        }
        if (p->at[i] < s->min || !s->has_max || p->at[i] > s->max ||
            (p->at[i] - s->min) % s->step != 0 ||
            __builtin_mul_overflow(term->coef, p->at[i], &product) ||
            __builtin_add_overflow(a->c, product, &a->c)) {
            return oracle_check_fail(c, "there is no such block or lane");
        }
        *named |= i == 0 ? BY_BLOCK : BY_LANE;
    }
    return true;
}

/* Whether the access, by this part, touches the byte. */
static bool touches(oracle_check *c, oracle_place place, const part *p,
                    int *named, bool *has)
{
    oracle_region *r = &c->d.regions[place.region], region = *r;
    oracle_dim *dims = &c->d.dims[region.first];
    oracle_dim *kept = oracle_arena_array(c->arena, region.count, sizeof *kept);
    if (kept == NULL) {
        return oracle_check_fail(c, ORACLE_UNCHECKED);
    }
    bool ok = fix(c, &r->base, p, named);
    for (uint32_t i = 0; i < region.count; i++) {
        kept[i] = dims[i];
        ok = ok && fix(c, &dims[i].count, p, named) &&
             fix(c, &dims[i].offset, p, named);
    }
    *has = ok && *named < BY_OTHER &&
           oracle_places_meet(&c->d, place, c->byte) == ORACLE_MEET_SURELY;
    *r = region;
    for (uint32_t i = 0; i < region.count; i++) {
        dims[i] = kept[i];
    }
    return ok;
}

/* The exact accesses of the argument that touch the byte. */
static bool run_part(oracle_check *c, uint32_t t, part *p)
{
    const oracle_arg *arg = &c->d.args[c->d.tasks[t].first_arg + p->arg];
    for (uint32_t i = 0; i < arg->accesses; i++) {
        const oracle_access *access = &c->d.accesses[arg->first_access + i];
        oracle_place place = oracle_access_place(arg, access);
        bool has = false;
        int named = 0;
        if (!access->exact || place.region == ORACLE_NONE) {
            continue;
        }
        if (!touches(c, place, p, &named, &has)) {
            return false;
        }
        bool *does = access->mode == ORACLE_READ         ? p->reads
                     : access->mode == ORACLE_ACCUMULATE ? p->adds
                                                         : p->writes;
        if (named < BY_OTHER) {
            does[named] |= has;
        }
    }
    return true;
}

/* Two accesses of different parts that name one index, and one writes. */
static bool is_race(const part *a, const part *b)
{
    bool race = false;
    for (int x = 0; x < 4; x++) {
        for (int y = 0; y < 4; y++) {
            bool differ = (x & y & BY_BLOCK && a->at[0] != b->at[0]) ||
                          (x & y & BY_LANE && a->at[1] != b->at[1]);
            race |= differ && ((a->writes[x] &&
                                (b->reads[y] || b->writes[y] || b->adds[y])) ||
                               (a->reads[x] && (b->writes[y] || b->adds[y])) ||
                               (a->adds[x] && (b->reads[y] || b->writes[y])));
        }
    }
    return race;
}

bool oracle_check_blocks(oracle_check *c, uint32_t node)
{
    static const char *const names[] = {"blocks", "lanes"};
    part p[2] = {{0}};
    uint32_t t;
    (void)node;
    if (strcmp(c->rule, "task.block-race") != 0 || !oracle_check_byte(c) ||
        !oracle_check_task(c, oracle_check_member(c, c->witness, "task"), &t)) {
        return oracle_check_fail(c, "the witness is no race of a task");
    }
    for (int n = 0; n < 2; n++) {
        uint32_t args = oracle_check_member(c, c->witness, "args");
        if (!oracle_check_number(c, item(c, args, n), &p[n].arg) ||
            p[n].arg < 0 || p[n].arg >= c->d.tasks[t].args) {
            return oracle_check_fail(c, "two arguments are not named");
        }
        for (int i = 0; i < 2; i++) {
            uint32_t list = oracle_check_member(c, c->witness, names[i]);
            p[n].has[i] = oracle_check_number(c, item(c, list, n), &p[n].at[i]);
        }
        if (!run_part(c, t, &p[n])) {
            return false;
        }
    }
    return is_race(&p[0], &p[1]) || oracle_check_fail(c, "the two are no race");
}
