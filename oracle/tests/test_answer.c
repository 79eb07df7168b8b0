/* The second answer: right answers, and one change at a time. */
#include "../../scripts/testing/harness.h"

#include "../finding.h"
#include "answers.h"
#include "asking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
    const char *role, *text;
} part;

static const part parts[] = {
    {"graph", graph},       {"score", score},         {"handle", handle},
    {"hbg", hbg},           {"memory", memory},       {"alias", alias},
    {"liveness", liveness}, {"conflicts", conflicts}, {"encodings", encodings},
};

/* The answer with one member changed (`role` NULL: none). */
static void make_answer(char *out, const char *role, const char *from,
                        const char *to)
{
    out[0] = '\0';
    asking_put(out, "{'bundle':{'kind':'bundle','members':[{'document':");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const part *p = &parts[i];
        bool last = strcmp(p->role, "encodings") == 0;
        bool change = role != NULL && strcmp(p->role, role) == 0;
        asking_put(out, last    ? "],'version':1},'encodings':"
                        : i > 0 ? ",{'document':"
                                : "");
        if (change) {
            asking_put_changed(out, p->text, from, to);
        } else {
            asking_put(out, p->text);
        }
        asking_put(out, last ? "" : ",'role':'");
        asking_put(out, last ? "" : p->role);
        asking_put(out, last ? "" : "'}");
    }
    asking_put(out, ",'id':7}");
    asking_quote(out);
}

static void right(void **state)
{
    (void)state;
    static char line[ASKING_ROOM];
    oracle_judgement j;
    make_answer(line, NULL, NULL, NULL);
    asking_check(&j, "score", question, options, "", line);
    asking_expect_none(&j);
    oracle_judgement_free(&j);
}

/* --- One change in one member --- */

typedef struct change {
    const char *role, *from, *to, *rule, *cause;
} change;

static const change changes[] = {
    {"handle", "'score_fingerprint':'3", "'score_fingerprint':'4",
     "diff.fingerprint", "handle"},
    {"handle", "'sonata_func_id':4", "'sonata_func_id':7", "diff.tables",
     "func-registry"},
    {"handle", "'runtime_func_id':null", "'runtime_func_id':0", "diff.tables",
     "func-registry"},
    {"handle", "{'arg_index':1,'direction':'Scalar'",
     "{'arg_index':1,'direction':'Input'", "diff.tables", "arg-bindings"},
    {"handle", "'runtime_handle':2", "'runtime_handle':3", "diff.tables",
     "arg-bindings"},
    {"handle", "'storage_key':'param:w'", "'storage_key':null", "diff.tables",
     "arg-bindings"},
    {"handle", "'runtime':'tensormap", "'runtime':'Tensormap", "diff.tables",
     "runtime-target"},
    {"handle", "'post_simplify'", "'pre_runtime'", "diff.tables",
     "source-adapter"},
    {"handle", "'metadata':{}", "'metadata':{'a':1}", "diff.tables", "handle"},
    {"handle", "'runtime_contract_version':1,", "", "diff.tables", "handle"},
    {"hbg", "'score_fingerprint':'3", "'score_fingerprint':'4",
     "diff.fingerprint", "hbg"},
    {"hbg", "'schema_version':1", "'schema_version':2", "diff.tables",
     "hbg-metadata"},
    {"hbg", "'runtime_args':[0,1,2]", "'runtime_args':[0,1]", "diff.tables",
     "hbg-tasks"},
    {"hbg", "'func_id':7", "'func_id':4", "diff.tables", "hbg-tasks"},
    {"hbg", "'name':null", "'name':''", "diff.tables", "hbg-tasks"},
    {"hbg", "{'consumer':3,'producer':2},", "", "diff.tables", "hbg-edges"},
    {"hbg", "[{'consumer':2,'producer':1},{'consumer':3,'producer':1}",
     "[{'consumer':3,'producer':1},{'consumer':2,'producer':1}", "diff.tables",
     "hbg-edges"},
    {"memory", "{'offset':64", "{'offset':128", "diff.memory", "allocations"},
    {"memory", "'size':16", "'size':0", "diff.memory", "allocations"},
    {"memory", "'peak_memory':96", "'peak_memory':97", "diff.memory", "peak"},
    {"memory", "greedy_v0", "greedy_dag", "diff.memory", "policy"},
    {"memory", "'version':1", "'version':2", "diff.memory", "memory"},
    {"liveness", "'death':3", "'death':2", "diff.liveness", "lifetimes"},
    {"liveness", "{'birth':5,'death':5,'storage_key':'param:z'}",
     "{'birth':5,'death':5,'storage_key':'param:y'}", "diff.liveness",
     "lifetimes"},
    {"liveness", "'kind':'liveness'", "'kind':'lives'", "diff.liveness",
     "liveness"},
    {"conflicts", "{'earlier':'alloc:b','later':'param:w'},", "",
     "diff.liveness", "conflicts"},
    {"conflicts", "inclusive", "strict", "diff.liveness", "conflicts"},
    {"alias", "disjoint", "view", "diff.liveness", "alias"},
    {"alias", "'first':'alloc:a'", "'first':'alloc:A'", "diff.liveness",
     "alias"},
    {"graph", "'kind':'task_graph'", "'kind':'graph'", "diff.graph",
     "document"},
    {"graph", "'name':'t'", "'name':'T'", "diff.graph", "document"},
    {"graph", "'rules':'none'", "'rules':'tensormap'", "diff.graph",
     "document"},
    {"graph", "'version':1", "'version':2", "diff.graph", "document"},
    {"graph", "'version':1", "'scopes':[{'id':0}],'version':1", "diff.graph",
     "document"},
    {"graph", "'bytes':64", "'bytes':63", "diff.graph", "buffers"},
    {"graph", "'bytes':64", "'bytes':null", "diff.graph", "buffers"},
    {"graph", "'external':false", "'external':true", "diff.graph", "buffers"},
    {"graph", "'external':false", "'external':false,'init':true", "diff.graph",
     "buffers"},
    {"graph", "'external':false", "'external':false,'align':2", "diff.graph",
     "buffers"},
    {"graph", "{'bytes':16,'external':true,'key':'param:z'}",
     "{'bytes':16,'external':true,'key':'param:z'},"
     "{'bytes':16,'external':true,'key':'param:z'}",
     "diff.graph", "buffers"},
    {"graph", ",{'bytes':16,'external':true,'key':'param:z'}", "", "diff.graph",
     "buffers"},
    {"graph", "'core':'aic'", "'core':'aiv'", "diff.graph", "tasks"},
    {"graph", "'core':'aic',", "", "diff.graph", "tasks"},
    {"graph", "'id':5", "'id':6", "diff.graph", "tasks"},
    {"graph", "'id':5", "'blocks':2,'id':5", "diff.graph", "tasks"},
    {"graph", "'id':5", "'blocks':null,'id':5", "diff.graph", "tasks"},
    {"graph", "'id':5", "'early':true,'id':5", "diff.graph", "tasks"},
    {"graph", "'id':5", "'deps':[{'task':1}],'id':5", "diff.graph", "tasks"},
    {"graph", "'name':'mul'", "'name':'fill'", "diff.graph", "tasks"},
    {"graph",
     ",{'args':[{'access':[{'exact':true,'mode':'read','must':true}],"
     "'buffer':'alloc:b','dispatch':'input'},{'access':[{'exact':true,"
     "'mode':'write','must':true}],'buffer':'param:z','dispatch':'output'}],"
     "'core':'mixed','id':5}",
     "", "diff.graph", "tasks"},
    {"graph", "'text':'8'", "'text':'9'", "diff.graph", "args"},
    {"graph", "{'text':'8'}", "9", "diff.graph", "args"},
    {"graph", ",{'scalar':{'text':'8'}}", "", "diff.graph", "tasks"},
    {"graph", "'buffer':'param:w'", "'buffer':'alloc:b'", "diff.graph", "args"},
    {"graph", "'dispatch':'inout'", "'dispatch':'no_dep'", "diff.graph",
     "args"},
    {"graph", "'dispatch':'inout'", "'dispatch':'inout','manual_dep':true",
     "diff.graph", "args"},
    {"graph", "'dispatch':'inout'", "'declared':'in','dispatch':'inout'",
     "diff.graph", "args"},
    {"graph", "'mode':'inout'", "'mode':'read'", "diff.graph", "access"},
    {"graph", "'exact':true,'mode':'inout'", "'mode':'inout'", "diff.graph",
     "access"},
    {"graph", "'mode':'inout','must':true", "'mode':'inout','must':false",
     "diff.graph", "access"},
    {"graph", "{'exact':true,'mode':'inout','must':true}", "", "diff.graph",
     "args"},
    {"graph", "'access':[{'exact':true,'mode':'inout','must':true}],", "",
     "diff.graph", "args"},
    {"graph",
     "{'certain':true,'from':2,'kind':'war','source':'policy','to':3},", "",
     "diff.graph", "edges"},
    {"graph", "'from':2,'kind':'war'", "'from':2,'kind':'storage'",
     "diff.graph", "edges"},
    {"graph", "'source':'policy','to':5", "'source':'explicit','to':5",
     "diff.graph", "edges"},
    {"graph", "'source':'policy','to':5", "'source':'policy','to':3",
     "diff.graph", "edges"},
    {"graph", "{'certain':true,'from':2,'kind':'war'",
     "{'certain':false,'from':2,'kind':'war'", "diff.graph", "edges"},
    {"graph", "{'certain':true,'from':2,'kind':'war'",
     "{'certain':true,'from':1,'kind':'data','source':'policy','to':2},"
     "{'certain':true,'from':2,'kind':'war'",
     "diff.graph", "edges"},
    {"encodings", "'fingerprint':'3", "'fingerprint':'4", "diff.fingerprint",
     "fingerprint"},
    {"encodings", "metadata':'0", "metadata':'1", "diff.fingerprint",
     "fingerprint-with-metadata"},
    {"encodings", "'compact_sha256':'3", "'compact_sha256':'4", "diff.encoding",
     "compact"},
    {"encodings", "'pretty_sha256':'a", "'pretty_sha256':'b", "diff.encoding",
     "pretty"},
    {"score", "'args':['x',8]", "'args':[ 'x',8]", "diff.encoding", "layout"},
    {"score", "'name':'t'", "'name':'\\u0074'", "diff.encoding", "layout"},
};

static void one_change(void **state)
{
    (void)state;
    static char line[ASKING_ROOM];
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const change *c = &changes[i];
        oracle_judgement j;
        make_answer(line, c->role, c->from, c->to);
        asking_check(&j, "score", question, options, "", line);
        asking_expect_one(&j, c->rule, c->cause);
        oracle_judgement_free(&j);
    }
}

#define FIRST "{'consumer':2,'kind':'data','producer':1}"
#define LAST "{'consumer':5,'kind':'data','producer':2}"
#define WAR "{'consumer':3,'kind':'war','producer':2}"

/* Changes that are one mistake have one letter. */
static const struct {
    const char *role, *from, *to;
    char mistake;
} mistakes[] = {
    {"score", FIRST ",", "", 'a'},
    {"score", "," LAST, "", 'a'},
    {"score", WAR ",", "", 'b'},
    {"score", "'kind':'war'", "'kind':'storage'", 'c'},
    {"score", FIRST, FIRST ",{'consumer':7,'kind':'data','producer':1}", 'd'},
    {"score", LAST, LAST ",{'consumer':6,'kind':'data','producer':2}", 'd'},
    {"score", WAR "," LAST, LAST "," WAR, 'e'},
    {"score", FIRST, FIRST "," FIRST, 'f'},
    {"score", "'func_id':4,'name':'fill','task_id':1}",
     "'func_id':6,'name':'fill','task_id':1}", 'g'},
    {"score", "'func_id':0,'name':'mul'", "'func_id':9,'name':'mul'", 'g'},
    {"score", "'func_id':7", "'func_id':6", 'h'},
    {"score", "'core_type':'aic'", "'core_type':'aiv'", 'i'},
    {"memory", "'offset':0", "'offset':8", 'j'},
    {"encodings", "'fingerprint':'3", "'fingerprint':'4", 'k'},
    {"encodings", "'fingerprint':'3", "'fingerprint':'5", 'k'},
};
#define MISTAKES (sizeof mistakes / sizeof *mistakes)

static void sign_mistake(char signature[17], size_t i)
{
    static char line[ASKING_ROOM], texts[2][ASKING_ROOM];
    const oracle_judge_options own = {.generated = "p"};
    oracle_judgement j;
    make_answer(line, mistakes[i].role, mistakes[i].from, mistakes[i].to);
    snprintf(texts[0], ASKING_ROOM, "%s", question);
    snprintf(texts[1], ASKING_ROOM, "%s", options);
    asking_quote(texts[0]);
    asking_quote(texts[1]);
    oracle_question q = {"score",
                         {texts[0], strlen(texts[0])},
                         {texts[1], strlen(texts[1])},
                         {"", 0}};
    assert_int_equal(
        oracle_answer_check(&j, &q, (oracle_bytes){line, strlen(line)}, &own),
        ORACLE_OK);
    assert_true(j.count > 0);
    memcpy(signature, j.findings[0].signature, 17);
    oracle_judgement_free(&j);
}

/* How two answers differ is what groups them. */
static void mistakes_apart(void **state)
{
    (void)state;
    char signatures[MISTAKES][17];
    for (size_t i = 0; i < MISTAKES; i++) {
        sign_mistake(signatures[i], i);
        for (size_t k = 0; k < i; k++) {
            if ((strcmp(signatures[i], signatures[k]) == 0) !=
                (mistakes[i].mistake == mistakes[k].mistake)) {
                fail_msg("%zu and %zu: %s, %s", k, i, signatures[k],
                         signatures[i]);
            }
        }
    }
}

/* Files of known issues hold signatures: they are digests of these texts, but
 * for the last digit, as long as the version is g3. */
static void texts_of_groups(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"j", "g3|diff.memory|allocations|p||||none||"
              "memory.allocations[].offset more+allocations"},
        {"k", "g3|diff.fingerprint|fingerprint|p||||none||+fingerprint"},
        {"c", "g3|diff.order|dependencies|p||||none||"
              "score.dependencies[].kind storage for war"
              "+dependencies+fingerprint+fingerprint-with-metadata+compact"
              "+pretty+edges+handle+hbg"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char digest[65], signature[17];
        size_t m = 0;
        while (mistakes[m].mistake != texts[i][0][0])
            m++;
        sign_mistake(signature, m);
        oracle_digest(digest, texts[i][1], strlen(texts[i][1]));
        assert_memory_equal(signature, digest, 15);
    }
}

/* What may be said otherwise, or in another order. */
static void same_graph(void **state)
{
    (void)state;
    static const char *const others[][2] = {
        {"{'text':'8'}", "8"},
        {"'id':5", "'blocks':1,'deps':[],'id':5,'line':3,'name':null"},
        {"'certain':true,'from':2,'kind':'war'", "'from':2,'kind':'war'"},
        {"{'bytes':null,'external':true,'key':'param:w'}", "{'key':'param:w'}"},
        {"'external':false,'key':'alloc:a'", "'init':false,'key':'alloc:a'"},
        {"'rules':'none',", "'choices':[],'symbols':null,"},
        {"{'bytes':64,'external':false,'key':'alloc:a'},{'bytes':32,"
         "'external':false,'key':'alloc:b'}",
         "{'bytes':32,'external':false,'key':'alloc:b'},{'bytes':64,"
         "'external':false,'key':'alloc:a'}"},
        {"{'certain':true,'from':1,'kind':'data','source':'policy','to':2},"
         "{'certain':true,'from':1,'kind':'data','source':'policy','to':3}",
         "{'certain':true,'from':1,'kind':'data','source':'policy','to':3},"
         "{'certain':true,'from':1,'kind':'data','source':'policy','to':2}"},
    };
    static char line[ASKING_ROOM];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        oracle_judgement j;
        make_answer(line, "graph", others[i][0], others[i][1]);
        asking_check(&j, "score", question, options, "", line);
        asking_expect_none(&j);
        oracle_judgement_free(&j);
    }
}

/* --- The Score alone: all else would follow it --- */

static const change score_changes[] = {
    {NULL, "{'consumer':3,'kind':'war'", "{'consumer':3,'kind':'data'",
     "diff.order", "dependencies"},
    {NULL, "{'consumer':3,'kind':'data','producer':1},", "", "diff.order",
     "dependencies"},
    {NULL, "[{'consumer':2,'kind':'data','producer':1},",
     "[{'consumer':2,'kind':'data','producer':1},"
     "{'consumer':2,'kind':'data','producer':1},",
     "diff.order", "dependencies"},
    {NULL, "'dependency_policy':'dataflow_v0'", "'dependency_policy':'mixed'",
     "diff.encoding", "metadata"},
    {NULL, "'by':'hand',", "", "diff.encoding", "metadata"},
    {NULL, "'name':'t'", "'name':'T'", "diff.encoding", "name"},
    {NULL, "'aicpu_thread_num':null", "'aicpu_thread_num':4", "diff.encoding",
     "runtime-target"},
    {NULL, "'dims':[4]", "'dims':[4.0]", "diff.encoding", "shape-assumptions"},
    {NULL, "'args':['x','y',1.0]", "'args':['x','y',1]", "diff.encoding",
     "tasks"},
    {NULL, "'task_id':5", "'task_id':4", "diff.encoding", "tasks"},
    {NULL, "'name':'mul'", "'name':'mul','extra':1", "diff.encoding", "tasks"},
    {NULL, "'schema_version':1,", "", "diff.encoding", "schema-version"},
    {NULL, "'name':'t'", "'name':'t','extra':1", "diff.encoding", "score"},
};

static void change_score(void **state)
{
    (void)state;
    static char line[ASKING_ROOM];
    for (size_t i = 0; i < sizeof score_changes / sizeof *score_changes; i++) {
        const change *c = &score_changes[i];
        oracle_judgement j;
        line[0] = '\0';
        asking_put(line,
                   "{'id':7,'bundle':{'members':[{'role':'score','document':");
        asking_put_changed(line, score, c->from, c->to);
        asking_put(line, "}]}}");
        asking_check(&j, "score", question,
                     "{'emit':'score','policy':'dataflow_v0'}", "", line);
        asking_expect_one(&j, c->rule, c->cause);
        oracle_judgement_free(&j);
    }
}

/* Values count, not spelling, where nobody asks for the bytes. */
static void other_spelling(void **state)
{
    (void)state;
    static char line[ASKING_ROOM];
    oracle_judgement j;
    line[0] = '\0';
    asking_put(line, "{ 'bundle' : {'members':[ { 'document': ");
    asking_put_changed(line, score, "1.0]", "10e-1 ]");
    asking_put(line, ", 'role' : 'score'} ]} } ");
    asking_check(&j, "score", question,
                 "{'emit':'score','policy':'dataflow_v0'}", "", line);
    asking_expect_none(&j);
    oracle_judgement_free(&j);
}

/* --- Members that are not there --- */

#define DEFAULTS(emit)                                                         \
    "{'policy':'dataflow_v0','memory':'greedy_v0','encodings':1,'emit':'" emit \
    "','sizes':{'alloc:a':64,'alloc:b':32,'param:z':16}}"

static void absent(void **state)
{
    (void)state;
    static char line[ASKING_ROOM], short_line[ASKING_ROOM];
    static const char note[] =
        ",'notes':[{'code':'memory.key','member':'memory',"
        "'message':'no','severity':'error'}],'id'";
    oracle_judgement j;
    make_answer(line, "memory", "'memory_plan'", "'memory_plan'");
    char *begin = strstr(line, ",{\"document\":{\"allocations\"");
    char *end = strstr(line, ",{\"document\":{\"kind\":\"alias\"");
    memmove(begin, end, strlen(end) + 1);
    asking_check(&j, "score", question, options, "", line);
    asking_expect_one(&j, "diff.memory", "missing");
    oracle_judgement_free(&j);
    short_line[0] = '\0';
    asking_put_changed(short_line, line, ",\"id\"", note);
    asking_check(&j, "score", question, options, "", short_line);
    asking_expect_one(&j, "diff.memory", "missing");
    assert_non_null(strstr(j.findings[0].message, "its reason is: no"));
    oracle_judgement_free(&j);
    asking_check(&j, "score", question, DEFAULTS("bundle"), "", line);
    asking_expect_one(&j, "diff.memory", "missing");
    oracle_judgement_free(&j);
    asking_check(&j, "score", question, DEFAULTS("score"), "", line);
    asking_expect_none(&j);
    oracle_judgement_free(&j);
}

/* Without a word of members those that the input gives are there. */
static void defaults(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *asked, *missing; /* of an answer without members */
    } rows[] = {
        {"score", "{}", "score handle hbg memory"},
        {"score", "{'profile':'sonata-0.9'}", "score handle memory"},
        {"score", "{'emit':'bundle,alias'}", "score handle hbg memory alias"},
        {"score", "{'emit':''}", ""},
        {"ir", "{}", "graph score"},
        {"ir", "{'sizes':{}}", "graph score memory"},
        {"ir", "{'memory':'greedy_v0'}", "graph score memory"},
        {"ir", "{'regions':'per_region'}", "graph score regions"},
        {"ir", "{'profile':'safe'}", "graph score handle hbg memory regions"},
        {"ir", "{'profile':'sonata-0.9'}", "graph score handle memory regions"},
        {"dump", "{}", "graph score"},
        {"dump", "{'profile':'safe'}", "graph score handle hbg memory"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char found[128] = "", list[32];
        oracle_judgement j;
        asking_check(&j, rows[i].kind, "{'name':'s'}", rows[i].asked, "",
                     "{'bundle':{'members':[]}}");
        for (uint32_t k = 0; k < j.count; k++) {
            assert_string_equal(j.findings[k].cause, "missing");
            const char *name = strstr(j.findings[k].message, "no member ") + 10;
            snprintf(list, sizeof list, "%.*s", (int)strcspn(name, ","), name);
            assert_non_null(strstr(rows[i].missing, list));
            assert_true(strlen(found) + strlen(list) + 2 < sizeof found);
            strcat(found, k > 0 ? " " : "");
            strcat(found, list);
        }
        if (strlen(found) != strlen(rows[i].missing)) {
            fail_msg("%s, %s: missing are %s, told are %s", rows[i].kind,
                     rows[i].asked, rows[i].missing, found);
        }
        oracle_judgement_free(&j);
        if (strcmp(rows[i].kind, "score") == 0) {
            continue; /* a note that this one is none is a lie */
        }
        asking_check(
            &j, rows[i].kind, "{'name':'s'}", rows[i].asked, "",
            "{'bundle':{'members':[]},'notes':[{'code':'c','member':'score',"
            "'message':'m','severity':'error'}]}");
        assert_int_equal(j.count, strstr(rows[i].missing, "regions") ? 1 : 0);
        oracle_judgement_free(&j);
    }
}

#define ALIAS                                                                  \
    "{'role':'alias','document':{'kind':'alias','pairs':[],'version':1}}"
#define NOTE(member, severity)                                                 \
    "{'bundle':{'members':[" ALIAS "]},'notes':[{'code':'c','member':'" member \
    "','message':'m','severity':'" severity "'}]}"

/* Members stand there once, as documents; notes are about others. */
static void odd_answers(void **state)
{
    (void)state;
    static const struct {
        const char *asked, *line, *rule, *cause; /* rule NULL: right */
    } rows[] = {
        {"{'emit':''}", "{'bundle':{'members':[" ALIAS "]}}", NULL, NULL},
        {"{'emit':''}", "{'bundle':{'members':[" ALIAS "," ALIAS "]}}",
         "diff.liveness", "twice"},
        {"{'emit':''}", "{'bundle':{'members':[{'role':'alias','text':'{}'}]}}",
         "diff.liveness", "no-document"},
        {"{'emit':'memory'}", NOTE("memory", "error"), "diff.memory",
         "missing"},
        {"{'emit':''}", NOTE("memory", "warning"), NULL, NULL},
        {"{'emit':''}", NOTE("memory", "note"), "diff.accept", "note"},
        {"{'emit':''}", NOTE("nobody", "warning"), "diff.accept", "note"},
        {"{'emit':''}", NOTE("alias", "error"), "diff.accept", "note"},
        {"{'emit':'alias'}", NOTE("alias", "error"), "diff.accept", "note"},
        {"{'emit':''}", NOTE("regions", "error"), "diff.accept", "note"},
        {"{'emit':'alias,regions'}", NOTE("regions", "error"), NULL, NULL},
        {"{'emit':'alias,regions'}", NOTE("regions", "warning"),
         "diff.validate", "missing"},
        {"{'emit':'alias,eligibility'}", NOTE("eligibility", "error"),
         "diff.accept", "note"},
        {"{'emit':'alias,eligibility'}", "{'bundle':{'members':[" ALIAS "]}}",
         "diff.validate", "missing"},
        {"{'emit':'alias,graph'}", "{'bundle':{'members':[" ALIAS "]}}",
         "diff.graph", "missing"},
        {"{'emit':''}", "{'bundle':{'members':[" ALIAS "]},'notes':1}",
         "diff.accept", "note"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        oracle_judgement j;
        asking_check(&j, "score", "{'name':'s'}", rows[i].asked, "",
                     rows[i].line);
        if (rows[i].rule == NULL) {
            asking_expect_none(&j);
        } else {
            asking_expect_one(&j, rows[i].rule, rows[i].cause);
        }
        oracle_judgement_free(&j);
    }
}

/* A key that is a list has no identity: there is no plan to give. */
static void not_to_be_made(void **state)
{
    (void)state;
    static const char input[] =
        "{'name':'s','tasks':[{'task_id':0,'func_id':0,'core_type':'aic',"
        "'args':['x'],'arg_directions':['Input'],"
        "'arg_storage_keys':[[1]]}]}";
    oracle_judgement j;
    asking_check(
        &j, "score", input, "{'memory':'greedy_v0','emit':'memory'}", "",
        "{'bundle':{'members':[]},'notes':[{'code':'memory.key','member':"
        "'memory','message':'no','severity':'error'}]}");
    asking_expect_none(&j);
    oracle_judgement_free(&j);
    asking_check(&j, "score", input, "{'memory':'greedy_v0','emit':'memory'}",
                 "", "{'bundle':{'members':[]}}");
    asking_expect_one(&j, "diff.memory", "missing");
    oracle_judgement_free(&j);
    asking_check(
        &j, "score", input, "{'memory':'greedy_v0','emit':'memory'}", "",
        "{'bundle':{'members':[{'role':'memory','document':{'allocations':[],"
        "'kind':'memory_plan','peak_memory':0,'policy':'greedy_v0',"
        "'version':1}}]}}");
    asking_expect_one(&j, "diff.memory", "not-refused");
    oracle_judgement_free(&j);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(right),          cmocka_unit_test(one_change),
    cmocka_unit_test(mistakes_apart), cmocka_unit_test(texts_of_groups),
    cmocka_unit_test(same_graph),     cmocka_unit_test(change_score),
    cmocka_unit_test(other_spelling), cmocka_unit_test(absent),
    cmocka_unit_test(defaults),       cmocka_unit_test(not_to_be_made),
    cmocka_unit_test(odd_answers),
};

TEST_MAIN(tests)
