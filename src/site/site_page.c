/* What all pages share: their heads, their words, and the digests by which they are known. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/embed.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/version.h"
#include "site/site_parts.h"

#define TEMPLATE_MOST ((size_t)1 << 20)
#define FOLDER        "site" /* of templates */

/* ---- digests ---- */

static void add_part(crypto_generichash_state *state, struct slice part)
{
    static const unsigned char end = 0;
    if (part.len)
        (void)crypto_generichash_update(state, (const unsigned char *)part.p, part.len);
    (void)crypto_generichash_update(state, &end, 1);
}

void site_key(const struct site_work *work, unsigned char key[SITE_KEY], struct slice part)
{
    crypto_generichash_state state;
    (void)crypto_generichash_init(&state, work->base, sizeof work->base, SITE_KEY);
    add_part(&state, part);
    (void)crypto_generichash_final(&state, key, SITE_KEY);
}

/* The templates of the league's own. NOLINTNEXTLINE(misc-no-recursion): folders nest a few deep. */
static int add_own(crypto_generichash_state *state, const char *dir, struct err *err)
{
    struct file_names names = {NULL, 0};
    int rc = file_list(dir, &names, err);
    for (size_t i = 0; rc == 0 && i < names.count; i++) {
        struct str text = STR_INIT;
        struct err ignored = ERR_INIT;
        char *path = path_join(dir, names.name[i]);
        add_part(state, slice_of(names.name[i]));
        if (!file_is_plain(path))
            rc = add_own(state, path, err);
        else if (file_read(path, TEMPLATE_MOST, &text, &ignored) == 0)
            add_part(state, slice_str(&text));
        str_release(&text);
        free(path);
    }
    file_names_free(&names);
    return rc;
}

int site_base(struct site_work *work, struct err *err)
{
    const struct config *config = &work->site->league->config;
    crypto_generichash_state state;
    struct str options = STR_INIT;
    (void)crypto_generichash_init(&state, NULL, 0, sizeof work->base);
    add_part(&state, slice_of(version_text()));
    for (const struct embed *file = embed_table; file->path; file++) {
        add_part(&state, slice_of(file->path));
        add_part(&state, (struct slice){(const char *)file->bytes, (size_t)(file->end - file->bytes)});
    }
    add_part(&state, slice_of(config->league.name));
    add_part(&state, slice_of(config->league.address));
    add_part(&state, slice_of(config->league.timezone));
    add_part(&state, slice_of(config->site.url));
    str_addf(&options, "%d %d %d %d %d", config->league.registration, config->league.trust,
             config->league.player_games, config->site.awaited, config->league.ratings);
    add_part(&state, slice_str(&options));
    str_release(&options);
    char *own = league_path(work->site->league, "templates");
    int rc = add_own(&state, own, err);
    free(own);
    (void)crypto_generichash_final(&state, work->base, sizeof work->base);
    return rc;
}

/* ---- pages ---- */

bool site_player_shown(const struct site *site, const char *name)
{
    const struct player *player = registry_find(site->registry, name);
    return player && player->is_public;
}

void site_player_called(const struct site *site, const char *name, json_t *row)
{
    const struct player *player = registry_find(site->registry, name);
    if (player && *player->display)
        json_object_set_new(row, "called", json_pack("{s:s}", "display", player->display));
}

/* "../" for each folder that the page is in. */
static void root_of(struct str *root, const char *path)
{
    for (const char *c = path; *c; c++)
        if (*c == '/')
            str_adds(root, "../");
}

static void put_text(json_t *facts, const char *member, const char *text)
{
    json_object_set_new(facts, member, text && *text ? json_text(slice_of(text)) : json_false());
}

static void put_head(const struct site_work *work, const struct site_page *page, json_t *facts)
{
    const struct config *config = &work->site->league->config;
    struct str root = STR_INIT, url = STR_INIT;
    root_of(&root, page->path);
    json_object_set_new(facts, "root", json_string(root.p));
    put_text(facts, "league", config->league.name);
    put_text(facts, "address", config->league.address);
    put_text(facts, "page_title", page->title);
    put_text(facts, "description", page->description);
    put_text(facts, "json", page->json);
    put_text(facts, "feed", page->feed);
    json_object_set_new(facts, "has_ratings", json_boolean(config->league.ratings != RATINGS_NO));
    if (*config->site.url)
        str_addf(&url, "%s%s%s", config->site.url, str_ends(config->site.url, "/") ? "" : "/", page->path);
    put_text(facts, "canonical", url.p);
    str_clear(&url);
    if (*config->site.url)
        str_addf(&url, "%s%s", config->site.url, str_ends(config->site.url, "/") ? "" : "/");
    json_object_set_new(facts, "base", json_text(slice_str(url.len ? &url : &root)));
    str_release(&root);
    str_release(&url);
}

int site_page_put(struct site_work *work, const struct site_page *page, json_t *facts, struct err *err)
{
    struct str text = STR_INIT;
    put_head(work, page, facts);
    int rc = templates_render(work->site->templates, &(struct template_name){FOLDER, page->template}, facts,
                              &text, err);
    if (rc == 0)
        rc = site_out_put(work->out, page->path, slice_str(&text), err);
    str_release(&text);
    return rc;
}

int site_json_put(struct site_work *work, const char *path, const char *folder, json_t *facts,
                  struct err *err)
{
    struct str text = STR_INIT;
    int rc = templates_say(work->site->templates, folder, facts, err);
    if (rc == 0) {
        json_write_pretty(&text, facts);
        rc = site_out_put(work->out, path, slice_str(&text), err);
    }
    str_release(&text);
    return rc;
}

int site_unit_put(struct site_work *work, const struct site_page *page, json_t *facts, struct err *err)
{
    struct str text = STR_INIT;
    unsigned char key[SITE_KEY];
    int rc = 0;
    json_write(&text, facts);
    site_key(work, key, slice_str(&text));
    str_release(&text);
    if (!site_out_begin(work->out, page->path, key))
        return 0;
    json_t *json = json_deep_copy(facts);
    rc = site_page_put(work, page, facts, err);
    if (rc == 0 && page->json)
        rc = site_json_put(work, page->json, "", json, err);
    json_decref(json);
    work->sum->rendered++;
    return rc;
}
