# SPDX-License-Identifier: Apache-2.0
"""Gibbs sampling of a model that is written in Python, likely assignments of it from few calls, and what draws tell about
the chains that they come from.

A model is an object that knows its conditionals, one variable given all others, for many chains at once:

    >>> import numpy as np
    >>> class Spins:
    ...     "A ring of spins that like to be equal."
    ...     cardinalities = [2] * 10
    ...     def neighbours(self, v):
    ...         return [(v - 1) % 10, (v + 1) % 10]
    ...     def conditional_scores(self, sites, assignment):
    ...         field = sum(2 * assignment[:, (sites + step) % 10] - 1 for step in (-1, 1))
    ...         return np.stack([-.4 * field, .4 * field], axis=2)
    >>> from fovea.mcmc import sample
    >>> result = sample(Spins(), draws=1000, chains=4, random_state=1)
    >>> result.draws.shape, result.diagnose().mixing
    ((4, 1000, 10), 'mixed')
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import UsageError
from fovea._report import Report, report_of
from fovea._run import run_arguments
from fovea._signature import takes

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from numpy.typing import ArrayLike

__all__ = ["Annealed", "Diagnosis", "Draws", "anneal", "diagnose", "sample"]


class Annealed:
    """What `anneal` found."""

    def __init__(self, answer: Any) -> None:
        #: [variable], numbers of values: a NumPy array of int32
        self.assignment = answer["assignment"]
        #: [variable], 1 - the probability of its value when it was last asked for; 1 if it was not
        self.doubt = answer["doubt"]
        #: what further visits are expected to gain, nats a variable: an expectation, not a bound
        self.expected_gain = answer["expected_gain"]
        #: variables that had all visits allowed and would change again
        self.unsettled = answer["unsettled"]
        #: calls of conditional_scores, and variables that they asked for
        self.calls, self.visits = answer["calls"], answer["visits"]
        #: values that were changed
        self.changes = answer["changes"]
        #: "settled" if no more is expected than the regret allows, else what ended the run: "time limit", "cancelled", ...
        self.stopped_by = answer["stopped_by"]
        #: of wall-clock time
        self.seconds = answer["seconds"]
        #: True if Ctrl-C ended the run
        self.interrupted = answer["interrupted"]

    def __repr__(self) -> str:
        return (
            f"Annealed({len(self.assignment)} variables, {self.calls} calls, {self.visits} visits, {self.stopped_by},"
            f" {self.seconds:.3g} s)"
        )


class Draws:
    """What `sample` drew."""

    def __init__(self, answer: Any) -> None:
        #: [chain][draw][variable], numbers of values: a NumPy array of int32
        self.draws = answer["draws"]
        #: [variable], the draw with the highest log score, and that score; None if the model has no log_score
        self.best = answer["best"]
        self.best_score = answer["best_score"] if self.best is not None else None
        #: calls of conditional_scores, in all and for each sweep
        self.calls, self.batches = answer["calls"], answer["batches"]
        #: variables resampled, in all
        self.transitions = answer["transitions"]
        #: "settled" if all draws were made, else what ended the run: "time limit", "cancelled", ...
        self.stopped_by = answer["stopped_by"]
        #: of wall-clock time
        self.seconds = answer["seconds"]
        #: True if Ctrl-C ended the run before all draws were made
        self.interrupted = answer["interrupted"]

    def diagnose(self) -> Diagnosis:
        """How well the chains have mixed, for every variable: a Diagnosis."""
        return diagnose(self.draws)

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: draws, ranks and diagnostics of each variable. A Report, which notebooks show. path: where to
        save it, too."""
        return self.diagnose().report(path)

    def __len__(self) -> int:
        return self.draws.shape[1]

    def __repr__(self) -> str:
        chains, draws, variables = self.draws.shape
        return f"Draws({chains} chains x {draws} draws of {variables} variables, {self.seconds:.3g} s)"


class Diagnosis:
    """What draws tell about their chains (Vehtari et al. 2021), for each quantity: arrays of its shape."""

    def __init__(self, answer: Any, shape: Any, columns: Any) -> None:
        #: 1 for chains that agree; above 1.01 they have not mixed; NaN for a quantity that never changed
        self.r_hat = answer["r_hat"].reshape(shape)
        #: independent draws that would tell as much of the middle of the distribution
        self.effective_draws = answer["effective_draws"].reshape(shape)
        #: the same of its 5 % and 95 % quantiles
        self.tail_effective_draws = answer["tail_effective_draws"].reshape(shape)
        #: of the mean
        self.standard_error = answer["standard_error"].reshape(shape)
        #: of all quantities together: "mixed", "not mixed" or "cannot tell"
        self.mixing = answer["mixing"]
        self._columns = columns  # [quantity][chain][draw]

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: draws, ranks and diagnostics of each quantity. A Report, which notebooks show. path: where
        to save it, too."""
        import numpy as np

        names = [", ".join(map(str, index)) or "value" for index in np.ndindex(self.r_hat.shape)]
        return report_of(_core.draws_page("draws", names, self._columns), path)

    def _repr_html_(self) -> str:
        import numpy as np

        from fovea._html import table

        flat = [a.reshape(-1) for a in (self.r_hat, self.effective_draws, self.standard_error)]
        shown = min(len(flat[0]), 20)
        names = [str(i) for i in np.ndindex(self.r_hat.shape)][:shown]
        rows = [(names[i], *(f"{a[i]:.4g}" for a in flat)) for i in range(shown)]
        more = f"and {len(flat[0]) - shown} more" if len(flat[0]) > shown else ""
        return table(repr(self), ("quantity", "R-hat", "effective draws", "standard error"), rows, more)

    def __repr__(self) -> str:
        import numpy as np

        if not self.r_hat.size or np.isnan(self.r_hat).all():
            return f"Diagnosis({self.mixing})"
        least = np.nanmin(self.effective_draws)
        return f"Diagnosis({self.mixing}, r_hat up to {np.nanmax(self.r_hat):.4g}, {least:.0f} effective draws or more)"


def diagnose(draws: ArrayLike) -> Diagnosis:
    """How well chains have mixed, from their draws: [chain][draw][...], 4 draws or more of each chain. Returns a
    Diagnosis with a number for each quantity [...]; NaN where a draw is not finite."""
    import numpy as np

    try:
        draws = np.asarray(draws, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError("argument draws: needs numbers, [chain][draw][...]") from None
    if draws.ndim < 2 or draws.shape[0] < 1 or draws.shape[1] < 4:
        raise UsageError(f"argument draws has the shape {draws.shape}: needs [chain][draw][...] with 4 draws or more")
    shape = draws.shape[2:]
    columns = np.moveaxis(draws.reshape(*draws.shape[:2], -1), 2, 0)
    columns = np.ascontiguousarray(columns)
    return Diagnosis(_core.diagnose_draws(columns), shape, columns)


class _Asked:
    """A user's model, as the library asks it. Answers are checked here, where the message can tell what is wrong."""

    def __init__(self, model):
        self._model = model

    def conditional_scores(self, sites, assignment, values):
        wanted = (len(assignment), len(sites), values)
        scores = self._model.conditional_scores(sites, assignment)
        return _scores("conditional_scores", scores, wanted, "[chain][site][value]")

    def log_score(self, assignment):
        return _scores("log_score", self._model.log_score(assignment), (len(assignment),), "[chain]")


def _scores(name, answer, wanted, meaning):
    import numpy as np

    try:
        scores = np.asarray(answer, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"the model's {name} returned {answer!r:.80}: needs numbers, {meaning}") from None
    if scores.shape != wanted:
        raise UsageError(f"the model's {name} returned an array of the shape {scores.shape}: needs {wanted}, {meaning}")
    return np.ascontiguousarray(scores).reshape(-1)


@takes(_core.mcmc_options())
def sample(
    model: Any,
    *,
    start: ArrayLike | None = None,
    time_limit: float | str | None = None,
    budget: str | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> Draws:
    """Draws from a model by Gibbs sampling, all chains side by side; returns Draws.

    model: an object with
        cardinalities: [variable], how many values each variable has; values count from 0.
        conditional_scores(sites, assignment): the log probability of each value of these variables given all others, up
            to a constant; -inf for a value that cannot be. sites: [site], of one cardinality, none of which depends on
            another; assignment: [chain][variable]; returns [chain][site][value].
        markov_blanket or neighbours, optional: a function of a variable, or a list for each variable: the variables on
            which its conditional depends. With it, all variables that do not depend on each other are asked for in one
            call; without it, one variable is.
        log_score(assignment), optional: [chain], the log probability of whole assignments up to a constant, to keep the
            best draw.
    start: [chain][variable] or [variable], the first assignments; by default drawn at random.

    Ctrl-C ends the run with the draws so far. The model is asked on another thread. What it raises arrives unchanged. The same random_state gives the same draws.
    """
    cardinalities = _cardinalities(model)
    options = {n: v for n, v in options.items() if v is not None}
    first = _start(start, options.get("chains", 4), len(cardinalities))
    run = run_arguments(time_limit, budget, None, random_state, progress)
    has_log_score = callable(getattr(model, "log_score", None))
    blankets = _blankets(model, len(cardinalities))
    return Draws(_core.sample_model(_Asked(model), cardinalities, blankets, has_log_score, first, **run, **options))


@takes(_core.anneal_options())
def anneal(
    model: Any,
    *,
    start: ArrayLike | None = None,
    time_limit: float | str | None = None,
    budget: str | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> Annealed:
    """A likely assignment of a model whose conditionals are expensive, from few calls of it; returns Annealed.

    Every variable is asked for once; after that, those where a visit is expected to gain most, as many to a call as the
    batch holds. The expectation is learned on the way, so nothing has to be tuned.

    model: an object as `sample` takes it, with markov_blanket or neighbours; log_score is not used. assignment is
        [1][variable], and conditional_scores returns [1][site][value]. The conditionals need not be those of one joint
        distribution: those of a neural network seldom are.
    start: [variable], the first assignment, such as that of a cheap model; by default drawn at random.

    Ctrl-C ends the search with the assignment so far. The model is asked on another thread. What it raises arrives unchanged. The same random_state gives the same assignment.
    """
    cardinalities = _cardinalities(model)
    options = {n: v for n, v in options.items() if v is not None}
    first = _start(start, 1, len(cardinalities))
    run = run_arguments(time_limit, budget, None, random_state, progress)
    blankets = _blankets(model, len(cardinalities))
    return Annealed(_core.anneal_model(_Asked(model), cardinalities, blankets, first, **run, **options))


def _cardinalities(model):
    """[variable], of a model that has what is needed."""
    import numpy as np

    try:
        cardinalities = np.ascontiguousarray(model.cardinalities, dtype=np.int64)
    except AttributeError:
        raise UsageError(f"argument model: {type(model).__name__} has no attribute 'cardinalities'") from None
    except (TypeError, ValueError, OverflowError):
        raise UsageError("argument model: its cardinalities must be whole numbers, one for each variable") from None
    if cardinalities.ndim != 1:
        raise UsageError(f"argument model: its cardinalities have the shape {cardinalities.shape}: need [variable]")
    if not callable(getattr(model, "conditional_scores", None)):
        raise UsageError(f"argument model: {type(model).__name__} has no method 'conditional_scores'")
    return cardinalities


def _blankets(model, variables):
    """[variable], the variables on which its conditional depends; empty if that is not known."""
    known = getattr(model, "markov_blanket", None)
    known = getattr(model, "neighbours", None) if known is None else known
    if known is None:
        return []
    if not callable(known) and len(known) != variables:
        raise UsageError(f"argument model: neighbours of {len(known)} variables, but there are {variables}")
    rows = [known(v) for v in range(variables)] if callable(known) else known
    try:
        return [[int(other) for other in row] for row in rows]
    except (TypeError, ValueError):
        raise UsageError("argument model: the neighbours of a variable must be a list of numbers") from None


def _start(start, chains, variables):
    import numpy as np

    if start is None:
        return []
    start = np.asarray(start)
    if start.dtype.kind not in "iub" or start.shape not in ((variables,), (chains, variables)):
        raise UsageError(
            f"argument start is an array of {start.dtype} of the shape {start.shape}: needs whole numbers,"
            f" {(chains, variables)} or {(variables,)}"
        )
    if start.size and not 0 <= start.min() <= start.max() < 65536:
        raise UsageError(f"argument start has the value {start.min() if start.min() < 0 else start.max()}")
    return np.broadcast_to(start, (chains, variables)).reshape(-1).tolist()
