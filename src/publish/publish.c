#include "publish/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/encode.h"
#include "publish/publish_signed.h"
#include "game/game_load.h"
#include "game/entry.h"

void bundle_release(struct bundle *bundle)
{
    for (size_t i = 0; i < bundle->count; i++) {
        free(bundle->file[i].name);
        str_release(&bundle->file[i].bytes);
    }
    free(bundle->file);
    *bundle = (struct bundle){NULL, 0, 0};
}

/* ---- what was signed ---- */

/* Out of the boxes of the records up to `open`. */
static int take_texts(struct signed_list *list, const struct journal_lines *journal, struct err *err)
{
    struct seal_keys keys = {.seals = false};
    struct sealed_set opened = {NULL, 0, 0};
    struct slice last = journal->line[journal->open - 1];
    int rc = 0;
    seal_keys_published(&keys, last);
    for (int64_t at = 0; rc == 0 && at < journal->open; at++) {
        struct err ignored = ERR_INIT;
        json_t *record = json_read(journal->line[at], "record", &ignored);
        sealed_open(&opened, &keys, record);
        json_decref(record);
        for (size_t i = 0; rc == 0 && i < opened.count; i++)
            if (opened.list[i].item == SEAL_ORDERS)
                rc = signed_list_take(list, journal, &opened.list[i], err);
        sealed_set_clear(&opened);
    }
    sealed_set_release(&opened);
    return rc;
}

/* ---- small files ---- */

static void add_pem(struct str *out, const unsigned char point[32])
{
    /* RFC 8410: an Ed25519 key as SubjectPublicKeyInfo is these bytes and the point. */
    static const unsigned char prefix[12] = {0x30, 0x2a, 0x30, 0x05, 0x06, 0x03,
                                             0x2b, 0x65, 0x70, 0x03, 0x21, 0x00};
    unsigned char der[sizeof prefix + 32];
    memcpy(der, prefix, sizeof prefix);
    memcpy(der + sizeof prefix, point, 32);
    str_adds(out, "-----BEGIN PUBLIC KEY-----\n");
    base64_encode(out, der, sizeof der);
    str_adds(out, "\n-----END PUBLIC KEY-----\n");
}

int bundle_add_head(struct bundle *bundle, struct league_log *log, const char *name, int64_t seq,
                    int64_t time, struct err *err)
{
    struct str entry = STR_INIT, proof = STR_INIT;
    struct proof_place place = {.seq = seq, .time = time};
    if (!log)
        return 0;
    (void)snprintf(place.name, sizeof place.name, "%s", name);
    int rc = league_log_proof(log, &place, &entry, &proof, err);
    if (rc && err->code == ERR_MISSING)
        err->code = ERR_TEMP;
    if (rc == 0) {
        str_addslice(bundle_add(bundle, "HEAD"), slice_str(&entry));
        str_addslice(bundle_add(bundle, "HEAD.tlog-proof"), slice_str(&proof));
        policy_write(bundle_add(bundle, "league.policy"), league_log_policy(log));
    }
    str_release(&entry);
    str_release(&proof);
    return rc;
}

static void add_signers(struct bundle *bundle, const struct signed_list *list)
{
    struct str name = STR_INIT;
    signed_list_signers(list, bundle_add(bundle, "allowed_signers"));
    for (size_t i = 0; i < list->signer_count; i++) {
        str_clear(&name);
        if (signer_file(&list->signer[i], &name))
            add_pem(bundle_add(bundle, name.p), list->signer[i].key.point);
    }
    str_release(&name);
}

static int add_cards(struct bundle *bundle, const struct game *game, const json_t *create, struct err *err)
{
    json_t *cards = json_incref(json_object_get(create, "card_data"));
    if (!cards)
        cards = json_read(ruleset_cards(game->ruleset), "cards.json", err);
    if (cards)
        json_write(bundle_add(bundle, "cards.json"), cards);
    json_decref(cards);
    return cards ? 0 : -1;
}

/* ---- README ---- */

static json_t *seats_facts(const struct game *game)
{
    json_t *seats = json_array();
    for (int seat = 1; seat <= game->seats; seat++)
        json_array_append_new(seats,
                              json_pack("{s:i,s:s,s:b,s:b}", "seat", seat, "player", game->seat[seat].player,
                                        "robot", game->seat[seat].robot, "free", !*game->seat[seat].player));
    return seats;
}

/* What is published of a game, and where to. */
struct filling {
    const struct publish *publish;
    const struct game *game;
    struct slice lines;
    struct bundle *bundle;
};

static int add_readme(const struct filling *filling, const struct signed_list *list, bool open,
                      struct err *err)
{
    const struct publish *publish = filling->publish;
    const struct game *game = filling->game;
    char print[KEY_FINGERPRINT];
    league_fingerprint(publish->league, print);
    json_t *facts = json_pack(
        "{s:s,s:s,s:s,s:s,s:i,s:I,s:b,s:b,s:b,s:b,s:b,s:s}", "league", publish->league->config.league.name,
        "game", game->id, "title", game->ruleset->title, "ruleset", game->ruleset->name, "version",
        game->ruleset->version, "seq", (json_int_t)game->seq, "open", open, "over", game->over, "redact",
        publish->redact, "ssh", list->ssh > 0, "raw", list->raw > 0, "fingerprint", print);
    json_object_set_new(facts, "signed_count", json_integer((json_int_t)list->text_count));
    json_object_set_new(facts, "ruled", list->ruled.len ? json_string(list->ruled.p) : json_null());
    json_object_set_new(facts, "vouched", list->vouched.len ? json_string(list->vouched.p) : json_null());
    json_object_set_new(facts, "marks", json_boolean(list->text_count));
    json_object_set_new(facts, "program", json_string(TURNPOST_VERSION));
    json_object_set_new(facts, "named", json_boolean(!publish->redact));
    json_object_set_new(facts, "seats", publish->redact ? json_array() : seats_facts(game));
    struct str text = STR_INIT;
    int rc =
        templates_render(publish->templates, &(struct template_name){game->ruleset->folder, "published.txt"},
                         facts, &text, err);
    if (rc == 0)
        str_addslice(bundle_add(filling->bundle, "README"), slice_str(&text));
    str_release(&text);
    json_decref(facts);
    return rc;
}

/* ---- the whole ---- */

static int fill(const struct filling *filling, struct err *err)
{
    const struct publish *publish = filling->publish;
    const struct game *game = filling->game;
    struct bundle *bundle = filling->bundle;
    struct journal_lines journal = {.open = 0};
    char name[GAME_NAME];
    struct signed_list list = {.redact = publish->redact, .ruled = STR_INIT, .vouched = STR_INIT};
    int rc = journal_lines_read(&journal, filling->lines, &list, err);
    if (rc == 0)
        str_addslice(bundle_add(bundle, "journal.jsonl"), filling->lines);
    if (rc == 0)
        rc = add_cards(bundle, game, journal.create, err);
    if (rc == 0 && journal.open) {
        rc = take_texts(&list, &journal, err);
        signed_list_files(&list, bundle);
    }
    if (rc == 0) {
        game_log_name(name, game);
        rc = bundle_add_head(bundle, publish->log, name, game->seq, game->time, err);
    }
    if (rc == 0) {
        add_signers(bundle, &list);
        rc = add_readme(filling, &list, journal.open > 0, err);
    }
    signed_list_release(&list);
    journal_lines_release(&journal);
    return rc;
}

static int refuse_withheld(const struct game *game, struct err *err)
{
    char closes[CLOCK_TEXT];
    clock_utc(closes, game->clock.lockstep.closes);
    return err_set(err, ERR_INPUT,
                   "others may still play the deal of game %s: it can be published when it is open, after %s",
                   game->id, closes);
}

static int publish_loaded(const struct publish *publish, struct game *game, struct bundle *bundle,
                          struct err *err)
{
    struct str lines = STR_INIT;
    int rc = 0;
    if (memcmp(game->journal.league_key, publish->league->key.point, sizeof game->journal.league_key) != 0)
        rc = err_set(err, ERR_INPUT, "the journal of %s names the key of another league", game->id);
    if (rc == 0)
        rc = store_read(publish->store, game->id, STORE_BEGIN, &lines, err);
    /* A daemon may have worked meanwhile; what was checked is what is published. */
    str_cut(&lines, (size_t)game->journal.length < lines.len ? (size_t)game->journal.length : lines.len);
    if (rc == 0)
        rc = fill(&(struct filling){publish, game, slice_str(&lines), bundle}, err);
    str_release(&lines);
    return rc;
}

int publish_shown(const struct publish *publish, struct bundle *bundle, struct err *err)
{
    struct game game;
    if (game_load(publish->store, publish->game, NULL, &game, err))
        return -1;
    int rc = game_withheld(&game) ? 0 : publish_loaded(publish, &game, bundle, err);
    game_release(&game);
    return rc;
}

int publish_game(const struct publish *publish, struct bundle *bundle, struct err *err)
{
    struct game game;
    if (game_load(publish->store, publish->game, NULL, &game, err))
        return -1;
    int rc = game_withheld(&game) ? refuse_withheld(&game, err) : publish_loaded(publish, &game, bundle, err);
    game_release(&game);
    return rc;
}
