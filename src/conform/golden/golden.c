/* golden.c: golden operations of a file: read, run on a backend, judged. */
#include "conform/golden/golden.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform/isolate.h"
#include "conform/part.h"
#include "core/core.h"
#include "poynting/conform_golden.h"

/* ---- reading: words, of which the file tells the line where one is wrong ---- */

typedef struct reader {
    FILE *file;
    int line, broken; /* of the word read last; the first one that is not as it should be */
} reader;

static void spoil(reader *r)
{
    if (!r->broken)
        r->broken = r->line;
}

static int next(reader *r)
{
    const int c = getc(r->file);
    r->line += c == '\n';
    return c;
}

static void word(reader *r, char *out, size_t size)
{
    size_t n = 0;
    int c = next(r);
    while (c == ' ' || c == '\n')
        c = next(r);
    for (; c != EOF && c != ' ' && c != '\n'; c = next(r))
        if (n + 1 < size)
            out[n++] = (char)c;
        else
            spoil(r);
    if (c == '\n') /* it ends the word's line */
        r->line -= ungetc(c, r->file) == '\n';
    out[n] = '\0';
    if (!n)
        spoil(r);
}

static double real_number(reader *r)
{
    char text[64], *end;
    word(r, text, sizeof text);
    const double x = strtod(text, &end);
    if (*end)
        spoil(r);
    return x;
}

/* From least to most. */
static int64_t integer(reader *r, int64_t least, int64_t most)
{
    char text[64], *end;
    word(r, text, sizeof text);
    const int64_t i = strtoll(text, &end, 10);
    if (!*end && i >= least && i <= most)
        return i;
    spoil(r);
    return least > 0 ? least : 0;
}

static int keyword(reader *r, const char *wanted)
{
    char text[32];
    word(r, text, sizeof text);
    if (strcmp(text, wanted) != 0)
        spoil(r);
    return !r->broken;
}

static int dtype_of(const char *name, poy_dtype *out)
{
    for (int t = 0; t < POY_DTYPE_COUNT; t++)
        if (!strcmp(poy_dtype_name((poy_dtype)t), name)) {
            *out = (poy_dtype)t;
            return 1;
        }
    return 0;
}

static void read_array(reader *r, poyi_golden_array *a, int has_window)
{
    const int64_t far = 100000;
    char dtype[8];
    word(r, dtype, sizeof dtype);
    if (!dtype_of(dtype, &a->dtype))
        spoil(r);
    a->rank = (int)integer(r, 0, POY_RANK_MAX);
    for (int i = 0; i < a->rank; i++)
        a->extent[i] = integer(r, 0, far);
    for (int i = 0; i < a->rank && has_window; i++)
        a->stride[i] = integer(r, -far, far);
    a->offset = has_window ? integer(r, 0, far) : 0;
    const int parts = poy_dtype_is_complex(a->dtype) ? 2 : 1;
    a->n = integer(r, 0, POYI_GOLDEN_VALUES / parts);
    for (int64_t i = 0; i < parts * a->n && !r->broken; i++)
        a->part[i] = real_number(r);
}

static void read_case(reader *r, poyi_golden *c)
{
    memset(c, 0, sizeof *c);
    if (!keyword(r, "case"))
        return;
    word(r, c->id, sizeof c->id);
    word(r, c->op, sizeof c->op);
    word(r, c->mode, sizeof c->mode);
    c->rtol = real_number(r);
    c->atol = real_number(r);
    word(r, c->status, sizeof c->status);
    c->n_in = (int)integer(r, 0, POYI_GOLDEN_INPUTS);
    c->n_out = (int)integer(r, 0, POYI_GOLDEN_OUTPUTS);
    keyword(r, "arg");
    c->n_arg = (int)integer(r, 0, sizeof c->arg / sizeof c->arg[0]);
    for (int i = 0; i < c->n_arg; i++)
        c->arg[i] = integer(r, INT64_MIN, INT64_MAX);
    keyword(r, "value");
    c->value.re = real_number(r);
    c->value.im = real_number(r);
    word(r, c->text, sizeof c->text);
    dtype_of(c->text, &c->dtype);
    for (int k = 0; k < c->n_in && keyword(r, "in"); k++)
        read_array(r, &c->in[k], 1);
    for (int k = 0; k < c->n_out && keyword(r, "out"); k++)
        read_array(r, &c->out[k], 0);
}

/* ---- elements ---- */

static void set_part(poy_dtype dtype, void *bytes, int64_t i, double x)
{
    switch (dtype) {
    case POY_F32:
    case POY_C64: ((float *)bytes)[i] = (float)x; break;
    case POY_F64:
    case POY_C128: ((double *)bytes)[i] = x; break;
    case POY_I32: ((int32_t *)bytes)[i] = (int32_t)x; break;
    case POY_I64: ((int64_t *)bytes)[i] = (int64_t)x; break;
    case POY_B8: ((unsigned char *)bytes)[i] = x != 0; break;
    }
}

double poyi_golden_part(poy_dtype dtype, const void *bytes, int64_t i)
{
    switch (dtype) {
    case POY_F32:
    case POY_C64: return (double)((const float *)bytes)[i];
    case POY_F64:
    case POY_C128: return ((const double *)bytes)[i];
    case POY_I32: return ((const int32_t *)bytes)[i];
    case POY_I64: return (double)((const int64_t *)bytes)[i];
    case POY_B8: return ((const unsigned char *)bytes)[i];
    }
    return NAN;
}

/* ---- running ---- */

static poy_status make_input(poy_ctx *ctx, poy_backend *be, const poyi_golden_array *t, poy_array **base,
                             poy_array **window)
{
    static unsigned char bytes[POYI_GOLDEN_VALUES * sizeof(double)];
    int64_t parts = t->n * (poy_dtype_is_complex(t->dtype) ? 2 : 1);
    for (int64_t i = 0; i < parts; i++)
        set_part(t->dtype, bytes, i, t->part[i]);
    poy_status status = poy_array_create(ctx, be, t->dtype, 1, &t->n, base);
    if (status == POY_OK)
        status = poy_array_write(ctx, *base, bytes);
    if (status == POY_OK)
        status = poy_array_view(ctx, *base, t->rank, t->extent, t->stride, t->offset, window);
    return status;
}

/* ---- judging ---- */

static int close_to(const poyi_golden *c, double got, double want, double size)
{
    if (!strcmp(c->mode, "exact"))
        return got == want || (isnan(got) && isnan(want));
    return fabs(got - want) <= c->atol + c->rtol * size || got == want || (isnan(got) && isnan(want));
}

/* By modulus; "cclose" part by part, with the signs. */
static int matches(const poyi_golden *c, const poyi_golden_array *out, const void *bytes, size_t size, char *text)
{
    int step = poy_dtype_is_complex(out->dtype) ? 2 : 1, by_part = strcmp(c->mode, "close") != 0;
    for (int64_t i = 0; i < out->n; i++) {
        const double *want = &out->part[step * i];
        double got[2] = {poyi_golden_part(out->dtype, bytes, step * i),
                         step == 2 ? poyi_golden_part(out->dtype, bytes, 2 * i + 1) : 0};
        const double length = step == 2 ? hypot(want[0], want[1]) : fabs(want[0]);
        int good;
        if (step == 1 || by_part) {
            good = close_to(c, got[0], want[0], length) && (step == 1 || close_to(c, got[1], want[1], length));
            if (!strcmp(c->mode, "cclose"))
                good = good && !signbit(got[1]) == !signbit(want[1]);
        } else {
            good = close_to(c, hypot(got[0] - want[0], got[1] - want[1]), 0, length);
        }
        if (!good) {
            snprintf(text, size, "element %d: got %.17g%+.17gi, want %.17g%+.17gi", (int)i, got[0], got[1], want[0],
                     step == 2 ? want[1] : 0);
            return 0;
        }
    }
    return 1;
}

static int judge_output(poy_ctx *ctx, const poyi_golden *c, const poyi_golden_array *want, const poy_array *out,
                        size_t size, char *text)
{
    static unsigned char bytes[POYI_GOLDEN_VALUES * sizeof(double)];
    int same = out && poy_array_dtype(out) == want->dtype && poy_array_rank(out) == want->rank;
    for (int i = 0; same && i < want->rank; i++)
        same = poy_array_extent(out, i) == want->extent[i];
    if (!same) {
        snprintf(text, size, "type or shape differ: %s of rank %d",
                 out ? poy_dtype_name(poy_array_dtype(out)) : "nothing", out ? poy_array_rank(out) : 0);
        return 0;
    }
    if (poy_array_read(ctx, out, bytes) == POY_OK)
        return matches(c, want, bytes, size, text);
    snprintf(text, size, "its output cannot be read: %s", poy_ctx_cause(ctx));
    return 0;
}

static int judge(poy_ctx *ctx, const poyi_golden *c, poy_status status, poy_array *const *out, size_t size, char *text)
{
    if (strcmp(poy_status_name(status), c->status) != 0) {
        snprintf(text, size, "came to %s, should come to %s: %s", poy_status_name(status), c->status,
                 poy_ctx_cause(ctx));
        return 0;
    }
    if (status != POY_OK) {
        if (out[0])
            snprintf(text, size, "came to %s, and left an output", c->status);
        return out[0] == NULL;
    }
    if (!strcmp(c->mode, "eigh") || !strcmp(c->mode, "svd"))
        return poyi_golden_factors(ctx, c, out, size, text);
    for (int k = 0; k < c->n_out; k++)
        if (!judge_output(ctx, c, &c->out[k], out[k], size, text))
            return 0;
    return 1;
}

static void check(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_conform_golden_case *told)
{
    poy_array *base[POYI_GOLDEN_INPUTS] = {NULL}, *window[POYI_GOLDEN_INPUTS] = {NULL},
              *out[POYI_GOLDEN_OUTPUTS] = {NULL};
    poy_status status = POY_OK;

    for (int k = 0; k < c->n_in && status == POY_OK; k++)
        status = make_input(ctx, be, &c->in[k], &base[k], &window[k]);
    if (status == POY_OK)
        status = poyi_golden_run(ctx, be, c, window, out);
    told->passed = judge(ctx, c, status, out, sizeof told->failure, told->failure);
    poy_ctx_clear(ctx); /* refusals are what some cases are about */
    for (int k = 0; k < POYI_GOLDEN_OUTPUTS; k++)
        poy_array_destroy(&out[k]);
    for (int k = 0; k < c->n_in; k++) {
        poy_array_destroy(&window[k]);
        poy_array_destroy(&base[k]);
    }
}

/* ---- all of a file, on which a process goes on where another one died ---- */

enum { ENDED_MAX = 128 };

typedef struct told_case {
    char id[64], op[32];
    poy_conform_golden_case c;
} told_case;

typedef struct way {
    poyi_watch watch; /* first: isolate.h */
    int64_t at;       /* the case of the file that is under way */
    int64_t n;        /* cases told of */
    int n_ended;
    struct {
        char op[32];
        int crashes, is_given_up;
    } ended[ENDED_MAX]; /* operations that crashed or hung */
    told_case told[];   /* as many as the file has cases */
} way;

typedef struct run {
    const poy_conform_options *options;
    const char *path;
    const char *only; /* the id of the one case; NULL: all */
    way *way;
    poy_conform_golden_fn *fn;
    void *user;
    int *cases, *failed;
} run;

static void tell_case(void *user)
{
    const run *r = user;
    const poy_conform_golden_case *c = &r->way->told[*r->cases].c;
    ++*r->cases;
    *r->failed += !c->passed;
    if (r->fn)
        r->fn(r->user, c);
}

/* Of the operation under way. An operation more than there is place for is given up at once. */
static int count_end(way *w, const char *op, int is_late)
{
    int i = 0;
    while (i < w->n_ended && strcmp(w->ended[i].op, op) != 0)
        i++;
    if (i == ENDED_MAX)
        return 1;
    if (i == w->n_ended)
        memcpy(w->ended[w->n_ended++].op, op, strlen(op) + 1);
    w->ended[i].crashes++;
    return w->ended[i].is_given_up = is_late || w->ended[i].crashes >= POYI_CRASHES_MAX;
}

static int is_given_up(const way *w, const char *op)
{
    for (int i = 0; i < w->n_ended; i++)
        if (!strcmp(w->ended[i].op, op))
            return w->ended[i].is_given_up;
    return w->n_ended == ENDED_MAX;
}

static void end_case(void *shared, const char *how, int is_late)
{
    way *w = shared;
    char op[sizeof w->told[0].op];
    told_case *t = &w->told[w->n++];
    memcpy(op, t->op, sizeof op);
    t->c.crashed = 1;
    t->c.hung = is_late;
    snprintf(t->c.failure, sizeof t->c.failure, "%s", how);
    if (count_end(w, op, is_late)) {
        const size_t used = strlen(t->c.failure);
        snprintf(t->c.failure + used, sizeof t->c.failure - used, "; cases of %s behind it are left out", op);
    }
    w->at++;
    w->watch.told(w->watch.user);
}

static void start_case(way *w, const poyi_golden *c)
{
    char name[96];
    told_case *t = &w->told[w->n];
    snprintf(name, sizeof name, "golden:%s", c->id);
    memcpy(t->id, c->id, sizeof t->id);
    memcpy(t->op, c->op, sizeof t->op);
    t->c = (poy_conform_golden_case){.id = t->id, .op = t->op};
    poyi_watch_begin(&w->watch, 1, name);
}

/* The file from its first case on; those before way.at were run already. */
static poy_status run_file(poy_ctx *ctx, poy_backend *be, int64_t count, reader *r, const run *all, poyi_golden *c)
{
    way *w = all->way;
    for (int64_t i = 0; i < count && !r->broken; i++) {
        read_case(r, c);
        if (r->broken || i < w->at || (all->only && strcmp(c->id, all->only) != 0) || is_given_up(w, c->op))
            continue;
        POYI_TRY(ctx, poyi_conform_goes_on(ctx));
        w->at = i;
        start_case(w, c);
        check(ctx, be, c, &w->told[w->n].c);
        w->n++;
        w->at++;
        poyi_watch_tell(&w->watch);
    }
    if (!r->broken && all->only && !w->n)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: there is no golden case '%s' in %s", all->only, all->path);
    return POY_OK;
}

enum { NAME_SIZE = 4096 };

/* Opens ops.txt in a folder, or a file, and reads how many cases there are; name [NAME_SIZE]: which of both. */
static poy_status open_file(poy_ctx *ctx, const char *path, char *name, reader *r, int64_t *count)
{
    static const int64_t most = 100000;
    *r = (reader){.line = 1};
    snprintf(name, NAME_SIZE, "%s/ops.txt", path);
    r->file = fopen(name, "r");
    if (!r->file) {
        snprintf(name, NAME_SIZE, "%s", path);
        r->file = fopen(path, "r");
    }
    const int first = r->file ? getc(r->file) : EOF;
    const int why = errno;
    if (!r->file || (first == EOF && ferror(r->file))) { /* a folder can be opened, but not read */
        if (r->file)
            fclose(r->file);
        r->file = NULL;
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: no golden operations can be read there: %s", path, strerror(why));
    }
    ungetc(first, r->file);
    keyword(r, "cases");
    *count = integer(r, 1, most);
    return POY_OK;
}

static poy_status close_file(poy_ctx *ctx, const char *name, const reader *r)
{
    if (r->file)
        fclose(r->file);
    return r->broken ? POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s:%d: not a file of golden operations, or a damaged one",
                                 name, r->broken)
                     : POY_OK;
}

static poy_status work(poy_ctx *ctx, void *shared)
{
    way *w = shared;
    const run *all = w->watch.user;
    poy_status status = POY_OK;
    poy_backend *be = NULL;
    char name[NAME_SIZE] = "";
    int64_t count = 0;
    void *block = NULL;
    reader r = {NULL, 1, 0};

    poyi_watch_begin(&w->watch, 0, "opened");
    POYI_TO_DONE(ctx, poy_backend_open(ctx, all->options->backend, &be));
    POYI_TO_DONE(ctx, open_file(ctx, all->path, name, &r, &count));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "conform", sizeof(poyi_golden), &block));
    POYI_TO_DONE(ctx, run_file(ctx, be, count, &r, all, block));
done:
    poyi_free(&block);
    const poy_status closed = close_file(ctx, name, &r);
    status = status == POY_OK ? closed : status;
    poyi_watch_begin(&w->watch, 0, "closed");
    poy_backend_close(&be);
    return status;
}

poy_status poy_conform_golden(poy_ctx *ctx, const poy_conform_options *options, const char *path,
                              poy_conform_golden_fn *fn, void *user, int *cases, int *failed)
{
    poy_conform_options o;
    poyi_case_id only;
    char name[NAME_SIZE];
    int64_t count = 0;
    reader r;
    void *shared = NULL;

    *cases = *failed = 0;
    POYI_TRY(ctx, poyi_conform_options_read(ctx, options, &o));
    run all = {.options = &o, .path = path, .fn = fn, .user = user, .cases = cases, .failed = failed};
    if (o.only) {
        POYI_TRY(ctx, poyi_case_id_read(ctx, o.only, "golden", 0, "golden:g042_exp_f32", &only));
        all.only = only.of;
    }
    POYI_TRY(ctx, open_file(ctx, path, name, &r, &count));
    POYI_TRY(ctx, close_file(ctx, name, &r));
    const size_t bytes = sizeof(way) + (size_t)count * sizeof(told_case);
    POYI_TRY(ctx, poyi_watch_create(ctx, bytes, &shared));
    all.way = shared;
    const poyi_task task = {.work = work, .died = end_case, .told = tell_case, .user = &all, .seconds = o.case_seconds};
    const poy_status status = poyi_task_run(ctx, &task, o.isolated, shared);
    poyi_watch_destroy(bytes, &shared);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poyi_task_run", __func__, __FILE__, __LINE__);
    return POY_OK;
}
