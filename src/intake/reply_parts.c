#include "intake/reply_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "base/reason.h"
#include "batch/at_hand.h"
#include "batch/bounced.h"

#define GAMES_MOST 100        /* of a player, that are looked through */
#define KEPT_UNIT  (16 << 10) /* bytes of a mail ... */
#define KEPT_UNITS 256        /* ... that records of a player keep on a day: 4 MiB */

/* ---- one answer a mail of ours and day ---- */

int reply_ask_once(struct visit *visit, const char *what, bool *first, struct err *err)
{
    unsigned char digest[MESSAGE_DIGEST];
    struct str name = STR_INIT;
    bool seen = false;
    str_addf(&name, "answered %s on day %lld", what, (long long)(visit->batch->now / 86400));
    message_digest(digest, slice_str(&name));
    str_release(&name);
    if (batch_has_seen(visit->batch, digest, &seen, err))
        return -1;
    *first = !seen;
    if (!seen)
        batch_see(visit->batch, digest);
    return 0;
}

/* To the player, at most once a day for what the mail answers; else nobody is told. */
int reply_answer(struct visit *visit, const char *what, const struct words *words, struct err *err)
{
    bool first = false;
    if (reply_ask_once(visit, what, &first, err)) {
        json_decref(words->facts);
        return -1;
    }
    if (first)
        return visit_answer_player_in(visit, visit->sender->name, words, err);
    verdict_say(&visit->verdict, words->kind, NULL);
    visit->verdict.silence = "it was answered today";
    json_decref(words->facts);
    return 0;
}

/* ---- what is kept of it ---- */

int reply_room(struct visit *visit, bool *kept, struct err *err)
{
    struct str who = STR_INIT;
    int rc = 0;
    *kept = true;
    str_addf(&who, "mails kept of %s", visit->sender->name);
    for (size_t size = 0; rc == 0 && *kept && size < visit->reading->domain->proof.raw.len; size += KEPT_UNIT)
        rc = catalog_budget(visit->batch->catalog,
                            &(struct catalog_reply){who.p, visit->batch->now, KEPT_UNITS}, kept, err);
    if (rc == 0 && !*kept) {
        json_t *facts =
            json_pack("{s:o}", "why", reason_make("mail_much mb=%d", KEPT_UNIT * KEPT_UNITS >> 20));
        rc = reply_answer(visit, who.p,
                          &(struct words){.kind = "reply_refused", .folder = "", .facts = facts}, err);
    }
    str_release(&who);
    return rc;
}

/* ---- who wrote it ---- */

bool reply_is_from(const struct visit *visit)
{
    return vouching_player(visit->reading->domain, &visit->batch->registry, visit->sender);
}

bool reply_may_speak(const struct visit *visit)
{
    const struct vouching *domain = visit->reading->domain;
    return domain && domain->state == VOUCHING_GOOD && visit->sender && visit->sender->by_mail &&
           visit_is_person(visit) && !visit->sender->banned && reply_is_from(visit);
}

int reply_claim(struct visit *visit, struct err *err)
{
    const struct mail_proof *proof = &visit->reading->domain->proof;
    const char *name = visit->sender->name;
    visit->claim = (struct budget_claim){.proof = PROOF_TEXT};
    (void)snprintf(visit->claim.player, sizeof visit->claim.player, "%s", name);
    memcpy(visit->claim.text, proof->content, sizeof visit->claim.text);
    (void)snprintf(visit->signer, sizeof visit->signer, "%s", name);
    hand_signed(visit->batch->league->hands, name, "", 0);
    return bounced_heard(visit->batch, name, visit->msg->from, err);
}

/* ---- about what ---- */

/* Those that the subject names come first. */
static int note_game(void *arg, const struct catalog_game *row, struct err *err)
{
    struct reply_games *games = arg;
    (void)err;
    if (games->count == GAMES_MOST)
        return 0;
    games->id = mem_grow(games->id, games->count, &games->cap, sizeof *games->id);
    memcpy(games->id[games->count], row->id, GAME_NAME);
    if (strstr(games->subject, row->id)) {
        memcpy(games->id[games->count], games->id[0], GAME_NAME);
        memcpy(games->id[0], row->id, GAME_NAME);
    }
    games->count++;
    return 0;
}

int reply_games(struct visit *visit, struct reply_games *games, struct err *err)
{
    *games = (struct reply_games){.subject = visit->msg->subject};
    return catalog_each_game(visit->batch->catalog, &(struct catalog_filter){visit->sender->name, true},
                             note_game, games, err);
}

/* The first words in brackets that may be a name: mail systems put others before them ("[EXT] Re: [gc-1] ..."). */
bool reply_subject_game(const struct visit *visit, char id[GAME_NAME])
{
    const char *from = visit->msg->subject;
    while ((from = strchr(from, '[')) != NULL) {
        struct slice name = {from + 1, strcspn(from + 1, "] ")};
        from++;
        if (name.len >= GAME_NAME || !name_valid(name))
            continue;
        memcpy(id, name.p, name.len);
        id[name.len] = '\0';
        return true;
    }
    return false;
}

bool reply_find_quoted(struct answering *a, const struct reply_whole *whole)
{
    const unsigned char *master = a->visit->batch->league->master;
    struct reply_place place = a->place;
    char head[17];
    bool found = false;
    hex_to(head, place.head, 8);
    if (!reply_whole_holds(whole, head)) /* which an auditor needs */
        return false;
    for (int most = place.seq; !found && place.seq > 0 && place.seq >= most - ORDERS_TEXTS; place.seq--) {
        char nonce[REPLY_TOKEN_TEXT];
        struct str boundary = STR_INIT;
        reply_nonce(nonce, master, &place, &a->suggestions);
        reply_boundary(&boundary, slice_of(nonce));
        found = reply_whole_holds(whole, boundary.p);
        if (found)
            a->place.seq = place.seq;
        str_release(&boundary);
    }
    return found;
}

bool reply_is_for_us(const struct visit *visit)
{
    const struct vouching *domain = visit->reading->domain;
    return domain && domain->state == VOUCHING_GOOD && !(domain->claim.open & DKIM_OPEN_TO) &&
           slice_caseeq(slice_of(visit->msg->to), visit->batch->league->config.league.address);
}

int reply_was_given(const struct visit *visit, struct batch_game *entry, bool *given, struct err *err)
{
    const struct step_before before = batch_before(entry);
    struct str journal = STR_INIT;
    int rc = before.journal(before.arg, &journal, err);
    *given = rc == 0 && record_lines_hold(slice_str(&journal), "mail", visit->msg->digest);
    str_release(&journal);
    return rc;
}

void reply_seen(struct visit *visit)
{
    verdict_say(&visit->verdict, "seen_mail", NULL);
    visit->taken = true;
}

void reply_keep(struct visit *visit)
{
    verdict_say(&visit->verdict, "its game cannot be read", NULL);
    visit->kept = true;
}

void reply_read(const struct visit *visit, struct slice text, const struct typed_game *games, size_t count,
                struct typed *typed)
{
    struct slice rest = slice_of(visit->msg->from_name), first = {"", 0};
    (void)slice_word(&rest, &first);
    char *given = slice_dup(first);
    const char *const names[] = {visit->sender->name, visit->msg->from_name, given, NULL};
    typed_read(text, &(struct typed_by){games, count, names}, typed);
    free(given);
}
