/* figure.c: panels to text: a gnuplot script that holds its numbers. */
#include "run/plots/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/plots/gnuplot.h"

poyi_panel *poyi_figure_panel(poyi_figure *f, const char *title, const char *x_label, const char *y_label)
{
    const double any = (double)NAN;
    poyi_panel *p = &f->panels[f->n < POYI_PANELS_MAX ? f->n++ : POYI_PANELS_MAX - 1];
    *p = (poyi_panel){.title = title,
                      .x_label = x_label,
                      .y_label = y_label,
                      .z_label = "",
                      .x_low = any,
                      .x_high = any,
                      .y_low = any,
                      .y_high = any};
    return p;
}

double *poyi_figure_numbers(poyi_figure *f, int64_t n)
{
    return poyi_arena_alloc(&f->arena, (size_t)n * sizeof(double));
}

void poyi_panel_line(poyi_panel *p, const char *title, const double *x, const double *y, int64_t n)
{
    if (p->n_lines < POYI_LINES_MAX)
        p->lines[p->n_lines++] = (poyi_line){.title = title, .x = x, .y = y, .n = n};
}

/* ---- gnuplot ---- */

/* Okabe and Ito's colours, which colour-blind readers tell apart. */
static const char *const line_colors[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                          "#E69F00", "#56B4E9", "#000000", "#8C564B"};
/* Viridis at seventeen equidistant points (van der Walt and Smith, 2015; CC0). */
static const char palette[] = "set palette defined (0 '#440154', 1 '#48186a', 2 '#472d7b', 3 '#424086', 4 '#3b528b', "
                              "5 '#33638d', 6 '#2c728e', 7 '#26828e', 8 '#21918c', 9 '#1fa088', 10 '#28ae80', "
                              "11 '#3fbc73', 12 '#5ec962', 13 '#84d44b', 14 '#addc30', 15 '#d8e219', 16 '#fde725')\n";

/* A text in single quotes, for gnuplot. */
static void quote(poyi_text *t, const char *text)
{
    poyi_text_add(t, "'");
    for (const char *c = text; *c; c++)
        poyi_text_add(t, *c == '\'' ? "''" : "%c", *c);
    poyi_text_add(t, "'");
}

static void quote_label(poyi_text *t, const char *text)
{
    char print[256];
    poyi_label_print(text, sizeof print, print);
    quote(t, print);
}

static void number(poyi_text *t, double x)
{
    if (isnan(x))
        poyi_text_add(t, "NaN");
    else
        poyi_text_add(t, "%.7g", x);
}

static void write_data(poyi_text *t, const poyi_panel *p, int i)
{
    if (p->image) {
        poyi_text_add(t, "$p%d << EOD\n", i);
        for (int64_t y = 0; y < p->ny; y++) {
            for (int64_t x = 0; x < p->nx; x++)
                if (isnan(p->image[y * p->nx + x]))
                    poyi_text_add(t, "NaN ");
                else
                    poyi_text_add(t, "%.5g ", p->image[y * p->nx + x]);
            poyi_text_add(t, "\n");
        }
        poyi_text_add(t, "EOD\n");
    }
    for (int k = 0; k < p->n_lines; k++) {
        const poyi_line *l = &p->lines[k];
        poyi_text_add(t, "$p%dl%d << EOD\n", i, k);
        for (int64_t j = 0; j < l->n; j++) {
            if (isnan(l->x[j]) ||
                isnan(l->y[j])) { /* a blank line parts lines, NaN would join them in some terminals */
                poyi_text_add(t, "\n");
                continue;
            }
            number(t, l->x[j]);
            poyi_text_add(t, " ");
            number(t, l->y[j]);
            if (l->upper) {
                poyi_text_add(t, " ");
                number(t, l->upper[j]);
            }
            poyi_text_add(t, "\n");
        }
        poyi_text_add(t, "EOD\n");
    }
}

static void write_range(poyi_text *t, const char *axis, double low, double high)
{
    if (low == high) { /* one place: what stands there is to be seen in the middle */
        const double half = low != 0 ? 0.01 * fabs(low) : 0.5;
        low -= half;
        high += half;
    }
    poyi_text_add(t, "set %srange [", axis);
    if (isnan(low))
        poyi_text_add(t, "*");
    else
        poyi_text_add(t, "%.9g", low);
    poyi_text_add(t, ":");
    if (isnan(high))
        poyi_text_add(t, "*]\n");
    else
        poyi_text_add(t, "%.9g]\n", high);
}

/* Powers of ten with raised digits, at most so many. */
static void write_decades(poyi_text *t, double low, double high, int most)
{
    const int first = (int)ceil(log10(low) - 1e-9), last = (int)floor(log10(high) + 1e-9);
    const int step = (last - first) / most + 1;
    char plain[16], print[48];
    poyi_text_add(t, "set ytics (");
    for (int e = first; e <= last; e += step) {
        snprintf(plain, sizeof plain, "10^%d", e);
        poyi_label_print(plain, sizeof print, print);
        poyi_text_add(t, "%s'%s' 1e%d", e > first ? ", " : "", print, e);
    }
    poyi_text_add(t, ")\n");
}

/* A rectangle of the panel, in shares of it. */
typedef struct box {
    double left, right, bottom, top;
} box;

static double share(double value, double low, double high, int is_log)
{
    return is_log ? log(fmax(value, 1e-300) / low) / log(high / low) : (value - low) / (high - low);
}

/* How much of the curves lies in the box: points of segments cut fine. */
static int crossed(const poyi_panel *p, const box *b, double low, double high)
{
    enum { CUTS = 4 };
    int n = 0;
    for (int k = 0; k < p->n_lines; k++)
        for (int64_t i = 0; i + 1 < p->lines[k].n; i++)
            for (int c = 0; c <= CUTS; c++) {
                const poyi_line *l = &p->lines[k];
                const double w = (double)c / CUTS, x = l->x[i] + w * (l->x[i + 1] - l->x[i]);
                const double u = share(x, p->x_low, p->x_high, 0);
                const double v0 = share(l->y[i], low, high, p->y_log), v1 = share(l->y[i + 1], low, high, p->y_log);
                const double v = v0 + w * (v1 - v0);
                n += u > b->left && u < b->right && v > b->bottom && v < b->top;
            }
    return n;
}

/* The same of curves and marks. */
static int covered(const poyi_panel *p, const box *b, double low, double high)
{
    int n = crossed(p, b, low, high);
    for (int k = 0; k < p->n_marks; k++) {
        const poyi_mark *m = &p->marks[k];
        const double u = share(m->x, p->x_low, p->x_high, 0), v = share(m->y, low, high, p->y_log);
        const double half = m->width > 0 ? 0.5 * m->width / (p->x_high - p->x_low) : 0.02;
        const double name = m->width > 0 ? 0.2 : 0; /* beside an arrow */
        n += u - half < b->right && u + half + name > b->left && (!(m->width > 0) || (v > b->bottom && v < b->top));
    }
    return n;
}

/* On which side of an arrow its name stands: where fewer curves go through it. */
static int is_left(const poyi_panel *p, const poyi_mark *m, double low, double high)
{
    const double x = share(m->x, p->x_low, p->x_high, 0), y = share(m->y, low, high, p->y_log);
    const double half = 0.5 * m->width / (p->x_high - p->x_low) + 0.01, name = 0.14;
    const box left = {x - half - name, x - half, y - 0.02, y + 0.02},
              right = {x + half, x + half + name, y - 0.02, y + 0.02};
    return right.right > 1 || (left.left >= 0 && crossed(p, &left, low, high) < crossed(p, &right, low, high));
}

/* On which side of its line a label stands: away from a neighbour on the left. */
static int is_crowded(const poyi_panel *p, const poyi_mark *m)
{
    const double near = 0.06 * (p->x_high - p->x_low);
    for (int k = 0; k < p->n_marks; k++)
        if (&p->marks[k] != m && p->marks[k].x <= m->x && m->x - p->marks[k].x < near)
            return 1;
    return m->x - p->x_low < near;
}

/* Whether more of the curves passes through the upper half of the panel than through the lower one where the label of a
 * mark stands: then it stands at the lower end. */
static int is_taken(const poyi_panel *p, const poyi_mark *m, double low, double high)
{
    const double width = 0.025 * (p->x_high - p->x_low), from = is_crowded(p, m) ? m->x : m->x - width;
    double upper = 0, lower = 0;
    for (int k = 0; k < p->n_lines; k++) {
        const poyi_line *l = &p->lines[k];
        for (int64_t i = 0; i + 1 < l->n && !l->guide; i++) {
            const double a = (l->y[i] - low) / (high - low), b = (l->y[i + 1] - low) / (high - low);
            if (l->x[i + 1] < from || l->x[i] > from + width || isnan(a) || isnan(b))
                continue;
            const double bottom = fmin(a, b), top = fmax(a, b) + 1e-3; /* level pieces count, too */
            upper += fmax(0, fmin(top, 1) - fmax(bottom, 0.5));
            lower += fmax(0, fmin(top, 0.5) - fmax(bottom, 0));
        }
    }
    return upper > lower;
}

/* A dashed vertical line with its name along it, or a double arrow with its name beside it. */
static void write_mark(poyi_text *t, const poyi_panel *p, const poyi_mark *m, double low, double high)
{
    if (m->width > 0) {
        const int left = is_left(p, m, low, high);
        poyi_text_add(t, "set arrow from first %.9g, first %.9g to first %.9g, first %.9g heads filled front lw 2\n",
                      m->x - m->width / 2, m->y, m->x + m->width / 2, m->y);
        poyi_text_add(t, "set label ");
        quote_label(t, m->label);
        poyi_text_add(t, " at first %.9g, first %.9g %s offset %s,0 front boxed\n",
                      m->x + (left ? -m->width : m->width) / 2, m->y, left ? "right" : "left", left ? "-1.2" : "1.2");
        return;
    }
    poyi_text_add(
        t, "set arrow from first %.9g, graph 0 to first %.9g, graph 1 nohead front dt 2 lw 1.5 lc rgb '#555555'\n",
        m->x, m->x);
    poyi_text_add(t, "set label ");
    quote_label(t, m->label);
    poyi_text_add(t, " at first %.9g, graph %s rotate by 90 offset %s,0 front font ',16' tc rgb '#333333'\n", m->x,
                  is_taken(p, m, low, high) ? "0.03 left" : "0.97 right", is_crowded(p, m) ? "1.0" : "-0.9");
}

static void write_plot(poyi_text *t, const poyi_panel *p, int i)
{
    poyi_text_add(t, "plot ");
    if (p->image) {
        double dx = p->nx > 1 ? (p->x_high - p->x_low) / (double)(p->nx - 1) : 1;
        double dy = p->ny > 1 ? (p->y_high - p->y_low) / (double)(p->ny - 1) : 1;
        poyi_text_add(t, "$p%d matrix using (%.9g+$1*%.9g):(%.9g+$2*%.9g):3 with image notitle", i, p->x_low, dx,
                      p->y_low, dy);
    }
    for (int k = 0; k < p->n_lines; k++) {
        const poyi_line *l = &p->lines[k];
        poyi_text_add(t, "%s$p%dl%d using 1:%s with ", k || p->image ? ", " : "", i, k, l->upper ? "2:3" : "2");
        if (l->upper)
            poyi_text_add(t, "filledcurves fs transparent solid 0.3 noborder fc rgb '%s' ", line_colors[k]);
        else if (l->guide)
            poyi_text_add(t, "lines dt 2 lw 1.5 lc rgb '#888888' ");
        else if (l->outline)
            poyi_text_add(t, "lines lw 4 lc rgb '#ffffff' notitle, $p%dl%d using 1:2 with lines lw 2 lc rgb '#222222' ",
                          i, k);
        else if (l->hatch)
            poyi_text_add(t, "lines lw 1 lc rgb '#999999' ");
        else if (l->points)
            poyi_text_add(t, "points %s lc rgb '%s' ", l->dots ? "pt 7 ps 0.8" : "pt 2 ps 1.2 lw 2",
                          line_colors[k % 8]);
        else
            poyi_text_add(t, "lines %slw %s lc rgb '%s' ", l->dashed || k >= 8 ? "dt 2 " : "", l->thin ? "1.5" : "2.5",
                          line_colors[k % 8]);
        if (l->title[0]) {
            poyi_text_add(t, "title ");
            quote_label(t, l->title);
        } else {
            poyi_text_add(t, "notitle");
        }
    }
    poyi_text_add(t, "\n");
}

/* Few enough ticks for their labels: steps of 1, 2 or 5 times a power of ten. */
static void write_ticks(poyi_text *t, const char *axis, double low, double high, int most)
{
    static const double steps[] = {1, 2, 5, 10};
    if (isnan(low) || isnan(high) || !(high > low)) {
        poyi_text_add(t, "set %stics autofreq\n", axis);
        return;
    }
    double rough = (high - low) / most, power = pow(10, floor(log10(rough))), step = 10 * power;
    for (int i = 3; i >= 0; i--)
        if (steps[i] * power >= rough)
            step = steps[i] * power;
    poyi_text_add(t, "set %stics %.9g\n", axis, step);
}

/* Ticks at 1, 2 and 5 times powers of ten between 10^low and 10^high. */
static void write_log10_ticks(poyi_text *t, const char *axis, double low, double high)
{
    static const double steps[] = {1, 2, 5};
    int n = 0;
    poyi_text_add(t, "set %stics (", axis);
    for (int e = (int)floor(low); e <= (int)ceil(high); e++)
        for (int i = 0; i < 3; i++) {
            const double value = steps[i] * pow(10, e), at = log10(value);
            if (at >= low && at <= high)
                poyi_text_add(t, "%s'%.9g' %.9g", n++ ? ", " : "", value, at);
        }
    poyi_text_add(t, ")\n");
}

static void write_label(poyi_text *t, const char *axis, const char *label, const char *offset)
{
    poyi_text_add(t, "set %slabel ", axis);
    quote_label(t, label);
    poyi_text_add(t, " %s\n", offset);
}

/* Of a panel without its labels; shares of the screen. */
typedef struct place {
    double left, right, bottom, top;
} place;

/* The range of the data with a margin, where none is given. */
static void fit(const poyi_panel *p, double *low, double *high)
{
    double least = INFINITY, most = -INFINITY;
    *low = p->y_low;
    *high = p->y_high;
    for (int k = 0; k < p->n_lines; k++)
        for (int64_t i = 0; i < p->lines[k].n; i++) {
            double y = p->lines[k].y[i];
            least = isfinite(y) && y < least ? y : least;
            most = isfinite(y) && y > most ? y : most;
        }
    if (p->image || !(least <= most))
        return;
    if (p->y_log) {
        *low = isnan(*low) && least > 0 ? pow(10, floor(log10(least))) : *low;
        *high = isnan(*high) && most > 0 ? pow(10, ceil(log10(most))) : *high;
        return;
    }
    double margin = most > least ? 0.06 * (most - least) : fabs(most) > 0 ? 0.1 * fabs(most) : 1;
    *low = isnan(*low) ? least - margin : *low;
    *high = isnan(*high) ? most + margin : *high;
}

/* ---- the legend ---- */

/* Where no curve goes through, on the right or on the left, from the top down; where there is no such place, room above the
 * curves. */
static void place_legend(const poyi_panel *p, int entries, int rows, int columns, const double *low, double *high,
                         char out[64])
{
    const double height = (0.045 * entries + 0.03) * rows, width = fmin(0.05 + 0.23 * columns, 0.8);
    snprintf(out, 64, "top right");
    if (!entries || isnan(p->x_low) || isnan(p->x_high) || isnan(*low) || isnan(*high))
        return;
    for (int i = 0; 1 - 0.05 * i >= height; i++)
        for (int left = 0; left < 2; left++) {
            const double top = 1 - 0.05 * i;
            const box at = {left ? 0 : 1 - width, left ? width : 1, top - height, top};
            if ((left && p->tag) || covered(p, &at, *low, *high))
                continue;
            snprintf(out, 64, "at graph %.3f, graph %.3f %s top", left ? 0.02 : 0.98, top - 0.025,
                     left ? "left" : "right");
            return;
        }
    const double more = height / (1 - fmin(height, 0.5));
    *high = p->y_log ? *high * pow(*high / *low, more) : *high + more * (*high - *low);
}

/* Room beside a panel for a bar, its ticks of up to six letters, and its label. */
#define BAR_LABEL 0.118
#define BAR_ROOM 0.133

/* The bar stands beside its panel; its label has a place on the screen, for the same reason as that of y. */
static void write_colours(poyi_text *t, const poyi_panel *p, const place *at)
{
    if (p->image)
        write_range(t, "cb", p->z_low, p->z_high);
    if (!p->image || !p->z_label[0]) {
        poyi_text_add(t, "unset colorbox\n");
        return;
    }
    poyi_text_add(t, "set colorbox user origin screen %.4f,%.4f size screen 0.018,%.4f\n", at->right + 0.01, at->bottom,
                  at->top - at->bottom);
    write_ticks(t, "cb", p->z_low, p->z_high, 8);
    poyi_text_add(t, "set label ");
    quote_label(t, p->z_label);
    poyi_text_add(t, " at screen %.4f, graph 0.5 center rotate by 90\n", at->right + BAR_LABEL);
}

/* Points: 20, less where a label would be longer than its panel is high; a letter is about 0.73 pixels wide for each. */
static int label_size(size_t letters, int rows)
{
    const double height = 1000.0 * 0.8 / rows, size = height / (0.73 * (double)(letters + 1));
    return size > 20 ? 20 : size < 9 ? 9 : (int)size;
}

static void write_upright(poyi_text *t, const char *text, double x, int size)
{
    poyi_text_add(t, "set label ");
    quote_label(t, text);
    poyi_text_add(t, " at screen %.4f, graph 0.5 center rotate by 90 font ',%d'\n", x, size);
}

/* The blank at which a label is best cut in two; NULL: it has none. */
static const char *best_cut(const char *label, size_t *longest)
{
    const size_t whole = strlen(label);
    const char *best = NULL;
    *longest = whole;
    for (const char *at = strchr(label, ' '); at; at = strchr(at + 1, ' ')) {
        const size_t first = (size_t)(at - label), second = whole - first - 1, most = first > second ? first : second;
        if (most < *longest) {
            *longest = most;
            best = at;
        }
    }
    return best;
}

/* Not ylabel: its place depends on the width of the tick labels, and may leave the picture. A long one takes two lines. */
static void write_y_label(poyi_text *t, const char *label, int rows, double left)
{
    size_t longest = 0;
    const size_t whole = strlen(label);
    const char *cut = best_cut(label, &longest);
    char word[64];
    if (label_size(whole, rows) >= 16 || !cut || (size_t)(cut - label) >= sizeof word) {
        write_upright(t, label, left - 0.076, label_size(whole, rows));
        return;
    }
    const int size = label_size(longest, rows);
    snprintf(word, sizeof word, "%.*s", (int)(cut - label), label);
    write_upright(t, word, left - 0.085, size < 16 ? size : 16);
    write_upright(t, cut + 1, left - 0.069, size < 16 ? size : 16);
}

static int count_legend(const poyi_panel *p)
{
    int n = 0;
    for (int k = 0; k < p->n_lines; k++)
        n += p->lines[k].title[0] != '\0';
    return n;
}

static void write_panel(poyi_text *t, const poyi_figure *f, int i, const place *at)
{
    const poyi_panel *p = &f->panels[i];
    const int legend = count_legend(p);
    int rows = (f->n + f->columns - 1) / f->columns, is_lowest = i + f->columns >= f->n;
    double low, high;
    fit(p, &low, &high);
    char corner[64];
    place_legend(p, legend, rows, f->columns, &low, &high, corner);
    poyi_text_add(t, "unset label\nunset arrow\nset title ");
    quote_label(t, rows > 1 ? "" : p->title);
    poyi_text_add(t, "\n");
    write_label(t, "x", is_lowest ? p->x_label : "", "");
    write_y_label(t, p->y_label, rows, at->left);
    write_range(t, "x", p->x_low, p->x_high);
    write_range(t, "y", low, high);
    if (p->x_log10)
        write_log10_ticks(t, "x", p->x_low, p->x_high);
    else
        write_ticks(t, "x", p->x_low, p->x_high, p->square ? 6 : f->columns == 1 ? 10 : 12 / f->columns);
    if (p->y_log10)
        write_log10_ticks(t, "y", low, high);
    else if (!p->y_log)
        write_ticks(t, "y", low, high, rows == 1 ? 8 : rows == 2 ? 5 : 4);
    poyi_text_add(t, p->y_log ? "set logscale y\nset ytics autofreq\n" : "unset logscale y\n");
    poyi_text_add(t, "set format y '%%h'\n");
    if (p->y_log && high > 1e4 * low)
        write_decades(t, low, high, rows == 1 ? 8 : 5);
    write_colours(t, p, at);
    if (legend && p->square && f->columns == 1) /* beside it */
        poyi_text_add(t, "set key at screen %.4f, screen %.4f left top Left reverse noopaque\n",
                      at->right + (p->image ? BAR_ROOM : 0.01), at->top);
    else if (legend)
        poyi_text_add(t, "set key %s noopaque%s\n", corner, f->columns > 2 ? " samplen 1 font ',16'" : "");
    else
        poyi_text_add(t, "unset key\n");
    if (p->tag) {
        poyi_text_add(t, "set label ");
        quote_label(t, p->tag);
        poyi_text_add(t, " at graph 0.03, graph 0.93 left front tc rgb '%s'\n", p->image ? "#ffffff" : "#333333");
    }
    poyi_text_add(t, p->image ? "unset grid\n" : "set grid lc rgb '#dddddd' lw 1\n");
    for (int k = 0; k < p->n_marks; k++)
        write_mark(t, p, &p->marks[k], low, high);
}

/* Panels are equally wide; where one has a colour bar, all leave room for it on their right. */
static place place_panel(poyi_text *t, const poyi_figure *f, int i)
{
    const double top = f->n > f->columns && !f->title ? 0.97 : 0.93, bottom = 0.15, left = 0.095;
    int columns = f->columns, rows = (f->n + columns - 1) / columns, column = i % columns, row = i / columns, bar = 0;
    for (int k = 0; k < f->n; k++)
        bar |= f->panels[k].image && f->panels[k].z_label[0];
    const double gap_x = 0.1, gap_y = rows > 1 ? 0.065 : 0.0, right = bar ? 1 - BAR_ROOM : 0.975;
    const double width = (right - left - gap_x * (columns - 1)) / columns,
                 height = (top - bottom - gap_y * (rows - 1)) / rows;
    double l = left + column * (width + gap_x), r = l + width;
    double u = top - row * (height + gap_y), b = u - height;
    if (f->panels[i].square) { /* of a picture of 1600 by 1000 */
        const double w = 1600 * (r - l), h = 1000 * (u - b), side = w < h ? w : h;
        l +=
            columns == 1 ? (w - side) / (count_legend(&f->panels[i]) ? 4800 : 3200) : 0; /* a legend stands beside it */
        r = l + side / 1600;
        b += (h - side) / 2000;
        u = b + side / 1000;
    }
    poyi_text_add(t, "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset tmargin at screen %.4f\n", l, r, u);
    poyi_text_add(t, "set bmargin at screen %.4f\n", b);
    return (place){l, r, b, u};
}

static void write_script(const poyi_figure *f, const char *format, const char *path, poyi_text *t)
{
    static const struct {
        const char *format, *terminal;
    } terminals[] = {
        {"png", "set terminal pngcairo size 1600,1000 font 'DejaVu Sans,20' noenhanced\n"},
        {"svg", "set terminal svg size 1600,1000 dynamic font 'DejaVu Sans,20' noenhanced background 'white'\n"},
        {"pdf", "set terminal pdfcairo size 28cm,17.5cm font 'DejaVu Sans,20' fontscale 0.5 noenhanced\n"},
        {"gp", "set terminal pngcairo size 1600,1000 font 'DejaVu Sans,20' noenhanced\n"},
    };
    int is_script = !strcmp(format, "gp");
    for (int i = 0; i < f->n; i++)
        write_data(t, &f->panels[i], i);
    for (size_t i = 0; i < sizeof terminals / sizeof terminals[0]; i++)
        if (!strcmp(terminals[i].format, format))
            poyi_text_add(t, "%s", terminals[i].terminal);
    poyi_text_add(t, "set encoding utf8\nset output ");
    quote(t, is_script ? "figure.png" : path);
    poyi_text_add(t,
                  "\n%sset tics out nomirror\nset border lw 1.5\n"
                  "set style textbox opaque noborder margins 0.3,0.2\nset multiplot\n",
                  palette);
    for (int i = 0; i < f->n; i++) {
        const place at = place_panel(t, f, i);
        write_panel(t, f, i, &at);
        if (i + 1 == f->n) { /* a label of the screen is drawn with a panel */
            poyi_text_add(t, "set label ");
            quote(t, f->footer);
            poyi_text_add(t, " at screen 0.985,0.02 right font ',14' tc rgb '#777777'\n");
            if (f->title) {
                poyi_text_add(t, "set label ");
                quote_label(t, f->title);
                poyi_text_add(t, " at screen 0.5,0.965 center\n");
            }
        }
        write_plot(t, &f->panels[i], i);
    }
    poyi_text_add(t, "unset multiplot\nset output\n");
}

poy_status poyi_figure_write(poy_ctx *ctx, const poyi_figure *f, const char *format, const char *path)
{
    poyi_text text = {0};
    poy_status status;
    if (!strcmp(format, "csv"))
        poyi_figure_csv(f, &text);
    else
        write_script(f, format, path, &text);
    if (text.failed || f->arena.failed)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to draw it", path);
    else if (!strcmp(format, "csv") || !strcmp(format, "gp"))
        status = poyi_text_save(ctx, path, text.text, text.length);
    else
        status = poyi_gnuplot(ctx, path, text.text, text.length);
    poyi_text_fini(&text);
    return status;
}
