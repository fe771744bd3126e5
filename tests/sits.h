/* Players who sit down by texts of their own: for suites and benchmarks that want a game in which all have joined. */
#ifndef TESTS_SITS_H
#define TESTS_SITS_H

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/json.h"
#include "game/vouched.h"
#include "play/step.h"
#include "play/step_parts.h"
#include "trust/canon.h"
#include "trust/secret.h"
#include "trust/signature.h"

#define SITS_ANSWER ((int64_t)14 * 86400)

/* What an auditor needs to verify a signature of this key over this text: as intake keeps it. */
static inline json_t *sits_signature(const struct secret *secret, struct slice text)
{
    struct err err = ERR_INIT;
    struct str armored = STR_INIT, line = STR_INIT, bytes = STR_INIT;
    struct signature sig;
    struct pubkey key;
    sshsig_sign(&armored, secret->key, NS_ORDERS, text);
    if (signature_parse(slice_str(&armored), &sig, &err))
        abort();
    secret_public(secret, &key);
    pubkey_format(&line, &key);
    base64_encode(&bytes, sig.sig, sizeof sig.sig);
    json_t *json = json_pack("{s:s,s:s,s:s,s:s}", "key", line.p, "sig", bytes.p, "hash", "sha512",
                             "namespace", NS_ORDERS);
    str_release(&armored);
    str_release(&line);
    str_release(&bytes);
    return json;
}

/* {"by","mail","text"} of a player's text, as if a mail had brought it (hearing_evidence). */
static inline json_t *sits_marks(const char *player, struct slice exact)
{
    struct str canonical = STR_INIT;
    unsigned char digest[32], mail[32];
    crypto_generichash_state st;
    canon_text(&canonical, exact);
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, (const unsigned char *)player, strlen(player));
    crypto_generichash_update(&st, (const unsigned char *)canonical.p, canonical.len);
    crypto_generichash_final(&st, digest, 32);
    crypto_generichash(mail, 32, digest, 32, NULL, 0);
    str_release(&canonical);
    return json_pack("{s:s,s:o,s:o}", "by", player, "mail", json_hex(mail, 32), "text", json_hex(digest, 32));
}

/* The same and the signed text. */
static inline json_t *sits_evidence(const char *player, struct slice exact, json_t *signature)
{
    json_t *evidence = sits_marks(player, exact);
    json_object_set_new(evidence, "signed",
                        json_pack("{s:o,s:O}", "text", json_text(exact), "signature", signature));
    return evidence;
}

/* By whose word somebody sits down: by their secret, or by a mail (`mails`, such as house/sits_mailed.h has). Both NULL: they do not. */
struct domain;
struct sitter {
    const struct secret *secret;
    struct pubkey keys[KEYS_PER_PLAYER]; /* of which the text names those that do not sign it */
    size_t key_count;
    const struct domain *domain;
    int (*mails)(const struct domain *domain, struct step *step, struct game *game, struct join_input *input,
                 struct err *err);
};

/* Their text "join". */
static inline void sits_text(struct str *text, const struct game *game, const struct sitter *by)
{
    char head[2 * HEAD_BYTES + 1];
    struct pubkey own;
    hex_to(head, game->journal.create_head, HEAD_BYTES);
    str_addf(text, "#turnpost join\ngame: %s\nhead: %s\n", game->id, head);
    if (by->secret)
        secret_public(by->secret, &own);
    for (size_t i = 0; by->secret && i < by->key_count; i++) {
        struct str line = STR_INIT;
        pubkey_format(&line, &by->keys[i]);
        if (!pubkey_equal(&by->keys[i], &own))
            str_addf(text, "key: %s\n", line.p);
        str_release(&line);
    }
    str_adds(text, "#end\n");
}

/* By a text that the domain of a mail vouches for. */
static inline int sits_said(struct step *step, struct game *game, struct join_input *input,
                            const struct mail_proof *proof, struct err *err)
{
    json_t *evidence = sits_marks(input->player, input->exact);
    json_object_set_new(evidence, "said", json_text(input->exact));
    json_object_set_new(evidence, "vouched", step_vouched(step, game, 0, proof, VOUCHED_KEPT));
    input->proof = proof;
    input->members = evidence;
    int rc = step_join(step, game, input, err);
    json_decref(evidence);
    return rc;
}

static inline int sits_down(struct step *step, struct game *game, int seat, const struct new_seat *who,
                            const struct sitter *by, struct err *err)
{
    struct str text = STR_INIT;
    struct join_input input = {.player = who->player, .seat = seat, .wishes = who->wishes};
    int rc;
    sits_text(&text, game, by);
    input.exact = slice_str(&text);
    if (by->secret) {
        json_t *signature = sits_signature(by->secret, input.exact);
        json_t *evidence = sits_evidence(who->player, input.exact, signature);
        input.signature = signature;
        input.members = evidence;
        rc = step_join(step, game, &input, err);
        json_decref(evidence);
        json_decref(signature);
    } else {
        rc = by->mails(by->domain, step, game, &input, err);
    }
    str_release(&text);
    return rc;
}

/* The text by which a competition has them since then, as its record and their seat keep it. New reference. */
static inline json_t *sits_entry(const char *player, const char *competition,
                                 const unsigned char league_key[32], const struct secret *secret, int64_t now)
{
    struct str text = STR_INIT;
    struct pubkey league;
    char print[KEY_FINGERPRINT], day[DATE_TEXT];
    pubkey_of_league(&league, league_key);
    pubkey_fingerprint(print, &league);
    date_text(day, now / DAY_SECONDS);
    str_addf(&text, "#turnpost enter\nleague: %s\ndate: %s\ncompetition: %s\n#end\n", print, day,
             competition);
    json_t *signature = sits_signature(secret, slice_str(&text));
    json_t *entry = sits_evidence(player, slice_str(&text), signature);
    json_decref(signature);
    str_release(&text);
    return entry;
}

/* A competition seats those who come by a key. */
static inline int sits_entered(struct step *step, struct game *game, const struct new_game *how,
                               const struct sitter by[SEATS_MAX + 1], struct err *err)
{
    struct new_game made = *how;
    json_t *entry[SEATS_MAX + 1] = {NULL};
    for (int seat = 1; seat <= how->seats; seat++)
        if (how->seat[seat].player && by[seat].secret)
            made.seat[seat].entry = entry[seat] = sits_entry(
                how->seat[seat].player, how->place->name, step->keys.key->point, by[seat].secret, step->now);
    int rc = step_create(step, game, &made, err);
    for (int seat = 1; seat <= how->seats; seat++)
        json_decref(entry[seat]);
    return rc;
}

/* Makes the game; each player whom `how` names has a seat kept and takes it, in the order of seats, by `by` (from 1 on); who is `kept` a
 * seat in `how` does not come. What they are told on the way is not posted: the step's posts are those of the deal, if all have come. */
static inline int sits_create(struct step *step, struct game *game, const struct new_game *how,
                              const struct sitter by[SEATS_MAX + 1], struct err *err)
{
    struct new_game kept = *how;
    bool waits = false; /* then they are told of it */
    if (how->place)
        return sits_entered(step, game, how, by, err);
    for (int seat = 1; seat <= how->seats; seat++) {
        waits |= how->seat[seat].kept;
        kept.seat[seat].kept = how->seat[seat].player && !how->seat[seat].robot;
        if (kept.seat[seat].kept && !how->answer_by)
            kept.answer_by = step->now + SITS_ANSWER;
    }
    if (step_create(step, game, &kept, err))
        return -1;
    for (int seat = 1; seat <= how->seats; seat++)
        if (kept.seat[seat].kept && !how->seat[seat].kept && (by[seat].secret || by[seat].mails) &&
            sits_down(step, game, seat, &how->seat[seat], &by[seat], err))
            return -1;
    if (game->turn > 0) /* robots alone */
        return 0;
    while (step->post_count && !waits)
        step_drop_post(step, step->post_count - 1);
    return step_begin(step, game, err);
}

#endif
