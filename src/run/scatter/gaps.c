/* gaps.c: points of a sweep that lie on a diffraction threshold, where the sum over images diverges: they are left NaN, and the
 * sweep goes on. */
#include <math.h>
#include <stdio.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

static poy_status note(poy_ctx *ctx, poy_status status, const char *what, poyi_gaps *gaps)
{
    if (status != POY_ERR_THRESHOLD)
        return status;
    if (!gaps->n++)
        snprintf(gaps->first, sizeof gaps->first, "%s%s", what, poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    return POY_OK;
}

poy_status poyi_gap_of_light(poy_ctx *ctx, poy_status status, const poyi_scatter *s, int light, poyi_gaps *gaps)
{
    const poyi_light *l = &s->lights[light];
    char what[120] = "";
    if (s->n_lights > 1)
        snprintf(what, sizeof what, "theta = %.6g deg, phi = %.6g deg, %s: ", l->angles[0] * 180 / POYI_PI,
                 l->angles[1] * 180 / POYI_PI, l->word);
    return note(ctx, status, what, gaps);
}

poy_status poyi_gap_of_bloch(poy_ctx *ctx, poy_status status, const poyi_scatter *s, int i, poyi_gaps *gaps)
{
    char what[60];
    snprintf(what, sizeof what, "Bloch vector %d of %d: ", i + 1, s->array->n_path);
    return note(ctx, status, what, gaps);
}

void poyi_gap_fill(int64_t n, double *out)
{
    for (int64_t i = 0; i < n; i++)
        out[i] = (double)NAN;
}
