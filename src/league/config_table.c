#include "league/config_private.h"

#define AT(member) offsetof(struct config, member)
#define KIB        1024LL
#define MIB        (1024LL * 1024)
#define HOUR       3600LL
#define DAY        86400LL

#define PASSWORD_HELP(which)                                                                               \
    "A command whose first line of output is the password; run by /bin/sh. Set one of password_command,\n" \
    "password_file, password_env and token_command, or none" which "."

const struct option option_table[] = {
    {"league", "name", OPTION_TEXT, AT(league.name), 0, 0, NULL, "Turnpost",
     "The league's name: shown beside the address in every mail."},
    {"league", "address", OPTION_ADDRESS, AT(league.address), 0, 0, NULL, "",
     "The address that players write to; every mail of the league comes from it. It must be set."},
    {"league", "contact", OPTION_TEXT, AT(league.contact), 0, 0, NULL, "",
     "Where a person answers what this program does not understand: a mail address other than the league's, "
     "or\n"
     "the link of a page. Each mail names it in its last lines. Empty = none."},
    {"league", "timezone", OPTION_TEXT, AT(league.timezone), 0, 0, NULL, "UTC",
     "The time zone of the times in mails, beside UTC: a name such as Europe/Berlin."},
    {"league", "deadline", OPTION_DURATION, AT(league.deadline), 60, 366 * DAY, NULL, "7d",
     "How long a turn lasts unless the game was made with another length: 90m, 12h, 3d, 2w, 1d12h."},
    {"league", "missed_standby", OPTION_NUMBER, AT(league.missed_standby), 0, 99, NULL, "2",
     "After this many missed turns in a row, a seat is offered to players on the waiting list; 0 = never.\n"
     "A game keeps the number that it was made with."},
    {"league", "standby_time", OPTION_DURATION, AT(league.standby_time), HOUR, 30 * DAY, NULL, "2d",
     "How long a seat is offered to one player before the next one is asked."},
    {"league", "missed_robot", OPTION_NUMBER, AT(league.missed_robot), 0, 99, NULL, "3",
     "After this many missed turns in a row, a careful robot plays the seat until its player writes again;\n"
     "0 = never."},
    {"league", "moderators", OPTION_TEXT, AT(league.moderators), 0, 0, NULL, "",
     "The players who moderate the league (#turnpost moderate): names, separated by spaces.\n"
     "Nobody can register by mail under such a name: enter them with `turnpost player add`."},
    {"league", "registration", OPTION_CHOICE, AT(league.registration), 0, 0, "invite open closed", "invite",
     "Who may register by mail: people with an invitation (turnpost invite), anyone who confirms their\n"
     "address, or nobody."},
    {"league", "trust", OPTION_CHOICE, AT(league.trust), 0, 0, "signed mail", "signed",
     "How orders count: mail = by reply or with a key; signed = with a key only. By reply, the player's "
     "mail\n"
     "provider vouches for the mail (DKIM). A game can be made with signed alone (turnpost new --trust)."},
    {"league", "own_domains", OPTION_TEXT, AT(league.own_domains), 0, 0, NULL, "",
     "Mail domains of the operator, separated by spaces. They vouch for nobody: the operator could write "
     "their\n"
     "mails. The domain of the league's address is always one of them, unless it is one of shared_domains: "
     "then\n"
     "only the league's own mailbox is."},
    {"league", "shared_domains", OPTION_TEXT, AT(league.shared_domains), 0, 0, NULL,
     "gmail.com outlook.com hotmail.com yahoo.com icloud.com proton.me gmx.de gmx.net web.de",
     "Mail domains where anyone can have a mailbox, separated by spaces. In all others the administrator "
     "can\n"
     "sign for any number of mailboxes, so players_per_domain counts there."},
    {"league", "token_expire", OPTION_DURATION, AT(league.token_expire), HOUR, 90 * DAY, NULL, "7d",
     "How long invitations, and confirmations of addresses, are valid."},
    {"league", "player_invites", OPTION_NUMBER, AT(league.player_invites), 0, 1000, NULL, "0",
     "How many invitations each player may make in a month; moderators always may."},
    {"league", "player_games", OPTION_NUMBER, AT(league.player_games), 0, 20, NULL, "0",
     "Players can open games themselves (#turnpost open, rematch), as long as they have a seat in fewer "
     "than\n"
     "this many games that have not begun. 0 = only the operator makes games."},
    {"league", "ratings", OPTION_CHOICE, AT(league.ratings), 0, 0, "no signed mail", "no",
     "Whether the league keeps ratings (turnpost ratings): of games with signed orders only (signed), or "
     "also\n"
     "of games by reply (mail). The list keeps the value that it began with."},
    {"league", "anchors", OPTION_TEXT, AT(league.anchors), 0, 0, NULL, "",
     "Robots with a fixed rating, to compare people's with: robot1 25 1, easy 18.5 2 (name, mu, sigma). The\n"
     "list keeps the value that it began with. Empty = robots' seats do not count."},
    {"league", "page_url", OPTION_TEXT, AT(league.page_url), 0, 0, NULL, "",
     "The address of the page on which players sign in their browsers: https, and a host name of its own, "
     "such\n"
     "as https://play.example.org/. Mails link to it; `turnpost page` writes it. Empty = no page."},
    {"league", "page_verified", OPTION_CHOICE, AT(league.page_verified), 0, 0, "no yes", "yes",
     "Whether passkeys made on that page ask for PIN, finger or face each time they sign."},

    {"clock", "schedule", OPTION_TEXT, AT(clock.schedule), 0, 0, NULL, "",
     "When turns are due in new games: a length such as 3d, days and hours such as mon wed fri 20:00\n"
     "Europe/Berlin, or never. Empty = [league] deadline."},
    {"clock", "grace", OPTION_DURATION, AT(clock.grace), 0, 30 * DAY, NULL, "0",
     "How long after its deadline a turn still waits for missing orders."},
    {"clock", "minimum", OPTION_DURATION, AT(clock.minimum), 0, 30 * DAY, NULL, "0",
     "The shortest turn, even when all orders are in. 0 = none; a turn that opens shortly before one of the\n"
     "hours of the schedule is then due at the next one."},
    {"clock", "early", OPTION_CHOICE, AT(clock.early), 0, 0, "no yes", "yes",
     "Whether a turn is played as soon as all orders are in, or always at its deadline."},
    {"clock", "typo_wait", OPTION_CHOICE, AT(clock.typo_wait), 0, 0, "no yes", "yes",
     "Whether a turn with all its orders waits for those with a line that is wrong, until their player "
     "sends\n"
     "others, says that they are final, or the deadline comes."},
    {"clock", "second_thoughts", OPTION_DURATION, AT(clock.second_thoughts), 0, DAY, NULL, "0",
     "How long a turn with all its orders still waits after the first good orders of each seat, so that its\n"
     "player can change them: 30m. 0 = not at all. A game keeps what it was made with."},
    {"clock", "weekends_off", OPTION_CHOICE, AT(clock.weekends_off), 0, 0, "no yes", "no",
     "Whether no turn is due on a Saturday or Sunday. A schedule needs other days then."},
    {"clock", "holidays", OPTION_TEXT, AT(clock.holidays), 0, 0, NULL, "",
     "Days on which no turn is due: 12-25 (every year) or 2027-03-26, separated by spaces."},
    {"clock", "holidays_file", OPTION_TEXT, AT(clock.holidays_file), 0, 0, NULL, "",
     "A file with more such days, in the folder of the league."},
    {"clock", "vote", OPTION_NUMBER, AT(clock.vote), 0, 100, NULL, "50",
     "The deadline of a turn is extended by vote when more than this many percent of the players agree."},
    {"clock", "extension", OPTION_DURATION, AT(clock.extension), 0, 60 * DAY, NULL, "3d",
     "How much time a vote adds, once per turn; 0 = there are no votes."},
    {"clock", "reminder", OPTION_DURATION, AT(clock.reminder), 0, 30 * DAY, NULL, "24h",
     "How long before a deadline players whose orders are missing are reminded; 0 = never."},
    {"clock", "answer", OPTION_DURATION, AT(clock.answer), HOUR, 90 * DAY, NULL, "14d",
     "How long a new game waits for the players who were asked to join; then it ends."},
    {"clock", "vacation", OPTION_NUMBER, AT(clock.vacation), 0, 366, NULL, "28",
     "How many days of time off a player may take in a year (#turnpost vacation). Deadlines move for them."},
    {"clock", "valve", OPTION_NUMBER, AT(clock.valve), 0, 100, NULL, "60",
     "When more than this many percent of the players miss a deadline at once, and at least two were still "
     "to\n"
     "answer, the turn is held and the moderators are asked. 100 = never; without moderators it is never "
     "held."},
    {"clock", "hold", OPTION_DURATION, AT(clock.hold), 0, 60 * DAY, NULL, "7d",
     "How long such a turn waits for a moderator before it is played all the same; 0 = without end."},
    {"clock", "outage", OPTION_DURATION, AT(clock.outage), 0, 30 * DAY, NULL, "6h",
     "When no run was completed for longer than this, and than is usual here, turns that were due meanwhile "
     "are\n"
     "not played: their deadlines move by that time, and all players are told. 0 = never."},
    {"clock", "works", OPTION_TEXT, AT(clock.works), 0, 0, NULL, "",
     "When this host works, if not all the time: weekdays 18:00-23:00 sat sun 10:00-24:00, by the time zone "
     "of\n"
     "the league. What is due in between is done at the first run afterwards. Empty = usual pauses are "
     "learnt,\n"
     "within three nights or three weeks."},

    {"witness", "default", OPTION_TEXT, AT(witness.defaults), 0, 0, NULL, "",
     "Who cosigns the log and mixes their dice into new games where `turnpost new --witness` names nobody: "
     "carol,\n"
     "dave, as keys/witnesses names them. The players should trust them, and best choose them: while most "
     "of\n"
     "them are honest, nobody can try a turn out before it is closed, and nobody can show two histories. "
     "See\n"
     "turnpost-witness(1)."},
    {"witness", "ca_file", OPTION_TEXT, AT(witness.ca_file), 0, 0, NULL, "",
     "Witnesses whom keys/league.policy names with a URL (c2sp.org/tlog-witness) cosign the log over https. "
     "They\n"
     "give no dice, and nothing waits for them. This file holds the certificates that are trusted for it, in "
     "PEM\n"
     "form; empty = the system's."},
    {"witness", "league", OPTION_ADDRESS, AT(witness.league), 0, 0, NULL, "",
     "For `turnpost witness` alone: the address of the league that this folder's key is a witness of."},
    {"witness", "policy", OPTION_TEXT, AT(witness.policy), 0, 0, NULL, "",
     "The file of that league's policy (its keys/league.policy), which names the key of its log."},

    {"incoming", "type", OPTION_CHOICE, AT(incoming.type), 0, 0, "maildir imap", "maildir",
     "Where orders come from: a Maildir that the host's mail system delivers to, or an IMAP mailbox."},
    {"incoming", "maildir", OPTION_TEXT, AT(incoming.maildir), 0, 0, NULL, "mail/in",
     "type = maildir: the folder; relative ones are relative to the league's folder."},
    {"incoming", "host", OPTION_TEXT, AT(incoming.server.host), 0, 0, NULL, "",
     "type = imap: the server's name."},
    {"incoming", "port", OPTION_NUMBER, AT(incoming.server.port), 0, 65535, NULL, "0",
     "The server's port; 0 = 993 with tls = implicit, 143 with tls = starttls."},
    {"incoming", "tls", OPTION_CHOICE, AT(incoming.server.tls), 0, 0, "implicit starttls", "implicit",
     "How the connection is encrypted. The certificate is always verified."},
    {"incoming", "user", OPTION_TEXT, AT(incoming.server.user), 0, 0, NULL, "", "The name to log in with."},
    {"incoming", "password_command", OPTION_TEXT, AT(incoming.server.password_command), 0, 0, NULL, "",
     PASSWORD_HELP(" of them with type = maildir")},
    {"incoming", "password_file", OPTION_TEXT, AT(incoming.server.password_file), 0, 0, NULL, "",
     "A file whose first line is the password; only you may read it (chmod 600)."},
    {"incoming", "password_env", OPTION_TEXT, AT(incoming.server.password_env), 0, 0, NULL, "",
     "The name of an environment variable that holds the password."},
    {"incoming", "token_command", OPTION_TEXT, AT(incoming.server.token_command), 0, 0, NULL, "",
     "A command that prints an OAuth 2 access token (XOAUTH2) as its first line, for providers that accept "
     "no\n"
     "passwords."},
    {"incoming", "mailbox", OPTION_TEXT, AT(incoming.mailbox), 0, 0, NULL, "INBOX",
     "The mailbox that is read."},
    {"incoming", "processed", OPTION_TEXT, AT(incoming.processed), 0, 0, NULL, "Processed",
     "The mailbox that processed mails are moved to. Nothing is ever deleted."},
    {"incoming", "rejected", OPTION_TEXT, AT(incoming.rejected), 0, 0, NULL, "Rejected",
     "The mailbox for mails that could not be used."},
    {"incoming", "failed", OPTION_TEXT, AT(incoming.failed), 0, 0, NULL, "Failed",
     "The mailbox for mails that could not be processed for three days; see `turnpost mail`."},
    {"incoming", "ca_file", OPTION_TEXT, AT(incoming.server.ca_file), 0, 0, NULL, "",
     "Certificates to trust instead of the system's, for a server with a certificate of one's own."},
    {"incoming", "timeout", OPTION_NUMBER, AT(incoming.server.timeout), 5, 600, NULL, "60",
     "Seconds to wait for any one answer of the server."},
    {"incoming", "poll", OPTION_NUMBER, AT(incoming.poll), 5, 300, NULL, "60",
     "How many seconds `turnpost daemon` waits before it looks for mail again, where the IMAP server has no\n"
     "IDLE."},
    {"incoming", "detail", OPTION_CHOICE, AT(incoming.detail), 0, 0, "+ - _ =", "+",
     "The sign between the name of an address and what the mail server leaves to us, as in\n"
     "orders+word@example.org (Postfix: recipient_delimiter)."},
    {"incoming", "authserv", OPTION_TEXT, AT(incoming.authserv), 0, 0, NULL, "",
     "The name under which the mail server writes Authentication-Results (mx.example.org). Set it only if "
     "the\n"
     "server removes what strangers write under that name: mails that it vouches for are then known from "
     "forged\n"
     "ones. Empty = no such field counts."},

    {"outgoing", "type", OPTION_CHOICE, AT(outgoing.type), 0, 0, "maildir sendmail smtp", "maildir",
     "Where mail goes to: one Maildir per recipient below a folder (for trying out), the host's sendmail "
     "command,\n"
     "or an SMTP server."},
    {"outgoing", "maildir", OPTION_TEXT, AT(outgoing.maildir), 0, 0, NULL, "mail/out",
     "type = maildir: the folder; relative ones are relative to the league's folder."},
    {"outgoing", "sendmail", OPTION_TEXT, AT(outgoing.sendmail), 0, 0, NULL, "/usr/sbin/sendmail",
     "type = sendmail: the command; -i -f SENDER -- RECIPIENT is added to it."},
    {"outgoing", "host", OPTION_TEXT, AT(outgoing.server.host), 0, 0, NULL, "",
     "type = smtp: the server's name."},
    {"outgoing", "port", OPTION_NUMBER, AT(outgoing.server.port), 0, 65535, NULL, "0",
     "The server's port; 0 = 465 with tls = implicit, 587 with tls = starttls."},
    {"outgoing", "tls", OPTION_CHOICE, AT(outgoing.server.tls), 0, 0, "implicit starttls", "implicit",
     "How the connection is encrypted. The certificate is always verified."},
    {"outgoing", "user", OPTION_TEXT, AT(outgoing.server.user), 0, 0, NULL, "",
     "The name to log in with; without it mail is sent without logging in."},
    {"outgoing", "password_command", OPTION_TEXT, AT(outgoing.server.password_command), 0, 0, NULL, "",
     PASSWORD_HELP(" of them without user")},
    {"outgoing", "password_file", OPTION_TEXT, AT(outgoing.server.password_file), 0, 0, NULL, "",
     "A file whose first line is the password; only you may read it (chmod 600)."},
    {"outgoing", "password_env", OPTION_TEXT, AT(outgoing.server.password_env), 0, 0, NULL, "",
     "The name of an environment variable that holds the password."},
    {"outgoing", "token_command", OPTION_TEXT, AT(outgoing.server.token_command), 0, 0, NULL, "",
     "A command whose first line of output is an OAuth 2 access token (XOAUTH2)."},
    {"outgoing", "ca_file", OPTION_TEXT, AT(outgoing.server.ca_file), 0, 0, NULL, "",
     "Certificates to trust instead of the system's."},
    {"outgoing", "timeout", OPTION_NUMBER, AT(outgoing.server.timeout), 5, 600, NULL, "60",
     "Seconds to wait for any one answer of the server."},
    {"outgoing", "connections", OPTION_NUMBER, AT(outgoing.connections), 1, 16, NULL, "4",
     "How many connections to the SMTP server are used at once."},
    {"outgoing", "bounce_address", OPTION_ADDRESS, AT(outgoing.bounce_address), 0, 0, NULL, "",
     "The envelope sender of reports: orders@example.org becomes orders+TOKEN@example.org, so that mail "
     "which\n"
     "comes back names its player. It must reach the incoming mailbox: `turnpost init` takes the league's\n"
     "address. Empty = the null sender: nothing comes back, and some servers refuse such mail. Answers to\n"
     "mails always have the null sender."},
    {"outgoing", "expire", OPTION_DURATION, AT(outgoing.expire), HOUR, 30 * DAY, NULL, "3d",
     "How long an undelivered mail is tried again before it is given up. None is given up while the server "
     "takes\n"
     "nothing from us, for example beyond its limit for a day."},
    {"outgoing", "pictures", OPTION_CHOICE, AT(outgoing.pictures), 0, 0, "no yes auto", "auto",
     "Whether reports with HTML show the board as a picture, 10 to 30 KB each; players can turn it off\n"
     "(#turnpost prefs with pictures: no). The program turnpost-picture paints them: auto means yes if it "
     "lies\n"
     "beside turnpost. A picture that is not ready within a minute is left out."},

    {"dns", "server", OPTION_TEXT, AT(dns.server), 0, 0, NULL, "",
     "The name server that is asked for the keys of mail domains (DKIM): 192.0.2.1, or 192.0.2.1@5353\n"
     "with a port. Empty = those of /etc/resolv.conf."},
    {"dns", "root_key", OPTION_TEXT, AT(dns.root_key), 0, 0, NULL, "/usr/share/dns/root.key",
     "A file with the key of the DNS root (Debian's package dns-root-data), by which answers are proved\n"
     "(DNSSEC). Empty = nothing is proved."},
    {"dns", "timeout", OPTION_NUMBER, AT(dns.timeout), 1, 60, NULL, "10", "Seconds to wait for an answer."},

    {"store", "type", OPTION_CHOICE, AT(store.type), 0, 0, "files postgres", "files",
     "Where the league is kept: in this folder, or in a PostgreSQL database, from which several hosts serve\n"
     "it, one at a time (turnpost-store(1)). Bring it there with turnpost store copy before you change "
     "this."},
    {"store", "database", OPTION_TEXT, AT(store.database), 0, 0, NULL, "",
     "How it is reached, in libpq's words, without a password: host=db.example.org dbname=turnpost\n"
     "user=turnpost. On other hosts than this one its certificate is always verified."},
    {"store", "schema", OPTION_TEXT, AT(store.schema), 0, 0, NULL, "turnpost",
     "The schema with this league's tables: a small letter, then small letters, digits and _."},
    {"store", "password_command", OPTION_TEXT, AT(store.password_command), 0, 0, NULL, "",
     "A command whose first line of output is the password; run by /bin/sh. Set one of password_command,\n"
     "password_file and password_env, or none (then ~/.pgpass or a certificate lets us in)."},
    {"store", "password_file", OPTION_TEXT, AT(store.password_file), 0, 0, NULL, "",
     "A file whose first line is the password; only you may read it (chmod 600)."},
    {"store", "password_env", OPTION_TEXT, AT(store.password_env), 0, 0, NULL, "",
     "The name of an environment variable that holds the password."},
    {"store", "lease", OPTION_NUMBER, AT(store.lease), 3, 300, NULL, "10",
     "Seconds after which another host takes over from one that has fallen silent."},
    {"store", "synchronous", OPTION_CHOICE, AT(store.synchronous), 0, 0, "no yes storage", "no",
     "What is known of a failover: no - it may lose the last commits, so hosts stop after it until you say\n"
     "what it lost; yes - a commit counts only when a second server has it, and nothing is decided while\n"
     "the database names none; storage - the server's disk itself is replicated (turnpost-store(1))."},

    {"site", "folder", OPTION_TEXT, AT(site.folder), 0, 0, NULL, "",
     "Where the league's own site is written after each round of work, for a web server to serve: pages\n"
     "of games, results, players who allow it, rules. Empty = no site. See turnpost(1), site."},
    {"site", "url", OPTION_TEXT, AT(site.url), 0, 0, NULL, "",
     "The address at which it is served, such as https://orion.example.org/. Feeds and previews of links\n"
     "need it; all else works without."},
    {"site", "awaited", OPTION_CHOICE, AT(site.awaited), 0, 0, "no yes", "no",
     "Whether pages say who is still to answer. Players may not want strangers to know how late they are. "
     "The\n"
     "pages alone: the league's log, which the site has too, has a receipt for each text of orders, with "
     "the\n"
     "number of its seat, and anyone who reads it can tell."},

    {"status", "round", OPTION_DURATION, AT(status.round), 0, 366 * DAY, NULL, "0",
     "How old the last round of work may be before `turnpost status` says so, for monitoring: 2h. 0 = what "
     "is\n"
     "usual here: half an hour and a quarter more than rounds have been apart; in a new league a day."},
    {"status", "mailbox", OPTION_DURATION, AT(status.mailbox), 0, 366 * DAY, NULL, "1h",
     "How long the mailbox may be out of reach before it says so."},
    {"status", "waiting", OPTION_DURATION, AT(status.waiting), 60, 366 * DAY, NULL, "1d",
     "How long a mail may wait in the mailbox, or in the spool, before it says so."},
    {"status", "sent", OPTION_DURATION, AT(status.sent), 0, 366 * DAY, NULL, "0",
     "How old the last mail sent may be before it says so; 0 = any: a league may have nothing to tell."},

    {"limits", "mail_size", OPTION_SIZE, AT(limits.mail_size), 16 * KIB, 64 * MIB, NULL, "1M",
     "The largest mail that is read: bytes, or 256K, 1M."},
    {"limits", "replies_per_day", OPTION_NUMBER, AT(limits.replies_per_day), 0, 10000, NULL, "50",
     "Automatic replies to one player's address per day (UTC); those to mails with the player's good\n"
     "signature are counted separately. Reports are not counted."},
    {"limits", "stranger_replies", OPTION_NUMBER, AT(limits.stranger_replies), 0, 100, NULL, "10",
     "The same for an address that is not a player's; registering by mail takes two or three."},
    {"limits", "strangers_per_day", OPTION_NUMBER, AT(limits.strangers_per_day), 0, 10000, NULL, "200",
     "Automatic replies per day to all addresses together that are not players'; counted separately for\n"
     "each domain that [incoming] authserv vouches for."},
    {"limits", "changes_per_day", OPTION_NUMBER, AT(limits.changes_per_day), 1, 1000, NULL, "20",
     "Texts of one player per day (UTC) that change something about that player (prefs, keys, time off,\n"
     "mutes). Moderators have ten times as many."},
    {"limits", "players_per_domain", OPTION_NUMBER, AT(limits.players_per_domain), 0, 10000, NULL, "10",
     "How many players without a key may have their mailbox at one domain, or below it; 0 = any number.\n"
     "shared_domains and `turnpost player add` have no limit."},
    {"limits", "paths", OPTION_DURATION, AT(limits.paths), 0, 366 * DAY, NULL, "60d",
     "How long the networks (as keyed digests) and times of players' signed mails are kept, for\n"
     "turnpost suspicion; 0 = not at all."},
    {"limits", "mail_log", OPTION_DURATION, AT(limits.mail_log), 0, 366 * DAY, NULL, "30d",
     "How long the log of mails that turnpost mail shows goes back: who wrote when, with what subject, and\n"
     "what was decided; 0 = it is not kept."},
    {"limits", "mail_log_size", OPTION_SIZE, AT(limits.mail_log_size), 64 * KIB, 1024 * MIB, NULL, "16M",
     "How large it may be: 16M are some 50,000 mails. When it is full, strangers' lines go first."},
    {"limits", "press_per_turn", OPTION_NUMBER, AT(limits.press_per_turn), 0, 1000, NULL, "20",
     "How many messages one seat may send to others in a turn."},
    {"limits", "press_size", OPTION_SIZE, AT(limits.press_size), 256, 16 * KIB, NULL, "4K",
     "The largest such message: bytes, or 4K."},
    {"limits", "sandbox", OPTION_CHOICE, AT(limits.sandbox), 0, 0, "off on", "on",
     "Whether the processes that read mail (run, daemon, witness) give up all calls and files that they do\n"
     "not need, as far as the kernel can (seccomp, landlock); turnpost doctor says how far. Off is for\n"
     "tracking down faults."},
    {NULL, NULL, OPTION_TEXT, 0, 0, 0, NULL, NULL, NULL},
};
