#include "model/chunk_table.h"

#include <gtest/gtest.h>

namespace tenor {
namespace {

TEST(ChunkTable, DefaultElementsFollowTheModelAlone) {
  struct Case {
    size_t total, elements, count;
  };
  const Case cases[] = {
      {1, 4096, 1},                        // never under 4 Ki
      {64 * 4096, 4096, 64},               //
      {63 * 8192, 4096, 126},              // 63 chunks of 8 Ki are not enough
      {63 * 8192 + 1, 8192, 64},           // the short last one counts
      {size_t{64} << 19, 1 << 19, 64},     // 512 Ki at last
      {86319360, 1 << 19, 165},            // the mLSTM of 4096 units
      {size_t{10} << 30, 1 << 19, 20480},  // never over 512 Ki
  };
  for (const Case& c : cases) {
    const ChunkTable table(c.total, 0);
    EXPECT_EQ(table.chunk_elements(), c.elements) << c.total;
    EXPECT_EQ(table.count(), c.count) << c.total;
  }
}

TEST(ChunkTable, ChunksCoverTheVectorOnce) {
  for (const size_t total : {1, 9, 10, 11, 100}) {
    const ChunkTable table(total, 10);
    size_t next = 0;
    for (size_t chunk = 0; chunk < table.count(); ++chunk) {
      EXPECT_EQ(table.Begin(chunk), next);
      EXPECT_GE(table.Size(chunk), 1u);
      EXPECT_LE(table.Size(chunk), 10u);
      next += table.Size(chunk);
    }
    EXPECT_EQ(next, total);
  }
}

}  // namespace
}  // namespace tenor
