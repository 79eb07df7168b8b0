/* Reading an eligibility result (spec 01). */
#include <stdlib.h>
#include <string.h>

#include "sonata/eligibility.h"

#include "../json/fields.h"
#include "../score/read.h"
#include "../score/reason.h"

enum { ELIGIBLE, DETAILS, REASONS, SCHEMA, SCORE, FIELDS };
static const char *const field_names[] = {"eligible", "reason_details",
                                          "reasons", "schema_version", "score"};

static bool read_severity(bool *is_warning, sonata_reading *r,
                          const sonata_fields *f, size_t i)
{
    static const sonata_text required = {0};
    sonata_place place = {f->place, f->names[i], 0};
    sonata_text severity = {0};
    if (!sonata_field_text(&severity, r, f, i, required))
        return false;
    *is_warning = sonata_text_is(severity, "warning");
    return *is_warning || sonata_text_is(severity, "error") ||
           sonata_refuse(r, SONATA_SCHEMA, &place,
                         "must be 'error' or 'warning', got '%.60s'",
                         severity.text);
}

static bool read_reason(void *item, sonata_reading *r,
                        const sonata_place *place, const sonata_node *node)
{
    enum { CODE, MESSAGE, SEVERITY, COUNT };
    static const char *const names[] = {"code", "message", "severity"};
    static const sonata_text required = {0};
    sonata_place code_place = {place, names[CODE], 0};
    sonata_reason *reason = item;
    sonata_text code = {0};
    sonata_fields f;
    if (!sonata_fields_open(&f, r, place, node, names, COUNT) ||
        !sonata_field_text(&code, r, &f, CODE, required) ||
        !sonata_field_text(&reason->message, r, &f, MESSAGE, required) ||
        !read_severity(&reason->is_warning, r, &f, SEVERITY))
        return false;
    reason->code = code.text;
    return strlen(code.text) == code.length ||
           sonata_refuse(r, SONATA_SCHEMA, &code_place, "holds U+0000");
}

static bool read_reasons(sonata_reasons *reasons, sonata_reading *r,
                         const sonata_fields *f)
{
    size_t count = 0;
    if (!sonata_field_require(r, f, DETAILS))
        return false;
    const sonata_reason *items =
        sonata_field_items(&count, r, f, DETAILS, sizeof *items, read_reason);
    if (r->status != SONATA_OK || count == 0)
        return r->status == SONATA_OK;
    reasons->items = reallocarray(NULL, count, sizeof *items);
    if (reasons->items == NULL)
        return sonata_refuse_memory(r);
    memcpy(reasons->items, items, count * sizeof *items);
    reasons->count = reasons->capacity = count;
    return true;
}

/* The messages of the errors, once more. */
static bool check_messages(const sonata_reasons *reasons, sonata_reading *r,
                           const sonata_fields *f)
{
    sonata_place place = {f->place, field_names[REASONS], 0};
    sonata_text *texts = NULL;
    size_t count = 0;
    if (f->nodes[REASONS] == NULL)
        return true;
    if (!sonata_field_texts(&texts, &count, r, f, REASONS))
        return false;
    size_t at = 0;
    bool same = true;
    for (size_t i = 0; i < reasons->count && same; i++) {
        if (reasons->items[i].is_warning)
            continue;
        same = at < count &&
               sonata_text_equal(texts[at], reasons->items[i].message);
        at++;
    }
    return (same && at == count) ||
           sonata_refuse(r, SONATA_SCHEMA, &place,
                         "are not the messages of the errors");
}

static bool read_score(sonata_eligibility *result, sonata_reading *r,
                       const sonata_fields *f)
{
    sonata_place place = {f->place, field_names[SCORE], 0};
    const sonata_node *node = f->nodes[SCORE];
    bool is_null =
        node == NULL || sonata_node_kind_of(r->doc, node) == SONATA_NODE_NULL;
    if (result->eligible == is_null)
        return sonata_refuse(r, SONATA_SCHEMA, &place,
                             is_null ? "is missing, and eligible is true"
                                     : "is given, and eligible is false");
    if (is_null)
        return true;
    result->score.memory = calloc(1, sizeof *result->score.memory);
    if (result->score.memory == NULL)
        return sonata_refuse_memory(r);
    sonata_reading_restart(r, result->score.memory);
    return sonata_read_score(&result->score, r, &place, node);
}

static bool read_result(sonata_eligibility *result, sonata_reading *r,
                        const sonata_node *root)
{
    sonata_place place = {.name = field_names[ELIGIBLE]};
    sonata_fields f;
    if (!sonata_fields_open(&f, r, NULL, root, field_names, FIELDS) ||
        !sonata_field_version(r, &f, SCHEMA) ||
        !sonata_field_bool(&result->eligible, r, &f, ELIGIBLE) ||
        !read_reasons(&result->reasons, r, &f) ||
        !check_messages(&result->reasons, r, &f))
        return false;
    if (result->eligible == sonata_reasons_reject(&result->reasons))
        return sonata_refuse(r, SONATA_SCHEMA, &place,
                             result->eligible ? "is true in spite of an error"
                                              : "is false without an error");
    return read_score(result, r, &f);
}

sonata_status sonata_eligibility_read(sonata_eligibility *result,
                                      const char *text, size_t length,
                                      sonata_reasons *warnings,
                                      sonata_error *error)
{
    *result = (sonata_eligibility){0};
    sonata_doc *doc = NULL;
    sonata_status status = sonata_doc_read(&doc, text, length, error);
    if (status != SONATA_OK)
        return status;
    sonata_reading r = {.doc = doc,
                        .arena = sonata_reasons_memory(&result->reasons),
                        .warnings = warnings,
                        .error = error};
    if (r.arena == NULL)
        sonata_refuse_memory(&r);
    else
        read_result(result, &r, sonata_doc_root(doc));
    if (r.status != SONATA_OK)
        sonata_eligibility_free(result);
    sonata_reading_free(&r);
    sonata_doc_free(doc);
    return r.status;
}
