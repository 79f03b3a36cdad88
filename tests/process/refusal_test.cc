// What is refused at the start: the exit code and one line that says what, with which value.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/file_descriptor.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "tests/process/cluster.h"
#include "tests/process/job_text.h"

namespace tenor {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Matcher;

std::string Folder(const char* name) { return JoinPath(testing::TempDir(), name); }

std::string LastLine(const std::string& text) {
  const std::vector<std::string> lines = absl::StrSplit(text, '\n', absl::SkipEmpty());
  return lines.empty() ? "" : lines.back();
}

void ExpectRefused(Program& program, int code, const Matcher<std::string>& last_line) {
  EXPECT_EQ(program.ExitCode(Cluster::kLimit), code) << program.Output();
  EXPECT_THAT(LastLine(program.Output()), last_line);
}

// A port that somebody listens on, who does not share it.
class TakenPort {
 public:
  TakenPort() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(socket_.get(), 1), 0);
    getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  std::string port() const { return absl::StrCat(port_); }
  std::string address() const { return absl::StrCat("127.0.0.1:", port_); }

 private:
  const FileDescriptor socket_;
  int port_ = 0;
};

class RunningClusterTest : public testing::Test {
 protected:
  void Begin(const char* name, int servers) {
    cluster_ = std::make_unique<Cluster>(Folder(name), servers, JobOptions{.updates = 100000});
    cluster_->Start(1);
    ASSERT_TRUE(cluster_->WaitForStep(2)) << cluster_->Logs();
  }
  // The run did not notice.
  void ExpectUndisturbed() {
    const int64_t step = cluster_->log().Steps().back().step;
    EXPECT_TRUE(cluster_->WaitForStep(step + 3)) << cluster_->Logs();
    EXPECT_EQ(cluster_->log().Steps().back().lineage, 1);
    for (const StepLine& line : cluster_->log().Steps()) EXPECT_EQ(line.view, line.round);
  }

  std::unique_ptr<Cluster> cluster_;
};

TEST_F(RunningClusterTest, ASecondWorkerOfALiveName) {
  Begin("worker-name", 1);
  const auto second = cluster_->StartOtherWorker("second", 0, {});
  ExpectRefused(*second, 3, AllOf(HasSubstr("w-0"), ContainsRegex("127.0.0.1|::1")));
  ExpectUndisturbed();
}

TEST_F(RunningClusterTest, ASecondServerOfALiveIndex) {
  Begin("server-index", 2);
  const Cluster::Flags elsewhere = {{"bind", "127.0.0.1:0"}, {"name_wait", "1"}};
  const auto other = cluster_->StartOtherServer("other", 1, elsewhere);
  ExpectRefused(*other, 3, HasSubstr(cluster_->address(1)));
  const auto coordinator = cluster_->StartOtherServer("coordinator", 0, elsewhere);
  ExpectRefused(*coordinator, 3, HasSubstr(cluster_->address(0)));
  ExpectUndisturbed();
}

TEST_F(RunningClusterTest, AWorkerOfAnotherRunOrDataSet) {
  Begin("other-data", 1);
  const auto run = cluster_->StartOtherWorker("other-run", 7, {{"run_name", "another"}});
  ExpectRefused(*run, 3, AllOf(HasSubstr("another"), HasSubstr("process-test")));

  const std::string folder = JoinPath(cluster_->folder(), "other");
  const TextDataNames other = MakeTextData(cluster_->files(), folder, /*seed=*/2);
  const auto data = cluster_->StartOtherWorker("other-data", 7, {{"data_dir", folder}});
  ExpectRefused(*data, 3, AllOf(HasSubstr(other.digest), HasSubstr(cluster_->data().digest)));
  ExpectUndisturbed();
}

TEST_F(RunningClusterTest, AWorkerWithoutItsData) {
  Begin("no-data", 1);
  const std::string none = JoinPath(cluster_->folder(), "none");
  const auto missing = cluster_->StartOtherWorker("missing", 7, {{"data_dir", none}});
  ExpectRefused(*missing, 1, HasSubstr(none));

  const std::string cut = JoinPath(cluster_->folder(), "cut");
  MakeTextData(cluster_->files(), cut, /*seed=*/1);
  std::filesystem::resize_file(JoinPath(cut, "train.bin"), 1000);
  const auto damaged = cluster_->StartOtherWorker("damaged", 7, {{"data_dir", cut}});
  ExpectRefused(*damaged, 1, AllOf(HasSubstr("train.bin"), HasSubstr("1000")));
  ExpectUndisturbed();
}

TEST_F(RunningClusterTest, AServerToldOfAnotherNumberOfServers) {
  Begin("count", 2);
  const auto other = cluster_->StartOtherServer(
      "other", 1,
      {{"bind", "127.0.0.1:0"},
       {"servers", absl::StrCat(cluster_->address(0), ",", cluster_->address(1), ",127.0.0.1:1")}});
  ExpectRefused(*other, 3, AllOf(HasSubstr("3 servers"), HasSubstr("has 2")));
  ExpectUndisturbed();
}

TEST(RefusalTest, APortThatIsInUse) {
  Cluster cluster(Folder("port"), 1, {});
  const TakenPort taken;
  for (const char* flag : {"bind", "admin_bind"}) {
    const auto server = cluster.StartOtherServer(flag, 0, {{flag, taken.address()}});
    ExpectRefused(*server, 3,
                  AllOf(HasSubstr(taken.address()), HasSubstr("Address already in use")));
  }
  const auto http = cluster.StartOtherServer("http", 0, {{"http_port", taken.port()}});
  ExpectRefused(*http, 1, AllOf(HasSubstr(taken.address()), HasSubstr("Address already in use")));
}

TEST(RefusalTest, AWorkersHttpPortThatIsInUse) {
  Cluster cluster(Folder("worker-port"), 1, {.updates = 100000});
  const TakenPort taken;
  cluster.Start(0);
  const auto worker = cluster.StartOtherWorker("http", 0, {{"http_port", taken.port()}});
  ExpectRefused(*worker, 1, AllOf(HasSubstr(taken.address()), HasSubstr("Address already in use")));
}

TEST(RefusalTest, AJobThatIsNoJob) {
  Cluster cluster(Folder("job"), 1, {});
  const std::string good = cluster.files().ReadFile(cluster.job_path()).value();
  const struct {
    std::string from, to, says;
  } cases[] = {
      {"seed: 1", "sead: 1", "sead"},
      {"window: 16", "window: 0x", "job.textproto:5:"},
      {"micro_batch: 4", "micro_batch: -4", "micro_batch"},
      {"segment_bytes: 1024", "segment_bytes: 1000", "segment_bytes"},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.to);
    const std::string path = JoinPath(cluster.folder(), "bad/job.textproto");
    ASSERT_TRUE(EnsureDirectory(cluster.files(), JoinPath(cluster.folder(), "bad")).ok());
    ASSERT_TRUE(
        ReplaceFile(cluster.files(), path, absl::StrReplaceAll(good, {{one.from, one.to}})).ok());
    const auto server = cluster.StartOtherServer("bad", 0, {{"job", path}});
    const auto place = ContainsRegex("job.textproto:[0-9]+:[0-9]+");
    ExpectRefused(*server, 2, AllOf(place, HasSubstr(one.says)));
    const ProgramResult checked =
        RunProgram(cluster.programs().tenor, {"job", "check", path}, cluster.folder());
    EXPECT_EQ(checked.code, 2);
    EXPECT_THAT(LastLine(checked.output), AllOf(place, HasSubstr(one.says)));
  }
  const auto none = cluster.StartOtherServer("none", 0, {{"job", "/does/not/exist"}});
  ExpectRefused(*none, 2, HasSubstr("/does/not/exist"));
  const auto flag = cluster.StartOtherServer("flag", 0, {{"drain_timeout", "soon"}});
  ExpectRefused(*flag, 2, HasSubstr("soon"));
}

TEST(RefusalTest, AFolderOfAnotherJob) {
  Cluster cluster(Folder("run-dir"), 1, {.updates = 3});
  cluster.Start(1);
  ASSERT_TRUE(cluster.AllEndWell());
  const std::string other = JoinPath(cluster.folder(), "other.textproto");
  ASSERT_TRUE(ReplaceFile(cluster.files(), other, JobText({.updates = 4}, cluster.data())).ok());
  const auto server = cluster.StartOtherServer("other", 0, {{"job", other}});
  ExpectRefused(*server, 3,
                AllOf(HasSubstr(cluster.run_dir()), ContainsRegex("updates.*3.*4"),
                      HasSubstr("--run_dir"), HasSubstr("--resume_from")));
}

TEST(RefusalTest, AServerThatSeesAnotherFolder) {
  Cluster cluster(Folder("folders"), 2, {});
  const std::string empty = JoinPath(cluster.folder(), "empty");
  ASSERT_TRUE(EnsureDirectory(cluster.files(), empty).ok());
  cluster.StartServer(0);
  ASSERT_TRUE(cluster.WaitForEvent("claim")) << cluster.Logs();
  const auto blind =
      cluster.StartOtherServer("blind", 1, {{"run_dir", empty}, {"start_deadline", "1"}});
  ExpectRefused(*blind, 4, HasSubstr(empty));

  // The folder of a run of the same job that is not this one.
  const std::string twin = JoinPath(cluster.folder(), "twin");
  const auto begun = cluster.StartOtherServer(
      "twin", 0,
      {{"run_dir", twin}, {"servers", "127.0.0.1:0,127.0.0.1:0"}, {"bind", "127.0.0.1:0"}});
  ASSERT_TRUE(cluster.WaitUntil(
      [&] { return cluster.files().Exists(JoinPath(twin, "run_nonce")).value(); }));
  begun->Kill();
  const auto other = cluster.StartOtherServer("other", 1, {{"run_dir", twin}});
  ExpectRefused(*other, 3, AllOf(HasSubstr("nonce"), HasSubstr("--run_dir")));
}

TEST(RefusalTest, TextThatIsNone) {
  Cluster cluster(Folder("text"), 1, {});
  const std::string empty = JoinPath(cluster.folder(), "empty.txt");
  ASSERT_TRUE(ReplaceFile(cluster.files(), empty, "").ok());
  const auto make = [&](const std::string& input) {
    const std::string out = JoinPath(cluster.folder(), "out");
    return RunProgram(cluster.programs().tenor, {"data", "text", input, "--out", out},
                      cluster.folder());
  };
  const ProgramResult nothing = make(empty);
  EXPECT_EQ(nothing.code, 2);
  EXPECT_THAT(LastLine(nothing.output), HasSubstr("no text"));
  const ProgramResult missing = make("/does/not/exist");
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(LastLine(missing.output), HasSubstr("/does/not/exist"));
}

}  // namespace
}  // namespace tenor
