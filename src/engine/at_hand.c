#include "engine/at_hand.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "mail/message.h"

void hand_mail(struct at_hands *hands, enum at_hand_thread thread, struct slice raw)
{
    if (!hands)
        return;
    message_digest(hands->now[thread].digest, raw);
    hands->now[thread].kind = HAND_MAIL;
}

void hand_game(struct at_hands *hands, const char *game)
{
    if (!hands)
        return;
    (void)snprintf(hands->now[HAND_WORK].game, GAME_NAME, "%s", game);
    hands->now[HAND_WORK].kind = HAND_GAME;
}

void hand_empty(struct at_hands *hands, enum at_hand_thread thread)
{
    if (hands)
        hands->now[thread].kind = HAND_EMPTY;
}

static bool is_fault(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGFPE || signal == SIGILL;
}

bool hands_suspect(struct at_hands *hands, int signal)
{
    bool any = false;
    for (int i = 0; i < HANDS; i++)
        any |= hands->now[i].kind != HAND_EMPTY;
    memcpy(hands->before, hands->now, sizeof hands->before);
    memset(hands->now, 0, sizeof hands->now);
    bool again = is_fault(signal) && (any || !hands->careful);
    hands->signal = any && again ? signal : 0;
    hands->careful = !any;
    return again;
}
