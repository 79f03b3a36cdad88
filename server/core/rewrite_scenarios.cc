// Writes the present traces into the scripts named on the command line.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "server/core/scenario.h"

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    std::ifstream in(argv[i]);
    std::stringstream text;
    text << in.rdbuf();
    if (!in) {
      std::fprintf(stderr, "%s cannot be read\n", argv[i]);
      return 1;
    }
    in.close();
    std::ofstream(argv[i]) << tenor::RunScript(text.str());
  }
  return 0;
}
