/* Mails that can be answered, by players without keys. */
#include "letters/letters_parts.h"

#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "game/game_seats.h"
#include "game/seating.h"
#include "mail/reply.h"
#include "play/replies.h"

static bool has_no_key(const struct letters *letters, const char *name)
{
    const struct player *player = *name ? registry_find(letters->registry, name) : NULL;
    return letters->league->config.league.trust == TRUST_MAIL && player && player->by_mail;
}

/* Answers to the mail go to the address with this token. */
static void set_address(const struct letters *letters, const struct reply_place *place, struct outgoing *mail)
{
    const struct config *config = &letters->league->config;
    struct str address = STR_INIT;
    char token[REPLY_TOKEN_TEXT];
    reply_token(token, letters->league->master, REPLY_WORD_TOKEN, place);
    reply_token_address(&address, config->league.address, config_detail(config), token);
    mail->reply_to = str_detach(&address);
}

static json_t *boundary_of(const char nonce[REPLY_TOKEN_TEXT])
{
    struct str boundary = STR_INIT;
    reply_boundary(&boundary, slice_of(nonce));
    json_t *facts = json_pack("{s:s}", "boundary", boundary.p);
    str_release(&boundary);
    return facts;
}

struct slice letters_reply_subject(struct slice subject)
{
    unsigned char digits[REPLY_HEAD / 2];
    size_t bare = subject.len - (subject.len > REPLY_HEAD + 2 ? REPLY_HEAD + 2 : 0);
    struct slice end = slice_sub(subject, bare, subject.len);
    bool has = slice_starts(end, " #") && hex_decode(digits, sizeof digits, slice_sub(end, 2, end.len));
    return has ? slice_sub(subject, 0, bare) : subject;
}

/* The first line of the mail. What a number means in an answer is bound to the suggestions as they are now. It names
 * the last record: an answer that quotes it was written after that, whatever its clock says. */
static json_t *first_line(const struct letters *letters, const struct answer_game *about,
                          const struct reply_place *place)
{
    const struct game *game = about->game;
    struct suggestions suggestions;
    struct str digits = STR_INIT;
    char nonce[REPLY_TOKEN_TEXT];
    if (about->offers)
        suggestions_make(&suggestions, game, place->seat);
    reply_nonce(nonce, letters->league->master, place, about->offers ? &suggestions : NULL);
    hex_encode(&digits, game && place->seat ? game->head : place->head, REPLY_HEAD / 2);
    json_t *facts = boundary_of(nonce);
    json_object_set_new(facts, "game", json_string(place->game));
    json_object_set_new(facts, "turn", game ? json_integer(place->turn) : json_false());
    json_object_set_new(facts, "digits", json_string(digits.p));
    const char *other = game && game->press.kind != PRESS_NONE ? game_somebody_else(game, place->seat) : NULL;
    json_object_set_new(facts, "can_press", other ? json_pack("{s:s}", "other", other) : json_false());
    json_object_set_new(facts, "can_hide", json_boolean(other && game->press.kind == PRESS_GREY));
    if (about->offers)
        suggestions_release(&suggestions);
    str_release(&digits);
    return facts;
}

/* Does the mail show the open turn? */
static bool shows_now(const json_t *facts)
{
    return !json_is_true(json_object_get(json_object_get(facts, "again"), "old"));
}

/* The open turn of the seat; or the seat that is kept for them, or what they were asked about. */
static bool place_of(struct reply_place *place, const struct answer_game *about, const char *player)
{
    const struct game *game = about->game;
    if (!game)
        *place = *about->place;
    if (!game)
        return true;
    if (about->seat && reply_place_now(place, game, about->seat))
        return strcmp(place->player, player) == 0;
    const char *verb = about->held.len                                  ? about->held.p
                       : !game->turn && seating_kept_seat(game, player) ? "join"
                                                                        : NULL;
    return verb && reply_place_wish(place, game, player, verb);
}

void letters_reply(const struct letters *letters, const struct answer_game *about, const char *player,
                   json_t *facts, struct outgoing *mail)
{
    struct reply_place place;
    bool seated = about && about->seat;
    const bool invites =
        about && about->game && !*player; /* who is to be a player: their answer has an address of its own */
    bool keyless = has_no_key(letters, player) || (seated && game_takes_mail(about->game, about->seat));
    json_object_del(facts, "keyless");
    json_object_del(facts, "by_reply");
    if (keyless)
        json_object_set_new(facts, "keyless", json_true());
    if (!(keyless || invites) || !about || !shows_now(facts) || !place_of(&place, about, player))
        return;
    json_object_set_new(facts, "by_reply", first_line(letters, about, &place));
    if (place.seat)
        place.also = about->held;
    if (!invites)
        set_address(letters, &place, mail);
}

void letters_reply_digest(const struct letters *letters, const char *player, json_t *facts,
                          struct outgoing *mail)
{
    struct reply_place place;
    char nonce[REPLY_TOKEN_TEXT], day[DATE_TEXT];
    date_text(day, letters->now / DAY_SECONDS);
    reply_digest_place(&place, player, day);
    reply_token(nonce, letters->league->master, REPLY_WORD_NONCE, &place);
    json_t *first = boundary_of(nonce);
    json_object_set_new(first, "day", json_string(day));
    json_object_set_new(facts, "by_reply", first);
    set_address(letters, &place, mail);
}
