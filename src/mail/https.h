/* Questions over HTTPS, each with its answer. The certificate and the host name are always verified; no redirection is followed;
 * https_proxy of the environment leads to the host, and cannot read along; and an answer that takes longer, or has more bytes, than was said is none. */
#ifndef MAIL_HTTPS_H
#define MAIL_HTTPS_H

#include "base/err.h"
#include "base/str.h"

struct https;
struct https_how {
    const char *ca_file; /* PEM; NULL or "" = the system's */
    long seconds;        /* for one answer, with all that it takes to get there */
    size_t most;         /* bytes of its body */
};
/* ERR_CONFIG: libcurl has no HTTPS, or the CA file cannot be read. The caller ends it with https_end. */
int https_begin(struct https **https, const struct https_how *how, struct err *err)
    __attribute__((warn_unused_result));
void https_end(struct https *https); /* NULL is fine */

/* GET, or with `post` (not NULL) POST of these bytes. *status and `body` (replaced) are what came, whatever the status says; connections are
 * kept for the next question. ERR_TEMP: there was no whole answer. */
int https_ask(struct https *https, const char *url, const struct slice *post, long *status, struct str *body,
              struct err *err) __attribute__((warn_unused_result));
/* A header of the last answer; NULL. Borrowed, until the next question. */
const char *https_header(struct https *https, const char *name);

#endif
