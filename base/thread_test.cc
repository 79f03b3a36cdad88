#include "base/thread.h"

#include <pthread.h>

#include <string>
#include <thread>

#include "gtest/gtest.h"

namespace tenor {
namespace {

std::string OwnName() {
  char name[16] = {};
  pthread_getname_np(pthread_self(), name, sizeof(name));
  return name;
}

TEST(ThreadTest, CarriesItsNameCutToWhatTheKernelTakes) {
  std::string seen, cut;
  StartThread("apply", [&seen] { seen = OwnName(); }).join();
  StartThread("0123456789abcdefgh", [&cut] { cut = OwnName(); }).join();
  EXPECT_EQ(seen, "apply");
  EXPECT_EQ(cut, "0123456789abcde");
}

TEST(ThreadTest, ItsEndStopsAndJoins) {
  bool stopped = false;
  {
    const std::jthread thread = StartThread("wait", [&stopped](const std::stop_token& stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      stopped = true;
    });
  }
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace tenor
