"""Looking up finished matches of a club, as their number grows: processor time and megabytes.

Usage: python benchmarks/club_past.py [MATCHES] [PLAYERS]

The matches are battles of the corpus in a club's archive.  Measured are the list of a club that has
no `results.json` yet, the same with one, pages of a list, searches, a player's page and texts.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import resource
import sys
import time
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from thud.club.past import PastMatches, found_matches, found_players, index_of, player_page
from thud.club.results import RESULTS_FILE, ResultsFile
from thud.club.storage import Visitors
from thud.explore.files import corpus_of
from thud.net.seat_registry import SeatRegistry, kept_for
from thud.records.formats import read_file
from thud.records.store import SUFFIX
from thud.records.tgn.writer import tgn_text
from thud.rules.variants import VARIANTS
from thud.visitor.look_up import PAGE, FindMatches, FindPlayers, ReadMatches
from thud.visitor.profile import VisitorProfile


def make(club: Path, matches: int, players: int) -> None:
    """Make a club with an archive; its visitors still have their latest seats."""
    chance = random.Random(1)
    records = read_file(corpus_of(VARIANTS["classic"]))
    ids = [f"{each:032x}" for each in range(players)]
    for each in ids:
        VisitorProfile(club / "visitors" / each).rename(f"Player {int(each, 16)}")
    archive = club / "tables" / "archive" / "matches"
    archive.mkdir(mode=0o700, parents=True)
    for number, record in enumerate(islice(cycle(records), matches)):
        one, other = chance.sample(ids, 2)
        names = f"Player {int(one, 16)}", f"Player {int(other, 16)}"
        path = archive / f"match-{number}{SUFFIX}"
        path.write_text(tgn_text(record._replace(players=names)))
        os.utime(path, (1_700_000_000 + 3600 * number,) * 2)
        registry = SeatRegistry(range(2))
        for player, each in enumerate((one, other)):
            seats = club / "visitors" / each / "seats"
            seats.mkdir(exist_ok=True)
            token = json.dumps({"token": registry.seats[player].take()})
            (seats / f"{registry.id}.json").write_text(token)
        kept = kept_for(archive, path.stem)
        owners = {
            f"player {at}": {"secret": each.secret, "owner": each.owner}
            for at, each in registry.seats.items()
        }
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(json.dumps({"id": registry.id, "terms": {}, **owners}))


def megabytes() -> float:
    """Return the memory of this process, at its most so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def report(what: str, since: float, times: int = 1) -> None:
    """Print how long something took."""
    print(f"{what:44} {1000 * (time.process_time() - since) / times:9.1f} ms", flush=True)


async def measure(club: Path) -> None:
    """Measure a club's archive."""
    visitors, before = Visitors(club / "visitors"), megabytes()
    for what in ("first list, without results.json", "list after a restart"):
        since = time.process_time()
        past = PastMatches(club / "tables", visitors)
        past._take_up()
        report(what, since)
    found = ResultsFile(club / RESULTS_FILE)
    print(f"results.json: {found.stamp[2] / 2**20:.1f} MB, {len(found.load().results)} matches")
    since = time.process_time()
    index = await past._fresh_index()
    report("names, links and ratings anew", since)
    since = time.process_time()
    index = index_of(past.results, visitors, index)
    report("names and links anew", since)
    print(f"memory: {megabytes() - before:.0f} MB more, at most")
    someone = index.listed[0].people[0]
    for what, asked in {
        "first page": FindMatches(),
        "last page": FindMatches(page=len(index.listed) // PAGE),
        "search: player against opponent": FindMatches("player 7", "player 1"),
        "search: game, days, result, length": FindMatches(
            "player 7", variant="classic", since="2024", result="won", shortest=30, longest=90
        ),
    }.items():
        since = time.process_time()
        for _ in range(20):
            found_matches(index, someone, asked)
        report(what, since, 20)
    since = time.process_time()
    for _ in range(20):
        player_page(index, "", someone)
    report("a player's page", since, 20)
    since = time.process_time()
    for _ in range(20):
        found_players(index, "", FindPlayers("player"))
    report("players", since, 20)
    ids = tuple(each.result.id for each in index.listed[:PAGE])
    since = time.process_time()
    for _ in range(20):
        await past.answer("", (), ReadMatches(ids))
    report(f"texts of {PAGE} matches", since, 20)
    since = time.process_time()
    found.change(lambda results: results.hidden.append("x"))
    report("saving a result", since)


def main() -> None:
    """Measure."""
    matches, players = (int(each) for each in (*sys.argv[1:], "10000", "100")[:2])
    with TemporaryDirectory() as directory:
        club = Path(directory)
        make(club, matches, players)
        asyncio.run(measure(club))


if __name__ == "__main__":
    main()
