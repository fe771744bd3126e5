"""Records "moderate": what moderators and the operator do."""
from notes import *


class Moderators(Notes):
    def on_moderate(self, record):
        do = record["do"]
        name(record, "by")
        must(text(record, "reason"), "it does not say why")
        sealed = do == "orders" or (do == "correct" and "seal" in record)
        must(("seal" in record) == ("box" in record), "a seal and its box do not come together")
        signed = " request?" if record["by"] == "operator" else " mail text" + ("" if sealed else " signed")
        only(record, "%s do reason by turn%s %s" % (COMMON, signed, MEMBERS["moderate " + do + self.kind_of_ban(record, do)]), "the record")
        if "request" in record:
            hex32(record, "request")
        must(not self.over or do == "resend", "the game is over")
        must(self.turn or do in ("pause", "resume", "hold", "ban", "void"), "the game has not begun")
        if record["by"] != "operator":
            self.mark(record)
        if "signed" in record:
            self.signed_text(record["signed"])
            self.frame_of_moderator(record, record["signed"])
        if do != "rollback":
            self.open_turn(record, 0)
        opened = self.counts["boxes"]
        getattr(self, "do_" + do)(record)
        self.counts["acts"] += sealed and record["by"] != "operator" and self.counts["boxes"] == opened
        self.counts["interventions"] += record["by"] == "operator"

    def kind_of_ban(self, record, do):
        if do != "ban" or self.dealt():
            return ""
        return ", waiting" if "leave" in record else ", waited" if "waited" in record else ", free"

    def frame_of_moderator(self, record, signed):
        """The text must say what the record does. Unless he plays, too, the journal does not know his key."""
        every = record["do"] == "ban"  # from all games
        seat = self.seat_of(record["by"])
        frame = self.frame(signed["signature"], signed["text"], "moderate", seat.keys if seat else None, not every, every)
        self.counts["strangers"] += seat is None
        word, _, words = (frame.line("do") or "").partition(" ")
        must(small(word) == record["do"] and self.says(record, frame, words), "the text asks for something else")
        must(frame.line("reason") == record["reason"], "the text gives another reason")
        if every:
            must(frame.fields.get("league") == fingerprint(self.league), "the text is not for this league")
            self.check_mark(record, record["by"], signed["text"])

    def says(self, record, frame, words):
        """Does what stands behind the word say what the record does?"""
        do, last = record["do"], small(words.split(" ")[-1])
        if do in ("replace", "orders", "resend") and self.named_seat(small(words).split(" ")) != record["seat"]:
            return False
        if do == "replace":
            return last == record.get("to", "robot")
        if do == "ban":
            return words == (record.get("robot") or record.get("left") or record["player"])
        if do == "rollback":
            return last == str(record["turn" if small(words).startswith("turn") else "record"])
        if do == "correct":
            return all(change["path"] in "\n".join(frame.body) for change in record["changes"] + record.get("sealed", []))
        return True

    def named_seat(self, words):
        """The seat of "bob", "seat 2", "p2"; 0: none."""
        word = (words[1:] if words[0] == "seat" else words)[:1]
        whose = [i for i, seat in enumerate(self.seats[1:], 1) if [seat.player] == word]
        found = re.fullmatch("p?([1-8])", "".join(word))
        return whose[0] if whose else int(found[1]) if found and int(found[1]) <= self.n else 0

    def words_of(self, signed):
        """What comes after the word in the line `do:`."""
        return (frame_of(signed).line("do") or "").partition(" ")[2].strip()

    def end_valve(self):
        """A moderator has taken charge."""
        self.held = False if self.held == "valve" else self.held

    def later_deadline(self, record):
        deadline = time(record, "deadline")
        must(self.deadline is None or deadline > self.deadline, "the deadline cannot move like that")
        self.deadline, self.reminded = deadline, set()

    def do_pause(self, record):
        must(not self.paused, "the game is paused already")
        self.paused, self.paused_from = True, self.time
        self.end_valve()

    def do_resume(self, record):
        must(self.paused or self.held is not False, "the game is neither paused nor held")
        stood = self.deadline
        if "deadline" in record:
            self.later_deadline(record)
        self.resumed(stood)
        self.paused = self.held = False

    def do_extend(self, record):
        stood = self.deadline
        self.later_deadline(record)
        self.put_off(self.words_of(record["signed"]["text"]) if "signed" in record else None, stood)
        self.end_valve()

    def do_hold(self, record):
        must(not self.paused and self.held in (False, None, "valve"), "the game is paused or held already")
        self.held = "moderator"

    def do_resolve(self, record):
        must(not self.paused, "the game is paused")
        self.held = False

    def do_replace(self, record):
        seat = self.seat(record)
        if "robot" in record or "to" not in record:
            must(not seat.robot and record.get("robot") == seat.player, "the robot plays on under the player's name")
            seat.robot, seat.keys = True, []
            seat.withdraw(self.seq)
            seat.no_offer()
            seat.owner, seat.vote = None, 0
            self.sits(seat)
        must(seat.robot, "a player has the seat")
        if "to" in record or "until" in record:
            must(self.seat_of(name(record, "to")) is None, "the player has a seat")
            must(time(record, "until") > self.time, "an offer for no time")
            seat.offer, seat.more = (record["to"], time(record, "until")), False
            seat.asked.add(record["to"])

    def do_ban(self, record):
        if self.dealt():
            self.do_replace(record)
        elif "leave" in record:
            self.waits_no_more(record)
        else:
            self.left(record, self.seat(record), lambda: None)

    def do_orders(self, record):
        self.open_turn(record)
        seat = self.players_seat(record)
        seat.question = False
        payload = self.payload(record, record["seat"], 0)
        if payload is not None:
            self.sealed_text(record, payload, "lines")
            self.check_canonical(payload, read_json(payload))
        seat.set.add((self.turn, self.seq))

    def sealed_text(self, record, payload, member):
        inside = read_json(payload)
        by_mail = record["by"] != "operator"
        only(inside, member + (" signature text" if by_mail else ""), "what is sealed")
        if by_mail:
            shown = {**record, "sealed": self.changes(inside[member]) and inside[member]} if member == "changes" else record
            self.frame_of_moderator(shown, {"signature": inside["signature"], "text": inside["text"]})
            body = "\n".join(frame_of(inside["text"]).body)
            must(member == "changes" or (inside["lines"] and body.endswith(inside["lines"])), "the text has other orders")
        return inside[member]

    def do_resend(self, record):
        self.seat(record)

    def changes(self, value):
        must(isinstance(value, list), '"changes" must be a list')
        for change in value:
            must(isinstance(change, dict), '"changes" must be a list of objects')
            only(change, "path before after", "a change")
            text(change, "path")
        return len(value)

    def do_correct(self, record):
        count = self.changes(record["changes"])
        if "seal" in record:
            payload = self.payload(record, 0, 2)
            more = 1 if payload is None else self.changes(self.sealed_text(record, payload, "changes"))
            must(more, "what is sealed corrects nothing")
            count += more
        must(count, "it corrects nothing")
        self.state = hex32(record, "state")

    def do_rollback(self, record):
        back = number(record, "record", 1, self.seq - 2)
        must(is_int(record.get("from")) and record["from"] == self.turn, '"from" is not the open turn')
        must(back in self.past and self.past[back][0] == record["turn"] > 0, "the record it goes back to is not one of an open turn")
        must(hex32(record, "state") == self.past[back][1], "the state is not that of the record it goes back to")
        self.turn, self.state, players = self.past[back]
        self.rollbacks += 1
        self.gone_back.append((self.seq, back))
        self.opened_at = self.time
        self.deadline = time(record, "deadline") if "deadline" in record else None
        self.paused_from = self.time
        self.reopened(record)
        self.away = [used for used in self.away if used.seq <= back]
        for used in self.away:
            if used.settled > back:
                used.settled, used.unused = 0, False
        # Held when all orders of then are there: who is awaited, only the rules say.
        self.held, self.was_held, self.extended, self.reminded = None, False, False, set()
        self.closed = False
        for seat, player in zip(self.seats[1:], players):
            seat.no_offer()
            seat.vote = 0
            seat.go_back(self.seq, back, player is not None and player == seat.human())

    def do_void(self, record):
        self.void = True
        self.paused = self.held = False
