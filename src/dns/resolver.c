#include "dns/resolver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "dns/memory.h"
#include "dns/network.h"

struct resolver {
    struct network *network;
    pthread_mutex_t lock; /* of all that follows, and of asking */
    struct dns_memory memory;
    int seconds;
    bool begun; /* resolver_read was called */
    bool asked; /* since resolver_write */
};

void resolver_close(struct resolver *resolver)
{
    if (!resolver)
        return;
    network_close(resolver->network);
    pthread_mutex_destroy(&resolver->lock);
    memory_release(&resolver->memory);
    free(resolver);
}

int resolver_open(const struct dns_way *way, struct resolver **resolver, struct err *err)
{
    struct network *network = NULL;
    *resolver = NULL;
    if (network_open(way, &network, err))
        return -1;
    struct resolver *made = mem_alloc(sizeof *made);
    *made = (struct resolver){.network = network, .seconds = way->seconds};
    pthread_mutex_init(&made->lock, NULL);
    *resolver = made;
    return 0;
}

static void ask_anew(struct resolver *resolver, const struct dns_question *question, bool counts,
                     struct dns_answer *answer)
{
    int64_t most = (int64_t)resolver->seconds * 1000, began = clock_milliseconds();
    int64_t left = counts ? memory_charge(&resolver->memory, question) : most;
    if (!left) {
        (void)snprintf(answer->why, sizeof answer->why, "too many questions");
        answer->unasked = true;
        return;
    }
    int64_t ttl = network_ask(resolver->network, question->name, left < most ? left : most, answer);
    if (counts)
        memory_waited(&resolver->memory, question, clock_milliseconds() - began);
    memory_keep(&resolver->memory, question, ttl, answer);
    resolver->asked = true;
}

void resolver_text(struct resolver *resolver, const char *name, const char *domain, int64_t now,
                   struct dns_answer *answer)
{
    dns_answer_release(answer);
    if (strlen(name) > DNS_NAME_MAX) {
        answer->found = DNS_NONE;
        return;
    }
    const struct dns_question question = {name, domain ? domain : name, now};
    pthread_mutex_lock(&resolver->lock);
    if (!memory_recall(&resolver->memory, name, now, answer))
        ask_anew(resolver, &question, domain != NULL, answer);
    pthread_mutex_unlock(&resolver->lock);
}

void resolver_welcome(struct resolver *resolver, const char *const *domains, size_t count)
{
    pthread_mutex_lock(&resolver->lock);
    memory_welcome(&resolver->memory, domains, count);
    pthread_mutex_unlock(&resolver->lock);
}

bool resolver_is_welcome(struct resolver *resolver, const char *domain)
{
    pthread_mutex_lock(&resolver->lock);
    bool welcome = memory_is_welcome(&resolver->memory, domain);
    pthread_mutex_unlock(&resolver->lock);
    return welcome;
}

bool resolver_write(struct resolver *resolver, struct str *out)
{
    pthread_mutex_lock(&resolver->lock);
    bool asked = resolver->asked;
    if (asked)
        memory_write(&resolver->memory, out);
    resolver->asked = false;
    pthread_mutex_unlock(&resolver->lock);
    return asked;
}

int resolver_read(struct resolver *resolver, struct slice text, struct err *err)
{
    pthread_mutex_lock(&resolver->lock);
    int rc = resolver->begun || !text.len ? 0 : memory_read(&resolver->memory, text, err);
    resolver->begun = true;
    pthread_mutex_unlock(&resolver->lock);
    return rc;
}

void resolver_tell(struct resolver *resolver, const char *name, const char *text, int64_t now)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    const struct dns_question question = {name, name, now};
    answer.found = DNS_FOUND;
    answer.secure = false;
    str_adds(&answer.text, text);
    pthread_mutex_lock(&resolver->lock);
    memory_keep(&resolver->memory, &question, DNS_MOST, &answer);
    pthread_mutex_unlock(&resolver->lock);
    dns_answer_release(&answer);
}
