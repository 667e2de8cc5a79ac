#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every example of every --help, the demonstration's jobs and the example programs, and records what they write.

Each example runs in a fresh copy of a folder of small made-up inputs. An example must end with exit code 0. Its standard
output, standard error and every file that it writes or changes are recorded as checksums, with times masked; examples
that stop by the clock are recorded by their exit code alone.

  tools/run_examples.py build/dev/bin -o before.json          # records
  tools/run_examples.py build/dev/bin --against before.json   # compares; exit code 1 if anything differs
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent

# Replacements in examples: long ones are cut, so that all of them take minutes; names that two examples use for
# different files are changed; and an ellipsis becomes the options shown in the line above it.
SHORTER = (
    ("--mentions 5000000", "--mentions 20000"),
    ("--records 1000000", "--records 20000"),
    ("--generate 50000", "--generate 300 --passes 2"),
    ("--dictionary 30000", "--dictionary 100"),
    ("eval clusters new.csv", "eval clusters updated.csv"),
    ("--against old.csv", "--against clusters.csv"),
    ("check net.bif assignment.txt", "check net.bif net.MAP"),
    ("--count 10000", "--count 1000"),
    ("17,4711", "17,171"),
    ("tune ring-inverse.h5", "tune ring-inverse.h5 --generations 1 --candidates 8 --seeds 1"),
    ("dedupe people.csv --compare ... --block ...",
     "dedupe people.csv --compare 'name:jaro_winkler, born:date, city' --block 'surname, soundex(name)+year(born)'"),
    ("link a.csv b.csv c.csv --map 'jahr=year' --compare ... --block ...",
     "link a.csv b.csv c.csv --map 'jahr=year' --compare 'title:words, year:number' --block 'year, prefix(title, 5)'"),
    ("link a.csv b.csv --compare ... --block ...",
     "link a.csv b.csv --compare 'title:words, year:number' --block 'year, prefix(title, 5)'"),
)

# Jobs of the demonstration, and jobs with other options, under budgets of counts.
JOBS = """
fovea tag ner.model --method gibbs --answer marginal --budget '3 sweeps' --marginals test.txt
fovea tag ner.model --policy ner.policy --budget '1.5 sweeps/item' --report --json test.txt
fovea tag ner.model --method beam --beam-width 2 test.txt
fovea tag ner.model --method icm --start random --seed 3 test.txt
fovea tune ner.model --no-measure tune.txt -o again.policy
fovea tag chain.model --report test.txt
fovea tag np.model test.txt | fovea eval tags --json
fovea tag np.gp --all-marginals test.txt | fovea eval tags --reliability sure.svg
fovea train --family gp --kernel 'rbf(1, 3)' few.txt -o curved.gp
fovea train --features pixels --factor-size 3 --gradient gibbs --iterations 2 fold1.tsv.gz -o gibbs.model
fovea inspect chain.model --json
fovea inspect np.gp --json
fovea dedupe mentions.tsv --model authors.er -o clusters.tsv
fovea dedupe mentions.tsv --model authors.er --explain 1,2
fovea dedupe people.csv --model model.er --pairs pairs.csv --samples 20 -o clusters.csv
fovea synth dnf examples.csv --terms 2 --atoms 2 --json
fovea synth inv loop.sl --no-spacer --json
fovea gestures decode keyboard.model --n-best 3 --budget '20 transitions/item' swipes.tsv
fovea fit logistic data.csv --target y --oracle sampling --json
fovea fit logistic data.csv --target y --oracle quadrature --predict new.csv
fovea solve net.bif --task MAR --evidence smoke=yes --json
fovea solve net.bif --task MAR --method sampling --budget '200 sweeps' --json
fovea solve net.bif --task PR --json
fovea solve model.uai --task MAP --budget '500 sweeps' --json
fovea solve model.uai --task MAP --method search --budget '100 sweeps' --image labels.png --heatmap visits.png -o labels.txt
fovea solve model.uai --task MMAP --query vars.txt --budget '100 sweeps'
fovea solve net.bif --task PR --method sampling --budget '500 sweeps' --json
fovea solve net.bif --task MAP --diverse 3 --distance 1 --json
fovea solve grid.uai --task MAP --method search --budget '30 sweeps' --json
fovea sample model.uai --draws 100 --seed 5
fovea sample model.uai --temperatures 4 --hottest 10 --draws 50 --json -o draws.csv
"""

# The inputs. Later lines use what earlier ones wrote.
PANTRY = """
fovea generate tags --labels 6 --sentences 300 -o train.txt
fovea generate tags --labels 6 --sentences 100 --part 1 -o tune.txt
fovea generate tags --labels 6 --sentences 100 --part 2 -o test.txt
fovea generate tags --labels 6 --sentences 60 --part 3 -o few.txt
sed -i 's/ L00$/ O/; s/ L01$/ B-PER/; s/ L02$/ I-PER/; s/ L03$/ B-LOC/; s/ L04$/ I-LOC/; s/ L05$/ B-ORG/' train.txt tune.txt test.txt few.txt
printf 'U01:%%x[-1,0]\\nU02:%%x[0,0]\\nU03:%%x[1,0]\\nB\\n' >ner.template
cp test.txt dev.txt && gzip -nk dev.txt train.txt tune.txt test.txt
fovea attributes train.txt -o train.crfsuite
for fold in 0 1 2; do fovea generate letters --words 60 --part $fold -o fold$fold.tsv; gzip -n fold$fold.tsv; done
fovea train -q --template ner.template --factor-size 4 train.txt -o ner.model
fovea train -q --family doeblin --factor-size 3 --iterations 3 train.txt -o chain.model
fovea train -q --family svm --l2 0.1 few.txt -o np.model
fovea train -q --family gp --inducing-points 40 few.txt -o np.gp
fovea train -q --features pixels --factor-size 2 --iterations 5 fold1.tsv.gz -o ocr.model
fovea tune -q --no-measure ner.model tune.txt -o ner.policy
fovea tag ner.model test.txt -o new.txt && fovea tag np.model test.txt -o old.txt
fovea tag np.gp --all-marginals test.txt -o news.out && fovea tag np.gp --all-marginals tune.txt -o tweets.out
fovea generate authors --mentions 1500 -o mentions.tsv
fovea generate authors --mentions 1500 --seed 2 -o labelled.tsv
fovea dedupe -q labelled.tsv --preset authors --labels entity -o authors.er
python3 -B make_tables.py
fovea dedupe -q people.csv --compare 'name:jaro_winkler, born:date, city' --block 'surname, soundex(name)+year(born)' --save-model model.er -o clusters.csv
fovea dedupe -q people.csv --model model.er --threshold .8 -o updated.csv
printf 'y\\nn\\ny\\n' | fovea review -q people.csv --model model.er --count 3
fovea generate gestures --words words.tsv --count 60 --seed 1 -o swipes.tsv && gzip -nk words.tsv swipes.tsv && cp words.tsv.gz word_frequencies.tsv.gz
fovea gestures train -q words.tsv swipes.tsv --passes 2 -o keyboard.model
fovea generate formulas --terms 2 --atoms 2 --seed 3 -o examples.csv
printf 'school,y,sigma\\nA,28,15\\nB,8,10\\nC,-3,16\\nD,7,11\\nE,-1,9\\nF,1,11\\nG,18,10\\nH,12,18\\n' >schools.csv
printf 'schools ~ plate(school)\\nmu ~ normal(0, 10)\\ntau ~ half_cauchy(5)\\nz[school] ~ normal(0, 1)\\ntheta[school] = mu + tau * z[school]\\ny ~ normal(theta[school], sigma)\\n' >schools.fov
printf 'school,sigma\\nA,10\\nI,10\\n' >new_schools.csv && fovea fit -q schools.fov schools.csv -o posterior.json >summary.txt
fovea fit logistic -q data.csv --target y --oracle sampling --jit --operator logistic.operator
fovea fit logistic -q new.csv --target y --oracle sampling --jit --operator monday.operator
cp logistic.operator tuesday.operator
gzip -nk net.bif && cp model.uai model.txt
fovea solve -q model.uai -o model.uai.MAP
fovea solve -q net.bif --evidence smoke=yes -o net.MAP
fovea sample -q model.uai --chains 4 --draws 50 -o draws.csv && gzip -nk draws.csv
for chain in 1 2 3 4; do fovea sample -q model.uai --chains 1 --seed $chain --draws 50 -o stan-$chain.csv; done
""".replace("%%", "%")

LOOP = """(set-logic LIA)
(synth-inv Inv ((i Int) (j Int) (x Int) (y Int)))
(define-fun start ((i Int) (j Int) (x Int) (y Int)) Bool (and (= x i) (= y j)))
(define-fun step ((i Int) (j Int) (x Int) (y Int) (i! Int) (j! Int) (x! Int) (y! Int)) Bool
  (and (distinct x 0) (= x! (- x 1)) (= y! (- y 1)) (= i! i) (= j! j)))
(define-fun end ((i Int) (j Int) (x Int) (y Int)) Bool (=> (and (= x 0) (= i j)) (= y 0)))
(inv-constraint Inv start step end)
(check-synth)
"""

CLAUSES = """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Int) Bool)
(assert (forall ((x Int)) (=> (= x 0) (P x))))
(assert (forall ((x Int)) (=> (and (P x) (< x 9)) (P (+ x 1)))))
(assert (forall ((x Int)) (=> (P x) (Q x 9))))
(assert (forall ((x Int) (y Int)) (=> (and (Q x y) (> x y)) false)))
(check-sat)
"""

TABLES = r'''
import csv, math, random
draw = random.Random(7)
def write(name, rows):
    with open(name, "w", newline="") as file:
        csv.writer(file, delimiter="\t" if name.endswith(".tsv") else ",", lineterminator="\n").writerows(rows)
first = [draw.choice("BDFGKLMNPRST") + draw.choice(["ana", "ela", "ima", "oru", "unor", "ertha", "avid", "onas"]) for _ in range(40)]
last = [draw.choice("BDFGHKLMNPRSTW") + draw.choice(["aker", "erger", "ilson", "oster", "underson", "immer", "olland"]) for _ in range(60)]
cities = ["Aachen", "Bonn", "Celle", "Dessau", "Essen", "Fulda", "Gera", "Hof"]
def person():
    return [draw.choice(first), draw.choice(last), f"{draw.randint(1930, 2005)}-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}", draw.choice(cities)]
def typo(text):
    at = draw.randrange(len(text))
    return text[:at] + draw.choice("aeiourst") + text[at + 1:]
def records(people, start):
    rows = []
    for entity, one in people:
        for _ in range(draw.choice([1, 1, 2, 3])):
            row = list(one)
            if draw.random() < .4: row[0] = typo(row[0])
            if draw.random() < .2: row[3] = draw.choice(cities)
            rows.append([entity, *row])
    draw.shuffle(rows)
    return [["id", "entity", "name", "surname", "born", "city"]] + [[start + i, *row] for i, row in enumerate(rows)]
people = [(f"e{i}", person()) for i in range(2600)]
write("people.csv", records(people[:2500], 1))
write("more.csv", records(people[2400:], 10001))
titles = [(" ".join(draw.choice(last) for _ in range(4)), draw.randint(1960, 2020)) for _ in range(300)]
write("a.csv", [["id", "title", "year"]] + [[f"a{i}", *t] for i, t in enumerate(titles)])
write("b.csv", [["id", "title", "year"]] + [[f"b{i}", typo(t), y] for i, (t, y) in enumerate(titles[50:])])
write("c.csv", [["id", "title", "jahr"]] + [[f"c{i}", typo(t), y] for i, (t, y) in enumerate(titles[150:])])
write("words.tsv", sorted({(name.lower(), 1 + len(name)) for name in first + last if name.isalpha()}))
def rows(count):
    out = [["x1", "x2", "id", "name", "y"]]
    for i in range(count):
        a, b = round(draw.uniform(-2, 2), 3), round(draw.uniform(-2, 2), 3)
        out.append([a, b, i, draw.choice("uvw"), int(draw.random() < 1 / (1 + math.exp(.5 * b - 2 * a - .5)))])
    return out
write("data.csv", rows(600))
write("new.csv", rows(100))
'''


def fill_pantry(folder, binaries):
    """Makes the inputs in `folder`."""
    (folder / "make_tables.py").write_text(TABLES)
    (folder / "loop.sl").write_text(LOOP)
    (folder / "clauses.smt2").write_text(CLAUSES)
    models = subprocess.run(["bash", "-c", f"FOVEA={binaries}/fovea {HERE.parent}/scripts/try_models.sh {folder}"],
                            stdout=subprocess.DEVNULL, check=False)
    if models.returncode:
        sys.exit("scripts/try_models.sh failed")
    pictures = pathlib.Path(os.environ.get("FOVEA_DATA", "data")) / "inpainting" / "triplepoint4-plain-ring-inverse.h5"
    if pictures.exists():
        shutil.copyfile(pictures, folder / "ring-inverse.h5")
    else:
        print(f"no {pictures}: examples that read ring-inverse.h5 are left out", file=sys.stderr)
    for line in PANTRY.strip().splitlines():
        made = run_line(line, folder, binaries)
        if made["exit"]:
            sys.exit(f"{line}\nended with exit code {made['exit']}:\n{made['message']}")


def help_examples(binaries):
    """Yields all lines that begin with '  fovea ' after 'Examples:' in the help of each command."""
    def text(*words):
        return subprocess.run([binaries / "fovea", *words, "--help"], capture_output=True, text=True, check=True).stdout
    # A name of two words may end one space before its sentence: 'generate formulas Write ...'.
    commands = re.findall(r"^  ([a-z]+(?: [a-z]+)?) +[A-Z]", text(), re.MULTILINE)
    for command in commands:
        lines = re.split(r"^Examples:$", text(*command.split()), flags=re.MULTILINE)
        for line in lines[-1].splitlines() if len(lines) > 1 else ():
            if line.startswith("  fovea "):
                yield line.strip()


def shorten(line):
    for long, short in SHORTER:
        line = line.replace(long, short)
    # Pagers and browsers wait for a person.
    return re.sub(r"^fovea (.* --browser)", r"timeout --preserve-status -s INT 5 fovea \1", line.replace("| less", "| cat"))


def checksums(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(masked(path.read_bytes())).hexdigest()[:16]
            for path in sorted(folder.rglob("*")) if path.is_file()}


def masked(content):
    """`content` without times: seconds in JSON and in sentences, and rates by the second."""
    if b"\0" in content[:4096]:
        return content
    content = re.sub(rb'"seconds": ?{[^}]*}', b"T", content)
    content = re.sub(rb"((?:milliseconds_per_gesture|seconds) +)[0-9.]+", rb"\1T", content)
    content = re.sub(rb"(?m)^(reading|scoring attributes|start labels|decoding|  as predicted|writing|all, from process start) .*",
                     rb"\1 T", content)
    content = re.sub(rb'("[a-z_]*(?:seconds|second|elapsed|nanoseconds)[a-z_]*": ?)[-0-9.e+]+', rb"\1T", content)
    return re.sub(rb"\b[0-9.]+(?:e[-+]?[0-9]+)? ?(?:s|ms|us|ns|min|seconds?|M?B)\b", b"T", content)


def run_words(words, **where):
    run = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=600, check=False, **where)
    return {"exit": run.returncode, "output": hashlib.sha256(masked(run.stdout)).hexdigest()[:16],
            "message": masked(run.stderr).decode(errors="replace")}


def run_line(line, folder, binaries):
    environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "LC_ALL": "C"}
    return run_words(["bash", "-o", "pipefail", "-c", line], cwd=folder, env=environment)


def run_example(line, pantry, binaries):
    """Runs `line` in a copy of the pantry; returns what it answers and writes."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch) / "pantry"
        shutil.copytree(pantry, folder)
        before = checksums(folder)
        ran = run_line(line, folder, binaries)
        after = checksums(folder)
        ran["files"] = {name: content for name, content in after.items() if before.get(name) != content}
    print(f"{time.monotonic() - started:6.1f} s  {line}", file=sys.stderr)
    if "--browser" in line:  # ended as by Ctrl-C
        return {"exit": 0 if ran["exit"] == 130 else ran["exit"]}
    if re.search(r"--time-limit|--diverse 5|bench tag|fovea tune ner.model(?!.*--no-measure)", line):
        return {"exit": ran["exit"]}
    return ran


def run_program(path):
    return {**run_words([path]), "files": {}}


def record(binaries, jobs):
    """Runs all examples; returns {line: what it gave}."""
    with tempfile.TemporaryDirectory() as scratch:
        pantry = pathlib.Path(scratch)
        fill_pantry(pantry, binaries)
        lines = [shorten(line) for line in help_examples(binaries)] + JOBS.strip().splitlines()
        lines = [line for line in lines if "ring-inverse" not in line or (pantry / "ring-inverse.h5").exists()]
        found = {"the inputs": {"exit": 0, "output": "", "message": "", "files": checksums(pantry)}}
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            found.update(zip(lines, pool.map(lambda line: run_example(line, pantry, binaries), lines)))
            programs = sorted(binaries.glob("example_*"))
            found.update(zip((p.name for p in programs), pool.map(run_program, programs)))
    return found


def differences(old, new):
    for line in sorted(set(old) | set(new)):
        if line not in old or line not in new:
            yield f"only {'after' if line in new else 'before'}: {line}"
        elif old[line] != new[line]:
            parts = [part for part in old[line] if old[line][part] != new[line].get(part)]
            yield f"differs in {', '.join(parts)}: {line}" + "".join(
                f"\n  {part}: {old[line][part]} -> {new[line].get(part)}" for part in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binaries", type=pathlib.Path, help="folder with fovea and the example programs")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="where to write the record")
    parser.add_argument("--against", type=pathlib.Path, help="an earlier record to compare with")
    parser.add_argument("--jobs", type=int, default=2, help="examples run side by side")
    arguments = parser.parse_args()
    found = record(arguments.binaries.resolve(), arguments.jobs)
    if arguments.output:
        arguments.output.write_text(json.dumps(found, indent=1))
    failed = [f"exit code {ran['exit']}: {line}\n{ran.get('message', '')}" for line, ran in found.items() if ran["exit"]]
    changed = list(differences(json.loads(arguments.against.read_text()), found)) if arguments.against else []
    print("\n".join(failed + changed))
    print(f"{len(found)} examples ran, {len(failed)} failed" +
          (f", {len(changed)} differ from {arguments.against}" if arguments.against else ""))
    return 1 if failed or changed else 0


if __name__ == "__main__":
    sys.exit(main())
