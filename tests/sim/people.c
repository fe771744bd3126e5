/* The people: each reads what was mailed to them, and nothing else, and does one thing or another about it. A new thing to do is a row
 * of the table of acts. */
#include "sim/sim.h"

#include <stdlib.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/mem.h"
#include "house/domain.h"
#include "mail/frames.h"
#include "mail/message.h"
#include "tlog/armor.h"
#include "tlog/witness.h"
#include "trust/canon.h"

/* ---- acts ---- */

enum when {
    ORDERS, /* a mail asks for orders */
    GAME,   /* a mail is about a game */
    DAY,    /* a day has passed, for whoever is a player */
    RULES   /* the same, for who moderates the league */
};
/* Somebody without a key types `typed` above our mail, or as a subject, where a day has passed; somebody with a key signs `text`.
 * NULL: they do not do that. {game} {head} {turn} {seat} are those of the mail; {me} {other} are players, {same} the one of the line "player:"; {today} {day} {later} dates;
 * {n} a small number; {nonce} a large one; {past} the turn before; {print} the fingerprint of their key, {old} of the one before; {line} an order; {league} its fingerprint; {cup} a competition;
 * {example} what our digest says one may type, {which} which of its mails that is about; {spare} a new key of theirs, which signs along, {slow} one that signs when it is asked for, {pub} a new one as its tool wrote it; {free} a game that has a free seat, as they were told;
 * {value} one of a game's table; {loser} who has lost theirs, and {found} what they have now; {record} that of an appeal; {else} anybody. What the world does not have for them is not
 * done. A text without "#turnpost" is a plain mail, of whoever has a key as well. */
struct act {
    const char *name;
    enum when when;
    unsigned often; /* per mille of the times when it could be done */
    const char *typed, *text;
};
#define ABOUT  "game: {game}\nhead: {head}\n"
#define LEAGUE "league: {league}\ndate: {today}\n"
#define OPEN   ABOUT "turn: {turn}\n"
#define TURN   "#turnpost orders\n" OPEN
#define END    "# {nonce}\n#end\n"
/* clang-format off */
static const struct act acts[] = {
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
    {"leaves", GAME, 6, "leave {game}", "#turnpost leave\n" ABOUT "#end\n"},
    {"takes", GAME, 6, "take {game}", "#turnpost take\n" OPEN "seat: {seat}\n#end\n"},
    {"days-more", GAME, 10, "extend 2 days", "#turnpost extend\n" OPEN "days: 2\n#end\n"},
    {"same-again", GAME, 3, "rematch {game} {me}-{nonce}", "#turnpost rematch\n" ABOUT "name: {me}-{nonce}\n#end\n"},
    {"vacation", DAY, 40, "vacation {day} to {later}", "#turnpost vacation\n" LEAGUE "from: {day}\nto: {later}\n#end\n"},
    {"home", DAY, 8, "vacation cancel", "#turnpost vacation\n" LEAGUE "cancel: yes\n#end\n"},
    {"digest", DAY, 20, "digest yes", "#turnpost prefs\n" LEAGUE "digest: yes\n#end\n"},
    {"single", DAY, 4, "digest no", "#turnpost prefs\n" LEAGUE "digest: 18:00\n#end\n"},
    {"plain", DAY, 8, "prefs\nhtml: no\nreminder: 12", "#turnpost prefs\n" LEAGUE "digest: no\nhtml: no\nreminder: 12\nzone: America/New_York\n#end\n"},
    {"more", DAY, 8, "zone: Asia/Kolkata", "#turnpost prefs\n" LEAGUE "pictures: no\njson: yes\nreports: decisions\noptional: no\npublic: yes\n#end\n"},
    {"known", DAY, 8, "public: yes", "#turnpost prefs\n" LEAGUE "public: yes\n#end\n"},
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
    {"hours", DAY, 4, "digest 25:00\nreminder: 500", "#turnpost vacation\n" LEAGUE "from: {later}\nto: {day}\n#end\n"},
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
    {"confirm", DAY, 200, "confirm {cup}", "#turnpost confirm\n" LEAGUE "competition: {cup}\n#end\n"},
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
    {"enter", DAY, 400, "enter {cup}", "#turnpost enter\n" LEAGUE "competition: {cup}\n#end\n"},
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
    {"voids", RULES, 2, NULL, "#turnpost moderate\n" OPEN "do: void\nreason: A test ({nonce}).\n#end\n"},
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
    {"bans", RULES, 3, NULL, "#turnpost moderate\n" LEAGUE "do: ban {other}\nreason: A test ({nonce}).\n#end\n"},
    {"pardons", RULES, 60, NULL, "#turnpost moderate\n" LEAGUE "do: unban {other}\nreason: A test ({nonce}).\n#end\n"},
    {"mailbox", RULES, 10, NULL, "#turnpost rekey\n" LEAGUE "player: {other}\naddress: {same}@new.test\nreason: They called. ({nonce})\n#end\n"},
    {"grant", RULES, 40, NULL, "#turnpost moderate\n" OPEN "do: extend 12h\nreason: A test ({nonce}).\n#end\n"},
    {"go", RULES, 200, NULL, "#turnpost moderate\n" OPEN "do: resume\nreason: A test ({nonce}).\n#end\n"},
    {"mends", RULES, 60, NULL, "#turnpost moderate\n" OPEN "do: correct {value} = {n}\nreason: A test ({nonce}).\n#end\n"},
    {"undone", RULES, 20, NULL, "#turnpost moderate\n" OPEN "do: rollback turn {n}\nreason: A test ({nonce}).\n#end\n"},
};
/* clang-format on */
#define ACTS (sizeof acts / sizeof *acts)

static bool acts_on[ACTS];
const struct switches people_acts = {"act", acts, sizeof *acts, ACTS, 400, 1000, acts_on};

/* ---- what they have sent ---- */

struct written *written;
size_t written_count;
static size_t written_cap;

/* ---- a mail of the league's, as its reader sees it ---- */

struct ours {
    const struct str *raw;
    char id[200], subject[300], to[160],
        mine[160]; /* where an answer goes; to which of their addresses it came */
    char game[GAME_NAME], head[65], turn[12], seat[4];
    long long again;       /* the day on which it is answered once more; 0 = it was just read */
    struct str text, flat; /* the latter without regard to how its lines are broken */
    struct str page;       /* HTML, where it has one */
    struct str asked;      /* of a mail to a witness: the question */
};

static void release_ours(struct ours *ours)
{
    str_release(&ours->text);
    str_release(&ours->flat);
    str_release(&ours->page);
    str_release(&ours->asked);
}

static void line_of(const char *text, const char *front, char *out, size_t size)
{
    const char *at = says(text, front);
    if (at)
        (void)snprintf(out, size, "%.*s", (int)strcspn(at + strlen(front), "\r\n :)"), at + strlen(front));
}

static void add_crlf(struct str *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            str_addc(out, '\r');
        str_addc(out, *text);
    }
}

static void read_ours(const struct str *raw, struct ours *ours)
{
    struct err err = ERR_INIT;
    struct message msg;
    struct str crlf = STR_INIT;
    struct message_limits limits = message_limits_default;
    limits.size = limits.part_bytes = (size_t)1 << 24; /* ours may have a journal attached */
    *ours =
        (struct ours){.raw = raw, .text = STR_INIT, .flat = STR_INIT, .page = STR_INIT, .asked = STR_INIT};
    add_crlf(&crlf, raw->p);
    MUST_DO(message_parse(slice_str(&crlf), &limits, &(struct message_identity){0}, &msg, &err), err);
    (void)snprintf(ours->subject, sizeof ours->subject, "%s", msg.subject);
    if (msg.part_count)
        str_addslice(&ours->text, slice_str(&msg.parts[0].shown));
    for (size_t i = 1; i < msg.part_count; i++) {
        struct slice exact = slice_str(&msg.parts[i].exact);
        if (slice_find(exact, "<html") < 200 && !ours->page.len)
            str_addslice(&ours->page, exact);
    }
    if (msg.part_count) {
        struct slice rest = slice_str(&msg.parts[0].exact);
        struct err none = ERR_INIT;
        if (armored_next(&rest, WITNESS_REQUEST, &ours->asked, &none) != ARMORED_GOOD)
            str_clear(&ours->asked);
    }
    message_release(&msg);
    str_release(&crlf);
    for (size_t i = 0; i < ours->text.len; i++) {
        char c = ours->text.p[i] == '\n' ? ' ' : ours->text.p[i];
        if (c != ' ' || !ours->flat.len || ours->flat.p[ours->flat.len - 1] != ' ')
            str_addc(&ours->flat, c);
    }
    (void)mail_field(raw, "Message-ID", ours->id, sizeof ours->id);
    if (!mail_field(raw, "Reply-To", ours->to, sizeof ours->to))
        (void)mail_field(raw, "From", ours->to, sizeof ours->to);
    (void)mail_field(raw, "To", ours->mine, sizeof ours->mine);
    const char *open = strchr(ours->mine, '<');
    if (open)
        memmove(ours->mine, open + 1, strlen(open));
    ours->mine[strcspn(ours->mine, ">")] = '\0';
    if (ours->subject[0] == '[')
        (void)snprintf(ours->game, sizeof ours->game, "%.*s", (int)strcspn(ours->subject + 1, "]"),
                       ours->subject + 1);
    line_of(ours->subject, "urn ", ours->turn, sizeof ours->turn); /* "(turn 3: your orders)", "of turn 4" */
    line_of(ours->text.p, "\nturn: ", ours->turn, sizeof ours->turn);
    line_of(ours->text.p, "\nseat: ", ours->seat, sizeof ours->seat);
    line_of(ours->text.p, "\nhead: ", ours->head, sizeof ours->head);
    if (*ours->game &&
        strcmp(ours->head, ours->game) == 0) { /* no form, but the signed head below: "head: GAME SEQ HEX" */
        const char *at = says(ours->text.p, "\nhead: ") + strlen("\nhead: ") + strlen(ours->game) + 1;
        (void)snprintf(ours->head, sizeof ours->head, "%.64s", at + strcspn(at, " ") + 1);
    }
}

/* ---- writing ---- */

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

/* One of the lines that our mail says make sense; else one of any game's. */
static void add_line(struct str *out, const struct ours *ours, struct dice *luck)
{
    static const char front[] = "each line alone:\n\n";
    const char *at = ours ? says(ours->text.p, front) : NULL;
    if (!at || chance(luck, 200)) {
        str_adds(out, lines[roll(luck, sizeof lines / sizeof *lines)]);
        return;
    }
    at += strlen(front);
    for (unsigned want = roll(luck, 6); want && at[strcspn(at, "\n")] && at[strcspn(at, "\n") + 1] > ' ';
         want--)
        at += strcspn(at, "\n") + 1;
    const char *two = strstr(at, "  ");
    size_t len = strcspn(at, "\n");
    str_addf(out, "%.*s", (int)(two && (size_t)(two - at) < len ? (size_t)(two - at) : len), at);
}

static void add_day(struct str *out, int64_t days)
{
    char day[DATE_TEXT];
    date_text(day, now() / 86400 + days);
    str_adds(out, day);
}

/* Signs as ssh-keygen or signify does, of which the latter's signatures hold a number, and no key. */
static void sign(struct str *out, const struct person *me, const struct secret *secret, struct slice text)
{
    unsigned char bytes[10 + 64] = "Ed";
    if (!me->signify) {
        sshsig_sign(out, secret->key, NS_ORDERS, text);
        return;
    }
    memcpy(bytes + 2, secret->point, 8);
    crypto_sign_detached(bytes + 10, NULL, (const unsigned char *)text.p, text.len, secret->key);
    str_adds(out, "untrusted comment: verify with mine.pub\n");
    base64_encode(out, bytes, sizeof bytes);
    str_addc(out, '\n');
}

static void add_key(struct str *out, const struct person *me, const struct secret *secret, bool whole)
{
    struct pubkey key;
    unsigned char bytes[10 + 32] = "Ed";
    if (me->signify) {
        memcpy(bytes + 2, secret->point, 8);
        memcpy(bytes + 10, secret->point, 32);
        base64_encode(out, bytes, sizeof bytes);
        return;
    }
    char print[KEY_FINGERPRINT];
    secret_public(secret, &key);
    pubkey_fingerprint(print, &key);
    if (whole)
        pubkey_format(out, &key);
    else
        str_adds(out, print);
}

static struct person *loser(void)
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
    const struct person *other = &world.person[n % (unsigned)world.people], *lost = loser();
    char number[12] = "";
    if (ours)
        line_of(ours->flat.p, "The appeal is record ", number, sizeof number);
    number[strcspn(number, ".")] = '\0';
    char past[12] = "", same[40] = "";
    line_of(out->p, "player: ", same, sizeof same);
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
        add_line(out, ours, luck);
    else if (strcmp(name, "league") == 0)
        str_adds(out, world.print);
    else if (strcmp(name, "value") == 0)
        str_adds(out, (const char *const[]){"player[0].metal", "player[1].metal", "player[0].credits",
                                            "player[0].cargo.food", "over"}[n % 5]);
    else if (strcmp(name, "example") == 0 || strcmp(name, "which") == 0) {
        const char *at = strstr(ours->flat.p, "as in \"") + strlen("as in \"");
        str_addf(out, "%.*s", (int)strcspn(at, *name == 'w' ? ":" : "\""), at);
    } else if (strcmp(name, "print") == 0)
        add_key(out, me, &me->key, false);
    else if (strcmp(name, "old") == 0) {
        if (me->had_key)
            add_key(out, me, &me->old, false);
        return me->had_key;
    } else if (strcmp(name, "spare") == 0 || strcmp(name, "slow") == 0 || strcmp(name, "pub") == 0) {
        if (!me->has_spare)
            secret_new(&me->spare);
        me->has_spare = true;
        me->later = strcmp(name, "slow") == 0;
        add_key(out, me, &me->spare, *name == 'p');
    } else if (strcmp(name, "found") == 0) {
        if (lost)
            add_key(out, lost, &lost->key, true);
        return lost;
    } else
        RED("an act has {%s}", name);
    return true;
}

static bool fill_in(struct str *out, const char *text, struct person *me, const struct ours *ours,
                    struct dice *luck)
{
    struct filling filling = {me, ours, luck};
    return fill_braces(out, text, add_value, &filling);
}

/* ---- slips ---- */

const char *people_odd(struct dice *luck)
{
    static const char *const odd[] = {
        "yes",        "no",    "all",    "0",
        "-1",         "99999", "nobody", "any",
        "2027-02-30", "25:00", "robot:", "anna",
        "anna, anna", "bert",  "A b/c",  "ssh-ed25519 AAAA",
        "1d",         "none",  "",       "a-name-that-is-much-too-long-for-any-name-here"};
    return odd[roll(luck, sizeof odd / sizeof *odd)];
}

/* One line of what is to be sent is not as it should be: it is missing, is there twice, says something odd, is misspelt. What says which turn
 * it is for stays, since the judge asks about that. */
static void slip(struct str *text, const char *event)
{
    struct dice luck = dice("slip %s", event);
    struct str out = STR_INIT;
    struct slice rest = slice_str(text), line;
    unsigned all = 0, at = 0;
    if (!text->len || !world.on[F_slips] || !chance(&luck, 120))
        return;
    while (slice_whole_line(&rest, &line))
        all++;
    const unsigned chosen = roll(&luck, all), how = roll(&luck, 6);
    rest = slice_str(text);
    for (; slice_whole_line(&rest, &line); at++) {
        const char *colon = memchr(line.p, ':', line.len), *end = line.p + line.len;
        const bool fixed = at != chosen || line.p[0] == '#' || slice_starts(line, "turn:") || !line.len;
        if (!fixed && how == 0)
            continue;
        if (!fixed && how == 1)
            str_addslice(&out, line);
        if (!fixed && how == 2)
            str_addf(&out, "colour: %s\n", people_odd(&luck));
        if (!fixed && how == 3 && line.len > 3) { /* a letter is missing */
            str_addf(&out, "%.1s%.*s", line.p, (int)line.len - 2, line.p + 2);
        } else if (!fixed && how >= 4) {
            const char *blank = memrchr(line.p, ' ', line.len), *from = colon   ? colon + 1
                                                                        : blank ? blank
                                                                                : line.p;
            str_addf(&out, "%.*s %s%s", (int)(from - line.p), line.p, people_odd(&luck),
                     end[-1] == '\n' ? "\n" : "");
        } else {
            str_addslice(&out, line);
        }
    }
    str_release(text);
    *text = out;
}

static void post(struct person *me, const char *event, const char *game, struct str *raw)
{
    written = mem_grow(written, written_count, &written_cap, sizeof *written);
    struct written *mail = &written[written_count++];
    *mail = (struct written){0};
    line_of(raw->p, "Message-ID: <", mail->id, sizeof mail->id);
    mail->id[strcspn(mail->id, ">")] = '\0';
    (void)snprintf(mail->who, sizeof mail->who, "%s", me->name);
    (void)snprintf(mail->game, sizeof mail->game, "%s", game);
    message_digest(mail->digest, slice_str(raw));
    char turn[12] = "";
    line_of(raw->p, "\nturn: ", turn, sizeof turn);
    mail->turn = atoi(turn);
    post_send(me, event, slice_str(raw));
    str_release(raw);
}

/* With our address in place of that of tests/mail/frames.h. */
static void add_framed(struct str *out, const char *text, const struct ours *ours)
{
    for (const char *at; (at = strstr(text, FRAME_ADDRESS)); text = at + strlen(FRAME_ADDRESS))
        str_addf(out, "%.*s%s", (int)(at - text), text, ours->to);
    str_adds(out, text);
}

/* `typed` above our mail, as one mail program or another quotes it (tests/mail/frames.h). Its Content-Type. */
static const char *add_answer(struct str *out, const char *event, const char *typed, const struct ours *ours)
{
    struct dice luck = dice("program %s", event);
    const struct frame_program *program = &frame_programs[roll(&luck, FRAME_PROGRAMS)];
    size_t fold = chance(&luck, 200) ? 72 : 0;
    if (!world.on[F_frames] || (program->begin && !ours->page.len))
        program = &frame_programs[0];
    if (program->begin) {
        str_adds(out, "<html><head></head><body>");
        frame_escape_all(out, slice_of(typed));
        add_framed(out, program->begin, ours);
        str_addf(out, "%s%s</body></html>\n", strstr(ours->page.p, "<body"), program->end);
    } else {
        str_addf(out, "%s\n\n", typed);
        add_framed(out, program->attribution, ours);
        frame_quote_all(out, program, fold, slice_str(&ours->text));
    }
    return program->type;
}

/* A mail that its domain signs: above our mail, if that is answered. */
static void write_mail(struct person *me, const char *event, const char *typed, const struct ours *ours)
{
    struct str raw = STR_INIT, body = STR_INIT, lf = STR_INIT;
    char subject[320];
    struct dice luck = dice("mailbox %s", event);
    const bool other = world.on[F_slips] && chance(&luck, 15); /* not the one that the league knows */
    const char *to = !ours || (world.on[F_slips] && chance(&luck, 25)) ? "league@example.org" : ours->to;
    str_addf(&raw, "Message-ID: <%s@sim.test>\r\n", event);
    if (ours) {
        str_addf(&raw, "MIME-Version: 1.0\r\nContent-Type: %s\r\nIn-Reply-To: %s\r\n",
                 add_answer(&lf, event, typed, ours), ours->id);
        (void)snprintf(subject, sizeof subject, "Re: %.300s", ours->subject);
    } else {
        str_addf(&lf, "%s\n", typed);
        (void)snprintf(subject, sizeof subject, "%.*s", (int)strcspn(typed, "\n"), typed);
    }
    add_crlf(&body, lf.p);
    domain_letter(&post_domain,
                  &(struct domain_letter){
                      me->name, other ? "else.test" : strchr(ours ? ours->mine : me->address, '@') + 1, to,
                      subject, now(), body.p, NULL, 0},
                  &raw);
    str_release(&body);
    str_release(&lf);
    if (world.verbose)
        tell("%s types: %s", me->name, typed);
    post(me, event, ours ? ours->game : "", &raw);
}

/* A mail with signed texts, each from its "#turnpost" to its "#end". What a new key is to be added by, it signs as well, or, where it
 * is to sign later, in the next mail, alone. */
static void sign_mail(struct person *me, const char *event, const char *text, const char *game)
{
    struct str raw = STR_INIT, body = STR_INIT, armored = STR_INIT;
    str_addf(&raw, "Message-ID: <%s@sim.test>\r\n", event);
    if (world.verbose)
        tell("%s signs: %s", me->name, text);
    for (const char *end; (end = strstr(text, "#end\n")); text = end) {
        end += strlen("#end\n");
        const struct slice one = {text, (size_t)(end - text)};
        char *copy = slice_dup(one);
        bool new = str_starts(copy, "#turnpost key\n") && me->has_spare;
        str_clear(&armored);
        if (me->keyed && !(new && me->asked))
            sign(&armored, me, &me->key, one);
        if (new && !me->later)
            sign(&armored, me, &me->spare, one);
        me->asked = new && me->later;
        me->later &= !new;
        struct dice luck = dice("damage %s", event);
        if (world.on[F_slips] && chance(&luck, 15) && strchr(copy, '\n')) /* on its way */
            strchr(copy, '\n')[1] ^= 1;
        add_crlf(&body, copy);
        if (!world.on[F_slips] || !chance(&luck, 10)) /* they forget to */
            add_crlf(&body, armored.p);
        free(copy);
    }
    if (me->keyed)
        str_addf(&raw,
                 "From: %s\r\nTo: league@example.org\r\nSubject: signed\r\nDate: Fri, 20 "
                 "Nov 2026 12:00:00 +0000\r\n\r\n%s",
                 me->address, body.p);
    else /* its domain says whose key it is */
        domain_letter(&post_domain,
                      &(struct domain_letter){me->name, strchr(me->address, '@') + 1, "league@example.org",
                                              "signed", now(), body.p, NULL, 0},
                      &raw);
    str_release(&armored);
    str_release(&body);
    post(me, event, game, &raw);
}

/* ---- doing something ---- */

/* "anna-press-5f3a01": who does what about which mail, or on which day. */
static bool decide(char event[60], const struct person *me, const char *what, const struct ours *ours)
{
    unsigned char hash[4] = {0};
    char hex[9];
    if (ours)
        crypto_generichash(hash, sizeof hash, (const unsigned char *)ours->id, strlen(ours->id), NULL, 0);
    hex_to(hex, hash, sizeof hash);
    if (ours && ours->again)
        (void)snprintf(event, 60, "%s-%s-%s-%lld", me->name, what, hex, ours->again);
    else if (ours)
        (void)snprintf(event, 60, "%s-%s-%s", me->name, what, hex);
    else
        (void)snprintf(event, 60, "%s-%s-%lld", me->name, what, (long long)now() / 86400);
    return happens("%s", event);
}

static void do_act(struct person *me, const struct act *act, const struct ours *ours)
{
    char event[60];
    struct dice luck =
        dice("%s %s %s %lld", me->name, act->name, ours ? ours->id : "", ours ? 0 : (long long)now() / 86400);
    bool signs = me->keyed || (act->typed && !*act->typed); /* a first key */
    const char *text = signs ? act->text : act->typed;
    if (!acts_on[act - acts] || !text || (me->keyed && act->typed && !*act->typed))
        return;
    if (!chance(&luck, act->often * (act->when == ORDERS ? 1 : (unsigned)world.bustle)))
        return;
    struct str filled = STR_INIT;
    if (fill_in(&filled, text, me, ours, &luck) && decide(event, me, act->name, ours)) {
        if (act->when != RULES || !strstr(text, "rekey"))
            slip(&filled, event);
        me->unreminded |= strstr(filled.p, "reminder: no") || strstr(filled.p, "optional: no") ||
                          strcmp(filled.p, "stop") == 0;
        if (!*text) { /* they have lost their key, and make a new one */
            secret_new(&me->key);
            me->lost = true;
        } else if (signs && strstr(filled.p, "#turnpost "))
            sign_mail(me, event, filled.p, ours ? ours->game : "");
        else
            write_mail(me, event, filled.p, ours);
        struct person *lost = me->rules && strcmp(act->name, "rekey") == 0 ? loser() : NULL;
        if (lost)
            lost->lost = false;
    }
    str_release(&filled);
}

/* Orders as the mail asks for them: its form, or an answer to it. */
static void order(struct person *me, const struct ours *ours)
{
    char event[60];
    struct str text = STR_INIT;
    struct dice luck = dice("%s %s", me->name, ours->id);
    bool receipt = says(ours->subject, "received") != NULL;
    if (!chance(&luck, receipt ? 40 : me->zeal) || !decide(event, me, "orders", ours))
        return;
    unsigned how = roll(&luck, 100);
    if (me->keyed) {
        const char *form = says(ours->text.p, "#turnpost orders\n"), *end = strstr(form, "\n#end\n");
        str_addf(&text, "%.*s\n", (int)(end - form), form);
        if (how < 80) {
            add_line(&text, ours, &luck);
            str_addc(&text, '\n');
        }
        str_addf(&text, "# %u\n#end\n", roll(&luck, 1U << 30));
        slip(&text, event);
        sign_mail(me, event, text.p, ours->game);
    } else {
        if (how < 40)
            str_adds(&text, "ok");
        else if (how < 65)
            str_addf(&text, "%u", 1 + roll(&luck, 5));
        else
            add_line(&text, ours, &luck);
        slip(&text, event);
        write_mail(me, event, text.p, ours);
    }
    str_release(&text);
}

/* A text in the mail that is ready to be signed, other than orders. */
static bool ready_text(const struct ours *ours, char verb[20], struct str *text)
{
    for (const char *at = ours->text.p; (at = strstr(at, "\n#turnpost ")); at++) {
        const char *end = strstr(at, "\n#end\n");
        (void)snprintf(verb, 20, "%.*s", (int)strcspn(at + 11, "\n"), at + 11);
        if (!end || strcmp(verb, "orders") == 0)
            continue;
        str_addf(text, "%.*s", (int)(end + 6 - (at + 1)), at + 1);
        return true;
    }
    return false;
}

/* The word, or two, that the mail asks to type: "ok", or "no" to what somebody wants to be done in their name, which it mostly is. Some
 * say no to a question; whoever may wish for something does. */
static bool asked_word(const struct ours *ours, struct str *word)
{
    struct dice luck = dice("word %s", ours->id);
    const char *type = says(ours->text.p, "type: ok"), *one = says(ours->flat.p, "the one word "),
               *wish = says(ours->flat.p, "Type it below \"ok\": \""),
               *names = says(ours->flat.p, "There are ");
    if (!type && says(ours->flat.p, "and type: ok"))
        type = "type: ok";
    if (!type && !one)
        return false;
    if (type && chance(&luck, 80)) {
        str_adds(word, "no");
    } else if (type) { /* perhaps with a word of its own */
        str_addf(word, "%.*s", (int)strcspn(type + 6, "\n"), type + 6);
        if (wish && names)
            str_addf(word, "\n%.*s: %.*s", (int)strcspn(wish + 22, ":"), wish + 22,
                     (int)strcspn(names + 10, ",."), names + 10);
    } else {
        one += strlen("the one word ");
        str_addf(word, "%.2s", one + (*one == '"'));
    }
    return strcmp(word->p, "no") != 0 || chance(&luck, 300);
}

/* What the mail asks its reader to do: to sign a text, to type a word, to send a subject. */
static bool answer(struct person *me, const struct ours *ours)
{
    char verb[20], event[60];
    struct str text = STR_INIT;
    const char *send = says(ours->flat.p, "send a mail with \"");
    bool signs = (me->keyed || me->has_spare) && ready_text(ours, verb, &text);
    const char *digest = !me->keyed ? says(ours->flat.p, "as in \"") : NULL;
    if (digest && says(ours->subject, " mail") && decide(event, me, "digest", ours)) {
        static const char *const typed[] = {"{example}",
                                            "{which}:\nexplore near\nexplore far",
                                            "explore near\ndigest no",
                                            "{which}: {line}",
                                            "{which}:\nI will think about it\n",
                                            "vacation {day} to {later}\nstandby any\nprefs\nhtml: no",
                                            "vacation cancel\ndigest 18:00\nstatus\nrules {n}",
                                            "{which}: show\nunstandby any\nhello",
                                            "stop"};
        struct dice luck = dice("digest %s", ours->id);
        (void)fill_in(&text, typed[roll(&luck, sizeof typed / sizeof *typed)], me, ours, &luck);
        write_mail(me, event, text.p, ours);
        str_clear(&text);
    }
    bool takes = !me->keyed && send && says(ours->subject, "Will you take over");
    if (signs && decide(event, me, verb, ours))
        sign_mail(me, event, text.p, ours->game);
    str_clear(&text);
    bool types = !me->keyed && asked_word(ours, &text);
    if (types && decide(event, me, "ok", ours))
        write_mail(me, event, text.p, ours);
    if (takes && decide(event, me, "take", ours)) {
        str_clear(&text);
        str_addf(&text, "%.*s", (int)strcspn(send + 18, "\""), send + 18);
        write_mail(me, event, text.p, NULL);
    }
    str_release(&text);
    return signs || types || takes || digest;
}

/* What the witness has cosigned. `forgotten`: the league does not know all of it, as it was restored from an older copy. */
static struct {
    struct vkey log;
    struct witness_state state;
    int64_t answered;
    bool forgotten;
} remembered;

/* A new log of the league's is watched from its beginning, as the operator has told them. */
static void know_log(const struct checkpoint *checkpoint)
{
    if (strcmp(remembered.log.name, checkpoint->origin) == 0)
        return;
    witness_state_release(&remembered.state);
    vkey_make(&remembered.log, slice_of(checkpoint->origin), VKEY_SIGNER, world.key);
    remembered.forgotten = false;
}

static void add_dice(const struct person *me, const struct witness_request *request,
                     const struct witness_ruling *ruling, struct witness_answer *answer)
{
    for (size_t i = 0; ruling->status == 200 && i < request->closes; i++) {
        const struct log_entry *close = &request->close[i].entry;
        struct witness_dice *dice = &answer->dice[answer->count++];
        struct str input = STR_INIT;
        unsigned char beta[VRF_OUTPUT];
        *dice = (struct witness_dice){.turn = close->turn, .given = ruling->dice[i]};
        memcpy(dice->name, close->name, sizeof dice->name);
        memcpy(dice->no, ruling->no[i], sizeof dice->no);
        witness_dice_input(&input, &remembered.log, close);
        MUST(vrf_prove(dice->proof, beta, me->vrf_secret, me->vrf_public, slice_str(&input)), "no dice");
        str_release(&input);
    }
}

/* Answers as `turnpost witness` does, but for some days on which they read no mail. A league that a copy has set back shows another log than
 * it did, and gets no answer. */
static void testify(struct person *me, const struct ours *ours)
{
    struct witness_request request = {.closes = 0};
    struct witness_ruling ruling;
    struct witness_answer answer = {.count = 0};
    struct err err = ERR_INIT;
    struct str said = STR_INIT, armor = STR_INIT, text = STR_INIT, signature = STR_INIT;
    char event[60];
    struct dice luck = dice("witness %s %lld", ours->id, ours->again),
                away = dice("witness is away %lld", (long long)(now() / (5 * 86400)));
    MUST_DO(witness_request_parse(slice_str(&ours->asked), &request, &err), err);
    know_log(&request.checkpoint);
    if (!chance(&away, 150) && !chance(&luck, 100) && decide(event, me, "witness", ours)) {
        witness_decide(&remembered.state, &remembered.log, &request, now(), &ruling);
        MUST(ruling.status == 200 || ruling.status == 409 || remembered.forgotten, "to a witness: %d",
             ruling.status);
        struct checkpoint checkpoint = {.size = remembered.state.size, .root = remembered.state.root};
        (void)snprintf(checkpoint.origin, sizeof checkpoint.origin, "%s", remembered.log.name);
        if (!checkpoint.size)
            tree_empty(&checkpoint.root);
        checkpoint_text(&text, &checkpoint);
        note_cosign(&signature, slice_str(&text), &me->vkey, me->cosigner.key, now());
        answer.size = checkpoint.size;
        answer.signatures = slice_str(&signature);
        answer.dice = calloc(WITNESS_CLOSES, sizeof *answer.dice);
        add_dice(me, &request, &ruling, &answer);
        witness_answer_write(&said, &answer);
        armored_write(&armor, WITNESS_ANSWER, slice_str(&said));
        remembered.answered = now();
        if (ruling.status == 200 || ruling.status == 409)
            write_mail(me, event, armor.p, NULL);
    }
    witness_answer_release(&answer);
    witness_request_release(&request);
    str_release(&said);
    str_release(&armor);
    str_release(&text);
    str_release(&signature);
}

/* What a mail of ours says of theirs, which the judge holds against the journals. */
static void believe(struct written *mail, const struct ours *ours)
{
    enum { COUNTS, CHANGED_NOTHING, TOO_LATE };
    static const struct {
        const char *subject, *words;
        int what; /* COUNTS: it is in a journal then */
    } rows[] = {{"] We have your orders for turn", "", COUNTS},
                {"] We have your standing orders", "", COUNTS},
                {"] Your orders for turn", " are final", COUNTS},
                {"] Turn ", " waits for you", COUNTS},
                {"", "nothing has been changed by your mail", CHANGED_NOTHING},
                {"", "Nothing has been changed by your mail", CHANGED_NOTHING},
                {"", "came too late: turn", TOO_LATE}};
    /* A copy of a mail that counted, by a key that was dropped since, or of somebody who was erased, is a stranger's. */
    const bool stranger = says(ours->flat.p, "a key that the league does not know") ||
                          says(ours->flat.p, "No player is known here by the address");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((rows[i].what == COUNTS && ours->subject[0] != '[') ||
            (*rows[i].subject && !says(ours->subject, rows[i].subject)) ||
            (*rows[i].words && !says(ours->subject, rows[i].words) && !says(ours->flat.p, rows[i].words)))
            continue;
        if (world.verbose)
            tell("of %s is said: %s | %s", mail->id, ours->subject, ours->flat.p);
        counted->receipts += rows[i].what == COUNTS && !mail->received;
        mail->received |= rows[i].what == COUNTS;
        mail->unchanged |= rows[i].what == CHANGED_NOTHING && !stranger;
        mail->late |= rows[i].what == TOO_LATE;
        mail->heard = now();
        (void)snprintf(mail->said, sizeof mail->said, "%.60s", ours->subject);
    }
}

void people_forget(int64_t since)
{
    remembered.forgotten |= remembered.answered >= since;
    for (size_t i = 0; i < written_count; i++)
        if (written[i].heard >= since)
            written[i].received = written[i].unchanged = written[i].late = false;
}

/* The registry's journal knows by heart whose file cannot be read: their mails wait, and they are no strangers. */
static void judge_stranger(const struct person *me, const struct written *mail, const struct ours *ours)
{
    const int64_t from = me->spoilt < SPOILT_MOST ? me->spoilt_from[me->spoilt] : 0;
    MUST(!world.spoilt || !me->reached || !from || mail->at < from || HAD(F_restore) || world.on[F_slips] ||
             !says(ours->flat.p, "No player is known here by the address"),
         "%s, whose file cannot be read, is told to be unknown (%s)", me->name, mail->id);
}

/* An answer to a mail of theirs. */
static void hear(const struct person *me, const struct ours *ours)
{
    char ref[200];
    if (!mail_field(ours->raw, "In-Reply-To", ref, sizeof ref))
        return;
    for (size_t i = written_count; i-- > 0;) {
        size_t len = strlen(written[i].id);
        if (strncmp(ref + 1, written[i].id, len) != 0 || ref[1 + len] != '>')
            continue;
        believe(&written[i], ours);
        judge_stranger(me, &written[i], ours);
        return;
    }
}

static void take_news(struct person *me, const struct ours *ours)
{
    if (says(ours->subject, "Welcome, ") == ours->subject)
        me->player = true;
    if (says(ours->subject, "You have left ") == ours->subject) {
        me->gone = true;
        me->player = false;
    }
    const bool changed = says(ours->subject, "The keys of ") == ours->subject;
    struct str print = STR_INIT;
    add_key(&print, me, &me->spare, false);
    if (me->has_spare && strstr(ours->flat.p, print.p) && (changed || says(ours->flat.p, " is in force: "))) {
        me->had_key = me->keyed;
        me->old = me->key;
        me->key = me->spare;
        me->keyed = true;
        me->has_spare = false;
    }
    str_release(&print);
    if (says(ours->subject, "Where your mail goes") == ours->subject)
        line_of(ours->flat.p, "Your addresses are now: ", me->address, sizeof me->address);
    if (changed && says(ours->flat.p, "There is no key any more"))
        me->keyed = false;
    if (*ours->game && !strchr(ours->game, ' '))
        (void)snprintf(me->game, sizeof me->game, "%s", ours->game);
    if (says(ours->flat.p, "Seats are free in"))
        line_of(says(ours->flat.p, "Seats are free in"), "as in \"join ", me->free, sizeof me->free);
    if (says(ours->flat.p, "Seats are free in") && !*me->free)
        line_of(ours->flat.p, "or send \"join ", me->free, sizeof me->free);
    me->free[strcspn(me->free, "\"")] = '\0';
}

/* "register", with the key as its tool wrote it; the answer has a text that is to be signed. `token`: an invitation, or NULL. */
static void paste_key(struct person *me, const char *event, const char *token)
{
    struct str text = STR_INIT;
    str_addf(&text, "register %s\n", me->name);
    add_key(&text, me, &me->key, true);
    if (token)
        str_addf(&text, "\ninvite: %.*s", (int)strcspn(token, ".@"), token);
    write_mail(me, event, text.p, NULL);
    str_release(&text);
}

/* Who is invited comes without a key, or pastes it; some have one later. */
static void accept(struct person *me, const struct ours *ours)
{
    char event[60], text[40];
    const char *token = says(ours->to, "invite.");
    struct dice luck = dice("come %s", ours->id);
    if (me->player || !decide(event, me, "come", ours))
        return;
    if (me->keyed && token && chance(&luck, 500)) {
        paste_key(me, event, token + strlen("invite."));
        return;
    }
    if (chance(&luck, 80)) {
        write_mail(me, event, "stop", NULL);
        return;
    }
    me->keyed = false;
    (void)snprintf(text, sizeof text, "register %s", me->name);
    write_mail(me, event, text, ours);
}

static void read_mail(struct person *me, const struct str *raw, bool again)
{
    struct ours ours;
    read_ours(raw, &ours);
    ours.again = again ? (long long)now() / 86400 : 0;
    if (!again && json_object_get(me->seen, ours.id)) {
        release_ours(&ours);
        return;
    }
    json_object_set_new(me->seen, ours.id, json_true());
    tell("%s reads %s (to %s) %s", me->name, ours.subject, ours.to, ours.id);
    if (!again)
        hear(me, &ours);
    take_news(me, &ours);
    if (ours.asked.len && me->witness && !world.calm)
        testify(me, &ours);
    if (!world.calm && says(ours.subject, "You are invited") == ours.subject)
        accept(me, &ours);
    bool asks = world.calm  ? false
                : me->keyed ? says(ours.text.p, "#turnpost orders\n") != NULL
                            : strchr(ours.to, '+') != NULL;
    if (world.calm || answer(me, &ours) || !me->player || !*ours.game)
        asks = false;
    if (asks)
        order(me, &ours);
    for (size_t i = 0; !world.calm && me->player && *ours.game && i < ACTS; i++)
        if ((acts[i].when == ORDERS && asks) || (acts[i].when == GAME && *ours.head) ||
            (acts[i].when == RULES && me->rules && *ours.head))
            do_act(me, &acts[i], &ours);
    release_ours(&ours);
}

/* ---- coming into the league ---- */

static void come(struct person *me, int number)
{
    static const char *const names[PEOPLE_MOST] = {"anna", "bert", "carl", "dora",
                                                   "emil", "fred", "gina", "hugo"};
    struct dice luck = dice("person %s", names[number]);
    me->rules = world.on[F_rules] && number + 1 == world.people;
    me->witness = world.on[F_witness] && !me->rules && number + 1 + world.on[F_rules] == world.people;
    const char *name = me->rules ? "mona" : me->witness ? "wilma" : names[number];
    (void)snprintf(me->name, sizeof me->name, "%s", name);
    (void)snprintf(me->address, sizeof me->address, "%s@%s.test", name, number % 3 == 2 ? "post" : "mail");
    me->keyed = me->rules || me->witness || (world.on[F_keyed] && (!world.on[F_keyless] || number % 2 == 0));
    me->seen = json_object();
    me->zeal = 600 + roll(&luck, 400);
    me->signify = !me->rules && !me->witness && chance(&luck, 250);
    if (me->keyed)
        secret_new(&me->key);
    if (me->witness) {
        vrf_keygen(me->vrf_secret, me->vrf_public);
        secret_new(&me->cosigner);
        vkey_make(&me->vkey, slice_of("mail.test/wilma"), VKEY_COSIGNER, me->cosigner.point);
    }
}

void people_new_key(struct person *person, struct str *out)
{
    if (!person->has_spare)
        secret_new(&person->spare);
    person->has_spare = true;
    add_key(out, person, &person->spare, true);
}

void people_begin(void)
{
    for (int i = 0; i < world.people; i++)
        come(&world.person[i], i);
}

static void apply(struct person *me)
{
    char event[60];
    struct str text = STR_INIT;
    struct dice none = {0}, luck = dice("register %s", me->name);
    if (world.on[F_invited] || !decide(event, me, "register", NULL))
        return;
    if (me->keyed && chance(&luck, 400)) {
        paste_key(me, event, NULL);
    } else if (me->keyed) {
        (void)fill_in(&text, "#turnpost register\n" LEAGUE "name: {me}\n", me, NULL, &none);
        str_addf(&text, "address: %s\nkey: ", me->address);
        add_key(&text, me, &me->key, true);
        str_adds(&text, "\n#end\n");
        sign_mail(me, event, text.p, "");
    } else {
        str_addf(&text, "register %s", me->name);
        write_mail(me, event, text.p, NULL);
    }
    str_release(&text);
}

void people_act(void)
{
    bool morning =
        world.round == 1 || world.round * world.minutes / 1440 != (world.round - 1) * world.minutes / 1440;
    for (int p = 0; p < world.people; p++) {
        struct person *me = &world.person[p];
        for (; me->read < me->count; me->read++) {
            if (me->mails[me->read].own)
                continue;
            struct str raw;
            post_read(&me->mails[me->read], &raw);
            read_mail(me, &raw, false);
            str_release(&raw);
        }
        if (!morning || world.calm)
            continue;
        if (!me->player && !me->gone && !me->rules)
            apply(me);
        for (size_t i = 0; me->player && i < ACTS; i++)
            if (acts[i].when == DAY)
                do_act(me, &acts[i], NULL);
        struct dice luck = dice("stale %s %ld", me->name, world.round);
        const size_t back = 1 + roll(&luck, 12);
        if (world.on[F_stale] && me->player && chance(&luck, 200) && me->count > back &&
            !me->mails[me->count - back].own) {
            struct str raw; /* an older mail is answered, perhaps once more */
            post_read(&me->mails[me->count - back], &raw);
            read_mail(me, &raw, true);
            str_release(&raw);
        }
    }
}
