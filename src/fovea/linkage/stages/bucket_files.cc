// SPDX-License-Identifier: Apache-2.0
#include "fovea/linkage/stages/bucket_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fovea/base/error.h"

namespace fovea::linkage {
namespace {

[[noreturn]] void refuse_file(const std::string& path, const char* what) {
  throw InputError({.file = path}, fmt::format("{}: {}", what, std::strerror(errno)),
                   "Give option 'spill' a folder on a disk with more room");
}

}  // namespace

BucketFiles::BucketFiles(const std::string& folder, std::uint32_t count) : folder_(folder), bytes_(count) {
  std::error_code failure;
  std::filesystem::remove_all(folder, failure);
  if (!failure) std::filesystem::create_directories(folder, failure);
  if (!failure) return;
  errno = failure.value();
  refuse_file(folder, "cannot be written to");
}

BucketFiles::~BucketFiles() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string BucketFiles::path_of(std::uint32_t bucket) const { return fmt::format("{}/{}", folder_, bucket); }

void BucketFiles::append(const RecordBuckets& buckets) {
  FOVEA_CHECK(buckets.size() == bytes_.size());
  for (std::uint32_t b = 0; b < bytes_.size(); ++b) {
    if (buckets[b].empty()) continue;
    std::ofstream file(path_of(b), std::ios::binary | std::ios::app);
    file.write(buckets[b].data(), static_cast<std::streamsize>(buckets[b].size()));
    file.close();
    if (!file) refuse_file(path_of(b), "cannot be written");
    bytes_[b] += buckets[b].size();
  }
}

std::string BucketFiles::read(std::uint32_t bucket, bool is_last) const {
  std::string bytes(bytes_[bucket], '\0');
  if (bytes.empty()) return bytes;
  std::ifstream file(path_of(bucket), std::ios::binary);
  if (!file.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
    refuse_file(path_of(bucket), "cannot be read");
  if (is_last) std::filesystem::remove(path_of(bucket));
  return bytes;
}

}  // namespace fovea::linkage
