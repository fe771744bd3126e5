#include "commands/provider.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#define OWN_SERVER                                                                                       \
    "no limit but your own; large receivers want SPF or DKIM and a PTR record from everybody, and from " \
    "about "                                                                                             \
    "5,000 mails a day to them on SPF, DKIM and DMARC"

static const struct provider table[] = {
    {.name = "Gmail",
     .hosts = {"gmail.com", "googlemail.com", "google.com"},
     .sends_a_day = 500,
     .limits =
         "about 500 mails a day (Workspace 2,000), 2,500 MB of IMAP a day; a mail that is moved stays in "
         "\"All Mail\"",
     .login = "an app password, or a token (cron/TOKENS.md); a client in \"testing\" loses its refresh token "
              "after 7 days",
     .checked = "2026-11"},
    {.name = "Outlook.com",
     .hosts = {"imap-mail.outlook.com", "smtp-mail.outlook.com", "hotmail.com", "live.com"},
     .limits = "a daily limit that depends on the account",
     .passwords = PASSWORDS_NOT,
     .login = "tokens only (cron/TOKENS.md)",
     .checked = "2026-11"},
    {.name = "Exchange Online",
     .hosts = {"outlook.office365.com", "smtp.office365.com", "office365.com"},
     .sends_a_day = 10000,
     .limits = "10,000 recipients a day and 30 mails a minute for a mailbox",
     .passwords = PASSWORDS_END,
     .login =
         "IMAP takes tokens only; passwords for sending (SMTP AUTH) are switched off by default from the "
         "end of December 2026, for good on a day to be told in 2027: use token_command (cron/TOKENS.md)",
     .checked = "2026-11"},
    {.name = "Postfix", .greets = "Postfix", .limits = OWN_SERVER, .login = "", .checked = "2026-11"},
    {.name = "Exim", .greets = "Exim", .limits = OWN_SERVER, .login = "", .checked = "2026-11"},
    {.name = "Dovecot",
     .greets = "Dovecot",
     .limits = "no limit but your own (mail_max_userip_connections, quota)",
     .login = "",
     .checked = "2026-11"},
    {.name = "Fastmail",
     .hosts = {"fastmail.com", "messagingengine.com"},
     .limits = "limits that depend on the plan: see its help page on account limits",
     .login = "an app password for mail programs",
     .checked = "2026-11"},
};

static bool ends_in(const char *host, const char *end)
{
    size_t len = strlen(host), tail = strlen(end);
    return len >= tail && strcasecmp(host + len - tail, end) == 0 &&
           (len == tail || host[len - tail - 1] == '.');
}

const struct provider *provider_of(const char *host, const char *greeting)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (size_t k = 0; table[i].hosts[k]; k++)
            if (ends_in(host, table[i].hosts[k]))
                return &table[i];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].greets && strstr(greeting, table[i].greets))
            return &table[i];
    return NULL;
}
