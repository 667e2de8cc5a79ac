// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/generate/generated_authors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <numeric>
#include <utility>

#include "fovea/base/random.h"
#include "fovea/linkage/generate/made_up_words.h"

namespace fovea::linkage {
namespace {

// Chosen so that corpora have the figures that generated_authors.h states. They are smaller than the shares of past
// co-authors (.469) and venues (.461), because people of one community also meet again by chance.
constexpr double kPastPartner = 0.16, kPastVenue = 0.17;
constexpr double kWorkshop = 0.46, kHomeConference = 0.11;
const ZipfLaw kConferenceLaw(2.6, kConferences);

constexpr std::uint32_t kSoon = 64;  // how far ahead in the queue of turns a lead looks for new co-authors
constexpr double kDaysPerYear = 365.25, kMeanYearsToEnd = 8;
constexpr auto kDays = static_cast<std::uint32_t>((kLastYear + 1 - kFirstYear) * kDaysPerYear);
constexpr auto kNobody = static_cast<std::uint32_t>(-1);

/// An author's turn to write.
struct Turn {
  std::uint32_t day, author;
  friend auto operator<=>(const Turn&, const Turn&) = default;
};

/// Writes the papers of a community. Authors are numbered from 0 within it.
class PaperWriter {
 public:
  PaperWriter(const Community& community, const Random& own, PaperTable& table)
      : community_(community), random_(own.child("papers")), table_(table) {
    turns_of_.resize(community.papers_of.size());
    past_papers_.resize(community.papers_of.size());
    home_conference_ = random_.uniform_index(kConferences);
    for (std::uint32_t author = 0; author < community.papers_of.size(); ++author)
      append_career(author, own.child("career", author));
    std::sort(turns_.begin(), turns_.end());
    is_taken_.resize(turns_.size());
    for (auto turn = static_cast<std::uint32_t>(turns_.size()); turn-- > 0;)
      turns_of_[turns_[turn].author].push_back(turn);
  }

  void write_all() {
    for (; front_ < turns_.size(); ++front_)
      if (!is_taken_[front_]) write_paper();
  }

 private:
  /// Adds an author's turns. Authors of more papers write for longer: a career of k papers lasts 2 sqrt(k) years on
  /// average.
  void append_career(std::uint32_t author, Random random) {
    const std::uint32_t papers = community_.papers_of[author];
    const auto days_to_end = static_cast<std::uint32_t>(kMeanYearsToEnd * kDaysPerYear * random.exponential()) % kDays;
    const double length = kDaysPerYear * std::sqrt(papers) * (1 + random.exponential());
    const auto days = static_cast<std::uint32_t>(std::min<double>(length, kDays - days_to_end));
    for (std::uint32_t k = 0; k < papers; ++k)
      turns_.push_back({kDays - 1 - days_to_end - random.uniform_index(days), author});
  }

  void write_paper() {
    begin_ = static_cast<std::uint32_t>(table_.authors.size());
    const Turn lead = turns_[front_];
    const std::uint32_t size = 1 + random_.categorical(std::span<const double>(kAuthorsPerPaper));
    add_author(lead.author);
    while (table_.authors.size() < begin_ + size) {
      const bool is_past = random_.bernoulli(kPastPartner) && add_past_partner(lead.author);
      if (!is_past && !add_newcomer()) break;
    }
    const auto year = static_cast<std::uint16_t>(kFirstYear + lead.day / kDaysPerYear);
    const std::uint16_t venue = draw_venue(lead.author, year);
    const auto paper = static_cast<std::uint32_t>(table_.papers.size());
    table_.papers.push_back({begin_, community_.number, venue, year});
    for (const std::uint32_t author : table_.authors_of(paper))
      past_papers_[author - community_.first_author].push_back(paper);
  }

  bool is_on_paper(std::uint32_t author) const {
    const std::uint32_t number = community_.first_author + author;
    return std::find(table_.authors.begin() + begin_, table_.authors.end(), number) != table_.authors.end();
  }

  /// Takes the author's next turn.
  void add_author(std::uint32_t author) {
    is_taken_[turns_of_[author].back()] = true;
    turns_of_[author].pop_back();
    table_.authors.push_back(community_.first_author + author);
  }

  std::uint32_t draw_past_paper(std::uint32_t author) {
    const auto& past = past_papers_[author];
    return past[random_.uniform_index(static_cast<std::uint32_t>(past.size()))];
  }

  /// Adds a past co-author of the lead. False if none of a few of them has anything left to write.
  bool add_past_partner(std::uint32_t lead) {
    constexpr int kAttempts = 4;
    if (past_papers_[lead].empty()) return false;
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const auto team = table_.authors_of(draw_past_paper(lead));
      const std::uint32_t partner =
          team[random_.uniform_index(static_cast<std::uint32_t>(team.size()))] - community_.first_author;
      if (turns_of_[partner].empty() || is_on_paper(partner)) continue;
      add_author(partner);
      return true;
    }
    return false;
  }

  /// Adds somebody whose turn comes soon. False if everybody who has anything left to write is on the paper.
  bool add_newcomer() {
    std::uint32_t newcomer = kNobody;
    std::uint32_t ahead = 1 + random_.uniform_index(kSoon);
    for (std::size_t turn = front_ + 1; turn < turns_.size() && ahead > 0; ++turn) {
      if (is_taken_[turn] || is_on_paper(turns_[turn].author)) continue;
      newcomer = turns_[turn].author;
      --ahead;
    }
    if (newcomer == kNobody) return false;
    add_author(newcomer);
    return true;
  }

  std::uint16_t draw_venue(std::uint32_t lead, std::uint16_t year) {
    if (!past_papers_[lead].empty() && random_.bernoulli(kPastVenue)) return table_.papers[draw_past_paper(lead)].venue;
    std::uint32_t venue = home_conference_;
    if (random_.bernoulli(kWorkshop))
      venue = kConferences + (year - kFirstYear) * kWorkshopsPerYear + random_.uniform_index(kWorkshopsPerYear);
    else if (!random_.bernoulli(kHomeConference))
      venue = (community_.region * kRegionStep + kConferenceLaw.draw(random_)) % kConferences;
    return static_cast<std::uint16_t>(venue);
  }

  static constexpr std::uint32_t kRegionStep = 6;  // favourite conferences of one region are little known in others

  const Community& community_;
  Random random_;
  PaperTable& table_;
  std::uint32_t home_conference_;
  std::vector<Turn> turns_;                              // by time
  std::vector<bool> is_taken_;                           // [turn]
  std::vector<std::vector<std::uint32_t>> turns_of_;     // [author] those left, the next one last
  std::vector<std::vector<std::uint32_t>> past_papers_;  // [author]
  std::size_t front_ = 0;                                // all turns before it are taken
  std::uint32_t begin_ = 0;                              // of the authors of the current paper
};

}  // namespace

void append_papers(const Community& community, const Random& own, PaperTable& table) {
  PaperWriter(community, own, table).write_all();
}

namespace {

constexpr double kAnthologyRecords = 187066;
constexpr double kPapersExponent = 1.75;
constexpr std::uint32_t kMostPapers = 270;

// Chosen, together with the constants of the network above, so that corpora have the figures in the header.
constexpr std::uint32_t kCommunityAuthors = 720;
constexpr double kAtHome = 0.75;    // share of a community's authors who are certainly of its own culture
constexpr double kNamesake = 0.35;  // probability of keeping a full name that somebody already has
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

/// Draws an author. Full namesakes are rarer than chance would have it, since nobody could tell them apart: the gold
/// labels of real corpora take most of them for one person.
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
