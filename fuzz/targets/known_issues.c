/*
 * The file of known issues, and the lines of ratios: what is taken from a text
 * is well-formed and written out again gives the same; what is refused has a
 * place.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../cli/day.h"
#include "check.h"
#include "reports/speed.h"
#include "reports/triage.h"

#define LONGEST ((size_t)65536)

static void check_item(const report_known *known)
{
    check(strspn(known->signature, "0123456789abcdef") == 16 &&
          known->signature[16] == '\0');
    check(cli_day_is(known->until) && strlen(known->until) == CLI_DAY_LENGTH);
    check(*known->owner != '\0' && strpbrk(known->owner, " \t\n") == NULL);
    check(*known->reason != '\0' && strpbrk(known->reason, "\r\n") == NULL);
}

static void check_twice(const report_known_list *list)
{
    for (size_t i = 0; i < list->count && i < 64; i++)
        for (size_t j = 0; j < i; j++)
            check(strcmp(list->items[i].signature, list->items[j].signature) !=
                  0);
}

static char *write_again(size_t *length, const report_known_list *list)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    check(out != NULL);
    for (size_t i = 0; i < list->count; i++)
        fprintf(out, "%s %s %s %s\n", list->items[i].signature,
                list->items[i].until, list->items[i].owner,
                list->items[i].reason);
    check(fclose(out) == 0);
    return text;
}

static void check_again(const report_known_list *list)
{
    size_t length = 0;
    report_known_list again;
    report_error error;
    char *text = write_again(&length, list);
    check(report_known_read(&again, text, length, &error) == REPORT_OK);
    check(again.count == list->count);
    for (size_t i = 0; i < list->count; i++)
        check(strcmp(again.items[i].reason, list->items[i].reason) == 0);
    report_known_free(&again);
    free(text);
}

static void read_known(const char *text, size_t size)
{
    report_known_list list;
    report_error error;
    report_status status = report_known_read(&list, text, size, &error);
    check(status == REPORT_OK || status == REPORT_FOREIGN);
    if (status != REPORT_OK) {
        check(strncmp(error.message, "line ", 5) == 0 && list.count == 0);
        return;
    }
    for (size_t i = 0; i < list.count; i++)
        check_item(&list.items[i]);
    check_twice(&list);
    check_again(&list);
    report_known_free(&list);
}

static void read_speeds(const char *text, size_t size)
{
    report_speed_list list;
    report_error error;
    report_status status = report_speeds_read(&list, text, size, &error);
    check(status == REPORT_OK || status == REPORT_FOREIGN);
    for (size_t i = 0; i < list.count; i++)
        check(*list.items[i].name != '\0' && list.items[i].ratio > 0 &&
              list.items[i].ratio < 1e31);
    report_speeds_free(&list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = size == 0 ? "" : (const char *)data;
    if (size > LONGEST)
        return 0;
    read_known(text, size);
    read_speeds(text, size);
    return 0;
}
