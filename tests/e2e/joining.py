"""New players with a mail program and a key: invitation, open registration, an open game joined until it begins, a new key.
Everything is taken from the league's own mails, through Dovecot and Postfix."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *


def flat(mail):
    return " ".join(text_of(mail).split())


def play(servers_list):
    servers = Servers(["orders", "anna", "ben"])
    servers_list.append(servers)
    league = League()
    league.init()
    league.use_servers(servers)
    league.tp("new", "gc-1", "galaxy-command", "--open", "2", "--deadline", "3d")
    word = league.tp("invite").strip()
    anna, ben = Player("anna"), Player("ben", "minisign")

    def say(player, raw, count=1):
        """A mail to the league, a run, and what came back."""
        player.send(servers, raw)
        wait_inbox(servers, 1)
        league.tp("run")
        return player.fetch(servers, expect=count)

    # Anna has an invitation. Her key and its word in a plain mail bring the text to sign.
    pasted = anna.public.read_text() + "invite: %s\n" % word
    mail, = say(anna, anna.mail(pasted, subject="register anna", signed=False))
    text = form(mail, "register")
    asked = league.petition("register", "name: anna", "address: " + anna.address, "invite: " + word)
    check(re.fullmatch(re.escape(asked[:-5]) + r"confirm: [a-z2-7]{26}\n#end\n", text), "the form is " + text)
    check("ssh-keygen -Y sign" in text_of(mail) and "minisign" not in text_of(mail), text_of(mail))
    check("anna" not in league.tp("player", "list"), "registered before she has signed")
    mail, = say(anna, anna.mail(text, attach=True))
    check(mail["In-Reply-To"] == "<anna-2@players.test>", "the answer is in no thread")
    check("You are registered, anna" in flat(mail), flat(mail))

    # Ben has none, and is told so; then the operator opens the league.
    ben_key = ben.public.read_text()
    mail, = say(ben, ben.mail(ben_key, subject="hello", signed=False))
    text = form(mail, "register")
    check("key: minisign RW" in text and "name: ben" in text, "the form is " + text)
    mail, = say(ben, ben.mail(text.replace("the word of your invitation", word)))
    check("used already" in flat(mail), flat(mail))
    league.set("league", registration="open")
    # He has no invitation and no word: that takes a second text.
    text = "".join(line + "\n" for line in text.splitlines() if not line.startswith(("invite:", "confirm:")))
    mail, = say(ben, ben.mail(text))
    check(mail["Subject"] == "One step more, ben", "the subject is " + mail["Subject"])
    check(not re.search(r"\bben\b", league.tp("player", "list")), "registered before he has confirmed")
    check("key: minisign RW" in form(mail, "register"), "the text lacks the key: " + form(mail, "register"))
    mail, = say(ben, ben.mail(form(mail, "register")))
    check("You are registered, ben" in flat(mail), flat(mail))

    # The open game, from the list to the first turn.
    mail, = say(ben, ben.mail("\n", subject="Games", signed=False))
    check("2 of 2 free" in flat(mail), flat(mail))
    text = form(mail, "join")
    mail, = say(ben, ben.mail(text.replace("some letters and digits of your own", "b7x9")))
    check("You are in, ben. Which seat is yours is drawn" in flat(mail) and mail["Subject"] == "[gc-1] You are in", flat(mail))
    check("ben, (free)" in league.tp("games"), league.tp("games"))
    mails = say(anna, anna.mail(text), 2)
    subjects = sorted(m["Subject"] for m in mails)
    check(subjects == ["[gc-1] The game has begun: nine systems face down", "[gc-1] You are in"], "anna got %s" % subjects)
    begun = {"anna": next(m for m in mails if "begun" in m["Subject"]), "ben": ben.fetch(servers)[0]}
    for mail in begun.values():
        verify_head(league, mail)

    # A new key for Anna: the plain mail brings the text, both keys sign it.
    second = Player("anna2")
    mail, = say(anna, anna.mail(second.public.read_text(), subject="my new phone", signed=False))
    text = form(mail, "key")
    signatures = anna.sign(text)[2] + second.sign(text)[2]
    mail, = say(anna, anna.mail(text + signatures, signed=False))
    check("added SHA256:" in flat(mail), flat(mail))
    old = sh("ssh-keygen", "-lf", anna.public).split()[1]
    anna.dir, anna.public = second.dir, second.public
    mail, = say(anna, anna.mail(league.petition("key", "player: anna", "revoke: " + old)))
    check("revoked " + old in flat(mail), flat(mail))

    for player in (anna, ben):
        player.send(servers, player.mail(orders("gc-1", 1, ["explore near or bide", "build"], head_of(begun[player.name]))))
    wait_inbox(servers, 2)
    league.tp("run")
    mails = fetch_all(servers, (anna, ben), 3)  # the receipt of whose orders came last is the report
    for player in (anna, ben):
        mails_of = mails[player.name]
        check(any("(turn 2: your orders)" in m["Subject"] for m in mails_of), "%s got %s" % (player.name, [m["Subject"] for m in mails_of]))

    # The journals: the texts that joined, keys that follow, nothing secret.
    verify_chain(league, "gc-1")
    records = league.records("gc-1")
    seats = [r for r in records if r["type"] == "seat"]
    check([r["player"] for r in seats] == ["ben", "anna"] and all(len(r["mark"]) == 64 and r["signed"] and r["drawn"] for r in seats), "seats: %s" % seats)
    drawn = next(r for r in records if r["type"] == "start")["drawn"]
    check([d["seat"] for d in drawn] == [1, 2] and sorted(d["player"] for d in drawn) == ["anna", "ben"], "drawn: %s" % drawn)
    check([r["type"] for r in records if r["type"] == "key"], "the game has not taken up the new key")
    check(b"players.test" not in league.journal("gc-1"), "an open secret")
    shown = league.tp("show", "gc-1", "--json")
    check({s["seat"]: s["name"] for s in json.loads(shown)["seats"]} == {d["seat"]: d["player"] for d in drawn}, "who sits where: " + shown)
    for cache in ("games/gc-1/state.json", "catalog.sqlite"):
        (league.dir / cache).unlink()
    league.tp("run")
    check(league.tp("show", "gc-1", "--json") == shown, "the replayed game differs")
    whats = [json.loads(line)["what"] for line in (league.dir / "registry/journal.jsonl").read_text().splitlines()]
    check(whats == ["secrets", "made", "invite", "register", "register", "key", "key"], "the registry's journal: %s" % whats)
    check(not list((league.dir / "tokens").iterdir()), "tokens are left")
    print("%d records, %d in the registry" % (len(records), len(whats)))


main(play)
