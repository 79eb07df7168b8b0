/* What all parts of the HTML report write with. */
#include "html_page.h"

#include <stdlib.h>
#include <string.h>

void report_html_put(report_html *p, const char *text)
{
    fputs(text, p->out);
}

/* What an input says, as text or as the value of an attribute. */
void report_html_text(report_html *p, const char *text)
{
    report_put(p->out, REPORT_XML, text);
}

/* The same, of a text that may be long: at most so many bytes of it. */
void report_html_start(report_html *p, const char *text, size_t most)
{
    size_t length = strlen(text);
    if (length <= most) {
        report_html_text(p, text);
        return;
    }
    while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
        most--;
    char *start = strndup(text, most);
    if (start != NULL) {
        report_html_text(p, start);
        report_html_put(p, "\u2026");
    }
    free(start);
}

/* "1 error", "2 errors". */
void report_html_plural(report_html *p, int64_t n, const char *one)
{
    fprintf(p->out, "%lld %s%s", (long long)n, one, n == 1 ? "" : "s");
}

const char *report_html_column(sqlite3_stmt *row, int index)
{
    const unsigned char *text = sqlite3_column_text(row, index);
    return text == NULL ? "" : (const char *)text;
}

long long report_html_number(sqlite3_stmt *row, int index)
{
    return (long long)sqlite3_column_int64(row, index);
}

report_status report_html_each(report_html *p, const char *sql,
                               report_html_row *write, size_t *count)
{
    report_writing *w = p->w;
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(w->store->db, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_bind_int64(statement, 1, w->subject.run);
    size_t n = 0;
    if (code == SQLITE_OK)
        while ((code = sqlite3_step(statement)) == SQLITE_ROW)
            write(p, statement, n++);
    report_status status = REPORT_OK;
    if (code != SQLITE_DONE)
        status =
            report_fail_sql(w->error, w->store, "the database cannot be read");
    sqlite3_finalize(statement);
    if (count != NULL)
        *count = n;
    return status;
}

/* --- JSON within HTML --- */

/* Characters that end the element, or that somebody reads otherwise. */
static bool is_escaped(uint32_t point)
{
    return point < 0x20 || point == '"' || point == '\\' || point == '<' ||
           point == '>' || point == '&' || (point >= 0x7f && point < 0xa0) ||
           point == 0x61c || (point >= 0x200b && point <= 0x200f) ||
           (point >= 0x2028 && point <= 0x202e) ||
           (point >= 0x2060 && point <= 0x206f) || point == 0xfeff;
}

bool report_html_string(report_html *p, const char *text, size_t length)
{
    bool whole = true;
    size_t at = 0;
    fputc('"', p->out);
    while (at < length) {
        char next[5] = "";
        uint32_t point;
        memcpy(next, text + at, length - at < 4 ? length - at : 4);
        size_t n = report_decode(&point, next);
        if (n == 0) {
            fputs("\\ufffd", p->out);
            whole = false;
            n = 1;
        } else if (is_escaped(point)) {
            fprintf(p->out, "\\u%04x", (unsigned)point);
        } else {
            fwrite(text + at, 1, n, p->out);
        }
        at += n;
    }
    fputc('"', p->out);
    return whole;
}
