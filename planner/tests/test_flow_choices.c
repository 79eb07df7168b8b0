/*
 * Branches of the orchestration (spec 08, "An if on a runtime value"), what
 * they yield, and the scopes that a later pass makes of blocks.
 */
#include "flow_support.h"

/* --- Which conditions are one choice --- */

static void equal_conditions_are_one_choice(void **state)
{
    (void)state;
    static const char *const conditions[] = {
        "n > 4",       "4 < n",       "n >= 5",        "2 * n > 8",
        "n - 5 >= 0",  "not n < 5",   "n + k > k + 4", "not not n > 4",
        "3 * n >= 13", "(n > 4) == 1"};
    static const char *const negations[] = {
        "n <= 4",     "not n > 4",  "5 > n",        "3 * n < 14",
        "not 5 <= n", "4 - n >= 0", "(n > 4) == 0", "1 - (n > 4)"};
    for (size_t i = 0; i < 18; i++) {
        char body[512];
        bool is = i < 10;
        snprintf(body, sizeof body,
                 "if n > 4:\n    x: $T = self.put(a, 1, b, $D)\n"
                 "if %s:\n    y: $T = self.put(a, 2, b, $D)\n"
                 "else:\n    z: $T = self.put(a, 3, b, $D)\n",
                 is ? conditions[i] : negations[i - 10]);
        planned p = plan_body(body);
        assert_choices(&p, "if@1 n > 4\n");
        assert_tasks(&p, is ? "@2 if 0+ a>b[1]\n@4 if 0+ a>b[2]\n"
                              "@6 if 0- a>b[3]\n"
                            : "@2 if 0+ a>b[1]\n@4 if 0- a>b[2]\n"
                              "@6 if 0+ a>b[3]\n");
        plan_free(&p);
    }
}

static void equalities_are_one_choice(void **state)
{
    (void)state;
    static const char *const conditions[] = {"k == n", "n - k == 0",
                                             "2 * n == 2 * k", "not n != k",
                                             "k + 3 == n + 3"};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        char body[512];
        snprintf(body, sizeof body,
                 "if n == k:\n    x: $T = self.put(a, 1, b, $D)\n"
                 "if %s:\n    y: $T = self.put(a, 2, b, $D)\n"
                 "if n != k:\n    z: $T = self.put(a, 3, b, $D)\n",
                 conditions[i]);
        planned p = plan_body(body);
        assert_tasks(&p, "@2 if 0+ a>b[1]\n@4 if 0+ a>b[2]\n"
                         "@6 if 0- a>b[3]\n");
        plan_free(&p);
    }
}

/* 2n is even: no choice at all. */
static void what_no_number_is_decides(void **state)
{
    (void)state;
    planned p = plan_body("if 2 * n == 3:\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "if 2 * n != 2 * k + 1:\n"
                          "    y: $T = self.put(a, 2, b, $D)\n"
                          "if n % 8 > 7:\n"
                          "    z: $T = self.put(a, 3, b, $D)\n"
                          "if n - n // 8 * 8 < 8:\n"
                          "    u: $T = self.put(a, 4, b, $D)\n");
    assert_tasks(&p, "@4 a>b[2]\n@8 a>b[4]\n");
    assert_choices(&p, "");
    plan_free(&p);
}

/* Equal operands of a read are one number, others are not. */
static void reads_of_one_element_are_one_choice(void **state)
{
    (void)state;
    planned p = plan_body("v: $N = pl.tensor.read(m, [2])\n"
                          "w: $N = pl.tensor.read(m, [2])\n"
                          "u: $N = pl.tensor.read(m, [3])\n"
                          "if v > 0:\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "if w > 0:\n"
                          "    y: $T = self.put(a, 2, b, $D)\n"
                          "if u > 0:\n"
                          "    z: $T = self.put(a, 3, b, $D)\n");
    assert_tasks(&p, "@5 if 0+ a>b[1]\n@7 if 0+ a>b[2]\n@9 if 1+ a>b[3]\n");
    assert_choices(&p, "if@4 v > 0\nif@8 u > 0\n");
    assert_dynamic(&p, "@4 if on a runtime value: 0\n"
                       "@6 if on a runtime value: 1\n"
                       "@8 if on a runtime value: 2\n");
    plan_free(&p);
}

static void and_and_or_say_what_their_parts_say(void **state)
{
    (void)state;
    planned p = plan_body("if n > 0 and k > 0:\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "    if k > 0:\n"
                          "        y: $T = self.put(a, 2, b, $D)\n"
                          "    else:\n"
                          "        z: $T = self.put(a, 3, b, $D)\n"
                          "if k > 0 and n > 0:\n"
                          "    u: $T = self.put(a, 4, b, $D)\n"
                          "if n > 0:\n"
                          "    v: $T = self.put(a, 5, b, $D)\n"
                          "if n > 0 and 1 < 2:\n"
                          "    w: $T = self.put(a, 6, b, $D)\n"
                          "if n > 0 or k > 5:\n"
                          "    s: $T = self.put(a, 7, b, $D)\n"
                          "else:\n"
                          "    if n > 0:\n"
                          "        t: $T = self.put(a, 8, b, $D)\n");
    assert_tasks(&p, "@2 if 0+ a>b[1]\n@4 if 0+ a>b[2]\n"
                     "@8 if 0+ a>b[4]\n"
                     "@10 if 2+ a>b[5]\n@12 if 2+ a>b[6]\n"
                     "@14 if 3+ a>b[7]\n");
    assert_choices(&p, "if@1 n > 0 and k > 0\nif@3 k > 0\nif@9 n > 0\n"
                       "if@13 n > 0 or k > 5\n"
                       "not 0+,1-\nnot 0+,2-\nnot 0+,3-\nnot 2+,3-\n");
    plan_free(&p);
}

/* --- Executions that no value of the symbols makes --- */

static void comparisons_of_one_number_exclude_each_other(void **state)
{
    (void)state;
    planned p = plan_body("if n > 4:\n    x: $T = self.put(a, 1, b, $D)\n"
                          "if n > 5:\n    y: $T = self.put(a, 2, b, $D)\n"
                          "if n == 3:\n    z: $T = self.put(a, 3, b, $D)\n"
                          "if k > 4:\n    u: $T = self.put(a, 4, b, $D)\n");
    assert_choices(&p, "if@1 n > 4\nif@3 n > 5\nif@5 n == 3\nif@7 k > 4\n"
                       "not 0-,1+\nnot 0+,2+\nnot 1+,2+\n");
    plan_free(&p);
}

/* A t of at least 1 has full blocks of 16, or a rest, or both. */
static void a_number_has_whole_blocks_or_a_rest(void **state)
{
    (void)state;
    planned p = plan_body("t: $N = pl.max(n, 1)\n"
                          "f: $N = t // 16 * 16\n"
                          "if 0 < f:\n    x: $T = self.put(a, 1, b, $D)\n"
                          "if f < t:\n    y: $T = self.put(a, 2, b, $D)\n");
    assert_choices(&p, "if@3 0 < f\nif@5 f < t\nnot 0-,1-\n");
    plan_free(&p);
    /* Of an n that may be 0 nothing is excluded. */
    p = plan_body("t: $N = pl.max(n, 0)\n"
                  "f: $N = t // 16 * 16\n"
                  "if 0 < f:\n    x: $T = self.put(a, 1, b, $D)\n"
                  "if f < t:\n    y: $T = self.put(a, 2, b, $D)\n");
    assert_choices(&p, "if@3 0 < f\nif@5 f < t\n");
    plan_free(&p);
}

/* --- Conditions that are no choice --- */

static void expansion_decides_conditions(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(3):\n"
                          "    if i == 1:\n"
                          "        x: $T = self.put(a, i, b, $D)\n"
                          "    else:\n"
                          "        y: $T = self.put(a, i, c, $D)\n"
                          "    if i < 2 and n > 2:\n"
                          "        z: $T = self.put(a, i, b, $D)\n");
    assert_tasks(&p, "@5 a>c[0]\n@7 if 0+ a>b[0]\n"
                     "@3 a>b[1]\n@7 if 0+ a>b[1]\n"
                     "@5 a>c[2]\n");
    assert_dynamic(&p, "@6 if on a runtime value: 1 3\n");
    plan_free(&p);
}

static void what_is_taken_decides_nested_conditions(void **state)
{
    (void)state;
    planned p = plan_body("if n > 2:\n"
                          "    if n > 2:\n"
                          "        x: $T = self.put(a, 1, b, $D)\n"
                          "    else:\n"
                          "        y: $T = self.put(a, 2, b, $D)\n"
                          "    if n > 1:\n"
                          "        z: $T = self.put(a, 3, b, $D)\n"
                          "    if n > 3:\n"
                          "        u: $T = self.put(a, 4, b, $D)\n"
                          "    for i in pl.range(n):\n"
                          "        v: $T = self.put(a, 5, b, $D)\n"
                          "else:\n"
                          "    if n > 7:\n"
                          "        w: $T = self.put(a, 6, b, $D)\n");
    /* The loop runs, and surely more than once. */
    assert_tasks(&p, "@3 if 0+ a>b[1]\n@7 if 0+ a>b[3]\n"
                     "@9 if 0+,2+ a>b[4]\n"
                     "@11 if 0+ a>b[5]\n@11 if 0+ a>b[5]\n");
    plan_free(&p);
}

/* n > k > v, so n > v, whatever else is taken between. */
static void other_numbers_do_not_hinder(void **state)
{
    (void)state;
    planned p = plan_body("v: $N = pl.tensor.read(m, [0])\n"
                          "u1: $N = pl.tensor.read(m, [1])\n"
                          "u2: $N = pl.tensor.read(m, [2])\n"
                          "u3: $N = pl.tensor.read(m, [3])\n"
                          "u4: $N = pl.tensor.read(m, [4])\n"
                          "u5: $N = pl.tensor.read(m, [5])\n"
                          "u6: $N = pl.tensor.read(m, [6])\n"
                          "u7: $N = pl.tensor.read(m, [7])\n"
                          "if n > k and k > v:\n"
                          "    if u1 > 1 and u2 > 2 and u3 > 3:\n"
                          "        if u4 > 4 and u5 > 5 and u6 > 6:\n"
                          "            if u7 > 7 and u1 + u2 > 9:\n"
                          "                if u3 + u4 > 9 and u5 + u6 > 9:\n"
                          "                    if n > v:\n"
                          "                        x: $T = self.put(a, 1, b, "
                          "$D)\n"
                          "                    else:\n"
                          "                        y: $T = self.put(a, 2, b, "
                          "$D)\n");
    assert_tasks(&p, "@15 if 0+,1+,2+,3+,4+ a>b[1]\n");
    plan_free(&p);
}

/* The second of two passes is not the first of the loop. */
static void two_passes_decide_what_the_first_is(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(n):\n"
                          "    if i == 0:\n"
                          "        x: $T = self.put(a, 1, b, $D)\n"
                          "    else:\n"
                          "        y: $T = self.put(a, 2, b, $D)\n");
    assert_tasks(&p, "@3 if 0+,1+ a>b[1]\n@5 if 0+,1- a>b[2]\n"
                     "@5 if 0+ a>b[2]\n");
    plan_free(&p);
}

static void a_branch_may_be_missing(void **state)
{
    (void)state;
    planned p = plan_body("if n > 2:\n"
                          "    pass\n"
                          "else:\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "if k > 2:\n"
                          "    pass\n");
    assert_tasks(&p, "@4 if 0- a>b[1]\n");
    /* A branch without tasks is no dynamic part. */
    assert_dynamic(&p, "@1 if on a runtime value: 0\n");
    plan_free(&p);
}

/* --- What branches yield --- */

static void task_ids_of_either_branch(void **state)
{
    (void)state;
    planned p = plan_body("if n > 2:\n"
                          "    p: $P = $Sa, 1, b, $D)\n"
                          "    t: $I = pl.yield_(p[1])\n"
                          "else:\n"
                          "    p1: $P = $Sa, 2, c, $D)\n"
                          "    t: $I = pl.yield_(p1[1])\n"
                          "q: $P = $Sa, 3, c, deps=[t], $D)\n"
                          "if n > 2:\n"
                          "    r: $P = $Sa, 4, c, deps=[t], $D)\n"
                          "if k > 2:\n"
                          "    u: $I = pl.yield_(t)\n"
                          "else:\n"
                          "    u: $I = pl.yield_(q[1])\n"
                          "s: $P = $Sa, 5, c, deps=[u], $D)\n"
                          "if n > 9:\n"
                          "    v: $I = pl.yield_(q[1])\n"
                          "else:\n"
                          "    v: $I = pl.yield_(None)\n"
                          "w: $P = $Sa, 6, c, deps=[v], $D)\n");
    /* What the tasks themselves rest on is not said again. */
    assert_tasks(&p, "@2 if 0+ a>b[1]\n@5 if 0- a>c[2]\n"
                     "@7 a>c[3] after 0 1\n"
                     "@9 if 0+ a>c[4] after 0\n"
                     "@14 a>c[5] after 0?1+ 1?1+ 2?1-\n"
                     "@19 a>c[6] after 2?2+\n");
    plan_free(&p);
}

static void a_task_that_both_branches_yield_is_one(void **state)
{
    (void)state;
    planned p = plan_body("p: $P = $Sa, 1, b, $D)\n"
                          "t: $I = p[1]\n"
                          "if n > 2:\n"
                          "    u: $I = pl.yield_(t)\n"
                          "else:\n"
                          "    u: $I = pl.yield_(p[1])\n"
                          "q: $P = $Sa, 3, c, deps=[u], $D)\n");
    assert_tasks(&p, "@1 a>b[1]\n@7 a>c[3] after 0\n");
    plan_free(&p);
}

static void arrays_of_either_branch(void **state)
{
    (void)state;
    planned p = plan_body("r: $A = pl.array.create(4, dtype=pl.TASK_ID)\n"
                          "p: $P = $Sa, 1, b, $D)\n"
                          "x: $A = pl.array.update_element(r, 3, p[1])\n"
                          "if n > 2:\n"
                          "    p1: $P = $Sa, 2, b, $D)\n"
                          "    x1: $A = pl.array.update_element(x, 0, p1[1])\n"
                          "    y: $A = pl.yield_(x1)\n"
                          "else:\n"
                          "    y: $A = pl.yield_(x)\n"
                          "q: $P = $Sa, 3, c, deps=[y], $D)\n"
                          "g: $I = pl.array.get_element(y, 0)\n"
                          "h: $I = pl.array.get_element(x, 0)\n"
                          "q1: $P = $Sa, 4, c, deps=[g, h], $D)\n");
    /* Task 1 is there when it is waited for: no condition of its own. */
    assert_tasks(&p, "@2 a>b[1]\n@5 if 0+ a>b[2]\n"
                     "@10 a>c[3] after 1 0\n"
                     "@13 a>c[4] after 1 dead:h\n");
    plan_free(&p);
}

/* A statement is run once for each buffer that its tensors may be. */
static void tensors_of_either_branch(void **state)
{
    (void)state;
    planned p = plan_body("if n > 2:\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "    y: $T = pl.yield_(x)\n"
                          "else:\n"
                          "    x1: $T = self.put(a, 2, c, $D)\n"
                          "    y: $T = pl.yield_(x1)\n"
                          "z: $T = self.put(y, 3, c, $E y$])\n"
                          "if k > 2:\n"
                          "    u, v = pl.yield_(y, b)\n"
                          "else:\n"
                          "    u, v = pl.yield_(c, b)\n"
                          "w: $T = self.put(u, 4, v, $D)\n"
                          "s: pl.Tensor[[8, 64], pl.FP32] = "
                          "pl.tensor.slice(y, [8, 64], [8, 0])\n"
                          "if n > 2:\n"
                          "    r: $T = self.put(y, 5, c, $D)\n"
                          "    r1: $T = self.put(s, 6, c, $D)\n"
                          "r2: $T = self.put(z, 7, y, $D)\n");
    assert_tasks(&p, "@2 if 0+ a>b[1]\n@5 if 0- a>c[2]\n"
                     "@7 if 0+ b>c[3] after 0\n@7 if 0- c>c[3] after 1\n"
                     "@12 if 1+,0+ b>b[4]\n@12 if 1+,0- c>b[4]\n"
                     "@12 if 1- c>b[4]\n"
                     "@15 if 0+ b>c[5]\n@16 if 0+ b>c[6]\n"
                     "@17 if 0+ c>b[7]\n@17 if 0- c>c[7]\n");
    plan_free(&p);
}

/* Equal tensors are no choice, whatever the branches are. */
static void a_buffer_that_both_branches_yield_is_one(void **state)
{
    (void)state;
    planned p = plan_body("if n > 2:\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "    y: $T = pl.yield_(x)\n"
                          "else:\n"
                          "    y: $T = pl.yield_(b)\n"
                          "z: $T = self.put(y, 3, c, $E y$])\n");
    assert_tasks(&p, "@2 if 0+ a>b[1]\n@6 b>c[3] after 0\n");
    plan_free(&p);
}

static void scalars_of_either_branch(void **state)
{
    (void)state;
    planned p = plan_body("if n > 2:\n"
                          "    s, t, u = pl.yield_(3, 4, n)\n"
                          "else:\n"
                          "    s, t, u = pl.yield_(5, 4, 6)\n"
                          "x: $T = self.put(a, s, b, $D)\n"
                          "y: $T = self.put(a, t, b, $D)\n"
                          "if n > 2:\n"
                          "    z: $T = self.put(a, s + 8, c, $D)\n"
                          "else:\n"
                          "    v: $T = self.put(a, s + 8, c, $D)\n"
                          "if s == 3:\n"
                          "    w: $T = self.put(a, 40, c, $D)\n");
    /* 3 or 5, as a symbol that is 0 or 1; inside the branches it is known. */
    assert_tasks(&p, "@5 a>b[3+2*s0]\n@6 a>b[4]\n"
                     "@8 if 0+ a>c[11]\n@10 if 0- a>c[13]\n"
                     "@12 if 0+ a>c[40]\n");
    assert_symbols(&p, "0..1!");
    plan_free(&p);
}

/* A loop carries on what a branch in it decided. */
static void branches_in_loops(void **state)
{
    (void)state;
    planned p = plan_body("t0: $I = pl.system.task_invalid()\n"
                          "for i, (t,) in pl.range(2, init_values=(t0,)):\n"
                          "    v: $N = pl.tensor.read(m, [i])\n"
                          "    if v > 0:\n"
                          "        p: $P = $Sa, i, b, deps=[t], $D)\n"
                          "        t1: $I = pl.yield_(p[1])\n"
                          "    else:\n"
                          "        t1: $I = pl.yield_(t)\n"
                          "    t2: $I = pl.yield_(t1)\n"
                          "q: $P = $Sa, 9, c, deps=[t2], $D)\n");
    assert_tasks(&p, "@5 if 0+ a>b[0] after none:t\n"
                     "@5 if 1+ a>b[1] after 0\n"
                     "@10 a>c[9] after reused:t2 1 0?1-\n");
    plan_free(&p);
}

/* --- Buffers of passes and branches --- */

static void each_execution_of_a_create_is_a_buffer(void **state)
{
    (void)state;
#define CREATE "pl.tensor.create([256, 64], dtype=pl.FP32)\n"
    planned p =
        plan_body("for i in pl.range(n):\n"
                  "    x: $T = " CREATE "    y: $T = self.put(a, 1, x, $D)\n"
                  "if n > 0:\n"
                  "    z: $T = " CREATE "    u: $T = pl.yield_(z)\n"
                  "else:\n"
                  "    v: $T = " CREATE "    u: $T = pl.yield_(v)\n"
                  "w: $T = self.put(a, 2, u, $D)\n");
    assert_tasks(&p, "@3 if 0+ a>x[1]\n@3 if 0+ a>x@2[1]\n"
                     "@10 if 0+ a>z[2]\n@10 if 0- a>v[2]\n");
    plan_free(&p);
}

/* --- Scopes that a later pass makes --- */

static const char marked_blocks[] =
    "for i in pl.range(2):\n"
    "    a1: $T = self.put(a, i, b, $M)\n"
    "    a2: $T = self.put(a, i, c, $M)\n"
    "for j in pl.range(1):\n" /* one call without the mark */
    "    b1: $T = self.put(a, j, b, $M)\n"
    "    b2: $T = self.put(a, j, c, $D)\n"
    "for l in pl.range(1):\n" /* a scope inside */
    "    c1: $T = self.put(a, l, b, $M)\n"
    "    with pl.scope():\n"
    "        c2: $T = self.put(a, l, c, $M)\n"
    "if n > 0:\n"
    "    d1: $T = self.put(a, 1, b, $M)\n"
    "else:\n"
    "    d2: $T = self.put(a, 1, c, $D)\n"
    "for o in pl.range(1):\n" /* a call in a branch counts for the loop */
    "    e1: $T = self.put(a, o, b, $M)\n"
    "    if n > 0:\n"
    "        e2: $T = self.put(a, o, c, $M)\n"
    "    else:\n"
    "        e3: $T = self.put(a, o, c, $D)\n"
    "for q in pl.range(n):\n"
    "    for r in pl.range(1):\n"
    "        f1: $T = self.put(a, r, b, $M)\n"
    "g1: $T = self.put(a, 9, b, $M)\n"
    "with pl.scope(mode=pl.ScopeMode.MANUAL):\n"
    "    with pl.scope():\n"
    "        h1: $T = self.put(a, 9, b, $D)\n";

static void marked_blocks_are_manual(void **state)
{
    (void)state;
    planned p = plan_body(marked_blocks);
    /* a1 a2 twice, b, c, d, e, f twice, g, h */
    assert_modes(&p, "MMMM----M--M-MM-M");
    plan_free(&p);
}

static void marks_mean_nothing_without_automatic_scopes(void **state)
{
    (void)state;
    planned p = plan_main(
        "    @pl.function(type=pl.FunctionType.Orchestration, "
        "level=pl.Level.CHIP, role=pl.Role.Orchestrator, auto_scope=False)\n",
        marked_blocks, 0);
    assert_int_equal(p.status, SONATA_OK);
    assert_modes(&p, "----------------M");
    plan_free(&p);
    p = plan_main(
        "    @pl.function(type=pl.FunctionType.Orchestration, "
        "level=pl.Level.CHIP, role=pl.Role.Orchestrator, auto_scope=False)\n",
        "pl.func_attr({\"__compiler_auto_manual_layer_candidate\": True})\n"
        "x: $T = self.put(a, 9, b, $D)\n",
        0);
    assert_modes(&p, "-");
    plan_free(&p);
}

static void a_layer_is_manual_as_a_whole(void **state)
{
    (void)state;
    planned p = plan_body(
        "pl.func_attr({\"__compiler_auto_manual_layer_candidate\": True})\n"
        "x: $T = self.put(a, 9, b, $D)\n"
        "with pl.scope():\n"
        "    y: $T = self.put(a, 9, b, $D)\n"
        "for i in pl.range(2):\n"
        "    z: $T = self.put(a, i, b, $D)\n");
    assert_modes(&p, "MMMM");
    plan_free(&p);
}

/* --- Programs as a whole --- */

#define HOST                                                                   \
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"       \
    "    def host(self, " PARAMETERS "):\n"                                    \
    "        w: pl.Scalar[pl.INT64] = pld.system.world_size()\n"               \
    "        for r in pl.range(w):\n"                                          \
    "            self.main(a, b, c, m, n, k, device=r)\n"

static void distributed_functions_are_planned_around(void **state)
{
    (void)state;
    planned p =
        plan_text(HEAD PUT ORCH "    def main(self, " PARAMETERS "):\n"
                                "        x: " T256 " = self.put(a, 1, b, "
                                "attrs={" DIRECTIONS "})\n" HOST);
    assert_int_equal(p.status, SONATA_OK);
    assert_tasks(&p, "@1 a>b[1]\n");
    const cJSON *part = cJSON_GetArrayItem(get(p.graph, "dynamic"), 0);
    assert_int_equal(get(part, "line")->valueint, 15);
    assert_int_equal(cJSON_GetArraySize(get(part, "tasks")), 0);
    assert_non_null(strstr(name_of(part, "reason"), "distributed"));
    plan_free(&p);
    p = plan_text(HEAD PUT HOST);
    assert_int_equal(p.status, SONATA_UNSUPPORTED);
    assert_non_null(strstr(p.error.message, "no Orchestration function"));
}

static void the_same_bytes_twice(void **state)
{
    (void)state;
    planned p = plan_body(marked_blocks);
    planned q = plan_body(marked_blocks);
    assert_string_equal(p.text, q.text);
    plan_free(&p);
    plan_free(&q);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(equal_conditions_are_one_choice),
    cmocka_unit_test(equalities_are_one_choice),
    cmocka_unit_test(what_no_number_is_decides),
    cmocka_unit_test(reads_of_one_element_are_one_choice),
    cmocka_unit_test(and_and_or_say_what_their_parts_say),
    cmocka_unit_test(comparisons_of_one_number_exclude_each_other),
    cmocka_unit_test(a_number_has_whole_blocks_or_a_rest),
    cmocka_unit_test(expansion_decides_conditions),
    cmocka_unit_test(what_is_taken_decides_nested_conditions),
    cmocka_unit_test(other_numbers_do_not_hinder),
    cmocka_unit_test(two_passes_decide_what_the_first_is),
    cmocka_unit_test(a_branch_may_be_missing),
    cmocka_unit_test(task_ids_of_either_branch),
    cmocka_unit_test(a_task_that_both_branches_yield_is_one),
    cmocka_unit_test(arrays_of_either_branch),
    cmocka_unit_test(tensors_of_either_branch),
    cmocka_unit_test(a_buffer_that_both_branches_yield_is_one),
    cmocka_unit_test(scalars_of_either_branch),
    cmocka_unit_test(branches_in_loops),
    cmocka_unit_test(each_execution_of_a_create_is_a_buffer),
    cmocka_unit_test(marked_blocks_are_manual),
    cmocka_unit_test(marks_mean_nothing_without_automatic_scopes),
    cmocka_unit_test(a_layer_is_manual_as_a_whole),
    cmocka_unit_test(distributed_functions_are_planned_around),
    cmocka_unit_test(the_same_bytes_twice),
};

TEST_MAIN(tests)
