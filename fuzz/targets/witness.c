/*
 * A witness that somebody gives, of a small program with choices, symbols, a
 * predicate, a memory plan and buffers that may be one memory. What it is
 * refused for is a sentence; what is run is run twice, with the same records.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/replay/bridge.h"
#include "check.h"

#define WRITE(key, more)                                                       \
    "{\"buffer\":\"" key "\",\"dispatch\":\"output_existing\",\"access\":[{"   \
    "\"mode\":\"write\",\"must\":true,\"exact\":true" more "}]}"
#define READ(key, more)                                                        \
    "{\"buffer\":\"" key "\",\"dispatch\":\"input\",\"access\":[{\"mode\":"    \
    "\"read\",\"must\":true,\"exact\":true" more "}]}"
#define AT_N ",\"region\":{\"elem\":4,\"dims\":[[2,4,{\"t\":[[1,\"n\"]]}]]}"

static const char program[] =
    "{\"kind\":\"bundle\",\"version\":1,\"members\":[{\"role\":\"graph\","
    "\"document\":{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\","
    "\"rules\":\"none\",\"symbols\":[{\"name\":\"n\",\"min\":0,\"max\":6,"
    "\"free\":true}],\"choices\":[{\"id\":4,\"kind\":\"if\",\"text\":\"a\"}],"
    "\"buffers\":[{\"key\":\"param:x\",\"bytes\":32,\"may_alias\":["
    "\"param:y\"]},{\"key\":\"param:y\",\"bytes\":32},{\"key\":\"t\",\"bytes\":"
    "32},{\"key\":\"u\",\"bytes\":32}],\"tasks\":[{\"id\":1,\"name\":\"a\","
    "\"args\":[" WRITE(
        "t",
        AT_N) "]},{\"id\":2,\"name\":\"b\",\"predicate\":"
              "{\"buffer\":\"param:x\",\"region\":{\"elem\":4,\"dims\":[]},"
              "\"op\":\">\","
              "\"value\":0},\"args\":[" WRITE("t", "") "," WRITE(
                  "param:y",
                  "") "]},{\"id\":5,\"name\":\"c\",\"when\":[{\"choice\":4,"
                      "\"is\":true}],"
                      "\"args\":[" READ("t", "") "," WRITE(
                          "u",
                          "") "]},{\"id\":9,\"name\":\"d\","
                              "\"args\":[" READ("u", "") "," READ(
                                  "param:x",
                                  "") "," WRITE("param:x",
                                                "") "]}],\"edges\":[{\"from\":"
                                                    "1,\"to\":2,\"source\":"
                                                    "\"explicit\"}]}},"
                                                    "{\"role\":\"memory\","
                                                    "\"document\":{\"kind\":"
                                                    "\"memory_plan\","
                                                    "\"version\":1,"
                                                    "\"policy\":\"p\","
                                                    "\"allocations\":[{"
                                                    "\"storage_key\":\"t\","
                                                    "\"offset\":0,"
                                                    "\"size\":32},{\"storage_"
                                                    "key\":\"u\",\"offset\":16,"
                                                    "\"size\":32}],"
                                                    "\"peak_memory\":48}}]}";

static bool run(cli_replayed *out, const oracle_document *d, cli_span witness)
{
    char problem[512];
    cli_replaying how = {.differs = true, .digest = ""};
    bool ran =
        cli_replay_witness(out, d, witness, &how, problem, sizeof problem);
    check(!out->failed);
    check(ran == (problem[0] == '\0'));
    check(ran || out->count == 0);
    return ran;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    oracle_document d;
    oracle_error error;
    cli_replayed first = {0}, second = {0};
    check(oracle_document_read(&d, program, sizeof program - 1, NULL, &error) ==
          ORACLE_OK);
    check(oracle_document_derive(&d, &error) == ORACLE_OK);
    char *text = malloc(size + 1); /* reading beyond the end is seen */
    check(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    cli_span witness = {text, size};
    check(run(&first, &d, witness) == run(&second, &d, witness));
    check(first.records.length == second.records.length);
    check(first.records.length == 0 ||
          memcmp(first.records.data, second.records.data,
                 first.records.length) == 0);
    cli_replayed_free(&first);
    cli_replayed_free(&second);
    free(text);
    oracle_document_free(&d);
    return 0;
}
