/* test_course.c: how operator and Raman response follow a gradient: their series at a place are what a guide with the pressure
 * of that place has, down to gases whose lines widen as they thin out, and in bins whose loss is held. */
#include <complex.h>

#include "fibre_fixture.h"
#include "poynting/guide.h"
#include "pulse/geometry/along.h"

enum { N_PLACES = 4 };
static const double place[N_PLACES] = {1e-4, 0.2, 0.55, 0.97}; /* of the length, 1 m */

static poy_grid *grid_of_field(double shortest, double longest, double window)
{
    poy_grid_options o;
    poy_grid *grid = NULL;
    poy_grid_options_init(&o);
    o.field = POY_FIELD_REAL;
    o.thg = 1;
    o.reference = 800e-9;
    o.wavelength_min = shortest;
    o.wavelength_max = longest;
    o.window = window;
    poy_grid_create(ctx, &o, &grid);
    return grid;
}

typedef struct kind {
    const char *gas;
    int antiresonant, n_modes;
} kind;

/* A guide from zero pressure to the given one, or (z NAN) with one pressure. */
static poy_problem *problem_with(poy_grid *grid, const kind *k, int varies, double pressure)
{
    static const double z[2] = {0.0, 1.0}, planes[2] = {0.0, 1.0};
    static const int modes[2] = {0, 1};
    const double values[2] = {0.0, pressure};
    const poy_along along = varies ? (poy_along){.n = 2, .z = z, .values = values} : (poy_along){.value = pressure};
    poy_guide *guide = NULL;
    poy_problem *problem = NULL;
    poy_gas_options gas;
    poy_gas_options_init(&gas);
    gas.plasma = 0;
    gas.n_columns = k->n_modes;
    gas.modes = modes;
    if (k->antiresonant) {
        poy_antiresonant_options o;
        poy_antiresonant_options_init(&o);
        o.core_radius.value = 20e-6;
        o.wall_thickness = 250e-9;
        o.wall.extrapolate = 1;
        o.fill.n_gases = 1;
        o.fill.gases = &k->gas;
        o.fill.pressure = along;
        o.n_modes = k->n_modes;
        poy_guide_create_antiresonant(ctx, &o, &guide);
    } else {
        poy_capillary_options o;
        poy_capillary_options_init(&o);
        o.core_radius.value = 60e-6;
        o.fill.n_gases = 1;
        o.fill.gases = &k->gas;
        o.fill.pressure = along;
        o.n_modes = k->n_modes;
        poy_guide_create_capillary(ctx, &o, &guide);
    }
    if (!guide || poy_problem_create_guide(ctx, grid, guide, &gas, NULL, NULL, 1.0, planes, 2, &problem) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    poy_guide_destroy(&guide);
    return problem;
}

/* sum over t of T_t(z) terms[t][i] against want[i]: the largest distance over the largest value. skip: elements that do not
 * count, where their loss is held. */
static double distance(const poy_problem *p, const poyi_data *terms, int64_t n_terms, const poyi_data *want, double z,
                       int skip)
{
    double weights[POYI_ALONG_MAX] = {0.0}, most = 0.0, off = 0.0;
    const int64_t n = want->rows * want->cols;
    const double complex *t = terms->data, *w = want->data;
    poyi_terms_at(p, z, weights);
    for (int64_t i = 0; i < n; i++) {
        double complex sum = 0.0;
        for (int64_t k = 0; k < n_terms; k++)
            sum += weights[k] * t[k * n + i];
        if (skip && (creal(sum) < -100.0 || creal(w[i]) < -100.0))
            continue;
        most = fmax(most, cabs(w[i]));
        off = fmax(off, cabs(sum - w[i]));
    }
    return off / most;
}

static void check(const char *what, poy_grid *grid, const kind *k, double pressure, double operator_bound,
                  double raman_bound, int terms_below)
{
    poy_problem *p = problem_with(grid, k, 1, pressure);
    double phi = 0.0, raman[N_PLACES] = {0.0}, inner = 0.0;
    ok(p != NULL, "%s: from 0 to %g bar there is a series", what, pressure * 1e-5);
    if (!p)
        return;
    for (int i = 0; i < N_PLACES; i++) {
        poy_problem *there = problem_with(grid, k, 0, poyi_problem_coordinate(p, place[i]));
        phi = fmax(phi, distance(p, &p->phi, p->n_term, &there->phi, place[i], 1));
        if (p->raman)
            raman[i] = distance(p, &p->raman_h, p->n_delay_along, &there->raman_h, place[i], 0);
        inner = i ? fmax(inner, raman[i]) : 0.0;
        poy_problem_destroy(&there);
    }
    ok(phi < operator_bound, "%s: its operator, of %d terms, is off by %.1e", what, (int)p->n_term, phi);
    /* near the end, at 1 % of the pressure, the response is as small, and its distance is one to that of the place */
    ok(inner < raman_bound && raman[0] < 100.0 * raman_bound,
       "%s: its Raman response, of %d terms, is off by %.1e, near the end by %.1e of what is left of it", what,
       (int)p->n_delay_along, inner, raman[0]);
    ok(p->n_term < terms_below, "%s: the operator needs no more terms than before", what);
    poy_problem_destroy(&p);
}

int main(void)
{
    static const kind nitrogen = {"N2", 0, 1}, hydrogen = {"H2", 0, 1}, deuterium = {"D2", 0, 1},
                      thin_wall = {"Ar", 1, 2};
    fixture_start();
    poy_grid *grid = grid_of_field(300e-9, 1500e-9, 150e-15);
    check("N2", grid, &nitrogen, 1e5, 1e-12, 1e-12, 33);
    check("H2", grid, &hydrogen, 2e5, 1e-12, 1e-6, 33);
    poy_grid *longer = grid_of_field(300e-9, 1500e-9, 2e-12); /* lines widen within it at higher densities */
    check("H2, 2 ps", longer, &hydrogen, 2e5, 1e-12, 1e-5, 33);
    poy_grid_destroy(&longer);
    check("D2", grid, &deuterium, 1e5, 1e-12, 1e-6, 33);
    check("two modes of thin walls", grid, &thin_wall, 1e5, 1e-9, 1.0, 129);
    poy_grid_destroy(&grid);
    return fixture_end();
}
