"""A jailed process that tries to break out: prints what succeeded, and must print nothing.

Arguments: the directory that it owns, one that it does not, and a process that it must not reach.
There is no sandbox of Python's in it.
"""

# ruff: noqa: SIM115, PLW0108 - attempts that must not succeed

import ctypes
import fcntl
import mmap
import os
import resource
import signal
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Callable
from pathlib import Path

from thud.club.jail import _loader_of, confine

own, other, victim = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
address: str | tuple[str, int] = str(other / "stream")
port = 9
try:
    listening = socket.socket()
except PermissionError:  # jailed already, with the process that it is forked from
    listening, _ = socket.socketpair()
else:
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    port = listening.getsockname()[1]
    address = "127.0.0.1", port
parent = os.getppid()
libc = ctypes.CDLL(None, use_errno=True)
confine([own], [Path(__file__).parent])


_FAILURES = (OSError, ValueError, subprocess.CalledProcessError)


def call(number: int, *arguments: object) -> int:
    result = int(libc.syscall(number, *arguments))
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)


def datagram_to_a_path() -> None:
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"x", str(other / "datagrams"))


def in_child(do: Callable[[], object]) -> Callable[[], None]:
    """Return the same attempt from a child process."""

    def tried() -> None:
        child = os.fork()
        if child == 0:
            try:
                do()
            except Exception:
                os._exit(1)
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise PermissionError

    return tried


def in_thread(do: Callable[[], object]) -> Callable[[], None]:
    """Return the same attempt from a thread."""

    def tried() -> None:
        done = []

        def attempt() -> None:
            try:
                do()
            except _FAILURES:
                return
            done.append(1)

        thread = threading.Thread(target=attempt)
        thread.start()
        thread.join()
        if not done:
            raise PermissionError

    return tried


def connect(family: int, kind: int, address: tuple[str, int] | str) -> Callable[[], None]:
    return lambda: socket.socket(family, kind).connect(address)


x86 = os.uname().machine == "x86_64"
secret, new = other / "secret", other / "new"
ATTEMPTS: dict[str, Callable[[], object]] = {
    # files
    "open /etc/passwd": lambda: open("/etc/passwd"),
    "list /": lambda: os.listdir("/"),
    "list /proc": lambda: os.listdir("/proc"),
    "read a secret": secret.read_text,
    "read a secret by a link": lambda: (own / "link").read_text(),
    "read a secret by ..": lambda: (own / ".." / other.name / "secret").read_text(),
    "read a secret from its directory": lambda: os.open("secret", 0, dir_fd=os.open(other, 0)),
    "read the environment of another process": Path(f"/proc/{victim}/environ").read_bytes,
    "read the memory of another process": lambda: open(f"/proc/{victim}/mem", "rb").read(1),
    "list another's descriptors": lambda: os.listdir(f"/proc/{victim}/fd"),
    "write elsewhere": lambda: new.write_text("x"),
    "write /tmp": lambda: open("/tmp/thud-jail-escaped", "w"),
    "append to a file": lambda: secret.open("a"),
    "truncate a file": lambda: os.truncate(secret, 0),
    "delete a file": secret.unlink,
    "rename a file": lambda: secret.rename(own / "taken"),
    "rename a file out": lambda: (own / "mine").rename(new),
    "link a file in": lambda: os.link(secret, own / "linked"),
    "link a file out": lambda: os.link(own / "mine", new),
    "make a symbolic link": lambda: os.symlink(secret, own / "symbolic"),
    "make a directory": new.mkdir,
    "remove a directory": (other / "empty").rmdir,
    "make a pipe": lambda: os.mkfifo(own / "pipe"),
    "make a device": lambda: os.mknod(own / "device", 0o600 | 0o020000, os.makedev(1, 1)),
    "change a mode": lambda: secret.chmod(0o777),
    "change a mode of its own": lambda: (own / "mine").chmod(0o777),
    "change a mode of what it can read": lambda: os.fchmod(os.open(__file__, 0), 0o644),
    "change flags of what it can read": lambda: fcntl.ioctl(
        os.open(__file__, 0), 0x40086602, fcntl.ioctl(os.open(__file__, 0), 0x80086601, bytes(8))
    ),
    "change an owner": lambda: os.chown(secret, os.getuid(), os.getgid()),
    "change times": lambda: os.utime(secret, (1, 1)),
    "set an attribute": lambda: os.setxattr(secret, "user.x", b"x"),
    "mount": lambda: call(165 if x86 else 40, b"none", str(own).encode(), b"tmpfs", 0, None),
    "chroot": lambda: os.chroot(own),
    "open by handle": lambda: call(304 if x86 else 265, -100, b"\0" * 16, 0),
    "watch a directory": lambda: call(294 if x86 else 26, 0),
    "open a disk": lambda: open("/dev/vda", "rb"),
    "open the memory": lambda: open("/dev/mem", "rb"),
    "share memory by a file": lambda: open("/dev/shm/thud-jail-escaped", "w"),
    # the network
    "connect by TCP": connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", port)),
    "connect by TCP over IPv6": connect(socket.AF_INET6, socket.SOCK_STREAM, ("::1", port)),
    "send by UDP": lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", port)),
    "open a raw socket": lambda: socket.socket(type=socket.SOCK_RAW),
    "open a packet socket": lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    "ask the kernel's netlink": lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    "open a vsock": lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM),
    "listen": lambda: socket.create_server(("127.0.0.1", 0)),
    "accept on an inherited socket": listening.accept,
    "connect an inherited socket": lambda: listening.connect(address),
    "look up a name": lambda: socket.getaddrinfo("example.com", 80),
    "connect to a Unix socket": connect(1, socket.SOCK_STREAM, str(other / "stream")),
    "connect to an abstract socket": connect(1, socket.SOCK_STREAM, f"\0thud-jail-{parent}"),
    "send to a Unix socket": datagram_to_a_path,
    "use io_uring": lambda: call(425, 8, b"\0" * 120),
    # programs and processes
    "run a shell": lambda: run("/bin/sh", "-c", "true"),
    "run true": lambda: run("/bin/true"),
    "run a program of its own": lambda: run(str(own / "program")),
    "run a program through the loader": lambda: run(*_loader_of(sys.executable), "/bin/true"),
    "become a shell": lambda: os.execv("/bin/sh", ["sh", "-c", "echo escaped"]),
    "kill another process": lambda: os.kill(victim, signal.SIGUSR1),
    "kill the parent": lambda: os.kill(parent, 0),
    "kill another group": lambda: os.killpg(victim, 0),
    "kill by a descriptor": lambda: signal.pidfd_send_signal(os.pidfd_open(victim), 0),
    "take another's descriptor": lambda: call(438, os.pidfd_open(victim), 0, 0),
    "trace another process": lambda: call(101 if x86 else 117, 16, victim, 0, 0),
    "be traced": lambda: call(101 if x86 else 117, 0, 0, 0, 0),
    "read another's memory": lambda: call(310 if x86 else 270, victim, 0, 0, 0, 0, 0),
    "limit another process": lambda: resource.prlimit(victim, resource.RLIMIT_CORE, (0, 0)),
    "slow another process": lambda: os.setpriority(os.PRIO_PROCESS, victim, 19),
    "let another process wait": lambda: os.sched_setscheduler(
        victim, os.SCHED_IDLE, os.sched_param(0)
    ),
    "run before others": lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)),
    "run in batches": lambda: os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)),
    "place another process": lambda: os.sched_setaffinity(victim, {0}),
    "type into a terminal": lambda: fcntl.ioctl(0, termios.TIOCSTI, b"x"),
    # what processes share
    "share memory": lambda: call(29 if x86 else 194, 0x7468, 4096, 0o1666),
    "send a message": lambda: call(68 if x86 else 186, 0x7468, 0o1666),
    "open the keyring": lambda: call(250 if x86 else 219, 0, -3, 1),
    # the system
    "make a user namespace": lambda: call(272 if x86 else 97, 0x10000000),
    "clone into a namespace": lambda: call(56 if x86 else 220, 0x10000000 | 17, 0, 0, 0, 0),
    "clone by the newer call": lambda: call(435, b"\0" * 88, 88),
    "enter a namespace": lambda: call(308 if x86 else 268, os.pidfd_open(victim), 0),
    "load a filter into the kernel": lambda: call(321 if x86 else 280, 0, b"\0" * 128, 128),
    "trace the kernel": lambda: call(298 if x86 else 241, b"\0" * 128, 0, -1, -1, 0),
    "read the kernel's log": lambda: call(103 if x86 else 116, 10, 0, 0),
    "set the clock": lambda: call(227 if x86 else 112, 0, b"\0" * 16),
    "restart the system": lambda: call(169 if x86 else 142, 0, 0, 0, 0),
    "become another user": lambda: os.setuid(os.getuid()),
    "start more processes than are allowed": lambda: resource.setrlimit(
        resource.RLIMIT_NPROC, (resource.RLIM_INFINITY,) * 2
    ),
}
if os.geteuid() == 0:
    del ATTEMPTS["start more processes than are allowed"]

# What a visitor's process has to do goes on working.
(own / "mine").write_text("mine")
(own / "deeper").mkdir()
(own / "mine").rename(own / "deeper" / "mine")
(own / "deeper" / "mine").rename(own / "mine")
assert os.listdir(own)
left, right = socket.socketpair()
left.send(b"x")
assert right.recv(1) == b"x"
run(sys.executable, "-c", "print()")
child = os.fork()
if child == 0:
    signal.pause()
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
mmap.mmap(-1, 4096).close()

tries = 0
for name, do in ATTEMPTS.items():
    for how in (do, in_child(do), in_thread(do)):
        if name == "become a shell" and how is not do:
            continue
        tries += 1
        try:
            how()
        except _FAILURES:
            continue
        print("ESCAPED:", name, flush=True)
print(tries, "attempts")
