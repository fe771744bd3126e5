#include "dns/resolver.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unbound.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "dns/memory.h"

#define TYPE_TXT 16
#define CLASS_IN 1
#define WAKE     5 /* seconds that the resolver's thread has to start */

struct resolver {
    struct ub_ctx *ctx;
    pthread_mutex_t lock; /* of all that follows, and of asking */
    struct dns_memory memory;
    int seconds;
    bool validates;
    bool begun; /* resolver_read was called */
    bool asked; /* since resolver_write */
};

/* ---- setting up ---- */

static int fail(int code, const char *what, struct err *err)
{
    return code ? err_set(err, ERR_CONFIG, "%s: %s", what, ub_strerror(code)) : 0;
}

/* Threads, because the sandbox forbids processes; and no file of unbound's own is read. */
static int set_up(struct ub_ctx *ctx, const struct dns_way *way, struct err *err)
{
    int rc = fail(ub_ctx_async(ctx, 1), "cannot start the resolver", err);
    if (rc == 0 && *way->server)
        rc = fail(ub_ctx_set_fwd(ctx, way->server), way->server, err);
    if (rc == 0 && !*way->server)
        rc = fail(ub_ctx_resolvconf(ctx, NULL), "/etc/resolv.conf", err);
    /* A server on this host, as most have, is as good as any; unbound asks none there by itself. */
    if (rc == 0)
        rc = fail(ub_ctx_set_option(ctx, "do-not-query-localhost:", "no"), "the resolver", err);
    /* Some names whose servers are silent make unbound take the server that it asks for dead, and it asks that for no
     * other name for minutes. So it does not remember how servers did. */
    if (rc == 0)
        rc = fail(ub_ctx_set_option(ctx, "infra-host-ttl:", "0"), "the resolver", err);
    if (rc == 0 && *way->anchor && !file_exists(way->anchor))
        rc = err_set(err, ERR_CONFIG,
                     "%s, the key of the DNS root, is not there: install the package dns-root-data",
                     way->anchor);
    if (rc == 0 && *way->anchor)
        rc = fail(ub_ctx_add_ta_file(ctx, way->anchor), way->anchor, err);
    /* Nothing can be set after this. unbound knows by itself that there is no "test" (RFC 6761); whoever names a
     * server may have one. */
    if (rc == 0 && *way->server)
        rc = fail(ub_ctx_zone_add(ctx, "test.", "transparent"), "the resolver", err);
    return rc;
}

void resolver_close(struct resolver *resolver)
{
    if (!resolver)
        return;
    ub_ctx_delete(resolver->ctx);
    pthread_mutex_destroy(&resolver->lock);
    memory_release(&resolver->memory);
    free(resolver);
}

/* ---- a question ---- */

/* What the resolver's thread gives back. */
struct heard {
    bool done;
    int code;
    struct ub_result *result; /* NULL when the code is not 0 */
};

static void hear(void *arg, int code, struct ub_result *result)
{
    struct heard *heard = arg;
    *heard = (struct heard){true, code, result};
}

static void wait_for(const struct resolver *resolver, const struct heard *heard, int64_t milliseconds)
{
    int64_t end = clock_milliseconds() + milliseconds;
    struct pollfd ready = {.fd = ub_fd(resolver->ctx), .events = POLLIN};
    for (int64_t left; !heard->done && (left = end - clock_milliseconds()) > 0;)
        if (poll(&ready, 1, (int)left) > 0 && ub_process(resolver->ctx))
            break;
}

/* Does the resolver's thread live? It knows "localhost" by itself. If it does not, unbound waits for it for ever
 * when it is asked to end, so it is left as it is. */
static int wake(struct resolver *resolver, struct err *err)
{
    struct heard *heard = mem_alloc(sizeof *heard);
    int id = 0;
    int code = ub_resolve_async(resolver->ctx, "localhost", TYPE_TXT, CLASS_IN, heard, hear, &id);
    if (code == 0)
        wait_for(resolver, heard, (int64_t)WAKE * 1000);
    bool lives = heard->done;
    if (lives) {
        ub_resolve_free(heard->result);
        free(heard);
        return 0;
    }
    return err_set(err, ERR_TEMP, "the resolver of the DNS does not start%s%s", code ? ": " : "",
                   code ? ub_strerror(code) : "");
}

int resolver_open(const struct dns_way *way, struct resolver **resolver, struct err *err)
{
    struct ub_ctx *ctx = ub_ctx_create();
    *resolver = NULL;
    if (!ctx)
        return err_set(err, ERR_TEMP, "the resolver of the DNS does not start");
    if (set_up(ctx, way, err)) {
        ub_ctx_delete(ctx);
        return -1;
    }
    struct resolver *made = mem_alloc(sizeof *made);
    *made = (struct resolver){.ctx = ctx, .seconds = way->seconds, .validates = *way->anchor != '\0'};
    pthread_mutex_init(&made->lock, NULL);
    if (wake(made, err))
        return -1;
    *resolver = made;
    return 0;
}

static void say(struct dns_answer *answer, enum dns_found found, const char *why)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(why), false);
    utf8_cut(&safe, sizeof answer->why - 1);
    answer->found = found;
    (void)snprintf(answer->why, sizeof answer->why, "%s", safe.p);
    str_release(&safe);
}

/* "\003abc\002de" -> "abcde". False when the lengths do not add up, or to too much. */
static bool join(struct str *out, const char *bytes, int len)
{
    for (int at = 0; at < len; at += (unsigned char)bytes[at] + 1) {
        int piece = (unsigned char)bytes[at];
        if (at + 1 + piece > len || out->len + (size_t)piece > DNS_TEXT_MAX)
            return false;
        str_add(out, bytes + at + 1, (size_t)piece);
    }
    return true;
}

static void read_result(const struct resolver *resolver, const struct ub_result *result,
                        struct dns_answer *answer)
{
    answer->secure = resolver->validates && result->secure && !result->bogus;
    if (result->bogus)
        say(answer, DNS_FORGED, result->why_bogus ? result->why_bogus : "the signatures do not hold");
    else if (!result->havedata && (result->nxdomain || result->rcode == 0))
        answer->found = DNS_NONE;
    else if (!result->havedata)
        say(answer, DNS_LATER, "the name servers fail");
    else if (result->data[1] || !join(&answer->text, result->data[0], result->len[0]))
        answer->found = DNS_SEVERAL;
    else
        answer->found = DNS_FOUND;
    if (answer->found != DNS_FOUND)
        str_clear(&answer->text);
}

/* Seconds that it may be kept; it takes at most so many milliseconds. */
static int64_t ask(struct resolver *resolver, const char *name, int64_t most, struct dns_answer *answer)
{
    struct heard heard = {false, 0, NULL};
    int id = 0;
    int code = ub_resolve_async(resolver->ctx, name, TYPE_TXT, CLASS_IN, &heard, hear, &id);
    if (code == 0)
        wait_for(resolver, &heard, most);
    if (code == 0 && !heard.done)
        ub_cancel(resolver->ctx, id);
    if (heard.done && heard.result)
        read_result(resolver, heard.result, answer);
    else if (code || heard.code)
        say(answer, DNS_LATER, ub_strerror(code ? code : heard.code));
    else
        say(answer, DNS_LATER, "no answer in time");
    int64_t ttl = heard.result ? heard.result->ttl : 0;
    ub_resolve_free(heard.result);
    return ttl;
}

static void ask_anew(struct resolver *resolver, const struct dns_question *question, bool counts,
                     struct dns_answer *answer)
{
    int64_t most = (int64_t)resolver->seconds * 1000, began = clock_milliseconds();
    int64_t left = counts ? memory_charge(&resolver->memory, question) : most;
    if (!left) {
        say(answer, DNS_LATER, "too many questions");
        answer->unasked = true;
        return;
    }
    int64_t ttl = ask(resolver, question->name, left < most ? left : most, answer);
    if (counts)
        memory_waited(&resolver->memory, question, clock_milliseconds() - began);
    memory_keep(&resolver->memory, question, ttl, answer);
    resolver->asked = true;
}

void resolver_text(struct resolver *resolver, const char *name, const char *domain, int64_t now,
                   struct dns_answer *answer)
{
    dns_answer_release(answer);
    if (strlen(name) > DNS_NAME_MAX) {
        answer->found = DNS_NONE;
        return;
    }
    const struct dns_question question = {name, domain ? domain : name, now};
    pthread_mutex_lock(&resolver->lock);
    if (!memory_recall(&resolver->memory, name, now, answer))
        ask_anew(resolver, &question, domain != NULL, answer);
    pthread_mutex_unlock(&resolver->lock);
}

void resolver_welcome(struct resolver *resolver, const char *const *domains, size_t count)
{
    pthread_mutex_lock(&resolver->lock);
    memory_welcome(&resolver->memory, domains, count);
    pthread_mutex_unlock(&resolver->lock);
}

bool resolver_is_welcome(struct resolver *resolver, const char *domain)
{
    pthread_mutex_lock(&resolver->lock);
    bool welcome = memory_is_welcome(&resolver->memory, domain);
    pthread_mutex_unlock(&resolver->lock);
    return welcome;
}

bool resolver_write(struct resolver *resolver, struct str *out)
{
    pthread_mutex_lock(&resolver->lock);
    bool asked = resolver->asked;
    if (asked)
        memory_write(&resolver->memory, out);
    resolver->asked = false;
    pthread_mutex_unlock(&resolver->lock);
    return asked;
}

int resolver_read(struct resolver *resolver, struct slice text, struct err *err)
{
    pthread_mutex_lock(&resolver->lock);
    int rc = resolver->begun || !text.len ? 0 : memory_read(&resolver->memory, text, err);
    resolver->begun = true;
    pthread_mutex_unlock(&resolver->lock);
    return rc;
}

void resolver_tell(struct resolver *resolver, const char *name, const char *text, int64_t now)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    const struct dns_question question = {name, name, now};
    answer.found = DNS_FOUND;
    answer.secure = false;
    str_adds(&answer.text, text);
    pthread_mutex_lock(&resolver->lock);
    memory_keep(&resolver->memory, &question, DNS_MOST, &answer);
    pthread_mutex_unlock(&resolver->lock);
    dns_answer_release(&answer);
}
