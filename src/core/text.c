/* text.c: a growing string, and the distance of two words (for "did you mean"). */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"

/* ---- growing string ---- */

/* Room for more characters and the final NUL; doubles, so that many short appends stay linear. */
static int reserve(poyi_text *t, size_t more)
{
    if (more < t->capacity - t->length)
        return 1;
    size_t capacity = t->capacity ? t->capacity : 64;
    while (capacity - t->length <= more) {
        if (capacity > SIZE_MAX / 2)
            return 0;
        capacity *= 2;
    }
    char *text = realloc(t->text, capacity);
    if (!text)
        return 0;
    t->text = text;
    t->capacity = capacity;
    return 1;
}

void poyi_text_add(poyi_text *t, const char *format, ...)
{
    va_list args;

    if (t->failed)
        return;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || !reserve(t, (size_t)n)) {
        t->failed = 1;
        return;
    }
    va_start(args, format);
    vsnprintf(t->text + t->length, (size_t)n + 1, format, args);
    va_end(args);
    t->length += (size_t)n;
}

void poyi_text_fini(poyi_text *t)
{
    free(t->text);
    *t = (poyi_text){0};
}

/* ---- distance ---- */

enum { WORD_MAX = 63 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Rows of the table of distances of all prefixes: before2, before, now (Oommen and Loke, Pattern
 * Recognition 30, 789 (1997), with transpositions of neighbours only). */
int poy_text_distance(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    int rows[3][WORD_MAX + 1];

    na = na < WORD_MAX ? na : WORD_MAX;
    nb = nb < WORD_MAX ? nb : WORD_MAX;
    for (size_t j = 0; j <= nb; j++)
        rows[0][j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int *now = rows[i % 3], *before = rows[(i + 2) % 3], *before2 = rows[(i + 1) % 3];
        now[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int edit = least(least(before[j], now[j - 1]) + 1, before[j - 1] + (a[i - 1] != b[j - 1]));
            int swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            now[j] = swap ? least(edit, before2[j - 2] + 1) : edit;
        }
    }
    return rows[na % 3][nb];
}
