#include <inttypes.h>
#include <stdlib.h>

#include "draw.h"
#include "labels.h"

/*
 * In a string in quotes: what a label shows is what stands there, so that a
 * backslash begins none of Graphviz' escapes and an ampersand no entity. Line
 * breaks become "\n".
 */
static void put_escaped(cli_text *out, const cli_text *text)
{
    for (size_t i = 0; i < text->length; i++) {
        char c = text->data[i];
        if (c == '\n')
            cli_text_put(out, "\\n");
        else if (c == '"')
            cli_text_put(out, "\\\"");
        else if (c == '\\')
            cli_text_put(out, "\\\\");
        else if (c == '&')
            cli_text_put(out, "&amp;");
        else
            cli_text_add(out, &c, 1);
    }
}

/* name="text"; empties the text. */
static void put_attribute(cli_text *out, const char *name, cli_text *text)
{
    cli_text_printf(out, "%s=\"", name);
    put_escaped(out, text);
    cli_text_put(out, "\"");
    picture_clear(text, out);
}

/* --- Tasks --- */

/* Ids name the tasks, except in a Score where two have the same. */
static void put_id(cli_text *out, const picture *p, uint32_t node)
{
    uint32_t task = p->nodes[node].task;
    if (p->document->ambiguous)
        cli_text_printf(out, "\"task %" PRIu32 "\"", task);
    else
        cli_text_printf(out, "\"%" PRId64 "\"", p->document->tasks[task].id);
}

static void put_label(cli_text *label, const picture *p, uint32_t node)
{
    cli_text line = {0};
    picture_put_name(label, p, node, 60);
    picture_put_place(&line, p, node);
    if (line.length > 0)
        cli_text_printf(label, "\n%s", line.data);
    picture_clear(&line, label);
    picture_put_condition(&line, p, node, 60);
    if (line.length > 0)
        cli_text_printf(label, "\n%s", line.data);
    label->failed = label->failed || line.failed;
    cli_text_free(&line);
}

static void put_node(cli_text *out, const picture *p, uint32_t node)
{
    const picture_node *n = &p->nodes[node];
    const oracle_task *task = &p->document->tasks[n->task];
    cli_text text = {0};
    cli_text_put(out, "  ");
    put_id(out, p, node);
    cli_text_put(out, " [");
    put_label(&text, p, node);
    put_attribute(out, "label", &text);
    cli_text_printf(out, ", fillcolor=\"%s\"",
                    picture_core_color(picture_core_of(p, node)));
    if (task->whens > 0 || task->has_predicate)
        cli_text_put(out, ", style=\"filled,rounded,dashed\"");
    if (n->is_wrong || n->is_doubtful)
        cli_text_put(out, ", color=\"#d0021b\"");
    if (n->is_wrong || n->is_centre)
        cli_text_put(out, ", penwidth=3");
    cli_text_put(out, ", ");
    picture_put_task(&text, p, node);
    put_attribute(out, "tooltip", &text);
    cli_text_put(out, "];\n");
    cli_text_free(&text);
}

/* --- Boxes, each with what is in it --- */

typedef struct tree {
    uint32_t *first_child, *next; /* of boxes; [box_count]: the outermost */
    uint32_t *first_node, *next_node;
} tree;

static bool grow_tree(tree *t, const picture *p)
{
    size_t boxes = (size_t)p->box_count + 1, nodes = (size_t)p->node_count + 1;
    t->first_child = malloc(boxes * sizeof *t->first_child);
    t->next = malloc(boxes * sizeof *t->next);
    t->first_node = malloc(boxes * sizeof *t->first_node);
    t->next_node = malloc(nodes * sizeof *t->next_node);
    if (t->first_child == NULL || t->next == NULL || t->first_node == NULL ||
        t->next_node == NULL)
        return false;
    for (size_t i = 0; i < boxes; i++)
        t->first_child[i] = t->next[i] = t->first_node[i] = PICTURE_NONE;
    for (uint32_t i = p->box_count; i > 0; i--) {
        uint32_t parent = p->boxes[i - 1].parent;
        uint32_t in = parent == PICTURE_NONE ? p->box_count : parent;
        t->next[i - 1] = t->first_child[in];
        t->first_child[in] = i - 1;
    }
    for (uint32_t i = p->node_count; i > 0; i--) {
        uint32_t box = p->nodes[i - 1].box;
        uint32_t in = box == PICTURE_NONE ? p->box_count : box;
        t->next_node[i - 1] = t->first_node[in];
        t->first_node[in] = i - 1;
    }
    return true;
}

static void free_tree(tree *t)
{
    free(t->first_child);
    free(t->next);
    free(t->first_node);
    free(t->next_node);
}

static void put_nodes_in(cli_text *out, const picture *p, const tree *t,
                         uint32_t box)
{
    for (uint32_t i = t->first_node[box]; i != PICTURE_NONE;
         i = t->next_node[i])
        put_node(out, p, i);
}

static void open_box(cli_text *out, const picture *p, const tree *t,
                     uint32_t box)
{
    cli_text_printf(out,
                    "  subgraph \"cluster_%" PRIu32 "\" {\n"
                    "  label=\"manual scope %" PRId64 "\";\n"
                    "  color=\"#8a6d1f\"; style=\"rounded,dashed\"; "
                    "fontcolor=\"#6b5514\";\n",
                    box, p->boxes[box].id);
    put_nodes_in(out, p, t, box);
}

/* Down to the first box within, else on, closing what has ended. */
static void put_boxes(cli_text *out, const picture *p, const tree *t)
{
    uint32_t at = t->first_child[p->box_count];
    while (at != PICTURE_NONE) {
        open_box(out, p, t, at);
        if (t->first_child[at] != PICTURE_NONE) {
            at = t->first_child[at];
            continue;
        }
        cli_text_put(out, "  }\n");
        while (at != PICTURE_NONE && t->next[at] == PICTURE_NONE) {
            at = p->boxes[at].parent;
            if (at != PICTURE_NONE)
                cli_text_put(out, "  }\n");
        }
        if (at != PICTURE_NONE)
            at = t->next[at];
    }
}

/* --- Lines --- */

static void put_line(cli_text *out, const picture *p, const picture_line *line)
{
    cli_text text = {0};
    cli_text_put(out, "  ");
    put_id(out, p, line->from);
    cli_text_put(out, " -> ");
    put_id(out, p, line->to);
    cli_text_printf(out, " [color=\"%s\"", picture_class_color(line->class));
    if (line->class == PICTURE_DOUBT)
        cli_text_put(out, ", style=dotted");
    else if (!line->certain)
        cli_text_put(out, ", style=dashed");
    if (line->redundant)
        cli_text_put(out, ", penwidth=0.4, arrowsize=0.5");
    else if (line->class >= PICTURE_ERROR)
        cli_text_put(out, ", penwidth=2.5");
    cli_text_put(out, ", ");
    picture_put_reasons(&text, p, line);
    put_attribute(out, "tooltip", &text);
    cli_text_put(out, "];\n");
    cli_text_free(&text);
}

/* --- The legend: a table whose texts are our own --- */

static void put_swatch(cli_text *out, const char *color, const char *label)
{
    cli_text_printf(out,
                    "<tr><td bgcolor=\"%s\">&#160;&#160;&#160;</td>"
                    "<td align=\"left\">%s</td></tr>",
                    color, label);
}

static void put_legend(cli_text *out, const picture *p)
{
    bool cores[PICTURE_CORES] = {false}, classes[PICTURE_CLASSES] = {false};
    for (uint32_t i = 0; i < p->node_count; i++)
        cores[picture_core_of(p, i)] = true;
    for (uint32_t i = 0; i < p->line_count; i++)
        classes[p->lines[i].class] = true;
    if (p->node_count == 0)
        return;
    cli_text_put(out, "  \"legend\" [shape=plaintext, style=\"\", label=<"
                      "<table border=\"0\" cellborder=\"0\">");
    for (int c = 0; c < PICTURE_CORES; c++)
        if (cores[c])
            put_swatch(out, picture_core_color((picture_core)c),
                       picture_core_label((picture_core)c));
    for (int c = 0; c < PICTURE_CLASSES; c++)
        if (classes[c])
            put_swatch(out, picture_class_color((picture_class)c),
                       picture_class_label((picture_class)c));
    cli_text_put(out, "</table>>];\n");
}

/* --- The whole --- */

static void put_head(cli_text *out, const picture *p)
{
    oracle_text name = p->document->name;
    cli_text text = {0}, note = {0};
    picture_put_text(&text, name.data, name.length, 100);
    cli_text_put(out, "digraph \"");
    put_escaped(out, &text);
    cli_text_put(out, "\" {\n  ");
    cli_text_put(&text, text.length > 0 ? "\n" : "");
    picture_put_counts(&text, p);
    picture_put_left_out(&note, p);
    cli_text_printf(&text, "%s%s", note.length > 0 ? "\n" : "",
                    note.length > 0 ? note.data : "");
    picture_clear(&note, &text);
    picture_put_size_note(&note, p);
    cli_text_printf(&text, "%s%s", note.length > 0 ? "\n" : "",
                    note.length > 0 ? note.data : "");
    text.failed = text.failed || note.failed;
    put_attribute(out, "label", &text);
    cli_text_put(out, ";\n  labelloc=t; fontname=\"monospace\";\n"
                      "  node [shape=box, style=\"filled,rounded\", "
                      "fontname=\"monospace\", color=\"#5b6670\"];\n"
                      "  edge [fontname=\"monospace\"];\n");
    cli_text_free(&text);
    cli_text_free(&note);
}

void draw_dot(cli_text *out, const picture *p)
{
    tree t = {0};
    put_head(out, p);
    if (grow_tree(&t, p)) {
        put_nodes_in(out, p, &t, p->box_count);
        put_boxes(out, p, &t);
    } else {
        out->failed = true;
    }
    free_tree(&t);
    for (uint32_t i = 0; i < p->line_count; i++)
        put_line(out, p, &p->lines[i]);
    put_legend(out, p);
    cli_text_put(out, "}\n");
}
