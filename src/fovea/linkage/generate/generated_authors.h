// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "fovea/base/options.h"
#include "fovea/base/random.h"
#include "fovea/linkage/generate/made_up_words.h"

namespace fovea::linkage {

/// A paper without its words.
struct PaperRecord {
  std::uint32_t begin;      ///< place of its first author, the lead, in PaperTable::authors
  std::uint32_t community;  ///< that wrote the paper
  std::uint16_t venue;      ///< below kVenues
  std::uint16_t year;       ///< kFirstYear .. kLastYear
};

/// Papers, with their authors laid end to end.
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
/// Venues are conferences, which are held every year, and a number of new workshops each year, which are held once: 944
/// in all, as in the Anthology.
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
/// The future papers of every author are scattered over the years of a career, and all careers are merged into one
/// queue by time. The first in the queue leads the next paper. The lead's co-authors are either past ones, who bring
/// their own next paper along, or others whose turn comes soon. So the numbers of papers per author are met exactly,
/// and so is the law of authors per paper, except by the last papers of a community, which can run out of authors and
/// are then smaller.
void append_papers(const Community& community, const Random& own, PaperTable& table);

struct AuthorsOptions {
  int records = 187066;

  static void describe(auto&& visit) {
    visit(&AuthorsOptions::records,
          number_in(1, 1e8, "mentions",
                    "Number of lines to write, each an author on a paper; exactly this many are written."));
  }
};

/// A made-up bibliography for entity resolution: which records of names belong to one author?
///
/// Its figures were measured on the ACL Anthology, whose size is the default (187,066 records of 51,077 authors):
/// authors per paper (PaperNetwork), names (made_up_words.h), 7.4 % of the papers without a year. Papers per author
/// follow a power law with exponent 1.75, up to 270 (the Anthology's most prolific author has 269; the exponent that
/// fits all of it best is 1.93: more authors of a single paper). Abbreviations follow an abbreviated edition of it
/// (made_up_words.h). Titles, typing errors and the years of careers are guesses.
///
/// The table shows shares of pairs of records with the same surname and first initial that have something in common
/// (the first name where both have it in full), and shares of co-authors and venues that an author had before, in the
/// order of years. The figures are means of 32 corpora of the default size, with the standard deviation of one corpus,
/// which is large where a few prolific namesakes decide:
///
///   |                           | Anthology | generated     |
///   |---------------------------|-----------|---------------|
///   | same author: a co-author  | .203      | .200 +- .007  |
///   | same author: the venue    | .109      | .118 +- .002  |
///   | same author: first name   | .941      | .942 +- .007  |
///   | others: a co-author       | .008      | .008 +- .002  |
///   | others: the venue         | .068      | .069 +- .006  |
///   | others: first name        | .009      | .010 +- .004  |
///   | past co-author            | .469      | .498 +- .006  |
///   | past venue                | .461      | .459 +- .003  |
///
/// Larger corpora have more communities and more names, so that different authors share fewer co-authors (.0016 at a
/// million). If co-authors with the same spelling count as one, namesakes or not, .011 of the others share one, .023 in
/// the Anthology. The clustering by surname and first initial has B-cubed F1 .92, .89, .85 and .81 on 100,000, 187,066,
/// one million and five million records (.90 on the Anthology).
///
/// Papers are made community by community, each from its own stream, as are authors and the words of a paper; then they
/// are shuffled. About 30 bytes per record are kept; text is made on demand.
class GeneratedAuthors {
 public:
  /// Header with the names of the columns: mention (from 1), paper, first, last, year (may be empty), venue, coauthors
  /// ("f last|f last", in lower case), title, entity (the true author).
  static constexpr std::string_view kHeader = "mention\tpaper\tfirst\tlast\tyear\tvenue\tcoauthors\ttitle\tentity\n";

  /// Only children of `world` are drawn from. Throws UsageError unless validate(options) holds.
  GeneratedAuthors(const AuthorsOptions& options, const Random& world);

  /// Papers in the order of the file, which is random.
  const PaperTable& papers() const { return papers_; }
  std::size_t author_count() const { return authors_.size(); }

  /// Appends a line for each of the paper's authors.
  void append_paper(std::size_t paper, std::string& text) const;

 private:
  struct Author {
    MadeUpNames::Name name;
    char middle;  ///< initial of the middle name, or '\0'
  };
  struct WrittenName {
    std::string first, last;
    std::string abbreviated;  ///< as in lists of co-authors
  };

  void generate(std::uint32_t records);
  Author draw_author(std::uint32_t home, std::unordered_set<std::uint64_t>& taken, Random& random) const;
  void shuffle_papers(Random random);
  std::vector<WrittenName> write_names(std::size_t paper, Random& random) const;

  Random world_;
  MadeUpNames names_;
  TitleWords words_;
  std::vector<Author> authors_;
  PaperTable papers_;
};

}  // namespace fovea::linkage
