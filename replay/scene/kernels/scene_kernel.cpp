/*
 * The one kernel of a scene, for AIC and AIV. What a task does is in the table
 * (score.txt): it hashes the bytes that it reads, then writes bytes that
 * follow from its id, its scalars and that hash. Of several blocks the first
 * that begins reads, and the last that ends writes; of MIX its AIC do, and the
 * other lanes only come and go.
 *
 * Written by counterpoint; docs/scene.md says what the words mean.
 */
#include <stdint.h>

#include <chrono>
#include <thread>

/* The compiler of the simulator knows neither, and the headers ask. */
#ifndef __gm__
#define __gm__
#endif
#ifndef __aicore__
#define __aicore__
#endif

#include "intrinsic.h"

#if defined(__DAV_CUBE__)
constexpr bool is_cube = true;
#else
constexpr bool is_cube = false;
#endif

#include "scene_words.h"

using scene::words;

/* A task's turn: whose bytes, and what has been read of them. */
struct turn {
    words table;
    uint8_t *memory;
    uint64_t hash;
    uint64_t seed; /* of what an access writes */
    uint64_t count;
};

static void touch(turn &now, int64_t mode, uint8_t *bytes, int64_t length)
{
    if (mode == scene::read) {
        for (int64_t i = 0; i < length; i++)
            now.hash = scene::hash_byte(now.hash, bytes[i]);
        return;
    }
    for (int64_t i = 0; i < length; i++, now.count++) {
        uint8_t byte = scene::written(now.seed, now.count);
        if (mode == scene::accumulate)
            __atomic_fetch_add(&bytes[i], byte, __ATOMIC_RELAXED);
        else
            bytes[i] = byte;
    }
}

/* All bytes of an access, piece by piece. */
static void visit(turn &now, words access)
{
    words storage = now.table + now.table[scene::head_storages] +
                    access[scene::access_storage] * scene::storage_words;
    uint8_t *bytes = now.memory + storage[scene::storage_place];
    words piece = access + scene::access_words;
    for (int64_t p = 0; p < access[scene::access_pieces]; p++) {
        for (int64_t i = 0; i < piece[scene::piece_count]; i++)
            touch(now, access[scene::access_mode],
                  bytes + piece[scene::piece_base] +
                      i * piece[scene::piece_stride],
                  piece[scene::piece_run]);
        piece += scene::piece_words;
    }
}

/* A directed delay: until a task, or so many, are done; or for so long. */
static void wait(words table, int64_t task, int64_t *marks)
{
    words wait = table + table[scene::head_waits] + 2 * task;
    auto end = std::chrono::steady_clock::now() +
               std::chrono::microseconds(table[scene::head_patience]);
    int64_t *watched =
        wait[0] == scene::wait_task ? &marks[1 + 2 * wait[1]] : &marks[0];
    int64_t enough = wait[0] == scene::wait_task ? 1 : wait[1];
    if (wait[0] == 0)
        return;
    while (__atomic_load_n(watched, __ATOMIC_ACQUIRE) < enough &&
           std::chrono::steady_clock::now() < end)
        std::this_thread::yield();
}

/* All reads of a task. */
static void read_all(turn &now, words row)
{
    words access = now.table + row[scene::row_accesses];
    for (int64_t i = 0; i < row[scene::row_access_count];
         i++, access = scene::next(access)) {
        if (access[scene::access_mode] != scene::read)
            continue;
        now.hash = scene::hash_byte(now.hash, (uint8_t)i);
        visit(now, access);
    }
}

static void write_all(turn &now, words row, uint64_t token)
{
    words access = now.table + row[scene::row_accesses];
    for (int64_t i = 0; i < row[scene::row_access_count];
         i++, access = scene::next(access)) {
        if (access[scene::access_mode] == scene::read)
            continue;
        now.seed = scene::seed_of(token, now.hash, (uint64_t)i);
        now.count = 0;
        visit(now, access);
    }
}

/* A block, or its AIC: the first to begin reads, the last to end writes. */
static void act(uint64_t token, words row, int64_t *base)
{
    words table = base;
    int64_t *marks = base + table[scene::head_marks];
    int64_t task = row[scene::row_task], blocks = row[scene::row_blocks];
    int64_t *turns =
        marks + 1 + 2 * table[scene::head_tasks] + scene::turn_words * task;
    turn now = {table, (uint8_t *)(base + table[scene::head_memory]),
                scene::hash_start, 0, 0};
    if (__atomic_fetch_add(&turns[scene::turn_begun], 1, __ATOMIC_RELAXED) %
            blocks ==
        0) {
        wait(table, task, marks);
        read_all(now, row);
        marks[2 + 2 * task] = (int64_t)now.hash;
        __atomic_fetch_add(&turns[scene::turn_read], 1, __ATOMIC_RELEASE);
    }
    int64_t ended =
        1 + __atomic_fetch_add(&turns[scene::turn_ended], 1, __ATOMIC_ACQ_REL);
    if (ended % blocks != 0)
        return;
    while (__atomic_load_n(&turns[scene::turn_read], __ATOMIC_ACQUIRE) <
           ended / blocks)
        std::this_thread::yield();
    now.hash = (uint64_t)marks[2 + 2 * task];
    write_all(now, row, token);
    __atomic_fetch_add(&marks[1 + 2 * task], 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&marks[0], 1, __ATOMIC_RELEASE);
}

extern "C" __aicore__ void kernel_entry(__gm__ int64_t *args)
{
    int tag = 0; /* the first scalar, behind at most 32 tensors */
    while (tag <= scene::max_tensors &&
           ((uint64_t)args[tag] >> 32) != scene::tag)
        tag++;
    if (tag > scene::max_tensors)
        return;
    int64_t *base = (int64_t *)args[tag + 1];
    words table = base;
    words row =
        table +
        table[table[scene::head_rows] + (int64_t)(args[tag] & UINT32_MAX)];
    if (row[scene::row_core] == scene::mix && !is_cube)
        return;
    uint64_t token = (uint64_t)row[scene::row_token];
    for (int64_t i = scene::own_scalars; i < row[scene::row_scalars]; i++)
        token = scene::mix_bits(token ^ (uint64_t)args[tag + i]);
    act(token, row, base);
}
