/* sparse_cases.c: cases of sparse products: no entries, empty rows, a dense row, repeated and unsorted entries, in three
 * formats, as they are, transposed and adjoint; what they should give; how they are run. Operands: first, second and
 * values as poy_sparse_create takes them, x; then y. */
#include "conform/oracle.h"
#include "poynting/sparse.h"

enum { PATTERNS = 5 };

/* ---- shapes ---- */

static int64_t majors_of(const poyi_case *c)
{
    return c->format == POY_SPARSE_CSC ? c->columns : c->rows;
}
static int64_t minors_of(const poyi_case *c)
{
    return c->format == POY_SPARSE_CSC ? c->rows : c->columns;
}

/* Entries of row (CSC: column) m. */
static int64_t count_of(const poyi_case *c, int64_t m)
{
    if (!minors_of(c))
        return 0;
    switch (c->index % PATTERNS) {
    case 0: return 1;                                        /* a diagonal */
    case 1: return m == majors_of(c) / 2 ? minors_of(c) : 0; /* one dense row, all others empty */
    case 2: return (m * 7 + c->index) % 5;                   /* some empty ones */
    case 3: return (m * 3 + c->index) % 23;                  /* long ones */
    default: return 0;
    }
}

void poyi_case_sparse(poyi_case *c, poyi_choice *choice)
{
    static const struct {
        int64_t rows, columns, k;
    } sizes[] = {{1, 1, 1}, {5, 7, 1},  {33, 40, 3}, {0, 3, 2},      {3, 0, 1},      {17, 17, 2},
                 {4, 4, 0}, {60, 9, 8}, {9, 60, 11}, {3000, 700, 9}, {1500, 1500, 1}};
    const int i = c->index % (int)(sizeof sizes / sizeof sizes[0]);
    const int side = poyi_choose(choice, 3), is_vector = sizes[i].k == 1 && poyi_choose(choice, 3);
    poyi_operand *first = &c->operand[0], *x = &c->operand[3], *y = &c->operand[4];
    int64_t entries = 0;

    c->n_in = 4;
    c->format = poyi_choose(choice, 3);
    c->side = side;
    c->rows = sizes[i].rows;
    c->columns = sizes[i].columns;
    for (int64_t m = 0; m < majors_of(c); m++)
        entries += count_of(c, m);
    c->n = entries;
    for (int k = 0; k < 3; k++) {
        c->operand[k].rank = 1;
        c->operand[k].extent[0] = entries;
        c->operand[k].dtype = poyi_choose(choice, 2) ? POY_I64 : POY_I32;
    }
    if (c->format != POY_SPARSE_COO)
        first->extent[0] = majors_of(c) + 1;
    c->operand[2].dtype = poyi_choose(choice, 3) ? c->dtype : poy_dtype_real(c->dtype);
    x->dtype = y->dtype = c->dtype;
    x->rank = y->rank = is_vector ? 1 : 2;
    x->extent[0] = side ? c->rows : c->columns;
    y->extent[0] = side ? c->columns : c->rows;
    x->extent[1] = y->extent[1] = sizes[i].k;
}

/* ---- values ---- */

static void set_place(poyi_operand *o, int64_t i, int64_t place)
{
    poyi_wide_store(o->dtype, o->bytes, poyi_operand_place(o, &i), (poyi_wide){(long double)place, 0});
}

static int64_t place_of(const poyi_operand *o, int64_t i)
{
    return (int64_t)poyi_wide_load(o->dtype, o->bytes, poyi_operand_place(o, &i)).re;
}

void poyi_case_fill_sparse(poyi_case *c, poyi_choice *choice)
{
    poyi_operand *first = &c->operand[0], *second = &c->operand[1];
    const int64_t majors = majors_of(c), minors = minors_of(c), n = second->extent[0];
    const int is_coo = c->format == POY_SPARSE_COO, all = c->index % PATTERNS == 1;
    int64_t at = 0;
    for (int64_t m = 0; m < majors; m++) {
        if (!is_coo)
            set_place(first, m, at);
        for (int64_t i = 0; i < count_of(c, m); i++, at++) {
            int64_t minor = all                        ? minors - 1 - i
                            : c->index % PATTERNS == 0 ? m % minors
                                                       : (int64_t)(poyi_choose_uniform(choice) * (double)minors);
            set_place(second, is_coo ? n - 1 - at : at, minor); /* triples need not be sorted at all */
            if (is_coo)
                set_place(first, n - 1 - at, m);
        }
    }
    if (!is_coo)
        set_place(first, majors, at);
}

/* ---- what comes out ---- */

static void add_entry(const poyi_case *c, int64_t row, int64_t column, int64_t i, int values, total *re, total *im,
                      int64_t *counts, poyi_expected *e)
{
    const poyi_operand *v = &c->operand[2], *x = &c->operand[3];
    const int64_t to = c->side ? column : row, from = c->side ? row : column, k = x->rank == 2 ? x->extent[1] : 1;
    extended a = joined(cast(poyi_wide_load(v->dtype, v->bytes, poyi_operand_place(v, &i)), c->dtype));
    a = c->side == POY_SPARSE_ADJOINT ? conjl(a) : a;
    for (int64_t j = 0; j < k; j++) {
        const int64_t index[2] = {from, j}, at = to * k + j;
        poyi_wide b = poyi_wide_load(x->dtype, x->bytes, poyi_operand_place(x, index));
        e->scale[at] += (double)(modulus(parted(a)) * modulus(b));
        counts[at]++;
        if (!values)
            continue;
        extended term = poy_dtype_is_complex(c->dtype) ? a * joined(b) : creall(a) * b.re;
        add(&re[at], creall(term));
        add(&im[at], cimagl(term));
    }
}

poy_status poyi_expect_sparse(poy_ctx *ctx, const poyi_case *c, int values, poyi_expected *e)
{
    poy_status status = POY_OK;
    const poyi_operand *first = &c->operand[0], *second = &c->operand[1], *y = poyi_case_result(c);
    void *re = NULL, *im = NULL, *counts = NULL;
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", (size_t)y->size * sizeof(total), &re));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", (size_t)y->size * sizeof(total), &im));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", (size_t)y->size * sizeof(int64_t), &counts));
    for (int64_t i = 0, major = 0; i < second->extent[0]; i++) {
        while (c->format != POY_SPARSE_COO && place_of(first, major + 1) <= i)
            major++;
        int64_t a = c->format == POY_SPARSE_COO ? place_of(first, i) : major, b = place_of(second, i);
        add_entry(c, c->format == POY_SPARSE_CSC ? b : a, c->format == POY_SPARSE_CSC ? a : b, i, values, re, im,
                  counts, e);
    }
    for (int64_t i = 0; i < y->size; i++) {
        if (values)
            e->value[i] = (poyi_wide){total_of(&((total *)re)[i]), total_of(&((total *)im)[i])};
        e->scale[i] *= (double)terms_counted(c, ((const int64_t *)counts)[i]);
    }
done:
    poyi_free(&counts);
    poyi_free(&im);
    poyi_free(&re);
    return status;
}

/* ---- running ---- */

/* Some of the matrices by way of another format, or transposed twice. */
static poy_status make_matrix(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_sparse *a = NULL, *b = NULL;
    const poy_sparse_format format = (poy_sparse_format)c->format;
    POYI_TO_DONE(ctx, poy_sparse_create(ctx, format, c->rows, c->columns, in[0], in[1], in[2], &a));
    if (c->index % 4 == 1) {
        POYI_TO_DONE(ctx, poy_sparse_convert(ctx, a, (poy_sparse_format)((c->format + 1) % 3), out));
    } else if (c->index % 4 == 2) {
        POYI_TO_DONE(ctx, poy_sparse_transpose(ctx, a, &b));
        POYI_TO_DONE(ctx, poy_sparse_transpose(ctx, b, out));
    } else {
        *out = a;
        a = NULL;
    }
done:
    poy_sparse_destroy(&b);
    poy_sparse_destroy(&a);
    return status;
}

poy_status poyi_run_sparse(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poy_sparse *a = NULL;
    const poy_sparse_side side = (poy_sparse_side)c->side;
    POYI_TO_DONE(ctx, make_matrix(ctx, c, in, &a));
    if (into)
        POYI_TO_DONE(ctx, poy_spmm_into(ctx, a, side, in[3], into));
    else
        POYI_TO_DONE(ctx, poy_spmm(ctx, a, side, in[3], made));
done:
    poy_sparse_destroy(&a);
    return status;
}
