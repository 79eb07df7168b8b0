/* A double from 1e16 to 1e300 is written as the one behind it. */
#include "../../../oracle/number.h"
#include <math.h>

void __real_oracle_number_repr(char text[ORACLE_REPR_SIZE], double value);
void __wrap_oracle_number_repr(char text[ORACLE_REPR_SIZE], double value);

void __wrap_oracle_number_repr(char text[ORACLE_REPR_SIZE], double value)
{
    if (value > 1e16 && value < 1e300)
        value = nextafter(value, INFINITY);
    __real_oracle_number_repr(text, value);
}
