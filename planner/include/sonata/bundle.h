/*
 * Bundles (spec 09): documents that belong together, each with its role and
 * the SHA-256 of what it holds.
 */
#ifndef SONATA_BUNDLE_H
#define SONATA_BUNDLE_H

#include "sonata/json.h"

typedef struct sonata_member {
    /* "graph", "score", "handle", "hbg", "memory", "eligibility", "trace" or
     * "source"; and what a planner tells besides, which is not judged:
     * "regions", "alias", "liveness", "conflicts" */
    sonata_text role;
    /* A JSON value in canonical compact JSON, or any text (is_text). */
    bool is_text;
    sonata_text content;
    /* 64 lower-case hex digits: of the content as it stands here. */
    sonata_text sha256;
} sonata_member;

typedef struct sonata_bundle {
    sonata_member *members;
    size_t count;
    size_t capacity;
    struct sonata_arena *memory; /* owned */
} sonata_bundle;

/* Frees what the bundle owns (not the struct itself) and zeroes it. */
void sonata_bundle_free(sonata_bundle *bundle);

/*
 * Adds a copy of a document (JSON, laid out in whatever way) or of a text to a
 * bundle (zero-initialise it). `role` is copied. Errors: for a document those
 * of sonata_doc_read, for a text SONATA_SYNTAX when it is no UTF-8;
 * SONATA_REJECTED (bundle.role: no role of the spec), SONATA_NO_MEMORY. The
 * bundle is then as it was. Linear.
 */
sonata_status sonata_bundle_add_document(sonata_bundle *bundle,
                                         const char *role, const char *json,
                                         size_t length, sonata_error *error);
sonata_status sonata_bundle_add_text(sonata_bundle *bundle, const char *role,
                                     const char *text, size_t length,
                                     sonata_error *error);

/*
 * Adds a copy of a document that one of the writers of this library has made,
 * compact: it is canonical already and not read again. Errors:
 * SONATA_REJECTED and SONATA_NO_MEMORY as above. Linear.
 */
sonata_status sonata_bundle_add_written(sonata_bundle *bundle, const char *role,
                                        const char *json, size_t length,
                                        sonata_error *error);

/* The first member of a role, or NULL. */
const sonata_member *sonata_bundle_find(const sonata_bundle *bundle,
                                        const char *role);

/* Canonical JSON; see sonata_score_json. */
sonata_status sonata_bundle_json(char **json, size_t *length,
                                 const sonata_bundle *bundle, bool pretty,
                                 sonata_error *error);

/*
 * Reads a bundle, strictly; see sonata_score_read. Required are kind
 * ("bundle"), version (1), members, and of each role and one of document and
 * text. A sha256 that is missing is filled in; one that is not that of the
 * content is refused (SONATA_SCHEMA), and so is a role that the spec does not
 * have.
 */
sonata_status sonata_bundle_read(sonata_bundle *bundle, const char *text,
                                 size_t length, sonata_reasons *warnings,
                                 sonata_error *error);

#endif
