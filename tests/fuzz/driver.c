/* driver.c: runs a fuzz target without libFuzzer: every file of the corpus, then random changes of them.
 *   fuzz_TARGET CHANGES FOLDER
 * As many changes on any machine, so that what passes on one passes on all. A child does the work; where it dies, the input is written to crash-TARGET and told. Change number i depends on i and
 * the corpus alone. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, scandir */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

enum { FILES_MAX = 1000, SIZE_MAX_BYTES = 1 << 16 };

typedef struct input {
    uint8_t *data;
    size_t size;
} input;

static input corpus[FILES_MAX];
static int n_corpus;

static int add_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = malloc(SIZE_MAX_BYTES);
    if (!f || !data)
        return 0;
    corpus[n_corpus++] = (input){data, fread(data, 1, SIZE_MAX_BYTES, f)};
    fclose(f);
    return 1;
}

static int read_corpus(const char *folder)
{
    struct dirent **list;
    char path[4096];
    int n = scandir(folder, &list, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
        if (list[i]->d_name[0] != '.' && n_corpus < FILES_MAX && !add_file(path))
            return 0;
        free(list[i]);
    }
    if (n >= 0)
        free(list);
    return n_corpus;
}

/* splitmix64 (Steele, Lea, Flood 2014) */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static size_t below(uint64_t *state, size_t n)
{
    return n ? (size_t)(next(state) % n) : 0;
}

/* Puts a piece in the place of n bytes at at. */
static void splice(input *x, size_t at, size_t n, const uint8_t *piece, size_t size)
{
    if (x->size - n + size > SIZE_MAX_BYTES)
        return;
    memmove(x->data + at + size, x->data + at + n, x->size - at - n);
    memcpy(x->data + at, piece, size);
    x->size += size - n;
}

static void change(input *x, uint64_t *state)
{
    static const char *const words[] = {"nan", "-1", "1e309", "9223372036854775807", "0", "\n", "[", "]", "{", "}",
                                        "\"",  "=",  "."};
    const input *other = &corpus[below(state, (size_t)n_corpus)];
    size_t at = below(state, x->size + 1), n = below(state, 16), from = below(state, other->size + 1);
    n = n > x->size - at ? x->size - at : n;
    const char *word = words[below(state, sizeof words / sizeof words[0])];
    uint8_t byte = (uint8_t)next(state);
    size_t length = below(state, 64);
    length = length > other->size - from ? other->size - from : length;
    switch (below(state, 5)) {
    case 0: splice(x, at, n ? 1 : 0, &byte, 1); break;
    case 1: splice(x, at, n, &byte, 0); break;
    case 2: splice(x, at, n, (const uint8_t *)word, strlen(word)); break;
    case 3: splice(x, at, 0, other->data + from, length); break;
    default: splice(x, at, n, other->data + from, length); break;
    }
}

/* Input number i: first the corpus as it is. */
static void make(long i, input *x)
{
    uint64_t state = (uint64_t)i;
    const input *from = &corpus[i < n_corpus ? (size_t)i : below(&state, (size_t)n_corpus)];
    memcpy(x->data, from->data, from->size);
    x->size = from->size;
    for (size_t k = i < n_corpus ? 0 : 1 + below(&state, 6); k > 0; k--)
        change(x, &state);
}

static void work(long changes, volatile long *number, input *x)
{
    for (long i = 0; i < n_corpus + changes; i++) {
        *number = i;
        make(i, x);
        LLVMFuzzerTestOneInput(x->data, x->size);
    }
}

static int tell(const char *program, long number, int status, input *x)
{
    char path[256];
    const char *slash = strrchr(program, '/');
    snprintf(path, sizeof path, "crash-%.200s", slash ? slash + 1 : program);
    make(number, x);
    FILE *f = fopen(path, "wb");
    if (f) {
        fwrite(x->data, 1, x->size, f);
        fclose(f);
    }
    fprintf(stderr, "input %ld ends the process (status %d): it is in %s\n", number, status, path);
    return 1;
}

int main(int argc, char **argv)
{
    static uint8_t room[SIZE_MAX_BYTES];
    input x = {room, 0};
    int status;
    volatile long *number = mmap(NULL, sizeof *number, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc != 3 || number == MAP_FAILED || !read_corpus(argv[2])) {
        fprintf(stderr, "usage: %s CHANGES FOLDER\n", argv[0]);
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        work(strtol(argv[1], NULL, 10), number, &x);
        exit(0);
    }
    waitpid(child, &status, 0);
    if (status)
        return tell(argv[0], *number, status, &x);
    printf("%d files, %ld changes of them\n", n_corpus, *number + 1 - n_corpus);
    return 0;
}
