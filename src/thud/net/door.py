"""Who is let in at a host's, and to which seat."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.net.messages import WATCH, Ask, Hello
from thud.net.seat_registry import SeatRegistry

_TAKEN: Final = "the seat is taken, and is kept for whoever has it"
_INVALID: Final = "this invitation is not valid here"


class Unwelcome(Exception):
    """A client that is not let in, and why, in a sentence."""


class Full(Unwelcome):
    """A client for which there is no room now, and may be later."""


class Unknown(Unwelcome):
    """A client that has shown no right secret, nor any token."""


class Pass(NamedTuple):
    """What a client is let in for."""

    player: int | None
    """Which player it is, None for a spectator."""
    comes_back: bool = False
    """Whether it has shown the token of the seat."""


def admitted(seating: SeatRegistry, hello: Hello, *, trusted: bool) -> Pass:
    """Return what a client is let in for.

    Args:
        seating: the seats for people elsewhere.
        hello: what the client says.
        trusted: whether it needs no secret.

    Raises:
        Unwelcome: it is not let in.
    """
    if hello.want == WATCH:
        return _spectator(seating, hello, trusted=trusted)
    owned = seating.owned(hello.token)
    if owned is not None:
        return Pass(owned, comes_back=True)
    wanted = [
        each for each in _invited(seating, hello, trusted=trusted) if hello.seat in (None, each)
    ]
    if not wanted:
        raise Unwelcome("that seat is not for somebody at another place")
    free = [player for player in wanted if not seating.places[player].owner]
    if not free:
        raise Unwelcome(_TAKEN)
    return Pass(free[0])


def check(seating: SeatRegistry, ask: Ask, *, trusted: bool) -> None:
    """Pass a client that may know which host this is.

    Raises:
        Unknown: it has shown no secret.
    """
    if not (trusted or seating.lets_watch(ask.secret)):
        raise Unknown(_INVALID)


def _spectator(seating: SeatRegistry, hello: Hello, *, trusted: bool) -> Pass:
    if not trusted and seating.owned(hello.token) is None:
        check(seating, Ask(hello.thud, hello.secret), trusted=False)
    return Pass(None)


def _invited(seating: SeatRegistry, hello: Hello, *, trusted: bool) -> list[int]:
    """Return the players that a client may be."""
    if invited := seating.invites(hello.secret):
        return invited
    if not trusted:
        raise Unknown(_INVALID)
    return [*seating.places]
