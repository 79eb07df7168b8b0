/* The forms of texts, and the passes of each. */
#include <string.h>

#include "pass.h"

/* How the reducer and its check see a text; both parsers are linear. */
static bool parses(bool (*parse)(reduce_tree *, const char *, size_t),
                   const char *text, size_t length)
{
    reduce_tree tree = {0};
    bool ok = parse(&tree, text, length);
    reduce_tree_free(&tree);
    return ok;
}

static bool has_text(const char *text, size_t length, const char *what)
{
    return memmem(text, length, what, strlen(what)) != NULL;
}

fuzz_form fuzz_form_of(const char *text, size_t length)
{
    if (parses(reduce_parse_json, text, length))
        return FUZZ_FORM_JSON;
    if ((has_text(text, length, "def ") || has_text(text, length, "import ")) &&
        parses(reduce_parse_code, text, length))
        return FUZZ_FORM_CODE;
    return FUZZ_FORM_PLAIN;
}

const char *fuzz_form_name(fuzz_form form)
{
    static const char *const names[FUZZ_FORMS] = {
        [FUZZ_FORM_JSON] = "json",
        [FUZZ_FORM_CODE] = "code",
        [FUZZ_FORM_PLAIN] = "plain",
    };
    return (unsigned)form < FUZZ_FORMS ? names[form] : "plain";
}

#define STEPS(form, steps)                                                     \
    {                                                                          \
        .parse = reduce_parse_##form, .make = steps                            \
    }
#define SPARE(form, steps)                                                     \
    {                                                                          \
        .parse = reduce_parse_##form, .make = steps, .spare = true             \
    }
#define VALUES(form, targets, steps)                                           \
    {                                                                          \
        .parse = reduce_parse_##form, .find = targets, .value = steps          \
    }

/* A name that was given up is free for the next one. */
#define NAMES(form)                                                            \
    {                                                                          \
        .parse = reduce_parse_##form, .find = reduce_find_names,               \
        .value = reduce_value_names, .repeats = true                           \
    }

const reduce_pass *reduce_passes(fuzz_form form)
{
    static const reduce_pass json[] = {
        STEPS(json, reduce_make_seals),
        STEPS(json, reduce_make_texts),
        {.parse = reduce_parse_json, .make = reduce_make_tasks, .fine = true},
        {.parse = reduce_parse_json,
         .find = reduce_find_counted,
         .value = reduce_value_counted,
         .fine = true},
        STEPS(json, reduce_make_columns),
        SPARE(json, reduce_make_place_lifts),
        SPARE(json, reduce_make_place_nulls),
        {.parse = reduce_parse_json, .make = reduce_make_joins, .fine = true},
        SPARE(json, reduce_make_places),
        STEPS(json, reduce_make_items),
        STEPS(json, reduce_make_keys),
        STEPS(json, reduce_make_names),
        STEPS(json, reduce_make_arguments),
        VALUES(json, reduce_find_inner, reduce_value_simpler),
        STEPS(json, reduce_make_values),
        VALUES(json, reduce_find_equal_numbers, reduce_value_numbers),
        VALUES(json, reduce_find_numbers, reduce_value_number),
        VALUES(json, reduce_find_odd, reduce_value_odd),
        STEPS(json, reduce_make_ids),
        VALUES(json, reduce_find_strings, reduce_value_string),
        NAMES(json),
        VALUES(json, reduce_find_keys, reduce_value_keys),
        STEPS(json, reduce_make_cut),
        {0},
    };
    static const reduce_pass code[] = {
        STEPS(code, reduce_make_statements),
        STEPS(code, reduce_make_bypasses),
        STEPS(code, reduce_make_parameters),
        STEPS(code, reduce_make_bodies),
        STEPS(code, reduce_make_marks),
        STEPS(code, reduce_make_types),
        STEPS(code, reduce_make_groups),
        STEPS(code, reduce_make_lifts),
        STEPS(code, reduce_make_words),
        VALUES(code, reduce_find_equal_numbers, reduce_value_numbers),
        VALUES(code, reduce_find_numbers, reduce_value_number),
        NAMES(code),
        VALUES(code, reduce_find_strings, reduce_value_string),
        {0},
    };
    static const reduce_pass plain[] = {
        STEPS(lines, reduce_make_parts),
        STEPS(pieces, reduce_make_pieces),
        STEPS(words, reduce_make_parts),
        STEPS(letters, reduce_make_parts),
        VALUES(words, reduce_find_equal_numbers, reduce_value_numbers),
        VALUES(words, reduce_find_numbers, reduce_value_number),
        {0},
    };
    return form == FUZZ_FORM_JSON   ? json
           : form == FUZZ_FORM_CODE ? code
                                    : plain;
}
