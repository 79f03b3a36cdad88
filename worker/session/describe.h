#ifndef TENOR_WORKER_SESSION_DESCRIBE_H_
#define TENOR_WORKER_SESSION_DESCRIBE_H_

#include <string>

#include "worker/session/events.h"

namespace tenor::session {

// One line for traces of tests and of the simulation; not a format. A label is g.r.w, a computation
// %N, a buffer bN, a shard sK.
std::string Describe(const Effect& effect);

}  // namespace tenor::session

#endif  // TENOR_WORKER_SESSION_DESCRIBE_H_
