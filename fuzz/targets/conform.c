/*
 * Lines of vector files: whatever a line is, what is said of it is members of
 * a JSON object, and the same each time.
 */
#include <stdlib.h>
#include <string.h>

#include "../../cli/conform.h"
#include "check.h"
#include "sonata/json.h"

static void compare(cli_text *out, const char *line, size_t length)
{
    sonata_doc *doc = NULL;
    cli_text_put(out, "{");
    check(cli_conform_case(out, line, length));
    cli_text_put(out, "}");
    check(!out->failed &&
          sonata_doc_read(&doc, out->data, out->length, NULL) == SONATA_OK);
    const sonata_node *root = sonata_doc_root(doc);
    check((sonata_node_get(doc, root, "fields") != NULL) !=
          (sonata_node_get(doc, root, "malformed") != NULL));
    sonata_doc_free(doc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end == NULL ? size : (size_t)(end - text);
        cli_text first = {0}, second = {0};
        compare(&first, text, length);
        compare(&second, text, length);
        check(first.length == second.length &&
              memcmp(first.data, second.data, first.length) == 0);
        cli_text_free(&first);
        cli_text_free(&second);
        size -= length + (end == NULL ? 0 : 1);
        text += length + (end == NULL ? 0 : 1);
    }
    return 0;
}
