/* Parts of documents, written into a document that is being written. */
#ifndef SONATA_DOCUMENT_H
#define SONATA_DOCUMENT_H

#include "sonata/score.h"

#include "../json/writer.h"

void sonata_write_text(sonata_json *w, sonata_text text);
void sonata_write_value(sonata_json *w, sonata_value value);
void sonata_write_target(sonata_json *w, const sonata_target *target);
void sonata_write_score(sonata_json *w, const sonata_score *score);

/* What the fingerprint is taken of. */
void sonata_write_identity(sonata_json *w, const sonata_score *score,
                           bool include_metadata);

#endif
