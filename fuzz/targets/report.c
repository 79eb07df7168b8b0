/*
 * The report writers. The bytes, cut at zero bytes, are what findings say of
 * themselves and their records; whatever that is, JSON and SARIF are JSON,
 * JUnit is XML, lines are those of TAP, Markdown and workflow commands, what
 * is for people has no byte that moves a terminal, and all are the same twice.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/input.h"
#include "../../scripts/testing/html.h"
#include "../../scripts/testing/xml.h"
#include "check.h"
#include "reports/triage.h"
#include "reports/write.h"
#include "sonata/json.h"

#define TEXTS 7
#define CASES 3
#define SIGNATURE "0011223344556677"
#define SERVES 16 /* inputs */
#define OTHERS 5  /* forms besides text, JSON and HTML */
#define LONGEST ((size_t)4096)

typedef struct input {
    const char *at, *end;
} input;

/* The next piece as text, which is UTF-8: as the callers give it. */
static char *take(input *in)
{
    size_t left = (size_t)(in->end - in->at);
    const char *zero = left == 0 ? NULL : memchr(in->at, '\0', left);
    size_t length = zero == NULL ? left : (size_t)(zero - in->at);
    char *text = strndup(in->at, cli_utf8_check(in->at, length));
    check(text != NULL);
    in->at += length + (zero != NULL);
    return text;
}

static void add_case(report_store *store, int64_t run, int64_t number,
                     input *in)
{
    static const char *const severities[] = {"error", "warning", "note"};
    static const char *const verdicts[] = {"clean", "findings", "refused",
                                           "undecided"};
    char *texts[TEXTS], sha[65];
    report_error error;
    snprintf(sha, sizeof sha, "%064d", (int)number);
    for (size_t i = 0; i < TEXTS; i++)
        texts[i] = take(in);
    report_finding finding = {.rule = texts[0],
                              .severity = severities[strlen(texts[1]) % 3],
                              .cause = *texts[1] == '\0' ? NULL : texts[1],
                              .signature = SIGNATURE,
                              .message = texts[2],
                              .line = number,
                              .json = texts[6],
                              .json_length = strlen(texts[6])};
    report_case c = {.number = number,
                     .path = texts[3],
                     .name = texts[3],
                     .kind = texts[4],
                     .sha256 = sha,
                     .text = texts[5],
                     .length = strlen(texts[5]),
                     .verdict = verdicts[strlen(texts[0]) % 4],
                     .reason = texts[5],
                     .details = texts[6],
                     .findings = &finding,
                     .count = 1,
                     .total = 1};
    check(report_add_case(store, run, &c, &error) == REPORT_OK);
    for (size_t i = 0; i < TEXTS; i++)
        free(texts[i]);
}

static char *write_text(size_t *length, report_writer *write,
                        report_store *store, int64_t run)
{
    const report_view view = {.run = run, .folder = "/a", .database = "a b"};
    char *text = NULL;
    report_error error;
    FILE *out = open_memstream(&text, length);
    check(out != NULL);
    check(write(out, store, &view, &error) == REPORT_OK);
    check(fclose(out) == 0 && strlen(text) == *length);
    return text;
}

/* The same twice, and nothing in it that moves a terminal. */
static char *write_twice(size_t *length, report_writer *write,
                         report_store *store, int64_t run)
{
    size_t same;
    char *text = write_text(length, write, store, run);
    char *again = write_text(&same, write, store, run);
    check(same == *length && memcmp(text, again, same) == 0);
    for (size_t c = 0; c < same; c++)
        check(text[c] == '\n' || ((unsigned char)text[c] >= 0x20 &&
                                  (unsigned char)text[c] != 0x7f));
    free(again);
    return text;
}

static void check_text(report_store *store, int64_t run)
{
    size_t length;
    free(write_twice(&length, report_write_text, store, run));
}

static void check_json(report_store *store, int64_t run)
{
    size_t length;
    sonata_doc *doc;
    char *text = write_twice(&length, report_write_json, store, run);
    check(sonata_doc_read(&doc, text, length, NULL) == SONATA_OK);
    sonata_doc_free(doc);
    free(text);
}

/* --- What others read --- */

static void is_json(const char *text, size_t length)
{
    sonata_doc *doc;
    check(sonata_doc_read(&doc, text, length, NULL) == SONATA_OK);
    sonata_doc_free(doc);
}

static void is_xml(const char *text, size_t length)
{
    check(xml_is_well_formed(text, length));
}

static bool begins(const char *line, const char *with)
{
    return strncmp(line, with, strlen(with)) == 0;
}

static void is_tap(const char *text, size_t length)
{
    check(begins(text, "TAP version 14\n1.."));
    for (const char *at = text; at < text + length; at += strcspn(at, "\n") + 1)
        check(begins(at, "ok ") || begins(at, "not ok ") || begins(at, "  ") ||
              begins(at, "# ") || begins(at, "1..") || begins(at, "TAP ") ||
              begins(at, "Bail out! "));
}

static void is_markdown(const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at++) {
        check(strchr("`[]@_~$\\", *at) == NULL);
        check(*at != '<' || begins(at, "<code>") || begins(at, "</code>") ||
              begins(at, "<br>") || begins(at, "<!-- -->"));
    }
}

static void is_commands(const char *text, size_t length)
{
    for (const char *at = text; at < text + length; at += strcspn(at, "\n") + 1)
        check(begins(at, "::error ") || begins(at, "::warning ") ||
              begins(at, "::notice ") || strchr("0123456789", *at) != NULL);
}

/* One of them for an input, since each costs as much as all the rest. */
static void check_other(report_store *store, size_t turn)
{
    static const struct {
        report_writer *write;
        void (*is)(const char *text, size_t length);
    } writers[OTHERS] = {
        {report_write_github, is_commands},   {report_write_junit, is_xml},
        {report_write_markdown, is_markdown}, {report_write_sarif, is_json},
        {report_write_tap, is_tap},
    };
    size_t length;
    char *text = write_twice(&length, writers[turn].write, store, 0);
    writers[turn].is(text, length);
    free(text);
}

/* Balanced, with no element more than the page's own, and its data is JSON.
 */
static void check_page(const char *text)
{
    static const char mark[] = "<script type=\"application/json\" id=\"data\">";
    char problem[200];
    sonata_doc *doc;
    check(html_check(text, problem, sizeof problem));
    check(strstr(text, "<!--") == NULL);
    const char *begin = strstr(text, mark);
    check(begin != NULL);
    begin += sizeof mark - 1;
    const char *end = strstr(begin, "</");
    check(end != NULL && strcmp(end, "</script>\n</body>\n</html>\n") == 0);
    check(sonata_doc_read(&doc, begin, (size_t)(end - begin), NULL) ==
          SONATA_OK);
    sonata_doc_free(doc);
}

static void check_html(report_store *store, int64_t run)
{
    size_t length;
    char *text = write_twice(&length, report_write_html, store, run);
    check_page(text);
    free(text);
}

/* Of some inputs the one cause is a known issue, of whose owner and reason a
 * file says what it likes. */
static void name_known(report_store *store, input in, size_t size)
{
    report_error error;
    char *owner = take(&in), *reason = take(&in);
    report_known one = {.signature = SIGNATURE,
                        .until = "2027-03-31",
                        .owner = owner,
                        .reason = reason};
    const report_known_list list = {.items = &one, .count = 1};
    const char *today = size % 5 == 1 ? "2027-03-31" : "2027-04-01";
    check(report_triage(store, size % 5 < 3 ? &list : NULL, today, &error) ==
          REPORT_OK);
    free(owner);
    free(reason);
}

/* Making the tables of a store takes longer than all else, so one serves some
 * inputs, each of which is a run of its own. */
static report_store *store_of_some(void)
{
    static report_store *store;
    static unsigned used;
    report_error error;
    if (store != NULL && ++used % SERVES == 0) {
        check(report_close(store, &error) == REPORT_OK);
        store = NULL;
    }
    if (store == NULL)
        check(report_open(&store, ":memory:", REPORT_WRITE, &error) ==
              REPORT_OK);
    return store;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {(const char *)data, (const char *)data + size};
    report_run what = {"0.0.0", "{}", NULL, "2026-01-01T00:00:00Z"};
    report_error error;
    int64_t run;
    if (size > LONGEST)
        return 0;
    report_store *store = store_of_some();
    check(report_begin_run(&run, store, &what, &error) == REPORT_OK);
    for (int64_t number = 1; number <= CASES; number++)
        add_case(store, run, number, &in);
    check(report_commit(store, &error) == REPORT_OK);
    name_known(store, (input){(const char *)data, (const char *)data + size},
               size);
    check_text(store, run);
    check_json(store, run);
    size_t turn = size % (OTHERS + 1);
    if (turn < OTHERS)
        check_other(store, turn);
    else
        check_html(store, run);
    return 0;
}
