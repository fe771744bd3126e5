/* A mail server made of a fuzzer's bytes, in place of libcurl: what we send is thrown away; each answer
 * is the bytes up to the next line "%%", with "@tag@" for the tag of the last command. After the last one it
 * hangs up. The first byte says in pieces of how many bytes it comes. */
#ifndef TESTS_FUZZ_SERVER_H
#define TESTS_FUZZ_SERVER_H

#include <curl/curl.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "need.h"

static struct {
    struct slice rest; /* answers to come */
    struct str answer; /* what is left of this one */
    char tag[16];
    bool asked; /* something was sent since */
    size_t piece;
    int ready; /* a descriptor that can always be read and written */
    curl_debug_callback watch;
    void *watcher;
} server;

static void server_begin(const uint8_t *data, size_t size)
{
    if (!server.ready)
        server.ready = open("/dev/null", O_RDWR | O_CLOEXEC);
    server.piece = size ? (size_t)data[0] + 1 : 1;
    server.rest = size ? (struct slice){(const char *)data + 1, size - 1} : (struct slice){NULL, 0};
    server.asked = false;
    (void)snprintf(server.tag, sizeof server.tag, "1");
    str_clear(&server.answer);
}

static void server_next(void)
{
    struct slice line;
    str_clear(&server.answer);
    while (slice_line(&server.rest, &line) && !slice_eq(line, "%%")) {
        struct slice raw = {line.p, (size_t)(server.rest.p - line.p)};
        size_t at = slice_find(raw, "@tag@");
        if (at == (size_t)-1) {
            str_addslice(&server.answer, raw);
            continue;
        }
        str_addslice(&server.answer, slice_sub(raw, 0, at));
        str_adds(&server.answer, server.tag);
        str_addslice(&server.answer, slice_sub(raw, at + 5, raw.len));
    }
    server.asked = false;
}

/* What libcurl would be asked. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
CURL *curl_easy_init(void)
{
    return &server;
}
void curl_easy_cleanup(CURL *curl)
{
    (void)curl;
}
CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...)
{
    va_list args;
    (void)curl;
    va_start(args, option);
    if (option == CURLOPT_DEBUGFUNCTION)
        server.watch = va_arg(args, curl_debug_callback);
    else if (option == CURLOPT_DEBUGDATA)
        server.watcher = va_arg(args, void *);
    va_end(args);
    return CURLE_OK;
}
CURLcode curl_easy_getinfo(CURL *curl, CURLINFO info, ...)
{
    va_list args;
    (void)curl;
    va_start(args, info);
    if (info == CURLINFO_ACTIVESOCKET)
        *va_arg(args, curl_socket_t *) = server.ready;
    va_end(args);
    return CURLE_OK;
}
/* Greeting and extensions: the first answer, as libcurl hands it on to dial.c. */
CURLcode curl_easy_perform(CURL *curl)
{
    server_next();
    if (server.watch && server.answer.len)
        (void)server.watch(curl, CURLINFO_HEADER_IN, server.answer.p, server.answer.len, server.watcher);
    str_clear(&server.answer);
    return server.rest.len ? CURLE_OK : CURLE_COULDNT_CONNECT;
}
CURLcode curl_easy_send(CURL *curl, const void *bytes, size_t len, size_t *sent)
{
    size_t n = 0;
    (void)curl;
    while (n < len && n < sizeof server.tag - 1 && ((const char *)bytes)[n] > ' ')
        n++;
    if (!server.asked) {
        memcpy(server.tag, bytes, n);
        server.tag[n] = '\0';
    }
    server.asked = true;
    *sent = len;
    return CURLE_OK;
}
CURLcode curl_easy_recv(CURL *curl, void *buffer, size_t len, size_t *got)
{
    (void)curl;
    if (!server.answer.len && server.asked)
        server_next();
    if (len > server.piece)
        len = server.piece;
    *got = len < server.answer.len ? len : server.answer.len;
    memcpy(buffer, server.answer.p, *got);
    memmove(server.answer.p, server.answer.p + *got, server.answer.len - *got);
    str_cut(&server.answer, server.answer.len - *got);
    return CURLE_OK;
}

#endif
