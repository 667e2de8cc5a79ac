# SPDX-License-Identifier: Apache-2.0
"""Tables for notebooks."""

from html import escape


def table(caption, heads, rows, more=""):
    """An HTML table of texts."""
    head = "".join(f"<th style='text-align:left'>{escape(h)}</th>" for h in heads)
    body = "".join(
        "<tr>" + "".join(f"<td style='text-align:left'>{escape(c)}</td>" for c in row) + "</tr>" for row in rows
    )
    foot = f"<p>{escape(more)}</p>" if more else ""
    return (
        f"<p><code>{escape(caption)}</code></p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}"
    )
