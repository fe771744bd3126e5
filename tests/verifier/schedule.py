"""The schedule of a game (member `clock` of `create`), as far as it can be followed without zone data."""
from forms import *
from members import MEMBERS, only

DAY = 86400
YEAR = 366 * DAY
WEEK = "mon tue wed thu fri sat sun".split()
UNITS = {"d": DAY, "h": 3600, "m": 60, "s": 1}
HOURS_MOST, HOLIDAYS_MOST, ZONE_MOST = 16, 64, 47


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
    return zone == "UTC" or (re.fullmatch("[!-~]+", zone) and "/" in zone)


def holiday_good(value):
    words = value if isinstance(value, str) else ""
    try:
        datetime.date.fromisoformat("2000-" + words if len(words) == 5 else words)
    except ValueError:
        return False
    return re.fullmatch(r"(\d{4}-)?\d\d-\d\d", words, re.ASCII) is not None


class Schedule:
    """Of a `create` record. `length`: None = deadlines at hours; 0 = none at all."""

    def __init__(self, record):
        self.length = number(record, "turn_length", 0, 2**31 - 1)
        self.grace, self.starts, self.minimum, self.extension, self.days_off, self.early = 0, 0, 0, 3 * DAY, False, True
        if "clock" in record:
            self.read(record["clock"])

    def read(self, clock):
        must(isinstance(clock, dict), '"clock" must be an object')
        only(clock, MEMBERS["clock"], "its clock")
        must(isinstance(clock["early"], bool) and clock.get("weekends_off", True) is True, "its clock cannot be read")
        self.early = clock["early"]
        holidays = clock.get("holidays", ["12-25"])
        must(isinstance(holidays, list) and 0 < len(holidays) <= HOLIDAYS_MOST and all(map(holiday_good, holidays)), "its holidays are none")
        self.grace, self.minimum = number(clock, "grace", 0, YEAR), number(clock, "minimum", 0, YEAR)
        number(clock, "vote", 0, 100)
        self.extension = number(clock, "extension", 0, YEAR)
        self.starts = number(clock, "starts", 1, 2**62) if "starts" in clock else 0
        self.days_off = "weekends_off" in clock or "holidays" in clock
        self.read_words(text(clock, "schedule"), text(clock, "zone"))

    def read_words(self, words, zone):
        must(0 < len(zone.encode()) <= ZONE_MOST, "its zone is none")
        if words == "never":
            return must(self.length == 0, '"turn_length" is not that of its schedule')
        words = words.split(" ")
        length = length_of(words[0])
        if length is None or self.days_off:
            must(words.pop() == zone and zone_good(zone), "its schedule does not end with its zone")
        if length is not None:
            return must(words[1:] == [] and length == self.length, '"turn_length" is not that of its schedule')
        must(hours_good(words) and self.length == 0, "its schedule is none")
        self.length = None

    def followed(self):
        """Can its deadlines be computed here?"""
        return self.length == 0 or (self.length is not None and not self.days_off)

    def least(self):
        return max(self.length, self.minimum)

    def gives(self, opened):
        """The deadline of a turn that opens then; None = none."""
        return max(opened, self.starts) + self.least() if self.length else None

    def gave(self, deadline, latest):
        """Is it that of a turn that opened then or before?"""
        return self.starts <= deadline - self.least() <= max(latest, self.starts)
