#!/bin/sh
# Compile the program for this system's Python, so that it starts fast; make the club's user.
set -e
if command -v systemd-sysusers > /dev/null; then
    systemd-sysusers thud-game.conf || true
fi
/usr/lib/thud/bin/python3 -m compileall -q /usr/lib/thud/lib || true
