#include "model/checkpoint/safetensors_header.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "base/status.h"
#include "nlohmann/json.hpp"

namespace tenor {
namespace {

constexpr char kMetadataKey[] = "__metadata__";

struct Dtype {
  absl::string_view name;
  uint64_t bytes;
};

constexpr Dtype kDtypes[] = {
    {"BOOL", 1}, {"U8", 1},  {"I8", 1},  {"F8_E5M2", 1}, {"F8_E4M3", 1},
    {"U16", 2},  {"I16", 2}, {"F16", 2}, {"BF16", 2},    {"U32", 4},
    {"I32", 4},  {"F32", 4}, {"U64", 8}, {"I64", 8},     {"F64", 8},
};

// Long or binary names are shown in part, so that an error stays one line.
std::string Quoted(absl::string_view text) {
  constexpr size_t kShown = 80;
  std::string quoted = "\"";
  for (const char c : text.substr(0, kShown)) {
    quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return quoted + (text.size() > kShown ? "...\"" : "\"");
}

absl::StatusOr<uint64_t> TensorBytes(const TensorEntry& tensor) {
  const uint64_t element = DtypeBytes(tensor.dtype);
  if (element == 0) {
    return absl::InvalidArgumentError(absl::StrCat("tensor ", Quoted(tensor.name), " has dtype ",
                                                   Quoted(tensor.dtype), ", which is unknown"));
  }
  absl::StatusOr<uint64_t> count = ElementCount(tensor.shape);
  uint64_t bytes = 0;
  if (!count.ok() || __builtin_mul_overflow(*count, element, &bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("tensor ", Quoted(tensor.name), " has a shape of more than 2^64 bytes"));
  }
  return bytes;
}

// Takes the events of nlohmann's parser and accepts the grammar of the header only: it stops at the
// first thing that does not belong, so nothing is ever built that the header does not describe.
class HeaderHandler : public nlohmann::json_sax<nlohmann::json> {
 public:
  SafetensorsHeader TakeHeader() { return std::move(header_); }
  const std::string& error() const { return error_; }

  bool null() override { return Refuse("null"); }
  bool boolean(bool) override { return Refuse("a boolean"); }
  bool number_integer(number_integer_t) override { return Refuse("a negative number"); }
  bool number_float(number_float_t, const string_t&) override { return Refuse("a fraction"); }
  bool binary(binary_t&) override { return Refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (place_ == Place::kShape) return AddDimension(value);
    if (place_ == Place::kOffsets) return AddOffset(value);
    return Refuse("a number");
  }

  bool string(string_t& value) override {
    if (place_ == Place::kMetadata) {
      header_.metadata[key_] = value;
      return true;
    }
    if (place_ != Place::kTensor || key_ != "dtype") return Refuse("a text");
    header_.tensors.back().dtype = value;
    return true;
  }

  bool start_object(std::size_t) override {
    if (place_ == Place::kStart) return Enter(Place::kTop);
    if (place_ != Place::kTop) return Refuse("an object");
    if (key_ == kMetadataKey) return Enter(Place::kMetadata);
    header_.tensors.emplace_back().name = key_;
    fields_.clear();
    return Enter(Place::kTensor);
  }

  bool end_object() override {
    if (place_ == Place::kTop) return Enter(Place::kEnd);
    if (place_ == Place::kTensor && fields_.size() != 3) {
      return Fail(absl::StrCat("tensor ", Quoted(header_.tensors.back().name),
                               " lacks one of dtype, shape and data_offsets"));
    }
    return Enter(Place::kTop);
  }

  bool start_array(std::size_t) override {
    if (place_ != Place::kTensor) return Refuse("a list");
    if (key_ == "shape") return Enter(Place::kShape);
    if (key_ != "data_offsets") return Refuse("a list");
    offsets_ = 0;
    return Enter(Place::kOffsets);
  }

  bool end_array() override {
    if (place_ == Place::kOffsets && offsets_ != 2) return Refuse("too few data_offsets");
    return Enter(Place::kTensor);
  }

  bool key(string_t& key) override {
    key_ = key;
    if (place_ == Place::kTensor) return AddField();
    std::set<std::string>& seen = place_ == Place::kTop ? names_ : metadata_keys_;
    return seen.insert(key).second || Fail(absl::StrCat(Quoted(key), " comes twice"));
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    return Fail(absl::StrCat("not JSON at byte ", position));
  }

 private:
  enum class Place { kStart, kTop, kMetadata, kTensor, kShape, kOffsets, kEnd };

  bool Enter(Place place) {
    place_ = place;
    return true;
  }

  bool Fail(std::string what) {
    error_ = std::move(what);
    return false;
  }

  bool Refuse(absl::string_view what) {
    return Fail(absl::StrCat(what, " does not belong at or below key ", Quoted(key_)));
  }

  bool AddField() {
    if (key_ != "dtype" && key_ != "shape" && key_ != "data_offsets") return Refuse("a field");
    return fields_.insert(key_).second || Fail(absl::StrCat(Quoted(key_), " comes twice"));
  }

  bool AddDimension(uint64_t value) {
    std::vector<uint64_t>& shape = header_.tensors.back().shape;
    shape.push_back(value);
    return shape.size() <= kSafetensorsMaxDimensions || Refuse("so many dimensions");
  }

  bool AddOffset(uint64_t value) {
    if (offsets_ == 2) return Refuse("a third number");
    TensorEntry& tensor = header_.tensors.back();
    (offsets_ == 0 ? tensor.begin : tensor.end) = value;
    ++offsets_;
    return true;
  }

  Place place_ = Place::kStart;
  std::string key_;
  int offsets_ = 0;
  std::set<std::string> names_;
  std::set<std::string> metadata_keys_;
  std::set<std::string> fields_;
  SafetensorsHeader header_;
  std::string error_;
};

absl::StatusOr<SafetensorsHeader> ParseJson(absl::string_view text) {
  // The format asks for it; the parser alone would skip blanks and a byte order mark.
  if (text.empty() || text[0] != '{') {
    return absl::InvalidArgumentError("safetensors header does not start with {");
  }
  // A NUL is in no JSON, but the parser takes it for the end of the text.
  const size_t nul = text.find('\0');
  if (nul != absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat("safetensors header: not JSON at byte ", nul));
  }
  HeaderHandler handler;
  if (!nlohmann::json::sax_parse(text.begin(), text.end(), &handler)) {
    return absl::InvalidArgumentError(absl::StrCat("safetensors header: ", handler.error()));
  }
  return handler.TakeHeader();
}

absl::Status CheckTensor(const TensorEntry& tensor, uint64_t data_bytes) {
  TENOR_ASSIGN_OR_RETURN(const uint64_t bytes, TensorBytes(tensor));
  if (tensor.begin > tensor.end || tensor.end > data_bytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tensor ", Quoted(tensor.name), " lies at bytes ", tensor.begin, "..", tensor.end,
        " of the data, but the file has ", data_bytes, ": it is cut or damaged"));
  }
  if (tensor.end - tensor.begin != bytes) {
    return absl::InvalidArgumentError(absl::StrCat("tensor ", Quoted(tensor.name), " has ",
                                                   tensor.end - tensor.begin,
                                                   " bytes, but its shape and dtype take ", bytes));
  }
  return absl::OkStatus();
}

absl::Status CheckCover(const std::vector<TensorEntry>& tensors, uint64_t data_bytes) {
  uint64_t covered = 0;
  for (const TensorEntry& tensor : tensors) {
    if (tensor.begin != covered) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", Quoted(tensor.name), " begins at byte ", tensor.begin,
                       tensor.begin < covered ? " and overlaps the one before, which ends at "
                                              : ", behind a hole from ",
                       covered));
    }
    covered = tensor.end;
  }
  if (covered == data_bytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("safetensors data has ", data_bytes,
                                                 " bytes, but the tensors end at ", covered));
}

absl::Status CheckName(const TensorEntry& tensor, std::set<absl::string_view>* names) {
  if (tensor.name.empty() || tensor.name == kMetadataKey) {
    return absl::InvalidArgumentError(
        absl::StrCat("a tensor cannot be named ", Quoted(tensor.name)));
  }
  if (!names->insert(tensor.name).second) {
    return absl::InvalidArgumentError(absl::StrCat("tensor ", Quoted(tensor.name), " comes twice"));
  }
  if (tensor.shape.size() <= kSafetensorsMaxDimensions) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("tensor ", Quoted(tensor.name), " has ",
                                                 tensor.shape.size(), " dimensions, more than ",
                                                 kSafetensorsMaxDimensions));
}

nlohmann::ordered_json ToJson(const SafetensorsHeader& header) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  if (!header.metadata.empty()) json[kMetadataKey] = header.metadata;
  // Appended as a list of pairs: looking a key up in an ordered object takes time in its size.
  for (const TensorEntry& tensor : header.tensors) {
    json.get_ref<nlohmann::ordered_json::object_t&>().emplace_back(
        tensor.name, nlohmann::ordered_json{{"dtype", tensor.dtype},
                                            {"shape", tensor.shape},
                                            {"data_offsets", {tensor.begin, tensor.end}}});
  }
  return json;
}

}  // namespace

uint64_t DtypeBytes(absl::string_view dtype) {
  for (const Dtype& known : kDtypes) {
    if (dtype == known.name) return known.bytes;
  }
  return 0;
}

absl::StatusOr<uint64_t> ElementCount(const std::vector<uint64_t>& shape) {
  uint64_t count = 1;
  for (const uint64_t dimension : shape) {
    if (__builtin_mul_overflow(count, dimension, &count)) {
      return absl::OutOfRangeError("a shape has more than 2^64 elements");
    }
  }
  return count;
}

absl::StatusOr<SafetensorsHeader> ParseSafetensorsHeader(absl::string_view text,
                                                         uint64_t data_bytes) {
  TENOR_ASSIGN_OR_RETURN(SafetensorsHeader header, ParseJson(text));
  for (const TensorEntry& tensor : header.tensors) {
    TENOR_RETURN_IF_ERROR(CheckTensor(tensor, data_bytes));
  }
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const TensorEntry& a, const TensorEntry& b) {
              return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
            });
  TENOR_RETURN_IF_ERROR(CheckCover(header.tensors, data_bytes));
  return header;
}

absl::Status PlaceTensors(std::vector<TensorEntry>* tensors) {
  constexpr uint64_t kMaxBytes = uint64_t{1} << 63;
  std::set<absl::string_view> names;
  uint64_t end = 0;
  for (TensorEntry& tensor : *tensors) {
    TENOR_RETURN_IF_ERROR(CheckName(tensor, &names));
    TENOR_ASSIGN_OR_RETURN(const uint64_t bytes, TensorBytes(tensor));
    if (bytes > kMaxBytes - end) {
      return absl::InvalidArgumentError(
          absl::StrCat("tensor ", Quoted(tensor.name), " takes the file beyond 2^63 bytes"));
    }
    tensor.begin = end;
    tensor.end = end += bytes;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> SerializeSafetensorsHeader(const SafetensorsHeader& header) {
  std::string text;
  try {
    text = ToJson(header).dump();
  } catch (const nlohmann::json::exception&) {
    return absl::InvalidArgumentError("a name or text of a safetensors header is not UTF-8");
  }
  text.resize((text.size() + 7) / 8 * 8, ' ');
  if (text.size() > kSafetensorsMaxHeaderBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "safetensors header has ", text.size(), " bytes, more than ", kSafetensorsMaxHeaderBytes));
  }
  const uint64_t length = text.size();
  std::string prefix(kSafetensorsLengthBytes, '\0');
  std::memcpy(prefix.data(), &length, sizeof(length));
  return prefix + text;
}

}  // namespace tenor
