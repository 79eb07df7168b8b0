/* A picture as text: for Graphviz, or drawn by ourselves. */
#ifndef CLI_GRAPH_DRAW_H
#define CLI_GRAPH_DRAW_H

#include "picture.h"

/* What an SVG holds at most: beyond, nobody can read it. */
#define DRAW_MOST_NODES ((uint32_t)400) /* and as many boxes */
#define DRAW_MOST_LINES ((uint32_t)4000)

/* Adds a graph in the language of Graphviz; O(size of the text). */
void draw_dot(cli_text *out, const picture *p);

/*
 * Adds an SVG; p is within the limits above, see draw_fits. Ends with a
 * newline, as all of them. Sets out->failed when memory ran out.
 */
void draw_svg(cli_text *out, const picture *p);

/*
 * Whether an SVG can be drawn; else why not, as part of a sentence. Where only
 * redundant edges are too many, they are left out of the picture, and its
 * counts tell.
 */
bool draw_fits(char *why, size_t size, picture *p);

#endif
