/* Programs and steps that the tests of the parser share. */
#ifndef SONATA_TESTS_PARSER_CASES_H
#define SONATA_TESTS_PARSER_CASES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../scripts/testing/harness.h"
#include "../dump/ast.h"

static inline sonata_status parse(ast_program *program, const char *text,
                                  size_t length, sonata_error *error)
{
    memset(error, 0, sizeof *error);
    return ast_parse(program, text, length, error);
}

static inline void parse_ok(ast_program *program, const char *text)
{
    sonata_error error;
    if (parse(program, text, strlen(text), &error))
        fail_msg("%s at %d:%d", error.message, (int)error.line,
                 (int)error.column);
}

static const char head[] = "# pypto.program: P\n"
                           "import pypto.language as pl\n"
                           "\n"
                           "@pl.program\n"
                           "class P:\n";
static const char orchestration[] =
    "    @pl.function(type=pl.FunctionType.Orchestration)\n"
    "    def f(self):\n";
static const char kernel[] = "    @pl.function(type=pl.FunctionType.AIV)\n"
                             "    def k(self):\n";

static inline char *join(const char *a, const char *b, const char *c)
{
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    snprintf(text, size, "%s%s%s", a, b, c);
    return text;
}

/* Every subtree is the range [first, node], children before parents. */
static inline void check_ranges(const ast_program *program)
{
    for (uint32_t i = 0; i < program->expr_count; i++) {
        ast_node expected = program->exprs[i].first;
        ast_node child = program->exprs[i].child;
        for (; child != AST_NONE; child = program->exprs[child].next) {
            assert_int_equal(program->exprs[child].first, expected);
            expected = child + 1;
        }
        assert_int_equal(expected, i);
    }
}

static const char whole[] =
    "# pypto.program: Small\n"
    "import pypto.language as pl\n"
    "\n"
    "M = pl.dynamic(\"M_DYN\")\n"
    "\n"
    "@pl.program\n"
    "class Small:\n"
    "    @pl.function(type=pl.FunctionType.AIV, level=pl.Level.AIV, "
    "external_source=\"/x/\\\"k\\\".cpp\")\n"
    "    def ext(a: pl.Tensor[[M, 4], pl.FP32], b: pl.Out[pl.Tensor[[4], "
    "pl.FP32]]):\n"
    "        ...\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def k(self, a: pl.Tensor[[M, 4], pl.FP32], b: pl.InOut[pl.Tensor[[4]"
    ", pl.FP32]]) -> pl.Tensor[[4], pl.FP32]:\n"
    "        pl.func_attr({\"split\": 1})\n"
    "        t: pl.Tile[[1, 4], pl.FP32] = pl.tile.load(a, [0, 0], [1, 4])\n"
    "        pl.tile.store(t, [0], b)\n"
    "        return b\n"
    "    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=False)\n"
    "    def main(self, a: pl.Tensor[[M, 4], pl.FP32], b: pl.Out[pl.Tensor[[4]"
    ", pl.FP32]]) -> tuple[pl.Tensor[[4], pl.FP32], pl.Ptr]:\n"
    "        for i, (c,) in pl.range(0, 3, 1, init_values=(b,)):\n"
    "            if i == 0:\n"
    "                d: pl.Tensor[[4], pl.FP32] = self.k(a, c, attrs={\"arg_"
    "directions\": [pl.adir.input, pl.adir.inout]})\n"
    "                e = pl.yield_(d)\n"
    "            else:\n"
    "                e = pl.yield_(c)\n"
    "            # kept\n"
    "            c2 = pl.yield_(e)\n"
    "        return c2\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
    "    def host(self, n: pl.Scalar[pl.INT64]):\n"
    "        self.main(device=0)\n";

/* The same in ruff's layout, written by hand. */
static const char whole_ruff[] =
    "# pypto.program: Small\n"
    "import pypto.language as pl\n\n\n"
    "M = pl.dynamic(\"M_DYN\")\n\n\n"
    "@pl.program\n"
    "class Small:\n"
    "    @pl.function(\n"
    "        type=pl.FunctionType.AIV,\n"
    "        level=pl.Level.AIV,\n"
    "        external_source='/x/\"k\".cpp',\n"
    "    )\n"
    "    def ext(a: pl.Tensor[[M, 4], pl.FP32], b: pl.Out[pl.Tensor[[4], "
    "pl.FP32]]): ...\n\n"
    "    @pl.function(type=pl.FunctionType.InCore)\n"
    "    def k(\n"
    "        self,\n"
    "        a: pl.Tensor[[M, 4], pl.FP32],\n"
    "        b: pl.InOut[pl.Tensor[[4], pl.FP32]],\n"
    "    ) -> pl.Tensor[[4], pl.FP32]:\n"
    "        pl.func_attr({\"split\": 1})\n"
    "        t: pl.Tile[[1, 4], pl.FP32] = pl.tile.load(\n"
    "            a, [0, 0], [1, 4]\n"
    "        )\n"
    "        pl.tile.store(t, [0], b)\n"
    "        return b\n\n"
    "    @pl.function(type=pl.FunctionType.Orchestration, auto_scope=False)\n"
    "    def main(\n"
    "        self,\n"
    "        a: pl.Tensor[[M, 4], pl.FP32],\n"
    "        b: pl.Out[pl.Tensor[[4], pl.FP32]],\n"
    "    ) -> tuple[pl.Tensor[[4], pl.FP32], pl.Ptr]:\n"
    "        for i, (c,) in pl.range(0, 3, 1, init_values=(b,)):\n"
    "            if i == 0:\n"
    "                d: pl.Tensor[[4], pl.FP32] = self.k(\n"
    "                    a,\n"
    "                    c,\n"
    "                    attrs={\n"
    "                        \"arg_directions\": [pl.adir.input, "
    "pl.adir.inout]\n"
    "                    },\n"
    "                )\n"
    "                e = pl.yield_(d)\n"
    "            else:\n"
    "                e = pl.yield_(c)\n"
    "            # kept\n"
    "            c2 = pl.yield_(e)\n"
    "        return c2\n\n"
    "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
    "    def host(self, n: pl.Scalar[pl.INT64]):\n"
    "        self.main(device=0)\n";

#endif
