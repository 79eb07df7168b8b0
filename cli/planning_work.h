/* What the parts of planning share. */
#ifndef CLI_PLANNING_WORK_H
#define CLI_PLANNING_WORK_H

#include "planning.h"
#include "sonata/bundle.h"
#include "sonata/eligibility.h"
#include "sonata/handle.h"
#include "sonata/ir.h"
#include "sonata/memory.h"

/* The members of a bundle, in the order in which they stand in it. */
typedef enum plan_member {
    PLAN_GRAPH,
    PLAN_SCORE,
    PLAN_ELIGIBILITY,
    PLAN_HANDLE,
    PLAN_HBG,
    PLAN_MEMORY,
    PLAN_REGIONS,
    PLAN_ALIAS,
    PLAN_LIVENESS,
    PLAN_CONFLICTS,
    PLAN_MEMBERS
} plan_member;

extern const char *const plan_member_names[PLAN_MEMBERS];

typedef struct plan_work {
    const cli_plan_request *request;
    sonata_error *error;
    bool is_v09; /* the profile sonata-0.9 */
    const char *policy, *memory;
    bool per_region;
    unsigned asked;    /* a bit per member: it is wanted */
    unsigned expected; /* ... and told when it cannot be made */

    sonata_bundle made; /* members as they come about */
    cli_text notes;     /* JSON objects, with commas between them */

    const sonata_program *program; /* that the Score is of, or NULL */
    sonata_score *score; /* that the further members are made of, or NULL */
    sonata_buffer_size *sizes;
    size_t size_count, size_room;
    sonata_doc *sizes_doc, *graph_doc; /* sizes borrow their keys */
    sonata_key_pair *views;
    size_t view_count, view_room;
} plan_work;

/* Whether a member is wanted. */
bool plan_wants(const plan_work *w, plan_member member);

/* Takes canonical JSON over as a member; frees it. */
sonata_status plan_add(plan_work *w, plan_member member, char *json,
                       size_t length);

/* Tells why a member is not there, or something about one that is. */
void plan_note(plan_work *w, plan_member member, const char *code,
               sonata_text message, bool is_warning);

/* Sizes and views from a graph and from the request. */
sonata_status plan_read_graph(plan_work *w, const char *json, size_t length);
sonata_status plan_read_sizes(plan_work *w);

/* Fingerprints and digests of the Score, where they are asked for. */
sonata_status plan_put_codes(cli_text *out, const plan_work *w);

/* The members that are made of the Score. */
sonata_status plan_make_members(plan_work *w);

#endif
