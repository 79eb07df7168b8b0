#include "advice.h"

#include "derive.h"
#include "tensor.h"

#include <string.h>

/* An argument of the pair, and how it could be dispatched. */
typedef struct side {
    oracle_arg arg;
    oracle_dispatch other;
    bool can_change;
} side;

static bool in_manual(const oracle_document *d, uint32_t task)
{
    uint32_t scope = d->tasks[task].scope;
    return scope != ORACLE_NONE && d->scopes[scope].in_manual;
}

static bool marked_manual(const oracle_document *d, const oracle_arg *arg)
{
    const oracle_buffer *b = &d->buffers[arg->buffer];
    return arg->manual_dep || b->manual_dep ||
           d->buffers[b->storage].manual_dep;
}

/* Whether rules see the argument; `create`: no tensor is manual_dep. */
static bool takes_part(const oracle_document *d, const oracle_arg *arg,
                       bool create)
{
    return arg->dispatch != ORACLE_NO_DEP &&
           arg->dispatch != ORACLE_UNKNOWN_DISPATCH &&
           (create || !marked_manual(d, arg));
}

static bool told_to_read(const oracle_arg *arg)
{
    return arg->dispatch == ORACLE_INPUT || arg->dispatch == ORACLE_INOUT;
}

static bool told_to_write(const oracle_arg *arg)
{
    return arg->dispatch != ORACLE_INPUT;
}

static bool one_base(const oracle_document *d, const oracle_arg *a,
                     const oracle_arg *b)
{
    oracle_text x = oracle_arg_identity(a).base_address;
    oracle_text y = oracle_arg_identity(b).base_address;
    if (x.present || y.present) {
        return x.present && y.present && x.length == y.length &&
               memcmp(x.data, y.data, x.length) == 0;
    }
    return d->buffers[a->buffer].storage == d->buffers[b->buffer].storage;
}

/* Rules 4 and 7 of spec 07. */
static bool tensormap_edge(const oracle_document *d, const oracle_arg *from,
                           const oracle_arg *to)
{
    return (from->dispatch == ORACLE_OUTPUT_EXISTING ||
            from->dispatch == ORACLE_INOUT) &&
           told_to_read(to) && one_base(d, from, to) &&
           oracle_tensor_overlap(d, to, from).relation ==
               ORACLE_RELATION_ALWAYS;
}

static bool conservative_edge(const oracle_document *d, const oracle_arg *from,
                              const oracle_arg *to)
{
    oracle_place a = {from->buffer, from->view}, b = {to->buffer, to->view};
    return (told_to_write(from) || told_to_write(to)) &&
           oracle_places_relate(d, a, b) == ORACLE_RELATION_ALWAYS;
}

static bool has_edge(const oracle_advice_pair *pair, const oracle_arg *from,
                     const oracle_arg *to, bool create)
{
    const oracle_document *d = pair->document;
    return takes_part(d, from, create) && takes_part(d, to, create) &&
           (pair->rules == ORACLE_RULES_TENSORMAP
                ? tensormap_edge(d, from, to)
                : conservative_edge(d, from, to));
}

bool oracle_rules_join(const oracle_document *document, oracle_rules rules,
                       uint32_t from, uint32_t from_arg, uint32_t to,
                       uint32_t to_arg)
{
    const oracle_task *a = &document->tasks[from], *b = &document->tasks[to];
    oracle_advice_pair pair = {.document = document, .rules = rules};
    return !in_manual(document, from) && !in_manual(document, to) &&
           has_edge(&pair, &document->args[a->first_arg + from_arg],
                    &document->args[b->first_arg + to_arg], false);
}

/* The direction that says what the argument does. */
static oracle_dispatch by_access(const oracle_document *d,
                                 const oracle_arg *arg)
{
    bool reads = !arg->has_access, writes = !arg->has_access;
    for (uint32_t i = 0; i < arg->accesses; i++) {
        oracle_mode mode = d->accesses[arg->first_access + i].mode;
        reads = reads || mode == ORACLE_READ || mode == ORACLE_READ_WRITE;
        writes = writes || mode != ORACLE_READ;
    }
    return !writes ? ORACLE_INPUT
           : reads ? ORACLE_INOUT
                   : ORACLE_OUTPUT_EXISTING;
}

static side side_of(const oracle_advice_pair *pair, const oracle_item *item)
{
    const oracle_document *d = pair->document;
    side s = {.arg = d->args[d->tasks[item->task].first_arg + item->arg]};
    s.other = by_access(d, &s.arg);
    if (item == &pair->second && s.other == ORACLE_OUTPUT_EXISTING &&
        pair->rules == ORACLE_RULES_TENSORMAP) {
        s.other = ORACLE_INOUT; /* what looks up and writes */
    }
    /* An output is allocated by its own task. */
    s.can_change = s.arg.dispatch != ORACLE_OUTPUT && s.arg.dispatch != s.other;
    return s;
}

static bool helps(const oracle_advice_pair *pair, const side *from,
                  const side *to, const oracle_advice *advice)
{
    oracle_arg a = from->arg, b = to->arg;
    if ((advice->set_from && !from->can_change) ||
        (advice->set_to && !to->can_change)) {
        return false;
    }
    a.dispatch = advice->set_from ? from->other : a.dispatch;
    b.dispatch = advice->set_to ? to->other : b.dispatch;
    return has_edge(pair, &a, &b, advice->create);
}

oracle_advice oracle_advise(const oracle_advice_pair *pair)
{
    /* The fewest changes first. */
    enum { FROM = 1, TO = 2, CREATE = 4 };
    static const unsigned char sets[] = {TO,
                                         FROM,
                                         CREATE,
                                         FROM | TO,
                                         TO | CREATE,
                                         FROM | CREATE,
                                         FROM | TO | CREATE};
    const oracle_document *d = pair->document;
    if (pair->back) {
        return (oracle_advice){.back = true};
    }
    if (!pair->forward || pair->rules == ORACLE_RULES_NONE ||
        pair->first.arg == ORACLE_NONE || pair->second.arg == ORACLE_NONE ||
        in_manual(d, pair->first.task) || in_manual(d, pair->second.task)) {
        return (oracle_advice){0};
    }
    side from = side_of(pair, &pair->first), to = side_of(pair, &pair->second);
    for (size_t i = 0; i < sizeof sets; i++) {
        oracle_advice advice = {
            .create = (sets[i] & CREATE) != 0,
            .set_from = (sets[i] & FROM) != 0,
            .set_to = (sets[i] & TO) != 0,
            .from = from.other,
            .to = to.other,
        };
        if (helps(pair, &from, &to, &advice)) {
            return advice;
        }
    }
    return (oracle_advice){0};
}
