/* forms.c: may this value stand at this key? Scalars, words, quantities and lists of them. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/media.h"
#include "run/recipe/recipe.h"

/* ---- messages ---- */

/* "planes" for the hint "write planes = 80"; in a list the value stands alone. */
static void write_hint(const poyi_node *node, const char *value, size_t size, char *out)
{
    if (node->key)
        snprintf(out, size, "write %s = %s", node->key, value);
    else
        snprintf(out, size, "write %s", value);
}

static int wants_number(poyi_form form)
{
    return form == POYI_FORM_INTEGER || form == POYI_FORM_NUMBER || form == POYI_FORM_NUMBER_AUTO ||
           form == POYI_FORM_INTEGER_AUTO || form == POYI_FORM_MODES;
}

int poyi_check_failed(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path, const char *expected)
{
    char value[160], hint[256], *end = NULL;
    snprintf(value, sizeof value, "%s", key->shown.good);
    if (wants_number(key->form) && node->kind == POYI_STRING) {
        double number = strtod(node->text, &end);
        if (end != node->text && !*end && isfinite(number))
            snprintf(value, sizeof value, "%s", node->text);
    }
    if (key->form == POYI_FORM_TEXT && poyi_node_is_number(node))
        snprintf(value, sizeof value, "\"%.100s\"", node->typed);
    write_hint(node, value, sizeof hint, hint);
    if (key->form == POYI_FORM_BOOL)
        snprintf(hint, sizeof hint, "write true or false, without quotes");
    poyi_fault(r, node, path, "E_TYPE", "expected %s, got %s\n%s", expected, poyi_node_what(node->kind), hint);
    return 0;
}

/* ---- ranges: "> 0 <= 1" ---- */

static const char *next_bound(const char *range, char op[3], double *bound)
{
    char *end;
    range += strspn(range, " ");
    if (!*range)
        return NULL;
    size_t n = strspn(range, "<>=");
    snprintf(op, 3, "%.*s", (int)n, range);
    *bound = strtod(range + n, &end);
    return end;
}

/* Is value within range ("> 0 <= 1")? */
static int range_holds(const char *range, double value)
{
    char op[3];
    double bound;
    while ((range = next_bound(range, op, &bound)))
        if (!(op[0] == '>' ? (op[1] ? value >= bound : value > bound) : (op[1] ? value <= bound : value < bound)))
            return 0;
    return 1;
}

static void range_text(const char *range, size_t size, char *out)
{
    static const struct {
        const char *op, *text;
    } names[] = {{">", "above"}, {">=", "at least"}, {"<", "below"}, {"<=", "at most"}};
    char op[3];
    double bound;
    size_t used = 0;
    while ((range = next_bound(range, op, &bound)) && used < size)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (!strcmp(names[i].op, op))
                used +=
                    (size_t)snprintf(out + used, size - used, "%s%s %.10g", used ? " and " : "", names[i].text, bound);
}

static int in_range(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path, const char *shown,
                    double value)
{
    char wanted[80] = "";
    if (isfinite(value) && range_holds(key->shown.range, value))
        return 1;
    if (!isfinite(value)) {
        poyi_fault(r, node, path, "E_VALUE", "%s is not finite\nwrite a finite number", shown);
        return 0;
    }
    range_text(key->shown.range, sizeof wanted, wanted);
    poyi_fault(r, node, path, "E_RANGE", "%s is not %s\ngive one that is %s%s", shown, wanted, wanted,
               key->dimension == POY_DIM_NONE || !strcmp(key->shown.range, "> 0") || !strcmp(key->shown.range, ">= 0")
                   ? ""
                   : " in SI units");
    return 0;
}

int poyi_check_number(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char shown[80];
    poyi_node_echo(node, sizeof shown, shown);
    return in_range(r, key, node, path, shown, node->real);
}

/* ---- words ---- */

/* The next word of a list into word; NULL at its end. */
static const char *next_word(const char *words, size_t size, char *word)
{
    words += strspn(words, " ");
    size_t n = strcspn(words, " ");
    if (!n)
        return NULL;
    snprintf(word, size, "%.*s", (int)n, words);
    return words + n;
}

int poyi_word_in(const char *words, const char *word)
{
    char known[64];
    while ((words = next_word(words, sizeof known, known)))
        if (!strcmp(known, word))
            return 1;
    return 0;
}

void poyi_word_nearest(const char *words, const char *word, size_t size, char *out)
{
    char known[64];
    size_t length = strlen(word);
    int best = length < 4 ? 2 : length < 8 ? 3 : 4; /* a slip or two, not another word */
    out[0] = '\0';
    while ((words = next_word(words, sizeof known, known))) {
        int distance = poy_text_distance(known, word);
        if (distance < best) {
            best = distance;
            snprintf(out, size, "%s", known);
        }
    }
}

/* Those that are built. */
static void list_words(const char *path, const char *words, size_t size, char *out)
{
    char known[64];
    size_t used = 0;
    while ((words = next_word(words, sizeof known, known)) && used < size)
        if (!poy_recipe_unbuilt(path, known))
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", known);
}

/* One of the key's words; 1 if it is good. */
static int check_word(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char shown[80], near[64], all[400] = "";
    if (poyi_word_in(key->shown.words, node->text))
        return 1;
    poyi_node_echo(node, sizeof shown, shown);
    poyi_word_nearest(key->shown.words, node->text, sizeof near, near);
    list_words(path, key->shown.words, sizeof all, all);
    const char *planned = poyi_planned(path, node->text);
    if (planned)
        poyi_fault(r, node, path, "E_UNSUPPORTED", "%s is not built yet\n%s", shown, planned);
    else if (near[0])
        poyi_fault(r, node, path, "E_VALUE", "%s is not known\ndid you mean %s?", shown, near);
    else
        poyi_fault(r, node, path, "E_VALUE", "%s is not known\nuse one of %s", shown, all);
    return 0;
}

/* ---- quantities ---- */

static const char *quantity_code(poy_status status, const char *text)
{
    text += strspn(text, " \t+-");
    if (status == POY_ERR_MISMATCH)
        return "E_DIM";
    return *text >= '0' && *text <= '9' ? "E_UNIT" : "E_VALUE";
}

/* The unit in which a key is usually written: that of its good value, "50 nm" or ["-11.83 ps2/km"], else of its dimension. */
static const char *usual_unit(poy_ctx *ctx, const poyi_key *key, poy_quantity *q)
{
    char value[64];
    const char *quote = key->shown.good ? strchr(key->shown.good, '"') : NULL;
    snprintf(value, sizeof value, "%.*s", quote ? (int)strcspn(quote + 1, "\"") : 0, quote ? quote + 1 : "");
    if (value[0] && poy_quantity_parse_as(ctx, value, key->dimension, q) == POY_OK && q->unit[0])
        return q->unit;
    poy_ctx_clear(ctx);
    return poyi_dimension_write(key->dimension);
}

/* A number that stands alone where a quantity is asked for. */
static int is_bare(const char *text)
{
    char *end = NULL;
    const double number = strtod(text, &end);
    return end != text && isfinite(number) && !end[strspn(end, " \t")];
}

static int no_unit(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                   const char *number)
{
    poy_quantity q;
    char written[160], hint[256];
    snprintf(written, sizeof written, "\"%s %s\"", number, usual_unit(ctx, key, &q));
    if (node->kind == POYI_STRING && !is_bare(node->text)) /* a part of it: "600:700 nm" */
        snprintf(hint, sizeof hint, "write %s", written);
    else
        write_hint(node, written, sizeof hint, hint);
    poyi_fault(r, node, path, "E_UNIT", "%s needs a unit\n%s", poyi_dimension_with_article(key->dimension), hint);
    return 0;
}

int poyi_check_part(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                    const char *text, double *value)
{
    poy_quantity q;
    char shown[80];
    if (key->dimension != POY_DIM_NONE && is_bare(text)) {
        snprintf(shown, sizeof shown, "%.*s", (int)strcspn(text + strspn(text, " \t"), " \t"),
                 text + strspn(text, " \t"));
        return no_unit(ctx, r, key, node, path, shown);
    }
    poy_status status = poy_quantity_parse_as(ctx, text, key->dimension, &q);
    if (status != POY_OK) {
        poyi_fault_from_ctx(ctx, r, node, path, quantity_code(status, text));
        return 0;
    }
    snprintf(shown, sizeof shown, "\"%.60s\"", text);
    if (!in_range(r, key, node, path, shown, q.value))
        return 0;
    if (value)
        *value = q.value;
    return 1;
}

int poyi_check_quantity(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                        double *value)
{
    char shown[80], written[128], hint[200];
    if (node->kind == POYI_STRING)
        return poyi_check_part(ctx, r, key, node, path, node->text, value);
    if (!poyi_node_is_number(node))
        return poyi_check_failed(r, key, node, path, "a quantity in quotes");
    if (node->real != 0 && fabs(node->real) < 1e-5) { /* in SI, without saying so */
        poy_quantity_format(node->real, key->dimension, 6, sizeof shown, shown);
        snprintf(written, sizeof written, "\"%s\"", shown);
    } else {
        poyi_node_echo(node, sizeof shown, shown);
        return no_unit(ctx, r, key, node, path, shown);
    }
    write_hint(node, written, sizeof hint, hint);
    poyi_fault(r, node, path, "E_UNIT", "%s needs a unit\n%s", poyi_dimension_with_article(key->dimension), hint);
    return 0;
}

/* ---- tables inside values ---- */

static poyi_key as_key(const poyi_entry *m)
{
    return (poyi_key){.shown = {.range = m->range, .words = m->words, .good = m->good, .path = m->name},
                      .form = m->form,
                      .dimension = m->dimension};
}

static void unknown_member(poy_recipe *r, const poyi_node *child, const char *path, const poyi_entry *list, size_t n)
{
    char words[300] = "", near[64], own[256];
    size_t used = 0;
    for (size_t i = 0; i < n && used < sizeof words; i++)
        used += (size_t)snprintf(words + used, sizeof words - used, "%s%s", i ? " " : "", list[i].name);
    poyi_word_nearest(words, child->key, sizeof near, near);
    poyi_join(sizeof own, own, path, child->key);
    if (near[0])
        poyi_fault(r, child, own, "E_KEY", "unknown key\ndid you mean %s?", near);
    else
        poyi_fault(r, child, own, "E_KEY", "unknown key\nknown here: %s", words);
}

int poyi_check_entries(poy_ctx *ctx, poy_recipe *r, const poyi_node *table, const char *path, const poyi_entry *list,
                       size_t n)
{
    char own[256];
    int good = 1;
    for (const poyi_node *child = table->first; child; child = child->next) {
        size_t i = 0;
        while (i < n && strcmp(list[i].name, child->key) != 0)
            i++;
        if (i == n) {
            unknown_member(r, child, path, list, n);
            good = 0;
            continue;
        }
        poyi_key key = as_key(&list[i]);
        poyi_join(sizeof own, own, path, child->key);
        good &= poyi_form_check(ctx, r, &key, child, own);
    }
    for (size_t i = 0; i < n; i++) {
        if (!list[i].required || poyi_node_child(table, list[i].name))
            continue;
        poyi_join(sizeof own, own, path, list[i].name);
        poyi_fault(r, table, own, "E_MISSING", "missing\nadd %s = %s", list[i].name, list[i].good);
        good = 0;
    }
    return good;
}

/* ---- the forms ---- */

int poyi_form_bool(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    return node->kind == POYI_BOOL || poyi_check_failed(r, key, node, path, "true or false");
}

int poyi_form_integer(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    if (node->kind != POYI_INTEGER)
        return poyi_check_failed(r, key, node, path, "an integer");
    return poyi_check_number(r, key, node, path);
}

int poyi_form_number(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    if (!poyi_node_is_number(node))
        return poyi_check_failed(r, key, node, path, "a number");
    return poyi_check_number(r, key, node, path);
}

int poyi_form_integer_auto(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return node->kind == POYI_STRING ? check_word(r, key, node, path) : poyi_form_integer(ctx, r, key, node, path);
}

int poyi_form_number_auto(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return node->kind == POYI_STRING ? check_word(r, key, node, path) : poyi_form_number(ctx, r, key, node, path);
}

int poyi_form_number_bool(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return node->kind == POYI_BOOL || poyi_form_number(ctx, r, key, node, path);
}

int poyi_form_text(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    if (node->kind != POYI_STRING)
        return poyi_check_failed(r, key, node, path, "a string");
    if (node->text[0])
        return 1;
    poyi_fault(r, node, path, "E_VALUE", "is empty\nwrite %s = %s", node->key ? node->key : path, key->shown.good);
    return 0;
}

int poyi_form_word(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    if (node->kind != POYI_STRING)
        return poyi_check_failed(r, key, node, path, "a string");
    return check_word(r, key, node, path);
}

int poyi_form_word_bool(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return node->kind == POYI_BOOL || poyi_form_word(ctx, r, key, node, path);
}

int poyi_form_quantity(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return poyi_check_quantity(ctx, r, key, node, path, NULL);
}

/* A list, each element by one. */
static int check_list(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                      poyi_form_fn *one)
{
    int good = 1;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *element = node->first; element; element = element->next)
        good &= one(ctx, r, key, element, path);
    return good;
}

static int one_helicity(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    if (node->kind != POYI_INTEGER)
        return poyi_form_word(ctx, r, key, node, path);
    if (node->integer == 1 || node->integer == -1)
        return 1;
    poyi_fault(r, node, path, "E_VALUE", "%s is no helicity\nwrite 1 or -1", node->typed);
    return 0;
}

int poyi_form_helicity(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return node->kind == POYI_ARRAY && node->count ? check_list(ctx, r, key, node, path, one_helicity)
                                                   : one_helicity(ctx, r, key, node, path);
}

int poyi_form_texts(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return check_list(ctx, r, key, node, path, poyi_form_text);
}

int poyi_form_words(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return check_list(ctx, r, key, node, path, poyi_form_word);
}

int poyi_form_quantities(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return check_list(ctx, r, key, node, path, poyi_form_quantity);
}

int poyi_form_angles(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    if (node->count != 3) {
        poyi_fault(r, node, path, "E_SHAPE", "has %d angles, needs 3\nwrite %s", node->count, key->shown.good);
        return 0;
    }
    return poyi_form_quantities(ctx, r, key, node, path);
}

int poyi_form_positions(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    double last = -1, z = 0;
    if (!poyi_form_quantities(ctx, r, key, node, path))
        return 0;
    for (const poyi_node *element = node->first; element; element = element->next, last = z) {
        if (!poyi_check_quantity(ctx, r, key, element, path, &z))
            return 0;
        if (z <= last) {
            poyi_fault(r, element, path, "E_VALUE", "%s does not lie beyond the one before\nsort the positions",
                       element->typed);
            return 0;
        }
    }
    return 1;
}

int poyi_form_schedule(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    if (node->kind == POYI_STRING)
        return poyi_form_text(ctx, r, key, node, path);
    if (node->kind == POYI_ARRAY && !node->count) {
        poyi_fault(r, node, path, "E_VALUE", "has no steps\nlist the step lengths, or remove it");
        return 0;
    }
    return poyi_form_quantities(ctx, r, key, node, path);
}

int poyi_form_band(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char from[64];
    if (node->kind != POYI_STRING)
        return poyi_check_failed(r, key, node, path, "a band in quotes");
    const char *colon = strchr(node->text, ':');
    if (!colon || (size_t)(colon - node->text) >= sizeof from) {
        poyi_fault(r, node, path, "E_VALUE", "%s is no band\nwrite \"600 nm:700 nm\"", node->typed);
        return 0;
    }
    snprintf(from, sizeof from, "%.*s", (int)(colon - node->text), node->text);
    double a, b;
    if (!poyi_check_part(ctx, r, key, node, path, from, &a) || !poyi_check_part(ctx, r, key, node, path, colon + 1, &b))
        return 0;
    if (a != b)
        return 1;
    poyi_fault(r, node, path, "E_VALUE", "%s has no width\nwrite two wavelengths that differ", node->typed);
    return 0;
}

int poyi_form_band_rule(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    if (node->kind != POYI_STRING)
        return poyi_check_failed(r, key, node, path, "a string");
    const char *t = node->text;
    if (poyi_word_in(key->shown.words, t) || (!strncmp(t, "band:", 5) && t[5] >= '0' && t[5] <= '4' && !t[6]))
        return 1;
    poyi_fault(r, node, path, "E_VALUE", "%s is not known\nuse trapezoid, or band:K with K = 0 ... 4", node->typed);
    return 0;
}

int poyi_form_unit(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char one[64];
    if (node->kind != POYI_STRING)
        return poyi_check_failed(r, key, node, path, "a unit in quotes");
    snprintf(one, sizeof one, "1 %.50s", node->text);
    return poyi_check_part(ctx, r, key, node, path, one, NULL);
}

static int key_name(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char advice[300];
    if (!poyi_form_text(ctx, r, key, node, path))
        return 0;
    if (poyi_schema_find(node->text, r->kind ? r->kind : POYI_KIND_BOTH))
        return 1;
    if (!strncmp(node->text, "stack.layers.", 13) && poyi_node_find(r->root, node->text)) /* a value of a layer */
        return 1;
    poyi_schema_advise(node->text, r->kind ? r->kind : POYI_KIND_BOTH, POYI_TYPE_ANY, sizeof advice, advice);
    poyi_fault(r, node, path, "E_KEY", "%s is no key of a recipe\n%s", node->typed, advice);
    return 0;
}

int poyi_form_keys(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return check_list(ctx, r, key, node, path, key_name);
}

static const struct {
    const char *text;
    poyi_form_fn *check;
} forms[POYI_FORM_COUNT] = {
#define POYI_FORM_ROW(name, fn, text) [POYI_FORM_##name] = {text, poyi_form_##fn},
    POYI_FORMS(POYI_FORM_ROW)
#undef POYI_FORM_ROW
};

const char *poyi_form_says(poyi_form form)
{
    return forms[form].text;
}

int poyi_form_check(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return forms[key->form].check(ctx, r, key, node, path);
}
