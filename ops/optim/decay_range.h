#ifndef TENOR_OPS_OPTIM_DECAY_RANGE_H_
#define TENOR_OPS_OPTIM_DECAY_RANGE_H_

#include <cstddef>

namespace tenor {

// Elements [begin, end) of the spans of one call, to which weight decay applies. A list of them is
// in ascending order, without overlap and without empty ranges.
struct DecayRange {
  size_t begin;
  size_t end;
};

}  // namespace tenor

#endif  // TENOR_OPS_OPTIM_DECAY_RANGE_H_
