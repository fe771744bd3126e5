#include "mail/imap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define ANSWER_BYTES ((size_t)256 * 1024) /* for commands whose answer is a few lines */

/* A command on a folder: VERB "name". */
static int folder_command(struct imap *imap, const char *verb, const char *name, struct err *err)
{
    struct str command = STR_INIT;
    str_addf(&command, "%s ", verb);
    imap_quote_name(&command, name);
    int rc = imap_command(imap, command.p, ANSWER_BYTES, err);
    str_release(&command);
    return rc;
}

/* 1 it exists, 0 it does not, -1. A NO may mean that the name is impossible; CREATE will say so. */
static int folder_exists(struct imap *imap, const char *name, struct err *err)
{
    int rc = folder_command(imap, "LIST \"\"", name, err);
    if (rc > 0 && imap->bad)
        return imap_refused(imap, ERR_CONFIG, "does not list its mailboxes", err);
    return rc < 0 ? -1 : rc == 0 && clist_count(imap->session->imap_response_info->rsp_mailbox_list) > 0;
}

static int make_folder(struct imap *imap, const char *name, struct err *err)
{
    int there = folder_exists(imap, name, err);
    if (there != 0)
        return there < 0 ? -1 : 0;
    int rc = folder_command(imap, "CREATE", name, err);
    /* Another client was quicker, or the list is older than the folder (RFC 5530 section 3). */
    if (rc > 0 && imap_answer_code(imap, "ALREADYEXISTS"))
        return 0;
    if (rc > 0) {
        struct str what = STR_INIT;
        str_addf(&what, "cannot create the folder \"%s\" (some servers want its name as INBOX.%s)", name,
                 name);
        rc = imap_refused(imap, ERR_CONFIG, what.p, err);
        str_release(&what);
    }
    if (rc != 0)
        return -1;
    /* Only so that mail programs show it; not every server knows the command. */
    return folder_command(imap, "SUBSCRIBE", name, err) < 0 ? -1 : 0;
}

void imap_describe(struct imap *imap)
{
    char digits[16];
    const struct mailimap_selection_info *info = imap->session->imap_selection_info;
    unsigned count = info ? info->sel_exists : 0;
    (void)snprintf(digits, sizeof digits, "%u", count);
    size_t len = strlen(digits);
    str_clear(&imap->description);
    str_addf(&imap->description, "IMAP %s %s (", imap->where, imap->mailbox);
    for (size_t i = 0; i < len; i++) {
        if (i > 0 && (len - i) % 3 == 0)
            str_addc(&imap->description, ',');
        str_addc(&imap->description, digits[i]);
    }
    str_adds(&imap->description, count == 1 ? " mail)" : " mails)");
}

static int select_mailbox(struct imap *imap, struct err *err)
{
    imap->session->imap_selection_info = mailimap_selection_info_new();
    if (!imap->session->imap_selection_info)
        exit(EXIT_NO_MEMORY);
    int rc = folder_command(imap, "SELECT", imap->mailbox, err);
    if (rc > 0) {
        struct str what = STR_INIT;
        str_addf(&what, "cannot open the mailbox \"%s\"", imap->mailbox);
        imap_refused(imap, ERR_CONFIG, what.p, err);
        str_release(&what);
    }
    if (rc != 0)
        return -1;
    const struct mailimap_selection_info *info = imap->session->imap_selection_info;
    if (info->sel_perm == MAILIMAP_MAILBOX_READONLY)
        return err_set(err, ERR_CONFIG,
                       "%s lets us only read the mailbox \"%s\", but processed mail must be moved away",
                       imap->where, imap->mailbox);
    imap->validity = info->sel_uidvalidity;
    imap_describe(imap);
    return 0;
}

static int greet(struct imap *imap, struct err *err)
{
    imap->session = mailimap_new(0, NULL);
    if (!imap->session)
        exit(EXIT_NO_MEMORY);
    /* libetpan would put large strings into files in /tmp. */
    mmap_string_set_ceil(SIZE_MAX);
    imap_stream_expect(imap->stream, ANSWER_BYTES);
    if (mailimap_connect(imap->session, imap_stream_mail(imap->stream)) != MAILIMAP_NO_ERROR_AUTHENTICATED)
        return imap_lost(imap, err);
    /* By a plain command: mailimap_capability crashes when a server answers OK without the list. */
    int rc = imap_command(imap, "CAPABILITY", ANSWER_BYTES, err);
    if (rc != 0)
        return rc < 0 ? -1 : imap_refused(imap, ERR_TEMP, "does not say what it can", err);
    imap->can_move = mailimap_has_extension(imap->session, "MOVE");
    imap->can_uidplus = mailimap_has_extension(imap->session, "UIDPLUS");
    imap->can_idle = mailimap_has_extension(imap->session, "IDLE");
    return 0;
}

int imap_open(const struct server *server, const struct folders *folders, size_t max_size, struct imap **out,
              struct err *err)
{
    struct imap *imap = mem_alloc(sizeof *imap);
    struct str where = STR_INIT;
    str_addf(&where, "%s:%d", server->host ? server->host : "", server->port);
    imap->where = str_detach(&where);
    imap->mailbox = mem_strdup(folders->mailbox);
    for (int d = 0; d < DISPOSITIONS; d++)
        imap->folder[d] = mem_strdup(folders->folder[d]);
    imap->max_size = max_size;
    imap->poll = server->poll > 0 ? server->poll : 60;
    str_init(&imap->description);
    if (imap_stream_open(server, &imap->stream, err) || greet(imap, err) ||
        make_folder(imap, imap->folder[MAIL_PROCESSED], err) ||
        make_folder(imap, imap->folder[MAIL_REJECTED], err) || select_mailbox(imap, err)) {
        imap_close(imap);
        return -1;
    }
    *out = imap;
    return 0;
}

/* Sends PREFIX ranges SUFFIX for all of the UIDs, in as many commands as it takes. 1 when one of them was
 * refused. */
static int for_all(struct imap *imap, const char *prefix, struct uids *uids, const char *suffix,
                   struct err *err)
{
    struct str command = STR_INIT;
    int rc = 0;
    size_t from = 0;
    while (rc == 0) {
        str_clear(&command);
        str_adds(&command, prefix);
        if (!uids_ranges(&command, uids, &from))
            break;
        str_adds(&command, suffix);
        rc = imap_command(imap, command.p, ANSWER_BYTES + uids->count * 512, err);
    }
    str_release(&command);
    return rc;
}

/* Without UIDPLUS only the whole mailbox can be expunged; done only when no mail of another client is
 * marked. */
static int expunge_ours(struct imap *imap, struct uids *uids, struct err *err)
{
    if (imap->can_uidplus)
        return for_all(imap, "UID EXPUNGE ", uids, "", err);
    struct uids marked = {0};
    int rc = imap_search(imap, "DELETED", &marked, err);
    bool foreign = false;
    for (size_t i = 0; i < marked.count; i++)
        foreign |= !uids_has(uids, marked.uid[i]);
    uids_free(&marked);
    return rc != 0 || foreign ? rc : imap_command(imap, "EXPUNGE", ANSWER_BYTES + uids->count * 64, err);
}

static int move_all(struct imap *imap, struct uids *uids, const char *folder, struct err *err)
{
    struct str to = STR_INIT;
    str_addc(&to, ' ');
    imap_quote_name(&to, folder);
    int rc = for_all(imap, imap->can_move ? "UID MOVE " : "UID COPY ", uids, to.p, err);
    str_release(&to);
    if (rc != 0 || imap->can_move)
        return rc;
    rc = for_all(imap, "UID STORE ", uids, " +FLAGS.SILENT (\\Deleted)", err);
    return rc != 0 ? rc : expunge_ours(imap, uids, err);
}

int imap_move(struct imap *imap, struct uids *uids, const char *folder, struct err *err)
{
    int rc = move_all(imap, uids, folder, err);
    if (rc > 0) {
        /* Somebody may have removed the folder since we opened the mailbox. */
        if (make_folder(imap, folder, err))
            return -1;
        rc = move_all(imap, uids, folder, err);
    }
    if (rc > 0) {
        struct str what = STR_INIT;
        str_addf(&what, "does not move mail to \"%s\"", folder);
        rc = imap_refused(imap, ERR_TEMP, what.p, err);
        str_release(&what);
    }
    return rc;
}

int imap_dispose(struct imap *imap, const struct incoming *mails, const enum disposition *how, size_t count,
                 struct err *err)
{
    int rc = 0;
    for (int d = 0; d < DISPOSITIONS && rc == 0; d++) {
        struct uids uids = {0};
        for (size_t i = 0; i < count; i++) {
            /* After a change of UIDVALIDITY the number means another mail; ours will be found again. */
            char *end;
            unsigned long validity = strtoul(mails[i].id, &end, 10);
            if (!mails[i].withheld && (int)how[i] == d && *end == '/' && validity == imap->validity)
                uids_add(&uids, (uint32_t)strtoul(end + 1, NULL, 10));
        }
        if (uids.count)
            rc = imap_move(imap, &uids, imap->folder[d], err);
        for (size_t i = 0; rc == 0 && i < uids.count; i++)
            uids_remove(&imap->held, uids.uid[i]);
        uids_free(&uids);
    }
    if (rc == 0)
        imap_describe(imap);
    return rc;
}

void imap_close(struct imap *imap)
{
    if (!imap)
        return;
    if (imap->session) {
        /* mailimap_free sends LOGOUT; a server that is slow now does not get it. */
        imap_stream_expect_soon(imap->stream, ANSWER_BYTES, 500);
        mailimap_free(imap->session);
    }
    imap_stream_close(imap->stream);
    free(imap->where);
    free(imap->mailbox);
    for (int d = 0; d < DISPOSITIONS; d++)
        free(imap->folder[d]);
    free(imap->found);
    uids_free(&imap->waiting);
    uids_free(&imap->held);
    free(imap->resting);
    uids_free(&imap->skipped);
    str_release(&imap->description);
    free(imap);
}
