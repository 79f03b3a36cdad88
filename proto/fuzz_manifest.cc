#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "proto/parse.h"

namespace {

template <typename Parse>
void CheckRoundTrip(absl::string_view text, Parse parse) {
  const auto message = parse(text, "f");
  if (!message.ok()) {
    CHECK(message.status().message().find('\n') == absl::string_view::npos);
    return;
  }
  const auto again = parse(tenor::PrintText(*message), "f");
  CHECK(again.ok()) << again.status().message();
  CHECK(tenor::PrintText(*message) == tenor::PrintText(*again));
}

}  // namespace

// Any text as each of the durable messages: an error of one line, or the same message from its own
// canonical text.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  CheckRoundTrip(text, tenor::ParseManifest);
  CheckRoundTrip(text, tenor::ParseLineageClaim);
  CheckRoundTrip(text, tenor::ParseDataSet);
  CheckRoundTrip(text, tenor::ParseEndpoints);
  return 0;
}
