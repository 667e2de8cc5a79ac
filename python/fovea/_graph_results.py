# SPDX-License-Identifier: Apache-2.0
"""What a FactorGraph answers. Scores are natural logarithms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import UsageError
from fovea._report import Report, Reported, report_of

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Sequence

    import numpy as np

    from fovea.graph import FactorGraph, Variable


class _Result(Reported):
    """Status, method, cost and phases of an answer."""

    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        self._graph = graph
        #: "exact", "best so far" or "estimate"
        self.status: str = record["status"]
        #: what the answer comes from
        self.method: str = record["method"]
        #: of wall-clock time
        self.seconds: float = record["seconds"]
        #: True if Ctrl-C ended the work before it was done
        self.interrupted: bool = record["interrupted"]
        #: what was done, step by step: dicts with name, seconds and outcome
        self.phases: list[dict[str, Any]] = record["phases"]
        self._page = record["page"]

    def _page_text(self) -> str:
        return self._page(self._graph.names, self._graph._value_names())


class MapResult(_Result):
    """The best assignment found, with a bound on the best there is."""

    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        super().__init__(graph, record)
        #: [variable], the number of each variable's value: a NumPy array
        self.values: np.ndarray = record["values"]
        #: log score of `values`
        self.score: float = record["score"]
        #: no assignment has a higher log score than this
        self.bound: float = record["bound"]
        #: further good assignments, best first: pairs of values and score
        self.diverse: list[tuple[np.ndarray, float]] = record.get("diverse", [])

    @property
    def gap(self) -> float:
        """How much higher the best log score may be, at most."""
        return self.bound - self.score

    @property
    def optimal(self) -> bool:
        """True if it is proved that no assignment is better."""
        return self.status == "exact"

    def __getitem__(self, variable: Variable | str | int) -> int | str:
        """The value of a variable: its name where it has one, else its number."""
        v = self._graph._number(variable)
        return self._graph._value_name(v, int(self.values[v]))

    def _repr_html_(self) -> str:
        from fovea._html import table

        names = self._graph.names
        rows = [(names[v], str(self[v])) for v in range(min(len(names), 20))]
        more = f"and {len(names) - 20} more variables" if len(names) > 20 else ""
        return table(repr(self), ("variable", "value"), rows, more)

    def __repr__(self) -> str:
        best = "optimal" if self.optimal else f"at most {self.gap:.6g} below the best"
        return f"MapResult(score={self.score:.6g}, {best}, {self.seconds:.3g} s)"


class PartitionResult(_Result):
    """The natural logarithm of the partition function."""

    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        super().__init__(graph, record)
        self.log_partition: float = record["log_partition"]
        #: standard error; 0 if exact, NaN if not known
        self.log_partition_error: float = record["log_partition_error"]
        self.log_partition_bound: float = record["log_partition_bound"]

    def __float__(self) -> float:
        return self.log_partition

    def __repr__(self) -> str:
        return f"{type(self).__name__}(log_partition={self.log_partition:.6g}, {self.status}, {self.seconds:.3g} s)"


class MarginalsResult(PartitionResult):
    """The distribution of every variable: index it by variable, name or number."""

    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        super().__init__(graph, record)
        self._probabilities, self._begin = record["probabilities"], record["begin"]
        #: the largest standard error of the probabilities; 0 if exact, NaN if not known
        self.max_standard_error: float = record["max_standard_error"]
        #: of chains, where the answer comes from them: "mixed", "not mixed", "cannot tell" or None
        self.mixing: str | None = record["mixing"]
        self.max_r_hat: float = record["max_r_hat"]
        self.min_effective_samples: float = record["min_effective_samples"]

    def __len__(self) -> int:
        return len(self._begin) - 1

    def __getitem__(self, variable: Variable | str | int) -> np.ndarray:
        """[value], probabilities that sum to 1: a NumPy array."""
        v = self._graph._number(variable)
        return self._probabilities[self._begin[v] : self._begin[v + 1]]

    def __iter__(self) -> Iterator[np.ndarray]:
        return (self[v] for v in range(len(self)))

    def _repr_html_(self) -> str:
        from fovea._html import table

        names = self._graph.names
        rows = [
            (names[v], ", ".join(f"{self._graph._value_name(v, k)}: {p:.4g}" for k, p in enumerate(self[v])))
            for v in range(min(len(self), 20))
        ]
        more = f"and {len(names) - 20} more variables" if len(names) > 20 else ""
        return table(repr(self), ("variable", "probabilities"), rows, more)

    def chart(self, variables: Sequence[Variable | str | int] | None = None) -> dict[str, Any]:
        """A Vega-Lite chart, as a dict, of the probabilities of some variables (the first ten, unless named)."""
        names = self._graph.names
        chosen = range(min(10, len(self))) if variables is None else [self._graph._number(v) for v in variables]
        data = [
            {"variable": names[v], "value": str(self._graph._value_name(v, k)), "probability": float(p)}
            for v in chosen
            for k, p in enumerate(self[v])
        ]
        return {
            "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
            "data": {"values": data},
            "mark": "bar",
            "encoding": {
                "x": {"field": "probability", "type": "quantitative", "scale": {"domain": [0, 1]}},
                "y": {"field": "value", "type": "nominal", "sort": None, "title": None},
                "row": {"field": "variable", "type": "nominal", "sort": None},
            },
            "resolve": {"scale": {"y": "independent"}},
        }


class JointResult(PartitionResult):
    """The joint distribution of some variables."""

    def __init__(self, graph: FactorGraph, shape: tuple[int, ...], record: dict[str, Any]) -> None:
        super().__init__(graph, record)
        #: [value of the first]...[value of the last], probabilities that sum to 1: a NumPy array
        self.probabilities: np.ndarray = record["probabilities"][record["begin"][-2] :].reshape(shape)
        #: the largest standard error of the probabilities; 0 if exact, NaN if not known
        self.max_standard_error: float = record["max_standard_error"]


class Draws:
    """Draws from a model: `values` is [chain][draw][variable], the numbers of values."""

    _most_shown = 20_000_000  # numbers

    def __init__(self, graph: FactorGraph, record: dict[str, Any]) -> None:
        self._graph = graph
        self.values: np.ndarray = record["draws"]
        self.interrupted: bool = record["interrupted"]
        #: per draw, with restarts or by coupling from the past
        self.mean_sweeps: float = record["mean_sweeps"]
        #: as used, by `restart_rate` or `distance`; 0 without restarts
        self.restart_rate: float = record["restart_rate"]
        #: with restarts: the total variation distance of the draws' law from the model's is at most this, at 95 %
        #: confidence; None if it could not be measured
        self.distance: float | None = record["distance"]
        #: with `perfect`: "elimination" or "coupling", by which the draws have the model's own law
        self.perfect: str | None = record["perfect"]
        self.temperatures: np.ndarray = record["temperatures"]
        #: With `exactness`: the numbers of proposals, of their factors and of those that were looked at; else None.
        self.proposals: dict[str, int] | None = record["proposals"]

    def __getitem__(self, variable: Variable | str | int) -> np.ndarray:
        """[chain][draw] of one variable."""
        return self.values[:, :, self._graph._number(variable)]

    def to_arviz(self) -> Any:
        """An arviz InferenceData whose posterior has one entry for each variable."""
        import arviz

        names = self._graph.names
        return arviz.from_dict(posterior={names[v]: self.values[:, :, v] for v in range(len(names))})

    def report(self, path: str | os.PathLike[str] | None = None) -> Report:
        """A page for people: draws, ranks and diagnostics of each variable, or of the first of very many. A Report, which
        notebooks show. path: where to save it, too."""
        import numpy as np

        chains, draws, variables = self.values.shape
        if draws == 0 or variables == 0:
            raise UsageError("report() needs at least one draw of one variable")
        shown = max(1, min(variables, self._most_shown // (chains * draws)))
        columns = np.ascontiguousarray(np.moveaxis(self.values[:, :, :shown], 2, 0), dtype=np.float64)
        subtitle = "a FactorGraph" if shown == variables else f"a FactorGraph, {shown} of {variables} variables"
        return report_of(_core.draws_page(subtitle, self._graph.names[:shown], columns), path)

    def __repr__(self) -> str:
        chains, draws, variables = self.values.shape
        return f"Draws({chains} chains, {draws} draws, {variables} variables)"
