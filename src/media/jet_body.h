/* jet_body.h: arithmetic of truncated Taylor series, the same for real and for complex coefficients: a file that defines
 * JET_TYPE, JET_NUMBER and JET(name), the name of a function, includes it once. Source: Griewank and Walther (2008), ch. 13. */

JET_TYPE JET(constant)(int order, JET_NUMBER value)
{
    JET_TYPE out = {.order = order, .c = {value}};
    return out;
}

JET_TYPE JET(power_of_frequency)(int order, JET_NUMBER value, double power)
{
    JET_TYPE out = {.order = order, .c = {value}};
    for (int k = 1; k <= order; k++)
        out.c[k] = out.c[k - 1] * ((power - (double)(k - 1)) / (double)k);
    return out;
}

JET_TYPE JET(add)(JET_TYPE a, JET_TYPE b)
{
    return JET(add_scaled)(a, 1.0, b);
}

JET_TYPE JET(add_scaled)(JET_TYPE a, JET_NUMBER s, JET_TYPE b)
{
    for (int k = 0; k <= a.order; k++)
        a.c[k] += s * b.c[k];
    return a;
}

JET_TYPE JET(scale)(JET_TYPE a, JET_NUMBER s)
{
    for (int k = 0; k <= a.order; k++)
        a.c[k] *= s;
    return a;
}

JET_TYPE JET(offset)(JET_TYPE a, JET_NUMBER s)
{
    a.c[0] += s;
    return a;
}

JET_TYPE JET(mul)(JET_TYPE a, JET_TYPE b)
{
    JET_TYPE out = {.order = a.order};
    for (int k = 0; k <= a.order; k++)
        for (int j = 0; j <= k; j++)
            out.c[k] += a.c[j] * b.c[k - j];
    return out;
}

JET_TYPE JET(div)(JET_TYPE a, JET_TYPE b)
{
    JET_TYPE out = {.order = a.order};
    for (int k = 0; k <= a.order; k++) {
        JET_NUMBER sum = a.c[k];
        for (int j = 1; j <= k; j++)
            sum -= b.c[j] * out.c[k - j];
        out.c[k] = sum / b.c[0];
    }
    return out;
}

/* f = a^p obeys a f' = p a' f; first: a.c[0]^p. */
static JET_TYPE power_from(JET_TYPE a, double p, JET_NUMBER first)
{
    JET_TYPE out = {.order = a.order, .c = {first}};
    for (int k = 1; k <= a.order; k++) {
        JET_NUMBER sum = 0.0;
        for (int j = 1; j <= k; j++)
            sum += (p * (double)j - (double)(k - j)) * a.c[j] * out.c[k - j];
        out.c[k] = sum / ((double)k * a.c[0]);
    }
    return out;
}
