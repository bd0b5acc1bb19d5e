/* axis.c: the fields of the columns on the axis of a guide, for statistics. */
#include <math.h>

#include "core/core.h"
#include "pulse/geometry/geometry.h"
#include "pulse/march/statistics/statistics.h"
#include "pulse/setup/medium.h"

/* At z = 0. 0: the guide has no profiles. */
static int find_fields(const poyi_sample *s)
{
    const poyi_medium *m = s->problem->medium;
    poyi_statistic_memory *memory = s->memory;
    for (int c = 0; c < m->n_columns; c++) {
        const double angle = m->angles[c];
        if (m->averaged) {
            memory->axis[c][0] = sin(angle);
            memory->axis[c][1] = cos(angle);
        } else if (poy_guide_field(s->ctx, m->guide, m->modes[c], 0.0, s->problem->omega0, angle, 0.0, 0.0,
                                   memory->axis[c]) != POY_OK) {
            poy_ctx_clear(s->ctx);
            return 0;
        }
    }
    memory->has_axis = 1;
    return 1;
}

const double (*poyi_axis_fields(const poyi_sample *s, double *unit))[2]
{
    const poy_problem *p = s->problem;
    if (!p->medium || (!s->memory->has_axis && !find_fields(s)))
        return NULL;
    *unit = poyi_problem_along(p, POYI_F64(p->field_along), s->z);
    return (const double(*)[2])s->memory->axis;
}
