#include "keep.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void cli_keep_now(char text[CLI_KEEP_NOW])
{
    struct timespec now = {0};
    struct tm parts;
    char second[CLI_KEEP_NOW - 8];
    clock_gettime(CLOCK_REALTIME, &now);
    text[0] = '\0';
    if (gmtime_r(&now.tv_sec, &parts) != NULL &&
        strftime(second, sizeof second, "%Y-%m-%dT%H:%M:%S", &parts) != 0)
        snprintf(text, CLI_KEEP_NOW, "%s.%03dZ", second,
                 (int)(now.tv_nsec / 1000000));
}

/* --- The options --- */

static void put_option(cli_text *out, const char *name, const char *value)
{
    cli_text_printf(out, ",\"%s\":", name);
    if (value == NULL)
        cli_text_put(out, "null");
    else
        cli_text_quote(out, value);
}

/* How a machine runs that replays a graph: of `replay` alone. */
static void put_machine(cli_text *out, const cli_options *o)
{
    cli_text_printf(out, ",\"adversarial\":%s,\"clusters\":%lld",
                    o->adversarial ? "true" : "false", (long long)o->clusters);
    put_option(out, "kind", o->kind);
    put_option(out, "model", o->model);
    cli_text_printf(out, ",\"schedulers\":%lld,\"seed\":%lld,\"seeds\":%lld",
                    (long long)o->schedulers, (long long)o->seed,
                    (long long)o->seeds);
    put_option(out, "trace", o->trace);
    put_option(out, "witness", o->witness);
}

void cli_keep_options(cli_text *out, const char *verb, const cli_options *o)
{
    cli_text_printf(out, "{\"lenient\":%s,\"limit\":%lld,\"max_tasks\":%lld",
                    o->lenient ? "true" : "false", (long long)o->limit,
                    (long long)o->max_tasks);
    cli_text_put(out, ",\"paths\":[");
    for (size_t i = 0; i < o->file_count; i++) {
        cli_text_put(out, i == 0 ? "" : ",");
        cli_text_quote(out, o->files[i]);
    }
    cli_text_put(out, "]");
    put_option(out, "planner", o->planner);
    put_option(out, "policy", o->policy);
    put_option(out, "rules", o->rules);
    if (strcmp(verb, "replay") == 0)
        put_machine(out, o);
    else
        cli_text_printf(out, ",\"replay\":%lld", (long long)o->replay);
    put_option(out, "verb", verb);
    cli_text_put(out, "}");
}

/* --- A case --- */

void cli_keep_finding(report_finding *to, const cli_finding *f)
{
    *to = (report_finding){
        .rule = f->rule,
        .severity = cli_severity_name(f->severity),
        .cause = f->cause,
        .signature = f->signature,
        .message = f->message,
        .line = f->line,
        .json = f->json.data,
        .json_length = f->json.length,
    };
}

bool cli_keep_case(report_status *status, report_store *store, int64_t run,
                   const cli_case *c, const char *group, const char *details,
                   report_error *error)
{
    report_finding *findings = calloc(c->count + 1, sizeof *findings);
    if (findings == NULL)
        return false;
    for (size_t i = 0; i < c->count; i++)
        cli_keep_finding(&findings[i], &c->findings[i]);
    report_case record = {
        .number = c->number,
        .path = c->found->path,
        .name = c->found->name,
        .sha256 = c->sha256[0] == '\0' ? NULL : c->sha256,
        .kind = cli_kind_name(c->kind),
        .text = c->text.data,
        .length = c->text.length,
        .verdict = cli_verdict_name(c->verdict),
        .reason = c->reason.length == 0 ? NULL : c->reason.data,
        .group = *group == '\0' ? NULL : group,
        .details = details,
        .partial = c->partial,
        .findings = findings,
        .count = c->count,
        .total = c->total,
    };
    *status = report_add_case(store, run, &record, error);
    free(findings);
    return true;
}
