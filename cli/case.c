#include "case.h"

#include <assert.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input.h"
#include "oracle/judge.h"

#define BLOCK ((size_t)1024)

const char *cli_verdict_name(cli_verdict verdict)
{
    static const char *const names[CLI_VERDICTS] = {
        [CLI_CLEAN] = "clean",         [CLI_FINDINGS] = "findings",
        [CLI_UNDECIDED] = "undecided", [CLI_REFUSED] = "refused",
        [CLI_CRASHED] = "crashed",     [CLI_TIMED_OUT] = "timed_out",
    };
    return names[verdict];
}

const char *cli_severity_name(cli_severity severity)
{
    static const char *const names[CLI_SEVERITIES] = {
        [CLI_NOTE] = "note",
        [CLI_WARNING] = "warning",
        [CLI_ERROR] = "error",
    };
    return names[severity];
}

bool cli_severity_parse(cli_severity *severity, cli_span name)
{
    for (cli_severity s = CLI_NOTE; s < CLI_SEVERITIES; s++) {
        if (cli_span_is(name, cli_severity_name(s))) {
            *severity = s;
            return true;
        }
    }
    return false;
}

static void free_finding(cli_finding *finding)
{
    cli_text_free(&finding->json);
    cli_text_free(&finding->strings);
}

void cli_case_clear(cli_case *c)
{
    for (size_t i = 0; i < c->count; i++)
        free_finding(&c->findings[i]);
    free(c->findings);
    cli_text_free(&c->text);
    cli_text_free(&c->beside);
    cli_text_free(&c->plan);
    cli_text_free(&c->open);
    cli_text_free(&c->bundle);
    cli_text_free(&c->notes);
    for (size_t i = 0; i < CLI_MEMBER_PLANS; i++)
        cli_text_free(&c->members[i]);
    cli_text_free(&c->reason);
    cli_text_free(&c->assumptions);
    cli_text_free(&c->undecided);
    cli_text_free(&c->counts);
    cli_text_free(&c->certificate);
    cli_text_free(&c->unproved);
    cli_text_free(&c->late);
    *c = (cli_case){0};
}

void cli_case_renew(cli_case *c)
{
    cli_case kept = {
        .number = c->number,
        .found = c->found,
        .kind = c->kind,
        .text = c->text,
        .beside = c->beside,
        .plan = c->plan,
        .open = c->open,
        .has_beside = c->has_beside,
        .plan_kind = c->plan_kind,
        .times = c->times,
    };
    memcpy(kept.sha256, c->sha256, sizeof kept.sha256);
    c->text = c->beside = c->plan = c->open = (cli_text){0};
    cli_case_clear(c);
    *c = kept;
}

void cli_case_free(cli_case *c)
{
    cli_case_clear(c);
    free(c);
}

/* The decoded parts of a record, one behind the other in one buffer. */
typedef struct parts {
    size_t rule, cause, signature, message; /* offsets; 0: absent */
    bool has_severity;
} parts;

/* A NUL would end the text for who reads on: it is shown instead. */
static bool take_string(size_t *at, cli_text *strings, cli_span value)
{
    cli_text text = {0};
    *at = strings->length;
    bool ok = cli_span_text(&text, value);
    for (size_t done = 0; ok && done < text.length; done++) {
        size_t n = strnlen(text.data + done, text.length - done);
        cli_text_add(strings, text.data + done, n);
        done += n;
        if (done < text.length)
            cli_text_put(strings, "\\x00");
    }
    cli_text_add(strings, "", 1);
    strings->failed |= text.failed;
    cli_text_free(&text);
    return ok && !strings->failed;
}

static int64_t line_of(cli_span value)
{
    int64_t line = 0;
    return cli_span_int(&line, value) && line > 0 ? line : 0;
}

static bool take_part(cli_finding *f, parts *p, cli_span key, cli_span value)
{
    cli_span inner;
    if (cli_span_is(key, "rule"))
        return take_string(&p->rule, &f->strings, value);
    if (cli_span_is(key, "cause"))
        return take_string(&p->cause, &f->strings, value);
    if (cli_span_is(key, "signature"))
        return take_string(&p->signature, &f->strings, value);
    if (cli_span_is(key, "message"))
        return take_string(&p->message, &f->strings, value);
    if (cli_span_is(key, "line"))
        f->line = line_of(value);
    if (cli_span_is(key, "consumer") && f->line == 0 &&
        cli_span_member(&inner, value, "line"))
        f->line = line_of(inner);
    if (cli_span_is(key, "severity") && value.length > 2) {
        inner = (cli_span){value.data + 1, value.length - 2};
        p->has_severity = cli_severity_parse(&f->severity, inner);
        return p->has_severity;
    }
    return true;
}

static bool read_record(cli_finding *f, cli_span record)
{
    parts p = {0};
    cli_walk walk;
    cli_span key, value;
    cli_text_add(&f->strings, "", 1);
    if (!cli_walk_object(&walk, record))
        return false;
    while (cli_walk_next(&walk, &key, &value))
        if (!take_part(f, &p, key, value))
            return false;
    if (walk.failed || p.rule == 0 || !p.has_severity || p.message == 0)
        return false;
    const char *strings = f->strings.data;
    f->rule = strings + p.rule;
    f->cause = p.cause == 0 ? NULL : strings + p.cause;
    f->signature = strings + p.signature;
    f->message = strings + p.message;
    cli_text_add(&f->json, record.data, record.length);
    return !f->json.failed && !f->strings.failed;
}

bool cli_case_add_record(cli_case *c, cli_span record)
{
    if (c->count == c->capacity) {
        size_t capacity = c->capacity == 0 ? 4 : c->capacity * 2;
        cli_finding *grown = reallocarray(c->findings, capacity, sizeof *grown);
        if (grown == NULL)
            return false;
        c->findings = grown;
        c->capacity = capacity;
    }
    cli_finding finding = {0};
    if (!read_record(&finding, record)) {
        free_finding(&finding);
        return false;
    }
    c->findings[c->count++] = finding;
    c->total++;
    return true;
}

static bool rule_is_warning(const char *rule)
{
    return strcmp(rule, "doc.unsupported") == 0 ||
           strcmp(rule, "doc.incomplete") == 0 ||
           strcmp(rule, "doc.unknown-field") == 0;
}

static bool is_name_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Behind the word at `at`, without the mark that may end it. */
static size_t word_end(const char *message, size_t at)
{
    size_t end = at + strcspn(message + at, " ");
    while (end > at && strchr(":;,.", message[end - 1]))
        end--;
    return end;
}

/*
 * The first words of a message, at most six: what many inputs share. A mark,
 * a number or something in quotes or brackets ends them. (A place as
 * "tasks[7].args" is one word.)
 */
static size_t first_words(const char *message)
{
    size_t end = 0, at = 0;
    for (int words = 0; words < 6 && is_name_letter(message[at]); words++) {
        end = word_end(message, at);
        if (message[end] != ' ')
            break;
        at = end + 1;
    }
    return end;
}

/* Without the indexes of places: "tasks[].args". */
static void add_words(cli_text *text, const char *words, size_t length)
{
    bool in_index = false;
    for (size_t i = 0; i < length; i++) {
        in_index = words[i] >= '0' && words[i] <= '9' &&
                   (in_index || (i > 0 && words[i - 1] == '['));
        if (!in_index)
            cli_text_add(text, words + i, 1);
    }
}

static bool make_signature(char hex[65], const char *rule, const char *message)
{
    cli_text text = {0};
    cli_text_put(&text, "signature/1\n");
    cli_text_put(&text, rule);
    cli_text_put(&text, "\n");
    add_words(&text, message, first_words(message));
    bool ok = !text.failed && cli_sha256(hex, text.data, text.length);
    cli_text_free(&text);
    hex[16] = '\0';
    return ok;
}

static void put_problem(cli_text *out, const cli_case *c, const cli_problem *p)
{
    cli_text_put(out, "{\"case\":");
    cli_text_quote(out, c->sha256);
    if (p->line > 0)
        cli_text_printf(out, ",\"column\":%lld,\"line\":%lld",
                        (long long)p->column, (long long)p->line);
    cli_text_put(out, ",\"message\":");
    cli_text_quote(out, p->message);
    if (p->path != NULL && *p->path != '\0') {
        cli_text_put(out, ",\"path\":");
        cli_text_quote(out, p->path);
    }
}

static bool add_problem(cli_case *c, const cli_problem *p)
{
    char signature[65];
    cli_text out = {0};
    bool warning = rule_is_warning(p->rule);
    assert(
        oracle_rule_allows(p->rule, warning ? ORACLE_WARNING : ORACLE_ERROR));
    if (!make_signature(signature, p->rule, p->message))
        return false;
    put_problem(&out, c, p);
    cli_text_put(&out, ",\"rule\":");
    cli_text_quote(&out, p->rule);
    cli_text_printf(&out, ",\"severity\":\"%s\",\"signature\":\"%s\"",
                    warning ? "warning" : "error", signature);
    /* Both layouts of a dump say the same but for the line. */
    if (p->line > 0 && c->kind != CLI_DUMP)
        cli_text_printf(&out, ",\"witness\":{\"offset\":%lld}",
                        (long long)p->offset);
    cli_text_put(&out, "}");
    bool ok =
        !out.failed && cli_case_add_record(c, (cli_span){out.data, out.length});
    cli_text_free(&out);
    return ok;
}

static bool settle(cli_case *c, cli_verdict verdict, const char *reason)
{
    c->verdict = verdict;
    c->state = CLI_DONE;
    cli_text_clear(&c->reason);
    cli_text_put(&c->reason, reason);
    return !c->reason.failed;
}

bool cli_case_refuse(cli_case *c, const cli_problem *problem)
{
    return settle(c, CLI_REFUSED, problem->message) && add_problem(c, problem);
}

bool cli_case_unreadable(cli_case *c, const char *problem)
{
    c->unreadable = true;
    return settle(c, CLI_REFUSED, problem);
}

bool cli_case_fail(cli_case *c, cli_verdict verdict, const char *rule,
                   const char *message)
{
    cli_problem problem = {.rule = rule, .message = message};
    return settle(c, verdict, message) && add_problem(c, &problem);
}

static bool take_records(cli_case *c, cli_span list)
{
    cli_walk walk;
    cli_span key, record;
    if (!cli_walk_array(&walk, list))
        return false;
    while (cli_walk_next(&walk, &key, &record))
        if (!cli_case_add_record(c, record))
            return false;
    return !walk.failed;
}

static bool take_verdict(cli_verdict *verdict, cli_span value)
{
    if (value.length < 2)
        return false;
    cli_span name = {value.data + 1, value.length - 2};
    for (cli_verdict v = CLI_CLEAN; v <= CLI_REFUSED; v++) {
        if (cli_span_is(name, cli_verdict_name(v))) {
            *verdict = v;
            return true;
        }
    }
    return false;
}

static bool take_raw(cli_text *out, cli_span value)
{
    cli_text_clear(out);
    cli_text_add(out, value.data, value.length);
    return !out->failed;
}

static bool is_empty_list(const cli_text *list)
{
    return list->length <= 2;
}

static bool take_digest(char digest[65], cli_span value)
{
    if (value.length != 66)
        return false;
    memcpy(digest, value.data + 1, 64);
    digest[64] = '\0';
    return true;
}

static bool take_unlisted(cli_case *c, cli_span value)
{
    cli_walk walk;
    cli_span key, number;
    if (!cli_walk_object(&walk, value))
        return false;
    while (cli_walk_next(&walk, &key, &number)) {
        cli_severity severity;
        int64_t count = 0;
        if (!cli_severity_parse(&severity, key) ||
            !cli_span_int(&count, number))
            return false;
        c->unlisted[severity] += count;
    }
    return !walk.failed;
}

static bool take_replayed(cli_case *c, cli_span value)
{
    const struct {
        const char *name;
        int64_t *number;
    } counts[] = {{"left_out", &c->unplayed},
                  {"runs", &c->runs},
                  {"shown", &c->shown},
                  {"witnesses", &c->witnesses}};
    cli_span number;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!cli_span_member(&number, value, counts[i].name) ||
            !cli_span_int(counts[i].number, number))
            return false;
    if (cli_span_member(&number, value, "late"))
        return cli_span_text(&c->late, number);
    return true;
}

static bool take_member(cli_case *c, cli_span key, cli_span value,
                        cli_verdict *verdict, int64_t *total)
{
    if (cli_span_is(key, "verdict"))
        return take_verdict(verdict, value);
    if (cli_span_is(key, "findings"))
        return take_records(c, value);
    if (cli_span_is(key, "assumptions"))
        return take_raw(&c->assumptions, value);
    if (cli_span_is(key, "undecided"))
        return take_raw(&c->undecided, value);
    if (cli_span_is(key, "fingerprint"))
        return take_digest(c->fingerprint, value);
    if (cli_span_is(key, "meaning"))
        return take_digest(c->meaning, value);
    if (cli_span_is(key, "counts"))
        return take_raw(&c->counts, value);
    if (cli_span_is(key, "certificate"))
        return take_raw(&c->certificate, value);
    if (cli_span_is(key, "unproved"))
        return cli_span_text(&c->unproved, value);
    if (cli_span_is(key, "fault")) {
        c->own_fault = true;
        return cli_span_text(&c->reason, value);
    }
    if (cli_span_is(key, "total"))
        return cli_span_int(total, value);
    if (cli_span_is(key, "unlisted"))
        return take_unlisted(c, value);
    if (cli_span_is(key, "replayed"))
        return take_replayed(c, value);
    return true;
}

bool cli_case_take_judgement(cli_case *c, cli_span answer)
{
    cli_walk walk;
    cli_span key, value;
    cli_verdict verdict = CLI_VERDICTS;
    int64_t total = 0;
    if (!cli_walk_object(&walk, answer))
        return false;
    while (cli_walk_next(&walk, &key, &value))
        if (!take_member(c, key, value, &verdict, &total))
            return false;
    if (walk.failed || verdict == CLI_VERDICTS)
        return false;
    c->verdict = verdict;
    if (total > c->total)
        c->total = total;
    c->partial = !is_empty_list(&c->undecided) || c->verdict == CLI_UNDECIDED;
    if (c->own_fault)
        c->verdict = CLI_CRASHED;
    if (c->verdict == CLI_REFUSED && c->count > 0)
        cli_text_put(&c->reason, c->findings[0].message);
    return !c->reason.failed;
}

bool cli_case_take_frontend(cli_case *c, cli_span answer)
{
    cli_span list, compared, left_out;
    size_t before = c->count;
    if (!cli_span_member(&list, answer, "findings") || !take_records(c, list) ||
        !cli_span_member(&compared, answer, "compared") ||
        !cli_span_int(&c->compared, compared) ||
        !cli_span_member(&left_out, answer, "left_out") ||
        !cli_span_int(&c->left_out, left_out))
        return false;
    for (size_t i = before; i < c->count; i++)
        if (c->findings[i].severity != CLI_NOTE)
            c->verdict = CLI_FINDINGS;
    return true;
}

size_t cli_case_count(const cli_case *c, cli_severity severity)
{
    size_t n = 0;
    for (size_t i = 0; i < c->count; i++)
        n += c->findings[i].severity == severity;
    return n + (size_t)c->unlisted[severity];
}

bool cli_case_group(cli_text *group, const cli_case *c)
{
    cli_text_clear(group);
    if (c->verdict < CLI_REFUSED || c->reason.length == 0)
        return !group->failed;
    if (c->unreadable)
        cli_text_put(group, "unreadable");
    else if (c->count > 0)
        cli_text_put(group, c->findings[0].rule);
    else
        cli_text_put(group, cli_verdict_name(c->verdict));
    cli_text_put(group, ": ");
    cli_text_add(group, c->reason.data, first_words(c->reason.data));
    return !group->failed;
}

void cli_case_put_list(cli_text *out, const char *name, const cli_text *list)
{
    cli_text_printf(out, "\"%s\":", name);
    if (list->length == 0)
        cli_text_put(out, "[]");
    else
        cli_text_add(out, list->data, list->length);
}

bool cli_case_digest(char hex[65], const cli_case *c)
{
    cli_text out = {0};
    cli_text_put(&out, "{\"findings\":[");
    for (size_t i = 0; i < c->count; i++) {
        if (i > 0)
            cli_text_put(&out, ",");
        cli_text_add(&out, c->findings[i].json.data,
                     c->findings[i].json.length);
    }
    cli_text_printf(&out,
                    "],\"kind\":\"%s\",\"name\":", cli_kind_name(c->kind));
    cli_text_quote(&out, c->found->name);
    cli_text_put(&out, ",\"reason\":");
    cli_text_json(&out, c->reason.length > 0 ? c->reason.data : "",
                  c->reason.length);
    cli_text_printf(&out, ",\"sha256\":\"%s\",\"total\":%lld,", c->sha256,
                    (long long)c->total);
    cli_case_put_list(&out, "undecided", &c->undecided);
    cli_text_printf(&out, ",\"verdict\":\"%s\"}", cli_verdict_name(c->verdict));
    bool ok = !out.failed && cli_sha256(hex, out.data, out.length);
    cli_text_free(&out);
    return ok;
}

bool cli_digest_begin(cli_digest *digest)
{
    digest->in_block = 0;
    digest->block = EVP_MD_CTX_new();
    digest->all = EVP_MD_CTX_new();
    return digest->block != NULL && digest->all != NULL &&
           EVP_DigestInit_ex(digest->block, EVP_sha256(), NULL) == 1 &&
           EVP_DigestInit_ex(digest->all, EVP_sha256(), NULL) == 1;
}

static bool end_block(cli_digest *digest)
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    digest->in_block = 0;
    return EVP_DigestFinal_ex(digest->block, hash, &size) == 1 &&
           EVP_DigestUpdate(digest->all, hash, size) == 1 &&
           EVP_DigestInit_ex(digest->block, EVP_sha256(), NULL) == 1;
}

bool cli_digest_add(cli_digest *digest, const char case_hex[65])
{
    if (EVP_DigestUpdate(digest->block, case_hex, 64) != 1)
        return false;
    digest->in_block++;
    return digest->in_block < BLOCK || end_block(digest);
}

bool cli_digest_end(cli_digest *digest, char hex[65])
{
    unsigned char hash[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    bool ok = digest->in_block == 0 || end_block(digest);
    ok = ok && EVP_DigestFinal_ex(digest->all, hash, &size) == 1;
    for (unsigned int i = 0; ok && i < size && i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", hash[i]);
    EVP_MD_CTX_free(digest->block);
    EVP_MD_CTX_free(digest->all);
    return ok;
}
