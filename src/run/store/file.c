/* file.c: the file driver of result files. New raw data go to the disk at once, behind everything that the file on
 * the disk refers to; metadata, and small changes of raw data that are there already, wait in memory until HDF5 flushes.
 * A flush writes what is new behind the rest, the changes of the rest to a journal beside the file, then into the file,
 * then removes the journal. Whoever opens the file next finishes a complete journal and drops a torn one.
 *
 * The changes go into the file in an order in which it can be read between any two of them (extent.h), so that
 * readers which know nothing of the journal can open what a killed run left.
 *
 * Large pieces of old raw data are overwritten in place: those are the resume slots, of which only the one is written
 * that is not current. */
#define _GNU_SOURCE /* flock, pread, pwrite, ftruncate */
#include "run/store/file.h"

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

#include "run/store/extent.h"

enum { LARGE = 65536 };

typedef struct result_file {
    H5FD_t pub; /* HDF5's part, first */
    int fd, writable, dead;
    haddr_t eoa, size; /* end of what HDF5 allocated; bytes on the disk */
    haddr_t committed; /* end of what the last flush made known */
    poyi_extents waiting;
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

/* ---- the journal: head, then (at, size, type, data) of each extent; the head is written last ---- */

typedef struct journal_head {
    char magic[8];
    uint64_t extents, bytes, sum;
    uint64_t end; /* size of the file to which it belongs */
} journal_head;

typedef struct journal_place {
    uint64_t at, size, type;
} journal_place;

static const char journal_magic[8] = "POYJRNL2";
static const uint64_t sum_start = 14695981039346656037u;

static uint64_t add_sum(uint64_t sum, const void *data, size_t size) /* FNV-1a */
{
    const unsigned char *c = data;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ c[i]) * 1099511628211u;
    return sum;
}

/* Until the disk has it; file systems that know no such thing are taken as they are. */
static int sync_to_disk(int fd)
{
    return fsync(fd) && errno != EINVAL && errno != ENOSYS ? -1 : 0;
}

static int write_journal(const result_file *f)
{
    journal_head head = {.extents = f->waiting.n, .sum = sum_start, .end = f->size};
    int fd = open(f->journal, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    off_t at = (off_t)sizeof head;
    if (fd < 0)
        return -1;
    memcpy(head.magic, journal_magic, sizeof head.magic);
    for (size_t i = 0; i < f->waiting.n; i++) {
        const poyi_extent *x = &f->waiting.list[i];
        const journal_place where = {x->at, x->size, (uint64_t)x->type};
        unsigned char place[sizeof where] = {0};
        memcpy(place, &where, sizeof place);
        if (write_all(fd, place, sizeof place, at) || write_all(fd, x->data, x->size, at + (off_t)sizeof place))
            goto failure;
        head.sum = add_sum(add_sum(head.sum, place, sizeof place), x->data, x->size);
        at += (off_t)(sizeof place + x->size);
    }
    head.bytes = (uint64_t)at;
    if (write_all(fd, &head, sizeof head, 0) || sync_to_disk(fd)) /* last: without it the journal is torn */
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
           add_sum(sum_start, data + sizeof *head, size - sizeof *head) == head->sum;
}

/* The extent at *at of a journal, which moves behind it; 0 where it does not fit the journal or the file. */
static int read_extent(const unsigned char *data, size_t size, uint64_t end, size_t *at, journal_place *place)
{
    if (size - *at < sizeof *place)
        return 0;
    memcpy(place, data + *at, sizeof *place);
    *at += sizeof *place;
    if (place->size > size - *at || place->at > end || place->size > end - place->at || place->type >= H5FD_MEM_NTYPES)
        return 0;
    *at += (size_t)place->size;
    return 1;
}

/* What a process that died left behind: its metadata, if they are complete, become extents of this file. NULL, or why
 * they cannot. */
static const char *recover(result_file *f)
{
    size_t size = 0, at = sizeof(journal_head);
    journal_head head;
    journal_place place;
    const char *why = NULL;
    unsigned char *data = read_whole(f->journal, &size);
    if (data && is_complete(data, size, &head)) {
        if (head.end != f->size)
            why = "its .journal is of another file or an older state: move that away";
        for (uint64_t i = 0; i < head.extents && !why; i++)
            if (!read_extent(data, size, head.end, &at, &place))
                why = "its .journal is damaged: move that away";
            else if (poyi_extents_put(&f->waiting, place.at, (size_t)place.size, (H5FD_mem_t)place.type,
                                      data + at - place.size))
                why = "no memory";
    }
    free(data);
    return why;
}

static int write_extents(result_file *f)
{
    size_t *order = poyi_extents_order(&f->waiting);
    int status = order ? 0 : -1;
    for (size_t i = 0; i < f->waiting.n && !status; i++) {
        const poyi_extent *x = &f->waiting.list[order[i]];
        status = write_all(f->fd, x->data, x->size, (off_t)x->at);
    }
    free(order);
    return status;
}

/* What is new in the file cannot be seen before the rest refers to it: it needs no journal. */
static int write_new(result_file *f)
{
    poyi_extents *w = &f->waiting;
    while (w->n && w->list[w->n - 1].at >= f->committed) {
        const poyi_extent *x = &w->list[w->n - 1];
        if (write_all(f->fd, x->data, x->size, (off_t)x->at))
            return -1;
        free(w->list[--w->n].data);
    }
    return 0;
}

/* The extents into the file; with a journal first, so that dying on the way loses nothing. Each part is on the disk
 * before the next begins, so that a power cut does not, either. */
static herr_t commit(result_file *f)
{
    haddr_t end = poyi_extents_end(&f->waiting);
    end = f->eoa > end ? f->eoa : end;
    if (!f->writable || f->dead)
        return 0;
    if (end > f->size) {
        if (is_faulty() || ftruncate(f->fd, (off_t)end))
            return failed(f);
        f->size = end;
    }
    if (f->waiting.n) {
        if (write_new(f) || sync_to_disk(f->fd))
            return failed(f);
        if (f->waiting.n && (write_journal(f) || write_extents(f) || sync_to_disk(f->fd)))
            return failed(f);
        if (f->waiting.n && (is_faulty() || unlink(f->journal)))
            return failed(f);
        poyi_extents_drop(&f->waiting);
    }
    f->committed = f->size;
    return 0;
}

/* ---- the driver ---- */

static herr_t file_close(H5FD_t *file)
{
    result_file *f = (result_file *)(void *)file;
    poyi_extents_fini(&f->waiting);
    close(f->fd);
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
        poyi_extents_fini(&f->waiting);
        free(f);
    }
    return NULL;
}

/* 0 where another process holds the file; file systems without locks are taken as they are. */
static int take_lock(int fd, int writable)
{
    return !flock(fd, (writable ? LOCK_EX : LOCK_SH) | LOCK_NB) || (errno != EWOULDBLOCK && errno != EACCES);
}

/* A reader finishes the journal of a process that died, so that the file is whole for readers which know nothing of it;
 * where it may not write, it sees the file as it would be. */
static void finish_journal(result_file *f, const char *name)
{
    if (access(f->journal, F_OK))
        return;
    int reading = f->fd, writing = open(name, O_RDWR | O_CLOEXEC);
    if (writing >= 0 && !flock(reading, LOCK_EX | LOCK_NB)) {
        f->fd = writing;
        f->writable = 1;
        if (!commit(f))
            unlink(f->journal);
        f->fd = reading;
        f->writable = 0;
        flock(reading, LOCK_SH | LOCK_NB);
    }
    if (writing >= 0)
        close(writing);
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
    if (flags & (H5F_ACC_TRUNC | H5F_ACC_CREAT)) { /* a new file: a journal of an old one is void */
        if (ftruncate(f->fd, 0) || (unlink(f->journal) && errno != ENOENT))
            return refuse(f, strerror(errno));
        f->size = f->committed = 0;
    } else {
        const char *why = recover(f);
        if (!why && writable && (commit(f) || (unlink(f->journal) && errno != ENOENT)))
            why = strerror(errno);
        if (why)
            return refuse(f, why);
        if (!writable)
            finish_journal(f, name);
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
    haddr_t end = poyi_extents_end(&f->waiting);
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
    poyi_extents_overlay(&f->waiting, at, size, buffer);
    return 0;
}

static herr_t file_write(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *buffer)
{
    result_file *f = (result_file *)(void *)file;
    (void)transfer;
    if (f->dead)
        return 0;
    if (type != H5FD_MEM_DRAW || (at < f->committed && size < LARGE))
        return poyi_extents_put(&f->waiting, at, size, type, buffer) ? failed(f) : 0;
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
    return closing && f->writable && !f->dead && sync_to_disk(f->fd) ? failed(f) : 0;
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
