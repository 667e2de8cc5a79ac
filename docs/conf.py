# SPDX-License-Identifier: Apache-2.0
"""Settings of the documentation's site; scripts/docs.sh builds it. It works from a folder, without a server."""
import pathlib
import re

ROOT = pathlib.Path(__file__).parent.parent

project = "Fovea"
author = "The Fovea contributors"
copyright = author  # pylint: disable=redefined-builtin
version = re.search(r"project\(Fovea VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")).group(1)
release = version

extensions = ["myst_parser", "autoapi.extension"]
exclude_patterns = ["man", "**.ipynb", "figures"]
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]

# The stubs say what every public function takes and does; nothing of the package has to be built or imported.
autoapi_dirs = [str(ROOT / "python" / "fovea")]
autoapi_file_patterns = ["*.pyi", "_errors.py", "_phases.py", "_ep_fit.py"]  # the last: names that others show
autoapi_root = "python"
autoapi_options = ["members", "undoc-members", "show-inheritance"]
autoapi_add_toctree_entry = False
autoapi_keep_files = False
suppress_warnings = ["autoapi.python_import_resolution"]

html_theme = "furo"
html_title = f"Fovea {version}"
html_show_sourcelink = False
html_copy_source = False


def _escaped(line):
    """The package's plain text as reStructuredText: `x` is code, other marks are themselves."""
    parts = line.split("`")
    for i in range(0, len(parts), 2):
        parts[i] = re.sub(r"([\\\\*|_])", r"\\\1", parts[i])
    return "``".join(parts)


def _as_rst(_app, _what, _name, _object, _options, lines):
    """Turns "    name: text", with further lines below, into lists, and leaves examples (>>>) as they are."""
    result, is_example, in_list = [], False, False
    for line in lines:
        text = line.strip()
        is_example = text.startswith(">>>") or (is_example and text != "")
        item = re.match(r"(\s+)(\w+): (.*)", line)
        if is_example:
            result += [line] if result and result[-1].strip() else ["", line]
        elif item and len(item.group(1)) <= 4:
            result += ["" if not in_list else None, f"* **{_escaped(item.group(2))}**: {_escaped(item.group(3))}"]
            in_list = True
        elif in_list and line.startswith("    "):
            result.append(f"  {_escaped(text)}")
        else:
            if in_list and text:
                result.append("")
            in_list = False
            result.append(_escaped(text))
    lines[:] = [line for line in result if line is not None]


def _without_pages_elsewhere(app, name, source):
    """Links to Markdown outside this folder become its path: the site does not have those pages."""
    here = (pathlib.Path(app.srcdir) / name).parent

    def shown(link):
        path = (here / link.group(2)).resolve()
        return link.group(0) if path.is_relative_to(app.srcdir) else f"{link.group(1)} (`{path.relative_to(ROOT)}`)"

    source[0] = re.sub(r"\[([^\]]*)\]\(([^):#]*\.md)[^)]*\)", shown, source[0])


def setup(app):
    app.connect("source-read", _without_pages_elsewhere)
    app.connect("autodoc-process-docstring", _as_rst)
