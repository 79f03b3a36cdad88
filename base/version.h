#ifndef TENOR_BASE_VERSION_H_
#define TENOR_BASE_VERSION_H_

namespace tenor {

// Of every program, in manifests, metrics and --version.
inline constexpr char kTenorVersion[] = "0.1.0";

// Of the messages between processes; both sides of a handshake hold the same.
inline constexpr int kProtocolVersion = 1;

}  // namespace tenor

#endif  // TENOR_BASE_VERSION_H_
