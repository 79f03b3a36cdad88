// How the flat parameter vector is cut into chunks: the unit of push, pull, versioning and overlap.
#ifndef TENOR_MODEL_CHUNK_TABLE_H_
#define TENOR_MODEL_CHUNK_TABLE_H_

#include <cstddef>

namespace tenor {

// Chunk c covers elements [Begin(c), Begin(c) + Size(c)) of the vector; the last may be shorter.
// Chunks ignore tensor boundaries. A value; thread-safe.
class ChunkTable {
 public:
  // `chunk_elements` 0 means 512 Ki, halved until the vector has at least 64 chunks, never under
  // 4 Ki: a function of the model alone. REQUIRES: total_elements >= 1.
  ChunkTable(size_t total_elements, size_t chunk_elements);

  size_t total_elements() const { return total_elements_; }
  size_t chunk_elements() const { return chunk_elements_; }
  size_t count() const { return count_; }

  // REQUIRES: chunk < count().
  size_t Begin(size_t chunk) const { return chunk * chunk_elements_; }
  size_t Size(size_t chunk) const {
    return chunk + 1 < count_ ? chunk_elements_ : total_elements_ - Begin(chunk);
  }

 private:
  size_t total_elements_;
  size_t chunk_elements_;
  size_t count_;
};

}  // namespace tenor

#endif  // TENOR_MODEL_CHUNK_TABLE_H_
