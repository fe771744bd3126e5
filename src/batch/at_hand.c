#include "batch/at_hand.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "mail/message.h"

void hand_mail(struct at_hands *hands, struct slice raw)
{
    if (!hands || !hands->careful)
        return;
    hands->now = (struct at_hand){.kind = HAND_EMPTY};
    message_digest(hands->now.digest, raw);
    hands->now.kind = HAND_MAIL;
}

void hand_signed(struct at_hands *hands, const char *player, const char *game, int turn)
{
    if (!hands || hands->now.kind != HAND_MAIL)
        return;
    (void)snprintf(hands->now.player, sizeof hands->now.player, "%s", player);
    (void)snprintf(hands->now.game, sizeof hands->now.game, "%s", game);
    hands->now.turn = turn;
}

void hand_game(struct at_hands *hands, const char *game)
{
    if (!hands || !hands->careful)
        return;
    hands->now = (struct at_hand){.kind = HAND_EMPTY};
    (void)snprintf(hands->now.game, sizeof hands->now.game, "%s", game);
    hands->now.kind = HAND_GAME;
}

void hand_empty(struct at_hands *hands)
{
    if (hands)
        hands->now.kind = HAND_EMPTY;
}

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGFPE ||
           signal == SIGILL || signal == SIGTRAP;
}

bool hands_again(struct at_hands *hands, int signal)
{
    bool was_careful = hands->careful, any = hands->now.kind != HAND_EMPTY;
    if (!is_fault(signal) || (was_careful && !any))
        return false;
    hands->before = hands->now;
    hands->signal = any ? signal : 0;
    hands->careful = true;
    hand_empty(hands);
    return true;
}
