/* A long string loses its last letter when it is written. */
#include "../../../planner/json/writer.h"

#define LONG 100 /* bytes */

void __real_sonata_json_string_n(sonata_json *w, const char *text,
                                 size_t length);
void __wrap_sonata_json_string_n(sonata_json *w, const char *text,
                                 size_t length);

void __wrap_sonata_json_string_n(sonata_json *w, const char *text,
                                 size_t length)
{
    if (length > LONG && (unsigned char)text[length - 1] < 0x80)
        length--;
    __real_sonata_json_string_n(w, text, length);
}
