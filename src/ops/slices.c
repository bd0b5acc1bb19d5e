/* slices.c: windows on arrays that move along some of their axes; what callbacks return. */
#include "ops/slices.h"

poy_status poyi_slices_add(poy_ctx *ctx, poyi_slices *s, const poy_array *a, int n, const int *axes)
{
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX], *step = s->step[s->n];
    int rank = 0, gone[POY_RANK_MAX] = {0};
    for (int k = 0; k < POY_RANK_MAX; k++)
        step[k] = k < n ? a->stride[axes[k]] : 0;
    for (int k = 0; k < n; k++)
        gone[axes[k]] = 1;
    for (int i = 0; i < a->rank; i++)
        if (!gone[i]) {
            extent[rank] = a->extent[i];
            stride[rank++] = a->stride[i];
        }
    POYI_TRY(ctx, poy_array_view(ctx, a, rank, extent, stride, 0, &s->at[s->n]));
    s->n++;
    return POY_OK;
}

void poyi_slices_fini(poyi_slices *s)
{
    for (int k = 0; k < s->n; k++)
        poy_array_destroy(&s->at[k]);
}

void poyi_slices_move(poyi_slices *s, int axis, int64_t by)
{
    for (int k = 0; k < s->n; k++)
        s->at[k]->offset += by * s->step[k][axis];
}

poy_status poyi_check_counts(poy_ctx *ctx, int n_x, int n_y)
{
    if (n_x < 0 || n_y < 0 || n_x > POY_CARRY_MAX || n_y > POY_CARRY_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%d arrays in and %d out, there can be up to %d", n_x, n_y,
                         POY_CARRY_MAX);
    return POY_OK;
}

poy_status poyi_callback_passed(poy_ctx *ctx, poy_status status, const char *what, const char *func, const char *file,
                                int line)
{
    return status == POY_OK ? POY_OK : poyi_passed(ctx, status, what, func, file, line);
}
