# SPDX-License-Identifier: Apache-2.0
"""Variables of a Model of fovea.ep, and arrays of them."""

from __future__ import annotations

from typing import Any

from fovea._errors import UsageError


class Variable:
    """A variable of a Model. `number`: its place in the model, from 0 on."""

    __slots__ = ("_model", "number")

    def __init__(self, model: Any, number: Any) -> None:
        self._model, self.number = model, number

    def __repr__(self) -> str:
        return f"Variable({self.number})"

    def __reduce__(self):
        raise TypeError("a Variable belongs to a Model in memory, which cannot be pickled")


def objects(argument):
    """An array of objects: variables or numbers, in the shape that the argument has."""
    import numpy as np

    if isinstance(argument, Variable):
        array = np.empty((), dtype=object)
        array[()] = argument
        return array
    return np.asarray(argument, dtype=object)


def shape_of(shape):
    import numpy as np

    sizes = () if shape is None else (shape if isinstance(shape, (tuple, list)) else (shape,))
    if any(isinstance(n, bool) or not hasattr(n, "__index__") or n < 0 for n in sizes):
        raise UsageError(f"argument shape={shape!r}: needs a whole number or a tuple of them")
    return np.broadcast_shapes(tuple(int(n) for n in sizes))


def each(function, shape, *arguments):
    """Calls function(number or variable, ...) for each element of the arguments, which broadcast as NumPy's do. The
    answers have that shape; one that has no dimensions comes back by itself."""
    import numpy as np

    arrays = [objects(a) for a in arguments]
    try:
        common = np.broadcast_shapes(shape_of(shape), *(a.shape for a in arrays))
    except ValueError:
        shapes = ", ".join(str(a.shape) for a in arrays) or "()"
        text = f"arguments of the shapes {shapes} do not broadcast to each other and to shape={shape!r}"
        raise UsageError(text) from None
    answers = np.empty(common, dtype=object)
    flat = answers.reshape(-1)
    columns = [np.broadcast_to(a, common).reshape(-1) for a in arrays]
    for i in range(len(flat)):
        flat[i] = function(*(column[i] for column in columns))
    return answers[()]


def number_of(name, value):
    import math

    try:
        number = None if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError):
        number = None
    if number is None or not math.isfinite(number):
        raise UsageError(f"argument {name}={value!r}: needs a finite number")
    return number


def numbers_of(name, values):
    import numpy as np

    try:
        array = np.asarray(values)
        if array.dtype.kind not in "c":  # to real numbers NumPy would convert these without a word
            array = np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError):
        array = None
    if array is None or array.dtype.kind != "f":
        raise UsageError(f"argument {name}: needs real numbers, in rows of one length")
    if not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(array))[0])
        where = name + "".join(f"[{i}]" for i in place)
        raise UsageError(f"argument {where} is {array[place]}: needs a finite number")
    return array


def row_of(name, values):
    numbers = numbers_of(name, values)
    if numbers.ndim != 1 or not len(numbers):
        raise UsageError(f"argument {name} has the shape {numbers.shape}: needs one dimension, not empty")
    return numbers.tolist()


def list_of(name, values):
    if isinstance(values, Variable) or not hasattr(values, "__len__") or isinstance(values, str):
        raise UsageError(f"argument {name}: needs a list")
    return list(values)
