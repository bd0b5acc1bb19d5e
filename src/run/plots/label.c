/* label.c: labels as print has them: signs for powers, micro and Greek letters, where data and CSV have plain ASCII. */
#include <stdio.h>
#include <string.h>

#include "run/plots/figure.h"

static const char *const raised[] = {"\u2070", "\u00b9", "\u00b2", "\u00b3", "\u2074",
                                     "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};

static int is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* "um", "uJ", "us", "uW" as a word of its own. */
static int is_micro(const char *text, const char *at)
{
    return at[0] == 'u' && at[1] && strchr("mJsW", at[1]) && (at == text || !is_letter(at[-1])) && !is_letter(at[2]);
}

/* The rest of a word that is to be replaced, or NULL; *skip: bytes that it stands for. */
static const char *sign_at(const char *text, const char *at, int unit, size_t *skip)
{
    static const struct {
        const char *word, *sign;
    } words[] = {{"beta_2", "\u03b2\u2082"},
                 {"beta", "\u03b2"},
                 {"gamma", "\u03b3"},
                 {"E_0", "E\u2080"},
                 {"log10", "log\u2081\u2080"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strncmp(at, words[i].word, strlen(words[i].word)) && (at == text || !is_letter(at[-1]))) {
            *skip = strlen(words[i].word);
            return words[i].sign;
        }
    *skip = 1;
    if (is_micro(text, at))
        return "\u00b5";
    if (is_digit(*at) && at > text && (at[-1] == '^' || (unit && is_letter(at[-1]))))
        return raised[*at - '0'];
    return NULL;
}

void poyi_label_print(const char *text, size_t size, char *out)
{
    size_t used = 0, skip = 1;
    int unit = 0, power = 0; /* in parentheses; after ^ */
    for (const char *at = text; *at && used + 8 < size; at += skip) {
        const char *sign = sign_at(text, at, unit, &skip);
        unit += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        power = *at == '^' || (power && (is_digit(*at) || *at == '-'));
        if (power && is_digit(*at))
            sign = raised[*at - '0'];
        if (power && *at == '-')
            sign = "\u207b";
        if (*at == '^')
            continue;
        used += (size_t)(sign ? snprintf(out + used, size - used, "%s", sign)
                              : snprintf(out + used, size - used, "%c", *at));
    }
    out[used] = '\0';
}
