/* What a run has found so far. */
#include "campaign.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../input.h"

static void free_bucket(cli_bucket *b)
{
    free(b->rule);
    free(b->cause);
    free(b->signature);
    free(b->message);
    free(b->label);
}

void cli_sums_free(cli_sums *sums)
{
    for (size_t i = 0; i < sums->bucket_count; i++)
        free_bucket(&sums->buckets[i]);
    free(sums->buckets);
    cli_tally_free(&sums->tally);
    cli_text_free(&sums->digests);
    *sums = (cli_sums){0};
}

void cli_sums_digest(char hex[65], const cli_sums *sums)
{
    const char *data = sums->digests.data == NULL ? "" : sums->digests.data;
    if (!cli_sha256(hex, data, sums->digests.length))
        hex[0] = '\0';
}

bool cli_sums_add_digest(cli_sums *sums, const char hex[65])
{
    char bytes[32];
    for (size_t i = 0; i < sizeof bytes; i++) {
        char pair[3] = {hex[2 * i], hex[2 * i + 1], '\0'};
        bytes[i] = (char)strtoul(pair, NULL, 16);
    }
    cli_text_add(&sums->digests, bytes, sizeof bytes);
    return !sums->digests.failed;
}

static cli_bucket *find_bucket(cli_sums *sums, const cli_bucket *b)
{
    for (size_t i = 0; i < sums->bucket_count; i++) {
        cli_bucket *known = &sums->buckets[i];
        if (strcmp(known->signature, b->signature) == 0 &&
            strcmp(known->rule, b->rule) == 0)
            return known;
    }
    return NULL;
}

static bool make_room(cli_sums *sums)
{
    if (sums->bucket_count < sums->bucket_room)
        return true;
    size_t room = sums->bucket_room == 0 ? 16 : 2 * sums->bucket_room;
    cli_bucket *grown = reallocarray(sums->buckets, room, sizeof *grown);
    if (grown == NULL)
        return false;
    sums->buckets = grown;
    sums->bucket_room = room;
    return true;
}

bool cli_sums_add_bucket(cli_sums *sums, const cli_bucket *b)
{
    cli_bucket *known = find_bucket(sums, b);
    if (known != NULL) {
        known->n += b->n;
        return true;
    }
    if (!make_room(sums))
        return false;
    cli_bucket *made = &sums->buckets[sums->bucket_count++];
    *made = (cli_bucket){
        .rule = strdup(b->rule),
        .cause = strdup(b->cause),
        .signature = strdup(b->signature),
        .message = strdup(b->message),
        .label = strdup(b->label),
        .number = b->number,
        .n = b->n,
    };
    return made->rule != NULL && made->cause != NULL &&
           made->signature != NULL && made->message != NULL &&
           made->label != NULL;
}

static int compare(const void *a, const void *b)
{
    const cli_bucket *x = a, *y = b;
    int order = (x->number > y->number) - (x->number < y->number);
    if (order == 0)
        order = strcmp(x->signature, y->signature);
    return order != 0 ? order : strcmp(x->rule, y->rule);
}

void cli_sums_sort(cli_sums *sums)
{
    cli_tally_sort(&sums->tally);
    if (sums->bucket_count > 1)
        qsort(sums->buckets, sums->bucket_count, sizeof *sums->buckets,
              compare);
}

int64_t cli_sums_findings(const cli_sums *sums)
{
    return cli_tally_get(&sums->tally, "disagreement", "findings");
}

int64_t cli_sums_disagreeing(const cli_sums *sums)
{
    return cli_tally_get(&sums->tally, "disagreement", "cases");
}

/* --- Cases that are told --- */

void cli_told_case_free(cli_told_case *c)
{
    cli_text_free(&c->text);
    cli_text_free(&c->reason);
    *c = (cli_told_case){0};
}

static bool take_short(char *out, size_t size, cli_span value)
{
    cli_text text = {0};
    bool ok = cli_span_text(&text, value) && text.length < size;
    if (ok)
        snprintf(out, size, "%s", text.length > 0 ? text.data : "");
    cli_text_free(&text);
    return ok;
}

static bool take_hex(cli_text *out, cli_span value)
{
    if (value.length % 2 != 0)
        return false;
    for (size_t i = 1; i + 2 < value.length; i += 2) {
        char pair[3] = {value.data[i], value.data[i + 1], '\0'};
        char byte = (char)strtoul(pair, NULL, 16);
        cli_text_add(out, &byte, 1);
    }
    return !out->failed;
}

static bool take_member(cli_told_case *c, cli_span key, cli_span value)
{
    if (cli_span_is(key, "case"))
        return take_short(c->label, sizeof c->label, value);
    if (cli_span_is(key, "number"))
        return cli_span_int(&c->number, value);
    if (cli_span_is(key, "verdict"))
        return take_short(c->verdict, sizeof c->verdict, value);
    if (cli_span_is(key, "sha256"))
        return take_short(c->sha256, sizeof c->sha256, value);
    if (cli_span_is(key, "text"))
        return cli_span_text(&c->text, value);
    if (cli_span_is(key, "hex"))
        return take_hex(&c->text, value);
    if (cli_span_is(key, "reason"))
        return cli_span_text(&c->reason, value);
    if (cli_span_is(key, "details"))
        c->details = value;
    if (cli_span_is(key, "undecided"))
        c->undecided = value;
    if (cli_span_is(key, "findings"))
        c->findings = value;
    return true;
}

bool cli_told_case_read(cli_told_case *c, cli_span json)
{
    cli_walk walk;
    cli_span key, value;
    *c = (cli_told_case){0};
    if (!cli_walk_object(&walk, json))
        return false;
    while (cli_walk_next(&walk, &key, &value))
        if (!take_member(c, key, value))
            return false;
    cli_text_put(&c->text, "");
    return !walk.failed && c->label[0] != '\0' && c->findings.data != NULL &&
           c->details.data != NULL && c->undecided.data != NULL &&
           !c->text.failed;
}
