// SPDX-License-Identifier: Apache-2.0
#include "fovea/base/aligned.h"

#include <sys/mman.h>

#include <new>

namespace fovea {
namespace {

std::align_val_t alignment_of(std::size_t bytes) {
  return std::align_val_t(bytes >= kLargePage ? kLargePage : kRowAlignment);
}

}  // namespace

void* allocate_rows(std::size_t bytes) {
  void* rows = ::operator new(bytes, alignment_of(bytes));
#ifdef MADV_HUGEPAGE
  // Only a hint: without it everything still works, but more slowly.
  if (bytes >= kLargePage) ::madvise(rows, bytes, MADV_HUGEPAGE);
#endif
  return rows;
}

void free_rows(void* rows, std::size_t bytes) noexcept { ::operator delete(rows, alignment_of(bytes)); }

}  // namespace fovea
