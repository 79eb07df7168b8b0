#include "gate_print.h"

#include <string.h>

#include "input.h"

#define RED "\033[31m"
#define GREEN "\033[32m"
#define YELLOW "\033[33m"
#define CYAN "\033[36m"
#define OFF "\033[0m"

const char *cli_gate_rule(cli_gate_state state)
{
    static const char *const rules[CLI_GATE_STATES] = {
        [CLI_GATE_CHANGED] = "gate.changed",
        [CLI_GATE_NEW] = "gate.new",
        [CLI_GATE_ORPHAN] = "gate.orphan",
        [CLI_GATE_MISSING] = "gate.missing",
    };
    return rules[state];
}

static const char *state_says(cli_gate_state state)
{
    static const char *const texts[CLI_GATE_STATES] = {
        [CLI_GATE_SAME] = "the answer is the blessed one",
        [CLI_GATE_CHANGED] = "the answer is not the blessed one",
        [CLI_GATE_NEW] = "the case is new: it has no golden file yet; look at "
                         "its answer and bless it",
        [CLI_GATE_ORPHAN] = "there is no input for this golden file (any "
                            "more); bring the input back, or bless its path "
                            "to give the file up",
        [CLI_GATE_MISSING] = "the index lists the case, but its golden file "
                             "is gone; bring it back, or bless the case again",
    };
    return texts[state];
}

cli_stage cli_gate_first_stage(const cli_gate_entry *e)
{
    size_t count = e->golden == NULL ? 0 : e->golden->difference_count;
    for (size_t i = 0; i < count; i++)
        if (cli_difference_fails(&e->golden->differences[i], e->today))
            return e->golden->differences[i].fact.stage;
    return CLI_STAGES;
}

/* --- For programs --- */

/* Rule, stage and the keys of what differs: the same change in many cases. */
static void put_signature(cli_text *out, const cli_gate_entry *e)
{
    char hex[65];
    cli_text text = {0};
    cli_stage stage = cli_gate_first_stage(e);
    cli_text_printf(&text, "signature/1\n%s\n", cli_gate_rule(e->state));
    size_t count = stage == CLI_STAGES ? 0 : e->golden->difference_count;
    for (size_t i = 0; i < count; i++) {
        const cli_difference *d = &e->golden->differences[i];
        if (d->fact.stage != stage || !cli_difference_fails(d, e->today))
            continue;
        cli_text_add(&text, d->fact.text, d->fact.key);
        cli_text_put(&text, d->added ? " +\n" : " -\n");
    }
    out->failed |= text.failed;
    if (!text.failed && cli_sha256(hex, text.data, text.length))
        cli_text_printf(out, ",\"signature\":\"%.16s\"", hex);
    else
        out->failed = true;
    cli_text_free(&text);
}

static void put_lines(cli_text *out, const cli_gate_entry *e, bool added)
{
    bool first = true;
    for (size_t i = 0; i < e->golden->difference_count; i++) {
        const cli_difference *d = &e->golden->differences[i];
        if (d->added != added || !cli_difference_fails(d, e->today))
            continue;
        cli_text_put(out, first ? "" : ",");
        cli_text_json(out, d->fact.text, d->fact.length);
        first = false;
    }
}

static void put_witness(cli_text *out, const cli_gate_entry *e)
{
    cli_stage stage = cli_gate_first_stage(e);
    cli_text_put(out, ",\"witness\":{\"added\":[");
    put_lines(out, e, true);
    cli_text_put(out, "],\"removed\":[");
    put_lines(out, e, false);
    cli_text_put(out, "],\"stage\":");
    if (stage == CLI_STAGES)
        cli_text_put(out, "null");
    else
        cli_text_quote(out, cli_stage_name(stage));
    cli_text_put(out, "}");
}

void cli_gate_put_json(cli_text *out, const cli_gate_entry *e)
{
    if (cli_gate_rule(e->state) == NULL)
        return;
    cli_text_put(out, "{");
    if (e->sha256 != NULL) {
        cli_text_put(out, "\"case\":");
        cli_text_quote(out, e->sha256);
        cli_text_put(out, ",");
    }
    cli_text_put(out, "\"golden\":");
    cli_text_quote(out, e->file);
    cli_text_put(out, ",\"message\":");
    cli_text_quote(out, state_says(e->state));
    if (e->name != NULL) {
        cli_text_put(out, ",\"name\":");
        cli_text_quote(out, e->name);
    }
    cli_text_printf(out, ",\"rule\":\"%s\",\"severity\":\"error\"",
                    cli_gate_rule(e->state));
    put_signature(out, e);
    if (e->golden != NULL)
        put_witness(out, e);
    cli_text_put(out, "}\n");
}

/* --- For people --- */

/* Nothing of a file moves a terminal. */
static void put_clean(cli_text *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        cli_text_add(out, c < 0x20 || c == 0x7f ? "?" : text + i, 1);
    }
}

static void put_colored(cli_text *out, const char *on, const char *mark,
                        const char *text, size_t length)
{
    cli_text_put(out, on);
    cli_text_put(out, mark);
    put_clean(out, text, length);
    cli_text_put(out, *on == '\0' ? "\n" : OFF "\n");
}

static void put_diff(cli_text *out, const cli_gate_entry *e, cli_stage only,
                     bool color)
{
    cli_stage stage = CLI_STAGES;
    for (size_t i = 0; i < e->golden->difference_count; i++) {
        const cli_difference *d = &e->golden->differences[i];
        if (!cli_difference_fails(d, e->today) ||
            (only != CLI_STAGES && d->fact.stage != only))
            continue;
        if (stage != d->fact.stage) {
            stage = d->fact.stage;
            cli_text_printf(out, "%s@@ %s @@%s %s\n", color ? CYAN : "",
                            cli_stage_name(stage), color ? OFF : "",
                            cli_stage_meaning(stage));
        }
        put_colored(out,
                    !color     ? ""
                    : d->added ? GREEN
                               : RED,
                    d->added ? "+" : "-", d->fact.text, d->fact.length);
    }
}

static void put_head(cli_text *out, const cli_gate_entry *e)
{
    cli_text_put(out, "--- ");
    put_clean(out, e->file, strlen(e->file));
    cli_text_put(out, "\n+++ ");
    put_clean(out, e->name, strlen(e->name));
    cli_text_put(out, "\n");
}

static void put_later(cli_text *out, const cli_gate_entry *e, cli_stage first)
{
    cli_stage last = first;
    for (size_t i = 0; i < e->golden->difference_count; i++) {
        const cli_difference *d = &e->golden->differences[i];
        if (d->fact.stage <= last || !cli_difference_fails(d, e->today))
            continue;
        cli_text_put(out, last == first ? "what comes after it changed too: "
                                        : ", ");
        cli_text_put(out, cli_stage_name(d->fact.stage));
        last = d->fact.stage;
    }
    if (last != first)
        cli_text_put(out, "\n");
}

static void put_why(cli_text *out, const cli_gate_entry *e, bool color)
{
    cli_stage first = cli_gate_first_stage(e);
    put_clean(out, e->name, strlen(e->name));
    if (first == CLI_STAGES) {
        cli_text_put(out, ": nothing changed\n");
        return;
    }
    cli_text_printf(out, ": the first stage that changed is %s: %s\n",
                    cli_stage_name(first), cli_stage_meaning(first));
    put_head(out, e);
    put_diff(out, e, first, color);
    put_later(out, e, first);
}

/* Expected failures: those that hold, have expired, or are no longer. */
static void put_expected(cli_text *out, const cli_gate_entry *e)
{
    for (size_t i = 0; i < e->golden->expected_count; i++) {
        const cli_expected_failure *f = &e->golden->expected[i];
        bool expired = memcmp(f->day, e->today, CLI_DAY_LENGTH) < 0;
        put_clean(out, e->name, strlen(e->name));
        cli_text_put(out, !f->seen  ? ": no longer fails, take the line out: "
                          : expired ? ": the expected failure has expired: "
                                    : ": fails as expected: ");
        put_clean(out, f->text, f->length);
        cli_text_put(out, "\n");
    }
    if (e->golden->bad_line > 0) {
        put_clean(out, e->file, strlen(e->file));
        cli_text_printf(out,
                        ":%zu: this is not: expect-failure FACT until "
                        "YYYY-MM-DD: reason\n",
                        e->golden->bad_line);
    }
}

void cli_gate_put_text(cli_text *out, const cli_gate_entry *e, bool why,
                       bool color)
{
    const char *subject = e->name == NULL ? e->file : e->name;
    if (e->golden != NULL && why) {
        put_why(out, e, color);
    } else if (e->golden != NULL && cli_gate_first_stage(e) != CLI_STAGES) {
        put_head(out, e);
        put_diff(out, e, CLI_STAGES, color);
    } else if (cli_gate_rule(e->state) != NULL && e->golden == NULL) {
        put_clean(out, subject, strlen(subject));
        cli_text_printf(out, ": %s%s%s: %s\n", color ? YELLOW : "",
                        cli_gate_rule(e->state), color ? OFF : "",
                        state_says(e->state));
    }
    if (e->golden != NULL)
        put_expected(out, e);
}
