/* test_store.c: result files: what is stored comes back; a process that dies at any write leaves a file from which the
 * run goes on; a full disk is told and spoils nothing. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/store/file.h"
#include "run/store/store.h"
#include "tap.h"

enum { N = 64, PLANES = 4, MANY = 66 }; /* MANY: more than a node of an index of chunks holds */

#ifdef __SANITIZE_ADDRESS__
enum { STRIDE = 17 }; /* a process of many mappings forks slowly */
#else
enum { STRIDE = 1 };
#endif

static int to_write = PLANES;

static char folder[64] = "/dev/shm/poynting-store-XXXXXX"; /* else in /tmp */
static char path[96], journal[128];

static double omega[N], t[N];

static void fill_head(poyi_store_head *h)
{
    static const char *const mode_names[] = {"fibre"}, *const polarisations[] = {"y"};
    *h = (poyi_store_head){.name = "test",
                           .kind = "pulse",
                           .backend = "ref",
                           .text = "schema = 1\n",
                           .resolved = "schema = 1\nkind = \"pulse\"\n",
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
                           .digest = {1, 2, 3}};
    snprintf(h->stats[0].name, sizeof h->stats[0].name, "energy");
    snprintf(h->stats[0].unit, sizeof h->stats[0].unit, "J");
    h->stats[0].columns = 1;
    snprintf(h->stats[0].text, sizeof h->stats[0].text, "energy of the pulse");
    for (int i = 0; i < N; i++) {
        omega[i] = 1e15 + 1e12 * i;
        t[i] = 1e-15 * (i - N / 2);
    }
}

/* The state at plane k: anything that tells one plane from another. */
static void fill_state(int k, double *field)
{
    for (int i = 0; i < 2 * N; i++)
        field[i] = 1000.0 * k + i;
}

/* Stores planes first ... to_write - 1, each with two rows, three attempts and a slot. */
static poy_status march(poy_ctx *ctx, poyi_store *s, int first)
{
    double field[2 * N], rows[4];
    for (int k = first; k < to_write; k++) {
        poy_step_record steps[3] = {{.z = k - 1, .h = 0.5, .err = 2},
                                    {.z = k - 1, .h = 0.5, .err = 0.5, .accepted = 1},
                                    {.z = k - 0.5, .h = 0.5, .err = 0.5, .accepted = 1, .cause = 1}};
        poyi_slot slot = {.z = k, .controller = {.h_next = 0.1 * k, .index = 2 * k, .attempts = 3 * k}};
        fill_state(k, field);
        rows[0] = k - 0.5;
        rows[1] = 10.0 * k;
        rows[2] = k;
        rows[3] = 10.0 * k + 5;
        slot.field = slot.noise = field;
        POYI_TRY(ctx, poyi_store_plane(ctx, s, k, field));
        POYI_TRY(ctx, poyi_store_rows(ctx, s, rows, 2));
        POYI_TRY(ctx, poyi_store_steps(ctx, s, steps, 3));
        POYI_TRY(ctx, poyi_store_flush(ctx, s));
        POYI_TRY(ctx, poyi_store_slot(ctx, s, &slot));
    }
    const char *warnings[] = {"one", "another one"};
    poy_ledger_entry ledger = {"pulse.stage", 0, 4096};
    poyi_store_end end = {.wall = 1.5,
                          .cpu = 1,
                          .ledger = &ledger,
                          .n_ledger = 1,
                          .execution = "backend: ref\n",
                          .warnings = warnings,
                          .n_warnings = 2,
                          .complete = 1};
    POYI_TRY(ctx, poyi_store_finish(ctx, s, &end));
    return POY_OK;
}

static poy_status write_whole(poy_ctx *ctx)
{
    poyi_store_head head;
    poyi_store *s = NULL;
    fill_head(&head);
    POYI_TRY(ctx, poyi_store_create(ctx, path, 1, &head, &s));
    poy_status status = march(ctx, s, 0);
    poyi_store_close(&s);
    return status;
}

static poy_status resume(poy_ctx *ctx, poyi_store_state *state)
{
    poyi_store_head head;
    poyi_store *s = NULL;
    fill_head(&head);
    POYI_TRY(ctx, poyi_store_reopen(ctx, path, &head, &s));
    poy_status status = march(ctx, s, (int)state->slot.planes);
    poyi_store_close(&s);
    return status;
}

/* ---- is the file what an uninterrupted run would have written? ---- */

#include "run/store/h5.h"

static int is_whole(void)
{
    hid_t access = poyi_file_access(), file = H5Fopen(path, H5F_ACC_RDONLY, access), type = poyi_h5_complex(0);
    double z[PLANES], rows[2 * PLANES], energy[2 * PLANES], want[2 * N];
    static double field[PLANES][2 * N];
    int rank, good = file >= 0;
    hsize_t dims[8] = {0};
    int64_t complete = 0;
    good = good && !poyi_h5_read_attribute_int(file, "complete", &complete) && complete == 1;
    good = good && !poyi_h5_extent(file, "grid/z", &rank, dims) && dims[0] == PLANES;
    good =
        good && !poyi_h5_extent(file, "field/spectrum", &rank, dims) && rank == 4 && dims[0] == PLANES && dims[3] == N;
    good = good && !poyi_h5_extent(file, "steps/dz", &rank, dims) && dims[0] == 3 * PLANES;
    good = good && !poyi_h5_extent(file, "stats/energy", &rank, dims) && dims[0] == 2 * PLANES;
    good = good && !poyi_h5_read_rows(file, "grid/z", H5T_NATIVE_DOUBLE, 0, PLANES, 1, z);
    good = good && !poyi_h5_read_rows(file, "stats/z", H5T_NATIVE_DOUBLE, 0, 2 * PLANES, 1, rows);
    good = good && !poyi_h5_read_rows(file, "stats/energy", H5T_NATIVE_DOUBLE, 0, 2 * PLANES, 1, energy);
    good = good && !poyi_h5_read_rows(file, "field/spectrum", type, 0, PLANES, N, field);
    for (int k = 0; k < PLANES && good; k++) {
        fill_state(k, want);
        good = z[k] == k && !memcmp(field[k], want, sizeof want) && rows[2 * k + 1] == k && energy[2 * k] == 10.0 * k;
    }
    H5Tclose(type);
    H5Pclose(access);
    if (file >= 0)
        H5Fclose(file);
    return good;
}

static int opens_as_plain_hdf5(void)
{
    poyi_h5_quiet quiet;
    poyi_h5_begin(&quiet);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int good = file >= 0 && poyi_h5_exists(file, "field/spectrum");
    if (file >= 0)
        H5Fclose(file);
    poyi_h5_end(&quiet);
    return good;
}

/* ---- dying at a write ---- */

static int die_at(void *user, long number)
{
    if (number == *(const long *)user)
        kill(getpid(), SIGKILL);
    return 0;
}

static int fail_at(void *user, long number)
{
    return number >= *(const long *)user;
}

/* A process writes the file and dies at the given write; 1 if it lived to the end. */
static int write_and_die(long number)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        poy_ctx *ctx = NULL;
        poyi_file_set_fault(die_at, &number);
        if (poy_ctx_create(&ctx) != POY_OK)
            _exit(9);
        _exit(write_whole(ctx) == POY_OK ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- what readers see that know nothing of our journal ---- */

/* 0 where the file is as it was the last time. */
static int copy_if_new(const char *to)
{
    static char data[1 << 20], before[1 << 20];
    static size_t n_before;
    FILE *in = fopen(path, "rb");
    size_t n = in ? fread(data, 1, sizeof data, in) : 0;
    if (in)
        fclose(in);
    if (n == n_before && !memcmp(data, before, n))
        return 0;
    memcpy(before, data, n);
    n_before = n;
    FILE *out = fopen(to, "wb");
    if (!out || fwrite(data, 1, n, out) != n)
        return 0;
    return !fclose(out);
}

static herr_t read_any(hid_t file, const char *name, const H5O_info_t *about, void *user)
{
    static double room[1 << 16];
    int *bad = user;
    if (about->type != H5O_TYPE_DATASET)
        return 0;
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(set), space = H5Dget_space(set);
    if (set < 0 || type < 0 || (size_t)H5Sget_simple_extent_npoints(space) * H5Tget_size(type) > sizeof room ||
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, room) < 0)
        (*bad)++;
    else
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, room);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return 0;
}

/* Every dataset is read; there are as many planes and rows as the axes say, all of them written. */
static int is_readable(const char *name)
{
    hid_t file = H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT), type = poyi_h5_complex(0);
    static double field[MANY][2 * N];
    double rows[2 * MANY], energy[2 * MANY], z[MANY], want[2 * N];
    hsize_t planes[8] = {0}, spectra[8] = {0}, places[8] = {0}, energies[8] = {0};
    int rank, bad = file < 0;
    bad = bad || H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, read_any, &bad) < 0 || bad;
    bad = bad || poyi_h5_extent(file, "grid/z", &rank, planes) ||
          poyi_h5_extent(file, "field/spectrum", &rank, spectra) || poyi_h5_extent(file, "stats/z", &rank, places) ||
          poyi_h5_extent(file, "stats/energy", &rank, energies) || planes[0] > spectra[0] || places[0] > energies[0];
    bad = bad || poyi_h5_read_rows(file, "grid/z", H5T_NATIVE_DOUBLE, 0, planes[0], 1, z) ||
          poyi_h5_read_rows(file, "field/spectrum", type, 0, planes[0], N, field) ||
          poyi_h5_read_rows(file, "stats/z", H5T_NATIVE_DOUBLE, 0, places[0], 1, rows) ||
          poyi_h5_read_rows(file, "stats/energy", H5T_NATIVE_DOUBLE, 0, places[0], 1, energy);
    for (int k = 0; !bad && k < (int)planes[0]; k++) {
        fill_state(k, want);
        bad = z[k] != k || memcmp(field[k], want, sizeof want) != 0;
    }
    for (int k = 0; !bad && k < (int)places[0]; k++)
        bad = rows[k] != 0.5 * k - 0.5 || energy[k] != 10.0 * (k / 2) + 5 * (k % 2);
    H5Tclose(type);
    if (file >= 0)
        H5Fclose(file);
    return !bad;
}

/* Waits until the other process has looked at the file. */
static int pause_at(void *user, long number)
{
    const int *pipes = user;
    char byte = 1;
    (void)number;
    return write(pipes[0], &byte, 1) != 1 || read(pipes[1], &byte, 1) != 1;
}

/* Between any two writes of a long run: a copy of the file, without its journal. */
static void test_readable(void)
{
    int up[2], down[2], seen = 0, bad = 0, instants = 0, status;
    char copy[128], byte;
    snprintf(copy, sizeof copy, "%s/copy.h5", folder);
    if (pipe(up) || pipe(down))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int pipes[2] = {up[1], down[0]};
        poy_ctx *ctx = NULL;
        close(up[0]);
        close(down[1]);
        to_write = MANY;
        poyi_file_set_fault(pause_at, pipes);
        _exit(poy_ctx_create(&ctx) == POY_OK && write_whole(ctx) == POY_OK ? 0 : 1);
    }
    close(up[1]);
    close(down[0]);
    poyi_h5_quiet quiet;
    poyi_h5_begin(&quiet);
    while (read(up[0], &byte, 1) == 1) {
        if (++instants % STRIDE == 0 && copy_if_new(copy)) {
            int readable = is_readable(copy);
            seen += readable;
            bad += seen && !readable; /* before that the file is being made */
        }
        if (write(down[1], &byte, 1) != 1)
            break;
    }
    poyi_h5_end(&quiet);
    close(up[0]);
    close(down[1]);
    unlink(copy);
    waitpid(child, &status, 0);
    ok(status == 0 && seen > 20 * MANY / STRIDE && !bad,
       "at %d instants without our journal: every plane and row that there is can be read (at %d not)", seen, bad);
}

static void test_death(poy_ctx *ctx)
{
    long number = 1;
    int before_first = 0, resumed = 0, bad = 0, unreadable = 0, journals = 0;
    for (;; number += STRIDE) {
        poyi_arena arena = {0};
        poyi_store_state state;
        unlink(path);
        unlink(journal);
        int lived = write_and_die(number);
        poy_status status = poyi_store_state_read(ctx, path, &arena, &state);
        journals += access(journal, F_OK) == 0;
        if (lived)
            bad += status != POY_OK || !is_whole();
        else if (status == POY_OK && !state.complete && !resume(ctx, &state)) {
            resumed++;
            bad += !is_whole();
            unreadable += !opens_as_plain_hdf5();
        } else if (status == POY_OK && state.complete) {
            bad += !is_whole();
        } else {
            before_first++; /* nothing stored yet */
            bad += resumed > 0;
        }
        poy_ctx_clear(ctx);
        poyi_arena_fini(&arena);
        if (lived || number > 5000)
            break;
    }
    ok(number > 50 && number < 5000, "%ld changes of the disk", number);
    ok(!bad, "dying at any of them leaves a file from which the run goes on to the same result (%d of %ld do not)", bad,
       number / STRIDE);
    ok(resumed > 300 / STRIDE, "%d of them were resumed, %d came before the first state", resumed, before_first);
    ok(!unreadable, "what is resumed opens without our driver (%d do not)", unreadable);
    ok(!journals, "reading alone finishes a journal (%d are left)", journals);
}

/* ---- a full disk ---- */

static void test_full_disk(poy_ctx *ctx)
{
    int told = 0, spoilt = 0, resumed = 0;
    for (long number = 2; number < 400; number += 7) {
        poyi_arena arena = {0};
        poyi_store_state state;
        unlink(path);
        poyi_file_set_fault(fail_at, &number);
        poy_status status = write_whole(ctx);
        poyi_file_set_fault(NULL, NULL);
        if (status == POY_OK)
            break;
        told += status == POY_ERR_IO && strstr(poy_ctx_cause(ctx), "No space left on device") != NULL;
        if (status != POY_ERR_IO || !strstr(poy_ctx_cause(ctx), "No space left on device"))
            spoilt++;
        poy_ctx_clear(ctx);
        if (access(path, F_OK) == 0 && poyi_store_state_read(ctx, path, &arena, &state) == POY_OK) {
            resumed++;
            if (resume(ctx, &state) != POY_OK || !is_whole())
                spoilt++;
        }
        poy_ctx_clear(ctx);
        poyi_arena_fini(&arena);
    }
    ok(told > 10 && !spoilt, "a full disk is told (%d times), and the file goes on where there is room again (%d)",
       told, resumed);
}

/* ---- refusals ---- */

static void test_refusals(poy_ctx *ctx)
{
    poyi_store_head head;
    poyi_store *s = NULL, *other = NULL;
    char where[160];
    fill_head(&head);
    ok(write_whole(ctx) == POY_OK, "a file is written");
    ok(poyi_store_create(ctx, path, 0, &head, &s) == POY_ERR_IO && !s &&
           strstr(poy_ctx_cause(ctx), "exists already: set force, or another output"),
       "an existing file is not written over: %s", poy_ctx_cause(ctx));
    snprintf(where, sizeof where, "%s/none/x.h5", folder);
    ok(poyi_store_create(ctx, where, 0, &head, &s) == POY_ERR_IO && strstr(poy_ctx_cause(ctx), "No such file"),
       "a missing folder: %s", poy_ctx_cause(ctx));
    ok(poyi_store_create(ctx, path, 1, &head, &s) == POY_OK, "--force writes over it");
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        poy_ctx *own = NULL;
        if (poy_ctx_create(&own) != POY_OK)
            _exit(9);
        poy_status locked = poyi_store_create(own, path, 1, &head, &other);
        _exit(locked == POY_ERR_IO && strstr(poy_ctx_cause(own), "in use by another process") ? 0 : 1);
    }
    waitpid(child, &status, 0);
    ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a file that another process writes is locked");
    poyi_store_close(&s);
    poyi_arena arena = {0};
    poyi_store_state state;
    ok(poyi_store_state_read(ctx, path, &arena, &state) == POY_ERR_MISMATCH &&
           strstr(poy_ctx_cause(ctx), "again with force"),
       "nothing to resume: %s", poy_ctx_cause(ctx));
    FILE *text = fopen(path, "w");
    fputs("this is no HDF5 file", text);
    fclose(text);
    ok(poyi_store_state_read(ctx, path, &arena, &state) == POY_ERR_IO && strstr(poy_ctx_cause(ctx), "signature"),
       "a text: %s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    poyi_arena_fini(&arena);
}

/* A journal without its file, complete: its head is written last; 1 if one was made. */
static int leave_journal(void)
{
    int first = 0;
    for (long number = 300; number < 600 && first != 'P'; number++) {
        unlink(path);
        unlink(journal);
        write_and_die(number);
        FILE *file = fopen(journal, "r");
        first = file ? fgetc(file) : 0;
        if (file)
            fclose(file);
    }
    unlink(path);
    return first == 'P';
}

static void test_foreign_journal(poy_ctx *ctx)
{
    poyi_arena arena = {0};
    poyi_store_head head;
    poyi_store_state state;
    poyi_store *s = NULL;
    fill_head(&head);
    ok(leave_journal(), "a journal without its file");
    ok(poyi_store_create(ctx, path, 0, &head, &s) == POY_OK && access(journal, F_OK) != 0,
       "is void where a new file is made");
    ok(s && march(ctx, s, 0) == POY_OK, "which is written as if it had not been there");
    poyi_store_close(&s);
    ok(is_whole(), "and whole");
    ok(leave_journal(), "another one");
    FILE *other = fopen(path, "w");
    fputs("another file", other);
    fclose(other);
    ok(poyi_store_state_read(ctx, path, &arena, &state) == POY_ERR_IO &&
           strstr(poy_ctx_cause(ctx), "its .journal is of another file or an older state: move that away"),
       "in another file's place: %s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    poyi_arena_fini(&arena);
    unlink(journal);
}

static void test_newer_format(poy_ctx *ctx)
{
    poyi_arena arena = {0};
    poyi_store_state state;
    write_whole(ctx);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    poyi_h5_attribute_set(file, "format", 3);
    H5Fclose(file);
    ok(poyi_store_state_read(ctx, path, &arena, &state) == POY_ERR_MISMATCH &&
           strstr(poy_ctx_cause(ctx), "written by format 3, this program reads 1-1: use a newer poynting"),
       "a newer format: %s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    poyi_arena_fini(&arena);
}

static void test_content(poy_ctx *ctx)
{
    poyi_arena arena = {0};
    poyi_store_state state;
    double want[2 * N];
    const double *steps;
    int64_t n;
    ok(write_whole(ctx) == POY_OK && is_whole(), "what was stored comes back");
    ok(opens_as_plain_hdf5(), "HDF5 opens it without our driver");
    ok(poyi_store_state_read(ctx, path, &arena, &state) == POY_OK, "its state is read");
    fill_state(PLANES - 1, want);
    ok(state.slot.planes == PLANES && state.slot.rows == 2 * PLANES && state.slot.steps == 3 * PLANES, "counts");
    ok(state.slot.z == PLANES - 1 && state.slot.controller.index == 2 * (PLANES - 1) &&
           state.slot.controller.h_next == 0.1 * (PLANES - 1),
       "where it stands, and the controller");
    ok(state.n_state == N && !memcmp(state.slot.field, want, sizeof want) &&
           !memcmp(state.slot.noise, want, sizeof want),
       "state and noise, to the bit");
    ok(state.digest[0] == 1 && state.digest[1] == 2 && state.digest[31] == 0, "digest");
    ok(!strcmp(state.resolved, "schema = 1\nkind = \"pulse\"\n"), "recipe");
    ok(poyi_store_schedule(ctx, path, &arena, &steps, &n) == POY_OK && n == 2 * PLANES && steps[0] == 0.5,
       "the schedule has the accepted steps");
    poyi_arena_fini(&arena);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/poynting-store-XXXXXX")))
        return 1;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(journal, sizeof journal, "%s.journal", path);
    test_content(ctx);
    test_readable();
    test_death(ctx);
    test_full_disk(ctx);
    test_foreign_journal(ctx);
    test_newer_format(ctx);
    test_refusals(ctx);
    unlink(path);
    rmdir(folder);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
