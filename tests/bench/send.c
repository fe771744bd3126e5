/* Sends what is in a spool, as run does; prints wall seconds and the number of mails.
 *
 *     send SPOOL HOST PORT CONNECTIONS CA
 *         by STARTTLS, as always
 *
 *     send SPOOL HOST PORT CONNECTIONS -
 *         without TLS, which Turnpost itself never does: smtp-sink knows none, and smtp-source uses none
 */
#include "bench.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <stdarg.h>

#include "mail/sink.h"

#undef curl_easy_setopt

static bool bare;

/* In place of libcurl's: without TLS where that was asked for. */
CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...)
{
    typedef CURLcode set(CURL *, CURLoption, ...);
    static set *real;
    va_list args;
    CURLcode code;
    if (!real) {
        void *found = dlsym(RTLD_NEXT, "curl_easy_setopt");
        memcpy(&real, &found, sizeof real); /* ISO C knows no such conversion */
    }
    va_start(args, option);
    if (option == CURLOPT_USE_SSL && bare)
        code = real(curl, option, (long)CURLUSESSL_NONE);
    else if (option < CURLOPTTYPE_OBJECTPOINT)
        code = real(curl, option, va_arg(args, long));
    else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB)
        code = real(curl, option, va_arg(args, curl_off_t));
    else
        code = real(curl, option, va_arg(args, void *));
    va_end(args);
    return code;
}

int main(int argc, char **argv)
{
    struct err err = ERR_INIT;
    struct sink_counts counts;
    struct timespec began, ended;
    if (argc != 6)
        return 64;
    bare = strcmp(argv[5], "-") == 0;
    struct sink sink = {
        .kind = SINK_SMTP,
        .connections = (int)strtol(argv[4], NULL, 10),
        .expire = DAY,
        .smtp = {.host = argv[2],
                 .port = (int)strtol(argv[3], NULL, 10),
                 .tls = TLS_STARTTLS,
                 .ca_file = bare ? NULL : argv[5],
                 .timeout = 60},
    };
    (void)clock_gettime(CLOCK_MONOTONIC, &began);
    if (sink_send(&sink, &(struct sink_round){.spool = argv[1], .now = NOW}, &counts, &err))
        fail(&err);
    (void)clock_gettime(CLOCK_MONOTONIC, &ended);
    printf("seconds %.6f\nsent %zu\nlater %zu\nrefused %zu\n",
           (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) / 1e9, counts.sent,
           counts.later, counts.refused);
    return 0;
}
