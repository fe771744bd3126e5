#include "commands/apart.h"
#include "commands/commands.h"
#include "commands/watched.h"

#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "league/league.h"
#include "league/witnesses.h"
#include "mail/compose.h"
#include "mail/mail_id.h"
#include "mail/message.h"
#include "mail/spool.h"
#include "tlog/armor.h"
#include "tlog/witness.h"

#define FETCH      50
#define WAIT_MOST  300
#define OWNER_ONLY 0600

static const char details[] =
    "Reads one round of mail and answers the league that [witness] in league.ini names: it cosigns the "
    "league's log, if that has only grown "
    "since it was cosigned last, and gives dice of your own for turns that were closed. A game with "
    "witnesses is played only when most of "
    "them have answered, so nobody can try a turn out first, not even an operator who plays, and nobody can "
    "show two histories.\n"
    "You need a folder made by `turnpost init`, with a mailbox of its own, and must not work for the league. "
    "--enroll prints the line that you mail to the operator, once. turnpost-witness(1) says more.\n"
    "Exit codes: 1 a league showed two histories, and got no answer.\n";

struct witness {
    struct league *league; /* the witness's own folder */
    struct vkey log;       /* that is witnessed */
    struct vkey own;       /* by which it is cosigned */
    struct witness_state state;
    char *spool, *memory; /* a folder; the file with the state */
    int64_t now;          /* 0: the system's time, whenever it is asked */
    size_t answered, forged;
};

static volatile bool stop_asked;

static void on_signal(int number)
{
    (void)number;
    stop_asked = true;
}

/* ---- opening ---- */

static int64_t time_of(const struct witness *witness)
{
    return witness->now ? witness->now : clock_system();
}

/* "example.org/carol", of carol@example.org. */
static int name_own(struct witness *witness, struct err *err)
{
    const char *address = witness->league->config.league.address, *at = strchr(address, '@');
    struct str name = STR_INIT;
    str_addf(&name, "%s/%.*s", at ? at + 1 : "localhost", at ? (int)(at - address) : 0, address);
    const bool good = name.len < VKEY_NAME && vkey_name_valid(slice_str(&name));
    if (good)
        vkey_make(&witness->own, slice_str(&name), VKEY_COSIGNER, witness->league->key.point);
    str_release(&name);
    return good ? 0
                : err_set(err, ERR_CONFIG, "league.ini: no key can be named after the address %s", address);
}

static int open_witness(struct witness *witness, struct league *league, struct err *err)
{
    witness->league = league;
    witness->spool = league_path(league, "spool");
    return name_own(witness, err);
}

static void close_witness(struct witness *witness)
{
    witness_state_release(&witness->state);
    free(witness->spool);
    free(witness->memory);
}

/* ---- mail out ---- */

/* Puts the answer into the spool, under an id that is always the same for the same text. */
static int send_answer(struct witness *witness, const char *subject, const struct str *answer,
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
    armored_write(&body, WITNESS_ANSWER, slice_str(answer));
    crypto_generichash(digest, sizeof digest, (const unsigned char *)answer->p, answer->len, NULL, 0);
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
                                  .date = time_of(witness),
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
        rc = sink_send(&sink, &(struct sink_round){.spool = witness->spool, .now = time_of(witness)}, &counts,
                       err);
    if (secret) {
        sodium_memzero(secret, strlen(secret));
        free(secret);
    }
    return rc;
}

/* What the operator is to be mailed. */
static int enroll(const struct witness *witness)
{
    const struct config *config = &witness->league->config;
    struct league_witness own = {.key = witness->own};
    struct str line = STR_INIT;
    const char *at = strchr(config->league.address, '@');
    const struct slice local = {config->league.address, at ? (size_t)(at - config->league.address) : 0};
    (void)snprintf(own.name, sizeof own.name, "%.*s", (int)local.len, local.p);
    for (char *c = own.name; *c; c++)
        *c = ascii_lower(*c);
    if (!name_valid(slice_of(own.name)))
        (void)snprintf(own.name, sizeof own.name, "witness");
    (void)snprintf(own.address, sizeof own.address, "%s", config->league.address);
    memcpy(own.vrf, witness->league->vrf_public, VRF_PUBLIC);
    witness_line(&line, &own);
    (void)printf("Mail this line to the operator of the league, who puts it into keys/witnesses:\n\n%s\n",
                 line.p);
    str_release(&line);
    return 0;
}

/* ---- mail in ---- */

/* A cosignature of the checkpoint, and what was decided of each close. */
static int cosign(const struct witness *witness, const struct witness_request *request,
                  const struct witness_ruling *ruling, struct str *out, struct err *err)
{
    struct str signature = STR_INIT, text = STR_INIT;
    struct checkpoint checkpoint = {.size = witness->state.size, .root = witness->state.root};
    struct witness_answer answer = {.size = witness->state.size};
    int rc = 0;
    (void)snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", witness->log.name);
    if (!checkpoint.size)
        tree_empty(&checkpoint.root);
    checkpoint_text(&text, &checkpoint);
    note_cosign(&signature, slice_str(&text), &witness->own, witness->league->key.key, time_of(witness));
    answer.signatures = slice_str(&signature);
    answer.dice = mem_array(WITNESS_CLOSES, sizeof *answer.dice);
    for (size_t i = 0; rc == 0 && ruling->status == 200 && i < request->closes; i++) {
        const struct log_entry *close = &request->close[i].entry;
        struct witness_dice *dice = &answer.dice[answer.count++];
        unsigned char beta[VRF_OUTPUT];
        struct str input = STR_INIT;
        *dice = (struct witness_dice){.turn = close->turn, .given = ruling->dice[i]};
        memcpy(dice->name, close->name, sizeof dice->name);
        memcpy(dice->no, ruling->no[i], sizeof dice->no);
        witness_dice_input(&input, &witness->log, close);
        if (dice->given && !vrf_prove(dice->proof, beta, witness->league->vrf_secret,
                                      witness->league->vrf_public, slice_str(&input)))
            rc = err_set(err, ERR_CONFIG, "keys/secret/vrf is not a usable key");
        if (!dice->given)
            log_warn("no dice for turn %d.%d of %s: %s", dice->turn.turn, dice->turn.rollbacks, dice->name,
                     dice->no);
        str_release(&input);
    }
    if (rc == 0)
        witness_answer_write(out, &answer);
    witness_answer_release(&answer);
    str_release(&signature);
    str_release(&text);
    return rc;
}

static int keep_state(const struct witness *witness, struct err *err)
{
    struct str text = STR_INIT;
    witness_state_write(&text, &witness->state);
    int rc = file_write(witness->memory, slice_str(&text), OWNER_ONLY, err);
    str_release(&text);
    return rc;
}

/* Remembers first, then answers: otherwise a crash could lead to answers to two histories. */
static int answer_request(struct witness *witness, const struct witness_request *request, struct err *err)
{
    struct witness_ruling ruling;
    struct str answer = STR_INIT, subject = STR_INIT;
    witness_decide(&witness->state, &witness->log, request, time_of(witness), &ruling);
    if (ruling.status == 422) {
        log_error("the league shows another log than it did: of %lld entries, which do not begin with the "
                  "%lld that were "
                  "cosigned before. It gets no answer; keep the mail, and tell the players",
                  (long long)request->checkpoint.size, (long long)request->old);
        witness->forged++;
    }
    if (ruling.status != 200 && ruling.status != 409)
        return 0;
    int rc = witness->state.size ? keep_state(witness, err) : 0; /* of one who died before, too */
    if (rc == 0)
        rc = cosign(witness, request, &ruling, &answer, err);
    str_addf(&subject, "witness of %lld entries", (long long)witness->state.size);
    if (rc == 0)
        rc = send_answer(witness, subject.p, &answer, err);
    witness->answered += rc == 0;
    str_release(&answer);
    str_release(&subject);
    return rc;
}

/* The question of the league, if the mail has one. */
static int take_mail(struct witness *witness, const struct incoming *incoming, enum disposition *how,
                     struct err *err)
{
    struct message msg;
    struct err why = ERR_INIT;
    struct str text = STR_INIT;
    int rc = 0;
    *how = MAIL_REJECTED;
    if (message_parse(slice_str(&incoming->raw), &message_limits_default, &(struct message_identity){0}, &msg,
                      &why) == 0)
        for (size_t i = 0; i < msg.part_count && rc == 0 && *how == MAIL_REJECTED; i++) {
            struct witness_request request = {.closes = 0};
            struct slice rest = slice_str(&msg.parts[i].exact);
            err_clear(&why);
            if (armored_next(&rest, WITNESS_REQUEST, &text, &why) == ARMORED_GOOD &&
                witness_request_parse(slice_str(&text), &request, &why) == 0) {
                rc = answer_request(witness, &request, err);
                *how = MAIL_PROCESSED;
            }
            witness_request_release(&request);
        }
    str_release(&text);
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
            if (mails[i].withheld) /* it stays */
                continue;
            rc = take_mail(witness, &mails[i], &how[n], err);
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
    struct witness witness = {.now = wish->now, .state = WITNESS_STATE_INIT};
    struct err err = ERR_INIT;
    int rc = open_witness(&witness, league, &err);
    if (wish->stay)
        catch_signals();
    if (rc == 0 && wish->first)
        rc = enroll(&witness);
    else if (rc == 0 && (rc = watched_log(league, &witness.log, &err)) == 0 &&
             (rc = watched_state(league, &witness.log, &witness.state, &witness.memory, &err)) == 0)
        rc = answer_mail(&witness, wish->stay, &err);
    if (rc == 0 && !wish->first)
        log_info("%zu question%s answered", witness.answered, PLURAL(witness.answered));
    const size_t forged = witness.forged;
    close_witness(&witness);
    return rc ? command_fail(&err) : forged ? 1 : 0;
}

int command_witness(int argc, char **argv)
{
    const char *dir = NULL;
    struct wish wish = {false, false, 0};
    const struct flag flags[] = {
        {"enroll", FLAG_SWITCH, &wish.first, NULL, "print the line that the operator needs"},
        {"stay", FLAG_SWITCH, &wish.stay, NULL, "go on and wait for mail, until a signal comes"},
        {"league", FLAG_TEXT, &dir, "DIR",
         "your own folder (default: $TURNPOST_LEAGUE, else the current folder)"},
        {"now", FLAG_TIME, &wish.now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 0, 0, details);
    if (code >= 0)
        return code;
    const struct apart apart = {
        .dir = flag_league(dir), .stay = wish.stay, .witness = true, .work = work, .arg = &wish};
    return apart_run(&apart);
}
