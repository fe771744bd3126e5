/* Addresses that a player has asked for by signed texts (`prefs`) and may never have proved: mails that ask them
 * wait in the spool and are remembered like others, so they go when the player leaves. Nothing else knows these
 * addresses; they are in the texts of the player's records, which only their key opens
 * (league/registry_sealing.h). */
#ifndef LEAGUE_REGISTRY_ASKED_H
#define LEAGUE_REGISTRY_ASKED_H

#include "league/registry_log.h"

/* A list of them, as they were written, from the journal with its archives and what is not committed yet; without
 * those that are other players' now. Records that cannot be opened any more name none. New reference; NULL with
 * an error. */
json_t *registry_asked(const struct registry_log *log, const struct registry *registry, const char *player,
                       struct err *err);

#endif
