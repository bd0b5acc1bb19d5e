/* cpu_fft_wisdom.c: what FFTW learnt by measuring, kept in the user's cache folder for later processes.
 *
 * The file is <cache>/poynting/fftw-<key>.wisdom: a line "poynting-wisdom 1 <bytes> <bytes> <sha256>", then FFTW's texts
 * for double and single precision. The key stands for FFTW's version, the processor and how plans are chosen. Texts whose
 * digest is not the line's never reach FFTW, which aborts on some damaged input. */
#define _POSIX_C_SOURCE 200809L /* mkdir, getpid */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/cpu/cpu_fft_plan.h"

enum { PATH_ROOM = 1024, TEXT_MAX = 64 << 20 };

/* Of the process, as FFTW's wisdom is; guarded by the planner's lock. */
static struct {
    char path[PATH_ROOM]; /* of the file last read */
    char digest[65];
} stored;

static void digest_texts(const char *texts, size_t bytes, char hex[65])
{
    unsigned char digest[32];
    poyi_sha256 s;
    poyi_sha256_init(&s);
    poyi_sha256_add(&s, texts, bytes);
    poyi_sha256_end(&s, digest);
    poyi_sha256_hex(digest, hex);
}

static void processor_name(size_t size, char *out)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    out[0] = '\0';
    if (!f)
        return;
    while (fgets(out, (int)size, f) && strncmp(out, "model name", 10) != 0)
        out[0] = '\0';
    fclose(f);
}

/* Nonzero where there is a cache folder; the file's folder is made. */
static int find_path(char path[PATH_ROOM])
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[PATH_ROOM - 64], key[512], hex[65];
    int n;

    if (cache && cache[0] == '/')
        n = snprintf(folder, sizeof folder, "%s", cache);
    else if (home && home[0] == '/')
        n = snprintf(folder, sizeof folder, "%s/.cache", home);
    else
        return 0;
    if (n < 0 || (size_t)n + sizeof "/poynting" > sizeof folder)
        return 0;
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return 0;
    memcpy(folder + n, "/poynting", sizeof "/poynting");
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return 0;
    n = snprintf(key, sizeof key, "%s %s judged on cold memory ", poyi_fftw_f64.version, poyi_fftw_f32.version);
    processor_name(sizeof key - (size_t)n, key + n);
    digest_texts(key, strlen(key), hex);
    snprintf(path, PATH_ROOM, "%s/fftw-%.16s.wisdom", folder, hex);
    return 1;
}

/* Both texts, one after the other, each with a NUL; *bytes: without them. Returns what is wrong, or NULL. */
static const char *read_texts(FILE *f, size_t bytes[2], char **texts, char digest[65])
{
    char line[256];

    if (!fgets(line, sizeof line, f) ||
        sscanf(line, "poynting-wisdom 1 %zu %zu %64s", &bytes[0], &bytes[1], digest) != 3) // NOLINT(cert-err34-c)
        return "its first line is not one of this library";
    if (bytes[0] > TEXT_MAX || bytes[1] > TEXT_MAX)
        return "its texts cannot be that long";
    *texts = malloc(bytes[0] + bytes[1] + 2);
    if (!*texts)
        return "there is no memory to read it";
    char *second = *texts + bytes[0], computed[65];
    if (fread(*texts, 1, bytes[0] + bytes[1], f) != bytes[0] + bytes[1] || fgetc(f) != EOF)
        return "its texts are not as long as it says";
    digest_texts(*texts, bytes[0] + bytes[1], computed);
    if (strcmp(computed, digest) != 0)
        return "its digest is another one";
    memmove(second + 1, second, bytes[1]);
    second[0] = second[bytes[1] + 1] = '\0';
    return NULL;
}

/* Takes in the file; what is wrong with it, or NULL (also where there is none). */
static const char *import_file(const char *path)
{
    size_t bytes[2] = {0, 0};
    char *texts = NULL, digest[65];
    FILE *f = fopen(path, "rb");

    if (!f)
        return NULL;
    const char *wrong = read_texts(f, bytes, &texts, digest);
    fclose(f);
    if (!wrong && (!poyi_fftw_f64.import_wisdom(texts) || !poyi_fftw_f32.import_wisdom(texts + bytes[0] + 1)))
        wrong = "FFTW does not take it";
    if (!wrong)
        memcpy(stored.digest, digest, sizeof stored.digest);
    free(texts);
    return wrong;
}

void poyi_fft_wisdom_load(poy_ctx *ctx)
{
    char path[PATH_ROOM];

    poyi_fft_planner_lock();
    if (find_path(path) && strcmp(path, stored.path) != 0) {
        memcpy(stored.path, path, sizeof stored.path);
        stored.digest[0] = '\0';
        const char *wrong = import_file(path);
        if (wrong)
            poyi_log(ctx, POY_LOG_WARNING, "the stored FFT plans in %s are ignored, plans will be measured anew: %s",
                     path, wrong);
    }
    poyi_fft_planner_unlock();
}

static int write_file(const char *path, const char *texts, const size_t bytes[2], const char *digest)
{
    char part[PATH_ROOM + 32];
    snprintf(part, sizeof part, "%s.%ld", path, (long)getpid());
    FILE *f = fopen(part, "wb");
    if (!f)
        return 0;
    int good = fprintf(f, "poynting-wisdom 1 %zu %zu %s\n", bytes[0], bytes[1], digest) > 0 &&
               fwrite(texts, 1, bytes[0] + bytes[1], f) == bytes[0] + bytes[1];
    good = !fclose(f) && good;
    good = good && rename(part, path) == 0; /* readers see the old file or the new one */
    if (!good)
        remove(part);
    return good;
}

void poyi_fft_wisdom_store(poy_ctx *ctx)
{
    char path[PATH_ROOM], digest[65];

    if (!find_path(path)) {
        poyi_log(ctx, POY_LOG_INFO, "no cache folder: FFT plans will be measured anew in the next process");
        return;
    }
    import_file(path); /* what other processes learnt meanwhile; a damaged file is written anew */
    char *text[2] = {poyi_fftw_f64.export_wisdom(), poyi_fftw_f32.export_wisdom()};
    char *texts = NULL;
    if (text[0] && text[1]) {
        size_t bytes[2] = {strlen(text[0]), strlen(text[1])};
        texts = malloc(bytes[0] + bytes[1] + 1);
        if (texts) {
            memcpy(texts, text[0], bytes[0]);
            memcpy(texts + bytes[0], text[1], bytes[1]);
            digest_texts(texts, bytes[0] + bytes[1], digest);
            if (write_file(path, texts, bytes, digest))
                memcpy(stored.digest, digest, sizeof stored.digest);
            else
                poyi_log(ctx, POY_LOG_INFO, "cannot write %s: FFT plans will be measured anew in the next process",
                         path);
        }
    }
    free(texts);
    free(text[0]);
    free(text[1]);
}

const char *poyi_fft_wisdom_digest(void)
{
    return stored.digest;
}
