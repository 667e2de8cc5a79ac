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

from fovea._table import Table as Table

__all__ = ['Dedupe', 'Explanation', 'Link', 'Table']

class _Matcher(Estimator):
    """What Dedupe and Link share: a model, learned or given."""
    @property
    def model(self) -> str:
        """The match model as JSON: what `fovea dedupe --save-model` writes."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the match model, for `fovea dedupe --model` and `from_model`."""
    def save_statistics(self, path: str | os.PathLike[str], X: Any) -> None:
        """Counts how frequent the values of X are that this estimator compares, and writes a file for `statistics`. By
        files of several tables that are added up, each is scored as if it were part of all of them.
        """
    @classmethod
    def from_model(cls, path: str | os.PathLike[str], **params: Any) -> Self:
        """An estimator that scores as a match model in a file does."""
    def __getstate__(self) -> Any:
        ...

class Dedupe(_Matcher):
    """Finds the records of a table that refer to the same entity.

    Arguments:
        id: Column of unique ids; None: records go by their rows.
        gold: Column of true clusters, against which the result is scored (report_).
        labels: Column of true clusters, None where they are not known, to learn the weights from.
        labelled_pairs: Pairs that are known to match or not, which correct what is learned without labels: a
            list of (id, id, True or False), a table with the columns first_id, second_id and match, or a file
            of one; without `id`, rows instead of ids, in columns first and second.
        must_link: Pairs of records that are of one entity whatever the comparisons say: a list of (id, id) or a
            table with the columns first_id and second_id; without `id`, rows, in columns first and second.
        cannot_link: Pairs of records that are not of one entity.
        score: A function that scores pairs instead of the comparisons, which only bring records together:
            score(row, row) is the log odds that both are of one entity. It is asked about as few pairs as
            `exactness` allows, by one thread at a time.
        keep_pairs: Keep the pairs of records that may match, for pairs().
        cluster_column: Name of the column that is added.
        draw_by: 'row' or 'id': what the random draws of a group of records follow from, besides the seed. By
            id, a part of a table gets the clusters that the whole gets with the same model.
        missing: Cells that count as missing, in addition to None, NaN and empty texts: a text or a list of
            them.
        statistics: Files of statistics on how frequent values are, which save_statistics writes; several are
            added up. None: those of the model or of the records.
        preset: 'authors': comparisons and blocking rules for authors of papers.
        compare: Comparisons of two records, for example 'name:jaro_winkler, born:date, city'.
        block: Rules that choose the records to compare: those that agree in at least one of them, for example
            'surname, soundex(name)+year(born)'.
        date_format: How dates are written, for comparisons of the kind date and for the functions year and
            month: dmy, mdy or ymd, where years may have two digits (69 to 99 are 1969 to 1999), or a pattern
            such as '%d.%m.%y' or '%b %d, %Y'. If omitted, dates of numbers begin with the day or with a year of
            four digits. A time after the date is ignored.
        threshold: Two records match if their probability is above this.
        max_block: Blocks of more records than this are left out, with a warning; 5000 if not given, or as the
            preset or the model has it.
        prior: Share of matches among all pairs of records, if it is known; else learned.
        train_rules: Rules whose pairs are learned from, written as in argument block. Take several of which
            each brings together few pairs, many of them matches. Default: those of argument block, or proposed
            ones where matches are too rare among the pairs of these.
        random_pairs: Number of pairs drawn to see how often records agree by chance; all pairs if there are
            fewer.
        em_pseudo_count: Number of pairs added to each level's count, so that no level has probability 0.
        em_start_match_share: Share of matches among the pairs with which EM starts.
        em_tolerance: EM stops when every |change of a probability| <= tolerance.
        em_iterations: Maximum number of EM iterations.
        term_pseudo_count: Number of records added to the count of each value, and of unseen values.
        term_strength: Factor of the adjustment for a value's frequency; 0: no adjustment.
        start: Start of the chains: the clusters of average link, every record alone, or all records together.
        sweeps: Number of proposals for each record on the way to the best clustering.
        samples: Number of clusterings to draw afterwards, which show how certain each cluster is; 0: none.
        exactness: Exactness of decisions: with exact, each is that of all factors; with bounded:ERROR, it
            differs with at most this probability; with estimate[:VARIANCE], factors are drawn until the
            variance of their mean is below this, 1 by default; with width:WIDTH, until the 95 % confidence
            interval of their mean is narrower than this; with fraction:SHARE, this share of them is drawn. All
            decide in the cheapest way that they allow.
        proposal: Proposed moves of a record: to a random entity (uniform), or to the entity of another random
            record (companion); in large groups, of one that may match.
        alone: Share of companion moves that put the record into an entity of its own.
        split_merge: Share of steps that split or merge entities; none in large groups.
        split_merge_size: Above this number of records, a split or merge is tried less often.
        schedule: Records that the chain tries to move: each equally often (uniform), or, on the way to the best
            clustering, those for which a rule expects the most. The rule is learned (learned) or made by hand
            (hot).
        least_gain: A schedule ends when it expects fewer improving moves per proposal than this.
        no_sums: Keep no sums for entities: all their pairs count as factors.
        start_temperature: Temperature at the start; it divides the log score.
        end_temperature: Temperature at the end, to which it falls geometrically.
        training_pairs: Maximum number of labelled pairs that weights are learned from.
        match_l2: Weight of the penalty l2 * |w|^2, added to the sum of the pairs' log losses.
        threshold_block: Labelled blocks with more rows than this take no part in choosing the threshold.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    numbers: dict[str, int]
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
        interrupted_: whether Ctrl-C cut the clustering short.
        """
    def fit_predict(self, X: Any, y: Any = None, **run: Any) -> Any:
        """The same; returns X with a column of clusters, in the form that X has (a relation of duckdb needs pyarrow for
        that); the cells of what only has __arrow_c_stream__ come back as texts, in a Table.
        """
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
            of matches, which falls as tables grow, is estimated again.
        """
    def update(
        self,
        X: Any,
        clusters: Any,
        *,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """Lets new records join clusters that were found before, or form new ones; returns X with a column of clusters.

        X: the new records. clusters: the old ones with their clusters, as fit_predict returned them, in any form of
        table; they never change. A new cluster gets the next number where clusters are numbers, else the id of its
        first record, which needs `id`. Warns of records that match several old clusters, which stay apart.
        """
    def pairs(self) -> Table:
        """The pairs of records that may match, the most doubtful first: a Table with first and second (rows), first_id
        and second_id (if `id` is given), score (log odds) and probability. Needs keep_pairs=True.
        """
    def questions(self, count: int = 100) -> Table:
        """The pairs whose answers are worth most, for somebody to say whether they match: pairs() without those that
        say the same again, `count` at most. Give the answers back as `labelled_pairs`. Needs keep_pairs=True.
        """
    def golden(self, rules: str = '', X: Any = None) -> Table:
        """One record for each cluster, whose cells are chosen from those of its records: a Table with the columns of
        the records (texts, None where all are missing), cluster_size and the clusters.

        rules: "column:rule, ...", where a rule is most-frequent (that of columns without one), longest, shortest,
            first, last, latest(column) and earliest(column) by dates or numbers in another column, max, min, or
            join("; ") for all different cells.
        X: records with a column of clusters, as fit_predict, predict and update return them; None: those of fit.
        """
    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: what each blocking rule and each comparison does, doubtful pairs to compare and to label,
        and the clusters, the weakest first. A Report, which notebooks show. path: where to save it, too.

        Finds the clusters of the records of fit once more, by the model that fit learned. Labels that are saved from the
        page are `labelled_pairs`.
        """
    def explain(self, first: Any, second: Any, X: Any = None) -> Explanation:
        """Why two records match or do not, by their ids (their rows, from 0, without `id`): an Explanation.

        X: the table that holds them; None: that of fit.
        """
    def __init__(
        self,
        *,
        id: Any = None,
        gold: Any = None,
        labels: Any = None,
        labelled_pairs: Any = None,
        must_link: Any = None,
        cannot_link: Any = None,
        score: Any = None,
        keep_pairs: Any = False,
        cluster_column: Any = 'cluster',
        draw_by: Any = None,
        missing: Any = None,
        statistics: Any = None,
        preset: Any = None,
        compare: str = '',
        block: str = '',
        date_format: str = '',
        threshold: float = 0.5,
        max_block: int | None = None,
        prior: float | None = None,
        train_rules: str = '',
        random_pairs: int = 200000,
        em_pseudo_count: float = 0.5,
        em_start_match_share: float = 0.1,
        em_tolerance: float = 1e-06,
        em_iterations: int = 5000,
        term_pseudo_count: float = 1.0,
        term_strength: float = 1.0,
        start: Literal['average-link', 'singletons', 'together'] = 'average-link',
        sweeps: int = 100,
        samples: int = 0,
        exactness: str = 'exact',
        proposal: Literal['companion', 'uniform'] = 'companion',
        alone: float = 0.05,
        split_merge: float = 0.03,
        split_merge_size: float = 32.0,
        schedule: Literal['uniform', 'hot', 'learned'] = 'learned',
        least_gain: float = 0.0001,
        no_sums: bool = False,
        start_temperature: float = 1.0,
        end_temperature: float = 0.1,
        training_pairs: int = 400000,
        match_l2: float = 1.0,
        threshold_block: int = 2000,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

class Explanation:
    """Why two records are together or apart. str() is a table with a bar for each term.

    first, second: the ids (or rows) of the records.
    prior: log odds that two records match before anything is compared.
    terms: a Table with a row for each comparison: comparison, first and second (the cells), level (of agreement),
        weight (of the level) and adjustment (for how rare the value is), both in log odds.
    score: the prior and all weights and adjustments, log odds; probability: the same as a probability.
    """
    def __init__(self, first: Any, second: Any, found: Any) -> None:
        ...
    def __str__(self) -> str:
        ...
    def __repr__(self) -> str:
        ...
    def _repr_html_(self) -> str:
        ...

class Link(_Matcher):
    """Finds the pairs of records of different tables that refer to the same entity.

    Arguments:
        id: Column of unique ids in the first table; None: records go by their rows.
        second_id: Column of unique ids in the other tables; None: that of the first.
        one_to_one: Link no record with two of one table: the links with the largest sum of scores.
        map: Columns with other names: 'dob=born' reads dob as born in tables without a column born.
        gold: Column of true entities, against which the links are scored (report_).
        labels: Column of true entities, None where they are not known, to learn the weights from.
        labelled_pairs: Pairs that are known to match or not, which correct what is learned without labels: a
            list of (id, id, True or False), a table with the columns first_id, second_id and match, or a file
            of one; without `id`, rows instead of ids, in columns first and second.
        must_link: Pairs of records that are of one entity whatever the comparisons say: a list of (id, id) or a
            table with the columns first_id and second_id; without `id`, rows, in columns first and second.
        cannot_link: Pairs of records that are not of one entity.
        missing: Cells that count as missing, in addition to None, NaN and empty texts: a text or a list of
            them.
        statistics: Files of statistics on how frequent values are, which save_statistics writes; several are
            added up. None: those of the model or of the records.
        preset: 'authors': comparisons and blocking rules for authors of papers.
        compare: Comparisons of two records, for example 'name:jaro_winkler, born:date, city'.
        block: Rules that choose the records to compare: those that agree in at least one of them, for example
            'surname, soundex(name)+year(born)'.
        date_format: How dates are written, for comparisons of the kind date and for the functions year and
            month: dmy, mdy or ymd, where years may have two digits (69 to 99 are 1969 to 1999), or a pattern
            such as '%d.%m.%y' or '%b %d, %Y'. If omitted, dates of numbers begin with the day or with a year of
            four digits. A time after the date is ignored.
        threshold: Two records match if their probability is above this.
        max_block: Blocks of more records than this are left out, with a warning; 5000 if not given, or as the
            preset or the model has it.
        prior: Share of matches among all pairs of records, if it is known; else learned.
        train_rules: Rules whose pairs are learned from, written as in argument block. Take several of which
            each brings together few pairs, many of them matches. Default: those of argument block, or proposed
            ones where matches are too rare among the pairs of these.
        random_pairs: Number of pairs drawn to see how often records agree by chance; all pairs if there are
            fewer.
        em_pseudo_count: Number of pairs added to each level's count, so that no level has probability 0.
        em_start_match_share: Share of matches among the pairs with which EM starts.
        em_tolerance: EM stops when every |change of a probability| <= tolerance.
        em_iterations: Maximum number of EM iterations.
        term_pseudo_count: Number of records added to the count of each value, and of unseen values.
        term_strength: Factor of the adjustment for a value's frequency; 0: no adjustment.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
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
        interrupted_: whether Ctrl-C cut the scoring short.
        """
    def fit_predict(
        self,
        first: Any,
        second: Any,
        *others: Any,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Any:
        """The same; returns the links."""
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
    def pairs(self) -> Table:
        """The links of fit."""
    def explain(self, first_id: Any, second_id: Any, first: Any = None, second: Any = None) -> Explanation:
        """Why a record of the first table and one of the second match or do not, by their ids (their rows, from 0,
        without `id`): an Explanation.

        first, second: the tables; None: those of fit, the first two if there are more.
        """
    def __init__(
        self,
        *,
        id: Any = None,
        second_id: Any = None,
        one_to_one: Any = False,
        map: Any = None,
        gold: Any = None,
        labels: Any = None,
        labelled_pairs: Any = None,
        must_link: Any = None,
        cannot_link: Any = None,
        missing: Any = None,
        statistics: Any = None,
        preset: Any = None,
        compare: str = '',
        block: str = '',
        date_format: str = '',
        threshold: float = 0.5,
        max_block: int | None = None,
        prior: float | None = None,
        train_rules: str = '',
        random_pairs: int = 200000,
        em_pseudo_count: float = 0.5,
        em_start_match_share: float = 0.1,
        em_tolerance: float = 1e-06,
        em_iterations: int = 5000,
        term_pseudo_count: float = 1.0,
        term_strength: float = 1.0,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
