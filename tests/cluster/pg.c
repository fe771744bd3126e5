/* Ways to a database that are refused, and those that are not; whose fault an error is. */
#include "cluster/pg.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include "scratch.h"

static void check(const char *database, const char *words)
{
    const struct pg_way way = {.database = database, .schema = "turnpost"};
    struct err err = ERR_INIT;
    int rc = pg_check(&way, &err);
    if (!words)
        ck_assert_msg(rc == 0, "%s: %s", database, err.text);
    else {
        ck_assert_msg(rc != 0, "%s", database);
        ck_assert_int_eq(err.code, ERR_CONFIG);
        ck_assert_msg(strstr(err.text, words), "%s: %s", database, err.text);
        ck_assert_msg(!strstr(err.text, "geheim"), "%s", err.text);
    }
}

START_TEST(ways)
{
    check("host=/run/postgresql dbname=l", NULL);
    check("dbname=l", NULL);
    check("host=localhost,127.0.0.1 port=1,2 dbname=l", NULL);
    check("host=db.example.org dbname=l", NULL);
    check("host=db.example.org sslmode=verify-full dbname=l", NULL);
    check("postgresql://l@db.example.org/l?sslmode=verify-full", NULL);
    check("service=league", NULL);
    /* nobody turns the check of the certificate off by the way */
    check("host=db.example.org sslmode=disable dbname=l", "does not verify");
    check("host=db.example.org sslmode=require dbname=l", "does not verify");
    check("host=db.example.org sslmode=verify-ca dbname=l", "does not verify");
    check("host=localhost,db.example.org sslmode=prefer dbname=l", "does not verify");
    check("host=localhost hostaddr=192.0.2.1 sslmode=prefer dbname=l", "does not verify");
    check("service=league sslmode=allow", "does not verify");
    check("postgresql://l@db.example.org/l?sslmode=require", "does not verify");
    /* nor is a password where everybody may read it */
    check("host=db.example.org password=geheim dbname=l", "must not hold the password");
    check("postgresql://l:geheim@db.example.org/l", "must not hold the password");
    check("hosst=db.example.org", "hosst");
}
END_TEST

START_TEST(schemas)
{
    ck_assert(pg_schema_valid(slice_of("turnpost")));
    ck_assert(pg_schema_valid(slice_of("_l2")));
    ck_assert(!pg_schema_valid(slice_of("")));
    ck_assert(!pg_schema_valid(slice_of("2l")));
    ck_assert(!pg_schema_valid(slice_of("L")));
    ck_assert(!pg_schema_valid(slice_of("a;drop")));
    ck_assert(!pg_schema_valid(slice_of("a b")));
    ck_assert(!pg_schema_valid(slice_of("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")));
}
END_TEST

/* Each class of PostgreSQL's appendix A: who has to do something about it. */
START_TEST(whose_fault)
{
    static const struct {
        const char *states;
        enum pg_fate fate;
        enum err_code code;
    } rows[] = {
        {"40001 40P01 55P03 57014", PG_AGAIN, ERR_TEMP},
        {"40003 57P01 57P02 57P03 08000 08006", PG_LOST, ERR_TEMP},
        {"23502 23505 23P01", PG_REFUSED, ERR_TEMP},
        {"42501 42601 42704 42939 42P01 28000 28P01 3D000 3F000 0A000 F0000", PG_FAILED, ERR_CONFIG},
        {"XX001 XX002", PG_FAILED, ERR_BROKEN},
        {"25006 53000 53100 53200 53300 54000 55000 55006 58030 22003 22P02 XX000 P0001 72000", PG_FAILED,
         ERR_TEMP},
    };
    enum err_code code;
    const char *advice;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct slice rest = slice_of(rows[i].states), word;
        while (slice_word(&rest, &word)) {
            char *state = slice_dup(word);
            enum pg_fate fate = pg_judge(state, &code, &advice);
            ck_assert_msg(fate == rows[i].fate && code == rows[i].code, "%s: %d %d", state, fate, code);
            ck_assert_msg((advice != NULL) == (code != ERR_TEMP), "%s", state);
            free(state);
        }
    }
    ck_assert(pg_judge(NULL, &code, &advice) == PG_FAILED && code == ERR_TEMP);
}
END_TEST

/* A server that lets nobody in, and gives this SQLSTATE and these words for it, as often as it is asked; its process. */
static pid_t refusing(const char *dir, const char *state, const char *words)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int n = snprintf(at.sun_path, sizeof at.sun_path, "%s/.s.PGSQL.5432", dir);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert(n < (int)sizeof at.sun_path && listener >= 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&at, sizeof at), 0);
    ck_assert_int_eq(listen(listener, 4), 0);
    pid_t server = fork();
    if (server == 0)
        for (;;) {
            char asked[1024], answer[512] = {'E', 0, 0, 0};
            int client = accept(listener, NULL, NULL);
            int len = 5 + snprintf(answer + 5, sizeof answer - 5, "S%s%cVFATAL%cC%s%cM%s%c", words, 0, 0,
                                   state, 0, words, 0);
            answer[3] = (char)(len >> 8);
            answer[4] = (char)(len & 255); /* with the NUL at the end, without the letter */
            if (client < 0 || read(client, asked, sizeof asked) <= 0 ||
                write(client, answer, (size_t)len + 1) != len + 1)
                _exit(1);
            (void)close(client);
        }
    (void)close(listener);
    return server;
}

/* Whatever the language of the server's words, and whatever they are about. */
START_TEST(not_let_in)
{
    static const struct {
        const char *state, *words;
        enum err_code code;
    } rows[] = {
        {"28P01", "\xd0\x92\xd0\x90\xd0\x96\xd0\x9d\xd0\x9e", ERR_CONFIG},
        {"28000", "kein Eintrag", ERR_CONFIG},
        {"3D000", "Datenbank \u00bbliga\u00ab existiert nicht", ERR_CONFIG},
        {"42501", "keine Berechtigung", ERR_CONFIG},
        {"57P03", "the database that is called password does not exist yet; no authentication", ERR_TEMP},
        {"53300", "zu viele Verbindungen: 28P01", ERR_TEMP},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char dir[SCRATCH_PATH], way[128];
        struct err err = ERR_INIT;
        struct pg *pg;
        scratch_make(dir, "pg");
        pid_t server = refusing(dir, rows[i].state, rows[i].words);
        (void)snprintf(way, sizeof way, "host=%s port=5432 dbname=league user=league", dir);
        ck_assert(pg_open(&(struct pg_way){.database = way, .schema = "t"}, &pg, &err) != 0);
        ck_assert_msg(err.code == rows[i].code, "%s: %d, %s", rows[i].state, err.code, err.text);
        ck_assert_msg(strstr(err.text, rows[i].words) && !strstr(err.text, "LOCATION"), "%s", err.text);
        (void)kill(server, SIGKILL);
        (void)waitpid(server, NULL, 0);
        scratch_remove(dir);
    }
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_test(tc, not_let_in);
    tcase_add_test(tc, whose_fault);
    tcase_add_test(tc, ways);
    tcase_add_test(tc, schemas);
}
TEST_MAIN("cluster/pg", cases)
