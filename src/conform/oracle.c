/* oracle.c: what each operation should give: its formula in extended precision, element by element, and the scale of the
 * error that is allowed. Shares nothing with the backends. */
#include "conform/oracle.h"

/* What rounds to infinity in the output's type is infinite. */
static long double ranged(long double x, poy_dtype dtype)
{
    int overflows = is_single(dtype) ? isinf((float)x) : isinf((double)x);
    return overflows && !is_whole(dtype) ? copysignl(INFINITY, x) : x;
}

/* ---- element by element ---- */

static poyi_wide sign_of(const poyi_case *c, poyi_wide x)
{
    if (!poy_dtype_is_complex(c->dtype))
        return (poyi_wide){isnan(x.re) ? NAN : (long double)((x.re > 0) - (x.re < 0)), 0};
    long double m = modulus(x); /* in range for all of binary64 */
    return m == 0 ? (poyi_wide){0, 0} : (poyi_wide){x.re / m, x.im / m};
}

static poyi_wide unary(const poyi_case *c, poyi_wide x)
{
    int is_complex = poy_dtype_is_complex(c->dtype);
    switch (c->op) {
    case POYI_OP_copy: return cast(x, poyi_case_result(c)->dtype);
    case POYI_OP_neg:
        return is_whole(c->dtype) ? wrapped(0 - (uint64_t)(int64_t)x.re, c->dtype)
                                  : (poyi_wide){-x.re, is_complex ? -x.im : 0};
    case POYI_OP_conj: return (poyi_wide){x.re, is_complex ? -x.im : 0};
    case POYI_OP_real: return (poyi_wide){x.re, 0};
    case POYI_OP_imag: return (poyi_wide){x.im, 0};
    case POYI_OP_abs:
        if (is_whole(c->dtype))
            return x.re < 0 ? wrapped(0 - (uint64_t)(int64_t)x.re, c->dtype) : x;
        return (poyi_wide){is_complex ? cabsl(joined(x)) : fabsl(x.re), 0};
    case POYI_OP_sqrt: return is_complex ? parted(csqrtl(joined(x))) : (poyi_wide){sqrtl(x.re), 0};
    case POYI_OP_exp: return is_complex ? parted(cexpl(joined(x))) : (poyi_wide){expl(x.re), 0};
    case POYI_OP_sign: return sign_of(c, x);
    case POYI_OP_square:
        return is_whole(c->dtype) ? wrapped((uint64_t)(int64_t)x.re * (uint64_t)(int64_t)x.re, c->dtype)
               : is_complex       ? parted(joined(x) * joined(x))
                                  : (poyi_wide){x.re * x.re, 0};
    case POYI_OP_log: return is_complex ? parted(clogl(joined(x))) : (poyi_wide){logl(x.re), 0};
    case POYI_OP_expm1: return (poyi_wide){expm1l(x.re), 0};
    case POYI_OP_log1p: return (poyi_wide){log1pl(x.re), 0};
    case POYI_OP_sin: return (poyi_wide){sinl(x.re), 0};
    case POYI_OP_cos: return (poyi_wide){cosl(x.re), 0};
    case POYI_OP_tan: return (poyi_wide){tanl(x.re), 0};
    case POYI_OP_sinh: return (poyi_wide){sinhl(x.re), 0};
    case POYI_OP_cosh: return (poyi_wide){coshl(x.re), 0};
    case POYI_OP_tanh: return (poyi_wide){tanhl(x.re), 0};
    case POYI_OP_floor: return (poyi_wide){floorl(x.re), 0};
    case POYI_OP_isfinite: return (poyi_wide){isfinite(x.re) && isfinite(x.im), 0};
    case POYI_OP_isnan: return (poyi_wide){isnan(x.re) || isnan(x.im), 0};
    case POYI_OP_logical_not: return (poyi_wide){x.re == 0 && x.im == 0, 0};
    default: return (poyi_wide){NAN, NAN}; /* a new row without its formula fails */
    }
}

static int is_nonzero(poyi_wide x)
{
    return x.re != 0 || x.im != 0;
}

/* x^y modulo 2^64, digit by decimal digit of y from the first: (x^10)^10 ... x^digit. */
static uint64_t whole_power(uint64_t x, uint64_t y)
{
    uint64_t power = 1, digit = 10000000000000000000u;
    for (; digit; digit /= 10) {
        uint64_t tenth = 1;
        for (int k = 0; k < 10; k++)
            tenth *= power;
        power = tenth;
        for (uint64_t k = y / digit % 10; k; k--)
            power *= x;
    }
    return power;
}

static poyi_wide binary(const poyi_case *c, poyi_wide x, poyi_wide y)
{
    int is_complex = poy_dtype_is_complex(c->dtype);
    if (is_whole(c->dtype)) {
        uint64_t a = (uint64_t)(int64_t)x.re, b = (uint64_t)(int64_t)y.re;
        switch (c->op) {
        case POYI_OP_add: return wrapped(a + b, c->dtype);
        case POYI_OP_sub: return wrapped(a - b, c->dtype);
        case POYI_OP_mul: return wrapped(a * b, c->dtype);
        case POYI_OP_pow: return wrapped(whole_power(a, b), c->dtype); /* of b8, too: 0^1 = 0, the others are 1 */
        default: break;
        }
    }
    switch (c->op) {
    case POYI_OP_add: return (poyi_wide){x.re + y.re, x.im + y.im};
    case POYI_OP_sub: return (poyi_wide){x.re - y.re, x.im - y.im};
    case POYI_OP_mul: return is_complex ? parted(joined(x) * joined(y)) : (poyi_wide){x.re * y.re, 0};
    case POYI_OP_div: return is_complex ? parted(joined(x) / joined(y)) : (poyi_wide){x.re / y.re, 0};
    case POYI_OP_maximum: return (poyi_wide){isnan(x.re) || isnan(y.re) ? NAN : x.re > y.re ? x.re : y.re, 0};
    case POYI_OP_minimum: return (poyi_wide){isnan(x.re) || isnan(y.re) ? NAN : x.re < y.re ? x.re : y.re, 0};
    case POYI_OP_pow: return (poyi_wide){powl(x.re, y.re), 0};
    case POYI_OP_cis_mul: return parted(joined(x) * CMPLXL(cosl(y.re), sinl(y.re)));
    case POYI_OP_atan2: return (poyi_wide){atan2l(x.re, y.re), 0};
    case POYI_OP_hypot: return (poyi_wide){hypotl(x.re, y.re), 0};
    case POYI_OP_eq: return (poyi_wide){x.re == y.re && x.im == y.im, 0};
    case POYI_OP_ne: return (poyi_wide){!(x.re == y.re && x.im == y.im), 0};
    case POYI_OP_lt: return (poyi_wide){x.re < y.re, 0};
    case POYI_OP_le: return (poyi_wide){x.re <= y.re, 0};
    case POYI_OP_gt: return (poyi_wide){x.re > y.re, 0};
    case POYI_OP_ge: return (poyi_wide){x.re >= y.re, 0};
    case POYI_OP_logical_and: return (poyi_wide){is_nonzero(x) && is_nonzero(y), 0};
    case POYI_OP_logical_or: return (poyi_wide){is_nonzero(x) || is_nonzero(y), 0};
    case POYI_OP_logical_xor: return (poyi_wide){is_nonzero(x) != is_nonzero(y), 0};
    default: return (poyi_wide){NAN, NAN};
    }
}

static poyi_wide ternary(const poyi_case *c, poyi_wide x, poyi_wide y, poyi_wide z)
{
    switch (c->op) {
    case POYI_OP_where: return is_nonzero(x) ? y : z;
    case POYI_OP_clip:
        if (isnan(x.re) || isnan(y.re) || isnan(z.re))
            return (poyi_wide){NAN, 0};
        return (poyi_wide){fminl(fmaxl(x.re, y.re), z.re), 0};
    case POYI_OP_axpy:
        if (is_whole(c->dtype))
            return wrapped((uint64_t)(int64_t)x.re * (uint64_t)(int64_t)y.re + (uint64_t)(int64_t)z.re, c->dtype);
        return poy_dtype_is_complex(c->dtype) ? parted(joined(x) * joined(y) + joined(z))
                                              : (poyi_wide){x.re * y.re + z.re, 0};
    default: return (poyi_wide){NAN, NAN};
    }
}

static void expect_pointwise(const poyi_case *c, int values, poyi_expected *e)
{
    const poyi_operand *out = poyi_case_result(c);
    int64_t index[POY_RANK_MAX] = {0}, i = 0;
    poyi_wide x[3] = {{0, 0}, {0, 0}, {0, 0}};

    do {
        for (int k = 0; k < c->n_in; k++) {
            const poyi_operand *o = &c->operand[k];
            x[k] = poyi_wide_load(o->dtype, o->bytes, broadcast_place(o, out->rank, index));
            if (o->dtype != c->dtype && !(k == 0 && c->op == POYI_OP_where) && c->op != POYI_OP_cis_mul)
                x[k] = cast(x[k], c->dtype);
        }
        if (poyi_row_scales[c->op] == POYI_SCALE_PAIR)
            e->scale[i] = (double)(modulus(x[0]) * modulus(x[1]) + modulus(x[2]));
        if (values)
            e->value[i] = c->n_in == 0   ? cast((poyi_wide){c->value.re, c->value.im}, c->dtype)
                          : c->n_in == 1 ? unary(c, x[0])
                          : c->n_in == 2 ? binary(c, x[0], x[1])
                                         : ternary(c, x[0], x[1], x[2]);
        i++;
    } while (poyi_index_next(out->rank, out->extent, index));
}

/* ---- reductions ---- */

static unsigned reduced_axes(const poyi_case *c)
{
    unsigned mask = 0;
    int rank = c->operand[0].rank;
    if (c->n_axes == POY_ALL_AXES)
        return (1u << rank) - 1;
    for (int i = 0; i < c->n_axes; i++)
        mask |= 1u << (c->axes[i] < 0 ? c->axes[i] + rank : c->axes[i]);
    return mask;
}

/* Calls for each reduced element of the output's element out: x as it is. */
typedef struct reduction {
    total re, im;
    long double scale;
    uint64_t whole;
    extended product;
    uint64_t whole_product;
    long double squares;
    poyi_wide best;
    int64_t n, place;
    int any, some_nonzero, all_nonzero;
} reduction;

static void take(const poyi_case *c, reduction *r, poyi_wide x)
{
    uint64_t whole = (uint64_t)(int64_t)(isfinite(x.re) && fabsl(x.re) <= 0x1p63L ? x.re : 0);
    int is_complex = poy_dtype_is_complex(c->dtype), largest = c->op == POYI_OP_max || c->op == POYI_OP_argmax;
    add(&r->re, x.re);
    add(&r->im, x.im);
    r->whole += whole;
    r->whole_product *= whole;
    r->product = is_complex ? r->product * joined(x) : creall(r->product) * x.re;
    r->squares += x.re * x.re + x.im * x.im;
    r->scale += modulus(x);
    r->some_nonzero |= x.re != 0 || x.im != 0;
    r->all_nonzero &= x.re != 0 || x.im != 0;
    int better = isnan(x.re) || (largest ? x.re > r->best.re : x.re < r->best.re);
    if (!r->any || (better && !isnan(r->best.re))) {
        r->best = x;
        r->place = r->n;
    }
    r->any = 1;
    r->n++;
}

static poyi_wide reduced(const poyi_case *c, const reduction *r)
{
    const long double n = (long double)r->n;
    const poy_dtype dtype = poyi_case_result(c)->dtype;
    switch (c->op) {
    case POYI_OP_sum:
        return is_whole(dtype) ? wrapped(r->whole, dtype) : (poyi_wide){total_of(&r->re), total_of(&r->im)};
    case POYI_OP_prod: return is_whole(dtype) ? wrapped(r->whole_product, dtype) : parted(r->product);
    case POYI_OP_mean: return (poyi_wide){total_of(&r->re) / n, total_of(&r->im) / n};
    case POYI_OP_norm: return (poyi_wide){sqrtl(r->squares), 0};
    case POYI_OP_any: return (poyi_wide){r->some_nonzero, 0};
    case POYI_OP_all: return (poyi_wide){r->all_nonzero, 0};
    case POYI_OP_max:
    case POYI_OP_min: return r->best;
    case POYI_OP_argmax:
    case POYI_OP_argmin: return (poyi_wide){(long double)r->place, 0};
    default: return (poyi_wide){NAN, NAN};
    }
}

static void expect_reduction(const poyi_case *c, int values, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = poyi_case_result(c);
    unsigned mask = reduced_axes(c);
    int64_t kept[POY_RANK_MAX], extent[POY_RANK_MAX], index[POY_RANK_MAX] = {0}, inner_index[POY_RANK_MAX];

    for (int i = 0; i < x->rank; i++) {
        kept[i] = mask & 1u << i ? 1 : x->extent[i];
        extent[i] = mask & 1u << i ? x->extent[i] : 1;
    }
    for (int64_t at = 0; at < y->size; at++) {
        reduction r = {.product = 1, .whole_product = 1, .all_nonzero = 1};
        memcpy(inner_index, index, sizeof inner_index);
        int64_t place = poyi_operand_place(x, index), steps[POY_RANK_MAX] = {0};
        if (c->n > 0)
            do {
                int64_t here = place;
                for (int i = 0; i < x->rank; i++)
                    here += steps[i] * x->stride[i];
                const poyi_wide v = poyi_wide_load(x->dtype, x->bytes, here);
                take(c, &r, c->casts ? cast(v, y->dtype) : v);
            } while (poyi_index_next(x->rank, extent, steps));
        if (values)
            e->value[at] = reduced(c, &r);
        e->scale[at] = (double)((log2l((long double)(c->n > 1 ? c->n : 1)) + 4) * r.scale);
        if (c->op == POYI_OP_mean && c->n)
            e->scale[at] /= (double)c->n;
        poyi_index_next(x->rank, kept, index);
    }
}

/* ---- matmul ---- */

static void expect_matmul(const poyi_case *c, int values, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = &c->operand[1], *z = poyi_case_result(c);
    int row = x->rank > 1, column = y->rank > 1; /* z has such an axis */
    int64_t index[POY_RANK_MAX] = {0}, at = 0;

    do {
        poyi_operand bx = *x, by = *y; /* their batch axes alone */
        bx.rank -= 1 + row;
        by.rank -= 1 + column;
        int batch = z->rank - row - column;
        int64_t from_x = broadcast_place(&bx, batch, index), from_y = broadcast_place(&by, batch, index);
        if (row)
            from_x += index[batch] * x->stride[x->rank - 2];
        if (column)
            from_y += index[batch + row] * y->stride[y->rank - 1];
        total re = {0, 0}, im = {0, 0};
        uint64_t whole = 0;
        long double scale = 0;
        for (int64_t k = 0; k < c->n; k++) {
            poyi_wide a = element(c, x, from_x + k * x->stride[x->rank - 1]);
            poyi_wide b = element(c, y, from_y + k * y->stride[y->rank - 1 - column]);
            scale += modulus(a) * modulus(b);
            if (!values)
                continue;
            extended term = poy_dtype_is_complex(c->dtype) ? joined(a) * joined(b) : a.re * b.re;
            add(&re, creall(term));
            add(&im, cimagl(term));
            if (is_whole(c->dtype))
                whole = add_whole_product(whole, c->dtype, a, b);
        }
        if (values)
            e->value[at] = is_whole(c->dtype) ? wrapped(whole, c->dtype) : (poyi_wide){total_of(&re), total_of(&im)};
        e->scale[at++] = (double)(terms_counted(c, c->n) * scale);
    } while (poyi_index_next(z->rank, z->extent, index));
}

/* ---- fft ---- */

/* The n values that are transformed, from the line of x that starts at a place: cropped, lengthened, completed by
 * symmetry. Returns their 2-norm. */
static long double line_of(const poyi_case *c, int64_t from, int axis, extended *line)
{
    const poyi_operand *x = &c->operand[0];
    int64_t n = c->n, half = c->fft.kind == POY_FFT_C2R ? n / 2 + 1 : n;
    long double squares = 0;

    for (int64_t j = 0; j < half; j++)
        line[j] = j < x->extent[axis] ? joined(poyi_wide_load(x->dtype, x->bytes, from + j * x->stride[axis])) : 0;
    if (c->fft.kind == POY_FFT_C2R) {
        line[0] = creall(line[0]);
        if (n % 2 == 0)
            line[n / 2] = creall(line[n / 2]);
        for (int64_t k = 1; k < n - k; k++)
            line[n - k] = conjl(line[k]);
    }
    for (int64_t j = 0; j < n; j++)
        squares += creall(line[j]) * creall(line[j]) + cimagl(line[j]) * cimagl(line[j]);
    return sqrtl(squares);
}

/* y[k] = sum over j of x[j step] root[j k whole/n mod whole], k = 0 .. n-1, by transforms of the parts that its smallest factor
 * makes of n: root [whole] holds the roots of unity. room [whole]. */
static void transform(extended *y, const extended *x, int64_t n, int64_t step, const extended *root, int64_t whole,
                      extended *room)
{
    int64_t parts = 2;
    if (n == 1) {
        y[0] = x[0];
        return;
    }
    while (n % parts)
        parts++;
    const int64_t m = n / parts, turn = whole / n;
    for (int64_t q = 0; q < parts; q++)
        transform(y + q * m, x + q * step, m, step * parts, root, whole, room);
    for (int64_t k = 0; k < m; k++) {
        for (int64_t r = 0; r < parts; r++) {
            extended sum = y[k];
            for (int64_t q = 1; q < parts; q++)
                sum += root[q * (k + r * m) % n * turn] * y[q * m + k];
            room[r] = sum;
        }
        for (int64_t r = 0; r < parts; r++)
            y[k + r * m] = room[r];
    }
}

/* How large the numbers are that an algorithm of stages adds up to y[k], whatever its factors: the largest of the root mean
 * squares of the spectrum over k, k + n/d, k + 2 n/d, ... for all divisors d of n. Where d is n that is the 2-norm of x, and
 * where d is 1 |y[k]|. In between stand sums of every d-th element: an entry that is small by cancellation is a difference of
 * such sums, each rounded to its own size. */
static void stage_sizes(int64_t n, const long double *square, long double *size)
{
    for (int64_t k = 0; k < n; k++)
        size[k] = sqrtl(square[k]);
    for (int64_t d = 2; d <= n; d++) {
        if (n % d)
            continue;
        for (int64_t k = 0; k < n / d; k++) {
            long double sum = 0;
            for (int64_t m = k; m < n; m += n / d)
                sum += square[m];
            const long double mean = sqrtl(sum / (long double)d);
            for (int64_t m = k; m < n; m += n / d)
                size[m] = mean > size[m] ? mean : size[m];
        }
    }
}

/* log2 n; one more where n has a prime factor above 13, for which a transform goes by convolution: two of another length, and
 * a product. */
static long double stages_of(int64_t n)
{
    int64_t left = n;
    for (int64_t d = 2; d <= 13; d++)
        while (left % d == 0)
            left /= d;
    return log2l((long double)n) + (left > 1);
}

/* Of one line: its values, unless the reference has given them, and the scales of its bins, which lie stride apart from at on;
 * room: 2 n numbers. */
static void expect_line(const poyi_case *c, int values, const extended *spectrum, poyi_expected *e, int64_t at,
                        int64_t stride, int64_t bins, long double *room)
{
    const int64_t n = c->n;
    long double *square = room, *size = room + n;
    for (int64_t k = 0; k < bins && values; k++) {
        const extended z = spectrum[k] * (long double)c->fft.scale;
        e->value[at + k * stride] = (poyi_wide){creall(z), c->fft.kind == POY_FFT_C2R ? 0 : cimagl(z)};
    }
    for (int64_t k = 0; k < n; k++) { /* the half of real lines that is not there is as large as the other */
        const long double m = modulus(e->value[at + (k < bins ? k : n - k) * stride]);
        square[k] = m * m;
    }
    stage_sizes(n, square, size);
    for (int64_t k = 0; k < bins; k++)
        e->scale[at + k * stride] = (double)(stages_of(n) * size[k]);
}

static poy_status expect_fft(poy_ctx *ctx, const poyi_case *c, int values, poyi_expected *e)
{
    const poyi_operand *x = &c->operand[0], *y = poyi_case_result(c);
    int axis = c->fft.axis < 0 ? c->fft.axis + x->rank : c->fft.axis;
    int64_t index[POY_RANK_MAX] = {0}, lines[POY_RANK_MAX], stride[POY_RANK_MAX], bins = y->extent[axis];
    void *block = NULL;

    POYI_TRY(ctx, poyi_alloc(ctx, "conform", (size_t)c->n * 5 * sizeof(extended), &block));
    extended *root = block, *line = root + c->n, *spectrum = line + c->n, *room = spectrum + c->n;
    for (int64_t j = 0; j < c->n; j++) {
        long double a = 2 * acosl(-1.0L) * (long double)j / (long double)c->n;
        root[j] = CMPLXL(cosl(a), c->fft.sign * sinl(a));
    }
    poyi_shape_strides(y->rank, y->extent, stride);
    memcpy(lines, y->extent, sizeof lines);
    lines[axis] = 1;
    do {
        const long double norm = line_of(c, poyi_operand_place(x, index), axis, line);
        const int open =
            c->fft.kind == POY_FFT_C2R && !isfinite(norm); /* imaginary parts cancel, in some orders before they meet */
        int64_t at = 0;
        for (int i = 0; i < y->rank; i++)
            at += index[i] * stride[i];
        for (int64_t k = 0; k < bins && open; k++)
            e->scale[at + k * stride[axis]] = -1;
        if (open)
            continue;
        if (values)
            transform(spectrum, line, c->n, 1, root, c->n, room);
        expect_line(c, values, spectrum, e, at, stride[axis], bins, (long double *)(void *)(room + c->n));
    } while (poyi_index_next(y->rank, lines, index));
    poyi_free(&block);
    return POY_OK;
}

/* ---- all together ---- */

void poyi_expected_fini(poyi_expected *e)
{
    void *value = e->value, *scale = e->scale;
    poyi_free(&value);
    poyi_free(&scale);
    *e = (poyi_expected){NULL, NULL};
}

static poy_status expect(poy_ctx *ctx, const poyi_case *c, int values, poyi_expected *out)
{
    switch (poyi_op_rows[c->op].family) {
    case POY_FAMILY_fill:
    case POY_FAMILY_copy:
    case POY_FAMILY_unary:
    case POY_FAMILY_binary:
    case POY_FAMILY_ternary:
        if (values || poyi_row_scales[c->op] == POYI_SCALE_PAIR)
            expect_pointwise(c, values, out);
        break;
    case POY_FAMILY_reduce: expect_reduction(c, values, out); break;
    case POY_FAMILY_line:
    case POY_FAMILY_take:
    case POY_FAMILY_put:
    case POY_FAMILY_dot: POYI_TRY(ctx, poyi_expect_lines(ctx, c, values, out)); break;
    case POY_FAMILY_linalg: POYI_TRY(ctx, poyi_expect_matrices(ctx, c, out)); break;
    case POY_FAMILY_sparse: POYI_TRY(ctx, poyi_expect_sparse(ctx, c, values, out)); break;
    case POY_FAMILY_matmul: expect_matmul(c, values, out); break;
    case POY_FAMILY_fft: POYI_TRY(ctx, expect_fft(ctx, c, values, out)); break;
    }
    return POY_OK;
}

poy_status poyi_oracle(poy_ctx *ctx, const poyi_case *c, const void *reference, poyi_expected *out)
{
    const poyi_operand *y = poyi_case_result(c);
    poy_status status = POY_OK;
    void *value = NULL, *scale = NULL;

    *out = (poyi_expected){NULL, NULL};
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", (size_t)y->size * sizeof *out->value, &value));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "conform", (size_t)y->size * sizeof *out->scale, &scale));
    *out = (poyi_expected){value, scale};
    for (int64_t i = 0; i < y->size && reference; i++)
        out->value[i] = poyi_wide_load(y->dtype, reference, i);
    if (y->size)
        POYI_TO_DONE(ctx, expect(ctx, c, reference == NULL, out));
    for (int64_t i = 0; i < y->size; i++) {
        poyi_wide *v = &out->value[i];
        if (reference)
            *v = poyi_wide_load(y->dtype, reference, i);
        v->re = ranged(v->re, y->dtype);
        v->im = ranged(v->im, y->dtype);
        if (poyi_row_scales[c->op] == POYI_SCALE_EACH)
            out->scale[i] = (double)modulus(*v);
        if (poyi_row_scales[c->op] == POYI_SCALE_COUNT)
            out->scale[i] = (double)c->n * (double)modulus(*v);
        if (poyi_row_scales[c->op] == POYI_SCALE_NORM)
            out->scale[i] = (log2((double)(c->n > 1 ? c->n : 1)) + 4) * (double)modulus(*v);
    }
done:
    if (status != POY_OK) {
        poyi_free(&value);
        poyi_free(&scale);
        *out = (poyi_expected){NULL, NULL};
    }
    return status;
}
