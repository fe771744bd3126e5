/* OpenSSH's Ed25519 keys (PROTOCOL.key), and SSHSIG as ssh-keygen -Y sign makes it. */
#include "trust/format.h"

static const struct ssh_parts parts = {.curve = &ssh_ed25519}; /* nothing more */

const struct key_format format_openssh = {
    .tool = "OpenSSH",
    .word = "ssh-ed25519",
    .commands = "ssh",
    .offered = true,
    .ssh = &parts,
    .point_good = ed25519_point_good,
    .parse_key = ssh_parse_key,
    .put_key = pubkey_blob,
    .fingerprint = ssh_fingerprint,
    .fits = sshsig_fits,
    .holds = sshsig_holds,
    .put_json = sshsig_put_json,
    .read_json = sshsig_read_json,
};
