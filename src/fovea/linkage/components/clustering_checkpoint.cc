// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/components/clustering_checkpoint.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "fovea/base/container.h"
#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

constexpr const char* kCheckpointKind = "clustering";
constexpr std::uint32_t kCheckpointVersion = 1;

template <class T>
std::vector<T> vector_of(const Container& container, const char* section) {
  const std::span<const T> values = container.array<T>(section);
  return {values.begin(), values.end()};
}

void check_size(const Container& container, const char* section, std::size_t size, std::size_t wanted) {
  if (size != wanted) container.refuse(section, fmt::format("{} numbers, not {}", wanted, size));
}

/// Checks that every cluster is named by its first row.
void check_clusters(const Container& container, const std::vector<std::uint32_t>& clusters) {
  for (std::size_t row = 0; row < clusters.size(); ++row)
    if (clusters[row] > row || clusters[clusters[row]] != clusters[row])
      container.refuse("clusters",
                       fmt::format("row {} is in cluster {}, which is not a first row", row, clusters[row]));
}

void check_probabilities(const Container& container, const char* section, const std::vector<double>& values) {
  for (const double p : values)
    if (!std::isnan(p) && !(p >= 0 && p <= 1)) container.refuse(section, fmt::format("{} is not a probability", p));
}

}  // namespace

std::size_t RecordClusters::cluster_count() const {
  std::size_t count = 0;
  for (std::size_t row = 0; row < clusters.size(); ++row) count += clusters[row] == row;
  return count;
}

void ClusteringCheckpoint::save(const std::string& path, std::uint64_t fingerprint) const {
  ContainerWriter writer(kCheckpointKind, kCheckpointVersion);
  const std::array<std::uint64_t, 6> counts = {fingerprint,        found.work.proposals, found.work.accepted,
                                               found.work.factors, found.work.lookups,   found.components};
  writer.add_array<std::uint64_t>("counts", counts);
  writer.add_array<std::uint32_t>("clusters", found.clusters);
  writer.add_array<double>("confidence", found.confidence);
  writer.add_array<double>("probabilities", found.probabilities);
  writer.add_array<std::uint8_t>("is_done", is_done);
  writer.write(path);
}

ClusteringCheckpoint ClusteringCheckpoint::load(const std::string& path, std::uint64_t fingerprint,
                                                const ClusteringShape& shape) {
  const Container container = Container::open(path, kCheckpointKind, kCheckpointVersion);
  const std::span<const std::uint64_t> counts = container.array<std::uint64_t>("counts");
  if (counts.size() != 6) container.refuse("counts", "not six counts");
  if (counts[0] != fingerprint)
    throw InputError({.file = path}, "a checkpoint of other records, another model or other options",
                     "Resume with what the checkpoint was made with, or start anew without option 'resume'");
  ClusteringCheckpoint checkpoint;
  RecordClusters& found = checkpoint.found;
  found.work = {.proposals = counts[1], .accepted = counts[2], .factors = counts[3], .lookups = counts[4]};
  found.components = counts[5];
  found.clusters = vector_of<std::uint32_t>(container, "clusters");
  found.confidence = vector_of<double>(container, "confidence");
  found.probabilities = vector_of<double>(container, "probabilities");
  checkpoint.is_done = vector_of<std::uint8_t>(container, "is_done");
  check_size(container, "is_done", checkpoint.is_done.size(), shape.components);
  check_size(container, "clusters", found.clusters.size(), shape.rows);
  check_size(container, "confidence", found.confidence.size(), shape.has_samples ? shape.rows : 0);
  check_size(container, "probabilities", found.probabilities.size(), shape.has_samples ? shape.watched : 0);
  if (found.components > shape.components) container.refuse("counts", "more components done than there are");
  check_clusters(container, found.clusters);
  check_probabilities(container, "confidence", found.confidence);
  check_probabilities(container, "probabilities", found.probabilities);
  return checkpoint;
}

}  // namespace fovea::linkage
