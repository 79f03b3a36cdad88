#ifndef TENOR_OPS_OPTIM_CLIP_H_
#define TENOR_OPS_OPTIM_CLIP_H_

namespace tenor {

// The factor that brings a gradient of L2 norm `global_norm` (over all parameters, of the mean
// gradient) down to `max_norm`; 1 where it is smaller or max_norm is 0 (no clipping). Without the
// 1e-6 that PyTorch adds to the norm. REQUIRES: global_norm is finite, neither is negative.
inline double ClipCoefficient(double global_norm, double max_norm) {
  if (max_norm <= 0 || global_norm <= max_norm) return 1.0;
  return max_norm / global_norm;
}

}  // namespace tenor

#endif  // TENOR_OPS_OPTIM_CLIP_H_
