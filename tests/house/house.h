/* A whole league in a scratch folder, with players whose keys are here, driven by mails as `turnpost run` is:
 * intake, commit, clock; and the mails that left. For suites of what is done by mail. */
#ifndef TESTS_HOUSE_HOUSE_H
#define TESTS_HOUSE_HOUSE_H

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/date.h"
#include "base/encode.h"
#include "base/file.h"
#include "house/audited.h"
#include "house/sits_mailed.h"
#include "batch/batch.h"
#include "dns/resolver.h"
#include "game/cache.h"
#include "intake/intake.h"
#include "intake/silence.h"
#include "journal/memory.h"
#include "keys_alone.h"
#include "petitions/moderate.h"
#include "petitions/rekey.h"
#include "mail/message.h"
#include "scratch.h"
#include "suite.h"
#include "trust/canon.h"
#include "trust/signature.h"
#include "game/game_load.h"

#define HOUSE_NOON    ((int64_t)1795176000) /* 2026-11-20T12:00:00Z */
#define HOUSE_ADDRESS "league@example.org"
#define HOUSE_PEOPLE  12

struct house {
    char dir[SCRATCH_PATH];
    struct league league;
    struct batch batch;
    int64_t now;
    int64_t arrived; /* when mails came; 0 = now */
    int mails;       /* so that each mail has a digest of its own */
    struct {
        char name[PLAYER_NAME];
        struct secret key;
    } person[HOUSE_PEOPLE];
    int people;
    bool unproved;                /* the suite breaks a journal: house_close does not audit */
    struct str last_raw;          /* the last mail that was put in */
    const struct schedule *clock; /* of the games that house_game makes; NULL = turns of a length */
    bool typo_wait;               /* and how long their orders keep a turn open */
    int64_t second_thoughts;
    bool by_mail; /* and whether a mail domain's word counts there */
    json_t *ids;  /* of the mails that left, with a digest of what each says */
};

static inline void house_begin(struct house *h)
{
    struct err err = ERR_INIT;
    json_object_clear(h->ids); /* its files may be older ones now */
    ck_ok(league_open(h->dir, true, &h->league, &err), err);
    ck_ok(batch_open(&h->batch, &h->league, h->now, &err), err);
}

static inline void house_end(struct house *h)
{
    batch_close(&h->batch);
    resolver_close(h->league.resolver); /* of suites that have opened one */
    league_close(&h->league);
}

/* As the next run of the program finds it. */
static inline void house_restart(struct house *h)
{
    house_end(h);
    house_begin(h);
}

/* A path in the league's folder; free it. */
static inline char *house_path(const struct house *h, const char *name)
{
    return path_join(h->dir, name);
}

static inline void house_remove(const struct house *h, const char *name)
{
    char *path = house_path(h, name);
    scratch_remove(path);
    free(path);
}

/* scratch_copy within the league's folder. */
static inline void house_copy(const struct house *h, const char *from, const char *to)
{
    char *one = house_path(h, from), *other = house_path(h, to);
    scratch_copy(one, other);
    free(one);
    free(other);
}

static const char *const house_catalog[] = {"catalog.sqlite", "catalog.sqlite-wal", "catalog.sqlite-shm"};

/* The catalog with its side files; only between house_end and house_begin. */
static inline void house_remove_catalog(const struct house *h)
{
    for (size_t i = 0; i < sizeof house_catalog / sizeof *house_catalog; i++)
        house_remove(h, house_catalog[i]);
}

static inline void house_open(struct house *h)
{
    struct err err = ERR_INIT;
    memset(h, 0, sizeof *h);
    scratch_make(h->dir, "house");
    h->now = HOUSE_NOON;
    h->ids = json_object();
    str_init(&h->last_raw);
    ck_ok(league_init(h->dir, "Orion League", HOUSE_ADDRESS, &err), err);
    ck_assert(keys_alone(h->dir));
    house_begin(h);
}

static inline struct game *house_find(struct house *h, const char *id);

/* What `turnpost moderate` does: lines from "do:" on, in the operator's name. */
static inline void house_rules(struct house *h, const char *id, const char *lines)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT;
    struct frame frame;
    enum petition_fate fate;
    str_addf(&text, "#turnpost moderate\ngame: %s\n%s#end\n", id, lines);
    ck_ok(frame_parse(slice_str(&text), &frame, &err), err);
    struct hearing hearing = {.batch = &h->batch,
                              .player = OPERATOR,
                              .frame = &frame,
                              .exact = slice_str(&text),
                              .canonical = slice_str(&text)};
    static const unsigned char request[32] = {7};
    if (strcmp(id, "any") != 0)
        (void)house_find(h, id);
    h->batch.now = h->now;
    h->batch.cause.request = request;
    ck_ok(petition_hear(&hearing, &fate, &err), err);
    h->batch.cause.request = NULL;
    if (fate != PETITION_HEARD)
        (void)hearing_quote(&hearing, &err);
    ck_assert_msg(fate == PETITION_HEARD, "%s: %s", id, err.text);
    hearing_release(&hearing);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
    str_release(&text);
}

/* The first game and the chosen ones prove themselves; then chosen ones that still run are ended, so that all seals may be opened,
 * and what is published of them is audited too (once: not in the sanitizer build as well). */
static inline void house_prove(struct house *h)
{
    struct err err = ERR_INIT;
    struct file_names names;
    bool first = true;
    ck_ok(store_games(h->batch.store, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        if (!store_has(h->batch.store, names.name[i]))
            continue;
        const bool chosen = audited(h->batch.store, names.name[i], first);
        first = false;
        if (!chosen || SANITIZED)
            continue;
        if (!house_find(h, names.name[i])->over)
            house_rules(h, names.name[i], "do: void\nreason: The suite ends.\n");
        published(h->batch.store, &h->league, h->batch.templates, &h->batch.registry, names.name[i]);
    }
    file_names_free(&names);
}

static inline void house_close(struct house *h)
{
    const char *keep = getenv("HOUSE_KEEP"); /* a folder for the leagues, to look at their files */
    if (keep) {
        char *to = path_join(keep, strrchr(h->dir, '/') + 1);
        scratch_copy(h->dir, to);
        free(to);
    }
    if (!h->unproved)
        house_prove(h);
    house_end(h);
    scratch_remove(h->dir);
    json_decref(h->ids);
    str_release(&h->last_raw);
}

/* Appends to league.ini; counts from the next house_restart on. */
static inline void house_option(struct house *h, const char *section, const char *line)
{
    struct err err = ERR_INIT;
    struct str text = STR_INIT, changed = STR_INIT;
    char *path = path_join(h->dir, "league.ini");
    ck_ok(file_read(path, 1 << 20, &text, &err), err);
    size_t at = slice_find(slice_str(&text), section) + strlen(section);
    str_addf(&changed, "%.*s\n%s%s", (int)at, text.p, line, text.p + at);
    ck_ok(file_write_soft(path, slice_str(&changed), 0600, &err), err);
    free(path);
    str_release(&text);
    str_release(&changed);
}

static inline const struct secret *house_key(const struct house *h, const char *name)
{
    for (int i = 0; i < h->people; i++)
        if (strcmp(h->person[i].name, name) == 0)
            return &h->person[i].key;
    ck_abort_msg("no such person: %s", name);
    return NULL;
}

/* A key for somebody who is not (yet) registered. */
static inline const struct secret *house_person(struct house *h, const char *name)
{
    for (int i = 0; i < h->people; i++)
        if (strcmp(h->person[i].name, name) == 0)
            return &h->person[i].key;
    ck_assert_int_lt(h->people, HOUSE_PEOPLE);
    (void)snprintf(h->person[h->people].name, PLAYER_NAME, "%s", name);
    secret_new(&h->person[h->people].key);
    return &h->person[h->people++].key;
}

/* From now on that person's key is the player's, in place of those that they had. */
static inline void house_rekeys(struct house *h, const char *player, const char *person)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    secret_public(house_person(h, person), &key);
    struct player same = *registry_find(&h->batch.registry, player);
    struct registry_change change = {
        .what = "key", .player = &same, .key_owner = player, .keys = &key, .key_count = 1};
    ck_ok(batch_change(&h->batch, &change, &err), err);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

/* A registered player, NAME@example.net. */
static inline void house_player(struct house *h, const char *name)
{
    struct err err = ERR_INIT;
    struct player player;
    struct pubkey key;
    player_init(&player);
    player.html = false;
    player.since = h->now;
    secret_public(house_person(h, name), &key);
    (void)snprintf(player.name, sizeof player.name, "%s", name);
    (void)snprintf(player.address, sizeof player.address, "%s@example.net", name);
    struct registry_change change = {
        .what = "register", .player = &player, .key_owner = name, .keys = &key, .key_count = 1};
    ck_ok(batch_change(&h->batch, &change, &err), err);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

/* By whom the players of a game sit down: by a key of theirs that is here, which names the others, or by a mail. */
static inline void house_sitters(struct house *h, const struct domain *domain, const struct new_game *how,
                                 struct sitter by[SEATS_MAX + 1])
{
    memset(by, 0, (SEATS_MAX + 1) * sizeof *by);
    for (int seat = 1; seat <= how->seats; seat++) {
        const struct new_seat *who = &how->seat[seat];
        if (!who->player || who->robot)
            continue;
        by[seat].key_count = keyring_of(&h->batch.keyring, who->player, by[seat].keys);
        for (int i = 0; i < h->people; i++)
            for (size_t k = 0; k < by[seat].key_count; k++)
                if (memcmp(by[seat].keys[k].point, h->person[i].key.point, 32) == 0)
                    by[seat].secret = &h->person[i].key;
        if (!by[seat].key_count)
            by[seat] = (struct sitter){.domain = domain, .mails = sits_by_mail};
    }
}

/* A game with these players ("anna", "bob"; names that begin with "robot" are robots, NULL is a free seat);
 * started when no seat is free. */
static inline void house_game_of(struct house *h, struct new_game how, const char *const *names)
{
    struct err err = ERR_INIT;
    struct step step;
    struct game game;
    struct domain domain = {.signs_to = false};
    struct sitter by[SEATS_MAX + 1];
    struct step_keys keys = batch_keys(&h->batch);
    struct schedule clock;
    int seats = how.seats;
    if (how.clock) { /* as making_take does */
        clock = *how.clock;
        how.clock = &clock;
        ck_ok(schedule_take_zone(&clock, &h->batch.zones, h->now, &err), err);
    }
    for (int i = 0; i < GAME_OPTIONS && how.ruleset->options[i].name; i++)
        how.options[i] = how.ruleset->options[i].initial;
    for (int seat = 1; seat <= seats; seat++) {
        how.seat[seat].player = names[seat - 1];
        how.seat[seat].robot = names[seat - 1] && str_starts(names[seat - 1], "robot");
    }
    domain_open(&domain, 1);
    house_sitters(h, &domain, &how, by);
    step_init(&step, &keys, h->now);
    ck_ok(sits_create(&step, &game, &how, by, &err), err);
    domain_close(&domain);
    struct batch_game *entry = batch_add(&h->batch, &game);
    ck_ok(batch_take(&h->batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

static inline void house_game(struct house *h, const char *id, const char *ruleset, int64_t turn_length,
                              int seats, const char *const *names)
{
    struct new_game how = {.id = id,
                           .ruleset = ruleset_newest(ruleset),
                           .seats = seats,
                           .turn_length = turn_length,
                           .clock = h->clock,
                           .typo_wait = h->typo_wait,
                           .by_mail = h->by_mail,
                           .second_thoughts = h->second_thoughts,
                           .missed_robot = 3};
    house_game_of(h, how, names);
}

static inline struct game *house_find(struct house *h, const char *id)
{
    struct err err = ERR_INIT;
    struct batch_game *entry;
    ck_ok(batch_game(&h->batch, id, &entry, &err), err);
    return &entry->game;
}

/* The spool as it is: all mails that may leave, and away with them. */
static inline void house_empty_spool(struct house *h)
{
    struct err err = ERR_INIT;
    struct file_names names;
    char *dir = path_join(h->dir, "spool/new");
    ck_ok(file_list(dir, &names, &err), err);
    for (size_t i = 0; i < names.count; i++) {
        char *path = path_join(dir, names.name[i]);
        ck_ok(file_remove(path, &err), err);
        free(path);
    }
    file_names_free(&names);
    free(dir);
}

/* No mail leaves intake without a verdict that says something, or unanswered for a reason that is on no list. */
static inline void house_logged(const struct house *h, size_t before)
{
    ck_assert_uint_eq(h->batch.news.logged_count, before + 1);
    const struct catalog_mail *line = &h->batch.news.logged[before];
    ck_assert_int_ge(line->verdict, VERDICT_TAKEN);
    ck_assert_int_le(line->verdict, VERDICT_GIVEN_UP);
    ck_assert_str_ne(line->words, "");
    ck_assert_msg(!strstr(line->words, silence_words(SILENCE_UNKNOWN)), "%s", line->words);
}

/* A raw mail through intake into the batch, every other one looked into ahead, as a server's thread does. */
static inline enum intake_fate house_take(struct house *h, struct slice raw)
{
    struct err err = ERR_INIT;
    enum intake_fate fate;
    struct incoming incoming = {
        .id = NULL, .arrived = h->arrived ? h->arrived : h->now, .size = raw.len, .raw = STR_INIT};
    struct reading reading = {0};
    str_addslice(&incoming.raw, raw);
    h->batch.now = h->now;
    if (h->mails % 2)
        reading_make(&reading, &incoming, &h->league);
    size_t logged = h->batch.news.logged_count;
    ck_ok(intake_mail(&h->batch, &incoming, &reading, &fate, &err), err);
    house_logged(h, logged);
    reading_release(&reading);
    str_release(&incoming.raw);
    return fate;
}

/* No two mails that say different things have one id: a mailbox that drops doubles would lose one. */
static inline void house_ids(struct house *h)
{
    for (size_t i = 0; i < h->batch.mails.count; i++) {
        const struct outgoing *mail = h->batch.mails.list[i];
        const char *body = mail->mail.len ? strstr(mail->mail.p, "\r\n\r\n") : NULL;
        unsigned char digest[MESSAGE_DIGEST];
        char hex[2 * MESSAGE_DIGEST + 1];
        struct str id = STR_INIT;
        if (!body)
            continue;
        message_digest(digest, slice_of(body));
        hex_to(hex, digest, sizeof digest);
        str_addf(&id, "%s@%s", mail->id, h->league.life);
        const char *known = json_string_value(json_object_get(h->ids, id.p));
        ck_assert_msg(!known || strcmp(known, hex) == 0, "another mail had the id %s:\n%s", id.p,
                      mail->mail.p);
        json_object_set_new(h->ids, id.p, json_string(hex));
        str_release(&id);
    }
}

/* The same with its commit. */
static inline enum intake_fate house_raw(struct house *h, struct slice raw)
{
    struct err err = ERR_INIT;
    enum intake_fate fate = house_take(h, raw);
    house_ids(h);
    ck_ok(batch_commit(&h->batch, &err), err);
    ck_assert_uint_eq(h->batch.broken, 0);
    batch_reset(&h->batch, true);
    return fate;
}

/* What servers and mail programs put on top of a mail: some kilobytes. Answers to strangers are measured by
 * it.
 */
static inline void house_travelled(struct str *raw)
{
    for (int i = 0; i < 40; i++)
        str_addf(raw,
                 "X-Way-%02d: what servers and mail programs on its way have to say of it, at length\r\n", i);
}

/* A mail from NAME@example.net. */
static inline enum intake_fate house_mail(struct house *h, const char *name, const char *subject,
                                          const char *text)
{
    str_clear(&h->last_raw);
    house_travelled(&h->last_raw);
    str_addf(&h->last_raw,
             "From: %s@example.net\r\nTo: " HOUSE_ADDRESS
             "\r\nSubject: %s\r\nMessage-ID: <%d@example.net>\r\n"
             "Date: Fri, 20 Nov 2026 12:00:00 +0000\r\n\r\n%s",
             name, subject, ++h->mails, text);
    return house_raw(h, slice_str(&h->last_raw));
}

/* The text with a line put in after its line `at`. */
static inline void house_put_line(const char *text, const char *at, const char *name, const char *value,
                                  struct str *out)
{
    size_t line = (size_t)(at - text) + strcspn(at, "\n") + 1;
    str_addf(out, "%.*s%s: %s\n%s", (int)line, text, name, value, text + line);
}

/* Is this text one whose record is the registry's, though it may name a game? */
static inline bool house_registers(const char *text)
{
    return strncmp(text, "#turnpost mute\n", 15) == 0 || strncmp(text, "#turnpost unmute\n", 17) == 0;
}

/* The text with today's line "date:", where its league wants one and it has none. */
static inline void house_dated(struct house *h, const char *text, bool wants, struct str *out)
{
    char day[DATE_TEXT];
    date_text(day, h->now / DAY_SECONDS);
    if (wants && !strstr(text, "\ndate:"))
        house_put_line(text, text, "date", day, out);
    else
        str_adds(out, text);
}

/* The text with the head of its game, if it names one and no head; if it names none, with the league. */
static inline void house_bound(struct house *h, const char *text, bool wants_league, struct str *out)
{
    const char *at = strstr(text, "\ngame: ");
    char id[GAME_NAME] = "", head[2 * HEAD_BYTES + 1], print[KEY_FINGERPRINT];
    struct err err = ERR_INIT;
    struct batch_game *entry = NULL;
    const char *end = strstr(text, "#end");
    if (at && (!end || at < end))
        (void)snprintf(id, sizeof id, "%.*s", (int)strcspn(at + 7, "\n"), at + 7);
    const char *own = strstr(text, "\nhead: ");
    bool has =
        own && own < end && own[7 + strcspn(own + 7, " \n")] == '\n'; /* one word, else it is no field */
    has |= strstr(text, "\nhead:\n") != NULL;
    if (wants_league && !strstr(text, "\nleague:")) {
        league_fingerprint(&h->league, print);
        house_put_line(text, text, "league", print, out);
    } else if (wants_league || !*id || has || !store_has(h->batch.store, id) ||
               batch_game(&h->batch, id, &entry, &err)) {
        str_adds(out, text);
    } else {
        game_answer_head(head, &entry->game);
        if (strncmp(text, "#turnpost join\n", 15) == 0)
            hex_to(head, entry->game.journal.create_head, HEAD_BYTES);
        house_put_line(text, at + 1, "head", head, out);
    }
}

/* Does it name no game? */
static inline bool house_nowhere(const char *text)
{
    const char *at = strstr(text, "\ngame: "), *end = strstr(text, "#end");
    return !at || (end && at > end) || strncmp(at, "\ngame: any\n", 11) == 0;
}

/* The text, as its league wants it: with the head, if it names a game and no head; if it names no game, with
 * the league and the day. A line "league: none", "head: none" or "date: none" is taken out: then there is
 * none. */
static inline void house_headed(struct house *h, const char *text, struct str *out)
{
    static const char *const none[] = {"\nleague: none\n", "\nhead: none\n", "\ndate: none\n"};
    struct str dated = STR_INIT, bound = STR_INIT;
    bool other = strncmp(text, "#turnpost ", 10) == 0 && strncmp(text, "#turnpost orders", 16) != 0;
    bool nowhere = other && house_nowhere(text);
    house_dated(h, text, nowhere || house_registers(text), &dated);
    house_bound(h, dated.p, nowhere, &bound);
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        size_t at = slice_find(slice_str(&bound), none[i]);
        if (at == (size_t)-1)
            continue;
        struct str rest = STR_INIT;
        str_adds(&rest, bound.p + at + strlen(none[i]));
        str_cut(&bound, at + 1);
        str_addslice(&bound, slice_str(&rest));
        str_release(&rest);
    }
    str_addslice(out, slice_str(&bound));
    str_release(&dated);
    str_release(&bound);
}

/* Appends such a text and its signature. */
static inline void house_sign(struct house *h, const char *signer, const char *text, struct str *body)
{
    size_t from = body->len;
    house_headed(h, text, body);
    char *signed_text = slice_dup(slice_sub(slice_str(body), from, body->len));
    sshsig_sign(body, house_key(h, signer)->key, NS_ORDERS, slice_of(signed_text));
    free(signed_text);
}

/* A text to register with, with the address that it wants, unless it has one. */
static inline void house_addressed(const char *name, const char *text, struct str *out)
{
    char address[PLAYER_ADDRESS];
    (void)snprintf(address, sizeof address, "%s@example.net", name);
    if (strncmp(text, "#turnpost register\n", 19) == 0 && !strstr(text, "\naddress:"))
        house_put_line(text, text, "address", address, out);
    else
        str_adds(out, text);
}

/* A text, from its "#turnpost" to its "#end", signed by `signer` and mailed by `name`. */
static inline enum intake_fate house_signed(struct house *h, const char *name, const char *signer,
                                            const char *text)
{
    struct str body = STR_INIT, addressed = STR_INIT;
    house_addressed(name, text, &addressed);
    house_sign(h, signer, addressed.p, &body);
    enum intake_fate fate = house_mail(h, name, "orders", body.p);
    str_release(&addressed);
    str_release(&body);
    return fate;
}

/* A round begins now, and the pauses before it are usual ones. */
static inline void house_begins_round(struct house *h)
{
    struct err err = ERR_INIT;
    ck_ok(batch_round(&h->batch, h->now, &err), err);
    for (size_t i = 0; i < h->batch.outside.pause_count; i++)
        h->batch.pauses.list[i].outage = false;
}

/* The clock at `now`, committed. */
static inline void house_clock(struct house *h, int64_t now)
{
    struct err err = ERR_INIT;
    bool more = true;
    h->now = h->batch.now = now;
    while (more) {
        ck_ok(rekey_clock(&h->batch, &err), err);
        ck_ok(batch_clock(&h->batch, 100, &more, &err), err);
        ck_ok(batch_commit(&h->batch, &err), err);
        batch_reset(&h->batch, true);
    }
}

/* Are the words in it, however its lines are broken and its columns are set? */
static inline bool house_says(const char *text, const char *words)
{
    for (; *text; text++) {
        const char *t = text, *w = words;
        for (; *w && (*t == *w || (*t == '\n' && *w == ' ')); w++)
            t += *w == ' ' && w[1] != ' ' ? strspn(t, " \n") : 1;
        if (!*w)
            return true;
    }
    return false;
}

/* Is it there as a word of its own? The letters of a signature may contain any short word. */
static inline bool house_names(struct slice text, const char *word)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const size_t len = strlen(word);
    for (size_t at = 0; at + len <= text.len; at++)
        if (memcmp(text.p + at, word, len) == 0 && (at == 0 || !memchr(letters, text.p[at - 1], 64)) &&
            (at + len == text.len || !memchr(letters, text.p[at + len], 64)))
            return true;
    return false;
}

/* All mails in the spool to NAME@example.net (NULL: to anybody), one after the other as their plain texts
 * with "Subject: ..." before each; the spool is left as it is. The caller releases. */
static inline int house_mails(struct house *h, const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    const char *own[] = {HOUSE_ADDRESS};
    char address[PLAYER_ADDRESS];
    int count = 0;
    (void)snprintf(address, sizeof address, "%s@example.net", name ? name : "");
    str_init(out);
    ck_ok(spool_due(h->batch.spool, h->now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        struct message msg;
        ck_ok(spool_load(h->batch.spool, list.path[i], &mail, &err), err);
        if (!name || strcmp(mail.envelope_to, address) == 0) {
            ck_ok(message_parse(slice_str(&mail.mail), &message_limits_default,
                                &(struct message_identity){own, 1, HOUSE_ADDRESS, 0}, &msg, &err),
                  err);
            ck_assert_msg(!strstr(mail.mail.p, "Reply-To: \r\n") && !strstr(mail.mail.p, "Reply-To: \n"),
                          "%s", mail.mail.p);
            str_addf(out, "Subject: %s\n", msg.subject);
            str_addslice(out, slice_str(&msg.parts[0].shown));
            message_release(&msg);
            count++;
        }
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    return count;
}

/* What proves the mails to the player, as it is in the spool: their attachments. */
static inline void house_proofs(struct house *h, const char *name, struct str *out)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char address[PLAYER_ADDRESS];
    (void)snprintf(address, sizeof address, "%s@example.net", name);
    str_init(out);
    ck_ok(spool_due(h->batch.spool, h->now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(h->batch.spool, list.path[i], &mail, &err), err);
        const char *file = strstr(mail.mail.p, "filename=\"proof.txt\"");
        if (strcmp(mail.envelope_to, address) == 0 && file)
            str_adds(out, file);
        outgoing_release(&mail);
    }
    spool_list_free(&list);
}

/* How many of the mails in the spool answer the last mail that was put in by house_mail or house_signed. */
static inline int house_answers(struct house *h)
{
    struct err err = ERR_INIT;
    struct spool_list list;
    char mark[64];
    int count = 0;
    (void)snprintf(mark, sizeof mark, "\r\nIn-Reply-To: <%d@example.net>\r\n", h->mails);
    ck_ok(spool_due(h->batch.spool, h->now, &list, &err), err);
    for (size_t i = 0; i < list.count; i++) {
        struct outgoing mail;
        ck_ok(spool_load(h->batch.spool, list.path[i], &mail, &err), err);
        count += slice_find(slice_str(&mail.mail), mark) != (size_t)-1;
        outgoing_release(&mail);
    }
    spool_list_free(&list);
    return count;
}

/* The clock of one game, whether the catalog calls it due or not; committed. */
static inline void house_tick(struct house *h, const char *id, int64_t now)
{
    struct err err = ERR_INIT;
    struct batch_game *entry;
    struct step step;
    struct step_keys keys = batch_keys(&h->batch);
    h->now = h->batch.now = now;
    ck_ok(batch_game(&h->batch, id, &entry, &err), err);
    step_init(&step, &keys, now);
    ck_ok(step_clock(&step, &entry->game, &err), err);
    ck_ok(step_finish(&step, &entry->game, &err), err);
    ck_ok(batch_take(&h->batch, entry, &step, NULL, &err), err);
    step_release(&step);
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
}

/* Copies the records of a game after `from` into a store in memory, `count` of them, and returns where that ends. */
static inline struct store_pos house_remember(struct house *h, struct store *memory, const char *id,
                                              struct store_pos from, int64_t count)
{
    struct err err = ERR_INIT;
    struct str lines = STR_INIT;
    struct slice rest, line;
    ck_ok(store_read(h->batch.store, id, from, &lines, &err), err);
    rest = slice_str(&lines);
    for (int64_t i = 0; i < count; i++)
        ck_assert(slice_line(&rest, &line));
    struct store_append part = {id, from, slice_sub(slice_str(&lines), 0, lines.len - rest.len)};
    store_give_master(memory, store_master(h->batch.store));
    ck_ok(store_append(memory, &part, &err), err);
    struct store_pos end = store_after(from, part.records);
    str_release(&lines);
    return end;
}

/* The same game from a store that is no folder of files (journal/memory.h): from all of its records, and from the
 * cache of half of them with the others after it. */
static inline void house_elsewhere(struct house *h, const char *id, const char *state)
{
    struct err err = ERR_INIT;
    struct store *memory = memory_open();
    struct game game;
    int64_t seq = house_find(h, id)->seq;
    struct store_pos half = house_remember(h, memory, id, STORE_BEGIN, (seq + 1) / 2);
    for (int i = 0; i < 2; i++) {
        struct str got = STR_INIT;
        if (i == 1)
            (void)house_remember(h, memory, id, half, seq - half.seq);
        ck_ok(game_load(memory, id, h->league.master, &game, &err), err);
        ck_ok(game_save(memory, &game, h->league.master, &err), err);
        ck_ok(store_read_state(memory, id, &got, &err), err);
        ck_assert(i == 0 || strcmp(got.p, state) == 0);
        game_release(&game);
        str_release(&got);
    }
    store_close(memory);
}

/* The game as its journal alone gives it, and as the cache and the journal do, are the game that is played.
 */
static inline void house_same(struct house *h, const char *id)
{
    struct err err = ERR_INIT;
    struct str mine = STR_INIT, cached = STR_INIT, replayed = STR_INIT;
    struct game game;
    struct game *played = house_find(h, id); /* which may have played a turn that has become ripe */
    h->batch.now = h->now;
    ck_ok(batch_commit(&h->batch, &err), err);
    batch_reset(&h->batch, true);
    ck_ok(game_save(h->batch.store, played, h->league.master, &err), err);
    ck_ok(store_read_state(h->batch.store, id, &mine, &err), err);
    ck_ok(game_load(h->batch.store, id, h->league.master, &game, &err), err);
    ck_ok(game_save(h->batch.store, &game, h->league.master, &err), err);
    ck_ok(store_read_state(h->batch.store, id, &cached, &err), err);
    game_release(&game);
    ck_ok(game_load(h->batch.store, id, NULL, &game, &err), err);
    ck_ok(game_save(h->batch.store, &game, h->league.master, &err), err);
    ck_ok(store_read_state(h->batch.store, id, &replayed, &err), err);
    game_release(&game);
    ck_assert_str_eq(mine.p, cached.p);
    ck_assert_str_eq(mine.p, replayed.p);
    house_elsewhere(h, id, mine.p);
    str_release(&mine);
    str_release(&cached);
    str_release(&replayed);
}

/* A command in the league's folder, which must succeed. */
static inline void house_shell(const struct house *h, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline void house_shell(const struct house *h, const char *fmt, ...)
{
    struct str command = STR_INIT;
    va_list args;
    str_addf(&command, "cd %s && ", h->dir);
    va_start(args, fmt);
    str_vaddf(&command, fmt, args);
    va_end(args);
    ck_assert_msg(system(command.p) == 0, "%s", command.p); // NOLINT(cert-env33-c)
    str_release(&command);
}

/* Exactly `count` mails to that person, and the words are in them; then the spool is emptied. With `words`
 * NULL only the number counts. */
#define house_told(h, name, count, words)                             \
    do {                                                              \
        struct str told_;                                             \
        const char *want_ = (words);                                  \
        ck_assert_int_eq(house_mails(h, name, &told_), count);        \
        if (want_ && !house_says(told_.p, want_))                     \
            ck_abort_msg("not told \"%s\" but:\n%s", want_, told_.p); \
        str_release(&told_);                                          \
        house_empty_spool(h);                                         \
    } while (0)

#endif
