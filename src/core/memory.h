/* memory.h: blocks of memory from the system, for whoever counts them in the ledger. */
#ifndef POYI_CORE_MEMORY_H
#define POYI_CORE_MEMORY_H

#include <stddef.h>

enum { POYI_BLOCK_ALIGN = 64 }; /* bytes: a cache line */

/* So many bytes, aligned, not initialised; back by free. Blocks of several MiB are asked for in large pages, without which
 * reading them spends a fifth of its time on finding pages. NULL: no memory. */
void *poyi_block_new(size_t bytes);

#endif
