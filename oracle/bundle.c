/* A bundle (spec 09): its graph is judged, else its Score. */
#include "record.h"

#include <inttypes.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>

/* The bytes of an array or object, to its closing bracket. */
static size_t container_length(const char *text)
{
    size_t open = 0;
    bool quoted = false;
    for (size_t i = 0;; i++) {
        char c = text[i];
        if (quoted) {
            i += c == '\\' ? 1 : 0;
            quoted = c != '"';
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            open++;
        } else if ((c == ']' || c == '}') && --open == 0) {
            return i + 1;
        }
    }
}

/*
 * The bytes of a value as they stand in the text. Between a member of an object
 * and the key behind it are a comma and space.
 */
static size_t slice_length(const oracle_json *json, uint32_t object,
                           uint32_t node)
{
    const oracle_json_node *n = &json->nodes[node];
    uint32_t next = oracle_json_next(json, node);
    if (n->type < ORACLE_JSON_ARRAY) {
        return n->extent;
    }
    if (next == oracle_json_next(json, object)) {
        return container_length(json->text + n->offset);
    }
    char bracket = n->type == ORACLE_JSON_ARRAY ? ']' : '}';
    size_t end = json->nodes[next].offset;
    while (json->text[end - 1] != bracket) {
        end--;
    }
    return end - n->offset;
}

static void to_hex(const unsigned char *digest, char *hex)
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < SHA256_DIGEST_LENGTH; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * SHA256_DIGEST_LENGTH] = '\0';
}

/*
 * The digest of a document is over its bytes as they stand in the bundle, of
 * a text over its UTF-8 bytes.
 */
static bool check_digest(oracle_reader *reader, uint32_t object,
                         uint32_t digest, uint32_t document, uint32_t text)
{
    const oracle_json *json = reader->json;
    unsigned char raw[SHA256_DIGEST_LENGTH];
    char hex[2 * SHA256_DIGEST_LENGTH + 1];
    uint32_t node = document != ORACLE_NONE ? document : text;
    if (node == ORACLE_NONE) {
        return true;
    }
    const char *data = json->text + json->nodes[node].offset;
    if (document != ORACLE_NONE) {
        SHA256((const unsigned char *)data, slice_length(json, object, node),
               raw);
    } else {
        char *plain = malloc(json->nodes[node].extent);
        if (plain == NULL) {
            return oracle_reader_memory(reader);
        }
        size_t length = oracle_json_unescape(json, node, plain);
        SHA256((const unsigned char *)plain, length, raw);
        free(plain);
    }
    to_hex(raw, hex);
    if (!oracle_json_is(json, digest, hex, strlen(hex))) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, json, digest,
                          "is not the SHA-256 of its member, which is %s", hex);
        return false;
    }
    return true;
}

/* Behind the source: what a planner tells besides, which is not judged. */
static const char *const roles[] = {
    "graph", "score",  "handle",  "hbg",   "memory",   "eligibility", "record",
    "trace", "source", "regions", "alias", "liveness", "conflicts",   NULL};

/* The two files of a run may stand as text, each with its own places. */
static bool keep_member(oracle_reader *reader, oracle_members *members,
                        uint32_t node, uint32_t role, uint32_t document,
                        uint32_t text)
{
    if (role >= ORACLE_ROLE_SOURCE) {
        return true;
    }
    if (role >= ORACLE_ROLE_RECORD && document == ORACLE_NONE) {
        document = text;
    }
    if (members->node[role] != ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "is a second member of its role");
        return false;
    }
    members->node[role] = document;
    return oracle_reader_need(reader, node, document, "document");
}

static bool read_member(oracle_reader *reader, uint32_t node,
                        oracle_members *members)
{
    enum { ROLE, DIGEST, DOCUMENT, TEXT };
    static const oracle_fields fields = {
        "members[]",
        4,
        {ORACLE_FIELD("role"), ORACLE_FIELD("sha256"), ORACLE_FIELD("document"),
         ORACLE_FIELD("text")}};
    uint32_t value[4];
    uint32_t role;
    oracle_text text;
    if (!oracle_reader_fields(reader, node, &fields, value) ||
        !oracle_reader_need(reader, node, value[ROLE], "role") ||
        !oracle_reader_word(reader, value[ROLE], roles,
                            "one of the roles of a bundle", &role) ||
        (value[TEXT] != ORACLE_NONE &&
         !oracle_reader_string(reader, value[TEXT], &text))) {
        return false;
    }
    if ((value[DOCUMENT] == ORACLE_NONE) == (value[TEXT] == ORACLE_NONE)) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, node,
                          "must have either \"document\" or \"text\"");
        return false;
    }
    if (!oracle_reader_absent(reader, value[DIGEST])) {
        if (!oracle_reader_string(reader, value[DIGEST], &text) ||
            !check_digest(reader, node, value[DIGEST], value[DOCUMENT],
                          value[TEXT])) {
            return false;
        }
    }
    return keep_member(reader, members, node, role, value[DOCUMENT],
                       value[TEXT]);
}

/* --- The record of a run --- */

/* Reads a member with its own JSON where it stands as a text. */
static bool read_part(oracle_reader *reader, uint32_t node,
                      bool (*read)(oracle_reader *reader, uint32_t root))
{
    oracle_json *outer = reader->json;
    oracle_json inner;
    if (oracle_reader_type(reader, node) != ORACLE_JSON_STRING) {
        return read(reader, node);
    }
    char *plain = oracle_arena_alloc(reader->arena, outer->nodes[node].extent);
    if (plain == NULL) {
        return oracle_reader_memory(reader);
    }
    size_t length = oracle_json_unescape(outer, node, plain);
    if (oracle_json_parse(&inner, plain, length, reader->error) != ORACLE_OK) {
        return false;
    }
    reader->json = &inner;
    bool ok = read(reader, 0);
    reader->json = outer;
    oracle_json_free(&inner);
    return ok;
}

/* A trace that cannot be read takes nothing from its record. */
static bool refuse_trace(oracle_reader *reader, uint32_t node)
{
    oracle_error error = *reader->error;
    char message[700];
    memset(reader->error, 0, sizeof *reader->error);
    snprintf(message, sizeof message,
             "the trace beside the record cannot be read, in its line %" PRIu64
             ", column %" PRIu64 ": %s",
             error.line, error.column, error.message);
    reader->document->run->times = NULL;
    const char *rule = error.status == ORACLE_SYNTAX  ? "doc.syntax"
                       : error.status == ORACLE_RANGE ? "doc.range"
                                                      : "doc.schema";
    if (!oracle_reader_remark(reader, rule, message, "trace", node)) {
        return false;
    }
    oracle_document *d = reader->document;
    d->remarks[d->remark_count - 1].line = 0; /* of the file of the record */
    return true;
}

static bool read_run(oracle_reader *reader, const oracle_members *members)
{
    uint32_t trace = members->node[ORACLE_ROLE_TRACE];
    if (!read_part(reader, members->node[ORACLE_ROLE_RECORD],
                   oracle_read_record)) {
        return false;
    }
    if (members->node[ORACLE_ROLE_MEMORY] != ORACLE_NONE &&
        !oracle_reader_remark(reader, "doc.unsupported",
                              "a memory plan is not judged against the record "
                              "of a run",
                              "members[].memory",
                              members->node[ORACLE_ROLE_MEMORY])) {
        return false;
    }
    return trace == ORACLE_NONE ||
           read_part(reader, trace, oracle_read_trace) ||
           (reader->error->status != ORACLE_NO_MEMORY &&
            refuse_trace(reader, trace));
}

/* What the runtime is given, without Score and graph. */
static bool read_tables(oracle_reader *reader, const oracle_members *members)
{
    uint32_t handle = members->node[ORACLE_ROLE_HANDLE];
    uint32_t table = members->node[ORACLE_ROLE_HBG];
    return (handle == ORACLE_NONE || oracle_read_handle(reader, handle)) &&
           oracle_read_hbg(reader, table) &&
           oracle_read_hbg_tasks(reader, table, handle);
}

/* The graph is judged, else the Score, else what the host_build_graph plan says
 * of its tasks; of the rest the form is read. */
static bool read_documents(oracle_reader *reader, uint32_t root,
                           const oracle_members *members)
{
    static const struct {
        oracle_role role;
        bool (*read)(oracle_reader *reader, uint32_t root);
    } others[] = {{ORACLE_ROLE_HANDLE, oracle_read_handle},
                  {ORACLE_ROLE_HBG, oracle_read_hbg},
                  {ORACLE_ROLE_ELIGIBILITY, oracle_read_eligibility}};
    uint32_t graph = members->node[ORACLE_ROLE_GRAPH];
    uint32_t score = members->node[ORACLE_ROLE_SCORE];
    uint32_t plan = members->node[ORACLE_ROLE_MEMORY];
    if (members->node[ORACLE_ROLE_RECORD] != ORACLE_NONE) {
        return read_run(reader, members);
    }
    if (members->node[ORACLE_ROLE_TRACE] != ORACLE_NONE &&
        !oracle_reader_remark(reader, "doc.unsupported",
                              "a trace is judged with the record of its run, "
                              "which the bundle does not have",
                              "members[].trace",
                              members->node[ORACLE_ROLE_TRACE])) {
        return false;
    }
    bool planned = graph != ORACLE_NONE || score != ORACLE_NONE;
    bool tabled = !planned && members->node[ORACLE_ROLE_HBG] != ORACLE_NONE;
    if (!planned && !tabled &&
        members->node[ORACLE_ROLE_ELIGIBILITY] == ORACLE_NONE) {
        oracle_fault_node(reader->error, ORACLE_SCHEMA, reader->json, root,
                          "has neither a graph nor a Score nor a record nor a "
                          "host_build_graph plan among its members");
        return false;
    }
    /* Without either it says that nothing was planned, and why. */
    if (planned && (graph != ORACLE_NONE ? !oracle_read_graph(reader, graph)
                                         : !oracle_read_score(reader, score))) {
        return false;
    }
    if (tabled && !read_tables(reader, members)) {
        return false;
    }
    if (plan != ORACLE_NONE &&
        !oracle_read_memory_plan(reader, plan, graph == ORACLE_NONE)) {
        return false;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        uint32_t node = members->node[others[i].role];
        bool is_read = tabled && others[i].role != ORACLE_ROLE_ELIGIBILITY;
        if (!is_read && node != ORACLE_NONE && !others[i].read(reader, node)) {
            return false;
        }
    }
    return true;
}

bool oracle_read_bundle(oracle_reader *reader, uint32_t root)
{
    enum { KIND, VERSION, MEMBERS };
    static const oracle_fields fields = {"",
                                         3,
                                         {ORACLE_FIELD("kind"),
                                          ORACLE_FIELD("version"),
                                          ORACLE_FIELD("members")}};
    uint32_t value[3];
    uint32_t at;
    uint32_t end;
    oracle_members own = {.json = reader->json};
    memset(own.node, 0xff, sizeof own.node);
    oracle_members *members = reader->members == NULL ? &own : reader->members;
    if (!oracle_reader_fields(reader, root, &fields, value) ||
        !oracle_read_version(reader, root, value[VERSION]) ||
        !oracle_reader_need(reader, root, value[MEMBERS], "members") ||
        !oracle_reader_list(reader, value[MEMBERS], &at, &end)) {
        return false;
    }
    for (; at < end; at = oracle_json_next(reader->json, at)) {
        if (!read_member(reader, at, members)) {
            return false;
        }
    }
    return read_documents(reader, root, members);
}
