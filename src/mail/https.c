#include "mail/https.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "mail/dial.h"

struct https {
    CURL *curl;
    struct curl_slist *type;
    struct str *body; /* of the question that is asked */
    size_t most;
    char reason[CURL_ERROR_SIZE];
};

static size_t take(char *bytes, size_t size, size_t count, void *arg)
{
    struct https *https = arg;
    const size_t len = size * count;
    if (len > https->most || https->body->len > https->most - len)
        return 0;
    str_add(https->body, bytes, len);
    return len;
}

int https_begin(struct https **out, const struct https_how *how, struct err *err)
{
    const char *ca = how->ca_file && *how->ca_file ? how->ca_file : SYSTEM_CA_FILE;
    *out = NULL;
    if (access(ca, R_OK) != 0)
        return err_sys(err, ERR_CONFIG, "cannot read the trusted certificates in %s", ca);
    dial_start();
    struct https *https = *out = mem_alloc(sizeof *https);
    *https = (struct https){.curl = curl_easy_init(), .most = how->most};
    https->type = curl_slist_append(NULL, "Content-Type: text/plain; charset=utf-8");
    CURL *curl = https->curl;
    if (curl && https->type && !curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "https") &&
        !curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L) &&
        !curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L) &&
        !curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2) &&
        !curl_easy_setopt(curl, CURLOPT_CAINFO, ca) &&
        !curl_easy_setopt(curl, CURLOPT_TIMEOUT, how->seconds) &&
        !curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L) &&
        !curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L) &&
        !curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take) &&
        !curl_easy_setopt(curl, CURLOPT_WRITEDATA, (void *)https) &&
        !curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, https->reason))
        return 0;
    https_end(https);
    *out = NULL;
    return err_set(err, ERR_CONFIG, "libcurl cannot speak https here");
}

void https_end(struct https *https)
{
    if (!https)
        return;
    curl_easy_cleanup(https->curl);
    curl_slist_free_all(https->type);
    free(https);
}

int https_ask(struct https *https, const char *url, const struct slice *post, long *status, struct str *body,
              struct err *err)
{
    CURL *curl = https->curl;
    str_clear(body);
    https->body = body;
    *https->reason = '\0';
    *status = 0;
    CURLcode code = curl_easy_setopt(curl, CURLOPT_URL, url);
    if (!code)
        code = curl_easy_setopt(curl, CURLOPT_HTTPHEADER, post ? https->type : NULL);
    if (!code && post) {
        code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)post->len);
        if (!code) /* borrowed while it is asked */
            code = curl_easy_setopt(curl, CURLOPT_POSTFIELDS, post->p);
    } else if (!code) {
        code = curl_easy_setopt(curl, CURLOPT_HTTPGET, 1L);
    }
    if (!code)
        code = curl_easy_perform(curl);
    if (!code)
        code = curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
    https->body = NULL;
    if (code == CURLE_WRITE_ERROR)
        return err_set(err, ERR_TEMP, "%s gives an answer of more than %zu bytes", url, https->most);
    return code ? err_set(err, ERR_TEMP, "%s gives no answer: %s", url,
                          *https->reason ? https->reason : curl_easy_strerror(code))
                : 0;
}

const char *https_header(struct https *https, const char *name)
{
    struct curl_header *header = NULL;
    return curl_easy_header(https->curl, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value
                                                                                          : NULL;
}
