#include "base/thread.h"

#include <pthread.h>

#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "absl/strings/string_view.h"

namespace tenor {

std::jthread StartThread(absl::string_view name, std::function<void(std::stop_token)> body) {
  return std::jthread(
      [name = std::string(name.substr(0, 15)), body = std::move(body)](std::stop_token stop) {
        pthread_setname_np(pthread_self(), name.c_str());
        body(std::move(stop));
      });
}

std::jthread StartThread(absl::string_view name, std::function<void()> body) {
  return StartThread(name, [body = std::move(body)](const std::stop_token&) { body(); });
}

}  // namespace tenor
