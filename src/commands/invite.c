#include "commands/deed.h"
#include "league/token.h"

#define INVITES_MOST 1000
#define DAYS_MOST    366

static const char details[] =
    "Makes invitations and prints them, one word per line. A new player mails a signed text \"#turnpost\n"
    "register\" with the line \"invite: WORD\", gets it back with a word that proves the address, and\n"
    "signs that, too. Each invitation is valid for one player. Only a hash of it is kept, so write the\n"
    "words down.\n";

struct wishes {
    int64_t count, days;
};

static int read(struct deed *deed, int argc, char **argv)
{
    struct wishes *wishes = deed->wishes;
    struct err err = ERR_INIT;
    const struct flag flags[] = {
        {"count", FLAG_NUMBER, &wishes->count, "N", "how many (default: 1)"},
        {"days", FLAG_NUMBER, &wishes->days, "N",
         "for how many days they are good (default: token_expire of league.ini)"},
        {"league", FLAG_TEXT, &deed->dir, "DIR", FLAG_LEAGUE_HELP},
        {"now", FLAG_TIME, &deed->now, "TIME", "the time to work at (default: the system's)"},
        {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    wishes->count = 1;
    int code = deed_flags(deed, &argc, argv, flags, (const int[]){0, 0}, details);
    if (code >= 0)
        return code;
    if (wishes->count >= 1 && wishes->count <= INVITES_MOST && wishes->days >= 0 && wishes->days <= DAYS_MOST)
        return -1;
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

static int act(struct deed *deed, struct err *err)
{
    const struct wishes *wishes = deed->wishes;
    const struct config *config = &deed->batch->league->config;
    int64_t seconds = wishes->days ? wishes->days * 86400 : config->league.token_expire;
    json_t *tokens = json_object();
    json_t *evidence = json_pack("{s:s}", "by", "operator");
    struct slice rest = slice_str(&deed->text), word;
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
    if (rc == 0)
        deed_say(deed, "%s", deed->text.p);
    json_decref(tokens);
    json_decref(evidence);
    return rc;
}

const struct deed_kind deed_invite = {
    .name = "invite", .size = sizeof(struct wishes), .read = read, .bring = bring, .act = act};

int command_invite(int argc, char **argv)
{
    return deed_run(&deed_invite, argc, argv);
}
