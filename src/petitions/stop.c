#include "petitions/stop.h"

#include "base/encode.h"
#include "batch/confirm.h"
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

static json_t *form(const struct batch *batch)
{
    json_t *lines = json_array();
    bound_line(lines, "#turnpost prefs");
    bound_form_league(lines, batch->league, batch->now);
    bound_line(lines, "optional: no");
    bound_line(lines, "#end");
    return lines;
}

static int make_quiet(struct batch *batch, const struct message *msg, const struct player *sender,
                      struct err *err)
{
    char digest[2 * MESSAGE_DIGEST + 1];
    struct player player = *sender;
    player.quiet = true;
    hex_to(digest, msg->digest, MESSAGE_DIGEST);
    json_t *evidence =
        json_pack("{s:s,s:s}", "mail", digest, "why", "\"stop\", with the word that was mailed to them");
    struct registry_change change = {.what = "prefs", .player = &player, .evidence = evidence};
    int rc = batch_change(batch, &change, err);
    json_decref(evidence);
    return rc;
}

int stop_read(struct batch *batch, const struct message *msg, const struct player *sender, bool *found,
              struct request *request, struct err *err)
{
    struct slice word;
    char own[TOKEN_TEXT];
    *found = take_stop(slice_of(msg->subject), &word) || take_stop(message_first_line(msg), &word);
    if (!*found)
        return 0;
    *request = (struct request){"ask_stop", "", json_object()};
    if (!sender)
        return 0;
    /* The answer goes to that address, whichever of the two the mail claims to come from. */
    const struct confirm what = {CONFIRM_STOP, sender->name, sender->address, NULL};
    bool stops = !sender->quiet && word.len && confirm_good(batch, &what, word);
    json_object_set_new(request->facts, "player", json_string(sender->name));
    json_object_set_new(request->facts, "stopped", json_boolean(stops || sender->quiet));
    if (stops)
        return make_quiet(batch, msg, sender, err);
    confirm_word(own, batch->league, &what, batch->now);
    json_object_set_new(request->facts, "word", json_string(own));
    json_object_set_new(request->facts, "form", form(batch));
    return 0;
}
