/* Whose league it is that was audited. */
#include "commands/audit.h"
#include "trust/key.h"

#define DIGITS 19 /* of a fingerprint, with "SHA256:": enough to compare */

void audit_key_text(struct str *out, const struct audit_how *how, const unsigned char league_key[32])
{
    struct pubkey key;
    char print[KEY_FINGERPRINT];
    pubkey_of_league(&key, league_key);
    pubkey_fingerprint(print, &key);
    if (!how->verbose)
        print[DIGITS] = '\0';
    if (how->league_key)
        str_addf(out, "The league's key is the one that was given: %s\n", print);
    else
        str_addf(out,
                 "The league's key is %s: compare it with the one that you know (--key), or anybody could "
                 "have made "
                 "all this.\n",
                 print);
}
