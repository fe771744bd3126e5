/* A mail as bytes: head, signature, MIME. */
#include "letters/letters_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/mem.h"
#include "trust/signature.h"

/* "orders@example.org" -> "example.org" */
static const char *domain_of(const char *address)
{
    const char *at = strrchr(address, '@');
    return at ? at + 1 : "localhost";
}

/* The sender of bounces: bounces+gc-17.12.2@example.org; "" = the null sender. */
static char *return_path(const struct config *config, const char *id, bool reply)
{
    struct str path = STR_INIT;
    if (!reply && *config->outgoing.bounce_address) {
        const char *at = strrchr(config->outgoing.bounce_address, '@');
        if (at)
            str_addf(&path, "%.*s+%s%s", (int)(at - config->outgoing.bounce_address),
                     config->outgoing.bounce_address, id, at);
    }
    return str_detach(&path);
}

void signed_head_release(struct signed_head *head)
{
    str_release(&head->line);
    str_release(&head->armored);
}

void letters_sign(struct str *text, const char *line, const struct league *league, struct signed_head *head)
{
    if (!head->line.len || strcmp(head->line.p, line) != 0) {
        signed_head_release(head);
        str_adds(&head->line, line);
        sshsig_sign(&head->armored, league->key.key, NS_HEAD, slice_of(line));
    }
    str_adds(text, "\n-- \n");
    str_adds(text, line);
    str_addslice(text, slice_str(&head->armored));
}

static void add_references(struct str *refs, const struct draft *draft, const char *domain)
{
    if (draft->game) {
        char thread[MAIL_ID_TEXT];
        const struct mail_id id = mail_id_record(draft->game, 0, draft->seat);
        mail_id_write(thread, &id);
        str_addf(refs, "<%s@%s>", thread, domain);
    }
    if (draft->answered && draft->most && *draft->answered->message_id)
        str_addf(refs, "<%s>", draft->answered->message_id);
    else if (draft->answered && !draft->most && *draft->answered->references)
        str_addf(refs, "%s%s", refs->len ? " " : "", draft->answered->references);
}

void parts_release(struct parts *parts)
{
    str_release(&parts->subject);
    str_release(&parts->text);
    str_release(&parts->html);
}

void letter_address(const struct config *config, const struct draft *draft, struct spool_mail *mail)
{
    char id[MAIL_ID_TEXT];
    mail_id_write(id, &draft->id);
    memset(mail, 0, sizeof *mail);
    str_init(&mail->mail);
    mail->id = mem_strdup(id);
    mail->envelope_from = return_path(config, id, draft->reply);
    mail->envelope_to = mem_strdup(draft->to);
}

void letters_write(const struct config *config, const struct draft *draft, const struct parts *parts,
                   struct str *out)
{
    const char *domain = domain_of(config->league.address);
    struct str refs = STR_INIT, message_id = STR_INIT, list = STR_INIT;
    char id[MAIL_ID_TEXT];
    mail_id_write(id, &draft->id);
    str_addf(&message_id, "%s@%s", id, domain);
    add_references(&refs, draft, domain);
    if (draft->game)
        str_addf(&list, "%s.%s", draft->game, domain);
    struct letter letter = {
        .from = config->league.address,
        .from_name = config->league.name,
        .to = draft->to,
        .to_name = draft->to_name,
        .reply_to = config->league.address,
        .subject = parts->subject.p,
        .message_id = message_id.p,
        .in_reply_to = draft->answered && *draft->answered->message_id ? draft->answered->message_id : NULL,
        .references = refs.len ? refs.p : NULL,
        .list_id = draft->game && !draft->reply ? list.p : NULL,
        .loop = config->league.address,
        .reply = draft->reply,
        .date = draft->now,
        .text = parts->text.p,
        .html = parts->html.len ? parts->html.p : NULL,
        .files = parts->files,
        .file_count = parts->file_count,
    };
    compose(out, &letter);
    str_release(&refs);
    str_release(&message_id);
    str_release(&list);
}

void letters_compose(const struct letters *letters, const struct draft *draft, const struct parts *parts,
                     struct spool_mail *mail)
{
    letter_address(&letters->league->config, draft, mail);
    letters_write(&letters->league->config, draft, parts, &mail->mail);
}

void letters_add_league(const struct letters *letters, json_t *facts)
{
    char print[KEY_FINGERPRINT], day[DATE_TEXT];
    json_object_set_new(facts, "league", json_string(letters->league->config.league.name));
    json_object_set_new(facts, "league_address", json_string(letters->league->config.league.address));
    league_fingerprint(letters->league, print);
    json_object_set_new(facts, "league_key", json_string(print));
    date_text(day, letters->now / DAY_SECONDS);
    json_object_set_new(facts, "today", json_string(day));
}
