#include "audit/audit.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/mem.h"
#include "audit/audit_parts.h"
#include "game/seat_keys.h"

void audit_init(struct audit *audit, struct lines *journal)
{
    *audit = (struct audit){.journal = journal};
}

/* ---- the chain ---- */

static int check_create(struct auditing *a, const struct record *record, const unsigned char *key)
{
    const unsigned char *given = a->in->league_key;
    if (strcmp(record->type, "create") != 0)
        return audit_broken(a, AUDIT_ORDER, 0, "the first record must be \"create\"");
    if (a->in->game && strcmp(a->in->game, record->game) != 0)
        return audit_broken(a, AUDIT_CHAIN, 0, "it is of game \"%s\" and not of \"%s\"", record->game,
                            a->in->game);
    if (given && memcmp(given, key, 32) != 0)
        return audit_broken(a, AUDIT_LEAGUE_KEY, 0,
                            "it names another league's key than the one that was given");
    memcpy(a->game.id, record->game, sizeof a->game.id);
    memcpy(a->out->game, record->game, sizeof a->out->game);
    memcpy(a->out->league_key, key, 32);
    a->out->begun = record->time;
    return 0;
}

int audit_chain(struct auditing *a, const struct record *record)
{
    const struct game *game = &a->game;
    unsigned char key[32];
    if (game->seq == 0) {
        const char *named = json_string_value(json_object_get(record->json, "league_key"));
        if (!named || !hex_decode(key, sizeof key, slice_of(named)))
            return audit_broken(a, AUDIT_FORM, 0,
                                "the first record must be \"create\" and name the league's key");
        if (check_create(a, record, key))
            return -1;
    }
    if (strcmp(record->game, game->id) != 0 || record->seq != a->at)
        return audit_broken(a, AUDIT_CHAIN, 0, "record %lld of %s is here: a record is missing, or too much",
                            (long long)record->seq, record->game);
    if (memcmp(record->prev, game->head, HEAD_BYTES) != 0)
        return audit_broken(a, AUDIT_CHAIN, 0,
                            "it does not follow the record before it (its \"prev\" is not that one's head)");
    if (record->time < game->time)
        return audit_broken(a, AUDIT_TIME, 0, "its time lies before that of the record before it");
    return 0;
}

/* ---- a record ---- */

static int apply(struct auditing *a)
{
    if (audit_is(a, "create"))
        return audit_create(a) || audit_apply(a, NULL) || audit_created(a) ? -1 : 0;
    if (!a->full)
        return audit_public(a);
    if (audit_is(a, "start") || audit_is(a, "turn"))
        return audit_play(a);
    return audit_apply(a, NULL);
}

static int check_record(struct auditing *a, const struct record *record)
{
    a->record = record;
    a->kind = record_kind_of(record);
    if (!a->kind &&
        !word_listed("note moderate", record->type)) /* but it has no kind, or one of a newer version */
        return audit_newer(a, "its type \"%.20s\" is not known to this Turnpost", record->type);
    if (audit_chain(a, record))
        return -1;
    audit_boxes_record(a);
    if (audit_fields(a) || audit_place(a) || audit_counts(a) || audit_before(a) || apply(a) ||
        audit_within_round(a) || audit_boxes_unused(a))
        return -1;
    audit_after(a);
    if (!a->full)
        audit_keep_state(a);
    struct err why = ERR_INIT;
    if (past_keep(&a->past, &a->game, &why))
        return audit_broken(a, AUDIT_FORM, 0, "%s", why.text);
    a->out->records++;
    a->out->ended = record->time;
    memcpy(a->out->head, record->head, HEAD_BYTES);
    if (a->out->records == 1)
        memcpy(a->out->create, record->head, HEAD_BYTES);
    a->seen.heads = mem_grow(a->seen.heads, a->seen.head_count, &a->seen.head_cap, sizeof *a->seen.heads);
    memcpy(a->seen.heads[a->seen.head_count++], record->head, HEAD_BYTES);
    if (a->in->passed)
        a->in->passed(a->in->arg, record, &a->game, &a->payloads);
    return 0;
}

static int check_line(struct auditing *a, struct slice line)
{
    struct record record;
    struct err why = ERR_INIT;
    a->at = a->game.seq + 1;
    a->record = NULL;
    if (line.p[line.len - 1] != '\n')
        return audit_broken(a, AUDIT_FORM, 0,
                            "the journal ends in the middle of it: it was cut off, or a run was");
    if (record_parse(line, &record, &why))
        return why.code == ERR_NEWER ? audit_newer(a, "%s", why.text)
                                     : audit_broken(a, AUDIT_FORM, 0, "%s", why.text);
    int rc = check_record(a, &record);
    a->record = NULL;
    a->kind = NULL;
    record_release(&record);
    return rc;
}

/* ---- the whole ---- */

static int check_end_of_game(struct auditing *a)
{
    a->at = a->game.seq + 1;
    if (a->game.seq == 0)
        return audit_broken(a, AUDIT_FORM, 0, "the journal holds no record");
    if (audit_ending(a))
        return -1;
    a->at = 0;
    if (a->out->counts.press_sealed)
        audit_note(a, AUDIT_NOTE, AUDIT_PRESS, 0,
                   "%lld message%s between players stay%s sealed; nothing else depends on "
                   "them",
                   (long long)a->out->counts.press_sealed, PLURAL(a->out->counts.press_sealed),
                   a->out->counts.press_sealed == 1 ? "s" : "");
    return 0;
}

/* Another key that somebody asked for, and nobody has said no to. */
static void take_asked(struct auditing *a)
{
    for (int seat = 1; seat <= a->game.seats && !a->game.over; seat++) {
        const struct game_seat *who = &a->game.seat[seat];
        if (!who->rekey.record || a->game.time - who->rekey.time > SEAT_REKEY_LASTS)
            continue;
        a->out->asked[seat].record = who->rekey.record;
        memcpy(a->out->asked[seat].player, who->player, sizeof a->out->asked[seat].player);
    }
}

static void sum_up(struct auditing *a)
{
    take_asked(a);
    struct audit_result *out = a->out;
    const struct game *game = &a->game;
    out->ruleset = game->ruleset;
    out->seats = game->seats;
    out->over = out->over || (a->full && game->over);
    out->turn = out->over && game->turn > 0 ? game->turn - 1 : game->turn;
    out->replayed = a->full;
    out->withheld = game_withheld(game);
    a->at = 0;
    a->record = NULL;
    if (out->findings[AUDIT_BROKEN]) {
        out->verdict = out->newer ? AUDIT_NEWER : AUDIT_REFUTED;
        return;
    }
    out->verdict = a->full ? AUDIT_PROVED : AUDIT_PARTLY;
    if (!a->full)
        audit_note(a, AUDIT_SEALED, AUDIT_SEAL, 0, "%s, so the rules were not played again", audit_owed(out));
}

void audit_seen_release(struct audit_seen *seen)
{
    digests_release(&seen->texts);
    digests_release(&seen->mails);
    digests_release(&seen->marks);
    free(seen->backs);
    free(seen->heads);
    free(seen->appeals);
    free(seen->states);
    free(seen->keys);
    *seen = (struct audit_seen){.backs = NULL};
}

static void release(struct auditing *a)
{
    for (int seat = 0; seat <= SEATS_MAX; seat++) {
        free(a->seals[seat].list);
        free(a->seals[seat].sat);
    }
    sealed_set_release(&a->payloads);
    sodium_memzero(&a->keys, sizeof a->keys);
    audit_seen_release(&a->seen);
    past_release(&a->past);
    game_release(&a->game);
    free(a);
}

int audit_run(struct audit *audit, struct audit_result *result, struct err *err)
{
    struct auditing *a = mem_alloc(sizeof *a);
    struct slice line;
    memset(result, 0, sizeof *result);
    a->in = audit;
    a->out = result;
    a->at = 1;
    game_init(&a->game);
    int rc = audit_boxes_begin(a, err) ? -2 : 0;
    while (rc == 0) {
        rc = lines_next(audit->journal, &line, err) ? -2 : 0;
        if (rc || !line.len)
            break;
        rc = check_line(a, line);
    }
    if (rc == 0)
        rc = check_end_of_game(a);
    if (rc != -2)
        sum_up(a);
    release(a);
    return rc == -2 ? -1 : 0;
}
