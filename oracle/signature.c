/* Signatures and digests: the only place that uses OpenSSL. */
#include "finding.h"

#include "overlap.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

/* The first is of programs, the second of generated inputs. */
#define SIGNATURE_VERSION "1"
#define GROUP_VERSION "g3"
#define FIRST_WORDS 6

static void hex(char *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * count] = '\0';
}

static const char *key_class(const oracle_record *record,
                             const oracle_document *d)
{
    if (!record->has_storage) {
        return "";
    }
    const char *key = d->buffers[record->storage].key.data;
    return strncmp(key, "param:", 6) == 0   ? "param"
           : strncmp(key, "alloc:", 6) == 0 ? "alloc"
                                            : "other";
}

static bool finish(char signature[17], oracle_out *out)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    bool ok = !out->failed;
    SHA256((const unsigned char *)(out->data == NULL ? "" : out->data),
           out->length, digest);
    hex(signature, digest, 8);
    oracle_out_free(out);
    return ok;
}

/* --- Of programs --- */

static void add_end(oracle_out *out, const oracle_end *end,
                    const oracle_document *d)
{
    oracle_out_text(out, "|");
    if (end->task == ORACLE_NONE) {
        return;
    }
    const oracle_text *name = &d->tasks[end->task].name;
    oracle_out_string(out, name->data, name->length);
    if (end->arg != ORACLE_NONE) {
        oracle_out_format(out, ":%u", (unsigned)end->arg);
    }
}

static void sign_program(oracle_out *out, const oracle_record *record,
                         const oracle_document *document)
{
    add_end(out, &record->producer, document);
    add_end(out, &record->consumer, document);
    oracle_out_format(out, "|%s", key_class(record, document));
}

/* --- Of generated inputs --- */

/* The direction that the runtime is told; of a task as a whole "task". */
static const char *direction_of(const oracle_end *end, const oracle_document *d)
{
    static const char *const names[] = {[ORACLE_INPUT] = "input",
                                        [ORACLE_OUTPUT] = "output",
                                        [ORACLE_OUTPUT_EXISTING] =
                                            "output_existing",
                                        [ORACLE_INOUT] = "inout",
                                        [ORACLE_NO_DEP] = "no_dep",
                                        [ORACLE_UNKNOWN_DISPATCH] = "unknown"};
    if (end->task == ORACLE_NONE) {
        return "";
    }
    if (end->operand) {
        return "predicate";
    }
    if (end->arg == ORACLE_NONE) {
        return "task";
    }
    return names[d->args[d->tasks[end->task].first_arg + end->arg].dispatch];
}

/* A path without numbers, and of a member without the bundle around it. */
static void add_path(oracle_out *out, const char *path)
{
    static const char member[] = "].document.";
    const char *inner = strstr(path, member);
    if (strncmp(path, "members[", 8) == 0 && inner != NULL) {
        path = inner + strlen(member);
    }
    for (const char *at = path; *at != '\0'; at++) {
        if (*at < '0' || *at > '9') {
            oracle_out_raw(out, at, 1);
        }
    }
}

/* Up to a number, or what stands in quotes or brackets: those differ. */
static void add_first_words(oracle_out *out, const char *message)
{
    const char *at = message;
    for (int words = 0; words < FIRST_WORDS; words++) {
        size_t length = strcspn(at, " ");
        if (length == 0 || strcspn(at, "0123456789\"'([{") < length) {
            break;
        }
        oracle_out_raw(out, at, length);
        oracle_out_text(out, " ");
        at += length;
        at += *at == ' ';
    }
}

/* Where it is, of what has neither ends nor a cause to be told by. */
static void add_place(oracle_out *out, const oracle_record *record)
{
    if (record->path != NULL && record->path[0] != '\0') {
        add_path(out, record->path);
    } else if (record->producer.task == ORACLE_NONE &&
               record->consumer.task == ORACLE_NONE && record->cause == NULL) {
        add_first_words(out, record->message);
    }
}

static void sign_generated(oracle_out *out, const oracle_record *record,
                           const oracle_document *document,
                           const char *generated)
{
    oracle_out_format(out, "|%s|%s|%s|%s|%s|", generated,
                      direction_of(&record->producer, document),
                      direction_of(&record->consumer, document),
                      key_class(record, document),
                      oracle_overlap_class(record, document));
    add_place(out, record);
    if (record->shape != NULL) {
        oracle_out_text(out, "|");
        oracle_out_text(out, record->shape);
    }
}

/* --- Both --- */

bool oracle_signature(char signature[17], const oracle_record *record,
                      const oracle_document *document, const char *generated)
{
    oracle_out out = {0};
    oracle_out_format(&out, "%s|%s|%s",
                      generated == NULL ? SIGNATURE_VERSION : GROUP_VERSION,
                      record->rule, record->cause == NULL ? "" : record->cause);
    if (generated == NULL) {
        sign_program(&out, record, document);
    } else {
        sign_generated(&out, record, document, generated);
    }
    return finish(signature, &out);
}

void oracle_digest(char digest[65], const char *data, size_t length)
{
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)data, length, bytes);
    hex(digest, bytes, sizeof bytes);
}
