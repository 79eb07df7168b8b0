/*
 * Memory plans as CSV: lives are given, so that a plan is right exactly when
 * no two buffers share a byte while both are alive, and each lies where it may.
 */
#include "csv.h"

#include "fault.h"
#include "finding.h"
#include "json.h"

#include <inttypes.h>
#include <string.h>

#define FINDINGS 1000

typedef struct judging {
    oracle_judgement *judgement;
    oracle_arena *arena; /* the judgement's */
    const oracle_csv *csv;
    oracle_csv_sweep sweep;
    const char *case_digest, *generated;
    uint32_t limit;
    int64_t capacity;      /* 0: any */
    int64_t peak;          /* the end of the last place */
    bool found;            /* something of error or warning that is no doubt */
    oracle_document named; /* its one buffer: that of the finding */
    oracle_buffer buffer;
} judging;

/* --- Findings --- */

/* Counts it, and says whether it is still listed. */
static bool counts(judging *j, oracle_severity severity, bool doubt)
{
    j->found = j->found || (severity != ORACLE_NOTE && !doubt);
    j->judgement->total++;
    return j->judgement->count < j->limit;
}

static bool add(judging *j, oracle_record record, const oracle_csv_row *row)
{
    oracle_judgement *out = j->judgement;
    oracle_finding *grown =
        oracle_arena_push(j->arena, out->findings, out->count, sizeof *grown);
    if (grown == NULL || record.message == NULL ||
        (record.severity == ORACLE_ERROR && record.witness == NULL)) {
        return false;
    }
    out->findings = grown;
    if (row != NULL) {
        record.has_storage = true;
        record.line = row->line;
        j->buffer.key = row->id;
    }
    return oracle_finding_fill(&grown[out->count++], &record, &j->named,
                               j->case_digest, j->generated, j->arena);
}

static oracle_record record_of(const char *rule, oracle_severity severity,
                               int64_t begin, int64_t end)
{
    return (oracle_record){
        .rule = rule,
        .severity = severity,
        .producer = {ORACLE_NONE, ORACLE_NONE, false},
        .consumer = {ORACLE_NONE, ORACLE_NONE, false},
        .begin = begin,
        .end = end,
    };
}

static const char *tell(const judging *j, const oracle_csv_row *row)
{
    char shown[96];
    oracle_json_printable(row->id.data, row->id.length, shown, sizeof shown);
    return oracle_arena_text(j->arena, shown, strlen(shown));
}

/* --- One buffer --- */

static const char *fault_of(const judging *j, const oracle_csv_row *row)
{
    int64_t end;
    if (row->offset < 0) {
        return "its offset is negative";
    }
    if (__builtin_add_overflow(row->offset, row->size, &end)) {
        return "offset and size together pass 64 bits";
    }
    return j->capacity > 0 && end > j->capacity
               ? "it ends behind the capacity of the memory"
               : NULL;
}

static bool check_bounds(judging *j, const oracle_csv_row *row)
{
    const char *fault = row->placed ? fault_of(j, row) : NULL;
    if (fault == NULL || !counts(j, ORACLE_ERROR, false)) {
        return true;
    }
    const char *id = tell(j, row);
    oracle_record record =
        record_of("memory.bounds", ORACLE_ERROR, 0, row->size);
    record.witness = oracle_arena_format(
        j->arena,
        "{\"line\":%" PRIu32 ",\"offset\":%" PRId64 ",\"size\":%" PRId64 "}",
        row->line, row->offset, row->size);
    record.message =
        id == NULL ? NULL
                   : oracle_arena_format(j->arena,
                                         "the place of %s, %" PRId64
                                         " bytes at %" PRId64
                                         ", is not right: %s; place it within "
                                         "bounds.",
                                         id, row->size, row->offset, fault);
    return add(j, record, row);
}

static bool check_missing(judging *j, const oracle_csv_row *row)
{
    if (row->placed || !j->csv->has_offsets || row->size == 0 ||
        row->lower == row->upper || !counts(j, ORACLE_ERROR, false)) {
        return true;
    }
    const char *id = tell(j, row);
    oracle_record record =
        record_of("memory.missing", ORACLE_ERROR, 0, row->size);
    record.witness =
        oracle_arena_format(j->arena, "{\"line\":%" PRIu32 "}", row->line);
    record.message =
        id == NULL
            ? NULL
            : oracle_arena_format(
                  j->arena, "%s has no offset, others have: place it.", id);
    return add(j, record, row);
}

static bool check_alignment(judging *j, const oracle_csv_row *row)
{
    if (!row->placed || row->offset % row->align == 0 ||
        !counts(j, ORACLE_ERROR, false)) {
        return true;
    }
    const char *id = tell(j, row);
    oracle_record record =
        record_of("memory.alignment", ORACLE_ERROR, 0, row->size);
    record.witness =
        oracle_arena_format(j->arena,
                            "{\"alignment\":%" PRId64 ",\"line\":%" PRIu32
                            ",\"offset\":%" PRId64 "}",
                            row->align, row->line, row->offset);
    record.message =
        id == NULL ? NULL
                   : oracle_arena_format(j->arena,
                                         "%s is placed at %" PRId64
                                         ", which is no multiple of %" PRId64
                                         ", its alignment: place it at one.",
                                         id, row->offset, row->align);
    return add(j, record, row);
}

static bool each_row(judging *j,
                     bool (*check)(judging *j, const oracle_csv_row *row))
{
    for (uint32_t i = 0; i < j->csv->count; i++) {
        if (!check(j, &j->csv->rows[i])) {
            return false;
        }
    }
    return true;
}

/* --- Overlaps --- */

static const char *place_json(const judging *j, const oracle_csv_piece *piece)
{
    return oracle_arena_format(j->arena,
                               "{\"begin\":%" PRId64 ",\"end\":%" PRId64
                               ",\"from\":%" PRId64 ",\"line\":%" PRIu32
                               ",\"to\":%" PRId64 "}",
                               piece->begin, piece->end, piece->from,
                               j->csv->rows[piece->row].line, piece->to);
}

static bool list_overlap(judging *j, oracle_csv_pair pair)
{
    const oracle_csv_piece *a = &j->sweep.pieces[pair.first];
    const oracle_csv_piece *b = &j->sweep.pieces[pair.second];
    const oracle_csv_row *row = &j->csv->rows[b->row];
    int64_t begin = a->begin > b->begin ? a->begin : b->begin;
    int64_t end = a->end < b->end ? a->end : b->end;
    int64_t until = a->to < b->to ? a->to : b->to;
    const char *first = tell(j, &j->csv->rows[a->row]), *second = tell(j, row);
    const char *place = place_json(j, a), *other = place_json(j, b);
    if (first == NULL || second == NULL || place == NULL || other == NULL) {
        return false;
    }
    oracle_record record = record_of("memory.overlap", ORACLE_ERROR,
                                     begin - row->offset, end - row->offset);
    record.witness = oracle_arena_format(
        j->arena,
        "{\"address\":%" PRId64 ",\"places\":[%s,%s],\"time\":%" PRId64 "}",
        begin, place, other, b->from);
    record.message = oracle_arena_format(
        j->arena,
        "%s (line %" PRIu32 ") and %s share the addresses %" PRId64
        " to %" PRId64 " while both are alive, from time %" PRId64
        " up to %" PRId64 ": place them apart.",
        first, j->csv->rows[a->row].line, second, begin, end - 1, b->from,
        until);
    return add(j, record, row);
}

static bool list_overlaps(judging *j)
{
    uint32_t room = j->limit - j->judgement->count;
    uint32_t listed = j->sweep.listed < room ? j->sweep.listed : room;
    j->found = j->found || j->sweep.overlaps > 0;
    j->judgement->total += j->sweep.overlaps;
    for (uint32_t i = 0; i < listed; i++) {
        if (!list_overlap(j, j->sweep.list[i])) {
            return false;
        }
    }
    return true;
}

/* --- What all need together --- */

static bool add_line(judging *j, const char ***lines, uint32_t *count,
                     const char *text)
{
    const char **grown =
        oracle_arena_push(j->arena, *lines, *count, sizeof *grown);
    if (grown == NULL || text == NULL) {
        return false;
    }
    *lines = grown;
    grown[(*count)++] = text;
    return true;
}

/* No plan of such lives fits: that is so before anything is placed. */
static bool check_capacity(judging *j)
{
    const oracle_csv_sweep *s = &j->sweep;
    if (j->capacity == 0 || s->lower <= j->capacity ||
        !counts(j, ORACLE_ERROR, false)) {
        return true;
    }
    oracle_record record = record_of("memory.bounds", ORACLE_ERROR, 0, 0);
    record.witness = oracle_arena_format(
        j->arena, "{\"alive\":%" PRId64 ",\"time\":%" PRId64 "}", s->lower,
        s->lower_at);
    record.message = oracle_arena_format(
        j->arena,
        "%s%" PRId64 " bytes are alive together at time %" PRId64
        ", and the memory has %" PRId64
        ": no plan fits, whatever the places; give it more memory, or let "
        "less be alive.",
        s->more ? "more than " : "", s->lower, s->lower_at, j->capacity);
    return add(j, record, NULL);
}

static bool check_waste(judging *j)
{
    const oracle_csv_sweep *s = &j->sweep;
    if (!j->csv->has_offsets || s->more || j->peak <= s->lower ||
        !counts(j, ORACLE_NOTE, false)) {
        return true;
    }
    oracle_record record = record_of("memory.waste", ORACLE_NOTE, 0, 0);
    record.message = oracle_arena_format(
        j->arena,
        "the plan takes %" PRId64 " bytes, and at most %" PRId64
        " are alive together (at time %" PRId64 "): up to %" PRId64
        " can be saved by another placement.",
        j->peak, s->lower, s->lower_at, j->peak - s->lower);
    return add(j, record, NULL);
}

static bool tell_instance(judging *j)
{
    const oracle_csv_sweep *s = &j->sweep;
    oracle_judgement *out = j->judgement;
    return j->csv->has_offsets ||
           add_line(j, &out->undecided, &out->undecided_count,
                    oracle_arena_format(
                        j->arena,
                        "the places: there is no column offset, so this is an "
                        "instance without a plan; any plan needs %s%" PRId64
                        " bytes, which are alive together at time %" PRId64,
                        s->more ? "more than " : "at least ", s->lower,
                        s->lower_at));
}

static bool tell_columns(judging *j)
{
    for (uint32_t i = 0; i < j->csv->unknown_count; i++) {
        oracle_record record =
            record_of("doc.unknown-field", ORACLE_WARNING, 0, 0);
        if (!counts(j, ORACLE_WARNING, true)) {
            continue;
        }
        record.line = 1;
        record.message = oracle_arena_format(
            j->arena, "the column %s is not known and was passed over.",
            j->csv->unknown[i]);
        if (!add(j, record, NULL)) {
            return false;
        }
    }
    return true;
}

static int64_t peak_of(const oracle_csv *csv)
{
    int64_t peak = 0, end;
    for (uint32_t i = 0; i < csv->count; i++) {
        const oracle_csv_row *row = &csv->rows[i];
        if (!row->placed || row->offset < 0 ||
            __builtin_add_overflow(row->offset, row->size, &end)) {
            continue;
        }
        peak = end > peak ? end : peak;
    }
    return peak;
}

static bool judge(judging *j, const oracle_judge_options *options)
{
    oracle_judgement *out = j->judgement;
    j->peak = peak_of(j->csv);
    bool lenient = options->lenient;
    bool ok = oracle_csv_look(&j->sweep, j->csv, j->limit, j->arena) &&
              each_row(j, check_bounds) && check_capacity(j) &&
              each_row(j, check_missing) && each_row(j, check_alignment) &&
              list_overlaps(j) && (lenient || tell_columns(j)) &&
              check_waste(j) && tell_instance(j) &&
              add_line(j, &out->assumptions, &out->assumption_count,
                       "buffers are alive when the lines of the CSV say so") &&
              (j->capacity > 0 ||
               add_line(j, &out->assumptions, &out->assumption_count,
                        "the memory is large enough: no capacity is given"));
    bool doubt =
        out->undecided_count > 0 || (!lenient && j->csv->unknown_count > 0);
    out->verdict = j->found ? ORACLE_FINDINGS
                   : doubt  ? ORACLE_UNDECIDED
                            : ORACLE_CLEAN;
    return ok;
}

static bool refuse(judging *j, const oracle_error *error)
{
    oracle_record record =
        record_of(oracle_fault_rule(error->status), ORACLE_ERROR, 0, 0);
    record.message =
        oracle_arena_text(j->arena, error->message, strlen(error->message));
    record.line = (int64_t)error->line;
    record.column = error->column;
    record.witness = oracle_arena_format(j->arena, "{\"offset\":%" PRIu64 "}",
                                         error->offset);
    counts(j, ORACLE_ERROR, false);
    j->judgement->verdict = ORACLE_REFUSED;
    return record.rule != NULL && add(j, record, NULL);
}

oracle_status oracle_csv_judge(oracle_judgement *judgement, const char *text,
                               size_t length,
                               const oracle_judge_options *options)
{
    oracle_csv csv;
    oracle_error error;
    judging j = {
        .judgement = judgement,
        .arena = judgement->arena,
        .csv = &csv,
        .case_digest = options->case_digest,
        .generated = options->generated,
        .limit = options->limit == 0 ? FINDINGS : options->limit,
        .capacity = options->capacity,
    };
    j.named = (oracle_document){.buffers = &j.buffer, .buffer_count = 1};
    oracle_status status = oracle_csv_read(&csv, text, length, &error);
    if (status == ORACLE_OK) {
        status = judge(&j, options) ? ORACLE_OK : ORACLE_NO_MEMORY;
        oracle_csv_free(&csv);
    } else if (status != ORACLE_NO_MEMORY) {
        status = refuse(&j, &error) ? ORACLE_OK : ORACLE_NO_MEMORY;
    }
    return status;
}
