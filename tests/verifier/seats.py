"""Records of who plays: create, seat, key."""
import datetime

import tlog
from schedule import Schedule
from table import *


def asked(record):
    """Is there a text that asks for it?"""
    return any(member in record for member in ("signed", "said"))


class Seats(Table):
    def on_create(self, record):
        self.shape(record, "create")
        seats = take_ruleset(record)
        hex32(record, "cards")
        if "card_data" in record:
            must(isinstance(record["card_data"], dict) and json_digest(record["card_data"]) == hex32(record, "cards"), '"cards" is not the digest of "card_data"')
        self.n = number(record, "seats", *seats)
        self.ruleset = record["ruleset"]
        self.vrf = hex32(record, "vrf_key")
        must(curve.vrf_key(self.vrf) is not None, '"vrf_key" is no key')
        self.commitment = hex32(record, "seal_key")
        self.schedule = Schedule(record)
        number(record, "missed_robot", 0, 1000)
        number(record, "missed_standby", 0, 1000)
        self.press = record["press"]
        for member, words in (("press", ("white", "grey", "none")), ("press_delivery", ("now", "report"))):
            if text(record, member) not in words:
                raise Unknown("this verifier does not know the %s %s" % (member, record[member]))
        must("press_signed" not in record or (record["press_signed"] is True and self.press == "white"), '"press_signed" is for white press')
        self.take_witnesses(record)
        for member, mine in (("views", 2), ("language", 3)):
            if number(record, member, mine, 2**62) > mine:
                raise Unknown("this verifier does not know the %s %d" % (member, record[member]))
        must(isinstance(record["observers"], bool), '"observers" must be true or false')
        must(record.get("typo_wait", True) is True, '"typo_wait" must be true')
        self.typo_wait = "typo_wait" in record
        if record.get("trust", "mail") != "mail":
            raise Unknown("this verifier does not know the trust %s" % record["trust"])
        self.by_mail = "trust" in record
        if "second_thoughts" in record:
            number(record, "second_thoughts", 1, 86400)
        self.private = record["observers"] is False
        self.seats = [None] + [Seat() for _ in range(self.n)]
        self.take_table(record)
        self.take_place(record)
        self.take_lockstep(record)

    def take_table(self, record):
        """Who may have each seat."""
        hex32(record, "nonce")
        table, players = record.get("table"), []
        must(isinstance(table, list) and len(table) == self.n, '"table" does not have each seat')
        for i, entry in enumerate(table, 1):
            must(isinstance(entry, str), '"table" must be a list of texts')
            how, _, who = entry.rpartition(":")
            must(entry == "" or (how in ("robot", "for", "") and name_good(who) and entry != ":" + who), '"table" has an entry that is none')
            must(not entry or how or "compete" in record, '"table" seats a player who has not joined')
            if how == "for":
                self.kept[i] = who
            elif entry:
                self.entered.append((i, who, how == "robot"))
            if entry and how != "robot":
                players.append(who)
        must(len(set(players)) == len(players), '"table" names a player twice')
        must(("rematch" in record) == ("rematch_head" in record), '"rematch" and "rematch_head" go together')
        if "rematch" in record:
            name(record, "rematch")
            hex32(record, "rematch_head")
        must(("answer_by" in record) == bool(self.kept), '"answer_by" is there when a seat is kept, and only then')
        if self.kept:
            self.answer_by = time(record, "answer_by")

    def take_place(self, record):
        """Of a competition's game: its table."""
        place = record.get("compete")
        if place is None:
            return
        must(isinstance(place, dict), '"compete" must be an object')
        only(place, "name head round table attempt until?", '"compete"')
        if "until" in place:
            self.round_ends = time(place, "until")
        self.competition = name(place, "name")
        hex32(place, "head")
        for member, most in (("round", 1000), ("table", 100000), ("attempt", 1000)):
            number(place, member, 1, most)
        self.root_of_draws = hex32(record, "nonce")

    def take_witnesses(self, record):
        self.witnesses = Quorum(record, self.league)
        self.counts["keys"] += len(self.witnesses)

    def log_name(self):
        """How the log calls the game."""
        return tlog.hidden_name(self.first_head.hex()) if self.private or self.lockstep else self.game

    def on_seat(self, record):
        seat = self.seat(record)
        why = record.get("why")
        if why == "resigned":
            self.resigned(record, seat)
        elif why in ("standby", "back"):
            self.sat_down(record, seat, why)
        else:
            must(why in (None, "entered"), '"why" is unknown')
            must(self.turn == 0 and not self.dealt(), "seats are filled before the game begins")
            self.filled(record, seat)
        if why in ("standby", "back"):
            seat.withdraw(self.seq)
            seat.join = bytes(32)
        self.sits(self.seats[record["seat"]])

    def dealt(self):
        return self.turn > 0

    def filled(self, record, seat):
        if self.entered:
            self.enter(record)
        else:
            must("robot" not in record and ("mark" in record or "free" in record), "the operator enters those of the table, and at once")
        if "free" in record or "waited" in record:
            self.shape(record, "seat waited" if "waited" in record else "seat free")
            self.left(record, seat, lambda: self.petition(record, "leave", seat.player))
            return
        must(seat.player is None or seat.drawn, "the seat is taken")
        fresh = Seat()
        if "robot" in record:
            self.shape(record, "seat robot")
            fresh.player, fresh.robot = name(record, "robot"), True
        else:
            self.shape(record, "seat joined" if "mark" in record else "seat entered")
            fresh.player = name(record, "player")
            must(self.seat_of(fresh.player) is None, "the player has a seat")
            if "mark" not in record:
                self.petition(record, "enter", fresh.player)
                fresh.keys = keys_of_text(record)
            else:
                fresh.join, fresh.keys = self.join_text(record, record["seat"])
                fresh.drawn = "drawn" in record
                self.make_room(record, seat)
                self.waiting = [w for w in self.waiting if w[0] != fresh.player]
        self.seats[record["seat"]] = fresh

    def enter(self, record):
        """The next of those whom the operator enters."""
        number, who, robot = self.entered.pop(0)
        must("mark" not in record and record["seat"] == number, "it is not the next seat that the table fills")
        must(record.get("robot" if robot else "player") == who, "the table has somebody else in this seat")

    def check_kept(self, record, player):
        kept = self.kept.get(record["seat"])
        must(kept in (None, player), "the seat is kept for somebody else")
        must(kept or player not in self.kept.values(), "another seat is kept for him")
        return kept

    def make_room(self, record, seat):
        """Whether somebody may join in this seat."""
        kept = self.check_kept(record, record["player"])
        free = [i for i in range(1, self.n + 1) if self.seats[i].player is None and i not in self.kept]
        if "drawn" in record:
            must(record["drawn"] is True and not kept, '"drawn" must be true, and not of a seat that is kept')
            must(free[:1] == [record["seat"]], "it is not the lowest seat that is free")
        elif seat.drawn:
            must(free, "who holds the seat has no place to move to")
            self.seats[free[0]] = seat

    def left(self, record, seat, asked):
        """Somebody's seat is free, or goes to who waited longest."""
        must(seat.player and not seat.robot and record["left"] == seat.player, "it is not the seat of who left")
        asked()
        fresh = Seat()
        if "waited" in record:
            must(record["waited"] is True, '"waited" must be true')
            fresh.player, fresh.join = name(record, "player"), hex32(record, "mark")
            must(self.waiting and self.waiting[0][:2] == (fresh.player, fresh.join), "it is not who waited longest")
            fresh.keys = self.waiting.pop(0)[2]
            must(not self.check_kept(record, fresh.player), "the seat is kept, and not for who waits")
            must(self.seat_of(fresh.player) is None, "the player has a seat")
            must(record["drawn"] is True, '"drawn" must be true')
            fresh.drawn = True
        else:
            must(record["free"] is True, '"free" must be true')
            self.counts["interventions"] += bool(self.waiting) and record["seat"] not in self.kept  # the first who waits has lost a key, the operator says
        self.seats[record["seat"]] = fresh

    def resigned(self, record, seat):
        self.shape(record, "seat resigned" if asked(record) else "seat resigned by orders")
        must(self.dealt(), "nobody resigns before the game begins")
        must(seat.player and not seat.robot and record.get("robot") == seat.player, "it is not the seat of who resigned")
        if asked(record):
            self.petition(record, "resign", seat.player)
        else:
            must(self.last.get("type") == "orders" and self.last["seat"] == record["seat"], "nobody asked for it")
        seat.robot, seat.keys, seat.offer, seat.question, seat.vote = True, [], None, False, 0

    def sat_down(self, record, seat, why):
        self.shape(record, "seat " + why)
        player = name(record, "player")
        must(self.dealt() and self.seat_of(player) is None, "he has a seat, or nobody can sit down now")
        if why == "standby":
            frame = self.petition(record, "take", player, [], True)
            must(seat_number(frame.line("seat")) == record["seat"], "the text is about another seat")
            must(seat.offer and seat.offer[0] == player and self.time <= seat.offer[1], "the seat is not offered to him")
            seat.owner = seat.player if not seat.robot and seat.player not in seat.took_back else None
            seat.owner_keys = seat.keys
        else:
            must(seat.owner == player, "the seat was not his, or it is too late")
            self.petition(record, "back", player, seat.owner_keys, True)
            seat.took_back = {player} | seat.took_back
            seat.owner = None
        self.standby = [p for p in self.standby if p != player]
        self.observers = [p for p in self.observers if p != player]
        seat.player, seat.robot, seat.keys, seat.vote = player, False, keys_of_text(record), 0
        seat.no_offer()

    # ---- other keys ----

    def on_key(self, record):
        self.shape(record, "key signed" if "signed" in record else "key asked")
        seat, keys = self.players_seat(record), key_list(record)
        if "signed" in record:
            date = self.key_text(record, seat, keys)
        else:
            must(seat.rekey and seat.rekey[0] == record["asked"] and keys == [seat.rekey[2]], "nobody asked for that key")
            must(7 * 86400 <= self.time - seat.rekey[1] <= 28 * 86400, "it was asked for less than seven days ago, or more than four weeks")
            date, seat.rekey = self.today(), None
            self.counts["keys"] += 1
        gone = seat.keys_gone if date == seat.key_text_day else set()
        seat.keys_gone = gone | (set(seat.keys) - set(keys))
        seat.key_text_day, seat.keys = date, keys

    def sits(self, seat):
        seat.keys_day, seat.key_text_day, seat.keys_gone, seat.rekey = self.today(), 0, set(), None

    def today(self):
        return datetime.date(1970, 1, 1).toordinal() + self.time // 86400

    def key_text(self, record, seat, keys):
        """A text of the player's, or of a moderator's, which takes keys away. Its day."""
        own = record["by"] == seat.player
        frame = self.petition(record, "key", name(record, "by"))
        self.counts["strangers"] += not own and self.seat_of(record["by"]) is not None  # that he is a moderator, the operator says
        whose, add, revoke = (frame.line(line) for line in ("player", "add", "revoke"))
        must(small(whose or "") == seat.player if whose is not None else own, "the text is about another player")
        must(own or add is None, "only their player adds keys to a seat")
        date = day({"date": frame.line("date")}, "date")
        must(date >= seat.keys_day - 1 and date >= seat.key_text_day, "the text is older than the keys of the seat")
        left = [key for key in seat.keys if revoke is None or not is_named(key, revoke)]
        new = [] if add is None or any(is_added(key, add) for key in left) else keys[-1:]
        must(not new or is_added(new[0], add), "the key is not the one that the text names")
        must(date != seat.key_text_day or not seat.keys_gone.intersection(new), "another text of that day has taken this key away")
        must(keys == left + new != seat.keys, "its keys are not what the text says")
        must(keys or (own and self.by_mail and small(frame.line("trust") or "") == "mail"), "the seat would have no key")
        return date

    def note_rekey(self, record):
        self.shape(record, "note rekey")
        name(record, "by")
        seat, keys = self.players_seat(record), key_list(record)
        must(len(keys) == 1, "one key takes the place of those that are lost")
        seat.rekey = (self.seq, self.time, keys[0])

    def note_veto(self, record):
        self.shape(record, "note veto")
        name(record, "by")
        seat = self.players_seat(record)
        must(seat.rekey, "no other key was asked for")
        seat.rekey = None

    def note_mailbox(self, record):
        self.shape(record, "note mailbox")
        name(record, "by")
        self.players_seat(record)
        self.counts["mailboxes"] += 1
