#include "server/server_flags.h"

#include <optional>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/status.h"
#include "server/version.h"

namespace tenor {
namespace {

constexpr char kExamples[] =
    R"(
One of two parameter servers of a run, on node0:
  tenor-server --index 0 --servers node0:7400,node1:7400 --job job.textproto \
      --run_dir /nfs/runs/bert --bind 0.0.0.0:7400 --insecure
A run of one server on this machine:
  tenor-server --job job.textproto --run_dir runs/small

Exit codes: 0 done, 1 failure, 2 bad flag or JobSpec, 3 address or index in use, refused, or
replaced by a newer coordinator, 4 start_deadline passed.)";

// As CLI11 fills them in, before the checks.
struct RawFlags {
  ServerFlags flags;
  double drain_timeout = 60;
  double start_deadline = 600;
  double name_wait = 10;
  bool insecure = false;
  std::string log_format = "text";
  std::string log_level = "info";
};

void Declare(CLI::App& app, RawFlags& raw) {
  ServerFlags& flags = raw.flags;
  flags.servers = {"127.0.0.1:7400"};
  flags.admin_bind = "127.0.0.1:7402";
  flags.push_credit_bytes = int64_t{64} << 20;
  app.footer(kExamples);
  app.set_version_flag("--version", kVersionText);
  app.add_option("--index", flags.index, "This server's place in --servers; 0 has the coordinator")
      ->capture_default_str();
  app.add_option("--servers", flags.servers,
                 "Addresses of all servers, the same list for each; port 0 takes any free one and "
                 "is looked up in the run folder")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--job", flags.job, "JobSpec, a text proto")->required();
  app.add_option("--run_dir", flags.run_dir, "Folder of the run, seen by all servers")->required();
  app.add_option("--bind", flags.bind,
                 "Address to listen on; default 127.0.0.1 and the port of --servers");
  app.add_flag("--insecure", raw.insecure,
               "Allow a bind address that others can reach, without TLS");
  app.add_option("--admin_bind", flags.admin_bind, "Where server 0 takes changes of the run")
      ->capture_default_str();
  app.add_option("--http_port", flags.http_port, "Metrics and health; 0 takes any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app.add_option("--threads", flags.threads, "0: the cores that this process may use")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app.add_option("--drain_timeout", raw.drain_timeout,
                 "Seconds that SIGTERM waits for a checkpoint")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  app.add_option("--start_deadline", raw.start_deadline,
                 "Seconds until a run without any step exits 4; 0 waits for ever")
      ->check(CLI::Range(0.0, 1e7))
      ->capture_default_str();
  app.add_option("--name_wait", raw.name_wait,
                 "Seconds that a second server of this index waits for the first to be gone")
      ->check(CLI::Range(0.0, 86400.0))
      ->capture_default_str();
  app.add_option("--run_name", flags.run_name, "Default: the job's name");
  app.add_option("--push_credit_bytes", flags.push_credit_bytes,
                 "Bytes of one worker that may wait for their turn")
      ->check(CLI::Range(int64_t{1} << 16, int64_t{1} << 40))
      ->capture_default_str();
  app.add_option("--log_format", raw.log_format, "text or json")->capture_default_str();
  app.add_option("--log_level", raw.log_level, "info, warning or error")->capture_default_str();
}

absl::Status CheckAddresses(const RawFlags& raw) {
  const ServerFlags& flags = raw.flags;
  const auto count = static_cast<int64_t>(flags.servers.size());
  if (flags.index < 0 || flags.index >= count) {
    return absl::InvalidArgumentError(
        absl::StrCat("--index is ", flags.index, ", --servers has ", count, " entries"));
  }
  for (const std::string& server : flags.servers) {
    TENOR_RETURN_IF_ERROR(ParseHostPort(server).status());
  }
  for (const std::string& address : {flags.bind, flags.admin_bind}) {
    TENOR_ASSIGN_OR_RETURN(const HostPort parts, ParseHostPort(address));
    if (!raw.insecure && !IsLoopback(parts.host)) {
      return absl::InvalidArgumentError(
          absl::StrCat("address ", address,
                       " can be reached from other machines and there is no "
                       "TLS yet: give --insecure if that network is trusted"));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<ServerFlags> Finish(RawFlags raw) {
  ServerFlags& flags = raw.flags;
  if (flags.bind.empty() && flags.index >= 0 &&
      flags.index < static_cast<int64_t>(flags.servers.size())) {
    TENOR_ASSIGN_OR_RETURN(const HostPort own, ParseHostPort(flags.servers[flags.index]));
    flags.bind = absl::StrCat("127.0.0.1:", own.port);
  }
  TENOR_RETURN_IF_ERROR(CheckAddresses(raw));
  const std::optional<LogFormat> format = ParseLogFormat(raw.log_format);
  const std::optional<LogSeverity> level = ParseLogSeverity(raw.log_level);
  if (!format) {
    return absl::InvalidArgumentError(
        absl::StrCat("--log_format is ", raw.log_format, ", not text or json"));
  }
  if (!level) {
    return absl::InvalidArgumentError(
        absl::StrCat("--log_level is ", raw.log_level, ", not info, warning or error"));
  }
  flags.log_format = *format;
  flags.log_level = *level;
  flags.drain_timeout = absl::Seconds(raw.drain_timeout);
  flags.start_deadline = absl::Seconds(raw.start_deadline);
  flags.name_wait = absl::Seconds(raw.name_wait);
  return std::move(flags);
}

}  // namespace

absl::StatusOr<HostPort> ParseHostPort(absl::string_view address) {
  const size_t colon = address.rfind(':');
  uint32_t port = 0;
  if (colon == absl::string_view::npos || colon == 0 ||
      !absl::SimpleAtoi(address.substr(colon + 1), &port) || port > 65535) {
    return absl::InvalidArgumentError(absl::StrCat("address \"", address, "\" is not host:port"));
  }
  absl::string_view host = address.substr(0, colon);
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  return HostPort{std::string(host), static_cast<uint16_t>(port)};
}

bool IsLoopback(absl::string_view host) {
  return host == "localhost" || host == "::1" || absl::StartsWith(host, "127.");
}

absl::StatusOr<std::variant<ServerFlags, PrintAndExit>> ParseServerFlags(int argc,
                                                                         const char* const* argv) {
  CLI::App app("A parameter server of a Tenor run.", "tenor-server");
  RawFlags raw;
  try {
    Declare(app, raw);
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return PrintAndExit{app.help()};
  } catch (const CLI::CallForVersion&) {
    return PrintAndExit{absl::StrCat(kVersionText, "\n")};
  } catch (const CLI::Error& error) {
    return absl::InvalidArgumentError(error.what());
  }
  TENOR_ASSIGN_OR_RETURN(ServerFlags flags, Finish(std::move(raw)));
  return flags;
}

}  // namespace tenor
