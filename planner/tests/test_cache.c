/* The Score cache: in memory, as a document, in a file. */
#include "../../scripts/testing/harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sonata/cache.h"

#define TEXT_OF(number)                                                        \
    char text_of[200];                                                         \
    snprintf(text_of, sizeof text_of,                                          \
             "{\"name\":\"s%d\",\"metadata\":{\"m\":%d},\"tasks\":["           \
             "{\"task_id\":0,\"func_id\":0,\"core_type\":\"aiv\","             \
             "\"name\":\"k\",\"args\":[\"x\"]}]}",                             \
             number, number)

static sonata_score make_score(int number)
{
    sonata_score score;
    TEXT_OF(number);
    assert_int_equal(
        sonata_score_read(&score, text_of, strlen(text_of), NULL, NULL),
        SONATA_OK);
    return score;
}

static sonata_cache *new_cache(void)
{
    sonata_cache *cache = NULL;
    assert_int_equal(sonata_cache_new(&cache, NULL), SONATA_OK);
    return cache;
}

static void store(sonata_cache *cache, int number,
                  char fingerprint[SONATA_FINGERPRINT_SIZE])
{
    sonata_score score = make_score(number);
    assert_int_equal(
        sonata_cache_store(cache, fingerprint, &score, NULL, NULL, NULL),
        SONATA_OK);
    sonata_score_free(&score);
}

static void store_and_look_up(void **state)
{
    (void)state;
    char first[SONATA_FINGERPRINT_SIZE], second[SONATA_FINGERPRINT_SIZE];
    sonata_cache *cache = new_cache();
    store(cache, 1, first);
    store(cache, 2, second);
    store(cache, 1, first);
    assert_string_equal(sonata_cache_lookup(cache, first)->name.text, "s1");
    assert_string_equal(sonata_cache_lookup(cache, second)->name.text, "s2");
    assert_null(sonata_cache_lookup(cache, "x"));
    assert_true(sonata_cache_contains(cache, first));
    sonata_cache_stats stats = sonata_cache_stats_of(cache);
    assert_int_equal(stats.entries, 2);
    assert_int_equal(stats.hits, 2);
    assert_int_equal(stats.misses, 1);
    assert_int_equal(stats.hit_rate, 66);
    assert_true(sonata_cache_invalidate(cache, first));
    assert_false(sonata_cache_invalidate(cache, first));
    assert_false(sonata_cache_contains(cache, first));
    assert_int_equal(sonata_cache_invalidate_all(cache), 1);
    assert_int_equal(sonata_cache_stats_of(cache).entries, 0);
    store(cache, 1, first);
    assert_true(sonata_cache_contains(cache, first));
    sonata_cache_free(cache);
    sonata_cache_free(NULL);
}

static void handles_go_with_their_score(void **state)
{
    (void)state;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    sonata_error error = {0};
    sonata_score score = make_score(1);
    sonata_score other = make_score(2);
    sonata_handle handle;
    sonata_cache *cache = new_cache();
    sonata_handle_from_score(&handle, &score, NULL, NULL);
    assert_int_equal(sonata_cache_store_handle(cache, &handle, &error),
                     SONATA_REJECTED);
    assert_string_equal(error.code, "cache.missing");
    assert_int_equal(
        sonata_cache_store(cache, NULL, &other, &handle, NULL, &error),
        SONATA_REJECTED);
    assert_string_equal(error.code, "cache.foreign-handle");
    store(cache, 1, fingerprint);
    assert_null(sonata_cache_lookup_handle(cache, fingerprint));
    assert_int_equal(sonata_cache_store_handle(cache, &handle, &error),
                     SONATA_OK);
    const sonata_handle *found = sonata_cache_lookup_handle(cache, fingerprint);
    assert_string_equal(found->fingerprint.text, fingerprint);
    assert_int_equal(found->binding_count, 1);
    store(cache, 1, fingerprint); /* without one: it stays */
    assert_non_null(sonata_cache_lookup_handle(cache, fingerprint));
    sonata_handle_free(&handle);
    sonata_score_free(&score);
    sonata_score_free(&other);
    sonata_cache_free(cache);
}

typedef struct build_calls {
    int number, calls;
} build_calls;

static sonata_status build(sonata_score *score, void *context,
                           sonata_error *error)
{
    build_calls *calls = context;
    TEXT_OF(calls->number);
    calls->calls++;
    return sonata_score_read(score, text_of, strlen(text_of), NULL, error);
}

static sonata_status fail_to_build(sonata_score *score, void *context,
                                   sonata_error *error)
{
    (void)context;
    return sonata_score_read(score, "", 0, NULL, error);
}

static void look_up_or_build(void **state)
{
    (void)state;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    const sonata_score *score = NULL;
    bool cached = true;
    build_calls calls = {.number = 3};
    sonata_cache *cache = new_cache();
    assert_int_equal(
        sonata_cache_get(&score, &cached, cache, NULL, build, &calls, NULL),
        SONATA_OK);
    assert_false(cached);
    assert_string_equal(score->name.text, "s3");
    sonata_score_fingerprint(fingerprint, score, false, NULL);
    assert_int_equal(sonata_cache_get(&score, &cached, cache, fingerprint,
                                      build, &calls, NULL),
                     SONATA_OK);
    assert_true(cached);
    assert_int_equal(calls.calls, 1);
    assert_int_equal(
        sonata_cache_get(&score, &cached, cache, "0", build, &calls, NULL),
        SONATA_OK);
    assert_false(cached);
    assert_int_equal(calls.calls, 2);
    assert_int_equal(sonata_cache_get(&score, &cached, cache, "0",
                                      fail_to_build, NULL, NULL),
                     SONATA_SYNTAX);
    assert_null(score);
    sonata_cache_free(cache);
}

/* Reads a document; the warnings' codes, joined by spaces. */
static const char *codes_of(sonata_cache *cache, const char *text)
{
    static char codes[400];
    sonata_reasons warnings = {0};
    assert_int_equal(
        sonata_cache_read(cache, text, strlen(text), &warnings, NULL),
        SONATA_OK);
    codes[0] = '\0';
    for (size_t i = 0; i < warnings.count; i++) {
        size_t at = strlen(codes);
        snprintf(codes + at, sizeof codes - at, "%s%s", at > 0 ? " " : "",
                 warnings.items[i].code);
    }
    sonata_reasons_free(&warnings);
    return codes;
}

static char *json_of(const sonata_cache *cache)
{
    char *json = NULL;
    assert_int_equal(sonata_cache_json(&json, NULL, cache, false, NULL),
                     SONATA_OK);
    return json;
}

/* The text with each `from` put as `to`, which is as long. */
static char *replace_all(const char *text, const char *from, const char *to)
{
    char *copy = strdup(text);
    assert_non_null(copy);
    assert_int_equal(strlen(from), strlen(to));
    assert_non_null(strstr(copy, from));
    for (char *at = copy; (at = strstr(at, from)) != NULL;)
        memcpy(at, to, strlen(to));
    return copy;
}

static void bad_entries_are_misses(void **state)
{
    (void)state;
    char first[SONATA_FINGERPRINT_SIZE], second[SONATA_FINGERPRINT_SIZE];
    sonata_cache *cache = new_cache();
    store(cache, 1, first);
    store(cache, 2, second);
    char *json = json_of(cache);
    static const struct {
        const char *from, *to, *codes;
        bool first_is_there;
    } cases[] = {
        {"\"s1\"", "\"sX\"", "cache.foreign-entry", false},
        {"\"name\":\"s1\"", "\"name\":   1", "cache.damaged-entry", false},
        {"\"m\":1", "\"m\":9", "", true}, /* no part of the identity */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sonata_cache *other = new_cache();
        char *text = replace_all(json, cases[i].from, cases[i].to);
        assert_string_equal(codes_of(other, text), cases[i].codes);
        assert_int_equal(sonata_cache_contains(other, first),
                         cases[i].first_is_there);
        assert_true(sonata_cache_contains(other, second));
        free(text);
        sonata_cache_free(other);
    }
    free(json);
    sonata_cache_free(cache);
}

static void foreign_handle_costs_itself_alone(void **state)
{
    (void)state;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    sonata_score score = make_score(1);
    sonata_handle handle;
    sonata_cache *cache = new_cache();
    sonata_cache *other = new_cache();
    sonata_handle_from_score(&handle, &score, NULL, NULL);
    assert_int_equal(
        sonata_cache_store(cache, fingerprint, &score, &handle, NULL, NULL),
        SONATA_OK);
    char *json = json_of(cache);
    char from[120], to[120];
    snprintf(from, sizeof from, "\"score_fingerprint\":\"%s\"", fingerprint);
    snprintf(to, sizeof to, "\"score_fingerprint\":\"x%s\"", fingerprint + 1);
    char *text = replace_all(json, from, to);
    assert_string_equal(codes_of(other, text), "cache.damaged-entry");
    free(text);
    assert_non_null(sonata_cache_lookup(other, fingerprint));
    assert_null(sonata_cache_lookup_handle(other, fingerprint));
    free(json);
    sonata_handle_free(&handle);
    sonata_score_free(&score);
    sonata_cache_free(cache);
    sonata_cache_free(other);
}

static void other_versions_are_kept_and_missed(void **state)
{
    (void)state;
    static const char text[] =
        "{\"cache_schema_version\":1,\"entries\":{\"f\":{\"schema_version\":2,"
        "\"score\":{\"any\":1}},\"g\":{\"fingerprint_version\":9}}}";
    sonata_cache *cache = new_cache();
    assert_string_equal(codes_of(cache, text), "");
    assert_null(sonata_cache_lookup(cache, "f"));
    assert_false(sonata_cache_contains(cache, "g"));
    char *json = json_of(cache);
    assert_string_equal(json, text);
    free(json);
    sonata_cache_free(cache);
}

/* ---- In a file ---- */

typedef struct folder {
    char name[64];
    char path[96];
} folder;

static folder make_folder(void)
{
    folder f = {.name = "/tmp/test_cache.XXXXXX"};
    assert_non_null(mkdtemp(f.name));
    snprintf(f.path, sizeof f.path, "%s/cache.json", f.name);
    return f;
}

static void remove_folder(const folder *f)
{
    static const char *const endings[] = {"", ".lock", ".new", ".damaged",
                                          ".damaged.1"};
    char name[128];
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        snprintf(name, sizeof name, "%s%s", f->path, endings[i]);
        unlink(name);
    }
    assert_int_equal(rmdir(f->name), 0);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static bool exists(const folder *f, const char *ending)
{
    char name[128];
    struct stat about;
    snprintf(name, sizeof name, "%s%s", f->path, ending);
    return stat(name, &about) == 0;
}

static void saved_and_loaded(void **state)
{
    (void)state;
    char first[SONATA_FINGERPRINT_SIZE], second[SONATA_FINGERPRINT_SIZE];
    folder f = make_folder();
    sonata_cache *cache = new_cache();
    assert_int_equal(sonata_cache_load(cache, f.path, NULL, NULL), SONATA_OK);
    store(cache, 1, first);
    assert_int_equal(sonata_cache_save(cache, f.path, NULL, NULL), SONATA_OK);
    assert_false(exists(&f, ".new"));
    sonata_cache *other = new_cache();
    store(other, 2, second);
    assert_int_equal(sonata_cache_save(other, f.path, NULL, NULL), SONATA_OK);
    assert_true(sonata_cache_contains(other, first)); /* both are kept */
    assert_int_equal(sonata_cache_load(cache, f.path, NULL, NULL), SONATA_OK);
    assert_true(sonata_cache_contains(cache, second));
    /* what is invalidated stays away */
    assert_true(sonata_cache_invalidate(cache, second));
    assert_int_equal(sonata_cache_save(cache, f.path, NULL, NULL), SONATA_OK);
    assert_false(sonata_cache_contains(cache, second));
    sonata_cache_free(other);
    other = new_cache();
    assert_int_equal(sonata_cache_load(other, f.path, NULL, NULL), SONATA_OK);
    assert_true(sonata_cache_contains(other, first));
    assert_false(sonata_cache_contains(other, second));
    sonata_cache_invalidate_all(other);
    assert_int_equal(sonata_cache_save(other, f.path, NULL, NULL), SONATA_OK);
    assert_int_equal(sonata_cache_stats_of(other).entries, 0);
    sonata_cache_free(other);
    sonata_cache_free(cache);
    remove_folder(&f);
}

static void damaged_file_is_kept_aside(void **state)
{
    (void)state;
    static const char *const texts[] = {"{\"cache_schema_version\":1,\"ent",
                                        "[1]"};
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    folder f = make_folder();
    for (size_t i = 0; i < 2; i++) {
        sonata_reasons warnings = {0};
        sonata_cache *cache = new_cache();
        write_text(f.path, texts[i]);
        if (i == 0) {
            assert_int_equal(sonata_cache_load(cache, f.path, &warnings, NULL),
                             SONATA_OK);
        } else {
            store(cache, 1, fingerprint);
            assert_int_equal(sonata_cache_save(cache, f.path, &warnings, NULL),
                             SONATA_OK);
        }
        assert_int_equal(warnings.count, 1);
        assert_string_equal(warnings.items[0].code, "cache.damaged-file");
        assert_int_equal(exists(&f, ""), i == 1);
        assert_true(exists(&f, i == 0 ? ".damaged" : ".damaged.1"));
        sonata_reasons_free(&warnings);
        sonata_cache_free(cache);
    }
    remove_folder(&f);
}

static void left_over_of_a_crash(void **state)
{
    (void)state;
    char fingerprint[SONATA_FINGERPRINT_SIZE];
    char name[128];
    folder f = make_folder();
    sonata_cache *cache = new_cache();
    store(cache, 1, fingerprint);
    assert_int_equal(sonata_cache_save(cache, f.path, NULL, NULL), SONATA_OK);
    snprintf(name, sizeof name, "%s.new", f.path);
    write_text(name, "half a docu");
    sonata_cache *other = new_cache();
    assert_int_equal(sonata_cache_load(other, f.path, NULL, NULL), SONATA_OK);
    assert_true(sonata_cache_contains(other, fingerprint));
    assert_int_equal(sonata_cache_save(other, f.path, NULL, NULL), SONATA_OK);
    assert_false(exists(&f, ".new"));
    sonata_cache_free(other);
    sonata_cache_free(cache);
    remove_folder(&f);
}

static void unusable_paths(void **state)
{
    (void)state;
    sonata_error error = {0};
    sonata_cache *cache = new_cache();
    assert_int_equal(sonata_cache_save(cache, "/nowhere/at/all", NULL, &error),
                     SONATA_IO);
    assert_string_equal(error.code, "file");
    assert_int_equal(sonata_cache_load(cache, "/tmp", NULL, &error), SONATA_IO);
    sonata_cache_free(cache);
}

/* Many processes save entries of their own into one file, over and over. */
static void processes_share_a_file(void **state)
{
    (void)state;
    enum { PROCESSES = 6, ROUNDS = 8 };
    folder f = make_folder();
    pid_t children[PROCESSES];
    for (int p = 0; p < PROCESSES; p++) {
        children[p] = fork();
        assert_true(children[p] >= 0);
        if (children[p] > 0)
            continue;
        bool good = true;
        for (int r = 0; r < ROUNDS; r++) {
            char fingerprint[SONATA_FINGERPRINT_SIZE];
            sonata_reasons warnings = {0};
            sonata_cache *cache = new_cache();
            sonata_cache *reader = new_cache();
            store(cache, p * ROUNDS + r, fingerprint);
            good = good &&
                   sonata_cache_save(cache, f.path, &warnings, NULL) ==
                       SONATA_OK &&
                   sonata_cache_load(reader, f.path, &warnings, NULL) ==
                       SONATA_OK &&
                   sonata_cache_contains(reader, fingerprint) &&
                   warnings.count == 0;
            sonata_reasons_free(&warnings);
            sonata_cache_free(cache);
            sonata_cache_free(reader);
        }
        _exit(good ? 0 : 1);
    }
    for (int p = 0; p < PROCESSES; p++) {
        int status = 0;
        assert_int_equal(waitpid(children[p], &status, 0), children[p]);
        assert_int_equal(status, 0);
    }
    sonata_cache *cache = new_cache();
    assert_int_equal(sonata_cache_load(cache, f.path, NULL, NULL), SONATA_OK);
    assert_int_equal(sonata_cache_stats_of(cache).entries, PROCESSES * ROUNDS);
    sonata_cache_free(cache);
    remove_folder(&f);
}

static int held; /* the lock, until signals have come */
static volatile sig_atomic_t signals;

static void on_alarm(int number)
{
    (void)number;
    if (++signals == 3)
        close(held);
}

/* Signals that come while another holds the lock end no wait. */
static void interrupted_while_waiting(void **state)
{
    (void)state;
    const struct itimerval often = {{0, 20000}, {0, 20000}}, never = {0};
    struct sigaction action = {.sa_handler = on_alarm}; /* no SA_RESTART */
    char name[128], fingerprint[SONATA_FINGERPRINT_SIZE];
    folder f = make_folder();
    sonata_cache *cache = new_cache();
    store(cache, 1, fingerprint);
    snprintf(name, sizeof name, "%s.lock", f.path);
    held = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    assert_int_equal(flock(held, LOCK_EX), 0);
    assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
    assert_int_equal(setitimer(ITIMER_REAL, &often, NULL), 0);
    sonata_status status = sonata_cache_save(cache, f.path, NULL, NULL);
    assert_int_equal(setitimer(ITIMER_REAL, &never, NULL), 0);
    assert_int_equal(status, SONATA_OK);
    assert_true(signals >= 3);
    sonata_cache_free(cache);
    remove_folder(&f);
}

/* Saves until it is killed. */
static void save_for_ever(const folder *f)
{
    for (int n = 0;; n = (n + 1) % 50) {
        char fingerprint[SONATA_FINGERPRINT_SIZE];
        sonata_cache *cache = new_cache();
        store(cache, n, fingerprint);
        sonata_cache_save(cache, f->path, NULL, NULL);
        sonata_cache_free(cache);
    }
}

/* A writer is killed at any moment: the file is whole, the lock is free. */
static void killed_while_saving(void **state)
{
    (void)state;
    enum { TIMES = 20 };
    folder f = make_folder();
    for (int i = 0; i < TIMES; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0)
            save_for_ever(&f);
        for (int looks = 0; looks < i + 1;)
            looks += exists(&f, i % 2 == 0 ? "" : ".new");
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        sonata_reasons warnings = {0};
        sonata_cache *cache = new_cache();
        assert_int_equal(sonata_cache_load(cache, f.path, &warnings, NULL),
                         SONATA_OK);
        assert_int_equal(sonata_cache_save(cache, f.path, &warnings, NULL),
                         SONATA_OK);
        assert_int_equal(warnings.count, 0);
        sonata_reasons_free(&warnings);
        sonata_cache_free(cache);
    }
    remove_folder(&f);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(store_and_look_up),
    cmocka_unit_test(handles_go_with_their_score),
    cmocka_unit_test(look_up_or_build),
    cmocka_unit_test(bad_entries_are_misses),
    cmocka_unit_test(foreign_handle_costs_itself_alone),
    cmocka_unit_test(other_versions_are_kept_and_missed),
    cmocka_unit_test(saved_and_loaded),
    cmocka_unit_test(damaged_file_is_kept_aside),
    cmocka_unit_test(left_over_of_a_crash),
    cmocka_unit_test(unusable_paths),
    cmocka_unit_test(processes_share_a_file),
    cmocka_unit_test(interrupted_while_waiting),
    cmocka_unit_test(killed_while_saving),
};

TEST_MAIN(tests)
