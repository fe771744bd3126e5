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

json_t *step_vouched(struct step *step, const struct game *game, int seat, const struct mail_proof *proof)
{
    unsigned char key[32], seal[SEAL_BYTES];
    struct str payload = STR_INIT;
    vouched_evidence(&payload, proof);
    game_press_key(key, step->keys.master, game);
    sealed_write(&(struct sealed_out){&step->sealed, &step->opened}, key,
                 &(struct sealed_place){game->seq + 1, seat, SEAL_EVIDENCE}, slice_str(&payload), seal);
    sodium_memzero(key, sizeof key);
    str_release(&payload);
    return vouched_json(proof, step_time(step, game), seal);
}
