/* ref_fft.c: discrete Fourier transforms of any length in extended precision: the sum itself for short lines, radix 2
 * for powers of two, Bluestein's convolution (IEEE Trans. Audio Electroacoust. 18, 451 (1970)) for the others. */
#include <math.h>

#include "backends/ref/ref.h"
#include "backends/ref/ref_fft.h"

typedef long double complex extended;

enum { SHORT = 16 };
#define LENGTH_MAX (INT64_C(1) << 30)

struct poyi_ref_transform {
    int64_t n, m;     /* m: length of the convolution, 0 where there is none */
    extended *root;   /* exp(-2 pi i k / n), k < n; of m with a convolution */
    extended *chirp;  /* exp(-pi i k^2 / n), k < n */
    extended *kernel; /* transform of the conjugate chirp */
    extended *in, *out, *work;
};

static extended times(extended a, extended b)
{
    return CMPLXL(creall(a) * creall(b) - cimagl(a) * cimagl(b), creall(a) * cimagl(b) + cimagl(a) * creall(b));
}

/* exp(-2 pi i k / n), 0 <= k < n, by the octant that the angle lies in, so that it is exact where it can be. */
static extended unit_root(int64_t k, int64_t n)
{
    int64_t octant = 8 * k / n, r = 8 * k - octant * n; /* angle = (octant + r / n) pi/4 */
    if (octant & 1)
        r = n - r;
    long double a = (long double)r / (long double)n * (acosl(-1.0L) / 4), c = cosl(a), s = sinl(a);
    switch (octant) {
    case 0: return CMPLXL(c, -s);
    case 1: return CMPLXL(s, -c);
    case 2: return CMPLXL(-s, -c);
    case 3: return CMPLXL(-c, -s);
    case 4: return CMPLXL(-c, s);
    case 5: return CMPLXL(-s, c);
    case 6: return CMPLXL(s, c);
    default: return CMPLXL(c, s);
    }
}

static int is_power_of_two(int64_t n)
{
    return (n & (n - 1)) == 0;
}

/* x = the transform of x with sign -1; n a power of two, root of length n. Bit reversal, then butterflies. */
static void radix2(int64_t n, const extended *root, extended *x)
{
    for (int64_t i = 1, j = 0; i < n; i++) {
        int64_t bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j |= bit;
        if (i < j) {
            extended t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
    }
    for (int64_t half = 1; half < n; half *= 2)
        for (int64_t start = 0; start < n; start += 2 * half)
            for (int64_t k = 0; k < half; k++) {
                extended a = x[start + k], b = times(root[k * (n / (2 * half))], x[start + k + half]);
                x[start + k] = a + b;
                x[start + k + half] = a - b;
            }
}

/* X_k = chirp_k sum over j of (x_j chirp_j) conj(chirp_{k-j}), since 2 j k = j^2 + k^2 - (k - j)^2. */
static void bluestein(poyi_ref_transform *p)
{
    for (int64_t j = 0; j < p->m; j++)
        p->work[j] = j < p->n ? times(p->in[j], p->chirp[j]) : 0;
    radix2(p->m, p->root, p->work);
    for (int64_t j = 0; j < p->m; j++)
        p->work[j] = conjl(times(p->work[j], p->kernel[j])); /* backward as the conjugate of a forward transform */
    radix2(p->m, p->root, p->work);
    for (int64_t k = 0; k < p->n; k++)
        p->out[k] = times(conjl(p->work[k]) / (long double)p->m, p->chirp[k]);
}

static void direct(poyi_ref_transform *p)
{
    for (int64_t k = 0; k < p->n; k++) {
        extended sum = 0;
        for (int64_t j = 0; j < p->n; j++)
            sum += times(p->in[j], p->root[j * k % p->n]);
        p->out[k] = sum;
    }
}

/* From the plan's line in, which is overwritten, to its line out, without the scale. */
static const extended *transform(poyi_ref_transform *p, int sign)
{
    if (sign > 0) /* the conjugate of the forward transform of the conjugate */
        for (int64_t j = 0; j < p->n; j++)
            p->in[j] = conjl(p->in[j]);
    if (p->m) {
        bluestein(p);
    } else if (p->n <= SHORT) {
        direct(p);
    } else {
        for (int64_t j = 0; j < p->n; j++)
            p->out[j] = p->in[j];
        radix2(p->n, p->root, p->out);
    }
    if (sign > 0)
        for (int64_t k = 0; k < p->n; k++)
            p->out[k] = conjl(p->out[k]);
    return p->out;
}

/* ---- plans ---- */

/* Length of the convolution for n; 0 where there is none. */
static int64_t convolution(int64_t n)
{
    int64_t m = 0;
    if (n > SHORT && !is_power_of_two(n))
        for (m = 1; m < 2 * n - 1; m *= 2) {
        }
    return m;
}

/* Elements before the lines, which hold the struct. */
enum { HEAD = sizeof(poyi_ref_transform) / sizeof(extended) + 1 };

size_t poyi_ref_transform_bytes(int64_t n)
{
    const int64_t m = convolution(n);
    return (size_t)(HEAD + (m ? m + n + m + n + n + m : n + n + n)) * sizeof(extended);
}

poyi_ref_transform *poyi_ref_transform_init(int64_t n, void *mem)
{
    const int64_t m = convolution(n), roots = m ? m : n;
    poyi_ref_transform *p = mem;
    *p = (poyi_ref_transform){.n = n, .m = m};
    p->in = (extended *)mem + HEAD;
    p->out = p->in + n;
    p->root = p->out + n;
    for (int64_t k = 0; k < roots; k++)
        p->root[k] = unit_root(k, roots);
    if (m) {
        p->chirp = p->root + m;
        p->kernel = p->chirp + n;
        p->work = p->kernel + m;
        for (int64_t k = 0; k < m; k++)
            p->kernel[k] = 0;
        for (int64_t k = 0; k < n; k++) {
            p->chirp[k] = unit_root(k * k % (2 * n), 2 * n);
            p->kernel[k] = p->kernel[k ? m - k : 0] = conjl(p->chirp[k]);
        }
        radix2(m, p->root, p->kernel);
    }
    return p;
}

/* n >= 1. Ledger: "ref.fft". Errors: POY_ERR_MEMORY, POY_ERR_BUDGET; POY_ERR_RANGE above 2^30. */
static poy_status create(poy_ctx *ctx, int64_t n, poyi_ref_transform **out)
{
    void *block = NULL;

    *out = NULL;
    if (n > LENGTH_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "the reference transforms lines of up to 2^30 elements, not %lld",
                         (long long)n);
    POYI_TRY(ctx, poyi_alloc(ctx, "ref.fft", poyi_ref_transform_bytes(n), &block));
    *out = poyi_ref_transform_init(n, block);
    return POY_OK;
}

/* ---- lines ---- */

/* The whole spectrum from its first half: x[n-k] = conj x[k], x[0] and x[n/2] real. */
static void complete(extended *x, int64_t n)
{
    x[0] = creall(x[0]);
    if (n % 2 == 0)
        x[n / 2] = creall(x[n / 2]);
    for (int64_t k = 1; k < n - k; k++)
        x[n - k] = conjl(x[k]);
}

void poyi_ref_transform_line(poyi_ref_transform *plan, const poy_fft_arg *arg, const double *in, double *out)
{
    int64_t n = arg->n, half = n / 2 + 1;
    int64_t n_in = arg->kind == POY_FFT_C2R ? half : n, n_out = arg->kind == POY_FFT_R2C ? half : n;
    for (int64_t j = 0; j < n_in; j++)
        plan->in[j] = arg->kind == POY_FFT_R2C ? (extended)in[j] : (extended)CMPLXL(in[2 * j], in[2 * j + 1]);
    if (arg->kind == POY_FFT_C2R)
        complete(plan->in, n);
    const extended *y = transform(plan, arg->sign);
    for (int64_t k = 0; k < n_out; k++) {
        if (arg->kind == POY_FFT_C2R) {
            out[k] = (double)(arg->scale * creall(y[k]));
            continue;
        }
        out[2 * k] = (double)(arg->scale * creall(y[k]));
        const int is_real = arg->kind == POY_FFT_R2C && (k == 0 || 2 * k == n); /* sums of +x and -x */
        out[2 * k + 1] = is_real ? 0 : (double)(arg->scale * cimagl(y[k]));
    }
}

/* The line of t at a place, to and from doubles. */
static void gather(const poy_tensor *t, int64_t at, double *line)
{
    int last = t->rank - 1, parts = poy_dtype_is_complex(t->dtype) ? 2 : 1;
    for (int64_t j = 0; j < t->extent[last]; j++) {
        double complex z = poyi_ref_load(t, at + j * t->stride[last]).z;
        line[parts * j] = creal(z);
        if (parts == 2)
            line[2 * j + 1] = cimag(z);
    }
}

static void scatter(const double *line, const poy_tensor *t, int64_t at)
{
    int last = t->rank - 1, parts = poy_dtype_is_complex(t->dtype) ? 2 : 1;
    for (int64_t j = 0; j < t->extent[last]; j++) {
        double complex z = parts == 2 ? CMPLX(line[2 * j], line[2 * j + 1]) : line[j];
        poyi_ref_store(t, at + j * t->stride[last], (poyi_ref_value){z, 0});
    }
}

poy_status poyi_ref_fft(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x, const poy_tensor *y)
{
    (void)be;
    poy_status status = POY_OK;
    const poy_tensor *const both[2] = {x, y};
    poyi_ref_transform *plan = NULL;
    void *line = NULL;

    POYI_TO_DONE(ctx, create(ctx, arg->n, &plan));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "ref.fft", (size_t)(2 * arg->n + 2) * sizeof(double), &line));
    poyi_ref_walk w = poyi_ref_walk_over(2, both, 0, x->rank - 1);
    while (poyi_ref_walk_next(&w)) {
        gather(x, w.at[0], line);
        poyi_ref_transform_line(plan, arg, line, line);
        scatter(line, y, w.at[1]);
    }
done:
    poyi_free(&line);
    poyi_free((void **)&plan);
    return status;
}
