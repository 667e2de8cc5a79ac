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

import os

from fovea import _core
from fovea._errors import UsageError
from fovea._run import run_arguments

__all__ = ["Draws", "FactorGraph", "MapAnswer", "Marginals", "Partition", "Variable"]


class Variable:
    """A variable of a FactorGraph: its number, its name or None, and the names of its values or None."""

    __slots__ = ("cardinality", "name", "number", "states")

    def __init__(self, number, name, cardinality, states):
        self.number, self.name, self.cardinality, self.states = number, name, cardinality, states

    def __index__(self):
        return self.number

    def __repr__(self):
        return f"Variable({self.number if self.name is None else self.name!r}, {self.cardinality})"


class _Answer:
    """Status, method, cost and phases of an answer."""

    def __init__(self, graph, record):
        self._graph = graph
        #: "exact", "best so far" or "estimate"
        self.status = record["status"]
        #: what the answer comes from
        self.method = record["method"]
        #: of wall-clock time
        self.seconds = record["seconds"]
        #: True if Ctrl-C ended the work before it was done
        self.interrupted = record["interrupted"]
        #: what was done, step by step: dicts with name, seconds and outcome
        self.phases = record["phases"]


class MapAnswer(_Answer):
    """The best assignment found, with a bound on the best there is."""

    def __init__(self, graph, record):
        super().__init__(graph, record)
        #: [variable], the number of each variable's value: a NumPy array
        self.values = record["values"]
        #: log score of `values`
        self.score = record["score"]
        #: no assignment has a higher log score than this
        self.bound = record["bound"]
        #: further good assignments, best first: pairs of values and score
        self.diverse = record.get("diverse", [])

    @property
    def gap(self):
        """How much higher the best log score may be, at most."""
        return self.bound - self.score

    @property
    def optimal(self):
        """True if it is proved that no assignment is better."""
        return self.status == "exact"

    def __getitem__(self, variable):
        """The value of a variable: its name where it has one, else its number."""
        v = self._graph._number(variable)
        return self._graph._value_name(v, int(self.values[v]))

    def _repr_html_(self):
        from fovea._html import table

        names = self._graph.names
        rows = [(names[v], str(self[v])) for v in range(min(len(names), 20))]
        more = f"and {len(names) - 20} more variables" if len(names) > 20 else ""
        return table(repr(self), ("variable", "value"), rows, more)

    def __repr__(self):
        best = "optimal" if self.optimal else f"at most {self.gap:.6g} below the best"
        return f"MapAnswer(score={self.score:.6g}, {best}, {self.seconds:.3g} s)"


class Partition(_Answer):
    """The natural logarithm of the partition function."""

    def __init__(self, graph, record):
        super().__init__(graph, record)
        self.log_partition = record["log_partition"]
        #: standard error; 0 if exact, NaN if not known
        self.log_partition_error = record["log_partition_error"]
        self.log_partition_bound = record["log_partition_bound"]

    def __float__(self):
        return self.log_partition

    def __repr__(self):
        return f"{type(self).__name__}(log_partition={self.log_partition:.6g}, {self.status}, {self.seconds:.3g} s)"


class Marginals(Partition):
    """The distribution of every variable: index it by variable, name or number."""

    def __init__(self, graph, record):
        super().__init__(graph, record)
        self._probabilities, self._begin = record["probabilities"], record["begin"]
        #: the largest standard error of the probabilities; 0 if exact, NaN if not known
        self.standard_error = record["standard_error"]
        #: of chains, where the answer comes from them: "mixed", "not mixed", "cannot tell" or None
        self.mixing = record["mixing"]
        self.r_hat = record["r_hat"]
        self.effective_draws = record["effective_draws"]

    def __len__(self):
        return len(self._begin) - 1

    def __getitem__(self, variable):
        """[value], probabilities that sum to 1: a NumPy array."""
        v = self._graph._number(variable)
        return self._probabilities[self._begin[v] : self._begin[v + 1]]

    def __iter__(self):
        return (self[v] for v in range(len(self)))

    def _repr_html_(self):
        from fovea._html import table

        names = self._graph.names
        rows = [(names[v], ", ".join(f"{self._graph._value_name(v, k)}: {p:.4g}" for k, p in enumerate(self[v])))
                for v in range(min(len(self), 20))]
        more = f"and {len(names) - 20} more variables" if len(names) > 20 else ""
        return table(repr(self), ("variable", "probabilities"), rows, more)

    def chart(self, variables=None):
        """A Vega-Lite chart, as a dict, of the probabilities of some variables (the first ten, unless named)."""
        names = self._graph.names
        chosen = range(min(10, len(self))) if variables is None else [self._graph._number(v) for v in variables]
        data = [{"variable": names[v], "value": str(self._graph._value_name(v, k)), "probability": float(p)}
                for v in chosen for k, p in enumerate(self[v])]
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


class Draws:
    """Draws from a model: `values` is [chain][draw][variable], the numbers of values."""

    def __init__(self, graph, record):
        self._graph = graph
        self.values = record["draws"]
        self.interrupted = record["interrupted"]
        self.mean_sweeps = record["mean_sweeps"]
        self.temperatures = record["temperatures"]

    def __getitem__(self, variable):
        """[chain][draw] of one variable."""
        return self.values[:, :, self._graph._number(variable)]

    def to_arviz(self):
        """An arviz InferenceData whose posterior has one entry for each variable."""
        import arviz

        names = self._graph.names
        return arviz.from_dict(posterior={names[v]: self.values[:, :, v] for v in range(len(names))})

    def __repr__(self):
        chains, draws, variables = self.values.shape
        return f"Draws({chains} chains, {draws} draws, {variables} variables)"


class FactorGraph:
    """A distribution over variables with finitely many values: p(y) is proportional to the product of its factors."""

    def __init__(self):
        self._builder = _core.GraphBuilder()
        self._graph = None
        self._cardinalities = []
        self._names = []
        self._states = []
        self._by_name = {}

    # ---- Building

    def variable(self, name=None, states=2):
        """Adds a variable and returns it. `states`: how many values it has, or a list of their names."""
        _require_text_or_none("name", name)
        labels = None
        if isinstance(states, (list, tuple)):
            labels = [str(state) for state in states]
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

    def variables(self, cardinalities):
        """Adds many variables without names; returns the number of the first. `cardinalities`: [variable]."""
        return self._add_variables(cardinalities)

    def factor(self, variables, table):
        """Multiplies p(y) by a table of weights, not negative: its shape is that of the variables, in their order."""
        import numpy as np

        with np.errstate(divide="ignore"):
            weights = _numbers("table", table)
            if (weights < 0).any():
                raise UsageError(f"argument table of a factor over {variables!r}: has the weight {weights.min()}, below 0")
            scores = np.log(weights)
        self.log_factor(variables, scores)

    def log_factor(self, variables, scores):
        """The same with log weights; -inf makes an assignment impossible."""
        import numpy as np

        numbers = [self._number(v) for v in variables]
        scores = _numbers("scores", scores)
        shape = tuple(self._cardinalities[v] for v in numbers)
        if scores.shape != shape and not (scores.ndim == 1 and scores.size == int(np.prod(shape))):
            raise UsageError(f"a factor over {list(variables)!r} needs a table of shape {shape}, not {scores.shape}")
        self._add_factors(np.array([numbers], dtype=np.int64).reshape(1, len(numbers)), scores.reshape(1, -1))

    def log_factors(self, variables, scores):
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
        if self._builder is None:
            raise UsageError("the graph has been asked already, and cannot change; build another one")
        return self._builder

    @property
    def _built(self):
        if self._graph is None:
            self._graph, self._builder = self._builder.build(), None
        return self._graph

    # ---- Files

    @classmethod
    def read(cls, path, format=None):
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

    def write(self, path, format=None):
        """Writes the model in a format of `read`."""
        named = any(name is not None for name in self._names)
        states = [s or [] for s in self._states] if any(self._states) else []
        _core.write_graph(os.fspath(path), self._built, self.names if named else [], states, format or "")

    # ---- Other libraries

    @classmethod
    def from_pgmpy(cls, model):
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
    def from_pyagrum(cls, model):
        """The same model as one of pyAgrum's Bayesian or Markov networks."""
        self = cls()
        for node in model.nodes():
            variable = model.variable(node)
            self.variable(variable.name(), list(variable.labels()))
        tables = [model.cpt(n) for n in model.nodes()] if hasattr(model, "cpt") else [model.factor(f) for f in model.factors()]
        for table in tables:
            self.factor(list(reversed(table.names)), table.toarray())  # its last axis is the first variable
        return self

    def to_pgmpy(self):
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

    def factors(self):
        """The factors, in order: pairs of the numbers of variables and log weights, [value of first]...[of last]."""
        graph = self._built
        for f in range(graph.factor_count):
            yield tuple(graph.scope(f)), graph.table(f)

    # ---- Asking

    def solve(self, *, evidence=None, start=None, time_limit=None, budget=None, threads=None, random_state=None,
              progress=None, **options):
        """Finds the likeliest assignment, with a bound on the best log score."""
        run = run_arguments(time_limit, budget, threads, random_state, progress)
        start = [] if start is None else [int(value) for value in start]
        return MapAnswer(self, self._built.solve(self._evidence(evidence), start, **run, **options))

    def marginals(self, *, evidence=None, time_limit=None, budget=None, threads=None, random_state=None, progress=None,
                  **options):
        """Finds the distribution of every variable, given the evidence."""
        run = run_arguments(time_limit, budget, threads, random_state, progress)
        return Marginals(self, self._built.marginals(self._evidence(evidence), **run, **options))

    def log_partition(self, *, evidence=None, time_limit=None, budget=None, threads=None, random_state=None,
                      progress=None, **options):
        """Finds the log of the sum over all assignments that agree with the evidence."""
        run = run_arguments(time_limit, budget, threads, random_state, progress)
        return Partition(self, self._built.log_partition(self._evidence(evidence), **run, **options))

    def marginal_map(self, query, *, evidence=None, time_limit=None, budget=None, threads=None, random_state=None,
                     progress=None, **options):
        """Finds the likeliest values of some variables, with the others summed out."""
        run = run_arguments(time_limit, budget, threads, random_state, progress)
        query = [self._number(v) for v in query]
        return MapAnswer(self, self._built.marginal_map(query, self._evidence(evidence), **run, **options))

    def sample(self, *, evidence=None, time_limit=None, budget=None, threads=None, random_state=None, progress=None,
               **options):
        """Draws from the model by Markov chains, given the evidence."""
        run = run_arguments(time_limit, budget, threads, random_state, progress)
        return Draws(self, self._built.sample(self._evidence(evidence), **run, **options))

    def log_score(self, values):
        """The log of the product of all factors at an assignment: [variable], numbers of values."""
        return self._built.log_score([int(value) for value in values])

    # ---- Names

    @property
    def names(self):
        """[variable], its name, or its number as a text."""
        return [str(v) if name is None else name for v, name in enumerate(self._names)]

    def __len__(self):
        return len(self._cardinalities)

    def _repr_html_(self):
        from fovea._html import table

        rows = [(name, str(c), ", ".join(s) if s else "") for name, c, s in zip(self.names[:20], self._cardinalities, self._states)]
        more = f"and {len(self) - 20} more variables" if len(self) > 20 else ""
        return table(repr(self), ("variable", "values", "names"), rows, more)

    def __repr__(self):
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

    def _value_name(self, v, value):
        return value if self._states[v] is None else self._states[v][value]

    def _value_number(self, v, value):
        if isinstance(value, str):
            states = self._states[v]
            if states is None or value not in states:
                raise UsageError(f"variable {self.names[v]!r} has no value {value!r}"
                                 + (f": it has {', '.join(states)}" if states else ""))
            return states.index(value)
        return int(value)

    def _evidence(self, evidence):
        pairs = []
        for variable, value in (evidence or {}).items():
            v = self._number(variable)
            pairs.append((v, self._value_number(v, value)))
        return pairs


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
