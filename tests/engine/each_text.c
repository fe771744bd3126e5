/* Every text that can be sent to a league, one row each: unsigned, signed by the wrong person, for a game
 * that is none, half filled in, too late: each time one helpful answer, in its thread, and not a byte
 * changes. Then as it should be, which counts; and once more, which does not. A petition without a row fails.
 */
#include "engine/house.h"

#include "engine/petition.h"
#include "engine/rekey.h"
#include "engine/requests.h"

#define DAY ((int64_t)86400)

static struct house house;
static struct str word, key, print; /* what stands for $word, $key and $print in a row */

struct row {
    const char *verb, *who;
    void (*prepare)(void);
    const char *good, *good_words;   /* the lines between "#turnpost verb" and "#end" */
    const char *wrong, *wrong_words; /* somebody else who signs the good text; "nemo" = a stranger */
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
                                    .ruleset = ruleset_find("galaxy-command"),
                                    .seats = seats,
                                    .clock = house.clock,
                                    .press = PRESS_GREY,
                                    .missed_standby = 2,
                                    .missed_robot = 9},
                  names);
    house_empty_spool(&house);
}

/* Three games: gc-1 in turn 2, gc-2 that has not begun, gc-3 that is over; Mona moderates. */
static void begin(void)
{
    static struct schedule clock;
    struct pubkey point;
    house_open(&house);
    house_option(&house, "[league]", "moderators = mona\nregistration = invite");
    house_option(&house, "[clock]", "valve = 100\nreminder = 0");
    house_restart(&house);
    schedule_init(&clock);
    clock.length = 3 * DAY;
    house.clock = &clock;
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carl");
    house_player(&house, "mona");
    (void)house_person(&house, "nemo");
    game_of("gc-1", 2, anna_bob);
    game_of("gc-2", 3, anna_free);
    game_of("gc-3", 2, anna_bob);
    said("anna", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    said("bob", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    said("anna", "#turnpost resign\ngame: gc-3\n#end\n");
    said("bob", "#turnpost resign\ngame: gc-3\n#end\n");
    ck_assert_int_eq(house_find(&house, "gc-1")->turn, 2);
    ck_assert(house_find(&house, "gc-3")->over);
    str_init(&word);
    str_init(&key);
    str_init(&print);
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
        house_clock(&house, house_find(&house, "gc-1")->deadline);
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
static void a_silent_witness(void)
{
    struct new_game how = {
        .id = "gc-4", .ruleset = ruleset_find("galaxy-command"), .seats = 2, .turn_length = DAY};
    struct new_witness *witness = &how.witness[how.witness_count++];
    unsigned char secret[VRF_SECRET];
    vrf_keygen(secret, witness->vrf);
    witness->player = "carl";
    witness->key_count = keyring_of(&house.batch.keyring, "carl", witness->keys);
    house_game_of(&house, how, anna_bob);
    house_empty_spool(&house);
}

/* Its number stands for $word. */
static void an_appeal(void)
{
    said("anna", "#turnpost appeal\ngame: gc-1\nturn: 1\nMy ships were lost.\n#end\n");
    str_addf(&word, "%lld", (long long)house_find(&house, "gc-1")->seq);
}

/* ---- the rows ---- */

#define STRANGER  "nemo", "key that the league does not know"
#define NO_SEAT   "carl", "have no seat in game gc-1"
#define NOT_BEGUN "game: gc-2\n", "has not begun"
#define ZEROS     "0000000000000000000000000000000000000000000000000000000000000000"
#define IS_OVER   "game: gc-3\n", "Game gc-3 is over"

static const struct row rows[] = {
    {"orders", "anna", NULL, "game: gc-1\nturn: 2\nbide\n", "have been taken up", NO_SEAT,
     "game: gc-1\nbide\n", "put the line \"turn: 2\"", "game: gc-1\nturn: 1\nbide\n", "came too late",
     IN_GAME},
    {"register", "nemo", a_proved_address, "name: nemo\ninvite: $word\n", "You are registered", "anna",
     "registered already", "invite: $word\n", "by which name you want to play",
     "name: nemo\ninvite: aaaaaaaaaaaaaaaaaaaaaaaaaa\n", "has expired", ANYWHERE},
    {"join", "carl", NULL, "game: gc-2\nnonce: x7\n", "You are in", "anna", "You have a seat", "",
     "does not name its game", IS_OVER, IN_GAME},
    {"leave", "anna", NULL, "game: gc-2\n", "You have given up", "carl", "You have no seat", "",
     "does not name its game", "game: gc-1\n", "has begun", IN_GAME},
    {"resign", "anna", NULL, "game: gc-1\n", "You have resigned", NO_SEAT, "", "does not name its game",
     "game: gc-3\n", "You have no seat in game gc-3", IN_GAME},
    {"standby", "carl", NULL, "game: gc-1\n", "You are on the standby list", "anna", "You have a seat", "",
     "does not say where", IS_OVER, IN_GAME},
    {"take", "carl", an_offer, "game: gc-1\nturn: 4\nseat: 1\n", "is yours", "mona", "not offered to you",
     "game: gc-1\nturn: 4\n", "takes the number of the seat", "game: gc-1\nturn: 3\nseat: 1\n",
     "is in turn 4 now", IN_GAME},
    {"back", "anna", a_stand_in, "game: gc-1\nturn: 4\n", "is yours again", "mona",
     "that you could take back", "game: gc-1\n", "put in the line \"turn: 4\"", "game: gc-1\nturn: 3\n",
     "is in turn 4 now", IN_GAME},
    {"observe", "carl", NULL, "game: gc-1\n", "you get the public report", "anna", "You have a seat", "",
     "does not name its game", IS_OVER, IN_GAME},
    {"unobserve", "carl", an_observer, "game: gc-1\n", "You get no more reports", "mona",
     "You are no observer", "", "does not name its game", IS_OVER, IN_GAME},
    {"press", "anna", NULL, "game: gc-1\nturn: 2\nto: bob\nHello\n", "is on its way", NO_SEAT,
     "game: gc-1\nturn: 2\nto: bob\n", "The message is empty", "game: gc-1\nturn: 1\nto: bob\nHello\n",
     "is in turn 2 now", IN_GAME},
    {"mute", "anna", NULL, "player: bob\n", "are not delivered to you", STRANGER, "", "does not say whom",
     NULL, NULL, IN_GAME},
    {"unmute", "anna", a_mute, "player: bob\n", "are delivered to you again", STRANGER, "",
     "does not say whom", NULL, NULL, IN_GAME},
    {"prefs", "anna", NULL, "json: yes\n", "Your preferences are now", STRANGER, "", "nothing to change",
     NULL, NULL, ANYWHERE},
    {"key", "anna", a_second_key, "player: anna\nrevoke: $print\n", "revoked", "bob", "your own keys only",
     "player: anna\n", "names no key", NULL, NULL, ANYWHERE},
    {"veto", "anna", a_wrong_rekey, "player: anna\n", "has stopped the new key", "bob", "your own keys only",
     "player: !\n", "takes a name", NULL, NULL, ANYWHERE},
    {"rekey", "mona", NULL, "player: anna\nkey: $key\nwhy: lost\n", "It comes into force", "anna",
     "Only the moderators", "player: anna\nkey: $key\n", "and why", NULL, NULL, ANYWHERE},
    {"invite", "mona", NULL, "", "Pass this on", "anna", "only the operator invites", NULL, NULL, NULL, NULL,
     ANYWHERE},
    {"extend", "anna", NULL, "game: gc-1\nturn: 2\nhours: 12\n", "has been counted", NO_SEAT,
     "game: gc-1\nturn: 2\n", "by how much", "game: gc-1\nturn: 1\nhours: 12\n", "is in turn 2 now", IN_GAME},
    {"appeal", "anna", NULL, "game: gc-1\nturn: 1\nMy ships were lost.\n",
     "of the journal. Its words are sealed", NO_SEAT, "game: gc-1\nMy ships were lost.\n",
     "which turn it is about", "game: gc-1\nturn: 7\nMy ships were lost.\n", "has had no turn 7", IN_GAME},
    {"ruling", "mona", an_appeal, "game: gc-1\nappeal: $word\nAll is well.\n", "All is well.", "anna",
     "Only the moderators", "game: gc-1\nappeal: $word\n", "The ruling is empty",
     "game: gc-1\nappeal: 1\nAll is well.\n", "is no appeal", IN_GAME},
    {"moderate", "mona", NULL, "game: gc-1\nturn: 2\ndo: pause\nreason: ill\n", "paused the game", "anna",
     "Only the moderators", "game: gc-1\nturn: 2\ndo: pause\n", "reason",
     "game: gc-1\nturn: 1\ndo: pause\nreason: ill\n", "is in turn 2 now", IN_GAME},
    {"preview", "mona", NULL, "game: gc-1\nturn: 2\n", "would give", "anna", "Only the moderators", "",
     "does not name its game", "game: gc-1\nturn: 1\n", "is in turn 2 now", ASKS},
    {"excuse", "mona", a_silent_witness, "game: gc-4\nturn: 0\nwitness: carl\nreason: ill\n", "without",
     "anna", "Only the moderators", "game: gc-4\nturn: 0\nwitness: carl\n", "and a reason",
     "game: gc-1\nturn: 1\nwitness: carl\nreason: ill\n", "is in turn 2 now", IN_GAME},
    {"resend", "anna", NULL, "game: gc-1\n", "Turn 1 has been played", "carl",
     "You have no seat in game gc-1", NULL, NULL, "game: gc-1\nturn: 7\n", "has not been played yet", ASKS},
    {"witness", "carl", NULL, "key: " ZEROS "\n", "You can be a witness", STRANGER, "", "64 hex digits", NULL,
     NULL, IN_GAME},
    {"vacation", "anna", NULL, "from: 2026-12-20\nto: 2026-12-27\n", "Your vacation is noted", STRANGER,
     "from: 2026-12-20\n", "\"to:\" takes a day", "from: 2026-11-01\nto: 2026-11-03\n", "in the past",
     ANYWHERE},
};
#define ROWS ((int)(sizeof rows / sizeof *rows))

/* ---- helpers ---- */

/* Everything that matters: journals, sealed payloads, players, keys, words that are waited for. */
static void snapshot(struct str *out)
{
    struct str command = STR_INIT;
    char line[512];
    str_clear(out);
    str_addf(&command,
             "cd %s && find games registry players keys tokens -type f ! -name state.json -exec b2sum {} + | "
             "sort",
             house.dir);
    FILE *pipe = popen(command.p, "r");
    ck_assert_ptr_nonnull(pipe);
    while (fgets(line, sizeof line, pipe))
        str_adds(out, line);
    ck_assert_int_eq(pclose(pipe), 0);
    str_release(&command);
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

/* One answer, in the thread, to `who`, with the words. */
static void answered(const char *verb, const char *what, const char *who, const char *words)
{
    struct str mails;
    int count = house_mails(&house, who, &mails);
    ck_assert_msg(house_answers(&house) == 1, "%s, %s: %d answers, %d mails:\n%.3000s", verb, what,
                  house_answers(&house), count, mails.p);
    ck_assert_msg(house_says(mails.p, words), "%s, %s: not \"%s\" but:\n%.3000s", verb, what, words, mails.p);
    str_release(&mails);
    house_empty_spool(&house);
}

/* A text that is not to be obeyed. `signer` NULL = nobody signs it. */
static void refused(const struct row *row, const char *what, const char *from, const char *signer,
                    const char *lines, const char *words)
{
    struct str text = STR_INIT, before = STR_INIT, after = STR_INIT;
    struct str all;
    fill(&text, row->verb, lines);
    snapshot(&before);
    if (signer)
        (void)house_signed(&house, from, signer, text.p);
    else
        (void)house_mail(&house, from, "my text", text.p);
    snapshot(&after);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "%s, %s: something has changed", row->verb, what);
    ck_assert_msg(house_mails(&house, NULL, &all) == 1, "%s, %s: told to others:\n%s", row->verb, what,
                  all.p);
    str_release(&all);
    answered(row->verb, what, from, words);
    str_release(&text);
    str_release(&before);
    str_release(&after);
}

/* ---- the cases ---- */

static void refused_lines(const struct row *row, const char *what, const char *line, const char *value,
                          const char *words)
{
    struct str lines = STR_INIT;
    str_addf(&lines, "%s: %s\n%s", line, value, row->good);
    refused(row, what, row->who, row->who, lines.p, words);
    str_release(&lines);
}

/* A text about no game is for one league. */
static void of_another_league(const struct row *row)
{
    char own[KEY_FINGERPRINT], line[KEY_FINGERPRINT + 10];
    league_fingerprint(&house.league, own);
    (void)snprintf(line, sizeof line, "league: %s", own);
    refused_lines(row, "no league line", "league", "none", "does not name the league");
    refused_lines(row, "the form for it", "league", "none", line);
    own[10] = own[10] == 'x' ? 'y' : 'x';
    refused_lines(row, "another league's line", "league", own, "is for another league");
}

/* A text about a game is for what its signer has seen of it. */
static void of_another_history(const struct row *row)
{
    char id[GAME_NAME], head[2 * HEAD_BYTES + 1];
    (void)snprintf(id, sizeof id, "%.4s", strstr(row->good, "game: ") + 6);
    game_answer_head(head, house_find(&house, strcmp(id, "gc-3") == 0 ? "gc-1" : "gc-3"));
    refused_lines(row, "another game's head", "head", head,
                  strcmp(row->verb, "join") == 0     ? "with which game gc-2 was made"
                  : strcmp(row->verb, "orders") == 0 ? "which game gc-1 never gave out"
                                                     : "The head in the text is none that game");
    game_answer_head(head, house_find(&house, id));
    if (strcmp(row->verb, "orders") != 0)
        refused_lines(row, "the form for it", "head", "0000000000000000", head);
    head[16] = '\0';
    refused_lines(row, "16-digit head", "head", head, "64 digits");
}

static void wrong_in_every_way(const struct row *row)
{
    struct str good = STR_INIT;
    char holds[80];
    (void)snprintf(holds, sizeof holds,
                   strcmp(row->verb, "orders") == 0     ? "Your mail holds orders"
                   : strcmp(row->verb, "register") == 0 ? "Save these lines as text.txt"
                                                        : "Your mail holds a text \"#turnpost %s\"",
                   row->verb);
    refused(row, "unsigned", row->who, NULL, row->good, holds);
    refused(row, "signed by the wrong person", row->wrong, row->wrong, row->good, row->wrong_words);
    if (row->half)
        refused(row, "half filled in", row->who, row->who, row->half, row->half_words);
    if (row->late)
        refused(row, "too late", row->who, row->who, row->late, row->late_words);
    if (row->kind != ASKS && strstr(row->good, "game: "))
        of_another_history(row);
    else if (row->kind != ASKS)
        of_another_league(row);
    if (row->kind == ANYWHERE)
        return;
    const char *rest = strstr(row->good, "game: gc-");
    str_addf(&good, "game: gc-99\n%s", rest ? strchr(rest, '\n') + 1 : row->good);
    refused(row, "for a game that is none", row->who, row->who, good.p, "here is no game \"gc-99\"");
    str_release(&good);
}

START_TEST(each_text)
{
    const struct row *row = &rows[_i];
    struct str text = STR_INIT, before = STR_INIT, after = STR_INIT;
    if (row->prepare)
        row->prepare();
    wrong_in_every_way(row);
    fill(&text, row->verb, row->good);
    snapshot(&before);
    (void)house_signed(&house, row->who, row->who, text.p);
    snapshot(&after);
    ck_assert_msg((strcmp(before.p, after.p) == 0) == (row->kind == ASKS), "%s: what has changed?",
                  row->verb);
    answered(row->verb, "as it should be", row->who, row->good_words);
    /* The same mail, as it is found after a crash: silence. */
    (void)house_raw(&house, slice_str(&house.last_raw));
    snapshot(&before);
    house_told(&house, NULL, 0, NULL);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "%s: obeyed twice", row->verb);
    refused(row, "once more", row->who, row->who, row->good, (row->kind == ASKS) ? row->good_words : "");
    str_release(&text);
    str_release(&before);
    str_release(&after);
}
END_TEST

START_TEST(register_for_another_address)
{
    const struct row *row = &rows[1];
    an_invitation();
    ck_assert_str_eq(row->verb, "register");
    refused(row, "for another address", "nemo", "nemo",
            "name: nemo\naddress: eve@example.net\ninvite: $word\n",
            "for another mail address than nemo@example.net");
    refused(row, "from another address", "eve", "nemo",
            "name: nemo\naddress: nemo@example.net\ninvite: $word\n",
            "for another mail address than eve@example.net");
    refused(row, "for no address", "nemo", "nemo", "name: nemo\naddress:\ninvite: $word\n",
            "does not name your mail address");
}
END_TEST

START_TEST(each_petition_has_a_row)
{
    for (int i = 0; petitions[i]; i++) {
        int row = 0;
        while (row < ROWS && strcmp(rows[row].verb, petitions[i]->verb) != 0)
            row++;
        ck_assert_msg(row < ROWS, "tests/engine/each_text.c has no row for \"#turnpost %s\"",
                      petitions[i]->verb);
    }
}
END_TEST

/* ---- words as subjects ---- */

static void asked(const char *who, const char *subject, const char *body, const char *words)
{
    struct str before = STR_INIT, after = STR_INIT;
    snapshot(&before);
    (void)house_mail(&house, who, subject, body);
    snapshot(&after);
    ck_assert_msg(strcmp(before.p, after.p) == 0, "\"%s\" has changed something", subject);
    answered(subject, "as a subject", who, words);
    str_release(&before);
    str_release(&after);
}

START_TEST(each_word)
{
    static const struct {
        const char *subject, *words;
    } cases[] = {
        {"help", "What you can send to"},
        {"HELP gc-1", "explore"},
        {"help galaxy-command", "explore"},
        {"help gc-99", "No signed orders were found"},
        {"games", "What can be played"},
        {"Re: Games", "What can be played"},
        {"rules Galaxy Command", "GALAXY COMMAND"},
        {"rules gc-99", "There is no game called \"gc-99\""},
        {"rules", "Put the name of a game behind the word"},
        {"status gc-1", "turn 2"},
        {"status gc-2", "not begun yet"},
        {"status gc-3", "over after turn"},
        {"status gc-99", "There is no game called \"gc-99\""},
        {"status", "Put the name of a game behind the word"},
        {"status ../gc-1", "There is no game called"},
        {"confirm", "No signed orders were found"},
        {"confirm aaaaaaaaaaaaaaaaaaaaaaaaaa", "proves nothing alone"},
        {"confirm maybe", "proves nothing alone"},
        {"good morning", "No signed orders were found"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        asked("anna", cases[i].subject, "", cases[i].words);
    house.now += DAY;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "stranger%zu", i);
        asked(name, cases[i].subject, "", cases[i].words);
    }
}
END_TEST

/* Phones quote the whole mail that they answer: what stands above it counts. */
START_TEST(words_above_a_quoted_report)
{
#define QUOTE                                                                                                \
    "\r\n\r\nOn Friday the league wrote:\r\n> #turnpost orders\r\n> game: gc-1\r\n> turn: 2\r\n> bide\r\n> " \
    "#end\r\n"
    asked("anna", "Re: [gc-1] Turn 1 is played", "help" QUOTE, "What you can send to");
    asked("anna", "Re: [gc-1] Turn 1 is played", "Status gc-1" QUOTE, "turn 2");
    asked("anna", "Re: Re: [gc-1] Turn 1 is played", "Thank you!" QUOTE,
          "Subject: Re: [gc-1] Turn 1 is played");
    asked("anna", "Re: [gc-1] Turn 1 is played", "Thank you!" QUOTE, "perhaps in what it quotes");
    asked("anna", "Re: join gc-2", "#turnpost join\r\ngame: gc-2\r\n#end" QUOTE,
          "holds a text \"#turnpost join\"");
#undef QUOTE
}
END_TEST

/* The verbs of petitions as subjects bring the text that is to be signed, with a game and without, whether
 * there is such a game or not. */
START_TEST(each_verb_as_a_subject)
{
    static const char *const games[] = {"", " gc-1", " gc-3", " gc-99"};
    for (int i = 0; petitions[i]; i++) {
        for (size_t game = 0; game < 4; game++) {
            char subject[64], words[64];
            house.now += 3600; /* the budget of a day */
            (void)snprintf(subject, sizeof subject, "%s%s", petitions[i]->verb, games[game]);
            (void)snprintf(words, sizeof words, "#turnpost %s", petitions[i]->verb);
            bool takes = !game || (petitions[i]->needs & (PETITION_GAME | PETITION_MAYBE_GAME));
            if (petitions[i] != petition_find("register"))
                asked("anna", subject, "", takes ? words : "No signed orders were found");
        }
    }
    asked("anna", "register", "", "is that of the player anna");
    asked("nemo", "register", "", "#turnpost register");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_loop_test(tc, each_text, 0, ROWS);
    tcase_add_test(tc, register_for_another_address);
    tcase_add_test(tc, each_petition_has_a_row);
    tcase_add_test(tc, each_word);
    tcase_add_test(tc, words_above_a_quoted_report);
    tcase_add_test(tc, each_verb_as_a_subject);
}
TEST_MAIN("engine/each_text", cases)
