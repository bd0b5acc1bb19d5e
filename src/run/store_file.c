/* store_file.c: the file driver of result files. New raw data go to the disk at once, behind everything that the file on
 * the disk refers to; metadata, and small changes of raw data that are there already, wait in memory until HDF5 flushes.
 * A flush writes them to a journal beside the file, then into the file, then removes the journal. Whoever opens the file
 * next finishes a complete journal and drops a torn one.
 *
 * Large pieces of old raw data are overwritten in place: those are the resume slots, of which only the one is written
 * that is not current. */
#define _GNU_SOURCE /* flock, pread, pwrite, ftruncate */
#include "run/store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGE = 65536 };

/* Bytes of the file that differ from the disk. */
typedef struct extent {
    haddr_t at;
    size_t size;
    unsigned char *data;
} extent;

typedef struct result_file {
    H5FD_t pub; /* HDF5's part, first */
    int fd, writable, dead;
    haddr_t eoa, size; /* end of what HDF5 allocated; bytes on the disk */
    haddr_t committed; /* end of what the last flush made known */
    extent *list;      /* sorted, disjoint */
    size_t n, capacity;
    dev_t device;
    ino_t inode;
    char *journal;
    char error[200];
} result_file;

static _Thread_local char open_error[200];

const char *poyi_file_open_error(void)
{
    return open_error;
}

/* ---- changes of the disk ---- */

static poyi_file_fault_fn *fault_fn;
static void *fault_user;
static long fault_number;

void poyi_file_set_fault(poyi_file_fault_fn *fn, void *user)
{
    fault_fn = fn;
    fault_user = user;
    fault_number = 0;
}

static int is_faulty(void)
{
    int faulty = fault_fn && fault_fn(fault_user, ++fault_number);
    if (faulty)
        errno = ENOSPC;
    return faulty;
}

static int write_all(int fd, const void *data, size_t size, off_t at)
{
    const char *from = data;
    if (is_faulty())
        return -1;
    while (size) {
        ssize_t written = pwrite(fd, from, size, at);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return -1;
        from += written;
        at += written;
        size -= (size_t)written;
    }
    return 0;
}

static herr_t failed(result_file *f)
{
    snprintf(f->error, sizeof f->error, "%s", strerror(errno));
    return -1;
}

/* ---- extents ---- */

/* Index of the first extent that ends at or behind at. */
static size_t first_touching(const result_file *f, haddr_t at)
{
    size_t i = 0;
    while (i < f->n && f->list[i].at + f->list[i].size < at)
        i++;
    return i;
}

/* Lays data over what is there; neighbours and overlaps become one extent. */
static herr_t put_extent(result_file *f, haddr_t at, size_t size, const void *data)
{
    size_t first = first_touching(f, at), last = first;
    haddr_t begin = at, end = at + size;
    while (last < f->n && f->list[last].at <= at + size) {
        const extent *e = &f->list[last++];
        begin = e->at < begin ? e->at : begin;
        end = e->at + e->size > end ? e->at + e->size : end;
    }
    if (f->n == f->capacity && last == first) {
        size_t capacity = f->capacity ? 2 * f->capacity : 64;
        extent *list = realloc(f->list, capacity * sizeof *list);
        if (!list)
            return failed(f);
        f->list = list;
        f->capacity = capacity;
    }
    extent joined = {.at = begin, .size = (size_t)(end - begin), .data = calloc(1, (size_t)(end - begin))};
    if (!joined.data)
        return failed(f);
    for (size_t i = first; i < last; i++) {
        memcpy(joined.data + (f->list[i].at - begin), f->list[i].data, f->list[i].size);
        free(f->list[i].data);
    }
    memcpy(joined.data + (at - begin), data, size);
    if (last == first)
        memmove(&f->list[first + 1], &f->list[first], (f->n - first) * sizeof f->list[0]);
    else
        memmove(&f->list[first + 1], &f->list[last], (f->n - last) * sizeof f->list[0]);
    f->n = f->n + 1 - (last - first);
    f->list[first] = joined;
    return 0;
}

/* Lays the extents over a buffer that was read from the disk. */
static void overlay(const result_file *f, haddr_t at, size_t size, unsigned char *buffer)
{
    for (size_t i = first_touching(f, at); i < f->n && f->list[i].at < at + size; i++) {
        const extent *e = &f->list[i];
        haddr_t begin = e->at > at ? e->at : at, end = e->at + e->size < at + size ? e->at + e->size : at + size;
        if (begin < end)
            memcpy(buffer + (begin - at), e->data + (begin - e->at), (size_t)(end - begin));
    }
}

static void drop_extents(result_file *f)
{
    for (size_t i = 0; i < f->n; i++)
        free(f->list[i].data);
    f->n = 0;
}

/* ---- the journal: head, then (at, size, data) of each extent; the head is written last ---- */

typedef struct journal_head {
    char magic[8];
    uint64_t extents, bytes, sum;
} journal_head;

static const char journal_magic[8] = "POYJRNL1";

static uint64_t add_sum(uint64_t sum, const void *data, size_t size) /* FNV-1a */
{
    const unsigned char *c = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ c[i]) * 1099511628211u;
    return sum;
}

static int write_journal(const result_file *f)
{
    journal_head head = {.extents = f->n, .sum = 14695981039346656037u};
    int fd = open(f->journal, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    off_t at = (off_t)sizeof head;
    if (fd < 0)
        return -1;
    memcpy(head.magic, journal_magic, sizeof head.magic);
    for (size_t i = 0; i < f->n; i++) {
        unsigned char place[16] = {0};
        const uint64_t numbers[2] = {f->list[i].at, f->list[i].size};
        memcpy(place, numbers, sizeof place);
        if (write_all(fd, place, sizeof place, at) ||
            write_all(fd, f->list[i].data, f->list[i].size, at + (off_t)sizeof place))
            goto failure;
        head.sum = add_sum(add_sum(head.sum, place, sizeof place), f->list[i].data, f->list[i].size);
        at += (off_t)(sizeof place + f->list[i].size);
    }
    head.bytes = (uint64_t)at;
    if (write_all(fd, &head, sizeof head, 0)) /* last: without it the journal is torn */
        goto failure;
    return close(fd);
failure:
    close(fd);
    unlink(f->journal);
    return -1;
}

static unsigned char *read_whole(const char *path, size_t *size)
{
    struct stat about;
    unsigned char *data = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    if (!fstat(fd, &about) && (data = calloc(1, (size_t)about.st_size + 1))) {
        ssize_t got = pread(fd, data, (size_t)about.st_size, 0);
        *size = got < 0 ? 0 : (size_t)got;
    }
    close(fd);
    return data;
}

static int is_complete(const unsigned char *data, size_t size, journal_head *head)
{
    if (size < sizeof *head)
        return 0;
    memcpy(head, data, sizeof *head);
    return !memcmp(head->magic, journal_magic, sizeof journal_magic) && head->bytes == size &&
           add_sum(14695981039346656037u, data + sizeof *head, size - sizeof *head) == head->sum;
}

/* What a process that died left behind: its metadata, if they are complete, become extents of this file. */
static herr_t recover(result_file *f)
{
    size_t size = 0, at = sizeof(journal_head);
    journal_head head;
    unsigned char *data = read_whole(f->journal, &size);
    herr_t status = 0;
    if (data && is_complete(data, size, &head))
        for (uint64_t i = 0; i < head.extents && !status; i++) {
            uint64_t place[2];
            if (size - at < sizeof place)
                break;
            memcpy(place, data + at, sizeof place);
            if (size - at - sizeof place < place[1])
                break;
            status = put_extent(f, place[0], (size_t)place[1], data + at + sizeof place);
            at += sizeof place + (size_t)place[1];
        }
    free(data);
    return status;
}

/* The extents into the file; with a journal first, so that dying on the way loses nothing. */
static herr_t commit(result_file *f)
{
    haddr_t end = f->n ? f->list[f->n - 1].at + f->list[f->n - 1].size : 0;
    end = f->eoa > end ? f->eoa : end;
    if (!f->writable || f->dead)
        return 0;
    if (end > f->size) {
        if (is_faulty() || ftruncate(f->fd, (off_t)end))
            return failed(f);
        f->size = end;
    }
    if (f->n && write_journal(f))
        return failed(f);
    for (size_t i = 0; i < f->n; i++)
        if (write_all(f->fd, f->list[i].data, f->list[i].size, (off_t)f->list[i].at))
            return failed(f);
    if (f->n && (is_faulty() || unlink(f->journal)))
        return failed(f);
    drop_extents(f);
    f->committed = f->size;
    return 0;
}

/* ---- the driver ---- */

static herr_t file_close(H5FD_t *file)
{
    result_file *f = (result_file *)(void *)file;
    drop_extents(f);
    close(f->fd);
    free(f->list);
    free(f->journal);
    free(f);
    return 0;
}

static H5FD_t *refuse(result_file *f, const char *why)
{
    snprintf(open_error, sizeof open_error, "%s", why);
    if (f) {
        if (f->fd >= 0)
            close(f->fd);
        free(f->journal);
        free(f->list);
        free(f);
    }
    return NULL;
}

/* 0 where another process holds the file; file systems without locks are taken as they are. */
static int take_lock(int fd, int writable)
{
    return !flock(fd, (writable ? LOCK_EX : LOCK_SH) | LOCK_NB) || (errno != EWOULDBLOCK && errno != EACCES);
}

static H5FD_t *file_open(const char *name, unsigned flags, hid_t access, haddr_t max)
{
    int writable = (flags & H5F_ACC_RDWR) != 0, mode = (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC;
    struct stat about;
    result_file *f = calloc(1, sizeof *f);
    (void)access;
    (void)max;
    open_error[0] = '\0';
    if (!f)
        return refuse(f, "no memory");
    if (flags & H5F_ACC_CREAT)
        mode |= O_CREAT;
    if (flags & H5F_ACC_EXCL)
        mode |= O_EXCL;
    f->writable = writable;
    f->fd = open(name, mode, 0666);
    if (f->fd < 0 || fstat(f->fd, &about))
        return refuse(f, strerror(errno));
    if (!take_lock(f->fd, writable))
        return refuse(f, "in use by another process");
    f->journal = malloc(strlen(name) + sizeof ".journal");
    if (!f->journal)
        return refuse(f, "no memory");
    snprintf(f->journal, strlen(name) + sizeof ".journal", "%s.journal", name);
    f->device = about.st_dev;
    f->inode = about.st_ino;
    f->size = f->committed = (haddr_t)about.st_size;
    if (flags & H5F_ACC_TRUNC) {
        if (ftruncate(f->fd, 0) || (unlink(f->journal) && errno != ENOENT))
            return refuse(f, strerror(errno));
        f->size = f->committed = 0;
    } else if (recover(f) || (writable && commit(f)) || (writable && unlink(f->journal) && errno != ENOENT)) {
        drop_extents(f);
        return refuse(f, strerror(errno));
    }
    return &f->pub;
}

static int file_compare(const H5FD_t *a, const H5FD_t *b)
{
    const result_file *x = (const result_file *)(const void *)a, *y = (const result_file *)(const void *)b;
    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    return x->inode < y->inode ? -1 : x->inode > y->inode;
}

static herr_t file_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    *flags = H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t file_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const result_file *)(const void *)file)->eoa;
}

static herr_t file_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t at)
{
    (void)type;
    ((result_file *)(void *)file)->eoa = at;
    return 0;
}

static haddr_t file_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    const result_file *f = (const result_file *)(const void *)file;
    haddr_t end = f->n ? f->list[f->n - 1].at + f->list[f->n - 1].size : 0;
    (void)type;
    return end > f->size ? end : f->size;
}

static herr_t file_handle(H5FD_t *file, hid_t access, void **handle)
{
    (void)access;
    *handle = file;
    return 0;
}

static herr_t file_read(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *buffer)
{
    result_file *f = (result_file *)(void *)file;
    size_t got = 0;
    (void)type;
    (void)transfer;
    memset(buffer, 0, size); /* beyond the end of the file there are zeros */
    while (got < size) {
        ssize_t n = pread(f->fd, (char *)buffer + got, size - got, (off_t)(at + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return failed(f);
        if (!n)
            break;
        got += (size_t)n;
    }
    overlay(f, at, size, buffer);
    return 0;
}

static herr_t file_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *buffer)
{
    result_file *f = (result_file *)(void *)file;
    (void)transfer;
    if (f->dead)
        return 0;
    if (type != H5FD_MEM_DRAW || (at < f->committed && size < LARGE))
        return put_extent(f, at, size, buffer);
    if (write_all(f->fd, buffer, size, (off_t)at))
        return failed(f);
    if (at + size > f->size)
        f->size = at + size;
    return 0;
}

static herr_t file_flush(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    result_file *f = (result_file *)(void *)file;
    (void)transfer;
    if (commit(f))
        return -1;
    if (closing && f->writable && !f->dead && f->eoa < f->size) {
        if (ftruncate(f->fd, (off_t)f->eoa))
            return failed(f);
        f->size = f->eoa;
    }
    return closing && f->writable && !f->dead && fsync(f->fd) && errno != EINVAL ? failed(f) : 0;
}

static herr_t file_truncate(H5FD_t *file, hid_t transfer, hbool_t closing)
{
    (void)file; /* comes before the flush, when the disk still needs what is behind the end: flush does it */
    (void)transfer;
    (void)closing;
    return 0;
}

static const H5FD_class_t driver_class = {
    .name = "poynting",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .open = file_open,
    .close = file_close,
    .cmp = file_compare,
    .query = file_query,
    .get_eoa = file_get_eoa,
    .set_eoa = file_set_eoa,
    .get_eof = file_get_eof,
    .get_handle = file_handle,
    .read = file_read,
    .write = file_write,
    .flush = file_flush,
    .truncate = file_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hid_t driver = H5I_INVALID_HID;

static void register_driver(void)
{
    driver = H5FDregister(&driver_class);
}

hid_t poyi_file_access(void)
{
    pthread_once(&once, register_driver);
    hid_t access = driver < 0 ? H5I_INVALID_HID : H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return H5I_INVALID_HID;
    if (H5Pset_driver(access, driver, NULL) < 0 || H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) < 0 ||
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) < 0) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

static result_file *file_of(hid_t file)
{
    void *handle = NULL;
    return H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 ? NULL : handle;
}

const char *poyi_file_write_error(hid_t file)
{
    const result_file *f = file_of(file);
    return f ? f->error : "";
}

void poyi_file_abandon(hid_t file)
{
    result_file *f = file_of(file);
    if (f)
        f->dead = 1;
}
