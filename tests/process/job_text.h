#ifndef TENOR_TESTS_PROCESS_JOB_TEXT_H_
#define TENOR_TESTS_PROCESS_JOB_TEXT_H_

#include <cstdint>
#include <string>

#include "base/file_system.h"

namespace tenor {

// A JobSpec that is small enough for steps of milliseconds: an mLSTM of 16 thousand parameters in
// four chunks. accumulation_steps makes its steps longer.
struct JobOptions {
  std::string name = "process-test";
  int64_t updates = 40;
  int64_t accumulation_steps = 1;
  int64_t checkpoint_every = 0;
  int64_t keep_checkpoints = 10;
  int min_workers = 1;
  double heartbeat_timeout = 5;
  double peak = 5e-3;  // of the learning rate
  int64_t seed = 1;
};

// What a job says of its data set.
struct TextDataNames {
  std::string digest;
  int64_t bytes = 0;
};

std::string JobText(const JobOptions& options, const TextDataNames& data);

// Makes a data set of about 200 kB in `folder`, which it makes: words drawn from `seed`, so that
// there is something to learn.
TextDataNames MakeTextData(FileSystem& files, const std::string& folder, uint64_t seed);

}  // namespace tenor

#endif  // TENOR_TESTS_PROCESS_JOB_TEXT_H_
