"""Entry point of `thud` and `python -m thud`."""

import _thread
import sys
from time import sleep

_INTERRUPTED = 130
_AFTER_CALLBACK = 0.01


def main() -> int:
    """Run the command line; return the exit status.

    Imports are inside the `try`, so that Ctrl+C ends the program quietly even while importing.
    """
    sys.unraisablehook = _interrupt_again
    try:
        from thud.cli.main import main as command_line

        return command_line()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except RuntimeError as error:
        # So Python 3.11 wraps what interrupts `__set_name__`, as while an enumeration is made.
        if isinstance(error.__cause__, KeyboardInterrupt):
            return _INTERRUPTED
        raise
    finally:
        # Python remembers that code in a string was interrupted, as that of `namedtuple` can be,
        # and at exit kills itself by the signal; the next such code makes it forget.
        exec("")


def _interrupt_again(ignored: "sys.UnraisableHookArgs") -> None:
    """Repeat an interrupt that Python ignores, as it came in a callback of an import."""
    if isinstance(ignored.exc_value, KeyboardInterrupt):
        _thread.start_new_thread(_interrupt_later, ())
    else:
        sys.__unraisablehook__(ignored)


def _interrupt_later() -> None:
    sleep(_AFTER_CALLBACK)
    _thread.interrupt_main()


if __name__ == "__main__":
    sys.exit(main())
