#include "data/output_folder.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "data/text_dataset.h"
#include "proto/parse.h"

namespace tenor {
namespace {

constexpr absl::string_view kWorkName = "building.tmp";

std::string DataSetPath(absl::string_view output) { return JoinPath(output, kDataSetFile); }

// The options of a data set in one line.
std::string OptionsOf(const spec::DataSet& data_set) {
  spec::DataSet options;
  options.set_seed(data_set.seed());
  options.set_heldout_fraction(data_set.heldout_fraction());
  options.set_separator(data_set.separator());
  options.set_preprocessing(data_set.preprocessing());
  return PrintLine(options);
}

absl::Status OtherDataSet(absl::string_view output, absl::string_view there,
                          absl::string_view wanted) {
  return absl::AlreadyExistsError(absl::StrCat(output, ": holds another data set (", there,
                                               ", this one is ", wanted,
                                               "); choose another folder"));
}

absl::Status CheckOptions(FileSystem& files, absl::string_view output,
                          const spec::DataSet& wanted) {
  const std::string path = DataSetPath(output);
  TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(path));
  TENOR_ASSIGN_OR_RETURN(const spec::DataSet there, ParseDataSet(text, path));
  if (OptionsOf(there) == OptionsOf(wanted)) return absl::OkStatus();
  return OtherDataSet(output, OptionsOf(there), OptionsOf(wanted));
}

absl::Status CheckContents(FileSystem& files, absl::string_view output,
                           const spec::DataSet& wanted) {
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(output));
  const auto has = [&names](absl::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (has(kDataSetFile)) return CheckOptions(files, output, wanted);
  if (names.empty() || has(kWorkName)) return absl::OkStatus();
  return absl::AlreadyExistsError(
      absl::StrCat(output, ": is not empty (", names.front(), "); choose another folder"));
}

absl::Status Move(FileSystem& files, absl::string_view output, const std::string& name) {
  return files.Rename(JoinPath(WorkFolder(output), name), JoinPath(output, name));
}

}  // namespace

std::string WorkFolder(absl::string_view output) { return JoinPath(output, kWorkName); }

absl::Status PrepareOutput(FileSystem& files, absl::string_view output,
                           const spec::DataSet& wanted) {
  TENOR_RETURN_IF_ERROR(EnsureDirectory(files, output));
  TENOR_RETURN_IF_ERROR(CheckContents(files, output, wanted));
  TENOR_RETURN_IF_ERROR(RemoveTree(files, WorkFolder(output)));
  return EnsureDirectory(files, WorkFolder(output));
}

absl::StatusOr<bool> CommitOutput(FileSystem& files, absl::string_view output,
                                  const spec::DataSet& data_set,
                                  const std::string& dataset_textproto) {
  TENOR_ASSIGN_OR_RETURN(const bool is_there, files.Exists(DataSetPath(output)));
  if (is_there) {
    TENOR_ASSIGN_OR_RETURN(const std::string text, files.ReadFile(DataSetPath(output)));
    TENOR_RETURN_IF_ERROR(RemoveTree(files, WorkFolder(output)));
    if (text == dataset_textproto) return true;
    return OtherDataSet(output, DataSetDigest(text), DataSetDigest(dataset_textproto));
  }
  TENOR_RETURN_IF_ERROR(Move(files, output, data_set.train().name()));
  TENOR_RETURN_IF_ERROR(Move(files, output, data_set.heldout().name()));
  TENOR_RETURN_IF_ERROR(Move(files, output, data_set.index().name()));
  TENOR_RETURN_IF_ERROR(files.SyncDirectory(output));
  TENOR_RETURN_IF_ERROR(ReplaceFile(files, DataSetPath(output), dataset_textproto));
  TENOR_RETURN_IF_ERROR(RemoveTree(files, WorkFolder(output)));
  return false;
}

}  // namespace tenor
