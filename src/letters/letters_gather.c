/* A digest: many mails in one (batch/digest.h). */

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "letters/letters_parts.h"
#include "mail/reply.h"
#include "report/page.h"

#define PART_MOST ((size_t)16 << 20) /* ours are far smaller */

struct gathering {
    const struct letters *letters;
    const struct outgoing *mails;
    struct message *messages; /* one a mail */
    size_t count;
    json_t *facts;
    struct outgoing *mail; /* that is made of them */
    struct letter_file *files;
    char **names; /* of the files */
    size_t file_count;
};

static int parse_all(struct gathering *all, struct err *err)
{
    const char *own[] = {all->letters->league->config.league.address};
    const struct message_limits limits = {.size = 4 * PART_MOST,
                                          .header_bytes = 65536,
                                          .header_count = 500,
                                          .parts = 64,
                                          .depth = 16,
                                          .part_bytes = PART_MOST};
    for (size_t i = 0; i < all->count; i++) {
        struct err why = ERR_INIT;
        if (message_parse(slice_str(&all->mails[i].mail), &limits,
                          &(struct message_identity){own, 1, own[0], 0}, &all->messages[i], &why) ||
            all->messages[i].part_count == 0)
            return err_set(err, ERR_BROKEN, "the spooled mail %s cannot be read: %s", all->mails[i].id,
                           why.text);
    }
    return 0;
}

static const struct message_part *part_of(const struct message *msg, const char *type)
{
    for (size_t i = 0; i < msg->part_count; i++)
        if (strcmp(msg->parts[i].type, type) == 0)
            return &msg->parts[i];
    return NULL;
}

/* The same mails give the same. */
static struct mail_id make_id(const struct letters_gathered *gathered)
{
    unsigned char digest[32];
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, sizeof digest);
    crypto_generichash_update(&st, (const unsigned char *)gathered->player->name,
                              strlen(gathered->player->name) + 1);
    for (size_t i = 0; i < gathered->count; i++) {
        const struct outgoing *mail = &gathered->mails[i];
        crypto_generichash_update(&st, (const unsigned char *)mail->id, strlen(mail->id) + 1);
        crypto_generichash_update(&st, (const unsigned char *)mail->mail.p, mail->mail.len);
    }
    crypto_generichash_final(&st, digest, sizeof digest);
    return mail_id_gathers(gathered->player->name, digest);
}

/* Is the next mail about the same game? They are in the order of games. */
static bool goes_on(const struct gathering *all, size_t i)
{
    struct mail_id this, next;
    return i + 1 < all->count && mail_id_is(&this, all->mails[i].id, MAIL_ID_RECORD) &&
           mail_id_is(&next, all->mails[i + 1].id, MAIL_ID_RECORD) && strcmp(this.name, next.name) == 0;
}

static json_t *item_facts(const struct gathering *all, size_t i)
{
    json_t *item = json_pack("{s:i,s:i,s:s,s:b}", "number", (int)i + 1, "of", (int)all->count, "subject",
                             all->messages[i].subject, "goes_on", goes_on(all, i));
    if (item && json_object_get(all->facts, "keyless"))
        json_object_set_new(item, "keyless", json_true());
    return item ? item : json_object();
}

/* The game of the first mail whose first line has the boundary that an answer is known by; false when none does. */
static bool answered_game(const struct gathering *all, struct mail_id *id)
{
    for (size_t i = 0; i < all->count; i++) {
        struct slice text = slice_str(&all->messages[i].parts[0].shown), line, nonce;
        if (slice_line(&text, &line) && reply_boundary_find(line, &nonce) != (size_t)-1 &&
            mail_id_is(id, all->mails[i].id, MAIL_ID_RECORD))
            return true;
    }
    return false;
}

static json_t *make_facts(const struct gathering *all, const struct player *player)
{
    struct mail_id id;
    json_t *items = json_array();
    for (size_t i = 0; i < all->count; i++)
        json_array_append_new(items, item_facts(all, i));
    json_t *facts = json_pack("{s:i,s:b,s:s,s:o}", "count", (int)all->count, "several", all->count > 1,
                              "player", player->name, "items", items);
    letters_add_league(all->letters, facts);
    letters_reply(all->letters, NULL, player->name, facts, all->mail);
    if (answered_game(all, &id)) {
        letters_reply_digest(all->letters, player->name, facts, all->mail);
        json_object_set_new(facts, "example", json_string(id.name));
    }
    return facts;
}

static int render(const struct gathering *all, const char *name, const json_t *facts, struct str *out,
                  struct err *err)
{
    return templates_render(all->letters->templates, &(struct template_name){"", name}, facts, out, err);
}

static int add_text(struct gathering *all, size_t i, struct err *err)
{
    struct slice text = slice_str(&all->messages[i].parts[0].shown);
    struct str *out = &all->mail->text;
    json_t *item = item_facts(all, i);
    int rc = render(all, "digest_item.txt", item, out, err);
    json_decref(item);
    str_addslice(out, text);
    str_addc(out, '\n');
    return rc;
}

/* What is in the body of a page of ours. */
static bool body_of(struct slice page, struct slice *body)
{
    size_t from = slice_find(page, "<body");
    if (from == (size_t)-1)
        return false;
    page = slice_sub(page, from, page.len);
    from = slice_find(page, ">");
    size_t to = slice_find(page, "</body>");
    if (from == (size_t)-1 || to == (size_t)-1 || to <= from)
        return false;
    *body = slice_sub(page, from + 1, to - from - 1);
    return true;
}

/* A mail without a page is shown as its text. */
static int add_page(struct gathering *all, size_t i, struct err *err)
{
    const struct message *msg = &all->messages[i];
    const struct message_part *html = part_of(msg, "text/html");
    struct str *out = &all->mail->html;
    struct slice body;
    json_t *item = item_facts(all, i);
    int rc = render(all, "digest_item.html", item, out, err);
    json_decref(item);
    if (html && body_of(slice_str(&html->exact), &body)) {
        str_addslice(out, body);
    } else {
        struct slice text = slice_str(&msg->parts[0].shown);
        str_adds(out, "<pre style=\"" PAGE_AS_IS "\">");
        page_escape(out, slice_trim(text));
        str_adds(out, "</pre>\n");
    }
    return rc;
}

/* "view.json" of gc-1.12.2 becomes "view-gc-1.12.2.json"; what proves the mails becomes one file. */
static void add_files(struct gathering *all)
{
    struct str proof = STR_INIT;
    size_t cap = 0, name_cap = 0, *count = &all->file_count;
    for (size_t i = 0; i < all->count; i++) {
        for (size_t k = 0; k < all->messages[i].part_count; k++) {
            const struct message_part *part = &all->messages[i].parts[k];
            struct str name = STR_INIT;
            if (!*part->name)
                continue;
            if (strcmp(part->name, LETTERS_PROOF) == 0) {
                str_addslice(&proof, slice_str(&part->shown));
                continue;
            }
            const char *dot = strrchr(part->name, '.');
            size_t stem = dot ? (size_t)(dot - part->name) : strlen(part->name);
            str_addf(&name, "%.*s-%s%s", (int)stem, part->name, all->mails[i].id, dot ? dot : "");
            all->files = mem_grow(all->files, *count, &cap, sizeof *all->files);
            all->names = mem_grow(all->names, *count, &name_cap, sizeof *all->names);
            all->names[*count] = str_detach(&name);
            all->files[*count] =
                (struct letter_file){all->names[*count], part->type, slice_str(&part->exact)};
            (*count)++;
        }
    }
    if (proof.len)
        all->mail->proof = str_detach(&proof);
    str_release(&proof);
}

static int render_all(struct gathering *all, bool html, struct err *err)
{
    int rc = 0;
    if (render(all, "digest.subject.txt", all->facts, &all->mail->subject, err) ||
        render(all, "digest.txt", all->facts, &all->mail->text, err) ||
        (html && render(all, "digest.html", all->facts, &all->mail->html, err)))
        return -1;
    str_trim(&all->mail->subject);
    for (size_t i = 0; rc == 0 && i < all->count; i++) {
        rc = add_text(all, i, err);
        if (rc == 0 && html)
            rc = add_page(all, i, err);
    }
    if (rc == 0 && html)
        rc = render(all, "digest_end.html", all->facts, &all->mail->html, err);
    add_files(all);
    return rc;
}

int letters_gather(const struct letters *letters, const struct letters_gathered *gathered,
                   struct outgoing *mail, struct err *err)
{
    const struct player *player = gathered->player;
    size_t count = gathered->count;
    struct gathering all = {.letters = letters,
                            .mails = gathered->mails,
                            .messages = mem_array(count, sizeof *all.messages),
                            .count = count,
                            .mail = mail};
    bool html = false;
    *mail = (struct outgoing)OUTGOING_INIT;
    int rc = parse_all(&all, err);
    for (size_t i = 0; rc == 0 && i < count; i++)
        html |= part_of(&all.messages[i], "text/html") != NULL;
    if (rc == 0)
        all.facts = make_facts(&all, player);
    if (rc == 0)
        rc = render_all(&all, html, err);
    if (rc == 0) {
        mail->state = OUTGOING_WORDED;
        mail->game = mem_strdup("digest");
        mail->envelope_to = mem_strdup(player->address);
        mail->to_name = mem_strdup(player->name);
        letters_address(letters, &(struct addressing){make_id(gathered), 0, NULL}, mail);
        letters_compose(letters, &(struct files){all.files, all.file_count}, mail);
    } else {
        outgoing_release(mail);
    }
    for (size_t i = 0; i < count; i++)
        message_release(&all.messages[i]);
    for (size_t i = 0; i < all.file_count; i++)
        free(all.names[i]);
    free(all.messages);
    free(all.files);
    free(all.names);
    json_decref(all.facts);
    return rc;
}
