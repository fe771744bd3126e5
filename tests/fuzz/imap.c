/* Fuzz target: an IMAP server's answers (server.h), through libetpan: select, search, sizes, texts, moving.
 */
#include "server.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "mail/source.h"

#define MAILS    8
#define MAX_SIZE 20000

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return 0;
}

static void need_error(const struct err *err)
{
    need(err->code != ERR_NONE && err->text[0] && utf8_valid(slice_of(err->text)));
}

static void fetch_all(struct source *source)
{
    struct incoming mails[MAILS];
    enum disposition how[MAILS];
    size_t count = 1;
    for (int round = 0; round < 3 && count; round++) {
        struct err err = ERR_INIT;
        if (source_fetch(source, mails, MAILS, &count, &err)) {
            need_error(&err);
            return;
        }
        need(count <= MAILS);
        for (size_t i = 0; i < count; i++) {
            need(mails[i].id && (mails[i].oversize || mails[i].raw.len <= MAX_SIZE));
            how[i] = i % 2 ? MAIL_REJECTED : MAIL_PROCESSED;
        }
        int rc = count ? source_dispose(source, mails, how, count, &err) : 0;
        if (rc)
            need_error(&err);
        for (size_t i = 0; i < count; i++)
            incoming_release(&mails[i]);
        if (rc)
            return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct server where = {
        .host = "imap.example.org", .user = "u", .password = "p", .timeout = 1};
    struct source *source = NULL;
    struct err err = ERR_INIT;
    server_begin(data, size);
    if (source_open_imap(&where, &(struct folders){"INBOX", {"Processed", "Rejected", "Failed"}}, MAX_SIZE,
                         &source, &err)) {
        need_error(&err);
        return 0;
    }
    need(utf8_valid(slice_of(source_describe(source))));
    fetch_all(source);
    source_close(source);
    return 0;
}
