/*
 * Symbolic numbers of one comparison: sums over few variables, whose bounds
 * are known or not. A symbol with a lower bound is min + step * variable, so
 * that every variable takes all whole numbers within its bounds.
 */
#ifndef ORACLE_AFFINE_H
#define ORACLE_AFFINE_H

#include "oracle/document.h"

#define ORACLE_MAX_VARIABLES 16

typedef struct oracle_variable {
    uint32_t symbol;
    uint32_t side; /* 0, 1 for block symbols; 0 for what both ends share */
    bool block;    /* every value happens in every execution */
    bool free;     /* as the symbol's */
    bool has_lo, has_hi;
    int64_t lo, hi;
    int64_t origin, step; /* symbol = origin + step * variable */
} oracle_variable;

typedef struct oracle_frame {
    const oracle_document *document;
    uint32_t count;
    oracle_variable variable[ORACLE_MAX_VARIABLES];
} oracle_frame;

/* c + sum of coef[i] * variable i, for the variables of one frame. */
typedef struct oracle_form {
    int64_t c;
    int64_t coef[ORACLE_MAX_VARIABLES];
} oracle_form;

/* A least or greatest value; known: false is no bound. */
typedef struct oracle_bound {
    bool known;
    __int128 value;
} oracle_bound;

/* The functions that return bool say false when 64 bits do not hold it. */

/* The affine number in the frame; new variables join it. Also false when
 * there are too many variables. */
bool oracle_form_make(oracle_frame *frame, uint32_t side,
                      const oracle_affine *affine, oracle_form *form);
oracle_form oracle_form_constant(int64_t c);

/* to += factor * from */
bool oracle_form_add(oracle_form *to, const oracle_form *from, int64_t factor);
bool oracle_form_add_constant(oracle_form *to, int64_t c);
bool oracle_form_is_constant(const oracle_form *form);

oracle_bound oracle_form_least(const oracle_frame *frame,
                               const oracle_form *form);
oracle_bound oracle_form_greatest(const oracle_frame *frame,
                                  const oracle_form *form);

/*
 * Whether values of the variables in `chosen` (a bit each) exist, the same
 * for all forms, that make every form at least 0 whatever the others are.
 * False also when none was found in a bounded search.
 */
bool oracle_forms_solvable(const oracle_frame *frame, const oracle_form *forms,
                           uint32_t count, uint32_t chosen);

#endif
