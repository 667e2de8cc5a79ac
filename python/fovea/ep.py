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
"""

import inspect
import os
import threading

from fovea import _core
from fovea._errors import UsageError
from fovea._estimator import Estimator, not_fitted, two_class_tags, with_parameters
from fovea._run import run_arguments, seed_of

__all__ = ["LogisticRegression", "Marginal", "Model", "Posterior", "Variable"]

_OPTIONS = _core.ep_options()


class Variable:
    """A variable of a Model. `number`: its place in the model, from 0 on."""

    __slots__ = ("_model", "number")

    def __init__(self, model, number):
        self._model, self.number = model, number

    def __repr__(self):
        return f"Variable({self.number})"

    def __reduce__(self):
        raise TypeError("a Variable belongs to a Model in memory, which cannot be pickled")


# ---- Arrays of variables


def _objects(argument):
    """An array of objects: variables or numbers, in the shape that the argument has."""
    import numpy as np

    if isinstance(argument, Variable):
        array = np.empty((), dtype=object)
        array[()] = argument
        return array
    return np.asarray(argument, dtype=object)


def _shape_of(shape):
    import numpy as np

    sizes = () if shape is None else (shape if isinstance(shape, (tuple, list)) else (shape,))
    if any(isinstance(n, bool) or not hasattr(n, "__index__") or n < 0 for n in sizes):
        raise UsageError(f"argument shape={shape!r}: needs a whole number or a tuple of them")
    return np.broadcast_shapes(tuple(int(n) for n in sizes))


def _each(function, shape, *arguments):
    """Calls function(number or variable, ...) for each element of the arguments, which broadcast as NumPy's do. The
    answers have that shape; one that has no dimensions comes back by itself."""
    import numpy as np

    arrays = [_objects(a) for a in arguments]
    try:
        common = np.broadcast_shapes(_shape_of(shape), *(a.shape for a in arrays))
    except ValueError:
        shapes = ", ".join(str(a.shape) for a in arrays) or "()"
        text = f"arguments of the shapes {shapes} do not broadcast to each other and to shape={shape!r}"
        raise UsageError(text) from None
    answers = np.empty(common, dtype=object)
    flat = answers.reshape(-1)
    columns = [np.broadcast_to(a, common).reshape(-1) for a in arrays]
    for i in range(len(flat)):
        flat[i] = function(*(column[i] for column in columns))
    return answers[()]


def _number(name, value):
    import math

    try:
        number = None if isinstance(value, (str, bytes)) else float(value)
    except (TypeError, ValueError):
        number = None
    if number is None or not math.isfinite(number):
        raise UsageError(f"argument {name}={value!r}: needs a finite number")
    return number


def _numbers(name, values):
    import numpy as np

    try:
        array = np.asarray(values)
        if array.dtype.kind not in "c":  # to real numbers NumPy would convert these without a word
            array = np.ascontiguousarray(array, dtype=float)
    except (TypeError, ValueError):
        array = None
    if array is None or array.dtype.kind != "f":
        raise UsageError(f"argument {name}: needs real numbers, in rows of one length")
    if not np.isfinite(array).all():
        place = tuple(np.argwhere(~np.isfinite(array))[0])
        where = name + "".join(f"[{i}]" for i in place)
        raise UsageError(f"argument {where} is {array[place]}: needs a finite number")
    return array


# ---- Factors of Python


class _Functions:
    """The functions of a factor, as the library calls them: for many draws at once."""

    def __init__(self, name, sampler, density, parents, batched):
        self.name, self.batched = name, batched
        self.sampler, self.density = sampler, density
        self.takes_rng = sampler is not None and _takes_rng(sampler, parents)

    def sample(self, columns, count, seed):
        """The children of these parents, [parent][draw]: [draw]."""
        import numpy as np

        # A request that is repeated has the same seed, and so the same draws: estimates settle.
        last = (np.random.default_rng(seed),) if self.takes_rng else ()
        return self._call("sampler", self.sampler, columns, last, count)

    def log_density(self, columns, count, seed):
        """The log densities of these children and parents, [variable][draw]: [draw]."""
        return self._call("log_density", self.density, columns, (), count)

    def _call(self, what, function, columns, last, count):
        import numpy as np

        if self.batched:
            answer = function(*columns, *last)
        elif columns:
            answer = [function(*values, *last) for values in zip(*(c.tolist() for c in columns))]
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
    """True if the sampler has a place for a generator after its parents."""
    try:
        signature = inspect.signature(sampler)
    except (TypeError, ValueError):
        return False
    for count in (parents + 1, parents):
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

    def __init__(self, *, random_state=None):
        self._core = _core.EpModel()
        self._seed = seed_of(random_state)
        self._functions = []
        self._named = {}
        self._lock = threading.RLock()

    def __reduce__(self):
        raise TypeError("a Model cannot be pickled: keep what it learned by save_operator, and its observations")

    def _add(self, make, shape, *arguments):
        return _each(lambda *a: Variable(self, make(*a)), shape, *arguments)

    def _id(self, parent):
        if isinstance(parent, Variable):
            if parent._model is not self:
                raise UsageError(f"{parent!r} is a variable of another model")
            return parent.number
        return self._core.constant(_number("parent", parent))

    # ---- Variables with a prior

    def gaussian(self, mean, variance, *, shape=None):
        """Real numbers of this mean and variance."""
        return self._add(
            lambda m, v: self._core.gaussian(_number("mean", m), _number("variance", v)), shape, mean, variance
        )

    def gamma(self, shape_parameter, rate, *, shape=None):
        """Positive numbers of the mean shape_parameter / rate and the variance shape_parameter / rate ** 2."""
        make = self._core.gamma
        return self._add(
            lambda a, b: make(_number("shape_parameter", a), _number("rate", b)), shape, shape_parameter, rate
        )

    def beta(self, a, b, *, shape=None):
        """Probabilities of the mean a / (a + b), worth a + b observations."""
        return self._add(lambda a, b: self._core.beta(_number("a", a), _number("b", b)), shape, a, b)

    def dirichlet(self, counts, *, shape=None):
        """Probabilities of len(counts) categories, worth sum(counts) observations."""
        counts = _row("counts", counts)
        return self._add(lambda: self._core.dirichlet(counts), shape)

    def vector(self, mean, covariance, *, shape=None):
        """Vectors with a Gaussian prior: mean, [d], and covariance, [d][d]."""
        mean, covariance = _row("mean", mean), _numbers("covariance", covariance)
        if covariance.shape != (len(mean), len(mean)):
            raise UsageError(f"argument covariance has the shape {covariance.shape}: needs {(len(mean), len(mean))}")
        return self._add(lambda: self._core.vector(mean, covariance.ravel().tolist()), shape)

    def constant(self, value):
        """Known numbers, as parents; a number given as a parent does the same."""
        return self._add(lambda v: self._core.constant(_number("value", v)), None, value)

    # ---- Children of factors whose messages are known in closed form

    def linear(self, factors, parents, *, offset=0, noise_variance=0, shape=None):
        """Gaussians: the sum of factors[i] * parents[i], plus the offset and Gaussian noise. parents: a list of
        Gaussians, each a variable or an array of them."""
        factors, parents = _row("factors", factors), _list("parents", parents)

        def make(o, n, *p):
            ids = [self._id(v) for v in p]
            return self._core.linear(factors, ids, _number("offset", o), _number("noise_variance", n))

        return self._add(make, shape, offset, noise_variance, *parents)

    def dot(self, x, vector, *, offset=0, noise_variance=0):
        """Gaussians: the scalar product of x and a vector variable, plus the offset and noise. x: [d], or [n][d] for n
        children."""
        x, offset, noise = _numbers("x", x), _number("offset", offset), _number("noise_variance", noise_variance)
        if x.ndim not in (1, 2):
            raise UsageError(f"argument x has {x.ndim} dimensions: needs [d] or [n][d]")
        parent = self._id(vector)
        rows = x.tolist() if x.ndim == 2 else [x.tolist()]
        children = [Variable(self, self._core.dot(row, parent, offset, noise)) for row in rows]
        return _objects(children) if x.ndim == 2 else children[0]

    def normal(self, mean, precision, *, shape=None):
        """Gaussians of an unknown mean, a Gaussian, and an unknown precision (1 / variance), a Gamma."""
        return self._add(lambda m, p: self._core.normal(self._id(m), self._id(p)), shape, mean, precision)

    def max(self, first, second, *, shape=None):
        """The larger of two Gaussians."""
        return self._add(lambda a, b: self._core.max(self._id(a), self._id(b)), shape, first, second)

    def greater_than(self, gaussian, threshold=0, *, shape=None):
        """Truth values: whether a Gaussian is greater than the threshold, a number."""
        make = self._core.greater_than
        return self._add(lambda g, t: make(self._id(g), _number("threshold", t)), shape, gaussian, threshold)

    def bernoulli(self, beta, *, shape=None):
        """Truth values of this probability, a Beta."""
        return self._add(lambda b: self._core.bernoulli(self._id(b)), shape, beta)

    def categorical(self, dirichlet, *, shape=None):
        """Labels from 0 on, of these probabilities, a Dirichlet."""
        return self._add(lambda d: self._core.categorical(self._id(d)), shape, dirichlet)

    def poisson(self, gamma, *, shape=None):
        """Counts of this mean, a Gamma."""
        return self._add(lambda g: self._core.poisson(self._id(g)), shape, gamma)

    def logistic(self, gaussian, *, shape=None):
        """Probabilities, Betas: 1 / (1 + exp(-gaussian))."""
        return self._add(lambda g: self._core.logistic(self._id(g)), shape, gaussian)

    def gamma_of_rate(self, shape_parameter, gamma, *, shape=None):
        """Gammas of this shape parameter, a number, and an unknown rate, a Gamma."""
        make = self._core.gamma_of_rate
        return self._add(lambda s, g: make(_number("shape_parameter", s), self._id(g)), shape, shape_parameter, gamma)

    def pick(self, selector, options, *, shape=None):
        """The option that the selector names, a truth value (False the first, True the second) or a label."""
        options = _list("options", options)
        make = self._core.pick
        return self._add(lambda s, *o: make(self._id(s), [self._id(v) for v in o]), shape, selector, *options)

    def pick_normal(self, selector, means, precisions, *, shape=None):
        """Gaussians of the mean and precision of the case that the selector names. means: a list of Gaussians, one for
        each case; precisions: a list of Gammas, one for each case or one for all."""
        means, precisions = _list("means", means), _list("precisions", precisions)

        def make(s, *rest):
            ids = [self._id(v) for v in rest]
            return self._core.pick_normal(self._id(s), ids[: len(means)], ids[len(means) :])

        return self._add(make, shape, selector, *means, *precisions)

    # ---- Factors of Python

    def factor(self, function, *parents, log_density=None, name=None, child="gaussian", batched=False, shape=None,
               quadrature=False, recall=True, **options):  # fmt: skip
        """Children of a factor that is a function of Python.

        function: f(*parents, rng) or f(*parents) draws the child given its parents, which are floats; rng is a NumPy
            Generator, seeded anew for each message, so that runs repeat. Or the name of a factor that was added before.
            None if only the density is known.
        log_density: f(child, *parents), the natural logarithm of the child's density given its parents, -inf where it
            cannot be. With it the child may be observed directly.
        name: of the factor, in reports and files. Factors of one name share what is learned of them; by default a
            function has its own name, and the same function the same factor.
        child: the family of the child: "gaussian", "gamma", "beta", "bernoulli" or "poisson".
        batched: the functions take arrays of draws, one for each parent, and return an array of as many numbers. That
            is many times as fast, but not what every function can do: rng.normal() draws one number for all.
        quadrature: integrate the density on grids, not by draws; for at most three unknown variables.
        recall: learn the messages while they are computed, and recall them once the prediction is good.
        options: samples, adaptive, jit_max_kl and others, as `fovea fit logistic` has them.

        Functions are called on another thread, by infer(). What they raise arrives there unchanged.
        """
        with self._lock:
            name, number, options = self._define(
                function, log_density, len(parents), name, batched, child=child, quadrature=quadrature, recall=recall,
                **options
            )  # fmt: skip
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

    def _define(self, function, log_density, parents, name, batched, **options):
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
        key = (function, log_density, parents, bool(batched), tuple(sorted(options.items())))
        if name is None:
            name = self._own_name(function or log_density, key)
        if name in self._named:
            if self._named[name] != key:
                raise UsageError(f"argument name={name!r}: the model has another factor of this name")
            return name, None, {}
        self._functions.append(_Functions(name, function, log_density, parents, bool(batched)))
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

    def observe(self, variables, values):
        """Sets the values of variables; arrays broadcast. Truth values are True and False or 1 and 0."""

        def see(variable, value):
            if not isinstance(variable, Variable):
                raise UsageError(f"observe: {variable!r} is not a variable")
            self._core.observe(self._id(variable), _number("values", value))

        _each(see, None, variables, values)

    def evidence(self, variables, family, *parameters):
        """Multiplies the priors of variables by evidence from elsewhere, of their family: "gaussian" with a mean and a
        variance, "gamma" with shape and rate, "beta" with two counts, "bernoulli" with a probability, or "poisson"
        with a mean."""
        wanted = 1 if family in ("bernoulli", "poisson") else 2
        if len(parameters) != wanted:
            raise UsageError(f"evidence of the family {family!r}: needs {wanted} parameters, not {len(parameters)}")

        def see(variable, *values):
            numbers = [_number("parameters", v) for v in values]
            self._core.evidence(self._id(variable), family, numbers[0], numbers[-1])

        _each(see, None, variables, *parameters)

    def infer(self, *, time_limit=None, progress=None, **options):
        """The marginals of all variables: a Posterior.

        Goes on from the last state if the model has been solved before. Ctrl-C and the time limit end it with what is
        known so far. Options: algorithm ("ep" or "variational"), schedule ("serial", "parallel" or "residual"),
        iterations, max_marginal_kl, damping, evidence (compute log_evidence too).
        """
        run = run_arguments(time_limit, None, None, None, progress)
        options = {n: v for n, v in options.items() if v is not None}
        record, interrupted = self._core.infer(list(self._functions), **run, **options)
        return Posterior(self, record, interrupted, bool(options.get("evidence", False)))

    def save_operator(self, name, path):
        """Writes to a file what was learned of the messages of a factor."""
        self._core.save_operator(name, os.fspath(path))

    def load_operator(self, name, path):
        """Reads what another model learned of the messages of the same factor."""
        self._core.load_operator(name, os.fspath(path))

    def __repr__(self):
        return f"Model({len(self._named)} factors of Python)" if self._named else "Model()"


def _row(name, values):
    numbers = _numbers(name, values)
    if numbers.ndim != 1 or not len(numbers):
        raise UsageError(f"argument {name} has the shape {numbers.shape}: needs one dimension, not empty")
    return numbers.tolist()


def _list(name, values):
    if isinstance(values, Variable) or not hasattr(values, "__len__") or isinstance(values, str):
        raise UsageError(f"argument {name}: needs a list")
    return list(values)


# ---- Answers


class Marginal:
    """The marginal of a variable, or those of an array of them.

    family: "gaussian", ..., or "point" for a known value; of an array, that of its first variable.
    mean, variance, sd: numbers, or arrays of the shape that the variables have. Of a vector variable: mean is [d] and
    variance the diagonal of the covariance; of labels and Dirichlets they are those of each category. NaN where nothing
    is known.
    """

    def __init__(self, core, variables):
        self._core, self._variables = core, variables

    @property
    def family(self):
        return self._core.family(self._variables.reshape(-1)[0].number)

    @property
    def parameters(self):
        """The family's own parameters by name, of one variable: dicts for an array."""
        return _each(lambda v: self._core.parameters(v.number), None, self._variables)

    @property
    def mean(self):
        return self._moments()[0]

    @property
    def variance(self):
        return self._moments()[1]

    @property
    def sd(self):
        import numpy as np

        return np.sqrt(self._moments()[1])

    def _moments(self):
        import numpy as np

        if self._variables.ndim == 0 and self.family in ("multivariate-gaussian", "dirichlet", "categorical"):
            return _vector_moments(self.parameters)
        means, variances = self._core.moments([v.number for v in self._variables.reshape(-1)])
        shape = self._variables.shape
        if not shape:
            return float(means[0]), float(variances[0])
        return means.reshape(shape), np.asarray(variances).reshape(shape)

    def __repr__(self):
        if self._variables.ndim:
            return f"Marginal({self._variables.shape}, {self.family})"
        parameters = ", ".join(f"{n}={v:.6g}" for n, v in self.parameters.items() if isinstance(v, float))
        return f"Marginal({self.family}{', ' if parameters else ''}{parameters})"


def _vector_moments(parameters):
    import numpy as np

    if "covariance" in parameters:
        return parameters["mean"], np.diag(parameters["covariance"])
    if "counts" in parameters:
        total = parameters["counts"].sum()
        mean = parameters["counts"] / total
        return mean, mean * (1 - mean) / (total + 1)
    if "probabilities" in parameters:
        return parameters["probabilities"], parameters["probabilities"] * (1 - parameters["probabilities"])
    return float("nan"), float("nan")


class Posterior:
    """What inference found. Index it by a variable, or by an array of them, for their Marginal."""

    def __init__(self, model, core, interrupted, has_evidence):
        self._model, self._core = model, core
        #: True if the messages settled
        self.converged = core.converged
        #: log p(observations), where it was asked for by evidence=True; of "variational" a lower bound of it
        self.log_evidence = core.log_evidence if has_evidence else None
        #: updates of all messages
        self.iterations = core.iterations
        #: of messages computed or recalled
        self.messages = core.messages
        #: how much the last iteration changed a marginal at most
        self.largest_marginal_kl = core.largest_marginal_kl
        #: by factor of Python, since the model was made: dicts of messages, recalled, computed, audits, failed_audits
        self.recalled = core.recalled
        #: by factor, updates that were skipped because they would not have been proper
        self.skipped = core.skipped
        #: of wall-clock time
        self.seconds = core.seconds
        #: True if Ctrl-C ended the work before it was done
        self.interrupted = interrupted

    def __getitem__(self, variables):
        """The Marginal of a variable, or of an array or list of them."""
        array = _objects(variables)
        for v in array.reshape(-1):
            if not isinstance(v, Variable) or v._model is not self._model:
                raise UsageError(f"{v!r} is not a variable of the model that was solved")
        return Marginal(self._core, array)

    def _facts(self):
        facts = [("converged", str(self.converged)), ("iterations", str(self.iterations))]
        facts += [("messages", str(self.messages)), ("largest marginal KL", f"{self.largest_marginal_kl:.3g}")]
        if self.log_evidence is not None:
            facts.append(("log evidence", f"{self.log_evidence:.6g}"))
        for name, counts in self.recalled.items():
            facts.append((f"factor {name!r}", f"{counts['recalled']} of {counts['messages']} messages recalled"))
        return [*facts, ("seconds", f"{self.seconds:.3g}")]

    def _repr_html_(self):
        from fovea._html import table

        return table(repr(self), ("", ""), self._facts())

    def __repr__(self):
        state = "converged" if self.converged else "not converged"
        return f"Posterior({state}, {self.iterations} iterations, {self.messages} messages, {self.seconds:.3g} s)"


# ---- Regression


class LogisticRegression(Estimator):
    """Bayesian logistic regression: a Gaussian posterior of the weights, by expectation propagation.

    X: [row][column], finite numbers. y: [row], labels of two classes. After fit: coef_, [column], the mean of each
    weight; intercept_; covariance_ of the weights, the intercept last; log_evidence_, converged_, iterations_ and
    interrupted_."""

    def fit(self, X, y, *, time_limit=None, progress=None):
        """Finds the posterior of the weights; returns the estimator."""
        import numpy as np

        X = self._rows(X)
        labels = np.asarray(y)
        if labels.shape != (len(X),):
            raise UsageError(f"argument y has the shape {labels.shape}: needs {(len(X),)}, one label for each row")
        self.classes_, encoded = np.unique(labels, return_inverse=True)
        if len(self.classes_) != 2:
            raise UsageError(f"argument y has {len(self.classes_)} classes: needs 2")
        run = run_arguments(time_limit, None, self.threads, self.random_state, progress)
        answer = _core.fit_logistic(self._design(X), encoded.astype(bool).tolist(), **run, **self._options())
        self.n_features_in_ = X.shape[1]
        self._mean, self.covariance_ = answer["mean"], answer["covariance"]
        self.coef_ = self._mean[: X.shape[1]]
        self.intercept_ = float(self._mean[-1]) if self.fit_intercept else 0.0
        self.log_evidence_, self.iterations_ = answer["log_evidence"], answer["iterations"]
        self.converged_, self.interrupted_ = answer["converged"], answer["interrupted"]
        return self

    def predict_proba(self, X):
        """[row][class], probabilities averaged over the posterior of the weights, in the order of classes_."""
        import numpy as np

        if getattr(self, "_mean", None) is None:
            raise not_fitted()("this LogisticRegression is not fitted: call fit first")
        X = self._rows(X)
        if X.shape[1] != self.n_features_in_:
            raise UsageError(f"argument X has {X.shape[1]} features, but it was fitted with {self.n_features_in_}")
        positive = _core.logistic_probabilities(self._mean, self.covariance_, self._design(X))
        return np.column_stack([1 - positive, positive])

    def predict(self, X):
        """[row], the more likely class."""
        most_likely = self.predict_proba(X).argmax(axis=1)
        return self.classes_[most_likely]

    def score(self, X, y):
        """The share of rows whose class is right."""
        import numpy as np

        return float(np.mean(self.predict(X) == np.asarray(y)))

    def __sklearn_is_fitted__(self):
        return getattr(self, "_mean", None) is not None

    def __sklearn_tags__(self):
        return two_class_tags()

    def _rows(self, X):
        X = _numbers("X", X)
        if X.ndim != 2 or 0 in X.shape:
            raise UsageError(f"argument X has the shape {X.shape}: needs [row][column], not empty")
        return X

    def _design(self, X):
        import numpy as np

        return np.column_stack([X, np.ones(len(X))]) if self.fit_intercept else X


with_parameters(
    LogisticRegression,
    [{"name": "fit_intercept", "default": True, "description": "Have a weight for the constant 1, too."}],
    _OPTIONS["logistic"],
)
