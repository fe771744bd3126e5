#include "petitions/stop.h"

#include "base/encode.h"
#include "batch/budget.h"
#include "batch/confirm.h"
#include "batch/stopped.h"
#include "league/domain_root.h"
#include "petitions/bound.h"

/* "stop", "unsubscribe", "stop WORD" */
static bool take_stop(struct slice line, struct slice *word)
{
    struct slice rest = subject_words(line);
    struct slice first;
    if (!slice_word(&rest, &first) || !(slice_caseeq(first, "stop") || slice_caseeq(first, "unsubscribe")))
        return false;
    *word = (struct slice){"", 0};
    return !slice_word(&rest, word) || !slice_trim(rest).len;
}

/* Does their domain say that they want no more of our mails? "Stop it!" to a friend is nothing of ours, and the friend
 * could send it here. */
static bool is_vouched(const struct league *league, const struct stop_mail *mail, struct slice word)
{
    return !word.len && vouching_from(mail->vouching, mail->msg->from) &&
           vouching_to_us(mail->vouching, mail->msg, league);
}

static json_t *form(const struct batch *batch)
{
    json_t *lines = json_array();
    bound_line(lines, "#turnpost prefs");
    bound_form_league(lines, batch->league, batch->now);
    bound_line(lines, "optional: no");
    bound_line(lines, "#end");
    return lines;
}

static json_t *evidence_of(const struct stop_mail *mail, bool vouched)
{
    char digest[2 * MESSAGE_DIGEST + 1];
    hex_to(digest, mail->msg->digest, MESSAGE_DIGEST);
    return json_pack("{s:s,s:s}", "mail", digest, "why",
                     vouched ? "\"stop\", for which their mail domain vouches"
                             : "\"stop\", with the word that was mailed to them");
}

static int make_quiet(struct batch *batch, const struct stop_mail *mail, bool vouched, struct err *err)
{
    struct player player = *mail->sender;
    player.quiet = true;
    json_t *evidence = evidence_of(mail, vouched);
    struct registry_change change = {.what = "prefs", .player = &player, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(evidence);
    return rc;
}

static int keep_stop(struct batch *batch, const struct stop_mail *mail, bool vouched, struct err *err)
{
    char name[TOKEN_NAME];
    json_t *evidence = evidence_of(mail, vouched);
    json_t *document = json_pack("{s:s}", "what", "stop");
    stopped_name(batch->league, mail->msg->from, name);
    token_set_expiry(document, batch->now, STOPPED_SECONDS);
    json_t *tokens = json_pack("{s:o}", name, document);
    const struct registry_change change = {.what = "stop", .tokens = tokens, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(tokens);
    json_decref(evidence);
    return rc;
}

/* Whoever is no player: nothing is sent to the address any more. */
static int stop_stranger(struct batch *batch, const struct stop_mail *mail, bool vouched, bool *stopped,
                         struct err *err)
{
    bool allowed = false;
    if (stopped_is(batch, mail->msg->from, stopped, err))
        return -1;
    if (*stopped)
        return 0;
    if (budget_stop(batch, vouched ? domain_root(mail->vouching->claim.from.domain) : "", &allowed, err))
        return -1;
    *stopped = allowed;
    return allowed ? keep_stop(batch, mail, vouched, err) : 0;
}

int stop_read(struct batch *batch, const struct stop_mail *mail, bool *found, struct request *request,
              struct err *err)
{
    const struct player *sender = mail->sender;
    const struct message *msg = mail->msg;
    struct slice word;
    char own[TOKEN_TEXT];
    *found = take_stop(slice_of(msg->subject), &word) || take_stop(message_first_line(msg), &word);
    if (!*found)
        return 0;
    *request = (struct request){"ask_stop", "", json_object()};
    /* The answer goes to that address, whichever of the two the mail claims to come from. */
    const struct confirm what = {CONFIRM_STOP, sender ? sender->name : "",
                                 sender ? sender->address : msg->from, NULL};
    bool vouched = is_vouched(batch->league, mail, word);
    bool may = vouched || (word.len && confirm_good(batch, &what, word));
    bool stopped = sender && sender->quiet;
    if (sender)
        json_object_set_new(request->facts, "player", json_string(sender->name));
    int rc = 0;
    if (may && sender && !stopped)
        rc = make_quiet(batch, mail, vouched, err);
    else if (may && !sender && *msg->from)
        rc = stop_stranger(batch, mail, vouched, &stopped, err);
    stopped |= may && sender;
    json_object_set_new(request->facts, "stopped", json_boolean(stopped));
    if (stopped)
        return rc;
    confirm_word(own, batch->league, &what, batch->now);
    json_object_set_new(request->facts, "word", json_string(own));
    json_object_set_new(request->facts, "form", form(batch));
    return rc;
}
