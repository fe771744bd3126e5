/* A resolver whose thread ends at once is said to be one, and nobody waits for it. */
#include "dns/resolver.h"

#include <string.h>
#include <time.h>

#include "suite.h"

/* libevent's, in whose place libunbound finds this one: it watches nothing. */
struct event;
__attribute__((visibility("default"))) int event_add(struct event *event, const struct timeval *most);
int event_add(struct event *event, const struct timeval *most)
{
    (void)event;
    (void)most;
    return -1;
}

#if SANITIZED
void __lsan_disable(void);
static void leave_alone(void)
{
    __lsan_disable();
}
#else
static void leave_alone(void)
{
}
#endif

START_TEST(a_dead_thread_is_said)
{
    struct resolver *resolver;
    struct err err = ERR_INIT;
    time_t began = time(NULL);
    leave_alone(); /* what it leaves behind is lost, and has to be */
    ck_assert_int_eq(resolver_open(&(struct dns_way){"127.0.0.1@1", "", 1}, &resolver, &err), -1);
    ck_assert_int_eq(err.code, ERR_TEMP);
    ck_assert_ptr_nonnull(strstr(err.text, "does not start"));
    ck_assert_int_lt(time(NULL) - began, 9);
    resolver_close(resolver);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, a_dead_thread_is_said);
}
TEST_MAIN_ALONE("dns/dead", cases)
