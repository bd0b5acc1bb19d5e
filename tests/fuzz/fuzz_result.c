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
#include "spoil.h"

enum { N = 16 };

static char folder[64], whole[96], path[96], picture[96];

static const char recipe[] =
    "schema = 1\nkind = \"pulse\"\nname = \"a\"\ngeometry = { type = \"fibre\", length = \"1 m\" }\n"
    "fibre = { gamma = \"0.01 1/(W m)\", beta = [\"-20 ps2/km\"] }\ngrid = { window = \"1 ps\", samples = 16 }\n"
    "pulse = [{ wavelength = \"1550 nm\", peak_power = \"1 W\", fwhm = \"100 fs\" }]\n";

static const char *const attributes[] = {"format",  "program", "kind",      "name", "complete", "config_sha256",
                                         "backend", "units",   "long_name", "name", "sha256",   "dims"};
static spoil_file spoiled = {
    .attributes = attributes, .n_attributes = sizeof attributes / sizeof attributes[0], .text = recipe};

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
    spoil_list(&spoiled, whole);
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
    spoil_copy(whole, path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    unsigned kind = fuzz_take(&b, 64); /* pictures take most of the time */
    for (unsigned n = 1 + fuzz_take(&b, 4); n > 0 && b.at < b.end; n--)
        spoil(&spoiled, file, &b);
    H5Fclose(file);
    read_result(ctx, kind);
    go_on(ctx);
    poy_ctx_clear(ctx);
    return 0;
}
