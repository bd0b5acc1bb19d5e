/* cpu_fft.c: transforms of the CPU backend by FFTW: lines that lie dense and aligned are transformed where they are, the
 * others by way of scratch memory; threads share fixed groups of lines. */
#include <string.h>

#include "backends/cpu/cpu_fft_plan.h"
#include "backends/cpu/cpu_parts.h"
#include "backends/cpu/cpu_walk.h"

enum {
    SHORT = 512,       /* lines up to this length go in groups of one plan */
    GROUP_SIZE = 1024, /* elements of such a group */
    LONG_GROUP = 4,    /* longer lines that are gathered together, for the sake of the cache */
    ALIGNED = 16       /* bytes: what FFTW's vectors want */
};

typedef struct work {
    const poy_fft_arg *arg;
    const poy_tensor *x, *y;
    int axes; /* of lines: all but the last */
    int64_t lines, group, in_length, out_length;
    int64_t in_dist, out_dist; /* from line to line in scratch, where each is aligned; in dense tensors the length */
    size_t in_size, out_size;  /* bytes of an element */
    int dense_in, dense_out;   /* groups can be read, written where they are */
    poyi_fft_plan *many, *one; /* a group of short lines, a single line */
} work;

/* ---- lines to and from scratch ---- */

#define DEFINE_MOVE(name, type)                                                                            \
    static void name(const char *from, int64_t from_step, char *to, int64_t to_step, int64_t n)            \
    {                                                                                                      \
        for (int64_t j = 0; j < n; j++)                                                                    \
            memcpy(to + j * to_step * (int64_t)sizeof(type), from + j * from_step * (int64_t)sizeof(type), \
                   sizeof(type));                                                                          \
    }
typedef struct four_words {
    uint32_t word[4];
} four_words;
DEFINE_MOVE(move_4, uint32_t)
DEFINE_MOVE(move_8, uint64_t)
DEFINE_MOVE(move_16, four_words)

static void move_elements(size_t size, const char *from, int64_t from_step, char *to, int64_t to_step, int64_t n)
{
    if (size == 4)
        move_4(from, from_step, to, to_step, n);
    else if (size == 8)
        move_8(from, from_step, to, to_step, n);
    else
        move_16(from, from_step, to, to_step, n);
}

/* Between lines first .. first + count - 1 of t and dense ones. Where lines lie closer than the elements of a line,
 * element by element across the lines. */
static void move_lines(const work *w, const poy_tensor *t, size_t size, int64_t first, int64_t count, int64_t length,
                       int64_t dist, char *dense, int back)
{
    int64_t step = t->stride[w->axes], place[GROUP_SIZE];
    int64_t bytes = (int64_t)size;
    char *start = poyi_cpu_start(t);
    for (int64_t l = 0; l < count; l++)
        place[l] = poyi_cpu_place(t, 0, w->axes, first + l);
    int across = count > 1 && step != 1;
    for (int64_t l = 0; l < count && !across; l++) {
        char *line = start + place[l] * bytes, *row = dense + l * dist * bytes;
        move_elements(size, back ? row : line, back ? 1 : step, back ? line : row, back ? step : 1, length);
    }
    for (int64_t j = 0; j < length && across; j++)
        for (int64_t l = 0; l < count; l++) {
            char *element = start + (place[l] + j * step) * bytes, *row = dense + (l * dist + j) * bytes;
            memcpy(back ? element : row, back ? row : element, size);
        }
}

static void scale_line(const work *w, char *line, int64_t n)
{
    int is_single = poy_dtype_real(w->y->dtype) == POY_F32;
    int64_t parts = n * (poy_dtype_is_complex(w->y->dtype) ? 2 : 1);
    float *f = (float *)(void *)line, s = (float)w->arg->scale;
    double *d = (double *)(void *)line;
    for (int64_t i = 0; i < parts && is_single; i++)
        f[i] *= s;
    for (int64_t i = 0; i < parts && !is_single; i++)
        d[i] *= w->arg->scale;
}

/* ---- groups ---- */

static void transform_group(const work *w, int64_t group, char *in_scratch, char *out_scratch)
{
    int64_t first = group * w->group, count = w->lines - first < w->group ? w->lines - first : w->group;
    char *in = in_scratch, *out = out_scratch;

    if (w->dense_in)
        in = poyi_cpu_start(w->x) + poyi_cpu_place(w->x, 0, w->axes, first) * (int64_t)w->in_size;
    else
        move_lines(w, w->x, w->in_size, first, count, w->in_length, w->in_dist, in, 0);
    if (w->dense_out)
        out = poyi_cpu_start(w->y) + poyi_cpu_place(w->y, 0, w->axes, first) * (int64_t)w->out_size;
    if (w->many && count == w->group)
        poyi_fft_plan_run(w->many, in, out);
    else
        for (int64_t l = 0; l < count; l++)
            poyi_fft_plan_run(w->one, in + l * w->in_dist * (int64_t)w->in_size,
                              out + l * w->out_dist * (int64_t)w->out_size);
    if (w->arg->scale != 1)
        for (int64_t l = 0; l < count; l++)
            scale_line(w, out + l * w->out_dist * (int64_t)w->out_size, w->out_length);
    if (!w->dense_out)
        move_lines(w, w->y, w->out_size, first, count, w->out_length, w->out_dist, out, 1);
}

/* Every group of lines of t lies in one piece, every line aligned. */
static int is_dense(const work *w, const poy_tensor *t, size_t size, int64_t length)
{
    int64_t line = length * (int64_t)size, step = length;
    if (t->stride[w->axes] != 1 && length != 1)
        return 0;
    if ((uintptr_t)poyi_cpu_start(t) % ALIGNED || (w->lines > 1 && line % ALIGNED))
        return 0;
    for (int i = w->axes - 1; i >= 0; i--) {
        if (t->extent[i] != 1 && t->stride[i] != step)
            return 0;
        step *= t->extent[i];
    }
    return 1;
}

static poy_status make_plans(poy_ctx *ctx, const poyi_cpu *cpu, work *w)
{
    poyi_fft_spec spec = {.real = poy_dtype_real(w->x->dtype),
                          .kind = w->arg->kind,
                          .sign = w->arg->sign,
                          .n = w->arg->n,
                          .howmany = 1,
                          .in_dist = w->in_dist,
                          .out_dist = w->out_dist};
    if (w->arg->n > SHORT || w->lines < w->group || w->lines % w->group)
        POYI_TRY(ctx, poyi_fft_plan_get(ctx, cpu, &spec, NULL, NULL, &w->one));
    spec.howmany = w->group;
    if (w->arg->n <= SHORT && w->lines >= w->group && w->group > 1)
        POYI_TRY(ctx, poyi_fft_plan_get(ctx, cpu, &spec, NULL, NULL, &w->many));
    return POY_OK;
}

/* A line's length, longer where the next line would not be aligned. */
static int64_t aligned_length(int64_t length, size_t size)
{
    int64_t elements = size < ALIGNED ? ALIGNED / (int64_t)size : 1;
    return (length + elements - 1) / elements * elements;
}

static void choose_group(work *w)
{
    w->in_dist = aligned_length(w->in_length, w->in_size);
    w->out_dist = aligned_length(w->out_length, w->out_size);
    w->dense_in = is_dense(w, w->x, w->in_size, w->in_length);
    w->dense_out = is_dense(w, w->y, w->out_size, w->out_length);
    w->group = w->arg->n <= SHORT ? GROUP_SIZE / w->arg->n : w->dense_in && w->dense_out ? 1 : LONG_GROUP;
}

/* Groups in parts, each with scratch of its own. */
typedef struct parts {
    const work *w;
    int64_t groups, n;
    char *scratch;
    size_t each, in; /* bytes of a part's; of what a group is gathered to */
} parts;

static void transform_parts(const void *all, int64_t begin, int64_t end)
{
    const parts *p = all;
    for (int64_t part = begin; part < end; part++) {
        char *mine = p->scratch + (size_t)part * p->each;
        for (int64_t g = p->groups * part / p->n; g < p->groups * (part + 1) / p->n; g++)
            transform_group(p->w, g, mine, mine + p->in);
    }
}

static poy_status run_groups(poy_ctx *ctx, const work *w)
{
    int64_t groups = (w->lines + w->group - 1) / w->group;
    int threads = groups > 1 ? poyi_cpu_team(ctx, w->lines * w->arg->n) : 1;
    /* Each thread's scratch: a group in, a group out, both aligned. */
    size_t in = ((size_t)(w->group * w->in_dist) * w->in_size + 63) / 64 * 64;
    size_t out = ((size_t)(w->group * w->out_dist) * w->out_size + 63) / 64 * 64;
    size_t each = (w->dense_in ? 0 : in) + (w->dense_out ? 0 : out), bytes = 0;
    void *scratch = NULL;

    if (each) {
        POYI_TRY(ctx,
                 poyi_mul_size(ctx, each, (size_t)groups < (size_t)threads ? (size_t)groups : (size_t)threads, &bytes));
        POYI_TRY(ctx, poyi_alloc(ctx, "cpu.fft", bytes, &scratch));
    }
    const int team = groups < threads ? (int)groups : threads;
    const parts p = {.w = w,
                     .groups = groups,
                     .n = team,
                     .scratch = scratch ? scratch : poyi_cpu_start(w->x), /* not used where there is no scratch */
                     .each = each,
                     .in = w->dense_in ? 0 : in};
    poyi_cpu_share(team, team, transform_parts, &p);
    poyi_free(&scratch);
    return POY_OK;
}

static poy_status op_fft(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x, const poy_tensor *y)
{
    poy_status status = POY_OK;
    work w = {.arg = arg,
              .x = x,
              .y = y,
              .axes = x->rank - 1,
              .lines = 1,
              .in_length = x->extent[x->rank - 1],
              .out_length = y->extent[y->rank - 1],
              .in_size = poy_dtype_size(x->dtype),
              .out_size = poy_dtype_size(y->dtype)};

    for (int i = 0; i < w.axes; i++)
        w.lines *= x->extent[i];
    choose_group(&w);
    POYI_TO_DONE(ctx, make_plans(ctx, be, &w));
    POYI_TO_DONE(ctx, run_groups(ctx, &w));
done:
    poyi_fft_plan_release(&w.many);
    poyi_fft_plan_release(&w.one);
    return status;
}

#define ENTRY(type)                                                                               \
    {                                                                                             \
        .op = {.name = "fft", .family = POY_FAMILY_fft, .dtype = POY_##type, .cell.fft = op_fft } \
    }

const poyi_cpu_entry *poyi_cpu_fft(size_t *n)
{
    static const poyi_cpu_entry entries[] = {ENTRY(F32), ENTRY(F64), ENTRY(C64), ENTRY(C128)};
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
