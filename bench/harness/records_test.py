# SPDX-License-Identifier: Apache-2.0
"""Tests that gold links are between papers of one issue whose titles say the same."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from harness import records  # noqa: E402


def paper(identifier, title, authors, venue="VLDB", year="1999"):
    return records._Paper({"id": identifier, "title": title, "authors": authors, "venue": venue, "year": year})


class LinkedPapersTest(unittest.TestCase):
    def links(self, left, right):
        return dict(records._linked_papers(left, right))

    def test_spelling_does_not_matter(self):
        left = [paper("a", "Temporal Joins, Revisited", "Thomas A. Mück")]
        right = [paper("1", "Temporal joins: revisited", "Thomas A. Muck"), paper("2", "Spatial indexing", "A. Other")]
        self.assertEqual(self.links(left, right), {"a": "1"})

    def test_one_title_may_hold_the_other_if_an_author_is_shared(self):
        long = "Querying the web: a report of the workshop held at the university in the last days of April"
        self.assertEqual(self.links([paper("a", "Querying the web", "B. Smith")], [paper("1", long, "Bo Smith")]),
                         {"a": "1"})
        self.assertEqual(self.links([paper("a", "Querying the web", "B. Smith")], [paper("1", long, "C. Jones")]), {})

    def test_other_years_and_venues_are_other_papers(self):
        right = [paper("1", "Joins", "A. Lee", year="2000"), paper("2", "Joins", "A. Lee", venue="VLDB J.")]
        self.assertEqual(self.links([paper("a", "Joins", "A. Lee")], right), {})

    def test_a_paper_is_linked_once_to_the_best(self):
        left = [paper("a", "Mining rules fast", "A. Lee"), paper("b", "Mining rules faster", "A. Lee")]
        right = [paper("1", "Mining rules faster", "A. Lee")]
        self.assertEqual(self.links(left, right), {"b": "1"})

    def test_what_no_column_tells_apart_is_ambiguous(self):
        papers = [paper("a", "Book Reviews", "A. Lee"), paper("b", "Book reviews", "B. Day"), paper("c", "Joins", "")]
        self.assertEqual(records._ambiguous(papers), {"a", "b"})


if __name__ == "__main__":
    unittest.main()
