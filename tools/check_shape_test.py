#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checker measures functions by their braces and refuses what is too long."""

import pathlib
import tempfile
import unittest

import check_shape

SOURCE = """\
#include <vector>
#define BRACES {{{
namespace fovea {
// A comment with a brace {
class Chain {
 public:
  int size() const { return 1; }
  Chain(int a,
        int b)
      : a_(a) {
    const char* text = "}";
    if (a) { b = '{'; }
  }
};
enum class Visit { kSample, kBest };
constexpr int kTable[] = {1, 2};
template <class T>
auto all(T t) {
  return [t] {
    return t;
  };
}
}  // namespace fovea
"""


class CheckShapeTest(unittest.TestCase):
    def test_functions_are_measured_from_head_to_closing_brace(self):
        self.assertEqual(list(check_shape.functions(SOURCE)), [(7, 1), (8, 6), (17, 6)])

    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "src" / "long.cc"
            path.parent.mkdir()
            path.write_text(text)
            return [problem.replace(f"{folder}/", "") for problem in check_shape.check(pathlib.Path(folder))[0]]

    def test_limits_themselves_pass(self):
        self.assertEqual(self.check("void f() {\n" + "g();\n" * 58 + "}\n"), [])
        self.assertEqual(self.check("int a;\n" * 500), [])

    def test_long_function_is_refused(self):
        self.assertEqual(self.check("int a;\nvoid f() {\n" + "g();\n" * 59 + "}\n"),
                         ["src/long.cc:2: function of 61 lines, more than 60"])

    def test_long_file_is_refused(self):
        self.assertEqual(self.check("int a;\n" * 501), ["src/long.cc:1: 501 lines, more than 500"])


if __name__ == "__main__":
    unittest.main()
