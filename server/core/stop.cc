#include "server/core/stop.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "proto/spec.pb.h"

namespace tenor {

std::optional<std::string> EndReason(const spec::StopSpec& stop, const StopPoint& point) {
  if (stop.updates() > 0 && point.version >= stop.updates()) {
    return absl::StrCat("stop.updates ", stop.updates(), " reached");
  }
  if (stop.samples() > 0 && point.samples >= stop.samples()) {
    return absl::StrCat("stop.samples ", stop.samples(), " reached");
  }
  if (stop.data_epochs() > 0 && point.data_exhausted) {
    return absl::StrCat("stop.data_epochs ", stop.data_epochs(), " reached");
  }
  if (stop.loss_below() > 0 && point.loss.has_value() && *point.loss < stop.loss_below()) {
    return absl::StrCat("loss ", *point.loss, " is below stop.loss_below ", stop.loss_below());
  }
  return std::nullopt;
}

}  // namespace tenor
