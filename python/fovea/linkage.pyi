# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

__all__ = ['Dedupe', 'Link']

class Dedupe:
    """Finds the records of a table that refer to the same entity.

    Arguments:
        id: Column of unique ids; None: records go by their rows.
        gold: Column of true clusters, against which the result is scored (report_).
        labels: Column of true clusters, None where they are not known, to learn the weights from.
        keep_pairs: Keep the pairs of records that may match, for pairs().
        cluster_column: Name of the column that is added.
        preset: 'authors': comparisons and blocking rules for authors of papers.
        compare: Comparisons of two records, for example 'name:jaro_winkler, born:date, city'.
        block: Rules that choose the records to compare: those that agree in at least one of them, for example
            'surname, soundex(name)+year(born)'.
        threshold: Two records match if their probability is above this.
        max_block: Blocks of more records than this are left out, with a warning; 5000 if not given, or as the
            preset or the model has it.
        random_pairs: Number of pairs drawn to see how often records agree by chance; all pairs if there are
            fewer.
        em_pseudo_count: Number of pairs added to each level's count, so that no level has probability 0.
        em_start_match_share: Share of matches among the pairs with which EM starts.
        em_tolerance: EM stops when every |change of a probability| <= tolerance.
        em_iterations: Maximum number of EM iterations.
        term_pseudo_count: Number of records added to the count of each value, and of unseen values.
        term_strength: Factor of the adjustment for a value's frequency; 0: no adjustment.
        start: Start of the chains: the clusters of average link (in blocks of over 4000 different records:
            every record alone), every record alone, or all records together.
        sweeps: Number of proposals for each record on the way to the best clustering.
        samples: Number of clusterings to draw afterwards, which show how certain each cluster is; 0: none.
        exactness: Exactness of decisions: with exact, each is that of all factors; with bounded:ERROR, it
            differs with at most this probability; with estimate[:VARIANCE], factors are drawn until the
            variance of their mean is below this, 1 by default. All three decide in the cheapest way that they
            allow.
        proposal: Proposed moves of a record: to a random entity (uniform), or to the entity of another random
            record (companion).
        alone: Share of companion moves that put the record into an entity of its own.
        split_merge: Share of steps that split or merge entities.
        split_merge_size: Above this number of records, a split or merge is tried less often.
        schedule: Records that the chain tries to move: each equally often (uniform), or, on the way to the best
            clustering, those for which a rule expects the most. The rule is learned (learned) or made by hand
            (hot).
        least_gain: A schedule ends when it expects fewer improving moves per proposal than this.
        no_sums: Keep no sums for entities: all their pairs count as factors.
        start_temperature: Temperature at the start; it divides the log score.
        end_temperature: Temperature at the end, to which it falls geometrically.
        threads: 0 or None for all cores.
        random_state: An int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        id: Any = None,
        gold: Any = None,
        labels: Any = None,
        keep_pairs: Any = False,
        cluster_column: Any = 'cluster',
        preset: Any = None,
        compare: str = '',
        block: str = '',
        threshold: float = 0.5,
        max_block: int | None = None,
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
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...
    def get_params(self, deep: Any = True) -> Any:
        """The parameters by name."""
    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name; returns the estimator."""
    def __repr__(self) -> Any:
        ...
    @property
    def model(self) -> Any:
        """The match model as JSON: what `fovea dedupe --save-model` writes."""
    def save(self, path: Any) -> Any:
        """Writes the match model, for `fovea dedupe --model` and `from_model`."""
    @classmethod
    def from_model(cls, path: Any, **params: Any) -> Any:
        """An estimator that scores as a match model in a file does."""
    def fit(self, X: Any, y: Any = None, *, time_limit: Any = None, budget: Any = None, progress: Any = None) -> Any:
        """Learns how records match, and clusters them: labels_, [row], numbers from 0 in the order of appearance."""
    def fit_predict(self, X: Any, y: Any = None, **run: Any) -> Any:
        """The same; returns X with a column `cluster`, in the form that X has."""
    def predict(self, X: Any, *, time_limit: Any = None, budget: Any = None, progress: Any = None) -> Any:
        """Clusters another table by the model that fit learned; returns it with a column `cluster`."""
    def pairs(self) -> Any:
        """The pairs of records that may match, the most doubtful first: arrays first and second (rows), score (log odds)
        and probability. Needs keep_pairs=True.
        """

class Link:
    """Finds the pairs of records, one of each table, that refer to the same entity.

    Arguments:
        one_to_one: Link no record twice: of several links of a record, keep the best.
        preset: 'authors': comparisons and blocking rules for authors of papers.
        compare: Comparisons of two records, for example 'name:jaro_winkler, born:date, city'.
        block: Rules that choose the records to compare: those that agree in at least one of them, for example
            'surname, soundex(name)+year(born)'.
        threshold: Two records match if their probability is above this.
        max_block: Blocks of more records than this are left out, with a warning; 5000 if not given, or as the
            preset or the model has it.
        random_pairs: Number of pairs drawn to see how often records agree by chance; all pairs if there are
            fewer.
        em_pseudo_count: Number of pairs added to each level's count, so that no level has probability 0.
        em_start_match_share: Share of matches among the pairs with which EM starts.
        em_tolerance: EM stops when every |change of a probability| <= tolerance.
        em_iterations: Maximum number of EM iterations.
        term_pseudo_count: Number of records added to the count of each value, and of unseen values.
        term_strength: Factor of the adjustment for a value's frequency; 0: no adjustment.
        threads: 0 or None for all cores.
        random_state: An int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        one_to_one: Any = False,
        preset: Any = None,
        compare: str = '',
        block: str = '',
        threshold: float = 0.5,
        max_block: int | None = None,
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
    def get_params(self, deep: Any = True) -> Any:
        """The parameters by name."""
    def set_params(self, **params: Any) -> Any:
        """Sets parameters by name; returns the estimator."""
    def __repr__(self) -> Any:
        ...
    @property
    def model(self) -> Any:
        """The match model as JSON: what `fovea dedupe --save-model` writes."""
    def save(self, path: Any) -> Any:
        """Writes the match model, for `fovea dedupe --model` and `from_model`."""
    @classmethod
    def from_model(cls, path: Any, **params: Any) -> Any:
        """An estimator that scores as a match model in a file does."""
    def fit(self, first: Any, second: Any, *, progress: Any = None) -> Any:
        """Learns how records match, and links them: links_, arrays first and second (rows), score and probability."""
    def fit_predict(self, first: Any, second: Any, *, progress: Any = None) -> Any:
        """The same; returns the links."""
    def predict(self, first: Any, second: Any, *, progress: Any = None) -> Any:
        """Links other tables by the model that fit learned."""
