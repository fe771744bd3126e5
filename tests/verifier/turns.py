"""Records of turns: orders, close, start, turn, end, open; and what witnesses add."""
import draws
from deadlines import Deadlines
from lockstep import Lockstep
from seats import *

GAMES_WITHOUT_EARLY_ORDERS = ("galaxy-command",)


class Vacation:
    """One that a deadline was moved for by record `seq`."""

    def __init__(self, seq, player, last, before):
        self.seq, self.player, self.last, self.before = seq, player, last, before
        self.settled, self.unused = 0, False  # the record that closed its turn


class Turns(Seats, Deadlines, Lockstep):
    # ---- orders, close ----

    def on_orders(self, record):
        self.shape(record, "orders")
        self.open_turn(record)
        seat = self.players_seat(record)
        hex32(record, "mail")
        seal = hex32(record, "seal")
        must(("made" in record) == ("vouched" in record), '"made" and "vouched" do not come together')
        answered = self.heads[0]  # at least, where the text is sealed
        must("vouched" in record or seat.keys, "no key could have signed it")
        inside = self.marked(record)
        if inside is not None:
            if "vouched" in record:
                frame = self.made_text(inside["signature"], inside["text"], "orders", True)
                must(made_of(inside["signature"], inside["text"]) == hex32(record, "made"), "a text that is not the one made of its mail")
                answered = frame.fields["head"]
            else:
                frame = self.frame(inside["signature"], inside["text"], "orders", seat.keys, True)
            must("waits" not in record or not frame.final(), "orders that are final wait")
            words = (self.turn, seat.player, canonical(inside["text"]))
            must(words not in seat.texts, "the player has given the same text in this turn before")
            seat.texts.add(words)
        if "vouched" in record:
            hex32(record, "made")
            self.vouched(record["vouched"], seat.keys, record["seat"], answered)
        must(seal not in self.order_marks, "the same text was accepted before")
        self.order_marks.add(seal)
        seat.orders[seal] = (self.turn, self.seq)
        seat.question = False
        if self.waits(record):
            seat.waits.add(seal)

    def waits(self, record):
        must("waits" not in record or (record["waits"] is True and self.typo_wait), "in this game no orders wait for better ones")
        return "waits" in record

    def unsettled(self):
        """Of the orders that a `close` names, do some wait for better ones, as far as all may see, or for an answer to a question?"""
        pairs = [(seat, seal) for seat, seal in zip(self.seats[1:], self.closing) if seal in seat.orders]
        return [seat.player for seat, seal in pairs if seat.question or (seal in seat.waits and (self.n > 1 or seat.orders[seal][0] == self.turn))]

    def on_close(self, record):
        self.shape(record, "close")
        self.open_turn(record, 0 if self.witnesses else 1)
        must(not self.held and not self.paused, "the turn is held, or the game is paused")
        must(self.turn or all(seat.player for seat in self.seats[1:]), "a seat is free")
        seals, missed = record.get("seals"), self.seat_list(record.get("missed"), '"missed"')
        must(isinstance(seals, list) and len(seals) == self.n, "not a seal for each seat")
        self.settle_away(time(record, "time"))
        self.closing = []
        for i, seal in enumerate(seals, 1):
            if seal == "":
                self.closing.append(bytes(32))
                continue
            self.closing.append(hex_bytes(seal, 32, "a seal"))
            if self.turn == 0:
                must(self.closing[-1] == self.dealt_seals()[i - 1], "the seal of seat %d is not that of its join text" % i)
                continue
            made = self.seats[i].orders.get(self.closing[-1])
            must(made is not None, "the seal of seat %d is not that of orders of this seat" % i)
            must(self.may_count(self.seats[i], made), "the orders of seat %d are of an earlier turn, or of who had it before" % i)
        self.check_set(record, seals, missed)
        for i, seat in enumerate(self.seats[1:], 1):
            if self.turn and (seals[i - 1] or i in record["set"]):
                seat.no_offer()  # its player is in time
        must(hex32(record, "deal") == self.deal, "it names another deal")
        must(number(record, "rollbacks", 0, 2**31) == self.rollbacks, "it names another number of rollbacks")
        for i in missed:
            must(seals[i - 1] == "" and self.seats[i].player and not self.seats[i].robot, "seat %d has not missed the turn" % i)
        resolved = self.last["type"] == "moderate" and self.last["do"] == "resolve"
        if missed:
            self.closed_with(missed, resolved)
        else:
            self.closed_early(record, resolved)

    def may_count(self, seat, made):
        turn, seq = made
        return seq > seat.since[-1][1] and self.stands(seq) and (turn == self.turn or self.takes_early_orders())

    def stands(self, seq):
        """Has no rollback taken that record back, or a later one brought it back?"""
        at = self.seq
        for rollback, back in reversed(self.gone_back):
            if rollback > at:
                continue  # taken back itself
            if seq > rollback:
                return True
            at = back
            if seq > at:
                return False
        return True

    def takes_early_orders(self):
        return self.n == 1 or self.ruleset not in GAMES_WITHOUT_EARLY_ORDERS

    def check_set(self, record, seals, missed):
        must(self.turn or self.closing == self.dealt_seals(), "not the seals of all join texts")
        for i in self.seat_list(record.get("set"), '"set"'):
            seat = self.seats[i]
            must(seals[i - 1] == "" and seat.player and not seat.robot and i not in missed, "seat %d has orders of its own, or none" % i)
            must(any(self.may_count(seat, made) for made in seat.set), "no moderator set orders for seat %d" % i)

    # ---- start, turn ----

    def lots(self):
        """(seat, player, mark) of those that are drawn."""
        return [(i, seat.player, seat.join) for i, seat in enumerate(self.seats[1:], 1) if seat.drawn]

    def dealt_seals(self):
        """The seals of turn 0."""
        seals = [seat.join for seat in self.seats[1:]]
        marks = [mark for _, _, mark in draws.in_order_of_marks(self.lots())]
        for (i, _, _), mark in zip(self.lots(), marks):
            seals[i - 1] = mark
        return seals

    def draw_seats(self, record):
        held = self.lots()
        seated = draws.seated(self.root, held)
        want = [{"player": player, "seat": i} for i, player in seated]
        must(("drawn" in record) == (len(held) > 0), '"drawn" is missing, or nothing is drawn')
        must("drawn" not in record or canonical_json(record["drawn"]) == canonical_json(want), "the seats are not drawn like that")
        places = {self.seats[i].player: self.seats[i] for i, _, _ in held}
        for i, player in seated:
            self.seats[i] = places[player]
            self.seats[i].drawn = False

    def on_start(self, record):
        must(self.turn == 0, "the game has begun already")
        must(all(seat.player for seat in self.seats[1:]), "a seat is free")
        must(self.witnesses or not (self.held or self.paused), "the turn is held, or the game is paused")
        closed = self.closing if self.witnesses else None
        self.closing = self.dealt_seals()
        must(closed in (None, self.closing), "somebody came or went behind the close")
        self.play(record)

    def on_turn(self, record):
        self.play(record)

    def play(self, record):
        self.shape(record, record["type"])
        must(not self.waits(record) or self.n == 1, "orders wait for better ones, and there are none for this turn")
        self.open_turn(record, 0)
        self.state = hex32(record, "state")
        hex32(record, "events")
        beta = curve.vrf_verify(self.vrf, hex_bytes(record.get("pi"), 80, '"pi"'), self.alpha())
        must(beta is not None, "the proof of its draws is wrong")
        self.counts["proofs"] += 1
        self.root = blake(b"turnpost/roll\0" + beta + self.witnesses.dice(), 64)
        self.roots[self.turn] = self.root
        self.take_away(record)
        if record["type"] == "start":
            self.draw_seats(record)
            self.deal = hex_bytes(record["pi"], 80, '"pi"')[:32]
        self.hidden(record)
        self.reports(record)
        stood, self.deadline = self.deadline, time(record, "deadline") if "deadline" in record else None
        self.check_deadline(record, stood)
        self.turn += 1
        self.closed = False
        self.late, self.without = False, set()
        self.witnesses.settle()
        self.held, self.was_held, self.extended, self.reminded = False, False, False, set()
        self.opened_at = self.time
        for seat in self.seats[1:]:
            seat.owner, seat.vote = None, 0
            seat.question = False  # who was not awaited yet, only the rules say

    def alpha(self):
        return draws.alpha(self.root_of_draws or self.first_head, self.turn, self.closing, self.deal, self.rollbacks)

    def hidden(self, record):
        hidden, labels = record.get("hidden"), set()
        must(isinstance(hidden, list) and len(hidden) <= 16, '"hidden" must be a list of at most 16')
        for i, item in enumerate(hidden):
            must(isinstance(item, dict), '"hidden" must be a list of objects')
            only(item, "seal box", "a hidden draw")
            payload = self.payload(item, 0, 2 + i)
            if payload is None:
                continue
            inside = read_json(payload)
            only(inside, "label proof", "a hidden draw")
            label = text(inside, "label")
            must(0 < len(label.encode()) < 40 and label not in labels, "a hidden draw without a label of its own")
            labels.add(label)
            proof = hex_bytes(inside.get("proof"), 80, "the proof of a hidden draw")
            good = curve.vrf_verify(self.vrf, proof, b"turnpost/hide\0" + self.root + label.encode())
            must(good is not None, "the proof of the hidden draw %s is wrong" % label)
            self.counts["proofs"] += 1

    def reports(self, record):
        reports = record.get("reports")
        must(isinstance(reports, list) and len(reports) == self.n, "not a report for each seat")
        for i, seal in enumerate(reports, 1):
            must(isinstance(seal, str) and (seal == "") == self.seats[i].robot, "a report for a robot, or none for a player: seat %d" % i)
            must(not seal or hex_bytes(seal, 32, "a seal"), "a report without a seal")
        if "told" in record:
            for i in self.seat_list(record["told"], '"told"'):
                must(not self.seats[i].robot, "a robot was told: seat %d" % i)

    def take_away(self, record):
        away = record.get("away", [])
        must(isinstance(away, list), '"away" must be a list')
        for item in away:
            must(isinstance(item, dict), '"away" must be a list of objects')
            only(item, "seat player from to before", "a vacation")
            player, first, last = name(item, "player"), day(item, "from"), day(item, "to")
            must(self.seat(item).player == player, "the vacation of somebody who does not sit there")
            must(first <= last <= first + 366, "a vacation that cannot be one")
            must(all(first > used.last for used in self.away if used.player == player and not used.unused),
                 "a vacation that has moved this game before")
            self.away.append(Vacation(self.seq, player, last, time(item, "before")))

    def settle_away(self, closed):
        """The turn is closed: vacations that it did not have to wait for are unused."""
        for used in self.away:
            if not used.settled:
                used.settled = self.seq
                used.unused = closed <= used.before

    # ---- end, open ----

    def on_end(self, record):
        self.shape(record, "end")
        unanswered = self.unanswered(record)
        must(self.turn > 0 or self.void or unanswered, "the game has not begun")
        must(is_int(record.get("turns")) and record["turns"] == max(self.turn - 1, 0), '"turns" is not the last turn')
        must((text(record, "reason") == "void") == self.void, "only a moderator declares a game void")
        must(record["reason"] != "round_over" or self.cut_short(record), "its round was not over")
        if self.void or unanswered:
            must(record.get("scores") == [], "a game that was not played has scores")
            must(self.void or (self.turn == 0 and self.answer_by is not None and self.time > self.answer_by), "answers are not overdue")
            must(self.void or any(self.seats[i].player is None for i in self.kept), "all have answered for whom a seat is kept")
            self.over = True
            return
        scores = record.get("scores")
        must(isinstance(scores, list) and all(isinstance(s, dict) for s in scores), '"scores" must be a list')
        must(sorted(number(s, "seat", 1, self.n) for s in scores) == list(range(1, self.n + 1)), '"scores" does not have each seat once')
        for score in scores:
            only(score, "seat name points won lost place rank you", "a score")
            must(score.get("name") == self.seat(score).player, "a score under another name")
            must(score.get("you") is False, '"you" must be false')
            must(is_int(score.get("points")) and is_int(score.get("place")) and score["place"] >= 0 and isinstance(score.get("rank"), str), "a score that is none")
            must(isinstance(score.get("won"), bool) and isinstance(score.get("lost"), bool), "a score that is none")
        cut = record["reason"] == "round_over"
        for score in scores:
            better = sum(not other["lost"] and other["points"] > score["points"] if cut else 0 < other["place"] < score["place"] for other in scores)
            unplaced = score["lost"] if cut else score["place"] == 0
            must(score["place"] == (0 if unplaced else 1 + better) and not (cut and score["won"]), "a place that cannot be")
        must(scores == sorted(scores, key=lambda score: (score["place"] == 0, score["place"], score["seat"])), "the scores are not in order")
        self.over = True

    def cut_short(self, record):
        """The round is over, and with it the game, as it stands."""
        return record.get("reason") == "round_over" and self.turn > 0 and not self.closed and self.round_over()

    def unanswered(self, record):
        return record.get("reason") == "unanswered"

    def on_open(self, record):
        self.shape(record, "open")
        key = hex32(record, "seal_key")
        must(blake(b"turnpost/kseal\0" + key) == self.commitment, "it is not the key that \"create\" promised")

    # ---- witnesses ----

    def note_witness(self, record):
        self.shape(record, "note witness")
        self.open_turn(record, 0)
        must(self.closed, "no witness is waited for")
        turn = "%d.%d" % (self.turn, self.rollbacks)
        self.witnesses.take(record, Close(self.log_name(), self.close_seq, self.close_time, self.close_head, turn, blake(self.alpha())))
        self.counts["proofs"] += 1

    def too_few(self):
        return bool(self.closed and self.witnesses and self.witnesses.lacks())

    def note_late(self, record):
        self.shape(record, "note late")
        self.open_turn(record, 0)
        must(self.too_few() and not self.late, "enough witnesses have answered, or all were told")
        must(self.time >= self.close_time + 3 * 86400, "it is not three days")
        self.late = True

    def note_unwitness(self, record):
        self.shape(record, "note unwitness")
        self.open_turn(record, 0)
        seat = self.players_seat(record)
        must(self.too_few() and self.late and record["seat"] not in self.without, "this seat has nothing to decide about witnesses")
        self.petition(record, "unwitness", seat.player, None, True)
        self.without.add(record["seat"])
        people = [i for i, one in enumerate(self.seats[1:], 1) if one.human()]
        decides = 2 * len(self.without.intersection(people)) > len(people)
        must("deadline" not in record or (decides and self.turn), "the turn is not open again, and has a deadline")
        if decides:
            self.go_on_without(record)

    def go_on_without(self, record):
        self.witnesses = Quorum()
        self.rollbacks += 1
        self.open_again(record)

    def open_again(self, record):
        self.closed, self.late, self.without = False, False, set()
        self.witnesses.settle()
        self.reminded = set()
        self.deadline = time(record, "deadline") if "deadline" in record else None
        if self.turn:
            self.reopened(record)
