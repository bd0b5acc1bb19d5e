/* toml.h: the tree of a TOML text, as plain C, with the line and column of every key and value. */
#ifndef POYI_TOML_H
#define POYI_TOML_H

#include <stdint.h>

#include "run/recipe/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum poyi_node_kind {
    POYI_TABLE,
    POYI_ARRAY,
    POYI_STRING,
    POYI_INTEGER,
    POYI_REAL,
    POYI_BOOL,
    POYI_DATE
} poyi_node_kind;

/* A value and, in a table, its key. The children of a table stand in the order of the text. */
typedef struct poyi_node poyi_node;
struct poyi_node {
    poyi_node_kind kind;
    int line, column;  /* of the key, or of the element of an array, counted from 1; 0: from no text */
    int index;         /* in an array */
    int order;         /* of a value that was set: after how many others; 0 in a text */
    int count;         /* children */
    int is_inline;     /* a table or array written on the line of its key */
    int known;         /* its key and kind passed the check */
    const char *key;   /* NULL at the root and in an array */
    const char *text;  /* of a string: what it says */
    const char *typed; /* the value as typed, strings with their quotes; one line */
    int64_t integer;   /* of an integer or a bool */
    double real;       /* of a number */
    poyi_node *parent, *first, *last, *next;
};

typedef struct poyi_toml_error {
    int line, column;
    int first_line; /* of a key set twice: where the first stands; else 0 */
    int last_line;  /* of a key set twice: where its second value ends */
    char key[200];  /* of a key set twice: its path */
    char text[300];
} poyi_toml_error;

/* 1 and the tree in arena; 0 and what is wrong. Memory running out shows in arena->failed. */
int poyi_toml_parse(poyi_arena *arena, const char *text, size_t length, poyi_node **root, poyi_toml_error *error);

/* ---- nodes (node.c) ---- */

poyi_node *poyi_node_create(poyi_arena *arena, poyi_node_kind kind, const char *key);
void poyi_node_append(poyi_node *parent, poyi_node *child);
/* Puts child in old's place. */
void poyi_node_replace(poyi_node *old, poyi_node *child);
/* Takes child out of its parent; what follows it in an array moves up. */
void poyi_node_remove(poyi_node *child);
poyi_node *poyi_node_copy(poyi_arena *arena, const poyi_node *node);
poyi_node *poyi_node_child(const poyi_node *table, const char *key);
poyi_node *poyi_node_element(const poyi_node *array, int index);
/* By path from node: "pulse.0.energy". */
poyi_node *poyi_node_find(const poyi_node *node, const char *path);
/* Its path: up to size bytes. */
void poyi_node_path(const poyi_node *node, size_t size, char *out);
/* "table.name", or "name" where table is ""; cut to size bytes. */
void poyi_join(size_t size, char *out, const char *table, const char *name);
/* "a string", "an integer", "a table" ... */
const char *poyi_node_what(poyi_node_kind kind);
int poyi_node_is_number(const poyi_node *node);
/* The value as it is echoed in messages: as typed, shortened. */
void poyi_node_echo(const poyi_node *node, size_t size, char *out);

#ifdef __cplusplus
}
#endif
#endif
