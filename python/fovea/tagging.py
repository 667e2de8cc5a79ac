# SPDX-License-Identifier: Apache-2.0
"""Taggers of sequences: CRF, Doeblin, SVM and GP, with the interface of scikit-learn.

X is a list of sequences, a sequence is a list of items. An item is a token (a str) or a list of cells, from which a
template makes attributes; or its attributes themselves, as a list of names, a dict or a vector. y holds a list of
labels for each sequence; None stands for a label that is not known.

    >>> from fovea.tagging import CRF
    >>> X = [["the", "cat", "sleeps"], ["a", "dog", "barks"], ["dogs", "bark"]]
    >>> y = [["D", "N", "V"], ["D", "N", "V"], ["N", "V"]]
    >>> crf = CRF(l2=0.1).fit(X, y)
    >>> crf.predict([["the", "dog", "sleeps"]])
    [['D', 'N', 'V']]

A Policy learns where to sample, for one tagger, and what each method of decoding costs and gains:

    >>> from fovea.tagging import Policy
    >>> policy = Policy(measure=False).fit(crf, X, y)
    >>> crf.predict([["the", "dog", "sleeps"]], policy=policy, method="learned")
    [['D', 'N', 'V']]
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from fovea import _core
from fovea._errors import InputError, UsageError
from fovea._estimator import Estimator, not_fitted, with_parameters, write_file
from fovea._html import table
from fovea._report import Report, report_of
from fovea._run import run_arguments
from fovea._signature import run_fields, takes

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from typing_extensions import Self

__all__ = ["CRF", "GP", "SVM", "AttributeTerm", "Doeblin", "Explanation", "NgramTerm", "Policy", "Span"]

_OPTIONS = _core.tagging_options()
# Traces are files; time limits are an argument of fit.
_NOT_PARAMETERS = {"trace"}
_SVM_ONLY = {"gap_tolerance"}
# What every prediction takes.
_PREDICTION = [
    {
        "name": "policy",
        "annotation": "Policy | None",
        "default": None,
        "description": "where to sample, and what each method costs: a Policy that was fitted to this tagger.",
    },
    *run_fields("time_limit", "budget", "progress"),
    {
        "name": "valid_bio",
        "kind": "bool",
        "default": False,
        "description": "forbid label sequences that break the IOB2 or IOBES scheme.",
    },
    *_OPTIONS["predict"],
]


class Span(NamedTuple):
    """An entity: items begin .. end - 1, counted from 0, its type, and the probability of exactly this entity."""

    label: str
    begin: int
    end: int
    probability: float


class AttributeTerm(NamedTuple):
    """The part of an attribute in an explanation: difference = value * (weight - other_weight)."""

    attribute: str
    weight: float
    other_weight: float
    difference: float
    value: float


class NgramTerm(NamedTuple):
    """The part of a label n-gram that begins at item `begin`: difference = weight - other_weight."""

    begin: int
    labels: tuple
    other_labels: tuple
    weight: float
    other_weight: float
    difference: float


class Explanation(NamedTuple):
    """Why an item has `label` rather than `other`, while the labels of the other items stay as they are.

    difference: the log score of the labeling less that with the other label, which is the sum of the differences of all
    terms. attributes, ngrams: the terms that differ, the largest first.
    """

    label: str
    other: str
    difference: float
    attributes: list
    ngrams: list

    def __str__(self) -> str:
        lines = [f"{self.label} rather than {self.other}: {self.difference:+.4f}"]
        terms = [(t.difference, t.attribute if t.value == 1 else f"{t.attribute}:{t.value:g}") for t in self.attributes]
        terms += [(t.difference, f"[{' '.join(t.labels)}]") for t in self.ngrams]
        lines += [f"  {d:+.4f}  {name}" for d, name in sorted(terms, key=lambda term: -abs(term[0]))]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        terms = [(t.attribute, t) for t in self.attributes] + [(f"[{' '.join(t.labels)}]", t) for t in self.ngrams]
        terms.sort(key=lambda term: -abs(term[1].difference))
        rows = [[f"{t.difference:+.4f}", name, f"{t.weight:.4f}", f"{t.other_weight:.4f}"] for name, t in terms]
        caption = f"{self.label} rather than {self.other}: {self.difference:+.4f}"
        return table(caption, ["difference", "term", self.label, self.other], rows)


class _Tagger(Estimator):
    """What all families share."""

    _family = None

    # ---- Training

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        dev: tuple[Any, Any] | None = None,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Trains on labelled sequences; returns the tagger. Ctrl-C ends training with the tagger as it stands.

        dev: a pair (X, y) that is not trained on, only scored, while training (progress) and at the end
        (report_["dev"]).
        """
        _given("X", X), _given("y", y)
        is_columns, template = self._template_of(X)
        options = {n: v for n, v in self.get_params().items() if n in self._option_names and v is not None}
        run = run_arguments(time_limit, None, self.threads, self.random_state, progress)
        if dev is not None:
            if not isinstance(dev, (tuple, list)) or len(dev) != 2:
                raise UsageError("argument dev: needs a pair (X, y)")
            _given("X", dev[0]), _given("y", dev[1])
            options["dev"] = dev
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
            self._core = _core.Tagger(self._bytes, "the tagger")
        return self._core

    def _run_and_policy(self, options):
        """Takes these arguments from the options of a prediction."""
        limits = [options.pop(name, None) for name in ("time_limit", "budget")]
        run = run_arguments(*limits, self.threads, self.random_state, options.pop("progress", None))
        return run, _policy_bytes(options.pop("policy", None))

    def _tag(self, X, options, probabilities=False, n_best=0, spans=False):
        _given("X", X)
        run, policy = self._run_and_policy(options)
        return self._tagger.tag(X, probabilities, n_best, spans, policy, **run, **options)

    @takes(_PREDICTION)
    def predict(self, X: Any, **options: Any) -> list[list[str]]:
        """The labels, [sequence][item].

        A time limit is for all of X, or for each item: "2ms/item". Ctrl-C raises KeyboardInterrupt.
        """
        return self._tag(X, options)["labels"]

    @takes(_PREDICTION)
    def predict_proba(self, X: Any, **options: Any) -> list[np.ndarray]:
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays."""
        return self._tag(X, options, probabilities=True)["probabilities"]

    @takes(_PREDICTION)
    def predict_marginals(self, X: Any, **options: Any) -> list[list[dict[str, float]]]:
        """[sequence][item], a dict of the probability of each label."""
        return [[dict(zip(self.classes_, row)) for row in rows.tolist()] for rows in self.predict_proba(X, **options)]

    @takes(_PREDICTION)
    def predict_n_best(self, X: Any, n: int, **options: Any) -> list[list[tuple[list[str], float, float]]]:
        """[sequence], the n best taggings, best first: (labels, log score, probability)."""
        if isinstance(n, bool) or not hasattr(n, "__index__") or not 1 <= n <= 1000:
            raise UsageError(f"argument n={n!r}: needs a whole number from 1 to 1000")
        return self._tag(X, options, n_best=int(n))["n_best"]

    @takes(_PREDICTION)
    def predict_spans(self, X: Any, **options: Any) -> list[list[Span]]:
        """[sequence], the entities that the predicted labels mark (IOB1, IOB2, IOBES, BILOU, ...): a list of Span.

        The probability is that of exactly this span as an entity of this type, by exact sums over all labelings of the
        model of label n-grams, by whichever method the labels were found. Not for GP.
        """
        return [[Span(*span) for span in spans] for spans in self._tag(X, options, spans=True)["spans"]]

    @takes(_PREDICTION)
    def explain(self, x: Any, item: int, against: str | None = None, **options: Any) -> Explanation:
        """Why an item of one sequence gets its label: an Explanation.

        item counts from 0, or from the end if it is negative. against: the label to compare with; None is the best of
        the others. Not for GP.
        """
        if isinstance(item, bool) or not hasattr(item, "__index__"):
            raise UsageError(f"argument item={item!r}: needs a whole number")
        if not hasattr(x, "__len__"):
            raise UsageError(f"argument x={x!r}: needs one sequence, a list of items")
        item = item.__index__()
        if not -len(x) <= item < len(x):
            raise UsageError(f"argument item={item}: x has {len(x)} items")
        if against is not None and not isinstance(against, str):
            raise UsageError(f"argument against={against!r}: needs a label, or None")
        run, policy = self._run_and_policy(options)
        found = self._tagger.explain(x, item % len(x), against or "", policy, **run, **options)
        return Explanation(
            found["label"],
            found["other"],
            found["difference"],
            [AttributeTerm(*term) for term in found["attributes"]],
            [NgramTerm(*term) for term in found["ngrams"]],
        )

    @takes(_PREDICTION)
    def report(
        self, X: Any, y: Any = None, path: str | os.PathLike[str] | None = None, *, n_best: int = 0, **options: Any
    ) -> Report:
        """A page for people: X with its labels in colours, and how sure they are; with n_best, other labelings instead.
        With y, an evaluation: scores, mistakes in context, reliability. A Report, which notebooks show. path: where to
        save it, too."""
        _given("X", X)
        if isinstance(n_best, bool) or not hasattr(n_best, "__index__") or not 0 <= n_best <= 1000:
            raise UsageError(f"argument n_best={n_best!r}: needs a whole number from 0 to 1000")
        run, policy = self._run_and_policy(options)
        return report_of(self._tagger.page(X, y, int(n_best), policy, **run, **options), path)

    def score(self, X: Any, y: Any) -> float:
        """The share of items whose label is right."""
        right = total = 0
        for predicted, labels in zip(self.predict(X), y):
            right += sum(p == label for p, label in zip(predicted, labels))
            total += len(labels)
        return right / total if total else 0.0

    # ---- Files and copies

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
        self._tagger  # raises if not fitted
        write_file(path, self._bytes)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a tagger that `save` or `fovea train` wrote."""
        with open(path, "rb") as file:
            return cls._from_bytes(file.read(), os.fspath(path))

    @classmethod
    def _from_bytes(cls, data, name):
        core = _core.Tagger(data, name)
        if core.family != cls._family:
            raise UsageError(f"{name} holds a tagger of the family {core.family!r}, not {cls._family!r}")
        self = cls()
        is_foreign = not data.startswith(b"FOVEA")
        self._bytes, self._core, self.classes_ = core.bytes() if is_foreign else data, core, list(core.labels)
        return self

    def __getstate__(self):
        return {**self.__dict__, "_core": None}

    def __setstate__(self, state):
        # What is not readable here is refused when it is unpickled, not when it is used.
        self.__dict__.update(self._defaults)
        self.__dict__.update(state)
        if self.__sklearn_is_fitted__():
            self._core = _core.Tagger(self._bytes, "the pickled tagger")

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

    @classmethod
    def from_crfsuite(cls, model: str | os.PathLike[str] | bytes) -> CRF:
        """A tagger from a model of CRFsuite (python-crfsuite, sklearn-crfsuite): its file or bytes.

        Items are lists of attribute names or dicts, as there. `save` writes Fovea's own format.
        """
        return cls._from_foreign(model, b"lCRF", "a model of CRFsuite, which begins with 'lCRF'")

    @classmethod
    def from_crfpp(cls, model: str | os.PathLike[str] | bytes) -> CRF:
        """A tagger from a model of CRF++ as text (`crf_learn -t`): its file or bytes.

        Items are tokens or lists of cells, from which the model's template makes attributes.
        """
        return cls._from_foreign(model, b"version: ", "a model of CRF++ as text, as `crf_learn -t` writes it")

    @classmethod
    def _from_foreign(cls, model, magic, wanted):
        name = "the model"
        if not isinstance(model, (bytes, bytearray, memoryview)):
            name = os.fspath(model)
            with open(model, "rb") as file:
                model = file.read()
        model = bytes(model)
        if not model.startswith(magic):
            raise InputError(f"{name}: it begins with {model[:9]!r}. Give {wanted}")
        return cls._from_bytes(model, name)


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


class Policy(Estimator):
    """Where to sample in sequences, and what each method of decoding costs and gains, learned for one tagger."""

    def fit(
        self,
        tagger: Any,
        X: Any,
        y: Any,
        *,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Learns on labelled sequences that the tagger was not trained on, as `fovea tune` does; returns the policy.

        A time limit ends the measuring of methods, not the learning before it. With measure=False, equal data and seeds
        give equal policies.
        """
        if not isinstance(tagger, _Tagger):
            raise UsageError(f"argument tagger={tagger!r}: needs a fitted CRF, SVM or Doeblin")
        _given("X", X), _given("y", y)
        run = run_arguments(time_limit, None, self.threads, self.random_state, progress)
        self._set(tagger._tagger.tune(X, y, **run, **self._options()), "the policy")
        return self

    def _set(self, data, name):
        facts = _core.describe_policy(data, name)
        self._bytes, self.classes_, self.factor_size_ = data, list(facts["labels"]), facts["factor_size"]
        self.report_ = json.loads(facts["json"])
        self._text = facts["text"]

    @property
    def _fitted(self):
        if getattr(self, "_bytes", None) is None:
            raise not_fitted()("this Policy is not fitted: call fit first")
        return self._bytes

    def describe(self) -> str:
        """What was learned, in plain words: which signs speak for a visit, and what each method costs and gains."""
        self._fitted
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the policy as `fovea tune` does, for `fovea tag --policy` and `load`."""
        write_file(path, self._fitted)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a policy that `save` or `fovea tune` wrote."""
        with open(path, "rb") as file:
            data = file.read()
        self = cls()
        self._set(data, os.fspath(path))
        return self

    def __setstate__(self, state):
        self.__dict__.update(self._defaults)
        self.__dict__.update(state)
        if getattr(self, "_bytes", None) is not None:
            self._set(self._bytes, "the pickled policy")

    def __sklearn_is_fitted__(self):
        return getattr(self, "_bytes", None) is not None

    def _repr_html_(self) -> str:
        if getattr(self, "_bytes", None) is None:
            return table(repr(self), ["not fitted"], [])
        return table(repr(self), ["what was learned"], [[line] for line in self._text.splitlines() if line])


def _given(name, argument):
    if argument is None:
        raise UsageError(f"{name} is None: needs a list of sequences")


def _policy_bytes(policy):
    if policy is None:
        return b""
    if not isinstance(policy, Policy):
        raise UsageError(f"argument policy={policy!r}: needs a Policy that was fitted to this tagger")
    return policy._fitted


with_parameters(Policy, [], _OPTIONS["tune"])
