"""Entry point of `thud` and `python -m thud`."""

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; return the exit status.

    Ctrl+C while that is still being loaded ends the program as quietly as later: so nothing is
    imported before.
    """
    try:
        from thud.cli.main import main as command_line

        return command_line()
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
