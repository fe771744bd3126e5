/* Press: messages between the people of a game ("#turnpost press").
 *
 * The record is a `note`:
 *     {"kind":"press","turn":5,"to":"all"|[0,2,3],"seal":"..","mail":"..","text":"..", and one of
 *      "seat":1 (white), "grey":true, "by":"carol" (a moderator, for the moderators)}
 * `to` are seats in rising order, 0 = the moderators. The seal covers
 *     {"player":"..","seat":1,"signature":{..},"text":"the signed text","words":"the message"}
 * (and "vouched", where no key has signed it: game/vouched.h) under a key that is never published (journal/seal.h), so that a moderator can find out who abuses grey
 * press, and nobody else.
 *
 * What the public record of grey press must not reveal, and how:
 * - the sender: named in the sealed payload only; the record has the same members and, as the box is filled up to
 *   a multiple of 4 KB, the same size for all possible senders of a short text (of one by mail, the mail itself is
 *   not in it); `to` "all" means all seats, the sender's among them.
 * - the marks by which a mail or text is recognised when it comes again: elsewhere "text" is the hash of the
 * text,
 *   and the text of a message has little entropy in a known form, so anybody could try guesses against the
 *   hash; and the plain hash of the mail is also in the `orders` record of a mail that brought both. Here
 *   both are BLAKE2b keyed with the press key, over the player's name and the text, and over the mail and
 *   that mark. So only the league can compute them, two texts of one mail do not show that they came
 *   together, and a player who sends the same words as another is not told that they were said before.
 * - mails: every seat's mail about the record has the number of its seat, the moderators' have those of their
 *   place in league.ini, in that order, no matter who writes.
 * What it cannot hide: two records of the same second may well come from the same mail, and with two players
 * each knows the other. */
#ifndef PLAY_PRESS_H
#define PLAY_PRESS_H

#include <jansson.h>

#include "game/press_note.h"
#include "play/step.h"

/* The marks of a text: see above. */
struct press_mark {
    const char *player;          /* who signed */
    struct slice canonical;      /* the text */
    const unsigned char *digest; /* of the mail, 32 bytes */
};
void press_marks(const unsigned char master[32], const struct game *game, const struct press_mark *of,
                 unsigned char text[32], unsigned char mail[32]);
/* Is there a message in it that asks that nobody learns who wrote it ("from: nobody"), whatever becomes of it?
 * By its lines alone; what is quoted counts as no message. */
bool press_hides(struct slice text);
/* Seals what was written, under the press key, for the record that comes next: "seal" and "box" of `into`. Of `press`
 * it needs the player, the seat, the words and the text with its signature. */
void press_box(struct step *step, const struct game *game, const struct press *press, json_t *into);
/* Makes the record. Takes ownership of `marks` (petition.h); the rest is borrowed. */
int press_record(struct step *step, struct game *game, const struct press *press, json_t *marks,
                 struct err *err) __attribute__((warn_unused_result));

/* ---- messages as their reader gets them: post.press, a list of facts for press_item.txt ---- */

/* A message as `reader` (0 = somebody without a seat) sees it. New reference. */
json_t *press_facts(const struct game *game, const struct press *press, int reader);
/* Puts messages into facts, "press": {"messages": [...]}, if there are any. */
void press_facts_put(json_t *facts, json_t *messages);
/* Those of these turns (told_since) that are for the seat. New reference. */
json_t *press_facts_report(const struct game *game, int seat, const json_t *since);
/* Removes messages from people whom the reader does not want to hear in this game: `mutes` is a list of
 * "gc-17/bob", "any/carol"; "nobody" is grey press. False when that empties the list.
 */
bool press_mute(json_t *messages, const char *game, const char *mutes);
/* In games with signed press: the file that goes with the messages, each as its sender signed it
 * (post.attach). New reference; NULL = there is none. */
json_t *press_attached(const json_t *messages);
/* The lines of a message, safe for every mail program and for quoting: [{"line":".."}, ...], each of at most
 * `width` columns. Templates put "| " in front, so that none can be taken for one of the program's own texts
 * when a reader quotes it in an answer. New reference. */
json_t *press_lines(struct slice words, size_t width);

#endif
