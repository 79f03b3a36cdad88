#include "data/document_splitter.h"

#include <utility>

#include "absl/strings/match.h"
#include "base/status.h"
#include "data/csv_splitter.h"
#include "data/line_splitter.h"

namespace tenor {
namespace {

constexpr absl::string_view kByteOrderMark = "\xef\xbb\xbf";

// Holds the first bytes back until it is known whether they are a byte order mark.
class ByteOrderMarkFilter : public DocumentSplitter {
 public:
  explicit ByteOrderMarkFilter(std::unique_ptr<DocumentSplitter> next) : next_(std::move(next)) {}

  absl::Status Feed(absl::string_view bytes, std::vector<RawDocument>* documents) override {
    if (is_past_) return next_->Feed(bytes, documents);
    head_.append(bytes.data(), bytes.size());
    const bool may_be_mark =
        head_.size() < kByteOrderMark.size() && absl::StartsWith(kByteOrderMark, head_);
    return may_be_mark ? absl::OkStatus() : Release(documents);
  }

  absl::Status Finish(std::vector<RawDocument>* documents) override {
    TENOR_RETURN_IF_ERROR(Release(documents));
    return next_->Finish(documents);
  }

 private:
  absl::Status Release(std::vector<RawDocument>* documents) {
    if (std::exchange(is_past_, true)) return absl::OkStatus();
    absl::string_view rest = head_;
    if (absl::StartsWith(rest, kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
    const absl::Status status = next_->Feed(rest, documents);
    head_ = std::string();
    return status;
  }

  std::unique_ptr<DocumentSplitter> next_;
  std::string head_;
  bool is_past_ = false;
};

}  // namespace

std::unique_ptr<DocumentSplitter> MakeDocumentSplitter(const Separator& separator,
                                                       size_t max_document_bytes) {
  std::unique_ptr<DocumentSplitter> splitter;
  if (separator.kind == Separator::Kind::kCsv) {
    splitter = std::make_unique<CsvSplitter>(separator.text, max_document_bytes);
  } else {
    splitter = std::make_unique<LineSplitter>(separator, max_document_bytes);
  }
  return std::make_unique<ByteOrderMarkFilter>(std::move(splitter));
}

}  // namespace tenor
