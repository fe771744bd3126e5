/* OpenSSH's ECDSA keys on P-256 (RFC 5656), which many people have already. */
#include "trust/format.h"

static const struct ssh_parts parts = {.curve = &ssh_p256}; /* nothing more */

const struct key_format format_ecdsa = {
    .tool = "OpenSSH (ECDSA)",
    .word = "ecdsa-sha2-nistp256",
    .commands = "ssh_ecdsa",
    .ssh = &parts,
    .point_good = ecdsa_point_good,
    .parse_key = ssh_parse_key,
    .put_key = pubkey_blob,
    .fingerprint = ssh_fingerprint,
    .fits = sshsig_fits,
    .holds = sshsig_holds,
    .put_json = sshsig_put_json,
    .read_json = sshsig_read_json,
};
