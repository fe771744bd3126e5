#include "batch/mail_log.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "league/registry_asked.h"

/* Fit for a terminal; what does not fit is cut. */
static void put(char *out, size_t size, const char *text)
{
    struct str safe = STR_INIT;
    utf8_safe(&safe, slice_of(text), false);
    utf8_cut(&safe, size - 1);
    (void)snprintf(out, size, "%s", safe.p ? safe.p : "");
    str_release(&safe);
}

static void put_sender(const struct batch *batch, const struct logged_mail *mail, struct catalog_mail *line)
{
    const struct message *msg = mail->reading && mail->reading->made ? &mail->reading->msg : NULL;
    const struct player *player = msg ? registry_by_address(&batch->registry, msg->from) : NULL;
    const char *name = *mail->signer ? mail->signer : player ? player->name : "";
    line->of_player = *name != '\0';
    if (mail->hides || (msg && reading_hides_sender(mail->reading)))
        return;
    put(line->player, sizeof line->player, name);
    put(line->sender, sizeof line->sender, msg ? msg->from : "");
    put(line->subject, sizeof line->subject, msg ? msg->subject : "");
    put(line->message_id, sizeof line->message_id, msg ? msg->message_id : "");
}

void mail_log_line(const struct batch *batch, const struct logged_mail *mail, struct catalog_mail *line)
{
    *line = (struct catalog_mail){.arrived = mail->incoming ? mail->incoming->arrived : batch->now,
                                  .time = batch->now,
                                  .verdict = VERDICT_WAITS};
    memcpy(line->digest, mail->digest, sizeof line->digest);
    put_sender(batch, mail, line);
}

void mail_log_add(struct batch *batch, const struct catalog_mail *line)
{
    struct batch_news *news = &batch->news;
    if (!batch->league->config.limits.mail_log)
        return;
    news->logged = mem_grow(news->logged, news->logged_count, &news->logged_cap, sizeof *news->logged);
    news->logged[news->logged_count++] = *line;
}

int mail_log_put(struct batch *batch, const struct catalog_mail *line, struct err *err)
{
    return batch->league->config.limits.mail_log ? catalog_log_mail(batch->catalog, line, err) : 0;
}

static void add_leaver(struct batch_news *news, const char *player, const char *address, const char *address2)
{
    news->leavers = mem_grow(news->leavers, news->leaver_count, &news->leaver_cap, sizeof *news->leavers);
    struct catalog_leaver *leaver = &news->leavers[news->leaver_count++];
    *leaver = (struct catalog_leaver){.player = ""};
    (void)snprintf(leaver->player, sizeof leaver->player, "%s", player);
    (void)snprintf(leaver->address, sizeof leaver->address, "%s", address);
    (void)snprintf(leaver->address2, sizeof leaver->address2, "%s", address2);
}

int mail_log_leaves(struct batch *batch, const char *player, struct err *err)
{
    const struct player *who = registry_find(&batch->registry, player);
    json_t *asked = registry_asked(&batch->log, &batch->registry, player, err);
    size_t i;
    json_t *address;
    if (!asked)
        return -1;
    add_leaver(&batch->news, player, who ? who->address : "", who ? who->address2 : "");
    json_array_foreach (asked, i, address)
        add_leaver(&batch->news, player, json_string_value(address), "");
    json_decref(asked);
    return 0;
}

void mail_log_left_out(struct catalog_mail *line, const char *game)
{
    line->verdict = VERDICT_WAITS;
    *line->answer = '\0';
    (void)snprintf(line->words, sizeof line->words, "game %s cannot be written", game);
}

int mail_log_commit(struct batch *batch, struct err *err)
{
    struct batch_news *news = &batch->news;
    for (size_t i = 0; i < news->logged_count; i++)
        if (catalog_log_mail(batch->catalog, &news->logged[i], err))
            return -1;
    for (size_t i = 0; i < news->leaver_count; i++)
        if (catalog_erase_mails(batch->catalog, &news->leavers[i], err))
            return -1;
    return news->logged_count
               ? catalog_cap_mails(batch->catalog, batch->league->config.limits.mail_log_size, err)
               : 0;
}

int mail_log_tidy(struct batch *batch, int64_t since, struct err *err)
{
    struct catalog_leaver leaver = {.player = ""};
    bool found = true;
    int rc = catalog_tidy_mails(batch->catalog, since, err);
    while (rc == 0 && found) {
        rc = catalog_next_logged(batch->catalog, leaver.player, &found, err);
        if (rc == 0 && found && !registry_find(&batch->registry, leaver.player) &&
            !registry_damaged(&batch->registry, leaver.player))
            rc = catalog_erase_mails(batch->catalog, &leaver, err);
    }
    return rc;
}
