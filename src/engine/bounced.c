#include "engine/bounced.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"

/* What is known of the player, this batch included. *known: something is; *flagged: for good. */
static int look_up(struct batch *batch, const char *player, bool *known, bool *flagged, struct err *err)
{
    struct catalog_bounce bounce;
    for (size_t i = batch->bounce_count; i-- > 0;) {
        const struct batch_bounce *last = &batch->bounces[i];
        if (strcmp(last->bounce.player, player) != 0)
            continue;
        *known = !last->heard;
        *flagged = !last->heard && last->bounce.permanent;
        if (last->heard || *flagged)
            return 0;
    }
    if (catalog_get_bounce(batch->catalog, player, &bounce, known, err))
        return -1;
    *flagged = *known && bounce.permanent > 0;
    return 0;
}

static void add(struct batch *batch, const struct catalog_bounce *bounce, bool heard)
{
    batch->bounces =
        mem_grow(batch->bounces, batch->bounce_count, &batch->bounce_cap, sizeof *batch->bounces);
    batch->bounces[batch->bounce_count++] = (struct batch_bounce){*bounce, heard};
}

/* Its id comes from the mail that came back, so that it is the same when it is made again. */
static int tell(struct batch *batch, const struct player *player, const struct catalog_bounce *bounce,
                struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct spool_mail mail;
    unsigned char digest[32];
    char text[200], hex[17], id[32];
    (void)snprintf(text, sizeof text, "bounced %s %s %lld", player->name, bounce->mail,
                   (long long)bounce->when);
    crypto_generichash(digest, sizeof digest, (const unsigned char *)text, strlen(text), NULL, 0);
    hex_to(hex, digest, 8);
    (void)snprintf(id, sizeof id, "mail.%s.0", hex);
    json_t *facts = json_pack("{s:s,s:s,s:s,s:o}", "player", player->name, "address", player->address,
                              "status", strstr(bounce->words, bounce->status) ? "" : bounce->status, "words",
                              json_text(slice_of(bounce->words)));
    int rc = letters_answer(&letters, "bounced", "", facts, player->address2, player->name, id, 0, batch->now,
                            NULL, &mail, err);
    if (rc == 0)
        batch_mail_add(batch, &mail);
    json_decref(facts);
    return rc;
}

int bounced_note(struct batch *batch, const struct catalog_bounce *bounce, const char *address,
                 struct err *err)
{
    const struct player *player = registry_find(&batch->registry, bounce->player);
    bool known = false, flagged = false;
    if (look_up(batch, bounce->player, &known, &flagged, err))
        return -1;
    add(batch, bounce, false);
    if (!bounce->permanent || flagged || !player || !*player->address2 ||
        strcasecmp(player->address2, address) == 0)
        return 0;
    return tell(batch, player, bounce, err);
}

static int forget(struct batch *batch, const char *player, struct err *err)
{
    struct catalog_bounce bounce = {.permanent = 0};
    bool known = false, flagged = false;
    if (look_up(batch, player, &known, &flagged, err))
        return -1;
    (void)snprintf(bounce.player, sizeof bounce.player, "%s", player);
    if (known)
        add(batch, &bounce, true);
    return 0;
}

int bounced_heard(struct batch *batch, const char *player, const char *from, struct err *err)
{
    const struct player *who = registry_find(&batch->registry, player);
    return who && strcasecmp(who->address2, from) == 0 ? 0 : forget(batch, player, err);
}

int bounced_address(struct batch *batch, const struct player *player, struct err *err)
{
    const struct player *old = registry_find(&batch->registry, player->name);
    return old && strcmp(old->address, player->address) != 0 ? forget(batch, player->name, err) : 0;
}

/* What became of that mail. One that our own server did not take is noted where it was sent. */
static int came_back(struct batch *batch, const struct catalog_bounce *bounce, struct err *err)
{
    struct catalog_delivery delivery = {.state = DELIVERY_BOUNCED, .when = bounce->when}, known;
    bool found = false;
    if (catalog_get_delivery(batch->catalog, bounce->mail, &known, &found, err))
        return -1;
    if (!*bounce->mail || (found && (known.state == DELIVERY_REFUSED || known.state == DELIVERY_EXPIRED)))
        return 0;
    memcpy(delivery.mail, bounce->mail, sizeof delivery.mail);
    memcpy(delivery.player, bounce->player, sizeof delivery.player);
    (void)snprintf(delivery.words, sizeof delivery.words, "%.15s %.180s", bounce->status, bounce->words);
    return catalog_deliver(batch->catalog, &delivery, err);
}

int bounced_commit(struct batch *batch, struct err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < batch->bounce_count; i++) {
        const struct batch_bounce *one = &batch->bounces[i];
        if (one->heard)
            rc = catalog_bounce_clear(batch->catalog, one->bounce.player, err);
        else if (catalog_bounce_add(batch->catalog, &one->bounce, err) ||
                 (one->bounce.permanent && came_back(batch, &one->bounce, err)))
            rc = -1;
    }
    return rc;
}
