#include "league/cosigning.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/log.h"
#include "base/mem.h"
#include "mail/https.h"

#define STATE_FILE   LEAGUE_LOG_FOLDER "/cosigned"
#define STATE_MOST   262144
#define LINES_KEPT   65536 /* bytes */
#define OWNER_ONLY   0600
#define HTTP_GOOD    200
#define HTTP_BAD     400
#define HTTP_REFUSED 403
#define HTTP_UNKNOWN 404
#define HTTP_OTHER   409
#define HTTP_WRONG   422

/* ---- what is known ---- */

struct known {
    int64_t old, next, wait;
};
struct cosigning {
    const struct policy *policy;
    struct known known[POLICY_MOST]; /* of each of its witnesses */
    struct str lines;                /* "line SIZE LINE", the oldest first */
    bool changed;
};

static int find(const struct policy *policy, struct slice name)
{
    for (int i = 0; i < policy->witnesses; i++)
        if (slice_eq(name, policy->witness[i].key.name))
            return i;
    return -1;
}

static void read_line(struct cosigning *cosigning, struct slice line)
{
    struct slice rest = line, word;
    struct known known;
    if (!slice_word(&rest, &word))
        return;
    if (slice_eq(word, "line")) {
        str_addslice(&cosigning->lines, line);
        str_addc(&cosigning->lines, '\n');
    } else if (slice_eq(word, "witness") && slice_word(&rest, &word) && slice_number(&rest, &known.old) &&
               slice_number(&rest, &known.next) && slice_number(&rest, &known.wait)) {
        const int i = find(cosigning->policy, word);
        if (i >= 0)
            cosigning->known[i] = known;
    }
}

static void open_state(const struct league *league, const struct policy *policy, struct cosigning *cosigning)
{
    struct str text = STR_INIT;
    struct err ignored = ERR_INIT; /* then they are asked for what they know */
    char *path = league_path(league, STATE_FILE);
    *cosigning = (struct cosigning){.policy = policy, .lines = STR_INIT};
    if (file_exists(path) && file_read(path, STATE_MOST, &text, &ignored) == 0) {
        struct slice rest = slice_str(&text), line;
        while (slice_line(&rest, &line))
            read_line(cosigning, line);
    }
    str_release(&text);
    free(path);
}

static void keep_state(const struct league *league, const struct cosigning *cosigning)
{
    struct str text = STR_INIT;
    struct err why = ERR_INIT;
    char *path = league_path(league, STATE_FILE);
    struct slice lines = slice_str(&cosigning->lines), line;
    for (int i = 0; i < cosigning->policy->witnesses; i++)
        if (*cosigning->policy->witness[i].url)
            str_addf(&text, "witness %s %lld %lld %lld\n", cosigning->policy->witness[i].key.name,
                     (long long)cosigning->known[i].old, (long long)cosigning->known[i].next,
                     (long long)cosigning->known[i].wait);
    while (lines.len > LINES_KEPT && slice_line(&lines, &line))
        ;
    str_addslice(&text, lines);
    if (file_write_soft(path, slice_str(&text), OWNER_ONLY, &why))
        log_warn("%s; witnesses will be asked again what they have cosigned", why.text);
    str_release(&text);
    free(path);
}

void cosigning_lines(const struct league *league, int64_t size, struct str *out)
{
    struct policy *none = mem_alloc(sizeof *none);
    struct cosigning cosigning;
    open_state(league, none, &cosigning);
    struct slice rest = slice_str(&cosigning.lines), line, word;
    while (slice_line(&rest, &line)) {
        int64_t of;
        if (slice_word(&line, &word) && slice_number(&line, &of) && of == size) {
            str_addslice(out, slice_trim(line));
            str_addc(out, '\n');
        }
    }
    str_release(&cosigning.lines);
    free(none);
}

/* ---- a question ---- */

struct asking {
    struct league_log *log;
    struct https *https;
    int64_t size; /* of the checkpoint that was shown to them */
    long status;
    struct str body; /* of the answer */
};

static int post(struct asking *asking, const struct policy_witness *witness, int64_t old, struct err *err)
{
    struct str request = STR_INIT, url = STR_INIT;
    const size_t length = strlen(witness->url);
    asking->size = league_log_size(asking->log);
    str_addf(&url, "%s%sadd-checkpoint", witness->url, witness->url[length - 1] == '/' ? "" : "/");
    int rc = league_log_request(asking->log, old, NULL, 0, &request, err);
    const struct slice body = slice_str(&request);
    if (rc == 0)
        rc = https_ask(asking->https, url.p, &body, &asking->status, &asking->body, err);
    str_release(&request);
    str_release(&url);
    return rc;
}

/* With 409: the size that they have cosigned last. */
static bool read_size(const struct str *body, int64_t *size)
{
    struct slice rest = slice_str(body), line, more;
    return slice_line(&rest, &line) && slice_number(&line, size) && !line.len && !slice_line(&rest, &more);
}

static int refused(const struct asking *asking, const struct policy_witness *witness, struct err *err)
{
    switch (asking->status) {
    case HTTP_UNKNOWN:
        return err_set(
            err, ERR_CONFIG,
            "the witness %s does not know this log (404): ask whoever runs it to take the log that "
            "keys/league.policy names",
            witness->name);
    case HTTP_REFUSED:
        return err_set(err, ERR_CONFIG,
                       "the witness %s knows another key of this log (403): give them keys/league.policy",
                       witness->name);
    case HTTP_WRONG:
        return err_set(
            err, ERR_CONFIG,
            "the witness %s has cosigned another history of this log (422): it was restored from an "
            "older copy, or two leagues sign with one key",
            witness->name);
    case HTTP_BAD:
        return err_set(err, ERR_CONFIG, "the witness %s cannot read what it is asked (400)", witness->name);
    default:
        return err_set(err, ERR_TEMP, "the witness %s answers with status %ld", witness->name,
                       asking->status);
    }
}

/* Asks one; *old becomes what they have cosigned. Their lines go into `own`. */
static int ask(struct asking *asking, const struct policy_witness *witness, int64_t *old, struct str *own,
               struct err *err)
{
    int64_t theirs;
    if (*old > league_log_size(asking->log))
        *old = 0; /* what we noted is of another log */
    if (post(asking, witness, *old, err))
        return -1;
    if (asking->status == HTTP_OTHER) {
        if (!read_size(&asking->body, &theirs))
            return err_set(err, ERR_TEMP, "the witness %s does not say what it has cosigned (409)",
                           witness->name);
        if (theirs > asking->size)
            return err_set(err, ERR_CONFIG,
                           "the witness %s has cosigned %lld entries of this log, which has %lld: it was "
                           "restored from an older copy",
                           witness->name, (long long)theirs, (long long)asking->size);
        *old = theirs;
        if (post(asking, witness, *old, err))
            return -1;
    }
    if (asking->status != HTTP_GOOD)
        return refused(asking, witness, err);
    if (!league_log_vouched(asking->log, &witness->key, asking->size, slice_str(&asking->body), own))
        return err_set(err, ERR_CONFIG,
                       "the witness %s answers without a good cosignature by the key that keys/league.policy "
                       "has of them",
                       witness->name);
    *old = asking->size;
    return 0;
}

static int begin(struct asking *asking, struct league_log *log, const struct league *league, struct err *err)
{
    const struct https_how how = {league->config.witness.ca_file, COSIGNING_SECONDS, COSIGNING_ANSWER};
    *asking = (struct asking){.log = log, .body = STR_INIT};
    return https_begin(&asking->https, &how, err);
}

static void end(struct asking *asking)
{
    https_end(asking->https);
    str_release(&asking->body);
}

/* ---- all of them ---- */

static void take(struct cosigning *cosigning, struct league_log *log, int64_t size, const struct str *own)
{
    struct slice rest = slice_str(own), line;
    while (slice_line(&rest, &line)) {
        str_addf(&cosigning->lines, "line %lld ", (long long)size);
        str_addslice(&cosigning->lines, line);
        str_addc(&cosigning->lines, '\n');
    }
    league_log_show_cosigned(log, size, slice_str(own));
}

static void ask_one(struct cosigning *cosigning, struct asking *asking, int i, int64_t now)
{
    const struct policy_witness *witness = &cosigning->policy->witness[i];
    struct known *known = &cosigning->known[i];
    struct str own = STR_INIT;
    struct err why = ERR_INIT;
    cosigning->changed = true;
    if (ask(asking, witness, &known->old, &own, &why) == 0) {
        known->next = known->wait = 0;
        take(cosigning, asking->log, asking->size, &own);
    } else {
        known->wait = !known->wait                      ? COSIGNING_AGAIN
                      : known->wait > COSIGNING_DAY / 2 ? COSIGNING_DAY
                                                        : 2 * known->wait;
        known->next = now + known->wait;
        log_warn("%s; they are asked again in %lld s, and nothing waits for them", why.text,
                 (long long)known->wait);
    }
    str_release(&own);
}

static bool is_due(const struct cosigning *cosigning, int i, int64_t size, int64_t now)
{
    const struct known *known = &cosigning->known[i];
    /* A clock that was put back does not keep anybody from being asked. */
    return *cosigning->policy->witness[i].url && known->old != size &&
           (now >= known->next || known->next > now + known->wait);
}

void cosigning_ask(struct league_log *log, const struct league *league, int64_t now)
{
    const struct policy *policy = league_log_policy(log);
    const int64_t size = league_log_size(log);
    const time_t begun = time(NULL);
    struct cosigning cosigning;
    struct asking asking;
    struct err why = ERR_INIT;
    int any = 0;
    for (int i = 0; i < policy->witnesses; i++)
        any += *policy->witness[i].url != '\0';
    if (!any || !size)
        return;
    open_state(league, policy, &cosigning);
    any = 0;
    for (int i = 0; i < policy->witnesses; i++)
        any += is_due(&cosigning, i, size, now);
    if (any && begin(&asking, log, league, &why) == 0) {
        for (int i = 0; i < policy->witnesses && time(NULL) - begun < COSIGNING_SECONDS; i++)
            if (is_due(&cosigning, i, size, now))
                ask_one(&cosigning, &asking, i, now);
        end(&asking);
    } else if (any) {
        log_error("no witness can be asked over https: %s", why.text);
    }
    if (cosigning.changed)
        keep_state(league, &cosigning);
    str_release(&cosigning.lines);
}

int cosigning_try(struct league_log *log, const struct league *league, int witness, struct err *err)
{
    struct cosigning cosigning;
    struct asking asking;
    struct str own = STR_INIT;
    open_state(league, league_log_policy(log), &cosigning);
    int rc = begin(&asking, log, league, err);
    if (rc == 0) {
        rc =
            ask(&asking, &league_log_policy(log)->witness[witness], &cosigning.known[witness].old, &own, err);
        end(&asking);
    }
    str_release(&own);
    str_release(&cosigning.lines);
    return rc;
}
