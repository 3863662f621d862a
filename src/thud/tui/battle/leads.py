"""Who was ahead when, in a battle that goes on."""

from __future__ import annotations

from collections.abc import Sequence

from thud.rules.battle import Battle
from thud.rules.position import Position


class BattleLeads:
    """Works out how far the dwarfs are ahead as a battle goes on, each position once."""

    def __init__(self) -> None:
        self._battle: Battle | None = None
        self._positions: list[Position] = []
        self._leads: list[float] = []

    def of(self, battle: Battle) -> Sequence[float]:
        """Return the lead in each position of a battle as it is now; a new sequence each time."""
        positions = battle.positions
        known = len(self._positions)
        if battle is not self._battle:
            known = 0
        # What was taken back and played otherwise is known no more.
        while known and (
            known > len(positions) or self._positions[known - 1] is not positions[known - 1]
        ):
            known -= 1
        rest = positions[known:]
        self._battle = battle
        self._positions = [*self._positions[:known], *rest]
        self._leads = [*self._leads[:known], *map(battle.variant.lead, rest)]
        return self._leads
