#include "league/page_url.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/version.h"
#include "trust/key.h"

#define SCHEME      "https://"
#define HEAD_DIGITS 8
#define PATH_BYTES  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-._~"

/* ---- the address ---- */

struct slice page_url_host(const char *url)
{
    const char *host = url + strlen(SCHEME);
    return (struct slice){host, strcspn(host, "/")};
}

bool page_url_alone(const char *url)
{
    struct slice host = page_url_host(url);
    return strcmp(host.p + host.len, "/") == 0;
}

/* With a dot, and a letter in what follows the last one: no address of digits, and none for this host alone. */
static bool is_public_name(struct slice host)
{
    const char *dot = memrchr(host.p, '.', host.len);
    for (const char *p = dot ? dot : host.p + host.len; p < host.p + host.len; p++)
        if (*p >= 'a' && *p <= 'z')
            return true;
    return false;
}

int page_url_check(const char *url, struct err *err)
{
    if (!str_starts(url, SCHEME))
        return err_set(err, ERR_CONFIG, "\"%s\" must begin with " SCHEME ": browsers sign nowhere else", url);
    if (strlen(url) > PAGE_URL_MOST)
        return err_set(err, ERR_CONFIG, "\"%s\" is longer than %d bytes: links in mails would break", url,
                       PAGE_URL_MOST);
    struct slice host = page_url_host(url);
    const char *path = host.p + host.len;
    if (host.len >= KEY_APPLICATION || !key_host_good(host) || !is_public_name(host))
        return err_set(err, ERR_CONFIG,
                       "\"%s\" needs the name of a host in small letters, without a port: passkeys belong to "
                       "such a name; write for example https://play.example.org/",
                       url);
    if (!*path || path[strlen(path) - 1] != '/' || strspn(path, PATH_BYTES) != strlen(path))
        return err_set(err, ERR_CONFIG,
                       "\"%s\" must be the address of a folder and end with \"/\", without \"?\" and \"#\"",
                       url);
    return 0;
}

/* ---- links ---- */

/* The pieces in their order; each only if all before it are there. */
void page_link(struct str *out, const char *url, const struct page_place *place)
{
    struct str pieces[4] = {STR_INIT, STR_INIT, STR_INIT, STR_INIT};
    size_t from = out->len;
    bool fits = *place->game != '\0';
    str_adds(out, url);
    str_addf(&pieces[0], "#g=%s", place->game);
    str_addf(&pieces[1], "&t=%d", place->turn);
    if (place->head)
        str_addf(&pieces[2], "&h=%.*s", HEAD_DIGITS, place->head);
    if (place->seat)
        str_addf(&pieces[3], "&s=%d", place->seat);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        fits = fits && out->len - from + pieces[i].len <= PAGE_LINK_MOST;
        if (fits)
            str_addslice(out, slice_str(&pieces[i]));
        str_release(&pieces[i]);
    }
}

/* ---- what was written ---- */

static int known_members(const json_t *json, const char *path, struct err *err)
{
    static const char *const members[] = {"version", "sha256", "url"};
    const char *name;
    json_t *value;
    json_object_foreach ((json_t *)(uintptr_t)json, name, value) {
        bool known = false;
        for (size_t i = 0; i < sizeof members / sizeof *members; i++)
            known |= strcmp(members[i], name) == 0;
        if (!known)
            return version_newer(err, "%s: \"%.40s\"", path, name);
    }
    return 0;
}

static int take(const json_t *json, const char *path, struct page_written *page, struct err *err)
{
    int64_t version = 0;
    const char *sha256 = NULL, *url = NULL;
    if (known_members(json, path, err) || json_need_int(json, "version", 1, INT32_MAX, &version, path, err) ||
        json_need_string(json, "sha256", &sha256, path, err) ||
        json_need_string(json, "url", &url, path, err))
        return -1;
    if (strlen(sha256) != PAGE_DIGEST - 1 || strspn(sha256, "0123456789abcdef") != PAGE_DIGEST - 1)
        return err_set(err, ERR_BROKEN, "%s: \"sha256\" must be 64 hex digits", path);
    if (page_url_check(url, err)) {
        err->code = ERR_BROKEN;
        return err_prefix(err, "%s: \"url\"", path);
    }
    page->version = (int)version;
    memcpy(page->sha256, sha256, PAGE_DIGEST);
    memcpy(page->url, url, strlen(url) + 1);
    return 0;
}

int page_written_read(const char *league_dir, struct page_written *page, struct err *err)
{
    char *path = path_join(league_dir, PAGE_DOCUMENT);
    *page = (struct page_written){.version = 0};
    json_t *json = file_exists(path) ? json_read_file(path, err) : NULL;
    int rc = json ? take(json, path, page, err) : file_exists(path) ? -1 : 0;
    json_decref(json);
    free(path);
    return rc;
}

json_t *page_written_document(const struct page_written *page)
{
    return json_pack("{s:i,s:s,s:s}", "version", page->version, "sha256", page->sha256, "url", page->url);
}
