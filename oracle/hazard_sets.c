/*
 * The pairs of a storage, 512 writes at a time. What is a pair is said in
 * docs/oracle.md (Which pairs are said); on the bytes where nothing else
 * stands between:
 *
 *   raw   the last write before a read that must happen, and those since,
 *         unless a later one of them comes after it in order
 *   waw   of a write that somebody reads: the last write before it that
 *         somebody reads, and those since then, unless a later one of them
 *         comes after it in order
 *   war   of such a write, and of one whose task reads the bytes, too: the
 *         reads since the last write; of any other: the reads after the last
 *         write that comes before it in order
 *
 * The first two are found on the way through the tasks, with the writes as
 * producers; the last on the way back, with the writes as consumers. The order
 * of a block is swept along.
 */
#include "hazard_sets.h"

#include <stdlib.h>
#include <string.h>

#define WORK (UINT64_C(1) << 32)  /* tasks and edges swept, over all blocks */
#define STEPS (UINT64_C(1) << 31) /* in the trees */

typedef enum pass_kind { PASS_COUNT, PASS_TALLY, PASS_COLLECT } pass_kind;

enum { GROUP_ERROR, GROUP_NOTE, GROUPS };

#define KINDS (ORACLE_HAZARD_DEAD_WRITE + 1)

/* The pairs between two classes, of one kind. */
typedef struct site_count {
    uint64_t count;
    uint32_t producer, consumer; /* of the first; sides[] */
} site_count;

typedef struct pass {
    oracle_sets *s;
    pass_kind kind;
    uint32_t begin, end; /* writes of the block */
    /* By task: some pair has it as its consumer; how many; are they kept. */
    bool *hit[GROUPS], *wanted[GROUPS], *looked;
    uint64_t *tally[GROUPS];
    uint32_t last;    /* task that is looked at */
    oracle_bits hits; /* consumers of the block */
    /* By class: the writes of the block; by class of producer, of consumer and
       kind what is counted. NULL: there are no classes. */
    oracle_bits *members;
    site_count *sites;
    oracle_range spans[ORACLE_BLOCK];
    oracle_set_pair *pairs;
    uint32_t pair_count, pair_room;
} pass;

static uint64_t count_bits(const oracle_bits *bits)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
        n += (uint64_t)__builtin_popcountll(bits->w[i]);
    }
    return n;
}

/* The next number of a set from `at` on, ORACLE_BLOCK at its end. */
static uint32_t next_bit(const oracle_bits *bits, uint32_t at)
{
    for (uint32_t i = at / 64; i < ORACLE_BLOCK_WORDS; i++) {
        uint64_t word = bits->w[i];
        if (i == at / 64) {
            word &= UINT64_MAX << (at % 64);
        }
        if (word != 0) {
            return i * 64 + (uint32_t)__builtin_ctzll(word);
        }
    }
    return ORACLE_BLOCK;
}

static uint32_t write_side(const pass *p, uint32_t bit)
{
    return p->s->writes[p->begin + bit];
}

/* Tasks from the first to the last that takes part. */
static uint32_t task_count(const oracle_sets *s)
{
    return s->sides[s->count - 1].task - s->first_task + 1;
}

static uint32_t task_at(const oracle_sets *s, uint32_t side)
{
    return s->sides[side].task - s->first_task;
}

static int group_of(oracle_hazard_kind kind)
{
    return kind == ORACLE_HAZARD_DEAD_WRITE ? GROUP_NOTE : GROUP_ERROR;
}

static bool is_operand(const oracle_sets *s, uint32_t side)
{
    return s->execution->items.items[s->sides[side].item].arg == ORACLE_NONE;
}

static bool is_kept(const pass *p, uint32_t producer, uint32_t consumer,
                    oracle_hazard_kind kind);

static void keep_pair(pass *p, uint32_t producer, uint32_t consumer,
                      oracle_hazard_kind kind, oracle_range span)
{
    if (!is_kept(p, producer, consumer, kind)) {
        return;
    }
    if (p->pair_count == p->pair_room) {
        uint32_t room = p->pair_room == 0 ? 256 : p->pair_room * 2;
        oracle_set_pair *grown =
            room < p->pair_room
                ? NULL
                : realloc(p->pairs, (size_t)room * sizeof *p->pairs);
        if (grown == NULL) {
            p->s->failed = true;
            return;
        }
        p->pairs = grown;
        p->pair_room = room;
    }
    p->pairs[p->pair_count++] =
        (oracle_set_pair){producer, consumer, kind, span};
}

/* Where the numbers of a set are found, in one or two trees. */
static void find_spans(pass *p, oracle_bit_tree *tree, oracle_bit_tree *other,
                       oracle_parts where, const oracle_bits *found)
{
    memset(p->spans, 0, sizeof p->spans);
    for (uint32_t i = 0; i < where.count; i++) {
        oracle_range r = p->s->ranges[where.first + i];
        oracle_bit_tree_spans(tree, r, found, p->spans);
        if (other != NULL) {
            oracle_bit_tree_spans(other, r, found, p->spans);
        }
    }
}

static void ask(pass *p, oracle_bit_tree *tree, oracle_parts where,
                oracle_bits *out)
{
    for (uint32_t i = 0; i < where.count; i++) {
        oracle_bit_tree_ask(tree, p->s->ranges[where.first + i], out);
    }
}

static void update(pass *p, oracle_bit_tree *tree, oracle_parts where,
                   const oracle_bit_update *with)
{
    for (uint32_t i = 0; i < where.count; i++) {
        oracle_bit_tree_update(tree, p->s->ranges[where.first + i], with);
    }
}

static bool has_sites(const oracle_sets *s)
{
    return s->class_count > 1 && s->class_count <= ORACLE_SET_CLASSES;
}

static site_count *site_of(const pass *p, uint32_t producer, uint32_t consumer,
                           oracle_hazard_kind kind)
{
    const oracle_sets *s = p->s;
    uint32_t from = s->sides[producer].site, to = s->sides[consumer].site;
    return from == 0 || to == 0 || !has_sites(s)
               ? NULL
               : &p->sites[(from * s->class_count + to) * KINDS +
                           (uint32_t)kind];
}

static void count_site(pass *p, uint32_t producer, uint32_t consumer,
                       oracle_hazard_kind kind, uint64_t count)
{
    site_count *site = site_of(p, producer, consumer, kind);
    if (site->count == 0 || consumer < site->consumer ||
        (consumer == site->consumer && producer < site->producer)) {
        site->producer = producer;
        site->consumer = consumer;
    }
    site->count += count;
}

/*
 * Takes out of the set what is counted by classes: of `side`, found for writes
 * of the block, which are its producers or its consumers.
 */
static void count_sites(pass *p, oracle_hazard_kind kind, uint32_t side,
                        bool producers, oracle_bits *found)
{
    const oracle_sets *s = p->s;
    if (!has_sites(s) || s->sides[side].site == 0) {
        return;
    }
    for (uint32_t c = 1; c < s->class_count; c++) {
        oracle_bits mine = p->members[c];
        for (uint32_t i = 0; i < ORACLE_BLOCK_WORDS; i++) {
            mine.w[i] &= found->w[i];
        }
        if (!oracle_bits_none(&mine)) {
            uint32_t other = write_side(p, next_bit(&mine, 0));
            count_site(p, producers ? other : side, producers ? side : other,
                       kind, count_bits(&mine));
            oracle_bits_take(found, &mine);
        }
    }
}

/* Whether a pair is one of those that are kept. */
static bool is_kept(const pass *p, uint32_t producer, uint32_t consumer,
                    oracle_hazard_kind kind)
{
    const site_count *site = site_of(p, producer, consumer, kind);
    return site == NULL
               ? p->wanted[group_of(kind)][task_at(p->s, consumer)]
               : site->producer == producer && site->consumer == consumer;
}

/* Producers of the block, found for one consumer. */
static void found_producers(pass *p, oracle_hazard_kind kind, uint32_t consumer,
                            oracle_bits *found, oracle_bit_tree *tree,
                            oracle_parts where)
{
    int group = group_of(kind);
    uint32_t task = task_at(p->s, consumer);
    if (oracle_bits_none(found)) {
        return;
    }
    if (p->kind == PASS_COUNT) {
        count_sites(p, kind, consumer, true, found);
        if (oracle_bits_none(found)) {
            return;
        }
        bool stale = kind == ORACLE_HAZARD_RAW && is_operand(p->s, consumer);
        p->s->hazards->more[stale ? ORACLE_MORE_STALE : (int)kind] +=
            count_bits(found);
        p->hit[group][task] = true;
    } else if (p->kind == PASS_TALLY) {
        p->tally[group][task] += count_bits(found);
    } else {
        find_spans(p, tree, NULL, where, found);
        for (uint32_t b = next_bit(found, 0); b < ORACLE_BLOCK;
             b = next_bit(found, b + 1)) {
            keep_pair(p, write_side(p, b), consumer, kind, p->spans[b]);
        }
    }
}

/* Consumers of the block, found for one read. */
static void found_consumers(pass *p, uint32_t producer, oracle_bits *found)
{
    oracle_sets *s = p->s;
    if (oracle_bits_none(found)) {
        return;
    }
    if (p->kind == PASS_COUNT) {
        count_sites(p, ORACLE_HAZARD_WAR, producer, false, found);
        s->hazards->more[ORACLE_HAZARD_WAR] += count_bits(found);
        oracle_bits_add(&p->hits, found);
        return;
    }
    if (p->kind == PASS_COLLECT) {
        find_spans(p, &s->seen, &s->open, s->sides[producer].all, found);
    }
    for (uint32_t b = next_bit(found, 0); b < ORACLE_BLOCK;
         b = next_bit(found, b + 1)) {
        uint32_t consumer = write_side(p, b);
        if (p->kind == PASS_TALLY) {
            p->tally[GROUP_ERROR][task_at(s, consumer)]++;
        } else {
            keep_pair(p, producer, consumer, ORACLE_HAZARD_WAR, p->spans[b]);
        }
    }
}

/* --- The way through: raw, waw, writes that nobody reads --- */

static bool is_asked(const pass *p, uint32_t task)
{
    return p->kind == PASS_COUNT || p->looked[task - p->s->first_task];
}

static void pass_read(pass *p, uint32_t side)
{
    oracle_sets *s = p->s;
    const oracle_side *r = &s->sides[side];
    oracle_bits found = {0};
    if (is_asked(p, r->task)) {
        ask(p, &s->seen, r->all, &found);
        oracle_bits_take(&found, &s->rows[r->task - s->first_task]);
        found_producers(p, ORACLE_HAZARD_RAW, side, &found, &s->seen, r->all);
    }
}

static void ask_write(pass *p, uint32_t side)
{
    oracle_sets *s = p->s;
    const oracle_side *w = &s->sides[side];
    oracle_bits found = {0}, dead = {0};
    ask(p, &s->open, w->apart, &found);
    oracle_bits_take(&found, &s->rows[w->task - s->first_task]);
    found_producers(p, ORACLE_HAZARD_WAW, side, &found, &s->open, w->apart);
    ask(p, &s->dead, w->dead, &dead);
    oracle_bits_take(&dead, &s->rows[w->task - s->first_task]);
    oracle_bits_take(&dead, &found);
    found_producers(p, ORACLE_HAZARD_DEAD_WRITE, side, &dead, &s->dead,
                    w->dead);
}

static void pass_write(pass *p, uint32_t side)
{
    oracle_sets *s = p->s;
    const oracle_side *w = &s->sides[side];
    oracle_bit_update wipe = {.time = side + 1}, own = wipe;
    if (is_asked(p, w->task)) {
        ask_write(p, side);
    }
    memset(&own.keep, 0xff, sizeof own.keep);
    oracle_bit_update later = own;
    oracle_bits_take(&later.keep, &s->rows[w->task - s->first_task]);
    oracle_bit_update gone = w->must ? wipe : later;
    update(p, &s->open, w->all, &later);
    update(p, &s->open, w->read, &wipe);
    update(p, &s->dead, w->all, &wipe);
    if (w->write >= p->begin && w->write < p->end) {
        oracle_bits_set(&own.add, w->write - p->begin);
        gone.add = own.add;
        update(p, &s->open, w->all, &own);
        update(p, &s->dead, w->dead, &own);
    }
    update(p, &s->seen, w->all, &gone);
}

/* Which writes of the block come before the task, its own included. */
static void set_row(pass *p, uint32_t task, uint32_t low, uint32_t first,
                    uint32_t end)
{
    const oracle_order *order = &p->s->execution->certain;
    oracle_bits *row = &p->s->rows[task - p->s->first_task];
    *row = (oracle_bits){0};
    for (uint32_t e = order->first[task]; e < order->first[task + 1]; e++) {
        if (order->before[e] >= low) {
            oracle_bits_add(row,
                            &p->s->rows[order->before[e] - p->s->first_task]);
        }
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t write = p->s->sides[i].write;
        if (write >= p->begin && write < p->end) {
            oracle_bits_set(row, write - p->begin);
        }
    }
}

static void start_tree(oracle_bit_tree *tree, const oracle_sets *s,
                       const uint32_t *asked)
{
    tree->size = s->size;
    tree->asked = asked;
    oracle_bit_tree_clear(tree);
}

static bool all_gone(const oracle_sets *s)
{
    return oracle_bits_none(&s->seen.nodes[0].any) &&
           oracle_bits_none(&s->open.nodes[0].any) &&
           oracle_bits_none(&s->dead.nodes[0].any);
}

static bool trees_failed(oracle_sets *s)
{
    s->failed = s->failed || s->seen.failed || s->open.failed || s->dead.failed;
    s->too_much =
        s->too_much || s->seen.steps + s->open.steps + s->dead.steps > STEPS;
    return s->failed || s->too_much;
}

static void block_through(pass *p)
{
    oracle_sets *s = p->s;
    uint32_t side = write_side(p, 0), low = s->sides[side].task;
    start_tree(&s->seen, s, s->last_read);
    start_tree(&s->open, s, s->last_write);
    start_tree(&s->dead, s, s->last_write);
    while (side > 0 && s->sides[side - 1].task == low) {
        side--;
    }
    for (uint32_t t = low; t <= p->last && !trees_failed(s); t++) {
        uint32_t end = side;
        while (end < s->count && s->sides[end].task == t) {
            end++;
        }
        set_row(p, t, low, side, end);
        for (; side < end; side++) {
            if (s->sides[side].writes) {
                pass_write(p, side);
            } else {
                pass_read(p, side);
            }
        }
        if (t > s->sides[s->writes[p->end - 1]].task && all_gone(s)) {
            break;
        }
    }
}

/* --- The way back: war --- */

static void back_write(pass *p, uint32_t side)
{
    oracle_sets *s = p->s;
    const oracle_side *w = &s->sides[side];
    oracle_bit_update wipe = {.time = s->count - side}, own = wipe;
    memset(&own.keep, 0xff, sizeof own.keep);
    oracle_bit_update earlier = own;
    oracle_bits_take(&earlier.keep, &s->rows[w->task - s->first_task]);
    update(p, &s->open, w->all, &earlier);
    update(p, &s->seen, w->all, &wipe);
    if (w->write >= p->begin && w->write < p->end && is_asked(p, w->task)) {
        oracle_bits_set(&own.add, w->write - p->begin);
        update(p, &s->open, w->loose, &own);
        update(p, &s->seen, w->settled, &own);
    }
}

static void back_read(pass *p, uint32_t side)
{
    oracle_sets *s = p->s;
    const oracle_side *r = &s->sides[side];
    oracle_bits found = {0};
    ask(p, &s->open, r->all, &found);
    ask(p, &s->seen, r->all, &found);
    oracle_bits_take(&found, &s->rows[r->task - s->first_task]);
    found_consumers(p, side, &found);
}

/* Gives the task's row to those before it. */
static void give_row(pass *p, uint32_t task, uint32_t low)
{
    const oracle_order *order = &p->s->execution->certain;
    for (uint32_t e = order->first[task]; e < order->first[task + 1]; e++) {
        if (order->before[e] >= low) {
            oracle_bits_add(&p->s->rows[order->before[e] - p->s->first_task],
                            &p->s->rows[task - p->s->first_task]);
        }
    }
}

static bool block_wanted(const pass *p)
{
    bool wanted = p->kind == PASS_COUNT;
    for (uint32_t i = p->begin; !wanted && i < p->end; i++) {
        wanted = p->looked[task_at(p->s, p->s->writes[i])];
    }
    return wanted;
}

static void block_back(pass *p)
{
    oracle_sets *s = p->s;
    uint32_t side = s->writes[p->end - 1] + 1, low = s->sides[0].task;
    uint32_t high = s->sides[side - 1].task;
    start_tree(&s->seen, s, s->first_read);
    start_tree(&s->open, s, s->first_read);
    start_tree(&s->dead, s, s->first_read);
    memset(&p->hits, 0, sizeof p->hits);
    memset(s->rows, 0, ((size_t)high - low + 1) * sizeof *s->rows);
    for (uint32_t i = p->begin; i < p->end; i++) {
        oracle_bits_set(&s->rows[task_at(s, s->writes[i])], i - p->begin);
    }
    for (uint32_t t = high + 1; t-- > low && !trees_failed(s);) {
        for (; side > 0 && s->sides[side - 1].task == t; side--) {
            if (s->sides[side - 1].writes) {
                back_write(p, side - 1);
            } else {
                back_read(p, side - 1);
            }
        }
        if (side <= s->writes[p->begin] && all_gone(s)) {
            break;
        }
        give_row(p, t, low);
    }
    for (uint32_t b = next_bit(&p->hits, 0); b < ORACLE_BLOCK;
         b = next_bit(&p->hits, b + 1)) {
        p->hit[GROUP_ERROR][task_at(s, write_side(p, b))] = true;
    }
}

static void set_members(pass *p)
{
    const oracle_sets *s = p->s;
    if (!has_sites(s)) {
        return;
    }
    memset(p->members, 0, s->class_count * sizeof *p->members);
    for (uint32_t i = p->begin; i < p->end; i++) {
        oracle_bits_set(&p->members[s->sides[s->writes[i]].site], i - p->begin);
    }
}

static bool run_pass(pass *p, pass_kind kind)
{
    oracle_sets *s = p->s;
    p->kind = kind;
    p->last = 0;
    for (uint32_t t = 0; t < task_count(s); t++) {
        if (kind == PASS_COUNT || p->looked[t]) {
            p->last = s->first_task + t;
        }
    }
    for (p->begin = 0; p->begin < s->write_count; p->begin = p->end) {
        p->end = s->write_count - p->begin > ORACLE_BLOCK
                     ? p->begin + ORACLE_BLOCK
                     : s->write_count;
        set_members(p);
        block_through(p);
        if (!trees_failed(s) && block_wanted(p)) {
            block_back(p);
        }
        if (trees_failed(s)) {
            return !s->failed;
        }
    }
    return true;
}

/* --- What is kept --- */

/* Consumers in program order, until there are as many pairs as are listed. */
static void want_first(pass *p, int group, const uint64_t *tally)
{
    uint64_t pairs = 0;
    for (uint32_t t = 0; t < task_count(p->s); t++) {
        bool wanted = p->hit[group][t] && pairs < p->s->hazards->limit;
        p->wanted[group][t] = wanted;
        p->looked[t] = p->looked[t] || wanted;
        pairs += !wanted ? 0 : tally == NULL ? 1 : tally[t];
    }
}

/* Consumers of the first pairs of classes are looked at, too. */
static void want_sites(pass *p)
{
    const oracle_sets *s = p->s;
    uint32_t n = s->class_count * s->class_count * KINDS;
    for (uint32_t i = 0; has_sites(s) && i < n; i++) {
        if (p->sites[i].count > 0) {
            p->looked[task_at(s, p->sites[i].consumer)] = true;
        }
    }
}

static const oracle_item *item_of(const oracle_sets *s, uint32_t side)
{
    return &s->execution->items.items[s->sides[side].item];
}

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* As findings are sorted; the operand of a predicate, which has none, last. */
static int compare_pair(const void *a, const void *b, void *context)
{
    const oracle_set_pair *x = a, *y = b;
    const oracle_sets *s = context;
    const oracle_item *from[2] = {item_of(s, x->producer),
                                  item_of(s, y->producer)};
    const oracle_item *to[2] = {item_of(s, x->consumer),
                                item_of(s, y->consumer)};
    int order =
        compare((uint64_t)group_of(x->kind), (uint64_t)group_of(y->kind));
    order = order != 0 ? order : compare(to[0]->task, to[1]->task);
    order = order != 0 ? order : compare(from[0]->task, from[1]->task);
    order = order != 0 ? order : compare(to[0]->arg, to[1]->arg);
    order = order != 0 ? order : compare(from[0]->arg, from[1]->arg);
    /* hazard.raw, hazard.war, hazard.waw: by their names. */
    static const uint64_t by_name[] = {
        [ORACLE_HAZARD_RAW] = 0,
        [ORACLE_HAZARD_WAR] = 1,
        [ORACLE_HAZARD_WAW] = 2,
        [ORACLE_HAZARD_DEAD_WRITE] = 3,
    };
    return order != 0 ? order : compare(by_name[x->kind], by_name[y->kind]);
}

static bool keep_pairs(pass *p)
{
    oracle_sets *s = p->s;
    oracle_hazards *hazards = s->hazards;
    uint64_t kept[GROUPS] = {0};
    oracle_written w;
    if (p->pair_count == 0) {
        return true;
    }
    if (!oracle_sets_copy_writes(s, &w)) {
        return false;
    }
    qsort_r(p->pairs, p->pair_count, sizeof *p->pairs, compare_pair, s);
    for (uint32_t i = 0; i < p->pair_count; i++) {
        const oracle_set_pair *pair = &p->pairs[i];
        const site_count *site =
            site_of(p, pair->producer, pair->consumer, pair->kind);
        if (site == NULL && kept[group_of(pair->kind)]++ >= hazards->limit) {
            continue;
        }
        oracle_hazard h = oracle_sets_hazard(s, pair, &w);
        bool stale =
            pair->kind == ORACLE_HAZARD_RAW && is_operand(s, pair->consumer);
        if (site == NULL) {
            hazards->more[stale ? ORACLE_MORE_STALE : (int)pair->kind]--;
        } else {
            h.times = site->count;
        }
        if ((h.skip_count > 0 && h.skipped == NULL) ||
            !oracle_hazard_keep(hazards, s->execution->document, &h)) {
            return false;
        }
    }
    return true;
}

static bool start_pass(pass *p, oracle_sets *s)
{
    size_t tasks = task_count(s), n = s->class_count;
    *p = (pass){.s = s};
    for (int g = 0; g < GROUPS; g++) {
        p->hit[g] = calloc(tasks, sizeof *p->hit[g]);
        p->wanted[g] = calloc(tasks, sizeof *p->wanted[g]);
        p->tally[g] = calloc(tasks, sizeof *p->tally[g]);
        if (p->hit[g] == NULL || p->wanted[g] == NULL || p->tally[g] == NULL) {
            return false;
        }
    }
    p->looked = calloc(tasks, sizeof *p->looked);
    s->rows = calloc(tasks, sizeof *s->rows);
    if (has_sites(s)) {
        p->members = calloc(n, sizeof *p->members);
        p->sites = calloc(n * n * KINDS, sizeof *p->sites);
    }
    return p->looked != NULL && s->rows != NULL &&
           (!has_sites(s) || (p->members != NULL && p->sites != NULL));
}

static void end_pass(pass *p)
{
    for (int g = 0; g < GROUPS; g++) {
        free(p->hit[g]);
        free(p->wanted[g]);
        free(p->tally[g]);
    }
    free(p->looked);
    free(p->members);
    free(p->sites);
    free(p->pairs);
}

static bool is_too_long(const oracle_sets *s)
{
    const oracle_order *order = &s->execution->certain;
    uint64_t blocks = s->write_count / ORACLE_BLOCK + 1;
    uint64_t each =
        s->count + (uint64_t)order->count + order->first[order->count];
    return blocks > WORK / (each + 1);
}

bool oracle_sets_judge(oracle_sets *sets)
{
    oracle_hazards *hazards = sets->hazards;
    uint64_t before[ORACLE_MORE_KINDS];
    pass p;
    memcpy(before, hazards->more, sizeof before);
    if (sets->write_count == 0) {
        return true;
    }
    if (is_too_long(sets)) {
        hazards->exhausted = true;
        return true;
    }
    bool ok = start_pass(&p, sets) && run_pass(&p, PASS_COUNT);
    for (int k = PASS_TALLY; ok && !sets->too_much && k <= PASS_COLLECT; k++) {
        memset(p.looked, 0, task_count(sets));
        for (int g = 0; g < GROUPS; g++) {
            want_first(&p, g, k == PASS_TALLY ? NULL : p.tally[g]);
        }
        if (k == PASS_COLLECT) {
            want_sites(&p);
        }
        ok = run_pass(&p, (pass_kind)k);
    }
    if (ok && sets->too_much) {
        memcpy(hazards->more, before, sizeof before);
        hazards->exhausted = true;
    } else if (ok) {
        uint32_t storage = sets->execution->items.items[sets->list[0]].storage;
        if (hazards->apart != NULL) {
            hazards->apart[storage] = !oracle_sets_joins(sets);
        }
        ok = keep_pairs(&p);
    }
    end_pass(&p);
    return ok;
}
