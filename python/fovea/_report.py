# SPDX-License-Identifier: Apache-2.0
"""Pages that show results to people."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

from fovea._errors import UsageError
from fovea._estimator import write_file

if TYPE_CHECKING:
    from typing_extensions import Self


class Report:
    """A page for people: a file that needs nothing else, neither a server nor a network. Notebooks show it in place."""

    def __init__(self, text: str) -> None:
        #: the page, as HTML
        self.html = text

    def save(self, path: str | os.PathLike[str]) -> Self:
        """Writes the page to a file, whole or not at all; returns the report."""
        write_file(path, self.html.encode())
        return self

    def _repr_html_(self) -> str:
        # A frame of its own, which can do nothing to the notebook around it.
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" sandbox="allow-scripts allow-downloads" title="A page of Fovea"'
            ' style="width: 100%; height: 40rem; border: 1px solid #888"></iframe>'
        )

    def __repr__(self) -> str:
        return f"Report({len(self.html)} characters)"


def report_of(text: str, path: str | os.PathLike[str] | None) -> Report:
    """The report of a page, saved where a path is given."""
    report = Report(text)
    return report if path is None else report.save(path)


class Reported:
    """A result with a page, which is made when somebody asks for it. Copies and pickles of the result have none."""

    _page: Any = None

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people, as `--report-html` writes it: a Report, which notebooks show. path: where to save it, too."""
        if self._page is None:
            raise UsageError("report() needs the result itself: copies and pickles of it have no page")
        return report_of(self._page_text(), path)

    def _page_text(self) -> str:
        return self._page()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_page"}
