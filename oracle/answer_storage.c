/* What an answer says of storages: liveness, conflicts, aliases, places. */
#include "answer_work.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void put_key(oracle_canon *c, const answer_score *s, uint32_t key)
{
    oracle_canon_value(c, s->json, s->keys[key].node);
}

static void put_spelled(oracle_canon *c, const answer_score *s,
                        const answer_life *life)
{
    oracle_canon_value(c, s->json, life->node);
}

/* A member of which there are rules why it cannot be made. */
static bool compare_made(answering *a, answer_member member, oracle_canon *text,
                         const answer_field *fields, const char *refused)
{
    bool same, ok = true;
    if (refused == NULL && a->member[member] != ORACLE_NONE) {
        ok = answer_compare(a, member, &text->out, fields, &same);
    }
    oracle_out_free(&text->out);
    return ok && answer_missing(a, member, fields[0].rule, refused);
}

static bool wants(const answering *a, answer_member member)
{
    return a->member[member] != ORACLE_NONE;
}

/* --- Liveness and conflicts --- */

static bool check_lifetimes(answering *a, const answer_lives *lives)
{
    static const answer_field fields[] = {
        {"lifetimes", "diff.liveness", "lifetimes"},
        {NULL, "diff.liveness", "liveness"}};
    oracle_canon c = {0};
    if (lives->refused == NULL && wants(a, ANSWER_LIVENESS)) {
        oracle_out_text(&c.out, "{\"kind\":\"liveness\",\"lifetimes\":[");
        for (uint32_t i = 0; i < lives->count; i++) {
            const answer_life *life = &lives->list[i];
            oracle_out_text(&c.out, i > 0 ? ",{\"birth\":" : "{\"birth\":");
            oracle_out_int(&c.out, life->birth);
            oracle_out_text(&c.out, ",\"death\":");
            oracle_out_int(&c.out, life->death);
            oracle_out_text(&c.out, ",\"storage_key\":");
            put_spelled(&c, a->score, life);
            oracle_out_text(&c.out, "}");
        }
        oracle_out_text(&c.out, "],\"version\":1}");
    }
    return compare_made(a, ANSWER_LIVENESS, &c, fields, lives->refused);
}

static int compare_birth(const void *a, const void *b)
{
    const answer_life *x = *(answer_life *const *)a;
    const answer_life *y = *(answer_life *const *)b;
    if (x->birth != y->birth) {
        return x->birth < y->birth ? -1 : 1;
    }
    return (x > y) - (x < y);
}

/* *steps: what is left of the pairs that may be looked at. */
static void put_conflicts(oracle_canon *c, const answering *a,
                          answer_life *const *order, uint32_t count,
                          uint32_t at, uint32_t *steps)
{
    for (uint32_t i = at + 1; i<count && * steps> 0; i++, --*steps) {
        if (order[i]->birth > order[at]->death) {
            break;
        }
        if (answer_overlap(order[at], order[i])) {
            bool first = c->out.data[c->out.length - 1] == '[';
            oracle_out_text(&c->out,
                            first ? "{\"earlier\":" : ",{\"earlier\":");
            put_spelled(c, a->score, order[at]);
            oracle_out_text(&c->out, ",\"later\":");
            put_spelled(c, a->score, order[i]);
            oracle_out_text(&c->out, "}");
        }
    }
}

static bool check_conflicts(answering *a, const answer_lives *lives)
{
    static const answer_field fields[] = {
        {"pairs", "diff.liveness", "conflicts"},
        {NULL, "diff.liveness", "conflicts"}};
    oracle_canon c = {0};
    uint32_t steps = ANSWER_PAIRS;
    if (lives->refused == NULL && wants(a, ANSWER_CONFLICTS)) {
        answer_life **order =
            oracle_arena_array(a->arena, lives->count, sizeof *order);
        if (order == NULL) {
            return false;
        }
        for (uint32_t i = 0; i < lives->count; i++) {
            order[i] = &lives->list[i];
        }
        if (lives->count > 1) {
            qsort(order, lives->count, sizeof *order, compare_birth);
        }
        oracle_out_text(&c.out, "{\"kind\":\"conflicts\",\"overlap\":"
                                "\"inclusive\",\"pairs\":[");
        for (uint32_t i = 0; i < lives->count && !c.out.failed; i++) {
            put_conflicts(&c, a, order, lives->count, i, &steps);
        }
        oracle_out_text(&c.out, "],\"version\":1}");
    }
    if (steps == 0) {
        oracle_out_free(&c.out);
        return answer_undecided(a, "the list of conflicts: too many pairs");
    }
    return compare_made(a, ANSWER_CONFLICTS, &c, fields, lives->refused);
}

/* --- Aliases --- */

static void put_aliases(oracle_canon *c, const answer_score *s,
                        const uint32_t *keys, uint32_t count)
{
    oracle_out_text(&c->out, "{\"kind\":\"alias\",\"pairs\":[");
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = i + 1; j < count && !c->out.failed; j++) {
            oracle_out_text(&c->out,
                            i + j > 1 ? ",{\"first\":" : "{\"first\":");
            put_key(c, s, keys[i]);
            oracle_out_text(&c->out, ",\"relation\":\"disjoint\",\"second\":");
            put_key(c, s, keys[j]);
            oracle_out_text(&c->out, "}");
        }
    }
    oracle_out_text(&c->out, "],\"version\":1}");
}

static bool list_keys(const answer_score *s, uint32_t *keys, uint32_t *count,
                      const char **refused)
{
    *count = 0;
    for (uint32_t k = 0; k < s->distinct; k++) {
        if (s->keys[k].stored) {
            keys[(*count)++] = k;
        }
    }
    if (!answer_sort_keys(s, keys, *count, refused)) {
        return false;
    }
    for (uint32_t k = 0; k < s->key_count && *refused == NULL; k++) {
        if (s->key[k] == ANSWER_CONTAINER) {
            *refused = "a list or an object is no storage key";
        }
    }
    return true;
}

/* A Score declares no views: all of its keys are disjoint. */
static bool check_aliases(answering *a)
{
    static const answer_field fields[] = {{"pairs", "diff.liveness", "alias"},
                                          {NULL, "diff.liveness", "alias"}};
    const answer_score *s = a->score;
    oracle_canon c = {0};
    uint32_t count;
    const char *refused;
    uint32_t *keys = oracle_arena_array(a->arena, s->distinct, sizeof *keys);
    if (keys == NULL || !list_keys(s, keys, &count, &refused)) {
        return false;
    }
    if (refused == NULL && wants(a, ANSWER_ALIAS)) {
        if ((uint64_t)count * count / 2 > ANSWER_PAIRS) {
            return answer_undecided(a, "the list of aliases: too many pairs");
        }
        put_aliases(&c, s, keys, count);
    }
    return compare_made(a, ANSWER_ALIAS, &c, fields, refused);
}

/* --- Memory plans --- */

static const answer_field plan_fields[] = {
    {"allocations", "diff.memory", "allocations"},
    {"peak_memory", "diff.memory", "peak"},
    {"policy", "diff.memory", "policy"},
    {NULL, "diff.memory", "memory"}};

static void put_place(oracle_canon *c, bool first, int64_t offset, int64_t size)
{
    oracle_out_text(&c->out, first ? "{\"offset\":" : ",{\"offset\":");
    oracle_out_int(&c->out, offset);
    oracle_out_text(&c->out, ",\"size\":");
    oracle_out_int(&c->out, size);
    oracle_out_text(&c->out, ",\"storage_key\":");
}

static void put_end(oracle_canon *c, int64_t peak, const char *policy)
{
    oracle_out_text(&c->out, "],\"kind\":\"memory_plan\",\"peak_memory\":");
    oracle_out_int(&c->out, peak);
    oracle_out_format(&c->out, ",\"policy\":\"%s\",\"version\":1}", policy);
}

static bool check_greedy(answering *a, answer_lives *lives)
{
    oracle_canon c = {0};
    int64_t peak = 0;
    bool undecided = false;
    const char *refused = lives->refused;
    if (refused == NULL && !answer_place(lives, a->arena, &peak, &undecided)) {
        return false;
    }
    if (undecided) {
        return answer_undecided(a, "the places of greedy_v0: more buffers than "
                                   "are placed by the plain definition");
    }
    refused = peak < 0 ? "the end of a buffer is beyond 2^63 - 1" : refused;
    if (refused == NULL && wants(a, ANSWER_PLAN)) {
        oracle_out_text(&c.out, "{\"allocations\":[");
        for (uint32_t i = 0; i < lives->count; i++) {
            const answer_life *life = &lives->list[i];
            put_place(&c, i == 0, life->offset, life->size);
            put_spelled(&c, a->score, life);
            oracle_out_text(&c.out, "}");
        }
        put_end(&c, peak, "greedy_v0");
    }
    return compare_made(a, ANSWER_PLAN, &c, plan_fields, refused);
}

/* A plan of greedy_dag with the sizes and the peak that it must have. */
typedef struct given {
    answering *a;
    const answer_sizes *sizes;
    answer_score keys; /* of the plan */
    oracle_canon text;
    int64_t peak, sum; /* at most INT64_MAX */
    bool formed;       /* each place is one */
    uint32_t *order;   /* keys as they stand there, of `keys` */
    answer_place_of *places;
    uint32_t count;
} given;

/* The Score's own key of one of the plan's. */
static uint32_t key_in_score(const answer_score *score, const answer_key *key)
{
    const oracle_table *table = key->number ? &score->numbers : &score->texts;
    return oracle_table_find(table, key->data, key->length);
}

static bool keep_given(given *g, uint32_t key, int64_t offset, int64_t size)
{
    oracle_arena *arena = g->a->arena;
    uint32_t *order =
        oracle_arena_push(arena, g->order, g->count, sizeof *order);
    answer_place_of *places =
        oracle_arena_push(arena, g->places, g->count, sizeof *places);
    if (order == NULL || places == NULL) {
        return false;
    }
    g->order = order;
    g->places = places;
    order[g->count] = key;
    places[g->count++] =
        (answer_place_of){offset, size,
                          key == ANSWER_CONTAINER
                              ? ORACLE_NONE
                              : key_in_score(g->a->score, &g->keys.keys[key])};
    return true;
}

static bool put_given(given *g, uint32_t node)
{
    const oracle_json *json = &g->a->bundle;
    uint32_t at = oracle_json_member(json, node, "offset");
    uint32_t named = oracle_json_member(json, node, "storage_key");
    uint32_t key = ANSWER_CONTAINER;
    int64_t offset = 0, size = 0;
    g->formed = g->formed && at != ORACLE_NONE && named != ORACLE_NONE &&
                json->nodes[at].type == ORACLE_JSON_NUMBER &&
                oracle_json_integral(json, at) &&
                oracle_json_int64(json, at, &offset) && offset >= 0;
    if (!g->formed) {
        return true;
    }
    if (!answer_key_of(&g->keys, named, &key)) {
        return false;
    }
    if (key != ANSWER_CONTAINER) {
        size = answer_size_of(g->sizes, &g->keys.keys[key]);
    }
    oracle_out *out = &g->text.out;
    offset = size == 0 ? 0 : offset; /* which is fixed (spec 03) */
    put_place(&g->text, out->data[out->length - 1] == '[', offset, size);
    oracle_canon_value(&g->text, json, named);
    oracle_out_text(out, "}");
    int64_t end = offset > INT64_MAX - size ? INT64_MAX : offset + size;
    g->peak = end > g->peak ? end : g->peak;
    g->sum = g->sum > INT64_MAX - size ? INT64_MAX : g->sum + size;
    return !out->failed && keep_given(g, key, offset, size);
}

/* Allocations stand in the order of their keys (spec 03), each once. */
static bool check_order(given *g)
{
    const char *refused;
    uint32_t *sorted =
        oracle_arena_array(g->a->arena, g->count, sizeof *sorted);
    if (sorted == NULL) {
        return false;
    }
    if (g->count > 0) {
        memcpy(sorted, g->order, g->count * sizeof *sorted);
    }
    if (!answer_sort_keys(&g->keys, sorted, g->count, &refused)) {
        return false;
    }
    for (uint32_t i = 0; refused == NULL && i < g->count; i++) {
        bool twice = i > 0 && g->order[i] == g->order[i - 1];
        if (sorted[i] == g->order[i] && !twice) {
            continue;
        }
        const char *told = oracle_tell_value(g->a->arena, &g->a->bundle,
                                             g->keys.keys[g->order[i]].node);
        return told != NULL &&
               answer_report(g->a, "diff.memory", "allocations",
                             "allocations[%u] in the planner's member memory "
                             "is that of %s, which stands %s",
                             (unsigned)i, told,
                             twice ? "there already"
                                   : "elsewhere in the order of the keys");
    }
    return true;
}

/* Each lifetime has a place. `placed`: keys of the plan. */
static bool check_placed(answering *a, const answer_lives *lives,
                         const answer_score *placed)
{
    for (uint32_t i = 0; i < lives->count; i++) {
        const answer_key *key = &a->score->keys[lives->list[i].key];
        if (key_in_score(placed, key) == ORACLE_NONE) {
            const char *told =
                oracle_tell_value(a->arena, a->score->json, key->node);
            return told != NULL &&
                   answer_report(a, "diff.memory", "allocations",
                                 "the planner's member memory has no place for "
                                 "%s, which a task reads or writes",
                                 told);
        }
    }
    return true;
}

/* Each place is of a storage that the Score names. */
static bool check_known(const given *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        if (g->places[i].key == ORACLE_NONE) {
            return answer_report(g->a, "diff.memory", "allocations",
                                 "allocations[%u] in the planner's member "
                                 "memory is of no storage of the Score",
                                 (unsigned)i);
        }
    }
    return true;
}

/*
 * greedy_dag: where the buffers lie is the planner's choice, which the judge
 * looks at; their sizes and the peak are not.
 */
static bool compare_dag(given *g, const answer_lives *lives)
{
    answering *a = g->a;
    uint32_t list =
        oracle_json_member(&a->bundle, a->member[ANSWER_PLAN], "allocations");
    bool ok = true, same;
    g->formed =
        list != ORACLE_NONE && a->bundle.nodes[list].type == ORACLE_JSON_ARRAY;
    oracle_out_text(&g->text.out, "{\"allocations\":[");
    for (uint32_t at = list + 1;
         ok && g->formed && at < oracle_json_next(&a->bundle, list);
         at = oracle_json_next(&a->bundle, at)) {
        ok = put_given(g, at);
    }
    if (ok && !g->formed) {
        return answer_report(a, "diff.memory", "allocations",
                             "the planner's member memory is no list of "
                             "allocations with offset, size and storage_key");
    }
    put_end(&g->text, g->peak, "greedy_dag");
    ok = ok && answer_compare(a, ANSWER_PLAN, &g->text.out, plan_fields, &same);
    if (ok && g->peak > g->sum) {
        ok = answer_report(a, "diff.memory", "peak",
                           "the planner's member memory ends at %" PRId64
                           ", which is more than all sizes together, %" PRId64,
                           g->peak, g->sum);
    }
    return ok && check_order(g) && check_placed(a, lives, &g->keys) &&
           check_known(g) && answer_check_safe(a, g->places, g->count);
}

/* Whether there is nothing that greedy_dag may refuse. */
static bool is_plain(const answer_score *s, const answer_lives *lives,
                     const answer_sizes *sizes)
{
    bool plain =
        s->numbers.used == 0 && lives->refused == NULL && !sizes->large;
    for (uint32_t k = 0; k < s->key_count; k++) {
        plain = plain && s->key[k] != ANSWER_CONTAINER;
    }
    return plain;
}

static bool check_dag(answering *a, const answer_lives *lives,
                      const answer_sizes *sizes)
{
    given g = {.a = a,
               .sizes = sizes,
               .keys = {.json = &a->bundle,
                        .arena = a->arena,
                        .null_key = ORACLE_NONE}};
    bool ok = !wants(a, ANSWER_PLAN) || compare_dag(&g, lives);
    oracle_out_free(&g.text.out);
    answer_score_free(&g.keys);
    return ok && (!is_plain(a->score, lives, sizes) ||
                  answer_missing(a, ANSWER_PLAN, "diff.memory", NULL));
}

/* Those of a dump come from its graph, and then from the options. */
static bool take_sizes(answer_sizes *sizes, answering *a)
{
    return (!a->is_dump ||
            answer_sizes_graph(sizes, &a->bundle, a->member[ANSWER_GRAPH],
                               a->arena)) &&
           answer_sizes_read(sizes, &a->options.json, a->options.sizes,
                             a->arena);
}

static bool check_plan(answering *a, answer_lives *lives)
{
    answer_sizes sizes = {0};
    if (a->is_dump && a->member[ANSWER_GRAPH] == ORACLE_NONE) {
        return true; /* nobody tells the sizes */
    }
    bool ok = take_sizes(&sizes, a);
    for (uint32_t i = 0; ok && i < lives->count; i++) {
        lives->list[i].size =
            answer_size_of(&sizes, &a->score->keys[lives->list[i].key]);
    }
    ok = ok && (a->options.greedy ? check_greedy(a, lives)
                                  : check_dag(a, lives, &sizes));
    oracle_table_free(&sizes.by_key);
    return ok;
}

/* What the views of a dump share is for its graph to tell. */
bool answer_check_storage(answering *a)
{
    answer_lives lives;
    return answer_lifetimes(&lives, a->score) && check_lifetimes(a, &lives) &&
           check_conflicts(a, &lives) && (a->is_dump || check_aliases(a)) &&
           check_plan(a, &lives);
}
