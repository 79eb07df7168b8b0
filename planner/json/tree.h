/* Nodes of a document, on their way into models and other documents. */
#ifndef SONATA_TREE_H
#define SONATA_TREE_H

#include "sonata/json.h"

#include "arena.h"
#include "writer.h"

/* Writes a node canonically; out of memory shows in the writer. */
void sonata_write_node(sonata_json *w, const sonata_doc *doc,
                       const sonata_node *node);

/* A node as a value of its own, independent of the document. False when out of
 * memory. */
bool sonata_node_value(sonata_value *value, sonata_arena *arena,
                       const sonata_doc *doc, const sonata_node *node);

#endif
