/* rule.c: fixed rules of integration over the cross-section of a guide, each with a coarser one on some of its points. */
#include "pulse/guide/rule.h"

/* Nodes and weights on [0, 1], and the weights of the embedded rule: interpolation on three of four nodes. On every second
 * it is off by 1e-3 for integrands that the full rule has to 1e-14, and would alarm for nothing. */
typedef struct line {
    int n;
    double x[POYI_GAUSS_MAX], w[POYI_GAUSS_MAX], coarse[POYI_GAUSS_MAX];
} line;

static int embedded(int i, int n)
{
    return (n - 1 - i) % 4 != 1;
}

/* integral_0^1 of the Lagrange polynomial of node i among the embedded ones, which the full rule has exactly. */
static double lagrange_weight(const line *l, int i)
{
    double sum = 0.0;
    for (int j = 0; j < l->n; j++) {
        double product = 1.0;
        for (int k = 0; k < l->n; k++)
            if (k != i && embedded(k, l->n))
                product *= (l->x[j] - l->x[k]) / (l->x[i] - l->x[k]);
        sum += l->w[j] * product;
    }
    return sum;
}

static poy_status line_of(poy_ctx *ctx, int n, int with_coarse, line *out)
{
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, n, out->x, out->w));
    out->n = n;
    for (int i = 0; i < n; i++) {
        out->x[i] = 0.5 * (1.0 + out->x[i]);
        out->w[i] *= 0.5;
        out->coarse[i] = 0.0;
    }
    for (int i = 0; with_coarse && i < n; i++)
        if (embedded(i, n))
            out->coarse[i] = lagrange_weight(out, i);
    return POY_OK;
}

static poy_status room_for(poy_ctx *ctx, size_t n, poyi_rule *out)
{
    size_t bytes = 0;
    *out = (poyi_rule){.n = (int)n};
    POYI_TRY(ctx, poyi_mul_size(ctx, n, 4 * sizeof *out->x, &bytes));
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "pulse.rule", bytes, (void **)&out->x));
    out->y = out->x + n;
    out->weight = out->y + n;
    out->coarse = out->weight + n;
    return POY_OK;
}

/* One circle of points. The coarse rule has all angles, unless they are twice as many as fields of four factors of
 * this harmonic need. */
static void add_circle(const poyi_profile *field, double radius, double weight, double coarse, int n_theta, int *at,
                       poyi_rule *out)
{
    const int half = n_theta % 2 == 0 && n_theta >= 8 * field->harmonic + 8;
    for (int j = 0; j < n_theta; j++) {
        const double theta = 2.0 * POYI_PI * (double)j / (double)n_theta, per = 2.0 * POYI_PI / (double)n_theta;
        const int i = *at;
        out->x[i] = radius * cos(theta);
        out->y[i] = radius * sin(theta);
        out->weight[i] = per * weight;
        out->coarse[i] = half ? (j % 2 ? 0.0 : 2.0 * per * coarse) : per * coarse;
        (*at)++;
    }
}

static poy_status round_rule(poy_ctx *ctx, const poyi_profile *field, const line *l, int n_theta, poyi_rule *out)
{
    const int cladding = field->w > 0.0;
    const double a = field->radius, end = cladding ? log(field->extent / a) : 0.0;
    int at = 0;
    POYI_TRY(ctx, room_for(ctx, (size_t)l->n * (size_t)n_theta * (cladding ? 2 : 1), out));
    for (int i = 0; i < l->n; i++) {
        const double r = a * l->x[i];
        add_circle(field, r, a * r * l->w[i], a * r * l->coarse[i], n_theta, &at, out);
    }
    for (int i = 0; cladding && i < l->n; i++) { /* r = a exp(t), dr = r dt */
        const double r = a * exp(end * l->x[i]);
        add_circle(field, r, end * r * r * l->w[i], end * r * r * l->coarse[i], n_theta, &at, out);
    }
    return POY_OK;
}

static poy_status rectangular_rule(poy_ctx *ctx, const poyi_profile *field, const line *l, poyi_rule *out)
{
    const double x = field->half_x, y = field->half_y;
    POYI_TRY(ctx, room_for(ctx, (size_t)l->n * (size_t)l->n, out));
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->n; j++) {
            const size_t at = (size_t)i * (size_t)l->n + (size_t)j;
            out->x[at] = x * (2.0 * l->x[i] - 1.0);
            out->y[at] = y * (2.0 * l->x[j] - 1.0);
            out->weight[at] = 4.0 * x * y * l->w[i] * l->w[j];
            out->coarse[at] = 4.0 * x * y * l->coarse[i] * l->coarse[j];
        }
    return POY_OK;
}

static poy_status create(poy_ctx *ctx, const poyi_profile *field, int n_r, int n_theta, int with_coarse, poyi_rule *out)
{
    line l;
    if (n_r < 2 || n_r > POYI_GAUSS_MAX || n_theta < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "modal rule: %d radii by %d angles: 2 to %d by 1 or more", n_r, n_theta,
                         POYI_GAUSS_MAX);
    POYI_TRY(ctx, line_of(ctx, n_r, with_coarse, &l));
    if (field->half_x > 0.0)
        POYI_TRY(ctx, rectangular_rule(ctx, field, &l, out));
    else
        POYI_TRY(ctx, round_rule(ctx, field, &l, n_theta, out));
    return POY_OK;
}

poy_status poyi_rule_create(poy_ctx *ctx, const poyi_profile *field, int n_r, int n_theta, poyi_rule *out)
{
    POYI_TRY(ctx, create(ctx, field, n_r, n_theta, 1, out));
    return POY_OK;
}

/* ---- within a circle ---- */

/* Columns of points at +x and -x, between -y and y. */
static void add_columns(const line *l, double x, double weight, double y, int *at, poyi_rule *out)
{
    for (int side = -1; side <= 1; side += 2)
        for (int j = 0; j < l->n; j++) {
            out->x[*at] = side * x;
            out->y[*at] = y * (2.0 * l->x[j] - 1.0);
            out->weight[(*at)++] = 2.0 * y * l->w[j] * weight;
        }
}

/* A rectangle cut by a circle: where the circle is beyond its upper edge it is whole; behind that x = radius sin phi makes
 * the height, radius cos phi, smooth. */
static poy_status rectangle_within(poy_ctx *ctx, const poyi_profile *field, double radius, const line *l,
                                   poyi_rule *out)
{
    const double a = fmin(field->half_x, radius), b = field->half_y;
    const double whole = radius > b ? fmin(sqrt((radius - b) * (radius + b)), a) : 0.0;
    const double first = asin(whole / radius), last = asin(fmin(a / radius, 1.0));
    int at = 0;
    POYI_TRY(ctx, room_for(ctx, (whole > 0.0 ? 4 : 2) * (size_t)l->n * (size_t)l->n, out));
    for (int i = 0; i < l->n; i++) {
        const double phi = first + (last - first) * l->x[i];
        if (whole > 0.0)
            add_columns(l, whole * l->x[i], whole * l->w[i], b, &at, out);
        add_columns(l, radius * sin(phi), (last - first) * radius * cos(phi) * l->w[i], radius * cos(phi), &at, out);
    }
    return POY_OK;
}

poy_status poyi_rule_create_within(poy_ctx *ctx, const poyi_profile *field, double radius, int n_r, int n_theta,
                                   poyi_rule *out)
{
    const int rectangular = field->half_x > 0.0;
    poyi_profile inner = *field;
    line l;
    if (radius >= (rectangular ? hypot(field->half_x, field->half_y) : field->extent)) {
        POYI_TRY(ctx, create(ctx, field, n_r, n_theta, 0, out));
        return POY_OK;
    }
    if (rectangular) {
        POYI_TRY(ctx, line_of(ctx, n_r, 0, &l));
        POYI_TRY(ctx, rectangle_within(ctx, field, radius, &l, out));
        return POY_OK;
    }
    inner.extent = radius;
    if (radius <= field->radius) { /* none of the cladding */
        inner.radius = radius;
        inner.w = 0.0;
    }
    POYI_TRY(ctx, create(ctx, &inner, n_r, n_theta, 0, out));
    return POY_OK;
}

void poyi_rule_fini(poyi_rule *rule)
{
    poyi_free((void **)&rule->x);
    *rule = (poyi_rule){0};
}
