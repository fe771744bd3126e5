#include "letters/vouching.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "base/mem.h"
#include "base/reason.h"
#include "dns/resolver.h"
#include "league/domain_root.h"
#include "league/reply_token.h"
#include "mail/mbox.h"
#include "play/replies.h"

/* A mail that is being asked about. */
struct asking {
    const struct league *league;
    struct slice raw;
    int64_t arrived;
    struct vouching *out;
};

/* What leads to the same account at providers of that kind: without dots, and without `+` and what follows it. */
static void account_of(struct slice local, char out[MAILBOX_LOCAL])
{
    size_t len = 0;
    for (size_t i = 0; i < local.len && local.p[i] != '+' && len + 1 < MAILBOX_LOCAL; i++)
        if (local.p[i] != '.')
            out[len++] = local.p[i];
    out[len] = '\0';
}

bool vouching_own(const struct league *league, const char *local, const char *domain)
{
    const char *address = league->config.league.address, *at = strrchr(address, '@');
    struct slice rest = slice_of(league->config.league.own_domains), word;
    bool own = at && slice_caseeq(slice_of(at + 1), domain);
    if (own && config_shares(&league->config, domain)) {
        char ours[MAILBOX_LOCAL], theirs[MAILBOX_LOCAL];
        account_of((struct slice){address, (size_t)(at - address)}, ours);
        account_of(slice_of(local), theirs);
        own = slice_caseeq(slice_of(ours), theirs);
    }
    while (!own && slice_word(&rest, &word))
        own = slice_caseeq(word, domain);
    return own;
}

/* What the domain publishes at the claim's name. Strangers can name as many domains below one as they like, so all of them
 * are charged as one. */
static void ask(const struct asking *asking, const char *name, const char *domain, struct dns_answer *answer)
{
    struct resolver *resolver = asking->league->resolver;
    bool stranger = !resolver_is_welcome(resolver, domain);
    resolver_text(resolver, name, stranger ? domain_root(domain) : domain, clock_system(), answer);
}

static void key_not_found(const struct dns_answer *answer, const char *name, struct vouching *out)
{
    json_t **why = &out->why;
    switch (answer->found) {
    case DNS_LATER:
        reason_clear(why);
        reason_set(why, "dkim_later");
        out->state = VOUCHING_LATER;
        out->unasked |= answer->unasked;
        break;
    case DNS_FORGED: reason_set(why, "dkim_dnssec name=%s", name); break;
    case DNS_SEVERAL: reason_set(why, "dkim_several name=%s", name); break;
    case DNS_NONE:
    case DNS_FOUND: reason_set(why, "dkim_no_key name=%s", name); break;
    }
}

void vouching_body(struct reply_mail *mail, struct str *canonical, struct slice raw,
                   const struct dkim_claim *claim)
{
    reply_fields(raw, mail);
    dkim_body(canonical, raw, claim);
    mail->body = slice_str(canonical);
    mail->type_signed = !(claim->open & DKIM_OPEN_TYPE);
    mail->encoding_signed = !(claim->open & DKIM_OPEN_ENCODING);
}

bool vouching_names(char head[2 * HEAD_BYTES + 1], const struct game *game, const char *subject,
                    const struct reply_whole *whole)
{
    const struct game_marks *heads = &game->seen.heads;
    char digits[REPLY_HEAD + 1];
    size_t i = heads->count;
    bool names = false;
    while (!names && i-- > 0) {
        hex_to(digits, heads->list[i].digest, REPLY_HEAD / 2);
        names = strstr(subject, digits) || reply_whole_holds(whole, digits);
    }
    if (names)
        hex_to(head, heads->list[i].digest, HEAD_BYTES);
    return names;
}

bool vouching_names_create(const struct game *game, const char *subject, const struct reply_whole *whole)
{
    char digits[REPLY_HEAD + 1];
    hex_to(digits, game->journal.create_head, REPLY_HEAD / 2);
    return strstr(subject, digits) || reply_whole_holds(whole, digits);
}

bool vouching_names_game(const struct game *game, const char *subject, const struct reply_whole *whole)
{
    struct str named = STR_INIT;
    str_addf(&named, "[%s]", game->id);
    bool names = strstr(subject, named.p) != NULL;
    str_clear(&named);
    str_addf(&named, "-# %s", game->id); /* the first line of a mail of ours, which a digest holds as well */
    names = names || reply_whole_holds(whole, named.p);
    str_release(&named);
    return names;
}

static void vouch(const struct asking *asking, const struct dkim_claim *claim, const struct dkim_key *key,
                  struct dns_answer *answer)
{
    struct vouching *out = asking->out;
    struct mail_proof *proof = &out->proof;
    out->state = VOUCHING_GOOD;
    out->claim = *claim;
    out->record = answer->text;
    answer->text = (struct str)STR_INIT;
    *proof = (struct mail_proof){.learned = answer->secure ? LEARNED_DNSSEC : LEARNED_LEAGUE,
                                 .cutter = REPLY_VERSION,
                                 .sent = mail_date(asking->raw),
                                 .arrived = asking->arrived,
                                 .raw = asking->raw,
                                 .record = slice_str(&out->record),
                                 .sig = {(const char *)out->claim.sig, out->claim.sig_len}};
    memcpy(proof->domain, claim->from.domain, sizeof proof->domain);
    memcpy(proof->selector, claim->selector, sizeof proof->selector);
    memcpy(proof->key, key->digest, sizeof proof->key);
    memcpy(proof->content, claim->content, sizeof proof->content);
    vouching_body(&out->body, &out->canonical, asking->raw, claim);
}

static void try_claim(const struct asking *asking, const struct dkim_claim *claim)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    char name[DKIM_KEY_NAME];
    struct dkim_key key;
    dkim_key_name(name, claim);
    ask(asking, name, claim->from.domain, &answer);
    if (answer.found != DNS_FOUND)
        key_not_found(&answer, name, asking->out);
    else if (dkim_key_read(slice_str(&answer.text), &key, &asking->out->why) == OUTCOME_DONE &&
             dkim_holds(claim, &key, &asking->out->why) == OUTCOME_DONE)
        vouch(asking, claim, &key, &answer);
    dns_answer_release(&answer);
}

static void try_claims(const struct asking *asking, const struct dkim_claims *claims)
{
    struct vouching *out = asking->out;
    const struct mailbox *from = &claims->list[0].from;
    if (vouching_own(asking->league, from->local, from->domain)) {
        reason_set(&out->why, "dkim_own local=%s domain=%s", from->local, from->domain);
        return;
    }
    for (size_t i = 0; i < claims->count && out->state != VOUCHING_GOOD; i++)
        try_claim(asking, &claims->list[i]);
    if (out->state == VOUCHING_GOOD)
        reason_clear(&out->why);
}

struct vouching *vouching_make(const struct league *league, struct slice raw, int64_t arrived,
                               struct work *work)
{
    struct dkim_claims *claims;
    struct asking asking = {league, raw, arrived, NULL};
    if (!league->resolver)
        return NULL;
    asking.out = mem_alloc(sizeof *asking.out);
    claims = mem_alloc(sizeof *claims);
    if (raw.len > MAIL_PROOF_MOST)
        reason_set(&asking.out->why, "dkim_large kb=%d", (int)(MAIL_PROOF_MOST >> 10));
    else if (!mail_date(raw)) /* by which the later of two is known */
        reason_set(&asking.out->why, "dkim_date");
    else if (dkim_read(raw, arrived, work, claims, &asking.out->why) == OUTCOME_DONE)
        try_claims(&asking, claims);
    free(claims);
    return asking.out;
}

bool vouching_from(const struct vouching *vouching, const char *address)
{
    const char *at = strrchr(address, '@');
    if (!at || !vouching || vouching->state != VOUCHING_GOOD)
        return false;
    const struct mailbox *from = &vouching->claim.from;
    return slice_eq((struct slice){address, (size_t)(at - address)}, from->local) &&
           slice_caseeq(slice_of(at + 1), from->domain);
}

bool vouching_to_us(const struct vouching *vouching, const struct message *msg, const struct league *league)
{
    const char *own = league->config.league.address;
    struct slice to = slice_of(msg->written_to), detail;
    return vouching && vouching->state == VOUCHING_GOOD && !(vouching->claim.open & DKIM_OPEN_TO) &&
           (slice_caseeq(to, own) || reply_detail_in(to, own, config_detail(&league->config), &detail));
}

static bool is_alike(const struct vouching *vouching, const char *address)
{
    struct str from = STR_INIT;
    str_addf(&from, "%s@%s", vouching->claim.from.local, vouching->claim.from.domain);
    bool alike = *address && slice_caseeq(slice_str(&from), address);
    str_release(&from);
    return alike;
}

bool vouching_player(const struct vouching *vouching, const struct registry *registry,
                     const struct player *player)
{
    if (vouching_from(vouching, player->address) || vouching_from(vouching, player->address2))
        return true;
    bool theirs = vouching && vouching->state == VOUCHING_GOOD &&
                  (is_alike(vouching, player->address) || is_alike(vouching, player->address2));
    for (size_t i = 0; theirs && i < registry->count; i++) {
        const struct player *other = &registry->players[i];
        theirs = strcmp(other->name, player->name) == 0 ||
                 (!is_alike(vouching, other->address) && !is_alike(vouching, other->address2));
    }
    return theirs;
}

void vouching_free(struct vouching *vouching)
{
    if (!vouching)
        return;
    json_decref(vouching->why);
    str_release(&vouching->record);
    str_release(&vouching->canonical);
    free(vouching);
}
