#ifndef TENOR_SERVER_NET_STATUS_VIEW_H_
#define TENOR_SERVER_NET_STATUS_VIEW_H_

#include "absl/strings/string_view.h"
#include "proto/wire.pb.h"
#include "server/runner/journal.h"
#include "server/runner/operators.h"

// What operators see, as messages of proto/wire.proto. Pure functions.

namespace tenor {

// Everything but what the process adds: run, admin_address, stop, version_text.
wire::RunStatus ToRunStatus(const RunView& view);

wire::StepLine ToStepLine(const StepRecord& record);

// "empty", "draining", ...
absl::string_view ShardPhaseName(ShardPhase phase);

}  // namespace tenor

#endif  // TENOR_SERVER_NET_STATUS_VIEW_H_
