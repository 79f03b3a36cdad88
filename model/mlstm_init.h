// Initial weights of the mLSTM.
#ifndef TENOR_MODEL_MLSTM_INIT_H_
#define TENOR_MODEL_MLSTM_INIT_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/mlstm_config.h"

namespace tenor {

// Writes elements [begin, begin + out.size()) of the initial flat vector: a pure function of (seed,
// tensor, element), so servers that own different chunks, in any number, write the same vector.
//   recurrent matrices (their v), bias, decoder weight   U(-1 / sqrt(H), 1 / sqrt(H))
//   g                                                    ||v|| of its row (in double, in order), so
//                                                        that w starts as v
//   embedding                                            N(0, 1)
//   decoder bias                                         0
// Source: the PyTorch defaults that Puri, Kirby, Yakovenko, Catanzaro (2018) train from.
// REQUIRES: Validate(config) is OK; the range lies within the vector.
void InitialWeights(const MlstmConfig& config, uint64_t seed, size_t begin, std::span<float> out);

}  // namespace tenor

#endif  // TENOR_MODEL_MLSTM_INIT_H_
