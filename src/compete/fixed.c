/* The close of a competition's draw: who plays in a round is fixed, its witnesses answer (game/quorum.h), and then it is drawn. */
#include <sodium.h>
#include <string.h>

#include "compete/draw.h"

void compete_fixed_entry(struct log_entry *entry, const struct competition *c)
{
    struct str alpha = STR_INIT;
    *entry = (struct log_entry){
        .kind = ENTRY_CLOSE, .seq = c->fixed.seq, .time = c->fixed.at, .turn = {c->round + 1, 1}};
    memcpy(entry->name, c->name, strlen(c->name) + 1);
    memcpy(entry->head, c->fixed.head, HEAD_BYTES);
    compete_alpha(&alpha, c, c->round + 1, 1);
    crypto_generichash(entry->alpha, sizeof entry->alpha, (const unsigned char *)alpha.p, alpha.len, NULL, 0);
    str_release(&alpha);
}

void competition_entry(struct str *out, const struct competition *c, const struct record *record)
{
    struct log_entry entry = {.kind = ENTRY_HEAD, .seq = record->seq, .time = record->time};
    memcpy(entry.name, c->name, strlen(c->name) + 1);
    memcpy(entry.head, record->head, HEAD_BYTES);
    if (record->seq == c->fixed.seq)
        compete_fixed_entry(&entry, c);
    log_entry_write(out, &entry);
    str_addc(out, '\n');
}

int compete_attempt(const struct competition *c, int64_t time)
{
    if (!c->witnesses.count)
        return 1;
    if (!c->fixed.seq)
        return 0;
    if (!quorum_waits(&c->witnesses, time))
        return 1;
    return c->witnesses.late && quorum_lacks(&c->witnesses) && c->terms.unwitnessed &&
                   time >= c->fixed.at + c->terms.unwitnessed
               ? 2
               : 0;
}
