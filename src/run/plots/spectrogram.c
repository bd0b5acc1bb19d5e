/* spectrogram.c: time and wavelength together: G(t_g, omega) = F{A(t) g(t - t_g)}, g a Gaussian (docs/physics.md 10). */
#include <math.h>
#include <string.h>

#include "run/plots/plot.h"
#include "run/session.h"

enum { GATES = 400, PIXELS_Y = 400 };

/* A(t) of the chosen plane, up to a factor; bins of rising omega start at the lowest, which only turns phases. A real
 * field has half as many bins as samples: the other half is 0, which makes it an analytic signal. */
static poy_status pulse_in_time(poyi_plot *p, poy_backend *be, const double *S, int64_t column, double *A)
{
    memset(A, 0, (size_t)p->n_t * 2 * sizeof *A);
    memcpy(A, S + 2 * column * p->n, (size_t)p->n * 2 * sizeof *A);
    POYI_TRY(p->ctx, poyi_field_transform(p->ctx, be, p->n_t, 1, 1.0, A));
    return POY_OK;
}

static void gate(const poyi_plot *p, const double *A, double t, double width, double *out)
{
    const double rate = 4 * log(2) / (width * width); /* of the amplitude: full width at half maximum = width */
    for (int64_t i = 0; i < p->n_t; i++) {
        double x = p->t[i] - t, g = exp(-rate * x * x);
        out[2 * i] = A[2 * i] * g;
        out[2 * i + 1] = A[2 * i + 1] * g;
    }
}

/* One column of pixels: the gated spectrum on the axis from low to high, or logarithms of it, added. */
static void add_column(const poyi_plot *p, const double *G, int log10, double low, double high, int64_t x,
                       double *image)
{
    for (int64_t y = 0; y < PIXELS_Y; y++) {
        double omega = poyi_plot_omega(p, log10, low + (high - low) * (double)y / (PIXELS_Y - 1));
        double at = (omega - p->omega[0]) / p->domega;
        double value = 0;
        if (at >= 0 && at < (double)(p->n - 1)) {
            int64_t i = (int64_t)floor(at);
            double a = G[2 * i] * G[2 * i] + G[2 * i + 1] * G[2 * i + 1];
            double b = G[2 * i + 2] * G[2 * i + 2] + G[2 * i + 3] * G[2 * i + 3];
            value = a + (b - a) * (at - (double)i);
        }
        image[y * GATES + x] += value * poyi_axis_jacobian(p->axis, omega);
    }
}

/* Of the light's mean frequency. */
static double period(const poyi_plot *p)
{
    const double *row = p->density + poyi_plot_plane(p) * p->n;
    double sum = 0, weighted = 0;
    for (int64_t i = 0; i < p->n; i++) {
        sum += row[i];
        weighted += row[i] * p->omega[i];
    }
    return weighted > 0 ? 6.283185307179586 * sum / weighted : 0;
}

/* Where gated spectra are above the floor: a wave that is short in time stands out here more than in the spectrum. */
static poy_status find_range(poyi_plot *p, poy_backend *be, const double *S, double *A, double *G, double start,
                             double step, double width, double *low, double *high)
{
    enum { EVERY = 4 };
    int64_t first = p->n - 1, last = 0;
    double *most = poyi_figure_numbers(p->figure, p->n), largest = 0;
    if (!most)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    for (int64_t c = 0; c < p->columns; c++) {
        if (!poyi_plot_shows(p, c))
            continue;
        POYI_TRY(p->ctx, pulse_in_time(p, be, S, c, A));
        for (int64_t x = 0; x < GATES; x += EVERY) {
            gate(p, A, start + step * (double)x, width, G);
            POYI_TRY(p->ctx, poyi_field_transform(p->ctx, be, p->n_t, -1, 1.0, G));
            for (int64_t i = 0; i < p->n; i++)
                if (p->omega[i] > 0)
                    most[i] = fmax(most[i], (G[2 * i] * G[2 * i] + G[2 * i + 1] * G[2 * i + 1]) *
                                                poyi_axis_jacobian(p->axis, p->omega[i]));
        }
    }
    for (int64_t i = 0; i < p->n; i++)
        largest = fmax(largest, most[i]);
    for (int64_t i = 0; i < p->n; i++)
        if (most[i] > largest * pow(10, p->o.db / 10)) {
            first = i < first ? i : first;
            last = i;
        }
    if (last > first)
        poyi_plot_spectral_frame(p, first, last, low, high);
    else
        poyi_plot_spectral_range(p, low, high);
    return POY_OK;
}

static poy_status draw(poyi_plot *p, poy_backend *be, const double *S, double *A, double *G, double *image)
{
    int64_t first, last;
    double low, high, largest = 0, width;
    poyi_plot_range(p->power + poyi_plot_plane(p) * p->n_t, 1, p->n_t, p->o.db, &first, &last);
    const double start = p->t[first], step = (p->t[last] - p->t[first]) / (GATES - 1);
    width = (p->t[last] - p->t[first]) / 60;
    width = fmax(fmax(width, 8 * (p->t[1] - p->t[0])), 2 * period(p)); /* a shorter gate has no wavelength */
    POYI_TRY(p->ctx, find_range(p, be, S, A, G, start, step, width, &low, &high));
    const int decades = poyi_plot_decades(p, &low, &high);
    for (int64_t i = 0; i < (int64_t)GATES * PIXELS_Y; i++)
        image[i] = 0;
    for (int64_t c = 0; c < p->columns; c++) {
        if (!poyi_plot_shows(p, c))
            continue;
        POYI_TRY(p->ctx, pulse_in_time(p, be, S, c, A));
        for (int64_t x = 0; x < GATES; x++) {
            gate(p, A, start + step * (double)x, width, G);
            POYI_TRY(p->ctx, poyi_field_transform(p->ctx, be, p->n_t, -1, 1.0, G));
            add_column(p, G, decades, low, high, x, image);
        }
    }
    for (int64_t i = 0; i < (int64_t)GATES * PIXELS_Y; i++)
        largest = image[i] > largest ? image[i] : largest;
    for (int64_t i = 0; i < (int64_t)GATES * PIXELS_Y; i++)
        image[i] = p->raw ? image[i] / fmax(largest, 1e-300) : poyi_db(image[i], largest, p->o.db);
    const poyi_caption time = poyi_plot_caption(p, "t", NULL, fmax(fabs(start), fabs(p->t[last])));
    char gate_text[48];
    poy_quantity_format(width, POY_DIM_TIME, 3, sizeof gate_text, gate_text);
    const char *title = poyi_arena_format(&p->figure->arena, "spectrogram at z = %s, gate %s",
                                          poyi_plot_length(p, p->z[poyi_plot_plane(p)]), gate_text);
    poyi_panel *panel = poyi_figure_panel(p->figure, title ? title : "", time.label, poyi_axis_label(p));
    panel->y_log10 = decades;
    panel->image = image;
    panel->nx = GATES;
    panel->ny = PIXELS_Y;
    panel->x_low = start * time.factor;
    panel->x_high = p->t[last] * time.factor;
    panel->y_low = low;
    panel->y_high = high;
    panel->z_low = p->o.db;
    panel->z_high = 0;
    panel->tag = p->tag;
    panel->z_label = poyi_plot_caption(p, p->raw ? "share_of_maximum" : "below_maximum", NULL, 1).label;
    return POY_OK;
}

poy_status poyi_plot_spectrogram(poyi_plot *p)
{
    poy_backend *be = NULL;
    double *S = NULL, *A = NULL, *G = NULL;
    const size_t bytes = (size_t)p->n_t * 2 * sizeof(double);
    poy_status status;
    double *image = poyi_figure_numbers(p->figure, (int64_t)GATES * PIXELS_Y);
    if (!image)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TO_DONE(p->ctx, poyi_plot_density(p));
    POYI_TO_DONE(p->ctx, poyi_plot_power(p));
    POYI_TO_DONE(p->ctx, poyi_alloc(p->ctx, "plot.plane", (size_t)(p->columns * p->n) * 2 * sizeof *S, (void **)&S));
    POYI_TO_DONE(p->ctx, poy_result_read(p->ctx, p->result, "field/spectrum", poyi_plot_plane(p), 1, S));
    POYI_TO_DONE(p->ctx, poyi_alloc(p->ctx, "plot.pulse", bytes, (void **)&A));
    POYI_TO_DONE(p->ctx, poyi_alloc(p->ctx, "plot.gated", bytes, (void **)&G));
    POYI_TO_DONE(p->ctx, poy_backend_open(p->ctx, "auto", &be));
    POYI_TO_DONE(p->ctx, draw(p, be, S, A, G, image));
done:
    poy_backend_close(&be);
    poyi_free((void **)&S);
    poyi_free((void **)&A);
    poyi_free((void **)&G);
    return status;
}
