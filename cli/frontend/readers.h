/* The three readers that make outlines; see outline.h. */
#ifndef CLI_FRONTEND_READERS_H
#define CLI_FRONTEND_READERS_H

#include "oracle/document.h"

#include "outline.h"

/*
 * A task-graph document that was read. Names are borrowed from it.
 * FRONTEND_SKIPPED when it is a Score.
 */
frontend_status frontend_read_graph(frontend_outline *outline,
                                    const oracle_document *document);

/*
 * Generated orchestration C++: the body of its entry function, loops expanded.
 * FRONTEND_SKIPPED when it has jumps or takes more than outline->steps,
 * FRONTEND_BAD when it is no such text. Names in the outline are borrowed from
 * `text`. O(length log length + steps).
 */
frontend_status frontend_read_cpp(frontend_outline *outline, const char *text,
                                  size_t length);

/* exporter.json, parsed, its functions with what they return. */
typedef struct exporter_file exporter_file;

/*
 * Parses; the text is not kept. On FRONTEND_OK free with exporter_close. On
 * failure nothing is owned and `reason` (200 bytes) is set.
 */
frontend_status exporter_open(exporter_file **opened, const char *text,
                              size_t length, char reason[200]);
void exporter_close(exporter_file *file);

/*
 * All outlines of a file together may take as many steps as one outline; this
 * adds some.
 */
void exporter_grant(exporter_file *file, uint64_t steps);

/*
 * The outlines that may be of the certified function: each Orchestration
 * function and each HOST orchestrator, the latter first. `index` counts from
 * 0; exporter_candidates says how many there are. Names in the outline are
 * borrowed from the exporter.
 */
uint32_t exporter_candidates(const exporter_file *file);
frontend_status exporter_outline(frontend_outline *outline, exporter_file *file,
                                 uint32_t index);

#endif
