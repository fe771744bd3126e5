#include "batch/tell.h"

#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "batch/digest.h"
#include "tlog/armor.h"

/* The id of the next mail of that record. */
static struct mail_id next_id(const struct batch *batch, const char *of, int64_t seq)
{
    struct mail_id id;
    for (size_t i = batch->mails.count; i-- > 0;)
        if (mail_id_is(&id, batch->mails.list[i]->id, MAIL_ID_RECORD) && id.seq == seq &&
            strcmp(id.name, of) == 0)
            return mail_id_record(of, seq, id.number + 1);
    return mail_id_record(of, seq, 1);
}

/* May it wait for the digest of that player? */
static void wait_for_digest(const struct batch *batch, const struct tell *what, const char *name,
                            struct outgoing *mail)
{
    const struct player *player = what->news ? registry_find(&batch->registry, name) : NULL;
    if (!player || !player->digest)
        return;
    mail->player = mem_strdup(name);
    mail->due = digest_next(player, &batch->outside, batch->now);
}

/* Of what is told of no record, by its words and its reader. */
static struct mail_id id_about(const struct tell *what, const char *address)
{
    struct str words = STR_INIT;
    str_addf(&words, "%s for %s", what->about, address);
    struct mail_id id = mail_id_about(slice_str(&words), 0);
    str_release(&words);
    return id;
}

static struct mail_id id_of(const struct batch *batch, const struct tell *what, const char *address)
{
    if (what->about)
        return id_about(what, address);
    return what->of ? next_id(batch, what->of, what->seq) : next_id(batch, REGISTRY_GAME, batch->log.seq);
}

int tell_address(struct batch *batch, const struct tell *what, const char *address, const char *name,
                 struct err *err)
{
    struct letters letters = batch_letters(batch);
    struct outgoing mail;
    const struct answer answer = {.kind = what->words,
                                  .folder = "",
                                  .facts = what->facts,
                                  .to = address,
                                  .to_name = name,
                                  .reply_to = what->reply_to,
                                  .about = what->asks,
                                  .shows = what->shows,
                                  .of = what->time ? what->of : NULL,
                                  .seq = what->seq,
                                  .time = what->time,
                                  .id = id_of(batch, what, address)};
    letters.answered = what->answered;
    int rc = letters_answer(&letters, &answer, &mail, err);
    if (rc)
        return -1;
    mail.of_record = what->of && !what->about;
    wait_for_digest(batch, what, name, &mail);
    batch_mail_add(batch, &mail);
    return 0;
}

/* A competition's mail tells what came of an entry, unless it is news. */
static enum player_hears hears(const struct tell *what)
{
    return what->news || what->about ? HEARS_NEWS : what->of ? HEARS_DONE : HEARS_ACCOUNT;
}

int tell_player(struct batch *batch, const struct tell *what, const char *player, struct err *err)
{
    const struct player *who = registry_find(&batch->registry, player);
    if (!who)
        return 0;
    if (tell_address(batch, what, who->address, who->name, err))
        return -1;
    const char *second = player_second(who, hears(what));
    return *second ? tell_address(batch, what, second, who->name, err) : 0;
}

json_t *tell_armor(const char *name, const struct str *text)
{
    struct str armor = STR_INIT;
    struct slice rest, line;
    json_t *lines = json_array();
    armored_write(&armor, name, slice_str(text));
    rest = slice_str(&armor);
    while (slice_line(&rest, &line))
        json_array_append_new(lines, json_pack("{s:s%}", "base64", line.p, line.len));
    str_release(&armor);
    return lines;
}
