/* cpu_reduce.c: sums, products and extrema of the CPU backend. Compiled once for each element type (POY_DTYPE) and instruction set
 * (POY_ISA); the object's one symbol is poyi_cpu_reduce_<isa>_<dtype>.
 *
 * A sum is a tree: leaves of 128 elements are added in 16 lanes of 8, the lanes by halves, the leaves by halves in the
 * order in which they come. An element passes through 7 + log2(n / 8) additions at most, which stays within the bound
 * (4 + log2 n) eps sum |x|, and neither threads nor instruction sets change the shape of the tree.
 * Extrema know no order, so they use the same leaves. */
#include <string.h>

#include "backends/cpu/cpu_leaf.h"
#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"

enum { LEVELS = 48, GROUP_LEVEL = 3, GROUP = 1 << GROUP_LEVEL };

/* Leaves joined by halves as they come: level l holds 2^l of them. */
typedef struct tree {
    T level[LEVELS];
    uint64_t leaves;
} tree;

/* x: 2^l leaves that are joined; those before are a multiple of as many. */
static inline __attribute__((always_inline)) void tree_add(kind k, tree *t, int l, T x)
{
    uint64_t n = t->leaves >> l;
    t->leaves += 1ULL << l;
    for (; n & 1; n >>= 1)
        x = join_two(k, t->level[l++], x);
    t->level[l] = x;
}

/* GROUP leaves that lie side by side, joined by halves: the tree's own order, without asking at each of them where it is. */
static inline __attribute__((always_inline)) T join_group(kind k, const T *x)
{
    T leaf[GROUP];
    for (int i = 0; i < GROUP; i++)
        leaf[i] = whole_leaf(k, x + i * LEAF);
    for (int step = 1; step < GROUP; step *= 2)
        for (int i = 0; i < GROUP; i += 2 * step)
            leaf[i] = join_two(k, leaf[i], leaf[i + step]);
    return leaf[0];
}

/* t has a leaf. */
static inline __attribute__((always_inline)) T tree_end(kind k, const tree *t)
{
    int l = 0;
    while (!(t->leaves >> l & 1))
        l++;
    T x = t->level[l];
    for (l++; t->leaves >> l; l++)
        if (t->leaves >> l & 1)
            x = join_two(k, t->level[l], x);
    return x;
}

/* Elements first .. first + count - 1 of the reduced axes from a place of x, joined. */
static inline __attribute__((always_inline)) T join_part(kind k, const poy_tensor *x, int kept, const T *from,
                                                         int64_t first, int64_t count)
{
    const int last = x->rank - 1;
    const int64_t extent = x->extent[last], step = x->stride[last];
    int64_t row = first / extent, column = first % extent;
    tree t;
    T leaf[LEAF];

    t.leaves = 0;
    while (count > 0) {
        int64_t n = count < LEAF ? count : LEAF, filled = 0;
        const T *line = from + poyi_cpu_place(x, kept, last, row);
        if (step == 1 && count >= GROUP * LEAF && extent - column >= GROUP * LEAF && t.leaves % GROUP == 0) {
            n = GROUP * LEAF;
            tree_add(k, &t, GROUP_LEVEL, join_group(k, line + column));
            column += n;
        } else if (step == 1 && extent - column >= n) { /* in place */
            tree_add(k, &t, 0, join_leaf(k, line + column, n));
            column += n;
        } else {
            while (filled < n) {
                for (; filled < n && column < extent; column++)
                    leaf[filled++] = line[column * step];
                if (column == extent && filled < n) {
                    column = 0;
                    line = from + poyi_cpu_place(x, kept, last, ++row);
                }
            }
            tree_add(k, &t, 0, join_leaf(k, leaf, n));
        }
        if (column == extent) {
            column = 0;
            row++;
        }
        count -= n;
    }
    return tree_end(k, &t);
}

/* One result at a time; long ones in parts of 2^16 elements, which are subtrees, by threads. */
enum { PART = 1 << 16, PARTS_MAX = 1 << 12 };

static inline __attribute__((always_inline)) void join_long(kind k, poy_ctx *ctx, const poy_tensor *x, int kept,
                                                            const T *from, int64_t count, T *y)
{
    tree t;
    t.leaves = 0;
    for (int64_t done = 0; done < count;) { /* parts of a round are held side by side */
        T part[64];
        int64_t parts = (count - done + PART - 1) / PART < 64 ? (count - done + PART - 1) / PART : 64;
        int threads = parts > 1 ? poyi_cpu_team(ctx, count) : 1;
        (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (int64_t i = 0; i < parts; i++) {
            int64_t first = done + i * PART;
            part[i] = join_part(k, x, kept, from, first, count - first < PART ? count - first : PART);
        }
        for (int64_t i = 0; i < parts; i++)
            tree_add(k, &t, 0, part[i]);
        done += parts * PART;
    }
    *y = tree_end(k, &t);
}

/* Results that lie side by side in x: rows of 32 results are joined 8 rows at a time, then by halves. */
enum { COLUMNS = 32 };

static inline __attribute__((always_inline)) void join_rows(kind k, const poy_tensor *x, int kept, const T *from,
                                                            int64_t columns, int64_t count, T *y, int64_t y_step)
{
    T level[LEVELS][COLUMNS], sum[COLUMNS];
    uint64_t leaves = 0;
    for (int64_t row = 0; row < count; row += DEPTH) {
        int64_t end = count - row < DEPTH ? count : row + DEPTH;
        memcpy(sum, from + poyi_cpu_place(x, kept, x->rank, row), (size_t)columns * sizeof *sum);
        for (int64_t r = row + 1; r < end; r++) {
            const T *line = from + poyi_cpu_place(x, kept, x->rank, r);
            for (int64_t j = 0; j < columns; j++)
                sum[j] = join(k, sum[j], line[j]);
        }
        int l = 0;
        for (uint64_t n = leaves++; n & 1; n >>= 1, l++)
            for (int64_t j = 0; j < columns; j++)
                sum[j] = join(k, level[l][j], sum[j]);
        memcpy(level[l], sum, (size_t)columns * sizeof *sum);
    }
    int l = 0;
    while (!(leaves >> l & 1))
        l++;
    memcpy(sum, level[l], (size_t)columns * sizeof *sum);
    for (l++; leaves >> l; l++)
        if (leaves >> l & 1)
            for (int64_t j = 0; j < columns; j++)
                sum[j] = join(k, level[l][j], sum[j]);
    for (int64_t j = 0; j < columns; j++)
        y[j * y_step] = sum[j];
}

static int64_t product(const poy_tensor *t, int first, int end)
{
    int64_t n = 1;
    for (int i = first; i < end; i++)
        n *= t->extent[i];
    return n;
}

static inline __attribute__((always_inline)) void reduce_columns(kind k, poy_ctx *ctx, const poy_tensor *x, int kept,
                                                                 const poy_tensor *y)
{
    int last = kept - 1;
    int64_t width = x->extent[last], strips = (width + COLUMNS - 1) / COLUMNS, outer = product(x, 0, last);
    int64_t count = product(x, kept, x->rank);
    int threads = poyi_cpu_team(ctx, outer * width * count);
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t s = 0; s < outer * strips; s++) {
        int64_t row = s / strips, column = s % strips * COLUMNS;
        const T *from = (const T *)x->mem + x->offset + poyi_cpu_place(x, 0, last, row) + column;
        T *to = (T *)y->mem + y->offset + poyi_cpu_place(y, 0, last, row) + column * y->stride[last];
        join_rows(k, x, kept, from, width - column < COLUMNS ? width - column : COLUMNS, count, to, y->stride[last]);
    }
}

static inline __attribute__((always_inline)) void reduce_lines(kind k, poy_ctx *ctx, const poy_tensor *x, int kept,
                                                               const poy_tensor *y)
{
    int64_t results = product(x, 0, kept), count = product(x, kept, x->rank);
    const T *from = (const T *)x->mem + x->offset;
    T *to = (T *)y->mem + y->offset;
    if (count > PART) {
        for (int64_t i = 0; i < results; i++)
            join_long(k, ctx, x, kept, from + poyi_cpu_place(x, 0, kept, i), count, to + poyi_cpu_place(y, 0, kept, i));
        return;
    }
    if (results == 1) { /* a team of one costs more than a short sum */
        *to = join_part(k, x, kept, from, 0, count);
        return;
    }
    int threads = poyi_cpu_team(ctx, results * count);
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int64_t i = 0; i < results; i++)
        to[poyi_cpu_place(y, 0, kept, i)] = join_part(k, x, kept, from + poyi_cpu_place(x, 0, kept, i), 0, count);
}

static inline __attribute__((always_inline)) poy_status reduce(kind k, poy_ctx *ctx, int n_reduced, const poy_tensor *x,
                                                               const poy_tensor *y)
{
    int kept = x->rank - n_reduced;
    if (kept > 0 && x->stride[kept - 1] == 1 && x->extent[kept - 1] > 3)
        reduce_columns(k, ctx, x, kept, y);
    else
        reduce_lines(k, ctx, x, kept, y);
    return POY_OK;
}

/* ---- the list ---- */

/* All of n elements side by side, n <= PART: the same tree as join_part's. */
static inline __attribute__((always_inline)) T join_line(kind k, const T *x, int64_t n)
{
    tree t;
    if (n == 1)
        return x[0];
    t.leaves = 0;
    for (int64_t i = 0; i < n; i += LEAF)
        tree_add(k, &t, 0, join_leaf(k, x + i, n - i < LEAF ? n - i : LEAF));
    return tree_end(k, &t);
}

#define OPERATION(name, kind)                                                                                    \
    static void at_once_##name(void *const p[4], const int64_t s[4], int64_t n)                                  \
    {                                                                                                            \
        (void)s;                                                                                                 \
        *(T *)p[1] = join_line(kind, p[0], n);                                                                   \
    }                                                                                                            \
    static poy_status op_##name(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                                            \
        (void)be;                                                                                                \
        return reduce(kind, ctx, n_reduced, x, y);                                                               \
    }
#if HAS_SUM
OPERATION(sum, SUM)
OPERATION(prod, PROD)
#endif
#if POY_FLOATING
static inline T divided(T x, real n)
{
#if POY_COMPLEX
    return t_make(x.re / n, x.im / n);
#else
    return x / n;
#endif
}

static void at_once_mean(void *const p[4], const int64_t s[4], int64_t n)
{
    (void)s;
    *(T *)p[1] = divided(join_line(SUM, p[0], n), (real)n);
}

/* The sums, each divided by the number of its terms. */
static poy_status op_mean(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    const real n = (real)product(x, x->rank - n_reduced, x->rank);
    (void)be;
    reduce(SUM, ctx, n_reduced, x, y);
    T *to = (T *)y->mem + y->offset;
    for (int64_t i = 0; i < product(y, 0, y->rank); i++) {
        T *place = to + poyi_cpu_place(y, 0, y->rank, i);
        *place = divided(*place, n);
    }
    return POY_OK;
}
#endif
#if !POY_COMPLEX
OPERATION(max, MAX)
OPERATION(min, MIN)
#endif

const poyi_cpu_entry *CPU_OBJECT(reduce)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
#if HAS_SUM
        ENTRY_AT_ONCE(sum, reduce), ENTRY_AT_ONCE(prod, reduce),
#endif
#if POY_FLOATING
        ENTRY_AT_ONCE(mean, reduce),
#endif
#if !POY_COMPLEX
        ENTRY_AT_ONCE(max, reduce), ENTRY_AT_ONCE(min, reduce),
#endif
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
