#!/usr/bin/env python3
"""Pairings, Berger tables, standings, divisions and matchpoints, from src/compete/README.md alone: plain and slow where it can be.

    pairing.py --write SEED COUNT FILE    random cases with what must come of them, for tests/compete/cases.c and selftest.py
    pairing.py --check FILE               is that what comes of them?"""
import itertools
import json
import random
import sys
from fractions import Fraction

EXACT, PASSES, REACH = 12, 20, 32


class Round:
    """players: (score, byes, seats so far); met: {(a, b): times}, a < b."""

    def __init__(self, players, met, k, least):
        self.score = [p[0] for p in players]
        self.byes = [p[1] for p in players]
        self.sat = [p[2] for p in players]
        self.k, self.least = k, least
        self.met = dict(met)
        self.seatings = {}

    def meetings(self, a, b):
        return self.met.get((min(a, b), max(a, b)), 0)

    def again(self, table):
        return sum(self.meetings(a, b) for a, b in itertools.combinations(table, 2))

    def spread(self, table):
        return sum((self.score[a] - self.score[b]) ** 2 for a, b in itertools.combinations(table, 2))

    def seated(self, table):
        """(imbalance, list) of the best seating."""
        key = tuple(sorted(table))
        if key not in self.seatings:
            self.seatings[key] = min((sum((self.sat[p][seat] + 1) ** 2 for seat, p in enumerate(order)), order) for order in itertools.permutations(key))
        return self.seatings[key]

    def cost(self, *tables):
        return (sum(map(self.again, tables)), sum(map(self.spread, tables)), sum(self.seated(t)[0] for t in tables))


def sizes(n, k, least):
    """The tables' sizes and the number of byes."""
    for b in range(n + 1):
        t = -(-(n - b) // k)
        short = t * k - (n - b)
        if short == 0 or (least == k - 1 and short <= t):
            return [k] * (t - short) + [k - 1] * short, b


def best(game, rest, wanted):
    """(cost, tables) of the best way to seat `rest`, a sorted tuple, at tables of the wanted sizes; every way is tried."""
    memo = {}

    def of(rest, wanted):
        if not rest:
            return (0, 0, 0), ()
        if (rest, wanted) not in memo:
            ways = []
            for size in set(wanted):
                left = list(wanted)
                left.remove(size)
                for others in itertools.combinations(rest[1:], size - 1):
                    table = (rest[0],) + others
                    cost, tables = of(tuple(p for p in rest if p not in table), tuple(left))
                    ways.append((tuple(x + y for x, y in zip(cost, game.cost(table))), (game.seated(table)[1],) + tables))
            memo[rest, wanted] = min(ways)
        return memo[rest, wanted]

    return of(rest, wanted)[1]


def greedy(game, row, wanted):
    tables = []
    for size in wanted:
        table = [row.pop(0)]
        while len(table) < size:
            table.append(min(row, key=lambda p: sum(game.meetings(p, q) for q in table)))
            row.remove(table[-1])
        tables.append(table)
    return tables


def exchange(game, first, second):
    changed = False
    for i in range(len(first)):
        for j in range(len(second)):
            new_first, new_second = list(first), list(second)
            new_first[i], new_second[j] = second[j], first[i]
            before = [game.again(first) + game.again(second), game.spread(first) + game.spread(second)]
            after = [game.again(new_first) + game.again(new_second), game.spread(new_first) + game.spread(new_second)]
            if after < before or (after == before and game.cost(new_first, new_second) < game.cost(first, second)):
                first[:], second[:] = new_first, new_second
                changed = True
    return changed


def one_pass(game, tables):
    changed = False
    for a in range(len(tables)):
        for b in range(a + 1, len(tables)):
            if b - a <= REACH // game.k or game.again(tables[a]) or game.again(tables[b]):
                changed |= exchange(game, tables[a], tables[b])
    return changed


def pairing(players, met, k, least):
    """(tables in seat order, byes)"""
    game = Round(players, met, k, least)
    n = len(players)
    wanted, byes = sizes(n, k, least)
    out = sorted(range(n), key=lambda p: (game.byes[p], game.score[p], -p))[:byes]
    rest = [p for p in range(n) if p not in out]
    if len(rest) <= EXACT:
        return [list(t) for t in best(game, tuple(rest), tuple(wanted))], sorted(out)
    tables = greedy(game, sorted(rest, key=lambda p: (-game.score[p], p)), wanted)
    passes = 0
    while passes < PASSES and one_pass(game, tables):
        passes += 1
    return sorted((list(game.seated(t)[1]) for t in tables), key=min), sorted(out)


def berger(n, r):
    """The games of a round, (first, second) from 1, and who has a bye."""
    N = n + n % 2
    p = (r - 1) * (N // 2) % (N - 1) + 1

    def circle(x):
        return (x - 1) % (N - 1) + 1

    games = [(p, N) if r % 2 else (N, p)] + [(circle(p + i), circle(p - i)) for i in range(1, N // 2)]
    if n == N:
        return games, None
    return games[1:], p


def standing(k, bye, ranked, adjust, tables, byes):
    """ranked, adjust: by player; tables: (void, [(player or None, rank)]); byes: players. Rows (player, place, points, buchholz, direct, firsts)."""
    n = len(ranked)
    points = list(adjust)
    firsts = [0] * n
    played = [(table, me) for void, table in tables if not void for me in table if me[0] is not None and me[1]]
    for table, (me, rank) in played:
        others = [other for p, other in table if p != me and other]
        points[me] += sum(2 * (rank < other) + (rank == other) for other in others)
        firsts[me] += bool(others) and all(rank < other for other in others)
    for p in byes:
        points[p] += bye
    buchholz = [0] * n
    for p in byes:
        buchholz[p] += (k - 1) * points[p]
    for void, table in tables:
        for me, rank in table:
            if me is None or not (rank or void):
                continue
            there = [] if void else [p for p, other in table if p != me and other and p is not None and ranked[p]]
            buchholz[me] += sum(points[p] for p in there) + (k - 1 - len(there)) * points[me]
    direct = [0] * n
    for table, (me, rank) in played:
        for p, other in table:
            if p is not None and p != me and other and ranked[p] and ranked[me] and (points[p], buchholz[p]) == (points[me], buchholz[me]):
                direct[me] += (rank < other) - (rank > other)
    key = {p: (points[p], buchholz[p], direct[p], firsts[p]) for p in range(n) if ranked[p]}
    return [[p, 1 + sum(other > key[p] for other in key.values()), *key[p]] for p in sorted(key, key=lambda p: ([-x for x in key[p]], p))]


def division(lists, promote, size, reserves):
    """lists: of (player, place, confirmed). The next divisions."""
    moved = [[[], [], []] for _ in lists]  # come down, stay, come up
    for d, members in enumerate(lists):
        order = sorted(members, key=lambda m: (m[1], m[0]))
        for at, (player, _, confirmed) in enumerate(order):
            to = (d, 1)
            if d > 0 and at < promote:
                to = (d - 1, 2)
            elif d < len(lists) - 1 and at >= len(order) - promote:
                to = (d + 1, 0)
            if confirmed:
                moved[to[0]][to[1]].append(player)
    row = [p for groups in moved for group in groups for p in group] + list(reserves)
    if len(row) < 4:
        return []
    count = min(max((2 * len(row) + size) // (2 * size), -(-len(row) // 8)), len(row) // 4)
    cut, at = [], 0
    for d in range(count):
        many = len(row) // count + (d < len(row) % count)
        cut.append(row[at:at + many])
        at += many
    return cut


def matchpoints(scores, ranked, E):
    """(M, A, M' in thousandths or None if not ranked, share) by result."""
    rows = []
    for i, score in enumerate(scores):
        others = [s for j, s in enumerate(scores) if j != i and ranked[j]]
        M, A = sum(2 * (score > s) + (score == s) for s in others), len(others) + 1
        factored = ((Fraction((M + 1) * E, A) - 1) * 1000 + Fraction(1, 2)) // 1 if ranked[i] else None
        share = Fraction(M, 2 * (A - 1)) if A > 1 else Fraction(1, 2)
        rows.append([M, A, factored, share.numerator, share.denominator])
    return rows


def percentile(score, field):
    share = Fraction(2 * sum(f < score for f in field) + sum(f == score for f in field), 2 * len(field))
    return [share.numerator, share.denominator]


# ---- cases ------------------------------------------------------------------------------------------------
def random_pairing(rng):
    k = rng.choice([2, 2, 2, 3, 3, 4, 4, 5, 6])
    least = k - 1 if k > 2 and rng.random() < 0.5 else k
    n = rng.choice([rng.randrange(0, 13), rng.randrange(0, 13), rng.randrange(13, 40), rng.randrange(13, 90)])
    scores = rng.choice([1, 4, 12, 1000])
    players = [[rng.randrange(scores), rng.randrange(3) // 2, [rng.randrange(4) for _ in range(k)]] for _ in range(n)]
    density = rng.choice([0, 0.1, 0.3, 0.6, 1])
    met = [[a, b, rng.randrange(1, 4)] for a in range(n) for b in range(a + 1, n) if rng.random() < density]
    rng.shuffle(met)
    return {"k": k, "least": least, "players": players, "met": met}


def random_standing(rng):
    n, k = rng.randrange(2, 14), rng.randrange(2, 5)
    tables = []
    for _ in range(rng.randrange(0, 25)):
        seats = rng.sample(range(n), min(n, k - (rng.random() < 0.2) if k > 2 else k))
        tables.append([rng.random() < 0.1, [[None if rng.random() < 0.05 else p, rng.randrange(0 if rng.random() < 0.2 else 1, len(seats) + 1)] for p in seats]])
    return {"k": k, "bye": rng.randrange(3), "ranked": [rng.random() < 0.9 for _ in range(n)], "adjust": [rng.choice([0, 0, 0, 0, -1, 2]) for _ in range(n)],
            "tables": tables, "byes": [rng.randrange(n) for _ in range(rng.randrange(4))]}


def random_division(rng):
    count = rng.randrange(1, 5)
    number = list(range(60))
    rng.shuffle(number)
    sure = rng.random()
    lists = [[[number.pop(), rng.randrange(1, many + 1), rng.random() < sure] for _ in range(many)] for many in (rng.randrange(4, 9) for _ in range(count))]
    return {"lists": lists, "promote": rng.randrange(0, 4), "size": rng.randrange(4, 9), "reserves": [number.pop() for _ in range(rng.choice([0, 0, 1, 3, 12]))]}


def random_deal(rng):
    n = rng.randrange(1, 12)
    scores = [rng.randrange(-3, rng.choice([2, 10])) for _ in range(n)]
    ranked = [rng.random() < 0.8 for _ in range(n)]
    return {"scores": scores, "ranked": ranked, "most": max(sum(ranked), rng.randrange(2, 20)), "field": [rng.randrange(-3, 10) for _ in range(rng.randrange(1, 20))]}


def answer(kind, case):
    if kind == "pairing":
        tables, byes = pairing(case["players"], {(a, b): m for a, b, m in case["met"]}, case["k"], case["least"])
        return {"tables": tables, "byes": byes}
    if kind == "standing":
        return standing(case["k"], case["bye"], case["ranked"], case["adjust"], case["tables"], case["byes"])
    if kind == "division":
        return division(case["lists"], case["promote"], case["size"], case["reserves"])
    return {"rows": matchpoints(case["scores"], case["ranked"], case["most"]), "percentiles": [percentile(s, case["field"]) for s in case["scores"]]}


KINDS = {"pairing": random_pairing, "standing": random_standing, "division": random_division, "deal": random_deal}


def cases(seed, count):
    rng = random.Random(seed)
    made = {}
    for kind, make in KINDS.items():
        made[kind] = []
        for _ in range(count):
            case = make(rng)
            made[kind].append({**case, "want": answer(kind, case)})
    made["berger"] = [[n, r, *berger(n, r)] for n in range(2, 17) for r in range(1, n + n % 2)]
    return made


def check(path, step=1):
    """(the number of cases, the first that is otherwise or None); of the pairings, which take long, each `step`th."""
    told, count = json.loads(open(path).read()), 0
    for kind in KINDS:
        for at, case in enumerate(told[kind]):
            if kind == "pairing" and at % step:
                continue
            count += 1
            if answer(kind, case) != case["want"]:
                return count, "%s %d" % (kind, at)
    for n, r, games, bye in told["berger"]:
        count += 1
        if ([list(g) for g in berger(n, r)[0]], berger(n, r)[1]) != (games, bye):
            return count, "berger %d %d" % (n, r)
    return count, None


def lines(made):
    """JSON with one case a line."""
    return "{\n" + ",\n".join('"%s": [\n%s\n]' % (kind, ",\n".join(json.dumps(case, separators=(",", ":")) for case in those)) for kind, those in made.items()) + "\n}\n"


if __name__ == "__main__":
    if sys.argv[1] == "--write":
        open(sys.argv[4], "w").write(lines(cases(int(sys.argv[2]), int(sys.argv[3]))))
    else:
        many, wrong = check(sys.argv[2])
        sys.exit(wrong and "otherwise: " + wrong or print("%d cases" % many))
