# SPDX-License-Identifier: Apache-2.0
"""Words that are swiped over a keyboard: Keyboard learns to read them.

A gesture is a text of the keys under the finger at each observation; an array of points, [point][2], in thousandths of
the keyboard's width, from its upper left corner; or a dict with some of "keys", "points" and "events", the keys under
the finger at equal steps of time.

    >>> from fovea.gestures import Keyboard
    >>> X = ["tyhgre", "rthgfde", "ttrfgbhui", "cvghgfdsat", "tghgfdre", "vbhgfdsar", "rtghre"] * 4
    >>> y = ["the", "the", "thi", "cat", "the", "bar", "the"] * 4
    >>> keyboard = Keyboard(passes=2, chains=4, random_state=1).fit(X, y)
    >>> keyboard.predict(["tyhgfre"], budget="200 transitions/item")
    ['the']
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import UsageError
from fovea._estimator import Estimator, not_fitted, with_parameters, write_file
from fovea._run import run_arguments

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

__all__ = ["Keyboard"]


class Keyboard(Estimator):
    """Reads words that are swiped over a QWERTY keyboard.

    X: [gesture], see the module. y: [gesture], the words that were meant, of letters a .. z; others are left out. After
    fit: family_ ("alignment" reads keys, "path" reads points), report_, a dict, and interrupted_."""

    def fit(self, X: Any, y: Any, *, progress: bool | Callable[[dict[str, Any]], object] | None = None) -> Self:
        """Learns to read; returns the estimator. Ctrl-C ends training with what was learned so far."""
        parts, words = _parts(X), list(y)
        if len(parts) != len(words):
            raise UsageError(f"X has {len(parts)} gestures and y has {len(words)} words")
        wrong = next((i for i, word in enumerate(words) if not isinstance(word, str)), None)
        if wrong is not None:
            raise UsageError(f"y[{wrong}] is {words[wrong]!r}: needs a str")
        run = run_arguments(None, None, self.threads, self.random_state, progress)
        words = [str(word) for word in words]
        answer = _core.train_keyboard(parts, words, _dictionary(self.words, words), **run, **self._options())
        self._bytes, report, self.interrupted_ = answer
        self.report_, self._core = json.loads(report), None
        return self

    @property
    def family_(self) -> Any:
        """ "alignment" or "path"."""
        return self._keyboard.family

    @property
    def _keyboard(self):
        if getattr(self, "_bytes", None) is None:
            raise not_fitted()("this Keyboard is not fitted: call fit first")
        if self._core is None:
            self._core = _core.Keyboard(self._bytes)
        return self._core

    def predict(
        self, X: Any, *, budget: str | None = None, progress: bool | Callable[[dict[str, Any]], object] | None = None
    ) -> list[str]:
        """[gesture], the most likely word; "" where none was found. budget: work for each gesture, by default
        "20 transitions/item"."""
        return [words[0][0] if words else "" for words in self.predict_n_best(X, 1, budget=budget, progress=progress)]

    def predict_n_best(
        self,
        X: Any,
        n: int,
        *,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """[gesture], the n most likely words, best first: pairs of the word and the log of its share."""
        keyboard = self._keyboard
        run = run_arguments(None, budget, self.threads, self.random_state, progress)
        return keyboard.decode(_parts(X), n_best=n, **run)

    def score(self, X: Any, y: Any, *, budget: str | None = None) -> float:
        """The share of gestures whose word is right."""
        words = list(y)
        right = sum(found == word for found, word in zip(self.predict(X, budget=budget), words))
        return right / len(words) if words else 0.0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as `fovea gestures train` does, for `load`."""
        self._keyboard
        write_file(path, self._bytes)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a model that `save` or `fovea gestures train` wrote."""
        self = cls()
        with open(path, "rb") as file:
            self._bytes = file.read()
        self._core = _core.Keyboard(self._bytes)
        self.report_ = json.loads(self._core.training)
        return self

    def __getstate__(self):
        return {**self.__dict__, "_core": None}

    def __sklearn_is_fitted__(self):
        return getattr(self, "_bytes", None) is not None

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=True),
            input_tags=InputTags(two_d_array=False, string=True, dict=True),
        )


def _dictionary(words, meant):
    """Pairs of word and count."""
    if words is None:
        words = [word for word in meant if any(c.isalpha() for c in word)]
        if not words:
            raise UsageError("argument y: no word has letters")
    if isinstance(words, (str, os.PathLike)):
        with open(words, encoding="utf-8") as file:
            cells = [line.rstrip("\n").split("\t") for line in file if line.strip()]
        if any(len(row) < 2 for row in cells):
            raise UsageError(f"argument words: the file {os.fspath(words)} needs lines 'word <tab> count'")
        words = {row[0]: row[1] for row in cells}
    if not isinstance(words, dict):
        counts = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        words = counts
    try:
        return [(word, float(count)) for word, count in words.items()]
    except (TypeError, ValueError):
        raise UsageError("argument words: needs a dict from words to counts, a list of words, or a path") from None


def _parts(X):
    """[gesture], keys, points x, y, x, y, ..., events and the words before."""
    if isinstance(X, (str, dict)) or not hasattr(X, "__len__"):
        raise UsageError("argument X: needs a list of gestures")
    return [_part(gesture, f"X[{i}]") for i, gesture in enumerate(X)]


def _part(gesture, where):
    if isinstance(gesture, str):
        return str(gesture), [], str(gesture), []
    if not isinstance(gesture, dict):
        return "", _points(gesture, where), "", []
    unknown = sorted(set(gesture) - {"keys", "points", "events", "before"})
    if unknown:
        raise UsageError(f"{where} has {unknown[0]!r}: needs some of 'keys', 'points', 'events' and 'before'")
    keys, events = gesture.get("keys", ""), gesture.get("events", gesture.get("keys", ""))
    if not isinstance(keys, str) or not isinstance(events, str):
        raise UsageError(f"{where}: its keys and events need to be str")
    before = gesture.get("before", [])
    before = before.split() if isinstance(before, str) else before
    if not all(isinstance(word, str) for word in before):
        raise UsageError(f"{where}: the words before need to be str")
    return keys, _points(gesture.get("points", ()), where), events, list(before)


def _points(points, where):
    import numpy as np

    try:
        array = np.asarray(points, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"{where} is {points!r:.60}: needs a str of keys, an array of points, or a dict") from None
    if array.size and (array.ndim != 2 or array.shape[1] != 2):
        raise UsageError(f"{where}: its points have the shape {array.shape}: need [point][2]")
    return array.ravel().tolist()


with_parameters(
    Keyboard,
    [
        {
            "name": "words",
            "default": None,
            "description": "The dictionary: a dict from words to counts, a list of words, or a file of lines "
            "'word <tab> count'; None: the words of y.",
        }
    ],
    [f for f in _core.gestures_options() if f["name"] not in ("dictionary", "generate")],
)
