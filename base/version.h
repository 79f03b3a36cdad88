#ifndef TENOR_BASE_VERSION_H_
#define TENOR_BASE_VERSION_H_

namespace tenor {

// Of every program, in `--version`, metrics and manifests.
inline constexpr char kTenorVersion[] = "0.1.0";

}  // namespace tenor

#endif  // TENOR_BASE_VERSION_H_
