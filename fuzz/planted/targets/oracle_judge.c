/* Every fortieth hazard is lost, whichever document it is of. */
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
    static unsigned calls;
    return ++calls % 40 == 0 ||
           __real_oracle_hazard_keep(hazards, document, hazard);
}
