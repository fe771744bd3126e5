/* Whose texts led to the entries of a competition. */
#include <sodium.h>
#include <string.h>

#include "audit/audit_compete_parts.h"
#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "compete/apply.h"
#include "game/seat_keys.h"
#include "game/vouched.h"
#include "trust/canon.h"

#define DATED_BEFORE (60 * DAY_SECONDS) /* as the league takes such texts (src/journal/PRIVATE.md) */
#define DATED_AFTER  (2 * DAY_SECONDS)

static const char *text_of(const struct competing *a, const char *member)
{
    return compete_text(a->record, member);
}

static bool has(const struct competing *a, const char *member)
{
    return json_object_get(a->record->json, member) != NULL;
}

/* ---- what the text says ---- */

static int check_league(struct competing *a, const struct frame *frame)
{
    struct pubkey key;
    char print[KEY_FINGERPRINT];
    pubkey_of_league(&key, a->c.keys.league);
    pubkey_fingerprint(print, &key);
    return strcmp(frame->league, print) == 0
               ? 0
               : competing_broken(a, AUDIT_TEXT, "the signed text does not name this league");
}

/* Such a text is about no game, so it names a day: an old one leads to nothing. */
static int check_date(struct competing *a, const struct frame *frame)
{
    struct slice value = {"", 0};
    int64_t day;
    if (!frame_line(frame->body, "date", &value) || !date_parse(value, &day))
        return competing_broken(a, AUDIT_TEXT, "the signed text names no day");
    int64_t from = day * DAY_SECONDS - DATED_AFTER, to = (day + 1) * DAY_SECONDS + DATED_BEFORE;
    return a->record->time >= from && a->record->time < to
               ? 0
               : competing_broken(a, AUDIT_TEXT, "the signed text is of another time");
}

static int check_words(struct competing *a, struct slice exact)
{
    struct str text = STR_INIT;
    struct frame frame;
    struct err err = ERR_INIT;
    struct slice named = {"", 0};
    unsigned char want[32], got[32];
    crypto_generichash_state st;
    int rc;
    canon_text(&text, exact);
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, (const unsigned char *)text_of(a, "by"), strlen(text_of(a, "by")));
    crypto_generichash_update(&st, (const unsigned char *)text.p, text.len);
    crypto_generichash_final(&st, want, 32);
    if (!compete_hex(a->record, "text", got, 32) || memcmp(got, want, 32) != 0)
        rc = competing_broken(a, AUDIT_TEXT, "its \"text\" is not the digest of the signed text");
    else if (frame_parse(slice_str(&text), &frame, &err))
        rc = competing_broken(a, AUDIT_TEXT, "the signed text is none of ours: %s", err.text);
    else if (strcmp(frame.verb, a->record->type) != 0)
        rc = competing_broken(a, AUDIT_TEXT, "the signed text is \"#turnpost %s\"", frame.verb);
    else if (*frame.game && strcmp(frame.game, "any") != 0)
        rc = competing_broken(a, AUDIT_TEXT, "the signed text is for game \"%s\"", frame.game);
    else if (!frame_line(frame.body, "competition", &named) || !slice_caseeq(named, a->c.name))
        rc = competing_broken(a, AUDIT_TEXT, "the signed text is about another competition");
    else
        rc = check_league(a, &frame) || check_date(a, &frame) ? -1 : 0;
    str_release(&text);
    return rc;
}

/* ---- whose it is ---- */

void competing_keys_before(struct competing *a)
{
    const struct entrant *entrant = competition_entrant(&a->c, text_of(a, "player"));
    struct err ignored = ERR_INIT; /* its record was good */
    a->had.any = entrant && entrant->entry;
    if (!a->had.any ||
        seat_keys(json_object_get(entrant->entry, "signed"), a->had.list, &a->had.count, &ignored))
        a->had.count = 0;
}

/* Whatever key has signed somebody's first text counts from then on, with those that it names, and those that their seats came to
 * have. */
static bool holds(const struct competing *a, const char *player, const struct pubkey *key)
{
    bool holds = !a->had.any || keys_hold(a->had.list, a->had.count, key);
    for (size_t i = 0; i < a->in->count && !holds; i++)
        for (size_t k = 0; k < a->in->games[i].held_count && !holds; k++)
            holds = strcmp(a->in->games[i].held[k].player, player) == 0 &&
                    pubkey_equal(&a->in->games[i].held[k].key, key);
    return holds;
}

static int check_signed(struct competing *a, const char *player)
{
    const json_t *payload = json_object_get(a->record->json, "signed");
    const json_t *text = json_object_get(payload, "text");
    struct slice exact = {json_string_value(text), json_string_length(text)};
    struct signature sig;
    struct pubkey key;
    struct err err = ERR_INIT;
    if (has(a, "said") || has(a, "vouched") || !has(a, "mail") || !has(a, "text"))
        return competing_broken(a, AUDIT_FORM, "its members do not go together");
    if (strcmp(text_of(a, "by"), player) != 0)
        return competing_broken(a, AUDIT_SIGNATURE, "it is signed by somebody else than whom it is about");
    if (json_object_size(payload) != 2 || !json_is_string(text) ||
        signature_read_json(json_object_get(payload, "signature"), &sig, &key, &err))
        return competing_broken(a, AUDIT_FORM, "what it keeps of a signed text cannot be read");
    if (signature_verify(&sig, &key, NS_ORDERS, exact, &err))
        return competing_broken(a, AUDIT_SIGNATURE, "%s", err.text);
    if (check_words(a, exact))
        return -1;
    a->out->counts.signatures++;
    if (holds(a, player, &key))
        return 0;
    a->out->counts.strangers++;
    competing_word(a, AUDIT_SIGNATURE,
                   "that the key in it is %s's rests on the operator's word: their text before it, and their "
                   "games, have others",
                   player);
    return 0;
}

static int check_said(struct competing *a, const char *player)
{
    struct vouched vouched;
    if (!a->c.terms.by_mail)
        return competing_broken(a, AUDIT_SIGNATURE, "in this competition only keys count");
    if (!has(a, "mail") || !has(a, "text") ||
        !vouched_read(json_object_get(a->record->json, "vouched"), &vouched))
        return competing_broken(a, AUDIT_FORM, "its members do not go together");
    if (vouched.arrived > a->record->time)
        return competing_broken(
            a, AUDIT_TIME, "the mail that vouches for it is said to have come after the record was made");
    if (strcmp(text_of(a, "by"), player) != 0)
        return competing_broken(a, AUDIT_SIGNATURE, "it is said by somebody else than whom it is about");
    if (check_words(a, slice_of(text_of(a, "said"))))
        return -1;
    a->out->counts.vouched++;
    competing_word(a, AUDIT_DOMAIN, "no key has signed the text: the mail domain %s vouches for it",
                   vouched.domain);
    return 0;
}

/* Nobody signed that somebody withdraws: the operator did it, or the league, which takes out who has gone. */
static int check_unsigned(struct competing *a, const char *player)
{
    const char *by = text_of(a, "by");
    bool league = strcmp(by, "league") == 0;
    if (has(a, "mail") || has(a, "text"))
        return competing_broken(a, AUDIT_FORM, "its members do not go together");
    if (!*by)
        return competing_broken(a, AUDIT_SIGNATURE, "nobody has signed what it does");
    a->out->counts.unasked++;
    competing_word(a, AUDIT_TEXT, "that %s withdraws rests on the operator's word: %s", player,
                   league ? "the league says that they have gone, or have no key any more"
                          : "nobody has signed it");
    return 0;
}

/* ---- all of them ---- */

/* For the draw that comes next. */
static void leaves(struct competing *a, const char *player)
{
    a->left = mem_grow(a->left, a->left_count, &a->left_cap, sizeof *a->left);
    a->left[a->left_count].time = a->record->time;
    memcpy(a->left[a->left_count++].player, player, strlen(player) + 1);
}

/* A moderator's word, whoever signed it: the journal does not know who is one. */
static int check_adjust(struct competing *a)
{
    a->out->counts.adjusted++;
    competing_word(a, AUDIT_INTERVENTION, "%s: %s (%s)", text_of(a, "do"), text_of(a, "reason"),
                   *text_of(a, "by") ? text_of(a, "by") : "operator");
    return 0;
}

int competing_people(struct competing *a)
{
    const char *player = text_of(a, "player");
    bool adjusts = strcmp(a->record->type, "adjust") == 0;
    if (strcmp(a->record->type, "withdraw") == 0 || strcmp(text_of(a, "do"), "remove") == 0)
        leaves(a, player);
    if (adjusts)
        return check_adjust(a);
    if (has(a, "signed"))
        return check_signed(a, player);
    return has(a, "said") || has(a, "vouched") ? check_said(a, player) : check_unsigned(a, player);
}
