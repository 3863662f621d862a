#!/bin/sh
# Build a wheel for Linux in a PyPA container, whose image name gives the C library.
#
# Usage: docker run --rm -v "$PWD:/work" -w /work quay.io/pypa/IMAGE core/linux_wheel.sh DIRECTORY
#
# auditwheel checks which C library symbols are used, and tags the wheel accordingly.
set -eu
rust=1.95.0
curl --proto '=https' --tlsv1.2 -fsS https://sh.rustup.rs |
    sh -s -- -y --quiet --profile minimal --default-toolchain "$rust"
PATH="$HOME/.cargo/bin:$PATH"
# Rust links musl statically by default, which rules out shared libraries.
case $AUDITWHEEL_PLAT in musllinux*) export RUSTFLAGS="-C target-feature=-crt-static" ;; esac
export CARGO_TARGET_DIR=/tmp/target
python3.13 -m venv /tmp/python
/tmp/python/bin/pip install --quiet build
/tmp/python/bin/python -m build --wheel --outdir /tmp/wheel core
auditwheel repair --plat "$AUDITWHEEL_PLAT" --wheel-dir "$1" /tmp/wheel/*.whl
