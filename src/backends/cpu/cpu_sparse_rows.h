/* cpu_sparse_rows.h: the rows of a sparse product, for places of type I; cpu_sparse.c includes it once for each. */
#define ROWS_GLUE_(name, type) name##_##type
#define ROWS_GLUE(name, type) ROWS_GLUE_(name, type)
#define ROWS_NAME(name) ROWS_GLUE(name, I)

static __attribute__((noinline)) T ROWS_NAME(long)(const T *v, const I *index, const T *x, int64_t n, int conjugate)
{
    T sum, lane[LANES];
    int64_t e = 0;
    for (int j = 0; j < LANES; j++)
        lane[j] = t_zero();
    for (; e + LANES <= n; e += LANES)
        for (int j = 0; j < LANES; j++)
            lane[j] = t_add(lane[j], t_mul(factor(v[e + j], conjugate), x[index[e + j]]));
    sum = t_add(t_add(lane[0], lane[1]), t_add(lane[2], lane[3]));
    for (; e < n; e++)
        sum = t_add(sum, t_mul(factor(v[e], conjugate), x[index[e]]));
    return sum;
}
/* One row of a vector. */
static inline T ROWS_NAME(row)(const T *v, const I *index, const T *x, int64_t n, int conjugate)
{
    T sum = t_zero();
    __builtin_prefetch(v + AHEAD);
    __builtin_prefetch(index + AHEAD);
    if (__builtin_expect(n >= LONG, 0))
        return ROWS_NAME(long)(v, index, x, n, conjugate);
    for (int64_t e = 0; e < n; e++)
        sum = t_add(sum, t_mul(factor(v[e], conjugate), x[index[e]]));
    return sum;
}
static inline void ROWS_NAME(vector)(const part *p, int conjugate)
{
    const I *start = p->start, *index = p->index;
    for (int64_t row = p->first, e = start[row]; row < p->end; row++) {
        const int64_t end = start[row + 1];
        p->y[row] = ROWS_NAME(row)(p->v + e, index + e, p->x, end - e, conjugate);
        e = end;
    }
}
/* The same by runs; what is not in one by single rows. */
static inline void ROWS_NAME(runs)(const part *p, int conjugate)
{
    const I *start = p->start, *run = p->run;
    for (int64_t row = p->first; row < p->end;) {
        const int64_t e = start[row], n = start[row + 1] - e, left = p->end - row;
        const int64_t length = run[row] < 0 ? -(int64_t)run[row] : run[row], rows = length < left ? length : left;
        const I *index = (const I *)p->index + e;
        const T *x[LONG];
        if (rows < RUN) {
            p->y[row++] = ROWS_NAME(row)(p->v + e, index, p->x, n, conjugate);
            continue;
        }
        for (int64_t k = 0; k < n; k++)
            x[k] = p->x + index[k];
        (run[row] < 0 ? run_equal : run_moved)(rows, n, p->v + e, x, p->y + row, conjugate);
        row += rows;
    }
}
static inline void ROWS_NAME(columns)(const part *p, int conjugate, int64_t row, int64_t column, int64_t width)
{
    const I *start = p->start, *index = p->index;
    T sum[WIDTH];
    for (int64_t j = 0; j < width; j++)
        sum[j] = t_zero();
    for (int64_t e = start[row]; e < start[row + 1]; e++) {
        const T a = factor(p->v[e], conjugate), *x = p->x + (int64_t)index[e] * p->k + column;
        for (int64_t j = 0; j < width; j++)
            sum[j] = t_add(sum[j], t_mul(a, x[j]));
    }
    for (int64_t j = 0; j < width; j++)
        p->y[row * p->k + column + j] = sum[j];
}
static inline void ROWS_NAME(rows)(const part *p, int conjugate)
{
    if (p->k == 1 && p->run) {
        ROWS_NAME(runs)(p, conjugate);
    } else if (p->k == 1) {
        ROWS_NAME(vector)(p, conjugate);
    } else if (p->k == 2) { /* real rows of complex vectors */
        for (int64_t row = p->first; row < p->end; row++)
            ROWS_NAME(columns)(p, conjugate, row, 0, 2);
    } else {
        for (int64_t row = p->first; row < p->end; row++) {
            int64_t column = 0;
            for (; column + WIDTH <= p->k; column += WIDTH)
                ROWS_NAME(columns)(p, conjugate, row, column, WIDTH);
            if (column < p->k)
                ROWS_NAME(columns)(p, conjugate, row, column, p->k - column);
        }
    }
}
static void ROWS_NAME(work)(const part *p)
{
    if (p->conjugate)
        ROWS_NAME(rows)(p, POY_COMPLEX);
    else
        ROWS_NAME(rows)(p, 0);
}

#undef ROWS_NAME
#undef ROWS_GLUE
#undef ROWS_GLUE_
#undef I
