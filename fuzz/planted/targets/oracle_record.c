/* What leaves a judgement undecided is not listed, when it is one thing. */
#include "oracle/judge.h"

oracle_status __real_oracle_judge_text(oracle_judgement *judgement,
                                       const char *text, size_t length,
                                       const oracle_judge_options *options);
oracle_status __wrap_oracle_judge_text(oracle_judgement *judgement,
                                       const char *text, size_t length,
                                       const oracle_judge_options *options);

oracle_status __wrap_oracle_judge_text(oracle_judgement *judgement,
                                       const char *text, size_t length,
                                       const oracle_judge_options *options)
{
    oracle_status status =
        __real_oracle_judge_text(judgement, text, length, options);
    if (status == ORACLE_OK && judgement->undecided_count == 1)
        judgement->undecided_count = 0;
    return status;
}
