"""Build the computer's search, `src/thud/ai/core.wasm`, from the Rust in `core/`.

Usage: python tools/build_core.py [--check [--strict]] [--debian DIRECTORY]

Needs cargo, and either a Rust toolchain with the target wasm32-unknown-unknown, or one whose
directory the environment variable WASM_RUST names: an unpacked Debian `rustc-web` with its sources,
`rust-web-src` and `libstd-rust-web-dev`, with which the standard library is built, too.  On Debian,
--debian DIRECTORY downloads and unpacks that toolchain there.

The module says in custom sections from which sources it was made (`thud.sources`, a hash of
`core/`) and by which compiler (`thud.toolchain`).  --check builds it anew and compares: the bytes
if the compiler is the same, else what both modules answer.  The exit status is 3 if the module
cannot be built here.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CORE: Final = ROOT / "core"
MODULE: Final = ROOT / "src/thud/ai/core.wasm"
TARGET: Final = "wasm32-unknown-unknown"
DEBIAN: Final = (
    "rustc-web",
    "rust-web-src",
    "libstd-rust-web-1.96",
    "libstd-rust-web-dev",
    "libllvm22",
)
MOST: Final = 750_000
"""The largest module in bytes."""
_SEARCHES: Final = 500
"""Searches of each variant that are compared."""
_SAME: Final = 0
_DIFFERENT: Final = 1
_NOT_BUILT: Final = 3


def sources() -> Iterator[Path]:
    """Yield the files from which the module is made."""
    found = (*CORE.glob("src/**/*.rs"), *CORE.glob("nets/*.net"))
    yield from sorted([CORE / "Cargo.toml", CORE / "Cargo.lock", *found])


def hash_of_sources() -> str:
    """Return a hash of the names and contents of the sources."""
    digest = hashlib.sha256()
    for path in sources():
        content = path.read_bytes().replace(b"\r\n", b"\n")
        digest.update(f"{path.relative_to(CORE).as_posix()} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def sections(module: bytes) -> dict[str, str]:
    """Return the custom sections of a module that this program adds.

    Raises:
        ValueError: it is not a whole module.
    """
    if module[:8] != b"\0asm\1\0\0\0":
        raise ValueError("it is no WebAssembly module")
    place, found = 8, {}
    while place < len(module):
        kind = module[place]
        size, begin = _number(module, place + 1)
        end = begin + size
        if end > len(module):
            raise ValueError("the module is not whole")
        if kind == 0:
            length, at = _number(module, begin)
            name = module[at : at + length].decode()
            if name.startswith("thud."):
                found[name] = module[at + length : end].decode()
        place = end
    return found


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return a LEB128 number and the place after it."""
    number = shift = 0
    while place < len(data):
        byte = data[place]
        number |= (byte & 127) << shift
        place, shift = place + 1, shift + 7
        if byte < 128:
            return number, place
    raise ValueError("the module is not whole")


def _encoded(number: int) -> bytes:
    """Return a number as LEB128."""
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + _encoded(rest) if rest else bytes([low])


def _section(name: str, text: str) -> bytes:
    content = _encoded(len(name)) + name.encode() + text.encode()
    return b"\0" + _encoded(len(content)) + content


def _environment(target: Path) -> dict[str, str]:
    """Return the environment of cargo, with the toolchain of WASM_RUST if there is one."""
    sysroot = _output("rustc", "--print", "sysroot")
    flags = [
        "-Ctarget-feature=+simd128",
        f"--remap-path-prefix={CORE}=core",
        f"--remap-path-prefix={Path.home()}=home",
    ]
    chosen = dict(os.environ, CARGO_TARGET_DIR=str(target), CARGO_NET_OFFLINE="true")
    if rust := os.environ.get("WASM_RUST"):
        usr = Path(rust).resolve() / "usr"
        (vendor,) = usr.glob("src/rustc-*/library/vendor")
        home = target / "cargo"
        home.mkdir()
        (home / "config.toml").write_text(
            '[source.crates-io]\nreplace-with = "vendored"\n'
            f'[source.vendored]\ndirectory = "{vendor}"\n'
        )
        libraries = [*usr.glob("lib/*-linux-gnu"), *usr.glob("lib/llvm-*/lib")]
        (linker,) = Path(sysroot).glob("lib/rustlib/*/bin/rust-lld")
        flags.append(f"--remap-path-prefix={usr}=rust")
        chosen |= {
            "CARGO_HOME": str(home),
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER": str(linker),
            "LD_LIBRARY_PATH": ":".join(map(str, libraries)),
            "RUSTC": str(usr / "bin/rustc"),
            "RUSTC_BOOTSTRAP": "1",
        }
    return chosen | {"CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS": " ".join(flags)}


def _output(*command: str, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=env)
    return done.stdout.strip()


def toolchain(environment: dict[str, str]) -> str:
    """Return the compiler's name and version."""
    return _output(environment.get("RUSTC", "rustc"), "--version", env=environment)


def built() -> bytes:
    """Build the module.

    Raises:
        OSError: there is no cargo.
        subprocess.CalledProcessError: there is no such target, or the sources are wrong.
    """
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory)
        environment = _environment(target)
        command = [
            "cargo",
            "build",
            "--quiet",
            "--release",
            "--locked",
            "--lib",
            "--target",
            TARGET,
        ]
        if "WASM_RUST" in os.environ:
            command += ["-Z", "build-std=std,panic_abort"]
        subprocess.run(command, cwd=CORE, env=environment, check=True)
        module = (target / TARGET / "release/thud_core.wasm").read_bytes()
        return (
            module
            + _section("thud.sources", hash_of_sources())
            + _section("thud.toolchain", toolchain(environment))
        )


def fetched(directory: Path) -> None:
    """Download and unpack Debian's compiler for WebAssembly, unless it is there."""
    if (directory / "usr/bin/rustc").exists():
        return
    directory.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as packages:
        # As root, apt would warn that its own user cannot write here.
        download = ("apt-get", "-qq", "--option", "APT::Sandbox::User=root", "download")
        subprocess.run([*download, *DEBIAN], cwd=packages, check=True)
        for package in Path(packages).glob("*.deb"):
            subprocess.run(["dpkg", "-x", package, directory], check=True)


def compared(module: bytes, *, strict: bool) -> int:
    """Compare a new module with the one of the package; return the exit status."""
    kept = MODULE.read_bytes()
    if module == kept:
        print("core.wasm is what its sources make, byte for byte")
        return _SAME
    ours, theirs = (sections(each)["thud.toolchain"] for each in (module, kept))
    if strict or ours == theirs or sections(kept)["thud.sources"] != hash_of_sources():
        print(f"core.wasm, by {theirs}, is not what its sources make by {ours}", file=sys.stderr)
        return _DIFFERENT
    print(f"core.wasm was made by {theirs}, and here is {ours}: comparing answers")
    for request, ours, theirs in zip(_requests(), _answers(module), _answers(kept), strict=True):
        if ours != theirs:
            print(f"the modules differ in\n{request}\n{ours}\n{theirs}", file=sys.stderr)
            return _DIFFERENT
    return _SAME


def _requests() -> Iterator[str]:
    """Yield counts, and searches in positions of random battles."""
    from thud.ai.core import position_line
    from thud.rules.battle import Battle
    from thud.rules.variants import VARIANTS

    for name, variant in VARIANTS.items():
        yield f"perft\nvariant {name}\ndepth 3\nposition {position_line(variant.start)}"
        chance = Random(name)
        battle = Battle(variant)
        for _ in range(_SEARCHES):
            battle.play(chance.choice(variant.legal_moves(battle.position)))
            if battle.outcome is not None:
                battle = Battle(variant)
            yield f"search\nvariant {name}\nnodes 2000\nposition {position_line(battle.position)}"


def _answers(module: bytes) -> Iterator[str]:
    """Yield a module's answers, without times."""
    import wasmtime

    from thud.ai.core import Core, Instance, Way

    engine = wasmtime.Engine()
    instance = Instance(Core(engine, wasmtime.Module(engine, module), Way(False, False)))
    for request in _requests():
        answer = instance.ask(request)
        (answer.get("thought") or {}).pop("microseconds", None)
        yield str(answer)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--strict", action="store_true", help="another compiler is a difference")
    parser.add_argument("--debian", type=Path, metavar="DIRECTORY")
    options = parser.parse_args()
    if shutil.which("cargo") is None:
        print("core.wasm is not built: there is no cargo here", file=sys.stderr)
        return _NOT_BUILT
    try:
        if options.debian:
            fetched(options.debian)
            os.environ["WASM_RUST"] = str(options.debian)
        module = built()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"core.wasm is not built: {error}", file=sys.stderr)
        return _NOT_BUILT
    if len(module) > MOST:
        print(f"core.wasm has {len(module)} bytes, more than {MOST}", file=sys.stderr)
        return _DIFFERENT
    if options.check:
        return compared(module, strict=options.strict)
    MODULE.write_bytes(module)
    print(f"{MODULE.name}: {len(module)} bytes, by {sections(module)['thud.toolchain']}")
    return _SAME


if __name__ == "__main__":
    sys.exit(main())
