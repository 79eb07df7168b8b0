/* The planner spells 1e-07 without the zero. */
#include <string.h>

#include "../../../planner/json/number.h"

sonata_text __real_sonata_number_spell(char room[SONATA_DOUBLE_SIZE],
                                       sonata_text spelling);
sonata_text __wrap_sonata_number_spell(char room[SONATA_DOUBLE_SIZE],
                                       sonata_text spelling);

sonata_text __wrap_sonata_number_spell(char room[SONATA_DOUBLE_SIZE],
                                       sonata_text spelling)
{
    sonata_text made = __real_sonata_number_spell(room, spelling);
    if (made.text != room || made.length < 4)
        return made;
    char *tail = room + made.length - 4;
    if (memcmp(tail, "e-0", 3) != 0)
        return made;
    tail[2] = tail[3];
    made.length--;
    return made;
}
