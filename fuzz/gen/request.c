#include "request.h"

#include <string.h>

#include "score_text.h"

static void put_size(fuzz_text *out, const fuzz_buffer *b)
{
    char json[96];
    if (b->size < 0 || b->spelling > FUZZ_KEY_ODD)
        return;
    size_t n = fuzz_key_json(json, b, 0);
    json[n++] = ':';
    char digits[20];
    size_t count = 0;
    uint64_t rest = (uint64_t)b->size;
    do {
        digits[count++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest > 0);
    while (count > 0)
        json[n++] = digits[--count];
    fuzz_raw_n(out, json, n);
}

void fuzz_put_request(fuzz_case *c, const fuzz_model *m,
                      const fuzz_request *request)
{
    fuzz_text *out = &c->options;
    const struct {
        const char *name, *value;
    } words[] = {{"emit", request->emit},
                 {"memory", request->memory},
                 {"policy", request->policy},
                 {"profile", request->profile}};
    fuzz_open(out, '{');
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i].value != NULL)
            fuzz_key_string(out, words[i].name, words[i].value);
    if (request->encodings) {
        fuzz_key(out, "encodings");
        fuzz_int(out, 1);
    }
    if (request->sizes) {
        fuzz_key(out, "sizes");
        fuzz_open(out, '{');
        for (uint32_t i = 0; i < m->buffer_count; i++)
            put_size(out, &m->buffers[i]);
        if (request->more != NULL)
            fuzz_raw(out, request->more);
        fuzz_close(out);
    }
    fuzz_close(out);
}

/* --- Sizes --- */

enum { EQUAL, POWERS, ANY, SMALL, HUGE_ONES, ZEROS, WAYS };

static int64_t draw_size(fuzz_random *random, uint32_t way, int64_t equal)
{
    switch (way) {
    case EQUAL:
        return equal;
    case POWERS:
        return INT64_C(1) << fuzz_below(random, 21);
    case SMALL:
        return fuzz_between(random, 1, 16);
    case HUGE_ONES:
        return (int64_t)fuzz_log_size(random, 1, UINT64_C(1) << 50);
    case ZEROS:
        return fuzz_between(random, 0, 2) * 512;
    default:
        return (int64_t)fuzz_log_size(random, 1, UINT64_C(1) << 30);
    }
}

void fuzz_draw_sizes(fuzz_model *m, fuzz_random *random)
{
    uint32_t way = (uint32_t)fuzz_below(random, WAYS);
    uint32_t unknown = (uint32_t)fuzz_below(random, 4) == 0 ? 1 : 0;
    int64_t equal = (int64_t)fuzz_log_size(random, 1, 65536);
    for (uint32_t i = 0; i < m->buffer_count; i++) {
        int64_t size = draw_size(random, way, equal);
        m->buffers[i].size = fuzz_chance(random, unknown, 8) ? -1 : size;
    }
}
