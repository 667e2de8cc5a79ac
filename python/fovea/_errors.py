# SPDX-License-Identifier: Apache-2.0
"""The errors that Fovea raises."""


class InputError(ValueError):
    """A file or an argument does not hold what it should. The text names the place, the value, and what to do."""


class UsageError(ValueError):
    """An argument that cannot be obeyed, or arguments that do not go together."""


class InfeasibleError(RuntimeError):
    """The request has no answer: hard constraints exclude every assignment."""


class LimitError(RuntimeError):
    """A limit of time or memory was reached before there was any answer."""
