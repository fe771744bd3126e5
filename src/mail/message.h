/* One received mail, taken apart: the facts intake needs and every part that may hold a signed text.
 *
 * Header blocks and boundaries are found here, under the limits, and all of it is decoded by rules of our own, so that a
 * verdict is the same with every version of a library. Nothing here decides what a mail means: no From: address is authority for anything (signatures
 * alone are). How real mail breaks the RFCs and what is done about it: src/mail/README.md. RFC 5322,
 * 2045-2049, 2231, 3676, 3464, 3834. */
#ifndef MAIL_MESSAGE_H
#define MAIL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/str.h"

#define MESSAGE_DIGEST 32

struct message_limits {
    size_t size;         /* raw bytes of the whole mail */
    size_t header_bytes; /* of the top header block */
    size_t header_count; /* lines of the top header block */
    size_t parts;        /* leaves looked at */
    size_t depth;        /* nested multiparts and message/rfc822 */
    size_t part_bytes;   /* decoded bytes of one part */
};
extern const struct message_limits message_limits_default; /* 1 MiB, 64 KiB, 500, 64, 16, 256 KiB */

/* How the mail presents itself. Only MAIL_PERSON is answered (RFC 3834 section 2), MAIL_NAMED when the address is a
 * player's, and MAIL_BULK when something in it counted: programs that answer for somebody who is away write so, too,
 * and answer our answer. */
enum message_kind {
    MAIL_PERSON,
    MAIL_BULK, /* nothing but Precedence: bulk speaks for a machine */
    MAIL_AUTO, /* Auto-Submitted other than "no", Precedence junk/list/auto_reply, null return path, Sender or
                      Return-Path of a machine; both of MAIL_BULK and MAIL_NAMED */
    MAIL_NAMED, /* nothing but its sender's name (mailer-daemon, postmaster, news-noreply-de) speaks for a machine, or
                      List-Unsubscribe without another List-* field */
    MAIL_LIST,   /* any other List-* field */
    MAIL_BOUNCE, /* multipart/report with message/delivery-status, or a null return path with such a part */
    MAIL_REACTION, /* a button, not a text: Gmail's part for it, or "[like] Anna reacted to your message:" and a quote */
    MAIL_OWN /* our own X-Loop or our own address as sender */
};

/* One leaf of the MIME tree (text and attachments alike). */
struct message_part {
    char *name; /* file name from Content-Disposition/Content-Type (RFC 2231 and 2047 decoded), "" if none;
                   safe text */
    char *type; /* "text/plain", lower case */
    struct str exact; /* transfer encoding undone, nothing else; empty for a picture, sound or film above
                         part_bytes */
    struct str shown; /* for text/ and unlabelled parts, and for attachments that are valid UTF-8 or begin
                         with a UTF-16 mark: UTF-8 with LF, as a reader sees it: charset decoded (unknown or
                         wrong label: UTF-8 if valid, else cp1252), format=flowed joined (also DelSp), HTML
                         reduced to its text; else empty */
    struct str flat;  /* text/plain only: as `shown` but with format=flowed not undone; empty if the same */
};

/* What a delivery status notification says (RFC 3464): our own mail is named by its envelope token. */
struct message_bounce {
    char *message_id; /* of the mail that came back, "" if it could not be found; without <> */
    char *recipient;  /* Final-Recipient or Original-Recipient address, "" if none */
    char *status;     /* "5.1.1", "" if none */
    char *diagnostic; /* the remote server's words, safe text, at most 200 bytes */
    bool under_way; /* nothing came back: Action is delayed, delivered, relayed or expanded (section 2.3.3) */
    bool permanent; /* Action: failed and status 5.x.x */
};

struct message {
    enum message_kind kind;
    char *from; /* addr-spec, lower-cased domain; "" when absent or more than one From: field or address */
    char *from_name; /* display name, safe text, may be "" */
    char *to; /* the first own address it was sent to that has a "+...", with it, else the first without,
                          "" if none: Delivered-To, X-Original-To, Envelope-To, To, Cc */
    char *
        written_to; /* the same by To alone: whom its writer wrote to, where its domain has signed that field. The
                         others are added on the way, by whoever passes a mail on */
    char *subject;    /* decoded, safe text, at most 250 bytes */
    char *message_id; /* without <>, "" if absent or not a sane id */
    char *references; /* for our References: field: the mail's own (or its In-Reply-To), its Message-ID last;
                         ids with <>, spaces between, at most the last 20 */
    char *origin;     /* the network it came from according to its Received fields, "" if they do not say:
                       * "192.0.2.7",
                         "2001:db8:1:2::/64"; a hint, not proof */
    struct message_part *parts;
    size_t part_count;
    struct message_bounce bounce;         /* all "" unless kind is MAIL_BOUNCE */
    unsigned char digest[MESSAGE_DIGEST]; /* BLAKE2b-256 of the raw bytes: the mail's identity */
};

/* Call once before the first parse. */
void mail_begin(void);

/* How our own mails are recognised; all borrowed. All NULL: not at all. */
struct message_identity {
    const char *const *own; /* the league's addresses, lower case */
    size_t own_count;
    const char *loop; /* our X-Loop value, or NULL */
    char detail; /* what begins the part of an address that is left to us, besides '+'; '\0' = nothing else */
};

/* Fills `msg`, which the caller releases with message_release in every case. ERR_INPUT with a sentence for
 * the sender when a limit is broken or nothing can be read; from, message_id, kind and digest are filled as
 * far as they could be found even then, and there are no parts. Never crashes, never needs more than a
 * bounded multiple of limits->size in time or memory. */
int message_parse(struct slice raw, const struct message_limits *limits,
                  const struct message_identity *identity, struct message *msg, struct err *err)
    __attribute__((warn_unused_result));
void message_release(struct message *msg);

/* Does the mail server whose name is `authserv` ("" = none is trusted) vouch for the domain of msg->from?
 * Then `who` is the domain that passed, that one or one above it, else "". It does so by an
 * Authentication-Results field (RFC 8601) that says dmarc=pass, or dkim=pass or spf=pass for that domain or
 * one above it. Only fields above the first Received field of a foreign server count; the server must remove
 * those that falsely claim to be its own (section 5 there). */
#define MESSAGE_DOMAIN 256
void message_vouched(const struct message *msg, struct slice raw, const char *authserv,
                     char who[MESSAGE_DOMAIN]);

/* "Re: Status gc-17" -> "Status gc-17" */
struct slice subject_bare(struct slice text);
/* The same without what mail systems and people put around words: "Re: [EXTERNAL] Register!" -> "Register" */
struct slice subject_words(struct slice text);
/* The first line of the body that is not empty, trimmed; empty when there is none. */
struct slice message_first_line(const struct message *msg);
/* Where somebody says what they want, the likelier place first: the subject, or the first line in an answer, whose
 * subject says what they had asked before. As subject_words leaves them. */
void message_words(const struct message *msg, struct slice words[2]);
/* The identity of raw bytes, without parsing. */
void message_digest(unsigned char digest[MESSAGE_DIGEST], struct slice raw);

#endif
