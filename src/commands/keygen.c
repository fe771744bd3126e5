#include "commands/commands.h"

#include <stdio.h>

#include "base/file.h"
#include "trust/secret.h"

static const char details[] = "Writes FILE, a secret Ed25519 key without passphrase in OpenSSH's format, and "
                              "FILE.pub. `ssh-keygen -t ed25519` makes the same, with a passphrase if you "
                              "like; then sign with `ssh-keygen -Y sign -n orders@turnpost`.\n";

int command_keygen(int argc, char **argv)
{
    const char *comment = "turnpost";
    struct secret secret;
    struct pubkey key;
    struct err err = ERR_INIT;
    struct str line = STR_INIT;
    const struct flag flags[] = {{"comment", FLAG_TEXT, &comment, "WORDS",
                                  "the comment after the key in FILE.pub (default: turnpost)"},
                                 {NULL, FLAG_SWITCH, NULL, NULL, NULL}};
    int code = flags_parse(&argc, argv, flags, 1, 1, details);
    if (code >= 0)
        return code;
    if (file_exists(argv[1])) {
        err_set(&err, ERR_INPUT, "%s exists already; a key is not overwritten", argv[1]);
        return command_fail(&err);
    }
    secret_new(&secret);
    secret_public(&secret, &key);
    int rc = secret_save(argv[1], &secret, comment, true, &err);
    secret_wipe(&secret);
    if (rc)
        return command_fail(&err);
    pubkey_format(&line, &key);
    (void)printf("%s%s%s\n\n"
                 "This line (%s.pub) is your public key: send it to the operator of your league.\n"
                 "%s is the secret one: keep it, and sign with: turnpost sign ORDERS --key %s\n",
                 line.p, *comment ? " " : "", comment, argv[1], argv[1], argv[1]);
    str_release(&line);
    return 0;
}
