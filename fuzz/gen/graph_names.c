/* Names of buffers and callees, by the style that the case has for them. */
#include "graph.h"

#include <string.h>

typedef struct style {
    const char *external, *internal, *callee;
} style;

static const style styles[] = {
    {"param:x%u", "alloc:t%u", "stage%u"},
    {"param:main.x%u", "alloc:main.tmp@%u", "main_incore_%u"},
    {"param:decode_3.hidden_states_%u", "alloc:attention_scratch_%u", "k%u"},
    {"x%u", "alloc:%u", "f%u"},
    {"param:gr\xc3\xb6\xc3\x9f"
     "e %u",
     "alloc:\xe6\x9c\xac\xe2\x86\x92%u", "n\xc3\xa4he_%u"},
    {"param:\"q\\%u\"/\t", "alloc:\x1f\x7f\n%u\\", "\"%u\"\\\\"},
    {"param:\xf0\x9f\x98\x80%u\xef\xbf\xbf", "alloc:\xcc\x88\xe2\x80\xae%u",
     "\xf0\x9f\x98\x80_%u"},
};
#define STYLES (sizeof styles / sizeof *styles)

/* Most cases are plain. */
void fuzz_graph_style(graph *g)
{
    fuzz_random r = fuzz_random_of(&g->c->name, GRAPH_FOR_NAMES);
    uint64_t n = fuzz_below(&r, 2 * STYLES);
    g->style = (uint32_t)(n < STYLES ? n : n % 4);
}

/* The number takes the place of "%u". */
static void put(char *out, const char *form, uint32_t number)
{
    const char *at = strstr(form, "%u");
    size_t length = (size_t)(at - form);
    char digits[12];
    char *first = digits + sizeof digits;
    memcpy(out, form, length);
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    size_t count = (size_t)(digits + sizeof digits - first);
    memcpy(out + length, first, count);
    strcpy(out + length + count, at + 2);
}

void fuzz_graph_key(const graph *g, uint32_t buffer, char *key)
{
    const graph_buffer *b = &g->buffers[buffer];
    const style *s = &styles[g->style];
    if (g->relation == FUZZ_RENAME)
        put(key, b->external ? "param:renamed_%u" : "alloc:renamed_%u",
            b->number);
    else
        put(key, b->external ? s->external : s->internal, b->number);
}

void fuzz_graph_callee(const graph *g, uint32_t name, char *callee)
{
    put(callee, styles[g->style].callee, name);
}
