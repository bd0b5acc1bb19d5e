/* rate_cache.c: rate tables kept in the user's cache folder, one file each, named by the digest of its parameters. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "media/rate_table.h"

/* What stands before the nodes. A file from a machine with another byte order, or another layout, has another magic. */
typedef struct header {
    uint64_t magic;
    char digest[64]; /* of the parameters: that of the file's name, once more */
    double field_min, step;
    uint64_t points;
    unsigned char check[32]; /* digest of what precedes it here, and of the nodes */
} header;

enum { MAGIC = 0x504f5931, PATH_MAX_BYTES = 1024 };

static int folder(size_t size, char *path)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int n = -1;
    if (base && *base == '/') /* a relative one is to be ignored, says the XDG base directory specification */
        n = snprintf(path, size, "%s/poynting", base);
    else if (home && *home)
        n = snprintf(path, size, "%s/.cache/poynting", home);
    return n > 0 && (size_t)n < size;
}

int poyi_rate_cache_path(const char digest[65], size_t size, char *path)
{
    char base[PATH_MAX_BYTES];
    if (!folder(sizeof base, base))
        return 0;
    const int n = snprintf(path, size, "%s/rate-%s.bin", base, digest);
    return n > 0 && (size_t)n < size;
}

static void check_of(const header *h, const double *nodes, unsigned char out[32])
{
    poyi_sha256 sha;
    poyi_sha256_init(&sha);
    poyi_sha256_add(&sha, h, offsetof(header, check));
    poyi_sha256_add(&sha, nodes, (size_t)h->points * 2 * sizeof *nodes);
    poyi_sha256_end(&sha, out);
}

static int read_from(poy_ctx *ctx, FILE *file, const char *digest, poy_ionisation_table *table)
{
    header h;
    unsigned char check[32];
    void *nodes = NULL;
    if (fread(&h, sizeof h, 1, file) != 1 || h.magic != MAGIC || memcmp(h.digest, digest, sizeof h.digest) != 0 ||
        h.points < 4 || h.points > (uint64_t)1 << 24)
        return 0;
    const size_t bytes = (size_t)h.points * 2 * sizeof(double);
    if (poyi_alloc(ctx, "media.rate_table", bytes, &nodes) != POY_OK) {
        poy_ctx_clear(ctx); /* if it cannot be computed either, that is what the caller hears */
        return 0;
    }
    if (fread(nodes, 1, bytes, file) == bytes) {
        check_of(&h, nodes, check);
        if (!memcmp(check, h.check, sizeof check)) {
            table->field_min = h.field_min;
            table->step = h.step;
            table->points = (size_t)h.points;
            table->nodes = nodes;
            return 1;
        }
    }
    poyi_free(&nodes);
    return 0;
}

int poyi_rate_cache_read(poy_ctx *ctx, const char digest[65], poy_ionisation_table *table)
{
    char path[PATH_MAX_BYTES + 128];
    if (!poyi_rate_cache_path(digest, sizeof path, path))
        return 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    const int good = read_from(ctx, file, digest, table);
    fclose(file);
    if (!good)
        poyi_log(ctx, POY_LOG_WARNING, "%s is damaged, or not for this program: the rate table is computed again",
                 path);
    return good;
}

/* Makes the folder and those above it. */
static int make_folder(char *path)
{
    for (char *s = path + 1; *s; s++)
        if (*s == '/') {
            *s = '\0';
            mkdir(path, 0700);
            *s = '/';
        }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static int write_to(FILE *file, const char *digest, const poy_ionisation_table *table)
{
    header h = {.magic = MAGIC, .field_min = table->field_min, .step = table->step, .points = table->points};
    memcpy(h.digest, digest, sizeof h.digest);
    check_of(&h, table->nodes, h.check);
    return fwrite(&h, sizeof h, 1, file) == 1 &&
           fwrite(table->nodes, 2 * sizeof(double), table->points, file) == table->points;
}

void poyi_rate_cache_write(poy_ctx *ctx, const char digest[65], const poy_ionisation_table *table)
{
    char base[PATH_MAX_BYTES], path[PATH_MAX_BYTES + 128], temporary[PATH_MAX_BYTES + 32];
    if (!folder(sizeof base, base) || !poyi_rate_cache_path(digest, sizeof path, path))
        return;
    /* A file of its own, then renamed: who reads meanwhile sees the old one, the new one or none. */
    snprintf(temporary, sizeof temporary, "%s/rate-XXXXXX", base);
    const int fd = make_folder(base) ? mkstemp(temporary) : -1;
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file) {
        poyi_log(ctx, POY_LOG_INFO, "%s cannot be written to (%s): the rate table is not kept", base, strerror(errno));
        if (fd >= 0) {
            close(fd);
            unlink(temporary);
        }
        return;
    }
    const int written = write_to(file, digest, table), closed = fclose(file) == 0;
    if (!written || !closed || rename(temporary, path) != 0) {
        poyi_log(ctx, POY_LOG_INFO, "%s cannot be written (%s): the rate table is not kept", path, strerror(errno));
        unlink(temporary);
    }
}
