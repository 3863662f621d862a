"""What a search may leave out, so that it gets deeper."""

from __future__ import annotations

from typing import Final, NamedTuple


class Options(NamedTuple):
    """What the search may leave out; `FULL` leaves out nothing."""

    selective: bool = True
    """Look at the game's selection of quiet moves only."""
    reduce_after: tuple[int, int] = (3, 6)
    """So many quiet moves, of the dwarfs and of the trolls, before the next ones are reduced."""
    caps: tuple[tuple[int, ...], tuple[int, ...]] = ((0, 20, 20, 24, 40), (0, 12, 20, 30, 40))
    """The most quiet moves of either side by plies to go; the last number serves above, too."""
    tried: tuple[tuple[int, ...], tuple[int, ...]] = (
        (1000, 1000, 1000, 120, 60),
        (1000, 1000, 1000, 120, 40),
    )
    """The most root moves of either side by depth; the last number serves above, too."""
    passing: int = 2
    """Null move: plies saved; 0 for none."""
    delta: bool = True
    """Pass over captures in quiescence that cannot reach alpha."""
    extensions: int = 1
    """So often in a line one looks a ply deeper where dwarfs hang."""
    rescues: bool = True
    """In quiescence, look at flights, too."""
    repetitions: bool = True
    """Value a state that comes back without looking further."""
    futility: int = 90
    """With one ply to go, leave out quiet moves so far below alpha; 0 for never."""
    exact_depth: bool = False
    """Take from the table only what was searched just as deep, not deeper."""
    table: int = 120_000
    """The most states in either half of the table."""


SELECTIVE: Final = Options()
FULL: Final = Options(
    selective=False,
    reduce_after=(10_000, 10_000),
    caps=((10_000,), (10_000,)),
    passing=0,
    delta=False,
    extensions=0,
    rescues=False,
    repetitions=False,
    futility=0,
    exact_depth=True,
)
