#include "batch/bounced.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/json.h"
#include "base/mem.h"
#include "league/reply_token.h"

/* What is known of the player, including this batch. *known: there is something; *flagged: permanently. */
static int look_up(struct batch *batch, const char *player, bool *known, bool *flagged, struct err *err)
{
    struct catalog_bounce bounce;
    for (size_t i = batch->news.bounce_count; i-- > 0;) {
        const struct batch_bounce *last = &batch->news.bounces[i];
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
    batch->news.bounces = mem_grow(batch->news.bounces, batch->news.bounce_count, &batch->news.bounce_cap,
                                   sizeof *batch->news.bounces);
    batch->news.bounces[batch->news.bounce_count++] = (struct batch_bounce){*bounce, heard};
}

/* Its id is derived from the mail that came back, so that it is the same when made again. */
static int tell(struct batch *batch, const struct player *player, const struct catalog_bounce *bounce,
                bool own, struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct outgoing mail;
    char text[200];
    (void)snprintf(text, sizeof text, "bounced %s %s %lld", player->name, bounce->mail,
                   (long long)bounce->when);
    json_t *facts = json_pack("{s:s,s:s,s:s}", "player", player->name, "address", player->address, "status",
                              bounce->status);
    if (own) /* otherwise the words are from whoever wrote the notification */
        json_object_set_new(facts, "words", json_text(slice_of(bounce->words)));
    const struct answer answer = {.kind = "bounced",
                                  .folder = "",
                                  .facts = facts,
                                  .to = player->address2,
                                  .to_name = player->name,
                                  .id = mail_id_about(slice_of(text), 0)};
    int rc = letters_answer(&letters, &answer, &mail, err);
    if (rc == 0)
        batch_mail_add(batch, &mail);
    json_decref(facts);
    return rc;
}

int bounced_note(struct batch *batch, const struct catalog_bounce *bounce, const char *address, bool own,
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
    return tell(batch, player, bounce, own, err);
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

/* What happened to that mail. One that our own server refused is noted where it was sent. */
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
    for (size_t i = 0; rc == 0 && i < batch->news.bounce_count; i++) {
        const struct batch_bounce *one = &batch->news.bounces[i];
        if (one->heard)
            rc = catalog_bounce_clear(batch->catalog, one->bounce.player, err);
        else if (catalog_bounce_add(batch->catalog, &one->bounce, err) ||
                 (one->bounce.permanent && came_back(batch, &one->bounce, err)))
            rc = -1;
    }
    return rc;
}

/* ---- a notification ---- */

/* Whose mail it was: by its id, else by the address that the notification names. */
static const struct player *whose(struct batch *batch, const struct message *msg, const char *id)
{
    struct batch_game *entry;
    struct err why = ERR_INIT;
    struct mail_id about;
    if (mail_id_is(&about, id, MAIL_ID_GATHERS))
        return registry_find(&batch->registry, about.name);
    if (about.kind == MAIL_ID_RECORD && batch_game(batch, about.name, &entry, &why) == 0 &&
        about.number >= 1 && about.number <= entry->game.seats)
        return registry_find(&batch->registry, entry->game.seat[about.number].player);
    return registry_by_address(&batch->registry, msg->bounce.recipient);
}

/* Is it the id of a mail of ours? One that was sent lately, or that belongs to a record. */
static int is_our_mail(struct batch *batch, const char *id, bool *ours, struct err *err)
{
    struct catalog_delivery sent;
    struct batch_game *entry;
    struct err why = ERR_INIT;
    struct mail_id about;
    if (catalog_get_delivery(batch->catalog, id, &sent, ours, err))
        return -1;
    if (*ours || !mail_id_is(&about, id, MAIL_ID_RECORD) || about.seq < 1)
        return 0;
    *ours = strcmp(about.name, REGISTRY_GAME) == 0
                ? about.seq <= batch->log.seq
                : batch_game(batch, about.name, &entry, &why) == 0 && about.seq <= entry->game.seq;
    return 0;
}

int bounced_take(struct batch *batch, const struct message *msg, int64_t arrived, struct err *err)
{
    bool ours = false;
    struct catalog_bounce bounce = {.when = arrived};
    /* The envelope token (bounces+gc-17.12.2@...) is more reliable than what the report quotes. */
    const struct config *config = &batch->league->config;
    struct slice id = {msg->bounce.message_id, strcspn(msg->bounce.message_id, "@")};
    (void)reply_detail_in(slice_of(msg->to), config->outgoing.bounce_address, config_detail(config), &id);
    if (msg->bounce.under_way)
        return 0;
    (void)snprintf(bounce.mail, sizeof bounce.mail, "%.*s", (int)id.len, id.p);
    const struct player *player = whose(batch, msg, bounce.mail);
    if (!player)
        return 0; /* none of our players */
    (void)snprintf(bounce.player, sizeof bounce.player, "%s", player->name);
    (void)snprintf(bounce.status, sizeof bounce.status, "%.15s", msg->bounce.status);
    if (is_our_mail(batch, bounce.mail, &ours, err))
        return -1;
    if (!ours) /* nothing is kept for a mail that never existed, and nobody can reach the operator this way */
        bounce.mail[0] = '\0';
    else
        (void)snprintf(bounce.words, sizeof bounce.words, "%.200s", msg->bounce.diagnostic);
    bounce.permanent = msg->bounce.permanent;
    bounce.temporary = !msg->bounce.permanent;
    return bounced_note(batch, &bounce, msg->bounce.recipient, false, err);
}
