#ifndef TENOR_SERVER_CORE_CHECKPOINT_POLICY_H_
#define TENOR_SERVER_CORE_CHECKPOINT_POLICY_H_

#include <cstdint>

#include "server/core/names.h"

// When a version is cut (docs/protocol.md 4). Pure.

namespace tenor {

struct CutQuestion {
  Version next = 1;        // the version that the round would make
  int64_t every = 0;       // checkpoint_every; 0 = only on request
  bool saving = false;     // a save is in flight
  bool asked = false;      // by an operator, a stop or a server that leaves
  bool first_due = false;  // the run has no checkpoint yet and its time is up
};

enum class CutAnswer {
  kNo,
  kEvery,  // a multiple of checkpoint_every
  kFirst,  // the first of the run, by time
  kAsked,
  kLeftOut,  // a multiple, but a save is in flight: the next multiple will do
};

CutAnswer AskCut(const CutQuestion& question);

inline bool IsCut(CutAnswer answer) {
  return answer != CutAnswer::kNo && answer != CutAnswer::kLeftOut;
}

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_CHECKPOINT_POLICY_H_
