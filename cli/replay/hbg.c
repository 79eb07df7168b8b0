#include "hbg.h"

#include <string.h>

bool cli_hbg_differs(const cli_case *c)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->findings[i].severity == CLI_ERROR &&
            strncmp(c->findings[i].rule, "hbg.", 4) == 0)
            return true;
    return false;
}

bool cli_hbg_alone(cli_text *out, cli_span bundle)
{
    cli_span list, key, item, role;
    cli_walk walk;
    bool has_plan = false, first = true;
    if (!cli_span_member(&list, bundle, "members") ||
        !cli_walk_array(&walk, list))
        return false;
    cli_text_put(out, "{\"kind\":\"bundle\",\"members\":[");
    while (cli_walk_next(&walk, &key, &item)) {
        if (!cli_span_member(&role, item, "role") ||
            cli_span_is(role, "\"graph\"") || cli_span_is(role, "\"score\""))
            continue;
        has_plan = has_plan || cli_span_is(role, "\"hbg\"");
        cli_text_put(out, first ? "" : ",");
        cli_text_add(out, item.data, item.length);
        first = false;
    }
    cli_text_put(out, "],\"version\":1}");
    return has_plan && !walk.failed && !out->failed;
}
