/* For publish.c: who could sign in a game, from when to when, and what was signed, as files that stock tools
 * can check. */
#ifndef PUBLISH_PUBLISH_SIGNED_H
#define PUBLISH_PUBLISH_SIGNED_H

#include <jansson.h>

#include "publish/publish.h"
#include "league/registry.h"
#include "journal/seal.h"
#include "rules/ruleset.h"
#include "trust/signature.h"

/* A player's key, while it counted. */
struct signer {
    int seat;   /* 0 = on the waiting list */
    int holder; /* of the seat, from 1 on */
    int number; /* of the holder's key, from 1 on */
    char player[PLAYER_NAME];
    char who[PLAYER_NAME + 16]; /* in allowed_signers: the player's name, or "seat-2", "waiting-1" */
    struct pubkey key;
    int64_t from, to; /* times of the records; to = 0: still */
};
struct signed_text {
    int64_t seq, time;
    int turn; /* 0 = the text that asked for the seat */
    size_t signer;
    struct signature sig;
    struct str text;
};
/* Who had the seat last, and how many had it before. */
struct holder {
    char player[PLAYER_NAME];
    int number;
};
struct signed_list {
    bool redact;
    struct holder holder[SEATS_MAX + 1]; /* [0]: who joined the waiting list last */
    struct signer *signer;
    size_t signer_count, signer_cap;
    struct signed_text *text;
    size_t text_count, text_cap;
    size_t ssh, raw; /* texts by kind of signature */
    struct str
        vouched;      /* "12, 15": records of orders that no key has signed, but a mail domain vouches for */
    struct str ruled; /* "12, 15": records of orders that a moderator, or the operator, set for a seat */
};
/* The lines of a journal, [seq - 1], with their LF; borrowed from the text. */
struct journal_lines {
    struct slice *line;
    size_t count, cap;
    int64_t open;   /* seq of the last `open`, 0 = none */
    json_t *create; /* the first record; owned */
};

/* Reads the lines, and the signers from them. */
int journal_lines_read(struct journal_lines *journal, struct slice text, struct signed_list *list,
                       struct err *err) __attribute__((warn_unused_result));
void journal_lines_release(struct journal_lines *journal);
void signed_list_release(struct signed_list *list);
/* Takes the payload of a seal of item 0: orders, or the text that asked for a seat. What a moderator ordered
 * is only noted: the journal knows no moderator's key, and the operator signs nothing. */
int signed_list_take(struct signed_list *list, const struct journal_lines *journal,
                     const struct sealed *sealed, struct err *err) __attribute__((warn_unused_result));
/* signed/SEQ.txt with SEQ.sig (armor) or SEQ.raw (64 bytes), and signed/index. */
void signed_list_files(const struct signed_list *list, struct bundle *bundle);
/* Lines for allowed_signers, of the SSH keys. */
void signed_list_signers(const struct signed_list *list, struct str *out);
/* The file of a key that is no SSH key, "keys/bob.1.pem"; false for SSH keys, which are in allowed_signers.
 */
bool signer_file(const struct signer *signer, struct str *out);

#endif
