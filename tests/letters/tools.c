/* Mails show the commands of their reader's own tools, and no others. */
#include "house/house.h"

static struct house house;
static const char *const table[] = {"anna", "bob"};

static const char *const commands[] = {"ssh-keygen -Y sign -n orders@turnpost -f ~/.ssh/id_ed25519 ",
                                       "minisign -S -m ", "signify -S -s your.sec -m "};
#define COMMANDS (sizeof commands / sizeof *commands)

static void begin(void)
{
    house_open(&house);
    house_player(&house, "anna");
    house_player(&house, "bob");
}

static void end(void)
{
    house_close(&house);
}

/* Gives a player a key of this tool in place of theirs. */
static void set_tool(const char *player, enum key_kind kind)
{
    struct err err = ERR_INIT;
    struct pubkey key;
    secret_public(house_key(&house, player), &key);
    key.kind = kind;
    ck_ok(keyring_set(&house.batch.keyring, player, &key, 1, &err), err);
}

/* All mails to the player have the commands of these tools, for this file, and no others; `tools`: a bit
 * each. */
static void shows(const char *player, unsigned tools, const char *file)
{
    struct str mails;
    ck_assert_int_ge(house_mails(&house, player, &mails), 1);
    for (size_t i = 0; i < COMMANDS; i++) {
        char whole[120];
        (void)snprintf(whole, sizeof whole, "%s%s\n", commands[i], file);
        const char *wanted = tools & 1U << i ? whole : commands[i];
        if (!strstr(mails.p, wanted) == !!(tools & 1U << i))
            ck_abort_msg("%s: %s\n%s", player, wanted, mails.p);
    }
    str_release(&mails);
}

START_TEST(the_form_of_a_report)
{
    set_tool("bob", KEY_MINISIGN);
    house_game(&house, "gc-1", "galaxy-command", 86400, 2, table);
    shows("anna", 1, "orders.txt");
    shows("bob", 2, "orders.txt");
}
END_TEST

START_TEST(answers_to_plain_mails)
{
    set_tool("bob", KEY_SIGNIFY);
    (void)house_mail(&house, "anna", "vacation", "");
    shows("anna", 1, "text.txt");
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "vacation", "");
    shows("bob", 4, "text.txt");
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "hello", "my orders: bide\n");
    shows("bob", 4, "orders.txt");
    set_tool("bob", KEY_MINISIGN);
    house_empty_spool(&house);
    (void)house_mail(&house, "bob", "hello", "#turnpost orders\ngame: gc-1\nturn: 1\nbide\n#end\n");
    shows("bob", 2, "orders.txt");
}
END_TEST

/* A text that two keys sign, by the tools of both. */
START_TEST(a_new_key_of_another_tool)
{
    (void)house_mail(&house, "anna", "new key",
                     "untrusted comment: minisign public key CE0E265D85E12696\n"
                     "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3\n");
    shows("anna", 3, "text.txt");
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, the_form_of_a_report);
    tcase_add_test(tc, answers_to_plain_mails);
    tcase_add_test(tc, a_new_key_of_another_tool);
}

TEST_MAIN("letters/tools", cases)
