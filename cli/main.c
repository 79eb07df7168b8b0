#include "command.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

#ifdef __SANITIZE_ADDRESS__
/*
 * AddressSanitizer keeps what was freed, so that a late use of it is found: of
 * the last 4 MB, which are some cases of `fuzz`, instead of 256 MB, whose pages
 * cost more than many a case. ASAN_OPTIONS still wins.
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=4:thread_local_quarantine_size_kb=256";
}
#endif

int main(int argc, char **argv)
{
    return cli_main(argc, argv);
}
