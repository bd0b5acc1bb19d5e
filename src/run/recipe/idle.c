/* idle.c: keys that are right by themselves but have no effect in their recipe: warnings, so that nothing is passed over in
 * silence. */
#include <string.h>

#include "run/recipe/pulse.h"

static int is_off(const poyi_node *node)
{
    return poyi_is_word(node, "off") || (node && node->kind == POYI_BOOL && !node->integer);
}

/* ---- what makes a key idle ---- */

static int without_plasma(const poy_recipe *r)
{
    const poyi_node *plasma = poyi_good(r, "physics.plasma");
    return is_off(plasma) || !poyi_is_real_field(r) || poyi_is_word(poyi_good(r, "gas.fill"), "vacuum");
}

static int without_gas(const poy_recipe *r)
{
    return poyi_is_word(poyi_good(r, "gas.fill"), "vacuum");
}

static int without_raman(const poy_recipe *r)
{
    return is_off(poyi_good(r, "physics.raman"));
}

/* Lines of molecules begin with h(0) = 0. */
static int in_gas(const poy_recipe *r)
{
    return (r->type & (POYI_TYPE_HOLLOW | POYI_TYPE_FREE)) != 0;
}

static int without_samples(const poy_recipe *r)
{
    return poyi_is_word(poyi_good(r, "physics.raman_kernel"), "analytic");
}

static int of_index(const poy_recipe *r)
{
    const poyi_node *fibre = poyi_node_child(r->root, "fibre");
    return fibre && poyi_node_child(fibre, "index_file") && !poyi_node_child(fibre, "beta") &&
           !poyi_node_child(fibre, "D");
}

static int with_schedule(const poy_recipe *r)
{
    return poyi_node_find(r->root, "solver.schedule") != NULL;
}

/* ---- the keys ---- */

static const struct {
    const char *path;
    int (*is_idle)(const poy_recipe *r);
    const char *why;
} keys[] = {
    {"physics.rate", without_plasma, "there is no plasma"},
    {"physics.rate_above", without_plasma, "there is no plasma"},
    {"physics.plasma_rule", without_plasma, "there is no plasma"},
    {"physics.plasma_source", without_plasma, "there is no plasma"},
    {"gas.temperature", without_gas, "there is no gas"},
    {"gas.eos", without_gas, "there is no gas"},
    {"physics.raman_start", without_raman, "Raman is off"},
    {"physics.raman_start", in_gas, "the response of a gas is 0 at the start"},
    {"physics.raman_start", without_samples, "raman_kernel = \"analytic\" has no sample h(0)"},
    {"physics.raman_kernel", without_raman, "Raman is off"},
    {"physics.raman_kernel", in_gas, "lines of molecules are always sampled"},
    {"fibre.beta_at", of_index, "the dispersion comes from index_file"},
    {"solver.rtol", with_schedule, "solver.schedule has the steps"},
    {"solver.atol", with_schedule, "solver.schedule has the steps"},
    {"solver.dz_first", with_schedule, "solver.schedule has the steps"},
    {"solver.dz_max", with_schedule, "solver.schedule has the steps"},
    {"solver.dz_min", with_schedule, "solver.schedule has the steps"},
};

void poyi_check_idle(poy_recipe *r)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const poyi_node *node = poyi_good(r, keys[i].path);
        if (node && keys[i].is_idle(r))
            poyi_warning(r, node, NULL, "E_CONFLICT", "has no effect: %s\nremove it", keys[i].why);
    }
}
