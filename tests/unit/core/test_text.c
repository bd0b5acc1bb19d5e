/* test_text.c: the growing string, distances of words, digests. */
#include <string.h>

#include "core/core.h"
#include "tap.h"

static void test_growing(void)
{
    poyi_text t = {0};
    poyi_text_add(&t, "%s", "");
    ok(t.text && !*t.text && t.length == 0, "an empty append makes an empty string");
    for (size_t i = 0; i < 5000; i++)
        poyi_text_add(&t, "%zu,", i % 10);
    int wrong = 0;
    for (size_t i = 0; i < 5000; i++)
        wrong += t.text[2 * i] != "0123456789"[i % 10] || t.text[2 * i + 1] != ',';
    ok(t.length == 10000 && strlen(t.text) == 10000 && !wrong && !t.failed, "5000 appends stand one after the other");
    poyi_text_fini(&t);
    ok(!t.text && !t.length && !t.capacity, "fini leaves it empty");

    /* an append that fits the capacity exactly, and one more */
    for (size_t n = 62; n <= 65; n++) {
        char word[80] = {0};
        memset(word, 'x', n);
        poyi_text_add(&t, "%s", word);
        ok(t.length == n && !strcmp(t.text, word), "a string of %zu characters", n);
        poyi_text_fini(&t);
    }
}

static void test_distance(void)
{
    static const struct {
        const char *a, *b;
        int distance;
    } words[] = {
        {"", "", 0},         {"", "abc", 3},           {"abc", "", 3},   {"pressure", "presure", 1},
        {"ca", "ac", 1},     {"kitten", "sitting", 3}, {"ca", "abc", 3}, /* 2 without the restriction */
        {"fwhm", "fhwm", 1}, {"same", "same", 0},      {"a", "b", 1},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        int d = poy_text_distance(words[i].a, words[i].b), e = poy_text_distance(words[i].b, words[i].a);
        ok(d == words[i].distance && e == d, "distance of '%s' and '%s' is %d (got %d, %d)", words[i].a, words[i].b,
           words[i].distance, d, e);
    }
    char long_a[200], long_b[200];
    memset(long_a, 'a', sizeof long_a - 1);
    memset(long_b, 'b', sizeof long_b - 1);
    long_a[sizeof long_a - 1] = long_b[sizeof long_b - 1] = '\0';
    ok(poy_text_distance(long_a, long_b) == 63, "of long words 63 characters are compared");
}

static void digests(const char *name, const char *data, size_t bytes, size_t times, const char *want)
{
    poyi_sha256 s;
    unsigned char digest[32];
    char hex[65];
    poyi_sha256_init(&s);
    for (size_t i = 0; i < times; i++)
        poyi_sha256_add(&s, data, bytes);
    poyi_sha256_end(&s, digest);
    poyi_sha256_hex(digest, hex);
    ok(!strcmp(hex, want), "SHA-256 of %s is %s", name, hex);
}

/* FIPS 180-4 examples (NIST, "SHA256.pdf"), the long message of FIPS 180-2, B.3. */
static void test_digests(void)
{
    const char *two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    digests("nothing", "", 0, 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    digests("abc", "abc", 3, 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    digests("56 letters", two_blocks, 56, 1, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    digests("a million a", "aaaaaaaaaa", 10, 100000,
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

int main(void)
{
    test_growing();
    test_distance();
    test_digests();
    return tap_done();
}
