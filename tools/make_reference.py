#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the reference, the man pages and the shell completion from `fovea describe --json`.

  tools/make_reference.py build/dev/bin/fovea           # writes docs/reference, docs/man and completions
  tools/make_reference.py build/dev/bin/fovea --check   # exit code 1 if these differ from what would be written
"""

import argparse
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def flag(option):
    return option.get("flag", "--" + option["name"])


def value_name(option):
    if option["kind"] == "flag":
        return ""
    name = option.get("value_name") or {"integer": "N", "number": "X", "word": "NAME"}.get(option["kind"], "TEXT")
    return name + ",..." if option["list"] else name


def spelled(option):
    letter = f"-{option['letter']}, " if "letter" in option else ""
    return f"{letter}{flag(option)} {value_name(option)}".rstrip()


def number(value):
    return f"{value:g}" if abs(value) < 1e6 and value == int(value) else f"{value:.10g}"


def rule(option):
    """The values that an option takes, and its default: "one of a, b; default a"."""
    facts = []
    if "words" in option:
        facts.append("one of " + ", ".join(option["words"]))
    elif "min" in option and "max" in option:
        facts.append(f"{number(option['min'])} to {number(option['max'])}")
    elif "min" in option:
        facts.append(f"at least {number(option['min'])}")
    elif "max" in option:
        facts.append(f"at most {number(option['max'])}")
    if option["kind"] != "flag" and option["default"] is not None:
        facts.append(f"default {option['default']}")
    return "; ".join(facts)


def usage(command):
    words = ["fovea", command["name"], "[OPTIONS]"]
    for argument in command["arguments"]:
        name = argument["name"] + ("..." if argument["list"] else "")
        words.append(name if argument.get("required") else f"[{name}]")
    return " ".join(words)


def groups(command):
    found = {}
    for option in command["options"]:
        found.setdefault(option["group"], []).append(option)
    return found


def page_name(command):
    return command["name"].replace(" ", "-")


def reference_page(command):
    lines = [f"# fovea {command['name']}", "", command["summary"], "", f"    {usage(command)}", "",
             *command["description"].strip().split("\n"), "", "## Examples", "",
             *["    " + line.strip() for line in command["examples"].strip().split("\n")], ""]
    if command["arguments"]:
        lines += ["## Arguments", "", "| argument | meaning |", "|---|---|"]
        lines += [f"| `{a['name']}` | {a['description']} |" for a in command["arguments"]] + [""]
    for group, options in groups(command).items():
        lines += [f"## {group}", "", "| option | meaning | values |", "|---|---|---|"]
        for option in options:
            cells = [f"`{spelled(option)}`", option["description"], rule(option)]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def reference_index(description):
    lines = ["# Reference", "", "Every command and option, as `fovea COMMAND --help` prints them. These pages are made "
             "from `fovea describe --json`.", ""]
    job = None
    for command in description["commands"]:
        if command["job"] != job:
            job = command["job"]
            lines += ["" if lines[-1] else None, f"## {job}", ""]
        lines.append(f"- [{command['name']}]({page_name(command)}.md): {command['summary']}")
    return "\n".join(line for line in lines if line is not None) + "\n"


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line.startswith((".", "'")) else line for line in text.split("\n"))


def man_page(command, version):
    name = page_name(command)
    lines = [f'.TH "FOVEA-{name.upper()}" "1" "" "fovea {version}" "Fovea"', ".SH NAME",
             roff(f"fovea-{name} - {command['summary'].rstrip('.')}"), ".SH SYNOPSIS", roff(usage(command)),
             ".SH DESCRIPTION", roff(command["description"].strip()), ".SH ARGUMENTS"]
    for argument in command["arguments"]:
        lines += [".TP", f".B {roff(argument['name'])}", roff(argument["description"])]
    if not command["arguments"]:
        lines.append("None.")
    for group, options in groups(command).items():
        lines.append(f'.SH "{roff(group.upper())}"')
        for option in options:
            facts = rule(option)
            lines += [".TP", f".B {roff(spelled(option))}", roff(option["description"] + (f" [{facts}]" if facts else ""))]
    lines += [".SH EXAMPLES", ".nf", roff(command["examples"].rstrip()), ".fi", ".SH SEE ALSO", ".BR fovea (1)"]
    return "\n".join(lines) + "\n"


def man_overview(description):
    lines = [f'.TH "FOVEA" "1" "" "fovea {description["version"]}" "Fovea"', ".SH NAME",
             roff("fovea - structured prediction that spends computation where it changes the answer"),
             ".SH SYNOPSIS", "fovea COMMAND [OPTIONS]"]
    job = None
    for command in description["commands"]:
        if command["job"] != job:
            job = command["job"]
            lines.append(f'.SH "{roff(job.upper())}"')
        lines += [".TP", f".BR fovea\\-{roff(page_name(command))} (1)", roff(command["summary"])]
    lines += [".SH EXIT STATUS", roff("0 answer, 1 internal error, 2 usage, 3 bad input, 4 infeasible, 5 limit hit "
                                      "without an answer, 130 interrupted.")]
    return "\n".join(lines) + "\n"


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def bash_completion(description):
    lines = ["# Completion of fovea for bash; source it, or install it as bash-completion/completions/fovea.",
             "_fovea() {", "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}",
             '  local command="${COMP_WORDS[1]}"', '  case "${COMP_WORDS[1]} ${COMP_WORDS[2]}" in']
    names = [c["name"] for c in description["commands"]]
    doubles = [n for n in names if " " in n]
    lines += [f'    {quoted(name)}) command={quoted(name)} ;;' for name in doubles]
    lines += ["  esac", "  if (( COMP_CWORD == 1 )); then",
              "    COMPREPLY=($(compgen -W " + quoted(" ".join(sorted({n.split()[0] for n in names}))) + ' -- "$cur"))',
              "    return", "  fi", "  if (( COMP_CWORD == 2 )); then", '    case "${COMP_WORDS[1]}" in']
    for first in sorted({n.split()[0] for n in doubles}):
        words = " ".join(n.split()[1] for n in doubles if n.split()[0] == first)
        lines.append(f"      {first}) COMPREPLY=($(compgen -W {quoted(words)} -- \"$cur\")); return ;;")
    lines += ["    esac", "  fi", '  case "$command $prev" in']
    for command in description["commands"]:
        for option in command["options"]:
            if "words" in option:
                lines.append(f"    {quoted(command['name'] + ' ' + flag(option))}) COMPREPLY=($(compgen -W "
                             f"{quoted(' '.join(w for w in option['words'] if w))} -- \"$cur\")); return ;;")
    lines += ["  esac", '  if [[ $cur == -* ]]; then', '    case "$command" in']
    for command in description["commands"]:
        flags = " ".join([flag(o) for o in command["options"]] + ["--help"])
        lines.append(f"      {quoted(command['name'])}) COMPREPLY=($(compgen -W {quoted(flags)} -- \"$cur\")); return ;;")
    lines += ["    esac", "  fi", '  COMPREPLY=($(compgen -f -- "$cur"))', "}",
              "complete -o filenames -F _fovea fovea"]
    return "\n".join(lines) + "\n"


def fish_completion(description):
    lines = ["# Completion of fovea for fish; install it as vendor_completions.d/fovea.fish."]
    for command in description["commands"]:
        words = command["name"].split()
        before = "__fish_use_subcommand" if len(words) == 1 else f"__fish_seen_subcommand_from {words[0]}"
        if len(words) == 2:
            lines.append(f"complete -c fovea -f -n __fish_use_subcommand -a {words[0]}")
        lines.append(f"complete -c fovea -f -n {quoted(before)} -a {words[-1]} -d {quoted(command['summary'])}")
        seen = " && ".join(f"__fish_seen_subcommand_from {word}" for word in words)
        for option in command["options"]:
            parts = ["complete -c fovea", "-n", quoted(seen), "-l", flag(option)[2:]]
            if "letter" in option:
                parts += ["-s", option["letter"]]
            if "words" in option:
                parts += ["-x", "-a", quoted(" ".join(w for w in option["words"] if w))]
            elif option["kind"] != "flag":
                parts.append("-r")
            lines.append(" ".join(parts + ["-d", quoted(option["description"].split(". ")[0])]))
    return "\n".join(lines) + "\n"


def zsh_completion(description):
    def escaped(text):
        return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")

    lines = ["#compdef fovea", "# Completion of fovea for zsh; install it as site-functions/_fovea.", "_fovea() {",
             "  local command=$words[2]", '  case "$words[2] $words[3]" in']
    names = [c["name"] for c in description["commands"]]
    doubles = [n for n in names if " " in n]
    lines += [f"    {quoted(name)}) command={quoted(name)} ;;" for name in doubles]
    firsts = sorted({n.split()[0] for n in names})
    lines += ["  esac", f"  if (( CURRENT == 2 )); then compadd -- {' '.join(firsts)}; return; fi", "  case $command in"]
    for first in sorted({n.split()[0] for n in doubles}):
        words = " ".join(n.split()[1] for n in doubles if n.split()[0] == first)
        lines.append(f"    {first}) compadd -- {words} ;;")
    for command in description["commands"]:
        specs = []
        for option in command["options"]:
            spec = f"{flag(option)}[{escaped(option['description'].split('. ')[0])}]"
            if "words" in option:
                spec += f":{option['name']}:({' '.join(w for w in option['words'] if w)})"
            elif option["kind"] != "flag":
                spec += f":{option['name']}:" + ("_files" if "file" in option else "")
            specs.append(quoted(spec))
        lines.append(f"    {quoted(command['name'])}) _arguments \\")
        lines += [f"      {spec} \\" for spec in specs] + ["      '*:file:_files' ;;"]
    return "\n".join(lines + ["  esac", "}", '_fovea "$@"']) + "\n"


def pages(description):
    """Path below the root -> contents."""
    made = {"docs/reference/README.md": reference_index(description), "docs/man/fovea.1": man_overview(description),
            "completions/fovea.bash": bash_completion(description), "completions/_fovea": zsh_completion(description),
            "completions/fovea.fish": fish_completion(description)}
    for command in description["commands"]:
        made[f"docs/reference/{page_name(command)}.md"] = reference_page(command)
        made[f"docs/man/fovea-{page_name(command)}.1"] = man_page(command, description["version"])
    return made


def stale_pages(made, root):
    """Pages that differ from the files below `root`, and files there that are not made."""
    stale = [path for path, text in made.items() if not (root / path).is_file() or (root / path).read_text() != text]
    for folder in ("docs/reference", "docs/man", "completions"):
        there = (root / folder).iterdir() if (root / folder).is_dir() else []
        stale += [str(p.relative_to(root)) for p in there if str(p.relative_to(root)) not in made]
    return sorted(stale)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", help="the built fovea")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 where pages are stale")
    arguments = parser.parse_args()
    described = subprocess.run([arguments.program, "describe", "--json"], check=True, capture_output=True, text=True)
    made = pages(json.loads(described.stdout))
    stale = stale_pages(made, ROOT)
    if arguments.check:
        for path in stale:
            print(f"{path}: not what `fovea describe --json` says; run tools/make_reference.py")
        sys.exit(1 if stale else 0)
    for path in stale:
        if path not in made:
            (ROOT / path).unlink()
            continue
        (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
        (ROOT / path).write_text(made[path])


if __name__ == "__main__":
    main()
