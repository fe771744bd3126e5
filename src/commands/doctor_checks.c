#include "commands/doctor.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "batch/absent.h"
#include "batch/results.h"
#include "commands/compete.h"
#include "commands/fate.h"
#include "league/registry.h"
#include "league/registry_applied.h"
#include "league/registry_documents.h"
#include "league/registry_log.h"
#include "league/registry_sealing.h"
#include "league/witnesses.h"
#include "base/mem.h"
#include "league/roster.h"
#include "journal/catalog.h"
#include "trust/keyring.h"
#include "game/game_load.h"
#include "game/whole.h"

/* ---- players ---- */

/* Key files without a player: a misspelt name, or a player removed by hand. */
static void check_orphans(struct findings *findings, const struct league *league,
                          const struct registry *registry, const struct keyring *ring)
{
    struct err err = ERR_INIT;
    json_t *documents = NULL;
    if (registry_document_names(league->dir, &documents, &err))
        findings_fail(findings, "players", &err);
    for (size_t i = 0; i < ring->count; i++) {
        const char *name = ring->entries[i].player;
        bool told = false;
        for (size_t k = 0; k < i && !told; k++)
            told = strcmp(ring->entries[k].player, name) == 0;
        if (told || registry_find(registry, name) || registry_damaged(registry, name))
            continue;
        if (json_is_true(json_object_get(documents, name)))
            findings_add(findings, FINDING_WARNING, "players",
                         "keys/%s.pub belongs to no player any more, and the registry's journal has %s; run: "
                         "turnpost player restore %s",
                         name, name, name);
        else
            findings_add(
                findings, FINDING_WARNING, "players",
                "keys/%s.pub belongs to no player; remove it, and enter the player if there is to be "
                "one: turnpost player add %s ADDRESS KEYFILE",
                name, name);
    }
    json_decref(documents);
}

/* Nobody can register as one by mail: the operator has to add them. */
static void check_moderators(struct findings *findings, const struct registry *registry,
                             const struct config *config)
{
    struct slice rest = slice_of(config->league.moderators);
    struct slice word;
    while (slice_word(&rest, &word)) {
        char *name = slice_dup(word);
        if (!registry_find(registry, name) && !registry_damaged(registry, name))
            findings_add(
                findings, FINDING_WARNING, "players",
                "[league] moderators names %s, who is no player; run: turnpost player add %s ADDRESS "
                "KEYFILE",
                name, name);
        const struct player *player = registry_find(registry, name);
        if (player && player->by_mail)
            findings_add(
                findings, FINDING_WARNING, "players",
                "%s is a moderator and has no key, so nothing that they decide counts; run: turnpost "
                "player key %s KEYFILE --reason TEXT",
                name, name);
        free(name);
    }
}

/* A default witness that no game can have. */
static void check_default(struct findings *findings, const struct league_witnesses *known, const char *name)
{
    if (witnesses_find(known, name))
        findings_add(
            findings, FINDING_OK, "witness",
            "%s cosigns the log and mixes dice into new games; a witness whom you chose yourself is weak "
            "evidence",
            name);
    else
        findings_add(findings, FINDING_WARNING, "witness",
                     "[witness] default names %s, who is not in " LEAGUE_WITNESSES
                     "; the line for it comes from `turnpost witness --enroll`, run by the witness",
                     name);
}

/* Whose dice are mixed into new games. */
static void check_witnesses(struct findings *findings, const struct league *league)
{
    const struct config *config = &league->config;
    struct slice rest = slice_of(config->witness.defaults);
    struct league_witnesses *known = mem_alloc(sizeof *known);
    struct err why = ERR_INIT;
    if (witnesses_read(league->dir, known, &why))
        findings_add(findings, FINDING_FAILED, "witness", "%s", why.text);
    if (!rest.len || strcmp(config->witness.defaults, "none") == 0) {
        findings_add(
            findings, FINDING_OK, "witness",
            "none is named for new games ([witness] default): players have only your word that you did not "
            "choose among the dice; somebody whom they trust, and whom you did not choose, is better");
        rest.len = 0;
    }
    while (rest.len) {
        size_t len = 0;
        while (len < rest.len && rest.p[len] != ',')
            len++;
        char *name = slice_dup(slice_trim(slice_sub(rest, 0, len)));
        rest = slice_sub(rest, len + 1, rest.len);
        check_default(findings, known, name);
        free(name);
    }
    free(known);
}

/* Whether the registry's journal has the file that is unreadable or gone. */
static void say_restore(struct findings *findings, const struct league *league, const char *name,
                        enum finding_state state, const char *why)
{
    struct str path = STR_INIT;
    struct err err = ERR_INIT;
    struct registry_found found;
    char when[CLOCK_TEXT];
    str_addf(&path, "players/%s.json", name);
    int rc = registry_document(league->dir, path.p, &found, &err);
    clock_utc(when, found.time);
    if (rc)
        findings_add(findings, state, "players", "%s; and %s", why, err.text);
    else if (found.document)
        findings_add(
            findings, state, "players",
            "%s. Mend it, or take what the registry's journal has, of %s: turnpost player restore %s", why,
            when, name);
    else
        findings_add(findings, state, "players",
                     "%s. The registry's journal does not have it: repair it, or take it from a backup", why);
    json_decref(found.document);
    str_release(&path);
}

/* Without it nothing that the registry's journal has of the player can be read, should their file be damaged. */
static void check_sealing(struct findings *findings, const struct league *league,
                          const struct registry *registry)
{
    struct str path = STR_INIT;
    for (size_t i = 0; i < registry->count; i++) {
        str_clear(&path);
        str_addf(&path, "%s/" SEALING_DIR "/%s", league->dir, registry->players[i].name);
        if (!file_exists(path.p))
            findings_add(findings, FINDING_WARNING, "players",
                         SEALING_DIR
                         "/%s is gone, and with it what the registry's journal has of %s; take it from a "
                         "backup",
                         registry->players[i].name, registry->players[i].name);
    }
    str_release(&path);
}

static void check_damaged(struct findings *findings, const struct league *league,
                          const struct registry *registry)
{
    for (size_t i = 0; i < registry->fault_count; i++) {
        const struct registry_fault *fault = &registry->faults[i];
        if (!*fault->name) {
            findings_add(findings, FINDING_WARNING, "players", "%s; take it away", fault->why);
            continue;
        }
        findings->lasting = true;
        if (fault->code == ERR_NEWER)
            findings_add(findings, FINDING_FAILED, "players", "%s", fault->why);
        else
            say_restore(findings, league, fault->name, FINDING_FAILED, fault->why);
    }
}

/* Has the player readable keys, or needs none? */
static bool check_keys(struct findings *findings, const struct keyring *ring, const struct player *player)
{
    struct pubkey of[KEYS_PER_PLAYER];
    const char *name = player->name;
    const struct keyring_damage *damage = keyring_damaged(ring, name);
    if (!damage && (player->by_mail || keyring_of(ring, name, of) > 0))
        return true;
    findings->lasting |= damage != NULL;
    if (damage)
        findings_add(findings, FINDING_FAILED, "players",
                     "%s. Mend it, or take what the registry's journal has: turnpost player restore %s",
                     damage->why.text, name);
    else
        findings_add(findings, FINDING_WARNING, "players",
                     "%s has no key; run: turnpost player key %s KEYFILE", name, name);
    return false;
}

static void add_removed(void *arg, const char *player, const char *game)
{
    findings_add(arg, FINDING_WARNING, "players",
                 "%s was taken out and has a seat in game %s, which is running; somebody else can have it: "
                 "turnpost moderate %s replace %s by NAME",
                 player, game, game, player);
}

/* Players who have a seat but no file count as damaged from here on. */
static void check_missing(struct findings *findings, const struct league *league, struct registry *registry)
{
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    bool fresh = false;
    char *path = league_path(league, "catalog.sqlite");
    if (file_exists(path) && (catalog_open(path, &catalog, &fresh, &err) != 0 ||
                              absent_expect(league->dir, catalog, registry, &err) != 0 ||
                              absent_each(catalog, registry, add_removed, findings, &err) != 0))
        findings_fail(findings, "catalog", &err);
    catalog_close(catalog);
    free(path);
}

/* Invitations and pending keys: mails that need a damaged one wait. */
static void check_tokens(struct findings *findings, const struct league *league)
{
    struct file_names names;
    struct err err = ERR_INIT;
    char *dir = league_path(league, "tokens");
    if (file_list(dir, &names, &err) != 0 && file_exists(dir))
        findings_fail(findings, "tokens", &err);
    for (size_t i = 0; i < names.count; i++) {
        struct err why = ERR_INIT;
        json_t *document = NULL;
        char *name = names.name[i];
        if (!str_ends(name, ".json"))
            continue;
        name[strlen(name) - strlen(".json")] = '\0';
        if (registry_token_read(league->dir, name, &document, &why) != 0)
            findings_fail(findings, "tokens", &why);
        json_decref(document);
    }
    file_names_free(&names);
    free(dir);
}

void doctor_players(struct findings *findings, const struct league *league)
{
    struct registry registry = {0};
    struct keyring ring = {0};
    struct err err = ERR_INIT;
    size_t without = 0, keyless = 0;
    if (registry_load(league->dir, &registry, &err) != 0 ||
        absent_keys(league->dir, &registry, &ring, &err) != 0) {
        findings_fail(findings, "players", &err);
        goto out;
    }
    for (size_t i = 0; i < registry.count; i++) {
        without += !check_keys(findings, &ring, &registry.players[i]);
        keyless += registry.players[i].by_mail;
    }
    if (keyless && league->config.league.trust != TRUST_MAIL)
        findings_add(findings, FINDING_WARNING, "players",
                     "%zu without a key: nothing that they send can be accepted while \"[league] trust\" is "
                     "not \"mail\"",
                     keyless);
    for (size_t i = 0; i < ring.fault_count; i++)
        findings_add(findings, FINDING_WARNING, "keys", "%s", ring.faults[i]);
    check_missing(findings, league, &registry);
    check_sealing(findings, league, &registry);
    check_damaged(findings, league, &registry);
    check_orphans(findings, league, &registry, &ring);
    check_moderators(findings, &registry, &league->config);
    check_witnesses(findings, league);
    check_tokens(findings, league);
    if (registry_applied_alone(league->dir, &err) != 0)
        findings_fail(findings, "registry", &err);
    if (registry.count + registry.fault_count == 0)
        findings_add(findings, FINDING_WARNING, "players",
                     "there is none; run: turnpost invite --to ADDRESS");
    else if (without + registry.fault_count == 0 && keyless)
        findings_add(findings, FINDING_OK, "players", "%zu; %zu of them play by mail, without a key",
                     registry.count, keyless);
    else if (without + registry.fault_count == 0)
        findings_add(findings, FINDING_OK, "players", "%zu, each with a key", registry.count);
out:
    registry_release(&registry);
    keyring_release(&ring);
}

/* ---- games ---- */

/* Each as the next run would find it. */
static void check_game(struct findings *findings, const struct league *league, struct store *store,
                       const char *name, size_t *games)
{
    struct game game;
    struct err why = ERR_INIT;
    if (roster_gone(league->dir, ROSTER_GAME, name))
        return; /* told apart from this */
    if (!store_has(store, name)) {
        findings_add(findings, FINDING_WARNING, "games",
                     "games/%s is no game: it holds no journal.jsonl; take it away", name);
        return;
    }
    ++*games;
    if (game_load(store, name, league->master, &game, &why) != 0) {
        findings->lasting = true;
        findings_add(findings, FINDING_FAILED, "games",
                     "%s; it stands still and its mails stay in the mailbox, the others go on", why.text);
        return;
    }
    game_release(&game);
    if (game_whole(store, name, &why) != 0) {
        findings->lasting = true;
        findings_add(findings, FINDING_FAILED, "games",
                     "%s; the game goes on, but nobody can prove it, and it may stop at any time; bring it "
                     "back from a "
                     "backup: turnpost game restore %s BACKUP",
                     why.text, name);
    }
}

static void add_gone(void *arg, enum roster_kind kind, const char *name)
{
    struct findings *findings = arg;
    struct str words = STR_INIT;
    findings->lasting = true;
    roster_gone_words(&words, kind, name);
    findings_add(findings, FINDING_FAILED, kind == ROSTER_GAME ? "games" : "compete", "%s", words.p);
    str_release(&words);
}

static void check_gone(struct findings *findings, const struct league *league, enum roster_kind kind)
{
    struct err err = ERR_INIT;
    if (roster_each(league->dir, kind, &(struct roster_look){.gone = add_gone, .arg = findings}, &err))
        findings_fail(findings, "games", &err);
}

static int add_resting(void *arg, const struct catalog_stuck *stuck, struct err *err)
{
    (void)err;
    struct findings *findings = arg;
    if (stuck->state != STUCK_GAME)
        return 0;
    findings->lasting = true;
    findings_add(findings, FINDING_FAILED, "games",
                 "game %s stands still, and is tried again every ten minutes: %s", stuck->game, stuck->words);
    return 0;
}

/* Those whose clock has failed. */
static void check_resting(struct findings *findings, const struct league *league)
{
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    bool fresh = false;
    char *path = league_path(league, "catalog.sqlite");
    if (file_exists(path) && (catalog_open(path, &catalog, &fresh, &err) != 0 ||
                              catalog_each_stuck(catalog, add_resting, findings, &err) != 0))
        findings_fail(findings, "catalog", &err);
    catalog_close(catalog);
    free(path);
}

void doctor_games(struct findings *findings, const struct league *league)
{
    struct file_names names = {NULL, 0};
    struct err err = ERR_INIT;
    char *dir = league_path(league, "games");
    struct store *store = league_games(league);
    size_t games = 0, before = findings->count;
    if (!file_exists(dir))
        err_set(&err, ERR_CONFIG, "%s is missing; restore it from a backup, or make an empty folder", dir);
    else if (store_games(store, &names, &err) == 0)
        for (size_t i = 0; i < names.count; i++) {
            log_progress("reading games: %zu of %zu", i + 1, names.count);
            check_game(findings, league, store, names.name[i], &games);
        }
    log_progress_end();
    check_resting(findings, league);
    check_gone(findings, league, ROSTER_GAME);
    if (err.code != ERR_NONE)
        findings_fail(findings, "games", &err);
    else if (findings->count == before)
        findings_add(findings, FINDING_OK, "games", "%zu stored, each can be read", games);
    file_names_free(&names);
    store_close(store);
    free(dir);
}

/* ---- competitions ---- */

static void add_trouble(void *arg, const char *words, bool broken)
{
    struct findings *findings = arg;
    findings->lasting |= broken;
    findings_add(findings, broken ? FINDING_FAILED : FINDING_WARNING, "compete", "%s", words);
}

/* What the ratings follow from, where there is any. */
static void check_results(struct findings *findings, const struct league *league)
{
    struct err err = ERR_INIT;
    struct results results;
    char *dir = league_path(league, COMPETE_FOLDER);
    struct store *store = store_open(dir);
    results_init(&results);
    if (store_has(store, RESULTS_NAME)) {
        int rc = results_load(store, &(struct results_reading){.until = 0}, &results, &err);
        if (rc == 0 && memcmp(results.terms.league_key, league->key.point, 32) != 0)
            rc = err_set(&err, ERR_BROKEN, "competitions/results was begun with another league key");
        if (rc == 0)
            findings_add(findings, FINDING_OK, "ratings", "%lld results, each can be read",
                         (long long)results.seq - 1);
        else
            findings_add(findings, FINDING_FAILED, "ratings",
                         "%s; no ratings are kept until competitions/results is taken from a backup",
                         err.text);
    }
    findings->lasting |= err.code != ERR_NONE;
    results_release(&results);
    store_close(store);
    free(dir);
}

/* A league without one is told nothing. */
void doctor_competitions(struct findings *findings, const struct league *league, int64_t now)
{
    struct err err = ERR_INIT;
    struct compete_found found;
    size_t before = findings->count;
    check_gone(findings, league, ROSTER_COMPETITION);
    if (compete_troubles(league, now, &found, add_trouble, findings, &err))
        findings_fail(findings, "compete", &err);
    else if (found.all && findings->count == before)
        findings_add(findings, FINDING_OK, "compete", "%zu competition%s, each can be read", found.all,
                     PLURAL(found.all));
    check_results(findings, league);
}

/* ---- mail ---- */

static int add_bounce(void *arg, const struct catalog_bounce *bounce, struct err *err)
{
    (void)err;
    if (bounce->permanent > 0)
        findings_add(arg, FINDING_WARNING, "bounces",
                     "mail to %s came back %d times (%s %s); ask, then: turnpost player address %s ADDRESS "
                     "--reason TEXT",
                     bounce->player, bounce->permanent, bounce->status, bounce->words, bounce->player);
    return 0;
}

void doctor_bounces(struct findings *findings, const struct league *league)
{
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    bool fresh = false;
    size_t before = findings->count;
    char *path = league_path(league, "catalog.sqlite");
    if (file_exists(path) && (catalog_open(path, &catalog, &fresh, &err) != 0 ||
                              catalog_each_bounce(catalog, add_bounce, findings, &err) != 0))
        findings_fail(findings, "catalog", &err);
    else if (findings->count == before)
        findings_add(findings, FINDING_OK, "bounces", "no mail came back");
    catalog_close(catalog);
    free(path);
}

#define UNANSWERED_DAYS 7
#define UNANSWERED_MOST 10 /* players who are named */

/* Mails of players who may wait for an answer: {"anna": [count, words of the last]}. */
static int add_unanswered(void *arg, const struct catalog_mail *mail, struct err *err)
{
    (void)err;
    const char *player = *mail->player ? mail->player : "somebody (grey press)";
    json_t *before = json_object_get(arg, player);
    json_int_t count = before ? json_integer_value(json_array_get(before, 0)) : 0;
    if (mail->unanswered)
        json_object_set_new(arg, player, json_pack("[I,s]", count + 1, mail->words));
    return 0;
}

void doctor_unanswered(struct findings *findings, const struct league *league, int64_t now)
{
    struct catalog *catalog = NULL;
    struct err err = ERR_INIT;
    bool fresh = false;
    json_t *found = json_object(), *one;
    const char *player;
    int named = 0;
    const struct catalog_wanted wanted = {.since = now - UNANSWERED_DAYS * (int64_t)86400};
    char *path = league_path(league, "catalog.sqlite");
    if (file_exists(path) && (catalog_open(path, &catalog, &fresh, &err) != 0 ||
                              catalog_each_mail(catalog, &wanted, add_unanswered, found, &err) != 0))
        findings_fail(findings, "catalog", &err);
    else if (!json_object_size(found) && league->config.limits.mail_log)
        findings_add(findings, FINDING_OK, "unanswered", "no player waited in vain for an answer in %d days",
                     UNANSWERED_DAYS);
    json_object_foreach (found, player, one) {
        const int count = (int)json_integer_value(json_array_get(one, 0));
        if (named++ == UNANSWERED_MOST)
            break;
        findings_add(findings, FINDING_WARNING, "unanswered",
                     "%d mail%s of %s had no answer in %d days, the last one: %s; look: turnpost mail "
                     "--unanswered --since %dd",
                     count, PLURAL(count), player, UNANSWERED_DAYS, json_string_value(json_array_get(one, 1)),
                     UNANSWERED_DAYS);
    }
    catalog_close(catalog);
    json_decref(found);
    free(path);
}

/* Anything but a plain file where mails are: no run touches it. */
static void check_strays(struct findings *findings, const char *spool)
{
    static const char *const folders[] = {"tmp", "new", "wait", "digest", "failed"};
    for (size_t f = 0; f < sizeof folders / sizeof *folders; f++) {
        struct file_names names;
        struct err err = ERR_INIT;
        char *dir = path_join(spool, folders[f]);
        if (file_list(dir, &names, &err))
            findings_fail(findings, "spool", &err);
        for (size_t i = 0; i < names.count; i++) {
            char *path = path_join(dir, names.name[i]);
            if (!file_is_plain(path))
                findings_add(findings, FINDING_WARNING, "spool", "%s is no mail; take it away", path);
            free(path);
        }
        file_names_free(&names);
        free(dir);
    }
}

void doctor_spool(struct findings *findings, const struct league *league)
{
    struct spool_counts counts = {0};
    struct err err = ERR_INIT;
    char *dir = league_path(league, "spool");
    if (!file_exists(dir)) {
        err_set(&err, ERR_CONFIG, "%s is missing; restore it from a backup", dir);
        findings_fail(findings, "spool", &err);
    } else if (spool_count(dir, &counts, &err) != 0) {
        findings_fail(findings, "spool", &err);
    } else {
        struct spool_pause pause;
        struct str words = STR_INIT;
        check_strays(findings, dir);
        if (spool_paused(dir, &pause)) {
            fate_pause(&words, &pause, counts.waiting + counts.retrying);
            findings_add(findings, FINDING_WARNING, "spool", "%s", words.p);
        }
        str_release(&words);
        findings_add(findings, counts.failed ? FINDING_WARNING : FINDING_OK, "spool",
                     "%zu waiting, %zu waiting for a digest, %zu to be tried again, %zu given up%s%s%s",
                     counts.waiting, counts.digest, counts.retrying, counts.failed,
                     counts.failed ? "; the reasons are in " : "", counts.failed ? dir : "",
                     counts.failed ? "/failed/*.why; turnpost mail retry all sends them again" : "");
    }
    free(dir);
}
