/* pulse_cases_points.c: the cases of the rows that act on fields in time, at points of the cross-section or instead of
 * them: what drives a delayed response, responses, absorbers, synthesis and projection. */
#include "conform/rows/pulse_make.h"

poy_status poyi_pulse_make_drive(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int plain = v & 1, longer = v >> 1 & 1, parts = v >> 2;
    char text[48];
    if (!(*made = v < 12))
        return POY_OK;
    const poy_row_drive arg = {.pol = parts ? 2 : 1, .tensor = parts > 1};
    set_slot(m, 0, POY_F64, (arg.tensor ? 3 : 1) * m->s.n_c, longer ? 2 * m->s.n : m->s.n);
    set_slot(m, 1, plain ? POY_F64 : POY_C128, arg.pol * m->s.n_c, m->s.n);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s%s%s", plain ? "reals" : "", longer ? ", with room" : "",
             parts > 1 ? ", tensor"
             : parts   ? ", pair"
                       : "");
    describe(m, text);
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

poy_status poyi_pulse_make_response(poy_ctx *ctx, const maker *m, int v, int *made)
{
    if (!(*made = v < 5))
        return POY_OK;
    const poy_row_response arg = {.raman = v & 1 || v == 4, .window = v >> 1 & 1};
    set_slot(m, 0, POY_C128, m->s.n_c, m->s.n);
    set_slot(m, 1, POY_F64, arg.raman ? m->s.n_c : 0, v == 4 ? 2 * m->s.n : m->s.n);
    set_slot(m, 2, POY_F64, arg.window, m->s.n);
    set_arg(m, &arg, sizeof arg);
    describe(m, v == 0   ? "Kerr"
                : v == 1 ? "Raman"
                : v == 2 ? "Kerr, window"
                : v == 3 ? "Raman, window"
                         : "Raman with room");
    m->c->outputs = 1;
    random_scalars(m, 2);
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

/* One component: four families with and without Raman, window, in place; two: a family more, Raman in one part or three. */
poy_status poyi_pulse_make_polarise(poy_ctx *ctx, const maker *m, int v, int *made)
{
    static const char *const names[] = {"real", "analytic", "harmonic", "harmonic, folded", "envelope"};
    static const poy_response_family families[] = {POY_RESPONSE_REAL, POY_RESPONSE_ANALYTIC, POY_RESPONSE_HARMONIC,
                                                   POY_RESPONSE_HARMONIC, POY_RESPONSE_ENVELOPE};
    enum { SINGLE = 32, PAIRS = 60 };
    const int pair = v >= SINGLE, w = v - SINGLE;
    const int raman = pair ? w % 3 : v & 1, window = pair ? w / 3 & 1 : v >> 1 & 1;
    const int kind = pair ? w / 6 % 5 : v >> 2 & 3, in_place = pair ? w / 30 : v >> 4;
    char text[48];
    if (!(*made = v < SINGLE + PAIRS))
        return POY_OK;
    const poy_row_polarise arg = {.family = families[kind],
                                  .raman = raman > 0,
                                  .window = window,
                                  .fold = kind == 3,
                                  .pol = pair ? 2 : 1,
                                  .tensor = raman > 1};
    set_slot(m, 0, kind > 1 ? POY_C128 : POY_F64, arg.pol * m->s.n_c, m->s.n);
    set_slot(m, 1, kind > 0 ? POY_C128 : POY_F64, arg.pol * m->s.n_c, m->s.n);
    set_slot(m, 2, POY_F64, (raman > 1 ? 3 : raman) * m->s.n_c, window ? 2 * m->s.n : m->s.n);
    set_slot(m, 3, POY_F64, window, m->s.n);
    set_slot(m, 4, POY_C128, kind == 2 || kind == 3, m->s.n);
    if (in_place && kind != 1)
        m->c->same[1] = 0;
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s%s%s%s%s", pair ? "pair, " : "", names[kind],
             raman > 1 ? ", tensor"
             : raman   ? ", Raman"
                       : "",
             window ? ", window" : "", m->c->same[1] == 0 ? ", in place" : "");
    describe(m, text);
    m->c->outputs = 1;
    random_scalars(m, 2);
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

enum { POINTS = 60 };

/* What a table of rates and its field have in common in the cases. */
static poy_row_plasma rates_of(int pol, int flag)
{
    return (poy_row_plasma){.pol = pol,
                            .flag = flag,
                            .points = POINTS,
                            .field_min = 0.2,
                            .step = 1.0 / POINTS,
                            .foot = 0.25,
                            .dt = 1e-3,
                            .drude = 0.7,
                            .potential = 0.4};
}

/* Fields of `columns` columns from below the foot of the table, in whole strips of it too, to above its end, a pulse in the
 * middle third; ln w = 8 - 4/E. */
static void fill_rates(const maker *m, const poy_row_plasma *arg, int field, int table, int64_t columns)
{
    const int stride = m->c->slot[field].dtype == POY_C128 ? 2 : 1;
    for (int64_t i = 0; i < columns * m->s.n; i++)
        m->c->data[field][stride * i] *= i % m->s.n * 3 / m->s.n == 1 ? 1.0 : 0.1;
    for (int64_t i = 0; i < POINTS; i++) {
        const double place = arg->field_min + (double)i * arg->step;
        m->c->data[table][2 * i] = 8.0 - 4.0 / place;
        m->c->data[table][2 * i + 1] = arg->step * 4.0 / (place * place);
    }
}

poy_status poyi_pulse_make_plasma(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int free = v >> 1 & 1, above = v >> 2 & 1, pairs = v % 3 == 1, pol = v % 5 > 2 ? 2 : 1;
    const int64_t taps = (v >> 3) % (POY_TAPS_MAX + 1), most = m->s.n - 1 < taps ? m->s.n - 1 : taps;
    const int held = v >> 3 > POY_TAPS_MAX ? 1 + (v & 1) : 0, window = !held && (v & 1);
    char text[64];
    if (!(*made = v >> 3 < 2 * (POY_TAPS_MAX + 1)))
        return POY_OK;
    poy_row_plasma arg = rates_of(pol, v % 3);
    arg.taps = (int)most;
    arg.window = window;
    arg.held = held;
    set_slot(m, 0, POY_F64, pol * m->s.n_c, m->s.n);
    set_slot(m, 1, POY_F64, 1, 3);
    set_slot(m, 2, pairs ? POY_C128 : POY_F64, pol * m->s.n_c, m->s.n);
    set_slot(m, 3, POY_F64, 1, (int64_t)2 * POINTS);
    set_slot(m, 4, POY_F64, window, m->s.n);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "K %d%s%s%s%s%s", arg.taps, pol > 1 ? ", two" : "", pairs ? ", pairs" : "",
             window ? ", window"
             : held ? held > 1 ? ", current alone" : ", current"
                    : "",
             free ? ", preionised" : "", above ? ", above" : "");
    describe(m, text);
    m->c->outputs = 3;
    random_scalars(m, 3);
    m->c->scalars[0] = above ? 1.5 : -0.9;
    m->c->scalars[2] = free ? 0.3 : 0.0;
    POYI_TRY(ctx, fill_slots(ctx, m));
    fill_rates(m, &arg, 2, 3, pol * m->s.n_c);
    return POY_OK;
}

/* The columns of P from one rule or two. */
poy_status poyi_pulse_make_cube(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int64_t modes = v < 2 ? m->s.n_c : m->s.n_c + 1;
    if (!(*made = v < 4))
        return POY_OK;
    set_slot(m, 0, POY_F64, (1 + v % 2) * modes, m->s.n);
    set_slot(m, 1, POY_F64, modes, m->s.n);
    set_slot(m, 2, POY_F64, (1 + v % 2) * modes, modes * (modes + 1) * (modes + 2) / 6);
    describe(m, v % 2 ? "two rules" : "one rule");
    m->c->outputs = 1;
    random_scalars(m, 1);
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

/* All modes of one sign at a time, and at no point of the other, so that the moduli of a field's terms add up to its own:
 * rates are no sums. */
static void fill_modes(const maker *m)
{
    double *A = m->c->data[2], *S = m->c->data[3];
    for (int64_t i = 0; i < m->s.n_c * m->s.n; i++)
        A[i] = A[i % m->s.n] < 0 ? -fabs(A[i]) : fabs(A[i]);
    for (int64_t i = 0; i < poyi_pulse_parts(&m->c->slot[3]); i++)
        S[i] = (0.3 + 0.7 * fabs(S[i])) / (double)m->s.n_c;
}

poy_status poyi_pulse_make_ionise(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int rules = 1 + (v & 1), free = v >> 1 & 1, above = v >> 2 & 1;
    char text[48];
    if (!(*made = v < 8))
        return POY_OK;
    const poy_row_ionise arg = rates_of(1, v % 3);
    set_slot(m, 0, POY_F64, rules * m->s.n_c, m->s.n);
    set_slot(m, 1, POY_F64, 1, 3);
    set_slot(m, 2, POY_F64, m->s.n_c, m->s.n);
    set_slot(m, 3, POY_F64, 5, m->s.n_c);
    set_slot(m, 4, POY_F64, 5, 2 * m->s.n_c);
    set_slot(m, 5, POY_F64, 1, (int64_t)2 * POINTS);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s%s%s", rules > 1 ? "two rules" : "one rule", free ? ", preionised" : "",
             above ? ", above" : "");
    describe(m, text);
    m->c->outputs = 3;
    random_scalars(m, 3);
    m->c->scalars[0] = above ? 1.5 : -0.9;
    m->c->scalars[2] = free ? 0.3 : 0.0;
    POYI_TRY(ctx, fill_slots(ctx, m));
    fill_modes(m);
    fill_rates(m, &arg, 2, 5, m->s.n_c);
    return POY_OK;
}

poy_status poyi_pulse_make_expose(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int pol = 1 + (v & 1), pairs = v >> 1 & 1, above = v >> 2 & 1;
    char text[48];
    if (!(*made = v < 8))
        return POY_OK;
    const poy_row_expose arg = rates_of(pol, v % 3);
    set_slot(m, 0, POY_F64, 1, 5);
    set_slot(m, 1, pairs ? POY_C128 : POY_F64, pol, m->s.n);
    set_slot(m, 2, POY_F64, 1, (int64_t)2 * POINTS);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s%s%s", pol > 1 ? "two" : "one", pairs ? ", pairs" : "", above ? ", above" : "");
    describe(m, text);
    m->c->outputs = 1;
    random_scalars(m, 1);
    m->c->scalars[0] = above ? 1.5 : -0.9;
    POYI_TRY(ctx, fill_slots(ctx, m));
    fill_rates(m, &arg, 1, 2, pol);
    return POY_OK;
}

poy_status poyi_pulse_make_absorb(poy_ctx *ctx, const maker *m, int v, int *made)
{
    if (!(*made = v < 3))
        return POY_OK;
    set_slot(m, 0, v == 0 ? POY_C128 : POY_F64, m->s.n_c, m->s.n);
    set_slot(m, 1, v == 2 ? POY_F64 : POY_C128, m->s.n_c, m->s.n);
    set_slot(m, 2, POY_F64, 1, m->s.n);
    describe(m, v == 0 ? "" : v == 1 ? "real part" : "reals");
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

/* Projections by two rules that are close to each other, and such that are not. */
poy_status poyi_pulse_make_score(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int half = v & 1, close = v >> 1;
    if (!(*made = v < 4))
        return POY_OK;
    const poy_row_score arg = {.at = 1 + half, .layout = half ? POY_LAYOUT_HALF : POY_LAYOUT_ENVELOPE};
    set_slot(m, 0, POY_F64, 1, 5);
    set_slot(m, 1, POY_C128, 2 * m->s.n_c, m->s.n);
    set_slot(m, 2, POY_F64, m->s.n_c, m->s.n_w);
    set_arg(m, &arg, sizeof arg);
    describe(m, half ? close ? "half, close" : "half" : close ? "close" : "");
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    const int64_t parts = 2 * m->s.n_c * m->s.n;
    for (int64_t k = 0; close && k < parts; k++)
        m->c->data[1][parts + k] = m->c->data[1][k] + 1e-4 * m->c->data[1][parts + k];
    return POY_OK;
}

poy_status poyi_pulse_make_matmul(poy_ctx *ctx, const maker *m, int v, int *made)
{
    static const int points[] = {1, 6, 33};
    const int complex_x = v & 1, transposed = v >> 1 & 1, accumulate = v >> 2 & 1, longer = transposed && v % 3 == 0;
    char text[48];
    if (!(*made = v < 24))
        return POY_OK;
    const poy_row_matmul arg = {.transposed = transposed, .accumulate = accumulate};
    const poy_dtype dtype = complex_x ? POY_C128 : POY_F64;
    const int64_t n = points[v >> 3], few = m->s.n_c, to = transposed ? few : n, from = transposed ? n : few;
    set_slot(m, 0, dtype, to, m->s.n);
    set_slot(m, 1, dtype, from, m->s.n);
    set_slot(m, 2, POY_F64, transposed ? from : to, transposed ? (longer ? 2 * to : to) : from);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s%s%s, %d points", complex_x ? "c128" : "f64", transposed ? ", transposed" : "",
             accumulate ? ", added" : "", (int)n);
    describe(m, text);
    m->c->outputs = 1;
    return fill_slots(ctx, m);
}
