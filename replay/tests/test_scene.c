/* Scenes: their bytes against golden files, their tables, what is refused. */
#include "replay/scene.h"

#include "../../scripts/testing/harness.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scene_input.h"

/* --- Golden files --- */

static void expect_file(const char *folder, const char *name, const void *data,
                        size_t length)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (getenv("COUNTERPOINT_BLESS") != NULL) {
        FILE *file = fopen(path, "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(data, 1, length, file), length);
        assert_int_equal(fclose(file), 0);
        return;
    }
    size_t blessed;
    char *text = scene_input_read(path, &blessed);
    if (text == NULL) {
        fail_msg("%s is missing: COUNTERPOINT_BLESS=1 writes it", path);
    } else if (blessed != length || memcmp(text, data, length) != 0) {
        fail_msg("%s is not as blessed: COUNTERPOINT_BLESS=1 writes it anew",
                 path);
    }
    free(text);
}

static void expect_golden(const char *folder, const char *text)
{
    scene_input input;
    scene_input_text(&input, text);
    const replay_scene_schedule schedules[] = {
        {REPLAY_EAGER, 4, false},
        {REPLAY_LAZY, 2, false},
        {REPLAY_EAGER, 4, true},
        {REPLAY_LAZY, 2, true},
    };
    const replay_scene_options options = {.schedules = schedules,
                                          .schedule_count = 4};
    assert_int_equal(scene_input_make(&input, &options), REPLAY_OK);
    replay_scene *s = &input.scene;
    expect_file(folder, "score.txt", s->score, s->score_length);
    expect_file(folder, "schedules.txt", s->schedules, s->schedules_length);
    expect_file(folder, "expected.bin", s->expected, s->expected_length);
    scene_input_free(&input);
}

static void probe_is_golden(void **state)
{
    (void)state;
    expect_golden("golden/scenes/probe", replay_scene_probe);
}

/* corpus/programs/phase_fence_dummy.py, as `plan --emit graph` has it. */
static void program_is_golden(void **state)
{
    (void)state;
    size_t length;
    char *text =
        scene_input_read("golden/scenes/phase_fence_dummy/graph.json", &length);
    assert_non_null(text);
    expect_golden("golden/scenes/phase_fence_dummy", text);
    free(text);
}

/* --- The table --- */

/* A graph of `count` writers, each of a buffer of its own, and one task behind
 * them all. */
static char *fan_in(int count)
{
    char *text = malloc(400 * (size_t)count + 4096);
    char *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"kind\": \"task_graph\", \"version\": 1, \"name\": "
                      "\"fan\", \"rules\": \"none\", \"buffers\": [");
    at += sprintf(at,
                  "{\"key\": \"param:x\", \"bytes\": %d, \"external\": "
                  "true}], \"tasks\": [",
                  8 * count);
    for (int i = 0; i < count; i++) {
        at += sprintf(at,
                      "{\"id\": %d, \"name\": \"w\", \"core\": \"aiv\", "
                      "\"args\": [{\"buffer\": \"param:x\", \"dispatch\": "
                      "\"output_existing\", \"access\": [{\"mode\": \"write\", "
                      "\"must\": true, \"exact\": true, \"region\": {\"elem\": "
                      "8, \"base\": %d, \"dims\": []}}]}]},",
                      i, 8 * i);
    }
    at += sprintf(at,
                  "{\"id\": %d, \"name\": \"all\", \"core\": \"aic\", "
                  "\"args\": [{\"buffer\": \"param:x\", \"dispatch\": "
                  "\"input\", \"access\": [{\"mode\": \"read\", \"must\": "
                  "true, \"exact\": true}]}], \"deps\": [",
                  count);
    for (int i = 0; i < count; i++) {
        at += sprintf(at, "%s{\"task\": %d}", i == 0 ? "" : ", ", i);
    }
    sprintf(at, "]}]}");
    return text;
}

/* Whether row `to` waits for row `from`, through joins. */
static bool waits(const scene_table *t, int64_t to, int64_t from)
{
    const int64_t *row = t->words + t->words[t->words[3] + to];
    assert_true(row[8] <= 128);
    for (int64_t i = 0; i < row[8]; i++) {
        int64_t dep = t->words[row[7] + i];
        const int64_t *other = t->words + t->words[t->words[3] + dep];
        assert_true(dep < to);
        if (dep == from || (other[0] < 0 && waits(t, dep, from))) {
            return true;
        }
    }
    return false;
}

static void many_predecessors_are_joined(void **state)
{
    static const int counts[] = {127, 128, 129, 300, 16385};
    static const int64_t joins[] = {0, 0, 2, 3, 130};
    (void)state;
    for (size_t i = 0; i < 5; i++) {
        scene_input input;
        scene_table table;
        char *text = fan_in(counts[i]);
        scene_input_text(&input, text);
        replay_status status = scene_input_make(&input, NULL);
        if (counts[i] > 8192) { /* so many are ready at once */
            assert_int_equal(status, REPLAY_UNSUPPORTED);
            assert_non_null(strstr(input.error.message, "8,192"));
        } else {
            assert_int_equal(status, REPLAY_OK);
            scene_table_read(&table, &input.scene);
            int64_t rows = table.words[2];
            assert_int_equal(rows, counts[i] + 1 + joins[i]);
            /* by their views the runtime finds all of them itself */
            assert_int_equal(input.scene.automatic, counts[i] <= 128);
            assert_int_equal(strstr(input.scene.why_manual, "128") != NULL,
                             counts[i] > 128);
            for (int from = 0; from < counts[i]; from++) {
                assert_true(waits(&table, rows - 1, from));
            }
            free(table.words);
        }
        scene_input_free(&input);
        free(text);
    }
}

/* `found` tasks that the last one waits for by its view, and as many that it
 * names, which touch nothing. */
static char *found_and_named(int found)
{
    char *text = malloc(400 * (size_t)found + 4096);
    char *at = text;
    assert_non_null(text);
    at += sprintf(at, "{\"kind\": \"task_graph\", \"version\": 1, "
                      "\"rules\": \"tensormap\", \"buffers\": [{\"key\": "
                      "\"param:x\", \"bytes\": 8, \"external\": true}], "
                      "\"tasks\": [");
    for (int i = 0; i < found; i++) {
        at += sprintf(at,
                      "{\"id\": %d, \"core\": \"aiv\", \"args\": "
                      "[{\"buffer\": \"param:x\", \"dispatch\": "
                      "\"output_existing\"}]}, {\"id\": %d, \"core\": "
                      "\"aiv\", \"args\": []},",
                      2 * i, 2 * i + 1);
    }
    at += sprintf(at,
                  "{\"id\": %d, \"core\": \"aiv\", \"args\": [{\"buffer\": "
                  "\"param:x\", \"dispatch\": \"input\"}], \"deps\": [",
                  2 * found);
    for (int i = 0; i < found; i++) {
        at += sprintf(at, "%s{\"task\": %d}", i == 0 ? "" : ", ", 2 * i + 1);
    }
    sprintf(at, "]}]}");
    return text;
}

/* What the program names makes room for what the runtime finds. */
static void derived_predecessors_have_room(void **state)
{
    static const struct {
        int found, passed; /* -1: there are no automatic cases */
    } rows[] = {{64, 64}, {65, 1}, {127, 1}, {128, -1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene_input input;
        scene_table table;
        char *text = found_and_named(rows[i].found);
        scene_input_text(&input, text);
        assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
        scene_table_read(&table, &input.scene);
        const int64_t *w = table.words, *row = w + w[w[3] + w[2] - 1];
        assert_int_equal(input.scene.automatic, rows[i].passed >= 0);
        assert_true(row[8] <= 128);
        if (input.scene.automatic) {
            assert_int_equal(row[10], rows[i].passed);
        }
        free(table.words);
        scene_input_free(&input);
        free(text);
    }
}

/* Who owns the tensors of a row, in the order of its arguments. */
static void expect_owners(const scene_table *t, int64_t row, const char *owners)
{
    char found[64] = "";
    const int64_t *w = t->words, *r = w + w[w[3] + row];
    for (int64_t i = 0; i < r[12]; i++) {
        size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "%s%" PRId64,
                 i > 0 ? " " : "", w[r[11] + i * 17 + 5]);
    }
    assert_string_equal(found, owners);
}

/* What is passed as an output the runtime has allocated in that task: the last
 * one, unless the document knows who made it, or the rules say who does. */
static void outputs_have_owners(void **state)
{
#define MADE(dispatch, key)                                                    \
    "{\"buffer\":\"" key "\",\"dispatch\":\"" dispatch "\"}"
#define ROW(id, args) "{\"id\":" id ",\"core\":\"aiv\",\"args\":[" args "]}"
#define FIRST MADE("output", "alloc:a") "," MADE("input", "param:x")
#define SECOND                                                                 \
    MADE("input", "alloc:a")                                                   \
    "," MADE("no_dep", "half") "," MADE("output_existing", "param:x")
#define THIRD MADE("output", "alloc:a")
#define FOURTH                                                                 \
    MADE("inout", "alloc:a")                                                   \
    "," MADE("input", "half") "," MADE("output", "alloc:m")
#define FIFTH MADE("input", "alloc:m")
    static const struct {
        const char *rules, *owners[5];
    } cases[] = {
        {"none", {"-1 -1", "0 0 -1", "-1", "2 2 -1", "3"}},
        {"tensormap", {"-1 -1", "-1 -1 -1", "-1", "-1 -1 -1", "3"}},
    };
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        char text[4096];
        scene_input input;
        scene_table table;
        snprintf(
            text, sizeof text,
            "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"%s\","
            "\"buffers\":[{\"key\":\"alloc:a\",\"bytes\":64},{\"key\":"
            "\"half\",\"bytes\":32,\"alias_of\":{\"key\":\"alloc:a\","
            "\"offset\":32}},{\"key\":\"alloc:m\",\"bytes\":8,\"creator\":3},"
            "{\"key\":\"param:x\",\"bytes\":8,\"external\":true}],\"tasks\":[%"
            "s]}",
            cases[i].rules,
            ROW("0", FIRST) "," ROW("1", SECOND) "," ROW("2", THIRD) "," ROW(
                "3", FOURTH) "," ROW("4", FIFTH));
        scene_input_text(&input, text);
        assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
        scene_table_read(&table, &input.scene);
        for (int64_t row = 0; row < 5; row++) {
            expect_owners(&table, row, cases[i].owners[row]);
        }
        free(table.words);
        scene_input_free(&input);
    }
}

/* Names are comments at most, whatever they hold. */
static void names_stay_comments(void **state)
{
    (void)state;
    scene_input input;
    scene_input_text(
        &input,
        "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"n\", "
        "\"rules\": \"none\", \"buffers\": [{\"key\": "
        "\"param:\\n1 2 3\\\"\\u00e9\", \"bytes\": 8, \"external\": true}], "
        "\"tasks\": [{\"id\": 3, \"name\": \"a\\r\\n9 9\", \"core\": \"aiv\", "
        "\"args\": [{\"buffer\": \"param:\\n1 2 3\\\"\\u00e9\", \"dispatch\": "
        "\"inout\", \"access\": [{\"mode\": \"inout\", \"must\": true, "
        "\"exact\": true}]}]}]}");
    assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
    for (const char *at = input.scene.score; *at != '\0'; at++) {
        assert_true(*at == '\n' || (*at >= 0x20 && *at < 0x7f));
    }
    assert_non_null(strstr(input.scene.score, "# 0 param:?1?2?3\"??\n"));
    assert_non_null(strstr(input.scene.score, "# task 0, id 3 a??9?9\n"));
    scene_input_free(&input);
}

/* --- What is refused --- */

typedef struct refusal {
    const char *task; /* members of the task, behind its id and name */
    const char *says;
} refusal;

static void expect_refusal(const refusal *r)
{
    char *text = malloc(strlen(r->task) + 4096);
    scene_input input;
    assert_non_null(text);
    sprintf(text,
            "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"r\", "
            "\"rules\": \"none\", \"buffers\": [{\"key\": \"param:x\", "
            "\"bytes\": 4096, \"external\": true}], \"tasks\": [{\"id\": 7, "
            "\"name\": \"t\", %s}]}",
            r->task);
    scene_input_text(&input, text);
    replay_status status = scene_input_make(&input, NULL);
    if (r->says == NULL) {
        assert_int_equal(status, REPLAY_OK);
    } else {
        assert_int_not_equal(status, REPLAY_OK);
        assert_non_null(strstr(input.error.message, r->says));
        assert_int_equal(input.error.task, 7);
    }
    scene_input_free(&input);
    free(text);
}

static void add_args(char *out, const char *arg, int count)
{
    out += sprintf(out, "\"core\": \"aiv\", \"args\": [");
    for (int i = 0; i < count; i++) {
        out += sprintf(out, "%s%s", i == 0 ? "" : ", ", arg);
    }
    sprintf(out, "]");
}

static void limits_are_told(void **state)
{
    (void)state;
    static const char tensor[] =
        "{\"buffer\": \"param:x\", \"dispatch\": \"input\"}";
    static const struct {
        const char *arg;
        int count;
        const char *says;
    } args[] = {
        {tensor, 32, NULL},
        {tensor, 33, "32 tensors"},
        {"{\"scalar\": 1}", 16, NULL},
        {"{\"scalar\": 1}", 17, "16 scalars"},
    };
    for (size_t i = 0; i < sizeof args / sizeof *args; i++) {
        char text[4096];
        add_args(text, args[i].arg, args[i].count);
        expect_refusal(&(refusal){text, args[i].says});
    }
#define VIEW(elem, dims)                                                       \
    "\"core\": \"aiv\", \"args\": [{\"buffer\": \"param:x\", \"dispatch\": "   \
    "\"input\", \"view\": {\"dtype\": \"fp32\", \"elem\": " elem               \
    ", \"base\": 0, \"dims\": " dims "}}]"
    static const refusal others[] = {
        {VIEW("4", "[[2,512,0],[2,256,0],[2,128,0],[2,64,0],[4,4,0]]"), NULL},
        {VIEW("4", "[[1,1,0],[2,512,0],[2,256,0],[2,128,0],[2,64,0],[4,4,0]]"),
         "5 dimensions"},
        {VIEW("3", "[[2,512,0],[2,256,0],[2,128,0],[2,64,0],[4,4,0]]"),
         "5 dimensions"},
        {VIEW("4", "[[4,-4,-3]]"), "backwards"},
        {VIEW("4", "[[4,0,0]]"), "on the spot"},
        {"\"core\": \"aiv\", \"blocks\": 32767", NULL},
        {"\"core\": \"aiv\", \"blocks\": 32768", "32,767"},
        {"\"core\": \"mix\", \"blocks\": 10923", "32,767"},
        {"\"core\": \"aiv\", \"blocks\": 16, \"sync_start\": true", NULL},
        {"\"core\": \"aiv\", \"blocks\": 17, \"sync_start\": true", "together"},
        {"\"core\": \"aic\", \"blocks\": 9, \"sync_start\": true", "together"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        expect_refusal(&others[i]);
    }
}

/* An edge against program order: the later task is submitted first. */
static void edges_back_change_the_order(void **state)
{
    (void)state;
    scene_input input;
    scene_table table;
    scene_input_text(
        &input,
        "{\"kind\": \"task_graph\", \"version\": 1, \"name\": \"r\", "
        "\"rules\": \"none\", \"buffers\": [], \"tasks\": [{\"id\": 0, "
        "\"name\": \"a\", \"core\": \"aiv\", \"args\": []}, {\"id\": 1, "
        "\"name\": \"b\", \"core\": \"aiv\", \"args\": []}], \"edges\": "
        "[{\"from\": 1, \"to\": 0, \"source\": \"explicit\", \"kind\": "
        "\"data\", \"certain\": true}]}");
    assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
    assert_false(input.scene.automatic);
    assert_int_equal(input.scene.cases, 1);
    scene_table_read(&table, &input.scene);
    assert_int_equal(table.words[table.words[table.words[3]]], 1);
    assert_true(waits(&table, 1, 0));
    free(table.words);
    scene_input_free(&input);
}

static void memory_has_an_end(void **state)
{
    (void)state;
    scene_input input;
    const replay_scene_options small = {.max_bytes = 256};
    scene_input_text(&input, replay_scene_probe);
    assert_int_equal(scene_input_make(&input, &small), REPLAY_RANGE);
    assert_non_null(strstr(input.error.message, "256 bytes"));
    scene_input_free(&input);
}

/* Of a gigabyte: 0 writes columns 2 and 3 of each of 4 rows, 1 reads all but
 * the first byte of the last row. */
static const char large[] =
    "{\"kind\":\"task_graph\",\"version\":1,\"rules\":\"none\",\"buffers\":["
    "{\"key\":\"param:x\",\"bytes\":1073741824,\"external\":true}],\"tasks\":["
    "{\"id\":0,\"name\":\"w\",\"core\":\"aiv\",\"args\":[{\"buffer\":"
    "\"param:x\",\"dispatch\":\"output_existing\",\"access\":[{\"mode\":"
    "\"write\",\"must\":true,\"exact\":true,\"region\":{\"base\":2,\"elem\":1,"
    "\"dims\":[[4,268435456,0],[2,1,0]]}}]}]},"
    "{\"id\":1,\"name\":\"r\",\"core\":\"aiv\",\"deps\":[{\"task\":0}],"
    "\"args\":[{\"buffer\":\"param:x\",\"dispatch\":\"input\",\"access\":["
    "{\"mode\":\"read\",\"must\":true,\"exact\":true,\"region\":{\"base\":"
    "805306369,\"elem\":1,\"dims\":[[268435455,1,0]]}}]}]}]}";

/* Cells and what lies between them are 8 bytes at most. */
static void large_storages_are_scaled(void **state)
{
    (void)state;
    scene_input input;
    scene_table table;
    scene_input_text(&input, large);
    assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
    scene_table_read(&table, &input.scene);
    const int64_t *w = table.words, *storage = w + w[4];
    assert_true(input.scene.scaled);
    assert_int_equal(storage[1], 2 + 2 + 2 * (8 + 2) + 8 + 1 + 2 + 8);
    assert_true(storage[4] >= storage[1]);
    assert_int_equal(storage[5], (int64_t)1 << 30);
    const int64_t *access = w + w[w[w[3]] + 13];
    const int64_t columns[] = {1, 0, 2, 2, 2, 3, 10, 33, 2, 1, 0};
    assert_memory_equal(access, columns, sizeof columns);
    access = w + w[w[w[3] + 1] + 13];
    const int64_t rest[] = {0, 0, 1, 32, 11, 1, 0};
    assert_memory_equal(access, rest, sizeof rest);
    assert_int_equal(input.scene.expected_length, 2 * 16 + 43);
    free(table.words);
    scene_input_free(&input);
}

/* --- The folder --- */

static int entries(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (; dir != NULL && readdir(dir) != NULL; count++) {
    }
    if (dir != NULL) {
        closedir(dir);
    }
    return dir == NULL ? -1 : count;
}

static void folders_are_kept(void **state)
{
    (void)state;
    char base[] = "/tmp/scene-XXXXXX", path[64], other[64];
    scene_input input;
    assert_non_null(mkdtemp(base));
    scene_input_text(&input, replay_scene_probe);
    assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
    snprintf(path, sizeof path, "%s/new", base);
    assert_int_equal(replay_scene_write(&input.scene, path, &input.error),
                     REPLAY_OK);
    assert_int_equal(entries(path), 2 + 5);
    for (size_t i = 0; i < replay_scene_text_count; i++) {
        char source[128];
        size_t length;
        snprintf(source, sizeof source, "replay/scene/%s",
                 replay_scene_texts[i].name);
        char *text = scene_input_read(source, &length);
        assert_non_null(text);
        assert_string_equal(text, replay_scene_texts[i].text);
        free(text);
    }
    /* a second scene does not go into the first */
    assert_int_equal(replay_scene_write(&input.scene, path, &input.error),
                     REPLAY_IO);
    assert_non_null(strstr(input.error.message, "new or empty"));
    assert_int_equal(entries(path), 2 + 5);
    snprintf(other, sizeof other, "%s/no/such", base);
    assert_int_equal(replay_scene_write(&input.scene, other, &input.error),
                     REPLAY_IO);
    assert_non_null(strstr(input.error.message, "cannot be made"));
    snprintf(other, sizeof other, "%s/new/score.txt", base);
    assert_int_equal(replay_scene_write(&input.scene, other, &input.error),
                     REPLAY_IO);
    snprintf(other, sizeof other, "rm -r '%s'", base);
    assert_int_equal(system(other), 0);
    scene_input_free(&input);
}

/* --- What a run left behind --- */

static void differences_are_found(void **state)
{
    (void)state;
    scene_input input;
    replay_scene_outcome o;
    scene_input_text(&input, replay_scene_probe);
    assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
    replay_scene *s = &input.scene;
    unsigned char *got = malloc(s->expected_length);
    assert_non_null(got);
    memcpy(got, s->expected, s->expected_length);
    assert_int_equal(
        replay_scene_compare(&o, s, got, s->expected_length, &input.error),
        REPLAY_OK);
    assert_int_equal(o.tasks + o.buffers, 0);
    assert_int_equal(o.task, REPLAY_NONE);
    got[16 * 3 + 8] ^= 1;        /* the hash of task 3 */
    got[16 * 5] = 0;             /* task 5 did not run */
    got[16 * 6 + 256 + 10] ^= 1; /* param:y */
    got[16 * 6 + 256 + 20] ^= 1;
    assert_int_equal(
        replay_scene_compare(&o, s, got, s->expected_length, &input.error),
        REPLAY_OK);
    assert_int_equal(o.tasks, 2);
    assert_int_equal(o.task, 3);
    assert_int_equal(o.hash ^ o.expected_hash, 1);
    assert_int_equal(o.buffers, 1);
    assert_string_equal(input.document.buffers[o.buffer].key.data, "param:y");
    assert_int_equal(o.begin, 10);
    assert_int_equal(o.end, 21);
    assert_int_equal(
        replay_scene_compare(&o, s, got, s->expected_length - 1, &input.error),
        REPLAY_RANGE);
    free(got);
    scene_input_free(&input);
}

static void cases_have_names(void **state)
{
    (void)state;
    scene_input input;
    replay_scene_line line;
    const replay_scene_schedule schedule = {REPLAY_LAZY, 3, true};
    const replay_scene_options options = {.schedules = &schedule,
                                          .schedule_count = 1};
    scene_input_text(&input, replay_scene_probe);
    assert_int_equal(scene_input_make(&input, &options), REPLAY_OK);
    static const char *const names[] = {"manual", "automatic",
                                        "automatic_lazy_3"};
    assert_int_equal(input.scene.cases, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(replay_scene_case(&line, &input.scene, i));
        assert_string_equal(line.name, names[i]);
        assert_int_equal(line.automatic, i > 0);
        assert_int_equal(line.held, i == 2);
    }
    assert_false(replay_scene_case(&line, &input.scene, 3));
    scene_input_free(&input);
}

/* A record of the six tasks as a run writes it, with these edges. */
static replay_status read_record(replay_scene_edges *edges, scene_input *input,
                                 const char *pairs, uint32_t tasks)
{
    char text[4096], *at = text;
    oracle_document record;
    oracle_error error;
    at += sprintf(at, "{\"tasks\":[");
    for (uint32_t i = 0; i < tasks; i++) {
        at += sprintf(at,
                      "%s{\"task_id\":\"%u\",\"scope\":\"manual\","
                      "\"early_dispatch\":false,\"kernel_ids\":[-1,1,-1],"
                      "\"block_num\":1,\"args\":[]}",
                      i == 0 ? "" : ",", i);
    }
    at += sprintf(at, "],\"tensors\":[],\"edges\":[");
    for (const char *pair = pairs; *pair != '\0'; pair += 2) {
        at += sprintf(at,
                      "%s{\"pred\":\"%c\",\"succ\":\"%c\",\"arg\":-1,"
                      "\"source\":\"explicit\"}",
                      pair == pairs ? "" : ",", pair[0], pair[1]);
    }
    sprintf(at, "]}");
    assert_int_equal(
        oracle_document_read(&record, text, strlen(text), NULL, &error),
        ORACLE_OK);
    replay_status status = replay_scene_record(edges, &input->scene, false,
                                               &record, &input->error);
    oracle_document_free(&record);
    return status;
}

static void records_are_compared(void **state)
{
    (void)state;
    scene_input input;
    replay_scene_edges e;
    scene_input_text(&input, replay_scene_probe);
    assert_int_equal(scene_input_make(&input, NULL), REPLAY_OK);
    assert_int_equal(read_record(&e, &input, "0212230424253545", 6), REPLAY_OK);
    assert_int_equal(e.lacking + e.more, 0);
    /* 2 to 5 is implied; the order of 2 and 4 is not */
    assert_int_equal(read_record(&e, &input,
                                 "02122304"
                                 "3545",
                                 6),
                     REPLAY_OK);
    assert_int_equal(e.lacking, 1);
    assert_int_equal(e.lacks[0], 2);
    assert_int_equal(e.lacks[1], 4);
    assert_int_equal(e.more, 0);
    assert_int_equal(read_record(&e, &input, "021223042425354501", 6),
                     REPLAY_OK);
    assert_int_equal(e.lacking, 0);
    assert_int_equal(e.more, 1);
    assert_int_equal(e.has[0], 0);
    assert_int_equal(e.has[1], 1);
    assert_int_equal(read_record(&e, &input, "02", 5), REPLAY_UNSUPPORTED);
    assert_int_equal(read_record(&e, &input, "02", 7), REPLAY_UNSUPPORTED);
    scene_input_free(&input);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(probe_is_golden),
    cmocka_unit_test(program_is_golden),
    cmocka_unit_test(many_predecessors_are_joined),
    cmocka_unit_test(derived_predecessors_have_room),
    cmocka_unit_test(outputs_have_owners),
    cmocka_unit_test(names_stay_comments),
    cmocka_unit_test(limits_are_told),
    cmocka_unit_test(edges_back_change_the_order),
    cmocka_unit_test(memory_has_an_end),
    cmocka_unit_test(large_storages_are_scaled),
    cmocka_unit_test(folders_are_kept),
    cmocka_unit_test(differences_are_found),
    cmocka_unit_test(cases_have_names),
    cmocka_unit_test(records_are_compared),
};

TEST_MAIN(tests)
