/* The judge misses storages that have no more than one byte in common. */
#include "../../oracle/reuse.h"

bool __real_oracle_reuse_keep(oracle_reuses *reuses, const oracle_reuse *reuse);
bool __wrap_oracle_reuse_keep(oracle_reuses *reuses, const oracle_reuse *reuse);

bool __wrap_oracle_reuse_keep(oracle_reuses *reuses, const oracle_reuse *reuse)
{
    return reuse->where.begin + 1 >= reuse->where.end ||
           __real_oracle_reuse_keep(reuses, reuse);
}
