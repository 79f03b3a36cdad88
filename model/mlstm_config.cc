#include "model/mlstm_config.h"

#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace tenor {
namespace {

constexpr int kMaxSize = 65536;

absl::Status CheckSize(const char* name, int size) {
  if (size >= 1 && size <= kMaxSize) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("mlstm.", name, " ", size, " is not between 1 and ", kMaxSize));
}

}  // namespace

absl::Status Validate(const MlstmConfig& config) {
  absl::Status status = CheckSize("hidden", config.hidden);
  status.Update(CheckSize("embedding", config.embedding));
  return status;
}

Layout MlstmLayout(const MlstmConfig& config) {
  CHECK(Validate(config).ok());
  const int64_t units = config.hidden, inputs = config.embedding;
  Layout layout;
  layout.Add("embedding.weight", {kByteValues, inputs}, true);
  layout.Add("mlstm.wmx.g", {units}, false);
  layout.Add("mlstm.wmx.v", {units, inputs}, true);
  layout.Add("mlstm.wx.g", {4 * units}, false);
  layout.Add("mlstm.wx.v", {4 * units, inputs}, true);
  layout.Add("mlstm.wmh.g", {units}, false);
  layout.Add("mlstm.wmh.v", {units, units}, true);
  layout.Add("mlstm.wh.g", {4 * units}, false);
  layout.Add("mlstm.wh.v", {4 * units, units}, true);
  layout.Add("mlstm.bias", {4 * units}, false);
  layout.Add("decoder.weight", {kByteValues, units}, true);
  layout.Add("decoder.bias", {kByteValues}, false);
  return layout;
}

}  // namespace tenor
