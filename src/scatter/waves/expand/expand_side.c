/* expand_side.c: the modes of a basis sorted by particle and by (l, m), as blocks of matrices need them. */
#include <string.h>

#include "scatter/waves/expand/expand_side.h"

static int place_of(int l, int m)
{
    return l * l + l + m;
}

/* The distinct (l, m) of a basis by rising l, then m; place[l^2 + l + m] into the set, -1: not in it. */
static void collect(const poy_basis *basis, poyi_mode_set *set, int32_t *place)
{
    for (int i = 0; i < POYI_SET_MAX; i++)
        place[i] = -1;
    for (size_t i = 0; i < basis->size; i++)
        place[place_of(basis->modes[i].l, basis->modes[i].m)] = 0;
    set->count = set->lmax = 0;
    for (int l = 1; l <= POY_DEGREE_MAX; l++)
        for (int m = -l; m <= l; m++)
            if (place[place_of(l, m)] == 0) {
                place[place_of(l, m)] = set->count;
                set->l[set->count] = l;
                set->m[set->count++] = m;
                set->lmax = l;
            }
}

poy_status poyi_side_create(poy_ctx *ctx, const poy_basis *basis, poyi_side **out)
{
    const size_t particles = basis->n_positions, n = basis->size;
    size_t lookups, bytes;
    void *memory = NULL;
    poyi_side *side = NULL;
    int32_t place[POYI_SET_MAX];
    *out = NULL;
    POYI_TRY(ctx, poyi_alloc(ctx, "waves.expand", sizeof *side, &memory));
    side = memory;
    *side = (poyi_side){.particles = particles, .basis = basis};
    collect(basis, &side->set, place);

    poy_status status;
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, particles, 2 * (size_t)side->set.count, &lookups));
    bytes = (particles + 1) * sizeof *side->start + n * sizeof *side->mode + lookups * sizeof *side->lookup;
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "waves.expand", bytes, &side->memory));
    side->start = side->memory;
    side->mode = (poyi_side_mode *)(side->start + particles + 1);
    side->lookup = (int32_t *)(side->mode + n);
    memset(side->lookup, -1, lookups * sizeof *side->lookup);
    for (size_t i = 0; i < n; i++)
        side->start[basis->modes[i].particle + 1]++;
    for (size_t p = 0; p < particles; p++)
        side->start[p + 1] += side->start[p];
    for (size_t i = 0; i < n; i++) { /* start[p] runs ahead while the particle's modes are placed */
        const poy_wave_mode *m = basis->modes + i;
        const int32_t at = place[place_of(m->l, m->m)];
        side->mode[side->start[m->particle]++] = (poyi_side_mode){(int32_t)i, at, m->pol};
        side->lookup[2 * ((size_t)m->particle * (size_t)side->set.count + (size_t)at) + (size_t)m->pol] = (int32_t)i;
    }
    for (size_t p = particles; p > 0; p--)
        side->start[p] = side->start[p - 1];
    side->start[0] = 0;
    *out = side;
    return POY_OK;
done:
    poyi_side_destroy(&side);
    return status;
}

void poyi_side_destroy(poyi_side **side)
{
    void *memory = *side;
    if (*side)
        poyi_free(&(*side)->memory);
    poyi_free(&memory);
    *side = NULL;
}
