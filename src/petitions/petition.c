#include "petitions/petition.h"

#include <assert.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "game/seat_keys.h"
#include "game/game_seats.h"
#include "league/address.h"
#include "petitions/allowance.h"
#include "petitions/bound.h"
#include "play/press.h"
#include "league/registry_marks.h"
#include "base/nearest.h"

/* The verbs, each in the file of its name. */
extern const struct petition petition_register; /* a new player */
extern const struct petition petition_join;     /* a seat in a game, or a place on its waiting list */
extern const struct petition petition_leave;    /* given up again, before the start */
extern const struct petition petition_resign;   /* a robot plays on */
extern const struct petition petition_prefs;    /* how a player wants their mails, and where */
extern const struct petition petition_key;      /* adds or removes a key */
extern const struct petition petition_veto;     /* against petition_rekey */
extern const struct petition petition_rekey;    /* a moderator: a key in place of a lost one */
extern const struct petition petition_invite;   /* a word to pass on to a friend */
extern const struct petition petition_press;    /* messages */
extern const struct petition petition_mute, petition_unmute;
extern const struct petition petition_observe, petition_unobserve; /* the public reports */
extern const struct petition petition_standby;                     /* the list of those who would stand in */
extern const struct petition petition_take;                        /* a seat that is offered */
extern const struct petition petition_back;                        /* a seat that was taken */
extern const struct petition petition_extend;                      /* a vote to put a deadline off */
extern const struct petition petition_appeal;                      /* something went wrong in a turn */
extern const struct petition petition_ruling;                      /* a moderator decides on it */
extern const struct petition petition_vacation;                    /* days on which a player is away */
extern const struct petition petition_resend;                      /* a report once more */
extern const struct petition petition_publish;                     /* a game that is over, as files */
extern const struct petition petition_erase;                       /* a player leaves the league */
extern const struct petition petition_rematch;                     /* the same once more */
extern const struct petition petition_open;                        /* a player makes a game */
extern const struct petition petition_journal;                     /* of a game that is over */
extern const struct petition petition_unwitness;                   /* to go on without witnesses */
extern const struct petition petition_preview;                     /* play/preview.h */
extern const struct petition petition_enter, petition_withdraw, petition_confirm; /* petition_enter.c */
extern const struct petition petition_moderate;                                   /* petitions/moderate.h */

const struct petition *const petitions[] = {
    &petition_register,  &petition_join,
    &petition_leave,     &petition_resign,
    &petition_standby,   &petition_take,
    &petition_back,      &petition_observe,
    &petition_unobserve, &petition_press,
    &petition_mute,      &petition_unmute,
    &petition_prefs,     &petition_key,
    &petition_veto,      &petition_erase,
    &petition_resend,    &petition_rekey,
    &petition_invite,    &petition_extend,
    &petition_appeal,    &petition_ruling,
    &petition_vacation,  &petition_unwitness,
    &petition_moderate,  &petition_preview,
    &petition_journal,   &petition_publish,
    &petition_open,      &petition_rematch,
    &petition_enter,     &petition_withdraw,
    &petition_confirm,   NULL,
};

const struct petition *petition_find(const char *verb)
{
    for (int i = 0; petitions[i]; i++)
        if (strcmp(petitions[i]->verb, verb) == 0)
            return petitions[i];
    return NULL;
}

/* ---- fields ---- */

/* "to: bob" -> "to", "bob" */
static bool split(struct slice line, struct slice *name, struct slice *value)
{
    size_t len = 0;
    while (len < line.len && ((line.p[len] >= 'a' && line.p[len] <= 'z') ||
                              (line.p[len] >= 'A' && line.p[len] <= 'Z') || line.p[len] == '-'))
        len++;
    if (len == 0 || len == line.len || line.p[len] != ':')
        return false;
    *name = slice_sub(line, 0, len);
    *value = slice_trim(slice_sub(line, len + 1, line.len));
    return true;
}

static int field_of(const struct petition *petition, struct slice name)
{
    for (int i = 0; petition->fields[i]; i++)
        if (slice_caseeq(name, petition->fields[i]))
            return i;
    return -1;
}

static void refuse_line(struct hearing *hearing, const struct petition *petition, struct slice line)
{
    struct slice name = line;
    struct slice value;
    (void)split(line, &name, &value);
    char *word = slice_dup(slice_sub(name, 0, 40));
    struct nearest nearest = NEAREST_INIT(word);
    for (int i = 0; petition->fields[i]; i++)
        nearest_offer(&nearest, petition->fields[i]);
    for (int i = 0; petition->wishes && rulesets[i]; i++)
        if (rulesets[i]->words.wish.line)
            nearest_offer(&nearest, rulesets[i]->words.wish.line);
    if (nearest.best)
        (void)hearing_refuse(hearing, "no_such_line line=%s meant=%s", word, nearest.best);
    else
        (void)hearing_refuse(hearing, "extra_line line=%s", word);
    free(word);
}

/* Where the value of a line is kept, and the line's name in small letters; NULL: the text takes no such line. */
static struct slice *place_of(struct hearing *hearing, const struct petition *petition, struct slice name,
                              const char **line)
{
    int field = field_of(petition, name);
    const char *wish = petition->wishes ? wish_line(name) : NULL;
    *line = field >= 0 ? petition->fields[field] : wish ? wish : "date";
    if (slice_caseeq(name, "date") && bound_takes_date(hearing, petition))
        return &hearing->others.date;
    if (field >= 0)
        return &hearing->value[field];
    if (wish)
        hearing->others.wish_line = wish;
    return wish ? &hearing->others.wish : NULL;
}

static void read_fields(struct hearing *hearing, const struct petition *petition)
{
    struct slice rest = hearing->frame->body;
    struct slice line, name, value;
    hearing->rest = slice_sub(rest, rest.len, 0);
    while (rest.len && !hearing->refusal) {
        struct slice from = rest;
        const char *known = NULL;
        (void)slice_line(&rest, &line);
        line = slice_trim(line);
        if (!line.len || line.p[0] == '#')
            continue;
        bool named = split(line, &name, &value);
        if (named && frame_owns(hearing->frame, name, value, &rest))
            continue;
        if (named && petition->keys && slice_caseeq(name, "key"))
            continue; /* judge_keys */
        struct slice *place = named ? place_of(hearing, petition, name, &known) : NULL;
        if (place && place->p) {
            (void)hearing_refuse(hearing, "line_twice line=%s", known);
        } else if (place) {
            *place = value;
        } else if (petition->needs & PETITION_TEXT) {
            hearing->rest = slice_trim(from);
            return;
        } else {
            refuse_line(hearing, petition, line);
        }
    }
}

/* ---- what all have in common ---- */

/* Does a moderator, or the operator, use a right of theirs? */
static bool moderates(const struct hearing *hearing, const struct petition *petition)
{
    return (petition->needs & PETITION_MODERATOR) &&
           (!hearing->msg ||
            (hearing->player && petition_moderator(hearing->batch->league, hearing->player)));
}

static void check_game(struct hearing *hearing, const struct petition *petition, bool *kept)
{
    struct err why = ERR_INIT;
    const struct frame *frame = hearing->frame;
    if (!*frame->game) {
        (void)hearing_refuse(hearing, "game_missing");
        return;
    }
    if (batch_game(hearing->batch, frame->game, &hearing->entry, &why)) {
        hearing->entry = NULL;
        *kept = why.code != ERR_MISSING;
        (void)hearing_refuse(hearing, "no_such_game game=%s", frame->game);
        return;
    }
    hearing->before = batch_before(hearing->entry);
    const struct game *game = &hearing->entry->game;
    hearing->seat = hearing->player ? game_seat_of(game, hearing->player) : 0;
    if (!game_shown_to(game, hearing->seat) && !moderates(hearing, petition)) {
        (void)hearing_withheld(hearing, game);
        hearing->entry = NULL; /* nothing else is said of it, not even in the form that the answer shows */
        return;
    }
    if ((petition->needs & PETITION_SEAT) && !hearing->seat)
        (void)hearing_refuse(hearing, "no_seat game=%s", game->id);
    else if ((petition->needs & PETITION_TURN) && frame->turn < 0)
        (void)hearing_refuse(hearing, "turn_missing turn=%d", game->turn);
    else if (!(petition->needs & PETITION_ANY_TURN) &&
             ((petition->needs & PETITION_TURN) || frame->turn >= 0) && frame->turn != game->turn)
        (void)hearing_refuse(hearing, "other_turn named=%d game=%s turn=%d", frame->turn, game->id,
                             game->turn);
    else if (game->over && game_withheld(game) && !(petition->needs & PETITION_ASKS))
        (void)hearing_withheld(hearing, game);
    else if (game->closed && !(petition->needs & PETITION_CLOSED))
        (void)hearing_refuse(hearing, "closed turn=%d game=%s", game->turn, game->id);
    else
        bound_head(hearing, petition);
}

/* By key or by address: nobody comes back as somebody new. */
static bool banned(const struct hearing *hearing)
{
    const struct registry *registry = &hearing->batch->registry;
    const struct player *signer = hearing->player ? registry_find(registry, hearing->player) : NULL;
    const struct player *sender = hearing->msg ? registry_by_address(registry, hearing->msg->from) : NULL;
    return (signer && signer->banned) || (!signer && sender && sender->banned);
}

/* What may not be done by the word of a mail domain, whatever the game. */
static void judge_mail(struct hearing *hearing, const struct petition *petition, bool *kept)
{
    const struct keyring *keyring = &hearing->batch->keyring;
    struct pubkey keys[KEYS_PER_PLAYER];
    if (!hearing->player || !(petition->needs & PETITION_MAIL)) {
        (void)hearing_refuse(hearing, "own_key verb=%s", petition->verb);
    } else if (keyring_damaged(keyring, hearing->player)) { /* nobody knows whether there are none */
        *kept = true;
        (void)hearing_refuse(hearing, "has_own_key");
    } else if (keyring_of(keyring, hearing->player, keys)) {
        (void)hearing_refuse(hearing, "has_own_key");
    } else if ((petition->needs & PETITION_WORD) && !hearing->came.agreed) {
        (void)hearing_refuse(hearing, "word_missing verb=%s", petition->verb);
    }
}

/* Does a mail domain's word count in that game? Only where it was made so, and not below a key. What leaves no record in it is
 * not said in it. */
static void judge_mail_game(struct hearing *hearing)
{
    const struct game *game = &hearing->entry->game;
    if ((hearing->petition->needs & PETITION_ASKS) || hearing->petition == &petition_rematch)
        return;
    if (!game->table.by_mail)
        (void)hearing_refuse(hearing, "game_signed game=%s", game->id);
    else if (hearing->seat && !game_takes_mail(game, hearing->seat))
        (void)hearing_refuse(hearing, "has_own_key");
}

static void judge_mail_fields(struct hearing *hearing, const struct petition *petition)
{
    for (int i = 0; petition->fields[i]; i++)
        if (hearing->value[i].p && (petition->keyed & PETITION_FIELD(i)))
            (void)hearing_refuse(hearing, "own_key_line line=%s", petition->fields[i]);
}

/* Will its words be in the journal of a game for all to read? Those of press and appeals are sealed; a
 * moderator's ban names no game, but is in the journals of several. */
static bool is_public(const struct hearing *hearing, const struct petition *petition)
{
    if (petition->needs & PETITION_SECRET)
        return petition->needs & PETITION_MODERATOR;
    return hearing->entry && !(petition->needs & (PETITION_ASKS | PETITION_REGISTRY));
}

/* Only keys that are registered as theirs can count anywhere; and a text that the league makes of a mail names none. */
static void judge_keys(struct hearing *hearing)
{
    struct pubkey keys[KEYS_PER_PLAYER];
    size_t count = 0;
    struct err why = ERR_INIT;
    struct slice value;
    if (!hearing->proof)
        keys[count++] = *hearing->key;
    else if (frame_line(hearing->frame->body, "key", &value))
        (void)hearing_refuse(hearing, "own_key verb=%s", hearing->petition->verb);
    if (!hearing->refusal && seat_keys_named(hearing->frame->body, keys, &count, &why))
        reason_err(&hearing->refusal, &why);
    for (size_t i = 0; i < count && !hearing->refusal; i++) {
        const char *owner = keyring_owner(&hearing->batch->keyring, &keys[i]);
        char print[KEY_FINGERPRINT];
        pubkey_fingerprint(print, &keys[i]);
        if (!owner || strcmp(owner, hearing->player) != 0)
            (void)hearing_refuse(hearing, "key_not_yours key=%s", print);
    }
}

/* Texts of a seat are signed by a key that the seat knows (src/journal/README.md, "key"). */
static void judge_key(struct hearing *hearing)
{
    const struct game *game = &hearing->entry->game;
    if (!hearing->seat || !hearing->key || (hearing->petition->needs & PETITION_ASKS) ||
        seat_has_key(&game->seat[hearing->seat], hearing->key))
        return;
    if (!game->over)
        (void)hearing_refuse(hearing, "key_elsewhere game=%s", game->id);
    else if (hearing->petition->needs & PETITION_MODERATOR)
        (void)hearing_refuse(hearing, "key_after_end game=%s", game->id);
}

static void judge(struct hearing *hearing, const struct petition *petition, bool *kept)
{
    if (banned(hearing))
        (void)hearing_refuse(hearing, "you_are_banned");
    else if (!hearing->player && !(petition->needs & PETITION_NEWCOMER))
        (void)hearing_refuse(hearing, "unknown_key");
    else if ((petition->needs & PETITION_MODERATOR) && hearing->msg &&
             !petition_moderator(hearing->batch->league, hearing->player))
        (void)hearing_refuse(hearing, "moderators_only");
    else if (hearing->proof)
        judge_mail(hearing, petition, kept);
    if (!hearing->refusal)
        hearing_check_length(hearing,
                             petition->needs & PETITION_SECRET ? PETITION_SEALED_LONGEST : PETITION_LONGEST);
    bool any = !*hearing->frame->game || strcmp(hearing->frame->game, "any") == 0;
    if (!hearing->refusal &&
        ((petition->needs & PETITION_GAME) || ((petition->needs & PETITION_MAYBE_GAME) && !any)))
        check_game(hearing, petition, kept);
    if (!hearing->refusal && hearing->proof && hearing->entry)
        judge_mail_game(hearing);
    if (!hearing->refusal && hearing->entry)
        judge_key(hearing);
    if (!hearing->refusal)
        bound_league(hearing, petition);
    hearing->known.stale = hearing->refusal != 0;
    if (!hearing->refusal)
        read_fields(hearing, petition);
    if (!hearing->refusal && hearing->proof)
        judge_mail_fields(hearing, petition);
    if (!hearing->refusal && petition->keys)
        judge_keys(hearing);
    if (!hearing->refusal) {
        bound_date(hearing, petition);
        hearing->known.stale |= hearing->refusal != 0;
    }
    if (!hearing->refusal && is_public(hearing, petition) && address_within(hearing->exact))
        (void)hearing_refuse(hearing, "address_within");
}

static int journal_seen(const struct hearing *hearing, enum registry_seen *seen, struct err *err)
{
    struct str lines = STR_INIT;
    int rc = hearing->before.journal(hearing->before.arg, &lines, err);
    if (rc == 0 && record_lines_hold(slice_str(&lines), "mail", hearing->mail))
        *seen = REGISTRY_SEEN_MAIL;
    else if (rc == 0 && record_lines_hold(slice_str(&lines), "text", hearing->text))
        *seen = REGISTRY_SEEN_TEXT;
    str_release(&lines);
    return rc;
}

/* The digests by which the text of `who` and its mail are recognised. */
static void mark_as(struct hearing *hearing, const void *who, size_t len)
{
    crypto_generichash_state st;
    hearing_digest(hearing, who, len, hearing->text);
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, hearing->msg->digest, 32);
    crypto_generichash_update(&st, hearing->text, 32);
    crypto_generichash_final(&st, hearing->mail, 32);
}

/* Two people may well write the same: "#turnpost observe", "game: gc-17". Of a key on P-256 the
 * coordinate x is enough: who has the secret of one of the two points with it has that of the other. */
static void mark(struct hearing *hearing, const struct petition *petition)
{
    const unsigned char *digest = hearing->msg ? hearing->msg->digest : NULL;
    if (!hearing->msg)
        return; /* the operator means what they type, each time */
    if (petition && (petition->needs & PETITION_SECRET) && hearing->entry && hearing->player)
        press_marks(hearing->batch->league->master, &hearing->entry->game,
                    &(struct press_mark){hearing->player, hearing->canonical, digest}, hearing->text,
                    hearing->mail);
    else if (hearing->player)
        mark_as(hearing, hearing->player, strlen(hearing->player));
    else if (hearing->key)
        mark_as(hearing, hearing->key->point, sizeof hearing->key->point);
}

void petition_mark(struct hearing *hearing)
{
    mark(hearing, petition_find(hearing->frame->verb));
}

int petition_counted(struct hearing *hearing, bool *counted, struct err *err)
{
    enum registry_seen seen = REGISTRY_NEW;
    int rc = 0;
    petition_mark(hearing);
    if (hearing->entry) {
        hearing->before = batch_before(hearing->entry);
        rc = journal_seen(hearing, &seen, err);
    }
    if (rc == 0 && seen == REGISTRY_NEW)
        rc = registry_log_seen(&hearing->batch->log, hearing->text, hearing->mail, &seen, err);
    *counted = rc == 0 && seen != REGISTRY_NEW;
    return rc;
}

/* Looks in the game's memory of the open turn; in its whole journal for texts that name no turn, which count
 * once in the life of the game, for a moderator's, because after a rollback the same turn comes again, and
 * for what would otherwise be refused, because its turn may be over. */
static int game_seen(const struct hearing *hearing, const struct petition *petition, enum registry_seen *seen,
                     struct err *err)
{
    const struct game *game = &hearing->entry->game;
    if (game_knows_mail(game, hearing->mail))
        *seen = REGISTRY_SEEN_MAIL;
    else if (game_knows_digest(game, hearing->text))
        *seen = REGISTRY_SEEN_TEXT;
    else if (hearing->refusal || hearing->frame->turn < 0 ||
             (petition->needs & (PETITION_ANY_TURN | PETITION_MODERATOR)))
        return journal_seen(hearing, seen, err);
    return 0;
}

/* Texts that somebody signed before this very text made them a player. */
static int newcomer_seen(struct hearing *hearing, enum registry_seen *seen, struct err *err)
{
    struct hearing before = *hearing;
    mark_as(&before, hearing->key->point, sizeof hearing->key->point);
    return registry_log_seen(&hearing->batch->log, before.text, before.mail, seen, err);
}

/* Known texts are not obeyed again, and the answer says only that, even if it would be too late for them by
 * now; a mail that came again is not even answered. */
static int judge_again(struct hearing *hearing, const struct petition *petition, enum petition_fate *fate,
                       struct err *err)
{
    enum registry_seen seen = REGISTRY_NEW;
    if (hearing->entry && game_seen(hearing, petition, &seen, err))
        return -1;
    if (seen == REGISTRY_NEW &&
        registry_log_seen(&hearing->batch->log, hearing->text, hearing->mail, &seen, err))
        return -1;
    if (seen == REGISTRY_NEW && hearing->player && hearing->key && (petition->needs & PETITION_NEWCOMER) &&
        newcomer_seen(hearing, &seen, err))
        return -1;
    if (seen != REGISTRY_NEW)
        reason_clear(&hearing->refusal);
    if (seen == REGISTRY_SEEN_MAIL)
        *fate = PETITION_SEEN;
    hearing->known.copy = seen == REGISTRY_SEEN_TEXT;
    hearing->known.stale |= hearing->known.copy;
    if (hearing->known.copy)
        (void)hearing_refuse(hearing, "obeyed_before");
    return 0;
}

/* A player who learns the outcome of their text from an announcement gets that as the answer to their
 * mail. */
static void answer_by_announcement(struct hearing *hearing)
{
    struct step *step = &hearing->step;
    struct post *own = NULL;
    for (size_t i = 0; i < step->post_count; i++) {
        struct post *post = &step->posts[i];
        if (post->kind == POST_ANSWER)
            return;
        if (!own && post->kind == POST_TOLD && hearing->player && strcmp(post->player, hearing->player) == 0)
            own = post;
    }
    if (own && !hearing->answer)
        own->kind = POST_ANSWER;
}

static int take(struct hearing *hearing, struct step *step, struct err *err)
{
    return step_finish(step, &hearing->entry->game, err)
               ? -1
               : batch_take(hearing->batch, hearing->entry, step, hearing->msg, err);
}

static enum outcome obey(struct hearing *hearing, const struct petition *petition, struct err *err)
{
    if (!hearing->entry)
        return petition->act(hearing, err);
    batch_step(hearing->batch, hearing->entry, &hearing->step);
    enum outcome outcome = petition->act(hearing, err);
    assert((outcome == OUTCOME_REFUSED) == (hearing->refusal != NULL));
    if (outcome == OUTCOME_DONE) {
        answer_by_announcement(hearing);
        outcome = take(hearing, &hearing->step, err);
    }
    hearing->recorded |= hearing->step.records.len > 0;
    step_release(&hearing->step);
    return outcome;
}

/* ---- one text ---- */

static void refuse_verb(struct hearing *hearing)
{
    struct nearest nearest = NEAREST_INIT(hearing->frame->verb);
    for (int i = 0; petitions[i]; i++)
        nearest_offer(&nearest, petitions[i]->verb);
    if (nearest.best)
        (void)hearing_refuse(hearing, "verb_meant verb=%s meant=%s", hearing->frame->verb, nearest.best);
    else
        (void)hearing_refuse(hearing, "verb_unknown verb=%s", hearing->frame->verb);
}

int petition_hear(struct hearing *hearing, enum petition_fate *fate, struct err *err)
{
    const struct petition *petition = hearing->petition = petition_find(hearing->frame->verb);
    bool kept = false;
    int rc = 0;
    *fate = PETITION_HEARD;
    if (!petition)
        refuse_verb(hearing);
    else
        judge(hearing, petition, &kept);
    mark(hearing, petition);
    if (hearing->msg && petition && !kept)
        rc = judge_again(hearing, petition, fate, err);
    if (rc == 0 && petition && *fate == PETITION_HEARD && !hearing->refusal)
        rc = allowance_judge(hearing, petition, err);
    bool heard = petition && rc == 0 && *fate == PETITION_HEARD && !hearing->refusal;
    int64_t before = hearing->batch->log.seq;
    if (heard && rc == 0)
        rc = obey(hearing, petition, err);
    if (heard && rc == OUTCOME_DONE)
        rc = allowance_charge(hearing, petition, before, err);
    if (hearing->known.again) {
        reason_clear(&hearing->refusal);
        *fate = PETITION_SEEN;
    }
    if (hearing->refusal)
        *fate = kept || hearing->known.kept ? PETITION_KEPT : PETITION_REFUSED;
    return rc == OUTCOME_FAILED ? -1 : 0;
}

void hearing_release(struct hearing *hearing)
{
    json_decref(hearing->facts);
    json_decref(hearing->attach);
    hearing->facts = hearing->attach = NULL;
    reason_clear(&hearing->refusal);
}
