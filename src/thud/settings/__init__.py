r"""Settings, saved in a TOML file that users may also edit.

`values` defines the settings and their values; `file` reads the file, reports faults by line, and
changes values in place; `preferences` holds a running program's settings, `last_choices` the front
page's last choices.  The file is described in docs/settings.md.

The TOML library that changes a file in place is imported only to save.

>>> from thud.settings.file import parse
>>> settings, faults = parse('captures = "all"\nbell = "loud"')
>>> settings.captures, settings.bell
('all', False)
>>> print(*faults)
settings.toml, line 2: bell is true or false, not 'loud'
"""
