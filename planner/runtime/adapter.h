/* The check of a handle that was made of its Score just now. */
#ifndef SONATA_ADAPTER_H
#define SONATA_ADAPTER_H

#include "sonata/runtime.h"

/* sonata_adapter_check without computing the fingerprint again. */
sonata_status sonata_adapter_check_own(sonata_reasons *reasons,
                                       const sonata_score *score,
                                       const sonata_handle *handle,
                                       sonata_error *error);

#endif
