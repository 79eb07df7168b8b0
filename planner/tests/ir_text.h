/*
 * The JSON form of the IR, shorter, for tests: ' is ", <K a> is a node of kind
 * K with the fields a, $x a ref to x, @x a variable of name and id x with the
 * shape [4]. Ids after $ and @ are one letter.
 */
#ifndef TESTS_IR_TEXT_H
#define TESTS_IR_TEXT_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sonata/ir.h"

/* "<Call 'op':..." from behind the "<"; where it goes on. */
static inline const char *put_node(FILE *out, const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]))
        length++;
    fprintf(out, "{\"kind\":\"%.*s\"", (int)length, at);
    at += length;
    if (*at == ' ')
        fputc(',', out);
    return *at == ' ' ? at + 1 : at;
}

/* One character, or what it begins; returns where it goes on. */
static inline const char *put_piece(FILE *out, const char *at)
{
    char c = *at++;
    if (c == '<')
        return put_node(out, at);
    if (c == '$')
        fprintf(out, "{\"ref\":\"%c\"}", *at++);
    else if (c == '@')
        fprintf(out,
                "{\"kind\":\"Var\",\"id\":\"%c\",\"name\":\"%c\",\"type\":"
                "{\"kind\":\"T\",\"shape\":[4]}}",
                at[0], at[0]);
    else
        fputc(c == '\'' ? '"' : c == '>' ? '}' : c, out);
    return c == '@' ? at + 1 : at;
}

/* The JSON text; freed by the caller. */
static inline char *ir_text(const char *shorter)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (out == NULL)
        abort();
    while (*shorter != '\0')
        shorter = put_piece(out, shorter);
    fclose(out);
    return text;
}

static inline sonata_program *read_program(const char *shorter)
{
    char *text = ir_text(shorter);
    sonata_program *program = NULL;
    sonata_error error = {0};
    if (sonata_ir_read(&program, text, strlen(text), &error) != SONATA_OK) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    free(text);
    return program;
}

#endif
