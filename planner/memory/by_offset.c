#include "by_offset.h"

#include <stdlib.h>
#include <string.h>

#include "../json/array.h"

#define BLOCK SONATA_OFFSET_BLOCK

void sonata_by_offset_free(sonata_by_offset *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->blocks[i]);
    free(list->blocks);
    *list = (sonata_by_offset){0};
}

/* The last block that begins at or before an offset, else the first. */
static size_t find_block(const sonata_by_offset *list, uint64_t offset)
{
    size_t low = 0;
    size_t high = list->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (list->blocks[middle]->items[0].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static sonata_offset_block *insert_block(sonata_by_offset *list, size_t at)
{
    sonata_offset_block **blocks =
        sonata_grow(list->blocks, &list->capacity, list->count, sizeof *blocks);
    if (blocks == NULL)
        return NULL;
    list->blocks = blocks;
    sonata_offset_block *block = malloc(sizeof *block);
    if (block == NULL)
        return NULL;
    block->count = 0;
    block->end = 0;
    memmove(&blocks[at + 1], &blocks[at],
            (list->count - at) * sizeof(sonata_offset_block *));
    blocks[at] = block;
    list->count++;
    return block;
}

static void set_end(sonata_offset_block *block)
{
    block->end = 0;
    for (size_t i = 0; i < block->count; i++)
        if (block->items[i].end > block->end)
            block->end = block->items[i].end;
}

/* Moves the upper half of a full block into a new one behind it. */
static bool split(sonata_by_offset *list, size_t at)
{
    sonata_offset_block *upper = insert_block(list, at + 1);
    if (upper == NULL)
        return false;
    sonata_offset_block *lower = list->blocks[at];
    lower->count = BLOCK / 2;
    upper->count = BLOCK - BLOCK / 2;
    memcpy(upper->items, lower->items + BLOCK / 2,
           upper->count * sizeof *upper->items);
    set_end(lower);
    set_end(upper);
    return true;
}

bool sonata_by_offset_add(sonata_by_offset *list, const sonata_placed *item)
{
    if (list->count == 0 && insert_block(list, 0) == NULL)
        return false;
    size_t at = find_block(list, item->offset);
    if (list->blocks[at]->count == BLOCK) {
        if (!split(list, at))
            return false;
        if (list->blocks[at + 1]->items[0].offset <= item->offset)
            at++;
    }
    sonata_offset_block *block = list->blocks[at];
    size_t low = 0;
    size_t high = block->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (block->items[middle].offset <= item->offset)
            low = middle + 1;
        else
            high = middle;
    }
    memmove(&block->items[low + 1], &block->items[low],
            (block->count - low) * sizeof *block->items);
    block->items[low] = *item;
    block->count++;
    if (item->end > block->end)
        block->end = item->end;
    return true;
}
