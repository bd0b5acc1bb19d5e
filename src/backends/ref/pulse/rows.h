/* rows.h: the rows of programs in the reference: one entry and one file each, in plain C from the formula of
 * pulse_rows.h. A step's plan is a copy of what prepare was told, in the step's scratch. */
#ifndef POYI_REF_PULSE_ROWS_H
#define POYI_REF_PULSE_ROWS_H

#include <complex.h>
#include <math.h>
#include <string.h>

#include "backends/ref/ref.h"
#include "poynting/pulse_rows.h"

typedef poy_status poyi_ref_row_prepare(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work,
                                        poy_step *step, size_t *work_bytes);
#define POY_PULSE_ROW(name, signature, linear, tol, text) poyi_ref_row_prepare poyi_ref_prepare_##name;
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
poyi_ref_row_prepare poyi_ref_prepare_fft, poyi_ref_prepare_mul, poyi_ref_prepare_copy, poyi_ref_prepare_matmul;

typedef poy_status poyi_ref_run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars);

/* What prepare does for a row that needs no more than its spec. */
static inline poy_status poyi_ref_keep(poyi_ref_run *run, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                       size_t *work_bytes)
{
    step->run = run;
    *work_bytes = sizeof *spec;
    if (work.mem) {
        step->plan = (unsigned char *)work.mem + work.offset;
        memcpy(step->plan, spec, sizeof *spec);
    }
    return POY_OK;
}

/* The same for a row that also needs numbers of scratch: behind its spec, aligned as memory is. */
enum { POYI_REF_HEAD = (sizeof(poy_row_spec) + 63) / 64 * 64 };
static inline poy_status poyi_ref_keep_scratch(poyi_ref_run *run, int64_t numbers, const poy_row_spec *spec,
                                               poy_buffer work, poy_step *step, size_t *work_bytes)
{
    const poy_status status = poyi_ref_keep(run, spec, work, step, work_bytes);
    *work_bytes = POYI_REF_HEAD + (size_t)numbers * sizeof(double);
    return status;
}
static inline double *poyi_ref_scratch(const poy_step *step)
{
    return (double *)(void *)((unsigned char *)step->plan + POYI_REF_HEAD);
}

/* The prepare of a row that needs no more than its spec. */
#define POYI_REF_ROW(name, run)                                                                           \
    poy_status poyi_ref_prepare_##name(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, \
                                       poy_step *step, size_t *work_bytes)                                \
    {                                                                                                     \
        (void)ctx, (void)be;                                                                              \
        return poyi_ref_keep(run, spec, work, step, work_bytes);                                          \
    }

static inline const poy_slot *poyi_ref_slot(const poy_step *step, int i)
{
    return &((const poy_row_spec *)step->plan)->slot[i];
}

/* The elements of buffer i; NULL for an absent one. */
static inline void *poyi_ref_data(const poy_step *step, int i)
{
    return step->buf[i].mem ? (unsigned char *)step->buf[i].mem + step->buf[i].offset : NULL;
}
static inline double complex *poyi_ref_c128(const poy_step *step, int i)
{
    return poyi_ref_data(step, i);
}
static inline double *poyi_ref_f64(const poy_step *step, int i)
{
    return poyi_ref_data(step, i);
}

/* Fine bin of bin w of the state: the first (n_w + 1)/2 bins stay, the last n_w/2 of an envelope go to the end. */
static inline int64_t poyi_ref_fine_bin(poy_layout layout, int64_t w, int64_t n_w, int64_t n)
{
    return layout == POY_LAYOUT_HALF || w < (n_w + 1) / 2 ? w : w + n - n_w;
}

/* The ionisation rate at |E|: Hermite's cubic of ln w between two points of the table. */
static inline double poyi_ref_rate(const poy_row_plasma *arg, const double *T, double field)
{
    const double x = (field - arg->field_min) / arg->step;
    if (!(field >= arg->foot) || !(x >= 0))
        return 0;
    if (x >= (double)(arg->points - 1))
        return exp(T[2 * (arg->points - 1)]);
    const int64_t i = (int64_t)x;
    const double t = x - (double)i, s = 1 - t, *p = T + 2 * i;
    return exp((1 + 2 * t) * s * s * p[0] + t * s * s * p[1] + t * t * (3 - 2 * t) * p[2] - t * t * s * p[3]);
}

/* The row plasma at one point, of as many components as it has; component i of y and X is `apart` samples from the first,
 * samples of X every stride numbers; scratch for 6 n numbers. Returns the largest |E|. */
typedef struct poyi_ref_point {
    double *y;
    const double *X;
    int64_t apart, stride;
} poyi_ref_point;
double poyi_ref_electrons(const poy_row_plasma *arg, const double s[3], int64_t n, const poyi_ref_point *p,
                          const double *T, const double *W, double *scratch);

static inline double poyi_ref_abs2(double complex z)
{
    return creal(z) * creal(z) + cimag(z) * cimag(z);
}

#endif
