#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "labels.h"
#include "layout.h"
#include "replay/picture.h"

#define MARGIN ((int64_t)24)
#define LEAST_WIDTH ((int64_t)640)
#define NAME_COLUMNS 36
#define CONDITION_COLUMNS 34
#define MOST_HAZARDS 20
#define FINDING_COLUMNS 600

/* Tenths of a pixel that a column takes, with some room for other fonts. */
#define WIDE 75
#define NARROW 63

typedef struct drawing {
    cli_text *out;
    const picture *p;
    layout layout;
    layout_rect *sizes;
    int64_t *box_widths;
    int64_t x, y; /* of the graph in the drawing */
    int64_t width, height;
} drawing;

/* --- Escaping --- */

static void put_escaped(cli_text *out, const char *data, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = data[i];
        if (c == '&')
            cli_text_put(out, "&amp;");
        else if (c == '<')
            cli_text_put(out, "&lt;");
        else if (c == '>')
            cli_text_put(out, "&gt;");
        else if (c == '"')
            cli_text_put(out, "&quot;");
        else
            cli_text_add(out, &c, 1);
    }
}

/* Empties the text. */
static void put_text(cli_text *out, cli_text *text)
{
    if (text->length > 0)
        put_escaped(out, text->data, text->length);
    picture_clear(text, out);
}

static void put_title(cli_text *out, cli_text *text)
{
    cli_text_put(out, "<title>");
    put_text(out, text);
    cli_text_put(out, "</title>\n");
}

/* A line of text with its left end (or, class "m", its middle) at x. */
static void put_line_at(cli_text *out, int64_t x, int64_t y, const char *class,
                        cli_text *text)
{
    cli_text_printf(out,
                    "<text x=\"%" PRId64 "\" y=\"%" PRId64 "\" class=\"%s\">",
                    x, y, class);
    put_text(out, text);
    cli_text_put(out, "</text>\n");
}

static int64_t even(int64_t n)
{
    return (n + 1) / 2 * 2;
}

static int64_t width_of(const cli_text *text, int64_t tenths)
{
    if (text->length == 0)
        return 0;
    return ((int64_t)picture_columns(text->data, text->length) * tenths + 9) /
           10;
}

/* --- Sizes --- */

static int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static void measure_node(drawing *d, uint32_t node)
{
    cli_text text = {0};
    int64_t width, lines = 1;
    picture_put_name(&text, d->p, node, NAME_COLUMNS);
    width = width_of(&text, WIDE);
    picture_clear(&text, d->out);
    picture_put_place(&text, d->p, node);
    width = max(width, width_of(&text, NARROW));
    lines += text.length > 0;
    picture_clear(&text, d->out);
    picture_put_condition(&text, d->p, node, CONDITION_COLUMNS);
    width = max(width, width_of(&text, NARROW));
    lines += text.length > 0;
    picture_clear(&text, d->out);
    cli_text_free(&text);
    d->sizes[node] =
        (layout_rect){.w = even(max(width + 20, 60)), .h = 12 + 14 * lines};
}

static bool measure(drawing *d)
{
    const picture *p = d->p;
    d->sizes = calloc((size_t)p->node_count + 1, sizeof *d->sizes);
    d->box_widths = calloc((size_t)p->box_count + 1, sizeof *d->box_widths);
    if (d->sizes == NULL || d->box_widths == NULL)
        return false;
    for (uint32_t i = 0; i < p->node_count; i++)
        measure_node(d, i);
    for (uint32_t i = 0; i < p->box_count; i++)
        d->box_widths[i] = 200;
    return layout_make(&d->layout, p, d->sizes, d->box_widths);
}

/* --- Head --- */

/* Only what occurs: a color that nothing has explains nothing. */
typedef struct occurrence {
    bool cores[PICTURE_CORES], classes[PICTURE_CLASSES];
    bool uncertain, redundant, conditional, wrong, box;
} occurrence;

static occurrence find_occurrence(const picture *p)
{
    occurrence o = {.box = p->box_count > 0};
    for (uint32_t i = 0; i < p->node_count; i++) {
        const oracle_task *task = &p->document->tasks[p->nodes[i].task];
        o.cores[picture_core_of(p, i)] = true;
        o.conditional = o.conditional || task->whens > 0 || task->has_predicate;
        o.wrong = o.wrong || p->nodes[i].is_wrong || p->nodes[i].is_doubtful;
    }
    for (uint32_t i = 0; i < p->line_count; i++) {
        o.classes[p->lines[i].class] = true;
        o.uncertain = o.uncertain || !p->lines[i].certain;
        o.redundant = o.redundant || p->lines[i].redundant;
    }
    return o;
}

/* Moves on to where the next entry of the legend stands. */
typedef struct legend {
    drawing *d;
    cli_text *out;
    int64_t x, y;
} legend;

static void put_entry(legend *l, const char *swatch, const char *label)
{
    int64_t width = 34 + ((int64_t)strlen(label) * NARROW + 9) / 10 + 18;
    if (l->x > MARGIN && l->x + width > l->d->width - MARGIN) {
        l->x = MARGIN;
        l->y += 20;
    }
    cli_text_printf(l->out,
                    "<g transform=\"translate(%" PRId64 " %" PRId64 ")\">%s"
                    "<text x=\"34\" y=\"4\" class=\"s\">%s</text></g>\n",
                    l->x, l->y, swatch, label);
    l->x += width;
}

static void put_core_entry(legend *l, picture_core core)
{
    char swatch[120];
    snprintf(swatch, sizeof swatch,
             "<rect y=\"-7\" width=\"26\" height=\"14\" rx=\"4\" "
             "class=\"n c%d\"/>",
             (int)core);
    put_entry(l, swatch, picture_core_label(core));
}

static void put_class_entry(legend *l, const char *classes, const char *label)
{
    char swatch[120];
    snprintf(swatch, sizeof swatch, "<path class=\"%s\" d=\"M0 0H26\"/>",
             classes);
    put_entry(l, swatch, label);
}

static void put_legend(legend *l)
{
    occurrence o = find_occurrence(l->d->p);
    char class[16];
    for (int c = 0; c < PICTURE_CORES; c++)
        if (o.cores[c])
            put_core_entry(l, (picture_core)c);
    if (o.conditional)
        put_entry(l,
                  "<rect y=\"-7\" width=\"26\" height=\"14\" rx=\"4\" "
                  "class=\"n w\" fill=\"none\"/>",
                  "runs on a condition");
    if (o.wrong)
        put_entry(l,
                  "<rect y=\"-7\" width=\"26\" height=\"14\" rx=\"4\" "
                  "class=\"n e\" fill=\"none\"/>",
                  "finding about one task");
    if (o.box)
        put_entry(l,
                  "<rect y=\"-7\" width=\"26\" height=\"14\" rx=\"4\" "
                  "class=\"b\"/>",
                  "manual scope");
    for (int c = 0; c < PICTURE_CLASSES; c++) {
        snprintf(class, sizeof class, "l k%d", c);
        if (o.classes[c])
            put_class_entry(l, class, picture_class_label((picture_class)c));
    }
    if (o.uncertain)
        put_class_entry(l, "l k3 u", "perhaps");
    if (o.redundant)
        put_class_entry(l, "l k3 r", "redundant");
}

static const char *rules_name(const oracle_document *d)
{
    switch (d->derived) {
    case ORACLE_RULES_TENSORMAP:
        return ", rules tensormap";
    case ORACLE_RULES_CONSERVATIVE:
        return ", rules conservative";
    case ORACLE_RULES_NONE:
        break;
    }
    return "";
}

static void put_note(legend *l, cli_text *text)
{
    if (text->length > 0) {
        put_line_at(l->out, MARGIN, l->y - 6, "s", text);
        l->y += 18;
    }
    picture_clear(text, l->out);
}

/* Title, counts, notes, legend; l->y then is below them. */
static void put_head(legend *l)
{
    const picture *p = l->d->p;
    oracle_text name = p->document->name;
    cli_text text = {0};
    size_t columns = (size_t)((l->d->width - 2 * MARGIN) * 10 / 95);
    picture_put_text(&text, name.data, name.length, columns);
    if (text.length == 0)
        cli_text_put(&text, "task graph");
    put_line_at(l->out, MARGIN, 34, "t", &text);
    picture_put_counts(&text, p);
    cli_text_put(&text, rules_name(p->document));
    put_line_at(l->out, MARGIN, 54, "s", &text);
    l->y = 76;
    picture_put_left_out(&text, p);
    put_note(l, &text);
    picture_put_size_note(&text, p);
    put_note(l, &text);
    cli_text_free(&text);
    l->x = MARGIN;
    put_legend(l);
    l->y += 14;
}

/* --- Boxes, lines, tasks --- */

static void put_box(drawing *d, uint32_t box)
{
    const layout_rect *r = &d->layout.boxes[box];
    cli_text_printf(d->out,
                    "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
                    "\" height=\"%" PRId64 "\" rx=\"8\" class=\"b\"/>\n",
                    d->x + r->x, d->y + r->y, r->w, r->h);
}

/* Above the lines, which enter through it. */
static void put_box_label(drawing *d, uint32_t box)
{
    const layout_rect *r = &d->layout.boxes[box];
    cli_text_printf(d->out,
                    "<text x=\"%" PRId64 "\" y=\"%" PRId64
                    "\" class=\"bt\">manual scope %" PRId64 "</text>\n",
                    d->x + r->x + 10, d->y + r->y + 15, d->p->boxes[box].id);
}

/* Curves that leave and arrive upright. */
static void put_path(drawing *d, const layout_route *route)
{
    const layout_point *points = d->layout.points + route->first;
    for (size_t i = 0; i < route->count; i++) {
        int64_t x = d->x + points[i].x, y = d->y + points[i].y;
        if (i == 0) {
            cli_text_printf(d->out, "M%" PRId64 " %" PRId64, x, y);
        } else if (i % 2 == 0) {
            if (points[i].y != points[i - 1].y)
                cli_text_printf(d->out, "V%" PRId64, y);
        } else if (points[i].x == points[i - 1].x) {
            cli_text_printf(d->out, "V%" PRId64, y);
        } else {
            int64_t before = d->y + points[i - 1].y;
            int64_t middle = (before + y) / 2;
            cli_text_printf(d->out,
                            "C%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
                            " %" PRId64 " %" PRId64,
                            d->x + points[i - 1].x, middle, x, middle, x, y);
        }
    }
}

/* From a task to itself: at its right side. */
static void put_loop(drawing *d, uint32_t node)
{
    const layout_rect *r = &d->layout.nodes[node];
    int64_t x = d->x + r->x + r->w, y = d->y + r->y + r->h / 2;
    cli_text_printf(d->out, "M%" PRId64 " %" PRId64 "c18 -12 18 16 2 10", x,
                    y - 5);
}

static void put_line(drawing *d, uint32_t index)
{
    const picture_line *line = &d->p->lines[index];
    const layout_route *route = &d->layout.routes[index];
    cli_text text = {0};
    cli_text_printf(d->out, "<path class=\"l k%d%s%s\" d=\"", (int)line->class,
                    line->certain ? "" : " u", line->redundant ? " r" : "");
    if (route->count == 0)
        put_loop(d, line->from);
    else
        put_path(d, route);
    cli_text_put(d->out, "\">");
    picture_put_reasons(&text, d->p, line);
    put_title(d->out, &text);
    cli_text_put(d->out, "</path>\n");
    cli_text_free(&text);
}

static void put_node_texts(drawing *d, uint32_t node, int64_t x, int64_t y)
{
    cli_text text = {0};
    picture_put_name(&text, d->p, node, NAME_COLUMNS);
    put_line_at(d->out, x, y + 17, "m", &text);
    int64_t at = y + 31;
    picture_put_place(&text, d->p, node);
    if (text.length > 0) {
        put_line_at(d->out, x, at, "m s", &text);
        at += 14;
    }
    picture_put_condition(&text, d->p, node, CONDITION_COLUMNS);
    if (text.length > 0)
        put_line_at(d->out, x, at, "m s i", &text);
    picture_clear(&text, d->out);
    cli_text_free(&text);
}

static void put_node(drawing *d, uint32_t node)
{
    const picture_node *n = &d->p->nodes[node];
    const oracle_task *task = &d->p->document->tasks[n->task];
    const layout_rect *r = &d->layout.nodes[node];
    cli_text text = {0};
    int64_t x = d->x + r->x, y = d->y + r->y;
    bool is_conditional = task->whens > 0 || task->has_predicate;
    cli_text_put(d->out, "<g>");
    picture_put_task(&text, d->p, node);
    put_title(d->out, &text);
    cli_text_printf(d->out,
                    "<rect x=\"%" PRId64 "\" y=\"%" PRId64 "\" width=\"%" PRId64
                    "\" height=\"%" PRId64 "\" rx=\"6\" class=\"n c%d%s%s%s\"/>"
                    "\n",
                    x, y, r->w, r->h, (int)picture_core_of(d->p, node),
                    is_conditional ? " w" : "",
                    n->is_wrong      ? " e"
                    : n->is_doubtful ? " q"
                                     : "",
                    n->is_centre ? " f" : "");
    put_node_texts(d, node, x + r->w / 2, y);
    cli_text_put(d->out, "</g>\n");
    cli_text_free(&text);
}

/* --- Hazards in words, below the graph --- */

/* The bytes of the next line, broken at a blank where there is one. */
static size_t line_length(const char *text, size_t length, size_t columns)
{
    size_t at = 0, blank = 0, used = 0;
    while (at < length) {
        uint32_t point;
        size_t size = cli_utf8_decode(&point, text + at, length - at);
        size = size > 0 ? size : 1;
        used += picture_columns(text + at, size);
        if (used > columns)
            return blank > 0 ? blank : at > 0 ? at : size;
        if (text[at] == ' ')
            blank = at;
        at += size;
    }
    return length;
}

static void put_wrapped(legend *l, const cli_text *text)
{
    size_t columns = (size_t)((l->d->width - 2 * MARGIN) * 10 / NARROW);
    cli_text part = {0};
    for (size_t at = 0; at < text->length;) {
        at += at > 0 && text->data[at] == ' ';
        size_t length =
            line_length(text->data + at, text->length - at, columns);
        cli_text_add(&part, text->data + at, length);
        put_line_at(l->out, MARGIN, l->y, "s h", &part);
        l->y += 15;
        at += length;
    }
    cli_text_free(&part);
}

/* Puts the text, which it empties, unless there were enough before. */
static void put_finding(legend *l, cli_text *text, uint32_t *told)
{
    if ((*told)++ < MOST_HAZARDS) {
        put_wrapped(l, text);
        l->y += 4;
    }
    picture_clear(text, l->out);
}

static void put_hazards(legend *l)
{
    const picture *p = l->d->p;
    cli_text text = {0};
    uint32_t told = 0;
    for (int class = PICTURE_ERROR; class <= PICTURE_DOUBT; class ++) {
        for (uint32_t i = 0; i < p->line_count; i++) {
            if ((int)p->lines[i].class != class)
                continue;
            picture_put_hazard(&text, p, &p->lines[i], FINDING_COLUMNS);
            put_finding(l, &text, &told);
        }
    }
    for (uint32_t i = 0; i < p->node_count; i++) {
        for (uint32_t k = 0; k < p->nodes[i].remarks; k++) {
            picture_put_remark(&text, p, i, k, FINDING_COLUMNS);
            put_finding(l, &text, &told);
        }
    }
    if (told > MOST_HAZARDS) {
        cli_text_printf(&text, "and %" PRIu32 " more", told - MOST_HAZARDS);
        put_line_at(l->out, MARGIN, l->y, "s h", &text);
        l->y += 19;
    }
    cli_text_free(&text);
}

/* --- The whole --- */

static void put_marker(cli_text *out, int class, const char *suffix, int size)
{
    cli_text_printf(out,
                    "<marker id=\"m%d%s\" viewBox=\"0 0 8 8\" refX=\"7.5\" "
                    "refY=\"4\" markerWidth=\"%d\" markerHeight=\"%d\" "
                    "markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
                    "<path d=\"M0 0L8 4L0 8z\" class=\"a%d\"/></marker>\n",
                    class, suffix, size, size, class);
}

static void put_dark_style(cli_text *out)
{
    cli_text_put(out, replay_picture_dark);
    cli_text_put(out, ".h{fill:#ff9a9e}\n"
                      ".n{stroke:#8a949d}\n"
                      ".w{stroke:#c3cad1}\n"
                      ".f{stroke:#f2f5f8}\n"
                      ".e,.q{stroke:#ff6b70}\n"
                      ".b{fill:#211f16;stroke:#8f7c36}\n"
                      ".bt{fill:#d9bf6a;stroke:#211f16}\n");
    for (int c = 0; c < PICTURE_CORES; c++)
        cli_text_printf(out, ".c%d{fill:%s}\n", c,
                        picture_core_dark((picture_core)c));
    for (int c = 0; c < PICTURE_CLASSES; c++)
        cli_text_printf(out, ".k%d{stroke:%s}\n.a%d{fill:%s}\n", c,
                        picture_class_dark((picture_class)c), c,
                        picture_class_dark((picture_class)c));
    cli_text_put(out, "}\n");
}

static void put_style(cli_text *out)
{
    cli_text_put(out, "<style>\n");
    cli_text_put(out, replay_picture_style);
    cli_text_put(
        out, ".i{font-style:italic}\n"
             ".h{fill:#9b0014}\n"
             ".n{stroke:#5b6670;stroke-width:1}\n"
             ".w{stroke:#30363c;stroke-width:1.4;stroke-dasharray:5 3}\n"
             ".f{stroke:#1b1f23;stroke-width:3}\n"
             ".e{stroke:#d0021b;stroke-width:2.5}\n"
             ".q{stroke:#d0021b;stroke-width:2;stroke-dasharray:2 3}\n"
             ".b{fill:#fffbea;stroke:#b59a3c;stroke-width:1.2;"
             "stroke-dasharray:7 4}\n"
             ".bt{font-size:10px;fill:#6b5514;stroke:#fffbea;stroke-width:4px;"
             "paint-order:stroke}\n"
             ".l{fill:none;stroke-width:1.5}\n");
    for (int c = 0; c < PICTURE_CORES; c++)
        cli_text_printf(out, ".c%d{fill:%s}\n", c,
                        picture_core_color((picture_core)c));
    for (int c = 0; c < PICTURE_CLASSES; c++)
        cli_text_printf(out,
                        ".k%d{stroke:%s;marker-end:url(#m%d)}\n"
                        ".k%d.r{marker-end:url(#m%dr)}\n.a%d{fill:%s}\n",
                        c, picture_class_color((picture_class)c), c, c, c, c,
                        picture_class_color((picture_class)c));
    cli_text_printf(out,
                    ".k%d{stroke-width:2.6}\n"
                    ".k%d{stroke-width:2.4;stroke-dasharray:2 4}\n"
                    ".u{stroke-dasharray:6 4}\n"
                    ".l.r{stroke-width:0.7;stroke-opacity:0.7}\n",
                    (int)PICTURE_ERROR, (int)PICTURE_DOUBT);
    put_dark_style(out);
    cli_text_put(out, "</style>\n");
}

static void put_graph(drawing *d)
{
    const picture *p = d->p;
    for (uint32_t i = 0; i < p->box_count; i++)
        put_box(d, i);
    for (uint32_t i = 0; i < p->line_count; i++)
        if (p->lines[i].redundant)
            put_line(d, i);
    for (uint32_t i = 0; i < p->line_count; i++)
        if (!p->lines[i].redundant && p->lines[i].class < PICTURE_ERROR)
            put_line(d, i);
    for (uint32_t i = 0; i < p->line_count; i++)
        if (p->lines[i].class >= PICTURE_ERROR)
            put_line(d, i);
    for (uint32_t i = 0; i < p->box_count; i++)
        put_box_label(d, i);
    for (uint32_t i = 0; i < p->node_count; i++)
        put_node(d, i);
}

/* The parts around the graph say how high the drawing is. */
static void put_all(drawing *d, cli_text *head, cli_text *foot)
{
    legend l = {.d = d, .out = head};
    d->width = max(d->layout.width + 2 * MARGIN, LEAST_WIDTH);
    put_head(&l);
    d->x = (d->width - d->layout.width) / 2;
    d->y = l.y + 10;
    l.out = foot;
    l.y = d->y + d->layout.height + 32;
    put_hazards(&l);
    d->height = l.y;
    cli_text_printf(d->out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64
                    "\" height=\"%" PRId64 "\" viewBox=\"0 0 %" PRId64
                    " %" PRId64 "\">\n",
                    d->width, d->height, d->width, d->height);
    put_style(d->out);
    cli_text_put(d->out, "<defs>\n");
    for (int c = 0; c < PICTURE_CLASSES; c++) {
        put_marker(d->out, c, "", c < PICTURE_ERROR ? 8 : 10);
        put_marker(d->out, c, "r", 5);
    }
    cli_text_put(d->out, "</defs>\n<rect width=\"100%\" height=\"100%\" "
                         "class=\"bg\"/>\n");
    cli_text_add(d->out, head->data, head->length);
    put_graph(d);
    if (foot->length > 0)
        cli_text_add(d->out, foot->data, foot->length);
    cli_text_put(d->out, "</svg>\n");
    d->out->failed = d->out->failed || head->failed || foot->failed;
}

void draw_svg(cli_text *out, const picture *p)
{
    drawing d = {.out = out, .p = p};
    cli_text head = {0}, foot = {0};
    if (measure(&d))
        put_all(&d, &head, &foot);
    else
        out->failed = true;
    cli_text_free(&head);
    cli_text_free(&foot);
    layout_free(&d.layout);
    free(d.sizes);
    free(d.box_widths);
}

static void drop_redundant(picture *p)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->line_count; i++)
        if (!p->lines[i].redundant)
            p->lines[kept++] = p->lines[i];
    p->edges -= p->line_count - kept;
    p->redundant_left_out = p->line_count - kept;
    p->redundant = 0;
    p->line_count = kept;
}

bool draw_fits(char *why, size_t size, picture *p)
{
    if (p->line_count > DRAW_MOST_LINES)
        drop_redundant(p);
    if (p->node_count <= DRAW_MOST_NODES && p->box_count <= DRAW_MOST_NODES &&
        p->line_count <= DRAW_MOST_LINES)
        return true;
    snprintf(why, size,
             "has %" PRIu32 " tasks, %" PRIu32 " manual scopes and %" PRIu32
             " lines to draw, an SVG has at most %" PRIu32 ", %" PRIu32
             " and %" PRIu32,
             p->node_count, p->box_count, p->line_count, DRAW_MOST_NODES,
             DRAW_MOST_NODES, DRAW_MOST_LINES);
    return false;
}
