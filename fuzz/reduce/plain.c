/* Any text: its lines, its words, its letters. */
#include "tree.h"

#include <string.h>

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= '0' && c <= '9') || c == '_' || (c & 0x80) != 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t line_length(const char *at, size_t rest)
{
    const char *newline = memchr(at, '\n', rest);
    return newline == NULL ? rest : (size_t)(newline - at) + 1;
}

static size_t word_length(const char *at, size_t rest)
{
    size_t length = 1;
    if (is_word(*at))
        while (length < rest && is_word(at[length]))
            length++;
    else if (is_blank(*at))
        while (length < rest && is_blank(at[length]))
            length++;
    return length;
}

/* Of a character in UTF-8, or of a byte that begins none. */
static size_t letter_length(const char *at, size_t rest)
{
    unsigned char c = (unsigned char)*at;
    size_t length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
    for (size_t i = 1; i < length; i++)
        if (i >= rest || ((unsigned char)at[i] & 0xc0) != 0x80)
            return 1;
    return length;
}

static bool split(reduce_tree *tree, const char *text, size_t length,
                  size_t (*part)(const char *, size_t))
{
    tree->text = text;
    tree->length = length;
    tree->newline = "";
    uint32_t root = reduce_tree_add(tree, REDUCE_NONE, REDUCE_BLOCK);
    for (size_t at = 0; at < length && !tree->failed;) {
        size_t size = part(text + at, length - at);
        uint32_t leaf = reduce_tree_add(tree, root, REDUCE_LEAF);
        if (leaf != REDUCE_NONE)
            tree->nodes[leaf].text = (fuzz_piece){text + at, size};
        at += size;
    }
    return !tree->failed;
}

bool reduce_parse_lines(reduce_tree *tree, const char *text, size_t length)
{
    return split(tree, text, length, line_length);
}

bool reduce_parse_words(reduce_tree *tree, const char *text, size_t length)
{
    return split(tree, text, length, word_length);
}

bool reduce_parse_letters(reduce_tree *tree, const char *text, size_t length)
{
    return split(tree, text, length, letter_length);
}
