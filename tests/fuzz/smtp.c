/* Fuzz target: an SMTP server's answers (server.h) to two mails over one connection. */
#include "server.h"

#include "base/utf8.h"
#include "mail/smtp_link.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct server where = {
        .host = "smtp.example.org", .user = "u", .password = "p", .timeout = 1};
    char id[] = "gc-1.3.1", from[] = "l@example.org", to[] = "a@example.net";
    struct outgoing mail = {.id = id, .envelope_from = from, .envelope_to = to, .mail = STR_INIT};
    struct smtp_link link;
    struct err err = ERR_INIT;
    str_adds(&mail.mail, "Subject: x\r\n\r\n.\r\n.x\r\n");
    server_begin(data, size);
    if (smtp_link_begin(&link, &where, &err) == 0) {
        for (int i = 0; i < 2; i++) {
            err_clear(&err);
            enum smtp_result result = smtp_link_send(&link, &mail, &err);
            need(utf8_valid(slice_of(link.dial.words)));
            need(result != SMTP_ANSWER || (link.dial.answer >= 400 && link.dial.answer <= 599));
            need(result != SMTP_NOWHERE || (err.code && utf8_valid(slice_of(err.text))));
        }
        smtp_link_end(&link);
    }
    str_release(&mail.mail);
    return 0;
}
