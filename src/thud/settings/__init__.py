r"""Settings, kept in a TOML file that people may also edit.

`values` says what can be set and to what, `file` reads the file, tells what is wrong in it by line,
and changes values in it while everything else stays as it is; `preferences` holds the settings of a
running program, `last_choices` what the front page offers again.  The file is described in
docs/settings.md.

What a program without a settings file does not need is not loaded: neither of the two TOML
libraries, one to read, one to save.

>>> from thud.settings.file import parse
>>> settings, faults = parse('captures = "all"\nbell = "loud"')
>>> settings.captures, settings.bell
('all', False)
>>> print(*faults)
settings.toml, line 2: bell is true or false, not 'loud'
"""
