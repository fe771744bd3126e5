/* A mail as bytes: its end, what proves it, head, MIME. */
#include "letters/letters_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/date.h"
#include "base/mem.h"
#include "league/reply_token.h"
#include "mail/reply.h"
#include "report/page.h"

/* "orders@example.org" -> "example.org" */
static const char *domain_of(const char *address)
{
    const char *at = strrchr(address, '@');
    return at ? at + 1 : "localhost";
}

/* Puts markup where the page ends, in the element that holds its words: outside of it nothing has their margins and
 * letters. */
static void end_page(struct str *html, const struct str *markup)
{
    static const char last[] = "</div>\n";
    struct str rest = STR_INIT;
    size_t at = slice_find(slice_str(html), "</body>");
    if (at == (size_t)-1)
        return;
    if (at >= strlen(last) && slice_starts(slice_sub(slice_str(html), at - strlen(last), at), last))
        at -= strlen(last);
    str_addslice(&rest, slice_sub(slice_str(html), at, html->len));
    str_cut(html, at);
    str_addslice(html, slice_str(markup));
    str_addslice(html, slice_str(&rest));
    str_release(&rest);
}

/* Does a text in the mail name that head, which is not the mail's own? */
static bool names_other(const struct outgoing *mail)
{
    struct str line = STR_INIT;
    str_addf(&line, "\nhead: %s", mail->named_head ? mail->named_head : "");
    bool names = mail->named && (!mail->proof || !strstr(mail->proof, mail->named)) &&
                 slice_find(slice_str(&mail->text), line.p) != (size_t)-1;
    str_release(&line);
    return names;
}

/* What proves the mail, for its attachment. The order page believes what a text names if the mail has it proved. */
static void add_proof(const struct letters *letters, const struct outgoing *mail, struct str *proof)
{
    if (*letters->league->config.league.page_url && names_other(mail))
        str_adds(proof, mail->named);
    if (mail->proof)
        str_adds(proof, mail->proof);
}

/* Its place in threads: that of its game, and what it answers. Somebody who is not known gets nothing of what
 * they wrote but the id of their mail. */
static char *references(const struct letters *letters, const struct addressing *how,
                        const struct outgoing *mail)
{
    struct str refs = STR_INIT;
    const struct message *answered = how->answered;
    if (mail->game) {
        char thread[MAIL_ID_TEXT];
        const struct mail_id id = mail_id_record(mail->game, 0, how->number);
        mail_id_write(thread, &id);
        str_addf(&refs, "<%s@%s>", thread, domain_of(letters->league->config.league.address));
    }
    if (answered && letters->unproved && *answered->message_id)
        str_addf(&refs, "<%s>", answered->message_id);
    else if (answered && !letters->unproved && *answered->references)
        str_addf(&refs, "%s%s", refs.len ? " " : "", answered->references);
    if (refs.len)
        return str_detach(&refs);
    str_release(&refs);
    return NULL;
}

void letters_address(const struct letters *letters, const struct addressing *how, struct outgoing *mail)
{
    char id[MAIL_ID_TEXT];
    const struct config *config = &letters->league->config;
    struct str path =
        STR_INIT; /* bounces+gc-17.12.2@example.org; "" = the null sender, of what answers a mail */
    mail_id_write(id, &how->id);
    mail->id = mem_strdup(id);
    if (!mail->reply && *config->outgoing.bounce_address)
        reply_token_address(&path, config->outgoing.bounce_address, config_detail(config), id);
    mail->envelope_from = str_detach(&path);
    mail->date = letters->now;
    mail->references = references(letters, how, mail);
    if (how->answered && *how->answered->message_id)
        mail->in_reply_to = mem_strdup(how->answered->message_id);
}

/* A mail that can be answered has a boundary in its first line (mail/reply.h): then this is its last one. */
static void closing_of(struct str *closing, const struct str *text)
{
    struct slice rest = slice_str(text), line = {"", 0}, nonce;
    (void)slice_line(&rest, &line);
    if (reply_boundary_find(line, &nonce) != (size_t)-1) {
        reply_closing(closing, nonce);
        str_addc(closing, '\n');
    }
}

static void close_mail(struct outgoing *mail)
{
    struct str closing = STR_INIT, markup = STR_INIT;
    closing_of(&closing, &mail->text);
    if (closing.len) {
        str_addf(&mail->text, "\n%s", closing.p);
        str_addf(&markup, "<small style=\"" PAGE_SMALL "\">%s</small>\n", closing.p);
        end_page(&mail->html, &markup);
    }
    str_release(&closing);
    str_release(&markup);
}

void letters_compose(const struct letters *letters, const struct files *files, struct outgoing *mail)
{
    const struct config_league *league = &letters->league->config.league;
    const char *domain = domain_of(league->address);
    struct str message_id = STR_INIT, list = STR_INIT, proof = STR_INIT;
    const size_t own = files ? files->count : 0;
    struct letter_file *all = mem_array(own + 1, sizeof *all);
    if (own)
        memcpy(all, files->list, own * sizeof *all);
    add_proof(letters, mail, &proof);
    all[own] = (struct letter_file){LETTERS_PROOF, "text/plain", slice_str(&proof)};
    close_mail(mail);
    str_addf(&message_id, "%s@%s%s%s", mail->id, letters->league->life, *letters->league->life ? "." : "",
             domain);
    if (mail->game)
        str_addf(&list, "%s.%s", mail->game, domain);
    struct letter letter = {
        .from = league->address,
        .from_name = league->name,
        .to = mail->envelope_to,
        .to_name = mail->to_name,
        .reply_to = mail->reply_to ? mail->reply_to : league->address,
        .subject = mail->subject.p,
        .message_id = message_id.p,
        .in_reply_to = mail->in_reply_to,
        .references = mail->references,
        .list_id = mail->game && !mail->reply ? list.p : NULL,
        .loop = league->address,
        .reply = mail->reply,
        .date = mail->date,
        .text = mail->text.p,
        .html = mail->html.len ? mail->html.p : NULL,
        .files = all,
        .file_count = own + (proof.len > 0),
    };
    compose(&mail->mail, &letter);
    outgoing_drop_words(mail);
    mail->state = OUTGOING_COMPOSED;
    free(all);
    str_release(&message_id);
    str_release(&list);
    str_release(&proof);
}

#define CALLED_DEPTH 4

/* NOLINTNEXTLINE(misc-no-recursion): at most CALLED_DEPTH */
static void add_called(const struct registry *registry, json_t *value, int depth)
{
    static const char *const lists[] = {"seats",    "players", "games",    "open",
                                        "joinable", "press",   "messages", NULL};
    size_t i;
    json_t *item;
    if (json_is_array(value) && depth)
        json_array_foreach (value, i, item)
            add_called(registry, item, depth - 1);
    const char *name = json_string_value(json_object_get(value, "name"));
    if (!name)
        name = json_string_value(json_object_get(value, "sender"));
    const struct player *player = name && *name ? registry_find(registry, name) : NULL;
    if (player && *player->display)
        json_object_set_new(value, "called", json_pack("{s:s}", "display", player->display));
    for (int k = 0; json_is_object(value) && depth && lists[k]; k++)
        add_called(registry, json_object_get(value, lists[k]), depth - 1);
}

void letters_add_league(const struct letters *letters, json_t *facts)
{
    for (const char *const *list =
             (const char *const[]){"seats", "players", "games", "open", "joinable", "press", NULL};
         *list; list++)
        add_called(letters->registry, json_object_get(facts, *list), CALLED_DEPTH);
    char print[KEY_FINGERPRINT], day[DATE_TEXT];
    json_object_set_new(facts, "league", json_string(letters->league->config.league.name));
    if (*letters->league->config.league.contact)
        json_object_set_new(facts, "contact", json_string(letters->league->config.league.contact));
    json_object_set_new(facts, "league_address", json_string(letters->league->config.league.address));
    league_fingerprint(letters->league, print);
    json_object_set_new(facts, "league_key", json_string(print));
    json_object_set_new(facts, "players_open", json_boolean(letters->league->config.league.player_games > 0));
    date_text(day, letters->now / DAY_SECONDS);
    json_object_set_new(facts, "today", json_string(day));
    letters_add_page(letters, &(struct page_place){.game = ""}, facts);
}

void letters_add_page(const struct letters *letters, const struct page_place *place, json_t *facts)
{
    const char *url = letters->league->config.league.page_url;
    const struct page_written *written = &letters->registry->page;
    struct str link = STR_INIT;
    if (!*url)
        return;
    page_link(&link, url, place);
    json_t *page = json_pack("{s:s,s:b}", "link", link.p, "version", 0);
    if (written->version && strcmp(written->url, url) == 0) {
        json_object_set_new(page, "version", json_integer(written->version));
        json_object_set_new(page, "sha256", json_string(written->sha256));
    }
    json_object_set_new(facts, "page", page);
    str_release(&link);
}
