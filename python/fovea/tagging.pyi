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


__all__ = ['AttributeTerm', 'CRF', 'Doeblin', 'Explanation', 'GP', 'NgramTerm', 'Policy', 'SVM', 'Span']

class _Tagger(Estimator):
    """What all families share."""
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
    def predict(
        self,
        X: Any,
        *,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> list[list[str]]:
        """The labels, [sequence][item].

        A time limit is for all of X, or for each item: "2ms/item". Ctrl-C raises KeyboardInterrupt.

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def predict_proba(
        self,
        X: Any,
        *,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> list[np.ndarray]:
        """[sequence] -> [item][label], probabilities in the order of `classes_`: a list of NumPy arrays.

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def predict_marginals(
        self,
        X: Any,
        *,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> list[list[dict[str, float]]]:
        """[sequence][item], a dict of the probability of each label.

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def predict_n_best(
        self,
        X: Any,
        n: int,
        *,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> list[list[tuple[list[str], float, float]]]:
        """[sequence], the n best taggings, best first: (labels, log score, probability).

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def predict_spans(
        self,
        X: Any,
        *,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> list[list[Span]]:
        """[sequence], the entities that the predicted labels mark (IOB1, IOB2, IOBES, BILOU, ...): a list of Span.

        The probability is that of exactly this span as an entity of this type, by exact sums over all labelings of the
        model of label n-grams, by whichever method the labels were found. Not for GP.

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def explain(
        self,
        x: Any,
        item: int,
        against: str | None = None,
        *,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> Explanation:
        """Why an item of one sequence gets its label: an Explanation.

        item counts from 0, or from the end if it is negative. against: the label to compare with; None is the best of
        the others. Not for GP.

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def report(
        self,
        X: Any,
        y: Any = None,
        path: str | os.PathLike[str] | None = None,
        *,
        n_best: int = 0,
        policy: Policy | None = None,
        time_limit: float | str | None = None,
        budget: str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        valid_bio: bool = False,
        method: Literal['auto', 'exact', 'beam', 'icm', 'gibbs', 'learned', 'doeblin'] = 'auto',
        start: Literal['random', 'unigram', 'chain'] = 'unigram',
        start_prune: float = 0.02,
        answer: Literal['best', 'last', 'marginal'] = 'best',
        beam_width: int = 8,
        sweeps: float = 8.0,
        burn_in: float = 0.0,
        order: Literal['colour', 'left-to-right'] = 'colour',
        visit: Literal['best', 'sample', 'joint'] = 'best',
        prune: float = 0.02,
        schedule: Literal['rounds', 'heap', 'buckets'] = 'rounds',
        threshold: float | None = None,
        regret: float = 0.0,
        max_rounds: int = 8,
        restart_rate: float = 0.0,
        runs: int = 16,
        settled: float = 0.0,
        quality: float = 0.999,
    ) -> Report:
        """A page for people: X with its labels in colours, and how sure they are; with n_best, other labelings instead.
        With y, an evaluation: scores, mistakes in context, reliability. A Report, which notebooks show. path: where to
        save it, too.

        Arguments:
            policy: where to sample, and what each method costs: a Policy that was fitted to this tagger.
            time_limit: seconds, or a text such as '10s'; the best answer so far comes back.
            budget: work to spend instead of time, such as '200 sweeps' or '1e6 transitions'.
            progress: True for a bar, or a function of one dict.
            valid_bio: forbid label sequences that break the IOB2 or IOBES scheme.
            method: Decoding method; auto takes the cheapest one that meets the request. learned visits the items
                where a policy expects a gain; without argument policy, one learned of other labels.
            start: Labels from which icm, gibbs and learned start: random ones, the best by each token alone, or the
                answer of a chain of label pairs (needs a policy above factor size 2).
            start_prune: The chain start leaves out labels that are less likely, by their token alone, than this
                share of its likeliest label. 0 keeps all labels, and so does a model of at most 16 labels.
            answer: Answer of gibbs and learned: the best-scoring labels seen, the last sample, or each token's
                likeliest label by averages (gibbs, after burn-in) or by sums (joint visits).
            beam_width: Number of histories that beam keeps.
            sweeps: Number of sweeps of icm and gibbs, unless argument budget is smaller.
            burn_in: Initial share of sweeps that marginals leave out, 0 <= share < 1.
            order: Order of a sweep; colour overlaps independent visits and is faster.
            visit: Action of learned at a site: set it to its best label, sample it, or decide all doubtful sites of
                a stretch jointly, over the labels left open.
            prune: Joint visits leave out labels that are less likely, by the start, than this share of the token's
                likeliest label.
            schedule: Selection of sites by learned: rounds above a threshold (almost free), or the paper's priority
                queue, exact (heap) or quantised (buckets). Queues always sample.
            threshold: Expected gain above which learned visits a site, in nats: for rounds, calibrated on tuning
                text. 0.05 for rounds if not given; queues, as in the paper, then go on to argument sweeps or
                argument budget.
            regret: Expected gain that rounds may leave, in nats an item, in place of a threshold: they leave out
                the sites of least expected gain up to this sum; 0: use the threshold.
            max_rounds: Maximum number of rounds of learned.
            restart_rate: Probability that method doeblin restarts from the chain of label pairs; on average, 1 /
                rate - 1 Gibbs sweeps follow a restart. 0 takes the model's rate.
            runs: Restarts of a sequence by method doeblin; every step after them counts.
            settled: Method doeblin no longer restarts a sequence once the likeliest label of each of its items
                leads by this many standard errors. 0 makes all runs.
            quality: Share of the best tuned quality that a method must reach; auto takes the cheapest method that
                does.
        """
    def score(self, X: Any, y: Any) -> float:
        """The share of items whose label is right."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the tagger as `fovea train` does, for `fovea tag` and `load`."""
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a tagger that `save` or `fovea train` wrote."""
    def __getstate__(self) -> Any:
        ...
    def __setstate__(self, state: Any) -> Any:
        ...
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def __sklearn_tags__(self) -> Any:
        ...

class CRF(_Tagger):
    """A linear-chain conditional random field of any order.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        calibrate: Make probabilities as high as labels are often right: divide all scores by the temperature
            that fits labels left out best, those of argument dev or else of five parts, each predicted by a
            model of the others. Labels stay as they are. Gaussian processes always do this.
        groups: Sequences that belong together, such as those of a document or a writer: argument calibrate and
            argument folds never leave out a part of a group. file: those of a file; a number from 1 on: those
            whose first items have the same cell in this column.
        recipe: Published settings, for all options that have their default values. heterosampler: as printed by
            Shi, Steinhardt and Liang (2015): AdaGrad on Gibbs samples without a penalty, 5 passes, attributes
            of the word alone, both values of each pixel. heterosampler-code: as in the code that they
            published: attributes of five words, other steps.
        factor_size: Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. The order of
            the chain is one less.
        l2: Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by an SVM. C of
            an SVM, which weighs that sum, is 1 / (2 l2).
        l1: Weight of the penalty l1 * |w|_1 (OWL-QN).
        gradient: Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling.
            doeblin takes that of the stationary law of Gibbs sweeps with restarts from the chain of label
            pairs; auto takes exact where label histories are few, else gibbs.
        optimizer: Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad for
            gibbs), while lbfgs starts from scratch, without a preconditioner.
        iterations: Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs
            and doeblin.
        tolerance: Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0:
            never.
        epsilon: Stop when |gradient| <= epsilon * max(1, |w|); 0: never.
        start_passes: Number of stochastic passes before L-BFGS; 0: none.
        learning_rate: Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for
            doeblin.
        adagrad_delta: Number that AdaGrad adds to the sum of squared gradients: steps of gibbs are learning-
            rate / sqrt(delta + sum).
        gibbs_sweeps: Number of sweeps over a sequence for one gradient.
        gibbs_burn_in: Number of initial sweeps that are not averaged; < gibbs-sweeps.
        restart_rate: Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps follow a
            restart. 0 learns the rate, for the likelihood gained per sweep.
        runs: Number of runs of the doeblin chain for one gradient.
        stratified: Take lengths of doeblin runs from all parts of their law, and credit a draw with its
            advantage over the other runs. The alternative is the paper's estimator, which varies more.
        cut_off: Drop attributes that occur at fewer items than this.
        all_features: Give a weight to every attribute and label, seen together or not.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    @classmethod
    def from_crfsuite(cls, model: str | os.PathLike[str] | bytes) -> CRF:
        """A tagger from a model of CRFsuite (python-crfsuite, sklearn-crfsuite): its file or bytes.

        Items are lists of attribute names or dicts, as there. `save` writes Fovea's own format.
        """
    @classmethod
    def from_crfpp(cls, model: str | os.PathLike[str] | bytes) -> CRF:
        """A tagger from a model of CRF++ as text (`crf_learn -t`): its file or bytes.

        Items are tokens or lists of cells, from which the model's template makes attributes.
        """
    def __init__(
        self,
        *,
        template: Any = None,
        calibrate: bool = False,
        groups: str = '',
        recipe: Literal['none', 'heterosampler', 'heterosampler-code'] = 'none',
        factor_size: int = 2,
        l2: float = 1.0,
        l1: float = 0.0,
        gradient: Literal['auto', 'exact', 'pseudo', 'gibbs', 'doeblin'] = 'auto',
        optimizer: Literal['auto', 'lbfgs', 'rprop', 'adagrad'] = 'auto',
        iterations: int = 0,
        tolerance: float = 0.0001,
        epsilon: float = 1e-05,
        start_passes: int = 3,
        learning_rate: float = 0.0,
        adagrad_delta: float = 0.0001,
        gibbs_sweeps: int = 8,
        gibbs_burn_in: int = 5,
        restart_rate: float = 0.0,
        runs: int = 16,
        stratified: bool = True,
        cut_off: int = 1,
        all_features: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

class GP(_Tagger):
    """Structured Gaussian processes, whose posterior says how sure each label is.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        kernel: Covariance of a label's function at two items, by their attributes: a sum of products of
            linear(variance), rbf(variance, length scale), matern3/2(...), polynomial2(variance, offset),
            constant(variance), cosine. Given several times, each is tried, and argument choose says what is
            kept.
        choose: What is kept of several kernels. average: all, with the weights that make the labels of training
            sequences likeliest, each predicted from the others; error: the one with the fewest wrong labels
            there; bound: the one with the highest bound, which favours narrow priors that make more errors.
        learn_kernel: Move the kernel's numbers to where the bound is highest, by its gradient, starting from
            those given; for natural-gradient and score-function. A higher bound does not always mean fewer
            errors.
        likelihood: Likelihood of a sequence's labels, given the functions. chain: sums over all labelings;
            pseudo: takes each label of a pair given the other, as published, which saves no time on chains.
        inducing_points: Number of items that represent the functions; time grows with its square.
        inducing: Method by which the inducing points are chosen.
        means: Form of the functions' means. inducing-points: by these; attributes: a weight for each attribute
            and label, for linear(variance) by natural-gradient, with fewer errors if the text has many more
            items than points; auto: attributes if possible.
        pairwise_variance: Prior variance of the score of a label pair; > 0.
        inference: Method of fitting. natural-gradient: Gaussians by conjugate computation, in seconds. score-
            function and saga: Gaussians by the estimators of Galliani et al. (2017), from the likelihood's
            values alone, on all sequences or one at a time. slice-sampling: draws by elliptical slice sampling.
            The last three take minutes to hours, and their marginals get no temperature.
        gp_draws: Number of draws to average expectations over, rounded up to an even number; 0: 16, 10,000 and
            4,000 for the first three methods.
        gp_steps: Maximum number of steps: natural gradients; rounds of 50 and 10 iterations of L-BFGS; rounds
            of 3,000 and 1,000 steps of SAGA; draws. 0: 30, 100, 10, 20,000.
        minibatch: Approximate number of items used in a step of natural-gradient; 0: all, or 2,000 if there are
            20,000 or more; -1: all.
        components: Number of Gaussians in the posterior, for score-function and saga.
        diagonal: Use diagonal covariances over inducing points, for score-function and saga.
        no_control_variates: Use the score function without control variates, to see what they do.
        gp_tolerance: End when a step raises the bound by less than this per item, in nats.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        kernel: Sequence[str] = ('linear',),
        choose: Literal['average', 'error', 'bound'] = 'average',
        learn_kernel: bool = False,
        likelihood: Literal['chain', 'pseudo'] = 'chain',
        inducing_points: int = 500,
        inducing: Literal['pivoted-cholesky', 'k-means', 'random'] = 'pivoted-cholesky',
        means: Literal['auto', 'inducing-points', 'attributes'] = 'auto',
        pairwise_variance: float = 1.0,
        inference: Literal['auto', 'natural-gradient', 'score-function', 'saga', 'slice-sampling'] = 'natural-gradient',
        gp_draws: int = 0,
        gp_steps: int = 0,
        minibatch: int = 0,
        components: int = 1,
        diagonal: bool = False,
        no_control_variates: bool = False,
        gp_tolerance: float = 0.001,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

class SVM(_Tagger):
    """A structured support vector machine over label pairs: margins instead of probabilities.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        calibrate: Make probabilities as high as labels are often right: divide all scores by the temperature
            that fits labels left out best, those of argument dev or else of five parts, each predicted by a
            model of the others. Labels stay as they are. Gaussian processes always do this.
        groups: Sequences that belong together, such as those of a document or a writer: argument calibrate and
            argument folds never leave out a part of a group. file: those of a file; a number from 1 on: those
            whose first items have the same cell in this column.
        recipe: Published settings, for all options that have their default values. heterosampler: as printed by
            Shi, Steinhardt and Liang (2015): AdaGrad on Gibbs samples without a penalty, 5 passes, attributes
            of the word alone, both values of each pixel. heterosampler-code: as in the code that they
            published: attributes of five words, other steps.
        factor_size: Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. The order of
            the chain is one less.
        l2: Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by an SVM. C of
            an SVM, which weighs that sum, is 1 / (2 l2).
        l1: Weight of the penalty l1 * |w|_1 (OWL-QN).
        gradient: Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling.
            doeblin takes that of the stationary law of Gibbs sweeps with restarts from the chain of label
            pairs; auto takes exact where label histories are few, else gibbs.
        optimizer: Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad for
            gibbs), while lbfgs starts from scratch, without a preconditioner.
        iterations: Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs
            and doeblin.
        tolerance: Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0:
            never.
        epsilon: Stop when |gradient| <= epsilon * max(1, |w|); 0: never.
        start_passes: Number of stochastic passes before L-BFGS; 0: none.
        learning_rate: Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for
            doeblin.
        adagrad_delta: Number that AdaGrad adds to the sum of squared gradients: steps of gibbs are learning-
            rate / sqrt(delta + sum).
        gibbs_sweeps: Number of sweeps over a sequence for one gradient.
        gibbs_burn_in: Number of initial sweeps that are not averaged; < gibbs-sweeps.
        restart_rate: Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps follow a
            restart. 0 learns the rate, for the likelihood gained per sweep.
        runs: Number of runs of the doeblin chain for one gradient.
        stratified: Take lengths of doeblin runs from all parts of their law, and credit a draw with its
            advantage over the other runs. The alternative is the paper's estimator, which varies more.
        gap_tolerance: Stop an SVM when the dual proves that the objective is at most gap-tolerance * objective
            above its minimum; 0: never; 0.01 if not given.
        cut_off: Drop attributes that occur at fewer items than this.
        all_features: Give a weight to every attribute and label, seen together or not.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        calibrate: bool = False,
        groups: str = '',
        recipe: Literal['none', 'heterosampler', 'heterosampler-code'] = 'none',
        factor_size: int = 2,
        l2: float = 1.0,
        l1: float = 0.0,
        gradient: Literal['auto', 'exact', 'pseudo', 'gibbs', 'doeblin'] = 'auto',
        optimizer: Literal['auto', 'lbfgs', 'rprop', 'adagrad'] = 'auto',
        iterations: int = 0,
        tolerance: float = 0.0001,
        epsilon: float = 1e-05,
        start_passes: int = 3,
        learning_rate: float = 0.0,
        adagrad_delta: float = 0.0001,
        gibbs_sweeps: int = 8,
        gibbs_burn_in: int = 5,
        restart_rate: float = 0.0,
        runs: int = 16,
        stratified: bool = True,
        gap_tolerance: float | None = None,
        cut_off: int = 1,
        all_features: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

class AttributeTerm(NamedTuple):
    """The part of an attribute in an explanation: difference = value * (weight - other_weight)."""
    attribute: str
    weight: float
    other_weight: float
    difference: float
    value: float

class Doeblin(_Tagger):
    """Gibbs sweeps in the model of all label n-grams, with restarts from the chain of label pairs, trained as they run.

    Arguments:
        template: Text or file of a feature template, for items that are tokens or lists of cells.
        calibrate: Make probabilities as high as labels are often right: divide all scores by the temperature
            that fits labels left out best, those of argument dev or else of five parts, each predicted by a
            model of the others. Labels stay as they are. Gaussian processes always do this.
        groups: Sequences that belong together, such as those of a document or a writer: argument calibrate and
            argument folds never leave out a part of a group. file: those of a file; a number from 1 on: those
            whose first items have the same cell in this column.
        recipe: Published settings, for all options that have their default values. heterosampler: as printed by
            Shi, Steinhardt and Liang (2015): AdaGrad on Gibbs samples without a penalty, 5 passes, attributes
            of the word alone, both values of each pixel. heterosampler-code: as in the code that they
            published: attributes of five words, other steps.
        factor_size: Labels per factor: 2 scores label pairs, 4 label n-grams of up to four labels. The order of
            the chain is one less.
        l2: Weight of the penalty l2 * |w|^2 on the sum of -log p(y | x), or of margins missed by an SVM. C of
            an SVM, which weighs that sum, is 1 / (2 l2).
        l1: Weight of the penalty l1 * |w|_1 (OWL-QN).
        gradient: Gradient of the exact likelihood, of the pseudo-likelihood, or estimated by Gibbs sampling.
            doeblin takes that of the stationary law of Gibbs sweeps with restarts from the chain of label
            pairs; auto takes exact where label histories are few, else gibbs.
        optimizer: Optimizer; auto makes a stochastic start, then runs preconditioned L-BFGS (or AdaGrad for
            gibbs), while lbfgs starts from scratch, without a preconditioner.
        iterations: Maximum number of iterations. 0: 1000, which are passes for an SVM, or 5 passes for gibbs
            and doeblin.
        tolerance: Stop when the objective fell by at most tolerance * objective over the last 10 iterations; 0:
            never.
        epsilon: Stop when |gradient| <= epsilon * max(1, |w|); 0: never.
        start_passes: Number of stochastic passes before L-BFGS; 0: none.
        learning_rate: Learning rate of stochastic steps. 0: found by trial, or 0.2 for gibbs and 0.1 for
            doeblin.
        adagrad_delta: Number that AdaGrad adds to the sum of squared gradients: steps of gibbs are learning-
            rate / sqrt(delta + sum).
        gibbs_sweeps: Number of sweeps over a sequence for one gradient.
        gibbs_burn_in: Number of initial sweeps that are not averaged; < gibbs-sweeps.
        restart_rate: Probability of a restart in the doeblin chain; on average, 1 / rate - 1 sweeps follow a
            restart. 0 learns the rate, for the likelihood gained per sweep.
        runs: Number of runs of the doeblin chain for one gradient.
        stratified: Take lengths of doeblin runs from all parts of their law, and credit a draw with its
            advantage over the other runs. The alternative is the paper's estimator, which varies more.
        cut_off: Drop attributes that occur at fewer items than this.
        all_features: Give a weight to every attribute and label, seen together or not.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
    def __init__(
        self,
        *,
        template: Any = None,
        calibrate: bool = False,
        groups: str = '',
        recipe: Literal['none', 'heterosampler', 'heterosampler-code'] = 'none',
        factor_size: int = 3,
        l2: float = 1.0,
        l1: float = 0.0,
        gradient: Literal['auto', 'exact', 'pseudo', 'gibbs', 'doeblin'] = 'auto',
        optimizer: Literal['auto', 'lbfgs', 'rprop', 'adagrad'] = 'auto',
        iterations: int = 0,
        tolerance: float = 0.0001,
        epsilon: float = 1e-05,
        start_passes: int = 3,
        learning_rate: float = 0.0,
        adagrad_delta: float = 0.0001,
        gibbs_sweeps: int = 8,
        gibbs_burn_in: int = 5,
        restart_rate: float = 0.0,
        runs: int = 16,
        stratified: bool = True,
        cut_off: int = 1,
        all_features: bool = False,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

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
        ...
    def _repr_html_(self) -> str:
        ...

class NgramTerm(NamedTuple):
    """The part of a label n-gram that begins at item `begin`: difference = weight - other_weight."""
    begin: int
    labels: tuple
    other_labels: tuple
    weight: float
    other_weight: float
    difference: float

class Policy(Estimator):
    """Where to sample in sequences, and what each method of decoding costs and gains, learned for one tagger.

    Arguments:
        recipe: Published settings of the value function, for all options that have their default values.
            heterosampler: as printed by Shi, Steinhardt and Liang (2015), one seed. heterosampler-code: as in
            the code that they published, with roll-outs to random neighbours.
        measure: Measure the cost and quality of every method, by which argument method=auto chooses.
        vary: Neighbours whose value differs from when the variable was last sampled.
        nb: Value pairs with the neighbours that were sampled after the variable.
        as_printed: Let vary count every change of a neighbour, also one that is undone, and nb the pairs with
            all neighbours: the paper's text, not its code.
        cond_ent: Conditional entropy when the variable was last sampled, in nats.
        unigram_ent: Indicator of unary scores whose entropy is < 1e-4 nats.
        sp: Number of times the variable was sampled.
        nb_ent: Sum of the neighbours' stale conditional entropies, in nats.
        oracle: Expected reward of sampling now; expensive, for studies only.
        epochs: Number of passes over the tuning data (E).
        sweeps: Exploration sweeps per epoch; the first only builds a history.
        horizon: Number of steps of a roll-out (H); 0: immediate rewards only.
        rate: AdaGrad's eta in equation (9), where the paper has 1: then some seeds fail.
        delta: AdaGrad's delta in equation (9), where the paper has 1e-4.
        rollout: Actions of roll-outs: the best by Q (as printed), or a random variable of the blanket (as in
            the authors' code).
        expected_rewards: Average rewards over the kernel's choice instead of sampling them.
        policy_seeds: Number of times that the value function is learned, with each horizon, from other random
            numbers; the one that gains most on sequences kept aside is taken. 1: once, from all sequences.
        round_epochs: Number of passes over the visits seen.
        round_rate: AdaGrad's eta for rounds.
        threads: 0 or None for all cores.
        random_state: an int, None (always the same), or a generator of NumPy.
    """
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
    def describe(self) -> str:
        """What was learned, in plain words: which signs speak for a visit, and what each method costs and gains."""
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the policy as `fovea tune` does, for `fovea tag --policy` and `load`."""
    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Reads a policy that `save` or `fovea tune` wrote."""
    def __setstate__(self, state: Any) -> Any:
        ...
    def __sklearn_is_fitted__(self) -> Any:
        ...
    def _repr_html_(self) -> str:
        ...
    def __init__(
        self,
        *,
        recipe: Literal['none', 'heterosampler', 'heterosampler-code'] = 'none',
        measure: bool = True,
        vary: bool = True,
        nb: bool = True,
        as_printed: bool = False,
        cond_ent: bool = True,
        unigram_ent: bool = True,
        sp: bool = True,
        nb_ent: bool = False,
        oracle: bool = False,
        epochs: int = 3,
        sweeps: float = 4.0,
        horizon: int = 1,
        rate: float = 0.1,
        delta: float = 1.0,
        rollout: Literal['argmax', 'random_neighbour'] = 'argmax',
        expected_rewards: bool = True,
        policy_seeds: int = 3,
        round_epochs: int = 8,
        round_rate: float = 0.2,
        threads: int | None = None,
        random_state: Any = None,
    ) -> None:
        ...

class Span(NamedTuple):
    """An entity: items begin .. end - 1, counted from 0, its type, and the probability of exactly this entity."""
    label: str
    begin: int
    end: int
    probability: float
