// What the program refuses, with which words and which exit code.
#include <algorithm>
#include <ostream>
#include <string>

#include "cli/commands/command_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/job_examples.h"

namespace tenor {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct Refusal {
  const char* line;   // words apart by single blanks
  const char* words;  // in the one line on stderr
  int code = 2;
};

void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.line; }

const Refusal kRefusals[] = {
    {"fly", "fly is no command"},
    {"status --fly", "--fly"},
    {"status extra", "extra"},
    {"checkpoint", "subcommand"},
    {"checkpoint fly", "fly is no command"},
    {"--color green version", "green"},

    {"status", "no run is named; give --server HOST:PORT or --run DIR"},
    {"status --server host:1 --run /run", "both name a run"},
    {"status --server host", "--server is host, which is not host:port"},
    {"status --run /none", "/none/endpoints.textproto", 1},
    {"status --run /empty", "names no server 0", 1},
    {"status --run /bad", "/bad/endpoints.textproto:1:1"},
    {"version --server host:1", "asks no server"},
    {"version --run /run", "reads no run"},
    {"checkpoint list --server host:1", "asks no server"},

    {"watch --server host:1 --steps -1", "--steps is -1"},
    {"watch --server host:1 --steps many", "many"},
    {"get --server host:1 speed", "speed is no tunable"},
    {"set --server host:1", "SETTING is required"},
    {"set --server host:1 accumulation_steps", "accumulation_steps"},
    {"set --server host:1 acumulation_steps=2", "accumulation_steps"},
    {"set --server host:1 accumulation_steps=0", "accumulation_steps"},
    {"set --server host:1 accumulation_steps=2 --at_step -3", "--at_step is -3"},
    {"evict --server host:1", "NAME is required"},

    {"checkpoint list", "give --run DIR"},
    {"checkpoint list --run /none", "run folder /none does not exist", 1},
    {"checkpoint verify", "give --run DIR"},
    {"checkpoint verify nonsense --run /run", "checkpoint is nonsense; names are as"},
    {"checkpoint verify v000000007-g0001-r000000007 --run /run", "not complete or not there", 1},

    {"data text in.txt", "--out is missing"},
    {"data text --out /out", "IN is required"},
    {"data text in.txt --out /out --separator tabs", "tabs"},
    {"data text in.txt --out /out --column text", "blank:text"},
    {"data text in.txt --out /out --threads 2000", "--threads is 2000"},
    {"data text in.txt --out /out --heldout_fraction 1.5", "1.5"},
    {"data text /none.txt --out /out", "/none.txt", 1},

    {"eval", "give --run DIR"},
    {"eval --initial", "--initial needs --job FILE"},
    {"eval --job /job", "--job is /job without --initial"},
    {"eval --job /job --initial --run /run", "--initial takes no checkpoint"},
    {"eval --job /job --initial", "--data_dir is missing"},
    {"eval --job /job --initial --data_dir /none", "/none", 1},
    {"eval --run /none", "run folder /none does not exist", 1},
    {"eval --run /run", "has no complete checkpoint yet", 1},
    {"eval --run /run --threads -1", "--threads is -1"},
    {"sample", "give --run DIR"},
    {"sample --run /run --bytes -1", "--bytes is -1"},
    {"sample --run /run", "has no complete checkpoint yet", 1},

    {"job check /none", "/none", 1},
    {"job check /badjob", "/badjob:1:"},
    {"job check /job --servers 0", "--servers is 0"},
    {"job check /job --workers -4", "--workers is -4"},

    {"local /none", "/none", 1},
    {"local /badjob", "/badjob:1:"},
    {"local /job", "names its data set by digest only"},
    {"local /job --servers 0", "--servers is 0"},
    {"local /job --workers 257", "--workers is 257"},
    {"local /job --server_threads 0", "--server_threads is 0"},
    {"local /job --worker_threads 1025", "--worker_threads is 1025"},
    {"local /job --data_dir /none", "/none", 1},

    {"completion fish", "shell is fish"},
};

class RefusalsTest : public testing::TestWithParam<Refusal> {
 protected:
  RefusalsTest() {
    for (const char* folder : {"/run", "/empty", "/bad"}) {
      runner_.files().CreateDirectory(folder).IgnoreError();
    }
    runner_.WriteFile("/empty/endpoints.textproto", "run: \"x\"\n");
    runner_.WriteFile("/bad/endpoints.textproto", "nonsense: 1\n");
    runner_.WriteFile("/job", std::string(kExampleJob));
    runner_.WriteFile("/badjob", "seed: 1 speed: 2\n");
  }

  CommandRunner runner_;
};

TEST_P(RefusalsTest, IsOneLineWithTheCommandAndTheCause) {
  const Refusal& refusal = GetParam();
  EXPECT_EQ(runner_.RunLine(refusal.line), refusal.code) << runner_.err();
  EXPECT_THAT(runner_.err(), StartsWith("tenor"));
  EXPECT_THAT(runner_.err(), HasSubstr(refusal.words));
  EXPECT_EQ(std::ranges::count(runner_.err(), '\n'), 1) << runner_.err();
  EXPECT_EQ(runner_.out(), "");
  EXPECT_EQ(runner_.run().told, "");
}

INSTANTIATE_TEST_SUITE_P(All, RefusalsTest, testing::ValuesIn(kRefusals));

TEST(ServerErrorsTest, SilenceNamesWhoAndWhatToDo) {
  CommandRunner runner;
  runner.run().error = absl::UnavailableError("connection refused");
  EXPECT_EQ(runner.RunLine("status --server host:7400"), 1);
  EXPECT_EQ(runner.err(),
            "tenor status: server 0 at host:7400 does not answer: connection refused; check the "
            "address and whether the server runs\n");
}

TEST(ServerErrorsTest, SilenceOfARecordedProcessNamesIt) {
  CommandRunner runner;
  runner.files().CreateDirectory("/run").IgnoreError();
  runner.WriteFile("/run/endpoints.textproto",
                   "processes { role: \"server\" grpc: \"127.0.0.1:40\" admin: \"127.0.0.1:41\" "
                   "pid: 17 }\n");
  runner.run().error = absl::UnavailableError("connection refused");
  EXPECT_EQ(runner.RunLine("stop --run /run"), 1);
  EXPECT_EQ(runner.run().dialled, "127.0.0.1:40 127.0.0.1:41");
  EXPECT_EQ(runner.err(),
            "tenor stop: server 0 at 127.0.0.1:40 (pid 17, from /run/endpoints.textproto) does not "
            "answer: connection refused; it may have ended: start it again in the same --run_dir "
            "to go on\n");
}

TEST(ServerErrorsTest, CodesFollowTheServersAnswer) {
  CommandRunner runner;
  runner.run().error = absl::FailedPreconditionError("a newer coordinator runs");
  EXPECT_EQ(runner.RunLine("stop --server host:1"), 3);
  EXPECT_EQ(runner.err(), "tenor stop: a newer coordinator runs\n");
  runner.run().error = absl::NotFoundError("no member node9");
  EXPECT_EQ(runner.RunLine("evict node9 --server host:1"), 3);
  runner.run().error = absl::InvalidArgumentError("min_workers is 0; allowed are 1 to 100000");
  EXPECT_EQ(runner.RunLine("set pause=true --server host:1"), 2);
}

}  // namespace
}  // namespace tenor
