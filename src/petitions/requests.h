/* Plain requests, unsigned: mails whose subject (or first line) is HELP [game], GAMES, RULES <game> or
 * STATUS <game or player>, RESULTS, RATING [game or player], COMPETITIONS, TABLE <competition>, LOG [number] or PROOF <size>. They change nothing and
 * reveal only what anybody may know. */
#ifndef PETITIONS_REQUESTS_H
#define PETITIONS_REQUESTS_H

#include <jansson.h>

#include "batch/batch.h"
#include "mail/message.h"

struct petition;

struct request {
    const char *kind;   /* section of templates/common/answers: "ask_help", "ask_verbs", "ask_games",
                           "ask_results", "ask_rules", "ask_status", "ask_rating", "ask_unknown",
                           "ask_competitions", "ask_table", "ask_no_competition", "ask_log", "ask_proof" */
    const char *folder; /* whose words it needs, "" for none */
    json_t *facts;      /* the caller's */
};

/* The same of one line that somebody wrote; NULL = a stranger. `status` alone is about themselves. */
int request_line(struct batch *batch, const struct player *sender, struct slice line, bool *is_request,
                 struct request *request, struct err *err) __attribute__((warn_unused_result));
/* True when the mail is a request. Errors are the league's own (catalog, disk). */
int request_read(struct batch *batch, const struct message *msg, bool *is_request, struct request *request,
                 struct err *err) __attribute__((warn_unused_result));

/* What is played, for GAMES and for an invitation: "games" that run, "joinable": {"open"}, those that wait for players (none: it is
 * missing), and "rulesets". */
int request_add_games(struct batch *batch, json_t *facts, struct err *err)
    __attribute__((warn_unused_result));

/* The request or verb that the subject or the first line of a mail that is no request may have meant; NULL =
 * none is near. A constant. */
const char *request_meant(const struct message *msg);
/* What a mail that is no request seems to be about, by a word of its subject or first line: a section of the answer "nothing"
 * (templates/common/answers.txt). "topic_any": nothing that is known. A constant. */
const char *request_topic(const struct message *msg);

/* The petition whose text comes first in the body, unsigned or quoted: "#turnpost join"; NULL = it is of
 * orders, or unknown. */
const struct petition *request_text(const struct message *msg);

/* The name of a game as it was typed, in small letters, as games are named; the caller frees it. */
char *request_name(struct slice what);
/* "galaxy-command", "Galaxy Command", "galaxy_command", or the name of a game; NULL. */
const struct ruleset *request_ruleset(struct batch *batch, const char *name);

#endif
