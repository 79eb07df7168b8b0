/* Asks the second answer, and what is expected of it. Texts have ' for ". */
#ifndef ORACLE_TESTS_ASKING_H
#define ORACLE_TESTS_ASKING_H

#include "oracle/answer.h"

#define ASKING_ROOM ((size_t)1 << 16) /* of each text */

/* Each ' becomes a ". */
void asking_quote(char *text);
/* Behind what is in `out`, which has ASKING_ROOM bytes. */
void asking_put(char *out, const char *text);
/* Behind it a copy of a text in which `from`, which it has, is `to`. */
void asking_put_changed(char *out, const char *text, const char *from,
                        const char *to);
/* Judges the line that a planner answers to a question (oracle/answer.h). */
void asking_check(oracle_judgement *j, const char *kind, const char *input,
                  const char *asked, const char *expected, const char *line);
void asking_expect_none(const oracle_judgement *j);
/* Exactly one finding, of this rule and cause. */
void asking_expect_one(const oracle_judgement *j, const char *rule,
                       const char *cause);

#endif
