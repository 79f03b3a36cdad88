#include "data/text_dataset.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/crc32c.h"
#include "base/file_operations.h"
#include "base/path.h"
#include "base/status.h"
#include "data/document_shuffle.h"
#include "data/document_splitter.h"
#include "data/input_files.h"
#include "data/json_text.h"
#include "data/ordered_pipeline.h"
#include "data/output_folder.h"
#include "data/preprocess.h"
#include "data/summed_file.h"
#include "proto/parse.h"
#include "proto/validate.h"

namespace tenor {
namespace {

constexpr size_t kReadBytes = size_t{1} << 20;
constexpr size_t kWriteBytes = size_t{1} << 20;
constexpr int kMaxBuckets = 256;  // files open at once
constexpr int kBucketsAhead = 2;

using Progress = std::function<void(const TextDataSetProgress&)>;

// Documents of one file that are processed together.
struct Batch {
  std::string path;
  std::vector<RawDocument> documents;
};

// An empty text is a document without any.
struct ProcessedBatch {
  absl::Status status;
  std::vector<std::string> texts;
  std::vector<bool> is_held_out;
};

absl::Status AtLine(absl::string_view path, int64_t line, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ":", line, ": ", status.message()));
}

absl::StatusOr<std::string> ProcessDocument(const Separator& separator,
                                            const RawDocument& document) {
  if (separator.kind != Separator::Kind::kJsonLines) return PreprocessOai(document.text);
  TENOR_ASSIGN_OR_RETURN(const std::string text, JsonText(document.text, separator.text));
  return PreprocessOai(text);
}

ProcessedBatch ProcessBatch(const TextDataSetOptions& options, const Batch& batch) {
  ProcessedBatch processed;
  for (const RawDocument& document : batch.documents) {
    absl::StatusOr<std::string> text = ProcessDocument(options.separator, document);
    if (!text.ok()) {
      processed.status = AtLine(batch.path, document.line, text.status());
      return processed;
    }
    processed.is_held_out.push_back(IsHeldOut(options.seed, options.heldout_fraction, *text));
    processed.texts.push_back(*std::move(text));
  }
  return processed;
}

int BucketCount(uint64_t input_bytes, size_t bucket_bytes) {
  const uint64_t wanted = input_bytes / std::max<size_t>(1, bucket_bytes) + 1;
  return static_cast<int>(std::min<uint64_t>(wanted, kMaxBuckets));
}

// ---------------------------------------------------------------- first pass

// Reads the input, processes its documents and deals them to buckets.
class Dealer {
 public:
  Dealer(FileSystem& files, const TextDataSetOptions& options, const InputFiles& inputs,
         const Progress& report, BucketWriter buckets)
      : files_(files),
        options_(options),
        inputs_(inputs),
        report_(report),
        buckets_(std::move(buckets)),
        pipeline_(options.threads,
                  [&options](const Batch& batch) { return ProcessBatch(options, batch); }) {}

  absl::Status Run() {
    for (const InputFile& input : inputs_.files) TENOR_RETURN_IF_ERROR(ReadFile(input.path));
    while (pipeline_.size() > 0) TENOR_RETURN_IF_ERROR(DealOldest());
    return buckets_.Close();
  }

  int64_t empty_documents() const { return empty_documents_; }
  uint64_t text_bytes() const { return text_bytes_; }

 private:
  absl::Status ReadFile(const std::string& path) {
    TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<RandomAccessFile> file, files_.Open(path));
    const std::unique_ptr<DocumentSplitter> splitter =
        MakeDocumentSplitter(options_.separator, options_.max_document_bytes);
    std::string bytes;
    for (uint64_t offset = 0; offset < file->Size(); offset += bytes.size()) {
      bytes.resize(std::min<uint64_t>(kReadBytes, file->Size() - offset));
      TENOR_RETURN_IF_ERROR(
          file->Read(offset, std::as_writable_bytes(std::span(bytes.data(), bytes.size()))));
      Batch batch{path, {}};
      TENOR_RETURN_IF_ERROR(AtPath(path, splitter->Feed(bytes, &batch.documents)));
      done_.bytes_done += bytes.size();
      TENOR_RETURN_IF_ERROR(Put(std::move(batch)));
    }
    Batch batch{path, {}};
    TENOR_RETURN_IF_ERROR(AtPath(path, splitter->Finish(&batch.documents)));
    return Put(std::move(batch));
  }

  // A splitter's errors begin with the line.
  static absl::Status AtPath(absl::string_view path, const absl::Status& status) {
    if (status.ok()) return status;
    return absl::Status(status.code(), absl::StrCat(path, ":", status.message()));
  }

  absl::Status Put(Batch batch) {
    if (!batch.documents.empty()) pipeline_.Put(std::move(batch));
    const auto limit = static_cast<size_t>(2 * std::max(1, options_.threads));
    return pipeline_.size() > limit ? DealOldest() : absl::OkStatus();
  }

  absl::Status DealOldest() {
    const ProcessedBatch batch = pipeline_.Take();
    TENOR_RETURN_IF_ERROR(batch.status);
    for (size_t i = 0; i < batch.texts.size(); ++i) {
      TENOR_RETURN_IF_ERROR(Deal(batch.texts[i], batch.is_held_out[i]));
    }
    done_.bytes_total = inputs_.bytes;
    if (report_) report_(done_);
    return absl::OkStatus();
  }

  absl::Status Deal(const std::string& text, bool is_held_out) {
    if (text.empty()) {
      ++empty_documents_;
      return absl::OkStatus();
    }
    ++done_.documents;
    text_bytes_ += text.size();
    return buckets_.Append(text, is_held_out);
  }

  FileSystem& files_;
  const TextDataSetOptions& options_;
  const InputFiles& inputs_;
  const Progress& report_;
  BucketWriter buckets_;
  TextDataSetProgress done_;
  int64_t empty_documents_ = 0;
  uint64_t text_bytes_ = 0;
  OrderedPipeline<Batch, ProcessedBatch> pipeline_;
};

// ---------------------------------------------------------------- second pass

// A data file and where its documents begin.
struct DocumentFile {
  SummedFile bytes;
  SummedFile starts;
  int64_t documents = 0;

  static absl::StatusOr<DocumentFile> Create(FileSystem& files, absl::string_view folder,
                                             absl::string_view name, absl::string_view starts) {
    TENOR_ASSIGN_OR_RETURN(SummedFile bytes,
                           SummedFile::Create(files, JoinPath(folder, name), kWriteBytes));
    TENOR_ASSIGN_OR_RETURN(SummedFile index,
                           SummedFile::Create(files, JoinPath(folder, starts), kWriteBytes));
    return DocumentFile{std::move(bytes), std::move(index)};
  }

  absl::Status Append(absl::string_view document) {
    TENOR_RETURN_IF_ERROR(starts.AppendU64(bytes.bytes()));
    ++documents;
    return bytes.Append(document);
  }
};

void Describe(const SummedFile& file, int64_t documents, spec::DataFile* description) {
  description->set_bytes(static_cast<int64_t>(file.bytes()));
  description->set_crc32c(file.crc32c());
  description->set_documents(documents);
}

absl::Status AppendFile(FileSystem& files, const std::string& path, SummedFile* out) {
  TENOR_ASSIGN_OR_RETURN(const std::unique_ptr<RandomAccessFile> file, files.Open(path));
  std::string bytes;
  for (uint64_t offset = 0; offset < file->Size(); offset += bytes.size()) {
    bytes.resize(std::min<uint64_t>(kReadBytes, file->Size() - offset));
    TENOR_RETURN_IF_ERROR(
        file->Read(offset, std::as_writable_bytes(std::span(bytes.data(), bytes.size()))));
    TENOR_RETURN_IF_ERROR(out->Append(bytes));
  }
  return absl::OkStatus();
}

// Writes the buckets' documents, one bucket after the other, into the three data files.
class Gatherer {
 public:
  Gatherer(FileSystem& files, std::string folder, int buckets, uint64_t text_bytes,
           const Progress& report)
      : files_(files), folder_(std::move(folder)), buckets_(buckets), report_(report) {
    done_.is_shuffling = true;
    done_.bytes_total = text_bytes;
  }

  absl::Status Run(spec::DataSet* data_set) {
    const std::string heldout_starts = "heldout_starts";
    TENOR_ASSIGN_OR_RETURN(
        DocumentFile train,
        DocumentFile::Create(files_, folder_, data_set->train().name(), data_set->index().name()));
    TENOR_ASSIGN_OR_RETURN(
        DocumentFile heldout,
        DocumentFile::Create(files_, folder_, data_set->heldout().name(), heldout_starts));
    TENOR_RETURN_IF_ERROR(WriteBuckets(&train, &heldout));
    TENOR_RETURN_IF_ERROR(heldout.starts.Close());
    TENOR_RETURN_IF_ERROR(AppendFile(files_, JoinPath(folder_, heldout_starts), &train.starts));
    TENOR_RETURN_IF_ERROR(train.bytes.Commit());
    TENOR_RETURN_IF_ERROR(heldout.bytes.Commit());
    TENOR_RETURN_IF_ERROR(train.starts.Commit());
    Describe(train.bytes, train.documents, data_set->mutable_train());
    Describe(heldout.bytes, heldout.documents, data_set->mutable_heldout());
    Describe(train.starts, train.documents + heldout.documents, data_set->mutable_index());
    return absl::OkStatus();
  }

 private:
  absl::Status WriteBuckets(DocumentFile* train, DocumentFile* heldout) {
    // One bucket is read and sorted while the one before it is written.
    OrderedPipeline<int, LoadedBucket> pipeline(
        1, [this](int bucket) { return LoadBucket(files_, folder_, bucket); });
    for (int next = 0; next < buckets_ || pipeline.size() > 0;) {
      while (next < buckets_ && pipeline.size() < kBucketsAhead) pipeline.Put(next++);
      TENOR_RETURN_IF_ERROR(Write(pipeline.Take(), train, heldout));
    }
    return absl::OkStatus();
  }

  absl::Status Write(const LoadedBucket& bucket, DocumentFile* train, DocumentFile* heldout) {
    TENOR_RETURN_IF_ERROR(bucket.status);
    for (const ShuffledDocument& document : bucket.documents) {
      DocumentFile* file = document.is_held_out ? heldout : train;
      TENOR_RETURN_IF_ERROR(file->Append(document.text));
      done_.bytes_done += document.text.size();
      ++done_.documents;
    }
    if (report_) report_(done_);
    return absl::OkStatus();
  }

  FileSystem& files_;
  const std::string folder_;
  const int buckets_;
  const Progress& report_;
  TextDataSetProgress done_;
};

// ---------------------------------------------------------------- the build

spec::DataSet DescribeOptions(const TextDataSetOptions& options) {
  spec::DataSet data_set;
  data_set.set_format_major(1);
  data_set.set_kind("text");
  data_set.set_seed(options.seed);
  data_set.set_heldout_fraction(options.heldout_fraction);
  data_set.set_separator(SeparatorName(options.separator));
  data_set.set_preprocessing("oai");
  data_set.mutable_train()->set_name("train.bin");
  data_set.mutable_heldout()->set_name("heldout.bin");
  data_set.mutable_index()->set_name("index.bin");
  return data_set;
}

absl::Status CheckOptions(const TextDataSetOptions& options) {
  if (options.output.empty()) return absl::InvalidArgumentError("no output folder is given");
  if (!(options.heldout_fraction >= 0 && options.heldout_fraction < 1)) {
    return absl::InvalidArgumentError(absl::StrCat("heldout_fraction is ", options.heldout_fraction,
                                                   "; allowed are numbers from 0 to below 1"));
  }
  return absl::OkStatus();
}

absl::Status CheckSpace(FileSystem& files, const TextDataSetOptions& options, uint64_t bytes) {
  TENOR_ASSIGN_OR_RETURN(const uint64_t available, files.AvailableBytes(options.output));
  if (available / 2 >= bytes) return absl::OkStatus();
  return absl::ResourceExhaustedError(
      absl::StrCat(options.output, ": has room for ", available, " bytes; ", bytes,
                   " bytes of text need twice their size while they are shuffled"));
}

absl::Status CheckText(const spec::DataSet& data_set, size_t input_files) {
  if (data_set.train().documents() > 0) return absl::OkStatus();
  if (data_set.heldout().documents() == 0) {
    return absl::InvalidArgumentError(absl::StrCat("the input holds no text: ", input_files,
                                                   " files, ", data_set.empty_documents(),
                                                   " empty documents"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "all ", data_set.heldout().documents(),
      " documents are held out; take a smaller heldout_fraction or another separator"));
}

// Fills sizes in; the three data files are whole in the work folder.
absl::Status MakeFiles(FileSystem& files, const TextDataSetOptions& options,
                       const InputFiles& inputs, const Progress& report, spec::DataSet* data_set) {
  const std::string folder = WorkFolder(options.output);
  const int buckets = BucketCount(inputs.bytes, options.bucket_bytes);
  TENOR_ASSIGN_OR_RETURN(BucketWriter writer,
                         BucketWriter::Create(files, folder, buckets, options.seed));
  Dealer dealer(files, options, inputs, report, std::move(writer));
  TENOR_RETURN_IF_ERROR(dealer.Run());
  data_set->set_empty_documents(dealer.empty_documents());
  Gatherer gatherer(files, folder, buckets, dealer.text_bytes(), report);
  TENOR_RETURN_IF_ERROR(gatherer.Run(data_set));
  return CheckText(*data_set, inputs.files.size());
}

}  // namespace

std::string DataSetDigest(absl::string_view dataset_textproto) {
  return absl::StrFormat("crc32c:%08x", Crc32c(dataset_textproto));
}

absl::StatusOr<BuiltTextDataSet> BuildTextDataSet(FileSystem& files,
                                                  const TextDataSetOptions& options,
                                                  const Progress& progress) {
  TENOR_RETURN_IF_ERROR(CheckOptions(options));
  TENOR_ASSIGN_OR_RETURN(const InputFiles inputs,
                         ListInputFiles(files, options.inputs, options.output));
  BuiltTextDataSet built;
  built.data_set = DescribeOptions(options);
  built.skipped_files = inputs.skipped;
  TENOR_RETURN_IF_ERROR(PrepareOutput(files, options.output, built.data_set));
  absl::Status made = CheckSpace(files, options, inputs.bytes);
  if (made.ok()) made = MakeFiles(files, options, inputs, progress, &built.data_set);
  if (made.ok()) made = ViolationStatus(FindViolation(built.data_set));
  if (!made.ok()) {
    // The first error is the one to report.
    RemoveTree(files, WorkFolder(options.output)).IgnoreError();
    return made;
  }
  const std::string text = PrintText(built.data_set);
  built.digest = DataSetDigest(text);
  TENOR_ASSIGN_OR_RETURN(built.was_there,
                         CommitOutput(files, options.output, built.data_set, text));
  return built;
}

}  // namespace tenor
