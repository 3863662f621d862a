r"""Settings: what the players like, kept in a TOML file that they may also write themselves.

`values` says what can be set and to what, `reading` reads the file and tells what is wrong in it
by line, `saving` changes values in it and leaves everything else as it is, `preferences` holds the
settings of a running program.  The file is described in docs/settings.md.

What a program without a settings file does not need is not loaded: neither of the two TOML
libraries, one to read, one to save.

>>> from thud.settings.reading import parse
>>> settings, faults = parse('captures = "all"\nbell = "loud"')
>>> settings.captures, settings.bell
('all', False)
>>> print(*faults)
settings.toml, line 2: bell is true or false, not 'loud'
"""
