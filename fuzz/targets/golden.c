/*
 * Golden files: the input is a golden file, a zero byte, and facts. Blessing
 * the facts gives a file with which they have no difference but expected ones.
 */
#include <stdlib.h>
#include <string.h>

#include "../../cli/golden.h"
#include "check.h"

/* The lines of a text that are facts: others no case has. */
static void put_facts(cli_text *facts, const char *text, size_t length)
{
    cli_golden lines = {0};
    cli_text_add(&lines.text, text, length);
    check(cli_golden_parse(&lines));
    for (size_t i = 0; i < lines.fact_count; i++) {
        cli_text_add(facts, lines.facts[i].text, lines.facts[i].length);
        cli_text_put(facts, "\n");
    }
    cli_golden_free(&lines);
    cli_text_put(facts, "");
}

static void compare(cli_golden *golden, const char *text, size_t length,
                    const cli_text *facts)
{
    cli_text_add(&golden->text, text, length);
    check(cli_golden_parse(golden) && cli_golden_compare(golden, facts));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *zero = size == 0 ? NULL : memchr(text, '\0', size);
    size_t length = zero == NULL ? size : (size_t)(zero - text);
    cli_text facts = {0}, blessed = {0}, again = {0};
    cli_golden golden = {0}, second = {0};
    put_facts(&facts, zero == NULL ? "" : zero + 1,
              zero == NULL ? 0 : size - length - 1);
    compare(&golden, text, length, &facts);
    cli_golden_bless(&blessed, &golden);
    compare(&second, blessed.data, blessed.length, &facts);
    for (size_t i = 0; i < second.difference_count; i++)
        check(second.differences[i].expected != NULL);
    cli_golden_bless(&again, &second);
    check(again.length == blessed.length &&
          (again.length == 0 ||
           memcmp(again.data, blessed.data, again.length) == 0));
    cli_golden_free(&golden);
    cli_golden_free(&second);
    cli_text_free(&facts);
    cli_text_free(&blessed);
    cli_text_free(&again);
    return 0;
}
