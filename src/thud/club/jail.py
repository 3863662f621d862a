"""The jail of a visitor's process in an open club: Landlock and seccomp of the Linux kernel.

Whoever comes into an open club is a stranger.  Were one of them to make our code run theirs, the
kernel would still keep it, and the engines that it starts, from the network, from all files but the
visitor's own, from other processes, and from other programs than Python.  Landlock limits files,
signals and abstract sockets; seccomp refuses system calls that it does not cover.  Unix sockets
have no place in either, so the process makes no socket at all: a broker outside hands it connected
ones (`thud.club.broker`).

What a file is called, its size and its times stay visible, and memory and processor time are for
the service's limits.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
import sys
import sysconfig
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

LEAST: Final = 6
"""The version of Landlock that limits signals and truncation, too: Linux 6.12."""

MOST_TASKS: Final = 4096
"""Processes and threads of the club's user, all visitors together, above which none starts."""

# Landlock: the numbers are those of <linux/landlock.h>, the same on all systems.

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION: Final = 1
_BENEATH: Final = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_REMOVE_DIR, _REMOVE_FILE, _MAKE_DIR, _MAKE_REG = 1 << 4, 1 << 5, 1 << 7, 1 << 8
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_ALL_OF_FILES: Final = (1 << 16) - 1
_ALL_OF_TCP: Final = 3
_ALL_SCOPES: Final = 3
"""Abstract Unix sockets, and signals."""

_READ: Final = _READ_FILE | _READ_DIR
_OWN: Final = (
    _READ | _WRITE_FILE | _TRUNCATE | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG | _REFER
)
_OF_A_FILE: Final = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE

_LIBRARIES: Final = (
    *("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache"),
    *("/usr/share/locale", "/usr/share/zoneinfo", "/usr/share/terminfo", "/etc/localtime"),
    *("/etc/terminfo", "/dev/urandom"),
)
"""What programs read before they begin, and what they know of times, places and terminals."""

_DEVICES: Final = ("/dev/null", "/dev/tty")

# seccomp: the numbers of x86-64 and aarch64, in this order; -1 where there is no such call.

_ARCHITECTURES: Final = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_REFUSED: Final[dict[str, tuple[int, int]]] = {
    # the network, and sockets other than those given
    **{"socket": (41, 198), "connect": (42, 203), "bind": (49, 200), "listen": (50, 201)},
    **{"accept": (43, 202), "accept4": (288, 242)},
    # what does its work elsewhere, where no filter sees it
    **{"io_uring_setup": (425, 425), "io_uring_enter": (426, 426), "io_uring_register": (427, 427)},
    **{"io_setup": (206, 0), "io_submit": (209, 2)},
    # other processes
    **{"ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271)},
    **{"pidfd_getfd": (438, 438), "kcmp": (312, 272), "process_madvise": (440, 440)},
    **{"process_mrelease": (448, 448), "migrate_pages": (256, 238), "move_pages": (279, 239)},
    **{"sched_setparam": (142, 118), "sched_setattr": (314, 274)},
    **{"ioprio_set": (251, 30), "sched_setaffinity": (203, 122)},
    # files by other ways than opening them, which Landlock does not see
    **{"chmod": (90, -1), "fchmodat": (268, 53), "fchmodat2": (452, 452)},
    # an open file need not be open for writing for this
    **{"fchmod": (91, 52)},
    **{"chown": (92, -1), "lchown": (94, -1), "fchown": (93, 55), "fchownat": (260, 54)},
    **{"setxattr": (188, 5), "lsetxattr": (189, 6), "fsetxattr": (190, 7)},
    **{"setxattrat": (463, 463)},
    **{"removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16)},
    **{"removexattrat": (466, 466), "file_setattr": (469, 469)},
    **{"utime": (132, -1), "utimes": (235, -1), "futimesat": (261, -1)},
    **{"name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265)},
    **{"fanotify_init": (300, 262), "inotify_init": (253, -1), "inotify_init1": (294, 26)},
    **{"quotactl": (179, 60), "quotactl_fd": (443, 443), "mknod": (133, -1), "mknodat": (259, 33)},
    **{"chroot": (161, 51), "pivot_root": (155, 41), "mount": (165, 40), "umount2": (166, 39)},
    **{"open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430)},
    **{"fsconfig": (431, 431), "fsmount": (432, 432), "fspick": (433, 433)},
    **{"mount_setattr": (442, 442), "open_tree_attr": (467, 467)},
    # what processes of one user share
    **{"shmget": (29, 194), "shmat": (30, 196), "shmctl": (31, 195), "semget": (64, 190)},
    **{"semop": (65, 193), "semctl": (66, 191), "semtimedop": (220, 192), "msgget": (68, 186)},
    **{"msgsnd": (69, 189), "msgrcv": (70, 188), "msgctl": (71, 187), "mq_open": (240, 180)},
    **{"mq_unlink": (241, 181), "add_key": (248, 217), "request_key": (249, 218)},
    **{"keyctl": (250, 219)},
    # the system, and parts of the kernel that no game needs
    **{"unshare": (272, 97), "setns": (308, 268), "bpf": (321, 280), "userfaultfd": (323, 282)},
    **{"perf_event_open": (298, 241), "personality": (135, 92), "syslog": (103, 116)},
    **{"acct": (163, 89), "swapon": (167, 224), "swapoff": (168, 225), "reboot": (169, 142)},
    **{"sethostname": (170, 161), "setdomainname": (171, 162), "kexec_load": (246, 104)},
    **{"kexec_file_load": (320, 294), "init_module": (175, 105), "finit_module": (313, 273)},
    **{"delete_module": (176, 106), "settimeofday": (164, 170), "clock_settime": (227, 112)},
    **{"adjtimex": (159, 171), "clock_adjtime": (305, 266), "iopl": (172, -1), "ioperm": (173, -1)},
    **{"modify_ldt": (154, -1), "vhangup": (153, 58), "lookup_dcookie": (212, 18)},
    **{"setuid": (105, 146), "setgid": (106, 144), "setgroups": (116, 159)},
    **{"setreuid": (113, 145), "setregid": (114, 143), "setresuid": (117, 147)},
    **{"setresgid": (119, 149), "capset": (126, 91)},
}
"""System calls that fail."""

_SOCKETPAIR, _CLONE, _CLONE3 = (53, 199), (56, 220), (435, 435)
_UTIMENSAT, _PRLIMIT, _SETPRIORITY, _IOCTL = (280, 88), (302, 261), (141, 140), (16, 29)
_SCHED_SETSCHEDULER, _SCHED_IDLE = (144, 119), 5

_AF_UNIX, _SOCK_STREAM = 1, 1
_NAMESPACES: Final = 0x7E020000 | 0x80
"""The flags of clone(2) for new namespaces."""

_CONTROLS: Final = (0x5412, 0x541C, 0x40086602, 0x401C5820)
"""TIOCSTI and TIOCLINUX type into a terminal; FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR change files
that are open for reading alone."""

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _MASK, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_NUMBER, _ARCH, _ARGUMENTS = 0, 4, 16
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_X32: Final = 0x40000000
"""The bit of calls of the x32 ABI, which have other numbers."""

_NO_NEW_PRIVILEGES, _SET_SECCOMP, _FILTER = 38, 22, 2
_SET_CHILD_SUBREAPER, _SET_NAME = 36, 15


def why_not() -> str:
    """Return why this system cannot jail anybody, empty if it can."""
    if sys.platform != "linux" or os.uname().machine not in _ARCHITECTURES:
        return "the jail of strangers needs Linux on x86-64 or ARM (aarch64)"
    version = _libc().syscall(_CREATE_RULESET, None, 0, _VERSION)
    if version < 0:
        why = "this kernel has no Landlock, or it is not switched on"
    elif version < LEAST:
        why = f"this kernel's Landlock has version {version}"
    else:
        return ""
    return f"strangers can only be jailed by Linux 6.12 or later, with Landlock: {why}"


def confine(own: Iterable[Path], read: Iterable[str | Path]) -> None:
    """Jail this process with all that it starts, for good.

    Args:
        own: directories where files may be written.
        read: files and directories that may only be read, beside Python and the system's libraries.

    Raises:
        OSError: the kernel refuses.
    """
    import resource

    # Two links, and one for each thread: a jailed process could not list them.
    if os.stat("/proc/self/task").st_nlink != 3:
        raise OSError(errno.EBUSY, "a process with threads cannot be jailed")
    with suppress(OSError, ValueError):
        _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
        most = MOST_TASKS if hard == resource.RLIM_INFINITY else min(hard, MOST_TASKS)
        resource.setrlimit(resource.RLIMIT_NPROC, (most, most))
    libc = _libc()
    _checked(libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _limit_files(libc, own, read)
    _limit_calls(libc)


def name_process(name: bytes) -> None:
    """Name this process for `ps`, in 15 bytes at most."""
    _libc().prctl(_SET_NAME, name, 0, 0, 0)


# What is left of a jailed process once it has ended


def adopt_orphans() -> None:
    """Let this process become the parent of what its children leave running.

    Raises:
        OSError: the kernel refuses.
    """
    _checked(_libc().prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def end_orphans(expected: Callable[[], Collection[int | None]]) -> None:
    """Kill the jailed children of this process, with what they leave in turn, and reap the dead.

    A process that a visitor's process leaves behind, in whatever session, is adopted by this one.

    Args:
        expected: returns the process ids of children that go on, or 0 among them while one is
            being started; called once those that run have been listed.
    """
    for _ in range(MOST_TASKS):
        running = [*_foreign_children()]
        going_on = expected()
        orphans = [each for each in running if each not in going_on]
        if not orphans or 0 in going_on:
            break
        for each in orphans:
            with suppress(OSError):
                if not os.waitpid(each, os.WNOHANG)[0]:
                    os.kill(each, signal.SIGKILL)
                    os.waitpid(each, 0)


def _foreign_children() -> Iterator[int]:
    """Yield children that have ended, or have more filters of system calls than this process."""
    own = _filters_of("self")
    for each in os.listdir("/proc"):
        with suppress(OSError, ValueError, IndexError):
            if each.isdigit():
                status = Path("/proc", each, "stat").read_text(errors="replace")
                state, parent = status.rpartition(")")[2].split()[:2]
                if int(parent) == os.getpid() and (state == "Z" or _filters_of(each) > own):
                    yield int(each)


def _filters_of(process: str) -> int:
    status = Path("/proc", process, "status").read_text(errors="replace")
    return int(status.partition("\nSeccomp_filters:")[2].partition("\n")[0] or 0)


def _libc() -> Any:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


# Landlock


def _limit_files(libc: Any, own: Iterable[Path], read: Iterable[str | Path]) -> None:
    handled = struct.pack("=QQQ", _ALL_OF_FILES, _ALL_OF_TCP, _ALL_SCOPES)
    rules = _checked(libc.syscall(_CREATE_RULESET, handled, len(handled), 0))
    try:
        for path, access in _allowed(own, read):
            _add(libc, rules, path, access)
        _checked(libc.syscall(_RESTRICT_SELF, rules, 0))
    finally:
        os.close(rules)


def _allowed(own: Iterable[Path], read: Iterable[str | Path]) -> Iterator[tuple[str | Path, int]]:
    for path in own:
        yield path, _OWN
    paths = sysconfig.get_paths()
    python = (paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    # Not all of a prefix, such as /usr: the loader could run what can be read there.
    prefixes = {sys.prefix, sys.base_prefix}
    own_libraries = (f"{prefix}/{each}" for prefix in prefixes for each in ("lib", "pyvenv.cfg"))
    for each in (*python, *own_libraries, *_LIBRARIES, *read):
        yield each, _READ
    for device in _DEVICES:
        yield device, _READ_FILE | _WRITE_FILE
    program = os.path.realpath(sys.executable)
    for each in (program, *_loader_of(program)):
        yield each, _EXECUTE | _READ_FILE


def _add(libc: Any, rules: int, path: str | Path, access: int) -> None:
    """Allow access to what is at a path and beneath it; what does not exist needs no rule."""
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not os.path.isdir(path):
            access &= _OF_A_FILE
        rule = struct.pack("=Qi", access, opened)
        _checked(libc.syscall(_ADD_RULE, rules, _BENEATH, rule, 0))
    finally:
        os.close(opened)


def _loader_of(program: str) -> Iterator[str]:
    """Yield the dynamic loader that a program's file names, if any."""
    with open(program, "rb") as file:
        head = file.read(1 << 16)
    at, size, count = *struct.unpack_from("<Q", head, 32), *struct.unpack_from("<HH", head, 54)
    for start in range(at, at + size * count, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", head, start)
        if kind == 3:  # PT_INTERP
            yield head[offset : offset + length - 1].decode()


# seccomp


def _limit_calls(libc: Any) -> None:
    code = b"".join(struct.pack("=HBBI", *each) for each in _program())
    program = ctypes.create_string_buffer(code, len(code))
    about = struct.pack("@HP", len(code) // 8, ctypes.addressof(program))
    _checked(libc.prctl(_SET_SECCOMP, _FILTER, about, 0, 0))


def _program() -> Iterator[tuple[int, int, int, int]]:
    """Yield the filter's instructions: code, jumps if true and if false, and value."""
    column, architecture = _ARCHITECTURES[os.uname().machine]
    refuse = (_RETURN, 0, 0, _ERROR | errno.EPERM)
    allow = (_RETURN, 0, 0, _ALLOW)
    yield from [(_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, architecture), (_RETURN, 0, 0, _KILL)]
    yield (_LOAD, 0, 0, _NUMBER)
    if column == 0:
        yield from [(_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    for numbers in _REFUSED.values():
        if numbers[column] >= 0:
            yield from [(_EQUAL, 0, 1, numbers[column]), refuse]
    # glibc takes clone(2) instead, whose flags can be seen.
    yield from [(_EQUAL, 0, 1, _CLONE3[column]), (_RETURN, 0, 0, _ERROR | errno.ENOSYS)]
    low, high = _ARGUMENTS, _ARGUMENTS + 4
    checks = {
        _CLONE: [(_LOAD, 0, 0, low), (_ANY_BIT, 0, 1, _NAMESPACES), refuse, allow],
        # A datagram socket could send to any path.
        _SOCKETPAIR: [
            *[(_LOAD, 0, 0, low), (_EQUAL, 0, 3, _AF_UNIX), (_LOAD, 0, 0, low + 8)],
            *[(_MASK, 0, 0, 0xF), (_EQUAL, 1, 0, _SOCK_STREAM), refuse, allow],
        ],
        # With a path; without one, an open file's times are set.
        _UTIMENSAT: [
            *[(_LOAD, 0, 0, low + 8), (_EQUAL, 0, 2, 0), (_LOAD, 0, 0, high + 8)],
            *[(_EQUAL, 1, 0, 0), refuse, allow],
        ],
        # Another process than this one.
        _PRLIMIT: [(_LOAD, 0, 0, low), (_EQUAL, 1, 0, 0), refuse, allow],
        # Another process than this one, or to run before others.
        _SCHED_SETSCHEDULER: [
            *[(_LOAD, 0, 0, low), (_EQUAL, 0, 2, 0), (_LOAD, 0, 0, low + 8)],
            *[(_EQUAL, 1, 0, _SCHED_IDLE), refuse, allow],
        ],
        # Such as all processes of the club's user.
        _SETPRIORITY: [
            *[(_LOAD, 0, 0, low), (_EQUAL, 0, 2, 0), (_LOAD, 0, 0, low + 8), (_EQUAL, 1, 0, 0)],
            *[refuse, allow],
        ],
        _IOCTL: [
            (_LOAD, 0, 0, low + 8),
            *[(_EQUAL, left, 0, each) for left, each in zip((4, 3, 2, 1), _CONTROLS, strict=True)],
            *[allow, refuse],
        ],
    }
    for numbers, check in checks.items():
        yield (_EQUAL, 0, len(check), numbers[column])
        yield from check
    yield allow
