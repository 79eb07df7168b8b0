/* The judge misses lost order between a read and a write much later. */
#include "../../oracle/hazard.h"

#define NEAR 16 /* tasks */

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
    if (hazard->kind == ORACLE_HAZARD_WAR &&
        hazard->consumer.task > hazard->producer.task + NEAR) {
        return true;
    }
    return __real_oracle_hazard_keep(hazards, document, hazard);
}
