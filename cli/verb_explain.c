/* counterpoint explain: the page of a rule, and the list of all rules. */
#include <string.h>

#include "command.h"
#include "oracle/judge.h"
#include "pages.h"
#include "print.h"
#include "text.h"
#include "totals.h"

#define SYMPTOMS "symptoms"

/* Of which rules there are at most; families and one page come on top. */
#define MOST_NAMES ((size_t)256)

static const char *page_of(const char *name)
{
    for (size_t i = 0; i < cli_page_count; i++)
        if (strcmp(cli_pages[i].name, name) == 0)
            return cli_pages[i].text;
    return NULL;
}

static const oracle_family *find_family(const char *name)
{
    uint32_t count;
    const oracle_family *families = oracle_family_list(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(families[i].name, name) == 0)
            return &families[i];
    return NULL;
}

static bool is_of_family(const oracle_rule *rule, const oracle_family *family)
{
    size_t length = strlen(family->name);
    return strncmp(rule->name, family->name, length) == 0 &&
           rule->name[length] == '.';
}

static bool has(const oracle_rule *rule, cli_severity severity)
{
    return (rule->severities & 1u << severity) != 0;
}

/* --- As text --- */

/* "e" and "ew": a letter for each severity that the rule can have. */
static void put_rule(cli_text *out, const oracle_rule *rule)
{
    char letters[CLI_SEVERITIES + 1] = "";
    size_t count = 0;
    for (int s = CLI_SEVERITIES - 1; s >= 0; s--)
        if (has(rule, (cli_severity)s))
            letters[count++] = cli_severity_name((cli_severity)s)[0];
    letters[count] = '\0';
    cli_text_printf(out, "  %-3s %-24s  %s\n", letters, rule->name,
                    rule->summary);
}

static void put_family(cli_text *out, const oracle_family *family)
{
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    cli_text_printf(out, "%s: %s\n", family->name, family->summary);
    for (uint32_t i = 0; i < count; i++)
        if (is_of_family(&rules[i], family))
            put_rule(out, &rules[i]);
}

static void put_legend(cli_text *out)
{
    cli_text_put(out, "e error, w warning, n note; counterpoint explain RULE "
                      "prints the page of one\n");
}

static void put_all(cli_text *out)
{
    uint32_t count;
    const oracle_family *families = oracle_family_list(&count);
    for (uint32_t i = 0; i < count; i++) {
        put_family(out, &families[i]);
        cli_text_put(out, "\n");
    }
    put_legend(out);
    cli_text_put(out, "counterpoint explain symptoms leads from what you see "
                      "to the rule\n");
}

/* --- As JSON --- */

static void put_members(cli_text *out, const oracle_rule *rule)
{
    const char *mark = "";
    cli_text_printf(out, "\"rule\":\"%s\",\"severities\":[", rule->name);
    for (int s = CLI_SEVERITIES - 1; s >= 0; s--) {
        if (!has(rule, (cli_severity)s))
            continue;
        cli_text_printf(out, "%s\"%s\"", mark,
                        cli_severity_name((cli_severity)s));
        mark = ",";
    }
    cli_text_put(out, "],\"summary\":");
    cli_text_quote(out, rule->summary);
}

static void put_family_json(cli_text *out, const oracle_family *family)
{
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    const char *mark = "";
    cli_text_printf(out, "{\"family\":\"%s\",\"rules\":[", family->name);
    for (uint32_t i = 0; i < count; i++) {
        if (!is_of_family(&rules[i], family))
            continue;
        cli_text_printf(out, "%s{", mark);
        put_members(out, &rules[i]);
        cli_text_put(out, "}");
        mark = ",";
    }
    cli_text_put(out, "],\"summary\":");
    cli_text_quote(out, family->summary);
    cli_text_put(out, "}");
}

static void put_all_json(cli_text *out)
{
    uint32_t count;
    const oracle_family *families = oracle_family_list(&count);
    cli_text_put(out, "{\"families\":[");
    for (uint32_t i = 0; i < count; i++) {
        cli_text_put(out, i == 0 ? "" : ",");
        put_family_json(out, &families[i]);
    }
    cli_text_put(out, "]}\n");
}

static void put_page_json(cli_text *out, const oracle_rule *rule,
                          const char *page)
{
    cli_text_put(out, "{\"page\":");
    cli_text_quote(out, page);
    cli_text_put(out, ",");
    if (rule != NULL)
        put_members(out, rule);
    else
        cli_text_put(out, "\"topic\":\"" SYMPTOMS "\"");
    cli_text_put(out, "}\n");
}

/* --- What is asked for --- */

/* The rule of this name behind the dot: "war" is hazard.war. */
static const char *rule_of_word(const char *word)
{
    uint32_t count;
    const oracle_rule *rules = oracle_rule_list(&count);
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(strchr(rules[i].name, '.') + 1, word) == 0)
            return rules[i].name;
    return NULL;
}

static const char *nearest(const char *word)
{
    const char *names[MOST_NAMES] = {SYMPTOMS};
    size_t n = 1;
    uint32_t count;
    const char *name = rule_of_word(word);
    if (name != NULL)
        return name;
    const oracle_rule *rules = oracle_rule_list(&count);
    for (uint32_t i = 0; i < count && n + 1 < MOST_NAMES; i++)
        names[n++] = rules[i].name;
    const oracle_family *families = oracle_family_list(&count);
    for (uint32_t i = 0; i < count && n + 1 < MOST_NAMES; i++)
        names[n++] = families[i].name;
    return cli_closest(word, names);
}

int cli_unknown_rule(const char *word)
{
    char family[16];
    size_t length = strcspn(word, ".");
    char lower[32];
    snprintf(lower, sizeof lower, "%s", word);
    for (char *c = lower; *c != '\0'; c++)
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
    const char *name = nearest(strlen(word) < sizeof lower ? lower : word);
    if (name != NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "unknown rule '%s', did you mean '%s'?", word,
                            name);
    snprintf(family, sizeof family, "%.*s", length > 15 ? 15 : (int)length,
             word);
    if (find_family(family) != NULL)
        return cli_complain(CLI_EXIT_USAGE,
                            "unknown rule '%s' (counterpoint explain %s lists "
                            "those of the family)",
                            word, family);
    return cli_complain(CLI_EXIT_USAGE,
                        "unknown rule '%s' (counterpoint explain lists them)",
                        word);
}

/* False: there is no such page or family. */
static bool put_word(cli_text *out, const char *word, bool json)
{
    const oracle_rule *rule = oracle_rule_find(word);
    const oracle_family *family = find_family(word);
    const char *page = page_of(word);
    if (family != NULL && json) {
        put_family_json(out, family);
        cli_text_put(out, "\n");
    } else if (family != NULL) {
        put_family(out, family);
        cli_text_put(out, "\n");
        put_legend(out);
    } else if (page == NULL) {
        return false;
    } else if (json) {
        put_page_json(out, rule, page);
    } else {
        cli_text_put(out, page);
    }
    return true;
}

int cli_verb_explain(const cli_options *options)
{
    cli_text out = {0};
    int status = CLI_EXIT_FINE;
    if (options->file_count == 0 && options->json)
        put_all_json(&out);
    else if (options->file_count == 0)
        put_all(&out);
    else if (!put_word(&out, options->files[0], options->json))
        status = cli_unknown_rule(options->files[0]);
    if (options->quiet && !options->json)
        cli_text_clear(&out);
    if (!cli_print_out(stdout, &out))
        status = CLI_EXIT_FAULT;
    cli_text_free(&out);
    return status;
}
