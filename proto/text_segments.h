#ifndef TENOR_PROTO_TEXT_SEGMENTS_H_
#define TENOR_PROTO_TEXT_SEGMENTS_H_

#include <algorithm>
#include <cstdint>

#include "proto/spec.pb.h"

// How a text's samples are cut into segments: a pure function of the JobSpec. Sample i reads byte i
// of train.bin and predicts byte i + 1, so there are bytes - 1 samples. Every segment but the last
// has segment_bytes samples. REQUIRES everywhere: a valid text with defaults filled in.

namespace tenor {

inline int64_t TextSamples(const spec::TextData& text) { return text.bytes() - 1; }

// At least 1.
inline int64_t SegmentCount(const spec::TextData& text) {
  return (TextSamples(text) - 1) / text.segment_bytes() + 1;
}

// Samples [begin, end) of the whole text.
struct SegmentRange {
  int64_t begin = 0;
  int64_t end = 0;
  int64_t size() const { return end - begin; }
};

// REQUIRES: 0 <= segment < SegmentCount(text).
inline SegmentRange SegmentRangeOf(const spec::TextData& text, int64_t segment) {
  const int64_t begin = segment * text.segment_bytes();
  return {begin, begin + std::min(text.segment_bytes(), TextSamples(text) - begin)};
}

}  // namespace tenor

#endif  // TENOR_PROTO_TEXT_SEGMENTS_H_
