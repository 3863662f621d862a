"""Entry point of `thud` and `python -m thud`."""

import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command line; return the exit status.

    Imports are inside the `try`, so that Ctrl+C ends the program quietly even while importing.
    """
    try:
        from thud.cli.main import main as command_line

        return command_line()
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
