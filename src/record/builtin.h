/* builtin.h: the built-in records, and what several of them use. */
#ifndef POYI_BUILTIN_H
#define POYI_BUILTIN_H

#include "core/cmplx.h"
#include "record/record.h"

/* One for each row of records.def, which fills in names, declarations and text. */
#define POY_RECORD(name, in, out, text) extern const poy_rec_op poyi_record_##name;
#include "poynting/records.def"
#undef POY_RECORD

typedef double complex poyi_z;

/* Element i of data, as a complex number; and back, where f64 keeps the real part. */
static inline poyi_z poyi_rec_get(const poy_rec_array *a, int64_t i)
{
    const double *x = a->data;
    return a->spec.dtype == POY_C128 ? CMPLX(x[2 * i], x[2 * i + 1]) : CMPLX(x[i], 0.0);
}

static inline void poyi_rec_put(const poy_rec_array *a, int64_t i, poyi_z z)
{
    double *x = a->data;
    if (a->spec.dtype == POY_C128) {
        x[2 * i] = creal(z);
        x[2 * i + 1] = cimag(z);
    } else {
        x[i] = creal(z);
    }
}

/* Copies a's elements, or sets zeros where from has no data. */
void poyi_rec_copy(const poy_rec_array *from, const poy_rec_array *to);
/* "element 3" or "element [1,0]", for messages. */
enum { POYI_INDEX_TEXT = 200 };
void poyi_rec_index(const poy_rec_spec *spec, int64_t i, size_t size, char *out);
/* Fails with POY_ERR_NONFINITE at the first element that is not finite. */
poy_status poyi_rec_finite(poy_ctx *ctx, const char *who, const char *name, const poy_rec_array *a);
/* Every element uniform in (-1, 1): what a record without a sample function is checked with. */
void poyi_rec_sample(uint64_t seed, int n_in, const poy_rec_array *in);
/* The one input, or the two, in (0.5, 1.5) and, imaginary parts, (-1, 1): away from 0 and from branch cuts. */
poy_status poyi_rec_sample_one(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in);
poy_status poyi_rec_sample_two(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in);

/* ---- eigenvectors ---- */

/* Vectors as columns of a matrix [n, k] that is only read. */
typedef struct poyi_rec_columns {
    poy_dtype dtype;
    int64_t n, k;
    const void *data;
} poyi_rec_columns;
/* The first row whose entry of column j of v [n, k] is as large as any, to rounding. */
int64_t poyi_rec_largest_row(const poy_rec_array *v, int64_t j);
/* Column j to length 1, its largest entry real and positive. Returns that entry's row. */
int64_t poyi_rec_fix_column(const poy_rec_array *v, int64_t j);
/* u + c v for column j: a tangent that keeps the gauge. Re(v^H dv) = 0 and Im dv = 0 at the largest entry, of row. */
void poyi_rec_keep_gauge(const poyi_rec_columns *v, int64_t row, int64_t j, const poy_rec_array *u);
/* The adjoint of that on column j of g. */
void poyi_rec_pull_gauge(const poyi_rec_columns *v, int64_t row, int64_t j, const poy_rec_array *g);
/* to = (a + a^H) / 2; to may be a. */
void poyi_rec_hermitian_part(const poy_rec_array *a, const poy_rec_array *to);

/* ---- over an axis ---- */

/* An array as [outer, length, inner] around one of its axes; all of it is one axis, too. */
typedef struct poyi_axis {
    int64_t outer, length, inner;
} poyi_axis;
void poyi_rec_split(const poy_rec_spec *x, int axis, poyi_axis *out); /* axis -1: all */
/* y [outer, inner] = sum over length of x, pairwise: the error grows as log2 of the length. y may be x. */
void poyi_rec_sum(poy_dtype dtype, const poyi_axis *a, const double *x, double *y);

/* The option "axis" of sum and norm. */
typedef struct poyi_axis_config {
    int all, axis; /* axis: negative from the end */
} poyi_axis_config;
extern const poy_rec_option poyi_rec_axis_options[1];
poy_status poyi_rec_axis_open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config);
poy_status poyi_rec_axis_infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                               poy_rec_size *size);
int poyi_rec_axis(const void *config, const poy_rec_spec *x); /* -1: all */

#endif
