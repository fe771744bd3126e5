"""On whose word deadlines rest, and what seats missed by them (src/journal/README.md, section 8)."""
from forms import *
from schedule import DAY, time_named

INTERRUPTED = ("galactic-supremacy", "galactic-contract")


class Deadlines:
    """Part of the checker; `self.doubt`: misses of the open turn are the operator's word."""

    def word(self, what, count=1):
        self.counts[what] += count

    def moved(self):
        self.word("deadlines")

    def before_away(self, record, deadline):
        """The deadline as it would be without vacations; None where there are none."""
        items = record.get("away", [])
        for item in items:
            must(deadline is not None and time(item, "before") < deadline, "the deadline is not later than without the vacation")
        return time(items[0], "before") if items else None

    def round_over(self):
        return self.round_ends is not None and self.time >= self.round_ends

    def given(self):
        """The deadline of a turn that opens now; None = none."""
        gives = self.schedule.gives(self.time)
        return None if gives is None or self.round_over() else min(gives, self.round_ends or gives)

    def check_round(self):
        must(self.over or None in (self.round_ends, self.deadline) or self.deadline <= self.round_ends, "the deadline lies after the end of the round")

    def check_deadline(self, record, stood):
        """Of the turn that opens. `stood`: the deadline of the one before."""
        deadline = self.deadline
        if self.lockstep:
            must("away" not in self.record, "in lockstep nobody's vacation moves a turn")
            self.deadline_in_lockstep()
            return
        self.doubt = False
        before = self.before_away(record, deadline)
        if deadline is None:
            self.ended = self.schedule.timed() or self.round_over()
            return
        must(not self.round_over(), "a turn has a deadline, and the round is over")
        if record.get("away"):
            self.moved()
        base = deadline if before is None else before
        must(self.schedule.timed(), "it names a deadline, and this game has none")
        expected = self.given()
        if base == expected:
            return
        kept = base == stood and self.ruleset in INTERRUPTED and base > self.time
        must(kept, "the deadline does not follow from the schedule")
        self.moved()
        self.doubt = True

    def reopened(self, record):
        """By a rollback."""
        other = self.deadline != self.given()
        if other:
            self.moved()
        self.doubt = other or record.get("by") == "operator"

    def put_off(self, words, stood):
        """By "extend". `words`: what the moderator has signed after it, or None."""
        must(self.extended_by(words, stood or 0), "the deadline moves by another time than was signed")
        must(not self.is_past(), "the deadline is put off to a time that has passed")
        short = stood is not None and self.too_short(stood + self.paused_for(), self.deadline + self.paused_for())
        self.doubt = self.doubt or short

    def extended_by(self, words, stood):
        """Is it the time that was signed?"""
        seconds = time_named(words or "")
        return seconds is None or self.deadline in (stood + seconds, self.time + seconds)

    def is_past(self):
        """Is the deadline over already?"""
        return self.deadline <= self.time

    def paused_for(self):
        return self.time - self.paused_from if self.paused else 0

    def too_short(self, stood, deadline):
        """Behind a standstill over the deadline, has the turn a day left, or what the schedule gives, if that is less?"""
        fresh = self.schedule.gives(self.time)
        return stood <= self.time and deadline < min(self.time + DAY, fresh or self.time + DAY)

    def resumed(self, stood):
        if stood is None:
            return
        least = stood + self.paused_for()
        if self.deadline < least or self.is_past() or self.too_short(least, self.deadline):
            self.doubt = True

    def comes(self, record):
        """Has the valve's hold let somebody in?"""
        about = record["type"] in ("orders", "seat") or (record["type"] == "moderate" and record["do"] in ("orders", "replace", "ban"))
        self.came = self.came or (about and record.get("seat") in self.wanted)

    def released(self):
        """The valve's hold ends: at its time, or because orders have come."""
        if not self.came and (self.until is None or self.time < self.until):
            self.doubt = True

    def closed_early(self, record, resolved):
        """A turn for which somebody ordered, before its deadline."""
        if self.deadline is not None and self.time >= self.deadline:
            return
        ordered = record["set"] or any(record["seals"])
        if not ordered or self.turn == 0:
            return
        must(self.time >= self.schedule.starts, "no turn may be played yet")
        if resolved:
            return
        must(self.schedule.early, "the turn is closed before its deadline")
        for _ in self.unsettled():
            people = [seat for seat in self.seats[1:] if not seat.robot]
            must(self.deadline is None and len(people) > 1, "the orders in force wait for better ones, or for an answer")
            must(self.time >= self.opened_at + DAY, "the orders in force wait for better ones, or for an answer, for a day")
        must(self.time >= self.opened_at + self.schedule.minimum, "the turn is shorter than the shortest turn")

    def closed_with(self, missed, resolved):
        """Orders of these seats are missing."""
        must(self.time >= self.schedule.starts, "orders are missing, and no turn may be played yet")
        early = self.deadline is None or self.time < self.deadline + self.schedule.grace
        must(resolved or self.deadline is not None, "orders are missing, and the turn has no deadline")
        must(resolved or not early, "orders are missing, and the deadline has not passed")
        must(resolved or not self.round_over() or self.deadline + self.schedule.grace < self.round_ends, "orders are missing, and the round is over")
        if early or resolved or self.doubt:
            self.word("missed", len(missed))
