#!/bin/sh
# Compile the program for this system's Python, so that it starts fast.
set -e
/usr/lib/thud/bin/python3 -m compileall -q /usr/lib/thud/lib || true
