#include "server/runner/lineage_claims.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "proto/parse.h"
#include "server/runner/run_paths.h"

namespace tenor {

LineageClaims::LineageClaims(FileSystem& files, absl::string_view run_folder)
    : files_(files), folder_(LineageFolder(run_folder)), checkpoints_(files, run_folder) {}

std::string LineageClaims::Path(Lineage lineage) const {
  return JoinPath(folder_, absl::StrCat(lineage));
}

absl::StatusOr<std::vector<Lineage>> LineageClaims::Numbers() const {
  TENOR_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(folder_));
  std::vector<Lineage> numbers;
  for (const std::string& name : names) {
    Lineage number = 0;
    // Other files, temporary ones for instance, claim nothing.
    if (absl::SimpleAtoi(name, &number) && number > 0 && absl::StrCat(number) == name) {
      numbers.push_back(number);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

absl::StatusOr<Lineage> LineageClaims::Newest() const {
  TENOR_ASSIGN_OR_RETURN(const std::vector<Lineage> numbers, Numbers());
  return numbers.empty() ? 0 : numbers.back();
}

absl::StatusOr<std::vector<ClaimOnDisk>> LineageClaims::List() const {
  TENOR_ASSIGN_OR_RETURN(const std::vector<Lineage> numbers, Numbers());
  std::vector<ClaimOnDisk> claims;
  for (const Lineage lineage : numbers) {
    TENOR_ASSIGN_OR_RETURN(const std::string text, files_.ReadFile(Path(lineage)));
    claims.push_back({lineage, std::nullopt, {}});
    if (text.empty()) continue;
    const absl::StatusOr<spec::LineageClaim> claim = ParseLineageClaim(text, Path(lineage));
    if (!claim.ok()) return absl::DataLossError(claim.status().message());
    if (!claim->has_base()) continue;
    claims.back().base = {claim->base().lineage(), claim->base().round(), claim->base().version()};
    claims.back().tunables = claim->tunables();
  }
  return claims;
}

absl::StatusOr<Lineage> LineageClaims::CreateNext() const {
  TENOR_ASSIGN_OR_RETURN(const Lineage newest, Newest());
  for (Lineage lineage = newest + 1;; ++lineage) {
    absl::StatusOr<std::unique_ptr<WritableFile>> file = files_.CreateExclusive(Path(lineage));
    if (absl::IsAlreadyExists(file.status())) continue;
    TENOR_RETURN_IF_ERROR(file.status());
    TENOR_RETURN_IF_ERROR((*file)->Close());
    TENOR_RETURN_IF_ERROR(files_.SyncDirectory(folder_));
    return lineage;
  }
}

absl::Status LineageClaims::Write(Lineage lineage, const CheckpointName& base,
                                  const spec::Tunables& tunables) const {
  spec::LineageClaim claim;
  claim.set_lineage(lineage);
  claim.mutable_base()->set_lineage(base.lineage);
  claim.mutable_base()->set_round(base.round);
  claim.mutable_base()->set_version(base.version);
  *claim.mutable_tunables() = tunables;
  return ReplaceFile(files_, Path(lineage), PrintText(claim));
}

absl::StatusOr<LineageClaims::Claim> LineageClaims::ClaimNext(const spec::Tunables& initial) const {
  Claim claim;
  TENOR_ASSIGN_OR_RETURN(claim.lineage, CreateNext());
  while (true) {
    TENOR_ASSIGN_OR_RETURN(std::vector<ClaimOnDisk> others, List());
    std::erase_if(others, [&](const ClaimOnDisk& one) { return one.lineage == claim.lineage; });
    TENOR_ASSIGN_OR_RETURN(const std::vector<CheckpointOnDisk> checkpoints, checkpoints_.List());
    TENOR_ASSIGN_OR_RETURN(BaseChoice choice, ChooseBase(others, checkpoints, initial));
    claim.base = choice.base;
    claim.tunables = std::move(choice.tunables);
    if (claim.base == CheckpointName()) break;
    absl::StatusOr<spec::Manifest> manifest = checkpoints_.ReadManifest(claim.base);
    if (manifest.ok()) {
      claim.record = std::move(*manifest->mutable_record());
      break;
    }
    // Each turn takes one checkpoint out of the choice.
    if (!absl::IsDataLoss(manifest.status())) return manifest.status();
    TENOR_RETURN_IF_ERROR(checkpoints_.RenameDamaged(claim.base));
  }
  TENOR_RETURN_IF_ERROR(Write(claim.lineage, claim.base, claim.tunables));
  return claim;
}

}  // namespace tenor
