/* vacuum.c: spheres in vacuum between the inputs of a record and the cluster that they are. */
#include "scatter/record/vacuum.h"

enum { K0, RADII, EPSILON, POSITIONS };

poy_status poyi_vacuum_open(poy_ctx *ctx, const poy_rec_item *item, poyi_vacuum_spheres *v)
{
    const poy_rec_array *in = item->in;
    const size_t n = poyi_extent(item, RADII, 0);
    *v = (poyi_vacuum_spheres){0};
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.record", 2 * n * sizeof(poy_medium) + 7 * n * sizeof(double), &v->memory));
    poy_medium *media = v->memory;
    v->g_media = media + n;
    v->g_radii = (double *)(void *)(v->g_media + n);
    v->to = v->g_radii + n;
    v->from = v->to + 3 * n;
    for (size_t i = 0; i < n; i++)
        media[i] = poy_medium_dielectric(poyi_complex(in, EPSILON)[i]);
    v->spheres =
        (poy_spheres){.embedding = {.k0 = *poyi_real(in, K0), .medium = poy_medium_dielectric((poy_c128){1.0, 0.0})},
                      .lmax = (int)poyi_choice(item->config, 0),
                      .n = n,
                      .layers = 1,
                      .radii = in[RADII].data,
                      .media = media,
                      .positions = in[POSITIONS].data};
    return POY_OK;
}

poy_status poyi_vacuum_pull(poy_ctx *ctx, poyi_vacuum_spheres *v, const poy_c128 *g_blocks, const poy_c128 g_ks[2],
                            const poy_rec_array *grad)
{
    poy_spheres_gradient g = {
        .k0 = g_ks[0].re + g_ks[1].re, .radii = grad[RADII].data ? grad[RADII].data : v->g_radii, .media = v->g_media};
    POYI_TRY(ctx, poyi_spheres_pull_blocks(ctx, &v->spheres, POYI_WANT_ALL, g_blocks, &g));
    if (grad[K0].data)
        *poyi_real(grad, K0) = g.k0;
    for (size_t i = 0; grad[EPSILON].data && i < v->spheres.n; i++)
        poyi_complex(grad, EPSILON)[i] = g.media[i].epsilon;
    for (size_t i = 0; grad[POSITIONS].data && i < 3 * v->spheres.n; i++)
        poyi_real(grad, POSITIONS)[i] = v->to[i] + v->from[i];
    return POY_OK;
}

poy_status poyi_vacuum_push(poy_ctx *ctx, poyi_vacuum_spheres *v, const poy_rec_array *tan, poy_c128 *d_blocks,
                            poy_c128 d_ks[2])
{
    const double d_k0 = tan[K0].data ? *poyi_real(tan, K0) : 0.0;
    poy_spheres_gradient d = {.k0 = d_k0, .radii = tan[RADII].data, .media = v->g_media};
    memset(v->g_media, 0, v->spheres.n * sizeof *v->g_media);
    for (size_t i = 0; tan[EPSILON].data && i < v->spheres.n; i++)
        v->g_media[i].epsilon = poyi_complex(tan, EPSILON)[i];
    POYI_TRY(ctx, poyi_spheres_push_blocks(ctx, &v->spheres, &d, d_blocks));
    d_ks[0] = d_ks[1] = (poy_c128){d_k0, 0.0};
    return POY_OK;
}

poy_status poyi_vacuum_sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const poyi_range ranges[4] = {[K0] = {0.9, 1.3, 0.0, 0.0, 0.0},
                                  [RADII] = {0.3, 0.4, 0.0, 0.0, 0.0},
                                  [EPSILON] = {2.0, 4.0, 0.1, 0.5, 0.0},
                                  [POSITIONS] = {-0.1, 0.1, 0.0, 0.0, 0.0}};
    (void)ctx, (void)config;
    poyi_sample_ranges(seed, 4, ranges, in);
    for (int64_t i = 0; i < in[POSITIONS].spec.dims[0]; i++)
        poyi_real(in, POSITIONS)[3 * i + i % 3] += 1.2 * (double)i;
    return POY_OK;
}
