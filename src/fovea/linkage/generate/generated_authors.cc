// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/generated_authors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "fovea/base/shuffle.h"
#include "fovea/linkage/generate/name_writer.h"

namespace fovea::linkage {
namespace {

constexpr double kAnthologyRecords = 187066;
constexpr double kPapersExponent = 1.75;
constexpr std::uint32_t kMostPapers = 270;

// Chosen, with those of paper_network.cc, so that corpora have the figures in the header.
constexpr std::uint32_t kCommunityAuthors = 720;
constexpr double kAtHome = 0.75;    // share of a community's authors who are of its own culture for sure
constexpr double kNamesake = 0.35;  // probability to keep a full name that somebody has already
constexpr double kMiddleName = 0.1;

constexpr double kYearMissing = 0.074;
constexpr std::uint32_t kCommunityTopics = 300;

std::vector<double> papers_law() {
  std::vector<double> weights(kMostPapers);
  for (std::uint32_t k = 0; k < kMostPapers; ++k) weights[k] = std::pow(k + 1, -kPapersExponent);
  return weights;
}

/// The numbers 0 .. count - 1 in random order.
std::vector<std::uint32_t> draw_order(std::size_t count, Random& random) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  shuffle(std::span(order), random);
  return order;
}

}  // namespace

GeneratedAuthors::GeneratedAuthors(const AuthorsOptions& options, const Random& world)
    : world_(world), names_((validate(options), options.records / kAnthologyRecords), world), words_(world) {
  generate(static_cast<std::uint32_t>(options.records));
  shuffle_papers(world.child("order"));
}

void GeneratedAuthors::generate(std::uint32_t records) {
  const std::vector<double> law = papers_law();
  std::unordered_set<std::uint64_t> taken;
  std::vector<std::uint32_t> papers_of;
  for (std::uint32_t number = 0; records > 0; ++number) {
    const Random own = world_.child("community", number);
    Random random = own.child("home");
    const std::uint32_t home = names_.draw_culture(random);
    const auto first_author = static_cast<std::uint32_t>(authors_.size());
    papers_of.clear();
    while (papers_of.size() < kCommunityAuthors && records > 0) {
      Random author = own.child("author", papers_of.size());
      papers_of.push_back(std::min(1 + author.categorical(std::span<const double>(law)), records));
      records -= papers_of.back();
      authors_.push_back(draw_author(home, taken, author));
    }
    append_papers({number, home, first_author, papers_of}, own, papers_);
  }
}

/// Full namesakes are rarer than chance has it: who could tell them apart? The truth of real corpora takes most of them
/// for one person.
GeneratedAuthors::Author GeneratedAuthors::draw_author(std::uint32_t home, std::unordered_set<std::uint64_t>& taken,
                                                       Random& random) const {
  const std::uint32_t culture = random.bernoulli(kAtHome) ? home : names_.draw_culture(random);
  MadeUpNames::Name name = names_.draw(culture, random);
  while (!taken.insert(name.key()).second && !random.bernoulli(kNamesake)) name = names_.draw(culture, random);
  const bool has_middle = random.bernoulli(kMiddleName);
  return {name, has_middle ? static_cast<char>('A' + random.uniform_index(26)) : '\0'};
}

void GeneratedAuthors::shuffle_papers(Random random) {
  PaperTable shuffled;
  shuffled.papers.reserve(papers_.papers.size());
  shuffled.authors.reserve(papers_.authors.size());
  for (const std::uint32_t paper : draw_order(papers_.papers.size(), random)) {
    shuffled.papers.push_back(papers_.papers[paper]);
    shuffled.papers.back().begin = static_cast<std::uint32_t>(shuffled.authors.size());
    const auto authors = papers_.authors_of(paper);
    shuffled.authors.insert(shuffled.authors.end(), authors.begin(), authors.end());
  }
  papers_ = std::move(shuffled);
}

std::vector<GeneratedAuthors::WrittenName> GeneratedAuthors::write_names(std::size_t paper, Random& random) const {
  const NameStyle style = NameStyle::draw(random);
  std::vector<WrittenName> written;
  for (const std::uint32_t author : papers_.authors_of(paper)) {
    const auto& [name, middle] = authors_[author];
    WrittenName& w = written.emplace_back();
    w.first = written_first_name(names_.first(name), middle, style, random);
    w.last = typed(names_.surname(name), random);
    w.abbreviated = w.first.substr(0, 1) + " " + w.last;
    for (char& letter : w.abbreviated) letter = static_cast<char>(std::tolower(letter));
  }
  return written;
}

void GeneratedAuthors::append_paper(std::size_t paper, std::string& text) const {
  const PaperRecord& record = papers_.papers[paper];
  Random random = world_.child("paper", paper);
  const std::vector<WrittenName> names = write_names(paper, random);
  const std::string year = random.bernoulli(kYearMissing) ? "" : std::to_string(record.year);
  const std::string venue = words_.venue(record.venue);
  const std::string title =
      words_.draw_title(record.community % kCommunityTopics, kCommunityTopics + record.venue, random);
  for (std::size_t i = 0; i < names.size(); ++i) {
    fmt::format_to(std::back_inserter(text), "{}\tp{}\t{}\t{}\t{}\t{}\t", record.begin + i + 1, paper + 1,
                   names[i].first, names[i].last, year, venue);
    std::string_view separator;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (k == i) continue;
      text.append(separator).append(names[k].abbreviated);
      separator = "|";
    }
    fmt::format_to(std::back_inserter(text), "\t{}\ta{}\n", title, papers_.authors[record.begin + i] + 1);
  }
}

}  // namespace fovea::linkage
