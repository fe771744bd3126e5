/* What stands in a record for a key's signature, where a player's mail domain vouches for a text. */
#include <sodium.h>

#include "base/encode.h"
#include "game/vouched.h"
#include "play/step_parts.h"

json_t *step_domain_signature(const struct mail_proof *proof)
{
    struct str sig = STR_INIT;
    base64_encode(&sig, proof->sig.p, proof->sig.len);
    json_t *json = json_pack("{s:o,s:s}", "content", json_hex(proof->content, 32), "dkim", sig.p);
    str_release(&sig);
    return json;
}

json_t *step_vouched(struct step *step, const struct game *game, int seat, const struct mail_proof *proof,
                     size_t most)
{
    unsigned char key[32];
    game_press_key(key, step->keys.master, game);
    json_t *json =
        vouched_sealed(&step->opened, key, &(struct sealed_place){game->seq + 1, seat, SEAL_EVIDENCE}, proof,
                       step_time(step, game), most);
    sodium_memzero(key, sizeof key);
    return json;
}
