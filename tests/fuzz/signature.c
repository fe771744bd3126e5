/* Fuzz target: signature containers and keys. The bytes are the parts of a mail, divided by lines "%% NAME";
 * what opens with one of eight fixed keys must be the one text that was ever signed with them (in the seeds, by
 * the stock tools and, with tokens and passkeys, in their stead). Then the bytes are a file of keys. */
#include "need.h"

#include <sodium.h>
#include <string.h>
#include <time.h>

#include "base/utf8.h"
#include "trust/canon.h"
#include "trust/envelope.h"
#include "trust/keyring.h"
#include "trust/p256.h"

#define PARTS 8

static const char signed_text[] =
    "#turnpost orders\ngame: gc-17\nturn: 5\nhead: 4f9a0c2b7d1e8a63\nFrom near to far\nif fuel > 3 build\n"
    "say all caf\xC3\xA9 it's \"ours\" - or not -- yes\nexplore near or bide\n#end\n";
static const char key_lines[] =
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMa0IMghl2Q5K1E8f5r82GHkXrjfoEzjC+S7733PtKzY\n"
    "minisign RWSlPXVYj8f618jQe2TSRQWrx2SxYCM/2smLvajWN0c6pAijRKoOGahf\n"
    "signify RWTF9X3ZALvPnEBRNTOlZOL8ySL3rRrk7POY9eIKM89H/hAfZKDnwPvw\n"
    "sk-ssh-ed25519@openssh.com "
    "AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29tAAAAIBZnTMiXtfnza1pOucVq3LXSkhw182MbkwdQxRuQd7yOAAAABHNzaDo=\n"
    "sk-ecdsa-sha2-nistp256@openssh.com "
    "AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBC1vg5pT60hZ4vuS"
    "/qOohJksr+DhahvmaUPuBW3PJaBLGYYJZrfwnLa7soQBlDWjHsvvQOlsId2/kTiR437obb8AAAAEc3NoOg==\n"
    "sk-ecdsa-sha2-nistp256@openssh.com "
    "AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBEvOHwSD6ReznzFR"
    "VnBQUVUb93mk+wSBX3QZE9JQvdeqo3cIWaib9S/6u4zH5zg2CLrvh/o0BGObGari+Bs3WAYAAAASb3JkZXJzLmV4"
    "YW1wbGUub3Jn webauthn\n"
    "sk-ecdsa-sha2-nistp256@openssh.com "
    "AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20AAAAIbmlzdHAyNTYAAABBBOQsFACSO2yei0Ig"
    "Hij9ENfEUnVSvx1tjP+D928iCV7wOhZum5nPor3Ze10UobNT0xez4PptX/JT6DFv6aI4n+UAAAASb3JkZXJzLmV4"
    "YW1wbGUub3Jn webauthn-verified\n"
    "ecdsa-sha2-nistp256 "
    "AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBJ6i99ISyfziA288h+HKM08Q3E3ZpCoQY3yH"
    "KnO3hCSNgF+I/icDXfgmhVwIYzzbIyMm4BJDnxqP8PP2nTSorRg=\n";
#define KEYS 8
static struct pubkey keys[KEYS];
static size_t key_count;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct err err = ERR_INIT;
    (void)argc;
    (void)argv;
    struct slice rest = slice_of(key_lines);
    for (bool found = true; key_count < KEYS; key_count++)
        need(pubkey_next(&rest, &keys[key_count], &found, &err) == 0 && found);
    return 0;
}

static size_t split(struct slice text, struct evidence parts[PARTS], char names[PARTS][32])
{
    size_t count = 0;
    struct slice line;
    const char *from = text.p;
    struct slice rest = text;
    names[0][0] = '\0';
    for (;;) {
        const char *at = rest.p;
        bool more = slice_line(&rest, &line);
        if (more && !slice_starts(line, "%% "))
            continue;
        struct slice part = {from, more ? (size_t)(at - from) : (size_t)(text.p + text.len - from)};
        /* What the mail room promises: shown texts are UTF-8. */
        bool shown = utf8_valid(part);
        parts[count] =
            (struct evidence){names[count], part, shown ? part : (struct slice){NULL, 0}, {NULL, 0}};
        if (++count == PARTS || !more)
            return count;
        line = slice_sub(line, 3, sizeof names[0] - 1);
        memcpy(names[count], line.p, line.len);
        names[count][line.len] = '\0';
        from = rest.p;
    }
}

static void try_envelopes(struct slice text)
{
    struct evidence parts[PARTS];
    char names[PARTS][32];
    struct envelopes found;
    struct work work = WORK_INIT;
    struct err err = ERR_INIT;
    struct str exact = STR_INIT;
    struct str canon = STR_INIT;
    struct str want = STR_INIT;
    canon_text(&want, slice_of(signed_text));
    size_t n = split(text, parts, names);
    int rc = envelope_find(parts, n, &work, &found, &err);
    need(rc == 0 ? err.code == ERR_NONE : err.code == ERR_INPUT && err.text[0] && found.count == 0);
    need(found.count <= ENVELOPES_MAX);
    for (size_t i = 0; i < found.count; i++) {
        need(found.list[i].candidate_count > 0 && found.list[i].candidate_count <= CANDIDATES_MAX);
        for (size_t k = 0; k < key_count; k++) {
            err_clear(&err);
            if (envelope_open(&found.list[i], &keys[k], NS_ORDERS, &(struct envelope_text){&exact, &canon},
                              &err) == 0) {
                need(exact.len == strlen(signed_text) && memcmp(exact.p, signed_text, exact.len) == 0);
                need(canon.len == want.len && memcmp(canon.p, want.p, want.len) == 0);
            } else {
                need(err.code == ERR_INPUT && err.text[0] && utf8_valid(slice_of(err.text)));
            }
        }
        envelope_release(&found.list[i]);
    }
    str_release(&exact);
    str_release(&canon);
    str_release(&want);
}

/* What is kept of a signature is read again as it was, and makes the same armor. */
static void try_kept(const struct signature *sig)
{
    struct signature back;
    struct pubkey key, again;
    struct err err = ERR_INIT;
    struct str one = STR_INIT, two = STR_INIT;
    if (!signature_key(sig, &key))
        return;
    json_t *json = signature_json(sig, &key);
    need(signature_read_json(json, &back, &again, &err) == 0 && pubkey_equal(&key, &again));
    need(memcmp(back.sig, sig->sig, sizeof sig->sig) == 0 && strcmp(back.client_data, sig->client_data) == 0);
    sshsig_armor(&one, sig);
    sshsig_armor(&two, &back);
    need(one.len == two.len && memcmp(one.p, two.p, one.len) == 0);
    need(signature_parse(slice_str(&one), &back, &err) == 0 || key.kind == KEY_WEBAUTHN);
    str_release(&one);
    str_release(&two);
    json_decref(json);
}

static void try_signature(struct slice text)
{
    struct signature sig;
    struct err err = ERR_INIT;
    if (signature_parse(text, &sig, &err)) {
        need(err.code == ERR_INPUT && err.text[0]);
        return;
    }
    need(memchr(sig.ns, '\0', sizeof sig.ns) != NULL);
    need(memchr(sig.client_data, '\0', sizeof sig.client_data) != NULL);
    try_kept(&sig);
    for (size_t k = 0; k < key_count; k++) {
        err_clear(&err);
        need(signature_verify(&sig, &keys[k], NS_ORDERS, slice_of("never signed\n"), &err) != 0);
    }
}

static void try_keys(struct slice rest)
{
    struct pubkey some[KEYS_PER_PLAYER];
    size_t count;
    struct err err = ERR_INIT;
    if (keys_parse(rest, "keys", some, &count, &err))
        need(err.code == ERR_INPUT && utf8_valid(slice_of(err.text)));
    for (bool found = true; found;) {
        struct pubkey key, again;
        struct str line = STR_INIT;
        char print[KEY_FINGERPRINT];
        const char *before = rest.p;
        err_clear(&err);
        if (pubkey_next(&rest, &key, &found, &err)) {
            need(err.code == ERR_INPUT && rest.p > before);
            found = true;
            continue;
        }
        if (!found)
            break;
        need(sodium_is_zero(key.y, sizeof key.y) ? crypto_core_ed25519_is_valid_point(key.point) == 1
                                                 : p256_on_curve(key.point, key.y));
        pubkey_format(&line, &key);
        pubkey_fingerprint(print, &key);
        struct slice formatted = slice_str(&line);
        need(pubkey_next(&formatted, &again, &found, &err) == 0 && found && pubkey_equal(&key, &again));
        str_release(&line);
    }
}

/* A search that is slow for so few bytes is a finding: processor time under the sanitizers, where an honest
 * mail takes a tenth of it. */
static void need_quick(struct slice text, clock_t start)
{
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    need(seconds < 1 + (double)text.len / 20000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size};
    clock_t start = clock();
    try_envelopes(text);
    need_quick(text, start);
    try_signature(text);
    try_keys(text);
    return 0;
}
