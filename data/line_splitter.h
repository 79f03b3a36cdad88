#ifndef TENOR_DATA_LINE_SPLITTER_H_
#define TENOR_DATA_LINE_SPLITTER_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/document_splitter.h"

namespace tenor {

// The forms whose documents are lines or runs of lines: blank, line, line:TEXT, jsonl.
class LineSplitter : public DocumentSplitter {
 public:
  LineSplitter(Separator separator, size_t max_document_bytes)
      : separator_(std::move(separator)), max_document_bytes_(max_document_bytes) {}

  absl::Status Feed(absl::string_view bytes, std::vector<RawDocument>* documents) override;
  absl::Status Finish(std::vector<RawDocument>* documents) override;

 private:
  absl::Status CheckLength() const;
  void TakeLine(std::vector<RawDocument>* documents);
  bool IsSeparator() const;
  bool EveryLineIsADocument() const;
  void AddLineToDocument();
  void FlushDocument(std::vector<RawDocument>* documents);

  const Separator separator_;
  const size_t max_document_bytes_;
  std::string line_;      // the line so far, without its end
  RawDocument document_;  // the lines so far, each with "\n"; line 0 = none yet
  int64_t line_number_ = 1;
};

}  // namespace tenor

#endif  // TENOR_DATA_LINE_SPLITTER_H_
