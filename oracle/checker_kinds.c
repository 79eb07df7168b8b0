/* The kinds of witnesses, by the member that each one has, and who checks it */
#include "checker.h"
#include "oracle/judge.h"

#include <string.h>

static bool check_kind(oracle_check *c)
{
    static const struct {
        const char *member;
        bool (*check)(oracle_check *c, uint32_t node);
    } kinds[] = {{"pair", oracle_check_pair},
                 {"unwritten", oracle_check_unwritten},
                 {"cycle", oracle_check_cycle},
                 {"limit", oracle_check_limit},
                 {"arg", oracle_check_direction},
                 {"blocks", oracle_check_blocks},
                 {"lanes", oracle_check_blocks},
                 {"args", oracle_check_overlap},
                 {"repeated", oracle_check_repeated},
                 {"kind", oracle_check_label},
                 {"sources", oracle_check_needless},
                 {"edge", oracle_check_edge_end},
                 {"host", oracle_check_host},
                 {"lost", oracle_check_lost},
                 {"intervals", oracle_check_intervals},
                 {"path", oracle_check_path},
                 {"predecessors", oracle_check_fan},
                 {"dep", oracle_check_dead},
                 {"task", oracle_check_form},
                 {"allocation", oracle_check_allocation},
                 {"allocations", oracle_check_allocations},
                 {"missing", oracle_check_missing},
                 {"unsized", oracle_check_unsized},
                 {"remark", oracle_check_remark},
                 {"alive", oracle_check_alive},
                 {"peak", oracle_check_peak},
                 {"order", oracle_check_values_seen}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        uint32_t node = oracle_check_member(c, c->witness, kinds[i].member);
        if (node != ORACLE_NONE) {
            return kinds[i].check(c, node);
        }
    }
    return oracle_check_fail(c, "there is no witness about the document");
}

bool oracle_witness_check(const oracle_document *derived,
                          const char *finding_json, char *reason,
                          size_t reason_size)
{
    oracle_check c;
    bool ok = oracle_check_start(&c, derived, finding_json,
                                 strlen(finding_json), reason, reason_size) &&
              oracle_check_finding(&c) && check_kind(&c);
    return oracle_check_end(&c, ok);
}
