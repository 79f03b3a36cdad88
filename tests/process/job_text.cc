#include "tests/process/job_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/check.h"
#include "base/file_operations.h"
#include "base/random.h"
#include "data/separator.h"
#include "data/text_dataset.h"

namespace tenor {
namespace {

constexpr int kDocuments = 400;
constexpr int kWordsPerDocument = 90;
constexpr uint64_t kVocabulary = 50;

std::string Word(uint64_t number) {
  std::string word;
  uint64_t bits = Mix64(number);
  for (uint64_t length = 3 + bits % 5; word.size() < length; bits = Mix64(bits)) {
    word.push_back(static_cast<char>('a' + bits % 26));
  }
  return word;
}

std::string Corpus(uint64_t seed) {
  std::string text;
  uint64_t drawn = 0;
  for (int document = 0; document < kDocuments; ++document) {
    for (int word = 0; word < kWordsPerDocument; ++word) {
      absl::StrAppend(&text, Word(RandomBits(seed, 0, drawn++) % kVocabulary), " ");
    }
    absl::StrAppend(&text, "\n\n");
  }
  return text;
}

}  // namespace

std::string JobText(const JobOptions& options, const TextDataNames& data) {
  return absl::StrFormat(
      R"(name: "%s"
model { mlstm { hidden: 32 embedding: 16 } }
compute: FP32
data { text { digest: "%s" bytes: %d segment_bytes: 1024 warmup_bytes: 64 } }
batch { micro_batch: 4 window: 16 }
optimizer { adam { } clip_norm: 1.0 }
schedule { key: UPDATES constant { peak: %g } }
stop { updates: %d }
seed: %d
chunk_elements: 4096
tunables {
  accumulation_steps: %d
  checkpoint_every: %d
  keep_checkpoints: %d
  min_workers: %d
  heartbeat_timeout: %g
}
)",
      options.name, data.digest, data.bytes, options.peak, options.updates, options.seed,
      options.accumulation_steps, options.checkpoint_every, options.keep_checkpoints,
      options.min_workers, options.heartbeat_timeout);
}

TextDataNames MakeTextData(FileSystem& files, const std::string& folder, uint64_t seed) {
  const std::string corpus = absl::StrCat(folder, ".txt");
  CHECK(ReplaceFile(files, corpus, Corpus(seed)).ok()) << corpus;
  TextDataSetOptions options;
  options.inputs = {corpus};
  options.output = folder;
  options.threads = 1;
  const auto separator = ParseSeparator("blank");
  CHECK(separator.ok()) << separator.status().message();
  options.separator = *separator;
  const auto built = BuildTextDataSet(files, options, [](const TextDataSetProgress&) {});
  CHECK(built.ok()) << built.status().message();
  return {built->digest, built->data_set.train().bytes()};
}

}  // namespace tenor
