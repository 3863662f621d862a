"""The work of `thud serve`: opens the doors of a club, and looks after its visitors."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress
from importlib import import_module
from ipaddress import ip_address
from pathlib import Path
from typing import Final, TypeAlias

from msgspec.structs import replace

from thud.club.club import ClubServer, keep_compiled
from thud.club.doors import (
    LOOPBACK,
    WEB_PORT,
    AcceptErrors,
    Door,
    DoorOptions,
)
from thud.club.jail import why_not
from thud.club.keeping import tables_kept
from thud.club.owner import Owner, RunningClub, owner_heard
from thud.club.results import RESULTS_FILE, ResultsFile
from thud.club.storage import Visitors, club_directory, only_club, own_secret, proof_key
from thud.disk.directories import RUN_VARIABLE
from thud.extras import how_to_get
from thud.net.transports.local import place_of_club
from thud.terminal.signals import ending
from thud.text import legible, quoted

_Opener: TypeAlias = Callable[[ClubServer, DoorOptions], Awaitable[Door]]

_WEB: Final = "thud.club.web.door:open_web"
_SSH: Final = "thud.club.ssh.door:open_ssh"
_EXTRA: Final = frozenset({"aiohttp", "asyncssh", "textual_serve"})


def serve_club(options: Namespace) -> None:
    """Open the doors, print their addresses, and serve until interrupted."""
    if sys.platform == "win32":
        raise ValueError("a club needs Linux, macOS or a similar system")
    if options.matches is not None:
        _manage_matches(ResultsFile(club_directory() / RESULTS_FILE), options.matches)
        return
    if options.open and (reason := why_not()):
        raise ValueError(reason)
    address = _address(options.host, remote=options.allow_remote)
    wanted = [*_wanted(options)]
    openers = [_opener(name) for name, _ in wanted]
    with only_club() as directory:
        # The keeper and the visitors' processes meet there, and nowhere else.
        os.environ[RUN_VARIABLE] = str(place_of_club(directory))
        secret = own_secret()
        url = options.public_url or ""
        proxies = 1 if options.proxies is None else options.proxies
        page = options.page or ""
        keep_compiled(directory / "cache")
        terms = [DoorOptions(address, port, secret, url, proxies, page) for _, port in wanted]
        club = ClubServer(
            Visitors(directory / "visitors"),
            most=options.max_visitors,
            idle=60.0 * options.idle,
            most_each=options.max_each or max(1, options.max_visitors // 2),
            is_open=options.open,
            proof_key=proof_key(),
        )
        asyncio.run(_serve(club, directory, [*zip(openers, terms, strict=True)]))


def _manage_matches(results: ResultsFile, words: list[str]) -> None:
    """List the finished matches, latest first, or strike one out or restore it.

    Raises:
        ValueError: the words are no such command, or there is no such match.
        OSError: the change cannot be saved.
    """
    match words:
        case []:
            listed = results.load().results
            if not listed:
                print("No match is finished yet.")
            for each in reversed(listed):
                struck = ", struck out" if each.struck else ""
                print(legible(f"{each.id}: {' – '.join(each.names)}, {each.variant}{struck}"))
        case [("strike" | "restore") as what, name]:
            with results.changing() as found:
                places = [at for at, each in enumerate(found.results) if each.id == name]
                if not places:
                    raise ValueError(
                        f"there is no finished match {quoted(name)}: list all with "
                        "'thud serve --matches'"
                    )
                for at in places:
                    found.results[at] = replace(found.results[at], struck=what == "strike")
            print(f"{name} is {'not rated' if what == 'strike' else 'rated'} from now on.")
        case _:
            raise ValueError("use --matches alone, or with strike MATCH or restore MATCH")


def _wanted(options: Namespace) -> Iterator[tuple[str, int]]:
    """Yield the opener and port of each door requested.

    Raises:
        ValueError: the options do not fit together.
    """
    web = WEB_PORT if options.web is None and options.ssh is None else options.web
    if web is not None:
        yield _WEB, web
    elif options.public_url:
        raise ValueError("--public-url needs --web")
    if options.proxies is not None and not options.public_url:
        raise ValueError("--proxies needs --public-url")
    if options.ssh is not None:
        yield _SSH, options.ssh


def _address(host: str | None, *, remote: bool) -> str:
    """Return the address to listen at.

    Raises:
        ValueError: it is not an address, or not a local one and remote access is not allowed.
    """
    if host is None:
        if remote:
            raise ValueError("--allow-remote needs --host")
        return LOOPBACK
    try:
        address = ip_address(LOOPBACK if host == "localhost" else host)
    except ValueError:
        raise ValueError(
            f"{quoted(host)} is not an address: use one such as 192.168.0.2 or 0.0.0.0"
        ) from None
    if not (remote or address.is_loopback):
        raise ValueError(f"{host} lets other machines in: add --allow-remote to allow that")
    return str(address)


def _opener(name: str) -> _Opener:
    """Load the function that opens a door.

    Raises:
        ValueError: the extra that it needs is not installed.
    """
    module, _, function = name.partition(":")
    try:
        found: _Opener = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise ValueError(f"a club needs more packages: {how_to_get('serve')}") from None
    return found


async def _cancelled(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait for its end: the end of the loop would cancel it again."""
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def _serve(
    club: ClubServer, directory: Path, opening: list[tuple[_Opener, DoorOptions]]
) -> None:
    """Serve until Ctrl+C or a terminating signal."""
    ended, loop = asyncio.Event(), asyncio.get_running_loop()
    interrupt = [signal.SIGINT] if signal.getsignal(signal.SIGINT) != signal.SIG_IGN else []
    for each in (*interrupt, *ending()):
        loop.add_signal_handler(each, ended.set)
    loop.set_exception_handler(AcceptErrors())
    async with tables_kept(is_open=club.is_open) as keeper, AsyncExitStack() as after:
        await asyncio.to_thread(club.visitors.clear_watchers)
        for work in (club.prepare_visits(), club.forget_guests(), club.end_orphans()):
            after.push_async_callback(_cancelled, asyncio.create_task(work))
        doors: list[Door] = []
        for opener, terms in opening:
            doors.append(await opener(club, terms))
            after.push_async_callback(doors[-1].close)
            club.links |= doors[-1].links

        def invitation() -> list[str]:
            return [line for each in doors for line in each.invitation]

        def renew(secret: str) -> None:
            for each in doors:
                each.renew(secret)

        owner = Owner(club.visitors, RunningClub(club, keeper, invitation, renew))
        await after.enter_async_context(owner_heard(directory, owner))
        waiting = [asyncio.create_task(each.wait()) for each in (keeper.answering, ended)]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        if keeper.answering.is_set():
            print(*invitation(), "Ctrl+C ends it.", sep="\n", flush=True)
        await ended.wait()
        for task in waiting:
            task.cancel()
