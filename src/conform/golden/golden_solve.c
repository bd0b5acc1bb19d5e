/* golden_solve.c: golden cases of solvers, and of the adjoint between weighted spaces. */
#include <string.h>

#include "conform/golden/golden.h"

/* Passes a failure on; what was made is given back at the end. */
#define TRY(call)             \
    do {                      \
        status = (call);      \
        if (status != POY_OK) \
            goto done;        \
    } while (0)

static poy_status answer(poy_ctx *ctx, poy_backend *be, double value, poy_dtype dtype, poy_array **out)
{
    return poy_fill(ctx, be, (poy_scalar){value, 0}, dtype, 0, NULL, out);
}

/* The values besides x that a case asks for. */
static poy_status answers(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, const poy_solve_result *r,
                          poy_array **out)
{
    poy_status status = POY_OK;
    if (c->n_out > 1)
        status = answer(ctx, be, r->converged, POY_B8, &out[1]);
    if (status == POY_OK && c->n_out > 2)
        status = answer(ctx, be, (double)r->iterations, POY_I64, &out[2]);
    return status;
}

static poy_status solve(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, const poy_linop *a, poy_array *const *in,
                        poy_array **out)
{
    poy_solve_options o;
    poy_solve_result r;
    poy_status status = POY_OK;
    poy_array *x = NULL;
    double lowest = 0;
    const int finds_value = !strcmp(c->op, "lanczos") || !strcmp(c->op, "power");

    poy_solve_options_init(&o);
    o.tol = c->op[0] == 'e' ? c->rtol / 10 : c->value.re; /* of an exponential, value is t */
    o.maxiter = c->arg[0];
    TRY(poy_fill(ctx, be, (poy_scalar){0, 0}, c->in[0].dtype, 1, &c->in[0].extent[1], &x));
    if (!strcmp(c->op, "cg")) {
        TRY(poy_cg(ctx, a, in[1], &o, x, &r));
    } else if (!strcmp(c->op, "lsqr")) {
        TRY(poy_lsqr(ctx, a, in[1], &o, x, &r));
    } else if (!strcmp(c->op, "expm")) {
        TRY(poy_expm_apply(ctx, a, c->value, in[1], &o, x, &r));
    } else {
        o.x0 = in[1];
        if (!strcmp(c->op, "power"))
            TRY(poy_power(ctx, a, &o, x, &r));
        else
            TRY(poy_lanczos(ctx, a, 1, &o, &lowest, NULL, &r));
    }
    if (finds_value) {
        TRY(answer(ctx, be, r.eigenvalue, POY_F64, &out[0]));
    } else {
        out[0] = x;
        x = NULL;
        TRY(answers(ctx, be, c, &r, out));
    }
done:
    poy_array_destroy(&x);
    return status;
}

poy_status poyi_golden_solve(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in, poy_array **out)
{
    static const char *const known[] = {"cg", "lsqr", "expm", "power", "lanczos", "linop_adjoint"};
    int is_known = 0;
    const int weighted = !strcmp(c->op, "linop_adjoint"), square = c->in[0].extent[0] == c->in[0].extent[1];
    poy_status status = POY_OK;
    poy_space *domain = NULL, *codomain = NULL;
    poy_linop *a = NULL;

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        is_known |= !strcmp(c->op, known[i]);
    if (!is_known)
        return POY_ERR_UNSUPPORTED; /* a golden operation that nobody runs fails */
    if (weighted) {
        TRY(poy_space_weighted(ctx, in[1], c->in[0].dtype, 1, &c->in[0].extent[1], &domain));
        TRY(poy_space_weighted(ctx, in[2], c->in[0].dtype, 1, &c->in[0].extent[0], &codomain));
    } else {
        TRY(poy_space_dense(ctx, be, c->in[0].dtype, 1, &c->in[0].extent[1], &domain));
        if (square)
            codomain = poy_space_keep(domain);
        else
            TRY(poy_space_dense(ctx, be, c->in[0].dtype, 1, &c->in[0].extent[0], &codomain));
    }
    TRY(poy_linop_dense(ctx, in[0], domain, codomain, &a));
    if (weighted) {
        TRY(poy_space_zeros(ctx, domain, &out[0]));
        TRY(poy_adjoint_apply(ctx, a, NULL, in[3], out[0]));
    } else {
        TRY(solve(ctx, be, c, a, in, out));
    }
done:
    poy_linop_destroy(&a);
    poy_space_destroy(&codomain);
    poy_space_destroy(&domain);
    return status;
}
