// Size and layout of the byte-level multiplicative LSTM.
#ifndef TENOR_MODEL_MLSTM_CONFIG_H_
#define TENOR_MODEL_MLSTM_CONFIG_H_

#include <cstdint>

#include "absl/status/status.h"
#include "model/layout.h"

namespace tenor {

// Bytes are the vocabulary: rows of the embedding and classes of the decoder.
inline constexpr int64_t kByteValues = 256;

struct MlstmConfig {
  int hidden = 0;      // H, units; 1 to 65536
  int embedding = 64;  // E, elements of a byte's embedding; 1 to 65536
};

// InvalidArgument: a size out of range.
absl::Status Validate(const MlstmConfig& config);

// Indices of the layout's tensors. The four recurrent matrices are weight-normalised row by row,
// w = g v / ||v||; g and v are what is trained. Backward finishes the vector from its end.
enum MlstmTensor : size_t {
  kEmbedding,      // embedding.weight  [256, E]
  kWmxG,           // mlstm.wmx.g       [H]
  kWmxV,           // mlstm.wmx.v       [H, E]
  kWxG,            // mlstm.wx.g        [4H]
  kWxV,            // mlstm.wx.v        [4H, E]     gates as i, f, o, u
  kWmhG,           // mlstm.wmh.g       [H]
  kWmhV,           // mlstm.wmh.v       [H, H]
  kWhG,            // mlstm.wh.g        [4H]
  kWhV,            // mlstm.wh.v        [4H, H]     gates as i, f, o, u
  kBias,           // mlstm.bias        [4H]        gates as i, f, o, u
  kDecoderWeight,  // decoder.weight    [256, H]
  kDecoderBias,    // decoder.bias      [256]
};

// REQUIRES: Validate(config) is OK.
Layout MlstmLayout(const MlstmConfig& config);

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_CONFIG_H_
