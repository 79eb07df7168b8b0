#include "damage.h"

#include <stdlib.h>
#include <string.h>

#define DEPTH 513 /* 512 arrays and objects may be open */

/* What is no JSON, wherever a member of an object may stand. */
static const char *const members[] = {
    "\"x\":01",
    "\"x\":-",
    "\"x\":-01",
    "\"x\":1.",
    "\"x\":.5",
    "\"x\":1e",
    "\"x\":1e+",
    "\"x\":+1",
    "\"x\":0x1f",
    "\"x\":1_000",
    "\"x\":1e400",
    "\"x\":-1e400",
    "\"x\":17976931348623159e292",
    "\"x\":NaN",
    "\"x\":Infinity",
    "\"x\":-Infinity",
    "\"x\":nul",
    "\"x\":True",
    "\"x\":undefined",
    "\"x\":'y'",
    "\"x\":",
    "\"x\"",
    "\"x\" 1",
    "\"x\"=1",
    "x:1",
    "'x':1",
    "1:1",
    "null:1",
    "[]:1",
    ",\"x\":1",
    "\"x\":1,",
    "\"x\":[1,]",
    "\"x\":[,1]",
    "\"x\":[1 2]",
    "\"x\":[1}",
    "\"x\":{\"y\":1]",
    "\"x\":{\"y\":1,}",
    "\"x\":1}",
    "\"x\":]",
    "\"x\":\"\\x\"",
    "\"x\":\"\\u12g4\"",
    "\"x\":\"\\u12\"",
    "\"x\":\"\\ud800\"",
    "\"x\":\"\\udc00\"",
    "\"x\":\"\\ud800\\u0041\"",
    "\"x\":\"\\ud800\\ud800\"",
    "\"\\udfff\":1",
    "\"x\":\"a\tb\"",
    "\"x\":\"a\nb\"",
    "\"x\":\"\x1f\"",
    "\"x\":\"\xff\"",
    "\"x\":\"\xc0\x80\"",
    "\"x\":\"\xc3\"",
    "\"x\":\"\xe2\x82\"",
    "\"x\":\"\xed\xa0\x80\"",
    "\"x\":\"\xf4\x90\x80\x80\"",
    "\"x\":\"\xf0\x80\x80\x80\"",
    "\"x\":\"\x80\"",
    "\"\xfe\":1",
    "\"x\":\v1",
    ("\"x\":\xc2\xa0"
     "1"),
    "// no\n\"x\":1",
    "/* no */\"x\":1",
    "#\"x\":1",
};
#define MEMBERS (sizeof members / sizeof *members)

static const char *const behind[] = {"{}", "x",   "]",  "}",           " 1",
                                     ",",  "\\0", "\"", "\xef\xbb\xbf"};
static const char *const before[] = {"\xef\xbb\xbf", "x",  "}",    ",",
                                     "// \n",        "\\", "\xa0", "1 "};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static void insert(fuzz_text *text, size_t at, const char *bytes, size_t length)
{
    size_t tail = text->length - at;
    fuzz_put_bytes(text, bytes, length); /* makes the room */
    if (text->failed)
        return;
    memmove(text->data + at + length, text->data + at, tail);
    memcpy(text->data + at, bytes, length);
}

/* Behind one of the first braces that open an object, outside of strings. */
static size_t some_object(const fuzz_text *text, fuzz_random *random)
{
    uint64_t wanted = fuzz_log_size(random, 1, 64);
    size_t found = 1;
    bool quoted = false;
    for (size_t i = 0; i < text->length; i++) {
        char c = text->data[i];
        if (quoted && c == '\\')
            i++;
        else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == '{') {
            found = i + 1;
            if (--wanted == 0)
                break;
        }
    }
    return found;
}

static void too_deep(fuzz_text *text, size_t at, fuzz_random *random)
{
    static const char key[] = "\"x\":";
    char deep[sizeof key + 2 * DEPTH];
    size_t length = sizeof key - 1;
    bool lists = fuzz_chance(random, 1, 2);
    memcpy(deep, key, length);
    memset(deep + length, lists ? '[' : ']', DEPTH);
    memset(deep + length + DEPTH, ']', DEPTH);
    if (!lists)
        memset(deep + length, '[', DEPTH); /* and none of it is closed */
    length += lists ? 2 * DEPTH : DEPTH;
    deep[length++] = ',';
    insert(text, at, deep, length);
}

void fuzz_damage(fuzz_text *text, fuzz_random *random)
{
    uint64_t how = fuzz_below(random, 32);
    if (text->length < 2 || text->failed)
        return;
    if (how < 4) {
        text->length = 1 + fuzz_below(random, text->length - 1);
        text->data[text->length] = '\0';
    } else if (how < 6) {
        fuzz_put(text, behind[fuzz_below(random, COUNT(behind))]);
    } else if (how < 8) {
        const char *bytes = before[fuzz_below(random, COUNT(before))];
        insert(text, 0, bytes, strlen(bytes));
    } else if (how == 8) {
        too_deep(text, some_object(text, random), random);
    } else {
        char member[64];
        const char *bytes = members[fuzz_below(random, MEMBERS)];
        size_t length = strlen(bytes);
        memcpy(member, bytes, length);
        member[length++] = ',';
        insert(text, some_object(text, random), member, length);
    }
}
