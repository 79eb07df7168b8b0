/*
 * Whether a text is SARIF as we write it: members that the schema knows, a
 * physical location everywhere, indexes that lead to what they say.
 */
#ifndef REPORTS_TESTS_SARIF_CHECK_H
#define REPORTS_TESTS_SARIF_CHECK_H

#include <cjson/cJSON.h>

/* Fails the case when it is not. cJSON_Delete what it gives: the one run. */
const cJSON *sarif_check(cJSON **document, const char *text);

#endif
