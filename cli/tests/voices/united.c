#include "united.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EVERY 3 /* plans, of which one has them */

static bool is_placed(const oracle_document *d, uint32_t storage)
{
    for (uint32_t i = 0; i < d->allocation_count; i++) {
        uint32_t b = d->allocations[i].buffer;
        if (b != ORACLE_NONE && d->buffers[b].storage == storage)
            return true;
    }
    return false;
}

uint32_t united_list(uint32_t list[UNITED_MOST], const oracle_document *d)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < d->buffer_count && count < UNITED_MOST; b++)
        if (d->buffers[b].external && d->buffers[b].storage == b &&
            !is_placed(d, b))
            list[count++] = b;
    return count;
}

/* --- The text --- */

/* Where the buffer is declared: its key stands in aliases, too. */
static size_t behind_key(const fuzz_case *c, const char *key)
{
    char text[256];
    const char *at = c->input.data;
    snprintf(text, sizeof text, "{\"key\":\"%s\"", key);
    do {
        at = strstr(at + 1, text);
        if (at == NULL)
            abort();
    } while (at[-1] == ':');
    return (size_t)(at - c->input.data) + strlen(text);
}

static void insert(fuzz_case *c, size_t at, const char *what)
{
    size_t length = c->input.length, more = strlen(what);
    fuzz_put(&c->input, what); /* for its room */
    if (c->input.failed || c->input.length != length + more)
        abort();
    memmove(c->input.data + at + more, c->input.data + at, length - at);
    memcpy(c->input.data + at, what, more);
}

static void say(fuzz_case *c, const oracle_document *d, const uint32_t *list,
                uint32_t count)
{
    char text[600] = ",\"may_alias\":[";
    for (uint32_t i = 1; i < count; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s\"%s\"%s",
                 i > 1 ? "," : "", d->buffers[list[i]].key.data,
                 i + 1 == count ? "]" : "");
    }
    insert(c, behind_key(c, d->buffers[list[0]].key.data), text);
}

void united_say(fuzz_case *c)
{
    oracle_document d;
    oracle_error error;
    uint32_t list[UNITED_MOST];
    if (c->name.index % EVERY != 0)
        return;
    if (oracle_document_read(&d, c->input.data, c->input.length, NULL,
                             &error) != ORACLE_OK)
        abort();
    uint32_t count = united_list(list, &d);
    if (count > 2 && c->name.index % 2 == 0)
        count = 2;
    for (uint32_t i = 0; i + 1 < count; i++)
        say(c, &d, list + i, count - i);
    oracle_document_free(&d);
}

/* --- The documents --- */

/* Of three, who has whose storage. */
static const uint8_t ways[UNITED_WAYS][UNITED_MOST] = {
    {0, 0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 0, 0}};

/* Whose storage it is: that of the largest, which has room for all. */
static uint32_t largest(const oracle_document *d, const uint32_t *list,
                        uint32_t count, const uint8_t *way, uint32_t of)
{
    uint32_t found = list[of];
    for (uint32_t i = 0; i < count; i++)
        if (way[i] == way[of] &&
            (d->buffers[list[i]].bytes > d->buffers[found].bytes ||
             (d->buffers[list[i]].bytes == d->buffers[found].bytes &&
              list[i] < found)))
            found = list[i];
    return found;
}

bool united_make(oracle_document *united, oracle_buffer *buffers,
                 replay_pairs *pairs, const oracle_document *d, uint32_t way)
{
    uint32_t list[UNITED_MOST], count = united_list(list, d);
    *united = *d;
    united->buffers = buffers;
    *pairs = (replay_pairs){.count = 0};
    if (d->may_alias_count == 0 || way == UNITED_WAYS)
        return false;
    count = d->may_alias_count == 1 ? 2 : count;
    for (uint32_t b = 0; b < d->buffer_count; b++) {
        buffers[b] = d->buffers[b];
        for (uint32_t i = 0; i < count; i++)
            if (d->buffers[b].storage == list[i])
                buffers[b].storage = largest(d, list, count, ways[way], i);
    }
    for (uint32_t i = 0; i < count; i++)
        if (ways[way][i] != i)
            pairs->list[pairs->count++] =
                (replay_pair){list[i], list[ways[way][i]]};
    return count == UNITED_MOST || way == 0;
}
