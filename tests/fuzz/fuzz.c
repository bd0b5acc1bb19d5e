/* fuzz.c: see fuzz.h. */
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

poy_ctx *fuzz_ctx(void)
{
    static poy_ctx *ctx;
    if (!ctx && poy_ctx_create(&ctx) != POY_OK)
        fuzz_fail("no context");
    return ctx;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        fuzz_fail("no memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void fuzz_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

unsigned fuzz_take(fuzz_bytes *b, unsigned below)
{
    return b->at < b->end && below ? *b->at++ % below : 0;
}
