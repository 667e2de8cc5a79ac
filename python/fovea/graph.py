# SPDX-License-Identifier: Apache-2.0
"""Any discrete graphical model: the best assignment, marginals, the partition function, draws.

Scores are natural logarithms. A model is a FactorGraph, built variable by variable and factor by factor, or read from a
file:

    >>> from fovea.graph import FactorGraph
    >>> g = FactorGraph()
    >>> rain, wet = g.variable("rain", ["no", "yes"]), g.variable("wet", ["no", "yes"])
    >>> g.factor([rain], [.8, .2])
    >>> g.factor([rain, wet], [[.9, .1], [.2, .8]])
    >>> g.marginals(evidence={"wet": "yes"})["rain"].round(3).tolist()
    [0.333, 0.667]
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._errors import UsageError
from fovea._graph_results import Draws, JointResult, MapResult, MarginalsResult, PartitionResult
from fovea._run import run_arguments
from fovea._signature import run_fields, takes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import ArrayLike

__all__ = ["Draws", "FactorGraph", "JointResult", "MapResult", "MarginalsResult", "PartitionResult", "Variable"]

_OPTIONS = _core.graph_options()
_RUN_OF_CHAINS = run_fields("time_limit", "budget", "threads", "random_state", "progress")
_RUN = [*_RUN_OF_CHAINS, *run_fields("memory_limit")]


class Variable:
    """A variable of a FactorGraph: its number, its name or None, and the names of its values or None."""

    __slots__ = ("cardinality", "name", "number", "states")

    number: int
    name: str | None
    cardinality: int
    states: list[str] | None

    def __init__(self, number: int, name: str | None, cardinality: int, states: list[str] | None) -> None:
        self.number, self.name, self.cardinality, self.states = number, name, cardinality, states

    def __index__(self) -> int:
        return self.number

    def __repr__(self) -> str:
        return f"Variable({self.number if self.name is None else self.name!r}, {self.cardinality})"


class FactorGraph:
    """A distribution over variables with finitely many values: p(y) is proportional to the product of its factors."""

    def __init__(self) -> None:
        self._builder = _core.GraphBuilder()
        self._graph = None
        self._cardinalities = []
        self._names = []
        self._states = []
        self._by_name = {}

    # ---- Building

    def variable(self, name: str | None = None, states: int | Sequence[object] = 2) -> Variable:
        """Adds a variable and returns it. `states`: how many values it has, or a list of their names."""
        _require_text_or_none("name", name)
        labels = None
        if isinstance(states, (list, tuple)):
            labels = list(states)
            if len(set(labels)) < len(labels):
                raise UsageError(f"argument states of variable {name!r}: the names {labels} are not distinct")
            states = len(labels)
        if name is not None and name in self._by_name:
            raise UsageError(f"argument name={name!r}: the graph has a variable of this name")
        number = self._add_variables([states])
        self._names[number], self._states[number] = name, labels
        if name is not None:
            self._by_name[name] = number
        return Variable(number, name, states, labels)

    def variables(self, cardinalities: ArrayLike) -> int:
        """Adds many variables without names; returns the number of the first. `cardinalities`: [variable]."""
        return self._add_variables(cardinalities)

    def factor(self, variables: Sequence[Variable | str | int], table: ArrayLike) -> None:
        """Multiplies p(y) by a table of weights, not negative: its shape is that of the variables, in their order."""
        import numpy as np

        with np.errstate(divide="ignore"):
            weights = _numbers("table", table)
            if (weights < 0).any():
                raise UsageError(
                    f"argument table of a factor over {variables!r}: has the weight {weights.min()}, below 0"
                )
            scores = np.log(weights)
        self.log_factor(variables, scores)

    def log_factor(self, variables: Sequence[Variable | str | int], scores: ArrayLike) -> None:
        """The same with log weights; -inf makes an assignment impossible."""
        import numpy as np

        numbers = [self._number(v) for v in variables]
        scores = _numbers("scores", scores)
        shape = tuple(self._cardinalities[v] for v in numbers)
        if scores.shape != shape and not (scores.ndim == 1 and scores.size == int(np.prod(shape))):
            raise UsageError(f"a factor over {list(variables)!r} needs a table of shape {shape}, not {scores.shape}")
        self._add_factors(np.array([numbers], dtype=np.int64).reshape(1, len(numbers)), scores.reshape(1, -1))

    def log_factors(self, variables: ArrayLike, scores: ArrayLike) -> None:
        """Many factors of one arity at once: variables [factor][position], scores [factor][...] or one table for all."""
        import numpy as np

        scopes = np.ascontiguousarray(variables, dtype=np.int64)
        if scopes.ndim != 2:
            raise UsageError(f"argument variables has {scopes.ndim} dimensions: needs [factor][position]")
        scores = _numbers("scores", scores)
        if scores.ndim == scopes.shape[1]:
            scores = scores[np.newaxis]
        self._add_factors(scopes, scores.reshape(scores.shape[0], -1))

    def _add_variables(self, cardinalities):
        import numpy as np

        cardinalities = np.ascontiguousarray(cardinalities, dtype=np.int64)
        first = self._open().add_variables(cardinalities)
        count = len(cardinalities)
        self._cardinalities.extend(cardinalities.tolist())
        self._names.extend([None] * count)
        self._states.extend([None] * count)
        return first

    def _add_factors(self, scopes, scores):
        import numpy as np

        if np.isnan(scores).any() or (scores == np.inf).any():
            raise UsageError("a factor has a score that is NaN or +infinity")
        try:
            self._open().add_factors(scopes, np.ascontiguousarray(scores, dtype=np.float64))
        except ValueError as error:
            raise UsageError(str(error)) from None

    def _open(self):
        if self._builder is None:  # it has been asked or read: go on from a copy, as answers may still need it
            self._builder, self._graph = _core.GraphBuilder(self._graph), None
        return self._builder

    @property
    def _built(self):
        if self._graph is None:
            self._graph, self._builder = self._builder.build(), None
        return self._graph

    # ---- Files

    @classmethod
    def read(cls, path: str | os.PathLike[str], format: str | None = None) -> FactorGraph:
        """Reads a model: .uai, .bif, .xmlbif, .wcsp, .cfn, .h5 (OpenGM), compressed or not."""
        graph, names, states, warnings = _core.read_graph(os.fspath(path), format or "")
        self = cls()
        self._graph, self._builder = graph, None
        self._cardinalities = graph.cardinalities.tolist()
        count = len(self._cardinalities)
        self._names = list(names) or [None] * count
        self._states = [list(s) or None for s in states] or [None] * count
        self._by_name = {name: v for v, name in enumerate(self._names) if name is not None}
        if warnings:
            import warnings as python_warnings

            for text in warnings:
                python_warnings.warn(text, stacklevel=2)
        return self

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the model in a format of `read`."""
        named = any(name is not None for name in self._names)
        states = [list(map(str, s or [])) for s in self._states] if any(self._states) else []
        _core.write_graph(os.fspath(path), self._built, self.names if named else [], states, format or "")

    # ---- Other libraries

    @classmethod
    def from_pgmpy(cls, model: Any) -> FactorGraph:
        """The same model as one of pgmpy's Bayesian or Markov networks of discrete variables."""
        if hasattr(model, "get_cpds"):
            factors = [cpd.to_factor() for cpd in model.get_cpds()]
        else:
            factors = model.get_factors()
        self = cls()
        for factor in factors:
            for variable in factor.variables:
                if str(variable) not in self._by_name:
                    self.variable(str(variable), [str(state) for state in factor.state_names[variable]])
        for factor in factors:
            self.factor([str(variable) for variable in factor.variables], factor.values)
        return self

    @classmethod
    def from_pyagrum(cls, model: Any) -> FactorGraph:
        """The same model as one of pyAgrum's Bayesian or Markov networks."""
        self = cls()
        for node in model.nodes():
            variable = model.variable(node)
            self.variable(variable.name(), list(variable.labels()))
        tables = (
            [model.cpt(n) for n in model.nodes()]
            if hasattr(model, "cpt")
            else [model.factor(f) for f in model.factors()]
        )
        for table in tables:
            self.factor(list(reversed(table.names)), table.toarray())  # its last axis is the first variable
        return self

    def to_pgmpy(self) -> Any:
        """A DiscreteMarkovNetwork of pgmpy with the same factors."""
        import numpy as np
        from pgmpy.factors.discrete import DiscreteFactor
        from pgmpy.models import DiscreteMarkovNetwork

        names, model = self.names, DiscreteMarkovNetwork()
        model.add_nodes_from(names)
        for numbers, scores in self.factors():
            if not numbers:
                continue  # a constant, which their networks leave out
            scope = [names[v] for v in numbers]
            model.add_edges_from((a, b) for i, a in enumerate(scope) for b in scope[:i])
            states = {names[v]: self._states[v] for v in numbers if self._states[v]}
            model.add_factors(DiscreteFactor(scope, scores.shape, np.exp(scores), state_names=states))
        return model

    def factors(self) -> Iterator[tuple[tuple[int, ...], np.ndarray]]:
        """The factors, in order: pairs of the numbers of variables and log weights, [value of first]...[of last]."""
        graph = self._built
        for f in range(graph.factor_count):
            yield tuple(graph.scope(f)), graph.table(f)

    # ---- Asking

    @takes([*_RUN, *_OPTIONS["solve"]])
    def solve(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        start: ArrayLike | None = None,
        policy: str | os.PathLike[str] | None = None,
        **options: Any,
    ) -> MapResult:
        """Finds the likeliest assignment, with a bound on the best log score.

        `policy` is a file that `fovea tune` wrote for such models: it says where time is spent. 'universal', the
        default, and 'hot-bits' come with the library.
        """
        start = [] if start is None else [int(value) for value in start]
        graph, observed = self._observed(evidence)
        policy = "" if policy is None else os.fspath(policy)
        return MapResult(self, graph.solve(observed, start, policy, **_arguments(options)))

    @takes([*_RUN, *_OPTIONS["marginals"]])
    def marginals(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        **options: Any,
    ) -> MarginalsResult:
        """Finds the distribution of every variable, given the evidence."""
        graph, observed = self._observed(evidence)
        return MarginalsResult(self, graph.marginals(observed, **_arguments(options)))

    @takes([*_RUN, *_OPTIONS["marginals"]])
    def joint(
        self,
        variables: Sequence[Variable | str | int],
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        **options: Any,
    ) -> JointResult:
        """Finds the joint distribution of some variables, given the evidence."""
        graph, observed = self._observed(evidence)
        numbers = [self._number(v) for v in variables]
        shape = tuple(self._cardinalities[v] for v in numbers)
        together = _core.with_joint_variable(graph, numbers)
        return JointResult(self, shape, together.marginals(observed, **_arguments(options)))

    @takes([*_RUN, *_OPTIONS["log_partition"]])
    def log_partition(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        **options: Any,
    ) -> PartitionResult:
        """Finds the log of the sum over all assignments that agree with the evidence."""
        graph, observed = self._observed(evidence)
        return PartitionResult(self, graph.log_partition(observed, **_arguments(options)))

    @takes([*_RUN, *_OPTIONS["marginal_map"]])
    def marginal_map(
        self,
        query: Sequence[Variable | str | int],
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        **options: Any,
    ) -> MapResult:
        """Finds the likeliest values of some variables, with the others summed out."""
        query = [self._number(v) for v in query]
        graph, observed = self._observed(evidence)
        return MapResult(self, graph.marginal_map(query, observed, **_arguments(options)))

    @takes([*_RUN, *_OPTIONS["sample"]])
    def sample(
        self,
        *,
        evidence: Mapping[Variable | str | int, Any] | None = None,
        **options: Any,
    ) -> Draws:
        """Draws from the model, given the evidence: by Markov chains, or perfectly."""
        graph, observed = self._observed(evidence)
        return Draws(self, graph.sample(observed, **_arguments(options, _RUN)))

    def log_score(self, values: ArrayLike) -> float:
        """The log of the product of all factors at an assignment: [variable], numbers of values."""
        return self._built.log_score([int(value) for value in values])

    # ---- Names

    @property
    def names(self) -> list[str]:
        """[variable], its name, or its number as a text."""
        return [str(v) if name is None else name for v, name in enumerate(self._names)]

    def __len__(self) -> int:
        return len(self._cardinalities)

    def _repr_html_(self) -> str:
        from fovea._html import table

        rows = [
            (name, str(c), ", ".join(s) if s else "")
            for name, c, s in zip(self.names[:20], self._cardinalities, self._states)
        ]
        more = f"and {len(self) - 20} more variables" if len(self) > 20 else ""
        return table(repr(self), ("variable", "values", "names"), rows, more)

    def __repr__(self) -> str:
        factors = "" if self._graph is None else f", {self._graph.factor_count} factors"
        return f"FactorGraph({len(self)} variables{factors})"

    def _number(self, variable):
        if isinstance(variable, str):
            if variable not in self._by_name:
                raise UsageError(f"the graph has no variable named {variable!r}")
            return self._by_name[variable]
        number = variable.__index__() if hasattr(variable, "__index__") else None
        if number is None or not 0 <= number < len(self._cardinalities):
            raise UsageError(f"the graph has no variable {variable!r}: it has {len(self)}")
        return number

    def _value_names(self):
        return [[str(state) for state in states or ()] for states in self._states]

    def _value_name(self, v, value):
        return value if self._states[v] is None else self._states[v][value]

    def _value_number(self, v, value):
        states = self._states[v]
        if states is not None and value in states:
            return states.index(value)
        # Where names are texts, a number is a value's number; where they are numbers, only names count.
        has_numbers = states is not None and not all(isinstance(state, str) for state in states)
        if isinstance(value, str) or has_numbers or not hasattr(value, "__index__"):
            names = states or range(self._cardinalities[v])
            raise UsageError(f"variable {self.names[v]!r} has no value {value!r}: it has {', '.join(map(str, names))}")
        return value.__index__()

    def _observed(self, evidence):
        """The graph and the pairs of variable and value that stand for the evidence. Likelihoods become factors."""
        pairs, likelihoods = [], []
        for variable, value in (evidence or {}).items():
            v = self._number(variable)
            if isinstance(value, str) or not hasattr(value, "__len__"):
                pairs.append((v, self._value_number(v, value)))
            else:
                likelihoods.append((v, self._likelihoods(v, value)))
        return (_core.with_likelihoods(self._built, likelihoods) if likelihoods else self._built), pairs

    def _likelihoods(self, v, values):
        values = _numbers(f"evidence of variable {self.names[v]!r}", values)
        if values.shape != (self._cardinalities[v],) or not ((values >= 0) & (values < float("inf"))).all():
            raise UsageError(
                f"argument evidence of variable {self.names[v]!r}: needs a value, or {self._cardinalities[v]} "
                f"likelihoods, 0 or more, not {values.tolist()}"
            )
        return values.tolist()


def _require_text_or_none(argument, value):
    if value is not None and not isinstance(value, str):
        raise UsageError(f"argument {argument}={value!r}: needs a str")


def _numbers(argument, values):
    import numpy as np

    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"argument {argument}: needs an array of numbers") from None
    if np.isnan(numbers).any():
        raise UsageError(f"argument {argument}: has NaN at {tuple(np.argwhere(np.isnan(numbers))[0].tolist())}")
    return numbers


def _arguments(options, limits=_RUN):
    """The keyword arguments of a question as the extension module takes them."""
    limits = {field["name"]: options.pop(field["name"], None) for field in limits}
    return {**run_arguments(**limits), **options}
