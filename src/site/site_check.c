/* "Check this game yourself": the pages and programs by which a visitor's browser proves a finished game. They are
 * copied as they are; the rules as WebAssembly come with the installation, and where they are not there the page says
 * so and checks the rest. */
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/embed.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "site/site_parts.h"
#include "site/site_round.h"

#define SOURCES   "templates/site/check/"
#define WASM_MOST ((size_t)32 << 20)

char *site_wasm(void)
{
    /* installed: bin/turnpost and share/turnpost; built: build/release/turnpost and build/wasm */
    static const char *const places[] = {"../share/turnpost/check/rules.wasm", "../wasm/rules.wasm"};
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    char *found = NULL;
    self[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    for (size_t i = 0; !found && i < sizeof places / sizeof *places; i++) {
        found = path_join(self, places[i]);
        if (!file_is_plain(found)) {
            free(found);
            found = NULL;
        }
    }
    return found;
}

/* As sha256sum prints it. */
static int put_digest(struct site_work *work, struct slice wasm, struct err *err)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    char line[2 * sizeof digest + 2];
    crypto_hash_sha256(digest, (const unsigned char *)wasm.p, wasm.len);
    hex_to(line, digest, sizeof digest);
    line[2 * sizeof digest] = '\n';
    return site_out_put(work->out, "check/rules.wasm.sha256", (struct slice){line, sizeof line - 1}, err);
}

/* It is known by its time and size, so that it is not read each time. What is on the site stays where the installation's
 * is not found, as while it is replaced. */
static int put_wasm(struct site_work *work, struct err *err)
{
    static const char unit[] = "check/rules.wasm";
    unsigned char key[SITE_KEY];
    struct str text = STR_INIT;
    struct stat st;
    char *path = site_wasm();
    int rc = 0;
    if (!path || stat(path, &st) != 0) {
        site_out_leave(work->out, unit);
        free(path);
        return 0;
    }
    str_addf(&text, "%lld %lld", (long long)st.st_size, (long long)st.st_mtime);
    site_key(work, key, slice_str(&text));
    str_clear(&text);
    if (site_out_begin(work->out, unit, key)) {
        rc = file_read(path, WASM_MOST, &text, err);
        if (rc == 0)
            rc = site_out_put(work->out, unit, slice_str(&text), err);
        if (rc == 0)
            rc = put_digest(work, slice_str(&text), err);
    }
    str_release(&text);
    free(path);
    return rc;
}

int site_check(struct site_work *work, struct err *err)
{
    unsigned char key[SITE_KEY];
    int rc = 0;
    site_key(work, key, slice_of("check"));
    if (site_out_begin(work->out, "check", key)) {
        for (const struct embed *file = embed_table; rc == 0 && file->path; file++) {
            struct str path = STR_INIT;
            if (!str_starts(file->path, SOURCES))
                continue;
            str_addf(&path, "check/%s", file->path + strlen(SOURCES));
            rc = site_out_put(work->out, path.p,
                              (struct slice){(const char *)file->bytes, (size_t)(file->end - file->bytes)},
                              err);
            str_release(&path);
        }
    }
    return rc ? rc : put_wasm(work, err);
}
