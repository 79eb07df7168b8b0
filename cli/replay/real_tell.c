#include "real_tell.h"

#include <inttypes.h>
#include <string.h>

#include "tell.h"

#define SHOWN 5 /* cases that left other bytes; --json lists all */

static const oracle_text *name_of(const replay_program *p, uint32_t task)
{
    return &p->document->tasks[p->tasks[task].source].name;
}

static void put_task(cli_text *out, const replay_program *p, uint32_t task)
{
    const oracle_text *name = name_of(p, task);
    cli_text_printf(out, "task %" PRId64, p->tasks[task].id);
    if (name->length > 0)
        cli_text_printf(out, " \"%s\"", name->data);
}

static bool differs(const cli_real_case *c)
{
    return c->ran && c->outcome.tasks + c->outcome.buffers > 0;
}

/* The records of a case; NULL: it is none of the two modes, or did not run. */
static const cli_real_record *record_of(const cli_real_told *told, uint32_t i)
{
    uint32_t modes = cli_real_modes(told->scene);
    return i < modes && told->run->cases[i].ran ? &told->records[i] : NULL;
}

/* --- Findings --- */

static void add_finding(cli_scenes *out, const cli_real_told *told,
                        const char *rule, const char *severity,
                        const cli_text *message)
{
    const replay_program *p = told->scene->program;
    const cli_told finding = {.rule = rule,
                              .severity = severity,
                              .cause = "a2a3sim",
                              .message = message->failed ? "" : message->data,
                              .digest = told->what->digest,
                              .document = told->what->derived};
    cli_tell_record(&out->records, &finding, p, NULL, NULL);
    cli_text_put(&out->records, "\n");
    out->records.failed = out->records.failed || message->failed;
}

bool cli_real_claims(const cli_real_told *told, const cli_real_case *c)
{
    return !c->line.automatic ||
           told->what->derived->derived == ORACLE_RULES_TENSORMAP;
}

static void put_reader(cli_text *out, const cli_real_told *told,
                       const replay_scene_outcome *o)
{
    const replay_program *p = told->scene->program;
    if (o->task != REPLAY_NONE) {
        put_task(out, p, o->task);
        cli_text_put(out, o->runs == o->expected_runs
                              ? " reads other bytes"
                              : " does not run as often");
    } else {
        const char *key = p->document->buffers[o->buffer].key.data;
        if (told->scene->scaled)
            cli_text_printf(out, "the caller gets other bytes of %s", key);
        else
            cli_text_printf(out,
                            "the caller gets other bytes %" PRId64
                            " to %" PRId64 " of %s",
                            o->begin, o->end - 1, key);
    }
    cli_text_put(out, " than in program order");
}

static void find_bytes(cli_scenes *out, const cli_real_told *told)
{
    const cli_allowed *says = &told->what->allowed;
    const cli_real_case *first = NULL;
    uint32_t count = 0;
    cli_text message = {0};
    for (uint32_t i = 0; i < told->run->count; i++) {
        const cli_real_case *c = &told->run->cases[i];
        if (!differs(c) || !cli_real_claims(told, c))
            continue;
        first = count++ == 0 ? c : first;
    }
    if (count == 0)
        return;
    bool explained = says->wrong || says->open;
    put_reader(&message, told, &first->outcome);
    cli_text_printf(&message, ", when it is run on a2a3sim, case %s",
                    first->line.name);
    if (count > 1)
        cli_text_printf(&message, " (%" PRIu32 " cases left other bytes)",
                        count);
    cli_text_put(&message, explained ? "." : ", and no finding says so.");
    add_finding(out, told, explained ? "replay.differs" : "replay.disagrees",
                says->wrong || !says->open ? "error" : "warning", &message);
    cli_text_free(&message);
}

static void add_edge(cli_scenes *out, const cli_real_told *told,
                     const replay_scene_line *line, const uint32_t pair[2],
                     uint32_t count, const char *what)
{
    cli_text message = {0};
    cli_text_printf(&message, "on a2a3sim, case %s, the runtime %s from ",
                    line->name, what);
    put_task(&message, told->scene->program, pair[0]);
    cli_text_put(&message, " to ");
    put_task(&message, told->scene->program, pair[1]);
    if (count > 1)
        cli_text_printf(&message, " (one of %" PRIu32 " such pairs)", count);
    cli_text_put(&message, ".");
    add_finding(out, told, "replay.disagrees", "error", &message);
    cli_text_free(&message);
}

static void find_edges(cli_scenes *out, const cli_real_told *told, uint32_t i)
{
    const cli_real_case *c = &told->run->cases[i];
    const replay_scene_edges *edges = &told->records[i].edges;
    if (!told->records[i].read || !cli_real_claims(told, c))
        return;
    if (edges->lacking > 0)
        add_edge(out, told, &c->line, edges->lacks, edges->lacking,
                 "kept no order, which the program has,");
    if (edges->more > 0)
        add_edge(out, told, &c->line, edges->has, edges->more,
                 "made an order, which the program has not,");
}

/* --- JSON --- */

static void put_record_json(cli_text *out, const cli_real_record *r)
{
    cli_text_put(out, ",\"record\":");
    if (r == NULL) {
        cli_text_put(out, "null");
        return;
    }
    cli_text_printf(out,
                    "{\"errors\":%" PRIu32 ",\"lacking\":%" PRIu32
                    ",\"more\":%" PRIu32 ",\"open\":",
                    r->errors, r->edges.lacking, r->edges.more);
    if (r->why[0] != '\0')
        cli_text_quote(out, r->why);
    else
        cli_text_put(out, "null");
    cli_text_printf(out, ",\"read\":%s,\"timed\":%s}",
                    r->read ? "true" : "false", r->timed ? "true" : "false");
}

static void put_case_json(cli_text *out, const cli_real_told *told, uint32_t i)
{
    const cli_real_case *c = &told->run->cases[i];
    cli_text_printf(out, "%s{\"buffers\":%" PRIu32 ",\"bytes\":%zu,\"ended\":",
                    i > 0 ? "," : "", c->ran ? c->outcome.buffers : 0,
                    c->ran ? told->scene->expected_length : 0);
    if (c->why != NULL)
        cli_text_quote(out, c->why);
    else
        cli_text_put(out, "null");
    cli_text_printf(
        out, ",\"held\":%" PRIu32 ",\"mode\":\"%s\",\"name\":\"%s\"",
        c->line.held, c->line.automatic ? "automatic" : "manual", c->line.name);
    put_record_json(out, record_of(told, i));
    cli_text_printf(
        out, ",\"tasks\":%" PRIu32 ",\"tries\":%" PRIu32 ",\"verdict\":\"%s\"}",
        c->ran ? c->outcome.tasks : 0, c->broken + c->ran,
        !c->ran      ? "not run"
        : differs(c) ? "differs"
                     : "same");
}

static void put_json(cli_text *out, const cli_real_told *told)
{
    cli_text_put(out, "{\"backend\":\"a2a3sim\",\"cases\":[");
    for (uint32_t i = 0; i < told->run->count; i++)
        put_case_json(out, told, i);
    cli_text_put(out, "],\"only_manual\":");
    if (!told->scene->automatic)
        cli_text_quote(out, told->scene->why_manual);
    else
        cli_text_put(out, "null");
    cli_text_put(out, ",\"commit\":");
    if (told->commit[0] != '\0')
        cli_text_quote(out, told->commit);
    else
        cli_text_put(out, "null");
    cli_text_printf(out,
                    ",\"differing\":%" PRIu32 ",\"left_out\":%" PRIu32
                    ",\"ran\":%" PRIu32 "}",
                    told->run->differing, told->scene->left_out,
                    told->run->ran);
}

/* --- Lines --- */

static void put_record_line(cli_text *out, const char *name,
                            const cli_real_record *r)
{
    cli_text_printf(out, "a2a3sim, %s: ", name);
    if (!r->read) {
        cli_text_printf(out, "its edges were not judged: %s\n", r->why);
        return;
    }
    if (r->edges.lacking + r->edges.more == 0)
        cli_text_put(out, "the order of the program");
    else
        cli_text_printf(out,
                        "%" PRIu32 " orders of the program are lacking, "
                        "%" PRIu32 " are not of it",
                        r->edges.lacking, r->edges.more);
    if (r->timed)
        cli_text_printf(out, ", %" PRIu32 " errors in its times", r->errors);
    if (r->why[0] != '\0')
        cli_text_printf(out, " (%s)", r->why);
    cli_text_put(out, "\n");
}

static void put_case_line(cli_text *out, const cli_real_told *told, uint32_t i)
{
    const cli_real_case *c = &told->run->cases[i];
    const cli_real_record *r = record_of(told, i);
    const char *why = c->why == NULL ? "" : c->why;
    if (!c->ran)
        cli_text_printf(out, "a2a3sim, %s: did not run%s%s\n", c->line.name,
                        why[0] == '\0' ? "" : "; its process ", why);
    else if (c->broken > 0)
        cli_text_printf(out,
                        "a2a3sim, %s: ran at the second try; the first "
                        "process %s\n",
                        c->line.name, why);
    if (r != NULL)
        put_record_line(out, c->line.name, r);
}

/* What other bytes cases left: each of the modes, and the first others. */
static void put_differences(cli_text *out, const cli_real_told *told)
{
    uint32_t held = 0, modes = cli_real_modes(told->scene);
    for (uint32_t i = 0; i < told->run->count; i++) {
        const cli_real_case *c = &told->run->cases[i];
        if (!differs(c) || (i >= modes && held++ >= SHOWN))
            continue;
        cli_text_printf(out, "a2a3sim, %s: ", c->line.name);
        put_reader(out, told, &c->outcome);
        cli_text_put(out, "\n");
    }
    if (held > SHOWN)
        cli_text_printf(out,
                        "a2a3sim: %" PRIu32
                        " more cases left other bytes: --json lists them\n",
                        held - SHOWN);
}

void cli_real_tell(cli_scenes *out, const cli_real_told *told)
{
    const cli_real_cases *run = told->run;
    find_bytes(out, told);
    for (uint32_t i = 0; i < run->count; i++) {
        put_case_line(&out->lines, told, i);
        if (record_of(told, i) != NULL)
            find_edges(out, told, i);
    }
    put_differences(&out->lines, told);
    put_json(&out->json, told);
    if (!told->scene->automatic)
        cli_text_printf(&out->lines, "a2a3sim: no automatic cases: %s\n",
                        told->scene->why_manual);
    cli_text_printf(&out->lines,
                    "a2a3sim%s%.12s: %" PRIu32 " of %" PRIu32
                    " cases ran, %" PRIu32
                    " left other bytes than program order\n",
                    told->commit[0] == '\0' ? "" : ", simpler ", told->commit,
                    run->ran, run->count, run->differing);
}
