/* The parsers of the mail room, as growth.c measures them. */
#include "families.h"
#include "growth.h"

#include "mail/bounce.h"
#include "mail/header.h"
#include "mail/imap_text.h"
#include "mail/message.h"
#include "mail/reply.h"
#include "mail/structured.h"
#include "mail/text.h"
#include "mail/transfer.h"
#include "mail/words.h"

void parse_message(struct slice in)
{
    static const char *const own[] = {"league@example.org"};
    struct message_limits limits = message_limits_default;
    struct message msg;
    struct err err = ERR_INIT;
    limits.header_bytes = limits.header_count = limits.parts = limits.part_bytes = UNBOUNDED;
    limits.size = limits.depth = UNBOUNDED;
    limits.depth = 64;
    (void)!message_parse(in, &limits, &(struct message_identity){own, 1, "league", 0}, &msg, &err);
    message_release(&msg);
}

void reduce_html(struct slice in)
{
    struct str out = STR_INIT;
    html_reduce(&out, slice_starts(in, HTML) ? slice_sub(in, strlen(HTML), in.len) : in);
    (void)html_sniff(in);
    str_release(&out);
}

void decode_words(struct slice in)
{
    struct str out = STR_INIT;
    words_decode(&out, slice_starts(in, "Subject: ") ? slice_sub(in, 9, in.len) : in);
    str_release(&out);
}

void decode_text(struct slice in)
{
    static const char *const charsets[] = {NULL, "utf-8", "utf-7", "iso-2022-jp", "big5", "utf-16", "koi8-r"};
    struct str out = STR_INIT;
    for (size_t i = 0; i < sizeof charsets / sizeof *charsets; i++) {
        str_clear(&out);
        text_decode(&out, in, charsets[i]);
    }
    str_clear(&out);
    text_unflow(&out, in, true);
    str_release(&out);
}

void decode_transfer(struct slice in)
{
    struct str out = STR_INIT;
    size_t at = slice_starts(in, QP) ? strlen(QP) : slice_starts(in, B64) ? strlen(B64) : 0;
    transfer_from_base64(&out, slice_sub(in, at, in.len));
    str_clear(&out);
    transfer_from_quoted(&out, slice_sub(in, at, in.len));
    str_release(&out);
}

void read_structured(struct slice in)
{
    struct mailbox mailbox = {.address = STR_INIT, .name = STR_INIT};
    struct str value = STR_INIT;
    int64_t time;
    (void)structured_param(in, "name", &value);
    if (structured_date(in, &time))
        str_addc(&value, ' ');
    while (structured_mailbox(&in, &mailbox))
        ;
    mailbox_release(&mailbox);
    str_release(&value);
}

void scan_header(struct slice in)
{
    struct header header;
    struct str value = STR_INIT;
    header_scan(&header, in, UNBOUNDED, UNBOUNDED);
    (void)header_value(&header, "Subject", &value);
    (void)header_value(&header, "None", &value);
    header_release(&header);
    str_release(&value);
}

void read_bounce(struct slice in)
{
    struct message_bounce bounce;
    bounce_init(&bounce);
    bounce_read_status(&bounce, in);
    bounce_read_headers(&bounce, in);
    bounce_release(&bounce);
}

/* A server that tells as many UIDs as there are bytes, in any order. */
void collect_uids(struct slice in)
{
    struct uids set = {0};
    struct str ranges = STR_INIT;
    size_t from = 0;
    for (size_t i = 0; i < in.len; i++)
        uids_add(&set, (uint32_t)(in.len - i) * 2 + ((unsigned char)in.p[i] & 1));
    (void)uids_has(&set, 1);
    while (uids_ranges(&ranges, &set, &from))
        str_clear(&ranges);
    imap_quote_name(&ranges, slice_starts(in, "\xFF") ? "" : "x");
    uids_free(&set);
    str_release(&ranges);
}

/* Under signed fields and under unsigned ones, which takes several readings. */
void cut_reply(struct slice in)
{
    struct reply_mail mail;
    reply_fields(in, &mail);
    for (int i = 0; i < 2; i++) {
        struct reply reply;
        struct err err = ERR_INIT;
        mail.type_signed = mail.encoding_signed = i == 0;
        (void)!reply_cut(REPLY_VERSION, &mail, slice_of("k3v7q2m5xwtrabcd"), &reply, &err);
        reply_release(&reply);
    }
}
