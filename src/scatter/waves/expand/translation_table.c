/* translation_table.c: the table D_{p,q} = z_p(kr) Y_pq of one displacement, and its gradient. Extended precision carries
 * the products: h_256 at kr = 1e-16 is 1e4700, and what it meets beside the z axis as small. */
#include "math/math.h"
#include "scatter/waves/expand/translation.h"

static size_t half_place(int n, int l, int m)
{
    return (size_t)m * (size_t)(n + 1) - (size_t)m * (size_t)(m - 1) / 2 + (size_t)(l - m);
}

poy_status poyi_harmonic_plan_create(poy_ctx *ctx, int n, poyi_harmonic_plan **out)
{
    const size_t size = ((size_t)n + 1) * ((size_t)n + 2) / 2;
    void *memory = NULL;
    *out = NULL;
    POYI_TRY(ctx,
             poyi_alloc(ctx, "waves.plan", sizeof(poyi_harmonic_plan) + (2 * size + 1) * sizeof(poyi_xreal), &memory));
    poyi_harmonic_plan *plan = memory;
    unsigned char *after = (unsigned char *)(plan + 1);
    after += (sizeof(poyi_xreal) - sizeof *plan % sizeof(poyi_xreal)) % sizeof(poyi_xreal);
    *plan = (poyi_harmonic_plan){.n = n, .memory = memory};
    plan->up = (poyi_xreal *)(void *)after;
    plan->down = plan->up + size;
    for (int m = 0; m <= n; m++)
        for (int l = m; l <= n; l++) {
            /* Y_{l+1} = up cos Y_l - down Y_{l-1} (DLMF 14.10.3, normalised); up of l = m - 1: from Y_{m-1,m-1} */
            const poyi_xreal next = l + 1, here = l;
            const poyi_xreal up = sqrtl((4 * next * next - 1) / ((next - m) * (next + m)));
            const size_t place = half_place(n, l, m);
            plan->up[place] = up;
            plan->down[place] = l > m ? up * sqrtl((here - m) * (here + m) / (4 * here * here - 1)) : 0.0L;
        }
    *out = plan;
    return POY_OK;
}

void poyi_harmonic_plan_destroy(poyi_harmonic_plan **plan)
{
    void *memory = *plan ? (*plan)->memory : NULL;
    poyi_free(&memory);
    *plan = NULL;
}

/* Both orders of z_p Y_pq: Y_{p,-q} = (-1)^q conj Y_pq. */
static void put(int n, int p, int q, poyi_xcomplex z, poyi_xcomplex y, poyi_xcomplex *table)
{
    table[poyi_table_place(n, p, q)] = poyi_xmul(z, y);
    if (q > 0)
        table[poyi_table_place(n, p, -q)] = poyi_xmul(z, q % 2 ? -conjl(y) : conjl(y));
}

void poyi_translation_table(const poyi_harmonic_plan *harmonics, int n, int singular, double complex k,
                            const double d[3], poyi_xcomplex *table)
{
    poyi_xcomplex z[2 * POY_DEGREE_MAX + 2];
    poyi_xreal length;
    const poyi_direction direction = poyi_direction_of(d, &length);
    const poyi_xcomplex kr = poyi_x(k) * length;
    const size_t size = poyi_table_size(n);
    if (length == 0.0L || (singular && cabsl(kr) < POYI_COINCIDENT)) {
        for (size_t i = 0; i < size; i++)
            table[i] = 0.0L;
        if (!singular)
            table[poyi_table_place(n, 0, 0)] = sqrtl(0.25L / POYI_PIL);
        return;
    }
    poyi_wave_radial_table(singular, n, kr, z);
    poyi_xcomplex sectoral = sqrtl(0.25L / POYI_PIL);
    for (int q = 0; q <= n; q++) {
        const poyi_xreal *up = harmonics->up + half_place(harmonics->n, q, q);
        const poyi_xreal *down = harmonics->down + half_place(harmonics->n, q, q);
        poyi_xcomplex before = 0.0L, here = sectoral;
        for (int p = q; p <= n; p++) {
            put(n, p, q, z[p], here, table);
            const poyi_xcomplex next = up[p - q] * (direction.cosine * here) - down[p - q] * before;
            before = here;
            here = next;
        }
        sectoral = -sqrtl((2 * q + 3) / (2.0L * (q + 1))) * poyi_xmul(sectoral, direction.sine);
    }
}

/* sqrt((l^2 - m^2) / (4 l^2 - 1)) and sqrt((l + m)(l + m - 1) / (4 l^2 - 1)) */
static poyi_xreal along(int l, int m)
{
    return sqrtl((poyi_xreal)(l - m) * (l + m) / (4.0L * l * l - 1));
}

static poyi_xreal across(int l, int m)
{
    return sqrtl((poyi_xreal)(l + m) * (l + m - 1) / (4.0L * l * l - 1));
}

void poyi_translation_gradient(int pmax, const poyi_xcomplex *table, poyi_xcomplex *gradient[3])
{
    const int n = pmax + 1; /* of table */
    for (int q = -pmax; q <= pmax; q++)
        for (int p = q < 0 ? -q : q; p <= pmax; p++) {
            const poyi_xcomplex above = table[poyi_table_place(n, p + 1, q)];
            const poyi_xcomplex above_plus = table[poyi_table_place(n, p + 1, q + 1)];
            const poyi_xcomplex above_minus = table[poyi_table_place(n, p + 1, q - 1)];
            poyi_xcomplex z = -along(p + 1, q) * above;
            poyi_xcomplex plus = across(p + 1, q + 1) * above_plus, minus = -across(p + 1, -q + 1) * above_minus;
            if (p - 1 >= (q < 0 ? -q : q))
                z += along(p, q) * table[poyi_table_place(n, p - 1, q)];
            if (p - 1 >= (q + 1 < 0 ? -q - 1 : q + 1))
                plus += across(p, -q) * table[poyi_table_place(n, p - 1, q + 1)];
            if (p - 1 >= (q - 1 < 0 ? 1 - q : q - 1))
                minus -= across(p, q) * table[poyi_table_place(n, p - 1, q - 1)];
            const int place = poyi_table_place(pmax, p, q);
            gradient[0][place] = 0.5L * (plus + minus);
            gradient[1][place] = poyi_xturn(0.5L * (plus - minus), -1);
            gradient[2][place] = z;
        }
}
