/* Every text that can be sent to a league, one row each, in a league where each of them is right: for suites
 * that try all of them. A petition without a row fails (each_petition_has_a_row). */
#ifndef TESTS_HOUSE_ROWS_H
#define TESTS_HOUSE_ROWS_H

#include <sys/stat.h>

#include "house/compete.h"
#include "house/house.h"
#include "house/watcher.h"

#include "game/witness.h"
#include "petitions/petition.h"
#include "petitions/rekey.h"
#include "petitions/requests.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct str word, key, print; /* what replaces $word, $key and $print in a row */
static bool rows_by_mail;           /* their games take the word of mail domains */

struct row {
    const char *verb, *who;
    void (*prepare)(void);
    const char *good, *good_words;   /* the lines between "#turnpost verb" and "#end" */
    const char *wrong, *wrong_words; /* somebody else who signs the valid text; "nemo" = a stranger */
    const char *half, *half_words;
    const char *late, *late_words; /* NULL = it cannot come too late */
    enum {
        IN_GAME,
        ANYWHERE, /* it names no game */
        ASKS      /* as it should be it changes nothing, and may be said again */
    } kind;
};

static const char *const anna_bob[] = {"anna", "bob"};
static const char *const anna_free[] = {"anna", NULL, NULL};

static void said(const char *who, const char *text)
{
    (void)house_signed(&house, who, who, text);
    house_empty_spool(&house);
}

static void game_of(const char *id, int seats, const char *const *names)
{
    house_game_of(&house,
                  (struct new_game){.id = id,
                                    .ruleset = ruleset_newest("galaxy-command"),
                                    .seats = seats,
                                    .clock = house.clock,
                                    .press = PRESS_GREY,
                                    .by_mail = rows_by_mail,
                                    .missed_standby = 2,
                                    .missed_robot = 9},
                  names);
    house_empty_spool(&house);
}

/* Three games: gc-1 in turn 2, gc-2 that has not begun, gc-3 that is over. */
static void begin_games(void)
{
    static struct schedule clock;
    schedule_init(&clock);
    clock.length = 3 * DAY;
    house.clock = &clock;
    game_of("gc-1", 2, anna_bob);
    game_of("gc-2", 3, anna_free);
    game_of("gc-3", 2, anna_bob);
    said("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    said("bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    said("anna", "#turnpost resign\ngame: gc-3\n#end\n");
    said("bob", "#turnpost resign\ngame: gc-3\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert(house_find(&house, "gc-3")->over);
}

/* A league with these games, where Mona moderates; `people` are those of an earlier league, who have the same
 * keys here, or NULL. */
static void begin_league(const struct house *people)
{
    struct pubkey point;
    house_open(&house);
    if (people) {
        memcpy(house.person, people->person, sizeof house.person);
        house.people = people->people;
        house.mails = people->mails;
    }
    house_option(&house, "[league]", "moderators = mona\nregistration = invite\nplayer_games = 3");
    if (rows_by_mail)
        house_option(&house, "[league]", "trust = mail");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_option(&house, "[limits]", "stranger_replies = 100");
    house_restart(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_player(&house, "mona");
    (void)house_person(&house, "nemo");
    begin_games();
    str_clear(&word); /* a suite may begin more than one league */
    str_clear(&key);
    str_clear(&print);
    secret_public(house_person(&house, "new"), &point);
    pubkey_format(&key, &point);
    char text[KEY_FINGERPRINT];
    pubkey_fingerprint(text, &point);
    str_adds(&print, text);
}

static void end(void)
{
    str_release(&word);
    str_release(&key);
    str_release(&print);
    house_close(&house);
}

/* Leagues are dear in the sanitizer build: it has a third of the rows. */
static bool is_left_out(int i)
{
#ifdef __SANITIZE_ADDRESS__
    return i % 3 && !getenv("LONG");
#else
    (void)i;
    return false;
#endif
}

/* ---- what has to be there first ---- */

static void an_invitation(void)
{
    struct str mails;
    (void)house_signed(&house, "mona", "mona", "#turnpost invite\nseq: 9\n#end\n");
    ck_assert_int_eq(house_mails(&house, "mona", &mails), 1);
    const char *at = strstr(mails.p, "invite: ");
    ck_assert_ptr_nonnull(at);
    str_addf(&word, "%.26s", at + 8);
    str_release(&mails);
    house_empty_spool(&house);
}

/* And the address is proved. */
static void a_proved_address(void)
{
    struct str mails, text = STR_INIT;
    an_invitation();
    str_addf(&text, "#turnpost register\nname: nemo\ninvite: %s\n#end\n", word.p);
    (void)house_signed(&house, "nemo", "nemo", text.p);
    ck_assert_int_eq(house_mails(&house, "nemo", &mails), 1);
    const char *at = strstr(mails.p, "confirm: ");
    ck_assert_ptr_nonnull(at);
    str_addf(&word, "\n%.35s", at);
    str_release(&mails);
    str_release(&text);
    house_empty_spool(&house);
}

/* Anna has not played for two turns, and Carl would. */
static void an_offer(void)
{
    said("carl", "#turnpost standby\ngame: gc-1\n#end\n");
    for (int turn = 2; turn < 4; turn++) {
        char text[100];
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-1\nturn: %d\nbide\n#end\n", turn);
        said("bob", text);
        house_clock(&house, house_find(&house, "gc-1")->clock.deadline);
    }
    house_empty_spool(&house);
    ck_assert_str_eq(house_find(&house, "gc-1")->seat[1].offered, "carl");
}

static void a_stand_in(void)
{
    an_offer();
    said("carl", "#turnpost take\ngame: gc-1\nturn: 4\nseat: 1\n#end\n");
    ck_assert_str_eq(house_find(&house, "gc-1")->seat[1].player, "carl");
}

static void an_observer(void)
{
    said("carl", "#turnpost observe\ngame: gc-1\n#end\n");
}

static void a_mute(void)
{
    said("anna", "#turnpost mute\nplayer: bob\n#end\n");
}

static void a_second_key(void)
{
    struct str text = STR_INIT;
    struct str body = STR_INIT;
    str_addf(&body, "#turnpost key\nplayer: anna\nadd: %s\n#end\n", print.p);
    house_headed(&house, body.p, &text);
    str_clear(&body);
    str_addslice(&body, slice_str(&text));
    sshsig_sign(&body, house_key(&house, "anna")->key, NS_ORDERS, slice_str(&text));
    sshsig_sign(&body, house_key(&house, "new")->key, NS_ORDERS, slice_str(&text));
    (void)house_mail(&house, "anna", "key", body.p);
    house_told(&house, "anna", 1, "added");
    str_release(&text);
    str_release(&body);
}

static void a_wrong_rekey(void)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost rekey\nplayer: anna\nkey: %s\nwhy: lost\n#end\n", key.p);
    said("mona", text.p);
    str_release(&text);
}

/* The deal of gc-4 waits for Carl's dice. */
/* Anna has her seat to the end. */
static void a_void_game(void)
{
    game_of("gc-4", 2, anna_bob);
    said("mona", "#turnpost moderate\ngame: gc-4\nturn: 1\ndo: void\nreason: a storm\n#end\n");
    ck_assert(house_find(&house, "gc-4")->over);
}

/* For three days: all are told. */
static void a_silent_witness(void)
{
    struct new_game how = {.id = "gc-4",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = DAY,
                           .by_mail = rows_by_mail};
    struct watcher watcher;
    watcher_new(&watcher, "wanda");
    watcher_named(&how.witnesses, &watcher);
    how.witnesses.log = league_log_policy(house.batch.tlog)->log[0].key;
    house_game_of(&house, how, anna_bob);
    house_clock(&house, house.now + WITNESS_LATE + 60);
    ck_assert(house_find(&house, "gc-4")->witnesses.late);
    house_empty_spool(&house);
}

/* Its number replaces $word. */
static void an_appeal(void)
{
    said("anna", "#turnpost appeal\ngame: gc-1\nturn: 1\nMy ships were lost.\n#end\n");
    str_addf(&word, "%lld", (long long)house_find(&house, "gc-1")->seq);
}

/* Entries for spring are open, and its players have to confirm; those for autumn have ended. */
static void competitions(void)
{
    static const struct new_competition how = {.seats = 2};
    struct new_competition spring = how;
    spring.by_mail = rows_by_mail;
    spring.confirm_until = house.now + 7 * DAY;
    house_compete(&house, "spring", "galactic-contract", 2, spring);
    house.now -= 8 * DAY - 60;
    spring.confirm_until = house.now + 7 * DAY;
    house_compete(&house, "autumn", "galactic-contract", 1, spring);
    house.now += 8 * DAY - 60;
}

static void an_entrant(void)
{
    competitions();
    house_entry(&house, "spring", "enter", "anna");
    house_empty_spool(&house);
}

/* ---- the rows ---- */

#define STRANGER  "nemo", "key that the league does not know"
#define NO_SEAT   "carl", "have no seat in game gc-1"
#define NOT_BEGUN "game: gc-2\n", "has not begun"
#define ZEROS     "0000000000000000000000000000000000000000000000000000000000000000"
#define IS_OVER   "game: gc-3\n", "Game gc-3 is over"

static const struct row rows[] = {
    {"orders", "anna", NULL, "game: gc-1\nturn: 2\nbide\n", "We have your", NO_SEAT, "game: gc-1\nbide\n",
     "put the line \"turn: 2\"", "game: gc-1\nturn: 1\nbide\n", "came too late", IN_GAME},
    {"register", "nemo", a_proved_address, "name: nemo\ninvite: $word\n", "You are registered", "anna",
     "registered already", "invite: $word\n", "by which name you want to play",
     "name: nemo\ninvite: aaaaaaaaaaaaaaaaaaaaaaaaaa\n", "has expired", ANYWHERE},
    {"join", "carl", NULL, "game: gc-2\nnonce: x7\n", "You are in", "anna", "You are in: ", "",
     "does not name its game", IS_OVER, IN_GAME},
    {"leave", "anna", NULL, "game: gc-2\n", "You have given up", "carl", "You have no seat", "",
     "does not name its game", "game: gc-1\n", "has begun", IN_GAME},
    {"resign", "anna", NULL, "game: gc-1\n", "You have resigned", NO_SEAT, "", "does not name its game",
     "game: gc-3\n", "You have no seat in game gc-3", IN_GAME},
    {"standby", "carl", NULL, "game: gc-1\n", "You are on the waiting list", "anna", "You have a seat", "",
     "does not say where", IS_OVER, IN_GAME},
    {"standby", "carl", NULL, "game: any\n", "for any game", STRANGER, "game: any\ncancel: perhaps\n",
     "takes yes or no", NULL, NULL, ANYWHERE},
    {"take", "carl", an_offer, "game: gc-1\nturn: 4\nseat: 1\n", "is yours", "mona", "not offered to you",
     "game: gc-1\nturn: 4\n", "takes the number of the seat", "game: gc-1\nturn: 3\nseat: 1\n",
     "is in turn 4 now", IN_GAME},
    {"back", "anna", a_stand_in, "game: gc-1\nturn: 4\n", "is yours again", "mona",
     "that you could take back", "game: gc-1\n", "put in the line \"turn: 4\"", "game: gc-1\nturn: 3\n",
     "is in turn 4 now", IN_GAME},
    {"observe", "carl", NULL, "game: gc-1\n", "you get the public report", "anna", "You have a seat", "",
     "does not name its game", IS_OVER, IN_GAME},
    {"unobserve", "carl", an_observer, "game: gc-1\n", "You get no more reports", "mona",
     "You are not an observer", "", "does not name its game", IS_OVER, IN_GAME},
    {"press", "anna", NULL, "game: gc-1\nturn: 2\nto: bob\nHello\n", "is on its way", NO_SEAT,
     "game: gc-1\nturn: 2\nto: bob\n", "The message is empty", "game: gc-1\nturn: 1\nto: bob\nHello\n",
     "is in turn 2 now", IN_GAME},
    {"mute", "anna", NULL, "player: bob\n", "are not delivered to you", STRANGER, "", "does not say whom",
     NULL, NULL, IN_GAME},
    {"unmute", "anna", a_mute, "player: bob\n", "are delivered to you again", STRANGER, "",
     "does not say whom", NULL, NULL, IN_GAME},
    {"mute", "anna", NULL, "game: gc-1\nplayer: bob\n", "are not delivered to you", STRANGER, "game: gc-1\n",
     "does not say whom", NULL, NULL, IN_GAME},
    {"prefs", "anna", NULL, "json: yes\n", "Your settings", STRANGER, "", "nothing to change", NULL, NULL,
     ANYWHERE},
    {"key", "anna", a_second_key, "player: anna\nrevoke: $print\n", "revoked", "bob", "your own keys only",
     "player: anna\n", "names no key", NULL, NULL, ANYWHERE},
    {"veto", "anna", a_wrong_rekey, "player: anna\n", "has said no to the new key", "bob",
     "your own keys only", "player: !\n", "takes a name", NULL, NULL, ANYWHERE},
    {"rekey", "mona", NULL, "player: anna\nkey: $key\nwhy: lost\n", "It comes into force", "anna",
     "Only the moderators", "player: anna\nkey: $key\n", "and why", NULL, NULL, ANYWHERE},
    {"invite", "mona", NULL, "", "Pass this on", "anna", "only the operator invites", NULL, NULL, NULL, NULL,
     ANYWHERE},
    {"extend", "anna", NULL, "game: gc-1\nturn: 2\nhours: 12\n", "The deadline moves when", NO_SEAT,
     "game: gc-1\nturn: 2\n", "by how much", "game: gc-1\nturn: 1\nhours: 12\n", "is in turn 2 now", IN_GAME},
    {"appeal", "anna", NULL, "game: gc-1\nturn: 1\nMy ships were lost.\n",
     "of the journal. Its words are sealed", NO_SEAT, "game: gc-1\nMy ships were lost.\n",
     "which turn it is about", "game: gc-1\nturn: 7\nMy ships were lost.\n", "has had no turn 7", IN_GAME},
    {"ruling", "mona", an_appeal, "game: gc-1\nappeal: $word\nAll is well.\n", "All is well.", "anna",
     "Only the moderators", "game: gc-1\nappeal: $word\n", "The ruling is empty",
     "game: gc-1\nappeal: 1\nAll is well.\n", "is not an appeal", IN_GAME},
    {"moderate", "mona", NULL, "game: gc-1\nturn: 2\ndo: pause\nreason: ill\n", "paused the game", "anna",
     "Only the moderators", "game: gc-1\nturn: 2\ndo: pause\n", "reason",
     "game: gc-1\nturn: 1\ndo: pause\nreason: ill\n", "is in turn 2 now", IN_GAME},
    {"moderate", "mona", NULL, "do: ban bob\nreason: spam\n", "has banned bob", "anna", "Only the moderators",
     "do: ban bob\n", "reason", NULL, NULL, ANYWHERE},
    {"preview", "mona", NULL, "game: gc-1\nturn: 2\n", "would give", "anna", "Only the moderators", "",
     "does not name its game", "game: gc-1\nturn: 1\n", "is in turn 2 now", ASKS},
    {"unwitness", "anna", a_silent_witness, "game: gc-4\nturn: 0\n", "One more player has to want it", "carl",
     "You have no seat in game gc-4", "game: gc-4\n", "does not say in which turn it was written",
     "game: gc-4\nturn: 1\n", "is in turn 0 now", IN_GAME},
    {"resend", "anna", NULL, "game: gc-1\n", "WHAT HAPPENED IN TURN 1", "carl",
     "You have no seat in game gc-1", NULL, NULL, "game: gc-1\nturn: 7\n", "has not been played yet", ASKS},
    {"open", "anna", NULL, "name: fresh\nruleset: galaxy-command\nseats: anna, robot\n", "is kept for you",
     STRANGER, "name: fresh\n", "needs a ruleset", NULL, NULL, ANYWHERE},
    {"rematch", "anna", a_void_game, "game: gc-4\n", "to be played again, with the same people", STRANGER,
     "game: gc-1\n", "is still being played", NULL, NULL, IN_GAME},
    {"journal", "anna", NULL, "game: gc-3\n", "is attached", STRANGER, "game: gc-1\n",
     "is still being played", NULL, NULL, ASKS},
    {"erase", "carl", NULL, "player: carl\n", "no player of this league any more", "bob",
     "put in the line \"player: bob\"", "", "put in the line \"player: carl\"", NULL, NULL, ANYWHERE},
    {"publish", "anna", NULL, "game: gc-3\n", "tar xf gc-3.published.tar", STRANGER, "game: gc-1\n",
     "is still being played", NULL, NULL, ASKS},
    {"enter", "anna", competitions, "competition: spring\n", "You are in, anna", STRANGER,
     "competition: sprung\n", "did you mean \"competition: spring\"", "competition: autumn\n",
     "Entries for the competition autumn are closed", ANYWHERE},
    {"withdraw", "anna", an_entrant, "competition: spring\n", "You have withdrawn", "bob",
     "You are not in the competition spring", "", "does not name its competition", NULL, NULL, ANYWHERE},
    {"confirm", "anna", an_entrant, "competition: spring\n", "You have confirmed", "bob",
     "You are not in the competition spring", "competition: summer\n", "There is no competition \"summer\"",
     NULL, NULL, ANYWHERE},
    {"vacation", "anna", NULL, "from: 2026-12-20\nto: 2026-12-27\n", "Your time off is noted", STRANGER,
     "from: 2026-12-20\n", "\"to:\" takes a day", "from: 2026-11-01\nto: 2026-11-03\n", "in the past",
     ANYWHERE},
};
#define ROWS ((int)(sizeof rows / sizeof *rows))

/* ---- helpers ---- */

/* All files below a folder, in whatever order, into the digest: names and bytes. */
static void add_below(const char *path, unsigned char sum[32])
{
    struct err err = ERR_INIT;
    struct file_names names;
    ck_ok(file_list(path, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        char *full = path_join(path, names.name[i]);
        struct str bytes = STR_INIT;
        struct stat st;
        unsigned char one[32];
        ck_assert_int_eq(lstat(full, &st), 0);
        if (S_ISDIR(st.st_mode)) {
            add_below(full, sum);
        } else if (strcmp(names.name[i], "state.json") != 0) {
            str_adds(&bytes, full);
            str_addc(&bytes, '\n');
            ck_ok(file_read(full, (size_t)64 << 20, &bytes, &err), err);
            crypto_generichash(one, sizeof one, (const unsigned char *)bytes.p, bytes.len, NULL, 0);
            for (size_t k = 0; k < sizeof one; k++)
                sum[k] ^= one[k];
        }
        str_release(&bytes);
        free(full);
    }
    file_names_free(&names);
}

/* Everything that matters: journals, players, keys, words that are waited for. */
static void snapshot(struct str *out)
{
    static const char *const folders[] = {"games", "competitions", "registry", "players", "keys", "tokens"};
    unsigned char sum[32] = {0};
    str_clear(out);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        char *path = path_join(house.dir, folders[i]);
        if (file_exists(path))
            add_below(path, sum);
        free(path);
    }
    hex_encode(out, sum, sizeof sum);
}

static void fill(struct str *out, const char *verb, const char *lines)
{
    static const struct {
        const char *mark;
        const struct str *value;
    } marks[] = {{"$word", &word}, {"$key", &key}, {"$print", &print}};
    str_clear(out);
    str_addf(out, "#turnpost %s\n", verb);
    while (*lines) {
        size_t i = 0;
        while (i < 3 && !str_starts(lines, marks[i].mark))
            i++;
        if (i < 3) {
            str_addslice(out, slice_str(marks[i].value));
            lines += strlen(marks[i].mark);
        } else {
            str_addc(out, *lines++);
        }
    }
    str_adds(out, "#end\n");
}

/* Is its record about a game? Then the text names that game, and its head. */
static inline bool names_game(const struct row *row)
{
    return strstr(row->good, "game: gc-") != NULL;
}

/* Has the text to say on which day it was written? */
static inline bool has_date(const struct row *row)
{
    const struct petition *petition = petition_find(row->verb);
    return petition && row->kind != ASKS && (!names_game(row) || (petition->needs & PETITION_REGISTRY));
}

START_TEST(each_petition_has_a_row)
{
    for (int i = 0; petitions[i]; i++) {
        int row = 0;
        while (row < ROWS && strcmp(rows[row].verb, petitions[i]->verb) != 0)
            row++;
        ck_assert_msg(row < ROWS, "tests/house/rows.h has no row for \"#turnpost %s\"", petitions[i]->verb);
    }
}
END_TEST

#endif
