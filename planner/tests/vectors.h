/*
 * Reading JSON lines of reference answers in tests: cJSON for the tree, the
 * text of every number kept in its node's valuestring, so that integers of any
 * size and floats keep their value.
 */
#ifndef TESTS_VECTORS_H
#define TESTS_VECTORS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>
#include <openssl/evp.h>

#include "sonata/score.h"

#include "../json/arena.h"
#include "../json/writer.h"

/* SHA-256 in lower-case hex. */
static inline void sha256_text(char text[65], const char *bytes, size_t length)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    if (EVP_Digest(bytes, length, hash, NULL, EVP_sha256(), NULL) != 1)
        abort();
    for (size_t i = 0; i < 32; i++)
        snprintf(text + 2 * i, 3, "%02x", hash[i]);
}

/* The next number outside strings from *at on; its length, *at at its start. */
static inline size_t next_number(const char **at)
{
    const char *p = *at;
    while (*p != '\0' && *p != '-' && (*p < '0' || *p > '9')) {
        if (*p == '"')
            for (p++; *p != '"'; p++)
                p += *p == '\\' ? 1 : 0;
        p++;
    }
    *at = p;
    return strspn(p, "+-0123456789.eE");
}

static inline void keep_numbers(cJSON *node, const char **at)
{
    if (cJSON_IsNumber(node)) {
        size_t length = next_number(at);
        node->valuestring = cJSON_malloc(length + 1);
        if (node->valuestring == NULL)
            abort();
        memcpy(node->valuestring, *at, length);
        node->valuestring[length] = '\0';
        *at += length;
    }
    for (cJSON *child = node->child; child != NULL; child = child->next)
        keep_numbers(child, at);
}

/* NULL for what cJSON refuses (lone surrogates); U+0000 is not kept. */
static inline cJSON *parse_kept(const char *text)
{
    cJSON *root = cJSON_Parse(text);
    const char *at = text;
    if (root != NULL)
        keep_numbers(root, &at);
    return root;
}

static inline cJSON *field(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static inline int by_key(const void *a, const void *b)
{
    const cJSON *left = *(cJSON *const *)a;
    const cJSON *right = *(cJSON *const *)b;
    return strcmp(left->string, right->string);
}

static inline void write_node(sonata_json *w, const cJSON *node);

static inline void write_members(sonata_json *w, const cJSON *node)
{
    size_t count = (size_t)cJSON_GetArraySize(node);
    const cJSON **members = calloc(count + 1, sizeof *members);
    size_t at = 0;
    if (members == NULL)
        abort();
    for (const cJSON *m = node->child; m != NULL; m = m->next)
        members[at++] = m;
    qsort(members, count, sizeof *members, by_key);
    sonata_json_object(w);
    for (size_t i = 0; i < count; i++) {
        sonata_json_key(w, members[i]->string);
        write_node(w, members[i]);
    }
    sonata_json_end_object(w);
    free(members);
}

static inline void write_node(sonata_json *w, const cJSON *node)
{
    if (cJSON_IsObject(node)) {
        write_members(w, node);
    } else if (cJSON_IsArray(node)) {
        sonata_json_array(w);
        for (const cJSON *m = node->child; m != NULL; m = m->next)
            write_node(w, m);
        sonata_json_end_array(w);
    } else if (cJSON_IsString(node)) {
        sonata_json_string(w, node->valuestring);
    } else if (cJSON_IsNumber(node)) {
        sonata_json_raw(w, node->valuestring, strlen(node->valuestring));
    } else if (cJSON_IsNull(node)) {
        sonata_json_null(w);
    } else {
        sonata_json_bool(w, cJSON_IsTrue(node));
    }
}

/* Canonical compact JSON of a node; freed by the caller. */
static inline char *node_text(const cJSON *node)
{
    sonata_json w;
    sonata_json_init(&w, false);
    write_node(&w, node);
    return sonata_json_take(&w, NULL);
}

static inline sonata_text text_of(const cJSON *node)
{
    if (!cJSON_IsString(node))
        return (sonata_text){0};
    return (sonata_text){node->valuestring, strlen(node->valuestring)};
}

static inline sonata_value value_of(sonata_arena *arena, const cJSON *node)
{
    if (cJSON_IsString(node))
        return (sonata_value){SONATA_STRING, text_of(node)};
    char *made = node_text(node);
    size_t length = strlen(made);
    sonata_text text = {sonata_arena_copy(arena, made, length), length};
    free(made);
    if (cJSON_IsNull(node))
        return (sonata_value){SONATA_NULL, text};
    if (cJSON_IsBool(node))
        return (sonata_value){SONATA_BOOL, text};
    if (!cJSON_IsNumber(node))
        return (sonata_value){SONATA_NESTED, text};
    bool is_float = strpbrk(node->valuestring, ".eE") != NULL;
    return (sonata_value){is_float ? SONATA_FLOAT : SONATA_INT, text};
}

static inline sonata_value *values_of(sonata_arena *arena, size_t *count,
                                      const cJSON *list)
{
    *count = (size_t)cJSON_GetArraySize(list);
    sonata_value *values = sonata_arena_array(arena, *count, sizeof *values);
    size_t at = 0;
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        values[at++] = value_of(arena, m);
    return values;
}

static inline sonata_text *texts_of(sonata_arena *arena, size_t *count,
                                    const cJSON *list)
{
    *count = (size_t)cJSON_GetArraySize(list);
    sonata_text *texts = sonata_arena_array(arena, *count, sizeof *texts);
    size_t at = 0;
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        texts[at++] = text_of(m);
    return texts;
}

static inline int64_t int_of(const cJSON *node)
{
    return (int64_t)strtoll(node->valuestring, NULL, 10);
}

static inline sonata_task task_of(sonata_arena *arena, const cJSON *node)
{
    sonata_task task = {.id = int_of(field(node, "task_id")),
                        .func_id = int_of(field(node, "func_id")),
                        .core_type = text_of(field(node, "core_type")),
                        .name = text_of(field(node, "name"))};
    task.args = values_of(arena, &task.arg_count, field(node, "args"));
    task.directions =
        texts_of(arena, &task.direction_count, field(node, "arg_directions"));
    task.keys =
        values_of(arena, &task.key_count, field(node, "arg_storage_keys"));
    return task;
}

static inline void read_target(sonata_target *target, sonata_arena *arena,
                               const cJSON *node)
{
    target->runtime = text_of(field(node, "runtime"));
    target->function_name = text_of(field(node, "function_name"));
    target->thread_num = value_of(arena, field(node, "aicpu_thread_num"));
    target->comments =
        texts_of(arena, &target->comment_count, field(node, "config_comment"));
}

static inline void read_tasks(sonata_score *score, const cJSON *list)
{
    size_t count = (size_t)cJSON_GetArraySize(list);
    score->tasks =
        sonata_arena_array(score->memory, count, sizeof *score->tasks);
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        score->tasks[score->task_count++] = task_of(score->memory, m);
}

static inline void read_dependencies(sonata_score *score, const cJSON *list)
{
    size_t count = (size_t)cJSON_GetArraySize(list);
    score->dependencies =
        sonata_arena_array(score->memory, count, sizeof *score->dependencies);
    for (const cJSON *m = list->child; m != NULL; m = m->next)
        score->dependencies[score->dependency_count++] = (sonata_dependency){
            int_of(field(m, "producer")), int_of(field(m, "consumer")),
            text_of(field(m, "kind"))};
}

static inline void read_shapes(sonata_score *score, const cJSON *list)
{
    size_t count = (size_t)cJSON_GetArraySize(list);
    score->shapes =
        sonata_arena_array(score->memory, count, sizeof *score->shapes);
    for (const cJSON *m = list->child; m != NULL; m = m->next) {
        sonata_shape *shape = &score->shapes[score->shape_count++];
        shape->symbol = text_of(field(m, "symbol"));
        shape->dims =
            values_of(score->memory, &shape->dim_count, field(m, "dims"));
    }
}

/* A complete Score document; texts are borrowed from the tree. */
static inline sonata_score score_of(const cJSON *node)
{
    sonata_score score = {.name = text_of(field(node, "name"))};
    score.memory = calloc(1, sizeof *score.memory);
    if (score.memory == NULL)
        abort();
    read_target(&score.target, score.memory, field(node, "runtime_target"));
    read_tasks(&score, field(node, "tasks"));
    read_dependencies(&score, field(node, "dependencies"));
    read_shapes(&score, field(node, "shape_assumptions"));
    score.metadata = value_of(score.memory, field(node, "metadata")).text;
    return score;
}

#endif
