#include "model/checkpoint/safetensors.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "base/crc32c.h"
#include "base/faulty_file_system.h"
#include "base/file_system.h"
#include "base/memory_file_system.h"
#include "base/posix_file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "model/checkpoint/safetensors_header.h"

namespace tenor {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kPath[] = "model.safetensors";

const std::vector<TensorDeclaration>& Declarations() {
  static const auto& declarations = *new std::vector<TensorDeclaration>{
      {"chunk.000000.weight", {500, 700}}, {"scalar", {}}, {"none", {0}}, {"vector", {7}}};
  return declarations;
}

constexpr size_t kElements = 500 * 700 + 1 + 7;

std::vector<float> Elements() {
  std::vector<float> elements(kElements);
  for (size_t i = 0; i < kElements; ++i) elements[i] = static_cast<float>(i) - 3.5f;
  return elements;
}

// Writes the file above in pieces of `piece` elements.
absl::StatusOr<FileDigest> WriteFile(FileSystem& files, size_t piece) {
  absl::StatusOr<std::unique_ptr<WritableFile>> file = files.Create(kPath);
  if (!file.ok()) return file.status();
  auto writer = SafetensorsWriter::Create(*std::move(file), Declarations(), {{"format", "test"}});
  if (!writer.ok()) return writer.status();
  const std::vector<float> elements = Elements();
  for (size_t begin = 0; begin < kElements; begin += piece) {
    const size_t count = std::min(piece, kElements - begin);
    const absl::Status status = (*writer)->Append(std::span(elements).subspan(begin, count));
    if (!status.ok()) return status;
  }
  return (*writer)->Finish();
}

void WriteText(FileSystem& files, absl::string_view text) {
  std::unique_ptr<WritableFile> file = files.Create(kPath).value();
  ASSERT_TRUE(file->Append(text).ok());
  ASSERT_TRUE(file->Close().ok());
}

std::string WithLength(uint64_t length, const std::string& rest) {
  std::string text(8, '\0');
  std::memcpy(text.data(), &length, 8);
  return text + rest;
}

void ExpectRefused(FileSystem& files, const std::string& reason) {
  const absl::Status status = SafetensorsReader::Open(files, kPath).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), StartsWith("model.safetensors: "));
  EXPECT_THAT(std::string(status.message()), HasSubstr(reason));
}

TEST(SafetensorsTest, ComesBackWhateverThePieces) {
  for (const size_t piece : {size_t{999}, size_t{65536}, size_t{262144}, kElements}) {
    MemoryFileSystem files;
    ASSERT_TRUE(WriteFile(files, piece).ok());
    const SafetensorsReader reader = SafetensorsReader::Open(files, kPath).value();
    ASSERT_EQ(reader.tensors().size(), 4u);
    EXPECT_EQ(reader.metadata().at("format"), "test");
    const std::vector<float> elements = Elements();
    std::vector<float> read(350000);
    ASSERT_TRUE(reader.ReadFloats(*reader.Find("chunk.000000.weight"), 0, read).ok());
    EXPECT_EQ(read, std::vector<float>(elements.begin(), elements.begin() + 350000));
    read.resize(7);
    ASSERT_TRUE(reader.ReadFloats(*reader.Find("vector"), 0, read).ok());
    EXPECT_EQ(read, std::vector<float>(elements.end() - 7, elements.end()));
  }
}

TEST(SafetensorsTest, DigestIsThatOfTheFileAndThePiecesDoNotMatter) {
  MemoryFileSystem files;
  for (const size_t piece : {size_t{1000}, size_t{300000}, kElements}) {
    const FileDigest digest = WriteFile(files, piece).value();
    const std::string text = files.ReadFile(kPath).value();
    EXPECT_EQ(digest.bytes, text.size());
    EXPECT_EQ(digest.crc32c, Crc32c(text));
  }
}

TEST(SafetensorsTest, FinishedFilesSurviveALossOfPower) {
  MemoryFileSystem files;
  ASSERT_TRUE(WriteFile(files, kElements).ok());
  ASSERT_TRUE(files.SyncDirectory(".").ok());
  files.DropUnsynced();
  EXPECT_TRUE(SafetensorsReader::Open(files, kPath).ok());
}

TEST(SafetensorsTest, ReadsAnyRangeAndRefusesWhatLiesBehindTheTensor) {
  MemoryFileSystem files;
  ASSERT_TRUE(WriteFile(files, kElements).ok());
  const SafetensorsReader reader = SafetensorsReader::Open(files, kPath).value();
  const TensorEntry& tensor = *reader.Find("chunk.000000.weight");
  std::vector<float> two(2);
  ASSERT_TRUE(reader.ReadFloats(tensor, 349998, two).ok());
  EXPECT_EQ(two, (std::vector<float>{349994.5f, 349995.5f}));
  EXPECT_EQ(reader.ReadFloats(tensor, 349999, two).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(reader.ReadFloats(tensor, ~uint64_t{0}, two).code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(reader.ReadFloats(tensor, 350000, {}).ok());
  std::vector<std::byte> bytes(3);
  ASSERT_TRUE(reader.ReadBytes(tensor, 1399997, bytes).ok());
  EXPECT_EQ(reader.ReadBytes(tensor, 1399998, bytes).code(), absl::StatusCode::kOutOfRange);
  EXPECT_EQ(reader.Find("chunk"), nullptr);
}

TEST(SafetensorsTest, ReadsTheGoldenFileOfTheIndependentWriter) {
  PosixFileSystem files;
  const SafetensorsReader reader =
      SafetensorsReader::Open(files, "model/checkpoint/testdata/golden.safetensors").value();
  ASSERT_EQ(reader.tensors().size(), 5u);
  EXPECT_EQ(reader.metadata(),
            (std::map<std::string, std::string>{{"format", "pt"}, {"note", "gr\xc3\xbc\xc3\x9f"}}));
  const TensorEntry& weight = *reader.Find("layer.weight");
  EXPECT_EQ(weight.shape, (std::vector<uint64_t>{2, 3}));
  std::vector<float> values(6);
  ASSERT_TRUE(reader.ReadFloats(weight, 0, values).ok());
  for (size_t i = 0; i < 6; ++i) EXPECT_EQ(values[i], (static_cast<float>(i) - 2.5f) / 3.0f);
  std::vector<float> bias(1);
  ASSERT_TRUE(reader.ReadFloats(*reader.Find("layer.bias"), 0, bias).ok());
  EXPECT_TRUE(bias[0] == 0.0f && std::signbit(bias[0]));
  EXPECT_EQ(reader.Find("empty")->shape, (std::vector<uint64_t>{0, 4}));
  const TensorEntry& ids = *reader.Find("position_ids");
  std::vector<int64_t> numbers(2);
  ASSERT_TRUE(reader.ReadBytes(ids, 0, std::as_writable_bytes(std::span(numbers))).ok());
  EXPECT_EQ(numbers, (std::vector<int64_t>{1, -(int64_t{1} << 62)}));
  EXPECT_EQ(reader.ReadFloats(ids, 0, bias).message(),
            "tensor \"position_ids\" is I64, but F32 is needed");
}

TEST(SafetensorsTest, CutAnywhereTheFileIsRefused) {
  MemoryFileSystem files;
  std::unique_ptr<WritableFile> file = files.Create(kPath).value();
  auto writer = SafetensorsWriter::Create(std::move(file), {{"a", {3}}}, {}).value();
  ASSERT_TRUE(writer->Append(std::vector<float>{1, 2, 3}).ok());
  const FileDigest digest = writer->Finish().value();
  const std::string text = files.ReadFile(kPath).value();
  ASSERT_EQ(digest.bytes, text.size());
  for (size_t length = 0; length < text.size(); ++length) {
    WriteText(files, text.substr(0, length));
    ExpectRefused(files, length < 8 ? "too few" : ": it is cut");
  }
  WriteText(files, text + "x");
  ExpectRefused(files, "the tensors end at 12");
}

TEST(SafetensorsTest, LengthsThatLieAreRefusedBeforeTheyAreAllocated) {
  MemoryFileSystem files;
  WriteText(files, WithLength(3, "{}"));
  ExpectRefused(files, "claims 3 bytes, but the file has 10");
  WriteText(files, WithLength(100'000'000, "{}"));
  ExpectRefused(files, "claims 100000000 bytes, but the file has 10");
  WriteText(files, WithLength(100'000'001, "{}"));
  ExpectRefused(files, "more than 100000000");
  WriteText(files, WithLength(~uint64_t{0}, "{}"));
  ExpectRefused(files, "claims 18446744073709551615 bytes");
  WriteText(files, WithLength(0, "{}"));
  ExpectRefused(files, "does not start with {");
}

TEST(SafetensorsTest, MissingFileIsNotFound) {
  MemoryFileSystem files;
  EXPECT_EQ(SafetensorsReader::Open(files, kPath).status().code(), absl::StatusCode::kNotFound);
}

TEST(SafetensorsWriterTest, RefusesMoreAndFewerElementsThanDeclared) {
  MemoryFileSystem files;
  auto writer = SafetensorsWriter::Create(files.Create(kPath).value(), {{"a", {3}}}, {}).value();
  ASSERT_TRUE(writer->Append(std::vector<float>{1, 2}).ok());
  EXPECT_EQ(writer->Finish().status().message(), "1 declared elements were never appended");
  const absl::Status status = writer->Append(std::vector<float>{3, 4});
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(writer->Append(std::vector<float>{3}), status);
  EXPECT_EQ(writer->Finish().status(), status);
}

TEST(SafetensorsWriterTest, RefusesBadDeclarations) {
  MemoryFileSystem files;
  const auto create = [&](const std::vector<TensorDeclaration>& tensors) {
    return SafetensorsWriter::Create(files.Create(kPath).value(), tensors, {}).status().code();
  };
  EXPECT_EQ(create({{"a", {1}}, {"a", {2}}}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(create({{"a", {uint64_t{1} << 62}}}), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(create({}), absl::StatusCode::kOk);
}

TEST(SafetensorsWriterTest, AnErrorOfTheFileAtAnyPointReachesTheCaller) {
  MemoryFileSystem disk;
  FaultyFileSystem files(disk);
  ASSERT_TRUE(WriteFile(files, 99999).ok());
  const uint64_t calls = files.Calls(FileOperation::kAny);
  EXPECT_GE(calls, 5u);
  for (uint64_t nth = 1; nth <= calls; ++nth) {
    files.SetFault({.nth = nth});
    EXPECT_EQ(WriteFile(files, 99999).status().code(), absl::StatusCode::kResourceExhausted);
    files.ClearFaults();
  }
}

}  // namespace
}  // namespace tenor
