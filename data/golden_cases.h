#ifndef TENOR_DATA_GOLDEN_CASES_H_
#define TENOR_DATA_GOLDEN_CASES_H_

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_split.h"

namespace tenor {

// Input and output of every case of a golden file: hexadecimal, a tab between, one case a line.
inline std::vector<std::pair<std::string, std::string>> ReadGoldenCases(const std::string& path) {
  std::vector<std::pair<std::string, std::string>> cases;
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> parts = absl::StrSplit(line, '\t');
    EXPECT_EQ(parts.size(), 2u) << line;
    if (parts.size() != 2) continue;
    cases.emplace_back(absl::HexStringToBytes(parts[0]), absl::HexStringToBytes(parts[1]));
  }
  return cases;
}

}  // namespace tenor

#endif  // TENOR_DATA_GOLDEN_CASES_H_
