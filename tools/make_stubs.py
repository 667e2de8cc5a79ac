#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes python/fovea/*.pyi, which editors and type checkers read, from the installed package.

Parameters that come from the library's options exist only at run time; annotations and documentation are those of the
source.

  tools/make_stubs.py           # writes the stubs; run it with a Python that has the package
  tools/make_stubs.py --check   # exit code 1 if they differ from what would be written
"""

import argparse
import ast
import importlib
import inspect
import pathlib
import sys
import textwrap

STUBS = pathlib.Path(__file__).resolve().parent.parent / "python" / "fovea"
HEAD = """# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from typing_extensions import Self

from fovea._estimator import Estimator
from fovea._report import Report

"""


def annotated(parameter):
    """A parameter as a stub has it; what has no annotation is Any."""
    text = parameter.name
    if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
        text = "*" + text
    elif parameter.kind is inspect.Parameter.VAR_KEYWORD:
        text = "**" + text
    if parameter.name not in ("self", "cls"):
        text += ": " + ("Any" if parameter.annotation is inspect.Parameter.empty else str(parameter.annotation))
    if parameter.default is not inspect.Parameter.empty:
        text += f" = {parameter.default!r}"
    return text


def documentation(thing, indent):
    text = inspect.cleandoc(thing.__doc__ or "")
    lines = ('"""' + text + ("\n" if "\n" in text else "") + '"""').splitlines()
    return [indent + line if line else "" for line in lines]


def signature_of(name, function, indent, decorators=()):
    signature = inspect.signature(function)
    returns = signature.return_annotation
    returns = "None" if name == "__init__" else "Any" if returns is inspect.Signature.empty else str(returns)
    parameters, has_star = [], False
    for parameter in signature.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not has_star:
            parameters.append("*")
            has_star = True
        has_star = has_star or parameter.kind is inspect.Parameter.VAR_POSITIONAL
        parameters.append(annotated(parameter))
    lines = [f"{indent}@{decorator}" for decorator in decorators]
    flat = f"{indent}def {name}({', '.join(parameters)}) -> {returns}:"
    if len(flat) <= 120:
        lines.append(flat)
    else:
        lines += [f"{indent}def {name}(", *(f"{indent}    {p}," for p in parameters), f"{indent}) -> {returns}:"]
    return lines + (documentation(function, indent + "    ") if function.__doc__ else [f"{indent}    ..."])


def attributes_of(cls):
    """The annotated attributes of a class, those of `self` in its methods included: name -> annotation."""
    found = {}
    for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(cls)))):
        if isinstance(node, ast.AnnAssign):
            target = node.target
            name = getattr(target, "id", None) or getattr(target, "attr", "_")
            if not name.startswith("_"):
                found.setdefault(name, ast.unparse(node.annotation))
    return found


MADE_BY_NAMEDTUPLE = ("__new__", "__repr__", "__getnewargs__", "__replace__")


def is_public(cls, name, member):
    """True for the methods and properties that a user sees."""
    if name == "_repr_html_" or (name.startswith("__") and name.endswith("__")):
        return inspect.isfunction(member) and not (hasattr(cls, "_fields") and name in MADE_BY_NAMEDTUPLE)
    is_member = inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
    return is_member and not name.startswith("_")


def class_stub(cls):
    is_tuple = hasattr(cls, "_fields")
    bases = ["NamedTuple"] if is_tuple else [base.__name__ for base in cls.__bases__ if base is not object]
    lines = [f"class {cls.__name__}({', '.join(bases)}):" if bases else f"class {cls.__name__}:"]
    if cls.__doc__:
        lines += documentation(cls, "    ")
    attributes = attributes_of(cls)
    lines += [f"    {name}: {annotation}" for name, annotation in attributes.items()]
    for name, member in vars(cls).items():
        if name in attributes or not is_public(cls, name, member):
            continue
        if isinstance(member, property):
            lines += signature_of(name, member.fget, "    ", ["property"])
        elif isinstance(member, (classmethod, staticmethod)):
            lines += signature_of(name, member.__func__, "    ", [type(member).__name__])
        else:
            lines += signature_of(name, member, "    ")
    return lines + ["    ..."] * (len(lines) == 1)


def with_private_bases(classes):
    """Classes of a module, each after the private ones of that module that it derives from."""
    found = {}
    for cls in classes:
        found.update(dict.fromkeys(base for base in reversed(cls.__mro__) if base.__module__ == cls.__module__))
    return list(found)


def classes_stub(classes):
    lines = []
    for cls in with_private_bases(classes):
        lines += [*class_stub(cls), ""]
    return lines


def returned_classes(module, things):
    """Classes of other modules that functions say they return."""
    functions = (thing for _, thing in things if inspect.isfunction(thing))
    named = (inspect.unwrap(f).__globals__.get(str(inspect.signature(f).return_annotation)) for f in functions)
    classes = (cls for cls in named if inspect.isclass(cls) and cls.__module__.startswith("fovea."))
    return dict.fromkeys(cls for cls in classes if cls.__module__ != module.__name__)


def module_stubs(name):
    """The stub of a public module, and those of the private modules that define estimators for it: name -> text."""
    module = importlib.import_module(f"fovea.{name}")
    things = [(public, getattr(module, public)) for public in module.__all__]
    own = [thing for _, thing in things if inspect.isclass(thing) and thing.__module__ == module.__name__]
    others = [thing for _, thing in things if inspect.isclass(thing) and thing.__module__ != module.__name__]
    lines = [f"from {cls.__module__} import {cls.__name__} as {cls.__name__}" for cls in others]
    lines += [f"from {cls.__module__} import {cls.__name__}"
              for cls in returned_classes(module, things) if cls not in others]
    lines += ["", f"__all__ = {sorted(module.__all__)!r}", "", *classes_stub(own)]
    for public, thing in things:
        if public in module.__annotations__:
            lines.append(f"{public}: {module.__annotations__[public]}")
        elif not inspect.isclass(thing):
            lines += [*signature_of(public, thing, ""), ""]
    stubs = {name: HEAD + "\n".join(lines)}
    for cls in others:
        if issubclass(cls, importlib.import_module("fovea._estimator").Estimator):
            stubs[cls.__module__.removeprefix("fovea.")] = HEAD + "\n".join(classes_stub([cls]))
    return stubs


def package_stub(package):
    modules = sorted(package._MODULES)
    others = [(name, getattr(package, name).__module__) for name in package.__all__ if name not in modules]
    return "\n".join(
        [
            "# SPDX-License-Identifier: Apache-2.0",
            "# Made by tools/make_stubs.py; do not edit.",
            *(f"from fovea import {name} as {name}" for name in modules),
            *(f"from {module} import {name} as {name}" for name, module in others),
            "",
            f"__all__ = {package.__all__!r}",
            "__version__: str",
            "",
        ]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    package = importlib.import_module("fovea")
    stubs = {"__init__": package_stub(package)}
    for name in sorted(package._MODULES):
        stubs.update(module_stubs(name))
    stale = []
    for name, text in stubs.items():
        path = STUBS / f"{name}.pyi"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path)
            if not check:
                path.write_text(text, encoding="utf-8")
    if check and stale:
        sys.exit("tools/make_stubs.py has not been run for " + ", ".join(str(path) for path in stale))


if __name__ == "__main__":
    main()
