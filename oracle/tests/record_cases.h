/* Small records and traces of runs, as text, and what is found in them. */
#ifndef ORACLE_TESTS_RECORD_CASES_H
#define ORACLE_TESTS_RECORD_CASES_H

#include "oracle/judge.h"

#include <stddef.h>

/* A row of 16 floats of a tensor, from element `start` on. */
#define ARG(idx, type, tensor, start)                                          \
    "{\"idx\":" idx ",\"type\":\"" type "\",\"tensor_id\":\"" tensor           \
    "\",\"dtype\":\"FLOAT32\",\"shape\":[16],\"start_offset\":\"" start        \
    "\",\"strides\":[1]}"
#define IN(idx, tensor, start) ARG(idx, "INPUT", tensor, start)
#define OUT(idx, tensor, start) ARG(idx, "OUTPUT_EXISTING", tensor, start)
#define INOUT(idx, tensor, start) ARG(idx, "INOUT", tensor, start)
#define NO_DEP(idx, tensor, start) ARG(idx, "UNKNOWN", tensor, start)
#define OUTPUT(idx) "{\"idx\":" idx ",\"type\":\"OUTPUT\"}"
#define ROW(id, scope, args)                                                   \
    "{\"task_id\":\"" id "\",\"scope\":\"" scope                               \
    "\",\"early_dispatch\":false,\"kernel_ids\":[-1,1,-1],\"block_num\":1,"    \
    "\"args\":[" args "]}"
#define TENSOR(id, address, elements)                                          \
    "{\"tensor_id\":\"" id "\",\"buffer_addr\":\"" address                     \
    "\",\"version\":0,\"dtype\":\"FLOAT32\",\"buffer_numel\":\"" elements      \
    "\"}"
#define EDGE(pred, succ, source)                                               \
    "{\"pred\":\"" pred "\",\"succ\":\"" succ                                  \
    "\",\"arg\":-1,\"source\":\"" source "\"}"
#define MADE(pred, succ, tensor)                                               \
    "{\"pred\":\"" pred "\",\"succ\":\"" succ                                  \
    "\",\"arg\":0,\"source\":\"creator\",\"tensor_id\":\"" tensor "\"}"

typedef struct record_case {
    const char *tasks, *tensors, *edges; /* the items of the lists */
} record_case;

typedef struct found {
    oracle_judgement judgement;
} found;

void write_record(char *text, size_t size, const record_case *c);
void judge_bytes(found *f, const char *text, size_t length);
void judge_text(found *f, const char *text);
void judge_record(found *f, const record_case *c);
/* With a trace and a member of a role beside it, each NULL for none. */
void judge_run(found *f, const record_case *c, const char *trace,
               const char *role, const char *plan);
void finish(found *f);

/* The verdict, and exactly the findings of these rules ("a+b", NULL: none). */
void expect_only(const found *f, oracle_verdict verdict, const char *rules);
/* Whether some assumption has these words. */
bool assumes(const found *f, const char *words);
/* NULL: there is no such file. */
char *read_text(const char *path);

#endif
