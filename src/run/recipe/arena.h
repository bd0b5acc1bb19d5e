/* arena.h: small memory that is given back all at once: the nodes and texts of a recipe. */
#ifndef POYI_ARENA_H
#define POYI_ARENA_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poyi_arena_block poyi_arena_block;
/* Starts as {0}. After memory ran out failed is set, and every later call answers NULL: test it once, at the end. */
typedef struct poyi_arena {
    poyi_arena_block *blocks;
    int failed;
} poyi_arena;

/* size bytes, zeroed, aligned for any object; NULL when memory ran out. */
void *poyi_arena_alloc(poyi_arena *arena, size_t size);
/* A copy of length characters, ended by NUL; NULL when memory ran out. */
char *poyi_arena_copy(poyi_arena *arena, const char *text, size_t length);
char *poyi_arena_format(poyi_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void poyi_arena_fini(poyi_arena *arena);

#ifdef __cplusplus
}
#endif
#endif
