/* cpu_run.h: what turns kernels into operations, for the files that are compiled once for each element type: runs of
 * elements that are dense, one value for all, or strided; blocks for functions that want dense ones; entries. T is the
 * element type. */
#ifndef POYI_CPU_RUN_H
#define POYI_CPU_RUN_H

#include "backends/cpu/cpu_walk.h"
#include "kernels/dtype.h"

/* ---- kernels of the dialect on runs; Y, Z, W: the type of the output ---- */

#define RUN1(name, Y)                                                       \
    static void run_##name(void *const p[4], const int64_t s[4], int64_t n) \
    {                                                                       \
        const T *x = p[0];                                                  \
        Y *y = p[1];                                                        \
        if (s[0] == 1 && s[1] == 1)                                         \
            k_##name(0, n, x, 1, y, 1);                                     \
        else                                                                \
            k_##name(0, n, x, s[0], y, s[1]);                               \
    }
#define RUN2(name, Z)                                                       \
    static void run_##name(void *const p[4], const int64_t s[4], int64_t n) \
    {                                                                       \
        const T *x = p[0], *y = p[1];                                       \
        Z *z = p[2];                                                        \
        const T x0 = x[0], y0 = y[0];                                       \
        if (s[0] == 1 && s[1] == 1 && s[2] == 1)                            \
            k_##name(0, n, x, 1, y, 1, z, 1);                               \
        else if (s[0] == 1 && s[1] == 0 && s[2] == 1)                       \
            k_##name(0, n, x, 1, &y0, 0, z, 1);                             \
        else if (s[0] == 0 && s[1] == 1 && s[2] == 1)                       \
            k_##name(0, n, &x0, 0, y, 1, z, 1);                             \
        else                                                                \
            k_##name(0, n, x, s[0], y, s[1], z, s[2]);                      \
    }

#define RUN3(name, X, W)                                                    \
    static void run_##name(void *const p[4], const int64_t s[4], int64_t n) \
    {                                                                       \
        const X *x = p[0];                                                  \
        const T *y = p[1], *z = p[2];                                       \
        W *w = p[3];                                                        \
        const X x0 = x[0];                                                  \
        const T y0 = y[0], z0 = z[0];                                       \
        if (s[0] == 1 && s[1] == 1 && s[2] == 1 && s[3] == 1)               \
            k_##name(0, n, x, 1, y, 1, z, 1, w, 1);                         \
        else if (s[0] == 0 && s[1] == 1 && s[2] == 1 && s[3] == 1)          \
            k_##name(0, n, &x0, 0, y, 1, z, 1, w, 1);                       \
        else if (s[0] == 1 && s[1] == 0 && s[2] == 0 && s[3] == 1)          \
            k_##name(0, n, x, 1, &y0, 0, &z0, 0, w, 1);                     \
        else                                                                \
            k_##name(0, n, x, s[0], y, s[1], z, s[2], w, s[3]);             \
    }

/* ---- functions on dense blocks, which a run gathers and scatters where it has strides ---- */

enum { BLOCK = 256 };

static inline const T *gather(const T *x, int64_t stride, int64_t n, T *block)
{
    if (stride == 1)
        return x;
    for (int64_t i = 0; i < n; i++)
        block[i] = x[i * stride];
    return block;
}

#define RUN_BLOCKS1(name, Y)                                                      \
    static void run_##name(void *const p[4], const int64_t s[4], int64_t n)       \
    {                                                                             \
        T in[BLOCK];                                                              \
        Y out[BLOCK];                                                             \
        for (int64_t start = 0; start < n; start += BLOCK) {                      \
            int64_t count = n - start < BLOCK ? n - start : BLOCK;                \
            const T *x = gather((const T *)p[0] + start * s[0], s[0], count, in); \
            Y *y = (Y *)p[1] + start * s[1];                                      \
            block_##name(count, x, s[1] == 1 ? y : out);                          \
            for (int64_t i = 0; i < count && s[1] != 1; i++)                      \
                y[i * s[1]] = out[i];                                             \
        }                                                                         \
    }

#define RUN_BLOCKS2(name, Z)                                                         \
    static void run_##name(void *const p[4], const int64_t s[4], int64_t n)          \
    {                                                                                \
        T left[BLOCK], right[BLOCK];                                                 \
        Z out[BLOCK];                                                                \
        for (int64_t start = 0; start < n; start += BLOCK) {                         \
            int64_t count = n - start < BLOCK ? n - start : BLOCK;                   \
            const T *x = gather((const T *)p[0] + start * s[0], s[0], count, left);  \
            const T *y = gather((const T *)p[1] + start * s[1], s[1], count, right); \
            Z *z = (Z *)p[2] + start * s[2];                                         \
            block_##name(count, x, y, s[2] == 1 ? z : out);                          \
            for (int64_t i = 0; i < count && s[2] != 1; i++)                         \
                z[i * s[2]] = out[i];                                                \
        }                                                                            \
    }

/* ---- operations and their entries ---- */

#define OPERATION1(name) OPERATION1_AT(name, POYI_CPU_MEMORY)
#define OPERATION1_AT(name, pace)                                                                 \
    static poy_status op_##name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                             \
        const poy_tensor *const t[2] = {x, y};                                                    \
        (void)be;                                                                                 \
        poyi_cpu_walk(ctx, pace, 2, t, run_##name);                                               \
        return POY_OK;                                                                            \
    }
#define OPERATION2(name) OPERATION2_AT(name, POYI_CPU_MEMORY)
#define OPERATION2_AT(name, pace)                                                                                      \
    static poy_status op_##name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z) \
    {                                                                                                                  \
        const poy_tensor *const t[3] = {x, y, z};                                                                      \
        (void)be;                                                                                                      \
        poyi_cpu_walk(ctx, pace, 3, t, run_##name);                                                                    \
        return POY_OK;                                                                                                 \
    }
/* One that goes through tensors alone; one whose at_once_<name> does the short ones; one of runs, which do them. */
#define OP_ENTRY(op, fam) .name = #op, .family = POY_FAMILY_##fam, .dtype = (poy_dtype)POY_DTYPE, .cell.fam = op_##op
#define ENTRY(name, fam)              \
    {                                 \
        .op = { OP_ENTRY(name, fam) } \
    }
#define ENTRY_AT_ONCE(name, fam)                               \
    {                                                          \
        .op = {OP_ENTRY(name, fam)}, .at_once = at_once_##name \
    }
#define ENTRY_RUN(name, fam)                               \
    {                                                      \
        .op = {OP_ENTRY(name, fam)}, .at_once = run_##name \
    }

#define OPERATION3(name)                                                                                               \
    static poy_status op_##name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z, \
                                const poy_tensor *w)                                                                   \
    {                                                                                                                  \
        const poy_tensor *const t[4] = {x, y, z, w};                                                                   \
        (void)be;                                                                                                      \
        poyi_cpu_walk(ctx, POYI_CPU_MEMORY, 4, t, run_##name);                                                         \
        return POY_OK;                                                                                                 \
    }

#endif
