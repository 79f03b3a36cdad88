#ifndef TENOR_TESTS_PROCESS_CLUSTER_H_
#define TENOR_TESTS_PROCESS_CLUSTER_H_

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "base/posix_file_system.h"
#include "cli/local/port_reservation.h"
#include "gtest/gtest.h"
#include "proto/spec.pb.h"
#include "server/core/names.h"
#include "tests/process/job_text.h"
#include "tests/process/program.h"
#include "tests/process/run_log.h"
#include "tests/process/wait.h"

namespace tenor {

// Programs of one run on loopback ports: real servers and workers with a small data set, in a
// folder of their own. What the harness itself cannot do is a CHECK; what the programs do wrong is
// for the test to see. All programs are killed at the end. Single-threaded.
class Cluster {
 public:
  // A machine that is busy with other things must not fail a test.
  static constexpr absl::Duration kLimit = absl::Seconds(40);

  // Makes `folder`, a data set and job.textproto in it; starts nothing.
  Cluster(const std::string& folder, int servers, const JobOptions& job);
  ~Cluster();

  const std::string& folder() const { return folder_; }
  const std::string& run_dir() const { return run_dir_; }
  const std::string& data_dir() const { return data_dir_; }
  const std::string& job_path() const { return job_path_; }
  const TextDataNames& data() const { return data_; }
  const Programs& programs() const { return programs_; }
  FileSystem& files() { return files_; }
  int server_count() const { return static_cast<int>(addresses_.size()); }
  const std::string& address(int server) const { return addresses_[server]; }

  // For the next starts.
  void SetServers(int count);
  void SetAddress(int server, int port);
  // What server listens on.
  int port(int server) const { return ports_[server].port(); }

  // Flags of a program, name without dashes -> value.
  using Flags = std::map<std::string, std::string>;
  // One that still runs under this index is killed. `changed` replaces or adds flags.
  void StartServer(int index, const Flags& changed = {});
  void StartWorker(int index, const Flags& changed = {});
  // Beside the ones above: for what is going to be refused. Log: NAME.log.
  std::unique_ptr<Program> StartOtherServer(const std::string& name, int index,
                                            const Flags& changed);
  std::unique_ptr<Program> StartOtherWorker(const std::string& name, int index,
                                            const Flags& changed);
  void Start(int workers);
  void StartServers();

  Program& server(int index) { return *servers_.at(index); }
  Program& worker(int index) { return *workers_.at(index); }
  void KillAll();
  // Sends `signal` to all servers.
  void SignalServers(int signal);

  RunLog& log() { return log_; }
  bool WaitUntil(const std::function<bool()>& holds, absl::Duration limit = kLimit);
  // An applied step of at least this number, in this lineage or a newer one.
  bool WaitForStep(int64_t step, int64_t lineage = 1, absl::Duration limit = kLimit);
  // A step with so many members that comes after the first `after` lines of metrics.
  bool WaitForMembers(int64_t members, size_t after = 0);
  // A line of events.jsonl behind the first `after`.
  bool WaitForEvent(const std::string& kind, size_t after = 0);
  // All that was started ends with code 0; says what did not.
  testing::AssertionResult AllEndWell(absl::Duration limit = kLimit);

  // `tenor --run RUN_DIR ...`.
  ProgramResult Tenor(std::vector<std::string> arguments);

  // Of a complete checkpoint; 0 where there is none.
  int64_t NewestCheckpoint();
  std::string CheckpointPath(int64_t version);
  spec::Manifest ReadManifest(int64_t version);
  // Tensors "chunk.000017.weight" and so on of all shards of a checkpoint.
  std::map<std::string, std::string> CheckpointTensors(int64_t version);

  // http://ADDRESS/PATH of the process, from its file in the run folder. Code 0: no answer.
  struct Page {
    int code = 0;
    std::string body;
  };
  Page Get(const std::string& role, int index, const std::string& path);

  // The logs of all programs, for a failed test.
  std::string Logs() const;

 private:
  Flags ServerFlags(int index) const;
  Flags WorkerFlags(int index) const;
  std::string LogPath(const std::string& name) const;
  std::unique_ptr<Program> StartProgram(const std::string& name, const std::string& path,
                                        Flags flags, const Flags& changed) const;
  // The newest complete one of this version; nothing where there is none.
  std::optional<CheckpointName> FindCheckpoint(int64_t version);

  const std::string folder_;
  const Programs programs_ = FindPrograms();
  PosixFileSystem files_;
  std::string run_dir_;
  std::string data_dir_;
  std::string job_path_;
  TextDataNames data_;
  std::vector<PortReservation> ports_;
  std::vector<std::string> addresses_;
  std::map<int, std::unique_ptr<Program>> servers_;
  std::map<int, std::unique_ptr<Program>> workers_;
  FolderWatch watch_;
  RunLog log_;
};

}  // namespace tenor

#endif  // TENOR_TESTS_PROCESS_CLUSTER_H_
