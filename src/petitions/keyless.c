#include "petitions/keyless.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/reason.h"
#include "batch/confirm.h"
#include "batch/tell.h"
#include "game/seating.h"
#include "game/vouched.h"
#include "league/address.h"
#include "league/domain_root.h"
#include "league/registry_marks.h"
#include "league/reply_token.h"
#include "orders/typed.h"
#include "petitions/moving.h"
#include "petitions/newcomer.h"
#include "petitions/registration.h"
#include "petitions/rekey.h"
#include "play/facts.h"

#define LOCAL_MOST 64 /* bytes of an address before its '@': RFC 5321 section 4.5.3.1 */

/* One mail on its way through. */
struct request_by_mail {
    struct batch *batch;
    const struct keyless_mail *mail;
    const struct player *sender;
    struct keyless *out;
    struct reply reply; /* what they typed */
    struct slice first; /* its first line, without what ends a sentence */
};

/* ---- addresses ---- */

static void add_address(struct str *out, const struct league *league, const char *detail)
{
    reply_token_address(out, league->config.league.address, config_detail(&league->config), detail);
}

void keyless_invitation(struct str *address, const struct league *league, const char *word, const char *name)
{
    struct str detail = STR_INIT;
    str_addf(&detail, "invite.%s%s%s", word, name ? "." : "", name ? name : "");
    add_address(address, league, detail.p);
    str_release(&detail);
}

/* Any of their addresses may say no. */
static struct confirm veto_of(const struct player *player)
{
    return (struct confirm){CONFIRM_VETO, player->name, "", &player->rekey.key};
}

static struct confirm move_of(const struct player *player, enum confirm_use use)
{
    return (struct confirm){use, player->name, player->move.address, NULL};
}

static struct confirm leave_of(const struct player *player)
{
    return (struct confirm){CONFIRM_LEAVE, player->name, "", NULL};
}

static void confirm_address(struct str *address, const struct league *league, const char *front,
                            const struct confirm *what, int64_t now)
{
    char word[CONFIRM_SHORT];
    struct str detail = STR_INIT;
    confirm_short(word, league, what, now);
    str_addf(&detail, "%s.%s.%s", front, what->player, word);
    add_address(address, league, detail.p);
    str_release(&detail);
}

void keyless_veto(struct str *address, const struct league *league, const struct player *player, int64_t now)
{
    const struct confirm what = veto_of(player);
    confirm_address(address, league, "veto", &what, now);
}

void keyless_veto_move(struct str *address, const struct league *league, const struct player *player,
                       int64_t now)
{
    const struct confirm what = move_of(player, CONFIRM_MOVE);
    confirm_address(address, league, "veto", &what, now);
}

void keyless_veto_leave(struct str *address, const struct league *league, const struct player *player,
                        int64_t now)
{
    const struct confirm what = leave_of(player);
    confirm_address(address, league, "veto", &what, now);
}

void keyless_move(struct str *address, const struct league *league, const struct player *player, int64_t now)
{
    const struct confirm what = move_of(player, CONFIRM_ADDRESS);
    confirm_address(address, league, "move", &what, now);
}

static void join_address(struct str *address, const struct request_by_mail *r, const char *name)
{
    const struct confirm what = {CONFIRM_MAILBOX, name, r->mail->msg->from, NULL};
    confirm_address(address, r->batch->league, "join", &what, r->batch->now);
}

/* "join.anna.WORD" -> "anna", "WORD", for "join"; names may hold dots. */
static bool split_detail(struct slice detail, const char *what, char name[PLAYER_NAME], struct slice *word)
{
    size_t front = strlen(what) + 1;
    if (!slice_casestarts(detail, what) || detail.len <= front || detail.p[front - 1] != '.')
        return false;
    struct slice rest = slice_sub(detail, front, detail.len);
    const char *dot = memrchr(rest.p, '.', rest.len);
    size_t len = dot ? (size_t)(dot - rest.p) : 0;
    if (!dot || len >= PLAYER_NAME)
        return false;
    for (size_t i = 0; i < len; i++)
        name[i] = ascii_lower(rest.p[i]);
    name[len] = '\0';
    *word = slice_sub(rest, len + 1, rest.len);
    return name_valid(slice_of(name));
}

/* ---- answers ---- */

static void answer(struct request_by_mail *r, const char *kind, json_t *facts)
{
    r->out->fate = KEYLESS_ANSWER;
    r->out->request = (struct request){kind, "", facts};
}

/* Takes ownership of the refusal. */
static void turn_down(struct request_by_mail *r, json_t *refusal)
{
    answer(r, "not_confirmed", json_pack("{s:o}", "why", refusal));
}

/* The step that is left: to answer "ok". */
static void ask(struct request_by_mail *r, const struct applicant *applicant)
{
    const char *name = applicant->name;
    json_t *facts = json_pack("{s:s,s:s,s:s,s:b}", "player", name, "address", r->mail->msg->from, "domain",
                              r->mail->vouching->claim.from.domain, "asks_ok", 1);
    if (*applicant->display)
        json_object_set_new(facts, "called", json_pack("{s:s}", "display", applicant->display));
    facts_time(facts, "when", r->batch->now + r->batch->league->config.league.token_expire);
    join_address(&r->out->reply_to, r, name);
    answer(r, "mailbox", facts);
}

/* ---- who may register ---- */

/* Whoever administers a domain of their own can sign for as many people as they like, at names below it, too. */
static bool is_full(const struct batch *batch, const char *domain)
{
    const struct config *config = &batch->league->config;
    int count = 0;
    for (size_t i = 0; i < batch->registry.count; i++) {
        const struct player *player = &batch->registry.players[i];
        const char *at = strrchr(player->address, '@');
        count += player->by_mail && at && slice_caseeq(slice_of(domain_root(at + 1)), domain);
    }
    return config->limits.players_per_domain && !config_shares(config, domain) &&
           count >= config->limits.players_per_domain;
}

/* Nor is there room for one who moves there: people would come by one domain and move on, until there is room again. */
static bool is_full_without(const struct batch *batch, const struct player *player)
{
    const char *from = strrchr(player->address, '@'), *to = strrchr(player->move.address, '@');
    return !player->move.second && from && to &&
           strcasecmp(domain_root(from + 1), domain_root(to + 1)) != 0 && is_full(batch, domain_root(to + 1));
}

static enum outcome judge(struct request_by_mail *r, struct applicant *applicant, json_t **refusal,
                          struct err *err)
{
    const char *domain = r->mail->vouching->claim.from.domain;
    struct str address = STR_INIT;
    enum outcome outcome = registration_judge(r->batch, applicant, refusal, err);
    if (outcome != OUTCOME_DONE)
        return outcome;
    join_address(&address, r, applicant->name);
    if (strcspn(address.p, "@") > LOCAL_MOST)
        reason_set(refusal, "name_long name=%s", applicant->name);
    else if (is_full(r->batch, domain_root(domain)))
        reason_set(refusal, "domain_full domain=%s most=%d", domain_root(domain),
                   r->batch->league->config.limits.players_per_domain);
    str_release(&address);
    return *refusal ? OUTCOME_REFUSED : OUTCOME_DONE;
}

/* ---- what is kept of it ---- */

static void set_hex(json_t *object, const char *name, const unsigned char digest[32])
{
    char hex[65];
    hex_to(hex, digest, 32);
    json_object_set_new(object, name, json_string(hex));
}

/* By which mail and text are known again; a mail that is sent once more has other fields on top of it. */
static json_t *evidence_of(const struct request_by_mail *r, json_t **refusal)
{
    json_t *evidence = json_object();
    set_hex(evidence, "mail", r->mail->msg->digest);
    set_hex(evidence, "text", r->mail->vouching->proof.content);
    if (!vouched_whole(evidence, &r->mail->vouching->proof, r->batch->now, KEYLESS_MAIL))
        reason_set(refusal, "dkim_large kb=%d", (int)(KEYLESS_MAIL >> 10));
    return evidence;
}

/* It was done, or is refused; takes ownership of both. */
static int decided(struct request_by_mail *r, json_t *evidence, json_t *refusal, int rc)
{
    json_decref(evidence);
    if (refusal)
        turn_down(r, refusal);
    else
        r->out->fate = KEYLESS_DONE;
    return rc;
}

/* An invitation: the name of its document, and what is in it. */
struct invitation {
    char token[TOKEN_NAME];
    json_t *document;
};

/* ---- what they typed ---- */

static bool says(const struct request_by_mail *r, const char *word)
{
    return slice_caseeq(r->first, word);
}

static void read_typed(const struct request_by_mail *r, struct typed *typed)
{
    static const char *const nobody[] = {NULL};
    typed_read(slice_str(&r->reply.typed), &(struct typed_by){.names = nobody}, typed);
}

static bool is_typed(const struct request_by_mail *r, enum typed_kind kind, enum typed_is command)
{
    struct typed typed;
    read_typed(r, &typed);
    bool is = typed.kind == kind && typed.command == command;
    typed_release(&typed);
    return is;
}

/* "No, thank you", and nothing that says something else to us. */
static bool declines(const struct request_by_mail *r)
{
    struct typed typed;
    read_typed(r, &typed);
    bool is = typed.declines && typed.kind == TYPED_NOTHING;
    typed_release(&typed);
    return is;
}

/* "ok" as people type it; a machine's answer never says that. */
static bool agrees(const struct request_by_mail *r)
{
    return is_typed(r, TYPED_CLEAR, TYPED_IS_OK);
}

/* "register anna": in the subject or in the first line, both of which the domain has signed. */
static bool asks(const struct request_by_mail *r, struct slice *wish)
{
    return newcomer_word(r->first, "register", wish) ||
           newcomer_word(slice_of(r->mail->msg->subject), "register", wish);
}

/* Does what the domain has signed show that "ok", or "register anna", is for this invitation? Whoever has a mail of theirs
 * that says so to somebody else could send it here. */
static bool is_bound(const struct request_by_mail *r, struct slice word)
{
    const struct vouching *vouching = r->mail->vouching;
    struct reply_whole whole;
    char *invitation = slice_dup(word);
    reply_whole(&whole, &vouching->body);
    bool bound =
        vouching_to_us(vouching, r->mail->msg, r->batch->league) || reply_whole_holds(&whole, invitation);
    reply_whole_release(&whole);
    free(invitation);
    return bound;
}

/* The word of an invitation: after the name, or on a line of its own. */
static void find_invite(const struct request_by_mail *r, struct slice *wish, char word[TOKEN_TEXT])
{
    struct slice rest = *wish, first, second, line;
    if (slice_word(&rest, &first) && slice_word(&rest, &second) && token_read(word, second)) {
        *wish = first;
        return;
    }
    *word = '\0';
    for (rest = slice_str(&r->reply.typed); !*word && slice_line(&rest, &line);)
        if (slice_casestarts(slice_trim(line), "invite:") &&
            !token_read(word, slice_trim(slice_sub(slice_trim(line), strlen("invite:"), line.len))))
            *word = '\0';
}

/* The name that they want or, where they say none, what their address is called. False: it is not written as they wrote
 * it. */
static bool find_name(const struct request_by_mail *r, struct slice wish, char name[PLAYER_NAME])
{
    const char *from = r->mail->msg->from;
    bool same = player_name_suggest(name, wish);
    if (!*name)
        (void)player_name_suggest(name, (struct slice){from, strcspn(from, "@+.")});
    return same || !slice_trim(wish).len;
}

/* Whether they want to be called so: "ok" to that takes the name, where the address has room for it. `bound`: what they
 * wrote is for this invitation, and only the name is not as they wrote it. */
static void ask_name(struct request_by_mail *r, struct slice word, const char *name, bool bound)
{
    struct str *reply_to = &r->out->reply_to;
    char *token = slice_dup(word);
    keyless_invitation(reply_to, r->batch->league, token, name);
    bool room = strcspn(reply_to->p, "@") <= LOCAL_MOST;
    if (!room) {
        str_clear(reply_to);
        keyless_invitation(reply_to, r->batch->league, token, NULL);
    }
    answer(r, "ask_name",
           json_pack("{s:s,s:s,s:b,s:b}", "name", name, "token", token, "ok", room, "bound", bound));
    free(token);
}

static void say_already(struct request_by_mail *r)
{
    answer(r, "ask_register", json_pack("{s:s}", "already", r->sender->name));
}

/* ---- registering ---- */

/* The open game that the answered invitation names, where a seat is free for them: an "ok" is for that, too. */
static int find_seat(struct request_by_mail *r, const char *player, struct err *err)
{
    struct reply_whole whole;
    const json_t *one;
    size_t i;
    json_t *facts = json_object();
    int rc = request_add_games(r->batch, facts, err);
    reply_whole(&whole, &r->mail->vouching->body);
    json_array_foreach (json_object_get(json_object_get(facts, "joinable"), "open"), i, one) {
        const char *id = json_string_value(json_object_get(one, "game"));
        struct batch_game *entry;
        struct err why = ERR_INIT;
        if (rc == 0 && batch_game(r->batch, id, &entry, &why) == 0 && entry->game.table.by_mail &&
            seating_has_room(&entry->game, player) &&
            vouching_names_create(&entry->game, r->mail->msg->subject, &whole))
            (void)snprintf(r->out->joins, sizeof r->out->joins, "%s", id);
    }
    reply_whole_release(&whole);
    json_decref(facts);
    return rc;
}

/* `wish`: what they have asked to be called, if their mail still says it. */
static int enter(struct request_by_mail *r, const char *name, struct slice wish,
                 const struct invitation *invitation, struct err *err)
{
    struct applicant applicant = {.by_mail = true};
    json_t *refusal = NULL;
    newcomer_display(applicant.display, wish);
    (void)snprintf(applicant.name, sizeof applicant.name, "%s", name);
    (void)snprintf(applicant.address, sizeof applicant.address, "%s", r->mail->msg->from);
    if (judge(r, &applicant, &refusal, err) == OUTCOME_FAILED)
        return -1;
    json_t *evidence = evidence_of(r, &refusal);
    if (invitation)
        json_object_set(evidence, "invited_by", json_object_get(invitation->document, "by"));
    int rc = refusal ? 0
                     : registration_enter(r->batch, &applicant, invitation ? invitation->token : NULL,
                                          evidence, err);
    if (rc == 0 && !refusal && invitation && agrees(r))
        rc = find_seat(r, applicant.name, err);
    if (rc == 0 && !refusal)
        rc = registration_greet(r->batch, applicant.name, r->out->joins, r->mail->msg, err);
    return decided(r, evidence, refusal, rc);
}

/* ---- the three addresses, and a new mail ---- */

static int hear_join(struct request_by_mail *r, const char *name, struct slice word, struct err *err)
{
    const struct confirm what = {CONFIRM_MAILBOX, name, r->mail->msg->from, NULL};
    if (r->sender) {
        say_already(r);
        return 0;
    }
    if (!confirm_short_good(r->batch, &what, word)) {
        turn_down(r, reason_make("join_word"));
        return 0;
    }
    struct slice wish = {"", 0};
    (void)newcomer_word(slice_of(r->mail->msg->subject), "register", &wish);
    if (agrees(r))
        return enter(r, name, wish, NULL, err);
    turn_down(r, reason_make("join_ok"));
    return 0;
}

static int hear_invited(struct request_by_mail *r, struct slice word, struct slice wish, bool bound,
                        struct err *err)
{
    struct invitation invitation = {.document = NULL};
    char name[PLAYER_NAME];
    if (r->sender) {
        say_already(r);
        return 0;
    }
    if (token_name(invitation.token, TOKEN_INVITE, word) &&
        batch_token(r->batch, invitation.token, &invitation.document, err))
        return -1;
    bool same = find_name(r, wish, name);
    struct slice said = wish;
    int rc = 0;
    if (same && agrees(r)) /* "ok" to the name, below the subject that says how it is really written */
        (void)newcomer_word(slice_of(r->mail->msg->subject), "register", &said);
    if (!invitation.document)
        turn_down(r, reason_make("invitation_unknown"));
    else if (!*name)
        turn_down(r, reason_make("name_missing"));
    else if (!same || !bound)
        ask_name(r, word, name, bound);
    else
        rc = enter(r, name, said, &invitation, err);
    json_decref(invitation.document);
    return rc;
}

/* "No" to an invitation: they are thanked, and the person hears of it who is there for questions, once. */
static int hear_declined(struct request_by_mail *r, struct slice word, struct err *err)
{
    struct err why = ERR_INIT;
    struct str about = STR_INIT;
    char token[TOKEN_NAME];
    json_t *document = NULL;
    const char *from = r->mail->msg->from;
    char host[PLAYER_ADDRESS];
    if (token_name(token, TOKEN_INVITE, word) && batch_token(r->batch, token, &document, err))
        return -1;
    int rc = 0;
    if (!document) {
        turn_down(r, reason_make("invitation_unknown"));
    } else {
        (void)snprintf(host, sizeof host, "%s", r->batch->league->config.league.contact);
        const bool told = *host && address_check(host, &why) == 0;
        json_t *facts = json_pack("{s:s}", "address", from);
        str_addf(&about, "no to an invitation from %s", from);
        const struct tell tell = {.words = "declined_invitation", .facts = facts, .about = about.p};
        rc = told ? tell_address(r->batch, &tell, host, "", err) : 0;
        json_decref(facts);
        char *again = slice_dup(word);
        keyless_invitation(&r->out->reply_to, r->batch->league, again, NULL); /* for second thoughts */
        free(again);
        answer(r, "ask_declined", json_pack("{s:b}", "told", told));
    }
    str_release(&about);
    json_decref(document);
    return rc;
}

/* What a word in an address of a veto is against; NULL: nothing that waits. */
static const char *stopped_by(const struct request_by_mail *r, const struct player *player, struct slice word)
{
    const struct confirm key = veto_of(player), move = move_of(player, CONFIRM_MOVE),
                         leave = leave_of(player);
    return player->rekey.time && confirm_short_good(r->batch, &key, word)   ? "rekey"
           : player->move.time && confirm_short_good(r->batch, &move, word) ? "move"
           : player->leaves && confirm_short_good(r->batch, &leave, word)   ? "leave"
                                                                            : NULL;
}

static int hear_veto(struct request_by_mail *r, const char *name, struct slice word, struct err *err)
{
    const struct player *player = registry_find(&r->batch->registry, name);
    json_t *refusal = NULL;
    bool theirs = player && vouching_player(r->mail->vouching, &r->batch->registry, player);
    const char *what = theirs ? stopped_by(r, player, word) : NULL;
    if (!what)
        reason_set(&refusal, "veto_word");
    else if (!says(r, "no"))
        reason_set(&refusal, "veto_no");
    json_t *evidence = evidence_of(r, &refusal);
    const struct rekey_stop stop = {name, name, evidence, r->mail->msg};
    int rc = refusal || !what             ? 0
             : strcmp(what, "rekey") == 0 ? rekey_stop(r->batch, &stop, err)
                                          : moving_stop(r->batch, &stop, strcmp(what, "leave") == 0, err);
    return decided(r, evidence, refusal, rc);
}

/* The mailbox that a player wants to use; nobody else's, and no other one than was asked. */
static int hear_move(struct request_by_mail *r, const char *name, struct slice word, struct err *err)
{
    const struct player *player = registry_find(&r->batch->registry, name);
    const struct confirm what =
        player ? move_of(player, CONFIRM_ADDRESS) : (struct confirm){.use = CONFIRM_ADDRESS};
    json_t *refusal = NULL;
    if (!player || !player->move.time || !*player->move.address ||
        !vouching_from(r->mail->vouching, player->move.address) || !confirm_short_good(r->batch, &what, word))
        reason_set(&refusal, "move_word");
    else if (r->sender && r->sender != player)
        reason_set(&refusal, "address_gone");
    else if (!agrees(r))
        reason_set(&refusal, "join_ok");
    else if (is_full_without(r->batch, player))
        reason_set(&refusal, "domain_full domain=%s most=%d",
                   domain_root(r->mail->vouching->claim.from.domain),
                   r->batch->league->config.limits.players_per_domain);
    if (!refusal && player && player->move.agreed) { /* it was told so: nothing more comes of another "ok" */
        r->out->fate = KEYLESS_SILENT;
        return 0;
    }
    json_t *evidence = evidence_of(r, &refusal);
    int rc = refusal ? 0 : moving_agree(r->batch, name, evidence, r->mail->msg, err);
    return decided(r, evidence, refusal, rc);
}

/* "register anna", to the league's own address. */
static int hear_wish(struct request_by_mail *r, struct slice wish, struct err *err)
{
    struct applicant applicant = {.by_mail = true};
    char word[TOKEN_TEXT];
    json_t *refusal = NULL;
    find_invite(r, &wish, word);
    if (*word)
        return hear_invited(r, slice_of(word), wish, true, err);
    if (r->batch->league->config.league.registration != REGISTRATION_OPEN) {
        turn_down(r, reason_make("invitation_needed"));
        return 0;
    }
    (void)find_name(r, wish, applicant.name); /* they are asked in any case */
    newcomer_display(applicant.display, wish);
    (void)snprintf(applicant.address, sizeof applicant.address, "%s", r->mail->msg->from);
    if (!*applicant.name)
        reason_set(&refusal, "name_missing");
    else if (judge(r, &applicant, &refusal, err) == OUTCOME_FAILED)
        return -1;
    if (refusal)
        turn_down(r, refusal);
    else
        ask(r, &applicant);
    return 0;
}

/* ---- one mail ---- */

static int dispatch(struct request_by_mail *r, struct err *err)
{
    const struct league *league = r->batch->league;
    bool closed = league->config.league.registration == REGISTRATION_CLOSED;
    struct slice detail, word, wish = {"", 0};
    char name[PLAYER_NAME];
    bool asked = asks(r, &wish);
    bool to_detail = reply_detail_in(slice_of(r->mail->msg->to), league->config.league.address,
                                     config_detail(&league->config), &detail);
    r->out->understood = asked || agrees(r) || says(r, "no") || (to_detail && declines(r));
    if (to_detail && split_detail(detail, "veto", name, &word))
        return hear_veto(r, name, word, err);
    if (to_detail && split_detail(detail, "move", name, &word))
        return hear_move(r, name, word, err);
    if (closed || (to_detail && is_typed(r, TYPED_ASKS, TYPED_IS_BLANK))) /* "help", above our question */
        return 0;
    if (to_detail && split_detail(detail, "join", name, &word))
        return hear_join(r, name, word, err);
    if (to_detail && slice_casestarts(detail, "invite.") && !asked && !r->sender && declines(r)) {
        word = slice_sub(detail, strlen("invite."), detail.len);
        return hear_declined(r, slice_sub(word, 0, slice_find(word, ".")), err);
    }
    if (to_detail && slice_casestarts(detail, "invite.") && (asked || agrees(r))) {
        word = slice_sub(detail, strlen("invite."), detail.len);
        const size_t dot = slice_find(word, ".");
        if (dot < word.len && agrees(r)) { /* to the name, whatever the subject still says */
            wish = slice_sub(word, dot + 1, word.len);
            asked = false;
        }
        word = slice_sub(word, 0, dot);
        bool bound = is_bound(r, word);
        if (asked || bound)
            return hear_invited(r, word, wish, bound, err);
        turn_down(r, reason_make("invite_ok"));
        return 0;
    }
    return asked && !r->sender ? hear_wish(r, wish, err) : 0;
}

bool keyless_invited(const struct league *league, const struct message *msg, struct str *reply_to)
{
    struct slice detail;
    if (!reply_detail_in(slice_of(msg->to), league->config.league.address, config_detail(&league->config),
                         &detail) ||
        !slice_casestarts(detail, "invite."))
        return false;
    char *same = slice_dup(detail);
    add_address(reply_to, league, same);
    free(same);
    return true;
}

bool keyless_waits(const struct league *league, const struct keyless_mail *mail)
{
    struct slice detail, words[2], wish;
    if (mail->vouching->state != VOUCHING_LATER || newcomer_pastes(mail->msg))
        return false;
    if (reply_detail_in(slice_of(mail->msg->to), league->config.league.address,
                        config_detail(&league->config), &detail) &&
        (slice_casestarts(detail, "veto.") || slice_casestarts(detail, "move.") ||
         slice_casestarts(detail, "join.") || slice_casestarts(detail, "invite.")))
        return true;
    message_words(mail->msg, words);
    return mail->vouching->unasked && league->config.league.registration != REGISTRATION_CLOSED &&
           (newcomer_word(words[0], "register", &wish) || newcomer_word(words[1], "register", &wish));
}

static void find_first(struct request_by_mail *r)
{
    struct slice rest = slice_str(&r->reply.typed);
    if (!slice_line(&rest, &r->first))
        r->first = (struct slice){"", 0};
    r->first = slice_trim(r->first);
    while (r->first.len && strchr(".!,", r->first.p[r->first.len - 1]))
        r->first = slice_trim(slice_sub(r->first, 0, r->first.len - 1));
}

int keyless_hear(struct batch *batch, const struct keyless_mail *mail, const struct player *sender,
                 struct keyless *keyless, struct err *err)
{
    struct request_by_mail r = {.batch = batch, .mail = mail, .sender = sender, .out = keyless};
    enum registry_seen seen = REGISTRY_NEW;
    *keyless = (struct keyless){.fate = KEYLESS_NONE, .request = {"", "", NULL}, .reply_to = STR_INIT};
    if (!vouching_from(mail->vouching, mail->msg->from) || newcomer_pastes(mail->msg))
        return 0;
    if (registry_log_seen(&batch->log, mail->vouching->proof.content, mail->msg->digest, &seen, err))
        return -1;
    if (seen != REGISTRY_NEW) {
        keyless->fate = KEYLESS_SILENT;
        return 0;
    }
    /* Whatever could be read in two ways leaves the typed text empty. */
    int rc = reply_cut(REPLY_VERSION, &mail->vouching->body, (struct slice){"", 0}, &r.reply, err);
    find_first(&r);
    if (rc == 0)
        rc = dispatch(&r, err);
    reply_release(&r.reply);
    return rc;
}
