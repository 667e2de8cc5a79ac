#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checker accepts plain English and catches each kind of fault."""
import unittest

from check_prose import check_document, check_source


class CheckProseTest(unittest.TestCase):
    def faults(self, text, is_door=False, is_test=False):
        return [(line, what) for line, what, _ in check_source(text, is_door, is_test)]

    def test_plain_english_passes(self):
        self.assertEqual(self.faults('/// Number of rows.\nint rows;  // what was asked for\nf("no row: it is not there");\n'), [])

    def test_phrases_are_found_in_comments_strings_and_documents(self):
        self.assertEqual(self.faults("/// A matrix that is no grid.\n"), [(1, "is no")])
        self.assertEqual(self.faults("int a;  // at most so many\n"), [(1, "so many")])
        self.assertEqual(self.faults('\nf("in the mean, 3");\n'), [(2, "in the mean")])
        self.assertEqual([(line, what) for line, what, _ in check_document("# A\nAll but for one.\n")], [(2, "but for")])

    def test_what_is_right_after_all_passes(self):
        self.assertEqual(self.faults("// Both run side by side; it is no longer needed, so many that none fits.\n"), [])

    def test_code_in_documents_is_not_prose(self):
        self.assertEqual(list(check_document("Write `is no` or\n```\nin the mean\n```\n")), [])

    def test_declarations_begin_with_a_noun_or_a_verb(self):
        self.assertEqual(self.faults("/// What a row holds.\nstruct Row {};\n"), [(1, "What a row holds.")])
        self.assertEqual(self.faults("int a;  ///< what a row holds\n"), [])
        self.assertEqual(self.faults("// What follows is safe.\n"), [])

    def test_the_library_names_no_flag_but_the_command_line_does(self):
        text = 'f("write --json or option \'budget\'");\ng("--json");\n'
        self.assertEqual(self.faults(text), [(1, "--json")])
        self.assertEqual(self.faults(text, is_door=True), [])
        self.assertEqual(self.faults('f("see \'fovea tag --help\' for more");\n'), [])

    def test_help_begins_with_a_capital_and_ends_with_a_full_stop(self):
        for text in ('visit(&O::a, OptionInfo{.name = "a",\n  .description = "%s "\n  "and %s",\n .min = 1});\n',
                     'visit(&O::a, option("a", "%s "\n  "and %s", "FILE"));\n',
                     'visit(&O::a, number_in(-1, 1e9, "a", "%s and %s"));\n',
                     'binder.optional_input(job_.file, "A", "%s and %s");\n'):
            self.assertEqual(self.faults(text % ("Rows", "columns.")), [])
            self.assertEqual(len(self.faults(text % ("rows", "columns."))), 1)
            self.assertEqual(len(self.faults(text % ("Rows", "columns"))), 1)

    def test_tests_may_quote_anything(self):
        self.assertEqual(self.faults("/// What is no grid\n", is_test=True), [])


if __name__ == "__main__":
    unittest.main()
