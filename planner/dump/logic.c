/*
 * Which values of choices no execution has together: their conditions are
 * linear in the symbols, and a sum of some of them with what is known of the
 * symbols is at least 1 where it has to be at most 0 (Fourier and Motzkin,
 * with a small limit: what is not found out stays possible).
 */
#include "machine.h"

#include <string.h>

enum { MAX_FORMS = 48, MAX_CHOICES = 128 };

/* Numbers that are at most 0. */
typedef struct equations {
    affine_pool *pool;
    affine form[MAX_FORMS];
    uint32_t count;
    bool contradicts;
} equations;

static void add(equations *s, affine a)
{
    affine_range r = affine_bounds(s->pool, a);
    for (uint32_t i = 0; i < s->count; i++)
        if (affine_equal(s->pool, s->form[i], a))
            return;
    s->contradicts = s->contradicts || (r.has_min && r.min > 0);
    if (s->count < MAX_FORMS)
        s->form[s->count++] = a;
}

typedef struct truth {
    affine n;
    bool is;
} truth;

/* What a choice says when it has a value; "and" and "or" say it of both. */
static void add_choice(machine *m, equations *s, uint32_t choice, bool is)
{
    truth open[MAX_FORMS];
    uint32_t count = 0;
    open[count++] = (truth){m->graph.choices[choice].number, is};
    while (count > 0) {
        truth t = open[--count];
        affine_symbol symbol =
            m->numbers.symbols[m->numbers.terms[t.n.first].symbol];
        bool holds = t.is == (t.n.c == 0);
        uint8_t both = CODE_LOGIC + (holds ? OP_AND : OP_OR);
        affine a = symbol.left;
        if (symbol.op == CODE_COMPARE + OP_LE) {
            add(s, holds ? a : affine_sub(s->pool, affine_const(1), a));
        } else if (symbol.op == CODE_COMPARE + OP_EQ && holds) {
            add(s, a);
            add(s, affine_sub(s->pool, affine_const(0), a));
        } else if (symbol.op == both && count + 2 <= MAX_FORMS) {
            open[count++] = (truth){symbol.right, holds};
            open[count++] = (truth){symbol.left, holds};
        }
    }
}

/* What is known of the symbols of the forms, and of those in turn. */
static void add_plain_facts(equations *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->form[i].count; k++) {
            affine facts[2];
            uint32_t symbol = s->pool->terms[s->form[i].first + k].symbol;
            uint32_t n = affine_facts(s->pool, symbol, facts);
            for (uint32_t f = 0; f < n; f++)
                add(s, facts[f]);
        }
}

/* The coefficient of a symbol. */
static int64_t coefficient(const affine_pool *pool, affine a, uint32_t symbol)
{
    for (uint32_t i = 0; i < a.count; i++)
        if (pool->terms[a.first + i].symbol == symbol)
            return pool->terms[a.first + i].coef;
    return 0;
}

/* The sum of multiples of a and b without a symbol of a. */
static bool eliminate(affine_pool *pool, affine *out, affine a, affine b,
                      affine_term t)
{
    int64_t other = coefficient(pool, b, t.symbol);
    affine scaled;
    if (other == 0 || (t.coef < 0) == (other < 0) || other == INT64_MIN ||
        t.coef == INT64_MIN)
        return false;
    return affine_combine(pool, &scaled, affine_const(0), a,
                          other < 0 ? -other : other) &&
           affine_combine(pool, out, scaled, b, t.coef < 0 ? -t.coef : t.coef);
}

static void combine_all(equations *s)
{
    for (uint32_t i = 1; i < s->count && !s->contradicts; i++)
        for (uint32_t j = 0; j < i && !s->contradicts; j++)
            for (uint32_t k = 0; k < s->form[i].count; k++) {
                affine sum;
                affine_term t = s->pool->terms[s->form[i].first + k];
                if (eliminate(s->pool, &sum, s->form[i], s->form[j], t))
                    add(s, sum);
            }
}

/* A number that cannot be 0 or less makes its least with a constant so. */
static void add_facts(equations *s)
{
    add_plain_facts(s);
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t k = 0; k < s->form[i].count; k++) {
            uint32_t symbol = s->pool->terms[s->form[i].first + k].symbol;
            equations other = {.pool = s->pool};
            affine number;
            if (!affine_least_of(s->pool, symbol, &number))
                continue;
            add(&other, number);
            add_plain_facts(&other);
            combine_all(&other);
            if (other.contradicts)
                add(s, affine_sub(s->pool, affine_const(1),
                                  affine_of(s->pool, symbol)));
        }
}

/* Something is known of its condition. */
static bool is_clear(const machine *m, uint32_t choice)
{
    const graph_choice *c = &m->graph.choices[choice];
    if (!c->has_number || c->number.count != 1)
        return false;
    uint8_t op =
        m->numbers.symbols[m->numbers.terms[c->number.first].symbol].op;
    return op == CODE_COMPARE + OP_LE || op == CODE_COMPARE + OP_EQ ||
           op == CODE_LOGIC + OP_AND || op == CODE_LOGIC + OP_OR;
}

/* Whether two choices cannot have these values together. */
static bool contradict(machine *m, graph_impossible pair)
{
    equations s = {.pool = &m->numbers};
    affine_mark mark = affine_here(&m->numbers);
    for (int k = 0; k < 2; k++)
        add_choice(m, &s, pair.choice[k], pair.is[k]);
    add_facts(&s);
    combine_all(&s);
    affine_cut(&m->numbers, mark);
    return s.contradicts;
}

/* Whether a choice cannot have this value together with what is taken. */
static bool is_excluded(machine *m, uint32_t when, uint32_t choice, bool is)
{
    equations s = {.pool = &m->numbers};
    affine_mark mark = affine_here(&m->numbers);
    add_choice(m, &s, choice, is);
    for (; when != GRAPH_NONE; when = m->graph.whens[when].parent)
        if (is_clear(m, m->graph.whens[when].choice))
            add_choice(m, &s, m->graph.whens[when].choice,
                       m->graph.whens[when].is);
    add_facts(&s);
    combine_all(&s);
    affine_cut(&m->numbers, mark);
    return s.contradicts;
}

int machine_decide(machine *m, uint32_t when, uint32_t choice)
{
    int taken = flow_taken(m, when, choice);
    if (taken >= 0 || choice == GRAPH_NONE || !is_clear(m, choice))
        return taken;
    if (is_excluded(m, when, choice, true))
        return 0;
    return is_excluded(m, when, choice, false) ? 1 : -1;
}

bool machine_excludes(machine *m, uint32_t when, affine number)
{
    equations s = {.pool = &m->numbers};
    affine_mark mark = affine_here(&m->numbers);
    add(&s, number);
    for (; when != GRAPH_NONE; when = m->graph.whens[when].parent)
        if (is_clear(m, m->graph.whens[when].choice))
            add_choice(m, &s, m->graph.whens[when].choice,
                       m->graph.whens[when].is);
    add_facts(&s);
    combine_all(&s);
    affine_cut(&m->numbers, mark);
    return s.contradicts;
}

/* The conditions of a choice at one of its values. */
static void note_choice(machine *m, uint32_t choice, bool is)
{
    truth open[MAX_FORMS];
    uint32_t count = 0;
    open[count++] = (truth){m->graph.choices[choice].number, is};
    while (count > 0) {
        truth t = open[--count];
        affine_symbol symbol =
            m->numbers.symbols[m->numbers.terms[t.n.first].symbol];
        bool holds = t.is == (t.n.c == 0);
        uint8_t both = CODE_LOGIC + (holds ? OP_AND : OP_OR);
        graph_fact fact = {choice, is, "<=", symbol.left};
        if (symbol.op == CODE_COMPARE + OP_LE) {
            if (!holds)
                fact.number =
                    affine_sub(&m->numbers, affine_const(1), symbol.left);
            graph_add_fact(&m->graph, &fact);
        } else if (symbol.op == CODE_COMPARE + OP_EQ) {
            fact.op = holds ? "==" : "!=";
            graph_add_fact(&m->graph, &fact);
        } else if (symbol.op == both && count + 2 <= MAX_FORMS) {
            open[count++] = (truth){symbol.right, holds};
            open[count++] = (truth){symbol.left, holds};
        } else if (symbol.op < CODE_COMPARE) {
            /* A remainder by 2, say, that is 0 or 1 itself. */
            affine itself =
                affine_of(&m->numbers, m->numbers.terms[t.n.first].symbol);
            fact.op = "==";
            fact.number = affine_sub(&m->numbers, itself, affine_const(holds));
            graph_add_fact(&m->graph, &fact);
        }
    }
}

void machine_note_facts(machine *m)
{
    for (uint32_t i = 0; i < m->graph.choice_count; i++) {
        const graph_choice *c = &m->graph.choices[i];
        if (!c->has_number || c->number.count != 1)
            continue;
        note_choice(m, i, true);
        note_choice(m, i, false);
    }
}

void machine_find_impossible(machine *m)
{
    uint32_t linear[MAX_CHOICES], n = 0;
    for (uint32_t i = 0; i < m->graph.choice_count && n < MAX_CHOICES; i++)
        if (is_clear(m, i))
            linear[n++] = i;
    for (uint32_t k = 1; k < n * n; k++) {
        uint32_t i = k / n, j = k % n;
        bool clash[2][2];
        if (j >= i)
            continue;
        for (int values = 0; values < 4; values++) {
            graph_impossible pair = {{linear[j], linear[i]},
                                     {(values & 2) != 0, (values & 1) != 0}};
            clash[values >> 1][values & 1] = contradict(m, pair);
        }
        for (int values = 0; values < 4; values++) {
            int a = values >> 1, b = values & 1;
            graph_impossible pair = {{linear[j], linear[i]}, {a == 1, b == 1}};
            /* Both values excluded: a branch of a loop that does not run. */
            if (clash[a][b] && !clash[a][!b] && !clash[!a][b])
                graph_add_impossible(&m->graph, &pair);
        }
    }
}
