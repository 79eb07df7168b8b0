/* The audit metadata of an extracted Score (spec 05). */
#ifndef SONATA_METADATA_H
#define SONATA_METADATA_H

#include "roots.h"

typedef struct sonata_coverage {
    int64_t known, total;
} sonata_coverage;

/* Over the memory arguments alone, or over all arguments. O(arguments). */
sonata_coverage sonata_count_coverage(const sonata_score *score,
                                      bool memory_only);

/*
 * Sets score->metadata. `policy` is the policy used; when it is not the one
 * asked for, `requested` is that one and `fallback` says why (else NULL).
 */
sonata_status sonata_set_metadata(sonata_score *score,
                                  const sonata_roots *roots, const char *policy,
                                  const char *requested, const char *fallback,
                                  sonata_error *error);

#endif
