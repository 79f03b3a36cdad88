#ifndef TENOR_DATA_LITTLE_ENDIAN_H_
#define TENOR_DATA_LITTLE_ENDIAN_H_

#include <cstdint>

namespace tenor {

inline void StoreU64(uint64_t value, char* bytes) {
  for (int i = 0; i < 8; ++i) bytes[i] = static_cast<char>((value >> (8 * i)) & 0xff);
}

inline uint64_t LoadU64(const char* bytes) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    value |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

}  // namespace tenor

#endif  // TENOR_DATA_LITTLE_ENDIAN_H_
