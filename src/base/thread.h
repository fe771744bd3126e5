/* Threads of a daemon: only the main thread gets signals. */
#ifndef BASE_THREAD_H
#define BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* Begins a thread in which all signals are blocked. False when there can be none. */
bool thread_begin(pthread_t *thread, void *(*run)(void *arg), void *arg) __attribute__((warn_unused_result));

#endif
