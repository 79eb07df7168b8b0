/* The bytes of an answer's Score as digests, for who compares them. */
#include <stdlib.h>

#include "input.h"
#include "planning_work.h"

static sonata_status put_digest(cli_text *out, const sonata_score *score,
                                bool pretty, sonata_error *error)
{
    char *json = NULL;
    size_t length = 0;
    char digest[65];
    sonata_status status =
        sonata_score_json(&json, &length, score, pretty, error);
    if (status == SONATA_OK && !cli_sha256(digest, json, length))
        status = SONATA_NO_MEMORY;
    if (status == SONATA_OK)
        cli_text_printf(out, "\"%s\":\"%s\"",
                        pretty ? "pretty_sha256" : "compact_sha256", digest);
    free(json);
    return status;
}

sonata_status plan_put_codes(cli_text *out, const plan_work *w)
{
    char plain[SONATA_FINGERPRINT_SIZE], full[SONATA_FINGERPRINT_SIZE];
    sonata_error *error = w->error;
    if (!w->request->encodings || w->score == NULL)
        return SONATA_OK;
    sonata_status status =
        sonata_score_fingerprint(plain, w->score, false, error);
    if (status == SONATA_OK)
        status = sonata_score_fingerprint(full, w->score, true, error);
    cli_text_put(out, ",\"encodings\":{");
    if (status == SONATA_OK)
        status = put_digest(out, w->score, false, error);
    if (status == SONATA_OK) {
        cli_text_printf(out,
                        ",\"fingerprint\":\"%s\","
                        "\"fingerprint_with_metadata\":\"%s\",",
                        plain, full);
        status = put_digest(out, w->score, true, error);
    }
    cli_text_put(out, "}");
    return status;
}
