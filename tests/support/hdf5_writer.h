// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace fovea::testing {

/// How the HDF5 library is to store a dataset.
struct Hdf5Storage {
  enum class Layout { kContiguous, kCompact, kChunked };
  Layout layout = Layout::kContiguous;
  std::uint64_t chunk_elements = 4;  ///< for kChunked only
  bool shuffle = false, deflate = false, fletcher = false;
  hid_t type = H5I_INVALID_HID;  ///< type in the file; if invalid, the same as in memory
};

/// Makes HDF5 files in memory with the HDF5 library, for tests of our own reader.
class Hdf5Writer {
 public:
  enum class Format { kEarliest, kLatest };

  explicit Hdf5Writer(Format format = Format::kEarliest, std::uint64_t user_block = 0) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(access, 1 << 16, false);
    if (format == Format::kLatest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_userblock(creation, user_block);
    static int files = 0;  // the library refuses to open two files of one name
    file_ = H5Fcreate(std::to_string(++files).c_str(), H5F_ACC_TRUNC, creation, access);
    H5Pclose(creation);
    H5Pclose(access);
  }
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;
  ~Hdf5Writer() { H5Fclose(file_); }

  hid_t file() const { return file_; }

  void add_group(const std::string& path) {
    H5Gclose(H5Gcreate2(file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }

  /// Number: std::uint64_t, std::int64_t, float or double.
  template <class Number>
  void add(const std::string& path, const std::vector<Number>& numbers, const Hdf5Storage& storage = {}) {
    const hsize_t size = numbers.size();
    const hsize_t unlimited = H5S_UNLIMITED;  // so that a chunk may be longer than the dataset
    const bool is_chunked = storage.layout == Hdf5Storage::Layout::kChunked;
    const hid_t space = H5Screate_simple(1, &size, is_chunked ? &unlimited : nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    if (storage.layout == Hdf5Storage::Layout::kCompact) H5Pset_layout(creation, H5D_COMPACT);
    if (is_chunked) {
      const hsize_t chunk = storage.chunk_elements;
      H5Pset_chunk(creation, 1, &chunk);
      if (storage.shuffle) H5Pset_shuffle(creation);
      if (storage.deflate) H5Pset_deflate(creation, 6);
      if (storage.fletcher) H5Pset_fletcher32(creation);
    }
    const hid_t type = storage.type == H5I_INVALID_HID ? memory_type<Number>() : storage.type;
    const hid_t dataset = H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(dataset, memory_type<Number>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()), 0) << path;
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
  }

  /// The file as it would lie on disk.
  std::string bytes() const {
    H5Fflush(file_, H5F_SCOPE_LOCAL);
    const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
    std::string image(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
    H5Fget_file_image(file_, image.data(), image.size());
    return image;
  }

 private:
  template <class Number>
  static hid_t memory_type() {
    if constexpr (std::is_same_v<Number, float>) return H5T_NATIVE_FLOAT;
    else if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
    else if constexpr (std::is_same_v<Number, std::int64_t>) return H5T_NATIVE_INT64;
    else return H5T_NATIVE_UINT64;
  }

  hid_t file_;
};

}  // namespace fovea::testing
