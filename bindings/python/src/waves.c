/* waves.c: bases of modes, matrices between them, and fields. Rows of modes are c128: spherical (particle, l, m, pol),
 * cylindrical (particle, kz, m, pol), plane (qx, qy, qz, pol), ports (two components, pol). */
#include "scatter.h"

#include <stdlib.h>

/* ---- bases ---- */

static size_t row_length(poy_basis_kind kind)
{
    return kind == POY_BASIS_PORTS ? 3 : 4;
}

static void read_mode(poy_basis_kind kind, const poy_c128 *row, poy_wave_mode *mode)
{
    *mode = (poy_wave_mode){.pol = (int32_t)row[row_length(kind) - 1].re};
    switch (kind) {
    case POY_BASIS_SPHERICAL:
        mode->particle = (int32_t)row[0].re;
        mode->l = (int32_t)row[1].re;
        mode->m = (int32_t)row[2].re;
        break;
    case POY_BASIS_CYLINDRICAL:
        mode->particle = (int32_t)row[0].re;
        mode->kz = row[1].re;
        mode->m = (int32_t)row[2].re;
        break;
    case POY_BASIS_PLANE:
        for (int i = 0; i < 3; i++)
            mode->q[i] = row[i];
        break;
    case POY_BASIS_PORTS:
        for (int i = 0; i < 2; i++)
            mode->component[i] = row[i].re;
    }
}

static void write_mode(poy_basis_kind kind, const poy_wave_mode *mode, poy_c128 *row)
{
    row[row_length(kind) - 1] = (poy_c128){mode->pol, 0.0};
    switch (kind) {
    case POY_BASIS_SPHERICAL:
        row[0] = (poy_c128){mode->particle, 0.0};
        row[1] = (poy_c128){mode->l, 0.0};
        row[2] = (poy_c128){mode->m, 0.0};
        break;
    case POY_BASIS_CYLINDRICAL:
        row[0] = (poy_c128){mode->particle, 0.0};
        row[1] = (poy_c128){mode->kz, 0.0};
        row[2] = (poy_c128){mode->m, 0.0};
        break;
    case POY_BASIS_PLANE:
        for (int i = 0; i < 3; i++)
            row[i] = mode->q[i];
        break;
    case POY_BASIS_PORTS:
        for (int i = 0; i < 2; i++)
            row[i] = (poy_c128){mode->component[i], 0.0};
    }
}

static poy_status create(poy_ctx *ctx, poy_basis_kind kind, poy_alignment alignment, size_t n,
                         const poy_wave_mode *modes, size_t places, const double *positions, poy_basis **out)
{
    switch (kind) {
    case POY_BASIS_SPHERICAL: return poy_basis_sw_create(ctx, n, modes, places, positions, out);
    case POY_BASIS_CYLINDRICAL: return poy_basis_cw_create(ctx, n, modes, places, positions, out);
    case POY_BASIS_PLANE: return poy_basis_pw_create(ctx, n, modes, out);
    default: return poy_ports_create(ctx, alignment, n, modes, out);
    }
}

/* basis(kind, alignment, modes, positions) */
static PyObject *basis_new(PyObject *self, PyObject *args)
{
    (void)self;
    int kind, alignment;
    array_arg modes, positions;
    if (!PyArg_ParseTuple(args, "iiO&O&", &kind, &alignment, to_complex, &modes, to_real, &positions))
        return NULL;
    PyObject *result = NULL;
    poy_wave_mode *rows = NULL;
    const size_t width = row_length((poy_basis_kind)kind), n = (size_t)whole_count(&modes.w) / width;
    const size_t places = (size_t)whole_count(&positions.w) / 3;
    const poy_c128 *given = array_of(&modes, (int64_t)(n * width), "modes");
    const double *place = given ? array_of(&positions, (int64_t)(3 * places), "positions") : NULL;
    if (!place)
        goto done;
    rows = calloc(n ? n : 1, sizeof *rows);
    engine_call call;
    if (!rows || !call_begin(&call)) {
        if (!rows)
            PyErr_NoMemory();
        goto done;
    }
    for (size_t i = 0; i < n; i++)
        read_mode((poy_basis_kind)kind, given + width * i, &rows[i]);
    poy_basis *basis = NULL;
    if (!call_done(&call,
                   create(call.ctx, (poy_basis_kind)kind, (poy_alignment)alignment, n, rows, places, place, &basis)))
        result = wrap_basis(basis);
done:
    free(rows);
    array_release(&modes);
    array_release(&positions);
    return result;
}

static PyObject *basis_modes(PyObject *self, PyObject *object)
{
    (void)self;
    poy_basis *basis;
    if (!to_basis(object, &basis))
        return NULL;
    const poy_basis_kind kind = poy_basis_get_kind(basis);
    const size_t n = poy_basis_size(basis), width = row_length(kind);
    poy_c128 *rows;
    PyObject *array = complex_matrix(n, width, &rows);
    for (size_t i = 0; array && i < n; i++)
        write_mode(kind, &poy_basis_modes(basis)[i], rows + width * i);
    return array;
}

static PyObject *basis_alignment(PyObject *self, PyObject *object)
{
    (void)self;
    poy_basis *basis;
    return to_basis(object, &basis) ? PyLong_FromLong(poy_basis_alignment(basis)) : NULL;
}

/* ports_orders(alignment, kpar[2], a[2][2], bmax) */
static PyObject *ports_orders(PyObject *self, PyObject *args)
{
    (void)self;
    int alignment;
    double kpar[2], a[2][2], bmax;
    if (!PyArg_ParseTuple(args, "i(dd)((dd)(dd))d", &alignment, &kpar[0], &kpar[1], &a[0][0], &a[0][1], &a[1][0],
                          &a[1][1], &bmax))
        return NULL;
    engine_call call;
    poy_basis *basis = NULL;
    if (!call_begin(&call) || call_done(&call, poy_ports_diffr_orders(call.ctx, (poy_alignment)alignment, kpar,
                                                                      (const double(*)[2])a, bmax, &basis)))
        return NULL;
    return wrap_basis(basis);
}

static PyObject *basis_rotated(PyObject *self, PyObject *args)
{
    (void)self;
    poy_basis *basis, *out = NULL;
    double phi;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&d", to_basis, &basis, &phi) || !call_begin(&call) ||
        call_done(&call, poy_basis_rotated(call.ctx, basis, phi, &out)))
        return NULL;
    return wrap_basis(out);
}

static PyObject *basis_permuted(PyObject *self, PyObject *args)
{
    (void)self;
    poy_basis *basis, *out = NULL;
    int n;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&i", to_basis, &basis, &n) || !call_begin(&call) ||
        call_done(&call, poy_basis_permuted(call.ctx, basis, n, &out)))
        return NULL;
    return wrap_basis(out);
}

static PyObject *by_unit_vector(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *basis, *out = NULL;
    int type;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&i", to_embedding, &e, to_basis, &basis, &type) || !call_begin(&call) ||
        call_done(&call, poy_basis_by_unit_vector(call.ctx, &e, basis, (poy_modetype)type, &out)))
        return NULL;
    return wrap_basis(out);
}

static PyObject *by_component(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *basis, *out = NULL;
    int alignment;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&i", to_embedding, &e, to_basis, &basis, &alignment) || !call_begin(&call) ||
        call_done(&call, poy_basis_by_component(call.ctx, &e, basis, (poy_alignment)alignment, &out)))
        return NULL;
    return wrap_basis(out);
}

static PyObject *basis_kvecs(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *basis;
    int type;
    if (!PyArg_ParseTuple(args, "O&O&i", to_embedding, &e, to_basis, &basis, &type))
        return NULL;
    poy_c128 *out;
    engine_call call;
    PyObject *array = call_to_fill(&call, complex_matrix(poy_basis_size(basis), 3, &out));
    return array ? call_end(&call, poy_basis_kvecs(call.ctx, &e, basis, (poy_modetype)type, out), array) : NULL;
}

/* ---- matrices ---- */

/* A matrix [destination][source], ready to be filled by one call. */
static PyObject *between(const poy_basis *destination, const poy_basis *source, poy_c128 **out, engine_call *call)
{
    return call_to_fill(call, complex_matrix(poy_basis_size(destination), poy_basis_size(source), out));
}

static PyObject *op_expand(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *to, *from;
    int to_type, from_type;
    poy_c128 *out;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&iO&i", to_embedding, &e, to_basis, &to, &to_type, to_basis, &from, &from_type))
        return NULL;
    PyObject *array = between(to, from, &out, &call);
    return array ? call_end(&call,
                            poy_op_expand(call.ctx, &e, to, (poy_modetype)to_type, from, (poy_modetype)from_type, out),
                            array)
                 : NULL;
}

static PyObject *op_translate(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    double r[3];
    poy_basis *to, *from;
    int type;
    poy_c128 *out;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&O&O&i", to_embedding, &e, to_vector, r, to_basis, &to, to_basis, &from, &type))
        return NULL;
    PyObject *array = between(to, from, &out, &call);
    return array ? call_end(&call, poy_op_translate(call.ctx, &e, r, to, from, (poy_modetype)type, out), array) : NULL;
}

static PyObject *op_rotate(PyObject *self, PyObject *args)
{
    (void)self;
    double angles[3];
    poy_basis *to, *from;
    poy_c128 *out;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&O&", to_vector, angles, to_basis, &to, to_basis, &from))
        return NULL;
    PyObject *array = between(to, from, &out, &call);
    return array ? call_end(&call, poy_op_rotate(call.ctx, angles, to, from, out), array) : NULL;
}

static PyObject *op_permute(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    int n, type;
    poy_basis *basis;
    poy_c128 *out;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&iO&i", to_embedding, &e, &n, to_basis, &basis, &type))
        return NULL;
    PyObject *array = between(basis, basis, &out, &call);
    return array ? call_end(&call, poy_op_permute(call.ctx, &e, n, basis, (poy_modetype)type, out), array) : NULL;
}

static PyObject *op_changepoltype(PyObject *self, PyObject *args)
{
    (void)self;
    poy_basis *to, *from;
    if (!PyArg_ParseTuple(args, "O&O&", to_basis, &to, to_basis, &from))
        return NULL;
    double *out;
    engine_call call;
    const int64_t dims[] = {(int64_t)poy_basis_size(to), (int64_t)poy_basis_size(from)};
    PyObject *array = call_to_fill(&call, real_array(2, dims, &out));
    return array ? call_end(&call, poy_op_changepoltype(call.ctx, to, from, out), array) : NULL;
}

static PyObject *op_radiate(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *to, *from;
    int side;
    double measure;
    poy_c128 *out;
    engine_call call;
    if (!PyArg_ParseTuple(args, "O&O&iO&d", to_embedding, &e, to_basis, &to, &side, to_basis, &from, &measure))
        return NULL;
    PyObject *array = between(to, from, &out, &call);
    return array ? call_end(&call, poy_op_radiate(call.ctx, &e, to, (poy_modetype)side, from, measure, out), array)
                 : NULL;
}

/* op_expand_lattice(embedding, a[dim][dim], kpar[dim], eta, destination, source) */
static PyObject *op_expand_lattice(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    array_arg a, kpar;
    double eta;
    poy_basis *to, *from;
    if (!PyArg_ParseTuple(args, "O&O&O&dO&O&", to_embedding, &e, to_real, &a, to_real, &kpar, &eta, to_basis, &to,
                          to_basis, &from))
        return NULL;
    PyObject *array = NULL;
    poy_lattice lattice = {.dim = (int)whole_count(&kpar.w)};
    const double *rows =
        lattice.dim >= 1 && lattice.dim <= 3 ? array_of(&a, (int64_t)lattice.dim * lattice.dim, "the lattice") : NULL;
    for (int i = 0; rows && i < lattice.dim * lattice.dim; i++)
        lattice.a[i] = rows[i];
    poy_c128 *out;
    engine_call call;
    if (rows)
        array = between(to, from, &out, &call);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "a lattice has 1 to 3 dimensions");
    if (array)
        array = call_end(&call, poy_op_expand_lattice(call.ctx, &e, &lattice, kpar.w.data, eta, to, from, out), array);
    array_release(&a);
    array_release(&kpar);
    return array;
}

/* lattice_sum(cylindrical, k, kpar[dim], a[dim][dim], r, eta, part, shell, most): the table of all degrees and orders, or of all
 * orders. part: 0 all, 1 real, 2 reciprocal, 3 the terms of a shell of the plain sum. */
static PyObject *lattice_sum(PyObject *self, PyObject *args)
{
    (void)self;
    int cylindrical, part;
    poy_lattice_sum sum = {0};
    array_arg k, kpar, a, r;
    long long shell, most;
    if (!PyArg_ParseTuple(args, "iO&O&O&O&diLL", &cylindrical, to_complex, &k, to_real, &kpar, to_real, &a, to_real, &r,
                          &sum.eta, &part, &shell, &most))
        return NULL;
    PyObject *array = NULL;
    poy_c128 *out;
    engine_call call;
    sum.dim = (int)whole_count(&kpar.w);
    const poy_c128 *wavenumber = array_of(&k, 1, "k");
    sum.kpar = kpar.w.data;
    sum.a = array_of(&a, (int64_t)sum.dim * sum.dim, "the lattice");
    sum.r = sum.a ? array_of(&r, cylindrical ? 2 : 3, "r") : NULL;
    sum.part = part == 3 ? POY_LATTICE_FULL : (poy_lattice_part)part;
    if (most < 0 || most > POY_LATTICE_DEGREE_MAX)
        PyErr_Format(PyExc_ValueError, "degrees and orders of lattice sums go to %d", POY_LATTICE_DEGREE_MAX);
    else if (wavenumber && sum.r)
        array = call_to_fill(
            &call, complex_array(1, (const int64_t[]){cylindrical ? 2 * most + 1 : (most + 1) * (most + 1)}, &out));
    if (array) {
        sum.k = *wavenumber;
        poy_status status;
        if (part == 3)
            status = cylindrical ? poy_lattice_shell_cylindrical(call.ctx, &sum, shell, most, out)
                                 : poy_lattice_shell_spherical(call.ctx, &sum, shell, most, out);
        else
            status = cylindrical ? poy_lattice_sum_cylindrical(call.ctx, &sum, most, out)
                                 : poy_lattice_sum_spherical(call.ctx, &sum, most, out);
        array = call_end(&call, status, array);
    }
    array_release(&k);
    array_release(&kpar);
    array_release(&a);
    array_release(&r);
    return array;
}

/* ---- fields ---- */

/* op_field(embedding, basis, modetype, field, pol, points[n][3]) -> [n][3][size] */
static PyObject *op_field(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *basis;
    int type, field, pol;
    array_arg points;
    if (!PyArg_ParseTuple(args, "O&O&iiiO&", to_embedding, &e, to_basis, &basis, &type, &field, &pol, to_real, &points))
        return NULL;
    const int64_t n = whole_count(&points.w) / 3, size = (int64_t)poy_basis_size(basis);
    PyObject *array = NULL;
    poy_c128 *out;
    engine_call call;
    if (array_of(&points, 3 * n, "points"))
        array = call_to_fill(&call, complex_array(3, (const int64_t[]){n, 3, size}, &out));
    if (array)
        array = call_end(&call,
                         poy_op_field(call.ctx, &e, basis, (poy_modetype)type, (poy_wave_field)field, pol, (size_t)n,
                                      points.w.data, out),
                         array);
    array_release(&points);
    return array;
}

/* wave_sample(embedding, basis, modetype, coefficients[size], field, pol, points[n][3]) -> [n][3] */
static PyObject *wave_sample(PyObject *self, PyObject *args)
{
    (void)self;
    poy_embedding e;
    poy_basis *basis;
    int type, field, pol;
    array_arg coefficients, points;
    if (!PyArg_ParseTuple(args, "O&O&iO&iiO&", to_embedding, &e, to_basis, &basis, &type, to_complex, &coefficients,
                          &field, &pol, to_real, &points))
        return NULL;
    const int64_t n = whole_count(&points.w) / 3;
    PyObject *array = NULL;
    poy_c128 *out;
    engine_call call;
    if (array_of(&points, 3 * n, "points") && array_of(&coefficients, (int64_t)poy_basis_size(basis), "coefficients"))
        array = call_to_fill(&call, complex_matrix((size_t)n, 3, &out));
    if (array)
        array = call_end(&call,
                         poy_wave_sample(call.ctx, &e, basis, (poy_modetype)type, coefficients.w.data,
                                         (poy_wave_field)field, pol, (size_t)n, points.w.data, out),
                         array);
    array_release(&coefficients);
    array_release(&points);
    return array;
}

int waves_register(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"basis", basis_new, METH_VARARGS, "basis(kind, alignment, modes, positions) -> handle"},
        {"basis_modes", basis_modes, METH_O, "basis_modes(basis) -> rows"},
        {"basis_alignment", basis_alignment, METH_O, "basis_alignment(ports) -> 0 xy, 1 yz, 2 zx"},
        {"ports_orders", ports_orders, METH_VARARGS, "ports_orders(alignment, kpar, a, bmax) -> basis"},
        {"basis_rotated", basis_rotated, METH_VARARGS, "basis_rotated(basis, phi) -> basis"},
        {"basis_permuted", basis_permuted, METH_VARARGS, "basis_permuted(basis, n) -> basis"},
        {"by_unit_vector", by_unit_vector, METH_VARARGS, "by_unit_vector(embedding, ports, modetype) -> basis"},
        {"by_component", by_component, METH_VARARGS, "by_component(embedding, plane, alignment) -> basis"},
        {"basis_kvecs", basis_kvecs, METH_VARARGS, "basis_kvecs(embedding, basis, modetype) -> [size, 3]"},
        {"op_expand", op_expand, METH_VARARGS, "op_expand(embedding, destination, modetype, source, modetype)"},
        {"op_translate", op_translate, METH_VARARGS, "op_translate(embedding, r, destination, source, modetype)"},
        {"op_rotate", op_rotate, METH_VARARGS, "op_rotate(angles, destination, source)"},
        {"op_permute", op_permute, METH_VARARGS, "op_permute(embedding, n, basis, modetype)"},
        {"op_changepoltype", op_changepoltype, METH_VARARGS, "op_changepoltype(destination, source)"},
        {"op_radiate", op_radiate, METH_VARARGS, "op_radiate(embedding, destination, side, source, measure)"},
        {"op_expand_lattice", op_expand_lattice, METH_VARARGS,
         "op_expand_lattice(embedding, a, kpar, eta, destination, source)"},
        {"lattice_sum", lattice_sum, METH_VARARGS,
         "lattice_sum(cylindrical, k, kpar, a, r, eta, part, shell, most) -> table"},
        {"op_field", op_field, METH_VARARGS, "op_field(embedding, basis, modetype, field, pol, points)"},
        {"wave_sample", wave_sample, METH_VARARGS,
         "wave_sample(embedding, basis, modetype, coefficients, field, pol, points)"},
        {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions);
}
