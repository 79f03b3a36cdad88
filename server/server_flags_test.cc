#include "server/server_flags.h"

#include <string>
#include <variant>
#include <vector>

#include "base/status_testing.h"
#include "gtest/gtest.h"

namespace tenor {
namespace {

using testing::HasSubstr;

absl::StatusOr<std::variant<ServerFlags, PrintAndExit>> Parse(std::vector<const char*> words) {
  words.insert(words.begin(), {"tenor-server", "--job", "j", "--run_dir", "r"});
  return ParseServerFlags(static_cast<int>(words.size()), words.data());
}

TEST(ServerFlags, Defaults) {
  ASSERT_OK_AND_ASSIGN(const auto parsed, Parse({}));
  const ServerFlags& flags = std::get<ServerFlags>(parsed);
  EXPECT_EQ(flags.bind, "127.0.0.1:7400");
  EXPECT_EQ(flags.admin_bind, "127.0.0.1:7402");
  EXPECT_EQ(flags.http_port, 7401);
  EXPECT_EQ(flags.drain_timeout, absl::Seconds(60));
  EXPECT_EQ(flags.start_deadline, absl::Minutes(10));
  EXPECT_EQ(flags.push_credit_bytes, 64 << 20);
}

TEST(ServerFlags, ServersAndBind) {
  ASSERT_OK_AND_ASSIGN(const auto parsed,
                       Parse({"--servers", "node0:7400,node1:7500", "--index", "1"}));
  const ServerFlags& flags = std::get<ServerFlags>(parsed);
  EXPECT_EQ(flags.servers, (std::vector<std::string>{"node0:7400", "node1:7500"}));
  EXPECT_EQ(flags.bind, "127.0.0.1:7500");
}

TEST(ServerFlags, Refusals) {
  const auto refusal = [](std::vector<const char*> words) { return Parse(words).status(); };
  EXPECT_THAT(refusal({"--index", "1"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--index is 1")));
  EXPECT_THAT(refusal({"--bind", "0.0.0.0:7400"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("--insecure")));
  EXPECT_OK(refusal({"--bind", "0.0.0.0:7400", "--insecure"}));
  EXPECT_THAT(refusal({"--bind", "nowhere"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("host:port")));
  EXPECT_THAT(refusal({"--http_port", "70000"}), StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(refusal({"--log_level", "loud"}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("loud")));
  EXPECT_THAT(refusal({"--nonsense"}), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(ServerFlags, HelpAndVersionPrint) {
  ASSERT_OK_AND_ASSIGN(const auto help, Parse({"--help"}));
  EXPECT_THAT(std::get<PrintAndExit>(help).text, HasSubstr("--run_dir"));
  ASSERT_OK_AND_ASSIGN(const auto version, Parse({"--version"}));
  EXPECT_NE(std::get<PrintAndExit>(version).text, "");
}

}  // namespace
}  // namespace tenor
