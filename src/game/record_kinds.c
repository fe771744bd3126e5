/* The table alone; how it is read: record_kind.c. */
#include "game/record_kinds.h"

#include "game/apply_parts.h"

#define TYPED    " for:s? typed:s? request:h?" /* in place of mail, text and signed */
#define BY_MAIL  " said:s? vouched:V?"         /* in place of signed; of a text that is sealed, the second */
#define EVIDENCE " mail:h? text:h? by:s signed:o?" TYPED
#define RULING   " do:s reason:s by:s turn:i mail:h? text:h? signed:o? request:h?"

#define BY_MODERATOR                           \
    {                                          \
        {                                      \
            .verb = "moderate", .signer = "by" \
        }                                      \
    }

const struct record_kind record_kinds[RECORD_IDS] = {
    [RECORD_CREATE] =
        {"create", NULL,
         "ruleset:s version:i cards:h card_data:o? options:o seats:i league_key:h vrf_key:v seal_key:h "
         "turn_length:i clock:o? missed_robot:i missed_standby:i press:s press_delivery:s press_signed:T? "
         "observers:b views:i language:i witnesses:W? format:i nonce:h table:l answer_by:t? "
         "typo_wait:T? second_thoughts:i? trust:s? request:h? rematch:s? rematch_head:h? compete:o? "
         "lockstep:o?",
         PLACE_FIRST, .open = true, .apply = apply_create},
    [RECORD_SEAT] =
        {"seat",
         NULL,
         "seat:S player:s? robot:s? keys:k? why:s? seal:h? left:s? waited:T? free:T? drawn:T? wish:s? "
         "mail:h? text:h? by:s? signed:o?" BY_MAIL TYPED,
         PLACE_DEAL | PLACE_TURN,
         {{"left", NULL, "leave", "left"},
          {"why", "resigned", "resign", "robot"},
          {"why", "standby", "take", "player"},
          {"why", "back", "back", "player"}},
         .secret = SECRET_TEXT,
         .apply = apply_seat},
    [RECORD_KEY] = {"key", NULL, "seat:P keys:k", PLACE_DEAL | PLACE_TURN | PLACE_CLOSED, .open = true,
                    .apply = apply_key},
    [RECORD_START] = {"start", NULL,
                      "turn:i pi:p hidden:d state:h events:h reports:e drawn:l? deadline:t? away:w?",
                      PLACE_DEAL, .apply = apply_turn},
    [RECORD_TURN] = {"turn", NULL,
                     "turn:i pi:p hidden:d state:h events:h reports:e told:n? deadline:t? away:w? waits:T?",
                     PLACE_TURN, .apply = apply_turn},
    [RECORD_ORDERS] = {"orders", NULL, "turn:i seat:S mail:h made:h? seal:h vouched:V? waits:T?", PLACE_TURN,
                       .secret = SECRET_TEXT, .apply = apply_orders},
    [RECORD_CLOSE] = {"close", NULL, "turn:i seals:e set:n? deal:h? rollbacks:i? missed:n",
                      PLACE_DEAL | PLACE_TURN, .apply = apply_close},
    [RECORD_END] = {"end", NULL, "turns:i reason:s scores:l", PLACE_DEAL | PLACE_ENDED, .apply = apply_end},
    [RECORD_OPEN] = {"open", NULL, "seal_key:h", PLACE_ENDED, .apply = apply_open},

    [RECORD_INSTANT] = {"note", "instant", "turn:i seat:S state:h events:h", PLACE_TURN,
                        .apply = note_instant},
    [RECORD_WAIT] =
        {"note",
         "wait",
         "player:s keys:k? seal:h? wish:s? leave:T? mail:h? text:h? by:s? signed:o?" BY_MAIL TYPED,
         PLACE_DEAL | PLACE_TURN,
         {{"leave", NULL, "leave", "player"}},
         .secret = SECRET_TEXT,
         .apply = apply_wait},
    [RECORD_PRESS] = {"note", "press", "turn:i to:x seal:h mail:h text:h seat:P? grey:T? by:s?",
                      PLACE_TURN | PLACE_CLOSED, .secret = SECRET_PRESS, .open = true, .apply = apply_press},
    [RECORD_APPEAL] = {"note", "appeal", "turn:i about:i seat:P seal:h mail:h text:h",
                       PLACE_TURN | PLACE_OPENED, .secret = SECRET_PRESS, .open = true,
                       .apply = apply_appeal},
    [RECORD_RULING] = {"note",
                       "ruling",
                       "turn:i about:i appeal:i" EVIDENCE,
                       PLACE_TURN | PLACE_OPENED,
                       {{.verb = "ruling", .signer = "by"}},
                       .open = true,
                       .apply = apply_ruling},
    [RECORD_OBSERVE] = {"note",
                        "observe",
                        "turn:i player:s stop:b" EVIDENCE BY_MAIL,
                        PLACE_TURN | PLACE_CLOSED,
                        {{"stop", "true", "unobserve", "player"}, {NULL, NULL, "observe", "player"}},
                        .open = true,
                        .bends = true,
                        .apply = apply_observe},
    [RECORD_STANDBY] = {"note",
                        "standby",
                        "turn:i player:s stop:b" EVIDENCE BY_MAIL,
                        PLACE_TURN,
                        {{.verb = "standby", .signer = "player"}},
                        .open = true,
                        .bends = true,
                        .apply = apply_standby},
    [RECORD_OFFER] = {"note", "offer", "turn:i seat:S to:s? until:t?", PLACE_TURN, .bends = true,
                      .apply = apply_offer},
    [RECORD_REMINDER] = {"note", "reminder", "turn:i seats:n deadline:t", PLACE_TURN, .apply = note_reminder},
    [RECORD_SHIFT] = {"note", "shift", "turn:i why:s from:t deadline:t away:w? seconds:i?", PLACE_TURN,
                      .open = true, .bends = true, .apply = note_shift},
    [RECORD_HOLD] = {"note", "hold", "turn:i missing:n? awaited:n? until:t? released:T?", PLACE_TURN,
                     .open = true, .bends = true, .apply = note_hold},
    [RECORD_VOTE] = {"note",
                     "vote",
                     "turn:i seat:S seconds:i deadline:t?" EVIDENCE BY_MAIL,
                     PLACE_TURN,
                     {{.verb = "extend", .signer = "seat"}},
                     .bends = true,
                     .apply = note_vote},
    [RECORD_QUESTION] = {"note", "question", "turn:i seat:P mail:h vouched:V", PLACE_TURN,
                         .apply = note_question},
    [RECORD_WITNESS] = {"note",
                        "witness",
                        "turn:i witness:s pi:p last:h?" EVIDENCE,
                        PLACE_CLOSED,
                        {{.verb = "witness", .signer = "witness"}},
                        .open = true,
                        .apply = note_witness},
    [RECORD_ASKED] = {"note", "asked", "turn:i", PLACE_CLOSED, .open = true, .apply = note_asked},
    [RECORD_RESTORED] = {"note", "restored", "turn:i made:t",
                         PLACE_DEAL | PLACE_TURN | PLACE_CLOSED | PLACE_OPENED, .open = true,
                         .apply = note_restored},
    [RECORD_EXCUSE] = {"excuse",
                       NULL,
                       "turn:i witness:s reason:s" EVIDENCE,
                       PLACE_CLOSED,
                       {{.verb = "excuse", .signer = "by"}},
                       .open = true,
                       .apply = apply_excuse},

    [RECORD_DO_PAUSE] = {"moderate", "pause", RULING, PLACE_DEAL | PLACE_TURN, BY_MODERATOR, .open = true,
                         .bends = true, .apply = apply_pause},
    [RECORD_DO_RESUME] = {"moderate", "resume", "deadline:t?" RULING, PLACE_DEAL | PLACE_TURN, BY_MODERATOR,
                          .open = true, .bends = true, .apply = apply_resume},
    [RECORD_DO_EXTEND] = {"moderate", "extend", "deadline:t" RULING, PLACE_TURN, BY_MODERATOR, .open = true,
                          .bends = true, .apply = apply_extend},
    [RECORD_DO_HOLD] = {"moderate", "hold", RULING, PLACE_DEAL | PLACE_TURN, BY_MODERATOR, .open = true,
                        .bends = true, .apply = apply_hold},
    [RECORD_DO_RESOLVE] = {"moderate", "resolve", RULING, PLACE_TURN, BY_MODERATOR, .open = true,
                           .bends = true, .apply = apply_resolve},
    [RECORD_DO_REPLACE] = {"moderate", "replace", "seat:S player:s? keys:k? robot:s?" RULING, PLACE_TURN,
                           BY_MODERATOR, .bends = true, .apply = apply_replace},
    [RECORD_DO_ORDERS] = {"moderate", "orders", "seat:P seal:h" RULING, PLACE_TURN, BY_MODERATOR,
                          .secret = SECRET_TEXT, .bends = true, .apply = apply_set_orders},
    [RECORD_DO_RESEND] = {"moderate", "resend", "seat:S" RULING, PLACE_TURN | PLACE_CLOSED | PLACE_OPENED,
                          BY_MODERATOR, .apply = apply_resend},
    [RECORD_DO_ROLLBACK] = {"moderate", "rollback", "record:i from:i state:h deadline:t?" RULING, PLACE_TURN,
                            BY_MODERATOR, .bends = true, .apply = apply_rollback},
    [RECORD_DO_CORRECT] = {"moderate", "correct", "changes:l state:h seal:h?" RULING, PLACE_TURN,
                           BY_MODERATOR, .secret = SECRET_CHANGES, .bends = true, .apply = apply_correct},
    [RECORD_DO_VOID] = {"moderate", "void", RULING, PLACE_DEAL | PLACE_TURN | PLACE_CLOSED, BY_MODERATOR,
                        .apply = apply_void},
    [RECORD_DO_BAN] =
        {"moderate", "ban",
         "seat:S? robot:s? player:s? keys:k? seal:h? left:s? waited:T? free:T? drawn:T? leave:T?" RULING,
         PLACE_DEAL | PLACE_TURN | PLACE_CLOSED, BY_MODERATOR, .secret = SECRET_TEXT, .apply = apply_ban},
};
