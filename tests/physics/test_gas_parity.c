/* test_gas_parity.c: a backend against the reference on one fixed schedule of two steps, for every representation of the
 * field, response of a gas, and guide with its columns, from the tables below. Argument: backend. */
#include "hollow.h"

static const char *backend;
static poy_ctx *ctx;

/* ---- responses ---- */

typedef struct response {
    const char *name, *gases[2];
    int kerr, raman, plasma, held, taps;
    double preionised;
} response;

static const response responses[] = {
    {"Kerr", {"N2"}, .kerr = 1},
    {"Raman", {"N2"}, .raman = 1},
    {"Kerr, Raman", {"N2"}, .kerr = 1, .raman = 1},
    {"Kerr, Raman of a mixture", {"N2", "H2"}, .kerr = 1, .raman = 1},
    {"plasma", {"N2"}, .plasma = 1},
    {"plasma, held current", {"N2"}, .plasma = 1, .held = 1},
    {"plasma, band rule, preionised", {"N2"}, .plasma = 1, .taps = 2, .preionised = 1e-3},
    {"all of a mixture", {"Ar", "N2"}, .kerr = 1, .raman = 1, .plasma = 1},
    {"all of a mixture, held current, band rule",
     {"Ar", "N2"},
     .kerr = 1,
     .raman = 1,
     .plasma = 1,
     .held = 1,
     .taps = 1},
};
enum { RESPONSES = sizeof responses / sizeof *responses };

/* ---- guides ---- */

static poy_guide *capillary(hollow *s)
{
    return hollow_guide(ctx, s);
}

static poy_guide *taper(hollow *s)
{
    static const double z[2] = {0.0, 1e-3}, radii[2] = {75e-6, 60e-6};
    s->guide.core_radius = (poy_along){.n = 2, .z = z, .values = radii};
    return hollow_guide(ctx, s);
}

static poy_guide *gradient(hollow *s)
{
    static const double z[2] = {0.0, 1e-3}, bar[2] = {1e5, 0.0};
    s->guide.fill.pressure = (poy_along){.n = 2, .z = z, .values = bar};
    return hollow_guide(ctx, s);
}

static poy_fill_options fill(const hollow *s)
{
    poy_fill_options f = s->guide.fill;
    f.gases = s->gases;
    f.shares = f.n_gases > 1 ? s->shares : NULL;
    return f;
}

static poy_guide *antiresonant(hollow *s)
{
    poy_antiresonant_options o;
    poy_guide *guide = NULL;
    poy_antiresonant_options_init(&o);
    o.core_radius.value = 40e-6;
    s->pulse.energy *= 0.25;   /* the same intensity */
    o.wall_thickness = 0.1e-6; /* the first resonance at 210 nm */
    o.fill = fill(s);
    o.modes = s->names;
    o.n_modes = 2;
    must(ctx, poy_guide_create_antiresonant(ctx, &o, &guide), "an antiresonant guide");
    return guide;
}

static poy_guide *rectangular(hollow *s)
{
    static const char *const names[] = {"Ey11", "Ey13"};
    poy_rectangular_options o;
    poy_guide *guide = NULL;
    poy_rectangular_options_init(&o);
    o.half_width_x = 60e-6;
    o.half_width_y = 90e-6;
    o.fill = fill(s);
    o.modes = names;
    o.n_modes = 2;
    must(ctx, poy_guide_create_rectangular(ctx, &o, &guide), "a rectangular guide");
    return guide;
}

/* Bessel's J_0 by its integral, (1/pi) int cos(x sin t) dt: trapezoids of a periodic function. */
static double bessel_j0(double x)
{
    enum { N = 64 };
    double sum = 0.0;
    for (int i = 0; i < N; i++)
        sum += cos(x * sin(LAB_PI * i / N));
    return sum / N;
}

/* A capillary's first two modes, as tables. */
static poy_guide *tabulated(hollow *s)
{
    enum { N = 24, POINTS = 33 };
    static const double u[2] = {2.404825557695773, 5.520078110286311}, a = 75e-6;
    double wavelengths[N], n[2 * N], r[POINTS], amplitude[2 * POINTS];
    const double area[2] = {1.4971689509094137 * a * a, 1.1455327574498542 * a * a};
    poy_tabulated_options o;
    poy_guide *guide = NULL;
    for (int i = 0; i < N; i++) {
        wavelengths[i] = 150e-9 * pow(40.0, i / (N - 1.0));
        for (int m = 0; m < 2; m++)
            n[m * N + i] = 1.0 + 1e-4 - 0.5 * pow(u[m] * wavelengths[i] / (2.0 * LAB_PI * a), 2);
    }
    for (int i = 0; i < POINTS; i++)
        for (int m = 0; m < 2; m++) {
            r[i] = a * i / (POINTS - 1.0);
            amplitude[m * POINTS + i] = bessel_j0(u[m] * i / (POINTS - 1.0));
        }
    poy_tabulated_options_init(&o);
    o.n_modes = 2;
    o.n_wavelengths = N;
    o.wavelengths = wavelengths;
    o.n = n;
    o.area = area;
    o.n_r = POINTS;
    o.r = r;
    o.amplitude = amplitude;
    o.fill = fill(s);
    must(ctx, poy_guide_create_tabulated(ctx, &o, &guide), "a tabulated guide");
    return guide;
}

/* columns: 1, 2 modes; averaged or at points; pair: both polarisations of the first. */
typedef struct place {
    const char *name;
    poy_guide *(*make)(hollow *s);
    int columns, averaged, pair;
} place;

static const place places[] = {
    {"capillary, averaged", capillary, 1, 1, 0},
    {"capillary, averaged, two polarisations", capillary, 2, 1, 1},
    {"capillary, modes", capillary, 2, 0, 0},
    {"capillary, modes, two polarisations", capillary, 3, 0, 1},
    {"taper, averaged", taper, 1, 1, 0},
    {"taper, modes", taper, 2, 0, 0},
    {"gradient to vacuum, averaged, two polarisations", gradient, 2, 1, 1},
    {"gradient to vacuum, modes", gradient, 2, 0, 0},
    {"antiresonant, averaged", antiresonant, 1, 1, 0},
    {"antiresonant, modes", antiresonant, 2, 0, 0},
    {"rectangular, averaged", rectangular, 1, 1, 0},
    {"rectangular, modes", rectangular, 2, 0, 0},
    {"tabulated, averaged", tabulated, 1, 1, 0},
    {"tabulated, modes", tabulated, 2, 0, 0},
};
enum { PLACES = sizeof places / sizeof *places };

/* ---- a case ---- */

static void set_response(hollow *s, const response *r)
{
    s->gases[0] = r->gases[0];
    s->gases[1] = r->gases[1];
    s->guide.fill.n_gases = r->gases[1] ? 2 : 1;
    s->shares[0] = 0.6;
    s->shares[1] = 0.4;
    s->physics.kerr = r->kerr;
    s->gas.raman = r->raman;
    s->gas.plasma = r->plasma;
    s->gas.plasma_held = r->held;
    s->gas.plasma_taps = r->taps;
    s->gas.preionised = r->preionised;
}

static void set_place(hollow *s, const place *p)
{
    s->gas.n_columns = p->columns;
    s->gas.averaged = p->averaged;
    if (p->pair) {
        s->modes[1] = 0;
        s->angles[p->averaged ? 0 : 1] = 0.5 * LAB_PI;
        s->modes[2] = 3; /* HE21, which is not polarised alike everywhere */
        s->pulse.ellipticity = 0.5;
        s->gas.radii = p->averaged ? 0 : 7;
    }
    s->gas.quadrature_fail = (double)INFINITY; /* few points do: both have the same */
}

/* Reference and backend differ in the order of sums, by 1e-13 of a source; the steps are short. What the response changes
 * is above that by far. */
static void check(int kind, const response *r, const place *p)
{
    static const double schedule[2] = {4e-4, 6e-4};
    hollow s = hollow_make("N2", 75e-6, 1);
    hollow_kind(&s, kind);
    s.grid.wavelength_min = 350e-9;
    s.grid.window = 60e-15;
    s.length = 1e-3;
    s.solver.schedule = schedule;
    s.solver.n_schedule = 2;
    set_response(&s, r);
    set_place(&s, p);
    poy_guide *guide = p->make(&s);
    poy_problem *problem = NULL;
    must(ctx, hollow_try_in(ctx, &s, guide, &problem), "a problem");
    double *in = hollow_launch(ctx, &s, problem), *a = lab_field(problem), *b = lab_field(problem);
    lab_march(ctx, problem, backend, in, a, s.length);
    lab_march(ctx, problem, "ref", in, b, s.length);
    const double distance = lab_distance(a, b, lab_size(problem)), moved = lab_distance(b, in, lab_size(problem));
    ok(distance <= 1e-12 && moved > 1e-6, "%s, %s, %s: two steps of the reference to %.1e", hollow_kinds[kind], r->name,
       p->name, distance);
    free(in);
    free(a);
    free(b);
    poy_problem_destroy(&problem);
    poy_guide_destroy(&guide);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "cpu";
    ctx = lab_context();
    for (int kind = 0; kind < HOLLOW_KINDS; kind++)
        for (int r = 0; r < RESPONSES; r++)
            for (int p = 0; p < PLACES; p++)
                if (kind < 2 || !responses[r].plasma) /* of a real field alone */
                    check(kind, &responses[r], &places[p]);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
