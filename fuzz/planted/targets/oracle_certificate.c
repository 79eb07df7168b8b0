/* A long certificate claims another order in its last place. */
#include <string.h>

#include "oracle/judge.h"

#define LONG 1000 /* bytes */

oracle_status __real_oracle_certify(char **certificate, const char *text,
                                    size_t length,
                                    const oracle_judge_options *options,
                                    char *reason, size_t reason_size);
oracle_status __wrap_oracle_certify(char **certificate, const char *text,
                                    size_t length,
                                    const oracle_judge_options *options,
                                    char *reason, size_t reason_size);

oracle_status __wrap_oracle_certify(char **certificate, const char *text,
                                    size_t length,
                                    const oracle_judge_options *options,
                                    char *reason, size_t reason_size)
{
    oracle_status status = __real_oracle_certify(certificate, text, length,
                                                 options, reason, reason_size);
    char *order = NULL;
    if (status == ORACLE_OK && *certificate != NULL &&
        strlen(*certificate) > LONG)
        order = strstr(*certificate, "\"order\":[");
    char *end = order == NULL ? NULL : strchr(order, ']');
    if (end != NULL)
        end[-1] = end[-1] == '1' ? '2' : '1';
    return status;
}
