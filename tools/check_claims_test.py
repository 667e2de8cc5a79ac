#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of check_claims.py."""
import unittest

from check_claims import missing_claims, numbers_of

README = "# x\n9 of 9\n## How fast, how good\n{}\n## Use\n77\n"


class CheckClaims(unittest.TestCase):
    def missing(self, claim, results):
        return missing_claims(README.format(claim), results)

    def test_numbers_are_read_as_they_are_written(self):
        self.assertEqual(numbers_of("5,000,000 at .973, 1.1G; 3."), ["5,000,000", ".973", "1.1", "3"])

    def test_a_claim_is_a_rounded_result(self):
        self.assertEqual(self.missing("F1 .973 in 5.1 s", "| 0.97312 | 5.07 |"), [])
        self.assertEqual(self.missing("97.3 % on CoNLL-2003", "0.9731"), ["97.3"])
        self.assertEqual(self.missing("F1 .974", "| 0.97312 |"), [".974"])

    def test_only_the_section_of_figures_counts(self):
        self.assertEqual(self.missing("none", ""), [])

    def test_the_first_list_counts_too(self):
        readme = "# x\n- 9 of 17 models\n\n```sh\nrun 3\n```\n" + README.format("none")
        self.assertEqual(missing_claims(readme, "9"), ["17"])

    def test_links_are_not_claims(self):
        self.assertEqual(self.missing("![x](docs/figures/seconds-pos-f4.svg) `--budget 17`", ""), [])


if __name__ == "__main__":
    unittest.main()
