/* 1,000,000 random graphs of up to 12 tasks: the oracle against the twin. */
#include "../../scripts/testing/harness.h"

#include "graphs.h"

#define EACH 83500

static void agrees(void **state)
{
    assert_true(graph_sample(*state, EACH));
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[GRAPH_SHAPES];
    for (uint32_t i = 0; i < GRAPH_SHAPES; i++) {
        tests[i] = (struct CMUnitTest){graph_shapes[i].name, agrees, NULL, NULL,
                                       (void *)&graph_shapes[i]};
    }
    return test_main(argc, argv, tests, GRAPH_SHAPES);
}
