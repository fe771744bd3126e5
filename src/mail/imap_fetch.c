#include "mail/imap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define SIZES_AT_ONCE 1000
#define BATCH_BYTES   ((size_t)8 * 1024 * 1024)
#define HEADER_BYTES  65536 /* of an oversize mail */
#define SLACK_BYTES   ((size_t)1024 * 1024)
#define YEAR_2000     946684800

/* What one FETCH response says. */
struct facts {
    uint32_t uid;
    bool has_size;
    uint32_t size;
    int64_t arrived;
    struct slice body;
    bool has_body;
};

static void read_facts(const struct mailimap_msg_att *att, struct facts *facts)
{
    *facts = (struct facts){.body = {"", 0}};
    for (clistiter *i = clist_begin(att->att_list); i; i = clist_next(i)) {
        const struct mailimap_msg_att_item *item = clist_content(i);
        if (item->att_type != MAILIMAP_MSG_ATT_ITEM_STATIC)
            continue;
        const struct mailimap_msg_att_static *fact = item->att_data.att_static;
        if (fact->att_type == MAILIMAP_MSG_ATT_UID) {
            facts->uid = fact->att_data.att_uid;
        } else if (fact->att_type == MAILIMAP_MSG_ATT_RFC822_SIZE) {
            facts->size = fact->att_data.att_rfc822_size;
            facts->has_size = true;
        } else if (fact->att_type == MAILIMAP_MSG_ATT_INTERNALDATE) {
            facts->arrived = imap_time(fact->att_data.att_internal_date);
        } else if (fact->att_type == MAILIMAP_MSG_ATT_BODY_SECTION) {
            const struct mailimap_msg_att_body_section *section = fact->att_data.att_body_section;
            facts->has_body = section != NULL; /* NIL counts as empty */
            if (section && section->sec_body_part)
                facts->body = (struct slice){section->sec_body_part, section->sec_length};
        }
    }
}

static void forget_found(struct imap *imap)
{
    uids_clear(&imap->waiting);
    imap->taken = imap->found_count = imap->next = 0;
}

/* Looks once for mail that is neither handed out nor skipped. */
static int search_once(struct imap *imap, struct err *err)
{
    struct uids *waiting = &imap->waiting;
    forget_found(imap);
    imap->session->imap_selection_info->sel_has_exists = 0;
    int rc = imap_search(imap, "UNDELETED", waiting, err);
    if (rc > 0)
        return imap_refused(imap, ERR_TEMP, "does not search the mailbox", err);
    if (rc < 0)
        return -1;
    size_t kept = 0;
    for (size_t i = 0; i < waiting->count; i++)
        if (!uids_has(&imap->held, waiting->uid[i]) && !uids_has(&imap->skipped, waiting->uid[i]))
            waiting->uid[kept++] = waiting->uid[i];
    waiting->count = waiting->sorted = kept;
    imap_describe(imap);
    return 0;
}

/* A server looks for new mail at the end of a command: the answer to a search may tell of a mail that the
 * search did not find, and IDLE does not announce it again. (Anything announced after the second search is
 * left to imap_wait.) */
static int search(struct imap *imap, struct err *err)
{
    int rc = search_once(imap, err);
    if (rc == 0 && imap->waiting.count == 0 && imap->session->imap_selection_info->sel_has_exists)
        rc = search_once(imap, err);
    return rc;
}

static struct imap_found *find(struct imap *imap, uint32_t uid)
{
    size_t low = 0;
    size_t high = imap->found_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (imap->found[mid].uid == uid)
            return &imap->found[mid];
        if (imap->found[mid].uid < uid)
            low = mid + 1;
        else
            high = mid;
    }
    return NULL;
}

/* Keeps what one FETCH response says of a mail. False when it says nothing that was wanted. */
typedef bool keep_facts(struct imap *imap, struct imap_found *found, const struct facts *facts, void *arg);

/* What is asked for, and who keeps it. */
struct wanted {
    const char *attributes;
    size_t bytes; /* of texts that one answer may hold */
    keep_facts *keep;
    void *arg;
};

static size_t keep_all(struct imap *imap, const struct wanted *wanted)
{
    size_t kept = 0;
    const clist *list = imap->session->imap_response_info->rsp_fetch_list;
    for (const clistcell *cell = list ? list->first : NULL; cell; cell = cell->next) {
        struct facts facts;
        read_facts(cell->data, &facts);
        struct imap_found *found = find(imap, facts.uid);
        if (found && wanted->keep(imap, found, &facts, wanted->arg))
            kept++;
    }
    return kept;
}

/* Requests that for the mails, in as few commands as fit. A NO after data is no error: some servers send it
 * when one mail of many is gone. A NO to everything is one. */
static int fetch_facts(struct imap *imap, struct uids *uids, const struct wanted *wanted, struct err *err)
{
    struct str command = STR_INIT;
    size_t next = 0;
    int rc = 0;
    str_adds(&command, "UID FETCH ");
    while (rc >= 0 && uids_ranges(&command, uids, &next)) {
        str_addf(&command, " (UID %s)", wanted->attributes);
        rc = imap_command(imap, command.p, SLACK_BYTES + wanted->bytes + uids->count * 512, err);
        if (rc >= 0 && keep_all(imap, wanted) == 0 && rc > 0)
            rc = imap_refused(imap, ERR_TEMP, "does not hand out the mails", err);
        str_cut(&command, strlen("UID FETCH "));
    }
    str_release(&command);
    return rc < 0 ? -1 : 0;
}

static bool keep_size(struct imap *imap, struct imap_found *found, const struct facts *facts, void *arg)
{
    (void)imap;
    (void)arg;
    if (facts->has_size)
        *found = (struct imap_found){facts->uid, true, facts->size, facts->arrived};
    return facts->has_size;
}

/* Takes the next waiting mails and requests their size and arrival. A mail that is gone by now stays
 * unknown. */
static int ask_sizes(struct imap *imap, struct err *err)
{
    size_t left = imap->waiting.count - imap->taken;
    size_t end = imap->taken + (left > SIZES_AT_ONCE ? SIZES_AT_ONCE : left);
    struct uids uids = {0};
    imap->found_count = imap->next = 0;
    for (; imap->taken < end; imap->taken++) {
        uint32_t uid = imap->waiting.uid[imap->taken];
        uids_add(&uids, uid);
        imap->found = mem_grow(imap->found, imap->found_count, &imap->found_cap, sizeof *imap->found);
        imap->found[imap->found_count++] = (struct imap_found){.uid = uid};
    }
    int rc = fetch_facts(imap, &uids, &(struct wanted){"RFC822.SIZE INTERNALDATE", 0, keep_size, NULL}, err);
    uids_free(&uids);
    return rc;
}

static bool oversize(const struct imap *imap, const struct imap_found *found)
{
    return found->size > imap->max_size;
}

/* How many of the next mails make one batch; *bytes gets the sum of the sizes of what is fetched of them. */
static size_t batch_size(const struct imap *imap, const struct source_wanted *wanted, size_t *bytes)
{
    size_t n = 0;
    *bytes = 0;
    for (; n < wanted->count && imap->next + n < imap->found_count; n++) {
        const struct imap_found *found = &imap->found[imap->next + n];
        size_t size = !found->known || found->size > wanted->bytes ? 0
                      : oversize(imap, found)                      ? HEADER_BYTES
                                                                   : found->size;
        if (*bytes && *bytes + size > BATCH_BYTES)
            break;
        *bytes += size;
    }
    return n;
}

/* The header with its empty line, or all when there is none. */
static struct slice header_of(struct slice raw)
{
    size_t end = slice_find(raw, "\r\n\r\n");
    return end == (size_t)-1 ? raw : slice_sub(raw, 0, end + 4);
}

/* Where the texts of a batch go. */
struct batch {
    struct incoming *mails; /* by position after imap->next */
    size_t count;
    size_t most; /* bytes of a mail of which anything is fetched */
    bool large;  /* headers of oversize mails are being fetched */
};

static void begin_mail(struct incoming *mail, const struct imap *imap, const struct imap_found *found)
{
    struct str id = STR_INIT;
    str_addf(&id, "%" PRIu32 "/%" PRIu32, imap->validity, found->uid);
    mail->id = str_detach(&id);
    mail->arrived = found->arrived;
}

static bool keep_text(struct imap *imap, struct imap_found *found, const struct facts *facts, void *arg)
{
    const struct batch *batch = arg;
    size_t index = (size_t)(found - imap->found) - imap->next; /* wraps for mails before the batch */
    if (!facts->has_body || index >= batch->count || batch->mails[index].id)
        return false;
    struct incoming *mail = &batch->mails[index];
    begin_mail(mail, imap, found);
    /* The size reported by a server may be an estimate. */
    mail->oversize = batch->large || facts->body.len > imap->max_size;
    mail->withheld = facts->body.len == 0 && found->size > 0;
    mail->size = batch->large || mail->withheld ? found->size : facts->body.len;
    str_addslice(&mail->raw, mail->oversize ? header_of(facts->body) : facts->body);
    return true;
}

/* Fetches the texts of those that are not too large, or the headers of those that are. */
static int fetch_texts(struct imap *imap, struct batch *batch, size_t bytes, struct err *err)
{
    struct uids uids = {0};
    struct str what = STR_INIT;
    for (size_t i = 0; i < batch->count; i++) {
        const struct imap_found *found = &imap->found[imap->next + i];
        if (found->known && found->size <= batch->most && oversize(imap, found) == batch->large)
            uids_add(&uids, found->uid);
    }
    if (batch->large)
        str_addf(&what, "BODY.PEEK[HEADER]<0.%d>", HEADER_BYTES);
    else
        str_adds(&what, "BODY.PEEK[]");
    int rc = fetch_facts(imap, &uids, &(struct wanted){what.p, 2 * bytes, keep_text, batch}, err);
    str_release(&what);
    uids_free(&uids);
    return rc;
}

/* Closes the gaps left by vanished mails, remembers which mails were handed out. */
static size_t settle_batch(struct imap *imap, struct incoming *mails, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t uid = imap->found[imap->next + i].uid;
        uids_add(mails[i].id ? &imap->held : &imap->skipped, uid);
        if (mails[i].id)
            mails[count++] = mails[i];
    }
    imap->next += n;
    return count;
}

void imap_rest(struct imap *imap, const struct incoming *mail, const unsigned char digest[32])
{
    const char *slash = strchr(mail->id, '/');
    imap->resting = mem_grow(imap->resting, imap->resting_count, &imap->resting_cap, sizeof *imap->resting);
    struct imap_resting *resting = &imap->resting[imap->resting_count++];
    resting->uid = slash ? (uint32_t)strtoul(slash + 1, NULL, 10) : 0;
    memcpy(resting->digest, digest, sizeof resting->digest);
}

void imap_again(struct imap *imap, source_rests *rests, void *arg)
{
    size_t kept = 0;
    forget_found(imap);
    uids_free(&imap->held);
    for (size_t i = 0; i < imap->resting_count; i++) {
        if (!rests || !rests(arg, imap->resting[i].digest))
            continue;
        uids_add(&imap->held, imap->resting[i].uid);
        imap->resting[kept++] = imap->resting[i];
    }
    imap->resting_count = kept;
}

int imap_move_since(struct imap *imap, int64_t since, size_t *count, struct err *err)
{
    struct uids uids = {0};
    int rc = search(imap, err);
    while (rc == 0 && imap->taken < imap->waiting.count) {
        rc = ask_sizes(imap, err);
        for (size_t i = 0; rc == 0 && i < imap->found_count; i++)
            if (imap->found[i].known &&
                (imap->found[i].arrived >= since || imap->found[i].arrived < YEAR_2000))
                uids_add(&uids, imap->found[i].uid);
    }
    if (rc == 0 && uids.count)
        rc = imap_move(imap, &uids, imap->folder[MAIL_PROCESSED], err);
    *count = rc == 0 ? uids.count : 0;
    forget_found(imap);
    uids_free(&uids);
    return rc;
}

int imap_fetch(struct imap *imap, const struct source_wanted *wanted, struct incoming *mails, size_t *count,
               struct err *err)
{
    *count = 0;
    while (*count == 0 && wanted->count > 0) {
        if (imap->next == imap->found_count && imap->taken == imap->waiting.count) {
            if (search(imap, err))
                return -1;
            if (imap->waiting.count == 0)
                return 0;
        }
        if (imap->next == imap->found_count && ask_sizes(imap, err))
            return -1;
        size_t bytes;
        size_t n = batch_size(imap, wanted, &bytes);
        for (size_t i = 0; i < n; i++) {
            mails[i] = (struct incoming){0};
            str_init(&mails[i].raw);
            const struct imap_found *found = &imap->found[imap->next + i];
            if (!found->known || found->size <= wanted->bytes)
                continue;
            begin_mail(&mails[i], imap, found);
            mails[i].size = found->size;
            mails[i].spared = true;
        }
        struct batch texts = {mails, n, wanted->bytes, false};
        struct batch headers = {mails, n, wanted->bytes, true};
        if (fetch_texts(imap, &texts, bytes, err) || fetch_texts(imap, &headers, bytes, err)) {
            for (size_t i = 0; i < n; i++)
                incoming_release(&mails[i]);
            return -1;
        }
        *count = settle_batch(imap, mails, n);
    }
    return 0;
}
