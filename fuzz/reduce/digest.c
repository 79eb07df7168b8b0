/*
 * Digests in a text that follow from other parts of it: the SHA-256 of a
 * bundle's member, the fingerprint of a Score. Those that are right stay right.
 */
#include "../gen/digest.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

#define HEX_LENGTH ((size_t)64)

typedef bool score_digest(char *, const char *, size_t);

/* --- The characters of a string --- */

static int hex_value(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The four digits behind \u; false: they are none. */
static bool read_unit(uint32_t *unit, const char *at, const char *end)
{
    *unit = 0;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return false;
    for (int i = 2; i < 6; i++) {
        int value = hex_value(at[i]);
        if (value < 0)
            return false;
        *unit = *unit * 16 + (uint32_t)value;
    }
    return true;
}

static size_t put_point(char *out, uint32_t c)
{
    size_t count = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = count - 1; i > 0; i--) {
        out[i] = (char)(0x80 | (c & 0x3f));
        c >>= 6;
    }
    out[0] = (char)(lead[count] | c);
    return count;
}

/* One escape, at most as long as it is written. */
static size_t put_escape(char *out, const char **at, const char *end)
{
    static const char names[] = "nrtbf", letters[] = "\n\r\t\b\f";
    uint32_t unit, low;
    if (read_unit(&unit, *at, end)) {
        *at += 6;
        if (unit >= 0xd800 && unit < 0xdc00 && read_unit(&low, *at, end) &&
            low >= 0xdc00 && low < 0xe000) {
            *at += 6;
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        }
        return put_point(out, unit);
    }
    const char *name = end - *at > 1 ? strchr(names, (*at)[1]) : NULL;
    out[0] = name != NULL && *name != '\0' ? letters[name - names]
             : end - *at > 1               ? (*at)[1]
                                           : '\\';
    *at += end - *at > 1 ? 2 : 1;
    return 1;
}

static bool digest_string(char hex[HEX_LENGTH], const char *data, size_t length)
{
    char own[HEX_LENGTH + 1];
    char *text = malloc(length + 1);
    size_t used = 0;
    if (text == NULL)
        return false;
    const char *at = data, *end = data + length;
    while (at < end) {
        if (*at == '\\')
            used += put_escape(text + used, &at, end);
        else
            text[used++] = *at++;
    }
    fuzz_sha256(own, text, used);
    memcpy(hex, own, HEX_LENGTH);
    free(text);
    return true;
}

/* --- Digests --- */

/* Of the bytes that `d` is about; false: there is none, or no memory. */
static bool compute(char hex[HEX_LENGTH], const reduce_digest *d,
                    const char *data, size_t length, score_digest *score)
{
    char text[HEX_LENGTH + 1];
    if (d->is_text)
        return length >= 2 && digest_string(hex, data + 1, length - 2);
    if (!d->is_score)
        fuzz_sha256(text, data, length);
    else if (!score(text, data, length))
        return false;
    memcpy(hex, text, HEX_LENGTH);
    return true;
}

static void add(reduce_tree *tree, const reduce_digest *d)
{
    reduce_digest *grown =
        reallocarray(tree->digests, tree->digest_count + 1, sizeof *grown);
    if (grown == NULL) {
        tree->failed = true;
        return;
    }
    tree->digests = grown;
    tree->digests[tree->digest_count++] = *d;
    tree->nodes[d->leaf].made = true;
}

/* Only one that is right is made anew. */
static void find_member_digest(reduce_tree *tree, uint32_t member)
{
    char hex[HEX_LENGTH];
    reduce_digest d = {.leaf = reduce_member(tree, member, "sha256"),
                       .of = reduce_member(tree, member, "document")};
    if (d.of == REDUCE_NONE) {
        d.of = reduce_member(tree, member, "text");
        d.is_text = true;
    }
    if (d.leaf == REDUCE_NONE || d.of == REDUCE_NONE ||
        !reduce_is_leaf(tree, d.leaf) ||
        reduce_is_leaf(tree, d.of) != d.is_text)
        return;
    fuzz_piece value = reduce_value(tree, d.leaf);
    fuzz_piece of = tree->nodes[d.of].text;
    if (value.length == HEX_LENGTH &&
        compute(hex, &d, of.data, of.length, NULL) &&
        memcmp(hex, value.data, HEX_LENGTH) == 0)
        add(tree, &d);
}

/* All other places that have the fingerprint of a Score. */
static void find_fingerprints(reduce_tree *tree, uint32_t score,
                              score_digest *digest)
{
    char hex[HEX_LENGTH];
    reduce_digest d = {.of = score, .is_score = true};
    fuzz_piece of = tree->nodes[score].text;
    if (tree->nodes[score].shape != REDUCE_OBJECT ||
        !compute(hex, &d, of.data, of.length, digest))
        return;
    for (d.leaf = 0; d.leaf < tree->count && !tree->failed; d.leaf++) {
        const reduce_node *node = &tree->nodes[d.leaf];
        if (node->shape == REDUCE_LEAF && !node->made &&
            node->text.length == HEX_LENGTH + 2 &&
            memcmp(node->text.data + 1, hex, HEX_LENGTH) == 0)
            add(tree, &d);
    }
}

void reduce_find_digests(reduce_tree *tree, score_digest *score)
{
    uint32_t members = reduce_member(tree, 0, "members");
    uint32_t alone = reduce_member(tree, 0, "score");
    if (alone != REDUCE_NONE && score != NULL)
        find_fingerprints(tree, alone, score);
    if (members == REDUCE_NONE || tree->nodes[members].shape != REDUCE_LIST)
        return;
    for (uint32_t m = tree->nodes[members].first; m != REDUCE_NONE;
         m = tree->nodes[m].next) {
        uint32_t role = reduce_member(tree, m, "role");
        uint32_t document = reduce_member(tree, m, "document");
        find_member_digest(tree, m);
        if (role != REDUCE_NONE && document != REDUCE_NONE && score != NULL &&
            reduce_piece_is(reduce_value(tree, role), "score"))
            find_fingerprints(tree, document, score);
    }
}

void reduce_write_digests(fuzz_text *out, reduce_tree *tree,
                          score_digest *score)
{
    /* Fingerprints first: they are part of what SHA-256 is taken of. */
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t i = 0; i < tree->digest_count; i++) {
            const reduce_digest *d = &tree->digests[i];
            char hex[HEX_LENGTH];
            if (d->is_score != (pass == 0) || d->at == SIZE_MAX ||
                d->end == SIZE_MAX || out->failed)
                continue;
            if (compute(hex, d, out->data + d->begin, d->end - d->begin, score))
                memcpy(out->data + d->at, hex, HEX_LENGTH);
        }
    }
}
