// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fovea/base/random.h"

namespace fovea::linkage {

/// A paper without its words.
struct PaperRecord {
  std::uint32_t begin;      ///< its first author's place in PaperTable::authors, the lead
  std::uint32_t community;  ///< whose papers these are
  std::uint16_t venue;      ///< below kVenues
  std::uint16_t year;       ///< kFirstYear .. kLastYear
};

/// Papers laid end to end.
struct PaperTable {
  std::vector<PaperRecord> papers;
  std::vector<std::uint32_t> authors;

  std::span<const std::uint32_t> authors_of(std::size_t paper) const {
    const std::size_t end = paper + 1 < papers.size() ? papers[paper + 1].begin : authors.size();
    return std::span(authors).subspan(papers[paper].begin, end - papers[paper].begin);
  }
};

/// Authors per paper, 1 to 8, measured on the ACL Anthology; to be normalised, as 1.5 % of its papers have more.
inline constexpr std::array kAuthorsPerPaper = {.168, .279, .241, .149, .078, .040, .019, .011};

inline constexpr std::uint16_t kFirstYear = 1965, kLastYear = 2020;
/// Venues are conferences that meet for ever and, a number each year, workshops that meet once: 944 in all, as in the
/// Anthology.
inline constexpr std::uint16_t kConferences = 48, kWorkshopsPerYear = 16;
inline constexpr std::uint16_t kVenues = kConferences + (kLastYear - kFirstYear + 1) * kWorkshopsPerYear;

/// People who write papers with one another.
struct Community {
  std::uint32_t number;                      ///< of the community
  std::uint32_t region;                      ///< communities of one region like the same conferences
  std::uint32_t first_author;                ///< number of its first author; the others' follow
  std::span<const std::uint32_t> papers_of;  ///< [author] papers to write, at least 1
};

/// Appends the papers of a community, in the order in which they are written. Only children of `own` are drawn from.
///
/// Every author's papers to be are scattered over the years of a career, and all careers are merged into one line by
/// time. The first in the line leads the next paper. The lead's co-authors are either past ones, who bring their own
/// next paper along, or others whose turn comes soon. So the papers per author are met exactly, and the law of authors
/// per paper too, but for the last papers of a community, which can run out of authors and are then smaller.
void append_papers(const Community& community, const Random& own, PaperTable& table);

}  // namespace fovea::linkage
