/* The parsers that are measured. Those of the mail room are in a file of their own: its headers are private.
 */
#ifndef TESTS_GROWTH_GROWTH_H
#define TESTS_GROWTH_GROWTH_H

#include "base/str.h"
#include "count.h"

#define UNBOUNDED ((size_t)1 << 60)

void parse_message(struct slice in);
void reduce_html(struct slice in);
void decode_words(struct slice in);
void decode_text(struct slice in);
void decode_transfer(struct slice in);
void read_structured(struct slice in);
void scan_header(struct slice in);
void read_bounce(struct slice in);
void collect_uids(struct slice in);
void cut_reply(struct slice in);

#endif
