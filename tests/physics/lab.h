/* lab.h: a fibre, a pulse and a march in a few lines, for the physics tests.
 *
 * What must not fail is called through must(), which says why and ends the program. */
#ifndef LAB_H
#define LAB_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/pulse.h"
#include "poynting/run.h"
#include "tap.h"

static const double LAB_PI = 3.14159265358979323846;
static const double LAB_C = 299792458.0;
static const double LAB_HBAR = 6.62607015e-34 / (2.0 * 3.14159265358979323846);

typedef struct lab {
    poy_grid_options grid;
    poy_fibre_options fibre;
    poy_physics_options physics;
    poy_solver_options solver;
    poy_pulse_options pulse;
    double length;
    const double *planes; /* NULL: 0 and length */
    int n_planes;
} lab;

static inline void must(poy_ctx *ctx, poy_status status, const char *what)
{
    if (status == POY_OK)
        return;
    ok(0, "%s: %s", what, ctx ? poy_ctx_message(ctx) : poy_status_text(status));
    exit(tap_done());
}

static inline poy_ctx *lab_context(void)
{
    poy_ctx *ctx = NULL;
    must(NULL, poy_ctx_create(&ctx), "a context");
    poy_ctx_set_deterministic(ctx, 1); /* plans without timing: the same bits in every run of the test */
    return ctx;
}

/* n samples in a window (s) about a wavelength (m); Kerr alone, no dispersion. */
static inline lab lab_make(double wavelength, double window, int64_t n, double length)
{
    lab l = {.length = length};
    poy_grid_options_init(&l.grid);
    poy_fibre_options_init(&l.fibre);
    poy_physics_options_init(&l.physics);
    poy_solver_options_init(&l.solver);
    poy_pulse_options_init(&l.pulse);
    l.grid.reference = l.pulse.wavelength = wavelength;
    l.grid.window = window;
    l.grid.samples = n;
    l.fibre.gamma = 0.0;
    l.physics.shock = 0;
    l.physics.raman = POY_RAMAN_OFF;
    l.solver.rtol = 1e-8;
    l.pulse.shape = POY_SHAPE_SECH2;
    return l;
}

static inline poy_status lab_try(poy_ctx *ctx, const lab *l, poy_problem **out)
{
    poy_grid *grid = NULL;
    double ends[2] = {0.0, l->length};
    must(ctx, poy_grid_create(ctx, &l->grid, &grid), "a grid");
    poy_status status = poy_problem_create_fibre(ctx, grid, &l->fibre, &l->physics, &l->solver, l->length,
                                                 l->planes ? l->planes : ends, l->planes ? l->n_planes : 2, out);
    poy_grid_destroy(&grid);
    return status;
}

static inline poy_problem *lab_problem(poy_ctx *ctx, const lab *l)
{
    poy_problem *problem = NULL;
    must(ctx, lab_try(ctx, l, &problem), "a problem");
    return problem;
}

static inline int64_t lab_bins(const poy_problem *p)
{
    return poy_grid_get(poy_problem_grid(p))->n_w;
}

/* Complex numbers of a state: bins of all columns. */
static inline int64_t lab_size(const poy_problem *p)
{
    return poy_problem_columns(p) * lab_bins(p);
}

static inline double *lab_field(const poy_problem *p)
{
    double *field = calloc((size_t)lab_size(p), 2 * sizeof *field);
    if (!field)
        exit(1);
    return field;
}

static inline double *lab_launch(poy_ctx *ctx, const lab *l, const poy_problem *p)
{
    double *field = lab_field(p);
    must(ctx, poy_launch_create(ctx, p, &l->pulse, 1, field), "a launch");
    return field;
}

static inline poy_run *lab_open(poy_ctx *ctx, poy_problem *p, const char *backend, const double *field)
{
    poy_run *run = NULL;
    must(ctx, poy_run_open(ctx, p, backend, &run), "a run");
    if (field)
        must(ctx, poy_run_set_initial(ctx, run, field, NULL, 0.0, NULL), "a launch in the run");
    return run;
}

/* From in to out over the whole length; returns the steps taken. */
static inline poy_run_summary lab_march(poy_ctx *ctx, poy_problem *p, const char *backend, const double *in,
                                        double *out, double length)
{
    poy_run_summary summary = {0};
    poy_observation seen;
    poy_run *run = lab_open(ctx, p, backend, in);
    must(ctx, poy_run_propagate_to(ctx, run, length, &summary), "the march");
    must(ctx, poy_run_observe(ctx, run, out, &seen), "what came of it");
    poy_run_destroy(&run);
    return summary;
}

/* The whole of it: problem, launch, march. out has to be freed. */
static inline double *lab_propagate(poy_ctx *ctx, const lab *l, const char *backend, poy_run_summary *summary)
{
    poy_problem *p = lab_problem(ctx, l);
    double *in = lab_launch(ctx, l, p), *out = lab_field(p);
    poy_run_summary s = lab_march(ctx, p, backend, in, out, l->length);
    if (summary)
        *summary = s;
    free(in);
    poy_problem_destroy(&p);
    return out;
}

/* ---- measures of fields, c128 [n] ---- */

static inline double lab_norm2(const double *a, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < 2 * n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* ||a - b|| / ||b|| */
static inline double lab_distance(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < 2 * n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum / lab_norm2(b, n));
}

/* The same of the moduli alone. */
static inline double lab_modulus_distance(const double *a, const double *b, int64_t n)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; i++) {
        double d = hypot(a[2 * i], a[2 * i + 1]) - hypot(b[2 * i], b[2 * i + 1]);
        sum += d * d;
    }
    return sqrt(sum / lab_norm2(b, n));
}

static inline double lab_photons(const poy_problem *p, const double *a)
{
    const double *omega = poy_grid_omega(poy_problem_grid(p));
    double sum = 0.0;
    for (int64_t i = 0; i < lab_bins(p); i++)
        if (omega[i] > 0.0)
            sum += (a[2 * i] * a[2 * i] + a[2 * i + 1] * a[2 * i + 1]) / omega[i];
    return sum;
}

/* out[n] = sum over k of in[k] exp(sign 2 pi i k n / N), by the definition: independent of every transform under test.
 * The angle is reduced exactly, so that each factor is correctly rounded to a few units. */
static inline void lab_dft(const double *in, double *out, int64_t n, int sign)
{
    double *cosine = malloc(sizeof(double) * (size_t)n), *sine = malloc(sizeof(double) * (size_t)n);
    if (!cosine || !sine)
        exit(1);
    for (int64_t i = 0; i < n; i++) {
        cosine[i] = cos(2.0 * LAB_PI * (double)i / (double)n);
        sine[i] = sign * sin(2.0 * LAB_PI * (double)i / (double)n);
    }
    for (int64_t i = 0; i < n; i++) {
        double re = 0.0, im = 0.0;
        for (int64_t k = 0; k < n; k++) {
            int64_t angle = i * k % n;
            re += in[2 * k] * cosine[angle] - in[2 * k + 1] * sine[angle];
            im += in[2 * k] * sine[angle] + in[2 * k + 1] * cosine[angle];
        }
        out[2 * i] = re;
        out[2 * i + 1] = im;
    }
    free(cosine);
    free(sine);
}

/* A(t) (sqrt(W)) of a spectrum, and back. */
static inline void lab_to_time(const double *spectrum, double *field, int64_t n)
{
    lab_dft(spectrum, field, n, 1);
    for (int64_t i = 0; i < 2 * n; i++)
        field[i] /= (double)n;
}

static inline void lab_to_frequency(const double *field, double *spectrum, int64_t n)
{
    lab_dft(field, spectrum, n, -1);
}

#endif
