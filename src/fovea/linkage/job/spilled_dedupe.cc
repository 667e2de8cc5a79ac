// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/spilled_dedupe.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/text.h"
#include "fovea/io/table/table_parts.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/bucket_clusters.h"
#include "fovea/linkage/stages/bucket_files.h"
#include "fovea/linkage/stages/bucket_links.h"
#include "fovea/linkage/stages/link_forest.h"
#include "fovea/linkage/stages/match_plan.h"

namespace fovea::linkage {
namespace {

constexpr std::size_t kRowsOfAPart = 1 << 16;

/// Options that need the table as a whole.
void refuse_whole_table_options(const DedupeJob& job) {
  const DedupeOptions& o = job.options;
  const std::array<std::pair<const char*, bool>, 18> refused = {
      {{"clusters", !o.clusters.empty()},
       {"pairs", !o.pairs.empty()},
       {"gold", !o.gold.empty()},
       {"must-link", !o.must_link.empty()},
       {"cannot-link", !o.cannot_link.empty()},
       {"golden", !o.golden.empty()},
       {"score", !o.score.empty()},
       {"checkpoint", !o.checkpoint.empty()},
       {"resume", !o.resume.empty()},
       {"labels", !job.labels.labels.empty()},
       {"labelled-pairs", !job.labels.labelled_pairs.empty()},
       {"adapt", job.matching.model.adapt},
       {"statistics", !job.matching.model.statistics.empty()},
       {"explain", job.matching.explains()},
       {"profile", job.matching.model.profile},
       {"save-model", !job.matching.model.save_model.empty()},
       {"save-statistics", !job.matching.model.save_statistics.empty()},
       {"budget", !job.limits.budget.empty()}}};
  for (const auto& [name, is_set] : refused)
    if (is_set) throw UsageError(fmt::format("option 'spill' excludes option '{}', which needs the whole table", name));
  if (!job.matching.reads_model())
    throw UsageError(
        "option 'spill' needs option 'model': learn one from a part of the table that fits into memory, by option "
        "'save-model'");
  if (!job.matching.matching.compare.empty() || !job.matching.matching.block.empty())
    throw UsageError("option 'model' excludes option 'compare' and option 'block': the model has its own");
}

/// One call of dedupe_by_parts().
class SpilledDeduplication {
 public:
  SpilledDeduplication(DedupeJob job, const Run& whole)
      : job_(std::move(job)), run_(whole.ending_after(job_.limits.parse().seconds)) {
    refuse_whole_table_options(job_);
    if (job_.matching.as_json && (job_.options.output.empty() || job_.options.output == "-"))
      throw UsageError(
          "option 'json' is a summary on standard output: give the table of clusters a file by option 'output'");
    memory_ = parse_byte_count("memory-limit", job_.spilling.memory_limit);
  }

  void run() {
    prepare();
    bring_blocks_together();
    const ConnectedBy by = find_components();
    std::vector<std::uint32_t> cluster_of = find_clusters(by);
    write(cluster_of);
  }

 private:
  /// Reads the model and the first part of the table, by which options are checked.
  void prepare() {
    run_.begin_phase("preparing");
    std::optional<io::Table> first;
    struct Enough {};
    try {
      io::for_each_part(job_.file, job_.reading, 1, [&](io::Table&& part) {
        first = std::move(part);
        throw Enough();
      });
    } catch (const Enough&) {
    }
    if (!first)
      throw InputError({.file = job_.file}, "a table without records",
                       "The first line names the columns; it is not a record");
    id_column_ = job_.options.id.empty() ? 0 : first->column(job_.options.id);
    MatchModelDescription model = job_.matching.model_json.empty()
                                      ? read_match_model(job_.matching.model.model)
                                      : parse_match_model(job_.matching.model_json, "the model");
    if (job_.options.draw_by) model.draw_by = *job_.options.draw_by;
    const std::string id = model.draw_by == DrawBy::kId ? first->columns()[id_column_] : "";
    plan_ = MatchPlan::of_model(std::move(model), *first, job_.matching.matching, id);
    for (const std::string& name : plan_.columns) columns_.push_back(first->column(name));
    const double any = 0;
    const ClusterColumns columns = {.clusters = {},
                                    .confidence = {&any, job_.clustering.samples > 0 ? 1U : 0U},
                                    .name = job_.options.cluster_column};
    check_clusters_can_be_written(job_.options.output, *first, id_column_, columns, job_.writing);
    bucket_count_ = count_buckets();
  }

  /// So many that the buckets that all threads hold, in bytes and as tables, take a part of the memory.
  std::uint32_t count_buckets() const {
    constexpr double kShare = .15;
    const double bytes =
        static_cast<double>(std::filesystem::file_size(job_.file)) *
        (job_.file.ends_with(".gz") || job_.file.ends_with(".xz") || job_.file.ends_with(".zst") ? 6 : 1) *
        static_cast<double>(plan_.rules.size() + 1);
    const double room = kShare * static_cast<double>(memory_) / run_.thread_count();
    return static_cast<std::uint32_t>(std::clamp(bytes / room, 4.0, 4096.0)) + 1;
  }

  /// Calls use(part, numbers) for each part of the table.
  template <class Use>
  void for_each_part(const char* phase, Use&& use) {
    const PhaseProgress progress(run_.progress, phase, static_cast<double>(rows_));
    std::uint32_t begin = 0;
    io::for_each_part(job_.file, job_.reading, kRowsOfAPart, [&](io::Table&& part) {
      ComparisonMeter(run_.stop, phase).look();
      progress.report(begin);
      if (part.row_count() >= kNoId - begin)
        throw InputError(part.location(0), fmt::format("more than {} records", kNoId - 1), "Cut the table");
      std::vector<std::uint32_t> numbers(part.row_count());
      std::iota(numbers.begin(), numbers.end(), begin);
      begin += static_cast<std::uint32_t>(numbers.size());
      use(part, numbers);
    });
    if (rows_ > 0 && begin != rows_)
      throw InputError({.file = job_.file}, fmt::format("had {} records and has {} now", rows_, begin),
                       "Leave the table as it is while it is read");
    rows_ = begin;
  }

  /// Lets fill(part, numbers, buckets) put the records of all parts into files.
  template <class Fill>
  std::unique_ptr<BucketFiles> bring_together(const char* phase, Fill&& fill) {
    auto files = std::make_unique<BucketFiles>(job_.spilling.spill, bucket_count_);
    for_each_part(phase, [&](const io::Table& part, const std::vector<std::uint32_t>& numbers) {
      RecordBuckets buckets(bucket_count_, columns_);
      fill(part, numbers, buckets);
      files->append(buckets);
    });
    return files;
  }

  void bring_blocks_together() {
    run_.begin_phase("bringing together");
    std::optional<MatchStatistics> contexts;
    tsl::robin_map<std::uint64_t, std::uint32_t> row_of_id;  // by hash
    blocks_ = bring_together("bringing together", [&](const io::Table& part, const std::vector<std::uint32_t>& numbers,
                                                      RecordBuckets& buckets) {
      check_ids(part, numbers, row_of_id);
      if (!plan_.statistics->contexts.empty()) {
        const MatchStatistics counted = count_plan_contexts(plan_, part);
        if (contexts) contexts->merge(counted);
        else contexts = counted;
      }
      fill_block_buckets(plan_, part, numbers, {}, buckets);
    });
    if (contexts) use_contexts(*contexts, plan_);
  }

  /// Two ids with one hash of 64 bits are taken for one: at 1e8 records, one chance in four thousand.
  void check_ids(const io::Table& part, const std::vector<std::uint32_t>& numbers,
                 tsl::robin_map<std::uint64_t, std::uint32_t>& row_of_id) const {
    for (std::size_t row = 0; row < numbers.size(); ++row) {
      const std::string_view id = part.cell(row, id_column_);
      if (id.empty())
        throw InputError(part.location(row), "a record without an id", "Give every record an id of its own");
      const auto [found, is_new] = row_of_id.try_emplace(hash_text(id), numbers[row]);
      if (!is_new)
        throw InputError(part.location(row),
                         fmt::format("the id '{}' is that of record {}, too", id, found->second + 1),
                         "Give every record an id of its own");
    }
  }

  /// Calls use(bucket, bytes) for all buckets, on all threads.
  template <class Use>
  void for_each_bucket(const char* phase, const BucketFiles& files, bool is_last, Use&& use) {
    const PhaseProgress progress(run_.progress, phase, files.count());
    std::mutex mutex;
    std::uint32_t done = 0;
    parallel_for(files.count(), 1, run_.threads, [&](std::size_t bucket, std::size_t) {
      ComparisonMeter(run_.stop, phase).look();
      const std::string bytes = files.read(static_cast<std::uint32_t>(bucket), is_last);
      const std::array<std::string_view, 1> views = {bytes};
      use(std::span<const std::string_view>(views), mutex);
      const std::scoped_lock lock(mutex);
      progress.report(++done);
    });
  }

  /// Finds what connects records; fills components_ unless blocks are components.
  ConnectedBy find_components() {
    run_.begin_phase("comparing");
    if (blocks_are_components()) return ConnectedBy::kBlocks;
    RecordForest forest(rows_);
    const Run quiet{.stop = run_.stop, .threads = 1};
    std::vector<BlockSize> left_out;
    for_each_bucket("comparing", *blocks_, true, [&](std::span<const std::string_view> bytes, std::mutex& mutex) {
      const BucketLinks found = links_of_bucket(plan_, bytes, plan_.least_score, quiet);
      ComparisonMeter(run_.stop, "comparing").look();
      std::vector<std::uint32_t> first, second;
      for (const RecordPair& pair : found.pairs) {
        first.push_back(pair.first);
        second.push_back(pair.second);
      }
      const std::scoped_lock lock(mutex);
      forest.add(first, second);
      left_out.insert(left_out.end(), found.left_out.begin(), found.left_out.end());
    });
    blocks_.reset();
    for (const BlockSize& block : left_out) special_.leave_out(block.rule, block.key);
    warn_of_left_out(left_out.size());
    components_ = forest.components();
    return ConnectedBy::kLinks;
  }

  void warn_of_left_out(std::size_t blocks) const {
    if (blocks > 0)
      run_.warn_of(fmt::format("{} block(s) are left out, as they have too many records to be compared: {} at most",
                               blocks, plan_.max_block));
  }

  bool blocks_are_components() {
    if (plan_.most_rows_of_components == 0) return false;
    std::uint64_t largest = 0;
    std::size_t left_out = 0;
    for_each_bucket("measuring", *blocks_, false, [&](std::span<const std::string_view> bytes, std::mutex& mutex) {
      const RecordGroups groups(bytes, plan_.columns);
      const std::scoped_lock lock(mutex);
      for (std::size_t group = 0; group < groups.size(); ++group) {
        if (groups.rows(group) > plan_.most_rows.front()) ++left_out;
        else largest = std::max<std::uint64_t>(largest, groups.rows(group));
      }
    });
    if (largest > plan_.most_rows_of_components) return false;
    warn_of_left_out(left_out);
    return true;
  }

  /// [record] the first record of its cluster.
  std::vector<std::uint32_t> find_clusters(ConnectedBy by) {
    if (by == ConnectedBy::kLinks) {
      run_.begin_phase("bringing together again");
      blocks_ = bring_together("bringing together again", [&](const io::Table& part,
                                                              const std::vector<std::uint32_t>& numbers,
                                                              RecordBuckets& buckets) {
        fill_component_buckets(part, numbers, std::span(components_).subspan(numbers.front(), numbers.size()), buckets);
      });
      components_ = {};
    }
    run_.begin_phase("clustering");
    std::vector<std::uint32_t> cluster_of(rows_);
    std::iota(cluster_of.begin(), cluster_of.end(), 0U);
    if (job_.clustering.samples > 0) confidence_.assign(rows_, 1);  // of records that are alone
    const Run quiet{.stop = run_.stop, .threads = 1, .random = run_.random};
    for_each_bucket("clustering", *blocks_, true, [&](std::span<const std::string_view> bytes, std::mutex& mutex) {
      const BucketClusters found = clusters_of_bucket(plan_, job_.clustering, by, special_, bytes, quiet);
      const std::scoped_lock lock(mutex);
      for (std::size_t i = 0; i < found.records.size(); ++i) {
        cluster_of[found.records[i]] = found.clusters[i];
        if (!found.confidence.empty()) confidence_[found.records[i]] = found.confidence[i];
      }
    });
    blocks_.reset();
    return cluster_of;
  }

  /// Writes the table with clusters, each called after the id of its first record.
  void write(const std::vector<std::uint32_t>& cluster_of) {
    run_.begin_phase("writing");
    std::vector<bool> is_first(rows_);  // of several records
    std::size_t clusters = 0;
    for (std::uint32_t record = 0; record < rows_; ++record) {
      if (cluster_of[record] == record) ++clusters;
      else is_first[cluster_of[record]] = true;
    }
    tsl::robin_map<std::uint32_t, std::string> names;
    std::optional<ClusterWriter> writer;
    for_each_part("writing", [&](const io::Table& part, const std::vector<std::uint32_t>& numbers) {
      if (!writer)
        writer.emplace(job_.options.output, part, id_column_, job_.options.cluster_column, !confidence_.empty(),
                       job_.writing);
      for (std::size_t row = 0; row < numbers.size(); ++row) {
        const std::uint32_t number = numbers[row], first = cluster_of[number];
        if (is_first[number]) names.emplace(number, part.cell(row, id_column_));
        writer->add(part, row, first == number ? part.cell(row, id_column_) : names.at(first),
                    confidence_.empty() ? std::numeric_limits<double>::quiet_NaN() : confidence_[number]);
      }
    });
    writer->finish();
    run_.note_that(fmt::format("{} records, {} clusters", rows_, clusters));
    if (job_.matching.as_json && job_.matching.tell)
      job_.matching.tell(fmt::format("{{\"records\":{},\"clusters\":{}}}\n", rows_, clusters));
  }

  DedupeJob job_;
  Run run_;
  std::uint64_t memory_ = 0;
  MatchPlan plan_;
  std::size_t id_column_ = 0;
  std::vector<std::size_t> columns_;  // of the table, that stages read
  std::uint32_t bucket_count_ = 0, rows_ = 0;
  std::unique_ptr<BucketFiles> blocks_;
  SpecialBlocks special_;
  std::vector<std::uint32_t> components_;  // [record]
  std::vector<double> confidence_;         // [record]; empty without samples
};

}  // namespace

void dedupe_by_parts(DedupeJob job, const Run& run) { SpilledDeduplication(std::move(job), run).run(); }

}  // namespace fovea::linkage
