#include "sonata/bundle.h"

#include <stdlib.h>
#include <string.h>

#include "../json/array.h"
#include "../json/digest.h"
#include "../json/fields.h"
#include "../json/utf8.h"
#include "../json/writer.h"
#include "../score/document.h"

static const char *const roles[] = {
    "graph", "score",  "handle",  "hbg",   "memory",   "eligibility",
    "trace", "source", "regions", "alias", "liveness", "conflicts"};

static bool is_role(sonata_text role)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (sonata_text_is(role, roles[i]))
            return true;
    return false;
}

void sonata_bundle_free(sonata_bundle *bundle)
{
    if (bundle->memory != NULL) {
        sonata_arena_free(bundle->memory);
        free(bundle->memory);
    }
    free(bundle->members);
    *bundle = (sonata_bundle){0};
}

/* The digest of the content, a copy; null when out of memory. */
static sonata_text digest_of(sonata_arena *arena, sonata_text content)
{
    char digest[SONATA_DIGEST_SIZE];
    size_t length = sizeof digest - 1;
    if (!sonata_digest(digest, content.text, content.length))
        return (sonata_text){0};
    return (sonata_text){sonata_arena_copy(arena, digest, length), length};
}

static bool append(sonata_bundle *bundle, sonata_member member)
{
    if (member.role.text == NULL || member.content.text == NULL)
        return false;
    member.sha256 = digest_of(bundle->memory, member.content);
    sonata_member *members = sonata_grow(bundle->members, &bundle->capacity,
                                         bundle->count, sizeof *members);
    if (members == NULL)
        return false;
    bundle->members = members;
    if (member.sha256.text == NULL)
        return false;
    members[bundle->count++] = member;
    return true;
}

static sonata_status add(sonata_bundle *bundle, const char *role, bool is_text,
                         const char *content, size_t length,
                         sonata_error *error)
{
    size_t role_length = strlen(role);
    if (!is_role((sonata_text){role, role_length}))
        return sonata_fail(error, SONATA_REJECTED, "bundle.role",
                           "no member of a bundle has the role '%s'", role);
    if (bundle->memory == NULL)
        bundle->memory = calloc(1, sizeof *bundle->memory);
    if (bundle->memory == NULL)
        return sonata_fail_memory(error);
    sonata_arena *arena = bundle->memory;
    sonata_member member = {
        .role = {sonata_arena_copy(arena, role, role_length), role_length},
        .is_text = is_text,
        .content = {sonata_arena_copy(arena, content, length), length}};
    return append(bundle, member) ? SONATA_OK : sonata_fail_memory(error);
}

sonata_status sonata_bundle_add_document(sonata_bundle *bundle,
                                         const char *role, const char *json,
                                         size_t length, sonata_error *error)
{
    sonata_doc *doc = NULL;
    char *content = NULL;
    size_t content_length = 0;
    sonata_status status = sonata_doc_read(&doc, json, length, error);
    if (status == SONATA_OK)
        status = sonata_node_json(&content, &content_length, doc,
                                  sonata_doc_root(doc), false, error);
    if (status == SONATA_OK)
        status = add(bundle, role, false, content, content_length, error);
    free(content);
    sonata_doc_free(doc);
    return status;
}

sonata_status sonata_bundle_add_written(sonata_bundle *bundle, const char *role,
                                        const char *json, size_t length,
                                        sonata_error *error)
{
    return add(bundle, role, false, json, length, error);
}

sonata_status sonata_bundle_add_text(sonata_bundle *bundle, const char *role,
                                     const char *text, size_t length,
                                     sonata_error *error)
{
    uint32_t point = 0;
    for (size_t i = 0; i < length;) {
        size_t size = sonata_utf8_decode(&point, text + i, length - i);
        if (size == 0)
            return sonata_fail(error, SONATA_SYNTAX, "doc.syntax",
                               "invalid UTF-8 at offset %zu", i);
        i += size;
    }
    return add(bundle, role, true, text, length, error);
}

const sonata_member *sonata_bundle_find(const sonata_bundle *bundle,
                                        const char *role)
{
    for (size_t i = 0; i < bundle->count; i++)
        if (sonata_text_is(bundle->members[i].role, role))
            return &bundle->members[i];
    return NULL;
}

static void write_member(sonata_json *w, const sonata_member *member)
{
    sonata_json_object(w);
    if (!member->is_text) {
        sonata_json_key(w, "document");
        sonata_json_raw(w, member->content.text, member->content.length);
    }
    sonata_json_key(w, "role");
    sonata_write_text(w, member->role);
    sonata_json_key(w, "sha256");
    sonata_write_text(w, member->sha256);
    if (member->is_text) {
        sonata_json_key(w, "text");
        sonata_write_text(w, member->content);
    }
    sonata_json_end_object(w);
}

sonata_status sonata_bundle_json(char **json, size_t *length,
                                 const sonata_bundle *bundle, bool pretty,
                                 sonata_error *error)
{
    sonata_json w;
    sonata_json_init(&w, pretty);
    sonata_json_object(&w);
    sonata_json_key(&w, "kind");
    sonata_json_string(&w, "bundle");
    sonata_json_key(&w, "members");
    sonata_json_array(&w);
    for (size_t i = 0; i < bundle->count; i++)
        write_member(&w, &bundle->members[i]);
    sonata_json_end_array(&w);
    sonata_json_key(&w, "version");
    sonata_json_int(&w, 1);
    sonata_json_end_object(&w);
    *json = sonata_json_take(&w, length);
    return *json == NULL ? sonata_fail_memory(error) : SONATA_OK;
}

enum { DOCUMENT, ROLE, SHA256, TEXT, FIELDS };
static const char *const field_names[] = {"document", "role", "sha256", "text"};

/* Puts the digest in, or compares it with the one that is there. */
static bool check_digest(sonata_member *member, sonata_reading *r,
                         const sonata_place *place)
{
    sonata_place field = {place, field_names[SHA256], 0};
    sonata_text digest = digest_of(r->arena, member->content);
    if (digest.text == NULL)
        return sonata_refuse_memory(r);
    if (member->sha256.text != NULL &&
        !sonata_text_equal(member->sha256, digest))
        return sonata_refuse(r, SONATA_SCHEMA, &field,
                             "is not that of the content, %s", digest.text);
    member->sha256 = digest;
    return true;
}

static bool read_member(void *item, sonata_reading *r,
                        const sonata_place *place, const sonata_node *node)
{
    static const sonata_text required = {0};
    sonata_member *member = item;
    sonata_fields f;
    if (!sonata_fields_open(&f, r, place, node, field_names, FIELDS) ||
        !sonata_field_text(&member->role, r, &f, ROLE, required) ||
        !sonata_field_text_or_null(&member->sha256, r, &f, SHA256))
        return false;
    sonata_place role = {place, field_names[ROLE], 0};
    if (!is_role(member->role))
        return sonata_refuse(r, SONATA_SCHEMA, &role,
                             "is no role in a bundle: '%.60s'",
                             member->role.text);
    member->is_text = f.nodes[TEXT] != NULL;
    if (member->is_text == (f.nodes[DOCUMENT] != NULL))
        return sonata_refuse(r, SONATA_SCHEMA, place,
                             "must have one of 'document' and 'text'");
    if (member->is_text)
        return sonata_field_text(&member->content, r, &f, TEXT, required) &&
               check_digest(member, r, place);
    return sonata_read_json(&member->content, r, f.nodes[DOCUMENT]) &&
           check_digest(member, r, place);
}

static bool read_bundle(void *model, sonata_reading *r, const sonata_node *root)
{
    sonata_bundle *bundle = model;
    enum { KIND, MEMBERS, VERSION, COUNT };
    static const char *const names[] = {"kind", "members", "version"};
    size_t count = 0;
    sonata_fields f;
    if (!sonata_fields_open(&f, r, NULL, root, names, COUNT) ||
        !sonata_field_kind(r, &f, KIND, "bundle") ||
        !sonata_field_require(r, &f, VERSION) ||
        !sonata_field_version(r, &f, VERSION) ||
        !sonata_field_require(r, &f, MEMBERS))
        return false;
    const sonata_member *members = sonata_field_items(
        &count, r, &f, MEMBERS, sizeof *members, read_member);
    if (r->status != SONATA_OK || count == 0)
        return r->status == SONATA_OK;
    /* Outside the arena, so that more can be added. */
    bundle->members = reallocarray(NULL, count, sizeof *members);
    if (bundle->members == NULL)
        return sonata_refuse_memory(r);
    memcpy(bundle->members, members, count * sizeof *members);
    bundle->count = bundle->capacity = count;
    return true;
}

sonata_status sonata_bundle_read(sonata_bundle *bundle, const char *text,
                                 size_t length, sonata_reasons *warnings,
                                 sonata_error *error)
{
    *bundle = (sonata_bundle){0};
    sonata_status status = sonata_read_model(
        bundle, &bundle->memory, read_bundle, text, length, warnings, error);
    if (status != SONATA_OK)
        sonata_bundle_free(bundle);
    return status;
}
