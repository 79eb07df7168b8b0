/*
 * Programs in the JSON form of the IR (spec 05): reading, eligibility and
 * Score of the whole, regions, and a Score for each static region.
 *
 * A program is read once and not changed afterwards: several threads may plan
 * it. What is made of a program borrows its texts and is freed before it.
 */
#ifndef SONATA_IR_JSON_H
#define SONATA_IR_JSON_H

#include "sonata/eligibility.h"
#include "sonata/memory.h"

typedef struct sonata_program sonata_program;

/*
 * Reads a program. *program is freed by the caller, NULL after a failure; the
 * text is not needed afterwards.
 *
 * A ref takes the node of that id that stands last before it in the text (a
 * node stands where it begins). Of keys that repeat in an object or a map the
 * last value counts, at the place of the first. A field that is null is as
 * missing, but for the alternative names of types and shapes. Kinds and fields
 * without a meaning are passed over.
 *
 * Errors: those of sonata_doc_read; SONATA_SCHEMA with the path of the value:
 * a root that is no node; a kind, id, ref or map of a wrong form; an object
 * with two of kind, ref and map; a ref to no node before it; where they are
 * looked at, a name that is no string, args, arg_directions or params that are
 * no list, an op without text, a direction without text, an assignment to
 * something that is no node. SONATA_RANGE: more than 2^32 - 2 values, or
 * functions or assignments that share so many nodes, or names so long, that
 * what is said of them is not linear in the text.
 * SONATA_NO_MEMORY. Linear; about eighteen times the text in memory.
 */
sonata_status sonata_ir_read(sonata_program **program, const char *text,
                             size_t length, sonata_error *error);

/*
 * The program that a node of a document holds; the document must outlive it.
 * Otherwise as above; paths in errors begin at the node.
 */
sonata_status sonata_ir_from_node(sonata_program **program,
                                  const sonata_doc *doc,
                                  const sonata_node *node, sonata_error *error);

void sonata_program_free(sonata_program *program); /* NULL does nothing */

/* Zeroed: sequential_v0, all orchestration functions, not certified. */
typedef struct sonata_ir_options {
    const char *policy; /* NULL: "sequential_v0"; or "dataflow_v0", "mixed" */
    sonata_text entry;  /* name of the one function wanted; null: all */
    bool certified;     /* every task needs a direction for each argument */
} sonata_ir_options;

/*
 * Whole-graph eligibility and, where there is no reason against it, the Score
 * with the dependencies of the policy (dataflow_v0 falls back to sequential_v0
 * as spec 02 says). options may be NULL. A rejected program is SONATA_OK with
 * reasons. *result is freed by the caller, before the program; zeroed after a
 * failure. Errors: SONATA_UNSUPPORTED (another policy), SONATA_REJECTED (mixed
 * on incomplete directions), SONATA_RANGE, SONATA_NO_MEMORY. Linear in the
 * program and its edges.
 */
sonata_status sonata_ir_plan(sonata_eligibility *result,
                             const sonata_program *program,
                             const sonata_ir_options *options,
                             sonata_error *error);

/*
 * The task graph of an eligible program by what its IR means (see
 * sonata_score_graph_json), beside its Score, whose extraction loses facts:
 * every call that runs, in that order, those in statements without a meaning
 * included; constants by their value; each argument with the storage that it
 * has when its call runs, also through other variables, slices, views, reshapes
 * and transposes (whose accesses are bounds). Ids and edges are those of the
 * Score; calls that it lacks have the ids behind. Where the further statements
 * hold a loop or a branch, or are not well formed, it is that of the Score.
 * Errors: as sonata_score_graph_json. Linear.
 */
sonata_status
sonata_ir_graph_json(char **json, size_t *length, const sonata_program *program,
                     const sonata_ir_options *options,
                     const sonata_score *score, const sonata_buffer_size *sizes,
                     size_t size_count, bool pretty, sonata_error *error);

/* A region: its number is its place in the list. */
typedef struct sonata_region {
    bool is_dynamic;
    sonata_text control_flow_kind; /* of a dynamic one, else null */
    size_t node_count;             /* statements, 1 for a dynamic one */
    sonata_reason fallback;        /* of a dynamic one, else code NULL */
} sonata_region;

typedef struct sonata_regions {
    sonata_region *items;
    size_t count;
    size_t static_count;
    struct sonata_arena *memory; /* owned */
} sonata_regions;

/*
 * The regions of the root node, in order: at least one. Freed by the caller,
 * before the program; zeroed after a failure. Errors: SONATA_NO_MEMORY. Linear
 * in the statements of the root node.
 */
sonata_status sonata_ir_regions(sonata_regions *regions,
                                const sonata_program *program,
                                sonata_error *error);
void sonata_regions_free(sonata_regions *regions);

/*
 * The regions as a document, canonical JSON (see sonata_score_json):
 * {regions: [{region_id, kind, control_flow_kind, node_count, fallback}],
 * schema_version: 1, static_ratio}.
 */
sonata_status sonata_regions_json(char **json, size_t *length,
                                  const sonata_regions *regions, bool pretty,
                                  sonata_error *error);

/*
 * Region eligibility as v0.9 has it (whole_v0): rejected with the reasons of
 * the regions when all of them are dynamic, else what sonata_ir_plan says.
 * Ownership and errors as there.
 */
sonata_status sonata_ir_region_eligibility(sonata_eligibility *result,
                                           const sonata_program *program,
                                           const sonata_ir_options *options,
                                           sonata_error *error);

/* What is planned of one region. */
typedef struct sonata_region_plan {
    sonata_region region;
    /*
     * Of a static region: whether it can be planned by itself, why not, and
     * its Score, named "<name>.r<region id>". Its storage keys are those of
     * the whole function, its shape assumptions those of the parameters that
     * its tasks name by storage key. A dynamic region is not eligible and has
     * no reason here: its reason is the region's.
     */
    sonata_eligibility result;
    /*
     * The region may touch memory that no storage key names for certain: an
     * argument that is no constant and no scalar has no key, or is a variable
     * that is assigned to more than once, or from another variable. It is
     * ordered against all other regions.
     */
    bool has_unknown_access;
} sonata_region_plan;

/*
 * What joins two regions: the consumer has to wait for the producer, which
 * stands before it, because of a storage key that both touch ("data": written
 * then read, "storage": written twice, "war": read then written) or, with a
 * null key, because one of them has an unknown access ("ordering").
 */
typedef struct sonata_border {
    size_t producer, consumer; /* region ids */
    const char *kind;          /* static */
    sonata_text storage_key;   /* or null */
} sonata_border;

typedef struct sonata_region_plans {
    sonata_region_plan *items; /* per region, in order */
    size_t count;
    size_t static_count;
    sonata_border *borders; /* by consumer, then in order of access */
    size_t border_count;
    struct sonata_arena *memory; /* owned, as is what the Scores borrow */
    struct sonata_ir *parts;
} sonata_region_plans;

/*
 * Plans each static region as a Score of its own (per_region) and tells the
 * borders. A node that several regions refer to belongs to each of them. Calls
 * count wherever the walk finds them, also inside a dynamic region; a scalar
 * is no access, an argument with another direction than input, output and
 * inout both reads and writes. Freed by the caller, before the program; zeroed
 * after a failure. Errors as sonata_ir_plan, and SONATA_RANGE when regions
 * share too many nodes; a region that is rejected is SONATA_OK with its
 * reasons. Linear in the program and in the edges and borders.
 */
sonata_status sonata_ir_plan_regions(sonata_region_plans *plans,
                                     const sonata_program *program,
                                     const sonata_ir_options *options,
                                     sonata_error *error);
void sonata_region_plans_free(sonata_region_plans *plans);

/*
 * The plans as a document, canonical JSON: {borders: [{consumer, kind,
 * producer, storage_key}], regions: [a region, with eligibility (null for a
 * dynamic one) and has_unknown_access], schema_version: 1, static_ratio}.
 */
sonata_status sonata_region_plans_json(char **json, size_t *length,
                                       const sonata_region_plans *plans,
                                       bool pretty, sonata_error *error);

#endif
