# SPDX-License-Identifier: Apache-2.0
"""Models in their own language, and regressions by formula: draws from the posterior."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import UsageError
from fovea._estimator import write_file
from fovea._records import table_of
from fovea._report import Reported
from fovea._run import run_arguments
from fovea._signature import takes
from fovea._table import Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import numpy as np


class FittedModel:
    """A model and draws of its posterior, for predictions: a Fit, or what load_fit reads."""

    def __init__(self, posterior: str) -> None:
        self._posterior = posterior

    def predict(
        self,
        data: Any,
        *,
        columns: Iterable[str] = (),
        time_limit: float | str | None = None,
        threads: int | None = None,
        random_state: Any = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
    ) -> Table:
        """Figures of the missing cells of observed columns in new rows, or of all cells of these `columns`.

        A row for each of data's, with y_mean, y_sd, y_quantile_5, y_median and y_quantile_95; for a column that names
        members of a plate, the probability of each, y=member. They are NaN where the cell is given. Groups that the fit
        knows keep their effects; those of new ones are drawn from their distribution.

            >>> from fovea.ep import fit
            >>> line = fit("y ~ x", {"x": [1, 2, 3, 4, 5], "y": [2.1, 3.9, 6.2, 8.1, 9.8]})
            >>> line.predict({"x": [3.0]})["y_mean"].round(0).tolist()
            [6.0]
        """
        run = run_arguments(time_limit, None, threads, random_state, progress)
        return Table(_core.predict_model(self._posterior, table_of(data, "data"), list(columns), **run))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what predictions need, at most 1,000 draws, to a file: load_fit and `fovea predict` read it."""
        write_file(path, self._posterior.encode())


class Fit(Reported, FittedModel):
    """What `fit` drew. fit["theta"] is an array of draws, [chain][draw][...], with an axis for each plate.

    Of a whole number that was summed out, the draws are the probabilities of its values given all else, along the last
    axis; of two values, that of the second alone. Of a column with missing cells, they are those of these cells."""

    def __init__(self, answer: Any) -> None:
        super().__init__(answer["posterior"])
        #: "mixed", "not mixed" or "cannot tell": whether the chains agree
        self.mixing = answer["mixing"]
        #: trajectories that left the region where steps are exact
        self.divergences = answer["divergences"]
        #: of the density and its gradient
        self.evaluations = answer["evaluations"]
        #: log p(data) by importance sampling, and its standard error; None if a prior has no integral, or no mode was found
        self.log_evidence, self.log_evidence_error = answer["log_evidence"], answer["log_evidence_error"]
        #: shape of the tail of the weights (Pareto k): above .7 log_evidence is not to be trusted
        self.tail_shape = answer["tail_shape"]
        #: the text of the model, also of a formula
        self.model = answer["model"]
        #: True if all unknowns were summed out: the one draw is the answer
        self.exact = answer["exact"]
        #: True if it was stopped before each chain had a draw: these are draws of the Gaussian at the mode
        self.gaussian = answer["gaussian"]
        #: False if it was stopped before all draws were made
        self.whole = answer["whole"]
        #: True if Ctrl-C ended it
        self.interrupted = answer["interrupted"]
        self._variables = {variable["name"]: variable for variable in answer["variables"]}
        self._summary = answer["summary"]
        self._page = answer["page"]

    def keys(self) -> list[str]:
        """The names of the variables."""
        return list(self._variables)

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __contains__(self, name: str) -> bool:
        return name in self._variables

    def __getitem__(self, name: str) -> np.ndarray:
        import numpy as np

        if name not in self._variables:
            raise KeyError(f"no variable is called {name!r}; the variables are {', '.join(self._variables)}")
        variable = self._variables[name]
        shape = [len(members) for members in variable["coordinates"]]
        draws = np.moveaxis(variable["draws"], 0, -1)
        return draws.reshape(*draws.shape[:2], *shape)

    def coordinates(self, name: str) -> dict[str, list[str]]:
        """The axes of a variable after those of chains and draws: the name of each, and its members."""
        self[name]
        variable = self._variables[name]
        return dict(zip(variable["dimensions"], variable["coordinates"]))

    def summary(self) -> Table:
        """A row for each number: mean, standard deviation, quantiles, R-hat and effective draws."""
        return Table(self._summary)

    def to_arviz(self) -> Any:
        """An arviz InferenceData, whose posterior has the variables with their axes and members."""
        import arviz

        coordinates, axes = {}, {}
        for name in self:
            axes[name] = []
            for axis, members in self.coordinates(name).items():
                known = coordinates.setdefault(axis, members)
                unique = axis if known == members else f"{name}_{axis}"
                coordinates[unique] = members
                axes[name].append(unique)
        return arviz.from_dict(posterior={name: self[name] for name in self}, coords=coordinates, dims=axes)

    def __repr__(self) -> str:
        if self.exact:
            return f"Fit({len(self._variables)} variables, all summed out)"
        chains, draws = next(iter(self._variables.values()))["draws"].shape[1:]
        return f"Fit({len(self._variables)} variables, {chains} chains of {draws} draws: {self.mixing})"

    def _repr_html_(self) -> str:
        return self.summary()._repr_html_()


@takes(_core.ep_options()["fit"])
def fit(
    model: str | os.PathLike[str],
    data: Any = None,
    *,
    given: Mapping[str, float] | None = None,
    family: str = "normal",
    time_limit: float | str | None = None,
    threads: int | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> Fit:
    """Draws from the posterior of a model by the no-U-turn sampler, as `fovea fit` does; returns a Fit.

    model: the text of a model, a line for each variable; a formula, such as "y ~ x + (1 | group)"; or the path of a file
    with a model. data: a data frame, a dict of lists or a list of dicts, whose columns the model names. given: numbers
    that the model names and the table does not have. family: of a formula's left side: normal, student, bernoulli,
    poisson, negative-binomial or ordered (ranks from 1 on).

        >>> from fovea.ep import fit
        >>> table = {"school": list("ABCDEFGH"), "y": [28, 8, -3, 7, -1, 1, 18, 12], "se": [15, 10, 16, 11, 9, 11, 10, 18]}
        >>> schools = fit('''
        ...     schools ~ plate(school)
        ...     mu ~ normal(0, 10)
        ...     tau ~ half_cauchy(5)
        ...     theta[school] ~ normal(mu, tau)
        ...     y ~ normal(theta[school], se)''', table)
        >>> schools["theta"].shape, schools.mixing
        ((4, 1000, 8), 'mixed')
    """
    run = run_arguments(time_limit, None, threads, random_state, progress)
    return Fit(_core.fit_model(*_problem(model, data, given), family, **run, **options))


@takes(_core.ep_options()["fit"])
def check(
    model: str | os.PathLike[str],
    data: Any = None,
    *,
    data_sets: int = 50,
    given: Mapping[str, float] | None = None,
    family: str = "normal",
    time_limit: float | str | None = None,
    threads: int | None = None,
    random_state: Any = None,
    progress: bool | Callable[[dict[str, Any]], object] | None = None,
    **options: Any,
) -> Table:
    """Checks the answers that a model gets, by simulation-based calibration, as `fovea fit --check` does.

    Draws data sets from the model's prior, for the rows and columns of data, fits each, and ranks the true numbers among
    the draws. Returns a Table with a row for each number: its mean rank, which is .5 without a bias, the bias and
    the spread in standard errors, and a verdict: "ok", "doubtful" or "wrong". Above 0, the spread says that posteriors are
    too narrow. This finds wrong answers, not whether the model suits the data.

        >>> from fovea.ep import check
        >>> model = "m ~ normal(0, 1); y ~ normal(m, 1)"
        >>> check(model, {"y": [1.0, 2.0]}, data_sets=20, draws=200, warm_up=200)["verdict"].tolist()
        ['ok']
    """
    if isinstance(data_sets, bool) or not isinstance(data_sets, int) or data_sets < 10:
        raise UsageError(f"argument data_sets={data_sets!r}: needs a whole number of at least 10")
    run = run_arguments(time_limit, None, threads, random_state, progress)
    return Table(_core.check_model(*_problem(model, data, given), family, data_sets, **run, **options))


def load_fit(path: str | os.PathLike[str]) -> FittedModel:
    """Reads what Fit.save, or `fovea fit -o`, wrote: a model that predicts."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    _core.check_posterior(text, os.fspath(path))
    return FittedModel(text)


def _problem(model, data, given):
    table = None if data is None else table_of(data, "data")
    return _text_of(model), table, {str(name): float(value) for name, value in (given or {}).items()}


def _text_of(model):
    if isinstance(model, str) and ("~" in model or "\n" in model):
        return model
    if not isinstance(model, (str, os.PathLike)):
        raise UsageError(f"argument model={model!r:.60}: needs the text of a model, a formula or a path")
    with open(model, encoding="utf-8") as file:
        return file.read()
