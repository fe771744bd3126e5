/* What somebody may send very much of. `unit` comes again and again between the other two; '@' in it is the
 * number of the copy. Half of all is `lead`, again and again in front of that, where there is one. */
#ifndef TESTS_GROWTH_FAMILIES_H
#define TESTS_GROWTH_FAMILIES_H

#include <stddef.h>

#define HEX64 "4f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a634f9a0c2b7d1e8a63"
#define MIXED "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n"
#define HTML  "Content-Type: text/html\n\n"
#define QP    "Content-Transfer-Encoding: quoted-printable\n\n"
#define B64   "Content-Transfer-Encoding: base64\n\n"
#define FORM  "#turnpost orders\ngame: gc-1\nturn: 1\n\n"
/* A mail that names its sender, and the beginning of a signature of its domain, over no body. */
#define ANNA "From: a@b.example\nDate: x\nSubject: y\n"
#define DKIM                                                        \
    "DKIM-Signature: v=1; a=rsa-sha256; d=b.example; s=s; b=AAAA; " \
    "bh=frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=; "
/* A point of small order, and keys on the curve that are nobody's. */
#define SSH_KEY  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMa0IMghl2Q5K1E8f5r82GHkXrjfoEzjC+S7733PtKzY"
#define SSH_BAD  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
#define MINI_KEY "RWSlPXVYj8f618jQe2TSRQWrx2SxYCM/2smLvajWN0c6pAijRKoOGahf"
/* As minisign's: base64 of "ED", a number and a signature, of nothing. */
#define MINI_SIG                                                                                          \
    "RUQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" \
    "A"

extern const struct family {
    const char *name, *before, *unit, *after, *lead;
} families[];
extern const size_t family_count;

#endif
