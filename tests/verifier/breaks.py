"""The synthetic game, and each way to break it: (what, verdict, step at which it must be found,
changes by step), and the story where it is another. What is broken is signed like the rest."""
import json
import re

import curve
import journal
import synthetic
import tlog
from forms import blake, canonical_json
from table import mark_of

PEOPLE = synthetic.PEOPLE
MARK = synthetic.MARK


def with_(**members):
    """The record or line with other members; None = without it."""

    def change(value):
        return {name: item for name, item in {**value, **members}.items() if item is not None}

    return change


def swapped(items):
    """The first and the last, which are those of the seats that are drawn."""
    return [items[-1], *items[1:-1], items[0]]


def list_swapped(member):
    return lambda value: {**value, member: swapped(value[member])}


def drawn_by_others(record):
    """Each of the two gets what the other one drew."""
    players = [item["player"] for item in record["drawn"]]
    return {**record, "drawn": [{**item, "player": player} for item, player in zip(record["drawn"], players[::-1])]}


def text_with(*rows):
    return lambda text: text.replace("#end", "".join(row + "\n" for row in rows) + "#end")


def head(value):
    return lambda text: re.sub("head: .*", "head: " + value, text)


def short_head(text):
    return re.sub("(head: .{16}).*", r"\1", text)


def no_head(text):
    return re.sub("head: .*\n", "", text)


def spaced(payload):
    """In another form, of the same text and signature."""
    return json.dumps(json.loads(payload))


def another_text(payload):
    """The text is not the one of the mark, though it is signed."""
    return canonical_json(PEOPLE["ann"].signed(json.loads(payload)["text"].replace("attack", "bide")))


def changed_box(record):
    return {**record, "box": ("B" if record["box"][0] == "A" else "A") + record["box"][1:]}


def signed_spaced(line):
    return line.replace(b'"signed":{"signature":', b'"signed":{ "signature":')


def other_prefix(alpha):
    return alpha.replace(b"turnpost/dice", b"turnpost/deal")


def joined_by_word(record):
    """As the operator enters a player."""
    return {"seat": record["seat"], "player": record["player"], "keys": []}


OTHER_WITNESS = tlog.vkey_text("example.net/wim", 4, curve.ed25519_public(b"wim" + bytes(29)))


def instead_of_witness(record):
    """The turn is played at once."""
    return {"type": "start", "turn": 0, "pi": "00" * 80, "hidden": [], "state": MARK, "events": MARK, "reports": ["", "", "", ""]}


def banned_instead(record):
    """Ann is off her seat when the marks of the deal are closed."""
    return {"type": "moderate", "do": "ban", "turn": 0, "by": "operator", "reason": "spam", "seat": 1, "free": True, "left": "ann"}


def seal_of_seat_2(seal):
    return lambda record: {**record, "set": [], "seals": [record["seals"][0], seal, *record["seals"][2:]]}


def moderators_seal():
    """The seal of orders that a moderator set stands where marks belong."""
    seen = []

    def see(record):
        seen.append(record["seal"])
        return record

    return {"set cid": see, "close 1": lambda record: seal_of_seat_2(seen[-1])(record)}


def marks_twice():
    """Bea's orders have the mark of ann's, and so her seat."""
    seen = []

    def see(record):
        seen.append(record)
        return record

    return {"orders ann": see, "orders bea": lambda record: {**record, "seat": seen[-1]["seat"], "seal": seen[-1]["seal"]}}


def waits(name, text):
    """The members of a record by which somebody waits, by a text of which only its head counts."""
    who, create = PEOPLE[name], re.search("head: (.*)", text)[1]
    text = "#turnpost join\ngame: %s\nhead: %s\nnonce: again\n#end\n" % (synthetic.GAME, create)
    stamps = {"text": blake(name.encode() + text.encode()).hex(), "mail": MARK}
    return {"type": "note", "kind": "wait", "player": name, "by": name, "signed": who.signed(text), "mark": mark_of(bytes.fromhex(create), 0, who.sig(text), text).hex(), **stamps}


def seventeenth():
    """Another one waits, in place of the ban."""
    seen = []

    def see(text):
        seen.append(text)
        return text

    return {"text wait p0": see, "ban": lambda record: waits("p16", seen[-1])}


def seated_and_waiting():
    """The first who waits is bea, who has a seat."""
    seen = []

    def wait(record):
        seen.append(waits("bea", record["signed"]["text"]))
        return seen[-1]

    return {"wait p0": wait, "ban": lambda record: {**record, "player": "bea", "mark": seen[-1]["mark"]}}


def question_twice():
    """Another mail of ann's is not understood, before she has answered the first question."""
    seen = []

    def see(record):
        seen.append(record)
        return record

    return {"question": see, "orders bea": lambda record: {"type": "note", **seen[-1], "mail": MARK}}


def answers_start():
    """The text of ann's mail names the head that opened the turn, and the mail that of bea's orders."""
    seen = []

    def see(line):
        seen.append(json.loads(line + b"}")["prev"])
        return line

    return {"raw orders bea": see, "text orders ann": lambda text: head(seen[-1])(text)}


def vouched_with(**members):
    """A domain's word with other members."""
    return lambda record: {**record, "vouched": with_(**members)(record["vouched"])}


def lockstep_with(**members):
    """The times of the deal with other members."""
    return {"create": lambda record: {**record, "lockstep": with_(**members)(record["lockstep"])}}


def instead(sort, **members):
    """Another record in the place of the orders."""
    return {"orders ann": lambda record: {"type": sort, **members}}


WORD = {"turn": 1, "by": "operator", "reason": "why not"}
TYPO_WAIT = {"create": with_(typo_wait=True, second_thoughts=1800)}
SHIPS = {"create": with_(ruleset="galactic-contract", cards=synthetic.cards_of("galactic-contract"))}
WISHES = {
    "create": with_(press_signed=True, ruleset="galactic-contract", cards=synthetic.cards_of("galactic-contract")),
    **{"text join ann": text_with("ship: Tinker ,swift"), "join ann": with_(wish="Tinker, Swift")},
    **{"text join bea": text_with("SHIP: any"), "text wait dan": text_with("ship: swift"), "wait dan": with_(wish="Swift")},
}
PLACE = {"name": "cup", "head": MARK, "round": 1, "table": 1, "attempt": 1, "until": "2026-11-20T10:00:00Z"}
CUT = {"create": with_(turn_length=7200, compete=PLACE), "start": with_(deadline="2026-11-20T10:00:00Z")}


def cut(**changes):
    """Other members of records of the game that ends with its round."""
    return {**CUT, **{step.replace("_", " "): (lambda record, was=CUT.get(step, lambda r: r), other=other: with_(**other)(was(record))) for step, other in changes.items()}}


# Found by who can open the boxes.
OPENED = [
    ("a text that is not the one of the mark", "broken", "orders ann", {"payload orders ann": another_text}),
    ("another mark of a join", "broken", "join bea", {"join bea": with_(mark=MARK)}),
    ("another mark of somebody who waits", "broken", "wait dan", {"wait dan": with_(mark=MARK)}),
    ("another mark of orders", "broken", "orders ann", {"orders ann": with_(seal=MARK)}),
    ("another seal of a moderator's orders", "broken", "set cid", {"set cid": with_(seal=MARK)}),
    ("a box in which a bit is another", "broken", "orders bea", {"orders bea": changed_box}),
    ("the same of a moderator's orders", "broken", "set cid", {"set cid": changed_box}),
    ("the same of a hidden draw", "broken", "start", {"start": lambda record: {**record, "hidden": [changed_box(record["hidden"][0])]}}),
    ("the same of a message", "broken", "press ann", {"press ann": changed_box}, "said"),
    ("an empty box", "broken", "orders bea", {"orders bea": with_(box="")}),
    ("a payload that is not canonical", "broken", "orders ann", {"payload orders ann": spaced}),
    ("a text that asks for a seat and names no key", "broken", "join cid", {"text join cid": text_with("key: mine")}),
    ("the operator gives keys to who joined", "broken", "join cid", {"join cid": with_(keys=[])}),
    ("orders with 16 digits of a head", "broken", "orders ann", {"text orders ann": short_head}),
    ("orders without a head", "broken", "orders ann", {"text orders ann": no_head}),
    ("a join that names another head", "broken", "join bea", {"text join bea": head(MARK)}),
    ("a join without a head", "broken", "join cid", {"text join cid": no_head}),
    ("somebody waits, and names a seat", "broken", "wait dan", {"text wait dan": text_with("seat: 1")}),
    ("a text names seat 11", "broken", "join ann", {"text join ann": text_with("seat: 11"), "join ann": with_(drawn=None)}),
    ("a text names a seat by a word", "broken", "join ann", {"text join ann": text_with("seat: one"), "join ann": with_(drawn=None)}),
    ("a text names a seat, and it is drawn", "broken", "join ann", {"text join ann": text_with("seat: 1"), "join ann": with_(drawn=True)}),
    ("a text names no seat, and it is not drawn", "broken", "join ann", {"join ann": with_(drawn=None)}),
    ("a wish that the text does not have", "broken", "join ann", {**SHIPS, "join ann": with_(wish="Swift")}),
    ("another wish than the text's", "broken", "join ann", {**SHIPS, "text join ann": text_with("ship: tinker, swift"), "join ann": with_(wish="Swift, Tinker")}),
    ("a wish that is left out", "broken", "join ann", {**SHIPS, "text join ann": text_with("ship: tinker")}),
    ("a wish of somebody who waits that is left out", "broken", "wait dan", {**SHIPS, "text wait dan": text_with("ship: tinker")}),
    ("a wish in a game without ships", "broken", "join ann", {"text join ann": text_with("ship: tinker"), "join ann": with_(wish="Tinker")}),
    ("orders that a moderator set, in another form", "broken", "set", {"payload set": spaced}, "watched"),
    ("orders that a moderator set with half a head", "broken", "set", {"text set": short_head}, "watched"),
    ("orders that the moderator's text does not have", "broken", "set", {"payload set": lambda payload: payload.replace('"bide"', '"attack"')}, "watched"),
    ("orders for another seat than the moderator's text names", "broken", "set", {"text set": lambda text: text.replace("orders cid", "orders p3")}, "watched"),
    ("a mail of another time than is said", "broken", "orders ann", {"orders ann": vouched_with(sent="2026-11-20T07:00:00Z")}, "mailed"),
    ("a mail of another domain than is said", "broken", "orders ann", {"orders ann": vouched_with(domain="example.com")}, "mailed"),
    ("a mail that came before what its text names", "broken", "orders ann", {"orders ann": vouched_with(arrived="2026-11-20T08:05:30Z")}, "mailed"),
    ("a text answers another record than its mail", "broken", "orders ann", answers_start(), "mailed"),
    ("a mail domain vouches by another key", "broken", "orders ann", {"orders ann": vouched_with(key=MARK)}, "mailed"),
    ("another text than the mark of a mail", "broken", "orders ann", {"payload orders ann": lambda payload: payload.replace("near", "far")}, "mailed"),
    ("a text of a mail that is not canonical", "broken", "orders ann", {"text orders ann": lambda text: text.replace("explore near", "explore near  ")}, "mailed"),
    ("orders without a signature and without a domain", "broken", "orders ann", {"orders ann": with_(vouched=None)}, "mailed"),
    ("a text of a mail is bound to another", "broken", "orders ann", {"orders ann": with_(made=MARK)}, "mailed"),
    ("a mark that is not that of the mail", "broken", "join ann", {"join ann": with_(mark=MARK)}, "said"),
    ("a join by mail without the domain's signature", "broken", "join ann", {"join ann": with_(signature=None)}, "said"),
    ("somebody waits by the mail of nobody", "broken", "wait dan", {"wait dan": with_(vouched=None)}, "said"),
    ("a message comes by a domain with another key", "broken", "press ann", {"word press ann": with_(key=MARK)}, "said"),
    ("a message that nobody vouches for", "broken", "press ann", {"payload press ann": lambda payload: payload.replace("vouched", "coughed")}, "said"),
    ("a question about a mail of another time", "broken", "question", {"question": vouched_with(sent="2026-11-20T07:00:00Z")}, "questioned"),
    ("a resignation without its mail", "broken", "resign", {"payload mail resign": lambda payload: b"{}"}, "said"),
    ("a hidden draw by the proof of another", "broken", "start", {"hidden draw": with_(label="deal/far")}),
    ("a hidden draw without a label", "broken", "start", {"hidden draw": with_(label="")}),
    ("orders that are final wait", "broken", "orders ann", {**TYPO_WAIT, "text orders ann": lambda text: text.replace("head:", "final: yes\nhead:")}, "waiting"),
    ("a text names another seat than the one that is kept", "broken", "join cid", {"text join cid": text_with("seat: P1")}),
]
# Found by all others as well.
PUBLIC = [
    ("orders of who has no key, for which no domain vouches", "broken", "orders ann", {"orders ann": with_(vouched=None, made=None)}, "mailed"),
    ("a ban whose `text` is that of another one", "broken", "ban", {"ban": with_(text=MARK)}, "watched"),
    *[("%s before the deal" % do, "broken", "join cid", {"join cid": lambda record, do=do, more=more: {"type": "moderate", "do": do, **WORD, "turn": 0, **more}})
      for do, more in (("resend", {"seat": 1}), ("replace", {"seat": 1, "robot": "ann"}), ("resolve", {}), ("extend", {"deadline": "2026-11-24T09:00:00Z"}), ("correct", {"state": MARK, "changes": [{"path": "turn", "before": 1, "after": 2}]}))],
    ("a report is sent again before the deal, which is closed", "broken", "witness 0", {"witness 0": lambda record: {"type": "moderate", "do": "resend", **WORD, "turn": 0, "seat": 1}}),
    ("a turn before the deal", "broken", "start", {"start": with_(type="turn")}, "moved"),
    ("a second deal", "broken", "turn", {"turn": with_(type="start")}),
    ("a seventeenth waits", "broken", "ban", seventeenth(), "crowded"),
    ("who follows a banned player has a seat kept", "broken", "ban", {"create": with_(table=["", "for:p0", "robot:hal", ""])}, "crowded"),
    ("who follows a banned player has a seat", "broken", "ban", seated_and_waiting(), "crowded"),
    ("who follows a banned player was not the first", "broken", "ban", {"ban": with_(player="p1")}, "crowded"),
    ("a turn is open in lockstep, and the game ends", "broken", "end", {"turn": with_(deadline="2026-11-20T11:00:00Z")}, "lockstepped"),
    ("a turn is open, and the game ends", "broken", "end", {"create": with_(turn_length=7200), "start": with_(deadline="2026-11-20T10:09:00Z"), "turn": with_(deadline="2026-11-20T10:15:00Z")}),
    ("a deadline moves by the longest vote", "broken", "vote ann", {"vote ann": with_(deadline="2026-11-20T13:05:00Z")}, "asked"),
    ("a deadline moves, and nobody has voted for that", "broken", "vote bea", {"vote bea": with_(seconds=0, deadline="2026-11-20T12:05:00Z"), "text vote bea": lambda text: text.replace("hours: 3", "hours: 0")}, "asked"),
    ("a seat is offered twice to one player", "broken", "offer eve", {"offer eve": with_(to="dan")}, "asked"),
    ("an offer is made longer twice", "broken", "offer nobody", {"offer nobody": with_(to="dan", until="2026-11-20T11:00:00Z")}, "asked"),
    ("an offer ends, and says until when", "broken", "offer nobody", {"offer nobody": with_(until="2026-11-20T11:00:00Z")}, "asked"),
    ("an offer to a name that is none", "broken", "offer dan", {"offer dan": with_(to="")}, "asked"),
    ("an offer is made no longer", "broken", "offer longer", {"offer longer": with_(until="2026-11-20T09:00:00Z")}, "asked"),
    ("orders without a box", "broken", "orders bea", {"orders bea": with_(box=None)}),
    ("a box that is not base64", "broken", "orders bea", {"orders bea": with_(box="box")}),
    ("a hidden draw without a box", "broken", "start", {"start": lambda record: {**record, "hidden": [{"seal": record["hidden"][0]["seal"]}]}}),
    ("a mark in `seals` that no record has", "broken", "close 1", {"close 1": seal_of_seat_2(MARK)}),
    ("format 3", "unknown", "create", {"create": with_(format=3)}),
    ("format 1", "broken", "create", {"create": with_(format=1)}),
    ("no format", "broken", "create", {"create": with_(format=None)}),
    ("press of a kind that nobody knows", "unknown", "create", {"create": with_(press="red")}),
    ("press that nobody knows how to deliver", "unknown", "create", {"create": with_(press_delivery="never")}),
    ("a ruleset that nobody knows", "unknown", "create", {"create": with_(ruleset="galaxy-tourist")}),
    ("a later version of the rules", "unknown", "create", {"create": with_(version=3)}),
    ("an earlier version of the rules", "broken", "create", {"create": with_(version=1)}),
    ("later views", "unknown", "create", {"create": with_(views=3)}),
    ("an option that the rules do not have", "unknown", "create", {"create": with_(options={"luck": 1})}),
    ("an option out of its bounds", "broken", "create", {"create": with_(options={"coop": 4})}),
    ("more seats than the rules have", "broken", "create", {"create": with_(ruleset="galaxy-farmer")}),
    ("format 3, and it lacks a member of format 2", "unknown", "create", {"create": with_(format=3, press=None)}),
    ("a type that nobody knows, of another game", "unknown", "orders ann", {"orders ann": with_(type="press"), "raw orders ann": lambda line: line.replace(b'"game":"synthetic"', b'"game":"another"')}),
    ("a kind of note that nobody knows, where no note may stand", "unknown", "robot", {"robot": with_(type="note", kind="clan", by="ann")}),
    ("a member that stands in objects of other records alone", "unknown", "orders ann", {"orders ann": with_(sig="")}),
    ("a clock with a member that nobody knows", "unknown", "create", {"create": with_(clock={"schedule": "1d", "moon": "full"})}),
    ("places that leave one out", "broken", "end", {"end": lambda record: {**record, "scores": [*record["scores"][:3], {**record["scores"][3], "place": 3}]}}),
    ("orders are missing that nobody awaits", "broken", "orders ann", instead("note", kind="hold", turn=1, missing=[1], awaited=[2])),
    ("a moderator bans another one than the text does", "broken", "ban", {"text ban": lambda text: text.replace("ban ann", "ban bea")}, "watched"),
    ("a round is over, and somebody has won", "broken", "end", {**CUT, "end": lambda record: {**record, "scores": [{**record["scores"][0], "won": True}, *record["scores"][1:]]}}, "cut"),
    ("signed press that is grey", "broken", "create", {"create": with_(press="grey", press_signed=True)}),
    ("signed press that is none", "broken", "create", {"create": with_(press_signed=False)}),
    ("a key of a signature that is a list", "broken", "join ann", {"join ann": lambda record: {**record, "signed": {**record["signed"], "signature": {"key": [[]], "sig": ""}}}}),
    ("a report that is a list", "broken", "start", {"start": lambda record: {**record, "reports": [[], *record["reports"][1:]]}}),
    ("a robot was told", "broken", "turn", {"turn": with_(told=[3])}),
    ("a seat was told twice", "broken", "turn", {"turn": with_(told=[1, 1])}),
    ("`told` of the deal", "broken", "start", {"start": with_(told=[1])}),
    ("a clock that is null", "broken", "create", {"create": lambda record: {**record, "clock": None}}),
    ("a turn's deadline that the schedule does not give", "broken", "turn", {"turn": lambda record: {**record, "deadline": "2026-12-24T08:00:00Z"}}),
    ("a vacation after which the deadline is none", "broken", "turn", {"turn": lambda record: {**record, "away": [{"seat": 2, "player": "cid", "from": "2026-11-20", "to": "2026-11-22"}]}}),
    ("no nonce", "broken", "create", {"create": with_(nonce=None)}),
    ("a table of three seats", "broken", "create", {"create": with_(table=["", "for:cid", "robot:hal"])}),
    ("a player twice in the table", "broken", "create", {"create": with_(table=["for:cid", "for:cid", "robot:hal", ""])}),
    ("a player in the table who has not joined", "broken", "create", {"create": with_(table=["ann", "for:cid", "robot:hal", ""])}),
    ("an entry that is none", "broken", "create", {"create": with_(table=["", "for:", "robot:hal", ""])}),
    ("`answer_by`, and no seat is kept", "broken", "create", {"create": with_(table=["", "", "robot:hal", ""])}),
    ("a member that nobody knows", "unknown", "orders ann", {"orders ann": with_(colour="red")}),
    ("the same in an object", "broken", "start", {"start": lambda record: {**record, "hidden": [{**record["hidden"][0], "salt2": MARK}]}}),
    ("a member of other records", "broken", "orders ann", {"orders ann": with_(missed=[])}),
    ("another robot than the table's", "broken", "robot", {"robot": with_(robot="mel")}),
    ("a robot in another seat", "broken", "robot", {"robot": with_(seat=4)}),
    ("somebody whom the table names is not entered", "broken", "reminder", {"create": with_(table=["", "for:cid", "robot:hal", "robot:mel"])}),
    ("the operator enters a player later", "broken", "join ann", {"join ann": joined_by_word}),
    ("nobody's text seats her", "broken", "entered", {"entered": with_(by=None, signed=None, text=None, mail=None)}, "entered"),
    ("a text for another competition", "broken", "entered", {"text entered": lambda text: text.replace("cup", "cap")}, "entered"),
    ("a text for another league", "broken", "entered", {"text entered": lambda text: text.replace("SHA256:", "SHA256:A")}, "entered"),
    ("a text by which she withdraws", "broken", "entered", {"text entered": lambda text: text.replace("enter", "withdraw")}, "entered"),
    ("a text of one game seats her", "broken", "entered", {"text entered": lambda text: text.replace("#end", "game: gc-1\n#end")}, "entered"),
    ("another player's text", "broken", "entered", {"entered": with_(by="bea")}, "entered"),
    ("keys that the league names", "broken", "entered", {"entered": with_(keys=[])}, "entered"),
    ("she is entered and joins", "broken", "entered", {"entered": with_(mark=MARK)}, "entered"),
    ("she sits down otherwise", "broken", "entered", {"entered": with_(why="seated")}, "entered"),
    ("a reminder to a seat that is kept for nobody", "broken", "reminder", {"reminder": with_(seats=[1])}),
    ("a reminder of another time", "broken", "reminder", {"reminder": with_(deadline="2026-11-20T08:31:00Z")}),
    ("the seat is kept for somebody else", "broken", "join cid", {"create": with_(table=["", "for:eve", "robot:hal", ""])}),
    ("another seat is kept for her", "broken", "join ann", {"create": with_(table=["", "for:ann", "robot:hal", ""])}),
    ("a seat that is kept is drawn", "broken", "join cid", {"join cid": with_(drawn=True)}),
    ("not the lowest seat that is free", "broken", "join ann", {"join ann": with_(seat=4)}),
    ("an empty wish", "broken", "join ann", {**SHIPS, "join ann": with_(wish="")}),
    ("who waited has a wish", "broken", "leave ann", {**SHIPS, "leave ann": with_(wish="Swift")}, "followed"),
    ("`drawn` is false", "broken", "join ann", {"join ann": with_(drawn=False)}),
    ("the close of the deal has marks that are not sorted", "broken", "close 0", {"close 0": list_swapped("seals")}),
    ("the close of the deal lacks a mark", "broken", "close 0", {"close 0": lambda record: {**record, "seals": ["", *record["seals"][1:]]}}),
    ("witnesses without a quorum", "broken", "create", {"create": with_(quorum=None)}),
    ("a quorum of none", "broken", "create", {"create": with_(quorum=0)}),
    ("a quorum of more than there are", "broken", "create", {"create": with_(quorum=2)}),
    ("a quorum that is no majority", "broken", "create", {"create": lambda record: {**record, "witnesses": [*record["witnesses"], {"name": "wim", "vkey": OTHER_WITNESS, "vrf": record["vrf_key"]}]}}),
    ("a witness with the key of another", "broken", "create", {"create": lambda record: {**record, "quorum": 2, "witnesses": [*record["witnesses"], {**record["witnesses"][0], "name": "wim", "vrf": record["vrf_key"]}]}}),
    ("a witness with the dice of another", "broken", "create", {"create": lambda record: {**record, "quorum": 2, "witnesses": [*record["witnesses"], {**record["witnesses"][0], "name": "wim", "vkey": OTHER_WITNESS}]}}),
    ("the witnesses' log has another key", "broken", "create", {"create": with_(log=synthetic.WITNESS)}),
    ("a witness whose key is a log's", "broken", "create", {"create": lambda record: {**record, "witnesses": [{**record["witnesses"][0], "vkey": synthetic.LOG}]}}),
    ("the witness's dice are over another game", "broken", "witness 0", {"witness dice 0": lambda over: over.replace(b"synthetic", b"another-1")}),
    ("the witness's dice are over another turn", "broken", "witness 0", {"witness dice 0": lambda over: over.replace(b"turn 0.0", b"turn 0.1")}),
    ("the witness has seen marks that are not sorted", "broken", "witness 0", {"witness marks 0": swapped}),
    ("the witness has seen another record", "broken", "witness 0", {"entry 0": lambda line: re.sub(r" (\d+) 2026", " 2 2026", line)}),
    ("the witness has seen another head", "broken", "witness 0", {"entry 0": lambda line: re.sub("Z [0-9a-f]{64}", "Z " + MARK, line)}),
    ("the witness has seen an entry of another kind", "broken", "witness 0", {"entry 0": lambda line: re.sub("^close", "turn", line)}),
    ("the entry is older than the close", "broken", "witness 0", {"entry 0": lambda line: line.replace("2026-11-20T08", "2026-11-20T07")}),
    ("the entry is dated ahead of the witness", "broken", "witness 0", {"entry 0": lambda line: line.replace("2026-11-20T08", "2026-11-20T09")}),
    ("the witness saw it before it was closed", "broken", "witness 0", {"cosigned 0": lambda at: at - 86400}),
    ("nobody has cosigned it", "broken", "witness 0", {"signatures 0": lambda lines: lines[:1]}),
    ("the league has not signed it", "broken", "witness 0", {"signatures 0": lambda lines: lines[1:]}),
    ("a cosignature with another time", "broken", "witness 0", {"signatures 0": lambda lines: [lines[0], (lines[1][0], lines[1][1][:11] + b"\0" + lines[1][1][12:])]}),
    ("a checkpoint of another log", "broken", "witness 0", {"note 0": lambda note: "x" + note}),
    ("a turn without its witness", "broken", "witness 0", {"witness 0": instead_of_witness}),
    ("all are told before three days are over", "broken", "late", {"late": with_(time="2026-11-21T09:00:00Z")}, "unwitnessed"),
    ("a seat goes on without before all were told", "broken", "late", {"late": with_(kind="unwitness", seat=1)}, "unwitnessed"),
    ("a seat goes on without twice", "broken", "without bea", {"without bea": with_(seat=1)}, "unwitnessed"),
    ("a deadline, and the turn is not open again", "broken", "without ann", {"without ann": with_(deadline="2026-11-24T09:00:00Z")}, "unwitnessed"),
    ("the turn is closed again with the rollbacks of before", "broken", "again", {"again": with_(rollbacks=0)}, "unwitnessed"),
    ("one of three opens the turn again", "broken", "without bea", {"without bea": lambda record: {"type": "close", "turn": 1, "seals": [""] * 4, "set": [], "deal": MARK, "rollbacks": 1, "missed": []}}, "unwitnessed"),
    ("alpha with marks that are not sorted", "broken", "start", {"marks 0": swapped}),
    ("alpha with another prefix", "broken", "start", {"alpha 0": other_prefix}),
    ("seats that were drawn otherwise", "broken", "start", {"start": drawn_by_others}),
    ("seats that were drawn and are not told", "broken", "start", {"start": with_(drawn=None)}),
    ("`drawn` of a turn", "broken", "turn", {"turn": with_(drawn=[])}),
    ("alpha with another prefix in a turn", "broken", "turn", {"alpha 1": other_prefix}),
    ("alpha without one of the marks", "broken", "turn", {"marks 1": lambda marks: [bytes(32), *marks[1:]]}),
    ("a close without `set`", "broken", "close 1", {"close 1": with_(set=None)}),
    ("`set` of a seat with a mark", "broken", "close 1", {"close 1": with_(set=[1, 2])}),
    ("`set` of a seat for which nobody set orders", "broken", "close 1", {"close 1": lambda record: {**record, "set": [1, 2], "seals": ["", *record["seals"][1:]]}}),
    ("`set` of a robot", "broken", "close 1", {"close 1": with_(set=[2, 3])}),
    ("a seat in `set` and in `missed`", "broken", "close 1", {"close 1": with_(missed=[2])}),
    ("the seal of a moderator's orders among the marks", "broken", "close 1", moderators_seal()),
    ("nobody answered, but they had time", "broken", "end", {"end": with_(time="2026-11-20T08:30:00Z")}, "unanswered"),
    ("nobody answered, and there are scores", "broken", "end", {"end": with_(scores=[{}])}, "unanswered"),
    ("a rematch of no history", "broken", "create", {"create": with_(rematch="gc-1")}, "unanswered"),
    ("a rematch of no game", "broken", "create", {"create": with_(rematch="GC 1", rematch_head=MARK)}, "unanswered"),
    ("a seat is kept, and nobody says until when", "broken", "create", {"create": with_(answer_by=None)}, "unanswered"),
    ("a game that was played is unanswered", "broken", "end", {"end": with_(reason="unanswered", scores=[])}),
    ("a deadline after the round", "broken", "start", cut(start={"deadline": "2026-11-20T10:06:00Z"}), "cut"),
    ("a deadline before the round's end", "broken", "start", cut(start={"deadline": "2026-11-20T09:59:00Z"}), "cut"),
    ("no deadline, and the round is not over", "broken", "orders ann", cut(start={"deadline": None}), "cut"),
    ("the round ends too early", "broken", "end", cut(end={"time": "2026-11-20T09:59:59Z"}), "cut"),
    ("a round ends, and the game has none", "broken", "end", cut(create={"compete": {m: v for m, v in PLACE.items() if m != "until"}}, start={"deadline": "2026-11-20T10:05:00Z"}), "cut"),
    ("`until` that is no time", "broken", "create", cut(create={"compete": {**PLACE, "until": 5}}), "cut"),
    ("the round ends with no turn played, and another reason", "broken", "end", cut(end={"reason": "over"}), "cut"),
    ("who follows is not drawn", "broken", "leave ann", {"leave ann": with_(drawn=None)}, "followed"),
    ("a text to leave with half a head", "broken", "leave ann", {"text leave ann": short_head}, "followed"),
    ("who follows may not have the seat", "broken", "leave ann", {"create": with_(table=["", "for:dan", "robot:hal", ""])}, "followed"),
    ("a seat is named that is held, and no other is free", "broken", "join bea", {"create": with_(table=["", "for:cid", "robot:hal", "for:eve"]), "text join bea": text_with("seat: 1")}, "moved"),
    ("a ban of no league", "broken", "ban", {"text ban": lambda text: re.sub("league:\n.*\n", "", text)}, "watched"),
    ("a ban of another league", "broken", "ban", {"text ban": lambda text: re.sub("SHA256:.", "SHA256:?", text)}, "watched"),
    ("orders wait where none may", "broken", "orders ann", {"create": with_(second_thoughts=60)}, "waiting"),
    ("`waits` is false", "broken", "orders ann", {**TYPO_WAIT, "orders ann": with_(waits=False)}, "waiting"),
    ("`typo_wait` is false", "broken", "create", {"create": with_(typo_wait=False)}, "waiting"),
    ("a day of second thoughts, and a second", "broken", "create", {"create": with_(second_thoughts=86401)}, "waiting"),
    ("orders wait, and the turn is closed on the same day", "broken", "close 1", {**TYPO_WAIT, "close 1": with_(time="2026-11-21T08:00:00Z")}, "waiting"),
    ("a turn waits in a game of several", "broken", "turn", {"create": with_(typo_wait=True), "turn": with_(waits=True)}),
    ("a mail domain vouches in a game of keys", "broken", "join ann", {"create": with_(trust=None)}, "mailed"),
    ("a trust that nobody knows", "unknown", "create", {"create": with_(trust="word")}, "mailed"),
    ("a mail domain vouches for a player who has a key", "broken", "orders ann", {}, "mailed_over_a_key"),
    ("a mail that came before its turn", "broken", "orders ann", {"orders ann": vouched_with(arrived="2026-11-20T08:04:59Z")}, "mailed"),
    ("a mail that came after its record", "broken", "orders ann", {"orders ann": vouched_with(arrived="2026-11-20T08:59:00Z")}, "mailed"),
    ("words that came after their record", "broken", "observe", {"observe": vouched_with(arrived="2026-11-20T08:59:00Z")}, "said"),
    ("a mail of which nobody says when it came", "broken", "orders ann", {"orders ann": vouched_with(arrived=None)}, "mailed"),
    ("a mail domain vouches without its key", "broken", "orders ann", {"orders ann": vouched_with(key=None)}, "mailed"),
    ("a question about a mail of nobody", "broken", "question", {"question": with_(vouched=None)}, "questioned"),
    ("a question about no mail", "broken", "question", {"question": with_(mail=None)}, "questioned"),
    ("a question to a player who has a key", "broken", "question", {"question": with_(seat=2)}, "questioned"),
    ("a question to a robot", "broken", "question", {"question": with_(seat=3)}, "questioned"),
    ("a question about another turn", "broken", "question", {"question": with_(turn=2)}, "questioned"),
    ("a question, and the orders that it is about", "broken", "question", {"question": with_(made=MARK)}, "questioned"),
    ("a second question while the first is open", "broken", "orders bea", question_twice(), "questioned"),
    ("a question is open, and the turn is closed on the same day", "broken", "close 1", {"close 1": with_(time="2026-11-21T08:00:00Z")}, "questioned"),
    ("a text of a mail to which nothing binds the league", "broken", "orders ann", {"orders ann": with_(made=None)}, "mailed"),
    ("a text of a key is bound as one of a mail", "broken", "orders ann", {"orders ann": with_(made=MARK)}),
    ("a mail domain vouches in a way that nobody knows", "broken", "orders ann", {"orders ann": vouched_with(learned="by heart")}, "mailed"),
    ("a mail domain vouches for joins in a game of keys", "broken", "join ann", {"create": with_(trust=None)}, "said"),
    ("a mail domain vouches for who joins with a key", "broken", "join ann", {"join ann": with_(keys=[PEOPLE["ann"].key])}, "said"),
    ("what was said is not canonical", "broken", "observe", {"text observe": lambda text: text + "  "}, "said"),
    ("nobody vouches for what was said", "broken", "observe", {"observe": with_(vouched=None)}, "said"),
    ("something was said, and signed as well", "broken", "observe", {"observe": with_(signed={})}, "said"),
    ("another text than was said", "broken", "observe", {"observe": with_(by="eve", player="eve")}, "said"),
    ("somebody else said that a player resigns", "broken", "resign", {"resign": with_(by="bea")}, "said"),
    ("a mail domain vouches for who waits with a key", "broken", "wait dan", {"wait dan": with_(keys=[PEOPLE["dan"].key])}, "said"),
    ("a text for another verb was said", "broken", "resign", {"text resign": lambda text: text.replace("resign", "leave")}, "said"),
    ("orders resign for another seat", "broken", "resigned", {"resigned": with_(seat=2, robot="cid")}, "resigned"),
    ("orders resign, and somebody else's robot plays", "broken", "resigned", {"resigned": with_(robot="bea")}, "resigned"),
    ("a pause behind a close", "broken", "resend", {"resend": with_(do="pause", seat=None)}, "behind"),
    ("orders with a mark that stood before", "broken", "orders bea", marks_twice()),
    ("an offer behind a close", "broken", "resend", {"resend": lambda record: {"type": "note", "kind": "offer", "turn": 1, "seat": 1}}, "behind"),
    ("records were lost, and the draws are those of before", "broken", "lost", {"lost": with_(rollbacks=0)}, "lost"),
    ("records were lost, and the turn has no number of draws", "broken", "lost", {"lost": with_(rollbacks=None)}, "lost"),
    ("records were lost in another turn", "broken", "lost", {"lost": with_(turn=2)}, "lost"),
    ("a turn that was lost is closed with the draws of before", "broken", "again", {"again": with_(rollbacks=0)}, "lost"),
    ("a ban behind the close of the deal", "broken", "witness 0", {"witness 0": banned_instead}, "behind"),
    ("an observer's text without a head", "broken", "observe", {"text observe": no_head}, "watched"),
    ("a moderator's text with half a head", "broken", "pause", {"text pause": short_head}, "watched"),
    ("a moderator's text that answers an old head", "broken", "pause", {"text pause": head(MARK)}, "watched"),
    ("a ruling without a head", "broken", "ruling", {"text ruling": no_head}, "watched"),
    ("a ruling with a head that there is not", "broken", "ruling", {"text ruling": head(MARK)}, "watched"),
    ("a ruling on a record that is no appeal", "broken", "ruling", {"ruling": with_(appeal=1), "text ruling": lambda text: re.sub("appeal: .*", "appeal: 1", text)}, "watched"),
    ("a ruling on an appeal about another turn", "broken", "ruling", {"ruling": with_(about=1)}, "watched"),
    ("lockstep by rules that draw", "broken", "create", {"create": with_(ruleset="galaxy-command")}, "lockstepped"),
    ("lockstep, and a clock", "broken", "create", {"create": with_(clock={"schedule": "1h", "zone": "", "grace": 0, "minimum": 0, "extension": 0, "early": True, "vote": 50})}, "lockstepped"),
    ("lockstep, and second thoughts", "broken", "create", {"create": with_(second_thoughts=60)}, "lockstepped"),
    ("lockstep, and seats are offered", "broken", "create", {"create": with_(missed_standby=2)}, "lockstepped"),
    ("lockstep with turns of another length", "broken", "create", {"create": with_(turn_length=7200)}, "lockstepped"),
    ("lockstep with turns of no hours", "broken", "create", lockstep_with(hours=0), "lockstepped"),
    ("lockstep that closes as it opens", "broken", "create", lockstep_with(closes="2026-11-20T09:00:00Z"), "lockstepped"),
    ("lockstep that never closes", "broken", "create", lockstep_with(closes=None), "lockstepped"),
    ("lockstep with a member that nobody knows", "broken", "create", lockstep_with(shown=True), "lockstepped"),
    ("a deal before turn 1 opens", "broken", "start", {"start": with_(time="2026-11-20T08:59:59Z")}, "lockstepped"),
    ("a deadline that is not when the next turn opens", "broken", "start", {"start": with_(deadline="2026-11-20T10:30:00Z")}, "lockstepped"),
    ("a vacation in lockstep", "broken", "start", {"start": with_(away=[{"seat": 1, "player": "ann", "from": "2026-11-20", "to": "2026-11-21", "before": "2026-11-20T09:30:00Z"}])}, "lockstepped"),
    ("a turn is closed before the next one opens", "broken", "close 1", {"close 1": with_(time="2026-11-20T09:59:59Z")}, "lockstepped"),
    ("the seals are opened before the deal closes", "broken", "open", {"end": with_(time="2026-11-20T10:30:00Z"), "open": with_(time="2026-11-20T10:59:59Z")}, "lockstepped"),
    ("a pause in lockstep", "broken", "orders ann", instead("moderate", do="pause", **WORD), "lockstepped"),
    ("a turn is resolved by word in lockstep", "broken", "orders ann", instead("moderate", do="resolve", **WORD), "lockstepped"),
    ("a deadline is put off in lockstep", "broken", "orders ann", instead("moderate", do="extend", deadline="2026-11-20T10:30:00Z", **WORD), "lockstepped"),
    ("an outage moves a deadline in lockstep", "broken", "orders ann", instead("note", kind="shift", turn=1, why="outage", deadline="2026-11-20T10:30:00Z", seconds=60, **{"from": "2026-11-20T10:00:00Z"}), "lockstepped"),
    ("somebody watches in lockstep", "broken", "orders ann", instead("note", kind="observe", turn=1, player="dan", stop=False), "lockstepped"),
    ("one seat alone was held, and it is not told who has it", "broken", "start", {"start": with_(drawn=None)}, "moved"),
    ("marks in alpha as if who moved were still there", "broken", "start", {"marks 0": swapped}, "moved"),
]


# All stories that nothing breaks, and the changes with which they hold.
STORIES = {
    **{story: {} for story in "whole moved watched resigned behind lost unanswered mailed questioned said lockstepped cut entered unwitnessed asked crowded passed_over".split()},
    **{"followed": WISHES, "waiting": TYPO_WAIT},
}
# What a story is always told with: bea's text names the place that ann holds.
WITH = {"moved": {"text join bea": text_with("seat: 1")}, "cut": CUT}


def changed(story, changes):
    """What `story` is told with, and these changes instead of it."""
    return {**WITH.get(story, {}), **changes}


def verdict(story, changes, step, opened=True):
    """The verifier's, of a story that ends after that step; the record's number; why."""
    told, lines = synthetic.told(story, changed(story, changes), step)
    out = journal.check(lines, keys=synthetic.KEYS if opened else None)
    return out.verdict, out.record, out.why, told


def all_breaks(every):
    """(what, what is wrong with the verdict or None) of each `every`th."""
    for opened, breaks in ((True, OPENED), (False, PUBLIC)):
        for what, want, step, changes, *story in breaks[::every]:
            for keyed in [True] if opened else [True, False]:
                got, record, why, told = verdict(story[0] if story else "whole", changes, step, keyed)
                wrong = (got, record) != (want, told.at[step])
                yield what, "%s at record %d (%s), not %s at %d" % (got, record, why, want, told.at[step]) if wrong else None
