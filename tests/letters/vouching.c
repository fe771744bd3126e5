/* Which domains are asked for their keys, and who is charged for it. The name server here knows no name. */
#include "house/domain.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "dns/resolver.h"
#include "letters/vouching.h"

#define NOW 1795435200 /* 2026-11-23 */

static struct league league;
static struct domain domain;

/* ---- a name server: "there is no such name" ---- */

static pthread_t server;
static int server_socket;

static void *serve(void *arg)
{
    unsigned char packet[1500];
    struct sockaddr_in from;
    for (;;) {
        socklen_t size = sizeof from;
        ssize_t len = recvfrom(server_socket, packet, sizeof packet, 0, (struct sockaddr *)&from, &size);
        if (len < 12)
            return arg; /* the socket is shut */
        size_t end = 12;
        while (end + 5 < (size_t)len && packet[end])
            end += packet[end] + 1U;
        packet[2] = 0x81; /* an answer, recursion desired */
        packet[3] = 0x83; /* and available; NXDOMAIN */
        memset(packet + 6, 0, 6);
        (void)sendto(server_socket, packet, end + 5, 0, (struct sockaddr *)&from, size);
    }
}

/* Gives its address as unbound has it. */
static void serve_begin(char way[32])
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof here;
    server_socket = socket(AF_INET, SOCK_DGRAM, 0);
    ck_assert_int_eq(bind(server_socket, (struct sockaddr *)&here, size), 0);
    ck_assert_int_eq(getsockname(server_socket, (struct sockaddr *)&here, &size), 0);
    (void)snprintf(way, 32, "127.0.0.1@%d", ntohs(here.sin_port));
    ck_assert_int_eq(pthread_create(&server, NULL, serve, NULL), 0);
}

static void serve_end(void)
{
    (void)shutdown(server_socket, SHUT_RDWR);
    (void)pthread_join(server, NULL);
    (void)close(server_socket);
}

/* ---- mails ---- */

static enum vouching_state vouch(const char *from, bool *unasked)
{
    struct str mail = STR_INIT;
    domain_letter(
        &domain,
        &(struct domain_letter){"anna", from, "orders@game.test", "Re: gc-1", NOW, "bide\r\n", NULL, NOW},
        &mail);
    struct vouching *vouching = vouching_make(&league, slice_str(&mail), NOW, &(struct work)WORK_INIT);
    enum vouching_state state = vouching->state;
    *unasked = vouching->unasked;
    vouching_free(vouching);
    str_release(&mail);
    return state;
}

static bool is_charged_out(const char *name, const char *whom)
{
    struct dns_answer answer = DNS_ANSWER_INIT;
    resolver_text(league.resolver, name, whom, clock_system(), &answer);
    bool out = answer.found == DNS_LATER;
    ck_assert_str_eq(answer.why, out ? "too many questions" : "");
    dns_answer_release(&answer);
    return out;
}

static void begin(void)
{
    struct err err = ERR_INIT;
    char way[32];
    serve_begin(way);
    league = (struct league){.resolver = NULL};
    league.config.league.address = mem_strdup("orders@game.test");
    league.config.league.own_domains = mem_strdup("");
    league.config.league.shared_domains = mem_strdup("gmail.com");
    ck_assert_int_eq(resolver_open(&(struct dns_way){way, "", 30}, &league.resolver, &err), 0);
    domain_open(&domain, 1);
}

static void end(void)
{
    domain_close(&domain);
    resolver_close(league.resolver);
    free(league.config.league.address);
    free(league.config.league.own_domains);
    free(league.config.league.shared_domains);
    serve_end();
}

START_TEST(names_below_one_are_charged_as_one)
{
    for (int i = 0; i < DNS_DOMAIN; i++) {
        char name[40];
        bool unasked;
        (void)snprintf(name, sizeof name, "n%d.club.test", i);
        ck_assert_int_eq(vouch(name, &unasked), VOUCHING_REFUSED);
    }
    ck_assert(is_charged_out("mail._domainkey.club.test", "club.test"));
    ck_assert(!is_charged_out("mail._domainkey.other.test", "other.test"));
}
END_TEST

START_TEST(domains_of_players_are_charged_for_themselves)
{
    static const char *const players[] = {"own.club.test"};
    bool unasked;
    resolver_welcome(league.resolver, players, 1);
    for (int i = 0; i < DNS_DOMAIN; i++) {
        char name[60];
        (void)snprintf(name, sizeof name, "n%d._domainkey.club.test", i);
        (void)is_charged_out(name, "club.test");
    }
    ck_assert(is_charged_out("mail._domainkey.club.test", "club.test"));
    ck_assert_int_eq(vouch("own.club.test", &unasked), VOUCHING_REFUSED);
    ck_assert(!is_charged_out("other._domainkey.own.club.test", "own.club.test"));
}
END_TEST

/* A league at a provider of everybody's refuses none of that provider's players: only its own mailbox is the operator's. */
START_TEST(a_shared_domain_is_not_the_league_s_own)
{
    static const struct {
        const char *local, *domain;
        bool own;
    } rows[] = {{"orion.league", "gmail.com", true},  {"OrionLeague+anna", "gmail.com", true},
                {"orion", "gmail.com", false},        {"anna", "gmail.com", false},
                {"orion.league", "game.test", false}, {"anna", "mine.test", true}};
    struct league at_gmail = {.resolver = NULL};
    at_gmail.config.league.address = mem_strdup("Orion.League@gmail.com");
    at_gmail.config.league.own_domains = mem_strdup("mine.test");
    at_gmail.config.league.shared_domains = mem_strdup("web.de gmail.com");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        ck_assert_msg(vouching_own(&at_gmail, rows[i].local, rows[i].domain) == rows[i].own, "%s@%s",
                      rows[i].local, rows[i].domain);
    ck_assert(vouching_own(&league, "anna", "game.test"));
    free(at_gmail.config.league.address);
    free(at_gmail.config.league.own_domains);
    free(at_gmail.config.league.shared_domains);
}
END_TEST

/* An earlier process has waited for strangers' name servers until now: theirs are not asked, players' are. */
START_TEST(no_time_is_left_for_strangers)
{
    static const char *const players[] = {"own.club.test"};
    struct err err = ERR_INIT;
    struct str before = STR_INIT;
    bool unasked;
    str_addf(&before,
             "{\"all\":0,\"asked\":{},\"names\":[],\"others\":[-999999,%lld],\"players\":[9,0],\"window\":0}",
             (long long)clock_system());
    resolver_welcome(league.resolver, players, 1);
    ck_ok(resolver_read(league.resolver, slice_str(&before), &err), err);
    for (int i = 0; i < 2 * DNS_DOMAIN; i++) {
        ck_assert_int_eq(vouch("club.test", &unasked), VOUCHING_LATER);
        ck_assert(unasked);
    }
    ck_assert_int_eq(vouch("own.club.test", &unasked), VOUCHING_REFUSED);
    ck_assert(!unasked);
    str_release(&before);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, names_below_one_are_charged_as_one);
    tcase_add_test(tc, domains_of_players_are_charged_for_themselves);
    tcase_add_test(tc, a_shared_domain_is_not_the_league_s_own);
    tcase_add_test(tc, no_time_is_left_for_strangers);
}
TEST_MAIN("letters/vouching", cases)
