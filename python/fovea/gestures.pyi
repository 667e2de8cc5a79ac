# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator
from fovea._report import Report


__all__ = ['Keyboard']

class Keyboard(Estimator):
    """Reads words that are swiped over a QWERTY keyboard.

    X: [gesture], see the module. y: [gesture], the words that were meant, of letters a .. z; others are left out. After
    fit: family_ ("alignment" reads keys, "path" reads points), report_, a dict, and interrupted_.

    Arguments:
        words: The dictionary: a dict from words to counts, a list of words, or a file of lines 'word <tab>
            count'; None: the words of y.
        learn_words: Minimum number of SWIPES that must mean a word which WORDS lacks for it to join the
            dictionary; 0 adds no words.
        family: Family of the model: alignment reads the keys under the finger, by the chains of the paper; path
            reads coordinates, which need not hit every letter; auto is path if all swipes have coordinates, and
            otherwise alignment.
        text: Plain text from which the model learns which words follow each other: it then heeds the words
            before a swipe.
        method: Training method: doeblin maximises the likelihood of the restarting chain; doeblin-edit-distance
            instead weights its samples by exp(-(D + 1)), where D is the edit distance from the word; u-gibbs
            and basic-gibbs run Gibbs chains without restarts, from u and from a letter at each key, with the
            same weights.
        epsilon: Probability of a restart, in (0, 1]. Chains have 1 / epsilon transitions: those of the doeblin
            methods on average, the others always. One transition updates the label of one observation.
        chains: Chains for each gesture and pass.
        start_passes: Passes over the gestures in which u is trained alone.
        passes: Passes in which both chains are trained.
        learning_rate: AdaGrad's first step of a weight.
        path_passes: Passes over the swipes to learn scores of letters and strokes.
        network_passes: Passes over lists of words to learn the full score; with 0 it is not learned.
        list: Number of words in a list from which the meant one is chosen.
        path_learning_rate: AdaGrad's first step of a weight of letters and strokes.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def fit(self, X: Any, y: Any, *, progress: bool | Callable[[dict[str, Any]], object] | None = None) -> Self:
        """Learns to read; returns the estimator. Ctrl-C ends training with what was learned so far."""
    @property
    def family_(self) -> Any:
        """"alignment" or "path"."""
    def predict(
        self,
        X: Any,
        *,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> list[str]:
        """[gesture], the most likely word; "" where none was found. budget: work for each gesture, by default
        "20 transitions/item".
        """
    def predict_n_best(
        self,
        X: Any,
        n: int,
        *,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """[gesture], the n most likely words, best first: pairs of the word and the log of its share."""
    def score(self, X: Any, y: Any, *, budget: str | None = None) -> float:
        """The share of gestures whose word is right."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as `fovea gestures train` does, for `load`."""
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a model that `save` or `fovea gestures train` wrote."""
    def __getstate__(self) -> Any:
        ...
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...
    def __init__(
        self,
        *,
        words: Any = None,
        learn_words: int = 1,
        family: Literal['auto', 'alignment', 'path'] = 'auto',
        text: str = '',
        method: Literal['doeblin', 'doeblin-edit-distance', 'u-gibbs', 'basic-gibbs'] = 'doeblin',
        epsilon: float = 0.05,
        chains: int = 16,
        start_passes: int = 5,
        passes: int = 5,
        learning_rate: float = 0.3,
        path_passes: int = 2,
        network_passes: int = 10,
        list: int = 24,
        path_learning_rate: float = 0.15,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
