/* path.c: what setting up a propagation asks of a guide: how it changes along z, and its mode where it is like that. */
#include "pulse/guide/kind.h"

double poyi_guide_temperature(const poy_guide *guide)
{
    return guide->fill.temperature;
}

/* Do pressure and radius go from one end to another between the same two points? Then each is a function of the other. */
static int go_together(const poyi_along *pressure, const poyi_along *radius)
{
    return !pressure->series && !radius->series && pressure->n == 2 && radius->n == 2 &&
           pressure->between == POYI_BETWEEN_SQUARE && radius->between == POYI_BETWEEN_LINEAR &&
           fabs(pressure->z[0] - radius->z[0]) <= 1e-12 * fabs(pressure->z[1]) &&
           fabs(pressure->z[1] - radius->z[1]) <= 1e-12 * fabs(pressure->z[1]);
}

poy_status poyi_guide_path(poy_ctx *ctx, const poy_guide *guide, poyi_guide_path_points *out)
{
    const poyi_along *pressure = &guide->fill.pressure, *radius = &guide->radius;
    const int p = guide->fill.n > 0 && poyi_along_varies(pressure), r = guide->has_radius && poyi_along_varies(radius);
    const poyi_along *along = p ? pressure : radius;

    *out = (poyi_guide_path_points){.coordinate = POYI_ALONG_NOTHING};
    if (!poy_guide_varies(guide))
        return POY_OK;
    if (!p && !r)
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "geometry: a %s that changes along z is not built for propagation: only pressures and core radii "
            "change there",
            guide->kind->name);
    if (p && r && !go_together(pressure, radius))
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "gas.pressure: changes along z, and so does geometry.core_radius, but not between the same two points: "
            "both are built from one end to the other alone: give each a value at z = 0 and one at the end");
    if (along->series)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: a function of z is not built for propagation: give points",
                         p ? "gas.pressure" : "geometry.core_radius");
    out->coordinate = p ? POYI_ALONG_PRESSURE : POYI_ALONG_RADIUS;
    out->square = along->between == POYI_BETWEEN_SQUARE;
    out->n = along->n;
    out->z = along->z;
    out->values = along->v;
    return POY_OK;
}

poy_status poyi_guide_at_coordinate(poy_ctx *ctx, const poy_guide *guide, poyi_guide_coordinate coordinate,
                                    double value, poy_guide_place *out)
{
    const double none = (double)NAN;
    const poyi_along *pressure = &guide->fill.pressure, *radius = &guide->radius;
    if (coordinate == POYI_ALONG_PRESSURE && guide->has_radius && poyi_along_varies(radius)) {
        const double *v = pressure->v, t = (value * value - v[0] * v[0]) / ((v[1] - v[0]) * (v[1] + v[0]));
        return poyi_guide_place(ctx, guide, 0.0, value, radius->v[0] + t * (radius->v[1] - radius->v[0]), out);
    }
    return poyi_guide_place(ctx, guide, 0.0, coordinate == POYI_ALONG_PRESSURE ? value : none,
                            coordinate == POYI_ALONG_RADIUS ? value : none, out);
}

poy_mode poyi_guide_mode(const poy_guide *guide, int mode)
{
    return guide->modes[mode].mode;
}

poy_status poyi_guide_modes_at(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                               int n_modes, const int *modes, double omega, double complex *work, double *excess,
                               double *alpha, poy_guide_clamps *clamps)
{
    return poyi_guide_held_many(ctx, guide, n_places, places, n_modes, modes, omega, work, excess, alpha, clamps);
}

poy_status poyi_guide_frame_at(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                               double omega, double out[2])
{
    poyi_cjet index;
    POYI_TRY(ctx, poyi_guide_index(ctx, guide, mode, place, omega, 1, &index));
    poyi_excess_beta(&index, omega, out);
    return POY_OK;
}

poy_status poyi_guide_area_at(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                              double omega, double *area)
{
    POYI_TRY(ctx, poyi_guide_check_mode(ctx, guide, mode));
    return guide->kind->area(ctx, guide, mode, place, omega, area);
}
