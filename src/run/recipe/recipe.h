/* recipe.h: recipes inside the room: the schema, the check, the resolved tree. */
#ifndef POYI_RECIPE_H
#define POYI_RECIPE_H

#include "core/core.h"
#include "poynting/recipe.h"
#include "run/recipe/toml.h"

/* ---- schema (schema.c, from recipe.def) ---- */

enum poyi_kinds { POYI_KIND_PULSE = 1, POYI_KIND_SCATTER = 2, POYI_KIND_BOTH = 3 };

/* Geometries of a pulse, one bit each, in the order of the words of geometry.type. */
enum poyi_types {
    POYI_TYPE_FIBRE = 1,
    POYI_TYPE_CAPILLARY = 2,
    POYI_TYPE_ANTIRESONANT = 4,
    POYI_TYPE_STEP_INDEX = 8,
    POYI_TYPE_RECTANGULAR = 16,
    POYI_TYPE_TABULATED = 32,
    POYI_TYPE_RADIAL = 64,
    POYI_TYPE_CARTESIAN = 128,
    POYI_TYPE_LINE = 256,
    POYI_TYPE_SLAB = 512,
    POYI_TYPE_CORE = POYI_TYPE_CAPILLARY | POYI_TYPE_ANTIRESONANT | POYI_TYPE_STEP_INDEX,
    POYI_TYPE_HOLLOW = POYI_TYPE_CAPILLARY | POYI_TYPE_ANTIRESONANT | POYI_TYPE_RECTANGULAR | POYI_TYPE_TABULATED,
    POYI_TYPE_WALLED = POYI_TYPE_CAPILLARY | POYI_TYPE_ANTIRESONANT | POYI_TYPE_RECTANGULAR,
    POYI_TYPE_GUIDE = POYI_TYPE_HOLLOW | POYI_TYPE_STEP_INDEX,
    POYI_TYPE_FREE = POYI_TYPE_RADIAL | POYI_TYPE_CARTESIAN | POYI_TYPE_LINE | POYI_TYPE_SLAB,
    POYI_TYPE_ANY = 1023
};

/* X(name, check, text): what may stand at a key: poyi_form_<check> checks it, text is what the manual says. */
#define POYI_FORMS(X)                                                       \
    X(BOOL, bool, "true or false")                                          \
    X(INTEGER, integer, "an integer")                                       \
    X(INTEGER_AUTO, integer_auto, "an integer or \"auto\"")                 \
    X(NUMBER, number, "a number")                                           \
    X(NUMBER_BOOL, number_bool, "true, false or a number")                  \
    X(NUMBER_AUTO, number_auto, "a number or \"auto\"")                     \
    X(TEXT, text, "a string")                                               \
    X(TEXTS, texts, "a list of strings")                                    \
    X(WORD, word, "a word")                                                 \
    X(WORDS, words, "a list of words")                                      \
    X(WORD_BOOL, word_bool, "a word, true or false")                        \
    X(QUANTITY, quantity, "a quantity")                                     \
    X(QUANTITIES, quantities, "a list of quantities")                       \
    X(ANGLES, angles, "a list of three angles")                             \
    X(BAND, band, "a band \"from:to\"")                                     \
    X(BAND_RULE, band_rule, "\"trapezoid\" or \"band:K\"")                  \
    X(BETAS, betas, "a list of dispersion coefficients")                    \
    X(FILL, fill, "a gas, or a table of partial pressures")                 \
    X(HELICITY, helicity, "a word, 1 or -1, or a list of them")             \
    X(KEYS, keys, "a list of keys of the recipe")                           \
    X(LAYERS, layers, "a list of layers")                                   \
    X(MATERIAL, material, "a material: a name or a table")                  \
    X(MATERIALS, materials, "a list of materials")                          \
    X(MODES, modes, "a count, a mode's name or a list of names")            \
    X(PHASES, phases, "a list of phase coefficients")                       \
    X(POINTS, points, "a list of points")                                   \
    X(POLARISATION, polarisation, "a word, or a table with ellipticity")    \
    X(POSITIONS, positions, "a list of positions")                          \
    X(PRESSURE, pressure, "a pressure, \"from -> to\", a profile or a pin") \
    X(PROFILE, profile, "a length, a profile [[z, length], ...], or a pin") \
    X(SCHEDULE, schedule, "a list of step lengths, or a result file")       \
    X(STATS, stats, "a list of statistics")                                 \
    X(SWEEP, sweep, "a value, a list, or { start, stop, num, scale }")      \
    X(THROUGH, through, "a list of what the pulse went through")            \
    X(UNIT, unit, "a unit of length")                                       \
    X(VECTOR, vector, "a list of three numbers")                            \
    X(WANTED, wanted, "a list of quantities to compute")                    \
    X(WIDTH, width, "a width in frequency or wavelength")

typedef enum poyi_form {
#define POYI_FORM_ENUM(name, fn, text) POYI_FORM_##name,
    POYI_FORMS(POYI_FORM_ENUM)
#undef POYI_FORM_ENUM
        POYI_FORM_COUNT
} poyi_form;

typedef struct poyi_key {
    poy_recipe_key shown; /* what the public sees; kind, types, form and dimension are filled in on demand */
    poyi_form form;
    poy_dimension dimension;
    unsigned kinds, types;
} poyi_key;

typedef struct poyi_one {
    const char *table, *keys; /* keys separated by blanks */
    unsigned kinds, types;
    const char *need, *example;
} poyi_one;

typedef struct poyi_with {
    const char *path, *other, *text;
    unsigned kinds;
} poyi_with;

/* NULL beyond the last. */
const poyi_key *poyi_schema_key(int i);
const poyi_one *poyi_schema_one(int i);
const poyi_with *poyi_schema_with(int i);
/* The row of a path with indices and names filled in; NULL. */
const poyi_key *poyi_schema_find(const char *path, unsigned kinds);
/* 1 where keys lie below path ("pulse", "pulse.0", "geometry"). */
int poyi_schema_is_section(const char *path, unsigned kinds);
/* 1 where pattern, with its N and NAME, describes path. */
int poyi_schema_matches(const char *pattern, const char *path);
/* What to do about a key that does not exist. */
void poyi_schema_advise(const char *path, unsigned kinds, unsigned types, size_t size, char *advice);
/* The bit of a geometry's name, 0 if there is none; the names of a set of bits, "" for all. */
unsigned poyi_schema_type(const char *word);
const char *poyi_schema_types(unsigned types);

/* ---- recipes ---- */

typedef struct poyi_faults {
    poy_fault *list;
    int count, capacity;
} poyi_faults;

/* A file that the recipe names, by content. */
typedef struct poyi_source_file poyi_source_file;
struct poyi_source_file {
    const char *name, *text; /* name as in the recipe */
    size_t length;
    poyi_source_file *next;
};

struct poy_recipe {
    poyi_arena arena;
    poyi_source_file *sources;
    const char *file, *text;
    poyi_node *root;     /* as given, overrides applied; NULL where the text cannot be read */
    poyi_node *resolved; /* after a check without faults */
    const char *resolved_text, *name;
    const char *overrides;      /* what was set since it was read, "key = value" lines, without run.*; NULL: nothing */
    poyi_faults faults, syntax; /* syntax: those of the text itself, which stay */
    unsigned kind, type;        /* bits; 0: unknown */
    int n_set;                  /* values that were set, run.* too */
};

/* Adds a fault at a node (or, where it is NULL, at no line). The text is "problem\nhint". key NULL: the node's path. */
void poyi_fault(poy_recipe *r, const poyi_node *at, const char *key, const char *code, const char *format, ...)
    POY_PRINTF(5, 6);
void poyi_warning(poy_recipe *r, const poyi_node *at, const char *key, const char *code, const char *format, ...)
    POY_PRINTF(5, 6);
/* A fault in another file. */
/* The first fault that is no warning, as POY_ERR_RECIPE; POY_OK where there is none. */
poy_status poyi_recipe_faulty(poy_ctx *ctx, const poy_recipe *r);
void poyi_fault_in(poy_recipe *r, const char *file, int line, const char *key, const char *code, const char *format,
                   ...) POY_PRINTF(6, 7);
/* "missing: need, e.g. example" at the table of path, unless a misspelt key stands for it (check.c). */
void poyi_missing(poy_recipe *r, const char *path, const char *need, const char *example);
/* A cause, "problem: hint" or "KEY: problem: hint", as a fault at key. */
void poyi_fault_from_text(poy_recipe *r, const poyi_node *at, const char *key, const char *code, const char *cause);
/* The context's last failure as a fault; the context is cleared. */
void poyi_fault_from_ctx(poy_ctx *ctx, poy_recipe *r, const poyi_node *at, const char *key, const char *code);

/* ---- checking ---- */

/* Checks that node has the form of key; path is the node's own. 1 if it is good. */
int poyi_form_check(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path);
const char *poyi_form_says(poyi_form form);
/* "expected an integer, got a string: write planes = 80"; answers 0. */
int poyi_check_failed(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                      const char *expected);
/* A number within the key's range; 1 if it is good. */
int poyi_check_number(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path);
/* A quantity of the key's dimension within its range, and its value if that is not NULL; 1 if it is good. */
int poyi_check_quantity(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                        double *value);
/* The same for a text that is a part of node's value ("600 nm" of "600 nm:700 nm"). */
int poyi_check_part(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                    const char *text, double *value);
/* A key of a table inside of a value. */
typedef struct poyi_entry {
    const char *name;
    poyi_form form;
    poy_dimension dimension;
    const char *range, *words, *good;
    int required;
} poyi_entry;
#define POYI_ENTRIES(list) (list), sizeof(list) / sizeof((list)[0])
/* Every key of the table is one of the list and good, and those that are required are there; 1, or 0 after faults. */
int poyi_check_entries(poy_ctx *ctx, poy_recipe *r, const poyi_node *table, const char *path, const poyi_entry *list,
                       size_t n);
/* The name of a gas that is known, or vacuum. */
int poyi_check_gas_name(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *path, const char *name);
/* The forms' checks (forms.c, forms_physics.c, forms_launch.c). */
typedef int poyi_form_fn(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path);
#define POYI_FORM_DECLARE(name, fn, text) poyi_form_fn poyi_form_##fn;
POYI_FORMS(POYI_FORM_DECLARE)
#undef POYI_FORM_DECLARE
/* One of the words of a list separated by blanks? */
int poyi_word_in(const char *words, const char *word);
/* The nearest of the words: for "did you mean"; "" if none is near. */
void poyi_word_nearest(const char *words, const char *word, size_t size, char *out);

void poyi_check_structure(poy_ctx *ctx, poy_recipe *r); /* keys, forms, groups */
void poyi_check_pulse(poy_ctx *ctx, poy_recipe *r);     /* what keys say together */
void poyi_check_scatter(poy_ctx *ctx, poy_recipe *r);
/* Of a recipe with other faults: particles that overlap, if all that is said of particles is good (run/scatter/settings.c). */
void poyi_scatter_tell_overlaps(poy_ctx *ctx, poy_recipe *r);
void poyi_check_scan(poy_ctx *ctx, poy_recipe *r);

/* The keys below scan.grid, scan.zip or scan.list, in the order of the file (scan.c). */
enum { POYI_SCAN_LEAVES = 64 };
typedef struct poyi_scan_leaf {
    char path[200];
    const poyi_node *node;
} poyi_scan_leaf;
typedef struct poyi_scan_leaves {
    poyi_scan_leaf list[POYI_SCAN_LEAVES];
    int count;
} poyi_scan_leaves;
void poyi_scan_leaves_of(const poy_recipe *r, const poyi_node *way, poyi_scan_leaves *out);
/* A recipe of its own that may be changed; its texts stay those of r, which has to outlive it. Errors: POY_ERR_MEMORY. */
poy_status poyi_recipe_copy(poy_ctx *ctx, const poy_recipe *r, poy_recipe **out);

/* ---- the resolved tree (resolve.c) ---- */

poy_status poyi_recipe_resolve(poy_ctx *ctx, poy_recipe *r);
/* Sets a value of the resolved tree, given as TOML text. */
void poyi_resolved_set(poy_recipe *r, const char *path, const char *toml);
void poyi_resolve_pulse(poy_ctx *ctx, poy_recipe *r);        /* defaults that are worked out (pulse.c) */
void poyi_resolve_scatter(poy_recipe *r);                    /* the same (scatter.c) */
void poyi_node_write(const poyi_node *node, poyi_text *out); /* a value as TOML, on one line */
/* The value of text: TOML, else a string. */
poyi_node *poyi_node_from_text(poyi_arena *arena, const char *text);

/* Is it this string? NULL is none. */
int poyi_is_word(const poyi_node *node, const char *word);
/* A node's text in SI, NaN where it is no quantity of that dimension. */
double poyi_node_quantity(poy_ctx *ctx, const poyi_node *node, poy_dimension dimension);
/* Reading the resolved tree; path has to exist where no default is given. */
const poyi_node *poyi_recipe_at(const poy_recipe *r, const char *path);
double poyi_recipe_quantity(poy_ctx *ctx, const poy_recipe *r, const char *path, poy_dimension d, double missing);
double poyi_recipe_number(const poy_recipe *r, const char *path, double missing);
int64_t poyi_recipe_integer(const poy_recipe *r, const char *path, int64_t missing);
int poyi_recipe_bool(const poy_recipe *r, const char *path, int missing);
const char *poyi_recipe_word(const poy_recipe *r, const char *path, const char *missing);
/* The keys in which two resolved recipes differ, "key (a -> b)", joined by separator; how many (diff.c). */
int poyi_recipe_diff(const poy_recipe *a, const poy_recipe *b, const char *separator, poyi_text *out);
/* SHA-256 of the digest of a problem and of the resolved keys of the launch, measured pulses by content: equal where two
 * runs give the same fields. */
void poyi_recipe_digest(const poy_recipe *r, const unsigned char problem[32], unsigned char out[32]);
/* What to do instead of something planned by another name than the recipe's own ("free_space" of geometry.type); NULL. */
const char *poyi_planned(const char *path, const char *word);
/* Warnings about what cannot run yet (unbuilt.c). */
void poyi_check_built(poy_recipe *r);
/* Refuses it, by name, with its line. */
poy_status poyi_recipe_built(poy_ctx *ctx, const poy_recipe *r);

#endif
