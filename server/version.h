#ifndef TENOR_SERVER_VERSION_H_
#define TENOR_SERVER_VERSION_H_

namespace tenor {

// Of the programs; stands in manifests, metrics and status.
inline constexpr char kVersionText[] = "0.1.0";

}  // namespace tenor

#endif  // TENOR_SERVER_VERSION_H_
