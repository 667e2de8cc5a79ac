# SPDX-License-Identifier: Apache-2.0
"""One name for one thing: the options of the command line, in `fovea describe --json`, are the arguments of Python."""

import inspect
import json
import os
import subprocess

import pytest

import fovea

PROGRAM = os.environ.get("FOVEA_PROGRAM")
RUN = {"threads", "random_state"}  # which calls take where estimators do
# What only the command line needs: it reads files and prints.
FILES = {"output", "json", "quiet", "phases"}
PAGES = {"report_html"}  # the method report() of results and estimators
RESUMING = {"checkpoint", "resume"}
READING = {"format", "delimiter", "encoding", "no_header", "table", "missing"}
TABLES = READING - {"missing"} | {"output_format", "output_table", "replace"}
MODELS = {"from", "evidence_sample"}
SAME = {"seed": "random_state"}  # the command's word and scikit-learn's


def arguments(*functions):
    """Names and defaults of the keyword arguments of these functions."""
    found = {}
    for function in functions:
        for name, parameter in inspect.signature(function).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY:
                found.setdefault(name, parameter.default)
    return found


def graph(*names):
    return [getattr(fovea.graph.FactorGraph, name) for name in names]


# Command -> Python's functions, the options that they do not have, and the arguments that only they have.
DOORS = {
    "solve": (
        lambda: graph("solve", "marginals", "log_partition", "marginal_map"),
        FILES | MODELS | {"query", "task", "trace", "report", "image", "heatmap"},
        {"progress"},
    ),
    "sample": (lambda: graph("sample"), FILES | MODELS, {"progress", "time_limit", "budget", "memory_limit"}),
    "train": (
        lambda: [fovea.tagging.CRF, fovea.tagging.SVM, fovea.tagging.GP, fovea.tagging.CRF.fit],
        FILES | RESUMING | {"family", "features", "format", "unknown_label", "folds", "warm_start", "trace"},
        {"progress"},
    ),
    "tag": (
        lambda: [fovea.tagging.CRF.predict],
        FILES
        | {"show_sampling", "svg", "report", "features", "marginals", "all_marginals", "n_best", "spans", "explain"},
        {"progress"},
    ),
    "tune": (
        lambda: [fovea.tagging.Policy, fovea.tagging.Policy.fit],
        # the last: of models
        FILES | {"unknown_label"} | {"features", "learn", "seconds_per_model", "generations", "candidates", "seeds", "reach"},
        {"progress", "time_limit"},
    ),
    "synth rule": (
        lambda: [fovea.synthesis.RuleClassifier, fovea.synthesis.RuleClassifier.fit],
        FILES | READING | {"curve", "ignore", "language", "target", "test", "weights"},
        {"progress"},
    ),
    "synth inv": (lambda: [fovea.synthesis.find_invariant], FILES, {"progress"}),
    "synth dnf": (lambda: [fovea.synthesis.Rule, fovea.synthesis.Rule.fit], FILES | READING, {"progress"}),
    "fit": (
        lambda: [fovea.ep.fit],
        FILES | READING | {"show_model", "draws_file", "check"},
        {"progress"},
    ),
    "predict": (lambda: [fovea.ep.FittedModel.predict], FILES | READING | TABLES, {"progress"}),
    "dedupe": (
        lambda: [fovea.linkage.Dedupe, fovea.linkage.Dedupe.fit],
        FILES
        | RESUMING
        | TABLES
        | {"model", "save_model", "save_statistics", "explain", "profile", "clusters", "pairs", "golden", "adapt"}
        | {"spill", "memory_limit"},
        {"progress", "keep_pairs"},
    ),
    "link": (
        lambda: [fovea.linkage.Link, fovea.linkage.Link.fit],
        FILES | TABLES | {"second_encoding", "model", "save_model", "save_statistics", "explain", "profile", "adapt"},
        {"progress"},
    ),
}


@pytest.fixture(scope="module")
def commands():
    if not PROGRAM:
        pytest.skip("FOVEA_PROGRAM does not name the program")
    described = json.loads(subprocess.run([PROGRAM, "describe", "--json"], capture_output=True, check=True).stdout)
    return {command["name"]: command for command in described["commands"]}


def options_of(command):
    names = {option["name"].replace("-", "_"): option for option in command["options"]}
    return {SAME.get(name, name): option for name, option in names.items()}


@pytest.mark.parametrize("command", DOORS)
def test_arguments_have_the_names_of_options(commands, command):
    functions, only_command, only_python = DOORS[command]
    options, python = set(options_of(commands[command])), set(arguments(*functions()))
    assert options - python - RUN - PAGES == only_command
    assert python - options == only_python


@pytest.mark.parametrize("command", DOORS)
def test_arguments_have_the_defaults_of_options(commands, command):
    options = options_of(commands[command])
    for name, default in arguments(*DOORS[command][0]()).items():
        if name in RUN or name not in options or default is None or options[name]["default"] is None:
            continue
        written = options[name]["default"]
        listed = ",".join(map(str, default)) if isinstance(default, tuple) else default
        assert str(listed) == str(written) or float(listed) == float(written), name
