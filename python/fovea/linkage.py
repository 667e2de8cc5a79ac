# SPDX-License-Identifier: Apache-2.0
"""Records of one entity: Dedupe finds them in one table, Link across several. No labels are needed.

A table is anything with __arrow_c_stream__ (pandas, polars, pyarrow, duckdb), a list of dicts, or a dict of lists; what
comes back has the same form. Pairs and links are a Table, which all of these take.

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
    >>> why = dedupe.explain(0, 1)
    >>> why.probability > 0.5, why.terms["level"].tolist()[1:]
    (True, ['equal', 'equal', 'equal'])
"""

from __future__ import annotations

import json
import operator
import os
import warnings
from typing import TYPE_CHECKING, Any

from fovea import _core, _html
from fovea._errors import UsageError
from fovea._estimator import Estimator, not_fitted, with_parameters, write_file
from fovea._records import cell_text, check_new_column, settled, table_of, with_column
from fovea._report import Report, report_of
from fovea._run import run_arguments
from fovea._table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

__all__ = ["Dedupe", "Explanation", "Link", "Table"]

_OPTIONS = _core.linkage_options()


class Explanation:
    """Why two records are together or apart. str() is a table with a bar for each term.

    first, second: the ids (or rows) of the records.
    prior: log odds that two records match before anything is compared.
    terms: a Table with a row for each comparison: comparison, first and second (the cells), level (of agreement),
        weight (of the level) and adjustment (for how rare the value is), both in log odds.
    score: the prior and all weights and adjustments, log odds; probability: the same as a probability.
    """

    def __init__(self, first: Any, second: Any, found: Any) -> None:
        self.first, self.second = first, second
        self.prior, self.score, self.probability = found["prior"], found["score"], found["probability"]
        self.terms = Table(found["terms"])
        self._text = found["text"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"<Explanation of {self.first!r} and {self.second!r}: probability {self.probability:.4f}>"

    def _repr_html_(self) -> str:
        columns = [self.terms[c].tolist() for c in ("comparison", "first", "second", "level")]
        sums = self.terms["weight"] + self.terms["adjustment"]
        rows = [["prior", "", "", "", f"{self.prior:+.2f}"]]
        rows += [[*cells, f"{term:+.2f}"] for *cells, term in zip(*columns, sums.tolist())]
        more = f"sum {self.score:+.2f}, probability {self.probability:.4f}"
        heads = ["comparison", str(self.first), str(self.second), "level", "nats"]
        return _html.table("Explanation", heads, rows, more)


class _Matcher(Estimator):
    """What Dedupe and Link share: a model, learned or given."""

    @property
    def model(self) -> str:
        """The match model as JSON: what `fovea dedupe --save-model` writes."""
        if getattr(self, "model_", None) is None:
            raise not_fitted()(f"this {type(self).__name__} is not fitted: call fit first")
        return self.model_

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the match model, for `fovea dedupe --model` and `from_model`."""
        write_file(path, self.model.encode())

    def save_statistics(self, path: str | os.PathLike[str], X: Any) -> None:
        """Counts how frequent the values of X are that this estimator compares, and writes a file for `statistics`. By
        files of several tables that are added up, each is scored as if it were part of all of them."""
        compare = self.compare
        if getattr(self, "model_", None):
            compare = [comparison["compare"] for comparison in json.loads(self.model_)["comparisons"]]
        if not compare:
            raise UsageError("save_statistics() needs compare=, or a fit")
        _core.save_statistics(self._table(X, "X"), ", ".join(_texts("compare", compare)), os.fspath(path))

    @classmethod
    def from_model(cls, path: str | os.PathLike[str], **params: Any) -> Self:
        """An estimator that scores as a match model in a file does."""
        self = cls(**params)
        with open(path, encoding="utf-8") as file:
            self.model_ = file.read()
        return self

    def __getstate__(self):
        # The records of fit stay out of copies and pickles.
        return {name: value for name, value in self.__dict__.items() if name != "_records"}

    def _arguments(self, fitted, progress, time_limit=None, budget=None):
        run = run_arguments(time_limit, budget, self.threads, self.random_state, progress)
        options = self._options()
        if fitted:
            for name in ("compare", "block", "max_block", "preset"):
                options.pop(name, None)
            options["model"] = self.model
        for name in ("compare", "block"):
            if isinstance(options.get(name), (list, tuple)):
                options[name] = ", ".join(_texts(name, options[name]))
        for name in ("id", "second_id", "gold", "labels", "draw_by", "preset"):
            _check_word(name, getattr(self, name, None))
        if self.statistics is not None:
            options["statistics"] = _texts("statistics", self.statistics)
        return {**run, **options}

    def _table(self, X, name):
        return table_of(X, name, _texts("missing", self.missing or []))

    def _explain(self, records, first, second, ids):
        """An Explanation; `records`: the tables of both."""
        rows = [_row_of(*one) for one in zip(records, (first, second), ("first", "second"), ids)]
        names = [str(first), str(second)]
        found = _core.explain(records[0], rows[0], names[0], records[1], rows[1], names[1], self.model)
        return Explanation(first, second, found)

    def _kept_records(self):
        if getattr(self, "_records", None) is None:
            self.model
            raise UsageError(
                "explain() has no records: fit keeps them, but copies, pickles and models in files do "
                "not. Give them as arguments"
            )
        return self._records


class Dedupe(_Matcher):
    """Finds the records of a table that refer to the same entity."""

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Learns how records match, and clusters them. Sets
        labels_: [row] the cluster, numbers from 0 in the order of appearance;
        clusters_: a Table of the ids (if `id` is given) with their clusters, and their confidence with `samples`;
        confidence_: [row] probability of the row's cluster with `samples`, NaN where unknown; else None;
        report_: a dict of counts, with scores where `gold` is given;
        interrupted_: whether Ctrl-C cut the clustering short."""
        self._fit(self._table(X, "X"), time_limit, budget, progress)
        return self

    def fit_predict(self, X: Any, y: Any = None, **run: Any) -> Any:
        """The same; returns X with a column of clusters, in the form that X has (a relation of duckdb needs pyarrow for
        that); the cells of what only has __arrow_c_stream__ come back as texts, in a Table."""
        frame = settled(X, "X")
        table = self._table(frame, "X")
        check_new_column(table, self.cluster_column, "X")
        self._fit(table, **run)
        return with_column(frame, self.cluster_column, self.labels_, X, table)

    def predict(
        self,
        X: Any,
        *,
        adapt: bool = False,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """Clusters another table by the model that fit learned; returns it with a column of clusters.

        adapt: fit the model to X first, without labels: comparisons of which it knows nothing are learned, and the share
            of matches, which falls as tables grow, is estimated again."""
        self.model
        frame = settled(X, "X")
        table = self._table(frame, "X")
        check_new_column(table, self.cluster_column, "X")
        result = _whole(self._cluster(table, True, time_limit, budget, progress, adapt))
        return with_column(frame, self.cluster_column, result["labels"], X, table)

    def update(
        self, X: Any, clusters: Any, *, progress: bool | Callable[[dict[str, Any]], object] | None = None
    ) -> Any:
        """Lets new records join clusters that were found before, or form new ones; returns X with a column of clusters.

        X: the new records. clusters: the old ones with their clusters, as fit_predict returned them, in any form of
        table; they never change. A new cluster gets the next number where clusters are numbers, else the id of its
        first record, which needs `id`. Warns of records that match several old clusters, which stay apart."""
        self.model
        frame = settled(X, "X")
        more, old = self._table(frame, "X"), self._table(clusters, "clusters")
        own = {"id": self.id} if self.id else {}
        arguments = self._arguments(True, progress)
        for field in [*_OPTIONS["clustering"], *_OPTIONS["learning"]]:
            arguments.pop(field["name"], None)
        result = _core.update(old, more, cluster_column=self.cluster_column, **own, **arguments)
        names = old.column(old.columns.index(self.cluster_column))
        ids = more.column(more.columns.index(self.id)) if self.id else None
        values = _names_of_new(result["clusters"], names, ids, self.cluster_column)
        return with_column(frame, self.cluster_column, values, X, more)

    def pairs(self) -> Table:
        """The pairs of records that may match, the most doubtful first: a Table with first and second (rows), first_id
        and second_id (if `id` is given), score (log odds) and probability. Needs keep_pairs=True."""
        if not self.keep_pairs:
            raise UsageError("pairs() needs keep_pairs=True")
        self.model
        if getattr(self, "pairs_", None) is None:
            raise UsageError("pairs() needs a fit: a model in a file has no pairs")
        return self.pairs_

    def questions(self, count: int = 100) -> Table:
        """The pairs whose answers are worth most, for somebody to say whether they match: pairs() without those that
        say the same again, `count` at most. Give the answers back as `labelled_pairs`. Needs keep_pairs=True."""
        pairs = self.pairs()
        if not isinstance(count, int) or count < 1:
            raise UsageError(f"argument count={count!r}: needs a number from 1 on")
        places = _core.most_useful(pairs["first"].tolist(), pairs["second"].tolist(), count)
        return Table({name: pairs[name][places] for name in pairs})

    def golden(self, rules: str = "", X: Any = None) -> Table:
        """One record for each cluster, whose cells are chosen from those of its records: a Table with the columns of
        the records (texts, None where all are missing), cluster_size and the clusters.

        rules: "column:rule, ...", where a rule is most-frequent (that of columns without one), longest, shortest,
            first, last, latest(column) and earliest(column) by dates or numbers in another column, max, min, or
            join("; ") for all different cells.
        X: records with a column of clusters, as fit_predict, predict and update return them; None: those of fit."""
        if X is None:
            table, labels = self._kept_records()[0], self.labels_
        else:
            table = self._table(X, "X")
            if self.cluster_column not in table.columns:
                raise UsageError(f"argument X: has no column '{self.cluster_column}' of clusters")
            numbers: dict[str, int] = {}
            names = table.column(table.columns.index(self.cluster_column))
            labels = [numbers.setdefault(name, len(numbers)) for name in names]
        _check_word("rules", rules)
        found = _core.golden(table, list(labels), rules, self.id or "", self.cluster_column, self.date_format)
        for warning in found["warnings"]:
            warnings.warn(warning, stacklevel=2)
        return Table(found["records"])

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: what each blocking rule and each comparison does, doubtful pairs to compare and to label,
        and the clusters, the weakest first. A Report, which notebooks show. path: where to save it, too.

        Finds the clusters of the records of fit once more, by the model that fit learned. Labels that are saved from the
        page are `labelled_pairs`."""
        table = self._kept_records()[0]
        return report_of(self._cluster(table, True, None, None, None, page=True)["page"], path)

    def explain(self, first: Any, second: Any, X: Any = None) -> Explanation:
        """Why two records match or do not, by their ids (their rows, from 0, without `id`): an Explanation.

        X: the table that holds them; None: that of fit."""
        table = self._kept_records()[0] if X is None else self._table(X, "X")
        return self._explain((table, table), first, second, (self.id, self.id))

    def _fit(self, table, time_limit=None, budget=None, progress=None):
        result = self._cluster(table, False, time_limit, budget, progress)
        self.labels_, self.clusters_ = result["labels"], Table(result["clusters"])
        self.confidence_, self.pairs_, self.model_ = result["confidence"], Table(result["pairs"]), result["model"]
        self.report_, self.interrupted_ = json.loads(result["report"]), result["interrupted"]
        self._records = (table,)

    def _cluster(self, table, fitted, time_limit, budget, progress, adapt=False, page=False):
        arguments = self._arguments(fitted, progress, time_limit, budget)
        _check_word("cluster_column", self.cluster_column)
        if self.id and self.id == self.cluster_column:
            raise UsageError(f"argument cluster_column={self.id!r}: is the column of ids; give clusters another name")
        own = {name: getattr(self, name) for name in ("id", "gold", "draw_by", "cluster_column") if getattr(self, name)}
        if not fitted:
            own.update({"labels": self.labels} if self.labels else {}, **_labelled(self.labelled_pairs, self.id))
        if not fitted or page:
            own.update(_known(self.must_link, self.cannot_link, self.id))
        if self.score is not None:
            if not callable(self.score):
                raise UsageError(f"argument score={self.score!r}: needs a function of two rows")
            own["score"] = self.score
        return _core.dedupe(table, keeps_pairs=bool(self.keep_pairs), adapt=bool(adapt), page=page, **own, **arguments)


class Link(_Matcher):
    """Finds the pairs of records of different tables that refer to the same entity."""

    def fit(
        self,
        first: Any,
        second: Any,
        *others: Any,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Self:
        """Learns how records match, and links them. Sets
        links_: a Table with first and second (rows), first_id and second_id (if `id` is given), score (log odds) and
            probability, in the order of the first table's rows; with first_table and second_table, numbers from 0, if
            there are more than two tables;
        report_: a dict with the number of links, the lists that were proposed, and scores where `gold` is given;
        interrupted_: whether Ctrl-C cut the scoring short."""
        tables = self._tables(first, second, others)
        result = self._link(tables, False, time_limit, progress)
        self.links_, self.model_, self.interrupted_ = Table(result["links"]), result["model"], result["interrupted"]
        self.report_ = json.loads(result["report"])
        self._records = tables
        return self

    def fit_predict(
        self,
        first: Any,
        second: Any,
        *others: Any,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """The same; returns the links."""
        return self.fit(first, second, *others, time_limit=time_limit, progress=progress).links_

    def predict(
        self,
        first: Any,
        second: Any,
        *others: Any,
        adapt: bool = False,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """Links other tables by the model that fit learned. adapt: as in Dedupe.predict."""
        self.model
        tables = self._tables(first, second, others)
        return Table(_whole(self._link(tables, True, time_limit, progress, adapt))["links"])

    def pairs(self) -> Table:
        """The links of fit."""
        self.model
        if getattr(self, "links_", None) is None:
            raise UsageError("pairs() needs a fit: a model in a file has no links")
        return self.links_

    def explain(self, first_id: Any, second_id: Any, first: Any = None, second: Any = None) -> Explanation:
        """Why a record of the first table and one of the second match or do not, by their ids (their rows, from 0,
        without `id`): an Explanation.

        first, second: the tables; None: those of fit, the first two if there are more."""
        if (first is None) != (second is None):
            raise UsageError("explain() needs both tables or neither")
        if first is None:
            records = self._kept_records()[:2]
        else:
            records = self._table(first, "first"), self._table(second, "second")
        return self._explain(records, first_id, second_id, (self.id, self.second_id or self.id))

    def _tables(self, first, second, others):
        more = (self._table(other, f"others[{number}]") for number, other in enumerate(others))
        return (self._table(first, "first"), self._table(second, "second"), *more)

    def _link(self, tables, fitted, time_limit, progress, adapt=False):
        arguments = self._arguments(fitted, progress, time_limit)
        ids = {"id": self.id, "second_id": self.second_id or self.id} if self.id else {}
        if self.second_id and not self.id:
            raise UsageError(f"argument second_id={self.second_id!r}: needs id=, the column of ids of the first table")
        _check_word("map", self.map)
        own = {name: getattr(self, name) for name in ("map", "gold") if getattr(self, name)}
        if not fitted:
            own.update({"labels": self.labels} if self.labels else {}, **_labelled(self.labelled_pairs, self.id))
            own.update(_known(self.must_link, self.cannot_link, self.id))
        return _core.link(list(tables), one_to_one=bool(self.one_to_one), adapt=bool(adapt), **own, **ids, **arguments)


def _texts(argument, values):
    """A list of str, of one or several texts or paths."""
    several = values if isinstance(values, (list, tuple)) else [values]
    texts = [os.fspath(value) if isinstance(value, os.PathLike) else value for value in several]
    if not all(isinstance(text, str) for text in texts):
        raise UsageError(f"argument {argument}={values!r}: needs a str or a list of str")
    return texts


def _check_word(argument, value):
    if value is not None and not isinstance(value, str):
        raise UsageError(f"argument {argument}={value!r}: needs a str")


def _field(name, default, description):
    return {"name": name, "default": default, "description": description}


_PRESET = _field("preset", None, "'authors': comparisons and blocking rules for authors of papers.")
_MISSING = _field(
    "missing", None, "Cells that count as missing, in addition to None, NaN and empty texts: a text or a list of them."
)
_STATISTICS = _field(
    "statistics",
    None,
    "Files of statistics on how frequent values are, which save_statistics writes; several are added up. None: those of "
    "the model or of the records.",
)
_LABELLED_PAIRS = _field(
    "labelled_pairs",
    None,
    "Pairs that are known to match or not, which correct what is learned without labels: a list of (id, id, True or "
    "False), a table with the columns first_id, second_id and match, or a file of one; without `id`, rows instead of "
    "ids, in columns first and second.",
)
_MUST_LINK = _field(
    "must_link",
    None,
    "Pairs of records that are of one entity whatever the comparisons say: a list of (id, id) or a table with the "
    "columns first_id and second_id; without `id`, rows, in columns first and second.",
)
_CANNOT_LINK = _field("cannot_link", None, "Pairs of records that are not of one entity.")
with_parameters(
    Dedupe,
    [
        _field("id", None, "Column of unique ids; None: records go by their rows."),
        _field("gold", None, "Column of true clusters, against which the result is scored (report_)."),
        _field("labels", None, "Column of true clusters, None where they are not known, to learn the weights from."),
        _LABELLED_PAIRS,
        _MUST_LINK,
        _CANNOT_LINK,
        _field(
            "score",
            None,
            "A function that scores pairs instead of the comparisons, which only bring records together: score(row, row) "
            "is the log odds that both are of one entity. It is asked about as few pairs as `exactness` allows, by one "
            "thread at a time.",
        ),
        _field("keep_pairs", False, "Keep the pairs of records that may match, for pairs()."),
        _field("cluster_column", "cluster", "Name of the column that is added."),
        _field(
            "draw_by",
            None,
            "'row' or 'id': what the random draws of a group of records follow from, besides the "
            "seed. By id, a part of a table gets the clusters that the whole gets with the same model.",
        ),
        _MISSING,
        _STATISTICS,
    ],
    [_PRESET, *_OPTIONS["matching"], *_OPTIONS["clustering"], *_OPTIONS["learning"]],
)
with_parameters(
    Link,
    [
        _field("id", None, "Column of unique ids in the first table; None: records go by their rows."),
        _field("second_id", None, "Column of unique ids in the other tables; None: that of the first."),
        _field(
            "one_to_one",
            False,
            "Link no record with two of one table: the links with the largest sum of scores.",
        ),
        _field("map", None, "Columns with other names: 'dob=born' reads dob as born in tables without a column born."),
        _field("gold", None, "Column of true entities, against which the links are scored (report_)."),
        _field("labels", None, "Column of true entities, None where they are not known, to learn the weights from."),
        _LABELLED_PAIRS,
        _MUST_LINK,
        _CANNOT_LINK,
        _MISSING,
        _STATISTICS,
    ],
    [_PRESET, *_OPTIONS["matching"]],
)


def _whole(result):
    """The result of a run that was not cut short by Ctrl-C; only estimators can say that theirs was."""
    if result["interrupted"]:
        raise KeyboardInterrupt
    return result


def _row_of(table, record, argument, id_column):
    """The row of a record, given by its id or, without ids, by its row."""
    if id_column:
        try:
            row = table.row_of_id(id_column, cell_text(record) or "")
        except TypeError:
            row = None
        if row is None:
            raise UsageError(f"argument {argument}={record!r}: no record has this id")
        return row
    try:
        row = operator.index(record)
    except TypeError:
        row = -1
    if not 0 <= row < table.row_count:
        raise UsageError(
            f"argument {argument}={record!r}: needs a row from 0 to {table.row_count - 1}; records go by "
            "ids where id= names their column"
        )
    return row


def _labelled(pairs, id_column):
    """The arguments by which the extension module takes labelled pairs."""
    if pairs is None:
        return {}
    if isinstance(pairs, (str, os.PathLike)):
        return {"labelled_pairs": os.fspath(pairs)}
    if isinstance(pairs, (list, tuple)) and not (pairs and isinstance(pairs[0], dict)):
        for number, pair in enumerate(pairs, 1):
            if not isinstance(pair, (list, tuple)) or len(pair) != 3:
                raise UsageError(f"argument labelled_pairs, row {number}: needs (id, id, True or False), not {pair!r}")
        heads = ("first_id", "second_id", "match") if id_column else ("first", "second", "match")
        pairs = {head: [pair[i] for pair in pairs] for i, head in enumerate(heads)}
    return {"pair_labels": table_of(pairs, "labelled_pairs")}


def _known(must_link, cannot_link, id_column):
    """The argument by which the extension module takes pairs that must or cannot be linked."""
    heads = ("first_id", "second_id") if id_column else ("first", "second")
    known = {head: [] for head in (*heads, "match")}
    for name, pairs, is_match in (("must_link", must_link, True), ("cannot_link", cannot_link, False)):
        if pairs is None:
            continue
        if isinstance(pairs, (list, tuple)):
            for number, pair in enumerate(pairs, 1):
                if not isinstance(pair, (list, tuple)) or len(pair) != 2:
                    raise UsageError(f"argument {name}, row {number}: needs (id, id), not {pair!r}")
            columns = [[pair[i] for pair in pairs] for i in (0, 1)]
        else:
            table = table_of(pairs, name)
            columns = [list(table.column(table.columns.index(head))) for head in heads]
        for head, column in zip(heads, columns):
            known[head] += column
        known["match"] += [is_match] * len(columns[0])
    return {"known_pairs": table_of(known, "must_link and cannot_link")} if known["match"] else {}


def _names_of_new(clusters, old_names, ids, cluster_column):
    """[new row] the name of its cluster. clusters: [row] the first row of its cluster, old rows first."""
    import numpy as np

    new = clusters[len(old_names) :].tolist()
    if all(name.isdecimal() or (name[:1] == "-" and name[1:].isdecimal()) for name in old_names):
        numbers = dict(enumerate(map(int, old_names)))
        following = max(numbers.values(), default=-1) + 1
        for first in new:
            if first not in numbers:
                numbers[first], following = following, following + 1
        return np.array([numbers[first] for first in new], dtype=np.int64)
    if ids is None:
        raise UsageError(
            f"the clusters in column '{cluster_column}' have names, so new ones are named after the ids "
            "of records: give id="
        )
    return [(old_names[first] if first < len(old_names) else ids[first - len(old_names)]) for first in new]
