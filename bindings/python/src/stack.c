/* stack.c: S-matrices. A stage is (k0, poltype, ports); amplitudes are arrays [n]; None means none. */
#include "scatter.h"

#include <stdlib.h>

static int to_stage(PyObject *object, void *stage)
{
    poy_stage *s = stage;
    int poltype;
    if (!PyTuple_Check(object) || !PyArg_ParseTuple(object, "diO&", &s->k0, &poltype, to_basis, &s->ports))
        return 0;
    s->poltype = poltype ? POY_PARITY : POY_HELICITY;
    return 1;
}

/* Amplitudes that may be missing. */
static int to_amplitudes(PyObject *object, void *a)
{
    if (object == Py_None) {
        ((array_arg *)a)->w.data = NULL;
        return 1;
    }
    return to_complex(object, a);
}

static int fits(const array_arg *a, const poy_smatrix *s)
{
    return !a->w.data || array_of(a, (int64_t)poy_smatrix_size(s), "amplitudes");
}

/* ---- making them ---- */

static PyObject *smatrix_new(PyObject *self, PyObject *args)
{
    (void)self;
    poy_stage stage;
    poy_medium below, above;
    array_arg blocks;
    if (!PyArg_ParseTuple(args, "O&O&O&O&", to_stage, &stage, to_medium, &below, to_medium, &above, to_complex,
                          &blocks))
        return NULL;
    const int64_t n = (int64_t)poy_basis_size(stage.ports);
    poy_smatrix *out = NULL;
    engine_call call;
    int failed = !array_of(&blocks, 4 * n * n, "blocks") || !call_begin(&call);
    if (!failed)
        failed = call_done(&call, poy_smatrix_create(call.ctx, &stage, &below, &above, blocks.w.data, &out));
    array_release(&blocks);
    return failed ? NULL : wrap_smatrix(out);
}

static PyObject *smatrix_values(PyObject *self, PyObject *object)
{
    (void)self;
    poy_smatrix *s;
    if (!to_smatrix(object, &s))
        return NULL;
    const int64_t n = (int64_t)poy_smatrix_size(s);
    poy_c128 *out;
    PyObject *array = complex_array(4, (const int64_t[]){2, 2, n, n}, &out);
    for (int64_t i = 0; array && i < 4 * n * n; i++)
        out[i] = poy_smatrix_values(s)[i];
    return array;
}

static PyObject *smatrix_ports(PyObject *self, PyObject *object)
{
    (void)self;
    poy_smatrix *s;
    return to_smatrix(object, &s) ? wrap_basis(poy_basis_retain(poy_smatrix_ports(s))) : NULL;
}

static PyObject *smatrix_interface(PyObject *self, PyObject *args)
{
    (void)self;
    poy_stage stage;
    poy_medium below, above;
    poy_smatrix *out = NULL;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&O&", to_stage, &stage, to_medium, &below, to_medium, &above) ||
        !call_begin(&call) || call_done(&call, poy_smatrix_interface(call.ctx, &stage, &below, &above, &out)))
        return NULL;
    return wrap_smatrix(out);
}

static PyObject *smatrix_propagation(PyObject *self, PyObject *args)
{
    (void)self;
    poy_stage stage;
    poy_medium medium;
    double d[3];
    poy_smatrix *out = NULL;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&O&", to_stage, &stage, to_medium, &medium, to_vector, d) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_propagation(call.ctx, &stage, &medium, d, &out)))
        return NULL;
    return wrap_smatrix(out);
}

/* smatrix_layers(stage, thickness[layers], media[layers + 2][3]) */
static PyObject *smatrix_layers(PyObject *self, PyObject *args)
{
    (void)self;
    poy_stage stage;
    array_arg thickness, media;
    if (!PyArg_ParseTuple(args, "O&O&O&", to_stage, &stage, to_real, &thickness, to_complex, &media))
        return NULL;
    const int64_t layers = whole_count(&thickness.w);
    const poy_c128 *numbers = array_of(&media, 3 * (layers + 2), "media");
    poy_medium *rows = numbers ? malloc((size_t)(layers + 2) * sizeof *rows) : NULL;
    poy_smatrix *out = NULL;
    engine_call call;
    int failed = 1;
    if (numbers && !rows)
        PyErr_NoMemory();
    for (int64_t i = 0; rows && i < layers + 2; i++)
        rows[i] = (poy_medium){numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
    if (rows && call_begin(&call))
        failed = call_done(&call, poy_smatrix_layers(call.ctx, &stage, (size_t)layers, thickness.w.data, rows, &out));
    free(rows);
    array_release(&thickness);
    array_release(&media);
    return failed ? NULL : wrap_smatrix(out);
}

/* ---- out of others ---- */

static PyObject *smatrix_cascade(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *lower, *upper, *out = NULL;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&", to_smatrix, &lower, to_smatrix, &upper) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_cascade(call.ctx, lower, upper, &out)))
        return NULL;
    return wrap_smatrix(out);
}

static PyObject *smatrix_double(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s, *out = NULL;
    int times;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&i", to_smatrix, &s, &times) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_double(call.ctx, s, times, &out)))
        return NULL;
    return wrap_smatrix(out);
}

static PyObject *smatrix_rotate(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s, *out = NULL;
    double phi;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&d", to_smatrix, &s, &phi) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_rotate(call.ctx, s, phi, &out)))
        return NULL;
    return wrap_smatrix(out);
}

static PyObject *smatrix_permute(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s, *out = NULL;
    int n;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&i", to_smatrix, &s, &n) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_permute(call.ctx, s, n, &out)))
        return NULL;
    return wrap_smatrix(out);
}

static PyObject *smatrix_translate(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s, *out = NULL;
    double r[3];
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&", to_smatrix, &s, to_vector, r) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_translate(call.ctx, s, r, &out)))
        return NULL;
    return wrap_smatrix(out);
}

static PyObject *smatrix_changepoltype(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s, *out = NULL;
    int poltype;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&i", to_smatrix, &s, &poltype) || !call_begin(&call) ||
        call_done(&call, poy_smatrix_changepoltype(call.ctx, s, poltype ? POY_PARITY : POY_HELICITY, &out)))
        return NULL;
    return wrap_smatrix(out);
}

/* ---- light ---- */

/* Both directions' amplitudes, as an array [2][n] each. */
static PyObject *smatrix_scatter(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s;
    array_arg up, down;
    if (!PyArg_ParseTuple(args, "O&O&O&", to_smatrix, &s, to_amplitudes, &up, to_amplitudes, &down))
        return NULL;
    const size_t n = poy_smatrix_size(s);
    poy_c128 *out;
    engine_call call;
    PyObject *array = call_to_fill(&call, fits(&up, s) && fits(&down, s) ? complex_matrix(2, n, &out) : NULL);
    if (array)
        array = call_end(&call, poy_smatrix_scatter(call.ctx, s, up.w.data, down.w.data, out, out + n), array);
    array_release(&up);
    array_release(&down);
    return array;
}

/* smatrix_illuminate(lower, upper, up, down) -> [4][n]: out up, out down, inner up, inner down */
static PyObject *smatrix_illuminate(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *lower, *upper;
    array_arg up, down;
    if (!PyArg_ParseTuple(args, "O&O&O&O&", to_smatrix, &lower, to_smatrix, &upper, to_amplitudes, &up, to_amplitudes,
                          &down))
        return NULL;
    const size_t n = poy_smatrix_size(lower);
    poy_c128 *out;
    engine_call call;
    PyObject *array = call_to_fill(&call, fits(&up, lower) && fits(&down, lower) ? complex_matrix(4, n, &out) : NULL);
    if (array)
        array = call_end(&call,
                         poy_smatrix_illuminate(call.ctx, lower, upper, up.w.data, down.w.data, out, out + n,
                                                out + 2 * n, out + 3 * n),
                         array);
    array_release(&up);
    array_release(&down);
    return array;
}

static PyObject *smatrix_transfer(PyObject *self, PyObject *object)
{
    (void)self;
    poy_smatrix *s;
    if (!to_smatrix(object, &s))
        return NULL;
    poy_c128 *out;
    engine_call call;
    PyObject *array = call_to_fill(&call, complex_matrix(2 * poy_smatrix_size(s), 2 * poy_smatrix_size(s), &out));
    return array ? call_end(&call, poy_smatrix_transfer(call.ctx, s, out), array) : NULL;
}

/* smatrix_bands(s, period) -> (kz [2 n], vectors [2 n][2 n]) */
static PyObject *smatrix_bands(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s;
    double period;
    if (!PyArg_ParseTuple(args, "O&d", to_smatrix, &s, &period))
        return NULL;
    const int64_t n = 2 * (int64_t)poy_smatrix_size(s);
    poy_c128 *kz, *vectors;
    engine_call call;
    PyObject *first = complex_array(1, &n, &kz);
    PyObject *second = first ? complex_matrix((size_t)n, (size_t)n, &vectors) : NULL;
    PyObject *pair = second ? Py_BuildValue("(OO)", first, second) : NULL;
    Py_XDECREF(first);
    Py_XDECREF(second);
    pair = call_to_fill(&call, pair);
    return pair ? call_end(&call, poy_smatrix_bands(call.ctx, s, period, kz, vectors), pair) : NULL;
}

/* smatrix_power(s, from, amplitudes) -> (transmission, reflection) */
static PyObject *smatrix_power(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s;
    int from;
    array_arg light;
    poy_power_shares shares;
    if (!PyArg_ParseTuple(args, "O&iO&", to_smatrix, &s, &from, to_complex, &light))
        return NULL;
    engine_call call;
    int failed = !fits(&light, s) || !call_begin(&call);
    if (!failed)
        failed = call_done(&call, poy_smatrix_power(call.ctx, s, (poy_modetype)from, light.w.data, &shares));
    array_release(&light);
    return failed ? NULL : Py_BuildValue("dd", shares.transmission, shares.reflection);
}

/* smatrix_order_powers(s, from, amplitudes) -> [2][orders]: transmission, reflection */
static PyObject *smatrix_order_powers(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s;
    int from;
    array_arg light;
    if (!PyArg_ParseTuple(args, "O&iO&", to_smatrix, &s, &from, to_complex, &light))
        return NULL;
    const int64_t orders = (int64_t)poy_smatrix_orders(s, NULL);
    double *out;
    engine_call call;
    PyObject *array = call_to_fill(&call, fits(&light, s) ? real_array(2, (const int64_t[]){2, orders}, &out) : NULL);
    if (array)
        array = call_end(
            &call, poy_smatrix_order_powers(call.ctx, s, (poy_modetype)from, light.w.data, out, out + orders), array);
    array_release(&light);
    return array;
}

/* smatrix_dichroism(s, from, amplitudes) -> (transmission, outgoing, absorption) */
static PyObject *smatrix_dichroism(PyObject *self, PyObject *args)
{
    (void)self;
    poy_smatrix *s;
    int from;
    array_arg light;
    poy_dichroism d;
    if (!PyArg_ParseTuple(args, "O&iO&", to_smatrix, &s, &from, to_complex, &light))
        return NULL;
    engine_call call;
    int failed = !fits(&light, s) || !call_begin(&call);
    if (!failed)
        failed = call_done(&call, poy_smatrix_circular_dichroism(call.ctx, s, (poy_modetype)from, light.w.data, &d));
    array_release(&light);
    return failed ? NULL : Py_BuildValue("ddd", d.transmission, d.outgoing, d.absorption);
}

/* chirality_density(embedding, ports, z0, z1) -> [3][n][n]: up, down, cross */
static PyObject *chirality(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *ports;
    double z[2];
    if (!PyArg_ParseTuple(args, "O&O&dd", to_embedding, &e, to_basis, &ports, &z[0], &z[1]))
        return NULL;
    const int64_t n = (int64_t)poy_basis_size(ports);
    poy_c128 *out;
    engine_call call;
    PyObject *array = call_to_fill(&call, complex_array(3, (const int64_t[]){3, n, n}, &out));
    return array ? call_end(&call, poy_chirality_density(call.ctx, &e, ports, z, out, out + n * n, out + 2 * n * n),
                            array)
                 : NULL;
}

/* fresnel(k[n][2][2], kz[n][2][2], z[n][2]) -> [n][2][2][2][2]; side 0 is below */
static PyObject *fresnel(PyObject *self, PyObject *args)
{
    (void)self;
    array_arg k, kz, z;
    if (!PyArg_ParseTuple(args, "O&O&O&", to_complex, &k, to_complex, &kz, to_complex, &z))
        return NULL;
    const int64_t n = whole_count(&z.w) / 2;
    poy_c128 *out;
    engine_call call;
    PyObject *array = NULL;
    if (array_of(&k, 4 * n, "wavenumbers") && array_of(&kz, 4 * n, "normal components") &&
        array_of(&z, 2 * n, "impedances"))
        array = call_to_fill(&call, complex_array(5, (const int64_t[]){n, 2, 2, 2, 2}, &out));
    if (array)
        array = call_end(&call, poy_fresnel(call.ctx, (size_t)n, k.w.data, kz.w.data, z.w.data, out), array);
    array_release(&k);
    array_release(&kz);
    array_release(&z);
    return array;
}

int stack_register(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"smatrix", smatrix_new, METH_VARARGS, "smatrix(stage, below, above, blocks) -> handle"},
        {"smatrix_values", smatrix_values, METH_O, "smatrix_values(s) -> [2, 2, n, n]"},
        {"smatrix_ports", smatrix_ports, METH_O, "smatrix_ports(s) -> basis"},
        {"smatrix_interface", smatrix_interface, METH_VARARGS, "smatrix_interface(stage, below, above) -> handle"},
        {"smatrix_propagation", smatrix_propagation, METH_VARARGS, "smatrix_propagation(stage, medium, d) -> handle"},
        {"smatrix_layers", smatrix_layers, METH_VARARGS, "smatrix_layers(stage, thickness, media) -> handle"},
        {"smatrix_cascade", smatrix_cascade, METH_VARARGS, "smatrix_cascade(lower, upper) -> handle"},
        {"smatrix_double", smatrix_double, METH_VARARGS, "smatrix_double(s, times) -> handle"},
        {"smatrix_rotate", smatrix_rotate, METH_VARARGS, "smatrix_rotate(s, phi) -> handle"},
        {"smatrix_permute", smatrix_permute, METH_VARARGS, "smatrix_permute(s, n) -> handle"},
        {"smatrix_translate", smatrix_translate, METH_VARARGS, "smatrix_translate(s, r) -> handle"},
        {"smatrix_changepoltype", smatrix_changepoltype, METH_VARARGS, "smatrix_changepoltype(s, poltype) -> handle"},
        {"smatrix_scatter", smatrix_scatter, METH_VARARGS, "smatrix_scatter(s, up, down) -> [2, n]"},
        {"smatrix_illuminate", smatrix_illuminate, METH_VARARGS,
         "smatrix_illuminate(lower, upper, up, down) -> [4, n]"},
        {"smatrix_transfer", smatrix_transfer, METH_O, "smatrix_transfer(s) -> [2 n, 2 n]"},
        {"smatrix_bands", smatrix_bands, METH_VARARGS, "smatrix_bands(s, period) -> (kz, vectors)"},
        {"smatrix_power", smatrix_power, METH_VARARGS, "smatrix_power(s, from, amplitudes) -> (T, R)"},
        {"smatrix_order_powers", smatrix_order_powers, METH_VARARGS, "smatrix_order_powers(s, from, amplitudes)"},
        {"smatrix_dichroism", smatrix_dichroism, METH_VARARGS, "smatrix_dichroism(s, from, amplitudes)"},
        {"chirality_density", chirality, METH_VARARGS, "chirality_density(embedding, ports, z0, z1) -> [3, n, n]"},
        {"fresnel", fresnel, METH_VARARGS, "fresnel(k, kz, z) -> [n, 2, 2, 2, 2]"},
        {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions);
}
