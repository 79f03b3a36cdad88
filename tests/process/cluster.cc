#include "tests/process/cluster.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/check.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "model/checkpoint/safetensors.h"
#include "proto/parse.h"
#include "server/runner/checkpoint_store.h"
#include "server/runner/run_paths.h"

namespace tenor {
namespace {

PortReservation TakePort() {
  absl::StatusOr<PortReservation> port = PortReservation::Take();
  CHECK(port.ok()) << port.status().message();
  return *std::move(port);
}

std::string Loopback(int port) { return absl::StrCat("127.0.0.1:", port); }

// All that a server sends until it closes; empty if it does not answer.
std::string Ask(const std::string& address, const std::string& request) {
  const std::vector<std::string> parts = absl::StrSplit(address, ':');
  int port = 0;
  if (parts.size() != 2 || !absl::SimpleAtoi(parts[1], &port)) return "";
  FileDescriptor connection(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<uint16_t>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(connection.get(), reinterpret_cast<const sockaddr*>(&to), sizeof(to)) != 0) return "";
  if (send(connection.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return "";
  std::string answer;
  char buffer[4096];
  for (ssize_t got = 1; got > 0;) {
    got = recv(connection.get(), buffer, sizeof(buffer), 0);
    if (got > 0) answer.append(buffer, static_cast<size_t>(got));
  }
  return answer;
}

}  // namespace

Cluster::Cluster(const std::string& folder, int servers, const JobOptions& job)
    : folder_(folder),
      run_dir_(JoinPath(folder, "run")),
      data_dir_(JoinPath(folder, "data")),
      job_path_(JoinPath(folder, "job.textproto")),
      log_(run_dir_) {
  std::filesystem::remove_all(folder);
  CHECK(EnsureDirectory(files_, folder).ok() && EnsureDirectory(files_, run_dir_).ok()) << folder;
  data_ = MakeTextData(files_, data_dir_, /*seed=*/1);
  CHECK(ReplaceFile(files_, job_path_, JobText(job, data_)).ok()) << job_path_;
  watch_.Add(run_dir_);
  SetServers(servers);
}

// Killed before their folder's watch goes away.
Cluster::~Cluster() { KillAll(); }

void Cluster::SetServers(int count) {
  ports_.clear();
  addresses_.clear();
  for (int i = 0; i < count; ++i) {
    ports_.push_back(TakePort());
    addresses_.push_back(Loopback(ports_.back().port()));
  }
}

void Cluster::SetAddress(int server, int port) { addresses_[server] = Loopback(port); }

// ---------------------------------------------------------------- programs

Cluster::Flags Cluster::ServerFlags(int index) const {
  Flags flags = {{"index", absl::StrCat(index)},
                 {"servers", absl::StrJoin(addresses_, ",")},
                 {"bind", Loopback(ports_[index].port())},
                 {"job", job_path_},
                 {"run_dir", run_dir_},
                 {"http_port", "0"},
                 {"threads", "1"},
                 {"admin_bind", "127.0.0.1:0"}};
  return flags;
}

Cluster::Flags Cluster::WorkerFlags(int index) const {
  return {{"index", absl::StrCat(index)},
          {"name", "w"},
          {"coordinator", addresses_[0]},
          {"data_dir", data_dir_},
          {"run_dir", run_dir_},
          {"http_port", "0"},
          {"threads", "1"}};
}

std::string Cluster::LogPath(const std::string& name) const {
  return JoinPath(folder_, absl::StrCat(name, ".log"));
}

std::unique_ptr<Program> Cluster::StartProgram(const std::string& name, const std::string& path,
                                               Flags flags, const Flags& changed) const {
  for (const auto& [flag, value] : changed) flags[flag] = value;
  std::vector<std::string> arguments;
  for (const auto& [flag, value] : flags) {
    arguments.push_back(absl::StrCat("--", flag));
    arguments.push_back(value);
  }
  return std::make_unique<Program>(name, path, std::move(arguments), LogPath(name));
}

std::unique_ptr<Program> Cluster::StartOtherServer(const std::string& name, int index,
                                                   const Flags& changed) {
  return StartProgram(name, programs_.server, ServerFlags(index), changed);
}

std::unique_ptr<Program> Cluster::StartOtherWorker(const std::string& name, int index,
                                                   const Flags& changed) {
  return StartProgram(name, programs_.worker, WorkerFlags(index), changed);
}

void Cluster::StartServer(int index, const Flags& changed) {
  servers_.erase(index);
  servers_[index] = StartOtherServer(absl::StrCat("server-", index), index, changed);
}

void Cluster::StartWorker(int index, const Flags& changed) {
  workers_.erase(index);
  workers_[index] = StartOtherWorker(absl::StrCat("worker-", index), index, changed);
}

void Cluster::StartServers() {
  for (int i = 0; i < server_count(); ++i) StartServer(i);
}

void Cluster::Start(int workers) {
  StartServers();
  for (int i = 0; i < workers; ++i) StartWorker(i);
}

void Cluster::KillAll() {
  for (auto& [index, server] : servers_) server->Kill();
  for (auto& [index, worker] : workers_) worker->Kill();
  servers_.clear();
  workers_.clear();
}

void Cluster::SignalServers(int signal) {
  for (auto& [index, server] : servers_) server->Signal(signal);
}

testing::AssertionResult Cluster::AllEndWell(absl::Duration limit) {
  const absl::Duration end = MonotonicNow() + limit;
  std::vector<std::string> bad;
  const auto check = [&](const std::string& role, int index, Program& program) {
    const int code = program.ExitCode(std::max(end - MonotonicNow(), absl::ZeroDuration()));
    if (code != 0) bad.push_back(absl::StrCat(role, " ", index, ": ", code));
  };
  for (auto& [index, server] : servers_) check("server", index, *server);
  for (auto& [index, worker] : workers_) check("worker", index, *worker);
  if (bad.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << "exit codes (-1: still runs): " << absl::StrJoin(bad, ", ") << "\n"
         << Logs();
}

ProgramResult Cluster::Tenor(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--run", run_dir_});
  return RunProgram(programs_.tenor, arguments, folder_);
}

std::string Cluster::Logs() const {
  std::string text;
  for (const auto& [index, server] : servers_) {
    absl::StrAppend(&text, "---- server ", index, "\n", server->Output());
  }
  for (const auto& [index, worker] : workers_) {
    absl::StrAppend(&text, "---- worker ", index, "\n", worker->Output());
  }
  return text;
}

// ---------------------------------------------------------------- waiting

bool Cluster::WaitUntil(const std::function<bool()>& holds, absl::Duration limit) {
  return watch_.WaitUntil(holds, limit);
}

bool Cluster::WaitForStep(int64_t step, int64_t lineage, absl::Duration limit) {
  return WaitUntil(
      [&] {
        const std::vector<StepLine>& lines = log_.Steps();
        return !lines.empty() && lines.back().step >= step && lines.back().lineage >= lineage;
      },
      limit);
}

bool Cluster::WaitForMembers(int64_t members, size_t after) {
  return WaitUntil([&] {
    const std::vector<StepLine>& lines = log_.Steps();
    return std::any_of(lines.begin() + static_cast<ptrdiff_t>(std::min(after, lines.size())),
                       lines.end(), [&](const StepLine& line) { return line.members == members; });
  });
}

bool Cluster::WaitForEvent(const std::string& kind, size_t after) {
  return WaitUntil([&] {
    const std::vector<EventLine>& lines = log_.Events();
    return std::any_of(lines.begin() + static_cast<ptrdiff_t>(std::min(after, lines.size())),
                       lines.end(), [&](const EventLine& line) { return line.kind == kind; });
  });
}

// ---------------------------------------------------------------- checkpoints

std::optional<CheckpointName> Cluster::FindCheckpoint(int64_t version) {
  const auto listed = CheckpointStore(files_, run_dir_).List();
  if (!listed.ok()) return std::nullopt;
  std::optional<CheckpointName> found;
  for (const CheckpointOnDisk& one : *listed) {
    if (one.damaged || one.name.version != version) continue;
    if (!found || found->lineage < one.name.lineage) found = one.name;
  }
  return found;
}

int64_t Cluster::NewestCheckpoint() {
  const auto listed = CheckpointStore(files_, run_dir_).List();
  int64_t newest = 0;
  if (!listed.ok()) return newest;
  for (const CheckpointOnDisk& one : *listed) {
    if (!one.damaged) newest = std::max(newest, one.name.version);
  }
  return newest;
}

std::string Cluster::CheckpointPath(int64_t version) {
  const std::optional<CheckpointName> name = FindCheckpoint(version);
  CHECK(name.has_value()) << "no checkpoint of version " << version << " in " << run_dir_;
  return CheckpointFolder(run_dir_, *name);
}

spec::Manifest Cluster::ReadManifest(int64_t version) {
  const std::optional<CheckpointName> name = FindCheckpoint(version);
  CHECK(name.has_value()) << "no checkpoint of version " << version << " in " << run_dir_;
  auto manifest = CheckpointStore(files_, run_dir_).ReadManifest(*name);
  CHECK(manifest.ok()) << manifest.status().message();
  return *std::move(manifest);
}

std::map<std::string, std::string> Cluster::CheckpointTensors(int64_t version) {
  const std::string path = CheckpointPath(version);
  std::map<std::string, std::string> tensors;
  const spec::Manifest manifest = ReadManifest(version);
  for (const spec::CheckpointFile& file : manifest.files()) {
    const auto reader = SafetensorsReader::Open(files_, JoinPath(path, file.name()));
    CHECK(reader.ok()) << reader.status().message();
    for (const TensorEntry& tensor : reader->tensors()) {
      std::string& bytes = tensors[tensor.name];
      bytes.resize(tensor.end - tensor.begin);
      CHECK(reader->ReadBytes(tensor, 0, std::as_writable_bytes(std::span(bytes))).ok());
    }
  }
  return tensors;
}

// ---------------------------------------------------------------- pages

Cluster::Page Cluster::Get(const std::string& role, int index, const std::string& path) {
  const std::string file =
      JoinPath(run_dir_, absl::StrCat("endpoints.d/", role, "-", index, ".textproto"));
  const auto text = files_.ReadFile(file);
  if (!text.ok()) return {};
  const auto endpoints = ParseEndpoints(*text, file);
  CHECK(endpoints.ok()) << endpoints.status().message();
  const std::string answer =
      Ask(endpoints->processes(0).http(),
          absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
  // "HTTP/1.1 200 OK", headers, an empty line, the body.
  Page page;
  const size_t body = answer.find("\r\n\r\n");
  if (body == std::string::npos || !absl::SimpleAtoi(answer.substr(9, 3), &page.code)) return {};
  page.body = answer.substr(body + 4);
  return page;
}

}  // namespace tenor
