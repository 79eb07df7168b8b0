/*
 * The HTML report in a real browser (make test-browser). With PICTURES=DIR
 * pictures of what is tested are written there, to be looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../scripts/testing/harness.h"
#include "../made.h"
#include "browser.h"

#define ROWS "document.querySelectorAll('#rows tr.on').length"
#define TEXT "document.body.textContent"

/* All findings, each behind the other; what `check` says of one is told. */
#define EACH_PAGE(check)                                                       \
    "(() => { for (const row of document.querySelectorAll('#rows tr')) {"      \
    " location.hash = row.id; dispatchEvent(new Event('hashchange'));"         \
    " if (document.getElementById('detail').hidden) return row.id;"            \
    " document.querySelectorAll('details').forEach((d) => { d.open = true;"    \
    " }); if (!(" check ")) return row.id + ': ' +"                            \
    " document.documentElement.scrollWidth; }"                                 \
    " location.hash = 'findings'; dispatchEvent(new Event('hashchange'));"     \
    " return true; })()"

typedef struct opened {
    browser *b;
    report_store *store;
    char path[48];
} opened;

static bool find_rule(void *context, report_rule *rule, const char *name)
{
    (void)context;
    (void)name;
    *rule = (report_rule){
        .help = "# hazard.war (error)\n\nA `task` writes too early.\n\n"
                "Example:\n\n    {\"id\": 2, \"name\": \"refill\"}\n\n"
                "- one\n- two\n\nFix: wait.\n"};
    return true;
}

static void write_page(opened *o, report_store *store)
{
    size_t length;
    report_view view = {.find = find_rule, .database = "my runs.db"};
    char *text = made_write(&length, report_write_html, store, &view);
    strcpy(o->path, "/tmp/counterpoint-page-XXXXXX.html");
    int file = mkstemps(o->path, 5);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, length), (ssize_t)length);
    close(file);
    free(text);
}

static opened open_page(report_store *store)
{
    opened o = {.store = store};
    write_page(&o, store);
    o.b = browser_open();
    browser_look(o.b, 1280, 900, "light");
    browser_load(o.b, o.path);
    return o;
}

static void picture(const opened *o, const char *name)
{
    char path[400];
    if (getenv("PICTURES") == NULL)
        return;
    snprintf(path, sizeof path, "%s/%s.png", getenv("PICTURES"), name);
    browser_picture(o->b, path);
}

static void close_page(opened *o)
{
    if (browser_trouble(o->b) != NULL)
        fail_msg("%s", browser_trouble(o->b));
    browser_close(o->b);
    unlink(o->path);
    made_close(o->store);
}

static opened open_small(void)
{
    report_store *store = made_open();
    made_small(store);
    return open_page(store);
}

static void type(browser *b, const char *text)
{
    for (; *text != '\0'; text++)
        browser_press(b, (char[2]){*text, '\0'});
}

/* --- The table --- */

static void shows_the_run(void **state)
{
    (void)state;
    opened o = open_small();
    browser_expect(o.b, "document.title.startsWith('Run 1: 3 errors')");
    browser_expect(o.b, ROWS " === 6");
    browser_expect(o.b, "document.getElementById('count').textContent"
                        " === '6 causes'");
    browser_expect(o.b, "document.getElementById('detail').hidden");
    picture(&o, "small");
    close_page(&o);
}

static void filters(void **state)
{
    (void)state;
    opened o = open_small();
    browser_expect(o.b, "(() => { const s = document.getElementById("
                        "'by-severity'); s.value = 'warning';"
                        " s.dispatchEvent(new Event('change'));"
                        " return s.value === 'warning'; })()");
    browser_expect(o.b, ROWS " === 2");
    browser_expect(o.b, "document.getElementById('count').textContent"
                        " === '2 of 6 causes'");
    browser_expect(o.b, "[...document.getElementById('by-rule').options]"
                        ".some((x) => x.textContent === 'hazard.war (1)')");
    browser_expect(o.b, "document.getElementById('clear').click(), true");
    browser_expect(o.b, ROWS " === 6");
    close_page(&o);
}

static void searches(void **state)
{
    (void)state;
    opened o = open_small();
    browser_press(o.b, "/");
    browser_expect(o.b, "document.activeElement.id === 'search'");
    type(o.b, "harvest soften");
    browser_expect(o.b, ROWS " === 1");
    type(o.b, " no such word");
    browser_expect(o.b, ROWS " === 0");
    browser_expect(o.b, "!document.getElementById('none').hidden");
    browser_press(o.b, "Escape");
    browser_expect(o.b, ROWS " === 6");
    /* What is in the record alone is found, too. */
    type(o.b, "expected_writer");
    browser_expect(o.b, ROWS " === 1");
    close_page(&o);
}

static void sorts(void **state)
{
    (void)state;
    static const char click[] =
        "document.querySelector('th[data-sort=rule] button').click(), true";
    static const char first[] =
        "document.querySelector('#rows .rule').textContent === ";
    char expression[200];
    opened o = open_small();
    browser_expect(o.b, click);
    snprintf(expression, sizeof expression, "%s'doc.syntax'", first);
    browser_expect(o.b, expression);
    browser_expect(o.b, "document.querySelector('th[data-sort=rule]')"
                        ".ariaSort === 'ascending'");
    browser_expect(o.b, click);
    snprintf(expression, sizeof expression, "%s'planner.crash'", first);
    browser_expect(o.b, expression);
    close_page(&o);
}

static void holds_many(void **state)
{
    (void)state;
    report_store *store = made_open();
    int64_t run = made_begin(store, MADE_RUN);
    for (int64_t number = 1; number <= 10003; number++) {
        char signature[17], message[40];
        snprintf(signature, sizeof signature, "%016llx", (long long)number);
        snprintf(message, sizeof message, "cause number-%lld of many",
                 (long long)number);
        report_finding finding = {.rule = "hazard.raw",
                                  .severity = "error",
                                  .signature = signature,
                                  .message = message,
                                  .json = "{}",
                                  .json_length = 2};
        report_case c = {.number = number,
                         .path = "a.py",
                         .kind = "dump",
                         .verdict = "findings",
                         .findings = &finding,
                         .count = 1};
        made_case(store, run, c);
    }
    opened o = open_page(store);
    browser_expect(o.b, ROWS " === 200");
    browser_expect(o.b, "document.getElementById('more').click(), true");
    browser_expect(o.b, ROWS " === 400");
    browser_press(o.b, "/");
    type(o.b, "number-9999 ");
    browser_expect(o.b, ROWS " === 1");
    browser_press(o.b, "ArrowDown");
    browser_press(o.b, "Enter");
    browser_expect(o.b, TEXT ".includes('the worst 1000 causes alone')");
    browser_press(o.b, "Escape");
    browser_expect(o.b, TEXT ".includes('3 more causes, of less weight')");
    /* Paper has what is shown, and says so. */
    browser_expect(o.b, "document.getElementById('clear').click(), true");
    cJSON *media = cJSON_CreateObject();
    cJSON_AddStringToObject(media, "media", "print");
    cJSON_Delete(browser_call(o.b, "Emulation.setEmulatedMedia", media));
    browser_expect(o.b, "document.getElementById('cut').checkVisibility() &&"
                        " document.getElementById('cut').textContent"
                        ".startsWith('Printed are the first 200 of these"
                        " 10000:')");
    browser_expect(o.b, "!document.querySelector('#table thead')"
                        ".checkVisibility()");
    close_page(&o);
}

/* What the file of known issues says is a state, with its reason; a day that is
   past is no state, and told. */
static void shows_known_issues(void **state)
{
    (void)state;
    char hash[80];
    report_store *store = made_open();
    made_small(store);
    made_known(store,
               "00000000000000a2 2027-03-31 @kernels waits for </b> 318\n"
               "00000000000000a5 2026-10-31 @runtime a crash we have seen\n",
               "2026-11-30");
    opened o = open_page(store);
    browser_expect(o.b, "document.querySelector('.states').innerText"
                        ".replace(/\\s+/g, ' ') === '5 new 1 known 1 expired'");
    /* Behind all that is not known. */
    browser_expect(o.b, "[...document.querySelectorAll('#rows tr.on')].pop().id"
                        " === 'bucket-2'");
    static const char choose[] =
        "(() => { const s = document.getElementById('by-state');"
        " s.value = '%s'; s.dispatchEvent(new Event('change'));"
        " return s.value === '%s' && " ROWS " === %d && document"
        ".querySelector('#rows tr.on .pill.%s') !== null; })()";
    static const struct {
        const char *name;
        int rows;
    } states[] = {{"known", 1}, {"expired", 1}, {"new", 5}};
    for (size_t i = 0; i < 3; i++) {
        char expression[400];
        const char *name = states[i].name;
        snprintf(expression, sizeof expression, choose, name, name,
                 states[i].rows, name);
        browser_expect(o.b, expression);
    }
    browser_press(o.b, "/");
    type(o.b, "@kernels");
    browser_expect(o.b, "document.getElementById('clear').click(), true");
    picture(&o, "known");
    snprintf(hash, sizeof hash, "%s#bucket-2", o.path);
    browser_load(o.b, hash);
    browser_expect(o.b, TEXT ".includes('until 2027-03-31, @kernels: waits for"
                             " </b> 318')");
    browser_expect(o.b, "document.querySelector('#detail .pill.known')"
                        " !== null");
    close_page(&o);
}

/* --- A finding --- */

static void opens_by_keyboard(void **state)
{
    (void)state;
    opened o = open_small();
    browser_press(o.b, "j");
    browser_press(o.b, "j");
    browser_press(o.b, "k");
    browser_expect(o.b, "document.activeElement.closest('tr') ==="
                        " document.querySelector('#rows tr.on')");
    browser_expect(o.b, "document.querySelector('#bucket-2 a').focus(), true");
    browser_press(o.b, "Enter");
    browser_expect(o.b, "location.hash === '#bucket-2'");
    browser_expect(o.b, "document.getElementById('overview').hidden");
    browser_expect(o.b, "document.activeElement.id === 'finding-title'");
    browser_expect(o.b, "document.title.startsWith('error hazard.war')");
    picture(&o, "finding");
    browser_press(o.b, "j");
    browser_expect(o.b, "location.hash !== '#bucket-2'");
    browser_press(o.b, "k");
    browser_expect(o.b, "location.hash === '#bucket-2'");
    browser_press(o.b, "Escape");
    browser_expect(o.b, "!document.getElementById('overview').hidden");
    browser_expect(o.b, "document.activeElement ==="
                        " document.querySelector('#bucket-2 a')");
    close_page(&o);
}

/* Tab alone reaches all that a mouse does, in the order that is seen, and shows
   where it is. */
static void tab_goes_everywhere(void **state)
{
    (void)state;
    static const char *const stops[] = {
        "x.matches('.skip')",
        "x.matches('summary')",
        "x.id === 'search'",
        "x.id === 'by-severity'",
        "x.id === 'by-state'",
        "x.id === 'by-rule'",
        "x.closest('[data-sort=severity]')",
        "x.closest('[data-sort=state]')",
        "x.closest('[data-sort=rule]')",
    };
    char expression[300];
    opened o = open_small();
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        browser_press(o.b, "Tab");
        snprintf(expression, sizeof expression,
                 "(() => { const x = document.activeElement; return !!(%s) &&"
                 " getComputedStyle(x).outlineStyle === 'solid'; })()",
                 stops[i]);
        browser_expect(o.b, expression);
    }
    browser_press(o.b, "Enter");
    browser_expect(o.b, "document.querySelector('th[data-sort=rule]')"
                        ".ariaSort === 'ascending'");
    for (int i = 0; i < 5; i++)
        browser_press(o.b, "Tab");
    browser_expect(o.b, "document.activeElement ==="
                        " document.querySelector('#rows tr.on a')");
    browser_press(o.b, "Enter");
    browser_expect(o.b, "document.activeElement.id === 'finding-title'");
    browser_press(o.b, "Tab");
    browser_expect(o.b, "document.activeElement.matches('#detail pre')");
    /* From a finding, too: to the search, where letters are letters. */
    browser_press(o.b, "/");
    browser_expect(o.b, "document.activeElement.id === 'search'");
    type(o.b, "jk");
    browser_expect(o.b,
                   "document.activeElement.value === 'jk' && " ROWS " === 0");
    browser_press(o.b, "Escape");
    browser_expect(o.b, ROWS " === 6");
    close_page(&o);
}

static void shows_a_finding(void **state)
{
    (void)state;
    char hash[80];
    opened o = open_small();
    snprintf(hash, sizeof hash, "%s#bucket-2", o.path);
    browser_load(o.b, hash);
    /* The tasks, and the pair without an order. */
    browser_expect(o.b, "document.querySelectorAll('.graph .lost').length"
                        " === 1");
    browser_expect(o.b, "document.querySelector('.graph').textContent"
                        ".includes('task 2 soften')");
    /* Both that meet wrongly, in the order that is wrong. */
    browser_expect(o.b, "[...document.querySelectorAll('.steps li.wrong b')]"
                        ".map((x) => x.textContent).join() ==="
                        " 'task 2 soften,task 1 harvest'");
    browser_expect(o.b, "[...document.querySelectorAll('.lane')].pop()"
                        ".textContent.includes('tasks 3 to 9')");
    browser_expect(o.b, TEXT ".includes('reads what task 2 writes,"
                             " not what task 0 writes')");
    browser_expect(o.b, "document.querySelectorAll('.page li').length === 2");
    browser_expect(o.b, "document.querySelector('.copy pre').textContent"
                        ".startsWith('counterpoint ')");
    browser_expect(o.b, "document.querySelector('pre.input').textContent"
                        " === 'two'");
    browser_expect(o.b, TEXT ".includes(\"(counterpoint triage show"
                             " 'my runs.db' 2 --input -o FILE)\")");
    close_page(&o);
}

static void copies(void **state)
{
    (void)state;
    char hash[80];
    opened o = open_small();
    snprintf(hash, sizeof hash, "%s#bucket-2", o.path);
    browser_load(o.b, hash);
    browser_expect(o.b, "(() => { window.taken = null;"
                        " document.addEventListener('copy', () => {"
                        " window.taken = document.activeElement.value; });"
                        " navigator.clipboard.writeText = async () => {"
                        " throw new Error(); }; return true; })()");
    browser_expect(o.b, "document.querySelector('.copy button').focus(), true");
    browser_press(o.b, "Enter");
    browser_expect(o.b, "window.taken !== null && window.taken ==="
                        " document.querySelector('.copy pre').textContent");
    browser_expect(o.b, "document.activeElement ==="
                        " document.querySelector('.copy button')");
    close_page(&o);
}

/* --- Whatever texts say --- */

static opened open_hostile(void)
{
    report_store *store = made_open();
    made_hostile(store);
    return open_page(store);
}

static void hostile_texts_do_nothing(void **state)
{
    (void)state;
    opened o = open_hostile();
    browser_expect(o.b, ROWS " > 0");
    browser_expect(
        o.b, EACH_PAGE("document.querySelectorAll('script, style').length === 3"
                       " && document.querySelector('img, iframe, link, object,"
                       " a[href]:not([href^=\"#\"])') === null"));
    browser_expect(o.b,
                   EACH_PAGE("!/[\\u202e\\u2066\\u2028\\u0000\\u001b]/.test("
                             "document.getElementById('main').textContent)"));
    picture(&o, "hostile");
    close_page(&o);
}

static void own_script_alone_runs(void **state)
{
    (void)state;
    opened o = open_small();
    browser_expect(o.b,
                   "(() => { window.ran = false; try {"
                   " const s = document.createElement('script');"
                   " s.append('window.ran = true'); document.head.append(s); }"
                   " catch { return true; } return !window.ran; })()");
    browser_expect(o.b, "window.ran === false");
    assert_non_null(browser_trouble(o.b)); /* it says what it has refused */
    browser_close(o.b);
    unlink(o.path);
    made_close(o.store);
}

static void trouble_is_seen(void **state)
{
    (void)state;
    opened o = open_small();
    assert_null(browser_trouble(o.b));
    cJSON_Delete(browser_value(o.b, "console.error('oh'), true"));
    browser_expect(o.b, "true");
    assert_non_null(browser_trouble(o.b));
    assert_non_null(strstr(browser_trouble(o.b), "oh"));
    browser_close(o.b);
    unlink(o.path);
    made_close(o.store);
}

/* --- For everybody --- */

static void fits_a_phone(void **state)
{
    (void)state;
    static const char fits[] = "document.documentElement.scrollWidth <= 360";
    for (int hostile = 0; hostile < 2; hostile++) {
        opened o = hostile ? open_hostile() : open_small();
        browser_look(o.b, 360, 740, "light");
        browser_load(o.b, o.path);
        browser_expect(o.b, fits);
        picture(&o, hostile ? "phone-hostile" : "phone");
        browser_expect(o.b, EACH_PAGE("document.documentElement.scrollWidth"
                                      " <= 360"));
        close_page(&o);
    }
}

/* Names and bytes stand whole in the picture, which is drawn for the width. */
static void pictures_fit_a_phone(void **state)
{
    (void)state;
    char hash[80];
    opened o = open_small();
    snprintf(hash, sizeof hash, "%s#bucket-2", o.path);
    browser_look(o.b, 360, 740, "light");
    browser_load(o.b, hash);
    browser_expect(o.b, "document.querySelectorAll('.graph .box').length > 1");
    browser_expect(o.b, "(() => { const end = (task) => ({ task, arg: 1,"
                        " name: 'paint_all', line: 123,"
                        " direction: 'output_existing' }); const texts ="
                        " [...graph({ ...readFinding({ producer: end(0),"
                        " consumer: end(1), storage: { key: 'param:wall__v0' }"
                        " }, {}), begin: 4096, end: 10240 }, 300)"
                        ".querySelectorAll('text')].map((t) => t.textContent);"
                        " return texts.includes('bytes 4096 to 10239') &&"
                        " texts.includes('param:wall__v0') &&"
                        " texts.every((t) => !t.includes('\\u2026')); })()");
    picture(&o, "phone-finding");
    browser_expect(o.b,
                   "window.notices = 0, addEventListener('error', () => {"
                   " window.notices++; }), location.hash = 'bucket-1', true");
    browser_look(o.b, 1280, 740, "light");
    browser_expect(o.b, "location.hash = 'bucket-2', true");
    browser_expect(o.b, "document.querySelectorAll('.graph .box').length > 1");
    browser_expect(o.b, "window.notices === 0");
    close_page(&o);
}

/* Who reads has a name in the message alone; a long one is cut. */
static void names_of_the_message(void **state)
{
    (void)state;
    opened o = open_small();
    browser_expect(
        o.b, "(() => { const names = new Map([[2, 'x']]); addNames(names,"
             " 'task 2 \"y\" writes, so that task 3 \"frame\" reads');"
             " return names.get(2) === 'x' && names.get(3) === 'frame'; })()");
    browser_expect(o.b, "taskName(1, new Map([[1, 'n'.repeat(10000)]])).length"
                        " < 100");
    close_page(&o);
}

/*
 * Every text that is seen against the background that is behind it: at least
 * 4.5 to 1 (WCAG AA).
 */
#define CONTRAST                                                               \
    "(() => { const canvas = document.createElement('canvas')"                 \
    ".getContext('2d', { willReadFrequently: true });"                         \
    " const rgb = (color) => { canvas.clearRect(0, 0, 1, 1);"                  \
    " canvas.fillStyle = color; canvas.fillRect(0, 0, 1, 1);"                  \
    " return canvas.getImageData(0, 0, 1, 1).data; };"                         \
    " const light = (c) => [0.2126, 0.7152, 0.0722].reduce((s, k, i) => {"     \
    " const v = c[i] / 255; return s + k * (v <= 0.04045 ? v / 12.92 :"        \
    " ((v + 0.055) / 1.055) ** 2.4); }, 0);"                                   \
    " for (const e of document.body.querySelectorAll('*')) {"                  \
    " if (!e.checkVisibility() || e.closest('button:disabled, script') ||"     \
    " ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))"      \
    " continue; let b = e, back; const svg = e instanceof SVGElement;"         \
    " do { back = rgb(b instanceof SVGElement ? 'transparent' :"               \
    " getComputedStyle(b).backgroundColor); b = b.parentElement; }"            \
    " while (back[3] < 255 && b); const style = getComputedStyle(e);"          \
    " const x = light(rgb(svg ? style.fill : style.color)), y = light(back);"  \
    " const ratio = (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);"        \
    " if (ratio < 4.5) return e.outerHTML.slice(0, 200) + ratio; }"            \
    " return true; })()"

static void has_contrast(void **state)
{
    (void)state;
    static const char *const schemes[] = {"light", "dark"};
    char hash[80];
    opened o = open_small();
    snprintf(hash, sizeof hash, "%s#bucket-2", o.path);
    for (size_t i = 0; i < 2; i++) {
        browser_look(o.b, 1280, 900, schemes[i]);
        browser_load(o.b, o.path);
        browser_expect(o.b, CONTRAST);
        picture(&o, schemes[i]);
        browser_load(o.b, hash);
        browser_expect(o.b, "document.querySelector('.graph') !== null");
        browser_expect(o.b, CONTRAST);
    }
    browser_look(o.b, 1280, 900, "dark");
    browser_expect(o.b, "getComputedStyle(document.body).backgroundColor"
                        " === 'rgb(18, 21, 26)'");
    close_page(&o);
}

/* Names and landmarks, for who does not see the page. */
static void has_names(void **state)
{
    (void)state;
    opened o = open_small();
    browser_expect(o.b, "['header', 'main', 'footer'].every((x) =>"
                        " document.querySelectorAll(x).length === 1)");
    browser_expect(o.b, "document.querySelectorAll('h1').length === 1");
    browser_expect(o.b, "[...document.querySelectorAll('input, select')]"
                        ".every((x) => x.labels.length === 1)");
    browser_expect(
        o.b,
        EACH_PAGE(
            "[...document.querySelectorAll('[aria-labelledby]')].every((x) =>"
            " document.getElementById(x.getAttribute('aria-labelledby')))"
            " && [...document.querySelectorAll('button')].every((x) =>"
            " x.textContent.trim() !== '' || x.hidden)"));
    browser_expect(
        o.b, EACH_PAGE("[...document.querySelectorAll('svg')].every((x) =>"
                       " x.ariaLabel || x.ariaHidden === 'true')"));
    /* Tab goes through the page in the order that is seen. */
    browser_press(o.b, "Escape");
    browser_expect(o.b, "document.querySelector('.skip').focus(), true");
    browser_press(o.b, "Enter");
    browser_expect(o.b, "location.hash === '#findings'");
    close_page(&o);
}

static void works_without_scripts(void **state)
{
    (void)state;
    opened o = open_small();
    browser_scripts(o.b, false);
    browser_load(o.b, o.path);
    browser_expect(o.b, "[...document.querySelectorAll('#rows tr')].filter("
                        "(x) => x.checkVisibility()).length === 6");
    browser_expect(o.b, "!document.querySelector('.tools').checkVisibility()");
    browser_expect(o.b, "document.body.innerText.includes('timed out')");
    picture(&o, "without-scripts");
    close_page(&o);
}

static void prints(void **state)
{
    (void)state;
    char hash[80];
    opened o = open_small();
    snprintf(hash, sizeof hash, "%s#bucket-2", o.path);
    browser_look(o.b, 700, 1000, "dark");
    browser_load(o.b, hash);
    cJSON *media = cJSON_CreateObject();
    cJSON_AddStringToObject(media, "media", "print");
    cJSON_Delete(browser_call(o.b, "Emulation.setEmulatedMedia", media));
    browser_expect(o.b, "getComputedStyle(document.body).backgroundColor"
                        " === 'rgb(255, 255, 255)'");
    browser_expect(o.b, "[...document.querySelectorAll('button, .keys')]"
                        ".every((x) => !x.checkVisibility())");
    browser_expect(o.b, "document.querySelector('.graph').checkVisibility()");
    browser_expect(o.b, CONTRAST);
    picture(&o, "print");
    cJSON *pdf = browser_call(o.b, "Page.printToPDF", NULL);
    const cJSON *bytes = cJSON_GetObjectItem(pdf, "data");
    assert_true(cJSON_IsString(bytes) &&
                strncmp(bytes->valuestring, "JVBERi", 6) == 0);
    cJSON_Delete(pdf);
    close_page(&o);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(shows_the_run),
    cmocka_unit_test(filters),
    cmocka_unit_test(searches),
    cmocka_unit_test(sorts),
    cmocka_unit_test(holds_many),
    cmocka_unit_test(shows_known_issues),
    cmocka_unit_test(opens_by_keyboard),
    cmocka_unit_test(tab_goes_everywhere),
    cmocka_unit_test(shows_a_finding),
    cmocka_unit_test(copies),
    cmocka_unit_test(hostile_texts_do_nothing),
    cmocka_unit_test(own_script_alone_runs),
    cmocka_unit_test(trouble_is_seen),
    cmocka_unit_test(fits_a_phone),
    cmocka_unit_test(pictures_fit_a_phone),
    cmocka_unit_test(names_of_the_message),
    cmocka_unit_test(has_contrast),
    cmocka_unit_test(has_names),
    cmocka_unit_test(works_without_scripts),
    cmocka_unit_test(prints),
};

TEST_MAIN(tests)
