/* A program in the JSON form of the IR, read (sonata/ir.h). */
#ifndef SONATA_PROGRAM_H
#define SONATA_PROGRAM_H

#include "sonata/ir.h"

#include "extract.h"
#include "source.h"

struct sonata_program {
    char *text;      /* a copy: the document borrows it; or NULL */
    sonata_doc *doc; /* or NULL: somebody else's */
    sonata_source source;
    sonata_ir ir;
};

/* The statements that are split into regions: a list, or NONE. */
uint32_t sonata_statement_list(const sonata_source *source);

sonata_extract_options
sonata_ir_extract_options(const sonata_ir_options *options);

/* The fields of a region, into an object that is open; of its plan too, when
 * there is a result. */
void sonata_write_region(sonata_json *w, const sonata_region *region,
                         size_t number, const sonata_eligibility *result,
                         bool has_unknown_access);

/* "static_ratio": ..., into an object that is open. */
void sonata_write_static_ratio(sonata_json *w, size_t static_count,
                               size_t count);

#endif
