/* What all parts of the HTML report write with. */
#include "html_page.h"

void report_html_put(report_html *p, const char *text)
{
    fputs(text, p->out);
}

void report_html_start(report_html *p, const char *text, size_t most)
{
    report_put_start(p->out, REPORT_XML, text, most);
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

bool report_html_string(report_html *p, const char *text, size_t length)
{
    return report_put_exact(p->out, text, length, "<>&");
}
