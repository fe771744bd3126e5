"""Ratings (src/rating/README.md), in integers of 2^-40."""
import math

ONE = 1 << 40
MU, SIGMA, BETA2, KAPPA = 25 * ONE, 9162596898133, 19088743537778, 109951163
LN2 = 762123384786
MOST = 1000000 * ONE
DAY = 86400


def mul(a, b):
    return (a * b + (1 << 39)) // ONE


def div(a, b):
    return ((a << 41) + b) // (2 * b)


def sqrt(a):
    return math.isqrt(a << 40)


def exp(x):
    k = -x // LN2
    if k >= 62:
        return 0
    r, t, s = x + k * LN2, ONE, ONE
    for i in range(1, 16):
        t = (2 * mul(t, r) + i) // (2 * i)
        s += t
    return s >> k


def micro(x):
    return (1000000 * x + (1 << 39)) // ONE


def after(seats):
    """(mu, sigma) of each seat after a game; `seats`: (mu, sigma, rank)."""
    variance = [mul(sigma, sigma) for _, sigma, _ in seats]
    ranks = [rank for _, _, rank in seats]
    c2 = sum(variance) + len(seats) * BETA2
    c = sqrt(c2)
    highest = max(mu for mu, _, _ in seats)
    e = [max(1, exp(div(mu - highest, c))) for mu, _, _ in seats]
    left = [sum(x for x, rank in zip(e, ranks) if rank >= mine) for mine in ranks]
    out = []
    for i, (mu, sigma, rank) in enumerate(seats):
        omega = delta = 0
        for q, other in enumerate(ranks):
            if other > rank:
                continue
            p, tied = div(e[i], left[q]), ranks.count(other)
            omega += ((ONE if q == i else 0) - p) // tied
            delta += mul(p, ONE - p) // tied
        shrink = mul(mul(div(sigma, c), div(variance[i], c2)), delta)
        moved = mu + mul(div(variance[i], c), omega)
        out.append((max(-MOST, min(MOST, moved)), mul(sigma, sqrt(max(ONE - shrink, KAPPA)))))
    return out


def idle(sigma, seconds):
    steps = (seconds - 180 * DAY) // (30 * DAY)
    if steps < 1 or sigma >= SIGMA:
        return sigma
    return min(SIGMA, sqrt(mul(sigma, sigma) + min(steps, 100) * ONE))


class Ladder:
    """The list of one ruleset; `players`: name -> [mu, sigma, games, time of the last]."""

    def __init__(self):
        self.players = {}

    def at(self, name, time):
        mu, sigma, games, last = self.players.get(name, (MU, SIGMA, 0, None))
        return mu, idle(sigma, time - last) if games else sigma

    def add(self, time, seats):
        """`seats`: (a name, or None; an anchor's (mu, sigma), or None; rank). True: it was rated."""
        seats = [s for s in seats if s[2] > 0 and (s[0] is not None or s[1])]
        names = [name for name, _, _ in seats if name is not None]
        if len(names) < 2 or len(set(names)) < len(names) or len(seats) > 32:
            return False
        before = [(self.at(name, time) if name is not None else anchor) + (rank,) for name, anchor, rank in seats]
        for (name, _, _), (mu, sigma) in zip(seats, after(before)):
            if name is not None:
                _, _, games, last = self.players.get(name, (0, 0, 0, time))
                self.players[name] = [mu, sigma, games + 1, max(last, time)]
        return True

    def listed(self, now):
        """(name, micro mu, micro sigma, shown), as published."""
        rows = []
        for name in self.players:
            mu, sigma = map(micro, self.at(name, now))
            rows.append((name, mu, sigma, mu - 3 * sigma))
        return sorted(rows, key=lambda row: (-row[3], row[0].encode()))


def random_games():
    """Those of tests/rating/machine/random.h."""
    mask, state, time = (1 << 64) - 1, 21, 1600000000

    def below(n):
        nonlocal state
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        z = (z ^ z >> 27) * 0x94D049BB133111EB & mask
        return (z ^ z >> 31) % n

    for _ in range(2000):
        time += below(432000)
        if below(200) == 0:
            time += 300 * DAY
        count = 2 + below(8)
        pool, seats = list(range(44)), []
        for i in range(count):
            j = i + below(44 - i)
            pool[i], pool[j] = pool[j], pool[i]
            who, rank = pool[i], 1 + below(count)
            name = "p%02d" % who if who < 40 else None
            anchor = ((15 + 5 * (who - 40)) * ONE, (who - 39) * ONE) if 40 <= who < 43 else None
            seats.append((name, anchor, 0 if below(16) == 0 else rank))
        yield time, seats


def random_list():
    """What tests/golden/rating/random.txt has."""
    ladder, rated, games = Ladder(), 0, list(random_games())
    for time, seats in games:
        rated += ladder.add(time, seats)
    lines = []
    for name, mu, sigma, shown in ladder.listed(games[-1][0] + 365 * DAY):
        exact = ladder.players[name]
        lines.append("%s %d %d %d %d %d %d %d\n" % (name, exact[0], exact[1], mu, sigma, shown, exact[2], exact[3]))
    return "".join(lines) + "rated %d of %d games\n" % (rated, len(games))
