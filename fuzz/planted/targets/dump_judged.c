/* The predicate of a task is written as that of a branch. */
#include "../../../planner/json/writer.h"

void __real_sonata_json_known_key(sonata_json *w, const char *key,
                                  size_t length);
void __wrap_sonata_json_known_key(sonata_json *w, const char *key,
                                  size_t length);

void __wrap_sonata_json_known_key(sonata_json *w, const char *key,
                                  size_t length)
{
    static const char predicate[] = "predicate";
    if (length == sizeof predicate - 1 && strcmp(key, predicate) == 0) {
        key = "predicated";
        length++;
    }
    __real_sonata_json_known_key(w, key, length);
}
