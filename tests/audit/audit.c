/* The audit against games that somebody tampered with. One game is played by mail, with nearly every kind of
 * record; then it is broken in every way, and the record that was broken must be named. */
#include "house/film.h"

#include "base/date.h"

#define HOUR ((int64_t)3600)

static struct house house;
static struct film whole;   /* to its end */
static struct film running; /* while turn 2 was open */

static void say(const char *name, const char *text)
{
    ck_assert_msg(house_signed(&house, name, name, text) == INTAKE_PROCESSED, "%s: %s", name, text);
}

static void take(struct film *film)
{
    struct err err = ERR_INIT;
    struct str journal = STR_INIT;
    ck_ok(store_read(house.batch.store, "gc-1", STORE_BEGIN, &journal, &err), err);
    film_of(film, slice_str(&journal), house.league.master);
    film->key = house.league.key;
    str_release(&journal);
}

static void turn(const char *const *names, const char *lines)
{
    const struct game *game = house_find(&house, "gc-1");
    struct str text = STR_INIT;
    int number = game->turn;
    for (int i = 0; names[i]; i++) {
        str_clear(&text);
        str_addf(&text, "#turnpost orders\ngame: gc-1\nturn: %d\n%s\n#end\n", number, lines);
        say(names[i], text.p);
    }
    str_release(&text);
}

/* A second key for a seat, for a while: both sign the text, and either takes the other away. */
static void other_key(const char *name, const char *other, const char *verb)
{
    struct pubkey key;
    char print[KEY_SHOWN], text[256];
    secret_public(house_key(&house, other), &key);
    pubkey_show(print, &key);
    (void)snprintf(text, sizeof text, "#turnpost key\nplayer: %s\n%s: %s\n#end\n", name, verb, print);
    (void)house_signed(&house, name, name, text);
    if (strcmp(verb, "add") == 0)
        (void)house_signed(&house, name, other, text);
}

/* Seats are joined, given up, waited for; messages, votes, standbys, observers; a key changes; a turn is
 * missed; one resigns; robots end it. */
static void play(void)
{
    static struct schedule clock;
    struct new_game how = {.id = "gc-1",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 3,
                           .clock = &clock,
                           .missed_robot = 2,
                           .missed_standby = 1};
    static const char *const names[] = {NULL, NULL, "robot"};
    schedule_init(&clock);
    clock.length = 48 * HOUR;
    clock.grace = HOUR;
    for (int i = 0; i < 3; i++)
        how.seat[i + 1] = (struct new_seat){.player = names[i], .robot = names[i] != NULL};
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct step_keys keys = batch_keys(&house.batch);
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    step_init(&step, &keys, house.now);
    ck_ok(step_create(&step, &game, &how, &err), err);
    ck_ok(batch_take(&house.batch, batch_add(&house.batch, &game), &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&house.batch, &err), err);
    batch_reset(&house.batch, true);
    say("anna", "#turnpost join\ngame: gc-1\nnonce: one\n#end\n");
    say("anna", "#turnpost leave\ngame: gc-1\n#end\n");
    say("carol", "#turnpost join\ngame: gc-1\nnonce: two\nseat: 1\n#end\n");
    say("bob", "#turnpost join\ngame: gc-1\nnonce: three\n#end\n");
    say("carol", "#turnpost press\ngame: gc-1\nturn: 1\nto: all\nGood luck to all of you.\n#end\n");
    say("bob", "#turnpost press\ngame: gc-1\nturn: 1\nto: carol\nAnd to you.\n#end\n");
    say("anna", "#turnpost standby\ngame: gc-1\n#end\n");
    say("dora", "#turnpost observe\ngame: gc-1\n#end\n");
    house_clock(&house, house.now + HOUR);
    other_key("carol", "spare", "add");
    other_key("carol", "spare", "revoke");
    turn((const char *const[]){"carol", NULL}, "bide");
    say("carol", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 24\n#end\n");
    say("bob", "#turnpost extend\ngame: gc-1\nturn: 1\nhours: 12\n#end\n");
    house_clock(&house, house_find(&house, "gc-1")->clock.deadline +
                            HOUR); /* bob misses the turn, and his seat is offered */
    take(&running);
    say("anna", "#turnpost take\ngame: gc-1\nturn: 2\nseat: 2\n#end\n");
    turn((const char *const[]){"carol", NULL}, "explore near or bide\nalways auto");
    turn((const char *const[]){"anna", NULL}, "resign");
    say("carol", "#turnpost resign\ngame: gc-1\n#end\n");
    take(&whole);
}

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
    house_player(&house, "carol");
    house_player(&house, "dora");
    (void)house_person(&house, "spare");
    play();
}

static void end(void)
{
    house_close(&house);
    film_drop(&whole);
    film_drop(&running);
}

/* ---- as it is ---- */

static int64_t occurrences(const struct film *film, const char *what)
{
    int64_t count = 0;
    for (size_t i = 0; i < film->records; i++)
        for (const char *at = film->line[i]; (at = strstr(at, what)) != NULL; at++)
            count++;
    return count;
}

START_TEST(it_is_proved)
{
    struct audit_result result;
    film_audit(&whole, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_PROVED, "record %lld: %s", (long long)result.first.seq,
                  result.first.text);
    ck_assert(result.over && result.opened && result.replayed);
    ck_assert_int_eq(result.records, (int64_t)whole.records);
    ck_assert_int_eq(result.joined, 2);
    ck_assert_int_eq(result.robots, 1);
    ck_assert_int_eq(result.counts.press, 2);
    ck_assert_int_eq(result.counts.boxes, occurrences(&whole, "\"box\":\""));
    ck_assert_int_gt(result.counts.reports, 0);
    for (size_t i = 0; i < whole.records && getenv("FILM"); i++)
        printf("%s", whole.line[i]);
}
END_TEST

/* All but press opens by the key in `open`. */
START_TEST(what_its_journal_publishes_is_enough)
{
    struct audit_result result;
    film_audit(&whole, AUDIT_MODERATOR, 0, false, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_PROVED, "record %lld: %s", (long long)result.first.seq,
                  result.first.text);
    ck_assert_int_eq(result.counts.press, 0);
    ck_assert_int_eq(result.counts.press_sealed, 2);
    ck_assert_int_eq(result.counts.boxes, occurrences(&whole, "\"box\":\"") - 2);
}
END_TEST

START_TEST(without_a_key_it_is_proved_in_part)
{
    struct audit_result result;
    film_audit(&running, AUDIT_MODERATOR, 0, false, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_PARTLY, "record %lld: %s", (long long)result.first.seq,
                  result.first.text);
    ck_assert_int_eq(result.records, (int64_t)running.records);
    ck_assert(!result.replayed);
    ck_assert_int_eq(result.counts.boxes, 0);
    ck_assert_int_gt(result.counts.proofs, 0);
    ck_assert_int_gt(result.counts.signatures, 0); /* of petitions, which are public */
    ck_assert_int_eq(result.findings[AUDIT_SEALED], 1);
}
END_TEST

/* Not every one of the robots' turns in the middle has to be broken, and with sanitizers fewer still. */
static bool is_tried(size_t record)
{
    return (record < 28 && (!FEW || record % 4 == 0)) || record + 5 > whole.records ||
           record % (FEW ? 16 : 8) < 2;
}

/* ---- as files are damaged ---- */

/* Broken, at this record (1..), whatever is opened. */
static void must_break(struct film *film, size_t record, const char *how)
{
    struct audit_result result;
    film_audit(film, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_REFUTED, "%s, record %zu: not found", how, record);
    ck_assert_msg(result.first.seq == (int64_t)record, "%s: record %zu, but named was %lld: %s", how, record,
                  (long long)result.first.seq, result.first.text);
    film_drop(film);
}

START_TEST(lines_that_are_changed_lost_doubled_or_swapped)
{
    struct film film;
    for (size_t i = 0; i < whole.records; i++) {
        if (!is_tried(i))
            continue;
        for (size_t at = 3; at < strlen(whole.line[i]); at += FEW ? 601 : 149) {
            film_copy(&film, &whole);
            film.line[i][at] = (char)(film.line[i][at] == 'a' ? 'b' : 'a');
            must_break(&film, i + 1, "a byte");
        }
        film_copy(&film, &whole);
        film_delete(film.line, &film.records, i);
        must_break(&film, i + 1, "a line is missing");
        film_copy(&film, &whole);
        film_insert(film.line, &film.records, i, whole.line[i]);
        must_break(&film, i + 2, "a line twice");
        if (i + 1 < whole.records) {
            film_copy(&film, &whole);
            film_swap(film.line, i, i + 1);
            must_break(&film, i + 1, "two lines swapped");
        }
    }
}
END_TEST

/* It may end where the game waits for something; then it is one that goes on (the league's log knows better). Else what must
 * follow is missing. */
static void must_end(struct film *film, size_t left)
{
    struct audit_result result;
    film_audit(film, AUDIT_MODERATOR, 0, true, &result, NULL);
    if (result.verdict == AUDIT_REFUTED)
        ck_assert_int_eq(result.first.seq, (int64_t)left + 1);
    else
        ck_assert_msg(!result.over && result.records == (int64_t)left, "cut off after %zu", left);
    film_drop(film);
}

START_TEST(a_journal_that_is_cut_off)
{
    struct film film;
    for (size_t left = 0; left < whole.records; left += FEW ? 3 : 1) {
        film_copy(&film, &whole);
        while (film.records > left)
            film_delete(film.line, &film.records, film.records - 1);
        must_end(&film, left);
        film_copy(&film, &whole);
        while (film.records > left + 1)
            film_delete(film.line, &film.records, film.records - 1);
        film.line[left][strlen(film.line[left]) / 2] = '\0';
        must_break(&film, left + 1, "cut off in a line");
    }
}
END_TEST

/* ---- as the league itself could write it ---- */

/* What the league's own key can change and the journal alone cannot show, each with its reason. The players'
 * mails do: receipts and reports carry the head. */
static const char *const unprovable[] = {
    "orders.mail", "seat.mail",   "note.mail", /* digests of mails that nobody keeps here */
    "press.to",    "press.text",               /* the mark is keyed; whom a text is for is read live */
    "key.keys",                                /* whose the keys are is the operator's word */
    "offer.to",    "offer.until",              /* who is asked, and how long, is the operator's choice */
    "close.time",  "turn.time",                /* within what the deadline allows */
    NULL,
};

static bool is_unprovable(const json_t *record, const char *name)
{
    const char *type = json_string_value(json_object_get(record, "type"));
    const char *kind = json_string_value(json_object_get(record, "kind"));
    char one[64], two[64];
    (void)snprintf(one, sizeof one, "%s.%s", type, name);
    (void)snprintf(two, sizeof two, "%s.%s", kind ? kind : type, name);
    for (int i = 0; unprovable[i]; i++)
        if (strcmp(unprovable[i], one) == 0 || strcmp(unprovable[i], two) == 0)
            return true;
    return false;
}

/* Another value of the same kind. */
static json_t *other_value(const json_t *value)
{
    struct str text = STR_INIT;
    json_t *other = json_deep_copy(value);
    int64_t time;
    if (json_is_integer(value)) {
        json_integer_set(other, json_integer_value(value) + 1);
    } else if (json_is_boolean(value)) {
        json_decref(other);
        other = json_boolean(!json_is_true(value));
    } else if (json_is_array(value)) {
        if (json_array_size(other))
            json_array_remove(other, 0);
        else
            json_array_append_new(other, json_integer(1));
    } else if (json_is_object(value)) {
        json_object_clear(other);
    } else if (json_is_string(value)) {
        str_adds(&text, json_string_value(value));
        if (clock_parse(slice_str(&text), &time)) {
            char when[CLOCK_TEXT];
            clock_utc(when, time + 1);
            json_string_set(other, when);
        } else {
            if (!text.len)
                str_addc(&text, 'x');
            text.p[text.len / 2] = (char)(text.p[text.len / 2] == 'a' ? 'b' : 'a');
            json_string_set(other, text.p);
        }
    }
    str_release(&text);
    return other;
}

/* The record in place of the one there, and everything signed again: must be found there or after.
 * `record` is taken over. */
static void resign(size_t i, json_t *record, const char *name, const char *how)
{
    struct film film;
    struct audit_result result;
    bool known = is_unprovable(record, name);
    film_copy(&film, &whole);
    film_sign(&film, i, record);
    film_audit(&film, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_msg(known || (result.verdict >= AUDIT_REFUTED && result.first.seq >= (int64_t)i + 1),
                  "record %zu, \"%s\" %s: not found (%lld)\n%s\nnow\n%s", i + 1, name, how,
                  (long long)result.first.seq, whole.line[i], film.line[i]);
    film_drop(&film);
}

/* The value number *at of all that are in `value`, changed in place; *at becomes -1 when it was among them.
 */
static void change_leaf(json_t *value, int *at) /* NOLINT(misc-no-recursion): records are shallow */
{
    const char *key;
    void *next;
    size_t i;
    json_t *item;
    json_object_foreach_safe (value, next, key, item) {
        if (*at < 0)
            return;
        if ((*at)-- == 0) {
            json_object_set_new(value, key, other_value(item));
            return;
        }
        change_leaf(item, at);
    }
    if (json_is_array(value)) {
        json_array_foreach (value, i, item) {
            if (*at < 0)
                return;
            if ((*at)-- == 0) {
                json_array_set_new(value, i, other_value(item));
                return;
            }
            change_leaf(item, at);
        }
    }
}

static void each_leaf(size_t i, const char *name)
{
    for (int leaf = FEW ? (int)i % 3 : 0;; leaf += FEW ? 3 : 1) {
        json_t *record = film_json(whole.line[i]);
        int at = leaf;
        char how[40];
        (void)snprintf(how, sizeof how, "changed within (%d)", leaf);
        change_leaf(json_object_get(record, name), &at);
        if (at >= 0) {
            json_decref(record);
            return;
        }
        resign(i, record, name, how);
    }
}

START_TEST(every_member_of_every_record)
{
    static const char *const common = " v game seq prev type sig time kind ";
    for (size_t i = 0; i < whole.records; i++) {
        if (!is_tried(i))
            continue;
        json_t *record = film_json(whole.line[i]);
        const char *name;
        json_t *value;
        json_object_foreach (record, name, value) {
            char word[40];
            (void)snprintf(word, sizeof word, " %s ", name);
            if (strstr(common, word))
                continue;
            json_t *other = film_json(whole.line[i]);
            json_object_set_new(other, name, other_value(value));
            resign(i, other, name, "changed");
            other = film_json(whole.line[i]);
            json_object_del(other, name);
            resign(i, other, name, "left out");
            each_leaf(i, name);
        }
        json_object_set_new(record, "comment", json_string("harmless"));
        resign(i, record, "comment", "put in");
    }
}
END_TEST

static void must_break_behind(struct film *film, size_t at, const char *how)
{
    struct audit_result result;
    film_sign(film, at, NULL);
    film_audit(film, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_REFUTED && result.first.seq >= (int64_t)at + 1,
                  "record %zu %s: not found (%lld)", at + 1, how, (long long)result.first.seq);
    film_drop(film);
}

START_TEST(records_left_out_doubled_or_swapped_by_the_league)
{
    struct film film;
    for (size_t i = 1; i < whole.records; i++) {
        if (!is_tried(i))
            continue;
        film_copy(&film, &whole);
        film_delete(film.line, &film.records, i);
        if (i < film.records)
            must_break_behind(&film, i, "left out");
        else
            film_drop(&film);
        film_copy(&film, &whole);
        film_insert(film.line, &film.records, i, whole.line[i]);
        must_break_behind(&film, i, "doubled");
        if (i + 1 == whole.records)
            continue;
        film_copy(&film, &whole);
        film_swap(film.line, i, i + 1);
        must_break_behind(&film, i, "swapped");
    }
}
END_TEST

/* ---- one by one ---- */

static size_t find(const struct film *film, const char *words, int nth)
{
    for (size_t i = 0; i < film->records; i++)
        if (strstr(film->line[i], words) && nth-- == 0)
            return i;
    ck_abort_msg("no record with %s", words);
    return 0;
}

static void must_say(struct film *film, size_t record, enum audit_kind kind, const char *words)
{
    struct audit_result result;
    film_audit(film, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_msg(result.verdict == AUDIT_REFUTED && result.first.seq == (int64_t)record + 1 &&
                      result.first.kind == kind && strstr(result.first.text, words),
                  "want record %zu, %s, \"%s\"; got record %lld, %s, \"%s\"", record + 1,
                  audit_kind_name(kind), words, (long long)result.first.seq,
                  audit_kind_name(result.first.kind), result.first.text);
    film_drop(film);
}

static void set_text(struct film *film, size_t at, const char *name, const char *text)
{
    json_t *record = film_json(film->line[at]);
    json_object_set_new(record, name, json_string(text));
    film_sign(film, at, record);
}

START_TEST(what_it_is_that_is_wrong)
{
    static const struct {
        const char *record; /* part of its line */
        int nth;
        const char *member, *value;
        enum audit_kind kind;
        const char *words;
    } rows[] = {
        {"\"type\":\"turn\"", 2, "time", "2026-11-20T12:00:00Z", AUDIT_TIME, "lies before"},
        {"\"type\":\"turn\"", 2, "state", "0000000000000000000000000000000000000000000000000000000000000000",
         AUDIT_RULES, "the state it names"},
        {"\"type\":\"turn\"", 1, "events", "0000000000000000000000000000000000000000000000000000000000000000",
         AUDIT_RULES, "the events it names"},
        {"\"type\":\"turn\"", 0, "deadline", "2026-11-26T01:00:00Z", AUDIT_DEADLINE, "schedule"},
        {"\"type\":\"open\"", 0, "seal_key",
         "0000000000000000000000000000000000000000000000000000000000000000", AUDIT_SEAL, "promised"},
        {"\"type\":\"end\"", 0, "reason", "all_lost", AUDIT_RULES, "did not end like that"},
        {"\"why\":\"resigned\"", 1, "by", "bob", AUDIT_SIGNATURE, "somebody else"},
        {"\"why\":\"resigned\"", 0, "why", "bored", AUDIT_FORM, "go together"},
        {"\"kind\":\"vote\"", 1, "deadline", "2026-11-24T00:00:00Z", AUDIT_DEADLINE, "voted"},
        {"\"kind\":\"observe\"", 0, "kind", "standby", AUDIT_TEXT, "#turnpost observe"},
        {"\"type\":\"orders\"", 1, "mail", "short", AUDIT_FORM, "not of the right kind"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct film film;
        film_copy(&film, &whole);
        size_t at = find(&film, rows[i].record, rows[i].nth);
        set_text(&film, at, rows[i].member, rows[i].value);
        must_say(&film, at, rows[i].kind, rows[i].words);
    }
}
END_TEST

static void orders_payload(struct str *out, const char *signer, const char *text)
{
    json_t *json = json_pack("{s:o,s:s}", "signature",
                             sits_signature(house_key(&house, signer), slice_of(text)), "text", text);
    str_clear(out);
    json_write(out, json);
    json_decref(json);
}

/* Another payload in a record, in its box and with its seal, as the league itself could write it: orders with a mark
 * (`salted`: with a salt), all else with the salt that `key` gives. */
static void reseal_by(struct film *film, size_t at, const struct sealed_place *place, const char *payload,
                      const unsigned char key[32], bool salted)
{
    struct err err = ERR_INIT;
    unsigned char seal[SEAL_BYTES];
    char is[65];
    struct str box = STR_INIT;
    struct sealed_set set = {NULL, 0, 0};
    json_t *record = film_json(film->line[at]), *of = record;
    if (place->item >= SEAL_HIDDEN)
        of = json_array_get(json_object_get(record, "hidden"), (size_t)place->item - SEAL_HIDDEN);
    if (salted) {
        seal_put(&set, key, place, slice_of(payload), seal, &box);
    } else {
        json_t *says = json_read(slice_of(payload), "payload", &err);
        ck_assert(seal_mark(seal, house_find(&house, "gc-1")->journal.create_head, place->seat, says));
        seal_put_text(&set, key, place, slice_of(payload), seal, &box);
        json_decref(says);
    }
    hex_to(is, seal, sizeof seal);
    if (place->item == SEAL_REPORT) {
        (void)json_array_set_new(json_object_get(record, "reports"), (size_t)place->seat - 1,
                                 json_string(is));
    } else {
        const char *was = json_string_value(json_object_get(of, "seal"));
        for (size_t k = at + 1; k < film->records; k++) /* `close` names it, too */
            for (char *p = film->line[k]; strcmp(was, is) != 0 && (p = strstr(p, was));)
                memcpy(p, is, 64);
        json_object_set_new(of, "seal", json_string(is));
        json_object_set_new(of, "box", json_string(box.p));
    }
    film_sign(film, at, record);
    sealed_set_release(&set);
    str_release(&box);
}

static void reseal(struct film *film, const char *record, int nth, int seat, int item, const char *payload)
{
    unsigned char key[32];
    const size_t at = find(film, record, nth);
    game_seal_key(key, house.league.master, house_find(&house, "gc-1"));
    reseal_by(film, at, &(struct sealed_place){(int64_t)at + 1, seat, item}, payload, key,
              item != SEAL_ORDERS);
}

/* Orders of seat 1 with this text, signed by `signer`, in place of its first ones: what is wrong with
 * them. */
static void orders_say(const char *signer, const char *text, enum audit_kind kind, const char *words)
{
    struct film film;
    struct str payload = STR_INIT;
    static const char orders[] = "\"type\":\"orders\"";
    film_copy(&film, &whole);
    orders_payload(&payload, signer, text);
    reseal(&film, orders, 0, 1, SEAL_ORDERS, payload.p);
    must_say(&film, find(&whole, orders, 0), kind, words);
    str_release(&payload);
}

START_TEST(payloads_that_are_others)
{
    struct film film;
    char head[2 * HEAD_BYTES + 1], part[17], other[2 * HEAD_BYTES + 1];
    unsigned char opened[HEAD_BYTES];
    record_head(opened, slice_of(whole.line[find(&whole, "\"type\":\"start\"", 0)]));
    hex_to(head, opened, sizeof opened);
    (void)snprintf(part, sizeof part, "%.16s", head);
    memset(opened, 7, sizeof opened);
    hex_to(other, opened, sizeof opened);
    const struct {
        const char *signer, *frame, *head, *lines;
        enum audit_kind kind;
        const char *words;
    } rows[] = {
        {"dora", "orders\ngame: gc-1\nturn: 1", head, "bide", AUDIT_SIGNATURE, "was not the player's then"},
        /* By a key that was his for a while. */
        {"spare", "orders\ngame: gc-1\nturn: 1", head, "bide", AUDIT_SIGNATURE, "was not the player's then"},
        /* By his key, but of another game, another turn, with the head of another history or none, not orders
         * at all. */
        {"carol", "orders\ngame: gc-2\nturn: 1", head, "bide", AUDIT_TEXT, "game \"gc-2\""},
        {"carol", "orders\ngame: gc-1\nturn: 2", head, "bide", AUDIT_TEXT, "for turn 2"},
        {"carol", "orders\ngame: gc-1\nturn: 1", other, "bide", AUDIT_TEXT, "another history"},
        {"carol", "orders\ngame: gc-1\nturn: 1", part, "bide", AUDIT_TEXT, "not name a whole head"},
        {"carol", "orders\ngame: gc-1\nturn: 1", NULL, "bide", AUDIT_TEXT, "not name a whole head"},
        {"carol", "resign\ngame: gc-1", head, "", AUDIT_TEXT, "\"#turnpost resign\" and not"},
        {"carol", "orders\ngame: gc-1\nturn: 1", head, "try\nbide", AUDIT_TEXT,
         "nothing that could be accepted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct str text = STR_INIT;
        str_addf(&text, "#turnpost %s\n", rows[i].frame);
        if (rows[i].head)
            str_addf(&text, "head: %s\n", rows[i].head);
        str_addf(&text, "%s\n#end\n", rows[i].lines);
        orders_say(rows[i].signer, text.p, rows[i].kind, rows[i].words);
        str_release(&text);
    }
    film_copy(&film, &whole);
    reseal(&film, "\"type\":\"turn\"", 0, 1, SEAL_REPORT,
           "0000000000000000000000000000000000000000000000000000000000000000");
    must_say(&film, find(&whole, "\"type\":\"turn\"", 0), AUDIT_REPORT, "the report of seat 1");
}
END_TEST

/* What the boxes of a record hold. */
static void open_record(const struct film *film, size_t at, struct sealed_set *set)
{
    struct seal_keys keys = {.seals = true};
    json_t *record = film_json(film->line[at]);
    game_seal_key(keys.seal, house.league.master, house_find(&house, "gc-1"));
    sealed_open(set, &keys, record);
    json_decref(record);
}

/* What a mark leaves open is not the operator's to choose either. */
START_TEST(marks_have_one_form)
{
    static const unsigned char any[32] = {1};
    struct film film;
    unsigned char key[32];
    struct str loose = STR_INIT; /* as the mark does not see it: with a space in its JSON */
    struct sealed_set set = {NULL, 0, 0};
    size_t at = find(&whole, "\"type\":\"orders\"", 0);
    game_seal_key(key, house.league.master, house_find(&house, "gc-1"));
    open_record(&whole, at, &set);
    ck_assert_uint_eq(set.count, 1);
    str_addf(&loose, "{ %s", set.list[0].payload.p + 1);
    film_copy(&film, &whole);
    reseal(&film, "\"type\":\"orders\"", 0, 1, SEAL_ORDERS, loose.p);
    must_say(&film, at, AUDIT_FORM, "not in canonical form");
    for (int own = 0; own < 2; own++) { /* a salted seal where a mark must be */
        film_copy(&film, &whole);
        reseal_by(&film, at, &(struct sealed_place){(int64_t)at + 1, 1, SEAL_ORDERS}, set.list[0].payload.p,
                  own ? key : any, true);
        must_say(&film, at, AUDIT_SEAL, "does not hold what its seal says");
    }
    str_release(&loose);
    sealed_set_release(&set);
}
END_TEST

/* Seals whose salts were chosen: the operator could have tried many. */
START_TEST(a_salt_of_the_operators_choice)
{
    static const unsigned char key[32] = {1};
    struct film film;
    struct sealed_set set = {NULL, 0, 0};
    size_t at = find(&whole, "\"type\":\"start\"", 0);
    open_record(&whole, at, &set);
    ck_assert_uint_gt(set.count, 0);
    film_copy(&film, &whole);
    reseal_by(&film, at, &(struct sealed_place){(int64_t)at + 1, 0, SEAL_HIDDEN}, set.list[0].payload.p, key,
              true);
    must_say(&film, at, AUDIT_SEAL, "does not hold what its seal says");
    film_copy(&film, &whole);
    reseal_by(&film, at, &(struct sealed_place){(int64_t)at + 1, 1, SEAL_REPORT},
              "0000000000000000000000000000000000000000000000000000000000000000", key, true);
    must_say(&film, at, AUDIT_REPORT, "the report of seat 1");
    sealed_set_release(&set);
}
END_TEST

/* The league resolves a turn before its deadline, to lose the orders of somebody who is late. */
START_TEST(a_turn_before_its_time)
{
    struct err err = ERR_INIT;
    struct step step;
    struct film film;
    struct str journal = STR_INIT;
    struct step_keys keys = batch_keys(&house.batch);
    static const char *const names[] = {"anna", "bob"};
    house_game(&house, "gc-2", "galaxy-command", 86400, 2, names);
    struct game *game = house_find(&house, "gc-2");
    size_t at = (size_t)game->seq;
    ck_ok(store_read(house.batch.store, "gc-2", STORE_BEGIN, &journal, &err), err);
    step_init(&step, &keys, house.now + HOUR);
    ck_ok(step_resolve(&step, game, &err), err);
    str_addslice(&journal, slice_str(&step.records));
    step_release(&step);
    film_of(&film, slice_str(&journal), house.league.master);
    struct film copy;
    film_copy(&copy, &film);
    must_say(&film, at, AUDIT_DEADLINE, "before its deadline while orders of anna are missing");
    /* Nothing needs to be opened for that. */
    struct audit_result result;
    film_audit(&copy, AUDIT_PUBLIC, 0, true, &result, NULL);
    ck_assert_int_eq(result.first.seq, (int64_t)at + 1);
    ck_assert_int_eq((int)result.first.kind, AUDIT_DEADLINE);
    film_drop(&copy);
    house_restart(&house); /* that step was never committed */
    str_release(&journal);
}
END_TEST

START_TEST(the_league_s_key)
{
    struct err err = ERR_INIT;
    struct audit_result result;
    struct str journal = STR_INIT;
    struct lines one;
    struct audit audit;
    unsigned char other[32] = {9};
    film_join(whole.line, whole.records, &journal);
    lines_memory(&one, slice_str(&journal));
    audit_init(&audit, &one);
    audit.league_key = whole.key.point;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_int_eq((int)result.verdict, AUDIT_PROVED);
    audit.league_key = other;
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_int_eq((int)result.verdict, AUDIT_REFUTED);
    ck_assert_int_eq((int)result.first.kind, AUDIT_LEAGUE_KEY);
    ck_assert_int_eq(result.first.seq, 1);
    audit.league_key = NULL;
    audit.game = "gc-3";
    ck_ok(audit_run(&audit, &result, &err), err);
    ck_assert_int_eq((int)result.first.kind, AUDIT_CHAIN);
    str_release(&journal);
}
END_TEST

/* ---- who may know what ---- */

static void told(const struct film *film, enum audit_view view, int seat, bool keyed, struct str *out)
{
    struct audit_result result;
    json_t *findings = json_array();
    film_audit(film, view, seat, keyed, &result, findings);
    json_t *json = audit_json(&result, findings);
    str_clear(out);
    json_write(out, json);
    json_decref(json);
}

/* The public sees nothing more with the league's key than without; a seat its own orders. */
START_TEST(what_is_sealed_is_not_looked_at)
{
    struct str want = STR_INIT, got = STR_INIT;
    told(&running, AUDIT_PUBLIC, 0, false, &want);
    ck_assert_msg(strstr(want.p, "\"proved as far as opened\""), "%s", want.p);
    told(&running, AUDIT_PUBLIC, 0, true, &got);
    ck_assert_str_eq(got.p, want.p);
    for (int seat = 1; seat <= 3; seat++) {
        struct audit_result result;
        char own[16];
        int64_t orders = 0;
        (void)snprintf(own, sizeof own, "\"seat\":%d,", seat);
        for (size_t i = 0; i < running.records; i++)
            orders += strstr(running.line[i], "\"type\":\"orders\"") && strstr(running.line[i], own);
        film_audit(&running, AUDIT_SEAT, seat, true, &result, NULL);
        ck_assert_int_eq((int)result.verdict, AUDIT_PARTLY);
        ck_assert_int_eq(result.counts.boxes, orders);
    }
    str_release(&want);
    str_release(&got);
}
END_TEST

START_TEST(a_running_game_is_proved_to_its_moderator)
{
    struct audit_result result;
    film_audit(&running, AUDIT_MODERATOR, 0, true, &result, NULL);
    ck_assert_int_eq((int)result.verdict, AUDIT_PROVED);
    ck_assert(!result.over && result.replayed);
    ck_assert_int_eq(result.turn, 2);
}
END_TEST

static int64_t reports_in(struct slice journal)
{
    struct slice line;
    int64_t count = 0;
    while (slice_line(&journal, &line)) {
        struct err err = ERR_INIT;
        json_t *record = json_read(line, "record", &err);
        size_t i;
        json_t *seal;
        json_array_foreach (json_object_get(record, "reports"), i, seal)
            count += json_string_length(seal) > 0;
        json_decref(record);
    }
    return count;
}

/* Those of games/: each is proved, and its reports. In the views of seats and of the public some of them in `make
 * test`. */
START_TEST(recorded_games_are_proved)
{
    struct err err = ERR_INIT;
    struct store *store = store_open("games");
    struct file_names names;
    ck_ok(store_games(store, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        struct str journal = STR_INIT;
        struct audit_result result;
        if (!store_has(store, names.name[i]))
            continue;
        if (!FEW || i % 8 == 0)
            (void)audited(store, names.name[i], true);
        ck_ok(store_read(store, names.name[i], STORE_BEGIN, &journal, &err), err);
        audited_bytes(slice_str(&journal), NULL, &result);
        ck_assert_msg(result.verdict == AUDIT_PROVED, "%s, record %lld: %s", names.name[i],
                      (long long)result.first.seq, result.first.text);
        ck_assert(result.over && result.opened);
        ck_assert_int_eq(result.counts.reports, reports_in(slice_str(&journal)));
        str_release(&journal);
    }
    file_names_free(&names);
    store_close(store);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, begin, end);
    tcase_add_test(tc, recorded_games_are_proved);
    tcase_add_test(tc, it_is_proved);
    tcase_add_test(tc, what_its_journal_publishes_is_enough);
    tcase_add_test(tc, without_a_key_it_is_proved_in_part);
    tcase_add_test(tc, lines_that_are_changed_lost_doubled_or_swapped);
    tcase_add_test(tc, a_journal_that_is_cut_off);
    tcase_add_test(tc, every_member_of_every_record);
    tcase_add_test(tc, records_left_out_doubled_or_swapped_by_the_league);
    tcase_add_test(tc, what_it_is_that_is_wrong);
    tcase_add_test(tc, payloads_that_are_others);
    tcase_add_test(tc, marks_have_one_form);
    tcase_add_test(tc, a_salt_of_the_operators_choice);
    tcase_add_test(tc, a_turn_before_its_time);
    tcase_add_test(tc, the_league_s_key);
    tcase_add_test(tc, what_is_sealed_is_not_looked_at);
    tcase_add_test(tc, a_running_game_is_proved_to_its_moderator);
}
TEST_MAIN_TOGETHER("audit/audit", cases)
