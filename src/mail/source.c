#include "mail/source.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mail/imap.h"
#include "mail/maildir.h"
#include "mail/mbox.h"

/* Exactly one of the two is set. */
struct source {
    struct maildir *maildir;
    struct imap *imap;
    bool (*news)(void *arg); /* source_watch, or NULL */
    void *news_arg;
    int64_t now;  /* source_time; 0 = it is not known */
    size_t spare; /* source_spare; 0 = all mails are fetched */
};

int source_open_maildir(const char *dir, size_t max_size, struct source **out, struct err *err)
{
    struct maildir *maildir;
    if (maildir_open(dir, max_size, &maildir, err))
        return -1;
    *out = mem_alloc(sizeof **out);
    (*out)->maildir = maildir;
    return 0;
}

int source_open_imap(const struct server *server, const struct folders *folders, size_t max_size,
                     struct source **out, struct err *err)
{
    struct imap *imap;
    if (imap_open(server, folders, max_size, &imap, err))
        return -1;
    *out = mem_alloc(sizeof **out);
    (*out)->imap = imap;
    return 0;
}

bool source_is_far(const struct source *source)
{
    return source->imap != NULL;
}

void source_time(struct source *source, int64_t now)
{
    source->now = now;
}

int64_t source_arrival(int64_t said, int64_t date, int64_t now)
{
    int64_t least = date && date <= now + ARRIVAL_SLACK ? date - ARRIVAL_SLACK : 1;
    if (said < least || said > now + ARRIVAL_SLACK)
        said = date ? date : now;
    return said < now ? said : now;
}

void source_spare(struct source *source, size_t most)
{
    source->spare = most;
}

int source_fetch(struct source *source, struct incoming *mails, size_t max, size_t *count, struct err *err)
{
    const struct source_wanted wanted = {max, source->spare ? source->spare : SIZE_MAX};
    int rc = source->imap ? imap_fetch(source->imap, &wanted, mails, count, err)
                          : maildir_fetch(source->maildir, &wanted, mails, count, err);
    for (size_t i = 0; rc == 0 && source->now && i < *count; i++)
        mails[i].arrived = source_arrival(mails[i].arrived, mail_date(slice_str(&mails[i].raw)), source->now);
    return rc;
}

void source_rest(struct source *source, const struct incoming *mail, const unsigned char digest[32])
{
    if (source->imap)
        imap_rest(source->imap, mail, digest);
}

void source_again(struct source *source, source_rests *rests, void *arg)
{
    source->spare = 0;
    if (source->imap)
        imap_again(source->imap, rests, arg);
    else
        maildir_again(source->maildir);
}

int source_dispose(struct source *source, const struct incoming *mails, const enum disposition *how,
                   size_t count, struct err *err)
{
    return source->imap ? imap_dispose(source->imap, mails, how, count, err)
                        : maildir_dispose(source->maildir, mails, how, count, err);
}

int source_move_since(struct source *source, int64_t since, size_t *count, struct err *err)
{
    return imap_move_since(source->imap, since, count, err);
}

void source_watch(struct source *source, bool (*news)(void *arg), void *arg)
{
    source->news = news;
    source->news_arg = arg;
}

int source_wait(struct source *source, int seconds, const volatile bool *stop, struct err *err)
{
    const struct nap_ends ends = {stop, source->news, source->news_arg};
    return source->imap ? imap_wait(source->imap, seconds, &ends, err)
                        : maildir_wait(source->maildir, seconds, &ends, err);
}

const char *source_describe(const struct source *source)
{
    return source->imap ? source->imap->description.p : maildir_describe(source->maildir);
}

void source_close(struct source *source)
{
    if (!source)
        return;
    imap_close(source->imap);
    maildir_close(source->maildir);
    free(source);
}

void incoming_release(struct incoming *mail)
{
    free(mail->id);
    str_release(&mail->raw);
    *mail = (struct incoming){.raw = STR_INIT};
}
