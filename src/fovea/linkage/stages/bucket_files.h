// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "fovea/linkage/stages/record_bucket.h"

namespace fovea::linkage {

/// Buckets of records on a disk, a file for each bucket; removed at the end of the object's life.
class BucketFiles {
 public:
  /// Makes a folder, of which nothing stays that is there. Throws InputError.
  BucketFiles(const std::string& folder, std::uint32_t count);
  BucketFiles(const BucketFiles&) = delete;
  BucketFiles& operator=(const BucketFiles&) = delete;
  ~BucketFiles();

  std::uint32_t count() const { return static_cast<std::uint32_t>(bytes_.size()); }
  /// Appends what has gathered in `buckets`, of the same number. Throws InputError if the disk is full.
  void append(const RecordBuckets& buckets);
  /// The bytes of a bucket, as RecordGroups takes them; its file is removed if `is_last`. Throws InputError.
  std::string read(std::uint32_t bucket, bool is_last = true) const;

 private:
  std::string path_of(std::uint32_t bucket) const;

  std::string folder_;
  std::vector<std::uint64_t> bytes_;  // [bucket]
};

}  // namespace fovea::linkage
