#ifndef TENOR_CLI_JOB_PLAN_H_
#define TENOR_CLI_JOB_PLAN_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "proto/spec.pb.h"

namespace tenor {

// What a job costs on a cluster of a given size, computed from the JobSpec alone. All in bytes
// unless the name says otherwise.
struct JobPlan {
  int servers = 1;
  int workers = 1;

  int64_t parameters = 0;
  int64_t chunks = 0;
  int64_t chunk_elements = 0;
  int64_t segments = 0;            // 0: the data's size is not known yet
  int64_t samples_per_update = 0;  // of the whole cluster

  // Of the server that owns most: masters, moments, payload or sum (16 a parameter).
  int64_t server_state = 0;
  // The most that payloads of two versions and waiting contributions take there besides.
  int64_t server_waiting = 0;
  // Flat weights and gradient, and the encoded gradient that is kept until the verdict.
  int64_t worker_flat = 0;
  // Weights in the compute type and the activations of a window.
  int64_t worker_model = 0;

  // Payload of one update, each way, without frame headers.
  int64_t push_per_worker = 0;
  int64_t pull_per_worker = 0;
};

// `job` is valid with defaults filled in; its data may be named by path alone. InvalidArgument:
// servers or workers out of 1 to 100000, or no model of a known kind.
absl::StatusOr<JobPlan> PlanJob(const spec::JobSpec& job, int64_t servers, int64_t workers);

// Lines for people.
std::string PlanText(const JobPlan& plan);

// One line.
std::string PlanJson(const JobPlan& plan);

}  // namespace tenor

#endif  // TENOR_CLI_JOB_PLAN_H_
