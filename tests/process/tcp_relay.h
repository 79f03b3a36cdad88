#ifndef TENOR_TESTS_PROCESS_TCP_RELAY_H_
#define TENOR_TESTS_PROCESS_TCP_RELAY_H_

#include <list>
#include <thread>

#include "base/file_descriptor.h"
#include "base/mutex.h"

namespace tenor {

// A port of 127.0.0.1 whose connections lead to another port of it, and where packets can be made
// to vanish: both ends stay connected and hear nothing. Thread-safe.
class TcpRelay {
 public:
  explicit TcpRelay(int target_port);
  ~TcpRelay();
  TcpRelay(const TcpRelay&) = delete;
  TcpRelay& operator=(const TcpRelay&) = delete;

  int port() const { return port_; }

  // From now on a new connection counts to the second group.
  void BeginSecondGroup();
  // What either end of a connection of the second group sends, now and later, is lost.
  void SwallowSecondGroup();
  // Closes what was swallowed and relays again what comes anew.
  void Heal();

 private:
  struct Connection {
    FileDescriptor client;
    FileDescriptor target;
    bool second_group = false;
    bool closed = false;  // to be forgotten
    bool deaf = false;    // an end is gone and the other does not hear of it
  };

  void Loop();
  void Accept();
  // One way, as much as is there.
  void Relay(Connection& connection, const FileDescriptor& from, const FileDescriptor& to);
  void Wake();

  const int target_port_;
  FileDescriptor listener_;
  FileDescriptor wake_;
  int port_ = 0;
  Mutex mu_;
  std::list<Connection> connections_ TENOR_GUARDED_BY(mu_);
  bool accepts_second_ TENOR_GUARDED_BY(mu_) = false;
  bool swallows_ TENOR_GUARDED_BY(mu_) = false;
  bool stopping_ TENOR_GUARDED_BY(mu_) = false;
  std::jthread thread_;
};

}  // namespace tenor

#endif  // TENOR_TESTS_PROCESS_TCP_RELAY_H_
