#ifndef TENOR_SERVER_CORE_TRACE_H_
#define TENOR_SERVER_CORE_TRACE_H_

#include <string>

#include "server/core/effects.h"
#include "server/core/messages.h"

namespace tenor {

// One line for an effect, for traces of tests: everything that matters of it, byte for byte the
// same for equal effects. The connection is left to the caller.
std::string TraceOf(const Effect& effect);
std::string TraceOf(const Label& label);
std::string TraceOf(const Lease& lease);

}  // namespace tenor

#endif  // TENOR_SERVER_CORE_TRACE_H_
