#include "league/domain_root.h"
#include "league/config.h"

#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/utf8.h"
#include "league/address.h"
#include "league/config_private.h"
#include "league/page_url.h"
#include "league/schedule.h"
#include "league/usual.h"
#include "base/nearest.h"

#define LINE_LONGEST 180 /* inih silently cuts lines of about 200 bytes */
#define FILE_LONGEST ((size_t)256 * 1024)
#define OPTIONS_MAX  160
#define CONTACT_MOST 100

/* ---- reading ---- */

struct reader {
    struct slice rest;
    const char *path;
    struct config *config;
    int line;               /* of the last line given to inih */
    int failed;             /* the line of the error in `err`, 0 = none */
    int given[OPTIONS_MAX]; /* the line where an option was given */
    struct err *err;
};

/* Puts "file:line: " in front of the error just set and stops the reading. */
static int fail_line(struct reader *reader)
{
    reader->failed = reader->line;
    err_prefix(reader->err, "%s:%d", reader->path, reader->line);
    reader->rest.len = 0;
    return -1;
}

static bool section_known(const char *section)
{
    for (const struct option *option = option_table; option->name; option++)
        if (strcmp(option->section, section) == 0)
            return true;
    return false;
}

static int refuse_section(struct reader *reader, const char *section)
{
    struct nearest search = NEAREST_INIT(section);
    for (const struct option *option = option_table; option->name; option++)
        nearest_offer(&search, option->section);
    if (search.best)
        err_set(reader->err, ERR_CONFIG, "[%s]: there is no such section; did you mean [%s]?", section,
                search.best);
    else
        err_set(
            reader->err, ERR_CONFIG,
            "[%s]: there is no such section in this Turnpost (" TURNPOST_VERSION
            "): take it out (man league.ini lists those it has), or, if a newer Turnpost wrote it, install "
            "that one again",
            section);
    return fail_line(reader);
}

/* inih does not report a section without options, so headings are checked here. */
static int check_heading(struct reader *reader, struct slice line)
{
    char section[LINE_LONGEST + 1];
    size_t end = slice_find(line, "]");
    if (end == (size_t)-1 || end > LINE_LONGEST)
        return 0; /* inih refuses it */
    struct slice name = slice_sub(line, 1, end - 1);
    memcpy(section, name.p, name.len);
    section[name.len] = '\0';
    return section_known(section) ? 0 : refuse_section(reader, section);
}

/* fgets for inih: one line without leading spaces (otherwise it would continue the previous option). */
static char *next_line(char *buffer, int size, void *stream)
{
    struct reader *reader = stream;
    struct slice line;
    if (reader->failed || !slice_line(&reader->rest, &line))
        return NULL;
    reader->line++;
    if (line.len > LINE_LONGEST || line.len + 2 > (size_t)size) {
        err_set(reader->err, ERR_CONFIG, "the line is longer than %d bytes", LINE_LONGEST);
        fail_line(reader);
        return NULL;
    }
    if (memchr(line.p, '\0', line.len)) {
        err_set(reader->err, ERR_CONFIG, "the line has a NUL byte");
        fail_line(reader);
        return NULL;
    }
    line = slice_trim(line);
    if (slice_starts(line, "[") && check_heading(reader, line) != 0)
        return NULL;
    memcpy(buffer, line.p, line.len);
    memcpy(buffer + line.len, "\n", 2);
    return buffer;
}

static int refuse_option(struct reader *reader, const char *section, const char *name)
{
    struct nearest search = NEAREST_INIT(name);
    const char *elsewhere = NULL;
    for (const struct option *option = option_table; option->name; option++) {
        if (strcmp(option->section, section) == 0)
            nearest_offer(&search, option->name);
        else if (strcmp(option->name, name) == 0 && !elsewhere)
            elsewhere = option->section;
    }
    if (!*section)
        err_set(reader->err, ERR_CONFIG, "%s comes before the first section%s%s%s", name,
                elsewhere ? "; it belongs below [" : "", elsewhere ? elsewhere : "", elsewhere ? "]" : "");
    else if (elsewhere)
        err_set(reader->err, ERR_CONFIG, "[%s] %s: there is no such option here; it belongs below [%s]",
                section, name, elsewhere);
    else if (search.best)
        err_set(reader->err, ERR_CONFIG, "[%s] %s: there is no such option; did you mean %s?", section, name,
                search.best);
    else
        err_set(reader->err, ERR_CONFIG,
                "[%s] %s: there is no such option in this Turnpost (" TURNPOST_VERSION
                "): take the line out (man league.ini lists those it has), or, if a newer Turnpost wrote it, "
                "install that one again",
                section, name);
    return fail_line(reader);
}

static int take(void *user, const char *section, const char *name, const char *value)
{
    struct reader *reader = user;
    if (reader->failed)
        return 0;
    for (const struct option *option = option_table; option->name; option++) {
        if (strcmp(option->section, section) != 0 || strcmp(option->name, name) != 0)
            continue;
        int *given = &reader->given[option - option_table];
        if (*given) {
            err_set(reader->err, ERR_CONFIG, "[%s] %s was given in line %d already", section, name, *given);
            fail_line(reader);
            return 0;
        }
        *given = reader->line;
        if (option_set(option, reader->config, value, reader->err) == 0)
            return 1;
        err_prefix(reader->err, "[%s] %s", section, name);
        fail_line(reader);
        return 0;
    }
    refuse_option(reader, section, name);
    return 0;
}

/* ---- the whole ---- */

static int check_secret(const struct config_server *server, const char *section, bool needed, struct err *err)
{
    const char *const ways[] = {server->password_command, server->password_file, server->password_env,
                                server->token_command};
    int set = 0;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        set += ways[i][0] != '\0';
    if (set > 1)
        return err_set(err, ERR_CONFIG,
                       "[%s] set only one of password_command, password_file, password_env and token_command",
                       section);
    if (set == 0 && needed)
        return err_set(
            err, ERR_CONFIG,
            "[%s] user = %s needs one of password_command, password_file, password_env or token_command",
            section, server->user);
    if (set == 1 && !*server->user)
        return err_set(err, ERR_CONFIG, "[%s] a password is set, but user is missing", section);
    return 0;
}

/* The parts of [clock] that are texts. */
static int check_clock(const struct config *config, struct err *err)
{
    struct schedule schedule;
    struct zone *zone = NULL;
    schedule_init(&schedule);
    if (*config->clock.schedule &&
        schedule_parse(slice_of(config->clock.schedule), config->league.timezone, &schedule, err)) {
        err->code = ERR_CONFIG;
        return err_prefix(err, "[clock] schedule");
    }
    if (*config->clock.schedule && *schedule.zone && zone_load(schedule.zone, &zone, err))
        return err_prefix(err, "[clock] schedule");
    zone_free(zone);
    schedule.early = config->clock.early;
    schedule.weekends_off = config->clock.weekends_off;
    if (*config->clock.schedule && schedule_check(&schedule, err)) {
        err->code = ERR_CONFIG;
        return err_prefix(err, "[clock]");
    }
    if (schedule_holidays(slice_of(config->clock.holidays), &schedule, err)) {
        err->code = ERR_CONFIG;
        return err_prefix(err, "[clock] holidays");
    }
    struct hours hours;
    if (hours_parse(slice_of(config->clock.works), &hours, err)) {
        err->code = ERR_CONFIG;
        return err_prefix(err, "[clock] works");
    }
    return 0;
}

/* A mail address that this program does not read, or the link of a page. */
static int check_contact(const struct config *config, struct err *err)
{
    const char *contact = config->league.contact;
    const char *host = strncmp(contact, "https://", 8) == 0  ? contact + 8
                       : strncmp(contact, "http://", 7) == 0 ? contact + 7
                                                             : NULL;
    char address[CONTACT_MOST + 1];
    if (!*contact)
        return 0;
    if (strlen(contact) > CONTACT_MOST)
        return err_set(err, ERR_CONFIG, "[league] contact is longer than %d bytes", CONTACT_MOST);
    if (host)
        return *host && utf8_printable(slice_of(contact)) == strlen(contact) && !strpbrk(contact, " \"<>")
                   ? 0
                   : err_set(err, ERR_CONFIG,
                             "[league] contact: \"%s\" is no link, such as https://example.org/help",
                             contact);
    (void)snprintf(address, sizeof address, "%s", contact);
    if (address_check(address, err)) {
        err->code = ERR_CONFIG;
        return err_prefix(err, "[league] contact");
    }
    if (strcasecmp(address, config->league.address) == 0)
        return err_set(err, ERR_CONFIG,
                       "[league] contact is the league's own address, which no person reads; name another "
                       "one, or none");
    return 0;
}

static int check_whole(const struct config *config, struct err *err)
{
    if (!*config->league.address)
        return err_set(err, ERR_CONFIG,
                       "[league] address is missing: write for example address = orders@example.org");
    if (config->incoming.type == IN_IMAP && !*config->incoming.server.host)
        return err_set(err, ERR_CONFIG, "[incoming] type = imap needs host");
    if (config->incoming.type == IN_IMAP && !*config->incoming.server.user)
        return err_set(err, ERR_CONFIG, "[incoming] type = imap needs user");
    if (config->incoming.type == IN_IMAP && (!*config->incoming.mailbox || !*config->incoming.processed ||
                                             !*config->incoming.rejected || !*config->incoming.failed))
        return err_set(err, ERR_CONFIG,
                       "[incoming] mailbox, processed, rejected and failed may not be empty");
    if (config->incoming.type == IN_IMAP &&
        (strcmp(config->incoming.mailbox, config->incoming.processed) == 0 ||
         strcmp(config->incoming.mailbox, config->incoming.rejected) == 0 ||
         strcmp(config->incoming.mailbox, config->incoming.failed) == 0))
        return err_set(err, ERR_CONFIG, "[incoming] processed, rejected and failed must differ from mailbox");
    if (config->incoming.type == IN_MAILDIR && !*config->incoming.maildir)
        return err_set(err, ERR_CONFIG, "[incoming] type = maildir needs maildir");
    if (config->outgoing.type == SINK_SMTP && !*config->outgoing.server.host)
        return err_set(err, ERR_CONFIG, "[outgoing] type = smtp needs host");
    if (config->outgoing.type == SINK_MAILDIR && !*config->outgoing.maildir)
        return err_set(err, ERR_CONFIG, "[outgoing] type = maildir needs maildir");
    if (config->outgoing.type == SINK_SENDMAIL && !*config->outgoing.sendmail)
        return err_set(err, ERR_CONFIG, "[outgoing] type = sendmail needs sendmail");
    if (check_contact(config, err))
        return -1;
    if (*config->league.page_url && page_url_check(config->league.page_url, err))
        return err_prefix(err, "[league] page_url");
    if (check_clock(config, err))
        return -1;
    const struct config_server *out = &config->outgoing.server;
    if (check_secret(&config->incoming.server, "incoming", config->incoming.type == IN_IMAP, err) != 0)
        return -1;
    return check_secret(out, "outgoing", config->outgoing.type == SINK_SMTP && *out->user, err);
}

static int set_defaults(struct config *config, struct err *err)
{
    for (const struct option *option = option_table; option->name; option++)
        if (option_set(option, config, option->value, err) != 0)
            return err_prefix(err, "default of [%s] %s", option->section, option->name);
    return 0;
}

int config_parse(struct slice text, const char *path, struct config *config, struct err *err)
{
    struct reader reader = {.rest = text, .path = path, .config = config, .err = err};
    *config = (struct config){0};
    int rc = set_defaults(config, err);
    if (rc == 0) {
        int bad = ini_parse_stream(next_line, &reader, take, &reader);
        if (reader.failed)
            rc = -1;
        else if (bad)
            rc = err_set(err, ERR_CONFIG, "%s:%d: cannot be understood; write: name = value", path, bad);
    }
    if (rc == 0 && check_whole(config, err) != 0)
        rc = err_prefix(err, "%s", path);
    if (rc)
        config_release(config);
    return rc;
}

int config_load(const char *path, struct config *config, struct err *err)
{
    struct str text = STR_INIT;
    *config = (struct config){0};
    int rc = file_read(path, FILE_LONGEST, &text, err);
    if (rc == 0)
        rc = config_parse(slice_str(&text), path, config, err);
    str_release(&text);
    return rc;
}

void config_release(struct config *config)
{
    for (const struct option *option = option_table; option->name; option++)
        if (option->kind == OPTION_TEXT || option->kind == OPTION_ADDRESS)
            free(*(char **)(void *)((char *)config + option->offset));
    *config = (struct config){0};
}

/* ---- writing ---- */

static void add_comment(struct str *out, const char *text)
{
    struct slice rest = slice_of(text);
    struct slice line;
    while (slice_line(&rest, &line)) {
        str_adds(out, "# ");
        str_addslice(out, line);
        str_addc(out, '\n');
    }
}

void config_sample(struct str *out, const char *name, const char *address)
{
    const char *section = "";
    str_adds(
        out,
        "# league.ini: the options of this league, one a line: name = value. A line that begins with # is a\n"
        "# comment, and so is what follows a space and a semicolon; lines have at most 180 bytes. What is\n"
        "# commented out has the value shown. `turnpost doctor` checks everything.\n");
    for (const struct option *option = option_table; option->name; option++) {
        const char *value = option->offset == offsetof(struct config, league.name) ? name
                            : option->offset == offsetof(struct config, league.address) ||
                                    option->offset == offsetof(struct config, outgoing.bounce_address)
                                ? address
                            : option->offset == offsetof(struct config, league.trust) ? "mail"
                                                                                      : NULL;
        struct str range = STR_INIT;
        if (strcmp(section, option->section) != 0)
            str_addf(out, "\n[%s]\n", option->section);
        section = option->section;
        add_comment(out, option->help);
        option_range(&range, option);
        if (range.len && option->kind != OPTION_ADDRESS)
            str_addf(out, "# (%s)\n", range.p);
        str_release(&range);
        str_addf(out, "%s%s =%s%s\n", value ? "" : "#", option->name,
                 *(value ? value : option->value) ? " " : "", value ? value : option->value);
    }
}

bool config_shares(const struct config *config, const char *domain)
{
    struct slice rest = slice_of(config->league.shared_domains), word;
    bool shared = false;
    while (!shared && slice_word(&rest, &word))
        shared = slice_caseeq(word, domain) || slice_caseeq(word, domain_root(domain));
    return shared;
}

bool config_moderator(const struct config *config, const char *player)
{
    return word_listed(config->league.moderators, player);
}

char config_detail(const struct config *config)
{
    return "+-_="[config->incoming.detail];
}
