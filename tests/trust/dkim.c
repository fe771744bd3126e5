/* Believing a mail's domain: the samples of the RFCs, and self-made mails for every refusal. Agreement with
 * another program is in tests/dkim/. */
#include "trust/dkim.h"

#include <string.h>
#include <time.h>

#include "suite.h"

#include "base/encode.h"
#include "base/reason.h"
#include "trust/dkim_parts.h"

#define ARRIVED 1795000000

/* ---- what is seen of a mail ---- */

static const char *code_of(json_t *refusal)
{
    return refusal ? json_object_iter_key(json_object_iter(refusal)) : "none";
}

/* "" when some claim of the mail holds with this record, else the last reason. */
static const char *judge(struct slice raw, const char *record, int64_t arrived, struct dkim_claim *good)
{
    static char code[40];
    static struct dkim_claims claims;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    struct dkim_key key;
    if (dkim_read(raw, arrived, &work, &claims, &refusal) == OUTCOME_DONE)
        for (size_t i = 0; i < claims.count; i++) {
            reason_clear(&refusal);
            if (dkim_key_read(slice_of(record), &key, &refusal) == OUTCOME_DONE &&
                dkim_holds(&claims.list[i], &key, &refusal) == OUTCOME_DONE) {
                *good = claims.list[i];
                break;
            }
        }
    (void)snprintf(code, sizeof code, "%s", refusal ? code_of(refusal) : "");
    reason_clear(&refusal);
    return code;
}

/* ---- the samples of RFC 8463 (appendix A.3) and RFC 6376 (appendix A.2) ---- */

#define JOE                                                                                    \
    "From: Joe SixPack <joe@football.example.com>\nTo: Suzie Q <suzie@shopping.example.net>\n" \
    "Subject: Is dinner ready?\nDate: Fri, 11 Jul 2003 21:00:37 -0700 (PDT)\n"                 \
    "Message-ID: <20030712040037.46341.5F8J@football.example.com>\n\nHi.\n\n"                  \
    "We lost the game.  Are you hungry yet?\n\nJoe.\n"
static const char sample_8463[] =
    "DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed;\n d=football.example.com; "
    "i=@football.example.com;\n"
    " q=dns/txt; s=brisbane; t=1528637909; h=from : to :\n subject : date : message-id : from : subject : "
    "date;\n"
    " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    " b=/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11Bus\n Fa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw==\n"
    "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed;\n d=football.example.com; "
    "i=@football.example.com;\n"
    " q=dns/txt; s=test; t=1528637909; h=from : to : subject :\n date : message-id : from : subject : date;\n"
    " bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    " b=F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3\n"
    " DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOsk2Jz\n"
    " dA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8=\n" JOE;
static const char sample_6376[] =
    "DKIM-Signature: v=1; a=rsa-sha256; s=brisbane; d=example.com;\n      c=simple/simple; q=dns/txt; "
    "i=joe@football.example.com;\n      h=Received : From : To : Subject : Date : Message-ID;\n"
    "      bh=2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8=;\n"
    "      b=AuUoFEfDxTDkHlLXSZEpZj79LICEps6eda7W3deTVFOk4yAUoqOB\n"
    "      4nujc7YopdG5dWLSdNg6xNAZpOPr+kHxt1IrE+NahM6L/LbvaHut\n"
    "      KVdkLLkpVaVVQPzeRDI009SO2Il5Lu7rDNH6mZckBdrIx0orEtZV\n      4bmp/YzhwvcubU4=;\n"
    "Received: from client1.football.example.com  [192.0.2.1]\n      by submitserver.example.com with "
    "SUBMISSION;\n"
    "      Fri, 11 Jul 2003 21:01:54 -0700 (PDT)\n" JOE;
#define BRISBANE "v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo="
#define RSA_1024                                                                                           \
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/J16JYi0Qvx" \
    "/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTI" \
    "KT+l/K4w3QI"

START_TEST(sample_of_rfc_8463)
{
    struct dkim_claims claims;
    struct work work = WORK_INIT;
    json_t *refusal = NULL;
    struct dkim_key key;
    char name[DKIM_KEY_NAME], hex[2 * DKIM_DIGEST + 1];
    ck_assert_int_eq(dkim_read(slice_of(sample_8463), ARRIVED, &work, &claims, &refusal), OUTCOME_DONE);
    ck_assert_uint_eq(claims.count, 2);
    const struct dkim_claim *first = &claims.list[0], *second = &claims.list[1];
    ck_assert_int_eq(dkim_key_read(slice_of(BRISBANE), &key, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_holds(first, &key, &refusal), OUTCOME_DONE);
    ck_assert_int_eq(dkim_holds(second, &key, &refusal), OUTCOME_REFUSED);
    ck_assert_str_eq(code_of(refusal), "dkim_key");
    reason_clear(&refusal);
    hex_to(hex, key.digest, sizeof key.digest);
    ck_assert_str_eq(hex, "21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9");
    ck_assert_int_eq(dkim_key_read(slice_of("v=DKIM1; k=rsa; p=" RSA_1024 "DAQAB"), &key, &refusal),
                     OUTCOME_DONE);
    ck_assert_int_eq(dkim_holds(second, &key, &refusal), OUTCOME_DONE);
    dkim_key_name(name, second);
    ck_assert_str_eq(name, "test._domainkey.football.example.com");
    ck_assert_str_eq(first->from.local, "joe");
    ck_assert_str_eq(first->from.domain, "football.example.com");
    ck_assert_str_eq(first->names, "from:to:subject:date:message-id:from:subject:date");
    ck_assert_uint_eq(first->open, DKIM_OPEN_TYPE | DKIM_OPEN_ENCODING | DKIM_OPEN_REPLY_TO);
    ck_assert_int_eq(first->made, 1528637909);
    ck_assert_int_eq(first->expires, -1);
    ck_assert(!first->below);
    /* Two signatures of one content. */
    ck_assert_mem_eq(first->content, second->content, DKIM_DIGEST);
    ck_assert_mem_ne(first->hash, second->hash, DKIM_DIGEST);
}
END_TEST

START_TEST(line_ends_do_not_count)
{
    struct dkim_claim claim;
    struct str crlf = STR_INIT;
    for (const char *p = sample_8463; *p; p++)
        str_adds(&crlf, *p == '\n' ? "\r\n" : (char[]){*p, '\0'});
    ck_assert_str_eq(judge(slice_str(&crlf), BRISBANE, ARRIVED, &claim), "");
    str_release(&crlf);
}
END_TEST

/* Each byte of it but what RFC 6376 leaves out. */
START_TEST(any_changed_byte_is_found)
{
    struct dkim_claim claim;
    struct str mail = STR_INIT;
    size_t kept = 0;
    str_adds(&mail, sample_8463);
    size_t end = slice_find(slice_str(&mail), "DKIM-Signature: v=1; a=rsa");
    for (size_t i = 0; i < mail.len; i++) {
        if (i == end)
            i = slice_find(slice_str(&mail), "From: Joe");
        mail.p[i] ^= 1;
        kept += *judge(slice_str(&mail), BRISBANE, ARRIVED, &claim) == '\0';
        mail.p[i] ^= 1;
    }
    ck_assert_uint_eq(kept, 0);
    str_release(&mail);
}
END_TEST

START_TEST(sample_of_rfc_6376_is_of_another_domain)
{
    struct dkim_claim claim;
    ck_assert_str_eq(judge(slice_of(sample_6376), BRISBANE, ARRIVED, &claim), "dkim_foreign");
}
END_TEST

/* RFC 6376 sections 3.4.3 to 3.4.5. */
START_TEST(canonical_forms)
{
    static const struct dkim_field fields[] = {{{"A", 1}, {" X", 2}}, {{"B", 1}, {" Y\t\r\n\tZ  ", 9}}};
    static const struct {
        const char *body, *simple, *relaxed;
    } bodies[] = {
        {" C \r\nD \t E\r\n\r\n\r\n", " C \r\nD \t E\r\n", " C\r\nD E\r\n"},
        {"", "\r\n", ""},
        {"\r\n\r\n", "\r\n", ""},
        {" \r\n\t\r\n", " \r\n\t\r\n", ""},
        {"a", "a\r\n", "a\r\n"},
        {"a \n\n b\t\tc\n", "a \r\n\r\n b\t\tc\r\n", "a\r\n\r\n b c\r\n"},
    };
    struct str out = STR_INIT;
    for (size_t i = 0; i < 2; i++)
        dkim_canon_field(&out, &fields[i], false);
    ck_assert_str_eq(out.p, "A: X\r\nB: Y\t\r\n\tZ  \r\n");
    str_clear(&out);
    for (size_t i = 0; i < 2; i++)
        dkim_canon_field(&out, &fields[i], true);
    ck_assert_str_eq(out.p, "a:X\r\nb:Y Z\r\n");
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        for (int relaxed = 0; relaxed < 2; relaxed++) {
            str_clear(&out);
            dkim_canon_body(&out, slice_of(bodies[i].body), relaxed);
            ck_assert_str_eq(out.p, relaxed ? bodies[i].relaxed : bodies[i].simple);
        }
    str_release(&out);
}
END_TEST

/* ---- self-made mails ---- */

#define FROM  "From: Anna <anna@example.org>\r\n"
#define DATE  "Date: Mon, 23 Nov 2026 10:00:00 +0000\r\n"
#define ABOUT "Subject: Re: gc-1\r\n"
#define HEAD  FROM DATE ABOUT "To: orders@game.test\r\nContent-Type: text/plain\r\n"
#define NAMES "from:date:subject"
#define TAGS  "v=1; a=ed25519-sha256; d=example.org; s=mail"

static unsigned char secret[crypto_sign_SECRETKEYBYTES];
static char record[100]; /* "k=ed25519; p=..." */

static void make_key(void)
{
    unsigned char public[crypto_sign_PUBLICKEYBYTES], seed[crypto_sign_SEEDBYTES] = {8, 4, 6, 3};
    struct str text = STR_INIT;
    crypto_sign_seed_keypair(public, secret, seed);
    str_adds(&text, "k=ed25519; p=");
    base64_encode(&text, public, sizeof public);
    (void)snprintf(record, sizeof record, "%s", text.p);
    str_release(&text);
}

/* What is signed, and what becomes of it on its way. NULL: as in an ordinary mail. */
struct sample {
    const char *what, *code; /* "" = it is believed */
    const char *tags, *names, *header;
    const char *key;           /* the record, beside p= */
    const char *above, *below; /* fields that somebody adds to the header */
    const char *body;
};

/* The lowest field of the name that the list has not had yet, as signers do it. */
static void add_signed(struct str *out, const struct dkim_mail *mail, const char *names, bool relaxed)
{
    bool used[DKIM_FIELDS] = {false};
    struct slice rest = slice_of(names), item;
    while (dkim_list_next(&rest, &item))
        for (size_t i = mail->count; i-- > 0;) {
            struct slice name = mail->fields[i].name;
            if (used[i] || name.len != item.len || strncasecmp(name.p, item.p, name.len) != 0)
                continue;
            used[i] = true;
            dkim_canon_field(out, &mail->fields[i], relaxed);
            break;
        }
}

/* The field DKIM-Signature, as simple as relaxed: with one space after the colon and none else in a row. */
static void sign(struct str *out, const struct sample *s, struct slice mail)
{
    struct dkim_mail parts;
    struct str field = STR_INIT, text = STR_INIT;
    unsigned char hash[32], sig[crypto_sign_BYTES];
    json_t *refusal = NULL;
    const char *tags = s->tags ? s->tags : TAGS, *names = s->names ? s->names : NAMES;
    const char *way = strstr(tags, "c=");
    bool relaxed = way && strncasecmp(way, "c=relaxed", 9) == 0, body = way && strstr(tags, "/relaxed");
    ck_assert(dkim_mail_split(mail, &parts, &refusal));
    dkim_canon_body(&text, parts.body, body);
    crypto_hash_sha256(hash, (const unsigned char *)text.p, text.len);
    str_addf(&field, " %s; h=%s; bh=", tags, names);
    base64_encode(&field, hash, sizeof hash);
    str_adds(&field, "; b=");
    str_clear(&text);
    add_signed(&text, &parts, names, relaxed);
    dkim_canon_field(&text, &(struct dkim_field){slice_of("DKIM-Signature"), slice_str(&field)}, relaxed);
    crypto_hash_sha256(hash, (const unsigned char *)text.p, text.len - 2);
    crypto_sign_detached(sig, NULL, hash, sizeof hash, secret);
    base64_encode(&field, sig, sizeof sig);
    str_addf(out, "DKIM-Signature:%s\r\n", field.p);
    dkim_mail_release(&parts);
    str_release(&field);
    str_release(&text);
}

static void make(struct str *out, const struct sample *s)
{
    struct str mail = STR_INIT;
    const char *header = s->header ? s->header : HEAD;
    str_addf(&mail, "%s\r\n%s", header, s->body ? s->body : "explore near\r\n");
    str_clear(out);
    str_adds(out, s->above ? s->above : "");
    sign(out, s, slice_str(&mail));
    str_addf(out, "%s%s\r\n%s", header, s->below ? s->below : "", s->body ? s->body : "explore near\r\n");
    str_release(&mail);
}

static const struct sample samples[] = {
    {"an ordinary mail", "", .names = NULL},
    {"relaxed", "", .tags = TAGS "; c=relaxed/relaxed"},
    {"relaxed header alone", "", .tags = TAGS "; c=relaxed"},
    {"a trace on top", "", .above = "Received: from a by b;\r\n\tMon, 23 Nov 2026 10:00:01 +0000\r\n"},
    {"names that are not there", "", .names = NAMES ":x-none:subject:from"},
    {"capitals", "", .tags = "v=1; a=ed25519-sha256; d=Example.ORG; s=Mail", .names = "From:DATE:Subject"},
    {"words in capitals", "",
     .tags = "v=1; a=ED25519-SHA256; d=example.org; s=mail; c=Relaxed/SIMPLE; q=DNS/TXT",
     .names = "FROM:Date:SUBJECT", .key = "v=DKIM1; h=SHA1 : Sha256; s=EMAIL; "},
    {"a name with a comma in quotes", "",
     .header = "From: \"Anna, the (first\" (or <second>) <anna@EXAMPLE.org> (really)\r\n" DATE ABOUT},
    {"an address alone", "", .header = "From:\r\n anna@example.org\r\n" DATE ABOUT},
    {"From's own Sender", "", .header = HEAD "Sender: anna@Example.org\r\n"},
    {"i= below", "", .tags = TAGS "; i=anna@mail.example.org"},
    {"i= of d=", "", .tags = TAGS "; i=@example.org", .key = "t=s; "},
    {"all times", "", .tags = TAGS "; t=1794999000; x=1795000000"},
    {"unknown tags", "", .tags = TAGS "; z=From:a|Date:b; zz=1", .key = "v=DKIM1; n=a note; zz=1; t=x; "},
    {"a key for mail by SHA-256", "", .key = "v=DKIM1; h=sha1 : sha256; s=tlsrpt : email; "},
    /* the mail */
    {"two From", "dkim_from", .names = "from:date:subject", .below = "From: bob@example.org\r\n"},
    {"a From on top", "dkim_from", .above = "From: bob@example.org\r\n"},
    {"a From with two addresses", "dkim_from",
     .header = "From: anna@example.org, b@example.org\r\n" DATE ABOUT},
    {"a group", "dkim_from", .header = "From: us: anna@example.org;\r\n" DATE ABOUT},
    {"an address as a name", "dkim_from",
     .header = "From: bob@example.org <anna@example.org>\r\n" DATE ABOUT},
    {"two in brackets", "dkim_from", .header = "From: <b@example.org> <anna@example.org>\r\n" DATE ABOUT},
    {"a comment without an end", "dkim_from", .header = "From: anna@example.org (a (b)\r\n" DATE ABOUT},
    {"a quote without an end", "dkim_from", .header = "From: \"Anna <anna@example.org>\r\n" DATE ABOUT},
    {"a quoted local part", "dkim_from", .header = "From: \"a b\"@example.org\r\n" DATE ABOUT},
    {"dots", "dkim_from", .header = "From: a..b@example.org\r\n" DATE ABOUT},
    {"no From", "dkim_from", .header = DATE ABOUT},
    {"a foreign Sender", "dkim_sender", .below = "Sender: anna@mail.example.org\r\n"},
    {"a Sender of another name", "dkim_sender", .below = "Sender: Anna@example.org\r\n"},
    {"a second Subject", "dkim_twice", .above = "Subject: resign\r\n"},
    {"a second Date", "dkim_twice", .above = DATE},
    {"a second To", "dkim_twice", .below = "to: orders@game.test\r\n"},
    {"a second Content-Type", "dkim_twice", .below = "Content-Type: text/html\r\n"},
    {"a second Reply-To", "dkim_twice", .below = "Reply-To: a@b\r\nReply-To: c@d\r\n"},
    {"a second encoding", "dkim_twice",
     .below = "Content-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64\r\n"},
    {"a line that is no field", "dkim_header", .below = "what\r\n"},
    {"a mailbox file's line", "dkim_header", .above = "From anna Mon Nov 23 10:00:00 2026\r\n"},
    {"a space in front of the colon", "dkim_header", .below = "Subject : resign\r\n"},
    {"a fold on top", "dkim_header", .above = " a: b\r\n"},
    {"CR alone", "dkim_bytes", .below = "X-A: a\rFrom: b@example.org\r\n"},
    {"CR CR LF", "dkim_bytes", .below = "X-A: a\r\r\n"},
    /* the signature */
    {"another domain", "dkim_foreign", .tags = "v=1; a=ed25519-sha256; d=example.com; s=mail"},
    {"a domain above", "dkim_foreign", .tags = "v=1; a=ed25519-sha256; d=org; s=mail"},
    {"a domain below", "dkim_foreign", .tags = "v=1; a=ed25519-sha256; d=mail.example.org; s=mail"},
    {"no domain", "dkim_damaged", .tags = "v=1; a=ed25519-sha256; s=mail"},
    {"a domain with a dot at its end", "dkim_damaged",
     .tags = "v=1; a=ed25519-sha256; d=example.org.; s=mail"},
    {"a tag twice", "dkim_damaged", .tags = TAGS "; d=example.org"},
    {"no equals sign", "dkim_damaged", .tags = TAGS "; d"},
    {"bytes that are not ASCII", "dkim_damaged", .tags = TAGS "; n=\xC3\xA4"},
    {"no version", "dkim_tag", .tags = "a=ed25519-sha256; d=example.org; s=mail"},
    {"version 2", "dkim_tag", .tags = "v=2; a=ed25519-sha256; d=example.org; s=mail"},
    {"no selector", "dkim_tag", .tags = "v=1; a=ed25519-sha256; d=example.org"},
    {"a selector of nothing", "dkim_tag", .tags = "v=1; a=ed25519-sha256; d=example.org; s=a..b"},
    {"tags in capitals", "dkim_tag", .tags = "V=1; a=ed25519-sha256; d=example.org; s=mail"},
    {"an unknown algorithm", "dkim_tag", .tags = "v=1; a=rsa-sha512; d=example.org; s=mail"},
    {"another way to ask", "dkim_tag", .tags = TAGS "; q=dns/other"},
    {"an unknown form", "dkim_tag", .tags = TAGS "; c=relaxed/loose"},
    {"SHA-1", "dkim_sha1", .tags = "v=1; a=rsa-sha1; d=example.org; s=mail"},
    {"SHA-1 in capitals", "dkim_sha1", .tags = "v=1; a=RSA-SHA1; d=example.org; s=mail"},
    {"a part of the body", "dkim_part", .tags = TAGS "; l=5"},
    {"i= above", "dkim_identity", .tags = TAGS "; i=@org"},
    {"i= of another domain", "dkim_identity", .tags = TAGS "; i=anna@example.com"},
    {"i= that only looks alike", "dkim_identity", .tags = TAGS "; i=anna@notexample.org"},
    {"i= below, which the key forbids", "dkim_identity", .tags = TAGS "; i=@a.example.org", .key = "t=s; "},
    {"i= without @", "dkim_tag", .tags = TAGS "; i=example.org"},
    {"expired", "dkim_expired", .tags = TAGS "; x=1794999999"},
    {"expired before it was made", "dkim_tag", .tags = TAGS "; t=1795000300; x=1795000300"},
    {"made tomorrow", "dkim_future", .tags = TAGS "; t=1795086401"},
    {"a time with a sign", "dkim_tag", .tags = TAGS "; t=-1"},
    {"a time of 13 digits", "dkim_tag", .tags = TAGS "; x=1795000000000"},
    {"From is not signed", "dkim_unsigned", .names = "date:subject:x-from"},
    {"Date is not signed", "dkim_unsigned", .names = "from:subject"},
    {"Subject is not signed", "dkim_unsigned", .names = "from:date"},
    {"no Subject", "dkim_unsigned", .header = FROM DATE},
    {"an empty name", "dkim_tag", .names = NAMES "::to"},
    {"no names", "dkim_tag", .names = ""},
    {"a name with spaces", "dkim_tag", .names = NAMES ":a b"},
    {"a signature of signatures", "dkim_tag", .names = NAMES ":dkim-signature"},
    /* the key */
    {"a revoked key", "dkim_revoked", .key = "p=; x"},
    {"a key being tested", "dkim_testing", .key = "t=s : y; "},
    {"a key being tested, in capitals", "dkim_testing", .key = "t=Y; "},
    {"i= below, which the key forbids in capitals", "dkim_identity", .tags = TAGS "; i=@a.example.org",
     .key = "t=S; "},
    {"a key of another use", "dkim_key", .key = "s=tlsrpt; "},
    {"a key of another hash", "dkim_key", .key = "h=sha1; "},
    {"a key of another version", "dkim_key", .key = "v=DKIM2; "},
    {"a key whose version is in small letters", "dkim_key", .key = "v=dkim1; "},
    {"a version that is not the first", "dkim_key", .key = "n=a; v=DKIM1; "},
    {"a key of another kind", "dkim_key", .key = "n="},
};

START_TEST(each_demand)
{
    const struct sample *s = &samples[_i];
    struct str mail = STR_INIT;
    struct dkim_claim claim;
    char key[200];
    (void)snprintf(key, sizeof key, "%s%s", s->key ? s->key : "", record);
    if (s->key && strcmp(s->key, "p=; x") == 0)
        (void)snprintf(key, sizeof key, "k=ed25519; p=");
    make(&mail, s);
    const char *code = judge(slice_str(&mail), key, ARRIVED, &claim);
    ck_assert_msg(strcmp(code, s->code) == 0, "%s: \"%s\" instead of \"%s\"", s->what, code, s->code);
    str_release(&mail);
}
END_TEST

START_TEST(records_that_are_no_keys)
{
    static const struct {
        const char *record, *code;
    } rows[] = {
        {"", "dkim_key"},
        {"v=DKIM1", "dkim_key"},
        {"v=spf1 -all", "dkim_key"},
        {"v=DKIM1; k=dsa; p=AAAA", "dkim_key"},
        {"p=" RSA_1024 "DAQAB; p=AAAA", "dkim_key"},
        {"p=AAAA", "dkim_key"},
        {"p=" RSA_1024 "DAQA", "dkim_key"},
        {"k=ed25519; p=" RSA_1024 "DAQAB", "dkim_key"},
        {"k=ed25519; p=AAAA", "dkim_key"},
        {"p=MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAMqGkkWe5PXXU9fDki9THFACFkDfv44+fF2Ketmp+"
         "k1xBHVT95kG6O2t6RTtaEFy9lQWx5"
         "zmdAwTb26F7g0NvDUCAwEAAQ==",
         "dkim_bits"}, /* 512 */
        {"p=MIGlMA0GCSqGSIb3DQEBAQUAA4GTADCBjwKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQiY/"
         "J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/"
         "8uBsCR+yz1Lxj+PL6lHvqMKrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip"
         "3G+2kryOTIKT+l/K4w3QIJAgAAAAAAAAAB",
         "dkim_key"},                        /* an exponent of 66 bits */
        {"p=" RSA_1024 "DAQAA", "dkim_key"}, /* an even exponent */
        {"p=" RSA_1024 "DAQAB", "none"},
        {"v=DKIM1; g=*; k = rsa ; p = " RSA_1024 " DAQAB ;", "none"},
        {"v=DKIM1; k=RSA; h=SHA256; p=" RSA_1024 "DAQAB", "none"},
    };
    struct dkim_key key;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        json_t *refusal = NULL;
        (void)!dkim_key_read(slice_of(rows[i].record), &key, &refusal);
        ck_assert_msg(strcmp(code_of(refusal), rows[i].code) == 0, "%s: %s", rows[i].record,
                      code_of(refusal));
        reason_clear(&refusal);
    }
}
END_TEST

/* What anybody on the way can have changed is named: neither signed, nor signed as missing. */
START_TEST(open_fields)
{
    static const struct {
        const char *names;
        unsigned open;
    } rows[] = {
        {NAMES, DKIM_OPEN_TYPE | DKIM_OPEN_ENCODING | DKIM_OPEN_REPLY_TO | DKIM_OPEN_TO},
        {NAMES ":to:content-type", DKIM_OPEN_ENCODING | DKIM_OPEN_REPLY_TO},
        {NAMES ":To:Content-Type:Content-Transfer-Encoding:Reply-To", 0},
    };
    struct str mail = STR_INIT;
    struct dkim_claim claim;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        make(&mail, &(struct sample){.names = rows[i].names});
        ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &claim), "");
        ck_assert_uint_eq(claim.open, rows[i].open);
    }
    make(&mail, &(struct sample){.names = NAMES ":reply-to", .below = "Reply-To: b@example.org\r\n"});
    ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &claim), "dkim_wrong");
    str_release(&mail);
}
END_TEST

/* The first of From's domain that holds, among those of others; eight are looked at. */
START_TEST(among_other_signatures)
{
    static const char foreign[] =
        "DKIM-Signature: v=1; a=rsa-sha256; d=list.example; s=a; h=from; bh=AAAA; b=AAAA\r\n";
    struct str mail = STR_INIT, above = STR_INIT;
    struct dkim_claim claim;
    for (size_t others = 0; others < 10; others++) {
        make(&mail, &(struct sample){.above = above.p});
        const char *code = judge(slice_str(&mail), record, ARRIVED, &claim);
        ck_assert_str_eq(code, others < DKIM_SIGNATURES ? "" : "dkim_foreign");
        str_adds(&above, foreign);
    }
    str_clear(&above);
    str_adds(&above, foreign);
    str_adds(&above, "DKIM-Signature: v=1; a=rsa-sha1; d=example.org; s=a; h=from; bh=AAAA; b=AAAA\r\n"
                     "DKIM-Signature: what\r\n");
    make(&mail, &(struct sample){.above = above.p});
    ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &claim), "");
    /* The reason is that of From's domain. */
    str_cut(&mail, above.len);
    str_adds(&mail, HEAD "\r\n");
    ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &claim), "dkim_sha1");
    ck_assert_str_eq(judge(slice_of(HEAD "\r\n"), record, ARRIVED, &claim), "dkim_none");
    str_release(&mail);
    str_release(&above);
}
END_TEST

/* One content is known again when it was signed twice, and no other one is taken for it. */
START_TEST(contents)
{
    struct str mail = STR_INIT;
    struct dkim_claim first, later, other;
    make(&mail, &(struct sample){.tags = TAGS "; t=1794990000"});
    ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &first), "");
    make(&mail, &(struct sample){.tags = TAGS "; t=1794990060", .above = "Received: a\r\n"});
    ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &later), "");
    make(&mail, &(struct sample){.body = "explore far\r\n"});
    ck_assert_str_eq(judge(slice_str(&mail), record, ARRIVED, &other), "");
    ck_assert_mem_eq(first.content, later.content, DKIM_DIGEST);
    ck_assert_mem_ne(first.hash, later.hash, DKIM_DIGEST);
    ck_assert_mem_ne(first.content, other.content, DKIM_DIGEST);
    str_release(&mail);
}
END_TEST

/* A megabyte with eight signatures, in both forms, of 500 fields and 64 names each; and one line more. */
START_TEST(cost_is_bounded)
{
    struct str mail = STR_INIT, names = STR_INIT, fields = STR_INIT, body = STR_INIT;
    struct work work = WORK_INIT;
    struct dkim_claims claims;
    json_t *refusal = NULL;
    str_adds(&names, NAMES);
    for (int i = 0; i < 61; i++)
        str_adds(&names, ":x");
    for (int i = 0; i < 480; i++)
        str_adds(&fields, "Y: a  b\r\n");
    while (body.len < 1 << 20)
        str_adds(&body, "a \t b\r\n");
    for (int i = 0; i < 8; i++) {
        struct str next = STR_INIT, header = STR_INIT;
        str_addf(&header, HEAD "%s", fields.p);
        make(&next, &(struct sample){.tags = i % 2 ? TAGS "; c=relaxed/relaxed" : TAGS,
                                     .names = names.p,
                                     .header = header.p,
                                     .body = body.p,
                                     .above = mail.p});
        size_t end = slice_find(slice_str(&next), "\r\nFrom:") + 2;
        str_clear(&mail);
        str_add(&mail, next.p, i < 7 ? end : next.len);
        str_release(&next);
        str_release(&header);
    }
    clock_t start = clock();
    ck_assert_int_eq(dkim_read(slice_str(&mail), ARRIVED, &work, &claims, &refusal), OUTCOME_DONE);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    ck_assert_uint_eq(claims.count, DKIM_SIGNATURES);
    ck_assert_msg(work.left > WORK_MAIL / 2, "%zu are left of %zu", work.left, WORK_MAIL);
    ck_assert_msg(seconds < 0.5 * SLOWER, "took %.2f s", seconds);
    work = (struct work){body.len * 2};
    ck_assert_int_eq(dkim_read(slice_str(&mail), ARRIVED, &work, &claims, &refusal), OUTCOME_REFUSED);
    ck_assert_uint_eq(claims.count, 0);
    ck_assert_str_eq(code_of(refusal), "dkim_work");
    reason_clear(&refusal);
    str_clear(&mail);
    for (int i = 0; i < DKIM_FIELDS + 1; i++)
        str_adds(&mail, "Y: a\r\n");
    work = (struct work)WORK_INIT;
    ck_assert_int_eq(dkim_read(slice_str(&mail), ARRIVED, &work, &claims, &refusal), OUTCOME_REFUSED);
    ck_assert_str_eq(code_of(refusal), "dkim_header");
    reason_clear(&refusal);
    str_release(&mail);
    str_release(&names);
    str_release(&fields);
    str_release(&body);
}
END_TEST

static void cases(TCase *tc)
{
    tcase_add_unchecked_fixture(tc, make_key, NULL);
    tcase_add_test(tc, sample_of_rfc_8463);
    tcase_add_test(tc, line_ends_do_not_count);
    tcase_add_test(tc, any_changed_byte_is_found);
    tcase_add_test(tc, sample_of_rfc_6376_is_of_another_domain);
    tcase_add_test(tc, canonical_forms);
    tcase_add_loop_test(tc, each_demand, 0, sizeof samples / sizeof *samples);
    tcase_add_test(tc, records_that_are_no_keys);
    tcase_add_test(tc, open_fields);
    tcase_add_test(tc, among_other_signatures);
    tcase_add_test(tc, contents);
    tcase_add_test(tc, cost_is_bounded);
}
TEST_MAIN_TOGETHER("trust/dkim", cases)
