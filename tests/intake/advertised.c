/* What our mails tell people to type does what they say: each word that a template quotes is typed where the template
 * stands, by each kind of player who is shown it. The list is held against the templates: a new word fails without a row
 * here, and a row that no template quotes any more does, too. */
#include "house/compete.h"
#include "house/quoted.h"
#include "house/watcher.h"

#include "base/embed.h"
#include "batch/digest.h"
#include "game/witness.h"

/* ---- the words ---- */

enum scene {
    HELP,
    HELP_OF_KEY,
    REPORT,
    ASKED,
    UNREAD,
    WISHED,
    RECEIVED,
    TRIED,
    PRESS,
    NOTHING,
    NOT_DONE,
    HOW,
    STALE,
    DIGEST,
    STOP,
    GAMES,
    KEPT,
    WATCH,
    OFFER,
    LOST_SEAT,
    TABLE,
    VOTE,
    UNWITNESS,
    BOUNCED,
    CUP,
    CUP_IS_OVER,
    OVER,
    NEWCOMER,
    SCENES
};

/* Anna has only a mailbox, Bob has a key, and Nemo is a stranger. */
enum who { ANNA, BOB, NEMO };
enum how {
    SUBJECT, /* of a mail of its own */
    REPLY,   /* above the scene's mail */
    LINE     /* among the orders of a text that Bob signs */
};

static const struct row {
    enum scene scene;
    const char *template, *word; /* as it stands there */
    enum who who;
    enum how how;
    const char *typed; /* NULL: the word. $ok: what follows "type: " in the mail */
    const char *brings;
    const char *then; /* where that asks for an "ok": what it brings; else NULL */
} rows[] = {
    /* what "help" lists */
    {HELP, "answers", "help", ANNA, SUBJECT, NULL, "What you can send to", NULL},
    {HELP, "answers", "games", ANNA, SUBJECT, NULL, "What can be played", NULL},
    {HELP, "answers", "results", ANNA, SUBJECT, NULL, "No game has ended yet", NULL},
    {HELP, "answers", "log 1", ANNA, SUBJECT, NULL, "BEGIN TURNPOST LOG", NULL},
    {HELP, "answers", "proof 1200", ANNA, SUBJECT, NULL, "a number from 1 to", NULL},
    {HELP, "answers", "log", ANNA, SUBJECT, NULL, "and a number", NULL},
    {HELP, "answers", "rules galaxy-command", ANNA, SUBJECT, NULL, "15. WHAT IS NOT FROM", NULL},
    {HELP, "answers", "help galaxy-command", ANNA, SUBJECT, NULL, "Orders of Galaxy Command", NULL},
    {HELP, "answers", "rules", ANNA, SUBJECT, "rules gc-1", "15. WHAT IS NOT FROM", NULL},
    {HELP, "answers", "status gc-17", ANNA, SUBJECT, "status gc-1", "game gc-1: turn 1", NULL},
    {HELP, "answers", "status", ANNA, SUBJECT, "status anna", "gc-1  Galaxy Command  turn 1", NULL},
    {HELP, "answers", "register", ANNA, SUBJECT, NULL, "belongs to the player anna", NULL},
    {HELP, "answers", "final", ANNA, REPLY, "conquer N1\r\nfinal", "We have your", NULL},
    {HELP, "answers", "ok", ANNA, REPLY, NULL, "We have your", NULL},
    {HELP, "answers", "1", ANNA, REPLY, NULL, "We have your", NULL},
    {HELP, "answers", "undo", ANNA, REPLY, NULL, "Turn 1 waits for you", NULL},
    {HELP, "answers", "show", ANNA, REPLY, NULL, "You asked for this report again", NULL},
    {HELP, "answers", "show", ANNA, SUBJECT, NULL, "You asked for this report again", NULL},
    {HELP, "answers", "show gc-17", ANNA, SUBJECT, "show gc-1", "You asked for this report again", NULL},
    {HELP, "answers", "map", ANNA, REPLY, NULL, "You asked for this report again", NULL},
    {HELP, "answers", "rules", ANNA, REPLY, NULL, "15. WHAT IS NOT FROM", NULL},
    {HELP, "answers", "deadline", ANNA, REPLY, NULL, "Turn 1 is due", NULL},
    {HELP, "answers", "help", ANNA, REPLY, NULL, "Orders of Galaxy Command", NULL},
    {HELP, "answers", "press bob: Shall we?", ANNA, REPLY, NULL, "Shall we?", NULL},
    {HELP, "answers", "mute bob", ANNA, REPLY, NULL, "Messages of bob are not delivered to you any more",
     NULL},
    {HELP, "answers", "unmute bob", ANNA, REPLY, NULL, "Messages of bob are delivered to you again", NULL},
    {HELP, "answers", "standby any", ANNA, REPLY, NULL, "You are on the waiting list for any game", NULL},
    {HELP, "standby", "unstandby", ANNA, REPLY, "unstandby any",
     "You are not on the waiting list for any game", NULL},
    {HELP, "answers", "unstandby any", ANNA, REPLY, NULL, "You are not on the waiting list for any game",
     NULL},
    {HELP, "answers", "vacation 2026-12-20 to 2027-01-03", ANNA, REPLY, NULL, "Your time off is noted", NULL},
    {HELP, "answers", "extend 24", ANNA, REPLY, NULL, "Your vote", NULL},
    {HELP, "answers", "try", ANNA, REPLY, "try\r\nexplore near", "A dry run", NULL},
    {HELP, "answers", "status", ANNA, REPLY, NULL, "YOUR SECTOR", NULL},
    {HELP, "answers", "say all", ANNA, REPLY, "say all Hello\r\nbuild", "We have your", NULL},
    {HELP, "answers", "say", ANNA, REPLY, "say bob Hello\r\nbuild", "We have your", NULL},
    {HELP, "answers", "join gc-17", ANNA, SUBJECT, "join gc-2", "Do you want to join", "You are in"},
    {HELP, "answers", "leave", ANNA, SUBJECT, "leave gc-2", "Do you want to leave", "You have given up"},
    {HELP, "answers", "join", ANNA, SUBJECT, "join gc-2", "Do you want to join", "You are in"},
    {HELP, "answers", "observe", ANNA, SUBJECT, "observe gc-3", "Do you want to watch",
     "you get the public report"},
    {HELP, "answers", "unobserve", ANNA, SUBJECT, "unobserve gc-3", "stop watching gc-3",
     "You get no more reports"},
    {HELP, "answers", "standby", ANNA, SUBJECT, "standby gc-3", "Do you want to be on the waiting list",
     "You are on the waiting list"},
    {HELP, "answers", "unstandby", ANNA, SUBJECT, "unstandby gc-3", "Do you want to leave the waiting list",
     "You are not on the waiting list"},
    {HELP, "answers", "digest 18:00", ANNA, REPLY, NULL, "digest 18", NULL},
    {HELP, "answers", "digest no", ANNA, REPLY, NULL, "digest no", NULL},
    {HELP, "answers", "stop", ANNA, REPLY, NULL, "You get no more mails", NULL},
    {HELP, "answers", "stop", ANNA, SUBJECT, NULL, "You get no more mails", NULL},
    {HELP, "answers", "help", NEMO, SUBJECT, NULL, "What you can send to", NULL},
    {HELP, "answers", "register", NEMO, SUBJECT, NULL, "To play here you register once", NULL},
    {HELP_OF_KEY, "answers", "help", BOB, SUBJECT, NULL, "What you can send to", NULL},
    {HELP_OF_KEY, "answers", "games", BOB, SUBJECT, NULL, "What can be played", NULL},
    {HELP_OF_KEY, "answers", "register", BOB, SUBJECT, NULL, "belongs to the player bob", NULL},
    {HELP_OF_KEY, "answers", "status gc-17", BOB, SUBJECT, "status gc-1", "game gc-1: turn 1", NULL},
    {HELP_OF_KEY, "answers", "vacation", BOB, SUBJECT, NULL, "#turnpost vacation", NULL},
    {HELP_OF_KEY, "answers", "extend", BOB, SUBJECT, NULL, "#turnpost extend", NULL},
    {HELP_OF_KEY, "answers", "appeal", BOB, SUBJECT, NULL, "#turnpost appeal", NULL},
    {HELP_OF_KEY, "answers", "press", BOB, SUBJECT, NULL, "#turnpost press", NULL},
    {STALE, "answers", "show {{waits}}", ANNA, SUBJECT, "show gc-1", "You asked for this report again", NULL},
    {HELP_OF_KEY, "answers", "stop", BOB, SUBJECT, NULL, "send a mail with this subject", NULL},
    {HELP_OF_KEY, "answers", "help", BOB, LINE, NULL, "Orders of Galaxy Command", NULL},
    {HELP_OF_KEY, "answers", "try", BOB, LINE, "try\nexplore near", "A dry run", NULL},
    {HELP_OF_KEY, "answers", "status", BOB, LINE, NULL, "YOUR SECTOR", NULL},
    {HELP_OF_KEY, "answers", "say all", BOB, LINE, "say all Hello\nexplore near", "We have your", NULL},
    {HELP_OF_KEY, "form", "try", BOB, LINE, "try\nexplore far", "A dry run", NULL},
    {HELP_OF_KEY, "form", "help", BOB, LINE, NULL, "Orders of Galaxy Command", NULL},
    {HELP_OF_KEY, "form", "rules", BOB, LINE, NULL, "15. WHAT IS NOT FROM", NULL},
    {HELP_OF_KEY, "receipt", "try", BOB, LINE, "try\nbuild", "A dry run", NULL},
    {HELP_OF_KEY, "receipt_short", "try", BOB, LINE, "try\nbuild", "A dry run", NULL},
    {HELP_OF_KEY, "joinable", "join {{game}}", BOB, SUBJECT, "join gc-2", "#turnpost join", NULL},
    {HELP_OF_KEY, "compete_list", "enter", BOB, SUBJECT, "enter spring", "#turnpost enter", NULL},
    {HELP_OF_KEY, "compete_entry", "withdraw {{competition}}", BOB, SUBJECT, "withdraw spring",
     "#turnpost withdraw", NULL},
    {HELP_OF_KEY, "key_entries", "confirm {{competition}}", BOB, SUBJECT, "confirm spring",
     "#turnpost confirm", NULL},
    {HELP_OF_KEY, "compete_round", "confirm {{competition}}", BOB, SUBJECT, "confirm spring",
     "#turnpost confirm", NULL},
    {HELP_OF_KEY, "whole_game", "journal", BOB, SUBJECT, NULL, "#turnpost journal", NULL},
    {HELP_OF_KEY, "refused", "join {{name}}", BOB, SUBJECT, "join gc-2", "#turnpost join", NULL},
    {HELP_OF_KEY, "answers", "prefs", BOB, SUBJECT, NULL, "#turnpost prefs", NULL},
    {HELP_OF_KEY, "prefs", "prefs", BOB, SUBJECT, NULL, "#turnpost prefs", NULL},
    {HELP_OF_KEY, "prefs", "resign", BOB, SUBJECT, NULL, "#turnpost resign", NULL},
    {HELP_OF_KEY, "prefs", "leave", BOB, SUBJECT, NULL, "#turnpost leave", NULL},
    {HELP_OF_KEY, "answers", "leave", BOB, SUBJECT, NULL, "#turnpost leave", NULL},
    {HELP_OF_KEY, "answers", "resign", BOB, SUBJECT, NULL, "#turnpost resign", NULL},
    {HELP_OF_KEY, "registered", "games", BOB, SUBJECT, NULL, "#turnpost join", NULL},
    {HELP_OF_KEY, "registered", "help", BOB, SUBJECT, NULL, "What you can send to", NULL},
    /* a report */
    {REPORT, "form_reply", "ok", ANNA, REPLY, NULL, "We have your", NULL},
    {REPORT, "reply_also", "help", ANNA, REPLY, NULL, "Orders of Galaxy Command", NULL},
    {REPORT, "reply_also", "press {{other}}: Shall we?", ANNA, REPLY, "press bob: Shall we?", "Shall we?",
     NULL},
    {REPORT, "word", "help", ANNA, REPLY, NULL, "Orders of Galaxy Command", NULL},
    {REPORT, "report", "rules", ANNA, REPLY, NULL, "15. WHAT IS NOT FROM", NULL},
    {REPORT, "report", "rules {{game}}", ANNA, SUBJECT, "rules gc-1", "15. WHAT IS NOT FROM", NULL},
    {REPORT, "report", "status", ANNA, REPLY, NULL, "YOUR SECTOR", NULL},
    {REPORT, "report", "status {{game}}", ANNA, SUBJECT, "status gc-1", "game gc-1: turn 1", NULL},
    {REPORT, "report", "press", ANNA, REPLY, "press bob: and so on", "and so on", NULL},
    {REPORT, "shortened", "status {{game}}", ANNA, SUBJECT, "status gc-1", "game gc-1: turn 1", NULL},
    /* a question of ours */
    {ASKED, "reply_ask", "help", ANNA, REPLY, "help", "Orders of Galaxy Command", NULL},
    {ASKED, "reply_ask", "ok", ANNA, REPLY, NULL, "We have your", NULL},
    /* a mail in which nothing was understood */
    {UNREAD, "reply_ask", "press {{other}}: Shall we?", ANNA, REPLY, "press bob: Shall we?", "Shall we?",
     NULL},
    {UNREAD, "doubts", "vacation 2026-12-24 to 2027-01-02", ANNA, REPLY, NULL, "Your time off is noted",
     NULL},
    {UNREAD, "doubts", "extend 24", ANNA, REPLY, NULL, "Your vote", NULL},
    {UNREAD, "doubts", "digest 18", ANNA, REPLY, NULL, "digest 18", NULL},
    {WISHED, "reply_wish", "ok", ANNA, SUBJECT, "observe gc-3", "press Reply and type: ok",
     "you get the public report"},
    {WISHED, "reply_wish", "ok {{word}}", ANNA, REPLY, "$ok\r\nship: swift", "Your wish: Swift", NULL},
    /* a receipt, of orders that are to be corrected, or that were a dry run */
    {RECEIVED, "correction", "final", ANNA, REPLY, "conquer N1\r\nfinal", "Your orders for turn 1 are final",
     NULL},
    {RECEIVED, "reply_ask", "final", ANNA, REPLY, NULL, "Your orders for turn 1 are final", NULL},
    {TRIED, "receipt", "final", ANNA, REPLY, "conquer N1\r\nfinal", "We have your", NULL},
    {TRIED, "receipt", "try", ANNA, REPLY, "explore near", "We have your", NULL},
    {PRESS, "press", "press", ANNA, REPLY, "press bob: your words", "your words", NULL},
    /* what was not understood, or could not be done */
    {NOTHING, "answers", "help", ANNA, SUBJECT, NULL, "What you can send to", NULL},
    {NOTHING, "answers", "register", NEMO, SUBJECT, NULL, "To play here you register once", NULL},
    {NOT_DONE, "answers", "vacation 2026-12-24 to 2027-01-02", ANNA, REPLY, NULL, "Your time off is noted",
     NULL},
    {NOT_DONE, "answers", "vacation cancel", ANNA, REPLY, NULL, "Your time off is cancelled", NULL},
    {HOW, "answers", "digest 18", ANNA, REPLY, NULL, "digest 18", NULL},
    {HOW, "answers", "digest off", ANNA, REPLY, NULL, "digest no", NULL},
    {HOW, "answers", "press bob: Shall we leave each other in peace?", ANNA, REPLY, NULL, "in peace?", NULL},
    {HOW, "answers", "extend 24", ANNA, REPLY, NULL, "Your vote", NULL},
    {HOW, "answers", "show gc-17", ANNA, SUBJECT, "show gc-1", "You asked for this report again", NULL},
    {HOW, "answers", "{{verb}} spring", ANNA, SUBJECT, "enter spring", "Do you want to enter",
     "You are in, anna"},
    {HOW, "answers", "open galaxy-command", ANNA, SUBJECT, NULL, "Do you want to make this game?", NULL},
    {HOW, "answers", "appeal gc-17", ANNA, SUBJECT, "appeal gc-1", "has no moderators", NULL},
    {HOW, "answers", "mute nobody", ANNA, REPLY, NULL, "Messages of nobody are not delivered", NULL},
    {HOW, "mute", "unmute {{whom}}", ANNA, REPLY, "unmute nobody", "are delivered to you again", NULL},
    {HOW, "answers", "decisions", ANNA, REPLY, "reports: decisions", "Your settings", NULL},
    {HOW, "answers", "{{verb}} gc-17", ANNA, SUBJECT, "resign gc-1", "Do you want to resign",
     "You have resigned"},
    {STALE, "answers", "show", ANNA, REPLY, "show", "You asked for this report again", NULL},
    {DIGEST, "digest", "{{example}}: ok", ANNA, REPLY, "gc-1: ok", "We have your", NULL},
    {DIGEST, "answers", "gc-1: explore near", ANNA, REPLY, "gc-1: explore near", "We have your", NULL},
    {DIGEST, "digest", "{{example}}:", ANNA, REPLY, "gc-1:\r\nbuild\r\nexplore near", "We have your", NULL},
    {DIGEST, "digest", "digest no", ANNA, REPLY, NULL, "digest no", NULL},
    {STOP, "answers", "stop {{word}}", BOB, SUBJECT, "$stop", "You get no more mails", NULL},
    {STOP, "answers", "resign", ANNA, REPLY, "resign", "Is this what you mean?", NULL},
    {STOP, "prefs", "resign", ANNA, REPLY, "resign", "Is this what you mean?", NULL},
    {STOP, "reply_ask", "ok {{word}}", ANNA, REPLY, "resign", "press Reply and type: ok",
     "You have resigned"},
    /* games */
    {GAMES, "joinable", "join {{game}}", ANNA, SUBJECT, "join gc-2", "Do you want to join", NULL},
    {GAMES, "joinable", "join", ANNA, SUBJECT, "join gc-2", "Do you want to join", NULL},
    {GAMES, "join", "join {{game}}", ANNA, SUBJECT, "join gc-2", "Do you want to join", NULL},
    {GAMES, "refused", "join {{game}}", ANNA, SUBJECT, "join gc-2", "Do you want to join", "You are in"},
    {GAMES, "joined", "leave {{game}}", ANNA, SUBJECT, "leave gc-2", "Do you want to leave",
     "You have given up"},
    {GAMES, "refused", "games", ANNA, SUBJECT, NULL, "What can be played", NULL},
    {GAMES, "registered", "games", ANNA, SUBJECT, NULL, "What can be played", NULL},
    {GAMES, "registered", "help", ANNA, SUBJECT, NULL, "What you can send to", NULL},
    {GAMES, "refused", "competitions", ANNA, SUBJECT, NULL, "spring", NULL},
    {GAMES, "answers", "rating", ANNA, SUBJECT, NULL, "rating", NULL},
    {GAMES, "answers", "rating {{meant}}", ANNA, SUBJECT, "rating anna", "anna", NULL},
    {GAMES, "cut", "rules {{rules}} {{next}}", NEMO, SUBJECT, "rules galaxy-command 8", "8. THE EVENT", NULL},
    {KEPT, "kept", "no", ANNA, REPLY, NULL, "You do not take the seat", NULL},
    {KEPT, "kept", "ok", ANNA, REPLY, NULL, "You have seat", NULL},
    {KEPT, "kept_reminder", "ok", ANNA, SUBJECT, "leave gc-4", "Do you want to leave", "You have given up"},
    {KEPT, "kept", "join {{game}}", ANNA, SUBJECT, "join gc-4", "Do you want to join", "You have seat"},
    {KEPT, "kept_reminder", "join {{game}}", ANNA, SUBJECT, "leave gc-4", "Do you want to leave", NULL},
    {KEPT, "kept", "rules {{game}}", ANNA, SUBJECT, "rules gc-4", "15. WHAT IS NOT FROM", NULL},
    {WATCH, "observe", "unobserve {{game}}", ANNA, SUBJECT, "unobserve gc-3", "Do you want to stop watching",
     "You get no more reports"},
    {OFFER, "offer", "take {{game}}", ANNA, SUBJECT, "take gc-3", "Do you want to take", "is yours"},
    {OFFER, "offer", "status {{game}}", ANNA, SUBJECT, "status gc-3", "game gc-3: turn", NULL},
    {OFFER, "refused", "status {{game}}", ANNA, SUBJECT, "status gc-3", "game gc-3: turn", NULL},
    {OFFER, "answers", "take", ANNA, SUBJECT, "take gc-3", "Do you want to take", NULL},
    {LOST_SEAT, "seat_lost", "back {{game}}", ANNA, SUBJECT, "back gc-3", "Do you want your seat",
     "is yours again"},
    {LOST_SEAT, "answers", "back", ANNA, SUBJECT, "back gc-3", "Do you want your seat", NULL},
    {TABLE, "joined", "leave {{game}}", ANNA, SUBJECT, "leave gc-4", "Do you want to leave",
     "You have given up"},
    {TABLE, "refused", "leave {{game}}", ANNA, SUBJECT, "join gc-4", "Do you want to join", NULL},
    {VOTE, "vote_asked", "ok", ANNA, REPLY, NULL, "The deadline of turn 1 is extended", NULL},
    {UNWITNESS, "witness_late", "ok", ANNA, REPLY, NULL, "The game goes on without witnesses", NULL},
    {BOUNCED, "bounced", "show", ANNA, SUBJECT, NULL, "You asked for this report again", NULL},
    /* competitions */
    {CUP, "answers", "competitions", ANNA, SUBJECT, NULL, "spring", NULL},
    {CUP, "answers", "table spring", ANNA, SUBJECT, NULL, "competition spring: not begun yet", NULL},
    {CUP, "answers", "enter", ANNA, SUBJECT, "enter spring", "Do you want to enter", NULL},
    {CUP, "compete_list", "enter", ANNA, SUBJECT, "enter spring", "Do you want to enter", NULL},
    {CUP, "compete_enter_how", "enter {{competition}}", ANNA, SUBJECT, "enter spring", "Do you want to enter",
     "You are in, anna"},
    {CUP, "compete_confirm_how", "confirm {{competition}}", ANNA, SUBJECT, "confirm spring", "Do you confirm",
     "You have confirmed"},
    {CUP, "compete_entry", "table {{competition}}", ANNA, SUBJECT, "table spring", "competition spring",
     NULL},
    {CUP, "compete_entry", "withdraw {{competition}}", ANNA, SUBJECT, "withdraw spring",
     "Do you want to withdraw", "You have withdrawn"},
    {CUP, "compete_entry", "resign", ANNA, SUBJECT, "resign gc-1", "Do you want to resign", NULL},
    {CUP, "answers", "confirm", ANNA, SUBJECT, "confirm spring", "Do you confirm", NULL},
    {CUP, "answers", "withdraw", ANNA, SUBJECT, "withdraw spring", "Do you want to withdraw", NULL},
    {CUP, "answers", "table", ANNA, SUBJECT, "table spring", "competition spring", NULL},
    {CUP, "compete_list", "table spring", ANNA, SUBJECT, NULL, "competition spring", NULL},
    {CUP, "compete_list", "table", ANNA, SUBJECT, "table spring", "competition spring", NULL},
    {CUP, "compete_enter_how", "help", ANNA, SUBJECT, NULL, "What you can send to", NULL},
    {CUP_IS_OVER, "compete_end", "table {{competition}}", ANNA, SUBJECT, "table spring", "spring", NULL},
    {CUP_IS_OVER, "compete_round", "table {{competition}}", ANNA, SUBJECT, "table spring", "spring", NULL},
    {CUP_IS_OVER, "compete_ruling", "table {{competition}}", ANNA, SUBJECT, "table spring", "spring", NULL},
    {CUP_IS_OVER, "compete_end", "status", ANNA, SUBJECT, "status gc-1", "game gc-1", NULL},
    {OVER, "play_again", "rematch", ANNA, REPLY, "rematch", "Do you want to play gc-1 again", NULL},
    {OVER, "refused", "rematch {{one}}", ANNA, REPLY, "rematch gc-1", "Do you want to play gc-1 again", NULL},
    {OVER, "refused", "rematch {{other}}", ANNA, REPLY, "rematch gc-1", "Do you want to play gc-1 again",
     NULL},
    {OVER, "play_again", "games", ANNA, SUBJECT, NULL, "What can be played", NULL},
    {OVER, "answers", "status", ANNA, SUBJECT, "status gc-1", "over after turn", NULL},
    {NEWCOMER, "invitation", "register", NEMO, SUBJECT, NULL, "To play here you register once", NULL},
    {NEWCOMER, "tools", "register minisign", NEMO, SUBJECT, NULL, "minisign -G", NULL},
    {NEWCOMER, "tools", "register signify", NEMO, SUBJECT, NULL, "signify -G", NULL},
    {NEWCOMER, "refused", "register", NEMO, SUBJECT, NULL, "To play here you register once", NULL},
    {NEWCOMER, "invited", "register", NEMO, SUBJECT, NULL, "To play here you register once", NULL},
    {NEWCOMER, "invitation", "rules {{game}}", NEMO, SUBJECT, "rules gc-1", "THE RULES AS PLAYED HERE", NULL},
    {NEWCOMER, "invitation", "stop", NEMO, SUBJECT, NULL, "send a mail with this subject", NULL},
    /* the site */
    {GAMES, "home", "help", ANNA, SUBJECT, NULL, "What you can send to", NULL},
    {GAMES, "game", "join {{game}}", ANNA, SUBJECT, "join gc-2", "Do you want to join", NULL},
    {GAMES, "competition", "enter {{competition}}", ANNA, SUBJECT, "enter spring", "Do you want to enter",
     NULL},
};
#define ROWS (sizeof rows / sizeof *rows)

/* Quoted, and not to be typed here. */
static const struct {
    const char *template, *word, *why;
} others[] = {
    {"answers", "appeal 5: The same in turn 5", "e2e/journeys: an appeal"},
    {"answers", "press moderators:", "as \"press bob:\""},
    {"reply_also", "press {{other}} from nobody: Shall we?", "e2e/journeys: writing without a name"},
    {"answers", "no", "petitions/keyless: an_answer_stops_it"},
    {"answers", "address", "petitions/keyless: an_address_moves_when_both_agree"},
    {"answers", "second", "petitions/keyless: a_second_address"},
    {"registered", "prefs", "e2e/journeys: settings"},
    {"registered", "erase", "e2e/journeys: erasure"},
    {"again_said", "press", "intake/reply_messages: messages_outlive_their_turn"},
    {"again_said", "press {{other}}: Shall we?", "intake/reply_messages: messages_outlive_their_turn"},
    {"compete_invitation", "ok {{word}}", "intake/reply_whole: a_competition_is_entered_by_its_invitation"},
    {"reply_ask", "auto", "intake/reply: auto_beside_orders_is_asked_about"},
    {"reply_ask", "always auto", "orders/typed: auto_is_no_line_among_others"},
    {"reply_ask", "extend 24", "intake/reply: plain_words_are_pointed_on"},
    {"answers", "-", "a sign"},
    {"answers", "_", "a sign"},
    {"answers", "player", "a column"},
    {"limit", "ok", "intake/reply: a_ticket_robot_is_answered_three_times"},
    {"limit", "help", "intake/reply: a_ticket_robot_is_answered_three_times"},
    {"answers", "Reply-To", "a field of our mails"},
    {"refused", "ok", "petitions/keyless"},
    {"refused", "no", "petitions/keyless"},
    {"rekey", "no", "petitions/keyless"},
    {"first_key", "no", "petitions/keyless: an_answer_stops_it"},
    {"leaves", "no", "petitions/keyless: leaving_waits"},
    {"moving", "no", "petitions/keyless: no_ends_a_move"},
    {"mailbox", "ok", "petitions/keyless"},
    {"invitation", "ok", "petitions/keyless"},
    {"invitation", "no", "petitions/keyless: no_to_an_invitation"},
    {"kept_reminder", "no", "as in kept"},
    {"reply_wish", "no", "as in kept"},
    {"refused", "standby {{game}}", "petitions/keyless"},
    {"reply_ask", "help {{word}}", "intake/reply: plain_words_are_pointed_on"},
    {"reply_ask", "status", "intake/reply: plain_words_are_pointed_on"},
    {"reply_ask", "rules", "as in answers"},
    {"reply_ask", "vacation cancel", "as in answers"},
    {"reply_ask", "resign", "intake/reply: resigning_needs_its_word"},
    {"offer", "ok", "an_offer_is_taken_by_reply"},
    {"invited", "register anna", "petitions/keyless"},
    {"refused", "resign", "a verb of a signed text"},
    {"refused", "try", "a word of orders"},
    {"registered", "ok", "e2e/invited"},
    {"refused", "join", "a verb of a signed text"},
    {"refused", "leave", "a verb of a signed text"},
    {"refused", "confirm", "a line of a signed text"},
    {"refused", "moderate", "petitions/each_text: each_verb_as_a_subject"},
    {"refused", "all", "a value of a line"},
    {"refused", "moderators", "a value of a line"},
    {"refused", "robot", "a value of a line"},
    {"refused", "by robot", "a value of a line"},
    {"refused", "decisions", "a value of a line"},
    {"refused", "each move", "a value of a line"},
    {"refused", "player[1].metal = 3", "a value of a line"},
    {"refused", "verified", "a name"},
    {"refused", "mail", "a name"},
    {"actions", "by robot", "a value of a line"},
    {"banned", "unban", "a moderator's action"},
    {"mute", "nobody", "a value of a line"},
    {"wish", "any", "a value of a line"},
    {"preview", "wait", "a field"},
    {"forms", "anywhere", "a comment"},
    {"doubts", "?", "a sign"},
    {"compete_deal", "Robots", "a column"},
    {"shortened", "\xE2\x80\xA6", "a sign"},
    {"compete_table", "Share", "a column"},
    {"compete_table", "opp.", "a column"},
    {"compete_table", "Next", "a column"},
    {"form", "seq", "a field"},
    {"digest_item", "{{number}} of {{of}}: {{subject}}", "a heading"},
    {"competition", "Finished.", "a state"},
    {"competition", "Round {{round}}", "a state"},
    {"game", "Turn {{turn}}", "a state"},
    {"game", "Finished", "a state"},
    {"home", "join", "an example"},
};

/* ---- where they stand ---- */

static struct ours ours; /* above which Anna types */
static struct str bobs;  /* his last mail */
static struct schedule calendar;

static void game_of(const char *id, int seats, const char *const *names)
{
    if (!store_has(house.batch.store, id))
        house_game_of(&house,
                      (struct new_game){.id = id,
                                        .ruleset = ruleset_newest("galaxy-command"),
                                        .seats = seats,
                                        .clock = &calendar,
                                        .missed_standby = 2,
                                        .missed_robot = 9,
                                        .by_mail = true},
                      names);
}

/* The mail that came to Anna with these words. */
static void stands(const char *words)
{
    str_release(&ours.text);
    ck_assert_msg(find_ours(&ours, words) > 0, "Anna has no mail with \"%s\"", words);
}

/* Her report of gc-1, and then a mail that answers this. */
static void typed(const char *text, const char *words)
{
    (void)write_plain("show gc-1", "");
    stands("You asked for this report again");
    if (!text)
        return;
    (void)answer_ours(&ours, text);
    stands(words);
}

static void subject(const char *text, const char *words)
{
    (void)write_plain(text, "");
    stands(words);
}

static void bob_signs(const char *text)
{
    house_empty_spool(&house);
    (void)house_signed(&house, "bob", "bob", text);
}

static void bob_writes(const char *text)
{
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", text, "\n");
    str_release(&bobs);
    (void)house_mails(&house, "bob", &bobs);
}

static void next_turn(const char *id)
{
    house_clock(&house, house_find(&house, id)->clock.deadline);
}

/* Of two games whose turns are played. */
static void a_digest(void)
{
    struct err err = ERR_INIT;
    static const char *const alone[] = {"anna", "robot"};
    game_of("gc-4", 2, alone);
    typed("digest 18", "digest 18");
    house_empty_spool(&house);
    house_work(&house, house_find(&house, "gc-4")->clock.deadline);
    house.batch.now = house.now += DAY_SECONDS;
    ck_ok(digest_send(&house.batch, &err), err);
    stands("You asked for one mail a day");
}

static void a_kept_seat(void)
{
    house.league.config.league.player_games = 3;
    if (store_has(house.batch.store, "gc-4"))
        return;
    bob_signs("#turnpost open\nname: gc-4\nruleset: galaxy-command\nseats: bob, anna\nopen: 1\n"
              "trust: mail\n#end\n");
    stands("A seat is kept for you");
}

/* Carl does not play, and Anna would; or the other way round. */
static void an_offer(const char *sleeper, const char *waiter)
{
    const char *const names[] = {"bob", sleeper};
    if (store_has(house.batch.store, "gc-3"))
        return;
    house_player(&house, "carl");
    game_of("gc-3", 2, names);
    if (strcmp(waiter, "carl") == 0)
        (void)house_signed(&house, "carl", "carl", "#turnpost standby\ngame: gc-3\n#end\n");
    else
        subject("standby gc-3", "Do you want to be on the waiting list");
    if (strcmp(waiter, "anna") == 0)
        (void)answer_ours(&ours, "ok");
    for (int turn = 1; turn < 3; turn++) {
        char text[100];
        (void)snprintf(text, sizeof text, "#turnpost orders\ngame: gc-3\nturn: %d\nbide\n#end\n", turn);
        bob_signs(text);
        next_turn("gc-3");
    }
    ck_assert_str_eq(house_find(&house, "gc-3")->seat[2].offered, waiter);
}

static void a_lost_seat(void)
{
    bool had = store_has(house.batch.store, "gc-3");
    an_offer("anna", "carl");
    if (had)
        return;
    house_empty_spool(&house);
    (void)house_signed(&house, "carl", "carl", "#turnpost take\ngame: gc-3\nturn: 3\nseat: 2\n#end\n");
    stands("has taken it");
}

/* Who has not answered for three days. */
static void a_silent_witness(void)
{
    static const char *const alone[] = {"anna", "robot"};
    struct watcher watcher;
    struct new_game how = {.id = "gc-5",
                           .ruleset = ruleset_newest("galaxy-command"),
                           .seats = 2,
                           .turn_length = DAY_SECONDS,
                           .by_mail = true};
    watcher_new(&watcher, "wanda");
    watcher_named(&how.witnesses, &watcher);
    how.witnesses.log = league_log_policy(house.batch.tlog)->log[0].key;
    if (store_has(house.batch.store, "gc-5"))
        return;
    house_game_of(&house, how, alone);
    house_empty_spool(&house);
    house_work(&house, house.now + WITNESS_LATE + 60);
}

static void spring(void)
{
    struct err err = ERR_INIT;
    struct batch_competition *entry;
    if (competing_find(&house.batch, "spring", &entry, &err))
        house_compete(
            &house, "spring", "galactic-contract", 1,
            (struct new_competition){.seats = 2, .by_mail = true, .confirm_until = house.now + HOUSE_WEEK});
}

static void tables(void)
{
    static const char *const open[] = {NULL, NULL, NULL}, *const running[] = {"bob", "robot"};
    game_of("gc-2", 3, open);
    game_of("gc-3", 2, running);
    spring();
}

static void begin_over(void)
{
    if (!house_find(&house, "gc-1")->over)
        house_rules(&house, "gc-1", "do: void\nreason: a storm\n");
}

/* Brings about what the scene's words are about, or what is left of it. */
static void set_scene(enum scene scene)
{
    static const char *const two[] = {"anna", NULL};
    switch (scene) {
    case HELP:
    case HELP_OF_KEY:
        tables();
        typed(NULL, NULL);
        break;
    case REPORT: typed(NULL, NULL); break;
    case UNREAD: typed("vacation next week", "Write days and hours like this"); break;
    case ASKED: typed("explor near", "press Reply and type: ok"); break;
    case WISHED:
        tables();
        if (!store_has(house.batch.store, "gx-2"))
            house_game_of(&house,
                          (struct new_game){.id = "gx-2",
                                            .ruleset = ruleset_newest("galactic-contract"),
                                            .seats = 2,
                                            .clock = &calendar,
                                            .by_mail = true},
                          (const char *const[]){NULL, NULL});
        subject("join gx-2", "press Reply and type: ok");
        break;
    case RECEIVED: typed("conquer N1", "needs a fix"); break;
    case TRIED: typed("try\r\nconquer N1", "A dry run"); break;
    case PRESS:
        bob_signs("#turnpost press\ngame: gc-1\nturn: 1\nto: anna\nHello\n#end\n");
        stands("To answer it, press Reply");
        break;
    case NOTHING: subject("how are you", "No orders were found"); break;
    case NOT_DONE: typed("vacation 2026-13-45", "Type it like this"); break;
    case HOW:
        house.league.config.league.player_games = 3;
        spring();
        typed(NULL, NULL);
        break;
    case STALE:
        typed(NULL, NULL);
        next_turn("gc-1");
        (void)answer_ours(&ours, "explore near");
        stands("Your answer was to an earlier mail");
        break;
    case DIGEST: a_digest(); break;
    case STOP:
        bob_writes("stop");
        typed(NULL, NULL);
        break;
    case GAMES: tables(); break;
    case KEPT: a_kept_seat(); break;
    case WATCH:
        tables();
        subject("observe gc-3", "Do you want to watch");
        (void)answer_ours(&ours, "ok");
        stands("you get the public report");
        break;
    case OFFER: an_offer("carl", "anna"); break;
    case LOST_SEAT: a_lost_seat(); break;
    case TABLE: game_of("gc-4", 2, two); break;
    case VOTE:
        bob_signs("#turnpost extend\ngame: gc-1\nturn: 1\nhours: 24\n#end\n");
        stands("asks to extend the deadline");
        break;
    case UNWITNESS:
        a_silent_witness();
        stands("no answer from the witness");
        break;
    case BOUNCED: break;
    case CUP:
    case CUP_IS_OVER: spring(); break;
    case OVER:
        house.league.config.league.player_games = 3;
        begin_over();
        typed(NULL, NULL);
        break;
    case NEWCOMER: house.league.config.league.registration = REGISTRATION_OPEN; break;
    case SCENES: break;
    }
}

/* ---- typing them ---- */

/* With what follows "type: ok", or "stop", in the mail. */
static void fill(struct str *out, const char *text)
{
    const char *ok = strstr(text, "$ok"), *stop = strstr(text, "$stop");
    const char *at = ok ? strstr(ours.text.p, "type: ok") : stop ? strstr(bobs.p, "\nstop ") : NULL;
    ck_assert(!ok == !strstr(text, "$ok") && (!(ok || stop) || at));
    at = at ? at + (ok ? strlen("type: ") : 1) : "";
    str_addf(out, "%.*s%s", (int)strcspn(at, "\n"), at, ok ? ok + 3 : stop ? stop + 5 : text);
}

static void type(const struct row *row, struct str *mails)
{
    struct str text = STR_INIT;
    fill(&text, row->typed ? row->typed : row->word);
    house_empty_spool(&house);
    house.now += 60;
    if (row->how == LINE) {
        struct str signed_text = STR_INIT;
        str_addf(&signed_text, "#turnpost orders\ngame: gc-1\nturn: %d\nseq: %d\n%s\n#end\n",
                 house_find(&house, "gc-1")->turn, ++house.mails, text.p);
        bob_signs(signed_text.p);
        str_release(&signed_text);
    } else if (row->how == REPLY) {
        (void)answer_ours(&ours, text.p);
    } else if (row->who == ANNA) {
        (void)write_plain(text.p, "");
    } else {
        (void)house_mail(&house, row->who == BOB ? "bob" : "nemo", text.p, "\n");
    }
    str_release(&text);
    ck_assert_msg(row->who != ANNA || find_ours(&ours, NULL) > 0, "%s: \"%s\": silence", row->template,
                  row->word);
    (void)house_mails(&house, row->who == ANNA ? NULL : row->who == BOB ? "bob" : "nemo", mails);
}

/* What says that a word is none, or comes to nothing. */
static void need_done(const struct row *row, const char *brings, const struct str *mails)
{
    static const char *const failures[] = {"No signed orders were found", "No orders were found",
                                           "needs a key of your own",     "Nothing has been changed by",
                                           "no answer to a mail of ours", "othing has been done yet"};
    bool asks = strstr(mails->p, "Is this what you mean?") != NULL;
    ck_assert_msg(house_says(mails->p, brings), "%s, \"%s\": not \"%s\" but:\n%.3000s", row->template,
                  row->word, brings, mails->p);
    for (size_t i = 0; i < sizeof failures / sizeof *failures - asks; i++)
        ck_assert_msg(!house_says(mails->p, failures[i]), "%s, \"%s\":\n%.3000s", row->template, row->word,
                      mails->p);
}

static void try_row(const struct row *row)
{
    struct str mails;
    set_scene(row->scene);
    ck_assert_msg(row->how != REPLY || row->scene == HELP || row->scene == HOW || row->typed ||
                      house_says(ours.text.p, row->word),
                  "\"%s\" is not in the mail:\n%.3000s", row->word, ours.text.p);
    type(row, &mails);
    need_done(row, row->brings, &mails);
    str_release(&mails);
    house.now += row->then ? 0 : DAY_SECONDS; /* of which there are limits */
    if (!row->then)
        return;
    const struct row again = {row->scene, row->template, row->word, ANNA, REPLY, "$ok", row->then, NULL};
    stands("type: ok");
    type(&again, &mails);
    need_done(row, row->then, &mails);
    str_release(&mails);
    house.now += DAY_SECONDS;
}

/* The last time with an order page, which is how other players sign. */
START_TEST(each_does_what_it_says)
{
    static char page[] = "https://play.example.org/order/";
    enum scene scene = _i < SCENES ? (enum scene)_i : HELP_OF_KEY;
    char *own = NULL; /* what the league has in its place */
    schedule_init(&calendar);
    calendar.length = 90 * DAY_SECONDS;
    table_clock = &calendar;
    begin();
    own = house.league.config.league.page_url;
    if (_i == SCENES)
        house.league.config.league.page_url = page;
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].scene == scene)
            try_row(&rows[i]);
    str_release(&ours.text);
    str_release(&bobs);
    house.league.config.league.page_url = own;
    end();
}
END_TEST

/* ---- the templates ---- */

static struct str missing;
static bool used[ROWS + sizeof others / sizeof *others];

static bool find_word(const char *template, struct slice word)
{
    bool found = false;
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].template, template) == 0 && slice_eq(word, rows[i].word))
            found = used[i] = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i].template, template) == 0 && slice_eq(word, others[i].word))
            found = used[ROWS + i] = true;
    return found;
}

static size_t find_any(struct slice word, const char *signs)
{
    size_t at = 0;
    while (at < word.len && !strchr(signs, word.p[at]))
        at++;
    return at;
}

/* A field of a signed text ("seq: 2"), a value ("{{line}}"), a command of the operator. */
static bool is_no_word(struct slice word)
{
    while (word.len && strchr("\".", word.p[word.len - 1]))
        word = slice_sub(word, 0, word.len - 1);
    word = slice_sub(word, word.len && word.p[0] == '"', word.len);
    bool value = slice_starts(word, "{{") && slice_find(word, "}}") == word.len - 2;
    return !word.len || value || find_any(word, ":") < find_any(word, " \"") || strchr("#|-$", word.p[0]) ||
           slice_starts(word, "turnpost ");
}

/* Where the words of the order language are explained, not what to type in answer to that mail. */
static bool is_about_words(const char *path)
{
    static const char *const about[] = {"/language.txt", "/unread.txt", "/preview.txt", "/doubts.txt"};
    bool is = false;
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        is |= str_ends(path, about[i]);
    return is;
}

static void see_word(const char *path, struct slice word)
{
    char template[64];
    const char *base = strrchr(path, '/') + 1;
    (void)snprintf(template, sizeof template, "%.*s", (int)strcspn(base, "."), base);
    size_t open = slice_find(word, "{{#"), close = slice_find(word, "{{/");
    word = slice_trim(slice_sub(word, 0, open < close ? open : close < word.len ? close : word.len));
    if (!find_word(template, word) && !is_no_word(word) && !is_about_words(path))
        str_addf(&missing, "%s: \"%.*s\"\n", path, (int)word.len, word.p);
}

/* Each quoted word of the line, what follows "type: ", and the first cell of what the answers set apart. */
static void see_line(const char *path, struct slice line, bool html)
{
    struct slice rest = line;
    size_t at;
    bool in = false;
    while ((at = slice_find(rest, html ? "<b>" : "\"")) < rest.len) {
        struct slice next = slice_sub(rest, at + (html ? 3 : 1), rest.len);
        if (html)
            see_word(path, slice_sub(next, 0, slice_find(next, "<")));
        else if (in)
            see_word(path, slice_sub(rest, 0, at));
        in = !in;
        rest = next;
    }
    if (!html && (at = slice_find(line, "type: ")) < line.len)
        see_word(path, slice_sub(line, at + 6, line.len));
    if (!html && strstr(path, "/answers.txt") && (slice_starts(line, "\t") || slice_starts(line, "   ")))
        see_word(path, slice_sub(slice_trim(line), 0, slice_find(slice_trim(line), "\t")));
}

static bool is_for_people(const char *path)
{
    static const char *const not_[] = {"published", "explain", "/log", "errors", "/head.html", "site_",
                                       "atom",      ".svg",    ".css", ".js",    ".png"};
    bool is = str_starts(path, "templates/common/") || str_starts(path, "templates/site/");
    for (size_t i = 0; i < sizeof not_ / sizeof *not_; i++)
        is &= strstr(path, not_[i]) == NULL;
    return is;
}

START_TEST(each_word_is_listed)
{
    for (const struct embed *file = embed_table; file->path; file++) {
        struct slice rest = {(const char *)file->bytes, (size_t)(file->end - file->bytes)}, line;
        bool html = strstr(file->path, ".html") != NULL;
        while (is_for_people(file->path) && slice_line(&rest, &line))
            if (!slice_starts(line, "{{!"))
                see_line(file->path, line, html);
    }
    ck_assert_msg(!missing.len, "What happens when somebody types these? (rows, or others)\n%s", missing.p);
    for (size_t i = 0; i < sizeof used / sizeof *used; i++)
        if (!used[i])
            str_addf(&missing, "%s: \"%s\"\n", i < ROWS ? rows[i].template : others[i - ROWS].template,
                     i < ROWS ? rows[i].word : others[i - ROWS].word);
    ck_assert_msg(!missing.len, "No template quotes these any more:\n%s", missing.p);
}
END_TEST

static void begin_scene(enum scene scene)
{
    schedule_init(&calendar);
    calendar.length = 90 * DAY_SECONDS;
    table_clock = &calendar;
    begin();
    set_scene(scene);
}

static void end_scene(void)
{
    str_release(&ours.text);
    str_release(&bobs);
    end();
}

/* A seat that is offered is taken by Reply, as any person says yes. */
START_TEST(an_offer_is_taken_by_reply)
{
    static const char *const yes[] = {"ok", "Yes please!"};
    begin_scene(OFFER);
    stands("press Reply and type: ok");
    (void)answer_ours(&ours, yes[_i]);
    ck_assert_str_eq(house_find(&house, "gc-3")->seat[2].player, "anna");
    end_scene();
}
END_TEST

/* To a kept seat yes and no are said as people say them; what was said otherwise is asked once, and "ok" to either mail does it. */
START_TEST(a_kept_seat_is_answered_as_people_do)
{
    static const char *const no[] = {"sorry, no time", "No, thank you. Maybe next time", "No thanks"};
    static const char *const yes[] = {"Yes, I'm in!", "Oh sorry, yes please, count me in!", "Ja gern"};
    struct str mails;
    begin_scene(KEPT);
    (void)answer_ours(&ours, no[_i]);
    (void)house_mails(&house, NULL, &mails);
    ck_assert_msg(house_says(mails.p, "You said no. The others at the table hear of it."), "%s", mails.p);
    ck_assert(!house_says(mails.p, "Nothing has been done"));
    str_release(&mails);
    (void)answer_ours(&ours, yes[_i]);
    ck_assert_str_eq(house_find(&house, "gc-4")->seat[2].player, "anna");
    end_scene();
}
END_TEST

START_TEST(a_yes_in_other_words_is_asked_once)
{
    begin_scene(KEPT);
    (void)answer_ours(&ours, "Yes, if we do not start before Monday");
    ck_assert_str_eq(house_find(&house, "gc-4")->seat[2].player, "");
    if (_i) /* to the mail that asks, or to the first one */
        stands("Do you want the seat that is kept for you");
    (void)answer_ours(&ours, "ok");
    ck_assert_str_eq(house_find(&house, "gc-4")->seat[2].player, "anna");
    end_scene();
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_loop_test(tc, an_offer_is_taken_by_reply, 0, 2);
    tcase_add_loop_test(tc, a_kept_seat_is_answered_as_people_do, 0, 3);
    tcase_add_loop_test(tc, a_yes_in_other_words_is_asked_once, 0, 2);
    tcase_add_loop_test(tc, each_does_what_it_says, 0, SCENES + 1);
    tcase_add_test(tc, each_word_is_listed);
}
TEST_MAIN("intake/advertised", cases)
