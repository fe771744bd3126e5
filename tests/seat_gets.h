/* Other keys for a seat, in tests that are about what keys do. */
#ifndef TESTS_SEAT_GETS_H
#define TESTS_SEAT_GETS_H

#include <sodium.h>
#include <string.h>

#include "base/date.h"
#include "base/json.h"
#include "house/audited.h"
#include "play/step.h"
#include "trust/canon.h"

/* Its player signs with `secret` that `added` counts, too, or, where that is NULL, that the key is given up for the word of their
 * mail domain. */
static inline int seat_signs(struct step *step, struct game *game, int seat, const struct secret *secret,
                             const struct pubkey *added, struct err *err)
{
    const struct game_seat *who = &game->seat[seat];
    struct str text = STR_INIT, canonical = STR_INIT, line = STR_INIT;
    struct pubkey league, own;
    struct seat_keys keys;
    char league_print[KEY_FINGERPRINT], shown[KEY_FINGERPRINT], day[DATE_TEXT];
    unsigned char digest[32], mail[32];
    crypto_generichash_state st;
    pubkey_of_league(&league, game->journal.league_key);
    pubkey_fingerprint(league_print, &league);
    secret_public(secret, &own);
    pubkey_fingerprint(shown, &own);
    date_text(day, step->now / DAY_SECONDS);
    if (added)
        pubkey_format(&line, added);
    str_addf(&text, "#turnpost key\nleague: %s\nplayer: %s\n", league_print, who->player);
    str_addf(&text, added ? "add: %s\n" : "revoke: %s\ntrust: mail\n", added ? line.p : shown);
    str_addf(&text, "date: %s\n#end\n", day);
    canon_text(&canonical, slice_str(&text));
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, (const unsigned char *)who->player, strlen(who->player));
    crypto_generichash_update(&st, (const unsigned char *)canonical.p, canonical.len);
    crypto_generichash_final(&st, digest, 32);
    crypto_generichash(mail, 32, digest, 32, NULL, 0);
    json_t *evidence = json_pack("{s:s,s:o,s:o,s:{s:s,s:o}}", "by", who->player, "mail", json_hex(mail, 32),
                                 "text", json_hex(digest, 32), "signed", "text", text.p, "signature",
                                 sits_signature(secret, slice_str(&text)));
    struct frame frame;
    int rc = frame_parse(slice_str(&canonical), &frame, err) ||
                     seat_keys_change(&(struct seat_keys_text){frame.body, added, true, game->table.by_mail},
                                      who, &keys, err) ||
                     step_key(step, game, seat, &keys, evidence, err)
                 ? -1
                 : 0;
    json_decref(evidence);
    str_release(&text);
    str_release(&canonical);
    str_release(&line);
    return rc;
}

/* A key that was asked for takes the place of those that the seat had: a week later. */
static inline int seat_gets(struct step *step, struct game *game, int seat, const struct pubkey *fresh,
                            struct err *err)
{
    if (step_rekey(step, game, seat, fresh, OPERATOR, err))
        return -1;
    step->now += SEAT_REKEY_WAIT;
    return step_rekeyed(step, game, seat, err);
}

#endif
