/* cpu_lines.c: operations of the CPU backend along lines: running sums, sorting, elements chosen and changed by index.
 * Compiled once for each element type (POY_DTYPE) and instruction set (POY_ISA); the object's one symbol is
 * poyi_cpu_lines_<isa>_<dtype>. Threads share lines, so that the bits do not depend on their number. */
#include <string.h>

#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"

static int64_t lines_of(const poy_tensor *t)
{
    int64_t lines = 1;
    for (int i = 0; i < t->rank - 1; i++)
        lines *= t->extent[i];
    return lines;
}

/* ---- running sums ---- */

#if POY_DTYPE != 6 && POY_DTYPE != 4
static poy_status op_cumsum(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    int last = x->rank - 1;
    int64_t lines = lines_of(x), n = x->extent[last], sx = x->stride[last], sy = y->stride[last];
    int threads = lines > 1 ? poyi_cpu_team(ctx, lines * n) : 1;
    (void)be;
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t l = 0; l < lines; l++) {
        const T *from = (const T *)x->mem + x->offset + poyi_cpu_place(x, 0, last, l);
        T *to = (T *)y->mem + y->offset + poyi_cpu_place(y, 0, last, l), sum = t_zero();
        for (int64_t i = 0; i < n; i++) {
            sum = t_add(sum, from[i * sx]);
            to[i * sy] = sum;
        }
    }
    return POY_OK;
}
#endif

/* ---- sorting: merges of runs, which keep the order of equal elements; NaN last ---- */

#if !POY_COMPLEX
enum { RUN = 16 };

typedef struct ranked {
    T v;
    int64_t place;
} ranked;

static inline int comes_before(T a, T b)
{
    return a < b || (r_is_nan(b) && !r_is_nan(a));
}

static void insert_all(ranked *x, int64_t n)
{
    for (int64_t i = 1; i < n; i++) {
        ranked r = x[i];
        int64_t j = i;
        for (; j > 0 && comes_before(r.v, x[j - 1].v); j--)
            x[j] = x[j - 1];
        x[j] = r;
    }
}

static void merge(const ranked *a, int64_t n_a, const ranked *b, int64_t n_b, ranked *out)
{
    int64_t i = 0, j = 0, k = 0;
    while (i < n_a && j < n_b)
        out[k++] = comes_before(b[j].v, a[i].v) ? b[j++] : a[i++];
    memcpy(out + k, a + i, (size_t)(n_a - i) * sizeof *a);
    memcpy(out + k + n_a - i, b + j, (size_t)(n_b - j) * sizeof *b);
}

/* x, n elements, in order; work: n more. Returns which of the two holds the result. */
static ranked *sort_line(ranked *x, ranked *work, int64_t n)
{
    for (int64_t i = 0; i < n; i += RUN)
        insert_all(x + i, n - i < RUN ? n - i : RUN);
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t i = 0; i < n; i += 2 * width) {
            int64_t n_a = n - i < width ? n - i : width, n_b = n - i - n_a < width ? n - i - n_a : width;
            merge(x + i, n_a, x + i + n_a, n_b, work + i);
        }
        ranked *t = x;
        x = work;
        work = t;
    }
    return x;
}

static poy_status sort_lines(poy_ctx *ctx, const poy_tensor *x, const poy_tensor *y, int places)
{
    int last = x->rank - 1;
    int64_t lines = lines_of(x), n = x->extent[last];
    int threads = lines > 1 ? poyi_cpu_team(ctx, lines * n) : 1, team = lines < threads ? (int)lines : threads;
    void *block = NULL;
    size_t bytes;

    POYI_TRY(ctx, poyi_mul_size(ctx, 2 * (size_t)n * sizeof(ranked), (size_t)team, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "cpu.sort", bytes, &block));
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
    for (int64_t part = 0; part < team; part++)
        for (int64_t l = lines * part / team; l < lines * (part + 1) / team; l++) {
            ranked *line = (ranked *)block + 2 * n * part;
            const T *from = (const T *)x->mem + x->offset + poyi_cpu_place(x, 0, last, l);
            int64_t to = y->offset + poyi_cpu_place(y, 0, last, l);
            for (int64_t i = 0; i < n; i++)
                line[i] = (ranked){from[i * x->stride[last]], i};
            const ranked *sorted = sort_line(line, line + n, n);
            for (int64_t i = 0; i < n; i++)
                if (places)
                    ((int64_t *)y->mem)[to + i * y->stride[last]] = sorted[i].place;
                else
                    ((T *)y->mem)[to + i * y->stride[last]] = sorted[i].v;
        }
    poyi_free(&block);
    return POY_OK;
}

static poy_status op_sort(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)be;
    return sort_lines(ctx, x, y, 0);
}

static poy_status op_argsort(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)be;
    return sort_lines(ctx, x, y, 1);
}
#endif

/* ---- by index ---- */

static poy_status check_index(poy_ctx *ctx, const poy_tensor *index, int64_t n)
{
    const int64_t *at = (const int64_t *)index->mem + index->offset;
    for (int64_t i = 0; i < index->extent[0]; i++)
        if (at[i * index->stride[0]] < -n || at[i * index->stride[0]] >= n)
            return POYI_FAIL(ctx, POY_ERR_INDEX, "the index %lld is not within an axis of %lld elements",
                             (long long)at[i * index->stride[0]], (long long)n);
    return POY_OK;
}

static inline int64_t index_at(const poy_tensor *index, int64_t i, int64_t n)
{
    int64_t at = ((const int64_t *)index->mem)[index->offset + i * index->stride[0]];
    return at < 0 ? at + n : at;
}

/* How the loops run: the last of the axes that lines are counted by is the inner one, where its steps are shorter than
 * those along the line (whole rows are moved then); else the line is. */
static int rows_are_inner(const poy_tensor *t)
{
    int last = t->rank - 1;
    return last > 0 && t->stride[last - 1] < t->stride[last];
}

static poy_status op_take(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index, const poy_tensor *y)
{
    int last = x->rank - 1, rows = rows_are_inner(y);
    int64_t n = x->extent[last], m = y->extent[last], sx = x->stride[last], sy = y->stride[last];
    int64_t width = rows ? y->extent[last - 1] : 1, lines = lines_of(y) / width;
    int64_t wx = rows ? x->stride[last - 1] : 0, wy = rows ? y->stride[last - 1] : 0;
    int threads = poyi_cpu_team(ctx, lines * m * width);
    (void)be;
    (void)threads;
    POYI_TRY(ctx, check_index(ctx, index, n));
#pragma omp parallel for schedule(static) collapse(2) num_threads(threads) if (threads > 1)
    for (int64_t l = 0; l < lines; l++)
        for (int64_t i = 0; i < m; i++) {
            int axes = rows ? last - 1 : last;
            const T *from = (const T *)x->mem + x->offset + poyi_cpu_place(x, 0, axes, l) + index_at(index, i, n) * sx;
            T *to = (T *)y->mem + y->offset + poyi_cpu_place(y, 0, axes, l) + i * sy;
            if (wx == 1 && wy == 1)
                memcpy(to, from, (size_t)width * sizeof *to);
            else
                for (int64_t j = 0; j < width; j++)
                    to[j * wy] = from[j * wx];
        }
    return POY_OK;
}

static poy_status put(poy_ctx *ctx, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y, int add)
{
    int last = y->rank - 1;
    int64_t lines = lines_of(y), n = y->extent[last], m = v->extent[last];
    int threads = lines > 1 ? poyi_cpu_team(ctx, lines * m) : 1;
    (void)threads;
    POYI_TRY(ctx, check_index(ctx, index, n));
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t l = 0; l < lines; l++) {
        const T *from = (const T *)v->mem + v->offset + poyi_cpu_place(v, 0, last, l);
        T *to = (T *)y->mem + y->offset + poyi_cpu_place(y, 0, last, l);
        for (int64_t i = 0; i < m; i++) {
            T *place = to + index_at(index, i, n) * y->stride[last];
#if POY_DTYPE != 6
            *place = add ? t_add(*place, from[i * v->stride[last]]) : from[i * v->stride[last]];
#else
            (void)add;
            *place = from[i * v->stride[last]];
#endif
        }
    }
    return POY_OK;
}

static poy_status op_put(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y)
{
    (void)be;
    return put(ctx, index, v, y, 0);
}

#if POY_DTYPE != 6
static poy_status op_put_add(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y)
{
    (void)be;
    return put(ctx, index, v, y, 1);
}
#endif

/* ---- products of vectors: parts of 2^14 elements in 16 lanes, added in order ---- */

enum { LANES = 16, PART = 1 << 14 };

/* Of fewer than LANES elements: lanes of zeros would add nothing. */
static T dot_few(const T *x, int64_t sx, const T *y, int64_t sy, int64_t n)
{
    T sum = t_zero();
    for (int64_t i = 0; i < n; i++)
        sum = t_add(sum, t_mul(t_conj(x[i * sx]), y[i * sy]));
    return sum;
}

static T dot_part(const T *x, int64_t sx, const T *y, int64_t sy, int64_t n)
{
    T lane[LANES], sum = t_zero();
    int64_t i = 0;
    for (int j = 0; j < LANES; j++)
        lane[j] = t_zero();
    for (; i + LANES <= n; i += LANES) /* without prefetches: they keep compilers from vectors here */
        for (int64_t j = 0; j < LANES; j++)
            lane[j] = t_add(lane[j], t_mul(t_conj(x[(i + j) * sx]), y[(i + j) * sy]));
    for (; i < n; i++)
        sum = t_add(sum, t_mul(t_conj(x[i * sx]), y[i * sy]));
    for (int j = 0; j < LANES; j++)
        sum = t_add(sum, lane[j]);
    return sum;
}

#if POY_FLOATING && !POY_COMPLEX
/* The same by loads of 16 bytes, for vectors that come from beyond the second cache: with wider ones a tenth less gets
 * through there. Prefetches into the next page win 3 % on pages of 4 KiB and lose 10 % on large ones. The lanes are the same,
 * and so is the sum. */
typedef T narrow __attribute__((vector_size(16), aligned(sizeof(T)), may_alias));

static T dot_far(const T *x, const T *y, int64_t n)
{
    enum { IN_ONE = 16 / sizeof(T), VECTORS = LANES / IN_ONE };
    narrow lane[VECTORS];
    T sum = 0;
    int64_t i = 0;
    for (int k = 0; k < VECTORS; k++)
        lane[k] = (narrow){0};
    for (; i + LANES <= n; i += LANES)
        for (int64_t k = 0; k < VECTORS; k++)
            lane[k] += *(const narrow *)(x + i + k * IN_ONE) * *(const narrow *)(y + i + k * IN_ONE);
    for (; i < n; i++)
        sum += x[i] * y[i];
    for (int j = 0; j < LANES; j++)
        sum += lane[j / IN_ONE][j % IN_ONE];
    return sum;
}
#else
static T dot_far(const T *x, const T *y, int64_t n)
{
    return dot_part(x, 1, y, 1, n);
}
#endif

/* One function for all who call it: bits, those of NaN too, must not depend on the number of threads. */
static __attribute__((noinline)) T dot_of(const T *a, int64_t sx, const T *b, int64_t sy, int64_t n, int is_far)
{
    const int is_dense = sx == 1 && sy == 1;
    if (n < LANES)
        return dot_few(a, sx, b, sy, n);
    return is_dense && is_far ? dot_far(a, b, n) : is_dense ? dot_part(a, 1, b, 1, n) : dot_part(a, sx, b, sy, n);
}

/* Whether vectors of n elements come from beyond the second cache, which holds 1 MiB or so. */
static int are_far(int64_t n)
{
    return n * (int64_t)sizeof(T) > 1 << 19;
}

static T dot_from(const poy_tensor *x, const poy_tensor *y, int64_t first, int64_t n)
{
    const int64_t sx = x->stride[0], sy = y->stride[0];
    return dot_of((const T *)x->mem + x->offset + first * sx, sx, (const T *)y->mem + y->offset + first * sy, sy, n,
                  are_far(x->extent[0]));
}

static void at_once_vdot(void *const p[4], const int64_t s[4], int64_t n)
{
    (void)s;
    *(T *)p[2] = t_add(t_zero(), dot_of(p[0], 1, p[1], 1, n, 0)); /* n <= PART */
}

static poy_status op_vdot(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    enum { ROUND = 64 };
    const int64_t n = x->extent[0];
    T sum = t_zero(), part[ROUND];
    (void)be;
    for (int64_t done = 0; done < n; done += (int64_t)ROUND * PART) {
        int64_t left = n - done, parts = (left + PART - 1) / PART < ROUND ? (left + PART - 1) / PART : ROUND;
        int threads = parts > 1 ? poyi_cpu_team(ctx, left) : 1;
        if (threads == 1) { /* not a team of one, which costs a microsecond */
            for (int64_t p = 0; p < parts; p++)
                part[p] = dot_from(x, y, done + p * PART, left - p * PART < PART ? left - p * PART : PART);
        } else {
#pragma omp parallel for schedule(static) num_threads(threads)
            for (int64_t p = 0; p < parts; p++) {
                const int64_t first = done + p * PART;
                part[p] = dot_from(x, y, first, n - first < PART ? n - first : PART);
            }
        }
        for (int64_t p = 0; p < parts; p++)
            sum = t_add(sum, part[p]);
    }
    ((T *)z->mem)[z->offset] = sum;
    return POY_OK;
}

const poyi_cpu_entry *CPU_OBJECT(lines)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
        ENTRY(take, take), ENTRY(put, put),
#if POY_DTYPE != 6 && POY_DTYPE != 4
        ENTRY(cumsum, line),
#endif
#if !POY_COMPLEX
        ENTRY(sort, line), ENTRY(argsort, line),
#endif
#if POY_DTYPE != 6
        ENTRY(put_add, put),
#endif
        ENTRY_AT_ONCE(vdot, dot),
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
