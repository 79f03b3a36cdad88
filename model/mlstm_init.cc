#include "model/mlstm_init.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/random.h"

namespace tenor {
namespace {

// The initial value of any element.
class Initializer {
 public:
  Initializer(const MlstmConfig& config, uint64_t seed)
      : layout_(MlstmLayout(config)),
        seed_(seed),
        bound_(static_cast<float>(1 / std::sqrt(static_cast<double>(config.hidden)))) {}

  const Layout& layout() const { return layout_; }

  // Elements [begin, begin + out.size()) of one tensor.
  void Fill(size_t tensor, size_t begin, std::span<float> out) const {
    for (size_t i = 0; i < out.size(); ++i) out[i] = Element(tensor, begin + i);
  }

 private:
  float Element(size_t tensor, size_t element) const {
    switch (tensor) {
      case kEmbedding:
        return NormalFloat(seed_, tensor, element);
      case kWmxG:
      case kWxG:
      case kWmhG:
      case kWhG:
        // The matrix follows its g in the layout.
        return RowNorm(tensor + 1, element);
      case kDecoderBias:
        return 0;
      default:
        return Uniform(tensor, element);
    }
  }

  float Uniform(size_t tensor, size_t element) const {
    return (2 * UniformFloat(RandomBits(seed_, tensor, element)) - 1) * bound_;
  }

  float RowNorm(size_t matrix, size_t row) const {
    const auto columns = static_cast<size_t>(layout_.tensor(matrix).shape[1]);
    double sum = 0;
    for (size_t k = 0; k < columns; ++k) {
      const double v = Uniform(matrix, row * columns + k);
      sum += v * v;
    }
    return static_cast<float>(std::sqrt(sum));
  }

  const Layout layout_;
  const uint64_t seed_;
  const float bound_;
};

}  // namespace

void InitialWeights(const MlstmConfig& config, uint64_t seed, size_t begin, std::span<float> out) {
  const Initializer initializer(config, seed);
  const Layout& layout = initializer.layout();
  const size_t end = begin + out.size();
  CHECK(begin <= end && end <= layout.size());
  for (size_t t = 0; t < layout.tensors().size(); ++t) {
    const Layout::Tensor& tensor = layout.tensor(t);
    const size_t first = std::max(begin, tensor.offset);
    const size_t last = std::min(end, tensor.offset + tensor.size);
    if (first < last) {
      initializer.Fill(t, first - tensor.offset, out.subspan(first - begin, last - first));
    }
  }
}

}  // namespace tenor
