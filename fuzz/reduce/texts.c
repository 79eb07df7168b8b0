/* Members of a bundle that are told as text, where the text has parts. */
#include "pass.h"

#include <stdlib.h>
#include <string.h>

/*
 * What a JSON string of ASCII says, at most as long as it is; false: it has
 * escapes of other letters.
 */
static bool unescape(char *to, size_t *length, fuzz_piece string)
{
    static const char from[] = "\"\\/bfnrt", plain[] = "\"\\/\b\f\n\r\t";
    size_t used = 0;
    for (size_t i = 1; i + 1 < string.length; i++) {
        char c = string.data[i];
        if (c == '\\') {
            const char *known = strchr(from, string.data[++i]);
            if (known == NULL || *known == '\0')
                return false;
            c = plain[known - from];
        }
        to[used++] = c;
    }
    *length = used;
    return true;
}

static void unfold(reduce_plan *plan, const reduce_tree *tree, uint32_t node)
{
    fuzz_piece string = tree->nodes[node].text;
    char *text = malloc(string.length + 1);
    size_t length = 0;
    if (text == NULL)
        plan->failed = true;
    else if (unescape(text, &length, string) && length > 0 && text[0] == '{' &&
             fuzz_form_of(text, length) == FUZZ_FORM_JSON) {
        reduce_plan_step(plan, 0);
        reduce_plan_set(plan, node, reduce_plan_copy(plan, text, length));
        reduce_plan_name(plan, node, reduce_plan_string(plan, "\"document\""));
    }
    free(text);
}

void reduce_make_texts(reduce_plan *plan, const reduce_tree *tree)
{
    for (uint32_t i = 0; i < tree->count && !plan->failed; i++)
        if (reduce_is_leaf(tree, i) && reduce_key_is(tree, i, "text") &&
            tree->nodes[i].text.length > 2 &&
            tree->nodes[i].text.data[0] == '"')
            unfold(plan, tree, i);
}
