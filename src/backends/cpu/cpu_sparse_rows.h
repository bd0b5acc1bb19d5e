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
static inline void ROWS_NAME(vector)(const part *p, int conjugate)
{
    const I *start = p->start, *index = p->index;
    const T *const v = p->v, *const x = p->x;
    T *const y = p->y;
    for (int64_t row = p->first, e = start[row], last = p->end; row < last; row++) {
        const int64_t end = start[row + 1];
        T sum = t_zero();
        __builtin_prefetch(v + e + AHEAD);
        __builtin_prefetch(index + e + AHEAD);
        if (__builtin_expect(end - e >= LONG, 0)) {
            sum = ROWS_NAME(long)(v + e, index + e, x, end - e, conjugate);
            e = end;
        }
        for (; e < end; e++)
            sum = t_add(sum, t_mul(factor(v[e], conjugate), x[index[e]]));
        y[row] = sum;
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
    if (p->k == 1) {
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
