/* The checks of `turnpost doctor`. */
#ifndef COMMANDS_DOCTOR_H
#define COMMANDS_DOCTOR_H

#include <stdint.h>

#include "commands/findings.h"
#include "league/league.h"

void doctor_players(struct findings *findings, const struct league *league);
void doctor_games(struct findings *findings, const struct league *league);
/* Competitions that cannot be read, or stand still. */
void doctor_competitions(struct findings *findings, const struct league *league, int64_t now);
void doctor_bounces(struct findings *findings, const struct league *league);
/* Players whose mails had no answer, though they may wait for one (intake/silence.h). */
void doctor_unanswered(struct findings *findings, const struct league *league, int64_t now);
void doctor_spool(struct findings *findings, const struct league *league);
void doctor_templates(struct findings *findings, const struct league *league);
void doctor_servers(struct findings *findings, const struct league *league, int64_t now);
/* Of a league in which mail domains may vouch for players: what these need. It asks name servers. */
void doctor_replies(struct findings *findings, const struct league *league);
/* The order page, if there is one: alone on its host, and the one that mails name. `fetch`: served as it was written, too. */
struct doctor_visit {
    bool fetch;
    const char *ca_file; /* whose authorities are trusted, or NULL: the system's */
};
void doctor_page(struct findings *findings, const struct league *league, const struct doctor_visit *visit);
/* Can the league's own site be written, if it has one? */
void doctor_site(struct findings *findings, const struct league *league);
/* The database of a league that several hosts share. */
void doctor_store(struct findings *findings, const struct league *league);
/* How old the last backup is, and when one was last tried. */
void doctor_backups(struct findings *findings, const struct league *league, int64_t now);
/* Sends a real mail to the address. */
void doctor_send(struct findings *findings, const struct league *league, const char *address);
/* Does the signature of its sender's domain hold for this mail, which came at that time? It asks name servers. */
void doctor_dkim(struct findings *findings, const struct league *league, struct slice mail, int64_t arrived);
/* Sends two to the league itself, and reads them back through its mailbox; waits at most `wait` seconds. */
void doctor_probe(struct findings *findings, const struct league *league, int64_t wait);

#endif
