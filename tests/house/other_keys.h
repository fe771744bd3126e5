/* Other keys for players of a house. */
#ifndef TESTS_HOUSE_OTHER_KEYS_H
#define TESTS_HOUSE_OTHER_KEYS_H

#include "house/house.h"
#include "petitions/rekey.h"

/* `person`'s key counts, too: it and the player's own sign that. */
static inline void house_key_added(struct house *h, const char *name, const char *person)
{
    struct pubkey key;
    struct str text = STR_INIT;
    secret_public(house_person(h, person), &key);
    str_addf(&text, "#turnpost key\nplayer: %s\nadd: ", name);
    pubkey_format(&text, &key);
    str_adds(&text, "\n#end\n");
    (void)house_signed(h, name, name, text.p);
    (void)house_signed(h, name, person, text.p);
    str_release(&text);
}

/* The operator asks that `person`'s key takes the place of all that the player has. */
static inline void house_key_asked(struct house *h, const char *name, const char *person)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&h->batch.registry, name);
    player.rekey = (struct player_rekey){.time = h->now + REKEY_WAIT, .asked = h->now, .by = OPERATOR};
    secret_public(house_person(h, person), &player.rekey.key);
    ck_ok(rekey_ask(&h->batch, &player, NULL, &err), err);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

/* And a week passes. */
static inline void house_key_replaced(struct house *h, const char *name, const char *person)
{
    house_key_asked(h, name, person);
    house_clock(h, h->now + REKEY_WAIT + 60);
}

#endif
