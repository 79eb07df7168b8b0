/*
 * A page in headless Chromium, over the DevTools protocol through a pipe.
 * Nothing is loaded but what a test names; a page that asks for anything else
 * is in trouble.
 */
#ifndef TESTING_BROWSER_H
#define TESTING_BROWSER_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct browser browser;

/*
 * Starts Chromium: $CHROMIUM, else what is in PATH under one of its names.
 * Everything here ends the case with a sentence when it fails, or when the
 * browser has not answered in a minute.
 */
browser *browser_open(void);
void browser_close(browser *b);

/* Loads a file and waits until it is whole; "#hash" may be behind it. */
void browser_load(browser *b, const char *path);

/* How wide and high the window is, and "light" or "dark". */
void browser_look(browser *b, int width, int height, const char *scheme);

/* Without scripts from the next page on. */
void browser_scripts(browser *b, bool allowed);

/* What an expression of JavaScript is; cJSON_Delete it. */
cJSON *browser_value(browser *b, const char *expression);

/* An expression is true, at once or within half a minute. */
void browser_expect(browser *b, const char *expression);

/* Presses a key as a person does: "j", "/", "Enter", "Escape", "ArrowDown". */
void browser_press(browser *b, const char *key);

/* A call of the protocol; takes `parameters` (or NULL), cJSON_Delete the
 * result. */
cJSON *browser_call(browser *b, const char *method, cJSON *parameters);

/* Writes a picture of the window to a PNG file. */
void browser_picture(browser *b, const char *path);

/* The first error on the console, exception, or request for something else
 * than the file; NULL: none. */
const char *browser_trouble(const browser *b);

#endif
