#ifndef TENOR_SERVER_CORE_SHARD_DESCRIBE_H_
#define TENOR_SERVER_CORE_SHARD_DESCRIBE_H_

#include <string>

#include "server/core/shard/events.h"

namespace tenor::shard {

// One line for traces of tests and of the simulation; not a format. A label is g.r.w, a connection
// cN, a buffer bN, a payload pN, an operation #N.
std::string Describe(const Effect& effect);
std::string Describe(const Status& status);

}  // namespace tenor::shard

#endif  // TENOR_SERVER_CORE_SHARD_DESCRIBE_H_
