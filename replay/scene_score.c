/* The table of a scene as text: numbers, and comments for people. */
#include "scene_work.h"

#include <inttypes.h>
#include <stdio.h>

#include "fault.h"

#define LINE 76

typedef struct writer {
    const scene_work *work;
    replay_text text;
    size_t at; /* the next word */
} writer;

/* Names are the document's: bytes that could be more than a name go. */
static void add_name(replay_text *text, const oracle_text *name)
{
    for (uint32_t i = 0; i < name->length && i < 60; i++) {
        char c = name->data[i];
        bool plain = c > 0x20 && c < 0x7f;
        replay_text_bytes(text, plain ? &c : "?", 1);
    }
}

/* The words up to `end`, in lines that are not too long. */
static void add_words(writer *w, size_t end)
{
    size_t begin = w->text.length;
    for (bool first = true; w->at < end; w->at++, first = false) {
        int64_t word = w->work->table.data[w->at];
        char digits[24];
        int length = snprintf(digits, sizeof digits, "%" PRId64, word);
        bool wrap =
            !first && w->text.length - begin + 1 + (size_t)length > LINE;
        if (!first) {
            replay_text_bytes(&w->text, wrap ? "\n" : " ", 1);
        }
        begin = wrap ? w->text.length : begin;
        replay_text_bytes(&w->text, digits, (size_t)length);
    }
    if (w->text.length > begin) {
        replay_text_add(&w->text, "\n");
    }
}

static void add_head(writer *w)
{
    static const char *const names[SCENE_HEAD] = {
        "mode: 0 manual, 1 automatic",
        "tasks",
        "rows: tasks, and dummies that join predecessors",
        "word of the places of the rows",
        "word of the storages",
        "word of the delays",
        "microseconds that a task is held back at most",
        "word of the marks, which is the end of this table",
        "word of the memory",
        "words of all",
        "ring_task_window, 0: as it is",
    };
    replay_text_add(&w->text, "# A program as a table: docs/scene.md\n");
    for (int i = 0; i < SCENE_HEAD; i++) {
        replay_text_format(&w->text, "%" PRId64 " # %s\n",
                           w->work->table.data[i], names[i]);
    }
    w->at = SCENE_HEAD;
}

static void add_storages(writer *w)
{
    const scene_work *work = w->work;
    replay_text_add(&w->text,
                    "# storages: place, bytes, has a value, is the caller's, "
                    "address and bytes of views\n");
    for (uint32_t i = 0; i < work->storage_count; i++) {
        const oracle_text *key = &work->d->buffers[work->storage[i].buffer].key;
        const int64_t *s = work->table.data + w->at;
        for (int k = 0; k < SCENE_STORAGE; k++) {
            replay_text_format(&w->text, "%" PRId64 " ", s[k]);
        }
        replay_text_format(&w->text, "# %u ", i);
        add_name(&w->text, key);
        replay_text_add(&w->text, "\n");
        w->at += SCENE_STORAGE;
    }
}

replay_status scene_score(scene_work *work)
{
    const replay_program *p = work->program;
    writer w = {.work = work};
    add_head(&w);
    add_storages(&w);
    replay_text_add(&w.text, "# delays: kind and value of each task\n");
    add_words(&w, w.at + 2 * (size_t)p->task_count);
    for (uint32_t i = 0; i < p->task_count; i++) {
        uint32_t t = p->legal[i];
        replay_text_format(&w.text, "# task %u, id %" PRId64 " ", t,
                           p->tasks[t].id);
        add_name(&w.text, &work->d->tasks[p->tasks[t].source].name);
        replay_text_add(&w.text, "\n");
        add_words(&w, work->tasks[t].at);
        add_words(&w, work->tasks[t].at + SCENE_ROW);
    }
    replay_text_add(&w.text, "# places of the rows\n");
    add_words(&w, work->table.count);
    return replay_text_give(&work->scene->score, &work->scene->score_length,
                            &w.text, work->error);
}
