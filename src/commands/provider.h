/* What is known of the large mail providers: their limits and how they let programs in. Facts of the world,
 * which change: all of them stand in one table, each row with the month in which it was checked. */
#ifndef COMMANDS_PROVIDER_H
#define COMMANDS_PROVIDER_H

enum provider_passwords {
    PASSWORDS_FINE,
    PASSWORDS_END, /* they will be refused from some day on */
    PASSWORDS_NOT  /* only tokens are taken */
};
struct provider {
    const char *name;
    const char *hosts[5]; /* ends of the names of its servers; ends with NULL */
    const char *greets;   /* a word of its greeting, for servers that run anywhere; NULL = none */
    int sends_a_day;      /* mails from one mailbox; 0 = not known, or it does not say */
    const char *limits;   /* in words, for people */
    enum provider_passwords passwords;
    const char *login;   /* how programs log in, and what changes when; "" = as usual */
    const char *checked; /* "2026-11" */
};

/* Whose server it is, by its name or, where that says nothing, by its greeting ("" = not known). NULL: nobody's
 * that we know. */
const struct provider *provider_of(const char *host, const char *greeting);

#endif
