/* What people do, and when: the table of acts. A new thing to do is a row of it. And what stands in braces in its texts. */
#include "sim/people.h"

#include "base/date.h"

#define ABOUT  "game: {game}\nhead: {head}\n"
#define LEAGUE "league: {league}\ndate: {today}\n"
#define OPEN   ABOUT "turn: {turn}\n"
#define TURN   "#turnpost orders\n" OPEN
#define END    "# {nonce}\n#end\n"
/* clang-format off */
const struct act people_does[] = {
    {"press", ORDERS, 150, "press {other}: Shall we leave each other in peace in sector {n}?",
     "#turnpost press\n" OPEN "to: {other}\nPeace in {n} turns? ({nonce})\n#end\n"},
    {"pressed", ORDERS, 120, "{line}\n\npress {other}: I go {n} times.", NULL},
    {"both", ORDERS, 100, NULL, TURN "{line}\n" END "#turnpost press\n" OPEN "to: {other}\nNow or never. ({nonce})\n#end\n"},
    {"voted", ORDERS, 20, "{line}\nextend 12h\npress {other}: More time?", NULL},
    {"masked", ORDERS, 20, "from nobody\npress {other}: Guess who.", "#turnpost press\n" OPEN "to: {other}\nfrom: nobody\nGuess who. ({nonce})\n#end\n"},
    {"answers", ORDERS, 20, "press {other}, moderators: And now?", "#turnpost press\n" OPEN "to: {other}, moderators\nre: {n}\nAnd now? ({nonce})\n#end\n"},
    {"hidden", ORDERS, 10, "from nobody\n{line}\npress all: Beware.", "#turnpost press\n" OPEN "to: nobody\nfrom: {other}\nBeware. ({nonce})\n#end\n"},
    {"unsure", ORDERS, 20, "{line}\nor perhaps {line}\n?", TURN "{line}\n{line}\nfinal: perhaps\n" END},
    {"resigns", ORDERS, 3, "resign\n{line}", NULL},
    {"doubt", ORDERS, 20, "Sounds good! no", TURN "no orders\n" END},
    {"next-too", ORDERS, 20, "next turn: {line}", TURN "{line}\nnext turn\n{line}\n" END},
    {"referee", ORDERS, 20, "press moderators: Is that so?", "#turnpost press\n" OPEN "to: moderators\nIs that so? ({nonce})\n#end\n"},
    {"beside", ORDERS, 20, "{line}\nmute {other}\ndeadline\nreports: decisions", NULL},
    {"two-ways", ORDERS, 10, "{line}\nundo", NULL},
    {"below", ORDERS, 10, "{line}\n\nSee you on Sunday, and bring the maps", NULL},
    {"typo", ORDERS, 60, "explor nera", TURN "{line}\nexplor nera\n" END},
    {"prose", ORDERS, 40, "I think I will explore\nregards", NULL},
    {"final", ORDERS, 40, "{line}\nfinal", TURN "final: yes\n{line}\n" END},
    {"undo", ORDERS, 20, "undo", NULL},
    {"ask", ORDERS, 30, "show", TURN "show\nhelp\n" END},
    {"try", ORDERS, 30, NULL, TURN "try\n{line}\n" END},
    {"always", ORDERS, 30, "always {line}", TURN "when attacked at home defend all\nalways {line}\n" END},
    {"leave", ORDERS, 3, NULL, TURN "resign\n" END},
    {"device", ORDERS, 60, "{line}", TURN "{line}\n" END},
    {"parts", ORDERS, 20, "{line}\nrules\nfoo bar", TURN "explain\nrules {n}\nmap\n{line}\n" END},
    {"extend", GAME, 20, "extend 12h", "#turnpost extend\n" OPEN "hours: 12\n#end\n"},
    {"resign", GAME, 2, "resign", "#turnpost resign\n" ABOUT "#end\n"},
    {"appeal", GAME, 40, "appeal: turn {past} is wrong", "#turnpost appeal\n" ABOUT "turn: {past}\nI was robbed. ({nonce})\n#end\n"},
    {"resend", GAME, 6, "show", "#turnpost resend\n" ABOUT "#end\n"},
    {"older", GAME, 6, "show {game}", "#turnpost resend\n" ABOUT "turn: {past}\n#end\n"},
    {"away", GAME, 6, "vacation {day} to {later}", NULL},
    {"wait", GAME, 6, NULL, "#turnpost standby\n" ABOUT "#end\n"},
    {"no-wait", GAME, 6, NULL, "#turnpost standby\n" ABOUT "cancel: yes\n#end\n"},
    {"back", GAME, 5, "back", "#turnpost back\n" ABOUT "#end\n"},
    {"observe", GAME, 10, "observe {game}", "#turnpost observe\n" ABOUT "#end\n"},
    {"unobserve", GAME, 3, "unobserve {game}", "#turnpost unobserve\n" ABOUT "#end\n"},
    {"journal", GAME, 3, NULL, "#turnpost journal\n" ABOUT "#end\n"},
    {"publish", GAME, 3, NULL, "#turnpost publish\n" ABOUT "#end\n"},
    {"rematch", GAME, 3, NULL, "#turnpost rematch\n" ABOUT "#end\n"},
    {"seated", GAME, 20, "join {game}\nseat: {n}", "#turnpost join\n" ABOUT "seat: {n}\n#end\n"},
    {"leaves", GAME, 20, "leave {game}", "#turnpost leave\n" ABOUT "#end\n"},
    {"takes", GAME, 6, "take {game}", "#turnpost take\n" OPEN "seat: {seat}\n#end\n"},
    {"days-more", GAME, 10, "extend 2 days", "#turnpost extend\n" OPEN "days: 2\n#end\n"},
    {"same-again", GAME, 3, "rematch {game} {me}-{nonce}", "#turnpost rematch\n" ABOUT "name: {me}-{nonce}\n#end\n"},
    {"daily", GAME, 10, "digest 7", NULL},
    {"as-wished", GAME, 6, "reports: decisions\npublic: yes\npictures: no\nreminder: 24", NULL},
    {"alone", GAME, 10, "unwitness {game}", "#turnpost unwitness\n" OPEN "#end\n"},
    {"vacation", DAY, 40, "vacation {day} to {later}", "#turnpost vacation\n" LEAGUE "from: {day}\nto: {later}\n#end\n"},
    {"home", DAY, 8, "vacation cancel", "#turnpost vacation\n" LEAGUE "cancel: yes\n#end\n"},
    {"digest", DAY, 20, "prefs\ndigest 18", "#turnpost prefs\n" LEAGUE "digest: yes\n#end\n"},
    {"single", DAY, 4, "prefs\ndigest off", "#turnpost prefs\n" LEAGUE "digest: 18:00\n#end\n"},
    {"plain", DAY, 8, "prefs\nhtml: no\nreminder: 12", "#turnpost prefs\n" LEAGUE "digest: no\nhtml: no\nreminder: 12\nzone: America/New_York\n#end\n"},
    {"more", DAY, 8, "prefs\nzone: Asia/Kolkata\nreports: each move", "#turnpost prefs\n" LEAGUE "pictures: no\njson: yes\nreports: decisions\noptional: no\npublic: yes\n#end\n"},
    {"known", DAY, 8, "prefs\npublic: yes", "#turnpost prefs\n" LEAGUE "public: yes\n#end\n"},
    {"called", DAY, 8, "display Captain {me}", "#turnpost prefs\n" LEAGUE "display: Captain {me}\nreminder: no\nzone: no\n#end\n"},
    {"all-prefs", DAY, 4, "prefs", "prefs"},
    {"stop", DAY, 5, "stop", NULL},
    {"revoke", DAY, 60, NULL, "#turnpost key\n" LEAGUE "player: {me}\nrevoke: {old}\nreason: I lost it\n#end\n"},
    {"keyless", DAY, 5, NULL, "#turnpost key\n" LEAGUE "player: {me}\nrevoke: {print}\ntrust: mail\n#end\n"},
    {"revokes", DAY, 3, NULL, "#turnpost key\n" LEAGUE "player: {me}\nrevoke: {print}\nreason: It is old\n#end\n"},
    {"not-mine", DAY, 3, NULL, "#turnpost key\n" LEAGUE "player: {other}\nadd: {spare}\nwhy: A joke\n#end\n"},
    {"not-own", DAY, 3, "veto", "#turnpost veto\n" LEAGUE "player: {other}\n#end\n"},
    {"unsigned", DAY, 6, "Please:\n#turnpost prefs\nhtml: no\n#end", NULL},
    {"by-form", DAY, 4, "form\nprefs", "#turnpost prefs\n" LEAGUE "digest: 7\nreminder: 100\nzone: Mars\n#end\n"},
    {"hours", DAY, 4, "prefs\ndigest 25:00\nreminder: 500", "#turnpost vacation\n" LEAGUE "from: {later}\nto: {day}\n#end\n"},
    {"two", DAY, 8, "second {me}@two.test", "#turnpost prefs\n" LEAGUE "second: {me}@two.test\n#end\n"},
    {"no-two", DAY, 4, "second no", "#turnpost prefs\n" LEAGUE "second: no\n#end\n"},
    {"moves", DAY, 8, "address {me}@new.test", "#turnpost prefs\n" LEAGUE "address: {me}@new.test\n#end\n"},
    {"standby", DAY, 60, "standby any", "#turnpost standby\n" LEAGUE "game: any\n#end\n"},
    {"unstandby", DAY, 10, "unstandby any", "#turnpost standby\n" LEAGUE "game: any\ncancel: yes\n#end\n"},
    {"list", DAY, 120, "games", "games"},
    {"join", DAY, 300, "join {free}", "join {free}"},
    {"back-out", DAY, 30, "leave {free}", "leave {free}"},
    {"status", DAY, 10, "status", "status {game}"},
    {"help", DAY, 5, "help", "help galaxy-farmer"},
    {"rules", DAY, 5, "rules galaxy-command 2", "rules"},
    {"ratings", DAY, 10, "rating", "rating {other}"},
    {"results", DAY, 10, "results", "results"},
    {"cups", DAY, 10, "competitions", "table {cup}"},
    {"log", DAY, 5, "log {n}", "proof {n}"},
    {"proof", DAY, 5, "proof {n}", "log {n}"},
    {"table-of", DAY, 10, "table {cup}", "competitions"},
    {"confirm", DAY, 600, "confirm {cup}", "#turnpost confirm\n" LEAGUE "competition: {cup}\n#end\n"},
    {"lost-report", DAY, 10, "show", "#turnpost resend\n" LEAGUE "#end\n"},
    {"watch", DAY, 20, "observe {game}", NULL},
    {"quit", DAY, 1, "resign {game}", NULL},
    {"spare", DAY, 5, "standby {game}", NULL},
    {"unspare", DAY, 3, "unstandby {game}", NULL},
    {"seat", DAY, 5, "back {game}", NULL},
    {"archive", DAY, 5, "journal {game}", NULL},
    {"print-it", DAY, 5, "publish {game}", NULL},
    {"again", DAY, 8, "rematch {game}", NULL},
    {"protest", DAY, 8, "appeal {game}\nI was robbed. ({nonce})", NULL},
    {"makes", DAY, 10, "open galaxy-command\nname: {me}-{nonce}\nseats: {me}, {other}\ndeadline: 2d", NULL},
    {"offers", DAY, 20, "open galactic-contract\nseats: {me}\nopen: 1", NULL},
    {"how", DAY, 5, "appeal", "observe {game}"},
    {"wishes", DAY, 10, "open galactic-contract\nname: {me}-{nonce}\nseats: {me}, {other}\nopen: 1\noption: short=1\nship: 1", "#turnpost open\n" LEAGUE "name: {me}-{nonce}\nruleset: galactic-contract\nseats: {me}, {other}\nopen: 1\noption: short=1\nship: {n}\nship2: 1\n#end\n"},
    {"timed", DAY, 10, "open galaxy-command\nname: {me}-{nonce}\nseats: {me}, robot\nschedule: mon thu 20:00\npress: grey", "#turnpost open\n" LEAGUE "name: {me}-{nonce}\nruleset: galactic-supremacy\nseats: {me}, {other}, robot\nschedule: daily 20:00\npress: grey\ntrust: mail\n#end\n"},
    {"opens", DAY, 10, NULL, "#turnpost open\n" LEAGUE "name: {me}-{nonce}\nruleset: galaxy-command\nseats: {me}, {other}\n#end\n"},
    {"table", DAY, 20, NULL, "#turnpost open\n" LEAGUE "name: {me}-{nonce}\nruleset: galactic-contract\nseats: {me}\nopen: 1\n#end\n"},
    {"invite", DAY, 5, "invite a friend", "#turnpost invite\n" LEAGUE "for: a friend ({nonce})\n#end\n"},
    {"mute", DAY, 5, "mute {other}", "#turnpost mute\n" LEAGUE "player: {other}\n#end\n"},
    {"unmute", DAY, 5, "unmute {other}", "#turnpost unmute\n" LEAGUE "player: {other}\n#end\n"},
    {"enter", DAY, 700, "enter {cup}", "#turnpost enter\n" LEAGUE "competition: {cup}\n#end\n"},
    {"withdraw", DAY, 10, "withdraw {cup}", "#turnpost withdraw\n" LEAGUE "competition: {cup}\n#end\n"},
    {"key", DAY, 10, NULL, "#turnpost key\n" LEAGUE "player: {me}\nadd: {spare}\n#end\n"},
    {"slow-key", DAY, 10, NULL, "#turnpost key\n" LEAGUE "player: {me}\nadd: {slow}\n#end\n"},
    {"first", DAY, 5, "", "#turnpost key\n" LEAGUE "player: {me}\nadd: {spare}\n#end\n"},
    {"paste", DAY, 5, "{pub}", NULL},
    {"lose", DAY, 10, NULL, ""},
    {"veto", DAY, 5, NULL, "#turnpost veto\n" LEAGUE "#end\n"},
    {"erase", DAY, 2, "erase", "#turnpost erase\n" LEAGUE "player: {me}\n#end\n"},
    {"nonsense", DAY, 4, "Hello, is this the bakery?", "#turnpost dance\n" LEAGUE "#end\n"},
    {"rekey", DAY, 500, NULL, "#turnpost rekey\n" LEAGUE "player: {loser}\nkey: {found}\nreason: I know them. ({nonce})\n#end\n"},
    {"excuses", RULES, 150, NULL, "#turnpost excuse\n" OPEN "witness: wilma\nreason: A test ({nonce}).\n#end\n"},
    {"holds", RULES, 10, NULL, "#turnpost moderate\n" OPEN "do: hold\nreason: A test ({nonce}).\n#end\n"},
    {"stops", RULES, 10, NULL, "#turnpost moderate\n" OPEN "do: pause\nreason: A test ({nonce}).\n#end\n"},
    {"ends-turn", RULES, 20, NULL, "#turnpost moderate\n" OPEN "do: resolve\nreason: A test ({nonce}).\n#end\n"},
    {"voids", RULES, 5, NULL, "#turnpost moderate\n" OPEN "do: void\nreason: A test ({nonce}).\n#end\n"},
    {"tells", RULES, 20, NULL, "#turnpost moderate\n" OPEN "do: resend {other}\nreason: A test ({nonce}).\n#end\n"},
    {"seats", RULES, 10, NULL, "#turnpost moderate\n" OPEN "do: replace {other} by {else}\nreason: A test ({nonce}).\n#end\n"},
    {"mends-two", RULES, 40, NULL, "#turnpost moderate\n" OPEN "do: correct\nreason: A test ({nonce}).\n\n{value} = {n}\nplayer[1].metal = {n}\n#end\n"},
    {"back-to", RULES, 10, NULL, "#turnpost moderate\n" OPEN "do: rollback {n}\nreason: A test ({nonce}).\n#end\n"},
    {"no-such", RULES, 10, NULL, "#turnpost moderate\n" OPEN "do: dance\nreason: A test ({nonce}).\n#end\n"},
    {"says-all", RULES, 20, NULL, "#turnpost press\n" OPEN "to: all\nfrom: moderators\nWell done. ({nonce})\n#end\n"},
    {"their-key", RULES, 10, NULL, "#turnpost key\n" LEAGUE "player: {other}\nrevoke: {print}\nreason: Stolen ({nonce}).\n#end\n"},
    {"preview", RULES, 30, NULL, "#turnpost preview\n" OPEN "#end\n"},
    {"rule", RULES, 300, NULL, "#turnpost ruling\n" ABOUT "appeal: {record}\nIt stands. ({nonce})\n#end\n"},
    {"until", RULES, 40, NULL, "#turnpost moderate\n" OPEN "do: extend {later} 18:00\nreason: A test ({nonce}).\n#end\n"},
    {"stands-in", RULES, 4, NULL, "#turnpost moderate\n" OPEN "do: replace {other} by robot\nreason: A test ({nonce}).\n#end\n"},
    {"writes", RULES, 20, NULL, "#turnpost moderate\n" OPEN "do: orders {other}\nreason: A test ({nonce}).\n\n{line}\n#end\n"},
    {"bans", RULES, 10, NULL, "#turnpost moderate\n" LEAGUE "do: ban {other}\nreason: A test ({nonce}).\n#end\n"},
    {"pardons", RULES, 60, NULL, "#turnpost moderate\n" LEAGUE "do: unban {other}\nreason: A test ({nonce}).\n#end\n"},
    {"mailbox", RULES, 10, NULL, "#turnpost rekey\n" LEAGUE "player: {other}\naddress: {same}@new.test\nreason: They called. ({nonce})\n#end\n"},
    {"grant", RULES, 40, NULL, "#turnpost moderate\n" OPEN "do: extend 12h\nreason: A test ({nonce}).\n#end\n"},
    {"go", RULES, 200, NULL, "#turnpost moderate\n" OPEN "do: resume\nreason: A test ({nonce}).\n#end\n"},
    {"mends", RULES, 60, NULL, "#turnpost moderate\n" OPEN "do: correct {value} = {n}\nreason: A test ({nonce}).\n#end\n"},
    {"undone", RULES, 20, NULL, "#turnpost moderate\n" OPEN "do: rollback turn {n}\nreason: A test ({nonce}).\n#end\n"},
};
/* clang-format on */
#define ACTS (sizeof people_does / sizeof *people_does)

static bool acts_on[ACTS];
const struct switches people_acts = {"act", people_does, sizeof *people_does, ACTS, 400, 1000, acts_on};

/* ---- what stands in braces ---- */

static const char *const lines[] = {"explore near",
                                    "explore far",
                                    "bide",
                                    "research robots",
                                    "build",
                                    "attack",
                                    "pass",
                                    "sell 1",
                                    "move 1 to 2",
                                    "trade",
                                    "buy 3",
                                    "explore near or bide",
                                    "gather",
                                    "plant",
                                    "fly 3",
                                    "offer anna give 1 metal get 1 food",
                                    "offer bert give 1 food get 2 metal",
                                    "accept",
                                    "decline",
                                    "withdraw",
                                    "vote draw"};

/* One of the choices that our mail offers; else a line of any game's. */
void people_add_line(struct str *out, const struct ours *ours, struct dice *luck)
{
    const char *at = ours ? says(ours->text.p, "YOUR CHOICES\n") : NULL;
    struct slice rest = slice_of(at ? at : ""), line, choice[9];
    unsigned count = 0;
    while (slice_line(&rest, &line) && count < sizeof choice / sizeof *choice &&
           !slice_starts(line, "Or type ") && !slice_starts(line, "ANSWER ")) {
        const size_t box = slice_find(line, "[ ] ");
        if (box < line.len)
            line = slice_sub(line, box + strlen("[ ] "), line.len);
        line = slice_sub(line, 0, slice_find(line, "  ")); /* beside it stands what it does */
        if (line.len && line.p[0] >= 'a' && line.p[0] <= 'z')
            choice[count++] = line;
    }
    if (count && !chance(luck, 200))
        str_addslice(out, choice[roll(luck, count)]);
    else
        str_adds(out, lines[roll(luck, sizeof lines / sizeof *lines)]);
}

static void add_day(struct str *out, int64_t days)
{
    char day[DATE_TEXT];
    date_text(day, now() / 86400 + days);
    str_adds(out, day);
}

struct person *people_loser(void)
{
    for (int i = 0; i < world.people; i++)
        if (world.person[i].lost)
            return &world.person[i];
    return NULL;
}

/* Of whom an act is, and about what. */
struct filling {
    struct person *me;
    const struct ours *ours; /* NULL: about no mail */
    struct dice *luck;
};

/* What stands in braces; false: there is none. `n` is rolled for each, wanted or not. */
static bool add_value(void *arg, struct str *out, const char *name)
{
    const struct filling *filling = arg;
    struct person *me = filling->me;
    const struct ours *ours = filling->ours;
    struct dice *luck = filling->luck;
    const unsigned n = roll(luck, 1U << 24);
    const struct person *other = &world.person[n % (unsigned)world.people], *lost = people_loser();
    char number[12] = "";
    if (ours)
        ours_line(ours->flat.p, "The appeal is record ", number, sizeof number);
    number[strcspn(number, ".")] = '\0';
    char past[12] = "", same[40] = "";
    ours_line(out->p, "player: ", same, sizeof same);
    if (ours && atoi(ours->turn) > 1)
        (void)snprintf(past, sizeof past, "%d", atoi(ours->turn) - 1);
    const struct {
        const char *name, *value;
    } words[] = {{"game", ours ? ours->game : me->game},
                 {"free", me->free},
                 {"head", ours ? ours->head : ""},
                 {"turn", ours && *ours->turn ? ours->turn : "1"},
                 {"seat", ours && *ours->seat ? ours->seat : "1"},
                 {"me", me->name},
                 {"other", other == me ? "all" : other->name},
                 {"else", world.person[(n >> 8) % (unsigned)world.people].name},
                 {"same", same}, /* whom the text is about */
                 {"cup", world.cup},
                 {"loser", lost ? lost->name : ""},
                 {"record", number},
                 {"past", past}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(name, words[i].name) == 0) {
            str_adds(out, words[i].value);
            return *words[i].value;
        }
    if (strcmp(name, "today") == 0 || strcmp(name, "day") == 0 || strcmp(name, "later") == 0)
        add_day(out, *name == 't' ? 0 : *name == 'd' ? 1 + n % 3 : 4 + n % 4);
    else if (strcmp(name, "n") == 0)
        str_addf(out, "%u", 1 + n % 9);
    else if (strcmp(name, "nonce") == 0)
        str_addf(out, "%x", n);
    else if (strcmp(name, "line") == 0)
        people_add_line(out, ours, luck);
    else if (strcmp(name, "league") == 0)
        str_adds(out, world.print);
    else if (strcmp(name, "value") == 0)
        str_adds(out, (const char *const[]){"player[0].metal", "player[1].metal", "fuel", "place",
                                            "player[1].wealth"}[n % 5]);
    else if (strcmp(name, "example") == 0 || strcmp(name, "which") == 0) {
        const char *at = strstr(ours->flat.p, "as in \"") + strlen("as in \"");
        str_addf(out, "%.*s", (int)strcspn(at, *name == 'w' ? ":" : "\""), at);
    } else if (strcmp(name, "print") == 0)
        people_add_key(out, me, &me->key, false);
    else if (strcmp(name, "old") == 0) {
        if (me->had_key)
            people_add_key(out, me, &me->old, false);
        return me->had_key;
    } else if (strcmp(name, "spare") == 0 || strcmp(name, "slow") == 0 || strcmp(name, "pub") == 0) {
        if (!me->has_spare)
            secret_new(&me->spare);
        me->has_spare = true;
        me->later = strcmp(name, "slow") == 0;
        people_add_key(out, me, &me->spare, *name == 'p');
    } else if (strcmp(name, "found") == 0) {
        if (lost)
            people_add_key(out, lost, &lost->key, true);
        return lost;
    } else
        RED("an act has {%s}", name);
    return true;
}

bool people_fill(struct str *out, const char *text, struct person *me, const struct ours *ours,
                 struct dice *luck)
{
    struct filling filling = {me, ours, luck};
    return fill_braces(out, text, add_value, &filling);
}
