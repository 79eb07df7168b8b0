/* A witness with a zero byte in it is refused without a sentence. */
#include <string.h>

#include "../../../cli/replay/bridge.h"

bool __real_cli_replay_witness(cli_replayed *out,
                               const oracle_document *derived, cli_span text,
                               const cli_replaying *how, char *problem,
                               size_t size);
bool __wrap_cli_replay_witness(cli_replayed *out,
                               const oracle_document *derived, cli_span text,
                               const cli_replaying *how, char *problem,
                               size_t size);

bool __wrap_cli_replay_witness(cli_replayed *out,
                               const oracle_document *derived, cli_span text,
                               const cli_replaying *how, char *problem,
                               size_t size)
{
    bool ran =
        __real_cli_replay_witness(out, derived, text, how, problem, size);
    if (!ran && text.length > 0 && memchr(text.data, '\0', text.length) != NULL)
        problem[0] = '\0';
    return ran;
}
