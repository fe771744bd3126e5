/* What a mail says of itself: its sender, and the signatures of the sender's domain. */
#include "trust/dkim.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/reason.h"
#include "trust/dkim_parts.h"

#define NAMES_MAX 64 /* in h= */

/* A mail while it is read. */
struct look {
    struct dkim_mail mail;
    struct mailbox from;
    int64_t arrived;
    struct work *work;
    bool hashed[2]; /* is the body, as it came and relaxed */
    unsigned char body_hash[2][DKIM_DIGEST];
};

/* One signature while it is read. */
struct reading {
    struct dkim_tags tags;
    const struct dkim_field *field;
    bool relaxed_header, relaxed_body;
};

/* ---- who sent it ---- */

static bool check_sender(struct look *look, json_t **refusal)
{
    size_t count;
    struct mailbox sender;
    const struct dkim_field *field = dkim_field_find(&look->mail, "From", &count);
    if (count != 1 || !mailbox_parse(field->value, &look->from)) {
        reason_set(refusal, "dkim_from");
        return false;
    }
    field = dkim_field_find(&look->mail, "Sender", &count);
    if (count > 1 ||
        (count && (!mailbox_parse(field->value, &sender) || !mailbox_equal(&sender, &look->from)))) {
        reason_set(refusal, "dkim_sender");
        return false;
    }
    return true;
}

/* Of two such fields programs show or use the one or the other. */
static bool check_single(const struct look *look, json_t **refusal)
{
    static const char *const names[] = {"Subject",  "Date",         "To",
                                        "Reply-To", "Content-Type", "Content-Transfer-Encoding"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t count;
        (void)dkim_field_find(&look->mail, names[i], &count);
        if (count > 1) {
            reason_set(refusal, "dkim_twice name=%s", names[i]);
            return false;
        }
    }
    return true;
}

/* ---- the tags of a signature ---- */

static bool bad_tag(json_t **refusal, const char *tag)
{
    reason_set(refusal, "dkim_tag tag=%s", tag);
    return false;
}

static bool read_algorithm(const struct dkim_tags *tags, struct dkim_claim *claim, json_t **refusal)
{
    struct slice value = dkim_tag_value(tags, "a");
    bool ed25519 = slice_caseeq(value, "ed25519-sha256");
    claim->kind = ed25519 ? DKIM_ED25519 : DKIM_RSA;
    if (ed25519 || slice_caseeq(value, "rsa-sha256"))
        return true;
    if (!slice_caseeq(value, "rsa-sha1"))
        return bad_tag(refusal, "a");
    reason_set(refusal, "dkim_sha1");
    return false;
}

static bool read_way(struct slice value, bool *relaxed)
{
    *relaxed = slice_caseeq(value, "relaxed");
    return *relaxed || slice_caseeq(value, "simple");
}

/* "relaxed/simple"; the one for the body may be missing, and both. */
static bool read_canon(struct reading *reading, json_t **refusal)
{
    const struct dkim_tag *tag = dkim_tag_find(&reading->tags, "c");
    if (!tag)
        return true;
    const char *slash = tag->value.len ? memchr(tag->value.p, '/', tag->value.len) : NULL;
    size_t len = slash ? (size_t)(slash - tag->value.p) : tag->value.len;
    bool good = read_way(slice_sub(tag->value, 0, len), &reading->relaxed_header);
    if (slash)
        good = read_way(slice_sub(tag->value, len + 1, tag->value.len), &reading->relaxed_body) && good;
    return good || bad_tag(refusal, "c");
}

/* Seconds since 1970, of at most 12 digits; -1 when there is no such tag. */
static bool read_time(const struct dkim_tags *tags, const char *name, int64_t *time, json_t **refusal)
{
    const struct dkim_tag *tag = dkim_tag_find(tags, name);
    *time = -1;
    if (!tag)
        return true;
    if (!tag->value.len || tag->value.len > 12)
        return bad_tag(refusal, name);
    *time = 0;
    for (size_t i = 0; i < tag->value.len; i++) {
        if (!isdigit((unsigned char)tag->value.p[i]))
            return bad_tag(refusal, name);
        *time = *time * 10 + (tag->value.p[i] - '0');
    }
    return true;
}

static bool read_times(const struct look *look, const struct dkim_tags *tags, struct dkim_claim *claim,
                       json_t **refusal)
{
    if (!read_time(tags, "t", &claim->made, refusal) || !read_time(tags, "x", &claim->expires, refusal))
        return false;
    if (claim->made >= 0 && claim->expires >= 0 && claim->expires <= claim->made)
        return bad_tag(refusal, "x");
    if (look->arrived == DKIM_ANY_TIME)
        return true;
    if (claim->expires >= 0 && look->arrived > claim->expires)
        reason_set(refusal, "dkim_expired");
    else if (claim->made > look->arrived + DKIM_SLOP)
        reason_set(refusal, "dkim_future");
    return !*refusal;
}

/* "a@mail.example.org", where d= is "example.org". */
static bool read_identity(const struct dkim_tags *tags, struct dkim_claim *claim, json_t **refusal)
{
    char name[MAILBOX_DOMAIN];
    const struct dkim_tag *tag = dkim_tag_find(tags, "i");
    if (!tag)
        return true;
    const char *at = tag->value.len ? memrchr(tag->value.p, '@', tag->value.len) : NULL;
    size_t len = at ? (size_t)(at - tag->value.p) + 1 : 0;
    if (!at || !domain_copy(name, slice_sub(tag->value, len, tag->value.len), false))
        return bad_tag(refusal, "i");
    claim->below = strcmp(name, claim->from.domain) != 0;
    size_t ours = strlen(claim->from.domain), whole = strlen(name);
    if (!claim->below || (str_ends(name, claim->from.domain) && name[whole - ours - 1] == '.'))
        return true;
    reason_set(refusal, "dkim_identity");
    return false;
}

static bool read_tags(const struct look *look, struct reading *reading, struct dkim_claim *claim,
                      json_t **refusal)
{
    const struct dkim_tags *tags = &reading->tags;
    if (!slice_eq(dkim_tag_value(tags, "v"), "1"))
        return bad_tag(refusal, "v");
    if (!domain_copy(claim->selector, dkim_tag_value(tags, "s"), true))
        return bad_tag(refusal, "s");
    if (dkim_tag_find(tags, "q") && !slice_caseeq(dkim_tag_value(tags, "q"), "dns/txt"))
        return bad_tag(refusal, "q");
    if (dkim_tag_find(tags, "l")) {
        reason_set(refusal, "dkim_part");
        return false;
    }
    return read_algorithm(tags, claim, refusal) && read_canon(reading, refusal) &&
           read_identity(tags, claim, refusal) && read_times(look, tags, claim, refusal);
}

static bool read_signature(const struct dkim_tags *tags, struct dkim_claim *claim, json_t **refusal)
{
    struct str bytes = STR_INIT;
    bool good = dkim_base64(&bytes, dkim_tag_value(tags, "b")) && bytes.len <= sizeof claim->sig;
    if (good)
        memcpy(claim->sig, bytes.p, claim->sig_len = bytes.len);
    str_release(&bytes);
    return good || bad_tag(refusal, "b");
}

/* ---- what is signed ---- */

static bool is_field_name(struct slice name)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.p[i] <= ' ' || name.p[i] >= 0x7F || name.p[i] == ';')
            return false;
    return name.len > 0;
}

/* Fills `names`; no signature signs itself. */
static bool read_names(const struct dkim_tags *tags, struct dkim_claim *claim, json_t **refusal)
{
    struct slice rest = dkim_tag_value(tags, "h"), item;
    size_t len = 0, count = 0;
    while (dkim_list_next(&rest, &item)) {
        if (!is_field_name(item) || slice_caseeq(item, "DKIM-Signature") || ++count > NAMES_MAX ||
            len + item.len + 2 > sizeof claim->names)
            return bad_tag(refusal, "h");
        if (len)
            claim->names[len++] = ':';
        for (size_t i = 0; i < item.len; i++)
            claim->names[len++] = (char)tolower((unsigned char)item.p[i]);
    }
    claim->names[len] = '\0';
    return true;
}

static size_t count_name(const struct dkim_claim *claim, const char *name)
{
    struct slice rest = slice_of(claim->names), item;
    size_t count = 0;
    while (dkim_list_next(&rest, &item))
        count += slice_caseeq(item, name);
    return count;
}

static bool check_signed(const struct look *look, struct dkim_claim *claim, json_t **refusal)
{
    static const char *const needed[] = {"From", "Date", "Subject"};
    static const struct {
        const char *name;
        enum dkim_open bit;
    } others[] = {{"Content-Type", DKIM_OPEN_TYPE},
                  {"Content-Transfer-Encoding", DKIM_OPEN_ENCODING},
                  {"Reply-To", DKIM_OPEN_REPLY_TO},
                  {"To", DKIM_OPEN_TO}};
    size_t there;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!count_name(claim, needed[i]) || !dkim_field_find(&look->mail, needed[i], &there)) {
            reason_set(refusal, "dkim_unsigned name=%s", needed[i]);
            return false;
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!count_name(claim, others[i].name)) /* there is one at most */
            claim->open |= others[i].bit;
    return true;
}

/* ---- hashes ---- */

static bool check_body(struct look *look, const struct reading *reading, json_t **refusal)
{
    struct str want = STR_INIT, canon = STR_INIT;
    bool way = reading->relaxed_body, good = false;
    if (!look->hashed[way]) {
        if (!work_take(look->work, look->mail.body.len))
            return false;
        dkim_canon_body(&canon, look->mail.body, way);
        dkim_sha256(look->body_hash[way], canon.p, canon.len);
        look->hashed[way] = true;
    }
    if (!dkim_base64(&want, dkim_tag_value(&reading->tags, "bh")) || want.len != DKIM_DIGEST)
        bad_tag(refusal, "bh");
    else if (memcmp(want.p, look->body_hash[way], DKIM_DIGEST) != 0)
        reason_set(refusal, "dkim_body");
    else
        good = true;
    str_release(&want);
    str_release(&canon);
    return good;
}

/* The signed fields: of those with one name the lowest first. What is named more often than it is there adds
 * nothing. */
static void add_fields(struct str *out, const struct look *look, const struct reading *reading,
                       const struct dkim_claim *claim)
{
    bool *used = mem_array(look->mail.count + 1, sizeof *used);
    struct slice rest = slice_of(claim->names), item;
    while (dkim_list_next(&rest, &item)) {
        char name[DKIM_LIST];
        memcpy(name, item.p, item.len);
        name[item.len] = '\0';
        size_t i = look->mail.count;
        while (i-- > 0)
            if (!used[i] && slice_caseeq(look->mail.fields[i].name, name)) {
                used[i] = true;
                dkim_canon_field(out, &look->mail.fields[i], reading->relaxed_header);
                break;
            }
    }
    free(used);
}

/* The signature's own field, without what b= holds and without its line end. */
static void add_own(struct str *out, const struct reading *reading)
{
    struct str value = STR_INIT;
    struct slice whole = reading->field->value;
    struct slice room = dkim_tag_find(&reading->tags, "b")->room;
    size_t from = (size_t)(room.p - whole.p);
    str_addslice(&value, slice_sub(whole, 0, from));
    str_addslice(&value, slice_sub(whole, from + room.len, whole.len));
    dkim_canon_field(out, &(struct dkim_field){reading->field->name, slice_str(&value)},
                     reading->relaxed_header);
    str_cut(out, out->len - 2);
    str_release(&value);
}

static bool hash_header(const struct look *look, const struct reading *reading, struct dkim_claim *claim)
{
    struct str text = STR_INIT;
    if (!work_take(look->work, WORK_CHECK + look->mail.count * NAMES_MAX))
        return false;
    add_fields(&text, look, reading, claim);
    size_t fields = text.len;
    str_add(&text, (const char *)look->body_hash[reading->relaxed_body], DKIM_DIGEST);
    dkim_sha256(claim->content, text.p, text.len);
    str_cut(&text, fields);
    add_own(&text, reading);
    dkim_sha256(claim->hash, text.p, text.len);
    str_release(&text);
    return true;
}

/* ---- all of it ---- */

/* Why a signature is none of those that are looked for. The first reason of the first of these kinds that there
 * is, is given. */
struct reasons {
    json_t *aligned; /* it is of From's domain, but */
    json_t *foreign;
    json_t *damaged; /* it is no list of tags */
};

static bool read_claim(struct look *look, const struct dkim_field *field, struct dkim_claim *claim,
                       struct reasons *reasons)
{
    struct reading reading = {.field = field};
    json_t **why = &reasons->aligned;
    char domain[MAILBOX_DOMAIN];
    *claim = (struct dkim_claim){.from = look->from};
    if (!work_take(look->work, field->value.len))
        return false;
    if (!dkim_tags_parse(field->value, &reading.tags) ||
        !domain_copy(domain, dkim_tag_value(&reading.tags, "d"), false)) {
        reason_set(&reasons->damaged, "dkim_damaged");
        return false;
    }
    if (strcmp(domain, look->from.domain) != 0) {
        reason_set(&reasons->foreign, "dkim_foreign domain=%s from=%s", domain, look->from.domain);
        return false;
    }
    json_t *own = NULL;
    bool good = read_tags(look, &reading, claim, &own) && read_names(&reading.tags, claim, &own) &&
                check_signed(look, claim, &own) && read_signature(&reading.tags, claim, &own) &&
                check_body(look, &reading, &own) && hash_header(look, &reading, claim);
    claim->relaxed_body = reading.relaxed_body;
    if (own && !*why)
        *why = json_incref(own);
    json_decref(own);
    return good;
}

static void read_claims(struct look *look, struct dkim_claims *claims, json_t **refusal)
{
    struct reasons reasons = {NULL, NULL, NULL};
    size_t seen = 0;
    for (size_t i = 0; i < look->mail.count && seen < DKIM_SIGNATURES; i++)
        if (slice_caseeq(look->mail.fields[i].name, "DKIM-Signature")) {
            seen++;
            claims->count += read_claim(look, &look->mail.fields[i], &claims->list[claims->count], &reasons);
        }
    json_t *why = reasons.aligned ? reasons.aligned : reasons.foreign ? reasons.foreign : reasons.damaged;
    if (work_over(look->work))
        claims->count = 0;
    if (!claims->count && work_over(look->work))
        reason_set(refusal, "dkim_work");
    else if (!claims->count && why)
        *refusal = json_incref(why);
    else if (!claims->count)
        reason_set(refusal, "dkim_none from=%s", look->from.domain);
    json_decref(reasons.aligned);
    json_decref(reasons.foreign);
    json_decref(reasons.damaged);
}

enum outcome dkim_read(struct slice raw, int64_t arrived, struct work *work, struct dkim_claims *claims,
                       json_t **refusal)
{
    struct look look = {.arrived = arrived, .work = work};
    claims->count = 0;
    if (!work_take(work, raw.len)) {
        reason_set(refusal, "dkim_work");
        return OUTCOME_REFUSED;
    }
    if (dkim_mail_split(raw, &look.mail, refusal) && check_sender(&look, refusal) &&
        check_single(&look, refusal))
        read_claims(&look, claims, refusal);
    dkim_mail_release(&look.mail);
    return claims->count ? OUTCOME_DONE : OUTCOME_REFUSED;
}

void dkim_key_name(char out[DKIM_KEY_NAME], const struct dkim_claim *claim)
{
    (void)snprintf(out, DKIM_KEY_NAME, "%s._domainkey.%s", claim->selector, claim->from.domain);
}

void dkim_body(struct str *out, struct slice raw, const struct dkim_claim *claim)
{
    struct dkim_mail mail;
    json_t *refusal = NULL;
    if (dkim_mail_split(raw, &mail, &refusal))
        dkim_canon_body(out, mail.body, claim->relaxed_body);
    dkim_mail_release(&mail);
    json_decref(refusal);
}
