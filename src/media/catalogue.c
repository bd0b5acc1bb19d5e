/* catalogue.c: the built-in materials: rows of formulas and tables, and the names under which they are found. */
#define _POSIX_C_SOURCE 200809L /* strncasecmp */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/constants.h"
#include "media/material.h"

/* ---- rows ---- */

typedef struct formula_row {
    const char *name;
    int number;
    double first, last, n2;
    const char *source, *comment;
    double c[POYI_COEFFICIENTS_MAX];
    int count;
} formula_row;

#define COUNT(...) ((int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))
#define FORMULA(name, number, first, last, n2, source, comment, ...) \
    {name, number, first, last, n2, source, comment, {__VA_ARGS__}, COUNT(__VA_ARGS__)},
static const formula_row formulas[] = {
#include "media/data/formula.def"
};
#undef FORMULA
enum { FORMULAS = sizeof formulas / sizeof *formulas };

/* Rows of the tables: wavelength in um, n, k. */
typedef double nk[3];
#define NK(um, n, k) {um, n, k},
#define ENK(ev, n, k) {1e6 * POYI_PLANCK * POYI_C / (POYI_E * (ev)), n, k},
static const nk SiO2[] = {
#include "media/data/table/SiO2.def"
};
static const nk Ag[] = {
#include "media/data/table/Ag.def"
};
static const nk Al[] = {
#include "media/data/table/Al.def"
};
static const nk Ag_Johnson[] = {
#include "media/data/table/Ag-Johnson.def"
};
static const nk Al_Rakic[] = {
#include "media/data/table/Al-Rakic.def"
};
static const nk Au_Johnson[] = {
#include "media/data/table/Au-Johnson.def"
};
static const nk Cr_Johnson[] = {
#include "media/data/table/Cr-Johnson.def"
};
static const nk Cu_Johnson[] = {
#include "media/data/table/Cu-Johnson.def"
};
static const nk GaAs_Aspnes[] = {
#include "media/data/table/GaAs-Aspnes.def"
};
static const nk GaP_Aspnes[] = {
#include "media/data/table/GaP-Aspnes.def"
};
static const nk Ge_Aspnes[] = {
#include "media/data/table/Ge-Aspnes.def"
};
static const nk H2O_Hale[] = {
#include "media/data/table/H2O-Hale.def"
};
static const nk MoS2_Ermolaev_o[] = {
#include "media/data/table/MoS2-Ermolaev-o.def"
};
static const nk Pd_Johnson[] = {
#include "media/data/table/Pd-Johnson.def"
};
static const nk Pt_Werner[] = {
#include "media/data/table/Pt-Werner.def"
};
static const nk Si_Aspnes[] = {
#include "media/data/table/Si-Aspnes.def"
};
static const nk Si_Green_2008[] = {
#include "media/data/table/Si-Green-2008.def"
};
static const nk Si_Schinke[] = {
#include "media/data/table/Si-Schinke.def"
};
static const nk Ti_Johnson[] = {
#include "media/data/table/Ti-Johnson.def"
};
static const nk TiN_Pfluger[] = {
#include "media/data/table/TiN-Pfluger.def"
};
static const nk TiO2_Sarkar[] = {
#include "media/data/table/TiO2-Sarkar.def"
};
static const nk W_Werner[] = {
#include "media/data/table/W-Werner.def"
};
#undef NK
#undef ENK

typedef struct table_row {
    const char *name;
    const nk *rows;
    size_t count;
    poyi_interpolation kind;
    const char *source, *comment;
} table_row;

#define TABLE(name, array, kind, source, comment) {name, array, sizeof array / sizeof *array, kind, source, comment},
static const table_row tables[] = {
#include "media/data/table.def"
};
#undef TABLE
enum { TABLES = sizeof tables / sizeof *tables };

/* Other names of rows. */
static const char *const aliases[][2] = {
    {"SiO2:Malitson", "SiO2"}, {"N-BK7", "BK7"}, {"water:Daimon", "water"}, {"H2O", "water"}, {"Si:Salzberg", "Si"},
};

/* ---- the list ---- */

int poy_material_count(void)
{
    return 1 + FORMULAS + TABLES;
}

static double known(double n2)
{
    return n2 > 0.0 ? n2 : (double)NAN;
}

poy_status poy_material_row_at(poy_ctx *ctx, int i, poy_material_row *out)
{
    if (i < 0 || i >= poy_material_count())
        return POYI_FAIL(ctx, POY_ERR_INDEX, "material %d: there are materials 0 to %d", i, poy_material_count() - 1);
    if (i == 0) {
        *out = (poy_material_row){"vacuum", POY_MATERIAL_CONSTANT, 0.0, INFINITY, NAN, "", "n = 1"};
        return POY_OK;
    }
    if (i <= FORMULAS) {
        const formula_row *f = &formulas[i - 1];
        *out = (poy_material_row){
            f->name, POY_MATERIAL_FORMULA, f->first * 1e-6, f->last * 1e-6, known(f->n2), f->source, f->comment};
        return POY_OK;
    }
    const table_row *t = &tables[i - 1 - FORMULAS];
    *out = (poy_material_row){t->name,   POY_MATERIAL_TABLE, t->rows[0][0] * 1e-6, t->rows[t->count - 1][0] * 1e-6, NAN,
                              t->source, t->comment};
    return POY_OK;
}

/* What a substance is called outside of formulas. */
static const char *substance_of(const char *name)
{
    static const char *const names[][2] = {{"silica", "SiO2"},         {"fused silica", "SiO2"},
                                           {"glass", "BK7"},           {"sapphire", "Al2O3:Malitson-o"},
                                           {"gold", "Au:Johnson"},     {"silver", "Ag"},
                                           {"aluminium", "Al"},        {"aluminum", "Al"},
                                           {"copper", "Cu:Johnson"},   {"silicon", "Si"},
                                           {"germanium", "Ge:Aspnes"}, {"titanium", "Ti:Johnson"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcasecmp(names[i][0], name))
            return names[i][1];
    return NULL;
}

/* Refuse a name: propose the rows of the same substance, else those close to the name, else list all. */
static poy_status unknown(poy_ctx *ctx, const char *name)
{
    poy_status status;
    poyi_text list[3] = {{0}}; /* same substance, close, all */
    const size_t stem = strcspn(name, ":");
    for (int i = 0; i < poy_material_count(); i++) {
        poy_material_row row;
        poy_material_row_at(ctx, i, &row);
        const int fits[3] = {!strncasecmp(row.name, name, stem) && (row.name[stem] == ':' || !row.name[stem]),
                             poy_text_distance(row.name, name) == 1, 1};
        for (int j = 0; j < 3; j++)
            if (fits[j])
                poyi_text_add(&list[j], "%s%s", list[j].length ? ", " : "", row.name);
    }
    const int best = list[0].length ? 0 : list[1].length ? 1 : 2;
    if (poy_gas_formula(name))
        status =
            POYI_FAIL(ctx, POY_ERR_ARGUMENT, "material \"%s\" is unknown: it is a gas: name it in gas.fill, as \"%s\"",
                      name, poy_gas_formula(name));
    else if (substance_of(name))
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "material \"%s\" is unknown: did you mean \"%s\"?", name,
                           substance_of(name));
    else if (list[best].failed)
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "material \"%s\" is unknown", name);
    else
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "material \"%s\" is unknown: %s %s%s", name,
                           best < 2 ? "did you mean" : "the materials are", list[best].text, best < 2 ? "?" : "");
    for (int j = 0; j < 3; j++)
        poyi_text_fini(&list[j]);
    return status;
}

/* ---- making ---- */

static poy_status create_formula(poy_ctx *ctx, const formula_row *row, poy_material **out)
{
    poyi_formula formula = {.number = row->number, .count = row->count};
    memcpy(formula.c, row->c, sizeof formula.c);
    POYI_TRY(ctx, poyi_material_new(ctx, row->name, row->source, row->comment, out));
    (*out)->n2 = known(row->n2);
    POYI_TRY(ctx, poyi_material_set_formula(ctx, *out, &formula, row->first, row->last));
    return POY_OK;
}

static poy_status create_table(poy_ctx *ctx, const table_row *row, poy_material **out)
{
    void *block = NULL;
    POYI_TRY(ctx, poyi_material_new(ctx, row->name, row->source, row->comment, out));
    POYI_TRY(ctx, poyi_alloc(ctx, "media.table", 3 * row->count * sizeof(double), &block));
    double *columns = block;
    for (size_t i = 0; i < row->count; i++)
        for (size_t j = 0; j < 3; j++)
            columns[j * row->count + i] = row->rows[i][j];
    poy_status status = poyi_material_set_table(ctx, *out, row->kind, row->count, columns, columns + row->count,
                                                columns + 2 * row->count);
    poyi_free(&block);
    return status;
}

static poy_status create(poy_ctx *ctx, const char *name, poy_material **out)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
        if (!strcmp(aliases[i][0], name))
            name = aliases[i][1];
    if (!strcmp(name, "vacuum"))
        return poyi_material_new(ctx, name, "", "n = 1", out);
    for (int i = 0; i < FORMULAS; i++)
        if (!strcmp(formulas[i].name, name))
            return create_formula(ctx, &formulas[i], out);
    for (int i = 0; i < TABLES; i++)
        if (!strcmp(tables[i].name, name))
            return create_table(ctx, &tables[i], out);
    return unknown(ctx, name);
}

poy_status poy_material_create(poy_ctx *ctx, const char *name, poy_material **out)
{
    poy_status status;
    poy_material *m = NULL;
    POYI_TO_DONE(ctx, create(ctx, name, &m));
    *out = m;
    m = NULL;
done:
    poy_material_destroy(&m);
    return status;
}
