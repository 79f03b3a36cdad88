#ifndef TENOR_CLI_COMMAND_CONTEXT_H_
#define TENOR_CLI_COMMAND_CONTEXT_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/file_system.h"
#include "cli/net/operator_client.h"

namespace tenor {

// Where a command writes and what it is told of its surroundings.
struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int columns = 80;
};

// A connection to server 0. `admin` may be empty: then it is asked from the server. Nothing is
// dialled before the first call.
using ConnectOperator = std::function<std::unique_ptr<OperatorClient>(const std::string& observe,
                                                                      const std::string& admin)>;

// All that commands need of the outside, borrowed. Single-threaded.
struct CommandContext {
  Terminal terminal;
  FileSystem& files;
  const Clock& clock;
  ConnectOperator connect;
  std::string program_folder;  // where this program lies, for those that it starts
  int cores = 1;               // that this process may use

  // The program's own options.
  std::string server;  // --server
  std::string run;     // --run
  bool color = false;  // --color, settled
};

}  // namespace tenor

#endif  // TENOR_CLI_COMMAND_CONTEXT_H_
