/* sheet.c: interfaces between chiral media and stacks of them for one pair of transverse components: two by two blocks. */
#include <string.h>

#include "scatter/stack/smatrix.h"

/* Light from side i, j the other side; other pol: 1 - p. Closed form of the continuity of tangential E and H. */
static void from_side(const double complex k[2][2], const double complex kz[2][2], const double complex z[2], int i,
                      poyi_sheet *out)
{
    const int j = 1 - i;
    const double complex difference = z[0] - z[1], square = difference * difference, both = 4.0 * z[0] * z[1];
    double complex a[2], d[2];
    for (int s = 0; s < 2; s++) {
        a[s] = k[s][0] * kz[s][1] + k[s][1] * kz[s][0];
        d[s] = k[s][0] * kz[s][1] - k[s][1] * kz[s][0];
    }
    const double complex b = k[0][1] * kz[1][1] + k[1][1] * kz[0][1], c = k[0][0] * kz[1][0] + k[1][0] * kz[0][0];
    const double complex p = 1.0 / (square * a[0] * a[1] + both * b * c);
    const double complex through = 4.0 * p * z[j] * (z[0] + z[1]), cross = 4.0 * p * z[j] * (z[i] - z[j]);
    double complex(*t)[2] = out->s[i][i], (*r)[2] = out->s[j][i];
    t[0][0] = through * k[j][0] * kz[i][0] * b;
    t[1][1] = through * k[j][1] * kz[i][1] * c;
    for (int pol = 0; pol < 2; pol++) {
        const int other = 1 - pol;
        t[pol][other] = -cross * k[j][pol] * kz[i][other] * (k[j][other] * kz[i][pol] - k[i][pol] * kz[j][other]);
        r[pol][other] = -2.0 * p * (z[j] * z[j] - z[i] * z[i]) * k[i][pol] * kz[i][other] * a[j];
    }
    r[0][0] = p * (-square * d[i] * a[j] - both * b * (k[i][0] * kz[j][0] - k[j][0] * kz[i][0]));
    r[1][1] = p * (square * d[i] * a[j] - both * c * (k[i][1] * kz[j][1] - k[j][1] * kz[i][1]));
}

void poyi_fresnel(const double complex k[2][2], const double complex kz[2][2], const double complex z[2],
                  poyi_sheet *out)
{
    from_side(k, kz, z, 0, out);
    from_side(k, kz, z, 1, out);
}

poy_status poy_fresnel(poy_ctx *ctx, size_t n, const poy_c128 *k, const poy_c128 *kz, const poy_c128 *z, poy_c128 *out)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, "fresnel", "k", 4 * n, k));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "fresnel", "kz", 4 * n, kz));
    POYI_TRY(ctx, poyi_batch_finite(ctx, "fresnel", "z", 2 * n, z));
    for (size_t i = 0; i < n; i++) {
        double complex ks[2][2], kzs[2][2];
        poyi_sheet s;
        for (size_t e = 0; e < 4; e++) {
            ks[e / 2][e % 2] = poyi_c(k[4 * i + e]);
            kzs[e / 2][e % 2] = poyi_c(kz[4 * i + e]);
        }
        const double complex zs[2] = {poyi_c(z[2 * i]), poyi_c(z[2 * i + 1])};
        poyi_fresnel((const double complex(*)[2])ks, (const double complex(*)[2])kzs, zs, &s);
        for (size_t e = 0; e < 16; e++) {
            const double complex v = s.s[e / 8][e / 4 % 2][e / 2 % 2][e % 2];
            if (!isfinite(creal(v)) || !isfinite(cimag(v)))
                return POYI_FAIL(
                    ctx, POY_ERR_ARGUMENT,
                    "fresnel: interface %zu has no finite coefficients: its media guide a wave along it, or "
                    "a k, kz or z is 0",
                    i);
            out[16 * i + e] = poyi_pair(v);
        }
    }
    return POY_OK;
}

/* ---- two by two matrices ---- */

static void multiply(double complex a[2][2], double complex b[2][2], double complex c[2][2])
{
    double complex product[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            product[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j];
    memcpy(c, product, sizeof product);
}

static void add(double complex a[2][2], double complex b[2][2], double complex c[2][2])
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c[i][j] = a[i][j] + b[i][j];
}

/* m = (1 - a b)^-1; 0 where there is none. */
static int inverse_of_rest(double complex a[2][2], double complex b[2][2], double complex m[2][2])
{
    double complex p[2][2];
    multiply(a, b, p);
    const double complex d = (1.0 - p[0][0]) * (1.0 - p[1][1]) - p[0][1] * p[1][0];
    const double complex over = 1.0 / d;
    if (d == 0.0 || !isfinite(creal(over)) || !isfinite(cimag(over)))
        return 0;
    m[0][0] = over * (1.0 - p[1][1]);
    m[1][1] = over * (1.0 - p[0][0]);
    m[0][1] = over * p[0][1];
    m[1][0] = over * p[1][0];
    return 1;
}

poy_status poyi_sheet_cascade(poy_ctx *ctx, const poyi_sheet *lower, const poyi_sheet *upper, poyi_sheet *out)
{
    poyi_sheet a = *lower, b = *upper;
    double complex m[2][2], t[2][2], u[2][2], way[2][2];
    if (!inverse_of_rest(a.s[0][1], b.s[1][0], m) || !inverse_of_rest(b.s[1][0], a.s[0][1], u))
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "cascade: a wave between two planes returns to itself without loss");
    multiply(m, a.s[0][0], t);
    multiply(u, b.s[1][1], u);
    multiply(b.s[0][0], t, out->s[0][0]);
    multiply(a.s[1][1], u, out->s[1][1]);
    multiply(b.s[1][0], t, way);
    multiply(a.s[1][1], way, way);
    add(a.s[1][0], way, out->s[1][0]);
    multiply(a.s[0][1], u, way);
    multiply(b.s[0][0], way, way);
    add(b.s[0][1], way, out->s[0][1]);
    return POY_OK;
}

void poyi_sheet_change_pol(poyi_sheet *s)
{
    for (int out = 0; out < 2; out++)
        for (int in = 0; in < 2; in++) {
            double complex(*m)[2] = s->s[out][in];
            const double complex a = m[0][0], b = m[0][1], c = m[1][0], d = m[1][1];
            m[0][0] = 0.5 * ((a + d) - (b + c));
            m[1][1] = 0.5 * ((a + d) + (b + c));
            m[0][1] = 0.5 * ((d - a) + (c - b));
            m[1][0] = 0.5 * ((d - a) + (b - c));
        }
}
