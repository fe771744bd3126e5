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
        """The deadline as it would be without vacations; None where nothing says so."""
        items = record.get("away", [])
        if self.format == 2:
            for item in items:
                must("before" in item and deadline is not None and time(item, "before") < deadline, "the deadline is not later than without the vacation")
        return time(items[0], "before") if items and "before" in items[0] else None

    def check_deadline(self, record, stood):
        """Of the turn that opens. `stood`: the deadline of the one before."""
        deadline = self.deadline
        self.doubt = not self.schedule.followed()
        before = self.before_away(record, deadline)
        if deadline is None:
            self.ended = bool(self.schedule.followed() and self.schedule.length)
            return
        if record.get("away"):
            self.moved()
        base = deadline if before is None else before
        if self.schedule.followed():
            must(self.schedule.length, "it names a deadline, and this game has none")
            expected = self.schedule.gives(self.time)
            if base == expected or (record.get("away") and before is None and base > expected):
                return
            kept = base == stood and self.ruleset in INTERRUPTED
            must(kept or self.schedule.gave(base, self.time - DAY - 1), "the deadline does not follow from the schedule")
        elif base > self.time:
            return
        self.moved()
        self.doubt = True
        kept = base == stood and self.ruleset in INTERRUPTED and base > self.time
        must(kept or self.format == 1 or self.time == time(self.last, "time"), "a clock was behind the journal, and the journal's time goes on")

    def reopened(self, record):
        """By a rollback."""
        followed = self.schedule.followed()
        other = followed and self.deadline != self.schedule.gives(self.time)
        if other:
            self.moved()
        self.doubt = other or not followed or record["by"] == "operator"

    def extended_by(self, words, stood):
        """By what the moderator has signed behind "extend"."""
        seconds, stood = time_named(words), stood or 0
        if seconds is None or self.deadline in (stood + seconds, self.time + seconds):
            return
        counted = stood < self.deadline - seconds < self.time - DAY
        must(counted and (self.format == 1 or self.time == time(self.last, "time")), "the deadline moves by another time than was signed")
        self.moved()
        self.doubt = True

    def resumed(self, stood):
        if stood is None:
            return
        least = stood + (self.time - self.paused_from if self.paused else 0)
        if self.deadline < least or self.deadline <= self.time:
            self.doubt = True

    def closed_with(self, missed, resolved):
        """Orders of these seats are missing."""
        must(self.time >= self.schedule.starts, "orders are missing, and no turn may be played yet")
        early = self.deadline is None or self.time < self.deadline + self.schedule.grace
        must(resolved or self.deadline is not None, "orders are missing, and the turn has no deadline")
        must(resolved or not early, "orders are missing, and the deadline has not passed")
        if early or self.doubt:
            self.word("missed", len(missed))
