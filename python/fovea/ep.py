# SPDX-License-Identifier: Apache-2.0
"""Bayesian models by expectation propagation or variational message passing.

A Model holds variables and the factors that join them. Each call adds a variable, or an array of them where an argument
is an array or `shape` is given. What is known is observed; infer() finds the marginal of everything else:

    >>> from fovea.ep import Model
    >>> m = Model()
    >>> skill = m.gaussian(25, 70, shape=2)
    >>> lead = m.linear([1, -1], list(skill), noise_variance=35)
    >>> m.observe(m.greater_than(lead), True)
    >>> posterior = m.infer()
    >>> posterior[skill].mean.round(2).tolist()
    [29.22, 20.78]

A factor may be a Python function that draws a child from its parents, or gives the log density of one. Its messages
come from draws at first; they are learned meanwhile, and recalled without a call of Python once the prediction is good:

    >>> import numpy as np
    >>> m = Model()
    >>> dose = m.gaussian(0, 4, shape=3)
    >>> cured = m.bernoulli(m.factor(lambda x: 1 / (1 + np.exp(-x)), dose, child="beta", batched=True))
    >>> m.observe(cured, [True, True, False])
    >>> m.infer(max_marginal_kl=1e-3).converged
    True

An expensive simulator is called rarely: messages come from a line through a few of its values
(oracle="sigma-points"), and values are recalled where they can be interpolated. Unknowns that its runs share belong in
one vector:

    >>> m = Model()
    >>> theta = m.vector([0, 0], [[1, 0], [0, 1]])
    >>> times = np.linspace(0, 3, 12)
    >>> seen = 2 * np.exp(-.7 * times)
    >>> level = m.factor(lambda v, t: np.exp(v[0] - np.exp(v[1]) * t), theta, times, oracle="sigma-points")
    >>> m.observe(m.linear([1], [level], noise_variance=.01), seen)
    >>> posterior = m.infer(max_marginal_kl=1e-4)
    >>> np.exp(posterior[theta].mean).round(1).tolist()
    [2.0, 0.7]
"""

from __future__ import annotations

import inspect
import os
import threading
from typing import TYPE_CHECKING, Any

from fovea import _core
from fovea._ep_fit import Fit, FittedModel, check, fit, load_fit
from fovea._ep_posterior import Marginal, Posterior
from fovea._ep_variables import Variable, each, list_of, number_of, numbers_of, objects, row_of
from fovea._errors import UsageError
from fovea._logistic import LogisticRegression
from fovea._run import run_arguments, seed_of
from fovea._signature import takes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

__all__ = [
    "Fit",
    "FittedModel",
    "LogisticRegression",
    "Marginal",
    "Model",
    "Posterior",
    "Variable",
    "check",
    "fit",
    "load_fit",
]

_OPTIONS = _core.ep_options()


# ---- Factors of Python


class _Functions:
    """The functions of a factor, as the library calls them: for many draws at once."""

    def __init__(self, name, sampler, density, sizes, batched):
        self.name, self.batched, self.sizes = name, batched, sizes
        self.sampler, self.density = sampler, density
        self.takes_rng = sampler is not None and _takes_rng(sampler, len(sizes))

    def sample(self, columns, count, seed):
        """The children of these parents, [number][draw]: [draw]."""
        import numpy as np

        # A request that is repeated has the same seed, and so the same draws: estimates settle.
        last = (np.random.default_rng(seed),) if self.takes_rng else ()
        return self._call("sampler", self.sampler, self._parents(columns), last, count)

    def _parents(self, columns):
        """Parents of numbers: [draw] of each, [draw][dimension] of a vector."""
        import numpy as np

        parents, first = [], 0
        for size in self.sizes:
            parents.append(columns[first] if size is None else np.stack(columns[first : first + size], axis=1))
            first += size or 1
        return parents

    def log_density(self, columns, count, seed):
        """The log densities of these children and parents, [variable][draw]: [draw]."""
        return self._call("log_density", self.density, columns, (), count)

    def _call(self, what, function, columns, last, count):
        import numpy as np

        if self.batched:
            answer = function(*columns, *last)
        elif columns:
            answer = [function(*values, *last) for values in zip(*(c if c.ndim > 1 else c.tolist() for c in columns))]
        else:
            answer = [function(*last) for _ in range(count)]
        try:
            numbers = np.asarray(answer, dtype=np.float64)
        except (TypeError, ValueError):
            wrong = answer if self.batched else next((a for a in answer if not np.isscalar(a)), answer[0])
            raise UsageError(f"factor {self.name!r}: its {what} returned {wrong!r:.80}: needs numbers") from None
        if numbers.shape != (count,):
            each = "an array of one number for each draw" if self.batched else "one number"
            got = numbers.shape if self.batched else numbers.shape[1:]
            raise UsageError(f"factor {self.name!r}: its {what} returned an array of the shape {got}: needs {each}")
        return np.ascontiguousarray(numbers)


def _takes_rng(sampler, parents):
    """True if the sampler asks for a generator after its parents."""
    try:
        signature = inspect.signature(sampler)
    except (TypeError, ValueError):
        return False
    names = list(signature.parameters)
    if names[parents : parents + 1] == ["rng"]:
        return True
    for count in (parents, parents + 1):  # a parameter with a default is the caller's own, and no place for rng
        try:
            signature.bind(*range(count))
        except TypeError:
            continue
        return count > parents
    raise UsageError(
        f"a factor of {parents} parents: its sampler takes {signature}, needs f(*parents, rng) or f(*parents)"
    )


class Model:
    """Variables and the factors that join them.

    random_state: seed of the draws that factors of Python are given; the same model gives the same answer.

    Parents are variables of this model, or numbers, which stand for constants. Methods that add variables take arrays
    of parents and numbers, which broadcast, and `shape`, for more children of the same parents; they return a Variable,
    or a NumPy array of them.
    """

    def __init__(self, *, random_state: Any = None) -> None:
        self._core = _core.EpModel()
        self._seed = seed_of(random_state)
        self._functions = []
        self._named = {}
        self._dimensions = {}  # of vectors, by their numbers
        self._lock = threading.RLock()

    def __reduce__(self):
        raise TypeError("a Model cannot be pickled: keep what it learned by save_operator, and its observations")

    def _add(self, make, shape, *arguments):
        return each(lambda *a: Variable(self, make(*a)), shape, *arguments)

    def _id(self, parent):
        if isinstance(parent, Variable):
            if parent._model is not self:
                raise UsageError(f"{parent!r} is a variable of another model")
            return parent.number
        return self._core.constant(number_of("parent", parent))

    # ---- Variables with a prior

    def gaussian(self, mean: Any, variance: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Real numbers of this mean and variance."""
        return self._add(
            lambda m, v: self._core.gaussian(number_of("mean", m), number_of("variance", v)), shape, mean, variance
        )

    def gamma(self, shape_parameter: Any, rate: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Positive numbers of the mean shape_parameter / rate and the variance shape_parameter / rate ** 2."""
        make = self._core.gamma
        return self._add(
            lambda a, b: make(number_of("shape_parameter", a), number_of("rate", b)), shape, shape_parameter, rate
        )

    def beta(self, a: Any, b: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Probabilities of the mean a / (a + b), worth a + b observations."""
        return self._add(lambda a, b: self._core.beta(number_of("a", a), number_of("b", b)), shape, a, b)

    def dirichlet(self, counts: ArrayLike, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Probabilities of len(counts) categories, worth sum(counts) observations."""
        counts = row_of("counts", counts)
        return self._add(lambda: self._core.dirichlet(counts), shape)

    def vector(self, mean: Any, covariance: ArrayLike, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Vectors with a Gaussian prior: mean, [d], and covariance, [d][d]."""
        mean, covariance = row_of("mean", mean), numbers_of("covariance", covariance)
        if covariance.shape != (len(mean), len(mean)):
            raise UsageError(f"argument covariance has the shape {covariance.shape}: needs {(len(mean), len(mean))}")

        def make():
            number = self._core.vector(mean, covariance.ravel().tolist())
            self._dimensions[number] = len(mean)
            return number

        return self._add(make, shape)

    def constant(self, value: Any) -> Any:
        """Known numbers, as parents; a number given as a parent does the same."""
        return self._add(lambda v: self._core.constant(number_of("value", v)), None, value)

    # ---- Children of factors whose messages are known in closed form

    def linear(
        self,
        factors: ArrayLike,
        parents: Any,
        *,
        offset: Any = 0,
        noise_variance: Any = 0,
        shape: int | tuple[int, ...] | None = None,
    ) -> Any:
        """Gaussians: the sum of factors[i] * parents[i], plus the offset and Gaussian noise. parents: a list of
        Gaussians, each a variable or an array of them."""
        factors, parents = row_of("factors", factors), list_of("parents", parents)

        def make(o, n, *p):
            ids = [self._id(v) for v in p]
            return self._core.linear(factors, ids, number_of("offset", o), number_of("noise_variance", n))

        return self._add(make, shape, offset, noise_variance, *parents)

    def dot(self, x: Any, vector: Any, *, offset: Any = 0, noise_variance: Any = 0) -> Any:
        """Gaussians: the scalar product of x and a vector variable, plus the offset and noise. x: [d], or [n][d] for n
        children."""
        x, offset, noise = numbers_of("x", x), number_of("offset", offset), number_of("noise_variance", noise_variance)
        if x.ndim not in (1, 2):
            raise UsageError(f"argument x has {x.ndim} dimensions: needs [d] or [n][d]")
        parent = self._id(vector)
        rows = x.tolist() if x.ndim == 2 else [x.tolist()]
        children = [Variable(self, self._core.dot(row, parent, offset, noise)) for row in rows]
        return objects(children) if x.ndim == 2 else children[0]

    def normal(self, mean: Any, precision: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Gaussians of an unknown mean, a Gaussian, and an unknown precision (1 / variance), a Gamma."""
        return self._add(lambda m, p: self._core.normal(self._id(m), self._id(p)), shape, mean, precision)

    def max(self, first: Any, second: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """The larger of two Gaussians."""
        return self._add(lambda a, b: self._core.max(self._id(a), self._id(b)), shape, first, second)

    def greater_than(self, gaussian: Any, threshold: Any = 0, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Truth values: whether a Gaussian is greater than the threshold, a number."""
        make = self._core.greater_than
        return self._add(lambda g, t: make(self._id(g), number_of("threshold", t)), shape, gaussian, threshold)

    def bernoulli(self, beta: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Truth values of this probability, a Beta."""
        return self._add(lambda b: self._core.bernoulli(self._id(b)), shape, beta)

    def categorical(self, dirichlet: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Labels from 0 on, of these probabilities, a Dirichlet."""
        return self._add(lambda d: self._core.categorical(self._id(d)), shape, dirichlet)

    def poisson(self, gamma: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Counts of this mean, a Gamma."""
        return self._add(lambda g: self._core.poisson(self._id(g)), shape, gamma)

    def logistic(self, gaussian: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Probabilities, Betas: 1 / (1 + exp(-gaussian))."""
        return self._add(lambda g: self._core.logistic(self._id(g)), shape, gaussian)

    def gamma_of_rate(self, shape_parameter: Any, gamma: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Gammas of this shape parameter, a number, and an unknown rate, a Gamma."""
        make = self._core.gamma_of_rate
        return self._add(lambda s, g: make(number_of("shape_parameter", s), self._id(g)), shape, shape_parameter, gamma)

    def pick(self, selector: Any, options: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """The option that the selector names, a truth value (False the first, True the second) or a label."""
        options = list_of("options", options)
        make = self._core.pick
        return self._add(lambda s, *o: make(self._id(s), [self._id(v) for v in o]), shape, selector, *options)

    def pick_normal(
        self, selector: Any, means: Any, precisions: Any, *, shape: int | tuple[int, ...] | None = None
    ) -> Any:
        """Gaussians of the mean and precision of the case that the selector names. means: a list of Gaussians, one for
        each case; precisions: a list of Gammas, one for each case or one for all."""
        means, precisions = list_of("means", means), list_of("precisions", precisions)

        def make(s, *rest):
            ids = [self._id(v) for v in rest]
            return self._core.pick_normal(self._id(s), ids[: len(means)], ids[len(means) :])

        return self._add(make, shape, selector, *means, *precisions)

    def pick_categorical(self, selector: Any, rows: Any, *, shape: int | tuple[int, ...] | None = None) -> Any:
        """Labels of the probabilities in the row that the selector names, such as the next state of a Markov chain. rows:
        a list of Dirichlets, one for each case."""
        rows = list_of("rows", rows)
        make = self._core.pick_categorical
        return self._add(lambda s, *r: make(self._id(s), [self._id(v) for v in r]), shape, selector, *rows)

    # ---- Factors of Python

    @takes(_OPTIONS["factor"])
    def factor(
        self,
        function: Callable[..., Any] | str | None,
        *parents: Any,
        log_density: Callable[..., Any] | None = None,
        name: str | None = None,
        child: str = "gaussian",
        batched: bool = False,
        shape: int | tuple[int, ...] | None = None,
        recall: bool = True,
        **options: Any,
    ) -> Any:
        """Children of a factor that is a function of Python.

        function: f(*parents, rng) or f(*parents) draws the child given its parents, which are floats, or arrays [d] if
            they are vectors (which needs oracle="sigma-points"); rng is a NumPy Generator, seeded anew for each
            message, so that runs repeat. It is given to functions that need one argument more than parents, or call it
            rng. Or the name of a factor that was added before. None if only the density is known.
        log_density: f(child, *parents), the natural logarithm of the child's density given its parents, -inf where it
            cannot be. With it the child may be observed directly.
        name: of the factor, in reports and files. Factors of one name share what is learned of them; by default a
            function has its own name, and the same function the same factor.
        child: the family of the child: "gaussian", "gamma", "beta", "bernoulli" or "poisson".
        batched: the functions take arrays of draws, one for each parent ([draw][d] for a vector), and return an array
            of as many numbers. That is many times as fast, but not what every function can do: rng.normal() draws one
            number for all.
        recall: learn the messages while they are computed, and recall them once the prediction is good; with
            oracle="sigma-points", the values of the function.

        Functions are called on another thread, by infer(). What they raise arrives there unchanged.
        """
        with self._lock:
            sizes = self._sizes(parents)
            name, number, options = self._define(
                function, log_density, sizes, name, batched, child=child, recall=recall, **options
            )
            make = self._core.factor
            first = [number]  # the first child defines the factor

            def add(*p):
                ids = [self._id(v) for v in p]
                if first[0] is None:
                    return make(name, None, ids)
                made = make(name, first[0], ids, **options)
                first[0] = None
                return made

            before = len(self._functions)
            try:
                return self._add(add, shape, *parents)
            finally:
                if number is not None and first[0] is not None:  # nothing was added
                    del self._functions[before - 1 :]
                    self._named.pop(name, None)

    def _sizes(self, parents):
        """The dimensions of parents that are vectors; None for numbers."""
        sizes = []
        for parent in parents:
            first = next(iter(objects(parent).reshape(-1)), None)
            sizes.append(self._dimensions.get(first.number) if isinstance(first, Variable) else None)
        return tuple(sizes)

    def _define(self, function, log_density, sizes, name, batched, **options):
        """The factor's name, the number of its functions if it is new, and its options."""
        if isinstance(function, str):
            if function not in self._named:
                raise UsageError(f"the model has no factor {function!r}: give its function first")
            return function, None, {}
        for what, f in (("function", function), ("log_density", log_density)):
            if f is not None and not callable(f):
                raise UsageError(f"argument {what}={f!r}: needs a function")
        if function is None and log_density is None:
            raise UsageError("a factor needs a function that draws its child, or a log_density")
        key = (function, log_density, sizes, bool(batched), tuple(sorted(options.items())))
        if name is None:
            name = self._own_name(function or log_density, key)
        if name in self._named:
            if self._named[name] != key:
                raise UsageError(f"argument name={name!r}: the model has another factor of this name")
            return name, None, {}
        self._functions.append(_Functions(name, function, log_density, sizes, bool(batched)))
        self._named[name] = key
        options = {n: v for n, v in options.items() if v is not None}
        flags = {"has_sampler": function is not None, "has_density": log_density is not None, "seed": self._seed}
        return name, len(self._functions) - 1, {**flags, **options}

    def _own_name(self, function, key):
        own = getattr(function, "__name__", type(function).__name__)
        count = 1
        while True:
            name = own if count == 1 else f"{own} {count}"
            if self._named.get(name, key) == key:
                return name
            count += 1

    # ---- Observations and answers

    def observe(self, variables: Any, values: Any) -> None:
        """Sets the values of variables; arrays broadcast. Truth values are True and False or 1 and 0."""

        def see(variable, value):
            if not isinstance(variable, Variable):
                raise UsageError(f"observe: {variable!r} is not a variable")
            self._core.observe(self._id(variable), number_of("values", value))

        each(see, None, variables, values)

    def evidence(self, variables: Any, family: str, *parameters: Any) -> None:
        """Multiplies the priors of variables by evidence from elsewhere, of their family: "gaussian" with a mean and a
        variance, "gamma" with shape and rate, "beta" with two counts, "bernoulli" with a probability, or "poisson"
        with a mean."""
        wanted = 1 if family in ("bernoulli", "poisson") else 2
        if len(parameters) != wanted:
            raise UsageError(f"evidence of the family {family!r}: needs {wanted} parameters, not {len(parameters)}")

        def see(variable, *values):
            numbers = [number_of("parameters", v) for v in values]
            self._core.evidence(self._id(variable), family, numbers[0], numbers[-1])

        each(see, None, variables, *parameters)

    @takes(_OPTIONS["infer"])
    def infer(
        self,
        *,
        time_limit: float | str | None = None,
        progress: bool | Callable[[dict[str, Any]], object] | None = None,
        **options: Any,
    ) -> Posterior:
        """The marginals of all variables: a Posterior.

        Goes on from the last state if the model has been solved before. Ctrl-C and the time limit end it with what is
        known so far.
        """
        run = run_arguments(time_limit, None, None, None, progress)
        options = {n: v for n, v in options.items() if v is not None}
        record, interrupted = self._core.infer(list(self._functions), **run, **options)
        return Posterior(self, record, interrupted)

    def save_operator(self, name: str | None, path: str | os.PathLike[str]) -> None:
        """Writes to a file what was learned of the messages of a factor."""
        self._core.save_operator(name, os.fspath(path))

    def load_operator(self, name: str | None, path: str | os.PathLike[str]) -> None:
        """Reads what another model learned of the messages of the same factor."""
        self._core.load_operator(name, os.fspath(path))

    def __repr__(self) -> str:
        return f"Model({len(self._named)} factors of Python)" if self._named else "Model()"
