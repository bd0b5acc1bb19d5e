/* fuzz.h: what the fuzz targets share. A target is one function for libFuzzer (preset fuzz); without libFuzzer driver.c
 * calls it. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "poynting/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* One context for all inputs. */
poy_ctx *fuzz_ctx(void);
/* The input as a text that ends with NUL; the caller frees it. */
char *fuzz_text(const uint8_t *data, size_t size);
/* Says what is wrong and aborts. */
void fuzz_fail(const char *format, ...) POY_PRINTF(1, 2);

/* An input as a supply of small numbers; zeros when it is used up. */
typedef struct fuzz_bytes {
    const uint8_t *at, *end;
} fuzz_bytes;
unsigned fuzz_take(fuzz_bytes *b, unsigned below); /* 0 ... below - 1, below <= 256 */

#endif
