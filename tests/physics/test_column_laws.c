/* test_column_laws.c: laws of states with several columns: modes at points of the cross-section, two polarisations.
 * Argument: backend. */
#include "hollow.h"

static const char *backend;
static poy_ctx *ctx;

/* 10 fs at 800 nm in HE11 of a capillary of 75 um without loss, a real field with third harmonics and Kerr alone. */
static void set_up(hollow *s, const char *gas, int n_columns)
{
    *s = hollow_make(gas, 75e-6, n_columns);
    s->guide.loss = 0.0;
    s->gas.plasma = 0;
}

/* Distance of the sources of two settings, over as many columns as the first has. */
static double apart(hollow *a, hollow *b)
{
    int64_t n = 0, m = 0;
    double *x = hollow_source(ctx, backend, a, &n), *y = hollow_source(ctx, backend, b, &m);
    const double distance = lab_distance(y, x, n < m ? n : m);
    free(x);
    free(y);
    return distance;
}

/* ---- one mode at points is the averaged one: what is of fourth order in the field ---- */

static void check_one_mode(void)
{
    for (int kind = 0; kind < 4; kind++)
        for (int raman = 0; raman < 2; raman++) {
            hollow points, averaged;
            set_up(&points, raman ? "N2" : "Ar", 1);
            hollow_kind(&points, kind);
            points.gas.raman = raman;
            averaged = points;
            points.gas.averaged = 0;
            averaged.gas.averaged = 1;
            const double distance = apart(&averaged, &points);
            ok(distance <= 1e-12, "%s%s: one mode at points is the averaged one, to %.1e", hollow_kinds[kind],
               raman ? ", Raman" : "", distance);
        }
}

/* ---- a place in a taper is a straight guide of that radius: fields go with 1/a, their products over the area with a^2 ---- */

static void check_place(const char *what, hollow *taper)
{
    static const double ends[2] = {0.0, 0.01}, radii[2] = {75e-6, 40e-6};
    hollow straight = *taper;
    const double z = 0.006, radius = 75e-6 - 0.6 * 35e-6;
    taper->guide.core_radius = (poy_along){.n = 2, .z = ends, .values = radii};
    straight.guide.core_radius.value = radius;
    poy_problem *p = hollow_problem(ctx, taper), *q = hollow_problem(ctx, &straight);
    double *in = hollow_launch(ctx, taper, p);
    const int64_t n = lab_bins(p), size = lab_size(p);
    for (int64_t k = 2 * n; k < 2 * size; k++) /* light in all columns */
        in[k] = 0.4 * in[k % (2 * n)];
    double *got = hollow_source_at(ctx, backend, p, in, z), *want = hollow_source_on(ctx, backend, q, in);
    const double distance = lab_distance(got, want, size);
    ok(distance <= 1e-11 && lab_norm2(want, size) > 0.0,
       "%s, %d columns: a place in a taper is a straight guide of that radius, to %.1e", what, taper->gas.n_columns,
       distance);
    free(in);
    free(got);
    free(want);
    poy_problem_destroy(&p);
    poy_problem_destroy(&q);
}

static void check_tapers(void)
{
    for (int kind = 0; kind < 4; kind++)
        for (int columns = 1; columns <= 4; columns += kind < 2 ? 1 : 3) {
            hollow s;
            set_up(&s, columns == 1 ? "Ar" : "N2", columns); /* four: the last one is not polarised alike everywhere */
            hollow_kind(&s, kind);
            s.gas.averaged = 0;
            s.gas.raman = columns == 2;
            check_place(hollow_kinds[kind], &s);
        }
    for (int rule = 0; rule < 3; rule++) {
        hollow s;
        set_up(&s, "Ar", 2);
        s.gas.plasma = 1;
        s.pulse.energy = 100e-6;
        s.gas.plasma_taps = rule == 1 ? 2 : 0;
        s.gas.plasma_held = rule == 2;
        s.physics.kerr = 0;
        check_place(rule == 0 ? "trapezoids" : rule == 1 ? "band rule" : "held current", &s);
    }
}

/* ---- parts ---- */

/* Points one by one, and all together; everything on, two components. */
static void check_parts(void)
{
    hollow whole, parts;
    set_up(&whole, "N2", 4);
    whole.gas.raman = whole.gas.plasma = 1;
    whole.gas.radii = 9;
    whole.gas.directions = 8;
    whole.modes[2] = 0;
    whole.angles[2] = 0.5 * LAB_PI;
    whole.pulse.ellipticity = 0.4;
    whole.pulse.energy = 150e-6;
    parts = whole;
    parts.gas.node_bytes = 1;
    const double distance = apart(&whole, &parts);
    ok(distance <= 1e-14, "72 points one by one and together: %.1e", distance);
    parts.gas.node_bytes = 5000000;
    const double tail = apart(&whole, &parts);
    ok(tail <= 1e-14, "and in parts of several, the last with fewer: %.1e", tail);
}

/* ---- sums over the points that are made beforehand ---- */

/* Two pulses, one after the other, in three modes, which ionise argon each. A column across, without light, has all go
 * through the points. */
static void check_sums(void)
{
    hollow sums, points;
    set_up(&sums, "Ar", 3);
    sums.gas.plasma = 1;
    sums.pulse.energy = 100e-6;
    for (int preionised = 0; preionised < 2; preionised++) {
        sums.gas.preionised = preionised ? 1e-3 : 0.0;
        sums.gas.plasma_taps = 0;
        points = sums;
        points.gas.n_columns = 4;
        points.modes[3] = 0;
        points.angles[3] = 0.5 * LAB_PI;
        poy_problem *p = hollow_problem(ctx, &sums), *q = hollow_problem(ctx, &points);
        double *in = hollow_launch(ctx, &sums, p), *four = lab_field(q);
        const double *omega = poy_grid_omega(poy_problem_grid(p));
        const int64_t n = lab_bins(p);
        for (int64_t k = 0; k < n; k++) {
            const double x = 1.0 + 0.9 * cos(omega[k] * 80e-15), y = -0.9 * sin(omega[k] * 80e-15), re = in[2 * k],
                         im = in[2 * k + 1];
            for (int c = 0; c < 3; c++) {
                in[2 * (c * n + k)] = (1.0 - 0.4 * c) * (x * re - y * im);
                in[2 * (c * n + k) + 1] = (1.0 - 0.3 * c) * (x * im + y * re);
            }
        }
        memcpy(four, in, (size_t)(6 * n) * sizeof *four);
        double *got = hollow_source_on(ctx, backend, p, in), *want = hollow_source_on(ctx, backend, q, four);
        const double distance = lab_distance(got, want, 3 * n);
        ok(distance <= 1e-12 && lab_norm2(want, 3 * n) > 0.0, "three modes%s by sums and point by point: %.1e",
           preionised ? ", preionised," : "", distance);
        free(in);
        free(four);
        free(got);
        free(want);
        poy_problem_destroy(&p);
        poy_problem_destroy(&q);
    }
}

/* ---- energy ---- */

/* E^3 of a real field without loss: sum over modes of |A|^2 beta/omega stays: its derivative is the integral of a total
 * derivative in time, of the field at each point. */
static void check_energy(void)
{
    hollow s;
    set_up(&s, "Ar", 3);
    s.grid.window = 200e-15;
    poy_problem *p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p);
    const poy_grid *grid = poy_problem_grid(p);
    const int64_t n = lab_bins(p);
    for (int64_t k = 0; k < 2 * n; k++) { /* also light in the other modes */
        in[2 * n + k] = 0.5 * in[k];
        in[4 * n + k] = k % 2 ? 0.3 * in[k - 1] : -0.3 * in[k + 1];
    }
    double *out = hollow_source_on(ctx, backend, p, in), change = 0.0, size = 0.0;
    poy_guide *guide = hollow_guide(ctx, &s);
    for (int c = 0; c < 3; c++)
        for (int64_t k = 0; k < n; k++) {
            const double omega = poy_grid_omega(grid)[k], *a = in + 2 * (c * n + k), *d = out + 2 * (c * n + k);
            double beta = 0.0;
            if (!poy_grid_mask(grid)[k] || poy_grid_window_w(grid)[k] < 1.0)
                continue;
            must(ctx, poy_guide_propagation(ctx, guide, c, 0.0, 1, &omega, &beta, NULL, NULL), "beta");
            change += beta / omega * (a[0] * d[0] + a[1] * d[1]);
            size += beta / omega * hypot(a[0], a[1]) * hypot(d[0], d[1]);
        }
    /* the light outside the flat part of the window, some 1e-9 of it, is not counted */
    ok(fabs(change) <= 1e-8 * size, "three modes exchange energy and keep it, to %.1e", fabs(change) / size);
    poy_guide_destroy(&guide);
    free(in);
    free(out);
    poy_problem_destroy(&p);
}

/* ---- 10, 15: two polarisations ---- */

/* The source of a pulse at a direction, turned back: along it as the scalar one, across it nothing. */
static void check_turned(int kind, const char *gas, int raman, int plasma, int averaged, double direction)
{
    hollow one, pair;
    int64_t n = 0, m = 0;
    set_up(&one, gas, 1);
    hollow_kind(&one, kind);
    one.gas.raman = raman;
    one.gas.plasma = plasma;
    one.gas.averaged = averaged;
    one.pulse.energy = plasma ? 150e-6 : 60e-6;
    pair = one;
    hollow_pair(&pair, averaged);
    pair.pulse.direction = direction;
    double *want = hollow_source(ctx, backend, &one, &n), *got = hollow_source(ctx, backend, &pair, &m), error = 0.0;
    for (int64_t k = 0; k < 2 * n; k++) {
        const double x = got[k], y = got[2 * n + k], along = x * sin(direction) + y * cos(direction),
                     across = x * cos(direction) - y * sin(direction);
        error += (along - want[k]) * (along - want[k]) + across * across;
    }
    error = sqrt(error / lab_norm2(want, n));
    ok(m == 2 * n && error <= 1e-12, "law 15: %s, %s%s%s, %s: polarised at %g rad it is one component, to %.1e",
       hollow_kinds[kind], gas, raman ? ", Raman" : "", plasma ? ", plasma" : "", averaged ? "averaged" : "points",
       direction, error);
    free(want);
    free(got);
}

static void check_turns(void)
{
    static const double directions[] = {0.0, 0.7, 0.25 * 3.14159265358979323846, -1.2};
    for (int kind = 0; kind < 4; kind++) {
        check_turned(kind, "Ar", 0, 0, 1, directions[kind]);
        check_turned(kind, "N2", 1, 0, 1, directions[(kind + 1) % 4]);
        check_turned(kind, "CH4", 1, 0, 1, directions[(kind + 1) % 4]);
        check_turned(kind, "N2", 1, kind < 2, 0, directions[(kind + 2) % 4]);
        check_turned(kind, "Ar", 0, kind < 2, 0, directions[(kind + 3) % 4]);
    }
    check_turned(0, "Xe", 0, 1, 1, 0.25 * LAB_PI);
    check_turned(1, "Xe", 0, 1, 1, 0.7);
}

/* Circular light of an isotropic Kerr medium has 2/3 of the phase of linear light of the same power. */
static void check_circular(int kind)
{
    hollow linear, circular;
    int64_t n = 0, m = 0;
    set_up(&linear, "Ar", 1);
    hollow_kind(&linear, kind);
    circular = linear;
    hollow_pair(&circular, 1);
    circular.pulse.ellipticity = 1.0;
    double *want = hollow_source(ctx, backend, &linear, &n), *got = hollow_source(ctx, backend, &circular, &m),
           error = 0.0;
    const double share = 2.0 / 3.0 * sqrt(0.5);
    for (int64_t k = 0; k < n; k++) { /* y as it is, x a quarter of a cycle behind: times -i */
        const double *w = want + 2 * k, *x = got + 2 * k, *y = got + 2 * (n + k);
        error += pow(y[0] - share * w[0], 2) + pow(y[1] - share * w[1], 2);
        error += pow(x[0] - share * w[1], 2) + pow(x[1] + share * w[0], 2);
    }
    error = sqrt(error / lab_norm2(want, n));
    ok(error <= 1e-10, "law 10: %s: circular light has 2/3 of the Kerr effect of linear light, to %.1e",
       hollow_kinds[kind], error);
    free(want);
    free(got);
}

/* Rotating light of molecules: either handedness is the mirror image of the other. */
static void check_mirror(void)
{
    hollow right, left;
    int64_t n = 0, m = 0;
    set_up(&right, "H2", 1);
    hollow_pair(&right, 1);
    right.gas.raman = right.gas.plasma = 1;
    right.pulse.energy = 300e-6;
    right.pulse.ellipticity = 0.6;
    left = right;
    left.pulse.ellipticity = -0.6;
    double *a = hollow_source(ctx, backend, &right, &n), *b = hollow_source(ctx, backend, &left, &m);
    for (int64_t k = 0; k < n; k++) /* x turns its sign */
        b[k] = -b[k];
    const double distance = lab_distance(b, a, n);
    ok(distance <= 1e-13, "left-handed light is the mirror image of right-handed light, to %.1e", distance);
    free(a);
    free(b);
}

/* ---- the rule of integration ---- */

static double quadrature(hollow *s, poy_status *status)
{
    poy_problem *p = hollow_problem(ctx, s);
    double *in = hollow_launch(ctx, s, p), error = (double)NAN;
    const char *name = "quadrature_error";
    poy_run *run = lab_open(ctx, p, backend, in);
    *status = poy_run_propagate_to(ctx, run, s->length, NULL);
    if (*status == POY_OK)
        must(ctx, poy_run_stats(ctx, run, &name, 1, &error), name);
    poy_run_destroy(&run);
    free(in);
    poy_problem_destroy(&p);
    return error;
}

static void keep_warning(void *user, poy_log_level level, const char *text)
{
    if (level == POY_LOG_WARNING)
        snprintf(user, 200, "%s", text);
}

static void check_rule(void)
{
    hollow s;
    poy_status status;
    set_up(&s, "Ar", 2);
    s.length = 1e-3;
    const double good = quadrature(&s, &status);
    ok(status == POY_OK && good > 0.0 && good < 1e-4, "two modes on 16 radii: the embedded rule is %.1e off", good);
    s.gas.radii = 8;
    const double few = quadrature(&s, &status);
    ok(status == POY_OK && few > 100.0 * good, "on 8 radii it is %.1e off", few);
    char told[200] = "";
    s.gas.quadrature_warn = 0.5 * few;
    poy_ctx_set_log(ctx, keep_warning, told, POY_LOG_WARNING);
    quadrature(&s, &status);
    poy_ctx_set_log(ctx, NULL, NULL, POY_LOG_ERROR);
    ok(status == POY_OK && strstr(told, "8 points may be too few"), "which is told: %s", told);
    s.gas.quadrature_fail = 0.5 * few;
    quadrature(&s, &status);
    ok(status == POY_ERR_NO_CONVERGENCE && strstr(poy_ctx_message(ctx), "8 points are too few"),
       "which may end a run: %s", poy_ctx_message(ctx));
    set_up(&s, "Ar", 1);
    s.length = 1e-3;
    ok(isnan(quadrature(&s, &status)), "an averaged mode has no rule");
}

/* ---- launches ---- */

static void check_launches(void)
{
    hollow s;
    static const char *const names[] = {"energy", "energy@0", "energy@1", "energy@2"};
    double value[4];
    set_up(&s, "He", 3);
    s.pulse.waist = 0.64 * 75e-6;
    poy_problem *p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p);
    poy_run *run = lab_open(ctx, p, backend, in);
    must(ctx, poy_run_stats(ctx, run, names, 4, value), "energies");
    /* 98.07 % and 0.618 %, given to four and three digits */
    ok(fabs(value[1] / 60e-6 - 0.9807) < 5e-5 && fabs(value[2] / 60e-6 - 0.00618) < 5e-6,
       "a beam of 0.64 radii: %.4f %% in HE11, %.4f %% in HE12", 100 * value[1] / 60e-6, 100 * value[2] / 60e-6);
    ok(fabs(value[0] - value[1] - value[2] - value[3]) < 1e-12 * value[0], "energies of the columns add up");
    poy_run_destroy(&run);
    free(in);
    poy_problem_destroy(&p);
}

/* On the axis HE11 has P/(pi a^2 J_1(u)^2), averaged or at points; J_1(u) = 0.519147497289467. A pulse of four cycles has
 * its peak power to 1e-3, of its envelope. */
static void check_intensity(void)
{
    static const char *const names[] = {"peak_intensity", "peak_power"};
    double value[2];
    hollow s;
    for (int columns = 1; columns < 3; columns++) {
        set_up(&s, "He", columns);
        poy_problem *p = hollow_problem(ctx, &s);
        double *in = hollow_launch(ctx, &s, p);
        poy_run *run = lab_open(ctx, p, backend, in);
        must(ctx, poy_run_stats(ctx, run, names, 2, value), "intensity");
        const double area = LAB_PI * pow(75e-6 * 0.519147497289467, 2), effective = 8.42157534886545e-9;
        const double want = value[1] / (columns == 1 ? effective : area);
        ok(fabs(value[0] / want - 1.0) < 1e-10 && fabs(value[1] / (0.93943727869965 * 60e-6 / 10e-15) - 1.0) < 1e-3,
           "%s: %.4g W/m2", columns == 1 ? "averaged" : "on the axis", value[0]);
        poy_run_destroy(&run);
        free(in);
        poy_problem_destroy(&p);
    }
}

static void refused(hollow *s, poy_status want, const char *words)
{
    poy_problem *p = NULL;
    const poy_status status = hollow_try(ctx, s, &p);
    ok(status == want && strstr(poy_ctx_cause(ctx), words), "%s", poy_ctx_cause(ctx));
    poy_problem_destroy(&p);
}

static void refused_pulse(hollow *s, const char *words)
{
    poy_problem *p = hollow_problem(ctx, s);
    double *field = lab_field(p);
    const poy_status status = poy_launch_create(ctx, p, &s->pulse, 1, field);
    ok(status == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), words), "%s", poy_ctx_cause(ctx));
    free(field);
    poy_problem_destroy(&p);
}

static void check_refusals(void)
{
    hollow s;
    set_up(&s, "Ar", 2);
    s.modes[1] = 7;
    refused(&s, POY_ERR_ARGUMENT, "column 1 is of mode 7: the guide has modes 0 to 3");
    s.modes[1] = 1;
    s.gas.averaged = 1;
    refused(&s, POY_ERR_ARGUMENT, "geometry.averaged: true, but the columns are of several modes");
    hollow_pair(&s, 1);
    s.angles[0] = 0.3;
    refused(&s, POY_ERR_ARGUMENT, "two at right angles");
    s.angles[0] = 0.0;
    s.gas.averaged = 0;
    refused(&s, POY_ERR_ARGUMENT, "HE11 stands twice");
    s.angles[0] = 0.4;
    refused(&s, POY_ERR_ARGUMENT, "not orthonormal");
    hollow_pair(&s, 1);
    s.modes[0] = s.modes[1] = 3;
    refused(&s, POY_ERR_ARGUMENT, "HE21, which is not polarised alike everywhere");
    set_up(&s, "Ar", 2);
    s.gas.quadrature_warn = 0.2;
    refused(&s, POY_ERR_ARGUMENT, "quadrature_warn 0.2");
    s.gas.quadrature_warn = 1e-3;
    s.pulse.mode = 2;
    refused_pulse(&s, "pulse.0.mode: 1 of the pulse in mode HE13 has no column");
    s.pulse.mode = 0;
    s.pulse.ellipticity = 0.5;
    refused_pulse(&s, "pulse.0.polarisation: 0.2 of the pulse in mode HE11 has no column");
    s.pulse.ellipticity = 1.5;
    refused_pulse(&s, "an ellipticity of 1.5 is outside -1 to 1");
    s.pulse.ellipticity = 0.0;
    s.pulse.waist = 30e-6;
    refused_pulse(&s, "a beam goes into all modes");
}

/* ---- memory ---- */

static void check_allocations(void)
{
    hollow s;
    set_up(&s, "N2", 3);
    s.gas.raman = s.gas.plasma = 1;
    s.solver.dz_first = s.solver.dz_max = 1e-4;
    s.length = 1e-2;
    poy_problem *p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p);
    poy_run *run = lab_open(ctx, p, backend, in);
    must(ctx, poy_run_propagate_to(ctx, run, 3e-4, NULL), "first steps");
    const uint64_t before = poy_ctx_allocations(ctx);
    must(ctx, poy_run_propagate_to(ctx, run, 1e-3, NULL), "warm steps");
    ok(poy_ctx_allocations(ctx) == before, "warm steps allocate nothing");
    poy_run_destroy(&run);
    free(in);
    poy_problem_destroy(&p);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "ref";
    ctx = lab_context();
    check_one_mode();
    check_tapers();
    check_parts();
    check_sums();
    check_energy();
    check_turns();
    for (int kind = 1; kind < 4; kind += 2)
        check_circular(kind);
    check_mirror();
    check_rule();
    check_launches();
    check_intensity();
    check_refusals();
    check_allocations();
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
