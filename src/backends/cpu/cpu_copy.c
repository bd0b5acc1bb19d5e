/* cpu_copy.c: fill, and copy with casts, of the CPU backend. Compiled once for each element type of the source (POY_DTYPE)
 * and instruction set (POY_ISA); the object's one symbol is poyi_cpu_copy_<isa>_<dtype>. */
#include <string.h>

#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"

typedef struct pair_f32 {
    float re, im;
} pair_f32;
typedef struct pair_f64 {
    double re, im;
} pair_f64;

/* ---- casts of one element ---- */

static inline pair_f32 to_c64(T x)
{
    return (pair_f32){(float)t_re(x), (float)t_im(x)};
}
static inline pair_f64 to_c128(T x)
{
    return (pair_f64){(double)t_re(x), (double)t_im(x)};
}
#if !POY_COMPLEX
static inline float to_f32(T x)
{
    return (float)x;
}
static inline double to_f64(T x)
{
    return (double)x;
}
/* Towards zero; beyond the range the nearest end; NaN becomes 0. */
static inline int32_t to_i32(T x)
{
#if POY_FLOATING
    return r_is_nan(x) ? 0 : x >= (real)0x1p31 ? INT32_MAX : x < -(real)0x1p31 ? INT32_MIN : (int32_t)x;
#elif POY_DTYPE == 5
    return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
#else
    return (int32_t)x;
#endif
}
static inline int64_t to_i64(T x)
{
#if POY_FLOATING
    return r_is_nan(x) ? 0 : x >= (real)0x1p63 ? INT64_MAX : x < -(real)0x1p63 ? INT64_MIN : (int64_t)x;
#else
    return (int64_t)x;
#endif
}
/* NaN is not 0. */
static inline unsigned char to_b8(T x)
{
    return x != 0;
}
#endif

/* ---- runs ---- */

#define RUN(to, Y)                                                                    \
    static void run_##to(void *const p[4], const int64_t s[4], int64_t n)             \
    {                                                                                 \
        const T *x = p[0];                                                            \
        Y *y = p[1];                                                                  \
        const int64_t sx = s[0], sy = s[1];                                           \
        if (sx == 1 && sy == 1) {                                                     \
            _Pragma("omp simd") for (int64_t i = 0; i < n; i++) y[i] = to_##to(x[i]); \
        } else {                                                                      \
            for (int64_t i = 0; i < n; i++)                                           \
                y[i * sy] = to_##to(x[i * sx]);                                       \
        }                                                                             \
    }

RUN(c64, pair_f32)
RUN(c128, pair_f64)
#if !POY_COMPLEX
RUN(f32, float)
RUN(f64, double)
RUN(i32, int32_t)
RUN(i64, int64_t)
RUN(b8, unsigned char)
#endif

/* The same type: bits are moved. */
static void run_same(void *const p[4], const int64_t s[4], int64_t n)
{
    const T *x = p[0];
    T *y = p[1];
    const int64_t sx = s[0], sy = s[1];
    if (sx == 1 && sy == 1) {
        memmove(y, x, (size_t)n * sizeof *y);
    } else if (sx == 0 && sy == 1) {
        const T value = x[0];
        for (int64_t i = 0; i < n; i++)
            y[i] = value;
    } else {
        for (int64_t i = 0; i < n; i++)
            y[i * sy] = x[i * sx];
    }
}

static poyi_cpu_run *run_for(poy_dtype to)
{
    /* clang-format off */
    static poyi_cpu_run *const runs[POY_DTYPE_COUNT] = {
        [POY_C64] = run_c64, [POY_C128] = run_c128,
#if !POY_COMPLEX
        [POY_F32] = run_f32, [POY_F64] = run_f64, [POY_I32] = run_i32, [POY_I64] = run_i64, [POY_B8] = run_b8,
#endif
    };
    /* clang-format on */
    return to == (poy_dtype)POY_DTYPE ? run_same : runs[to];
}

/* ---- transposes: y dense along its last axis, x along another one ---- */

enum { TILE = 16 };

/* Places rows x columns at (row, column) of both: x runs along rows, y along columns. */
static void copy_tile(const T *x, int64_t x_step, T *y, int64_t y_step, int64_t rows, int64_t columns)
{
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < columns; j++)
            y[i * y_step + j] = x[i + j * x_step];
}

/* The axis along which x is dense where y is not; -1: there is none. */
static int crossing_axis(const poy_tensor *x, const poy_tensor *y)
{
    int last = y->rank - 1;
    if (x->dtype != y->dtype || last == 0 || y->stride[last] != 1 || x->stride[last] == 1 || x->stride[last] == 0)
        return -1;
    for (int i = 0; i < last; i++)
        if (x->stride[i] == 1 && y->extent[i] >= TILE && y->extent[last] >= TILE)
            return i;
    return -1;
}

/* Bands of TILE rows, those of a block after those of the block before. */
typedef struct crossing {
    poy_tensor from, to; /* the other axes: extent 1 where the tiles run */
    int axis;
    int64_t rows, columns, bands; /* of a block */
} crossing;

static void copy_bands(const void *work, int64_t begin, int64_t end)
{
    const crossing *w = work;
    const int last = w->to.rank - 1;
    const int64_t step = w->from.stride[last], row_step = w->to.stride[w->axis];
    for (int64_t band = begin; band < end; band++) {
        const int64_t block = band / w->bands, first = band % w->bands * TILE;
        const int64_t height = w->rows - first < TILE ? w->rows - first : TILE;
        const T *from = (const T *)w->from.mem + w->from.offset + poyi_cpu_place(&w->from, 0, last, block) + first;
        T *to = (T *)w->to.mem + w->to.offset + poyi_cpu_place(&w->to, 0, last, block) + first * row_step;
        for (int64_t j = 0; j < w->columns; j += TILE)
            copy_tile(from + j * step, step, to + j, row_step, height, w->columns - j < TILE ? w->columns - j : TILE);
    }
}

static void copy_crossing(poy_ctx *ctx, const poy_tensor *x, const poy_tensor *y, int axis)
{
    const int last = y->rank - 1;
    const int64_t rows = y->extent[axis], columns = y->extent[last];
    int64_t blocks = 1;
    crossing w = {
        .from = *x, .to = *y, .axis = axis, .rows = rows, .columns = columns, .bands = (rows + TILE - 1) / TILE};
    w.from.extent[axis] = w.from.extent[last] = w.to.extent[axis] = w.to.extent[last] = 1;
    for (int i = 0; i < last; i++)
        blocks *= w.to.extent[i];
    poyi_cpu_share(poyi_cpu_team(ctx, blocks * rows * columns), blocks * w.bands, copy_bands, &w);
}

/* ---- the list ---- */

static poy_status op_copy(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int axis = crossing_axis(x, y);
    (void)be;
    if (axis >= 0)
        copy_crossing(ctx, x, y, axis);
    else
        poyi_cpu_walk(ctx, POYI_CPU_MEMORY, 2, t, run_for(y->dtype));
    return POY_OK;
}

/* A value of the host as an element. */
static T element_of(poy_scalar v)
{
#if POY_COMPLEX
    return t_make((real)v.re, (real)v.im);
#elif POY_FLOATING
    return (T)v.re;
#elif POY_DTYPE == 6
    return v.re != 0 || v.im != 0;
#else
    const double end = POY_DTYPE == 4 ? 0x1p31 : 0x1p63;
    const T most = POY_DTYPE == 4 ? (T)INT32_MAX : (T)INT64_MAX;
    return v.re >= end ? most : v.re < -end ? (T)(-most - 1) : (T)v.re; /* the front end refuses NaN */
#endif
}

static poy_status op_fill(poy_ctx *ctx, void *be, poy_scalar value, const poy_tensor *y)
{
    T element = element_of(value);
    poy_tensor x = *y; /* the one element, everywhere */
    x.mem = &element;
    x.offset = 0;
    for (int i = 0; i < x.rank; i++)
        x.stride[i] = 0;
    const poy_tensor *const t[2] = {&x, y};
    (void)be;
    poyi_cpu_walk(ctx, POYI_CPU_MEMORY, 2, t, run_same);
    return POY_OK;
}

/* p[2]: the type of y; NULL: that of x. */
static void at_once_copy(void *const p[4], const int64_t s[4], int64_t n)
{
    const poy_dtype *to = p[2];
    (to ? run_for(*to) : run_same)(p, s, n);
}

static void at_once_fill(void *const p[4], const int64_t s[4], int64_t n)
{
    const T element = element_of(*(const poy_scalar *)p[0]);
    T *y = p[1];
    (void)s;
    for (int64_t i = 0; i < n; i++)
        y[i] = element;
}

const poyi_cpu_entry *CPU_OBJECT(copy)(size_t *n)
{
    static const poyi_cpu_entry entries[] = {
        ENTRY_AT_ONCE(fill, fill),
        ENTRY_AT_ONCE(copy, copy),
    };
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
