/* P-256 keys in FIDO tokens, as ssh-keygen signs with them (trust/fido.c). */
#include "trust/format.h"

static const struct ssh_parts parts = {.curve = &ssh_p256,
                                       .take_key = fido_take_key,
                                       .put_key = fido_put_key,
                                       .take_sig = fido_take_sig,
                                       .put_sig = fido_put_sig,
                                       .wrap = fido_wrap_data};

const struct key_format format_fido_ecdsa = {
    .tool = "OpenSSH, security key (ECDSA)",
    .word = "sk-ecdsa-sha2-nistp256@openssh.com",
    .commands = "ssh_sk_ecdsa",
    .ssh = &parts,
    .point_good = ecdsa_point_good,
    .parse_key = ssh_parse_key,
    .put_key = pubkey_blob,
    .fingerprint = ssh_fingerprint,
    .fits = fido_fits,
    .holds = sshsig_holds,
    .put_json = fido_put_json,
    .read_json = fido_read_json,
};
