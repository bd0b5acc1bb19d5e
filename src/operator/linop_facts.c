/* linop_facts.c: what is known of the structure of operators: Hermitian, positive, unitary; and what follows for those made of
 * others. A fact is set once, when an operator is made. */
#include <math.h>

#include "operator/operator.h"

poy_answer poy_linop_hermitian(const poy_linop *op)
{
    return op->hermitian;
}

poy_answer poy_linop_positive(const poy_linop *op)
{
    return op->positive;
}

poy_answer poy_linop_unitary(const poy_linop *op)
{
    return op->unitary;
}

static void learn(poy_answer *known, poy_answer answer)
{
    if (*known == POY_UNKNOWN)
        *known = answer;
}

/* A positive operator is Hermitian. */
static void settle(poy_linop *op)
{
    if (op->positive == POY_YES)
        learn(&op->hermitian, POY_YES);
    if (op->hermitian == POY_NO)
        op->positive = POY_NO;
}

void poyi_facts_inherit(poy_linop *op, const poy_linop *from)
{
    learn(&op->hermitian, from->hermitian);
    learn(&op->positive, from->positive);
    learn(&op->unitary, from->unitary);
    settle(op);
}

/* ---- from numbers ---- */

static int is_one(const poy_linop *op, double squared)
{
    return fabs(squared - 1) <= 8 * poyi_eps(op->domain->dtype);
}

int poyi_facts_not_finite(poy_linop *op, const double complex *x, int64_t n)
{
    for (int64_t i = 0; i < n && !op->not_finite; i++)
        op->not_finite = !isfinite(creal(x[i])) || !isfinite(cimag(x[i]));
    return op->not_finite;
}

void poyi_facts_of_diagonal(poy_linop *op, const double complex *d, int64_t n)
{
    if (poyi_facts_not_finite(op, d, n))
        return;
    op->hermitian = op->positive = op->unitary = POY_YES;
    for (int64_t i = 0; i < n; i++) {
        if (!(2 * fabs(cimag(d[i])) <= 1e-8 + 1e-5 * cabs(d[i])))
            op->hermitian = POY_NO;
        if (!(creal(d[i]) >= 0))
            op->positive = POY_NO;
        if (!is_one(op, creal(d[i]) * creal(d[i]) + cimag(d[i]) * cimag(d[i])))
            op->unitary = POY_NO;
    }
    settle(op);
}

/* <A e, e> of a unit vector is its diagonal element times a weight. */
void poyi_facts_of_matrix(poy_linop *op, const double complex *d, int64_t n)
{
    for (int64_t i = 0; i < n && op->hermitian == POY_YES; i++)
        if (creal(d[i]) < 0)
            op->positive = POY_NO;
    settle(op);
}

/* ---- from operands ---- */

void poyi_facts_of_scaled(poy_linop *op)
{
    const poy_linop *a = op->ops[0];
    const double re = op->scalar.re, im = op->scalar.im;
    const int turns = is_one(op, re * re + im * im);
    if (im == 0)
        learn(&op->hermitian, a->hermitian);
    if (im == 0 && re > 0)
        learn(&op->positive, a->positive);
    if (a->unitary == POY_YES)
        learn(&op->unitary, turns ? POY_YES : POY_NO);
    settle(op);
}

void poyi_facts_of_sum(poy_linop *op)
{
    poy_answer hermitian = POY_YES, positive = POY_YES;
    for (int i = 0; i < op->n_ops; i++) {
        hermitian = op->ops[i]->hermitian == POY_YES ? hermitian : POY_UNKNOWN;
        positive = op->ops[i]->positive == POY_YES ? positive : POY_UNKNOWN;
    }
    learn(&op->hermitian, hermitian);
    learn(&op->positive, positive);
    settle(op);
}

int poyi_linop_is_adjoint_of(const poy_linop *a, const poy_linop *b)
{
    return (a->kind == &poyi_linop_adjoined && a->ops[0] == b) || (b->kind == &poyi_linop_adjoined && b->ops[0] == a);
}

/* A chain that reads the same from the other end is Hermitian if its middle is, positive likewise: A# A, A# P A. */
void poyi_facts_of_chain(poy_linop *op)
{
    const int n = op->n_ops;
    const poy_linop *middle = n % 2 ? op->ops[n / 2] : NULL;
    poy_answer unitary = POY_YES;
    int mirrored = 1;
    for (int i = 0; i < n; i++)
        unitary = op->ops[i]->unitary == POY_YES ? unitary : POY_UNKNOWN;
    for (int i = 0; i < n / 2; i++) {
        const poy_linop *a = op->ops[i], *b = op->ops[n - 1 - i];
        mirrored &= poyi_linop_is_adjoint_of(a, b) || (a == b && a->hermitian == POY_YES);
    }
    if (mirrored) {
        learn(&op->hermitian, middle && middle->hermitian != POY_YES ? POY_UNKNOWN : POY_YES);
        learn(&op->positive, middle && middle->positive != POY_YES ? POY_UNKNOWN : POY_YES);
    }
    learn(&op->unitary, unitary);
    settle(op);
}

void poyi_facts_of_adjoint(poy_linop *op)
{
    poyi_facts_inherit(op, op->ops[0]);
}

/* Hermitian where it is square, its diagonal Hermitian, and A_ij = A_ji# is seen without numbers; positive and unitary where
 * that holds of each block of a diagonal of blocks. A block of the diagonal that is not positive shows that the whole is not. */
void poyi_facts_of_blocks(poy_linop *op)
{
    const int n = op->domain->n_parts;
    poy_answer hermitian = POY_YES, positive = POY_YES, unitary = POY_YES;
    if (!poy_space_equal(op->domain, op->codomain))
        return;
    for (int i = 0; i < n; i++) {
        const poy_linop *d = op->ops[i * n + i];
        for (int j = 0; j < i; j++) {
            const poy_linop *a = op->ops[i * n + j], *b = op->ops[j * n + i];
            if (a || b) {
                positive = positive == POY_NO ? POY_NO : POY_UNKNOWN;
                unitary = POY_UNKNOWN;
            }
            if ((a || b) && !(a && b && poyi_linop_is_adjoint_of(a, b)))
                hermitian = hermitian == POY_NO ? POY_NO : POY_UNKNOWN;
        }
        if (d && d->hermitian != POY_YES && hermitian != POY_NO)
            hermitian = d->hermitian;
        if (d && d->positive == POY_NO)
            positive = POY_NO;
        else if (d && d->positive == POY_UNKNOWN && positive == POY_YES)
            positive = POY_UNKNOWN;
        if (!d || d->unitary != POY_YES)
            unitary = POY_UNKNOWN;
    }
    learn(&op->hermitian, hermitian);
    learn(&op->positive, positive);
    learn(&op->unitary, unitary);
    settle(op);
}
