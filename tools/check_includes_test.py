#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checker accepts a sound tree and catches each way of breaking the rule."""

import pathlib
import tempfile
import unittest

import check_includes

TABLE = """# Architecture

| module | job | folders, in order of travel | may include |
|---|---|---|---|
| `base` | ground | `.` | - |
| `graph` | models | `model tree .` | base |
| `linkage` | records | `.` | base |
| `cli` | program | `.` | all above |

| file | job | folders | may include |
|---|---|---|---|
| `other` | another table | `.` | - |
"""

SOUND = {
    "src/fovea/base/error.h": "#include <string>\n",
    "src/fovea/graph/model/chains.h": '#include "fovea/base/error.h"\n#include "hwy/highway.h"\n',
    "src/fovea/graph/model/chains_test.cc": '#include "fovea/graph/tree/tree.h"\n#include "tests/support/helper.h"\n',
    "src/fovea/graph/tree/tree.h": '#include "fovea/graph/model/chains.h"\n',
    "src/fovea/graph/solve.h": '#include "fovea/graph/tree/tree.h"\n',
    "src/fovea/linkage/dedupe.h": "\n",
    "src/fovea/graph.h": '#include "fovea/base/error.h"\n#include "fovea/graph/solve.h"\n',
    "src/fovea/cli/main.cc": '#include "fovea/graph/solve.h"\n',
}


class CheckIncludesTest(unittest.TestCase):
    def check(self, changes=None, table=TABLE):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {**SOUND, "docs/design/architecture.md": table, **(changes or {})}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            return [problem.replace(f"{root}/", "") for problem in check_includes.check_tree(root)]

    def test_sound_tree_passes(self):
        self.assertEqual(self.check(), [])

    def test_include_of_a_module_above_is_refused_with_file_and_line(self):
        problems = self.check({"src/fovea/base/error.h": '#include <string>\n#include "fovea/graph/solve.h"\n'})
        self.assertEqual(problems, ['src/fovea/base/error.h:2: #include "fovea/graph/solve.h": '
                                    "module `base` may not include `graph`"])

    def test_front_header_of_another_module_is_refused(self):
        problems = self.check({"src/fovea/graph.h": '#include "fovea/linkage/dedupe.h"\n'})
        self.assertEqual(problems, ['src/fovea/graph.h:1: #include "fovea/linkage/dedupe.h": '
                                    "module `graph` may not include `linkage`"])

    def test_front_header_inside_the_library_is_refused(self):
        self.assertIn("front headers are for users",
                      self.check({"src/fovea/cli/main.cc": '#include "fovea/graph.h"\n'})[0])

    def test_front_header_of_no_module_is_refused(self):
        self.assertIn("no module `other`", self.check({"src/fovea/other.h": "\n"})[0])

    def test_space_around_the_directive_does_not_hide_it(self):
        self.assertEqual(len(self.check({"src/fovea/base/error.h": ' # include  "fovea/graph/solve.h"\n'})), 1)

    def test_missing_header_is_refused(self):
        self.assertIn("no such file", self.check({"src/fovea/cli/main.cc": '#include "fovea/base/none.h"\n'})[0])

    def test_relative_include_is_refused(self):
        self.assertIn("quote only", self.check({"src/fovea/graph/solve.h": '#include "chains_private.h"\n'})[0])

    def test_support_of_tests_is_for_tests(self):
        self.assertIn("only tests and benchmarks", self.check({"src/fovea/graph/solve.h": '#include "tests/support/helper.h"\n'})[0])

    def test_unlisted_module_is_refused(self):
        self.assertIn("`extra` is not in the table", self.check({"src/fovea/extra/new.h": "\n"})[0])

    def test_a_folder_may_not_include_one_after_it(self):
        problems = self.check({"src/fovea/graph/model/chains.h": '#include "fovea/graph/tree/tree.h"\n'})
        self.assertEqual(problems, ['src/fovea/graph/model/chains.h:1: #include "fovea/graph/tree/tree.h": '
                                    "folder `model` of `graph` may not include `tree`, which comes after it"])
        self.assertIn("folder `tree`", self.check({"src/fovea/graph/tree/tree.h": '#include "fovea/graph/solve.h"\n'})[0])

    def test_unlisted_and_empty_folders_are_refused(self):
        self.assertIn("not among the folders", self.check({"src/fovea/graph/extra/new.h": "\n"})[0])
        self.assertIn("no files in `grid`", self.check(table=TABLE.replace("`model tree .`", "`model tree . grid`"))[0])

    def test_row_that_names_a_module_below_is_refused(self):
        self.assertIn("not in a row above", self.check(table=TABLE.replace("`model tree .` | base |", "`model tree .` | base, cli |"))[0])

    def test_missing_table_is_refused(self):
        self.assertIn("no table", self.check(table="# Architecture\n")[0])


if __name__ == "__main__":
    unittest.main()
