/* A witness while it is checked: the execution that it claims. */
#ifndef ORACLE_CHECKER_H
#define ORACLE_CHECKER_H

#include "json.h"
#include "table.h"

typedef struct oracle_check {
    oracle_document d; /* a copy, see above */
    oracle_json json;
    uint32_t witness;
    char *reason;
    size_t size;
    oracle_id_table ids;
    oracle_arena *arena;
    bool *present;
    uint32_t *place, *order, count; /* of the tasks in the order */
    oracle_place byte;
    const char *rule;
    /* By root buffer, of a memory plan; then what an address holds is asked. */
    bool by_address, *placed;
    int64_t address, *base;
} oracle_check;

/* Sets the reason; always false. */
bool oracle_check_fail(oracle_check *check, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The value of a member of an object, or ORACLE_NONE. */
uint32_t oracle_check_member(const oracle_check *check, uint32_t object,
                             const char *name);
bool oracle_check_is(const oracle_check *check, uint32_t node,
                     oracle_json_type type);
bool oracle_check_number(const oracle_check *check, uint32_t node,
                         int64_t *value);
/* The task whose id the node is. */
bool oracle_check_task(oracle_check *check, uint32_t node, uint32_t *task);

/*
 * Parses a finding; `rule` gets its rule. Ends with oracle_check_end, whatever
 * it returned.
 */
bool oracle_check_start(oracle_check *check, const char *finding, char *rule,
                        size_t size);
void oracle_check_end(oracle_check *check);

/* Which tasks and deps are there, by the choices of the witness. */
bool oracle_check_choices(oracle_check *check);

/* The byte that a witness names by buffer and begin. */
bool oracle_check_byte(oracle_check *check);

/* Which tasks are submitted, the value of each symbol, the byte, the order. */
bool oracle_check_read(oracle_check *check);
/* The order alone, of the tasks that are submitted. */
bool oracle_check_read_order(oracle_check *check);
/* Whether a task is between {"after", "before"}; null: no end. */
bool oracle_check_between(oracle_check *check, uint32_t node, uint32_t task);

/*
 * Whether the tasks of the list form a ring; whether an end of the edge is no
 * task; whether the task's predicate is not of the form.
 */
bool oracle_check_cycle(oracle_check *check, uint32_t list);
bool oracle_check_edge_end(oracle_check *check, uint32_t list);
bool oracle_check_form(oracle_check *check, uint32_t node);
/* Whether no edge leads, over others, from the first to the second. */
bool oracle_check_lost(oracle_check *check, uint32_t list);
/* Whether two tasks ran at these times, though they may not. */
bool oracle_check_intervals(oracle_check *check, uint32_t list);
/* Whether the site of the consumer has as many deps of the name, all dead. */
bool oracle_check_dead(oracle_check *check, uint32_t name);
/* Whether a task surely writes what the orchestration touches. */
bool oracle_check_host(oracle_check *check, uint32_t node);

/*
 * From here on the byte is the address of the witness, which is that of its
 * buffer and begin.
 */
bool oracle_check_address(oracle_check *check);
/* Moves the byte into a storage; false: it has no byte there. */
bool oracle_check_move(oracle_check *check, uint32_t storage);

/*
 * Whether as much is there as the witness says, and it is more than the limit;
 * whether the argument of the witness does what it is not told.
 */
bool oracle_check_limit(oracle_check *check, uint32_t limit);
bool oracle_check_direction(oracle_check *check, uint32_t arg);

/* What memory.* findings without an order say of the plan. */
bool oracle_check_allocation(oracle_check *check, uint32_t index);
bool oracle_check_allocations(oracle_check *check, uint32_t list);
bool oracle_check_missing(oracle_check *check, uint32_t buffer);
bool oracle_check_peak(oracle_check *check, uint32_t peak);

/* edge.*, memory.waste; `mine`: whether the rule is one of them. */
bool oracle_check_edges(oracle_check *check, bool *mine);

#endif
