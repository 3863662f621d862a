#!/bin/sh
# Remove what was compiled when it was installed.
set -e
find /usr/lib/thud -name __pycache__ -type d -prune -exec rm -rf {} +
