#ifndef TENOR_TESTS_SCENARIO_SCENARIO_H_
#define TENOR_TESTS_SCENARIO_SCENARIO_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tenor::scenario {

// One line of a scenario: `verb key=value key ...`; a key alone has the value "".
class Command {
 public:
  explicit Command(absl::string_view line);

  const std::string& verb() const { return verb_; }
  bool Has(const std::string& key) const { return arguments_.contains(key); }
  std::string Text(const std::string& key, const std::string& otherwise = "") const;
  int64_t Number(const std::string& key, int64_t otherwise = 0) const;
  // Comma-separated.
  std::vector<std::string> List(const std::string& key) const;

 private:
  std::string verb_;
  std::map<std::string, std::string> arguments_;
};

// Carries out one command and returns what came of it, a line each.
using Driver = std::function<std::vector<std::string>(const Command&)>;

// A scenario is a text of commands, each followed by its trace, whose lines begin with two blanks.
// Lines with # and empty lines are kept. Returns the text with the trace that the driver gives:
// equal to `text` where the expectation holds.
std::string Replay(const std::string& text, const Driver& driver);

// main() of a scenario test: runs every *.txt beside `directory` (relative to the repository), each
// with a driver of its own, as one test a file. With --rewrite=PATH the files in PATH are written
// anew instead; read the difference and keep it only if you understand it.
int Main(int argc, char** argv, const std::string& directory,
         const std::function<Driver()>& make_driver);

}  // namespace tenor::scenario

#endif  // TENOR_TESTS_SCENARIO_SCENARIO_H_
