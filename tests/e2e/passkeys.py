"""Keys on P-256: two passkeys registered by mail, one of them such that each signature must be verified, and a key of
ssh-keygen's; a whole game; what is refused on the way; a key that is added and cannot be made weaker.

RECORD=DIR keeps the game's files there: games/keys-p256 was made so."""
import base64
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from league import *
from passkey import PRESENT, Passkey

GAME = "keys-p256"


def flat(mail):
    return " ".join(text_of(mail).split())


class Story:
    def __init__(self):
        self.league, self.count = League(), 0
        self.league.init()
        self.league.set("league", registration="open")

    def say(self, player, raw, *words):
        """A mail to the league; the one that answers it, which has these words."""
        self.count += 1
        self.league.put_mail(raw, "m%03d" % self.count)
        self.league.tp("run")
        mails = self.league.new_mails(player.address)
        check(mails, "no answer to %s" % player.name)
        for one in words:
            check(any(one in flat(mail) for mail in mails), 'not told "%s":\n%s' % (one, "\n".join(map(text_of, mails))))
        return mails[0]

    def signed(self, player, text, **wrong):
        """A mail with the text, signed as no page would."""
        return player.mail(text + player.armor(text, **wrong), signed=False)

    def keys(self, name):
        return (self.league.dir / "keys" / (name + ".pub")).read_text().split("\n")[:-1]


def register(story, anna, ben):
    league = story.league
    mail = story.say(anna, anna.mail(anna.public.read_text(), subject="register anna", signed=False), "on the page where you made it")
    text = form(mail, "register")
    check("key:" not in text and "ssh-keygen -Y" not in flat(mail), flat(mail))
    story.say(anna, anna.mail(text), "You are registered, anna", anna.fingerprint())
    check(story.keys("anna") == [anna.public.read_text().strip()], story.keys("anna"))

    # What a key demands of each signature is in the text, as no signature says it.
    broken = ben.public.read_text().replace(" ", "\n")
    text = form(story.say(ben, ben.mail(broken, subject="register ben", signed=False)), "register")
    check("\nkey: %s verified\n" % ben.fingerprint() in text and max(map(len, text.split("\n"))) <= 70, text)
    story.say(ben, story.signed(ben, text, flags=PRESENT), "each signature of this passkey must be verified")
    check("ben" not in league.tp("player", "list"), "registered by a signature that was not verified")
    story.say(ben, ben.mail(text), "You are registered, ben", ben.fingerprint() + " verified")
    check(story.keys("ben") == [ben.public.read_text().strip()], story.keys("ben"))


def refusals(story, anna, ben, cara):
    league = story.league
    text = league.orders(GAME, 1, ["explore near"])
    before = league.journal(GAME)
    story.say(anna, story.signed(anna, text, origin="https://evil.example"), "for another page than its own, which is https://orders.example.org")
    story.say(anna, story.signed(anna, text, origin="https://orders.example.org:8443"), "for another page than its own")
    story.say(anna, story.signed(anna, text, cross="true"), "inside that of another")
    story.say(anna, story.signed(anna, text, flags=0), "without being touched")
    story.say(anna, story.signed(anna, text, flags=0x41), "carries data that belongs to none")
    story.say(anna, story.signed(anna, text, as_token=True), "registered for another way of signing")
    story.say(ben, story.signed(ben, text, flags=PRESENT), "without asking for PIN, finger or face")
    stranger = Passkey("anna")
    story.say(anna, story.signed(stranger, text), "that the league does not know")
    other = Player("cara2", "ecdsa")
    story.say(cara, cara.mail(text + other.sign(text)[2], signed=False), "that the league does not know")
    check(league.journal(GAME) == before, "a record by a signature that was refused")

    # The other form of a signature is the same signature: the text counts once, and files hold the form with the lower s.
    story.say(anna, story.signed(anna, text, high=True), "We have your orders")
    story.say(anna, story.signed(anna, text, again=anna.last), "The first copy counts")
    orders = [r for r in league.records(GAME) if r["type"] == "orders"]
    check(len(orders) == 1, "%d records" % len(orders))
    kept = json.loads(payloads(league, GAME)[-1][3])["signature"]
    check(base64.b64decode(kept["sig"]) == anna.last and kept["key"].endswith(" webauthn"), kept)


def more_keys(story, cara):
    """A key is added as strict as it was named, and not made weaker afterwards."""
    league, new = story.league, Passkey("cara3", "webauthn-verified")
    mail = story.say(cara, cara.mail(new.public.read_text(), subject="my phone", signed=False))
    text = form(mail, "key")
    check("\nadd: %s verified\n" % new.fingerprint() in text, text)
    story.say(cara, cara.mail(text + cara.sign(text)[2] + new.armor(text, flags=PRESENT), signed=False))
    check(len(story.keys("cara")) == 1, "added by a signature that was not verified")
    text = text.replace("player: cara", "nonce: 2\nplayer: cara")
    story.say(cara, cara.mail(text + cara.sign(text)[2] + new.armor(text), signed=False), "have been changed")
    check(new.public.read_text().strip() in story.keys("cara") and len(story.keys("cara")) == 2, story.keys("cara"))
    for weaker in (new.fingerprint(), new.public.read_text().strip().replace("-verified", "")):
        text = league.petition("key", "player: cara", "add: " + weaker)
        story.say(cara, cara.mail(text + cara.sign(text)[2] + new.armor(text), signed=False), "already")
    check(new.public.read_text().strip() in story.keys("cara") and len(story.keys("cara")) == 2, story.keys("cara"))
    new.address = cara.address
    # One that was made in a page elsewhere: both pages could have shown her something else.
    elsewhere = Passkey("cara4", host="elsewhere.example.net")
    text = league.petition("key", "player: cara", "add: " + elsewhere.fingerprint())
    story.say(cara, cara.mail(text + cara.sign(text)[2] + elsewhere.armor(text), signed=False), "have been changed")
    return new


def play(_):
    story = Story()
    league, anna, ben, cara = story.league, Passkey("anna"), Passkey("ben", "webauthn-verified"), Player("cara", "ecdsa")
    register(story, anna, ben)
    league.add(cara)
    league.seated(GAME, "galaxy-command", "anna,ben,cara", "--deadline", "3d")
    league.tp("run")
    for player, how in ((anna, "into the page where you made your passkey"), (cara, "-f ~/.ssh/id_ecdsa orders.txt")):
        mails = [flat(mail) for mail in league.new_mails(player.address)]
        check(any(how in mail for mail in mails), mails)
    refusals(story, anna, ben, cara)
    phone = more_keys(story, cara)
    # A text whose signature is in the open, in the game's journal: all who check it have to know what is in there.
    story.say(anna, anna.mail(league.petition("extend", "hours: 1", game=GAME, turn=1)))
    check(league.records(GAME)[-1]["signed"]["signature"]["client_data"], league.records(GAME)[-1])
    turn = 0
    for turn in range(1, 20):
        shown = json.loads(league.tp("show", GAME, "--json"))
        if shown["over"]:
            break
        for seat, player in enumerate((anna, ben, phone if turn % 2 else cara), 1):
            lines = league.tp("show", GAME, "--seat", seat, "--robot").splitlines()
            raw = player.mail(league.orders(GAME, shown["turn"], lines, seq=2), attach=player is ben)
            story.count += 1
            league.put_mail(raw, "m%03d" % story.count)
        league.tp("run")
    check(shown["over"], "the game does not end")
    verify_chain(league, GAME)
    pages = json.loads(league.tp("audit", GAME, "--json"))["pages"]
    check(pages == {"orders.example.org": [1, 2, 3], "elsewhere.example.net": [3]}, pages)
    if os.environ.get("RECORD"):
        folder = pathlib.Path(os.environ["RECORD"]) / GAME
        folder.mkdir(parents=True, exist_ok=True)
        league.tp("publish", GAME, "-o", WORK / "kept")
        for name in ("journal.jsonl", "HEAD", "HEAD.tlog-proof", "league.policy"):
            shutil.copy(WORK / "kept" / name, folder / name)
    print("%d turns, %d mails, signed by passkeys and ecdsa" % (turn - 1, story.count))


main(play)
