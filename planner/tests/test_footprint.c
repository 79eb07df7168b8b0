/*
 * Footprints against a literal run: random kernels are printed as a dump and
 * executed element by element. Every byte touched must lie in a box; every
 * byte of a box that is must and exact must be touched in every execution.
 */
#include "dump_support.h"

enum { ROWS = 12, COLS = 12, CELLS = ROWS * COLS, DEPTH = 3, MAX_NODES = 24 };

typedef enum node_kind { LOAD, STORE, LEAVE, LOOP, BRANCH } node_kind;

typedef struct node {
    node_kind kind;
    int depth;  /* of the block that holds it: variables in reach */
    int middle; /* BRANCH: first node of its else block */
    int end;    /* first node behind its block (LOOP, BRANCH) */
    int at[2], size[2];
    int form[2][DEPTH + 2]; /* v, v // 2, v % 3, pl.min(v, 2) */
    int coef[2][DEPTH + 2]; /* per dimension: loop variables, block, p */
    bool sliced;            /* through a slice of x */
    int slice_at[2], slice_size[2], slice_var[2], slice_coef[2];
    int start, stop, step; /* LOOP */
    int variable, below;   /* BRANCH: variable < below */
} node;

typedef struct kernel {
    node nodes[MAX_NODES];
    int count, blocks;
} kernel;

enum { VAR_BLOCK = DEPTH, VAR_P = DEPTH + 1 };

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

static int pick(uint64_t *state, int low, int high)
{
    return low + (int)(next_random(state) % (uint64_t)(high - low + 1));
}

static void make_box(uint64_t *s, node *n)
{
    for (int d = 0; d < 2; d++) {
        n->at[d] = pick(s, 0, 4);
        n->size[d] = pick(s, 1, 5);
        for (int v = 0; v < n->depth; v++)
            n->coef[d][v] = pick(s, 0, 2) == 0 ? pick(s, 1, 4) : 0;
        if (pick(s, 0, 2) == 0)
            n->coef[d][VAR_BLOCK] = pick(s, 1, 4);
        if (pick(s, 0, 9) == 0)
            n->coef[d][VAR_P] = 1;
        for (int v = 0; v < DEPTH + 2; v++)
            n->form[d][v] = pick(s, 0, 2) == 0 ? pick(s, 1, 3) : 0;
        n->slice_at[d] = pick(s, 0, 3);
        n->slice_size[d] = pick(s, 3, 12);
        n->slice_coef[d] = pick(s, 0, 3);
        n->slice_var[d] = n->depth > 0 && pick(s, 0, 1) == 0
                              ? pick(s, 0, n->depth - 1)
                              : VAR_BLOCK;
    }
    n->sliced = pick(s, 0, 3) == 0;
}

/* Nodes of one block, up to `budget`; gives how many were made. */
static int make_block(uint64_t *s, kernel *k, int depth, int budget,
                      bool inside)
{
    int begin = k->count;
    int wanted = pick(s, 1, 4);
    while (wanted-- > 0 && k->count - begin < budget && k->count < MAX_NODES) {
        node *n = &k->nodes[k->count++];
        *n = (node){.depth = depth};
        int kind = pick(s, 0, 9);
        n->kind = kind < 3 ? LOAD : kind < 7 ? STORE : kind < 9 ? LOOP : BRANCH;
        if (depth == DEPTH && n->kind >= LOOP)
            n->kind = STORE;
        if (inside && pick(s, 0, 9) == 0)
            n->kind = LEAVE;
        make_box(s, n);
        n->start = pick(s, 0, 2);
        n->step = pick(s, 1, 3);
        n->stop = n->start + pick(s, 0, 6);
        if (pick(s, 0, 4) == 0) { /* descending */
            int low = n->start;
            n->start = n->stop;
            n->stop = low;
            n->step = -n->step;
        }
        int variable = pick(s, 0, depth + 1);
        n->variable = variable < depth    ? variable
                      : variable == depth ? VAR_BLOCK
                                          : VAR_P;
        n->below = pick(s, 0, 4);
        if (n->kind >= LOOP)
            make_block(s, k, depth + (n->kind == LOOP), 6, n->kind == BRANCH);
        n->middle = k->count;
        if (n->kind == BRANCH && pick(s, 0, 1) == 0)
            make_block(s, k, depth, 6, true);
        n->end = k->count;
    }
    return k->count - begin;
}

/* --- The kernel as text --- */

typedef struct printer {
    char *text;
    size_t length;
    int tiles;
} printer;

static void put(printer *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void put(printer *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    p->length +=
        (size_t)vsnprintf(p->text + p->length, 65536 - p->length, format, list);
    va_end(list);
}

static const char *const VARS[] = {[VAR_BLOCK] = "b", [VAR_P] = "p"};

/* Loop variables are named by their node, since names are unique. */
static void put_offset(printer *p, const node *n, int d, const int *loops)
{
    static const char *const forms[][2] = {
        {"", ""}, {"", " // 2"}, {"", " % 3"}, {"pl.min(", ", 2)"}};
    put(p, "%d", n->at[d]);
    for (int v = 0; v < DEPTH + 2; v++) {
        const char *const *form = forms[n->form[d][v]];
        if (n->coef[d][v] == 0)
            continue;
        if (v < DEPTH)
            put(p, " + %si%d%s * %d", form[0], loops[v], form[1],
                n->coef[d][v]);
        else
            put(p, " + %s%s%s * %d", form[0], VARS[v], form[1], n->coef[d][v]);
    }
}

/* Gives the number of the slice's name; -1: the tensor itself. */
static int put_slice(printer *p, const node *n, int indent, const int *loops)
{
    if (!n->sliced)
        return -1;
    put(p,
        "%*sv%d: pl.Tensor[[%d, %d], pl.FP32] = pl.tensor.slice(x, "
        "[%d, %d], [",
        indent * 4, "", p->tiles, n->slice_size[0], n->slice_size[1],
        n->slice_size[0], n->slice_size[1]);
    for (int d = 0; d < 2; d++) {
        put(p, "%s%d + ", d == 0 ? "" : ", ", n->slice_at[d]);
        if (n->slice_var[d] < DEPTH)
            put(p, "i%d * %d", loops[n->slice_var[d]], n->slice_coef[d]);
        else
            put(p, "b * %d", n->slice_coef[d]);
    }
    put(p, "])\n");
    return p->tiles++;
}

static void put_tensor(printer *p, int slice)
{
    if (slice < 0)
        put(p, "x");
    else
        put(p, "v%d", slice);
}

static int apply_form(int form, int v)
{
    return form == 1 ? v / 2 : form == 2 ? v % 3 : form == 3 && v > 2 ? 2 : v;
}

static void put_offsets(printer *p, const node *n, const int *loops)
{
    put(p, "[");
    put_offset(p, n, 0, loops);
    put(p, ", ");
    put_offset(p, n, 1, loops);
    put(p, "]");
}

/* A load, or one of the rows that a tile gathers. */
static void put_load(printer *p, const node *n, int slice, const int *loops,
                     int indent)
{
    int tile = p->tiles++;
    bool gathers = n->below == 0;
    if (gathers)
        put(p,
            "g%d: pl.Tile[[9, 9], pl.FP32, pl.Mem.Vec] = "
            "pl.tile.full([9, 9], 0.0)\n%*s",
            tile, indent * 4, "");
    put(p, "t%d: pl.Tile[[9, 9], pl.FP32, pl.Mem.Vec] = pl.tile.", tile);
    if (gathers)
        put(p, "gather_row(g%d, ", tile);
    else
        put(p, "load(");
    put_tensor(p, slice);
    put(p, gathers ? ", [1, 2], " : ", ");
    put_offsets(p, n, loops);
    if (gathers && n->size[0] == 1)
        put(p, ", [%d, %d])\n", n->size[0], n->size[1]);
    else
        put(p,
            gathers ? ", [9, 9], valid_shape=[%d, %d])\n"
                    : ", [9, 9], [%d, %d])\n",
            n->size[0], n->size[1]);
}

static void put_node(printer *p, const kernel *k, int index, int indent,
                     const int *loops)
{
    const node *n = &k->nodes[index];
    int slice = n->kind < LEAVE ? put_slice(p, n, indent, loops) : -1;
    put(p, "%*s", indent * 4, "");
    switch (n->kind) {
    case LOAD:
        put_load(p, n, slice, loops, indent);
        break;
    case STORE:
        put(p,
            "s%d: pl.Tile[[%d, %d], pl.FP32, pl.Mem.Vec] = "
            "pl.tile.full([%d, %d], 0.0)\n",
            p->tiles, n->size[0], n->size[1], n->size[0], n->size[1]);
        put(p, "%*s", indent * 4, "");
        put(p, "r%d: pl.Tensor[[12, 12], pl.FP32] = pl.tile.store(s%d, [",
            p->tiles, p->tiles);
        p->tiles++;
        put_offset(p, n, 0, loops);
        put(p, ", ");
        put_offset(p, n, 1, loops);
        put(p, "], ");
        put_tensor(p, slice);
        put(p, ")\n");
        break;
    case LEAVE:
        put(p, "return\n");
        break;
    case LOOP:
        put(p, "for i%d in pl.range(%d, %d, %d):\n", index, n->start, n->stop,
            n->step);
        break;
    default:
        if (n->variable < DEPTH)
            put(p, "if i%d < %d:\n", loops[n->variable], n->below);
        else
            put(p, "if %s < %d:\n", VARS[n->variable], n->below);
        break;
    }
}

static void print_kernel(printer *p, const kernel *k)
{
    int open[MAX_NODES + 1], loops[DEPTH] = {0}, top = 0;
    p->length = 0;
    p->tiles = 0;
    put(p,
        "%s%s    def k(x: pl.InOut[pl.Tensor[[12, 12], pl.FP32]], "
        "p: pl.Scalar[pl.INDEX]):\n"
        "        b: pl.Scalar[pl.INDEX] = pl.tile.get_block_idx()\n",
        HEAD, AIV);
    for (int i = 0; i < k->count; i++) {
        const node *n = &k->nodes[i];
        while (top > 0 && i >= k->nodes[open[top - 1]].end)
            top--;
        if (top > 0 && i == k->nodes[open[top - 1]].middle)
            put(p, "%*selse:\n", (1 + top) * 4, "");
        put_node(p, k, i, 2 + top, loops);
        if (n->kind < LOOP)
            continue;
        if (n->kind == LOOP)
            loops[n->depth] = i;
        open[top++] = i;
        if (n->middle == i + 1)
            put(p, "%*spass\n", (2 + top) * 4, "");
    }
    put(p,
        "%s    def main(self, x: pl.InOut[pl.Tensor[[12, 12], pl.FP32]], "
        "p: pl.Scalar[pl.INDEX]):\n"
        "        self.k(x, p, attrs={\"arg_directions\": "
        "[pl.adir.inout, pl.adir.scalar], \"core_num\": %d})\n",
        ORCH, k->blocks);
}

/* --- The literal run --- */

typedef struct cells {
    bool read[CELLS];  /* read at all */
    bool fresh[CELLS]; /* read before the same block wrote it */
    bool written[CELLS];
} cells;

static void touch(const node *n, const int *vars, cells *c, bool *own)
{
    int from[2], at[2], end[2];
    for (int d = 0; d < 2; d++) {
        from[d] = 0;
        end[d] = d == 0 ? ROWS : COLS;
        if (n->sliced) {
            from[d] = n->slice_at[d] + n->slice_coef[d] * vars[n->slice_var[d]];
            if (from[d] + n->slice_size[d] < end[d])
                end[d] = from[d] + n->slice_size[d];
        }
        at[d] = from[d] + n->at[d];
        for (int v = 0; v < DEPTH + 2; v++)
            at[d] += n->coef[d][v] * apply_form(n->form[d][v], vars[v]);
    }
    for (int i = at[0]; i < at[0] + n->size[0] && i < end[0]; i++)
        for (int j = at[1]; j < at[1] + n->size[1] && j < end[1]; j++) {
            int cell = i * COLS + j;
            if (n->kind == STORE) {
                c->written[cell] = own[cell] = true;
            } else {
                c->read[cell] = true;
                c->fresh[cell] = c->fresh[cell] || !own[cell];
            }
        }
}

/* True when a return was met. */
static bool run(const kernel *k, int begin, int end, int *vars, cells *c,
                bool *own)
{
    for (int i = begin; i < end; i = k->nodes[i].end) {
        const node *n = &k->nodes[i];
        if (n->kind == LEAVE)
            return true;
        if (n->kind < LEAVE)
            touch(n, vars, c, own);
        if (n->kind == BRANCH) {
            bool taken = vars[n->variable] < n->below;
            if (run(k, taken ? i + 1 : n->middle, taken ? n->middle : n->end,
                    vars, c, own))
                return true;
        }
        if (n->kind == LOOP)
            for (int v = n->start; n->step > 0 ? v < n->stop : v > n->stop;
                 v += n->step) {
                vars[n->depth] = v;
                if (run(k, i + 1, n->end, vars, c, own))
                    return true;
            }
    }
    return false;
}

static void execute(const kernel *k, int p, cells *c)
{
    memset(c, 0, sizeof *c);
    for (int b = 0; b < k->blocks; b++) {
        bool own[CELLS] = {false};
        int vars[DEPTH + 2] = {0};
        vars[VAR_BLOCK] = b;
        vars[VAR_P] = p;
        run(k, 0, k->count, vars, c, own);
    }
}

/* --- What the plan says --- */

/* A number of a region with p for its scalar; false: another symbol is in it.
 */
static bool number_of(const cJSON *number, int p, int *value)
{
    const cJSON *term = NULL;
    if (cJSON_IsNumber(number)) {
        *value = number->valueint;
        return true;
    }
    *value = cJSON_GetObjectItem(number, "c")->valueint;
    cJSON_ArrayForEach(term, cJSON_GetObjectItem(number, "t"))
    {
        if (strcmp(cJSON_GetArrayItem(term, 1)->valuestring, "p") != 0)
            return false;
        *value += cJSON_GetArrayItem(term, 0)->valueint * p;
    }
    return true;
}

/*
 * The cells of a region, cut to the tensor: what sticks out is no access. A
 * region at a place that the test does not know is all of it, and not sure.
 */
static bool mark_region(const cJSON *region, int p, bool *set)
{
    const cJSON *dims = cJSON_GetObjectItem(region, "dims");
    int begin[2], end[2];
    assert_int_equal(cJSON_GetArraySize(dims), 2);
    for (int d = 0; d < 2; d++) {
        const cJSON *dim = cJSON_GetArrayItem(dims, d);
        int limit = d == 0 ? ROWS : COLS, count, offset;
        assert_int_equal(cJSON_GetArrayItem(dim, 1)->valueint,
                         d == 0 ? 4 * COLS : 4);
        begin[d] = 0, end[d] = limit;
        if (!number_of(cJSON_GetArrayItem(dim, 0), p, &count) ||
            !number_of(cJSON_GetArrayItem(dim, 2), p, &offset)) {
            memset(set, 1, CELLS * sizeof *set);
            return false;
        }
        begin[d] = offset > 0 ? offset : 0;
        end[d] = offset + count < limit ? offset + count : limit;
    }
    for (int i = begin[0]; i < end[0]; i++)
        for (int j = begin[1]; j < end[1]; j++)
            set[i * COLS + j] = true;
    return true;
}

static void collect(const planned *plan, const char *mode, int p, bool *all,
                    bool *sure)
{
    const cJSON *access = NULL;
    memset(all, 0, CELLS * sizeof *all);
    memset(sure, 0, CELLS * sizeof *sure);
    cJSON_ArrayForEach(access,
                       cJSON_GetObjectItem(arg_of(plan, 0, 0), "access"))
    {
        const cJSON *region = cJSON_GetObjectItem(access, "region");
        bool box[CELLS] = {false};
        bool is_sure = cJSON_IsTrue(cJSON_GetObjectItem(access, "must")) &&
                       cJSON_IsTrue(cJSON_GetObjectItem(access, "exact"));
        if (strcmp(cJSON_GetObjectItem(access, "mode")->valuestring, mode) != 0)
            continue;
        if (region == NULL)
            memset(box, 1, sizeof box);
        else if (!mark_region(region, p, box))
            is_sure = false;
        for (int i = 0; i < CELLS; i++) {
            all[i] = all[i] || box[i];
            sure[i] = sure[i] || (is_sure && box[i]);
        }
    }
}

static bool check(const kernel *k, const planned *plan, int *sure_cells)
{
    bool read_all[CELLS], read_sure[CELLS];
    bool write_all[CELLS], write_sure[CELLS];
    bool good = true;
    for (int v = 0; v < 8; v++) {
        cells c;
        execute(k, v, &c);
        collect(plan, "read", v, read_all, read_sure);
        collect(plan, "write", v, write_all, write_sure);
        for (int i = 0; i < CELLS; i++) {
            good = good && (!c.fresh[i] || read_all[i]) &&
                   (!c.written[i] || write_all[i]) &&
                   (!read_sure[i] || c.read[i]) &&
                   (!write_sure[i] || c.written[i]);
            *sure_cells += v == 0 && write_sure[i];
        }
    }
    return good;
}

static void boxes_hold_what_a_literal_run_touches(void **state)
{
    (void)state;
    printer p = {.text = malloc(65536)};
    int sure_cells = 0;
    assert_non_null(p.text);
    for (uint64_t seed = 0; seed < 20000; seed++) {
        uint64_t s = seed * 1000003;
        kernel k = {.blocks = pick(&s, 1, 4)};
        make_block(&s, &k, 0, MAX_NODES, false);
        print_kernel(&p, &k);
        planned plan = plan_text(p.text);
        if (plan.status != SONATA_OK)
            fail_msg("%s\n%s", plan.error.message, p.text);
        if (!check(&k, &plan, &sure_cells))
            fail_msg("seed %llu\n%s\n%s", (unsigned long long)seed, p.text,
                     plan.text);
        plan_free(&plan);
    }
    free(p.text);
    /* The test would be empty if no box were ever sure. */
    print_message("%d sure cells\n", sure_cells);
    assert_true(sure_cells > 100000);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(boxes_hold_what_a_literal_run_touches),
};

TEST_MAIN(tests)
