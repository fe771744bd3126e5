/* The post: mail to the league, that is late, lost or copied on its way, and mail from it, that servers refuse for now or for good, or
 * take and say that they have not; and name servers, as libunbound would ask them. */
#include "sim/sim.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "dns/network.h"
#include "house/domain.h"
#include "mail/sink.h"

struct domain post_domain;

/* ---- to the league ---- */

#define NOT_WRITTEN SIZE_MAX
struct under_way {
    int64_t at;
    size_t number; /* in `written`, or NOT_WRITTEN: nobody's */
    struct str raw;
};
static struct under_way *under_way;
static size_t way_count, way_cap;

static void set_out(int64_t at, size_t number, struct slice raw)
{
    under_way = mem_grow(under_way, way_count, &way_cap, sizeof *under_way);
    struct under_way *mail = &under_way[way_count++];
    *mail = (struct under_way){.at = at, .number = number, .raw = STR_INIT};
    str_addslice(&mail->raw, raw);
}

void post_send(struct person *from, const char *event, struct slice raw)
{
    struct dice luck = dice("post %s", event);
    int64_t delay = 5 + roll(&luck, 120);
    post_keep(from, raw, true);
    counted->sent++;
    if (world.on[F_late] && chance(&luck, 150))
        delay += roll(&luck, 2 * 86400);
    if (!world.on[F_lost] || !chance(&luck, 20))
        set_out(now() + delay, written_count - 1, raw);
    if (world.on[F_copies] && chance(&luck, 60))
        set_out(now() + delay + roll(&luck, 86400), written_count - 1, raw);
}

void post_deliver(void)
{
    static long number;
    for (size_t i = 0; i < way_count;) {
        struct under_way *mail = &under_way[i];
        if (mail->at > now()) {
            i++;
            continue;
        }
        char *path = world_path("mail/in/new/%010lld.%06ld.sim", (long long)mail->at, ++number);
        raw_file(path, slice_str(&mail->raw), mail->at + world.wrong);
        free(path);
        str_release(&mail->raw);
        int64_t *at = mail->number < written_count ? &written[mail->number].at : NULL;
        if (at && (!*at || mail->at < *at)) /* its copy may be looked at before it */
            *at = mail->at;
        *mail = under_way[--way_count];
    }
}

void post_hold_back(void)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *folder = path_join(world.dir, "mail/in/new");
    MUST_DO(file_list(folder, &names, &err), err);
    for (size_t i = 0; i + 1 < names.count; i++) {
        char *path = path_join(folder, names.name[i]);
        struct str raw = STR_INIT;
        MUST_DO(file_read(path, (size_t)1 << 24, &raw, &err), err);
        set_out(now(), NOT_WRITTEN, slice_str(&raw));
        MUST_DO(file_remove(path, &err), err);
        str_release(&raw);
        free(path);
    }
    file_names_free(&names);
    free(folder);
}

/* ---- from the league ---- */

/* Whose address it is, of whatever domain; -1: nobody's. */
static int reader_of(const char *to)
{
    for (int i = 0; i < world.people; i++)
        if (str_starts(to, world.person[i].name) && to[strlen(world.person[i].name)] == '@')
            return i;
    return -1;
}

/* What the server has taken, or refused for good ("!"), is in a file: it is known when the process has died, too. */
static int take(const struct sink *sink, const struct sendmail_mail *mail, struct sendmail_end *end,
                struct err *err)
{
    (void)sink;
    (void)err;
    hosts_sends();
    struct dice luck = dice("server %s %lld", mail->to, (long long)world.ms);
    unsigned how = world.on[F_smtp] && !world.calm ? roll(&luck, 1000) : 1000;
    counted->had[F_smtp] |= how < 98;
    *end = (struct sendmail_end){.code = how < 95 ? 75 : how < 98 ? 67 : 0, .words = STR_INIT};
    if (how < 80)
        return 0; /* else it has taken it, or refused it for good, whatever it says */
    struct str out = STR_INIT, to = STR_INIT;
    str_addf(&to, "%s%s", end->code == 67 ? "!" : "", mail->to);
    const uint32_t len[2] = {(uint32_t)to.len, (uint32_t)mail->text.len};
    str_add(&out, (const char *)len, sizeof len);
    str_addslice(&out, slice_str(&to));
    str_addslice(&out, mail->text);
    raw_append(world.outbox, slice_str(&out));
    str_release(&out);
    str_release(&to);
    return 0;
}

int __real_league_sink(const struct league *league, struct sink *sink, char **secret, struct err *err);
int __wrap_league_sink(const struct league *league, struct sink *sink, char **secret, struct err *err);
int __wrap_league_sink(const struct league *league, struct sink *sink, char **secret, struct err *err)
{
    int rc = __real_league_sink(league, sink, secret, err);
    sink->kind = SINK_SENDMAIL;
    sink->command = "sim";
    sink->run = take;
    return rc;
}

static const char *mails_path(void)
{
    static char path[120];
    (void)snprintf(path, sizeof path, "%s.mails", world.dir);
    return path;
}

void post_keep(struct person *person, struct slice raw, bool own)
{
    static off_t end;
    struct str text = STR_INIT;
    for (size_t i = 0; i < raw.len; i++)
        if (raw.p[i] != '\r')
            str_addc(&text, raw.p[i]);
    (void)!truncate(mails_path(), end); /* what a process has kept that ended with its point is gone */
    raw_append(mails_path(), slice_str(&text));
    person->mails = mem_grow(person->mails, person->count, &person->cap, sizeof *person->mails);
    person->mails[person->count++] = (struct mail_kept){.at = end, .len = text.len, .own = own};
    end += (off_t)text.len;
    str_release(&text);
}

void post_read(const struct mail_kept *mail, struct str *raw)
{
    static int fd = -1;
    char part[4096];
    if (fd < 0)
        fd = open(mails_path(), O_RDONLY | O_CLOEXEC);
    str_init(raw);
    for (size_t n; raw->len < mail->len; str_add(raw, part, n)) {
        n = mail->len - raw->len < sizeof part ? mail->len - raw->len : sizeof part;
        MUST(pread(fd, part, n, mail->at + (off_t)raw->len) == (ssize_t)n, "a mail that was kept is gone");
    }
}

/* "<" is not part of it. */
static void add_returned(struct str *raw, struct slice mail, const char *to, const char *id, unsigned how)
{
    static const char *const status[][3] = {{"failed", "5.1.1", "550 5.1.1 no such user"},
                                            {"failed", "4.4.7", "450 4.4.7 it took too long"},
                                            {"delayed", "4.4.1", "no answer"},
                                            {"failed", "5.2.2", "552 5.2.2 mailbox full"}};
    str_addf(
        raw,
        "From: Mail Delivery System <MAILER-DAEMON@mx.test>\r\nTo: league@example.org\r\nSubject: "
        "Undelivered\r\n"
        "Message-ID: <back.%s\r\nDate: Fri, 20 Nov 2026 12:00:00 +0000\r\nAuto-Submitted: auto-replied\r\n"
        "MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; "
        "boundary=\"b\"\r\n\r\n"
        "--b\r\n\r\nSorry.\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; "
        "mx.test\r\n\r\n"
        "Final-Recipient: rfc822; %s\r\nAction: %s\r\nStatus: %s\r\nDiagnostic-Code: smtp; %s\r\n\r\n"
        "--b\r\nContent-Type: message/rfc822\r\n\r\n",
        id, to, status[how][0], status[how][1], status[how][2]);
    for (size_t i = 0;
         i < mail.len && !(mail.p[i] == '\n' && (mail.p[i + 1] == '\n' || mail.p[i + 1] == '\r')); i++)
        if (mail.p[i] != '\r')
            str_addf(raw, mail.p[i] == '\n' ? "\r\n" : "%c", mail.p[i]);
    str_adds(raw, "\r\n\r\n--b--\r\n");
}

/* A server further on has refused it, and says so by mail. */
static bool comes_back(struct slice mail, const char *to)
{
    char id[200];
    struct str text = STR_INIT, raw = STR_INIT;
    struct dice luck = dice("back %s %lld %zu", to, (long long)world.ms, mail.len);
    if (!world.on[F_bounces] || world.calm || !chance(&luck, 25))
        return false;
    str_addslice(&text, mail);
    bool named = mail_field(&text, "Message-ID", id, sizeof id);
    if (named) {
        add_returned(&raw, mail, to, id + (*id == '<'), roll(&luck, 4));
        set_out(now() + 60 + roll(&luck, 7200), NOT_WRITTEN, slice_str(&raw));
        tell("to %s comes back: %s", to, id);
    }
    str_release(&text);
    str_release(&raw);
    return named;
}

void post_fetch(void)
{
    static size_t read_to;
    struct str all = STR_INIT;
    struct err err = ERR_INIT;
    if (file_exists(world.outbox))
        MUST_DO(file_read(world.outbox, (size_t)1 << 30, &all, &err), err);
    while (read_to < all.len) {
        uint32_t len[2];
        memcpy(len, all.p + read_to, sizeof len);
        const char *to = all.p + read_to + sizeof len;
        char address[100];
        (void)snprintf(address, sizeof address, "%.*s", (int)len[0], to);
        const struct slice mail = {to + len[0], len[1]};
        const bool refused = *address == '!', lost = refused || comes_back(mail, address);
        const int reader = reader_of(address + refused);
        if (!lost && reader >= 0)
            post_keep(&world.person[reader], mail, false);
        else if (reader >= 0) {
            struct str raw = STR_INIT;
            str_addslice(&raw, mail);
            judge_lost(reader, &raw);
            str_release(&raw);
        }
        read_to += sizeof len + len[0] + len[1];
    }
    if (read_to > (size_t)1 << 20) { /* all of it is read */
        (void)!truncate(world.outbox, 0);
        read_to = 0;
    }
    str_release(&all);
}

/* ---- name servers, in the place of dns/network.c ---- */

int __wrap_network_open(const struct dns_way *way, struct network **network, struct err *err);
int __wrap_network_open(const struct dns_way *way, struct network **network, struct err *err)
{
    (void)way;
    (void)err;
    *network = NULL;
    return 0;
}

void __wrap_network_close(struct network *network);
void __wrap_network_close(struct network *network)
{
    (void)network;
}

/* "mail._domainkey.DOMAIN" has the key; half days come on which nobody answers. */
int64_t __wrap_network_ask(struct network *network, const char *name, int64_t most,
                           struct dns_answer *answer);
int64_t __wrap_network_ask(struct network *network, const char *name, int64_t most, struct dns_answer *answer)
{
    (void)network;
    struct dice half_day = dice("%s %lld", name, (long long)now() / 43200),
                luck = dice("%s %lld", name, (long long)world.ms);
    bool silent = now() < world.nameless_until ||
                  (world.on[F_dns] && !world.calm && (chance(&half_day, 200) || chance(&luck, 150)));
    int64_t takes = silent ? most : roll(&luck, 200);
    world.ms += takes < most ? takes : most;
    if (takes >= most) {
        (void)snprintf(answer->why, sizeof answer->why, "no answer in time");
        return 0;
    }
    answer->found = str_starts(name, "mail._domainkey.") ? DNS_FOUND : DNS_NONE;
    if (answer->found == DNS_FOUND)
        str_addslice(&answer->text, slice_str(&post_domain.record));
    return 3600;
}

void post_open(void)
{
    domain_open(&post_domain, 1);
}
