"""An invitation, answered by somebody who has nothing but a mailbox: it shows what the game looks like, one word takes the seat of which
it speaks, anything else is asked about kindly, and nobody's answer is lost."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from domains import Domains
from reader import *


def invited(league, reader):
    league.tp("invite", "--to", reader.address)
    league.tp("run")
    mail = reader.look()[-1]
    page = mail.get_body(("html",)).get_content()
    pictures = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    check(len(pictures) == 1 and "An example" in page and "resistance" in page, "no picture with its words: %s" % page)
    check(len(mail.as_bytes()) < 60 << 10, "%d bytes" % len(mail.as_bytes()))
    return mail


def told(mail, words):
    check(words in flat(mail), "%s: %s" % (words, flat(mail)))


def test(servers):
    domains = Domains()
    servers.append(domains)
    league = League()
    league.init()
    domains.use(league)
    league.use_names(domains.names.port, "")
    league.set("outgoing", type="maildir", pictures="auto")
    league.set("league", trust="mail", registration="invite", contact="petra@game.test")
    zoe, ann, bea, dan = (Reader(name, domains, league) for name in ("zoe", "ann", "bea", "dan"))

    # No game waits: what is played here, each in a clause.
    mail = invited(league, zoe)
    told(mail, "Galaxy Farmer, solo: fly round a ring of planets")
    told(mail, "petra@game.test hosts Orion League")
    zoe.answer("apple_ios", "Let me think about it!\nZoe")
    told(zoe.last, "We aren't sure what you meant")
    told(zoe.last, "Your invitation is still good.")
    zoe.answer("gmail_android", "Sure, why not! Who else plays?\nZoe")
    told(zoe.last, "You are registered, zoe.")

    # One game waits: one word registers and takes the seat; what shows it is the same mail, and the audit finds it there.
    league.tp("new", "gc-1", "galaxy-command", "--seats", "robot", "--open", "2", "--deadline", "3d")
    told(invited(league, ann), "A seat in Galaxy Command is waiting for you.")
    told(ann.last, "and a seat in gc-1 is yours")
    said = " ".join(map(flat, ann.answer("gmail_android", "ok", expect=2)))
    check("You are registered, ann." in said and "You are in, ann." in said, said)
    # Another name is said first: then one ok takes the seat.
    invited(league, bea)
    bea.answer("apple_ios", "register beatrice")
    told(bea.last, "A seat in Galaxy Command, game gc-1, is free. To take it, press Reply and type: ok")
    said = " ".join(map(flat, bea.answer("apple_ios", "ok")))
    check("The game has begun" in said or "it begins" in said, said)
    seats = json.loads(league.tp("show", "gc-1", "--json"))["seats"]
    check({seat["name"] for seat in seats} >= {"ann", "beatrice"}, str(seats))
    check("proved" in league.tp("audit", "gc-1"), league.tp("audit", "gc-1"))

    # The game has begun when the answer comes: they are a player, and told where seats are.
    league.tp("new", "gc-2", "galaxy-command", "--seats", "robot", "--open", "1", "--deadline", "3d")
    mail = invited(league, dan)
    zoe.write_to("join gc-2")
    zoe.answer("gmail_android", "ok", expect=2)
    dan.answer("gmail_android", "ok", mail=mail)
    told(dan.last, "You are registered, dan.")
    check("dan" not in league.tp("show", "gc-2", "--json"), "dan has a seat in a game that is full")
    print("four invitations answered")


main(test)
