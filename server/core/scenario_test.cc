// Runs every script of testdata and compares the traces. To accept what came out, after reading the
// difference: bazel run //server/core:rewrite_scenarios -- $PWD/server/core/testdata/*.txt
#include "server/core/scenario.h"

#include <dirent.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tenor {
namespace {

constexpr char kFolder[] = "server/core/testdata/";

std::vector<std::string> Scripts() {
  std::vector<std::string> names;
  DIR* folder = opendir(kFolder);
  if (folder == nullptr) return names;
  while (const dirent* entry = readdir(folder)) {
    const std::string name = entry->d_name;
    if (name.size() > 4 && name.substr(name.size() - 4) == ".txt") {
      names.push_back(name.substr(0, name.size() - 4));
    }
  }
  closedir(folder);
  std::sort(names.begin(), names.end());
  return names;
}

std::string Read(const std::string& name) {
  std::ifstream file(std::string(kFolder) + name + ".txt");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(Scenarios, AreThere) { EXPECT_GE(Scripts().size(), 10u); }

class ScenarioTest : public testing::TestWithParam<std::string> {};

TEST_P(ScenarioTest, GivesTheTrace) {
  const std::string script = Read(GetParam());
  EXPECT_EQ(RunScript(script), script);
}

TEST_P(ScenarioTest, IsDeterministic) {
  const std::string script = Read(GetParam());
  EXPECT_EQ(RunScript(script), RunScript(script));
}

INSTANTIATE_TEST_SUITE_P(Scripts, ScenarioTest, testing::ValuesIn(Scripts()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tenor
