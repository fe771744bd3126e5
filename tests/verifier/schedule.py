"""The schedule of a game (member `clock` of `create`), and the deadlines that follow from it."""
import bisect

from forms import *
from members import CLOCK, only

DAY = 86400
YEAR = 366 * DAY
WEEK = "mon tue wed thu fri sat sun".split()
UNITS = {"d": DAY, "h": 3600, "m": 60, "s": 1}
HOURS_MOST, HOLIDAYS_MOST, ZONE_MOST, CHANGES_MOST = 16, 64, 47, 64


def length_of(words):
    """The seconds of "1d12h"; None = it is no length."""
    found = re.fullmatch("(?:([1-9][0-9]*)d)?(?:([1-9][0-9]*)h)?(?:([1-9][0-9]*)m)?(?:([1-9][0-9]*)s)?", words)
    if not words or not found or len(words) > 40:
        return None
    parts = [int(part or 0) for part in found.groups()]
    if parts[1] >= 24 or parts[2] >= 60 or parts[3] >= 60:
        return None
    return whole(sum(part * unit for part, unit in zip(parts, UNITS.values())))


def whole(seconds):
    return seconds if 0 < seconds <= YEAR else None


def time_named(words):
    """The seconds of "48h" or "1w2d" as people write it; None = it is no such time."""
    if len(words) > 100 or not re.fullmatch("(?:[0-9]+[wdhms])+", words):
        return None
    parts = re.findall("([0-9]+)([wdhms])", words)
    return whole(sum(int(n) * {**UNITS, "w": 7 * DAY}[unit] for n, unit in parts))


def days_good(days):
    places = [WEEK.index(day) for day in days if day in WEEK]
    return days == ["daily"] or (len(places) == len(days) < 7 and places == sorted(set(places)))


def hours_good(words):
    """Is it days and hours, in turn, and no days twice running?"""
    groups, days, hours = [], [], 0
    for word in words:
        if re.fullmatch("([01][0-9]|2[0-3]):[0-5][0-9]", word):
            if days:
                groups.append(days)
                days = []
            hours += 1
            if not groups:
                return False
        else:
            days.append(word)
    changes = all(a != b for a, b in zip(groups, groups[1:]))
    return not days and groups != [] and all(map(days_good, groups)) and changes and hours <= HOURS_MOST


def zone_good(zone):
    word = "[A-Z][A-Za-z0-9_+-]*"
    return len(zone) <= ZONE_MOST and re.fullmatch("%s(/%s)*" % (word, word), zone) is not None


def holiday_good(value):
    words = value if isinstance(value, str) else ""
    try:
        datetime.date.fromisoformat("2000-" + words if len(words) == 5 else words)
    except ValueError:
        return False
    return re.fullmatch(r"(\d{4}-)?\d\d-\d\d", words, re.ASCII) is not None


def month_and_day(day):
    """(year, month, day of the month) of a day since 1970-01-01, of any year."""
    era, of_era = divmod(day + 719468, 146097)
    year = (of_era - of_era // 1460 + of_era // 36524 - of_era // 146096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return year + era * 400 + (month > 9), month + 3 if month < 10 else month - 9, of_year - (153 * month + 2) // 5 + 1


class Wall:
    """The clock on the wall, as `create` has it."""

    def __init__(self, clock, zoned):
        must(("offset" in clock) == zoned, "what the clock in its zone shows is missing, or of no use")
        must(zoned or "changes" not in clock, "its zone has no changes")
        self.at, self.offsets = [], [number(clock, "offset", -43200, 50400) if zoned else 0]
        changes = clock.get("changes", [{}])
        must(isinstance(changes, list) and 0 < len(changes) <= CHANGES_MOST, "its changes are none")
        for change in changes if "changes" in clock else []:
            must(isinstance(change, dict), "its changes are none")
            only(change, "at offset", "a change of its clock")
            at, offset = time(change, "at"), number(change, "offset", -43200, 50400)
            must(offset != self.offsets[-1] and at > (self.at[-1] if self.at else 0), "its changes are none")
            self.at.append(at)
            self.offsets.append(offset)
        must(all(offset % 900 == 0 for offset in self.offsets), "its clock is not by quarters of an hour")

    def offset(self, when):
        return self.offsets[bisect.bisect_right(self.at, when)]

    def local(self, when):
        """Day and second of the day."""
        return divmod(when + self.offset(when), DAY)

    def time(self, day, second):
        shown = day * DAY + second
        before, after = self.offset(shown - DAY), self.offset(shown + DAY)
        early, late = (self.offset(shown - before) == before), (self.offset(shown - after) == after)
        if early and late:
            return min(shown - before, shown - after)
        return shown - after if late else shown - before


class Schedule:
    """Of a `create` record."""

    def __init__(self, record):
        self.length = number(record, "turn_length", 0, 2**31 - 1)
        self.grace, self.starts, self.minimum, self.extension, self.early = 0, 0, 0, 3 * DAY, True
        self.hours, self.weekends_off, self.holidays = [], False, []
        self.wall = Wall({}, False)
        if "clock" in record:
            self.read(record["clock"])

    def read(self, clock):
        must(isinstance(clock, dict), '"clock" must be an object')
        only(clock, CLOCK, "its clock")
        must(isinstance(clock["early"], bool) and clock.get("weekends_off", True) is True, "its clock cannot be read")
        self.early = clock["early"]
        holidays = clock.get("holidays", ["12-25"])
        must(isinstance(holidays, list) and 0 < len(holidays) <= HOLIDAYS_MOST and all(map(holiday_good, holidays)), "its holidays are none")
        self.grace, self.minimum = number(clock, "grace", 0, YEAR), number(clock, "minimum", 0, YEAR)
        number(clock, "vote", 0, 100)
        self.extension = number(clock, "extension", 0, YEAR)
        self.starts = number(clock, "starts", 1, 2**62) if "starts" in clock else 0
        self.weekends_off, self.holidays = "weekends_off" in clock, clock.get("holidays", [])
        self.read_words(text(clock, "schedule"), text(clock, "zone"))
        zoned = self.hours or (self.length and (self.weekends_off or self.holidays))
        self.wall = Wall(clock, bool(zoned) and clock["zone"] != "UTC")

    def read_words(self, words, zone):
        must(zone_good(zone), "its zone is none")
        if words == "never":
            return must(self.length == 0, '"turn_length" is not that of its schedule')
        words = words.split(" ")
        length = length_of(words[0])
        if length is None or self.weekends_off or self.holidays:
            must(words.pop() == zone, "its schedule does not end with its zone")
        if length is not None:
            return must(words[1:] == [] and length == self.length, '"turn_length" is not that of its schedule')
        must(hours_good(words) and self.length == 0, "its schedule is none")
        days, fresh = set(), True
        for word in words:
            if ":" not in word:
                named = set(range(7)) if word == "daily" else {WEEK.index(word)}
                days = named if fresh else days | named
            else:
                self.hours.append((days, int(word[:2]) * 3600 + int(word[3:]) * 60))
            fresh = ":" in word

    def timed(self):
        """Are there deadlines?"""
        return bool(self.length or self.hours)

    def off(self, day):
        year, month, date = month_and_day(day)
        named = "%02d-%02d" % (month, date)
        return (self.weekends_off and (day + 3) % 7 > 4) or named in self.holidays or "%04d-%s" % (year, named) in self.holidays

    def hours_on(self, day):
        return [] if self.off(day) else [self.wall.time(day, second) for days, second in self.hours if (day + 3) % 7 in days]

    def settle(self, when):
        """The first possible deadline at that time or later."""
        first, second = self.wall.local(when)
        for day in range(first - bool(self.hours), first + 1000):
            if self.hours:
                later = [at for at in self.hours_on(day) if at >= when]
                if later:
                    return min(later)
            elif not self.off(day):
                return when if day == first else self.wall.time(day, second)
        return when + 7 * DAY

    def hour_before(self, when):
        day = self.wall.local(when)[0]
        for back in range(7):
            earlier = [at for at in self.hours_on(day - back) if at < when]
            if earlier:
                return max(earlier)
        return when - 7 * DAY

    def least(self):
        return max(self.length, self.minimum)

    def gives(self, opened):
        """The deadline of a turn that opens then; None = none."""
        if not self.timed():
            return None
        begin = max(opened, self.starts)
        deadline = self.settle(begin + (self.least() or 1))
        if not self.hours or self.minimum:
            return deadline
        fair = min((deadline - self.hour_before(deadline)) // 2, DAY)
        return self.settle(deadline + 1) if deadline - begin < fair else deadline
