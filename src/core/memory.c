/* memory.c: blocks of memory from the system, the large ones in large pages. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/memory.h"

#include <stdint.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

enum { LARGE = 4 << 20 };

/* Where the system gives large pages only on request, this is one; a refusal changes nothing. */
static void ask_for_large_pages(void *block, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)block + page - 1) / page * page;
    const size_t gone = from - (uintptr_t)block; /* to the next page */
    if (bytes >= LARGE)
        (void)madvise((unsigned char *)block + gone, (bytes - gone) / page * page, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

void *poyi_block_new(size_t bytes)
{
    if (bytes > SIZE_MAX - POYI_BLOCK_ALIGN)
        return NULL;
    void *block = aligned_alloc(POYI_BLOCK_ALIGN, (bytes / POYI_BLOCK_ALIGN + 1) * POYI_BLOCK_ALIGN);
    if (block)
        ask_for_large_pages(block, bytes);
    return block;
}
