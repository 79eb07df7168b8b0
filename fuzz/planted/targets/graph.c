/* A layout is another one each time, by a pixel. */
#include "../../../cli/graph/layout.h"

#define MANY 8 /* nodes */

bool __real_layout_make(layout *out, const picture *p, const layout_rect *sizes,
                        const int64_t *box_widths);
bool __wrap_layout_make(layout *out, const picture *p, const layout_rect *sizes,
                        const int64_t *box_widths);

bool __wrap_layout_make(layout *out, const picture *p, const layout_rect *sizes,
                        const int64_t *box_widths)
{
    static unsigned calls;
    bool ok = __real_layout_make(out, p, sizes, box_widths);
    if (ok && p->node_count > MANY)
        out->nodes[MANY].x += calls++ % 2;
    return ok;
}
