/* arena.c: blocks of memory, each larger than the last, given back together. */
#include "run/recipe/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct poyi_arena_block {
    poyi_arena_block *next;
    size_t used, size;
    alignas(max_align_t) unsigned char data[];
};

enum { FIRST = 4096, ALIGNMENT = alignof(max_align_t) };

static poyi_arena_block *add_block(poyi_arena *arena, size_t size)
{
    size_t room = arena->blocks ? 2 * arena->blocks->size : FIRST;
    if (room < size)
        room = size;
    poyi_arena_block *block = malloc(sizeof *block + room);
    if (!block)
        return NULL;
    *block = (poyi_arena_block){.next = arena->blocks, .size = room};
    arena->blocks = block;
    return block;
}

void *poyi_arena_alloc(poyi_arena *arena, size_t size)
{
    poyi_arena_block *block = arena->blocks;
    if (arena->failed || size > (size_t)-1 / 4)
        goto failed;
    size = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (!block || block->size - block->used < size)
        block = add_block(arena, size);
    if (!block)
        goto failed;
    void *p = block->data + block->used;
    block->used += size;
    return memset(p, 0, size);
failed:
    arena->failed = 1;
    return NULL;
}

char *poyi_arena_copy(poyi_arena *arena, const char *text, size_t length)
{
    char *copy = poyi_arena_alloc(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

char *poyi_arena_format(poyi_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : poyi_arena_alloc(arena, (size_t)length + 1);
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}

void poyi_arena_fini(poyi_arena *arena)
{
    while (arena->blocks) {
        poyi_arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
    *arena = (poyi_arena){0};
}
