// Which tensor lies where in a model's one flat FP32 vector.
#ifndef TENOR_MODEL_LAYOUT_H_
#define TENOR_MODEL_LAYOUT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tenor {

// Tensors in the order in which they were added, without gaps. Gradients have the same layout.
// Thread-compatible: const use from any threads.
class Layout {
 public:
  struct Tensor {
    std::string name;
    std::vector<int64_t> shape;  // row-major
    size_t offset = 0;           // elements from the vector's start
    size_t size = 0;             // elements
    bool decay = false;          // weight decay and trust ratio apply
  };

  // Appends a tensor and returns its index. REQUIRES: a name of its own; positive dimensions.
  size_t Add(absl::string_view name, std::vector<int64_t> shape, bool decay);

  const std::vector<Tensor>& tensors() const { return tensors_; }
  const Tensor& tensor(size_t index) const { return tensors_[index]; }
  // Null if there is none of this name.
  const Tensor* Find(absl::string_view name) const;
  // Elements of the vector.
  size_t size() const { return size_; }

  // Changes with any name, shape, order or decay flag; the same on every machine and in every
  // release. Travels in handshakes and manifests.
  uint64_t Hash() const;

 private:
  std::vector<Tensor> tensors_;
  size_t size_ = 0;
};

}  // namespace tenor

#endif  // TENOR_MODEL_LAYOUT_H_
