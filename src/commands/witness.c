#include "commands/apart.h"
#include "commands/commands.h"

#include <errno.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "league/league.h"
#include "publish/testimony.h"
#include "mail/compose.h"
#include "mail/mail_id.h"
#include "mail/message.h"
#include "mail/spool.h"
#include "trust/signature.h"

#define MEMORY_MOST ((size_t)4 << 20) /* bytes of one game's memory */
#define KEY_MOST    65536
#define FETCH       50
#define WAIT_MOST   300
#define BEGIN       "-----BEGIN"

static const char details[] =
    "Reads one round of mail and answers the league that [witness] in league.ini names, with dice of your "
    "own key. A game with witnesses is played only when all have answered, so nobody can try a turn out "
    "first, not even an operator who plays.\n"
    "You need a folder made by `turnpost init`, with a mailbox of its own, and must not work for the league. "
    "First send --enroll, once. Then the operator names you with `turnpost new ... --witness`. "
    "turnpost-witness(1) says more.\n"
    "Exit codes: 1 a league showed two histories, and got no answer; 65 a mail was left, because what was "
    "answered before cannot be read, or a newer Turnpost made it.\n";

struct witness {
    struct league *league; /* the witness's own folder */
    struct pubkey key;     /* of the league that is witnessed */
    char *spool, *memory;  /* folders */
    int64_t now;
    size_t answered, forged, left;
};

static volatile bool stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = true;
}

/* ---- opening ---- */

static int read_key(struct witness *witness, struct err *err)
{
    const struct config *config = &witness->league->config;
    struct str text = STR_INIT;
    bool found = false;
    if (!*config->witness.league || !*config->witness.key)
        return err_set(
            err, ERR_CONFIG,
            "league.ini: [witness] must name the league's address (league) and the file of its public "
            "key (key)");
    int rc = file_read(config->witness.key, KEY_MOST, &text, err);
    struct slice rest = slice_str(&text);
    if (rc == 0)
        rc = pubkey_next(&rest, &witness->key, &found, err);
    if (rc == 0 && !found)
        rc = err_set(err, ERR_CONFIG, "it holds no key");
    if (rc) {
        err->code = ERR_CONFIG;
        err_prefix(err, "league.ini: [witness] key = %s", config->witness.key);
    }
    str_release(&text);
    return rc;
}

static int open_witness(struct witness *witness, struct league *league, struct err *err)
{
    witness->league = league;
    witness->spool = league_path(league, "spool");
    witness->memory = league_path(league, "witness");
    return read_key(witness, err);
}

static void close_witness(struct witness *witness)
{
    free(witness->spool);
    free(witness->memory);
}

/* ---- mail out ---- */

/* Signs the text and puts it into the spool, under an id that is always the same for the same text. */
static int send_text(struct witness *witness, const char *subject, const struct str *text, bool person,
                     struct err *err)
{
    const struct config *config = &witness->league->config;
    unsigned char digest[16];
    struct mail_id id;
    char name[MAIL_ID_TEXT];
    const char *at = strchr(config->league.address, '@');
    struct str body = STR_INIT, message_id = STR_INIT;
    struct outgoing mail = {.envelope_from = mem_strdup(config->league.address),
                            .envelope_to = mem_strdup(config->witness.league)};
    str_init(&mail.mail);
    str_addslice(&body, slice_str(text));
    sshsig_sign(&body, witness->league->key.key, NS_ORDERS, slice_str(text));
    crypto_generichash(digest, sizeof digest, (const unsigned char *)text->p, text->len, NULL, 0);
    id = mail_id_digested(digest, 0);
    mail_id_write(name, &id);
    str_addf(&message_id, "%s@%s", name, at ? at + 1 : "localhost");
    mail.id = mem_strdup(name);
    const struct letter letter = {.from = config->league.address,
                                  .from_name = config->league.name,
                                  .to = config->witness.league,
                                  .reply_to = config->league.address,
                                  .subject = subject,
                                  .message_id = message_id.p,
                                  .loop = config->league.address,
                                  .person = person,
                                  .date = witness->now,
                                  .text = body.p};
    compose(&mail.mail, &letter);
    int rc = spool_stage(witness->spool, &mail, err);
    if (rc == 0)
        rc = file_sync_all(witness->spool, err);
    if (rc == 0)
        rc = spool_promote(witness->spool, mail.id, err);
    outgoing_release(&mail);
    str_release(&body);
    str_release(&message_id);
    return rc;
}

static int send_spool(struct witness *witness, struct err *err)
{
    struct sink sink;
    struct sink_counts counts = {0};
    char *secret = NULL;
    int rc = league_sink(witness->league, &sink, &secret, err);
    if (rc == 0)
        rc = sink_send(&sink, &(struct sink_round){.spool = witness->spool, .now = witness->now}, &counts,
                       err);
    if (secret) {
        sodium_memzero(secret, strlen(secret));
        free(secret);
    }
    return rc;
}

static int enroll(struct witness *witness, struct err *err)
{
    char key[2 * VRF_PUBLIC + 1], print[KEY_FINGERPRINT], day[DATE_TEXT];
    struct str text = STR_INIT;
    date_text(day, witness->now / DAY_SECONDS);
    hex_to(key, witness->league->vrf_public, VRF_PUBLIC);
    pubkey_fingerprint(print, &witness->key);
    str_addf(&text, "#turnpost witness\nleague: %s\ndate: %s\nkey: %s\n#end\n", print, day, key);
    int rc = send_text(witness, "witness", &text, true, err);
    if (rc == 0)
        rc = send_spool(witness, err);
    if (rc == 0)
        (void)printf("Sent the key of the dice to %s: %s\nIt answers when your key (keys/league.pub of this "
                     "folder) is registered there.\n",
                     witness->league->config.witness.league, key);
    str_release(&text);
    return rc;
}

/* ---- mail in ---- */

/* What was answered in the game so far. */
static int read_memory(const char *path, struct testimony *memory, struct err *err)
{
    struct str lines = STR_INIT;
    int rc = file_exists(path) ? file_read(path, MEMORY_MOST, &lines, err) : 0;
    if (rc == 0 && testimony_read(slice_str(&lines), memory, err))
        rc = err_prefix(err, "%s", path);
    str_release(&lines);
    return rc;
}

/* Remembers first, then answers: otherwise a crash could lead to answers to two histories. */
static int give_answer(struct witness *witness, const struct close_seen *seen, const char *path,
                       const struct testimony *memory, struct err *err)
{
    struct str text = STR_INIT, line = STR_INIT, subject = STR_INIT;
    int rc = testimony_answer(seen, memory, witness->league->vrf_secret, witness->league->vrf_public, &text,
                              &line, err);
    if (rc == 0 && line.len && memory->turn >= seen->turn && *memory->last)
        log_warn("game %s: turn %lld is closed again, after turn %lld: it was rolled back; its journal must "
                 "say so",
                 seen->game, (long long)seen->turn, (long long)memory->turn);
    if (rc == 0 && line.len)
        rc = file_append(path, slice_str(&line), 0600, err);
    if (rc == 0) /* also what was remembered before: by a witness that died before it was on the disk */
        rc = file_sync_all(path, err);
    str_addf(&subject, "[%s] witness of turn %lld", seen->game, (long long)seen->turn);
    if (rc == 0)
        rc = send_text(witness, subject.p, &text, false, err);
    witness->answered += rc == 0;
    str_release(&text);
    str_release(&line);
    str_release(&subject);
    return rc;
}

/* The mail stays where it is, and the others are answered. */
static void leave(struct witness *witness, const struct err *why, bool *kept)
{
    log_error("%s; its mail stays in the mailbox, the others go on", why->text);
    witness->left++;
    *kept = true;
}

static int answer_close(struct witness *witness, const struct close_seen *seen, bool *kept, struct err *err)
{
    struct testimony memory;
    struct err why = ERR_INIT;
    char *path = path_join(witness->memory, seen->game);
    int rc = 0;
    memset(&memory, 0, sizeof memory);
    if (read_memory(path, &memory, &why))
        leave(witness, &why, kept);
    else if (give_answer(witness, seen, path, &memory, &why)) {
        bool forged = why.code == ERR_BROKEN;
        if (forged)
            log_error("%s", why.text);
        witness->forged += forged;
        rc = forged ? 0 : err_pass(err, &why);
    }
    free(path);
    return rc;
}

/* A close of the league that came as an attachment, if the mail has one. */
static int take_mail(struct witness *witness, const struct incoming *incoming, enum disposition *how,
                     bool *kept, struct err *err)
{
    struct message msg;
    struct err why = ERR_INIT;
    int rc = 0;
    *how = MAIL_REJECTED;
    *kept = false;
    if (message_parse(slice_str(&incoming->raw), &message_limits_default, &(struct message_identity){0}, &msg,
                      &why) == 0)
        for (size_t i = 0; i < msg.part_count && rc == 0; i++) {
            struct close_seen seen;
            if (strcmp(msg.parts[i].name, "close.json") != 0)
                continue;
            err_clear(&why);
            if (testimony_close(slice_str(&msg.parts[i].exact), witness->key.point, &seen, &why) == 0) {
                rc = answer_close(witness, &seen, kept, err);
                *how = MAIL_PROCESSED;
            } else if (why.code == ERR_NEWER) {
                leave(witness, &why, kept);
            }
            testimony_release(&seen);
        }
    message_release(&msg);
    return rc;
}

static int take_all(struct witness *witness, struct source *source, struct err *err)
{
    struct incoming mails[FETCH], gone[FETCH]; /* `gone` are some of `mails`, which own them */
    enum disposition how[FETCH];
    size_t count = 1;
    int rc = 0;
    source_again(source, NULL, NULL);
    while (rc == 0 && count > 0 && !stop_asked) {
        size_t n = 0;
        count = 0;
        rc = source_fetch(source, mails, FETCH, &count, err);
        for (size_t i = 0; rc == 0 && i < count; i++) {
            bool kept = mails[i].withheld; /* it stays, too */
            if (!kept)
                rc = take_mail(witness, &mails[i], &how[n], &kept, err);
            if (!kept)
                gone[n++] = mails[i];
        }
        if (rc == 0 && n)
            rc = source_dispose(source, gone, how, n, err);
        for (size_t i = 0; i < count; i++)
            incoming_release(&mails[i]);
    }
    return rc;
}

static int answer_mail(struct witness *witness, bool stay, struct err *err)
{
    struct source *source = NULL;
    int rc = league_source(witness->league, &source, err);
    do {
        if (rc == 0)
            rc = take_all(witness, source, err);
        if (rc == 0)
            rc = send_spool(witness, err);
        if (rc == 0 && stay && !stop_asked)
            rc = source_wait(source, WAIT_MOST, &stop_asked, err);
    } while (rc == 0 && stay && !stop_asked);
    source_close(source);
    return rc;
}

static void catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    (void)sigaction(SIGTERM, &action, NULL);
    (void)sigaction(SIGINT, &action, NULL);
}

struct wish {
    bool stay, first;
    int64_t now;
};

static int work(struct league *league, void *arg)
{
    const struct wish *wish = arg;
    struct witness witness = {.now = wish->now};
    struct err err = ERR_INIT;
    int rc = open_witness(&witness, league, &err);
    if (wish->stay)
        catch_signals();
    if (rc == 0)
        rc = wish->first ? enroll(&witness, &err) : answer_mail(&witness, wish->stay, &err);
    if (rc == 0 && !wish->first)
        log_info("%zu closes answered", witness.answered);
    size_t forged = witness.forged, left = witness.left;
    close_witness(&witness);
    return rc ? command_fail(&err) : forged ? 1 : left ? 65 : 0;
}

int command_witness(int argc, char **argv)
{
    const char *dir = NULL;
    struct wish wish = {false, false, 0};
    const struct flag flags[] = {
        {"enroll", FLAG_SWITCH, &wish.first, NULL, "send the league the key of your dice"},
        {"stay", FLAG_SWITCH, &wish.stay, NULL, "go on and wait for mail, until a signal comes"},
        {"league", FLAG_TEXT, &dir, "DIR",
         "your own folder (default: $TURNPOST_LEAGUE, else the current folder)"},
        {"now", FLAG_TIME, &wish.now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    wish.now = flag_now(wish.now);
    const struct apart apart = {
        .dir = flag_league(dir), .stay = wish.stay, .witness = true, .work = work, .arg = &wish};
    return apart_run(&apart);
}
