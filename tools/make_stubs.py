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
HEAD = '''# SPDX-License-Identifier: Apache-2.0
# Made by tools/make_stubs.py; do not edit.
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

'''


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
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign):
            target = node.target
            name = target.id if isinstance(target, ast.Name) else target.attr if isinstance(target, ast.Attribute) else ""
            if name and not name.startswith("_"):
                found.setdefault(name, ast.unparse(node.annotation))
    return found


def members_of(cls):
    """Methods and properties that a user sees, in order, private bases included: name -> member."""
    found = {}
    for base in reversed(cls.__mro__):
        if base is cls or base.__name__.startswith("_") or base.__module__ == "fovea._estimator":
            found.update(vars(base))
    hidden = {"__init__"} if cls.__init__ is object.__init__ else set()
    return {n: m for n, m in found.items() if n not in hidden and (n == "__init__" or is_public(n, m))}


def is_public(name, member):
    if name in ("__dict__", "__weakref__", "__doc__", "__module__", "__slots__", "__getstate__", "__firstlineno__"):
        return False
    if name in ("_repr_html_",) or (name.startswith("__") and name.endswith("__")):
        return inspect.isfunction(member)
    return not name.startswith("_") and (
        inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
    )


def class_stub(cls):
    bases = [b.__name__ for b in cls.__bases__ if not b.__name__.startswith("_") and b.__module__ != "fovea._estimator"]
    bases = [b for b in bases if b != "object"]
    lines = [f"class {cls.__name__}({', '.join(bases)}):" if bases else f"class {cls.__name__}:"]
    if cls.__doc__:
        lines += documentation(cls, "    ")
    attributes = {}
    for base in reversed(cls.__mro__):
        if base is cls or base.__name__.startswith("_"):
            attributes.update(attributes_of(base) if base.__module__.startswith("fovea") else {})
    lines += [f"    {name}: {annotation}" for name, annotation in attributes.items()]
    for name, member in members_of(cls).items():
        if name in attributes:
            continue
        if isinstance(member, property):
            lines += signature_of(name, member.fget, "    ", ["property"])
        elif isinstance(member, (classmethod, staticmethod)):
            lines += signature_of(name, member.__func__, "    ", [type(member).__name__])
        else:
            lines += signature_of(name, member, "    ")
    return lines + ["    ..."] * (len(lines) == 1)


def module_stub(name):
    module = importlib.import_module(f"fovea.{name}")
    lines = [f"__all__ = {sorted(module.__all__)!r}", ""]
    for public in module.__all__:
        thing = getattr(module, public)
        lines += class_stub(thing) if inspect.isclass(thing) else signature_of(public, thing, "")
        lines.append("")
    return HEAD + "\n".join(lines)


def package_stub(package):
    modules = sorted(package._MODULES)
    errors = [name for name in package.__all__ if name not in modules]
    return "\n".join([
        "# SPDX-License-Identifier: Apache-2.0", "# Made by tools/make_stubs.py; do not edit.",
        *(f"from fovea import {name} as {name}" for name in modules),
        *(f"from fovea._errors import {name} as {name}" for name in errors), "",
        f"__all__ = {package.__all__!r}", "__version__: str", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    package = importlib.import_module("fovea")
    stubs = {name: module_stub(name) for name in sorted(package._MODULES)}
    stubs["__init__"] = package_stub(package)
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
