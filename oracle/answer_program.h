/*
 * A program in the JSON form of the IR (spec 05) as what it runs: the calls
 * that are tasks, in the order in which they run, each with the storages that
 * its arguments have then.
 */
#ifndef ORACLE_ANSWER_PROGRAM_H
#define ORACLE_ANSWER_PROGRAM_H

#include "answer_work.h"

typedef struct answer_text {
    const char *data; /* NULL: there is none */
    uint32_t length;
} answer_text;

/* A direction as the runtime is told it. */
typedef enum answer_told {
    ANSWER_UNTOLD, /* or none that is known */
    ANSWER_INPUT,
    ANSWER_OUTPUT,
    ANSWER_EXISTING,
    ANSWER_INOUT,
    ANSWER_NO_DEP,
    ANSWER_SCALAR
} answer_told;

answer_told answer_told_of(const oracle_json *json, uint32_t node);

typedef struct answer_run_arg {
    answer_text key;   /* of its storage, when that is known */
    answer_text name;  /* of the variable; a string itself */
    uint32_t constant; /* the node of a number, a bool or null; ORACLE_NONE */
    bool part;         /* some bytes of the storage */
    answer_told told;
} answer_run_arg;

typedef struct answer_run_task {
    int64_t id;
    answer_text name;
    const char *core; /* static */
    answer_list args;
} answer_run_task;

typedef struct answer_run {
    answer_run_task *tasks;
    uint32_t count;
    answer_run_arg *args;
    uint32_t arg_count;
    bool straight; /* false: what runs is no list, and nothing else is filled */
    bool beyond;   /* ... not known: functions share too much (2^22 visits, and
                      16 for each value) */
} answer_run;

/*
 * The root node of `json` is the program; `entry` (data NULL: any) the name of
 * the root that counts. False: no memory. Linear in text and functions.
 */
bool answer_run_program(answer_run *run, const oracle_json *json,
                        const answer_text *entry, oracle_arena *arena);

/* What a region is: its kind of statement where it is dynamic, else NULL. */
typedef struct answer_region {
    const char *flow; /* static */
    uint32_t nodes;
} answer_region;

typedef struct answer_regions {
    answer_region *list; /* in order */
    uint32_t count;      /* 0: the program is not of the form */
    bool whole;          /* it is one, without a list of statements */
    bool alone;          /* ... or its list is all that it has */
} answer_regions;

/* The regions of a program (spec 05). False: no memory. Linear. */
bool answer_regions_of(answer_regions *regions, const oracle_json *json,
                       oracle_arena *arena);

#endif
