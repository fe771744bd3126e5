"""Those who can join a game that `League.seated` makes."""
known = {}  # by name, who was made last; each has joins(league, game, asked, now): the raw mail by which they take their seat
