/*
 * The eligibility result (spec 01): whether a program can be planned, why not,
 * and its Score.
 */
#ifndef SONATA_ELIGIBILITY_H
#define SONATA_ELIGIBILITY_H

#include "sonata/json.h"

typedef struct sonata_eligibility {
    bool eligible;          /* no reason of severity error */
    sonata_reasons reasons; /* errors and warnings, in order */
    sonata_score score;     /* zeroed unless eligible */
} sonata_eligibility;

/* Frees what the result owns (not the struct itself) and zeroes it. */
void sonata_eligibility_free(sonata_eligibility *result);

/* Canonical JSON; see sonata_score_json. */
sonata_status sonata_eligibility_json(char **json, size_t *length,
                                      const sonata_eligibility *result,
                                      bool pretty, sonata_error *error);

/*
 * Reads an eligibility result, strictly; see sonata_score_read. The result
 * owns everything. Required are eligible, reason_details with all three fields
 * of each, and a Score when eligible is true. A result that contradicts itself
 * is refused with SONATA_SCHEMA: eligible in spite of an error or without a
 * Score, or not eligible without an error or with a Score, or reasons that are
 * not the messages of the errors. A list "reasons" that is missing is filled
 * in.
 */
sonata_status sonata_eligibility_read(sonata_eligibility *result,
                                      const char *text, size_t length,
                                      sonata_reasons *warnings,
                                      sonata_error *error);

#endif
