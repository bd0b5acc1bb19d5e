/* pulse_make.h: what makes the cases of rows: the place of a case, its slots, arguments and contents. */
#ifndef POYI_CONFORM_PULSE_MAKE_H
#define POYI_CONFORM_PULSE_MAKE_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conform/rows/pulse.h"
#include "core/core.h"

/* Bins of the state, samples of the fine grid, columns. */
typedef struct shape {
    int64_t n_w, n, n_c;
} shape;

typedef struct maker {
    poyi_pulse_case *c;
    shape s;
    uint64_t seed, stream;
    char *text; /* where the variant is described */
    size_t size;
} maker;

static inline double uniform(const maker *m, int slot, int64_t i)
{
    double pair[2];
    poy_random_uniform2(m->seed, m->stream, (uint64_t)slot << 40 | (uint64_t)i, pair);
    return pair[0];
}

/* ---- slots ---- */

static inline void set_slot(const maker *m, int i, poy_dtype dtype, int64_t cols, int64_t len)
{
    m->c->slot[i] = (poy_slot){dtype, cols, len};
    if (m->c->n_slots <= i)
        m->c->n_slots = i + 1;
}

static inline void set_arg(const maker *m, const void *arg, size_t bytes)
{
    memcpy(m->c->arg, arg, bytes);
    m->c->arg_bytes = bytes;
}

static inline void describe(const maker *m, const char *variant)
{
    snprintf(m->text, m->size, "%s%s%lld of %lld, %lld columns", variant, *variant ? "; " : "", (long long)m->s.n_w,
             (long long)m->s.n, (long long)m->s.n_c);
}

/* n scalars between -1 and 1. */
static inline void random_scalars(const maker *m, int n)
{
    m->c->n_scalars = n;
    for (int i = 0; i < n; i++)
        m->c->scalars[i] = 2.0 * uniform(m, POY_STEP_BUFFERS, i) - 1.0;
}

static inline poy_status fill_slots(poy_ctx *ctx, const maker *m)
{
    poyi_pulse_case *c = m->c;
    for (int i = 0; i < c->n_slots; i++) {
        const int64_t parts = poyi_pulse_parts(&c->slot[i]);
        if (c->same[i] >= 0 || !parts)
            continue;
        POYI_TRY(ctx, poyi_alloc(ctx, "conform", (size_t)parts * sizeof(double), (void **)&c->data[i]));
        for (int64_t k = 0; k < parts; k++)
            c->data[i][k] = 2.0 * uniform(m, i, k) - 1.0;
    }
    return POY_OK;
}

/* Each makes variant number v, or says that there is none. */
typedef poy_status poyi_pulse_make(poy_ctx *ctx, const maker *m, int v, int *made);
#define POY_PULSE_ROW(name, signature, linear, tol, text) poyi_pulse_make poyi_pulse_make_##name;
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
poyi_pulse_make poyi_pulse_make_fft, poyi_pulse_make_mul, poyi_pulse_make_copy, poyi_pulse_make_matmul;

#endif
