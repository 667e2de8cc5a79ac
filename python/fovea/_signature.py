# SPDX-License-Identifier: Apache-2.0
"""Signatures and documentation made from the descriptions of the library's options."""

import inspect
import textwrap

_RUN = {
    "time_limit": ("float | str | None", "seconds, or a text such as '10s'; the best answer so far comes back."),
    "budget": ("str | None", "work to spend instead of time, such as '200 sweeps' or '1e6 transitions'."),
    "memory_limit": ("int | str | None", "for the tables of exact methods: bytes, or a text such as '8GB'."),
    "threads": ("int | None", "0 or None for all cores."),
    "random_state": ("Any", "an int, None (always the same), or a generator of NumPy."),
    "progress": ("bool | Callable[[dict[str, Any]], object] | None", "True for a bar, or a function of one dict."),
}


def run_fields(*names):
    """Descriptions of the arguments that all long calls share, as those of options."""
    return [{"name": n, "annotation": _RUN[n][0], "default": None, "description": _RUN[n][1]} for n in names]


def annotation_of(field):
    """The type of an option as Python writes it."""
    if "annotation" in field:
        return field["annotation"]
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
        run = run_fields(*(p.name for p in kept if p.name in _RUN))
        function.__doc__ = inspect.cleandoc(function.__doc__) + "\n\n" + documentation_of([*run, *fields]) + "\n"
        return function

    return decorate
