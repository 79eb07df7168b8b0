/*
 * The timeline as a picture. Lengths are hundredths of a pixel, so that all is
 * made of integers. Blocks narrower than a step are drawn together with what
 * follows them closely; the step is doubled until there are few enough boxes.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine_work.h"
#include "replay/picture.h"
#include "text.h"

#define MOST_BOXES 10000
#define MOST_STEPS 200  /* of the critical path, that are joined */
#define MOST_LINES 2400 /* of it that are drawn */
#define MOST_MARKS 150  /* tasks that take no core */

enum {
    PX = 100,
    LEFT = 130 * PX,
    PLOT = 1200 * PX,
    RIGHT = 60 * PX,
    TOP = 88 * PX,
    LANE = 18 * PX,
    BETWEEN = 8 * PX,    /* clusters */
    MARK = TOP + 9 * PX, /* of tasks without a core */
    LETTER = 602,        /* in hundredths, at 10 px */
    FOOT = 34 * PX
};

/* Blocks of one core that are drawn as one box; count 0: none. */
typedef struct group {
    uint32_t count, first; /* slots */
    uint64_t end;
    uint64_t busy[REPLAY_DUMMY]; /* by kind of core */
} group;

typedef struct picture {
    const replay_timeline *line;
    replay_text *out; /* NULL: boxes are counted, not drawn */
    const char *unit;
    uint64_t unit_ns;
    int shift;       /* of ticks, so that nothing overflows */
    int64_t step;    /* least width of a box on its own */
    int64_t *row;    /* by cluster: where it is; -1: it did nothing */
    int64_t bottom;  /* of the last row */
    group *groups;   /* by core; MIX blocks: of the AIC, at the end */
    uint32_t *first; /* by task: the slot that begins first */
    uint32_t *shown; /* by task: the slot that ends last, or REPLAY_NONE */
    bool *is_critical;
    bool is_dense; /* some boxes are of several blocks */
    uint32_t boxes, inline_tasks;
} picture;

/* ---- Numbers ---- */

static void put_px(replay_text *out, int64_t length)
{
    uint64_t value = (uint64_t)(length < 0 ? -length : length);
    replay_text_format(out, "%s%" PRIu64, length < 0 ? "-" : "", value / PX);
    if (value % PX != 0) {
        replay_text_format(out, ".%02u", (unsigned)(value % PX));
    }
}

/*  name="12.5" */
static void put_attribute(replay_text *out, const char *name, int64_t length)
{
    replay_text_format(out, " %s=\"", name);
    put_px(out, length);
    replay_text_add(out, "\"");
}

/* Up to three digits behind the point, without zeros at the end. */
static void put_ns(const picture *p, uint64_t ns)
{
    uint64_t rest = ns % p->unit_ns * 1000 / p->unit_ns;
    char digits[8];
    replay_text_number(p->out, ns / p->unit_ns);
    if (rest > 0) {
        int length = snprintf(digits, sizeof digits, ".%03u", (unsigned)rest);
        while (digits[length - 1] == '0') {
            length--;
        }
        replay_text_bytes(p->out, digits, (size_t)length);
    }
}

static void put_time(const picture *p, uint64_t ticks)
{
    put_ns(p, ticks * 20);
    replay_text_format(p->out, " %s", p->unit);
}

static void choose_unit(picture *p)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {
        {"ns", 1}, {"\xc2\xb5s", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    uint64_t ns = p->line->makespan * 20;
    size_t i = 0;
    while (i < 3 && ns >= 2 * units[i + 1].ns) {
        i++;
    }
    p->unit = units[i].name;
    p->unit_ns = units[i].ns;
    while (p->line->makespan >> p->shift >> 40 > 0) {
        p->shift++;
    }
}

static int64_t x_of(const picture *p, uint64_t ticks)
{
    uint64_t all = p->line->makespan >> p->shift;
    return all == 0 ? LEFT : LEFT + (int64_t)((ticks >> p->shift) * PLOT / all);
}

/* A box is never narrower than can be seen. */
static int64_t width_of(const picture *p, uint64_t begin, uint64_t end)
{
    int64_t width = x_of(p, end) - x_of(p, begin);
    return width < PX / 2 ? PX / 2 : width;
}

/* ---- Texts ---- */

static oracle_text name_of(const picture *p, uint32_t task)
{
    const replay_program *program = p->line->program;
    return program->document->tasks[program->tasks[task].source].name;
}

static void put_task(const picture *p, uint32_t task)
{
    oracle_text name = name_of(p, task);
    replay_text_xml(p->out, name.data, name.length);
    replay_text_format(p->out, "%stask %" PRId64, name.length > 0 ? ", " : "",
                       p->line->program->tasks[task].id);
}

/* As many of the bytes of a name as have room, in whole characters. */
static size_t fit(oracle_text name, int64_t width, bool *is_cut)
{
    int64_t places = width * 100 / LETTER / PX, used = 0;
    size_t at = 0, kept = 0, bytes;
    while (at < name.length) {
        used += (int64_t)replay_text_places(name.data + at, name.length - at,
                                            &bytes);
        if (used > places) {
            break;
        }
        at += bytes;
        kept = used < places ? at : kept; /* one is left for the sign */
    }
    *is_cut = at < name.length;
    return *is_cut ? kept : at;
}

/* A name, cut with a sign where it is too long. */
static void put_fitting(const picture *p, oracle_text name, int64_t width)
{
    bool is_cut;
    size_t length = fit(name, width, &is_cut);
    replay_text_xml(p->out, name.data, length);
    replay_text_add(p->out, is_cut ? "\xe2\x80\xa6" : "");
}

static void put_label(const picture *p, uint32_t task, int64_t x, int64_t y,
                      int64_t width)
{
    oracle_text name = name_of(p, task);
    bool is_cut;
    size_t length = fit(name, width - 6 * PX, &is_cut);
    if (length == 0 || (is_cut && length < 2)) {
        return;
    }
    replay_text_add(p->out, "<text class=\"s\"");
    put_attribute(p->out, "x", x + 3 * PX);
    put_attribute(p->out, "y", y);
    replay_text_add(p->out, ">");
    put_fitting(p, name, width - 6 * PX);
    replay_text_add(p->out, "</text>\n");
}

/* ---- Rows ---- */

static int64_t y_of(const picture *p, uint32_t core)
{
    return p->row[core / REPLAY_LANES] + (int64_t)(core % REPLAY_LANES) * LANE;
}

static void choose_rows(picture *p)
{
    int64_t y = TOP + (p->inline_tasks > 0 ? LANE + BETWEEN : 0);
    for (uint32_t c = 0; c < p->line->clusters; c++) {
        const uint64_t *busy = &p->line->busy[c * REPLAY_LANES];
        p->row[c] = -1;
        if ((busy[0] | busy[1] | busy[2]) != 0) {
            p->row[c] = y;
            y += REPLAY_LANES * LANE + BETWEEN;
        }
    }
    p->bottom = y - BETWEEN;
}

static void put_text(const picture *p, const char *class, int64_t x, int64_t y,
                     const char *text)
{
    replay_text_format(p->out, "<text class=\"%s\"", class);
    put_attribute(p->out, "x", x);
    put_attribute(p->out, "y", y);
    replay_text_format(p->out, ">%s</text>\n", text);
}

static void put_row(const picture *p, uint32_t core)
{
    static const char *const names[] = {"AIC", "AIV 0", "AIV 1"};
    uint64_t makespan = p->line->makespan >> p->shift;
    uint64_t busy = p->line->busy[core] >> p->shift;
    int64_t y = y_of(p, core);
    char text[32];
    replay_text_add(p->out, "<rect class=\"row\"");
    put_attribute(p->out, "x", LEFT);
    put_attribute(p->out, "y", y);
    put_attribute(p->out, "width", PLOT);
    put_attribute(p->out, "height", LANE - PX);
    replay_text_add(p->out, "/>\n");
    put_text(p, "s r", LEFT - 8 * PX, y + 13 * PX, names[core % REPLAY_LANES]);
    snprintf(text, sizeof text, "%" PRIu64 "%%",
             makespan == 0 ? 0 : busy * 100 / makespan);
    put_text(p, "s r", LEFT + PLOT + 44 * PX, y + 13 * PX, text);
}

static void put_rows(const picture *p)
{
    char text[32];
    if (p->inline_tasks > 0) {
        put_text(p, "s r", LEFT - 8 * PX, TOP + 13 * PX, "without a core");
    }
    for (uint32_t c = 0; c < p->line->clusters; c++) {
        if (p->row[c] < 0) {
            continue;
        }
        snprintf(text, sizeof text, "cluster %u", (unsigned)c);
        put_text(p, "s", 8 * PX, p->row[c] + 13 * PX, text);
        for (uint32_t lane = 0; lane < REPLAY_LANES; lane++) {
            put_row(p, c * REPLAY_LANES + lane);
        }
    }
    put_text(p, "s r", LEFT + PLOT + 44 * PX, TOP - 8 * PX, "busy");
}

/* ---- The axis ---- */

static uint64_t choose_division(uint64_t ns)
{
    uint64_t power = 1;
    while (ns / power > 100) {
        power *= 10;
    }
    return ns / power > 50   ? 10 * power
           : ns / power > 20 ? 5 * power
           : ns / power > 10 ? 2 * power
                             : power;
}

static void put_axis(const picture *p)
{
    uint64_t ns = p->line->makespan * 20, division = choose_division(ns);
    for (uint64_t at = 0; at <= ns; at += division) {
        int64_t x = x_of(p, at / 20);
        replay_text_add(p->out, "<path class=\"g\" d=\"M");
        put_px(p->out, x);
        replay_text_add(p->out, " ");
        put_px(p->out, TOP - 4 * PX);
        replay_text_add(p->out, "V");
        put_px(p->out, p->bottom);
        replay_text_add(p->out, "\"/>\n<text class=\"s m\"");
        put_attribute(p->out, "x", x);
        put_attribute(p->out, "y", TOP - 8 * PX);
        replay_text_add(p->out, ">");
        put_ns(p, at);
        replay_text_format(p->out, "%s%s</text>\n", at == 0 ? " " : "",
                           at == 0 ? p->unit : "");
    }
}

/* ---- Boxes ---- */

/* The box of a slot from a core on, so many of them high. */
static void put_box(const picture *p, const char *class, uint32_t core,
                    uint32_t lanes, int64_t x, int64_t width)
{
    replay_text_format(p->out, "<rect class=\"%s\"", class);
    put_attribute(p->out, "x", x);
    put_attribute(p->out, "y", y_of(p, core));
    put_attribute(p->out, "width", width);
    put_attribute(p->out, "height", lanes * LANE - PX);
    replay_text_add(p->out, "><title>");
}

static const char *const colours[] = {"c0", "c1", "c2"};
static const char *const dense[] = {"d0", "d1", "d2"};
static const char *const critical[] = {"c0 e", "c1 e", "c2 e"};

static void put_times(const picture *p, uint64_t begin, uint64_t end)
{
    replay_text_add(p->out, "\n");
    put_time(p, begin);
    replay_text_add(p->out, " to ");
    put_time(p, end);
    replay_text_add(p->out, " (");
    put_time(p, end - begin);
}

static void put_one(const picture *p, uint32_t slot, uint32_t core,
                    uint32_t lanes)
{
    const replay_slot *s = &p->line->slots[slot];
    const replay_task *task = &p->line->program->tasks[s->task];
    bool is_critical = p->is_critical[s->task];
    int64_t x = x_of(p, s->begin), width = width_of(p, s->begin, s->end);
    put_box(p, (is_critical ? critical : colours)[task->core], core, lanes, x,
            width);
    put_task(p, s->task);
    if (task->blocks > 1) {
        replay_text_format(p->out, ", block %u of %" PRId64,
                           (unsigned)s->block + 1, task->blocks);
    }
    put_times(p, s->begin, s->end);
    replay_text_add(p->out, ")\nready at ");
    put_time(p, p->line->ready[s->task]);
    replay_text_add(p->out, is_critical ? "\non the critical path" : "");
    replay_text_add(p->out, "</title></rect>\n");
    put_label(p, s->task, x, y_of(p, core) + 13 * PX, width);
}

/* In the colour of the kind that has most of the time. */
static void put_many(const picture *p, const group *g, uint32_t core)
{
    const replay_slot *s = &p->line->slots[g->first];
    uint64_t all = (g->end - s->begin) >> p->shift, busy = 0;
    int kind = 0;
    for (int i = 0; i < REPLAY_DUMMY; i++) {
        busy += g->busy[i];
        kind = g->busy[i] > g->busy[kind] ? i : kind;
    }
    put_box(p, dense[kind], core, 1, x_of(p, s->begin),
            width_of(p, s->begin, g->end));
    replay_text_format(p->out, "%u blocks, the first: ", (unsigned)g->count);
    put_task(p, s->task);
    put_times(p, s->begin, g->end);
    replay_text_format(p->out, "), busy %" PRIu64 "%%</title></rect>\n",
                       all == 0 ? 100 : (busy >> p->shift) * 100 / all);
}

static void flush(picture *p, uint32_t core)
{
    group *g = &p->groups[core];
    if (g->count == 0) {
        return;
    }
    p->boxes++;
    p->is_dense |= g->count > 1;
    if (p->out != NULL && g->count == 1) {
        put_one(p, g->first, core, 1);
    } else if (p->out != NULL) {
        put_many(p, g, core);
    }
    g->count = 0;
}

/* Within four steps, so that it shows where more is done and where less. */
static void gather(picture *p, uint32_t slot, uint32_t core)
{
    const replay_slot *s = &p->line->slots[slot];
    group *g = &p->groups[core];
    if (g->count > 0) {
        int64_t from = x_of(p, p->line->slots[g->first].begin);
        if (x_of(p, s->begin) - x_of(p, g->end) >= p->step / 2 ||
            x_of(p, s->end) - from > 4 * p->step) {
            flush(p, core);
        }
    }
    if (g->count == 0) {
        *g = (group){.first = slot};
    }
    g->count++;
    g->end = s->end;
    g->busy[p->line->program->tasks[s->task].core] += s->end - s->begin;
}

/* What is wide enough is a box of its own, on all the cores that it takes. */
static void put_slot(picture *p, uint32_t slot)
{
    const replay_slot *s = &p->line->slots[slot];
    bool is_mix = p->line->program->tasks[s->task].core == REPLAY_MIX;
    bool is_narrow = x_of(p, s->end) - x_of(p, s->begin) < p->step;
    uint32_t lanes = is_mix ? REPLAY_LANES : 1;
    for (uint32_t core = s->core; core < s->core + lanes; core++) {
        if (is_narrow) {
            gather(p, slot, core);
        } else {
            flush(p, core);
        }
    }
    if (is_narrow) {
        return;
    }
    p->boxes++;
    if (p->out != NULL) {
        put_one(p, slot, s->core, lanes);
    }
}

static void put_boxes(picture *p)
{
    p->boxes = 0;
    p->is_dense = false;
    for (uint32_t i = 0; i < p->line->slot_count; i++) {
        put_slot(p, i);
    }
    for (uint32_t core = 0; core < p->line->clusters * REPLAY_LANES; core++) {
        flush(p, core);
    }
}

static void choose_step(picture *p)
{
    replay_text *out = p->out;
    p->out = NULL;
    p->step = 2 * PX;
    put_boxes(p);
    while (p->boxes > MOST_BOXES && p->step < PLOT) {
        p->step *= 2;
        put_boxes(p);
    }
    p->out = out;
}

/* ---- Tasks without a core ---- */

static int64_t mark_of(const picture *p, uint32_t task)
{
    return x_of(p, p->line->end[task]);
}

static void put_mark(const picture *p, uint32_t task)
{
    bool is_dummy = p->line->program->tasks[task].core == REPLAY_DUMMY;
    replay_text_format(p->out, "<circle class=\"%s\"",
                       p->is_critical[task] ? "d e" : "d");
    put_attribute(p->out, "cx", mark_of(p, task));
    put_attribute(p->out, "cy", MARK);
    replay_text_add(p->out, " r=\"3.5\"><title>");
    put_task(p, task);
    replay_text_add(p->out,
                    is_dummy ? "\ndummy, at " : "\npredicate is false, at ");
    put_time(p, p->line->end[task]);
    replay_text_add(p->out,
                    p->is_critical[task] ? "\non the critical path" : "");
    replay_text_add(p->out, "</title></circle>\n");
}

static bool is_joined(const picture *p)
{
    return p->line->critical_count <= MOST_STEPS;
}

/* Those that can be told apart, and all that the path goes through; the name
   of each where it has room before the next. */
static void put_marks(const picture *p)
{
    const replay_timeline *line = p->line;
    uint32_t last = REPLAY_NONE;
    for (uint32_t i = 0; i < line->program->task_count; i++) {
        uint32_t task = line->order[i];
        bool is_needed = p->is_critical[task] && is_joined(p);
        if (p->shown[task] != REPLAY_NONE ||
            (last != REPLAY_NONE && !is_needed &&
             mark_of(p, task) < mark_of(p, last) + PLOT / MOST_MARKS)) {
            continue;
        }
        if (last != REPLAY_NONE) {
            put_label(p, last, mark_of(p, last) + 3 * PX, MARK + 4 * PX,
                      mark_of(p, task) - mark_of(p, last) - 7 * PX);
        }
        put_mark(p, task);
        last = task;
    }
    if (last != REPLAY_NONE) {
        put_label(p, last, mark_of(p, last) + 3 * PX, MARK + 4 * PX,
                  LEFT + PLOT + RIGHT - mark_of(p, last) - 4 * PX);
    }
}

/* ---- The critical path ---- */

static void put_point(const picture *p, char letter, int64_t x, int64_t y)
{
    replay_text_bytes(p->out, &letter, 1);
    put_px(p->out, x);
    replay_text_add(p->out, " ");
    put_px(p->out, y);
}

/* Along the lower edge of a block. */
static void put_step(const picture *p, char letter, uint32_t slot)
{
    const replay_slot *s = &p->line->slots[slot];
    bool is_mix = p->line->program->tasks[s->task].core == REPLAY_MIX;
    int64_t x = x_of(p, s->begin), width = width_of(p, s->begin, s->end);
    int64_t y = y_of(p, s->core) + (is_mix ? REPLAY_LANES : 1) * LANE - 2 * PX;
    put_point(p, letter, x, y);
    put_point(p, 'L', width < 2 * PX ? x + 2 * PX : x + width, y);
}

/* From its first block to the one that ends last. */
static void put_steps(const picture *p, char letter, uint32_t task)
{
    if (is_joined(p) && p->first[task] != p->shown[task]) {
        put_step(p, letter, p->first[task]);
        letter = 'L';
    }
    put_step(p, letter, p->shown[task]);
}

/* From block to block and mark to mark, joined where they are few. */
static void put_path(const picture *p)
{
    const replay_timeline *line = p->line;
    int64_t last = -PLOT;
    char letter = 'M';
    replay_text_add(p->out, "<path class=\"p\" d=\"");
    for (uint32_t i = 0; i < line->critical_count; i++) {
        uint32_t task = line->critical_path[i], slot = p->shown[task];
        int64_t x = slot == REPLAY_NONE ? mark_of(p, task)
                                        : x_of(p, line->slots[slot].begin);
        if (!is_joined(p) &&
            (slot == REPLAY_NONE || x < last + PLOT / MOST_LINES)) {
            continue;
        }
        if (slot == REPLAY_NONE) {
            put_point(p, letter, x, MARK);
        } else {
            put_steps(p, letter, task);
        }
        letter = is_joined(p) ? 'L' : 'M';
        last = x;
    }
    replay_text_add(p->out, "\"/>\n");
}

/* ---- The whole ---- */

static void put_head(const picture *p)
{
    const replay_timeline *line = p->line;
    oracle_text name = line->program->document->name;
    uint64_t makespan = line->makespan >> p->shift;
    replay_text_add(p->out, "<text class=\"t\" x=\"8\" y=\"22\">Timeline of ");
    put_fitting(p, name, (LEFT + PLOT - 130 * PX) * 10 / 15);
    replay_text_format(p->out, "%s</text>\n<text x=\"8\" y=\"42\">makespan ",
                       name.length == 0 ? "a program" : "");
    put_time(p, line->makespan);
    replay_text_add(p->out, ", critical path ");
    put_time(p, line->critical);
    if (makespan > 0) {
        replay_text_format(p->out, " (%" PRIu64 "%%)",
                           (line->critical >> p->shift) * 100 / makespan);
    }
    replay_text_add(p->out, ", one by one ");
    put_time(p, line->sequential);
    if (makespan > 0) {
        uint64_t speed = (line->sequential >> p->shift) * 100 / makespan;
        replay_text_format(p->out, " (speed-up %" PRIu64 ".%02u)", speed / 100,
                           (unsigned)(speed % 100));
    }
    replay_text_format(p->out, "; %u tasks, %u blocks</text>\n",
                       (unsigned)line->program->task_count,
                       (unsigned)line->slot_count);
}

static void put_note(const picture *p, uint32_t resting)
{
    if (resting > 0) {
        replay_text_format(
            p->out, "%u of %u cluster%s did nothing and %s not shown. ",
            (unsigned)resting, (unsigned)p->line->clusters,
            p->line->clusters == 1 ? "" : "s", resting == 1 ? "is" : "are");
    }
    if (p->is_dense) {
        replay_text_format(p->out,
                           "Blocks narrower than %u px are drawn together, in "
                           "a stronger colour.",
                           (unsigned)(p->step / PX));
    }
}

static void put_legend(const picture *p)
{
    static const char *const names[] = {"AIC", "AIV", "MIX"};
    int64_t y = p->bottom + 14 * PX, x = LEFT;
    uint32_t resting = 0;
    for (size_t i = 0; i < 3; i++, x += 56 * PX) {
        replay_text_format(p->out, "<rect class=\"%s\"", colours[i]);
        put_attribute(p->out, "x", x);
        put_attribute(p->out, "y", y - 2 * PX);
        replay_text_add(p->out, " width=\"14\" height=\"12\"/>\n");
        put_text(p, "s", x + 18 * PX, y + 8 * PX, names[i]);
    }
    replay_text_add(p->out, "<path class=\"p\" d=\"");
    put_point(p, 'M', x, y + 4 * PX);
    put_point(p, 'L', x + 20 * PX, y + 4 * PX);
    replay_text_add(p->out, "\"/>\n");
    put_text(p, "s", x + 26 * PX, y + 8 * PX, "critical path");
    x += 128 * PX;
    if (p->inline_tasks > 0) {
        replay_text_add(p->out, "<circle class=\"d\"");
        put_attribute(p->out, "cx", x);
        put_attribute(p->out, "cy", y + 4 * PX);
        replay_text_add(p->out, " r=\"3.5\"/>\n");
        put_text(p, "s", x + 8 * PX, y + 8 * PX,
                 "dummy, or predicate is false");
        x += 196 * PX;
    }
    for (uint32_t c = 0; c < p->line->clusters; c++) {
        resting += p->row[c] < 0;
    }
    replay_text_add(p->out, "<text class=\"s\"");
    put_attribute(p->out, "x", x);
    put_attribute(p->out, "y", y + 8 * PX);
    replay_text_add(p->out, ">");
    put_note(p, resting);
    replay_text_add(p->out, "</text>\n");
}

static const char style[] =
    ".s{pointer-events:none}\n"
    ".row{fill:#f3f5f7}\n"
    ".g{stroke:#c9d0d6;stroke-width:0.7;fill:none}\n"
    ".c0{fill:#a9cdf5}\n.c1{fill:#b2e2ad}\n.c2{fill:#d3bff0}\n"
    ".c0,.c1,.c2{stroke:#ffffff;stroke-width:0.6}\n"
    ".d0{fill:#6f9fd6}\n.d1{fill:#7bbf75}\n.d2{fill:#a78ad0}\n"
    ".d{fill:#8d959c}\n"
    ".e{stroke:#d0021b;stroke-width:1.2}\n"
    ".p{stroke:#d0021b;stroke-width:2;fill:none;stroke-linejoin:round;"
    "stroke-opacity:0.75;pointer-events:none}\n";

static const char dark_style[] =
    ".row{fill:#20262c}\n"
    ".g{stroke:#414b55}\n"
    ".c0{fill:#2c5a8c}\n.c1{fill:#2f6a38}\n.c2{fill:#5c4688}\n"
    ".c0,.c1,.c2{stroke:#15191d}\n"
    ".d0{fill:#5a93d2}\n.d1{fill:#57a861}\n.d2{fill:#9a7fd0}\n"
    ".d{fill:#8d959c}\n"
    ".c0.e,.c1.e,.c2.e,.d.e{stroke:#ff6b70}\n"
    ".p{stroke:#ff6b70}\n";

static void put_picture(picture *p)
{
    int64_t width = LEFT + PLOT + RIGHT, height = p->bottom + FOOT;
    replay_text_add(p->out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(p->out, "width", width);
    put_attribute(p->out, "height", height);
    replay_text_add(p->out, " viewBox=\"0 0 ");
    put_px(p->out, width);
    replay_text_add(p->out, " ");
    put_px(p->out, height);
    replay_text_add(p->out, "\">\n");
    replay_text_add(p->out, "<style>\n");
    replay_text_add(p->out, replay_picture_style);
    replay_text_add(p->out, style);
    replay_text_add(p->out, replay_picture_dark);
    replay_text_add(p->out, dark_style);
    replay_text_add(p->out, "}\n</style>\n<rect class=\"bg\" width=\"100%\" "
                            "height=\"100%\"/>\n");
    put_head(p);
    put_rows(p);
    put_axis(p);
    put_boxes(p);
    put_marks(p);
    put_path(p);
    put_legend(p);
    replay_text_add(p->out, "</svg>\n");
}

/* ---- What is drawn ---- */

static void find_tasks(picture *p)
{
    const replay_timeline *line = p->line;
    for (uint32_t task = 0; task < line->program->task_count; task++) {
        p->shown[task] = REPLAY_NONE;
    }
    for (uint32_t i = 0; i < line->slot_count; i++) {
        uint32_t *shown = &p->shown[line->slots[i].task];
        if (*shown == REPLAY_NONE) {
            p->first[line->slots[i].task] = i;
        }
        if (*shown == REPLAY_NONE ||
            line->slots[*shown].end < line->slots[i].end) {
            *shown = i;
        }
    }
    for (uint32_t task = 0; task < line->program->task_count; task++) {
        p->inline_tasks += p->shown[task] == REPLAY_NONE;
    }
    for (uint32_t i = 0; i < line->critical_count; i++) {
        p->is_critical[line->critical_path[i]] = true;
    }
}

replay_status replay_timeline_svg(char **text, size_t *length,
                                  const replay_timeline *timeline,
                                  replay_error *error)
{
    size_t tasks = (size_t)timeline->program->task_count + 1;
    size_t clusters = timeline->clusters;
    replay_text out = {0};
    picture p = {.line = timeline,
                 .out = &out,
                 .row = calloc(clusters, sizeof *p.row),
                 .groups = calloc(clusters, REPLAY_LANES * sizeof *p.groups),
                 .first = malloc(tasks * sizeof *p.first),
                 .shown = malloc(tasks * sizeof *p.shown),
                 .is_critical = calloc(tasks, sizeof *p.is_critical)};
    if (p.row == NULL || p.groups == NULL || p.first == NULL ||
        p.shown == NULL || p.is_critical == NULL) {
        out.failed = true;
    } else {
        find_tasks(&p);
        choose_unit(&p);
        choose_rows(&p);
        choose_step(&p);
        put_picture(&p);
    }
    free(p.row);
    free(p.groups);
    free(p.first);
    free(p.shown);
    free(p.is_critical);
    return replay_text_give(text, length, &out, error);
}
