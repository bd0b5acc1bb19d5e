/* linop_leaf.c: operators that stand alone: identity, zero, dense, diagonal, Fourier, a caller's. */
#include <math.h>
#include <stdlib.h>

#include "operator/dense.h"
#include "operator/operator.h"

/* ---- identity, zero ---- */

static poy_status copy_through(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    (void)op;
    (void)work;
    (void)k;
    POYI_TRY(ctx, poy_copy_into(ctx, x, y));
    return POY_OK;
}

static poy_status make_zero(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                            poy_array *y)
{
    (void)op;
    (void)work;
    (void)k;
    (void)x;
    POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, y));
    return POY_OK;
}

const poyi_linop_kind poyi_linop_identity = {"identity", copy_through, copy_through, 0, NULL};
const poyi_linop_kind poyi_linop_zero = {"zero", make_zero, make_zero, 0, NULL};

poy_status poy_linop_identity(poy_ctx *ctx, poy_space *space, poy_linop **out)
{
    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_identity, space, space, out));
    (*out)->hermitian = (*out)->positive = (*out)->unitary = POY_YES;
    return POY_OK;
}

poy_status poy_linop_zero(poy_ctx *ctx, poy_space *domain, poy_space *codomain, poy_linop **out)
{
    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_zero, domain, codomain, out));
    if ((*out)->hermitian == POY_UNKNOWN)
        (*out)->hermitian = (*out)->positive = POY_YES;
    if (domain->size)
        (*out)->unitary = POY_NO;
    return POY_OK;
}

/* ---- dense ---- */

/* Rows of x times the transpose of a. */
static poy_status multiply_rows(poy_ctx *ctx, const poy_array *x, const poy_array *a, poy_array *y)
{
    poy_array t = *a;
    t.extent[0] = a->extent[1];
    t.extent[1] = a->extent[0];
    t.stride[0] = a->stride[1];
    t.stride[1] = a->stride[0];
    t.contiguous = poyi_window_contiguous(2, t.extent, t.stride);
    POYI_TRY(ctx, poy_matmul_into(ctx, x, &t, y));
    return POY_OK;
}

static poy_status dense_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                              poy_array *y)
{
    poy_status status;
    poy_array *tx = NULL, *ty = NULL, fx, fy;

    POYI_TO_DONE(ctx, poyi_flat(ctx, work, k, x, 1, &fx, &tx));
    POYI_TO_DONE(ctx, poyi_flat(ctx, work, k, y, 0, &fy, &ty));
    if (!k)
        POYI_TO_DONE(ctx, poy_matmul_into(ctx, op->a, &fx, &fy));
    else if (op->symmetric) /* BLAS is faster without transposing */
        POYI_TO_DONE(ctx, poy_matmul_into(ctx, &fx, op->a, &fy));
    else
        POYI_TO_DONE(ctx, multiply_rows(ctx, &fx, op->a, &fy));
    POYI_TO_DONE(ctx, poyi_unflat(ctx, work, &ty, y));
done:
    poyi_work_give(work, &tx);
    poyi_work_give(work, &ty);
    return status;
}

/* A^H x = conj(conj(x)^T A): no second matrix. */
static poy_status dense_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                poy_array *y)
{
    poy_status status;
    const int complex_type = poy_dtype_is_complex(op->a->dtype);
    poy_array *tx = NULL, *ty = NULL, *conjugate = NULL, fx, fy;

    POYI_TO_DONE(ctx, poyi_flat(ctx, work, k, x, 1, &fx, &tx));
    POYI_TO_DONE(ctx, poyi_flat(ctx, work, k, y, 0, &fy, &ty));
    if (complex_type) {
        POYI_TO_DONE(ctx, poyi_work_like(ctx, work, &fx, &conjugate));
        POYI_TO_DONE(ctx, poy_conj_into(ctx, &fx, conjugate));
    }
    POYI_TO_DONE(ctx, poy_matmul_into(ctx, complex_type ? conjugate : &fx, op->a, &fy));
    if (complex_type)
        POYI_TO_DONE(ctx, poy_conj_into(ctx, &fy, &fy));
    POYI_TO_DONE(ctx, poyi_unflat(ctx, work, &ty, y));
done:
    poyi_work_give(work, &conjugate);
    poyi_work_give(work, &tx);
    poyi_work_give(work, &ty);
    return status;
}

const poyi_linop_kind poyi_linop_dense = {"dense", dense_apply, dense_adjoint, 1, NULL};

/* Is W A = (W A)^H? Only for diagonal metrics. */
static poy_status compare_dense(poy_ctx *ctx, poy_linop *op)
{
    double complex *a = NULL;
    const double *w = op->domain->weights;
    const int64_t n = op->domain->size;
    if (op->hermitian == POY_NO || !(poy_space_can(op->domain) & POY_SPACE_DIAGONAL))
        return POY_OK;
    POYI_TRY(ctx, poyi_dense_read(ctx, op->a, &a));
    if (poyi_facts_not_finite(op, a, n * n)) {
        free(a);
        return POY_OK;
    }
    op->hermitian = POY_YES;
    op->symmetric = 1;
    for (int64_t i = 0; i < n && (op->hermitian == POY_YES || op->symmetric); i++)
        for (int64_t j = 0; j <= i; j++) {
            op->symmetric &= creal(a[i * n + j]) == creal(a[j * n + i]) && cimag(a[i * n + j]) == cimag(a[j * n + i]);
            const double complex here = a[i * n + j] * (w ? w[i] : 1.0), there = conj(a[j * n + i]) * (w ? w[j] : 1.0);
            if (!(cabs(here - there) <= (1e-8 + 1e-5 * cabs(a[j * n + i])) * (w ? w[j] : 1.0)))
                op->hermitian = POY_NO;
        }
    for (int64_t i = 0; i < n; i++)
        a[i] = a[i * n + i];
    poyi_facts_of_matrix(op, a, n);
    free(a);
    return POY_OK;
}

poy_status poy_linop_dense(poy_ctx *ctx, const poy_array *a, poy_space *domain, poy_space *codomain, poy_linop **out)
{
    poy_status status = POY_OK;
    int64_t shape[2 * POY_RANK_MAX];
    const int64_t flat[2] = {codomain->size, domain->size};
    const int rank = codomain->rank + domain->rank;

    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_dense, domain, codomain, out));
    for (int i = 0; i < rank; i++)
        shape[i] = i < codomain->rank ? codomain->extent[i] : domain->extent[i - codomain->rank];
    if (!poyi_shape_equal(rank, shape, a->rank, a->extent) && !poyi_shape_equal(2, flat, a->rank, a->extent)) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "dense operator: the matrix has shape %s, the spaces want %s",
                           poyi_shape_print(a->rank, a->extent).text, poyi_shape_print(2, flat).text);
        goto done;
    }
    if (a->dtype != domain->dtype || a->be != domain->be) {
        status = POYI_FAIL(ctx, a->be != domain->be ? POY_ERR_BACKEND : POY_ERR_DTYPE,
                           "dense operator: the matrix is %s on '%s', the spaces %s on '%s'", poy_dtype_name(a->dtype),
                           poy_backend_name(a->be), poy_dtype_name(domain->dtype), poy_backend_name(domain->be));
        goto done;
    }
    POYI_TO_DONE(ctx, poy_array_reshape(ctx, a, 2, flat, &(*out)->a));
    POYI_TO_DONE(ctx, compare_dense(ctx, *out));
done:
    if (status != POY_OK)
        poy_linop_destroy(out);
    return status;
}

/* ---- diagonal ---- */

static poy_status diagonal_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    (void)work;
    (void)k;
    POYI_TRY(ctx, poy_mul_into(ctx, op->a, x, y));
    return POY_OK;
}

static poy_status diagonal_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                   poy_array *y)
{
    (void)work;
    (void)k;
    POYI_TRY(ctx, poy_mul_into(ctx, op->a_h ? op->a_h : op->a, x, y));
    return POY_OK;
}

const poyi_linop_kind poyi_linop_diagonal = {"diagonal", diagonal_apply, diagonal_adjoint, 1, NULL};

static poy_status compare_diagonal(poy_ctx *ctx, poy_linop *op)
{
    double complex *d = NULL;
    if (!(poy_space_can(op->domain) & POY_SPACE_DIAGONAL))
        return POY_OK;
    POYI_TRY(ctx, poyi_dense_read(ctx, op->a, &d));
    poyi_facts_of_diagonal(op, d, op->a->size);
    free(d);
    return POY_OK;
}

poy_status poy_linop_diagonal(poy_ctx *ctx, const poy_array *d, poy_space *space, poy_linop **out)
{
    poy_status status = POY_OK;

    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_diagonal, space, space, out));
    if (d->dtype != space->dtype || d->be != space->be) {
        status =
            POYI_FAIL(ctx, d->be != space->be ? POY_ERR_BACKEND : POY_ERR_DTYPE,
                      "diagonal operator: the diagonal is %s on '%s', the space %s on '%s'", poy_dtype_name(d->dtype),
                      poy_backend_name(d->be), poy_dtype_name(space->dtype), poy_backend_name(space->be));
        goto done;
    }
    POYI_TO_DONE(ctx, poy_array_broadcast_to(ctx, d, space->rank, space->extent, &(*out)->a));
    if (poy_dtype_is_complex(d->dtype))
        POYI_TO_DONE(ctx, poy_conj(ctx, (*out)->a, &(*out)->a_h));
    POYI_TO_DONE(ctx, compare_diagonal(ctx, *out));
done:
    if (status != POY_OK)
        poy_linop_destroy(out);
    return status;
}

/* ---- Fourier: scalar is (scale, sign) ---- */

static poy_status fourier(poy_ctx *ctx, const poy_linop *op, int adjoint, const poy_array *x, poy_array *y)
{
    poy_fft_options o;
    poy_fft_options_init(&o);
    o.sign = (op->scalar.im > 0) == !adjoint ? 1 : -1;
    o.scale = op->scalar.re;
    o.axis = op->axis;
    POYI_TRY(ctx, poy_fft_into(ctx, x, &o, y));
    return POY_OK;
}

static poy_status fourier_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                poy_array *y)
{
    (void)work;
    (void)k;
    return fourier(ctx, op, 0, x, y);
}

static poy_status fourier_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                  poy_array *y)
{
    (void)work;
    (void)k;
    return fourier(ctx, op, 1, x, y);
}

static const poyi_linop_kind fourier_kind = {"fft", fourier_apply, fourier_adjoint, 1, NULL};

poy_status poy_linop_fft(poy_ctx *ctx, poy_space *space, int axis, int sign, double scale, poy_linop **out)
{
    *out = NULL;
    if (!poy_dtype_is_complex(space->dtype))
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "fft operator: the space is %s; the transform of a real one is complex",
                         poy_dtype_name(space->dtype));
    if (axis < -space->rank || axis >= space->rank)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "fft operator: no axis %d in shape %s", axis,
                         poyi_shape_print(space->rank, space->extent).text);
    if ((sign != 1 && sign != -1) || !isfinite(scale))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "fft operator: sign %d, scale %g; the sign is -1 or 1", sign, scale);
    POYI_TRY(ctx, poyi_linop_new(ctx, &fourier_kind, space, space, out));
    (*out)->scalar = (poy_scalar){scale, sign};
    (*out)->axis = axis < 0 ? axis : axis - space->rank;
    if (space->geometry == POYI_EUCLIDEAN) {
        const double one = scale * scale * (double)space->extent[space->rank + (*out)->axis];
        (*out)->unitary = fabs(one - 1) <= 8 * poyi_eps(space->dtype) ? POY_YES : POY_NO;
    }
    return POY_OK;
}

/* ---- a caller's ---- */

static poy_status call_user(poy_ctx *ctx, const poy_linop *op, poy_linop_fn *f, int64_t k, const poy_array *x,
                            poy_array *y)
{
    poy_status status = POY_OK;
    for (int64_t i = 0; i < (k ? k : 1) && status == POY_OK; i++) {
        const int whole = !k || op->user.flags & POY_LINOP_BATCH;
        const poy_array from = whole ? *x : poyi_member(x, i);
        poy_array to = whole ? *y : poyi_member(y, i);
        poy_ctx_clear(ctx); /* a bare code must not show an old account */
        status = f(ctx, op->user.user, &from, &to);
        if (whole)
            break;
    }
    if (status != POY_OK)
        return poyi_passed(ctx, status, "a caller's operator", __func__, __FILE__, __LINE__);
    return POY_OK;
}

static poy_status user_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                             poy_array *y)
{
    (void)work;
    return call_user(ctx, op, op->user.apply, k, x, y);
}

static poy_status user_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    (void)work;
    return call_user(ctx, op, op->user.adjoint ? op->user.adjoint : op->user.apply, k, x, y);
}

static void release_user(poy_linop *op)
{
    if (op->user.release)
        op->user.release(op->user.user);
}

static const poyi_linop_kind user_kind = {"user", user_apply, user_adjoint, 1, release_user};

static int has_weights_at_most(const poy_space *s)
{
    return s->geometry == POYI_EUCLIDEAN || s->geometry == POYI_WEIGHTED;
}

int poyi_linop_calls_back(const poy_linop *op)
{
    int found = op->kind == &user_kind || !has_weights_at_most(op->domain) || !has_weights_at_most(op->codomain);
    for (int i = 0; i < op->n_ops; i++)
        found |= op->ops[i] && poyi_linop_calls_back(op->ops[i]);
    return found;
}

poy_status poy_linop_create(poy_ctx *ctx, poy_space *domain, poy_space *codomain, const poy_linop_user *user,
                            poy_linop **out)
{
    const unsigned flags = user->flags, sides = flags & (POY_LINOP_COORDINATE | POY_LINOP_METRIC);
    *out = NULL;
    if (user->size != sizeof *user)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "operator: a description of %zu bytes, this library's has %zu",
                         user->size, sizeof *user);
    if (!user->apply)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "operator: no function apply");
    if (!user->adjoint && !(flags & (POY_LINOP_HERMITIAN | POY_LINOP_POSITIVE)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "operator: no adjoint; give one, or say POY_LINOP_HERMITIAN");
    if (user->adjoint && (!sides || sides == (POY_LINOP_COORDINATE | POY_LINOP_METRIC)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "operator: say of the adjoint whether it is that of the coordinates (POY_LINOP_COORDINATE) or "
                         "of the inner products (POY_LINOP_METRIC)");
    if (flags & (POY_LINOP_HERMITIAN | POY_LINOP_POSITIVE) && !poy_space_equal(domain, codomain))
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "operator: Hermitian, but its domain is not its codomain");
    if (flags & POY_LINOP_UNITARY && domain->size != codomain->size)
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "operator: unitary, from %lld coordinates to %lld",
                         (long long)domain->size, (long long)codomain->size);
    POYI_TRY(ctx, poyi_linop_new(ctx, &user_kind, domain, codomain, out));
    (*out)->user = *user;
    if (flags & (POY_LINOP_HERMITIAN | POY_LINOP_POSITIVE))
        (*out)->hermitian = POY_YES;
    if (flags & POY_LINOP_POSITIVE)
        (*out)->positive = POY_YES;
    if (flags & POY_LINOP_UNITARY)
        (*out)->unitary = POY_YES;
    (*out)->metric_adjoint = !user->adjoint || (flags & POY_LINOP_METRIC);
    return POY_OK;
}
