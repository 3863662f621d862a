"""Sphinx configuration of the documentation site; `make docs` builds it without network access."""

import sys
from pathlib import Path

from thud import __version__

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

project = "Thud"
author = "the Thud contributors"
project_copyright = author
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_inline_tabs",
    "site_pages",
]
myst_heading_anchors = 4
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
add_module_names = False

highlight_language = "text"

html_theme = "furo"
html_title = f"Thud {__version__}"
html_static_path = ["_static"]
html_favicon = "../src/thud/club/web/page/icon.svg"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
