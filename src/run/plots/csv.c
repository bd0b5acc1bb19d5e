/* csv.c: figures as CSV: tables of lines, images as a row for each pixel. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/plots/figure.h"

static void csv_text(poyi_text *t, const char *text)
{
    poyi_text_add(t, "\"");
    for (const char *c = text; *c; c++)
        poyi_text_add(t, *c == '"' ? "\"\"" : "%c", *c);
    poyi_text_add(t, "\"");
}

/* "power HE11 z = 0 (W)" of "power (W)" and "z = 0" on a panel of HE11. */
static void csv_name(poyi_text *t, const poyi_panel *p, const char *title)
{
    const char *label = p->y_label, *tag = p->tag ? p->tag : "";
    const char *unit = strrchr(label, '(');
    const int n = unit && unit > label ? (int)(unit - label) - 1 : (int)strlen(label);
    char name[256];
    snprintf(name, sizeof name, "%.*s%s%s%s%s%s", n, label, *tag ? " " : "", tag, *title ? " " : "", title, label + n);
    csv_text(t, name);
}

static int same_x(const poyi_line *a, const poyi_line *b)
{
    return a->n == b->n && (a->x == b->x || !memcmp(a->x, b->x, (size_t)a->n * sizeof *a->x));
}

/* Panels first to last - 1 as one table, if they are lines over the same x. */
static int can_join(const poyi_figure *f, int first, int last)
{
    const poyi_panel *head = &f->panels[first];
    for (int i = first; i < last; i++)
        for (int k = 0; k < f->panels[i].n_lines; k++)
            if (!same_x(&head->lines[0], &f->panels[i].lines[k]))
                return 0;
    for (int i = first; i < last; i++)
        if (f->panels[i].image || !f->panels[i].n_lines || strcmp(f->panels[i].x_label, head->x_label) != 0)
            return 0;
    return 1;
}

static void join(const poyi_figure *f, int first, int last, poyi_text *t)
{
    csv_text(t, f->panels[first].x_label);
    for (int i = first; i < last; i++)
        for (int k = 0; k < f->panels[i].n_lines; k++) {
            poyi_text_add(t, ",");
            csv_name(t, &f->panels[i], f->panels[i].lines[k].title);
        }
    poyi_text_add(t, "\n");
    for (int64_t row = 0; row < f->panels[first].lines[0].n; row++) {
        poyi_text_add(t, "%.9g", f->panels[first].lines[0].x[row]);
        for (int i = first; i < last; i++)
            for (int k = 0; k < f->panels[i].n_lines; k++)
                poyi_text_add(t, ",%.9g", f->panels[i].lines[k].y[row]);
        poyi_text_add(t, "\n");
    }
}

/* Lines that do not share their x, one after the other. */
static void csv_lines(const poyi_panel *p, poyi_text *t)
{
    for (int k = 0; k < p->n_lines; k++) {
        const poyi_line *l = &p->lines[k];
        if (l->hatch)
            continue;
        csv_text(t, p->x_label);
        poyi_text_add(t, ",");
        csv_name(t, p, l->title);
        poyi_text_add(t, "\n");
        for (int64_t i = 0; i < l->n; i++)
            if (isnan(l->x[i])) /* parts a line */
                poyi_text_add(t, "\n");
            else
                poyi_text_add(t, "%.9g,%.9g\n", l->x[i], l->y[i]);
    }
}

static void csv_image(const poyi_panel *p, poyi_text *t)
{
    csv_text(t, p->x_label);
    poyi_text_add(t, ",");
    csv_text(t, p->y_label);
    poyi_text_add(t, ",");
    csv_text(t, p->z_label);
    poyi_text_add(t, "\n");
    for (int64_t y = 0; y < p->ny; y++)
        for (int64_t x = 0; x < p->nx; x++)
            poyi_text_add(t, "%.9g,%.9g,%.6g\n", p->x_low + (p->x_high - p->x_low) * (double)x / (double)(p->nx - 1),
                          p->y_low + (p->y_high - p->y_low) * (double)y / (double)(p->ny - 1), p->image[y * p->nx + x]);
}

static void csv_title(const poyi_panel *p, int first, poyi_text *t)
{
    poyi_text_add(t, "%s# %s%s%s\n", first ? "" : "\n", p->title, p->tag ? ": " : "", p->tag ? p->tag : "");
}

void poyi_figure_csv(const poyi_figure *f, poyi_text *t)
{
    poyi_text_add(t, "# %s\n", f->footer);
    if (f->n > 1 && can_join(f, 0, f->n)) {
        poyi_text_add(t, "# all of it over one axis\n");
        join(f, 0, f->n, t);
        return;
    }
    for (int i = 0; i < f->n; i++) {
        csv_title(&f->panels[i], i == 0, t);
        if (f->panels[i].image)
            csv_image(&f->panels[i], t);
        else if (f->panels[i].n_lines && can_join(f, i, i + 1))
            join(f, i, i + 1, t);
        else
            csv_lines(&f->panels[i], t);
    }
}
