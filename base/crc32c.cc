#include "base/crc32c.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "absl/strings/string_view.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace tenor {
namespace {

// The polynomial, bits reversed: bit 31 is the coefficient of x^0.
constexpr uint32_t kPolynomial = 0x82f63b78u;

using Table = std::array<std::array<uint32_t, 256>, 8>;

// tables[k][b]: the effect of byte b followed by k zero bytes ("slicing by 8", Kounavis and Berry,
// 2005).
constexpr Table MakeTables() {
  Table tables{};
  for (uint32_t b = 0; b < 256; ++b) {
    uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? kPolynomial : 0);
    tables[0][b] = crc;
  }
  for (size_t k = 1; k < 8; ++k) {
    for (size_t b = 0; b < 256; ++b) {
      const uint32_t before = tables[k - 1][b];
      tables[k][b] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Table kTables = MakeTables();

uint64_t LoadWord(const std::byte* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

// Product of two polynomials modulo kPolynomial, in reversed bits.
constexpr uint32_t MultiplyModulo(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (uint32_t bit = 0x80000000u; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) product ^= b;
    b = (b >> 1) ^ ((b & 1) != 0 ? kPolynomial : 0);
  }
  return product;
}

// x^(8 n) modulo kPolynomial, by repeated squaring.
constexpr uint32_t PowerOfBytes(uint64_t n) {
  uint32_t result = 0x80000000u;       // x^0
  uint32_t square = 0x80000000u >> 8;  // x^8
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) result = MultiplyModulo(result, square);
    square = MultiplyModulo(square, square);
  }
  return result;
}

std::span<const std::byte> AsBytes(absl::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

}  // namespace

namespace crc32c_internal {

uint32_t ExtendWithTable(uint32_t crc, std::span<const std::byte> data) {
  uint32_t state = ~crc;
  while (data.size() >= 8) {
    const uint64_t word = LoadWord(data.data()) ^ state;
    state = 0;
    for (size_t i = 0; i < 8; ++i) state ^= kTables[7 - i][(word >> (8 * i)) & 0xff];
    data = data.subspan(8);
  }
  for (const std::byte b : data) {
    state = (state >> 8) ^ kTables[0][(state ^ static_cast<uint32_t>(b)) & 0xff];
  }
  return ~state;
}

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) uint32_t ExtendWithInstruction(uint32_t crc,
                                                                 std::span<const std::byte> data) {
  uint64_t state = static_cast<uint32_t>(~crc);
  while (data.size() >= 8) {
    state = _mm_crc32_u64(state, LoadWord(data.data()));
    data = data.subspan(8);
  }
  auto narrow = static_cast<uint32_t>(state);
  for (const std::byte b : data) narrow = _mm_crc32_u8(narrow, static_cast<uint8_t>(b));
  return ~narrow;
}

bool HasCrcInstruction() { return __builtin_cpu_supports("sse4.2") != 0; }

#else

uint32_t ExtendWithInstruction(uint32_t crc, std::span<const std::byte> data) {
  return ExtendWithTable(crc, data);
}

bool HasCrcInstruction() { return false; }

#endif

}  // namespace crc32c_internal

uint32_t ExtendCrc32c(uint32_t crc, std::span<const std::byte> data) {
  return crc32c_internal::HasCrcInstruction() ? crc32c_internal::ExtendWithInstruction(crc, data)
                                              : crc32c_internal::ExtendWithTable(crc, data);
}

uint32_t ExtendCrc32c(uint32_t crc, absl::string_view data) {
  return ExtendCrc32c(crc, AsBytes(data));
}

uint32_t Crc32c(std::span<const std::byte> data) { return ExtendCrc32c(0, data); }

uint32_t Crc32c(absl::string_view data) { return ExtendCrc32c(0, AsBytes(data)); }

uint32_t CombineCrc32c(uint32_t crc_a, uint32_t crc_b, uint64_t length_b) {
  return MultiplyModulo(crc_a, PowerOfBytes(length_b)) ^ crc_b;
}

}  // namespace tenor
