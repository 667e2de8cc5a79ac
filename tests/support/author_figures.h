// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace fovea::testing {

inline std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The values by which pairs of records are compared, numbered as they come. The block is the surname with the first
/// initial, in either case.
struct RecordKeys {
  std::uint32_t paper, venue, entity, block, first;
  bool is_in_full;  ///< whether the first name is more than an initial or two
};

/// A line of `record paper first last year venue coauthors title entity`.
struct AuthorRecord : RecordKeys {
  std::array<std::string, 9> field;

  const std::string& first_name() const { return field[2]; }
  const std::string& last_name() const { return field[3]; }
  const std::string& year() const { return field[4]; }
};

class AuthorRecords {
 public:
  std::vector<AuthorRecord> records;
  std::vector<std::vector<std::uint32_t>> entities_of;  ///< [paper]

  /// Takes one line without its end.
  void add(std::string_view line) {
    AuthorRecord& m = records.emplace_back();
    for (std::string& field : m.field) {
      const std::size_t end = std::min(line.find('\t'), line.size());
      field = line.substr(0, end);
      line.remove_prefix(std::min(end + 1, line.size()));
    }
    m.paper = papers_.number(m.field[1]);
    m.venue = venues_.number(m.field[5]);
    m.entity = entities_.number(m.field[8]);
    m.block = blocks_.number(in_lower_case(m.last_name() + '\t' + m.first_name().substr(0, 1)));
    m.first = first_names_.number(m.first_name());
    m.is_in_full = m.first_name().size() > 1 && m.first_name()[1] != ' ';
    entities_of.resize(std::max<std::size_t>(entities_of.size(), m.paper + 1));
    entities_of[m.paper].push_back(m.entity);
  }

 private:
  struct Numbers {
    std::unordered_map<std::string, std::uint32_t> of;
    std::uint32_t number(const std::string& value) {
      return of.try_emplace(value, static_cast<std::uint32_t>(of.size())).first->second;
    }
  };
  Numbers papers_, venues_, entities_, blocks_, first_names_;
};

/// Figures of pairs of records in one block: the shares that have in common a third author, the venue, or, where both
/// write it in full, the first name.
struct PairFigures {
  double pairs = 0, both_in_full = 0;
  double coauthor = 0, venue = 0, first = 0;
};

struct AuthorFigures {
  PairFigures same_entity, other;
  double coauthor_reuse = 0;  ///< share of pairs (author with a past, co-author) who had a paper together before
  double venue_reuse = 0;     ///< share of records of authors with a past who had a paper at the venue before
};

inline bool share_coauthor(const AuthorRecords& all, const RecordKeys& a, const RecordKeys& b) {
  const auto& others = all.entities_of[b.paper];
  return std::any_of(all.entities_of[a.paper].begin(), all.entities_of[a.paper].end(), [&](std::uint32_t entity) {
    return entity != a.entity && entity != b.entity && std::find(others.begin(), others.end(), entity) != others.end();
  });
}

inline void count_pair(const AuthorRecords& all, const RecordKeys& a, const RecordKeys& b, PairFigures& pair) {
  ++pair.pairs;
  pair.coauthor += share_coauthor(all, a, b);
  pair.venue += a.venue == b.venue;
  if (!a.is_in_full || !b.is_in_full) return;
  ++pair.both_in_full;
  pair.first += a.first == b.first;
}

inline void count_pairs(const AuthorRecords& all, AuthorFigures& figures) {
  std::unordered_map<std::uint32_t, std::vector<RecordKeys>> blocks;
  for (const AuthorRecord& m : all.records) {
    auto& block = blocks[m.block];
    for (const RecordKeys& other : block)
      count_pair(all, m, other, m.entity == other.entity ? figures.same_entity : figures.other);
    block.push_back(m);
  }
  for (PairFigures* pair : {&figures.same_entity, &figures.other}) {
    pair->coauthor /= pair->pairs;
    pair->venue /= pair->pairs;
    pair->first /= pair->both_in_full;
  }
}

/// Takes papers in the order of their years, those without a year last.
inline void count_reuse(const AuthorRecords& all, AuthorFigures& figures) {
  std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t>> papers;
  for (const AuthorRecord& m : all.records) papers.emplace_back(m.year().empty() ? "9999" : m.year(), m.paper, m.venue);
  std::sort(papers.begin(), papers.end());
  papers.erase(std::unique(papers.begin(), papers.end()), papers.end());
  std::vector<std::unordered_set<std::uint32_t>> venues(all.records.size()), partners(all.records.size());
  double records = 0, pairs = 0;
  for (const auto& [year, paper, venue] : papers) {
    const auto& entities = all.entities_of[paper];
    for (const std::uint32_t entity : entities) {
      const bool has_past = !venues[entity].empty();
      records += has_past;
      figures.venue_reuse += !venues[entity].insert(venue).second;
      for (const std::uint32_t other : entities) {
        if (other == entity) continue;
        pairs += has_past;
        figures.coauthor_reuse += !partners[entity].insert(other).second;
      }
    }
  }
  figures.venue_reuse /= records;
  figures.coauthor_reuse /= pairs;
}

inline AuthorFigures figures_of(const AuthorRecords& all) {
  AuthorFigures figures;
  count_pairs(all, figures);
  count_reuse(all, figures);
  return figures;
}

/// B-cubed F1 of the clustering that takes each block for one author.
inline double b_cubed_f1_of_blocks(const AuthorRecords& all) {
  std::unordered_map<std::uint32_t, double> block_size, entity_size;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> both;
  for (const AuthorRecord& m : all.records) ++block_size[m.block], ++entity_size[m.entity], ++both[{m.block, m.entity}];
  double precision = 0, recall = 0;
  for (const auto& [key, size] : both) {
    precision += size * size / block_size[key.first];
    recall += size * size / entity_size[key.second];
  }
  return 2 * precision * recall / ((precision + recall) * static_cast<double>(all.records.size()));
}

}  // namespace fovea::testing
