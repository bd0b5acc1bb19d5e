/* test_wave_table.c: vector waves, their fields, and the coefficients between them against Arb over the whole domain. With a
 * folder as argument: the tables there, as tools/wave_reference/make_wave_reference.py writes them. */
#include "poynting/special.h"
#include "scatter/waves/diff.h"
#include "scatter/waves/field/field.h"
#include "wave_table.h"

/* ---- single waves ---- */

static poy_status vsh(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const double phi = real_input(w, 1);
    poy_status (*const f[3])(poy_ctx *, size_t, const int64_t *, const int64_t *, const poy_c128 *, const double *,
                             poy_c128 *) = {poy_sf_vsh_X, poy_sf_vsh_Y, poy_sf_vsh_Z};
    return f[w->label[0]](ctx, 1, w->label + 1, w->label + 2, w->in, &phi, got);
}

static poy_status vsw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *l = w->label + 2, *m = w->label + 3, *pol = w->label + 4;
    const int singular = w->label[1] != 0;
    const double phi = real_input(w, 2);
    if (w->label[0] == 2)
        return (singular ? poy_sf_vsw_A : poy_sf_vsw_rA)(ctx, 1, l, m, w->in, w->in + 1, &phi, pol, got);
    if (w->label[0] == 1)
        return (singular ? poy_sf_vsw_N : poy_sf_vsw_rN)(ctx, 1, l, m, w->in, w->in + 1, &phi, got);
    return (singular ? poy_sf_vsw_M : poy_sf_vsw_rM)(ctx, 1, l, m, w->in, w->in + 1, &phi, got);
}

static poy_status vcw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *m = w->label + 2, *pol = w->label + 3;
    const int singular = w->label[1] != 0;
    const double kz = real_input(w, 0), phi = real_input(w, 2), z = real_input(w, 3);
    if (w->label[0] == 2)
        return (singular ? poy_sf_vcw_A : poy_sf_vcw_rA)(ctx, 1, &kz, m, w->in + 1, &phi, &z, w->in + 4, pol, got);
    if (w->label[0] == 1)
        return (singular ? poy_sf_vcw_N : poy_sf_vcw_rN)(ctx, 1, &kz, m, w->in + 1, &phi, &z, w->in + 4, got);
    return (singular ? poy_sf_vcw_M : poy_sf_vcw_rM)(ctx, 1, &kz, m, w->in + 1, &phi, &z, got);
}

static poy_status vpw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const poy_c128 *k = w->in;
    double r[3];
    real_inputs(w, 3, r);
    if (w->label[0] == 2)
        return poy_sf_vpw_A(ctx, 1, k, k + 1, k + 2, r, r + 1, r + 2, w->label + 1, got);
    return (w->label[0] ? poy_sf_vpw_N : poy_sf_vpw_M)(ctx, 1, k, k + 1, k + 2, r, r + 1, r + 2, got);
}

static poy_status plane_field(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    wave_line single = *w;
    single.label[0] = w->label[0] ? w->label[1] : 2;
    return vpw(ctx, &single, got);
}

/* ---- fields ---- */

static poy_status field(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t family = w->label[0], l = w->label[1], m = w->label[2], pol = w->label[3];
    const poy_embedding e = {real_input(w, 3), {w->in[4], w->in[5], w->in[6]}, (poy_poltype)w->label[5]};
    const poy_modetype type = w->label[4] ? POY_SINGULAR : POY_REGULAR;
    const poy_c128 one = {1.0, 0.0};
    poy_basis *b = NULL;
    double r[3];
    real_inputs(w, 0, r);
    if (family == 0)
        b = lone_spherical(ctx, l, m, pol, NULL);
    else if (family == 1)
        b = lone_cylindrical(ctx, real_input(w, 7), m, pol, NULL);
    else {
        poy_wave_mode mode = {.pol = (int32_t)pol, .q = {w->in[7], w->in[8], w->in[9]}};
        (void)poy_basis_pw_create(ctx, 1, &mode, &b);
    }
    const poy_wave_field which = (poy_wave_field)w->label[6];
    const int helicity = (int)w->label[7];
    poy_status status = poy_op_field(ctx, &e, b, type, which, helicity, 1, r, got);
    poy_c128 sample[3];
    const poy_status again = poy_wave_sample(ctx, &e, b, type, &one, which, helicity, 1, r, sample);
    double size = 0.0, apart_by = 0.0; /* of the two ways; the fast one counts phases in units of k r */
    for (int i = 0; i < 3; i++) {
        size = hypot(size, cabs(poyi_c(got[i])));
        apart_by = hypot(apart_by, cabs(poyi_c(got[i]) - poyi_c(sample[i])));
    }
    if (status != again || (status == POY_OK && size > 1e-290 && apart_by > 1e-13 * size))
        status = POY_ERR_INTERNAL;
    poy_basis_destroy(&b);
    return status;
}

static poy_status field_sum_by(poy_ctx *ctx, const wave_line *w, const poyi_waves_kernels *kernels, poy_c128 *got)
{
    static poy_c128 coefficients[COUNTED_MODES];
    double r[3];
    poy_basis *b = counted_modes(ctx, (int)w->label[0], coefficients);
    real_inputs(w, 0, r);
    const double complex k = poyi_c(w->in[3]);
    const poyi_field_call c = {.kernels = kernels,
                               .basis = b,
                               .ks = {k, k},
                               .singular = w->label[1] != 0,
                               .mix = {{{1.0, 0.0}, {0.0, 1.0}}},
                               .coefficients = coefficients,
                               .n = 1,
                               .points = r,
                               .out = got};
    const poy_status status = poyi_field(ctx, &c);
    poy_basis_destroy(&b);
    return status;
}

static poy_status field_sum(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    return field_sum_by(ctx, w, poyi_waves_best(), got);
}

static poy_status field_sum_base(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    return field_sum_by(ctx, w, &poyi_waves_base, got);
}

/* ---- translations, rotations ---- */

static poy_status tl_vsw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 2;
    const double theta = real_input(w, 1), phi = real_input(w, 2);
    poy_status (*const f[2][2])(poy_ctx *, size_t, const int64_t *, const int64_t *, const int64_t *, const int64_t *,
                                const poy_c128 *, const double *, const double *, poy_c128 *) = {
        {poy_sf_tl_vsw_rA, poy_sf_tl_vsw_A}, {poy_sf_tl_vsw_rB, poy_sf_tl_vsw_B}};
    return f[w->label[0]][w->label[1]](ctx, 1, n, n + 1, n + 2, n + 3, w->in, &theta, &phi, got);
}

static poy_status sw_translate(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 2;
    const double theta = real_input(w, 1), phi = real_input(w, 2);
    return poy_sw_translate(ctx, 1, n, n + 1, n + 2, n + 3, n + 4, n + 5, w->in, &theta, &phi, (poy_poltype)w->label[1],
                            w->label[0] != 0, got);
}

/* The same by the tables of whole matrices. */
static poy_status sw_displace(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 2;
    double d[3];
    real_inputs(w, 0, d);
    poy_basis *to = lone_spherical(ctx, n[0], n[1], n[2], d), *from = lone_spherical(ctx, n[3], n[4], n[5], NULL);
    const poyi_expansion e = {to, from, {w->in[3], w->in[3]}, (poy_poltype)w->label[1], w->label[0] != 0, 0.0};
    const poy_status status = poyi_expansion_value(ctx, &e, got);
    poy_basis_destroy(&to);
    poy_basis_destroy(&from);
    return status;
}

static poy_status tl_vcw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t zero = 0, m = w->label[1], mu = m > 128 ? m - 128 : m < -128 ? m + 128 : zero, at = m - mu;
    const double phi = real_input(w, 1), z = real_input(w, 2), kz = real_input(w, 3);
    /* order m - mu from labels within 128 */
    const int64_t from = mu == 0 ? at : m > 0 ? 128 : -128, to = from - m;
    return (w->label[0] ? poy_sf_tl_vcw : poy_sf_tl_vcw_r)(ctx, 1, &kz, &to, &kz, &from, w->in, &phi, &z, got);
}

static poy_status cw_displace(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    double d[3];
    real_inputs(w, 0, d);
    poy_basis *to = lone_cylindrical(ctx, real_input(w, 3), 0, 1, d),
              *from = lone_cylindrical(ctx, real_input(w, 3), w->label[1], 1, NULL);
    const poyi_expansion e = {to, from, {w->in[4], w->in[4]}, POY_HELICITY, w->label[0] != 0, 0.0};
    const poy_status status = poyi_expansion_value(ctx, &e, got);
    poy_basis_destroy(&to);
    poy_basis_destroy(&from);
    return status;
}

static poy_status sw_rotate(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t one = 1, *n = w->label;
    double angles[3];
    real_inputs(w, 0, angles);
    return poy_sw_rotate(ctx, 1, n, n + 1, &one, n, n + 2, &one, angles, angles + 1, angles + 2, got);
}

/* ---- plane waves and periodic arrays ---- */

static poy_status pw_to_sw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 1;
    const poy_c128 *k = w->in;
    poy_c128 phase;
    double r[3];
    real_inputs(w, 3, r);
    const poy_status status =
        poy_pw_to_sw(ctx, 1, n, n + 1, n + 2, k, k + 1, k + 2, n + 3, (poy_poltype)w->label[0], got);
    if (status != POY_OK)
        return status;
    const poy_status turned = poy_pw_translate(ctx, 1, k, k + 1, k + 2, r, r + 1, r + 2, &phase);
    *got = poyi_pair(poyi_c(*got) * poyi_c(phase));
    return turned;
}

static poy_status pw_to_sw_matrix(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 1;
    const int pol = (int)n[3];
    double r[3];
    real_inputs(w, 3, r);
    poy_basis *b = lone_spherical(ctx, n[0], n[1], n[2], r);
    const poyi_incidence e = {b, 1, w->in, &pol, (poy_poltype)w->label[0]};
    const poy_status status = poyi_incidence_value(ctx, &e, got);
    poy_basis_destroy(&b);
    return status;
}

static poy_status pw_to_cw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t one = 1;
    const poy_c128 *k = w->in;
    const double kz = k[2].re;
    poy_c128 phase;
    double r[3];
    real_inputs(w, 3, r);
    const poy_status status = poy_pw_to_cw(ctx, 1, &kz, w->label, &one, k, k + 1, k + 2, &one, got);
    if (status != POY_OK)
        return status;
    const poy_status turned = poy_pw_translate(ctx, 1, k, k + 1, k + 2, r, r + 1, r + 2, &phase);
    *got = poyi_pair(poyi_c(*got) * poyi_c(phase));
    return turned;
}

static poy_status cw_to_sw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 1;
    const double kz = real_input(w, 0);
    return poy_cw_to_sw(ctx, 1, n, n + 1, n + 2, &kz, n + 1, n + 3, w->in + 1, (poy_poltype)w->label[0], got);
}

static poy_status sw_to_pw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 1;
    const poy_c128 *k = w->in;
    const double area = real_input(w, 3);
    return poy_sw_periodic_to_pw(ctx, 1, k, k + 1, k + 2, n + 2, n, n + 1, n + 3, &area, (poy_poltype)w->label[0], got);
}

static poy_status sw_to_cw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t *n = w->label + 1;
    const double kz = real_input(w, 0), period = real_input(w, 2);
    return poy_sw_periodic_to_cw(ctx, 1, &kz, n + 1, n + 2, n, n + 1, n + 3, w->in + 1, &period,
                                 (poy_poltype)w->label[0], got);
}

static poy_status cw_to_pw(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const int64_t one = 1;
    const double kx = real_input(w, 0), kz = real_input(w, 2), period = real_input(w, 3);
    return poy_cw_periodic_to_pw(ctx, 1, &kx, w->in + 1, &kz, &one, &kz, w->label, &one, &period, got);
}

static poy_status pw_permute(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    const poy_c128 *k = w->in;
    return poy_pw_permute_xyz(ctx, 1, k, k + 1, k + 2, w->label + 2, w->label + 3, (poy_poltype)w->label[0],
                              w->label[1] != 0, got);
}

static poy_status channel(poy_ctx *ctx, const wave_line *w, int spherical, poy_c128 *got)
{
    const double q[2] = {real_input(w, 0), real_input(w, 1)};
    const int pol = spherical ? (int)(w->label[0] ? w->label[5] : w->label[6]) : 1;
    double r[3];
    real_inputs(w, 4, r);
    /* the multipole has the destination's label in incidence, the source's in emission */
    poy_basis *b = spherical ? lone_spherical(ctx, w->label[3], w->label[4], w->label[0] ? w->label[6] : w->label[5], r)
                             : lone_cylindrical(ctx, q[0], w->label[2], 1, r);
    const poyi_channels c = {.multipoles = b,
                             .ks = {w->in[2], w->in[2]},
                             .n = 1,
                             .q = q,
                             .pol = &pol,
                             .measure = real_input(w, 3),
                             .poltype = spherical ? (poy_poltype)w->label[2] : POY_HELICITY};
    poy_c128 blocks[4];
    const poy_status status = poyi_channels_value(ctx, &c, blocks);
    *got = blocks[2 * w->label[0] + w->label[1]];
    poy_basis_destroy(&b);
    return status;
}

static poy_status sw_channel(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    return channel(ctx, w, 1, got);
}

static poy_status cw_channel(poy_ctx *ctx, const wave_line *w, poy_c128 *got)
{
    return channel(ctx, w, 0, got);
}

/* ---- the tables ---- */

/* of_terms: relative to the largest term of the sum, where terms cancel. */
static const struct {
    const char *name, *row;
    poy_status (*value)(poy_ctx *, const wave_line *, poy_c128 *got);
    int of_terms;
} functions[] = {
    {"vsh", "vector harmonics X, Y, Z", vsh, 0},
    {"vsw", "spherical waves M, N, A", vsw, 0},
    {"vcw", "cylindrical waves M, N, A", vcw, 0},
    {"vpw", "plane waves M, N, A", vpw, 0},
    {"field", "E, H, D, B, G, F of a mode in a medium", field, 0},
    {"plane_field", "E of a plane wave", plane_field, 0},
    {"field_sum", "E of all modes to a degree, double precision, avx2", field_sum, 0},
    {"field_sum", "the same, base", field_sum_base, 0},
    {"tl_vsw", "translation of spherical waves, A or B", tl_vsw, 1},
    {"sw_translate", "the same of helicity or parity", sw_translate, 1},
    {"sw_displace", "the same as a matrix", sw_displace, 1},
    {"tl_vcw", "translation of cylindrical waves", tl_vcw, 0},
    {"cw_displace", "the same as a matrix", cw_displace, 0},
    {"sw_rotate", "rotation of spherical waves", sw_rotate, 0},
    {"pw_to_sw", "plane to spherical", pw_to_sw, 0},
    {"pw_to_sw", "the same as a matrix", pw_to_sw_matrix, 1},
    {"pw_to_cw", "plane to cylindrical", pw_to_cw, 0},
    {"cw_to_sw", "cylindrical to spherical", cw_to_sw, 0},
    {"sw_to_pw", "lattice of spherical waves to plane", sw_to_pw, 0},
    {"sw_to_cw", "chain of spherical waves to cylindrical", sw_to_cw, 0},
    {"cw_to_pw", "grating of cylindrical waves to plane", cw_to_pw, 0},
    {"pw_permute", "plane waves in permuted axes", pw_permute, 0},
    {"sw_channel", "channels of a lattice", sw_channel, 0},
    {"cw_channel", "channels of a grating", cw_channel, 0},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

int main(int argc, char **argv)
{
    static const char *const tables[] = {"single", "field", "translation", "plane"};
    static worst_error worst[FUNCTIONS];
    char text[4096];
    wave_line w;
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    for (int i = 0; i < FUNCTIONS; i++)
        worst[i] = (worst_error){.name = functions[i].row, .bar = 1e-13};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        FILE *file = wave_table_open(argc, argv, tables[t]);
        while (file && table_line(file, text, sizeof text)) {
            int known = 0;
            const int read = wave_line_read(text, 0, &w);
            for (int i = 0; read && i < FUNCTIONS; i++) {
                if (strcmp(w.name, functions[i].name) != 0)
                    continue;
                poy_c128 got[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
                const poy_status status = functions[i].value(ctx, &w, got);
                worst_add(worst + i, wave_line_error(&w, functions[i].of_terms, status, got), text);
                known = 1;
            }
            if (!known)
                ok(0, "a function of no name: %.40s", text);
        }
        if (file)
            (void)fclose(file);
    }
    worst_report(worst, FUNCTIONS, 30);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
