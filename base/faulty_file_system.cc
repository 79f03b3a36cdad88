#include "base/faulty_file_system.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/file_system.h"
#include "base/mutex.h"
#include "base/status.h"

namespace tenor {

class FaultyFileSystem::Faults {
 public:
  void Add(FileFault fault) {
    MutexLock lock(mu_);
    const uint64_t start = calls_[Index(fault.operation)];
    faults_.push_back({std::move(fault), start});
  }

  void Clear() {
    MutexLock lock(mu_);
    faults_.clear();
  }

  uint64_t Calls(FileOperation operation) const {
    MutexLock lock(mu_);
    return calls_[Index(operation)];
  }

  // Counts the call; an error if it is one that is to fail.
  absl::Status Count(FileOperation operation, absl::string_view action, absl::string_view path) {
    MutexLock lock(mu_);
    ++calls_[Index(FileOperation::kAny)];
    ++calls_[Index(operation)];
    for (const auto& [fault, start] : faults_) {
      if (fault.operation != operation && fault.operation != FileOperation::kAny) continue;
      const uint64_t nth = calls_[Index(fault.operation)] - start;
      if (nth >= fault.nth && nth - fault.nth < fault.count) {
        return Annotate(fault.status, absl::StrCat(action, " ", path));
      }
    }
    return absl::OkStatus();
  }

 private:
  struct SetFault {
    FileFault fault;
    // Calls of its operation before it was set.
    uint64_t start;
  };

  static constexpr size_t kOperations = static_cast<size_t>(FileOperation::kRead) + 1;

  static size_t Index(FileOperation operation) { return static_cast<size_t>(operation); }

  mutable Mutex mu_;
  std::array<uint64_t, kOperations> calls_ TENOR_GUARDED_BY(mu_) = {};
  std::vector<SetFault> faults_ TENOR_GUARDED_BY(mu_);
};

class FaultyFileSystem::Writer : public WritableFile {
 public:
  Writer(absl::string_view path, std::shared_ptr<Faults> faults, std::unique_ptr<WritableFile> base)
      : path_(path), faults_(std::move(faults)), base_(std::move(base)) {}

  using WritableFile::Append;

  absl::Status Append(std::span<const std::byte> data) override {
    const absl::Status fault = faults_->Count(FileOperation::kWrite, "write", path_);
    if (fault.ok()) return base_->Append(data);
    TENOR_RETURN_IF_ERROR(base_->Append(data.first(data.size() / 2)));
    return fault;
  }

  absl::Status Sync() override {
    TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kSync, "sync", path_));
    return base_->Sync();
  }

  absl::Status Close() override {
    TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kClose, "close", path_));
    return base_->Close();
  }

 private:
  const std::string path_;
  const std::shared_ptr<Faults> faults_;
  const std::unique_ptr<WritableFile> base_;
};

class FaultyFileSystem::Reader : public RandomAccessFile {
 public:
  Reader(absl::string_view path, std::shared_ptr<Faults> faults,
         std::unique_ptr<RandomAccessFile> base)
      : path_(path), faults_(std::move(faults)), base_(std::move(base)) {}

  absl::Status Read(uint64_t offset, std::span<std::byte> out) const override {
    TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "read", path_));
    return base_->Read(offset, out);
  }

  uint64_t Size() const override { return base_->Size(); }

 private:
  const std::string path_;
  const std::shared_ptr<Faults> faults_;
  const std::unique_ptr<RandomAccessFile> base_;
};

FaultyFileSystem::FaultyFileSystem(FileSystem& base)
    : base_(base), faults_(std::make_shared<Faults>()) {}

FaultyFileSystem::~FaultyFileSystem() = default;

void FaultyFileSystem::SetFault(FileFault fault) { faults_->Add(std::move(fault)); }

void FaultyFileSystem::ClearFaults() { faults_->Clear(); }

uint64_t FaultyFileSystem::Calls(FileOperation operation) const {
  return faults_->Calls(operation);
}

absl::StatusOr<std::unique_ptr<WritableFile>> FaultyFileSystem::Wrap(
    absl::string_view path, absl::StatusOr<std::unique_ptr<WritableFile>> file) const {
  TENOR_RETURN_IF_ERROR(file.status());
  return std::make_unique<Writer>(path, faults_, *std::move(file));
}

absl::StatusOr<std::unique_ptr<WritableFile>> FaultyFileSystem::Create(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kCreate, "create", path));
  return Wrap(path, base_.Create(path));
}

absl::StatusOr<std::unique_ptr<WritableFile>> FaultyFileSystem::CreateExclusive(
    absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kCreate, "create", path));
  return Wrap(path, base_.CreateExclusive(path));
}

absl::StatusOr<std::unique_ptr<WritableFile>> FaultyFileSystem::OpenForAppend(
    absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kCreate, "open", path));
  return Wrap(path, base_.OpenForAppend(path));
}

absl::StatusOr<std::unique_ptr<RandomAccessFile>> FaultyFileSystem::Open(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "open", path));
  TENOR_ASSIGN_OR_RETURN(std::unique_ptr<RandomAccessFile> file, base_.Open(path));
  return std::make_unique<Reader>(path, faults_, std::move(file));
}

absl::Status FaultyFileSystem::Rename(absl::string_view from, absl::string_view to) {
  TENOR_RETURN_IF_ERROR(
      faults_->Count(FileOperation::kRename, "rename", absl::StrCat(from, " to ", to)));
  return base_.Rename(from, to);
}

absl::Status FaultyFileSystem::Remove(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRemove, "remove", path));
  return base_.Remove(path);
}

absl::StatusOr<std::vector<std::string>> FaultyFileSystem::List(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "list", path));
  return base_.List(path);
}

absl::Status FaultyFileSystem::CreateDirectory(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kCreateDirectory, "create directory", path));
  return base_.CreateDirectory(path);
}

absl::Status FaultyFileSystem::SyncDirectory(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kSyncDirectory, "sync", path));
  return base_.SyncDirectory(path);
}

absl::StatusOr<bool> FaultyFileSystem::Exists(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "look up", path));
  return base_.Exists(path);
}

absl::StatusOr<bool> FaultyFileSystem::IsDirectory(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "look up", path));
  return base_.IsDirectory(path);
}

absl::StatusOr<uint64_t> FaultyFileSystem::FileSize(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "size of", path));
  return base_.FileSize(path);
}

absl::StatusOr<uint64_t> FaultyFileSystem::AvailableBytes(absl::string_view path) {
  TENOR_RETURN_IF_ERROR(faults_->Count(FileOperation::kRead, "free space of", path));
  return base_.AvailableBytes(path);
}

}  // namespace tenor
