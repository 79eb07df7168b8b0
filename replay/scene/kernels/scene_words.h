/*
 * What the words of a scene's table mean (score.txt), and the arithmetic of
 * its bytes: the same numbers as in counterpoint's own run.
 *
 * Written by counterpoint; docs/scene.md says more.
 */
#pragma once

#include <stdint.h>

namespace scene
{

using words = const int64_t *;

constexpr int max_tensors = 32;
constexpr uint64_t tag = 0x5CE2E000; /* upper half of the first scalar */
constexpr int64_t own_scalars = 2;   /* tag and row, address of the table */

enum head {
    head_mode, /* 0 manual, 1 automatic */
    head_tasks,
    head_row_count,
    head_rows, /* where each row begins */
    head_storages,
    head_waits,    /* behind the storages; kind and value of each task's */
    head_patience, /* microseconds */
    head_marks,    /* behind the table: done, then runs and hash of each task,
                      then the turns of each */
    head_memory,   /* behind the marks; the end of all words is head_words */
    head_words,
    head_window
};

enum row {
    row_task, /* -1: a dummy that joins predecessors */
    row_core,
    row_blocks,
    row_flags,
    row_token,
    row_scalars,
    row_values, /* where the scalars are */
    row_manual_deps,
    row_manual_count,
    row_automatic_deps,
    row_automatic_count,
    row_tensors,
    row_tensor_count,
    row_accesses,
    row_access_count,
    row_predicate /* 0: none */
};

/* Of the blocks of a task, or how often its reads were done. */
enum turn { turn_begun, turn_read, turn_ended, turn_words };

enum core { aic, aiv, mix, dummy };

enum flag {
    flag_sync_start = 1,
    flag_early = 2,
    flag_manual_scope = 4,
    flag_only_manual = 8,
    flag_only_automatic = 16
};

enum tensor {
    tensor_kind,
    tensor_storage,
    tensor_type,
    tensor_start, /* in elements */
    tensor_dims,
    tensor_owner, /* row, or -1 */
    tensor_manual_dep,
    tensor_shape,
    tensor_strides = tensor_shape + 5,
    tensor_words = tensor_strides + 5
};

enum kind { input, output_existing, inout, no_dep };

enum storage {
    storage_place, /* byte of the memory */
    storage_bytes,
    storage_init,
    storage_external,
    storage_view,       /* what the runtime is told: the address as a place, */
    storage_view_bytes, /* and the bytes */
    storage_words
};

enum access { access_mode, access_storage, access_pieces, access_words };

/* So many runs of bytes, so far apart. */
enum piece { piece_base, piece_run, piece_count, piece_stride, piece_words };

enum mode { read, write, accumulate };

enum predicate {
    predicate_storage,
    predicate_byte,
    predicate_size,
    predicate_op, /* 1 ==, 2 !=, 3 >, 4 <, 5 >=, 6 <= */
    predicate_value
};

enum wait { wait_task = 1, wait_count = 2 };

inline words next(words access)
{
    return access + access_words + piece_words * access[access_pieces];
}

constexpr uint64_t hash_start = 14695981039346656037u;

inline uint64_t hash_byte(uint64_t hash, uint8_t byte)
{
    return (hash ^ byte) * 1099511628211u;
}

inline uint64_t mix_bits(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 29;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

inline uint64_t seed_of(uint64_t token, uint64_t hash, uint64_t access)
{
    return mix_bits(token + mix_bits(hash + access));
}

inline uint8_t written(uint64_t seed, uint64_t at)
{
    uint64_t x = mix_bits(seed + (at >> 3) * 0x9e3779b97f4a7c15u);
    return (uint8_t)(x >> (at & 7) * 8);
}

} // namespace scene
