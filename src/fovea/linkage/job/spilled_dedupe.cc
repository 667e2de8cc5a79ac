// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/job/spilled_dedupe.h"

#include <fmt/format.h>
#include <tsl/robin_map.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fovea/base/container.h"
#include "fovea/base/dictionary.h"
#include "fovea/base/error.h"
#include "fovea/base/parallel.h"
#include "fovea/base/pipeline.h"
#include "fovea/base/text.h"
#include "fovea/io/table/id_hashes.h"
#include "fovea/io/table/table_parts.h"
#include "fovea/linkage/comparison/comparison_meter.h"
#include "fovea/linkage/evaluate/cluster_table.h"
#include "fovea/linkage/job/spill_state.h"
#include "fovea/linkage/matching/match_model_file.h"
#include "fovea/linkage/stages/block_keys.h"
#include "fovea/linkage/stages/bucket_clusters.h"
#include "fovea/linkage/stages/bucket_files.h"
#include "fovea/linkage/stages/bucket_links.h"
#include "fovea/linkage/stages/link_forest.h"
#include "fovea/linkage/stages/match_plan.h"

namespace fovea::linkage {
namespace {

/// Options that need the table as a whole.
void refuse_whole_table_options(const DedupeJob& job) {
  const DedupeOptions& o = job.options;
  const std::array<std::pair<const char*, bool>, 19> refused = {
      {{"clusters", !o.clusters.empty()},
       {"pairs", !o.pairs.empty()},
       {"gold", !o.gold.empty()},
       {"must-link", !o.must_link.empty()},
       {"cannot-link", !o.cannot_link.empty()},
       {"golden", !o.golden.empty()},
       {"score", !o.score.empty()},
       {"report-html", !o.report_html.empty()},
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
    go_on();
    try {
      if (found_.clusters.empty()) {
        if (found_.components.empty()) bring_blocks_together();
        const ConnectedBy by = find_components();
        find_clusters(by);
      }
      write();
    } catch (const std::exception&) {
      if (std::filesystem::exists(state_file()))
        run_.note_that(
            fmt::format("what whole stages found stays in {}: the same command goes on from there", state_file()));
      throw;
    }
    std::filesystem::remove(state_file());
  }

 private:
  /// Reads the model and the first part of the table, by which options are checked.
  void prepare() {
    run_.begin_phase("preparing");
    io::Table first("", {});
    if (!io::TableParts(job_.file, job_.reading, 1).next(first))
      throw InputError({.file = job_.file}, "a table without records",
                       "The first line names the columns; it is not a record");
    id_column_ = job_.options.id.empty() ? 0 : first.column(job_.options.id);
    MatchModelDescription model = job_.matching.model_json.empty()
                                      ? read_match_model(job_.matching.model.model)
                                      : parse_match_model(job_.matching.model_json, "the model");
    if (job_.options.draw_by) model.draw_by = *job_.options.draw_by;
    const std::string id = model.draw_by == DrawBy::kId ? first.columns()[id_column_] : "";
    plan_ = MatchPlan::of_model(std::move(model), first, job_.matching.matching, id);
    for (const std::string& name : plan_.columns) columns_.push_back(first.column(name));
    const double any = 0;
    const ClusterColumns columns = {.clusters = {},
                                    .confidence = {&any, job_.clustering.samples > 0 ? 1U : 0U},
                                    .name = job_.options.cluster_column};
    check_clusters_can_be_written(job_.options.output, first, id_column_, columns, job_.writing);
    bucket_count_ = count_buckets();
    fingerprint_ = hash_text(name_of_job());
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

  /// A name for what the job keeps in its folder, by all that decides what it finds.
  std::string name_of_job() const {
    const auto describe = [](const std::string& path) {
      const std::filesystem::path whole = std::filesystem::absolute(path);
      return fmt::format("{} {} {}", whole.string(), std::filesystem::file_size(whole),
                         std::filesystem::last_write_time(whole).time_since_epoch().count());
    };
    const std::string& model = job_.matching.model_json;
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", describe(job_.file),
                       model.empty() ? describe(job_.matching.model.model) : model, options_json(job_.reading),
                       options_json(job_.matching.matching), options_json(job_.clustering), job_.options.id,
                       static_cast<int>(plan_.draw_by), run_.random.key());
  }
  std::string path_of(const char* what) const {
    return (std::filesystem::path(job_.spilling.spill) / fmt::format("fovea-{:016x}.{}", fingerprint_, what)).string();
  }
  std::string state_file() const { return path_of("state"); }

  /// Takes what whole stages of the same job have found before it was cut off.
  void go_on() {
    std::optional<SpillState> before = SpillState::load(state_file(), fingerprint_);
    if (!before) return;
    found_ = std::move(*before);
    if (!found_.contexts.empty()) use_counted_contexts();
    for (const BlockSize& block : found_.left_out) special_.leave_out(block.rule, block.key);
    run_.note_that(fmt::format("goes on from {} found before", found_.clusters.empty() ? "components" : "clusters"));
  }

  void use_counted_contexts() {
    use_contexts(MatchStatistics::load(ContainerSource::memory(found_.contexts, "counts of contexts")), plan_);
  }

  /// A part of the table, and what is made of it.
  struct Part {
    io::Table table{"", {}};
    std::vector<std::uint32_t> numbers;
    std::optional<RecordBuckets> buckets;
    std::optional<MatchStatistics> contexts;
  };

  /// Reads the table: work(part) on several threads, finish(part) in order.
  template <class Work, class Finish>
  void for_each_part(const char* phase, Work&& work, Finish&& finish) {
    const PhaseProgress progress(run_.progress, phase, static_cast<double>(found_.rows));
    io::TableParts parts(job_.file, job_.reading, rows_of_a_part());
    std::uint32_t rows = 0;
    run_pipeline(
        run_.threads, [] { return std::make_unique<Part>(); },
        [&](Part& part) {
          ComparisonMeter(run_.stop, phase).look();
          if (!parts.next(part.table)) return false;
          if (part.table.row_count() >= kNoId - rows)
            throw InputError(part.table.location(0), fmt::format("more than {} records", kNoId - 1), "Cut the table");
          part.numbers.resize(part.table.row_count());
          std::iota(part.numbers.begin(), part.numbers.end(), rows);
          rows += static_cast<std::uint32_t>(part.numbers.size());
          return true;
        },
        work,
        [&](Part& part) {
          finish(part);
          progress.report(part.numbers.back());
        });
    if (found_.rows > 0 && rows != found_.rows)
      throw InputError({.file = job_.file}, fmt::format("had {} records and has {} now", found_.rows, rows),
                       "Leave the table as it is while it is read");
    found_.rows = rows;
  }

  /// Lets fill(part) put the records of all parts into files; finish(part) is called in order.
  template <class Fill, class Finish>
  std::unique_ptr<BucketFiles> bring_together(const char* phase, Fill&& fill, Finish&& finish) {
    auto files = std::make_unique<BucketFiles>(path_of("records"), bucket_count_);
    for_each_part(
        phase,
        [&](Part& part) {
          part.buckets.emplace(bucket_count_, columns_);
          fill(part);
        },
        [&](Part& part) {
          finish(part);
          files->append(*part.buckets);
          part.buckets.reset();
        });
    return files;
  }

  void bring_blocks_together() {
    run_.begin_phase("bringing together");
    const bool has_contexts = !plan_.statistics->contexts.empty();
    std::optional<MatchStatistics> contexts;
    io::IdHashes ids;
    blocks_ = bring_together(
        "bringing together",
        [&](Part& part) {
          if (has_contexts) part.contexts = count_plan_contexts(plan_, part.table);
          fill_block_buckets(plan_, part.table, part.numbers, {}, *part.buckets);
        },
        [&](const Part& part) {
          ids.add(part.table, id_column_);
          if (!has_contexts) return;
          if (contexts) contexts->merge(*part.contexts);
          else contexts = part.contexts;
        });
    check_ids(std::move(ids).repeated());
    if (!contexts) return;
    contexts->save(ContainerTarget::memory(found_.contexts));
    use_counted_contexts();
  }

  /// Looks whether an id occurs twice. hashes: of those that may.
  void check_ids(const std::unordered_set<std::uint64_t>& hashes) {
    if (hashes.empty()) return;
    std::map<std::string, std::uint32_t, std::less<>> record_of;
    for_each_part(
        "looking for an id that occurs twice", [](Part&) {},
        [&](const Part& part) {
          for (std::size_t row = 0; row < part.numbers.size(); ++row) {
            const std::string_view id = part.table.cell(row, id_column_);
            if (!hashes.contains(hash_text(id))) continue;
            const auto [found, is_new] = record_of.try_emplace(std::string(id), part.numbers[row]);
            if (!is_new)
              throw InputError(part.table.location(row),
                               fmt::format("the id '{}' is that of record {}, too", id, found->second + 1),
                               "Give every record an id of its own");
          }
        });
  }

  /// A number by which the parts that all threads hold, with their keys, take little of the memory.
  std::size_t rows_of_a_part() const {
    constexpr double kPartShare = .1, kPartsOfAThread = 2, kBytesOfARow = 1000;
    const double room = kPartShare * static_cast<double>(memory_) / (kPartsOfAThread * run_.thread_count());
    return static_cast<std::size_t>(std::clamp(room / kBytesOfARow, 4096.0, 65536.0));
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

  /// Finds what connects records, and the components unless blocks are those.
  ConnectedBy find_components() {
    if (!found_.components.empty()) return ConnectedBy::kLinks;
    run_.begin_phase("comparing");
    if (blocks_are_components()) return ConnectedBy::kBlocks;
    RecordForest forest(found_.rows);
    const Run quiet{.stop = run_.stop, .threads = 1};
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
      found_.left_out.insert(found_.left_out.end(), found.left_out.begin(), found.left_out.end());
    });
    blocks_.reset();
    for (const BlockSize& block : found_.left_out) special_.leave_out(block.rule, block.key);
    warn_of_left_out(found_.left_out.size());
    found_.components = forest.components();
    found_.save(state_file(), fingerprint_);
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

  void find_clusters(ConnectedBy by) {
    if (by == ConnectedBy::kLinks) {
      run_.begin_phase("bringing together again");
      blocks_ = bring_together(
          "bringing together again",
          [&](Part& part) {
            const auto components = std::span(found_.components).subspan(part.numbers.front(), part.numbers.size());
            fill_component_buckets(part.table, part.numbers, components, *part.buckets);
          },
          [](const Part&) {});
      found_.components = {};
    }
    run_.begin_phase("clustering");
    std::vector<std::uint32_t> cluster_of(found_.rows);
    std::iota(cluster_of.begin(), cluster_of.end(), 0U);
    if (job_.clustering.samples > 0) found_.confidence.assign(found_.rows, 1);  // of records that are alone
    const Run quiet{.stop = run_.stop, .threads = 1, .random = run_.random};
    for_each_bucket("clustering", *blocks_, true, [&](std::span<const std::string_view> bytes, std::mutex& mutex) {
      const BucketClusters found = clusters_of_bucket(plan_, job_.clustering, by, special_, bytes, quiet);
      const std::scoped_lock lock(mutex);
      for (std::size_t i = 0; i < found.records.size(); ++i) {
        cluster_of[found.records[i]] = found.clusters[i];
        if (!found.confidence.empty()) found_.confidence[found.records[i]] = found.confidence[i];
      }
    });
    blocks_.reset();
    found_.clusters = std::move(cluster_of);
    found_.save(state_file(), fingerprint_);
  }

  /// Writes the table with clusters, each called after the id of its first record.
  void write() {
    run_.begin_phase("writing");
    const std::vector<std::uint32_t>& cluster_of = found_.clusters;
    const std::vector<double>& confidence = found_.confidence;
    std::vector<bool> is_first(found_.rows);  // of several records
    std::size_t clusters = 0;
    for (std::uint32_t record = 0; record < found_.rows; ++record) {
      if (cluster_of[record] == record) ++clusters;
      else is_first[cluster_of[record]] = true;
    }
    tsl::robin_map<std::uint32_t, std::string> names;
    std::optional<ClusterWriter> writer;
    for_each_part(
        "writing", [](Part&) {},
        [&](const Part& part) {
          const io::Table& table = part.table;
          if (!writer)
            writer.emplace(job_.options.output, table, id_column_, job_.options.cluster_column, !confidence.empty(),
                           job_.writing);
          for (std::size_t row = 0; row < part.numbers.size(); ++row) {
            const std::uint32_t number = part.numbers[row], first = cluster_of[number];
            if (is_first[number]) names.emplace(number, table.cell(row, id_column_));
            writer->add(table, row, first == number ? table.cell(row, id_column_) : names.at(first),
                        confidence.empty() ? std::numeric_limits<double>::quiet_NaN() : confidence[number]);
          }
        });
    writer->finish();
    run_.note_that(fmt::format("{} records, {} clusters", found_.rows, clusters));
    if (job_.matching.as_json && job_.matching.tell)
      job_.matching.tell(fmt::format("{{\"records\":{},\"clusters\":{}}}\n", found_.rows, clusters));
  }

  DedupeJob job_;
  Run run_;
  std::uint64_t memory_ = 0;
  MatchPlan plan_;
  std::size_t id_column_ = 0;
  std::vector<std::size_t> columns_;  // of the table, that stages read
  std::uint64_t fingerprint_ = 0;
  std::uint32_t bucket_count_ = 0;
  std::unique_ptr<BucketFiles> blocks_;
  SpecialBlocks special_;
  SpillState found_;
};

}  // namespace

void dedupe_by_parts(DedupeJob job, const Run& run) { SpilledDeduplication(std::move(job), run).run(); }

}  // namespace fovea::linkage
