#include "mail/mail_id.h"

#include <limits.h>
#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/encode.h"
#include "base/file.h"

#define DIGESTED      "mail" /* no game has that name */
#define GATHERS       "digest."
#define GATHERS_MARK  'm'
#define GATHERS_BYTES 5

struct mail_id mail_id_record(const char *game, int64_t seq, int number)
{
    struct mail_id id = {.kind = MAIL_ID_RECORD, .seq = seq, .number = number};
    (void)snprintf(id.name, sizeof id.name, "%s", game);
    return id;
}

struct mail_id mail_id_digested(const unsigned char *digest, int number)
{
    struct mail_id id = {.kind = MAIL_ID_DIGESTED, .number = number};
    memcpy(id.digest, digest, sizeof id.digest);
    return id;
}

struct mail_id mail_id_about(struct slice what, int number)
{
    unsigned char digest[32];
    crypto_generichash(digest, sizeof digest, (const unsigned char *)what.p, what.len, NULL, 0);
    return mail_id_digested(digest, number);
}

struct mail_id mail_id_gathers(const char *player, const unsigned char *digest)
{
    struct mail_id id = {.kind = MAIL_ID_GATHERS};
    (void)snprintf(id.name, sizeof id.name, "%s", player);
    memcpy(id.digest, digest, GATHERS_BYTES);
    return id;
}

void mail_id_write(char out[MAIL_ID_TEXT], const struct mail_id *id)
{
    char hex[2 * MAIL_ID_DIGEST + 1];
    hex_to(hex, id->digest, id->kind == MAIL_ID_GATHERS ? GATHERS_BYTES : MAIL_ID_DIGEST);
    switch (id->kind) {
    case MAIL_ID_RECORD:
        (void)snprintf(out, MAIL_ID_TEXT, "%s.%lld.%d", id->name, (long long)id->seq, id->number);
        break;
    case MAIL_ID_DIGESTED: (void)snprintf(out, MAIL_ID_TEXT, DIGESTED ".%s.%d", hex, id->number); break;
    case MAIL_ID_GATHERS:
        (void)snprintf(out, MAIL_ID_TEXT, GATHERS "%s.%c%s", id->name, GATHERS_MARK, hex);
        break;
    case MAIL_ID_NONE: out[0] = '\0'; break;
    }
}

/* Cuts what follows the last '.' off. */
static bool cut_last(struct slice *text, struct slice *last)
{
    size_t at = text->len;
    while (at && text->p[at - 1] != '.')
        at--;
    if (!at)
        return false;
    *last = slice_sub(*text, at, text->len);
    *text = slice_sub(*text, 0, at - 1);
    return true;
}

static bool read_number(struct slice text, int64_t most, int64_t *number)
{
    return slice_number(&text, number) && text.len == 0 && *number <= most;
}

static bool read_name(struct mail_id *id, struct slice name)
{
    if (!name_valid(name))
        return false;
    memcpy(id->name, name.p, name.len);
    id->name[name.len] = '\0';
    return true;
}

static bool read_gathers(struct mail_id *id, struct slice text)
{
    struct slice mark;
    id->kind = MAIL_ID_GATHERS;
    return slice_starts(text, GATHERS) && cut_last(&text, &mark) && text.len >= strlen(GATHERS) && mark.len &&
           mark.p[0] == GATHERS_MARK && hex_decode(id->digest, GATHERS_BYTES, slice_sub(mark, 1, mark.len)) &&
           read_name(id, slice_sub(text, strlen(GATHERS), text.len));
}

static bool read_numbered(struct mail_id *id, struct slice text)
{
    struct slice last, middle;
    int64_t number;
    if (!cut_last(&text, &last) || !read_number(last, INT_MAX, &number) || !cut_last(&text, &middle))
        return false;
    id->number = (int)number;
    if (slice_eq(text, DIGESTED)) {
        id->kind = MAIL_ID_DIGESTED;
        return hex_decode(id->digest, MAIL_ID_DIGEST, middle);
    }
    id->kind = MAIL_ID_RECORD;
    return read_number(middle, INT64_MAX, &id->seq) && read_name(id, text);
}

enum mail_id_kind mail_id_read(struct mail_id *id, struct slice text)
{
    *id = (struct mail_id){.kind = MAIL_ID_NONE};
    if (read_gathers(id, text))
        return id->kind;
    *id = (struct mail_id){.kind = MAIL_ID_NONE};
    if (!read_numbered(id, text))
        id->kind = MAIL_ID_NONE;
    return id->kind;
}
