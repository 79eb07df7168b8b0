/*
 * Where a document of an answer differs from what it must be. Both are brought
 * into the canonical form, where equal values are equal bytes and keys are
 * sorted, so that one walk along both finds the first difference.
 */
#include "answer_work.h"

#include <stdio.h>
#include <string.h>

/* The first place at which two values differ. ORACLE_NONE: nothing is there. */
typedef struct difference {
    uint32_t wanted, found;
} difference;

typedef struct frame {
    bool object;
    uint32_t wanted, wanted_end, found, found_end;
} frame;

typedef struct walk {
    const oracle_json *wanted, *found;
    frame open[ORACLE_JSON_OPEN];
    uint32_t depth;
} walk;

static bool same_token(const walk *w, uint32_t a, uint32_t b)
{
    const oracle_json_node *x = &w->wanted->nodes[a], *y = &w->found->nodes[b];
    return x->type == y->type && x->extent == y->extent &&
           memcmp(w->wanted->text + x->offset, w->found->text + y->offset,
                  x->extent) == 0;
}

/* Goes into two values; false: they differ. */
static bool enter(walk *w, uint32_t a, uint32_t b)
{
    uint32_t type = w->wanted->nodes[a].type;
    if (type < ORACLE_JSON_ARRAY) {
        return same_token(w, a, b);
    }
    if (type != w->found->nodes[b].type) {
        return false;
    }
    w->open[w->depth++] = (frame){type == ORACLE_JSON_OBJECT, a + 1,
                                  oracle_json_next(w->wanted, a), b + 1,
                                  oracle_json_next(w->found, b)};
    return true;
}

/* Canonical keys are ASCII: their order is that of their bytes. */
static int compare_key(const walk *w, uint32_t a, uint32_t b)
{
    const oracle_json_node *x = &w->wanted->nodes[a], *y = &w->found->nodes[b];
    uint32_t common = x->extent < y->extent ? x->extent : y->extent;
    int order =
        memcmp(w->wanted->text + x->offset, w->found->text + y->offset, common);
    return order != 0 ? order
                      : (x->extent > y->extent) - (x->extent < y->extent);
}

/* The next two values of a frame; false: one of them is not there. */
static bool next_pair(walk *w, frame *f, difference *d)
{
    bool wanted = f->wanted < f->wanted_end, found = f->found < f->found_end;
    int order = wanted && found && f->object
                    ? compare_key(w, f->wanted, f->found)
                : wanted == found ? 0
                : wanted          ? -1
                                  : 1;
    uint32_t value = f->object ? 1 : 0;
    d->wanted = order <= 0 ? f->wanted + value : ORACLE_NONE;
    d->found = order >= 0 ? f->found + value : ORACLE_NONE;
    if (order == 0) {
        f->wanted = oracle_json_next(w->wanted, d->wanted);
        f->found = oracle_json_next(w->found, d->found);
    }
    return order == 0;
}

/* False: they are the same. */
static bool differ(const oracle_json *wanted, uint32_t a,
                   const oracle_json *found, uint32_t b, difference *d)
{
    walk w; /* frames are written before they are read */
    w.wanted = wanted;
    w.found = found;
    w.depth = 0;
    *d = (difference){a, b};
    if (!enter(&w, a, b)) {
        return true;
    }
    while (w.depth > 0) {
        frame *f = &w.open[w.depth - 1];
        if (f->wanted >= f->wanted_end && f->found >= f->found_end) {
            w.depth--;
            continue;
        }
        if (!next_pair(&w, f, d) || !enter(&w, d->wanted, d->found)) {
            return true;
        }
    }
    return false;
}

bool answer_same_value(const oracle_json *wanted, uint32_t a,
                       const oracle_json *found, uint32_t b)
{
    difference d;
    return !differ(wanted, a, found, b, &d);
}

/* --- Telling --- */

typedef struct comparison {
    answering *a;
    answer_member member;
    const answer_field *fields;
    const oracle_json *wanted, *found; /* both canonical */
} comparison;

static const answer_field *field_of(const comparison *c, const char *name,
                                    size_t length)
{
    const answer_field *f = c->fields;
    while (f->name != NULL &&
           (strlen(f->name) != length || memcmp(f->name, name, length) != 0)) {
        f++;
    }
    return f;
}

/* By the whole field, since a list that lacks an item differs in all behind. */
static bool shape_of(const comparison *c, const answer_field *f,
                     const difference *d)
{
    char place[64];
    uint32_t wanted = d->wanted, found = d->found;
    if (f->name != NULL && f->name[0] != '\0') {
        wanted = oracle_json_member(c->wanted, 0, f->name);
        found = oracle_json_member(c->found, 0, f->name);
    }
    snprintf(place, sizeof place, "%s.%s", answer_member_names[c->member],
             f->name == NULL ? "" : f->name);
    /* The digest of a Score says nothing of what differs in it. */
    return strcmp(f->rule, "diff.fingerprint") == 0 ||
           answer_shape(c->a, place, c->wanted, wanted, c->found, found);
}

static bool tell(const comparison *c, const answer_field *f,
                 const difference *d)
{
    oracle_arena *arena = c->a->arena;
    bool here = d->found != ORACLE_NONE;
    char path[128];
    oracle_json_path(here ? c->found : c->wanted, here ? d->found : d->wanted,
                     path, sizeof path);
    const char *rule = f->rule, *cause = f->cause;
    if (c->member == ANSWER_HBG &&
        strcmp(path, "metadata.score_fingerprint") == 0) {
        rule = "diff.fingerprint";
        cause = "hbg";
    }
    const char *found = oracle_tell_value(arena, c->found, d->found);
    const char *wanted = oracle_tell_value(arena, c->wanted, d->wanted);
    return found != NULL && wanted != NULL && shape_of(c, f, d) &&
           answer_report(c->a, rule, cause,
                         "%s in the planner's member %s is %s, by the rules it "
                         "is %s",
                         path[0] == '\0' ? "the document" : path,
                         answer_member_names[c->member], found, wanted);
}

/* Each field of the two documents by itself. */
static bool compare_fields(comparison *c)
{
    walk w = {.wanted = c->wanted, .found = c->found};
    difference d = {0, 0};
    if (!enter(&w, 0, 0)) {
        return tell(c, field_of(c, "", 0), &d);
    }
    frame *f = &w.open[0];
    while (f->wanted < f->wanted_end || f->found < f->found_end) {
        bool both = next_pair(&w, f, &d);
        bool here = d.found != ORACLE_NONE;
        const oracle_json *json = here ? c->found : c->wanted;
        const oracle_json_node *key =
            &json->nodes[(here ? d.found : d.wanted) - 1];
        const answer_field *field =
            field_of(c, json->text + key->offset + 1, key->extent - 2);
        if (!both) {
            f->wanted = here ? f->wanted : oracle_json_next(w.wanted, d.wanted);
            f->found = here ? oracle_json_next(w.found, d.found) : f->found;
        }
        if ((!both || differ(c->wanted, d.wanted, c->found, d.found, &d)) &&
            !tell(c, field, &d)) {
            return false;
        }
    }
    return true;
}

static bool parse_both(comparison *c, const oracle_out *wanted,
                       const oracle_out *found)
{
    oracle_json a, b;
    oracle_error error;
    size_t used;
    bool ok = oracle_json_parse_value(&a, wanted->data, wanted->length, &used,
                                      &error) == ORACLE_OK;
    if (!ok) {
        return false;
    }
    ok = oracle_json_parse_value(&b, found->data, found->length, &used,
                                 &error) == ORACLE_OK;
    if (ok) {
        c->wanted = &a;
        c->found = &b;
        ok = compare_fields(c);
        oracle_json_free(&b);
    }
    oracle_json_free(&a);
    return ok;
}

bool answer_is_text(const answering *a, uint32_t node, const oracle_out *text)
{
    size_t offset = a->bundle.nodes[node].offset;
    return a->bundle.length - offset >= text->length &&
           memcmp(a->bundle.text + offset, text->data, text->length) == 0;
}

/* What a byte is, for what is spelled otherwise. */
static char class_of(char c)
{
    return c >= '0' && c <= '9'   ? 'n'
           : c >= 'a' && c <= 'z' ? 'a'
           : c >= 'A' && c <= 'Z' ? 'A'
           : c == '\0'            ? ' '
                                  : c;
}

static bool report_layout(answering *a, answer_member member, uint32_t node,
                          const oracle_out *text)
{
    const char *found = a->bundle.text + a->bundle.nodes[node].offset;
    size_t left = a->bundle.length - a->bundle.nodes[node].offset, at = 0;
    while (at < text->length && at < left && found[at] == text->data[at]) {
        at++;
    }
    char pair[4] = {class_of(at < left ? found[at] : ' '),
                    class_of(at < text->length ? text->data[at] : ' '), '\0'};
    const char *const words[4] = {pair};
    return answer_shape_words(a, words) &&
           answer_report(a, "diff.encoding", "layout",
                         "the planner's member %s is no compact canonical "
                         "JSON: byte %zu of it is another",
                         answer_member_names[member], at);
}

bool answer_compare(answering *a, answer_member member, const oracle_out *text,
                    const answer_field *fields, bool *same)
{
    uint32_t node = a->member[member];
    comparison c = {.a = a, .member = member, .fields = fields};
    *same = true;
    if (text->failed || node == ORACLE_NONE || answer_is_text(a, node, text)) {
        return !text->failed;
    }
    oracle_canon found = {0};
    oracle_canon_value(&found, &a->bundle, node);
    bool ok = !found.out.failed;
    if (ok && found.out.length == text->length &&
        memcmp(found.out.data, text->data, text->length) == 0) {
        ok = !a->options.encodings || member != ANSWER_SCORE ||
             report_layout(a, member, node, text);
    } else if (ok) {
        *same = false;
        ok = parse_both(&c, text, &found.out);
    }
    oracle_out_free(&found.out);
    return ok;
}
