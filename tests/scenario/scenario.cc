#include "tests/scenario/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/check.h"

namespace tenor::scenario {

namespace {

std::string ReadText(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> ScenarioFiles(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ScenarioTest : public testing::Test {
 public:
  ScenarioTest(std::filesystem::path file, Driver driver)
      : file_(std::move(file)), driver_(std::move(driver)) {}
  void TestBody() override {
    const std::string text = ReadText(file_);
    EXPECT_EQ(Replay(text, driver_), text);
  }

 private:
  const std::filesystem::path file_;
  const Driver driver_;
};

void Rewrite(const std::filesystem::path& directory, const std::function<Driver()>& make_driver) {
  for (const std::filesystem::path& path : ScenarioFiles(directory)) {
    const std::string text = Replay(ReadText(path), make_driver());
    std::ofstream(path) << text;
  }
}

}  // namespace

Command::Command(absl::string_view line) {
  for (absl::string_view word : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
    if (verb_.empty()) {
      verb_ = std::string(word);
      continue;
    }
    const std::pair<std::string, std::string> argument =
        absl::StrSplit(word, absl::MaxSplits('=', 1));
    arguments_.insert(argument);
  }
}

std::string Command::Text(const std::string& key, const std::string& otherwise) const {
  const auto it = arguments_.find(key);
  return it == arguments_.end() ? otherwise : it->second;
}

int64_t Command::Number(const std::string& key, int64_t otherwise) const {
  if (!Has(key)) return otherwise;
  int64_t number = 0;
  CHECK(absl::SimpleAtoi(Text(key), &number)) << key << "=" << Text(key) << " is not a number";
  return number;
}

std::vector<std::string> Command::List(const std::string& key) const {
  return absl::StrSplit(Text(key), ',', absl::SkipEmpty());
}

std::string Replay(const std::string& text, const Driver& driver) {
  std::string result;
  for (absl::string_view line : absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
    if (absl::StartsWith(line, "  ")) continue;
    result += std::string(line) + "\n";
    if (line.empty() || line[0] == '#') continue;
    for (const std::string& out : driver(Command(line))) result += "  " + out + "\n";
  }
  return result;
}

int Main(int argc, char** argv, const std::string& directory,
         const std::function<Driver()>& make_driver) {
  testing::InitGoogleTest(&argc, argv);
  constexpr absl::string_view kRewrite = "--rewrite=";
  if (argc > 1 && absl::StartsWith(argv[1], kRewrite)) {
    Rewrite(argv[1] + kRewrite.size(), make_driver);
    return 0;
  }
  for (const std::filesystem::path& path : ScenarioFiles(directory)) {
    testing::RegisterTest(
        "Scenario", path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [path, make_driver]() -> testing::Test* { return new ScenarioTest(path, make_driver()); });
  }
  return RUN_ALL_TESTS();
}

}  // namespace tenor::scenario
