/* Where a planner has crashed, out of what it has printed. */
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../fuzz/frames.h"

static void expect(const char *text, const char *wanted)
{
    char frames[256];
    cli_frames_find(frames, sizeof frames, text, strlen(text));
    assert_string_equal(frames, wanted);
}

/* As cli/crash.c writes them, built by either compiler. */
static void own_words(void **state)
{
    (void)state;
    expect("counterpoint: signal SIGSEGV\n#0 in inner\n#1 in middle\n"
           "#2 in outer\n#3 in answer\n#4 in main\n",
           "inner < middle < outer");
    expect("#0 in inner.part.0\n#1 in middle.constprop.0.cold\n#2 in _start\n",
           "inner < middle");
    expect("#0 in a\n#1 in _s\n", "a < _s");
    expect("counterpoint: signal SIGABRT\n", "");
    expect("", "");
}

/* Of one crash, as the sanitizers of gcc and clang write it. */
static void sanitizers(void **state)
{
    (void)state;
    expect("AddressSanitizer:DEADLYSIGNAL\n"
           "==7==ERROR: AddressSanitizer: SEGV on unknown address 0x000\n"
           "    #0 0x7f16 in __strlen_evex ../multiarch/strlen-evex.S:79\n"
           "    #1 0x7f17 in __interceptor_strlen ../interceptors.inc:387\n"
           "    #2 0x5583 in inner /there/p.c:15\n"
           "    #3 0x5584 in middle /there/p.c:23\n"
           "    #4 0x5585 in outer /there/p.c:24\n",
           "inner < middle < outer");
    expect("    #0 0x7fad in __strlen_evex string/strlen-evex.S:79\n"
           "    #1 0x556d in strlen (/here/p+0x372f8) (BuildId: 97)\n"
           "    #2 0x556e in inner /here/p.c:15:20\n"
           "    #3 0x556f in middle /here/p.c:23:33\n"
           "    #4 0x5570 in outer (/here/p+0x1234)\n",
           "inner < middle < outer");
    expect("    #0 0x1 in printf_common(void*, char const*) (/p+0x1)\n"
           "    #1 0x2 in snprintf (/p+0x2)\n    #2 0x3 in inner p.c:1:2\n",
           "inner");
}

/* The first backtrace counts, and not who has freed or made what was hit. */
static void first_of_several(void **state)
{
    (void)state;
    expect("READ of size 1 at 0x602000000013 thread T0\n"
           "    #0 0x55 in inner p.c:16\n    #1 0x56 in middle p.c:23\n\n"
           "freed by thread T0 here:\n"
           "    #0 0x7f in __interceptor_free asan_malloc_linux.cpp:52\n"
           "    #1 0x57 in other p.c:16\n    #2 0x58 in third p.c:23\n",
           "inner < middle");
    expect("    #0 0x55 in walk p.c:1\n    #1 0x55 in walk p.c:1\n"
           "    #2 0x55 in walk p.c:1\n    #3 0x55 in main p.c:9\n",
           "walk < walk < walk");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_words),
    cmocka_unit_test(sanitizers),
    cmocka_unit_test(first_of_several),
};

TEST_MAIN(tests)
