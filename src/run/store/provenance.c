/* provenance.c: how a result came about: build, libraries, threads, time, memory, warnings. Nothing names the
 * machine or its user. */
#include <string.h>

#include "run/store/internal.h"

static const char *compiler(void)
{
#if defined(__clang__)
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

static void libraries(size_t size, char *out)
{
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    snprintf(out, size, "hdf5 %u.%u.%u", major, minor, release);
}

int poyi_store_provenance(hid_t file, const poyi_store_head *h)
{
    static const poyi_h5_about threads = {"1", "threads that backends may use", NULL};
    static const poyi_h5_about seed = {"1", "seed of the noise", NULL};
    static const poyi_h5_about wall = {"s", "elapsed time, all sessions", NULL};
    static const poyi_h5_about cpu = {"s", "processor time, all sessions", NULL};
    static const poyi_h5_about sessions = {"1", "times that the run was started or resumed", NULL};
    char text[160];
    hid_t group = poyi_h5_group(file, "provenance"), memory = poyi_h5_group(file, "provenance/memory");
    libraries(sizeof text, text);
    int status = group < 0 || memory < 0 || poyi_h5_text(group, "compiler", compiler(), "compiler of the library") ||
                 poyi_h5_text(group, "flags", POYI_BUILD_FLAGS, "flags of the build") ||
                 poyi_h5_text(group, "libraries", text, "libraries behind the result file") ||
                 poyi_h5_integer(group, "threads", h->threads, &threads) ||
                 poyi_h5_integer(group, "seed", (int64_t)h->seed, &seed) || poyi_h5_scalar(group, "wall_s", 0, &wall) ||
                 poyi_h5_scalar(group, "cpu_s", 0, &cpu) || poyi_h5_integer(group, "sessions", 0, &sessions);
    H5Gclose(memory);
    H5Gclose(group);
    return status;
}

static int replace(hid_t group, const char *name)
{
    return H5Lexists(group, name, H5P_DEFAULT) > 0 && H5Ldelete(group, name, H5P_DEFAULT) < 0;
}

static int add_to(hid_t group, const char *name, double more)
{
    double value = 0;
    if (poyi_h5_read_double(group, name, &value))
        return -1;
    value += more;
    return poyi_h5_put(group, name, H5T_NATIVE_DOUBLE, &value);
}

/* One scalar for each name of the ledger: the most bytes ever held. */
static int write_memory(hid_t group, const poyi_store_end *end)
{
    static const poyi_h5_about about = {"B", "most memory ever held under this name", NULL};
    if (replace(group, "memory"))
        return -1;
    hid_t memory = poyi_h5_group(group, "memory");
    int status = memory < 0;
    for (size_t i = 0; i < end->n_ledger && !status; i++)
        status = poyi_h5_integer(memory, end->ledger[i].name, (int64_t)end->ledger[i].peak, &about);
    if (memory >= 0)
        H5Gclose(memory);
    return status;
}

/* Those of earlier sessions first, each once. */
static int write_warnings(hid_t group, const poyi_store_end *end)
{
    static const poyi_h5_about about = {NULL, "what the run warned about, all sessions", "warning"};
    poyi_arena arena = {0};
    const char **old = NULL, **all;
    int n = poyi_h5_read_texts(group, "warnings", &arena, &old), status = -1;
    n = n > 0 ? n : 0;
    all = poyi_arena_alloc(&arena, (size_t)(n + end->n_warnings + 1) * sizeof *all);
    if (all) {
        if (n)
            memcpy(all, old, (size_t)n * sizeof *all);
        for (int i = 0, seen; i < end->n_warnings; i++) {
            seen = 0;
            for (int k = 0; k < n && !seen; k++)
                seen = !strcmp(all[k], end->warnings[i]);
            if (!seen)
                all[n++] = end->warnings[i];
        }
        status = replace(group, "warnings") || poyi_h5_texts(group, "warnings", all, n, &about);
    }
    poyi_arena_fini(&arena);
    return status;
}

static int write_end(poyi_store *s, const poyi_store_end *end)
{
    int64_t sessions = 0;
    hid_t group = H5Gopen2(s->file, "provenance", H5P_DEFAULT);
    int status = group < 0 || add_to(group, "wall_s", end->wall) || add_to(group, "cpu_s", end->cpu) ||
                 poyi_h5_read_int(group, "sessions", &sessions);
    sessions++;
    status = status || poyi_h5_put(group, "sessions", H5T_NATIVE_INT64, &sessions) || write_memory(group, end) ||
             replace(group, "execution") ||
             poyi_h5_text(group, "execution", end->execution, "what the backend did, of the last session") ||
             write_warnings(group, end);
    if (group >= 0)
        H5Gclose(group);
    return status || H5Fflush(s->file, H5F_SCOPE_LOCAL) < 0;
}

poy_status poyi_store_finish(poy_ctx *ctx, poyi_store *s, const poyi_store_end *end)
{
    poyi_h5_quiet quiet;
    poy_status status = POY_OK;
    if (s->broken)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: an earlier write failed", s->path);
    poyi_h5_begin(&quiet);
    if (write_end(s, end))
        status = poyi_store_failed(ctx, s, "write its end");
    else if (poyi_h5_attribute_set(s->file, "complete", end->complete) || H5Fflush(s->file, H5F_SCOPE_LOCAL) < 0)
        status = poyi_store_failed(ctx, s, "mark it complete");
    poyi_h5_end(&quiet);
    return status;
}
