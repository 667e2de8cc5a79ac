# SPDX-License-Identifier: Apache-2.0
"""Signatures and documentation made from the descriptions of the library's options."""

import inspect
import textwrap

_RUN_DOCS = {
    "time_limit": "seconds, or a text such as '10s' or '2ms/item'; the best answer so far comes back.",
    "budget": "work to spend, as the option of the command line.",
    "memory_limit": "for the tables of exact methods: bytes, or a text such as '8GB'.",
    "threads": "0 or None for all cores.",
    "random_state": "an int, None (always the same), or a generator of NumPy.",
    "progress": "True for a bar, or a function of one dict.",
}


def annotation_of(field):
    """The type of an option as Python writes it."""
    words = field.get("words")
    text = f"Literal[{', '.join(map(repr, words))}]" if words else field.get("kind", "Any")
    if text.startswith("list["):
        text = "Sequence[str]"
    return f"{text} | None" if field["default"] is None and text != "Any" else text


def parameter_of(field):
    """A keyword parameter for an option."""
    return inspect.Parameter(
        field["name"], inspect.Parameter.KEYWORD_ONLY, default=field["default"], annotation=annotation_of(field)
    )


def documentation_of(fields):
    """A line for each option."""
    lines = ["Arguments:"]
    for field in fields:
        text = f"{field['name']}: {field['description']}"
        lines += textwrap.wrap(text, 108, initial_indent="    ", subsequent_indent="        ", break_long_words=False)
    return "\n".join(lines)


def takes(fields):
    """Shows the options that a function passes on in its signature and documentation, instead of **options."""

    def decorate(function):
        signature = inspect.signature(function)
        kept = [p for p in signature.parameters.values() if p.kind is not inspect.Parameter.VAR_KEYWORD]
        function.__signature__ = signature.replace(parameters=[*kept, *map(parameter_of, fields)])
        run = [{"name": p.name, "description": _RUN_DOCS[p.name]} for p in kept if p.name in _RUN_DOCS]
        function.__doc__ = inspect.cleandoc(function.__doc__) + "\n\n" + documentation_of([*run, *fields]) + "\n"
        return function

    return decorate
