// What the commands that talk to a server say and ask.
#include <set>
#include <string>
#include <vector>

#include "cli/commands/command_testing.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace tenor {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using Json = nlohmann::json;

wire::StepLine Step(int64_t step) {
  wire::StepLine line;
  line.set_step(step);
  line.set_verdict(spec::Verdict::APPLIED);
  line.set_loss_nats(2);
  line.set_seconds(0.5);
  line.set_members(3);
  return line;
}

wire::RunStatus Status() {
  wire::RunStatus status;
  status.set_run("first");
  status.set_state("collecting");
  status.set_version(42);
  status.set_loss_nats(2);
  status.mutable_stop()->set_updates(100);
  status.set_newest_checkpoint_age(-1);
  status.mutable_tunables()->set_accumulation_steps(4);
  status.mutable_tunables()->set_min_workers(2);
  status.mutable_pending()->set_accumulation_steps(4);
  wire::MemberStatus& member = *status.add_members();
  member.set_name("node1-0\x1b[31m");
  member.set_state("in view");
  return status;
}

TEST(OperatorCommandsTest, StatusForPeople) {
  CommandRunner runner;
  runner.run().status = Status();
  EXPECT_EQ(runner.RunLine("--server host:1 status"), 0) << runner.err();
  EXPECT_THAT(runner.out(), HasSubstr("step        42, to stop at 100 updates"));
  EXPECT_THAT(runner.out(), HasSubstr("2.0000 nats, 2.8854 bits"));
  EXPECT_THAT(runner.out(), HasSubstr("accumulation_steps=4 min_workers=2"));
  EXPECT_THAT(runner.out(), HasSubstr("checkpoint  none yet"));
  // Nothing that others named reaches the terminal as a control character.
  EXPECT_THAT(runner.out(), Not(HasSubstr("\x1b")));
}

TEST(OperatorCommandsTest, StatusForPrograms) {
  CommandRunner runner;
  runner.run().status = Status();
  EXPECT_EQ(runner.RunLine("status --json --server host:1"), 0);
  const Json json = Json::parse(runner.out());
  EXPECT_EQ(json["run"], "first");
  EXPECT_EQ(json["version"], "42");
  EXPECT_EQ(json["stop"]["updates"], "100");
}

TEST(OperatorCommandsTest, WatchEndsAfterSoManySteps) {
  CommandRunner runner;
  for (int step = 1; step <= 5; ++step) runner.run().steps.push_back(Step(step));
  EXPECT_EQ(runner.RunLine("watch --steps 2 --server host:1"), 0);
  EXPECT_THAT(runner.out(), StartsWith("step 1  g0 r0 w0  applied  loss 2.0000 nats"));
  EXPECT_THAT(runner.out(), HasSubstr("\nstep 2  "));
  EXPECT_THAT(runner.out(), Not(HasSubstr("step 3")));
}

TEST(OperatorCommandsTest, EventsAreLines) {
  CommandRunner runner;
  runner.run().events = {R"({"kind":"join"})", R"({"kind":"loss"})"};
  EXPECT_EQ(runner.RunLine("events --server host:1"), 0);
  EXPECT_EQ(runner.out(), "{\"kind\":\"join\"}\n{\"kind\":\"loss\"}\n");
}

TEST(OperatorCommandsTest, GetOneAndAll) {
  CommandRunner runner;
  runner.run().status = Status();
  EXPECT_EQ(runner.RunLine("get min_workers --server host:1"), 0);
  EXPECT_EQ(runner.out(), "min_workers=2\n");
  EXPECT_EQ(runner.RunLine("get --server host:1"), 0);
  EXPECT_EQ(runner.out(), "accumulation_steps=4  (from the next round on)\nmin_workers=2\n");
}

TEST(OperatorCommandsTest, SetSaysFromWhichStep) {
  CommandRunner runner;
  runner.run().set_reply.set_from_step(901);
  EXPECT_EQ(
      runner.RunLine("set accumulation_steps=8 push_codec=fp32 --at_step 900 --server host:1"), 0)
      << runner.err();
  EXPECT_EQ(runner.out(), "accumulation_steps=8 push_codec=fp32 from step 901\n");
  EXPECT_EQ(runner.run().set_request.at_step(), 900);
  EXPECT_FALSE(runner.run().set_request.dry_run());
  EXPECT_EQ(runner.run().set_request.change().accumulation_steps(), 8);
  EXPECT_FALSE(runner.run().set_request.change().has_min_workers());
}

TEST(OperatorCommandsTest, DryRunSaysSo) {
  CommandRunner runner;
  runner.run().set_reply.set_from_step(5);
  EXPECT_EQ(runner.RunLine("set pause=true --dry_run --server host:1"), 0);
  EXPECT_THAT(runner.out(), StartsWith("dry run, nothing changed: pause=true from step 5"));
  EXPECT_TRUE(runner.run().set_request.dry_run());
}

TEST(OperatorCommandsTest, StopEvictAndCheckpoint) {
  CommandRunner runner;
  EXPECT_EQ(runner.RunLine("stop --reason noon --server host:1"), 0);
  EXPECT_EQ(runner.run().told, "stop noon");
  EXPECT_EQ(runner.RunLine("evict node3-0 --server host:1"), 0);
  EXPECT_EQ(runner.run().told, "evict node3-0");
  EXPECT_EQ(runner.RunLine("checkpoint now --server host:1"), 0);
  EXPECT_EQ(runner.out(), "saved v000000007-g0001-r000000007, step 7\n");
}

TEST(HelpTest, EveryCommandHasASummaryAndExamples) {
  std::set<std::string> names;
  for (const CommandEntry& command : AllCommands()) {
    EXPECT_TRUE(names.insert(command.name).second) << command.name;
    EXPECT_NE(command.summary, "") << command.name;
    CommandRunner runner;
    EXPECT_EQ(runner.RunLine(command.name + " --help"), 0);
    EXPECT_THAT(runner.out(), HasSubstr("Examples:\n  ")) << command.name;
    EXPECT_THAT(runner.out(), HasSubstr("tenor ")) << command.name;
    EXPECT_EQ(runner.err(), "");
  }
}

TEST(HelpTest, WithoutAWordTheProgramExplainsItself) {
  CommandRunner runner;
  EXPECT_EQ(runner.Run({}), 0);
  EXPECT_THAT(runner.out(), HasSubstr("local"));
  EXPECT_THAT(runner.out(), HasSubstr("checkpoint"));
}

TEST(HelpTest, CompletionKnowsGroups) {
  CommandRunner runner;
  EXPECT_EQ(runner.RunLine("completion bash"), 0);
  EXPECT_THAT(runner.out(), HasSubstr("checkpoint) words='now list verify'"));
  EXPECT_THAT(runner.out(), HasSubstr("complete -o filenames -F _tenor tenor"));
}

}  // namespace
}  // namespace tenor
