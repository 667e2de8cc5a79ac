# SPDX-License-Identifier: Apache-2.0
"""Structured prediction that spends computation where it changes the answer.

fovea.ep         Bayesian models by message passing, with factors of your own
fovea.gestures   words that are swiped over a keyboard
fovea.graph      any discrete graphical model: the best assignment, marginals, the partition function, draws
fovea.linkage    records of one entity, in one table or across two
fovea.mcmc       Gibbs sampling of a model that is written in Python, and diagnoses of chains
fovea.sequence   chains of labels, by arrays of scores: the best labels, marginals
fovea.spark      records that outgrow a machine, on Spark
fovea.stages     the stages of that on parts of a table, for other engines
fovea.synthesis  formulas: rules of labelled rows, invariants of loops
fovea.tagging    taggers of sequences: CRF, Doeblin, SVM, GP

fovea.phases     says what calls spend their time on
"""

import importlib

from fovea._errors import InfeasibleError, InputError, LimitError, UsageError
from fovea._phases import phases

__version__ = "0.1.0"
_MODULES = {"ep", "gestures", "graph", "linkage", "mcmc", "sequence", "spark", "stages", "synthesis", "tagging"}
__all__ = ["InfeasibleError", "InputError", "LimitError", "UsageError", "phases", *sorted(_MODULES)]


def __getattr__(name):
    # Loaded on first use, so that `import fovea` costs next to nothing.
    if name in _MODULES:
        return importlib.import_module(f"fovea.{name}")
    raise AttributeError(f"module 'fovea' has no attribute '{name}'")


def __dir__():
    return sorted([*globals(), *_MODULES])
