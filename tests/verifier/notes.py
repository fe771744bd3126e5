"""Notes: what happens between turns."""
from turns import *


class Notes(Turns):
    def on_note(self, record):
        kind = record["kind"]
        if kind not in ("wait", "witness", "late", "unwitness", "lost", "rekey", "veto", "mailbox"):
            self.open_turn(record, 0 if kind == "reminder" else 1)
        getattr(self, "note_" + kind)(record)

    def note_wait(self, record):
        player = name(record, "player")
        waits = [w[0] for w in self.waiting]
        self.shape(record, "note wait leave" if "leave" in record else "note wait")
        if "leave" in record:
            self.petition(record, "leave", player)
            self.waits_no_more(record)
            return
        must(player not in waits and len(waits) < 16, "there is no place on the waiting list for him")
        self.waiting.append((player, *self.join_text(record, 0)))

    def waits_no_more(self, record):
        waits = [w[0] for w in self.waiting]
        must(record["leave"] is True, '"leave" must be true')
        must(name(record, "player") in waits, "he is not on the waiting list")
        del self.waiting[waits.index(record["player"])]

    def note_lost(self, record):
        """The league lost its records from this number on: its draws are known, so the turn gets others."""
        self.shape(record, "note lost")
        self.open_turn(record, 0)
        number(record, "rollbacks", 0, 2**31 - 1)
        drawn_anew = not self.over and not (self.lockstep and self.turn == 0)
        must(record["rollbacks"] > self.rollbacks if drawn_anew else record["rollbacks"] == self.rollbacks, "the turn is to be drawn anew, and only then")
        must("deadline" not in record or (self.closed and self.turn and not self.over), "the turn is not open again, and has a deadline")
        self.rollbacks = record["rollbacks"]
        if self.closed and not self.over:
            self.open_again(record)
        self.counts["lost"] += 1

    def note_instant(self, record):
        self.shape(record, "note instant")
        self.players_or_resigned(record)
        self.state = hex32(record, "state")
        hex32(record, "events")

    def players_or_resigned(self, record):
        last = self.last
        behind = last["type"] == "orders" or (last["type"] == "moderate" and last["do"] == "orders") or (last["type"] == "seat" and last.get("why") == "resigned" and not asked(last))
        must(number(record, "seat", 1, self.n) == last.get("seat") and behind, "no orders led to it")

    def note_press(self, record):
        kinds = [kind for kind in ("grey", "by", "seat") if kind in record]
        must(len(kinds) == 1, "press has one sender")
        self.shape(record, "note press " + kinds[0])
        grey, moderator = kinds == ["grey"], kinds == ["by"]
        must(not grey or record["grey"] is True, '"grey" must be true')
        to = record.get("to")
        if to != "all":
            self.seat_list(to, '"to"', 0)
            must(to, "it goes to nobody")
        must(not grey or self.press == "grey", "this game has no grey press")
        must(self.press != "none" or moderator or to == [0], "this game has no press")
        if moderator:
            name(record, "by")
        if not grey and not moderator:
            self.players_seat(record)
        self.message(record, "press")

    def message(self, record, verb):
        """What only the moderators can open. The frame of the text, if it is there."""
        self.mark(record)
        payload = self.payload(record, 0, 1000)
        if payload is None:
            return None
        inside = read_json(payload)
        only(inside, "player seat signature text vouched? words", "a message")
        seat = number(inside, "seat", 0, self.n)
        must("seat" not in record or seat == record["seat"], "the message is another seat's")
        must(inside["player"] == (self.seats[seat].player if seat else record.get("by")), "the message is somebody else's")
        must(text(inside, "words") and inside["words"] in canonical(inside["text"]), "the words are not those that were signed")
        if "vouched" in inside:
            must(seat, "a mail domain vouches for a moderator")
            self.vouched(inside["vouched"], self.seats[seat].keys, 0)
            return self.made_text(inside["signature"], inside["text"], verb, True)
        frame = self.frame(inside["signature"], inside["text"], verb, None, True)
        stranger = not seat or key_of(inside["signature"]["key"]) not in self.seats[seat].keys
        must(not seat or not stranger or self.over, "the text is signed with a key that was not the player's then")
        self.counts["strangers"] += stranger
        return frame

    def note_appeal(self, record):
        self.shape(record, "note appeal")
        about = number(record, "about", 0, self.turn - self.over)
        self.players_seat(record)
        frame = self.message(record, "appeal")
        self.appeals[self.seq] = about
        must(frame is None or frame.fields.get("turn") == about, "the text is about another turn")

    def note_ruling(self, record):
        self.shape(record, "note ruling")
        about = number(record, "about", 0, self.turn - self.over)
        must(self.appeals.get(number(record, "appeal", 1, self.seq - 1)) == about, "it rules on no appeal about that turn")
        frame = self.petition(record, "ruling", name(record, "by"))
        must(number_in(frame.line("appeal")) == record["appeal"], "the text rules on another appeal")

    def listed(self, record, people, verb, unverb):
        self.shape(record, "note " + record["kind"])
        player, stop = name(record, "player"), record["stop"]
        must(isinstance(stop, bool), '"stop" must be true or false')
        frame = self.petition(record, unverb if stop else verb, player)
        must(verb != unverb or stop == (small(frame.line("cancel") or "") == "yes"), "the text asks for the opposite")
        must((player in people) == stop, "he is on the list already, or is not")
        if stop:
            people.remove(player)
            return
        must(len(people) < 50 and self.seat_of(player) is None, "there is no place on the list for him")
        people.append(player)

    def note_observe(self, record):
        must(record.get("stop") is True or not self.private, "this game has no observers")
        self.listed(record, self.observers, "observe", "unobserve")

    def note_standby(self, record):
        self.listed(record, self.standby, "standby", "standby")
        for seat in self.seats[1:]:
            offered = seat.offer is not None and seat.offer[0] == record["player"]
            if record["stop"] and offered:
                seat.offer = None
            elif not record["stop"] and not offered:
                seat.asked.discard(record["player"])

    def note_question(self, record):
        """An answer of a player was not understood: until there are other orders, the turn does not close early."""
        self.shape(record, "note question")
        seat = self.players_seat(record)
        must(not seat.question, "a question to the player is open already")
        asked = ("question", hex32(record, "mail"))
        must(asked not in self.marks, "the mail has opened a question before")
        self.marks.add(asked)
        self.vouched(record["vouched"], seat.keys, 0)
        seat.question = True

    def note_offer(self, record):
        self.shape(record, "note offer" if "to" in record else "note offer nobody")
        seat = self.seat(record)
        if "to" not in record:
            must(seat.offer, "nobody has an offer")
            seat.offer = None
            return
        to, until = name(record, "to"), time(record, "until")
        must(until > self.time, "an offer for no time")
        more = seat.offer is not None and seat.offer[0] == to
        must((not seat.more and until > seat.offer[1]) if more else to not in seat.asked, "they were asked before")
        seat.offer, seat.more = (to, until), more
        seat.asked.add(to)

    def note_reminder(self, record):
        self.shape(record, "note reminder")
        seats = self.seat_list(record.get("seats"), '"seats"')
        deadline = self.deadline if self.turn else self.answer_by
        must(deadline is not None and time(record, "deadline") == deadline, "it is not the deadline of the turn")
        must(seats and not self.reminded & set(seats), "a seat was reminded before, or nobody is")
        if self.turn:
            must(all(self.seats[i].player and not self.seats[i].robot for i in seats), "a robot is reminded")
        else:
            must(all(i in self.kept and not self.seats[i].player for i in seats), "a seat is reminded that is kept for nobody, or taken")
        self.reminded |= set(seats)

    def move_deadline(self, record):
        deadline = time(record, "deadline")
        must(self.deadline is not None and deadline > self.deadline, "the deadline cannot move like that")
        self.deadline, self.reminded = deadline, set()

    def note_shift(self, record):
        why = record.get("why")
        must(why in ("vacation", "outage"), "the deadline moves for an unknown reason")
        self.shape(record, "note shift " + why)
        must(self.deadline is not None and time(record, "from") == self.deadline, "it is not the deadline of the turn")
        self.move_deadline(record)
        if why == "vacation":
            must(record.get("away"), "nobody is on vacation")
            self.take_away(record)
            self.before_away(record, self.deadline)
        self.moved()
        if why == "outage":
            number(record, "seconds", 0, 2**62)

    def note_vote(self, record):
        self.shape(record, "note vote")
        seat = self.players_seat(record)
        frame = self.petition(record, "extend", seat.player, None, True)
        number(record, "seconds", 0, self.schedule.extension)
        hours, days = frame.line("hours"), frame.line("days")
        wanted = number_in(hours) * 3600 if hours is not None else number_in(days) * 86400
        must(wanted == record["seconds"], "the text is for another time")
        must(self.deadline is not None and not self.extended, "no vote is possible")
        seat.vote = record["seconds"]
        if "deadline" in record:
            votes = [one.vote for one in self.seats[1:] if one.human() and one.vote]
            must(votes, "nobody has voted for another deadline")
            voted = self.schedule.settle(max(self.deadline, self.time) + min(votes))
            self.move_deadline(record)
            must(self.deadline == min(voted, self.round_ends or voted), "the deadline moves by another time than was voted for")
            self.extended = True

    def note_hold(self, record):
        self.shape(record, "note hold released" if "released" in record else "note hold")
        if "released" in record:
            must(record["released"] is True, '"released" must be true')
            must(self.held == "valve", "the turn is not held")
            self.held = False
            self.released()
            return
        missing, awaited = (self.seat_list(record.get(member), member) for member in ("missing", "awaited"))
        must(set(missing) <= set(awaited), "orders are missing that are not awaited")
        until = time(record, "until") if "until" in record else None
        must(until is None or until > self.time, "a hold for no time")
        must(not self.was_held and not self.paused and self.held in (False, None), "the turn was held before, or is, or the game is paused")
        self.held, self.was_held = "valve", True
        self.until, self.wanted, self.came = until, record["missing"], False
