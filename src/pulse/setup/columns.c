/* columns.c: which modes and directions the state of a gas-filled guide has, and the matrices between them and the field
 * at points of the cross-section. */
#include <string.h>

#include "poynting/pulse_rows.h"
#include "pulse/setup/medium.h"

enum { PARTS_MAX = 64 }; /* that the points may go through memory in */

/* ---- columns ---- */

static int is_one_mode(const poyi_medium *m)
{
    for (int i = 1; i < m->n_columns; i++)
        if (m->modes[i] != m->modes[0])
            return 0;
    return 1;
}

/* Averaged columns: one mode, in one direction or in two that are at right angles. */
static poy_status check_averaged(poy_ctx *ctx, const poyi_medium *m)
{
    const char *name = poy_guide_mode_name(m->guide, m->modes[0]);
    const poy_mode mode = poyi_guide_mode(m->guide, m->modes[0]);
    if (!is_one_mode(m))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "geometry.averaged: true, but the columns are of several modes: leave it out, or keep %s alone", name);
    if (m->n_columns == 1)
        return POY_OK;
    if (m->n_columns > 2 || fabs(cos(m->angles[1] - m->angles[0])) > 1e-12)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "geometry.averaged: %d columns of %s: one mode has one direction, or two at right angles",
                         m->n_columns, name);
    if (mode.family != POY_MODE_OTHER && (mode.family != POY_MODE_HE || mode.n != 1))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "geometry.averaged: two polarisations of %s, which is not polarised alike everywhere: use "
                         "geometry.averaged = false",
                         name);
    return POY_OK;
}

poy_status poyi_medium_make_columns(poy_ctx *ctx, poy_problem *p, const poy_gas_options *gas)
{
    poyi_medium *m = p->medium;
    const int n = gas->n_columns ? gas->n_columns : 1, most = (int)(sizeof m->modes / sizeof *m->modes);
    if (n < 0 || n > most || (gas->n_columns && !gas->modes))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas options: %d columns at %s: give modes of 1 to %d", n,
                         gas->modes ? "an address" : "NULL", most);
    m->n_columns = n;
    for (int i = 0; i < n; i++) {
        m->modes[i] = gas->n_columns ? gas->modes[i] : gas->mode;
        m->angles[i] = gas->n_columns && gas->angles ? gas->angles[i] : 0.0;
        if (m->modes[i] < 0 || m->modes[i] >= poy_guide_mode_count(m->guide))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas options: column %d is of mode %d: the guide has modes 0 to %d",
                             i, m->modes[i], poy_guide_mode_count(m->guide) - 1);
        POYI_TRY(ctx, poyi_check_finite(ctx, "gas options: angle of a column", m->angles[i], "rad"));
    }
    m->averaged = gas->averaged < 0 ? is_one_mode(m) && n <= 2 : gas->averaged != 0;
    if (m->averaged)
        POYI_TRY(ctx, check_averaged(ctx, m));
    p->n_c = n;
    p->n_pol = m->averaged ? n : 1;
    POYI_TRY(ctx, poyi_problem_array(ctx, "column_mode", POY_F64, 1, n, &p->column_mode));
    POYI_TRY(ctx, poyi_problem_array(ctx, "column_angle", POY_F64, 1, n, &p->column_angle));
    for (int i = 0; i < n; i++) {
        ((double *)p->column_mode.data)[i] = m->modes[i];
        ((double *)p->column_angle.data)[i] = m->angles[i];
    }
    return POY_OK;
}

/* ---- points ---- */

/* Points that go through memory at a time: as many as have room for field, response and what is delayed; by itself in
 * the second cache, where they stay until they are projected. */
void poyi_medium_set_chunk(poy_problem *p, size_t bytes)
{
    if (p->n_nodes == 0)
        return;
    const int complex_field = p->field == POY_FIELD_ENVELOPE || p->response == POY_RESPONSE_ANALYTIC;
    const double own = 8.0 * (double)p->n_to * (double)p->n_pol * (complex_field ? 3.0 : 2.0);
    const double delayed = p->raman ? 8.0 * 2.0 * (double)p->n_delay * (p->tensor ? 3.0 : 1.0) : 0.0;
    const double room = (bytes ? (double)bytes : 1024.0 * 1024.0) / (own + delayed);
    const int64_t least = (p->n_nodes + PARTS_MAX - 1) / PARTS_MAX;
    int64_t chunk = room > (double)p->n_nodes ? p->n_nodes : (int64_t)room;
    chunk = chunk < least ? least : chunk;
    const int64_t parts = (p->n_nodes + chunk - 1) / chunk;
    p->n_chunk = (p->n_nodes + parts - 1) / parts; /* alike, as far as they go */
}

static poy_status keep_matrices(poy_ctx *ctx, poy_problem *p, const poyi_modal *modal)
{
    const int64_t rows = p->n_pol * p->n_nodes;
    POYI_TRY(ctx, poyi_problem_array(ctx, "synthesis", POY_F64, rows, p->n_c, &p->synthesis));
    POYI_TRY(ctx, poyi_problem_array(ctx, "projection", POY_F64, 2 * p->n_c, rows, &p->projection));
    const size_t bytes = (size_t)(rows * p->n_c) * sizeof(double);
    memcpy(p->synthesis.data, modal->S, bytes);
    memcpy(p->projection.data, modal->Q, bytes);
    memcpy((double *)p->projection.data + rows * p->n_c, modal->Q_coarse, bytes);
    return POY_OK;
}

poy_status poyi_medium_make_nodes(poy_ctx *ctx, poy_problem *p, const poy_gas_options *gas)
{
    poyi_medium *m = p->medium;
    poyi_modal modal = {0};
    if (!(gas->quadrature_warn >= 0.0 && gas->quadrature_fail >= gas->quadrature_warn))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "gas options: quadrature_warn %g, quadrature_fail %g: the first is 0 or more, the second not "
                         "below it",
                         gas->quadrature_warn, gas->quadrature_fail);
    p->quadrature_warn = fmin(gas->quadrature_warn, 1e300);
    p->quadrature_fail = fmin(gas->quadrature_fail, 1e300);
    if (m->averaged)
        return POY_OK;
    const poyi_modal_options o = {.n_c = m->n_columns,
                                  .modes = m->modes,
                                  .angles = m->angles,
                                  .omega = p->omega0,
                                  .finer = p->n_plasma ? 2 : 1,
                                  .n_r = gas->radii,
                                  .n_theta = gas->directions};
    POYI_TRY(ctx, poyi_modal_create(ctx, m->guide, &o, &modal));
    p->n_nodes = modal.n_nodes;
    p->n_pol = modal.n_pol;
    m->node_radius = modal.radius;
    poy_status status = keep_matrices(ctx, p, &modal);
    poyi_modal_fini(&modal);
    POYI_TRY(ctx, status);
    return POY_OK;
}
