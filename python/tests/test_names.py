# SPDX-License-Identifier: Apache-2.0
"""One name for one thing: the options of the command line, in `fovea describe --json`, are the arguments of Python."""

import inspect
import json
import os
import subprocess

import pytest

import fovea

PROGRAM = os.environ.get("FOVEA_PROGRAM")
FILES = {"output", "from", "json", "quiet", "report", "trace", "checkpoint", "resume"}
TABLES = {"format", "delimiter", "encoding", "table", "missing", "output_format", "output_table", "replace"}


@pytest.fixture(scope="module")
def commands():
    if not PROGRAM:
        pytest.skip("FOVEA_PROGRAM does not name the program")
    described = json.loads(subprocess.run([PROGRAM, "describe", "--json"], capture_output=True, check=True).stdout)
    return {command["name"]: command for command in described["commands"]}


def options_of(commands, name):
    return {option["name"].replace("-", "_"): option for option in commands[name]["options"]}


def parameters_of(function):
    parameters = dict(inspect.signature(function).parameters)
    for name in ("self", "X", "y"):
        parameters.pop(name, None)
    return parameters


# Python's function; the command; what the command has for files and texts; what only Python has; where words differ.
PAIRS = [
    (lambda: fovea.graph.FactorGraph.solve, "solve", FILES | {"evidence_sample", "query", "task", "target_error", "image", "heatmap", "policy"}, set()),
    (lambda: fovea.graph.FactorGraph.marginals, "solve", FILES | {"evidence_sample", "query", "task", "diverse", "distance", "start", "image", "heatmap", "policy"}, set()),
    (lambda: fovea.graph.FactorGraph.sample, "sample", FILES | {"evidence_sample"}, {"time_limit", "budget"}),
]
SAME = {"seed": "random_state"}  # scikit-learn's word
OWN = {"progress"}  # --quiet is the command's


@pytest.mark.parametrize(("function", "command", "only_command", "only_python"), PAIRS)
def test_names_and_defaults_are_those_of_the_command(commands, function, command, only_command, only_python):
    parameters = parameters_of(function())
    options = {SAME.get(name, name): option for name, option in options_of(commands, command).items()}
    assert set(options) - set(parameters) == only_command & set(options) - set(parameters)
    assert set(parameters) - set(options) == only_python | OWN
    for name, parameter in parameters.items():
        default = options.get(name, {}).get("default")
        if name in ("random_state", "threads") or default is None or parameter.default is None:
            continue
        assert str(parameter.default) == str(default) or float(parameter.default) == float(default), name
