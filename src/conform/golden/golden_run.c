/* golden_run.c: golden operations by their names: the calls of the array layer that they stand for. */
#include <string.h>

#include "conform/golden/golden.h"

enum { ALL_AXES = -1000 };

typedef poy_status join_function(poy_ctx *, int, const poy_array *const *, poy_array **);
typedef poy_status unary_function(poy_ctx *, const poy_array *, poy_array **);
typedef poy_status binary_function(poy_ctx *, const poy_array *, const poy_array *, poy_array **);
typedef poy_status reduce_function(poy_ctx *, const poy_array *, int, const int *, int, poy_array **);

static poy_status reduce(poy_ctx *ctx, const poyi_golden *c, reduce_function *f, const poy_array *x, poy_array **out)
{
    int axes[POY_RANK_MAX], n = c->n_arg - 1;
    for (int i = 0; i < n; i++)
        axes[i] = (int)c->arg[1 + i];
    if (n == 1 && axes[0] == ALL_AXES)
        n = POY_ALL_AXES;
    return f(ctx, x, n, axes, (int)c->arg[0], out);
}

static poy_status run_sparse(poy_ctx *ctx, const poyi_golden *c, poy_array *const *in, poy_array **out)
{
    poy_sparse *a = NULL;
    const poy_sparse_format format = (poy_sparse_format)c->arg[0];
    int is_product = !strcmp(c->op, "spmm");
    poy_status status = is_product ? poy_sparse_create(ctx, format, c->arg[1], c->arg[2], in[0], in[1], in[2], &a)
                                   : poy_sparse_from_dense(ctx, in[0], format, &a);
    if (status == POY_OK)
        status = is_product ? poy_spmm(ctx, a, POY_SPARSE_AS_IS, in[3], out)
                            : poy_sparse_parts(ctx, a, &out[0], &out[1], &out[2]);
    poy_sparse_destroy(&a);
    return status;
}

static poy_status run_linalg(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in, poy_array **out)
{
    if (!strcmp(c->op, "einsum"))
        return poy_einsum(ctx, c->text, c->n_in, (const poy_array *const *)in, out);
    if (!strcmp(c->op, "solve"))
        return poy_solve(ctx, in[0], in[1], out);
    if (!strcmp(c->op, "cholesky"))
        return poy_cholesky(ctx, in[0], out);
    if (!strcmp(c->op, "eigvalsh"))
        return poy_eigh(ctx, in[0], out, NULL);
    if (!strcmp(c->op, "eigh"))
        return poy_eigh(ctx, in[0], out, out + 1);
    if (!strcmp(c->op, "svd"))
        return poy_svd(ctx, in[0], (int)c->arg[0], out, out + 1, out + 2);
    if (!strcmp(c->op, "spmm") || !strcmp(c->op, "assparse"))
        return run_sparse(ctx, c, in, out);
    return poyi_golden_solve(ctx, be, c, in, out);
}

/* Views of the input, and what is made of several. */
static poy_status run_arranged(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in,
                               poy_array **out)
{
    static const struct {
        const char *op;
        join_function *f;
    } joins[] = {
        {"hstack", poy_hstack}, {"vstack", poy_vstack}, {"dstack", poy_dstack}, {"column_stack", poy_column_stack}};
    const poy_array *const *parts = (const poy_array *const *)in;
    int axes[POY_RANK_MAX] = {0}, all = c->n_arg == 1 && c->arg[0] == ALL_AXES;

    for (int i = 0; i < c->n_arg; i++)
        axes[i] = (int)c->arg[i];
    if (!strcmp(c->op, "reshape"))
        return poy_array_reshape(ctx, in[0], c->n_arg, c->arg, out);
    if (!strcmp(c->op, "broadcast"))
        return poy_array_broadcast_to(ctx, in[0], c->n_arg, c->arg, out);
    if (!strcmp(c->op, "transpose"))
        return poy_array_transpose(ctx, in[0], axes, out);
    if (!strcmp(c->op, "swapaxes"))
        return poy_array_swap_axes(ctx, in[0], axes[0], axes[1], out);
    if (!strcmp(c->op, "moveaxis"))
        return poy_array_move_axes(ctx, in[0], c->n_arg / 2, axes, axes + c->n_arg / 2, out);
    if (!strcmp(c->op, "expand_dims"))
        return poy_array_expand_dims(ctx, in[0], c->n_arg, axes, out);
    if (!strcmp(c->op, "squeeze"))
        return poy_array_squeeze(ctx, in[0], all ? POY_ALL_AXES : c->n_arg, axes, out);
    if (!strcmp(c->op, "stack"))
        return poy_stack(ctx, c->n_in, parts, axes[0], out);
    if (!strcmp(c->op, "concatenate"))
        return poy_concatenate(ctx, c->n_in, parts, axes[0], out);
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; i++)
        if (!strcmp(joins[i].op, c->op))
            return joins[i].f(ctx, c->n_in, parts, out);
    if (!strcmp(c->op, "diagonal"))
        return poy_array_diagonal(ctx, in[0], c->arg[0], out);
    if (!strcmp(c->op, "diag"))
        return poy_diag(ctx, in[0], c->arg[0], out);
    if (!strcmp(c->op, "tril"))
        return poy_tril(ctx, in[0], c->arg[0], out);
    if (!strcmp(c->op, "triu"))
        return poy_triu(ctx, in[0], c->arg[0], out);
    if (!strcmp(c->op, "trace"))
        return poy_trace(ctx, in[0], out);
    if (!strcmp(c->op, "eye"))
        return poy_eye(ctx, be, c->arg[0], c->arg[1], 0, c->dtype, out);
    if (!strcmp(c->op, "arange"))
        return poy_arange(ctx, be, c->in[0].part[0], c->in[0].part[1], c->in[0].part[2], c->dtype, out);
    return run_linalg(ctx, be, c, in, out);
}

static poy_status run_composed(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in,
                               poy_array **out)
{
    int close = 0;
    if (!strcmp(c->op, "vector_norm"))
        return poy_vector_norm(ctx, in[0], c->value.re, (int)c->arg[0], 0, out);
    if (!strcmp(c->op, "matrix_norm"))
        return poy_matrix_norm(ctx, in[0], c->value.re, NULL, 0, out);
    if (!strcmp(c->op, "logsumexp")) {
        int axis = (int)c->arg[2];
        return poy_logsumexp(ctx, in[0], c->arg[0] ? in[1] : NULL, axis == ALL_AXES ? POY_ALL_AXES : 1, &axis, 0, out,
                             c->arg[1] ? out + 1 : NULL);
    }
    if (strcmp(c->op, "allclose") != 0)
        return run_arranged(ctx, be, c, in, out);
    poy_status status = poy_allclose(ctx, in[0], in[1], c->value.re, c->value.im, (int)c->arg[0], &close);
    return status == POY_OK ? poy_fill(ctx, be, (poy_scalar){close, 0}, POY_B8, 0, NULL, out) : status;
}

poy_status poyi_golden_run(poy_ctx *ctx, poy_backend *be, const poyi_golden *c, poy_array *const *in, poy_array **out)
{
    /* clang-format off */
#define UNARY(name) {#name, .unary = poy_##name}
#define BINARY(name) {#name, .binary = poy_##name}
#define REDUCE(name) {#name, .reduce = poy_##name}
    static const struct {
        const char *op;
        unary_function *unary;
        binary_function *binary;
        reduce_function *reduce;
    } functions[] = {
        UNARY(conj), UNARY(real), UNARY(imag), UNARY(abs), UNARY(sign), UNARY(sqrt), UNARY(exp), UNARY(log),
        UNARY(isfinite), UNARY(isnan), BINARY(add), BINARY(mul), BINARY(div), BINARY(maximum), BINARY(minimum),
        BINARY(matmul), BINARY(vdot), BINARY(kron), REDUCE(sum), REDUCE(prod), REDUCE(mean), REDUCE(norm), REDUCE(max), REDUCE(min),
        REDUCE(argmax), REDUCE(argmin),
    };
    /* clang-format on */
    const int axis = c->n_arg ? (int)c->arg[0] : 0;
    if (!strcmp(c->op, "sort"))
        return poy_sort(ctx, in[0], axis, out);
    if (!strcmp(c->op, "argsort"))
        return poy_argsort(ctx, in[0], axis, out);
    if (!strcmp(c->op, "take"))
        return poy_take(ctx, in[0], in[1], axis, out);
    if (!strcmp(c->op, "put"))
        return poy_put(ctx, in[0], in[1], in[2], axis, out);
    if (!strcmp(c->op, "put_add"))
        return poy_put_add(ctx, in[0], in[1], in[2], axis, out);
    if (!strcmp(c->op, "where"))
        return poy_where(ctx, in[0], in[1], in[2], out);
    if (!strcmp(c->op, "axpy"))
        return poy_axpy(ctx, in[0], in[1], in[2], out);
    if (!strcmp(c->op, "clip")) /* which bounds there are */
        return poy_clip(ctx, in[0], c->arg[0] ? in[1] : NULL, c->arg[1] ? in[1 + c->arg[0]] : NULL, out);
    if (!strcmp(c->op, "fill"))
        return poy_fill(ctx, be, c->value, c->dtype, c->n_arg, c->arg, out);
    if (!strcmp(c->op, "copy"))
        return poy_copy(ctx, in[0], c->dtype, out);
    if (!strcmp(c->op, "fft")) {
        poy_fft_options o;
        poy_fft_options_init(&o);
        o.axis = (int)c->arg[0];
        return poy_fft(ctx, in[0], &o, out);
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (!strcmp(functions[i].op, c->op))
            return functions[i].unary    ? functions[i].unary(ctx, in[0], out)
                   : functions[i].binary ? functions[i].binary(ctx, in[0], in[1], out)
                                         : reduce(ctx, c, functions[i].reduce, in[0], out);
    return run_composed(ctx, be, c, in, out);
}
