/* A pair that was found by sets as a hazard, with what its witness needs. */
#include "hazard_sets.h"

#define SKIPPED 64 /* writes that are named one by one */

static const oracle_item *item_of(const oracle_sets *s, uint32_t side)
{
    return &s->execution->items.items[s->sides[side].item];
}

bool oracle_sets_copy_writes(const oracle_sets *s, oracle_written *w)
{
    oracle_arena *arena = s->hazards->arena;
    w->items = oracle_arena_array(arena, s->write_count, sizeof *w->items);
    w->touches = oracle_arena_array(arena, s->write_count, sizeof *w->touches);
    for (uint32_t i = 0;
         w->items != NULL && w->touches != NULL && i < s->write_count; i++) {
        oracle_parts all = s->sides[s->writes[i]].all;
        oracle_touch *touch = &w->touches[i];
        w->items[i] = *item_of(s, s->writes[i]);
        touch->intervals =
            oracle_arena_array(arena, all.count, sizeof *touch->intervals);
        if (touch->intervals == NULL) {
            return false;
        }
        for (; touch->count < all.count; touch->count++) {
            oracle_range r = s->ranges[all.first + touch->count];
            touch->intervals[touch->count] =
                (oracle_interval){s->borders[r.begin], s->borders[r.end]};
        }
    }
    return w->items != NULL && w->touches != NULL;
}

static bool has_piece(const oracle_sets *s, oracle_parts parts, uint32_t piece)
{
    uint32_t low = 0, high = parts.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->ranges[parts.first + middle].end <= piece) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < parts.count && s->ranges[parts.first + low].begin <= piece;
}

/*
 * The writes between, which need not happen: that they do not is said of each
 * where they are few.
 */
static void skip_writes(const oracle_sets *s, oracle_hazard *h, uint32_t from,
                        uint32_t to, uint32_t piece)
{
    oracle_item skipped[SKIPPED];
    uint32_t count = 0;
    for (uint32_t at = from + 1; at < to && count <= SKIPPED; at++) {
        const oracle_side *side = &s->sides[at];
        if (side->writes && side->task != s->sides[from].task &&
            has_piece(s, side->all, piece)) {
            if (count < SKIPPED) {
                skipped[count] = *item_of(s, at);
            }
            count++;
        }
    }
    h->skip_between = count > SKIPPED;
    if (count == 0 || h->skip_between) {
        return;
    }
    h->skipped =
        oracle_arena_array(s->hazards->arena, count, sizeof *h->skipped);
    for (uint32_t i = 0; h->skipped != NULL && i < count; i++) {
        h->skipped[i] = skipped[count - 1 - i];
    }
    h->skip_count = count;
}

/* The read that sees what a write writes there; the caller at last. */
static void set_reader(const oracle_sets *s, oracle_hazard *h, uint32_t write,
                       uint32_t piece)
{
    uint32_t at = write + 1;
    while (at < s->count &&
           (s->sides[at].writes || !has_piece(s, s->sides[at].all, piece))) {
        at++;
    }
    h->reader = at < s->count ? *item_of(s, at)
                              : (oracle_item){.task = ORACLE_NONE,
                                              .arg = ORACLE_NONE,
                                              .storage = h->writer.storage};
    skip_writes(s, h, write, at, piece);
}

/* Whose value a read finds. */
static void set_writer(const oracle_sets *s, oracle_hazard *h, uint32_t read,
                       uint32_t piece)
{
    uint32_t at = read;
    while (at > 0 && !(s->sides[at - 1].writes &&
                       has_piece(s, s->sides[at - 1].all, piece))) {
        at--;
    }
    h->initial = at == 0;
    h->writer = h->initial ? h->reader : *item_of(s, at - 1);
}

oracle_hazard oracle_sets_hazard(const oracle_sets *s,
                                 const oracle_set_pair *pair,
                                 const oracle_written *w)
{
    uint32_t piece = pair->span.begin;
    oracle_hazard h = {
        .kind = pair->kind,
        .decided = true,
        .producer = *item_of(s, pair->producer),
        .consumer = *item_of(s, pair->consumer),
        .shown = {s->borders[piece], s->borders[piece + 1]},
        .hull = {s->borders[piece], s->borders[pair->span.end]},
        .execution = s->execution->number,
        .writes = w->items,
        .touches = w->touches,
        .write_count = s->write_count,
    };
    h.reader = h.consumer;
    h.writer = h.producer;
    h.intruder = h.producer;
    if (pair->kind == ORACLE_HAZARD_RAW) {
        skip_writes(s, &h, pair->producer, pair->consumer, piece);
    } else if (pair->kind == ORACLE_HAZARD_WAW) {
        h.writer = h.consumer;
        set_reader(s, &h, pair->consumer, piece);
    } else if (pair->kind == ORACLE_HAZARD_WAR) {
        h.reader = h.producer;
        h.intruder = h.consumer;
        set_writer(s, &h, pair->producer, piece);
    }
    h.decided = pair->kind != ORACLE_HAZARD_DEAD_WRITE;
    return h;
}
