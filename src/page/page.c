#include "page/page.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/encode.h"
#include "base/json.h"
#include "base/mem.h"
#include "page/page_parts.h"
#include "site/site_out.h"
#include "trust/key.h"

#define FOLDER "page"
#define OWN    "templates/" FOLDER "/"
#define SITE   "templates/site/"
#define UNIT   "page"

/* ---- the list ---- */

static void digest_of(char out[PAGE_DIGEST], struct slice bytes)
{
    unsigned char digest[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(digest, (const unsigned char *)bytes.p, bytes.len);
    hex_to(out, digest, sizeof digest);
}

void page_add(struct page *page, const char *name, struct str *bytes)
{
    page->list = mem_grow(page->list, page->count, &page->cap, sizeof *page->list);
    struct page_file *file = &page->list[page->count++];
    *file = (struct page_file){.name = mem_strdup(name), .bytes = *bytes};
    str_init(bytes);
    digest_of(file->sha256, slice_str(&file->bytes));
}

void page_add_json(struct page *page, const char *name, json_t *json)
{
    struct str text = STR_INIT;
    json_write_pretty(&text, json);
    str_trim(&text);
    str_addc(&text, '\n');
    page_add(page, name, &text);
    json_decref(json);
}

void page_release(struct page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        free(page->list[i].name);
        str_release(&page->list[i].bytes);
    }
    free(page->list);
    *page = (struct page){.list = NULL};
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct page_file *)a)->name, ((const struct page_file *)b)->name);
}

/* ---- what is in it ---- */

static int add_template(struct page *page, struct templates *templates, const char *name,
                        const struct league *league, struct err *err)
{
    struct str text = STR_INIT;
    json_t *facts = json_pack("{s:s}", "league", league->config.league.name);
    int rc = templates_render(templates, &(struct template_name){FOLDER, name}, facts, &text, err);
    if (rc == 0)
        page_add(page, name, &text);
    str_release(&text);
    json_decref(facts);
    return rc;
}

static void add_copy(struct page *page, const char *name, const struct embed *file)
{
    struct str bytes = STR_INIT;
    str_addslice(&bytes, (struct slice){(const char *)file->bytes, (size_t)(file->end - file->bytes)});
    page_add(page, name, &bytes);
}

static int add_own(struct page *page, struct templates *templates, const struct league *league,
                   struct err *err)
{
    int rc = 0;
    for (const struct embed *file = embed_table; rc == 0 && file->path; file++) {
        if (!str_starts(file->path, OWN))
            continue;
        const char *name = file->path + strlen(OWN);
        if (str_ends(name, ".html"))
            rc = add_template(page, templates, name, league, err);
        else
            add_copy(page, name, file);
    }
    return rc;
}

static void add_shared(struct page *page)
{
    static const char *const names[] = {"check/bytes.js",  "check/curve.js", "check/forms.js",
                                        "check/hashes.js", "check/p256.js",  "icon.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str path = STR_INIT, bytes = STR_INIT;
        str_addf(&path, SITE "%s", names[i]);
        str_addslice(&bytes, embed_find(path.p));
        page_add(page, names[i], &bytes);
        str_release(&path);
    }
}

static json_t *league_facts(const struct league *league, json_t *rulesets)
{
    const struct config_league *config = &league->config.league;
    struct pubkey key;
    struct str line = STR_INIT;
    char print[KEY_FINGERPRINT];
    struct slice host = page_url_host(config->page_url);
    pubkey_of_league(&key, league->key.point);
    pubkey_format(&line, &key);
    pubkey_fingerprint(print, &key);
    json_t *facts =
        json_pack("{s:s,s:s,s:s,s:s,s:s,s:s%,s:b,s:o}", "league", config->name, "address", config->address,
                  "key", line.p, "fingerprint", print, "page", config->page_url, "application", host.p,
                  host.len, "verified", config->page_verified, "rulesets", rulesets);
    str_release(&line);
    return facts;
}

/* What sha256sum prints of all. */
static void digest_all(struct page *page)
{
    struct str lines = STR_INIT;
    for (size_t i = 0; i < page->count; i++)
        str_addf(&lines, "%s  %s\n", page->list[i].sha256, page->list[i].name);
    digest_of(page->sha256, slice_str(&lines));
    str_release(&lines);
}

int page_make(struct page *page, const struct league *league, struct err *err)
{
    *page = (struct page){.list = NULL};
    if (!*league->config.league.page_url)
        return err_set(err, ERR_CONFIG,
                       "say in league.ini where the page will be served: [league] page_url = "
                       "https://play.example.org/");
    struct templates *templates = NULL;
    memcpy(page->url, league->config.league.page_url, strlen(league->config.league.page_url) + 1);
    char *own = league_path(league, "templates");
    templates_open(own, &templates);
    free(own);
    int rc = add_own(page, templates, league, err);
    json_t *forms = rc == 0 ? page_forms(templates, err) : NULL;
    json_t *rulesets = forms ? page_words(page, err) : NULL;
    if (rulesets) {
        add_shared(page);
        page_add_json(page, "forms.json", json_incref(forms));
        page_add_json(page, "league.json", league_facts(league, rulesets));
        qsort(page->list, page->count, sizeof *page->list, by_name);
        digest_all(page);
    } else {
        page_release(page);
    }
    json_decref(forms);
    templates_close(templates);
    return rulesets ? 0 : -1;
}

void page_number(struct page *page, int version)
{
    json_t *files = json_array();
    for (size_t i = 0; i < page->count; i++)
        json_array_append_new(
            files, json_pack("{s:s,s:s}", "file", page->list[i].name, "sha256", page->list[i].sha256));
    page_add_json(page, PAGE_VERSION,
                  json_pack("{s:i,s:s,s:o}", "version", version, "sha256", page->sha256, "files", files));
}

/* ---- the folder ---- */

static int put_all(const struct page *page, struct site_out *out, struct err *err)
{
    unsigned char key[SITE_KEY];
    struct str names = STR_INIT;
    int rc = 0;
    for (size_t i = 0; i < page->count; i++)
        str_addf(&names, "%s  %s\n", page->list[i].sha256, page->list[i].name);
    crypto_generichash(key, sizeof key, (const unsigned char *)names.p, names.len, NULL, 0);
    str_release(&names);
    site_out_renew(out, UNIT, key);
    for (size_t i = 0; rc == 0 && i < page->count; i++)
        rc = site_out_put(out, page->list[i].name, slice_str(&page->list[i].bytes), err);
    return rc ? rc : site_out_end(out, err);
}

int page_put(const struct page *page, const char *folder, struct page_sum *sum, struct err *err)
{
    struct site_out out;
    if (site_out_open(&out, folder, err))
        return -1;
    int rc = 0;
    if (out.old.count && !(out.old.count == 1 && strcmp(out.old.list[0].name, UNIT) == 0))
        rc = err_set(err, ERR_INPUT,
                     "%s holds a site of the league; the page needs a folder and a host name of its own",
                     folder);
    if (rc == 0)
        rc = put_all(page, &out, err);
    *sum = (struct page_sum){out.written, out.removed};
    site_out_release(&out);
    return rc;
}
