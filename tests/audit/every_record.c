/* Games whose journals hold every kind of record that there is, played by mail from the first text to the key
 * that opens the seals. With EVERY_RECORD=DIR the leagues are kept there, with their secrets and with all
 * mails by player: `make mutations` changes them in every way (tests/mutations). */
#include "house/film.h"
#include "house/gated.h"
#include "house/mailed.h"

#include "base/date.h"
#include "audit/audit.h"
#include "league/log_copy.h"
#include "game/game_seats.h"
#include "petitions/registration.h"

#define HOUR ((int64_t)3600)
#define DAY  DAY_SECONDS

#define SEAL_OF_NOTHING "0000000000000000000000000000000000000000000000000000000000000000"

static struct house house;
static const char *id;
static int texts; /* each is another one */
static const char *annas_key;

static void begin(void)
{
    static const char *const people[] = {"anna", "bob",  "carl", "dora", "emil",
                                         "fred", "gina", "hans", "ines", "mona"};
    house_open(&house);
    annas_key = "anna";
    house_option(&house, "[league]", "moderators = mona");
    house_restart(&house);
    for (size_t i = 0; i < sizeof people / sizeof *people; i++)
        house_player(&house, people[i]);
}

/* ---- what is kept ---- */

/* The mails that may leave, by player, into the league's folder; then the spool is empty. */
static void keep_mails(void)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    ck_ok(spool_due(house.batch.spool, house.now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct str dir = STR_INIT, path = STR_INIT;
        ck_ok(spool_load(house.batch.spool, list.path[i], &mail, &err), err);
        league_log_complete(house.batch.tlog, &mail.mail);
        str_addf(&dir, "%s/mails/%.*s", house.dir, (int)strcspn(mail.envelope_to, "@"), mail.envelope_to);
        ck_ok(file_mkdirs(dir.p, 0700, &err), err);
        str_addf(&path, "%s/%s.eml", dir.p, mail.id);
        ck_ok(file_write_soft(path.p, slice_str(&mail.mail), 0600, &err), err);
        str_release(&dir);
        str_release(&path);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    house_empty_spool(&house);
}

static void end(void)
{
    const char *keep = getenv("EVERY_RECORD");
    if (keep) {
        struct str to = STR_INIT;
        str_addf(&to, "%s/%s", keep, id);
        scratch_remove(to.p);
        scratch_copy(house.dir, to.p);
        str_release(&to);
    }
    house_close(&house);
}

/* ---- texts ---- */

static struct game *game(void)
{
    return house_find(&house, id);
}

/* A text that names game, turn and, as the forms in reports do, the head it answers. */
static void says_by(const char *name, const char *signer, const char *verb, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s\ngame: %s\nturn: %d\nseq: %d\n%s#end\n", verb, id, game()->turn, ++texts,
             lines);
    (void)house_signed(&house, name, signer, text.p);
    str_release(&text);
    keep_mails();
}

static const char *key_of(const char *name);

static void says(const char *name, const char *verb, const char *lines)
{
    says_by(name, key_of(name), verb, lines);
}

/* The orders of everybody who is missing, except this one (NULL = all), as a robot would write them. */
static void play(const char *but)
{
    int turn = game()->turn;
    for (int seat = 1; seat <= game()->seats && game()->turn == turn && !game()->over; seat++) {
        struct str lines = STR_INIT;
        const struct game *now = game();
        const char *name = now->seat[seat].player;
        if (!(game_missing(now) & SEAT_BIT(seat)) || (but && strcmp(but, name) == 0))
            continue;
        now->ruleset->robot(now->cards, now->state, seat, &lines);
        says(name, "orders", lines.len ? lines.p : "pass\n");
        str_release(&lines);
    }
}

static void clock_at(int64_t now)
{
    house_clock(&house, now);
    keep_mails();
}

/* A turn that this one misses. */
static void without(const char *name)
{
    int turn = game()->turn;
    play(name);
    if (game()->turn == turn)
        clock_at(game()->clock.deadline + game()->clock.schedule.grace);
    ck_assert_int_eq(game()->turn, turn + 1);
}

/* A round of the daemon, which knows from it of outages. */
static void round_at(int64_t now)
{
    struct err err = ERR_INIT;
    ck_ok(batch_round(&house.batch, now, &err), err);
    clock_at(now);
    ck_ok(batch_round_done(&house.batch, &err), err);
}

/* "ssh-ed25519 AAAA..." */
static void key_line(struct str *line, const char *person)
{
    struct pubkey key;
    house_person(&house, person);
    secret_public(house_key(&house, person), &key);
    str_clear(line);
    pubkey_format(line, &key);
}

/* Both keys sign that the new one takes the old one's place. */
static void new_key_of_anna(void)
{
    struct pubkey key;
    struct str text = STR_INIT, line = STR_INIT;
    char old[KEY_SHOWN];
    secret_public(house_key(&house, annas_key), &key);
    pubkey_show(old, &key);
    key_line(&line, "anna2");
    str_addf(&text, "#turnpost key\nplayer: anna\nadd: %s\nrevoke: %s\n#end\n", line.p, old);
    (void)house_signed(&house, "anna", annas_key, text.p);
    (void)house_signed(&house, "anna", "anna2", text.p);
    annas_key = "anna2";
    says("anna", "press", "to: all\nI have a new key.\n");
    str_release(&text);
    str_release(&line);
}

/* A moderator asks for another key of carl's, and he says no; then again, as he has lost it. */
static void lost_key_of_carl(void)
{
    struct str text = STR_INIT, line = STR_INIT;
    key_line(&line, "carl2");
    str_addf(&text, "#turnpost rekey\nplayer: carl\nkey: %s\nreason: He has lost it.\n#end\n", line.p);
    (void)house_signed(&house, "mona", "mona", text.p);
    (void)house_signed(&house, "carl", "carl", "#turnpost veto\n#end\n");
    str_clear(&text);
    str_addf(&text, "#turnpost rekey\nplayer: carl\nkey: %s\nreason: He really has.\n#end\n", line.p);
    (void)house_signed(&house, "mona", "mona", text.p);
    str_release(&text);
    str_release(&line);
    keep_mails();
}

/* With which of their keys somebody signs now. */
static const char *key_of(const char *name)
{
    struct pubkey keys[KEYS_PER_PLAYER], second;
    if (strcmp(name, "anna") == 0)
        return annas_key;
    if (strcmp(name, "carl") != 0)
        return name;
    secret_public(house_person(&house, "carl2"), &second);
    return keyring_of(&house.batch.keyring, "carl", keys) && pubkey_equal(&keys[0], &second) ? "carl2" : name;
}

/* Members "type" (and "kind", "why") that the journal must hold. */
static void holds(const char *const *wanted, size_t count)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    ck_ok(store_read(house.batch.store, id, STORE_BEGIN, &lines, &err), err);
    for (size_t i = 0; i < count; i++)
        if (slice_find(slice_str(&lines), wanted[i]) == (size_t)-1)
            ck_abort_msg("%s: no record has %s", id, wanted[i]);
    str_release(&lines);
}

/* Replay gives the same game, the audit finds it good, and the gate lets nothing through that it would not. */
static void is_good(void)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct lines of_journal;
    struct audit audit;
    struct audit_result result;
    house_same(&house, id);
    ck_ok(store_read(house.batch.store, id, STORE_BEGIN, &journal, &err), err);
    lines_memory(&of_journal, slice_str(&journal));
    audit_init(&audit, &of_journal);
    audit.master = house.league.master;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_msg(result.verdict == AUDIT_PROVED, "%s: record %lld: %s", id, (long long)result.first.seq,
                  result.first.text);
    struct film whole;
    film_of(&whole, slice_str(&journal), house.league.master);
    whole.key = house.league.key;
    ck_assert_uint_gt(gated_game(&whole), 500);
    film_drop(&whole);
    str_release(&journal);
}

/* A record that the league has signed with another member: what an audit says of it, whether it opens seals or
 * not. */
struct lie {
    const char *mark; /* part of its line */
    int records;      /* so many of them, the first ones */
    const char *member, *value /* JSON; NULL: left out */, *words;
};

static void is_found_at(const struct film *whole, size_t at, const struct lie *lie)
{
    struct film film;
    film_copy(&film, whole);
    json_t *record = film_json(film.line[at]);
    if (lie->value)
        json_object_set_new(record, lie->member, json_loads(lie->value, JSON_DECODE_ANY, NULL));
    else
        json_object_del(record, lie->member);
    film_sign(&film, at, record);
    for (int opened = 0; opened < 2; opened++) {
        struct audit_result result;
        film_audit(&film, AUDIT_MODERATOR, 0, opened, &result, NULL);
        const struct audit_finding *first = &result.first;
        ck_assert_msg(result.verdict == AUDIT_REFUTED && first->seq == (int64_t)at + 1 &&
                          strstr(first->text, lie->words),
                      "record %zu, %s: record %lld: %s", at + 1, opened ? "opened" : "sealed",
                      (long long)first->seq, first->text);
    }
    film_drop(&film);
}

static void is_found(const struct lie *lie)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    struct film whole;
    int found = 0;
    ck_ok(store_read(house.batch.store, id, STORE_BEGIN, &journal, &err), err);
    film_of(&whole, slice_str(&journal), house.league.master);
    whole.key = house.league.key;
    for (size_t i = 0; i < whole.records && found < lie->records; i++) {
        if (!strstr(whole.line[i], lie->mark))
            continue;
        is_found_at(&whole, i, lie);
        found++;
    }
    ck_assert_int_eq(found, lie->records);
    film_drop(&whole);
    str_release(&journal);
}

static void play_out(int most)
{
    while (!game()->over && game()->turn <= most) {
        int turn = game()->turn;
        play(NULL);
        if (!game()->over && game()->turn == turn)
            clock_at(game()->clock.deadline + game()->clock.schedule.grace);
        ck_assert(game()->over || game()->turn > turn);
    }
    ck_assert(game()->over);
    keep_mails();
}

/* ---- a game with everything that may happen ---- */

static struct domain domain; /* of who has no key */

static void open_table(struct new_game how, const char *const *names)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game made;
    struct step_keys keys = batch_keys(&house.batch);
    struct sitter by[SEATS_MAX + 1];
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        if (!how.options[i])
            how.options[i] = how.ruleset->options[i].initial;
    for (int seat = 1; seat <= how.seats; seat++) {
        how.seat[seat].player = names[seat - 1];
        how.seat[seat].robot = names[seat - 1] && str_starts(names[seat - 1], "robot");
    }
    house_sitters(&house, &domain, &how, by);
    step_init(&step, &keys, house.now);
    ck_ok(sits_create(&step, &made, &how, by, &err), err);
    struct batch_game *entry = batch_add(&house.batch, &made);
    ck_ok(batch_take(&house.batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    keep_mails();
}

static void moderates(const char *what)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\ndo: %s\nreason: Number %d.\n#end\n", what, ++texts);
    (void)house_signed(&house, "mona", "mona", text.p);
    clock_at(house.now);
    str_release(&text);
}

/* Off a seat, off the waiting list, off a seat for which somebody waits. */
static void bans_before_the_start(void)
{
    says("hans", "join", "seat: 2\nnonce: six\n");
    moderates("ban hans");
    moderates("unban hans");
    says("hans", "join", "seat: 2\nnonce: seven\n");
    says("bob", "join", "seat: 3\nnonce: eight\n");
    says("ines", "join", "nonce: nine\n");
    moderates("ban ines");
    moderates("unban ines");
    says("ines", "join", "nonce: ten\n");
    moderates("ban hans");
    ck_assert_str_eq(game()->seat[2].player, "ines");
    moderates("ban ines");
    says("bob", "leave", "");
    ck_assert_int_eq(game_free_seats(game()), 2);
}

/* Seats are taken, given up, waited for. */
static void fill_seats(void)
{
    game()->clock.held = true; /* as a moderator may have it: full, and not begun */
    bans_before_the_start();
    says("bob", "join", "SEAT: 000002\nnonce: one\n");
    says("bob", "leave", "");
    says("bob", "join", "seat: P2\nnonce: two\n");
    says("dora", "join", "nonce: three\n");
    says("carl", "join", "nonce: four\n");
    says("emil", "join", "nonce: five\n");
    says("emil", "leave", "");
    says("dora", "leave", "");
    struct err err = ERR_INIT;
    struct str state = STR_INIT;
    str_addf(&state, "%s/games/%s/state.json", house.dir, id);
    house_end(&house);
    ck_ok(file_remove(state.p, &err), err); /* the journal knows nothing of the moderator */
    str_release(&state);
    house_begin(&house);
    ck_assert_int_eq(game()->turn, 1);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    keep_mails();
}

static void messages(void)
{
    says("anna", "press", "to: bob, carl\nShall we?\n");
    says("carl", "press", "to: all\nfrom: nobody\nNobody knows who I am.\n");
    says("bob", "press", "to: moderators\nI have lost my key.\n");
    says("mona", "press", "to: all\nfrom: moderators\nThe server moves tomorrow.\n");
}

/* Something went wrong in the turn that is open, as a player says; a moderator decides. */
static void appealed(void)
{
    char lines[80];
    says("anna", "appeal", "My ships were lost.\n");
    (void)snprintf(lines, sizeof lines, "appeal: %lld\nAll is well.\n", (long long)game()->seq);
    says("mona", "ruling", lines);
}

/* The league is made again from a copy that lacks nothing, and cannot know that. */
static void goes_on_from_a_copy(void)
{
    struct err err = ERR_INIT;
    json_t *losses = json_pack("{s:I}", id, (json_int_t)game()->seq + 1);
    house_end(&house);
    ck_ok(league_open(house.dir, true, &house.league, &err), err);
    ck_ok(log_copy_lost(&house.league, losses, house.now, &err), err);
    league_close(&house.league);
    house_begin(&house);
    (void)game();
    ck_ok(batch_commit(&house.batch, &err), err);
    keep_mails();
    json_decref(losses);
}

/* The deadline moves for every reason that there is. */
static void deadlines(void)
{
    says("anna", "extend", "days: 1\n");
    says("anna", "extend", "hours: 30\n");
    says("bob", "extend", "hours: 24\n");
    (void)house_signed(&house, "carl", "carl",
                       "#turnpost vacation\nfrom: 2026-11-23\nto: 2026-11-26\n#end\n");
    clock_at(house.now);
    play("carl");
    int64_t deadline = game()->clock.deadline;
    round_at(deadline - DAY + HOUR);
    round_at(deadline - DAY / 2);
    house_restart(&house);
    round_at(deadline + 2 * DAY); /* the service stood still */
    ck_assert_int_eq(game()->turn, 1);
    ck_assert_int_gt(game()->clock.deadline, deadline + 2 * DAY);
    says("carl", "orders", "build\n");
    ck_assert_int_eq(game()->turn, 2);
}

/* Nobody plays: the turn is held until somebody does. */
static void held(void)
{
    clock_at(game()->clock.deadline + game()->clock.schedule.grace);
    ck_assert(game()->clock.held);
    new_key_of_anna();
    lost_key_of_carl();
    says("anna", "orders", "build\n");
    says("bob", "orders", "always build\nsay all: I was away\n");
    says("bob", "orders", "build\n");
    says("bob", "orders", "if metal >= 1 build\n");
    clock_at(house.now + 60);
    ck_assert_int_eq(game()->turn, 3);
}

/* Somebody stands in, the owner comes back, misses again, and the seat is another's. */
static void stand_ins(void)
{
    says("gina", "standby", "");
    says("fred", "standby", "");
    says("fred", "standby", "cancel: yes\n");
    says("emil", "standby", "");
    while (!*game()->seat[2].offered)
        without("bob");
    says("gina", "take", "seat: 2\n");
    says("gina", "orders", "build\n");
    says("bob", "back", "");
    clock_at(house.now + 60);
    while (!*game()->seat[2].offered)
        without("bob");
    says("emil", "take", "seat: P02\n");
    ck_assert_str_eq(game()->seat[2].player, "emil");
    while (!*game()->seat[2].offered && !game()->seat[2].robot && game()->turn < 9)
        without("emil"); /* nobody is on the list: an offer of gina's list is gone */
}

static void endings(void)
{
    says("carl", "orders", "build\nsay all: so long; resign\n# I; resign\nResign.\n");
    says("fred", "standby", "");
    says("anna", "resign", "");
}

static const char *const three[] = {"anna", NULL, NULL};

START_TEST(everything)
{
    static const char *const wanted[] = {
        "\"type\":\"create\"",
        "\"type\":\"seat\"",
        "\"type\":\"key\"",
        "\"asked\":",
        "\"kind\":\"rekey\"",
        "\"kind\":\"veto\"",
        "\"type\":\"start\"",
        "\"type\":\"orders\"",
        "\"type\":\"close\"",
        "\"type\":\"turn\"",
        "\"type\":\"end\"",
        "\"type\":\"open\"",
        "\"kind\":\"wait\"",
        "\"kind\":\"press\"",
        "\"kind\":\"observe\"",
        "\"kind\":\"standby\"",
        "\"kind\":\"offer\"",
        "\"kind\":\"reminder\"",
        "\"kind\":\"hold\"",
        "\"kind\":\"vote\"",
        "\"kind\":\"appeal\"",
        "\"kind\":\"ruling\"",
        "\"why\":\"vacation\"",
        "\"why\":\"outage\"",
        "\"why\":\"resigned\"",
        "\"why\":\"standby\"",
        "\"why\":\"back\"",
        "\"waited\":true",
        "\"free\":true",
        "\"leave\":true",
        "\"released\":true",
        "\"grey\":true",
        "\"by\":\"mona\"",
        "\"until\":",
        "\"away\":",
        "\"do\":\"ban\"",
        "\"kind\":\"lost\"",
    };
    struct schedule clock;
    schedule_init(&clock);
    clock.length = 3 * DAY;
    clock.grace = HOUR;
    id = "gc-all";
    open_table((struct new_game){.id = id,
                                 .ruleset = ruleset_newest("galaxy-command"),
                                 .seats = 3,
                                 .clock = &clock,
                                 .press = PRESS_GREY,
                                 .missed_robot = 5,
                                 .missed_standby = 1},
               three);
    fill_seats();
    says("gina", "observe", "");
    says("fred", "observe", "");
    says("fred", "unobserve", "");
    messages();
    goes_on_from_a_copy();
    deadlines();
    held();
    stand_ins();
    appealed();
    endings();
    play_out(30);
    if (!getenv("EVERY_RECORD")) /* what changes kept games expects their last record to be the key */
        goes_on_from_a_copy();
    holds(wanted, sizeof wanted / sizeof *wanted);
    is_good();
    /* who waited has a seat by the text with which they asked: its mark goes into the deal */
    is_found(&(struct lie){"\"waited\":true", 2, "mark", "\"" SEAL_OF_NOTHING "\"", "text that waited"});
    is_found(&(struct lie){"\"free\":true", 2, "mark", "\"" SEAL_OF_NOTHING "\"", "do not go together"});
    is_found(&(struct lie){"\"kind\":\"lost\"", 1, "rollbacks", "0", "drawn anew"});
    is_found(&(struct lie){"\"kind\":\"appeal\"", 1, "about", "99", "about"});
    is_found(&(struct lie){"\"type\":\"key\"", 1, "keys", "[]", "makes no other keys"});
    is_found(&(struct lie){"\"type\":\"key\"", 1, "signed", NULL, "nobody has signed"});
    is_found(&(struct lie){"\"asked\":", 1, "asked", "3", "not asked for seven days before"});
    is_found(&(struct lie){"\"asked\":", 1, "keys", "[]", "not asked for seven days before"});
    is_found(&(struct lie){"\"kind\":\"veto\"", 1, "seat", "1", "no other key was asked for"});
    /* and the deal says which */
    is_found(&(struct lie){"\"do\":\"ban\",\"drawn\":true", 1, "drawn", NULL, "do not go together"});
}
END_TEST

/* ---- the other games: their own ways of taking turns ---- */

static const char *const four[] = {"anna", "bob", "robot", "carl"};

START_TEST(deals)
{
    static const char *const wanted[] = {"\"kind\":\"instant\"", "\"press_signed\":true",
                                         "\"kind\":\"press\""};
    id = "gs-all";
    open_table((struct new_game){.id = id,
                                 .ruleset = ruleset_newest("galactic-supremacy"),
                                 .seats = 4,
                                 .turn_length = DAY,
                                 .options = {[2] = 4}, /* rounds */
                                 .press_signed = true,
                                 .missed_robot = 3},
               four);
    says("anna", "press", "to: all\nThis can be shown to anybody.\n");
    for (int seat = 1; seat <= 4; seat++) /* before they are awaited */
        if (seat != 3)
            says(game()->seat[seat].player, "orders", "when attacked defend all\n");
    says("bob", "orders", "offer anna get 1 credit\nwithdraw\n");
    says("carl", "orders", "pass\n");
    while (game()->turn < 8)
        play(NULL);
    says("carl", "orders", "offer bob get 1 credit\nplease re\xC2\xADsign\n");
    play_out(60);
    holds(wanted, sizeof wanted / sizeof *wanted);
    is_good();
    is_found(&(struct lie){"\"told\":[", 1, "told", "[7]", "no such seat"});
}
END_TEST

static const char *const two[] = {"anna", "bob"};

/* A moderator orders for a seat. */
static void orders_are_set(int seat)
{
    struct str lines = STR_INIT;
    const struct game *now = game();
    str_addf(&lines, "orders %d\nreason: A long illness.\n", seat);
    now->ruleset->robot(now->cards, now->state, seat, &lines);
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost moderate\ngame: %s\nturn: %d\ndo: %s#end\n", id, now->turn, lines.p);
    (void)house_signed(&house, "mona", "mona", text.p);
    clock_at(house.now);
    str_release(&lines);
    str_release(&text);
}

/* Both players get drawn seats. */
START_TEST(contract)
{
    static const char *const wanted[] = {"\"drawn\":true", "\"drawn\":[{\"player\":", "\"set\":[]",
                                         "\"set\":[1]"};
    static const char *const nobody[] = {NULL, NULL};
    id = "gk-all";
    open_table((struct new_game){.id = id,
                                 .ruleset = ruleset_newest("galactic-contract"),
                                 .seats = 2,
                                 .turn_length = DAY,
                                 .missed_robot = 3},
               nobody);
    says("bob", "join", "nonce: one\nship: tinker , SWIFT\n");
    says("anna", "join", "nonce: two\n");
    ck_assert_int_eq(game()->turn, 1);
    while (!(game_missing(game()) & SEAT_BIT(1)))
        play(NULL);
    orders_are_set(1);
    play_out(200);
    holds(wanted, sizeof wanted / sizeof *wanted);
    is_good();
}
END_TEST

/* One player's text may hold several turns. It is a competition's game, in which she sits by the text by which she is in that. */
START_TEST(farmer)
{
    const struct game_place place = {.name = "cup", .head = {1}, .round = 1, .table = 1, .attempt = 1};
    id = "gf-all";
    open_table((struct new_game){.id = id,
                                 .ruleset = ruleset_newest("galaxy-farmer"),
                                 .seats = 1,
                                 .turn_length = DAY,
                                 .place = &place,
                                 .missed_robot = 3},
               two);
    says("anna", "orders", "pass\nturn 2\npass\n");
    play_out(60);
    is_good();
    is_found(&(struct lie){"\"why\":\"entered\"", 1, "signed", NULL, "do not go together"});
    is_found(&(struct lie){"\"why\":\"entered\"", 1, "why", NULL, "do not go together"});
    is_found(&(struct lie){"\"why\":\"entered\"", 1, "by", "\"bob\"", "somebody else"});
}
END_TEST

/* ---- a game by replies: what no key has signed ---- */

static void mails(const char *name, const char *verb, const char *lines)
{
    struct str text = STR_INIT;
    str_addf(&text, "#turnpost %s\ngame: %s\nturn: %d\nseq: %d\n%s#end\n", verb, id, game()->turn, ++texts,
             lines);
    const struct mailed mailed = house_says_by_mail(&house, &domain, name, text.p, true);
    ck_assert_msg(mailed.fate == PETITION_HEARD, "%s: %s", verb, mailed.why);
    str_release(&text);
    keep_mails();
}

/* The orders of all who are missing, those of people without keys by mail. */
static void play_mailed(const char *but)
{
    int turn = game()->turn;
    for (int seat = 1; seat <= game()->seats && game()->turn == turn && !game()->over; seat++) {
        const struct game *now = game();
        if (!(game_missing(now) & SEAT_BIT(seat)) || (but && strcmp(but, now->seat[seat].player) == 0))
            continue;
        if (game_takes_mail(now, seat))
            ck_assert_int_eq(house_orders_by_mail(&house, &domain, id, seat, ++texts, "build\n"),
                             ORDERS_TAKEN);
        else
            says(now->seat[seat].player, "orders", "build\n");
    }
    if (game()->turn == turn)
        clock_at(game()->clock.deadline + game()->clock.schedule.grace);
    keep_mails();
}

static void people_come_by_mail(void)
{
    house_mailer(&house, "xia");
    house_mailer(&house, "yan");
    house_mailer(&house, "zoe");
    mails("zoe", "join", "nonce: one\n");
    mails("yan", "join", "seat: 2\nnonce: two\n");
    mails("yan", "leave", "");
    mails("yan", "join", "seat: 2\nnonce: three\n");
    says("bob", "join", "nonce: four\n");
    ck_assert_int_eq(game()->turn, 1);
    mails("xia", "join", "nonce: five\n");
    mails("xia", "leave", "");
}

/* As the clock does it, seven days after a moderator has asked. */
static void other_mailbox(const char *name)
{
    struct err err = ERR_INIT;
    struct player player = *registry_find(&house.batch.registry, name);
    (void)snprintf(player.address2, sizeof player.address2, "%s-two@example.net", name);
    ck_ok(registration_move(&house.batch, &player, "mona", NULL, NULL, &err), err);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    keep_mails();
}

START_TEST(replies)
{
    static const char *const nobody[] = {NULL, NULL, NULL};
    static const char *const wanted[] = {"\"said\":\"#turnpost leave",
                                         "\"said\":\"#turnpost extend",
                                         "\"said\":\"#turnpost observe",
                                         "\"said\":\"#turnpost standby",
                                         "\"said\":\"#turnpost unobserve",
                                         "\"said\":\"#turnpost take",
                                         "\"said\":\"#turnpost back",
                                         "\"said\":\"#turnpost resign",
                                         "\"trust\":\"mail\"",
                                         "\"kind\":\"question\"",
                                         "\"kind\":\"mailbox\""};
    struct schedule clock;
    schedule_init(&clock);
    clock.length = 3 * DAY;
    clock.grace = HOUR;
    id = "gm-all";
    domain_open(&domain, 1);
    open_table((struct new_game){.id = id,
                                 .ruleset = ruleset_newest("galaxy-command"),
                                 .seats = 3,
                                 .clock = &clock,
                                 .press = PRESS_GREY,
                                 .missed_robot = 9,
                                 .missed_standby = 1,
                                 .by_mail = true},
               nobody);
    people_come_by_mail();
    mails("zoe", "press", "to: all\nShall we?\n");
    mails("yan", "press", "to: all\nfrom: nobody\nNobody knows who I am.\n");
    mails("zoe", "extend", "hours: 12\n");
    mails("xia", "observe", "");
    mails("xia", "unobserve", "");
    mails("xia", "standby", "");
    other_mailbox("zoe");
    ck_assert(house_question(&house, &domain, id, game_seat_of(game(), "zoe")));
    play_mailed(NULL);
    while (!*game()->seat[game_seat_of(game(), "zoe")].offered)
        play_mailed("zoe");
    char lines[32];
    (void)snprintf(lines, sizeof lines, "seat: %d\n", game_seat_of(game(), "zoe"));
    mails("xia", "take", lines);
    mails("zoe", "back", "");
    mails("yan", "resign", "");
    while (!game()->over && game()->turn < 30)
        play_mailed(NULL);
    ck_assert(game()->over);
    holds(wanted, sizeof wanted / sizeof *wanted);
    is_good();
    char seat[8];
    (void)snprintf(seat, sizeof seat, "%d", game_seat_of(game(), "bob"));
    is_found(&(struct lie){"\"kind\":\"question\"", 1, "seat", seat, "a key"});
    domain_close(&domain);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, everything);
    tcase_add_test(tc, deals);
    tcase_add_test(tc, contract);
    tcase_add_test(tc, farmer);
    tcase_add_test(tc, replies);
}
TEST_MAIN("audit/every_record", cases)
