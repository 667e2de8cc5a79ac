#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The runner of the guides accepts true pages, catches false ones, and can correct them."""
import pathlib
import tempfile
import unittest

from run_guides import Page, matches, split_console

TRUE_PAGE = """# Page

```console
$ printf 'a\\nb\\n' > file
$ cat file
a
b
$ cat <<'END' | wc -l
> one
> two
> END
2
$ seq 5
1
...
5
$ exit 5
[exit 5]
```
"""


class RunGuidesTest(unittest.TestCase):
    def page(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(text)
            return Page(path, pathlib.Path(folder)).run()

    def test_a_page_that_tells_the_truth_passes(self):
        page = self.page(TRUE_PAGE)
        self.assertEqual(page.faults, [])
        self.assertEqual(page.updated, TRUE_PAGE)

    def test_another_output_is_a_fault_and_can_be_written(self):
        page = self.page(TRUE_PAGE.replace("a\nb\n$", "a\nc\n$"))
        self.assertEqual(len(page.faults), 1)
        self.assertIn("page.md:3: $ cat file\nprints\na\nb", page.faults[0])
        self.assertEqual(page.updated, TRUE_PAGE)

    def test_a_command_that_fails_is_a_fault_and_is_not_written(self):
        page = self.page("```console\n$ false\n```\n")
        self.assertEqual(len(page.faults), 1)
        self.assertEqual(page.updated, "```console\n$ false\n```\n")

    def test_numbers_may_differ_only_where_the_page_says_so(self):
        page = "<!-- numbers within 1 % -->\n```console\n$ echo 'right: 95.94 of x1, 100'\nright: 95.88 of x1, 100\n```\n"
        self.assertEqual(self.page(page).faults, [])
        self.assertEqual(self.page(page).updated, page)
        self.assertEqual(len(self.page(page.split("\n", 1)[1]).faults), 1)
        shown = "right: 95.88 of x1, 100\n"
        for old, new in (("95.88", "90"), ("x1", "x2"), ("right", "wrong"), (", 100", "")):
            self.assertEqual(len(self.page(page.replace(shown, shown.replace(old, new))).faults), 1)

    def test_lines_are_left_out_only_where_the_page_says_so(self):
        self.assertTrue(matches(["a", "...", "z"], ["a", "z"]))
        self.assertTrue(matches(["..."], []))
        self.assertFalse(matches(["a", "...", "z"], ["a", "b"]))
        self.assertFalse(matches([], ["a"]))

    def test_code_must_stand_in_the_named_file(self):
        block = "<!-- from examples/00_first_look.cc -->\n```cpp\n%s\n```\n"
        self.assertEqual(self.page(block % "int main() {").faults, [])
        self.assertEqual(len(self.page(block % "int old_name() {").faults), 1)

    def test_output_without_a_command_is_refused(self):
        with self.assertRaises(ValueError):
            split_console("output\n$ command\n")


if __name__ == "__main__":
    unittest.main()
