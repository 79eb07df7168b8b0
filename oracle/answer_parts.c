/* The pieces of a question and of an answer. */
#include "answer_work.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const answer_member_names[ANSWER_MEMBERS] = {
    "graph",  "score", "eligibility", "handle",    "hbg",
    "memory", "alias", "liveness",    "conflicts", "regions"};

bool answer_report(answering *a, const char *rule, const char *cause,
                   const char *format, ...)
{
    char text[1024];
    oracle_record *grown =
        oracle_arena_push(a->arena, a->records, a->count, sizeof *grown);
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text - 1, format, args);
    va_end(args);
    if (grown == NULL || length < 0) {
        return false;
    }
    if ((size_t)length < sizeof text - 1) {
        memcpy(text + length, ".", 2);
    }
    char shown[sizeof text];
    oracle_json_printable(text, strlen(text), shown, sizeof shown);
    a->records = grown;
    oracle_record *record = &grown[a->count++];
    *record = oracle_record_of(rule, ORACLE_ERROR);
    record->cause = cause;
    record->shape = a->shape;
    a->shape = NULL;
    record->message = oracle_arena_text(a->arena, shown, strlen(shown));
    return record->message != NULL;
}

bool answer_undecided(answering *a, const char *what)
{
    oracle_judgement *j = a->judgement;
    const char **grown = oracle_arena_push(a->arena, j->undecided,
                                           j->undecided_count, sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    j->undecided = grown;
    grown[j->undecided_count++] = what;
    return true;
}

/* --- Options --- */

static bool is_text(const oracle_json *json, uint32_t node, const char *text)
{
    return json->nodes[node].type == ORACLE_JSON_STRING &&
           oracle_json_is(json, node, text, strlen(text));
}

/* The place of a text in a list that NULL ends; -1: none. */
static int word_of(const oracle_json *json, uint32_t node,
                   const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++) {
        if (is_text(json, node, words[i])) {
            return i;
        }
    }
    return -1;
}

static void take_policy(answer_options *o, uint32_t node)
{
    static const char *const policies[] = {"dataflow_v0", "sequential_v0",
                                           "mixed", NULL};
    int word = word_of(&o->json, node, policies);
    o->named_policy = true;
    if (word < 0) {
        o->bad = "there is no such policy";
    } else {
        snprintf(o->policy, sizeof o->policy, "%s", policies[word]);
    }
}

static void take_word(answer_options *o, const char *name, uint32_t node)
{
    static const char *const memories[] = {"greedy_dag", "greedy_v0", NULL};
    static const char *const profiles[] = {"safe", "sonata-0.9", NULL};
    static const char *const regions[] = {"whole_v0", "per_region", NULL};
    int word = 0;
    if (strcmp(name, "memory") == 0) {
        word = word_of(&o->json, node, memories);
        o->greedy = word == 1;
    } else if (strcmp(name, "profile") == 0) {
        word = word_of(&o->json, node, profiles);
        o->is_v09 = word == 1;
        o->per_region = word == 0;
    } else if (strcmp(name, "regions") == 0) {
        word = word_of(&o->json, node, regions);
        o->per_region = word == 1; /* whatever the profile, which came first */
    }
    o->bad = word < 0 ? "an option has a value that it cannot have" : o->bad;
}

static void take_emit(answer_options *o, const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        const char *comma = memchr(text + at, ',', length - at);
        size_t end = comma == NULL ? length : (size_t)(comma - text);
        unsigned found = end - at == 6 && memcmp(text + at, "bundle", 6) == 0;
        o->defaults = o->defaults || found != 0;
        for (unsigned m = 0; m < ANSWER_MEMBERS; m++) {
            if (strlen(answer_member_names[m]) == end - at &&
                memcmp(answer_member_names[m], text + at, end - at) == 0) {
                o->named |= 1u << m;
                found = 1;
            }
        }
        if (found == 0) {
            o->bad = "it emits a member that there is not";
        }
        at = end + 1;
    }
}

static void check_sizes(answer_options *o)
{
    const oracle_json *json = &o->json;
    uint32_t node = o->sizes;
    if (node == ORACLE_NONE) {
        return;
    }
    bool right = json->nodes[node].type == ORACLE_JSON_OBJECT;
    for (uint32_t at = node + 1; right && at < oracle_json_next(json, node);
         at = oracle_json_next(json, at + 1)) {
        int64_t bytes = 0;
        right = json->nodes[at + 1].type == ORACLE_JSON_NUMBER &&
                oracle_json_integral(json, at + 1) &&
                oracle_json_int64(json, at + 1, &bytes) && bytes >= 0;
    }
    if (!right) {
        o->bad = "a size is no number of bytes";
    }
}

static bool is_zero(const oracle_json *json, uint32_t node)
{
    const oracle_json_node *n = &json->nodes[node];
    return n->type == ORACLE_JSON_NUMBER && n->extent == 1 &&
           json->text[n->offset] == '0';
}

static void for_programs(answering *a, const char *name, uint32_t node)
{
    answer_options *o = &a->options;
    bool off = strcmp(name, "certified") == 0 && is_zero(&o->json, node);
    if (a->is_score && !off) {
        o->bad = "an option is for programs, and this is a Score";
    }
}

static bool is_option(const oracle_json *json, const char *name, uint32_t *node)
{
    *node =
        json->nodes == NULL ? ORACLE_NONE : oracle_json_member(json, 0, name);
    return *node != ORACLE_NONE;
}

/* What an input gives of which no member is named (docs/formats.md). */
static unsigned default_members(const answering *a)
{
    const answer_options *o = &a->options;
    uint32_t node;
    bool is_program = !a->is_score && !a->is_dump;
    bool profile = is_option(&o->json, "profile", &node);
    unsigned members = 1u << ANSWER_SCORE;
    if (!a->is_score) {
        members |= 1u << ANSWER_GRAPH;
    }
    if (a->is_score || profile) {
        members |= 1u << ANSWER_HANDLE | 1u << ANSWER_PLAN;
        members |= o->is_v09 ? 0 : 1u << ANSWER_HBG;
    }
    if (is_option(&o->json, "memory", &node) || o->sizes != ORACLE_NONE) {
        members |= 1u << ANSWER_PLAN;
    }
    if (is_program && (profile || is_option(&o->json, "regions", &node))) {
        members |= 1u << ANSWER_REGIONS;
    }
    return members;
}

static bool read_all(answering *a)
{
    static const char *const words[] = {"profile", "memory", "regions"};
    static const char *const programs[] = {"entry", "regions", "certified"};
    answer_options *o = &a->options;
    oracle_error error;
    uint32_t node;
    oracle_status status =
        oracle_json_parse(&o->json, a->question->options.data,
                          a->question->options.length, &error);
    if (status != ORACLE_OK) {
        a->unclear = status != ORACLE_NO_MEMORY;
        return false;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (is_option(&o->json, words[i], &node)) {
            take_word(o, words[i], node);
        }
    }
    o->greedy = is_option(&o->json, "memory", &node) ? o->greedy : o->is_v09;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        if (is_option(&o->json, programs[i], &node)) {
            for_programs(a, programs[i], node);
        }
    }
    if (is_option(&o->json, "policy", &node)) {
        take_policy(o, node);
    }
    if (is_option(&o->json, "encodings", &node)) {
        o->encodings = !is_zero(&o->json, node);
    }
    o->defaults = !is_option(&o->json, "emit", &node);
    if (!o->defaults && o->json.nodes[node].type == ORACLE_JSON_STRING) {
        size_t length;
        char *text = oracle_node_text(&o->json, node, &length, a->arena);
        if (text == NULL) {
            return false;
        }
        take_emit(o, text, length);
    }
    o->sizes = oracle_json_member(&o->json, 0, "sizes");
    check_sizes(o);
    return true;
}

bool answer_read_options(answering *a)
{
    answer_options *o = &a->options;
    o->sizes = ORACLE_NONE;
    o->defaults = true;
    if (a->question->options.length > 0 && !read_all(a)) {
        return false;
    }
    o->asked = o->named | (o->defaults ? default_members(a) : 0);
    return true;
}

/* --- The answer --- */

static size_t skip_space(oracle_bytes line, size_t at)
{
    while (at < line.length &&
           (line.data[at] == ' ' || line.data[at] == '\t' ||
            line.data[at] == '\n' || line.data[at] == '\r')) {
        at++;
    }
    return at;
}

static bool take_char(oracle_bytes line, size_t *at, char c)
{
    *at = skip_space(line, *at);
    if (*at == line.length || line.data[*at] != c) {
        return false;
    }
    ++*at;
    return true;
}

/* One value behind `*at`, into the piece of its name where it is one. */
static oracle_status take_value(answering *a, oracle_bytes line, size_t *at,
                                const oracle_json *key)
{
    const struct {
        const char *name;
        oracle_json *piece;
    } pieces[] = {{"bundle", &a->bundle},
                  {"error", &a->error},
                  {"notes", &a->notes},
                  {"encodings", &a->codes}};
    oracle_json value;
    oracle_error error;
    size_t used;
    *at = skip_space(line, *at);
    oracle_status status = oracle_json_parse_value(
        &value, line.data + *at, line.length - *at, &used, &error);
    if (status != ORACLE_OK) {
        return status == ORACLE_NO_MEMORY ? status : ORACLE_SYNTAX;
    }
    *at += used;
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        if (is_text(key, 0, pieces[i].name)) {
            oracle_json_free(pieces[i].piece);
            *pieces[i].piece = value;
            return ORACLE_OK;
        }
    }
    oracle_json_free(&value);
    return ORACLE_OK;
}

static oracle_status take_pair(answering *a, oracle_bytes line, size_t *at)
{
    oracle_json key;
    oracle_error error;
    size_t used;
    *at = skip_space(line, *at);
    oracle_status status = oracle_json_parse_value(
        &key, line.data + *at, line.length - *at, &used, &error);
    if (status != ORACLE_OK) {
        return status == ORACLE_NO_MEMORY ? status : ORACLE_SYNTAX;
    }
    *at += used;
    status = key.nodes[0].type == ORACLE_JSON_STRING && take_char(line, at, ':')
                 ? take_value(a, line, at, &key)
                 : ORACLE_SYNTAX;
    oracle_json_free(&key);
    return status;
}

static bool is_object(const oracle_json *json)
{
    return json->nodes != NULL && json->nodes[0].type == ORACLE_JSON_OBJECT;
}

/* An error has a code and a message. */
static bool is_error(const oracle_json *json)
{
    if (!is_object(json)) {
        return false;
    }
    uint32_t code = oracle_json_member(json, 0, "code");
    uint32_t message = oracle_json_member(json, 0, "message");
    return code != ORACLE_NONE && message != ORACLE_NONE &&
           json->nodes[code].type == ORACLE_JSON_STRING &&
           json->nodes[code].extent > 2 &&
           json->nodes[message].type == ORACLE_JSON_STRING &&
           json->nodes[message].extent > 2;
}

/* The members of the bundle by role, the first of each. */
static void find_members(answering *a)
{
    const oracle_json *json = &a->bundle;
    uint32_t list = oracle_json_member(json, 0, "members");
    if (list == ORACLE_NONE || json->nodes[list].type != ORACLE_JSON_ARRAY) {
        return;
    }
    for (uint32_t at = list + 1; at < oracle_json_next(json, list);
         at = oracle_json_next(json, at)) {
        uint32_t role = oracle_json_member(json, at, "role");
        for (unsigned m = 0; role != ORACLE_NONE && m < ANSWER_MEMBERS; m++) {
            if (!is_text(json, role, answer_member_names[m])) {
                continue;
            }
            uint32_t document = oracle_json_member(json, at, "document");
            a->unread |= document == ORACLE_NONE ? 1u << m : 0;
            a->twice |= a->member[m] != ORACLE_NONE ? 1u << m : 0;
            if (a->member[m] == ORACLE_NONE) {
                a->member[m] = document;
            }
        }
    }
}

/* Each piece by itself, so that the bundle is a text of its own. */
oracle_status answer_read_line(answering *a, oracle_bytes line)
{
    size_t at = 0;
    oracle_status status = ORACLE_OK;
    memset(a->member, 0xff, sizeof a->member);
    if (!take_char(line, &at, '{')) {
        return ORACLE_SYNTAX;
    }
    do {
        status = take_pair(a, line, &at);
    } while (status == ORACLE_OK && take_char(line, &at, ','));
    if (status != ORACLE_OK) {
        return status;
    }
    if (!take_char(line, &at, '}') || skip_space(line, at) != line.length ||
        is_object(&a->bundle) == is_object(&a->error) ||
        (is_object(&a->error) && !is_error(&a->error))) {
        return ORACLE_SYNTAX;
    }
    if (is_object(&a->bundle)) {
        find_members(a);
    }
    return ORACLE_OK;
}

void answer_free(answering *a)
{
    oracle_json *const trees[] = {&a->options.json, &a->bundle, &a->error,
                                  &a->notes,        &a->codes,  &a->input,
                                  &a->known,        &a->own};
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        oracle_json_free(trees[i]);
    }
    answer_score_free(&a->read);
    answer_score_free(&a->other);
    oracle_out_free(&a->text.out);
}
