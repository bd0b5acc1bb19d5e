/* fuzz_journal.c: any bytes as the journal of a result file, with a right head or not. The file opens and has a sane
 * end, or is refused. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "run/store/file.h"

enum { HEAD = 40 }; /* bytes of a journal's head */

static char folder[64], path[96], journal[112];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/dev/shm/poynting-fuzz-XXXXXX");
    if (!mkdtemp(folder) && !mkdtemp(strcpy(folder, "/tmp/poynting-fuzz-XXXXXX")))
        fuzz_fail("no folder");
    snprintf(path, sizeof path, "%s/a.h5", folder);
    snprintf(journal, sizeof journal, "%s.journal", path);
}

static void remove_folder(void)
{
    unlink(path);
    unlink(journal);
    rmdir(folder);
}

static void put(const char *where, const void *data, size_t size)
{
    FILE *f = fopen(where, "wb");
    if (!f || fwrite(data, 1, size, f) != size)
        fuzz_fail("%s cannot be written", where);
    fclose(f);
}

static uint64_t sum_of(const uint8_t *data, size_t size)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ data[i]) * 1099511628211u;
    return sum;
}

static void open_and_read(unsigned flags)
{
    unsigned char buffer[256];
    hid_t access = poyi_file_access();
    H5FD_t *file = H5FDopen(path, flags, access, HADDR_UNDEF);
    if (file) {
        haddr_t end = H5FDget_eof(file, H5FD_MEM_DEFAULT);
        if (end > 512)
            fuzz_fail("the file ends at %llu", (unsigned long long)end);
        H5FDset_eoa(file, H5FD_MEM_DEFAULT, end);
        for (haddr_t at = 0; at + sizeof buffer <= end; at += sizeof buffer)
            H5FDread(file, H5FD_MEM_DRAW, H5P_DEFAULT, at, sizeof buffer, buffer);
        H5FDclose(file);
    }
    H5Pclose(access);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char base[512] = "the file as it was";
    uint8_t *text = malloc(size + HEAD);
    if (!folder[0]) {
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
        make_folder();
        atexit(remove_folder);
    }
    if (!text)
        fuzz_fail("no memory");
    /* as it is, or, where the first byte is odd, the rest behind a head that fits */
    size_t length = size;
    memcpy(text, data, size);
    if (size && data[0] % 2) {
        const uint64_t head[4] = {data[0] / 2, size - 1 + HEAD, sum_of(data + 1, size - 1), sizeof base};
        static const char magic[8] = {'P', 'O', 'Y', 'J', 'R', 'N', 'L', '2'};
        memcpy(text, magic, sizeof magic);
        memcpy(text + 8, head, sizeof head);
        memcpy(text + HEAD, data + 1, size - 1);
        length = size - 1 + HEAD;
    }
    put(path, base, sizeof base);
    put(journal, text, length);
    open_and_read(H5F_ACC_RDONLY);
    open_and_read(H5F_ACC_RDWR);
    free(text);
    return 0;
}
