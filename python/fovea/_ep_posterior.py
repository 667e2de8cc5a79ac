# SPDX-License-Identifier: Apache-2.0
"""What fovea.ep finds: marginals of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fovea._ep_variables import Variable, each, objects
from fovea._errors import UsageError

if TYPE_CHECKING:
    pass


class Marginal:
    """The marginal of a variable, or those of an array of them.

    family: "gaussian", ..., or "point" for a known value; of an array, that of its first variable.
    mean, variance, sd: numbers, or arrays of the shape that the variables have. Of a vector variable: mean is [d] and
    variance the diagonal of the covariance; of labels and Dirichlets they are those of each category. NaN where nothing
    is known.
    """

    def __init__(self, core: Any, variables: Any) -> None:
        self._core, self._variables = core, variables

    @property
    def family(self) -> str:
        return self._core.family(self._variables.reshape(-1)[0].number)

    @property
    def parameters(self) -> Any:
        """The family's own parameters by name, of one variable: dicts for an array."""
        return each(lambda v: self._core.parameters(v.number), None, self._variables)

    @property
    def mean(self) -> Any:
        return self._moments()[0]

    @property
    def variance(self) -> Any:
        return self._moments()[1]

    @property
    def sd(self) -> Any:
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

    def __repr__(self) -> str:
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

    def __init__(self, model: Any, core: Any, interrupted: Any) -> None:
        self._model, self._core = model, core
        #: True if the messages settled, and none that is needed was skipped
        self.converged = core.converged
        #: log p(observations), where it was asked for by evidence=True; of "variational" a lower bound of it. None if
        #: messages that have not settled leave no number
        self.log_evidence = core.log_evidence
        #: updates of all messages
        self.iterations = core.iterations
        #: of messages computed or recalled
        self.messages = core.messages
        #: how much the last iteration changed a marginal at most
        self.largest_marginal_kl = core.largest_marginal_kl
        #: by factor of Python, since the model was made: dicts of what the counts are of ("messages" or "values"),
        #: messages, recalled, computed, audits, failed_audits
        self.recalled = core.recalled
        #: by factor, updates that were skipped because they would not have been proper
        self.skipped = core.skipped
        #: of wall-clock time
        self.seconds = core.seconds
        #: True if Ctrl-C ended the work before it was done
        self.interrupted = interrupted

    def __getitem__(self, variables: Any) -> Marginal:
        """The Marginal of a variable, or of an array or list of them."""
        array = objects(variables)
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
            facts.append((f"factor {name!r}", f"{counts['recalled']} of {counts['messages']} {counts['of']} recalled"))
        return [*facts, ("seconds", f"{self.seconds:.3g}")]

    def _repr_html_(self) -> str:
        from fovea._html import table

        return table(repr(self), ("", ""), self._facts())

    def __repr__(self) -> str:
        state = "converged" if self.converged else "not converged"
        return f"Posterior({state}, {self.iterations} iterations, {self.messages} messages, {self.seconds:.3g} s)"
