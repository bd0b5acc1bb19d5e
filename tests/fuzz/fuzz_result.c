/* fuzz_result.c: a result file in which datasets, groups and attributes are gone, or of another type or shape, as the
 * input says. Everything that reads result files answers or refuses. The bytes of HDF5 itself are the library's matter. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "poynting/result.h"
#include "run/store/file.h"
#include "run/store/h5.h"
#include "run/store/result.h"
#include "run/store/store.h"

enum { N = 16, PATHS_MAX = 128 };

static char folder[64], whole[96], path[96], picture[96];
static char paths[PATHS_MAX][96];
static int n_paths;

static const char recipe[] =
    "schema = 1\nkind = \"pulse\"\nname = \"a\"\ngeometry = { type = \"fibre\", length = \"1 m\" }\n"
    "fibre = { gamma = \"0.01 1/(W m)\", beta = [\"-20 ps2/km\"] }\ngrid = { window = \"1 ps\", samples = 16 }\n"
    "pulse = [{ wavelength = \"1550 nm\", peak_power = \"1 W\", fwhm = \"100 fs\" }]\n";

/* ---- the whole file ---- */

static void fill(poy_ctx *ctx, poyi_store *s)
{
    double field[2 * N] = {1, 0, 2}, rows[4] = {0, 1, 0.5, 1};
    poy_step_record steps[2] = {{.h = 0.5}, {.h = 0.5, .accepted = 1}};
    poyi_slot slot = {.z = 1, .field = field, .noise = field};
    const char *warnings[] = {"one"};
    poy_ledger_entry ledger = {"pulse.stage", 0, 4096};
    poyi_store_end end = {
        .ledger = &ledger, .n_ledger = 1, .execution = "backend: ref\n", .warnings = warnings, .n_warnings = 1};
    poy_status status = POY_OK;
    for (int k = 0; k < 3 && status == POY_OK; k++)
        if ((status = poyi_store_plane(ctx, s, k, field)) == POY_OK &&
            (status = poyi_store_rows(ctx, s, rows, 2)) == POY_OK &&
            (status = poyi_store_steps(ctx, s, steps, 2)) == POY_OK)
            status = poyi_store_slot(ctx, s, &slot);
    if (status != POY_OK || poyi_store_finish(ctx, s, &end) != POY_OK)
        fuzz_fail("the file cannot be written: %s", poy_ctx_cause(ctx));
}

static void fill_head(poyi_store_head *h)
{
    static const char *const mode_names[] = {"fibre"}, *const polarisations[] = {"y"};
    static double omega[N], t[N];
    static poyi_source_file source = {.name = "s.csv", .text = "wavelength [nm], density\n", .length = 25};
    for (int i = 0; i < N; i++) {
        omega[i] = 1.2e15 + 6.28e12 * (i - N / 2);
        t[i] = 62.5e-15 * (i - N / 2);
    }
    *h = (poyi_store_head){.name = "a",
                           .kind = "pulse",
                           .backend = "ref",
                           .text = recipe,
                           .resolved = recipe,
                           .n_w = N,
                           .n_state = N,
                           .modes = mode_names,
                           .polarisations = polarisations,
                           .n_modes = 1,
                           .n_polarisations = 1,
                           .n_t = N,
                           .omega = omega,
                           .t = t,
                           .n_stats = 1,
                           .fields = 1,
                           .noise = 1,
                           .sources = &source};
    snprintf(h->stats[0].name, sizeof h->stats[0].name, "energy");
    snprintf(h->stats[0].unit, sizeof h->stats[0].unit, "J");
    h->stats[0].columns = 1;
}

static herr_t add_path(hid_t file, const char *name, const H5O_info_t *about, void *user)
{
    (void)file;
    (void)about;
    (void)user;
    if (n_paths < PATHS_MAX && strcmp(name, ".") != 0)
        snprintf(paths[n_paths++], sizeof paths[0], "%s", name);
    return 0;
}

static void remove_files(void)
{
    unlink(whole);
    unlink(path);
    unlink(picture);
    rmdir(folder);
}

static void prepare(poy_ctx *ctx)
{
    poyi_store_head head;
    poyi_store *s;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(folder, sizeof folder, "/dev/shm/poynting-fuzz-XXXXXX");
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/poynting-fuzz-XXXXXX")))
        fuzz_fail("no folder");
    snprintf(whole, sizeof whole, "%s/whole.h5", folder);
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(picture, sizeof picture, "%s/a.csv", folder);
    atexit(remove_files);
    fill_head(&head);
    if (poyi_store_create(ctx, whole, 1, &head, &s) != POY_OK)
        fuzz_fail("%s", poy_ctx_cause(ctx));
    fill(ctx, s);
    poyi_store_close(&s);
    hid_t file = H5Fopen(whole, H5F_ACC_RDONLY, H5P_DEFAULT);
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, add_path, NULL);
    H5Fclose(file);
}

static void copy_whole(void)
{
    static char data[1 << 20];
    FILE *from = fopen(whole, "rb"), *to = fopen(path, "wb");
    size_t n = from ? fread(data, 1, sizeof data, from) : 0;
    if (!to || !n || fwrite(data, 1, n, to) != n)
        fuzz_fail("the file cannot be copied");
    fclose(from);
    fclose(to);
}

/* ---- spoiling it ---- */

static hid_t any_type(fuzz_bytes *b)
{
    hid_t type;
    switch (fuzz_take(b, 12)) {
    case 0: return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 1: return H5Tcopy(H5T_NATIVE_INT64);
    case 2: return H5Tcopy(H5T_NATIVE_FLOAT);
    case 3: return H5Tcopy(H5T_NATIVE_SCHAR);
    case 4:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 5:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 1 + fuzz_take(b, 40));
        return type;
    case 6: return poyi_h5_complex((int)fuzz_take(b, 2));
    case 7: return poyi_h5_bool();
    case 8:
        type = H5Tcreate(H5T_COMPOUND, 24);
        H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
        H5Tinsert(type, "r", 8, H5T_NATIVE_INT64);
        return type;
    case 9: return H5Tcreate(H5T_OPAQUE, 1 + fuzz_take(b, 30));
    case 10: return H5Tcopy(H5T_STD_REF_OBJ);
    default: return H5Tvlen_create(H5T_NATIVE_DOUBLE);
    }
}

static hid_t any_space(fuzz_bytes *b)
{
    hsize_t dims[H5S_MAX_RANK];
    int rank = (int)fuzz_take(b, 12);
    if (rank == 0)
        return H5Screate(fuzz_take(b, 2) ? H5S_NULL : H5S_SCALAR);
    for (int i = 0; i < rank; i++)
        dims[i] = fuzz_take(b, 3) ? fuzz_take(b, i ? 3 : 40) : 1;
    return H5Screate_simple(rank, dims, NULL);
}

/* A huge extent of which nothing is stored. */
static hid_t huge_space(fuzz_bytes *b, hid_t list)
{
    hsize_t dims[4] = {1, 1, 1, 1}, chunk[4] = {4, 1, 1, 1};
    int rank = 1 + (int)fuzz_take(b, 4);
    dims[fuzz_take(b, (unsigned)rank)] = (hsize_t)1 << (8 + fuzz_take(b, 52));
    H5Pset_chunk(list, rank, chunk);
    return H5Screate_simple(rank, dims, NULL);
}

static void put_dataset(hid_t file, const char *where, fuzz_bytes *b)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), type = any_type(b);
    hid_t space = fuzz_take(b, 6) ? any_space(b) : huge_space(b, list);
    hid_t set = H5Dcreate2(file, where, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    unsigned char data[32];
    if (set >= 0 && H5Tget_class(type) != H5T_VLEN && H5Tget_class(type) != H5T_REFERENCE &&
        !H5Tis_variable_str(type) && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_size(type) <= sizeof data) {
        for (size_t i = 0; i < sizeof data; i++)
            data[i] = (unsigned char)fuzz_take(b, 256);
        H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    }
    if (set >= 0)
        H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    H5Pclose(list);
}

static void put_text(hid_t file, const char *where, fuzz_bytes *b)
{
    char text[2048];
    size_t n = 0;
    if (fuzz_take(b, 2)) /* the recipe, changed at one place, else anything */
        n = sizeof recipe - 1;
    memcpy(text, recipe, n);
    if (n) {
        size_t at = 256 * fuzz_take(b, 2) + fuzz_take(b, 256);
        for (size_t k = fuzz_take(b, 8); k > 0 && at < n; k--)
            text[at++] = (char)fuzz_take(b, 256);
    }
    while (n + 1 < sizeof text && b->at < b->end)
        text[n++] = (char)*b->at++;
    text[n] = '\0';
    poyi_h5_text(file, where, text, "text");
}

static void put_attribute(hid_t file, const char *where, fuzz_bytes *b)
{
    static const char *const names[] = {"format",  "program", "kind",      "name", "complete", "config_sha256",
                                        "backend", "units",   "long_name", "name", "sha256",   "dims"};
    const char *name = names[fuzz_take(b, sizeof names / sizeof names[0])];
    hid_t object = H5Oopen(file, where, H5P_DEFAULT), type = any_type(b), space = any_space(b);
    if (object >= 0) {
        H5Adelete(object, name);
        hid_t attribute = fuzz_take(b, 4) ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
        if (attribute >= 0)
            H5Aclose(attribute);
        H5Oclose(object);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void resize(hid_t file, const char *where, fuzz_bytes *b)
{
    hsize_t dims[8];
    int rank;
    if (poyi_h5_extent(file, where, &rank, dims) || rank < 1)
        return;
    hid_t set = H5Dopen2(file, where, H5P_DEFAULT);
    dims[0] = fuzz_take(b, 8) ? fuzz_take(b, 8) : (hsize_t)1 << (10 + fuzz_take(b, 40));
    H5Dset_extent(set, dims);
    H5Dclose(set);
}

static void spoil(hid_t file, fuzz_bytes *b)
{
    const char *where = paths[fuzz_take(b, (unsigned)n_paths)], *other = paths[fuzz_take(b, (unsigned)n_paths)];
    switch (fuzz_take(b, 9)) {
    case 0: H5Ldelete(file, where, H5P_DEFAULT); return;
    case 1: resize(file, where, b); return;
    case 2: put_attribute(file, where, b); return;
    case 3: put_attribute(file, "/", b); return;
    default: break;
    }
    H5Ldelete(file, where, H5P_DEFAULT);
    switch (fuzz_take(b, 6)) {
    case 0: H5Gclose(H5Gcreate2(file, where, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)); return;
    case 1: H5Lcreate_soft(other, file, where, H5P_DEFAULT, H5P_DEFAULT); return;
    case 2: H5Lcreate_hard(file, other, file, where, H5P_DEFAULT, H5P_DEFAULT); return;
    case 3: put_text(file, where, b); return;
    default: put_dataset(file, where, b); return;
    }
}

/* ---- reading it ---- */

static void read_sets(poy_ctx *ctx, poy_result *r)
{
    static double room[1 << 16];
    poy_dataset d;
    double value;
    const char *text;
    for (int i = 0; i < 200 && poy_result_dataset_at(r, i, &d); i++) {
        int64_t width = d.is_complex ? 2 : 1, rows = d.rank ? d.extent[0] : 1;
        for (int k = 1; k < d.rank; k++)
            width = d.extent[k] > 1000 || width > 1000 ? 1 << 20 : width * d.extent[k];
        rows = rows > 16 ? 16 : rows;
        if (rows * width <= (int64_t)(sizeof room / sizeof room[0]))
            poy_result_read(ctx, r, d.path, 0, rows, room);
        poy_result_scalar(ctx, r, d.path, -1, &value);
        poy_result_text(ctx, r, d.path, &text);
    }
}

static void read_result(poy_ctx *ctx, unsigned wanted)
{
    int i = 0;
    poy_result *r = NULL;
    poy_plot_options o;
    const char *kind, *about;
    if (poy_result_open(ctx, path, &r) != POY_OK)
        return;
    poy_result_attribute(r, "created");
    poy_result_attribute(r, "complete");
    read_sets(ctx, r);
    poy_plot_options_init(&o);
    poy_plot_options_of(r, &o);
    poy_plot_wanted(r, 0);
    while (poy_plot_kind_at(i, &kind, &about) && wanted-- > 0)
        i++;
    o.kind = kind;
    o.format = "csv";
    o.output = picture;
    if (strcmp(kind, "spectrogram") != 0 &&
        poy_plot_applies(r, kind)) /* that one takes a second, and reads as others do */
        poy_plot(ctx, r, &o, NULL);
    poy_result_close(&r);
}

static void go_on(poy_ctx *ctx)
{
    poyi_arena arena = {0};
    poyi_store_state state;
    poyi_store_head head;
    poyi_store *s = NULL;
    poy_recipe *r = NULL;
    const double *steps;
    int64_t n;
    poyi_store_schedule(ctx, path, &arena, &steps, &n);
    poy_resume_options o;
    poy_resume_options_init(&o);
    o.check = 1;
    poy_result_resume(ctx, path, &o, NULL);
    if (poyi_store_state_read(ctx, path, &arena, &state) == POY_OK &&
        poy_recipe_parse(ctx, state.resolved, path, &r) == POY_OK)
        poyi_store_sources(ctx, path, r);
    fill_head(&head);
    if (poyi_store_reopen(ctx, path, &head, &s) == POY_OK) {
        double field[2 * N] = {0};
        poyi_slot slot = {.z = 1, .field = field, .noise = field};
        if (poyi_store_plane(ctx, s, 9, field) == POY_OK)
            poyi_store_slot(ctx, s, &slot);
    }
    poyi_store_close(&s);
    poy_recipe_destroy(&r);
    poyi_arena_fini(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    poy_ctx *ctx = fuzz_ctx();
    fuzz_bytes b = {data, data + size};
    if (!folder[0])
        prepare(ctx);
    copy_whole();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    unsigned kind = fuzz_take(&b, 64); /* pictures take most of the time */
    for (unsigned n = 1 + fuzz_take(&b, 4); n > 0 && b.at < b.end; n--)
        spoil(file, &b);
    H5Fclose(file);
    read_result(ctx, kind);
    go_on(ctx);
    poy_ctx_clear(ctx);
    return 0;
}
