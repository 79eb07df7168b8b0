/* Judging texts in tests: growing ones, and what is found in them. */
#ifndef ORACLE_TESTS_JUDGED_H
#define ORACLE_TESTS_JUDGED_H

#include "oracle/judge.h"

typedef struct growing {
    char *data; /* NUL behind it; to be freed */
    size_t length, room;
} growing;

void growing_put(growing *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same numbers from the same state, on every machine. */
typedef struct numbers {
    uint64_t state;
} numbers;

uint32_t numbers_below(numbers *numbers, uint32_t limit);

typedef struct judged {
    oracle_document document;
    oracle_judgement judgement;
} judged;

/* Every finding edge.* or memory.waste has a witness that is accepted. */
void judged_text(judged *judged, const char *text, size_t length);
void judged_free(judged *judged);
/* The one finding of a rule, or NULL. */
const oracle_finding *judged_only(const judged *judged, const char *rule);
/* `part` is in the one finding of the rule; NULL: there is none. */
void judged_expect(const char *text, const char *rule, const char *part);
/* Whether the checker accepts a finding about a text. */
void judged_accept(const char *text, const char *finding, bool accepted);

#define ACCESS(mode)                                                           \
    "\"access\":[{\"mode\":\"" mode "\",\"must\":true,\"exact\":true}]"
#define R(key)                                                                 \
    "{\"buffer\":\"" key "\",\"dispatch\":\"input\"," ACCESS("read") "}"
#define W(key)                                                                 \
    "{\"buffer\":\"" key                                                       \
    "\",\"dispatch\":\"output_existing\"," ACCESS("write") "}"
#define UNKNOWN(key) "{\"buffer\":\"" key "\",\"dispatch\":\"no_dep\"}"
#define DUMMY "\"dummy\":true,"
#define DEP(task) "{\"task\":" #task "}"
#define DEPS(list) "\"deps\":[" list "],"
#define T(id, more, args)                                                      \
    "{\"id\":" #id ",\"name\":\"k\"," more "\"args\":[" args "]}"
#define E(from, to, source, kind)                                              \
    "{\"from\":" #from ",\"to\":" #to ",\"source\":\"" source                  \
    "\",\"kind\":\"" kind "\"}"
#define WHEN(is) "\"when\":[{\"choice\":4,\"is\":" is "}],"
#define GRAPH(more, tasks, edges)                                              \
    "{\"kind\":\"task_graph\",\"version\":1,\"name\":\"g\",\"rules\":"         \
    "\"none\"," more "\"buffers\":[{\"key\":\"param:x\",\"bytes\":64,"         \
    "\"external\":true},{\"key\":\"param:y\",\"bytes\":64,\"external\":true}," \
    "{\"key\":\"param:z\",\"bytes\":64,\"external\":true}],"                   \
    "\"tasks\":[" tasks "],\"edges\":[" edges "]}"

#endif
