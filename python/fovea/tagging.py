# SPDX-License-Identifier: Apache-2.0
"""Taggers of sequences: CRF, Doeblin, SVM and GP, with the interface of scikit-learn.

X is a list of sequences, a sequence is a list of items. An item is a token (a str) or a list of cells, from which a
template makes attributes; or its attributes themselves, as a list of names or a dict. y holds a list of labels for each
sequence; None stands for a label that is not known.

    >>> from fovea.tagging import CRF
    >>> X = [["the", "cat", "sleeps"], ["a", "dog", "barks"], ["dogs", "bark"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"]]
    >>> crf = CRF(l2=0.1).fit(X, y)
    >>> crf.predict([["the", "dog", "sleeps"]])
    [['D', 'N', 'V']]
"""

import json
import os

from fovea import _core
from fovea._errors import UsageError
from fovea._estimator import Estimator, not_fitted, with_parameters, write_file
from fovea._run import run_arguments

__all__ = ["CRF", "GP", "SVM", "Doeblin"]

_OPTIONS = _core.tagging_options()
# Options that stand for something else here: time limits are an argument of fit, and traces are files.
_NOT_PARAMETERS = {"time_limit", "trace"}
_SVM_ONLY = {"gap_tolerance"}


class _Tagger(Estimator):
    """What all families share."""

    _family = None

    # ---- Training

    def fit(self, X, y, *, time_limit=None, progress=None):
        """Trains on labelled sequences; returns the tagger. Ctrl-C ends training with the tagger as it stands."""
        is_columns, template = self._template_of(X)
        options = {n: v for n, v in self.get_params().items() if n in self._option_names and v is not None}
        run = run_arguments(time_limit, None, self.threads, self.random_state, progress)
        self._bytes, report, self.interrupted_ = _core.train_tagger(
            X, y, is_columns, template, self._family, **run, **options
        )
        self.report_ = json.loads(report)
        self._core = None
        self.classes_ = list(self._tagger.labels)
        return self

    def _template_of(self, X):
        """Whether items are columns, and the text of the template."""
        if self.template is not None:
            text = os.fspath(self.template)
            if "\n" not in text and os.path.exists(text):
                with open(text, encoding="utf-8") as file:
                    text = file.read()
            return True, text
        try:
            first = next((item for sequence in X for item in sequence), "")
        except TypeError:
            raise UsageError("argument X: needs a list of sequences") from None
        return isinstance(first, str), ""

    # ---- Prediction

    @property
    def _tagger(self):
        if getattr(self, "_bytes", None) is None:
            error = not_fitted()
            raise error(f"this {type(self).__name__} is not fitted: call fit first")
        if self._core is None:
            self._core = _core.Tagger(self._bytes)
        return self._core

    def _tag(self, X, probabilities=False, n_best=0, time_limit=None, budget=None, progress=None, **options):
        run = run_arguments(time_limit, budget, self.threads, self.random_state, progress)
        answer = self._tagger.tag(X, probabilities, n_best, **run, **options)
        if answer["interrupted"]:
            raise KeyboardInterrupt
        return answer

    def predict(self, X, **options):
        """The labels, [sequence][item]. Options are those of `fovea tag`: method, time_limit, budget, ..."""
        return self._tag(X, **options)["labels"]

    def predict_proba(self, X, **options):
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays."""
        return self._tag(X, probabilities=True, **options)["probabilities"]

    def predict_marginals(self, X, **options):
        """[sequence][item], a dict of the probability of each label."""
        return [
            [dict(zip(self.classes_, row)) for row in rows.tolist()] for rows in self.predict_proba(X, **options)
        ]

    def predict_n_best(self, X, n, **options):
        """[sequence], the n best taggings, best first: (labels, log score, probability)."""
        return self._tag(X, n_best=n, **options)["n_best"]

    def score(self, X, y):
        """The share of items whose label is right."""
        right = total = 0
        for predicted, labels in zip(self.predict(X), y):
            right += sum(p == label for p, label in zip(predicted, labels))
            total += len(labels)
        return right / total if total else 0.0

    # ---- Files and copies

    def save(self, path):
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
        self._tagger  # raises if not fitted
        write_file(path, self._bytes)

    @classmethod
    def load(cls, path):
        """Reads a tagger that `save` or `fovea train` wrote."""
        with open(path, "rb") as file:
            return cls._from_bytes(file.read())

    @classmethod
    def _from_bytes(cls, data):
        core = _core.Tagger(data)
        if core.family != cls._family:
            raise UsageError(f"the file holds a tagger of the family {core.family!r}, not {cls._family!r}")
        self = cls()
        self._bytes, self._core, self.classes_ = data, core, list(core.labels)
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


def _estimator(cls):
    """Gives a family its parameters: those of training, and what all share."""
    fields = [f for f in _OPTIONS["gp" if cls._family == "gp" else "crf"] if f["name"] not in _NOT_PARAMETERS]
    if cls._family != "svm":
        fields = [f for f in fields if f["name"] not in _SVM_ONLY]
    template = {
        "name": "template",
        "default": None,
        "description": "Text or file of a feature template, for items that are tokens or lists of cells.",
    }
    return with_parameters(cls, [template], fields)


@_estimator
class CRF(_Tagger):
    """A linear-chain conditional random field of any order."""

    _family = "crf"


@_estimator
class Doeblin(_Tagger):
    """Gibbs sweeps in the model of all label n-grams, with restarts from the chain of label pairs, trained as they run."""

    _family = "doeblin"
    _own_defaults = {"factor_size": 3}


@_estimator
class SVM(_Tagger):
    """A structured support vector machine over label pairs: margins instead of probabilities."""

    _family = "svm"


@_estimator
class GP(_Tagger):
    """Structured Gaussian processes, whose posterior says how sure each label is."""

    _family = "gp"
