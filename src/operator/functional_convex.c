/* functional_convex.c: convex functionals that are not smooth: p-norms of the coordinates, indicators of sets. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "operator/dense.h"
#include "operator/functional.h"

/* ---- (sum |x|^p)^(1/p), on the host, scaled by the largest modulus ---- */

static double p_norm(const double complex *x, int64_t n, double p)
{
    double largest = 0, sum = 0;
    for (int64_t i = 0; i < n; i++)
        largest = cabs(x[i]) > largest || isnan(cabs(x[i])) ? cabs(x[i]) : largest;
    if (!(largest > 0) || !isfinite(largest))
        return largest;
    for (int64_t i = 0; i < n; i++)
        sum += pow(cabs(x[i]) / largest, p);
    return largest * pow(sum, 1 / p);
}

static poy_status lp_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, double *value,
                              poy_array *gradient)
{
    poy_status status;
    double complex *host = NULL;
    poy_array *partials = NULL;
    POYI_TO_DONE(ctx, poyi_dense_read(ctx, x, &host));
    *value = p_norm(host, x->size, f->a);
    if (!gradient)
        goto done;
    for (int64_t i = 0; i < x->size; i++) {
        const double modulus = cabs(host[i]);
        host[i] = modulus > 0 ? host[i] / modulus * pow(modulus / *value, f->a - 1) : 0;
    }
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &partials));
    POYI_TO_DONE(ctx, poyi_dense_write(ctx, partials, host));
    POYI_TO_DONE(ctx, poyi_riesz_inverse(ctx, f->space, work, 0, partials, gradient));
done:
    poyi_work_give(work, &partials);
    free(host);
    return status;
}

/* Each coordinate shrinks towards 0 by t / w_i, its phase kept. */
static poy_status lp_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                          poy_array *y)
{
    poy_status status;
    const poy_space *s = f->space;
    double complex *host = NULL;
    if (f->a != 1 || !(poy_space_can(s) & POY_SPACE_DIAGONAL))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "the %g-norm%s has no proximal map in closed form", f->a,
                         f->a == 1 ? " in a metric that is not diagonal" : "");
    (void)work;
    POYI_TO_DONE(ctx, poyi_dense_read(ctx, x, &host));
    for (int64_t i = 0; i < x->size; i++) {
        const double modulus = cabs(host[i]), shrunk = modulus - t / (s->weights ? s->weights[i] : 1.0);
        host[i] = shrunk > 0 ? host[i] * (shrunk / modulus) : isnan(modulus) ? host[i] : 0;
    }
    POYI_TO_DONE(ctx, poyi_dense_write(ctx, y, host));
done:
    free(host);
    return status;
}

static const poyi_functional_kind lp_kind = {"p-norm", lp_evaluate, NULL, lp_prox};

poy_status poy_functional_lp(poy_ctx *ctx, poy_space *space, double p, poy_functional **out)
{
    *out = NULL;
    if (!(p >= 1) || !isfinite(p))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a %g-norm: p is finite and at least 1", p);
    POYI_TRY(ctx, poyi_functional_new(ctx, &lp_kind, space, 0, out));
    (*out)->a = p;
    return POY_OK;
}

/* ---- indicators ---- */

static double clip(void *user, double lambda)
{
    (void)user;
    return lambda > 0 ? lambda : 0;
}

static poy_status project_ball(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, poy_array *y)
{
    double norm;
    POYI_TRY(ctx, poyi_norm(ctx, f->space, work, 0, x, &norm));
    const poy_scalar shrink = {norm > f->a ? f->a / norm : 1, 0};
    POYI_TRY(ctx, poyi_scale(ctx, work, 0, &shrink, x, y));
    return POY_OK;
}

/* The nearest element of the set, whatever the step. */
static poy_status set_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                           poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *zero = NULL;
    (void)t;
    switch (f->set) {
    case POY_SET_NONNEGATIVE:
        POYI_TO_DONE(ctx, poyi_work_take(ctx, work, f->space->dtype, 0, NULL, &zero));
        POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, zero));
        POYI_TO_DONE(ctx, poy_maximum_into(ctx, x, zero, y));
        break;
    case POY_SET_POSITIVE: POYI_TO_DONE(ctx, poy_space_spectral_apply(ctx, f->space, x, clip, NULL, y)); break;
    case POY_SET_BALL: POYI_TO_DONE(ctx, project_ball(ctx, f, work, x, y)); break;
    }
done:
    poyi_work_give(work, &zero);
    return status;
}

/* Is x its own projection, up to rounding where that is more than a comparison? */
static poy_status set_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, double *value,
                               poy_array *gradient)
{
    poy_status status;
    poy_array *p = NULL;
    double apart, norm;
    if (gradient)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE, "the indicator of a set has no gradient; use its prox");
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &p));
    POYI_TO_DONE(ctx, set_prox(ctx, f, work, 1, x, p));
    POYI_TO_DONE(ctx, poy_sub_into(ctx, x, p, p));
    POYI_TO_DONE(ctx, poyi_norm(ctx, f->space, work, 0, p, &apart));
    POYI_TO_DONE(ctx, poyi_norm(ctx, f->space, work, 0, x, &norm));
    const double slack = f->set == POY_SET_NONNEGATIVE ? 0 : 64 * poyi_eps(f->space->dtype) * norm;
    *value = apart <= slack ? 0 : HUGE_VAL;
done:
    poyi_work_give(work, &p);
    return status;
}

static const poyi_functional_kind set_kind = {"indicator", set_evaluate, NULL, set_prox};

poy_status poy_functional_indicator(poy_ctx *ctx, poy_space *space, poy_set set, double radius, poy_functional **out)
{
    *out = NULL;
    if (set == POY_SET_NONNEGATIVE &&
        (poy_dtype_is_complex(space->dtype) || !(poy_space_can(space) & POY_SPACE_DIAGONAL)))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "coordinates at least 0: the space is real, its metric diagonal");
    if (set == POY_SET_POSITIVE && space->algebra != POYI_HERMITIAN)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "positive matrices are elements of a Hermitian space");
    if (set == POY_SET_BALL && !(radius >= 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a ball of radius %g", radius);
    POYI_TRY(ctx, poyi_functional_new(ctx, &set_kind, space, 0, out));
    (*out)->set = set;
    (*out)->a = radius;
    return POY_OK;
}
