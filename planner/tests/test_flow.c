/*
 * Loops of the orchestration (spec 08, "Loops", "Edges"): which tasks there
 * are, what they wait for, and how a loop of unknown length stands for all of
 * its passes.
 */
#include "flow_support.h"

/* --- Loops of constant length --- */

static void a_loop_is_its_passes(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(3):\n"
                          "    x: $T = self.put(a, i, b, $D)\n"
                          "for j in pl.parallel(2, 9, 3):\n"
                          "    y: $T = self.put(a, j, b, $D)\n"
                          "for l in pl.range(7, 0, -3):\n"
                          "    z: $T = self.put(a, l, c, $D)\n");
    assert_tasks(&p, "@2 a>b[0]\n@2 a>b[1]\n@2 a>b[2]\n"
                     "@4 a>b[2]\n@4 a>b[5]\n@4 a>b[8]\n"
                     "@6 a>c[7]\n@6 a>c[4]\n@6 a>c[1]\n");
    assert_choices(&p, "");
    assert_dynamic(&p, "");
    plan_free(&p);
}

static void loops_nest_and_may_not_run(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(3):\n"
                          "    for j in pl.range(i, 2):\n"
                          "        x: $T = self.put(a, i * 16 + j, b, $D)\n"
                          "    y: $T = self.put(a, i, c, $D)\n"
                          "for l in pl.range(5, 5):\n"
                          "    z: $T = self.put(a, l, b, $D)\n"
                          "for o in pl.range(0, 4, -1):\n"
                          "    u: $T = self.put(a, o, b, $D)\n"
                          "for q in pl.range(4, 5):\n"
                          "    v: $T = self.put(a, q, b, $D)\n");
    assert_tasks(&p, "@3 a>b[0]\n@3 a>b[1]\n@4 a>c[0]\n"
                     "@3 a>b[17]\n@4 a>c[1]\n"
                     "@4 a>c[2]\n"
                     "@10 a>b[4]\n");
    plan_free(&p);
}

/* 5, 5 * 2 + 0, 10 * 2 + 1, and 21 * 2 + 2 behind the loop. */
static void scalars_and_tensors_are_carried(void **state)
{
    (void)state;
    planned p = plan_body("for i, (x, s) in pl.range(3, init_values=(b, 5)):\n"
                          "    y: $T = self.put(a, s, x, $D)\n"
                          "    u: $N = s * 2 + i\n"
                          "    z, v = pl.yield_(y, u)\n"
                          "w: $T = self.put(z, v, c, $D)\n");
    assert_tasks(&p, "@2 a>b[5]\n@2 a>b[10]\n@2 a>b[21]\n@5 b>c[44]\n");
    plan_free(&p);
}

/* Two buffers change places at each pass. */
static void carries_change_places(void **state)
{
    (void)state;
    planned p = plan_body("for i, (x, y) in pl.range(3, init_values=(b, c)):\n"
                          "    z: $T = self.put(x, i, y, $D)\n"
                          "    u, v = pl.yield_(z, x)\n"
                          "w: $T = self.put(u, 9, v, $D)\n");
    assert_tasks(&p, "@2 b>c[0]\n@2 c>b[1]\n@2 b>c[2]\n@4 c>b[9]\n");
    plan_free(&p);
}

static void the_results_of_a_loop_that_does_not_run_are_its_init(void **state)
{
    (void)state;
    planned p =
        plan_body("t0: $I = pl.system.task_invalid()\n"
                  "q: $P = $Sa, 1, c, $D)\n"
                  "t1: $I = q[1]\n"
                  "for i, (x, t, s) in pl.range(0, init_values=(b, t1, 6)):\n"
                  "    y: $T = self.put(a, i, x, $D)\n"
                  "    z, t2, s2 = pl.yield_(y, t0, 3)\n"
                  "w: $P = $Sz, s2, c, deps=[t2], $D)\n");
    assert_tasks(&p, "@2 a>c[1]\n@7 b>c[6] after 0\n");
    plan_free(&p);
}

/* --- TaskIds through loops --- */

static void task_ids_are_carried(void **state)
{
    (void)state;
    planned p = plan_body("t0: $I = pl.system.task_invalid()\n"
                          "for i, (t,) in pl.range(3, init_values=(t0,)):\n"
                          "    p: $P = $Sa, i, b, deps=[t], $D)\n"
                          "    t1: $I = p[1]\n"
                          "    t2: $I = pl.yield_(t1)\n"
                          "q: $P = $Sa, 9, b, deps=[t0], $D)\n");
    /* Invalid in the first pass alone is no dead dep; t0 is one. */
    assert_tasks(&p, "@3 a>b[0] after none:t\n"
                     "@3 a>b[1] after 0\n"
                     "@3 a>b[2] after 1\n"
                     "@6 a>b[9] after dead:t0\n");
    plan_free(&p);
}

/* The lost carry of spec 08: the name of the loop is not the name behind. */
static void a_dep_that_is_never_valid_is_dead(void **state)
{
    (void)state;
    planned p = plan_body("t: $I = pl.system.task_invalid()\n"
                          "for i in pl.range(2):\n"
                          "    p: $P = $Sa, i, b, deps=[t], $D)\n"
                          "    t1: $I = p[1]\n");
    assert_tasks(&p, "@3 a>b[0] after dead:t\n@3 a>b[1] after dead:t\n");
    plan_free(&p);
}

/* Two sites of one name: each is dead or not by itself. */
static void dead_is_said_of_a_site(void **state)
{
    (void)state;
    planned p = plan_body("t0: $I = pl.system.task_invalid()\n"
                          "for i, (t,) in pl.range(2, init_values=(t0,)):\n"
                          "    p: $P = $Sa, i, b, deps=[t0, t], $D)\n"
                          "    t1: $I = p[1]\n"
                          "    t2: $I = pl.yield_(t1)\n"
                          "q: $P = $Sa, 9, b, deps=[None], $D)\n");
    assert_tasks(&p, "@3 a>b[0] after dead:t0 none:t\n"
                     "@3 a>b[1] after dead:t0 0\n"
                     "@6 a>b[9] after none:None\n");
    plan_free(&p);
}

/*
 * A name that a loop gives a task in each pass is reused for who waits on it
 * behind the loop, and not for who does so in the same pass.
 */
static void names_of_a_loop_are_the_last_pass_behind_it(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.parallel(2):\n"
                          "    p: $P = $Sa, i, b, $D)\n"
                          "    t: $I = p[1]\n"
                          "    for j in pl.range(2):\n"
                          "        q: $P = $Sb, i * 2 + j, c, deps=[t], $D)\n"
                          "r: $P = $Sb, 9, c, deps=[t], $D)\n");
    assert_tasks(&p, "@2 a>b[0]\n"
                     "@5 b>c[0] after 0\n@5 b>c[1] after 0\n"
                     "@2 a>b[1]\n"
                     "@5 b>c[2] after 3\n@5 b>c[3] after 3\n"
                     "@6 b>c[9] after reused:t 3\n");
    plan_free(&p);
}

static void tensors_of_a_loop_are_known_behind_it(void **state)
{
    (void)state;
    planned p =
        plan_body("for i in pl.range(3):\n"
                  "    x: $T = pl.tensor.create([256, 64], dtype=pl.FP32)\n"
                  "    y: $T = self.put(a, i, x, $D)\n"
                  "z: $T = self.put(y, 9, b, $D)\n");
    /* One buffer for each execution of the create. */
    assert_tasks(&p, "@3 a>x[0]\n@3 a>x@2[1]\n@3 a>x@3[2]\n@4 x@3>b[9]\n");
    plan_free(&p);
}

/* --- Arrays of TaskIds --- */

#define NEW_ARRAY "r: $A = pl.array.create(4, dtype=pl.TASK_ID)\n"

static void arrays_are_carried(void **state)
{
    (void)state;
    planned p =
        plan_body(NEW_ARRAY "for i, (x,) in pl.parallel(3, init_values=(r,)):\n"
                            "    p: $P = $Sa, i, b, deps=[x], $D)\n"
                            "    y: $A = pl.array.update_element(x, i, p[1])\n"
                            "    z: $A = pl.yield_(y)\n"
                            "q: $P = $Sa, 8, c, deps=[z], $D)\n"
                            "q1: $P = $Sa, 9, c, deps=[r], $D)\n");
    assert_tasks(&p, "@3 a>b[0] after none:x\n"
                     "@3 a>b[1] after 0\n"
                     "@3 a>b[2] after 0 1\n"
                     "@6 a>c[8] after 0 1 2\n"
                     "@7 a>c[9] after dead:r\n");
    plan_free(&p);
}

static void get_element_is_a_snapshot(void **state)
{
    (void)state;
    planned p =
        plan_body(NEW_ARRAY "p: $P = $Sa, 1, b, $D)\n"
                            "x: $A = pl.array.update_element(r, 2, p[1])\n"
                            "g: $I = pl.array.get_element(x, 2)\n"
                            "p2: $P = $Sa, 2, b, $D)\n"
                            "y: $A = pl.array.update_element(x, 2, p2[1])\n"
                            "h: $I = pl.array.get_element(y, 2)\n"
                            "o: $I = pl.array.get_element(r, 2)\n"
                            "q: $P = $Sa, 3, c, deps=[g], $D)\n"
                            "q2: $P = $Sa, 4, c, deps=[h], $D)\n"
                            "q3: $P = $Sa, 5, c, deps=[x], $D)\n"
                            "q4: $P = $Sa, 6, c, deps=[o], $D)\n"
                            "q5: $P = $Sa, 7, c, deps=[y, g], $D)\n");
    assert_tasks(&p, "@2 a>b[1]\n@5 a>b[2]\n"
                     "@9 a>c[3] after 0\n"
                     "@10 a>c[4] after reused:h 1\n"
                     "@11 a>c[5] after 0\n"
                     "@12 a>c[6] after dead:o\n"
                     "@13 a>c[7] after reused:y 1 0\n");
    plan_free(&p);
}

/* A slot emptied on purpose is none; one valid slot is enough. */
static void slots_without_task(void **state)
{
    (void)state;
    planned p =
        plan_body(NEW_ARRAY "p: $P = $Sa, 1, b, $D)\n"
                            "x: $A = pl.array.update_element(r, 0, p[1])\n"
                            "y: $A = pl.array.update_element(x, 0, None)\n"
                            "g: $I = pl.array.get_element(y, 0)\n"
                            "q: $P = $Sa, 2, c, deps=[g], $D)\n"
                            "q1: $P = $Sa, 3, c, deps=[x], $D)\n"
                            "d: $I = pl.system.task_dummy(deps=[y])\n"
                            "d1: $I = pl.system.task_dummy(deps=[y, x])\n"
                            "d2: $I = pl.system.task_dummy(deps=y)\n"
                            "q2: $P = $Sa, 4, c, deps=[d, d1, d2], $D)\n");
    assert_tasks(&p, "@2 a>b[1]\n"
                     "@6 a>c[2] after reused:g none:g\n"
                     "@7 a>c[3] after 0\n"
                     "@9 dummy after dead:y 0\n"
                     "@11 a>c[4] after dead:d 3 dead:d2\n");
    plan_free(&p);
}

/* --- Dummies --- */

static void a_dummy_without_valid_deps_is_not_submitted(void **state)
{
    (void)state;
    planned p = plan_body("t0: $I = pl.system.task_invalid()\n"
                          "for i, (t,) in pl.range(3, init_values=(t0,)):\n"
                          "    d: $I = pl.system.task_dummy(deps=[t, None])\n"
                          "    p: $P = $Sa, i, b, deps=[d], $D)\n"
                          "    t1: $I = pl.yield_(p[1])\n"
                          "e: $I = pl.system.task_dummy(deps=[])\n");
    assert_tasks(&p, "@4 a>b[0] after none:d\n"
                     "@3 dummy after 0 none:None\n"
                     "@4 a>b[1] after 1\n"
                     "@3 dummy after 2 none:None\n"
                     "@4 a>b[2] after 3\n"
                     "@6 dummy\n");
    plan_free(&p);
}

/* --- Edges of the compiler --- */

/* A carry or a result: all passes so far; in deps: the one value. */
static void compiler_edges_take_all_passes(void **state)
{
    (void)state;
    planned p = plan_body("t0: $I = pl.system.task_invalid()\n"
                          "for i, (x, t) in pl.range(3, init_values=(b, t0)):\n"
                          "    p: $P = $Sa, i, x, $E x$])\n"
                          "    y: $T = p[0]\n"
                          "    t1: $I = p[1]\n"
                          "    z, t2 = pl.yield_(y, t1)\n"
                          "q: $T = self.put(a, 6, c, $E z$])\n"
                          "q1: $T = self.put(a, 7, c, $E t2$])\n"
                          "q2: $P = $Sa, 8, c, deps=[t2], $D)\n"
                          "q3: $T = self.put(a, 9, c, $E y$])\n"
                          "q4: $T = self.put(a, 10, c, $E p$])\n"
                          "q5: $T = self.put(a, 11, c, $E t1, q$])\n");
    assert_tasks(&p, "@3 a>b[0] after none:x\n"
                     "@3 a>b[1] after 0\n"
                     "@3 a>b[2] after 0 1\n"
                     "@7 a>c[6] after 0 1 2\n"
                     "@8 a>c[7] after 0 1 2\n"
                     "@9 a>c[8] after reused:t2 2\n"
                     "@10 a>c[9] after 2\n"
                     "@11 a>c[10] after 2\n"
                     "@12 a>c[11] after 2 3\n");
    plan_free(&p);
}

static void compiler_edges_take_the_passes_of_inner_loops(void **state)
{
    (void)state;
    planned p = plan_body("for i, (x,) in pl.range(2, init_values=(b,)):\n"
                          "    for j, (y,) in pl.range(2, init_values=(x,)):\n"
                          "        z: $T = self.put(a, i * 8 + j, y, $D)\n"
                          "        u: $T = pl.yield_(z)\n"
                          "    q: $T = self.put(a, i, c, $E u$])\n"
                          "    v: $T = pl.yield_(u)\n"
                          "w: $T = self.put(a, 9, c, $E v$])\n");
    assert_tasks(&p, "@3 a>b[0]\n@3 a>b[1]\n@5 a>c[0] after 0 1\n"
                     "@3 a>b[8]\n@3 a>b[9]\n@5 a>c[1] after 3 4\n"
                     "@7 a>c[9] after 0 1 3 4\n");
    plan_free(&p);
}

/* The same of a TaskId: deps takes the last, a compiler edge all four. */
static void task_ids_of_inner_loops(void **state)
{
    (void)state;
    planned p = plan_body("t0: $I = pl.system.task_invalid()\n"
                          "for i, (t,) in pl.range(2, init_values=(t0,)):\n"
                          "    for j, (u,) in pl.range(2, init_values=(t,)):\n"
                          "        p: $P = $Sa, i * 8 + j, b, deps=[u], $D)\n"
                          "        t1: $I = p[1]\n"
                          "        t2: $I = pl.yield_(t1)\n"
                          "    t3: $I = pl.yield_(t2)\n"
                          "q: $T = self.put(a, 6, c, $E t3$])\n"
                          "r: $P = $Sa, 7, c, deps=[t3], $D)\n");
    assert_tasks(&p, "@4 a>b[0] after none:u\n@4 a>b[1] after 0\n"
                     "@4 a>b[8] after 1\n@4 a>b[9] after 2\n"
                     "@8 a>c[6] after 0 1 2 3\n"
                     "@9 a>c[7] after reused:t3 3\n");
    plan_free(&p);
}

static void compiler_edges_name_calls(void **state)
{
    (void)state;
    assert_fails("x: $T = self.put(a, 1, c, $E b$])\n", 0, SONATA_UNSUPPORTED,
                 1, "names what no earlier call gave");
}

/* --- Loops of unknown length --- */

static void two_passes_stand_for_all(void **state)
{
    (void)state;
    planned p = plan_body("u: $N = pl.min(n, 8)\n"
                          "for i in pl.range(2, 3 * u + 2, 3):\n"
                          "    x: $T = self.put(a, i, b, $D)\n"
                          "y: $T = self.put(a, 9, c, $D)\n");
    /* Passes 0 to 7: one in 0..6, another 1..7 later. */
    assert_tasks(&p, "@3 if 0+ a>b[2+3*s0]\n"
                     "@3 if 0+ a>b[2+3*s0+3*s1]\n"
                     "@4 a>c[9]\n");
    assert_symbols(&p, "0..6 1..7");
    assert_choices(&p, "loop@2 pl.range(2, 3 * u + 2, 3)\n");
    assert_dynamic(&p, "@2 loop of unknown length: 0 1\n");
    plan_free(&p);
}

static void passes_go_down_with_a_negative_step(void **state)
{
    (void)state;
    planned p = plan_body("u: $N = pl.min(pl.max(n, 0), 8)\n"
                          "for i in pl.range(40, 40 - 4 * u, -4):\n"
                          "    x: $T = self.put(a, i, b, $D)\n");
    assert_tasks(&p, "@3 if 0+ a>b[40-4*s0]\n"
                     "@3 if 0+ a>b[40-4*s0-4*s1]\n");
    assert_symbols(&p, "0..6 1..7");
    plan_free(&p);
}

/* At least one pass: the first is sure, the second under a choice. */
static void a_loop_that_surely_runs_once(void **state)
{
    (void)state;
    planned p = plan_body("u: $N = pl.max(pl.min(n, 8), 1)\n"
                          "t0: $I = pl.system.task_invalid()\n"
                          "for i, (t,) in pl.range(u, init_values=(t0,)):\n"
                          "    p: $P = $Sa, i, b, deps=[t], $D)\n"
                          "    t1: $I = pl.yield_(p[1])\n"
                          "q: $P = $Sa, 9, c, $E t1$])\n"
                          "if n > 1:\n"
                          "    r: $P = $Sa, 10, c, $D)\n");
    assert_tasks(&p, "@4 a>b[0+1*s0] after none:t\n"
                     "@4 if 0+ a>b[0+1*s0+1*s1] after 0\n"
                     "@6 a>c[9] after 0 1\n"
                     "@8 if 0+ a>c[10]\n");
    assert_choices(&p, "loop@3 pl.range(u, init_values=(t0,))\n");
    plan_free(&p);
}

static void a_loop_that_surely_runs_twice_has_no_choice(void **state)
{
    (void)state;
    planned p = plan_body("u: $N = pl.max(pl.min(n, 8), 2)\n"
                          "for i in pl.range(u):\n"
                          "    x: $T = self.put(a, i, b, $D)\n");
    assert_tasks(&p, "@3 a>b[0+1*s0]\n@3 a>b[0+1*s0+1*s1]\n");
    assert_choices(&p, "");
    plan_free(&p);
}

static void a_loop_that_runs_at_most_once_is_one_pass(void **state)
{
    (void)state;
    planned p = plan_body("u: $N = pl.min(n, 1)\n"
                          "for i in pl.range(u):\n"
                          "    x: $T = self.put(a, i + 4, b, $D)\n");
    assert_tasks(&p, "@3 if 0+ a>b[4]\n");
    assert_symbols(&p, "");
    plan_free(&p);
}

/* The value behind the loop: of its last pass, or what it began with. */
static void results_of_an_unknown_loop(void **state)
{
    (void)state;
    planned p =
        plan_body("q: $P = $Sa, 1, c, $D)\n"
                  "for i, (x, t) in pl.range(n, init_values=(c, q[1])):\n"
                  "    p: $P = $Sx, 1, b, deps=[t], $D)\n"
                  "    y, t1 = pl.yield_(p[0], p[1])\n"
                  "r: $P = $Sy, 2, c, deps=[t1], $D)\n"
                  "r1: $P = $Sa, 3, c, $E t1$])\n"
                  "if n >= 1:\n"
                  "    r2: $P = $Sy, 4, c, deps=[t1], $D)\n");
    /* One task for each buffer that y may be. */
    assert_tasks(&p, "@1 a>c[1]\n"
                     "@3 if 0+ c>b[1] after 0\n"
                     "@3 if 0+ b>b[1] after 1\n"
                     "@5 if 0+ b>c[2] after reused:t1 2\n"
                     "@5 if 0- c>c[2] after reused:t1 0\n"
                     "@6 a>c[3] after 1 2\n"
                     "@8 if 0+ b>c[4] after reused:t1 2\n");
    plan_free(&p);
}

/* Nothing is known of a scalar that an unknown loop carries. */
static void scalars_of_an_unknown_loop(void **state)
{
    (void)state;
    planned p = plan_body("for i, (s,) in pl.range(n, init_values=(4,)):\n"
                          "    x: $T = self.put(a, s, b, $D)\n"
                          "    s1: $N = pl.yield_(s + 1)\n"
                          "y: $T = self.put(a, s1, c, $D)\n");
    assert_tasks(&p, "@2 if 0+ a>b[0+1*s0]\n@2 if 0+ a>b[0+1*s1]\n"
                     "@4 a>c[0+1*s2]\n");
    plan_free(&p);
}

static void loops_of_equal_length_are_one_choice(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(n):\n"
                          "    x: $T = self.put(a, 1, b, $D)\n"
                          "for j in pl.range(3, n + 3):\n"
                          "    y: $T = self.put(a, 2, b, $D)\n"
                          "for l in pl.range(0, 2 * n, 2):\n"
                          "    z: $T = self.put(a, 3, b, $D)\n"
                          "if n > 0:\n"
                          "    u: $T = self.put(a, 4, b, $D)\n"
                          "for o in pl.range(k):\n"
                          "    v: $T = self.put(a, 5, b, $D)\n");
    assert_tasks(&p, "@2 if 0+ a>b[1]\n@2 if 0+ a>b[1]\n"
                     "@4 if 0+ a>b[2]\n@4 if 0+ a>b[2]\n"
                     "@6 if 0+ a>b[3]\n@6 if 0+ a>b[3]\n"
                     "@8 if 0+ a>b[4]\n"
                     "@10 if 1+ a>b[5]\n@10 if 1+ a>b[5]\n");
    plan_free(&p);
}

static void unknown_loops_double_each(void **state)
{
    (void)state;
    planned p = plan_body("u: $N = pl.min(n, 4)\n"
                          "v: $N = pl.min(k, 5)\n"
                          "for i in pl.range(u):\n"
                          "    for j in pl.range(v):\n"
                          "        x: $T = self.put(a, i * 8 + j, b, $D)\n"
                          "    y: $T = self.put(a, 1, c, $D)\n");
    assert_tasks(&p, "@5 if 0+,1+ a>b[0+8*s0+1*s2]\n"
                     "@5 if 0+,1+ a>b[0+8*s0+1*s2+1*s3]\n"
                     "@6 if 0+ a>c[1]\n"
                     "@5 if 0+,1+ a>b[0+8*s0+8*s1+1*s4]\n"
                     "@5 if 0+,1+ a>b[0+8*s0+8*s1+1*s4+1*s5]\n"
                     "@6 if 0+ a>c[1]\n");
    assert_symbols(&p, "0..2 1..3 0..3 1..4 0..3 1..4");
    assert_dynamic(&p, "@3 loop of unknown length: 0 1 2 3 4 5\n"
                       "@4 loop of unknown length: 0 1 3 4\n");
    plan_free(&p);
}

/* The second pass of i is not 0, so that one of j runs in it. */
static void a_loop_as_long_as_the_index_around_it(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(n):\n"
                          "    for j in pl.range(i):\n"
                          "        x: $T = self.put(a, 1, b, $D)\n");
    assert_tasks(&p, "@3 if 0+,1+ a>b[1]\n@3 if 0+,1+ a>b[1]\n"
                     "@3 if 0+ a>b[1]\n@3 if 0+,2+ a>b[1]\n");
    /* i > 0 and i + d <= 1 */
    assert_choices(&p, "loop@1 pl.range(n)\n"
                       "loop@2 pl.range(i)\nloop@2 pl.range(i)\n"
                       "not 1+,2-\n");
    plan_free(&p);
}

static void while_is_a_loop_of_unknown_length(void **state)
{
    (void)state;
    planned p = plan_body("for (x,) in pl.while_(init_values=(b,)):\n"
                          "    pl.cond(n > 4)\n"
                          "    y: $T = self.put(a, 1, x, $E x$])\n"
                          "    z: $T = pl.yield_(y)\n"
                          "w: $T = self.put(a, 9, z, $E z$])\n");
    assert_tasks(&p, "@3 if 0+ a>b[1] after none:x\n"
                     "@3 if 0+ a>b[1] after 0\n"
                     "@5 a>b[9] after 0 1\n");
    assert_choices(&p, "loop@1 pl.while_(init_values=(b,))\n");
    plan_free(&p);
}

/* A step that is not known leaves the index unknown. */
static void a_step_that_is_not_known(void **state)
{
    (void)state;
    planned p = plan_body("for i in pl.range(0, 8, k):\n"
                          "    x: $T = self.put(a, i, b, $D)\n");
    assert_tasks(&p, "@2 if 0+ a>b[0+1*s0]\n@2 if 0+ a>b[0+1*s1]\n");
    plan_free(&p);
}

/* --- The limit of tasks --- */

static void inner_loops_fold_first(void **state)
{
    (void)state;
    static const char body[] = "for i in pl.range(n):\n"
                               "    for j in pl.range(5):\n"
                               "        x: $T = self.put(a, j, b, $D)\n"
                               "    for l in pl.range(2):\n"
                               "        y: $T = self.put(a, l, c, $D)\n"
                               "for o in pl.range(3):\n"
                               "    z: $T = self.put(a, o, c, $D)\n";
    static const char dynamic[] =
        "@1 loop of unknown length: 0 1 2 3 4 5 6 7\n"
        "@2 loop run as two passes to stay within the limit of tasks: 0 1 4 "
        "5\n";
    planned p = plan_within(body, 17); /* 2 * (5 + 2) + 3: all of them */
    assert_dynamic(&p, "@1 loop of unknown length: "
                       "0 1 2 3 4 5 6 7 8 9 10 11 12 13\n");
    plan_free(&p);
    p = plan_within(body, 16);
    assert_tasks(&p, "@3 if 0+ a>b[0+1*s0]\n@3 if 0+ a>b[0+1*s0+1*s1]\n"
                     "@5 if 0+ a>c[0]\n@5 if 0+ a>c[1]\n"
                     "@3 if 0+ a>b[0+1*s2]\n@3 if 0+ a>b[0+1*s2+1*s3]\n"
                     "@5 if 0+ a>c[0]\n@5 if 0+ a>c[1]\n"
                     "@7 a>c[0]\n@7 a>c[1]\n@7 a>c[2]\n");
    assert_symbols(&p, "0..3 1..4 0..3 1..4");
    assert_dynamic(&p, dynamic);
    plan_free(&p);
}

static void all_loops_fold_then(void **state)
{
    (void)state;
    static const char body[] = "for i in pl.range(0, 36, 3):\n"
                               "    x: $T = self.put(a, i, b, $D)\n"
                               "for j in pl.range(2):\n"
                               "    y: $T = self.put(a, j, c, $D)\n";
    planned p = plan_within(body, 13);
    assert_tasks(&p, "@2 a>b[0+3*s0]\n@2 a>b[0+3*s0+3*s1]\n"
                     "@4 a>c[0]\n@4 a>c[1]\n");
    assert_symbols(&p, "0..10 1..11");
    assert_choices(&p, "");
    assert_int_equal(p.error.code[0], '\0');
    plan_free(&p);
    assert_fails(body, 3, SONATA_UNSUPPORTED, 2, "more than 3 tasks");
}

/* That two passes cannot do it is no reason to give: it is too large. */
static void a_program_too_large_is_told_so(void **state)
{
    (void)state;
    assert_fails(NEW_ARRAY "for i in pl.range(4):\n"
                           "    p: $P = $Sa, i, b, $D)\n"
                           "    x: $A = pl.array.update_element(r, i, p[1])\n",
                 1, SONATA_UNSUPPORTED, 3, "more than 1 tasks");
}

/* --- What is refused --- */

static void places_of_arrays_must_be_known(void **state)
{
    (void)state;
    assert_fails(NEW_ARRAY "for i in pl.range(5):\n"
                           "    t: $I = pl.array.get_element(r, i)\n",
                 0, SONATA_RANGE, 3, "index 4 of an array of 4");
    assert_fails("for i in pl.range(0, 4, 0):\n    pass\n", 0, SONATA_RANGE, 1,
                 "a step of 0");
    assert_fails(NEW_ARRAY "x: $A = pl.array.update_element(r, -1, None)\n", 0,
                 SONATA_RANGE, 2, "index -1 of an array of 4");
    assert_fails("r: $A = pl.array.create(65537, dtype=pl.TASK_ID)\n", 0,
                 SONATA_UNSUPPORTED, 1, "a constant size up to 65536");
}

/* A slot that is any of them is said so, and every slot is taken for it. */
static void places_that_are_not_known(void **state)
{
    (void)state;
    planned p =
        plan_body(NEW_ARRAY "p: $P = $Sa, 1, b, $D)\n"
                            "t: $I = p[1]\n"
                            "r1: $A = pl.array.update_element(r, n, t)\n"
                            "u: $I = pl.array.get_element(r1, k)\n"
                            "q: $P = $Sa, 2, b, deps=[u], $D)\n"
                            "s: $P = $Sa, 3, b, deps=[r1], $D)\n");
    const cJSON *parts = cJSON_GetObjectItem(p.graph, "dynamic");
    const cJSON *deps = cJSON_GetObjectItem(task_of(&p, 1), "deps");
    assert_int_equal(cJSON_GetArraySize(parts), 2);
    assert_int_equal(
        cJSON_GetArraySize(get(cJSON_GetArrayItem(parts, 0), "tasks")), 0);
    assert_int_equal(cJSON_GetArraySize(deps), 1);
    assert_int_equal(get(cJSON_GetArrayItem(deps, 0), "task")->valueint, 0);
    deps = cJSON_GetObjectItem(task_of(&p, 2), "deps");
    assert_int_equal(cJSON_GetArraySize(deps), 1);
    plan_free(&p);
}

/* What it takes to expand a program is bounded, tasks or no tasks. */
static void work_without_tasks_is_bounded(void **state)
{
    (void)state;
    static const char *const statements[] = {
        "x: $N = n + 1\n",
        "x: pl.Array[65536, pl.TASK_ID] = pl.array.create(65536)\n",
        "x: pl.Tuple[$T, $T] = [a, b]\n",
        "pass\n",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        char body[1024];
        snprintf(body, sizeof body,
                 "for i in pl.range(1000000000):\n"
                 "    for j in pl.range(1000000000):\n"
                 "        %s"
                 "y: $T = self.put(a, 1, b, $D)\n"
                 "z: $T = self.put(a, 1, b, $D)\n",
                 statements[i]);
        planned p = plan_main(ORCH, body, 1);
        assert_int_equal(p.status, SONATA_UNSUPPORTED);
        assert_non_null(strstr(p.error.message, "steps to expand"));
        /* With room for the two tasks, two passes of the loops are enough. */
        p = plan_within(body, 2);
        assert_tasks(&p, "@4 a>b[1]\n@5 a>b[1]\n");
        plan_free(&p);
    }
}

/* A statement is run once for each of the 2^40 values that it uses. */
static void statements_that_fork_are_bounded(void **state)
{
    (void)state;
    lines body = {0};
    for (int i = 0; i < 40; i++) {
        char branch[160];
        snprintf(branch, sizeof branch,
                 "if pl.tensor.read(m, [%d]) > %d:\n"
                 "    x%d: $T = pl.yield_(a)\n"
                 "else:\n"
                 "    x%d: $T = pl.yield_(b)\n",
                 i % 8, i, i, i);
        put_string(&body, branch);
    }
    put_string(&body, "y: pl.Tuple[$T, $T] = [x0");
    for (int i = 1; i < 40; i++) {
        char item[16];
        snprintf(item, sizeof item, ", x%d", i);
        put_string(&body, item);
    }
    put_string(&body, "]\n");
    assert_fails(body.data, 1, SONATA_UNSUPPORTED, 161, "steps to expand");
    free(body.data);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_loop_is_its_passes),
    cmocka_unit_test(loops_nest_and_may_not_run),
    cmocka_unit_test(scalars_and_tensors_are_carried),
    cmocka_unit_test(carries_change_places),
    cmocka_unit_test(the_results_of_a_loop_that_does_not_run_are_its_init),
    cmocka_unit_test(task_ids_are_carried),
    cmocka_unit_test(a_dep_that_is_never_valid_is_dead),
    cmocka_unit_test(dead_is_said_of_a_site),
    cmocka_unit_test(names_of_a_loop_are_the_last_pass_behind_it),
    cmocka_unit_test(tensors_of_a_loop_are_known_behind_it),
    cmocka_unit_test(arrays_are_carried),
    cmocka_unit_test(get_element_is_a_snapshot),
    cmocka_unit_test(slots_without_task),
    cmocka_unit_test(a_dummy_without_valid_deps_is_not_submitted),
    cmocka_unit_test(compiler_edges_take_all_passes),
    cmocka_unit_test(compiler_edges_take_the_passes_of_inner_loops),
    cmocka_unit_test(task_ids_of_inner_loops),
    cmocka_unit_test(compiler_edges_name_calls),
    cmocka_unit_test(two_passes_stand_for_all),
    cmocka_unit_test(passes_go_down_with_a_negative_step),
    cmocka_unit_test(a_loop_that_surely_runs_once),
    cmocka_unit_test(a_loop_that_surely_runs_twice_has_no_choice),
    cmocka_unit_test(a_loop_that_runs_at_most_once_is_one_pass),
    cmocka_unit_test(results_of_an_unknown_loop),
    cmocka_unit_test(scalars_of_an_unknown_loop),
    cmocka_unit_test(loops_of_equal_length_are_one_choice),
    cmocka_unit_test(unknown_loops_double_each),
    cmocka_unit_test(a_loop_as_long_as_the_index_around_it),
    cmocka_unit_test(while_is_a_loop_of_unknown_length),
    cmocka_unit_test(a_step_that_is_not_known),
    cmocka_unit_test(inner_loops_fold_first),
    cmocka_unit_test(all_loops_fold_then),
    cmocka_unit_test(a_program_too_large_is_told_so),
    cmocka_unit_test(places_of_arrays_must_be_known),
    cmocka_unit_test(places_that_are_not_known),
    cmocka_unit_test(work_without_tasks_is_bounded),
    cmocka_unit_test(statements_that_fork_are_bounded),
};

TEST_MAIN(tests)
