/* Records of a seat's keys and mailbox. */
#include "base/json.h"
#include "game/seat_keys.h"
#include "play/step_parts.h"

int step_key(struct step *step, struct game *game, int seat, const struct seat_keys *keys,
             const json_t *evidence, struct err *err)
{
    json_t *fields = json_pack("{s:i,s:o}", "seat", seat, "keys", step_keys_json(keys->list, keys->count));
    json_object_update(fields, (json_t *)(uintptr_t)evidence);
    return step_record(step, game, "key", fields, NULL, err);
}

int step_rekey(struct step *step, struct game *game, int seat, const struct pubkey *key, const char *by,
               struct err *err)
{
    json_t *fields = json_pack("{s:s,s:i,s:o,s:s}", "kind", "rekey", "seat", seat, "keys",
                               step_keys_json(key, 1), "by", by);
    return step_record(step, game, "note", fields, NULL, err);
}

int step_veto(struct step *step, struct game *game, int seat, const char *by, struct err *err)
{
    return step_record(step, game, "note", json_pack("{s:s,s:i,s:s}", "kind", "veto", "seat", seat, "by", by),
                       NULL, err);
}

int step_rekeyed(struct step *step, struct game *game, int seat, struct err *err)
{
    const struct seat_rekey *rekey = &game->seat[seat].rekey;
    json_t *fields = json_pack("{s:i,s:o,s:I}", "seat", seat, "keys", step_keys_json(&rekey->key, 1), "asked",
                               (json_int_t)rekey->record);
    return step_record(step, game, "key", fields, NULL, err);
}

int step_mailbox(struct step *step, struct game *game, int seat, const char *by, struct err *err)
{
    return step_record(step, game, "note",
                       json_pack("{s:s,s:i,s:s}", "kind", "mailbox", "seat", seat, "by", by), NULL, err);
}
