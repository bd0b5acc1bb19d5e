/* part.h: what the parts of conformance have in common: their options, and the names by which a case is found again. */
#ifndef POYI_CONFORM_PART_H
#define POYI_CONFORM_PART_H

#include "core/core.h"
#include "poynting/conform.h"

enum {
    POYI_CRASHES_MAX = 3
}; /* after which the cases left of an operation are not run; of those that hang after one */

/* *out: options, or their defaults where it is NULL. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_conform_options_read(poy_ctx *ctx, const poy_conform_options *options, poy_conform_options *out);

/* Errors: POY_ERR_INTERRUPTED: the context's progress function asks for it. */
poy_status poyi_conform_goes_on(poy_ctx *ctx);

enum { POYI_NUMBERS_MAX = 2, POYI_CASE_OF = 64 };
typedef struct poyi_case_id {
    char of[POYI_CASE_OF]; /* "exp.c128", "combine", "poy.solve", "operator-block.f64", "g042_exp_f32" */
    uint64_t number[POYI_NUMBERS_MAX];
} poyi_case_id;
/* KIND:OF.N.N, or OF.N.N where kind is NULL, with so many numbers: what was printed. Errors: POY_ERR_ARGUMENT (it has not that
 * form; example is one that has). */
poy_status poyi_case_id_read(poy_ctx *ctx, const char *text, const char *kind, int numbers, const char *example,
                             poyi_case_id *out);

/* POY_ERR_ARGUMENT: nothing is called so, "there is no WHAT 'WORD'", with the nearest of n names where one is near. */
poy_status poyi_conform_no_such(poy_ctx *ctx, const char *what, const char *word, const char *(*name)(int), int n);

/* The first failure of what is counted in *failed. */
void poyi_conform_fail(int *failed, size_t size, char *failure, const char *name, const char *text);
/* "; cases behind NAME are left out" at the end of failure. */
void poyi_conform_give_up(size_t size, char *failure, const char *name);

#endif
