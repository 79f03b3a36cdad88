#include "model/layout.h"

#include <utility>

#include "base/check.h"
#include "base/random.h"

namespace tenor {
namespace {

uint64_t Combine(uint64_t hash, uint64_t value) { return Mix64(hash ^ value) + value; }

}  // namespace

size_t Layout::Add(absl::string_view name, std::vector<int64_t> shape, bool decay) {
  CHECK(Find(name) == nullptr) << name;
  Tensor tensor{.name = std::string(name),
                .shape = std::move(shape),
                .offset = size_,
                .size = 1,
                .decay = decay};
  for (const int64_t dimension : tensor.shape) {
    CHECK_GE(dimension, 1);
    tensor.size *= static_cast<size_t>(dimension);
  }
  size_ += tensor.size;
  tensors_.push_back(std::move(tensor));
  return tensors_.size() - 1;
}

const Layout::Tensor* Layout::Find(absl::string_view name) const {
  for (const Tensor& tensor : tensors_) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

uint64_t Layout::Hash() const {
  uint64_t hash = tensors_.size();
  for (const Tensor& tensor : tensors_) {
    hash = Combine(hash, tensor.name.size());
    for (const char c : tensor.name) hash = Combine(hash, static_cast<unsigned char>(c));
    hash = Combine(hash, tensor.shape.size());
    for (const int64_t dimension : tensor.shape) {
      hash = Combine(hash, static_cast<uint64_t>(dimension));
    }
    hash = Combine(hash, tensor.decay ? 1 : 0);
  }
  return hash;
}

}  // namespace tenor
