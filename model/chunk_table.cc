#include "model/chunk_table.h"

#include "base/check.h"

namespace tenor {
namespace {

constexpr size_t kLargest = size_t{512} << 10;
constexpr size_t kSmallest = size_t{4} << 10;
constexpr size_t kEnoughChunks = 64;

size_t CountOf(size_t total, size_t chunk) { return total / chunk + (total % chunk != 0); }

size_t DefaultElements(size_t total) {
  size_t elements = kLargest;
  while (elements > kSmallest && CountOf(total, elements) < kEnoughChunks) elements /= 2;
  return elements;
}

}  // namespace

ChunkTable::ChunkTable(size_t total_elements, size_t chunk_elements)
    : total_elements_(total_elements),
      chunk_elements_(chunk_elements != 0 ? chunk_elements : DefaultElements(total_elements)),
      count_(CountOf(total_elements, chunk_elements_)) {
  CHECK_GE(total_elements, 1u);
}

}  // namespace tenor
