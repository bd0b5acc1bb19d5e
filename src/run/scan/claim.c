/* claim.c: who works on a point. Claim g of a point is made by an atomic link after claim g - 1 was found dead, so that of
 * several processes that find it dead one gets the point. Nothing is renamed or removed while the point is not over. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "run/scan/scan.h"

double poyi_claim_silence = 120, poyi_claim_interval = 15;
enum { TRIES_MAX = 16 }; /* a point at which so many processes died in a row is given up */

/* ---- who a process is ---- */

/* The start of a machine, since which its process numbers count, and the space in which they do. */
static void machine(size_t size, char *out)
{
    char boot[64] = "", host[64] = "", space[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (file) {
        if (!fgets(boot, sizeof boot, file))
            boot[0] = '\0';
        fclose(file);
    }
    boot[strcspn(boot, "\n")] = '\0';
    gethostname(host, sizeof host - 1);
    const ssize_t n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[n > 0 ? n : 0] = '\0';
    snprintf(out, size, "%s %s", boot[0] ? boot : host, space[0] ? space : "-");
}

/* Field k of /proc/PID/stat, counted as proc(5) does; at is behind the name, which may hold anything. */
static const char *stat_field(const char *at, int k)
{
    for (int field = 2; at && field < k; field++)
        at = strchr(at + 1, ' ');
    return at;
}

/* When a process was started, in ticks since the machine was: tells it from a later one of the same number. -1: it is not
 * there, and holds no file any more, as a process does of which one thread is still on its way out; 0: nobody knows. */
static long long start_of(long pid)
{
    char path[64], text[1024];
    if (kill((pid_t)pid, 0) && errno == ESRCH)
        return -1;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return access("/proc/self/stat", R_OK) ? 0 : -1;
    const size_t n = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[n] = '\0';
    const char *name = strrchr(text, ')'), *threads = stat_field(name, 20), *start = stat_field(name, 22);
    if (!name || !threads || !start)
        return -1;
    const char state = name[2];
    return (state == 'Z' || state == 'X') && strtol(threads, NULL, 10) <= 1 ? -1 : strtoll(start, NULL, 10);
}

/* ---- claims as files ---- */

typedef struct owner {
    char machine[200];
    long pid;
    long long start;
    int is_free; /* it stopped, and left what it had */
} owner;

static void claim_path(const poy_recipe_scan *s, int64_t i, int generation, char out[POYI_SCAN_PATH])
{
    char ending[32];
    snprintf(ending, sizeof ending, "claim.%d", generation);
    poyi_scan_path(s, i, ending, out);
}

static void claim_text(const owner *o, size_t size, char *out)
{
    snprintf(out, size, "%s\n%ld %lld\n%s\n", o->machine, o->pid, o->start, o->is_free ? "free" : "running");
}

static owner myself(void)
{
    owner o = {.pid = (long)getpid()};
    machine(sizeof o.machine, o.machine);
    o.start = start_of(o.pid);
    return o;
}

/* 1; 0 where there is no such claim; 2 where it cannot be read. */
static int read_owner(const char *path, owner *o)
{
    char numbers[64] = "", state[32] = "", *end = numbers;
    FILE *file = fopen(path, "r");
    *o = (owner){.pid = -1};
    if (!file)
        return errno == ENOENT ? 0 : 2;
    const int whole = fgets(o->machine, sizeof o->machine, file) && fgets(numbers, sizeof numbers, file) &&
                      fgets(state, sizeof state, file);
    fclose(file);
    if (!whole)
        return 2;
    o->machine[strcspn(o->machine, "\n")] = '\0';
    o->pid = strtol(numbers, &end, 10);
    o->start = strtoll(end, NULL, 10);
    o->is_free = !strncmp(state, "free", 4);
    return 1;
}

/* Seconds since a claim was renewed, by the clock of its file system; by that of this machine where the folder can only be read. */
static double silence(const poy_recipe_scan *s, const char *path)
{
    char own[POYI_SCAN_PATH];
    struct stat claim, now = {0};
    char host[64] = "";
    gethostname(host, sizeof host - 1);
    snprintf(own, sizeof own, "%.1000s/.%s.%ld.now", s->folder, host, (long)getpid());
    int fd = open(own, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        clock_gettime(CLOCK_REALTIME, &now.st_mtim);
    const int known = (fd < 0 || (!futimens(fd, NULL) && !fstat(fd, &now))) && !stat(path, &claim);
    if (fd >= 0)
        close(fd);
    unlink(own);
    return known ? (double)(now.st_mtim.tv_sec - claim.st_mtim.tv_sec) +
                       1e-9 * (double)(now.st_mtim.tv_nsec - claim.st_mtim.tv_nsec)
                 : 0;
}

enum { ALIVE, DEAD, SILENT, LEFT };

static int condition(const poy_recipe_scan *s, const char *path, const owner *me, const owner *its)
{
    if (its->is_free)
        return LEFT;
    if (its->pid >= 0 && !strcmp(its->machine, me->machine)) {
        const long long start = start_of(its->pid);
        return start < 0 || (start > 0 && its->start > 0 && start != its->start) ? DEAD : ALIVE;
    }
    const double silent = silence(s, path);
    if (silent <
        -poyi_claim_interval) /* a clock was put back since: from now on it counts anew, whoever lives renews it */
        utimensat(AT_FDCWD, path, NULL, 0);
    return silent > poyi_claim_silence ? SILENT : ALIVE;
}

/* ---- taking and leaving ---- */

static void remove_claims(const poy_recipe_scan *s, int64_t i, int last)
{
    char path[POYI_SCAN_PATH];
    for (int g = last; g >= 0; g--) { /* the newest last would let an old one count again */
        claim_path(s, i, last - g, path);
        unlink(path);
    }
}

static poy_status link_claim(poy_ctx *ctx, const poy_recipe_scan *s, poyi_claim *c, const owner *me,
                             poyi_claim_outcome *outcome)
{
    char path[POYI_SCAN_PATH], text[300];
    claim_path(s, c->point, c->generation, path);
    claim_text(me, sizeof text, text);
    const int made = poyi_scan_publish(s, path, text);
    if (made < 0)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be written: %s", path, strerror(errno));
    *outcome = made ? POYI_CLAIM_TAKEN : POYI_CLAIM_BUSY;
    if (made && poyi_scan_is_over(s, c->point)) { /* it ended, and its claims went, since this process looked */
        remove_claims(s, c->point, c->generation);
        *outcome = POYI_CLAIM_OVER;
    }
    return POY_OK;
}

/* The last claim of a point, whose number is the answer's; -1: there is none. deaths: processes that did not say that they
 * left it. */
static int last_claim(const poy_recipe_scan *s, int64_t i, owner *last, int *deaths)
{
    char path[POYI_SCAN_PATH];
    *last = (owner){.pid = -1};
    *deaths = 0;
    for (int n = 0;; n++) {
        owner its;
        claim_path(s, i, n, path);
        if (!read_owner(path, &its))
            return n - 1;
        *last = its;
        *deaths += !its.is_free;
    }
}

poy_status poyi_claim_take(poy_ctx *ctx, const poy_recipe_scan *s, int64_t i, poyi_claim *claim,
                           poyi_claim_outcome *outcome)
{
    char path[POYI_SCAN_PATH];
    owner last;
    int deaths = 0;
    *claim = (poyi_claim){.point = i};
    *outcome = POYI_CLAIM_OVER;
    if (poyi_scan_is_over(s, i))
        return POY_OK;
    const owner me = myself();
    claim->generation = last_claim(s, i, &last, &deaths) + 1;
    if (claim->generation) {
        claim_path(s, i, claim->generation - 1, path);
        const int is = condition(s, path, &me, &last);
        *outcome = is == ALIVE ? POYI_CLAIM_BUSY : POYI_CLAIM_GIVEN_UP;
        if (is == ALIVE || deaths >= TRIES_MAX)
            return POY_OK;
        claim->continues = is == DEAD || is == LEFT;
    }
    POYI_TRY(ctx, link_claim(ctx, s, claim, &me, outcome));
    return POY_OK;
}

int poyi_claim_is_alive(const poy_recipe_scan *s, int64_t i)
{
    char path[POYI_SCAN_PATH];
    owner last;
    int deaths = 0;
    const owner me = myself();
    const int n = last_claim(s, i, &last, &deaths);
    if (n < 0)
        return 0;
    claim_path(s, i, n, path);
    return condition(s, path, &me, &last) == ALIVE;
}

void poyi_claim_renew(const poy_recipe_scan *s, const poyi_claim *c)
{
    char path[POYI_SCAN_PATH];
    claim_path(s, c->point, c->generation, path);
    utimensat(AT_FDCWD, path, NULL, 0);
}

void poyi_claim_free(const poy_recipe_scan *s, const poyi_claim *c)
{
    char path[POYI_SCAN_PATH], text[300], own[POYI_SCAN_PATH + 8];
    owner me = myself();
    me.is_free = 1;
    claim_path(s, c->point, c->generation, path);
    claim_text(&me, sizeof text, text);
    snprintf(own, sizeof own, "%s.new", path);
    FILE *file = fopen(own, "w");
    if (!file)
        return; /* it will be found dead */
    const int written = fputs(text, file) >= 0;
    if (fclose(file) || !written || rename(own, path))
        unlink(own);
}

void poyi_claim_part(const poy_recipe_scan *s, const poyi_claim *c, int generation, char out[POYI_SCAN_PATH])
{
    char ending[32];
    snprintf(ending, sizeof ending, "%d.part.h5", generation);
    poyi_scan_path(s, c->point, ending, out);
}

void poyi_claim_clear(const poy_recipe_scan *s, const poyi_claim *c)
{
    char path[POYI_SCAN_PATH], journal[POYI_SCAN_PATH + 16];
    for (int g = 0; g <= c->generation; g++) {
        poyi_claim_part(s, c, g, path);
        unlink(path);
        snprintf(journal, sizeof journal, "%s.journal", path);
        unlink(journal);
    }
    remove_claims(s, c->point, c->generation);
}

int poyi_claim_is_of(const poy_recipe_scan *s, int64_t i, long pid, poyi_claim *claim)
{
    owner last;
    int deaths = 0;
    const owner me = myself();
    const int n = last_claim(s, i, &last, &deaths);
    *claim = (poyi_claim){.point = i, .generation = n};
    return n >= 0 && last.pid == pid && !last.is_free && !strcmp(last.machine, me.machine);
}
