/* describe.c: what follows from a scattering recipe before anything is computed. */
#include <math.h>

#include "core/constants.h"
#include "run/recipe/describe.h"
#include "run/scatter/session.h"
#include "run/scatter/stack.h"

static poy_status describe(poy_ctx *ctx, poyi_scatter *s, poyi_numbers *l)
{
    poyi_store_layout layout;
    poyi_scatter_memory memory;
    double shortest = (double)INFINITY, longest = 0, smallest = (double)INFINITY, largest = 0, x;
    int least = 1000, most = 0, degree, points = 0, fields = 0, degrees = 0, solutions = 0;
    for (int i = 0; i < s->n_views; i++) {
        const poyi_view *v = &s->views[i];
        if (v->kind == POYI_VIEW_SWEEP || v->kind == POYI_VIEW_ARRAY)
            points += v->n;
        else if (v->kind != POYI_VIEW_CONVERGENCE)
            fields += v->n;
        else
            degrees = v->n;
        for (int k = 0; k < v->n && v->kind != POYI_VIEW_CONVERGENCE; k++) {
            const double wavelength = 2 * POYI_PI / v->k0[k];
            POYI_TRY(ctx, poyi_scatter_size(ctx, s, v->k0[k], &x));
            degree = v->lmax[k];
            if (!degree)
                POYI_TRY(ctx, poyi_scatter_degree(ctx, s, v->k0[k], s->tol, &degree));
            solutions += v->lmax[k] ? 1 : 2;
            degree = degree > 0 ? degree : 0;
            least = degree < least ? degree : least;
            most = degree > most ? degree : most;
            shortest = fmin(shortest, wavelength);
            longest = fmax(longest, wavelength);
            smallest = fmin(smallest, x);
            largest = fmax(largest, x);
        }
    }
    POYI_TRY(ctx, poyi_scatter_layout(ctx, s, &layout));
    POYI_TRY(ctx, poyi_scatter_bytes(ctx, s, &layout, poy_ctx_budget(ctx), &memory));
    poyi_number_add(l, "particles", POY_DIM_NONE, "", s->n, "particles");
    poyi_number_add(l, "points", POY_DIM_NONE, "", points,
                    s->array ? "wavelengths of the stack" : "wavelengths of cross sections and T-matrices");
    if (s->array)
        poyi_number_add(l, "orders", POY_DIM_NONE, "", s->array->n_orders, "diffraction orders, evanescent ones too");
    poyi_number_add(l, "fields", POY_DIM_NONE, "", fields, "near and far fields");
    if (degrees)
        poyi_number_add(l, "convergence", POY_DIM_NONE, "", degrees, "degrees, each tried at one wavelength");
    poyi_number_add(l, "wavelength_min", POY_DIM_LENGTH, "m", shortest, "shortest wavelength");
    poyi_number_add(l, "wavelength_max", POY_DIM_LENGTH, "m", longest, "longest wavelength");
    poyi_number_add(l, "size_min", POY_DIM_NONE, "", smallest, "size parameter k r of the largest particle, least");
    poyi_number_add(l, "size_max", POY_DIM_NONE, "", largest, "size parameter k r of the largest particle, most");
    if (s->n > 1 && !s->cylinders)
        poyi_number_add(l, "gap_ratio", POY_DIM_NONE, "", poyi_scatter_ratio(s),
                        "what each more degree leaves of the error of the closest pair");
    poyi_number_add(l, s->cylinders ? "mmax_min" : "lmax_min", POY_DIM_NONE, "", least,
                    "least degree of the expansions");
    poyi_number_add(l, s->cylinders ? "mmax_max" : "lmax_max", POY_DIM_NONE, "", most,
                    "largest degree of the expansions; with lmax = auto the first that is tried");
    poyi_number_add(l, "unknowns", POY_DIM_NONE, "", (double)poyi_solution_size(s, most),
                    "waves of all particles, at most");
    poyi_number_add(l, "solutions", POY_DIM_NONE, "", solutions, "systems to be solved, at least");
    poyi_number_add(l, "bytes", POY_DIM_BYTES, "B", (double)memory.total, "memory of a run");
    if (memory.total_most > memory.total)
        poyi_number_add(l, "bytes_most", POY_DIM_BYTES, "B", (double)memory.total_most,
                        "memory where factors have to take over from iterations that do not converge");
    poyi_number_add(l, "file_bytes", POY_DIM_BYTES, "B", memory.file, "the file");
    return POY_OK;
}

poy_status poyi_scatter_describe(poy_ctx *ctx, poy_recipe *r, poyi_numbers *l)
{
    poyi_scatter s;
    poyi_ctx_watch_bytes(ctx);
    POYI_TRY(ctx, poyi_scatter_create(ctx, r, &s));
    const poy_status status = describe(ctx, &s, l);
    poyi_scatter_fini(&s);
    return status;
}
