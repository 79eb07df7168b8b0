#include "../../scripts/testing/harness.h"

#include "proof_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t draw(proof_draws *r, uint32_t below)
{
    return (uint32_t)(maker_random(r->seed, r->index++) % below);
}

/* --- Random graphs --- */

static void random_task(maker *m, proof_draws *r, uint32_t t)
{
    uint32_t task = maker_task(m);
    for (uint32_t b = 0; b < m->document.buffer_count; b++) {
        if (draw(r, 3) == 0) {
            continue;
        }
        bool part = draw(r, 2) == 0;
        int64_t begin = draw(r, 2) * 2;
        oracle_access *x = maker_access(m, b, (oracle_mode)draw(r, 4),
                                        part ? begin : WHOLE, begin + 2);
        x->must = draw(r, 8) != 0;
    }
    if (draw(r, 8) == 0) {
        maker_predicate(m, task, 0, draw(r, 4));
    }
    if (m->document.choice_count > 0 && t > 0 && draw(r, 2) == 0) {
        m->tasks[task].first_when = m->document.when_count;
        m->tasks[task].whens = 1;
        m->whens[m->document.when_count++] =
            (oracle_when){draw(r, m->document.choice_count), draw(r, 2) == 0};
    }
}

void proof_graph(maker *m, uint64_t seed)
{
    proof_draws r = {seed, 0};
    uint32_t n = 2 + draw(&r, 4);
    bool back = draw(&r, 4) == 0;
    maker_start(m);
    maker_buffer(m, "param:a", 4, true);
    maker_buffer(m, "alloc:b", 4, false);
    m->buffers[1].init = draw(&r, 6) == 0;
    if (draw(&r, 2) == 0) {
        maker_buffer(m, "alloc:c", 4, false);
        m->buffers[2].init = draw(&r, 3) == 0;
    }
    for (; m->document.choice_count < draw(&r, 3);) {
        m->choices[m->document.choice_count++] = (oracle_choice){
            .id = 7, .kind = {"if", 2, true}, .text = {"", 0, false}};
    }
    for (uint32_t c = 0; c < m->document.choice_count; c++) {
        m->choices[c].id += c;
    }
    for (uint32_t t = 0; t < n; t++) {
        random_task(m, &r, t);
    }
    uint32_t rarely = draw(&r, 4);
    for (uint32_t to = 1; to < n; to++) {
        for (uint32_t from = 0; from < to; from++) {
            if (draw(&r, 4) >= rarely) {
                bool turned = back && draw(&r, 6) == 0;
                maker_edge(m, turned ? to : from, turned ? from : to);
            }
        }
    }
    if (draw(&r, 3) == 0) {
        maker_place(m, 0, 8);
        maker_place(m, 1, 2 * draw(&r, 3));
        if (m->document.buffer_count > 2) {
            maker_place(m, 2, 2 * draw(&r, 3));
        }
    }
}

/* --- Corruptions --- */

typedef struct token {
    size_t begin, end;
} token;

/* The scalars of a JSON text: numbers, true, false, strings but keys. */
static uint32_t tokens_of(const char *text, token *tokens, bool numbers)
{
    uint32_t count = 0;
    for (size_t i = 0; text[i] != '\0';) {
        size_t begin = i;
        if (text[i] == '"') {
            i += strcspn(text + i + 1, "\"") + 2;
        } else {
            i += strcspn(text + i, "[]{},:\"");
        }
        bool digit = i > begin && text[begin] >= '0' && text[begin] <= '9';
        if (i > begin && text[i] != ':' && digit >= numbers &&
            count < PROOF_MOST) {
            tokens[count++] = (token){begin, i};
        }
        i += i == begin;
    }
    return count;
}

static void put(char *out, const char *text, token what, const char *with)
{
    int length = snprintf(out, PROOF_MOST, "%.*s%s%s", (int)what.begin, text,
                          with, text + what.end);
    assert_true(length < PROOF_MOST);
}

static void swap_tokens(char *out, const char *text, token a, token b)
{
    if (a.begin > b.begin) {
        token kept = a;
        a = b;
        b = kept;
    }
    if (a.begin == b.begin) {
        strcpy(out, text);
        return;
    }
    snprintf(out, PROOF_MOST, "%.*s%.*s%.*s%.*s%s", (int)a.begin, text,
             (int)(b.end - b.begin), text + b.begin, (int)(b.begin - a.end),
             text + a.end, (int)(a.end - a.begin), text + a.begin,
             text + b.end);
}

/* An element of a list, or an object in one: all of it and a comma. */
static bool element_at(const char *text, size_t begin, token *what)
{
    size_t i = begin;
    int depth = 0;
    do {
        depth += text[i] == '{' || text[i] == '[';
        depth -= text[i] == '}' || text[i] == ']';
        i++;
    } while (text[i] != '\0' &&
             (depth > 0 || (text[i] != ',' && text[i] != ']')));
    *what = (token){begin, i};
    return text[i] != '\0';
}

static void drop_or_double(char *out, const char *text, token what, bool twice)
{
    char with[PROOF_MOST];
    if (twice) {
        snprintf(with, sizeof with, "%.*s,%.*s", (int)(what.end - what.begin),
                 text + what.begin, (int)(what.end - what.begin),
                 text + what.begin);
    } else {
        with[0] = '\0';
        if (text[what.end] == ',') {
            what.end++;
        } else if (text[what.begin - 1] == ',') {
            what.begin--;
        }
    }
    put(out, text, what, with);
}

static void corrupt_number(char *out, const char *text, proof_draws *r)
{
    static token tokens[PROOF_MOST];
    uint32_t n = tokens_of(text, tokens, true);
    token what = tokens[draw(r, n)], other = tokens[draw(r, n)];
    long value = strtol(text + what.begin, NULL, 10);
    char with[32];
    switch (draw(r, 5)) {
    case 0:
        snprintf(with, sizeof with, "%ld", value + 1);
        put(out, text, what, with);
        break;
    case 1:
        snprintf(with, sizeof with, "%ld", value - 1);
        put(out, text, what, with);
        break;
    case 2:
        swap_tokens(out, text, what, other);
        break;
    default:
        drop_or_double(out, text, what, draw(r, 2) == 0);
    }
}

/* A list or an object within a list goes, or comes twice. */
static void corrupt_item(char *out, const char *text, proof_draws *r)
{
    size_t at[PROOF_MOST];
    uint32_t n = 0;
    token what;
    for (size_t i = 1; text[i] != '\0'; i++) {
        bool starts = text[i] == '{' || text[i] == '[';
        if (starts && (text[i - 1] == ',' || text[i - 1] == '[')) {
            at[n++] = i;
        }
    }
    if (n == 0 || !element_at(text, at[draw(r, n)], &what)) {
        corrupt_number(out, text, r);
        return;
    }
    drop_or_double(out, text, what, draw(r, 2) == 0);
}

static void corrupt_word(char *out, const char *text, proof_draws *r)
{
    static token tokens[PROOF_MOST];
    static const char *const words[] = {
        "true", "false", "null", "\"none\"", "\"tensormap\"", "\"dead-write\""};
    uint32_t n = tokens_of(text, tokens, false);
    put(out, text, tokens[draw(r, n)], words[draw(r, 6)]);
}

void proof_corrupt(char *out, const char *text, proof_draws *r)
{
    switch (draw(r, 4)) {
    case 0:
        corrupt_item(out, text, r);
        break;
    case 1:
        corrupt_word(out, text, r);
        break;
    default:
        corrupt_number(out, text, r);
    }
}
