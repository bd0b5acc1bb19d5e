/* cpu.c: the CPU backend: reads its settings, finds the instruction set at open and gathers the operations made for it.
 * Settings, separated by commas: isa=base|avx2 (the best that the processor has), fft=measure|estimate (measure). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "backends/cpu/cpu_fft_plan.h"
#include "backends/cpu/cpu_parts.h"

static const char *const isa_names[POYI_ISA_COUNT] = {"base", "avx2"};

static int is_available(poyi_isa isa)
{
#if defined(__x86_64__)
    if (isa == POYI_ISA_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#endif
    return isa == POYI_ISA_BASE;
}

static poy_status choose_isa(poy_ctx *ctx, const char *name, size_t length, poyi_isa *out)
{
    for (poyi_isa isa = 0; isa < POYI_ISA_COUNT; isa++)
        if (strlen(isa_names[isa]) == length && !strncmp(isa_names[isa], name, length)) {
            if (!is_available(isa))
                return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "cpu: this processor lacks the instruction set '%s'",
                                 isa_names[isa]);
            *out = isa;
            return POY_OK;
        }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cpu: no instruction set '%.*s'; there are base and avx2", (int)length,
                     name);
}

static poy_status read_setting(poy_ctx *ctx, const char *text, size_t length, poyi_cpu *cpu)
{
    static const char isa[] = "isa=", fft[] = "fft=";
    const size_t key = sizeof isa - 1;

    if (length > key && !strncmp(text, isa, key)) {
        POYI_TRY(ctx, choose_isa(ctx, text + key, length - key, &cpu->isa));
        return POY_OK;
    }
    if (length > key && !strncmp(text, fft, key)) {
        const char *effort = text + key;
        cpu->fft_estimate = length - key == strlen("estimate") && !strncmp(effort, "estimate", length - key);
        if (cpu->fft_estimate || (length - key == strlen("measure") && !strncmp(effort, "measure", length - key)))
            return POY_OK;
    }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "cpu: no setting '%.*s'; there are isa=base|avx2 and fft=measure|estimate",
                     (int)length, text);
}

/* clang-format off */
#define TYPES(part, isa)                                                                                             \
    poyi_cpu_##part##_##isa##_f32, poyi_cpu_##part##_##isa##_f64, poyi_cpu_##part##_##isa##_c64,                     \
        poyi_cpu_##part##_##isa##_c128, poyi_cpu_##part##_##isa##_i32, poyi_cpu_##part##_##isa##_i64,                \
        poyi_cpu_##part##_##isa##_b8
#define PARTS(isa) {TYPES(pointwise, isa), TYPES(functions, isa), TYPES(compare, isa), TYPES(copy, isa), TYPES(reduce, isa), TYPES(lines, isa), TYPES(places, isa), TYPES(sparse, isa), poyi_cpu_linalg, poyi_cpu_fft, \
    poyi_cpu_lapack_base_f32, poyi_cpu_lapack_base_f64, poyi_cpu_lapack_base_c64, poyi_cpu_lapack_base_c128, \
    poyi_cpu_products_##isa##_i32, poyi_cpu_products_##isa##_i64, poyi_cpu_products_##isa##_b8, \
    poyi_cpu_factors_base_f32, poyi_cpu_factors_base_f64, poyi_cpu_factors_base_c64, poyi_cpu_factors_base_c128}
enum { PARTS_OF_ISA = 8 * POY_DTYPE_COUNT + 13 };
static poyi_cpu_entries *const parts[POYI_ISA_COUNT][PARTS_OF_ISA] = {
    [POYI_ISA_BASE] = PARTS(base),
#if defined(__x86_64__)
    [POYI_ISA_AVX2] = PARTS(avx2),
#endif
};
/* clang-format on */

static poy_status gather_ops(poy_ctx *ctx, poyi_cpu *cpu)
{
    for (int i = 0; i < PARTS_OF_ISA; i++) {
        size_t n = 0;
        parts[cpu->isa][i](&n);
        cpu->n_ops += n;
    }
    cpu->ops = malloc(cpu->n_ops * sizeof *cpu->ops);
    cpu->at_once = malloc(cpu->n_ops * sizeof *cpu->at_once);
    if (!cpu->ops || !cpu->at_once)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the operations of backend 'cpu'");
    size_t at = 0;
    for (int i = 0; i < PARTS_OF_ISA; i++) {
        size_t n = 0;
        const poyi_cpu_entry *entries = parts[cpu->isa][i](&n);
        for (size_t k = 0; k < n; k++, at++) { /* perhaps none */
            cpu->ops[at] = entries[k].op;
            cpu->at_once[at] = entries[k].at_once;
        }
    }
    return POY_OK;
}

static void close_cpu(void *be)
{
    poyi_cpu *cpu = be;
    free(cpu->ops);
    free(cpu->at_once);
    free(cpu);
}

static poy_status open_cpu(poy_ctx *ctx, const char *settings, void **be)
{
    poy_status status = POY_OK;
    poyi_cpu *cpu = calloc(1, sizeof *cpu);

    *be = NULL;
    if (!cpu)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the state of backend 'cpu'");
    for (poyi_isa isa = 0; isa < POYI_ISA_COUNT; isa++) /* slowest first */
        if (is_available(isa))
            cpu->isa = isa;
    for (size_t length; *settings; settings += length + (settings[length] == ',')) {
        length = strcspn(settings, ",");
        POYI_TO_DONE(ctx, read_setting(ctx, settings, length, cpu));
    }
    POYI_TO_DONE(ctx, gather_ops(ctx, cpu));
    poyi_cpu_linalg_open();
    poyi_fft_wisdom_load(ctx);
    *be = cpu;
    return POY_OK;
done:
    close_cpu(cpu);
    return status;
}

static const poy_op_entry *ops(void *be, size_t *n)
{
    const poyi_cpu *cpu = be;
    *n = cpu->n_ops;
    return cpu->ops;
}

poyi_at_once *const *poyi_cpu_at_once(const void *be)
{
    const poyi_cpu *cpu = be;
    return cpu->at_once;
}

static const poy_row_entry *rows(void *be, size_t *n)
{
    const poyi_cpu *cpu = be;
    return poyi_cpu_rows(cpu->isa, n);
}

static void describe(void *be, size_t size, char *out)
{
    const poyi_cpu *cpu = be;
    int n = snprintf(out, size, "isa: %s\n", isa_names[cpu->isa]);
    if (n < 0 || (size_t)n >= size)
        return;
    poyi_fft_describe(cpu, size - (size_t)n, out + n);
    n = (int)strlen(out);
    poyi_cpu_linalg_describe(size - (size_t)n, out + n);
}

const poy_backend_api poyi_cpu_api = {
    .abi = POY_BACKEND_ABI,
    .size = sizeof poyi_cpu_api,
    .name = "cpu",
    .flags = POY_BACKEND_HOST | POY_BACKEND_STRIDED,
    .open = open_cpu,
    .close = close_cpu,
    .alloc = poyi_host_alloc,
    .release = poyi_host_release,
    .write = poyi_host_write,
    .read = poyi_host_read,
    .ops = ops,
    .rows = rows,
    .run_steps = poyi_cpu_run_steps,
    .describe = describe,
};
