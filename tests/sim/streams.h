#ifndef TENOR_TESTS_SIM_STREAMS_H_
#define TENOR_TESTS_SIM_STREAMS_H_

#include <functional>
#include <vector>

#include "tests/sim/process.h"

namespace tenor::sim {

class World;

enum class StreamKind { kWorkerControl, kShardControl, kData };

// All streams between processes. A stream has two ends that close at different times; a message
// arrives only while the receiver's end is open. Single-threaded.
class Streams {
 public:
  explicit Streams(World* world) : world_(world) {}

  // Asks for a stream; `done` runs in the client with its number, or with 0 where nobody answered.
  void Dial(StreamKind kind, ProcessNumber client, ProcessNumber server,
            std::function<void(StreamNumber)> done);

  void SendToServer(StreamNumber stream, std::function<void()> deliver);
  void SendToClient(StreamNumber stream, std::function<void()> deliver);

  // One side hangs up: its own end is closed at once and without a word, the other side hears of
  // it.
  void HangUp(StreamNumber stream, ProcessNumber side);
  // The network cuts it: both sides hear of it.
  void Reset(StreamNumber stream);
  // A process died. Without notice a server never learns that a client is gone, a client learns
  // late that a server is gone.
  void ProcessDied(ProcessNumber process, bool notice);

  StreamKind kind(StreamNumber stream) const { return streams_[stream - 1].kind; }
  ProcessNumber client(StreamNumber stream) const { return streams_[stream - 1].client; }
  ProcessNumber server(StreamNumber stream) const { return streams_[stream - 1].server; }
  bool open_at_server(StreamNumber stream) const { return streams_[stream - 1].server_open; }
  bool open_at_client(StreamNumber stream) const { return streams_[stream - 1].client_open; }

 private:
  struct Stream {
    StreamKind kind = StreamKind::kData;
    ProcessNumber client = 0;
    ProcessNumber server = 0;
    bool client_open = true;
    bool server_open = true;
  };
  void TellServer(StreamNumber stream, Millis delay);
  void TellClient(StreamNumber stream, Millis delay);

  World* const world_;
  std::vector<Stream> streams_;
};

}  // namespace tenor::sim

#endif  // TENOR_TESTS_SIM_STREAMS_H_
