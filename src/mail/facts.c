#include "mail/facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "mail/structured.h"
#include "mail/words.h"

#define ADDRESS_MAX    254  /* RFC 5321 erratum 1690 */
#define FROM_MAX       2000 /* bytes of a From: field; more is no honest sender */
#define NAME_MAX_BYTES 120
#define SUBJECT_MAX    250
#define ID_MAX         250
#define REFERENCES_MAX 20

/* Replaces a string field of the message. */
static void set_text(char **field, struct str *text)
{
    free(*field);
    *field = str_detach(text);
}

/* ---- addresses ---- */

bool facts_address(struct str *out, struct slice text)
{
    const char *at = text.len ? memrchr(text.p, '@', text.len) : NULL;
    if (!at || at == text.p || at + 1 == text.p + text.len || text.len > ADDRESS_MAX)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c <= ' ' || c >= 0x7F || strchr("()<>,;:\\\"[]", c) || (c == '@' && text.p + i != at))
            return false;
    }
    str_add(out, text.p, (size_t)(at - text.p));
    for (const char *p = at; p < text.p + text.len; p++)
        str_addc(out, (char)tolower((unsigned char)*p));
    return true;
}

static void display_name(struct str *name, struct slice encoded)
{
    struct str text = STR_INIT;
    words_decode(&text, encoded);
    utf8_safe(name, slice_trim(slice_str(&text)), false);
    utf8_cut(name, NAME_MAX_BYTES);
    str_release(&text);
}

/* Exactly one From: field with exactly one address; otherwise no sender. */
static void read_from(struct message *msg, const struct header *top)
{
    struct str value = STR_INIT, address = STR_INIT, name = STR_INIT;
    struct mailbox one = {.address = STR_INIT, .name = STR_INIT},
                   more = {.address = STR_INIT, .name = STR_INIT};
    (void)header_value(top, "From", &value);
    struct slice list = slice_str(&value);
    if (header_count(top, "From") == 1 && value.len <= FROM_MAX && structured_mailbox(&list, &one) &&
        !one.group && facts_address(&address, slice_str(&one.address)) && !structured_mailbox(&list, &more)) {
        display_name(&name, slice_str(&one.name));
        set_text(&msg->from, &address);
        set_text(&msg->from_name, &name);
    }
    mailbox_release(&one);
    mailbox_release(&more);
    str_release(&name);
    str_release(&address);
    str_release(&value);
}

/* Is it this address of ours with something behind its name? */
static bool is_tagged(const char *own, char detail, const char *address)
{
    const char *at = strrchr(own, '@'), *domain = strrchr(address, '@');
    size_t len = at ? (size_t)(at - own) : 0;
    return at && domain && strncasecmp(own, address, len) == 0 && strcasecmp(at, domain) == 0 &&
           (address[len] == '+' || (detail && address[len] == detail));
}

/* Servers write into Delivered-To the mailbox alone, or all of the address. What is behind the name is what a mail
 * answers, or which one came back, so an address that has it counts before one that has not: 0; then the league's own
 * addresses in their order; -1 is none of ours. */
static int rank_of(const struct message_identity *identity, const char *address)
{
    int rank = -1;
    for (size_t i = identity->own_count; i-- > 0;) {
        if (is_tagged(identity->own[i], identity->detail, address))
            return 0;
        rank = strcasecmp(identity->own[i], address) == 0 ? (int)i + 1 : rank;
    }
    return rank;
}

bool facts_is_own(const struct message_identity *identity, const char *address)
{
    return rank_of(identity, address) >= 0;
}

/* The first one of the best rank in these fields (up to NULL), the likelier ones first. */
static void read_own(char **out, const char *const *names, const struct header *top,
                     const struct message_identity *identity)
{
    struct str value = STR_INIT, address = STR_INIT, best = STR_INIT;
    struct mailbox mailbox = {.address = STR_INIT, .name = STR_INIT};
    int rank = (int)identity->own_count + 1;
    for (; *names; names++) {
        const struct field *field;
        for (size_t from = 0; rank > 0 && (field = header_next(top, *names, &from));) {
            str_clear(&value);
            field_unfold(&value, field);
            for (struct slice list = slice_str(&value); structured_mailbox(&list, &mailbox);) {
                str_clear(&address);
                const bool is = !mailbox.group && facts_address(&address, slice_str(&mailbox.address));
                const int one = is ? rank_of(identity, address.p) : -1;
                if (one < 0 || one >= rank)
                    continue;
                rank = one;
                str_clear(&best);
                str_addslice(&best, slice_str(&address));
            }
        }
    }
    if (best.len)
        set_text(out, &best);
    mailbox_release(&mailbox);
    str_release(&best);
    str_release(&address);
    str_release(&value);
}

static void read_to(struct message *msg, const struct header *top, const struct message_identity *identity)
{
    static const char *const came[] = {"Delivered-To", "X-Original-To", "Envelope-To", "To", "Cc", NULL};
    static const char *const written[] = {"To", NULL};
    read_own(&msg->to, came, top, identity);
    read_own(&msg->written_to, written, top, identity);
}

/* ---- texts and ids ---- */

static void read_subject(struct message *msg, const struct header *top)
{
    struct str value = STR_INIT;
    struct str text = STR_INIT;
    struct str subject = STR_INIT;
    if (header_value(top, "Subject", &value)) {
        words_decode(&text, slice_str(&value));
        utf8_safe(&subject, slice_trim(slice_str(&text)), false);
        utf8_cut(&subject, SUBJECT_MAX);
        set_text(&msg->subject, &subject);
    }
    str_release(&subject);
    str_release(&text);
    str_release(&value);
}

static bool id_sane(struct slice id)
{
    const char *at = id.len ? memchr(id.p, '@', id.len) : NULL;
    if (!at || at == id.p || at + 1 == id.p + id.len || id.len > ID_MAX)
        return false;
    for (size_t i = 0; i < id.len; i++)
        if (id.p[i] <= ' ' || id.p[i] >= 0x7F || id.p[i] == '<' || id.p[i] == '>')
            return false;
    return true;
}

/* Cuts the next "<...>" off the text; text between two of them is dropped. */
static bool id_next(struct slice *rest, struct slice *id)
{
    const char *open = rest->len ? memchr(rest->p, '<', rest->len) : NULL;
    if (!open)
        return false;
    size_t from = (size_t)(open - rest->p) + 1;
    const char *close = memchr(open, '>', rest->len - from + 1);
    if (!close)
        return false;
    size_t end = (size_t)(close - rest->p);
    *id = slice_sub(*rest, from, end - from);
    *rest = slice_sub(*rest, end + 1, rest->len);
    return true;
}

void facts_message_id(struct str *out, const struct header *header)
{
    struct str value = STR_INIT;
    if (header_value(header, "Message-ID", &value)) {
        struct slice rest = slice_str(&value);
        struct slice id;
        if (!id_next(&rest, &id))
            id = slice_trim(slice_str(&value)); /* some programs forget the <> */
        if (id_sane(id))
            str_addslice(out, id);
    }
    str_release(&value);
}

/* The last ids, oldest first. A repeated id counts at its last place. */
struct chain {
    struct slice id[REFERENCES_MAX];
    size_t count;
};

static void chain_drop(struct chain *chain, size_t at)
{
    chain->count--;
    memmove(&chain->id[at], &chain->id[at + 1], (chain->count - at) * sizeof chain->id[0]);
}

static void chain_add(struct chain *chain, struct slice id)
{
    if (!id_sane(id))
        return;
    for (size_t i = 0; i < chain->count; i++) {
        if (chain->id[i].len == id.len && memcmp(chain->id[i].p, id.p, id.len) == 0) {
            chain_drop(chain, i);
            break;
        }
    }
    if (chain->count == REFERENCES_MAX)
        chain_drop(chain, 0);
    chain->id[chain->count++] = id;
}

/* RFC 5322 section 3.6.4: the parent's References, or else its In-Reply-To, and its own id last. */
static void read_references(struct message *msg, const struct header *top)
{
    struct chain chain = {.count = 0};
    struct str text = STR_INIT;
    size_t from = 0;
    const struct field *field = header_next(top, "References", &from);
    from = 0;
    if (!field)
        field = header_next(top, "In-Reply-To", &from);
    struct slice rest = field ? field->value : (struct slice){NULL, 0};
    struct slice id;
    while (id_next(&rest, &id))
        chain_add(&chain, id);
    chain_add(&chain, slice_of(msg->message_id));
    for (size_t i = 0; i < chain.count; i++) {
        str_adds(&text, i ? " <" : "<");
        str_addslice(&text, chain.id[i]);
        str_addc(&text, '>');
    }
    set_text(&msg->references, &text);
    str_release(&text);
}

void facts_read(struct message *msg, const struct header *top, const struct message_identity *identity)
{
    struct str id = STR_INIT;
    read_from(msg, top);
    read_to(msg, top, identity);
    read_subject(msg, top);
    facts_message_id(&id, top);
    set_text(&msg->message_id, &id);
    read_references(msg, top);
    msg->kind = facts_kind(msg, top, identity);
    str_clear(&id);
    facts_origin(&id, top);
    set_text(&msg->origin, &id);
    str_release(&id);
}
