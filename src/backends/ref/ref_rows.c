/* ref_rows.c: the rows of programs that the reference has. */
#include "backends/ref/ref.h"

const poy_row_entry *poyi_ref_rows(size_t *n)
{
    *n = 0;
    return NULL;
}
