/* score.identity: what is known by a fingerprint, and what it means. */
#include "judge_work.h"

#include "canonical.h"
#include "meaning.h"

#include <stdlib.h>
#include <string.h>

bool oracle_members_fingerprint(char digest[65], const oracle_members *members)
{
    const oracle_known *known = members->known;
    uint32_t score = members->node[ORACLE_ROLE_SCORE];
    if (known == NULL || known->score != score) {
        return oracle_score_fingerprint(digest, members->json, score, false);
    }
    memcpy(digest, known->fingerprint, 65);
    return true;
}

bool oracle_judge_identity(oracle_judgement *judgement,
                           const oracle_document *graph,
                           const oracle_members *members)
{
    oracle_out lines = {0};
    bool ok = oracle_members_fingerprint(judgement->fingerprint, members) &&
              oracle_meaning_write(&lines, graph);
    if (ok) {
        oracle_digest(judgement->meaning, lines.data, lines.length);
    }
    oracle_out_free(&lines);
    return ok;
}

/* Leaves the lines empty where the text has no graph. */
static oracle_status read_lines(oracle_out *lines, oracle_bytes text)
{
    oracle_document document;
    oracle_error error;
    oracle_read_options options = {.lenient = true};
    oracle_status status = oracle_document_read(&document, text.data,
                                                text.length, &options, &error);
    if (status != ORACLE_OK) {
        return status == ORACLE_NO_MEMORY ? status : ORACLE_OK;
    }
    bool ok = oracle_meaning_write(lines, &document);
    oracle_document_free(&document);
    return ok ? ORACLE_OK : ORACLE_NO_MEMORY;
}

static size_t line_length(const char *at)
{
    return strcspn(at, "\n");
}

/* "task 3 argument 1: " of a line, which both begin with where both have it. */
static char *tell(const char *a, const char *b)
{
    size_t n = line_length(a), m = line_length(b);
    const char *colon = memchr(n > 0 ? a : b, ':', n > 0 ? n : m);
    size_t head = colon == NULL ? 0 : (size_t)(colon + 1 - (n > 0 ? a : b));
    bool one = head > 0 && n >= head && m >= head && memcmp(a, b, head) == 0;
    char *text = NULL;
    oracle_out out = {0};
    if (one) {
        oracle_out_raw(&out, a, head);
        oracle_out_text(&out, " ");
        a += head;
        b += head;
        n -= head;
        m -= head;
    }
    oracle_out_raw(&out, a + (one && *a == ' '), n - (one && *a == ' '));
    oracle_out_text(&out, n == 0 ? "nothing further in the first; "
                                 : " in the first; ");
    oracle_out_raw(&out, b + (one && *b == ' '), m - (one && *b == ' '));
    oracle_out_text(&out, m == 0 ? "nothing further in the second"
                                 : " in the second");
    if (!out.failed) {
        text = strdup(out.data);
    }
    oracle_out_free(&out);
    return text;
}

oracle_status oracle_meaning_difference(char **sentence, oracle_bytes first,
                                        oracle_bytes second)
{
    oracle_out x = {0}, y = {0};
    *sentence = NULL;
    oracle_status status = read_lines(&x, first);
    if (status == ORACLE_OK) {
        status = read_lines(&y, second);
    }
    if (status == ORACLE_OK && x.length > 0 && y.length > 0) {
        const char *a = x.data, *b = y.data;
        while (*a != '\0' && line_length(a) == line_length(b) &&
               memcmp(a, b, line_length(a)) == 0) {
            a += line_length(a) + (a[line_length(a)] == '\n');
            b += line_length(b) + (b[line_length(b)] == '\n');
        }
        if (*a != '\0' || *b != '\0') {
            *sentence = tell(a, b);
            status = *sentence == NULL ? ORACLE_NO_MEMORY : ORACLE_OK;
        }
    }
    oracle_out_free(&x);
    oracle_out_free(&y);
    return status;
}
