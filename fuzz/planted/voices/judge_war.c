/* The judge misses a write that need not come after a read. */
#include "../../../oracle/hazard.h"

bool __real_oracle_hazard_keep(oracle_hazards *hazards,
                               const oracle_document *document,
                               const oracle_hazard *hazard);
bool __wrap_oracle_hazard_keep(oracle_hazards *hazards,
                               const oracle_document *document,
                               const oracle_hazard *hazard);

bool __wrap_oracle_hazard_keep(oracle_hazards *hazards,
                               const oracle_document *document,
                               const oracle_hazard *hazard)
{
    return hazard->kind == ORACLE_HAZARD_WAR ||
           __real_oracle_hazard_keep(hazards, document, hazard);
}
