/* The log of mails that came in. */
#include "journal/catalog_private.h"

#include <stdio.h>
#include <string.h>

#define ROW_BYTES 128 /* of a row beside its texts, about, with its places in the indexes */
#define DROP_ROWS 200 /* at once, when the log is too large */

static int64_t bytes_of(const struct catalog_mail *mail)
{
    return ROW_BYTES + (int64_t)(strlen(mail->sender) + strlen(mail->player) + strlen(mail->subject) +
                                 strlen(mail->message_id) + strlen(mail->words) + strlen(mail->answer));
}

int catalog_log_mail(struct catalog *catalog, const struct catalog_mail *mail, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_LOG_MAIL);
    int64_t bytes = bytes_of(mail);
    catalog_digest(stmt, mail->digest);
    catalog_int(stmt, 2, mail->arrived);
    catalog_int(stmt, 3, mail->time);
    catalog_int(stmt, 4, (int64_t)mail->verdict);
    catalog_int(stmt, 5, mail->of_player);
    catalog_text(stmt, 6, mail->sender);
    catalog_text(stmt, 7, mail->player);
    catalog_text(stmt, 8, mail->subject);
    catalog_text(stmt, 9, mail->message_id);
    catalog_text(stmt, 10, mail->words);
    catalog_text(stmt, 11, mail->answer);
    catalog_int(stmt, 12, bytes);
    catalog_int(stmt, 13, mail->weak);
    catalog_int(stmt, 14, mail->unanswered);
    if (catalog->logged >= 0)
        catalog->logged += bytes;
    return catalog_run(catalog, Q_LOG_MAIL, err);
}

static void read_mail(sqlite3_stmt *stmt, struct catalog_mail *mail)
{
    *mail = (struct catalog_mail){.verdict = VERDICT_TAKEN};
    if (sqlite3_column_bytes(stmt, 0) == (int)sizeof mail->digest)
        memcpy(mail->digest, sqlite3_column_blob(stmt, 0), sizeof mail->digest);
    mail->arrived = sqlite3_column_int64(stmt, 1);
    mail->time = sqlite3_column_int64(stmt, 2);
    int verdict = sqlite3_column_int(stmt, 3);
    if (verdict >= VERDICT_TAKEN && verdict <= VERDICT_GIVEN_UP)
        mail->verdict = (enum catalog_verdict)verdict;
    mail->of_player = sqlite3_column_int(stmt, 4) != 0;
    catalog_column(mail->sender, sizeof mail->sender, stmt, 5);
    catalog_column(mail->player, sizeof mail->player, stmt, 6);
    catalog_column(mail->subject, sizeof mail->subject, stmt, 7);
    catalog_column(mail->message_id, sizeof mail->message_id, stmt, 8);
    catalog_column(mail->words, sizeof mail->words, stmt, 9);
    catalog_column(mail->answer, sizeof mail->answer, stmt, 10);
    mail->unanswered = sqlite3_column_int(stmt, 11) != 0;
}

void catalog_ask_for(sqlite3_stmt *stmt, const struct catalog_wanted *wanted)
{
    catalog_int(stmt, 1, wanted->since);
    catalog_text(stmt, 2, wanted->player ? wanted->player : "");
    catalog_text(stmt, 3, wanted->id ? wanted->id : "");
}

int catalog_each_mail(struct catalog *catalog, const struct catalog_wanted *wanted,
                      int (*each)(void *arg, const struct catalog_mail *mail, struct err *err), void *arg,
                      struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_MAILS);
    int rc;
    catalog_ask_for(stmt, wanted);
    while ((rc = catalog_row(catalog, Q_MAILS, err)) == 1) {
        struct catalog_mail mail;
        read_mail(stmt, &mail);
        if (each(arg, &mail, err) != 0) {
            rc = -1;
            break;
        }
    }
    (void)sqlite3_reset(stmt);
    return rc;
}

int catalog_next_logged(struct catalog *catalog, char name[CATALOG_NAME], bool *found, struct err *err)
{
    sqlite3_stmt *stmt = catalog_stmt(catalog, Q_MAIL_PLAYER);
    char next[CATALOG_NAME] = "";
    catalog_text(stmt, 1, name);
    int rc = catalog_row(catalog, Q_MAIL_PLAYER, err);
    if (rc == 1)
        catalog_column(next, sizeof next, stmt, 0);
    (void)sqlite3_reset(stmt);
    *found = *next != '\0';
    memcpy(name, next, sizeof next);
    return rc < 0 ? -1 : 0;
}

int catalog_erase_mails(struct catalog *catalog, const struct catalog_leaver *leaver, struct err *err)
{
    static const enum query by_player[] = {Q_ERASE_PATHS, Q_ERASE_STUCK, Q_BOUNCE_CLEAR, Q_ERASE_HELD};
    static const enum query by_all[] = {Q_ERASE_MAILS, Q_ERASE_DELIVERIES, Q_ERASE_UNREAD};
    for (size_t i = 0; i < sizeof by_all / sizeof *by_all; i++) {
        sqlite3_stmt *stmt = catalog_stmt(catalog, by_all[i]);
        catalog_text(stmt, 1, leaver->player);
        catalog_text(stmt, 2, leaver->address);
        catalog_text(stmt, 3, leaver->address2);
        if (catalog_run(catalog, by_all[i], err))
            return -1;
    }
    for (size_t i = 0; i < sizeof by_player / sizeof *by_player; i++) {
        catalog_text(catalog_stmt(catalog, by_player[i]), 1, leaver->player);
        if (catalog_run(catalog, by_player[i], err))
            return -1;
    }
    catalog_text(catalog_stmt(catalog, Q_ERASE_BUDGET), 1, leaver->address);
    catalog_text(catalog_stmt(catalog, Q_ERASE_BUDGET), 2, leaver->address2);
    catalog->erased = true;
    return catalog_run(catalog, Q_ERASE_BUDGET, err);
}

int catalog_tidy_mails(struct catalog *catalog, int64_t before, struct err *err)
{
    catalog->logged = -1;
    catalog_int(catalog_stmt(catalog, Q_TIDY_MAILS), 1, before);
    return catalog_run(catalog, Q_TIDY_MAILS, err);
}

static int count_bytes(struct catalog *catalog, struct err *err)
{
    int rc = catalog_row(catalog, Q_MAIL_BYTES, err);
    if (rc == 1)
        catalog->logged = sqlite3_column_int64(catalog_stmt(catalog, Q_MAIL_BYTES), 0);
    (void)sqlite3_reset(catalog_stmt(catalog, Q_MAIL_BYTES));
    return rc < 0 ? -1 : 0;
}

int catalog_cap_mails(struct catalog *catalog, int64_t most, struct err *err)
{
    if (catalog->logged >= 0 && catalog->logged <= most)
        return 0;
    int rc = count_bytes(catalog, err); /* lines that were replaced have been counted twice */
    int64_t enough = catalog->logged > most ? most - most / 16 : most; /* so that not every commit does it */
    while (rc == 0 && catalog->logged > enough) {
        catalog_int(catalog_stmt(catalog, Q_DROP_MAILS), 1, DROP_ROWS);
        rc = catalog_run(catalog, Q_DROP_MAILS, err);
        if (rc == 0)
            rc = count_bytes(catalog, err);
    }
    return rc;
}
