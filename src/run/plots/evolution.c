/* evolution.c: spectrum and pulse along the way, as false colours in dB. */
#include <math.h>

#include "run/plots/plot.h"

enum { PIXELS_X = 600, PIXELS_Y = 400 };

/* Mean of row[a..b] between fractional indices; linear interpolation where the pixel is narrower than a sample. */
static double sample(const double *row, int64_t n, double a, double b)
{
    if (a > b) {
        double keep = a;
        a = b;
        b = keep;
    }
    if (b < 0 || a > (double)(n - 1))
        return 0;
    int64_t first = (int64_t)ceil(a), last = (int64_t)floor(b);
    if (last > first) {
        double sum = 0;
        first = first < 0 ? 0 : first;
        last = last > n - 1 ? n - 1 : last;
        for (int64_t i = first; i <= last; i++)
            sum += row[i];
        return sum / (double)(last - first + 1);
    }
    double middle = fmin(fmax((a + b) / 2, 0), (double)(n - 1));
    int64_t i = (int64_t)floor(middle);
    i = i > n - 2 ? n - 2 : i;
    return row[i] + (row[i + 1] - row[i]) * (middle - (double)i);
}

/* The plane that is shown at height y of PIXELS_Y. */
static int64_t plane_at(const poyi_plot *p, int64_t y, int64_t rows)
{
    double z = p->z[0] + (p->z[p->n_z - 1] - p->z[0]) * (double)y / (double)(rows - 1);
    int64_t k = 0;
    while (k + 1 < p->n_z && fabs(p->z[k + 1] - z) <= fabs(p->z[k] - z))
        k++;
    return k;
}

static void to_db(double *image, int64_t count, double floor_db)
{
    double largest = 0;
    for (int64_t i = 0; i < count; i++)
        largest = image[i] > largest ? image[i] : largest;
    for (int64_t i = 0; i < count; i++)
        image[i] = poyi_db(image[i], largest, floor_db);
}

static void set_image(poyi_plot *p, poyi_panel *panel, double *image, int64_t rows, poyi_caption along)
{
    if (!p->raw)
        to_db(image, PIXELS_X * rows, p->o.db);
    panel->tag = p->tag;
    panel->image = image;
    panel->nx = PIXELS_X;
    panel->ny = rows;
    panel->y_low = p->z[0] * along.factor;
    panel->y_high = p->z[p->n_z - 1] * along.factor;
    panel->z_low = p->o.db;
    panel->z_high = 0;
}

static void spectral(poyi_plot *p, int64_t rows, poyi_caption along)
{
    double low, high;
    poyi_panel *panel = poyi_figure_panel(p->figure, "spectrum", poyi_axis_label(p), along.label);
    double *image = poyi_figure_numbers(p->figure, PIXELS_X * rows);
    poyi_plot_spectral_range(p, &low, &high);
    panel->x_log10 = poyi_plot_decades(p, &low, &high);
    for (int64_t x = 0; image && x < PIXELS_X; x++) {
        const double step = (high - low) / (PIXELS_X - 1), value = low + step * (double)x;
        const double omega = poyi_plot_omega(p, panel->x_log10, value);
        const double a = (poyi_plot_omega(p, panel->x_log10, value - step / 2) - p->omega[0]) / p->domega;
        const double b = (poyi_plot_omega(p, panel->x_log10, value + step / 2) - p->omega[0]) / p->domega;
        for (int64_t y = 0; y < rows; y++)
            image[y * PIXELS_X + x] =
                sample(p->density + plane_at(p, y, rows) * p->n, p->n, a, b) * poyi_axis_jacobian(p->axis, omega);
    }
    if (!image)
        return;
    for (int64_t i = 0; p->raw && i < PIXELS_X * rows; i++)
        image[i] *= poyi_axis_density(p->axis);
    panel->z_label = p->raw ? poyi_axis_density_label(p->axis) : "";
    panel->x_low = low;
    panel->x_high = high;
    set_image(p, panel, image, rows, along);
}

static void temporal(poyi_plot *p, int64_t rows, poyi_caption along)
{
    int64_t first, last;
    double dt = p->t[1] - p->t[0];
    poyi_plot_range(p->power, p->n_z, p->n_t, p->o.db, &first, &last);
    const poyi_caption time = poyi_plot_caption(p, "t", NULL, fmax(fabs(p->t[first]), fabs(p->t[last])));
    poyi_panel *panel = poyi_figure_panel(p->figure, "power", time.label, p->raw ? along.label : "");
    double *image = poyi_figure_numbers(p->figure, PIXELS_X * rows);
    double low = p->t[first], high = p->t[last], step = (high - low) / (PIXELS_X - 1);
    for (int64_t x = 0; image && x < PIXELS_X; x++) {
        double at = (low + step * (double)x - p->t[0]) / dt, half = step / dt / 2;
        for (int64_t y = 0; y < rows; y++)
            image[y * PIXELS_X + x] = sample(p->power + plane_at(p, y, rows) * p->n_t, p->n_t, at - half, at + half);
    }
    if (!image)
        return;
    panel->x_low = low * time.factor;
    panel->x_high = high * time.factor;
    panel->z_label = p->raw ? "power (W)" : poyi_plot_caption(p, "below_maximum", NULL, 1).label;
    set_image(p, panel, image, rows, along);
}

poy_status poyi_plot_evolution(poyi_plot *p)
{
    if (p->n_z < 2)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: has one plane, an evolution needs two", p->result->path);
    POYI_TRY(p->ctx, poyi_plot_density(p));
    POYI_TRY(p->ctx, poyi_plot_power(p));
    const poyi_caption along = poyi_plot_caption(p, "z", NULL, p->z[p->n_z - 1]);
    int64_t rows = p->n_z < PIXELS_Y ? p->n_z : PIXELS_Y;
    rows = rows < 50 ? PIXELS_Y : rows; /* few planes: steps, not blur */
    p->figure->columns = 2;
    spectral(p, rows, along);
    temporal(p, rows, along);
    return POY_OK;
}
