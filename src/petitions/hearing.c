/* What the verbs share for handling a text: reading values, refusing, evidence. */

#include "play/step_parts.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "game/vouched.h"
#include "batch/competing.h"
#include "petitions/bound.h"

#define REGISTRY_MAIL ((size_t)16 << 10) /* bytes of a mail that a record of the registry keeps */

bool petition_moderator(const struct league *league, const char *player)
{
    return config_moderator(&league->config, player);
}

enum outcome hearing_refuse(struct hearing *hearing, const char *fmt, ...)
{
    va_list args;
    if (hearing->refusal)
        return OUTCOME_REFUSED;
    va_start(args, fmt);
    hearing->refusal = reason_vmake(fmt, args);
    va_end(args);
    return OUTCOME_REFUSED;
}

enum outcome hearing_refuse_why(struct hearing *hearing, json_t *why)
{
    if (hearing->refusal)
        json_decref(why);
    else
        hearing->refusal = why;
    return OUTCOME_REFUSED;
}

enum outcome hearing_withheld(struct hearing *hearing, const struct game *game)
{
    return hearing_refuse(hearing, "withheld game=%s when@=%lld", game->id,
                          (long long)game->clock.lockstep.closes);
}

int hearing_quote(const struct hearing *hearing, struct err *err)
{
    struct str words = STR_INIT;
    if (!hearing->refusal)
        return err_set(err, ERR_INPUT, "this was done before");
    if (templates_piece(hearing->batch->templates, &(struct template_name){"", "refused.txt"},
                        hearing->refusal, &words, err) == 0) {
        struct slice line = slice_trim(slice_str(&words));
        (void)err_set(err, ERR_INPUT, "%.*s", (int)line.len, line.p);
    }
    str_release(&words);
    return -1;
}

bool hearing_bool(struct hearing *hearing, int field, bool *value)
{
    *value = slice_caseeq(hearing->value[field], "yes");
    if (*value || slice_caseeq(hearing->value[field], "no"))
        return true;
    (void)hearing_refuse(hearing, "takes_yes_no line=%s", hearing->petition->fields[field]);
    return false;
}

bool hearing_name(struct hearing *hearing, int field, char name[PLAYER_NAME])
{
    struct slice value = hearing->value[field];
    size_t len = value.len < PLAYER_NAME ? value.len : 0;
    for (size_t i = 0; i < len; i++)
        name[i] = ascii_lower(value.p[i]);
    name[len] = '\0';
    if (name_valid(slice_of(name)))
        return true;
    (void)hearing_refuse(hearing, "takes_name line=%s", hearing->petition->fields[field]);
    return false;
}

bool hearing_display(struct hearing *hearing, int field, char display[PLAYER_DISPLAY])
{
    struct err why = ERR_INIT;
    display[0] = '\0';
    if (slice_caseeq(hearing->value[field], "no") ||
        player_display_read(display, hearing->value[field], &why) == 0)
        return true;
    reason_err(&hearing->refusal, &why);
    return false;
}

bool hearing_number(struct hearing *hearing, int field, int min, int max, int *number)
{
    struct slice value = hearing->value[field];
    bool good = value.len > 0 && value.len <= 6;
    *number = 0;
    for (size_t i = 0; good && i < value.len; i++) {
        good = value.p[i] >= '0' && value.p[i] <= '9';
        *number = *number * 10 + (value.p[i] - '0');
    }
    if (good && *number >= min && *number <= max)
        return true;
    (void)hearing_refuse(hearing, "takes_number line=%s min=%d max=%d", hearing->petition->fields[field], min,
                         max);
    return false;
}

static bool refuse_wish(struct hearing *hearing, const struct ruleset *ruleset, const void *cards,
                        struct slice word)
{
    struct str names = STR_INIT;
    char *words = slice_dup(slice_sub(word, 0, 40));
    const char *meant = wish_meant(ruleset, cards, word);
    wish_names(&names, ruleset, cards);
    if (meant)
        (void)hearing_refuse(hearing, "wish_meant line=%s word=%s meant=%s names=%s",
                             hearing->others.wish_line, words, meant, names.p);
    else
        (void)hearing_refuse(hearing, "wish_unknown line=%s word=%s names=%s", hearing->others.wish_line,
                             words, names.p);
    str_release(&names);
    free(words);
    return false;
}

bool hearing_wishes(struct hearing *hearing, const struct ruleset *ruleset, const void *cards,
                    struct wish_list *wishes)
{
    struct slice word = {NULL, 0};
    *wishes = (struct wish_list){{0}};
    if (!hearing->others.wish_line)
        return true;
    if (!ruleset->words.wish.line || strcmp(ruleset->words.wish.line, hearing->others.wish_line) != 0) {
        (void)hearing_refuse(hearing, "wish_none line=%s ruleset=%s", hearing->others.wish_line,
                             ruleset->title);
        return false;
    }
    enum wish_flaw flaw = wish_read(ruleset, cards, hearing->others.wish, wishes, &word);
    if (flaw == WISH_UNKNOWN)
        return refuse_wish(hearing, ruleset, cards, word);
    if (flaw == WISH_TWICE)
        (void)hearing_refuse(hearing, "wish_twice line=%s", hearing->others.wish_line);
    return flaw == WISH_GOOD;
}

static void add_digest(json_t *object, const char *name, const unsigned char digest[32])
{
    json_object_set_new(object, name, json_hex(digest, 32));
}

json_t *hearing_marks(const struct hearing *hearing)
{
    json_t *marks = json_object();
    add_digest(marks, "mail", hearing->mail);
    add_digest(marks, "text", hearing->text);
    return marks;
}

bool hearing_wants_key(struct hearing *hearing)
{
    if (hearing->proof)
        (void)hearing_refuse(hearing, "own_key verb=%s", hearing->petition->verb);
    return hearing->proof != NULL;
}

/* In a game's or a competition's record the mail is sealed; in the registry's with what else the record says of the player
 * (league/registry_sealing.h), if a record has room for it. */
static void add_vouched(struct hearing *hearing, json_t *evidence)
{
    const struct mail_proof *proof = hearing->proof;
    json_object_set_new(evidence, "said", json_text(hearing->exact));
    if (hearing->competition) {
        competing_vouch(hearing->batch, hearing->competition, evidence, proof);
        return;
    }
    if (hearing->entry && !bound_registers(hearing, hearing->petition)) {
        json_object_set_new(evidence, "vouched",
                            step_vouched(&hearing->step, &hearing->entry->game, 0, proof, VOUCHED_KEPT));
        return;
    }
    (void)vouched_whole(evidence, proof, hearing->batch->now, REGISTRY_MAIL);
}

json_t *hearing_evidence(struct hearing *hearing)
{
    json_t *evidence = hearing->msg ? hearing_marks(hearing) : json_object();
    if (hearing->batch->cause.request && !hearing->msg)
        add_digest(evidence, "request", hearing->batch->cause.request);
    if (hearing->player)
        json_object_set_new(evidence, "by", json_string(hearing->player));
    if (!hearing->msg)
        return evidence; /* nobody signed it */
    if (hearing->proof) {
        add_vouched(hearing, evidence);
        return evidence;
    }
    json_object_set_new(
        evidence, "signed",
        json_pack("{s:o,s:O}", "text", json_text(hearing->exact), "signature", hearing->signature));
    return evidence;
}

void hearing_check_length(struct hearing *hearing, int most)
{
    size_t size = json_text_size(hearing->exact);
    if (size > (size_t)most)
        (void)hearing_refuse(hearing, "too_long size=%zu most=%d", size, most);
}

void hearing_digest(const struct hearing *hearing, const void *who, size_t len, unsigned char digest[32])
{
    crypto_generichash_state st;
    crypto_generichash_init(&st, NULL, 0, 32);
    crypto_generichash_update(&st, who, len);
    crypto_generichash_update(&st, (const unsigned char *)hearing->canonical.p, hearing->canonical.len);
    crypto_generichash_final(&st, digest, 32);
}

void hearing_text_of(const struct hearing *hearing, const char *player, unsigned char digest[32])
{
    hearing_digest(hearing, player, strlen(player), digest);
}
