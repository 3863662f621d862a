"""Players from a command's options, or from the record of a resumed match."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from shutil import which
from typing import Final

from thud.cli.options import OPPONENTS
from thud.disk.directories import LAST_CHOICES, data_directory
from thud.engines.spec import (
    FAIR,
    HUMAN,
    Contender,
    UnknownPlayer,
    distinct,
    level_contender,
    parse_contender,
    played_by,
)
from thud.records.store import Store
from thud.rules.match import DEFAULT_PLAYERS, InvalidPlayers, Match
from thud.rules.position import Side
from thud.text import quoted


def given(options: Namespace) -> bool:
    """Whether the options name any player."""
    return bool(options.dwarfs or options.trolls or options.opponent)


def chosen(
    options: Namespace, match: Match | None = None, programs: tuple[str, str] = ("", "")
) -> tuple[Contender, Contender]:
    """Return the contenders of players 0 and 1.

    The options name sides as in the current battle.  Without options the previous players continue,
    as far as they are people or Thud's own computers.

    Args:
        options: the command line's options.
        match: the match to continue, if any.
        programs: the programs of its players before.

    Raises:
        ValueError: a player is unknown, a program is missing, --opponent is combined with the
            others, or fair is used without it.
    """
    if options.opponent and (options.dwarfs or options.trolls):
        raise ValueError("use either --opponent or --dwarfs and --trolls")
    if _is_fair(options.dwarfs) or _is_fair(options.trolls):
        raise ValueError("fair works only with --opponent")
    if not given(options):
        return played_by(programs[0]), played_by(programs[1])
    if options.opponent:
        return parse_contender(HUMAN), _opponent(options, match)
    by_side = {
        Side.DWARFS: _present(parse_contender(options.dwarfs or HUMAN)),
        Side.TROLLS: _present(parse_contender(options.trolls or HUMAN)),
    }
    side = match.side_of(0) if match else Side.DWARFS
    return by_side[side], by_side[side.other]


def _opponent(options: Namespace, match: Match | None) -> Contender:
    """Return the opponent of a person, who is player 0."""
    who = options.opponent
    if not _is_fair(who):
        try:
            return _present(parse_contender(who))
        except UnknownPlayer:
            raise UnknownPlayer(f"unknown opponent {quoted(who)}: use {OPPONENTS}") from None
    from thud.strength.people import fair_level, strengths_in

    store = Store()
    said = getattr(options, "names", None)
    person = match.players[0] if match else said[0] if said else _kept()[1] or DEFAULT_PLAYERS[0]
    return level_contender(fair_level(strengths_in(store, store.finished()), person))


def _is_fair(who: str | None) -> bool:
    return who is not None and who.strip().lower() == FAIR


def _present(contender: Contender) -> Contender:
    """Return a contender, after checking that its program is installed."""
    if contender.foreign and which(contender.command[0]) is None:
        raise ValueError(f"program {quoted(contender.command[0])} was not found")
    return contender


def _kept() -> tuple[tuple[str, str], str]:
    """Return the names kept by the front page: of two people, and of the person here, if any."""
    directory = data_directory()
    if not (directory / LAST_CHOICES).exists():
        return DEFAULT_PLAYERS, ""
    from thud.settings.last_choices import kept_names  # not for the first frame without any

    return kept_names(directory)


_BOTH: Final = "give both names, such as --names Ann Bo, or none"


def names(pair: tuple[Contender, Contender] | None, said: Sequence[str] = ()) -> tuple[str, str]:
    """Return the players' names; by default a computer is named after its level.

    Args:
        pair: the contenders, None for two people.
        said: the names given: both, that of the person against a computer, or none for those that
            the front page has kept.

    Raises:
        InvalidPlayers: there are too many names, or it is unclear whose name it is.
    """
    if len(said) > len(DEFAULT_PLAYERS):
        raise InvalidPlayers(f"a match has two players, not {len(said)}: quote names with spaces")
    if len(said) == len(DEFAULT_PLAYERS):
        return said[0], said[1]
    if not said:
        both, own = _kept()
        if pair is None or all(each.human and not each.guest for each in pair):
            return both
        guested = any(each.guest for each in pair)
        defaults = DEFAULT_PLAYERS if guested else (DEFAULT_PLAYERS[0],) * 2
        first, second = (
            each.name or ("" if each.guest else own) or default
            for each, default in zip(pair, defaults, strict=True)
        )
        return distinct(first, second)
    (name,) = said
    if pair and any(contender.guest for contender in pair):
        first, second = (DEFAULT_PLAYERS[n] if pair[n].guest else name for n in range(2))
        return pair[0].name or first, pair[1].name or second
    if pair is None or all(contender.human for contender in pair):
        raise InvalidPlayers(f"two people play: {_BOTH}")
    if not any(contender.human for contender in pair):
        raise InvalidPlayers(f"two computers play: {_BOTH}")
    return pair[0].name or name, pair[1].name or name
