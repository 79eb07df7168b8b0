#include "second.h"

#include <stdlib.h>
#include <string.h>

#include "../identity.h"

static cli_known known_as(const oracle_judgement *j, const cli_found *found)
{
    cli_known known = {.found = found};
    memcpy(known.fingerprint, j->fingerprint, sizeof known.fingerprint);
    memcpy(known.meaning, j->meaning, sizeof known.meaning);
    return known;
}

static oracle_bytes bytes_of(const fuzz_case *c)
{
    return (oracle_bytes){c->input.data, c->input.length};
}

/* False: out of memory. */
static bool compare(cli_evaluation *e, const fuzz_case *first,
                    const fuzz_case *second, const oracle_judgement *judged)
{
    char labels[2][40], *difference = NULL;
    cli_text message = {0};
    const cli_found found[2] = {{.name = labels[0]}, {.name = labels[1]}};
    const cli_known pair[2] = {known_as(judged, &found[0]),
                               known_as(&e->judgement, &found[1])};
    cli_case_label(labels[0], &first->name);
    cli_case_label(labels[1], &second->name);
    bool ok = oracle_meaning_difference(&difference, bytes_of(first),
                                        bytes_of(second)) == ORACLE_OK;
    if (ok)
        cli_identity_tell(&message, pair, difference == NULL ? "" : difference);
    ok = ok && !message.failed;
    if (ok && message.length > 0)
        cli_evaluation_add(e, "score.identity", NULL, message.data);
    cli_text_free(&message);
    free(difference);
    return ok;
}

void cli_second_compare(cli_worker *w, cli_work *work)
{
    fuzz_limits limits = {.tasks = w->plan.tasks};
    fuzz_name name = work->c.name;
    oracle_judgement judged = {0};
    name.index--;
    if (fuzz_case_make(&work->related, &name, &limits) != FUZZ_OK ||
        oracle_judge_text(&judged, work->related.input.data,
                          work->related.input.length, NULL) != ORACLE_OK ||
        !compare(&work->e, &work->related, &work->c, &judged))
        work->e.failed = true;
    oracle_judgement_free(&judged);
}
