#include "judged.h"

#include <stdlib.h>
#include <string.h>

#include "../kind.h"

cli_replaying cli_replay_quick(int64_t seeds, const char *digest,
                               bool generated)
{
    return (cli_replaying){.small = CLI_REPLAY_SMALL,
                           .seeds = (uint64_t)seeds,
                           .digest = digest,
                           .generated = generated};
}

bool cli_is_joined(const oracle_document *document, cli_span text)
{
    return document->run != NULL &&
           cli_kind_detect(text.data, text.length) == CLI_BUNDLE;
}

void cli_replay_judged(cli_replayed *out, const oracle_document *derived,
                       const oracle_judgement *judgement, bool joined,
                       const cli_replaying *how)
{
    if (derived->task_count == 0 || derived->ambiguous || joined ||
        judgement->verdict == ORACLE_REFUSED)
        return;
    cli_span *records = calloc((size_t)judgement->count + 1, sizeof *records);
    size_t count = 0;
    if (records == NULL) {
        out->failed = true;
        return;
    }
    for (uint32_t i = 0; i < judgement->count; i++) {
        const char *json = judgement->findings[i].json;
        if (json != NULL)
            records[count++] = (cli_span){json, strlen(json)};
    }
    cli_replaying with = *how;
    with.partial = judgement->undecided_count > 0;
    cli_replay_document(out, derived, records, count, &with);
    free(records);
}

void cli_replay_text(cli_replayed *out, cli_span text,
                     const oracle_read_options *reading, int64_t capacity,
                     const oracle_judgement *judgement,
                     const cli_replaying *how)
{
    oracle_document d = {0};
    oracle_error error = {0};
    oracle_status status =
        oracle_document_read(&d, text.data, text.length, reading, &error);
    if (status == ORACLE_OK) {
        d.capacity = capacity;
        status = oracle_document_derive(&d, &error);
        if (status == ORACLE_OK)
            cli_replay_judged(out, &d, judgement, cli_is_joined(&d, text), how);
        oracle_document_free(&d);
    }
    out->failed = out->failed || status == ORACLE_NO_MEMORY;
}
