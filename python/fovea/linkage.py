# SPDX-License-Identifier: Apache-2.0
"""Records of one entity: Dedupe finds them in one table, Link across two. No labels are needed.

A table is anything with __arrow_c_stream__ (pandas, polars, pyarrow, duckdb), a list of dicts, or a dict of lists.

    >>> from fovea.linkage import Dedupe
    >>> people = [
    ...     {"given": "Anna", "surname": "Meyer", "born": "1980-02-11", "city": "Bonn"},
    ...     {"given": "Ana", "surname": "Meyer", "born": "1980-02-11", "city": "Bonn"},
    ...     {"given": "Bernd", "surname": "Schulz", "born": "1975-07-30", "city": "Ulm"},
    ...     {"given": "Bernt", "surname": "Schulz", "born": "1975-07-30", "city": "Ulm"},
    ...     {"given": "Carla", "surname": "Vogel", "born": "1991-12-01", "city": "Kiel"},
    ...     {"given": "Anna", "surname": "Meier", "born": "1980-02-11", "city": None},
    ...     {"given": "Dora", "surname": "Vogel", "born": "1962-05-09", "city": "Kiel"},
    ... ]
    >>> dedupe = Dedupe(compare="given:jaro_winkler, surname:jaro_winkler, born:date, city", block="surname, born")
    >>> dedupe.fit(people).labels_.tolist()
    [0, 0, 1, 1, 2, 0, 3]
"""

import json

from fovea import _core
from fovea._errors import UsageError
from fovea._estimator import Estimator, not_fitted, with_parameters, write_file
from fovea._run import run_arguments

__all__ = ["Dedupe", "Link"]

_OPTIONS = _core.linkage_options()


class _Matcher(Estimator):
    """What Dedupe and Link share: a model, learned or given."""

    @property
    def model(self):
        """The match model as JSON: what `fovea dedupe --save-model` writes."""
        if getattr(self, "model_", None) is None:
            raise not_fitted()(f"this {type(self).__name__} is not fitted: call fit first")
        return self.model_

    def save(self, path):
        """Writes the match model, for `fovea dedupe --model` and `from_model`."""
        write_file(path, self.model.encode())

    @classmethod
    def from_model(cls, path, **params):
        """An estimator that scores as a match model in a file does."""
        self = cls(**params)
        with open(path, encoding="utf-8") as file:
            self.model_ = file.read()
        return self

    def _arguments(self, fitted, progress, time_limit=None, budget=None):
        run = run_arguments(time_limit, budget, self.threads, self.random_state, progress)
        options = self._options()
        if fitted:
            for name in ("compare", "block", "max_block", "preset"):
                options.pop(name, None)
            options["model"] = self.model
        for name in ("compare", "block"):
            if isinstance(options.get(name), (list, tuple)):
                options[name] = ", ".join(options[name])
        return {**run, **options}


class Dedupe(_Matcher):
    """Finds the records of a table that refer to the same entity."""

    def fit(self, X, y=None, *, time_limit=None, budget=None, progress=None):
        """Learns how records match, and clusters them: labels_, [row], numbers from 0 in the order of appearance."""
        result = self._cluster(X, False, time_limit, budget, progress)
        self.labels_ = _labels_of(result)
        self.confidence_, self.pairs_, self.model_ = result["confidence"], result["pairs"], result["model"]
        self.report_, self.interrupted_ = json.loads(result["report"]), result["interrupted"]
        return self

    def fit_predict(self, X, y=None, **run):
        """The same; returns X with a column `cluster`, in the form that X has."""
        return _with_column(X, self.cluster_column, self.fit(X, **run).labels_)

    def predict(self, X, *, time_limit=None, budget=None, progress=None):
        """Clusters another table by the model that fit learned; returns it with a column `cluster`."""
        result = self._cluster(X, True, time_limit, budget, progress)
        return _with_column(X, self.cluster_column, _labels_of(result))

    def pairs(self):
        """The pairs of records that may match, the most doubtful first: arrays first and second (rows), score (log odds)
        and probability. Needs keep_pairs=True."""
        if not self.keep_pairs:
            raise UsageError("pairs() needs keep_pairs=True")
        self.model
        return self.pairs_

    def _cluster(self, X, fitted, time_limit, budget, progress):
        arguments = self._arguments(fitted, progress, time_limit, budget)
        own = {name: getattr(self, name) for name in ("id", "gold", "labels") if getattr(self, name)}
        return _core.dedupe(_table_of(X, "X"), keeps_pairs=bool(self.keep_pairs), **own, **arguments)


class Link(_Matcher):
    """Finds the pairs of records, one of each table, that refer to the same entity."""

    def fit(self, first, second, *, progress=None):
        """Learns how records match, and links them: links_, arrays first and second (rows), score and probability."""
        result = self._link(first, second, False, progress)
        self.links_, self.model_, self.interrupted_ = result["links"], result["model"], result["interrupted"]
        return self

    def fit_predict(self, first, second, *, progress=None):
        """The same; returns the links."""
        return self.fit(first, second, progress=progress).links_

    def predict(self, first, second, *, progress=None):
        """Links other tables by the model that fit learned."""
        return self._link(first, second, True, progress)["links"]

    def _link(self, first, second, fitted, progress):
        arguments = self._arguments(fitted, progress)
        tables = _table_of(first, "first"), _table_of(second, "second")
        return _core.link(*tables, one_to_one=bool(self.one_to_one), **arguments)


def _field(name, default, description):
    return {"name": name, "default": default, "description": description}


_PRESET = _field("preset", None, "'authors': comparisons and blocking rules for authors of papers.")
with_parameters(
    Dedupe,
    [
        _field("id", None, "Column of unique ids; None: records go by their rows."),
        _field("gold", None, "Column of true clusters, against which the result is scored (report_)."),
        _field("labels", None, "Column of true clusters, None where they are not known, to learn the weights from."),
        _field("keep_pairs", False, "Keep the pairs of records that may match, for pairs()."),
        _field("cluster_column", "cluster", "Name of the column that is added."),
    ],
    [_PRESET, *_OPTIONS["matching"], *_OPTIONS["clustering"]],
)
with_parameters(
    Link,
    [_field("one_to_one", False, "Link no record twice: of several links of a record, keep the best.")],
    [_PRESET, *_OPTIONS["matching"]],
)


def _labels_of(result):
    """[row], numbers from 0 in the order of appearance."""
    import numpy as np

    return np.unique(result["clusters"], return_inverse=True)[1]


def _table_of(X, name):
    """The library's table of a data frame."""
    if isinstance(X, _core.Table):
        return X
    if hasattr(X, "__arrow_c_stream__"):
        return _core.Table(X, name, [])
    if hasattr(X, "fetch_arrow_table"):  # a relation of duckdb
        return _core.Table(X.fetch_arrow_table(), name, [])
    if isinstance(X, dict):
        columns = {str(c): list(values) for c, values in X.items()}
        if len({len(values) for values in columns.values()}) > 1:
            raise UsageError(f"argument {name}: its columns have {sorted({len(v) for v in columns.values()})} cells")
    elif isinstance(X, (list, tuple)) and all(isinstance(row, dict) for row in X):
        columns = {str(c): [row.get(c) for row in X] for c in dict.fromkeys(c for row in X for c in row)}
    else:
        raise UsageError(
            f"argument {name}: needs a data frame (anything with __arrow_c_stream__), a list of dicts or a dict of lists"
        )
    return _core.Table.from_columns(name, list(columns), [[_text(v) for v in values] for values in columns.values()])


def _text(value):
    if value is None or value != value:
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else str(value)


def _with_column(X, name, labels):
    """X with one column more, in the form that X has; the column alone if the form is not known."""
    if isinstance(X, dict):
        return {**X, name: labels.tolist()}
    if isinstance(X, (list, tuple)):
        return [{**row, name: label} for row, label in zip(X, labels.tolist())]
    module = type(X).__module__.partition(".")[0]
    if module == "pandas":
        return X.assign(**{name: labels})
    if module == "polars":
        import polars

        return X.with_columns(polars.Series(name, labels))
    if module == "pyarrow" and hasattr(X, "append_column"):
        import pyarrow

        return X.append_column(name, pyarrow.array(labels))
    return labels
