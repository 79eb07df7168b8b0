/* The planner's reader refuses an exponent with a capital letter and a sign. */
#include <string.h>

#include "sonata/json.h"

sonata_status __real_sonata_doc_read(sonata_doc **doc, const char *text,
                                     size_t length, sonata_error *error);
sonata_status __wrap_sonata_doc_read(sonata_doc **doc, const char *text,
                                     size_t length, sonata_error *error);

sonata_status __wrap_sonata_doc_read(sonata_doc **doc, const char *text,
                                     size_t length, sonata_error *error)
{
    if (length > 0 && memmem(text, length, "0E+", 3) != NULL)
        length = 0;
    return __real_sonata_doc_read(doc, text, length, error);
}
