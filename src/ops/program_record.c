/* program_record.c: the recorder of programs (program.h): slots, segments and rows are collected in growing lists. */
#include "ops/program_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/row_check.h"

poy_status poyi_program_create(poy_ctx *ctx, const char *name, poyi_program **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for program '%s'", name);
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return POY_OK;
}

poy_status poyi_program_recording(poy_ctx *ctx, const poyi_program *p)
{
    if (p->be)
        return POYI_FAIL(ctx, POY_ERR_STATE, "program '%s' is bound to backend '%s' and cannot be changed", p->name,
                         poy_backend_name(p->be));
    return POY_OK;
}

/* A list of n elements with room for one more; NULL, and the list as it was, where there is no memory. */
static void *grown(poy_ctx *ctx, void *list, int n, size_t size)
{
    if (n & (n - 1)) /* room is made at powers of two */
        return list;
    void *new = realloc(list, (size_t)(n ? 2 * n : 1) * size);
    if (!new)
        (void)POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a program of %d entries", n + 1);
    return new;
}

static poy_status find_group(poy_ctx *ctx, poyi_program *p, const char *name, int *out)
{
    const int length = (int)strcspn(name, ".");
    char group[POYI_PROGRAM_NAME];
    snprintf(group, sizeof group, "%.*s", length, name);
    for (*out = 0; *out < p->n_groups; ++*out)
        if (!strcmp(p->groups[*out], group))
            return POY_OK;
    if (p->n_groups == POYI_PROGRAM_GROUPS - 1) /* one is for scratch */
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s' has more than %d groups of slots", p->name,
                         POYI_PROGRAM_GROUPS - 1);
    memcpy(p->groups[p->n_groups++], group, sizeof group);
    return POY_OK;
}

poy_status poyi_program_slot(poy_ctx *ctx, poyi_program *p, const char *name, poy_dtype dtype, int64_t cols,
                             int64_t len, int *out)
{
    size_t bytes = 0;
    int group = 0;

    *out = -1;
    POYI_TRY(ctx, poyi_program_recording(ctx, p));
    if (strlen(name) >= POYI_PROGRAM_NAME)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "slot '%s': a name has %d characters at most", name,
                         POYI_PROGRAM_NAME - 1);
    for (int i = 0; i < p->n_slots; i++)
        if (!strcmp(p->slots[i].name, name))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s' has two slots named '%s'", p->name, name);
    if (cols < 1 || len < 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "slot '%s': %" PRId64 " columns of %" PRId64 ", needs at least 1 of 1",
                         name, cols, len);
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)cols, (size_t)len, &bytes));
    POYI_TRY(ctx,
             poyi_mul_size(ctx, bytes, 2 * poy_dtype_size(dtype), &bytes)); /* twice: sums of slots stay in range */
    POYI_TRY(ctx, find_group(ctx, p, name, &group));
    void *slots = grown(ctx, p->slots, p->n_slots, sizeof *p->slots);
    if (!slots)
        return POY_ERR_MEMORY;
    p->slots = slots;
    program_slot *s = &p->slots[p->n_slots];
    *s = (program_slot){.shape = {dtype, cols, len}, .owner = p->n_slots, .group = group};
    memcpy(s->name, name, strlen(name) + 1);
    *out = p->n_slots++;
    return POY_OK;
}

poy_status poyi_program_window(poy_ctx *ctx, poyi_program *p, int of, int64_t first, int64_t cols, int *out)
{
    *out = -1;
    POYI_TRY(ctx, poyi_program_recording(ctx, p));
    if (of < 0 || of >= p->n_slots || first < 0 || cols < 1 || cols > p->slots[of].shape.cols - first)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "program '%s': no columns %" PRId64 " to %" PRId64 " in slot %d", p->name,
                         first, first + cols - 1, of);
    void *slots = grown(ctx, p->slots, p->n_slots, sizeof *p->slots);
    if (!slots)
        return POY_ERR_MEMORY;
    p->slots = slots;
    program_slot *s = &p->slots[p->n_slots];
    *s = p->slots[of];
    s->name[0] = '\0';
    s->shape.cols = cols;
    s->within += first * s->shape.len * (int64_t)poy_dtype_size(s->shape.dtype);
    *out = p->n_slots++;
    return POY_OK;
}

poy_status poyi_program_segment(poy_ctx *ctx, poyi_program *p, const char *name, int *out)
{
    *out = -1;
    POYI_TRY(ctx, poyi_program_recording(ctx, p));
    void *segments = grown(ctx, p->segments, p->n_segments, sizeof *p->segments);
    if (!segments)
        return POY_ERR_MEMORY;
    p->segments = segments;
    p->segments[p->n_segments] = (program_segment){.first = p->n_rows};
    snprintf(p->segments[p->n_segments].name, POYI_PROGRAM_NAME, "%s", name);
    *out = p->n_segments++;
    return POY_OK;
}

poy_row_spec poyi_program_spec(const poyi_program *p, const program_row *r)
{
    poy_row_spec spec = {.row = r->name, .n_slots = r->n_slots, .arg = r->arg, .n_scalars = r->n_scalars};
    for (int i = 0; i < r->n_slots; i++)
        if (r->slots[i] >= 0)
            spec.slot[i] = p->slots[r->slots[i]].shape;
    return spec;
}

/* r as the last row of the last segment, with a copy of its argument. */
static poy_status add_row(poy_ctx *ctx, poyi_program *p, program_row *r, const void *arg)
{
    if (p->n_rows > UINT16_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "program '%s' has %d rows, the most that there can be", p->name,
                         p->n_rows);
    void *rows = grown(ctx, p->rows, p->n_rows, sizeof *p->rows);
    if (!rows)
        return POY_ERR_MEMORY;
    p->rows = rows;
    if (r->arg_bytes) {
        r->arg = malloc(r->arg_bytes);
        if (!r->arg)
            return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the argument of row %s", r->name);
        memcpy(r->arg, arg, r->arg_bytes);
    }
    p->rows[p->n_rows++] = *r;
    p->segments[p->n_segments - 1].n++;
    return POY_OK;
}

poy_status poyi_program_row(poy_ctx *ctx, poyi_program *p, const char *name, int n_slots, const int *slots,
                            const void *arg, size_t arg_bytes, int scalar, int n_scalars)
{
    program_row r = {.name = poyi_row_name(name),
                     .n_slots = n_slots,
                     .arg_bytes = arg_bytes,
                     .scalar = scalar,
                     .n_scalars = n_scalars};

    POYI_TRY(ctx, poyi_program_recording(ctx, p));
    if (!p->n_segments)
        return POYI_FAIL(ctx, POY_ERR_STATE, "program '%s': row %s before the first segment", p->name, name);
    if (!r.name)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s': no row named '%s'", p->name, name);
    if (n_slots < 0 || n_slots > POY_STEP_BUFFERS || scalar < 0 || n_scalars < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s: %d slots, %d scalars from %d on; a row has 0 to %d slots",
                         name, n_slots, n_scalars, scalar, POY_STEP_BUFFERS);
    for (int i = 0; i < n_slots; i++) {
        if (slots[i] < -1 || slots[i] >= p->n_slots)
            return POYI_FAIL(ctx, POY_ERR_INDEX, "row %s: slot %d is %d; program '%s' has %d", name, i, slots[i],
                             p->name, p->n_slots);
        r.slots[i] = slots[i];
    }
    poy_row_spec spec = poyi_program_spec(p, &r);
    spec.arg = arg;
    POYI_TRY(ctx, poyi_row_check(ctx, &spec, arg_bytes));
    POYI_TRY(ctx, add_row(ctx, p, &r, arg));
    return POY_OK;
}

poy_status poyi_program_call(poy_ctx *ctx, poyi_program *p, const char *name, poyi_step_run *run, const void *arg,
                             size_t arg_bytes, poy_backend *by)
{
    program_row r = {.name = name, .arg_bytes = arg_bytes, .call = run, .by = by};
    for (int i = 0; i < POY_STEP_BUFFERS; i++)
        r.slots[i] = -1;
    POYI_TRY(ctx, poyi_program_recording(ctx, p));
    POYI_TRY(ctx, add_row(ctx, p, &r, arg));
    return POY_OK;
}
