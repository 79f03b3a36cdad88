#ifndef TENOR_DATA_DOCUMENT_SPLITTER_H_
#define TENOR_DATA_DOCUMENT_SPLITTER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "data/separator.h"

namespace tenor {

// One document as it stands in its file, or the line of JSON that holds it.
struct RawDocument {
  std::string text;
  int64_t line = 0;  // where it begins, counted from 1
};

// Cuts one file into documents; holds no more than the one it is in. Single-threaded. A line ends
// with "\n" or "\r\n" (both read as "\n"), the last one with the file. A byte order mark at the
// file's start is left out. Empty documents come out too, where the form can have them: between two
// separator lines, as an empty line, as an empty field.
//
// Errors: InvalidArgument, "LINE: what, the value, what to do", for a document longer than the
// limit and for what is no CSV; the splitter is not used after it.
class DocumentSplitter {
 public:
  virtual ~DocumentSplitter() = default;

  // The file's next bytes; appends the documents that are now whole.
  virtual absl::Status Feed(absl::string_view bytes, std::vector<RawDocument>* documents) = 0;
  // The file's end.
  virtual absl::Status Finish(std::vector<RawDocument>* documents) = 0;
};

// A splitter for one file. `max_document_bytes` bounds what it holds.
std::unique_ptr<DocumentSplitter> MakeDocumentSplitter(const Separator& separator,
                                                       size_t max_document_bytes);

}  // namespace tenor

#endif  // TENOR_DATA_DOCUMENT_SPLITTER_H_
