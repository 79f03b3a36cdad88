#ifndef TENOR_BASE_CRC32C_H_
#define TENOR_BASE_CRC32C_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/strings/string_view.h"

// CRC-32C (Castagnoli; RFC 3720, appendix B.4). Uses the processor's instruction where there is
// one, chosen at run time, and a table elsewhere: same result.

namespace tenor {

// Of a whole text; 0 for an empty one.
uint32_t Crc32c(std::span<const std::byte> data);
uint32_t Crc32c(absl::string_view data);

// The checksum of A followed by `data`, where `crc` is that of A.
uint32_t ExtendCrc32c(uint32_t crc, std::span<const std::byte> data);
uint32_t ExtendCrc32c(uint32_t crc, absl::string_view data);

// The checksum of A followed by B, from those of A and B and the length of B in bytes. O(log n):
// pieces may be summed by several threads.
uint32_t CombineCrc32c(uint32_t crc_a, uint32_t crc_b, uint64_t length_b);

namespace crc32c_internal {

// The two implementations, for tests. REQUIRES of the second: HasCrcInstruction().
uint32_t ExtendWithTable(uint32_t crc, std::span<const std::byte> data);
uint32_t ExtendWithInstruction(uint32_t crc, std::span<const std::byte> data);
bool HasCrcInstruction();

}  // namespace crc32c_internal
}  // namespace tenor

#endif  // TENOR_BASE_CRC32C_H_
