"""Games in lockstep (member `lockstep` of `create`; src/journal/README.md, section 8): each turn opens at a time of its own."""
from forms import *
from members import only

HOUR = 3600
HOURS_MOST = 744
DRAWS_NOTHING = ("galaxy-farmer",)  # after the deal
# What would move a turn, change the table, or let others watch: notes by "kind", `moderate` by "do".
NOTES = ("observe", "standby", "offer", "shift", "hold", "vote")
ACTS = ("pause", "resume", "extend", "hold", "resolve", "replace", "orders", "rollback", "correct")


class Lockstep:
    """Part of the checker; `self.lockstep`: (when turn 1 opens, seconds of a turn, when the deal closes), or None."""

    lockstep = None

    def take_lockstep(self, record):
        value = record.get("lockstep")
        if "lockstep" not in record:
            return
        must(isinstance(value, dict), '"lockstep" must be an object')
        only(value, "opens hours closes", '"lockstep"')
        opens, closes, length = time(value, "opens"), time(value, "closes"), number(value, "hours", 1, HOURS_MOST) * HOUR
        must(opens < closes, '"lockstep" closes before it opens')
        must(self.ruleset in DRAWS_NOTHING, "these rules draw after the deal")
        must(not {"clock", "witnesses", "typo_wait", "second_thoughts"} & record.keys() and record["missed_standby"] == 0, "something else says when turns end")
        must(record["turn_length"] == length, "its turns have not the length of those in lockstep")
        self.lockstep = (opens, length, closes)

    def turn_opens(self, turn):
        """When that turn opens, and the one before it is closed."""
        opens, length, closes = self.lockstep
        return min(opens + (turn - 1) * length, closes)

    def check_lockstep(self, kind, record):
        """Before the record is looked at."""
        if not self.lockstep:
            return
        bent = (kind == "note" and record.get("kind") in NOTES) or (kind == "moderate" and record.get("do") in ACTS)
        must(not bent, "in lockstep nothing moves a turn, changes the table or lets others watch")
        must(kind != "note" or record.get("kind") != "appeal" or self.opened_all, "an appeal shows the deal to moderators")
        if kind in ("start", "close", "turn"):
            least = self.turn_opens(self.turn + 1) if self.turn else self.lockstep[0]
            must(self.time >= least, "the next turn is not open for all yet" if self.turn else "turn 1 is not open yet")
        must(kind != "open" or self.time >= self.lockstep[2], "others may still play the deal")

    def deadline_in_lockstep(self):
        """Of the turn that opens: when the one after it does; none where the game is over."""
        self.doubt = False
        self.ended = self.deadline is None
        must(self.ended or self.deadline == self.turn_opens(self.turn + 2), "the deadline is not when the next turn opens for all")

    def may_be_shut(self):
        """After `end`: the seals need not be open yet."""
        return self.lockstep is not None and not self.opened_all
