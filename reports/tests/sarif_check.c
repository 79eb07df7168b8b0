#include "sarif_check.h"

#include <stdbool.h>
#include <string.h>

#include "../../scripts/testing/harness.h"

/* Only these members, by commas. */
static void expect_members(const cJSON *object, const char *known)
{
    char part[64];
    assert_true(cJSON_IsObject(object));
    for (const cJSON *m = object->child; m != NULL; m = m->next) {
        assert_true(strlen(m->string) < sizeof part - 3);
        strcpy(part, ",");
        strcat(part, m->string);
        strcat(part, ",");
        if (strstr(known, part) == NULL)
            fail_msg("the member %s is not known (%s)", m->string, known);
    }
}

static const cJSON *get(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *text = get(object, name);
    assert_true(cJSON_IsString(text));
    return text->valuestring;
}

static void check_message(const cJSON *owner)
{
    const cJSON *message = get(owner, "message");
    expect_members(message, ",text,");
    assert_true(*text_of(message, "text") != '\0');
}

static void check_uri(const cJSON *location)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "-._~/%";
    static const char digits[] = "0123456789ABCDEF";
    expect_members(location, ",uri,uriBaseId,");
    const char *uri = text_of(location, "uri");
    bool relative = get(location, "uriBaseId") != NULL;
    assert_true(*uri != '\0');
    if (relative)
        assert_string_equal(text_of(location, "uriBaseId"), "SRCROOT");
    else
        assert_int_equal(strncmp(uri, "file:///", 8), 0);
    assert_false(relative && *uri == '/');
    const char *rest = relative ? uri : uri + 7;
    assert_int_equal(strspn(rest, plain), strlen(rest));
    for (; (rest = strchr(rest, '%')) != NULL; rest += 3)
        assert_true(rest[1] != '\0' && strchr(digits, rest[1]) != NULL &&
                    rest[2] != '\0' && strchr(digits, rest[2]) != NULL);
}

static void check_physical(const cJSON *owner)
{
    const cJSON *place = get(owner, "physicalLocation");
    expect_members(place, ",artifactLocation,region,");
    check_uri(get(place, "artifactLocation"));
    const cJSON *region = get(place, "region");
    if (region == NULL)
        return;
    expect_members(region, ",startLine,");
    assert_true(get(region, "startLine")->valuedouble >= 1);
}

static void check_related(const cJSON *list)
{
    int last = 0;
    assert_true(list == NULL || cJSON_GetArraySize(list) > 0);
    const cJSON *at;
    cJSON_ArrayForEach(at, list)
    {
        expect_members(at, ",id,physicalLocation,message,");
        assert_true(get(at, "id")->valueint > last);
        last = get(at, "id")->valueint;
        check_physical(at);
        check_message(at);
    }
}

static void check_flow(const cJSON *flows)
{
    const cJSON *step;
    if (flows == NULL)
        return;
    assert_int_equal(cJSON_GetArraySize(flows), 1);
    expect_members(flows->child, ",message,threadFlows,");
    check_message(flows->child);
    const cJSON *threads = get(flows->child, "threadFlows");
    assert_int_equal(cJSON_GetArraySize(threads), 1);
    expect_members(threads->child, ",locations,");
    const cJSON *steps = get(threads->child, "locations");
    int count = cJSON_GetArraySize(steps);
    assert_true(count > 0 && count <= 64);
    cJSON_ArrayForEach(step, steps)
    {
        expect_members(step, ",importance,location,");
        expect_members(get(step, "location"), ",physicalLocation,message,");
        check_physical(get(step, "location"));
        check_message(get(step, "location"));
    }
}

static void check_level(const cJSON *owner)
{
    const char *level = text_of(owner, "level");
    assert_true(strcmp(level, "error") == 0 || strcmp(level, "warning") == 0 ||
                strcmp(level, "note") == 0);
}

static void check_suppressions(const cJSON *list)
{
    assert_true(list == NULL || cJSON_IsArray(list));
    const cJSON *at;
    cJSON_ArrayForEach(at, list)
    {
        expect_members(at, ",kind,justification,");
        assert_string_equal(text_of(at, "kind"), "external");
        assert_true(*text_of(at, "justification") != '\0');
    }
}

static void check_result(const cJSON *result, const cJSON *rules)
{
    expect_members(result, ",ruleId,ruleIndex,level,message,locations,"
                           "relatedLocations,codeFlows,partialFingerprints,"
                           "suppressions,properties,");
    check_message(result);
    check_level(result);
    const cJSON *index = get(result, "ruleIndex");
    assert_non_null(index);
    const cJSON *rule = cJSON_GetArrayItem(rules, index->valueint);
    assert_non_null(rule);
    assert_string_equal(text_of(rule, "id"), text_of(result, "ruleId"));
    const cJSON *places = get(result, "locations");
    assert_int_equal(cJSON_GetArraySize(places), 1);
    expect_members(places->child, ",physicalLocation,");
    check_physical(places->child);
    check_related(get(result, "relatedLocations"));
    check_flow(get(result, "codeFlows"));
    check_suppressions(get(result, "suppressions"));
    expect_members(get(result, "partialFingerprints"),
                   ",counterpointSignature/v1,");
    text_of(get(result, "partialFingerprints"), "counterpointSignature/v1");
    expect_members(get(result, "properties"), ",case,cause,kind,known,again,");
}

static void check_rule(const cJSON *rule)
{
    expect_members(rule, ",id,name,shortDescription,fullDescription,help,"
                         "defaultConfiguration,");
    text_of(rule, "id");
    text_of(rule, "name");
    if (get(rule, "help") != NULL) {
        expect_members(get(rule, "help"), ",markdown,text,");
        expect_members(get(rule, "shortDescription"), ",text,");
        check_level(get(rule, "defaultConfiguration"));
    }
}

static void check_artifacts(const cJSON *list)
{
    const cJSON *at;
    double last = 0;
    cJSON_ArrayForEach(at, list)
    {
        expect_members(at, ",location,length,hashes,roles,properties,");
        check_uri(get(at, "location"));
        /* The case makes each one different from the others. */
        const cJSON *number = get(get(at, "properties"), "case");
        assert_true(number->valuedouble > last);
        last = number->valuedouble;
    }
}

static void check_invocation(const cJSON *list)
{
    const cJSON *note;
    assert_int_equal(cJSON_GetArraySize(list), 1);
    expect_members(list->child, ",toolExecutionNotifications,"
                                "executionSuccessful,exitCode,");
    assert_true(cJSON_IsBool(get(list->child, "executionSuccessful")));
    cJSON_ArrayForEach(note, get(list->child, "toolExecutionNotifications"))
    {
        expect_members(note, ",level,message,locations,");
        check_level(note);
        check_message(note);
        if (get(note, "locations") != NULL)
            check_physical(get(note, "locations")->child);
    }
}

const cJSON *sarif_check(cJSON **document, const char *text)
{
    const cJSON *at;
    *document = cJSON_ParseWithOpts(text, NULL, true);
    assert_non_null(*document);
    expect_members(*document, ",$schema,version,runs,");
    assert_string_equal(text_of(*document, "version"), "2.1.0");
    const cJSON *runs = get(*document, "runs");
    assert_int_equal(cJSON_GetArraySize(runs), 1);
    const cJSON *run = runs->child;
    expect_members(run, ",tool,originalUriBaseIds,results,artifacts,"
                        "invocations,properties,");
    const cJSON *driver = get(get(run, "tool"), "driver");
    expect_members(driver, ",name,version,rules,");
    assert_string_equal(text_of(driver, "name"), "counterpoint");
    cJSON_ArrayForEach(at, get(driver, "rules")) check_rule(at);
    cJSON_ArrayForEach(at, get(run, "results"))
        check_result(at, get(driver, "rules"));
    check_artifacts(get(run, "artifacts"));
    check_invocation(get(run, "invocations"));
    return run;
}
