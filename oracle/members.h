/*
 * Where the parts of a text stand in its JSON: the members of a bundle by
 * role, or the one document that it is. For the rules between documents.
 */
#ifndef ORACLE_MEMBERS_H
#define ORACLE_MEMBERS_H

#include "json.h"
#include "validate.h"

typedef enum oracle_role {
    ORACLE_ROLE_GRAPH,
    ORACLE_ROLE_SCORE,
    ORACLE_ROLE_HANDLE,
    ORACLE_ROLE_HBG,
    ORACLE_ROLE_MEMORY,
    ORACLE_ROLE_ELIGIBILITY,
    ORACLE_ROLE_RECORD, /* the deps.json of a run */
    ORACLE_ROLE_TRACE,  /* its chip_swimlane_records.json */
    ORACLE_ROLE_SOURCE,
    ORACLE_ROLES
} oracle_role;

/* What is known of a Score of the JSON already. */
typedef struct oracle_known {
    uint32_t score; /* its node */
    const char *fingerprint;
    const oracle_reasons *reasons; /* NULL: not known */
} oracle_known;

typedef struct oracle_members {
    oracle_json *json;
    uint32_t node[ORACLE_ROLES]; /* ORACLE_NONE: absent */
    const oracle_known *known;   /* NULL: nothing */
} oracle_members;

/* The fingerprint of the Score among them. False: no memory. */
bool oracle_members_fingerprint(char digest[65], const oracle_members *members);

/* The JSON of a document of any kind; of a task graph it is folded. */
oracle_status oracle_document_json(oracle_json *json, const char *text,
                                   size_t length, oracle_error *error);

/*
 * As oracle_document_read, from JSON that outlives the document. `members`
 * (not NULL) gets the parts. A Score whose ids repeat is read here, and marked
 * in the document: what depends on order cannot be judged.
 */
oracle_status oracle_members_read(oracle_members *members,
                                  oracle_document *document, oracle_json *json,
                                  const oracle_read_options *options,
                                  oracle_error *error);

/* The Score member alone, as a task graph of its own. */
oracle_status oracle_members_read_score(oracle_document *document,
                                        const oracle_members *members,
                                        bool lenient, oracle_error *error);
/* The same of the graph member. */
oracle_status oracle_members_read_graph(oracle_document *document,
                                        const oracle_members *members,
                                        bool lenient, oracle_error *error);

#endif
