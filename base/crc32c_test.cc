#include "base/crc32c.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "absl/strings/string_view.h"
#include "base/random.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

std::string RandomText(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>(RandomBits(1, 0, i));
  return text;
}

std::span<const std::byte> Bytes(absl::string_view text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

TEST(Crc32cTest, KnownAnswers) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  // RFC 3720, appendix B.4.
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  std::string rising, falling;
  for (char c = 0; c < 32; ++c) {
    rising.push_back(c);
    falling.insert(falling.begin(), c);
  }
  EXPECT_EQ(Crc32c(rising), 0x46dd794eu);
  EXPECT_EQ(Crc32c(falling), 0x113fdb5cu);
}

TEST(Crc32cTest, TableAndInstructionAgreeForEveryLengthAndAlignment) {
  if (!crc32c_internal::HasCrcInstruction()) GTEST_SKIP() << "no CRC instruction here";
  const std::string text = RandomText(128);
  for (size_t start = 0; start < 9; ++start) {
    for (size_t size = 0; start + size <= text.size(); ++size) {
      const auto part = Bytes(text).subspan(start, size);
      ASSERT_EQ(crc32c_internal::ExtendWithTable(5, part),
                crc32c_internal::ExtendWithInstruction(5, part))
          << start << " " << size;
    }
  }
}

TEST(Crc32cTest, ExtendContinuesAtEveryCut) {
  const std::string text = RandomText(70);
  const absl::string_view whole = text;
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(ExtendCrc32c(Crc32c(whole.substr(0, cut)), whole.substr(cut)), Crc32c(whole));
  }
}

TEST(Crc32cTest, CombineJoinsAtEveryCut) {
  const std::string text = RandomText(300);
  const absl::string_view whole = text;
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(
        CombineCrc32c(Crc32c(whole.substr(0, cut)), Crc32c(whole.substr(cut)), text.size() - cut),
        Crc32c(whole));
  }
}

TEST(Crc32cTest, CombineTakesLengthsBeyond32Bits) {
  // Appending 2^33 zero bytes at once or in two halves is the same.
  const uint64_t half = uint64_t{1} << 32;
  uint32_t zeros = Crc32c(std::string(1, '\0'));
  for (int i = 0; i < 32; ++i) zeros = CombineCrc32c(zeros, zeros, uint64_t{1} << i);
  const uint32_t start = Crc32c("start");
  EXPECT_EQ(CombineCrc32c(CombineCrc32c(start, zeros, half), zeros, half),
            CombineCrc32c(start, CombineCrc32c(zeros, zeros, half), 2 * half));
}

TEST(Crc32cTest, EverySingleBitMatters) {
  std::string text = RandomText(40);
  const uint32_t before = Crc32c(text);
  for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] ^= static_cast<char>(1 << (bit % 8));
    EXPECT_NE(Crc32c(text), before);
    text[bit / 8] ^= static_cast<char>(1 << (bit % 8));
  }
}

}  // namespace
}  // namespace tenor
