#include "ops/mlstm_cell.h"

#include "absl/strings/str_cat.h"
#include "base/status.h"

namespace tenor {
namespace {

constexpr int64_t kBytes = 256;

// Collects whether views have the shapes that they should have; the first that has not is reported.
class ShapeCheck {
 public:
  explicit ShapeCheck(const char* op) : op_(op) {}

  template <typename View>
  ShapeCheck& Is(const char* name, const View& view, int64_t rows, int64_t cols) {
    if (status_.ok() && (view.rows != rows || view.cols != cols)) {
      status_ = absl::InvalidArgumentError(absl::StrCat(
          op_, ": ", name, " is [", view.rows, ", ", view.cols, "], not [", rows, ", ", cols, "]"));
    }
    return *this;
  }
  ShapeCheck& Is(const MlstmInput& input, int64_t lanes) {
    const auto size = static_cast<size_t>(lanes);
    if (status_.ok() && (input.bytes.size() != size || input.lengths.size() != size)) {
      status_ = absl::InvalidArgumentError(absl::StrCat(op_, ": ", input.bytes.size(),
                                                        " bytes and ", input.lengths.size(),
                                                        " lengths for ", lanes, " lanes"));
    }
    return *this;
  }
  absl::Status Result() const { return status_; }

 private:
  const char* op_;
  absl::Status status_;
};

template <typename Op>
absl::Status Dispatch(Exec& exec, const Op& op) {
  if (exec.device() != Device::kCpu) return NoKernel("the mLSTM cell", exec.device());
  cpu::Run(exec, op);
  return absl::OkStatus();
}

}  // namespace

absl::Status Run(Exec& exec, const MlstmMultiply& op) {
  const int64_t lanes = op.p.rows, units = op.p.cols;
  TENOR_RETURN_IF_ERROR(ShapeCheck("MlstmMultiply")
                            .Is(op.input, lanes)
                            .Is("table_m", op.table_m, kBytes, units)
                            .Is("m", op.m, lanes, units)
                            .Result());
  return Dispatch(exec, op);
}

absl::Status Run(Exec& exec, const MlstmCell& op) {
  const int64_t lanes = op.c.rows, units = op.c.cols;
  TENOR_RETURN_IF_ERROR(ShapeCheck("MlstmCell")
                            .Is(op.input, lanes)
                            .Is("table_z", op.table_z, kBytes, 4 * units)
                            .Is("gates", op.gates, lanes, 4 * units)
                            .Is("c_before", op.c_before, lanes, units)
                            .Is("h_before", op.h_before, lanes, units)
                            .Is("h", op.h, lanes, units)
                            .Result());
  if (op.h_before.type != op.h.type) {
    return absl::InvalidArgumentError(absl::StrCat(
        "MlstmCell: h_before is ", NameOf(op.h_before.type), ", h is ", NameOf(op.h.type)));
  }
  return Dispatch(exec, op);
}

absl::Status Run(Exec& exec, const MlstmCellBackward& op) {
  const int64_t lanes = op.c.rows, units = op.c.cols;
  TENOR_RETURN_IF_ERROR(ShapeCheck("MlstmCellBackward")
                            .Is(op.input, lanes)
                            .Is("gates", op.gates, lanes, 4 * units)
                            .Is("c_before", op.c_before, lanes, units)
                            .Is("dh", op.dh, lanes, units)
                            .Is("dc", op.dc, lanes, units)
                            .Is("dz", op.dz, lanes, 4 * units)
                            .Is("dtable_z", op.dtable_z, kBytes, 4 * units)
                            .Result());
  return Dispatch(exec, op);
}

absl::Status Run(Exec& exec, const MlstmMultiplyBackward& op) {
  const int64_t lanes = op.p.rows, units = op.p.cols;
  TENOR_RETURN_IF_ERROR(ShapeCheck("MlstmMultiplyBackward")
                            .Is(op.input, lanes)
                            .Is("table_m", op.table_m, kBytes, units)
                            .Is("dm", op.dm, lanes, units)
                            .Is("dp", op.dp, lanes, units)
                            .Is("dtable_m", op.dtable_m, kBytes, units)
                            .Result());
  return Dispatch(exec, op);
}

}  // namespace tenor
