#include "batch/budget.h"

#include <string.h>

#include "base/date.h"
#include "base/encode.h"
#include "batch/stopped.h"

#define ALL_STRANGERS "*"
#define ALL_DOMAINS   "* vouched"
#define DOMAINS       10 /* all domains together, as a multiple of one domain's share */

/* Counters of one budget per day. Addresses hold no spaces, so none of these names is one. */
struct share {
    const char *what, *who; /* "" = an address alone */
    int limit;
};

bool budget_allows(const struct budget *budget)
{
    return budget->fate == BUDGET_LEFT || budget->fate == BUDGET_LAST || budget->fate == BUDGET_PAUSES ||
           budget->fate == BUDGET_REPEATS || budget->fate == BUDGET_CLOSES;
}

static int64_t day_end(const struct batch *batch)
{
    return (batch->now / DAY_SECONDS + 1) * DAY_SECONDS;
}

static int take(struct batch *batch, const struct share *share, struct budget *budget, struct err *err)
{
    struct str name = STR_INIT;
    bool allowed = false;
    int given = 0;
    str_addf(&name, "%s%s%s", share->what, *share->what ? " " : "", share->who);
    int rc = catalog_budget(batch->catalog, &(struct catalog_reply){name.p, batch->now, share->limit},
                            &allowed, err);
    if (rc == 0)
        rc = catalog_budget_given(batch->catalog, name.p, batch->now, &given, err);
    *budget = (struct budget){!allowed               ? BUDGET_SPENT
                              : given < share->limit ? BUDGET_LEFT
                                                     : BUDGET_LAST,
                              day_end(batch)};
    str_release(&name);
    return rc;
}

/* A text counts as new once a day: anybody who resends what a player has signed is charged for repeats. */
static int look_at_text(struct batch *batch, struct budget_claim *claim, struct err *err)
{
    char hex[2 * sizeof claim->text + 1];
    struct budget fresh;
    if (claim->proof != PROOF_TEXT || claim->fresh)
        return 0;
    hex_to(hex, claim->text, sizeof claim->text);
    if (take(batch, &(struct share){"text", hex, 1}, &fresh, err))
        return -1;
    claim->fresh = budget_allows(&fresh);
    if (!claim->fresh)
        claim->proof = PROOF_KEY;
    return 0;
}

/* name+tag@example.org is the mailbox of name@example.org with most servers. */
static void mailbox(char out[PLAYER_ADDRESS], const char *address)
{
    const char *at = strrchr(address, '@');
    size_t name = strcspn(address, "+@");
    (void)snprintf(out, PLAYER_ADDRESS, "%.*s%s", (int)name, address, at ? at : "");
}

/* As one of all strangers; what the mailbox has left stays. */
static int take_common(struct batch *batch, struct budget *budget, struct err *err)
{
    const struct share all = {"", ALL_STRANGERS, batch->league->config.limits.strangers_per_day};
    struct budget common;
    if (take(batch, &all, &common, err))
        return -1;
    if (!budget_allows(&common))
        *budget = common;
    return 0;
}

static int take_stranger(struct batch *batch, const char *address, struct budget *budget, struct err *err)
{
    char box[PLAYER_ADDRESS];
    mailbox(box, address);
    if (take(batch, &(struct share){"", box, batch->league->config.limits.stranger_replies}, budget, err))
        return -1;
    return budget_allows(budget) ? take_common(batch, budget, err) : 0;
}

/* Charged to the domain that was vouched for, however many names there are below it. When all domains have
 * used theirs, being vouched for is no worse than not. */
static int take_vouched(struct batch *batch, const char *address, const struct budget_claim *claim,
                        struct budget *budget, struct err *err)
{
    const struct config *config = &batch->league->config;
    const int day = config->limits.strangers_per_day;
    char box[PLAYER_ADDRESS];
    struct budget shared, all;
    mailbox(box, address);
    const struct share one = {claim->elsewhere ? "elsewhere" : "vouched", box,
                              config->limits.stranger_replies};
    if (take(batch, &one, budget, err))
        return -1;
    if (!budget_allows(budget))
        return 0;
    if (take(batch, &(struct share){claim->elsewhere ? "elsewhere of" : "domain", claim->domain, day},
             &shared, err))
        return -1;
    if (!budget_allows(&shared)) {
        *budget = shared;
        return 0;
    }
    if (take(batch, &(struct share){"", ALL_DOMAINS, DOMAINS * day}, &all, err))
        return -1;
    return budget_allows(&all) ? 0 : take_stranger(batch, address, budget, err);
}

/* A forger may have invitations answered to many people, but not often to one of them. */
static int take_invited(struct batch *batch, const char *address, const char *invite, struct budget *budget,
                        struct err *err)
{
    char box[PLAYER_ADDRESS];
    mailbox(box, address);
    if (take(batch, &(struct share){"invited", invite, BUDGET_FEW}, budget, err))
        return -1;
    return budget_allows(budget) ? take(batch, &(struct share){"invited to", box, BUDGET_FEW}, budget, err)
                                 : 0;
}

int budget_take(struct batch *batch, const char *address, struct budget_claim *claim, struct budget *budget,
                struct err *err)
{
    const int each = batch->league->config.limits.replies_per_day;
    const int few = each < BUDGET_FEW ? each : BUDGET_FEW;
    const struct player *player = registry_by_address(&batch->registry, address);
    bool stopped = false;
    *budget = (struct budget){BUDGET_STOPPED, 0};
    if (player && player->banned) { /* they may have two addresses */
        int rc = take(batch, &(struct share){"banned", player->name, 1}, budget, err);
        budget->fate = budget_allows(budget) ? BUDGET_LEFT : BUDGET_BANNED;
        return rc;
    }
    if (!player && !claim->asked && stopped_is(batch, address, &stopped, err))
        return -1;
    if (stopped)
        return 0;
    if (look_at_text(batch, claim, err))
        return -1;
    switch (claim->proof) {
    case PROOF_TEXT: return take(batch, &(struct share){"signed", claim->player, each}, budget, err);
    case PROOF_KEY: return take(batch, &(struct share){"again", claim->player, few}, budget, err);
    case PROOF_INVITE: return take_invited(batch, address, claim->invite, budget, err);
    case PROOF_SERVER:
        return player
                   ? take(batch, &(struct share){claim->elsewhere ? "elsewhere" : "vouched", address, each},
                          budget, err)
                   : take_vouched(batch, address, claim, budget, err);
    case PROOF_NONE: break;
    }
    return player ? take(batch, &(struct share){"", address, each}, budget, err)
                  : take_stranger(batch, address, budget, err);
}

/* ---- what is not understood ---- */

#define SHORT      3  /* words of a text that is compared by its digits */
#define WORDS_MOST 32 /* of a text that are compared one by one: more would fill the set */

/* Digits are left out, unless there is nothing else, or `digits`. */
static void add_folded(struct str *out, struct slice text, bool digits)
{
    struct slice word;
    bool letters = false;
    for (size_t i = 0; i < text.len && !letters; i++)
        letters = !text.p[i] || !strchr("0123456789 \t\r\n", text.p[i]);
    while (slice_word(&text, &word)) {
        for (size_t i = 0; i < word.len; i++) {
            char c = word.p[i];
            if (c >= 'A' && c <= 'Z')
                c = (char)(c - 'A' + 'a');
            if (digits || !letters || c < '0' || c > '9')
                str_addc(out, c);
        }
        str_addc(out, ' ');
    }
}

static bool is_short(struct slice text)
{
    struct slice word;
    int words = 0;
    while (words <= SHORT && slice_word(&text, &word))
        words++;
    return words <= SHORT;
}

/* In another game the same word is another one: what is said there is no repetition. */
static void add_words(unsigned char set[CATALOG_WORDS], const char *about, struct slice text)
{
    struct str folded = STR_INIT;
    struct slice rest, word;
    add_folded(&folded, text, false);
    rest = slice_str(&folded);
    for (int i = 0; i < WORDS_MOST && slice_word(&rest, &word); i++) {
        struct str name = STR_INIT;
        unsigned char digest[32];
        str_addf(&name, "%.*s %.*s", (int)strcspn(about, " "), about, (int)word.len, word.p);
        message_digest(digest, slice_str(&name));
        set[digest[0] / 8] |= (unsigned char)(1 << digest[0] % 8);
        str_release(&name);
    }
    str_release(&folded);
}

static void text_digest(const struct budget_unread *unread, unsigned char digest[32])
{
    struct str folded = STR_INIT;
    str_addf(&folded, "%s: ", unread->about);
    add_folded(&folded, unread->subject, false);
    str_addc(&folded, '\n');
    add_folded(&folded, unread->text, is_short(unread->text));
    message_digest(digest, slice_str(&folded));
    str_release(&folded);
}

/* By what came before it alone. */
static struct budget unread_left(const struct batch *batch, const struct catalog_unreads *before)
{
    struct budget budget = {BUDGET_LEFT, 0};
    if (before->same > 1)
        return (struct budget){BUDGET_SAME, day_end(batch)};
    if (before->day >= BUDGET_UNREAD)
        return (struct budget){BUDGET_PAUSED, day_end(batch)};
    if (before->until > batch->now)
        return (struct budget){BUDGET_PAUSED, before->until};
    if (before->same)
        budget = (struct budget){BUDGET_REPEATS, batch->now + 3600};
    if (before->hour + 1 >= BUDGET_UNREAD_HOUR)
        budget = (struct budget){BUDGET_PAUSES, batch->now + BUDGET_UNREAD_PAUSE};
    if (before->day + 1 >= BUDGET_UNREAD)
        budget = (struct budget){BUDGET_CLOSES, day_end(batch)};
    return budget;
}

int budget_take_unread(struct batch *batch, const struct budget_unread *unread, struct budget_claim *claim,
                       struct budget *budget, struct err *err)
{
    const struct player *player = registry_by_address(&batch->registry, unread->address);
    struct catalog_unread row = {.time = batch->now};
    struct catalog_unreads before;
    char box[PLAYER_ADDRESS];
    struct str who = STR_INIT;
    mailbox(box, unread->address);
    str_addf(&who, "%s%s", player ? player->name : box, unread->elsewhere ? " elsewhere" : "");
    row.who = who.p;
    memcpy(row.mail, unread->mail, sizeof row.mail);
    if (!unread->answers)
        add_words(row.words, unread->about, unread->subject);
    add_words(row.words, unread->about, unread->text);
    if (unread->text.len || (unread->subject.len && !unread->answers))
        text_digest(unread, row.text);
    else
        memcpy(row.text, row.mail, sizeof row.text);
    int rc = catalog_find_unread(batch->catalog, &row, &before, err);
    const struct budget left = *budget = unread_left(batch, &before);
    if (rc == 0 && budget_allows(&left))
        rc = budget_take(batch, unread->address, claim, budget, err);
    if (rc == 0 && budget_allows(budget)) {
        *budget = budget->fate == BUDGET_LEFT ? left : *budget;
        rc = catalog_put_unread(batch->catalog, &row, left.fate == BUDGET_PAUSES ? left.until : 0, err);
    }
    str_release(&who);
    return rc;
}

/* ---- other counts ---- */

static int count(struct batch *batch, const struct share *share, bool *allowed, struct err *err)
{
    struct budget budget;
    int rc = take(batch, share, &budget, err);
    *allowed = rc == 0 && budget_allows(&budget);
    return rc;
}

int budget_move(struct batch *batch, const char *player, bool *allowed, struct err *err)
{
    return count(batch, &(struct share){"moves", player, BUDGET_FEW}, allowed, err);
}

int budget_address(struct batch *batch, const char *address, bool *allowed, struct err *err)
{
    bool stopped = false;
    *allowed = false;
    if (stopped_is(batch, address, &stopped, err))
        return -1;
    return stopped ? 0 : count(batch, &(struct share){"asked", address, BUDGET_FEW}, allowed, err);
}

int budget_stop(struct batch *batch, const char *domain, bool *allowed, struct err *err)
{
    return count(batch, &(struct share){"stop", domain, *domain ? BUDGET_FEW : 10 * BUDGET_FEW}, allowed,
                 err);
}
