/* pulse_cases.c: the cases of the rows of programs: for each row its variants, each on a list of shapes, with random
 * contents that are a pure function of seed, row, case and place. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conform/rows/pulse_make.h"

static const shape shapes[] = {{1, 1, 1},     {2, 3, 1},       {7, 7, 2},       {7, 13, 3},        {64, 64, 1},
                               {257, 300, 2}, {1000, 2048, 1}, {8195, 8195, 1}, {70001, 70003, 1}, {20000, 40000, 4}};
enum { SHAPES = sizeof shapes / sizeof *shapes, LARGE = SHAPES - 2, EVERY = 4 };

/* Shapes of many elements are for every fourth variant. */
static shape shape_of(int index)
{
    const shape other = {33, 48, 2};
    return index % SHAPES >= LARGE && index / SHAPES % EVERY ? other : shapes[index % SHAPES];
}

/* Between 0 and 1, a few of them 0. */
static void make_weights(const maker *m, int i)
{
    for (int64_t k = 0; k < poyi_pulse_parts(&m->c->slot[i]); k++)
        m->c->data[i][k] = k % 11 == 3 ? 0.0 : fabs(m->c->data[i][k]);
}

/* Phases without loss, or moduli down to least. */
static void make_propagators(const maker *m, int i, int lossless, double least)
{
    for (int64_t k = 0; k < poyi_pulse_parts(&m->c->slot[i]); k += 2) {
        double *e = m->c->data[i] + k, phase = 10.0 * e[0], modulus = lossless ? 1.0 : pow(least, fabs(e[1]));
        e[0] = modulus * cos(phase);
        e[1] = modulus * sin(phase);
    }
}

/* ---- rows: each makes variant number v, or says that there is none ---- */

poy_status poyi_pulse_make_propagators(poy_ctx *ctx, const maker *m, int v, int *made)
{
    static const poy_row_propagators variants[] = {{1, 5, 1, 1}, {1, 5, 1, 0}, {1, 5, 0, 1}, {1, 5, 0, 0},
                                                   {3, 5, 0, 1}, {3, 5, 0, 0}, {1, 1, 0, 1}, {2, 1, 0, 0}};
    static const double c[] = {1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0};
    static const char *const names[] = {"powers",  "powers, loss",  "direct", "direct, loss",
                                        "3 terms", "3 terms, loss", "end",    "end of 2 terms, loss"};
    if (!(*made = v < (int)(sizeof variants / sizeof *variants)))
        return POY_OK;
    const poy_row_propagators *arg = &variants[v];
    set_slot(m, 0, POY_C128, arg->positions * m->s.n_c, m->s.n_w);
    set_slot(m, 1, POY_C128, arg->n_term * m->s.n_c, m->s.n_w);
    set_arg(m, arg, sizeof *arg);
    describe(m, names[v]);
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    for (int64_t k = 0; k < poyi_pulse_parts(&m->c->slot[1]); k += 2) {
        m->c->data[1][k] = arg->lossless ? 0.0 : -3.0 * fabs(m->c->data[1][k]);
        m->c->data[1][k + 1] *= k % 4 ? 1e5 : 10.0;
    }
    random_scalars(m, arg->positions * arg->n_term);
    if (arg->n_term == 1)
        for (int p = 0; p < arg->positions; p++)
            m->c->scalars[p] = 0.037 * (arg->positions == 1 ? 1.0 : c[p]);
    return POY_OK;
}

poy_status poyi_pulse_make_combine(poy_ctx *ctx, const maker *m, int v, int *made)
{
    enum { MODES = 5, LAYOUTS = 2 };
    static const int propagate[MODES] = {0, 1, 0, 1, 1}, noise[MODES] = {0, 0, 1, 1, 1},
                     lossless[MODES] = {0, 1, 0, 1, 0};
    const int terms = v % (POY_STAGES + 1), mode = v / (POY_STAGES + 1) % MODES, half = v / (POY_STAGES + 1) / MODES;
    char text[48];
    if (!(*made = half < LAYOUTS))
        return POY_OK;
    poy_row_combine arg = {.m = terms,
                           .position = propagate[mode] ? terms % POY_POSITIONS : -1,
                           .noise = noise[mode],
                           .lossless = lossless[mode],
                           .scale = 0.3,
                           .layout = half ? POY_LAYOUT_HALF : POY_LAYOUT_ENVELOPE};
    for (int j = 0; j < terms; j++)
        arg.k[j] = (3 * j + terms) % POY_STAGES;
    set_slot(m, 0, POY_C128, m->s.n_c, m->s.n);
    set_slot(m, 1, POY_C128, m->s.n_c, m->s.n_w);
    set_slot(m, 2, POY_C128, terms ? POY_STAGES * m->s.n_c : 0, m->s.n_w);
    set_slot(m, 3, POY_C128, propagate[mode] ? POY_POSITIONS * m->s.n_c : 0, m->s.n_w);
    set_slot(m, 4, POY_C128, noise[mode] ? m->s.n_c : 0, m->s.n_w);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "m %d, mode %d%s", terms, mode, half ? ", half" : "");
    describe(m, text);
    m->c->outputs = 1;
    random_scalars(m, terms);
    POYI_TRY(ctx, fill_slots(ctx, m));
    if (propagate[mode])
        make_propagators(m, 3, lossless[mode], 1e-200);
    return POY_OK;
}

poy_status poyi_pulse_make_terms_sum(poy_ctx *ctx, const maker *m, int v, int *made)
{
    static const int terms[] = {1, 2, 7};
    char text[48];
    if (!(*made = v < 6))
        return POY_OK;
    const poy_dtype dtype = v & 1 ? POY_C128 : POY_F64;
    set_slot(m, 0, dtype, m->s.n_c, m->s.n_w);
    set_slot(m, 1, dtype, terms[v >> 1] * m->s.n_c, m->s.n_w);
    snprintf(text, sizeof text, "%s, %d terms", v & 1 ? "c128" : "f64", terms[v >> 1]);
    describe(m, text);
    m->c->outputs = 1;
    random_scalars(m, terms[v >> 1]);
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

poy_status poyi_pulse_make_finish(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int complex_g = v & 1, absorb = v >> 1 & 1, mode = (v >> 2) % 3, half = (v >> 2) / 3;
    char text[48];
    if (!(*made = half < 2))
        return POY_OK;
    const poy_row_finish arg = {.stage = v % POY_STAGES,
                                .position = mode ? v % POY_POSITIONS : -1,
                                .complex_g = complex_g,
                                .lossless = mode == 1,
                                .absorb = absorb,
                                .layout = half ? POY_LAYOUT_HALF : POY_LAYOUT_ENVELOPE};
    set_slot(m, 0, POY_C128, POY_STAGES * m->s.n_c, m->s.n_w);
    set_slot(m, 1, POY_C128, m->s.n_c, m->s.n);
    set_slot(m, 2, complex_g ? POY_C128 : POY_F64, m->s.n_c, m->s.n_w);
    set_slot(m, 3, POY_C128, mode ? POY_POSITIONS * m->s.n_c : 0, m->s.n_w);
    set_slot(m, 4, POY_C128, absorb ? m->s.n_c : 0, m->s.n);
    set_slot(m, 5, POY_F64, absorb, m->s.n_w);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s G, %s%s%s", complex_g ? "complex" : "real",
             mode == 0   ? "no propagator"
             : mode == 1 ? "lossless"
                         : "loss",
             absorb ? ", absorber" : "", half ? ", half" : "");
    describe(m, text);
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    if (mode)
        make_propagators(m, 3, mode == 1, 1e-200);
    return POY_OK;
}

poy_status poyi_pulse_make_accept(poy_ctx *ctx, const maker *m, int v, int *made)
{
    enum { FAULTS = 4 }; /* none, in u, in the block that only the error has, weighted by nothing */
    const int stages = v & 1, weights = v >> 1 & 1, fault = v >> 2;
    char text[48];
    if (!(*made = fault < FAULTS))
        return POY_OK;
    const poy_row_accept arg = {.weights = weights};
    set_slot(m, 0, POY_C128, m->s.n_c, m->s.n_w);
    set_slot(m, 1, POY_F64, 1, POY_REPORT);
    set_slot(m, 2, POY_C128, m->s.n_c, m->s.n_w);
    set_slot(m, 3, POY_C128, stages ? POY_STAGES * m->s.n_c : 0, m->s.n_w);
    set_slot(m, 4, POY_C128, (stages ? POY_POSITIONS : 1) * m->s.n_c, m->s.n_w);
    set_slot(m, 5, POY_F64, weights, m->s.n_w);
    set_arg(m, &arg, sizeof arg);
    snprintf(text, sizeof text, "%s%s%s", stages ? "stages" : "linear", weights ? ", weights" : "",
             fault ? ", not finite" : "");
    describe(m, text);
    m->c->outputs = 3;
    random_scalars(m, stages ? 2 * POY_ERROR_BLOCKS : 0);
    POYI_TRY(ctx, fill_slots(ctx, m));
    make_propagators(m, 4, 0, 0.5);
    if (weights)
        make_weights(m, 5);
    const int64_t parts = poyi_pulse_parts(&m->c->slot[2]);
    if (stages) /* b_7 = 0 */
        m->c->scalars[POY_ERROR_BLOCKS - 1] = 0.0;
    if (fault == 1)
        m->c->data[2][parts - 1] = NAN;
    if (fault == 2 && stages)
        m->c->data[3][(POY_STAGES - 1) * parts + parts / 2] = INFINITY;
    if (fault == 3) {
        m->c->data[2][parts / 3] = -INFINITY;
        if (weights)
            memset(m->c->data[5], 0, (size_t)m->s.n_w * sizeof(double));
    }
    return POY_OK;
}

poy_status poyi_pulse_make_advance(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int recycle = v & 1, noise = (v >> 1) % 3;
    if (!(*made = v < 6))
        return POY_OK;
    const poy_row_advance arg = {.noise = noise > 0, .lossless = noise == 2};
    set_slot(m, 0, POY_C128, m->s.n_c, m->s.n_w);
    set_slot(m, 1, POY_C128, recycle ? POY_STAGES * m->s.n_c : 0, m->s.n_w);
    set_slot(m, 2, POY_C128, m->s.n_c, m->s.n_w);
    set_slot(m, 3, POY_C128, recycle || noise ? POY_POSITIONS * m->s.n_c : 0, m->s.n_w);
    set_slot(m, 4, POY_C128, noise ? m->s.n_c : 0, m->s.n_w);
    set_arg(m, &arg, sizeof arg);
    describe(m, noise == 0 ? "no noise" : noise == 1 ? "noise, loss" : "noise");
    m->c->outputs = 1 | 2 | 16;
    POYI_TRY(ctx, fill_slots(ctx, m));
    if (recycle || noise)
        make_propagators(m, 3, noise == 2, 1e-200);
    return POY_OK;
}

static poy_status make_in_place(poy_ctx *ctx, const maker *m, int v, int *made, int scalars)
{
    if (!(*made = v < 2))
        return POY_OK;
    set_slot(m, 0, v ? POY_F64 : POY_C128, m->s.n_c, m->s.n);
    set_slot(m, 1, POY_F64, 1, m->s.n);
    describe(m, v ? "reals" : "");
    m->c->outputs = 1;
    random_scalars(m, scalars);
    POYI_TRY(ctx, fill_slots(ctx, m));
    make_weights(m, 1);
    return POY_OK;
}

poy_status poyi_pulse_make_taper(poy_ctx *ctx, const maker *m, int v, int *made)
{
    return make_in_place(ctx, m, v, made, 1);
}

poy_status poyi_pulse_make_window(poy_ctx *ctx, const maker *m, int v, int *made)
{
    return make_in_place(ctx, m, v, made, 0);
}

poy_status poyi_pulse_make_crop(poy_ctx *ctx, const maker *m, int v, int *made)
{
    if (!(*made = v < 2))
        return POY_OK;
    const poy_row_crop arg = {.layout = v ? POY_LAYOUT_HALF : POY_LAYOUT_ENVELOPE};
    set_slot(m, 0, POY_C128, m->s.n_c, m->s.n_w);
    set_slot(m, 1, POY_C128, m->s.n_c, m->s.n);
    set_slot(m, 2, POY_F64, 1, m->s.n_w);
    set_arg(m, &arg, sizeof arg);
    describe(m, v ? "half" : "envelope");
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

poy_status poyi_pulse_make_fft(poy_ctx *ctx, const maker *m, int v, int *made)
{
    static const poy_row_fft variants[] = {{POY_FFT_C2C, -1}, {POY_FFT_C2C, 1},  {POY_FFT_C2C, -1},
                                           {POY_FFT_C2C, 1},  {POY_FFT_R2C, -1}, {POY_FFT_C2R, 1}};
    static const char *const names[] = {"forward",           "backward",   "forward in place",
                                        "backward in place", "from reals", "to reals"};
    if (!(*made = v < (int)(sizeof variants / sizeof *variants)))
        return POY_OK;
    const poy_fft_kind kind = variants[v].kind;
    const int64_t half = m->s.n / 2 + 1;
    set_slot(m, 0, kind == POY_FFT_C2R ? POY_F64 : POY_C128, m->s.n_c, kind == POY_FFT_R2C ? half : m->s.n);
    set_slot(m, 1, kind == POY_FFT_R2C ? POY_F64 : POY_C128, m->s.n_c, kind == POY_FFT_C2R ? half : m->s.n);
    set_arg(m, &variants[v], sizeof variants[v]);
    describe(m, names[v]);
    m->c->outputs = 1;
    if (v == 2 || v == 3)
        m->c->same[1] = 0;
    if (kind == POY_FFT_C2R)
        m->c->spoiled = 2;
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

poy_status poyi_pulse_make_mul(poy_ctx *ctx, const maker *m, int v, int *made)
{
    const int x = v & 1, y = v >> 1 & 1, broadcast = v >> 2 & 1, in_place = v >> 3 & 1;
    char text[48];
    if (!(*made = v < 16))
        return POY_OK;
    set_slot(m, 0, x || y ? POY_C128 : POY_F64, m->s.n_c, m->s.n);
    set_slot(m, 1, x ? POY_C128 : POY_F64, m->s.n_c, m->s.n);
    set_slot(m, 2, y ? POY_C128 : POY_F64, broadcast ? 1 : m->s.n_c, m->s.n);
    if (in_place && m->c->slot[0].dtype == m->c->slot[1].dtype)
        m->c->same[1] = 0;
    snprintf(text, sizeof text, "%s %s%s%s", x ? "c128" : "f64", y ? "c128" : "f64", broadcast ? ", one column" : "",
             m->c->same[1] == 0 ? ", in place" : "");
    describe(m, text);
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

poy_status poyi_pulse_make_copy(poy_ctx *ctx, const maker *m, int v, int *made)
{
    if (!(*made = v < 2))
        return POY_OK;
    set_slot(m, 0, v ? POY_C128 : POY_F64, m->s.n_c, m->s.n);
    set_slot(m, 1, v ? POY_C128 : POY_F64, m->s.n_c, m->s.n);
    describe(m, v ? "c128" : "f64");
    m->c->outputs = 1;
    POYI_TRY(ctx, fill_slots(ctx, m));
    return POY_OK;
}

/* ---- the table ---- */

typedef struct row_cases {
    const char *row;
    double tolerance;
    poyi_pulse_make *make;
} row_cases;

/* matmul: a sum of up to 33 products, each with a rounding of its own. mul: as in ops.def. fft: see pulse_judge.c. */
static const row_cases rows[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) {#name, tol, poyi_pulse_make_##name},
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    {"fft", 1, poyi_pulse_make_fft},
    {"mul", 8, poyi_pulse_make_mul},
    {"copy", 0, poyi_pulse_make_copy},
    {"matmul", 40, poyi_pulse_make_matmul},
};

int poyi_pulse_row_count(void)
{
    return (int)(sizeof rows / sizeof *rows);
}

const char *poyi_pulse_row_name(int row)
{
    return rows[row].row;
}

double poyi_pulse_row_tolerance(int row)
{
    return rows[row].tolerance;
}

poy_status poyi_pulse_case_make(poy_ctx *ctx, int row, int index, uint64_t seed, poyi_pulse_case *c, int *made)
{
    *c = (poyi_pulse_case){.row = rows[row].row};
    for (int i = 0; i < POY_STEP_BUFFERS; i++)
        c->same[i] = -1;
    const int used = snprintf(c->name, sizeof c->name, "row:%s.%d.%llu: ", c->row, index, (unsigned long long)seed);
    const maker m = {.c = c,
                     .s = shape_of(index),
                     .seed = seed,
                     .stream = (uint64_t)row << 32 | (uint64_t)index,
                     .text = c->name + used,
                     .size = sizeof c->name - (size_t)used};
    poy_status status = rows[row].make(ctx, &m, index / SHAPES, made);
    if (status != POY_OK)
        poyi_pulse_case_fini(c);
    POYI_TRY(ctx, status);
    return POY_OK;
}

void poyi_pulse_case_fini(poyi_pulse_case *c)
{
    for (int i = 0; i < POY_STEP_BUFFERS; i++)
        poyi_free((void **)&c->data[i]);
}
