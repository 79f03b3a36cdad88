#ifndef TENOR_BASE_THREAD_H_
#define TENOR_BASE_THREAD_H_

#include <functional>
#include <thread>

#include "absl/strings/string_view.h"

namespace tenor {

// A thread that the kernel's tools show by name (its first 15 bytes). Its destructor asks the stop
// token to stop and joins.
std::jthread StartThread(absl::string_view name, std::function<void(std::stop_token)> body);
std::jthread StartThread(absl::string_view name, std::function<void()> body);

}  // namespace tenor

#endif  // TENOR_BASE_THREAD_H_
