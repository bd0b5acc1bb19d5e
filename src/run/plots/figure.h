/* figure.h: pictures as data: panels with lines or an image. One writer turns them into a gnuplot script, another into CSV. */
#ifndef POYI_FIGURE_H
#define POYI_FIGURE_H

#include "core/core.h"
#include "run/recipe/arena.h"

enum { POYI_PANELS_MAX = 24, POYI_LINES_MAX = 16, POYI_MARKS_MAX = 12 };

typedef struct poyi_line {
    const char *title; /* of the legend; "" */
    const double *x, *y;
    int64_t n;
    const double *upper;     /* [n], NULL: none; else a band between y and upper */
    int points, dots;        /* crosses instead of a line; dots instead of crosses */
    int thin, dashed, guide; /* guide: grey and dashed */
    int outline, hatch;      /* over an image: dark with a bright edge; grey and thin. NaN parts a line */
} poyi_line;

/* A vertical line with a label, or (width > 0) a double arrow of that width at height y. */
typedef struct poyi_mark {
    double x, y, width;
    const char *label;
} poyi_mark;

/* Where rows are stacked, titles are left out: y_label says it all. */
typedef struct poyi_panel {
    const char *title, *x_label, *y_label, *z_label; /* z: of the colour bar; "" for none */
    const char *tag;                                 /* in the upper left corner; NULL: none */
    double x_low, x_high, y_low, y_high;             /* NaN: as the data */
    int y_log;
    int x_log10, y_log10; /* of an image: the axis shows decadic logarithms of the values that its ticks tell */
    int square;           /* equal units along both axes, whose ranges are as long */
    poyi_line lines[POYI_LINES_MAX];
    int n_lines;
    poyi_mark marks[POYI_MARKS_MAX];
    int n_marks;
    const double *image; /* [ny][nx], pixel centres at the ends of the ranges, NaN: nothing; NULL: lines */
    int64_t nx, ny;
    double z_low, z_high;
} poyi_panel;

typedef struct poyi_figure {
    poyi_panel panels[POYI_PANELS_MAX];
    int n, columns;
    const char *title; /* above all panels; NULL: none */
    const char *footer;
    poyi_arena arena; /* of texts and numbers */
} poyi_figure;

poyi_panel *poyi_figure_panel(poyi_figure *f, const char *title, const char *x_label, const char *y_label);
double *poyi_figure_numbers(poyi_figure *f, int64_t n);
void poyi_panel_line(poyi_panel *p, const char *title, const double *x, const double *y, int64_t n);

/* A label in print: "(10^18/cm3)" with raised digits, "um" with the sign of micro, "beta_2" in Greek. */
void poyi_label_print(const char *text, size_t size, char *out);
/* The figure as CSV: numbers as they are, lines that share their x as columns of one table (csv.c). */
void poyi_figure_csv(const poyi_figure *f, poyi_text *t);

/* Everything into path. format: png, svg, pdf, csv, gp. Errors: POY_ERR_UNSUPPORTED (no gnuplot), POY_ERR_IO. */
poy_status poyi_figure_write(poy_ctx *ctx, const poyi_figure *f, const char *format, const char *path);

#endif
