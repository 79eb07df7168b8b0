/* The second answer: policies, refusals, validity, plans of other kinds. */
#include "../../scripts/testing/harness.h"

#include "answers.h"
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Policies --- */

static const char short_score[] =
    "{'name':'s','tasks':[{'task_id':3,'func_id':0,'core_type':'aic'},"
    "{'task_id':1,'func_id':0,'core_type':'aic'}]}";

static const char in_bundle[] =
    "{'bundle':{'members':[{'role':'score','document':"
    "{'dependencies':[%s],'metadata':{'dependency_policy':'%s'},'name':'s',"
    "'runtime_target':{'aicpu_thread_num':null,'config_comment':[],"
    "'function_name':'aicpu_orchestration_entry',"
    "'runtime':'tensormap_and_ringbuffer'},'schema_version':1,"
    "'shape_assumptions':[],'tasks':[{'arg_directions':[],"
    "'arg_storage_keys':[],'args':[],'core_type':'aic','func_id':0,"
    "'name':null,'task_id':3},{'arg_directions':[],'arg_storage_keys':[],"
    "'args':[],'core_type':'aic','func_id':0,'name':null,'task_id':1}]}}]}}";

static void policies(void **state)
{
    (void)state;
    static char line[ASKING_ROOM];
    oracle_judgement j;
    snprintf(line, sizeof line, in_bundle,
             "{'consumer':1,'kind':'data','producer':3}", "sequential_v0");
    asking_check(&j, "score", short_score,
                 "{'emit':'score','policy':'sequential_v0'}", "", line);
    asking_expect_none(&j);
    oracle_judgement_free(&j);
    snprintf(line, sizeof line, in_bundle, "", "sequential_v0");
    asking_check(&j, "score", short_score,
                 "{'emit':'score','policy':'sequential_v0'}", "", line);
    asking_expect_one(&j, "diff.order", "dependencies");
    oracle_judgement_free(&j);
    snprintf(line, sizeof line, in_bundle, "", "dataflow_v0");
    asking_check(&j, "score", short_score,
                 "{'emit':'score','policy':'dataflow_v0'}", "", line);
    asking_expect_one(&j, "diff.accept", "accepts-options");
    oracle_judgement_free(&j);
}

/* --- Refusals --- */

typedef struct refusal {
    const char *input, *asked, *line, *cause; /* cause NULL: right */
} refusal;

#define ERROR(code, line, column, offset, path)                                \
    "{'error':{'code':'" code "','line':" line ",'column':" column             \
    ",'offset':" offset ",'message':'m','path':'" path "'},'id':1}"

static const refusal refusals[] = {
    {"{'name':'s',", "", ERROR("doc.syntax", "1", "13", "12", ""), NULL},
    {"{'name':'s',", "", ERROR("doc.syntax", "1", "12", "12", ""), "place"},
    {"{'name':'s',", "", ERROR("doc.syntax", "2", "13", "12", ""), "place"},
    {"{'name':'s',", "", ERROR("doc.syntax", "1", "13", "11", ""), "place"},
    {"{'name':'s',", "", ERROR("doc.schema", "1", "13", "12", ""), "code"},
    {"{'name':'s',", "", "{'bundle':{'members':[]}}", "accepts-syntax"},
    {"{'name':1}", "", ERROR("doc.schema", "0", "0", "0", "name"), NULL},
    {"{'name':1}", "", ERROR("doc.schema", "0", "0", "0", "tasks"), "place"},
    {"{'name':1}", "", ERROR("doc.range", "0", "0", "0", "name"), "code"},
    {"{'name':1}", "", "{'bundle':{'members':[]}}", "accepts-schema"},
    {"{'name':'s',", "", ERROR("doc.syntax", "1", "13", "12", "name"), "place"},
    {"{'name':1}", "", ERROR("doc.schema", "1", "9", "8", "name"), NULL},
    {"{'name':1}", "", ERROR("doc.schema", "1", "8", "7", "name"), "place"},
    {"{'name':1}", "", ERROR("doc.schema", "1", "9", "7", "name"), "place"},
    {"{'name':1}", "", ERROR("doc.schema", "0", "9", "0", "name"), "place"},
    {"{'name':1}", "", ERROR("doc.schema", "0", "0", "8", "name"), "place"},
    {"{'name':1}", "", ERROR("doc.schema", "0", "0", "-1", "name"), "place"},
    {"{'name':1}", "", ERROR("doc.schema", "1", "9", "null", "name"), "place"},
    {"{'name':1}", "",
     "{'error':{'code':'doc.schema','message':'m','path':'name'}}", NULL},
    {"{'name':1}", "", "{'error':{'code':'doc.schema','message':'m'}}",
     "place"},
    {"{'name':'s'}", "{'policy':'no'}", ERROR("p", "0", "0", "0", ""), NULL},
    {"{'name':'s'}", "{'policy':'no'}", ERROR("p", "0", "0", "0", "policy"),
     NULL},
    {"{'name':'s'}", "{'policy':'no'}", ERROR("p", "0", "0", "0", "tasks"),
     "place"},
    {"{'name':'s'}", "{'policy':'no'}", ERROR("p", "1", "2", "1", "name"),
     NULL},
    {"{'name':'s'}", "{'policy':'no'}", ERROR("p", "1", "99", "98", ""),
     "place"},
    {"{}", "", ERROR("doc.schema", "0", "0", "0", "name"), NULL},
    {"{}", "", ERROR("doc.schema", "0", "0", "0", ""), NULL},
    {"[]", "", ERROR("doc.schema", "0", "0", "0", ""), NULL},
    {"{'name':'s','tasks':[{'task_id':9223372036854775808}]}", "",
     ERROR("doc.range", "0", "0", "0", "tasks[0].task_id"), NULL},
    {"{'name':'s','tasks':[{'task_id':9223372036854775808}]}", "",
     ERROR("doc.schema", "0", "0", "0", "tasks[0].func_id"), NULL},
    {"{'name':'s','tasks':[{'task_id':9223372036854775808}]}", "",
     ERROR("doc.schema", "0", "0", "0", "tasks[0].task_id"), "place"},
    {"{'name':'s','tasks':[{'task_id':9223372036854775808,'func_id':0,"
     "'core_type':'aic'}]}",
     "", "{'bundle':{}}", "accepts-range"},
    {"{'name':'s','tasks':null}", "",
     ERROR("doc.schema", "0", "0", "0", "tasks"), NULL},
    {"{'name':'s','schema_version':1.0}", "",
     ERROR("doc.schema", "0", "0", "0", "schema_version"), NULL},
    {"{'name':'s','shape_assumptions':[{'symbol':'a'}]}", "",
     ERROR("doc.schema", "0", "0", "0", "shape_assumptions[0].dims"), NULL},
    {"{'name':'s','runtime_target':{'config_comment':[1]}}", "",
     ERROR("doc.schema", "0", "0", "0", "runtime_target.config_comment[0]"),
     NULL},
    {"{'name':'s'}", "", ERROR("doc.schema", "0", "0", "0", "name"),
     "doc.schema"},
    {"{'name':'s'}", "", ERROR("policy.odd", "0", "0", "0", ""), "refused"},
    {"{'name':'s'}", "{'policy':'none'}",
     ERROR("policy.unknown", "0", "0", "0", ""), NULL},
    {"{'name':'s'}", "{'policy':'none'}", "{'bundle':{}}", "accepts-options"},
    {"{'name':'s'}", "{'sizes':{'a':-1}}",
     ERROR("doc.schema", "0", "0", "0", "sizes"), NULL},
    {"{'name':'s'}", "{'sizes':{'a':1.5}}", "{'bundle':{}}", "accepts-options"},
    {"{'name':'s'}", "{'certified':1}", "{'bundle':{}}", "accepts-options"},
    {"{'name':'s'}", "{'certified':0,'emit':''}", "{'bundle':{}}", NULL},
    {short_score, "{'policy':'dataflow_v0'}",
     ERROR("dataflow_directions_unavailable", "0", "0", "0", ""), NULL},
    {short_score, "{'policy':'mixed'}",
     ERROR("dataflow_directions_incomplete", "0", "0", "0", ""), "code"},
};

static void refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        const refusal *r = &refusals[i];
        oracle_judgement j;
        asking_check(&j, "score", r->input, r->asked, "", r->line);
        if (r->cause == NULL) {
            asking_expect_none(&j);
        } else {
            asking_expect_one(&j, "diff.accept", r->cause);
        }
        oracle_judgement_free(&j);
    }
}

/* --- Validity --- */

static void validity(void **state)
{
    (void)state;
    static const char input[] = "{'name':'','tasks':[]}";
    static const char message[] = "score name must not be empty";
    static const char result[] =
        "{'bundle':{'members':[{'role':'eligibility','document':"
        "{'eligible':%s,'reason_details':[{'code':'score_validation_failed',"
        "'message':'%s','severity':'error'}],'reasons':['%s'],"
        "'schema_version':1,'score':null}}]}}";
    static const char note[] =
        "{'bundle':{'members':[]},'notes':[{'code':'%s','member':'score',"
        "'message':'%s','severity':'error'}]}";
    char line[1024];
    oracle_judgement j;
    snprintf(line, sizeof line, result, "false", message, message);
    asking_check(&j, "score", input, "{'emit':''}", "", line);
    asking_expect_none(&j);
    oracle_judgement_free(&j);
    snprintf(line, sizeof line, result, "false", message, "no name");
    asking_check(&j, "score", input, "{'emit':''}", "", line);
    asking_expect_one(&j, "diff.validate", "reasons");
    oracle_judgement_free(&j);
    snprintf(line, sizeof line, result, "false", "no name", message);
    asking_check(&j, "score", input, "{'emit':''}", "", line);
    asking_expect_one(&j, "diff.validate", "reason-details");
    oracle_judgement_free(&j);
    snprintf(line, sizeof line, note, "score_validation_failed", message);
    asking_check(&j, "score", input, "{'emit':''}", "", line);
    asking_expect_none(&j);
    oracle_judgement_free(&j);
    snprintf(line, sizeof line, note, "score_validation_failed", "no name");
    asking_check(&j, "score", input, "{'emit':''}", "", line);
    asking_expect_one(&j, "diff.validate", "notes");
    oracle_judgement_free(&j);
    asking_check(&j, "score", input, "{'emit':''}", "",
                 "{'bundle':{'members':[]}}");
    asking_expect_one(&j, "diff.validate", "notes");
    oracle_judgement_free(&j);
    asking_check(&j, "score", "{'name':'s'}", "{'emit':''}", "", line);
    asking_expect_one(&j, "diff.validate", "notes");
    oracle_judgement_free(&j);
}

/* --- greedy_dag --- */

static void dag(void **state)
{
    (void)state;
    static const struct {
        const char *places, *cause;
        int peak;
    } plans[] = {
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'},"
         "{'offset':96,'size':16,'storage_key':'param:z'}",
         NULL, 112},
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'},"
         "{'offset':96,'size':16,'storage_key':'param:z'}",
         "peak", 111},
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'},"
         "{'offset':97,'size':16,'storage_key':'param:z'}",
         "peak", 113},
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'}",
         "allocations", 96},
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':16,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'},"
         "{'offset':96,'size':16,'storage_key':'param:z'}",
         "allocations", 112},
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'},"
         "{'offset':96,'size':16,'storage_key':'param:z'},"
         "{'offset':0,'size':0,'storage_key':'param:zz'}",
         "allocations", 112},
        {"{'size':64,'storage_key':'alloc:a'}", "allocations", 64},
        /* A key twice, and two that change places. */
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':0,'size':0,'storage_key':'param:w'},"
         "{'offset':96,'size':16,'storage_key':'param:z'}",
         "allocations", 112},
        {"{'offset':32,'size':64,'storage_key':'alloc:a'},"
         "{'offset':0,'size':32,'storage_key':'alloc:b'},"
         "{'offset':96,'size':16,'storage_key':'param:z'},"
         "{'offset':0,'size':0,'storage_key':'param:w'}",
         "allocations", 112},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        char line[1024];
        oracle_judgement j;
        snprintf(line, sizeof line,
                 "{'bundle':{'members':[{'role':'memory','document':"
                 "{'allocations':[%s],'kind':'memory_plan','peak_memory':%d,"
                 "'policy':'greedy_dag','version':1}}]}}",
                 plans[i].places, plans[i].peak);
        asking_check(&j, "score", question,
                     "{'emit':'memory','sizes':{'alloc:a':64,'alloc:b':32,"
                     "'param:z':16}}",
                     "", line);
        if (plans[i].cause == NULL) {
            asking_expect_none(&j);
        } else {
            asking_expect_one(&j, "diff.memory", plans[i].cause);
        }
        oracle_judgement_free(&j);
    }
}

/* --- The form of v0.9 --- */

static void profile(void **state)
{
    (void)state;
    static char line[ASKING_ROOM];
    static const char note[] = "{'bundle':{'members':[]},'notes':[%s]}";
    static const char reason[] =
        "{'code':'runtime_adapter_binding_incomplete','member':'hbg',"
        "'message':'task 0 arg 0 (%s, storage=k) has no RuntimeArgBinding',"
        "'severity':'error'}";
    static const char input[] =
        "{'name':'s','tasks':[{'task_id':0,'func_id':0,'core_type':'aic',"
        "'args':['x'],'arg_directions':['Input'],'arg_storage_keys':['k']}]}";
    static const char asked[] = "{'profile':'sonata-0.9','emit':'hbg'}";
    const struct {
        const char *arg, *cause;
    } rows[] = {{"x", NULL}, {"y", "hbg-reasons"}};
    oracle_judgement j;
    for (size_t i = 0; i < 2; i++) {
        char text[256];
        snprintf(text, sizeof text, reason, rows[i].arg);
        snprintf(line, sizeof line, note, text);
        asking_check(&j, "score", input, asked, "", line);
        if (rows[i].cause == NULL) {
            asking_expect_none(&j);
        } else {
            asking_expect_one(&j, "diff.tables", rows[i].cause);
        }
        oracle_judgement_free(&j);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(policies), cmocka_unit_test(refused),
    cmocka_unit_test(validity), cmocka_unit_test(dag),
    cmocka_unit_test(profile),
};

TEST_MAIN(tests)
