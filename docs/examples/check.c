/*
 * Checks Score documents: `check FILE...` prints, for each, what is wrong with
 * it as "[code] message", or its fingerprint.
 */
#include <sonata/score.h>

#include "file.h"

static void print_reasons(const sonata_reasons *reasons)
{
    for (size_t i = 0; i < reasons->count; i++)
        printf("  [%s] %s\n", reasons->items[i].code,
               reasons->items[i].message.text);
}

/* A document that is no Score is an error, with the place of the fault; one
 * that is, and is not valid, has reasons. */
static sonata_status check(const char *text, size_t length, bool *is_good,
                           sonata_error *error)
{
    sonata_score score;
    sonata_reasons reasons = {0}; /* warnings of the reader first */
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    *is_good = false;
    sonata_status status =
        sonata_score_read(&score, text, length, &reasons, error);
    if (status == SONATA_OK)
        status = sonata_score_validate(&reasons, &score, error);
    if (status == SONATA_OK) {
        print_reasons(&reasons);
        *is_good = !sonata_reasons_reject(&reasons);
    }
    if (*is_good) {
        status = sonata_score_fingerprint(fingerprint, &score, false, error);
        if (status == SONATA_OK)
            printf("  fingerprint %s\n", fingerprint);
    }
    sonata_score_free(&score);
    sonata_reasons_free(&reasons);
    return status;
}

int main(int argc, char **argv)
{
    int result = 0;
    for (int i = 1; i < argc; i++) {
        sonata_error error;
        bool is_good = false;
        size_t length = 0;
        char *text = read_whole_file(argv[i], &length);
        if (text == NULL)
            return 2;
        printf("%s\n", argv[i]);
        if (check(text, length, &is_good, &error) != SONATA_OK)
            printf("  [%s] %s\n", error.code, error.message);
        free(text);
        if (!is_good)
            result = 1;
    }
    return result;
}
