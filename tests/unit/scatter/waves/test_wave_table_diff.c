/* test_wave_table_diff.c: derivatives of vector waves, translations, rotations, expansions, channels and fields against
 * differences of 2^-100 in Arb, forwards and backwards. With a folder as argument: the tables there, as
 * tools/wave_reference/make_wave_reference.py writes them. */
#include "scatter/waves/diff.h"
#include "wave_table.h"

/* One derivative by the input of a line: the tangent of all outputs, or, of one output, what the pullback of its conjugate
 * parts gives: re of the gradients of cotangent 1 and i for a real input, the conjugate gradient of cotangent 1 for a complex
 * one. Both are the column of the Jacobian. */
typedef struct way {
    int component; /* -1: forwards */
    poy_c128 *out;
} way;

/* out from the gradients of cotangents 1 (g[0]) and i (g[1]) */
static void put_real(const way *y, const double g[2])
{
    y->out[y->component] = (poy_c128){g[0], g[1]};
}

static void put_complex(const way *y, poy_c128 g)
{
    y->out[y->component] = (poy_c128){g.re, -g.im};
}

static const poy_c128 cotangents[2] = {{1.0, 0.0}, {0.0, 1.0}};

/* ---- single waves ---- */

/* l < 0: the family has none. */
static poy_status wave(poy_ctx *ctx, const wave_line *w, poyi_wave_function f, int64_t l, int64_t m, int64_t pol,
                       const way *y)
{
    poyi_wave_call c = {.function = f, .n = 1, .l = l < 0 ? NULL : &l, .m = &m, .pol = &pol};
    const poy_c128 *d[POYI_WAVE_ARGUMENTS] = {NULL};
    poy_c128 *g[POYI_WAVE_ARGUMENTS] = {NULL}, gradient;
    for (int a = 0; a < w->n_inputs; a++)
        c.argument[a].z = w->in + a;
    d[w->index] = cotangents;
    g[w->index] = &gradient;
    if (y->component < 0)
        return poyi_vector_wave_pushforward(ctx, &c, d, y->out);
    poy_c128 g_out[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    g_out[y->component].re = 1.0;
    const poy_status status = poyi_vector_wave_pullback(ctx, &c, g_out, g);
    put_complex(y, gradient);
    return status;
}

static poy_status vsh(poy_ctx *ctx, const wave_line *w, const way *y)
{
    return wave(ctx, w, (poyi_wave_function)(POYI_VSH_X + w->label[0]), w->label[1], w->label[2], 0, y);
}

static poy_status vsw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int first = w->label[1] ? POYI_VSW_M : POYI_VSW_RM;
    return wave(ctx, w, (poyi_wave_function)(first + w->label[0]), w->label[2], w->label[3], w->label[4], y);
}

static poy_status vcw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int first = w->label[1] ? POYI_VCW_M : POYI_VCW_RM;
    wave_line fewer = *w; /* M is no function of k */
    fewer.n_inputs = w->label[0] ? 5 : 4;
    if (w->index < fewer.n_inputs)
        return wave(ctx, &fewer, (poyi_wave_function)(first + w->label[0]), -1, w->label[2], w->label[3], y);
    return POY_OK;
}

static poy_status vpw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    return wave(ctx, w, (poyi_wave_function)(POYI_VPW_M + w->label[0]), -1, 0, w->label[1], y);
}

/* ---- fields ---- */

/* The index among x, y, z, k, kz or the wavevector. */
static poy_status field_by(poy_ctx *ctx, const poyi_field_function *f, int index, const way *y)
{
    double point[3] = {0.0, 0.0, 0.0}, axial = 0.0;
    poy_c128 ks[2] = {{0.0, 0.0}, {0.0, 0.0}}, vectors[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    poyi_field_inputs in = {.points = point};
    if (f->vectors)
        in.vectors = vectors;
    else
        in.ks = ks;
    if (index == 4)
        in.axial = &axial;
    if (y->component < 0) {
        if (index < 3)
            point[index] = 1.0;
        else if (index >= 5)
            vectors[index - 5].re = 1.0;
        else if (index == 4)
            axial = 1.0;
        else
            ks[0].re = ks[1].re = 1.0;
        return poyi_field_pushforward(ctx, f, &in, y->out);
    }
    double real[2] = {0.0, 0.0};
    poy_status status = POY_OK;
    for (int part = 0; part < 2 && status == POY_OK; part++) {
        poy_c128 g_out[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        g_out[y->component] = cotangents[part];
        status = poyi_field_pullback(ctx, f, g_out, &in);
        real[part] = index == 4 ? axial : index < 3 ? point[index] : 0.0;
        if (index == 3 && part == 0)
            put_complex(y, poyi_pair(poyi_c(ks[0]) + poyi_c(ks[1])));
        else if (index >= 5 && part == 0)
            put_complex(y, vectors[index - 5]);
    }
    if (index < 3 || index == 4)
        put_real(y, real);
    return status;
}

/* By the medium and k0 through ks; forwards only, since the pullback of ks has tests above and that of media is small. */
static poy_status field_by_medium(poy_ctx *ctx, const wave_line *w, const poyi_field_function *f, const way *y)
{
    const poy_medium medium = {w->in[4], w->in[5], w->in[6]};
    poy_medium d = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    poy_c128 d_ks[2];
    poy_c128 *const part[3] = {&d.epsilon, &d.mu, &d.kappa};
    if (w->index > 3)
        part[w->index - 4]->re = 1.0;
    const poy_status status =
        poyi_medium_ks_pushforward(ctx, &medium, real_input(w, 3), &d, w->index == 3 ? 1.0 : 0.0, d_ks);
    if (status != POY_OK)
        return status;
    if (y->component < 0) {
        const poyi_field_inputs in = {.ks = d_ks};
        return poyi_field_pushforward(ctx, f, &in, y->out);
    }
    /* the gradient of ks, then that of the medium or of k0 */
    double real[2] = {0.0, 0.0};
    poy_status pulled = POY_OK;
    for (int side = 0; side < 2 && pulled == POY_OK; side++) {
        poy_c128 g_out[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, g_ks[2];
        const poyi_field_inputs in = {.ks = g_ks};
        g_out[y->component] = cotangents[side];
        pulled = poyi_field_pullback(ctx, f, g_out, &in);
        if (pulled == POY_OK)
            pulled = poyi_medium_ks_pullback(ctx, &medium, real_input(w, 3), g_ks, &d, real + side);
        if (w->index > 3 && side == 0)
            put_complex(y, *part[w->index - 4]);
    }
    if (w->index == 3)
        put_real(y, real);
    return pulled;
}

static poy_status field(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const poy_medium medium = {w->in[4], w->in[5], w->in[6]};
    const poy_c128 one = {1.0, 0.0};
    double r[3];
    poyi_field_function f = {
        .poltype = (poy_poltype)w->label[5], .singular = w->label[4] != 0, .coefficients = &one, .n = 1, .points = r};
    real_inputs(w, 0, r);
    poy_basis *b = w->label[0] ? lone_cylindrical(ctx, real_input(w, 7), w->label[2], w->label[3], NULL)
                               : lone_spherical(ctx, w->label[1], w->label[2], w->label[3], NULL);
    f.basis = b;
    poy_status status = poy_medium_ks(ctx, &medium, real_input(w, 3), f.ks);
    if (f.poltype == POY_PARITY)
        f.ks[1] = f.ks[0];
    if (status == POY_OK)
        status = w->index < 3 || w->index == 7 ? field_by(ctx, &f, w->index == 7 ? 4 : w->index, y)
                                               : field_by_medium(ctx, w, &f, y);
    poy_basis_destroy(&b);
    return status;
}

static poy_status plane_field(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const poy_wave_mode mode = {.pol = (int32_t)w->label[1], .q = {{1.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}};
    const poy_c128 one = {1.0, 0.0};
    poy_basis *b = NULL;
    double r[3];
    real_inputs(w, 3, r);
    (void)poy_basis_pw_create(ctx, 1, &mode, &b);
    const poyi_field_function f = {
        .basis = b, .vectors = w->in, .poltype = (poy_poltype)w->label[0], .coefficients = &one, .n = 1, .points = r};
    const poy_status status = field_by(ctx, &f, w->index < 3 ? 5 + w->index : w->index - 3, y);
    poy_basis_destroy(&b);
    return status;
}

static poy_status field_sum(poy_ctx *ctx, const wave_line *w, const way *y)
{
    static poy_c128 coefficients[COUNTED_MODES];
    double r[3];
    real_inputs(w, 0, r);
    poy_basis *b = counted_modes(ctx, (int)w->label[0], coefficients);
    const poyi_field_function f = {.basis = b,
                                   .ks = {w->in[3], w->in[3]},
                                   .singular = w->label[1] != 0,
                                   .coefficients = coefficients,
                                   .n = 1,
                                   .points = r};
    const poy_status status = field_by(ctx, &f, w->index, y);
    poy_basis_destroy(&b);
    return status;
}

/* ---- translations, rotations ---- */

static poy_status sw_translate(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int64_t *n = w->label + 2;
    const double theta = real_input(w, 1), phi = real_input(w, 2), one = 1.0;
    const poyi_translation_call c = {
        1, n, n + 1, n + 2, n + 3, n + 4, n + 5, (poy_poltype)w->label[1], w->label[0] != 0, w->in, &theta, &phi};
    if (y->component < 0)
        return poyi_sw_translate_pushforward(ctx, &c, w->index == 0 ? cotangents : NULL, w->index == 1 ? &one : NULL,
                                             w->index == 2 ? &one : NULL, y->out);
    poy_c128 g_kr[2];
    double g[2][2];
    poy_status status = POY_OK;
    for (int part = 0; part < 2 && status == POY_OK; part++)
        status = poyi_sw_translate_pullback(ctx, &c, cotangents + part, g_kr + part, g[0] + part, g[1] + part);
    if (w->index == 0)
        put_complex(y, g_kr[0]);
    else
        put_real(y, g[w->index - 1]);
    return status;
}

static poy_status tl_vcw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const double phi = real_input(w, 1), z = real_input(w, 2), kz = real_input(w, 3), one = 1.0;
    const poyi_cylindrical_call c = {1, w->label + 1, w->label[0] != 0, w->in, &phi, &z, &kz};
    if (y->component < 0)
        return poyi_cw_translate_pushforward(ctx, &c, w->index == 0 ? cotangents : NULL, w->index == 1 ? &one : NULL,
                                             w->index == 2 ? &one : NULL, w->index == 3 ? &one : NULL, y->out);
    poy_c128 g_krr[2];
    double g[3][2];
    poy_status status = POY_OK;
    for (int part = 0; part < 2 && status == POY_OK; part++)
        status =
            poyi_cw_translate_pullback(ctx, &c, cotangents + part, g_krr + part, g[0] + part, g[1] + part, g[2] + part);
    if (w->index == 0)
        put_complex(y, g_krr[0]);
    else
        put_real(y, g[w->index - 1]);
    return status;
}

/* Which input of an expansion moves: the destination's x, y, z; both ks; kz; the period. */
typedef enum moved { MOVED_POSITION, MOVED_KS = 3, MOVED_AXIAL, MOVED_PERIOD } moved;

static poy_status expansion_by(poy_ctx *ctx, const poyi_expansion *e, int index, const way *y)
{
    double place[3] = {0.0, 0.0, 0.0}, source[3], axial[2] = {0.0, 0.0}, period = 0.0;
    poy_c128 ks[2] = {{0.0, 0.0}, {0.0, 0.0}};
    poyi_expansion_inputs in = {.destination = place, .ks = ks};
    if (index == MOVED_AXIAL)
        in.axial = axial;
    if (index == MOVED_PERIOD)
        in.period = &period;
    if (y->component < 0) {
        if (index < MOVED_KS)
            place[index] = 1.0;
        ks[0].re = ks[1].re = index == MOVED_KS ? 1.0 : 0.0;
        axial[0] = period = 1.0;
        return poyi_expansion_pushforward(ctx, e, &in, y->out);
    }
    double real[2] = {0.0, 0.0};
    poy_status status = POY_OK;
    in.source = source;
    for (int part = 0; part < 2 && status == POY_OK; part++) {
        status = poyi_expansion_pullback(ctx, e, cotangents + part, &in);
        real[part] = index == MOVED_AXIAL ? axial[0] : index == MOVED_PERIOD ? period : place[index % 3];
        if (index < MOVED_KS && source[index] != -place[index]) /* only the displacement counts */
            return POY_ERR_INTERNAL;
        if (part == 0)
            put_complex(y, poyi_pair(poyi_c(ks[0]) + poyi_c(ks[1])));
    }
    if (index != MOVED_KS)
        put_real(y, real);
    return status;
}

static poy_status between(poy_ctx *ctx, poyi_expansion e, poy_basis *to, poy_basis *from, int index, const way *y)
{
    e.destination = to;
    e.source = from;
    const poy_status status = expansion_by(ctx, &e, index, y);
    poy_basis_destroy(&to);
    poy_basis_destroy(&from);
    return status;
}

static poy_status sw_displace(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int64_t *n = w->label + 2;
    double d[3];
    real_inputs(w, 0, d);
    const poyi_expansion e = {
        .ks = {w->in[3], w->in[3]}, .poltype = (poy_poltype)w->label[1], .singular = w->label[0] != 0};
    return between(ctx, e, lone_spherical(ctx, n[0], n[1], n[2], d), lone_spherical(ctx, n[3], n[4], n[5], NULL),
                   w->index, y);
}

static poy_status cw_displace(poy_ctx *ctx, const wave_line *w, const way *y)
{
    static const int place[5] = {0, 1, 2, MOVED_AXIAL, MOVED_KS};
    const double kz = real_input(w, 3);
    double d[3];
    real_inputs(w, 0, d);
    const poyi_expansion e = {.ks = {w->in[4], w->in[4]}, .singular = w->label[0] != 0};
    return between(ctx, e, lone_cylindrical(ctx, kz, 0, 1, d), lone_cylindrical(ctx, kz, w->label[1], 1, NULL),
                   place[w->index], y);
}

static poy_status sw_rotate(poy_ctx *ctx, const wave_line *w, const way *y)
{
    poy_basis *to = lone_spherical(ctx, w->label[0], w->label[1], 1, NULL),
              *from = lone_spherical(ctx, w->label[0], w->label[2], 1, NULL);
    double angles[3], d[3] = {0.0, 0.0, 0.0}, real[2] = {0.0, 0.0};
    poy_status status = POY_OK;
    real_inputs(w, 0, angles);
    d[w->index] = 1.0;
    if (y->component < 0)
        status = poyi_rotate_pushforward(ctx, angles, to, from, d, y->out);
    else {
        for (int part = 0; part < 2 && status == POY_OK; part++) {
            status = poyi_rotate_pullback(ctx, angles, to, from, cotangents + part, d);
            real[part] = d[w->index];
        }
        put_real(y, real);
    }
    poy_basis_destroy(&to);
    poy_basis_destroy(&from);
    return status;
}

/* ---- plane waves and periodic arrays ---- */

/* Takes the basis. */
static poy_status incidence_by(poy_ctx *ctx, const wave_line *w, poy_basis *b, int pol, poy_poltype poltype,
                               const way *y)
{
    const poyi_incidence e = {b, 1, w->in, &pol, poltype};
    double place[3] = {0.0, 0.0, 0.0}, real[2] = {0.0, 0.0};
    poy_c128 vector[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    poy_status status = POY_OK;
    if (y->component < 0) {
        if (w->index < 3)
            vector[w->index].re = 1.0;
        else
            place[w->index - 3] = 1.0;
        status = poyi_incidence_pushforward(ctx, &e, place, vector, y->out);
    } else {
        for (int part = 0; part < 2 && status == POY_OK; part++) {
            status = poyi_incidence_pullback(ctx, &e, cotangents + part, place, vector);
            real[part] = place[w->index % 3];
            if (w->index < 3 && part == 0)
                put_complex(y, vector[w->index]);
        }
        if (w->index >= 3)
            put_real(y, real);
    }
    poy_basis_destroy(&b);
    return status;
}

static poy_status pw_to_sw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    double r[3];
    real_inputs(w, 3, r);
    return incidence_by(ctx, w, lone_spherical(ctx, w->label[1], w->label[2], w->label[3], r), (int)w->label[4],
                        (poy_poltype)w->label[0], y);
}

static poy_status pw_to_cw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    double r[3];
    real_inputs(w, 3, r);
    return incidence_by(ctx, w, lone_cylindrical(ctx, real_input(w, 2), w->label[0], 1, r), 1, POY_HELICITY, y);
}

static poy_status cw_to_sw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int64_t *n = w->label + 1;
    const poyi_expansion e = {.ks = {w->in[1], w->in[1]}, .poltype = (poy_poltype)w->label[0]};
    return between(ctx, e, lone_spherical(ctx, n[0], n[1], n[2], NULL),
                   lone_cylindrical(ctx, real_input(w, 0), n[1], n[3], NULL), w->index ? MOVED_KS : MOVED_AXIAL, y);
}

static poy_status sw_to_cw(poy_ctx *ctx, const wave_line *w, const way *y)
{
    static const int place[3] = {MOVED_AXIAL, MOVED_KS, MOVED_PERIOD};
    const int64_t *n = w->label + 1;
    const poyi_expansion e = {
        .ks = {w->in[1], w->in[1]}, .poltype = (poy_poltype)w->label[0], .singular = 1, .period = real_input(w, 2)};
    return between(ctx, e, lone_cylindrical(ctx, real_input(w, 0), n[1], n[2], NULL),
                   lone_spherical(ctx, n[0], n[1], n[3], NULL), place[w->index], y);
}

static poy_status pw_permute(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const poy_poltype poltype = (poy_poltype)w->label[0];
    const int turns = w->label[1] ? 2 : 1, p = (int)w->label[2], q = (int)w->label[3];
    poy_c128 d[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, both[2] = {{0.0, 0.0}, {0.0, 0.0}};
    if (y->component < 0) {
        d[w->index].re = 1.0;
        const poy_status status = poyi_plane_permutation_pushforward(ctx, poltype, turns, 1, w->in, &q, d, both);
        y->out[0] = both[p];
        return status;
    }
    both[p].re = 1.0;
    const poy_status status = poyi_plane_permutation_pullback(ctx, poltype, turns, 1, w->in, &q, both, d);
    put_complex(y, d[w->index]);
    return status;
}

/* Channels by q[first], q[first + 1], k, the measure and the position. Takes the basis. */
static poy_status channel_by(poy_ctx *ctx, const wave_line *w, poyi_channels c, poy_basis *b, const way *y)
{
    const size_t block = 2 * (size_t)w->label[0] + (size_t)w->label[1];
    const double q[2] = {real_input(w, 0), real_input(w, 1)};
    double place[3] = {0.0, 0.0, 0.0}, d_q[2] = {0.0, 0.0}, measure = 0.0, real[2] = {0.0, 0.0};
    poy_c128 ks[2] = {{0.0, 0.0}, {0.0, 0.0}}, blocks[4];
    const poyi_channels_inputs in = {place, ks, d_q, &measure};
    double *const moves[7] = {d_q, d_q + 1, NULL, &measure, place, place + 1, place + 2};
    poy_status status = POY_OK;
    c.multipoles = b;
    c.q = q;
    c.n = 1;
    c.ks[0] = c.ks[1] = w->in[2];
    c.measure = real_input(w, 3);
    if (y->component < 0) {
        if (w->index == 2)
            ks[0].re = ks[1].re = 1.0;
        else
            *moves[w->index] = 1.0;
        status = poyi_channels_pushforward(ctx, &c, &in, blocks);
        y->out[0] = blocks[block];
    } else {
        for (int part = 0; part < 2 && status == POY_OK; part++) {
            memset(blocks, 0, sizeof blocks);
            blocks[block] = cotangents[part];
            status = poyi_channels_pullback(ctx, &c, blocks, &in);
            real[part] = w->index == 2 ? 0.0 : *moves[w->index];
            if (part == 0)
                put_complex(y, poyi_pair(poyi_c(ks[0]) + poyi_c(ks[1])));
        }
        if (w->index != 2)
            put_real(y, real);
    }
    poy_basis_destroy(&b);
    return status;
}

static poy_status sw_channel(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int pol = (int)(w->label[0] ? w->label[5] : w->label[6]);
    double r[3];
    real_inputs(w, 4, r);
    const poyi_channels c = {.pol = &pol, .poltype = (poy_poltype)w->label[2]};
    return channel_by(ctx, w, c,
                      lone_spherical(ctx, w->label[3], w->label[4], w->label[0] ? w->label[6] : w->label[5], r), y);
}

static poy_status cw_channel(poy_ctx *ctx, const wave_line *w, const way *y)
{
    const int pol = 1;
    double r[3];
    real_inputs(w, 4, r);
    const poyi_channels c = {.pol = &pol, .poltype = POY_HELICITY};
    return channel_by(ctx, w, c, lone_cylindrical(ctx, real_input(w, 0), w->label[2], 1, r), y);
}

/* ---- the tables ---- */

/* fixed: an input that is a label in the derivative, else -1. */
static const struct {
    const char *name, *row;
    poy_status (*derive)(poy_ctx *, const wave_line *, const way *);
    int fixed;
} functions[] = {
    {"vsh", "d of vector harmonics", vsh, -1},
    {"vsw", "d of spherical waves", vsw, -1},
    {"vcw", "d of cylindrical waves", vcw, -1},
    {"vpw", "d of plane waves", vpw, -1},
    {"field", "d of E of a mode in a medium", field, -1},
    {"field_sum", "d of E of all modes to a degree", field_sum, -1},
    {"plane_field", "d of E of a plane wave", plane_field, -1},
    {"sw_translate", "d of translations of spherical waves", sw_translate, -1},
    {"sw_displace", "d of the same as a matrix", sw_displace, -1},
    {"tl_vcw", "d of translations of cylindrical waves", tl_vcw, -1},
    {"cw_displace", "d of the same as a matrix", cw_displace, -1},
    {"sw_rotate", "d of rotations", sw_rotate, -1},
    {"pw_to_sw", "d of plane to spherical", pw_to_sw, -1},
    {"pw_to_cw", "d of plane to cylindrical", pw_to_cw, 2},
    {"cw_to_sw", "d of cylindrical to spherical", cw_to_sw, -1},
    {"sw_to_cw", "d of a chain to cylindrical", sw_to_cw, -1},
    {"pw_permute", "d of permuted axes", pw_permute, -1},
    {"sw_channel", "d of channels of a lattice", sw_channel, -1},
    {"cw_channel", "d of channels of a grating", cw_channel, 0},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

/* The worse of forwards and backwards. */
static double judge(poy_ctx *ctx, const wave_line *w, int i)
{
    poy_c128 forward[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, backward[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    poy_status status = functions[i].derive(ctx, w, &(way){-1, forward});
    const double error = wave_line_error(w, 0, status, forward);
    for (int component = 0; component < w->n_outputs && status == POY_OK; component++)
        status = functions[i].derive(ctx, w, &(way){component, backward});
    return fmax(error, wave_line_error(w, 0, status, backward));
}

int main(int argc, char **argv)
{
    static const char *const tables[] = {"single_diff", "field_diff", "translation_diff", "plane_diff"};
    static worst_error worst[FUNCTIONS];
    char text[4096];
    wave_line w;
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    for (int i = 0; i < FUNCTIONS; i++)
        worst[i] = (worst_error){.name = functions[i].row, .bar = 1e-12};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        FILE *file = wave_table_open(argc, argv, tables[t]);
        while (file && table_line(file, text, sizeof text)) {
            int known = 0;
            const int read = wave_line_read(text, 1, &w);
            for (int i = 0; read && i < FUNCTIONS; i++) {
                if (strcmp(w.name, functions[i].name) != 0)
                    continue;
                known = 1;
                if (w.index != functions[i].fixed)
                    worst_add(worst + i, judge(ctx, &w, i), text);
            }
            if (!known)
                ok(0, "a function of no name: %.40s", text);
        }
        if (file)
            (void)fclose(file);
    }
    if (poy_ctx_status(ctx) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    worst_report(worst, FUNCTIONS, 20);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
