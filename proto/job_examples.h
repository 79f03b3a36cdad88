#ifndef TENOR_PROTO_JOB_EXAMPLES_H_
#define TENOR_PROTO_JOB_EXAMPLES_H_

#include "absl/strings/string_view.h"

namespace tenor {

// A valid job that leaves every default out.
inline constexpr absl::string_view kExampleJob =
    R"(name: "mlstm-fortunes"
model { mlstm { hidden: 512 } }
data { text { digest: "crc32c:9ab30011" bytes: 1990656 } }
batch { micro_batch: 16 }
optimizer { adam { } clip_norm: 1.0 }
schedule { linear { peak: 3e-3 } }
stop { updates: 2000 }
seed: 1
)";

}  // namespace tenor

#endif  // TENOR_PROTO_JOB_EXAMPLES_H_
