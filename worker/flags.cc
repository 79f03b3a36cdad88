#include "worker/flags.h"

#include <iostream>

#include "CLI/CLI.hpp"
#include "base/version.h"

namespace tenor {
namespace {

constexpr char kFooter[] = R"(Examples:
  tenor-worker --coordinator node0:7400 --data_dir /data/wiki
  tenor-worker --coordinator 127.0.0.1:7400 --data_dir ./data --index 1 --threads 1 --http_port 0

It waits for the servers as long as it takes, leaves at the round's end on SIGTERM and at once on a
second one. Exit codes: 0 the run is done or the worker left, 1 failure, 2 bad flag, 3 the name is in use
or the servers refused this worker.)";

void AddFlags(CLI::App* app, WorkerFlags* flags, std::string* level, std::string* format) {
  app->add_option("--coordinator", flags->coordinator, "host:port of server 0")->required();
  app->add_option("--data_dir", flags->data_dir, "folder made by `tenor data`")->required();
  app->add_option("--index", flags->index, "several workers on one host: the name ends in -INDEX")
      ->check(CLI::Range(0, 100000));
  app->add_option("--name", flags->name, "member name instead of the host's name");
  app->add_option("--run_name", flags->run_name, "refuse every other run");
  app->add_option("--run_dir", flags->run_dir, "run folder, where this host sees it: the HTTP "
                                               "address is left there for Prometheus");
  app->add_option("--http_bind", flags->http_bind, "numeric address of /metrics, /healthz, /readyz")
      ->capture_default_str();
  app->add_option("--http_port", flags->http_port, "its port; 0 = any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app->add_option("--threads", flags->threads, "of the computation; 0 = the cores it may use")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  app->add_flag("--verify_data", flags->verify_data, "check the data set's sums before the start");
  app->add_option("--log_level", *level, "info, warning or error")
      ->check(CLI::IsMember({"info", "warning", "error"}))
      ->capture_default_str();
  app->add_option("--log_format", *format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
}

}  // namespace

ParsedFlags ParseWorkerFlags(int argc, char** argv) {
  CLI::App app("Computes gradients for a run of Tenor.", "tenor-worker");
  app.footer(kFooter);
  app.set_version_flag("--version", std::string("tenor-worker ") + kTenorVersion);
  ParsedFlags parsed;
  std::string level = "info";
  std::string format = "text";
  AddFlags(&app, &parsed.flags, &level, &format);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      parsed.exit_code = app.exit(error);
    } else {
      std::cerr << "tenor-worker: " << error.what() << "; see --help\n";
      parsed.exit_code = 2;
    }
    return parsed;
  }
  parsed.flags.log_level = *ParseLogSeverity(level);
  parsed.flags.log_format = *ParseLogFormat(format);
  return parsed;
}

}  // namespace tenor
