/* cpu_places.c: reductions of the CPU backend that look for something: any, all, places of extrema; and 2-norms. Compiled
 * once for each element type (POY_DTYPE) and instruction set (POY_ISA); the object's one symbol is
 * poyi_cpu_places_<isa>_<dtype>. Threads share results. */
#include <string.h>

#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"

static int64_t product(const poy_tensor *t, int first, int end)
{
    int64_t n = 1;
    for (int i = first; i < end; i++)
        n *= t->extent[i];
    return n;
}

/* The reduced elements of one result: runs of the last axis. */
typedef struct stretch {
    const T *from; /* of the result */
    const poy_tensor *x;
    int kept;
    int64_t rows, n, step; /* runs, elements of each, stride */
} stretch;

static inline const T *row_of(const stretch *s, int64_t row)
{
    return row ? s->from + poyi_cpu_place(s->x, s->kept, s->x->rank - 1, row) : s->from;
}

typedef void one_result(const stretch *s, void *y);

static inline void reduce_one(const poy_tensor *x, const poy_tensor *y, int kept, int64_t rows, int64_t i,
                              one_result *f)
{
    const int last = x->rank - 1;
    const stretch s = {.from = (const T *)x->mem + x->offset + poyi_cpu_place(x, 0, kept, i),
                       .x = x,
                       .kept = kept,
                       .rows = rows,
                       .n = x->extent[last],
                       .step = x->stride[last]};
    f(&s, (char *)y->mem + (y->offset + poyi_cpu_place(y, 0, kept, i)) * (int64_t)poy_dtype_size(y->dtype));
}

typedef struct reduction {
    const poy_tensor *x, *y;
    int kept;
    int64_t rows;
    one_result *f;
} reduction;

static void reduce_span(const void *work, int64_t begin, int64_t end)
{
    const reduction *w = work;
    for (int64_t i = begin; i < end; i++)
        reduce_one(w->x, w->y, w->kept, w->rows, i, w->f);
}

static inline void reduce(poy_ctx *ctx, int n_reduced, const poy_tensor *x, const poy_tensor *y, one_result *f)
{
    const int kept = x->rank - n_reduced;
    const int64_t results = product(x, 0, kept), rows = product(x, kept, x->rank - 1);
    const reduction w = {.x = x, .y = y, .kept = kept, .rows = rows, .f = f};
    poyi_cpu_share(results > 1 ? poyi_cpu_team(ctx, results * rows * x->extent[x->rank - 1]) : 1, results, reduce_span,
                   &w);
}

/* ---- any, all: blocks, so that the inner loop has no way out ---- */

enum { LOOK = 512 };

/* Whether some element is (or, with zero = 1, is not) something else than 0. */
static inline int has(const stretch *s, int zero)
{
    for (int64_t row = 0; row < s->rows; row++) {
        const T *x = row_of(s, row);
        for (int64_t start = 0; start < s->n; start += LOOK) {
            int64_t end = s->n - start < LOOK ? s->n : start + LOOK;
            int found = 0;
            for (int64_t i = start; i < end; i++)
                found |= t_is_nonzero(x[i * s->step]) != zero;
            if (found)
                return 1;
        }
    }
    return 0;
}

static void any_of(const stretch *s, void *y)
{
    *(unsigned char *)y = (unsigned char)has(s, 0);
}
static void all_of(const stretch *s, void *y)
{
    *(unsigned char *)y = (unsigned char)!has(s, 1);
}

/* ---- places of extrema: whether a block holds a new one first, its extremum and the place only where it does ---- */

#if !POY_COMPLEX
static inline __attribute__((always_inline)) int is_beyond(T a, T best, int largest)
{
    return !(largest ? a <= best : a >= best); /* NaN is */
}

/* Whether some of n elements is beyond best, which is not NaN: a comparison each, and no way out of the loop. */
static inline __attribute__((always_inline)) int any_beyond(const T *x, int64_t step, int64_t n, T best, int largest)
{
    int found = 0;
    for (int64_t i = 0; i < n; i++)
        found |= is_beyond(x[i * step], best, largest);
    return found;
}

/* The extremum of n >= 1 elements, in lanes: maxima know no order. */
static inline __attribute__((always_inline)) T extremum(const T *x, int64_t step, int64_t n, int largest)
{
    enum { WIDE = 16 };
    T lane[WIDE];
    int64_t i = 0;
    for (int j = 0; j < WIDE; j++)
        lane[j] = x[0];
    for (; i + WIDE <= n; i += WIDE)
        for (int64_t j = 0; j < WIDE; j++)
            lane[j] = largest ? t_max(lane[j], x[(i + j) * step]) : t_min(lane[j], x[(i + j) * step]);
    for (; i < n; i++)
        lane[0] = largest ? t_max(lane[0], x[i * step]) : t_min(lane[0], x[i * step]);
    for (int j = 1; j < WIDE; j++)
        lane[0] = largest ? t_max(lane[0], lane[j]) : t_min(lane[0], lane[j]);
    return lane[0];
}

static inline __attribute__((always_inline)) int64_t place_of(const stretch *s, int largest)
{
    T best = s->from[0];
    int64_t place = 0;
    if (s->n == 1 && s->rows == 1)
        return 0;
    for (int64_t row = 0; row < s->rows && !r_is_nan(best); row++) {
        const T *x = row_of(s, row);
        for (int64_t start = 0; start < s->n && !r_is_nan(best); start += LOOK) {
            const int64_t n = s->n - start < LOOK ? s->n - start : LOOK, step = s->step;
            const T *from = x + start * step;
            int64_t i = start;
            if (!(step == 1 ? any_beyond(from, 1, n, best, largest) : any_beyond(from, step, n, best, largest)))
                continue;
            best = step == 1 ? extremum(from, 1, n, largest) : extremum(from, step, n, largest);
            while (r_is_nan(best) ? !r_is_nan(x[i * step]) : !(x[i * step] == best))
                i++;
            place = row * s->n + i;
        }
    }
    return place;
}

static void place_of_largest(const stretch *s, void *y)
{
    *(int64_t *)y = place_of(s, 1);
}
static void place_of_smallest(const stretch *s, void *y)
{
    *(int64_t *)y = place_of(s, 0);
}
#endif

/* ---- norms: squares of 2^-e x in leaves of 256 parts, each in 16 lanes of 16, the lanes joined by halves as they come ---- */

#if POY_FLOATING
enum { LANES = 16, LEAF = 256, LEVELS = 48 };

typedef struct lanes {
    real v[LANES];
} lanes;

typedef struct tree {
    lanes level[LEVELS];
    uint64_t leaves;
} tree;

static inline void lanes_add(lanes *a, const lanes *b)
{
    for (int j = 0; j < LANES; j++)
        a->v[j] += b->v[j];
}

static inline void tree_add(tree *t, lanes x)
{
    int l = 0;
    for (uint64_t n = t->leaves++; n & 1; n >>= 1)
        lanes_add(&x, &t->level[l++]);
    t->level[l] = x;
}

static inline real lanes_end(lanes sum)
{
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int j = 0; j < width; j++)
            sum.v[j] += sum.v[j + width];
    return sum.v[0];
}

static inline real tree_end(const tree *t)
{
    lanes sum = {{0}};
    for (int l = 0; t->leaves >> l; l++)
        if (t->leaves >> l & 1)
            lanes_add(&sum, &t->level[l]);
    return lanes_end(sum);
}

/* Of n reals side by side, n <= LEAF. */
static inline lanes squares_of_line(const real *x, int64_t n)
{
    real lane[LANES]; /* not in the struct: these stay in registers */
    lanes sum;
    int64_t i = 0;
    for (int j = 0; j < LANES; j++)
        lane[j] = 0;
    for (; i + LANES <= n; i += LANES)
        for (int64_t j = 0; j < LANES; j++)
            lane[j] += x[i + j] * x[i + j];
    for (int64_t j = 0; i + j < n; j++)
        lane[j] += x[i + j] * x[i + j];
    memcpy(sum.v, lane, sizeof lane);
    return sum;
}

/* Of a b x, n elements with strides; two factors because one might be out of range. */
static inline lanes squares_of(const T *x, int64_t step, int64_t n, real a, real b)
{
    lanes sum = {{0}};
    for (int64_t i = 0; i < n; i++)
        sum.v[i % LANES] += t_abs2(t_scale(b, t_scale(a, x[i * step])));
    return sum;
}

static real sum_of_squares(const stretch *s, real a, real b)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): the parts of T, real or complex */
    enum { PARTS = sizeof(T) / sizeof(real), COUNT = LEAF / PARTS };
    const int plain = s->step == 1 && a == 1 && b == 1;
    tree t;
    if (plain && s->n * s->rows == 1) /* the shortest ways: lanes of zeros add nothing */
        return t_abs2(s->from[0]);
    if (plain && s->rows == 1 && s->n <= COUNT)
        return lanes_end(squares_of_line((const real *)row_of(s, 0), s->n * PARTS));
    t.leaves = 0;
    for (int64_t row = 0; row < s->rows; row++) {
        const T *x = row_of(s, row);
        for (int64_t start = 0; start < s->n; start += COUNT) {
            const int64_t n = s->n - start < COUNT ? s->n - start : COUNT;
            tree_add(&t, plain ? squares_of_line((const real *)(x + start), n * PARTS)
                               : squares_of(x + start * s->step, s->step, n, a, b));
        }
    }
    return tree_end(&t);
}

/* The largest part; NaN if one is. */
static real largest_part(const stretch *s)
{
    real m = 0;
    for (int64_t row = 0; row < s->rows; row++) {
        const T *x = row_of(s, row);
        for (int64_t i = 0; i < s->n; i++) {
#if POY_COMPLEX
            m = r_larger(m, r_larger(x[i * s->step].re, x[i * s->step].im));
#else
            m = r_larger(m, x[i * s->step]);
#endif
        }
    }
    return m;
}

/* Sums of squares within this range have lost nothing that counts. */
#if POY_SINGLE
#define SAFE_LOW 0x1p-60f
#define SAFE_HIGH 0x1p120f
#else
#define SAFE_LOW 0x1p-800
#define SAFE_HIGH 0x1p1000
#endif

static void norm_of(const stretch *s, void *y)
{
    real sum = sum_of_squares(s, 1, 1), *to = y;
    if (sum >= SAFE_LOW && sum <= SAFE_HIGH) {
        *to = r_sqrt(sum);
        return;
    }
    real m = largest_part(s);
    if (m == 0 || !r_is_finite(m)) {
        *to = m;
        return;
    }
    int e = r_exponent(m);
    int half = e / 2;
    *to = r_ldexp(r_sqrt(sum_of_squares(s, r_ldexp(1, -half), r_ldexp(1, half - e))), e);
}
#endif

/* ---- the list ---- */

#define OPERATION(name, f)                                                                                       \
    static void at_once_##name(void *const p[4], const int64_t stride[4], int64_t n)                             \
    {                                                                                                            \
        const stretch s = {.from = p[0], .rows = 1, .n = n, .step = 1};                                          \
        (void)stride;                                                                                            \
        f(&s, p[1]);                                                                                             \
    }                                                                                                            \
    static poy_status op_##name(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                                            \
        (void)be;                                                                                                \
        reduce(ctx, n_reduced, x, y, f);                                                                         \
        return POY_OK;                                                                                           \
    }
OPERATION(any, any_of)
OPERATION(all, all_of)
#if !POY_COMPLEX
OPERATION(argmax, place_of_largest)
OPERATION(argmin, place_of_smallest)
#endif
#if POY_FLOATING
OPERATION(norm, norm_of)
#endif

const poyi_cpu_entry *CPU_OBJECT(places)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
        ENTRY_AT_ONCE(any, reduce), ENTRY_AT_ONCE(all, reduce),
#if !POY_COMPLEX
        ENTRY_AT_ONCE(argmax, reduce), ENTRY_AT_ONCE(argmin, reduce),
#endif
#if POY_FLOATING
        ENTRY_AT_ONCE(norm, reduce),
#endif
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
