#ifndef TENOR_CLI_COMMANDS_COMMAND_TESTING_H_
#define TENOR_CLI_COMMANDS_COMMAND_TESTING_H_

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_split.h"
#include "base/clock.h"
#include "base/memory_file_system.h"
#include "cli/command_context.h"
#include "cli/commands/commands.h"
#include "cli/net/operator_client.h"
#include "cli/program.h"

namespace tenor {

// What a fake server says and was told.
struct FakeRun {
  absl::Status error;  // of every call, where it is not OK
  wire::RunStatus status;
  std::vector<wire::StepLine> steps;
  std::vector<std::string> events;
  wire::SetReply set_reply;
  wire::SetRequest set_request;
  std::string dialled;  // "observe admin"
  std::string told;     // "stop REASON", "evict NAME"
};

class FakeOperatorClient : public OperatorClient {
 public:
  explicit FakeOperatorClient(FakeRun& run) : run_(run) {}

  absl::StatusOr<wire::RunStatus> GetStatus() override { return Answer(run_.status); }
  absl::Status Watch(const OnStep& on_step) override {
    for (const wire::StepLine& step : run_.steps) {
      if (!on_step(step)) return absl::OkStatus();
    }
    return run_.error;
  }
  absl::Status Events(bool, const OnEvent& on_event) override {
    for (const std::string& event : run_.events) on_event(event);
    return run_.error;
  }
  absl::StatusOr<wire::SetReply> Set(const wire::SetRequest& request) override {
    run_.set_request = request;
    return Answer(run_.set_reply);
  }
  absl::StatusOr<wire::StopReply> Stop(const std::string& reason) override {
    run_.told = "stop " + reason;
    return Answer(wire::StopReply());
  }
  absl::StatusOr<wire::EvictReply> Evict(const std::string& name) override {
    run_.told = "evict " + name;
    return Answer(wire::EvictReply());
  }
  absl::StatusOr<wire::CheckpointNowReply> CheckpointNow() override {
    wire::CheckpointNowReply reply;
    reply.set_directory("v000000007-g0001-r000000007");
    reply.set_version(7);
    return Answer(reply);
  }

 private:
  template <typename Reply>
  absl::StatusOr<Reply> Answer(const Reply& reply) const {
    if (!run_.error.ok()) return run_.error;
    return reply;
  }

  FakeRun& run_;
};

// The whole program over files in memory and a fake server.
class CommandRunner {
 public:
  int Run(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    CommandContext context{.terminal = {.out = out_, .err = err_},
                           .files = files_,
                           .clock = clock_,
                           .connect =
                               [this](const std::string& observe, const std::string& admin) {
                                 run_.dialled = observe + " " + admin;
                                 return std::make_unique<FakeOperatorClient>(run_);
                               },
                           .program_folder = "/bin",
                           .cores = 2};
    return RunProgram(AllCommands(), arguments, context);
  }

  // Words apart by single blanks.
  int RunLine(const std::string& line) {
    return Run(std::vector<std::string>(absl::StrSplit(line, ' ')));
  }

  void WriteFile(const std::string& path, const std::string& text) {
    (*files_.Create(path))->Append(text).IgnoreError();
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  FakeRun& run() { return run_; }
  MemoryFileSystem& files() { return files_; }

 private:
  MemoryFileSystem files_;
  FakeClock clock_;
  FakeRun run_;
  std::ostringstream out_;
  std::ostringstream err_;
};

}  // namespace tenor

#endif  // TENOR_CLI_COMMANDS_COMMAND_TESTING_H_
