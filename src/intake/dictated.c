#include "intake/dictated.h"

#include <sodium.h>
#include <string.h>

#include "base/json.h"
#include "petitions/petition.h"
#include "orders/frame.h"
#include "trust/canon.h"

/* The answer that belongs to no game's record. */
static int add_answer(struct hearing *hearing, const struct player *player, int64_t before, struct err *err)
{
    struct batch *batch = hearing->batch;
    struct letters letters = batch_letters(batch);
    struct outgoing mail;
    const struct answer answer = {.kind = hearing->answer,
                                  .folder = "",
                                  .facts = hearing->facts,
                                  .to = player->address,
                                  .to_name = player->name,
                                  .id = batch->log.seq > before
                                            ? mail_id_record(REGISTRY_GAME, batch->log.seq, 0)
                                            : mail_id_digested(hearing->msg->digest, 0),
                                  .typed = true};
    letters.answered = hearing->msg;
    if (letters_answer(&letters, &answer, &mail, err))
        return -1;
    batch_mail_add(batch, &mail);
    return 0;
}

/* The text of the first mail from `from` on that goes to the player. */
static int read_answer(const struct batch *batch, size_t from, const struct player *player,
                       struct str *answer, struct err *err)
{
    const char *own[] = {batch->league->config.league.address};
    for (size_t i = from; i < batch->mails.count; i++) {
        const struct outgoing *mail = batch->mails.list[i];
        struct message msg;
        if (strcmp(mail->envelope_to, player->address) != 0)
            continue;
        int rc = message_parse(slice_str(&mail->mail), &message_limits_default,
                               &(struct message_identity){own, 1, own[0], 0}, &msg, err);
        if (rc == 0 && msg.part_count)
            str_addslice(answer, slice_str(&msg.parts[0].shown));
        message_release(&msg);
        return rc;
    }
    return 0;
}

static int hear(struct hearing *hearing, const char *name, struct str *answer, struct err *err)
{
    struct batch *batch = hearing->batch;
    int64_t before = batch->log.seq;
    size_t mails = batch->mails.count;
    enum petition_fate fate = PETITION_REFUSED;
    int rc = petition_hear(hearing, &fate, err);
    if (rc == 0 && fate != PETITION_HEARD)
        rc = hearing_quote(hearing, err);
    const struct player *player = registry_find(&batch->registry, name); /* it may have moved */
    if (rc == 0 && hearing->answer && player)
        rc = add_answer(hearing, player, before, err);
    return rc == 0 && player ? read_answer(batch, mails, player, answer, err) : rc;
}

int dictated_hear(struct batch *batch, const char *player, struct slice text, struct str *answer,
                  struct err *err)
{
    struct frame frame;
    struct str canonical = STR_INIT;
    char nothing[] = "";
    /* Takes the place of a mail; it has an identity of its own, so that the same text may be typed again. */
    struct message msg = {.kind = MAIL_PERSON,
                          .from = nothing,
                          .from_name = nothing,
                          .to = nothing,
                          .subject = nothing,
                          .message_id = nothing,
                          .references = nothing};
    const struct pubkey key = {0}; /* nobody signs */
    int rc = -1;
    if (batch->cause.request)
        memcpy(msg.digest, batch->cause.request, sizeof msg.digest);
    else
        randombytes_buf(msg.digest, sizeof msg.digest);
    canon_text(&canonical, text);
    if (!registry_find(&batch->registry, player)) {
        err_set(err, ERR_MISSING, "there is no player \"%s\"", player);
    } else if (frame_receive(slice_str(&canonical), slice_str(&canonical), &frame, err) == 0) {
        struct hearing hearing = {.batch = batch,
                                  .msg = &msg,
                                  .player = player,
                                  .key = &key,
                                  .frame = &frame,
                                  .exact = slice_str(&canonical),
                                  .canonical = slice_str(&canonical),
                                  .typed = true};
        rc = frame.kind == FRAME_ORDERS
                 ? err_set(err, ERR_INPUT, "orders count only with the signature of who gives them")
                 : hear(&hearing, player, answer, err);
        hearing_release(&hearing);
    }
    str_release(&canonical);
    return rc;
}
