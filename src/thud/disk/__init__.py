"""The disk: atomic writes, file locks, and the program's directories.

`atomic` is the one way in which anything here is written, `lock` lets one process at a time have
a file, `directories` says where the data and the settings are.  Nothing here knows what is in the
files.

>>> from pathlib import Path
>>> from tempfile import TemporaryDirectory
>>> from thud.disk.atomic import write_atomic
>>> with TemporaryDirectory() as directory:
...     write_atomic(Path(directory, "moves.txt"), b"dF1-F5")
...     Path(directory, "moves.txt").read_text()
'dF1-F5'
"""
