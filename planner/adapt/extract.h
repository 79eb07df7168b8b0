/* Eligibility and Score of a program in the neutral form (spec 05). */
#ifndef SONATA_EXTRACT_H
#define SONATA_EXTRACT_H

#include "sonata/eligibility.h"

#include "ir.h"

#include "../json/writer.h"

typedef struct sonata_extract_options {
    const char *policy;     /* NULL: "sequential_v0" */
    sonata_text entry;      /* name of the one function wanted; null: all */
    bool require_certified; /* every task call needs complete directions */
    /* The storage key of every variable, for a part of a program whose other
     * parts make keys too; NULL: the program alone makes them. */
    const sonata_text *keys;
} sonata_extract_options;

/*
 * Decides eligibility and, where the program is eligible, makes its Score with
 * the dependencies of the policy (dataflow_v0 falls back to sequential_v0 as
 * spec 02 says). A rejected program is SONATA_OK with reasons. The result
 * borrows the texts of the IR: free it first. Errors: SONATA_UNSUPPORTED
 * (unknown policy), SONATA_NO_MEMORY, SONATA_RANGE. Linear in the IR and the
 * edges.
 */
sonata_status sonata_extract(sonata_eligibility *result, const sonata_ir *ir,
                             const sonata_extract_options *options,
                             sonata_error *error);

/* One reason (spec 01), into a document. */
void sonata_write_reason(sonata_json *w, const sonata_reason *reason);

/* The eligibility result, into a document. */
void sonata_write_eligibility(sonata_json *w, const sonata_eligibility *result);

#endif
