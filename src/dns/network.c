#include "dns/network.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unbound.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/utf8.h"

#define TYPE_TXT 16
#define CLASS_IN 1
#define WAKE     5 /* seconds that the resolver's thread has to start */

struct network {
    struct ub_ctx *ctx;
    bool validates;
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

static void wait_for(const struct network *network, const struct heard *heard, int64_t milliseconds)
{
    int64_t end = clock_milliseconds() + milliseconds;
    struct pollfd ready = {.fd = ub_fd(network->ctx), .events = POLLIN};
    for (int64_t left; !heard->done && (left = end - clock_milliseconds()) > 0;)
        if (poll(&ready, 1, (int)left) > 0 && ub_process(network->ctx))
            break;
}

/* Does the resolver's thread live? It knows "localhost" by itself. If it does not, unbound waits for it for ever
 * when it is asked to end, so it is left as it is. */
static int wake(struct network *network, struct err *err)
{
    struct heard *heard = mem_alloc(sizeof *heard);
    int id = 0;
    int code = ub_resolve_async(network->ctx, "localhost", TYPE_TXT, CLASS_IN, heard, hear, &id);
    if (code == 0)
        wait_for(network, heard, (int64_t)WAKE * 1000);
    bool lives = heard->done;
    if (lives) {
        ub_resolve_free(heard->result);
        free(heard);
        return 0;
    }
    return err_set(err, ERR_TEMP, "the resolver of the DNS does not start%s%s", code ? ": " : "",
                   code ? ub_strerror(code) : "");
}

int network_open(const struct dns_way *way, struct network **network, struct err *err)
{
    struct ub_ctx *ctx = ub_ctx_create();
    *network = NULL;
    if (!ctx)
        return err_set(err, ERR_TEMP, "the resolver of the DNS does not start");
    if (set_up(ctx, way, err)) {
        ub_ctx_delete(ctx);
        return -1;
    }
    struct network *made = mem_alloc(sizeof *made);
    *made = (struct network){.ctx = ctx, .validates = *way->anchor != '\0'};
    if (wake(made, err))
        return -1;
    *network = made;
    return 0;
}

void network_close(struct network *network)
{
    ub_ctx_delete(network->ctx);
    free(network);
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

static void read_result(const struct network *network, const struct ub_result *result,
                        struct dns_answer *answer)
{
    answer->secure = network->validates && result->secure && !result->bogus;
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

int64_t network_ask(struct network *network, const char *name, int64_t most, struct dns_answer *answer)
{
    struct heard heard = {false, 0, NULL};
    int id = 0;
    int code = ub_resolve_async(network->ctx, name, TYPE_TXT, CLASS_IN, &heard, hear, &id);
    if (code == 0)
        wait_for(network, &heard, most);
    if (code == 0 && !heard.done)
        ub_cancel(network->ctx, id);
    if (heard.done && heard.result)
        read_result(network, heard.result, answer);
    else if (code || heard.code)
        say(answer, DNS_LATER, ub_strerror(code ? code : heard.code));
    else
        say(answer, DNS_LATER, "no answer in time");
    int64_t ttl = heard.result ? heard.result->ttl : 0;
    ub_resolve_free(heard.result);
    return ttl;
}
