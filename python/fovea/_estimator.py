# SPDX-License-Identifier: Apache-2.0
"""Estimators as scikit-learn has them, without a need for scikit-learn."""

from __future__ import annotations

import inspect
import os
from typing import TYPE_CHECKING, Any

from fovea._errors import UsageError
from fovea._signature import documentation_of, parameter_of, run_fields

if TYPE_CHECKING:
    from typing_extensions import Self


class Estimator:
    """Parameters by name: kept as they are given, and checked when they are used."""

    _own_defaults = {}

    def __init__(self, **params: Any) -> None:
        unknown = sorted(set(params) - set(self._defaults))
        if unknown:
            raise TypeError(f"{type(self).__name__}() has no parameter {unknown[0]!r}")
        for name, default in self._defaults.items():
            setattr(self, name, params.get(name, default))

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._defaults}

    def set_params(self, **params: Any) -> Self:
        """Sets parameters by name; returns the estimator."""
        for name, value in params.items():
            if name not in self._defaults:
                raise UsageError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self

    def _options(self):
        """The parameters that the library takes; None stands for its default."""
        return {n: v for n, v in self.get_params().items() if n in self._option_names and v is not None}

    def __repr__(self) -> str:
        changed = {n: v for n, v in self.get_params().items() if v is not self._defaults[n] and v != self._defaults[n]}
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in changed.items())})"


def with_parameters(cls, own: Any, options: Any) -> Any:
    """Gives a class of estimators its parameters: its own, the library's options, threads and random_state."""
    cls._option_names = {field["name"] for field in options}
    cls._defaults = {field["name"]: field["default"] for field in [*own, *options]}
    cls._defaults.update({"threads": None, "random_state": None, **cls._own_defaults})
    fields = {field["name"]: field for field in [*own, *options, *run_fields("threads", "random_state")]}
    parameters = [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
    parameters += [parameter_of({**fields[name], "default": value}) for name, value in cls._defaults.items()]

    def __init__(self, **params):
        Estimator.__init__(self, **params)

    __init__.__signature__ = inspect.Signature(parameters)
    __init__.__qualname__ = f"{cls.__name__}.__init__"
    cls.__init__ = __init__
    cls.__doc__ = inspect.cleandoc(cls.__doc__) + "\n\n" + documentation_of(fields.values()) + "\n"
    return cls


def two_class_tags() -> Any:
    """The tags by which scikit-learn knows a classifier of two classes of rows of numbers."""
    from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

    return Tags(
        estimator_type="classifier",
        target_tags=TargetTags(required=True),
        classifier_tags=ClassifierTags(multi_class=False),
        input_tags=InputTags(two_d_array=True),
    )


def write_file(path: str | os.PathLike[str], data: Any) -> Any:
    """Writes bytes to a file, whole or not at all."""
    temporary = f"{os.fspath(path)}.{os.getpid()}.part"
    with open(temporary, "wb") as file:
        file.write(data)
    os.replace(temporary, path)


def not_fitted() -> Any:
    """The error of an estimator that is asked before it is fitted."""
    try:
        from sklearn.exceptions import NotFittedError
    except ImportError:
        return UsageError
    return NotFittedError
