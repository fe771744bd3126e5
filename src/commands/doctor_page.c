/* The order page: is what mails name the page that this program writes, and is that what the web server sends? */
#include "commands/doctor.h"

#include <string.h>

#include "base/str.h"
#include "mail/https.h"
#include "page/page.h"

#define CHECK      "page"
#define ANSWER     ((size_t)4 << 20) /* bytes of a file, at most */
#define PATIENCE   20L               /* seconds for a file */
#define HTTP_FOUND 200L

/* ---- getting a file ---- */

struct visit {
    struct https *https;
    const char *url; /* of the page */
    struct str body;
};

/* Follows no redirection: a passkey does not either. */
static int get(struct visit *visit, const char *name, struct err *err)
{
    struct str url = STR_INIT;
    long status = 0;
    str_addf(&url, "%s%s", visit->url, name);
    int rc = https_ask(visit->https, url.p, NULL, &status, &visit->body, err);
    if (rc == 0 && status != HTTP_FOUND)
        rc = err_set(err, ERR_CONFIG,
                     "%s is answered with status %ld: serve the folder that `turnpost page` wrote", url.p,
                     status);
    str_release(&url);
    return rc;
}

/* ---- what is served ---- */

static int check_header(const struct visit *visit, struct err *err)
{
    static const char *const wanted[] = {"default-src 'none'", "script-src 'self'",
                                         "require-trusted-types-for 'script'", "frame-ancestors 'none'"};
    static const char *const unwanted[] = {"'unsafe-inline'", "'unsafe-eval'", "data:", "*"};
    const char *header = https_header(visit->https, "Content-Security-Policy");
    if (!header)
        return err_set(err, ERR_CONFIG,
                       "the web server sends no Content-Security-Policy with %s: take the headers from "
                       "cron/turnpost-page.nginx, .caddy or .apache",
                       visit->url);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(header, wanted[i]))
            return err_set(
                err, ERR_CONFIG,
                "the Content-Security-Policy of %s lacks %s: take it from cron/turnpost-page.nginx",
                visit->url, wanted[i]);
    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        if (strstr(header, unwanted[i]))
            return err_set(err, ERR_CONFIG,
                           "the Content-Security-Policy of %s has %s: take it from cron/turnpost-page.nginx",
                           visit->url, unwanted[i]);
    return 0;
}

static int check_file(struct visit *visit, const struct page_file *file, struct err *err)
{
    if (get(visit, file->name, err))
        return -1;
    if (visit->body.len == file->bytes.len &&
        (!visit->body.len || memcmp(visit->body.p, file->bytes.p, visit->body.len) == 0))
        return 0;
    return err_set(
        err, ERR_CONFIG,
        "%s%s is not the file that this league's page has: write the page again (turnpost page DIR); "
        "if it still differs, somebody else changes what players sign with",
        visit->url, file->name);
}

static int check_served(const struct page *page, const char *url, const char *ca_file, struct err *err)
{
    struct visit visit = {.url = url, .body = STR_INIT};
    int rc = https_begin(&visit.https, &(struct https_how){ca_file, PATIENCE, ANSWER}, err);
    if (rc == 0)
        rc = get(&visit, "", err);
    if (rc == 0)
        rc = check_header(&visit, err);
    for (size_t i = 0; rc == 0 && i < page->count; i++)
        rc = check_file(&visit, &page->list[i], err);
    https_end(visit.https);
    str_release(&visit.body);
    return rc;
}

/* ---- what is written ---- */

/* What mails and the registry say, against what this program would write. */
static bool check_written(struct findings *findings, const struct page *page,
                          const struct page_written *written, const char *url)
{
    if (written->version && strcmp(written->sha256, page->sha256) == 0 && strcmp(written->url, url) == 0)
        return true;
    if (!written->version)
        findings_add(findings, FINDING_WARNING, CHECK,
                     "mails link to %s, but the page was never written: turnpost page DIR", url);
    else
        findings_add(
            findings, FINDING_WARNING, CHECK,
            "page %d, which mails name, is not the one that this program and league.ini make: write it "
            "again (turnpost page DIR)",
            written->version);
    return false;
}

static void check_host(struct findings *findings, const char *url)
{
    struct slice host = page_url_host(url);
    if (!page_url_alone(url))
        findings_add(
            findings, FINDING_WARNING, CHECK,
            "%s is not alone on its host: passkeys belong to %.*s as a whole, so anyone who writes another "
            "page there can ask for signatures; give the page a host name of its own",
            url, (int)host.len, host.p);
}

void doctor_page(struct findings *findings, const struct league *league, const struct doctor_visit *visit)
{
    const char *url = league->config.league.page_url;
    struct page page = {.list = NULL};
    struct page_written written = {.version = 0};
    struct err err = ERR_INIT;
    if (!*url)
        return;
    check_host(findings, url);
    int rc = page_written_read(league->dir, &written, &err) ? -1 : page_make(&page, league, &err);
    if (rc == 0 && check_written(findings, &page, &written, url)) {
        page_number(&page, written.version);
        rc = visit->fetch ? check_served(&page, url, visit->ca_file, &err) : 0;
        if (rc == 0)
            findings_add(findings, FINDING_OK, CHECK, "page %d (%s), %s", written.version, page.sha256,
                         visit->fetch ? "is served as it was written" : "is the one that mails name");
    }
    if (rc)
        findings_fail(findings, CHECK, &err);
    page_release(&page);
}
