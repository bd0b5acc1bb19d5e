/* folder.c: the folder of a scan: whose it is, which points are done, which failed. Files appear whole or not at all. */
#define _XOPEN_SOURCE 700
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/remedy.h"
#include "run/scan/scan.h"

void poyi_scan_path(const poy_recipe_scan *s, int64_t i, const char *ending, char out[POYI_SCAN_PATH])
{
    snprintf(out, POYI_SCAN_PATH, "%s/%05lld.%s", s->folder, (long long)i, ending);
}

/* The number of a file of a point and what stands behind it ("claim.0"); -1: no such file. */
static int64_t scan_file(const char *name, const char **ending)
{
    const size_t digits = strspn(name, "0123456789");
    if (digits < 5 || digits > 8 || name[digits] != '.')
        return -1;
    *ending = name + digits + 1;
    return strtoll(name, NULL, 10);
}

/* ---- files at once ---- */

static int write_whole(const char *path, const char *text)
{
    const size_t n = strlen(text);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    ssize_t written = write(fd, text, n);
    int status = written == (ssize_t)n && !fsync(fd) ? 0 : -1;
    return close(fd) || status ? -1 : 0;
}

/* A link is made by one process alone, on network file systems too; what it shows is complete. A link whose answer got
 * lost on the network shows in the count of links. */
int poyi_scan_publish(const poy_recipe_scan *s, const char *path, const char *text)
{
    static _Atomic unsigned serial;
    char host[64] = "", own[POYI_SCAN_PATH];
    struct stat st;
    gethostname(host, sizeof host - 1);
    snprintf(own, sizeof own, "%.1000s/.%s.%ld.%u", s->folder, host, (long)getpid(), serial++);
    if (write_whole(own, text)) {
        const int why = errno;
        unlink(own);
        errno = why;
        return -1;
    }
    int result = link(own, path) == 0 ? 1 : errno == EEXIST ? 0 : -1, why = errno;
    if (result != 1 && stat(own, &st) == 0 && st.st_nlink == 2)
        result = 1;
    if (result == -1 && (why == EPERM || why == EOPNOTSUPP || why == ENOSYS || why == EMLINK)) {
        int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); /* no links here: nearly as good */
        why = errno;
        result = fd < 0 ? (why == EEXIST ? 0 : -1) : 1;
        if (fd >= 0)
            close(fd);
        if (result == 1 && rename(own, path))
            result = -1;
    }
    unlink(own);
    errno = why;
    return result;
}

/* A temporary file of a process of this machine that is no more; a claim or an unfinished run of a point that is over. */
static int is_left_over(const poy_recipe_scan *s, const char *name, const char *prefix)
{
    const char *ending = "";
    const size_t n = strlen(prefix);
    const int64_t i = scan_file(name, &ending);
    const long pid = strncmp(name, prefix, n) ? 0 : strtol(name + n, NULL, 10);
    if (i >= 0)
        return strcmp(ending, "h5") != 0 && strcmp(ending, "failed") != 0 && poyi_scan_is_over(s, i);
    return pid > 0 && kill((pid_t)pid, 0) && errno == ESRCH;
}

void poyi_scan_sweep(const poy_recipe_scan *s)
{
    char host[64] = "", prefix[80], path[POYI_SCAN_PATH];
    DIR *folder = opendir(s->folder);
    gethostname(host, sizeof host - 1);
    snprintf(prefix, sizeof prefix, ".%s.", host);
    for (const struct dirent *entry = folder ? readdir(folder) : NULL; entry; entry = readdir(folder)) {
        snprintf(path, sizeof path, "%.900s/%.255s", s->folder, entry->d_name);
        if (is_left_over(s, entry->d_name, prefix))
            unlink(path);
    }
    if (folder)
        closedir(folder);
}

/* ---- whose folder it is ---- */

/* What has to be equal: everything but how it is run, drawn and collected. */
static void digest_text(const char *text, unsigned char out[32])
{
    poyi_sha256 sum;
    int skip = 0;
    poyi_sha256_init(&sum);
    while (*text) {
        const size_t n = strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
        if (*text == '[')
            skip = !strncmp(text, "[run]", 5) || !strncmp(text, "[plots]", 7);
        if (!skip && n > 1 && strncmp(text, "collect = ", 10) != 0)
            poyi_sha256_add(&sum, text, n);
        text += n;
    }
    poyi_sha256_end(&sum, out);
}

/* The resolved recipe, and its sources by what they hold. */
static void whole_text(const poy_recipe *r, poyi_text *out)
{
    poyi_text_add(out, "%s", r->resolved_text);
    for (const poyi_source_file *f = r->sources; f; f = f->next) {
        unsigned char sum[32];
        char hex[65];
        poyi_sha256 sha;
        poyi_sha256_init(&sha);
        poyi_sha256_add(&sha, f->text, f->length);
        poyi_sha256_end(&sha, sum);
        poyi_sha256_hex(sum, hex);
        poyi_text_add(out, "# %s sha256 %s\n", f->name, hex);
    }
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "rb");
    const size_t most = (size_t)1 << 24;
    char *text = file ? malloc(most + 1) : NULL;
    if (text)
        text[fread(text, 1, most, file)] = '\0';
    if (file)
        fclose(file);
    return text;
}

static poy_status differs(poy_ctx *ctx, const poy_recipe_scan *s, const char *path, const char *theirs)
{
    poy_recipe *other = NULL;
    poyi_text keys = {0};
    char advice[64];
    int n = 0;
    poyi_remedy(ctx, POYI_REMEDY_FOLDER, NULL, sizeof advice, advice);
    if (poy_recipe_parse(ctx, theirs, path, &other) == POY_OK && poy_recipe_check(ctx, other) == POY_OK)
        n = poyi_recipe_diff(other, s->recipe, ", ", &keys);
    poy_ctx_clear(ctx);
    poy_recipe_destroy(&other);
    poy_status status =
        n > 0 ? POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: belongs to another recipe, %d key%s: %s: %s, or remove it",
                          s->folder, n, n > 1 ? "s differ" : " differs", keys.text ? keys.text : "", advice)
              : POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: belongs to another recipe (see %s): %s, or remove it", s->folder,
                          path, advice);
    poyi_text_fini(&keys);
    return status;
}

/* The first process writes the recipe down, the others compare theirs with it. */
static poy_status claim_folder(poy_ctx *ctx, const poy_recipe_scan *s)
{
    char path[POYI_SCAN_PATH];
    unsigned char mine[32], its[32];
    poyi_text text = {0};
    poy_status status = POY_OK;
    if (mkdir(s->folder, 0777) && errno != EEXIST)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be made: %s", s->folder, strerror(errno));
    snprintf(path, sizeof path, "%.1100s/recipe.toml", s->folder);
    whole_text(s->recipe, &text);
    const int is_there =
        !access(path, F_OK); /* then the folder may be one that can only be read: it is listed and collected */
    int made = text.failed ? -1 : is_there ? 0 : poyi_scan_publish(s, path, text.text);
    if (made < 0)
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    char *theirs = made == 0 ? read_whole(path) : NULL;
    if (theirs) {
        digest_text(text.text, mine);
        digest_text(theirs, its);
        if (memcmp(mine, its, sizeof mine) != 0)
            status = differs(ctx, s, path, theirs);
    } else if (made == 0) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    }
    free(theirs);
    poyi_text_fini(&text);
    return status;
}

poy_status poy_recipe_scan_open(poy_ctx *ctx, poy_recipe *recipe, const char *folder, poy_recipe_scan **out)
{
    poy_status status;
    *out = NULL;
    POYI_TRY(ctx, poy_recipe_check(ctx, recipe));
    POYI_TRY(ctx, poyi_recipe_built(ctx, recipe));
    poy_recipe_scan *s = calloc(1, sizeof *s);
    if (!s)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a scan");
    s->recipe = recipe;
    s->name = recipe->name;
    s->folder = folder ? poyi_arena_copy(&s->arena, folder, strlen(folder))
                       : poyi_arena_format(&s->arena, "%s.scan", recipe->name);
    if (!s->folder)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a scan");
    else if (strlen(s->folder) > 1000)
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "the folder's name is longer than 1000 bytes: choose a shorter one");
    else
        status = poyi_scan_expand(ctx, s);
    if (status == POY_OK)
        status = claim_folder(ctx, s);
    if (status == POY_OK)
        *out = s;
    else
        poy_recipe_scan_close(&s);
    return status;
}

void poy_recipe_scan_close(poy_recipe_scan **scan)
{
    if (*scan) {
        poyi_arena_fini(&(*scan)->arena);
        free(*scan);
    }
    *scan = NULL;
}

const char *poy_recipe_scan_folder(const poy_recipe_scan *s)
{
    return s->folder;
}

int64_t poy_recipe_scan_points(const poy_recipe_scan *s)
{
    return s->n_points;
}

/* ---- states ---- */

poy_status poy_recipe_scan_states(poy_ctx *ctx, const poy_recipe_scan *s, int64_t first, int64_t n,
                                  poy_recipe_scan_state *out)
{
    DIR *folder = opendir(s->folder);
    if (!folder)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be read: %s", s->folder, strerror(errno));
    for (int64_t k = 0; k < n; k++)
        out[k] = POY_SCAN_WAITING;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *ending = "";
        const int64_t i = scan_file(entry->d_name, &ending) - first;
        if (i < 0 || i >= n)
            continue;
        if (!strcmp(ending, "h5"))
            out[i] = POY_SCAN_DONE;
        else if (!strcmp(ending, "failed") && out[i] != POY_SCAN_DONE)
            out[i] = POY_SCAN_FAILED;
        else if (!strncmp(ending, "claim.", 6) && out[i] == POY_SCAN_WAITING)
            out[i] = POY_SCAN_RUNNING;
    }
    closedir(folder);
    for (int64_t k = 0; k < n; k++)
        if (out[k] == POY_SCAN_RUNNING && !poyi_claim_is_alive(s, first + k))
            out[k] = POY_SCAN_WAITING;
    return POY_OK;
}

int poyi_scan_is_over(const poy_recipe_scan *s, int64_t i)
{
    static const char *const endings[] = {"h5", "failed"};
    char path[POYI_SCAN_PATH];
    for (int k = 0; k < 2; k++) {
        poyi_scan_path(s, i, endings[k], path);
        if (!access(path, F_OK))
            return 1;
    }
    return 0;
}

void poy_recipe_scan_failure(const poy_recipe_scan *s, int64_t i, size_t size, char *out)
{
    char path[POYI_SCAN_PATH];
    poyi_scan_path(s, i, "failed", path);
    FILE *file = fopen(path, "rb");
    const size_t n = file && size ? fread(out, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    if (size)
        out[n] = '\0';
    if (n && out[n - 1] == '\n')
        out[n - 1] = '\0';
}

poy_status poyi_scan_fail(poy_ctx *ctx, const poy_recipe_scan *s, int64_t i, const char *text)
{
    char path[POYI_SCAN_PATH];
    poyi_scan_path(s, i, "failed", path);
    if (poyi_scan_publish(s, path, text) < 0)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    return POY_OK;
}

poy_status poy_recipe_scan_retry(poy_ctx *ctx, poy_recipe_scan *s, int64_t *n)
{
    char path[POYI_SCAN_PATH];
    poy_recipe_scan_state *states = calloc((size_t)s->n_points, sizeof *states);
    poy_status status = states ? poy_recipe_scan_states(ctx, s, 0, s->n_points, states)
                               : POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the states of a scan");
    *n = 0;
    for (int64_t i = 0; status == POY_OK && i < s->n_points; i++) {
        if (states[i] != POY_SCAN_FAILED)
            continue;
        poyi_scan_path(s, i, "failed", path);
        if (unlink(path) && errno != ENOENT)
            status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be removed: %s", path, strerror(errno));
        ++*n;
    }
    free(states);
    return status;
}
