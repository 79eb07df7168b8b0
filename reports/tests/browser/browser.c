#include "browser.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../../scripts/testing/harness.h"

#define ANSWER_MS 60000
#define EXPECT_MS 30000

struct browser {
    pid_t process;
    int to, from;     /* ends of the pipes */
    char folder[40];  /* the profile */
    char session[80]; /* of the page; "": none yet */
    int calls;
    char *text; /* what has come and is no whole message yet */
    size_t length, room;
    char trouble[400];
    bool loaded;
};

/* --- Starting --- */

static bool is_in_path(const char *name)
{
    char *path = strdup(getenv("PATH") == NULL ? "" : getenv("PATH"));
    char *rest = path, *folder, file[4096];
    bool found = false;
    assert_non_null(path);
    while (!found && (folder = strsep(&rest, ":")) != NULL) {
        snprintf(file, sizeof file, "%s/%s", folder, name);
        found = access(file, X_OK) == 0;
    }
    free(path);
    return found;
}

static const char *find_chromium(void)
{
    static const char *const names[] = {"chromium", "chromium-browser",
                                        "chromium-headless-shell",
                                        "google-chrome", "chrome"};
    if (getenv("CHROMIUM") != NULL)
        return getenv("CHROMIUM");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_in_path(names[i]))
            return names[i];
    fail_msg("no Chromium is here: install it (Debian: chromium), or name it "
             "in CHROMIUM");
    return NULL;
}

/* The protocol is spoken on descriptors 3 and 4. */
static void become_chromium(const char *name, const char *folder, int in,
                            int out)
{
    char profile[64];
    snprintf(profile, sizeof profile, "--user-data-dir=%s", folder);
    int quiet = open("/dev/null", O_RDWR);
    int high_in = fcntl(in, F_DUPFD, 10), high_out = fcntl(out, F_DUPFD, 10);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    if (quiet < 0 || dup2(quiet, 0) < 0 || dup2(quiet, 1) < 0 ||
        dup2(quiet, 2) < 0 || dup2(high_in, 3) < 0 || dup2(high_out, 4) < 0)
        _exit(126);
    close(high_in);
    close(high_out);
    execlp(name, name, "--headless=new", "--remote-debugging-pipe",
           "--disable-gpu", "--hide-scrollbars", "--no-first-run",
           "--disable-background-networking", "--disable-extensions", profile,
           geteuid() == 0 ? "--no-sandbox" : "about:blank", "about:blank",
           (char *)NULL);
    _exit(127);
}

static void start(browser *b, const char *name)
{
    int in[2], out[2];
    strcpy(b->folder, "/tmp/counterpoint-browser-XXXXXX");
    assert_non_null(mkdtemp(b->folder));
    assert_int_equal(pipe2(in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    b->process = fork();
    assert_true(b->process >= 0);
    if (b->process == 0)
        become_chromium(name, b->folder, in[0], out[1]);
    close(in[0]);
    close(out[1]);
    b->to = in[1];
    b->from = out[0];
    signal(SIGPIPE, SIG_IGN);
}

/* --- Messages --- */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void send_message(browser *b, const char *method, cJSON *parameters)
{
    cJSON *message = cJSON_CreateObject();
    cJSON_AddNumberToObject(message, "id", ++b->calls);
    cJSON_AddStringToObject(message, "method", method);
    if (b->session[0] != '\0')
        cJSON_AddStringToObject(message, "sessionId", b->session);
    if (parameters != NULL)
        cJSON_AddItemToObject(message, "params", parameters);
    char *text = cJSON_PrintUnformatted(message);
    assert_non_null(text);
    for (size_t at = 0, length = strlen(text) + 1; at < length;) {
        ssize_t n = write(b->to, text + at, length - at);
        if (n <= 0)
            fail_msg("the browser has gone");
        at += (size_t)n;
    }
    cJSON_free(text);
    cJSON_Delete(message);
}

static void receive_bytes(browser *b, int64_t end)
{
    struct pollfd wait = {.fd = b->from, .events = POLLIN};
    int64_t left = end - now_ms();
    if (b->room - b->length < 65536) {
        b->room = 2 * b->room + 65536;
        b->text = realloc(b->text, b->room);
        assert_non_null(b->text);
    }
    if (left <= 0 || poll(&wait, 1, (int)left) <= 0)
        fail_msg("the browser does not answer");
    ssize_t n = read(b->from, b->text + b->length, b->room - b->length);
    if (n <= 0)
        fail_msg("the browser has gone");
    b->length += (size_t)n;
}

/* The next whole message. */
static cJSON *receive(browser *b, int64_t end)
{
    char *zero;
    while (b->length == 0 || (zero = memchr(b->text, '\0', b->length)) == NULL)
        receive_bytes(b, end);
    cJSON *message = cJSON_Parse(b->text);
    assert_non_null(message);
    size_t used = (size_t)(zero - b->text) + 1;
    memmove(b->text, b->text + used, b->length - used);
    b->length -= used;
    return message;
}

static const cJSON *member(const cJSON *object, const char *path)
{
    char name[32];
    while (object != NULL && *path != '\0') {
        size_t length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        object = cJSON_GetObjectItem(object, name);
        path += length + (path[length] == '.');
    }
    return object;
}

static const char *text_of(const cJSON *object, const char *path)
{
    const cJSON *found = member(object, path);
    return cJSON_IsString(found) ? found->valuestring : "";
}

/* --- Trouble --- */

static bool is_trouble(const cJSON *event, const char *method)
{
    if (strcmp(method, "Runtime.exceptionThrown") == 0)
        return true;
    if (strcmp(method, "Runtime.consoleAPICalled") == 0)
        return strcmp(text_of(event, "params.type"), "error") == 0 ||
               strcmp(text_of(event, "params.type"), "warning") == 0;
    if (strcmp(method, "Log.entryAdded") == 0)
        return strcmp(text_of(event, "params.entry.level"), "verbose") != 0;
    if (strcmp(method, "Page.javascriptDialogOpening") == 0)
        return true;
    return strcmp(method, "Network.requestWillBeSent") == 0 &&
           strncmp(text_of(event, "params.request.url"), "file:///", 8) != 0;
}

static void see_event(browser *b, const cJSON *event)
{
    const char *method = text_of(event, "method");
    b->loaded = b->loaded || strcmp(method, "Page.loadEventFired") == 0;
    if (b->trouble[0] != '\0' || !is_trouble(event, method))
        return;
    char *text = cJSON_PrintUnformatted(member(event, "params"));
    snprintf(b->trouble, sizeof b->trouble, "%s: %s", method,
             text == NULL ? "" : text);
    cJSON_free(text);
}

const char *browser_trouble(const browser *b)
{
    return b->trouble[0] == '\0' ? NULL : b->trouble;
}

/* --- Calls --- */

cJSON *browser_call(browser *b, const char *method, cJSON *parameters)
{
    int64_t end = now_ms() + ANSWER_MS;
    send_message(b, method, parameters);
    for (;;) {
        cJSON *message = receive(b, end);
        const cJSON *id = cJSON_GetObjectItem(message, "id");
        if (id != NULL && id->valueint == b->calls) {
            const cJSON *error = cJSON_GetObjectItem(message, "error");
            if (error != NULL)
                fail_msg("%s: %s", method, text_of(error, "message"));
            cJSON *result = cJSON_DetachItemFromObject(message, "result");
            cJSON_Delete(message);
            return result;
        }
        see_event(b, message);
        cJSON_Delete(message);
    }
}

static void call(browser *b, const char *method, cJSON *parameters)
{
    cJSON_Delete(browser_call(b, method, parameters));
}

static cJSON *with_text(const char *name, const char *value)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, name, value);
    return object;
}

static cJSON *with_bool(const char *name, bool value)
{
    cJSON *object = cJSON_CreateObject();
    cJSON_AddBoolToObject(object, name, value);
    return object;
}

browser *browser_open(void)
{
    static const char *const domains[] = {"Runtime.enable", "Log.enable",
                                          "Page.enable", "Network.enable"};
    browser *b = calloc(1, sizeof *b);
    assert_non_null(b);
    start(b, find_chromium());
    cJSON *target =
        browser_call(b, "Target.createTarget", with_text("url", "about:blank"));
    cJSON *attach = with_text("targetId", text_of(target, "targetId"));
    cJSON_AddBoolToObject(attach, "flatten", true);
    cJSON *session = browser_call(b, "Target.attachToTarget", attach);
    snprintf(b->session, sizeof b->session, "%s",
             text_of(session, "sessionId"));
    cJSON_Delete(target);
    cJSON_Delete(session);
    for (size_t i = 0; i < sizeof domains / sizeof *domains; i++)
        call(b, domains[i], NULL);
    return b;
}

/* Its helpers are of its group; they may still write into the profile. */
void browser_close(browser *b)
{
    char command[80];
    int status;
    kill(-b->process, SIGKILL);
    waitpid(b->process, &status, 0);
    close(b->to);
    close(b->from);
    snprintf(command, sizeof command, "rm -rf '%s' 2>/dev/null", b->folder);
    for (int i = 0; i < 50 && system(command) != 0; i++)
        usleep(100000);
    free(b->text);
    free(b);
}

/* --- What a person does --- */

void browser_load(browser *b, const char *path)
{
    char url[4096];
    int64_t end = now_ms() + ANSWER_MS;
    call(b, "Page.navigate", with_text("url", "about:blank"));
    b->loaded = false;
    snprintf(url, sizeof url, "file://%s", path);
    cJSON *result = browser_call(b, "Page.navigate", with_text("url", url));
    if (text_of(result, "errorText")[0] != '\0')
        fail_msg("%s: %s", url, text_of(result, "errorText"));
    cJSON_Delete(result);
    while (!b->loaded) {
        cJSON *event = receive(b, end);
        see_event(b, event);
        cJSON_Delete(event);
    }
    browser_expect(b, "location.protocol === 'file:' &&"
                      " document.readyState === 'complete'");
}

void browser_look(browser *b, int width, int height, const char *scheme)
{
    cJSON *metrics = with_bool("mobile", width < 500);
    cJSON_AddNumberToObject(metrics, "width", width);
    cJSON_AddNumberToObject(metrics, "height", height);
    cJSON_AddNumberToObject(metrics, "deviceScaleFactor", 1);
    call(b, "Emulation.setDeviceMetricsOverride", metrics);
    cJSON *media = cJSON_CreateObject();
    cJSON *feature = with_text("name", "prefers-color-scheme");
    cJSON_AddStringToObject(feature, "value", scheme);
    cJSON_AddItemToArray(cJSON_AddArrayToObject(media, "features"), feature);
    call(b, "Emulation.setEmulatedMedia", media);
}

void browser_scripts(browser *b, bool allowed)
{
    call(b, "Emulation.setScriptExecutionDisabled",
         with_bool("value", !allowed));
}

cJSON *browser_value(browser *b, const char *expression)
{
    cJSON *parameters = with_text("expression", expression);
    cJSON_AddBoolToObject(parameters, "returnByValue", true);
    cJSON *result = browser_call(b, "Runtime.evaluate", parameters);
    if (cJSON_GetObjectItem(result, "exceptionDetails") != NULL)
        fail_msg("%s: %s", expression,
                 text_of(result, "exceptionDetails.exception.description"));
    cJSON *value = cJSON_DetachItemFromObject(
        cJSON_GetObjectItem(result, "result"), "value");
    cJSON_Delete(result);
    return value;
}

void browser_expect(browser *b, const char *expression)
{
    int64_t end = now_ms() + EXPECT_MS;
    for (;;) {
        cJSON *value = browser_value(b, expression);
        bool is_true = cJSON_IsTrue(value);
        char *text = cJSON_PrintUnformatted(value);
        if (!is_true && now_ms() > end)
            fail_msg("%s is %s", expression, text == NULL ? "nothing" : text);
        cJSON_free(text);
        cJSON_Delete(value);
        if (is_true)
            return;
        usleep(50000);
    }
}

void browser_press(browser *b, const char *key)
{
    static const struct {
        const char *key, *text;
        int code;
    } named[] = {{"Enter", "\r", 13},
                 {"Escape", "", 27},
                 {"ArrowUp", "", 38},
                 {"ArrowDown", "", 40},
                 {"Tab", "", 9}};
    static const char *const types[] = {"keyDown", "keyUp"};
    const char *text = key;
    int code = key[0] >= 'a' && key[0] <= 'z' ? key[0] - 32 : 0;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].key, key) == 0) {
            text = named[i].text;
            code = named[i].code;
        }
    for (size_t i = 0; i < 2; i++) {
        cJSON *event = with_text("type", types[i]);
        cJSON_AddStringToObject(event, "key", key);
        if (i == 0 && text[0] != '\0')
            cJSON_AddStringToObject(event, "text", text);
        if (code != 0)
            cJSON_AddNumberToObject(event, "windowsVirtualKeyCode", code);
        call(b, "Input.dispatchKeyEvent", event);
    }
}

/* --- Pictures --- */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
                                 "qrstuvwxyz0123456789+/";
    const char *found = c == '\0' ? NULL : strchr(digits, c);
    return found == NULL ? -1 : (int)(found - digits);
}

static void write_base64(FILE *out, const char *text)
{
    unsigned value = 0, bits = 0;
    for (; digit(*text) >= 0; text++) {
        value = (value << 6 | (unsigned)digit(*text)) & 0xffff;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            fputc((int)(value >> bits & 0xff), out);
        }
    }
}

void browser_picture(browser *b, const char *path)
{
    cJSON *result =
        browser_call(b, "Page.captureScreenshot", with_text("format", "png"));
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    write_base64(out, text_of(result, "data"));
    assert_int_equal(fclose(out), 0);
    cJSON_Delete(result);
}
