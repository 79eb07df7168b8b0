/* Of several overlaps one is not counted. */
#include "../../../oracle/csv.h"

#define SOME 2

bool __real_oracle_csv_look(oracle_csv_sweep *sweep, const oracle_csv *csv,
                            uint32_t limit, oracle_arena *arena);
bool __wrap_oracle_csv_look(oracle_csv_sweep *sweep, const oracle_csv *csv,
                            uint32_t limit, oracle_arena *arena);

bool __wrap_oracle_csv_look(oracle_csv_sweep *sweep, const oracle_csv *csv,
                            uint32_t limit, oracle_arena *arena)
{
    bool ok = __real_oracle_csv_look(sweep, csv, limit, arena);
    if (ok && sweep->overlaps > SOME)
        sweep->overlaps--;
    return ok;
}
