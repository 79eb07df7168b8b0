/* Signatures and digests: the only place that uses OpenSSL. */
#include "finding.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>

#define SIGNATURE_VERSION "1"

static void hex(char *out, const unsigned char *bytes, size_t count)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * count] = '\0';
}

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
        oracle_out_raw(out, ":", 1);
        oracle_out_int(out, end->arg);
    }
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

void oracle_signature(char signature[17], const oracle_record *record,
                      const oracle_document *document)
{
    unsigned char digest[SHA256_DIGEST_LENGTH];
    oracle_out out = {0};
    oracle_out_text(&out, SIGNATURE_VERSION "|");
    oracle_out_text(&out, record->rule);
    oracle_out_raw(&out, "|", 1);
    oracle_out_text(&out, record->cause == NULL ? "" : record->cause);
    add_end(&out, &record->producer, document);
    add_end(&out, &record->consumer, document);
    oracle_out_raw(&out, "|", 1);
    oracle_out_text(&out, key_class(record, document));
    SHA256((const unsigned char *)(out.data == NULL ? "" : out.data),
           out.length, digest);
    hex(signature, digest, 8);
    oracle_out_free(&out);
}

void oracle_digest(char digest[65], const char *data, size_t length)
{
    unsigned char bytes[SHA256_DIGEST_LENGTH];
    SHA256((const unsigned char *)data, length, bytes);
    hex(digest, bytes, sizeof bytes);
}
