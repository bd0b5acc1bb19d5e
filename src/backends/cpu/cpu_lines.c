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

/* The element that is so many places from the tensor's first. */
static inline T *element(const poy_tensor *t, int64_t place)
{
    return (T *)t->mem + t->offset + place;
}

/* ---- running sums ---- */

#if POY_DTYPE != 6 && POY_DTYPE != 4
static void add_up(const T *x, int64_t sx, T *y, int64_t sy, int64_t n)
{
    T sum = t_zero();
    for (int64_t i = 0; i < n; i++) {
        sum = t_add(sum, x[i * sx]);
        y[i * sy] = sum;
    }
}

static void at_once_cumsum(void *const p[4], const int64_t s[4], int64_t n)
{
    add_up(p[0], s[0], p[1], s[1], n);
}

static void add_up_lines(const void *work, int64_t begin, int64_t end)
{
    const poy_tensor *const *t = work, *x = t[0], *y = t[1];
    const int last = x->rank - 1;
    for (int64_t l = begin; l < end; l++)
        add_up(element(x, poyi_cpu_place(x, 0, last, l)), x->stride[last], element(y, poyi_cpu_place(y, 0, last, l)),
               y->stride[last], x->extent[last]);
}

static poy_status op_cumsum(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const int64_t lines = lines_of(x);
    const poy_tensor *const t[2] = {x, y};
    (void)be;
    poyi_cpu_share(lines > 1 ? poyi_cpu_team(ctx, lines * x->extent[x->rank - 1]) : 1, lines, add_up_lines, t);
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

/* n elements in order; line: 2 n. */
static const ranked *sorted_of(const T *x, int64_t sx, int64_t n, ranked *line)
{
    for (int64_t i = 0; i < n; i++)
        line[i] = (ranked){x[i * sx], i};
    return sort_line(line, line + n, n);
}

static void keep_values(const ranked *sorted, int64_t n, T *y, int64_t sy)
{
    for (int64_t i = 0; i < n; i++)
        y[i * sy] = sorted[i].v;
}

static void keep_places(const ranked *sorted, int64_t n, int64_t *y, int64_t sy)
{
    for (int64_t i = 0; i < n; i++)
        y[i * sy] = sorted[i].place;
}

/* Lines in parts, each with memory of its own: two lines of n. */
typedef struct sorting {
    const poy_tensor *x, *y;
    int places; /* are asked for, not values */
    int64_t lines, parts;
    ranked *memory;
} sorting;

static void sort_from(const sorting *w, int64_t l, ranked *line)
{
    const poy_tensor *x = w->x, *y = w->y;
    const int last = x->rank - 1;
    const int64_t to = y->offset + poyi_cpu_place(y, 0, last, l);
    const ranked *sorted = sorted_of(element(x, poyi_cpu_place(x, 0, last, l)), x->stride[last], x->extent[last], line);
    if (w->places)
        keep_places(sorted, x->extent[last], (int64_t *)y->mem + to, y->stride[last]);
    else
        keep_values(sorted, x->extent[last], (T *)y->mem + to, y->stride[last]);
}

static void sort_parts(const void *work, int64_t begin, int64_t end)
{
    const sorting *w = work;
    for (int64_t part = begin; part < end; part++)
        for (int64_t l = w->lines * part / w->parts; l < w->lines * (part + 1) / w->parts; l++)
            sort_from(w, l, w->memory + 2 * w->x->extent[w->x->rank - 1] * part);
}

static poy_status sort_lines(poy_ctx *ctx, const poy_tensor *x, const poy_tensor *y, int places)
{
    const int64_t lines = lines_of(x), n = x->extent[x->rank - 1];
    const int threads = lines > 1 ? poyi_cpu_team(ctx, lines * n) : 1, team = lines < threads ? (int)lines : threads;
    sorting w = {.x = x, .y = y, .places = places, .lines = lines, .parts = team};
    ranked few[2 * POYI_SORT_AT_ONCE_MAX];
    void *block = NULL;
    size_t bytes;

    w.memory = few;
    if (n > POYI_SORT_AT_ONCE_MAX || team > 1) {
        POYI_TRY(ctx, poyi_mul_size(ctx, 2 * (size_t)n * sizeof(ranked), (size_t)team, &bytes));
        POYI_TRY(ctx, poyi_alloc(ctx, "cpu.sort", bytes, &block));
        w.memory = block;
    }
    poyi_cpu_share(team, team, sort_parts, &w);
    poyi_free(&block);
    return POY_OK;
}

static void at_once_sort(void *const p[4], const int64_t s[4], int64_t n)
{
    ranked line[2 * POYI_SORT_AT_ONCE_MAX];
    (void)s;
    keep_values(sorted_of(p[0], 1, n, line), n, p[1], 1);
}

static void at_once_argsort(void *const p[4], const int64_t s[4], int64_t n)
{
    ranked line[2 * POYI_SORT_AT_ONCE_MAX];
    (void)s;
    keep_places(sorted_of(p[0], 1, n, line), n, p[1], 1);
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

typedef struct taking {
    const poy_tensor *x, *index, *y;
    int axes;         /* that lines are counted by */
    int64_t width, m; /* elements that are moved side by side; places of a line */
    int64_t wx, wy;   /* from one of those elements to the next */
} taking;

static void take_places(const void *work, int64_t begin, int64_t end)
{
    const taking *w = work;
    const int last = w->x->rank - 1;
    const int64_t sx = w->x->stride[last], sy = w->y->stride[last], n = w->x->extent[last];
    for (int64_t k = begin; k < end; k++) {
        const int64_t l = k / w->m, i = k % w->m;
        const T *from = element(w->x, poyi_cpu_place(w->x, 0, w->axes, l) + index_at(w->index, i, n) * sx);
        T *to = element(w->y, poyi_cpu_place(w->y, 0, w->axes, l) + i * sy);
        if (w->wx == 1 && w->wy == 1)
            memcpy(to, from, (size_t)w->width * sizeof *to);
        else
            for (int64_t j = 0; j < w->width; j++)
                to[j * w->wy] = from[j * w->wx];
    }
}

static poy_status op_take(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index, const poy_tensor *y)
{
    const int last = x->rank - 1, rows = rows_are_inner(y);
    const int64_t width = rows ? y->extent[last - 1] : 1, m = y->extent[last], places = lines_of(y) / width * m;
    const taking w = {.x = x,
                      .index = index,
                      .y = y,
                      .axes = rows ? last - 1 : last,
                      .width = width,
                      .m = m,
                      .wx = rows ? x->stride[last - 1] : 0,
                      .wy = rows ? y->stride[last - 1] : 0};
    (void)be;
    POYI_TRY(ctx, check_index(ctx, index, x->extent[last]));
    poyi_cpu_share(poyi_cpu_team(ctx, places * width), places, take_places, &w);
    return POY_OK;
}

static void at_once_take(void *const p[4], const int64_t s[4], int64_t n)
{
    const T *x = p[0];
    const int64_t *index = p[1];
    T *y = p[2];
    for (int64_t i = 0; i < n; i++)
        y[i] = x[index[i] < 0 ? index[i] + s[3] : index[i]];
}

static void at_once_put(void *const p[4], const int64_t s[4], int64_t n)
{
    const int64_t *index = p[0];
    const T *v = p[1];
    T *y = p[2];
    for (int64_t i = 0; i < n; i++)
        y[index[i] < 0 ? index[i] + s[3] : index[i]] = v[i];
}

#if POY_DTYPE != 6
static void at_once_put_add(void *const p[4], const int64_t s[4], int64_t n)
{
    const int64_t *index = p[0];
    const T *v = p[1];
    T *y = p[2];
    for (int64_t i = 0; i < n; i++) {
        T *place = y + (index[i] < 0 ? index[i] + s[3] : index[i]);
        *place = t_add(*place, v[i]);
    }
}
#endif

typedef struct putting {
    const poy_tensor *index, *v, *y;
    int add;
} putting;

static void put_lines(const void *work, int64_t begin, int64_t end)
{
    const putting *w = work;
    const int last = w->y->rank - 1;
    const int64_t n = w->y->extent[last], m = w->v->extent[last], sv = w->v->stride[last], sy = w->y->stride[last];
    for (int64_t l = begin; l < end; l++) {
        const T *from = element(w->v, poyi_cpu_place(w->v, 0, last, l));
        T *to = element(w->y, poyi_cpu_place(w->y, 0, last, l));
        for (int64_t i = 0; i < m; i++) {
            T *place = to + index_at(w->index, i, n) * sy;
#if POY_DTYPE != 6
            *place = w->add ? t_add(*place, from[i * sv]) : from[i * sv];
#else
            *place = from[i * sv];
#endif
        }
    }
}

static poy_status put(poy_ctx *ctx, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y, int add)
{
    const int last = y->rank - 1;
    const int64_t lines = lines_of(y);
    const putting w = {.index = index, .v = v, .y = y, .add = add};
    POYI_TRY(ctx, check_index(ctx, index, y->extent[last]));
    poyi_cpu_share(lines > 1 ? poyi_cpu_team(ctx, lines * v->extent[last]) : 1, lines, put_lines, &w);
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

/* Parts of a round, which begins at element done. */
typedef struct round_of_parts {
    const poy_tensor *x, *y;
    int64_t done;
    T *part;
} round_of_parts;

static void dot_parts(const void *work, int64_t begin, int64_t end)
{
    const round_of_parts *w = work;
    for (int64_t p = begin; p < end; p++) {
        const int64_t first = w->done + p * PART, left = w->x->extent[0] - first;
        w->part[p] = dot_from(w->x, w->y, first, left < PART ? left : PART);
    }
}

static poy_status op_vdot(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    enum { ROUND = 64 };
    const int64_t n = x->extent[0];
    T sum = t_zero(), part[ROUND];
    (void)be;
    for (int64_t done = 0; done < n; done += (int64_t)ROUND * PART) {
        int64_t left = n - done, parts = (left + PART - 1) / PART < ROUND ? (left + PART - 1) / PART : ROUND;
        const round_of_parts w = {.x = x, .y = y, .done = done, .part = part};
        poyi_cpu_share(parts > 1 ? poyi_cpu_team(ctx, left) : 1, parts, dot_parts, &w);
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
        ENTRY_AT_ONCE(take, take), ENTRY_AT_ONCE(put, put),
#if POY_DTYPE != 6 && POY_DTYPE != 4
        ENTRY_AT_ONCE(cumsum, line),
#endif
#if !POY_COMPLEX
        ENTRY_AT_ONCE(sort, line), ENTRY_AT_ONCE(argsort, line),
#endif
#if POY_DTYPE != 6
        ENTRY_AT_ONCE(put_add, put),
#endif
        ENTRY_AT_ONCE(vdot, dot),
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
