#include <cstddef>
#include <cstdint>

#include "absl/strings/str_split.h"
#include "base/check.h"
#include "proto/job_identity.h"
#include "proto/parse.h"
#include "proto/tunable_words.h"

// Any text: an error of one line, or a job whose canonical text is the same job.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<tenor::spec::JobSpec> job =
      tenor::ParseJobSpec(text, "f", tenor::DataReference::kPathOrDigest);
  if (job.ok()) {
    const absl::StatusOr<tenor::spec::JobSpec> again =
        tenor::ParseJobSpec(tenor::PrintText(*job), "f", tenor::DataReference::kPathOrDigest);
    CHECK(again.ok()) << again.status().message();
    CHECK_EQ(tenor::JobHash(*job), tenor::JobHash(*again));
  } else {
    CHECK(job.status().message().find('\n') == absl::string_view::npos);
  }
  (void)tenor::ParseTunables(absl::StrSplit(text, ' '));
  return 0;
}
