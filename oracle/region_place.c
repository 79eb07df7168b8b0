/* Places: regions of buffers, whose aliases are one storage. */
#include "region.h"

static bool lists(const oracle_document *document, uint32_t buffer,
                  uint32_t storage)
{
    const oracle_buffer *b = &document->buffers[buffer];
    for (uint32_t i = 0; i < b->may_alias; i++) {
        uint32_t other = document->may_aliases[b->first_may_alias + i];
        if (document->buffers[other].storage == storage) {
            return true;
        }
    }
    return false;
}

static bool may_alias(const oracle_document *document, uint32_t a, uint32_t b)
{
    uint32_t x = document->buffers[a].storage;
    uint32_t y = document->buffers[b].storage;
    return lists(document, a, y) || lists(document, x, y) ||
           lists(document, b, x) || lists(document, y, x);
}

/* Neither has a size: the same buffer is the same bytes, all of them. */
static oracle_relation relate_whole(const oracle_document *document,
                                    oracle_place whole, oracle_place other)
{
    oracle_frame frame = {.document = document};
    oracle_box box;
    bool same = whole.buffer == other.buffer;
    switch (oracle_box_make(&frame, 0, other, &box)) {
    case ORACLE_MADE_WHOLE:
        return same ? ORACLE_RELATION_ALWAYS : ORACLE_RELATION_PERHAPS;
    case ORACLE_MADE_NOT:
        return ORACLE_RELATION_PERHAPS;
    case ORACLE_MADE:
        break;
    }
    if (box.empty) {
        return ORACLE_RELATION_NEVER;
    }
    return same && oracle_box_filled(&frame, &box) ? ORACLE_RELATION_ALWAYS
                                                   : ORACLE_RELATION_PERHAPS;
}

static oracle_relation relate_one_storage(const oracle_document *document,
                                          oracle_place a, oracle_place b)
{
    oracle_frame frame = {.document = document};
    oracle_box x;
    oracle_box y;
    oracle_made made = oracle_box_make(&frame, 0, a, &x);
    oracle_made other = oracle_box_make(&frame, 1, b, &y);
    if (made == ORACLE_MADE_WHOLE) {
        return relate_whole(document, a, b);
    }
    if (other == ORACLE_MADE_WHOLE) {
        return relate_whole(document, b, a);
    }
    if (made == ORACLE_MADE && other == ORACLE_MADE) {
        return oracle_boxes_relate(&frame, &x, &y);
    }
    return ORACLE_RELATION_PERHAPS;
}

oracle_relation oracle_places_relate(const oracle_document *document,
                                     oracle_place a, oracle_place b)
{
    if (document->buffers[a.buffer].storage !=
        document->buffers[b.buffer].storage) {
        return may_alias(document, a.buffer, b.buffer) ? ORACLE_RELATION_PERHAPS
                                                       : ORACLE_RELATION_NEVER;
    }
    oracle_span x = oracle_place_span(document, a);
    oracle_span y = oracle_place_span(document, b);
    if (x.bounded && y.bounded && (x.end <= y.begin || y.end <= x.begin)) {
        return ORACLE_RELATION_NEVER;
    }
    return relate_one_storage(document, a, b);
}

oracle_meet oracle_places_meet(const oracle_document *document, oracle_place a,
                               oracle_place b)
{
    switch (oracle_places_relate(document, a, b)) {
    case ORACLE_RELATION_NEVER:
        return ORACLE_MEET_NEVER;
    case ORACLE_RELATION_SURELY:
    case ORACLE_RELATION_ALWAYS:
        return ORACLE_MEET_SURELY;
    case ORACLE_RELATION_PERHAPS:
        break;
    }
    return ORACLE_MEET_PERHAPS;
}

bool oracle_place_covers(const oracle_document *document, oracle_place a,
                         oracle_place b)
{
    oracle_frame frame = {.document = document};
    oracle_box x;
    oracle_box y;
    if (document->buffers[a.buffer].storage !=
        document->buffers[b.buffer].storage) {
        return false;
    }
    /* What lies in a buffer is covered by all of it. */
    if (a.buffer == b.buffer && a.region == ORACLE_NONE) {
        return true;
    }
    return oracle_box_make(&frame, 0, a, &x) == ORACLE_MADE &&
           oracle_box_make(&frame, 1, b, &y) == ORACLE_MADE &&
           oracle_boxes_cover(&frame, &x, &y);
}

bool oracle_places_common(const oracle_document *document, oracle_place a,
                          oracle_place b, oracle_span *common)
{
    oracle_frame frame = {.document = document};
    oracle_box x;
    oracle_box y;
    bool meet;
    *common = (oracle_span){0};
    return document->buffers[a.buffer].storage ==
               document->buffers[b.buffer].storage &&
           oracle_box_make(&frame, 0, a, &x) == ORACLE_MADE &&
           oracle_box_make(&frame, 1, b, &y) == ORACLE_MADE &&
           frame.count == 0 && oracle_rows_meet(&x, &y, &meet, common) && meet;
}
