/* Reading CSV: fields with or without quotes, lines that end in LF or CRLF. */
#include "csv.h"

#include "fault.h"
#include "table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef enum column {
    ID,
    LOWER,
    UPPER,
    SIZE,
    ALIGNMENT,
    HINT,
    GAPS,
    OFFSET,
    COLUMNS,
    UNKNOWN = COLUMNS
} column;

static const char *const column_names[COLUMNS] = {
    "id", "lower", "upper", "size", "alignment", "hint", "gaps", "offset"};

typedef struct field {
    const char *data; /* without quotes and the blanks around it */
    size_t length;
    size_t at;    /* where it stands in the text */
    bool doubled; /* it has quotes that stand for one each */
} field;

typedef struct reader {
    oracle_csv *csv;
    const char *text;
    size_t length, at;
    uint32_t line;
    bool ended; /* the field before was the last of its line */
    oracle_error *error;
    column *columns; /* by position */
    uint32_t width;
    bool inclusive; /* the upper end is called "end" */
    oracle_table ids;
} reader;

/* --- Fields --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool skip_lines(reader *r)
{
    while (r->at < r->length) {
        size_t at = r->at;
        while (at < r->length && is_blank(r->text[at])) {
            at++;
        }
        if (at < r->length && r->text[at] != '\n') {
            return true;
        }
        r->line++;
        r->at = at < r->length ? at + 1 : at;
    }
    return false;
}

/* Behind a field: a comma, or the end of the line. */
static bool end_field(reader *r)
{
    while (r->at < r->length && is_blank(r->text[r->at])) {
        r->at++;
    }
    r->ended = r->at == r->length || r->text[r->at] == '\n';
    if (!r->ended && r->text[r->at] != ',') {
        oracle_fault_at(r->error, ORACLE_SYNTAX, r->text, r->at,
                        "a comma or the end of the line is expected behind a "
                        "field in quotes");
        return false;
    }
    r->line += r->at < r->length && r->text[r->at] == '\n';
    r->at += r->at < r->length;
    return true;
}

static bool quoted_field(reader *r, field *f)
{
    size_t start = r->at++;
    f->data = r->text + r->at;
    f->doubled = false;
    for (;; r->at++) {
        const char *quote = memchr(r->text + r->at, '"', r->length - r->at);
        if (quote == NULL) {
            oracle_fault_at(r->error, ORACLE_SYNTAX, r->text, start,
                            "the quote that begins here is not closed");
            return false;
        }
        for (; r->text + r->at < quote; r->at++) {
            r->line += r->text[r->at] == '\n';
        }
        r->at++;
        if (r->at == r->length || r->text[r->at] != '"') {
            break;
        }
        f->doubled = true;
    }
    f->length = (size_t)(r->text + r->at - f->data) - 1;
    return end_field(r);
}

static bool next_field(reader *r, field *f)
{
    while (r->at < r->length && is_blank(r->text[r->at])) {
        r->at++;
    }
    f->at = r->at;
    if (r->at < r->length && r->text[r->at] == '"') {
        return quoted_field(r, f);
    }
    f->data = r->text + r->at;
    f->doubled = false;
    while (r->at < r->length && r->text[r->at] != ',' &&
           r->text[r->at] != '\n') {
        r->at++;
    }
    f->length = (size_t)(r->text + r->at - f->data);
    while (f->length > 0 && is_blank(f->data[f->length - 1])) {
        f->length--;
    }
    const char *alone = memchr(f->data, '\r', f->length);
    if (alone != NULL) {
        oracle_fault_at(r->error, ORACLE_SYNTAX, r->text,
                        (size_t)(alone - r->text),
                        "a carriage return stands alone: lines end in LF or "
                        "CRLF");
        return false;
    }
    return end_field(r);
}

/* --- The header --- */

static bool is_name(const field *f, const char *name)
{
    return f->length == strlen(name) && memcmp(f->data, name, f->length) == 0;
}

static column column_of(const field *f, bool *inclusive)
{
    static const struct {
        const char *name;
        column is;
    } aliases[] = {{"buffer", ID},
                   {"buffer_id", ID},
                   {"begin", LOWER},
                   {"start", LOWER},
                   {"end", UPPER}};
    for (column c = ID; c < COLUMNS; c++) {
        if (is_name(f, column_names[c])) {
            return c;
        }
    }
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (is_name(f, aliases[i].name)) {
            *inclusive = *inclusive || aliases[i].is == UPPER;
            return aliases[i].is;
        }
    }
    return UNKNOWN;
}

static bool note_unknown(reader *r, const field *f)
{
    char shown[64];
    oracle_csv *csv = r->csv;
    oracle_json_printable(f->data, f->length, shown, sizeof shown);
    const char *name = oracle_arena_text(csv->arena, shown, strlen(shown));
    const char **grown = oracle_arena_push(csv->arena, csv->unknown,
                                           csv->unknown_count, sizeof *grown);
    if (name == NULL || grown == NULL) {
        return oracle_fault_memory(r->error), false;
    }
    csv->unknown = grown;
    grown[csv->unknown_count++] = name;
    return true;
}

static bool read_header(reader *r)
{
    bool has[COLUMNS + 1] = {false};
    field f;
    skip_lines(r);
    do {
        column *grown = oracle_arena_push(r->csv->arena, r->columns, r->width,
                                          sizeof *grown);
        if (grown == NULL) {
            return oracle_fault_memory(r->error), false;
        }
        r->columns = grown;
        if (!next_field(r, &f)) {
            return false;
        }
        column c = column_of(&f, &r->inclusive);
        if (c != UNKNOWN && has[c]) {
            oracle_fault_at(r->error, ORACLE_SCHEMA, r->text, f.at,
                            "the column %s stands there twice",
                            column_names[c]);
            return false;
        }
        if (c == UNKNOWN && !note_unknown(r, &f)) {
            return false;
        }
        has[c] = true;
        r->columns[r->width++] = c;
    } while (!r->ended);
    for (column c = ID; c <= SIZE; c++) {
        if (!has[c]) {
            oracle_fault_at(r->error, ORACLE_SCHEMA, r->text, 0,
                            "there is no column %s: the first line names the "
                            "columns, with commas between them and in small "
                            "letters, at least id, lower, upper and size",
                            column_names[c]);
            return false;
        }
    }
    r->csv->has_offsets = has[OFFSET];
    return true;
}

/* Whether a word is the name of a column, in letters of any size. */
static bool looks_known(const char *word, size_t length)
{
    char small[16];
    bool inclusive = false;
    for (; length > 0 && strchr(" \"", word[0]) != NULL; word++) {
        length--;
    }
    while (length > 0 && strchr(" \"", word[length - 1]) != NULL) {
        length--;
    }
    if (length >= sizeof small) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        char c = word[i];
        small[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    return column_of(&(field){.data = small, .length = length}, &inclusive) !=
           UNKNOWN;
}

bool oracle_csv_detect(const char *text, size_t length)
{
    static const char apart[] = ",;\t";
    oracle_error error = {0};
    reader r = {.text = text, .length = length, .error = &error};
    uint32_t known = 0;
    if (!skip_lines(&r) || strchr("{[", text[r.at]) != NULL) {
        return false;
    }
    const char *end = memchr(text + r.at, '\n', length - r.at);
    size_t stop = end == NULL ? length : (size_t)(end - text);
    for (size_t i = r.at, word = r.at; i <= stop; i++) {
        if (i == stop || text[i] == '\r' || strchr(apart, text[i]) != NULL) {
            known += looks_known(text + word, i - word);
            word = i + 1;
        }
    }
    return known > 2;
}

/* --- Numbers --- */

typedef enum parsed { NUMBER, NO_NUMBER, TOO_LARGE } parsed;

static parsed parse_number(const char *data, size_t length, int64_t *value)
{
    bool minus = length > 0 && data[0] == '-';
    size_t i = minus || (length > 0 && data[0] == '+') ? 1 : 0;
    bool large = false;
    *value = 0;
    if (i == length) {
        return NO_NUMBER;
    }
    for (; i < length; i++) {
        int digit = data[i] - '0';
        if (digit < 0 || digit > 9) {
            return NO_NUMBER;
        }
        large = large || __builtin_mul_overflow(*value, 10, value) ||
                __builtin_sub_overflow(*value, digit, value);
    }
    if (!minus) {
        large = large || __builtin_sub_overflow((int64_t)0, *value, value);
    }
    return large ? TOO_LARGE : NUMBER;
}

static bool wrong(const reader *r, parsed how, size_t at, const char *what)
{
    if (how == TOO_LARGE) {
        oracle_fault_at(r->error, ORACLE_RANGE, r->text, at,
                        "%s does not fit into 64 bits with a sign", what);
    } else {
        oracle_fault_at(r->error, ORACLE_SCHEMA, r->text, at,
                        "%s must be a whole number", what);
    }
    return false;
}

static bool range(const reader *r, size_t at, const char *what)
{
    oracle_fault_at(r->error, ORACLE_RANGE, r->text, at, "%s", what);
    return false;
}

static bool number(const reader *r, const field *f, column c, int64_t *value)
{
    parsed how = parse_number(f->data, f->length, value);
    return how == NUMBER || wrong(r, how, f->at, column_names[c]);
}

/* --- Gaps --- */

/* The text up to a mark, as a number. */
static bool part(const reader *r, const char **at, const char *end, char mark,
                 int64_t *value)
{
    const char *stop = *at + (*at < end && **at == '-' ? 1 : 0);
    while (stop < end && *stop != mark) {
        stop++;
    }
    parsed how = parse_number(*at, (size_t)(stop - *at), value);
    if (how != NUMBER || (mark != '\0' && stop == end)) {
        size_t where = (size_t)(*at - r->text);
        return wrong(r, how, where,
                     how == TOO_LARGE
                         ? "an end of a gap"
                         : "a gap is written LOWER-UPPER or "
                           "LOWER-UPPER@FROM:TO, and each of these");
    }
    *at = stop < end ? stop + 1 : end;
    return true;
}

static bool read_gap(const reader *r, const char *at, const char *end,
                     oracle_csv_gap *gap)
{
    const char *window = memchr(at, '@', (size_t)(end - at));
    const char *stop = window == NULL ? end : window;
    *gap = (oracle_csv_gap){0};
    if (!part(r, &at, stop, '-', &gap->lower) ||
        !part(r, &at, stop, '\0', &gap->upper)) {
        return false;
    }
    if (window != NULL) {
        at = window + 1;
        return part(r, &at, end, ':', &gap->from) &&
               part(r, &at, end, '\0', &gap->to);
    }
    return true;
}

/* Kept in order, so that each piece of a life is looked at once. */
static bool keep_gap(reader *r, oracle_csv_row *row, size_t at,
                     oracle_csv_gap gap)
{
    oracle_csv *csv = r->csv;
    const oracle_csv_gap *last =
        row->gaps == 0 ? NULL : &csv->gaps[csv->gap_count - 1];
    if (r->inclusive && __builtin_add_overflow(gap.upper, 1, &gap.upper)) {
        return range(r, at, "the end of a gap does not fit into 64 bits");
    }
    if (gap.lower > gap.upper || (last != NULL && gap.lower < last->upper)) {
        return range(r, at,
                     "gaps end behind their start, and stand in order "
                     "without common times");
    }
    if (gap.lower < row->lower || gap.upper > row->upper) {
        return range(r, at, "a gap lies within the life of its buffer");
    }
    if (gap.from < 0 || gap.from > gap.to || gap.to > row->size) {
        return range(r, at,
                     "what stays alive in a gap is a part of the "
                     "buffer");
    }
    oracle_csv_gap *grown =
        oracle_arena_push(csv->arena, csv->gaps, csv->gap_count, sizeof *grown);
    if (grown == NULL) {
        return oracle_fault_memory(r->error), false;
    }
    csv->gaps = grown;
    grown[csv->gap_count++] = gap;
    row->gaps++;
    return true;
}

static bool read_gaps(reader *r, const field *f, oracle_csv_row *row)
{
    row->first_gap = r->csv->gap_count;
    if (f->length == 0) {
        return true;
    }
    const char *at = f->data, *end = f->data + f->length;
    while (at < end) {
        oracle_csv_gap gap;
        const char *stop = at;
        while (stop < end && !is_blank(*stop)) {
            stop++;
        }
        if (stop > at && (!read_gap(r, at, stop, &gap) ||
                          !keep_gap(r, row, (size_t)(at - r->text), gap))) {
            return false;
        }
        at = stop < end ? stop + 1 : end;
    }
    return true;
}

/* --- Rows --- */

static bool keep_id(reader *r, const field *f, oracle_csv_row *row)
{
    row->id = (oracle_text){f->data, (uint32_t)f->length, true};
    if (f->doubled) {
        char *plain = oracle_arena_alloc(r->csv->arena, f->length + 1);
        uint32_t n = 0;
        if (plain == NULL) {
            return oracle_fault_memory(r->error), false;
        }
        for (size_t i = 0; i < f->length; i++) {
            plain[n++] = f->data[i];
            i += f->data[i] == '"';
        }
        row->id = (oracle_text){plain, n, true};
    }
    oracle_slot *slot =
        oracle_table_slot(&r->ids, row->id.data, row->id.length);
    if (slot == NULL) {
        return oracle_fault_memory(r->error), false;
    }
    if (slot->data == NULL) {
        *slot = (oracle_slot){row->id.data, row->id.length, row->line};
        return true;
    }
    char shown[64];
    oracle_json_printable(row->id.data, row->id.length, shown, sizeof shown);
    oracle_fault_at(r->error, ORACLE_SCHEMA, r->text, f->at,
                    "the buffer %s is there already, in line %" PRIu32, shown,
                    slot->value);
    return false;
}

static bool take_row(reader *r, const field *f, oracle_csv_row *row)
{
    int64_t hint;
    row->align = 1;
    if (!keep_id(r, &f[ID], row) || !number(r, &f[LOWER], LOWER, &row->lower) ||
        !number(r, &f[UPPER], UPPER, &row->upper) ||
        !number(r, &f[SIZE], SIZE, &row->size) ||
        (f[ALIGNMENT].length > 0 &&
         !number(r, &f[ALIGNMENT], ALIGNMENT, &row->align)) ||
        (f[HINT].length > 0 && !number(r, &f[HINT], HINT, &hint)) ||
        (f[OFFSET].length > 0 &&
         !number(r, &f[OFFSET], OFFSET, &row->offset))) {
        return false;
    }
    row->placed = f[OFFSET].length > 0;
    if (r->inclusive && __builtin_add_overflow(row->upper, 1, &row->upper)) {
        return range(r, f[UPPER].at, "end does not fit into 64 bits");
    }
    if (row->lower > row->upper) {
        return range(r, f[UPPER].at, "the life ends before it begins");
    }
    if (row->size < 0) {
        return range(r, f[SIZE].at, "size must not be negative");
    }
    if (row->align < 1) {
        return range(r, f[ALIGNMENT].at, "alignment must be at least 1");
    }
    return read_gaps(r, &f[GAPS], row);
}

static bool read_row(reader *r)
{
    field f[COLUMNS + 1] = {{0}};
    oracle_csv *csv = r->csv;
    oracle_csv_row *grown =
        oracle_arena_push(csv->arena, csv->rows, csv->count, sizeof *grown);
    if (grown == NULL) {
        return oracle_fault_memory(r->error), false;
    }
    csv->rows = grown;
    oracle_csv_row *row = &grown[csv->count];
    size_t start = r->at;
    uint32_t i = 0;
    row->line = r->line;
    do {
        field one;
        if (!next_field(r, &one)) {
            return false;
        }
        if (i < r->width) {
            f[r->columns[i]] = one;
        }
        i++;
    } while (!r->ended);
    if (i != r->width) {
        oracle_fault_at(r->error, ORACLE_SCHEMA, r->text, start,
                        "the row has %" PRIu32 " fields, the first line names "
                        "%" PRIu32,
                        i, r->width);
        return false;
    }
    csv->count++;
    return take_row(r, f, row);
}

oracle_status oracle_csv_read(oracle_csv *csv, const char *text, size_t length,
                              oracle_error *error)
{
    memset(error, 0, sizeof *error);
    *csv = (oracle_csv){.arena = oracle_arena_create()};
    reader r = {
        .csv = csv, .text = text, .length = length, .line = 1, .error = error};
    if (csv->arena == NULL) {
        return oracle_fault_memory(error);
    }
    bool ok = read_header(&r);
    while (ok && skip_lines(&r)) {
        ok = read_row(&r);
    }
    oracle_table_free(&r.ids);
    if (!ok) {
        oracle_csv_free(csv);
        return error->status;
    }
    return ORACLE_OK;
}

void oracle_csv_free(oracle_csv *csv)
{
    oracle_arena_free(csv->arena);
    *csv = (oracle_csv){0};
}
