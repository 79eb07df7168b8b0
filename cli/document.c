#include "document.h"

#include <string.h>

#include "sonata/json.h"
#include "sonata/score.h"

static sonata_status write_score(char **json, size_t *length, cli_span text,
                                 sonata_error *error)
{
    sonata_score score = {0};
    sonata_status status =
        sonata_score_read(&score, text.data, text.length, NULL, error);
    if (status == SONATA_OK)
        status = sonata_score_json(json, length, &score, false, error);
    sonata_score_free(&score);
    return status;
}

static sonata_status write_value(char **json, size_t *length, cli_span text,
                                 sonata_error *error)
{
    sonata_doc *doc = NULL;
    sonata_status status = sonata_doc_read(&doc, text.data, text.length, error);
    if (status == SONATA_OK)
        status = sonata_node_json(json, length, doc, sonata_doc_root(doc),
                                  false, error);
    sonata_doc_free(doc);
    return status;
}

sonata_status cli_document_write(char **json, size_t *length, const char *form,
                                 cli_span text, sonata_error *error)
{
    return strcmp(form, "score") == 0 ? write_score(json, length, text, error)
                                      : write_value(json, length, text, error);
}
