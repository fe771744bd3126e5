#include <stdlib.h>
#include <string.h>

#include "batch/stopped.h"
#include "batch/tell.h"
#include "commands/deed.h"
#include "league/address.h"
#include "league/token.h"
#include "petitions/keyless.h"
#include "petitions/requests.h"
#include "play/cover.h"
#include "play/facts.h"

#define INVITES_MOST 1000
#define DAYS_MOST    366

static const char details[] =
    "Makes invitations and prints them, one word a line. Write the words down: the league keeps only a hash "
    "of each. One word is for one player. With --to the invitation is mailed as well.\n"
    "Where [league] trust is mail, the player answers that mail with \"ok\" or \"register NAME\". Otherwise "
    "the player mails \"register\" with a public key and the line \"invite: WORD\", and signs the text that "
    "comes back.\n";

struct wishes {
    int64_t count, days;
    const char *to;
};

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"count", FLAG_NUMBER, &wishes->count, "N", "how many words (default: 1)"},
        {"days", FLAG_NUMBER, &wishes->days, "N",
         "how many days they are valid (default: token_expire of league.ini)"},
        {"to", FLAG_TEXT, &wishes->to, "ADDRESS", "mail the invitation to this address"},
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    wishes->count = 1;
    int code = deed_flags(deed, &argc, argv, flags, (const int[]){0, 0}, details);
    if (code >= 0)
        return code;
    bool fits =
        wishes->count >= 1 && wishes->count <= INVITES_MOST && wishes->days >= 0 && wishes->days <= DAYS_MOST;
    if (fits && (!wishes->to || wishes->count == 1))
        return -1;
    if (fits)
        err_set(&err, ERR_INPUT, "--to is for one invitation, without --count");
    else
        err_set(&err, ERR_INPUT, "--count takes 1 to %d, --days 1 to %d", INVITES_MOST, DAYS_MOST);
    return command_fail(&err);
}

/* The words are made where they are printed. */
static int bring(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    char text[TOKEN_TEXT];
    (void)err;
    for (int64_t i = 0; i < wishes->count; i++) {
        token_new(text);
        str_addf(&deed->text, "%s\n", text);
    }
    return 0;
}

/* Who may be mailed to: people who are no players yet, and have not said "stop". */
static int judge_address(const struct batch *batch, const char *to, char address[PLAYER_ADDRESS],
                         struct err *err)
{
    bool stopped = false;
    if (strlen(to) >= PLAYER_ADDRESS)
        return err_set(err, ERR_INPUT, "the address is longer than 254 bytes");
    memcpy(address, to, strlen(to) + 1);
    if (address_check(address, err))
        return -1;
    const struct player *player = registry_by_address(&batch->registry, address);
    if (player)
        return err_set(err, ERR_INPUT, "%s is the address of the player %s", address, player->name);
    if (stopped_is(batch, address, &stopped, err))
        return -1;
    return stopped
               ? err_set(err, ERR_INPUT, "%s wants no mail from this league (they said \"stop\")", address)
               : 0;
}

/* The first that waits for players; NULL: none does. */
static const struct game *open_game(struct batch *batch, const json_t *facts)
{
    const char *id = json_string_value(json_object_get(json_object_get(facts, "joinable"), "game"));
    struct batch_game *entry;
    struct err why = ERR_INIT;
    return id && batch_game(batch, id, &entry, &why) == 0 ? &entry->game : NULL;
}

static int mail_it(struct deed *deed, const char *address, const char *word, int64_t seconds, struct err *err)
{
    const struct league *league = deed->batch->league;
    char name[PLAYER_NAME];
    struct str reply_to = STR_INIT;
    struct game example;
    game_init(&example);
    bool by_reply = league->config.league.trust == TRUST_MAIL;
    (void)player_name_suggest(name, (struct slice){address, strcspn(address, "@+.")});
    json_t *facts = json_pack("{s:s,s:s,s:b,s:b}", "token", word, "name", name, "has_name", *name != '\0',
                              "by_mailbox", by_reply);
    facts_time(facts, "when", deed->batch->now + seconds);
    if (*league->config.site.url)
        json_object_set_new(facts, "site", json_string(league->config.site.url));
    if (by_reply)
        keyless_invitation(&reply_to, league, word, NULL);
    int rc = request_add_games(deed->batch, facts, err);
    const struct game *open = open_game(deed->batch, facts);
    const bool single = json_is_true(json_object_get(json_object_get(facts, "joinable"), "single"));
    const struct ruleset *ruleset = open ? open->ruleset : rulesets[0];
    if (rc == 0)
        rc = cover_play(&example, ruleset, open ? open->seats : ruleset->seats_max, err);
    if (rc == 0)
        rc = tell_address(
            deed->batch,
            &(struct tell){.words = "invitation",
                           .facts = facts,
                           .reply_to = reply_to.p,
                           .asks = by_reply && single && open->table.by_mail
                                       ? &(struct answer_game){.game = open, .held = slice_of("join")}
                                       : NULL,
                           .shows = &example},
            address, "", err);
    game_release(&example);
    json_decref(facts);
    str_release(&reply_to);
    return rc;
}

static int act(struct deed *deed, struct err *err)
{
    char address[PLAYER_ADDRESS];
    const struct wishes *wishes = deed->wishes;
    const struct config *config = &deed->batch->league->config;
    int64_t seconds = wishes->days ? wishes->days * 86400 : config->league.token_expire;
    json_t *tokens = json_object();
    json_t *evidence = json_pack("{s:s}", "by", "operator");
    struct slice rest = slice_str(&deed->text), word;
    if (wishes->to && judge_address(deed->batch, wishes->to, address, err)) {
        json_decref(tokens);
        json_decref(evidence);
        return -1;
    }
    while (slice_word(&rest, &word)) {
        char name[TOKEN_NAME];
        json_t *document = json_pack("{s:s,s:s}", "what", "invite", "by", "operator");
        token_set_expiry(document, deed->batch->now, seconds);
        if (token_name(name, TOKEN_INVITE, word))
            json_object_set_new(tokens, name, document);
        else
            json_decref(document);
    }
    struct registry_change change = {.what = "invite", .tokens = tokens, .evidence = evidence};
    int rc = batch_change(deed->batch, &change, err);
    char *one = slice_dup(slice_trim(slice_str(&deed->text)));
    if (rc == 0 && wishes->to)
        rc = mail_it(deed, address, one, seconds, err);
    free(one);
    if (rc == 0)
        deed_say(deed, "%s", deed->text.p);
    json_decref(tokens);
    json_decref(evidence);
    return rc;
}

const struct deed_kind deed_invite = {
    .name = "invite", .size = sizeof(struct wishes), .read = read, .bring = bring, .act = act, .makes = true};

int command_invite(int argc, char **argv)
{
    return deed_run(&deed_invite, argc, argv);
}
