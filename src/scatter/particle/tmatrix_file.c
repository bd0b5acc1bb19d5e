/* tmatrix_file.c: reads T-matrices from files in the format tmat.h5 v1, of all writers that are known: names, units and shapes
 * differ among them. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "math/math.h"
#include "scatter/particle/tmatrix.h"

enum { AXES = 8, MODES_MAX = 200000 };

/* An array of a file; what stands at its name, or nothing. */
typedef struct array {
    const char *name; /* as found */
    int rank;
    hsize_t dims[AXES];
    size_t count;
    void *data;
    char unit[32];
} array;

typedef enum kind { REALS, COMPLEXES, INTEGERS } kind;

static void array_fini(array *a)
{
    poyi_free(&a->data);
    a->name = NULL;
}

/* ---- HDF5 ---- */

/* The attribute "unit" as text. */
static void read_unit(hid_t set, char *out, size_t size)
{
    char *text = NULL;
    out[0] = '\0';
    if (H5Aexists(set, "unit") <= 0)
        return;
    const hid_t at = H5Aopen(set, "unit", H5P_DEFAULT), type = H5Aget_type(at);
    if (H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0) {
        const hid_t memory = H5Tcopy(type);
        if (H5Aread(at, memory, &text) >= 0 && text)
            (void)snprintf(out, size, "%s", text);
        H5free_memory(text);
        H5Tclose(memory);
    } else if (H5Tget_class(type) == H5T_STRING && H5Tget_size(type) < size) {
        if (H5Aread(at, type, out) >= 0)
            out[H5Tget_size(type)] = '\0';
    }
    H5Tclose(type);
    H5Aclose(at);
}

static hid_t memory_type(kind k, H5T_class_t stored)
{
    if (k == INTEGERS)
        return H5Tcopy(H5T_NATIVE_INT64);
    if (k == REALS || stored != H5T_COMPOUND)
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(poy_c128));
    H5Tinsert(type, "r", offsetof(poy_c128, re), H5T_NATIVE_DOUBLE);
    H5Tinsert(type, "i", offsetof(poy_c128, im), H5T_NATIVE_DOUBLE);
    return type;
}

/* Extents of a dataset. */
static int shape_of(hid_t set, array *a)
{
    const hid_t space = H5Dget_space(set);
    a->rank = H5Sget_simple_extent_ndims(space);
    int good = a->rank >= 0 && a->rank <= AXES;
    if (good && a->rank > 0)
        good = H5Sget_simple_extent_dims(space, a->dims, NULL) >= 0;
    a->count = 1;
    for (int i = 0; good && i < a->rank; i++) {
        good = a->dims[i] > 0 && a->dims[i] < SIZE_MAX / 64 / a->count;
        a->count *= good ? (size_t)a->dims[i] : 1;
    }
    H5Sclose(space);
    return good;
}

static int exists(hid_t file, const char *name)
{
    char part[64];
    for (const char *slash = name; (slash = strchr(slash, '/')); slash++) { /* groups on the way */
        (void)snprintf(part, sizeof part, "%.*s", (int)(slash - name), name);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0)
            return 0;
    }
    return H5Lexists(file, name, H5P_DEFAULT) > 0;
}

static poy_status read_set(poy_ctx *ctx, hid_t set, const char *name, kind k, array *a)
{
    poy_status status = POY_OK;
    const hid_t stored = H5Dget_type(set);
    const H5T_class_t class = H5Tget_class(stored);
    const hid_t type = memory_type(k, class);
    const int fits = k == INTEGERS ? class == H5T_INTEGER
                     : k == REALS  ? class == H5T_FLOAT || class == H5T_INTEGER
                                   : class == H5T_COMPOUND || class == H5T_FLOAT || class == H5T_INTEGER;
    if (!shape_of(set, a) || !fits) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: %s has the wrong type, or no elements", name);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.file", a->count * sizeof(poy_c128), &a->data));
    if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data) < 0) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: %s cannot be read", name);
        goto done;
    }
    for (size_t i = a->count;
         k == COMPLEXES && class != H5T_COMPOUND && i-- > 0;) /* reals become complex, from the end */
        ((poy_c128 *)a->data)[i] = (poy_c128){((double *)a->data)[i], 0.0};
    read_unit(set, a->unit, sizeof a->unit);
    a->name = name;
done:
    H5Tclose(type);
    H5Tclose(stored);
    return status;
}

/* The first of names (NULL at the end) that is there; none: a->name stays NULL. */
static poy_status read_array(poy_ctx *ctx, hid_t file, const char *const *names, kind k, array *a)
{
    *a = (array){.name = NULL};
    for (; *names; names++) {
        if (!exists(file, *names))
            continue;
        const hid_t set = H5Dopen2(file, *names, H5P_DEFAULT);
        if (set < 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: %s is no dataset", *names);
        const poy_status status = read_set(ctx, set, *names, k, a);
        H5Dclose(set);
        if (status != POY_OK)
            array_fini(a);
        return status;
    }
    return POY_OK;
}

/* ---- units ---- */

static const struct {
    const char *text;
    int power;
} prefixes[] = {{"y", -24}, {"z", -21},       {"a", -18},       {"f", -15}, {"p", -12}, {"n", -9},
                {"u", -6},  {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3},  {"c", -2},  {"d", -1},
                {"", 0},    {"da", 1},        {"h", 2},         {"k", 3},   {"M", 6},   {"G", 9},
                {"T", 12},  {"P", 15},        {"E", 18},        {"Z", 21},  {"Y", 24}};

/* "nm", "um", "m": base m; "THz": base Hz; "nm^{-1}": base m, inverse. The power of 10, or a failure. */
static int parse_unit(const char *text, const char *base, int inverse, int *power)
{
    char word[32];
    (void)snprintf(word, sizeof word, "%s", text);
    char *tail = strstr(word, "^{-1}");
    if ((tail != NULL) != inverse || (tail && tail[5] != '\0'))
        return 0;
    if (tail)
        *tail = '\0';
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        char whole[40];
        (void)snprintf(whole, sizeof whole, "%s%s", prefixes[i].text, base);
        if (strcmp(whole, word) == 0) {
            *power = inverse ? -prefixes[i].power : prefixes[i].power;
            return 1;
        }
    }
    return 0;
}

/* x 10^power */
static poyi_xreal shift(poyi_xreal x, int power)
{
    const poyi_xreal p = powl(10.0L, abs(power));
    return power < 0 ? x / p : x * p;
}

enum { WAVENUMBER, ANGULAR_WAVENUMBER, WAVELENGTH, FREQUENCY, ANGULAR_FREQUENCY, SWEEPS };
static const char *const sweep_names[SWEEPS + 1] = {
    "vacuum_wavenumber", "angular_vacuum_wavenumber", "vacuum_wavelength", "frequency", "angular_frequency", NULL};

/* k0 in 1 / unit of a value of a sweep's dataset. */
static poy_status k0_of(poy_ctx *ctx, const array *a, double unit, double value, double *k0)
{
    int power = 0, which = 0;
    while (which < SWEEPS && strcmp(a->name, sweep_names[which]) != 0)
        which++;
    const int wavenumber = which == WAVENUMBER || which == ANGULAR_WAVENUMBER;
    int good;
    if (wavenumber || which == WAVELENGTH)
        good = parse_unit(a->unit, "m", wavenumber, &power);
    else
        good = parse_unit(a->unit, "Hz", 0, &power) || parse_unit(a->unit, "s", 1, &power);
    if (!good)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: %s has the unit \"%s\", which is not known for it", a->name,
                         a->unit);
    /* a power of 10 in unit is not multiplied as a rounded number */
    const int by = (int)lround(log10(unit));
    const poyi_xreal scale = shift(unit, -by), number = value, turn = 2.0L * POYI_PIL;
    poyi_xreal k;
    switch (which) {
    case WAVENUMBER: k = turn * shift(number, power + by); break;
    case ANGULAR_WAVENUMBER: k = shift(number, power + by); break;
    case WAVELENGTH: k = turn / shift(number, power - by); break;
    case FREQUENCY: k = turn * shift(number / (poyi_xreal)POYI_C, power + by); break;
    default: k = shift(number / (poyi_xreal)POYI_C, power + by);
    }
    *k0 = (double)(fabs((double)scale - 1.0) < 1e-15 ? k : k * scale);
    return POY_OK;
}

/* ---- modes ---- */

/* polarization[n] of a set as 0 or 1 and its type. */
static poy_status read_polarizations(poy_ctx *ctx, hid_t file, const char *name, size_t n, int *pol, poy_poltype *type)
{
    static const struct {
        const char *word;
        int pol;
        poy_poltype type;
    } words[] = {{"negative", 0, POY_HELICITY}, {"positive", 1, POY_HELICITY}, {"minus", 0, POY_HELICITY},
                 {"plus", 1, POY_HELICITY},     {"magnetic", 0, POY_PARITY},   {"electric", 1, POY_PARITY},
                 {"te", 0, POY_PARITY},         {"tm", 1, POY_PARITY},         {"M", 0, POY_PARITY},
                 {"N", 1, POY_PARITY}};
    poy_status status = POY_OK;
    void *memory = NULL;
    array shape = {.name = NULL};
    if (!exists(file, name))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: %s is missing", name);
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = set < 0 ? -1 : H5Dget_space(set),
                type_in = set < 0 ? -1 : H5Dget_type(set);
    if (set < 0 || H5Tget_class(type_in) != H5T_STRING || H5Tis_variable_str(type_in) <= 0 || !shape_of(set, &shape) ||
        shape.count != n) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: %s is not one text for each of %zu modes", name, n);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "scatter.file", n * sizeof(char *), &memory));
    char **text = memory;
    if (H5Dread(set, type_in, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: %s cannot be read", name);
        goto done;
    }
    for (size_t i = 0; i < n && status == POY_OK; i++) {
        size_t w = 0;
        while (w < sizeof words / sizeof *words && (!text[i] || strcmp(text[i], words[w].word) != 0))
            w++;
        if (w == sizeof words / sizeof *words || (i > 0 && words[w].type != *type)) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                               "tmat.h5: %s[%zu] is \"%.20s\", not known or of another kind than the first", name, i,
                               text[i] ? text[i] : "");
        } else {
            pol[i] = words[w].pol;
            *type = words[w].type;
        }
    }
    H5Dvlen_reclaim(type_in, space, H5P_DEFAULT, text);
done:
    poyi_free(&memory);
    if (set >= 0) {
        H5Tclose(type_in);
        H5Sclose(space);
        H5Dclose(set);
    }
    return status;
}

/* One set of modes: suffix "", "_incident" or "_scattered". */
static poy_status read_modes(poy_ctx *ctx, hid_t file, const char *suffix, size_t n, poy_wave_mode *modes,
                             poy_poltype *type)
{
    poy_status status = POY_OK;
    array l = {.name = NULL}, m = {.name = NULL}, index = {.name = NULL};
    void *memory = NULL;
    char name[6][64];
    static const char *const stems[6] = {"l", "m", "polarization", "position_index", "index", "pidx"};
    for (int i = 0; i < 6; i++)
        (void)snprintf(name[i], sizeof name[i], "modes/%s%s", stems[i], suffix);
    char split[64];
    (void)snprintf(split, sizeof split, "modes/positions_index%s", suffix);
    POYI_TO_DONE(ctx, read_array(ctx, file, (const char *[]){name[0], NULL}, INTEGERS, &l));
    POYI_TO_DONE(ctx, read_array(ctx, file, (const char *[]){name[1], NULL}, INTEGERS, &m));
    POYI_TO_DONE(ctx,
                 read_array(ctx, file, (const char *[]){name[3], name[4], name[5], split, NULL}, INTEGERS, &index));
    if (!l.name || !m.name || l.count != n || m.count != n || (index.name && index.count != n)) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: modes/l%s and m%s have to be there for each of %zu modes",
                           suffix, suffix, n);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "scatter.file", n * sizeof(int), &memory));
    int *pol = memory;
    POYI_TO_DONE(ctx, read_polarizations(ctx, file, name[2], n, pol, type));
    for (size_t i = 0; i < n; i++) {
        const int64_t values[3] = {((int64_t *)l.data)[i], ((int64_t *)m.data)[i],
                                   index.name ? ((int64_t *)index.data)[i] : 0};
        for (int j = 0; j < 3; j++)
            if (values[j] < -MODES_MAX || values[j] > MODES_MAX) {
                status =
                    POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: a label of mode %zu is %lld", i, (long long)values[j]);
                goto done;
            }
        modes[i] = (poy_wave_mode){
            .particle = (int32_t)values[2], .l = (int32_t)values[0], .m = (int32_t)values[1], .pol = pol[i]};
    }
done:
    poyi_free(&memory);
    array_fini(&index);
    array_fini(&m);
    array_fini(&l);
    return status;
}

/* ---- a file ---- */

typedef struct contents {
    array sweep, t, positions, parts[3], index, impedance;
    size_t points, rows, cols;
    poy_wave_mode *modes; /* [rows + cols]: scattered, incident */
    poy_poltype type;
    poy_basis *basis;
    void *memory;
} contents;

static void contents_fini(contents *c)
{
    array *const all[8] = {&c->sweep,    &c->t,        &c->positions, c->parts,
                           c->parts + 1, c->parts + 2, &c->index,     &c->impedance};
    for (int i = 0; i < 8; i++)
        array_fini(all[i]);
    poy_basis_destroy(&c->basis);
    poyi_free(&c->memory);
}

static poy_status read_arrays(poy_ctx *ctx, hid_t file, contents *c)
{
    static const char *const t[] = {"tmatrix", NULL}, *const positions[] = {"modes/positions", NULL},
                             *const parts[3][3] = {{"embedding/relative_permittivity", NULL},
                                                   {"embedding/relative_permeability", NULL},
                                                   {"embedding/chirality", "embedding/chirality_parameter", NULL}},
                             *const index[] = {"embedding/refractive_index", NULL},
                             *const impedance[] = {"embedding/relative_impedance", NULL};
    POYI_TRY(ctx, read_array(ctx, file, sweep_names, REALS, &c->sweep));
    POYI_TRY(ctx, read_array(ctx, file, t, COMPLEXES, &c->t));
    POYI_TRY(ctx, read_array(ctx, file, positions, REALS, &c->positions));
    for (int i = 0; i < 3; i++)
        POYI_TRY(ctx, read_array(ctx, file, parts[i], COMPLEXES, c->parts + i));
    POYI_TRY(ctx, read_array(ctx, file, index, COMPLEXES, &c->index));
    POYI_TRY(ctx, read_array(ctx, file, impedance, COMPLEXES, &c->impedance));
    if (!c->t.name || c->t.rank < 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: tmatrix is missing, or no matrix");
    if (!c->sweep.name)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: no %s, vacuum_wavelength or frequency", sweep_names[1]);
    c->rows = (size_t)c->t.dims[c->t.rank - 2];
    c->cols = (size_t)c->t.dims[c->t.rank - 1];
    c->points = c->t.count / (c->rows * c->cols);
    const array *const along[6] = {&c->sweep, c->parts, c->parts + 1, c->parts + 2, &c->index, &c->impedance};
    for (int i = 0; i < 6; i++)
        if (along[i]->name && along[i]->count != 1 && along[i]->count != c->points)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: %s has %zu values for %zu points", along[i]->name,
                             along[i]->count, c->points);
    if (c->rows > MODES_MAX || c->cols > MODES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: a matrix of %zu x %zu", c->rows, c->cols);
    return POY_OK;
}

/* The union of both sets in the order of the scattered ones, then what is incident alone. */
static poy_status make_basis(poy_ctx *ctx, hid_t file, double unit, contents *c)
{
    const int split = exists(file, "modes/l_scattered");
    poy_poltype other;
    size_t n = c->rows;
    int power = 0;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.file", 2 * (c->rows + c->cols) * sizeof(poy_wave_mode), &c->memory));
    c->modes = c->memory;
    poy_wave_mode *all = c->modes + c->rows + c->cols;
    if (!split && c->rows != c->cols)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: a matrix of %zu x %zu with one set of modes", c->rows,
                         c->cols);
    POYI_TRY(ctx, read_modes(ctx, file, split ? "_scattered" : "", c->rows, c->modes, &c->type));
    POYI_TRY(ctx, read_modes(ctx, file, split ? "_incident" : "", c->cols, c->modes + c->rows, &other));
    if (other != c->type)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: incident and scattered modes are of different polarisations");
    memcpy(all, c->modes, c->rows * sizeof *all);
    for (size_t i = c->rows; split && i < c->rows + c->cols; i++) {
        size_t j = 0;
        while (j < c->rows && !(poyi_mode_same_wave(all + j, c->modes + i) && all[j].pol == c->modes[i].pol))
            j++;
        if (j == c->rows)
            all[n++] = c->modes[i];
    }
    double *p = c->positions.data;
    const size_t positions = c->positions.name ? c->positions.count / 3 : 1;
    if (c->positions.name) {
        if (c->positions.count != 3 * positions || !parse_unit(c->positions.unit, "m", 0, &power))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: modes/positions has %zu numbers in \"%s\"",
                             c->positions.count, c->positions.unit);
        const int by = (int)lround(log10(unit));
        const double scale = (double)shift(unit, -by);
        for (size_t i = 0; i < c->positions.count; i++)
            p[i] = (double)shift(p[i], power - by) / (fabs(scale - 1.0) < 1e-15 ? 1.0 : scale);
    }
    POYI_TRY(ctx, poy_basis_sw_create(ctx, n, all, positions, p, &c->basis));
    return POY_OK;
}

static poy_c128 value_at(const array *a, size_t point, double fallback)
{
    if (!a->name)
        return (poy_c128){fallback, 0.0};
    return ((poy_c128 *)a->data)[a->count == 1 ? 0 : point];
}

static poy_status one_point(poy_ctx *ctx, const contents *c, double unit, size_t point, poy_tmatrix **out)
{
    poy_embedding e = {.poltype = c->type};
    const double *sweep = c->sweep.data;
    const poy_c128 *t = (const poy_c128 *)c->t.data + point * c->rows * c->cols;
    POYI_TRY(ctx, k0_of(ctx, &c->sweep, unit, sweep[c->sweep.count == 1 ? 0 : point], &e.k0));
    const poy_c128 kappa = value_at(c->parts + 2, point, 0.0);
    if (c->index.name && !c->parts[0].name) {
        const poy_c128 z = value_at(&c->impedance, point, 1.0);
        POYI_TRY(ctx, poy_medium_from_index(ctx, value_at(&c->index, point, 1.0), c->impedance.name ? &z : NULL, kappa,
                                            &e.medium));
    } else {
        e.medium = (poy_medium){value_at(c->parts, point, 1.0), value_at(c->parts + 1, point, 1.0), kappa};
    }
    POYI_TRY(ctx, poyi_tmatrix_new(ctx, &e, c->basis, out));
    for (size_t i = 0; i < c->rows; i++)
        for (size_t j = 0; j < c->cols; j++) {
            const size_t row = (size_t)poy_basis_find(c->basis, c->modes + i),
                         col = (size_t)poy_basis_find(c->basis, c->modes + c->rows + j);
            const poy_c128 v = t[i * c->cols + j];
            if (!isfinite(v.re) || !isfinite(v.im)) {
                poy_tmatrix_destroy(out);
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: element [%zu][%zu] of point %zu is not finite", i, j,
                                 point);
            }
            (*out)->values[row * (*out)->n + col] = v;
        }
    return POY_OK;
}

static poy_status load(poy_ctx *ctx, hid_t file, double unit, size_t most, poy_tmatrix **out, size_t *count)
{
    poy_status status;
    contents c = {.memory = NULL};
    size_t made = 0;
    POYI_TO_DONE(ctx, read_arrays(ctx, file, &c));
    POYI_TO_DONE(ctx, make_basis(ctx, file, unit, &c));
    for (; made < c.points && made < most; made++)
        POYI_TO_DONE(ctx, one_point(ctx, &c, unit, made, out + made));
    *count = c.points;
done:
    contents_fini(&c);
    for (size_t i = 0; status != POY_OK && i < made; i++)
        poy_tmatrix_destroy(out + i);
    return status;
}

poy_status poy_tmatrix_load(poy_ctx *ctx, const char *path, double unit, size_t most, poy_tmatrix **out, size_t *count)
{
    H5E_auto2_t report;
    void *data;
    *count = 0;
    if (!(unit > 0.0) || !isfinite(unit))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "tmat.h5: unit = %g m, needs a finite length above 0", unit);
    H5Eget_auto2(H5E_DEFAULT, &report, &data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    poy_status status;
    if (file < 0) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "tmat.h5: %s cannot be opened: no such file, or not HDF5", path);
    } else {
        /* a result file of this program has the same below /tmatrix */
        H5O_info_t about;
        const int within = H5Lexists(file, "tmatrix", H5P_DEFAULT) > 0 &&
                           H5Oget_info_by_name(file, "tmatrix", &about, H5P_DEFAULT) >= 0 &&
                           about.type == H5O_TYPE_GROUP;
        const hid_t at = within ? H5Gopen2(file, "tmatrix", H5P_DEFAULT) : file;
        status = load(ctx, at, unit, most, out, count);
        if (within)
            H5Gclose(at);
        H5Fclose(file);
    }
    H5Eset_auto2(H5E_DEFAULT, report, data);
    return status;
}
