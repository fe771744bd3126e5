#include "mail/imap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define SEARCH_BYTES ((size_t)32 * 1024 * 1024) /* some three million UIDs */

/* Response codes that say whether a NO or BAD is temporary or lasting (RFC 5530, section 3). */
static const char *const passing[] = {"UNAVAILABLE", "INUSE",      "LIMIT",        "SERVERBUG",
                                      "OVERQUOTA",   "CORRUPTION", "EXPUNGEISSUED"};
static const char *const lasting[] = {
    "NOPERM",   "AUTHORIZATIONFAILED", "AUTHENTICATIONFAILED", "PRIVACYREQUIRED",
    "EXPIRED",  "CONTACTADMIN",        "NONEXISTENT",          "CANNOT",
    "CLIENTBUG"};

bool imap_answer_code(const struct imap *imap, const char *code)
{
    const char *atom = imap->session->imap_response_info->rsp_atom;
    return atom && strcasecmp(atom, code) == 0;
}

static bool code_among(const struct imap *imap, const char *const *codes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (imap_answer_code(imap, codes[i]))
            return true;
    return false;
}

/* Without such a code it is `usual`, or lasting for a BAD: the same command would be bad the next time
 * too. */
static enum err_code refusal_code(const struct imap *imap, enum err_code usual)
{
    if (code_among(imap, passing, sizeof passing / sizeof *passing))
        return ERR_TEMP;
    if (imap->bad || code_among(imap, lasting, sizeof lasting / sizeof *lasting))
        return ERR_CONFIG;
    return usual;
}

int imap_lost(struct imap *imap, struct err *err)
{
    imap_stream_break(imap->stream, "its answer is not IMAP");
    return err_set(err, ERR_TEMP, "lost the connection to %s: %s", imap->where,
                   imap_stream_reason(imap->stream));
}

int imap_refused(const struct imap *imap, enum err_code usual, const char *what, struct err *err)
{
    const char *said = imap->session->imap_response;
    struct str words = STR_INIT;
    utf8_safe(&words, slice_sub(slice_of(said ? said : "no reason given"), 0, 300), false);
    err_set(err, refusal_code(imap, usual), "%s %s: %s%s", imap->where, what, imap->bad ? "BAD " : "",
            words.p);
    str_release(&words);
    return -1;
}

int imap_send(struct imap *imap, const char *tag, const char *command)
{
    struct str line = STR_INIT;
    mailstream *mail = imap->session->imap_stream;
    str_addf(&line, "%s%s%s\r\n", tag, tag[0] ? " " : "", command);
    ssize_t sent = mailstream_write(mail, line.p, line.len);
    str_release(&line);
    return sent < 0 || mailstream_flush(mail) < 0 ? -1 : 0;
}

/* Is the last tagged answer a BAD to this tag? libetpan treats that like an answer with a wrong tag. */
static bool answered_bad(const struct imap *imap, const char *tag)
{
    struct slice rest = imap_stream_tagged(imap->stream);
    struct slice word;
    return slice_word(&rest, &word) && slice_eq(word, tag) && slice_word(&rest, &word) &&
           slice_caseeq(word, "BAD");
}

/* Not by mailimap_custom_command: it puts a space after each command, which RFC 3501 does not allow. */
int imap_command(struct imap *imap, const char *command, size_t bytes, struct err *err)
{
    struct mailimap_response *response;
    char tag[16];
    if (imap_stream_broken(imap->stream))
        return imap_lost(imap, err);
    imap_stream_expect(imap->stream, bytes);
    (void)snprintf(tag, sizeof tag, "%d", ++imap->session->imap_tag); /* the parser compares it */
    imap->bad = false;
    if (imap_send(imap, tag, command) || !mailimap_read_line(imap->session))
        return imap_lost(imap, err);
    int rc = mailimap_parse_response(imap->session, &response);
    if (imap_stream_broken(imap->stream))
        rc = MAILIMAP_ERROR_STREAM;
    if (rc == MAILIMAP_NO_ERROR) {
        int type = response->rsp_resp_done->rsp_data.rsp_tagged->rsp_cond_state->rsp_type;
        mailimap_response_free(response);
        return type == MAILIMAP_RESP_COND_STATE_OK ? 0 : 1;
    }
    imap->bad = rc == MAILIMAP_ERROR_PROTOCOL && answered_bad(imap, tag);
    return imap->bad ? 1 : imap_lost(imap, err);
}

int imap_search(struct imap *imap, const char *key, struct uids *uids, struct err *err)
{
    struct str command = STR_INIT;
    str_addf(&command, "UID SEARCH %s", key);
    imap_stream_sieve(imap->stream, uids);
    int rc = imap_command(imap, command.p, SEARCH_BYTES, err);
    imap_stream_sieve(imap->stream, NULL);
    str_release(&command);
    /* Numbers in a form that the sieve does not recognise. */
    const clist *others = rc == 0 ? imap->session->imap_response_info->rsp_search_result : NULL;
    for (clistiter *i = others ? clist_begin(others) : NULL; i; i = clist_next(i))
        uids_add(uids, *(const uint32_t *)clist_content(i));
    uids_settle(uids);
    return rc;
}
