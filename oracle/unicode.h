/* What Python's str.isalnum says of characters above U+007F. */
#ifndef ORACLE_UNICODE_H
#define ORACLE_UNICODE_H

#include <stdbool.h>
#include <stdint.h>

bool oracle_is_alnum(uint32_t code);

#endif
