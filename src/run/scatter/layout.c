/* layout.c: the datasets of a scattering result: rows of each view, axes, outlines, labels of modes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

enum { LINES_MAX = 64, OUTLINE_POINTS = 181 };

typedef struct list {
    poyi_scatter *s;
    poyi_column *columns;
    poyi_line_set *lines;
    int n, n_lines, view;
} list;

/* ---- columns ---- */

/* name: in the group of the view, or a path. The first scale is that of the last but one axis where there are two of them. */
static poyi_column *add(list *l, const char *name, const char *units, const char *text, const char *dims, int rank,
                        const int64_t *extent, int is_complex)
{
    poyi_column *c = &l->columns[l->n < POYI_COLUMNS_MOST - 1 ? l->n : POYI_COLUMNS_MOST - 1];
    *c = (poyi_column){.units = units, .text = text, .rank = rank, .is_complex = is_complex, .series = l->view};
    c->path = strchr(name, '/') ? name : poyi_arena_format(&l->s->arena, "%s/%s", l->s->views[l->view].group, name);
    c->dims = poyi_arena_format(&l->s->arena, *dims ? "k0 %s" : "k0", dims);
    c->width = is_complex ? 2 : 1;
    for (int i = 0; i < rank; i++) {
        c->extent[i] = extent[i];
        c->width *= extent[i];
    }
    l->n++;
    return c;
}

/* The same of each light: with an axis "illumination" in front where there are several. */
static poyi_column *add_lit(list *l, const char *name, const char *units, const char *text, const char *dims, int rank,
                            const int64_t *extent, int is_complex)
{
    int64_t all[4] = {l->s->n_lights};
    if (l->s->n_lights == 1)
        return add(l, name, units, text, dims, rank, extent, is_complex);
    for (int i = 0; i < rank; i++)
        all[i + 1] = extent[i];
    return add(l, name, units, text, poyi_arena_format(&l->s->arena, *dims ? "illumination %s" : "illumination", dims),
               rank + 1, all, is_complex);
}

static void add_sections(list *l, const char *group)
{
    const int is_width = l->s->cylinders || l->s->array;
    const char *unit = is_width ? "m" : "m2";
    const char *per = is_width ? "cross width (per length)" : "cross section";
    static const char *const names[] = {"extinction", "scattering", "absorption"};
    for (int i = 0; i < 3; i++)
        add_lit(l, poyi_arena_format(&l->s->arena, "%s/%s", group, names[i]), unit,
                poyi_arena_format(&l->s->arena, "%s %s: power over the intensity of the incident plane wave", names[i],
                                  per),
                "", 0, NULL, 0);
}

static void add_parts(list *l)
{
    const int64_t degrees = l->s->lmax_parts, particles = l->s->n;
    add_lit(l, "cross_sections/extinction_electric", "m2",
            "part of the extinction that electric multipoles of degree 1, 2, ... about the centres take", "degree", 1,
            &degrees, 0);
    add_lit(l, "cross_sections/extinction_magnetic", "m2",
            "part of the extinction that magnetic multipoles of degree 1, 2, ... about the centres take", "degree", 1,
            &degrees, 0);
    if (particles < 2)
        return;
    add_lit(l, "cross_sections/extinction_particle", "m2", "part of the extinction that each particle takes",
            "particle", 1, &particles, 0);
    add_lit(l, "cross_sections/absorption_particle", "m2", "absorption of each particle", "particle", 1, &particles, 0);
}

/* What tells a point, and how well it is known. */
static void add_point(list *l)
{
    add(l, "wavelength", "m", "wavelength in vacuum", "", 0, NULL, 0);
    add(l, "lmax", "1", l->s->cylinders ? "order of the expansions" : "degree of the expansions", "", 0, NULL, 0);
    add(l, "change", "1", "relative change of the results with the last degrees; NaN: one degree was computed", "", 0,
        NULL, 0);
    if (l->s->array)
        add(l, "gaps", "1",
            "lights, and Bloch vectors of a path, that are NaN: a diffraction order is on its threshold, where the "
            "answer diverges",
            "", 0, NULL, 0)
            ->zero_if_absent = 1; /* runs before it ended at such a point */
}

static void add_sweep(list *l)
{
    const int64_t n = (int64_t)poyi_solution_size(l->s, l->s->lmax_tmatrix), square[2] = {n, n};
    if (!l->s->tmatrix) {
        add(l, "medium_epsilon", "1", "relative permittivity of the medium", "", 0, NULL, 1);
    } else { /* in the places of a T-matrix file */
        add(l, "tmatrix/embedding/relative_permittivity", "1", "relative permittivity of the medium", "", 0, NULL, 1);
        add(l, "tmatrix/embedding/relative_permeability", "1", "relative permeability of the medium", "", 0, NULL, 1);
        add(l, "tmatrix/embedding/chirality", "1", "chirality of the medium", "", 0, NULL, 1);
        add(l, "tmatrix/angular_vacuum_wavenumber", "1/m", "angular wavenumber in vacuum", "", 0, NULL, 0)->unit =
            "m^{-1}";
    }
    add_point(l);
    if (l->s->cross_sections)
        add_sections(l, "cross_sections");
    if (l->s->cross_sections && !l->s->cylinders)
        add_parts(l);
    if (l->s->tmatrix)
        add(l, "tmatrix/tmatrix", "1", "outgoing waves per regular incident wave, both of helicity", "out in", 2,
            square, 1);
}

static void add_map(list *l)
{
    const int64_t n = l->s->array->n_path;
    if (n)
        add(l, "bands/resonance", "1",
            "smallest singular value of 1 - T C: 0 where the lattice carries a wave by itself", "path", 1, &n, 0)
            ->scale[0] = "bands/way";
}

/* Of stacks: two lights, that of the recipe and the same with its helicities exchanged. */
static void add_array(list *l)
{
    const struct poyi_stack *a = l->s->array;
    const int64_t two = 2, orders[2] = {2, a->n_orders}, ports[2] = {a->n_orders, 2}, waves = 4 * (int64_t)a->n_orders;
    if (!poyi_stack_needs_light(a))
        return;
    add_lit(l, "kpar", "rad/m",
            a->alignment == POY_ZX ? "z and x of the wavevector of the light"
                                   : "wavevector of the light along the planes",
            "axis", 1, &two, 0);
    if (a->transmission) {
        add_lit(l, "transmission/T", "1", "transmitted share of the power, all orders", "light", 1, &two, 0);
        add_lit(l, "transmission/R", "1", "reflected share of the power, all orders", "light", 1, &two, 0);
        add_lit(l, "transmission/A", "1", "absorbed share of the power", "light", 1, &two, 0);
        add_lit(l, "transmission/T_order", "1", "transmitted share of each diffraction order", "light order", 2, orders,
                0);
        add_lit(l, "transmission/R_order", "1", "reflected share of each diffraction order", "light order", 2, orders,
                0);
    }
    if (a->cd) {
        add_lit(l, "cd/transmission", "1", "(T_1 - T_0) / (T_1 + T_0): over the transmitted power of both lights", "",
                0, NULL, 0);
        add_lit(l, "cd/outgoing", "1",
                "(T_1 + R_1 - T_0 - R_0) / (T_1 + R_1 + T_0 + R_0): over the power that leaves of both lights", "", 0,
                NULL, 0);
        add_lit(l, "cd/absorption", "1", "(A_0 - A_1) / (A_0 + A_1): over the absorbed power of both lights", "", 0,
                NULL, 0);
    }
    if (a->amplitudes) {
        add_lit(l, "orders/transmitted", "V/m", "amplitudes above the stack, helicity 1 then 0, of light of 1 V/m",
                "order pol", 2, ports, 1);
        add_lit(l, "orders/reflected", "V/m", "amplitudes below the stack, helicity 1 then 0, of light of 1 V/m",
                "order pol", 2, ports, 1);
    }
    if (a->bands && !a->n_path)
        add_lit(l, "bands/kz", "rad/m", "Bloch wavenumbers of the stack repeated along its normal, by rising real part",
                "wave", 1, &waves, 1);
}

int64_t poyi_stack_lit_width(const poyi_scatter *s)
{
    const struct poyi_stack *a = s->array;
    const int64_t n = a->n_orders;
    return !poyi_stack_needs_light(a)
               ? 0
               : s->n_lights * (2 + (a->transmission ? 6 + 4 * n : 0) + (a->cd ? 3 : 0) + (a->amplitudes ? 8 * n : 0) +
                                (a->bands && !a->n_path ? 8 * n : 0));
}

/* Of a lattice or a stack. */
static void add_periodic(list *l)
{
    add_point(l);
    if (l->s->array->kind == POYI_REPEATS_PLANE)
        add_array(l);
    else if (l->s->array->sections)
        add_sections(l, "cross_sections");
    add_map(l);
}

static void add_view(list *l, const poyi_view *v)
{
    const int64_t pixels = v->pixels;
    const int64_t field[3] = {pixels, pixels, 3}, amplitude[3] = {2, pixels, 2};
    static const char *const planes[] = {"z y component", "z x component", "y x component"};
    static const char axes[] = "zzyyxx";
    const int lit = l->s->n_lights > 1;
    poyi_column *c[2] = {NULL, NULL};
    if (v->kind == POYI_VIEW_SWEEP) {
        add_sweep(l);
        return;
    }
    if (v->kind == POYI_VIEW_ARRAY) {
        add_periodic(l);
        return;
    }
    add_point(l);
    switch (v->kind) {
    case POYI_VIEW_NEAR:
        c[0] = add_lit(
            l, "E", "V/m",
            "electric field of an incident wave of 1 V/m; NaN inside of the spheres around particles that are no "
            "spheres",
            planes[v->axis], 3, field, 1);
        c[1] = add_lit(l, "H", "V/m", "magnetic field times the impedance of vacuum, likewise", planes[v->axis], 3,
                       field, 1);
        for (int i = 0; i < 2; i++) {
            c[i]->scale[lit] = poyi_arena_format(&l->s->arena, "%s/%c", v->group, v->axis == 2 ? 'y' : axes[0]);
            c[i]->scale[lit + 1] = poyi_arena_format(&l->s->arena, "%s/%c", v->group, v->axis == 0 ? 'y' : 'x');
        }
        break;
    case POYI_VIEW_FAR:
        if (l->s->cylinders) {
            c[0] = add_lit(
                l, "amplitude", "m^{1/2}",
                "f in E = f exp(i k_rho rho + i kz z) / sqrt(rho) of an incident wave of 1 V/m, of negative and "
                "positive helicity",
                "angle helicity", 2, amplitude + 1, 1);
            c[1] = add_lit(l, "differential", "m/rad", "differential scattering width |f|^2 k_rho / k", "angle", 1,
                           amplitude + 1, 0);
        } else {
            c[0] = add_lit(l, "amplitude", "m",
                           "f in E = f exp(i k r) / r of an incident wave of 1 V/m, of negative and positive helicity",
                           "plane angle helicity", 3, amplitude, 1);
            c[1] = add_lit(l, "differential", "m2/sr", "differential scattering cross section |f|^2", "plane angle", 2,
                           amplitude, 0);
        }
        for (int i = 0; i < 2; i++)
            c[i]->scale[lit + (l->s->cylinders ? 0 : 1)] = poyi_arena_format(&l->s->arena, "%s/angle", v->group);
        break;
    default: add_sections(l, v->group);
    }
}

/* ---- lines ---- */

static void add_line(list *l, const char *group, const char *name, const char *units, const char *text, int64_t n,
                     int64_t width, const double *numbers)
{
    if (l->n_lines < LINES_MAX)
        l->lines[l->n_lines++] = (poyi_line_set){.path = poyi_arena_format(&l->s->arena, "%s/%s", group, name),
                                                 .units = units,
                                                 .text = text,
                                                 .n = n,
                                                 .width = width,
                                                 .numbers = numbers};
}

/* Where a ray from the foot of a centre on the plane meets the surface, by bisection; 0: nowhere. */
static double ray(const poyi_scatter *s, const poyi_body *b, double share, int axis, double height,
                  const double direction[3])
{
    double low = 0, high = 1.01 * b->around;
    double at[3];
    for (int step = 0; step < 50; step++) {
        const double t = (low + high) / 2;
        for (int d = 0; d < 3; d++)
            at[d] = t * direction[d];
        at[axis] = height;
        if (s->cylinders)
            at[2] = 0;
        const double r = hypot(hypot(at[0], at[1]), at[2]);
        if (r > 0 && r > share * poyi_body_surface(b, at))
            high = t;
        else
            low = t;
    }
    return low;
}

typedef struct curves {
    double *at; /* rows of two coordinates; NaN parts them */
    int64_t n, room;
} curves;

static void add_point_of_curve(curves *c, double x, double y)
{
    if (c->n == c->room)
        return;
    c->at[2 * c->n] = x;
    c->at[2 * c->n++ + 1] = y;
}

static int shells(const poyi_body *b)
{
    return b->layers > 1 ? b->layers : 1;
}

/* Where the plane cuts the surface of a layer, or share of the particle that stands at centre. */
static void add_shell(const poyi_scatter *s, const poyi_view *v, int i, double share, const double centre[3],
                      curves *out)
{
    const int first = v->axis == 0 ? 1 : 0, second = v->axis == 2 ? 1 : 2;
    const poyi_body *b = &s->bodies[s->owner[i]];
    const double height = s->cylinders && v->axis == 2 ? 0 : v->offset - centre[v->axis];
    double foot[3] = {0};
    foot[v->axis] = height;
    if (isnan(b->around) || !(fabs(height) < share * poyi_body_surface(b, foot)) ||
        out->n + OUTLINE_POINTS + 1 > out->room)
        return;
    for (int k = 0; k < OUTLINE_POINTS; k++) {
        double direction[3] = {0};
        direction[first] = cos(2 * POYI_PI * k / (OUTLINE_POINTS - 1));
        direction[second] = sin(2 * POYI_PI * k / (OUTLINE_POINTS - 1));
        const double t = s->cylinders && v->axis != 2 && direction[2] != 0
                             ? (double)NAN
                             : ray(s, b, share, v->axis, height, direction);
        add_point_of_curve(out, centre[first] + t * direction[first], centre[second] + t * direction[second]);
    }
    add_point_of_curve(out, (double)NAN, (double)NAN);
}

static void add_outline(const poyi_scatter *s, const poyi_view *v, int i, const double centre[3], curves *out)
{
    const poyi_body *b = &s->bodies[s->owner[i]];
    for (int k = shells(b); k-- > 0;)
        add_shell(s, v, i, k + 1 < shells(b) ? b->radii[k] / b->radii[b->layers - 1] : 1, centre, out);
}

/* The particle and its images whose centres are within the picture or near it. */
static void add_images(const poyi_scatter *s, const poyi_view *v, int i, curves *out)
{
    enum { REACH = 6 };
    const poy_lattice *lattice = &s->array->lattice;
    const int dim = s->array->periodic ? lattice->dim : 0, first = dim == 1 && !s->cylinders ? 2 : 0;
    int count = 1;
    for (int d = 0; d < dim; d++)
        count *= 2 * REACH + 1;
    for (int image = 0; image < count; image++) {
        double centre[3], away = 0;
        int code = image;
        memcpy(centre, s->positions + 3 * (ptrdiff_t)i, sizeof centre);
        for (int row = 0; row < dim; row++, code /= 2 * REACH + 1)
            for (int c = 0; c < dim; c++)
                centre[first + c] += (code % (2 * REACH + 1) - REACH) * lattice->a[row * dim + c];
        for (int d = 0; d < 3; d++)
            away = d == v->axis ? away : fmax(away, fabs(centre[d] - v->centre[d]) - s->bodies[s->owner[i]].around);
        if (away < v->size / 2)
            add_outline(s, v, i, centre, out);
    }
}

/* Planes between the parts of a stack, across the picture. */
static void add_planes(list *l, const poyi_view *v, curves *out)
{
    const struct poyi_stack *a = l->s->array;
    const int first = v->axis == 0 ? 1 : 0, second = v->axis == 2 ? 1 : 2;
    double *low = poyi_arena_alloc(&l->s->arena, (size_t)a->n_parts * sizeof *low);
    if (!low || a->lone || a->kind != POYI_REPEATS_PLANE || a->normal == v->axis)
        return;
    poyi_stack_heights(a, low);
    for (int i = 1; i < a->n_parts; i++) {
        if (fabs(low[i] - v->centre[a->normal]) > v->size / 2)
            continue;
        for (int end = -1; end <= 1; end += 2) {
            const double along = end * v->size / 2;
            add_point_of_curve(out, a->normal == first ? low[i] : v->centre[first] + along,
                               a->normal == first ? v->centre[second] + along : low[i]);
        }
        add_point_of_curve(out, (double)NAN, (double)NAN);
    }
}

static void add_outlines(list *l, const poyi_view *v)
{
    enum { CURVES = 200 };
    const poyi_scatter *s = l->s;
    int64_t each = 1, all = 0;
    for (int i = 0; i < s->n; i++) {
        const int64_t n = shells(&s->bodies[s->owner[i]]);
        all += n;
        each = n > each ? n : each;
    }
    curves c = {.room = (s->array ? CURVES * each : all) * (OUTLINE_POINTS + 1)};
    c.at = poyi_arena_alloc(&l->s->arena, (size_t)c.room * 2 * sizeof *c.at + 1);
    if (!c.at)
        return;
    if (s->array)
        add_planes(l, v, &c);
    for (int i = 0; i < s->n; i++)
        if (s->array)
            add_images(s, v, i, &c);
        else
            add_outline(s, v, i, s->positions + 3 * (ptrdiff_t)i, &c);
    if (c.n)
        add_line(l, v->group, "outlines", "m",
                 "where the plane cuts particles and their layers, and planes of a stack: curves, parted by NaN", c.n,
                 2, c.at);
}

static void add_near(list *l, const poyi_view *v)
{
    static const char *const names[] = {"x", "y", "z"};
    for (int d = 0; d < 3; d++) {
        const int64_t n = d == v->axis ? 1 : v->pixels;
        double *x = poyi_arena_alloc(&l->s->arena, (size_t)n * sizeof *x);
        const int64_t stride = d == (v->axis == 2 ? 1 : 2) ? v->pixels : 1; /* rows, else along a row */
        for (int64_t i = 0; x && i < n; i++)
            x[i] = v->points[3 * i * stride + d];
        add_line(l, v->group, names[d], "m", d == v->axis ? "position of the plane" : "position of the pixels", n, 0,
                 x);
    }
    add_outlines(l, v);
}

static void add_far(list *l, const poyi_view *v)
{
    double *angle = poyi_arena_alloc(&l->s->arena, (size_t)v->pixels * sizeof *angle);
    for (int i = 0; angle && i < v->pixels; i++)
        angle[i] = 2 * POYI_PI * i / (v->pixels - 1);
    if (l->s->cylinders) {
        add_line(l, v->group, "angle", "rad", "azimuth from that of the light", v->pixels, 0, angle);
        return;
    }
    add_line(l, v->group, "angle", "rad",
             "from the direction of the light towards rising theta (plane 0) and phi (plane 1) of it", v->pixels, 0,
             angle);
    add_line(l, v->group, "directions", "1", "of each light: unit vectors of all angles of plane 0, then of plane 1",
             v->n_points * l->s->n_lights, 3, v->points);
}

/* What shines, in the order of the axis "illumination". */
static void add_lights(list *l)
{
    const poyi_scatter *s = l->s;
    const size_t n = (size_t)s->n_lights;
    double *angles = poyi_arena_alloc(&l->s->arena, 2 * n * sizeof *angles);
    double *vectors = poyi_arena_alloc(&l->s->arena, 3 * n * sizeof *vectors);
    const char **words = poyi_arena_alloc(&l->s->arena, n * sizeof *words);
    for (size_t i = 0; angles && vectors && words && i < n; i++) {
        memcpy(angles + 2 * i, s->lights[i].angles, 2 * sizeof *angles);
        memcpy(vectors + 3 * i, s->lights[i].direction, 3 * sizeof *vectors);
        words[i] = s->lights[i].word;
    }
    add_line(l, "illumination", "angles", "rad", "theta and phi of each light", s->n_lights, 2, angles);
    add_line(l, "illumination", "direction", "1", "the way each light goes", s->n_lights, 3, vectors);
    if (l->n_lines < LINES_MAX)
        l->lines[l->n_lines++] = (poyi_line_set){.path = "illumination/polarisation",
                                                 .units = "1",
                                                 .text = "polarisation of each light",
                                                 .n = s->n_lights,
                                                 .texts = words};
}

static void add_lattice(list *l)
{
    const struct poyi_stack *a = l->s->array;
    const int64_t dim = a->lattice.dim;
    double *orders = poyi_arena_alloc(&l->s->arena, 2 * ((size_t)a->n_orders + 1) * sizeof *orders);
    for (int i = 0; orders && i < 2 * a->n_orders; i++)
        orders[i] = (double)a->orders[i];
    if (a->kind == POYI_REPEATS_PLANE)
        add_line(l, "transmission", "orders", "1", "diffraction orders (i, j): kpar + i b_1 + j b_2", a->n_orders, 2,
                 orders);
    if (a->periodic)
        add_line(l, "lattice", "vectors", "m",
                 a->kind == POYI_REPEATS_CHAIN ? "the period, along z"
                 : a->alignment == POY_ZX      ? "the period, along x"
                                               : "rows: the vectors of the cell",
                 dim, dim, a->lattice.a);
    if (!a->n_path)
        return;
    add_line(l, "bands", "way", "rad/m", "length of the path up to each Bloch vector", a->n_path, 0, a->path_way);
    add_line(l, "bands", "path", "rad/m", "Bloch vectors along the axes of the lattice (a chain: z)", a->n_path, 3,
             a->path);
    add_line(l, "bands", "corners", "rad/m", "length of the path up to each corner", a->n_corners, 0, a->path_corners);
}

static void add_particles(list *l)
{
    const poyi_scatter *s = l->s;
    double *around = poyi_arena_alloc(&l->s->arena, ((size_t)s->n + 1) * sizeof *around);
    for (int i = 0; around && i < s->n; i++)
        around[i] = s->bodies[s->owner[i]].around;
    add_line(l, "particles", "positions", "m", "centres of the particles", s->n, 3, s->positions);
    add_line(l, "particles", "radius", "m", "radius of the sphere (cylinder) around each; NaN: not known", s->n, 0,
             around);
}

static poy_status add_modes(poy_ctx *ctx, list *l)
{
    static const char *const pols[] = {"negative", "positive"};
    poy_basis *basis = NULL;
    poyi_arena *arena = &l->s->arena;
    POYI_TRY(ctx, poyi_solution_basis(ctx, l->s, l->s->views[0].k0[0], l->s->lmax_tmatrix, &basis));
    const size_t n = poy_basis_size(basis);
    const poy_wave_mode *modes = poy_basis_modes(basis);
    int64_t *label[3];
    const char **words = poyi_arena_alloc(arena, n * sizeof *words);
    for (int i = 0; i < 3; i++)
        label[i] = poyi_arena_alloc(arena, n * sizeof *label[i]);
    for (size_t i = 0; !arena->failed && i < n; i++) {
        label[0][i] = modes[i].l;
        label[1][i] = modes[i].m;
        label[2][i] = modes[i].particle;
        words[i] = pols[modes[i].pol];
    }
    poy_basis_destroy(&basis);
    static const char *const names[] = {"tmatrix/modes/l", "tmatrix/modes/m", "tmatrix/modes/position_index"};
    static const char *const texts[] = {"degree of each mode", "order of each mode", "centre of each mode"};
    for (int i = 0; i < 3; i++)
        l->lines[l->n_lines++] =
            (poyi_line_set){.path = names[i], .units = "1", .text = texts[i], .n = (int64_t)n, .integers = label[i]};
    l->lines[l->n_lines++] = (poyi_line_set){
        .path = "tmatrix/modes/polarization", .text = "helicity of each mode", .n = (int64_t)n, .texts = words};
    l->lines[l->n_lines++] = (poyi_line_set){.path = "tmatrix/modes/positions",
                                             .units = "m",
                                             .text = "centres",
                                             .n = l->s->n,
                                             .width = 3,
                                             .numbers = l->s->positions,
                                             .unit = "m"};
    return POY_OK;
}

/* ---- all ---- */

poy_status poyi_scatter_layout(poy_ctx *ctx, poyi_scatter *s, poyi_store_layout *out)
{
    poyi_series *series = poyi_arena_alloc(&s->arena, POYI_SERIES_MAX * sizeof *series);
    list l = {.s = s,
              .columns = poyi_arena_alloc(&s->arena, POYI_COLUMNS_MOST * sizeof *l.columns),
              .lines = poyi_arena_alloc(&s->arena, LINES_MAX * sizeof *l.lines)};
    if (s->arena.failed)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its layout", s->name);
    add_lights(&l);
    if (s->array)
        add_lattice(&l);
    if (s->n > 0)
        add_particles(&l);
    for (; l.view < s->n_views; l.view++) {
        series[l.view].group = s->views[l.view].group;
        add_view(&l, &s->views[l.view]);
        if (s->views[l.view].kind == POYI_VIEW_NEAR)
            add_near(&l, &s->views[l.view]);
        if (s->views[l.view].kind == POYI_VIEW_FAR)
            add_far(&l, &s->views[l.view]);
    }
    if (s->tmatrix)
        POYI_TRY(ctx, add_modes(ctx, &l));
    if (l.n > POYI_COLUMNS_MOST || s->arena.failed)
        return POYI_FAIL(ctx, s->arena.failed ? POY_ERR_MEMORY : POY_ERR_UNSUPPORTED,
                         "output.quantities: too many for one file: ask for fewer");
    *out = (poyi_store_layout){.series = series,
                               .columns = l.columns,
                               .lines = l.lines,
                               .n_series = s->n_views,
                               .n_columns = l.n,
                               .n_lines = l.n_lines};
    return POY_OK;
}

int64_t poyi_scatter_width(const poyi_store_layout *layout, int view)
{
    int64_t width = 0;
    for (int i = 0; i < layout->n_columns; i++)
        width += layout->columns[i].series == view ? layout->columns[i].width : 0;
    return width;
}
