#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checker accepts paths that are there and names those that are not."""
import pathlib
import tempfile
import unittest

from check_paths import missing_paths


class CheckPathsTest(unittest.TestCase):
    def missing(self, text):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name in ("src/fovea/graph/solve/solve.h", "tests/kernels/bias_test.cc", "docs/page.md"):
                (root / name).parent.mkdir(parents=True, exist_ok=True)
                (root / name).write_text("")
            (root / "docs/page.md").write_text(text)
            return list(missing_paths(root, root / "docs/page.md"))

    def test_paths_may_be_relative_to_a_module(self):
        self.assertEqual(self.missing("`graph/solve/solve.h` `solve/solve.h` `solve/` `kernels/bias_test.cc`\n"
                                      "`graph/*/solve.h` [x](page.md#part) [y](https://z.org/a.md) `2ms/item`"), [])

    def test_missing_files_and_folders_are_named_with_their_line(self):
        self.assertEqual(self.missing("\n`graph/solve/old.h` `old/`\n[x](gone.md)\n"),
                         [(2, "graph/solve/old.h"), (2, "old/"), (3, "gone.md")])
        self.assertEqual(self.missing("`graph/old`"), [(1, "graph/old")])

    def test_code_blocks_and_what_a_build_makes_do_not_count(self):
        self.assertEqual(self.missing("```\n`a/b.h`\n```\n`build/dev/bin` `fovea/graph.h`"), [])


if __name__ == "__main__":
    unittest.main()
