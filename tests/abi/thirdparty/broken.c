/* broken.c: a backend in host memory whose additions of f64 end badly in the way that its settings name, for tensors of 70001
 * elements ("segv", "fpe", "bus", "abort", "exit"), for all ("every-segv", "sleep", "loop"; "every-fork", which leaves a process
 * behind), or that does so as it is "opened" or "closed", or whose row drive of programs is wrong ("row-wrong") or ends badly
 * ("row-segv", "row-sleep"); its copies of lists are good. Also a plug-in, built alone. */
#define _POSIX_C_SOURCE 200809L
#include "broken.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "poynting/pulse_rows.h"

#ifndef ABI_OF_IT
#define ABI_OF_IT POY_BACKEND_ABI
#endif

enum { RARE = 70001 };
typedef struct broken {
    char how[32];
} broken;

static volatile int zero;
static volatile double *volatile nowhere;

static void end_badly(const char *how)
{
    if (strstr(how, "segv"))
        *nowhere = 1; // NOLINT(clang-analyzer-core.NullDereference): that is what it is for
    if (!strcmp(how, "fpe"))
        raise(SIGFPE); /* integers divided by zero are that on some processors only */
    if (!strcmp(how, "bus"))
        raise(SIGBUS);
    if (strstr(how, "fork") && fork() == 0)
        for (;;)
            pause();
    if (!strcmp(how, "abort") || strstr(how, "fork"))
        abort();
    if (!strcmp(how, "exit"))
        _exit(3);
    while (!strcmp(how, "sleep") || !strcmp(how, "row-sleep"))
        pause();
    while (!strcmp(how, "loop"))
        zero = 0;
}

static int is_for_all(const char *how)
{
    return !strncmp(how, "every-", 6) || !strcmp(how, "sleep") || !strcmp(how, "loop");
}

static poy_status add_f64(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const broken *b = be;
    const double *p = (const double *)x->mem + x->offset, *q = (const double *)y->mem + y->offset;
    double *r = (double *)z->mem + z->offset;
    (void)ctx;
    for (int64_t i = 0; i < z->extent[0]; i++)
        r[i] = p[i] + q[i];
    if (z->extent[0] == RARE || is_for_all(b->how))
        end_badly(b->how);
    return POY_OK;
}

static const poy_op_entry *ops(void *be, size_t *n)
{
    static const poy_op_entry entries[] = {
        {.name = "add", .family = POY_FAMILY_binary, .dtype = POY_F64, .cell.binary = add_f64},
    };
    (void)be;
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

/* I = |A|^2 of one real or complex component, without a tail. */
static poy_status run_drive(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const broken *b = be;
    const double *plan = step->plan, *A = (const double *)step->buf[1].mem + step->buf[1].offset / 8;
    double *I = (double *)step->buf[0].mem + step->buf[0].offset / 8;
    const int64_t n = (int64_t)plan[0], parts = (int64_t)plan[1];
    (void)ctx, (void)scalars;
    for (int64_t i = 0; i < n; i++)
        I[i] = A[parts * i] * A[parts * i] + (parts == 2 ? A[2 * i + 1] * A[2 * i + 1] : 0);
    if (!strcmp(b->how, "row-wrong"))
        I[n / 2] += 1;
    if (!strncmp(b->how, "row-", 4))
        end_badly(b->how);
    return POY_OK;
}

static poy_status prepare_drive(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                size_t *work_bytes)
{
    const poy_row_drive *arg = spec->arg;
    const poy_slot *to = &spec->slot[0], *from = &spec->slot[1];
    (void)ctx, (void)be;
    if (arg->pol != 1 || arg->tensor || to->len != from->len)
        return POY_OK; /* left to the reference */
    step->run = run_drive;
    *work_bytes = 2 * sizeof(double);
    if (work.mem) {
        double *plan = (double *)work.mem + work.offset / 8;
        plan[0] = (double)(to->cols * to->len);
        plan[1] = from->dtype == POY_C128 ? 2 : 1;
        step->plan = plan;
    }
    return POY_OK;
}

static const poy_row_entry *rows(void *be, size_t *n)
{
    static const poy_row_entry entries[] = {{"drive", prepare_drive, NULL}};
    *n = strncmp(((const broken *)be)->how, "row-", 4) == 0;
    return entries;
}

static poy_status open_broken(poy_ctx *ctx, const char *settings, void **be)
{
    broken *b = calloc(1, sizeof *b);
    if (!b)
        return poy_ctx_fail(ctx, POY_ERR_MEMORY, "broken: no memory");
    snprintf(b->how, sizeof b->how, "%s", settings);
    if (!strcmp(settings, "opened"))
        end_badly("segv");
    *be = b;
    return POY_OK;
}

static void close_broken(void *be)
{
    if (!strcmp(((broken *)be)->how, "closed"))
        end_badly("segv");
    free(be);
}

static poy_status alloc(poy_ctx *ctx, void *be, size_t bytes, void **mem)
{
    (void)be;
    *mem = NULL;
    if (posix_memalign(mem, 64, bytes ? bytes : 1) != 0)
        return poy_ctx_fail(ctx, POY_ERR_MEMORY, "broken: no memory for %zu bytes", bytes);
    return POY_OK;
}

static void release(void *be, void *mem)
{
    (void)be;
    free(mem);
}

static poy_status write_host(poy_ctx *ctx, void *be, poy_buffer to, const void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    memcpy((char *)to.mem + to.offset, host, bytes);
    return POY_OK;
}

static poy_status read_host(poy_ctx *ctx, void *be, poy_buffer from, void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    memcpy(host, (const char *)from.mem + from.offset, bytes);
    return POY_OK;
}

const poy_backend_api broken_api = {.abi = ABI_OF_IT,
                                    .size = sizeof broken_api,
                                    .name = "broken",
                                    .flags = POY_BACKEND_HOST,
                                    .open = open_broken,
                                    .close = close_broken,
                                    .alloc = alloc,
                                    .release = release,
                                    .write = write_host,
                                    .read = read_host,
                                    .ops = ops,
                                    .rows = rows};

const poy_backend_api *poy_backend_entry(uint32_t abi)
{
    (void)abi; /* the library looks at that of the api, too */
    return &broken_api;
}
