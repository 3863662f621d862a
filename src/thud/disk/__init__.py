"""The disk: atomic writes, file locks, and the program's directories.

Every write goes through `atomic`; `lock` gives one process at a time a file; `directories` locates
the data and the settings.  Nothing here knows the files' content.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from thud.disk.atomic import write_atomic
>>> with TemporaryDirectory() as directory:
...     write_atomic(Path(directory, "moves.txt"), b"dF1-F5")
...     Path(directory, "moves.txt").read_text()
'dF1-F5'
"""
