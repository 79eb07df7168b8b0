#include "layout.h"

#include <stdlib.h>

#include "level.h"

#define BOX_SIDE ((int64_t)14)
#define BOX_HEAD ((int64_t)24)
#define PORT_STEP ((int64_t)12)

/* Which lines run together: one end in common, and the same looks. */
typedef struct line_group {
    uint32_t end; /* the node */
    uint32_t style;
    bool is_upper;
} line_group;

/* A line in the direction of the picture: from above to below. */
typedef struct course {
    uint32_t upper, lower; /* nodes */
    uint32_t style, group;
} course;

typedef struct placed_link {
    uint32_t level;
    level_link link;
} placed_link;

/* Where a group leaves a task, from its middle. */
typedef struct port {
    uint32_t item, group;
    bool is_top;
    int64_t pull, shift; /* where it goes, and where it begins */
} port;

/* Items are the nodes, then the boxes. Level b is that in box b; the last one
 * is the whole picture. */
typedef struct work {
    const picture *p;
    layout *out;
    uint32_t items, levels;
    uint32_t *local;   /* the number of an item in its level */
    uint32_t *members; /* items by level, then by key */
    size_t *starts;    /* of a level in members */
    int64_t *keys;     /* of items: the first node in them */
    course *courses;   /* as picture.lines */
    line_group *groups;
    uint32_t group_count;
    placed_link *links;
    size_t link_count;
    size_t *link_starts; /* of a level in links */
    level *all;
    port *ports; /* by item, is_top, group */
    size_t port_count;
} work;

static void *array(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

/* --- Items and levels --- */

static uint32_t level_of(const work *w, uint32_t item)
{
    const picture *p = w->p;
    uint32_t box = item < p->node_count ? p->nodes[item].box
                                        : p->boxes[item - p->node_count].parent;
    return box == PICTURE_NONE ? p->box_count : box;
}

static uint32_t depth_of(const work *w, uint32_t in)
{
    return in == w->p->box_count ? 0 : w->p->boxes[in].depth + 1;
}

static void find_keys(work *w)
{
    uint32_t nodes = w->p->node_count;
    for (uint32_t i = 0; i < w->items; i++)
        w->keys[i] = i < nodes ? (int64_t)i : INT64_MAX;
    for (uint32_t i = 0; i < w->items; i++) {
        uint32_t item = i < nodes ? i : w->items - 1 - (i - nodes);
        uint32_t in = level_of(w, item);
        if (in < w->p->box_count && w->keys[item] < w->keys[nodes + in])
            w->keys[nodes + in] = w->keys[item];
    }
}

typedef struct member {
    uint32_t level, item;
    int64_t key;
} member;

static int by_level_and_key(const void *a, const void *b)
{
    const member *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static bool find_members(work *w)
{
    member *list = array(w->items, sizeof *list);
    if (list == NULL)
        return false;
    for (uint32_t i = 0; i < w->items; i++)
        list[i] = (member){level_of(w, i), i, w->keys[i]};
    qsort(list, w->items, sizeof *list, by_level_and_key);
    for (uint32_t i = 0; i < w->items; i++) {
        w->members[i] = list[i].item;
        w->starts[list[i].level + 1]++;
    }
    for (uint32_t k = 0; k < w->levels; k++)
        w->starts[k + 1] += w->starts[k];
    for (uint32_t i = 0; i < w->items; i++)
        w->local[list[i].item] = i - (uint32_t)w->starts[list[i].level];
    free(list);
    return true;
}

/* --- Courses and groups --- */

/* The items of two nodes in the level that both are in. */
typedef struct meeting {
    uint32_t a, b, level;
} meeting;

static uint32_t box_item(const work *w, uint32_t in)
{
    return w->p->node_count + in;
}

static meeting meet(const work *w, uint32_t a, uint32_t b)
{
    uint32_t in_a = level_of(w, a), in_b = level_of(w, b);
    while (in_a != in_b) {
        if (depth_of(w, in_a) >= depth_of(w, in_b)) {
            a = box_item(w, in_a);
            in_a = level_of(w, a);
        } else {
            b = box_item(w, in_b);
            in_b = level_of(w, b);
        }
    }
    return (meeting){a, b, in_a};
}

static uint32_t style_of(const picture_line *line, bool is_reversed)
{
    return (uint32_t)line->class << 3 | (uint32_t)line->certain << 2 |
           (uint32_t)line->redundant << 1 | (uint32_t)is_reversed;
}

static int by_group(const void *a, const void *b)
{
    const line_group *x = a, *y = b;
    if (x->end != y->end)
        return x->end < y->end ? -1 : 1;
    if (x->style != y->style)
        return x->style < y->style ? -1 : 1;
    return (int)x->is_upper - (int)y->is_upper;
}

/* How many of the sorted groups come before one. */
static size_t count_before(const line_group *list, size_t count, line_group one,
                           bool or_equal)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = by_group(&list[middle], &one);
        if (order < 0 || (or_equal && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t count_same(const line_group *list, size_t count, line_group one)
{
    return count_before(list, count, one, true) -
           count_before(list, count, one, false);
}

static void find_courses(work *w)
{
    for (uint32_t i = 0; i < w->p->line_count; i++) {
        const picture_line *line = &w->p->lines[i];
        meeting m = meet(w, line->from, line->to);
        bool reversed = w->keys[m.a] > w->keys[m.b];
        w->courses[i] = (course){
            .upper = reversed ? line->to : line->from,
            .lower = reversed ? line->from : line->to,
            .style = style_of(line, reversed),
        };
    }
}

/* A line joins the group at the end where more lines look like it. */
static bool find_groups(work *w)
{
    size_t lines = w->p->line_count, kept = 0;
    line_group *ends = array(2 * lines, sizeof *ends);
    if (ends == NULL)
        return false;
    for (size_t i = 0; i < lines; i++) {
        const course *c = &w->courses[i];
        ends[2 * i] = (line_group){c->upper, c->style, true};
        ends[2 * i + 1] = (line_group){c->lower, c->style, false};
    }
    qsort(ends, 2 * lines, sizeof *ends, by_group);
    for (size_t i = 0; i < lines; i++) {
        const course *c = &w->courses[i];
        line_group upper = {c->upper, c->style, true};
        line_group lower = {c->lower, c->style, false};
        bool is_upper = count_same(ends, 2 * lines, upper) >=
                        count_same(ends, 2 * lines, lower);
        w->groups[i] = is_upper ? upper : lower;
    }
    for (size_t i = 0; i < lines; i++)
        ends[i] = w->groups[i];
    qsort(w->groups, lines, sizeof *w->groups, by_group);
    for (size_t i = 0; i < lines; i++)
        if (i == 0 || by_group(&w->groups[i], &w->groups[kept - 1]) != 0)
            w->groups[kept++] = w->groups[i];
    w->group_count = (uint32_t)kept;
    for (size_t i = 0; i < lines; i++)
        w->courses[i].group =
            (uint32_t)count_before(w->groups, kept, ends[i], false);
    free(ends);
    return true;
}

/* --- Links --- */

static int64_t weight_of(uint32_t style)
{
    return (style & 2) != 0 ? 1 : 4;
}

/* The steps of a course: out of boxes, across, and into boxes. */
typedef struct step {
    uint32_t level, a, b; /* items, or borders */
} step;

static bool next_step(const work *w, meeting m, uint32_t *upper, step *s)
{
    if (*upper == m.a)
        return false;
    uint32_t in = level_of(w, *upper);
    *s = (step){in, w->local[*upper], LEVEL_BOTTOM};
    *upper = box_item(w, in);
    return true;
}

static level_link make_link(const work *w, const course *c, const step *s)
{
    return (level_link){
        .group = c->group,
        .a = s->a,
        .b = s->b,
        .key = w->groups[c->group].end,
        .weight = weight_of(c->style),
    };
}

static bool add_link(work *w, size_t *room, const course *c, step s)
{
    if (w->link_count == *room) {
        size_t more = 2 * *room + 64;
        placed_link *grown = reallocarray(w->links, more, sizeof *grown);
        if (grown == NULL)
            return false;
        w->links = grown;
        *room = more;
    }
    w->links[w->link_count++] = (placed_link){s.level, make_link(w, c, &s)};
    return true;
}

static bool add_links(work *w, size_t *room, const course *c)
{
    meeting m = meet(w, c->upper, c->lower);
    step s;
    bool ok = true;
    for (uint32_t at = c->upper; ok && next_step(w, m, &at, &s);)
        ok = add_link(w, room, c, s);
    for (uint32_t at = c->lower; ok && at != m.b;) {
        s = (step){level_of(w, at), LEVEL_TOP, w->local[at]};
        at = box_item(w, s.level);
        ok = add_link(w, room, c, s);
    }
    return ok &&
           add_link(w, room, c, (step){m.level, w->local[m.a], w->local[m.b]});
}

static int by_link(const void *a, const void *b)
{
    const placed_link *x = a, *y = b;
    if (x->level != y->level)
        return x->level < y->level ? -1 : 1;
    if (x->link.group != y->link.group)
        return x->link.group < y->link.group ? -1 : 1;
    if (x->link.a != y->link.a)
        return x->link.a < y->link.a ? -1 : 1;
    return x->link.b < y->link.b ? -1 : x->link.b > y->link.b;
}

static bool find_links(work *w)
{
    size_t room = 0, kept = 0;
    for (uint32_t i = 0; i < w->p->line_count; i++)
        if (w->courses[i].upper != w->courses[i].lower &&
            !add_links(w, &room, &w->courses[i]))
            return false;
    if (w->link_count > 0)
        qsort(w->links, w->link_count, sizeof *w->links, by_link);
    for (size_t i = 0; i < w->link_count; i++)
        if (i == 0 || by_link(&w->links[i], &w->links[kept - 1]) != 0)
            w->links[kept++] = w->links[i];
    w->link_count = kept;
    for (size_t i = 0; i < kept; i++)
        w->link_starts[w->links[i].level + 1]++;
    for (uint32_t k = 0; k < w->levels; k++)
        w->link_starts[k + 1] += w->link_starts[k];
    return kept < UINT32_MAX;
}

/* --- Levels, from the innermost on --- */

static int64_t shift_at(const work *w, uint32_t in, uint32_t local,
                        uint32_t group, bool is_top)
{
    uint32_t item = w->members[w->starts[in] + local];
    if (item < w->p->node_count)
        return 0;
    return level_port(&w->all[item - w->p->node_count], group, is_top);
}

static bool fill_level(work *w, uint32_t index, const layout_rect *sizes)
{
    level *l = &w->all[index];
    size_t first = w->link_starts[index];
    l->item_count = (uint32_t)(w->starts[index + 1] - w->starts[index]);
    l->link_count = (uint32_t)(w->link_starts[index + 1] - first);
    l->nodes = array(l->item_count, sizeof *l->nodes);
    l->links = array(l->link_count, sizeof *l->links);
    if (l->nodes == NULL || l->links == NULL)
        return false;
    for (uint32_t i = 0; i < l->item_count; i++) {
        uint32_t item = w->members[w->starts[index] + i];
        const layout_rect *size = item < w->p->node_count
                                      ? &sizes[item]
                                      : &w->out->boxes[item - w->p->node_count];
        l->nodes[i] =
            (level_node){.w = size->w, .h = size->h, .key = w->keys[item]};
    }
    for (uint32_t i = 0; i < l->link_count; i++) {
        level_link link = w->links[first + i].link;
        if (link.a != LEVEL_TOP)
            link.a_shift = shift_at(w, index, link.a, link.group, false);
        if (link.b != LEVEL_BOTTOM)
            link.b_shift = shift_at(w, index, link.b, link.group, true);
        l->links[i] = link;
    }
    return true;
}

static int64_t even(int64_t n)
{
    return (n + 1) / 2 * 2;
}

/* Boxes stand behind those around them: the last one is done first. */
static bool make_levels(work *w, const layout_rect *sizes,
                        const int64_t *box_widths)
{
    w->all = array(w->levels, sizeof *w->all);
    if (w->all == NULL)
        return false;
    for (uint32_t i = 0; i < w->levels; i++) {
        uint32_t index = i + 1 < w->levels ? w->levels - 2 - i : w->levels - 1;
        if (!fill_level(w, index, sizes) || !level_make(&w->all[index]))
            return false;
        if (index == w->p->box_count)
            continue;
        layout_rect *box = &w->out->boxes[index];
        box->w = even(w->all[index].width + 2 * BOX_SIDE);
        if (box->w < even(box_widths[index]))
            box->w = even(box_widths[index]);
        box->h = w->all[index].height + BOX_HEAD + BOX_SIDE;
    }
    return true;
}

/* --- Places in the whole picture --- */

static layout_rect *rect_of(const work *w, uint32_t item)
{
    return item < w->p->node_count ? &w->out->nodes[item]
                                   : &w->out->boxes[item - w->p->node_count];
}

/* The left upper corner of a level; its box is placed. */
static layout_point corner_of(const work *w, uint32_t index)
{
    if (index == w->p->box_count)
        return (layout_point){0, 0};
    const layout_rect *box = &w->out->boxes[index];
    return (layout_point){box->x + (box->w - w->all[index].width) / 2,
                          box->y + BOX_HEAD};
}

static void place_items(work *w)
{
    for (uint32_t k = 0; k < w->levels; k++) {
        uint32_t index = k == 0 ? w->levels - 1 : k - 1;
        const level *l = &w->all[index];
        layout_point corner = corner_of(w, index);
        for (uint32_t i = 0; i < l->item_count; i++) {
            layout_rect *rect = rect_of(w, w->members[w->starts[index] + i]);
            rect->w = l->nodes[i].w;
            rect->h = l->nodes[i].h;
            rect->x = corner.x + l->nodes[i].x - rect->w / 2;
            rect->y = corner.y + l->tops[l->nodes[i].layer];
        }
    }
    w->out->width = w->all[w->levels - 1].width;
    w->out->height = w->all[w->levels - 1].height;
}

/* --- Where lines begin and end at tasks --- */

static void add_port(work *w, uint32_t item, const level_segment *s,
                     bool is_top, int64_t pull)
{
    w->ports[w->port_count++] = (port){item, s->group, is_top, pull, 0};
}

static int by_pull(const void *a, const void *b)
{
    const port *x = a, *y = b;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    if (x->is_top != y->is_top)
        return x->is_top ? 1 : -1;
    if (x->pull != y->pull)
        return x->pull < y->pull ? -1 : 1;
    return x->group < y->group ? -1 : x->group > y->group;
}

static int by_port(const void *a, const void *b)
{
    const port *x = a, *y = b;
    if (x->item != y->item)
        return x->item < y->item ? -1 : 1;
    if (x->is_top != y->is_top)
        return x->is_top ? 1 : -1;
    return x->group < y->group ? -1 : x->group > y->group;
}

static void list_ports(work *w)
{
    for (uint32_t k = 0; k < w->levels; k++) {
        const level *l = &w->all[k];
        for (size_t i = 0; i < l->segment_count; i++) {
            const level_segment *s = &l->segments[i];
            const level_node *a = &l->nodes[s->upper], *b = &l->nodes[s->lower];
            int64_t across = b->x + s->lower_shift - a->x - s->upper_shift;
            uint32_t first = (uint32_t)w->starts[k];
            if (s->upper < l->item_count)
                add_port(w, w->members[first + s->upper], s, false, across);
            if (s->lower < l->item_count)
                add_port(w, w->members[first + s->lower], s, true, -across);
        }
    }
}

/* Of several of one group the middle one counts. */
static void merge_ports(work *w)
{
    size_t kept = 0;
    qsort(w->ports, w->port_count, sizeof *w->ports, by_port);
    for (size_t i = 0, end; i < w->port_count; i = end) {
        int64_t sum = 0;
        for (end = i;
             end < w->port_count && by_port(&w->ports[i], &w->ports[end]) == 0;
             end++)
            sum += w->ports[end].pull;
        w->ports[kept] = w->ports[i];
        w->ports[kept++].pull = sum / (int64_t)(end - i);
    }
    w->port_count = kept;
}

static void spread_ports(work *w)
{
    qsort(w->ports, w->port_count, sizeof *w->ports, by_pull);
    for (size_t i = 0, end; i < w->port_count; i = end) {
        uint32_t item = w->ports[i].item;
        for (end = i; end < w->port_count && w->ports[end].item == item &&
                      w->ports[end].is_top == w->ports[i].is_top;
             end++)
            continue;
        int64_t count = (int64_t)(end - i);
        int64_t room = rect_of(w, item)->w - 2 * PORT_STEP;
        int64_t whole =
            (count - 1) * PORT_STEP < room ? (count - 1) * PORT_STEP : room;
        for (size_t k = i; k < end && count > 1; k++)
            w->ports[k].shift =
                (int64_t)(k - i) * whole / (count - 1) - whole / 2;
    }
    qsort(w->ports, w->port_count, sizeof *w->ports, by_port);
}

static bool make_ports(work *w)
{
    size_t most = 0;
    for (uint32_t k = 0; k < w->levels; k++)
        most += 2 * w->all[k].segment_count;
    w->ports = array(most, sizeof *w->ports);
    if (w->ports == NULL)
        return false;
    list_ports(w);
    merge_ports(w);
    spread_ports(w);
    return true;
}

static int64_t port_shift(const work *w, uint32_t item, uint32_t group,
                          bool is_top)
{
    port one = {.item = item, .group = group, .is_top = is_top};
    if (item >= w->p->node_count)
        return level_port(&w->all[item - w->p->node_count], group, is_top);
    const port *found =
        bsearch(&one, w->ports, w->port_count, sizeof *w->ports, by_port);
    return found == NULL ? 0 : found->shift;
}

/* --- Routes --- */

typedef struct routing {
    work *w;
    size_t room;
    bool failed;
} routing;

static void put_point(routing *r, int64_t x, int64_t y)
{
    layout *out = r->w->out;
    if (r->failed)
        return;
    if (out->point_count == r->room) {
        size_t more = 2 * r->room + 256;
        layout_point *grown = reallocarray(out->points, more, sizeof *grown);
        r->failed = grown == NULL;
        if (grown == NULL)
            return;
        out->points = grown;
        r->room = more;
    }
    out->points[out->point_count++] = (layout_point){x, y};
}

/* The lower end of an item, or of the row where a bend is. */
static void put_out(routing *r, uint32_t index, uint32_t node, uint32_t group)
{
    const work *w = r->w;
    const level *l = &w->all[index];
    layout_point corner = corner_of(w, index);
    uint32_t layer = l->nodes[node].layer;
    int64_t x = corner.x + l->nodes[node].x;
    int64_t bottom = corner.y + l->tops[layer] + l->heights[layer];
    if (node < l->item_count) {
        uint32_t item = w->members[w->starts[index] + node];
        const layout_rect *rect = rect_of(w, item);
        x += port_shift(w, item, group, false);
        put_point(r, x, rect->y + rect->h);
        if (rect->y + rect->h == bottom)
            return;
        put_point(r, x, bottom);
    }
    put_point(r, x, bottom);
}

static void put_in(routing *r, uint32_t index, uint32_t node, uint32_t group)
{
    const work *w = r->w;
    const level *l = &w->all[index];
    layout_point corner = corner_of(w, index);
    int64_t x = corner.x + l->nodes[node].x;
    if (node < l->item_count)
        x += port_shift(w, w->members[w->starts[index] + node], group, true);
    put_point(r, x, corner.y + l->tops[l->nodes[node].layer]);
}

static void put_step(routing *r, const course *c, step s)
{
    const level *l = &r->w->all[s.level];
    level_link link = make_link(r->w, c, &s);
    uint32_t last = level_last_layer(l, &link);
    for (uint32_t k = level_first_layer(l, &link); k < last; k++) {
        put_out(r, s.level, level_node_at(l, &link, k), c->group);
        put_in(r, s.level, level_node_at(l, &link, k + 1), c->group);
    }
}

static void put_course(routing *r, const course *c)
{
    work *w = r->w;
    meeting m = meet(w, c->upper, c->lower);
    step s;
    for (uint32_t at = c->upper; next_step(w, m, &at, &s);)
        put_step(r, c, s);
    put_step(r, c, (step){m.level, w->local[m.a], w->local[m.b]});
    /* Into boxes from the outermost on: found from within, put the other way
     * round. */
    for (uint32_t end = m.b; end != c->lower;) {
        uint32_t at = c->lower, in = level_of(w, at);
        while (box_item(w, in) != end) {
            at = box_item(w, in);
            in = level_of(w, at);
        }
        put_step(r, c, (step){in, LEVEL_TOP, w->local[at]});
        end = at;
    }
}

static bool make_routes(work *w)
{
    routing r = {.w = w};
    for (uint32_t i = 0; i < w->p->line_count; i++) {
        const course *c = &w->courses[i];
        layout_route *route = &w->out->routes[i];
        route->first = w->out->point_count;
        if (c->upper != c->lower)
            put_course(&r, c);
        route->count = w->out->point_count - route->first;
        if ((c->style & 1) == 0)
            continue;
        for (size_t k = 0; !r.failed && k < route->count / 2; k++) {
            layout_point *a = &w->out->points[route->first + k];
            layout_point *b =
                &w->out->points[route->first + route->count - 1 - k];
            layout_point kept = *a;
            *a = *b;
            *b = kept;
        }
    }
    return !r.failed;
}

/* --- All of it --- */

static bool set_up(work *w, layout *out, const picture *p)
{
    *out = (layout){0};
    *w = (work){.p = p, .out = out};
    w->items = p->node_count + p->box_count;
    w->levels = p->box_count + 1;
    w->local = array(w->items, sizeof *w->local);
    w->members = array(w->items, sizeof *w->members);
    w->starts = array((size_t)w->levels + 1, sizeof *w->starts);
    w->keys = array(w->items, sizeof *w->keys);
    w->courses = array(p->line_count, sizeof *w->courses);
    w->groups = array(p->line_count, sizeof *w->groups);
    w->link_starts = array((size_t)w->levels + 1, sizeof *w->link_starts);
    out->nodes = array(p->node_count, sizeof *out->nodes);
    out->boxes = array(p->box_count, sizeof *out->boxes);
    out->routes = array(p->line_count, sizeof *out->routes);
    return w->local != NULL && w->members != NULL && w->starts != NULL &&
           w->keys != NULL && w->courses != NULL && w->groups != NULL &&
           w->link_starts != NULL && out->nodes != NULL && out->boxes != NULL &&
           out->routes != NULL;
}

static void tear_down(work *w)
{
    for (uint32_t k = 0; w->all != NULL && k < w->levels; k++) {
        free(w->all[k].nodes);
        free(w->all[k].links);
        level_free(&w->all[k]);
    }
    free(w->all);
    free(w->local);
    free(w->members);
    free(w->starts);
    free(w->keys);
    free(w->courses);
    free(w->groups);
    free(w->links);
    free(w->link_starts);
    free(w->ports);
}

bool layout_make(layout *out, const picture *p, const layout_rect *sizes,
                 const int64_t *box_widths)
{
    work w;
    bool ok = set_up(&w, out, p);
    if (ok) {
        find_keys(&w);
        ok = find_members(&w);
    }
    if (ok) {
        find_courses(&w);
        ok = find_groups(&w) && find_links(&w) &&
             make_levels(&w, sizes, box_widths);
    }
    if (ok) {
        place_items(&w);
        ok = make_ports(&w) && make_routes(&w);
    }
    tear_down(&w);
    return ok;
}

void layout_free(layout *out)
{
    free(out->nodes);
    free(out->boxes);
    free(out->routes);
    free(out->points);
    *out = (layout){0};
}
